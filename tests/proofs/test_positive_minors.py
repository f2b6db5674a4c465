"""Total positivity of a file's kernels: by all minors, with zeros, and within what rounding explains."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric.distance import Distance
from numeric.kernel import Alibi, Prefix
from numeric.strategies import causal_kernels
from proofs.kernel_file import Layer, read_kernel
from proofs.positive_minors import MOST_WITH_ZEROS, totally_positive

Rows = tuple[tuple[Fraction | int, ...], ...]


def of_text(folder: Path, rows: Rows) -> Layer:
    (folder / "k.csv").write_text("\n".join(",".join(str(x) for x in row) for row in rows) + "\n")
    (layer,) = read_kernel(str(folder / "k.csv")).layers()
    return layer


def of_floats(folder: Path, matrix: np.ndarray) -> Layer:
    np.save(folder / "k.npy", matrix)
    (layer,) = read_kernel(str(folder / "k.npy")).layers()
    return layer


def by_all_minors(rows: Rows) -> bool:
    pairs = list(combinations(range(len(rows)), 2))
    return all(rows[i][m] * rows[k][j] <= rows[i][j] * rows[k][m] for i, k in pairs for j, m in pairs)


@settings(max_examples=80, deadline=None, database=None)
@given(st.integers(1, 5).flatmap(causal_kernels))
def test_it_is_what_all_minors_say(rows: Rows) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        assert totally_positive(of_text(Path(folder), rows)) == by_all_minors(rows)


def test_prefix_kernels_are(tmp_path: Path) -> None:
    thirds = ((1, 0, 0), (Fraction(1, 2), Fraction(1, 2), 0), (Fraction(1, 3),) * 3)
    assert totally_positive(of_text(tmp_path, thirds)) is True
    content = ((1, 0, 0), (Fraction(1, 3), Fraction(2, 3), 0), (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)))
    assert totally_positive(of_text(tmp_path, content)) is False  # e = 2: D6


def test_inner_zeros_break_it(tmp_path: Path) -> None:
    """a = (1, 0, 0, 1): log-concave term by term, and yet no."""
    half = Fraction(1, 2)
    rows = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (half, 0, 0, half))
    assert totally_positive(of_text(tmp_path, rows)) is False


@pytest.mark.parametrize("matrix", [Prefix(np.arange(1.0, 41.0)).matrix(40), Alibi(0.3).matrix(200)])
def test_rounded_ties_are_undecided(tmp_path: Path, matrix: np.ndarray) -> None:
    """The minors of a prefix kernel are 0; rounding makes some of them negative."""
    assert totally_positive(of_floats(tmp_path, matrix)) is None


def test_floats_that_are_clear(tmp_path: Path) -> None:
    bias = -0.01 * np.arange(30.0) ** 2
    assert totally_positive(of_floats(tmp_path, Distance(bias).matrix(30))) is True
    assert totally_positive(of_floats(tmp_path, Distance(-bias).matrix(30))) is False


def test_large_kernels_with_zeros_stay_open(tmp_path: Path) -> None:
    n = MOST_WITH_ZEROS + 1
    assert totally_positive(of_floats(tmp_path, np.eye(n))) is None
    assert totally_positive(of_floats(tmp_path, np.eye(n - 1))) is True


@pytest.mark.parametrize("slope", [1.0, 4.0, 7.3])
def test_numbers_below_the_smallest_normal_one_are_rounded_coarsely(tmp_path: Path, slope: float) -> None:
    """A softmax in single precision: its last entries are multiples of 2^-149."""
    logits = np.float32(-slope) * np.subtract.outer(np.arange(30), np.arange(30)).astype(np.float32)
    rows = np.exp(np.where(logits <= 0, logits, -np.inf).astype(np.float32))
    rows = (rows / rows.sum(axis=1, keepdims=True)).astype(np.float32)
    assert totally_positive(of_floats(tmp_path, rows)) is not False
