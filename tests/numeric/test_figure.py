"""Figures: right file, plain text, the same bytes every time, nothing of matplotlib's global state touched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from numeric.figure import draw_profile
from numeric.published import measured_influence
from numeric.refuse import InputError

U = [0.4, 0.15, 0.05, 0.1, 0.3]
BEGINS = {".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF-", ".svg": b"<?xml"}


@pytest.mark.parametrize("suffix", [".png", ".pdf", ".svg", ".PNG"])
def test_draws_the_format_of_the_suffix_with_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
    draw_profile(first, U, measured=[5, 2, 1, 1, 3], title="five tokens")
    before = matplotlib.rcParams.copy()
    with matplotlib.rc_context({"font.size": 30.0, "svg.hashsalt": None, "text.usetex": True}):
        draw_profile(second, U, measured=[5, 2, 1, 1, 3], title="five tokens")
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(BEGINS[suffix.lower()])
    assert matplotlib.rcParams == before
    assert sorted(p.name for p in tmp_path.iterdir()) == [first.name, second.name]


def test_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    code = (
        "import sys; from numeric.figure import draw_profile\n"
        "for end in ('.png', '.pdf', '.svg'): draw_profile(sys.argv[1] + end, [0.4, 0.1, 0.5], title='t')"
    )
    for seed in ("1", "2"):
        env = {"PYTHONHASHSEED": seed, "PATH": "", "MPLCONFIGDIR": str(tmp_path), "PYTHONPATH": _source()}
        subprocess.run([sys.executable, "-c", code, str(tmp_path / seed)], check=True, env=env)
    for end in BEGINS:
        assert (tmp_path / f"1{end}").read_bytes() == (tmp_path / f"2{end}").read_bytes()


def _source() -> str:
    import numeric

    assert numeric.__file__ is not None
    return str(Path(numeric.__file__).parent.parent)


def test_every_text_is_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    odd = r"$x_1$ [/red] _a_ $\frac{$ 100 %"  # as a formula it would be an error
    draw_profile(path, U, measured=U[::-1], title=odd, predicted_label=r"$\p{$", measured_label=r"_$\q{$ [b]")
    drawn = path.read_text(encoding="utf-8")
    for text in (odd, r"$\p{$", r"_$\q{$ [b]", "valley at 3", "position of the token"):
        assert f"<!-- {text} -->" in drawn  # matplotlib writes each text it draws beside its outlines


def test_a_long_title_takes_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    draw_profile(path, U, title="word " * 30 + "_" * 100)
    drawn = path.read_text(encoding="utf-8")
    assert drawn.count("word") == 30
    assert max(len(line) for line in drawn.splitlines() if "word" in line) < 80


def test_the_valley_of_a_u_only(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    for profile, marked in ((U, True), (sorted(U), False), ([0.2, 0.4, 0.1, 0.3], False), ([1.0] * 4, False)):
        draw_profile(path, profile)
        assert ("valley at" in path.read_text(encoding="utf-8")) is marked


def test_a_script_the_font_lacks_is_no_error(tmp_path: Path) -> None:
    draw_profile(tmp_path / "a.png", U, title="位置")
    assert (tmp_path / "a.png").stat().st_size > 1000


@pytest.mark.parametrize(
    "profile",
    [[1.0], [0.5, 0.5], [0, 0, 0, 1.0], [1.0] + [1e-300] * 40, [1e308] * 3, [5e-324, 5e-324], np.arange(5000) + 1],
)
def test_extreme_profiles(tmp_path: Path, profile: list[float]) -> None:
    draw_profile(tmp_path / "a.png", profile)
    draw_profile(tmp_path / "b.png", profile, measured=profile)
    assert (tmp_path / "b.png").stat().st_size > 1000


def test_profiles_are_drawn_as_shares(tmp_path: Path) -> None:
    influence = measured_influence("bloom-176b")
    draw_profile(tmp_path / "a.svg", influence)
    draw_profile(tmp_path / "b.svg", influence * 4)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


REFUSED = [
    ("a.gif", U, U, "", r"Argument 'plot' must end in \.png, \.pdf or \.svg, not '\.gif'\."),
    ("png", U, U, "", r"Argument 'plot' must end in \.png, \.pdf or \.svg, not 'png'\."),
    ("absent/a.png", U, U, "", "Argument 'plot' must lie in a folder that exists"),
    ("a.png", U, U[:4], "", r"Argument 'measured' must have the length 5 of predicted, not 4\."),
    ("a.png", [0.5, float("nan")], None, "", "Argument 'predicted' must be"),
    ("a.png", [0.5, -0.5], None, "", r"'predicted' must be nonnegative, not -0\.5 \(position 2, counted from 1\)"),
    ("a.png", [0.0, 0.0], None, "", "Argument 'predicted' must have a positive sum, not 0"),
    ("a.png", [], None, "", "Argument 'predicted' must have at least one entry"),
    ("a.png", U, None, "two\nlines", "Argument 'title' must be printable text on one line"),
    ("a.svg", U, None, "nul\x00", "Argument 'title' must be printable text on one line"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "predicted", "measured", "title", "said"), REFUSED)
def test_refused_before_anything_is_written(
    tmp_path: Path, file: str, predicted: list[float], measured: list[float] | None, title: str, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        draw_profile(tmp_path / file, predicted, measured=measured, title=title)
    assert list(tmp_path.iterdir()) == []


def test_numeric_figure_loads_no_matplotlib() -> None:
    code = "import sys, numeric.figure; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": _source(), "PATH": ""}).returncode == 0


def test_the_readmes_picture_is_there() -> None:
    picture = Path(__file__).parents[2] / "docs" / "images" / "bloom-176b.svg"
    text = picture.read_text(encoding="utf-8")
    for expected in ("valley at 62", "predicted", "measured"):  # position 61 of `profile bloom-176b`, counted from 0
        assert f"<!-- {expected} -->" in text
