"""Random evidence and controls: a claim and its false twins at drawn cases.

Cases are drawn by Hypothesis, and the claim is decided at each in exact rationals; there is no tolerance.  A case at
which the claim fails is shrunk to a small one and printed.  The same draws try the twins: each must fail somewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from time import perf_counter
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, Verbosity, configuration, given, seed, settings
from hypothesis.internal.conjecture import providers

from proofs.case import Case, OutsideTable
from proofs.cases.deep_cases import DEPTH, room_for_depth
from proofs.endless import endless_part
from proofs.endless_case import EndlessCase
from proofs.evaluate import evaluate_claim
from proofs.evidence import Earlier, accepted_changes
from proofs.failure import Failure
from proofs.statement import Claim, Evidence, Statement
from proofs.text import text_case, text_failure
from proofs.twins import restate, twin_claim

__all__ = ["random_and_control"]

_TURNS = 12  # how often to draw again for cases that are all different
_AT_MOST = 5  # how many times as many cases to draw where a twin stands


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
    statement: Statement, earlier: Earlier, *, count: int, seed_value: int, deep: bool = False
) -> tuple[Evidence, Evidence]:
    """The claim, and its twins, at ``count`` drawn cases, or more while some twin stands or some part is not met.

    deep: the claim at stacks of 400 layers besides, where the statement draws such.
    """
    start = perf_counter()
    twins = {twin.name: twin_claim(statement.claim, twin) for twin in statement.twins}
    accepted = [
        name
        for name, claim in twins.items()
        if accepted_changes(claim, restate(statement.derivation, claim.conclusion), statement, earlier)
    ]
    alive = {twin.name: twins[twin.name].only(twin.path[0]) for twin in statement.twins}
    checked = perf_counter() - start
    tally = _Tally(count)
    random = _random(statement, tally, alive, seed_value, deep)
    wrong = [*(f"the derivation accepts {name}" for name in accepted), *(f"no case refuses {name}" for name in alive)]
    refused = len(twins) - len({*accepted, *alive})
    verdict = "failed" if wrong or not twins else "held"
    return random, Evidence("control", verdict, refused, checked + tally.twin_seconds, "; ".join(wrong or twins))


def _random(statement: Statement, tally: _Tally, alive: dict[str, Claim], seed_value: int, deep: bool) -> Evidence:
    start = perf_counter()
    has_layers = _has_layers(statement.claim)

    def visit(case: Case) -> None:
        enough = tally.cases >= tally.wanted and tally.smallest is None  # a failure has to fail again when it is shrunk
        if case in tally.seen or enough:
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
    if verdict == "held" and deep and statement.deep is not None:
        verdict, detail = _deeply(statement, seed_value, detail)
    if verdict == "held" and statement.endless is not None:
        verdict, detail = _endlessly(statement, tally, alive, detail)
    elif verdict == "held" and (limits := _endless_parts(statement.claim)):
        detail += f"; not the limits ({', '.join(limits)})"
    return Evidence("random", verdict, tally.cases, perf_counter() - start - tally.twin_seconds, detail)


def _deeply(statement: Statement, seed_value: int, detail: str) -> tuple[str, str]:
    """The claim at stacks of many layers."""
    assert statement.deep is not None
    stacks = statement.deep(seed_value)
    for case in stacks:
        with room_for_depth():
            outcome = evaluate_claim(statement.claim, case)
        if outcome.failure is not None:
            return "refuted", f"{text_failure(outcome.failure)} at {case.layers} layers, seed {seed_value}"
    return "held", f"{detail}; {len(stacks)} stacks of {DEPTH} layers"


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
        with _no_files_left(), _no_modules_read():
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
def _no_modules_read() -> Iterator[None]:
    """Hypothesis reads the source of every module outside site-packages for constants to draw: a second in each
    process, and cases that depend on where the modules lie. A version without these two names draws as it likes.
    """
    cache = getattr(providers, "CONSTANTS_CACHE", None)
    local = getattr(providers, "_local_constants", None)
    if cache is None or local is None or not hasattr(providers, "_get_local_constants"):
        yield
        return
    permitted = type(cache)(1024)  # what it may draw, by range; that of other tests stays
    with (
        patch.object(providers, "_get_local_constants", type(local)),
        patch.object(providers, "CONSTANTS_CACHE", permitted),
    ):
        yield


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
