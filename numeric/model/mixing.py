"""λ = ‖a‖ / (‖x‖ + ‖a‖) of every layer and position, read off the raw residual stream (theory L1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["mixing_of"]


def mixing_of(loaded: Loaded, ids: Any) -> NDArray[np.float64]:
    """λ per sample, layer and position, (B, T, n). ids : (B, n) integers, NumPy or torch."""
    raise NotImplementedError
