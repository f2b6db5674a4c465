"""numeric.prefix_lm: the row recursion against the matrix, and what lumping the prefix keeps (X2)."""

from __future__ import annotations

import numpy as np
import pytest

from numeric.kernel import Alibi, Dense
from numeric.order import precedes, tails
from numeric.prefix_lm import PrefixLM, lumped
from numeric.profile import profile, profile_dense
from numeric.refuse import InputError

LAM = [0.3, 1.0, 0.6, 0.8]


def stack(b: int) -> list[PrefixLM]:
    return [PrefixLM(b, [0.0, m], [d, 0.0], [0.25, 0.75]) for m, d in ((0.1, 0.0), (0.5, 1.0), (2.0, -1.0), (0.3, 0.5))]


@pytest.mark.parametrize("b", [1, 2, 5, 11, 12])
def test_the_recursion_is_the_matrix(b: int) -> None:
    rng = np.random.default_rng(b)
    for kernel in stack(b):
        v = rng.random(12)
        np.testing.assert_allclose(kernel.apply(v), v @ kernel.matrix(12), rtol=1e-13)
    np.testing.assert_allclose(profile(stack(b), LAM, n=12), profile_dense(stack(b), LAM, n=12), rtol=1e-12)


def test_a_prefix_of_one_is_alibi() -> None:
    v = np.random.default_rng(0).random(9)
    np.testing.assert_allclose(PrefixLM(1, [0.2, 1.0], 0.5).apply(v), Alibi([0.2, 1.0], 0.5).apply(v), rtol=1e-15)


def test_the_prefix_sees_itself_and_no_more() -> None:
    a = PrefixLM(3, 0.7).matrix(6)
    assert (a[:3, :3] > 0).all()
    assert (a[:3, 3:] == 0).all()
    assert (np.triu(a[3:], 4) == 0).all()
    np.testing.assert_allclose(a.sum(axis=1), 1)
    assert a[0, 2] < a[0, 1] < a[0, 0]  # ALiBi in both directions


@pytest.mark.parametrize("b", [1, 2, 5, 12])
def test_tails_beyond_the_prefix_are_those_of_the_lumped_stack(b: int) -> None:
    whole = profile(stack(b), LAM, n=12)
    small = profile(lumped(stack(b), 12), LAM, n=13 - b)
    np.testing.assert_allclose(tails(whole)[b:], tails(small)[1:], rtol=1e-12)
    assert whole[:b].sum() == pytest.approx(small[0])


def test_the_lumped_stack_drifts() -> None:
    """D1 for the tails beyond the prefix; the lumped kernels of ALiBi are monotone."""
    layers = lumped([PrefixLM(4, 0.3)] * 5, 12)
    profiles = [profile(layers[:t], 0.7, n=9) for t in range(6)]
    assert all(precedes(p, q) for p, q in zip(profiles[1:], profiles[:-1], strict=True))


def test_inside_the_prefix_it_does_not() -> None:
    """b = n = 2, a layer that swaps the rows: the tail of the last row falls to 0 and comes back."""
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert [np.linalg.matrix_power(swap, t)[1, 1] for t in range(3)] == [1, 0, 1]


def test_refusals() -> None:
    for b in (0, -1, 1.5, True):
        with pytest.raises(InputError, match="'prefix'"):
            PrefixLM(b)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'n' must be at least 5"):
        profile([PrefixLM(5)], 0.5, n=4)
    with pytest.raises(InputError, match="'kernels' must have one prefix"):
        lumped([PrefixLM(2), PrefixLM(3)], 6)
    with pytest.raises(InputError, match="'kernels' must be PrefixLM"):
        lumped([Alibi(1.0)], 3)  # type: ignore[list-item]
    with pytest.raises(InputError, match="'slopes'"):
        PrefixLM(2, -1.0)
    assert isinstance(lumped([PrefixLM(2)], 3)[0], Dense)
