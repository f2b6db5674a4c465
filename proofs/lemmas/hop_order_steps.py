"""Lemmas on the law of the number K of successes of independent trials, c_m = P(K = m): larger chances, larger K.

    c_{m+d+1} c'_m <= c_{m+d} c'_{m+1}      with c' = c: c is log-concave, without dividing
    c_{m+d} c'_m <= c_m c'_{m+d}            c precedes c' in the likelihood ratio

for chances lambda_t <= lambda'_t.  Both pass through one more trial together: what it adds is, up to terms of the same
kind, lambda (1 - lambda') times one of them and lambda' - lambda times the other.
"""

from __future__ import annotations

from proofs.notation import every, hops, layers, mixing, zero_one
from proofs.steps import Both, Cases, Generalise, Induction, Item, Nonnegative, Step, Use, item, use
from proofs.term import And, Fn, ForAll, ForAllFn, Formula, Implies, Index, Relation, Symbol, as_index, index

__all__ = ["later_law", "ordered_chances", "ordered_law", "ordered_steps", "trial_lemmas"]

x, y = Symbol("x*", 1), Symbol("y*", 1)  # starred, so that no claim uses the names
s, T, m, d = (index(name) for name in ("s", "T", "m", "d"))


def ordered_chances(lower: Fn, upper: Fn) -> ForAll:
    """lambda_t <= lambda'_t in T trials."""
    return layers(1, T, Relation("<=", lower("t"), upper("t")))


def ordered_steps(lower: Fn, upper: Fn, depth: Index | int, at: tuple[Index, Index] = (m, d)) -> Relation:
    """c_{m+d+1} c'_m <= c_{m+d} c'_{m+1}, at (m, d)."""
    f, g = hops(lower), hops(upper)
    first, last = at[0], at[0] + at[1]
    return Relation("<=", f(depth, last + 1) * g(depth, first), f(depth, last) * g(depth, first + 1))


def ordered_law(lower: Fn, upper: Fn, depth: Index | int, at: tuple[Index, Index] = (m, d)) -> Relation:
    """c_{m+d} c'_m <= c_m c'_{m+d}, at (m, d)."""
    f, g = hops(lower), hops(upper)
    first, last = at[0], at[0] + at[1]
    return Relation("<=", f(depth, last) * g(depth, first), f(depth, first) * g(depth, last))


def later_law(chances: Fn, depth: Index, at: tuple[Index, Index] = (m, d)) -> Relation:
    """c_{m+d} c'_m <= c_m c'_{m+d}, at (m, d), c' the law of that many trials and c that of one less."""
    f = hops(chances)
    first, last = at[0], at[0] + at[1]
    return Relation("<=", f(depth - 1, last) * f(depth, first), f(depth - 1, first) * f(depth, last))


def _counts(depth: Index | int, relation: Relation) -> Formula:
    """For every d >= 0 and m, some m < 0 among them: the more, the more trials are to come."""
    return every("m", as_index(depth) - T, None, every("d", 0, None, relation))


def _both(depth: Index | int) -> And:
    """What passes through one more trial."""
    return And((
        ("steps", _counts(depth, ordered_steps(x, y, depth))), ("law", _counts(depth, ordered_law(x, y, depth))),
    ))  # fmt: skip


_attends, _rests = (use("chances", s + 1, parts=part) for part in ("nonnegative", "at most one"))
_attends_more, _rests_more = (use("larger chances", s + 1, parts=part) for part in ("nonnegative", "at most one"))
_gap = use("chances ordered", s + 1)


def _step(at: Index | str, apart: Index | int | str) -> Use:
    return use("so far", at, apart, parts="steps")


def _law(at: Index | str, apart: Index | int | str) -> Use:
    return use("so far", at, apart, parts="law")


def _same_outcome(of: Use, before: Use) -> tuple[Item, Item]:
    """The new trial fails in both, or succeeds in both."""
    return item(_rests, _rests_more, of), item(_attends, _attends_more, before)


_steps_next, _law_next = ordered_steps(x, y, s + 1), ordered_law(x, y, s + 1)
_one_more_step = Step("steps", _counts(s + 1, _steps_next), Generalise(("m", "d"), (
    Step("one more trial", _steps_next, Cases(
        d, as_index(0),
        (Step("neighbours", _steps_next, Nonnegative((
            *_same_outcome(_step("m", 0), _step(m - 1, 0)),
            item(_gap, _step(m - 1, 1)),
            item(_attends, _rests_more, _law(m - 1, 2)),
        ))),),
        (Step("further apart", _steps_next, Nonnegative((
            *_same_outcome(_step("m", "d"), _step(m - 1, "d")),
            item(_rests, _attends_more, _step(m - 1, d + 1)),
            item(_attends, _rests_more, _step("m", d - 1)),
        ))),),
    )),
)))  # fmt: skip
_one_more_law = Step("law", _counts(s + 1, _law_next), Generalise(("m", "d"), (
    Step("one more trial", _law_next, Cases(
        d, as_index(0),
        (Step("the same", _law_next, Nonnegative(())),),
        (Step("apart", _law_next, Nonnegative((
            *_same_outcome(_law("m", "d"), _law(m - 1, "d")),
            item(_gap, _law("m", d - 1)),
            item(_gap, _step(m - 1, "d")),
            item(_attends, _rests_more, _law("m", d - 1)),
            item(_attends, _rests_more, _law(m - 1, d + 1)),
        ))),),
    )),
)))  # fmt: skip

_premises = (mixing(x, T), mixing(y, T), ordered_chances(x, y))
_conclusion = every("s", 0, T, _both(s))
_larger = Step(
    "larger chances",
    ForAllFn(x, ForAllFn(y, Implies(_premises[0], Implies(_premises[1], Implies(_premises[2], _conclusion))))),
    Generalise(("x*", "y*", "chances", "larger chances", "chances ordered"), (
        Step("every depth", _conclusion, Induction(
            "so far",
            base=(
                Step("steps", _counts(0, ordered_steps(x, y, 0)), Nonnegative((
                    item(times=zero_one(m + d, 0) * zero_one(m + 1, 0)),
                ))),
                Step("law", _counts(0, ordered_law(x, y, 0)), Nonnegative(())),
                Step("no trial", _both(0), Both(("steps", "law"))),
            ),
            step=(_one_more_step, _one_more_law, Step("one more", _both(s + 1), Both(("steps", "law")))),
        )),
    )),
)  # fmt: skip


_same_chances = use(
    "larger chances", "s", m - 1, "d", parts="steps", fns=(x, x), given=("chances", "chances", "chances ordered")
)
_later = every("s", 0, T - 1, every("m", 0, None, every("d", 0, None, later_law(x, s + 1))))
_one_trial_more = Step(
    "one trial more",
    ForAllFn(x, Implies(_premises[0], _later)),
    Generalise(("x*", "chances"), (
        Step("chances ordered", ordered_chances(x, x), Nonnegative(())),
        Step("later law", _later, Nonnegative((item(_attends, _same_chances),))),
    )),
)  # fmt: skip


def trial_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return _larger, _one_trial_more
