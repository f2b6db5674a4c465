"""Lemmas on comparisons of reals: [x <= y] is 1 or 0 as it should be, its own square, rising in y."""

from __future__ import annotations

from proofs.steps import Chain, Compared, Generalise, Identity, Nonnegative, Step, item, real_cases, use
from proofs.term import Compare, ForAllFn, Formula, Implies, Lambda, Relation, Symbol, Term, as_term

__all__ = ["comparison_lemmas", "value"]

a, x, y = Symbol("a*", 0), Symbol("x*", 0), Symbol("y*", 0)  # starred, so that no claim uses the names


def value(term: Term) -> Lambda:
    """A value as a function of no index."""
    return Lambda((), term)


_low, _high = Compare(a(), x()), Compare(a(), y())
_rising = Relation("<=", x(), y())


def _for_reals(body: Formula, *symbols: Symbol) -> Formula:
    for symbol in reversed(symbols):
        body = ForAllFn(symbol, body)
    return body


def _by_cases(label: str, goal: Formula, fix: tuple[str, ...], reached: Step, missed: Step, closed: Formula) -> Step:
    """``goal`` where a <= x, with [a <= x] = 1 known as "one", and where x < a, with [a <= x] = 0 known as "zero"."""
    one = Step("one", Relation("=", _low, as_term(1)), Compared(use("case")))
    zero = Step("zero", Relation("=", _low, as_term(0)), Compared(use("case")))
    cases = real_cases(a(), x(), "case", (one, *_through(reached), reached), (zero, missed))
    return Step(label, closed, Generalise(fix, (Step("by cases", goal, cases),)))


def _through(step: Step) -> tuple[Step, ...]:
    """Where both values are compared: a <= x <= y, so [a <= y] = 1."""
    if step.label != "both":
        return ()
    return (
        Step("through", Relation("<=", a(), y()), Chain((use("case"), use("rises")))),
        Step("other one", Relation("=", _high, as_term(1)), Compared(use("through"))),
    )


def comparison_lemmas() -> tuple[Step, ...]:
    """[x <= y] is 1 or 0 as it should be, it is its own square, it rises in y, and the smaller one absorbs."""
    holds, fails = Relation("=", Compare(x(), y()), as_term(1)), Relation("=", Compare(x(), y()), as_term(0))
    square = Relation("=", _low * _low, _low)
    rises, absorbs = Relation("<=", _low, _high), Relation("=", _low * _high, _low)
    return (
        Step("comparison holds", _for_reals(Implies(_rising, holds), x, y), Generalise(("x*", "y*", "rises"), (
            Step("one", holds, Compared(use("rises"))),
        ))),
        Step("comparison fails", _for_reals(Implies(Relation("<", y(), x()), fails), x, y),
             Generalise(("x*", "y*", "falls"), (Step("zero", fails, Compared(use("falls"))),))),
        _by_cases(
            "comparison squared", square, ("a*", "x*"),
            Step("of one", square, Identity((item(use("one"), times=_low),))),
            Step("of zero", square, Identity((item(use("zero"), times=_low - 1),))),
            _for_reals(square, a, x),
        ),
        _by_cases(
            "comparison rises", rises, ("a*", "x*", "y*", "rises"),
            Step("both", rises, Nonnegative((), (item(use("one")), item(use("other one"), times=-1)))),
            Step("of zero", rises, Nonnegative((item(times=_high),), (item(use("zero")),))),
            _for_reals(Implies(_rising, rises), a, x, y),
        ),
        _by_cases(
            "comparison absorbs", absorbs, ("a*", "x*", "y*", "rises"),
            Step("both", absorbs, Identity((item(use("other one"), times=_low),))),
            Step("of zero", absorbs, Identity((item(use("zero"), times=_high - 1),))),
            _for_reals(Implies(_rising, absorbs), a, x, y),
        ),
    )  # fmt: skip
