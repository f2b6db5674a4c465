"""Shell blocks: which of their programs, options, extras and files there are."""

from __future__ import annotations

import re
import shlex
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["options", "unknown_words"]

# What a shell has, and what a reader has installed to get here.
ELSEWHERE = ("cd", "git", "make", "ls", "mkdir", "source", "ruff", "mypy", ".ci/run", "latexmk")


@cache
def options() -> dict[str, tuple[str, ...]]:
    """The options of every command of posbias."""
    import typer

    from proofs.cli import app

    group: Any = typer.main.get_command(app)
    named = {name: (*(o for p in c.params for o in p.opts), "-h", "--help") for name, c in group.commands.items()}
    return {**named, "": ("--version", "-h", "--help", *(o for p in group.params for o in p.opts))}


def unknown_words(text: str, repository: Path) -> list[str]:
    """What of the commands of a shell block does not exist; lines may be continued, joined by && and commented."""
    problems: list[str] = []
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        words: list[str] = []
        for word in [*shlex.split(line, comments=True), "&&"]:
            if word != "&&":
                words.append(word)
                continue
            problems += _command(words, repository) if words else []
            words = []
    return problems


def _command(words: list[str], repository: Path) -> list[str]:
    match words:
        case ["posbias", *rest]:
            return _posbias(rest)
        case ["python" | "python3", "-m", "pip", "install", *wanted]:
            return [p for word in wanted for p in _extras(word, repository)]
        case ["python" | "python3", "-m", module, *_]:
            local = module.split(".")[0] in ("proofs", "numeric", "docs")
            path = repository / f"{module.replace('.', '/')}.py"
            return [f"no module {module}"] if local and not path.is_file() else []
        case ["python" | "python3", script, *_]:
            mine = script.startswith("-") or "/" not in script  # the reader's own file, or an option of Python's
            return [] if mine or (repository / script).is_file() else [f"no file {script}"]
        case [program, *_]:
            return [] if program in ELSEWHERE else [f"nothing is known of the program {program!r}"]
    return []


def _posbias(words: list[str]) -> list[str]:
    command = next((word for word in words if not word.startswith("-")), "")
    if command not in options():
        return [f"no command 'posbias {command}'"]
    given = [word.split("=")[0] for word in words if re.match(r"--?[A-Za-z]", word)]
    return [f"'posbias {command}' has no option {word}" for word in given if word not in options()[command]]


def _extras(word: str, repository: Path) -> list[str]:
    match = re.match(r"(?:\.|posbias)\[(.*)\]$", word)
    known = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    return [f"no extra {extra!r}" for extra in match[1].split(",") if extra not in known] if match else []
