"""What ``posbias derive`` was asked, as it was typed, and the weights of a prefix kernel from a list or a file."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from numeric.nearest import one_of
from numeric.number import is_number, read_fraction
from numeric.refuse import flag, refusal
from proofs.output import printable

__all__ = ["FORMATS", "Numbers", "Wanted", "format_of", "read_weights"]

FORMATS = ("text", "latex", "python", "json")


@dataclass(frozen=True)
class Numbers:
    """The options that ask for numbers; None where they were left out."""

    weights: str | None = None
    slope: str | None = None
    e: str | None = None
    depth: str | None = None
    digits: str | None = None
    at: str | None = None


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed; None where they were left out."""

    length: str | None
    layers: str | None
    entry: str | None
    kernel: str
    shared: bool
    lam: str | None
    eliminate: str | None
    format: str | None
    json: bool
    continuous: bool = False
    numbers: Numbers = Numbers()
    dots: str | None = None


def format_of(wanted: Wanted) -> str:
    """The format to write in."""
    if wanted.format is not None:
        one_of(wanted.format, "--format", FORMATS)
    if wanted.json and wanted.format not in (None, "json"):
        raise refusal("--format", "be json or left out beside --json", wanted.format)
    form_of = "json" if wanted.json else wanted.format or "text"
    if wanted.dots is not None and form_of != "latex":
        raise refusal("--dots", "be left out unless --format latex is given", wanted.dots)
    return form_of


def read_weights(text: str) -> tuple[Fraction, ...]:
    """w_1 … w_n > 0 from a list with commas, or from a file with a value a line, perhaps under the word weight."""
    cells = text.split(",")
    if all(map(is_number, cells)):
        return tuple(_positive(cell, f"entry {at}, counted from 1") for at, cell in enumerate(cells, start=1))
    if len(cells) > 1 and any(map(is_number, cells)):
        at, cell = next((at, cell) for at, cell in enumerate(cells, start=1) if not is_number(cell))
        raise refusal("--weights", "be a number (decimal or fraction p/q)", cell, f"entry {at}, counted from 1")
    from proofs.input_file import read_text

    lines = [(at, line.strip()) for at, line in enumerate(read_text(text, "--weights").split("\n"), start=1)]
    lines = [(at, line) for at, line in lines if line]
    if lines[0][1].lower() in ("weight", "weights", "w"):
        lines = lines[1:]
    if not lines:
        raise flag("--weights", "have at least one value", "a header only", printable(text))
    return tuple(_positive(line, f"{printable(text)}, line {at}") for at, line in lines)


def _positive(text: str, place: str) -> Fraction:
    value = read_fraction(text, "--weights", place)
    if value <= 0:
        raise refusal("--weights", "be positive", value, place)
    return value
