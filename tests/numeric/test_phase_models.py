"""The published models in the diagram: their place, the cell it lies in, their own label."""

from __future__ import annotations

import math

import pytest

from numeric.description import describe
from numeric.kernel import Alibi
from numeric.phase import depth_phase, layer_phase, ratios
from numeric.phase_models import place_models
from numeric.published import PUBLISHED, find
from numeric.refuse import InputError


def test_places_and_labels() -> None:
    phase = depth_phase(ratios(1 / 64, 1, 13), ratios(0.5, 16, 11), n=256, layers=24)
    found = place_models(phase)
    assert [model.name for model in found] == list(PUBLISHED)
    assert [round(model.up, 3) for model in found] == [3.908, 3.621, 4.228, 5.314, 5.063]
    for model in found:
        slopes = find(model.name).slopes("paper")
        assert model.across == pytest.approx(math.prod(m ** (1 / len(slopes)) for m in slopes.tolist()))
        assert (model.least, model.largest) == (slopes.min(), slopes.max())
        nearest = describe([Alibi(0.0625)] * 24, 4 / 24, n=256).shape.label
        if model.depth < 4.7:  # nearest to the cell (1/16, 4)
            assert model.cell == nearest
    assert [model.own for model in found] == ["U", "U", "U", "other", "other"]


def test_a_model_beyond_the_grid_has_no_cell() -> None:
    narrow = depth_phase([0.0, 0.5], [1.0, 2.0], n=4, layers=24)
    assert {model.cell for model in place_models(narrow)} == {None}
    zero = depth_phase([0.0], [1.0, 8.0], n=4, layers=24)
    assert {model.cell for model in place_models(zero)} == {None}


def test_places_over_layers() -> None:
    found = place_models(layer_phase([10, 30, 60], [0.0, 0.1, 0.2], n=16, slope=0.0), slopes="model")
    assert [model.across for model in found] == [70, 30, 32, 48, 36]
    assert found[1].up == pytest.approx(found[1].depth / 30)
    assert [model.cell for model in found] == [None, "U", "U", "U", "U"]


def test_slopes_of_another_kind_are_refused() -> None:
    phase = depth_phase([0.1], [1.0], n=4, layers=2)
    with pytest.raises(InputError, match="Argument 'slopes' must be 'paper' or 'model', not 'steep'"):
        place_models(phase, slopes="steep")  # type: ignore[arg-type]
