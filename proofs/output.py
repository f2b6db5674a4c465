"""How results leave the program: plain tables, JSON, consoles without Greek, places where files can be written.

A command returns an `Outcome` and prints nothing itself, so that whatever is refused leaves standard output empty.
Markup does not exist here: text such as ``[/red]`` is text.
"""

from __future__ import annotations

import json
import sys
import tempfile
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from numeric.files import require_writable
from numeric.refuse import flag, refusal, shown

__all__ = [
    "Outcome", "as_json", "note", "printable", "require_figure", "require_file", "require_folder", "require_marked",
    "require_replaceable", "spelled_for", "table", "write_stream",
]  # fmt: skip

FIGURES = (".pdf", ".png", ".svg")


@dataclass(frozen=True)
class Outcome:
    """What a command has to say on standard output, the exit code (0 all held, 1 a claim failed), and what went wrong
    beside it, for standard error.
    """

    text: str
    code: int = 0
    error: str = ""


def as_json(value: Any) -> str:
    """``value`` as JSON in ASCII; a NaN or an infinity is an error of ours, never printed."""
    return json.dumps(value, indent=2, allow_nan=False)


def table(rows: Sequence[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """Rows of cells as aligned columns, two blanks between them; the columns in ``right`` are aligned to the right.

    >>> print(table([("a", "1"), ("long", "10")], frozenset({1})))
    a      1
    long  10
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def aligned(column: int, cell: str) -> str:
        return cell.rjust(widths[column]) if column in right else cell.ljust(widths[column])

    return "\n".join("  ".join(aligned(c, cell) for c, cell in enumerate(row)).rstrip() for row in rows)


def printable(text: str) -> str:
    """``text`` on one line: as it is where every character can be shown, else as Python would write it."""
    return text if text.isprintable() else shown(text)


# --- consoles -------------------------------------------------------------------------------------------------------

_SIGNS = {
    "⇒": "=>", "⇔": "<=>", "→": "->", "≼": "precedes", "≽": "succeeds", "≤": "<=", "≥": ">=", "≠": "!=", "≡": "==",
    "−": "-", "–": "-", "—": "-", "…": "...", "·": "*", "×": "x", "Σ": "Sum", "Π": "Prod", "∏": "Prod", "∑": "Sum",
    "∈": "in", "∞": "infinity", "√": "sqrt", "½": "1/2", "‘": "'", "’": "'", "“": '"', "”": '"', "⋯": "...", "′": "'",
}  # fmt: skip


def _ascii(character: str) -> str:
    """The ASCII name of a character: a sign by our table, a Greek letter by its name, an accented letter without it."""
    if character in _SIGNS:
        return _SIGNS[character]
    name = unicodedata.name(character, "")
    if name.startswith("GREEK") and "LETTER" in name:
        word = name.split(" LETTER ")[1].split()[0].lower().replace("lamda", "lambda")
        return word.capitalize() if "CAPITAL" in name else word
    return unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode() or character


def spelled_for(encoding: str | None, text: str) -> str:
    """``text`` as a console of that encoding can show it: unchanged if it can, else in ASCII names.

    >>> spelled_for("cp1252", "0 ≤ λ ≤ 1"), spelled_for("utf-8", "λ")
    ('0 <= lambda <= 1', 'λ')
    """
    try:
        text.encode(encoding or "ascii")
        return text
    except (UnicodeEncodeError, LookupError):
        named = "".join(c if c.isascii() else _ascii(c) for c in text)
        return named.encode("ascii", "backslashreplace").decode()


def write_stream(stream: TextIO | None, text: str) -> None:
    """Writes ``text`` and a line end, spelled as the stream can show it; nowhere where there is no stream."""
    if stream is None:
        return
    stream.write(spelled_for(getattr(stream, "encoding", None), text) + "\n")
    stream.flush()


def note(text: str) -> None:
    """Progress on standard error, on a terminal only; the empty text wipes the line."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K" + spelled_for(sys.stderr.encoding, text))
        sys.stderr.flush()


# --- files ----------------------------------------------------------------------------------------------------------


def require_file(path: str, name: str) -> Path:
    """``path`` as a file that can be written, tried before work starts and without leaving anything behind."""
    target = require_writable(_path(path, name), name)
    _try_folder(target.parent, name, path)
    return target


def require_figure(path: str, name: str) -> Path:
    """The same for a picture, whose kind its ending says."""
    target = require_file(path, name)
    if target.suffix.lower() not in FIGURES:
        raise refusal(name, f"end in {', '.join(FIGURES)}", path)
    return target


def require_replaceable(target: Path, name: str, begins: str, what: str) -> None:
    """A file that exists is replaced only if it is empty or ``what``, told by how it begins: any other may be the only
    copy of somebody's work.
    """
    try:
        with target.open("rb") as file:
            found = file.read(len(begins))
    except FileNotFoundError:
        return
    except OSError:
        raise flag(name, "be a new file or one that can be read", shown(str(target))) from None
    if found and found != begins.encode("ascii"):
        raise flag(name, f"be a new file or {what}, which is replaced", "another file", printable(str(target)))


def require_marked(target: Path, name: str, mark: str, what: str) -> None:
    """As `require_replaceable`, for files that bear a mark within their first 4096 bytes: pictures begin alike."""
    try:
        with target.open("rb") as file:
            found = file.read(4096)
    except FileNotFoundError:
        return
    except OSError:
        raise flag(name, "be a new file or one that can be read", shown(str(target))) from None
    if found and mark.encode("ascii") not in found:
        raise flag(name, f"have no files but {what}, which are replaced", "another file", printable(str(target)))


def require_folder(path: str, name: str) -> Path:
    """``path`` as a folder that can be written, or made where it does not exist yet; nothing is left behind."""
    target = existing = _path(path, name)
    try:
        while not existing.exists() and existing != existing.parent:
            existing = existing.parent
        is_folder = existing.is_dir()
    except OSError:  # a name too long, a loop of links
        raise flag(name, "be the name of a folder", shown(path)) from None
    if not is_folder:
        raise flag(name, "be a folder that can be written", shown(path))
    _try_folder(existing, name, path)
    return target


def _path(path: str, name: str) -> Path:
    if not path or "\0" in path:
        raise flag(name, "be a path", shown(path))
    return Path(path)


def _try_folder(folder: Path, name: str, path: str) -> None:
    """A file that exists for a moment tells more than permission bits, which the superuser passes everywhere."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        raise flag(name, "lie where files can be written", shown(path)) from None
