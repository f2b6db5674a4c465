"""S5, comparison: layers that are ordered give rollouts that are ordered.

    R_t ≼ S_t for every t   =>   R_T ... R_1  ≼  S_T ... S_1

Hypotheses: the layers are causal kernels, and for each t < T some blend (1 - c_t) R_t + c_t S_t with 0 <= c_t <= 1 is
stochastically monotone; c_t = 0 says that R_t is, c_t = 1 that S_t is, and which one may change with t.  The top
layer needs nothing. Inequality; tight (R = S).  Source: arXiv:2602.16837, there with c_t in {0, 1}.

Proof: with M_t the blends (M_T too), R_t ≼ M_t ≼ S_t, and every product of M_t below the top is monotone, so
replacing R by M and then M by S, both by summation by parts against that product, gives R_T ... R_1 ≼ M_T ... M_1 ≼
S_T ... S_1.

Exact here: everything.  Numeric here: nothing.  Not covered: blends by row.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis.strategies import SearchStrategy

from proofs.case import Case, kernel, prefix, scaled_diagonal
from proofs.draws import for_each, kernel_pairs, sizes_within
from proofs.notation import below, blend, causal, every, layer, layers, mixing, monotone, n, rollout, tail
from proofs.outline import causal_kernel, monotone_rollouts
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Generalise, Identity, Induction, Item, Nonnegative, Step, item, use
from proofs.term import Fn, Formula, Index, Range, Symbol, as_index, as_term, index
from proofs.twins import scale, turn

R, S, c = Symbol("R", 3), Symbol("S", 3), Symbol("c", 1)
i, l, s, T = index("i"), index("l"), index("s"), index("T")  # noqa: E741 - the letter of the formula
M = blend(c, R, S)

claim = Claim(
    symbols=(R, S, c),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(
        ("lower layers", layers(1, "T", causal(layer(R, "t")))),
        ("upper layers", layers(1, "T", causal(layer(S, "t")))),
        ("ordered", layers(1, "T", below(layer(R, "t"), layer(S, "t")))),
        ("blend", mixing(c, "T")),
        ("blends monotone", layers(1, T - 1, monotone(layer(M, "t")))),
    ),
    parts=(Part(
        "rollouts", ("lower layers", "upper layers", "ordered", "blend", "blends monotone"),
        below(layer(rollout(R), "T"), layer(rollout(S), "T")),
    ),),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

one_minus, weight = use("blend", "t", parts="at most one"), use("blend", "t", parts="nonnegative")


def both_rows(part: str, *at: str, times: int = 1) -> tuple[Item, ...]:
    """The same part of "both layers are causal kernels", weighted as in the blend."""
    lower = item(use("lower layers", "t", *at, parts=part), times=(as_term(1) - c("t")) * times)
    return lower, item(use("upper layers", "t", *at, parts=part), times=c("t") * times)


blends = Step("blends", layers(1, "T", causal(layer(M, "t"))), Generalise(("t",), causal_kernel(
    layer(M, "t"),
    Nonnegative((
        item(one_minus, use("lower layers", "t", "i", "j", parts="nonnegative")),
        item(weight, use("upper layers", "t", "i", "j", parts="nonnegative")),
    )),
    Identity(both_rows("mask", "i", "j")),
    Identity(both_rows("rows", "i")),
)))  # fmt: skip

above_lower = Step("blend above lower", layers(1, "T", below(layer(R, "t"), layer(M, "t"))), Nonnegative((
    item(weight, use("ordered", "t", "i", "k")),
)))  # fmt: skip
below_upper = Step("blend below upper", layers(1, "T", below(layer(M, "t"), layer(S, "t"))), Nonnegative((
    item(one_minus, use("ordered", "t", "i", "k")),
)))  # fmt: skip


def replaced(label: str, lower: Fn, upper: Fn, lower_fact: str, upper_fact: str, outer: str, order: str) -> Step:
    """lower ≼ upper for products of every depth, one of the two families being the blends.

    The layer of the other family, cited as ``outer``, multiplies the difference of the products below; the difference
    of the top layers meets the monotone product of blends, by summation by parts.
    """
    first = tail(layer(rollout(M), "s"))(1, "k")

    def ordered(at: Index | int | str) -> Formula:
        return below(layer(rollout(lower), at), layer(rollout(upper), at))

    return Step(label, every("s", 0, T, ordered("s")), Induction(
        "so far",
        base=(Step("no layer", ordered(0), Nonnegative(())),),
        step=(Step("one more layer", ordered(s + 1), Nonnegative(
            (
                item(use(outer, s + 1, "i", "j", parts="nonnegative"), use("so far", "j", "k"), over=(("j", 1, n),)),
                item(use(order, s + 1, "i", "l"), use("products of blends", "s", l - 1, "k"), over=(("l", 2, n),)),
            ),
            (
                item(use(upper_fact, s + 1, "i", parts="rows"), times=-first),
                item(use(lower_fact, s + 1, "i", parts="rows"), times=first),
            ),
        )),),
    ))  # fmt: skip


derivation = (
    claim.proof(
        "rollouts",
        blends,
        above_lower,
        below_upper,
        monotone_rollouts("products of blends", M, T - 1, "blends", "blends monotone"),
        replaced("lower to blends", R, M, "lower layers", "blends", "lower layers", "blend above lower"),
        replaced("blends to upper", M, S, "blends", "upper layers", "upper layers", "blend below upper"),
        Step("both", claim.part("rollouts").asserts, Chain((
            use("lower to blends", T, "i", "k"), use("blends to upper", T, "i", "k"),
        ))),
    ),
    claim.finish("comparison"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Ordered pairs of which one, the other, or both are monotone, changing with the layer; the top pair need not
    be.
    """

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        return kernel_pairs(positions, depth).map(lambda pairs: Case.of(
            positions, {"T": depth}, R=[p[0] for p in pairs], S=[p[1] for p in pairs], c=[p[2] for p in pairs]
        ))  # fmt: skip

    return for_each(sizes_within(5), draw)


