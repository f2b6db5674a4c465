"""Lemmas on two rows of which one precedes the other in the likelihood ratio, q_l p_j <= q_j p_l for j < l.

basic composition    sum_m g_m A^m precedes sum_m f_m A^m, if the law f precedes g, in the rows that
                         read no later one of A >= 0, totally positive
no way back          p_l < q_l and j < l give p_j <= q_j, for p, q >= 0
one crossing         some r has p_j <= q_j for j <= r and q_j <= p_j for j > r
"""

from __future__ import annotations

from fractions import Fraction

from proofs.lemmas.total_positivity_steps import nonnegative, reads_no_later, row_order
from proofs.notation import every, n, power, totally_positive
from proofs.steps import (
    Absurd,
    Both,
    Cases,
    Chain,
    Either,
    Generalise,
    Induction,
    Instantiate,
    Nonnegative,
    Obtain,
    Step,
    Witness,
    item,
    use,
)
from proofs.term import (
    And,
    Exists,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Range,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
    total,
)

__all__ = ["composition", "crossing_lemmas", "mixture", "no_way_back", "one_crossing"]

X, f, g = Symbol("X*", 2), Symbol("f*", 1), Symbol("g*", 1)  # starred, so that no claim uses the names
p, q = Symbol("p*", 1), Symbol("q*", 1)
j, m, d, r, s, u, T = (index(x) for x in ("j", "m", "d", "r", "s", "u", "T"))
ZERO = as_term(0)


def mixture(weights: Fn, kernel: Fn) -> Lambda:
    """sum_{r <= T} f_r A^r."""
    return Lambda(("i", "j"), total("r", 0, T, weights("r") * power(kernel)("r", "i", "j")))


_precedes = every("m", 0, None, every("d", 0, None, Relation("<=", f(m + d) * g("m"), f("m") * g(m + d))))
_composed = row_order(mixture(g, X), mixture(f, X), "i")

composition = Step(
    "basic composition",
    ForAllFn(X, ForAllFn(f, ForAllFn(g, Implies(nonnegative(X), Implies(totally_positive(X), Implies(
        _precedes, every("i", 1, n, Implies(reads_no_later(X, "i"), _composed))
    )))))),
    Generalise(("X*", "f*", "g*", "entries", "minors", "laws", "i", "mask"), (
        Step("pairs of powers", _composed, Nonnegative((item(
            use("laws", "r", s - r), use(
                "more factors precede fewer", "i", "r", s - r, "j", "l", fns=(X,), given=("entries", "minors", "mask")
            ),
            over=(("r", 0, T), ("s", r + 1, T)),
        ),))),
    )),
)  # fmt: skip


def _rows(conclusion: Formula) -> Formula:
    """For all p, q >= 0, q before p in the likelihood ratio."""
    premises = [every("j", 1, n, Relation("<=", ZERO, row("j"))) for row in (p, q)]
    order = every("j", 1, n, every("l", j + 1, n, Relation("<=", q("l") * p("j"), q("j") * p("l"))))
    for premise in (order, *reversed(premises)):
        conclusion = Implies(premise, conclusion)
    return ForAllFn(p, ForAllFn(q, conclusion))


_given = ("p*", "q*", "p", "q", "order")


def no_way_back(before: Fn, after: Fn) -> ForAll:
    """Where a position gains, no earlier one loses."""
    gains = Relation("<", before("l"), after("l"))
    return every("j", 1, n, every("l", j + 1, n, Implies(gains, Relation("<=", before("j"), after("j")))))


_kept = Relation("<=", p("j"), q("j"))
_back = Step("no way back", _rows(no_way_back(p, q)), Generalise((*_given, "j", "l", "gain"), (
    Step("no loss", _kept, Either(_kept, "whether", (
        Step("none", _kept, Chain((use("whether"),))),
    ), (
        Step("gain times loss", Relation("<", ZERO, ZERO), Nonnegative((
            item(use("gain"), use("whether")),
            item(use("p", "l"), use("whether")),
            item(use("gain"), use("q", "j")),
            item(use("order", "j", "l")),
        ))),
        Step("absurd", _kept, Absurd(use("gain times loss"), Fraction(0))),
    ))),
)))  # fmt: skip


def one_crossing(before: Fn, after: Fn, high: Index = n) -> Exists:
    """Up to some position r nothing is lost, beyond it nothing is gained."""
    return Exists(Range("r", as_index(0), high), And((
        ("gains", every("j", 1, r, Relation("<=", before("j"), after("j")))),
        ("losses", every("j", r + 1, high, Relation("<=", after("j"), before("j")))),
    )))  # fmt: skip


def _parts(last: Index, high: Index) -> tuple[ForAll, ForAll]:
    """Gains up to ``last``, losses from there to ``high``."""
    return (
        every("j", 1, last, Relation("<=", p("j"), q("j"))), every("j", last + 1, high, Relation("<=", q("j"), p("j"))),
    )  # fmt: skip


_next = u + 1
_loses = Relation("<=", q(_next), p(_next))
_stays, _moves = _parts(r, _next), _parts(_next, _next)
_goal = one_crossing(p, q, _next)
_lower = Step("losses", _stays[1], Generalise(("j",), (
    Step("each", _stays[1].body, Cases(
        j, u,
        (Step("before", _stays[1].body, Chain((use("pivot", "j", parts="losses"),))),),
        (Step("the last", _stays[1].body, Chain((use("whether"),))),),
    )),
)))  # fmt: skip
_one_more = Step("one more", _goal, Either(_loses, "whether", (
    Step("same pivot", _goal, Obtain(use("so far"), "r", "pivot", (
        Step("gains", _stays[0], Chain((use("pivot", "j", parts="gains"),))),
        _lower,
        Step("both", And((("gains", _stays[0]), ("losses", _stays[1]))), Both(("gains", "losses"))),
        Step("here", _goal, Witness(r, "both")),
    ))),
), (
    Step("gains", _moves[0], Generalise(("j",), (
        Step("each", _moves[0].body, Cases(
            j, u,
            (Step("earlier", _moves[0].body, Instantiate(use("back", "j", _next, given=("whether",)))),),
            (Step("the last", _moves[0].body, Chain((use("whether"),))),),
        )),
    ))),
    Step("losses", _moves[1], Nonnegative(())),
    Step("both", And((("gains", _moves[0]), ("losses", _moves[1]))), Both(("gains", "losses"))),
    Step("here", _goal, Witness(_next, "both")),
)))  # fmt: skip
_none = _parts(as_index(0), as_index(0))
_crossing = Step("one crossing", _rows(one_crossing(p, q)), Generalise(_given, (
    Step("back", no_way_back(p, q), Instantiate(use("no way back", fns=(p, q), given=("p", "q", "order")))),
    Step("up to each position", every("u", 0, n, one_crossing(p, q, u)), Induction(
        "so far",
        base=(
            Step("gains", _none[0], Nonnegative(())),
            Step("losses", _none[1], Nonnegative(())),
            Step("both", And((("gains", _none[0]), ("losses", _none[1]))), Both(("gains", "losses"))),
            Step("here", one_crossing(p, q, as_index(0)), Witness(as_index(0), "both")),
        ),
        step=(_one_more,),
    )),
    Step("all positions", one_crossing(p, q), Instantiate(use("up to each position", n))),
)))  # fmt: skip


def crossing_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved; the powers of a kernel come before."""
    return composition, _back, _crossing
