"""numeric.comparison_figure: a cell for each variant, what is written in it, the same bytes, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numeric.comparison_figure import draw_mixing, draw_residuals, draw_variants
from numeric.refuse import InputError

P = np.array([4.0, 1.0, 2.0])
ONE: dict[str, Any] = {"bloom": (P, {"attention only": P[::-1], "half": P, "residual": P + 1, "moments": P + 2})}
TWO: dict[str, Any] = {"bloom": (P, {"half": P}), "mpt": (np.ones(5), {"half": np.arange(5), "residual": np.ones(5)})}
LINES: dict[str, Any] = {"bloom": [[0.1, 0.2], [0.3, 0.4]], "_mpt $x$": [[0.5, 0.25, 1.0]]}
DRAWS: list[tuple[Callable[..., None], Any]] = [(draw_variants, TWO), (draw_residuals, TWO), (draw_mixing, LINES)]


def texts(path: Path) -> list[str]:
    """Every text in the order drawn: matplotlib writes it beside its outlines."""
    return re.findall(r"<!-- (.*?) -->", path.read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize(("draw", "given"), DRAWS)
def test_the_same_bytes_and_others_for_others(tmp_path: Path, draw: Callable[..., None], given: Any) -> None:
    for name in ("a.svg", "b.svg"):
        draw(tmp_path / name, given)
    drawn = (tmp_path / "a.svg").read_bytes()
    assert drawn == (tmp_path / "b.svg").read_bytes()
    draw(tmp_path / "c.svg", {**given, "another": given["bloom"]})
    assert (tmp_path / "c.svg").read_bytes() != drawn


@pytest.mark.parametrize("draw", [draw_variants, draw_residuals])
def test_a_cell_for_each_variant_with_its_distance(tmp_path: Path, draw: Callable[..., None]) -> None:
    path = tmp_path / "a.svg"
    draw(path, ONE)
    drawn = path.read_text(encoding="utf-8")
    assert drawn.count('<g id="axes_') == 4
    # P / 7 and its reverse: |F| differs by 2/7 at both steps, over n − 1 = 2; P itself by nothing
    for said in ("attention only", "half", "residual", "moments", f"W1/(n-1) {2 / 7:.3f}", "W1/(n-1) 0.000"):
        assert sum(said in text.split("\n") or said == text for text in texts(path)) == 1
    draw(path, TWO)
    assert path.read_text(encoding="utf-8").count('<g id="axes_') == 3  # bloom has no cell for residual
    assert sum("bloom" in text for text in texts(path)) == 1 and sum("mpt" in text for text in texts(path)) == 2


@pytest.mark.parametrize(("predicted", "left"), [([3.0, 1.0], True), ([1.0, 3.0], False)])
def test_a_residual_has_its_sign(tmp_path: Path, predicted: list[float], left: bool) -> None:
    """The line is above the axis where predicted exceeds measured, below it where measured exceeds predicted."""
    draw_residuals(tmp_path / "a.svg", {"one": (predicted[::-1], {"x": predicted})})
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    lines = [
        np.array(re.findall(r"[ML] (\S+) (\S+)", path), dtype=float)
        for path in re.findall(r'<path d="([^"]*)" clip-path', drawn)
    ]
    axis, line = lines
    (x, y), (zero, _) = line.T, axis[:, 1]
    assert len(line) == 2 and x[0] < x[1] and axis[0, 1] == axis[1, 1]
    assert bool(y[0] < zero < y[1]) is left and bool(y[1] < zero < y[0]) is not left  # an SVG counts from the top
    assert {"above: predicted too much", "below: too little"} < set(texts(tmp_path / "a.svg"))


def test_bands_of_several_samples_only(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    draw_mixing(path, LINES, rows="positions")
    drawn = path.read_text(encoding="utf-8")
    assert drawn.count('<g id="FillBetween') == 1
    assert {"bloom", "_mpt $x$", "layer t"} < set(texts(path)) and any("positions" in text for text in texts(path))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "be 1 to 6, not 0 of them"),
        ({str(k): (P, {"x": P}) for k in range(7)}, "be 1 to 6, not 7"),
        ({"a": (P, {})}, "have 1 to 16 variants, not 0"),
        ({"a": (P, {str(k): P for k in range(17)})}, "have 1 to 16 variants, not 17"),
        ({"a": (P, {"x": P[:2]})}, "one length each, not another: 'x' in 'a'"),
        ({"a": ([1.0], {"x": [1.0]})}, "at least 2 positions"),
        ({"a\n": (P, {"x": P})}, "be printable"),
        ({"a": (P, {"x\0": P})}, "be printable"),
        ({"a": (P, {"x": -P})}, "be nonnegative"),
        ({"a": (P * np.nan, {"x": P})}, "be finite"),
        ({"a": (0 * P, {"x": P})}, "have a positive sum"),
    ],
)
def test_bad_panels_are_refused(tmp_path: Path, given: Any, says: str) -> None:
    for draw in (draw_variants, draw_residuals):
        with pytest.raises(InputError, match=says):
            draw(tmp_path / "x.svg", given)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "be 1 to 5"),
        ({str(k): [[0.5]] for k in range(6)}, "be 1 to 5, not 6"),
        ({"a": [0.5]}, "have 2 axes"),
        ({"a": np.zeros((0, 3))}, "have a row and a layer"),
        ({"a": [[0.5, 1.5]]}, r"lie in \[0, 1\], not 1.5"),
        ({"a": [[-0.5, 0.5]]}, r"lie in \[0, 1\], not -0.5"),
        ({"a": [[np.nan]]}, "be a finite number"),
        ({"a\t": [[0.5]]}, "be printable"),
    ],
)
def test_bad_mixing_is_refused(tmp_path: Path, given: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        draw_mixing(tmp_path / "x.svg", given)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("draw", "given"), DRAWS)
def test_the_path_is_refused_by_its_name(tmp_path: Path, draw: Callable[..., None], given: Any) -> None:
    with pytest.raises(InputError, match=r"Argument '--plot' must end in \.png, \.pdf or \.svg"):
        draw(tmp_path / "x.gif", given, name="--plot")


def test_extremes_are_drawn(tmp_path: Path) -> None:
    flat, spike = np.ones(2), np.array([1.0, 0.0])
    for draw in (draw_variants, draw_residuals):
        draw(tmp_path / "a.png", {"a": (flat, {"x": flat}), "b": (spike, {"x": spike[::-1]})})
        draw(tmp_path / "a.pdf", {"a": (np.arange(5000), {f"{k}": np.arange(5000) ** 2 for k in range(12)})})
    draw_mixing(tmp_path / "a.png", {"a": [[0.0]], "b": [[1.0], [1.0]]})
    draw_mixing(tmp_path / "b.png", {"a": [[0.0, 0.0]]})
    assert all(path.stat().st_size > 1000 for path in tmp_path.iterdir())
