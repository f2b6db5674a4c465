"""Code blocks of README and docs, and what is done with each: one treatment per language, none is left alone.

    console   run in a folder of the page's own, block after block, and compared with what is shown. `$ cat FILE` gives
              the content of a file for what follows; `...` stands for any text within a line (times), alone on a line
              for further lines. Programs: posbias, and python for scripts and modules.
    python    with >>> a doctest, else run as it stands; names are shared by all blocks of a page
    sh        commands for files of the reader's own: not run, but programs, options, extras and paths must exist
    json, yaml, toml, csv   must be read by a parser       latex, bibtex   braces and environments must close
    text      something to look at; indented blocks likewise. Neither may hold a command

A block that needs the extra ``models`` is left out where it is missing. One that takes minutes or a download is not run
if `NOT_RUN` says why, and the page says the same above it: "Not run in the tests: ...".
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from tests.markdown_data import closes, csv_rows, parsed
from tests.markdown_shell import unknown_words
from tests.models import MISSING, WHY

__all__ = ["LANGUAGES", "NOT_RUN", "REPOSITORY", "Block", "blocks", "check_page", "examples", "pages", "text_of"]

REPOSITORY = Path(__file__).resolve().parent.parent
NOT_RUN: dict[tuple[str, str], str] = {  # (page, first line of the block): why
    ("docs/measuring-a-model.md", "from numeric.model import Job, measure_all"): "the models and the text are yours.",
}
MODELS = re.compile(r"posbias (audit|measure|predict|report)\b|--random-init|numeric\.model\b")
LANGUAGES = ("console", "python", "sh", "json", "yaml", "toml", "csv", "latex", "bibtex", "text", "")
COMMAND = re.compile(r"^\s*(\$|>>>|posbias |python |pip )")


@dataclass(frozen=True)
class Block:
    """A code block of a page: ``line`` is where its content begins, ``above`` the nearest paragraph before it."""

    page: str
    line: int
    language: str
    text: str
    above: str

    @property
    def why_not_run(self) -> str | None:
        return NOT_RUN.get((self.page, self.text.split("\n", 1)[0]))


Treatment = Callable[[Block, dict[str, Any], pytest.CaptureFixture[str]], list[str]]


def pages() -> list[Path]:
    """README and what else is written in Markdown for readers."""
    found = [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
    return [page for page in found if page.is_file()]


def text_of(name: str) -> str:
    return (REPOSITORY / name).read_text(encoding="utf-8")


def blocks(page: Path) -> Iterator[Block]:
    """The fenced and the indented blocks of a page; directives such as ```{math} are no code."""
    source = page.read_text(encoding="utf-8")
    lines = source.splitlines()
    for token in MarkdownIt("commonmark").parse(source):
        if token.type not in ("fence", "code_block") or token.info.startswith("{"):
            continue
        assert token.map is not None
        start = token.map[0]
        above = "\n".join(lines[:start]).rstrip().split("\n\n")[-1]
        name = Path(os.path.relpath(page, REPOSITORY)).as_posix()
        yield Block(name, start + 1 + (token.type == "fence"), token.info.strip(), token.content, above)


def examples(block: str) -> list[tuple[str, str]]:
    """(command, what the block shows below it) of a console block."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def check_page(page: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Treats every block of a page, in order, in the folder; fails with all that is amiss, each with its line."""
    names: dict[str, Any] = {"__name__": "page"}
    problems, left_out = [], 0
    with contextlib.chdir(folder):
        for block in blocks(page):
            if block.why_not_run is not None:
                told = " ".join(block.above.split()).endswith(f"Not run in the tests: {block.why_not_run}")
                found = [] if told else [f"the page does not say above: Not run in the tests: {block.why_not_run}"]
            elif block.language in ("console", "python") and MISSING and MODELS.search(block.text):
                left_out, found = left_out + 1, []
            else:
                found = _TREATMENTS.get(block.language, _unknown)(block, names, capsys)
            problems += [f"{block.page}:{block.line}: {problem}" for problem in found]
    assert not problems, "\n\n".join(problems)
    if left_out:
        pytest.skip(f"{WHY}: {left_out} blocks were left out, the others agree")


def _unknown(block: Block, names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [f"a block in {block.language!r}: take one of {', '.join(LANGUAGES[:-1])}"]


# --- run ------------------------------------------------------------------------------------------------------------


def _console(block: Block, _: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> list[str]:
    problems = [] if block.text.startswith("$ ") else ["a console block begins with '$ '"]
    for command, shown in examples(block.text):
        program, *words = shlex.split(command)
        if program == "cat":
            Path(words[0]).parent.mkdir(parents=True, exist_ok=True)
            Path(words[0]).write_text(shown, encoding="utf-8")
            continue
        if program not in ("posbias", "python"):
            problems.append(f"cannot run {program!r}: posbias, python and cat are run")
            continue
        written = _posbias(words, capsys) if program == "posbias" else _python(words)
        if not re.fullmatch(_pattern(shown), written):
            problems.append(f"$ {command}\nwrote\n{written}\nand not\n{shown}")
    return problems


def _pattern(shown: str) -> str:
    return re.escape(shown).replace(re.escape("\n...\n"), r"\n(?:.*\n)*").replace(re.escape("..."), ".*?")


def _posbias(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    from proofs.cli import main

    capsys.readouterr()
    main(words)
    written = capsys.readouterr()
    return written.out + written.err


def _python(words: list[str]) -> str:
    """What a script or a module writes, in a process of its own that finds this repository."""
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": "utf-8"}
    run = [sys.executable, *(str(REPOSITORY / w) if w.startswith("docs/") else w for w in words)]
    done = subprocess.run(run, env=environment, capture_output=True, encoding="utf-8", check=False)
    return done.stdout + done.stderr


def _doctest(block: Block, names: dict[str, Any], _: Any) -> list[str]:
    if ">>> " not in block.text:
        try:
            exec(compile(block.text, f"{block.page}:{block.line}", "exec"), names)
        except Exception as error:
            return [f"raises {type(error).__name__}: {error}"]
        return []
    example = doctest.DocTestParser().get_doctest(block.text, names, block.page, block.page, block.line)
    told = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(example, out=told.write, clear_globs=False)
    names.update(example.globs)
    return [told.getvalue()] if runner.failures else []


# --- read -----------------------------------------------------------------------------------------------------------


def _shell(block: Block, *_: Any) -> list[str]:
    return unknown_words(block.text, REPOSITORY)


def _data(block: Block, *_: Any) -> list[str]:
    return parsed(block.language, block.text)


def _tex(block: Block, *_: Any) -> list[str]:
    return closes(block.text)


def _csv(block: Block, *_: Any) -> list[str]:
    return csv_rows(block.text)


def _looked_at(block: Block, *_: Any) -> list[str]:
    commands = [line for line in block.text.splitlines() if COMMAND.match(line)]
    return [f"a command in a block that nothing runs (take console, python or sh): {line}" for line in commands]


_TREATMENTS: dict[str, Treatment] = {
    "console": _console, "python": _doctest, "sh": _shell, "json": _data, "yaml": _data, "toml": _data,
    "csv": _csv, "latex": _tex, "bibtex": _tex, "text": _looked_at, "": _looked_at,
}  # fmt: skip
