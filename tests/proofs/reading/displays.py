r"""A display of formulas with what their letters stand for, read back: rows ``left &= right``, place and tag."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tests.proofs.reading.formulas import Formulas
from tests.proofs.reading.listed import CHANCE
from tests.proofs.reading.read import Read, read
from tests.proofs.reading.tokens import MARK, tokens
from tests.proofs.reading.values import Letters, truth

__all__ = ["Display", "Row", "display"]

_WORDS = r"\text{the "  # what is said in words is no formula


@dataclass(frozen=True)
class Row:
    """left = right for the positions of ``place``, by the statement ``tag``."""

    left: str
    right: str
    place: str
    tag: str


@dataclass(frozen=True)
class Display:
    """Rows; ``kinds`` says which letters are numbers."""

    rows: tuple[Row, ...]
    kinds: Mapping[str, int]

    @property
    def entries(self) -> list[Row]:
        """Those that are claimed; the others are definitions."""
        return [row for row in self.rows if row.tag]

    def value(self, row: Row, letters: Letters) -> Fraction:
        """The right side where the letters of the definitions stand for what the display says."""
        return self._read(row.right).value(self._defined(letters))

    def _read(self, right: str) -> Read:
        return read(right, **self.kinds)

    def _defined(self, letters: Letters) -> Letters:
        known: dict[str, Fraction | int | Callable[..., Fraction]] = dict(letters)
        for row in self.rows:
            if row.tag or _WORDS in row.right:
                continue
            found = self._read(row.right)
            name, bound = _left(row.left)
            if name == "h":  # that it is what h_d is known to be is a test of its own
                continue
            if not bound:
                known[name] = found.value(known)
            else:
                known[name] = lambda x, found=found, bound=bound: found.value({**known, bound: x})
        return known

    def positions(self, row: Row, n: int) -> list[int]:
        """Those that the place and the name of an entry say, 1, …, n."""
        index = re.fullmatch(r"p_\{(\w+)\}", row.left)
        assert index is not None
        named = {"j": range(1, n + 1), "n": range(n, n + 1)}.get(index[1]) or [int(index[1])]
        return [j for j in named if not row.place or self._holds(row.place, {"n": n, "j": j})]

    def _holds(self, place: str, letters: Letters) -> bool:
        reader = Formulas(tokens(place), {})
        reader.take(MARK + "for")
        chain = reader.chain(reader.value())
        reader.end()
        return truth(chain, letters)


def _left(left: str) -> tuple[str, str]:
    """The name that is defined, and the letter that stands for any index or number."""
    known = {"P(K=k)": (CHANCE, "k"), r"h_{d}(u_{j},\dots,u_{n})": ("h", "")}
    if left in known:
        return known[left]
    found = re.fullmatch(r"\\?([A-Za-z]+)(?:_\{([a-z])\}|\(([a-z])\))?", left)
    assert found is not None, left
    return found[1], found[2] or found[3] or ""


def display(latex: str, **kinds: int) -> Display:
    """The rows of an align* environment."""
    inner = latex.partition(r"\begin{align*}")[2].partition(r"\end{align*}")[0]
    whole = inner.replace(" \\\\\n  &\\qquad{}", " ").strip().split(" \\\\\n")
    return Display(tuple(map(_row, whole)), kinds)


def _row(line: str) -> Row:
    line = " ".join(line.split())
    tag = re.search(r"\\tag\{(\w+)\}", line)
    left, _, right = re.sub(r"\\tag\{\w+\}", "", line).partition("&=")
    formula, _, place = right.partition(r"\quad")
    return Row(left.strip(), formula.strip(), place, tag[1] if tag else "")
