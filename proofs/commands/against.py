"""What a profile is compared with: the measured influence of BLOOM-176B, or a CSV file with position,influence."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from numeric.number import read_integer
from numeric.refuse import flag, refusal, shown
from proofs.commands.options import finite
from proofs.input_file import read_text
from proofs.output import printable

if TYPE_CHECKING:
    from proofs.commands.setting import Setting

__all__ = ["influence_for", "read_influence"]

NAME = "--against"
MEASURED = "bloom-176b"  # the one model whose influence was measured


def influence_for(text: str, setting: Setting) -> Any:
    """The influence that --against names, one nonnegative value per position of the setting."""
    if setting.length == 1:
        raise refusal("--against", "be left out for one position, where nothing can differ", text)
    return _measured(setting) if text == "measured" else read_influence(text, setting.length)


def _measured(setting: Setting) -> Any:
    from numeric.published import find, measured_influence

    model = find(MEASURED)
    measured = (model.length, model.layers, model.heads)
    found = (setting.length, setting.layers, setting.heads)
    if found != measured:
        requirement = f"be a CSV file unless (n, T, H) = {measured}, those of the one measurement there is"
        raise flag(NAME, requirement, f"'measured' with {found}")
    return measured_influence(MEASURED)


def read_influence(path: str, length: int, name: str = NAME) -> Any:
    """The column influence, (length,); ``position`` counts from 0. Lines that begin with # are comments.

    Raises InputError, naming argument ``name`` or the column, for another header, another number of rows, positions
    that do not count from 0 by one, a value that is negative or no number, and a sum of 0.
    """
    import numpy as np

    lines = read_text(path, name).split("\n")
    kept = [(number, line) for number, line in enumerate(lines, start=1) if line.strip() and line[0] != "#"]
    header = [cell.strip() for cell in kept[0][1].split(",")] if kept else []
    if "position" not in header or "influence" not in header:
        raise flag(name, "have a header with position and influence", shown(",".join(header)), printable(path))
    columns = (len(header), header.index("position"), header.index("influence"))
    values = [
        _value(line, columns, position, name, f"{printable(path)}, line {number}")
        for position, (number, line) in enumerate(kept[1:])
    ]
    if len(values) != length:
        hint = "; is the first token, BOS, among them?" if len(values) == length - 1 else ""
        raise flag(name, f"have one row per position ({length})", f"{len(values)} rows", printable(path) + hint)
    if max(values) == 0:
        raise refusal(name, "have a positive sum", 0, printable(path))
    return np.array(values)


def _value(line: str, columns: tuple[int, int, int], position: int, name: str, place: str) -> float:
    """The influence on one line, whose position must be the next one."""
    width, at_position, at_influence = columns
    try:
        row = next(csv.reader(io.StringIO(line), strict=True))
    except csv.Error as error:
        raise flag(name, "be a CSV file", str(error), place) from None
    if len(row) != width:
        raise flag(name, f"have {width} columns", f"{len(row)}", place)
    if read_integer(row[at_position], "position", place) != position:
        raise refusal("position", f"count from 0 by one, here {position}", row[at_position], place)
    value = finite(row[at_influence], "influence", place)
    if value < 0:
        raise refusal("influence", "be nonnegative", row[at_influence], place)
    return value
