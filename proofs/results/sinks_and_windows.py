"""I8, sinks and windows: speeds that the length does not change, and kernels that take their time.

    a_t <= A^(t)_i1 <= b_t  for 2 <= i <= r
                            =>   prod_t (1 - lambda_t b_t)  <=  1 - P^(T)_r1  <=  prod_t (1 - lambda_t a_t)
    A^(t)_ij = 0  for j <= i - w,   1 - A^(t)_ii <= D_t   in the rows i <= r,   m (w - 1) < r - 1
                            =>   P(K_T <= m)  <=  1 - P^(T)_r1

K_T counts the successes of independent trials with chances lambda_1 D_1, ..., lambda_T D_T.  The largest such m is
ceil((r - 1) / (w - 1)) - 1.  There the bound is attained, for all real lambda_t, if every row i gives exactly D_t away,
all of it to position i - w + 1, or to the first token where i < w:

    m (w - 1) < r - 1 <= (m + 1) (w - 1)   =>   P(K_T <= m)  =  1 - P^(T)_r1

Hypotheses: causal kernels, 0 <= lambda_t <= 1; lambda_t b_t <= 1 and lambda_t D_t <= 1, as the least b_t and D_t have.
Inequalities and an equation, tight.  With a sink, a_t >= a, the speed (1 - lambda a)^T does not depend on r.  Source:
ours, beyond arXiv:2602.16837.

Proof: f_i = [i >= 2] shrinks by 1 - lambda_t A_i1.  From row r more than m hops of at most w - 1 are needed.

Exact here: everything.  Numeric here: nothing.  Not covered: windows and sinks together.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, Entries, kernel
from proofs.cases.speed_cases import at_least, at_most, first_share, own_loss, stacks
from proofs.draws import Kernel, Row
from proofs.lemmas.position_steps import counting
from proofs.lemmas.series_steps import left
from proofs.lemmas.speed_steps import at_most_one, slowed, yardstick
from proofs.lemmas.window_sharp_steps import hops_reach, sharp_steps, sharply
from proofs.lemmas.window_steps import A, D, P, away, chances, hops_left, lam, slow, window_steps
from proofs.notation import causal, every, layer, layers, mixing, n, transition
from proofs.outline import causal_rollout, causal_transitions
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Nonnegative,
    Step,
    item,
    use,
)
from proofs.term import (
    Bracket,
    Fn,
    Formula,
    Lambda,
    Range,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import scale, shift, turn

a, b = Symbol("a", 1), Symbol("b", 1)
i, j, l, m, r, T, w = (index(v) for v in ("i", "j", "l", "m", "r", "T", "w"))  # noqa: E741
ZERO, ONE = as_term(0), as_term(1)


def up_to_r(low: int, relation: Formula) -> Formula:
    """In every layer, for the rows from ``low`` to r."""
    return layers(1, "T", every("i", low, r, relation))


GENERAL = ("mixing", "kernels")
LESS, MORE = (*GENERAL, "at least a"), (*GENERAL, "at most b", "lambda b")
WINDOW = (*GENERAL, "window", "off the diagonal", "lambda D", "hops left")
SHARP = ("kernels", "window", "exactly D", "nothing between", "hops left", "hops reach")
claim = Claim(
    symbols=(lam, A, a, b, D),
    indices=(Range("r", as_index(2), n), Range("T", as_index(0), None), Range("w", as_index(2), None),
             Range("m", as_index(0), None)),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("at least a", up_to_r(2, Relation("<=", a("t"), A("t", "i", 1)))),
        ("at most b", up_to_r(2, Relation("<=", A("t", "i", 1), b("t")))),
        ("lambda b", at_most_one(slowed(lam, b))),
        ("window", up_to_r(1, every("j", 1, i - w, Relation("=", A("t", "i", "j"), ZERO)))),
        ("off the diagonal", up_to_r(2, Relation("<=", ONE - A("t", "i", "i"), D("t")))),
        ("lambda D", at_most_one(chances)),
        ("hops left", hops_left(r, m)),
        ("hops reach", hops_reach(r, m)),
        ("exactly D", up_to_r(2, Relation("=", ONE - A("t", "i", "i"), D("t")))),
        ("nothing between", up_to_r(2, every("j", 2, i - 1, Relation(
            "=", A("t", "i", "j") * Bracket(((i - w + 2, j),)), ZERO
        )))),
    ),
    parts=(
        Part("sink", LESS, Relation("<=", away(P, T, r), left(slowed(lam, a), "T"))),
        Part("sink, no faster", MORE, Relation("<=", left(slowed(lam, b), "T"), away(P, T, r))),
        Part("hops", WINDOW, slow(T, r, m)),
        Part("hops, sharp", SHARP, sharply(T, r, m)),
    ),
)  # fmt: skip

# --- sinks ----------------------------------------------------------------------------------------

low, high = (use("mixing", "t", parts=part) for part in ("nonnegative", "at most one"))
rollouts = (
    causal_transitions("transitions", lam, A, "T", "mixing", "kernels"),
    causal_rollout("rollouts", transition(lam, A), "T", "transitions"),
)


def by_yardstick(sign: int, rates: Fn, share: str, factors: str, goal: Formula) -> tuple[Step, ...]:
    """f_i = [i >= 2] or -[i >= 2] as a yardstick."""
    f = Lambda(("j",), sign * Bracket(((as_index(2), j),)))
    shrinks = up_to_r(1, Relation(
        "<=", total("j", 1, n, A("t", "i", "j") * f.body),
        (ONE - rates("t")) * (sign * Bracket(((as_index(2), i),))),
    ))  # fmt: skip
    return (
        *rollouts,
        Step("shrinks", shrinks, Nonnegative(
            (item(use(share, "t", "l"), times=Bracket(((l, i), (i, l))), over=(("l", 2, r),)),),
            (
                item(use("kernels", "t", "i", parts="rows"), times=sign * Bracket(((as_index(2), i),))),
                item(
                    use("kernels", "t", "i", "l", parts="mask"), times=sign * Bracket(((i, as_index(1)),)),
                    over=(("l", i + 1, n),),
                ),
            ),
        )),
        Step("depth T", goal, Nonnegative(
            (item(use("yardstick", "r", fns=(f, rates), given=(*GENERAL, factors, "shrinks"))),),
            (item(use("rollouts", r, parts="rows"), times=-sign),),
        )),
    )  # fmt: skip


sink = claim.proof(
    "sink",
    Step("a <= 1, by row 2", layers(1, "T", Relation("<=", a("t"), ONE)), Nonnegative(
        (
            item(use("at least a", "t", 2)),
            item(use("kernels", "t", 2, "j", parts="nonnegative"), over=(("j", 2, n),)),
        ),
        (item(use("kernels", "t", 2, parts="rows")),),
    )),
    Step("lambda a", at_most_one(slowed(lam, a)), Nonnegative((
        item(high), item(low, use("a <= 1, by row 2", "t")),
    ))),
    *by_yardstick(1, a, "at least a", "lambda a", claim.part("sink").asserts),
)  # fmt: skip
no_faster = claim.proof(
    "sink, no faster", *by_yardstick(-1, b, "at most b", "lambda b", claim.part("sink, no faster").asserts)
)

derivation = (
    *counting(), yardstick(lam, A), sink, no_faster,
    claim.proof("hops", *window_steps),
    claim.proof("hops, sharp", *sharp_steps),
    claim.finish("sinks and windows"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Windows that kernels are cut to, or that they use to the end; sinks exactly, or with room; as many hops as there
    can be, fewer or more.
    """
    return stacks(
        lambda _: st.integers(2, 4), lambda _: st.sampled_from([0, 0, 0, -1, 1]), lambda _: st.booleans()
    ).map(lambda drawn: _drawn(*drawn))


