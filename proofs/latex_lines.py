r"""Displays that fit the page: how wide mathematics will be, about, and where to end a line.

A value carries marks (latex_math.py) where a line may end.  A line ends at a mark outside braces, at as few open
brackets as possible; the next one begins with the sign.  Widths are estimates in ems and err to the wide side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from proofs.latex_math import FACTOR, RELATION, SIGN, unmarked

__all__ = ["LINE", "equation", "lines", "width"]

LINE = 39.0  # ems of a display beside its tag, at 10pt on the 6.5 inches of the document

_TOKEN = re.compile(r"\\[A-Za-z]+ ?|\\.|[{}^_]|.", re.DOTALL)
_WIDE = {
    r"\quad": 1.0,
    r"\qquad": 2.0,
    r"\,": 0.17,
    r"\sum": 1.5,
    r"\prod": 1.4,
    r"\operatorname": 0.2,
    r"\mapsto": 1.6,
}
_RELATIONS = ("=", "<", r"\le", r"\preceq", r"\ge", r"\in")
_NOTHING = frozenset(("", "{", "}", r"\text", r"\mathrm", r"\tfrac", r"\frac", r"\displaystyle")) | {
    rf"\{size}{side}" for size in ("big", "Big") for side in "lr"
}
_BREAK = {SIGN, RELATION, FACTOR}


def width(shown: str) -> float:
    """The width in ems, about."""
    total, small, depth, raised = 0.0, [False], 0, False
    for token in _TOKEN.findall(unmarked(shown)):
        if token in "^_" and len(token) == 1:
            raised = True
            continue
        if token == "{":
            small.append(small[-1] or raised)
            depth, raised = depth + 1, False
        elif token == "}" and len(small) > 1:
            small.pop()
        else:
            total += _token(token.rstrip()) * (0.72 if small[-1] or raised else 1.0)
            raised = False
    return total


def _token(token: str) -> float:
    if token in _NOTHING:
        return 0.0
    if token in _WIDE:
        return _WIDE[token]
    if token in _RELATIONS:
        return 1.4
    if token in ("+", "-", r"\cdot"):
        return 1.2
    if token.startswith("\\") or token.islower() or token.isdigit():
        return 0.55
    return 0.75 if token.isupper() else 0.42


@dataclass(frozen=True)
class _Place:
    """A mark: its position, the number of open brackets there, and how unwelcome a break after a mere factor is."""

    at: int
    cost: float


def _places(shown: str) -> list[_Place]:
    """The marks outside braces and subscripts, with their cost."""
    found, braces, open_brackets = [], 0, 0
    for position, character in enumerate(shown):
        braces += {"{": 1, "}": -1}.get(character, 0)
        if braces == 0:
            open_brackets += {"(": 1, ")": -1}.get(character, 0)
            if character in _BREAK:
                found.append(_Place(position, open_brackets + {RELATION: 0.0, SIGN: 0.5, FACTOR: 0.8}[character]))
    return found


def lines(shown: str, limit: float = LINE) -> list[str]:
    """The display as lines, without marks; the continuation lines are two ems shorter, for their indent."""
    result, rest = [], shown
    while width(rest) > limit:
        places = [p for p in _places(rest) if 0.25 * limit < width(rest[: p.at]) <= limit]
        if not places:
            break
        best = min(places, key=lambda p: (p.cost, -p.at))
        result.append(unmarked(rest[: best.at]))
        rest = rest[best.at :]
        rest, limit = rest[1:], limit - 2.0 if len(result) == 1 else limit
    return [*result, *_apart(unmarked(rest), limit)]


def _apart(last: str, limit: float) -> list[str]:
    """The last line, and in one of its own for what it holds, if there is no room for that."""
    formula, condition, ranges = last.rpartition(r"\quad\text{for }")
    return [formula, r"\text{for }" + ranges] if condition and width(last) > limit else [last]


def equation(shown: str, tag: str = "", label: str = "") -> str:
    """A display, broken where it has to be, with its tag and label."""
    broken = lines(shown)
    head = f"\\begin{{equation}}\\tag{{{tag}}}\\label{{{label}}}" if tag else r"\begin{equation*}"
    tail = r"\end{equation}" if tag else r"\end{equation*}"
    if len(broken) == 1:
        return f"{head}\n  {broken[0]}\n{tail}"
    first, *others = broken
    body = " \\\\\n".join([f"    &{first}", *(f"    &\\qquad{{}}{line}" for line in others)])
    return f"{head}\n  \\begin{{split}}\n{body}\n  \\end{{split}}\n{tail}"
