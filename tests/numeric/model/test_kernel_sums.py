"""Sums and rollouts of kernels that are given by hand: their order, what is left out, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from numeric.kernel import Dense
from numeric.model import kernel_sums
from numeric.profile import profile
from numeric.refuse import InputError

B, T, H, N = 2, 3, 5, 7
RNG = np.random.default_rng(11)
WEIGHTS = np.tril(RNG.random((B, T, N, N)))
KERNELS = WEIGHTS / WEIGHTS.sum(axis=-1, keepdims=True)
MIXING = RNG.random((B, T, N))
SHARES = MIXING.mean(axis=2)
ROLLOUTS = ("rollout", "attention_only", "half", "by_position", "value_weighted")
LOADED: Any = SimpleNamespace(blocks=[SimpleNamespace(heads=heads) for heads in (5, 3, 5)])


def weighed(kernels: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(kernels**2 / (kernels**2).sum(axis=-1, keepdims=True))


@dataclass
class Layer:
    """What `attention_of` hands over. content : 1, 2, … by head on the diagonal, its negative off it."""

    layer: int
    kernels: NDArray[Any]
    heads: int
    slack: float = 1e-12

    def mean(self) -> NDArray[Any]:
        return self.kernels

    def value_weighted(self) -> NDArray[Any]:
        return weighed(self.kernels)

    def content(self) -> tuple[NDArray[Any], NDArray[Any]]:
        on = np.tile(np.arange(1.0, self.heads + 1), (B, 1))
        return on, -on


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """(kernels, sums) -> fields of a model that attends with these kernels."""

    def run(kernels: NDArray[Any], sums: dict[str, Any] | None) -> Any:
        def attention(loaded: Any, ids: Any, visit: Callable[[Any], None]) -> None:
            for t, block in enumerate(loaded.blocks):
                visit(Layer(t + 1, kernels[:, t], block.heads))

        monkeypatch.setattr(kernel_sums, "attention_of", attention)
        return kernel_sums.kernels_of(LOADED, np.zeros((B, N), dtype=np.int64), MIXING, sums)

    return run


def test_rollouts_are_last_rows_of_products(measured: Callable[..., Any]) -> None:
    """Of n × n matrices, layer 1 nearest the input; each within 3 T N roundings."""
    found = measured(KERNELS, None)
    assert set(found) == {"content", *ROLLOUTS}
    for s in range(B):
        flat = np.tile(SHARES[s][:, None], N)
        choices = {
            "rollout": (KERNELS[s], flat),
            "attention_only": (KERNELS[s], np.ones((T, N))),
            "half": (KERNELS[s], np.full((T, N), 0.5)),
            "by_position": (KERNELS[s], MIXING[s]),
            "value_weighted": (weighed(KERNELS[s]), flat),
        }
        for name, (kernels, shares) in choices.items():
            product = np.eye(N)
            for kernel, share in zip(kernels, shares, strict=True):
                product = (np.diag(1 - share) + share[:, None] * kernel) @ product
            assert np.allclose(found[name][s], product[-1], rtol=0, atol=1e-14), name


def test_a_rollout_is_the_profile(measured: Callable[..., Any]) -> None:
    stack = [Dense(kernel) for kernel in KERNELS[1]]
    assert np.allclose(measured(KERNELS, None)["rollout"][1], profile(stack, SHARES[1], n=N), rtol=0, atol=1e-14)


def test_sums_grow_in_place_and_count(measured: Callable[..., Any]) -> None:
    sums: dict[str, Any] = {}
    measured(KERNELS, sums)
    measured(KERNELS[::-1], sums)
    assert np.allclose(sums["kernels"], 2 * KERNELS.sum(axis=0), rtol=1e-14)
    assert np.allclose(sums["value_weighted"], 2 * weighed(KERNELS).sum(axis=0), rtol=1e-14)
    assert sums["counts"].tolist() == [4, 4, 4]


def test_content_has_a_place_for_every_head_there_is(measured: Callable[..., Any]) -> None:
    content = measured(KERNELS, None)["content"]
    assert content.shape == (B, T, H, 2)
    assert content[1, 0, :, 0].tolist() == [1, 2, 3, 4, 5]
    assert content[1, 0, :, 1].tolist() == [-1, -2, -3, -4, -5]
    assert np.isnan(content[:, 1, 3:]).all() and np.isfinite(content[:, 1, :3]).all()


def test_a_kernel_that_is_not_finite_is_left_out_of_its_layer(measured: Callable[..., Any]) -> None:
    kernels = KERNELS.copy()
    sums: dict[str, Any] = {}
    kernels[0, 1, 3, 2] = np.nan
    found, whole = measured(kernels, sums), measured(KERNELS, None)
    for name in ROLLOUTS:
        assert np.isnan(found[name][0]).all()
        assert np.array_equal(found[name][1], whole[name][1])
    assert sums["counts"].tolist() == [2, 1, 2]
    assert np.array_equal(sums["kernels"][1], kernels[1, 1])


@pytest.mark.parametrize(
    ("cell", "value", "says"),
    [((1, 2, 3, 4), 0.5, "later position"), ((1, 2, 3, 1), 5.0, "sum to 1"), ((1, 2, 3, 1), -0.1, "nonnegative")],
)
def test_what_is_no_kernel_is_refused_with_its_place(
    measured: Callable[..., Any], cell: tuple[int, ...], value: float, says: str
) -> None:
    kernels = KERNELS.copy()
    kernels[cell] = value
    with pytest.raises(InputError, match=rf"{says}.*sample 2 of its batch, layer 3, row 4"):
        measured(kernels, {})
