"""Classical facts that a derivation may take from the literature; whatever rests on one lists it under ``assumes``."""

from __future__ import annotations

from dataclasses import dataclass

from proofs.term import Formula

__all__ = ["OUTSIDE", "ClassicalFact"]


@dataclass(frozen=True)
class ClassicalFact:
    """A closed formula, and where its proof is to be found."""

    formula: Formula
    source: str


OUTSIDE: dict[str, ClassicalFact] = {}
