"""Lemmas on kernels that are monotone up to a defect: F_A(i, k) - F_A(m, k) <= e for i <= m (D8).

A function g between 0 and 1 that falls by at most e has a nondecreasing h with h <= g <= h + e: the running maximum of
g - e and 0, which stays below c wherever c >= 0 and c >= 1 - e.  So, for kernels R and P with defects x and y,

    F_RP(i, k) - F_RP(m, k)  <=  y + sum_j (R_ij - R_mj) h_j
                             =   y + sum_l [F_R(i, l) - F_R(m, l)] (h_l - h_{l-1})  <=  y + c x
"""

from __future__ import annotations

from collections.abc import Mapping

from proofs.lemmas.product_steps import for_all
from proofs.lemmas.token_layers_steps import unit_row
from proofs.notation import causal, every, n, product, stochastic, tail
from proofs.steps import (
    Both,
    Cases,
    Chain,
    Generalise,
    Induction,
    Instantiate,
    Nonnegative,
    Obtain,
    Reason,
    Step,
    Use,
    Witness,
    item,
    real_cases,
    use,
)
from proofs.substitute import substitute
from proofs.term import (
    And,
    Bracket,
    ExistsFn,
    Fn,
    ForAll,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
)

__all__ = ["defect", "defect_lemmas", "no_defect"]

g, h, e, c = Symbol("g*", 1), Symbol("h*", 1), Symbol("e*", 0), Symbol("c*", 0)
R, P, x, y = Symbol("R*", 2), Symbol("P*", 2), Symbol("x*", 0), Symbol("y*", 0)  # starred: no claim uses the names
i, k, l, m, r = (index(v) for v in ("i", "k", "l", "m", "r"))  # noqa: E741 - the letters of the formulas
ZERO, ONE = as_term(0), as_term(1)

Reasons = Mapping[str, tuple[Reason, ...]]  # of a property: up to r, and of what is new if that needs another


def defect(kernel: Fn, bound: Term) -> ForAll:
    """F_A(i, k) - F_A(m, k) <= bound for i <= m: no row is more recent than a later one by more than that."""
    falls = Relation("<=", tail(kernel)("i", "k") - tail(kernel)("m", "k"), bound)
    return every("i", 1, n, every("m", i, n, every("k", 1, n, falls)))


# --- the running maximum --------------------------------------------------------------------------


def _minorant(upto: Index | int | str) -> ExistsFn:
    """Some h, defined up to a position, with 0 <= h_0 <= h_1 <= ... <= c and h <= g <= h + e there and g above its
    last value from there on.
    """
    at = as_index(upto)
    parts = {
        "start": Relation("<=", ZERO, h(0)),
        "rises": every("l", 0, at - 1, Relation("<=", h("l"), h(l + 1))),
        "capped": Relation("<=", h(at), c()),
        "ahead": every("l", at + 1, n, Relation("<=", h(at), g("l"))),
        "below": every("l", 1, at, Relation("<=", h("l"), g("l"))),
        "above": every("l", 1, at, Relation("<=", g("l"), h("l") + e())),
    }
    return ExistsFn(h, And(tuple(parts.items())))


def _extended(last: Term) -> Lambda:
    """h up to r, and ``last`` at r + 1."""
    return Lambda(("l",), h("l") + Bracket(((r + 1, l),)) * (last - h(r + 1)))


def _split(name: str, formula: ForAll, before: Reason, new: Reason) -> Step:
    """A property of every position up to r + 1, from a reason up to r and one for what is new."""
    here, end = formula.body, r - 1 if name == "rises" else r
    cases = Cases(l, end, (Step("before", here, before),), (Step("new", here, new),))
    return Step(name, formula, Generalise(("l",), (Step(f"{name} here", here, cases),)))


def _witnessed(label: str, upto: Index | int, function: Fn, reasons: Reasons) -> tuple[Step, ...]:
    """The function has all the properties."""
    goal = _minorant(upto)
    whole = substitute(goal.body, {}, {goal.symbol.name: function})
    assert isinstance(whole, And)
    steps = []
    for name, formula in whole.parts:
        first, *new = reasons[name]
        if new and isinstance(formula, ForAll):
            steps.append(_split(name, formula, first, *new))
        else:
            steps.append(Step(name, formula, first))
    every_one = Step("all", whole, Both(tuple(name for name, _ in whole.parts)))
    return (*steps, every_one, Step(label, goal, Witness(function, "all")))


