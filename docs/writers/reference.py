"""The public names of the packages as pages for autodoc, and docstrings as what autodoc can set.

Docstrings are plain text: paragraphs, `names` in backquotes, lines "argument : what it is", formulas and tables that
are indented, doctests. They are set as that; nothing in them is markup.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from docs.writers.imports import modules

__all__ = ["PACKAGES", "as_rst", "reference_pages", "type_aliases"]

PACKAGES = {
    "numeric": "Arrays: kernels, λ, profiles, their order and shape.",
    "numeric.model": "Real models, with the extra `models`.",
    "numeric.strategies": "Hypothesis strategies, for tests of your own.",
    "proofs": "What is claimed, and by what evidence.",
}
_ARGUMENT = re.compile(r"([a-z_]\w*(?:, \w+)*) ?: (?=\S)")


def reference_pages() -> dict[str, str]:
    """The pages by name, without suffix: a list in Markdown, and a page of each package for autodoc."""
    rows = "\n".join(f"| [{name}](reference/{name}.rst) | {about} |" for name, about in PACKAGES.items())
    names = "\n".join(f"reference/{name}" for name in PACKAGES)
    front = (
        "# Reference\n\nThe public names of the packages, from their docstrings. Each says what it computes, which "
        "shapes and ranges\nit takes and what it raises. In Python positions count from 0, in text and JSON from 1.\n\n"
        f"| package | |\n|---|---|\n{rows}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    )
    return {"reference.md": front, **{f"reference/{name}.rst": _package(name) for name in PACKAGES}}


def _package(name: str) -> str:
    """Public names by the module that they live in, each module with its own docstring."""
    package = import_module(name)
    homes: dict[str, list[str]] = {}
    for public in package.__all__:
        homes.setdefault(_home(package, public), []).append(public)
    parts = [_title(name, "="), *as_rst((package.__doc__ or "").splitlines())]
    for home, names in sorted(homes.items()):
        if home != name:
            parts += ["", _title(home, "-"), *as_rst(inspect.getdoc(import_module(home)).splitlines())]  # type: ignore[union-attr]
        parts += [line for public in sorted(names, key=str.lower) for line in _entry(name, package, public)]
    return "\n".join(parts) + "\n"


def _home(package: Any, public: str) -> str:
    value = getattr(package, public)
    if inspect.ismodule(value):
        return value.__name__
    home = getattr(value, "__module__", None)
    if isinstance(home, str) and home.split(".")[0] in ("numeric", "proofs"):
        return home
    return f"{package.__name__}.{package._HOME[public]}" if hasattr(package, "_HOME") else package._HOMES[public]


def _entry(name: str, package: Any, public: str) -> Sequence[str]:
    value = getattr(package, public)
    if inspect.ismodule(value):
        return [line for inner in value.__all__ for line in _entry(value.__name__, value, inner)]
    if inspect.isclass(value):
        return ["", f".. autoclass:: {name}.{public}", "   :members:"]
    if callable(value):
        return ["", f".. autofunction:: {name}.{public}"]
    return ["", f".. py:data:: {name}.{public}", f"   :type: {type(value).__name__}"]


def _title(text: str, under: str) -> str:
    return f"{text}\n{under * len(text)}\n"


def type_aliases() -> dict[str, str]:
    """The names that stand for types in our annotations, each as it is written: autodoc would spell them out."""
    found = {"ArrayLike", "NDArray"}
    for path in modules().values():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp):
                found |= {t.id for t in node.targets if isinstance(t, ast.Name) and re.match(r"[A-Z]\w*[a-z]", t.id)}
    public = {name for package in PACKAGES for name in import_module(package).__all__}  # classes, which have links
    return {name: name for name in sorted(found - public)}


# --- docstrings -----------------------------------------------------------------------------------------------------


def as_rst(lines: Sequence[str]) -> list[str]:
    """A docstring as reStructuredText that shows just that: its blocks between empty lines, one after the other.

    >>> as_rst(["p : (n,), `tails` of *a*.", "", "    p_j = w_j"])
    ['*p* : (n,), ``tails`` of \\\\*a\\\\*.', '', '::', '', '    p_j = w_j', '']
    """
    out: list[str] = []
    for block in re.split(r"\n[ \t]*\n", inspect.cleandoc("\n".join(lines))):
        rows = block.splitlines()
        if not rows:
            continue
        if rows[0].lstrip().startswith(">>> "):
            out += [
                row.strip() if row.lstrip().startswith(">>> ") else row for row in inspect.cleandoc(block).splitlines()
            ]
        elif all(row.startswith(" ") for row in rows):
            out += ["::", "", *(f"    {row.strip() if len(rows) == 1 else row}" for row in rows)]
        else:
            out += _prose(rows)
        out.append("")
    return out


def _prose(rows: Sequence[str]) -> list[str]:
    """Lines that begin with the name of an argument begin a paragraph; indented ones go on with theirs."""
    if rows[0].startswith("- "):
        return [f"{'' if row.startswith('- ') else '  '}{_item(row.strip())}" for row in rows]
    out: list[str] = []
    for row in rows:
        text, found = row.strip(), _ARGUMENT.match(row)
        if found and out:
            out.append("")
        out.append(f"*{found[1]}* : {_escaped(text[found.end() :])}" if found else _escaped(text))
    return out


def _item(row: str) -> str:
    return f"- {_escaped(row[2:])}" if row.startswith("- ") else _escaped(row)


def _escaped(text: str) -> str:
    """Everything literal but `names`, which are set as code."""
    pieces = re.split(r"``?([^`]+)``?", text)
    return "".join(
        f"``{piece}``" if at % 2 else re.sub(r"([*_|\\`<>])", r"\\\1", piece) for at, piece in enumerate(pieces)
    )
