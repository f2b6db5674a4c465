"""Lemmas on mean positions and on the distance between two rows on the line of positions.

    sum_j (j - 1) A_ij = (i - 1) - J(i),                   J(i) = sum_{j <= i} (i - j) A_ij, the mean jump of row i
    sum_j (j - 1) / i = (i - 1) / 2                        over j <= i
    sum_k |F_p(k) - F_q(k)| = sum_j j (q_j - p_j)          if p precedes q

The rows of a rollout are cited as "rollouts", the kernels as "kernels"; the lemmas on positive numbers come before.
"""

from __future__ import annotations

from proofs.laws import absolute, wasserstein
from proofs.lemmas.row_moment_steps import uniform
from proofs.notation import causal, every, layers, n, number, up_to_diagonal
from proofs.outline import causal_kernel
from proofs.steps import (
    Antisymmetry,
    Both,
    Compared,
    Generalise,
    Identity,
    Induction,
    Nonnegative,
    Step,
    item,
    real_cases,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    And,
    Compare,
    Fn,
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

__all__ = [
    "counting",
    "distance_of_ordered",
    "first_token",
    "first_tokens",
    "jump",
    "jump_bounds",
    "jump_steps",
    "off_first",
    "one",
    "precedes",
    "steps_back",
    "uniform_causal",
    "uniform_mean",
]

x, y, K = Symbol("x*", 0), Symbol("y*", 0), Symbol("K*", 2)  # starred, so that no claim uses the names
p, q = Symbol("p*", 1), Symbol("q*", 1)
d, i, j, k = (index(name) for name in ("d", "i", "j", "k"))
ZERO, ONE = as_term(0), as_term(1)


def jump(kernels: Fn, layer: Index | int | str, row: Index | int | str) -> Term:
    """J_t(i) = sum_{j <= i} (i - j) A^(t)_ij."""
    at = index(row) if isinstance(row, str) else row
    return total("j", 1, row, number(at - j) * kernels(layer, row, "j"))


def steps_back(kernel: Fn, row: Index | str) -> Term:
    """sum_j (j - 1) A_ij, the mean position less 1."""
    return total("j", 1, n, number(j - 1) * apply(kernel, (index(row) if isinstance(row, str) else row, j)))


def precedes(first: Fn, second: Fn) -> Formula:
    """Every tail of p is at most that of q."""
    return every("k", 1, n, Relation("<=", *(total("j", "k", n, apply(row, (j,))) for row in (first, second))))


# --- numbers --------------------------------------------------------------------------------------


def counting() -> tuple[Step, ...]:
    """Numbers are not negative, they add, and k is 0 where that is not how it is written."""

    def signs(at: Index | int) -> Relation:
        return Relation("<=", ZERO, number(at))

    def sums(at: Index) -> Relation:
        return Relation("=", number(k + at), number(k) + number(at))

    return (
        Step("numbers at least 0", every("k", 0, None, signs(k)), Induction(
            "so far",
            (Step("none", signs(0), Nonnegative(())),),
            (Step("one more", signs(k + 1), Nonnegative((item(use("so far")), item()))),),
        )),
        Step("numbers add", every("k", 0, None, every("d", 0, None, sums(d))), Generalise(("k",), (
            Step("each", every("d", 0, None, sums(d)), Induction(
                "so far",
                (Step("none", Relation("=", number(k), number(k) + number(0)), Identity()),),
                (Step("one more", sums(d + 1), Identity((item(use("so far")),))),),
            )),
        ))),
        Step("next number", every("k", 0, None, Relation("=", number(k + 1), number("k") + 1)), Identity()),
        Step("number 0", every("k", 0, 0, Relation("=", number(k), ZERO)), Identity((
            item(use("numbers add", k, k), times=-1),
        ))),
    )  # fmt: skip


one = Step("number 1", every("k", 1, 1, Relation("=", number(k), ONE)), Identity((
    item(use("next number", k - 1)), item(use("number 0", k - 1)),
)))  # fmt: skip


# --- means ----------------------------------------------------------------------------------------


def jump_bounds(kernels: Fn) -> And:
    """What row i reads is J(i) before it in the mean, at least 0 and at most i - 1."""
    here, row = jump(kernels, "t", "i"), Lambda(("i", "j"), kernels("t", "i", "j"))
    return And(tuple((name, layers(1, "T", every("i", 1, n, relation))) for name, relation in (
        ("mean", Relation("=", steps_back(row, "i"), number(i - 1) - here)),
        ("at least 0", Relation("<=", ZERO, here)),
        ("at most i - 1", Relation("<=", here, number(i - 1))),
    )))  # fmt: skip


def jump_steps(kernels: Fn) -> tuple[Step, ...]:
    """The bounds, from "kernels"."""
    bounds = jump_bounds(kernels)
    entry, mask = (use("kernels", "t", "i", "j", parts=part) for part in ("nonnegative", "mask"))
    reasons: tuple[Identity | Nonnegative, ...] = (
        Identity((
            item(use("kernels", "t", "i", parts="rows"), times=number(i - 1)),
            item(mask, times=number(j - 1) - number(i - 1), over=(("j", i + 1, n),)),
            item(use("numbers add", i - j, j - 1), times=-kernels("t", "i", "j"), over=(("j", 1, i),)),
        )),
        Nonnegative((item(use("numbers at least 0", i - j), entry, over=(("j", 1, i),)),)),
        Nonnegative(
            (item(use("numbers at least 0", j - 1), entry, over=(("j", 1, n),)),), (item(use("mean", "t", "i")),)
        ),
    )  # fmt: skip
    steps = (Step(name, formula, reason) for (name, formula), reason in zip(bounds.parts, reasons, strict=True))
    return (*steps, Step("all", bounds, Both(tuple(name for name, _ in bounds.parts))))


def off_first(kernel: Fn, row: Index | str) -> Term:
    """1 - A_i1."""
    return ONE - apply(kernel, (index(row) if isinstance(row, str) else row, Index((), 1)))


def first_token(kernel: Fn, row: Index | str) -> And:
    """1 - A_i1 <= sum_j (j - 1) A_ij <= (i - 1) (1 - A_i1)."""
    away, at = off_first(kernel, row), index(row) if isinstance(row, str) else row
    return And((
        ("at least", Relation("<=", away, steps_back(kernel, row))),
        ("at most", Relation("<=", steps_back(kernel, row), number(at - 1) * away)),
    ))  # fmt: skip


def first_tokens() -> Step:
    """What a row has off the first token is at most its mean distance from it, which is at most i - 1 times that."""
    goals = first_token(K, "i")
    low, high = (formula for _, formula in goals.parts)
    entry, rows = use("causal", "i", "j", parts="nonnegative"), use("causal", "i", parts="rows")
    at_one = (("k", 0, 0),)
    return Step("first token of any", ForAllFn(K, Implies(causal(K), every("i", 2, n, goals))), Generalise(
        ("K*", "causal", "i"),
        (
            Step("at least", low, Nonnegative(
                (item(use("numbers at least 0", j - 2), entry, over=(("j", 2, n),)),),
                (
                    item(rows, times=-1),
                    item(use("next number", j - 2), times=-K("i", "j"), over=(("j", 2, n),)),
                    item(use("number 0", "k"), times=-K("i", k + 1), over=at_one),
                ),
            )),
            Step("at most", high, Nonnegative(
                (item(use("numbers at least 0", i - j), entry, over=(("j", 2, i),)),),
                (
                    item(rows, times=number(i - 1)),
                    item(use("numbers add", i - j, j - 1), times=-K("i", "j"), over=(("j", 2, i),)),
                    item(
                        use("causal", "i", "j", parts="mask"), times=number(j - 1) - number(i - 1),
                        over=(("j", i + 1, n),),
                    ),
                    item(use("number 0", "k"), times=K("i", k + 1), over=at_one),
                ),
            )),
            Step("both", goals, Both(("at least", "at most"))),
        ),
    ))  # fmt: skip


def uniform_mean() -> tuple[Step, ...]:
    """The mean of 0, ..., i - 1 is (i - 1) / 2."""

    def stated(at: Index) -> Relation:
        return Relation("=", 2 * total("j", 1, at, number(j - 1)), number(at) * number(at - 1))

    mean = Relation("=", 2 * steps_back(uniform, "i"), number(i - 1))
    return (
        Step("sum of numbers", every("i", 1, n, stated(i)), Induction(
            "so far",
            (Step("one number", stated(Index((), 1)), Identity((
                item(use("number 0", "k"), times=2, over=(("k", 0, 0),)),
            ))),),
            (Step("one more", stated(i + 1), Identity((
                item(use("so far")), item(use("next number", i - 1), times=-number(i)),
            ))),),
        )),
        Step("mean of numbers", every("i", 1, n, mean), Identity((
            item(use("sum of numbers", "i"), times=uniform("i", "i")),
            item(use("k / k", "i"), times=number(i - 1)),
        ))),
    )  # fmt: skip


def uniform_causal() -> Step:
    """The uniform kernel is causal."""
    share = uniform("i", "i")
    *steps, last = causal_kernel(
        uniform,
        Nonnegative((item(use("1 / k > 0", "i"), times=up_to_diagonal("i", "j")),)),
        Identity(),
        Identity((
            item(use("next number", j - 1), times=-share, over=(("j", 1, i),)),
            item(use("k / k", "i")),
            item(use("number 0", "k"), times=-share, over=(("k", 0, 0),)),
        )),
    )  # fmt: skip
    return Step("uniform kernel", last.formula, Generalise((), (*steps, last)))


# --- distances ------------------------------------------------------------------------------------


def _ordered() -> Step:
    """|x - y| = x - y, if y <= x."""
    X, Y = x(), y()
    goal = Relation("=", absolute(X, Y), X - Y)
    holds = Step("one", Relation("=", Compare(Y, X), ONE), Compared(use("y <= x")))
    return Step("ordered values", ForAllFn(x, ForAllFn(y, Implies(Relation("<=", Y, X), goal))), Generalise(
        ("x*", "y*", "y <= x"),
        (
            holds,
            Step("by cases", goal, real_cases(
                X, Y, "case",
                (
                    Step("equal", Relation("=", X, Y), Antisymmetry(use("case"), use("y <= x"))),
                    Step("nothing", goal, Identity((item(use("equal"), times=Compare(Y, X) - Compare(X, Y) - 1),))),
                ),
                (
                    Step("zero", Relation("=", Compare(X, Y), ZERO), Compared(use("case"))),
                    Step("positive", goal, Identity((
                        item(use("one"), times=X - Y), item(use("zero"), times=-(X - Y)),
                    ))),
                ),
            )),
        ),
    ))  # fmt: skip


def distance_of_ordered() -> tuple[Step, ...]:
    """The distance of p and q is the difference of their means, if p precedes q."""
    means = total("j", 1, n, number("j") * (q("j") - p("j")))
    goal = Relation("=", wasserstein(p, q), means)
    first, second = (Lambda((), total("j", "k", n, row("j"))) for row in (q, p))
    gap = first.body - second.body
    return (
        _ordered(),
        Step("distance of ordered", ForAllFn(p, ForAllFn(q, Implies(precedes(p, q), goal))), Generalise(
            ("p*", "q*", "precedes"),
            (
                Step("each tail", every("k", 1, n, Relation("=", absolute(first.body, second.body), gap)), Generalise(
                    ("k",), (
                        Step("tails", Relation("=", absolute(first.body, second.body), gap), Identity((
                            item(use("ordered values", fns=(first, second), given=(use("precedes", "k"),))),
                        ))),
                    ),
                )),
                Step("means", goal, Identity((
                    item(use("each tail", "k"), over=(("k", 1, n),)),
                    item(use("next number", k - 1), times=-gap, over=(("k", 1, n),)),
                    item(use("number 0", "k"), times=-total("j", 1, n, q("j") - p("j")), over=(("k", 0, 0),)),
                ))),
            ),
        )),
    )  # fmt: skip
