"""S7: the vertices, their numbers, what they compose to."""

from __future__ import annotations

from itertools import product
from math import factorial
from random import Random

import numpy as np
import pytest

from proofs.vertices import (
    COEFFICIENT_PAIRS,
    Monotone,
    causal_maps,
    composites,
    covering_pairs,
    kernels_of,
    map_pairs,
    maps_by_brute_force,
    monotone_cone,
    monotone_maps,
    pairs_by_brute_force,
)

CATALAN = (1, 2, 5, 14, 42, 132)  # S7
PAIRS: dict[Monotone, tuple[int, ...]] = {  # S7
    "both": (1, 3, 14, 84, 594),
    "lower": (1, 3, 15, 105, 945),
    "upper": (1, 3, 16, 127, 1363),
}


def _set(maps: np.ndarray) -> set[tuple[int, ...]]:
    return {tuple(int(x) for x in row.ravel()) for row in maps}


# --- vertices -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(1, 7))
def test_monotone_maps_are_the_zero_one_tails(n: int) -> None:
    maps = monotone_maps(n)
    assert len(maps) == len(_set(maps)) == CATALAN[n - 1]
    assert _set(maps) == _set(maps_by_brute_force(n))


@pytest.mark.parametrize("n", range(1, 6))
def test_causal_maps_are_the_zero_one_tails(n: int) -> None:
    assert len(causal_maps(n)) == factorial(n)
    assert _set(causal_maps(n)) == _set(maps_by_brute_force(n, monotone=False))


@pytest.mark.parametrize("which", PAIRS)
@pytest.mark.parametrize("n", range(1, 6))
def test_pairs_are_the_ordered_zero_one_tails(n: int, which: Monotone) -> None:
    pairs = map_pairs(n, which)
    assert len(pairs) == PAIRS[which][n - 1]
    assert _set(pairs) == _set(pairs_by_brute_force(n, which))


def test_coefficient_pairs_are_the_ordered_ones() -> None:
    assert set(COEFFICIENT_PAIRS) == {(a, b) for a, b in product((0, 1), repeat=2) if a <= b}


@pytest.mark.parametrize("n", (2, 3, 5))
def test_cone_directions_generate_monotone_matrices(n: int) -> None:
    directions = monotone_cone(n)
    tails = directions[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
    assert (np.diff(tails, axis=1) >= 0).all()
    rng = Random(n)
    columns = np.array([sorted(rng.randint(-5, 5) for _ in range(n)) for _ in range(n)]).T  # tails F(i, k)
    matrix = columns - np.pad(columns, ((0, 0), (0, 1)))[:, 1:]
    weights = [max(int(columns[0, k] * sign), 0) for k in range(n) for sign in (1, -1)]
    rebuilt = np.zeros((n, n), dtype=np.int64)
    place = iter(directions)
    for k in range(n):
        for sign in (0, 1):
            rebuilt += weights[2 * k + sign] * next(place)
        for row in range(1, n):
            rebuilt += int(columns[row, k] - columns[row - 1, k]) * next(place)
    assert (rebuilt == matrix).all()


def test_covering_pairs_take_every_pair_of_values_in_every_row() -> None:
    pairs = covering_pairs(5)
    for i in range(5):
        assert {tuple(int(x) for x in p[:, i]) for p in pairs} == {(a, b) for b in range(i + 1) for a in range(b + 1)}


# --- composites ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", (1, 2, 3, 4))
def test_composites_are_closed_and_reached_by_their_words(n: int) -> None:
    layers = np.concatenate([map_pairs(n, "lower"), map_pairs(n, "upper")])
    found = composites(layers)
    states = _set(found.states)
    assert len(states) == len(found.states)
    kernels = kernels_of(layers)
    for state, word in zip(found.states, found.words, strict=True):
        for p in (0, 1):
            rollout = np.eye(n, dtype=np.int64)
            for layer in word:
                rollout = kernels[layer, p] @ rollout
            assert (rollout == kernels_of(state[p])).all()
    above = {tuple(int(s[p][layer[p][i]]) for p in (0, 1) for i in range(n)) for s in found.states for layer in layers}
    assert above == states


@pytest.mark.parametrize("n", (2, 4, 6))
def test_monotone_maps_are_closed_under_composition(n: int) -> None:
    assert _set(composites(monotone_maps(n)[:, None]).states) == _set(monotone_maps(n))


def test_composites_need_an_idle_layer_and_causal_maps() -> None:
    composites(np.array([[[0, 1]], [[0, 0]]]))
    with pytest.raises(ValueError, match="identity"):
        composites(np.array([[[0, 0]]]))
    with pytest.raises(ValueError, match="future"):
        composites(np.array([[[0, 1]], [[1, 1]]]))
