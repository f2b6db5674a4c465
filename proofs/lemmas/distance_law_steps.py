"""Laws of a distance made of a number of hops, each of a geometric length: for every sequence c and every rho

    L_0 = c_0,    L_d = (1 - rho) E c_{1 + Bin(d - 1, 1 - rho)}    for d >= 1.

One hop more averages them, with the means f of binomial_mean_steps.py, f(d, s) = E c_{s + Bin(d, 1 - rho)}:

    sum_{e <= d} (1 - rho) rho^{d-e} L_e = (1 - rho) f(d, 0)

Since L_{d+1} = (1 - rho) f(d, 1), from d = 1 on the shape of L is that of f in d, and

    L_{d+1} - L_d = (1 - rho)^2 (f(d-1, 2) - f(d-1, 1)).
"""

from __future__ import annotations

from proofs.lemmas.binomial_mean_steps import at_most_1, binomial_weight, mean, one_more, power
from proofs.lemmas.log_concave_steps import falls_on, log_concave
from proofs.lemmas.poisson_steps import at_least_0
from proofs.lemmas.product_steps import for_all
from proofs.notation import every, n, zero_one
from proofs.steps import (
    Antisymmetry,
    Both,
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Nonnegative,
    Step,
    Use,
    item,
    real_cases,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    And,
    Fn,
    Formula,
    Implies,
    Index,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "distance_law",
    "falls",
    "far",
    "law_lemmas",
    "log_concave_from_1",
    "shape_lemmas",
    "unimodal_from_1",
    "weighted",
]

c, F, L, rho = Symbol("c*", 1), Symbol("F*", 2), Symbol("L*", 1), Symbol("rho*", 0)  # starred: no claim uses the names
d, e, k, D, r = (index(name) for name in ("d", "e", "k", "D", "r"))
ONE = as_term(1)
_p, _q = rho(), ONE - rho()


def distance_law(sequence: Fn, stays: Term, at: Index | int) -> Term:
    """L_d = [d = 0] c_0 + (1 - rho) sum_{k < d} C(d-1, k) (1 - rho)^k rho^{d-1-k} c_{k+1}."""
    last = as_index(at) - 1
    far = total("k", 0, last, binomial_weight(stays, last, k) * apply(sequence, (k + 1,)))
    return zero_one(at, 0) * apply(sequence, (as_index(0),)) + (ONE - stays) * far


def weighted(law: Fn, stays: Term, at: Index | int) -> Term:
    """sum_{e <= d} (1 - rho) rho^{d-e} L_e: one hop more."""
    return total("e", 0, at, (ONE - stays) * power(stays, as_index(at) - e) * apply(law, (e,)))


def far(body: Formula) -> Formula:
    """For every distance of which something is said: within n, and a little beyond D."""
    return every("d", 0, n + D + 1, body)


# --- one hop more -----------------------------------------------------------------------------------

_closed = Lambda(("d",), distance_law(c, _p, d))


def _apart(at: Index) -> Lambda:
    """e -> (1 - rho) rho^{at - e} L_e."""
    return Lambda(("e",), _q * power(_p, at - e) * distance_law(c, _p, e))


def _averaged(at: Index | int) -> Relation:
    return Relation("=", weighted(_closed, _p, at), _q * mean(c, _p, at, 0))


_law_at_0 = Relation("=", distance_law(c, _p, 0), c(0))
_law_further = every("d", 0, None, Relation("=", distance_law(c, _p, d + 1), _q * mean(c, _p, d, 1)))
_here = Step("law at 0", for_all((c, rho), _law_at_0), Generalise(("c*", "rho*"), (
    Step("first", _law_at_0, Identity()),
)))  # fmt: skip
_further = Step("law further on", for_all((c, rho), _law_further), Generalise(("c*", "rho*"), (
    Step("mean", _law_further, Identity((
        item(use("binomial law", d - r, r, fns=(rho,)), times=-(_q * c(r + 1)), over=(("r", 0, d),)),
    ))),
)))  # fmt: skip
_hop = Step("one hop more", for_all((c, rho), every("d", 0, None, _averaged(d))), Generalise(("c*", "rho*"), (
    Step("every distance", every("d", 0, None, _averaged(d)), Induction(
        "so far",
        base=(Step("distance 0", _averaged(0), Identity((
            item(use("only term", fns=(_apart(as_index(0)),))), item(use("law at 0", fns=(c, rho)), times=_q),
        ))),),
        step=(Step("one further", _averaged(d + 1), Identity((
            item(use("last apart", d, fns=(_apart(d + 1),))),
            item(use("so far"), times=_p),
            item(use("law further on", d, fns=(c, rho)), times=_q),
            item(use("one trial more", d, 0, fns=(c, rho)), times=-_q),
        ))),),
    )),
)))  # fmt: skip


