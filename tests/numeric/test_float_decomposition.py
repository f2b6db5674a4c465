"""numeric.float_decomposition against balls, which enclose the true envelopes."""

from __future__ import annotations

import numpy as np
import pytest

from numeric.decomposition import Decomposition
from numeric.description import Description, describe
from numeric.distance import Distance, LogDistance, Window
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.profile import profile

N = 11
BUMPS = Prefix([1, 0.1, 1, 1, 3, 0.5, 2, 1, 1, 7, 1], 0.75)  # content > 0 and W_i / w_i not nondecreasing
RISING = Prefix(2.0 ** np.arange(N), 0.75)  # W_i / w_i = 2 − 2^(1−i)

CASES: dict[str, list[Kernel]] = {
    "uniform": [Uniform()] * 3,
    "uniform with content": [Uniform(1.5)] * 3,
    "alibi": [Alibi([0.5, 0.1, 3])] * 3,
    "alibi with content": [Alibi([0.5, 0.1, 3], [1, -2, 40])] * 3,
    "extreme": [Alibi([0, 1e-9, 49], [400, -400, 3], [0.5, 0.25, 0.25])] * 3,
    "other content in each layer": [Alibi([0.5, 0.1], content) for content in ([1, 0], [-1, 2], [0, -3])],
    "other slopes in each layer": [Alibi([m, 0.1], [1, -1]) for m in (0.5, 0.25, 0.125)],
    "prefix": [Prefix(np.arange(1, N + 1), -1.5)] * 3,
    "rising": [RISING] * 3,
    "bumps": [BUMPS] * 3,
    "average": [HeadAverage([Uniform(1), Prefix(np.ones(N), 2), Alibi([1, 2])], [0.25, 0.5, 0.25])] * 3,
    "wide window, flat log-distance": [HeadAverage([Window(N, 0.5, 1), LogDistance(0, -1)])] * 3,
}
LAM = [0.5, 1, 0.25]


def parts(found: Description) -> Decomposition:
    assert found.decomposition is not None and found.no_decomposition is None
    return found.decomposition


def relative(x: float, ball: object) -> float:
    middle = float(ball.mid())  # type: ignore[attr-defined]
    return abs(x - middle) / middle if middle else abs(x)


@pytest.mark.parametrize("name", CASES)
def test_against_balls(name: str) -> None:
    kernels = CASES[name]
    floats, balls = (parts(describe(kernels, LAM, n=N, bits=bits)) for bits in (None, 300))
    bound = 4 * (N + 12 * 4 + 760) * 2.0**-53  # (T + 1)(n + 12 log₂ n + 760) roundings
    assert relative(floats.spike, balls.spike) <= bound
    assert len(floats.heads) == len(balls.heads)
    for one, two in zip(floats.heads, balls.heads, strict=True):
        assert (one.layer, one.head) == (two.layer, two.head)
        assert one.weights is not None and one.envelope is not None and two.envelope is not None
        top = one.weights.max() / float(max(two.weights, key=float))  # type: ignore[arg-type]
        assert max(relative(x / top, y) for x, y in zip(one.weights, two.weights, strict=True)) <= bound  # type: ignore[arg-type]
        assert max(relative(x * top, y) for x, y in zip(one.envelope, two.envelope, strict=True)) <= bound
        # an answer is given only where it is the true one
        assert one.nonincreasing in (None, two.nonincreasing)
    assert floats.nonincreasing is (None if name == "bumps" else True)


@pytest.mark.parametrize("name", CASES)
def test_the_parts_add_up(name: str) -> None:
    found = parts(describe(CASES[name], LAM, n=N))
    total = np.zeros(N)
    total[-1] = found.spike
    for head in found.heads:
        total += np.multiply(head.weights, head.envelope)  # type: ignore[arg-type]
    p = profile(CASES[name], LAM, n=N)
    assert (np.abs(total - p) <= 1e-12 * p).all()  # well above the bound of the test before, 4e−13


def test_the_content_matters_only_below_an_attending_layer() -> None:
    above, free = [Uniform(), BUMPS], [BUMPS, Uniform()]
    assert parts(describe(above, 0.5, n=N)).nonincreasing is True
    assert parts(describe(free, 0.5, n=N)).nonincreasing is None
    assert parts(describe(free, [0.5, 0], n=N)).nonincreasing is True
    assert parts(describe([HeadAverage([BUMPS, Uniform()], [0, 1]), Uniform()], 0.5, n=N)).nonincreasing is True


def test_the_quotients_are_compared_exactly() -> None:
    # W_2 / w_2 = W_3 / w_3 = 2, and then one bit less
    for last, answer in ((2.0, True), (2.0 * (1 + 2.0**-52), None)):
        assert parts(describe([Prefix([1, 1, last], 1.0)] * 2, 0.5, n=3)).nonincreasing is answer


def test_weights_that_no_float_holds_are_left_out() -> None:
    steep = parts(describe([Alibi([60, 0.5])] * 2, 0.5, n=N))
    assert (steep.heads[0].weights, steep.heads[0].envelope, steep.heads[0].nonincreasing) == (None, None, True)
    assert steep.heads[1].envelope is not None
    assert parts(describe([Alibi([49, 0.5])] * 2, 0.5, n=N)).heads[0].envelope is not None


@pytest.mark.parametrize("envelopes", [True, False])
def test_spike_and_answer_without_the_heads(envelopes: bool) -> None:
    found = parts(describe(CASES["alibi with content"], LAM, n=N, envelopes=envelopes))
    full = parts(describe(CASES["alibi with content"], LAM, n=N))
    assert (found.spike, found.nonincreasing, len(found.heads)) == (full.spike, True, 3 * envelopes)


@pytest.mark.parametrize(
    ("kernel", "kind"),
    [
        (LogDistance(1), "LogDistance"),
        (Window(N - 1), "Window"),
        (Distance(np.zeros(N)), "Distance"),
        (Dense(np.eye(N)), "Dense"),
        (HeadAverage([Uniform(), Window(2)]), "Window"),
    ],
)
@pytest.mark.parametrize("bits", [None, 64])
def test_other_kernels_have_no_decomposition(kernel: Kernel, kind: str, bits: int | None) -> None:
    found = describe([Uniform(), kernel], 0.5, n=N, bits=bits)
    assert found.decomposition is None
    assert found.no_decomposition == f"layer 2 is not known to average prefix kernels: {kind}"


def test_no_layers_and_one_position() -> None:
    none = parts(describe([], 0.5, n=3))
    assert (none.spike, none.heads, none.nonincreasing) == (1.0, (), True)
    one = parts(describe([Uniform(1)], 1, n=1))
    assert one.spike == pytest.approx(1 - np.exp(-1)) and one.heads[0].envelope == pytest.approx([np.exp(-1)])
    still = parts(describe([Uniform()], 0, n=2))
    assert still.spike == 1 and still.heads[0].envelope is not None and not np.any(still.heads[0].envelope)
