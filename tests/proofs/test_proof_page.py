"""docs/tutorial-proof.md: the paper that it shows compiles with the snippets that it asks for; nothing is missing."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs.ledger import resting_on

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial-proof.md").read_text(encoding="utf-8")
(PAPER,) = re.findall(r"^```latex\n(.*?)^```$", PAGE, re.M | re.S)
SAVED = [
    line.split(" > ")
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S)
    for line in block.splitlines()
    if " > " in line
]
LATEXMK = ("latexmk", "-norc", "-interaction=nonstopmode", "-halt-on-error")


SNIPPETS: dict[str, str] = {}  # by command: each is checked once


@pytest.fixture
def papers(posbias: Callable[..., Any], tmp_path: Path) -> Path:
    """A folder with the paper and what it inputs, as the page says; quickly checked."""
    (tmp_path / "paper.tex").write_text(PAPER, encoding="utf-8")
    for command, file in SAVED:
        if command not in SNIPPETS:
            run = posbias(*shlex.split(command)[1:], "--quick")
            assert run.code == 0
            SNIPPETS[command] = run.out
        (tmp_path / file).write_text(SNIPPETS[command], encoding="utf-8")
    return tmp_path


def test_what_is_input_was_saved_and_what_is_referred_to_is_there(papers: Path) -> None:
    named = re.findall(r"^\\ledger\{(\w+)\}", PAPER, re.M)
    assert [f"{name}.tex" for name in named] == [file for _, file in SAVED]
    assert named == resting_on(["D2"])  # the whole chain
    text = "".join((papers / f"{name}.tex").read_text(encoding="utf-8") for name in named)
    labels = {*re.findall(r"\\label\{(.*?)\}", text), *re.findall(r"\\posbiasmark\{(.*?)\}", text)}
    table = re.findall(r"`(posbias:[\w.]+)`", PAGE)
    assert len(table) == 4 and labels >= {*re.findall(r"\\ref\{(.*?)\}", PAPER), *table}
    defined = set(re.findall(r"\\providecommand\{(\\\w+)\}", text))
    assert defined == set(re.findall(r"`(\\posbias\w+)`", PAGE))


def test_the_words_of_the_paper_are_true(papers: Path) -> None:
    text = (papers / "D2.tex").read_text(encoding="utf-8")
    (counterexample,) = re.findall(r"\\begin\{counterexample\}\[(.*)\]\\label\{posbias:D2\.N5\}", text)
    assert "kernels monotone" in counterexample
    step = text.split(r"\label{posbias:D2.1.8}")[1].split(r"\posbiasstep")[0]
    assert "Theorem~S5" in step
    assert set(re.findall(r"Theorem~([A-Z]\d\w*)", text)) == {"S1", "S5"}
    lower = (papers / "S5.tex").read_text(encoding="utf-8")
    assert set(re.findall(r"Theorem~([A-Z]\d\w*)", lower)) == {"S3"}


@pytest.mark.skipif(shutil.which("latexmk") is None, reason="there is no latexmk here")
@pytest.mark.parametrize("linked", [True, False])
def test_the_paper_compiles(papers: Path, linked: bool) -> None:
    paper = papers / "paper.tex"
    if not linked:
        paper.write_text(re.sub(r"^\\usepackage\{hyperref\}.*\n", "", PAPER, flags=re.M), encoding="utf-8")
    run = subprocess.run(
        [*LATEXMK, "-pdf", paper.name], cwd=papers, capture_output=True, text=True, errors="replace", check=False
    )
    log = (papers / "paper.log").read_text(encoding="utf-8", errors="replace")
    assert run.returncode == 0, log[-2000:]
    assert paper.with_suffix(".pdf").stat().st_size > 20_000
    assert re.findall(r"^.*(?:undefined|multiply.defined|Rerun to).*$", log, re.M) == []


@pytest.mark.skipif(shutil.which("latexmk") is None, reason="there is no latexmk here")
def test_without_a_package_it_does_not_compile(papers: Path) -> None:
    """The control: the packages that the page names are needed."""
    paper = papers / "paper.tex"
    paper.write_text(PAPER.replace("amsmath,amssymb,amsthm", "amssymb,amsthm"), encoding="utf-8")
    run = subprocess.run([*LATEXMK, "-pdf", paper.name], cwd=papers, capture_output=True, check=False)
    assert run.returncode != 0
