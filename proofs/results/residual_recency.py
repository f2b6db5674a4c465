"""D2, residual stream => recency: less mixing moves every row of the rollout up.

    lambda_t <= mu_t for every t   =>   Q_u ... Q_1 P(mu)  ≼  Q_u ... Q_1 P(lambda)

Hypotheses: the kernels are causal, and those of every layer below a changed one are monotone (layers above the
topmost changed one, Q, are arbitrary).  Corollary: attention-only ≼ every rollout ≼ identity.  With a coefficient for
each token, R = (1 - kappa_i) I + kappa_i A is monotone if and only if kappa_i sum_{j<k} A_ij is nonincreasing in i >=
k. Inequality; tight (lambda = mu).  Source: arXiv:2602.16837.

F_{R(lambda)}(i, k) - F_{R(mu)}(i, k) = (mu - lambda) sum_{j<k} A_ij for k <= i; the passage to the rollout is S5.

Exact here: everything.  Numeric here: nothing.  Not covered: coefficients that depend on the input.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import causal_kernels, mixing_pairs, monotone_kernels
from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, Entries, kernel, prefix, scaled_diagonal
from proofs.draws import families, for_each, sizes_within
from proofs.notation import (
    IDENTITY,
    below,
    blend,
    causal,
    every,
    layer,
    layers,
    mixing,
    monotone,
    n,
    product,
    rollout,
    tail,
    token_transition,
    transition,
    zero_one,
)
from proofs.outline import (
    causal_rollout,
    causal_transitions,
    constant_mixing,
    jump,
    under_product,
)
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Cases, Generalise, Instantiate, Nonnegative, Step, item, use
from proofs.term import Fn, ForAll, Lambda, Range, Relation, Symbol, as_index, as_term, index, total
from proofs.twins import turn

lam, mu, A, Q = Symbol("lambda", 1), Symbol("mu", 1), Symbol("A", 3), Symbol("Q", 3)
kappa, K = Symbol("kappa", 1), Symbol("K", 2)
i, k, T = index("i"), index("k"), index("T")
C, D = transition(lam, A), transition(mu, A)
U, X = layer(rollout(Q), "u"), token_transition(kappa, K)

less_in_lower_rows: ForAll = every("k", 1, n, every("i", k, n - 1, Relation(
    "<=",
    kappa(i + 1) * total("j", 1, k - 1, K(i + 1, "j")),
    kappa("i") * total("j", 1, k - 1, K("i", "j")),
)))  # fmt: skip

claim = Claim(
    symbols=(lam, mu, A, Q, kappa, K),
    indices=(Range("T", as_index(0), None), Range("u", as_index(0), None)),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("more mixing", mixing(mu, "T")),
        ("ordered", layers(1, "T", Relation("<=", lam("t"), mu("t")))),
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("kernels monotone", layers(1, T - 1, monotone(layer(A, "t")))),
        ("layers above", layers(1, "u", causal(layer(Q, "t")))),
        ("token kernel", causal(K)),
        ("token mixing", mixing(kappa, n)),
        ("less in lower rows", less_in_lower_rows),
        ("token layer monotone", monotone(X)),
    ),
    parts=(
        Part(
            "rollouts", ("mixing", "more mixing", "ordered", "kernels", "kernels monotone", "layers above"),
            below(product(U, layer(rollout(D), "T")), product(U, layer(rollout(C), "T"))),
        ),
        Part(
            "attention only", ("mixing", "kernels", "kernels monotone"),
            below(layer(rollout(A), "T"), layer(rollout(C), "T")),
        ),
        Part("identity", ("mixing", "kernels"), below(layer(rollout(C), "T"), IDENTITY)),
        Part("per token", ("token kernel", "token mixing", "less in lower rows"), monotone(X)),
        Part("per token, conversely", ("token kernel", "token layer monotone"), less_in_lower_rows),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

one, zero = Lambda(("t",), as_term(1)), Lambda(("t",), as_term(0))


def less_is_later(label: str, upper_mixing: str) -> Step:
    """R_t(mu) ≼ R_t(lambda) in every layer, or A_t ≼ R_t(lambda) with mu = 1: they differ by (mu - lambda) sum_{j<k}
    A_ij.
    """
    lower, gap = (D, use("ordered", "t")) if upper_mixing else (A, use("mixing", "t", parts="at most one"))
    rest = (mu if upper_mixing else one)("t") - lam("t")
    goal = Relation("<=", tail(layer(lower, "t"))("i", "k"), tail(layer(C, "t"))("i", "k"))
    heads = item(gap, use("kernels", "t", "i", "j", parts="nonnegative"), over=(("j", 1, k - 1),))
    return Step(label, layers(1, "T", below(layer(lower, "t"), layer(C, "t"))), Generalise(("t", "i", "k"), (
        Step("each tail", goal, Cases(
            k, i,
            (Step("up to the diagonal", goal, Nonnegative(
                (heads,), (item(use("kernels", "t", "i", parts="rows"), times=rest),)
            )),),
            (Step("beyond it", goal, Nonnegative(
                (), (item(use("kernels", "t", "i", "j", parts="mask"), times=rest, over=(("j", k, n),)),)
            )),),
        )),
    )))  # fmt: skip


def compared(label: str, lower: Fn, weights: Lambda, lower_fact: str, blend_fact: str, weight_fact: str) -> Step:
    """The rollouts of the lower family and of R(lambda) are ordered: S5."""
    source = use(
        "S5",
        "T",
        parts="rollouts",
        fns=(lower, C, weights),
        given=(lower_fact, "transitions", "each layer", weight_fact, blend_fact),
    )
    return Step(label, below(layer(rollout(lower), "T"), layer(rollout(C), "T")), Instantiate(source))  # fmt: skip


blends = Step("blends monotone", layers(1, T - 1, monotone(layer(blend(one, D, C), "t"))), Nonnegative((
    item(use("mixing", "t", parts="at most one"), times=jump.times),
    item(use("mixing", "t", parts="nonnegative"), use("kernels monotone", "t", "i", "k")),
)))  # fmt: skip

token_goal = Relation("<=", tail(X)("i", "k"), tail(X)(i + 1, "k"))
token_rows = (
    item(use("token kernel", i + 1, parts="rows"), times=-kappa(i + 1)),
    item(use("token kernel", "i", parts="rows"), times=kappa("i")),
)
per_token = Step("each tail", token_goal, Cases(
    k, i,
    (Step("up to the diagonal", token_goal, Nonnegative((item(use("less in lower rows", "k", "i")),), token_rows)),),
    (Step("beyond it", token_goal, Nonnegative(
        (
            item(use("token mixing", i + 1, parts="at most one"), times=zero_one(i + 1, "k")),
            item(
                use("token mixing", i + 1, parts="nonnegative"), use("token kernel", i + 1, "j", parts="nonnegative"),
                over=(("j", k, n),),
            ),
        ),
        (item(use("token kernel", "i", "j", parts="mask"), times=kappa("i"), over=(("j", k, n),)),),
    )),),
))  # fmt: skip

identity_goal = Relation("<=", tail(layer(rollout(C), "T"))("i", "k"), tail(IDENTITY)("i", "k"))
below_identity = Step("each tail", identity_goal, Cases(
    k, i,
    (Step("up to the diagonal", identity_goal, Nonnegative(
        (item(use("product", "i", "j", parts="nonnegative"), over=(("j", 1, k - 1),)),),
        (item(use("product", "i", parts="rows")),),
    )),),
    (Step("beyond it", identity_goal, Nonnegative(
        (), (item(use("product", "i", "j", parts="mask"), over=(("j", k, n),)),)
    )),),
))  # fmt: skip

derivation = (
    claim.proof(
        "rollouts",
        causal_transitions("transitions", lam, A, "T", "mixing", "kernels"),
        causal_transitions("mixed transitions", mu, A, "T", "more mixing", "kernels"),
        less_is_later("each layer", "more mixing"),
        blends,
        *constant_mixing("weight one", 1, "T"),
        compared("compared", D, one, "mixed transitions", "blends monotone", "weight one"),
        causal_rollout("product above", Q, "u", "layers above"),
        under_product("under the rest", claim.part("rollouts").asserts, "product above", "compared"),
    ),
    claim.proof(
        "attention only",
        causal_transitions("transitions", lam, A, "T", "mixing", "kernels"),
        less_is_later("each layer", ""),
        *constant_mixing("weight zero", 0, "T"),
        Step("blends monotone", layers(1, T - 1, monotone(layer(blend(zero, A, C), "t"))), Nonnegative((
            item(use("kernels monotone", "t", "i", "k")),
        ))),
        compared("compared", A, zero, "kernels", "blends monotone", "weight zero"),
    ),
    claim.proof(
        "identity",
        causal_transitions("transitions", lam, A, "T", "mixing", "kernels"),
        causal_rollout("product", C, "T", "transitions"),
        below_identity,
        fix=("i", "k"),
    ),
    claim.proof("per token", per_token, fix=("i", "k")),
    claim.proof("per token, conversely", Step("difference of tails", less_in_lower_rows, Nonnegative(
        (item(use("token layer monotone", "i", "k")),),
        (
            item(use("token kernel", i + 1, parts="rows"), times=kappa(i + 1)),
            item(use("token kernel", "i", parts="rows"), times=-kappa("i")),
        ),
    ))),
    claim.finish("recency"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Monotone kernels below a top one that need not be; ordered coefficients; token layers that meet the criterion
    or not.
    """

    def draw(drawn: tuple[tuple[int, int], int]) -> SearchStrategy[Case]:
        (positions, depth), above = drawn
        top = [causal_kernels(positions)] if depth else []
        kernels = st.tuples(*[monotone_kernels(positions)] * max(depth - 1, 0), *top)
        parts = st.tuples(
            mixing_pairs(depth),
            kernels,
            families(positions, above),
            mixing_coefficients(positions),
            monotone_kernels(positions),
            st.booleans(),
        )
        return parts.map(lambda d: Case.of(
            positions, {"T": depth, "u": above}, lambda_=d[0][0], mu=d[0][1], A=d[1], Q=d[2],
            kappa=tuple(sorted(d[3], reverse=True)) if d[5] else d[3], K=d[4],
        ))  # fmt: skip

    return for_each(st.tuples(sizes_within(5), st.integers(0, 2)), draw)


