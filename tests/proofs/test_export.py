"""``posbias export``: selections, snippets and PDFs, and what is refused before any work."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs import pdf as pdf_module
from proofs.bibliography import bibtex
from proofs.latex import BIBLIOGRAPHY, FILE, document, snippet
from proofs.latex_pictures import PICTURES
from proofs.ledger import LEDGER
from proofs.pdf import LatexError, compiled_pdf
from proofs.statement import Report

Posbias = Callable[..., Any]
PDF = Path(FILE).with_suffix(".pdf").name
SMALL = r"\documentclass{article}\begin{document}%s\end{document}"
needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is tried here must be refused before the evidence is gathered."""
    monkeypatch.setattr("proofs.verification.verify", lambda *_, **__: pytest.fail("work was started"))


@pytest.fixture
def fake_latex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """A program of our own that is found as latexmk or pdflatex, alone on the PATH; it notes its arguments."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def install(name: str, body: str) -> Path:
        program, calls = folder / name, tmp_path / f"{name}.calls"
        program.write_text(f'#!/bin/sh\necho "$@" >> "{calls}"\n{body}\n')
        program.chmod(0o755)
        return calls

    return install


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
    ],
)
def test_refusals(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, idle: None, words: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    (tmp_path / "taken" / FILE).mkdir(parents=True)
    (tmp_path / "taken2" / PDF).mkdir(parents=True)
    run = posbias("export", *words.split())
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1 and re.search(message, run.err), run.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["taken", "taken2"]


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


@needs_latex
def test_references_are_resolved_and_the_bytes_are_the_same_again(tmp_path: Path) -> None:
    text = SMALL % r"\section{A}\label{a} See \ref{a} and \pageref{a}."
    made = compiled_pdf(text, "small")
    assert made == compiled_pdf(text, "small")
    if shutil.which("pdftotext") is not None:
        (tmp_path / "small.pdf").write_bytes(made)
        command = ["pdftotext", str(tmp_path / "small.pdf"), "-"]
        assert "See 1 and 1." in subprocess.run(command, capture_output=True, text=True, check=True).stdout


@needs_latex
@pytest.mark.skipif(shutil.which("bibtex") is None, reason="there is no bibtex here")
@pytest.mark.parametrize("latexmk", [True, False])
def test_a_bibliography_within_the_document_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, latexmk: bool
) -> None:
    if not latexmk:
        which = shutil.which
        monkeypatch.setattr(shutil, "which", lambda name: None if name == "latexmk" else which(name))
    body = r"See \cite{opitz1964}.\bibliographystyle{plain}\bibliography{works}"
    carried = f"\\begin{{filecontents*}}[overwrite]{{works.bib}}\n{bibtex()}\\end{{filecontents*}}\n"
    (tmp_path / "small.pdf").write_bytes(compiled_pdf(carried + SMALL % body, "small"))
    if shutil.which("pdftotext") is not None:
        command = ["pdftotext", str(tmp_path / "small.pdf"), "-"]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert "See [1]." in shown and "Steigungsmatrizen" in shown


@needs_latex
@pytest.mark.parametrize("latexmk", [True, False])
def test_the_first_error_is_reported(monkeypatch: pytest.MonkeyPatch, latexmk: bool) -> None:
    if not latexmk:
        which = shutil.which
        monkeypatch.setattr(shutil, "which", lambda name: which(name) if name == "pdflatex" else None)
    with pytest.raises(LatexError, match=r"^\S*small\.tex:2: Undefined control sequence\.$"):
        compiled_pdf(SMALL % "\n\\unknown \\unknowntoo", "small")


@needs_latex
def test_shell_escapes_are_off(tmp_path: Path) -> None:
    compiled_pdf(SMALL % rf"\immediate\write18{{touch {tmp_path}/pwned}}x", "small")
    assert list(tmp_path.iterdir()) == []


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


@pytest.mark.skipif(os.name == "nt", reason="the stand-ins for LaTeX are shell scripts")
class TestWithStandIns:
    """What is called, and what becomes of programs that misbehave."""

    def test_pdflatex_runs_three_times_where_there_is_no_latexmk(self, fake_latex: Callable[[str, str], Path]) -> None:
        calls = fake_latex("pdflatex", "echo made > small.pdf")
        assert compiled_pdf("text", "small") == b"made\n"
        lines = calls.read_text().splitlines()
        assert len(lines) == 3 and all("-no-shell-escape" in line and line.endswith("small.tex") for line in lines)

    def test_bibtex_runs_after_the_first_pass_of_what_cites(
        self, fake_latex: Callable[[str, str], Path], tmp_path: Path
    ) -> None:
        order = tmp_path / "order"
        cites = r"printf '%s' '\bibdata{x}' > small.aux"
        fake_latex("pdflatex", f"echo pdflatex >> {order}; {cites}; echo made > small.pdf")
        calls = fake_latex("bibtex", f"echo bibtex >> {order}; exit 1")  # 1: warnings
        assert compiled_pdf("text", "small") == b"made\n"
        assert order.read_text().split() == ["pdflatex", "bibtex", "pdflatex", "pdflatex", "pdflatex"]
        assert calls.read_text() == "small\n"

    @pytest.mark.parametrize(
        ("said", "reported"),
        [
            ("I couldn't open database file x.bib", "I couldn't open database file x.bib"),
            ("Repeated entry---line 7 of file x.bib", "Repeated entry---line 7 of file x.bib"),
            ("nothing of the kind", "BibTeX ended with code 2 and no error line"),
        ],
    )
    def test_what_bibtex_objects_to_is_reported(
        self, fake_latex: Callable[[str, str], Path], said: str, reported: str
    ) -> None:
        fake_latex("pdflatex", r"printf '%s' '\bibdata{x}' > small.aux; echo made > small.pdf")
        fake_latex("bibtex", f'printf "This is BibTeX\\n{said}\\n" > small.blg; exit 2')
        with pytest.raises(LatexError, match=f"^{reported}$"):
            compiled_pdf("text", "small")

    def test_a_bibliography_without_bibtex_is_no_pdf(self, fake_latex: Callable[[str, str], Path]) -> None:
        fake_latex("pdflatex", r"printf '%s' '\bibdata{x}' > small.aux; echo made > small.pdf")
        with pytest.raises(LatexError, match=r"^bibtex, which makes the list of references, is not on the PATH$"):
            compiled_pdf("text", "small")

    def test_latexmk_that_does_not_start_gives_way(self, fake_latex: Callable[[str, str], Path]) -> None:
        fake_latex("latexmk", "exit 127")
        calls = fake_latex("pdflatex", "echo made > small.pdf")
        assert compiled_pdf("text", "small") == b"made\n"
        assert len(calls.read_text().splitlines()) == 3

    def test_latexmk_that_fails_is_the_answer(self, fake_latex: Callable[[str, str], Path]) -> None:
        fake_latex("latexmk", "echo '! First.' > small.log; echo '! Second.' >> small.log; exit 12")
        calls = fake_latex("pdflatex", "echo made > small.pdf")
        with pytest.raises(LatexError, match=r"^! First\.$"):
            compiled_pdf("text", "small")
        assert not calls.exists()

    @pytest.mark.parametrize(("body", "code"), [("exit 3", 3), ("exit 0", 0)])
    def test_no_pdf_and_no_log(self, fake_latex: Callable[[str, str], Path], body: str, code: int) -> None:
        fake_latex("pdflatex", body)
        with pytest.raises(LatexError, match=f"code {code} and no error line"):
            compiled_pdf("text", "small")

    def test_one_that_does_not_end(self, fake_latex: Callable[[str, str], Path]) -> None:
        fake_latex("pdflatex", "while :; do :; done")
        with pytest.raises(LatexError, match=r"did not end within 0 s"):
            compiled_pdf("text", "small", seconds=0.2)

    def test_one_that_cannot_be_started(self, fake_latex: Callable[[str, str], Path]) -> None:
        calls = fake_latex("pdflatex", "")
        (calls.parent / "programs" / "pdflatex").write_bytes(b"\x7fELF")
        with pytest.raises(LatexError, match=r"could not be started \(.+\)"):
            compiled_pdf("text", "small")


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
