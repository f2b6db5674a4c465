"""I2, summable mixing: no collapse.

    prod_{t <= T} (1 - lambda_t) <= P^(T)_ii
    exp(-sum x_t / (1 - c)) <= P^(T)_ii <= exp(-sum x_t),   x_t = lambda_t (1 - A^(t)_ii) <= c < 1 on the left
    sum_t x_t finite and every x_t < 1  =>  P^(T)_ii stays above a positive number
    sum_j f_j (P^(T)_ij - P^(s)_ij) <= lambda_{s+1} + ... + lambda_T for 0 <= f <= 1

The last line, for f and 1 - f, bounds half the l1 distance of the rows; with a finite sum of the coefficients the rows
are a Cauchy sequence.  Hypotheses: causal kernels, coefficients in [0, 1].  Proof: I1; exp(x) >= 1 + x; a finite sum
has small tails, and prod (1 - x_t) >= 1 - sum x_t.  Source: arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: that Cauchy sequences converge, which gives the limit.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, kernel
from proofs.cases.deep_cases import DEPTH, deep_kernels
from proofs.draws import families, for_each, sizes_within
from proofs.endless_case import EndlessCase, family, star, still
from proofs.lemmas.limit_steps import (
    A,
    P,
    diagonal_at_most_one,
    diagonal_law,
    every_kernel,
    every_mixing,
    hop,
    kernels_up_to,
    lam,
    rollouts,
    up_to,
)
from proofs.lemmas.series_steps import (
    at_least_zero,
    below_one,
    kept_product,
    left,
    partial_sum,
    product_above,
    product_at_most_one,
    product_nonnegative,
    shifted,
    small_tails,
    split_product,
)
from proofs.notation import bounded_away, causal, every, layer, layers, mixing, n, settling, some, summable
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Both,
    Chain,
    Exponential,
    Generalise,
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
from proofs.substitute import apply, substitute
from proofs.term import (
    And,
    Exp,
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
    total,
)
from proofs.twins import limit, scale, turn

f, c, eta, b = Symbol("f", 1), Symbol("c", 0), Symbol("eta", 0), Symbol("b", 0)
Rows = tuple[tuple[Fraction, ...], ...]

i, s, r, S, T, u = (index(name) for name in ("i", "s", "r", "S", "T", "u"))
ZERO, ONE = as_term(0), as_term(1)
x = hop("i")
kept = Lambda(("T",), P("T", "i", "i"))


def moved(low: Index | int | str, high: Index | int | str, row: Index | str = i) -> Term:
    """sum_j f_j (P^(high)_ij - P^(low)_ij)."""
    return total("j", 1, n, f("j") * (P(high, row, "j") - P(low, row, "j")))


between = every("j", 1, n, And((
    ("nonnegative", Relation("<=", ZERO, f("j"))), ("at most one", Relation("<=", f("j"), ONE)),
)))  # fmt: skip
read = Lambda(("T",), total("j", 1, n, f("j") * P("T", "i", "j")))

claim = Claim(
    symbols=(lam, A, f, c),
    indices=(Range("i", as_index(1), n), Range("T", as_index(0), None)),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("at most c", And((
            ("below one", Relation("<", c(), ONE)), ("factors", layers(1, "T", Relation("<=", x.body, c()))),
        ))),
        ("between", between),
        ("all mixing", every_mixing),
        ("all kernels", every_kernel),
        ("factors", below_one(x)),
        ("finite sum", summable(x)),
        ("coefficients", below_one(lam)),
        ("finite total", summable(lam)),
    ),
    parts=(
        Part("bound", ("mixing", "kernels"), Relation("<=", left(lam, "T"), P("T", "i", "i"))),
        Part("upper", ("mixing", "kernels"), Relation("<=", P("T", "i", "i"), Exp(-partial_sum(x, "T")))),
        Part("lower", ("mixing", "kernels", "at most c"), Relation(
            "<=", Exp(-(Reciprocal(ONE - c()) * partial_sum(x, "T"))), P("T", "i", "i"),
        )),
        Part("increments", ("mixing", "kernels", "between"), every("s", 0, T, Relation(
            "<=", moved("s", "T"), total("t", s + 1, T, lam("t")),
        ))),
        Part("no collapse", ("all mixing", "all kernels", "factors", "finite sum"), bounded_away(kept)),
        Part("for all kernels", ("all mixing", "all kernels", "coefficients", "finite total"), bounded_away(kept)),
        Part("Cauchy", ("all mixing", "all kernels", "between", "finite total"), settling(read)),
    ),
)  # fmt: skip

# --- bounds ---------------------------------------------------------------------------------------

low = use("mixing", s + 1, parts="nonnegative")
high = use("mixing", s + 1, parts="at most one")
entry = use("kernels", s + 1, "i", "i", parts="nonnegative")
cap = diagonal_at_most_one("A_ii <= 1", layers(1, "T", Relation("<=", A("t", "i", "i"), ONE)))
law = Step("law", Relation("=", P("T", "i", "i"), left(x, "T")), Instantiate(diagonal_law(T, "kernels")))


def each_depth(label: str, relation: Relation, base: tuple[Step, ...], step: tuple[Step, ...]) -> Step:
    """The relation at every depth s <= T."""
    return Step(label, every("s", 0, T, relation), Induction("so far", base, step))


def at(relation: Relation, depth: Index | int) -> Relation:
    return Relation(relation.op, *(substitute(x, {"s": as_index(depth)}, {}) for x in (relation.left, relation.right)))


none_given = Relation("<=", ZERO, left(lam, "s"))
more_kept = Relation("<=", left(lam, "s"), left(x, "s"))
bound = claim.proof(
    "bound",
    each_depth(
        "residual product >= 0", none_given,
        (Step("no layer", at(none_given, 0), Nonnegative((item(times=ONE),))),),
        (Step("one more layer", at(none_given, s + 1), Nonnegative((item(high, use("so far")),))),),
    ),
    each_depth(
        "products compared", more_kept,
        (Step("no layer", at(more_kept, 0), Nonnegative(())),),
        (Step("one more layer", at(more_kept, s + 1), Nonnegative((
            item(high, use("so far")), item(low, entry, use("so far")),
            item(low, entry, use("residual product >= 0", "s")),
        ))),),
    ),
    law,
    Step("at T", claim.part("bound").asserts, Nonnegative(
        (item(use("products compared", T)),), (item(use("law"), times=-1),)
    )),
)  # fmt: skip

step_x = substitute(x.body, {"t": s + 1}, {})  # x_{s+1}
on_top = (item(high, use("so far")), item(low, entry, use("so far")))  # (1 - x_{s+1}) times the difference so far
shrunk = Exp(-partial_sum(x, "s"))
below_exp = Relation("<=", left(x, "s"), shrunk)
upper = claim.proof(
    "upper",
    each_depth(
        "product below exp", below_exp,
        (
            Step("exp 0", Relation("=", at(below_exp, 0).right, ONE), Exponential()),
            Step("no layer", at(below_exp, 0), Nonnegative((), (item(use("exp 0"), times=-1),))),
        ),
        (
            Step("factor", Relation("<=", ONE - step_x, Exp(-step_x)), Exponential()),
            Step("positive", Relation("<", ZERO, shrunk), Exponential()),
            Step("together", Relation("=", shrunk * Exp(-step_x), at(below_exp, s + 1).right), Exponential()),
            Step("one more layer", at(below_exp, s + 1), Nonnegative(
                (item(use("factor"), use("positive")), *on_top), (item(use("together")),)
            )),
        ),
    ),
    law,
    Step("at T", claim.part("upper").asserts, Nonnegative((item(use("product below exp", T)),), (item(use("law")),))),
)  # fmt: skip

D = Reciprocal(ONE - c())
steep = Exp(-(D * partial_sum(x, "s")))
above_exp = Relation("<=", steep, left(x, "s"))
grown, shrinking = Exp(D * step_x), Exp(-(D * step_x))
x_nonnegative = (low, use("A_ii <= 1", s + 1))  # x = lambda (1 - A_ii)
one_minus_x = ONE - step_x
lower = claim.proof(
    "lower",
    cap,
    Step("1 - c > 0", Relation("<", ZERO, ONE - c()), Nonnegative((item(use("at most c", parts="below one")),))),
    Step("inverse", Relation("=", (ONE - c()) * D, ONE), Invert(use("1 - c > 0"))),
    Step("inverse > 0", Relation("<", ZERO, D), Invert(use("1 - c > 0"))),
    each_depth(
        "product above exp", above_exp,
        (
            Step("exp 0", Relation("=", at(above_exp, 0).left, ONE), Exponential()),
            Step("no layer", at(above_exp, 0), Nonnegative((), (item(use("exp 0")),))),
        ),
        (
            Step("growth", Relation("<=", ONE + D * step_x, grown), Exponential()),
            Step("shrinking > 0", Relation("<", ZERO, shrinking), Exponential()),
            Step("positive", Relation("<", ZERO, steep), Exponential()),
            Step("cancel", Relation("=", grown * shrinking, Exp(ZERO)), Exponential()),
            Step("exp 0", Relation("=", Exp(ZERO), ONE), Exponential()),
            # 1 - x - exp(-D x) = exp(-D x) ((1 - x) exp(D x) - 1), and (1 - x)(1 + D x) - 1 = D x (c - x)
            Step("factor", Relation("<=", shrinking, one_minus_x), Nonnegative(
                (
                    item(use("shrinking > 0"), use("growth"), high),
                    item(use("shrinking > 0"), use("growth"), low, entry),
                    item(
                        use("shrinking > 0"), use("inverse > 0"), *x_nonnegative,
                        use("at most c", s + 1, parts="factors"),
                    ),
                ),
                (
                    item(use("cancel"), times=one_minus_x), item(use("exp 0"), times=one_minus_x),
                    item(use("inverse"), times=-(shrinking * step_x)),
                ),
            )),
            Step("together", Relation("=", steep * shrinking, at(above_exp, s + 1).left), Exponential()),
            Step("one more layer", at(above_exp, s + 1), Nonnegative(
                (*on_top, item(use("positive"), use("factor"))), (item(use("together"), times=-1),)
            )),
        ),
    ),
    law,
    Step("at T", claim.part("lower").asserts, Nonnegative(
        (item(use("product above exp", T)),), (item(use("law"), times=-1),)
    )),
)  # fmt: skip

# --- increments -----------------------------------------------------------------------------------

m, top = index("m"), r + 1
more = every("a", 1, n, Relation("<=", moved("s", "r", "a"), total("t", s + 1, r, lam("t"))))
from_s = every("r", s, m, more)
low_top, row = use("mixing", top, parts="nonnegative"), use("kernels", top, "a", parts="rows")

increments = Step("increments so far", Implies(between, every("m", 0, None, Implies(mixing(lam, "m"), Implies(
    layers(1, "m", causal(layer(A, "t"))), every("s", 0, m, from_s),
)))), Generalise(("between", "m", "mixing", "kernels", "s"), (
    *rollouts("m"),
    Step("each depth", from_s, Induction(
        "so far",
        base=(Step("nothing yet", substitute(more, {"r": s}, {}), Nonnegative(())),),
        # lambda (sum_l A_al sum_j (1 - f_j) P_lj + sum_j f_j P_aj) is what lambda exceeds the increment by
        step=(Step("one more layer", substitute(more, {"r": top}, {}), Nonnegative(
            (
                item(use("so far", "a")),
                item(
                    low_top, use("kernels", top, "a", "l", parts="nonnegative"),
                    use("between", "j", parts="at most one"), use("rollouts", "r", "l", "j", parts="nonnegative"),
                    over=(("l", 1, n), ("j", 1, n)),
                ),
                item(
                    low_top, use("between", "j", parts="nonnegative"),
                    use("rollouts", "r", "a", "j", parts="nonnegative"), over=(("j", 1, n),),
                ),
            ),
            (
                item(use("rollouts", "r", "l", parts="rows"), times=lam(top) * A(top, "a", "l"), over=(("l", 1, n),)),
                item(row, times=lam(top)),
            ),
        )),),
    )),
)))  # fmt: skip

finite_increments = claim.proof("increments", Step("at T", claim.part("increments").asserts, Chain((
    use("increments so far", T, "s", T, "i", given=("between", "mixing", "kernels")),
))))  # fmt: skip

# --- limits ---------------------------------------------------------------------------------------

given_x = ("x at least 0", "factors", "finite sum")
keeps = (
    Step("A_ii <= 1", every("t", 1, None, Relation("<=", A("t", "i", "i"), ONE)), Nonnegative(
        (
            item(use("all kernels", "t", "i", "j", parts="nonnegative"), over=(("j", 1, i - 1),)),
            item(use("all kernels", "t", "i", "j", parts="nonnegative"), over=(("j", i + 1, n),)),
        ),
        (item(use("all kernels", "t", "i", parts="rows")),),
    )),
    Step("x at least 0", at_least_zero(x), Nonnegative((
        item(use("all mixing", "t", parts="nonnegative"), use("A_ii <= 1", "t")),
    ))),
    Step("product stays", bounded_away(Lambda(("T",), left(x, "T"))), Instantiate(
        use("positive products", fns=(x,), given=given_x)
    )),
)  # fmt: skip
stays = Relation("<=", b(), P("m", "i", "i"))
law_at_m = Relation("=", P("m", "i", "i"), left(x, "m"))
so_stays = Step("it stays", bounded_away(kept), Obtain(use("product stays"), "b", "stays", (
    Step("at every depth", every("m", 0, None, stays), Generalise(("m",), (
        kernels_up_to("m"),
        Step("law", law_at_m, Instantiate(diagonal_law(m, "kernels there"))),
        Step("above", stays, Nonnegative((item(use("stays", "m", parts="bound")),), (item(use("law"), times=-1),))),
    ))),
    Step("positive", Relation("<", ZERO, b()), Instantiate(use("stays", parts="positive"))),
    Step("both", And((("positive", Relation("<", ZERO, b())), ("bound", every("m", 0, None, stays)))), Both(
        ("positive", "at every depth")
    )),
    Step("witness", bounded_away(kept), Witness(Lambda((), b()), "both")),
)))  # fmt: skip
no_collapse = claim.proof("no collapse", *keeps, so_stays)

share = use("all kernels", "t", "i", "i", parts="nonnegative")
total_bound = Relation("<=", partial_sum(x, "m"), b())
for_all_kernels = claim.proof(
    "for all kernels",
    *keeps[:2],
    Step("factors", below_one(x), Nonnegative((
        item(use("coefficients", "t")), item(use("all mixing", "t", parts="nonnegative"), share),
    ))),
    Step("finite sum", summable(x), Obtain(use("finite total"), "b", "bounded", (
        Step("smaller", every("m", 0, None, total_bound), Nonnegative((
            item(use("bounded", "m")),
            item(use("all mixing", "t", parts="nonnegative"), share, over=(("t", 1, m),)),
        ))),
        Step("witness", summable(x), Witness(Lambda((), b()), "smaller")),
    ))),
    keeps[2],
    so_stays,
)  # fmt: skip

near = Relation("<=", apply(read, (S + u,)) - apply(read, (S,)), eta())
small_rest = some("S", 0, every("u", 0, None, Relation("<=", partial_sum(shifted(lam, S), u), eta())))
settles = claim.proof(
    "Cauchy",
    Step("small rest", small_rest, Instantiate(use("small tails", fns=(lam, eta), given=("finite total", "positive")))),
    Step("there", some("S", 0, every("u", 0, None, near)), Obtain(use("small rest"), "S", "rest", (
        Step("near", every("u", 0, None, near), Generalise(("u",), (
            *up_to(S + u),
            Step("so near", near, Chain((
                use("increments so far", S + u, S, S + u, "i", given=("between", "mixing there", "kernels there")),
                use("rest", "u"),
            ))),
        ))),
        Step("witness", some("S", 0, every("u", 0, None, near)), Witness(S, "near")),
    ))),
    fix=("eta", "positive"),
)  # fmt: skip

derivation = (
    product_nonnegative, product_at_most_one, product_above, split_product, small_tails, kept_product, increments,
    bound, upper, lower, finite_increments, no_collapse, for_all_kernels, settles,
    claim.finish("no collapse without mixing"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Causal kernels, coefficients at both ends and between, the largest factor as c where that is below 1."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        drawn = st.tuples(
            mixing_coefficients(depth), families(positions, depth), st.integers(1, positions),
            st.lists(st.fractions(0, 1, max_denominator=3), min_size=positions, max_size=positions),
        )  # fmt: skip
        return drawn.map(lambda d: _case(positions, depth, *d))

    return for_each(sizes_within(), draw)


def deep(seed: int) -> tuple[Case, ...]:
    """lambda_t = 1/(t + 1)^2, whose products of 1 - lambda_t stay above 1/2, in each row but the first."""
    random = Random(seed)
    coefficients = tuple(Fraction(1, (t + 1) ** 2) for t in range(1, DEPTH + 1))
    read = [Fraction(j, 3) for j in range(4)]
    return tuple(
        Case.of(4, {"T": DEPTH, "i": row}, lambda_=coefficients, A=deep_kernels(4, 0, random), f=read, c=Fraction(1, 4))
        for row in (2, 3, 4)
    )


def _case(
    positions: int, depth: int, coefficients: tuple[Fraction, ...], kernels: tuple[Rows, ...], row: int,
    read: list[Fraction],
) -> Case:  # fmt: skip
    factors = [share * (1 - rows[row - 1][row - 1]) for share, rows in zip(coefficients, kernels, strict=True)]
    largest = max(factors, default=Fraction(0))
    return Case.of(
        positions, {"T": depth, "i": row}, lambda_=coefficients, A=kernels, f=read,
        c=largest if largest < 1 else Fraction(1, 2),
    )  # fmt: skip


def endless(proper: bool) -> tuple[EndlessCase, ...]:
    """Layers without end; row 2 is the row in question."""
    return family(proper=proper, indices={"i": 2}, f=(0, 1, 1), c=0)


HALF = Fraction(1, 2)
_half = kernel([1], [HALF, HALF])
_read: dict[str, Any] = {"indices": {"i": 2}, "f": (0, 1), "c": 0}
needed = (
    Needed(
        "mixing",
        Case.of(2, {"T": 2, "i": 2}, lambda_=[2, 2], A=[_half, _half], f=[0, 1], c=0),
        "lambda = 2 twice: the product is 1, and nothing of row 2 stays",
    ),
    Needed(
        "kernels",
        Case.of(2, {"T": 1, "i": 2}, lambda_=[HALF], A=[kernel([1], [2, -1])], f=[0, 1], c=0),
        "a negative entry on the diagonal",
    ),
    Needed(
        "at most c",
        Case.of(2, {"T": 1, "i": 2}, lambda_=[1], A=[kernel([1], [1, 0])], f=[0, 1], c=HALF),
        "a factor that vanishes",
    ),
    Needed(
        "between",
        Case.of(2, {"T": 1, "i": 2}, lambda_=[HALF], A=[kernel([1], [1, 0])], f=[3, 0], c=0),
        "a function with the value 3 moves by more than the coefficient",
    ),
    Needed("all mixing", star("-1/(t + 1)", ["1"], **_read), "negative coefficients: P_22 grows without end"),
    Needed(
        "all kernels",
        still([(1, ((1, 1), (0, HALF))), (1, ((1, 0), (-Fraction(1, 4), HALF)))], **_read),
        "two layers that are no kernels cancel what row 2 keeps",
    ),
    Needed("factors", star("0", ["0"], first=(1, [1]), **_read), "one layer that forgets row 2"),
    Needed("finite sum", star("1", ["1/(t + 1)"], **_read), "sum 1/(t + 1): P_22 = 1/(T + 1)"),
    Needed("coefficients", star("0", ["1"], first=(1, [1]), **_read), "a layer with coefficient 1 that forgets row 2"),
    Needed("finite total", star("1/(t + 1)", ["1"], **_read), "coefficients 1/(t + 1): P_22 = 1/(T + 1)"),
)

statement = Statement(
    id="I2",
    title="Summable mixing does not collapse",
    source="arXiv:2602.16837",
    remark="With coefficients below 1 whose sum is finite every row keeps a share of itself, at any depth.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    deep=deep,
    needed=needed,
    twins=(
        turn("bound"), turn("upper"), turn("lower"), scale("lower", Fraction(1, 2)), scale("upper", Fraction(1, 2)),
        turn("increments"), limit("no collapse", "vanishing"), limit("for all kernels", "vanishing"),
        limit("Cauchy", "vanishing"),
    ),
    endless=endless,
)  # fmt: skip
