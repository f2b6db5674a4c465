"""The real imports between the parts of the house, read off the source files, those within functions among them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["LAYERS", "PARTS", "imports", "layer", "modules", "part"]

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("command line", "proofs.results", "proofs.lemmas", "proofs", "numeric.model", "numeric")  # from the top
LAYERS = {"command line": 2, "proofs.results": 1, "proofs.lemmas": 1, "proofs": 1, "numeric.model": 0, "numeric": 0}


def part(module: str) -> str:
    """The part of the house that a module is in."""
    package, _, rest = module.partition(".")
    first = rest.split(".")[0]
    if package == "proofs" and (first in ("commands", "entry") or first.startswith("cli")):
        return "command line"
    named = f"{package}.{first}"
    return named if named in PARTS else package


def layer(module: str) -> int:
    """0 for numeric, 1 for proofs, 2 for the command line: a module imports from its own layer or from lower ones."""
    return LAYERS[part(module)]


def modules() -> dict[str, Path]:
    """The modules of both packages and their files."""
    files = [path for name in ("numeric", "proofs") for path in sorted((ROOT / name).rglob("*.py"))]
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def imports() -> Counter[tuple[str, str]]:
    """How often one module imports from another."""
    known = modules()
    found: Counter[tuple[str, str]] = Counter()
    for module, path in known.items():
        for name in _names(path):
            while name and name not in known:
                name = name.rpartition(".")[0]
            if name and name != module:
                found[module, name] += 1
    return found


@cache
def _names(path: Path) -> tuple[str, ...]:
    """What a file imports: read once, since the same files are asked for again."""
    return tuple(_imported(ast.parse(path.read_text(encoding="utf-8"))))


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
            yield from _named(node)


def _named(call: ast.Call) -> Iterator[str]:
    """The package that a module imported by name comes from, as far as it is spelt."""
    match call.args[0]:
        case ast.Constant(str(name)):
            yield name
        case ast.JoinedStr([ast.Constant(str(name)), *_]):
            yield name.rstrip(".")
