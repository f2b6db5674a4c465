"""The laws of the number K of attending layers that the phase diagram runs over: binomial and Poisson (C1, C2).

T layers of equal λ: K ~ Binomial(T, λ). Continuous depth S, the limit of many layers with Σ λ_t = S: K ~ Poisson(S).
Both in floats with a proven error and in balls. Laws of other λ: `numeric.hops`, `numeric.hop_count`. arXiv:2602.16837.

Exact here: balls enclose. Numeric here: floats, each with a relative error of at most (4 terms + 8) 2^−53, except what
`hop_law` counts as 0.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from numeric.ball_kernel import Ball, to_ball
from numeric.hops import hop_law
from numeric.refuse import integer, real, refusal
from numeric.schedule_file import share_of

__all__ = ["MOST_DEPTH", "Binomial", "Hops", "Poisson"]

Floats = NDArray[np.float64]

MOST_DEPTH = 600.0  # e^−600 is a normal float64, with room for products


class Hops(ABC):
    """The law of the number K of attending layers."""

    @property
    @abstractmethod
    def most(self) -> int | None:
        """The largest K that is possible; None where there is none."""

    @abstractmethod
    def floats(self, terms: int) -> Floats:
        """P(K = k), k = 0 … terms, each with a relative error of at most (4 terms + 8) 2^−53."""

    @abstractmethod
    def balls(self, terms: int) -> list[Ball]:
        """The same as balls at the current precision."""

    @abstractmethod
    def growth(self, k: int) -> float:
        """P(K = k + 1) / P(K = k), nonincreasing in k."""


@dataclass(frozen=True)
class Binomial(Hops):
    """K of ``layers`` ≥ 1 layers that attend with probability ``lam`` ∈ [0, 1] each: C1, equal λ."""

    layers: int
    lam: float

    def __post_init__(self) -> None:
        integer(self.layers, "layers", 1)
        share_of(self.lam, "lam")
        object.__setattr__(self, "lam", float(self.lam))

    @property
    def most(self) -> int:
        return self.layers if self.lam else 0

    def floats(self, terms: int) -> Floats:
        law = np.zeros(terms + 1)
        found = _binomial(self.layers, self.lam)[: terms + 1]
        law[: found.size] = found
        return law

    def balls(self, terms: int) -> list[Ball]:
        share, stay = to_ball(self.lam), 1 - to_ball(self.lam)
        both = range(min(terms, self.layers) + 1)
        law = [math.comb(self.layers, k) * share**k * stay ** (self.layers - k) for k in both]
        return law + [to_ball(0)] * (terms + 1 - len(law))

    def growth(self, k: int) -> float:
        return 0.0 if k >= self.layers else math.inf


@dataclass(frozen=True)
class Poisson(Hops):
    """K at continuous depth ``depth`` = S ∈ [0, 600]: the limit of many layers with Σ λ_t = S (C2)."""

    depth: float

    def __post_init__(self) -> None:
        if not 0 <= real(self.depth, "depth") <= MOST_DEPTH:
            raise refusal("depth", f"lie in [0, {MOST_DEPTH:g}]", self.depth)
        object.__setattr__(self, "depth", float(self.depth))

    @property
    def most(self) -> int | None:
        return None if self.depth else 0

    def floats(self, terms: int) -> Floats:
        # e^−S · S/1 · S/2 · …: two roundings a step
        return np.cumprod(np.append(math.exp(-self.depth), self.depth / np.arange(1, terms + 1)))

    def balls(self, terms: int) -> list[Ball]:
        depth = to_ball(self.depth)
        return list(accumulate(range(1, terms + 1), lambda p, k: p * depth / k, initial=(-depth).exp()))

    def growth(self, k: int) -> float:
        return self.depth / (k + 1)


@lru_cache(maxsize=4096)
def _binomial(layers: int, lam: float) -> Floats:
    """`hop_law`, which every slope asks for again."""
    return hop_law(lam, layers=layers)
