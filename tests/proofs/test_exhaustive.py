"""Exhaustive evidence: what vertices say of a claim, and that it refuses what is false, at one vertex even."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from proofs import exhaustive as module
from proofs.batch import Environment, atoms, holds
from proofs.case import Case, OutsideTable
from proofs.coverage import not_covered
from proofs.evaluate import evaluate_claim
from proofs.exhaustive import exhaustive
from proofs.grid import Axis, Grid, case_of, environment, outward, violation
from proofs.ledger import LEDGER
from proofs.notation import n as positions
from proofs.notation import zero_one
from proofs.statement import Claim, Part, Statement
from proofs.term import And, Bracket, Exists, Formula, Range, Relation, Symbol, Term, Times, as_index, as_term
from proofs.twins import twin_claim
from proofs.vertex_plans import PLANS

# --- the batch evaluator against the exact one --------------------------------------------------------------------


@pytest.mark.parametrize("name", PLANS)
def test_batch_and_exact_evaluation_agree_vertex_by_vertex(name: str) -> None:
    rng, claim = Random(5), LEDGER[name].claim
    wrong = [twin_claim(claim, twin) for twin in LEDGER[name].twins]
    for grid in PLANS[name].grids(claim, 3):
        for stated in (claim, *[w for w in wrong if w.part(grid.part) != claim.part(grid.part)]):
            alone = stated.only(grid.part)
            met, good = _truth(alone, grid)
            for _ in range(3):
                at = tuple(rng.randrange(axis.size) for axis in grid.axes)
                outcome = evaluate_claim(alone, case_of(grid, at))
                assert (grid.part in outcome.met) == met[at]
                assert outcome.holds == (good[at] or not met[at])


def _truth(claim: Claim, grid: Grid) -> tuple[np.ndarray, np.ndarray]:
    env, shape = environment(grid.axes, grid.ints), [axis.size for axis in grid.axes]
    met = [np.broadcast_to(np.asarray(holds(formula, env)), shape) for _, formula in claim.hypotheses]
    good = np.broadcast_to(np.asarray(holds(claim.parts[0].asserts, env)), shape)
    return np.logical_and.reduce(met) if met else np.ones(shape, dtype=bool), good


def test_batch_evaluation_tries_thresholds_for_a_claim_about_all_functions() -> None:
    claim, dip = LEDGER["S3"].claim, {(1, 1): 1, (2, 2): 1, (3, 1): 1}
    order_preserving = dict(claim.hypotheses)["order preserving"]
    for entries, expected in ((dip, False), ({(i, 1): 1 for i in (1, 2, 3)}, True)):
        table: dict[tuple[int, ...], int] = {(i, j): entries.get((i, j), 0) for i in (1, 2, 3) for j in (1, 2, 3)}
        assert bool(holds(order_preserving, Environment({"n": 3}, {"A": table}))) is expected


def test_batch_evaluation_finds_what_exists() -> None:
    some = Exists(Range("j", as_index(1), positions), Relation("=", Symbol("f", 1)("j"), as_term(2)))
    table: dict[tuple[int, ...], object] = {(1,): np.array([1, 2, 0]), (2,): np.array([2, 2, 1])}
    assert np.asarray(holds(some, Environment({"n": 2}, {"f": table}))).tolist() == [True, True, False]
    with pytest.raises(OutsideTable, match="infinitely many"):
        holds(Exists(Range("j", as_index(1), None), some.body), Environment({"n": 2}, {"f": table}))


# --- exhaustive evidence ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLANS)
def test_true_claims_are_proved_for_a_stated_scope(name: str) -> None:
    evidence, scope = exhaustive(LEDGER[name], quick=True) or pytest.fail("no plan")
    assert (evidence.kind, evidence.verdict) == ("exhaustive", "proved_for")
    assert scope.startswith("n <= 4, every T")
    assert evidence.size > 900


def test_a_statement_without_vertices_has_no_such_evidence() -> None:
    assert exhaustive(LEDGER["S2"]) is None


@pytest.mark.parametrize(("name", "twin"), [(name, twin) for name in PLANS for twin in LEDGER[name].twins])
def test_twins_are_refuted(name: str, twin: object) -> None:
    statement = LEDGER[name]
    wrong = twin_claim(statement.claim, twin)  # type: ignore[arg-type]
    covered = {grid.part for grid in PLANS[name].grids(statement.claim, 2)}
    evidence, scope = exhaustive(statement, quick=True, claim=wrong) or pytest.fail("no plan")
    part = twin.path[0]  # type: ignore[attr-defined]
    assert evidence.verdict == ("refuted" if part in covered else "proved_for")
    if part in covered:
        assert scope == ""
    else:
        assert part not in scope.split("; ")[1].split(", ")


def test_a_statement_whose_twins_pass_is_undecided() -> None:
    claim = LEDGER["S4"].claim
    twin = next(t for t in LEDGER["S4"].twins if t.path[0] == "product")
    harmless = replace(twin, operator="weaken", change=lambda r: Relation("<=", r.left, r.right + 0))
    evidence, _ = exhaustive(replace(LEDGER["S4"], twins=(harmless,)), quick=True, claim=claim) or pytest.fail(
        "no plan"
    )
    assert (evidence.verdict, "accept" in evidence.detail) == ("undecided", True)


DROPPED = [
    ("D1", "inserted layer"), ("D1", "monotone below"), ("D1", "kernels monotone"), ("D2", "ordered"),
    ("D2", "kernels monotone"), ("S4", "upper monotone"), ("S4", "layers monotone"), ("S5", "ordered"),
    ("S5", "blends monotone"), ("X2", "upper"), ("X2", "inserted"), ("X2", "lower"), ("X2", "rises"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "label"), DROPPED)
def test_a_dropped_hypothesis_is_never_proved(name: str, label: str) -> None:
    statement = LEDGER[name]
    weaker = statement.claim.without(label)
    evidence, _ = exhaustive(statement, quick=True, claim=weaker) or pytest.fail("no plan")
    assert evidence.verdict in ("refuted", "undecided")


# --- false at one vertex only -------------------------------------------------------------------------------------


def _never(symbol: Symbol, f: tuple[int, ...], layer: int | None = None, depth: int = 0) -> Relation:
    """prod_i A_{i f(i)} <= 0, for n = |f| and T >= depth: false if the kernel is that of f, and at no other vertex."""
    at = () if layer is None else (layer,)
    deep = [Bracket(((as_index(depth), as_index("T")),))] if depth else []
    entries: list[Term] = [symbol(*at, i, j) for i, j in enumerate(f, start=1)]
    return Relation("<=", Times((zero_one(positions, len(f)), *deep, *entries)), as_term(0))


def _with(claim: Claim, part: str, extra: Formula) -> Claim:
    def stricter(p: Part) -> Part:
        return replace(p, asserts=And((("true", p.asserts), ("once false", extra)))) if p.name == part else p

    return replace(claim, parts=tuple(stricter(p) for p in claim.parts))


N, U, A, R = Symbol("N", 2), Symbol("U", 2), Symbol("A", 3), Symbol("R", 3)
ONCE_FALSE = [
    ("D1", "any depth", _never(N, (1, 2, 1, 3)), "N = (1 | 0 1 | 1 | 0 0 1)"),
    ("D1", "bottom", _never(Symbol("Q", 3), (1, 1, 2), 1), "Q_1 = (1 | 1 | 0 1)"),
    ("D1", "one more layer", _never(A, (1, 1, 3), 1), "A_1 = (1 | 1 | 0 0 1)"),
    ("D1", "one more layer", _never(A, (1, 2, 1), 2, 1), "A_2 = (1 | 0 1 | 1)"),
    ("D2", "attention only", _never(A, (1, 1, 3), 2, 2), "A_2 = (1 | 1 | 0 0 1)"),
    ("S4", "product", _never(U, (1, 1, 2, 2)), "U = (1 | 1 | 0 1 | 0 1)"),
    ("S4", "rollouts", _never(R, (1, 1, 1, 2), 1), "R_1 = (1 | 1 | 1 | 0 1)"),
    ("S5", "rollouts", _never(R, (1, 1, 2, 2), 1), "R_1 = (1 | 1 | 0 1 | 0 1)"),
    ("S5", "rollouts", _never(Symbol("S", 3), (1, 2, 1), 2, 2), "S_2 = (1 | 0 1 | 1)"),
    # token 1 reads token 2: within the prefix no row is causal
    ("X2", "primacy", _never(U, (2, 1, 1)), "U = (0 1 | 1 | 1)"),
    ("X2", "primacy", _never(N, (2, 1, 3, 1)), "N = (0 1 | 1 | 0 0 1 | 1)"),
    ("X2", "primacy", _never(Symbol("B", 2), (3, 1, 2, 4)), "B = (0 0 1 | 1 | 0 1 | 0 0 0 1)"),
]


@pytest.mark.parametrize(("name", "part", "extra", "witness"), ONCE_FALSE)
def test_a_claim_false_at_one_vertex_only_is_refuted_by_it(name: str, part: str, extra: Formula, witness: str) -> None:
    statement = LEDGER[name]
    evidence, scope = exhaustive(statement, claim=_with(statement.claim, part, extra)) or pytest.fail("no plan")
    assert evidence.verdict == "refuted", evidence.detail
    assert witness in evidence.detail and "once false" in evidence.detail
    assert scope == ""


def test_a_claim_that_is_not_affine_is_undecided_where_no_vertex_refutes_it() -> None:
    squares = Relation("<=", U("n", 1) * (1 - U("n", 1)), as_term(0))  # 0 at every vertex, 1/4 at 1/2
    claim = _with(LEDGER["S4"].claim, "product", squares)
    half = Fraction(1, 2)
    case = Case.of(2, {"H": 0, "T": 0}, U=[[1, 0], [half, half]], L=[[1, 0], [0, 1]])
    assert not evaluate_claim(claim.only("product"), case).holds
    evidence, _ = exhaustive(LEDGER["S4"], claim=claim) or pytest.fail("no plan")
    assert (evidence.verdict, "affine" in evidence.detail) == ("undecided", True)


def _grid(name: str, part: str, n: int) -> Grid:
    return next(grid for grid in PLANS[name].grids(LEDGER[name].claim, n) if grid.part == part)


def test_what_makes_vertices_enough_is_checked() -> None:
    claim = LEDGER["D1"].claim
    grid = _grid("D1", "any depth", 5)
    assert not_covered(claim, grid) is None
    q = Symbol("Q", 3)
    two_rows = _with(claim, "any depth", Relation("<=", q(1, 2, 1) + q(1, 3, 1), as_term(2)))
    outside = not_covered(two_rows, grid)
    assert outside is not None and "outside a rollout" in outside
    several = not_covered(two_rows, replace(grid, through=()))
    assert several is not None and "several rows" in several
    unbounded = not_covered(claim.without("inserted layer"), grid)
    assert unbounded is not None and "not bounded" in unbounded


def test_depths_that_words_do_not_separate_are_noticed() -> None:
    grid = _grid("D1", "one more layer", 3)
    assert not_covered(LEDGER["D1"].claim, grid) is None
    why = not_covered(LEDGER["D1"].claim, replace(grid, spread=0))
    assert why is not None and "several depths" in why


def test_a_direction_that_leads_out_of_the_claim_is_noticed() -> None:
    claim = LEDGER["S4"].claim
    grid = _grid("S4", "product", 2)
    assert outward(claim, grid)
    slack = _with(claim, "product", Relation("<=", Symbol("L", 2)(1, 1), as_term(7)))  # true at every direction
    assert violation(slack, grid)[0] is None
    assert not outward(slack, grid)


@pytest.mark.parametrize(("name", "part"), [("D1", "bottom"), ("D2", "rollouts"), ("S5", "rollouts")])
def test_reduced_choices_count_fewer_vertices_and_agree(name: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reduced = _grid(name, part, 4).sorted()
    monkeypatch.setattr("proofs.vertex_plans.IN_FULL", 4)
    full = _grid(name, part, 4).sorted()
    for claim in (LEDGER[name].claim, *(twin_claim(LEDGER[name].claim, t) for t in LEDGER[name].twins)):
        fast, slow = violation(claim, reduced), violation(claim, full)
        assert (fast[0] is None) == (slow[0] is None)
        assert fast[1] <= slow[1]


def test_a_disagreement_of_the_evaluators_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    statement: Statement = LEDGER["D1"]
    wrong = twin_claim(statement.claim, statement.twins[0])
    monkeypatch.setattr(
        module, "evaluate_claim", lambda claim, case: evaluate_claim(statement.claim.only("any depth"), case)
    )
    evidence, _ = exhaustive(statement, quick=True, claim=wrong) or pytest.fail("no plan")
    assert (evidence.verdict, "disagree" in evidence.detail) == ("undecided", True)


def test_axes_are_thinned_out_by_the_claims_own_hypotheses() -> None:
    grid = _grid("S4", "product", 4)
    assert sorted(axis.size for axis in grid.axes if axis.kind == "maps") == [14]  # Catalan(4)
    assert isinstance(grid.axes[0], Axis)
    assert len(list(atoms(LEDGER["S4"].claim.part("product").asserts, grid.ints))) == 3 * 4
