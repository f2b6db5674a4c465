"""README is true: every posbias example is run and its output compared, every Python example is a doctest.

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
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.M | re.S)


def examples(block: str) -> list[tuple[str, str]]:
    """(command, what the block shows below it)."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
    return list(zip(parts[1::2], parts[2::2], strict=True))


def needs_models(block: str) -> bool:
    """Whether the block loads a model."""
    return any(re.match(r"posbias (audit|measure|predict)\b", command) for command, _ in examples(block))


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: examples(block)[-1][0])
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


def test_python_blocks() -> None:
    text = "\n".join(blocks("python"))
    names: dict[str, Any] = {}
    test = doctest.DocTestParser().get_doctest(text, names, "README.md", "README.md", 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted > 5
    assert result.failed == 0


def test_every_command_has_an_example() -> None:
    from proofs.cli import COMMANDS

    shown = [shlex.split(command)[:2] for block in blocks("console") for command, _ in examples(block)]
    assert {words[1] for words in shown if words[0] == "posbias"} == set(COMMANDS)


def test_the_two_commands() -> None:
    (block,) = blocks("sh")
    assert [line.split("#")[0].rstrip() for line in block.splitlines()] == [
        "python -m pip install . && posbias verify",
        "python -m pip install '.[test]' && python -m pytest",
    ]


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^):]+)\)", README)
    assert any(link.startswith("docs/images/") for link in links)
    files = [link for link in links if not link.startswith("#")]
    assert [link for link in files if not (REPOSITORY / link).is_file()] == []
    headings = {"-".join(re.findall(r"\w+", line.lower())) for line in re.findall(r"^#+ (.*)$", README, re.M)}
    assert [link for link in links if link.startswith("#") and link[1:] not in headings] == []


def test_the_table_of_statements_is_in_the_ledger() -> None:
    listed = re.findall(r"^\| ([A-Z]\d+) \|", README, re.M)
    assert {"S1", "S2", "S3", "S4", "S5", "D1", "I1"} <= set(listed)
    assert listed == [name for name in LEDGER if name in listed]


def test_the_table_of_evidence_has_every_kind() -> None:
    from proofs.commands.verify import KINDS

    table = README[README.index("| evidence | meaning |") : README.index("| verdict | meaning |")]
    assert tuple(re.findall(r"^\| (\w+) \|", table, re.M)[1:]) == KINDS


def test_the_mask_statement_says_what_it_needs() -> None:
    """D1 is false above layers whose product is not monotone: the row names that hypothesis."""
    (row,) = re.findall(r"^\| D1 \|.*$", README, re.M)
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
    assert [list(row) for row in re.findall(r"\| (0\.\d{4}) \| (0\.\d{4}) \|$", README, re.M)] == expected
