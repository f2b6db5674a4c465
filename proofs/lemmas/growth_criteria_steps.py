"""When h(m) = m prod_t (1 - lambda_t + lambda_t / m) grows from m to m + 1: the criteria of U7 from the lemmas on it.

Of continuous depth, with h(m) = m exp(-S (1 - 1/m)) = exp(ln m - S (1 - 1/m)), it uses that exp increases strictly.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.lemmas.kept_share_steps import kept, of_mixing
from proofs.lemmas.logarithm_steps import exp_increases, ln, one_over
from proofs.lemmas.prefix_power_steps import lam
from proofs.lemmas.threshold_steps import below_one, odds, share_at, total_share
from proofs.lemmas.uniform_shape_terms import (
    S,
    continuous,
    enough,
    enough_reached,
    grows,
    h,
    h_continuous,
    less,
    most,
    sharper,
    sharper_conversely,
    threshold,
)
from proofs.notation import every, mixing, number
from proofs.steps import (
    Absurd,
    Both,
    Chain,
    Exponential,
    Generalise,
    Identity,
    Nonnegative,
    Step,
    Use,
    item,
    real_cases,
    use,
)
from proofs.term import Exp, ForAllFn, Formula, Implies, Index, Lambda, Relation, Symbol, Term, as_term, index

__all__ = ["continuous_lemmas", "criteria"]

m, T = index("m"), index("T")
ZERO, ONE = as_term(0), as_term(1)
U, V = one_over(m), one_over(m + 1)
over_next = use("1 / k > 0", m + 1)
contradiction = less(ZERO, ZERO)
f_positive = of_mixing("f > 0", T, m)


def _from_one(
    label: str, given: tuple[tuple[str, Formula], ...], formula: Formula, *steps: Step, fix: tuple[str, ...] = ()
) -> Step:
    """For every m >= 1, from what is given."""
    whole: Formula = every("m", 1, None, formula)
    for _, premise in reversed(given):
        whole = Implies(premise, whole)
    return Step(label, whole, Generalise((*(name for name, _ in given), "m", *fix), steps))


MIXING = (("mixing", mixing(lam, "T")),)
BELOW = (*MIXING, ("below one", below_one()))


# --- layers -----------------------------------------------------------------------------------------


def _grows() -> Step:
    faster, on = (formula for _, formula in grows(m).parts)
    known, after = use("h rises"), less(h(m + 1), h(m + 2))
    third = use("1 / k > 0", m + 2)
    return _from_one(
        "h grows faster", MIXING, grows(m),
        Step("faster", faster, Nonnegative((item(of_mixing("m^2 f is convex", T, m)),))),
        Step("on", on, Generalise(("h rises",), (
            Step("later", after, Nonnegative(
                (item(third, use("faster")), item(third, use("numbers > 0", m), known)),
                (item(use("k / k", m + 2), times=h(m + 2) - h(m + 1)),),
            )),
        ))),
        Step("both", grows(m), Both(("faster", "on"))),
    )  # fmt: skip


def _enough() -> Step:
    reached = enough_reached(m)
    margin, rises = (formula for _, formula in reached.parts)
    of_odds = use(
        "h grows",
        T,
        m,
        fns=(Lambda(("t",), odds("t")),),
        given=("mixing", use("odds >= 0", given=("mixing", "below one")), use("odds", given=("below one",))),
    )
    grown = item(of_odds), item(over_next, use("few"), f_positive)
    return _from_one(
        "enough positions, for h", BELOW, enough(m),
        Step("margin", margin, Nonnegative(grown)),
        Step("rises", rises, Nonnegative((*grown, item(over_next, use("spike > 0", T, given=("below one",)))))),
        Step("both", reached, Both(("margin", "rises"))),
        fix=("few",),
    )  # fmt: skip


def _of_shares(label: str) -> Use:
    shares = Lambda(("m", "t"), share_at("t"))
    return use(label, T, m, fns=(shares,), given=("mixing", of_mixing("share >= 0"), of_mixing("next factor")))


def _sharper() -> Step:
    return _from_one(
        "sharper, for h", MIXING, sharper(m),
        Step("rises", sharper(m).body, Nonnegative(
            (item(use("numbers > 0", m + 1), _of_shares("f falls at most")), item(f_positive, use("few"))),
            (item(use("k / k", m + 1), times=kept(T, m) * total_share(T)),),
        )),
        fix=("few",),
    )  # fmt: skip


def _sharper_conversely() -> Step:
    low, few = Relation("<=", number(m + 1), number(m) * total_share(T)), sharper_conversely(m).body
    return _from_one(
        "sharper, conversely, for h", MIXING, sharper_conversely(m),
        Step("few", few, real_cases(
            low.left, low.right, "many",
            (
                Step("too many", contradiction, Nonnegative(
                    (
                        item(use("h rises")), item(use("numbers > 0", m), _of_shares("f falls at least")),
                        item(over_next, of_mixing("f > 0", T, m + 1), use("many")),
                    ),
                    (item(use("k / k", m + 1), times=-kept(T, m + 1)),),
                )),
                Step("impossible", few, Absurd(use("too many"), Fraction(0))),
            ),
            (Step("fewer", few, Chain((use("many"),))),),
        )),
        fix=("h rises",),
    )  # fmt: skip


def criteria() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return (_grows(), _enough(), _sharper(), _sharper_conversely())


# --- continuous depth ---------------------------------------------------------------------------------

x, y = Symbol("x*", 0), Symbol("y*", 0)  # starred, so that no claim uses the names
_gap = y() - x()
_strictly = less(Exp(x()), Exp(y()))
exp_increases_strictly = Step(
    "exp increases strictly", ForAllFn(x, ForAllFn(y, Implies(less(x(), y()), _strictly))),
    Generalise(("x*", "y*", "x < y"), (
        Step("exp x > 0", less(ZERO, Exp(x())), Exponential()),
        Step("growth", most(ONE + _gap, Exp(_gap)), Exponential()),
        Step("together", Relation("=", Exp(x()) * Exp(_gap), Exp(y())), Exponential()),
        Step("so", _strictly, Nonnegative(
            (item(use("exp x > 0"), use("growth")), item(use("exp x > 0"), use("x < y"))), (item(use("together")),)
        )),
    )),
)  # fmt: skip


def _exponent(at: Index) -> Term:
    return ln(at) - S() * (ONE - one_over(at))


def _as_exponential() -> Step:
    """m exp(-S (1 - 1/m)) = exp(ln m - S (1 - 1/m))."""
    whole = Relation("=", h_continuous(m), Exp(_exponent(m)))
    rest = Exp(-(S() * (ONE - one_over(m))))
    return _from_one(
        "h as an exponential",
        (),
        whole,
        Step("together", Relation("=", Exp(ln(m)) * rest, Exp(_exponent(m))), Exponential()),
        Step("so", whole, Identity((item(use("together")), item(use("exp ln k", m), times=-rest)))),
    )


_here, _next = _exponent(m), _exponent(m + 1)


def _compared(premise: str, *, up: bool) -> Step:
    """The exponents as S is to m (m + 1) ln((m + 1) / m)."""
    log = ln(m + 1) - ln(m)
    formula = less(_here, _next) if up else most(_next, _here)
    sign = as_term(1 if up else -1)
    return Step("exponents", formula, Nonnegative(
        (item(use("1 / k > 0", m), over_next, use(premise)),),
        (
            item(use("1 / k - 1 / (k + 1)", m), times=sign * S()), item(use("k / k", m), times=sign * log),
            item(use("k / k", m + 1), times=sign * (U * number(m) * log)),
        ),
    ))  # fmt: skip


def _of_exponents(label: str, low: Term, high: Term) -> Use:
    return use(label, fns=(Lambda((), low), Lambda((), high)), given=("exponents",))


def _continuous() -> Step:
    slow, goal = less(S(), threshold(m)), less(h_continuous(m), h_continuous(m + 1))
    forth, back = (formula for _, formula in continuous(m).parts)
    ends = [use("h as an exponential", at) for at in (m, m + 1)]
    return _from_one(
        "continuous depth, for h", (), continuous(m),
        Step("if", forth, Generalise(("slow",), (
            _compared("slow", up=True),
            Step("so", goal, Nonnegative(
                (item(_of_exponents("exp increases strictly", _here, _next)),),
                (item(ends[0]), item(ends[1], times=-ONE)),
            )),
        ))),
        Step("only if", back, Generalise(("h rises",), (
            Step("by cases", slow, real_cases(
                slow.right, slow.left, "fast",
                (
                    _compared("fast", up=False),
                    Step("too fast", contradiction, Nonnegative(
                        (item(use("h rises")), item(_of_exponents("exp increases", _next, _here))),
                        (item(ends[0], times=-ONE), item(ends[1])),
                    )),
                    Step("impossible", slow, Absurd(use("too fast"), Fraction(0))),
                ),
                (Step("slower", slow, Chain((use("fast"),))),),
            )),
        ))),
        Step("both", continuous(m), Both(("if", "only if"))),
    )  # fmt: skip


def continuous_lemmas() -> tuple[Step, ...]:
    """exp increases strictly, and the criterion of continuous depth."""
    return exp_increases, exp_increases_strictly, _as_exponential(), _continuous()
