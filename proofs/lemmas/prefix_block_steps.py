"""Inside a prefix that sees itself: layers with one stationary law contract to it (Doeblin), by test functions.

nu_t(j) <= R_t(i, j) for i, j <= b:   f = P^(s) g lies between x and x + prod_{t <= s} (1 - nu_t(1) - ... - nu_t(b))
                                      on the prefix, for some x
x' = (1 - sum nu) x + sum_l nu_l f_l,     sum_l pi_l f_l = sum_l pi_l g_l >= x
"""

from __future__ import annotations

from proofs.laws import half_norm
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.euler_steps import every_row
from proofs.lemmas.variation_steps import rows_of, tested, tests
from proofs.notation import accumulated, causal_beyond, every, image, layer, layers, n, product, rollout, stochastic
from proofs.steps import (
    Both,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Nonnegative,
    Obtain,
    Step,
    Witness,
    item,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    And,
    ExistsFn,
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
    total,
)

__all__ = ["block", "contraction", "law_of_prefix", "minorised", "near_law", "stationary"]

b, i, j, l, s, T = (index(name) for name in ("b", "i", "j", "l", "s", "T"))  # noqa: E741
R, U, pi, nu = Symbol("R*", 3), Symbol("U*", 2), Symbol("pi*", 1), Symbol("nu*", 2)
g, x = Symbol("g*", 1), Symbol("x*", 0)
ZERO, ONE = as_term(0), as_term(1)


def law_of_prefix(law: Fn) -> And:
    """pi_j >= 0 and pi_1 + ... + pi_b = 1; nothing is beyond b."""
    return And((
        ("nonnegative", every("j", 1, b, Relation("<=", ZERO, law("j")))),
        ("support", every("j", b + 1, n, Relation("=", law("j"), ZERO))),
        ("mass", Relation("=", total("j", 1, b, law("j")), ONE)),
    ))  # fmt: skip


def stationary(law: Fn, kernel: Fn) -> Formula:
    """sum_{i <= b} pi_i A_ij = pi_j for j <= b."""
    return every("j", 1, b, Relation("=", total("i", 1, b, law("i") * kernel("i", "j")), law("j")))


def minorised(bound: Fn, kernel: Fn) -> Formula:
    """nu_j <= A_ij for i, j <= b."""
    return every("i", 1, b, every("j", 1, b, Relation("<=", apply(bound, (j,)), kernel("i", "j"))))


def contraction(bounds: Fn, depth: Index | int | str = "T") -> Term:
    """prod_{t <= depth} (1 - nu_t(1) - ... - nu_t(b))."""
    left = ONE - total("j", 1, b, apply(bounds, (index("t"), j)))
    return accumulated(Lambda(("t",), left))(depth)


def near_law(layers_of: Fn, upper: Fn, law: Fn, bounds: Fn) -> Formula:
    """1/2 |(U P^(T))_i - pi|_1 <= sum_{j > b} U_ij + prod_t (1 - sum_j nu_t(j)) in every row."""
    row = Lambda(("j",), product(upper, layer(rollout(layers_of), "T"))("i", "j"))
    bound = total("l", b + 1, n, upper("i", "l")) + contraction(bounds)
    return every_row(half_norm(row, law), bound)


# --- derivation -----------------------------------------------------------------------------------

P = rollout(R)


def _seen(depth: Index | int | str, row: Index | str) -> Term:
    """f_row = (P^(depth) g)_row."""
    return apply(image(layer(P, depth), g), (row if isinstance(row, Index) else index(row),))


