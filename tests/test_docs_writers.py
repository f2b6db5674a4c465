"""The generated pages: nothing of a statement, a command or a public name is lost on the way to the site."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from docs.writers import pages as writers
from docs.writers.commands import command_page
from docs.writers.contents import CONTENTS, toctrees
from docs.writers.latex_html import Converter, home
from docs.writers.reference import PACKAGES, as_rst, reference_pages, type_aliases
from docs.writers.statements import statement_pages
from proofs.latex_statement import section
from proofs.latex_steps import Fact
from proofs.ledger import LEDGER
from proofs.statement import Evidence, Report, Statement
from tests.markdown import REPOSITORY
from tests.markdown_shell import options

EVIDENCE = (Evidence("derivation", "proved", 3, 0.1, "general"), Evidence("random", "held", 1, 0.1, "a | b"))
REPORTS = {name: Report(name, statement.title, EVIDENCE) for name, statement in LEDGER.items()}


@pytest.fixture(scope="module")
def latex() -> dict[str, str]:
    """The LaTeX of each statement, as the pages were written from it."""
    return {}


@pytest.fixture(scope="module")
def statements(latex: dict[str, str]) -> dict[str, str]:
    def recorded(statement: Statement, earlier: Mapping[str, Fact]) -> str:
        latex[statement.id] = section(statement, earlier)
        return latex[statement.id]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("docs.writers.statements.section", recorded)
        return statement_pages(list(REPORTS.values()))


# --- statements -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LEDGER)
def test_labels_and_formulas_of_a_statement_are_on_its_pages(
    name: str, statements: dict[str, str], latex: dict[str, str]
) -> None:
    text, shown = latex[name], statements[f"statements/{name}"] + statements[f"statements/{name}-derivation"]
    labels = re.findall(r"\\(?:label|posbiasmark)\{posbias:([^}]*)\}", re.sub(r"\\IfFileExists\{.*", "", text))
    assert len(labels) > 3
    assert sorted(labels) == sorted(re.findall(r' id="([^"]*)"', shown))
    assert text.count(r"\tag{") == shown.count(r"\tag{") + shown.count('<div class="posbias-words"')
    assert text.count("$") // 2 == shown.count(r"\(")
    for label, _ in LEDGER[name].claim.hypotheses:
        assert f"<em>{label}</em>" in shown
    assert f"`posbias verify {name}`" in shown and "| random | held | 1 case | a \\| b |" in shown


def test_every_statement_is_listed_with_its_verdict(statements: dict[str, str]) -> None:
    for name, statement in LEDGER.items():
        assert f"| [{name}](statements/{name}.md) | {statement.title} | proved | [3 steps]" in statements["statements"]


def test_a_changed_claim_changes_its_page(monkeypatch: pytest.MonkeyPatch, statements: dict[str, str]) -> None:
    kept = LEDGER["S2"]
    part = replace(kept.claim.parts[0], name="another name")
    claim = replace(kept.claim, parts=(part, *kept.claim.parts[1:]))
    monkeypatch.setitem(LEDGER, "S2", replace(kept, claim=claim))
    assert "<em>another name</em>" in statement_pages([REPORTS["S2"]])["statements/S2"]
    assert "<em>another name</em>" not in statements["statements/S2"]


def test_where_labels_live() -> None:
    expected = {"D1": "D1", "D1.H2": "D1", "D1.N11": "D1", "D1.2.1": "D1-derivation", "D1.1a": "D1-derivation"}
    assert {label: home(label) for label in expected} == expected


def test_prose_lists_and_displays() -> None:
    text = (
        "Let $a<b$ be \\emph{small}, see \\eqref{posbias:D1.H1}\\_~x.\n\n"
        "\\begin{equation}\\tag{D2.1}\\label{posbias:D2.1}\n  a\\,\\allowbreak b\n\\end{equation}\n"
        "\\begin{itemize}\\itemsep=4pt\n  \\item[(a)] one;\n  \\item two.\n\\end{itemize}\n"
    )
    page = Converter(text, "D2-derivation").convert()
    assert page.html.splitlines() == [
        '<p>Let <span class="math notranslate nohighlight">\\(a&lt;b\\)</span> be <em>small</em>, see '
        '(<a href="D1.html#D1.H1">H1</a>)_&nbsp;x.</p>',
        '<div class="math notranslate nohighlight" id="D2.1">\\[a\\,b\\tag{D2.1}\\]</div>',
        "<ul><li>(a)  one;</li><li>two.</li></ul>",
    ]
    assert (page.anchors, page.points_to) == (["D2.1"], ["D1.H1"])


@pytest.mark.parametrize(
    "text", ["\\footnote{x}", "\\begin{align}x\\end{align}", "\\begin{itemize}\\item x", "\\emph{x", "a \\; b"]
)
def test_what_is_not_in_the_dialect_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^D1: "):
        Converter(text, "D1").convert()


def test_a_reference_to_nowhere_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = section(LEDGER["S2"], {})
    for lost in ("S2.H99", "S2.99", "nowhere"):
        pointing = f"{text}\n\\eqref{{posbias:{lost}}}"
        monkeypatch.setattr("docs.writers.statements.section", lambda *_, shown=pointing: shown)
        with pytest.raises(ValueError, match=f"no anchor for .*{lost}"):
            statement_pages([REPORTS["S2"]])


# --- commands, names, contents --------------------------------------------------------------------------------------


def test_every_command_has_its_options_on_the_page() -> None:
    sections = dict(re.findall(r"^## posbias (\w+)\n(.*?)(?=^## |\Z)", command_page(), re.M | re.S))
    assert set(sections) == set(options()) - {""}
    for name, text in sections.items():
        assert f"Usage: posbias {name} " in text
        assert [option for option in options()[name] if option.startswith("-") and option not in text] == []


def test_every_public_name_is_in_the_reference() -> None:
    shown = reference_pages()
    for package in PACKAGES:
        page = shown[f"reference/{package}.rst"]
        names = [name for name in import_module(package).__all__ if name != "counterexample"]  # a module, of names
        assert [name for name in names if not re.search(rf":: {re.escape(package)}\.{name}$", page, re.M)] == []
    assert ":: proofs.counterexample.search" in shown["reference/proofs.rst"]


def test_docstrings_are_shown_as_they_stand() -> None:
    text = """F(k) = Σ_j |p_j|, `tails` of *p*.

    a, b : one_
        and more. n : two

        p_j  =  w_j
          + v_j

    - first,
      still first
    - second

    >>> 1 + 1
    2
    """
    assert as_rst(text.splitlines()) == [
        "F(k) = Σ\\_j \\|p\\_j\\|, ``tails`` of \\*p\\*.", "",
        "*a, b* : one\\_", "and more. n : two", "",
        "::", "", "        p_j  =  w_j", "          + v_j", "",
        "- first,", "  still first", "- second", "",
        ">>> 1 + 1", "2", "",
    ]  # fmt: skip


def test_names_of_types_stay_names() -> None:
    found = type_aliases()
    assert {"ArrayLike", "Mixing", "FloatArray", "Lesson"} <= set(found)
    assert not {"_MODULE", "WIDE", "COLOURS", "N"} & set(found)


def test_every_page_is_in_the_contents() -> None:
    listed = [name for _, names in CONTENTS for name in names]
    assert len(set(listed)) == len(listed)
    there = {path.stem for path in (REPOSITORY / "docs").glob("*.md")} - {"index"}
    assert there - set(listed) == set(), "docs/writers/contents.py says where a page stands"


def test_the_contents_list_what_is_there(tmp_path: Path) -> None:
    for name in ("forces.md", "symbols.md"):
        (tmp_path / name).write_text("# Page\n", encoding="utf-8")
    trees = toctrees(tmp_path)
    assert re.findall(r":caption: (.*)", trees) == ["Read first", "Statements"]
    assert "\nforces\n" in trees and "infinite-depth" not in trees


def test_pages_are_written_anew_where_a_source_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []

    def made() -> dict[str, str]:
        written.append(1)
        return {"folder/page.md": f"# {len(written)}\n"}

    monkeypatch.setattr(writers, "_pages", made)
    writers.write_generated(tmp_path)
    writers.write_generated(tmp_path)
    assert (tmp_path / "folder" / "page.md").read_text(encoding="utf-8") == "# 1\n"
    monkeypatch.setattr(writers, "_digest", lambda: "another")
    writers.write_generated(tmp_path)
    assert (tmp_path / "folder" / "page.md").read_text(encoding="utf-8") == "# 2\n"


def test_links_of_the_changes_lead_to_pages() -> None:
    links = re.findall(r"\]\(([^):\s]+)\)", writers.changes_page())
    pages = [REPOSITORY / "docs" / Path(link).relative_to("..") for link in links]
    assert pages and all(page.is_file() for page in pages)
