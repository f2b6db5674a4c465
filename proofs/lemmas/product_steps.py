"""Lemmas on two products that stand for powers of a number, at every degree m.

    a_m(x) = prod_{r <= m} x / r = x^m / m!        b_m(x) = prod_{r <= m} (x / r + e)

For 0 <= x <= z, with v = z - x, in b also with v <= e:

    a_{m+1}(z) <= a_{m+1}(x) + v a_m(z)            b_{m+1}(x) + v b_m(z) <= b_{m+1}(z)
    b_m(x) <= a_m(x) + e (m + 1) (1 + x)^m         where e <= 1

The lemmas on positive numbers and their reciprocals come before these.
"""

from __future__ import annotations

from collections.abc import Mapping

from proofs.laws import term_of_series
from proofs.lemmas.logarithm_steps import one_over
from proofs.notation import accumulated, every, number
from proofs.steps import Chain, Generalise, Induction, Nonnegative, Reason, Step, Use, item, use
from proofs.substitute import substitute
from proofs.term import (
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
)

__all__ = [
    "at_least_0",
    "by_degree",
    "degrees",
    "for_all",
    "grown",
    "numbers_not_negative",
    "product_lemmas",
    "shifted",
]

x, z, e = Symbol("x*", 0), Symbol("z*", 0), Symbol("e*", 0)  # starred, so that no claim uses the names
X, Z, E = x(), z(), e()
m = index("m")
ZERO, ONE = as_term(0), as_term(1)


def shifted(argument: Term, by: Term) -> Fn:
    """m -> prod_{r <= m} (x / r + e)."""
    return accumulated(Lambda(("r",), one_over("r") * argument + by))


def grown(argument: Term) -> Fn:
    """m -> (1 + x)^m."""
    return accumulated(Lambda(("r",), ONE + argument))


def at_least_0(term: Term) -> Relation:
    return Relation("<=", ZERO, term)


def for_all(symbols: tuple[Symbol, ...], *formulas: Formula) -> Formula:
    """For all functions: the formulas but the last imply the last."""
    *premises, body = formulas
    for premise in reversed(premises):
        body = Implies(premise, body)
    for symbol in reversed(symbols):
        body = ForAllFn(symbol, body)
    return body


def degrees(body: Formula) -> Formula:
    """For every degree m >= 0."""
    return every("m", 0, None, body)


def by_degree(
    label: str,
    symbols: tuple[Symbol, ...],
    given: Mapping[str, Formula],
    stated: Relation,
    start: Reason,
    step: Reason,
    *before: Step,
) -> Step:
    """``stated`` for every degree m, from what is given of the numbers: degree 0, and m + 1 from m ("so far")."""
    first, after = (
        Relation(stated.op, *(substitute(side, {"m": at}, {}) for side in (stated.left, stated.right)))
        for at in (as_index(0), m + 1)
    )
    whole = for_all(symbols, *given.values(), degrees(stated))
    return Step(label, whole, Generalise((*(symbol.name for symbol in symbols), *given), (
        *before,
        Step("every degree", degrees(stated), Induction(
            "so far", (Step("degree 0", first, start),), (Step("one degree more", after, step),)
        )),
    )))  # fmt: skip


# --- the products, one degree after the other ------------------------------------------------------

a, b, q = term_of_series, shifted, grown
not_negative = {"x >= 0": at_least_0(X)}
rising = {**not_negative, "x <= z": Relation("<=", X, Z)}
small = {"e >= 0": at_least_0(E), "e <= 1": Relation("<=", E, ONE)}
last, last_but_one = one_over(m + 2), one_over(m + 1)
V = Z - X
above = Step("z >= 0", at_least_0(Z), Chain((use("x >= 0"), use("x <= z"))))


def _inverse(at: Index | int) -> Use:
    return use("k / k", at)


def _positive(at: Index) -> Use:
    return use("1 / k > 0", at)


_a_not_negative = by_degree(
    "x^m / m! >= 0", (x,), not_negative, at_least_0(a(X)("m")),
    Nonnegative((item(),)), Nonnegative((item(use("x >= 0"), _positive(m + 1), use("so far")),)),
)  # fmt: skip

_a_rises = by_degree(
    "x^m / m! rises", (x, z), rising, Relation("<=", a(X)("m"), a(Z)("m")),
    Nonnegative(()),
    Nonnegative((
        item(use("x >= 0"), _positive(m + 1), use("so far")),
        item(use("x <= z"), _positive(m + 1), use("x^m / m! >= 0", m, fns=(z,), given=("z >= 0",))),
    )),
    above,
)  # fmt: skip

