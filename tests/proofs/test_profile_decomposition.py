"""U1: the example of what content above 1 needs, by hand, and what the claim says of it."""

from __future__ import annotations

from fractions import Fraction

from proofs.case import Case, prefix, scaled_diagonal
from proofs.cases.envelope_cases import heads_case
from proofs.evaluate import evaluate, evaluate_claim
from proofs.results.profile_decomposition import claim, statement

# U1: e = 2, lambda = (1, 1); W / w = 1, 11, 21/10, 31/10 falls
WEIGHTS = Fraction(1), Fraction(1, 10), Fraction(1), Fraction(1)


def test_no_envelopes_fit_where_the_ratio_of_sums_falls() -> None:
    """p_j / w_j, which is the sum of the envelopes for j < n, rises from 2 to 3."""
    kernel = scaled_diagonal(prefix(*WEIGHTS), 2)
    row = kernel[3]
    profile = [sum(row[i] * kernel[i][j] for i in range(4)) for j in range(4)]
    second, third = profile[1] / WEIGHTS[1], profile[2] / WEIGHTS[2]
    assert (second, third) == (Fraction(37255, 156333), Fraction(14400, 52111))
    assert second < third


def test_the_same_case_in_the_claim() -> None:
    """Every hypothesis but the ratio of sums holds, and the envelopes of layers 1 and 2 add up to p_j / w_j."""
    (case,) = (item.case for item in statement.needed if item.hypothesis == "W / w rises")
    assert isinstance(case, Case)
    known = dict(claim.hypotheses)
    assert [label for label in known if not evaluate(known[label], case).holds] == ["W / w rises"]
    cells = dict(dict(case.tables)["f"].cells())
    sums = [cells[1, 1, j] + cells[2, 1, j] for j in (1, 2, 3)]
    assert sums[1:] == [Fraction(37255, 156333), Fraction(14400, 52111)]


def test_the_hypotheses_on_content_ask_only_of_rows_above_one() -> None:
    """Any weights, rising head weights, rising factors: nothing is asked while e <= 1."""
    ones, rising = [Fraction(1)] * 4, [Fraction(k, 4) for k in (1, 2, 3, 4)]
    case = heads_case(4, 1, ones[:2], [[(rising, WEIGHTS, rising)]] * 2)
    found = evaluate_claim(claim, case)
    assert found.holds and found.met == {part.name for part in claim.parts}


def test_content_above_one_makes_the_spike_larger() -> None:
    """a = (1 - lambda + lambda c)^T, c = (e - 1) w_n / (W_n + (e - 1) w_n)."""
    half, ones = [Fraction(1, 2)] * 2, [Fraction(1)] * 4
    case = heads_case(4, 1, half, [[(ones, ones, [Fraction(3)] * 4)]] * 2)
    kept = dict(dict(case.tables)["theta"].cells())
    assert kept[1, 4] == kept[2, 4] == Fraction(1, 2) + Fraction(1, 2) * Fraction(2, 4 + 2)
    assert evaluate_claim(claim, case).holds
