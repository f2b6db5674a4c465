"""All generated pages, into a folder that git does not keep; anew only where their sources have changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from docs.writers.commands import command_page
from docs.writers.reference import reference_pages
from docs.writers.statements import statement_pages
from numeric.files import write_atomically

__all__ = ["changes_page", "write_generated"]

ROOT = Path(__file__).resolve().parents[2]
_MARK = "sources.sha256"


def write_generated(folder: Path) -> None:
    """Writes the pages below the folder, unless those that are there come from the same sources."""
    mark = folder / _MARK
    digest = _digest()
    if mark.is_file() and mark.read_text(encoding="utf-8") == digest:
        return
    for name, text in _pages().items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, text.encode(), "docs")
    write_atomically(mark, digest.encode(), "docs")


def _pages() -> dict[str, str]:
    from proofs import verify_all

    statements = {f"{name}.md": text for name, text in statement_pages(verify_all(quick=True)).items()}
    return {**statements, **reference_pages(), "commands.md": command_page(), "changes.md": changes_page()}


def changes_page() -> str:
    """The list of changes, whose links to pages are those of the repository, as seen from the folder of this page."""
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").replace("](docs/", "](../")


def _digest() -> str:
    """What the pages are written from: the code and the list of changes."""
    found = hashlib.sha256()
    files = [path for name in ("numeric", "proofs", "docs/writers") for path in sorted((ROOT / name).rglob("*.py"))]
    for path in (*files, ROOT / "CHANGELOG.md"):
        found.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return found.hexdigest()
