"""Complete polynomials of the values 1 / l between products of logarithms (product_steps.py), with e = 1 / j:

    a_m(ln((i+1)/j))  <=  h_m(1/j, ..., 1/i)  <=  b_m(ln(i/j))        for j <= i

As a sum over the last index l: a_{m+1} grows from ln(l/j) to ln((l+1)/j) by at most, and b_{m+1} from ln((l-1)/j) to
ln(l/j) by at least, 1 / l times a_m or b_m at the upper end.
"""

from __future__ import annotations

from proofs.laws import term_of_series
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.logarithm_steps import ln, one_over
from proofs.lemmas.product_steps import at_least_0, degrees, shifted
from proofs.notation import complete, every, n
from proofs.steps import Chain, Generalise, Induction, Item, Nonnegative, Step, item, use
from proofs.substitute import substitute
from proofs.term import Fn, ForAllFn, Formula, Implies, Index, Relation, Symbol, Term, as_index, index

__all__ = ["harmonic_lemmas", "log_ratio"]

u = Symbol("u*", 1)  # starred, so that no claim uses the name
i, j, l, m, r = (index(name) for name in ("i", "j", "l", "m", "r"))  # noqa: E741 - the letters of the formulas
a, b, h = term_of_series, shifted, complete(u)


def log_ratio(upper: Index | str, lower: Index | str) -> Term:
    """ln(upper / lower), written ln upper - ln lower."""
    return ln(upper) - ln(lower)


here, after = log_ratio(l, j), log_ratio(l + 1, j)  # ln(l/j), ln((l + 1)/j)


def _from(body: Formula) -> Formula:
    """For all l >= j >= 1."""
    return every("j", 1, None, every("l", j, None, body))


_upward, _smaller = use("ln rises by at least the next 1 / k", r), use("ln rises by at most 1 / k", r)
_between = (("r", j, l - 1),)
_logs = (
    Step("ln(l/j) >= 0", _from(at_least_0(here)), Nonnegative((
        item(_upward, over=_between), item(use("1 / k > 0", r + 1), over=_between),
    ))),
    Step("1 / l falls", _from(Relation("<=", one_over(l), one_over(j))), Nonnegative((
        item(_upward, over=_between), item(_smaller, over=_between),
    ))),
    Step("ln l rises", _from(Relation("<=", here, after)), Nonnegative((
        item(use("ln rises by at least the next 1 / k", l)), item(use("1 / k > 0", l + 1)),
    ))),
    Step("ln l rises slowly", _from(Relation("<=", after - here, one_over(j))), Chain((
        use("ln rises by at most 1 / k", l), use("1 / l falls", j, l),
    ))),
    Step("1/j >= 0", every("j", 1, None, at_least_0(one_over(j))), Chain((use("1 / k > 0", j),))),
)  # fmt: skip

# --- complete polynomials ---------------------------------------------------------------------------

_values = every("l", 1, n, Relation("=", u("l"), one_over("l")))


def _spans(stated: Relation, degree: Index | int) -> Formula:
    """At one degree, for all j <= i."""
    sides = (substitute(side, {"m": as_index(degree)}, {}) for side in (stated.left, stated.right))
    return every("j", 1, n, every("i", j, n, Relation(stated.op, *sides)))


def _log_at(upper: Index) -> Fn:
    return value(log_ratio(upper, j))


def _of_degrees(label: str, stated: Relation, *growth: Item, sign: int) -> Step:
    """From one degree to the next: the last value times what is known so far, and how the product grows."""
    whole = degrees(_spans(stated, m))
    so_far = item(use("1 / k > 0", l), use("so far", j, l), over=(("l", j, i),))
    known = item(use("values", l), times=sign * h("m", "j", "l"), over=(("l", j, i),))
    return Step(label, ForAllFn(u, Implies(_values, whole)), Generalise(("u*", "values"), (
        Step("every degree", whole, Induction(
            "so far",
            base=(Step("degree 0", _spans(stated, 0), Nonnegative(())),),
            step=(Step("one degree more", _spans(stated, m + 1), Nonnegative((so_far, *growth), (known,))),),
        )),
    )))  # fmt: skip


_lower = _of_degrees(
    "complete polynomials, below", Relation("<=", a(log_ratio(i + 1, j))("m"), h("m", "j", "i")),
    item(
        use("x^m / m! rises at most", m, fns=(_log_at(l), _log_at(l + 1)), given=(
            use("ln(l/j) >= 0", j, l), use("ln l rises", j, l),
        )),
        over=(("l", j, i),),
    ),
    item(
        use("ln rises by at most 1 / k", l),
        use("x^m / m! >= 0", m, fns=(_log_at(l + 1),), given=(use("ln(l/j) >= 0", j, l + 1),)),
        over=(("l", j, i),),
    ),
    sign=-1,
)  # fmt: skip

_step_size = value(one_over(j))
_upper = _of_degrees(
    "complete polynomials, above", Relation("<=", h("m", "j", "i"), b(log_ratio(i, j), one_over(j))("m")),
    item(
        use("product rises at least", m, fns=(_log_at(l - 1), _log_at(l), _step_size), given=(
            use("ln(l/j) >= 0", j, l - 1), use("ln l rises", j, l - 1), use("ln l rises slowly", j, l - 1),
        )),
        over=(("l", j + 1, i),),
    ),
    item(
        use("ln rises by at least the next 1 / k", l - 1),
        use("product >= 0", m, fns=(_log_at(l), _step_size), given=(use("ln(l/j) >= 0", j, l), use("1/j >= 0", j))),
        over=(("l", j + 1, i),),
    ),
    sign=1,
)  # fmt: skip


def harmonic_lemmas() -> tuple[Step, ...]:
    """Logarithms of ratios, and complete polynomials of values 1 / l between the products of them."""
    return (*_logs, _lower, _upper)
