"""The pages of docs are true: every block is treated (tests/markdown.py), every link leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.markdown import NOT_RUN, REPOSITORY, blocks, check_page, pages
from tests.markdown_shell import unknown_words

PAGES = [page for page in pages() if page.name != "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block(page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_page(page, tmp_path, capsys)


def test_what_is_not_run_is_on_its_page() -> None:
    found = {(block.page, block.text.split("\n", 1)[0]) for page in pages() for block in blocks(page)}
    assert set(NOT_RUN) <= found


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_commands_in_the_text_exist(page: Path) -> None:
    """`posbias verify D6 --quick` in a sentence: the command and its options."""
    spans = re.findall(r"(?<!`)`(posbias [^`]*)`(?!`)", page.read_text(encoding="utf-8"))
    words = [span.replace("\n", " ").replace("…", "...") for span in spans]
    assert [problem for line in words for problem in unknown_words(line, REPOSITORY)] == []


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub and the built pages make them."""
    lines = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", line.lower()).strip().replace(" ", "-") for line in lines}


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^):\s]+)\)", page.read_text(encoding="utf-8")):
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in headings(target), link


def test_what_is_referred_to_is_in_the_project() -> None:
    """A label of the ledger or a page that is there: no text that only its writer has."""
    written = [path for folder in ("docs", "numeric", "proofs", "tests") for path in (REPOSITORY / folder).rglob("*")]
    known = {path.name for path in REPOSITORY.glob("*.md")} | {path.name for path in written if path.suffix == ".md"}
    kept = {path for path in written if path.suffix in (".py", ".js", ".md") and "_generated" not in path.parts}
    assert len(kept) > 500
    told = {path: path.read_text(encoding="utf-8") for path in kept}
    assert [path for path, text in told.items() if re.search(r"\btheory\s+[A-Z]\d", text)] == []
    comments = {path: re.findall(r"(?:#|\"\"\"|//).*?\b([a-z][\w-]*\.md)\b", text) for path, text in told.items()}
    assert {name for names in comments.values() for name in names} - known == set()
