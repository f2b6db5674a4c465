"""Exhaustive evidence: for small n a claim holds on its whole parameter space, and for every T, if it does at vertices.

    affine in each layer and each coefficient   =>   true everywhere if and only if true at the vertices
    products of vertices are composites of maps =>   finitely many, closed under one more layer: every T at once

The claim object itself is evaluated, in integers, at all vertices (vertex_plans.py).  coverage.py checks what makes
that a proof: hypotheses whose polytopes have these vertices, degree 1 in each block, layers read only through
products.  Where a check fails the evidence is undecided; where a vertex refutes the claim, evaluate.py confirms it in
rationals and the vertex is the witness.

Exact here: everything.  Not covered: kernels shared by the layers, parameters that are not layers or coefficients.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from proofs.case import Case, OutsideTable
from proofs.coverage import not_covered
from proofs.evaluate import evaluate_claim
from proofs.grid import Grid, case_of, outward, violation
from proofs.statement import Claim, Evidence, Statement
from proofs.text import text_case, text_failure
from proofs.twins import twin_claim
from proofs.vertex_plans import PLANS, Plan

__all__ = ["QUICK_POSITIONS", "exhaustive"]

QUICK_POSITIONS = 4
TWIN_POSITIONS = 3


def exhaustive(statement: Statement, *, quick: bool = False, claim: Claim | None = None) -> tuple[Evidence, str] | None:
    """The evidence and its scope, from every n up to the plan's limit (4 if ``quick``); None where there is no plan.

    ``claim`` instead of the statement's own is for controls: a claim that is false somewhere must not pass.  The scope
    names the parts where they are not all, and is empty unless the verdict is proved_for.
    """
    plan = PLANS.get(statement.id)
    if plan is None:
        return None
    start = perf_counter()
    claim = claim or statement.claim
    run = _Run(claim)
    try:
        verdict, detail = run.through(plan, _positions(plan, quick))
        if verdict == "proved_for" and (accepted := _accepted_twins(statement, claim, run.small)):
            verdict, detail = "undecided", f"the vertices accept {accepted}"
    except (OutsideTable, ValueError, KeyError, StopIteration) as why:
        verdict, detail = "undecided", f"the vertices do not fit the claim: {why}"
    scope = _scope(plan, claim, run.parts, quick) if verdict == "proved_for" else ""
    return Evidence("exhaustive", verdict, run.tried, perf_counter() - start, detail or scope), scope


@dataclass
class _Run:
    """The parts that were decided, and at how many vertices."""

    claim: Claim
    tried: int = 0
    parts: dict[str, None] = field(default_factory=dict)
    small: list[Grid] = field(default_factory=list)

    def through(self, plan: Plan, max_n: int) -> tuple[str, str]:
        """Refuted at the first vertex that refutes; else what first stood in the way, or proved_for."""
        obstacle = ""
        for n in range(1, max_n + 1):
            for grid in (grid.sorted() for grid in plan.grids(self.claim, n)):
                self.parts[grid.part] = None
                self.small += [grid] if n <= TWIN_POSITIONS else []
                verdict, detail, count = _decided(self.claim, grid, look=not obstacle)
                self.tried += count
                if verdict == "refuted":
                    return verdict, f"{grid.part}, n = {n}: {detail}"
                if verdict == "undecided" and not obstacle:
                    obstacle = f"{grid.part}, n = {n}: {detail}"
        return ("undecided", obstacle) if obstacle else ("proved_for", "")


def _scope(plan: Plan, claim: Claim, parts: Iterable[str], quick: bool) -> str:
    """``n <= 6, every T``, what the parameters are restricted to, and the parts if some are left out."""
    covered = [part.name for part in claim.parts if part.name in set(parts)]
    named = "" if len(covered) == len(claim.parts) else f"; {', '.join(covered)}"
    note = f", {plan.note}" if plan.note else ""
    return f"n <= {_positions(plan, quick)}, every T{note}{named}"


def _positions(plan: Plan, quick: bool) -> int:
    return min(plan.max_n, QUICK_POSITIONS) if quick else plan.max_n


def _decided(claim: Claim, grid: Grid, *, look: bool = True) -> tuple[str, str, int]:
    """proved_for, refuted or undecided, with the witness or the obstacle, and the number of vertices tried.

    A counterexample counts even where the vertices would not have been enough to prove the part; ``look``: whether to
    ask if they are.
    """
    found, tried = violation(claim, grid)
    if found is not None:
        return (*_confirmed(claim, grid, case_of(grid, found.at)), tried)
    if not look:
        return "undecided", "", tried
    why = not_covered(claim, grid)
    if why is None and not outward(claim, grid):
        why = "some direction of an unbounded parameter leads out of the claim"
    return ("undecided", why, tried) if why else ("proved_for", "", tried)


def _confirmed(claim: Claim, grid: Grid, case: Case) -> tuple[str, str]:
    """The witness, decided again in rationals by the evaluator that knows nothing of vertices."""
    failure = evaluate_claim(claim.only(grid.part), case).failure
    if failure is None:
        return "undecided", f"the vertices and the exact evaluation disagree at {text_case(case)}"
    return "refuted", f"{text_failure(failure)} at {text_case(case)}"


def _accepted_twins(statement: Statement, claim: Claim, grids: Sequence[Grid]) -> str:
    """The false twins of covered parts that no vertex with n <= 3 refuses: none, or this evidence is worth nothing."""
    parts = {grid.part for grid in grids}
    twins = {twin.name: (twin.path[0], twin_claim(claim, twin)) for twin in statement.twins if twin.path[0] in parts}
    return ", ".join(
        name
        for name, (part, twin) in twins.items()
        if all(violation(twin, grid)[0] is None for grid in grids if grid.part == part)
    )
