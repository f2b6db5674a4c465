"""One weight and one envelope: their product is what the spike leaves, the envelope falls, edges have none."""

from __future__ import annotations

import numpy as np
import pytest

from numeric.decomposition import Decomposition
from numeric.description import describe
from numeric.kernel import Alibi, HeadAverage, Kernel, Prefix, Uniform
from numeric.profile import profile_dense
from numeric.weight_and_envelope import weight_and_envelope

STACKS: dict[str, tuple[list[Kernel], list[float]]] = {
    "one slope": ([Alibi(0.25)] * 3, [0.5, 1.0, 0.25]),
    "heads": ([Alibi([0.5, 0.0, 2.0], [1.0, -1.0, 0.0], [0.5, 0.25, 0.25])] * 2, [0.75, 0.5]),
    "layers that differ": ([Alibi([0.5, 0.25]), Uniform(2.0), HeadAverage([Uniform(), Alibi(3.0)])], [0.5, 0.5, 1.0]),
    "a layer that does not attend": ([Uniform(), Alibi(1.0)], [0.5, 0.0]),
    "weights that rise and fall": ([Prefix([1, 3, 2, 5, 1, 1, 2])] * 2, [0.5, 0.25]),
}


def parts_of(kernels: list[Kernel], lam: list[float], n: int = 7) -> Decomposition:
    found = describe(kernels, lam, n=n).decomposition
    assert found is not None
    return found


@pytest.mark.parametrize("name", STACKS)
def test_product_and_envelope(name: str) -> None:
    kernels, lam = STACKS[name]
    parts = parts_of(kernels, lam)
    found = weight_and_envelope(parts)
    assert found is not None
    rest = profile_dense(kernels, lam, n=7)
    rest[-1] -= parts.spike
    # sums of 7 positions, 3 layers and heads: far fewer than 1000 roundings of 2^−53 on either side
    assert np.allclose(found.recency * found.primacy, rest, rtol=1000 * 2.0**-53, atol=0)
    assert (np.diff(found.primacy) <= 1000 * 2.0**-53 * found.primacy[:-1]).all()
    assert found.primacy[0] == pytest.approx(rest.sum(), rel=1000 * 2.0**-53)


def test_one_slope_has_its_own_weight() -> None:
    found = weight_and_envelope(parts_of(*STACKS["one slope"]))
    assert found is not None
    assert np.allclose(found.recency / found.recency[-1], np.exp(0.25 * np.arange(-6, 1)), rtol=1e-13)


def test_equal_heads_count_as_one() -> None:
    """One head twice is one head, whether layers agree or not."""
    once, twice = (weight_and_envelope(parts_of([k, Uniform()], [0.5, 0.5])) for k in (Alibi(1.0), Alibi([1.0, 1.0])))
    assert once is not None and twice is not None
    assert np.allclose(once.primacy, twice.primacy, rtol=1e-14)


def test_edges() -> None:
    assert weight_and_envelope(parts_of([Uniform()] * 2, [0.0, 0.0])) is None  # no layer attends
    assert weight_and_envelope(parts_of([], [])) is None
    assert weight_and_envelope(parts_of([Alibi([0.1, 100.0])], [0.5])) is None  # e^600
    alone = weight_and_envelope(parts_of([Uniform()], [0.5], n=1))
    assert alone is not None
    assert (alone.recency * alone.primacy).tolist() == [0.5]
