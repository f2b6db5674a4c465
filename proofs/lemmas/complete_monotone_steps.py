"""Differences of h_m(1/j, ..., 1/i) in j, the complete homogeneous symmetric polynomials of the values 1/j, ..., 1/i.

    j D^{r+1} h_{m+1}(j)  =  D^r h_m(j) + r D^r h_{m+1}(j + 1),        D^r h_m(j) >= 0        where j + r <= i

with the differences D^r of binomial_steps.py.  At r = 0 the first is the recursion h_{m+1}(j) = h_{m+1}(j + 1) +
h_m(j) / j, whose differences in j it says, as those of j x_j are j D^r x_j - r D^{r-1} x_{j+1}.  So every h_m is
completely monotone, by induction on r.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs.lemmas.binomial_steps import difference
from proofs.lemmas.complete_steps import nonnegative_values
from proofs.lemmas.logarithm_steps import one_over
from proofs.lemmas.prefix_power_steps import h, shares
from proofs.lemmas.uniform_row_steps import of_uniform, rows
from proofs.notation import every, n, number
from proofs.steps import Generalise, Identity, Induction, Nonnegative, Step, Use, item, use
from proofs.term import Bracket, Formula, Index, Lambda, Relation, Term, as_index, as_term, index

__all__ = ["monotone_lemmas", "next_difference"]

i, j, m, r = (index(name) for name in ("i", "j", "m", "r"))
ZERO, ONE = as_term(0), as_term(1)
UNIFORM = ("uniform weights",)


def _of_degree(degree: Index | int) -> Lambda:
    """j -> h_degree(1/j, ..., 1/i)."""
    return Lambda(("l",), h(degree, "l", "i"))


def _d(order: Index | int, degree: Index | int, at: Index) -> Term:
    return difference(_of_degree(degree), order, at)


def _degrees(order: Index | int, below: int, body: Formula) -> Formula:
    """For every degree m and all positions j >= 1 with j + order + below <= i."""
    return every("m", 0, None, every("j", 1, i - order - below, body))


def _rule(order: Index | int) -> Formula:
    left, right = number("j") * _d(as_index(order) + 1, m + 1, j), number(order) * _d(order, m + 1, j + 1)
    return _degrees(order, 1, Relation("=", left, _d(order, m, j) + right))


def _positive(order: Index | int) -> Formula:
    return _degrees(order, 0, Relation("<=", ZERO, _d(order, m, j)))


def next_difference(sequence: Lambda, order: Index | int, at: Index) -> Use:
    """D^{order+1} g_at = D^order g_at - D^order g_{at+1}, for at >= 1."""
    return use("differences", order, at - 1, fns=(sequence,))


def _zeroth(degree: Index | int, at: Index) -> Use:
    return use("no difference", at, fns=(_of_degree(degree),))


def _lower_end(degree: Index | int) -> Use:
    return use("recursion at the lower end", degree, "i", "j", fns=(shares,))


def _by_order(label: str, formula: Callable[[Index | int], Formula], start: Step, following: Step) -> Step:
    every_order = every("r", 0, None, formula(r))
    return of_uniform(label, every("i", 1, n, every_order), Step("each row", every("i", 1, n, every_order), Generalise(
        ("i",), (Step("every order", every_order, Induction("so far", (start,), (following,))),)
    )))  # fmt: skip


_recursion = _by_order(
    "differences of complete polynomials", _rule,
    Step("first", _rule(0), Identity((
        item(next_difference(_of_degree(m + 1), 0, j), times=number("j")),
        item(_zeroth(m + 1, j), times=number("j")),
        item(_zeroth(m + 1, j + 1), times=-number("j")),
        item(_lower_end(m), times=number("j")),
        item(rows("values", "j"), times=number("j") * h(m, "j", "i")),
        item(use("k / k", "j"), times=h(m, "j", "i")),
        item(_zeroth(m, j), times=-ONE),
    ))),
    Step("next", _rule(r + 1), Identity((
        item(next_difference(_of_degree(m + 1), r + 1, j), times=number("j")),
        item(use("so far", "m", "j")),
        item(use("so far", "m", j + 1), times=-ONE),
        item(next_difference(_of_degree(m), r, j), times=-ONE),
        item(next_difference(_of_degree(m + 1), r, j + 1), times=-number("r")),
    ))),
)  # fmt: skip

_shares = of_uniform("shares >= 0", nonnegative_values(shares), Step("each", nonnegative_values(shares), Nonnegative(
    (item(use("1 / k > 0", "l")),), (item(rows("values", "l"), times=-ONE),)
)))  # fmt: skip


def _at_degree(degree: Index | int) -> Formula:
    return every("j", 1, i - r - 1, Relation("<=", ZERO, _d(r + 1, degree, j)))


def _nonnegative(degree: Index, start: Index | int) -> Use:
    fact = use("shares >= 0", given=UNIFORM)
    return use("complete polynomials are nonnegative", degree, "i", start, fns=(shares,), given=(fact,))


_signs = _by_order(
    "completely monotone", _positive,
    Step("values", _positive(0), Nonnegative(
        (item(_nonnegative(m, j)),),
        (item(_zeroth(m, j), times=-ONE),),
    )),
    Step("next", _positive(r + 1), Induction(
        "degree before",
        (Step("degree 0", _at_degree(0), Nonnegative((), (item(next_difference(_of_degree(0), r, j), times=-ONE),))),),
        (Step("one degree more", _at_degree(m + 1), Nonnegative(
            (
                item(use("1 / k > 0", "j"), use("so far", "m", "j")),
                item(use("1 / k > 0", "j"), use("numbers are not negative", r), use("so far", m + 1, j + 1)),
            ),
            (
                item(
                    use("differences of complete polynomials", "i", "r", "m", "j", given=UNIFORM),
                    times=-one_over("j"),
                ),
                item(use("k / k", "j"), times=_d(r + 1, m + 1, j)),
            ),
        )),),
    )),
)  # fmt: skip

# --- the first two positions ------------------------------------------------------------------------


def _from_one(label: str, stated: Callable[[Index | int], Formula], start: Nonnegative, following: Nonnegative) -> Step:
    """For every degree m, of h_m(1/1, ..., 1/i)."""
    every_degree = every("m", 0, None, stated(m))
    whole = every("i", 2, n, every_degree)
    return of_uniform(label, whole, Step("each row", whole, Generalise(("i",), (
        Step("every degree", every_degree, Induction(
            "so far", (Step("degree 0", stated(0), start),), (Step("one degree more", stated(m + 1), following),)
        )),
    ))))  # fmt: skip


def _first_lemmas() -> tuple[Step, ...]:
    known = (
        item(use("recursion at the lower end", m, "i", 1, fns=(shares,)), times=-ONE),
        item(rows("values", 1), times=-h(m, 1, "i")),
        item(use("k / k", 1), times=-h(m, 1, "i")),
    )
    return (
        _from_one(
            "complete polynomials from 1 on", lambda degree: Relation("<=", ONE, h(degree, 1, "i")),
            Nonnegative(()), Nonnegative((item(use("so far")), item(_nonnegative(m + 1, 2))), known),
        ),
        _from_one(
            "complete polynomials without 1", lambda degree: Relation(
                "<=", Bracket(((as_index(1), as_index(degree)),)), h(degree, 1, "i") - h(degree, 2, "i")
            ), Nonnegative(()), Nonnegative((item(use("complete polynomials from 1 on", i, m, given=UNIFORM)),), known),
        ),
    )  # fmt: skip


def monotone_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return _recursion, _shares, _signs, *_first_lemmas()
