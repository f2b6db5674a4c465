"""Influence: the gradient norm of a target with respect to the input embeddings, per sample and position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["TARGETS", "Influence", "influence_of"]

TARGETS = ("prob", "logprob", "logit")


@dataclass(frozen=True, eq=False)
class Influence:
    """norms : (B, n) float64, as they came, bad samples included. tokens : (B,) whose target it is. bad : (sample from
    0, what is wrong with it) for the samples whose norms are not finite or all zero. notes : what was switched off.
    """

    norms: NDArray[np.float64]
    tokens: NDArray[np.int64]
    target: str
    bad: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]


def influence_of(
    loaded: Loaded, ids: Any, *, target: str = "prob", checkpointing: bool = False, tokens: Any = None
) -> Influence:
    """ids : (B, n). tokens : (B,) token ids to take the target of; None means the most probable at the last position."""
    raise NotImplementedError
