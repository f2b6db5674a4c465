r"""LaTeX read back: ``read(latex).value(letters)``.

    read(r"\frac{\lambda_{1}}{2}-q^{2}").value({"lambda": lambda t: Fraction(t, 3), "q": Fraction(1, 2)})
    read(r"(AB)_{i,j}", A=2, B=2).value({"n": 3, "i": 1, "j": 2, "A": ..., "B": ...})
    read(r"A_{i,j}\le 1\quad\text{for }1\le i\le n").readings(letters, drawn)

A letter's name is what it stands for: lambda, g*, w1.  What the reader does not know is an error, never passed over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tests.proofs.reading import trees as t
from tests.proofs.reading.formulas import Formulas
from tests.proofs.reading.operators import Call
from tests.proofs.reading.readings import readings
from tests.proofs.reading.tokens import Unread, tokens
from tests.proofs.reading.values import Letters, value

__all__ = ["Read", "Unread", "read"]


@dataclass(frozen=True)
class Read:
    """A tree, and its values."""

    tree: t.Formula | t.Value

    def value(self, letters: Letters) -> Fraction:
        """The value of what is no formula; of an equation, of its right side."""
        tree = self.tree.values[-1] if isinstance(self.tree, t.Chain) and set(self.tree.signs) == {"="} else self.tree
        if isinstance(tree, t.Formula):
            raise ValueError("a formula has no value")
        return value(tree, letters)

    def readings(self, letters: Letters, drawn: Callable[[str], Call]) -> list[tuple[object, ...]]:
        """What a formula says at these values."""
        if isinstance(self.tree, t.Value):
            raise ValueError("a value says nothing")
        return list(readings(self.tree, letters, drawn))


def read(latex: str, **kinds: int) -> Read:
    """Reads all of it, or raises `Unread`; ``kinds`` says how many indices a letter takes, where that does not show."""
    return Read(Formulas(tokens(latex), kinds).whole())
