"""Lemmas on square roots: where x and y are not negative, x^2 <= y^2 gives x <= y, and so for < and =."""

from __future__ import annotations

from fractions import Fraction

from proofs.lemmas.comparison_steps import value
from proofs.steps import Absurd, Antisymmetry, Chain, Generalise, Nonnegative, Step, Use, item, real_cases, use
from proofs.term import ForAllFn, Formula, Implies, Relation, Symbol, Term, as_term

__all__ = ["at_least_0", "root", "root_lemmas"]

x, y = Symbol("x*", 0), Symbol("y*", 0)  # starred, so that no claim uses the names
X, Y, ZERO = x(), y(), as_term(0)


def at_least_0(term: Term) -> Relation:
    """0 <= x."""
    return Relation("<=", ZERO, term)


def root(label: str, left: Term, right: Term, *given: Use | str) -> Use:
    """A lemma for two values: facts that they are not negative, and one that compares their squares."""
    return use(label, fns=(value(left), value(right)), given=given)


def _for_roots(op: str) -> Formula:
    compared = Implies(Relation(op, X * X, Y * Y), Relation(op, X, Y))
    return ForAllFn(x, ForAllFn(y, Implies(at_least_0(X), Implies(at_least_0(Y), compared))))


_fixed = ("x*", "y*", "left", "right", "squares")
_nothing = Relation("<", ZERO, ZERO)


def root_lemmas() -> tuple[Step, ...]:
    """The lemmas "roots rise", "roots rise strictly" and "equal roots"."""
    case, left, right, squares = use("case"), use("left"), use("right"), use("squares")
    rise, strictly, equal = (Relation(op, X, Y) for op in ("<=", "<", "="))
    absurd = Absurd(use("absurd"), Fraction(0))
    in_order = (Step("in order", rise, Chain((case,))),)
    return (
        Step("roots rise", _for_roots("<="), Generalise(_fixed, (
            Step("either", rise, real_cases(X, Y, "case", in_order, (
                Step("positive", Relation("<", ZERO, X), Nonnegative((item(case), item(right)))),
                Step("absurd", _nothing, Nonnegative((
                    item(case, use("positive")), item(case, right), item(squares),
                ))),
                Step("so", rise, absurd),
            ))),
        ))),
        Step("roots rise strictly", _for_roots("<"), Generalise(_fixed, (
            Step("either", strictly, real_cases(Y, X, "case", (
                Step("absurd", _nothing, Nonnegative((item(squares), item(case, left), item(case, right)))),
                Step("so", strictly, absurd),
            ), (Step("in order", strictly, Chain((case,))),))),
        ))),
        Step("equal roots", _for_roots("="), Generalise(_fixed, (
            Step("upward", Relation("<=", X * X, Y * Y), Chain((squares,))),
            Step("downward", Relation("<=", Y * Y, X * X), Nonnegative((), (item(squares, times=-1),))),
            Step("at most", rise, Chain((root("roots rise", X, Y, "left", "right", "upward"),))),
            Step("at least", Relation("<=", Y, X), Chain((root("roots rise", Y, X, "right", "left", "downward"),))),
            Step("both", equal, Antisymmetry(use("at most"), use("at least"))),
        ))),
    )  # fmt: skip
