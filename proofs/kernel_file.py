"""A kernel from a file, exactly: floats of ``.npy`` are dyadic rationals, numbers of a CSV file the rationals they say.

A layer is rows of integers over one common scale, and how far a number may be from what it stands for: a few roundings
of their type for floats, half a unit of the last decimal for text, nothing for integers and fractions.
Not covered: pickled arrays, which are refused.
"""

from __future__ import annotations

import io
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.number import read_fraction
from numeric.refuse import flag, shown
from proofs.input_file import read_bytes, read_text
from proofs.output import printable

__all__ = ["KernelFile", "Layer", "read_kernel"]

NAME = "KERNEL"
MAGIC = b"\x93NUMPY"
FloatArray = NDArray[np.float64]
ROUNDINGS = 4  # a softmax entry is an exponential over a sum: a few roundings of the type it was computed in


@dataclass(frozen=True)
class Layer(ABC):
    """One n × n kernel. ``values`` : float64 (n, n), NaN where the file has none; each correctly rounded.

    absolute, relative : an entry x may be off by absolute + relative · x.
    """

    values: FloatArray
    scale: int
    absolute: Fraction
    relative: Fraction

    @property
    def size(self) -> int:
        return len(self.values)

    @abstractmethod
    def row(self, i: int) -> NDArray[Any]:
        """scale · A[i, 0..i] as Python integers, an object array (i + 1,)."""

    @abstractmethod
    def signs(self) -> NDArray[np.int8]:
        """The sign of every entry, (n, n); 0 for NaN. A float may round a tiny number to 0, this never does."""


@dataclass(frozen=True)
class DyadicLayer(Layer):
    """Floats: mantissa · 2^exponent, with ``exponents`` ≥ 0 relative to the scale."""

    mantissas: NDArray[np.int64]
    exponents: NDArray[np.int64]

    def row(self, i: int) -> NDArray[Any]:
        return np.asarray(self.mantissas[i, : i + 1].astype(object) << self.exponents[i, : i + 1].astype(object))

    def signs(self) -> NDArray[np.int8]:
        return np.sign(np.nan_to_num(self.values)).astype(np.int8)


