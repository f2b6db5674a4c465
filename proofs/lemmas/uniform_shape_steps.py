"""The shape of the profile of uniform layers, row by row, from what complete_monotone_steps.py knows of its entries.

    e_j = P_ij - a [j = i],      D^r e_j = (1 / i) sum_{k=1}^T P(K_T = k) D^r h_{k-1}(1/j, ..., 1/i)  >=  0
    i P_i1 - i P_i2  >=  P(K_T >= 2)  for i >= 3,         and P_i1 = P_i,i-1 where P(K_T >= 2) <= 0

with the differences D^r of binomial_steps.py, so that e is completely monotone up to the spike.
"""

from __future__ import annotations

from proofs.lemmas.binomial_steps import difference, inductive
from proofs.lemmas.complete_monotone_steps import next_difference
from proofs.lemmas.hops_at_least_steps import at_least_two, chance
from proofs.lemmas.kept_share_steps import kept
from proofs.lemmas.logarithm_steps import one_over
from proofs.lemmas.prefix_power_steps import A, h, lam, law, stay, w
from proofs.lemmas.shapes import p
from proofs.lemmas.threshold_steps import below_one
from proofs.lemmas.uniform_row_steps import P, by_hops, of_uniform, rows
from proofs.lemmas.uniform_steps import uniform
from proofs.notation import binomial, every, mixing, n, number, power, sign, zero_one
from proofs.steps import Antisymmetry, Generalise, Identity, Induction, Item, Nonnegative, Step, Use, item, use
from proofs.term import Formula, Implies, Index, Lambda, Relation, Term, as_index, as_term, index

__all__ = ["differences_of", "envelope", "powers_of", "shape_steps"]

i, j, k, l, m, r, s, T = (index(name) for name in "ijklmrsT")  # noqa: E741 - the letters of the formulas
ZERO, ONE = as_term(0), as_term(1)
UNIFORM = ("uniform weights",)
GIVEN = ("uniform weights", "mixing")

envelope = Lambda(("l",), P(T, "i", "l") - stay(T) * zero_one("l", "i"))  # the profile without its spike


def powers_of(exponent: Index) -> Lambda:
    """Row i of a power of the kernel."""
    return Lambda(("l",), power(A)(exponent, "i", "l"))


def differences_of(sequence: Lambda, order: Index | int) -> Formula:
    """(D^r x)_j >= 0 at all positions where it reads no position beyond i."""
    return every("i", 1, n, every("j", 1, i - order, Relation("<=", ZERO, difference(sequence, order, "j"))))


def given_both(label: str, formula: Formula, *steps: Step, fix: tuple[str, ...] = ()) -> Step:
    """What holds for weights 1 and coefficients in [0, 1]."""
    return Step(label, Implies(uniform(w), Implies(mixing(lam, "T"), formula)), Generalise((*GIVEN, *fix), steps))


def _monotone(degree: Index) -> Use:
    return use("completely monotone", i, r, degree, j, given=UNIFORM)


_each = (("k", 0, r),)
_signed = sign(k) * binomial(r, k)


def _envelope() -> Step:
    whole = every("r", 0, None, differences_of(envelope, r))
    count = index("c")
    return given_both("every order of differences", whole, Step("each", whole, Nonnegative(
        (item(use("1 / k > 0", "i"), chance(T, count), _monotone(count - 1), over=(("c", 1, T),)),),
        (item(rows("rows", i, j + k), times=-_signed, over=_each),),
    )))  # fmt: skip


def _convex() -> Step:
    """D^2 e_j and the spike, if j + 2 = i."""
    differences, values = ((1, j, 1), (0, j, 1), (0, j + 1, -1)), ((j, 1), (j + 1, -2), (j + 2, 1))
    whole = every("i", 1, n, every("j", 1, i - 2, Relation("<=", 2 * p(j + 1), p(j) + p(j + 2))))
    return given_both("rows are convex", whole, Step("each row", whole, Nonnegative(
        (
            item(use("every order of differences", 2, i, j, given=GIVEN)),
            item(use("spike >= 0", T, given=("mixing",)), times=zero_one(j + 2, i)),
        ),
        (
            *(item(next_difference(envelope, order, at), times=times) for order, at, times in differences),
            *(item(use("no difference", at, fns=(envelope,)), times=times) for at, times in values),
        ),
    )))  # fmt: skip


def _spikes() -> tuple[Step, ...]:
    """a >= 0, and a > 0 where no coefficient is 1."""
    return tuple(
        Step(label, Implies(given, every("s", 0, T, Relation(op, ZERO, stay("s")))), Generalise((name,), (
            Step("every depth", every("s", 0, T, Relation(op, ZERO, stay("s"))), Induction(
                "so far",
                (Step("no layer", Relation(op, ZERO, stay(0)), Nonnegative((item(),))),),
                (Step("one more layer", Relation(op, ZERO, stay(s + 1)), Nonnegative((
                    item(use(name, s + 1, parts=part), use("so far")),
                ))),),
            )),
        )))
        for label, name, part, given, op in (
            ("spike >= 0", "mixing", "at most one", mixing(lam, "T"), "<="),
            ("spike > 0", "below one", "", below_one(), "<"),
        )
    )  # fmt: skip


