"""README is true: its examples run as shown (tests/markdown.py), and what it lists is what there is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from proofs.ledger import LEDGER
from tests.markdown import REPOSITORY, blocks, check_page, examples, pages

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def page_with(text: str) -> str:
    """The one page that has the text: what README hands over to a page of docs is tested there."""
    (found,) = (page for page in (p.read_text(encoding="utf-8") for p in pages()) if text in page)
    return found


def test_every_block(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_page(REPOSITORY / "README.md", tmp_path, capsys)


def test_every_command_has_an_example() -> None:
    """One that is run: here or on a page of docs."""
    from proofs.cli import COMMANDS

    console = [block for page in pages() for block in blocks(page) if block.language == "console"]
    shown = [shlex.split(command)[:2] for block in console for command, _ in examples(block.text)]
    assert {words[1] for words in shown if words[0] == "posbias"} - {"help"} == set(COMMANDS)  # help is of another kind


def test_the_two_commands() -> None:
    block = next(block for block in blocks(REPOSITORY / "README.md") if block.language == "sh")
    assert [line.split("#")[0].rstrip() for line in block.text.splitlines()] == [
        "python -m pip install . && posbias verify",
        "python -m pip install '.[test]' && python -m pytest",
    ]


def test_the_table_of_statements_is_the_ledger() -> None:
    listed = re.findall(r"^\| ([A-Z]\d+b?) \|", page_with("\n| S1 | closure |"), re.M)
    assert listed == list(LEDGER)


def test_the_table_of_evidence_has_every_kind() -> None:
    from proofs.commands.verify import KINDS

    page = page_with("| evidence | meaning |")
    table = page[page.index("| evidence | meaning |") : page.index("| verdict | meaning |")]
    assert tuple(re.findall(r"^\| (\w+) \|", table, re.M)[1:]) == KINDS


def test_the_mask_statement_says_what_it_needs() -> None:
    """D1 is false above layers whose product is not monotone: the row names that hypothesis."""
    (row,) = re.findall(r"^\| D1 \|.*$", page_with("\n| S1 | closure |"), re.M)
    assert "monotone below" in dict(LEDGER["D1"].claim.hypotheses)
    assert "if the product below it is monotone" in row


def test_the_changelog_names_every_command_and_group_of_statements() -> None:
    from proofs.cli import COMMANDS

    text = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"`posbias {name}" not in text] == []
    groups: dict[str, list[str]] = {}
    for name in LEDGER:
        groups.setdefault(name[0], []).append(name)
    ends = [sorted(g) for g in groups.values()]
    assert [g for g in ends if (f"{g[0]}–{g[-1]}" if len(g) > 1 else g[0]) not in text] == []


def test_the_table_of_distances(data_dir: Path) -> None:
    from numeric.experiment import load_experiment
    from numeric.kernel import Alibi
    from numeric.order import wasserstein
    from numeric.profile import profile
    from numeric.published import find, measured_influence

    model, influence = find("bloom-176b"), measured_influence("bloom-176b")
    content = load_experiment(data_dir / "authors-configs/alibi/all_content/fineweb-edu/bloom.yaml").content
    slopes = (model.slopes("paper"), model.slopes("model"))

    def distance(lam: Any, rows: Any, heads: Any) -> str:
        kernels = [Alibi(heads, row) for row in rows]
        return f"{wasserstein(profile(kernels, lam, n=256), influence) / 255:.4f}"

    lam, table = model.lam(), page_with("| attention only (λ = 1) |")
    expected = [
        [distance(1, 0 * content, heads) for heads in slopes],
        [distance(lam, 0 * content, heads) for heads in slopes],
        [distance(lam, content, heads) for heads in slopes],
        [distance(lam, content / 128**0.5, heads) for heads in slopes],
    ]
    assert [list(row) for row in re.findall(r"\| (0\.\d{4}) \| (0\.\d{4}) \|$", table, re.M)] == expected
