"""``posbias export``: selections, snippets and PDFs, and what is refused before any work."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs import pdf as pdf_module
from proofs.latex import BIBLIOGRAPHY, FILE, document, snippet
from proofs.latex_pictures import PICTURES
from proofs.ledger import LEDGER
from proofs.pdf import LatexError
from proofs.statement import Report, Statement

Posbias = Callable[..., Any]
PDF = Path(FILE).with_suffix(".pdf").name
needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is tried here must be refused before the evidence is gathered."""
    monkeypatch.setattr("proofs.verification.verify", lambda *_, **__: pytest.fail("work was started"))


def references(text: str) -> tuple[set[str], set[str]]:
    """(what is referred to, what has a label)."""
    labels = re.findall(r"\\label\{([^}#]+)\}|\\posbiasmark\{([^}#]+)\}", text)
    return set(re.findall(r"\\(?:eq)?ref\{([^}#]+)\}", text)), {first or second for first, second in labels}


# --- selections -----------------------------------------------------------------------------------------------------


def test_only_writes_the_named_statements_in_reading_order(posbias: Posbias, tmp_path: Path) -> None:
    run = posbias("export", tmp_path / "new", "--only", "I1, S2,I1", "--quick", "--json")
    assert (run.code, run.err) == (0, "")
    files = [Path(file) for file in run.json()["files"]]
    assert files == [tmp_path / "new" / FILE, tmp_path / "new" / BIBLIOGRAPHY]
    text = files[0].read_text(encoding="utf-8")
    assert re.findall(r"\\begin\{theorem\}.*\\label\{posbias:(\w+)\}", text) == ["S2", "I1"]
    assert [name for name in LEDGER if re.search(rf"^{name} & proved", text, re.M)] == ["S2", "I1"]