_tilted = scaled_diagonal(prefix(8, 4, 1), 2)  # w = (1, 1/2, 1/8), e = 2: not monotone
_top = prefix(1, 7, 1)
_one = kernel([1], [0, 1], [0, 0, 1])
_first = kernel([1], [1, 0], [1, 0, 0])
_future = ((1, 0, 0), (0, 0, 1), (0, 0, 1))
_plain: dict[str, Entries] = {
    "lambda_": [0],
    "mu": [1],
    "A": [_one],
    "Q": [_one],
    "kappa": [0, 0, 0],
    "K": _one,
}


def _case(depth: int = 1, **changed: Entries) -> Case:
    return Case.of(3, {"T": depth, "u": 1}, **{**_plain, **changed})


needed = (
    Needed("mixing", _case(lambda_=[2], A=[_first]), "lambda = 2: R = 2 A - I has the tail F(2, 2) = -1, A has 0"),
    Needed("more mixing", _case(2, lambda_=[1, 1], mu=[2, 2], A=[_first, _first]), "mu = 2 twice: (-1)(-1) = 1 > 0"),
    Needed("ordered", _case(lambda_=[1], mu=[0], A=[_first]), "coefficients turned"),
    Needed("kernels", _case(A=[_future]), "a kernel that reads the future moves row 2 up"),
    Needed("kernels monotone", _case(2, lambda_=[1, 0], mu=[1, 1], A=[_tilted, _top]), "D1's example"),
    Needed(
        "layers above", _case(A=[kernel([1], [1, 0], [0, 0, 1])], Q=[kernel([1], [0, 1], [0, -1, 2])]), "(0, -1, 2)"
    ),
    Needed("token kernel", _case(K=((0, 0, 1), (0, 1, 0), (0, 1, 0)), kappa=[1, 1, 1]), "row 1 reads token 3"),
    Needed("token mixing", _case(kappa=[2, 2, 2], K=_first), "kappa = 2 everywhere"),
    Needed("less in lower rows", _case(kappa=[0, 0, 1], K=prefix(1, 1, 1)), "kappa = (0, 0, 1), uniform kernel"),
    Needed("token layer monotone", _case(kappa=[0, 0, 1], K=prefix(1, 1, 1)), "kappa = (0, 0, 1), uniform kernel"),
)

statement = Statement(
    id="D2",
    title="The residual stream gives recency",
    source="arXiv:2602.16837",
    remark="Attention only is the lower end, the identity the upper end of rollouts with the same kernels.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=tuple(turn(part.name) for part in claim.parts),
)