_tilted = scaled_diagonal(prefix(8, 4, 1), 2)  # w = (1, 1/2, 1/8), e = 2: not monotone
_top = prefix(1, 7, 1)
_one = kernel([1], [0, 1], [0, 0, 1])
_first = kernel([1], [1, 0], [1, 0, 0])
_dip = kernel([1], [0, 1], [1, 0, 0])  # not monotone: F(2, 2) = 1, F(3, 2) = 0
_middle = kernel([1], [0, 1], [0, 1, 0])
_lower_tilted = kernel([1], [Fraction(1, 2), Fraction(1, 2)], [Fraction(25, 42), Fraction(11, 42), Fraction(6, 42)])
needed = (
    Needed(
        "lower layers",
        Case.of(3, {"T": 2}, R=[_dip, kernel([1], [0, 1], [0, 2, -1])], S=[_one, _middle], c=[1, 0]),
        "a top row (0, 2, -1) of R: F(3, 2) is 2 against 1",
    ),
    Needed(
        "upper layers",
        Case.of(3, {"T": 2}, R=[_first, _middle], S=[_dip, kernel([1], [0, 1], [0, -1, 2])], c=[0, 0]),
        "a top row (0, -1, 2) of S: F(3, 2) is 0 against -1",
    ),
    Needed(
        "ordered", Case.of(2, {"T": 1}, R=[kernel([1], [0, 1])], S=[kernel([1], [1, 0])], c=[0]), "one layer, turned"
    ),
    Needed(
        "blend",
        Case.of(3, {"T": 2}, R=[_lower_tilted, _top], S=[_tilted, _one], c=[4, 0]),
        "neither layer 1 is monotone, but R + 4 (S - R) is: 164/378 against 162/378",
    ),
    Needed(
        "blends monotone",
        Case.of(3, {"T": 2}, R=[_tilted, _top], S=[_tilted, _one], c=[0, 0]),
        "neither is monotone: w = (1, 1/2, 1/8), e = 2 below prefix (1, 7, 1) ≼ I, 55/126 against 54/126",
    ),
)

statement = Statement(
    id="S5",
    title="Ordered layers give ordered rollouts",
    source="arXiv:2602.16837",
    remark="At each layer below the top one of the two kernels, or a blend of them, has to be monotone; nothing more.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(turn("rollouts"), scale("rollouts", Fraction(1, 2))),
)
