"""Enclosures decide what is true on whole boxes, find what is false, and say undecided where the cap is reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.ball import precision
from proofs.batch import Environment, atoms, sides
from proofs.boxes import Side, decide
from proofs.enclosure import CONTENTS, SLOPES, enclosure
from proofs.enclosure_plans import PLANS, Family, Plan, Setting
from proofs.ledger import LEDGER
from proofs.notation import below, layer, rollout, transition
from proofs.prefix_heads import family
from proofs.ratio import Corner, Ratio, Ring, lower_bound
from proofs.results import positional_bias_recency as d3
from proofs.statement import Claim
from proofs.term import Lambda, Range, as_index
from proofs.twins import scale, turn, twin_claim
from proofs.verification import verify

COVERED = [(name, family.part) for name, plan in PLANS.items() for family in plan.families]
rationals = st.fractions(min_value=Fraction(1, 7), max_value=7, max_denominator=11)


def value(poly: Any, at: tuple[Fraction, ...]) -> Fraction:
    terms = (Fraction(int(c)) * prod(x ** int(e) for x, e in zip(at, es, strict=True)) for es, c in poly.terms())
    return sum(terms, Fraction(0))


def ratio_value(ratio: Ratio, at: tuple[Fraction, ...]) -> Fraction:
    over = prod((value(ratio.ring.factors[p], at) ** e for p, e in ratio.over.items()), start=Fraction(1))
    return value(ratio.numerator, at) / over


def sample(x: Any, y: Any) -> Any:
    """A function with sums, products and nested reciprocals."""
    u = 1 / (x + y * y + 1)
    return (x * u + Fraction(2, 3)) * (1 / (u + x * 3)) + y * u * u * -5


# --- rational functions ---------------------------------------------------------------------------------------------


@given(rationals, rationals)
def test_ratios_have_the_values_of_fractions(x: Fraction, y: Fraction) -> None:
    ring = Ring(("x", "y"))
    assert ratio_value(sample(*ring.variables()), (x, y)) == sample(x, y)
    assert ratio_value(ring.variables()[0] - 2, (x, y)) == x - 2


@given(rationals, rationals)
def test_the_slope_is_the_numerator_of_the_derivative(x: Fraction, y: Fraction) -> None:
    a, b = Ring(("x", "y")).variables()
    u = 1 / (a * b + 1) * a * a  # x^2 / (1 + x y), by hand: (2 x + x^2 y) / (1 + x y)^2 and -x^3 / (1 + x y)^2
    by_x, by_y = (2 * x + x * x * y) / (1 + x * y) ** 2, -(x**3) / (1 + x * y) ** 2
    assert value(u.slope(0), (x, y)) == by_x * (1 + x * y) ** 2
    assert value(u.slope(1), (x, y)) == by_y * (1 + x * y) ** 2
    one = (a + b) * (1 / (a + b))
    assert one.slope(0) == 0 and not one.is_zero()


def test_the_reciprocal_of_zero_is_zero() -> None:
    (x,) = Ring(("x",)).variables()
    assert (1 / (x - x)).is_zero()


@given(st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(-9, 9), max_size=5), st.data())
def test_bounds_hold_inside_the_box(coefficients: dict[tuple[int, ...], int], data: st.DataObject) -> None:
    poly = Ring(("x", "y")).context.from_dict(coefficients)
    ends = [sorted(data.draw(st.tuples(rationals, rationals))) for _ in range(2)]
    at = tuple(low + (high - low) * data.draw(st.fractions(0, 1)) for low, high in ends)
    low, high = (Corner([[_ball(e[k]) ** p for p in range(4)] for e in ends]) for k in (0, 1))
    assert not lower_bound(poly, low, high) > _ball(value(poly, at))
    assert not lower_bound(poly, low, high, -1) > -_ball(value(poly, at))


def _ball(x: Fraction) -> Any:
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


# --- boxes ----------------------------------------------------------------------------------------------------------


def decided(poly: Callable[[Any], Any], *, strict: bool = False, cap: int = 64, high: int = 2) -> tuple[str, int]:
    """The verdict for a polynomial in x = e^m - 1, 0 <= m <= high."""
    ring = Ring(("x",))
    side = Side("m", Fraction(0), Fraction(high), True)
    with precision(128):
        found = decide(poly(ring.variables()[0]).numerator, (side,), cap=cap, strict=strict)
    return found.verdict, found.boxes


def test_positive_coefficients_need_one_box() -> None:
    assert decided(lambda x: x * x + x) == ("holds", 1)
    assert decided(lambda x: x * x + x, strict=True)[0] == "undecided"  # 0 at m = 0
    assert decided(lambda x: x * x + x + 1, strict=True) == ("holds", 1)


def test_a_sign_that_is_positive_only_after_subdivision() -> None:
    verdict, boxes = decided(lambda x: x * x * 4 - x * 4 + 2)  # (2 x - 1)^2 + 1
    assert verdict == "holds" and boxes > 3


def test_a_double_zero_stays_undecided_at_the_cap() -> None:
    assert decided(lambda x: x * x - x * 2 + 1) == ("undecided", 64)
    assert decided(lambda x: x * x * 4 - x * 4 + 2, cap=2) == ("undecided", 2)


def test_a_small_region_where_it_fails_is_found() -> None:
    assert decided(lambda x: x * x * 4 - x * 8 + 3)[0] == "fails"  # negative for |x - 1| < 1/2
    assert decided(lambda x: x * 0 - 1) == ("fails", 1)
    assert decided(lambda x: x * -1) == ("fails", 3)  # 0 at m = 0: neither [0, 2] nor [0, 1] fails throughout
    assert decided(lambda x: x * -1, strict=True) == ("fails", 1)  # > 0 does


def test_a_point_is_not_subdivided() -> None:
    ring = Ring(("z",))
    with precision(64):
        found = decide((ring.variables()[0] - 1).numerator, (Side("d", Fraction(0), Fraction(0), False),), cap=9)
        third = Side("d", Fraction(1, 3), Fraction(1, 3), False)
        poly = (ring.variables()[0] * 3 - ring.variables()[0] * 2 - 5).numerator
        assert decide(poly, (third,), cap=9).verdict == "fails"
    assert found.verdict == "holds"


def test_a_shifted_side_is_nonnegative_and_a_side_has_rationals_inside() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        Side("m", Fraction(-1), Fraction(1), True)
    with precision(128):
        first, second = Side("d", Fraction(-20), Fraction(-19), False).inner()
        assert flint.arb(-20).exp() < _ball(first) < _ball(second) < flint.arb(-19).exp()
        with pytest.raises(ValueError, match="wider"):
            Side("d", Fraction(1), Fraction(1), False).inner()


# --- the families say what their names say --------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "part"), COVERED)
def test_the_functions_are_what_evaluation_in_rationals_sees(name: str, part: str) -> None:
    family = next(f for f in PLANS[name].families if f.part == part)
    claim = LEDGER[name].claim
    ring = Ring(("a", "b", "y", "z"))
    a, b, *contents = ring.variables()
    at = (Fraction(1, 2), Fraction(3), Fraction(1, 7), Fraction(5))
    lam = (1, 1) if family.layered else (1,)
    ints = {"n": 3, "T": 2, "H": 1}
    symbolic = family.tables(Setting(3, (a + 1, b + 1), tuple(contents), lam))
    plain = family.tables(Setting(3, (at[0] + 1, at[1] + 1), at[2:], lam))
    twice = [{**t, **{upper: t[lower] for lower, upper in family.pairs}} for t in (symbolic, plain)]
    for atom in atoms(claim.part(part).asserts, ints):
        found, expected = (sides(atom, Environment(ints, tables)) for tables in twice)
        for f, e in zip(found, expected, strict=True):
            assert (ratio_value(f, at) if isinstance(f, Ratio) else f) == e


def test_tables_of_alibi() -> None:
    d3_tables, d4_tables = (
        {f.part: f.tables(Setting(3, (Fraction(2),), (Fraction(5),), (1,))) for f in PLANS[name].families}
        for name in ("D3", "D4")
    )
    assert d3_tables["a"] == {"w": {(1,): 2, (2,): 4, (3,): 8}}
    assert d3_tables["d"] == {"a": {(0,): 1, (1,): Fraction(1, 2), (2,): Fraction(1, 4)}}
    assert d3_tables["c, rollouts"]["f"] == {(1, 1, 1): 2, (1, 1, 2): 4, (1, 1, 3): 8}
    assert d4_tables["b"]["s"][3, 2] == 4 and d4_tables["b"]["x"] == {(1,): 5, (2,): 5, (3,): 5}
    assert d4_tables["b, rollouts"]["f"][1, 3, 2] == 4 and d4_tables["b, rollouts"]["X"][1, 2] == 5


# --- evidence -------------------------------------------------------------------------------------------------------


def found(name: str, claim: Claim | None = None, **options: Any) -> tuple[str, str, str]:
    result = enclosure(LEDGER[name], quick=True, claim=claim, **options)
    assert result is not None and result[0].kind == "enclosure"
    evidence, scope = result
    return evidence.verdict, evidence.detail, scope


def test_the_scope_is_what_was_tried() -> None:
    assert (SLOPES, CONTENTS) == ((0, 4), (-20, 20))  # issue: m in [0, 4], d in [-20, 20]
    quick = "in each layer its own, one {} per layer, n <= 3, T <= 2; parts "
    expected = {
        "D3": f"m in [0, 4], lambda in [0, 1], {quick.format('head')}a / c, slope / c, rollouts / d / e",
        "D4": f"m in [0, 4], d in [-20, 20], lambda in [0, 1], {quick.format('content')}b / b, rollouts / c",
    }
    for name, scope in expected.items():
        assert found(name) == ("proved_for", scope, scope)


@pytest.mark.parametrize(("name", "n"), [("D3", 6), ("D4", 4)])
def test_the_full_boxes_are_decided(name: str, n: int) -> None:
    result = enclosure(LEDGER[name])
    assert result is not None
    assert result[0].verdict == "proved_for" and f"n <= {n}, T <= 3;" in result[1]
    assert result[0].size > 300


def test_only_what_has_a_plan() -> None:
    assert enclosure(LEDGER["D1"], quick=True) is None


@pytest.mark.parametrize(("name", "part"), COVERED)
def test_a_turned_inequality_is_refuted_by_a_rational_witness(name: str, part: str) -> None:
    verdict, detail, scope = found(name, twin_claim(LEDGER[name].claim, turn(part)))
    assert (verdict, scope) == ("refuted", "")
    assert detail.startswith(f"{part}, n = ") and "n = 2" in detail


def test_a_claim_false_in_a_corner_is_refuted_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Falling weights q^{-j} with content: monotone for z <= q / (q - 1) only (D4(c))."""

    def falling(s: Setting) -> dict[str, dict[tuple[int, ...], Any]]:
        q = 1 / s.q[0]
        return {"w": {(1,): q, (2,): q * q, (3,): q * q * q}, "c": {(): s.z[0]}}

    monkeypatch.setitem(PLANS, "D4", Plan((Family("c", falling, content=True),), 3, 0, ""))
    claim = LEDGER["D4"].claim.without("criterion")
    verdict, detail, _ = found("D4", claim)
    assert verdict == "refuted" and detail.startswith("c, n = 3")
    # with the hypothesis the witness is none, and the box is not decided: never a yes
    assert found("D4")[0] == "undecided"


