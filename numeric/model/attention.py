"""The attention weights of one layer at a time, and what is reduced from them before the next layer is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["LayerAttention", "attention_of"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LayerAttention:
    """One layer of one batch; valid while `visit` runs. layer : from 1. heads : (B, H, n, n) as the softmax gave them.

    mean() : (B, n, n) float64, average over heads, checked. value_weighted() : (B, n, n), rows sum to 1.
    content() : (on, off), each (B, H): mean scaled q·k on the diagonal and below it (off is nan for n = 1).
    """

    layer: int
    heads: NDArray[Any]

    def mean(self) -> FloatArray:
        raise NotImplementedError

    def value_weighted(self) -> FloatArray:
        raise NotImplementedError

    def content(self) -> tuple[FloatArray, FloatArray]:
        raise NotImplementedError


def attention_of(loaded: Loaded, ids: Any, visit: Callable[[LayerAttention], None], *, content: bool = True) -> None:
    """Calls ``visit`` once for every layer, layer 1 first, in one forward pass; never holds two layers' attention."""
    raise NotImplementedError
