"""I5, rate of collapse: how fast the rows come to read the first token only.

    1 - A^(t)_kk >= epsilon  for k = 2, ..., r   =>   1 - P^(T)_r1 <= P(K_T <= r - 2) = sum_{k=0}^{r-2} P(K_T = k)

K_T counts the successes of independent trials with chances epsilon lambda_1, ..., epsilon lambda_T.  Hypotheses: causal
kernels, 0 <= lambda_t <= 1, epsilon >= 0; epsilon <= 1 follows wherever there is a layer.  Sharp: an equation for
A_kk = 1 - epsilon, A_{k,k-1} = epsilon.  Where moreover c <= lambda_t in every layer (lambda = c: constant),

    1 - P^(T)_r1 <= C(T, d) (1 - epsilon c)^d    for 0 <= d <= T - (r - 2)

(of T layers at least d rest): at d = T - (r - 2) geometric in T up to the polynomial factor C(T, r - 2) <= T^{r-2}.
Inequality and equation.  Source: ours, beyond arXiv:2602.16837.

By induction on T: B_r(T) = P(K_T <= r - 2) obeys B_r(T + 1) = (1 - x) B_r(T) + x B_{r-1}(T), x = epsilon lambda_{T+1},
and row r of R_{T+1} P^(T) keeps at most 1 - x and reads rows before it, which lose no more than row r - 1.

Exact here: everything.  Numeric here: nothing.  Not covered: rates that do not depend on the row (I8).
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from random import Random

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, Entries, kernel
from proofs.cases.deep_cases import DEPTH, deep_kernels
from proofs.draws import for_each, kernels_leaving, sizes_within
from proofs.lemmas.hops_steps import none_below, powers_of_failure, union_bound
from proofs.notation import (
    IDENTITY,
    binomial,
    causal,
    every,
    hops,
    layer,
    layers,
    mixing,
    n,
    rollout,
    transition,
    zero_one,
)
from proofs.outline import causal_kernel, causal_transitions
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Both,
    Chain,
    Generalise,
    Identity,
    Induction,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    Bracket,
    Fn,
    Formula,
    Implies,
    Index,
    Lambda,
    Range,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import lose, scale, shift, turn

eps, c, lam, A = Symbol("epsilon", 0), Symbol("c", 0), Symbol("lambda", 1), Symbol("A", 3)
i, j, k, q, r, s, T, d = (index(x) for x in ("i", "j", "k", "q", "r", "s", "T", "d"))
slowed = Lambda(("t",), eps() * lam("t"))
law = hops(slowed)
R = transition(lam, A)
P = rollout(R)
below_first = Bracket(((as_index(2), i),))
back = Lambda(("i", "j"), zero_one("i", "j") * (as_term(1) - eps() * below_first) + eps() * zero_one(i, j + 1))
Q = rollout(transition(lam, Lambda(("t", "i", "j"), apply(back, (i, j)))))


def rate(row: Index, depth: Index | int) -> Term:
    """P(K <= row - 2)."""
    return total("k", 0, row - 2, law(depth, "k"))


def lost(product: Fn, row: Index | str, depth: Index | int) -> Term:
    """1 - P^(depth)_{row,1}."""
    return as_term(1) - product(depth, row, 1)


def bounded(row: Index, depth: Index | int) -> Relation:
    """1 - P_{row,1} <= P(K <= row - 2)."""
    return Relation("<=", lost(P, row, depth), rate(row, depth))


def attained(row: Index, depth: Index | int) -> Relation:
    """The equation, for the kernel that steps back by one."""
    return Relation("=", lost(Q, row, depth), rate(row, depth))


kept = layers(1, "T", every("k", 2, r, Relation("<=", eps(), as_term(1) - A("t", "k", "k"))))
claim = Claim(
    symbols=(eps, c, lam, A),
    indices=(Range("r", as_index(2), n), Range("T", as_index(0), None)),
    hypotheses=(
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("mixing", mixing(lam, "T")),
        ("epsilon", Relation("<=", as_term(0), eps())),
        ("off the diagonal", kept),
        ("at least c", layers(1, "T", Relation("<=", c(), lam("t")))),
        ("at most 1", Relation("<=", eps(), as_term(1))),
    ),
    parts=(
        Part("rate", ("kernels", "mixing", "epsilon", "off the diagonal"), bounded(r, T)),
        Part("sharp", (), attained(r, T)),
        Part("sharp, kernel", ("epsilon", "at most 1"), causal(back)),
        Part(
            "geometric", ("kernels", "mixing", "epsilon", "off the diagonal", "at least c"),
            every("d", 0, T - r + 2, Relation(
                "<=", lost(P, r, T), binomial(T, "d") * powers_of_failure(eps() * c())("d")
            )),
        ),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

x = eps() * lam(s + 1)
OF_RATE = claim.part("rate").given
below_zero = none_below(slowed, s)


def rows(relation: Formula) -> Formula:
    """For every row up to r."""
    return every("q", 1, r, relation)


def under(body: Formula) -> Formula:
    """The formula, under the hypotheses of the rate."""
    known = dict(claim.hypotheses)
    return reduce(lambda inner, label: Implies(known[label], inner), reversed(OF_RATE), body)


def in_unit(depth: Index | str, at: Index | str, part: str) -> Use:
    """0 <= epsilon lambda_at <= 1."""
    return use("slowed mixing", depth, at, parts=part, given=OF_RATE)


def chance(count: Index | str, depth: Index | str = "s") -> Use:
    """P(K = count) >= 0."""
    slow = Use("slowed mixing", at=(as_index(depth),), given=tuple(Use(label) for label in OF_RATE))
    return use("C1", depth, count, parts="nonnegative", fns=(slowed, IDENTITY), given=(slow,))


slow = Step("slowed mixing", under(every("s", 0, T, mixing(slowed, "s"))), Generalise((*OF_RATE, "s"), (
    Step("epsilon at most 1, by row 2", layers(1, "T", Relation("<=", eps(), as_term(1))), Nonnegative((  # row 2
        item(use("off the diagonal", "t", 2)), item(use("kernels", "t", 2, 2, parts="nonnegative")),
    ))),
    Step("slowed, at least 0", layers(1, "s", Relation("<=", as_term(0), slowed("t"))), Nonnegative((
        item(use("epsilon"), use("mixing", "t", parts="nonnegative")),
    ))),
    Step("slowed, at most 1", layers(1, "s", Relation("<=", slowed("t"), as_term(1))), Nonnegative((
        item(use("mixing", "t", parts="at most one")),
        item(use("mixing", "t", parts="nonnegative"), use("epsilon at most 1, by row 2", "t")),
    ))),
    Step("both", mixing(slowed, "s"), Both(("slowed, at least 0", "slowed, at most 1"))),
)))  # fmt: skip

reads = use("transitions", s + 1, "q", "l", parts="nonnegative")  # R_rl >= 0
by_layer = Step("every depth", every("s", 0, T, rows(bounded(q, s))), Induction(
    "so far",
    base=(Step("no layer", rows(bounded(q, 0)), Nonnegative(())),),
    step=(Step("one more layer", rows(bounded(q, s + 1)), Nonnegative(
        (
            item(reads, use("so far", "l"), over=(("l", 1, q),)),
            item(reads, chance("k"), over=(("l", 1, q - 1), ("k", index("l") - 1, q - 3))),
            item(
                use("mixing", s + 1, parts="nonnegative"), use("off the diagonal", s + 1, "m"), chance(index("m") - 2),
                times=zero_one("m", q), over=(("m", 2, q),),
            ),
        ),
        (
            item(use("transitions", s + 1, "q", parts="rows"), times=rate(q - 1, s) - 1),
            item(
                use("transitions", s + 1, "q", "l", parts="mask"),
                times=lost(P, "l", s) - rate(q - 1, s), over=(("l", q + 1, n),),
            ),
            item(below_zero, times=-x * Bracket(((as_index(2), q),))),
        ),
    )),),
))  # fmt: skip

sharp = Step("every depth", every("s", 0, T, rows(attained(q, s))), Induction(
    "so far",
    base=(Step("no layer", rows(attained(q, 0)), Identity()),),
    step=(Step("one more layer", rows(attained(q, s + 1)), Identity((
        item(use("so far", "q"), times=as_term(1) - x * Bracket(((as_index(2), q),))),
        item(use("so far", "l"), times=x * zero_one("l", q - 1), over=(("l", 1, q - 1),)),
        item(below_zero, times=-x * Bracket(((as_index(2), q),))),
    ))),),
))  # fmt: skip

derivation = (
    slow,
    claim.proof(
        "rate",
        causal_transitions("transitions", lam, A, "T", "mixing", "kernels"),
        by_layer,
        Step("depth T", bounded(r, T), Chain((use("every depth", T, r),))),
    ),
    claim.proof("sharp", sharp, Step("depth T", attained(r, T), Chain((use("every depth", T, r),)))),
    claim.proof("sharp, kernel", *causal_kernel(
        back,
        Nonnegative((
            item(use("at most 1"), times=zero_one("i", "j") * below_first),
            item(times=zero_one("i", "j") * Bracket(((i, as_index(1)),))),
            item(use("epsilon"), times=zero_one(i, j + 1)),
        )),
        Identity(),
        Identity(),
    )),
    claim.proof(
        "geometric",
        union_bound,
        Step("slowed, at least epsilon c", layers(1, "T", Relation("<=", eps() * c(), slowed("t"))), Nonnegative((
            item(use("epsilon"), use("at least c", "t")),
        ))),
        Step("depth T", claim.part("geometric").asserts, Nonnegative((
            item(use("rate", given=OF_RATE)),
            item(chance("k", T), over=(("k", r - 1, T - d),)),
            item(use(
                "union bound", d, fns=(slowed, Lambda((), eps() * c())),
                given=(use("slowed mixing", T, given=OF_RATE), "slowed, at least epsilon c"),
            )),
        ))),
    ),
    claim.finish("collapse"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Rows that give away epsilon exactly, or more; coefficients at both ends and between, c at most the least."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = max(size[0], 2), size[1]
        part = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)])
        drawn = st.tuples(
            mixing_coefficients(depth), kernels_leaving(positions, depth), part, st.integers(2, positions)
        )
        return drawn.map(lambda d: Case.of(
            positions, {"T": depth, "r": d[3]}, epsilon=d[1][0], c=d[2] * min(d[0], default=1), lambda_=d[0], A=d[1][1]
        ))  # fmt: skip

    return for_each(sizes_within(), draw)


def deep(seed: int) -> tuple[Case, ...]:
    """Rows that give away 1/2 or more, layers of 1/2, or of 1/4 and 0 in turn.  No coefficient is at least c = 1: the
    last part, C(400, d) for every d, is left to the small cases."""
    random, half = Random(seed), Fraction(1, 2)
    rules = ([half] * DEPTH, [Fraction(t % 2, 4) for t in range(DEPTH)])
    return tuple(
        Case.of(4, {"T": DEPTH, "r": 4}, epsilon=half, c=1, lambda_=rule, A=deep_kernels(4, 2, random))
        for rule in rules
    )


def _case(positions: int, depth: int, **tables: Entries) -> Case:
    plain: dict[str, Entries] = {"epsilon": 0, "c": 0, "lambda_": [1] * depth}
    return Case.of(positions, {"T": depth, "r": positions}, **{**plain, **tables})


_same = kernel([1], [0, 1])
_first = kernel([1], [1, 0])
needed = (
    Needed("kernels", _case(2, 1, A=[kernel([1], [-1, 1])]), "row 2 is (-1, 1): 1 - P_21 = 2"),
    Needed("mixing", _case(2, 1, lambda_=[-1], c=-1, A=[_first]), "lambda = -1: P_21 = -1"),
    Needed(
        "epsilon", _case(3, 2, epsilon=-1, A=[kernel([1], [0, 1], [0, 0, 1])] * 2),
        "epsilon = -1, A = I, T = 2: the sum is 4 - 4 = 0",
    ),
    Needed("off the diagonal", _case(2, 1, epsilon=1, A=[_same]), "A = I, epsilon = 1: the sum is 0, and P_21 is"),
    Needed("at least c", _case(2, 1, epsilon=1, c=1, lambda_=[0], A=[_first]), "lambda = 0, c = 1: (1 - c)^1 = 0"),
    Needed("at most 1", _case(2, 1, epsilon=2, A=[_same]), "epsilon = 2: 1 - epsilon = -1"),
)  # fmt: skip

statement = Statement(
    id="I5",
    title="How fast every row comes to read the first token",
    source="ours, beyond arXiv:2602.16837",
    remark="At d = T - (r - 2) the last part says: geometric in T, up to the polynomial C(T, r - 2).",
    claim=claim,
    derivation=derivation,
    cases=cases,
    deep=deep,
    needed=needed,
    twins=(
        turn("rate"), lose("rate"), scale("sharp"), shift("sharp", "hops", 1, 1), turn("sharp, kernel/nonnegative"),
        scale("sharp, kernel/rows"), turn("geometric"), shift("geometric", "accumulated", 0, 1),
    ),
)  # fmt: skip