# --- the first entries ------------------------------------------------------------------------------


def _row(at: Index | int, times: Term) -> Item:
    return item(rows("rows", i, at), times=times)


def _start() -> Step:
    """h_{k-1}(1/1, ..., 1/i) - h_{k-1}(1/2, ..., 1/i) >= 1 for k >= 2."""
    whole = every("i", 3, n, Relation("<=", at_least_two(T), number("i") * (p(1) - p(2))))
    return given_both("rows start to fall", whole, Step("each row", whole, Nonnegative(
        (item(chance(T, k), use("complete polynomials without 1", i, k - 1, given=UNIFORM), over=(("k", 1, T),)),),
        (
            _row(1, -number("i")), _row(2, number("i")),
            item(use("k / k", i), times=-by_hops(h(k - 1, 1, "i") - h(k - 1, 2, "i"))),
        ),
    )))  # fmt: skip


def _level() -> Step:
    """Where P(K >= 2) <= 0, only k <= 1 counts, and h_0 = 1."""
    goal = every("i", 3, n, Relation("=", p(1), p(i - 1)))
    others = tuple(item(chance(T, l), over=(("l", low, high),)) for low, high in ((2, k - 1), (k + 1, T)))

    def no_more(count: Index | int) -> Formula:
        gap = h(count, 1, "i") - h(count, i - 1, "i")
        return every("i", 3, n, Relation("=", law(T, as_index(count) + 1) * gap, ZERO))

    return given_both(
        "rows are level", Implies(Relation("<=", at_least_two(T), ZERO), goal),
        Step("at most", every("k", 2, T, Relation("<=", law(T, "k"), ZERO)), Nonnegative((item(use("none")), *others))),
        Step("no chance", every("k", 2, T, Relation("=", law(T, "k"), ZERO)), Antisymmetry(
            use("at most", k), chance(T, k)
        )),
        Step("no more", every("k", 0, T - 1, no_more(k)), Induction(
            "so far", (Step("one layer", no_more(0), Identity()),),
            (Step("more layers", no_more(k + 1), Identity((
                item(use("no chance", k + 2), times=h(k + 1, 1, "i") - h(k + 1, i - 1, "i")),
            ))),),
        )),
        Step("each row", goal, Identity((
            _row(1, ONE), _row(i - 1, -ONE),
            item(use("no more", k - 1, i), times=one_over("i"), over=(("k", 1, T),)),
        ))),
        fix=("none",),
    )  # fmt: skip


# --- the last entries -------------------------------------------------------------------------------

_kept = Lambda(("l",), kept(T, "l"))


def _last_two() -> tuple[Step, ...]:
    """U2 at j = i and at j = i - 1."""
    ratio = Relation("=", binomial(m + 1, m), number(m + 1))
    bounded = kept(T, i - 1) - kept(T, i)
    of_u2 = (lam, w, Lambda((), ZERO))
    last, before = (
        of_uniform(label, formula, Step("each row", formula, Identity(items)))
        for label, formula, items in (
            ("last entry", every("i", 1, n, Relation("=", p(i), kept(T, i))), (
                item(use("U2", T, i, i, parts="formula", fns=of_u2, given=UNIFORM)),
                item(use("C(m, m) = 1", i - 1), times=difference(_kept, 0, i)),
                item(use("no difference", i, fns=(_kept,))),
            )),
            ("last entry but one", every("i", 2, n, Relation("=", p(i - 1), number(i - 1) * bounded)), (
                item(use("U2", T, i, i - 1, parts="formula", fns=of_u2, given=UNIFORM)),
                item(use("C(m + 1, m) = m + 1", i - 2), times=difference(_kept, 1, i - 1)),
                item(next_difference(_kept, 0, i - 1), times=number(i - 1)),
                item(use("no difference", i - 1, fns=(_kept,)), times=number(i - 1)),
                item(use("no difference", i, fns=(_kept,)), times=-number(i - 1)),
            )),
        )
    )  # fmt: skip
    return (
        inductive(
            "C(m + 1, m) = m + 1", "m", 0, ratio, Identity(),
            Identity((item(use("so far")), item(use("C(m, m) = 1", m + 1)))),
        ),
        Step("next number", every("m", 0, None, Relation("=", number(m + 1), number("m") + 1)), Identity()),
        last, before,
    )  # fmt: skip


def shape_steps() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return (*_spikes(), _envelope(), _convex(), _start(), _level(), *_last_two())
