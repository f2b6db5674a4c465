"""X1: an example by hand, and the case that attains the bound."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from proofs.case import Case, prefix
from proofs.cases.averaging_cases import COUNTEREXAMPLES, attained
from proofs.evaluate import evaluate, evaluate_claim
from proofs.laws import half_norm
from proofs.lemmas.averaging_bound_steps import bound, rows_compared
from proofs.lemmas.averaging_uniform_steps import square
from proofs.notation import prefix as prefix_kernel
from proofs.results.averaging_gap import claim
from proofs.term import Relation, Symbol, as_index, as_term

UNIFORM = prefix(1, 1, 1, 1)
ROW = tuple(Fraction(c, 48) for c in (1, -11, -17, 27))  # X1: the last row of (I - A)^2, n = 4


def test_the_last_row_of_the_square_is_that_of_the_theory() -> None:
    rest = [[(i == j) - UNIFORM[i][j] for j in range(4)] for i in range(4)]
    assert tuple(sum(rest[3][m] * rest[m][j] for m in range(4)) for j in range(4)) == ROW
    case = Case.of(4, w=[1] * 4)
    for j, c in enumerate(ROW, start=1):
        entry = square(prefix_kernel(Symbol("w", 1)), as_index(4), as_index(j))
        assert evaluate(Relation("=", entry, as_term(c)), case).holds


def test_it_is_a_u_with_the_differences_of_the_claim() -> None:
    """i j (c_j - c_{j+1}) = 1 up to j = i - 2, and i (i - 1) (c_i - c_{i-1}) = i (i - 1) - 1."""
    down = [4 * j * (a - b) for j, (a, b) in enumerate(pairwise(ROW), start=1)]
    assert down == [1, 1, -11]


def test_the_bound_is_attained_by_causal_layers() -> None:
    """Half the distance is 1/2 in row 3, and so is the bound."""
    found = evaluate_claim(claim, attained)
    assert found.holds and "bound" in found.met
    distance = half_norm(*rows_compared("T"))
    in_row = replace(attained, indices=(*attained.indices, ("i", 3)))
    assert evaluate(Relation("=", distance, bound("T")), in_row).holds
    assert evaluate(Relation("=", bound("T"), as_term(Fraction(1, 2))), in_row).holds


def test_pairwise_independence_does_not_suffice() -> None:
    """Three layers of which each two are independent: only "uncorrelated" fails, and with it that there is no gap."""
    (case,) = (case for label, case, _ in COUNTEREXAMPLES if label == "uncorrelated" and case.layers == 3)
    known = dict(claim.hypotheses)
    assert [label for label in known if not evaluate(known[label], case).holds] == ["uncorrelated"]
    tables = dict(case.tables)
    layers, chances = dict(tables["R"].cells()), dict(tables["p"].cells())
    for s, t in ((1, 2), (1, 3), (2, 3)):
        left = {w: (layers[w, s, 2, 2], layers[w, t, 2, 2]) for w in range(1, 5)}
        assert len(set(left.values())) == 4  # each of the four outcomes once
    assert set(chances.values()) == {Fraction(1, 4)}