_a_step = by_degree(
    "x^m / m! rises at most", (x, z), rising, Relation("<=", a(Z)(m + 1), a(X)(m + 1) + V * a(Z)("m")),
    Nonnegative((), (item(_inverse(1), times=V),)),
    Nonnegative(
        (
            item(use("x >= 0"), _positive(m + 2), use("so far")),
            item(
                use("x <= z"), use("x <= z"), _positive(m + 2), use("x^m / m! >= 0", m, fns=(z,), given=("z >= 0",)),
            ),
        ),
        (
            item(_inverse(m + 2), times=V * a(Z)(m + 1)),
            item(_inverse(m + 1), times=-(V * last * Z * a(Z)("m"))),
        ),
    ),
    above,
)  # fmt: skip

_b_not_negative = by_degree(
    "product >= 0", (x, e), {**not_negative, "e >= 0": small["e >= 0"]}, at_least_0(b(X, E)("m")),
    Nonnegative((item(),)),
    Nonnegative((item(use("x >= 0"), _positive(m + 1), use("so far")), item(use("e >= 0"), use("so far")))),
)  # fmt: skip

_b_step = by_degree(
    "product rises at least", (x, z, e), {**rising, "z - x <= e": Relation("<=", V, E)},
    Relation("<=", b(X, E)(m + 1) + V * b(Z, E)("m"), b(Z, E)(m + 1)),
    Nonnegative((), (item(_inverse(1), times=-V),)),
    Nonnegative(
        (
            item(use("x >= 0"), _positive(m + 2), use("so far")),
            item(use("e >= 0"), use("so far")),
            item(
                use("x <= z"), use("z - x <= e"), _positive(m + 2),
                use("product >= 0", m, fns=(z, e), given=("z >= 0", "e >= 0")),
            ),
        ),
        (
            item(_inverse(m + 2), times=V * E * b(Z, E)("m") - V * b(Z, E)(m + 1)),
            item(_inverse(m + 1), times=V * last * Z * b(Z, E)("m")),
        ),
    ),
    above,
    Step("e >= 0", at_least_0(E), Chain((use("x <= z"), use("z - x <= e")))),
)  # fmt: skip

# --- how far the products are apart -----------------------------------------------------------------

_q_not_negative = by_degree(
    "(1 + x)^m >= 0", (x,), not_negative, at_least_0(q(X)("m")),
    Nonnegative((item(),)), Nonnegative((item(use("so far")), item(use("x >= 0"), use("so far")))),
)  # fmt: skip

numbers_not_negative = Step("numbers are not negative", degrees(at_least_0(number("m"))), Induction(
    "so far",
    (Step("none", at_least_0(number(0)), Nonnegative(())),),
    (Step("one more", at_least_0(number(m + 1)), Nonnegative((item(use("so far")), item()))),),
))  # fmt: skip

_power = use("(1 + x)^m >= 0", m, fns=(x,), given=("x >= 0",))
_b_bounded = by_degree(
    "product is bounded", (x, e), {**not_negative, **small}, Relation("<=", b(X, E)("m"), q(X)("m")),
    Nonnegative(()),
    Nonnegative(
        (
            item(use("x >= 0"), _positive(m + 1), use("so far")),
            item(use("e >= 0"), use("so far")),
            item(use("x >= 0"), use("numbers are not negative", m), _positive(m + 1), _power),
            item(use("e <= 1"), _power),
        ),
        (item(_inverse(m + 1), times=X * q(X)("m")),),
    ),
)  # fmt: skip

_apart = by_degree(
    "products are close", (x, e), {**not_negative, **small},
    Relation("<=", b(X, E)("m"), a(X)("m") + E * number(m + 1) * q(X)("m")),
    Nonnegative((item(use("e >= 0")),)),
    Nonnegative(
        (
            item(use("x >= 0"), _positive(m + 1), use("so far")),
            item(use("e >= 0"), use("product is bounded", m, fns=(x, e), given=("x >= 0", "e >= 0", "e <= 1"))),
            item(use("e >= 0"), use("numbers > 0", m + 1), _power),
            item(use("e >= 0"), use("x >= 0"), use("numbers > 0", m + 1), _power),
        ),
        (item(_inverse(m + 1), times=E * X * q(X)("m")),),
    ),
)  # fmt: skip


def product_lemmas() -> tuple[Step, ...]:
    """The products a_m and b_m: how they grow with x, and how far they are apart."""
    return (
        _a_not_negative, _a_rises, _a_step, _b_not_negative, _b_step, _q_not_negative, numbers_not_negative,
        _b_bounded, _apart,
    )  # fmt: skip
