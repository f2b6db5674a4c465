"""A LaTeX document as PDF, by latexmk or else by three runs of pdflatex, in a folder that exists for that long only.

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


class LatexError(Exception):
    """LaTeX did not make a PDF; the text says why, on one line."""


def require_latex(name: str) -> None:
    """Raises InputError, naming the argument and what to install, where there is no pdflatex."""
    if shutil.which("pdflatex") is None:
        raise flag(name, "find pdflatex on the PATH", "nothing", INSTALL)


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
            raise LatexError(_first_error(folder / f"{name}.log", code))
        return pdf.read_bytes()


def _run(folder: Path, name: str, seconds: float) -> int:
    """latexmk if it gets as far as LaTeX, which it cannot without Perl; else pdflatex, again and again."""
    source = f"{name}.tex"
    if shutil.which("latexmk") is not None:
        passed_on = [f"-latexoption={option}" for option in _OPTIONS[2:]]
        code = _call(["latexmk", "-norc", "-pdf", *_OPTIONS[:2], *passed_on, source], folder, seconds)
        if (folder / f"{name}.log").exists():
            return code
    for _ in range(PASSES):
        if code := _call(["pdflatex", *_OPTIONS, source], folder, seconds):
            return code
    return 0


def _call(command: list[str], folder: Path, seconds: float) -> int:
    """The exit code; nothing is read from the terminal or printed on it."""
    # an epoch instead of the time, and log lines that are not broken at 79 characters
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "0", "FORCE_SOURCE_DATE": "1", "max_print_line": "1000"}
    run = subprocess.run(
        command, cwd=folder, env=environment, timeout=seconds, check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return run.returncode


def _first_error(log: Path, code: int) -> str:
    """The first error line of the log, or that there is none."""
    try:
        found = _ERROR.search(log.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        found = None
    return " ".join(found[0].split()) if found else f"LaTeX ended with code {code} and no error line"
