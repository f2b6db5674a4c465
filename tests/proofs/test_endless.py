"""Cases with infinitely many layers: closed forms are checked, limits decided exactly, wrong ones refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from proofs.case import Case, OutsideTable
from proofs.compiled import Environment, compiled
from proofs.endless import endless, endless_part
from proofs.endless_case import RULES, EndlessCase, family, star, still
from proofs.evaluate import evaluate, evaluate_claim
from proofs.forever import failure_forever
from proofs.ledger import LEDGER
from proofs.lemmas.limit_steps import P, every_kernel, every_mixing, hop, lam
from proofs.notation import bounded_away, every, number, settling, some, summable, unbounded, vanishing
from proofs.rational_function import TwoStep, natural
from proofs.term import Exp, Formula, Lambda, Log, Relation, as_term
from proofs.text import text_case

ZERO, ONE = as_term(0), as_term(1)
KEPT, AWAY = Lambda(("T",), P("T", 2, 2)), Lambda(("T",), ONE - P("T", 2, 1))
HARMONIC, SQUARES = star("1", ["1/(t + 1)"]), star("1", ["1/(t + 1)^2"])
DECAYING = (star("1/t", ["t/(t + 1)"]), star("1/(2 t^2)", ["2 t^2/((t + 1)(2 t + 1))"]))
LIMITED = ("I2", "I3", "I4", "I4b", "I6")


# --- rational functions ---------------------------------------------------------------------------


def test_arithmetic_is_that_of_the_values() -> None:
    f, g = 1 / (natural(1) * natural(1)) - 3, natural(0) * 2 + Fraction(1, 2)
    for s in range(7):
        a, b = Fraction(1, (s + 1) ** 2) - 3, 2 * s + Fraction(1, 2)
        for shown, value in ((f + g, a + b), (f * g, a * b), (2 - f, 2 - a), (1 / g, 1 / b), (-f, -a)):
            assert shown.at(s) == fmpq(value.numerator, value.denominator)
        assert g.shifted(3).at(s) == g.at(s + 3)


def test_a_sign_may_alternate() -> None:
    alternating = RULES["2"].product
    assert isinstance(alternating, TwoStep)
    assert [alternating.at(s) for s in range(4)] == [1, -1, 1, -1]
    assert alternating.shifted(1).at(0) == -1
    assert alternating.negative_at() == 1
    assert (alternating + 1).negative_at() is None
    assert (alternating + 1).negative_at(strictly=True) == 1


@pytest.mark.parametrize("late", [0, 1, 7, 60])
def test_a_late_change_of_sign_is_found(late: int) -> None:
    assert (natural(0) - late).negative_at(strictly=True) == 0
    assert (late - natural(0)).negative_at() == late + 1
    assert (late - natural(0)).negative_at(strictly=True) == late


def test_a_sign_that_changes_too_late_is_undecided() -> None:
    with pytest.raises(OutsideTable):
        (10**9 - natural(0)).negative_at()


# --- closed forms ---------------------------------------------------------------------------------


@pytest.mark.parametrize("case", (*family(proper=True)[::3], *DECAYING), ids=lambda case: "; ".join(case.says))
def test_the_closed_form_is_the_rollout(case: EndlessCase) -> None:
    """Against the listed layers, multiplied one by one."""
    layers = range(1, case.start + 7)
    shares = [case.coefficients.at(t - case.start - 1) for t in layers if t > case.start]
    kernels = [[[x.at(s) for x in row] for row in case.kernels] for s in range(len(shares))]
    tables = dict(case.listed.tables)
    shown = Case.of(
        case.n, {"T": layers[-1]},
        lambda_=[*_fractions(tables["lambda"].entries), *map(_fraction, shares)],
        A=[*_rows(tables["A"].entries), *([[[_fraction(x) for x in row] for row in rows] for rows in kernels])],
    )  # fmt: skip
    env = Environment.of(shown)
    for depth in (case.start, case.start + 1, case.start + 6):
        for i in range(case.n):
            for j in range(case.n):
                assert compiled(P(depth, i + 1, j + 1))(env) == case.rollouts[i][j].at(depth - case.start)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _rows(entries: object) -> list[Any]:
    assert isinstance(entries, tuple)
    return list(entries)


def _fractions(entries: object) -> list[Fraction]:
    assert isinstance(entries, tuple)
    return [Fraction(x) for x in entries]


def test_a_wrong_closed_form_is_refused() -> None:
    case = SQUARES
    wrong = [[x + (1 if (i, j) == (1, 1) else 0) for j, x in enumerate(row)] for i, row in enumerate(case.rollouts)]
    with pytest.raises(ValueError, match="product of the listed layers"):
        replace(case, rollouts=wrong)
    late = [[x * (1 + natural(0)) for x in row] for row in case.rollouts]
    with pytest.raises(ValueError, match="one layer further"):
        replace(case, rollouts=late)


# --- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "case", "holds"),
    [
        (vanishing(KEPT), HARMONIC, True),
        (vanishing(KEPT), SQUARES, False),
        (vanishing(AWAY), HARMONIC, True),
        (bounded_away(KEPT), SQUARES, True),
        (bounded_away(KEPT), HARMONIC, False),
        (bounded_away(KEPT), star("0", ["1"], first=(1, [1])), False),
        (unbounded(hop(2)), HARMONIC, True),
        (unbounded(hop(2)), SQUARES, False),
        (summable(hop(2)), SQUARES, True),
        (summable(hop(2)), HARMONIC, False),
        (summable(hop(2)), star("0", ["1"]), True),
        (unbounded(lam), SQUARES, True),
        (vanishing(KEPT), star("2", ["1"]), False),
        (settling(KEPT), SQUARES, True),
        (settling(KEPT), star("2", ["1"]), False),
        (settling(KEPT), star("-1/(t + 1)", ["1"]), False),
        (every_mixing, SQUARES, True),
        (every_mixing, star("2", ["1"]), False),
        (every_mixing, star("-1/(t + 1)", ["1"]), False),
        (every_kernel, SQUARES, True),
        (every_kernel, star("1", ["2"]), False),
        (every_kernel, star("1", ["1/(t + 1)"], times=2), False),
        (every("t", 1, None, Relation("<=", lam("t"), number("t"))), HARMONIC, True),
        (every("t", 1, None, Relation("<", lam("t"), number("t"))), HARMONIC, False),
        (every("t", 2, None, Relation("<", lam("t"), number("t"))), HARMONIC, True),
        (every("t", 1, None, Relation("=", lam("t"), ONE)), HARMONIC, True),
        (every("t", 1, None, Relation("=", lam("t"), ONE)), star("2", ["1"]), False),
    ],
)
def test_limits_are_decided(formula: Formula, case: EndlessCase, holds: bool) -> None:
    assert evaluate(formula, case).holds is holds


POWER = dict(LEDGER["I6"].claim.hypotheses)["power"]  # lambda_t = c exp(-(beta ln t)) for every t


@pytest.mark.parametrize(
    ("coefficient", "c", "beta", "holds"),
    [
        ("1", 1, 0, True),
        ("1/2", Fraction(1, 2), 0, True),
        ("1/t", 1, 1, True),
        ("1/(2 t)", Fraction(1, 2), 1, True),
        ("1/(2 t^2)", Fraction(1, 2), 2, True),
        ("1/t", 1, 2, False),
        ("1/t", 1, -1, False),
        ("1/(2 t)", Fraction(1, 3), 1, False),
        ("1/(t + 1)", 1, 1, False),
        ("1/t", 1, Fraction(1, 2), None),
    ],
)
def test_powers_of_the_layer_are_read_exactly(
    coefficient: str, c: Fraction, beta: Fraction, holds: bool | None
) -> None:
    case = star(coefficient, ["0"], c=c, beta=beta)
    if holds is None:
        with pytest.raises(OutsideTable, match="no integer multiple of a logarithm"):
            evaluate(POWER, case)
    else:
        assert evaluate(POWER, case).holds is holds


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        (every("t", 1, None, Relation("<=", ZERO, Log(number("t") - 5))), "ln of a value that is not positive"),
        (every("t", 1, None, Relation("<=", ZERO, Exp(number("t")))), "no integer multiple of a logarithm"),
    ],
)
def test_exp_and_ln_of_other_things_are_undecided(formula: Formula, why: str) -> None:
    with pytest.raises(OutsideTable, match=why):
        failure_forever(formula, SQUARES)


def test_rules_without_known_partial_products_are_refused() -> None:
    with pytest.raises(ValueError, match="must have known partial products, not 1 times 1/2"):
        star("1/2", ["1"])


def test_layers_after_which_nothing_mixes() -> None:
    case = still([(Fraction(1, 2), ((1, 0), (1, 0)))])
    assert evaluate(bounded_away(KEPT), case).holds
    assert case.rollouts[1][1].at(5) == fmpq(1, 2)


def test_what_no_rule_decides_is_undecided() -> None:
    with pytest.raises(OutsideTable):
        failure_forever(some("T", 0, Relation("<=", ONE, P("T", 2, 1))), SQUARES)


# --- in the ledger --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LIMITED)
def test_every_limit_meets_its_hypotheses_somewhere(name: str) -> None:
    statement = LEDGER[name]
    assert statement.endless is not None
    parts = {part.name for part in statement.claim.parts if endless_part(statement.claim, part)}
    met: set[str] = set()
    for case in statement.endless(True):
        outcome = evaluate_claim(statement.claim, case)
        assert outcome.holds
        met |= outcome.met
    assert met == parts


@pytest.mark.parametrize("name", LIMITED)
def test_a_case_passes_over_limits_and_an_endless_one_over_the_rest(name: str) -> None:
    claim = LEDGER[name].claim
    assert any(endless(formula) for _, formula in claim.hypotheses)
    for item in LEDGER[name].needed:
        met = evaluate_claim(claim, item.case).met
        wanted = isinstance(item.case, EndlessCase)
        assert all(endless_part(claim, claim.part(part)) == wanted for part in met)


def test_an_endless_case_reads_well() -> None:
    assert text_case(SQUARES, greek=False).splitlines() == [
        "n = 2",
        "lambda_t = 1 for t >= 1",
        "A_t[2, 1] = 1/(t + 1)^2, A_t[2, 2] = 1 - 1/(t + 1)^2 for t >= 1",
    ]
    assert TwoStep.of(2).at(3) == 2
