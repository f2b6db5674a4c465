"""docs/write-a-statement.md: false claims in the place of its own are refused; each rule has its two examples."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from numeric.refuse import InputError
from proofs import LEDGER, verify
from proofs.latex import snippet
from proofs.statement import Statement
from proofs.steps import Reason

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs" / "write-a-statement.md").read_text(encoding="utf-8")
FILE, *_ = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)


@contextmanager
def saved(text: str, folder: Path) -> Iterator[Any]:
    """The module that a reader has who saves this as valley.py."""
    (folder / "valley.py").write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module("valley")
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("valley", None)


def test_every_rule_is_there_accepted_and_refused() -> None:
    rules = PAGE[PAGE.index("## The rules") : PAGE.index("## How controls")]
    for reason in Reason.__args__:
        # told in words, and used in an example; real_cases makes an Either
        assert f"**{reason.__name__}**" in rules
        assert re.search(rf"^>>> .*\b{'real_cases' if reason.__name__ == 'Either' else reason.__name__}\(", rules, re.M)
    said = [line for line in rules.splitlines() if line.startswith(("'", '"'))]
    assert said.count("'accepted'") >= len(Reason.__args__) <= len(said) - said.count("'accepted'")


@pytest.mark.parametrize(
    ("true", "false", "verdict"),
    [
        pytest.param('total("j", 1, n, m()), as_term(1)', 'as_term(1), total("j", 1, n, m())', "refuted", id="turned"),
        pytest.param('total("j", 1, n, m())', 'total("j", 0, n, m())', "refuted", id="a term more"),
        pytest.param("m()), as_term(1)", "m()), as_term(Fraction(1, 2))", "refuted", id="half of it"),
        # m is drawn as the lowest share, so that no case has it above the last one: not refuted, and not proved
        pytest.param('every("j", 1, n, Relation', 'every("j", 1, n - 1, Relation', "held", id="a weaker hypothesis"),
        pytest.param('causal(layer(R, "t"))', 'monotone(layer(R, "t"))', "held", id="another hypothesis"),
    ],
)
def test_a_false_claim_in_its_place_is_refused(true: str, false: str, verdict: str, tmp_path: Path) -> None:
    """By the derivation, and by the cases where they reach it, though nothing else in the file was changed."""
    assert FILE.count(true) == 1
    text = FILE.replace(true, false).replace("layers, n, rollout", "layers, monotone, n, rollout")
    with saved(text, tmp_path) as module:
        report = verify(module.statement, quick=True)
    assert next(found.verdict for found in report.evidence if found.kind == "derivation") == "undecided"
    assert report.verdict == verdict


def test_a_true_twin_is_no_control(tmp_path: Path) -> None:
    with saved(FILE.replace('scale("valley", half)', 'scale("valley", 2)'), tmp_path) as module:
        report = verify(module.statement, quick=True)
    assert (report.verdict, report.failed) == ("proved", True)
    assert report.evidence[-1].detail == "no case refuses scale by 2 at valley"


def test_a_statement_of_ones_own_needs_an_id_of_its_own() -> None:
    """Vertices and boxes go by the id, so that of the ledger would lend its evidence."""
    with pytest.raises(
        InputError, match=r"^Argument 'statement\.id' must be new, and not one of the ledger, not 'D1'\.$"
    ):
        verify(LEDGER["D1"], quick=True)


def test_a_statement_of_ones_own_is_printed_with_what_it_cites(tmp_path: Path) -> None:
    with saved(FILE, tmp_path) as module:
        statement: Statement = module.statement
        shown = snippet(statement, verify(statement, quick=True))
    assert r"It is \emph{rollouts} of Theorem~S1 with $\lambda :=(x\mapsto 0)$" in shown


def test_it_enters_the_ledger_as_the_page_says(tmp_path: Path) -> None:
    for package in ("numeric", "proofs"):
        shutil.copytree(REPOSITORY / package, tmp_path / package)
    (tmp_path / "proofs" / "results" / "valley.py").write_text(FILE, encoding="utf-8")
    ledger = tmp_path / "proofs" / "ledger.py"
    order = ledger.read_text(encoding="utf-8")
    ledger.write_text(
        order.replace('    "mixing_coefficient",\n', '    "mixing_coefficient",\n    "valley",\n'), encoding="utf-8"
    )
    command: list[str] = [sys.executable, "-m", "proofs.cli", "verify", "V1", "--quick"]
    run = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "1 statement: 1 proved; 0 failed" in run.stdout
