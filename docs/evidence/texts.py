"""Texts that come with Python or Debian, for models to be trained on and shown: nothing has to be fetched.

    reference    Python's language reference, English prose: the pieces of pydoc_data.topics
    sources      the modules of Python's standard library, one file a piece
    licences     /usr/share/common-licenses of Debian, which no model here was trained on

Every seventh piece of the first two is held out of training. Which Python it is decides what they say; who writes them
down has their hash from ``posbias measure``.
"""

from __future__ import annotations

import sysconfig
from pathlib import Path

KINDS = ("reference", "sources", "licences")
HELD_OUT = 7  # every so many pieces one
LICENCES = Path("/usr/share/common-licenses")


def pieces(kind: str) -> list[str]:
    """The pieces of one of `KINDS`, in an order of their names. Raises InputError where they are not installed."""
    from numeric.refuse import flag, refusal

    if kind == "reference":
        from pydoc_data.topics import topics

        return [topics[name] for name in sorted(topics)]
    if kind not in KINDS:
        raise refusal("text", f"be one of {', '.join(KINDS)}", kind)
    folder, pattern = (LICENCES, "*") if kind == "licences" else (Path(sysconfig.get_path("stdlib")), "*.py")
    files = [file for file in sorted(folder.glob(pattern)) if file.is_file() and not file.is_symlink()]
    if not files:
        raise flag("text", f"be there, in {folder}", kind)
    return [file.read_text(encoding="utf-8") for file in files]


def learnt(kind: str) -> str:
    """What is trained on: all but every seventh piece."""
    return "\n\n".join(text for number, text in enumerate(pieces(kind), start=1) if number % HELD_OUT)


def held_out(kind: str) -> str:
    """What is not trained on; all of the licences."""
    every = 1 if kind == "licences" else HELD_OUT
    return "\n\n".join(text for number, text in enumerate(pieces(kind), start=1) if number % every == 0)
