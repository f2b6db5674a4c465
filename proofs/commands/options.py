"""Options as text: numbers by our own reader, never executed, and refusals that name what the user typed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from numeric.number import read_fraction, read_integer
from numeric.refuse import InputError, refusal

__all__ = ["MOST_LAYERS", "MOST_POSITIONS", "Typed", "finite", "renamed", "seed"]

MOST_POSITIONS = 1_000_000  # a mistyped number must not fill the memory
MOST_LAYERS = 100_000
MOST_HEADS = 10_000


@dataclass(frozen=True)
class Typed:
    """The words of the command line, to name an option as it was written there."""

    words: tuple[str, ...]

    def name(self, *spellings: str) -> str:
        """The spelling that was used, or the first one."""
        return next((s for s in spellings if any(_begins(word, s) for word in self.words)), spellings[0])

    def whole(self, text: str | None, least: int, most: int, *spellings: str) -> int | None:
        """An integer option within its bounds; None where it was left out."""
        if text is None:
            return None
        name = self.name(*spellings)
        value = read_integer(text, name)
        if not least <= value <= most:
            raise refusal(name, f"be an integer in [{least}, {most}]", value)
        return value

    def real(self, text: str | None, *spellings: str) -> float | None:
        """A real option; None where it was left out."""
        return None if text is None else finite(text, self.name(*spellings))


def _begins(word: str, spelling: str) -> bool:
    """Whether ``word`` is the option: ``--lam``, ``--lam=1``, ``-n`` or ``-n5``."""
    if spelling.startswith("--"):
        return word == spelling or word.startswith(spelling + "=")
    return word.startswith(spelling) and not word.startswith("--")


def finite(text: str, name: str, place: str = "") -> float:
    """A number as a float; what is too large for one is refused."""
    try:
        return float(read_fraction(text, name, place))
    except OverflowError:
        raise refusal(name, "be a finite number", text, place) from None


def seed(typed: Typed, text: str) -> int:
    """The seed of the random cases."""
    return typed.whole(text, 0, 2**63 - 1, "--seed") or 0


@contextmanager
def renamed(**names: str) -> Iterator[None]:
    """Refusals of the library under the names that the command line has for its arguments."""
    try:
        yield
    except InputError as error:
        raise InputError(_renamed(str(error), names)) from None


def _renamed(text: str, names: dict[str, str]) -> str:
    for inner, outer in names.items():
        start = f"Argument {inner!r} must "
        if text.startswith(start):
            return f"Argument {outer!r} must {text.removeprefix(start)}"
    return text
