"""Binomial moments sum_j p_j C(j - 1, m) of rows that the uniform kernel makes: each layer multiplies them.

    sum_l A_il C(l - 1, m) = C(i - 1, m) / (m + 1),    A_ij = 1 / i for j <= i

The moments of all orders determine a row.  Steps for a claim with the index m; the lemmas of pascal_steps are cited.
"""

from __future__ import annotations

from proofs.laws import term_of_series
from proofs.lemmas.moment_steps import kept_moment, share
from proofs.lemmas.shared_steps import constant
from proofs.notation import (
    accumulated,
    binomial,
    every,
    n,
    number,
    power,
    rollout,
    transition,
    up_to_diagonal,
)
from proofs.steps import (
    Cases,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Step,
    item,
    use,
)
from proofs.term import (
    Fn,
    Formula,
    Index,
    Lambda,
    Reciprocal,
    Relation,
    Term,
    as_term,
    index,
    total,
)

__all__ = [
    "binomial_moment",
    "determined",
    "every_row",
    "here",
    "mixtures",
    "one_layer",
    "powers",
    "rolled",
    "rollouts",
    "uniform",
]

i, j, k, at_l, m, s, u, T = (index(name) for name in ("i", "j", "k", "l", "m", "s", "u", "T"))
ONE = as_term(1)
uniform = Lambda(("i", "j"), up_to_diagonal("i", "j") * Reciprocal(number("i")))
powers = power(uniform)


def binomial_moment(row: Term) -> Term:
    """sum_j p_j C(j - 1, m)."""
    return total("j", 1, n, row * binomial(j - 1, "m"))


def every_row(left: Term, right: Term) -> Formula:
    """The equation in every row."""
    return every("i", 1, n, Relation("=", left, right))


here = binomial(i - 1, "m")


def rolled(lam: Fn, depth: Index | int | str) -> Formula:
    """sum_j P_ij C(j - 1, m) = C(i - 1, m) prod_t (1 - lambda_t + lambda_t / (m + 1))."""
    return every_row(
        binomial_moment(rollout(transition(lam, constant(uniform)))(depth, "i", "j")),
        here * accumulated(kept_moment(lam))(depth),
    )


def one_layer() -> Step:
    """sum_l A_il C(l - 1, m) = C(i - 1, m) / (m + 1)."""
    goal = every_row(total("l", 1, n, uniform("i", "l") * binomial(at_l - 1, "m")), here * share)
    row_share = Reciprocal(number("i"))
    return Step("one layer", goal, Identity((
        item(use("sum of binomials", i, m), times=row_share),
        item(use("inverse", m), times=-row_share * binomial(i, m + 1)),
        item(use("absorption", i - 1, m), times=-row_share * share),
        item(use("inverse", i - 1), times=here * share),
    )))  # fmt: skip


def rollouts(lam: Fn) -> tuple[Step, ...]:
    """Each layer multiplies the moment by 1 - lambda_t + lambda_t / (m + 1)."""
    rest = accumulated(kept_moment(lam))("s")
    return (
        Step("every depth", every("s", 0, T, rolled(lam, s)), Induction(
            "so far",
            (Step("no layer", rolled(lam, 0), Identity()),),
            (Step("one more layer", rolled(lam, s + 1), Identity((
                item(use("so far", "i"), times=ONE - lam(s + 1)),
                item(use("so far", "l"), times=lam(s + 1) * uniform("i", "l"), over=(("l", 1, n),)),
                item(use("one layer", "i"), times=lam(s + 1) * rest),
            ))),),
        )),
        Step("this depth", rolled(lam, T), Instantiate(use("every depth", T))),
    )  # fmt: skip


def mixtures(time: Term, goal: Formula) -> tuple[Step, ...]:
    """S^k / k! times the moment of A^k is C(i - 1, m) (S / (m + 1))^k / k!."""
    scaled = term_of_series(time * share)
    terms = term_of_series(time)

    def stated(at: Index | int) -> Formula:
        return every_row(terms(at) * binomial_moment(powers(at, "i", "j")), here * scaled(at))

    last = Reciprocal(number(k + 1)) * time
    return (
        Step("every power", every("k", 0, None, stated(k)), Induction(
            "so far",
            (Step("none", stated(0), Identity()),),
            (Step("one more", stated(k + 1), Identity((
                item(use("so far", "l"), times=last * uniform("i", "l"), over=(("l", 1, n),)),
                item(use("one layer", "i"), times=last * scaled(k)),
            ))),),
        )),
        Step("all powers", goal, Identity((
            item(use("every power", "k", "i"), over=(("k", 0, u),)),
        ))),
    )  # fmt: skip


def determined(row: Fn) -> tuple[Step, ...]:
    """From the last position down: the moment of order j - 1 sees d_j and what is later."""

    def stated(at: Index | int) -> Formula:
        return every("j", n - at + 1, n, Relation("=", row("j"), as_term(0)))

    goal = Relation("=", row("j"), as_term(0))
    later = (("l", j + 1, n),)
    return (
        Step("last ones", every("s", 0, n, stated(s)), Induction(
            "so far",
            (Step("none", stated(0), Identity()),),
            (Step("one more", stated(s + 1), Generalise(("j",), (
                Step("each", goal, Cases(
                    n - s + 1, j,
                    (Step("seen", goal, Instantiate(use("so far", "j"))),),
                    (Step("next", goal, Identity((
                        item(use("no moments", j - 1)),
                        item(use("none beyond", at_l - 1, j - at_l - 1), times=-row("l"), over=(("l", 1, j - 1),)),
                        item(use("whole", j - 1), times=-row("j")),
                        item(use("so far", "l"), times=-binomial(at_l - 1, j - 1), over=later),
                    ))),),
                )),
            ))),),
        )),
        Step("all", every("j", 1, n, goal), Instantiate(use("last ones", n))),
    )  # fmt: skip
