"""D3: where its sufficient conditions are not necessary."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from proofs.case import Case, Table, prefix
from proofs.evaluate import evaluate, evaluate_claim
from proofs.results.positional_bias_recency import claim, statement

# D3(b): w = (1, 1, 1), v = (1, 3, 2)
NOT_NECESSARY = {"w": (1, 1, 1), "v": (1, 3, 2)}


def case() -> Case:
    """A case of the claim with these weights; the rest as in its first counterexample."""
    plain = statement.needed[0].case
    assert isinstance(plain, Case)
    tables = tuple((name, Table(NOT_NECESSARY.get(name, table.entries), table.start)) for name, table in plain.tables)
    return replace(plain, tables=tables)


def test_a_rising_ratio_of_weights_is_not_necessary() -> None:
    """V / W = 1, 2, 2 rises and A_w precedes A_v, although v / w = 1, 3, 2 does not rise."""
    found, known = evaluate_claim(claim, case()), dict(claim.hypotheses)
    assert found.holds
    assert {"b", "b, conversely"} <= found.met and "b, ratio of weights" not in found.met
    assert evaluate(known["V / W rises"], case()).holds
    assert evaluate(known["A_w precedes A_v"], case()).holds
    assert not evaluate(known["v / w rises"], case()).holds


def test_the_same_by_hand() -> None:
    w, v = NOT_NECESSARY["w"], NOT_NECESSARY["v"]
    assert [Fraction(sum(v[:i]), sum(w[:i])) for i in (1, 2, 3)] == [1, 2, 2]
    assert [Fraction(b, a) for a, b in zip(w, v, strict=True)] == [1, 3, 2]
    lower, upper = prefix(*w), prefix(*v)
    assert all(sum(lower[i][k:]) <= sum(upper[i][k:]) for i in range(3) for k in range(3))
