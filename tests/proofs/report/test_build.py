"""The page as a file: one, small, with nothing to fetch, in which no text of data becomes HTML or runs."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from numeric.refuse import InputError
from proofs.report import build
from proofs.report.sections import SECTIONS, sections
from proofs.report.statements import PARTS
from tests.proofs.report.pages import BESIDE, data, needs_library, text_of
from tests.proofs.report.states import EDGES, GIVEN

pytestmark = needs_library
EVIL = "</script><script>alert(1)</script><!-- & \u2028 \"' <img src=x onerror=alert(1)>"


class Tags(HTMLParser):
    """Every tag with its attributes, and the text of scripts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "title", "h1"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, text: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(text)


@pytest.fixture(scope="module")
def plain() -> str:
    return text_of(data(EDGES["given"], GIVEN))


def test_it_begins_as_reports_do_and_is_small(plain: str) -> None:
    assert plain.startswith(build.BEGINS)
    assert len(plain.encode()) < 1_500_000  # statements and a long measurement fit beside it within 2 MB


def test_nothing_is_fetched(plain: str) -> None:
    tags = Tags(plain).tags
    assert [(tag, at["src"]) for tag, at in tags if "src" in at] == []
    links = [(tag, at.get("rel"), at["href"]) for tag, at in tags if "href" in at]
    assert [link for link in links if link[0] != "a"] == [("link", "icon", "data:,")]
    assert {href for tag, _, href in links if tag == "a"} == {"#figures", "#", "https://arxiv.org/abs/2602.16837"}
    assert [tag for tag, _ in tags if tag in ("iframe", "object", "embed", "base", "form") and tag != "form"] == []
    assert "@import" not in plain and "url(" not in build._file("page.css")


def test_the_policy_names_every_script_and_no_other(plain: str) -> None:
    found = Tags(plain)
    (policy,) = (at["content"] for _, at in found.tags if at.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and policy.startswith("default-src 'none'; ")
    runs = [at for tag, at in found.tags if tag == "script" and at.get("type") is None]
    assert len(re.findall(r"'sha256-[\w+/=]{44}'", policy)) == len(runs) == len(build.SCRIPTS) + 1
    assert "unsafe-eval" not in policy
    assert "script-src 'unsafe-inline'" not in policy


def test_no_text_ends_what_it_stands_in() -> None:
    """A name that would close a script stays text in title, heading and data."""
    measured = {"source": EVIL, "values": [0.25, 0.75]}
    shown = data(EDGES["two positions"], measured=measured, name=EVIL)
    found, plain = Tags(text_of(shown)), Tags(text_of(data(EDGES["two positions"])))
    assert [tag for tag, _ in found.tags] == [tag for tag, _ in plain.tags]
    assert "".join(found.texts["title"]) == "".join(found.texts["h1"]) == f"Position bias of {EVIL}"


def test_no_text_of_a_statement_becomes_html() -> None:
    from dataclasses import replace

    told = replace(BESIDE[0], title=EVIL, remark=EVIL, evidence=EVIL, assumes=(EVIL,), verdict=EVIL)
    assert [tag for tag, _ in Tags(sections([told])).tags if tag in ("script", "img")] == []


def test_dollars_stay_what_they_are() -> None:
    assert "Position bias of $title" in text_of(data(EDGES["two positions"], name="$title"))


def test_a_script_that_ends_itself_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "_library", lambda: "x = '</SCRIPT>'")
    with pytest.raises(AssertionError, match="end of a script"):
        text_of(data(EDGES["two positions"]))


def test_not_a_number_is_an_error() -> None:
    with pytest.raises(ValueError, match="JSON"):
        text_of(data(EDGES["two positions"], measured={"source": "x", "values": [float("nan"), 1.0]}))


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(InputError, match=r"vl-convert-python.*pip install 'posbias\[report\]'"):
        build.require_library()


def test_every_statement_has_its_place_and_every_place_its_statement() -> None:
    placed = [name for section in SECTIONS for name in section.statements]
    assert sorted(placed) == sorted(PARTS)


def test_a_statement_is_told_with_verdict_and_evidence() -> None:
    text = sections(BESIDE)
    for part in ("A &amp; B", "x &lt; y", "proved", "Evidence: seen", "It has 2 more", "<math>", "given h"):
        assert text.count(part) >= 1, part


def test_figures_of_the_scripts_are_those_of_the_sections() -> None:
    script = (resources.files("proofs.report") / "figures.js").read_text(encoding="utf-8")
    (names,) = re.findall(r"^  return \{ (.*) \};$", script, re.M)
    assert names.split(", ") == [section.figure for section in SECTIONS]


@pytest.mark.parametrize("kind", ["*.js", "*.css", "*.html"])
def test_what_the_page_is_made_of_is_shipped(kind: str) -> None:
    import tomllib

    project: Any = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    assert f"report/{kind}" in project["tool"]["setuptools"]["package-data"]["proofs"]
