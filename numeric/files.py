"""Writing a file whole or not at all: a temporary file in the same folder takes the old one's place in one step.

``require_writable`` is for before the work starts, ``write_atomically`` for when it is done. A failure leaves the old
file as it was and nothing new behind.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from numeric.refuse import flag, shown

__all__ = ["drafts", "open_atomically", "require_writable", "write_atomically"]

_DRAFT = re.compile(r"\.[0-9a-f]{16}\.tmp")


def require_writable(path: str | Path, name: str = "file") -> Path:
    """The path, if a file can be written there: its folder exists and is open to us, and it is no folder itself.

    Raises InputError naming argument ``name`` and what stands in the way.
    """
    target = Path(path)
    place = shown(str(target))
    folder = target.parent
    try:
        if target.exists() and not target.is_file():
            raise flag(name, "be a file", "a folder" if target.is_dir() else "a device", place)
        if not folder.is_dir():
            raise flag(name, "lie in a folder that exists", f"in {shown(str(folder))}", place)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise flag(name, "lie in a folder that can be written", f"in {shown(str(folder))}", place)
    except OSError as error:  # a name too long, a loop of links
        raise flag(name, "be the name of a file", f"this ({error.strerror})", place) from None
    return target


def write_atomically(path: str | Path, content: bytes, name: str = "file") -> None:
    """``content`` as the file at ``path``, with the permissions a new file gets or those of the file replaced.

    Raises InputError naming argument ``name`` where it cannot be written.
    """
    with open_atomically(path, name) as out:
        out.write(content)


@contextmanager
def open_atomically(path: str | Path, name: str = "file") -> Iterator[IO[bytes]]:
    """A file to write piece by piece, which takes its place when the block ends: what is long need not be in memory.

    Raises InputError as `write_atomically` does.
    """
    # the file itself, so that a link to it stays one
    target = Path(os.path.realpath(require_writable(path, name)))
    draft = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with open(
            os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666), "wb"
        ) as out:
            yield out
            out.flush()
            os.fsync(out.fileno())  # the new name must never point to a file that is not yet on the disk
        if target.exists():
            draft.chmod(target.stat().st_mode & 0o7777)
        draft.replace(target)
    except OSError as error:
        raise flag(name, "be writable", f"closed to us ({error.strerror})", shown(str(path))) from None
    finally:
        draft.unlink(missing_ok=True)


def drafts(folder: Path) -> list[Path]:
    """Files in a folder that were being written when their process was killed: nobody will rename them any more."""
    return [path for path in folder.iterdir() if _DRAFT.fullmatch(path.name)]
