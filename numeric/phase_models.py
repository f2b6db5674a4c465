"""The five published models in a phase diagram: at their effective depth and the geometric mean of their slopes.

A model has many heads and λ that vary with the layer; the diagram has one head and one λ. So a place in it is the
nearest such architecture, not the model; beside it stands the label of the model's own profile, with all its heads, its
λ_t and its length (arXiv:2602.16837). Numeric here: everything, in floats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from numeric.description import describe
from numeric.kernel import Alibi
from numeric.phase import Phase
from numeric.published import PUBLISHED, Published

__all__ = ["Placed", "place_models"]


@dataclass(frozen=True)
class Placed:
    """across, up : the place, in the unit of the axes: (geometric mean of the slopes, S = Σ λ_t), or (T, S/T).

    least, largest : of the slopes. depth : S. cell : the label of the cell it lies in, None outside the grid. own : the
    label of its own profile.
    """

    name: str
    across: float
    up: float
    depth: float
    slope: float
    least: float
    largest: float
    cell: str | None
    own: str


def place_models(phase: Phase, *, slopes: Literal["paper", "model"] = "paper") -> tuple[Placed, ...]:
    """All published models, in the order of `numeric.published`; slopes as there. Raises InputError."""
    return tuple(_placed(phase, model, slopes) for model in PUBLISHED.values())


def _placed(phase: Phase, model: Published, kind: Literal["paper", "model"]) -> Placed:
    m, lam = model.slopes(kind), model.lam()
    depth, mean = math.fsum(lam), float(np.exp(np.log(m).mean()))
    across, up = (mean, depth) if phase.axes == "depth" else (float(model.layers), depth / model.layers)
    own = describe([Alibi(m)] * model.layers, lam, n=model.length, envelopes=False).shape.label
    return Placed(model.name, across, up, depth, mean, float(m.min()), float(m.max()), _cell(phase, across, up), own)


def _cell(phase: Phase, across: float, up: float) -> str | None:
    """The label of the nearest cell, in ratios for the axes that are in ratios."""
    logarithmic = phase.axes == "depth"
    column, row = _nearest(phase.across, across, logarithmic), _nearest(phase.up, up, logarithmic)
    return None if column is None or row is None else phase.answers[row][column].label


def _nearest(values: tuple[float, ...], x: float, logarithmic: bool) -> int | None:
    first = next((at for at, value in enumerate(values) if value > 0), len(values)) if logarithmic else 0
    scale = [math.log(value) if logarithmic else value for value in values[first:]]
    at = math.log(x) if logarithmic else x
    if not scale or not scale[0] <= at <= scale[-1]:
        return None
    return first + min(range(len(scale)), key=lambda k: abs(scale[k] - at))
