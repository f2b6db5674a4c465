"""Blocks of data: read by a parser, or looked through for braces and environments that do not close."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections.abc import Callable
from typing import Any

import yaml

__all__ = ["closes", "csv_rows", "parsed"]

_READERS: dict[str, Callable[[str], Any]] = {"json": json.loads, "yaml": yaml.safe_load, "toml": tomllib.loads}


def parsed(language: str, text: str) -> list[str]:
    """What a parser refuses."""
    try:
        _READERS[language](text)
    except (ValueError, yaml.YAMLError) as error:  # both JSON's and TOML's errors are ValueErrors
        return [f"no {language}: {error}"]
    return []


def csv_rows(text: str) -> list[str]:
    """Rows of different lengths."""
    rows = list(csv.reader(text.splitlines()))
    return [
        f"row {i} has {len(row)} cells, not {len(rows[0])}" for i, row in enumerate(rows, 1) if len(row) != len(rows[0])
    ]


def closes(text: str) -> list[str]:
    """Braces and environments of LaTeX or BibTeX that do not close."""
    plain = re.sub(r"\\[{}\\]|(?<!\\)%.*", "", text)
    problems = [] if plain.count("{") == plain.count("}") else ["braces that do not close"]
    open_ones: list[str] = []
    for what, name in re.findall(r"\\(begin|end)\{([^}]*)\}", plain):
        if what == "begin":
            open_ones.append(name)
        elif not open_ones or open_ones.pop() != name:
            problems.append(f"\\end{{{name}}} ends nothing")
    return problems + [f"\\begin{{{name}}} does not end" for name in open_ones]
