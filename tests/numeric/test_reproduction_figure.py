"""The pictures of the variants: the same bytes each time, marked as ours, a panel for each mixing and content."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from numeric.experiment import Experiment
from numeric.published import find
from numeric.refuse import InputError
from numeric.reproduction import Row, file_variants, published_variants, reproduce
from numeric.reproduction_figure import MARK, picture

MODEL = find("mpt-7b")
BEGINS = {".svg": b"<?xml", ".png": b"\x89PNG\r\n\x1a\n"}
INFLUENCE = np.linspace(1, 2, 256)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    slopes = MODEL.slopes()[None, :]
    file = Experiment(256, 32, 32, slopes=slopes, lam=MODEL.lam(), content=[[2.0] * 31 + [3.0]], source="ours.yaml")
    return [reproduce(v) for v in [*published_variants(MODEL), *file_variants(MODEL, file)]]


def texts(svg: bytes) -> list[str]:
    """Every text in the order drawn: matplotlib writes it beside its outlines."""
    return re.findall(r"<!-- (.*?) -->", svg.decode())


@pytest.mark.parametrize("suffix", BEGINS)
def test_the_same_bytes_each_time_with_our_mark(rows: list[Row], suffix: str) -> None:
    first, second = (picture(rows[:2], INFLUENCE, title="t", suffix=suffix) for _ in range(2))
    assert first == second
    assert first.startswith(BEGINS[suffix])
    assert MARK.encode() in first[:4096]


def test_panels_and_legend(rows: list[Row]) -> None:
    drawn = texts(picture(rows, INFLUENCE, title=r"mpt $x_1$"))
    for name in ("attention only", "residual-aware", "residual-aware, content per head", r"mpt $x_1$"):
        assert drawn.count(name) == 1
    legend = ["as in the paper's files", "content scaled by 1/sqrt(128)", "slopes as the model has them",
              "as the model does it", "measured influence"]  # fmt: skip
    assert [text for text in drawn if text in legend] == legend
    plain = texts(picture(rows[:4]))
    assert [text for text in plain if text in legend] == ["as in the paper's files", "as the model does it"]


def test_both_scales(rows: list[Row]) -> None:
    log, linear = (picture(rows[2:4], scale=scale) for scale in ("log", "linear"))
    assert log != linear
    assert "0.003" in texts(log) and "0" in texts(linear)


def test_a_second_source_has_its_own_panel_only_where_it_says_otherwise(rows: list[Row]) -> None:
    row = rows[2]
    again = replace(row, variant=replace(row.variant, source="same.yaml"))
    assert "residual-aware (same.yaml)" not in texts(picture([row, again]))
    other = replace(again, profile=row.profile[::-1])
    assert "residual-aware (same.yaml)" in texts(picture([row, other]))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"suffix": ".pdf"}, "'suffix' must be '.svg' or '.png'"),
        ({"scale": "root"}, "'scale' must be 'log' or 'linear'"),
        ({"title": "two\nlines"}, "'title' must be printable"),
        ({"influence": np.ones(7)}, "'influence' must have the length 256 of the profiles, not 7"),
    ],
)
def test_refused(rows: list[Row], options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        picture(rows, **options)  # type: ignore[arg-type]


def test_rows_are_of_one_model(rows: list[Row]) -> None:
    other = replace(rows[0], variant=replace(rows[0].variant, model=find("bloom-7b1")))
    for wrong in ([], [rows[0], other]):
        with pytest.raises(InputError, match="'rows' must be of one model"):
            picture(wrong)
