"""numeric.small_multiples: what is drawn, that it is the same each time, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numeric.refuse import InputError
from numeric.small_multiples import draw_small_multiples

P = np.array([4.0, 1.0, 2.0])
PANELS: dict[str, Any] = {title: (P, {"one": P[::-1], "two": P + 1}) for title in ("a", "b", "c", "d")}


def test_panels_points_and_lines_are_there(tmp_path: Path) -> None:
    for name in ("x.svg", "y.svg"):
        draw_small_multiples(tmp_path / name, PANELS, measured_label="gradient")
    drawn = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert drawn == (tmp_path / "y.svg").read_text(encoding="utf-8")
    assert drawn.count('<g id="axes_') == len(PANELS)
    draw_small_multiples(tmp_path / "z.svg", {"a": (P, {"one": P[::-1], "two": P + 2})}, measured_label="gradient")
    assert (tmp_path / "z.svg").read_text(encoding="utf-8") != drawn


@pytest.mark.parametrize(
    ("panels", "says"),
    [
        ({}, "be 1 to 12"),
        ({"a": (P, {})}, "same 1 to 3 labels"),
        ({"a": (P, {"one": P}), "b": (P, {"two": P})}, "same 1 to 3 labels"),
        ({"a": (P, {"one": P[:2]})}, "one length each"),
        ({"a\n": (P, {"one": P})}, "be printable"),
        ({"a": (-P, {"one": P})}, "be nonnegative"),
    ],
)
def test_bad_input_is_refused(tmp_path: Path, panels: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        draw_small_multiples(tmp_path / "x.svg", panels)
    assert not list(tmp_path.iterdir())
