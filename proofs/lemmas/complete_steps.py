"""Lemmas on the complete homogeneous symmetric polynomials h_m(u_j, ..., u_i), for every sequence u.

Defined by their upper end, h_{m+1}(u_j, ..., u_i) = sum_l u_l h_m(u_j, ..., u_l), they have the recursion at the lower
end too.  So they are nonnegative where u is, and then more values make them larger.
"""

from __future__ import annotations

from proofs.notation import complete, every, n
from proofs.steps import Generalise, Identity, Induction, Nonnegative, Step, item, use
from proofs.substitute import apply
from proofs.term import Fn, ForAllFn, Formula, Implies, Index, Relation, Symbol, as_term, index

__all__ = ["complete_lemmas", "falls", "from_below", "nonnegative_values"]

u = Symbol("u*", 1)  # starred, so that no claim uses the name
i, j, m = index("i"), index("j"), index("m")


def spans(body: Formula) -> Formula:
    """For all j <= i."""
    return every("i", 1, n, every("j", 1, i, body))


def from_below(values: Fn, degree: Index | int) -> Formula:
    """h_{degree + 1}(u_j..u_i) = h_{degree + 1}(u_{j+1}..u_i) + u_j h_degree(u_j..u_i)."""
    h, more = complete(values), degree + 1
    return spans(Relation("=", h(more, "j", "i"), h(more, j + 1, "i") + apply(values, (j,)) * h(degree, "j", "i")))


def nonnegative_values(values: Fn) -> Formula:
    """u_l >= 0."""
    return every("l", 1, n, Relation("<=", as_term(0), apply(values, (index("l"),))))


def at_least_zero(values: Fn, degree: Index | int) -> Formula:
    """h_degree(u_j..u_i) >= 0."""
    return spans(Relation("<=", as_term(0), complete(values)(degree, "j", "i")))


def falls(values: Fn, degree: Index | int) -> Formula:
    """h_degree(u_{j+1}..u_i) <= h_degree(u_j..u_i) for j < i."""
    h = complete(values)
    return every("i", 1, n, every("j", 1, i - 1, Relation("<=", h(degree, j + 1, "i"), h(degree, "j", "i"))))


_lower_end = Step(
    "recursion at the lower end",
    ForAllFn(u, every("m", 0, None, from_below(u, m))),
    Generalise(("u*",), (
        Step("every degree", every("m", 0, None, from_below(u, m)), Induction(
            "so far",
            base=(Step("degree 1", from_below(u, 0), Identity()),),
            step=(Step("one degree more", from_below(u, m + 1), Identity((
                item(use("so far", "l", "j"), times=u("l"), over=(("l", j + 1, i),)),
            ))),),
        )),
    )),
)  # fmt: skip

_at_least_zero = Step(
    "complete polynomials are nonnegative",
    ForAllFn(u, Implies(nonnegative_values(u), every("m", 0, None, at_least_zero(u, m)))),
    Generalise(("u*", "values"), (
        Step("every degree", every("m", 0, None, at_least_zero(u, m)), Induction(
            "so far",
            base=(Step("degree 0", at_least_zero(u, 0), Nonnegative((item(),))),),
            step=(Step("one degree more", at_least_zero(u, m + 1), Nonnegative((
                item(use("values", "l"), use("so far", "l", "j"), over=(("l", j, i),)),
            ))),),
        )),
    )),
)  # fmt: skip

_falls = Step(
    "more values, larger",
    ForAllFn(u, Implies(nonnegative_values(u), every("m", 0, None, falls(u, m)))),
    Generalise(("u*", "values"), (
        Step("every degree", every("m", 0, None, falls(u, m)), Induction(
            "so far",
            base=(Step("degree 0", falls(u, 0), Nonnegative(())),),
            step=(Step("one degree more", falls(u, m + 1), Nonnegative(
                (item(
                    use("values", "j"),
                    use("complete polynomials are nonnegative", "m", "i", "j", fns=(u,), given=("values",)),
                ),),
                (item(use("recursion at the lower end", "m", "i", "j", fns=(u,)), times=-1),),
            )),),
        )),
    )),
)  # fmt: skip


def complete_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return _lower_end, _at_least_zero, _falls
