"""Lemmas on kernels that are monotone up to a defect: F_A(i, k) - F_A(m, k) <= e for i <= m (D8).

A function g between 0 and 1 that falls by at most e has a nondecreasing h with h <= g <= h + e: the running maximum of
g - e and 0, which stays below c wherever c >= 0 and c >= 1 - e.  So, for kernels R and P with defects x and y,

    F_RP(i, k) - F_RP(m, k)  <=  y + sum_j (R_ij - R_mj) h_j
                             =   y + sum_l [F_R(i, l) - F_R(m, l)] (h_l - h_{l-1})  <=  y + c x
"""

from __future__ import annotations

from proofs.notation import causal, every, n, product, stochastic, tail
from proofs.one_kernel_steps import unit_row
from proofs.product_steps import for_all
from proofs.steps import (
    Both,
    Cases,
    Chain,
    Generalise,
    Induction,
    Instantiate,
    Nonnegative,
    Obtain,
    Step,
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
    """h up to r, then ``last``."""
    before, after = Bracket(((l, r),)), Bracket(((r + 1, l),))
    return Lambda(("l",), before * h("l") + after * last)


def _witnessed(
    goal: ExistsFn, function: Fn, reasons: dict[str, tuple[Nonnegative, Nonnegative | None]], label: str
) -> tuple[Step, ...]:
    """The function has all the properties; each has a reason up to r and, where it speaks of r + 1, one for that."""
    whole = substitute(goal.body, {}, {goal.symbol.name: function})
    assert isinstance(whole, And)
    steps = []
    for name, formula in whole.parts:
        first, last = reasons[name]
        if last is None or not isinstance(formula, ForAll):
            steps.append(Step(name, formula, first))
            continue
        end = r - 1 if name == "rises" else r
        steps.append(
            Step(
                name,
                formula,
                Generalise(
                    ("l",),
                    (
                        Step(
                            f"{name} here",
                            formula.body,
                            Cases(l, end, (Step("before", formula.body, first),), (Step("last", formula.body, last),)),
                        ),
                    ),
                ),
            )
        )
    names = tuple(name for name, _ in whole.parts)
    return (*steps, Step("all", whole, Both(names)), Step(label, goal, Witness(function, "all")))


def _known(name: str, *at: Index | int | str) -> Nonnegative:
    return Nonnegative((item(use("h", *at, parts=name)),))


def _running_maximum() -> Step:
    nothing = Nonnegative(())
    base = _witnessed(_minorant(0), Lambda(("l",), ZERO), {
        "start": (nothing, None), "rises": (nothing, None), "capped": (Nonnegative((item(use("cap")),)), None),
        "ahead": (Nonnegative((item(use("unit", "l", parts="nonnegative")),)), None), "below": (nothing, None),
        "above": (nothing, None),
    }, "nothing yet")  # fmt: skip
    same = {"start": (_known("start"), None), "rises": (_known("rises", "l"), nothing)}
    both = {"below": _known("below", "l"), "above": _known("above", "l")}
    kept = _witnessed(_minorant(r + 1), _extended(h("r")), {
        **same, "capped": (_known("capped"), None), "ahead": (_known("ahead", "l"), None),
        "below": (both["below"], _known("ahead", r + 1)),
        "above": (both["above"], Nonnegative((item(use("case")),))),
    }, "keep the last value")  # fmt: skip
    raised = _witnessed(_minorant(r + 1), _extended(g(r + 1) - e()), {
        **same, "rises": (_known("rises", "l"), Nonnegative((item(use("case")),))),
        "capped": (Nonnegative((item(use("enough")), item(use("unit", r + 1, parts="at most one")))), None),
        "ahead": (Nonnegative((item(use("falls", r + 1, "l")),)), None),
        "below": (both["below"], Nonnegative((item(use("falls", r + 1, r + 1)),))), "above": (both["above"], nothing),
    }, "raise it")  # fmt: skip
    step = Step("one more position", _minorant(r + 1), Obtain(use("so far"), "h*", "h", (
        Step("larger", _minorant(r + 1), real_cases(g(r + 1) - e(), h("r"), "case", kept, raised)),
    )))  # fmt: skip
    falls = every("p", 1, n, every("q", index("p"), n, Relation("<=", g("p") - g("q"), e())))
    goal = every("r", 0, n, _minorant("r"))
    premises = unit_row(g), falls, Relation("<=", ZERO, c()), Relation("<=", ONE, c() + e())
    return Step(
        "running maximum",
        for_all((g, e, c), *premises, _minorant(n)),
        Generalise(("g*", "e*", "c*", "unit", "falls", "cap", "enough"), (
            Step("each position", goal, Induction("so far", base, (step,))),
            Step("last position", _minorant(n), Instantiate(use("each position", n))),
        )),
    )  # fmt: skip


# --- products -------------------------------------------------------------------------------------


def _product_defect() -> Step:
    """F_RP(i, k) - F_RP(m, k) <= y + c x, where c >= 0 and c >= 1 - y."""
    tails = Lambda(("j",), tail(P)("j", "k"))
    within = unit_row(tails)
    low, high = Relation("<=", ZERO, tail(P)("q", "k")), Relation("<=", tail(P)("q", "k"), ONE)
    falls = Relation("<=", tail(product(R, P))("i", "k") - tail(product(R, P))("m", "k"), y() + c() * x())
    premises = (
        stochastic(R), stochastic(P), defect(R, x()), defect(P, y()), Relation("<=", ZERO, c()),
        Relation("<=", ONE, c() + y()),
    )  # fmt: skip
    nonnegative = use("upper defect", "i", "i", 1)  # 0 <= x
    certificate = Nonnegative(
        (
            item(use("upper", "i", "j", parts="nonnegative"), use("h", "j", parts="above"), over=(("j", 1, n),)),
            item(use("upper", "m", "j", parts="nonnegative"), use("h", "j", parts="below"), over=(("j", 1, n),)),
            item(use("upper defect", "i", "m", "l"), use("h", l - 1, parts="rises"), over=(("l", 1, n),)),
            item(nonnegative, use("h", parts="capped")),
            item(nonnegative, use("h", parts="start")),
        ),
        (
            item(use("upper", "i", parts="rows"), times=y() + h(0)),
            item(use("upper", "m", parts="rows"), times=-h(0)),
        ),
    )
    return Step(
        "defect of a product",
        for_all((R, P, x, y, c), *premises, defect(product(R, P), y() + c() * x())),
        Generalise(
            ("R*", "P*", "x*", "y*", "c*", "upper", "lower", "upper defect", "lower defect", "cap", "enough", "i", "m",
             "k"),
            (
                Step("tails within", within, Generalise(("q",), (
                    Step("at least 0", low, Nonnegative((
                        item(use("lower", "q", "j", parts="nonnegative"), over=(("j", k, n),)),
                    ))),
                    Step("at most 1", high, Nonnegative(
                        (item(use("lower", "q", "j", parts="nonnegative"), over=(("j", 1, k - 1),)),),
                        (item(use("lower", "q", parts="rows")),),
                    )),
                    Step("both", And((("nonnegative", low), ("at most one", high))), Both(("at least 0", "at most 1"))),
                ))),
                Step("tails fall", every("p", 1, n, every("q", index("p"), n, Relation(
                    "<=", tail(P)("p", "k") - tail(P)("q", "k"), y()
                ))), Chain((use("lower defect", "p", "q", "k"),))),
                Step("by h", falls, Obtain(
                    use("running maximum", fns=(tails, y, c), given=("tails within", "tails fall", "cap", "enough")),
                    "h*", "h", (Step("sum by parts", falls, certificate),),
                )),
            ),
        ),
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
