"""What a profile is compared with: the measured influence of BLOOM-176B, or a CSV file with position,influence."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numeric.number import read_integer
from numeric.refuse import flag, refusal, shown
from proofs.commands.options import finite
from proofs.input_file import read_text
from proofs.output import printable

if TYPE_CHECKING:
    from proofs.commands.setting import Setting

__all__ = ["Comparison", "compare", "influence_for"]

NAME = "--against"
MEASURED = "bloom-176b"  # the one model whose influence was measured


@dataclass(frozen=True)
class Comparison:
    """W1 in positions and relative to n − 1, and Spearman's correlation (None where a profile is constant)."""

    wasserstein: float
    wasserstein_positions: float
    spearman: float | None


def influence_for(text: str, setting: Setting) -> Any:
    """The influence that --against names, one nonnegative value per position of the setting."""
    if setting.length == 1:
        raise refusal("--against", "be left out for one position, where nothing can differ", text)
    return _measured(setting) if text == "measured" else _from_file(text, setting.length)


def compare(profile: Any, influence: Any) -> Comparison:
    """The distance and the rank correlation of a profile and an influence of the same length."""
    from numeric.order import spearman, wasserstein

    distance = wasserstein(profile, influence)
    constant = any(values.min() == values.max() for values in (profile, influence))
    return Comparison(distance / (len(profile) - 1), distance, None if constant else spearman(profile, influence))


def _measured(setting: Setting) -> Any:
    from numeric.published import find, measured_influence

    model = find(MEASURED)
    measured = (model.length, model.layers, model.heads)
    found = (setting.length, setting.layers, setting.heads)
    if found != measured:
        requirement = f"be a CSV file unless (n, T, H) = {measured}, those of the one measurement there is"
        raise flag(NAME, requirement, f"'measured' with {found}")
    return measured_influence(MEASURED)


def _from_file(path: str, length: int) -> Any:
    """The column influence; ``position`` counts from 0. Lines that begin with # are comments."""
    import numpy as np

    lines = read_text(path, NAME).split("\n")
    kept = [(number, line) for number, line in enumerate(lines, start=1) if line.strip() and line[0] != "#"]
    header = [cell.strip() for cell in kept[0][1].split(",")] if kept else []
    if "position" not in header or "influence" not in header:
        raise flag(NAME, "have a header with position and influence", shown(",".join(header)), printable(path))
    columns = (len(header), header.index("position"), header.index("influence"))
    values = [
        _value(line, columns, position, f"{printable(path)}, line {number}")
        for position, (number, line) in enumerate(kept[1:])
    ]
    if len(values) != length:
        raise flag(NAME, f"have one row per position ({length})", f"{len(values)} rows", printable(path))
    if max(values) == 0:
        raise refusal(NAME, "have a positive sum", 0, printable(path))
    return np.array(values)


def _value(line: str, columns: tuple[int, int, int], position: int, place: str) -> float:
    """The influence on one line, whose position must be the next one."""
    width, at_position, at_influence = columns
    try:
        row = next(csv.reader(io.StringIO(line), strict=True))
    except csv.Error as error:
        raise flag(NAME, "be a CSV file", str(error), place) from None
    if len(row) != width:
        raise flag(NAME, f"have {width} columns", f"{len(row)}", place)
    if read_integer(row[at_position], "position", place) != position:
        raise refusal("position", f"count from 0 by one, here {position}", row[at_position], place)
    value = finite(row[at_influence], "influence", place)
    if value < 0:
        raise refusal("influence", "be nonnegative", row[at_influence], place)
    return value