def test_the_cap_yields_undecided_with_its_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """w = (q, q, q + (q - 2)^2): monotone, but one box does not tell, for coefficients have both signs."""

    def bump(s: Setting) -> dict[str, dict[tuple[int, ...], Any]]:
        q = s.q[0]
        return {"w": {(1,): q, (2,): q, (3,): q * q + q * -3 + 4}, "c": {(): s.z[0]}}

    monkeypatch.setitem(PLANS, "D4", Plan((Family("c", bump, content=True),), 3, 0, ""))
    verdict, detail, scope = found("D4", LEDGER["D4"].claim.without("criterion"), cap=1)
    assert (verdict, scope) == ("undecided", "")
    assert detail == "c, n = 3: i = 2, k = 2 not decided on m_1 in [0, 4], d_1 in [-20, 0] (boxes tried: 1)"


def test_functions_that_differ_are_not_compared() -> None:
    verdict, detail, _ = found("D3", twin_claim(LEDGER["D3"].claim, scale("c, slope")))
    assert verdict == "undecided" and "two different functions are compared" in detail


def test_coefficients_need_degree_one() -> None:
    squared = Lambda(("t",), d3.lam("t") * d3.lam("t"))
    asserts = below(*(layer(rollout(transition(squared, family(d3.alpha, x))), "T") for x in (d3.f, d3.g)))
    claim = d3.claim
    parts = tuple(replace(p, asserts=asserts) if p.name == "c, rollouts" else p for p in claim.parts)
    verdict, detail, _ = found("D3", replace(claim, parts=parts))
    assert verdict == "undecided" and "not affine in each coefficient" in detail


