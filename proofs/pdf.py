"""A LaTeX document as PDF, by latexmk or else by runs of pdflatex, in a folder that exists for that long only.

Where the document has a bibliography BibTeX runs after the first pass, and one pass more follows.

`require_latex` is for before the work starts, `compiled_pdf` for when the document is written.  What LaTeX objects to
is reported by its first error line.  Shell escapes are off, and the PDF carries no date, so the same document gives the
same bytes with the same LaTeX.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from numeric.refuse import flag

__all__ = ["LatexError", "compiled_pdf", "require_latex"]

PASSES = 3  # references, then the widths of a longtable, then what these moved
SECONDS = 600.0
INSTALL = "install TeX Live or MiKTeX; Debian: apt install latexmk texlive-latex-recommended"

_OPTIONS = ("-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "-no-shell-escape")
_ERROR = re.compile(r"^(?:! |\S+\.tex:\d+: ).*$", re.M)
_BIBTEX_ERROR = re.compile(r"^(?:I (?:couldn't|found no) |.*---(?:line|while) ).*$", re.M)
_BIBLIOGRAPHY = r"\bibdata{"  # in the auxiliary file


class LatexError(Exception):
    """LaTeX did not make a PDF; the text says why, on one line."""


def require_latex(name: str) -> None:
    """Raises InputError, naming the argument and what to install, where there is no pdflatex or no bibtex."""
    for program in ("pdflatex", "bibtex"):
        if shutil.which(program) is None:
            raise flag(name, f"find {program} on the PATH", "nothing", INSTALL)


def compiled_pdf(source: str, name: str, *, beside: Sequence[Path] = (), seconds: float = SECONDS) -> bytes:
    """The PDF of a document and the pictures ``beside`` it; ``name``.tex is what errors call it.

    Raises LatexError with the first error line, or after so many seconds.
    """
    with TemporaryDirectory(prefix="posbias-") as temporary:
        folder = Path(temporary)
        (folder / f"{name}.tex").write_text(source, encoding="utf-8")
        for picture in beside:
            shutil.copy(picture, folder)
        try:
            code = _run(folder, name, seconds)
        except subprocess.TimeoutExpired:
            raise LatexError(f"LaTeX did not end within {seconds:.0f} s") from None
        except OSError as error:  # found on the PATH, but not to be started
            raise LatexError(f"LaTeX could not be started ({error.strerror})") from None
        pdf = folder / f"{name}.pdf"
        if code or not pdf.is_file():
            raise LatexError(_first_line(folder / f"{name}.log", _ERROR, f"LaTeX ended with code {code}"))
        return pdf.read_bytes()


def _run(folder: Path, name: str, seconds: float) -> int:
    """latexmk if it gets as far as LaTeX, which it cannot without Perl; else pdflatex, again and again."""
    source = f"{name}.tex"
    if shutil.which("latexmk") is not None:
        passed_on = [f"-latexoption={option}" for option in _OPTIONS[2:]]
        code = _call(["latexmk", "-norc", "-pdf", *_OPTIONS[:2], *passed_on, source], folder, seconds)
        if (folder / f"{name}.log").exists():
            return code
    command, auxiliary = ["pdflatex", *_OPTIONS, source], folder / f"{name}.aux"
    code = _call(command, folder, seconds)
    cites = (
        not code and auxiliary.is_file() and _BIBLIOGRAPHY in auxiliary.read_text(encoding="utf-8", errors="replace")
    )
    if cites:
        _bibtex(folder, name, seconds)
    for _ in range(PASSES if cites else PASSES - 1):
        code = code or _call(command, folder, seconds)
    return code


def _bibtex(folder: Path, name: str, seconds: float) -> None:
    """Makes the list of references; raises LatexError with what BibTeX objects to."""
    if shutil.which("bibtex") is None:
        raise LatexError("bibtex, which makes the list of references, is not on the PATH")
    code = _call(["bibtex", name], folder, seconds)
    if code > 1:  # 1: mere warnings
        raise LatexError(_first_line(folder / f"{name}.blg", _BIBTEX_ERROR, f"BibTeX ended with code {code}"))


def _call(command: list[str], folder: Path, seconds: float) -> int:
    """The exit code; nothing is read from the terminal or printed on it."""
    # an epoch instead of the time, and log lines that are not broken at 79 characters
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1", "max_print_line": "1000"}
    run = subprocess.run(
        command, cwd=folder, env=environment, timeout=seconds, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return run.returncode


def _first_line(log: Path, wanted: re.Pattern[str], otherwise: str) -> str:
    """The first line of a log that reports an error, or that there is none."""
    try:
        found = wanted.search(log.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        found = None
    return " ".join(found[0].split()) if found else f"{otherwise} and no error line"
