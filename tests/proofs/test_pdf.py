"""Documents as PDF: by real programs where they are installed, and what becomes of programs that misbehave."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from numeric.refuse import InputError
from proofs.bibliography import bibtex
from proofs.pdf import LatexError, compiled_pdf, require_latex

SMALL = r"\documentclass{article}\begin{document}%s\end{document}"
needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")


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


@pytest.mark.parametrize("missing", ["pdflatex", "bibtex"])
def test_what_is_missing_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == missing else name)
    with pytest.raises(InputError, match=rf"'--pdf' must find {missing} on the PATH, not nothing \(install .*texlive"):
        require_latex("--pdf")


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
