"""When h(m) = m f(m), f(m) = prod_t (1 - lambda_t + lambda_t / m), grows from m to m + 1, for coefficients in [0, 1]:

    f(m) (1 - R / (m + 1))  <=  f(m + 1),      (1 + R / (m + 1)) f(m + 1)  <=  f(m)
    h(m + 1) - h(m)  >=  (a + (m - Y) f(m)) / (m + 1),        a = prod_t (1 - lambda_t)
    R = sum_t lambda_t / (lambda_t + m (1 - lambda_t)),       Y = sum_t lambda_t / (1 - lambda_t)

the third for lambda_t < 1.  With r a term of R, a factor of f(m + 1) is one of f(m) times 1 - r / (m + 1), and (1 - x)
(1 - y) >= 1 - x - y, (1 - x) (1 + x + y) <= 1 + y for x, y >= 0.  With y a term of Y, it is (1 - lambda) (1 + y / m).
All by induction on the layers.
"""

from __future__ import annotations

from proofs.lemmas.kept_share_steps import Stated, attends, by_layers, height, kept, of_mixing, rests
from proofs.lemmas.logarithm_steps import one_over
from proofs.lemmas.prefix_power_steps import lam, stay
from proofs.notation import every, layers, mixing, number
from proofs.steps import Generalise, Identity, Invert, Item, Nonnegative, Step, item, use
from proofs.term import Formula, Implies, Index, Reciprocal, Relation, Symbol, Term, as_term, index, total

__all__ = ["below_one", "growth_lemmas", "odds", "share_at", "total_odds", "total_share"]

m, s, t, T = (index(name) for name in ("m", "s", "t", "T"))
ZERO, ONE = as_term(0), as_term(1)
U, V = one_over(m), one_over(m + 1)
over_m, over_next = (use("1 / k > 0", at) for at in (m, m + 1))

# --- R ---------------------------------------------------------------------------------------------


def _divisor(layer: Index | str, at: Index = m) -> Term:
    return lam(layer) + number(at) * (ONE - lam(layer))


def share_at(layer: Index | str, at: Index = m) -> Term:
    """r_t = lambda_t / (lambda_t + m (1 - lambda_t))."""
    return lam(layer) * Reciprocal(_divisor(layer, at))


def total_share(depth: Index | int, at: Index = m) -> Term:
    """R = r_1 + ... + r_depth."""
    return total("t", 1, depth, share_at("t", at))


def _factor(layer: Index, over: Term) -> Term:
    return ONE - lam(layer) + lam(layer) * over


def _each_layer(label: str, given: tuple[str, Formula], formula: Formula, *steps: Step) -> Step:
    """For every layer t <= T and every m >= 1."""
    name, hypothesis = given
    whole = layers(1, T, every("m", 1, None, formula))
    return Step(label, Implies(hypothesis, whole), Generalise((name, "t", "m"), steps))


def _share_lemmas() -> tuple[Step, ...]:
    positive, most = use("mixing", "t", parts="nonnegative"), use("mixing", "t", parts="at most one")
    inverse = Reciprocal(_divisor("t"))
    next_factor = Relation("=", _factor(t, V), _factor(t, U) * (ONE - share_at("t") * V))
    sign = Relation("<=", ZERO, share_at("t"))
    given = ("mixing", mixing(lam, "T"))
    divisor = Step("divisor", Relation("<", ZERO, _divisor("t")), Nonnegative((item(), item(use("1 <= k", m), most))))
    return (
        _each_layer(
            "share >= 0", given, sign, divisor,
            Step("1 / divisor", Relation("<", ZERO, inverse), Invert(use("divisor"))),
            Step("share", sign, Nonnegative((item(positive, use("1 / divisor")),))),
        ),
        _each_layer(
            "next factor", given, next_factor, divisor,
            Step("inverse", Relation("=", _divisor("t") * inverse, ONE), Invert(use("divisor"))),
            Step("quotient", next_factor, Identity((
                item(use("1 / k - 1 / (k + 1)", m), times=-lam("t")),
                item(use("inverse"), times=lam("t") * U * V),
                item(use("k / k", m), times=-((ONE - lam("t")) * share_at("t") * V)),
            ))),
        ),
    )  # fmt: skip


SHARE = Symbol("r*", 2)  # starred, so that no claim uses the name
_share_known = (
    ("signs", layers(1, T, every("m", 1, None, Relation("<=", ZERO, SHARE("m", "t"))))),
    ("factors", layers(1, T, every("m", 1, None, Relation(
        "=", _factor(t, V), _factor(t, U) * (ONE - SHARE("m", "t") * V)
    )))),
)  # fmt: skip


def _summed(depth: Index | int) -> Term:
    return total("t", 1, depth, SHARE("m", "t"))


def _by_shares(label: str, stated: Stated, products: tuple[Item, ...], zero: Term) -> Step:
    return by_layers(
        label, stated, Nonnegative(()), products, (item(use("factors", s + 1, m), times=zero),), SHARE, _share_known
    )


