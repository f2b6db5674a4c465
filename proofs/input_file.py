"""Files that a user hands in, as text or bytes; whatever cannot be read is refused on one line with the place."""

from __future__ import annotations

from pathlib import Path

from numeric.refuse import flag, shown
from proofs.output import printable

__all__ = ["read_bytes", "read_text"]

LARGEST_FILE = 1 << 30  # bytes


def read_bytes(path: str, name: str) -> bytes:
    """The content of a file, at least one byte."""
    try:
        file = Path(path)
        if not file.exists():
            raise flag(name, "be an existing file", shown(path))
        if not file.is_file():
            raise flag(name, "be a file", "a folder" if file.is_dir() else "a device", printable(path))
        if file.stat().st_size > LARGEST_FILE:
            raise flag(name, "be a file of at most 1 GiB", "a longer one", printable(path))
        data = file.read_bytes()
    except OSError:
        raise flag(name, "be a file that can be read", shown(path)) from None
    except ValueError as error:  # a null byte in the path; our own refusals pass
        raise (error if type(error) is not ValueError else flag(name, "be a path", shown(path))) from None
    if not data:
        raise flag(name, "have content", "an empty file", printable(path))
    return data


def read_text(path: str, name: str) -> str:
    """The text of a file in UTF-8, line ends as ``\\n``."""
    try:
        text = read_bytes(path, name).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise flag(name, "be text in UTF-8", "a binary file", printable(path)) from None
    if "\0" in text:
        raise flag(name, "be text in UTF-8", "a binary file", printable(path))
    if not text.strip():
        raise flag(name, "have content", "an empty file", printable(path))
    return text.replace("\r\n", "\n").replace("\r", "\n")