def law_lemmas() -> tuple[Step, ...]:
    """The law by means, and one hop more; after those of binomial_mean_steps.py and shift_steps.py."""
    return _here, _further, _hop


# --- shape ------------------------------------------------------------------------------------------


def falls(law: Fn, at: Index | int) -> Relation:
    """L_{d+1} <= L_d."""
    return Relation("<=", apply(law, (as_index(at) + 1,)), apply(law, (as_index(at),)))


def log_concave_from_1(law: Fn) -> Formula:
    """L_d L_{d+2} <= L_{d+1}^2 for 1 <= d <= D."""
    here, after, last = (apply(law, (d + step,)) for step in range(3))
    return every("d", 1, D, Relation("<=", here * last, after * after))


def unimodal_from_1(law: Fn) -> Formula:
    """For 1 <= d <= D: L_{d+1} <= L_d implies L_{d+2} <= L_{d+1}."""
    return every("d", 1, D, Implies(falls(law, d), falls(law, d + 1)))


_row = Lambda(("k",), F(0, k))
_second_falls = Relation("<=", F(0, 2), F(0, 1))
_shape = And((
    ("log-concave", log_concave_from_1(L)),
    ("unimodal", unimodal_from_1(L)),
    ("no hump", Implies(_second_falls, every("d", 1, D, falls(L, d)))),
))  # fmt: skip
_array = {
    "means": every("d", 0, D + 1, Relation("=", L(d + 1), _q * F(d, 1))), "one more": one_more(F, _p)
}  # fmt: skip
_decay = {"rho >= 0": at_least_0(_p), "rho <= 1": at_most_1(_p)}
_below_1 = Relation("<", _p, ONE)
_given = {
    **_array, **_decay, "log-concave start": log_concave(_row), "falling start": Implies(_below_1, falls_on(_row))
}  # fmt: skip
_inverse = Reciprocal(_q)
_positive = Step("1 - rho > 0", Relation("<", as_term(0), _q), Nonnegative((item(use("rho < 1")),)))


def _slope(at: Index) -> Relation:
    """L_{d+1} - L_d = (1 - rho)^2 (f(d-1, 2) - f(d-1, 1))."""
    return Relation("=", L(at + 1) - L(at), _q * _q * (F(at - 1, 2) - F(at - 1, 1)))


def _mean_falls(at: Index) -> Relation:
    return Relation("<=", F(at - 1, 2), F(at - 1, 1))


def _slope_of(at: Index | int) -> Use:
    return use("slopes of means", at, fns=(L, F, rho), given=tuple(_array))


_slopes = Step("slopes of means", for_all((L, F, rho), *_array.values(), every("d", 1, D + 1, _slope(d))), Generalise(
    ("L*", "F*", "rho*", *_array), (Step("slope", every("d", 1, D + 1, _slope(d)), Identity((
        item(use("means", d)), item(use("means", d - 1), times=-1), item(use("one more", d - 1, 1), times=_q),
    ))),),
))  # fmt: skip

