"""Experiment files as plain values with the line of each: a small, closed subset of YAML.

Mappings, sequences, numbers, text and null. Everything else YAML knows is refused by name: tags, anchors and aliases,
block scalars, several documents, a key given twice. Nothing in a file is ever executed or constructed by tag.

PyYAML's event parser does the reading, the compiled one (libyaml) where it is there, with the same result without it:
the pure one refuses TABs that separate tokens, so ``without_tabs`` writes them as blanks first, one for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from numeric.number import is_number, read_fraction
from numeric.refuse import flag, refusal

if TYPE_CHECKING:
    from yaml import Event

__all__ = ["Node", "Scalar", "plain", "read_node", "read_text", "without_tabs"]

Scalar: TypeAlias = int | float | str | None
LARGEST_FILE = 50_000_000  # bytes; the paper's largest file has 0.3 million
DEEPEST = 12  # nested collections; the paper's files have 4

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")

# One token of YAML as far as TABs are concerned. A quote, a bracket or # opens something only where a token begins, so
# plain text is matched whole: to the end of the line, to ": ", to " #", within brackets also to a comma or bracket.
_SHARED = r"""
    (?P<quoted> "(?:[^"\\]|\\.)*" | '(?:[^']|'')*' )
  | (?P<comment> \#[^\n]* )
  | (?P<blank> [ \t]+ )
  | (?P<newline> \n )
  | (?P<open> [\[{] )
  | (?P<close> [\]}] )
  | (?P<indicator> [-?:](?=[ \t\n]|$) )
"""
# An open quote without its end is no plain text: nothing matches it.
_PLAIN = r"""| (?P<plain> (?!["'])[^ \t\n] (?: [ \t]* (?!:(?:[ \t\n]|$)) (?!(?<=[ \t])\#) %s )* )"""
_IN_BLOCK = re.compile(_SHARED + _PLAIN % r"[^ \t\n]", re.X | re.S)
_IN_FLOW = re.compile(_SHARED + "| , " + _PLAIN % r"[^ \t\n,\[\]{}]", re.X | re.S)


@dataclass(frozen=True, slots=True)
class Node:
    """A value and the line it stands on (that of its key, within a mapping), counted from 1."""

    line: int
    value: dict[str, Node] | list[Node] | Scalar


def plain(node: Node) -> Any:
    """The value of a node and of all below it, without the lines: dict, list, int, float, str or None."""
    if isinstance(node.value, dict):
        return {key: plain(below) for key, below in node.value.items()}
    if isinstance(node.value, list):
        return [plain(below) for below in node.value]
    return node.value


def read_text(path: Path) -> str:
    """The text of a file, line ends as ``\\n``; InputError for a missing, unreadable, empty or binary one."""
    place = name_of(path)
    try:
        if not path.exists():
            raise flag("file", "exist", "missing", place)
        if not path.is_file():
            raise flag("file", "be a file", "a folder" if path.is_dir() else "a device", place)
        if path.stat().st_size > LARGEST_FILE:
            raise flag("file", f"have at most {LARGEST_FILE} bytes", str(path.stat().st_size), place)
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise flag("file", "be text in UTF-8", "binary", place) from None
    except OSError as error:
        raise flag("file", "be readable", f"closed to us ({error.strerror})", place) from None
    if _CONTROL.search(text):
        raise flag("file", "be text in UTF-8", "binary", place)
    if not text.strip():
        raise flag("file", "hold an experiment", "empty", place)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def name_of(path: Path) -> str:
    """The path on one line, whatever characters it has."""
    return str(path) if str(path).isprintable() else repr(str(path))


def without_tabs(text: str) -> str:
    """``text`` with each TAB that separates tokens as one blank; quoted text, comments and indentation untouched.

    >>> without_tabs('a: [1\\t,\\t"x\\ty"]\\t# b\\tc')
    'a: [1 , "x\\ty"] # b\\tc'
    """
    if "\t" not in text:
        return text
    pieces: list[str] = []
    depth, at, fresh = 0, 0, True  # fresh: nothing but blanks on this line so far
    while at < len(text):
        match = (_IN_FLOW if depth else _IN_BLOCK).match(text, at)
        if match is None:  # the parser will say what is wrong
            return "".join([*pieces, text[at:]])
        piece, kind = match[0], match.lastgroup
        separates = kind == "blank" and (depth > 0 or not fresh)
        pieces.append(piece.replace("\t", " ") if separates else piece)
        depth = max(0, depth + (kind == "open") - (kind == "close"))
        fresh = kind == "newline" or (fresh and kind == "blank")
        at = match.end()
    return "".join(pieces)


def read_node(text: str, place: str, *, libyaml: bool | None = None) -> Node:
    """The one document in ``text``. ``libyaml``: whether to parse with it; None means if it is there.

    Raises InputError, with ``place`` and the line, for text that is no YAML or beyond the subset.
    """
    import yaml

    fast = yaml.__with_libyaml__ if libyaml is None else libyaml
    loader = yaml.CBaseLoader if fast else yaml.BaseLoader
    try:
        return _Reader(yaml.parse(without_tabs(text), Loader=loader), place).document()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{place}, line {mark.line + 1}" if mark is not None else place
        problem = getattr(error, "problem", None) or "unreadable text"
        raise flag("file", "be YAML", f"this ({problem})", where) from None


class _Reader:
    """Events to nodes. The depth is bounded, so that no file can exhaust the stack."""

    def __init__(self, events: Iterator[Event], place: str) -> None:
        self._events = events
        self._place = place

    def document(self) -> Node:
        import yaml

        next(self._events)  # the stream begins
        if isinstance(next(self._events), yaml.StreamEndEvent):
            raise flag("file", "hold an experiment", "empty", self._place)
        node = self._node(next(self._events), 0)
        next(self._events)  # the document ends
        after = next(self._events)
        if not isinstance(after, yaml.StreamEndEvent):
            raise flag("file", "hold one document", "several", self._where(after))
        return node

    def _node(self, event: Any, depth: int) -> Node:
        import yaml

        self._refuse_extras(event)
        line = _line(event)
        if isinstance(event, yaml.ScalarEvent):
            return Node(line, self._scalar(event))
        if depth == DEEPEST:
            raise flag("file", f"nest at most {DEEPEST} deep", "deeper", self._where(event))
        return Node(line, self._mapping(depth) if isinstance(event, yaml.MappingStartEvent) else self._sequence(depth))

    def _sequence(self, depth: int) -> list[Node]:
        import yaml

        entries = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            entries.append(self._node(event, depth + 1))
        return entries

    def _mapping(self, depth: int) -> dict[str, Node]:
        import yaml

        entries: dict[str, Node] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            self._refuse_extras(event)
            if not isinstance(event, yaml.ScalarEvent):
                raise flag("file", "have text as keys", "a collection", self._where(event))
            if event.value in entries:
                raise flag(event.value[:60], "be given once", "twice", self._where(event))
            below = self._node(next(self._events), depth + 1)
            entries[event.value] = Node(_line(event), below.value)
        return entries

    def _scalar(self, event: Any) -> Scalar:
        """Numbers where the text is one and is not quoted; YAML 1.1 would take 1e-3 for text and 1_000 for a number."""
        text: str = event.value
        if event.style in ("|", ">"):
            raise flag("file", "have no block text (| or >)", "some", self._where(event))
        if event.style in ("'", '"'):
            return text
        if text in _NULL:
            return None
        if _INTEGER.fullmatch(text):
            return int(text)
        if not is_number(text):
            return text
        return float(read_fraction(text, "number", self._where(event)) if "/" in text else text)

    def _refuse_extras(self, event: Any) -> None:
        import yaml

        if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
            raise flag("file", "have no anchors and aliases (& and *)", "some", self._where(event))
        if event.tag is not None:
            raise refusal("file", "have no tags (!)", event.tag, self._where(event))

    def _where(self, event: Any) -> str:
        return f"{self._place}, line {_line(event)}"


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