def _prefix_rows() -> tuple[Step, ...]:
    """Rows of the prefix sum to 1 within it, and prod (1 - sum nu) >= 0."""
    inside = Relation("=", total("j", 1, b, R("t", "i", "j")), ONE)
    left = ONE - total("j", 1, b, nu("t", "j"))

    def kept(depth: Index | int) -> Relation:
        return Relation("<=", ZERO, contraction(nu, depth))

    return (
        Step("prefix rows", layers(1, "T", every("i", 1, b, inside)), Identity((
            item(use("layers", "t", "i", parts="rows")),
            item(use("layers", "t", "j", "i", parts="mask"), times=-1, over=(("j", b + 1, n),)),
        ))),
        Step("left", layers(1, "T", Relation("<=", ZERO, left)), Nonnegative(
            (item(use("minorised", "t", 1, "j"), over=(("j", 1, b),)),), (item(use("prefix rows", "t", 1)),)
        )),
        Step("left of all", every("s", 0, T, kept(s)), Induction(
            "so far",
            base=(Step("no layer", kept(0), Nonnegative((item(),))),),
            step=(Step("one more", kept(s + 1), Nonnegative((item(use("left", s + 1), use("so far")),))),),
        )),
    )  # fmt: skip


def _images() -> tuple[Step, ...]:
    """f_i <= 1, and sum_l pi_l f_l does not change with depth."""

    def most(depth: Index | int) -> Formula:
        return every("i", 1, n, Relation("<=", _seen(depth, "i"), ONE))

    def same(depth: Index | int) -> Relation:
        return Relation("=", total("l", 1, b, pi("l") * _seen(depth, "l")), total("l", 1, b, pi("l") * g("l")))

    reads = item(use("layers", s + 1, "i", "l", parts="nonnegative"), use("so far", "l"), over=(("l", 1, n),))
    return (
        Step("at most 1", every("s", 0, T, most(s)), Induction(
            "so far",
            base=(Step("no layer", most(0), Nonnegative((item(use("test", "i", parts="at most one")),))),),
            step=(Step("one more", most(s + 1), Nonnegative(
                (reads,), (item(use("layers", s + 1, "i", parts="rows")),)
            )),),
        )),
        Step("law keeps", every("s", 0, T, same(s)), Induction(
            "so far",
            base=(Step("no layer", same(0), Identity()),),
            step=(Step("one more", same(s + 1), Identity((
                item(use("so far")),
                item(use("stationary", s + 1, "m"), times=_seen(s, "m"), over=(("m", 1, b),)),
                item(
                    use("layers", s + 1, "m", "l", parts="mask"), times=pi("l") * _seen(s, "m"),
                    over=(("l", 1, b), ("m", b + 1, n)),
                ),
            ))),),
        )),
    )  # fmt: skip


def _between(low: Term, depth: Index | int) -> And:
    """x <= f_l <= x + prod (1 - sum nu) on the prefix."""
    return And((
        ("low", every("l", 1, b, Relation("<=", low, _seen(depth, "l")))),
        ("high", every("l", 1, b, Relation("<=", _seen(depth, "l"), low + contraction(nu, depth)))),
    ))  # fmt: skip


def _together() -> Step:
    """Some x does, at every depth."""

    def some(depth: Index | int) -> Formula:
        return ExistsFn(x, _between(x(), depth))

    def both(low: Term, depth: Index | int, *reasons: Nonnegative) -> tuple[Step, ...]:
        parts = _between(low, depth)
        return (
            *(Step(label, part, why) for (label, part), why in zip(parts.parts, reasons, strict=True)),
            Step("between", parts, Both(("low", "high"))),
            Step("witness", some(depth), Witness(value(low), "between")),
        )

    weight = use("minorised", s + 1, "l", "m")
    left = ONE - total("j", 1, b, nu(s + 1, "j"))
    following = left * x() + total("m", 1, b, nu(s + 1, "m") * _seen(s, "m"))
    inside = ("m", 1, b)
    mask = use("layers", s + 1, "m", "l", parts="mask")

    def step(part: str, sign: int) -> Nonnegative:
        limit = x() if sign > 0 else x() + contraction(nu, s)
        return Nonnegative(
            (item(weight, use("now", "m", parts=part), over=(inside,)),),
            (
                item(use("prefix rows", s + 1, "l"), times=-sign * limit),
                item(mask, times=-sign * _seen(s, "m"), over=(("m", b + 1, n),)),
            ),
        )

    zero = Nonnegative((item(use("test", "l", parts="nonnegative")),))
    one = Nonnegative((item(use("test", "l", parts="at most one")),))
    return Step("together", every("s", 0, T, some(s)), Induction(
        "so far",
        base=both(ZERO, 0, zero, one),
        step=(Step("one more", some(s + 1), Obtain(use("so far"), "x*", "now", both(
            following, s + 1, step("low", 1), step("high", -1)
        ))),),
    ))  # fmt: skip


