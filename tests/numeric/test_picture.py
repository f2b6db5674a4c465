"""numeric.picture: the curves have the order they are to show; right file, plain text, the same bytes every time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from numeric.coupling import coupled_paths
from numeric.kernel import Uniform
from numeric.order import tails
from numeric.picture import (
    Force,
    draw_force,
    draw_paths,
    draw_profiles,
    draw_together,
    force_profiles,
    together_profiles,
)
from numeric.refuse import InputError
from numeric.shape import shape

U = [0.4, 0.15, 0.05, 0.1, 0.3]
ROOT = Path(__file__).resolve().parents[2]
UPWARDS: dict[Force, bool] = {"mask": False, "residual": False, "slope": True, "content": True}


@pytest.mark.parametrize("force", UPWARDS)
def test_the_curves_move_one_way_only(force: Force) -> None:
    # D1 to D4; sixteen layers of at most 100 roundings each
    for n in (2, 64):
        curves = [tails(p) for _, p in force_profiles(force, n=n)]
        assert len(curves) == 5
        for a, b in pairwise(curves):
            lower, upper = (a, b) if UPWARDS[force] else (b, a)
            assert (lower <= upper + 16 * 100 * 2.0**-53).all() and (lower[1:] < upper[1:]).any()


def test_each_force_that_is_added_keeps_the_profile_nearer_the_end() -> None:
    # D2, D3, D4; twelve layers of at most 100 roundings each
    for n in (2, 64):
        for lower, upper in pairwise(tails(p) for _, p in together_profiles(n=n)):
            assert (lower <= upper + 12 * 100 * 2.0**-53).all() and (lower[1:] < upper[1:]).any()


def test_the_forces_together_make_a_u_of_a_fall(tmp_path: Path) -> None:
    assert [shape(p).label for _, p in together_profiles()] == ["primacy", "U", "U", "U"]
    draw_together(tmp_path / "a.svg", n=7)
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert all(f"<!-- {label} -->" in drawn for label, _ in together_profiles())


@pytest.mark.parametrize("force", UPWARDS)
def test_draws_a_force_with_its_labels(tmp_path: Path, force: Force) -> None:
    path = tmp_path / "a.svg"
    draw_force(path, force, n=7)
    drawn = path.read_text(encoding="utf-8")
    for text in (*(label for label, _ in force_profiles(force, n=7)), "share of the tokens from k on", "position k"):
        assert f"<!-- {text} -->" in drawn


def draw_mask(path: Path) -> None:
    draw_force(path, "mask", n=9)


@pytest.mark.parametrize(("draw", "suffix"), [(draw_mask, ".png"), (draw_mask, ".pdf"), (draw_paths, ".svg")])
def test_the_same_bytes_whatever_the_settings(tmp_path: Path, draw: Callable[[Path], None], suffix: str) -> None:
    draw(tmp_path / f"a{suffix}")
    before = matplotlib.rcParams.copy()
    with matplotlib.rc_context({"font.size": 30.0, "svg.hashsalt": None}):
        draw(tmp_path / f"b{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    assert matplotlib.rcParams == before and len(list(tmp_path.iterdir())) == 2


def test_another_input_gives_another_picture(tmp_path: Path) -> None:
    draw_profiles(tmp_path / "a.svg", [U, U[::-1]], ["one", "two"])
    draw_profiles(tmp_path / "b.svg", [U, [*U[1:], U[0]]], ["one", "two"])
    draw_profiles(tmp_path / "c.svg", [U, np.array(U[::-1]) * 4], ["one", "two"])
    assert (tmp_path / "a.svg").read_bytes() != (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "c.svg").read_bytes()  # shares, whatever their sum


def test_given_paths_are_drawn(tmp_path: Path) -> None:
    (paths,) = coupled_paths([([Uniform()] * 3, 0.5)], n=5, paths=7, seed=1)
    draw_paths(tmp_path / "a.svg", [paths], [r"$\p{$ _λ_ [/red]"], n=5)
    assert r"<!-- $\p{$ _λ_ [/red], mean -->" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_extreme_input(tmp_path: Path) -> None:
    draw_profiles(tmp_path / "a.png", [[1.0]], [""])
    draw_profiles(tmp_path / "b.png", [[0, 0, 1e-300], [1e300, 0, 0]], ["$", "_b"], legend="$\\")
    draw_profiles(tmp_path / "d.svg", [U, U], ["", "_b"])
    assert "<!-- _b -->" in (tmp_path / "d.svg").read_text(encoding="utf-8")
    draw_paths(tmp_path / "c.png", [np.zeros((1, 1), dtype=np.int64)], ["one"], n=1)
    assert all(path.stat().st_size > 1000 for path in tmp_path.iterdir())


PATHS = np.array([[2, 0]])
REFUSED: list[tuple[Callable[[Path], object], str]] = [
    (lambda t: draw_force(t / "a.gif", "mask"), r"'plot' must end in \.png, \.pdf or \.svg"),
    (lambda t: draw_force(t / "absent" / "a.png", "mask", name="file"), "'file' must lie in a folder"),
    (lambda t: draw_force(t / "a.png", "wind"), "'force' must be one of mask"),  # type: ignore[arg-type]
    (lambda t: draw_force(t / "a.png", "mask", n=0), "'n'"),
    (lambda t: draw_profiles(t / "a.png", [], []), "'profiles' must be a list of 1 to 5"),
    (lambda t: draw_profiles(t / "a.png", [U] * 6, ["a"] * 6), "'profiles' must be a list of 1 to 5"),
    (lambda t: draw_profiles(t / "a.png", [U, U[1:]], ["a", "b"]), "one common length, not 4 and 5"),
    (lambda t: draw_profiles(t / "a.png", [[0.5, -0.5]], ["a"]), "'profiles' must be nonnegative"),
    (lambda t: draw_profiles(t / "a.png", [U, U], ["a"]), "'labels' must be a list of 2"),
    (lambda t: draw_profiles(t / "a.png", [U], ["a\n"]), "'labels' must be printable"),
    (lambda t: draw_profiles(t / "a.png", [U], [1]), "'labels' must be text"),  # type: ignore[list-item]
    (lambda t: draw_profiles(t / "a.png", [U], ["a"], legend="\x00"), "'legend' must be printable"),
    (lambda t: draw_paths(t / "a.png", [PATHS], ["a"], n=2), "'paths' must lie in 0 … 1"),
    (lambda t: draw_paths(t / "a.png", [PATHS[0]], ["a"], n=3), "'paths' must be integer arrays"),
    (lambda t: draw_paths(t / "a.png", [PATHS * 0.5], ["a"], n=3), "'paths' must be integer"),  # type: ignore[list-item]
    (lambda t: draw_paths(t / "a.png", [PATHS] * 3, ["a"] * 3, n=3), "one or two"),
]


@pytest.mark.parametrize(("call", "said"), REFUSED)
def test_refused_before_anything_is_written(tmp_path: Path, call: Callable[[Path], object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        call(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_loads_no_matplotlib() -> None:
    code = "import sys, numeric.picture; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT), "PATH": ""}).returncode == 0


def test_the_pictures_of_the_page_are_there() -> None:
    page = (ROOT / "docs" / "forces.md").read_text(encoding="utf-8")
    for force in UPWARDS:
        drawn = (ROOT / "docs" / "images" / f"force-{force}.svg").read_text(encoding="utf-8")
        assert f"(images/force-{force}.svg)" in page
        assert all(f"<!-- {label} -->" in drawn for label, _ in force_profiles(force))
    assert "(images/coupling-paths.svg)" in page
    assert "<!-- λ = 0.3, mean -->" in (ROOT / "docs" / "images" / "coupling-paths.svg").read_text(encoding="utf-8")
