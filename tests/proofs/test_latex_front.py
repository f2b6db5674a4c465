"""The first page: counts of what was verified, the effort, the versions."""

from __future__ import annotations

import platform
import re

import flint
import numpy

from proofs.latex import document
from proofs.latex_front import Gathered, verified
from proofs.ledger import LEDGER
from proofs.statement import Evidence, Report
from proofs.versions import installed, versions

GOOD = Report("S2", "", (Evidence("derivation", "proved", 7, 0.1, ""), Evidence("random", "held", 13, 0.1, "")))
BAD = Report("D1", "", (Evidence("derivation", "proved", 5, 0.1, ""), Evidence("random", "refuted", 1, 0.1, "")))
GATHERED = Gathered(quick=True, seed=11, versions=(("Python", "3.11"), ("what_ever", "(not installed)")))


def test_verdicts_and_sizes_are_counted() -> None:
    shown = "\n".join(verified([GOOD, BAD], None))
    assert "2 statements: 1 proved, 1 refuted. Failed: D1." in shown
    assert "derivation & 2 & 2 & 12 & steps" in shown and "random & 2 & 1 & 14 & cases" in shown
    assert "control" not in shown and "seed" not in shown
    assert "1 statement: 1 proved. None failed." in "\n".join(verified([GOOD], None))


def test_effort_seed_and_versions_are_said() -> None:
    shown = "\n".join(verified([GOOD], GATHERED))
    assert "quickly" in shown and "from seed 11" in shown and r"what\_ever & (not installed) \\" in shown
    assert "in full" in "\n".join(verified([GOOD], Gathered(False, 0, ())))
    assert shown in document([LEDGER["S2"]], [GOOD], GATHERED).replace("\n\n", "\n")


def test_without_reports_nothing_was_verified() -> None:
    assert verified([], GATHERED) == [] and "What was verified" not in document([], [], GATHERED)


def test_versions_are_those_that_are_installed() -> None:
    found = dict(versions())
    assert found["NumPy"] == numpy.__version__ and found["python-flint"] == flint.__version__
    assert found["Python"].startswith(platform.python_version())
    assert {"posbias", "SymPy", "Hypothesis"} <= set(found)
    assert installed("no such package") == "(not installed)"
    assert versions() == versions() and not re.search(r"\d\d:\d\d", str(versions()))