def _of_shares() -> tuple[Step, ...]:
    so_far, sign, others = use("so far", m), use("signs", s + 1, m), use("signs", "t", m)
    before, here, after = (("t", 1, s),), of_mixing("f > 0", s, m), of_mixing("f > 0", s, m + 1)
    return (
        _by_shares(
            "f falls at most",
            lambda depth: Relation("<=", kept(depth, m) * (ONE - V * _summed(depth)), kept(depth, m + 1)),
            (
                item(rests, so_far), item(attends, over_next, so_far),
                *(
                    item(*share, here, sign, over_next, over_next, others, over=before)
                    for share in ((rests,), (attends, over_m))
                ),
            ),
            -(kept(s, m) * (ONE - V * _summed(s))),
        ),
        _by_shares(
            "f falls at least",
            lambda depth: Relation("<=", (ONE + V * _summed(depth)) * kept(depth, m + 1), kept(depth, m)),
            (
                item(rests, so_far), item(attends, over_m, so_far),
                *(
                    item(*share, after, sign, over_next, over_next, *rest, over=span)
                    for share in ((rests,), (attends, over_m))
                    for rest, span in (((others,), before), ((sign,), ()))
                ),
            ),
            (ONE + V * _summed(s) + V * SHARE(m, s + 1)) * kept(s, m + 1),
        ),
    )  # fmt: skip


# --- Y ---------------------------------------------------------------------------------------------


def below_one() -> Formula:
    """lambda_t < 1 for every layer."""
    return layers(1, T, Relation("<", lam("t"), ONE))


def odds(layer: Index | str) -> Term:
    """y_t = lambda_t / (1 - lambda_t)."""
    return lam(layer) * Reciprocal(ONE - lam(layer))


def total_odds(depth: Index | int) -> Term:
    """Y = y_1 + ... + y_depth."""
    return total("t", 1, depth, odds("t"))


def _odds_lemmas() -> tuple[Step, ...]:
    inverse = Reciprocal(ONE - lam("t"))
    positive, below = use("mixing", "t", parts="nonnegative"), use("below one", "t")
    signs, quotients = (
        layers(1, T, relation)
        for relation in (
            Relation("<=", ZERO, odds("t")), Relation("=", (ONE - lam("t")) * odds("t"), lam("t")),
        )
    )  # fmt: skip
    inverted = layers(1, T, Relation("=", (ONE - lam("t")) * inverse, ONE))
    over = layers(1, T, Relation("<", ZERO, inverse))
    return (
        Step("odds", Implies(below_one(), quotients), Generalise(("below one",), (
            Step("inverses", inverted, Invert(below)),
            Step("quotients", quotients, Identity((item(use("inverses", "t"), times=lam("t")),))),
        ))),
        Step("odds >= 0", Implies(mixing(lam, "T"), Implies(below_one(), signs)), Generalise(("mixing", "below one"), (
            Step("inverses > 0", over, Invert(below)),
            Step("signs", signs, Nonnegative((item(positive, use("inverses > 0", "t")),))),
        ))),
    )  # fmt: skip


ODDS = Symbol("y*", 1)
_odds_known = (
    ("signs", layers(1, T, Relation("<=", ZERO, ODDS("t")))),
    ("quotients", layers(1, T, Relation("=", (ONE - lam("t")) * ODDS("t"), lam("t")))),
)


def _summed_odds(depth: Index | int) -> Term:
    return total("t", 1, depth, ODDS("t"))


QUOTIENT, SIGN = use("quotients", s + 1), use("signs", s + 1)


def _bounded() -> Step:
    """f(m) (1 - Y / m) <= a."""
    here, f, before = of_mixing("f > 0", s, m), kept(s, m), (("t", 1, s),)
    return by_layers(
        "f is at most, by odds",
        lambda depth: Relation("<=", kept(depth, m) * (ONE - U * _summed_odds(depth)), stay(depth)),
        Nonnegative(()),
        (
            item(rests, use("so far", m)), item(rests, here, over_m, over_m, SIGN, SIGN),
            item(rests, here, over_m, over_m, SIGN, use("signs", "t"), over=before),
        ),
        (item(QUOTIENT, times=-(U * f * (ONE - U * _summed_odds(s) - U * ODDS(s + 1)))),),
        ODDS, _odds_known,
    )  # fmt: skip


def _grows() -> Step:
    """h(m + 1) - h(m) >= (a + (m - Y) f(m)) / (m + 1)."""
    f, rise = kept(s, m), height(s, m + 1) - height(s, m)
    bounded = use("f is at most, by odds", s, m, fns=(ODDS,), given=("mixing", "signs", "quotients"))
    return by_layers(
        "h grows",
        lambda depth: Relation(
            "<=", V * (stay(depth) + (number(m) - _summed_odds(depth)) * kept(depth, m)),
            height(depth, m + 1) - height(depth, m),
        ),
        Nonnegative((), (item(use("k / k", m + 1)),)),
        (
            item(rests, use("so far", m)), item(rests, over_next, SIGN, use("so far", m)),
            item(rests, over_next, over_next, SIGN, bounded),
            item(rests, over_m, over_next, of_mixing("f > 0", s, m), SIGN, SIGN),
        ),
        (
            item(QUOTIENT, times=V * rise),
            item(QUOTIENT, times=V * f * ((V + U * V) * _summed_odds(s) + U * ODDS(s + 1) - ONE - number(m + 1) * V)),
            item(use("k / k", m), times=lam(s + 1) * f * (ONE + V)),
            item(use("k / k", m + 1), times=-(lam(s + 1) * f * (ONE + V))),
            item(use("1 / k - 1 / (k + 1)", m), times=-(lam(s + 1) * V * f * _summed_odds(s))),
        ),
        ODDS, _odds_known,
    )  # fmt: skip


def growth_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return (*_share_lemmas(), *_of_shares(), *_odds_lemmas(), _bounded(), _grows())
