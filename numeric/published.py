"""λ_1 … λ_T as measured, and the ALiBi slopes m_1 … m_H, of the five models of arXiv:2602.16837.

Measured on FineWeb-Edu at length n = 256. Two readings of the slopes are offered, never one in silence:
``paper`` is m_h = 2^(−8h/H), what the paper's experiment files hold for every model; ``model`` is what each model
computes, which differs where H is no power of two (BLOOM-176B) and for Falcon, which scales its bias.

Exact here: nothing. Numeric here: tables as recorded, slopes in float64. Not covered: content, other lengths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from numeric.nearest import nearest, one_of
from numeric.refuse import integer, refusal

__all__ = [
    "PUBLISHED",
    "Published",
    "bloom_slopes",
    "falcon_slopes",
    "find",
    "measured_influence",
    "mpt_slopes",
    "paper_slopes",
]

Floats = NDArray[np.float64]
SOURCE = "arXiv:2602.16837, FineWeb-Edu, n = 256"


def paper_slopes(heads: int) -> Floats:
    """m_h = 2^(−8h/H), h = 1 … H: one geometric series for every number of heads, shape (H,).

    This is what the paper's experiment files hold; models use it only where H is a power of two.

    >>> paper_slopes(4).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    """
    heads = integer(heads, "heads", 1)
    return np.exp2(-8.0 * np.arange(1, heads + 1) / heads)


def bloom_slopes(heads: int) -> Floats:
    """m_h = 2^(−8h/P) for h ≤ P, then 2^(−4(2k−1)/P), k = 1 … H − P, with P ≤ H the nearest power of two; shape (H,).

    BLOOM's order: the whole series of P slopes first, then the odd terms of the series of 2P slopes.

    >>> bloom_slopes(3).tolist()
    [0.0625, 0.00390625, 0.25]
    """
    heads = integer(heads, "heads", 1)
    lower = 1 << (heads.bit_length() - 1)
    return np.concatenate([paper_slopes(lower), paper_slopes(2 * lower)[::2][: heads - lower]])


def mpt_slopes(heads: int) -> Floats:
    """The first H of (m_2, m_4, …, m_1, m_3, …), m_h = 2^(−8h/P), with P ≥ H the nearest power of two; shape (H,).

    MPT's code: the even terms of the finer series first, then its odd ones. With P = 2P' (P' BLOOM's power of two)
    m_2k = 2^(−8k/P') are BLOOM's first slopes and the odd terms its others: the two rules agree for every H.

    >>> mpt_slopes(3).tolist()
    [0.0625, 0.00390625, 0.25]
    """
    heads = integer(heads, "heads", 1)
    upper = 1 << (heads - 1).bit_length()
    series = paper_slopes(upper)
    return series if upper == heads else np.concatenate([series[1::2], series[::2]])[:heads]


def falcon_slopes(heads: int, head_dim: int) -> Floats:
    """m_h / √head_dim with BLOOM's m_h, shape (H,): Falcon divides scores and positional bias alike.

    >>> falcon_slopes(2, 4).tolist()
    [0.03125, 0.001953125]
    """
    head_dim = integer(head_dim, "head_dim", 1)
    return bloom_slopes(heads) / math.sqrt(head_dim)


@dataclass(frozen=True, slots=True)
class Published:
    """A model whose λ_t were measured: T layers of H heads, at length n, with its rule for the slopes.

    head_dim : hidden size / H, by which root the model divides its attention scores; ``configuration`` says whence.
    """

    name: str
    layers: int
    heads: int
    head_dim: int
    slope_rule: Literal["bloom", "mpt", "falcon"]
    configuration: str
    length: int = 256
    source: str = SOURCE

    def lam(self) -> Floats:
        """λ_t = ‖Attn‖ / (‖X‖ + ‖Attn‖) ∈ [0, 1] as measured, shape (T,); entry 0 is the layer nearest the input."""
        return np.array([value for model, value in _mixing_table() if model == self.name])

    def slopes(self, kind: Literal["paper", "model"] = "paper") -> Floats:
        """The slopes m_h > 0 as in the paper's files (``paper``) or as the model computes them (``model``), shape (H,).

        Raises InputError for another kind.
        """
        if kind == "paper":
            return paper_slopes(self.heads)
        if kind != "model":
            raise refusal("slopes", "be 'paper' or 'model'", kind, nearest(kind, ("paper", "model")))
        if self.slope_rule == "falcon":
            return falcon_slopes(self.heads, self.head_dim)
        return mpt_slopes(self.heads) if self.slope_rule == "mpt" else bloom_slopes(self.heads)


# Layers, heads and hidden sizes are those of the public model configurations. Falcon-RW-7B is not Falcon-7B (4544/71):
# 12 · 36 · 4096² + 2 · 65024 · 4096 = 7.8e9 are its parameters, and 36 layers of 64 heads are in the paper's files.
PUBLISHED: dict[str, Published] = {
    model.name: model
    for model in (
        Published("bloom-176b", 70, 112, 128, "bloom", "bigscience/bloom, hidden size 14336 / 112 heads"),
        Published("bloom-7b1", 30, 32, 128, "bloom", "bigscience/bloom-7b1, hidden size 4096 / 32 heads"),
        Published("mpt-7b", 32, 32, 128, "mpt", "mosaicml/mpt-7b, hidden size 4096 / 32 heads"),
        Published("mpt-30b", 48, 64, 112, "mpt", "mosaicml/mpt-30b, hidden size 7168 / 64 heads"),
        Published("falcon-rw-7b", 36, 64, 64, "falcon", "tiiuae/falcon-rw-7b, hidden size 4096 / 64 heads"),
    )
}


def find(name: str) -> Published:
    """The published model of that exact name; InputError offers the nearest names for any other."""
    return PUBLISHED[one_of(name, "name", PUBLISHED)]


def measured_influence(name: str) -> Floats:
    """Measured influence of position j on the last one, shape (256,), nonnegative, of sum 1 up to its ten decimals.

    Raises InputError unless name is bloom-176b, the one model it was recorded for here.
    """
    if find(name).name != "bloom-176b":
        raise refusal("name", "be bloom-176b, whose influence was measured", name)
    return np.array([float(influence) for _, influence in _rows("influence-bloom-176b.csv")])


@cache
def _mixing_table() -> tuple[tuple[str, float], ...]:
    """(model, λ) in the order of the layers."""
    return tuple((model, float(value)) for model, _, value in _rows("mixing.csv"))


def _rows(table: str) -> list[list[str]]:
    """The rows of one of our tables, without its comment lines and its header."""
    text = (resources.files("numeric") / "data" / table).read_text(encoding="utf-8")
    return [line.split(",") for line in text.splitlines() if not line.startswith("#")][1:]
