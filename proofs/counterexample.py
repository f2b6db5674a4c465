"""The search for counterexamples: drop a hypothesis, and find by itself a case at which the claim then fails.

    every other hypothesis of some part holds, the dropped one does not, and neither does the part

Cases grow: first by n, then by the number of layers, then by the denominators of what they are made of; in two rounds,
n <= 3 with at most 2 layers and denominators first, then the rest, so "smallest" is meant within a round.  The first
that is found is made simpler while it stays a counterexample, and confirmed in exact rationals by evaluate.py.  The
search knows nothing of the statement but its claim; the same seed finds the same case.  What it does not find it
says: that is no proof that the hypothesis is superfluous.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np

from numeric.refuse import InputError, integer, shown
from proofs.beam import Columns, Problem, build
from proofs.candidates import cost, exact
from proofs.case import Case, OutsideTable
from proofs.compiled import index_value
from proofs.degree import Cell, cells_read
from proofs.endless import endless, endless_part
from proofs.endless_case import EndlessCase
from proofs.evaluate import evaluate, evaluate_claim
from proofs.failure import Failure
from proofs.grid import case_from
from proofs.statement import Claim
from proofs.substitute import free_names

__all__ = ["BUDGET", "Counterexample", "Search", "find", "search", "search_all", "search_endless"]

BUDGET = 10_000_000
CONFIRMED_AT_MOST = 20


@dataclass(frozen=True)
class Counterexample:
    """A case at which the claim holds and the claim without ``hypothesis`` does not: in ``part``, as ``failure`` says.

    broken: where the hypothesis fails; None if it speaks of all functions.  essential: the case without the functions
    that play no part.
    """

    hypothesis: str
    part: str
    case: Case | EndlessCase
    essential: Case | EndlessCase
    failure: Failure
    broken: Failure | None


@dataclass(frozen=True)
class Search:
    """What the search for one hypothesis found, how many combinations it tried, and up to what sizes."""

    hypothesis: str
    found: Counterexample | None
    tried: int
    reach: str


def find(
    claim: Claim,
    dropped: str,
    *,
    max_n: int = 4,
    max_T: int = 3,
    max_denominator: int = 3,
    budget: int = BUDGET,
    seed: int = 0,
) -> Counterexample | None:
    """The smallest counterexample found to ``claim`` without the hypothesis ``dropped``, or None.

    max_n, max_T, max_denominator: limits of n, of the sum of the claim's indices (layers, heads), and of what cases
    are made of.  budget: how many combinations to try at most.  Raises `InputError` for a name that is no hypothesis.

    >>> from proofs.ledger import LEDGER
    >>> find(LEDGER["S3"].claim, "monotone").case.n
    3
    """
    return search(
        claim, dropped, max_n=max_n, max_T=max_T, max_denominator=max_denominator, budget=budget, seed=seed
    ).found


def search(
    claim: Claim,
    dropped: str,
    *,
    max_n: int = 4,
    max_T: int = 3,
    max_denominator: int = 3,
    budget: int = BUDGET,
    seed: int = 0,
) -> Search:
    """The same with the number of combinations tried."""
    if dropped not in dict(claim.hypotheses):
        known = ", ".join(label for label, _ in claim.hypotheses)
        raise InputError(f"Argument 'dropped' must be a hypothesis ({known}), not {shown(dropped)}.")
    limits = integer(max_n, "max_n", 1), integer(max_T, "max_T", 0), integer(max_denominator, "max_denominator", 1)
    parts = [part.name for part in claim.parts if dropped in part.given and not endless_part(claim, part)]
    rng, tried = Random(seed), 0
    for n, total, level in _sizes(*limits):
        for part, indices in ((p, at) for p in parts for at in _indices(claim, p, total, n)):
            problem = Problem.of(claim, part, dropped, {"n": n, **indices})
            if problem is None:
                continue
            columns, count = build(problem, level, rng)
            tried += count
            found = _confirmed(claim, dropped, part, problem, columns, level, rng) if columns else None
            if found is not None or tried >= budget:
                return Search(dropped, found, tried, _reach(n, total, level))
    return Search(dropped, None, tried, _reach(*limits))


def _reach(n: int, total: int, level: int) -> str:
    return f"up to n = {n}, indices that sum to {total}, denominators {max(level, 1)}"


def search_all(
    claim: Claim, *, seed: int = 0, budget: int = BUDGET, sequences: Sequence[EndlessCase] = ()
) -> tuple[Search, ...]:
    """The search for each hypothesis of a claim, in its order; those of limits among the endless cases."""
    return tuple(
        search_endless(claim, label, sequences)
        if all(endless_part(claim, part) for part in claim.parts if label in part.given)
        else search(claim, label, seed=seed, budget=budget)
        for label, _ in claim.hypotheses
    )


def search_endless(claim: Claim, dropped: str, cases: Sequence[EndlessCase]) -> Search:
    """The first of the endless cases, in their order, at which the claim holds and without the hypothesis does not."""
    weaker = claim.without(dropped)
    parts = [part.name for part in claim.parts if dropped in part.given]
    for tried, case in enumerate(cases, start=1):
        for part in parts:
            try:
                failure = evaluate_claim(weaker.only(part), case).failure
                if failure is None or not evaluate_claim(claim, case).holds:
                    continue
            except OutsideTable:
                continue
            found = Counterexample(dropped, part, case, case, failure, _broken(claim, dropped, case))
            return Search(dropped, found, tried, "the listed sequences of layers")
    return Search(dropped, None, len(cases), "the listed sequences of layers")


# --- sizes ----------------------------------------------------------------------------------------


def _sizes(max_n: int, max_total: int, max_denominator: int) -> Iterator[tuple[int, int, int]]:
    """n, the sum of the indices, the level of the values, in this order: small ones in a first round, then the rest."""
    every = list(product(range(1, max_n + 1), range(max_total + 1), range(max_denominator + 1)))
    small = [size for size in every if size <= (3, 2, 2) and size[1] <= 2 and size[2] <= 2]
    yield from small
    yield from (size for size in every if size not in small)


def _indices(claim: Claim, part: str, total: int, n: int) -> Iterator[dict[str, int]]:
    """Indices that exceed their lower ends by ``total`` in all; those of other parts stay at theirs."""
    known = dict(claim.hypotheses)
    formulas = [claim.part(part).asserts, *(known[label] for label in claim.part(part).given)]
    used = frozenset[str]().union(*(free_names(formula) for formula in formulas))
    lows = {rng.var: index_value(rng.low)({"n": n}) for rng in claim.indices}
    moving = [name for name in lows if name in used]
    for steps in product(range(total + 1), repeat=len(moving)):
        at = {**lows, **{name: lows[name] + step for name, step in zip(moving, steps, strict=True)}}
        if sum(steps) == total and _within(claim, {"n": n, **at}):
            yield at


def _within(claim: Claim, ints: dict[str, int]) -> bool:
    """Whether every index is at most its upper end."""
    return all(ints[rng.var] <= index_value(rng.high)(ints) for rng in claim.indices if rng.high is not None)


# --- confirming -----------------------------------------------------------------------------------


def _confirmed(
    claim: Claim, dropped: str, part: str, problem: Problem, columns: Columns, level: int, rng: Random
) -> Counterexample | None:
    """The simplest of the screened cases, made simpler, that is a counterexample in exact rationals."""
    cells = list(columns)
    table = np.stack([columns[cell] for cell in cells], axis=1)
    costs = np.vectorize(lambda x: cost(exact(x)))(table).sum(axis=1)
    for place in np.argsort(costs, kind="stable")[:CONFIRMED_AT_MOST]:
        chosen = dict(zip(cells, (float(x) for x in table[place]), strict=True))
        simple = _simpler(problem, chosen, level, rng)
        for tried in (simple, chosen):
            found = _exactly(claim, dropped, part, problem.ints, {cell: exact(x) for cell, x in tried.items()})
            if found is not None:
                return found
    return None


def _simpler(problem: Problem, chosen: dict[Cell, float], level: int, rng: Random) -> dict[Cell, float]:
    """Rows replaced, one at a time, by the simplest that keep the case a counterexample, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for row in problem.rows:
            pool = row.pool(level, rng)
            columns = {cell: np.full(len(pool), value) for cell, value in chosen.items()}
            columns |= {cell: pool[:, place] for place, cell in enumerate(row.cells)}
            good = np.flatnonzero(problem.solved(columns, len(pool)))
            if len(good):
                best = {cell: float(pool[good[0], place]) for place, cell in enumerate(row.cells)}
                if _cost(best) < _cost({cell: chosen[cell] for cell in row.cells}):
                    chosen, changed = {**chosen, **best}, True
    return chosen


