"""U2, the uniform kernel exactly: every row of the rollout is a mixture of binomial laws, and it falls to the spike.

    P^(T)_ij = C(i-1, j-1) sum_{k=0}^{i-j} (-1)^k C(i-j, k) mu_{j-1+k},   mu_k = prod_{t <= T} (1 - lambda_t +
    lambda_t / (k + 1));      P_i1 >= P_i2 >= ... >= P_{i,i-1}

Hypotheses: all weights are 1, A_ij = [j <= i] / i, in every layer; for the order 0 <= lambda_t <= 1 (the formula holds
for any coefficients).  mu_k is the k-th moment of X = Y_1 ... Y_T with independent Y_t, 1 with probability 1 -
lambda_t and uniform on (0, 1) otherwise; with x^k for mu_k the formula is the law C(i-1, j-1) x^{j-1} (1 - x)^{i-j},
so P_ij = E of that at x = X: a Hausdorff matrix.  Identity and inequality.  Source: ours, beyond arXiv:2602.16837.

The formula: with m_k = mu_{k-1} and differences D^r m_j = sum_k (-1)^k C(r, k) m_{j+k}, one layer asks for
sum_{l=j}^i C(l-1, j-1) D^{l-j} m_j = i C(i-1, j-1) D^{i-j} (m_k / k)_j, which telescopes.  The order: down the
diagonals P_{i+1,j+1} <= P_ij, and column sums compare along them.

Exact here: everything.  Numeric here: nothing.  Not covered: that mu_k are moments (an integral).
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case
from proofs.draws import for_each, sizes_within, values
from proofs.lemmas.binomial_steps import difference, difference_lemmas, number_lemmas
from proofs.lemmas.prefix_steps import inverse, powers, weight_sums
from proofs.lemmas.uniform_steps import by_depth, each, factors, one_kernel, uniform, uniform_layers
from proofs.notation import (
    accumulated,
    binomial,
    every,
    mixing,
    n,
    number,
    sign,
    zero_one,
)
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Chain,
    Identity,
    Induction,
    Instantiate,
    Nonnegative,
    Step,
    item,
    use,
)
from proofs.substitute import substitute
from proofs.term import (
    Formula,
    Index,
    Lambda,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import lose, scale, turn

lam, w, x = Symbol("lambda", 1), Symbol("w", 1), Symbol("x", 0)
i, j, k, r, s, u, T = (index(name) for name in ("i", "j", "k", "r", "s", "u", "T"))
P = one_kernel(lam, w)


def moment(depth: Index | int | str, at: Index | str) -> Term:
    """mu_{at - 1} = prod_{t <= depth} (1 - lambda_t + lambda_t / at)."""
    return accumulated(Lambda(("t",), as_term(1) - lam("t") + lam("t") * Reciprocal(number(at))))(depth)


def mixed(at: Term, i: Index | str, j: Index | str) -> Term:
    """C(i-1, j-1) sum_{k=0}^{i-j} (-1)^k C(i-j, k) times ``at``, which reads k."""
    i, j = as_index(i), as_index(j)
    return binomial(i - 1, j - 1) * total("k", 0, i - j, sign("k") * binomial(i - j, "k") * at)


power, rest = powers(x), powers(Lambda((), as_term(1) - x()))
product_law = Relation("=", P("T", "i", "j"), mixed(moment("T", j + k), "i", "j"))
falling = Relation("<=", P("T", "i", j + 1), P("T", "i", "j"))
binomial_law = binomial(i - 1, j - 1) * power(j - 1) * rest(i - j)

claim = Claim(
    symbols=(lam, w, x),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(
        ("uniform", uniform(w)),
        ("mixing", mixing(lam, "T")),
    ),
    parts=(
        Part("formula", ("uniform",), each(product_law)),
        Part("binomial law", (), each(
            Relation("=", mixed(power(j + k - 1), "i", "j"), binomial_law)
        )),
        Part("order", ("uniform", "mixing"), every("i", 1, n, every("j", 1, i - 2, falling))),
    ),
)  # fmt: skip

# --- derivation: the formula ----------------------------------------------------------------------

moments = Lambda(("s", "k"), moment("s", "k"))
empty, following = factors(lam, moments)
products = (Step("empty product", empty, Identity()), Step("one more factor", following, Identity()))

formula = claim.proof("formula", Step("all entries", claim.part("formula").asserts, Instantiate(use(
    "uniform layers", T, fns=(moments,), given=("uniform", "empty product", "one more factor")
))))  # fmt: skip

before = Lambda(("k",), power(k - 1))  # x^{k-1}
_powers = every("r", 0, None, every("j", 0, None, Relation(
    "=", difference(before, "r", j + 1), power("j") * rest("r")
)))  # fmt: skip
mixture = claim.proof(
    "binomial law",
    Step("differences of powers", _powers, Induction(
        "so far",
        (Step("none", substitute(_powers.body, {"r": as_index(0)}, {}), Identity((
            item(use("even signs", "k"), times=power(j + k), over=(("k", 0, 0),)),
        ))),),
        (Step("one more", substitute(_powers.body, {"r": r + 1}, {}), Identity((
            item(use("so far", "j")),
            item(use("so far", j + 1), times=-1),
            item(use("differences", "r", "j", fns=(before,))),
        ))),),
    )),
    Step("all entries", claim.part("binomial law").asserts, Identity((
        item(use("differences of powers", i - j, j - 1), times=binomial(i - 1, j - 1)),
    ))),
)  # fmt: skip

# --- derivation: the order ------------------------------------------------------------------------

_nonnegative = every("i", 1, n, every("j", 1, n, Relation("<=", as_term(0), P("s", "i", "j"))))
_diagonals = every("i", 1, n - 1, every("j", 1, n - 1, Relation("<=", P("s", i + 1, j + 1), P("s", "i", "j"))))
_falling = every("i", 1, n, every("j", 1, i - 2, substitute(falling, {"T": s}, {})))


def at_depth(formula: Formula, depth: Index | int) -> Formula:
    """The formula with another depth for s."""
    return substitute(formula, {"s": as_index(depth)}, {})


stays, attends = use("mixing", s + 1, parts="at most one"), use("mixing", s + 1, parts="nonnegative")
weight, next_weight = (lam(s + 1) * inverse(w, at) for at in (i, i + 1))

order = claim.proof(
    "order",
    Step("w positive", every("j", 1, n, Relation("<", as_term(0), w("j"))), Nonnegative(
        (item(),), (item(use("uniform", "j"), times=-1),)
    )),
    *weight_sums("W", w, "w positive"),
    Step("1 / W falls", every("i", 1, n - 1, Relation("<=", inverse(w, i + 1), inverse(w, "i"))), Nonnegative(
        (item(use("w positive", i + 1), use("1 / W > 0", "i"), use("1 / W > 0", i + 1)),),
        (item(use("W / W", i + 1), times=inverse(w, "i")), item(use("W / W", "i"), times=-inverse(w, i + 1))),
    )),
    by_depth(
        "nonnegative", _nonnegative,
        (Step("no layer", at_depth(_nonnegative, 0), Nonnegative((item(times=zero_one("i", "j")),))),),
        (Step("one more layer", at_depth(_nonnegative, s + 1), Nonnegative((
            item(stays, use("so far", "i", "j")),
            item(
                attends, use("w positive", "l"), use("1 / W > 0", "i"), use("so far", "l", "j"), over=(("l", 1, i),)
            ),
        ))),),
    ),
    by_depth(
        "diagonals", _diagonals,
        (Step("no layer", at_depth(_diagonals, 0), Nonnegative(())),),
        (Step("one more layer", at_depth(_diagonals, s + 1), Nonnegative(
            (
                item(stays, use("so far", "i", "j")),
                item(attends, use("1 / W > 0", i + 1), use("so far", "l", "j"), over=(("l", 1, i),)),
                item(attends, use("1 / W falls", "i"), use("nonnegative", "s", "l", "j"), over=(("l", 1, i),)),
            ),
            (
                item(use("uniform", "l"), times=-(weight * P("s", "l", "j")), over=(("l", 1, i),)),
                item(use("uniform", "l"), times=next_weight * P("s", "l", j + 1), over=(("l", 1, i + 1),)),
                item(use("mask", "s", 1, j + 1), times=next_weight),
            ),
        )),),
    ),
    by_depth(
        "columns", _falling,
        (Step("no layer", at_depth(_falling, 0), Nonnegative(())),),
        (Step("one more layer", at_depth(_falling, s + 1), Nonnegative(
            (
                item(stays, use("so far", "i", "j")),
                item(attends, use("1 / W > 0", "i"), use("diagonals", "s", "l", "j"), over=(("l", 1, i - 1),)),
                item(attends, use("1 / W > 0", "i"), use("nonnegative", "s", "i", "j")),
            ),
            (
                item(
                    use("uniform", "l"), times=-(weight * (P("s", "l", "j") - P("s", "l", j + 1))),
                    over=(("l", 1, i),),
                ),
                item(use("mask", "s", 1, j + 1), times=weight),
            ),
        )),),
    ),
    Step("all rows", claim.part("order").asserts, Chain((use("columns", T, "i", "j"),))),
)  # fmt: skip

derivation = (
    *difference_lemmas(),
    *number_lemmas(),
    *uniform_layers(lam, w),
    *products,
    formula,
    mixture,
    order,
    claim.finish("uniform kernel"),
)

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Weights 1, coefficients at both ends and between, any number x."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        drawn = st.tuples(mixing_coefficients(depth), values(1))
        return drawn.map(lambda d: Case.of(positions, {"T": depth}, lambda_=d[0], w=(1,) * positions, x=d[1][0]))

    return for_each(sizes_within(), draw)


needed = (
    Needed("uniform", Case.of(2, {"T": 1}, lambda_=[1], w=[1, 2], x=0), "w = (1, 2): P_21 is 1/3, not 1/2"),
    Needed("uniform", Case.of(3, {"T": 2}, lambda_=[1, 1], w=[1, 2, 4], x=0), "w = (1, 2, 4): (47, 52, 48) / 147"),
    Needed("mixing", Case.of(3, {"T": 2}, lambda_=[1, -1], w=[1, 1, 1], x=0), "2 A - A^2 has last row (1, 7, 10) / 18"),
)

statement = Statement(
    id="U2",
    title="The uniform kernel gives a mixture of binomial laws",
    source="ours, beyond arXiv:2602.16837",
    remark="Nothing but the last token itself can exceed the first: a profile of uniform layers falls to its spike.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(scale("formula"), lose("formula"), scale("binomial law"), turn("order")),
)
