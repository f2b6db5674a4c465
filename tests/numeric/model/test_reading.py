"""What attention weights say, from weights whose mask, bias and scale were chosen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from numeric.distance import Window
from numeric.kernel import Alibi
from numeric.model.reading import FLOOR, read_bias, read_mask, read_scale, rotates

UNIT = 2.0**-53  # the weights here are computed in float64
N = 23


def heads(*slopes: float, width: int = N) -> Any:
    return np.stack([Window(width, slope).matrix(N) for slope in slopes])


def softmax(scores: Any) -> Any:
    masked = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)
    weights = np.exp(masked - masked.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def distances() -> Any:
    return np.subtract.outer(np.arange(N), np.arange(N)).astype(float)


def test_slopes_are_read_back() -> None:
    slopes = [0.5, 0.0, 1 / 3, 2.0**-9]
    found = read_bias(heads(*slopes), UNIT)
    assert found.kind == "alibi"
    assert (np.abs(found.slopes - slopes) <= found.slope_errors).all()
    assert found.slopes[1] == 0.0
    assert found.rounding == 0.0
    assert np.abs(Alibi(found.slopes).matrix(N) - heads(*slopes).mean(axis=0)).max() < 1e-14


def test_no_bias_is_none() -> None:
    assert read_bias(heads(0.0, 0.0), UNIT).kind == "none"


def test_a_bias_that_rises_or_bends_is_one_of_distance() -> None:
    def rises(d: Any) -> Any:
        return 0.1 * d

    def bends(d: Any) -> Any:
        return -0.05 * np.abs(d) ** 1.5

    for bias in (rises, bends):
        found = read_bias(softmax(bias(distances()))[None], UNIT)
        assert found.kind == "distance"
        assert found.by_distance is not None
        np.testing.assert_allclose(found.by_distance[0], bias(np.arange(float(N))), atol=1e-12)


def test_a_bias_of_single_positions_is_other() -> None:
    """Keys that attract whoever asks: b depends on j, not on i − j."""
    scores = np.tile(np.sin(np.arange(N)), (N, 1))
    assert read_bias(softmax(scores)[None], UNIT).kind == "other"


@pytest.mark.parametrize("slope", [0.0, 0.7])
def test_a_window_is_read_beside_the_slope(slope: float) -> None:
    weights = heads(slope, slope, width=5)
    mask, bias = read_mask(weights), read_bias(weights, UNIT)
    assert (mask.window, mask.regular, mask.future) == (5, True, None)
    assert bias.slopes[0] == pytest.approx(slope, abs=1e-12)


def test_underflow_is_no_window() -> None:
    """Weights below e^−745 are 0 in float64 without being masked, as those below e^−103 are in float32."""
    weights = heads(40.0)
    assert (weights[0, N - 1] == 0).any()
    assert weights[weights > 0].min() < FLOOR
    assert read_mask(weights).window is None


def test_holes_are_no_window() -> None:
    weights = heads(0.0)
    weights[0, 7, 2] = 0.0
    assert read_mask(weights).regular is False


def test_a_later_position_that_is_read_is_named() -> None:
    weights = heads(0.0)
    weights[0, 3, 5] = 0.1
    assert read_mask(weights).future == (3, 5)


def test_biases_rounded_to_eight_digits_are_a_line_with_rounding() -> None:
    def bfloat16(x: Any) -> Any:
        exponent = np.floor(np.log2(np.maximum(x, 1e-30))) - 7
        return np.round(x / 2**exponent) * 2**exponent

    slope = 0.177
    exact = slope * np.arange(N)
    scores = np.tile(bfloat16(exact), (N, 1))
    found = read_bias(softmax(scores)[None], UNIT)
    assert found.kind == "alibi"
    assert 0 < found.rounding < 2 * 2.0**-8 * exact[-1]
    assert abs(found.slopes[0] - slope) <= found.slope_errors[0]
    # a departure beyond what rounding explains is none of ALiBi
    scores[:, 7] += 0.2
    assert read_bias(softmax(scores)[None], UNIT).kind == "other"


def test_rotated_queries_and_keys_are_told_from_others() -> None:
    zero, turned = heads(0.0), softmax(np.cos(distances()))[None]
    assert rotates(zero, turned, UNIT, 4, 1.0)
    assert not rotates(zero, softmax(np.ones((N, N)))[None], UNIT, 4, 1.0)


def second_row(scores: Any) -> Any:
    weights = np.exp(np.stack([np.zeros_like(scores), scores], axis=-1))
    return weights / weights.sum(axis=-1, keepdims=True)


def test_the_scale_is_read_head_by_head() -> None:
    products, scales = np.array([2.0, 4.0]), np.array([0.5, 0.25, 1.0])
    found, errors, linear = read_scale(
        second_row(np.zeros(3)), second_row(products[:, None] * scales), products, UNIT, 4
    )
    assert linear
    assert (np.abs(found - scales) <= errors).all()
    capped = second_row(np.tanh(products[:, None] * scales))
    assert not read_scale(second_row(np.zeros(3)), capped, products, UNIT, 4)[2]


def test_a_window_of_one_hides_the_scale() -> None:
    alone = np.array([[0.0, 1.0]])
    assert np.isnan(read_scale(alone, np.stack([alone, alone]), np.array([1.0, 2.0]), UNIT, 4)[0]).all()
