"""Figures of the phase diagram: cells where they belong, no label without a look, the same bytes, odd grids."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from numeric.continuum import continuum
from numeric.hop_mixture import Answer
from numeric.phase import Phase, depth_phase, layer_phase, ratios
from numeric.phase_figure import LOOKS, _runs, _spans, draw_continuum, draw_phase
from numeric.phase_models import place_models
from numeric.refuse import InputError
from numeric.shape import LABELS

REPOSITORY = Path(__file__).resolve().parents[2]


def test_every_label_has_its_own_look() -> None:
    assert set(LOOKS) == set(LABELS)
    assert len({colour for colour, _ in LOOKS.values()}) == len({hatch for _, hatch in LOOKS.values()}) == len(LABELS)


def test_spans_meet_and_hold_their_values() -> None:
    for values, logarithmic in (((0.0, 0.25, 0.5, 1.0), True), ((0.5, 1.0, 2.0), True), ((1.0, 2.0, 4.0), False)):
        spans = _spans(values, logarithmic)
        zero = int(values[0] == 0)
        x = np.log(values[zero:]) if logarithmic else np.array(values)
        assert (spans[zero:, 0] < x).all() and (x < spans[zero:, 1]).all()
        assert spans[zero:-1, 1] == pytest.approx(spans[zero + 1 :, 0])
        assert not zero or spans[0, 1] < spans[1, 0]  # apart: 0 has no place among ratios
    assert _spans((3.0,), False).tolist() == [[2.5, 3.5]]
    assert _spans((0.0,), True).shape == (1, 2)


def test_runs_of_a_row_are_rectangles_that_stop_at_the_gap() -> None:
    spans = _spans((0.0, 1.0, 2.0, 4.0), True)
    found = _runs(np.array([True, True, True, False]), spans, np.array([0.0, 1.0]))
    assert [path.vertices[:2, 0].tolist() for path in found] == [spans[0].tolist(), [spans[1, 0], spans[2, 1]]]
    assert _runs(np.zeros(4, dtype=bool), spans, np.array([0.0, 1.0])) == []


def test_all_labels_are_drawn_and_the_bytes_are_the_same(tmp_path: Path) -> None:
    row = tuple(Answer(label, "floats") for label in LABELS)
    phase = Phase("depth", 9, 24, None, (0.0, *ratios(1 / 64, 1, 5)), (0.5, 1.0), (row, row[::-1]))
    models = place_models(phase)
    for name in ("a.svg", "b.svg"):
        draw_phase(tmp_path / name, phase, models)
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for text in (*(f"{label}: 2" for label in LABELS), "U7: a U below, m = 0", "U8: no hump below", "mpt-30b"):
        assert f"<!-- {text} -->" in drawn
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_odd_grids_are_drawn(tmp_path: Path) -> None:
    draw_phase(tmp_path / "a.svg", depth_phase([0.0], [0.0, 2.0], n=2, layers=3))
    draw_phase(tmp_path / "a.svg", depth_phase([0.3], [600.0], n=4, layers=None))
    draw_phase(tmp_path / "a.svg", layer_phase([7], [0.5], n=4, slope=0.25))
    assert (tmp_path / "a.svg").stat().st_size > 1000


def test_limits_are_drawn(tmp_path: Path) -> None:
    curves = continuum([1.0, 4.0], n=16, layers=None)
    draw_continuum(tmp_path / "a.svg", curves)
    assert "<!-- S = 4, atom 0.0183 -->" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    with pytest.raises(InputError, match=r"Argument 'curves' must be 1 to 5, not 6\."):
        draw_continuum(tmp_path / "b.svg", curves * 3)
    with pytest.raises(InputError, match=r"Argument 'plot' must end in \.png, \.pdf or \.svg, not '\.gif'\."):
        draw_continuum(tmp_path / "b.gif", curves)
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def test_numeric_phase_loads_no_matplotlib() -> None:
    code = "import sys, numeric.phase_figure; sys.exit('matplotlib' in sys.modules or 'scipy' in sys.modules)"
    environment = {"PYTHONPATH": str(REPOSITORY), "PATH": ""}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0
