"""In which order given layers favour the end of the text most, and in which the beginning: D7.

Layers are pairs (λ_t, A_t) of a mixing coefficient and an average of ALiBi heads without content. If of any two kernels
that differ, every slope of one is at most every slope of the other, then among all T! orders

    the slopes increasing toward the output give the most recent profile in ≼, decreasing the most primacy-heavy,

and equal kernels may change places. Numeric here: the profiles. Not covered: content, other kernels, slopes that
overlap: then nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from numeric.kernel import Alibi, Kernel, Uniform
from numeric.order import wasserstein
from numeric.profile import checked_stack, profile
from numeric.schedule import Mixing

__all__ = ["Arrangement", "LayerOrder", "layer_order"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Arrangement:
    """layers : the numbers of the given layers, from 1, the lowest first. profile : (n,). distance : W1 from the
    profile of the present order, in positions."""

    layers: tuple[int, ...]
    profile: FloatArray
    distance: float


@dataclass(frozen=True)
class LayerOrder:
    """The two ends, or why nothing is said. same : whether every order gives the present profile."""

    most_recent: Arrangement | None
    most_primacy: Arrangement | None
    same: bool
    reason: str


def layer_order(kernels: Sequence[Kernel], lam: Mixing, *, n: int) -> LayerOrder:
    """Both extreme orders of the stack; arguments as for `numeric.profile`. Raises InputError likewise.

    >>> found = layer_order([Alibi(1.0), Alibi(0.1)], 0.5, n=8)
    >>> found.most_recent.layers, found.most_primacy.layers
    ((2, 1), (1, 2))
    """
    layers, mixing = checked_stack(kernels, lam, n)
    slopes = [_slopes(kernel) for kernel in layers]
    unknown = next((t for t, found in enumerate(slopes, start=1) if found is None), None)
    if unknown is not None:
        return LayerOrder(None, None, False, f"layer {unknown} is no average of ALiBi heads without content")
    ranges = [(float(x.min()), float(x.max())) for x in slopes if x is not None]
    ranks = sorted(range(len(layers)), key=ranges.__getitem__)  # stable: equal layers stay as they are
    for s, t in pairwise(ranks):
        if layers[s] != layers[t] and ranges[s][1] > ranges[t][0]:
            return LayerOrder(None, None, False, f"the slopes of layers {min(s, t) + 1} and {max(s, t) + 1} overlap")
    present = profile(layers, mixing, n=n)
    ends = [_arranged(order, layers, mixing, present) for order in (ranks, ranks[::-1])]
    return LayerOrder(ends[0], ends[1], all(kernel == layers[0] for kernel in layers), "")


def _slopes(kernel: Kernel) -> FloatArray | None:
    """The slopes that the kernel reads with; None where D7 says nothing of it."""
    match kernel:
        case Uniform() if kernel.content == 0:
            return np.zeros(1)
        case Alibi() if not kernel.content.any():
            return kernel.slopes[kernel.head_weights > 0]
    return None


def _arranged(order: list[int], layers: Sequence[Kernel], mixing: FloatArray, present: FloatArray) -> Arrangement:
    p = profile([layers[t] for t in order], mixing[order], n=present.size)
    moved = 0.0 if present.size == 1 else wasserstein(present, p)
    return Arrangement(tuple(t + 1 for t in order), p, moved)
