"""Lemmas on comparisons of reals and on kernels cut at levels 0 = u_0 < u_1 < ... < u_m = 1: what S6 and S7 build on.

    f_r(i) = the last j with F_A(i, j) >= u_r,      sum_r (u_r - u_{r-1}) [u_r <= x] = x  if x is one of the levels

The map f_r is the kernel of 0 and 1 with entries [u_r <= F_A(i, j)] - [u_r <= F_A(i, j + 1)].
"""

from __future__ import annotations

from fractions import Fraction

from proofs.lemmas.comparison_steps import value
from proofs.notation import every, layer, n, tail, threshold_maps
from proofs.outline import causal_kernel
from proofs.steps import (
    Absurd,
    Antisymmetry,
    Both,
    Chain,
    Compared,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Nonnegative,
    Step,
    Use,
    item,
    real_cases,
    use,
)
from proofs.term import (
    And,
    Compare,
    Fn,
    Formula,
    Implies,
    Index,
    Relation,
    Term,
    as_term,
    index,
    total,
)

__all__ = [
    "covered",
    "cut_is_kernel",
    "ends",
    "layer_cake",
    "level_facts",
    "levels",
    "reached",
]

i, j, k, r, m = index("i"), index("j"), index("k"), index("r"), index("m")


# --- levels ---------------------------------------------------------------------------------------


def levels(u: Fn) -> And:
    """0 = u_0 < u_1 < ... < u_m = 1."""
    return And((
        ("start", Relation("=", u(0), as_term(0))),
        ("rise", every("r", 1, m, Relation("<", u(r - 1), u("r")))),
        ("end", Relation("=", u(m), as_term(1))),
    ))  # fmt: skip


def covered(u: Fn, kernel: Fn) -> Formula:
    """No tail of the kernel lies strictly between two neighbouring levels."""
    F = tail(kernel)("i", "k")
    either = Compare(u("r"), F) + Compare(F, u(r - 1))
    return every("i", 1, n, every("k", 1, n, every("r", 1, m, Relation("<=", as_term(1), either))))


def level_facts(u: Fn, fact: str) -> tuple[Step, ...]:
    """0 < u_r and u_r <= 1."""
    rise = use(fact, "q", parts="rise")
    return (
        Step("level > 0", every("r", 1, m, Relation("<", as_term(0), u("r"))), Nonnegative(
            (item(use(fact, "r", parts="rise")), item(rise, over=(("q", 1, r - 1),))),
            (item(use(fact, parts="start"), times=-1),),
        )),
        Step("level <= 1", every("r", 1, m, Relation("<=", u("r"), as_term(1))), Nonnegative(
            (item(rise, over=(("q", r + 1, m),)),), (item(use(fact, parts="end")),),
        )),
    )  # fmt: skip


def reached(u: Fn, kernel: Fn, at: Index | str) -> Term:
    """[u_r <= F(i, at)]."""
    return Compare(u("r"), tail(kernel)("i", at))


def ends(u: Fn, kernel: Fn, name: str = "end", top: Index = m) -> tuple[Step, ...]:
    """[u_r <= F(i, n + 1)] = 0 for 1 <= r <= top and every i, since the empty tail is 0."""
    empty = tail(kernel)("i", n + 1)
    below = every("r", 1, top, every("i", 1, n, Relation("<", empty, u("r"))))
    goal = every("r", 1, top, every("i", 1, n, Relation("=", Compare(u("r"), empty), as_term(0))))
    fails = use("comparison fails", fns=(value(u("r")), value(empty)), given=(use(f"{name}: empty", "r", "i"),))
    return (
        Step(f"{name}: empty", below, Nonnegative((item(use("level > 0", "r")),))),
        Step(name, goal, Identity((item(fails),))),
    )


def tails_fall(kernel: Fn, fact: Use) -> Step:
    """F(i, j + 1) <= F(i, j)."""
    F = tail(kernel)
    fall = every("i", 1, n, every("j", 1, n, Relation("<=", F("i", j + 1), F("i", "j"))))
    return Step("tails fall", fall, Nonnegative((item(fact),)))