def _row_near() -> tuple[Step, ...]:
    """The test of row a of U P: rows of the prefix differ little from the law, others at most by 1."""
    row = Lambda(("j",), product(U, layer(P, "T"))("a", "j"))
    bound = total("l", b + 1, n, U("a", "l")) + contraction(nu)
    one_test = Relation("<=", tested(row, pi), bound)
    reads, law = use("upper", "a", "l", parts="nonnegative"), use("law", "m", parts="nonnegative")
    mean, weight = total("m", 1, b, pi("m") * g("m")), U("a", "l")
    prefix, later, inside = ("l", 1, b), ("l", b + 1, n), ("m", 1, b)
    # sum_l U_al (f_l - pi g): f_l <= x + D and x <= pi f = pi g for l <= b; f_l <= 1 and 0 <= pi g for l > b
    this_test = Nonnegative(
        (
            item(reads, use("now", "l", parts="high"), over=(prefix,)),
            item(reads, law, use("now", "m", parts="low"), over=(prefix, inside)),
            item(reads, use("at most 1", T, "l"), over=(later,)),
            item(reads, law, use("test", "m", parts="nonnegative"), over=(later, inside)),
            item(reads, use("left of all", T), over=(later,)),
        ),
        (
            item(use("upper", "a", parts="rows"), times=contraction(nu) + mean),
            item(use("law", parts="mass"), times=-(total("l", 1, b, weight) * x())),
            item(use("law keeps", T), times=total("l", 1, b, weight)),
            item(use("law", "j", parts="support"), times=-g("j"), over=(("j", b + 1, n),)),
        ),
    )
    return (
        *_images(),
        _together(),
        Step("this test", one_test, Obtain(use("together", T), "x*", "now", (Step("at x", one_test, this_test),))),
    )


def block() -> Step:
    """The bound for all layers R*, U*, laws pi* and bounds nu*."""
    given: tuple[tuple[str, Formula], ...] = (
        ("layers", layers(1, "T", causal_beyond(layer(R, "t"), "b"))),
        ("upper", stochastic(U)),
        ("law", law_of_prefix(pi)),
        ("stationary", layers(1, "T", stationary(pi, layer(R, "t")))),
        ("minorised", layers(1, "T", minorised(Lambda(("j",), nu("t", "j")), layer(R, "t")))),
    )
    goal = near_law(R, U, pi, nu)
    claim: Formula = goal
    for _, hypothesis in reversed(given):
        claim = Implies(hypothesis, claim)
    for symbol in (nu, pi, U, R):
        claim = ForAllFn(symbol, claim)
    row = Lambda(("j",), product(U, layer(P, "T"))("a", "j"))
    bound = total("l", b + 1, n, U("a", "l")) + contraction(nu)
    equal = Relation("=", total("j", 1, n, apply(row, (j,))), total("j", 1, n, pi("j")))
    products = use("rows of products", T, T, "l", fns=(R,), given=("rows",))
    return Step("block", claim, Generalise(("R*", "U*", "pi*", "nu*", *(label for label, _ in given)), (
        Step("rows", rows_of(R, 1, T), Identity((item(use("layers", "t", "i", parts="rows")),))),
        *_prefix_rows(),
        Step("each row", goal, Generalise(("a",), (
            Step("equal mass", equal, Identity((
                item(products, times=U("a", "l"), over=(("l", 1, n),)),
                item(use("upper", "a", parts="rows")),
                item(use("law", parts="mass"), times=-1),
                item(use("law", "j", parts="support"), times=-1, over=(("j", b + 1, n),)),
            ))),
            Step("every test", tests(bound, tested(row, pi)), Generalise(("g*", "test"), _row_near())),
            Step("this row", Relation("<=", half_norm(row, pi), bound), Instantiate(
                use("half norm", fns=(row, pi, value(bound)), given=("equal mass", "every test"))
            )),
        ))),
    )))  # fmt: skip