def test_an_equation_is_outside() -> None:
    claim = LEDGER["D3"].claim
    parts = tuple(replace(p, asserts=d3.cross_product) if p.name == "a" else p for p in claim.parts)
    assert found("D3", replace(claim, parts=parts))[0] == "undecided"


def test_boxes_that_accept_a_twin_are_worth_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where lower and upper are the same kernels, everything holds, turned or not."""
    same = Family("c, slope", lambda s: {"q": {(): 1}}, "slope", (("q", "q'"),))
    monkeypatch.setitem(PLANS, "D3", Plan((same,), 3, 0, ""))
    assert found("D3")[:2] == ("undecided", "the boxes accept c, slope")


def test_precision_is_restored() -> None:
    before = flint.ctx.prec
    flint.ctx.prec = 61
    try:
        found("D3")
        found("D3", twin_claim(LEDGER["D3"].claim, turn("a")))
        assert flint.ctx.prec == 61
    finally:
        flint.ctx.prec = before


def test_the_report_has_it_between_derivation_and_random_cases() -> None:
    report = verify("D4", quick=True)
    assert [e.kind for e in report.evidence] == ["derivation", "enclosure", "random", "needed", "control"]
    assert report.verdict == "proved" and report.scope.startswith("enclosure: m in [0, 4], d in [-20, 20]")


def test_infinitely_many_layers_are_not_in_any_scope() -> None:
    assert all(Range("T", as_index(0), None) in LEDGER[name].claim.indices for name in PLANS)
    assert all("T <= " in found(name)[2] for name in PLANS)
