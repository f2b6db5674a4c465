"""A function of each of several objects, asked once for an object that comes several times, as a shared kernel does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

__all__ = ["once"]

S = TypeVar("S")
V = TypeVar("V")


def once(f: Callable[[S], V], objects: Sequence[S]) -> list[V]:
    """[f(x) for x in objects], where f is called once for an object that comes several times, as kernels do."""
    found: dict[int, V] = {}
    for x in objects:
        if id(x) not in found:
            found[id(x)] = f(x)
    return [found[id(x)] for x in objects]
