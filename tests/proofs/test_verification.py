"""The ledger checked by several processes: the same reports, errors and early ends handed on."""

from __future__ import annotations

import gc
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import pytest

from proofs.evidence import Checked
from proofs.statement import Report
from proofs.verification import _result, _work, verify_all

NAMES = ["S2", "I1", "L1"]


def _untimed(reports: tuple[Report, ...]) -> list[Report]:
    return [replace(r, evidence=tuple(replace(e, seconds=0.0) for e in r.evidence)) for r in reports]


def test_reports_do_not_depend_on_the_number_of_processes() -> None:
    told: list[str] = []
    alone, together = (
        verify_all(NAMES, quick=True, processes=count, progress=lambda report: told.append(report.id))
        for count in (1, 2)
    )
    assert _untimed(alone) == _untimed(together)
    assert [report.id for report in together] == NAMES
    assert sorted(told) == sorted(NAMES * 2)


def test_a_derivation_that_is_known_is_not_checked_again() -> None:
    known: dict[str, Checked] = {}
    first = verify_all(["S2"], quick=True, known=known)
    assert known == {"S2": Checked(None, known["S2"].seconds)}
    assert _untimed(verify_all(["S2"], quick=True, known=known)) == _untimed(first)
    (refused,) = verify_all(["S2"], quick=True, known={"S2": Checked("the sides differ", 0.0)})
    assert (refused.verdict, refused.evidence[0].verdict) == ("held", "undecided")
    assert refused.evidence[0].detail == "the checker refused: the sides differ"


class Ended:
    """A worker that is no longer there."""

    def is_alive(self) -> bool:
        return False


def test_an_error_in_a_worker_is_raised_here() -> None:
    def fails(task: tuple[str, str]) -> Report:
        raise LookupError(task[1])

    tasks, results = get_context("spawn").SimpleQueue(), get_context("spawn").SimpleQueue()
    tasks.put(("derivation", "S1"))
    before = gc.get_threshold()
    _work(fails, tasks, results)
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)
    with pytest.raises(LookupError, match="S1"):
        _result(results, [])


def test_a_worker_that_ends_without_a_result_is_noticed() -> None:
    results: Any = get_context("spawn").SimpleQueue()
    with pytest.raises(RuntimeError, match="ended without a result"):
        _result(results, [Ended()])  # type: ignore[list-item]
