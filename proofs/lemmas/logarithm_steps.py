"""Logarithms of natural numbers and their powers k^(-b) = exp(-(b ln k)): what several statements share.

    exp             x <= y  =>  exp x <= exp y
    ln              ln 1 = 0;  0 <= ln k;  1/(k + 1) <= ln(k + 1) - ln k <= 1/k;  above any M somewhere
    sums            ln(T + 1) <= sum_{k <= T} 1/k
    powers          1/k <= k^(-b) for b <= 1;  k^(-b) <= 1 for b >= 0;  (b - 1) sum_{k <= T} k^(-b) <= b for b > 1

All from exp(x + y) = exp x exp y, 1 + x <= exp x and exp ln x = x.  Source: classical.
"""

from __future__ import annotations

from proofs.notation import every, number, some
from proofs.steps import (
    Antisymmetry,
    Archimedes,
    Chain,
    Exponential,
    Generalise,
    Identity,
    Induction,
    Invert,
    Nonnegative,
    Obtain,
    Step,
    Use,
    Witness,
    item,
    use,
)
from proofs.substitute import substitute
from proofs.term import (
    Exp,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Log,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
    total,
)

__all__ = [
    "exp_increases",
    "harmonic_sum",
    "ln",
    "ln_steps",
    "ln_unbounded",
    "logarithms",
    "numbers",
    "one_over",
    "power_of",
    "power_sums",
    "slow_powers",
    "small_powers",
]

ZERO, ONE = as_term(0), as_term(1)
x, y, b, M = Symbol("x*", 0), Symbol("y*", 0), Symbol("b*", 0), Symbol("M*", 0)  # starred, so that no claim uses them
k, r = index("k"), index("r")


def ln(at: Index | int | str) -> Term:
    """ln of a natural number."""
    return Log(number(at))


def one_over(at: Index | int | str) -> Term:
    """1 / k."""
    return Reciprocal(number(at))


def power_of(at: Index | int | str, exponent: Term) -> Term:
    """k^(-exponent) = exp(-(exponent ln k))."""
    return Exp(-(exponent * ln(at)))


def _most(left: Term, right: Term) -> Relation:
    return Relation("<=", left, right)


def _from(low: int, body: Formula) -> Formula:
    return every("k", low, None, body)


# --- exp ------------------------------------------------------------------------------------------

_gap = y() - x()
exp_increases = Step(
    "exp increases",
    ForAllFn(x, ForAllFn(y, Implies(_most(x(), y()), _most(Exp(x()), Exp(y()))))),
    Generalise(("x*", "y*", "x <= y"), (
        Step("exp x > 0", Relation("<", ZERO, Exp(x())), Exponential()),
        Step("growth", _most(ONE + _gap, Exp(_gap)), Exponential()),
        Step("together", Relation("=", Exp(x()) * Exp(_gap), Exp(y())), Exponential()),
        Step("so", _most(Exp(x()), Exp(y())), Nonnegative(
            (item(use("exp x > 0"), use("growth")), item(use("exp x > 0"), use("x <= y"))), (item(use("together")),)
        )),
    )),
)  # fmt: skip

# --- natural numbers ------------------------------------------------------------------------------

numbers = (
    Step("numbers > 0", _from(1, Relation("<", ZERO, number("k"))), Induction(
        "so far",
        base=(Step("1 > 0", Relation("<", ZERO, number(1)), Nonnegative((item(times=ONE),))),),
        step=(Step("one more", Relation("<", ZERO, number(k + 1)), Nonnegative(
            (item(use("so far")), item(times=ONE))
        )),),
    )),
    Step("k / k", _from(1, Relation("=", number("k") * one_over("k"), ONE)), Invert(use("numbers > 0", "k"))),
    Step("1 / k > 0", _from(1, Relation("<", ZERO, one_over("k"))), Invert(use("numbers > 0", "k"))),
)  # fmt: skip

# --- logarithms -----------------------------------------------------------------------------------

_over, _next_over = one_over(k), one_over(k + 1)
_e, _next_e = Exp(ln(k)), Exp(ln(k + 1))
_minus, _next_minus = Exp(-ln(k)), Exp(-ln(k + 1))
_up, _down = ln(k + 1) - ln(k), ln(k) - ln(k + 1)
_above = _from(1, _most(_up, _over))
_below = _from(1, _most(_next_over, _up))

