"""Enclosure of statements on rates and on continuous depth: a part of the claim evaluated with intervals as values.

The plans of ball_plans.py give functions over balls that cover the sides of a box.  The evaluator that decides cases
then decides the part for all points of the box at once, or says that balls overlap; such a box is halved along its
widest side, up to a cap.  A part that fails on a box is false at each of its points.  Turned, every part must be found
false on some box.

Balls here: the functions, 53 bits, and all values of the claim, 192 bits.  Exact here: the ends of the sides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from time import perf_counter

from flint import arb, fmpq

from proofs.ball_plans import BALL_PLANS, Region, Side
from proofs.case import OutsideTable
from proofs.compiled import Environment
from proofs.evaluate import evaluate_in
from proofs.statement import Claim, Evidence, Statement
from proofs.term import And, Formula
from proofs.twins import turn, twin_claim

__all__ = ["ball_enclosure"]

CAP = 4096  # boxes for one region


def ball_enclosure(
    statement: Statement, *, quick: bool = False, claim: Claim | None = None, cap: int = CAP
) -> tuple[Evidence, str] | None:
    """The evidence and its scope; None where there is no plan.  The size is the number of boxes looked at."""
    plan = BALL_PLANS.get(statement.id)
    if plan is None:
        return None
    start, looked, claim = perf_counter(), 0, claim or statement.claim
    verdict, scope = "proved_for", plan.quick_scope if quick else plan.scope
    detail = scope
    for region in plan.quick if quick else plan.regions:
        found, boxes, why = _decided(_asserted(claim, region.part), region, cap)
        looked += boxes
        if found == "proved_for" and _decided(_turned(claim, region.part), region, cap)[0] != "refuted":
            found, why = "undecided", "the boxes accept it turned"
        if found != "proved_for" and verdict != "refuted":
            verdict, detail, scope = found, f"{region.part}, {dict(region.ints)}: {why}", ""
    return Evidence("enclosure", verdict, looked, perf_counter() - start, detail), scope


def _asserted(claim: Claim, path: str) -> Formula:
    name, *inner = path.split("/")
    formula = claim.part(name).asserts
    for step in inner:
        assert isinstance(formula, And)
        formula = dict(formula.parts)[step]
    return formula


def _turned(claim: Claim, path: str) -> Formula:
    return _asserted(twin_claim(claim, turn(path)), path)


def _decided(formula: Formula, region: Region, cap: int) -> tuple[str, int, str]:
    """proved_for, refuted or undecided, with the number of boxes and the obstacle; broad first."""
    waiting, looked = deque([region.sides]), 0
    while waiting:
        if looked == cap:
            return "undecided", looked, f"not decided on {_shown(waiting[0])} (boxes tried: {looked})"
        box = waiting.popleft()
        looked += 1
        try:
            failure = evaluate_in(formula, Environment(dict(region.ints), region.tables([_ball(side) for side in box])))
        except OutsideTable:
            waiting.extend(_halves(box))
            continue
        if failure is not None:
            return "refuted", looked, f"false at every point of {_shown(box)}"
    return "proved_for", looked, ""


def _ball(side: Side) -> arb:
    low, high = (arb(fmpq(x.numerator, x.denominator)) for x in side)
    return low.union(high)


def _halves(box: tuple[Side, ...]) -> Iterator[tuple[Side, ...]]:
    at = max(range(len(box)), key=lambda k: box[k][1] - box[k][0])
    low, high = box[at]
    middle = (low + high) / 2
    return ((*box[:at], half, *box[at + 1 :]) for half in ((low, middle), (middle, high)))


def _shown(box: tuple[Side, ...]) -> str:
    return " x ".join(f"[{low}, {high}]" for low, high in box)
