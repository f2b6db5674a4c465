"""The order of a file's layers: against tails of products in rationals, within rounding, and in posbias check."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric.kernel import Alibi, Uniform
from numeric.order import precedes
from numeric.strategies import causal_kernels
from proofs.kernel_file import KernelFile, read_kernel
from proofs.layer_pairs import MOST_LAYERS, MOST_POSITIONS, order_of_layers

Posbias = Callable[..., Any]
Rows = tuple[tuple[Fraction, ...], ...]
NONE = Fraction(0)


def of_floats(folder: Path, *matrices: np.ndarray) -> KernelFile:
    np.save(folder / "k.npy", np.array(matrices))
    return read_kernel(str(folder / "k.npy"))


@settings(max_examples=60, deadline=None, database=None)
@given(st.integers(2, 4).flatmap(lambda n: st.tuples(causal_kernels(n), causal_kernels(n))))
def test_it_is_the_order_of_the_products(pair: tuple[Rows, Rows]) -> None:
    from tempfile import TemporaryDirectory

    a, b = pair
    with TemporaryDirectory() as folder:
        text = "\n\n".join("\n".join(",".join(map(str, row)) for row in rows) for rows in pair)
        (Path(folder) / "k.csv").write_text(text + "\n")
        found = order_of_layers(read_kernel(str(Path(folder) / "k.csv")), NONE)
    ab = [[sum((x * b[m][j] for m, x in enumerate(row)), NONE) for j in range(len(a))] for row in a]
    ba = [[sum((x * a[m][j] for m, x in enumerate(row)), NONE) for j in range(len(a))] for row in b]
    assert found == (precedes(ab, ba), precedes(ba, ab))


def test_slopes_in_order(tmp_path: Path) -> None:
    stack = [Uniform().matrix(12), Alibi([0.1, 0.2]).matrix(12), Alibi(0.5).matrix(12)]
    defect = Fraction(1, 2**50)
    assert order_of_layers(of_floats(tmp_path, *stack), defect) == (True, False)
    assert order_of_layers(of_floats(tmp_path, *stack[::-1]), defect) == (False, True)
    mixed = [stack[1], stack[0], stack[2]]
    assert order_of_layers(of_floats(tmp_path, *mixed), defect) == (False, False)


def test_equal_layers_are_in_either_order(tmp_path: Path) -> None:
    assert order_of_layers(of_floats(tmp_path, *[Alibi(0.3).matrix(9)] * 3), NONE) == (True, True)
    assert order_of_layers(of_floats(tmp_path, Uniform().matrix(3)), NONE) == (True, True)


def test_what_rounding_may_have_turned_is_undecided(tmp_path: Path) -> None:
    """Two kernels that commute but for the last bit."""
    a = Alibi(0.3).matrix(6)
    b = a.copy()
    b[4, 0] = np.nextafter(b[4, 0], 1)
    assert set(order_of_layers(of_floats(tmp_path, a, b), Fraction(1, 2**50))) <= {None, True}


def test_large_stacks_stay_open(tmp_path: Path) -> None:
    assert order_of_layers(of_floats(tmp_path, *[np.eye(MOST_POSITIONS + 1)] * 2), NONE) == (None, None)
    assert order_of_layers(of_floats(tmp_path, *[np.eye(2)] * (MOST_LAYERS + 1)), NONE) == (None, None)


def test_check_says_whether_layer_order_applies(posbias: Posbias, tmp_path: Path) -> None:
    np.save(tmp_path / "rising.npy", np.array([Uniform().matrix(5), Alibi(0.5).matrix(5)]))
    np.save(tmp_path / "falling.npy", np.array([Alibi(0.5).matrix(5), Uniform().matrix(5)]))
    parts = {}
    for name in ("rising", "falling"):
        found = posbias("check", tmp_path / f"{name}.npy", "--json").json()
        parts[name] = {p["part"] for p in found["fails"] if p["id"] == "D7"}
    assert "every arrangement, reversed" in parts["rising"] - parts["falling"]
    assert "every arrangement" in parts["falling"] - parts["rising"]


@pytest.mark.parametrize("slope", [0.0, 0.2])
def test_one_kernel_meets_every_order(posbias: Posbias, tmp_path: Path, slope: float) -> None:
    np.save(tmp_path / "one.npy", Alibi(slope).matrix(5))
    assert "D7" in posbias("check", tmp_path / "one.npy", "--json").json()["applies"]


def test_layers_of_one_position(posbias: Posbias, tmp_path: Path) -> None:
    np.save(tmp_path / "one.npy", np.ones((2, 1, 1)))
    assert order_of_layers(of_floats(tmp_path, np.ones((1, 1)), np.ones((1, 1))), NONE) == (True, True)
    assert posbias("check", tmp_path / "one.npy").code == 0
