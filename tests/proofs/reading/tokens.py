r"""LaTeX cut into tokens: mathematics in small pieces, prose in words; what only makes room is left out.

Mathematics gives ``\frac``, ``{``, ``A``, ``12``; prose, inside \text or outside $, gives ``Word("~for")``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["MARK", "Unread", "Word", "tokens"]

MARK = "~"


class Unread(ValueError):
    """Something in the LaTeX that this reader does not know."""


class Word(str):
    """A word of prose, or a sign of punctuation between words, behind a mark that no token of mathematics has."""

    __slots__ = ()


# What makes room, sizes a bracket or says where a line may end.  A token that is not here and not read is an error.
_ROOM = frozenset((
    r"\,", r"\quad", r"\qquad", r"\allowbreak", r"\displaystyle", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr", r"\\", "&",
))  # fmt: skip
_FRAMES = (
    r"\begin{split}", r"\end{split}", r"\begin{equation}", r"\end{equation}", r"\begin{equation*}", r"\end{equation*}",
    r"\begin{align*}", r"\end{align*}",
)  # fmt: skip
_PROSE = re.compile(r"\\begin\{minipage\}\{0\.82\\linewidth\}\\raggedright (.*)\\end\{minipage\}", re.DOTALL)
_MATHEMATICS = re.compile(r"\\text\{|\\[A-Za-z]+|\\.|[0-9]+|\S", re.DOTALL)
_WORDS = re.compile(r"[A-Za-z]+|[0-9]+|[:;,().]")


def tokens(latex: str) -> list[str]:
    """The tokens of a display, of a formula in mathematics mode, or of prose with formulas between dollars."""
    for frame in _FRAMES:
        latex = latex.replace(frame, " ")
    latex = re.sub(r"\\tag\{[^{}]*\}|\\label\{[^{}]*\}", " ", latex)
    found = _PROSE.fullmatch(latex.strip())
    if found is not None:
        return list(_prose(found[1]))
    return list(_prose(latex) if _dollars(latex) else _math(latex))


def _prose(latex: str) -> Iterator[str]:
    at, inside = 0, False
    for end in [*_dollars(latex), len(latex)]:
        yield from _math(latex[at:end]) if inside else _words(latex[at:end])
        at, inside = end + 1, not inside


def _dollars(latex: str) -> list[int]:
    """The dollars that begin or end mathematics."""
    found, at = [], 0
    for match in re.finditer(r"\\text\{|\\.|\$", latex, re.DOTALL):
        if match.start() >= at:
            found += [match.start()] if match[0] == "$" else []
            at = _closing(latex, match.end()) if match[0] == r"\text{" else match.end()
    return found


def _words(prose: str) -> Iterator[str]:
    rest = _WORDS.sub("", prose).strip()
    if rest:
        raise Unread(f"prose {rest!r}")
    yield from (Word(MARK + word) for word in _WORDS.findall(prose))


def _math(latex: str) -> Iterator[str]:
    at, skipped = 0, latex.replace("{}", "  ")
    while (found := _MATHEMATICS.search(skipped, at)) is not None:
        at = found.end()
        if found[0] != r"\text{":
            if found[0] not in _ROOM:
                yield found[0]
            continue
        end = _closing(latex, at)
        inner, at = latex[at:end], end + 1
        previous, following = latex[: found.start()].rstrip(), latex[at : at + 1]
        if following in ("_", "'", "^") or _is_name(inner, previous):
            yield rf"\text{{{inner}}}"
        else:
            yield from _words(inner)


def _is_name(inner: str, before: str) -> bool:
    """Whether \\text holds the name of a letter rather than words of a sentence: those have a space at an end."""
    return not (inner.startswith((" ", "(", ")", "if ", "for ", ";", ",")) or inner.endswith(" ")) and inner != ""


def _closing(latex: str, at: int) -> int:
    """Where the brace that is open at ``at`` closes."""
    depth = 1
    for found in re.finditer(r"\\.|[{}]", latex[at:], re.DOTALL):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return at + found.start()
    raise Unread("a brace that is not closed")
