"""The shape of the law of a distance, L_0 = c_0 and L_d = (1 - rho) E c_{1 + Bin(d - 1, 1 - rho)} for d >= 1.

slopes      L_{d+1} - L_d = (1 - rho)^2 E (c_{2 + Bin(d - 1, 1 - rho)} - c_{1 + Bin(d - 1, 1 - rho)})
shape       c >= 0 log-concave, 0 <= rho <= 1, c_0 > 0 if rho < 1: from d = 1 on L is log-concave, and falls on once
            it falls; so it never rises if c_2 <= c_1
hump        if rho < 1 and L_2 <= L_1, then c_2 <= c_1
spike       L_1 <= L_0 if and only if (1 - rho) c_1 <= c_0
"""

from __future__ import annotations

from proofs.lemmas.binomial_mean_steps import at_most_1, binomial_weight, mean, means, power
from proofs.lemmas.distance_law_steps import distance_law, falls, far, log_concave_from_1, unimodal_from_1
from proofs.lemmas.log_concave_steps import falls_on, log_concave, not_negative
from proofs.lemmas.poisson_steps import at_least_0
from proofs.lemmas.product_steps import for_all
from proofs.notation import every
from proofs.steps import Both, Chain, Generalise, Identity, Instantiate, Nonnegative, Step, item, use
from proofs.substitute import apply
from proofs.term import And, Fn, Formula, Implies, Lambda, Relation, Symbol, Term, as_term, index, total

__all__ = ["GIVEN", "hump", "law_shape_lemmas", "shape", "slopes", "spike"]

c, L, rho = Symbol("c*", 1), Symbol("L*", 1), Symbol("rho*", 0)  # starred, so that no claim uses the names
d, k, l, D, r = (index(name) for name in ("d", "k", "l", "D", "r"))  # noqa: E741 - the letters of the formulas
ONE = as_term(1)
_p, _q = rho(), ONE - rho()


def second_falls(sequence: Fn) -> Relation:
    """c_2 <= c_1."""
    return falls(sequence, 1)


def slopes(law: Fn, sequence: Fn, stays: Term) -> Formula:
    """L_{d+1} - L_d = (1 - rho)^2 sum_{k < d} C(d-1, k) (1 - rho)^k rho^{d-1-k} (c_{k+2} - c_{k+1}), 1 <= d <= D."""
    here, after = (apply(law, (d + step,)) for step in (0, 1))
    jump = apply(sequence, (k + 2,)) - apply(sequence, (k + 1,))
    right = power(ONE - stays, 2) * total("k", 0, d - 1, binomial_weight(stays, d - 1, k) * jump)
    return every("d", 1, D, Relation("=", after - here, right))


def shape(law: Fn, second: Formula) -> And:
    """Log-concave and unimodal from 1 on, without a hump if ``second``."""
    return And((
        ("log-concave", log_concave_from_1(law)),
        ("unimodal", unimodal_from_1(law)),
        ("no hump", Implies(second, every("d", 1, D, falls(law, d)))),
    ))  # fmt: skip


def hump(law: Fn, second: Formula) -> Implies:
    """If L_2 <= L_1, then ``second``."""
    return Implies(falls(law, 1), second)


def spike(law: Fn, condition: Formula) -> And:
    """L_1 <= L_0 if and only if ``condition``."""
    return And((("if", Implies(condition, falls(law, 0))), ("only if", Implies(falls(law, 0), condition))))


GIVEN = ("rho >= 0", "rho <= 1", "c >= 0", "log-concave", "starts")
_link = far(Relation("=", L("d"), distance_law(c, _p, d)))
_of_c = (c, rho)
_to_means = Step("means", every("d", 0, D + 1, Relation("=", L(d + 1), _q * mean(c, _p, d, 1))), Identity((
    item(use("law", d + 1)), item(use("law further on", d, fns=_of_c)),
)))  # fmt: skip
_array = ("means", use("one trial more", fns=_of_c))
_of_array = (L, means(c, _p), rho)


def _by_law(label: str, goal: Formula, given: dict[str, Formula], *steps: Step) -> Step:
    """For all L, c and rho where L is the law."""
    whole = for_all((L, c, rho), _link, *given.values(), goal)
    return Step(label, whole, Generalise(("L*", "c*", "rho*", "law", *given), steps))


_slopes = _by_law("slopes of laws", slopes(L, c, _p), {}, _to_means, Step("by counts", slopes(L, c, _p), Identity((
    item(use("slopes of means", d, fns=_of_array, given=_array)),
    *(
        item(
            use("binomial law", d - 1 - r, r, fns=(rho,)), times=as_term(sign) * _q * _q * c(r + shift),
            over=(("r", 0, d - 1),),
        )
        for sign, shift in ((1, 2), (-1, 1))
    ),
))))  # fmt: skip

_row = Lambda(("k",), mean(c, _p, 0, k))
_below_1 = Relation("<", _p, ONE)
_start = Implies(_below_1, falls_on(_row))
_shape = _by_law(
    "shape of laws", shape(L, second_falls(c)),
    {
        "rho >= 0": at_least_0(_p), "rho <= 1": at_most_1(_p), "c >= 0": not_negative(c),
        "log-concave": log_concave(c), "starts": Implies(_below_1, Relation("<", as_term(0), c(0))),
    },
    _to_means,
    Step("log-concave start", log_concave(_row), Chain((use("log-concave", l, k),))),
    Step("falling start", _start, Generalise(("rho < 1",), (
        Step("falls on here", falls_on(_row), Instantiate(use(
            "falls on", fns=(c,), given=("c >= 0", use("starts", given=("rho < 1",)), "log-concave")
        ))),
    ))),
    Step("by means", shape(L, second_falls(c)), Instantiate(use(
        "shape of means", fns=_of_array, given=(*_array, "rho >= 0", "rho <= 1", "log-concave start", "falling start")
    ))),
)  # fmt: skip

_hump = _by_law("hump of laws", hump(L, second_falls(c)), {"rho < 1": _below_1}, _to_means, Step(
    "by means", hump(L, second_falls(c)), Instantiate(use("means fall", 1, fns=_of_array, given=(*_array, "rho < 1")))
))  # fmt: skip

_condition = Relation("<=", _q * c(1), c(0))
_one_before = Relation("=", L(1), _q * c(1))
_at_0 = Relation("=", L(0), c(0))
_spike = _by_law(
    "spike of laws", spike(L, _condition), {},
    _to_means,
    Step("last", _at_0, Identity((item(use("law", 0)), item(use("law at 0", fns=_of_c))))),
    Step("last but one", _one_before, Identity((item(use("means", 0)),))),
    Step("if", Implies(_condition, falls(L, 0)), Generalise(("condition",), (
        Step("falls", falls(L, 0), Nonnegative(
            (item(use("condition")),), (item(use("last but one")), item(use("last"), times=-1))
        )),
    ))),
    Step("only if", Implies(falls(L, 0), _condition), Generalise(("falls",), (
        Step("condition", _condition, Nonnegative(
            (item(use("falls")),), (item(use("last")), item(use("last but one"), times=-1))
        )),
    ))),
    Step("both", spike(L, _condition), Both(("if", "only if"))),
)  # fmt: skip


def law_shape_lemmas() -> tuple[Step, ...]:
    """Slopes, shape, hump and spike; after the lemmas on laws and on the shape of means."""
    return _slopes, _shape, _hump, _spike
