"""Runs the evidence for statements of the ledger and reports verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches

from numeric.refuse import InputError
from proofs.evidence import derivation, needed, random_and_control
from proofs.exhaustive import exhaustive
from proofs.ledger import LEDGER, earlier_claims
from proofs.statement import Report

__all__ = ["CASES", "QUICK_CASES", "verify", "verify_all"]

CASES, QUICK_CASES = 300, 50


def verify(statement_id: str, *, quick: bool = False, seed: int = 0) -> Report:
    """The report on one statement.

    quick: 50 random cases instead of 300, vertices for n <= 4 only.  seed: an integer; the same seed draws the same cases.
    Raises `InputError` for a statement that is not in the ledger.
    """
    statement = LEDGER[_known(statement_id)]
    earlier = earlier_claims(statement.id)
    random, control = random_and_control(statement, earlier, count=QUICK_CASES if quick else CASES, seed_value=seed)
    vertices, scope = exhaustive(statement, quick=quick) or (None, "")
    evidence = (derivation(statement, earlier), vertices, random, needed(statement, earlier), control)
    found = tuple(e for e in evidence if e is not None)
    return Report(statement.id, statement.title, found, scope=f"exhaustive: {scope}" if scope else "")


def verify_all(
    ids: Sequence[str] | None = None,
    *,
    quick: bool = False,
    seed: int = 0,
    progress: Callable[[Report], None] | None = None,
) -> tuple[Report, ...]:
    """The reports on the named statements, or on all, in reading order; ``progress`` is told each as it is done."""
    wanted = {_known(name) for name in ids} if ids else set(LEDGER)
    reports = []
    for name in LEDGER:
        if name in wanted:
            report = verify(name, quick=quick, seed=seed)
            reports.append(report)
            if progress is not None:
                progress(report)
    return tuple(reports)


def _known(statement_id: str) -> str:
    if statement_id in LEDGER:
        return statement_id
    near = get_close_matches(statement_id.upper(), LEDGER, n=3, cutoff=0.4) or list(LEDGER)
    raise InputError(f"Argument 'ID' must be a statement ({', '.join(near)}), not {statement_id!r}.")
