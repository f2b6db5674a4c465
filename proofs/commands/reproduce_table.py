"""The table of ``posbias reproduce``: as text, as CSV, as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from proofs.output import printable, table

if TYPE_CHECKING:
    from numeric.comparison import Comparison
    from numeric.reproduction import Departures, Row

__all__ = ["CSV_HEAD", "JSON_HEAD", "as_csv", "as_data", "as_text"]

CSV_HEAD = (
    "model,mixing,content,slopes,content_factor,reading,source,effective_depth,shape,valley_position,valley_value,"
    "wasserstein,wasserstein_positions,spearman"
)
PAPER = "arXiv:2602.16837"
JSON_HEAD = f'{{\n  "paper": "{PAPER}",\n  "table": ['
TABLE_HEAD = ("model", "variant", "reading", "S", "shape", "valley", "W1/(n-1)", "W1", "Spearman", "source")
NUMBERS = frozenset({3, 5, 6, 7, 8})


# --- text -----------------------------------------------------------------------------------------------------------


def as_text(rows: Sequence[Row], unused: Sequence[str], paths: Sequence[str]) -> str:
    """The table, positions from 1, what it says of the paper, and the files that were written."""
    cells = [TABLE_HEAD, *map(_cells, rows)]
    if all(row.variant.source == rows[0].variant.source for row in rows):
        cells = [line[:-1] for line in cells]  # the source of all of them goes without saying
    parts = [table(cells, NUMBERS), *map(_departures_text, _departures(rows))]
    if not any(row.variant.content != "none" for row in rows):
        parts.append("Without content: --experiments DIR takes it from the paper's experiment files.")
    if unused:
        parts.append(f"Not used, named for no published model: {', '.join(unused)}.")
    return "\n\n".join([*parts, "\n".join(map(printable, paths))])


def _cells(row: Row) -> tuple[str, ...]:
    v, at = row.variant, row.shape.valley.position
    return (
        v.model.name,
        v.name,
        v.reading,
        f"{row.effective_depth:.3f}",
        row.shape.label,
        "undecided" if at is None else str(at + 1),
        *_distances(row.comparison),
        v.source,
    )


def _distances(found: Comparison | None) -> tuple[str, str, str]:
    """Both distances and the rank correlation; a dash where nothing was measured or a profile is constant."""
    if found is None:
        return "-", "-", "-"
    rank = "-" if found.spearman is None else f"{found.spearman:.4f}"
    return f"{found.wasserstein:.4f}", f"{found.wasserstein_positions:.3f}", rank


def _departures(rows: Iterable[Row]) -> list[Departures]:
    """Those of the paper's figures that two departures from the model make, which compensate each other."""
    from numeric.reproduction import departures

    return [found for found in departures(rows) if found.compensate]


def _departures_text(found: Departures) -> str:
    h, d = found.model.heads, found.model.head_dim
    return (
        f"The paper's {found.paper:.4f} ({found.source}) rests on two departures from the model that compensate each"
        f" other:\nslopes 2^(-8h/{h}), and content not divided by sqrt({d}). With the model's slopes alone it is"
        f" {found.slopes:.4f},\nwith scaled content alone {found.scaled:.4f}, with both, as the model does it,"
        f" {found.both:.4f}."
    )


# --- data -----------------------------------------------------------------------------------------------------------


def as_csv(rows: Iterable[Row]) -> str:
    """Full precision, empty where there is nothing; ``valley_position`` counts from 0, as arrays do."""
    return "\n".join([CSV_HEAD, *(",".join(map(_csv_cell, _record(row, 0).values())) for row in rows)]) + "\n"


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    text = repr(value) if isinstance(value, float) else str(value)
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"') else text


def as_data(rows: Sequence[Row], influence: Mapping[str, Any], unused: Sequence[str]) -> dict[str, Any]:
    """The table and the models as JSON, positions from 1; ``unused`` are the experiment files that no row is of."""
    models = {row.variant.model.name: row.variant.model for row in rows}
    return {
        "paper": PAPER,
        "table": [_record(row, 1) for row in rows],
        "departures": [
            {
                "model": found.model.name,
                "source": found.source,
                "paper": found.paper,
                "model_slopes": found.slopes,
                "scaled_content": found.scaled,
                "both": found.both,
            }
            for found in _departures(rows)
        ],
        "models": [
            {
                "model": m.name,
                "length": m.length,
                "layers": m.layers,
                "heads": m.heads,
                "head_dim": m.head_dim,
                "configuration": m.configuration,
                "measured": m.name in influence,
            }
            for m in models.values()
        ],
        "unused": list(unused),
    }


def _record(row: Row, first: int) -> dict[str, Any]:
    """One row by the names of the CSV's columns; positions count from ``first``."""
    v, valley, found = row.variant, row.shape.valley, row.comparison
    factor = (1 / math.sqrt(v.model.head_dim) if v.scaled else 1.0) if v.content != "none" else None
    return {
        "model": v.model.name,
        "mixing": v.mixing,
        "content": v.content,
        "slopes": v.slopes,
        "content_factor": factor,
        "reading": v.reading,
        "source": v.source,
        "effective_depth": row.effective_depth,
        "shape": row.shape.label,
        "valley_position": None if valley.position is None else valley.position + first,
        "valley_value": float(valley.value),
        "wasserstein": None if found is None else found.wasserstein,
        "wasserstein_positions": None if found is None else found.wasserstein_positions,
        "spearman": None if found is None else found.spearman,
    }
