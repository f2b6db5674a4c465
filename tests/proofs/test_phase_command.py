"""``posbias phase``: its text, JSON and CSV against the library, figures, and everything that it refuses."""

from __future__ import annotations

import csv
import re
import shlex
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numeric.continuum import continuum
from numeric.hop_laws import Binomial
from numeric.hop_mixture import decide_labels
from numeric.phase import u_mixing
from proofs.commands.phase import SIGNS

Posbias = Callable[..., Any]
REPOSITORY = Path(__file__).resolve().parents[2]
SMALL = ("phase", "--across", "1/64,1,7", "--up", "1/2,16,6", "-n", "32")
LAYERS = ("phase", "--axes", "layers", "--across", "1,9,5", "--up", "0,1,5", "-n", "5")
KEYS = {
    "axes", "length", "layers", "continuous", "slope", "across", "up", "labels", "decided_by", "counts", "in_floats",
    "in_balls", "undecided", "boundaries", "models",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "other.csv").write_text("position,profile\n0,1\n")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read_table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_json_has_the_labels_of_the_library(posbias: Posbias) -> None:
    found = posbias(*SMALL, "--json").json()
    assert set(found) == KEYS
    assert (found["axes"], found["length"], found["layers"], found["continuous"]) == ("depth", 32, 24, False)
    assert found["across"]["values"][:2] == [0, 1 / 64]
    assert (found["up"]["values"][0], found["up"]["values"][-1]) == (0.5, 16)
    laws = [Binomial(24, s / 24) for s in found["up"]["values"]]
    for column, slope in enumerate(found["across"]["values"]):
        answers = decide_labels(slope, laws, n=32)
        assert [row[column] for row in found["labels"]] == [answer.label for answer in answers]
        assert [row[column] for row in found["decided_by"]] == [answer.by for answer in answers]
    assert found["counts"] == Counter(label for row in found["labels"] for label in row)
    assert found["undecided"] == 0
    assert found["in_floats"] == 48
    edges = found["boundaries"]
    assert edges["U7_u_below"] == [24 * u_mixing(32, 24)] + [None] * 7
    assert edges["U8_no_hump_below"][0] is None
    assert edges["U8_no_hump_below"][-1] == pytest.approx(2 * 2.718281828459045 * 24 / 25)


def test_the_map_of_the_text_is_that_of_the_labels(posbias: Posbias) -> None:
    text, found = posbias(*SMALL).out, posbias(*SMALL, "--json").json()
    drawn = re.findall(r"^ +([0-9.]+)  (\S+)$", text, re.M)
    expected = ["".join(SIGNS[label] for label in row) for row in found["labels"]]
    assert [signs for _, signs in drawn] == expected[::-1]
    assert float(drawn[0][0]) == 16
    assert re.search(r"^decided  48 in floats, 0 in balls, 0 undecided$", text, re.M)
    assert re.search(r"^bloom-176b +3\.908  0\.0610  0\.0039 to 0\.9517  \S+ +U$", text, re.M)


def test_the_default_diagram_is_all_decided(posbias: Posbias) -> None:
    found = posbias("phase", "--json").json()
    cells = len(found["across"]["values"]) * len(found["up"]["values"])
    assert sum(found["counts"].values()) == cells
    assert found["undecided"] <= cells / 100
    assert {"primacy", "recency", "U", "other"} <= set(found["counts"])
    picture = (REPOSITORY / "docs" / "images" / "phase.svg").read_text(encoding="utf-8")  # by --plot, nothing else
    assert [label for label, count in found["counts"].items() if f"<!-- {label}: {count} -->" not in picture] == []
    assert [model["cell"] for model in found["models"]["placed"]] == ["other"] * 5
    assert [model["shape"] for model in found["models"]["placed"]] == ["U", "U", "U", "other", "other"]


def test_layers(posbias: Posbias) -> None:
    text, found = posbias(*LAYERS).out, posbias(*LAYERS, "--json").json()
    assert found["across"] == {"name": "layers", "values": [1, 3, 5, 7, 9]}
    assert found["labels"][-1] == ["flat"] + ["primacy"] * 4
    assert found["labels"][0] == ["recency"] * 5
    assert found["boundaries"]["U7_u_below"] == [u_mixing(5, t) for t in (1, 3, 5, 7, 9)]
    assert "decided  16 in floats, 9 in balls, 0 undecided" in text
    steep = posbias(*LAYERS, "--slope", "1/2", "--json").json()
    assert steep["slope"] == 0.5
    assert steep["boundaries"]["U7_u_below"] == [None] * 5
    assert min(steep["boundaries"]["U8_end_highest_below"]) < 1


