"""Decides a formula at a case, in exact rationals (balls where exp or ln enters), from the definitions of notation.py.

Independent of the checker: it unfolds the same definitions but computes numbers (compiled.py) where the checker
compares normal forms.  A formula may quantify over functions only in a hypothesis.  There the quantifier ranges over
the thresholds [j >= l], which is a weaker hypothesis, so a conclusion that holds under it holds under the full one.

A case gives finitely many values, so parts that speak of a limit (endless.py) are passed over here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache

from flint import arb, ctx

from proofs.case import Case, OutsideTable
from proofs.compiled import ONE, ZERO, Environment, Value, Values, compiled, index_value
from proofs.endless import endless, endless_part
from proofs.endless_case import EndlessCase
from proofs.failure import Failure
from proofs.forever import failure_forever
from proofs.notation import unfold_property
from proofs.statement import Claim
from proofs.term import And, Exists, ForAll, ForAllFn, Formula, Holds, Implies, Relation, Symbol

__all__ = ["Failure", "Outcome", "evaluate", "evaluate_claim", "evaluate_in"]

_BITS = 192  # precision of balls


@dataclass
class Outcome:
    """What evaluation found: a failure or none, whether some inequality was strict, and which parts had their
    hypotheses met.
    """

    failure: Failure | None = None
    strict: bool = False
    met: set[str] = field(default_factory=set)

    @property
    def holds(self) -> bool:
        return self.failure is None


def evaluate(formula: Formula, case: Case | EndlessCase) -> Outcome:
    """Whether the formula holds at the case; raises `OutsideTable` where it reads a value that the case does not
    give.
    """
    if isinstance(case, EndlessCase):
        return Outcome(failure_forever(formula, case))
    run = _Run(Environment.of(case))
    with ctx.workprec(_BITS):
        run.outcome.failure = _decided(formula)(run, "")
    return run.outcome


def evaluate_claim(claim: Claim, case: Case | EndlessCase) -> Outcome:
    """Whether every part of the claim holds at the case, where its hypotheses do: those that are not endless at a case,
    the endless ones at an endless case.  Raises `OutsideTable`.
    """
    if isinstance(case, EndlessCase):
        return _forever(claim, case)
    run = _Run(Environment.of(case))
    with ctx.workprec(_BITS):
        true = {label: _holds(formula, run) for label, formula in claim.hypotheses if not endless(formula)}
        for part in claim.parts:
            if not endless_part(claim, part) and all(true[label] for label in part.given):
                run.outcome.met.add(part.name)
                run.outcome.failure = run.outcome.failure or _decided(part.asserts)(run, part.name)
    return run.outcome


def _forever(claim: Claim, case: EndlessCase) -> Outcome:
    outcome, known = Outcome(), dict(claim.hypotheses)
    true = cache(lambda label: failure_forever(known[label], case) is None)
    for part in (p for p in claim.parts if endless_part(claim, p)):
        if all(true(label) for label in part.given):
            outcome.met.add(part.name)
            outcome.failure = outcome.failure or failure_forever(part.asserts, case, part.name)
    return outcome


def evaluate_in(formula: Formula, env: Environment) -> Failure | None:
    """Where the formula fails in an environment, whose values may be balls; raises `OutsideTable` if they overlap."""
    with ctx.workprec(_BITS):
        return _decided(formula)(_Run(env), "")


class _Run:
    """One evaluation: the environment, the names given with the case, and what was seen."""

    def __init__(self, env: Environment, outcome: Outcome | None = None) -> None:
        self.env, self.given, self.outcome = env, frozenset(env.ints), outcome or Outcome()


Decided = Callable[[_Run, str], "Failure | None"]


def _holds(formula: Formula, run: _Run) -> bool:
    """A hypothesis: whether it holds, without counting its inequalities."""
    if isinstance(formula, ForAllFn):
        return all(_holds(formula.body, inner) for inner in _thresholds(formula.symbol, run.env))
    strict = run.outcome.strict
    failure = _decided(formula)(run, "")
    run.outcome.strict = strict
    return failure is None


def _thresholds(symbol: Symbol, env: Environment) -> Iterator[_Run]:
    """The environment with ``symbol`` set to [j >= l], for l = 1, ..., n + 1."""
    n = env.ints["n"]
    for low in range(1, n + 2):
        values: Values = {(j,): ONE if j >= low else ZERO for j in range(1, n + 1)}
        yield _Run(Environment(dict(env.ints), {**env.tables, symbol.name: values}))


@lru_cache(maxsize=4096)
def _decided(formula: Formula) -> Decided:
    """The formula compiled to a function that finds where it fails, or None."""
    match formula:
        case Relation():
            return _relation(formula)
        case ForAll():
            return _for_all(formula)
        case Exists():
            return _exists(formula)
        case And(parts):
            named = [(name, _decided(f)) for name, f in parts]
            return lambda run, part: _first(decide(run, f"{part}/{name}".strip("/")) for name, decide in named)
        case Implies(hypothesis, body):
            inner = _decided(body)
            return lambda run, part: inner(run, part) if _holds(hypothesis, run) else None
        case Holds():
            return _decided(unfold_property(formula))
    raise OutsideTable("a claim for all functions cannot be evaluated")


def _relation(formula: Relation) -> Decided:
    left, right, equation = compiled(formula.left), compiled(formula.right), formula.op == "="
    strictly = formula.op == "<"

    def decide(run: _Run, part: str) -> Failure | None:
        a, b = left(run.env), right(run.env)
        if a == b and not strictly:
            return None
        if a < b and not equation:
            run.outcome.strict = True
            return None
        if (isinstance(a, arb) or isinstance(b, arb)) and not _certain(a, b):
            if a <= b and formula.op == "<=":
                return None
            raise OutsideTable("balls overlap: undecided")
        at = tuple(sorted((name, value) for name, value in run.env.ints.items() if name not in run.given))
        return Failure(part, at, a, formula.op, b)

    return decide


def _certain(a: Value, b: Value) -> bool:
    """Whether balls leave no doubt that the values differ, or both are exact."""
    return bool(a != b) and bool(a < b or a > b)


def _for_all(formula: ForAll) -> Decided:
    if formula.range.high is None:
        raise OutsideTable("a claim for infinitely many indices cannot be evaluated")
    body, var = _decided(formula.body), formula.range.var
    low, high = index_value(formula.range.low), index_value(formula.range.high)

    def decide(run: _Run, part: str) -> Failure | None:
        ints = run.env.ints
        hidden = ints.get(var)
        for value in range(low(ints), high(ints) + 1):
            ints[var] = value
            failure = body(run, part)
            if failure is not None:
                break
        else:
            failure = None
        ints.pop(var, None)
        if hidden is not None:
            ints[var] = hidden
        return failure

    return decide


def _exists(formula: Exists) -> Decided:
    if formula.range.high is None:
        raise OutsideTable("a claim for infinitely many indices cannot be evaluated")
    body, var = _decided(formula.body), formula.range.var
    low, high = index_value(formula.range.low), index_value(formula.range.high)

    def decide(run: _Run, part: str) -> Failure | None:
        ints, strict = run.env.ints, run.outcome.strict
        for value in range(low(ints), high(ints) + 1):
            inner = _Run(run.env.at({**ints, var: value}), run.outcome)
            run.outcome.strict = strict  # what was strict at an integer that is none does not count
            if body(inner, part) is None:
                return None
        at = tuple(sorted((name, value) for name, value in ints.items() if name not in run.given))
        return Failure(part, at, ZERO, "", ZERO, f"there is no such {var}")

    return decide


def _first(failures: Iterator[Failure | None]) -> Failure | None:
    return next((f for f in failures if f is not None), None)
