"""Steps over tokens: what is next, what must be next, trying and going back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from tests.proofs.reading.tokens import Unread

__all__ = ["Steps"]

T = TypeVar("T")


@dataclass
class Steps:
    """Reads from ``at`` on; what does not fit raises `Unread` with the place."""

    tokens: list[str]
    kinds: Mapping[str, int] = field(default_factory=dict)
    at: int = 0

    def next(self, ahead: int = 0) -> str:
        """The token there, "" at the end."""
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else ""

    def sees(self, *expected: str) -> bool:
        """Whether these tokens are next."""
        at = self.at
        for token in expected:
            if at >= len(self.tokens) or self.tokens[at] != token:
                return False
            at += 1
        return True

    def take(self, *expected: str) -> None:
        """Steps over the tokens, which must be next."""
        for token in expected:
            if not self.sees(token):
                raise self.unread(token)
            self.at += 1

    def takes(self, *expected: str) -> bool:
        """Steps over the tokens if they are next."""
        found = self.sees(*expected)
        self.at += len(expected) if found else 0
        return found

    def unread(self, expected: str) -> Unread:
        """What was expected, and what is there."""
        return Unread(f"{expected} expected, not {' '.join(self.tokens[self.at : self.at + 6]) or 'the end'}")

    def attempt(self, read: Callable[[], T]) -> T | None:
        """What ``read`` gives, or None with nothing stepped over."""
        start = self.at
        try:
            return read()
        except Unread:
            self.at = start
            return None

    @contextmanager
    def binding(self, *names: str) -> Iterator[None]:
        """Inside, the names are indices."""
        outer = self.kinds
        self.kinds = {**outer, **dict.fromkeys(names, 0)}
        try:
            yield
        finally:
            self.kinds = outer

    def group(self, read: Callable[[], T]) -> T:
        """What stands in braces."""
        self.take("{")
        found = read()
        self.take("}")
        return found
