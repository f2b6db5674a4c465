"""Enclosure: where exponentials enter, a claim is decided on whole boxes of slopes m_t and contents d_t, not at points.

    F(m, d) <= F(m', d) for all m <= m' in a box    <=    dF / dq_t >= 0 on the box, q_t = e^{m_t}

The claim object is evaluated with q_t = 1 + a_t and z_t = e^{d_t} as variables: both sides of each inequality become
rational functions in a_t, z_t > 0 (ratio.py).  Then, for a part that

* says something of one kernel: right - left = N / D.  On a box where the factors of D are positive, N >= 0 decides.
* compares two architectures: the left side must read the lower one only, the right side the upper one only, and both
  must be the same function G, by exact comparison.  If dG/dq_t >= 0 on the whole product of slopes for every t, then
  G(q') - G(q) = sum_t dG/dq_t(x) (q'_t - q_t) >= 0 for all q <= q' in it, x being a point between them (mean value
  theorem; a product of intervals is convex).  q_t grows with m_t, so that is m <= m'; contents likewise.

N and the numerators of the derivatives are polynomials P in a_t = e^{m_t} - 1 >= 0 and z_t > 0 with integer
coefficients: an exact shift that leaves little to cancel.  Their bounds on a box are balls at its corners.  A box is
decided if the lower bound of P is >= 0 (holds) or that of -P is > 0 (fails); else it is halved along its widest side,
up to a cap, then the part is undecided.  Where it fails, a rational point in the box is the witness, and evaluate.py
must confirm it.  Coefficients lambda_t need the ends of [0, 1] only, since the claim has degree 1 in each (checked).

Exact here: polynomials, witnesses.  Balls here: e^m, e^d and bounds, 128 bits.  Not covered: content off the diagonal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from time import perf_counter

from numeric.ball import precision
from proofs.batch import Atom, Environment, Tables, atoms, value_of
from proofs.boxes import Box, Side, decide
from proofs.case import Case, OutsideTable
from proofs.degree import Cell, DegreeCells, degree_of
from proofs.enclosure_plans import PLANS, Family, Plan, Setting
from proofs.evaluate import evaluate_claim
from proofs.grid import case_from
from proofs.ratio import Poly, Ratio, Ring
from proofs.statement import Claim, Evidence, Statement
from proofs.term import Lambda, Relation, Term
from proofs.text import text_case, text_failure
from proofs.twins import turn, twin_claim

__all__ = ["CAP", "enclosure"]

BITS = 128
CAP = 256  # boxes for one polynomial
SLOPES, CONTENTS = (0, 4), (-20, 20)
QUICK = (3, 2)  # n and T
TWIN_POSITIONS = 3


def enclosure(
    statement: Statement, *, quick: bool = False, claim: Claim | None = None, cap: int = CAP
) -> tuple[Evidence, str] | None:
    """The evidence and its scope; None where there is no plan.  The size is the number of boxes that were looked at.

    ``claim`` instead of the statement's own is for controls.  The scope is empty unless the verdict is proved_for.
    """
    plan = PLANS.get(statement.id)
    if plan is None:
        return None
    start = perf_counter()
    claim = claim or statement.claim
    limits = (min(plan.max_n, QUICK[0]), min(plan.max_layers, QUICK[1])) if quick else (plan.max_n, plan.max_layers)
    run = _Run(claim, cap)
    with precision(BITS):
        verdict, detail = run.through(plan, *limits)
        if verdict == "proved_for" and (accepted := _accepted_twins(claim, plan)):
            verdict, detail = "undecided", f"the boxes accept {accepted}"
    scope = _scope(plan, *limits) if verdict == "proved_for" else ""
    return Evidence("enclosure", verdict, run.boxes, perf_counter() - start, detail or scope), scope


def _scope(plan: Plan, n: int, layers: int) -> str:
    content = f", d in {list(CONTENTS)}" if any(f.content for f in plan.families) else ""
    parts = " / ".join(f.part for f in plan.families)
    return (
        f"m in {list(SLOPES)}{content}, lambda in [0, 1], in each layer its own, {plan.note}n <= {n}, T <= {layers}; "
        f"parts {parts}"
    )


def _accepted_twins(claim: Claim, plan: Plan) -> str:
    """The covered parts that are not refused when their inequality is turned: none, or the boxes are worth nothing."""
    return ", ".join(family.part for family in plan.families if not _refuses_turned(claim, family))


def _refuses_turned(claim: Claim, family: Family) -> bool:
    twin = _Run(twin_claim(claim, turn(family.part)), CAP)
    return any(twin.decided(family, n, (1,))[0] == "refuted" for n in range(1, TWIN_POSITIONS + 1))


@dataclass
class _Run:
    """One claim, and how many boxes were looked at."""

    claim: Claim
    cap: int
    boxes: int = 0

    def through(self, plan: Plan, max_n: int, max_layers: int) -> tuple[str, str]:
        """Refuted at the first box that refutes; else what first stood in the way, or proved_for."""
        obstacle = ""
        for family in plan.families:
            for n in range(1, max_n + 1):
                for lam in _vertices(max_layers) if family.layered else [(1,)]:
                    verdict, detail = self.decided(family, n, lam)
                    where = f"{family.part}, n = {n}{f', lambda = {list(lam)}' if family.layered else ''}: {detail}"
                    if verdict == "refuted":
                        return verdict, where
                    if verdict == "undecided" and not obstacle:
                        obstacle = where
        return ("undecided", obstacle) if obstacle else ("proved_for", "")

    def decided(self, family: Family, n: int, lam: Sequence[int]) -> tuple[str, str]:
        """proved_for, refuted or undecided, with the witness or the obstacle."""
        try:
            return self._decided(_Problem(self.claim, family, n, tuple(lam)))
        except (OutsideTable, ValueError, KeyError, StopIteration) as why:
            return "undecided", f"the enclosure does not fit the claim: {why}"

    def _decided(self, problem: _Problem) -> tuple[str, str]:
        if all(problem.lam) and (why := problem.no_vertices()):  # once for all vertices of so many layers
            return "undecided", why
        obstacle = ""
        for goal in problem.goals():
            found = decide(goal.poly, problem.box, cap=self.cap, strict=goal.strict)
            self.boxes += found.boxes
            if found.verdict == "fails" and not goal.strict:
                return problem.confirmed(found.box, goal.variable)
            if found.verdict != "holds" and not obstacle:
                obstacle = f"{goal.name} not decided on {_shown(found.box)} (boxes tried: {found.boxes})"
        return ("undecided", obstacle) if obstacle else ("proved_for", "")


def _vertices(max_layers: int) -> Iterator[tuple[int, ...]]:
    """lambda_t = 0 or 1 in each of T layers, T up to the limit."""
    return (lam for depth in range(max_layers + 1) for lam in product((0, 1), repeat=depth))


# --- one part at one n and one vertex of the coefficients -----------------------------------------------------------


@dataclass(frozen=True)
class _Goal:
    """A polynomial that has to be >= 0, or > 0; ``variable``: it is the numerator of a derivative by that one."""

    name: str
    poly: Poly
    variable: int | None = None
    strict: bool = False


class _Problem:
    """The sides of a part's inequalities as rational functions on the box."""

    def __init__(self, claim: Claim, family: Family, n: int, lam: tuple[int, ...]) -> None:
        self.claim, self.family, self.n, self.lam = claim, family, n, lam
        depth = max(1, len(lam))
        slopes = tuple(_side(f"m_{t}", SLOPES, True) for t in range(1, depth + 1))
        contents = tuple(_side(f"d_{t}", CONTENTS, False) for t in range(1, depth + 1)) if family.content else ()
        self.box: Box = (*slopes, *contents)
        self.moved = range(depth) if family.moved == "slope" else range(depth, len(self.box))
        known = {"n": n, "T": len(lam) if family.layered else 0, "H": 1}
        self.ints = {name: known[name] for name in ("n", *(rng.var for rng in claim.indices))}
        self.ring = Ring(tuple(side.name for side in self.box))
        x = self.ring.variables()
        tables = family.tables(self._setting([v + 1 if s.shifted else v for v, s in zip(x, self.box, strict=True)]))
        self.lower = Environment(self.ints, tables)
        self.upper = Environment(self.ints, _upper(tables, family))

    def _setting(self, values: Sequence[Ratio | Fraction]) -> Setting:
        """q_t and z_t from one value for each side of the box."""
        depth = max(1, len(self.lam))
        return Setting(self.n, tuple(values[:depth]), tuple(values[depth:]), self.lam)

    def no_vertices(self) -> str:
        """Why the ends of [0, 1] do not decide the part for all coefficients, or nothing."""
        if not self.family.layered:
            return ""
        cells = {s.name: DegreeCells(s.name, _blocks) for s in self.claim.symbols}
        env = Environment(self.ints, cells)
        for atom in self._atoms():
            if any(power > 1 for power in degree_of(atom, env).high.values()):
                return "the claim is not affine in each coefficient"
        return ""

    def _atoms(self) -> Iterator[Atom]:
        return atoms(self.claim.part(self.family.part).asserts, self.ints)

    def goals(self) -> Iterator[_Goal]:
        """Every polynomial that is not 0, and last the denominators' factors."""
        for atom in self._atoms():
            yield from (goal for goal in self._goals_of(atom) if goal.poly != 0)
        for factor in self.ring.factors:
            yield _Goal("a denominator", factor, strict=True)

    def _goals_of(self, atom: Atom) -> Iterator[_Goal]:
        if not isinstance(atom.formula, Relation) or atom.formula.op != "<=":
            raise OutsideTable("an assertion that is no inequality")
        at = ", ".join(f"{name} = {value}" for name, value in atom.ints if name not in self.ints)
        (below, left), (above, right) = (self._read(atom, side) for side in (atom.formula.left, atom.formula.right))
        if below == above:
            yield _Goal(at, (right - left).numerator)
        elif not (right - left).is_zero():
            raise OutsideTable(f"two different functions are compared at {at}")
        else:
            sign = 1 if above else -1
            yield from (_Goal(at, sign * left.slope(v), v) for v in self.moved)

    def _read(self, atom: Atom, side: Term) -> tuple[bool, Ratio]:
        """Whether a side reads the upper functions, and what it is; one that reads both is outside."""
        value = Lambda((), side)
        try:
            found, upper = value_of(value, self.lower.at(dict(atom.ints))), False
        except OutsideTable:
            found, upper = value_of(value, self.upper.at(dict(atom.ints))), True
        return upper, found if isinstance(found, Ratio) else self.ring.number(found)

    # --- witnesses ----------------------------------------------------------------------------------------------

    def confirmed(self, box: Box, variable: int | None) -> tuple[str, str]:
        """The witness in a box where a goal fails, decided again by the evaluator that knows nothing of boxes."""
        case = self._case(box, variable)
        failure = evaluate_claim(self.claim.only(self.family.part), case).failure
        if failure is None:
            return "undecided", f"the boxes and the exact evaluation disagree at {text_case(case)}"
        return "refuted", f"{text_failure(failure)} at {text_case(case)}"

    def _case(self, box: Box, variable: int | None) -> Case:
        """A rational point of the box, and for the upper functions one with a larger value of the variable."""
        points = [side.inner() for side in box]
        low = self.family.tables(self._setting([first for first, _ in points]))
        moved = [second if at == variable else first for at, (first, second) in enumerate(points)]
        high = _upper(self.family.tables(self._setting(moved)), self.family)
        cells = {(name, at): Fraction(x) for name, table in {**low, **high}.items() for at, x in table.items()}
        return case_from(self.ints, cells)


def _side(name: str, ends: tuple[int, int], shifted: bool) -> Side:
    return Side(name, Fraction(ends[0]), Fraction(ends[1]), shifted)


def _shown(box: Box) -> str:
    return ", ".join(map(str, box))


def _blocks(cell: Cell) -> tuple[Cell, ...]:
    return (cell,) if cell[0] == "lambda" else ()


def _upper(tables: Tables, family: Family) -> Tables:
    """The tables under the names that the functions of the upper architecture have."""
    names = dict(family.pairs)
    return {names.get(name, name): table for name, table in tables.items()}
