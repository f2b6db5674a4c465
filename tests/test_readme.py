"""README and docs are true: every posbias example is run and its output compared, every Python example is a doctest.

In a console block ``$ cat FILE`` gives the content of a file that the next commands read, and ``...`` stands for any
text within a line (times), alone on a line for further lines.
"""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from proofs.cli import main
from proofs.ledger import LEDGER
from tests.models import MISSING, WHY

REPOSITORY = Path(__file__).resolve().parent.parent
PAGES = {
    path.relative_to(REPOSITORY).as_posix(): path.read_text(encoding="utf-8")
    for path in (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md")))
}
README, STATEMENTS = PAGES["README.md"], PAGES["docs/checking-statements.md"]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGES[page], re.M | re.S)


CONSOLE = [(page, block) for page in PAGES for block in blocks(page, "console")]


def examples(block: str) -> list[tuple[str, str]]:
    """(command, what the block shows below it)."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def needs_models(block: str) -> bool:
    """Whether the block loads a model."""
    return any(re.match(r"posbias (audit|measure|predict)\b", command) for command, _ in examples(block))


@pytest.mark.parametrize("block", [pytest.param(b, id=f"{page}: {examples(b)[-1][0]}") for page, b in CONSOLE])
def test_console_block(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if needs_models(block) and MISSING:
        pytest.skip(WHY)
    for command, shown in examples(block):
        program, *words = shlex.split(command)
        if program == "cat":
            (tmp_path / words[0]).parent.mkdir(exist_ok=True)
            (tmp_path / words[0]).write_text(shown, encoding="utf-8")
            continue
        assert program == "posbias"
        main(words)
        written = capsys.readouterr()
        pattern = re.escape(shown).replace(re.escape("\n...\n"), r"\n(?:.*\n)*").replace(re.escape("..."), ".*?")
        assert re.fullmatch(pattern, written.out + written.err), f"{command}\n{written.out}{written.err}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_python_blocks(page: str) -> None:
    text = "\n".join(blocks(page, "python"))
    names: dict[str, Any] = {}
    test = doctest.DocTestParser().get_doctest(text, names, page, page, 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted > 0
    assert result.failed == 0


def test_every_command_has_an_example() -> None:
    from proofs.cli import COMMANDS

    shown = [shlex.split(command)[:2] for _, block in CONSOLE for command, _ in examples(block)]
    assert {words[1] for words in shown if words[0] == "posbias"} == set(COMMANDS)


def test_the_two_commands() -> None:
    (block,) = blocks("README.md", "sh")
    assert [line.split("#")[0].rstrip() for line in block.splitlines()] == [
        "python -m pip install . && posbias verify",
        "python -m pip install '.[test]' && python -m pytest",
    ]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", PAGES[page]) if not link.startswith("https://")]
    assert [link for link in links if not _leads_somewhere(page, link)] == []


def _leads_somewhere(page: str, link: str) -> bool:
    """Whether a link of a page names a file that is there and, after #, one of its headings."""
    name, _, heading = link.partition("#")
    path = (REPOSITORY / page).parent / name if name else REPOSITORY / page
    if not path.is_file() or not heading:
        return path.is_file()
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.M)
    return heading in {"-".join(re.findall(r"\w+", line.lower())) for line in headings}


def test_the_readme_shows_a_picture() -> None:
    assert re.search(r"\]\(docs/images/", README)


def test_the_table_of_statements_is_in_the_ledger() -> None:
    listed = re.findall(r"^\| ([A-Z]\d+b?) \|", STATEMENTS, re.M)
    assert listed == list(LEDGER)


def test_the_table_of_evidence_has_every_kind() -> None:
    from proofs.commands.verify import KINDS

    table = STATEMENTS[STATEMENTS.index("| evidence | meaning |") : STATEMENTS.index("| verdict | meaning |")]
    assert tuple(re.findall(r"^\| (\w+) \|", table, re.M)[1:]) == KINDS


def test_the_mask_statement_says_what_it_needs() -> None:
    """D1 is false above layers whose product is not monotone: the row names that hypothesis."""
    (row,) = re.findall(r"^\| D1 \|.*$", STATEMENTS, re.M)
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

    lam = model.lam()
    expected = [
        [distance(1, 0 * content, heads) for heads in slopes],
        [distance(lam, 0 * content, heads) for heads in slopes],
        [distance(lam, content, heads) for heads in slopes],
        [distance(lam, content / 128**0.5, heads) for heads in slopes],
    ]
    page = PAGES["docs/reproducing.md"]
    assert [list(row) for row in re.findall(r"\| (0\.\d{4}) \| (0\.\d{4}) \|$", page, re.M)] == expected
