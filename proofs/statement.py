"""Statements, the evidence for them, and verdicts: frozen value objects.

A statement has one claim object.  Its derivation must end in exactly that object; random, needed and control evidence
evaluate that object; text and LaTeX print it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from proofs.case import Case
from proofs.steps import Both, Generalise, Step
from proofs.term import And, ForAll, ForAllFn, Formula, Implies, Range, Symbol

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from proofs.endless_case import EndlessCase
    from proofs.twins import Twin

__all__ = ["Claim", "Evidence", "Needed", "Part", "Report", "Statement"]


@dataclass(frozen=True)
class Part:
    """One assertion of a claim, under the hypotheses whose labels are ``given``."""

    name: str
    given: tuple[str, ...]
    asserts: Formula


@dataclass(frozen=True)
class Claim:
    """For all functions and indices: every part, each under its own hypotheses."""

    symbols: tuple[Symbol, ...]
    indices: tuple[Range, ...]
    hypotheses: tuple[tuple[str, Formula], ...]
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        used = {label for part in self.parts for label in part.given}
        if used != set(dict(self.hypotheses)):
            raise ValueError(f"Argument 'hypotheses' must be what the parts use, {sorted(used)}.")

    @property
    def fix(self) -> tuple[str, ...]:
        """The names that a derivation of the closed claim fixes, in order."""
        return (*(s.name for s in self.symbols), *(r.var for r in self.indices))

    @property
    def conclusion(self) -> And:
        """All parts, each as an implication from its hypotheses."""
        return And(tuple((part.name, self._implication(part)) for part in self.parts))

    def part(self, name: str) -> Part:
        """The part of that name."""
        return next(part for part in self.parts if part.name == name)

    def closed(self) -> Formula:
        """The claim as one formula without free names."""
        return self.close(self.conclusion)

    def close(self, body: Formula) -> Formula:
        """For all functions and indices of the claim, ``body``."""
        body = reduce(lambda inner, rng: ForAll(rng, inner), reversed(self.indices), body)
        return reduce(lambda inner, symbol: ForAllFn(symbol, inner), reversed(self.symbols), body)

    def without(self, label: str) -> Claim:
        """The claim with one hypothesis dropped wherever it is used."""
        if label not in dict(self.hypotheses):
            raise KeyError(f"Argument 'label' must be a hypothesis of the claim, not {label!r}.")
        kept = tuple(h for h in self.hypotheses if h[0] != label)
        parts = tuple(replace(p, given=tuple(g for g in p.given if g != label)) for p in self.parts)
        return replace(self, hypotheses=kept, parts=parts)

    def only(self, name: str) -> Claim:
        """The claim that one part makes alone."""
        part = self.part(name)
        return replace(self, hypotheses=tuple(h for h in self.hypotheses if h[0] in part.given), parts=(part,))

    def proof(self, name: str, *steps: Step, fix: tuple[str, ...] = ()) -> Step:
        """The step that states a part: assume its hypotheses, fix the further names, then the steps."""
        part = self.part(name)
        return Step(name, self._implication(part), Generalise((*part.given, *fix), steps))

    def finish(self, label: str) -> Step:
        """The step that states the whole conclusion from its parts."""
        return Step(label, self.conclusion, Both(tuple(part.name for part in self.parts)))

    def _implication(self, part: Part) -> Formula:
        known = dict(self.hypotheses)
        return reduce(lambda inner, label: Implies(known[label], inner), reversed(part.given), part.asserts)


@dataclass(frozen=True)
class Needed:
    """A hypothesis and a rational case at which the claim without it fails: every other hypothesis of a part holds,
    the part does not.
    """

    hypothesis: str
    case: Case | EndlessCase
    source: str


@dataclass(frozen=True)
class Statement:
    """A claim with its name, its derivation and the means to test it."""

    id: str
    title: str
    source: str
    remark: str
    claim: Claim
    derivation: tuple[Step, ...]
    cases: Callable[[], SearchStrategy[Case]]
    needed: tuple[Needed, ...]
    twins: tuple[Twin, ...]
    endless: Callable[[bool], tuple[EndlessCase, ...]] | None = None  # for claims on limits: proper ones, or the family
    deep: Callable[[int], tuple[Case, ...]] | None = None  # from a seed, cases of many layers
    cites: tuple[str, ...] = ()  # keys of bibliography.py: earlier work that the claim extends or makes exact


@dataclass(frozen=True)
class Evidence:
    """One kind of evidence for a statement.

    kind: derivation, exhaustive, enclosure, random, needed or control.  verdict: proved, proved_for, held, refuted,
    undecided, or failed (needed and control only).  size: steps, vertices, boxes, cases, counterexamples, twins
    refused.
    """

    kind: str
    verdict: str
    size: int
    seconds: float
    detail: str


@dataclass(frozen=True)
class Report:
    """A statement with its evidence; the verdict is the strongest there is, and refuted whenever any evidence is."""

    id: str
    title: str
    evidence: tuple[Evidence, ...]
    scope: str = ""
    assumes: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """proved, proved_for, held, refuted or undecided."""
        found = {e.verdict for e in self.evidence if e.kind not in ("needed", "control")}
        order = ("refuted", "proved", "proved_for", "held")
        return next((v for v in order if v in found), "undecided")

    @property
    def failed(self) -> bool:
        """Whether the statement counts as failed: refuted or undecided, or its controls did not do their job."""
        side = any(e.verdict != "held" for e in self.evidence if e.kind in ("needed", "control"))
        return side or self.verdict in ("refuted", "undecided")
