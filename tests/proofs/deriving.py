"""Small derivations for tests of the checker: relations, and why a derivation is refused."""

from __future__ import annotations

from collections.abc import Mapping

from proofs.checker import Refused, check
from proofs.steps import Step
from proofs.term import Formula, Relation, Term, as_term

__all__ = ["FALSE", "ONE", "ZERO", "equal", "most", "verdict"]

ZERO, ONE = as_term(0), as_term(1)
FALSE = Relation("=", ZERO, ONE)


def equal(left: Term, right: Term) -> Relation:
    """left = right."""
    return Relation("=", left, right)


def most(left: Term, right: Term) -> Relation:
    """left <= right."""
    return Relation("<=", left, right)


def verdict(goal: Formula, fix: tuple[str, ...], *steps: Step, earlier: Mapping[str, Formula] | None = None) -> str:
    """Why the derivation is refused; nothing if it is accepted."""
    try:
        check(steps, goal, fix, earlier or {})
    except Refused as why:
        return str(why)
    return ""