def test_undecided_cells_are_shown_everywhere(posbias: Posbias, folder: Path) -> None:
    """Where two entries are equal, balls of two bits tell nothing that floats do not."""
    edge = repr(u_mixing(5, 3))
    words = ("phase", "--axes", "layers", "--across", "3,3,1", "--up", f"{edge},{edge},1", "-n", "5", "--bits", "24")
    run = posbias(*words, "--csv", "a.csv", "--plot", "a.svg")
    assert run.code == 0
    assert re.search(r"^decided +0 in floats, 0 in balls, 1 undecided$", run.out, re.M)
    assert re.search(r"^labels +undecided 1$", run.out, re.M)
    assert re.search(r"^ +[0-9.]+  \?$", run.out, re.M)
    assert (folder / "a.csv").read_text().splitlines()[1] == f"3,{edge},undecided,nothing"
    assert "<!-- undecided: 1 -->" in (folder / "a.svg").read_text(encoding="utf-8")
    assert posbias(*words[:-2], "--json").json()["in_balls"] == 1


def test_csv_has_every_cell(posbias: Posbias, folder: Path) -> None:
    found = posbias(*SMALL, "--json", "--csv", "a.csv").json()
    rows = read_table(folder / "a.csv")
    assert len(rows) == 48
    assert [float(row["slope"]) for row in rows[:8]] == found["across"]["values"]
    assert [row["label"] for row in rows] == [label for row in found["labels"] for label in row]
    assert all(float(row["lambda"]) == float(row["depth"]) / 24 for row in rows)
    assert {row["decided_by"] for row in rows} == {"floats"}
    posbias(*SMALL, "--continuous", "--csv", "a.csv")  # replaces a table of its kind
    assert {row["lambda"] for row in read_table(folder / "a.csv")} == {""}


def test_figures(posbias: Posbias, folder: Path) -> None:
    found = posbias(*SMALL, "--plot", "a.svg", "--json").json()
    drawn = (folder / "a.svg").read_text(encoding="utf-8")
    for text in (*(f"{label}: {count}" for label, count in found["counts"].items()), "bloom-176b", "falcon-rw-7b"):
        assert f"<!-- {text} -->" in drawn
    assert posbias(*LAYERS, "--plot", "a.PNG").code == 0
    assert (folder / "a.PNG").read_bytes().startswith(b"\x89PNG")


def test_slopes_of_the_models(posbias: Posbias) -> None:
    falcon = [posbias(*SMALL, "--slopes", kind, "--json").json()["models"]["placed"][4] for kind in ("paper", "model")]
    assert [model["mean_slope"] for model in falcon] == [
        pytest.approx(0.05985, abs=1e-5),
        pytest.approx(0.00748, abs=1e-5),
    ]
    assert [model["shape"] for model in falcon] == ["other", "U"]


def test_continuum(posbias: Posbias, folder: Path) -> None:
    words = ("phase", "--continuum", "-n", "64", "-T", "12", "--depths", "1/2,3")
    found = posbias(*words, "--json", "--csv", "c.csv", "--plot", "c.svg").json()
    curves = continuum([0.5, 3.0], n=64, layers=12)
    assert [curve["depth"] for curve in found["curves"]] == [0.5, 3]
    for curve, expected in zip(found["curves"], curves, strict=True):
        assert curve["scaled"] == expected.scaled.tolist()
        assert curve["limit"] == expected.limit.tolist()
        assert curve["gap"] == {"value": expected.gap[0], "position": expected.gap[1] + 1}
    rows = read_table(folder / "c.csv")
    assert [(row["depth"], row["position"]) for row in (rows[0], rows[64])] == [("0.5", "0"), ("3.0", "0")]
    assert "<!-- S = 3, atom 0.0317 -->" in (folder / "c.svg").read_text(encoding="utf-8")
    text = posbias("phase", "--continuum", "--continuous", "-n", "64").out
    assert "C3, continuous depth" in text
    assert re.search(r"^16 +1\.12535e-07 ", text, re.M)
    assert len(posbias("phase", "--continuum", "-T", "3", "-n", "8", "--json").json()["curves"]) == 1


def test_the_example_of_the_help_works(posbias: Posbias) -> None:
    found = re.search(r"^ *posbias (phase --across .*)$", posbias("phase", "--help").out, re.M)
    assert found is not None
    assert (run := posbias(*shlex.split(found[1]))).code == 0
    assert "U7       for m = 0 a U iff S < 17.6183" in run.out


@pytest.mark.parametrize("words", ["-T 1", "-n 1", "-n 2 -T 2", "-n 3 --continuous", "--across 1/4,1/4,1 --up 1,1,1"])
def test_edges_that_are_valid(posbias: Posbias, words: str) -> None:
    small = [] if "--across" in words else ["--across", "1/8,1,3", "--up", "1/4,1,3"]
    run = posbias("phase", *small, *words.split())
    assert (run.code, run.err) == (0, "")
    assert re.search(r", 0 undecided$", run.out, re.M)


