"""The search for counterexamples: one for each hypothesis, no larger than those listed; none where there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from numeric.refuse import InputError
from proofs.beam import Problem, build
from proofs.candidates import cost, exact, rows_of, values_at
from proofs.case import Case, Table
from proofs.counterexample import Counterexample, Search, find, search, search_all, search_endless
from proofs.degree import cells_read
from proofs.endless import endless_part
from proofs.endless_case import EndlessCase
from proofs.evaluate import evaluate, evaluate_claim
from proofs.grid import case_from
from proofs.ledger import LEDGER
from proofs.notation import every, layer, layers, monotone
from proofs.notation import n as positions
from proofs.statement import Claim
from proofs.term import ForAll, ForAllFn, Formula, Relation, Symbol, as_term
from proofs.text import text_case, text_failure

BEYOND = {  # their cases lie beyond the search: functions that are defined by others, denominators above 3
    ("X1", "kernels"),  # two outcomes of two layers, indices that sum to more than 3
    ("U1", "content falls"), ("U1", "head weights fall"), ("U1", "W / w rises"),
    ("I4b", "kernels"), ("I4b", "full attention"),
    ("U8", "time"),
    ("Q3", "weights nonnegative"), ("Q3", "rows"),  # two layers of two families that are defined by the weights
    ("Q5", "moments"), ("Q5", "weights"), ("Q5", "own gate"),
    ("Q6", "roots"), ("Q6", "one layer"), ("Q6", "further roots"),  # roots of 1 + y^2
}  # fmt: skip
ALL = [(name, label) for name, s in LEDGER.items() for label, _ in s.claim.hypotheses if (name, label) not in BEYOND]
THEORY = {  # n of examples found by hand for a hypothesis
    ("D1", "monotone below"): 3,
    ("D1", "kernels monotone"): 3,
    ("S5", "blends monotone"): 3,
    ("D2", "kernels monotone"): 3,
    ("D3", "v / w rises"): 3,
    ("D4", "criterion"): 3,
}


@cache
def _found(name: str, label: str) -> Counterexample:
    claim, listed = LEDGER[name].claim, LEDGER[name].endless
    if listed is not None and all(endless_part(claim, part) for part in claim.parts if label in part.given):
        found = search_endless(claim, label, listed(False)).found
    else:
        found = find(claim, label)
    return found or pytest.fail(f"nothing found for {name} without {label}")


# --- what is found ------------------------------------------------------------------------------------------------


def _tables(case: Case | EndlessCase) -> tuple[tuple[str, Table], ...]:
    assert isinstance(case, Case)
    return case.tables


@pytest.mark.parametrize(("name", "label"), ALL)
def test_every_hypothesis_of_the_ledger_has_a_counterexample(name: str, label: str) -> None:
    claim, found = LEDGER[name].claim, _found(name, label)
    assert (found.hypothesis, label in claim.part(found.part).given) == (label, True)
    assert evaluate_claim(claim, found.case).holds
    weaker = evaluate_claim(claim.without(label).only(found.part), found.case)
    assert weaker.failure is not None  # balls that are the same are not equal
    assert text_failure(weaker.failure) == text_failure(found.failure)
    assert found.part in weaker.met


@pytest.mark.parametrize(("name", "label"), ALL)
def test_it_is_no_larger_than_the_listed_one(name: str, label: str) -> None:
    listed = [item.case.n for item in LEDGER[name].needed if item.hypothesis == label]
    assert _found(name, label).case.n <= min([*listed, THEORY.get((name, label), 4)])


@pytest.mark.parametrize("label", ["kernels monotone", "mixing", "kernels"])
def test_the_essential_case_decides_the_part_alone(label: str) -> None:
    claim, found = LEDGER["D1"].claim, _found("D1", label)
    assert evaluate_claim(claim.without(label).only(found.part), found.essential).failure == found.failure
    assert {name for name, _ in _tables(found.essential)} == {"A", "lambda"}


@pytest.mark.parametrize(("name", "label"), [("S4", "mixing"), ("S5", "ordered"), ("D1", "inserted layer")])
def test_the_dropped_hypothesis_fails_where_it_is_said_to(name: str, label: str) -> None:
    claim, found = LEDGER[name].claim, _found(name, label)
    assert found.broken is not None
    assert evaluate(dict(claim.hypotheses)[label], found.case).failure == found.broken


def test_a_hypothesis_about_all_functions_has_no_place_where_it_fails() -> None:
    assert isinstance(dict(LEDGER["S3"].claim.hypotheses)["order preserving"], ForAllFn)
    found = _found("S3", "order preserving")
    assert found.broken is None


def test_a_blend_needs_fractions_at_three_positions() -> None:
    """At n = 3 the only 0/1 kernel that is not monotone is (1 | 0 1 | 1), so no 0/1 pair has a monotone blend."""
    found = _found("S5", "blend")
    assert found.case.n == 3
    values = {value for _, table in _tables(found.case) for _, value in table.cells()}
    assert max(value.denominator for value in values) == 2
    assert find(LEDGER["S5"].claim, "blend", max_n=3, max_denominator=1) is None


def test_cases_are_made_simple() -> None:
    found = _found("S3", "monotone")
    assert text_case(found.case, greek=False) == "n = 3\nA = (1 | 0 1 | 1)\nf = (0, 1, 1)"


# --- what is not --------------------------------------------------------------------------------------------------


def _with(claim: Claim, part: str, extra: Formula) -> Claim:
    """The claim with a hypothesis that it does not need."""
    parts = tuple(replace(p, given=(*p.given, "extra")) if p.name == part else p for p in claim.parts)
    return replace(claim, hypotheses=(*claim.hypotheses, ("extra", extra)), parts=parts)


SUPERFLUOUS = [
    ("S3", "preserves", every("i", 1, positions, Relation("<=", Symbol("A", 2)("i", 1), as_term(Fraction(1, 2))))),
    ("D1", "any depth", monotone(Symbol("N", 2))),
    ("S5", "rollouts", layers(1, "T", monotone(layer(Symbol("S", 3), "t")))),
]


@pytest.mark.parametrize(("name", "part", "extra"), SUPERFLUOUS)
def test_a_superfluous_hypothesis_is_left_undecided(name: str, part: str, extra: Formula) -> None:
    result = search(_with(LEDGER[name].claim, part, extra), "extra", budget=300_000)
    assert result.found is None
    assert result.tried > 50_000
    assert result.reach.startswith("up to n = ")


def test_limits_bound_the_search() -> None:
    claim = LEDGER["S3"].claim
    assert find(claim, "monotone", max_n=2) is None
    few = search(LEDGER["S5"].claim, "blend", budget=100)
    assert few.found is None and few.tried >= 100
    assert few.tried < 5_000


def test_a_name_that_is_no_hypothesis_is_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"'dropped' must be a hypothesis \(kernel, monotone, .*\), not 'monoton'"):
        find(LEDGER["S3"].claim, "monoton")
    with pytest.raises(InputError, match="'max_n'"):
        find(LEDGER["S3"].claim, "monotone", max_n=0)


@pytest.mark.parametrize(
    ("name", "label"), [("S5", "upper layers"), ("D1", "layers above"), ("D1", "kernels monotone")]
)
def test_the_same_seed_finds_the_same_case(name: str, label: str) -> None:
    first, second = (search(LEDGER[name].claim, label, seed=11) for _ in range(2))
    assert first == second
    assert search(LEDGER[name].claim, label, seed=12).found is not None


# --- the screen ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "part", "label"), [("D1", "any depth", "monotone below"), ("S4", "product", "upper kernel")]
)
def test_the_screen_agrees_with_the_exact_evaluation(name: str, part: str, label: str) -> None:
    claim = LEDGER[name].claim
    ints = {"n": 3, **{rng.var: 1 for rng in claim.indices}}
    problem = Problem.of(claim, part, label, ints)
    assert problem is not None
    columns, tried = build(problem, 2, Random(0))
    assert tried > 1000 and columns
    size = len(next(iter(columns.values())))
    for place in range(0, size, max(1, size // 8)):
        cells = {cell: exact(float(column[place])) for cell, column in columns.items()}
        case = case_from(ints, cells)
        assert evaluate_claim(claim.only(part), case).holds
        assert not evaluate_claim(claim.without(label).only(part), case).holds


def test_a_hypothesis_that_asserts_nothing_is_no_problem() -> None:
    claim = LEDGER["D1"].claim
    assert Problem.of(claim, "any depth", "layers above", {"n": 3, "s": 0, "u": 0, "T": 0}) is None
    assert Problem.of(claim, "any depth", "layers above", {"n": 3, "s": 0, "u": 1, "T": 0}) is not None


def test_rows_are_the_cells_that_differ_in_the_last_argument() -> None:
    cells = cells_read(LEDGER["D1"].claim.part("any depth").asserts, {"n": 3, "s": 1, "u": 0, "T": 0}, ["R", "Q", "N"])
    assert [len(row.cells) for row in rows_of(cells)] == [3] * 6
    level = rows_of(cells)[0].pool(1, Random(0))
    assert level.shape == (4**3, 3)
    assert len(np.unique(level, axis=0)) == 4**3
    costs = [sum(cost(exact(float(x))) for x in row) for row in level]
    assert costs == sorted(costs)


def test_wide_rows_are_sampled_simplest_first() -> None:
    cells = cells_read(LEDGER["S2"].claim.parts[0].asserts, {"n": 7}, ["a", "f"])
    row = max(rows_of(cells), key=lambda r: len(r.cells))
    pool = row.pool(3, Random(1))
    assert len(pool) == len(np.unique(pool, axis=0)) == 2048
    assert (pool[0] == 0).all()
    assert (pool == row.pool(3, Random(1))).all()
    assert not (pool == row.pool(3, Random(2))).all()


@pytest.mark.parametrize("level", range(5))
def test_values_grow_with_the_level(level: int) -> None:
    values = values_at(level)
    assert len(set(values)) == len(values)
    assert max(value.denominator for value in values) == max(level, 1)
    assert set(values) <= set(values_at(level + 1))
    assert all(exact(float(value)) == value for value in values)


# --- the command --------------------------------------------------------------------------------------------------

KEYS = {"hypothesis", "found", "part", "n", "layers", "case", "failure", "tried"}


def test_verify_drop_prints_each_case(posbias: Callable[..., Any]) -> None:
    run = posbias("verify", "S3", "--quick", "--drop")
    assert run.code == 0
    for label, _ in LEDGER["S3"].claim.hypotheses:
        assert f"S3 without {label}: fails at" in run.out
    assert "    A = (1 | 0 1 | 1)\n    f = (0, 1, 1)\n" in run.out
    assert "the claim fails: preserves at l = 2: the left side 1 is not" in run.out


def test_verify_drop_json(posbias: Callable[..., Any]) -> None:
    found = posbias("verify", "S3", "S2", "--quick", "--drop", "--json").json()["statements"]
    for statement in found:
        dropped = statement["dropped"]
        assert [d["hypothesis"] for d in dropped] == [label for label, _ in LEDGER[statement["id"]].claim.hypotheses]
        assert all(set(d) == KEYS and d["found"] and d["tried"] > 0 for d in dropped)
    monotone_needed = next(d for s in found for d in s["dropped"] if d["hypothesis"] == "monotone")
    assert (monotone_needed["n"], monotone_needed["layers"]) == (3, 0)
    plain = posbias("verify", "S2", "--quick", "--json").json()["statements"][0]
    assert "dropped" not in plain


def test_verify_drop_latex(posbias: Callable[..., Any], tmp_path: Path) -> None:
    target = tmp_path / "found.tex"
    target.write_text("% Needs amsmath and amssymb.\nold")
    assert posbias("verify", "S3", "--quick", "--drop", "--latex", target).code == 0
    written = target.read_text()
    assert written.count("\\begin{gather*}") == len(LEDGER["S3"].claim.hypotheses)
    assert r"1 & 0 & 0 \\ 0 & 1 & 0 \\ 1 & 0 & 0" in written
    assert "1\\not\\le 0" in written


def test_latex_without_drop_and_a_folder_as_file_are_refused(posbias: Callable[..., Any], tmp_path: Path) -> None:
    alone = posbias("verify", "S3", "--latex", tmp_path / "x.tex")
    assert (alone.code, alone.out) == (2, "")
    assert alone.err == "Argument '--latex' must come with --drop, not alone.\n"
    folder = posbias("verify", "S3", "--drop", "--latex", tmp_path)
    assert (folder.code, folder.out) == (2, "")


def test_what_is_not_found_is_said(posbias: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Search("monotone", None, 12345, "up to n = 2, indices that sum to 0, denominators 1")
    monkeypatch.setattr("proofs.counterexample.search_all", lambda claim, **given: (nothing,))
    run = posbias("verify", "S2", "--quick", "--drop")
    assert "S2 without monotone: undecided, no counterexample in 12345 combinations (up to n = 2" in run.out
    record = posbias("verify", "S2", "--quick", "--drop", "--json").json()["statements"][0]["dropped"][0]
    assert record == {
        "hypothesis": "monotone", "found": False, "part": None, "n": None, "layers": None, "case": None,
        "failure": None, "tried": 12345,
    }  # fmt: skip


def test_all_hypotheses_are_searched_in_order() -> None:
    claim = LEDGER["S5"].claim
    assert [s.hypothesis for s in search_all(claim)] == [label for label, _ in claim.hypotheses]
    assert isinstance(dict(claim.hypotheses)["ordered"], ForAll)
