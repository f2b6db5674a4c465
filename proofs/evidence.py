"""The kinds of evidence for one statement: its derivation, random cases, needed hypotheses, false twins.

Random evidence draws cases by Hypothesis and decides the claim at each in exact rationals; there is no tolerance.  A
case at which the claim fails is shrunk to a small one and printed.  The same draws try the twins: each must fail
somewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from time import perf_counter

from hypothesis import HealthCheck, Phase, Verbosity, configuration, given, seed, settings

from proofs.case import Case, OutsideTable
from proofs.checker import Refused, check
from proofs.endless import endless_part
from proofs.endless_case import EndlessCase
from proofs.evaluate import evaluate_claim
from proofs.failure import Failure
from proofs.statement import Claim, Evidence, Statement
from proofs.steps import Outside, Step, cited_facts, count_steps, nested
from proofs.term import Formula
from proofs.text import text_case, text_failure
from proofs.twins import drop_hypothesis, restate, twin_claim

__all__ = ["assumed", "derivation", "needed", "random_and_control"]

_TURNS = 12  # how often to draw again for cases that are all different
_AT_MOST = 5  # how many times as many cases to draw where a twin stands

Earlier = Mapping[str, Formula]
Steps = tuple[Step, ...]


def derivation(statement: Statement, before: Sequence[Statement]) -> Evidence:
    """Whether the checker accepts the derivation of the whole claim, and of the earlier statements it rests on."""
    start = perf_counter()
    refusal = _foundation(statement, tuple(before))
    steps = count_steps(statement.derivation)
    verdict = "proved" if refusal is None else "undecided"
    detail = "general n and T" if refusal is None else f"the checker refused: {refusal}"
    return Evidence("derivation", verdict, steps, perf_counter() - start, detail)


def _foundation(statement: Statement, before: tuple[Statement, ...]) -> str | None:
    """Why the statement, or one that it cites, is refused; None if all of them are accepted."""
    cited = set(cited_facts(statement.derivation))
    for position, lower in enumerate(before):
        if lower.id in cited and (why := _foundation(lower, before[:position])) is not None:
            return f"it cites {lower.id}: {why}"
    return _accepted(statement, before)


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


def _accepted_changes(claim: Claim, changed: Steps, statement: Statement, earlier: Earlier) -> list[str]:
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


def needed(statement: Statement, earlier: Earlier) -> Evidence:
    """Whether each listed case refutes the claim without the hypothesis, and not the claim with it."""
    start = perf_counter()
    wrong = [
        f"{item.hypothesis}: {why}"
        for item in statement.needed
        if (why := _not_needed(statement, item.hypothesis, item.case, earlier))
    ]
    detail = "; ".join(wrong) or ", ".join(item.hypothesis for item in statement.needed)
    return Evidence("needed", "failed" if wrong else "held", len(statement.needed), perf_counter() - start, detail)


def _not_needed(statement: Statement, hypothesis: str, case: Case | EndlessCase, earlier: Earlier) -> str | None:
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
    steps = drop_hypothesis(statement.derivation, weaker, hypothesis)
    idle = _accepted_changes(weaker, steps, statement, earlier)
    return f"the derivation of {', '.join(idle)} is accepted without it" if idle else None


# --- random cases and twins -----------------------------------------------------------------------


class _RefutedError(Exception):
    """The claim fails at a case."""


@dataclass
class _Tally:
    """What the drawn cases amounted to."""

    wanted: int
    smallest: tuple[tuple[int, ...], Case, Failure] | None = None
    seen: set[Case] = field(default_factory=set)
    cases: int = 0
    large: int = 0
    strict: int = 0
    met: Counter[str] = field(default_factory=Counter)
    endless: int = 0
    twin_seconds: float = 0.0

    def refuted(self, case: Case, failure: Failure) -> None:
        """Keep the smallest witness: fewest positions, then layers, then the shortest numbers."""
        cells = [value for _, table in case.tables for _, value in table.cells()]
        size = (case.n, case.layers, len(cells), sum(abs(x.numerator) + x.denominator for x in cells))
        if self.smallest is None or size < self.smallest[0]:
            self.smallest = size, case, failure


def random_and_control(
    statement: Statement, earlier: Earlier, *, count: int, seed_value: int
) -> tuple[Evidence, Evidence]:
    """The claim, and its twins, at ``count`` drawn cases, or more while some twin stands or some part is not met."""
    start = perf_counter()
    twins = {twin.name: twin_claim(statement.claim, twin) for twin in statement.twins}
    accepted = [
        name
        for name, claim in twins.items()
        if _accepted_changes(claim, restate(statement.derivation, claim.conclusion), statement, earlier)
    ]
    alive = {twin.name: twins[twin.name].only(twin.path[0]) for twin in statement.twins}
    checked = perf_counter() - start
    tally = _Tally(count)
    random = _random(statement, tally, alive, seed_value)
    wrong = [*(f"the derivation accepts {name}" for name in accepted), *(f"no case refuses {name}" for name in alive)]
    refused = len(twins) - len({*accepted, *alive})
    verdict = "failed" if wrong or not twins else "held"
    return random, Evidence("control", verdict, refused, checked + tally.twin_seconds, "; ".join(wrong or twins))


def _random(statement: Statement, tally: _Tally, alive: dict[str, Claim], seed_value: int) -> Evidence:
    start = perf_counter()
    has_layers = _has_layers(statement.claim)

    def visit(case: Case) -> None:
        if case in tally.seen or tally.cases >= tally.wanted:
            return
        outcome = evaluate_claim(statement.claim, case)
        if outcome.failure is not None:
            tally.refuted(case, outcome.failure)
            raise _RefutedError
        tally.seen.add(case)
        tally.cases += 1
        tally.large += case.n >= 4 and (case.layers >= 2 or not has_layers)
        tally.strict += outcome.strict
        tally.met.update(outcome.met)
        _try_twins(alive, case, tally)

    verdict, detail = _drawn(visit, statement, tally, alive, seed_value)
    if verdict == "held" and statement.endless is not None:
        verdict, detail = _endlessly(statement, tally, alive, detail)
    elif verdict == "held" and (limits := _endless_parts(statement.claim)):
        detail += f"; not the limits ({', '.join(limits)})"
    return Evidence("random", verdict, tally.cases, perf_counter() - start - tally.twin_seconds, detail)


def _endlessly(statement: Statement, tally: _Tally, alive: dict[str, Claim], detail: str) -> tuple[str, str]:
    """The parts on limits, and their twins, at layers without end whose partial products are known exactly."""
    assert statement.endless is not None
    met: Counter[str] = Counter()
    for case in statement.endless(True):
        outcome = evaluate_claim(statement.claim, case)
        if outcome.failure is not None:
            return "refuted", f"{text_failure(outcome.failure)} at {text_case(case)}"
        met.update(outcome.met)
        tally.endless += 1
        _try_twins(alive, case, tally)
    idle = [name for name in _endless_parts(statement.claim) if not met[name]]
    if idle:
        return "undecided", f"no endless case meets the hypotheses of {', '.join(idle)}"
    return "held", f"{detail}; limits at {tally.endless} endless sequences of layers with exact partial products"


def _endless_parts(claim: Claim) -> list[str]:
    """The parts that no case of finitely many values decides."""
    return [part.name for part in claim.parts if endless_part(claim, part)]


def _drawn(
    visit: Callable[[Case], None], statement: Statement, tally: _Tally, alive: dict[str, Claim], seed_value: int
) -> tuple[str, str]:
    try:
        with _no_files_left():
            for turn, missing in _turns(statement.claim, tally, alive):
                test = _settings(missing + missing // 8 + 6)(given(statement.cases())(visit))
                seed(_TURNS * seed_value + turn)(test)()
    except _RefutedError:
        assert tally.smallest is not None
        _, case, failure = tally.smallest
        return "refuted", f"{text_failure(failure)} at {text_case(case)}"
    except OutsideTable as why:
        return "undecided", f"the claim cannot be evaluated: {why}"
    if idle := _idle(statement.claim, tally):
        return "undecided", f"no case meets the hypotheses of {', '.join(idle)}"
    return "held", _quality(statement.claim, tally)


def _turns(claim: Claim, tally: _Tally, alive: dict[str, Claim]) -> Iterator[tuple[int, int]]:
    """How many cases to draw, turn by turn: a turn repeats small cases, which count once."""
    count = tally.wanted
    for turn in range(_TURNS):
        if tally.cases >= tally.wanted:
            standing = any(not endless_part(twin, twin.parts[0]) for twin in alive.values())
            if tally.wanted >= _AT_MOST * count or not (standing or _idle(claim, tally)):
                return
            tally.wanted += count
        yield turn, tally.wanted - tally.cases


def _idle(claim: Claim, tally: _Tally) -> list[str]:
    """The parts, of those that cases decide, whose hypotheses no case has met."""
    return [part.name for part in claim.parts if not endless_part(claim, part) and not tally.met[part.name]]


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )


@contextmanager
def _no_files_left() -> Iterator[None]:
    """Hypothesis keeps notes in a folder where it runs; a command that only checks must leave nothing behind."""
    home = getattr(configuration, "__hypothesis_home_directory", None)
    with TemporaryDirectory() as folder:
        configuration.set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            configuration.set_hypothesis_home_dir(home)


def _has_layers(claim: Claim) -> bool:
    return any(r.var in ("T", "s") for r in claim.indices)


def _quality(claim: Claim, tally: _Tally) -> str:
    """What the cases were worth: large ones, strict ones, and how often each part had its hypotheses met."""
    large = "n >= 4 and T >= 2" if _has_layers(claim) else "n >= 4"
    strict = f", {tally.strict} strict" if tally.strict else ""
    met = min(tally.met.values())
    return f"different cases in exact rationals: {tally.large} with {large}{strict}, each part in at least {met}"


def _try_twins(alive: dict[str, Claim], case: Case | EndlessCase, tally: _Tally) -> None:
    start = perf_counter()
    for name, claim in list(alive.items()):
        try:
            if not evaluate_claim(claim, case).holds:
                del alive[name]
        except OutsideTable:
            continue
    tally.twin_seconds += perf_counter() - start
