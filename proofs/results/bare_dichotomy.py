"""I4b, the bare dichotomy is false: an infinite sum of coefficients is not enough for collapse.

    lambda_t = 1,  A^(t)_ii = 1 - 1 / (t + 1)^2 for i >= 2:   P^(T)_ii = (T + 2) / (2 (T + 1))  for every T,

so the sum of the coefficients is infinite, every entry on the diagonal is positive, and yet row i keeps more than one
half of itself: 1 - P^(T)_i1 >= 1/2.  "sum lambda_t infinite <=> collapse" is thus refuted; what is needed besides is
that the rows give something away, 1 - A^(t)_ii >= epsilon (I4), which bounded logits give.  Such kernels exist: row i
reads the first token with weight 1 / (t + 1)^2.  Source: ours, a correction to arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, kernel
from proofs.draws import for_each, sizes_within
from proofs.endless_case import EndlessCase, family, star
from proofs.lemmas.limit_steps import A, P, every_kernel, hop, kernels_up_to, lam, rollouts
from proofs.lemmas.series_steps import left, partial_sum
from proofs.notation import bounded_away, causal, every, layer, layers, mixing, n, number, some, unbounded, zero_one
from proofs.outline import causal_kernel
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Archimedes,
    Both,
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Nonnegative,
    Obtain,
    Step,
    Witness,
    item,
    use,
)
from proofs.substitute import substitute
from proofs.term import (
    And,
    Bracket,
    Formula,
    Implies,
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
)
from proofs.twins import limit, scale, shift, turn

i, j, s, t, T, q, V, r = (index(name) for name in ("i", "j", "s", "t", "T", "q", "V", "r"))
a, b, M = index("a"), Symbol("b", 0), Symbol("M", 0)
ZERO, ONE, HALF = as_term(0), as_term(1), as_term(Fraction(1, 2))


def reciprocal(k: Index) -> Term:
    """1 / k."""
    return Reciprocal(number(k))


square = reciprocal(t + 1) * reciprocal(t + 1)  # 1 / (t + 1)^2
slow = every("i", 2, n, Relation("=", A("t", "i", "i"), ONE - square))
full = Relation("=", lam("t"), ONE)
sample = Lambda(("t", "i", "j"), (  # row i >= 2 reads the first token with weight 1 / (t + 1)^2, and itself
    Bracket(((i, as_index(1)),)) * zero_one("j", 1)
    + Bracket(((as_index(2), i),)) * (zero_one("j", 1) * square + zero_one("j", "i") * (ONE - square))
))  # fmt: skip


def share(depth: Index) -> Term:
    """(depth + 2) / (2 (depth + 1))."""
    return number(depth + 2) * Reciprocal(2 * number(depth + 1))


def kept(depth: Index, row: Index) -> Relation:
    """P_ii = (depth + 2) / (2 (depth + 1))."""
    return Relation("=", P(depth, row, row), share(depth))


def half(depth: Index, row: Index) -> Relation:
    """1/2 <= 1 - P_i1."""
    return Relation("<=", HALF, ONE - P(depth, row, 1))


claim = Claim(
    symbols=(lam, A),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("full attention", layers(1, "T", full)),
        ("slow diagonal", layers(1, "T", slow)),
        ("all kernels", every_kernel),
        ("always full", every("t", 1, None, full)),
        ("always slow", every("t", 1, None, slow)),
    ),
    parts=(
        Part("partial products", ("kernels", "full attention", "slow diagonal"), every("i", 2, n, kept(T, i))),
        Part("one half", ("kernels", "full attention", "slow diagonal"), every("i", 2, n, half(T, i))),
        Part("infinite total", ("always full",), unbounded(lam)),
        Part("no collapse", ("all kernels", "always full", "always slow"), every(
            "i", 2, n, bounded_away(Lambda(("T",), ONE - P("T", "i", 1)))
        )),
        Part("such kernels exist", (), layers(1, "T", And((
            ("causal", causal(layer(sample, "t"))),
            ("slow", every("i", 2, n, Relation("=", sample("t", "i", "i"), ONE - square))),
        )))),
    ),
)  # fmt: skip

# --- partial products -----------------------------------------------------------------------------

positive_numbers = Step("k > 0", every("r", 1, None, Relation("<", ZERO, number("r"))), Induction(
    "so far",
    base=(Step("1 > 0", Relation("<", ZERO, number(1)), Nonnegative((item(times=ONE),))),),
    step=(Step("one more", Relation("<", ZERO, number(r + 1)), Nonnegative((item(use("so far")), item(times=ONE)))),),
))  # fmt: skip
inverses = Step(
    "k / k", every("r", 1, None, Relation("=", number("r") * reciprocal(r), ONE)), Invert(use("k > 0", "r"))
)

x = hop(a)
product, v = left(x, "s"), reciprocal(s + 2)
factor = Relation("=", ONE - substitute(x.body, {"t": s + 1}, {}), ONE - v * v)
telescoped = Relation("=", 2 * number(s + 1) * product, number(s + 2))


def at(depth: Index | int) -> Formula:
    return substitute(telescoped, {"s": as_index(depth)}, {})


telescoping = Step("telescoping", every("s", 0, q, telescoped), Induction(
    "so far",
    base=(Step("no layer", at(0), Identity()),),
    step=(
        Step("factor", factor, Identity((
            item(use("full attention", s + 1), times=-(ONE - A(s + 1, "a", "a"))),
            item(use("slow diagonal", s + 1, "a")),
        ))),
        Step("one more layer", at(s + 1), Identity((
            item(use("factor"), times=2 * number(s + 2) * product),
            item(use("k / k", s + 2), times=ONE - 2 * product - 2 * v * product),
            item(use("so far"), times=ONE + v),
        ))),
    ),
))  # fmt: skip

double = 2 * number(q + 1)
one_row = Generalise(("a",), (
    telescoping,
    Step("law", Relation("=", P(q, a, a), left(x, q)), Instantiate(use(
        "I1", q, "a", parts="diagonal", fns=(lam, A), given=("kernels",)
    ))),
    Step("kept", kept(q, a), Identity((
        item(use("law")), item(use("telescoping", q), times=Reciprocal(double)),
        item(use("double inverse"), times=-left(x, q)),
    ))),
    Step("half", half(q, a), Nonnegative(
        (
            item(use("rollouts", q, "a", "j", parts="nonnegative"), over=(("j", 2, a - 1),)),
            item(use("rollouts", q, "a", "j", parts="nonnegative"), over=(("j", a + 1, n),)),
            item(use("1 / double > 0")),
        ),
        (
            item(use("rollouts", q, "a", parts="rows")), item(use("kept"), times=-1),
            item(use("double inverse"), times=-HALF),
        ),
    )),
    Step("both", And((("kept", kept(q, a)), ("half", half(q, a)))), Both(("kept", "half"))),
))  # fmt: skip

rows = every("a", 2, n, And((("kept", kept(q, a)), ("half", half(q, a)))))
at_every_depth = Step("so far", every("q", 0, None, Implies(layers(1, "q", causal(layer(A, "t"))), Implies(
    layers(1, "q", full), Implies(layers(1, "q", slow), rows),
))), Generalise(("q", "kernels", "full attention", "slow diagonal"), (
    Step("lambda >= 0", layers(1, "q", Relation("<=", ZERO, lam("t"))), Nonnegative(
        (item(times=ONE),), (item(use("full attention", "t"), times=-1),)
    )),
    Step("lambda <= 1", layers(1, "q", Relation("<=", lam("t"), ONE)), Identity((item(use("full attention", "t")),))),
    Step("mixing", mixing(lam, q), Both(("lambda >= 0", "lambda <= 1"))),
    *rollouts(q),
    Step("double > 0", Relation("<", ZERO, double), Nonnegative((item(use("k > 0", q + 1), times=2),))),
    Step("double inverse", Relation("=", double * Reciprocal(double), ONE), Invert(use("double > 0"))),
    Step("1 / double > 0", Relation("<", ZERO, Reciprocal(double)), Invert(use("double > 0"))),
    Step("each row", rows, one_row),
)))  # fmt: skip

finite = ("kernels", "full attention", "slow diagonal")
products = claim.proof("partial products", Step("at T", every("i", 2, n, kept(T, i)), Chain((
    use("so far", T, "i", parts="kept", given=finite),
))))  # fmt: skip
halves = claim.proof("one half", Step("at T", every("i", 2, n, half(T, i)), Chain((
    use("so far", T, "i", parts="half", given=finite),
))))  # fmt: skip
# --- infinite depth -------------------------------------------------------------------------------

total_layers = Relation("=", partial_sum(lam, "q"), number("q"))
reached = some("T", 0, Relation("<=", M(), partial_sum(lam, "T")))
infinite = claim.proof(
    "infinite total",
    Step("counted", every("q", 0, None, total_layers), Induction(
        "before",
        base=(Step("no layer", substitute(total_layers, {"q": as_index(0)}, {}), Identity()),),
        step=(Step("one more layer", substitute(total_layers, {"q": q + 1}, {}), Identity((
            item(use("before")), item(use("always full", q + 1)),
        ))),),
    )),
    Step("beyond M", some("k", 0, Relation("<=", M(), number("k"))), Archimedes()),
    Step("as many layers", reached, Obtain(use("beyond M"), "k", "beyond", (
        Step("sum", Relation("<=", M(), partial_sum(lam, "k")), Nonnegative(
            (item(use("beyond")),), (item(use("counted", "k"), times=-1),)
        )),
        Step("witness", reached, Witness(index("k"), "sum")),
    ))),
    fix=("M",),
)  # fmt: skip

away = Lambda(("T",), ONE - P("T", "i", 1))
stays = Relation("<=", HALF, ONE - P("V", "i", 1))
no_collapse = claim.proof(
    "no collapse",
    Step("positive", Relation("<", ZERO, HALF), Nonnegative((item(times=HALF),))),
    Step("every depth", every("V", 0, None, stays), Generalise(("V",), (
        kernels_up_to(V),
        Step("full there", layers(1, V, full), Identity((item(use("always full", "t")),))),
        Step("slow there", layers(1, V, slow), Generalise(("t",), (
            Step("diagonal", slow, Instantiate(use("always slow", "t"))),
        ))),
        Step("half there", stays, Chain((
            use("so far", V, "i", parts="half", given=("kernels there", "full there", "slow there")),
        ))),
    ))),
    Step("both", And((("positive", Relation("<", ZERO, HALF)), ("bound", every("V", 0, None, stays)))), Both(
        ("positive", "every depth")
    )),
    Step("witness", bounded_away(away), Witness(Lambda((), HALF), "both")),
    fix=("i",),
)  # fmt: skip

# --- existence ------------------------------------------------------------------------------------

w = reciprocal(t + 1)
first, later = Bracket(((i, as_index(1)),)), Bracket(((as_index(2), i),))
whole = And((("causal", causal(layer(sample, "t"))), ("slow", every(
    "i", 2, n, Relation("=", sample("t", "i", "i"), ONE - square)
))))  # fmt: skip
existence = claim.proof(
    "such kernels exist",
    Step("1 / k > 0", every("r", 1, None, Relation("<", ZERO, reciprocal(r))), Invert(use("k > 0", "r"))),
    Step("square <= 1", layers(1, "T", Relation("<=", square, ONE)), Nonnegative(
        (
            item(use("1 / k > 0", t + 1), use("k > 0", t)),
            item(use("1 / k > 0", t + 1), use("1 / k > 0", t + 1), use("k > 0", t)),
        ),
        (item(use("k / k", t + 1), times=ONE + w),),
    )),
    Step("each layer", layers(1, "T", whole), Generalise(("t",), (
        *causal_kernel(
            layer(sample, "t"),
            Nonnegative((
                item(times=first * zero_one("j", 1)),
                item(times=later * zero_one("j", 1) * square),
                item(use("square <= 1", "t"), times=later * zero_one("j", "i")),
            )),
            Identity(),
            Identity(),
        ),
        Step("slow", every("i", 2, n, Relation("=", sample("t", "i", "i"), ONE - square)), Identity()),
        Step("both", whole, Both(("causal", "slow"))),
    ))),
)  # fmt: skip

derivation = (
    positive_numbers, inverses, at_every_depth, products, halves, infinite, no_collapse, existence,
    claim.finish("bare dichotomy refuted"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Rows that give away 1 / (t + 1)^2, spread over the tokens before them at random."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        cells = positions * positions * depth
        return st.lists(st.integers(0, 3), min_size=cells, max_size=cells).map(lambda d: _case(positions, depth, d))

    return for_each(sizes_within(max_layers=5), draw)


def _case(positions: int, depth: int, drawn: list[int]) -> Case:
    numbers = iter(drawn)
    stack = []
    for at in range(1, depth + 1):
        given_away = Fraction(1, (at + 1) ** 2)
        rows: list[list[Fraction | int]] = [[1]]
        for row in range(1, positions):
            weights = [next(numbers) + (place == 0) for place in range(row)]
            rows.append([*(given_away * x / sum(weights) for x in weights), 1 - given_away])
        stack.append(kernel(*rows))
    return Case.of(positions, {"T": depth}, lambda_=[1] * depth, A=stack)


def endless(proper: bool) -> tuple[EndlessCase, ...]:
    """Layers without end."""
    return family(proper=proper)


_quarter, _ninth = Fraction(1, 4), Fraction(1, 9)
needed = (
    Needed(
        "kernels",
        Case.of(2, {"T": 2}, lambda_=[1, 1], A=[((0, 1), (_quarter, 1 - _quarter)), ((0, 1), (_ninth, 1 - _ninth))]),
        "row 1 reads the second token, so that row 2 gets back what it gave",
    ),
    Needed(
        "full attention",
        Case.of(2, {"T": 1}, lambda_=[0], A=[kernel([1], [_quarter, 1 - _quarter])]),
        "nothing mixes",
    ),
    Needed("slow diagonal", Case.of(2, {"T": 1}, lambda_=[1], A=[kernel([1], [1, 0])]), "all is given away at once"),
    Needed("all kernels", star("1", ["1/(t + 1)^2"], times=2), "row 2 reads the first token twice too strongly"),
    Needed("always full", star("0", ["1/(t + 1)^2"]), "no coefficients, so no infinite sum"),
    Needed("always slow", star("1", ["1/(t + 1)"]), "sum 1/(t + 1) is infinite: collapse"),
)

statement = Statement(
    id="I4b",
    title="The bare dichotomy of collapse is false",
    source="ours, a correction to arXiv:2602.16837",
    remark="The coefficients are 1 in every layer, yet every row keeps at least half of its mass off the first token.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("one half"), scale("partial products"), shift("partial products", "number", 0, 1),
        limit("infinite total", "summable"), limit("no collapse", "vanishing"), scale("such kernels exist/slow"),
    ),
    endless=endless,
)  # fmt: skip