ln_steps = (
    Step("exp ln k", _from(1, Relation("=", _e, number(k))), Exponential(positive=use("numbers > 0", "k"))),
    Step("exp -ln k", _from(1, Relation("=", _minus, _over)), Generalise(("k",), (
        Step("cancel", Relation("=", _e * _minus, Exp(ZERO)), Exponential()),
        Step("exp 0", Relation("=", Exp(ZERO), ONE), Exponential()),
        Step("inverse", Relation("=", _minus, _over), Identity((
            item(use("k / k", "k"), times=-_minus), item(use("exp ln k", "k"), times=-(_minus * _over)),
            item(use("cancel"), times=_over), item(use("exp 0"), times=_over),
        ))),
    ))),
    Step("ln rises by at most 1 / k", _above, Generalise(("k",), (
        Step("split", Relation("=", _next_e * _minus, Exp(_up)), Exponential()),
        Step("growth", _most(ONE + _up, Exp(_up)), Exponential()),
        Step("so", _most(_up, _over), Nonnegative((item(use("growth")),), (  # exp of it is (k + 1) / k
            item(use("split"), times=-1), item(use("exp ln k", k + 1), times=_over),
            item(use("exp -ln k", "k"), times=_next_e), item(use("k / k", "k")),
        ))),
    ))),
    Step("ln rises by at least the next 1 / k", _below, Generalise(("k",), (
        Step("split", Relation("=", _e * _next_minus, Exp(_down)), Exponential()),
        Step("growth", _most(ONE + _down, Exp(_down)), Exponential()),
        Step("so", _most(_next_over, _up), Nonnegative((item(use("growth")),), (  # exp of - it is k / (k + 1)
            item(use("split"), times=-1), item(use("exp ln k", "k"), times=_next_over),
            item(use("exp -ln k", k + 1), times=_e), item(use("k / k", k + 1)),
        ))),
    ))),
)  # fmt: skip

logarithms = (
    *ln_steps,
    Step("ln 1 shrinks", _most(ONE - ln(1), Exp(-ln(1))), Exponential()),
    Step("ln 1 grows", _most(ONE + ln(1), Exp(ln(1))), Exponential()),
    Step("ln 1 >= 0", _most(ZERO, ln(1)), Nonnegative((item(use("ln 1 shrinks")),), (
        item(use("exp -ln k", 1)), item(use("k / k", 1)),
    ))),
    Step("ln 1 <= 0", _most(ln(1), ZERO), Nonnegative((item(use("ln 1 grows")),), (item(use("exp ln k", 1)),))),
    Step("ln 1", Relation("=", ln(1), ZERO), Antisymmetry(use("ln 1 <= 0"), use("ln 1 >= 0"))),
    Step("ln >= 0", _from(1, _most(ZERO, ln(k))), Induction(
        "so far",
        base=(Step("at 1", _most(ZERO, ln(1)), Chain((use("ln 1 >= 0"),))),),
        step=(Step("one more", _most(ZERO, ln(k + 1)), Nonnegative((
            item(use("so far")), item(use("ln rises by at least the next 1 / k", "k")), item(use("1 / k > 0", k + 1)),
        ))),),
    )),
)  # fmt: skip

_big, _far = Exp(M()), M() - ln(k + 1)
_reached = some("k", 0, _most(M(), ln(k + 1)))
ln_unbounded = Step("ln is unbounded", ForAllFn(M, _reached), Generalise(("M*",), (
    Step("beyond", some("k", 0, _most(_big, number("k"))), Archimedes()),
    Step("there", _reached, Obtain(use("beyond"), "k", "large", (
        Step("split", Relation("=", _big * _next_minus, Exp(_far)), Exponential()),
        Step("growth", _most(ONE + _far, Exp(_far)), Exponential()),
        Step("so", _most(M(), ln(k + 1)), Nonnegative(  # exp M / (k + 1) <= 1
            (item(use("growth")), item(use("1 / k > 0", k + 1)), item(use("large"), use("1 / k > 0", k + 1))),
            (
                item(use("split"), times=-1), item(use("exp -ln k", k + 1), times=_big),
                item(use("k / k", k + 1)),
            ),
        )),
        Step("witness", _reached, Witness(k, "so")),
    ))),
)))  # fmt: skip

_harmonic = _most(ln(r + 1), total("k", 1, r, one_over("k")))
harmonic_sum = Step("harmonic sums", every("r", 0, None, _harmonic), Induction(
    "so far",
    base=(Step("no term", substitute(_harmonic, {"r": Index(())}, {}), Chain((use("ln 1 <= 0"),))),),
    step=(Step("one more term", substitute(_harmonic, {"r": r + 1}, {}), Nonnegative((
        item(use("so far")), item(use("ln rises by at most 1 / k", r + 1)),
    ))),),
))  # fmt: skip

