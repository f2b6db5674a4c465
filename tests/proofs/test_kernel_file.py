"""What is no kernel is refused on one line with the cell named, counted from 1; nothing is executed or written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Posbias = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,0,0\n0.5,0.5,0\n0.5,0.5", "'KERNEL' must have 3 numbers in every row, not 2 (row 3, counted from 1)"),
        ("1,0\n0.5,0.5\n1,0", "'KERNEL' must be square, or layers of n rows of n numbers, not 3 rows of 2 numbers"),
        ("1,0,0\n0.5,0.5,0\n", "'KERNEL' must be square, or layers of n rows of n numbers, not 2 rows of 3 numbers"),
        ("1,0\n0.5,0.5\n\n1,0\n", "not 1 rows of 2 numbers (layer 2)"),
        (
            "1,1e-390\n0.5,0.5\n",
            "'KERNEL' must read no later position, not a number too small for a float (row 1, column 2",
        ),
        ("1,0\n-0.5,1.5\n", "'KERNEL' must be nonnegative, not -0.5 (row 2, column 1, counted from 1)"),
        ("1,0\nnan,0.5\n", "'KERNEL' must be a number everywhere, not nan (row 2, column 1, counted from 1)"),
        ("1,0\nnan,nan\n", "'KERNEL' must have rows that sum to 1, not a fully masked row (row 2, counted from 1)"),
        ("1,0\n0,0\n", "not a fully masked row (row 2, counted from 1)"),
        ("1,0\n0.5,0.4\n", "'KERNEL' must have rows that sum to 1 within 1e-06, not 0.9 (row 2, counted from 1)"),
        ("1,0\n0.5,1e399\n", "row 2, column 2"),
        (
            "1,0\n0.5,a\n",
            "'KERNEL' must be a number (decimal or fraction p/q), not 'a' (row 2, column 2, counted from 1)",
        ),
        ("1,0\n0.5,__import__('os').mkdir('pwned')\n", "must be a number (decimal or fraction p/q)"),
        ("1,0\n0.5,\n", "must be a number (decimal or fraction p/q), not '' (row 2, column 2, counted from 1)"),
        ("1,0\n.5,.5\n\n1,0\n.5,.4\n", "not 0.9 (row 2, layer 2, counted from 1)"),
        ("1,0\n.5,.5\n\n1,.1\n.5,.5\n", "not 0.1 (row 1, column 2, layer 2, counted from 1)"),
        ("# nothing\n", "'KERNEL' must have at least one row, not comments only"),
    ],
)
def test_refused_text(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.csv").write_text(text)
    run = posbias("check", "k.csv")
    assert (run.code, run.out) == (2, "")
    assert message in run.err, run.err
    assert run.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["k.csv"]


def _with(matrix: Any, row: int, column: int, value: float) -> Any:
    changed = matrix.copy()
    changed[row, column] = value
    return changed


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (_with(np.eye(5), 1, 3, 0.5), "must read no later position, not 0.5 (row 2, column 4, counted from 1)"),
        (_with(np.eye(5), 1, 3, -1e-320), "must read no later position, not -1e-320 (row 2, column 4"),
        (_with(np.eye(5), 3, 1, -0.5), "must be nonnegative, not -0.5 (row 4, column 2, counted from 1)"),
        (_with(np.eye(5), 3, 1, np.nan), "must be a number everywhere, not nan (row 4, column 2, counted from 1)"),
        (_with(np.eye(5), 3, 1, np.inf), "must be finite everywhere, not inf (row 4, column 2, counted from 1)"),
        (_with(np.eye(5), 3, 1, 1e38), "must have rows that sum to 1 within 1e-06, not 1e+38 (row 4, counted from 1)"),
        (np.tril(np.full((3, 3), 1.7e308)), "within 1e-06, not a number too large for a float (row 3"),
        (_with(np.eye(5), 3, 3, 1e-320), "must have rows that sum to 1 within 1e-06, not 1e-320 (row 4"),
        (_with(np.eye(5), 3, 3, 0), "not a fully masked row (row 4, counted from 1)"),
        (
            np.stack([np.eye(3), _with(np.eye(3), 2, 2, np.nan)]),
            "not a fully masked row (row 3, layer 2, counted from 1)",
        ),
        (np.ones((3, 3), dtype="int8"), "must read no later position, not 1.0 (row 1, column 2"),
        (
            np.tril(np.full((130, 130), 2, dtype="int8")),
            "must have rows that sum to 1 within 1e-06, not 260.0 (row 130",
        ),
        (np.eye(3, 5), "must be square (n, n), or layers of that form (T, n, n), not of shape (3, 5)"),
        (np.ones(3), "must be square (n, n), or layers of that form (T, n, n), not of shape (3,)"),
        (np.zeros((0, 0)), "must be square (n, n), or layers of that form (T, n, n), not of shape (0, 0)"),
        (np.zeros((0, 3, 3)), "not of shape (0, 3, 3)"),
        (np.eye(3, dtype=bool), "must be an array of integers or floats of at most 64 bits, not of type bool"),
        (np.eye(3, dtype=complex), "not of type complex128"),
        (np.array([["1"]]), "not of type <U1"),
    ],
)
def test_refused_arrays(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, array: Any, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save(tmp_path / "k.npy", array)
    run = posbias("check", "k.npy")
    assert (run.code, run.out) == (2, "")
    assert message in run.err, run.err


class _Pwned:
    def __reduce__(self) -> tuple[Any, ...]:
        return (open, ("pwned", "w"))


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY", b"not an array", b"PK\x03\x04", "pickle"])
def test_what_is_no_array_is_refused_and_never_executed(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | str
) -> None:
    monkeypatch.chdir(tmp_path)
    if isinstance(content, str):
        np.save(tmp_path / "k.npy", np.array([[_Pwned()]], dtype=object), allow_pickle=True)
    else:
        (tmp_path / "k.npy").write_bytes(content)
    run = posbias("check", "k.npy")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["k.npy"]
