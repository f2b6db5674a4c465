"""The literature: entries that BibTeX reads, cited by keys that exist."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from proofs.bibliography import ENTRIES, bibtex, cite
from proofs.latex import BIBLIOGRAPHY, document
from proofs.ledger import LEDGER
from proofs.outside import OUTSIDE


def test_what_statements_and_classical_facts_cite_is_there() -> None:
    """So nothing is cited in vain, and no entry but those of the introduction goes uncited."""
    cited = {key for s in LEDGER.values() for key in s.cites} | {key for f in OUTSIDE.values() for key in f.cites}
    introduced = {"herasimchyk2026", "duerinckx2026"}  # by the first page of the document
    assert cited | introduced == set(ENTRIES)
    assert OUTSIDE["Barbour-Hall"].cites and OUTSIDE["Weierstrass"].cites


@pytest.mark.parametrize("name", LEDGER)
def test_a_source_is_one_that_a_reader_finds(name: str) -> None:
    """The paper, what every book has, or this project; never a label of the ledger, which would be its own source."""
    source = LEDGER[name].source
    assert re.match(r"arXiv:2602\.16837(?:, |$)|classical$|ours, ", source) and not re.search(r"\b[A-Z]\d", source)


def test_what_a_classical_fact_says_of_its_source_is_in_the_entry() -> None:
    """Two places name the work: they agree on the year, the pages and the author."""
    for fact in OUTSIDE.values():
        for key in fact.cites:
            fields = ENTRIES[key].fields
            pages = re.findall(r"\d+", fields["pages"])
            assert fields["year"] in fact.source and set(pages) <= set(re.findall(r"\d+", fact.source))
            assert fields["author"].split()[-1] in fact.source


def test_citing_an_unknown_work_is_an_error() -> None:
    with pytest.raises(KeyError):
        cite(["barbour1985"])
    assert cite([]) == ""


def test_entries_are_ascii_with_balanced_braces() -> None:
    """LaTeX's filecontents writes them as they are."""
    for key, work in ENTRIES.items():
        assert {"author", "title", "year"} <= set(work.fields)
        for value in work.fields.values():
            assert value.isascii() and value.count("{") == value.count("}"), key
    for key in ("wu2025", "press2022", "chowdhury2026"):
        assert ENTRIES[key].fields["note"] == f"arXiv:{ENTRIES[key].fields['eprint']}"


def test_the_document_carries_the_bibliography_that_lies_beside_it() -> None:
    carried = re.search(
        r"\\begin\{filecontents\*\}\[overwrite\]\{(.*)\}\n([\s\S]*?)\\end\{filecontents", document([], [])
    )
    assert carried is not None and carried.groups() == (BIBLIOGRAPHY, bibtex())


@pytest.mark.skipif(shutil.which("bibtex") is None, reason="there is no bibtex here")
def test_bibtex_reads_every_entry_without_a_warning(tmp_path: Path) -> None:
    (tmp_path / "all.bib").write_text(bibtex(), encoding="ascii")
    (tmp_path / "all.aux").write_text("\\citation{*}\n\\bibstyle{amsplain}\n\\bibdata{all}\n", encoding="ascii")
    run = subprocess.run(["bibtex", "all"], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0 and "Warning" not in run.stdout, run.stdout
    made = (tmp_path / "all.bbl").read_text(encoding="ascii")
    assert set(re.findall(r"\\bibitem\{(.*)\}", made)) == set(ENTRIES)
    assert all(number in made for number in ("arXiv:2502.01951", "10.2140/pjm.1960.10.1181", "T52--T54"))