def falls(u: Fn, kernel: Fn, lemma: str) -> Use:
    """A lemma on [u_r <= F(i, j + 1)] and [u_r <= F(i, j)]."""
    F = tail(kernel)
    fns = (value(u("r")), value(F("i", j + 1)), value(F("i", "j")))
    return use(lemma, fns=fns, given=(use("tails fall", "i", "j"),))


def cut_is_kernel(u: Fn, kernel: Fn, fact: str) -> tuple[Step, ...]:
    """The map at level r, fixed before, is a causal kernel; from the facts on levels and on the kernel."""
    F = tail(kernel)
    beyond = every("i", 1, n, every("j", i + 1, n + 1, Relation("<", F("i", "j"), u("r"))))
    whole = every("i", 1, n, Relation("<=", u("r"), F("i", 1)))

    def zero(at: Index) -> Use:
        fns = (value(u("r")), value(F("i", at)))
        return use("comparison fails", fns=fns, given=(use("beyond the diagonal", "i", at),))

    one = use("comparison holds", fns=(value(u("r")), value(F("i", 1))), given=(use("whole row", "i"),))
    return (
        tails_fall(kernel, use(fact, "i", "j", parts="nonnegative")),
        Step("beyond the diagonal", beyond, Nonnegative(
            (item(use("level > 0", "r")),), (item(use(fact, "i", "l", parts="mask"), over=(("l", j, n),)),)
        )),
        Step("whole row", whole, Nonnegative(
            (item(use("level <= 1", "r")),), (item(use(fact, "i", parts="rows"), times=-1),)
        )),
        *causal_kernel(
            layer(threshold_maps(u, kernel), "r"),
            Nonnegative((item(falls(u, kernel, "comparison rises")),)),
            Identity((item(zero(j)), item(zero(j + 1), times=-1))),
            Identity((item(one), item(zero(n + 1), times=-1))),
        ),
    )  # fmt: skip


# --- the layer cake -------------------------------------------------------------------------------


def _cut_sum(u: Fn, F: Term, at: Index | int | str) -> Term:
    """sum_{q <= at} (u_q - u_{q-1}) [u_q <= F]."""
    return total("q", 1, at, (u("q") - u(index("q") - 1)) * Compare(u("q"), F))


def _so_far(u: Fn, F: Term, at: Index | int | str) -> And:
    """S = sum_{q <= at} (u_q - u_{q-1}) [u_q <= F] is u_at if that is at most F, and F if F is at most that."""
    S = _cut_sum(u, F, at)
    return And((
        ("reached", Implies(Relation("<=", u(at), F), Relation("=", S, u(at)))),
        ("passed", Implies(Relation("<=", F, u(at)), Relation("=", S, F))),
    ))  # fmt: skip


def _halves(u: Fn, F: Term, at: Index | int, first: tuple[Step, ...], second: tuple[Step, ...]) -> tuple[Step, ...]:
    goal = _so_far(u, F, at)
    parts = dict(goal.parts)
    return (
        Step("reached", parts["reached"], Generalise(("here",), first)),
        Step("passed", parts["passed"], Generalise(("here",), second)),
        Step("both halves", goal, Both(("reached", "passed"))),
    )


def layer_cake(u: Fn, kernel: Fn, facts: tuple[str, str, str]) -> tuple[Step, ...]:
    """sum_r (u_r - u_{r-1}) [u_r <= F(i, k)] = F(i, k), from the levels, the kernel and the tails being covered."""
    level, fact, cover = facts
    F = tail(kernel)("i", "k")
    cake = every("i", 1, n, every("k", 1, n, Relation("=", _cut_sum(u, F, m), F)))
    return (Step("layer cake", cake, Generalise(("i", "k"), (
        Step("tail >= 0", Relation("<=", as_term(0), F), Nonnegative((
            item(use(fact, "i", "j", parts="nonnegative"), over=(("j", k, n),)),
        ))),
        Step("tail <= u_m", Relation("<=", F, u(m)), Nonnegative(
            (item(use(fact, "i", "j", parts="nonnegative"), over=(("j", 1, k - 1),)),),
            (item(use(fact, "i", parts="rows")), item(use(level, parts="end"), times=-1)),
        )),
        Step("level by level", every("r", 0, m, _so_far(u, F, "r")), Induction(
            "so far", base=_no_level(u, F, level), step=(_one_level(u, F, level, cover),)
        )),
        Step("all levels", Relation("=", _cut_sum(u, F, m), F), Instantiate(
            use("level by level", m, parts="passed", given=("tail <= u_m",))
        )),
    ))),)  # fmt: skip


