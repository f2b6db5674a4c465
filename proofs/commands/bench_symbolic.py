"""``posbias bench symbolic``: how many times quicker closed forms, rational rows and enclosures are than other ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from proofs.commands.bench_cells import DISAGREE, duration, ratio, size
from proofs.output import Outcome, as_json, note, table

if TYPE_CHECKING:
    from proofs.command_cost import Cost
    from proofs.row_benchmark import RowTiming
    from proofs.symbolic_benchmark import Timing

__all__ = ["run"]

FORMATS = ("text", "json")
OTHERS = ("sympy", "rings", "flint")
ROWS = {"first": "fraction", "exact": "fraction", "arb": "iv"}  # what is compared with what
WHOLE = 8, 3  # n = T of the whole command, --quick or not: a million and a half terms


@dataclass(frozen=True)
class Measured:
    """symbols by (n, T), slowest route first; rows at n = T = size; the costs of ``posbias derive`` by format."""

    symbols: list[Timing]
    size: int
    rows: list[RowTiming]
    derived: int
    costs: dict[str, Cost]

    @property
    def agrees(self) -> bool:
        """Whether every route had the same, and the command came to its end."""
        found = [
            *(t.same for t in self.symbols),
            *(t.same for t in self.rows),
            *(c.code == 0 for c in self.costs.values()),
        ]
        return all(found)

    def times(self, timing: Timing, route: str) -> float | None:
        """How many times quicker than ``route`` this was at that size; None where that was not timed."""
        of = (timing.n, timing.T, route)
        other = next((t for t in self.symbols if (t.n, t.T, t.route) == of), None)
        return None if other is None else other.seconds / timing.seconds

    def row_times(self, timing: RowTiming) -> float | None:
        """How many times quicker than what one writes first in the same arithmetic; None for that itself."""
        other = next((t for t in self.rows if t.route == ROWS.get(timing.route)), None)
        return None if other is None else other.seconds / timing.seconds


def run(quick: bool, json: bool) -> Outcome:
    """The tables, or JSON; exit code 1 where two routes differ."""
    found = _measured(quick)
    return Outcome(as_json(_json(found)) if json else _text(found), 0 if found.agrees else DISAGREE)


def _measured(quick: bool) -> Measured:
    from proofs import row_benchmark, symbolic_benchmark
    from proofs.command_cost import cost

    repeats = 3 if quick else 7
    derived, costs = WHOLE[quick], {}
    for form in FORMATS:
        note(f"derive: {form}")
        costs[form] = cost(("derive", "-n", str(derived), "-T", str(derived), "--format", form))
    symbols = []
    for n, T in symbolic_benchmark.QUICK if quick else symbolic_benchmark.SIZES:
        for timing in symbolic_benchmark.timings(n, T, repeats):
            note(f"n = {n}, T = {T}: {timing.route}")
            symbols.append(timing)
    length = row_benchmark.QUICK if quick else row_benchmark.SIZE
    rows = []
    for row in row_benchmark.row_timings(length, repeats):
        note(f"rows: {row.route}")
        rows.append(row)
    note("")
    return Measured(symbols, length, rows, derived, costs)


# --- JSON -----------------------------------------------------------------------------------------------------------


def _json(found: Measured) -> dict[str, Any]:
    return {
        "symbols": [
            {
                "n": t.n, "T": t.T, "route": t.route, "terms": t.terms, "seconds": t.seconds,
                **{f"times_{other}": found.times(t, other) for other in OTHERS}, "same": t.same,
            }
            for t in found.symbols
        ],
        "rows": [
            {
                "n": found.size, "T": found.size, "route": t.route, "seconds": t.seconds,
                "against": ROWS.get(t.route), "times": found.row_times(t), "same": t.same,
            }
            for t in found.rows
        ],
        "derive": [
            {
                "n": found.derived, "T": found.derived, "format": form, "seconds": c.seconds, "bytes": c.memory,
                "code": c.code,
            }
            for form, c in found.costs.items()
        ],
        "agrees": found.agrees,
    }  # fmt: skip


# --- text -----------------------------------------------------------------------------------------------------------


def _text(found: Measured) -> str:
    n = found.derived
    lines = [
        ("symbols", "last row, a kernel and a mixing coefficient per layer, each row's first column eliminated"),
        ("rows", f"n = T = {found.size}, dense kernels with rational weights; iv and arb at 53 bits"),
        ("command", f"posbias derive -n {n} -T {n}: {', '.join(_cost(*of) for of in found.costs.items())}"),
        ("terms", _verdict(found.symbols, "agree, every one with its coefficient")),
        ("values", _verdict(found.rows, "agree, fractions exactly; every enclosure contains them")),
    ]
    return f"{table(lines)}\n\n{_symbols(found)}\n\n{_rows(found)}"


def _cost(form: str, cost: Cost) -> str:
    if cost.code:
        return f"{form} FAILED"
    held = "" if cost.memory is None else f" and {size(cost.memory)}"
    return f"{form} {duration(cost.seconds)}{held}"


def _verdict(timings: list[Timing] | list[RowTiming], agree: str) -> str:
    return agree if all(t.same for t in timings) else "DIFFER"


def _symbols(found: Measured) -> str:
    rows = [("n, T", "route", "terms", "time", *(f"vs {other}" for other in OTHERS))]
    for t in found.symbols:
        ratios = (ratio(found.times(t, other)) for other in OTHERS)
        rows.append((f"{t.n}, {t.T}", t.route, f"{t.terms:,}", duration(t.seconds), *ratios))
    return table(rows, frozenset({2, 3, 4, 5, 6}))


def _rows(found: Measured) -> str:
    rows = [("row", "time", "ratio", "")]
    for t in found.rows:
        rows.append(
            (t.route, duration(t.seconds), ratio(found.row_times(t)), f"vs {ROWS[t.route]}" if t.route in ROWS else "")
        )
    return table(rows, frozenset({1, 2}))
