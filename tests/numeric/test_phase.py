"""The phase diagram: its boundaries U7 and U8 against the decided cells, its axes, its refusals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

import pytest

from numeric.exact import ExactPrefix, exact_profile
from numeric.phase import (
    Phase,
    depth_phase,
    even,
    hump_mixing,
    layer_phase,
    ratios,
    spike_mixing,
    u_mixing,
    whole,
)
from numeric.refuse import InputError

# --- U7: the uniform kernel -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 5, 17, 256])
@pytest.mark.parametrize("layers", [2, 3, 24, None])
def test_u7_separates_u_from_primacy(n: int, layers: int | None) -> None:
    """To the last digits: a millionth of a millionth beside the boundary the label is the one it says."""
    edge = u_mixing(n, layers) * (1 if layers is None else layers)
    found = depth_phase([0.0], [edge * f for f in (0.01, 0.5, 1 - 1e-12, 1 + 1e-12)], n=n, layers=layers)
    assert [row[0].label for row in found.answers] == ["U", "U", "U", "primacy"]
    assert found.by["nothing"] == 0


@pytest.mark.parametrize(("n", "layers"), [(3, 2), (7, 5), (13, 3)])
def test_u7_in_rationals(n: int, layers: int) -> None:
    edge = Fraction(u_mixing(n, layers))
    for lam, falls in ((edge - Fraction(1, 10**14), False), (edge + Fraction(1, 10**14), True)):
        p = exact_profile([ExactPrefix((1,) * n)] * layers, lam, n=n)
        assert (p[-2] > p[-1]) is falls


def test_u7_for_one_layer_is_the_flat_profile() -> None:
    assert u_mixing(8, 1) == pytest.approx(1, abs=1e-15)
    assert u_mixing(8, None) == pytest.approx(56 * math.log(8 / 7), rel=1e-14)
    assert u_mixing(8, 10**9) * 10**9 == pytest.approx(u_mixing(8, None), rel=1e-7)


# --- U8: ALiBi near the end -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("layers", [24, None])
def test_u8_bounds_the_humps(layers: int | None) -> None:
    """n = 512 is long for slopes from 1/4 on: 2 % beside the boundaries cells are as they are for n → ∞."""
    scale = 1 if layers is None else layers
    slopes, depths = ratios(0.25, 2, 12), ratios(0.25, 16, 24)
    found = depth_phase(slopes, depths, n=512, layers=layers)
    seen = {True: 0, False: 0}
    for depth, row in zip(depths, found.answers, strict=True):
        for slope, cell in zip(slopes, row, strict=True):
            edge = min(hump_mixing(slope, layers), spike_mixing(slope, layers)) * scale
            if abs(depth / edge - 1) > 0.02:
                seen[depth < edge] += 1
                assert cell.label in (("recency", "U") if depth < edge else ("other",)), (slope, depth)
    assert min(seen.values()) > 50


@pytest.mark.parametrize("which", [hump_mixing, spike_mixing])
def test_either_boundary_of_u8_counts(which: Callable[[float, int | None], float]) -> None:
    """The smaller of the two is the edge, each somewhere: cells close to either side of it."""
    slope = 1.5 if which is spike_mixing else 0.25
    assert which(slope, 24) == min(hump_mixing(slope, 24), spike_mixing(slope, 24))
    found = depth_phase([slope], [24 * which(slope, 24) * f for f in (0.98, 1.02)], n=512, layers=24)
    assert [row[0].label == "other" for row in found.answers] == [False, True]


def test_the_boundaries_of_many_layers_are_those_of_continuous_depth() -> None:
    for which in (hump_mixing, spike_mixing):
        assert which(0.7, 10**9) * 10**9 == pytest.approx(which(0.7, None), rel=1e-7)
    assert hump_mixing(0.7, None) * math.exp(-0.7) == pytest.approx(2)
    assert spike_mixing(0.7, None) * math.exp(-0.7) * (1 - math.exp(-0.7)) == pytest.approx(1)
    assert spike_mixing(0.0, None) == math.inf
    assert spike_mixing(0.0, 5) == 1


# --- the grid -------------------------------------------------------------------------------------------------------


def test_both_axes_meet() -> None:
    """The same cell as a point of either diagram."""
    one = depth_phase([0.0, 0.3], [4.5, 9.0], n=33, layers=12)
    for column, slope in enumerate(one.across):
        other = layer_phase([5, 12], [4.5 / 12, 9 / 12], n=33, slope=slope)
        assert [row[1] for row in other.answers] == [row[column] for row in one.answers]
        assert other.mixing(0, 1) == one.mixing(0, 1) == 4.5 / 12
    assert depth_phase([0.0], [4.5], n=33, layers=None).mixing(0, 0) is None


def test_counts_and_what_decided() -> None:
    found = layer_phase([1, 7], [0.0, 0.5, 1.0], n=5, slope=0.0)
    assert found.counts == {"flat": 1, "primacy": 2, "recency": 3}  # at n = 5, T = 7 a U ends at λ = 0.43
    assert found.by == {"floats": 2, "balls": 4, "nothing": 0}
    assert isinstance(found, Phase)


def test_undecided_cells_are_counted() -> None:
    edge = u_mixing(7, 3)
    found = layer_phase([3], [edge / 2, edge], n=7, slope=0.0, bits=24)
    assert found.counts == {"U": 1, "undecided": 1}
    assert found.by == {"floats": 1, "balls": 0, "nothing": 1}


def test_progress_is_told_by_columns() -> None:
    told: list[tuple[int, int]] = []
    depth_phase([0.0, 1.0], [1.0], n=4, layers=3, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


def test_axes_hold_their_ends() -> None:
    assert ratios(0.3, 7.7, 5)[0] == 0.3
    assert ratios(0.3, 7.7, 5)[-1] == 7.7
    assert even(0, 1, 5) == (0, 0.25, 0.5, 0.75, 1)
    assert ratios(2, 2, 5) == even(2, 2, 5) == (2,)
    assert whole(1, 70, 4) == (1, 24, 47, 70)
    assert whole(3, 5, 40) == (3, 4, 5)
    assert whole(4, 4, 40) == (4,)


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: depth_phase([], [1], n=3, layers=2), "Argument 'slopes' must be 1 to 200 numbers, not 0."),
    (lambda: depth_phase([0.5, 0.5], [1], n=3, layers=2),
     "Argument 'slopes' must increase, not 0.5 (entry 2, counted from 1)."),
    (lambda: depth_phase([-1], [1], n=3, layers=2),
     "Argument 'slopes' must lie in [0, 700], not -1.0 (entry 1, counted from 1)."),
    (lambda: depth_phase([0], [1, 3], n=3, layers=2),
     "Argument 'depths' must lie in [0, 2], not 3.0 (entry 2, counted from 1)."),
    (lambda: depth_phase([0], [601], n=3, layers=None),
     "Argument 'depths' must lie in [0, 600], not 601.0 (entry 1, counted from 1)."),
    (lambda: depth_phase([0], [1], n=2049, layers=2), "Argument 'n' must be at most 2048, not 2049."),
    (lambda: depth_phase([0], [1], n=3, layers=0), "Argument 'layers' must be at least 1, not 0."),
    (lambda: depth_phase([0], [1], n=3, layers=1001), "Argument 'layers' must be at most 1000, not 1001."),
    (lambda: layer_phase([0], [1], n=3, slope=1), "Argument 'layers' must be at least 1, not 0."),
    (lambda: layer_phase([2], [1.5], n=3, slope=1),
     "Argument 'mixing' must lie in [0, 1], not 1.5 (entry 1, counted from 1)."),
    (lambda: layer_phase([2], [0.5], n=3, slope=-1), "Argument 'slope' must lie in [0, 700], not -1."),
    (lambda: u_mixing(1, 2), "Argument 'n' must be at least 2, not 1."),
]  # fmt: skip


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_refused(call: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(said)}$"):
        call()
