"""Sums and products of a sequence x_t, t = 1, 2, ...: what the statements on infinite depth share.

    products      0 <= prod (1 - x_t) <= 1;  1 - sum x_t <= prod (1 - x_t);  prod (1 - x_t) (1 + sum x_t) <= 1
    split         prod_{t <= S + u} = prod_{t <= S} prod_{S < t <= S + u}
    tails         a finite sum has small tails
    kept          factors that are positive and a finite sum keep the product above a positive number

Each is a lemma for every sequence, under its hypotheses on x.  Source: classical.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.notation import accumulated, bounded_away, every, number, some, summable
from proofs.steps import (
    Absurd,
    Archimedes,
    Both,
    Cases,
    Chain,
    Either,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Item,
    Nonnegative,
    Obtain,
    Step,
    Use,
    Witness,
    item,
    use,
)
from proofs.substitute import apply, substitute
from proofs.term import (
    And,
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Num,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
    total,
)

__all__ = [
    "at_least_zero",
    "at_most_one",
    "below_one",
    "kept_product",
    "left",
    "partial_sum",
    "product_above",
    "product_at_most_one",
    "product_below",
    "product_nonnegative",
    "shifted",
    "small_tails",
    "split_product",
]

ZERO, ONE, HALF = as_term(0), as_term(1), Num(Fraction(1, 2))
x, eta = Symbol("x*", 1), Symbol("eta*", 0)  # starred, so that no claim uses the names
t, u, p, q, r, k = (index(name) for name in ("t", "u", "p", "q", "r", "k"))


def left(sequence: Fn, depth: Index | int | str) -> Term:
    """prod_{t <= depth} (1 - x_t)."""
    return accumulated(Lambda(("t",), ONE - apply(sequence, (t,))))(depth)


def partial_sum(sequence: Fn, depth: Index | int | str) -> Term:
    """x_1 + ... + x_depth."""
    return total("t", 1, depth, apply(sequence, (t,)))


def shifted(sequence: Fn, start: Index) -> Lambda:
    """t -> x_{start + t}."""
    return Lambda(("t",), apply(sequence, (start + t,)))


def at_least_zero(sequence: Fn) -> Formula:
    """0 <= x_t for every t >= 1."""
    return every("t", 1, None, Relation("<=", ZERO, apply(sequence, (t,))))


def at_most_one(sequence: Fn) -> Formula:
    """x_t <= 1 for every t >= 1."""
    return every("t", 1, None, Relation("<=", apply(sequence, (t,)), ONE))


def below_one(sequence: Fn) -> Formula:
    """x_t < 1 for every t >= 1."""
    return every("t", 1, None, Relation("<", apply(sequence, (t,)), ONE))


def _if(*premises: Formula, then: Formula) -> Formula:
    for premise in reversed(premises):
        then = Implies(premise, then)
    return then


# --- products -------------------------------------------------------------------------------------

_sum, _product = partial_sum(x, "r"), left(x, "r")
_unit = ("at least 0", "at most 1")


def _each_depth(body: Formula, first: tuple[Item, ...], more: tuple[Item, ...], label: str = "each depth") -> Step:
    """A relation at depth r, for every r, by induction: certificates at depth 0 and at one more."""
    return Step(label, every("r", 0, None, body), Induction(
        "so far",
        base=(Step("no factor", substitute(body, {"r": Index(())}, {}), Nonnegative(first)),),
        step=(Step("one more factor", substitute(body, {"r": r + 1}, {}), Nonnegative(more)),),
    ))  # fmt: skip


def _lemma(label: str, body: Formula, first: tuple[Item, ...], more: tuple[Item, ...]) -> Step:
    """For every sequence between 0 and 1, the relation at every depth."""
    goal = _if(at_least_zero(x), at_most_one(x), then=every("r", 0, None, body))
    return Step(label, ForAllFn(x, goal), Generalise(("x*", *_unit), (_each_depth(body, first, more),)))


zero, one = use("at least 0", r + 1), use("at most 1", r + 1)
far = use("so far")

_nonnegative = Relation("<=", ZERO, _product)
_at_most = Relation("<=", _product, ONE)
_weierstrass = Relation("<=", ONE - _sum, _product)
_inverse = Relation("<=", _product * (ONE + _sum), ONE)


def _cited(label: str) -> Use:
    """An earlier lemma for the same sequence, at depth r."""
    return use(label, "r", fns=(x,), given=_unit)


product_nonnegative = _lemma("product >= 0", _nonnegative, (item(times=ONE),), (item(one, far),))
product_at_most_one = _lemma("product <= 1", _at_most, (), (item(far), item(zero, _cited("product >= 0"))))
product_above = _lemma("product >= 1 - sum", _weierstrass, (), (item(far), item(zero, _cited("product <= 1"))))
product_below = _lemma("product (1 + sum) <= 1", _inverse, (), (
    item(far), item(zero, zero, _cited("product >= 0")),
    item(zero, _cited("product >= 0"), use("at least 0", "t"), over=(("t", 1, r),)),
))  # fmt: skip

_both = Relation("=", left(x, p + u), left(x, p) * left(shifted(x, p), u))
split_product = Step("products split", ForAllFn(x, every("p", 0, None, every("u", 0, None, _both))), Generalise(
    ("x*", "p"), (Step("each length", every("u", 0, None, _both), Induction(
        "so far",
        base=(Step("nothing more", substitute(_both, {"u": Index(())}, {}), Identity()),),
        step=(Step("one more factor", substitute(_both, {"u": u + 1}, {}), Identity((
            item(use("so far"), times=ONE - apply(x, (p + u + 1,))),
        ))),),
    )),),
))  # fmt: skip


# --- finite sums ----------------------------------------------------------------------------------

_tail = Relation("<=", partial_sum(shifted(x, p), u), eta())
_small = some("p", 0, every("u", 0, None, _tail))
_grown = some("q", 0, Relation("<=", number("k") * eta(), partial_sum(x, "q")))
_M = Symbol("M*", 0)
_many = (_M() + 1) * Reciprocal(eta())

_if_never_small = (
    Step("it grows", every("k", 0, None, _grown), Induction(
        "so far",
        base=(
            Step("nothing", Relation("<=", number(0) * eta(), partial_sum(x, 0)), Nonnegative(())),
            Step("no term", substitute(_grown, {"k": Index(())}, {}), Witness(Index(()), "nothing")),
        ),
        step=(Step("one more", substitute(_grown, {"k": k + 1}, {}), Obtain(use("so far"), "p", "grown", (
            Step("again", substitute(_grown, {"k": k + 1}, {}), Obtain(use("case", p), "u", "tail", (
                Step("together", Relation("<=", number(k + 1) * eta(), partial_sum(x, p + u)), Nonnegative(
                    (item(use("grown")), item(use("tail")))
                )),
                Step("further", substitute(_grown, {"k": k + 1}, {}), Witness(p + u, "together")),
            ))),
        ))),),
    )),
    Step("inverse", Relation("=", eta() * Reciprocal(eta()), ONE), Invert(use("positive"))),
    Step("too far", _small, Obtain(use("finite sum"), "M*", "bound", (
        Step("beyond", some("k", 0, Relation("<=", _many, number("k"))), Archimedes()),
        Step("too many", _small, Obtain(use("beyond"), "k", "many", (
            Step("too large", _small, Obtain(use("it grows", k), "q", "large", (
                Step("false", Relation("<=", _M() + 1, _M()), Nonnegative(
                    (item(use("bound", q)), item(use("large")), item(use("many"), use("positive"))),
                    (item(use("inverse"), times=-(_M() + 1)),),
                )),
                Step("so", _small, Absurd(use("false"), Fraction(-1))),
            ))),
        ))),
    ))),
)  # fmt: skip

small_tails = Step(
    "small tails",
    ForAllFn(x, _if(summable(x), then=ForAllFn(eta, _if(Relation("<", ZERO, eta()), then=_small)))),
    Generalise(("x*", "finite sum", "eta*", "positive"), (
        Step("either", _small, Either(
            _small, "case", (Step("is", _small, Instantiate(use("case"))),), _if_never_small
        )),
    )),
)  # fmt: skip

# --- products that stay above a positive number -----------------------------------------------------

_rest, _kept = shifted(x, p), bounded_away(Lambda(("q",), left(x, "q")))
_c, _little = left(x, p) * HALF, Relation("<=", partial_sum(_rest, u), HALF)
_above = Relation("<=", _c, left(x, "q"))
_positive = Relation("<", ZERO, _product)


def _unit_shifted(name: str, start: Index) -> tuple[Step, Step]:
    """The sequence from ``start`` on is between 0 and 1."""
    later = shifted(x, start)
    return (
        Step(f"{name} at least 0", at_least_zero(later), Chain((use("at least 0", start + t),))),
        Step(f"{name} at most 1", at_most_one(later), Chain((use("at most 1", start + t),))),
    )


def _of(label: str, name: str, start: Index, length: Index) -> Use:
    """A lemma on products for the sequence from ``start`` on."""
    return use(label, length, fns=(shifted(x, start),), given=(f"{name} at least 0", f"{name} at most 1"))


kept_product = Step(
    "positive products",
    ForAllFn(x, _if(at_least_zero(x), below_one(x), summable(x), then=_kept)),
    Generalise(("x*", "at least 0", "below 1", "finite sum"), (
        Step("at most 1", at_most_one(x), Nonnegative((item(use("below 1", "t")),))),
        _each_depth(_positive, (item(times=ONE),), (item(use("below 1", r + 1), far),), "product > 0"),
        Step("1/2 > 0", Relation("<", ZERO, HALF), Nonnegative((item(times=HALF),))),
        Step("a small tail", some("p", 0, every("u", 0, None, _little)), Instantiate(
            use("small tails", fns=(x, Lambda((), HALF)), given=("finite sum", "1/2 > 0"))
        )),
        Step("from there on", _kept, Obtain(use("a small tail"), "p", "tail", (
            *_unit_shifted("rest", p),
            Step("half > 0", Relation("<", ZERO, _c), Nonnegative((item(use("product > 0", p), times=HALF),))),
            Step("half below", every("q", 0, None, _above), Generalise(("q",), (
                Step("either way", _above, Cases(q, p, (
                    *_unit_shifted("later", q),
                    Step("before", _above, Nonnegative(
                        (
                            item(use("product > 0", q), times=HALF),
                            item(use("product > 0", q), _of("product <= 1", "later", q, p - q), times=HALF),
                        ),
                        (item(use("products split", q, p - q, fns=(x,)), times=HALF),),
                    )),
                ), (
                    Step("after", _above, Nonnegative(
                        (
                            item(use("product > 0", p), _of("product >= 1 - sum", "rest", p, q - p)),
                            item(use("product > 0", p), use("tail", q - p)),
                        ),
                        (item(use("products split", p, q - p, fns=(x,)), times=-1),),
                    )),
                ))),
            ))),
            Step("half", And((("positive", Relation("<", ZERO, _c)), ("bound", every("q", 0, None, _above)))), Both(
                ("half > 0", "half below")
            )),
            Step("witness", _kept, Witness(Lambda((), _c), "half")),
        ))),
    )),
)  # fmt: skip