def _known(name: str, *at: Index | int | str) -> Nonnegative:
    return Nonnegative((item(use("h", *at, parts=name)),))


def _from(*facts: Use) -> Nonnegative:
    return Nonnegative(tuple(item(fact) for fact in facts))


def _first_value() -> tuple[Step, ...]:
    """h_0 = 0: there is no position yet, and what h is at one does not matter."""
    none = Generalise(("l",), ())
    return _witnessed("nothing yet", 0, Lambda(("l",), g("l") - g(0)), {
        "start": (_from(),), "rises": (none,), "below": (none,), "above": (none,),
        "capped": (_from(use("cap")),), "ahead": (_from(use("unit", "l", parts="nonnegative")),),
    })  # fmt: skip


def _kept() -> tuple[Step, ...]:
    """h_{r+1} = h_r, where g_{r+1} - e is at most that."""
    return _witnessed("keep the last value", r + 1, _extended(h("r")), {
        "start": (_known("start"),), "rises": (_known("rises", "l"), _from()), "capped": (_known("capped"),),
        "ahead": (_known("ahead", "l"),), "below": (_known("below", "l"), _known("ahead", r + 1)),
        "above": (_known("above", "l"), _from(use("case"))),
    })  # fmt: skip


def _raised() -> tuple[Step, ...]:
    """h_{r+1} = g_{r+1} - e, where that is larger than h_r."""
    return _witnessed("raise it", r + 1, _extended(g(r + 1) - e()), {
        "start": (_known("start"),), "rises": (_known("rises", "l"), _from(use("case"))),
        "capped": (_from(use("enough"), use("unit", r + 1, parts="at most one")),),
        "ahead": (_from(use("falls", r + 1, "l")),),
        "below": (_known("below", "l"), _from(use("falls", r + 1, r + 1))), "above": (_known("above", "l"), _from()),
    })  # fmt: skip


def _running_maximum() -> Step:
    larger = real_cases(g(r + 1) - e(), h("r"), "case", _kept(), _raised())
    step = Step("one more position", _minorant(r + 1), Obtain(use("so far"), "h*", "h", (
        Step("larger", _minorant(r + 1), larger),
    )))  # fmt: skip
    falls = every("p", 1, n, every("q", index("p"), n, Relation("<=", g("p") - g("q"), e())))
    goal = every("r", 0, n, _minorant("r"))
    premises = unit_row(g), falls, Relation("<=", ZERO, c()), Relation("<=", ONE, c() + e())
    return Step(
        "running maximum",
        for_all((g, e, c), *premises, _minorant(n)),
        Generalise(("g*", "e*", "c*", "unit", "falls", "cap", "enough"), (
            Step("each position", goal, Induction("so far", _first_value(), (step,))),
            Step("last position", _minorant(n), Instantiate(use("each position", n))),
        )),
    )  # fmt: skip


# --- products -------------------------------------------------------------------------------------


def _tails_of_lower() -> tuple[Step, Step]:
    """The tails of P from k on lie between 0 and 1 and fall by at most y."""
    p, q = index("p"), index("q")
    tails = Lambda(("j",), tail(P)("j", "k"))
    low, high = Relation("<=", ZERO, tail(P)(q, "k")), Relation("<=", tail(P)(q, "k"), ONE)
    read = use("lower", "q", "j", parts="nonnegative")
    within = Step("tails within", unit_row(tails), Generalise(("q",), (
        Step("at least 0", low, Nonnegative((item(read, over=(("j", k, n),)),))),
        Step("at most 1", high, Nonnegative(
            (item(read, over=(("j", 1, k - 1),)),), (item(use("lower", "q", parts="rows")),)
        )),
        Step("both", And((("nonnegative", low), ("at most one", high))), Both(("at least 0", "at most 1"))),
    )))  # fmt: skip
    fall = every("p", 1, n, every("q", p, n, Relation("<=", tail(P)(p, "k") - tail(P)(q, "k"), y())))
    return within, Step("tails fall", fall, Chain((use("lower defect", "p", "q", "k"),)))


