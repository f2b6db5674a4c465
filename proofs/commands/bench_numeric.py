"""``posbias bench numeric``: how many times quicker the profile is than other ways to the same row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from proofs.commands.bench_cells import DISAGREE, duration, ratio, size
from proofs.commands.options import MOST_HEADS, Typed
from proofs.output import Outcome, as_json, note, table

if TYPE_CHECKING:
    from numeric.benchmark import Timing, Work
    from proofs.commands.bench import Wanted

__all__ = ["run"]

MOST_LAYERS = 1000
MOST_POSITIONS = 1 << 20
SWEEPS = {"compiled": "compiled sweep", "numpy": "NumPy sweep", "rows": "row by row"}


@dataclass(frozen=True)
class Measured:
    """What was timed; growth and memory are of `profile`."""

    work: Work
    timings: list[Timing]
    growth: list[Timing]
    largest: int
    memory: int

    @property
    def agrees(self) -> bool:
        """Whether all rows of a length are the same within the tolerance; a NaN is not."""
        from numeric.benchmark import AGREE

        return all(t.difference <= AGREE for t in self.timings)

    def times(self, timing: Timing, route: str) -> float | None:
        """How many times quicker than ``route`` this was at that length; None where that was not timed."""
        other = next((t for t in self.timings if (t.n, t.route) == (timing.n, route)), None)
        return None if other is None else other.seconds / timing.seconds


def run(wanted: Wanted, typed: Typed) -> Outcome:
    """The table, or JSON; exit code 1 where two routes differ."""
    from numeric.benchmark import LENGTHS, Work

    length = typed.whole(wanted.length, 1, MOST_POSITIONS, "-n", "--length")
    layers = typed.whole(wanted.layers, 1, MOST_LAYERS, "-T", "--layers")
    heads = typed.whole(wanted.heads, 1, MOST_HEADS, "--heads")
    work = Work(layers or Work.layers, heads or Work.heads)
    lengths = LENGTHS if length is None and not wanted.quick else (length or LENGTHS[0],)
    found = _measured(work, lengths, 3 if wanted.quick else 7)
    text = as_json(_json(found)) if wanted.json else _text(found)
    return Outcome(text, 0 if found.agrees else DISAGREE)


def _measured(work: Work, lengths: tuple[int, ...], repeats: int) -> Measured:
    from numeric.benchmark import chosen, growth_lengths, memory, routes_for, timings

    found: list[Timing] = []
    growth: list[Timing] = []
    for n in lengths:
        for timing in timings(work, n, routes_for(work, n), repeats):
            note(f"n = {n}: {timing.route}")
            found.append(timing)
    if len(lengths) > 1:
        for n in growth_lengths(chosen(work, lengths[-1])):
            note(f"growth: n = {n}")
            growth.extend(timings(work, n, ("profile",), 3))
    largest = growth[-1].n if growth else lengths[-1]
    note(f"memory: n = {largest}")
    found_memory = memory(work, largest)
    note("")
    return Measured(work, found, growth, largest, found_memory)


def _numba() -> str | None:
    """The version of numba, or None where it is not installed; it is loaded only if the compiled sweep was."""
    from numeric.sweep import compiled

    if compiled() is None:
        return None
    from importlib.metadata import version

    return version("numba")


def _exponent(found: Measured) -> float | None:
    from numeric.benchmark import exponent

    return exponent([(t.n, t.seconds) for t in found.growth]) if found.growth else None


# --- JSON -----------------------------------------------------------------------------------------------------------


def _json(found: Measured) -> dict[str, Any]:
    from numeric.benchmark import AGREE, chosen

    lengths = sorted({t.n for t in found.timings})
    return {
        "layers": found.work.layers,
        "heads": found.work.heads,
        "threads": 1,
        "numba": _numba(),
        "timings": [
            {
                "n": t.n, "route": t.route, "seconds": t.seconds, "repeats": t.repeats,
                "times_plain": found.times(t, "plain"), "times_lfilter": found.times(t, "lfilter"),
                "difference": t.difference,
            }
            for t in found.timings
        ],
        "profile_route": {str(n): chosen(found.work, n) for n in lengths},
        "growth": [{"n": t.n, "seconds": t.seconds, "times_first": t.seconds / found.growth[0].seconds}
                   for t in found.growth],
        "exponent": _exponent(found),
        "memory": {"n": found.largest, "bytes": found.memory, "beyond_the_row": found.memory - 8 * found.largest},
        "tolerance": AGREE,
        "agrees": found.agrees,
    }  # fmt: skip


# --- text -----------------------------------------------------------------------------------------------------------


def _text(found: Measured) -> str:
    from numeric.benchmark import AGREE

    verdict = "agree" if found.agrees else "DIFFER"
    lines = [
        ("work", f"{found.work.layers} layers of {found.work.heads} ALiBi heads, content per layer and head"),
        ("threads", "one; the matrix products of 'plain' as NumPy's BLAS is set"),
        ("numba", _numba() or "not installed (extra: fast), so the sweep is NumPy's"),
        *_growth(found),
        ("memory", f"{size(found.memory)} at n = {found.largest}, {size(found.memory - 8 * found.largest)} "
                   "of it beyond the profile itself"),
        ("rows", f"{verdict} within {AGREE:g}"),
    ]  # fmt: skip
    return f"{table(lines)}\n\n{_table(found)}"


def _growth(found: Measured) -> list[tuple[str, str]]:
    power = _exponent(found)
    if power is None:
        return []
    first, last = found.growth[0], found.growth[-1]
    return [("growth", f"n^{power:.2f} from n = {first.n} to {last.n}, x{last.seconds / first.seconds:.1f}")]


def _table(found: Measured) -> str:
    rows = [("n", "route", "", "time", "vs plain", "vs lfilter", "difference")]
    for t in found.timings:
        ratios = ratio(found.times(t, "plain")), ratio(found.times(t, "lfilter"))
        rows.append((str(t.n), t.route, _what(found, t), duration(t.seconds), *ratios, f"{t.difference:.1e}"))
    return table(rows, frozenset({0, 3, 4, 5, 6}))


def _what(found: Measured, timing: Timing) -> str:
    from numeric.benchmark import chosen

    return f"({SWEEPS[chosen(found.work, timing.n)]})" if timing.route == "profile" else ""
