"""``posbias report``: the file it writes, what it says of it, and what it refuses before anything is written."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs.report import statements as told
from proofs.report.build import BEGINS
from tests.proofs.report.test_report_source import summary

Posbias = Callable[..., Any]

ARCHITECTURE = ("--layers", "3", "--heads", "8", "--lam", "1/2", "-n", "16")


@pytest.fixture(autouse=True)
def few_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """One statement, whose derivation takes no time; test_statements.py checks them all."""
    monkeypatch.setattr(told, "PARTS", {"I1": ("diagonal",)})


def data_of(path: Path) -> dict[str, Any]:
    """The JSON in a page."""
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', path.read_text(), re.S)
    found: dict[str, Any] = json.loads(text)
    return found


# --- what is written --------------------------------------------------------------------------------------------------


def test_an_architecture(posbias: Posbias, folder: Path) -> None:
    run = posbias("report", *ARCHITECTURE, "-o", "page.html")
    assert (run.code, run.err) == (0, "")
    size = (folder / "page.html").stat().st_size
    assert run.out.splitlines() == [
        "source           options", "length           16", "layers           3", "heads            8",
        "effective depth  1.500", "measured         nothing",
        "statements       1, their derivations checked", f"written          page.html, {size / 1000:.0f} kB",
    ]  # fmt: skip
    found = data_of(folder / "page.html")
    assert found["initial"]["schedule"] == {"kind": "constant", "c": 0.5}
    assert found["initial"]["slopes"] == {"kind": "paper", "heads": 8}
    assert (found["given"], found["measured"], found["comparison"]) == (None, None, None)
    assert found["source"] == {"name": "an architecture", "slopes": "paper, 2^(-8h/8)", "length": 16}


def test_json(posbias: Posbias, folder: Path) -> None:
    found = posbias("report", "bloom-176b", "--slopes", "model", "-o", "b.html", "--json").json()
    assert (found["source"], found["length"], found["layers"], found["heads"]) == ("bloom-176b", 256, 70, 112)
    assert found["state"]["slopes"] == {"kind": "model", "heads": 112}
    assert found["measured"] == "measured influence of BLOOM-176B"
    assert found["statements"] == ["I1"]
    assert (found["file"], found["bytes"]) == ("b.html", (folder / "b.html").stat().st_size)
    assert found["bytes"] < 2_000_000


def test_a_measured_run(posbias: Posbias, folder: Path) -> None:
    (folder / "run").mkdir()
    (folder / "run/manifest.json").write_text("{}")
    (folder / "run/report.json").write_text(json.dumps(summary()))
    run = posbias("report", "run", "--heads", 2, "-o", "page.html", "--json")
    assert (run.code, run.err) == (0, "")
    found = data_of(folder / "page.html")
    assert found["measured"]["values"] == [4.0, 1.0, 1.0, 1.0, 9.0]
    assert found["given"]["lam"] == [0.25, 0.5, 0.125]
    assert found["comparison"] is None
    assert run.json()["comparison_left_out"].startswith("Argument 'DIR' must hold")  # a summary alone, no samples


def test_what_a_source_is_called_cannot_leave_its_place(posbias: Posbias, folder: Path) -> None:
    """A name is text in the page and in its data, whatever it is; and no folder of whoever made it is told."""
    file = folder / "zanzibar" / "<script>alert(1)<" / "script>.yaml"
    file.parent.mkdir(parents=True)
    posbias("profile", *ARCHITECTURE, "--save", file)
    assert posbias("report", file, "-o", "page.html").code == 0
    text = (folder / "page.html").read_text()
    assert "<script>alert" not in text and "zanzibar" not in text and str(folder) not in text
    assert data_of(folder / "page.html")["source"]["name"] == "script>.yaml"


def test_the_same_bytes_twice(posbias: Posbias, folder: Path) -> None:
    for name in ("a.html", "b.html"):
        posbias("report", *ARCHITECTURE, "-o", name)
    assert (folder / "a.html").read_bytes() == (folder / "b.html").read_bytes()


# --- the file ---------------------------------------------------------------------------------------------------------


def test_a_report_is_replaced_and_no_other_file(posbias: Posbias, folder: Path) -> None:
    assert posbias("report", *ARCHITECTURE, "-o", "page.html").code == 0
    before = (folder / "page.html").read_text()
    assert before.startswith(BEGINS)
    assert posbias("report", *ARCHITECTURE, "--slopes", "model", "-n", 7, "-o", "page.html").code == 2  # -n twice
    assert (folder / "page.html").read_text() == before
    assert posbias("report", "mpt-7b", "-o", "page.html").code == 0
    assert (folder / "page.html").read_text() != before
    (folder / "theirs.html").write_text("<!doctype html>\n<title>mine</title>")
    run = posbias("report", *ARCHITECTURE, "-o", "theirs.html")
    assert (run.code, run.out) == (2, "")
    assert (
        run.err == "Argument '-o' must be a new file or a report, which is replaced, not another file (theirs.html).\n"
    )
    assert (folder / "theirs.html").read_text() == "<!doctype html>\n<title>mine</title>"
    (folder / "empty.html").write_text("")
    assert posbias("report", *ARCHITECTURE, "--out", "empty.html").code == 0


REFUSED = {
    (*ARCHITECTURE,): "Argument '-o' must be given, not left out.",
    (*ARCHITECTURE, "-o", "page.txt"): "Argument '-o' must end in .html, not 'page.txt'.",
    (*ARCHITECTURE, "--out", "no/page.html"): (
        "Argument '--out' must lie in a folder that exists, not in 'no' ('no/page.html')."
    ),
    (*ARCHITECTURE, "-o", ""): "Argument '-o' must be a path, not ''.",
    ("-o", "page.html"): "Argument '--layers' must be given where SOURCE is left out, not left out.",
    ("bloom", "-o", "page.html"): (
        "Argument 'SOURCE' must be an experiment file, a model folder, or one of bloom-176b, bloom-7b1, mpt-7b, "
        "mpt-30b, falcon-rw-7b, not 'bloom' (nearest: bloom-7b1, bloom-176b)."
    ),
    ("mpt-7b", "-n", "2000", "-o", "page.html"): "Argument '-n' must be an integer in [1, 1024], not 2000.",
    ("mpt-7b", "-T", "0", "--lam", "1", "-o", "page.html"): "Argument '-T' must be an integer in [1, 256], not 0.",
    ("--layers", "300", "--heads", "2", "--lam", "1", "-o", "page.html"): (
        "Argument '--layers' must be an integer in [1, 256], not 300."
    ),
    ("--layers", "3", "--heads", "600", "--lam", "1", "-o", "page.html"): (
        "Argument '--heads' must be an integer in [1, 512], not 600."
    ),
    ("--layers", "256", "--heads", "64", "--lam", "1", "-n", "1000", "-o", "page.html"): (
        "Argument '-n' must be at most 512 for a report of 256 layers of 64 heads, not 1000."
    ),
    ("--layers", "3", "--heads", "6", "--lam", "2", "-o", "page.html"): "Argument '--lam' must lie in [0, 1], not 2.",
    ("--layers", "3", "--heads", "6", "--lam", "__import__('os')", "-o", "page.html"): None,
    ("mpt-7b", "--against", "measured", "-o", "page.html"): None,
}  # fmt: skip


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_refused(posbias: Posbias, folder: Path, words: tuple[str, ...]) -> None:
    run = posbias("report", *words)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert run.err.startswith("Argument '")
    if REFUSED[words] is not None:
        assert run.err == f"{REFUSED[words]}\n"
    assert list(folder.iterdir()) == []


def test_the_source_is_not_written_over(posbias: Posbias, folder: Path) -> None:
    posbias("profile", *ARCHITECTURE, "--save", "mine.yaml")
    (folder / "mine.html").write_bytes((folder / "mine.yaml").read_bytes())
    before = (folder / "mine.html").read_bytes()
    assert posbias("report", "mine.html", "-o", "./mine.html").err.startswith(
        "Argument '-o' must be another file than SOURCE"
    )
    assert (folder / "mine.html").read_bytes() == before


@pytest.mark.parametrize("package", ["latex2mathml.converter", "vl_convert"])
def test_the_extra_is_asked_for(posbias: Posbias, folder: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    run = posbias("report", *ARCHITECTURE, "-o", "page.html")
    assert (run.code, run.out) == (2, "")
    assert "python -m pip install 'posbias[report]'" in run.err
    assert list(folder.iterdir()) == []


def test_nothing_is_left_where_something_fails(posbias: Posbias, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import proofs.report.build as build

    def broken(*_: Any, **__: Any) -> str:
        raise MemoryError

    monkeypatch.setattr(build, "page", broken)
    assert posbias("report", *ARCHITECTURE, "-o", "page.html").code == 2
    assert list(folder.iterdir()) == []