def _cost(cells: Mapping[Cell, float]) -> int:
    return sum(cost(exact(x)) for x in cells.values())


def _exactly(
    claim: Claim, dropped: str, part: str, ints: Mapping[str, int], cells: Mapping[Cell, Fraction]
) -> Counterexample | None:
    """The counterexample, if the claim holds at the case and the claim without the hypothesis does not."""
    case, essential = case_from(ints, {**_plain(claim, ints), **cells}), case_from(ints, cells)
    weaker = claim.without(dropped)
    try:
        if not evaluate_claim(claim, case).holds:
            return None
        failure = evaluate_claim(weaker.only(part), case).failure
    except OutsideTable:
        return None
    if failure is None:
        return None
    return Counterexample(dropped, part, case, essential, failure, _broken(claim, dropped, case))


def _broken(claim: Claim, dropped: str, case: Case | EndlessCase) -> Failure | None:
    try:
        return evaluate(dict(claim.hypotheses)[dropped], case).failure
    except OutsideTable:  # a hypothesis about all functions
        return None


def _plain(claim: Claim, ints: Mapping[str, int]) -> dict[Cell, Fraction]:
    """What the claim reads where the part does not: identities and ones."""
    symbols = [s.name for s in claim.symbols]
    formulas = [*(f for _, f in claim.hypotheses), *(part.asserts for part in claim.parts)]
    formulas = [formula for formula in formulas if not endless(formula)]
    cells = {cell for formula in formulas for cell in cells_read(formula, ints, symbols)}
    return {(name, args): Fraction(len(args) < 2 or args[-1] == args[-2]) for name, args in cells}