def _drawn(
    positions: int, coefficients: Row, kernels: tuple[Kernel, ...], at: int, room: Fraction, width: int, more: int,
    to_the_end: bool,
) -> Case:  # fmt: skip
    narrow = [_leaping(rows, width) if to_the_end else _cut(rows, width) for rows in kernels]
    return Case.of(
        positions, {"T": len(kernels), "r": at, "w": width, "m": max((at - 2) // (width - 1) + more, 0)},
        lambda_=coefficients, A=narrow, a=at_least(first_share, narrow, at, room),
        b=at_most(first_share, narrow, at, room), D=at_most(own_loss, narrow, at, Fraction(0) if to_the_end else room),
    )  # fmt: skip


def _leaping(rows: Kernel, width: int) -> Kernel:
    """The kernel whose rows give away what row 2 does, to the far end of the window."""
    away = own_loss(rows, 2)
    return (rows[0], *(
        tuple((1 - away) * (j == i) + away * (j == max(i - width + 1, 0)) for j in range(len(rows)))
        for i in range(1, len(rows))
    ))  # fmt: skip


def _cut(rows: Kernel, width: int) -> Kernel:
    """The kernel with what it reads beyond the window read at its far end."""
    return tuple(
        tuple(
            sum(row[: j + 1], Fraction(0)) if j == i - width + 1 else x * (j > i - width) for j, x in enumerate(row)
        )
        for i, row in enumerate(rows)
    )  # fmt: skip


def _case(depth: int, share: Fraction | int, rows: Sequence[Sequence[Fraction | int]], **tables: Any) -> Case:
    size, ints = len(rows), {"w": tables.pop("w", 2), "m": tables.pop("m", 0)}
    plain: dict[str, Entries] = {"a": [0] * depth, "b": [1] * depth, "D": [1] * depth}
    return Case.of(
        size, {"T": depth, "r": size, **ints}, **{"lambda_": [share] * depth, "A": [rows] * depth, **plain, **tables}
    )


_same, _first = kernel([1], [0, 1]), kernel([1], [1, 0])
_half = Fraction(1, 2)
needed = (
    Needed("mixing", _case(1, -1, _first, a=[_half]), "lambda = -1: row 2 is (-1, 2), and 2 is not at most 3/2"),
    Needed("kernels", _case(2, 1, ((1, 0), (_half, 2)), b=[_half, _half]), "row 2 is (1/2, 2): P_21 = 3/2"),
    Needed("at least a", _case(1, 1, _same, a=[1]), "A = I, a = 1: 1 is not at most 0"),
    Needed("at most b", _case(1, 1, _first, b=[0]), "A_21 = 1, b = 0: 1 is not at most 0"),
    Needed("lambda b", _case(2, 1, _same, b=[3, 3]), "A = I, b = 3, T = 2: the product is 4"),
    Needed("window", _case(1, 1, kernel([1], [0, 1], [1, 0, 0]), m=1), "A_31 = 1, w = 2, m = 1: 1 is not at most 0"),
    Needed("off the diagonal", _case(1, 1, _first, D=[0]), "A_21 = 1, D = 0: 1 is not at most 0"),
    Needed("lambda D", _case(2, 1, _same, D=[3, 3]), "A = I, D = 3, T = 2: P(K = 0) counts as 4"),
    Needed("hops left", _case(1, 1, _first, m=1), "A_21 = 1, m = 1: P(K <= 1) = 1"),
    Needed("hops reach", _case(1, 1, kernel([1], [1, 0], [0, 1, 0])), "w = 2, r = 3, m = 0: P(K = 0) = 0, 1 is left"),
    Needed("exactly D", _case(1, 1, _first, D=[0]), "A_21 = 1, D = 0: 1 is not 0"),
    Needed("nothing between", _case(1, 1, kernel([1], [1, 0], [0, 1, 0]), w=3), "A_32 = 1, w = 3: 1 is left, not 0"),
)  # fmt: skip

statement = Statement(
    id="I8",
    title="Sinks set the speed, windows slow it down",
    source="ours, beyond arXiv:2602.16837",
    remark="The largest m below (r - 1)/(w - 1) gives the best bound; with a sink the speed does not depend on r.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("sink"), scale("sink", _half), turn("sink, no faster"), scale("sink, no faster", _half), turn("hops"),
        scale("hops", _half), scale("hops, sharp"), shift("hops, sharp", "rollout", 1, -1),
    ),
)  # fmt: skip
