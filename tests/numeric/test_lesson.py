"""numeric.lesson: the pictures show what the page on the valley says of them."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from numeric.lesson import Lesson, N, draw_lesson, lesson_profiles
from numeric.order import precedes, tails
from numeric.refuse import InputError

ROOT = Path(__file__).parents[2]
LESSONS = get_args(Lesson)
Curve = np.ndarray


def curves(lesson: Lesson) -> list[Curve]:
    return [p for _, p in lesson_profiles(lesson)]


def middle(p: Curve) -> float:
    return float(p[N // 4 : 3 * N // 4].sum())


@pytest.mark.parametrize("lesson", LESSONS)
def test_profiles_are_laws_and_are_drawn(lesson: Lesson, tmp_path: Path) -> None:
    found = lesson_profiles(lesson)
    assert all(p.shape == (N,) and p.sum() == pytest.approx(1) for _, p in found)
    assert len({label for label, _ in found}) == len(found)
    draw_lesson(tmp_path / "a.svg", lesson)
    assert all(label in (tmp_path / "a.svg").read_text(encoding="utf-8") for label, _ in found)


def test_depth_moves_mass_across_one_pivot() -> None:
    for less, more in zip(curves("crossing"), curves("crossing")[1:], strict=False):
        gains = more > less
        assert gains[0]
        assert np.count_nonzero(np.diff(gains)) == 1
        assert (np.diff(more / less) <= 1e-12).all()


def test_several_slopes_fill_the_valley() -> None:
    one, two, three, many = curves("slopes")
    assert many.min() > 1.15 * max(one.min(), two.min(), three.min())


def test_the_order_of_the_layers_moves_little() -> None:
    top, between, below = curves("order")
    assert precedes(below, between)
    assert precedes(between, top)
    positions = np.arange(N)
    assert (top - below) @ positions < 2.5


def test_a_sink_takes_from_everywhere() -> None:
    stacks = curves("sink")
    assert all((np.diff([p[j] for p in stacks]) < 0).all() for j in range(1, N - 1))
    assert (np.diff([p[0] for p in stacks]) > 0).all()


def test_a_prefix_leaves_what_is_beyond_it() -> None:
    causal, *others = curves("prefix")
    for b, p in zip((16, 32, 48), others, strict=True):
        np.testing.assert_allclose(tails(p)[b:], tails(causal)[b:], rtol=1e-12)
        assert p[0] < causal[0] / 3


def test_mixing_that_varies_alike_deepens_the_middle() -> None:
    alike, apart = curves("averaging")
    assert alike[0] > apart[0]
    assert alike[-1] > apart[-1]
    assert middle(alike) < middle(apart)


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'lesson' must be one of crossing"):
        lesson_profiles("valley")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="'plot' must end in"):
        draw_lesson(tmp_path / "a.gif", "sink")


def test_the_pictures_of_the_page_are_there() -> None:
    page = (ROOT / "docs" / "filling-the-valley.md").read_text(encoding="utf-8")
    for lesson in LESSONS:
        drawn = (ROOT / "docs" / "images" / f"lesson-{lesson}.svg").read_text(encoding="utf-8")
        assert f"(images/lesson-{lesson}.svg)" in page
        assert all(f"<!-- {label} -->" in drawn for label, _ in lesson_profiles(lesson))


def test_the_figures_of_the_page_are_those_of_the_profiles() -> None:
    """The valley of each stack of slopes, as a fraction of 1/64, and how far apart the two orders are."""
    assert [round(p.min() * N, 2) for p in curves("slopes")] == [0.24, 0.55, 0.0, 0.66]
    top, _, below = curves("order")
    assert round(float((top - below) @ np.arange(N)), 1) == 2.2