def _no_level(u: Fn, F: Term, level: str) -> tuple[Step, ...]:
    """S = 0 = u_0, and F <= u_0 makes F = 0."""
    start = use(level, parts="start")
    return _halves(
        u, F, 0,
        (Step("nothing", Relation("=", _cut_sum(u, F, 0), u(0)), Identity((item(start, times=-1),))),),
        (
            Step("tail <= 0", Relation("<=", F, as_term(0)), Nonnegative((item(use("here")),), (item(start),))),
            Step("nothing", Relation("=", _cut_sum(u, F, 0), F), Antisymmetry(use("tail >= 0"), use("tail <= 0"))),
        ),
    )  # fmt: skip


def _one_level(u: Fn, F: Term, level: str, cover: str) -> Step:
    """From r to r + 1, by whether u_{r+1} <= F."""
    goal = _so_far(u, F, r + 1)
    return Step("one more level", goal, real_cases(
        u(r + 1), F, "next", _level_reached(u, F, level), _level_missed(u, F, cover)
    ))  # fmt: skip


def _level_reached(u: Fn, F: Term, level: str) -> tuple[Step, ...]:
    """u_r < u_{r+1} <= F: the sum so far is u_r, the next term u_{r+1} - u_r."""
    S = Relation("=", _cut_sum(u, F, r + 1), u(r + 1))
    return (
        Step("one", Relation("=", Compare(u(r + 1), F), as_term(1)), Compared(use("next"))),
        Step("r reached", Relation("<=", u("r"), F), Chain((use(level, r + 1, parts="rise"), use("next")))),
        Step("before", Relation("=", _cut_sum(u, F, "r"), u("r")), Instantiate(
            use("so far", parts="reached", given=("r reached",))
        )),
        Step("sum", S, Identity((item(use("before")), item(use("one"), times=u(r + 1) - u("r"))))),
        *_halves(
            u, F, r + 1,
            (Step("it", S, Chain((use("sum"),))),),
            (
                Step("equal", Relation("=", u(r + 1), F), Antisymmetry(use("next"), use("here"))),
                Step("it", Relation("=", _cut_sum(u, F, r + 1), F), Chain((use("sum"), use("equal")))),
            ),
        ),
    )  # fmt: skip


def _level_missed(u: Fn, F: Term, cover: str) -> tuple[Step, ...]:
    """F < u_{r+1}, so F <= u_r since F is not between: the sum so far is F, the next term 0."""
    at_most_r = Relation("<=", F, u("r"))
    S = Relation("=", _cut_sum(u, F, r + 1), F)
    return (
        Step("zero", Relation("=", Compare(u(r + 1), F), as_term(0)), Compared(use("next"))),
        Step("r passed", at_most_r, real_cases(F, u("r"), "passes", (
            Step("so it is", at_most_r, Chain((use("passes"),))),
        ), (
            Step("other zero", Relation("=", Compare(F, u("r")), as_term(0)), Compared(use("passes"))),
            Step("false", Relation("<=", as_term(1), as_term(0)), Nonnegative(
                (item(use(cover, "i", "k", r + 1)),), (item(use("zero")), item(use("other zero")))
            )),
            Step("never", at_most_r, Absurd(use("false"), Fraction(-1))),
        ))),
        Step("before", Relation("=", _cut_sum(u, F, "r"), F), Instantiate(
            use("so far", parts="passed", given=("r passed",))
        )),
        *_halves(
            u, F, r + 1,
            (
                Step("false", Relation("<", F, F), Chain((use("next"), use("here")))),
                Step("never", Relation("=", _cut_sum(u, F, r + 1), u(r + 1)), Absurd(use("false"), Fraction(0))),
            ),
            (Step("it", S, Identity((item(use("before")), item(use("zero"), times=u(r + 1) - u("r"))))),),
        ),
    )  # fmt: skip