def test_without_only_it_has_every_statement(posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the command asks to be checked and hands on; the whole document is that of test_latex_document.py."""
    handed: list[str] = []

    def checked(names: list[str] | None, **_: object) -> tuple[Report, ...]:
        return tuple(Report(name, LEDGER[name].title, ()) for name in names or LEDGER)

    def written(folder: Path, statements: list[Statement], *_: object) -> list[Path]:
        handed.extend(statement.id for statement in statements)
        return [folder / FILE]

    monkeypatch.setattr("proofs.verification.verify_all", checked)
    monkeypatch.setattr("proofs.latex.export", written)
    assert posbias("export", tmp_path, "--quick").out == f"{tmp_path / FILE}\n"
    assert handed == list(LEDGER)


@pytest.mark.parametrize("names", [*([name] for name in LEDGER), ["D1", "D2"]], ids=", ".join)
def test_a_selection_refers_to_nothing_that_it_does_not_contain(names: list[str]) -> None:
    text = document([LEDGER[name] for name in names], [])
    used, labels = references(text)
    assert used <= labels
    absent = set(re.findall(r"Theorem~([A-Z]\d+)", text))
    assert absent.isdisjoint(names)
    said = re.search(r"Not part of this selection, though cited below: (.*)\.\n", text)
    assert set(re.findall(r"[A-Z]\d+", said[1] if said else "")) == absent


# --- snippets -------------------------------------------------------------------------------------------------------


def test_a_snippet_goes_to_standard_output_and_nothing_is_written(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = posbias("export", "--snippet", "I1", "--quick")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("% Needs amsmath") and r"\label{posbias:I1}" in run.out
    assert re.search(r"derivation: proved \(\d+ steps\); random: held \(12 cases\)", run.out)
    found = posbias("export", "--snippet", "I1", "--quick", "--json").json()
    assert (found["files"], found["id"], found["latex"] + "\n") == ([], "I1", run.out)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", LEDGER)
def test_a_snippet_needs_nothing_but_itself(name: str) -> None:
    text = snippet(LEDGER[name])
    used, labels = references(text)
    assert used <= labels
    assert text.isascii() and r"\cite" not in text and "Source: " in text


def test_a_snippet_of_what_fails_is_printed_with_code_1(posbias: Posbias, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofs.verification.verify_all", lambda *_, **__: (Report("S2", "Title", ()),))
    run = posbias("export", "--snippet", "S2")
    assert run.code == 1 and r"\label{posbias:S2}" in run.out


# --- refusals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", r"'DIR' must be given, not left out"),
        ("out --only D9", r"'--only' must be a statement of the ledger, not 'D9' \(nearest: .*D\d"),
        ("out --only d2", r"'--only' must be a statement of the ledger, not 'd2' \(nearest: D2\)"),
        ("out --only D1,,D2", r"'--only' must be a statement .* not ''"),
        ("--snippet I9", r"'--snippet' must be a statement of the ledger, not 'I9' \(nearest: .*I\d"),
        ("out --snippet D2", r"'DIR' must be left out beside --snippet, which writes no file, not 'out'"),
        ("--snippet D2 --only D1", r"'--only' must be left out beside --snippet"),
        ("--snippet D2 --pdf", r"'--pdf' must be left out beside --snippet"),
        ("taken", rf"'DIR' must be a file, not a folder \('taken/{FILE}'\)"),
        ("taken2 --pdf", rf"'DIR' must be a file, not a folder \('taken2/{PDF}'\)"),
        ("taken3", rf"'DIR' must be a file, not a folder \('taken3/{BIBLIOGRAPHY}'\)"),
    ],
)
def test_refusals(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, idle: None, words: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    (tmp_path / "taken" / FILE).mkdir(parents=True)
    (tmp_path / "taken2" / PDF).mkdir(parents=True)
    (tmp_path / "taken3" / BIBLIOGRAPHY).mkdir(parents=True)
    run = posbias("export", *words.split())
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1 and re.search(message, run.err), run.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["taken", "taken2", "taken3"]


def test_empty_only_is_refused_and_not_all_of_them(posbias: Posbias, tmp_path: Path, idle: None) -> None:
    run = posbias("export", tmp_path / "out", "--only", "")
    assert run.code == 2 and "'--only' must be a statement" in run.err


def test_pdf_without_latex_says_what_to_install(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, idle: None
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    run = posbias("export", tmp_path / "out", "--pdf")
    assert (run.code, run.out) == (2, "")
    assert re.fullmatch(r"Argument '--pdf' must find pdflatex .* not nothing \(install .*latexmk.*\)\.\n", run.err)
    assert list(tmp_path.iterdir()) == []


# --- PDF ------------------------------------------------------------------------------------------------------------


@needs_latex
def test_pdf_is_made_and_replaces_the_old_one(posbias: Posbias, tmp_path: Path) -> None:
    (tmp_path / PDF).write_text("old")
    run = posbias("export", tmp_path, "--only", "S2", "--quick", "--pdf", "--json")
    assert (run.code, run.err) == (0, "")
    assert run.json() == {"files": [str(tmp_path / name) for name in (FILE, BIBLIOGRAPHY, PDF)]}
    assert (tmp_path / PDF).read_bytes().startswith(b"%PDF")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([FILE, BIBLIOGRAPHY, PDF])


def test_a_latex_failure_is_code_1_and_leaves_the_source(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(source: str, name: str, **_: object) -> bytes:
        raise LatexError(f"{name}.tex:7: Undefined control sequence.")

    monkeypatch.setattr(pdf_module, "require_latex", lambda name: None)
    monkeypatch.setattr(pdf_module, "compiled_pdf", failing)
    (tmp_path / PDF).write_text("old")
    words = ("export", tmp_path, "--only", "S2", "--quick", "--pdf")
    run = posbias(*words)
    expected = "No PDF was made: posbias-derivations.tex:7: Undefined control sequence."
    written = [str(tmp_path / name) for name in (FILE, BIBLIOGRAPHY)]
    assert (run.code, run.out.splitlines(), run.err) == (1, written, f"{expected}\n")
    assert (tmp_path / PDF).read_text() == "old"
    assert posbias(*words, "--json").json() == {"files": written, "error": expected}


def test_figures_lie_beside_the_document_and_are_in_it(posbias: Posbias, tmp_path: Path) -> None:
    """The document names each picture; without the files it leaves them out."""
    folder = tmp_path / "out"
    run = posbias("export", str(folder), "--only", "S2", "--quick", "--figures", "--json")
    assert run.code == 0
    files = [Path(file) for file in json.loads(run.out)["files"]]
    assert [file.name for file in files] == [FILE, BIBLIOGRAPHY, *PICTURES]
    assert all(file.is_file() for file in files)
    source = (folder / FILE).read_text(encoding="utf-8")
    assert all(source.count(f"\\IfFileExists{{{name}}}{{\\begin{{figure}}") == 1 for name in PICTURES)


def test_a_statement_points_to_its_picture_and_the_picture_to_it() -> None:
    """Both ways under the condition that the file is there; where the statement is not, by name."""
    text = document([LEDGER["D1"], LEDGER["S6"]], [])
    for picture in PICTURES.values():
        name, label = picture.statement, f"posbias:{picture.statement}.figure"
        present = name in ("D1", "S6")
        assert text.count(f"{{ An example is drawn in Figure~\\ref{{{label}}}.}}{{}}") == present
        caption = rf"Theorem~\ref{{posbias:{name}}}" if present else name
        assert rf"\caption{{{picture.caption} ({caption}).}}\label{{{label}}}" in text
    assert {picture.statement for picture in PICTURES.values()} == {"D1", "D2", "D3", "D4", "S6"}
    assert "Figure" not in snippet(LEDGER["D1"])
