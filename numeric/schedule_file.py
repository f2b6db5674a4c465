"""λ_1 … λ_T from a CSV file, exactly: one value per line, or a header with a column ``lambda``.

Every value lies in [0, 1] or is refused with its line. What is no file is refused with the forms that --lam may have,
since a path is the last of them to be tried.
"""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from numeric.number import read_fraction
from numeric.refuse import InputError, flag, rational, refusal, shown

__all__ = ["FORMS", "RULES", "read_shares", "share_of"]

RULES = "a number, a fraction p/q, power:c,beta or geometric:c,r"
FORMS = (
    "a number, a fraction p/q, power:c,beta, geometric:c,r, a list of numbers, an existing CSV file or LIST then RULE"
)
LARGEST_FILE = 1 << 24  # bytes; a longer list of λ is a mistake


def share_of(value: object, name: str, place: str = "") -> Fraction:
    """``value`` as a rational in [0, 1]."""
    share = rational(value, name, place)
    if not 0 <= share <= 1:
        raise refusal(name, "lie in [0, 1]", value, place)
    return share


def read_shares(text: str) -> list[Fraction]:
    """The λ that the CSV file at ``text`` lists; InputError, which for what is no file names the other forms."""
    path = Path(text)
    try:
        if not path.is_file():
            raise _no_file(text, folder=bool(text.strip()) and path.is_dir())
        with path.open("rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
        if len(data) > LARGEST_FILE:
            raise flag("lam", "be a file of at most 16 MiB", "a longer one", str(path))
        content = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise flag("lam", "be a CSV file in UTF-8", "a binary file", str(path)) from None
    except InputError:
        raise
    except (OSError, ValueError):  # a null byte in the path is a ValueError
        raise refusal("lam", "be a file that can be read", text) from None
    return _read_column(content, str(path))


def _no_file(text: str, *, folder: bool) -> InputError:
    """The refusal of text that is no rule, no list and no file: with a word about 'then', where that is in it."""
    words = text.split()
    at = next((place for place, word in enumerate(words) if word.lower() == "then"), None)
    if folder:
        return flag("lam", "be a CSV file", "a folder", shown(text))
    if at is None:
        return refusal("lam", f"be {FORMS}", text)
    if words[at] != "then":
        return refusal("lam", "have 'then' in small letters between LIST and RULE", text)
    if at == len(words) - 1:
        return refusal("lam", f"end in {RULES} after 'then'", text)
    if at == 0:
        return refusal("lam", "have a list of numbers or a CSV file before 'then'", text)
    return refusal("lam", "have 'then' once, between LIST and RULE", text)


def _read_column(content: str, path: str) -> list[Fraction]:
    """The column lambda, or the only column, of the text of a CSV file."""
    reader = csv.reader(io.StringIO(content, newline=""))
    try:
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(c.strip() for c in row)]
    except csv.Error as error:
        raise flag("lam", "be a CSV file", str(error), f"{path}, line {reader.line_num}") from None
    if not rows:
        raise flag("lam", "have at least one value", "an empty file", path)
    header = [cell.lower() for cell in rows[0][1]]
    named = "lambda" in header
    rows = rows[1:] if named else rows
    width, column = (len(header), header.index("lambda")) if named else (1, 0)
    for line, row in rows:
        if len(row) != width:
            requirement = (
                f"have {width} columns" if named else "have one value per line or a header with a column lambda"
            )
            raise flag("lam", requirement, f"{len(row)} cells", f"{path}, line {line}")
    if named:
        _check_rows(header, rows, path)
    if not rows:
        raise flag("lam", "have at least one value", "a header only", path)
    return [share_of(read_fraction(row[column], "lam", at), "lam", at) for row, at in _placed(rows, path)]


def _check_rows(header: list[str], rows: list[tuple[int, list[str]]], path: str) -> None:
    """Refuses a file that mixes several models (or data sets, or lengths), or whose layers are out of order."""
    for name in ("model", "dataset", "sequence_length"):
        if name in header:
            found = sorted({row[header.index(name)] for _, row in rows})
            if len(found) > 1:
                raise flag("lam", f"be a file with one {name}", f"{len(found)} of them ({', '.join(found)})", path)
    if "layer" in header:
        layers = [(read_fraction(row[header.index("layer")], "layer", at), at) for row, at in _placed(rows, path)]
        for (before, _), (layer, at) in pairwise(layers):
            if layer != before + 1:
                raise refusal("layer", f"count on by one, to {before + 1}", layer, at)


def _placed(rows: list[tuple[int, list[str]]], path: str) -> list[tuple[list[str], str]]:
    return [(row, f"{path}, line {line}") for line, row in rows]
