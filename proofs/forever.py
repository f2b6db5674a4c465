"""Decides what speaks of infinitely many layers at an endless case, exactly.

Layers and depths up to ``start`` are tried one by one; beyond, values are rational functions of s, and

    a relation holds for every s       by the signs of a rational function
    sum x_t is finite                  if x = 0 or its order is at most -2: comparison with sum 1/t^2, and with sum 1/t
    x_T tends to 0, stays above c > 0  by the limit of a rational function

Quantifiers over reals and over what exists are decided inside these properties only.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import fmpq

from proofs.case import OutsideTable
from proofs.compiled import FAR, ZERO, Environment, Value, compiled, index_value
from proofs.endless_case import EndlessCase
from proofs.failure import Failure
from proofs.notation import number, rollout, transition, unfold_property
from proofs.rational_function import RationalFunction, TwoStep, natural
from proofs.substitute import apply
from proofs.term import And, Fn, ForAll, Formula, Holds, Implies, Op, Relation, Symbol, index

__all__ = ["failure_forever"]

_LIMITS = ("vanishing", "unbounded", "summable", "bounded away", "settling")
_ROLLOUT = rollout(transition(Symbol("lambda", 1), Symbol("A", 3)))
_NUMBER = number("k").fn


class _Entries:
    """The values of a function: those that are listed, and beyond them those of the rule."""

    def __init__(self, case: EndlessCase, name: str, listed: dict[tuple[int, ...], fmpq]) -> None:
        self.case, self.name, self.listed = case, name, listed

    def __getitem__(self, at: tuple[int, ...]) -> Value:
        if not at or at[0] < FAR // 2:
            return self.listed[at]
        later = at[0] - FAR - 1  # at FAR + 1 stands layer start + 1 + s
        if self.name == "lambda":
            return self.case.coefficients.shifted(later)
        if self.name == "A":
            return self.case.kernels[at[1] - 1][at[2] - 1].shifted(later)
        raise KeyError(at)


def failure_forever(formula: Formula, case: EndlessCase, part: str = "") -> Failure | None:
    """Where the formula fails at the case, or None; raises `OutsideTable` where that is not decided."""
    tables = {name: _Entries(case, name, table.values()) for name, table in case.listed.tables}
    ints = {"n": case.n, **dict(case.listed.indices)}

    def closed(op: Op, args: tuple[int, ...]) -> Value:
        if op == _ROLLOUT:
            return case.rollouts[args[1] - 1][args[2] - 1].shifted(args[0] - FAR)
        if op == _NUMBER:
            return natural(case.start + args[0] - FAR)
        raise OutsideTable(f"{op.name} at a depth that is not fixed")

    env = Environment(ints, tables, closed=closed)  # type: ignore[arg-type]
    return _failure(formula, env, frozenset(ints), case.start, part)


def _failure(formula: Formula, env: Environment, given: frozenset[str], start: int, part: str) -> Failure | None:
    if isinstance(formula, Holds) and formula.name in _LIMITS:
        words = _limit(formula.name, formula.fns[0], env, start)
        return Failure(part, _place(env, given), ZERO, "", ZERO, words) if words else None
    match unfold_property(formula):
        case Relation() as relation:
            return _relation(relation, env, given, part)
        case And(parts):
            found = (_failure(f, env, given, start, f"{part}/{name}".strip("/")) for name, f in parts)
            return next((f for f in found if f is not None), None)
        case Implies(hypothesis, body):
            if _failure(hypothesis, env, given, start, "") is not None:
                return None
            return _failure(body, env, given, start, part)
        case ForAll(rng, body):
            low = index_value(rng.low)(env.ints)
            span = _span(low, start) if rng.high is None else range(low, index_value(rng.high)(env.ints) + 1)
            inner = (_failure(body, env.at({**env.ints, rng.var: at}), given, start, part) for at in span)
            return next((f for f in inner if f is not None), None)
    raise OutsideTable("a claim of this form is not decided at an endless case")


def _span(low: int, start: int) -> Iterator[int]:
    """Every index from ``low`` on: those up to ``start`` (at least 0), and one that stands for all beyond."""
    yield from range(low, start + 1)
    yield FAR + 1


def _place(env: Environment, given: frozenset[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((k, v) for k, v in env.ints.items() if k not in given and v < FAR // 2))


def _relation(relation: Relation, env: Environment, given: frozenset[str], part: str) -> Failure | None:
    left, right = (TwoStep.of(compiled(side)(env)) for side in (relation.left, relation.right))
    difference = right - left
    if relation.op == "=":
        wrong = (difference * difference * -1).negative_at()
    else:
        wrong = difference.negative_at(strictly=relation.op == "<")
    return None if wrong is None else Failure(part, _place(env, given), left.at(wrong), relation.op, right.at(wrong))


# --- limits -----------------------------------------------------------------------------------------


def _limit(name: str, sequence: Fn, env: Environment, start: int) -> str:
    """In words how the limit fails; nothing where it holds."""
    value = compiled(apply(sequence, (index("?T"),)))
    sums = name in ("unbounded", "summable")
    tail = TwoStep.of(value(env.at({**env.ints, "?T": FAR + 1 if sums else FAR})))
    if sums:
        finite = _finite_sum(tail)
        return "" if finite == (name == "summable") else "it has a finite sum" if finite else "its sum is infinite"
    if name == "vanishing":
        return next((f"it does not tend to 0 but to {_towards(f)}" for f in tail.both if not _at_most_0(f)), "")
    if name == "settling":
        return _settling(tail)
    listed = (value(env.at({**env.ints, "?T": at})) for at in range(start))
    if any(x <= 0 for x in listed) or tail.negative_at(strictly=True) is not None:
        return "it is not positive everywhere"
    return "it tends to 0" if any(f.order < 0 for f in tail.both) else ""


def _finite_sum(tail: TwoStep) -> bool:
    """Whether the partial sums are bounded from above: pairs of neighbours are added first."""
    if any(f and f.order > 0 for f in tail.both):
        raise OutsideTable("a sum whose terms do not stay bounded")
    pair = tail.even + tail.odd
    return not pair or pair.order <= -2 or bool(pair.leading < 0)


def _at_most_0(f: RationalFunction) -> bool:
    """Whether the limit is at most 0."""
    return not f or f.order < 0 or bool(f.leading < 0)


def _settling(tail: TwoStep) -> str:
    """Whether the sequence rises by as little as one likes from some depth on: it converges, or falls."""
    if tail.even.order > 0 and tail.odd.order > 0 and tail.even.leading < 0 and tail.odd.leading < 0:
        return ""
    ends = {_towards(f) for f in tail.both}
    return "" if len(ends) == 1 and "infinity" not in ends else f"it has the limit points {' and '.join(sorted(ends))}"


def _towards(f: RationalFunction) -> str:
    if not f or f.order < 0:
        return "0"
    return str(f.leading) if f.order == 0 else "infinity"