_back = every("d", 1, D + 1, Implies(falls(L, d), _mean_falls(d)))
_conversely = Step("means fall", for_all((L, F, rho), *_array.values(), _below_1, _back), Generalise(
    ("L*", "F*", "rho*", *_array, "rho < 1", "d", "falls"),
    (
        _positive,
        Step("(1 - rho) / (1 - rho)", Relation("=", _q * _inverse, ONE), Invert(use("1 - rho > 0"))),
        Step("1 / (1 - rho) > 0", Relation("<", as_term(0), _inverse), Invert(use("1 - rho > 0"))),
        Step("mean falls", _mean_falls(d), Nonnegative(
            (item(use("1 / (1 - rho) > 0"), use("1 / (1 - rho) > 0"), use("falls")),),
            (
                item(_slope_of(d), times=-(_inverse * _inverse)),
                item(use("(1 - rho) / (1 - rho)"), times=(ONE + _q * _inverse) * (F(d - 1, 1) - F(d - 1, 2))),
            ),
        )),
    ),
))  # fmt: skip

_shares = use("1 - rho >= 0"), use("1 - rho >= 0")
_next = falls(L, d + 1)
_unimodal = Step("unimodal", unimodal_from_1(L), Generalise(("d", "falls"), (
    Step("next", _next, real_cases(
        ONE, _p, "rho >= 1",
        (
            Step("no way", Relation("=", _q, as_term(0)), Antisymmetry(use("rho >= 1"), use("rho <= 1"))),
            Step("flat", _next, Nonnegative((), (
                item(_slope_of(d + 1)), item(use("no way"), times=_q * (F(d, 2) - F(d, 1))),
            ))),
        ),
        (
            Step("rho < 1", _below_1, Chain((use("rho >= 1"),))),
            _positive,
            Step("mean falls", _mean_falls(d), Instantiate(use(
                "means fall", d, fns=(L, F, rho), given=(*_array, "rho < 1", "falls")
            ))),
            Step("then falls", Relation("<=", F(d - 1, 3), F(d - 1, 2)), Instantiate(use(
                "falling rows", d - 1, 1, fns=(F, rho),
                given=("one more", "rho >= 0", "1 - rho > 0", use("falling start", given=("rho < 1",)), "mean falls"),
            ))),
            Step("so it does", _next, Nonnegative(
                (
                    item(use("1 - rho > 0"), use("1 - rho > 0"), use("rho >= 0"), use("mean falls")),
                    item(use("1 - rho > 0"), use("1 - rho > 0"), use("1 - rho > 0"), use("then falls")),
                ),
                (
                    item(_slope_of(d + 1)),
                    item(use("one more", d - 1, 1), times=-(_q * _q)),
                    item(use("one more", d - 1, 2), times=_q * _q),
                ),
            )),
        ),
    )),
)))  # fmt: skip

_whole_shape = for_all((L, F, rho), *_given.values(), _shape)
_of_shape = Step("shape of means", _whole_shape, Generalise(("L*", "F*", "rho*", *_given), (
    Step("1 - rho >= 0", at_least_0(_q), Chain((use("rho <= 1"),))),
    Step("log-concave", log_concave_from_1(L), Nonnegative(
        (item(*_shares, use("log-concave columns", d - 1, 1, fns=(F, rho), given=(
            "one more", "rho >= 0", "rho <= 1", "log-concave start"
        ))),),
        (
            item(use("means", d), times=-(L(d + 1) + _q * F(d, 1))),
            item(use("means", d - 1), times=L(d + 2)),
            item(use("means", d + 1), times=_q * F(d - 1, 1)),
        ),
    )),
    _unimodal,
    Step("no hump", Implies(_second_falls, every("d", 1, D, falls(L, d))), Generalise(("second falls",), (
        Step("every distance", every("d", 1, D, falls(L, d)), Induction(
            "so far",
            base=(Step("the second", falls(L, 1), Nonnegative(
                (item(*_shares, use("second falls")),), (item(_slope_of(1)),)
            )),),
            step=(Step("the next", falls(L, d + 1), Instantiate(use("unimodal", d, given=("so far",)))),),
        )),
    ))),
    Step("all", _shape, Both(("log-concave", "unimodal", "no hump"))),
)))  # fmt: skip


def shape_lemmas() -> tuple[Step, ...]:
    """Slopes, how they tell of the means, and the shape; after the lemmas on arrays."""
    return _slopes, _conversely, _of_shape