def _by_parts() -> Nonnegative:
    """y + c x - sum_j (R_ij - R_mj) g_j for the tails g of P, with 0 <= h_0 <= ... <= h_n <= c and h <= g <= h + y."""
    some = use("upper defect", "i", "i", 1)  # 0 <= x
    return Nonnegative(
        (
            item(use("upper", "i", "j", parts="nonnegative"), use("h", "j", parts="above"), over=(("j", 1, n),)),
            item(use("upper", "m", "j", parts="nonnegative"), use("h", "j", parts="below"), over=(("j", 1, n),)),
            item(use("upper defect", "i", "m", "l"), use("h", l - 1, parts="rises"), over=(("l", 1, n),)),
            item(some, use("h", parts="capped")),
            item(some, use("h", parts="start")),
        ),
        (
            item(use("upper", "i", parts="rows"), times=y() + h(0)),
            item(use("upper", "m", parts="rows"), times=-h(0)),
        ),
    )


def _product_defect() -> Step:
    """F_RP(i, k) - F_RP(m, k) <= y + c x, where c >= 0 and c >= 1 - y."""
    goal = defect(product(R, P), y() + c() * x())
    falls = Relation("<=", tail(product(R, P))("i", "k") - tail(product(R, P))("m", "k"), y() + c() * x())
    premises = {
        "upper": stochastic(R), "lower": stochastic(P), "upper defect": defect(R, x()), "lower defect": defect(P, y()),
        "cap": Relation("<=", ZERO, c()), "enough": Relation("<=", ONE, c() + y()),
    }  # fmt: skip
    minorant = use(
        "running maximum", fns=(Lambda(("j",), tail(P)("j", "k")), y, c),
        given=("tails within", "tails fall", "cap", "enough"),
    )  # fmt: skip
    return Step(
        "defect of a product",
        for_all((R, P, x, y, c), *premises.values(), goal),
        Generalise(("R*", "P*", "x*", "y*", "c*", *premises, "i", "m", "k"), (
            *_tails_of_lower(),
            Step("by h", falls, Obtain(minorant, "h*", "h", (Step("sum by parts", falls, _by_parts()),))),
        )),
    )  # fmt: skip


# --- drift ----------------------------------------------------------------------------------------


def no_defect(label: str, kernel: Fn, fact: str) -> Step:
    """A monotone kernel has the defect 0: row by row, from i to m."""

    def falls(row: Index | str) -> Relation:
        return Relation("<=", tail(kernel)("i", "k") - tail(kernel)(row, "k"), ZERO)

    return Step(label, defect(kernel, ZERO), Generalise(("i",), (
        Step("row by row", every("m", i, n, every("k", 1, n, falls("m"))), Induction(
            "so far",
            (Step("itself", every("k", 1, n, falls(i)), Nonnegative(())),),
            (Step("next row", every("k", 1, n, falls(m + 1)), Chain((use("so far", "k"), use(fact, "m", "k")))),),
        )),
    )))  # fmt: skip


def _causal_layer() -> Step:
    """F_NP(i, k) - F_P(i, k) <= (1 - N_ii) y: a causal layer N reads before i, where P is higher by at most y."""
    rises = Relation("<=", tail(product(R, P))("i", "k") - tail(P)("i", "k"), (ONE - R("i", "i")) * y())
    here = y() + tail(P)("i", "k")
    reads = item(
        use("causal", "i", "l", parts="nonnegative"), use("defect", "l", "i", "k"), over=(("l", 1, i - 1),)
    )  # fmt: skip
    masked = item(use("causal", "i", "l", parts="mask"), times=tail(P)("l", "k") - here, over=(("l", i + 1, n),))
    return Step(
        "causal layer",
        for_all((R, P, y), causal(R), defect(P, y()), every("i", 1, n, every("k", 1, n, rises))),
        Generalise(("R*", "P*", "y*", "causal", "defect", "i", "k"), (
            Step("reads before", rises, Nonnegative(
                (reads,), (item(use("causal", "i", parts="rows"), times=here), masked)
            )),
        )),
    )  # fmt: skip


def defect_lemmas() -> tuple[Step, ...]:
    """A nondecreasing function below any other; the defect of a product of kernels; what a causal layer does."""
    return _running_maximum(), _product_defect(), _causal_layer()
