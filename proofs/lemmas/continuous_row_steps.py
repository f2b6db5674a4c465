"""The rows of G = exp(S (A - I)), A the uniform kernel, from its partial sums (continuous_shape_steps.py): its last two
entries, its fall before them, and when it is a U.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.laws import partial_mass
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.continuous_shape_steps import (
    A,
    G,
    X,
    above,
    decay,
    entry_steps,
    missing,
    moment,
    shared,
    terms,
)
from proofs.lemmas.logarithm_steps import one_over
from proofs.lemmas.semigroup_steps import converges
from proofs.lemmas.shapes import valley
from proofs.lemmas.uniform_shape_terms import from_row, h_continuous, less, most, threshold
from proofs.notation import every, n, number
from proofs.steps import (
    Absurd,
    Antisymmetry,
    Both,
    Cases,
    Chain,
    Generalise,
    Identity,
    Instantiate,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    real_cases,
    use,
)
from proofs.term import (
    And,
    Exp,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
    total,
)

__all__ = ["continuous_criterion", "continuous_steps"]

i, j, k, l, m, v = (index(name) for name in "ijklmv")  # noqa: E741 - the letters of the formulas
ZERO, ONE = as_term(0), as_term(1)
V, e, before = one_over(i), decay(i), decay(i - 1)
exp_positive = use("exp positive", fns=(value(-X),))
over_i, one_more = use("1 / k > 0", i), use("next number", i - 1)


def near(at: Index | int) -> Use:
    """G_ij is at most the partial sum and what the whole row lacks."""
    return use("near its sums", m, i, at)


def small(at: Index) -> Use:
    """The series of exp at S / q has mass 1 at most."""
    return use("C0", m, parts="below", fns=(A, G, value(shared(at))), given=(use("S / q >= 0", at),))


def lasting(label: str, low: Term, argument: Term, known: Use, bound: Nonnegative) -> tuple[Step, Step]:
    """low <= 0, as low is at most what the series of exp at the argument lacks after m >= 2 terms."""
    lacking = missing(argument)
    series = use("C0", 0, parts="series", fns=(A, G, value(argument)), given=(known,))
    every_m = every("m", 2, None, most(low, lacking("m")))
    return (
        Step(f"{label}, bound", every_m, bound),
        Step(label, most(low, ZERO), Instantiate(use(
            "limits keep bounds", fns=(value(low), lacking), given=(series, f"{label}, bound")
        ))),
    )  # fmt: skip


def _decay() -> tuple[Step, ...]:
    at = index("k")
    rate = X * (ONE - one_over(at))
    return (
        Step("S / q >= 0", every("k", 1, None, most(ZERO, shared(at))), Nonnegative((
            item(use("time"), use("1 / k > 0", at)),
        ))),
        Step("rate >= 0", every("k", 1, None, most(ZERO, rate)), Nonnegative((
            item(use("time"), use("1 / k <= 1", at)),
        ))),
        Step("e <= 1", every("k", 1, None, most(decay(at), ONE)), Chain((
            use("decay", fns=(value(rate),), given=(use("rate >= 0", at),)),
        ))),
        Step("e > 0", every("k", 1, None, less(ZERO, decay(at))), Chain((use("exp positive", fns=(value(-rate),)),))),
    )  # fmt: skip


def _last() -> Step:
    whole, gap = Relation("=", G(i, i), e), G(i, i) - e
    known = item(use("sums on the diagonal", m, i))
    return Step("last of G", every("i", 1, n, whole), Generalise(("i",), (
        *lasting("G_ii not above", gap, X, use("time"), Nonnegative(
            (item(near(i)), item(use("e > 0", i), small(i))), (known,)
        )),
        *lasting("G_ii not below", -gap, shared(i), use("S / q >= 0", i), Nonnegative(
            (item(above(i)), item(use("e <= 1", i), small(i))), (item(known.uses[0], times=-ONE),)
        )),
        Step("at most e", most(G(i, i), e), Nonnegative((item(use("G_ii not above")),))),
        Step("at least e", most(e, G(i, i)), Nonnegative((item(use("G_ii not below")),))),
        Step("so", whole, Antisymmetry(use("at most e"), use("at least e"))),
    )))  # fmt: skip


def _moment() -> Step:
    left, right = moment(G), number(i - 1) * before
    whole, gap = Relation("=", left, right), V * (left - right)
    positive = use("numbers > 0", i - 1)

    def row(lack: Term) -> tuple[Item, Item]:
        return item(use("k / k", i), times=lack), item(one_more, times=-(V * lack))

    lack, lack_before = ONE - partial_mass(X, m), ONE - partial_mass(shared(i - 1), m)
    known = use("sums of moments", m, i)
    return Step("moment of G", every("i", 2, n, whole), Generalise(("i",), (
        *lasting("moment not above", gap, X, use("time"), Nonnegative(
            (
                item(over_i, near(i - 1)), item(over_i, positive, near(i)),
                item(over_i, positive, use("e > 0", i - 1), small(i - 1)),
            ),
            (*row(lack), item(known, times=V)),
        )),
        *lasting("moment not below", -gap, shared(i - 1), use("S / q >= 0", i - 1), Nonnegative(
            (
                item(over_i, above(i - 1)), item(over_i, positive, above(i)), item(over_i, small(i - 1)),
                item(over_i, positive, use("e <= 1", i - 1), small(i - 1)),
            ),
            (*row(lack_before), item(known, times=-V)),
        )),
        Step("at most", most(left, right), Nonnegative(
            (item(use("numbers > 0", i), use("moment not above")),), (item(use("k / k", i), times=right - left),)
        )),
        Step("at least", most(right, left), Nonnegative(
            (item(use("numbers > 0", i), use("moment not below")),), (item(use("k / k", i), times=left - right),)
        )),
        Step("so", whole, Antisymmetry(use("at most"), use("at least"))),
    )))  # fmt: skip


def _difference() -> Step:
    rise = h_continuous(i) - h_continuous(i - 1)
    return Step("rise of G", every("i", 2, n, Relation("=", G(i, i) - G(i, i - 1), rise)), Identity((
        item(use("last of G", i), times=number("i")), item(use("moment of G", i), times=-ONE),
        item(one_more, times=-G(i, i)),
    )))  # fmt: skip


# --- before the last entry ----------------------------------------------------------------------------

g = Symbol("g*", 1)  # starred, so that no claim uses the name
_weights = (exp_positive, use("terms", k, fns=(value(X),), given=("time",)))
_two = Lambda(("k",), Exp(-X) * terms("k"))
start = V * _two(2)


def _fall() -> tuple[Step, ...]:
    only = Relation("=", total("k", 2, 2, g("k")), g(2))
    return (
        Step("one term", ForAllFn(g, only), Generalise(("g*",), (Step("that term", only, Identity()),))),
        Step("G falls", every("i", 1, n, every("j", 1, i - 2, most(G(i, j + 1), G(i, j)))), Generalise(("i", "j"), (
            *lasting("fall", G(i, j + 1) - G(i, j), X, use("time"), Nonnegative((
                item(near(j + 1)), item(above(j)), item(*_weights, use("powers fall", k, i, j), over=(("k", 0, m),)),
            ))),
        ))),
        Step("G starts to fall", from_row(3, most(start, G(i, 1) - G(i, 2))), Generalise(("i",), (
            *lasting("first step", start - (G(i, 1) - G(i, 2)), X, use("time"), Nonnegative(
                (
                    item(near(2)), item(above(1)),
                    item(*_weights, use("powers start to fall", k, i), over=(("k", 0, m),)),
                ),
                (item(use("one term", fns=(_two,)), times=-V),),
            )),
        ))),
        Step("G >= 0", every("i", 1, n, every("j", 1, n, most(ZERO, G("i", "j")))), Nonnegative((
            item(use("above its sums", 0, i, j)),
            item(*_weights, use("power entries", k, i, j), over=(("k", 0, 0),)),
        ))),
    )  # fmt: skip


# --- when a row is a U --------------------------------------------------------------------------------


def a_valley(at: Index) -> And:
    """Row i of G falls to ``at`` and rises from there, both strictly somewhere."""
    return valley(at, i, lambda at, row: G(row, at))


slow, some_time = less(X, threshold(i - 1)), less(ZERO, X)
timely = And((("some time", some_time), ("not too long", slow)))
criterion = And((
    ("if", Implies(some_time, Implies(slow, a_valley(i - 1)))),
    ("only if", every("v", 1, i, Implies(a_valley(v), timely))),
))  # fmt: skip
h_rises = less(h_continuous(i - 1), h_continuous(i))


def continuous_criterion() -> Formula:
    """For weights 1, S >= 0 and G = exp(S (A - I))."""
    return Implies(most(ZERO, X), Implies(converges(X, A, G), from_row(3, criterion)))


def _falling(low: Index | int, high: Index) -> Item:
    return item(use("G falls", i, l), over=(("l", low, high),))


def _if() -> Step:
    down, up, falls, rises = a_valley(i - 1).parts
    return Step("if", criterion.parts[0][1], Generalise(("some time", "slow"), (
        Step("h rises", h_rises, Instantiate(use("continuous depth, for h", i - 1, parts="if", given=("slow",)))),
        Step("rises", rises[1], Nonnegative((item(use("h rises")),), (item(use("rise of G", i), times=-ONE),))),
        Step("falls", falls[1], Nonnegative((
            _falling(2, i - 2), item(use("G starts to fall", i)),
            item(
                over_i, exp_positive, use("1 / k > 0", 1), use("1 / k > 0", 2), use("some time"), use("some time"),
            ),
        ))),
        Step("down", down[1], Chain((use("G falls", i, j),))),
        Step("up", up[1], Chain((use("rises"),))),
        Step("valley", a_valley(i - 1), Both(("down", "up", "falls", "rises"))),
    )))  # fmt: skip


def _some_time(contradiction: Formula) -> Step:
    """At S <= 0, G_ii >= 1 leaves nothing for G_i1."""
    rate = X * (ONE - one_over(i))
    others = tuple(item(use("G >= 0", i, l), over=(("l", low, high),)) for low, high in ((2, i - 1), (i + 1, n)))
    return Step("some time", some_time, real_cases(
        X, ZERO, "case",
        (
            Step("nothing left", contradiction, Nonnegative(
                (
                    item(use("valley", parts="falls")), item(use("G >= 0", i, v)), *others,
                    item(use("exp below", fns=(value(rate),))), item(use("case"), use("1 / k <= 1", i)),
                ),
                (
                    item(use("rows of G", i)),
                    item(use("last of G", i), times=-ONE),
                ),
            )),
            Step("impossible", some_time, Absurd(use("nothing left"), Fraction(0))),
        ),
        (Step("so", some_time, Instantiate(use("case"))),),
    ))  # fmt: skip


def _only_if() -> Step:
    rises = a_valley(i - 1).parts[3][1]
    return Step("only if", criterion.parts[1][1], Generalise(("v", "valley"), (
        _some_time(less(ZERO, ZERO)),
        Step("rises", rises, Cases(
            v, i - 1,
            (Step("lowest but one", rises, Nonnegative((item(use("valley", parts="rises")), _falling(v, i - 2)))),),
            (Step("no rise", rises, Absurd(use("valley", parts="rises"), Fraction(0))),),
        )),
        Step("h rises", h_rises, Nonnegative((item(use("rises")),), (item(use("rise of G", i)),))),
        Step("not too long", slow, Instantiate(use(
            "continuous depth, for h", i - 1, parts="only if", given=("h rises",)
        ))),
        Step("timely", timely, Both(("some time", "not too long"))),
    )))  # fmt: skip


def continuous_steps() -> tuple[Step, ...]:
    """What proves the criterion, from "uniform weights", "time" and "limit"."""
    return (
        *entry_steps(), *_decay(), _last(), _moment(), _difference(), *_fall(),
        Step("each row", from_row(3, criterion), Generalise(("i",), (
            _if(), _only_if(), Step("both", criterion, Both(("if", "only if"))),
        ))),
    )  # fmt: skip