@dataclass(frozen=True)
class RationalLayer(Layer):
    """Numbers read from text; None where the text says NaN."""

    rows: tuple[tuple[Fraction | None, ...], ...]

    def row(self, i: int) -> NDArray[Any]:
        entries = self.rows[i][: i + 1]
        scaled = [0 if x is None else x.numerator * (self.scale // x.denominator) for x in entries]
        return np.array(scaled, dtype=object)

    def signs(self) -> NDArray[np.int8]:
        return np.array([[0 if not x else (1 if x > 0 else -1) for x in row] for row in self.rows], dtype=np.int8)


@dataclass(frozen=True)
class KernelFile:
    """T kernels of one size, layer 1 first; ``stacked`` where the file gives one kernel per layer."""

    count: int
    size: int
    stacked: bool
    source: Any

    def layers(self) -> Iterator[Layer]:
        """The layers one by one: exact integers take more memory than the file does."""
        for t in range(self.count):
            yield _dyadic(self.source[t]) if isinstance(self.source, np.ndarray) else _rational(self.source[t])


def read_kernel(path: str) -> KernelFile:
    """The kernel or kernels in a ``.npy`` or CSV file; InputError with row, column and layer for what is none."""
    name = path.lower()
    if name.endswith(".npy"):
        return _read_npy(path)
    if name.endswith((".csv", ".txt")):
        return _read_csv(path)
    raise flag(NAME, "be a file that ends in .csv or .npy", shown(path))


# --- .npy -----------------------------------------------------------------------------------------------------------


def _read_npy(path: str) -> KernelFile:
    data = read_bytes(path, NAME)
    try:
        if not data.startswith(MAGIC):  # NumPy would try an archive or a pickle
            raise ValueError
        array = np.load(io.BytesIO(data), allow_pickle=False)
    except Exception:  # a damaged header makes NumPy fail in many ways
        raise flag(NAME, "be a .npy file of numbers", "another kind of file", printable(path)) from None
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        requirement = "be an array of integers or floats of at most 64 bits"
        raise flag(NAME, requirement, f"of type {array.dtype}", printable(path))
    if array.ndim not in (2, 3) or array.shape[-1] != array.shape[-2] or array.size == 0:
        requirement = "be square (n, n), or layers of that form (T, n, n)"
        raise flag(NAME, requirement, f"of shape {array.shape}", printable(path))
    stack = array if array.ndim == 3 else array[None]
    return KernelFile(len(stack), stack.shape[-1], array.ndim == 3, stack)


def _dyadic(array: NDArray[Any]) -> DyadicLayer:
    relative = absolute = Fraction(0)
    if array.dtype.kind == "f":
        relative = ROUNDINGS * Fraction(float(np.finfo(array.dtype).eps)) / 2
        # below the smallest normal number a rounding is as large as the smallest number itself
        absolute = ROUNDINGS * Fraction(float(np.finfo(array.dtype).smallest_subnormal)) / 2
    values = array.astype(np.float64)
    fractions, exponents = np.frexp(np.nan_to_num(values))
    mantissas = np.ldexp(fractions, 53).astype(np.int64)
    powers = np.where(mantissas == 0, 0, exponents - 53).astype(np.int64)
    lowest = min(0, int(powers.min()))
    return DyadicLayer(values, 1 << -lowest, absolute, relative, mantissas, powers - lowest)


# --- CSV ------------------------------------------------------------------------------------------------------------


def _read_csv(path: str) -> KernelFile:
    """n rows of n numbers, T such blocks with blank lines between them, or T · n rows; # begins a comment line."""
    lines = [line.strip() for line in read_text(path, NAME).split("\n") if not line.startswith("#")]
    blocks = [list(block) for filled, block in groupby(lines, key=bool) if filled]
    if not blocks:
        raise flag(NAME, "have at least one row", "comments only", printable(path))
    size = blocks[0][0].count(",") + 1
    if len(blocks) == 1 and len(blocks[0]) > size and len(blocks[0]) % size == 0:
        blocks = [blocks[0][first : first + size] for first in range(0, len(blocks[0]), size)]
    stacked = len(blocks) > 1
    known: dict[str, Fraction | None] = {}
    layers = [_block(block, size, t if stacked else 0, known) for t, block in enumerate(blocks, start=1)]
    decimals = max(map(_decimals, known))
    return KernelFile(len(layers), size, stacked, [(layer, decimals) for layer in layers])


def _block(lines: list[str], size: int, layer: int, known: dict[str, Fraction | None]) -> list[list[Fraction | None]]:
    where = f", layer {layer}" if layer else ""
    if len(lines) != size:
        found = f"{len(lines)} rows of {size} numbers"
        raise flag(NAME, "be square, or layers of n rows of n numbers", found, where.removeprefix(", "))
    rows = []
    for i, line in enumerate(lines, start=1):
        cells = line.split(",")
        if len(cells) != size:
            raise flag(NAME, f"have {size} numbers in every row", f"{len(cells)}", f"row {i}{where}, counted from 1")
        rows.append([_cell(text, known, i, j, where) for j, text in enumerate(cells, start=1)])
    return rows


def _cell(text: str, known: dict[str, Fraction | None], i: int, j: int, where: str) -> Fraction | None:
    """The number in a cell, each distinct text read once; None for NaN, which is refused where its row is known."""
    text = text.strip()
    if text not in known:
        nan = text.lower().lstrip("+-") == "nan"
        place = f"row {i}, column {j}{where}, counted from 1"
        known[text] = None if nan else read_fraction(text, NAME, place)
    return known[text]


def _decimals(text: str) -> int:
    """Digits after the decimal point, the exponent included; 0 for integers and fractions p/q."""
    body, _, exponent = text.lower().partition("e")
    digits = len(body.partition(".")[2])
    return max(0, digits - int(exponent or 0)) if "/" not in body else 0


def _rational(source: tuple[list[list[Fraction | None]], int]) -> RationalLayer:
    rows, decimals = source
    values = np.array([[_float(x) for x in row] for row in rows])
    scale = math.lcm(*{x.denominator for row in rows for x in row if x is not None})
    absolute = Fraction(1, 2 * 10**decimals) if decimals else Fraction(0)
    # decimals may be a float printed in full: the type's own rounding counts as well
    relative = ROUNDINGS * Fraction(1, 2**53) if decimals else Fraction(0)
    return RationalLayer(values, scale, absolute, relative, tuple(map(tuple, rows)))


def _float(x: Fraction | None) -> float:
    if x is None:
        return math.nan
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf
