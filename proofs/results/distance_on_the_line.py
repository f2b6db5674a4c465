"""I7b, distance on the line: how far a rollout carries a row, and where it lies between the two ends.

    W1(p, q) = sum_k |F_p(k) - F_q(k)|,  F_p(k) = p_k + ... + p_n;     e_j the row that reads position j only

    W1(p, q) = sum_j j (q_j - p_j), the difference of the means,   if p precedes q: F_p(k) <= F_q(k) for every k
    W1(e_1, P_r) = sum_j (j - 1) P_rj,   W1(P_r, e_r) = r - sum_j j P_rj <= sum_t lambda_t M_t   for row r of P = P^(T),
                                         if J_t(i) = sum_{j <= i} (i - j) A^(t)_ij <= M_t for the rows i <= r

Hypotheses: causal kernels, 0 <= lambda_t <= 1; none for the first line but the order, masses may differ.  With M_t = M
the bound is S M, S = lambda_1 + ... + lambda_T.  Equations and an inequality, tight for one layer.  Source: ours,
beyond arXiv:2602.16837.

Proof: the first line is summation by parts.  Row r of R_{T+1} P^(T) lies back by at most lambda J(r) more than rows of
P^(T) do from where they start.

Exact here: everything.  Numeric here: nothing.  Not covered: that W1 is the least cost of moving p to q.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, Entries, kernel
from proofs.cases.speed_cases import mean_jump, stacks
from proofs.draws import Kernel, Row, values
from proofs.laws import wasserstein
from proofs.lemmas.position_steps import (
    counting,
    distance_of_ordered,
    jump,
    jump_bounds,
    jump_steps,
    one,
    precedes,
    steps_back,
)
from proofs.lemmas.series_steps import partial_sum
from proofs.lemmas.speed_steps import slowed
from proofs.notation import causal, every, layer, layers, mixing, n, number, rollout, transition, zero_one
from proofs.outline import causal_rollout, causal_transitions
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Generalise, Identity, Induction, Nonnegative, Step, Use, item, use
from proofs.term import (
    Bracket,
    Fn,
    Formula,
    Implies,
    Index,
    Lambda,
    Range,
    Relation,
    Symbol,
    as_index,
    index,
    total,
)
from proofs.twins import lose, scale, turn

lam, A, M, p, q = (Symbol(*s) for s in (("lambda", 1), ("A", 3), ("M", 1), ("p", 1), ("q", 1)))
i, j, k, l, r, s, T = (index(name) for name in ("i", "j", "k", "l", "r", "s", "T"))  # noqa: E741
P = rollout(transition(lam, A))
row = Lambda(("j",), P(T, r, "j"))
gone = slowed(lam, M)


def only(at: Index | int) -> Lambda:
    """The row e that reads one position."""
    return Lambda(("j",), zero_one("j", at))


def moved(depth: Index | int | str) -> Formula:
    """i - 1 - sum_j (j - 1) P_ij <= sum_t lambda_t M_t, for the rows up to r."""
    back = number(i - 1) - steps_back(layer(P, depth), "i")
    return every("i", 1, r, Relation("<=", back, partial_sum(gone, depth)))


to_last = wasserstein(row, only(r))
GENERAL = ("mixing", "kernels")
claim = Claim(
    symbols=(lam, A, M, p, q),
    indices=(Range("r", as_index(1), n), Range("T", as_index(0), None)),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("at most M", layers(1, "T", every("i", 1, r, Relation("<=", jump(A, "t", "i"), M("t"))))),
        ("ordered", precedes(p, q)),
    ),
    parts=(
        Part("ordered rows", ("ordered",), Relation(
            "=", wasserstein(p, q), total("j", 1, n, number("j") * (q("j") - p("j")))
        )),
        Part("from the first token", GENERAL, Relation("=", wasserstein(only(1), row), steps_back(layer(P, T), r))),
        Part("to the last token", GENERAL, Relation(
            "=", to_last, number(r) - total("j", 1, n, number("j") * P(T, r, "j"))
        )),
        Part("not far from the last token", (*GENERAL, "at most M"), Relation("<=", to_last, partial_sum(gone, "T"))),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

known = dict(claim.hypotheses)
rollouts = (
    causal_transitions("transitions", lam, A, "T", "mixing", "kernels"),
    causal_rollout("rollouts", transition(lam, A), "T", "transitions"),
)
jumps = Step("mean jumps", Implies(known["kernels"], jump_bounds(A)), Generalise(("kernels",), jump_steps(A)))
mass, entry = use("rollouts", r, parts="rows"), use("rollouts", r, "j", parts="nonnegative")


def distance(first_row: Fn, second_row: Fn, ordered: str) -> Use:
    """W1(p, q) = sum_j j (q_j - p_j)."""
    return use("distance of ordered", fns=(first_row, second_row), given=(ordered,))


ordered_rows = claim.proof("ordered rows", Step("difference of means", claim.part("ordered rows").asserts, Chain((
    distance(p, q, "ordered"),
))))  # fmt: skip

from_first = claim.proof(
    "from the first token",
    *rollouts,
    Step("after e_1", precedes(only(1), row), Nonnegative(
        (item(entry, times=Bracket(((as_index(2), k),)), over=(("j", k, n),)),),
        (item(mass, times=-Bracket(((k, as_index(1)),))),),
    )),
    Step("distance", claim.part("from the first token").asserts, Identity((
        item(distance(only(1), row, "after e_1")),
        item(use("next number", j - 1), times=P(T, r, "j"), over=(("j", 1, n),)),
        item(mass),
        item(use("number 1", "k"), times=-1, over=(("k", 1, 1),)),
    ))),
)  # fmt: skip

last = claim.proof(
    "to the last token",
    *rollouts,
    Step("before e_r", precedes(row, only(r)), Nonnegative(
        (item(entry, times=Bracket(((k, r),)), over=(("j", 1, k - 1),)),),
        (
            item(mass, times=Bracket(((k, r),))),
            item(
                use("rollouts", r, "j", parts="mask"), times=Bracket(((k, j), (r + 1, k))), over=(("j", r + 1, n),)
            ),
        ),
    )),
    Step("distance", claim.part("to the last token").asserts, Chain((distance(row, only(r), "before e_r"),))),
)  # fmt: skip

low, high = (use("mixing", s + 1, parts=part) for part in ("nonnegative", "at most one"))
reads, mask = (use("kernels", s + 1, "i", "l", parts=part) for part in ("nonnegative", "mask"))
mean = use("mean jumps", s + 1, "i", parts="mean", given=("kernels",))
top, so_far = lam(s + 1), partial_sum(gone, "s")
not_far = claim.proof(
    "not far from the last token",
    *rollouts,
    Step("every depth", every("s", 0, T, moved("s")), Induction(
        "so far",
        (Step("no layer", moved(0), Nonnegative(())),),
        (Step("one more layer", moved(s + 1), Nonnegative(
            (
                item(high, use("so far", "i")),
                item(low, reads, use("so far", "l"), over=(("l", 1, i),)),
                item(low, use("at most M", s + 1, "i")),
            ),
            (
                item(use("kernels", s + 1, "i", parts="rows"), times=top * so_far),
                item(mean, times=-top),
                item(
                    mask, times=top * (number(l - 1) - so_far - steps_back(layer(P, "s"), "l")),
                    over=(("l", i + 1, n),),
                ),
            ),
        )),),
    )),
    Step("distance", claim.part("not far from the last token").asserts, Nonnegative(
        (item(use("every depth", T, r)),),
        (
            item(use("to the last token", given=GENERAL)),
            item(use("next number", j - 1), times=-P(T, r, "j"), over=(("j", 1, n),)),
            item(use("next number", r - 1)),
            item(mass, times=-1),
        ),
    )),
)  # fmt: skip

derivation = (
    *counting(), one, jumps, *distance_of_ordered(), ordered_rows, from_first, last, not_far,
    claim.finish("distance on the line"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """A row that precedes another one, or any two; the largest jumps, exactly or with room."""
    shifts = partial(st.lists, st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(2), Fraction(-1, 3)]))
    return stacks(values, lambda size: shifts(min_size=size, max_size=size), lambda _: st.booleans()).map(
        lambda drawn: _drawn(*drawn)
    )


def _drawn(
    positions: int, coefficients: Row, kernels: tuple[Kernel, ...], at: int, room: Fraction, lower: Row,
    shifts: list[Fraction], ordered: bool,
) -> Case:  # fmt: skip
    more = [abs(x) if ordered else x for x in shifts]  # of the tails
    upper = [x + here - then for x, here, then in zip(lower, more, [*more[1:], Fraction(0)], strict=True)]
    most = [max(mean_jump(rows, i) for i in range(1, at + 1)) + room for rows in kernels]
    return Case.of(
        positions, {"T": len(kernels), "r": at}, lambda_=coefficients, A=kernels, M=most, p=lower, q=upper
    )  # fmt: skip


def _case(share: Fraction | int, rows: Kernel, **tables: Entries) -> Case:
    plain: dict[str, Entries] = {"M": [5], "p": [1, 0], "q": [0, 1]}
    return Case.of(2, {"T": 1, "r": 2}, **{"lambda_": [share], "A": [rows], **plain, **tables})


_first = kernel([1], [1, 0])
needed = (
    Needed("mixing", _case(2, _first), "lambda = 2: row 2 is (2, -1)"),
    Needed("kernels", _case(1, kernel([1], [2, 0])), "row 2 is (2, 0), of mass 2"),
    Needed("at most M", _case(1, _first, M=[0]), "A_21 = 1, M = 0: row 2 is at distance 1"),
    Needed("ordered", _case(1, _first, p=[0, 1], q=[1, 0]), "e_2 and e_1: the distance is 1, the means differ by -1"),
)

statement = Statement(
    id="I7b",
    title="How far a rollout carries a row along the line of positions",
    source="ours, beyond arXiv:2602.16837",
    remark="The distance of the profile from the first token is its mean position less 1.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("ordered rows"), lose("ordered rows"), scale("from the first token"),
        scale("to the last token"), turn("not far from the last token"),
        scale("not far from the last token", Fraction(1, 2)),
    ),
)  # fmt: skip
