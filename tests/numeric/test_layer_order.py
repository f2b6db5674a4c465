"""numeric.layer_order: the two ends of all orders, by trying them all."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from numeric.distance import Window
from numeric.kernel import Alibi, Kernel, Uniform
from numeric.layer_order import layer_order
from numeric.order import tails
from numeric.profile import profile
from numeric.refuse import InputError

STACK: list[Kernel] = [Alibi([0.3, 0.5]), Uniform(), Alibi(1.5), Alibi([0.5, 1.0])]
LAM = np.array([0.9, 0.4, 0.6, 1.0])
N = 7


def test_the_ends_are_the_ends_of_all_orders() -> None:
    found = layer_order(STACK, LAM, n=N)
    assert found.most_recent is not None
    assert found.most_primacy is not None
    assert found.most_recent.layers == (2, 1, 4, 3)
    assert found.most_primacy.layers == (3, 4, 1, 2)
    recent, primacy = tails(found.most_recent.profile), tails(found.most_primacy.profile)
    seen = set()
    for order in permutations(range(4)):
        p = tails(profile([STACK[t] for t in order], LAM[list(order)], n=N))
        assert (p <= recent + 1e-15).all()
        assert (p >= primacy - 1e-15).all()
        seen.add(tuple(p.round(12)))
    assert len(seen) > 10


def test_distances_are_differences_of_means() -> None:
    found = layer_order(STACK, LAM, n=N)
    assert found.most_recent is not None
    assert found.most_primacy is not None
    here = float(profile(STACK, LAM, n=N) @ np.arange(N))
    assert found.most_recent.distance == pytest.approx(found.most_recent.profile @ np.arange(N) - here)
    assert found.most_primacy.distance == pytest.approx(here - found.most_primacy.profile @ np.arange(N))


def test_equal_kernels_commute() -> None:
    found = layer_order([Alibi([0.1, 2.0])] * 3, [0.1, 0.9, 0.5], n=N)
    assert found.same
    assert found.most_recent is not None
    assert found.most_recent.distance == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize(
    ("stack", "reason"),
    [
        ([Alibi([0.1, 1.0]), Alibi(0.5)], "the slopes of layers 1 and 2 overlap"),
        ([Alibi(0.1), Alibi(0.5, 1.0)], "layer 2 is no average of ALiBi heads without content"),
        ([Uniform(2.0)], "layer 1 is no average"),
        ([Alibi(0.1), Window(3)], "layer 2 is no average"),
    ],
)
def test_where_nothing_is_said(stack: list[Kernel], reason: str) -> None:
    found = layer_order(stack, 0.5, n=N)
    assert (found.most_recent, found.most_primacy, found.same) == (None, None, False)
    assert found.reason.startswith(reason)


def test_a_head_that_is_not_read_does_not_count() -> None:
    found = layer_order([Alibi([0.1, 9.0], head_weights=[1.0, 0.0]), Alibi(0.5)], 0.5, n=N)
    assert found.reason == ""


def test_ends() -> None:
    assert layer_order([], [], n=3).same
    one = layer_order([Alibi(0.1), Alibi(0.2)], 0.5, n=1).most_recent
    assert one is not None
    assert one.distance == 0
    with pytest.raises(InputError, match="'lam'"):
        layer_order([Alibi(0.1)], 2.0, n=3)
