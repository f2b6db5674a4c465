"""What the checker's acceptance amounts to: the derivation of one statement, and whether its hypotheses are needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from proofs.case import Case, OutsideTable
from proofs.checker import Refused, check
from proofs.endless_case import EndlessCase
from proofs.evaluate import evaluate_claim
from proofs.statement import Claim, Evidence, Statement
from proofs.steps import Outside, Step, cited_facts, count_steps, nested
from proofs.term import Formula
from proofs.twins import drop_hypothesis

__all__ = ["Checked", "Earlier", "accepted_changes", "assumed", "checked", "derivation", "needed"]

Earlier = Mapping[str, Formula]
Steps = tuple[Step, ...]


@dataclass(frozen=True)
class Checked:
    """What the checker says of one derivation, given what it cites: why it is refused, or None."""

    refusal: str | None
    seconds: float


def checked(statement: Statement, before: Sequence[Statement]) -> Checked:
    """The derivation of the claim, not of what it cites."""
    start = perf_counter()
    refusal = _accepted(statement, tuple(before))
    return Checked(refusal, perf_counter() - start)


def derivation(
    statement: Statement, before: Sequence[Statement], known: Mapping[str, Checked] | None = None
) -> Evidence:
    """Whether the checker accepts the derivation of the whole claim, and of the earlier statements it rests on.

    known: what it said of this one and of those, by id; otherwise they are checked now.
    """
    start = perf_counter()
    refusal = _foundation(statement, tuple(before), known)
    seconds = perf_counter() - start if known is None else known[statement.id].seconds
    verdict = "proved" if refusal is None else "undecided"
    detail = "general n and T" if refusal is None else f"the checker refused: {refusal}"
    return Evidence("derivation", verdict, count_steps(statement.derivation), seconds, detail)


def _foundation(statement: Statement, before: tuple[Statement, ...], known: Mapping[str, Checked] | None) -> str | None:
    """Why the statement, or one that it cites, is refused; None if all of them are accepted."""
    cited = set(cited_facts(statement.derivation))
    for position, lower in enumerate(before):
        if lower.id in cited and (why := _foundation(lower, before[:position], known)) is not None:
            return f"it cites {lower.id}: {why}"
    return _accepted(statement, before) if known is None else known[statement.id].refusal


def assumed(statement: Statement, before: Sequence[Statement]) -> tuple[str, ...]:
    """The classical facts that the derivation takes from outside, or those of the earlier statements it rests on."""
    return tuple(sorted(set(_assumed(statement, tuple(before)))))


def _assumed(statement: Statement, before: tuple[Statement, ...]) -> Iterator[str]:
    yield from _taken(statement.derivation)
    cited = set(cited_facts(statement.derivation))
    for position, lower in enumerate(before):
        if lower.id in cited:
            yield from _assumed(lower, before[:position])


def _taken(steps: Steps) -> Iterator[str]:
    for step in steps:
        if isinstance(step.reason, Outside):
            yield step.reason.name
        for inner in nested(step):
            yield from _taken(inner)


_CHECKED: dict[tuple[int, ...], tuple[tuple[Statement, ...], str | None]] = {}


def _accepted(statement: Statement, before: tuple[Statement, ...]) -> str | None:
    """The refusal of one derivation; remembered for these very objects, which the memory keeps alive."""
    objects = (statement, *before)
    key = tuple(map(id, objects))
    if key not in _CHECKED:
        claim, facts = statement.claim, {s.id: s.claim.closed() for s in before}
        _CHECKED[key] = objects, _refusal(statement.derivation, claim.closed(), claim.fix, facts)
    return _CHECKED[key][1]


def _refusal(steps: Steps, goal: Formula, fix: tuple[str, ...], earlier: Earlier) -> str | None:
    try:
        check(steps, goal, fix, earlier)
    except Refused as why:
        return str(why)
    return None


def accepted_changes(claim: Claim, changed: Steps, statement: Statement, earlier: Earlier) -> list[str]:
    """The labels of the changed steps that the checker accepts where they stand.

    A step is checked with the facts before it, as in the whole derivation; what did not change needs no second check.
    """
    known = dict(earlier)
    accepted = []
    for step, original in zip(changed[:-1], statement.derivation[:-1], strict=True):
        if step != original and _refusal((step,), claim.close(step.formula), claim.fix, known) is None:
            accepted.append(step.label)
        known[original.label] = original.formula
    return accepted


# --- needed hypotheses ----------------------------------------------------------------------------


def needed(statement: Statement, earlier: Earlier, *, derivations: bool = True) -> Evidence:
    """Whether each listed case refutes the claim without the hypothesis, and not the claim with it.

    derivations: whether the derivation, too, has to be refused without it.
    """
    start = perf_counter()
    wrong = [
        f"{item.hypothesis}: {why}"
        for item in statement.needed
        if (why := _not_needed(statement, item.hypothesis, item.case, earlier if derivations else None))
    ]
    detail = "; ".join(wrong) or ", ".join(item.hypothesis for item in statement.needed)
    return Evidence("needed", "failed" if wrong else "held", len(statement.needed), perf_counter() - start, detail)


def _not_needed(statement: Statement, hypothesis: str, case: Case | EndlessCase, earlier: Earlier | None) -> str | None:
    if hypothesis not in dict(statement.claim.hypotheses):
        return "the claim has no such hypothesis"
    weaker = statement.claim.without(hypothesis)
    try:
        if not evaluate_claim(statement.claim, case).holds:
            return "the case refutes the claim itself"
        if evaluate_claim(weaker, case).holds:
            return "the claim holds at the case without it"
    except OutsideTable as why:
        return str(why)
    if earlier is None:
        return None
    steps = drop_hypothesis(statement.derivation, weaker, hypothesis)
    idle = accepted_changes(weaker, steps, statement, earlier)
    return f"the derivation of {', '.join(idle)} is accepted without it" if idle else None
