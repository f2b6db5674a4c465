r"""Every kind of display that ``posbias derive --format latex`` writes compiles and keeps within the page."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs.latex import document
from proofs.latex_numbers import DIGITS

Posbias = Callable[..., Any]

needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")

KINDS = (
    *(f"-n n -T T --kernel {kernel}" for kernel in ("uniform", "prefix", "alibi", "content")),
    "-n n -T T --kernel content --lam 12345/67891",
    "-n 987654321 -T 987654321 --kernel content --entry 123456789",
    "-n 987654321 -T T --kernel uniform --lam 12345/67891 --entry j",
    "-n n --depth S --kernel uniform",
    "-n n --depth 123/1000 --kernel content",
    "--continuous -T T",
    "--continuous -T 7 --lam lambda",
    "--continuous --depth S",
    "--continuous --depth 22/7",
    "-n 60 -T 20 --kernel uniform --lam 1/3 --entry 1",
    "-n 4 -T 3 --kernel uniform --lam 1/3",
    "-n 60 -T 20 --kernel uniform --lam 1/3 --entry 60 --digits 300",
    "--continuous --depth 2 --at 1/3 --digits 100",
    "-n 4 -T 3 --entry 2",
    "-n 4 -T 3 --entry 1 --dots 4",
)


@needs_latex
def test_every_kind_compiles_within_the_page(posbias: Posbias, tmp_path: Path) -> None:
    """At 10pt on the page of the derivations document; 10pt over is what a formula may stand out."""
    shown = [posbias("derive", *words.split(" "), "--format", "latex").out for words in KINDS]
    preamble = document([], []).partition(r"\begin{document}")[0]
    (tmp_path / "kinds.tex").write_text(
        "\n\n".join([preamble + r"\begin{document}", *shown, r"\end{document}"]), encoding="utf-8"
    )
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "kinds.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    log = run.stdout.decode("latin-1")
    assert run.returncode == 0, log[-2000:]
    over = [float(points) for points in re.findall(r"Overfull \\hbox \((\d+\.\d+)pt", log)]
    assert [points for points in over if points > 10] == []


def test_digits_go_on_in_the_next_line(posbias: Posbias) -> None:
    """The lines together are the number that the text shows, and none is longer than there is room."""
    words = ("derive", "-n", 60, "-T", 20, "--kernel", "uniform", "--lam", "1/3", "--entry", 1)
    shown = posbias(*words, "--format", "latex").out
    rows = shown.partition(r"\begin{align*}")[2].partition(r"\end{align*}")[0].split("\\\\\n")
    pieces = [re.sub(r"p_\{1\}&=|&\\qquad\{\}|\s", "", row) for row in rows]
    assert max(len(piece.removeprefix(r"\big/")) for piece in pieces) == DIGITS
    number = "".join(pieces).replace(r"\big/", "/")
    assert number == posbias(*words).out.split("=")[-1].strip()
    assert number.count("/") == 1
