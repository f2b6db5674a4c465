r"""Displays that fit the page: how wide mathematics will be, about, and where to end a line.

A value carries marks (latex_math.py) where a line may end.  A line ends at a mark outside braces, at as few open
brackets as possible; the next one begins with the sign.  Widths are estimates in ems and err to the wide side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    r"\exp": 1.7,
    r"\mapsto": 1.6,
}
_RELATIONS = ("=", "<", r"\le", r"\preceq", r"\ge", r"\in")
_NOTHING = frozenset(("", "{", "}", r"\text", r"\mathrm", r"\tfrac", r"\frac", r"\displaystyle")) | {
    rf"\{size}{side}" for size in ("big", "Big") for side in "lr"
}
_BREAK = {SIGN, RELATION, FACTOR}
_OPENED = {"(": 1, "[": 1, r"\lvert ": 1, ")": -1, "]": -1, r"\rvert ": -1}


def width(shown: str) -> float:
    """The width in ems, about."""
    return max((after for _, _, _, after in _measured(shown, 0)), default=0.0)


def _measured(shown: str, at: int) -> Iterator[tuple[int, str, int, float]]:
    """The tokens from ``at`` on: place, token, how deep in braces, the width when it is set."""
    total, small, raised = 0.0, [False], False
    for found in _TOKEN.finditer(shown, at):
        token = found[0]
        if token in ("^", "_"):
            raised = True
        elif token == "{":
            small.append(small[-1] or raised)
            raised = False
        elif token == "}" and len(small) > 1:
            small.pop()
        elif token not in _BREAK:
            total += _token(token.rstrip()) * (0.72 if small[-1] or raised else 1.0)
            raised = False
        yield found.start(), token, len(small) - 1, total


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


def lines(shown: str, limit: float = LINE) -> list[str]:
    """The display as lines, without marks; the continuation lines are two ems shorter, for their indent."""
    result, start, room = [], 0, limit
    while (end := _end_of_line(shown, start, room)) is not None:
        result.append(unmarked(shown[start:end]))
        start, room = end + 1, limit - 2.0
    return [*result, *_apart(unmarked(shown[start:]), room)]


def _end_of_line(shown: str, start: int, limit: float) -> int | None:
    """The mark where the line ends: outside braces, at as few open brackets as can be, then as late as can be; the
    first one where what precedes it is too wide already; None where the rest fits, or has no such mark.
    """
    best, least, opened, ranges = None, 99.0, 0, False
    for place, token, braces, filled in _measured(shown, start):
        if filled > limit and best is not None:
            return best
        if braces == 0:
            opened += _OPENED.get(token, 0)
            ranges = ranges or token == r"\text"
            if token in _BREAK and filled > 0.25 * limit:
                cost = opened + {RELATION: 1.5 if ranges else 0.0, SIGN: 0.5, FACTOR: 0.8}[token]
                best, least = (place, cost) if cost <= least else (best, least)
    return None  # a mark that was found is not needed: the line did not become too wide


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