# --- powers ---------------------------------------------------------------------------------------

_p, _q = power_of(k, b()), power_of(k, b() - 1)
_next_p, _next_q = power_of(k + 1, b()), power_of(k + 1, b() - 1)


def _power_lemma(label: str, given: Relation, asserts: Formula, *steps: Step) -> Step:
    """For every real b with the given property."""
    return Step(label, ForAllFn(b, Implies(given, asserts)), Generalise(("b*", "given"), steps))


def _increasing(low: Term, high: Term) -> Use:
    return use("exp increases", fns=(Lambda((), low), Lambda((), high)), given=("exponents",))


_slow_exponent = -(b() * ln(k))
slow_powers = _power_lemma("k^-b >= 1 / k", _most(b(), ONE), _from(1, _most(_over, _p)), Step(
    "each", _from(1, _most(_over, _p)), Generalise(("k",), (
        Step("exponents", _most(-ln(k), _slow_exponent), Nonnegative((item(use("given"), use("ln >= 0", "k")),))),
        Step("so", _most(_over, _p), Nonnegative(
            (item(_increasing(-ln(k), _slow_exponent)),), (item(use("exp -ln k", "k"), times=-1),)
        )),
    )),
))  # fmt: skip

small_powers = _power_lemma("k^-b <= 1", _most(ZERO, b()), _from(1, _most(_p, ONE)), Step(
    "each", _from(1, _most(_p, ONE)), Generalise(("k",), (
        Step("exponents", _most(_slow_exponent, ZERO), Nonnegative((item(use("given"), use("ln >= 0", "k")),))),
        Step("exp 0", Relation("=", Exp(ZERO), ONE), Exponential()),
        Step("so", _most(_p, ONE), Nonnegative((item(_increasing(_slow_exponent, ZERO)),), (item(use("exp 0")),))),
    )),
))  # fmt: skip

_slope, _rise = b() - 1, Exp((b() - 1) * _up)
_step_down = _from(1, _most(_slope * _next_p, _q - _next_q))
_summed = _most(_slope * total("k", 1, r, power_of("k", b())), b())
_summed_sharply = _most(_slope * total("k", 1, r + 1, power_of("k", b())), b() - power_of(r + 1, b() - 1))


def _at_one(label: str, exponent: Term) -> Step:
    return Step(label, Relation("=", power_of(1, exponent), ONE), Exponential((item(use("ln 1"), times=exponent),)))


power_sums = _power_lemma(
    "power sums", Relation("<", ONE, b()), every("r", 0, None, _summed),
    Step("steps", _step_down, Generalise(("k",), (
        Step("next > 0", Relation("<", ZERO, _next_q), Exponential()),
        Step("split", Relation("=", _next_q * _rise, _q), Exponential()),
        Step("growth", _most(ONE + _slope * _up, _rise), Exponential()),
        Step("product", Relation("=", _next_q * _next_minus, _next_p), Exponential()),
        Step("so", _most(_slope * _next_p, _q - _next_q), Nonnegative(
            (
                item(use("next > 0"), use("growth")),
                item(use("next > 0"), use("given"), use("ln rises by at least the next 1 / k", "k")),
            ),
            (
                item(use("split")), item(use("product"), times=-_slope),
                item(use("exp -ln k", k + 1), times=_slope * _next_q),
            ),
        )),
    ))),
    _at_one("1^-b", b()),
    _at_one("1^(1-b)", b() - 1),
    Step("telescoping", every("r", 0, None, _summed_sharply), Induction(
        "so far",
        base=(Step("first term", substitute(_summed_sharply, {"r": Index(())}, {}), Nonnegative(
            (), (item(use("1^-b"), times=_slope), item(use("1^(1-b)"))),
        )),),
        step=(Step("one more term", substitute(_summed_sharply, {"r": r + 1}, {}), Nonnegative((
            item(use("so far")), item(use("steps", r + 1)),
        ))),),
    )),
    Step("each length", every("r", 0, None, _summed), Generalise(("r",), (
        Step("next term > 0", Relation("<", ZERO, power_of(r + 1, b())), Exponential()),
        Step("rest > 0", Relation("<", ZERO, power_of(r + 1, b() - 1)), Exponential()),
        Step("so", _summed, Nonnegative((
            item(use("telescoping", "r")), item(use("rest > 0")), item(use("given"), use("next term > 0")),
        ))),
    ))),
)  # fmt: skip