REFUSED = [
    ("--axes shape", r"'--axes' must be 'depth' or 'layers', not 'shape'"),
    ("--slopes steep", r"'--slopes' must be 'paper' or 'model', not 'steep'"),
    ("--slope 1", r"'--slope' must come with --axes layers, not '1'"),
    ("-n 0", r"'-n' must be an integer in \[1, 2048\], not 0"),
    ("--length 2049", r"'--length' must be an integer in \[1, 2048\], not 2049"),
    ("-T 0", r"'-T' must be an integer in \[1, 256\], not 0"),
    ("-T 24 --continuous", r"'-T' must be left out beside --continuous, not 24"),
    ("--bits 1", r"'--bits' must be an integer in \[2, 4096\], not 1"),
    ("--across 1,2", r"'--across' must have the form LO,HI,CELLS, not '1,2'"),
    ("--across 0,2,5", r"'--across' must lie in \(0, 700\], not 0\.0"),
    ("--across -1,2,5", r"'--across' must lie in \[0, 700\], not -1\.0 \(LO\)"),
    ("--across 1,701,5", r"'--across' must lie in \[0, 700\], not 701\.0 \(HI\)"),
    ("--across 2,1,5", r"'--across' must have LO at most HI, not '2,1,5'"),
    ("--across 1,2,1", r"'--across' must have 1 cell where LO = HI, and more elsewhere, not '1,2,1'"),
    ("--across 1,1,2", r"'--across' must have 1 cell where LO = HI, and more elsewhere, not '1,1,2'"),
    ("--across 1,2,121", r"'--across' must have 1 to 120 cells, not 121"),
    ("--across 1,2,x", r"'--across' must be an integer, not 'x' \(CELLS\)"),
    ("--across nan,2,3", r"'--across' must be a number .*, not 'nan' \(LO\)"),
    ("--across __import__('os').mkdir('pwned'),2,3", r"'--across' must be a number"),
    ("--up 1,25,3", r"'--up' must lie in \[0, 24\], not 25\.0 \(HI\)"),
    ("--up 1,601,3 --continuous", r"'--up' must lie in \[0, 600\], not 601\.0 \(HI\)"),
    ("--up 1,2,3,4", r"'--up' must have the form LO,HI,CELLS"),
    (
        "--across 1,2,100 --up 1,500,100 -n 2048 --continuous",
        r"'-n' must be at most 48 for 101 by 100 cells of this depth",
    ),
    ("--depths 1", r"'--depths' must come with --continuum, not without"),
    ("--axes layers -T 3", r"'-T' must be left out beside --axes layers, whose layers are --across, not given"),
    ("--axes layers --continuous", r"'--continuous' must be left out beside --axes layers"),
    ("--axes layers --slope -1", r"'--slope' must lie in \[0, 700\], not '-1'"),
    ("--axes layers --across 0,5,3", r"'--across' must lie in \[1, 256\], not 0\.0 \(LO\)"),
    ("--axes layers --across 1.5,5,3", r"'--across' must begin and end with whole numbers of layers, not '1\.5,5,3'"),
    ("--axes layers --across 1,5,6", r"'--across' must have at most 5 cells, one for each number of layers, not 6"),
    ("--axes layers --up 0,1.5,3", r"'--up' must lie in \[0, 1\], not 1\.5 \(HI\)"),
    ("--continuum --across 1,2,3", r"'--across' must be left out beside --continuum, not '1,2,3'"),
    ("--continuum --axes layers", r"'--axes' must be left out beside --continuum, not 'layers'"),
    ("--continuum -n 1", r"'-n' must be at least 2 for a limit to be compared with, not 1"),
    ("--continuum --depths 0,1", r"'--depths' must lie in \(0, 24\], not 0\.0"),
    ("--continuum --depths 2,1", r"'--depths' must increase, not '2,1'"),
    ("--continuum --depths 1,2,3,4,5,6", r"'--depths' must be at most 5 numbers, not 6"),
    ("--continuum --depths ,", r"'--depths' must be a number"),
    ("--plot a.jpg", r"'--plot' must end in \.pdf, \.png, \.svg, not 'a\.jpg'"),
    ("--plot nowhere/a.png", r"'--plot' must lie in a folder that exists"),
    ("--csv folder", r"'--csv' must be a file, not a folder"),
    ("--csv other.csv", r"'--csv' must be a new file or a table of this kind, .*, not another file \(other\.csv\)"),
    ("--csv a.png --plot a.png", r"'--csv' must be another file than --plot, not 'a\.png'"),
    ("--up 1,2,3 --up 1,2,4", r"'--up' must be given once, not as '1,2,3' and '1,2,4'"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED, ids=lambda value: str(value)[:40])
def test_refused_before_anything_is_written(posbias: Posbias, folder: Path, words: str, message: str) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    run = posbias("phase", *words.split())
    assert (run.code, run.out) == (2, "")
    assert re.fullmatch(rf"Argument {message}.*\.\n", run.err), run.err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert sorted(path.name for path in folder.iterdir()) == ["folder", "other.csv"]


def test_numbers_left_to_their_default_follow_t(posbias: Posbias) -> None:
    found = posbias("phase", "-T", "2", "-n", "8", "--json").json()
    assert (found["up"]["values"][0], found["up"]["values"][-1]) == (0.25, 2)
    assert posbias("phase", "--continuous", "-n", "8", "--json").json()["up"]["values"][-1] == 512
