"""Which kernels are averages Σ_h α_h A_{w^h, e_h} of prefix kernels, and of which: for the decomposition of U1.

`Uniform`, `Prefix`, `Alibi` and their rational and ball counterparts are, so are their averages; so are a `Window` at
least n wide (ALiBi) and a `LogDistance` of strength 0 (uniform). Dense kernels and other distance kernels are taken to
be none. Exact here: everything; parameters are passed on as stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.ball_kernel import BallAlibi, BallAverage, BallKernel, BallPrefix, as_ball, proportions
from numeric.distance import LogDistance, Window
from numeric.exact import ExactAverage, ExactDense, ExactKernel, ExactPrefix, Rows
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.refuse import flag

__all__ = ["FloatHead", "NotPrefix", "NumberHead", "as_exact", "float_heads", "number_heads"]

FloatArray = NDArray[np.float64]


class NotPrefix(Exception):
    """A kernel that is no average of prefix kernels; the text names its kind."""


@dataclass(frozen=True)
class FloatHead:
    """A head with w_j = e^{slope · j}, or with the weights given; content : d; share : α."""

    share: float
    slope: float
    weights: FloatArray | None
    content: float

    @property
    def key(self) -> object:
        """Equal keys mean equal weights."""
        return self.slope if self.weights is None else self.weights.tobytes()


@dataclass(frozen=True)
class NumberHead:
    """A head in rationals or balls, with its share α."""

    share: Fraction
    kernel: ExactPrefix | BallPrefix | BallAlibi

    @property
    def key(self) -> object:
        """Equal keys mean equal weights; a ball is equal to itself only."""
        parts = [self.kernel.slope] if isinstance(self.kernel, BallAlibi) else self.kernel.weights
        return tuple(x if isinstance(x, Fraction) else ("ball", id(x)) for x in parts)


def float_heads(kernel: Kernel, n: int) -> list[FloatHead]:
    """The heads of a kernel for n positions, in order. Raises NotPrefix."""
    match kernel:
        case Uniform():
            return [FloatHead(1.0, 0.0, None, kernel.content)]
        case Prefix():
            return [FloatHead(1.0, 0.0, kernel.weights, kernel.content)]
        case Alibi():
            parts = (kernel.head_weights, kernel.slopes, kernel.content)
            return [FloatHead(a, m, None, d) for a, m, d in zip(*(x.tolist() for x in parts), strict=True)]
        case Window() if kernel.width >= n:
            return [FloatHead(1.0, kernel.slope, None, kernel.content)]
        case LogDistance() if kernel.strength == 0:
            return [FloatHead(1.0, 0.0, None, kernel.content)]
        case HeadAverage():
            inner = zip(kernel.head_weights.tolist(), kernel.kernels, strict=True)
            return [FloatHead(a * h.share, h.slope, h.weights, h.content) for a, k in inner for h in float_heads(k, n)]
    raise NotPrefix(type(kernel).__name__)


def number_heads(kernel: ExactKernel | BallKernel | Kernel | Rows, n: int) -> list[NumberHead]:
    """The same in rationals or balls: a kernel of `numeric.kernel` gives balls. Raises NotPrefix."""
    match kernel:
        case ExactPrefix() | BallPrefix() | BallAlibi():
            return [NumberHead(Fraction(1), kernel)]
        case Window() if kernel.width >= n:
            return number_heads(Alibi(kernel.slope, kernel.content), n)
        case LogDistance() if kernel.strength == 0:
            return number_heads(Uniform(kernel.content), n)
        case Uniform() | Prefix() | Alibi():
            return number_heads(as_ball(kernel, n), n)
        case HeadAverage():
            shares = proportions(kernel.head_weights.tolist())
        case ExactAverage() | BallAverage():
            assert kernel.head_weights is not None  # set by the constructor
            shares = [Fraction(a) for a in kernel.head_weights]
        case _:
            raise NotPrefix("rows" if isinstance(kernel, (list, tuple)) else type(kernel).__name__)
    kernels: Any = kernel.kernels
    inner = zip(shares, kernels, strict=True)
    return [NumberHead(a * head.share, head.kernel) for a, k in inner for head in number_heads(k, n)]


def as_exact(kernel: ExactKernel | Kernel | Rows, n: int, place: str = "") -> ExactKernel:
    """The kernel over the rationals, its floats taken as the dyadic rationals they are.

    Any exact kernel, rows, and from `numeric.kernel` what has rational entries: no content, weights instead of slopes
    (slope 0 but for that), or dense with sums of exactly 1. Raises InputError for the others.
    """
    match kernel:
        case ExactKernel():
            return kernel
        case list() | tuple():
            return ExactDense(kernel)
        case Dense():
            return ExactDense(kernel.values.tolist())
        case HeadAverage():
            shares = proportions(kernel.head_weights.tolist())
            return ExactAverage([as_exact(k, n, place) for k in kernel.kernels], shares)
    try:
        heads = float_heads(kernel, n) if isinstance(kernel, Kernel) else []
    except NotPrefix:
        heads = []
    if not heads or any(head.slope or head.content for head in heads):
        requirement = "have rational entries for exact arithmetic (balls take any: bits=128)"
        raise flag("kernels", requirement, f"{type(kernel).__name__} with real exponents", place)
    exact = [ExactPrefix((1,) * n if h.weights is None else h.weights.tolist()) for h in heads]
    return ExactAverage(exact, proportions([h.share for h in heads]))
