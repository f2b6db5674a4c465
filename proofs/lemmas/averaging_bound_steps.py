"""The mean of a product of random kernels against the product of the means, by test functions 0 <= g <= 1.

    u_s = (P^(s) - Q^(s)) g,        |u_s| <= 1/2 sum_{t <= s} b_t                      outcome by outcome
    E u_{s+1} = N_{s+1} E u_s + E D_{s+1} u_s,    E D_{s+1} u_s <= E b_{s+1} 1/2 sum_{t <= s} b_t

since |D f| <= b c where |f| <= c, and |D f| <= b / 2 where 0 <= f <= 1, the rows of D summing to 0.  Assumed, under
the names given: p_omega >= 0 ("weights") of sum 1 ("mass"), kernels R_t ("kernels"), N = E R ("means"), D = R - N
("deviations"), sum_j |D_ij| <= b ("distances").
"""

from __future__ import annotations

from fractions import Fraction

from proofs.lemmas.averaging_steps import D, M, N, P, Q, R, entries, every_outcome, expected, for_outcome, p
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.poisson_steps import for_reals
from proofs.lemmas.variation_steps import rows_of, tested, unit
from proofs.notation import every, image, layer, layers, n
from proofs.steps import Generalise, Identity, Induction, Item, Nonnegative, Step, Use, item, use
from proofs.substitute import apply
from proofs.term import (
    Compare,
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

__all__ = ["absolute", "absolute_bounds", "b", "bound", "distances", "gap_tested", "layer_facts", "rows_compared"]

b, g, x = Symbol("b", 2), Symbol("g*", 1), Symbol("x*", 0)
i, j, l, s, t, T = (index(name) for name in ("i", "j", "l", "s", "t", "T"))  # noqa: E741
ZERO, ONE, HALF = as_term(0), as_term(1), Fraction(1, 2)


def absolute(value_of: Term) -> Term:
    """|x|."""
    return (Compare(ZERO, value_of) - Compare(value_of, ZERO)) * value_of


def distances() -> Formula:
    """sum_j |D_t|_ij <= b_t in every row, for every layer and outcome."""
    row = Relation("<=", total("j", 1, n, absolute(D("omega", "t", "i", "j"))), b("omega", "t"))
    return every_outcome(layers(1, "T", every("i", 1, n, row)))


def bound(depth: Index | int | str) -> Term:
    """1/2 sum_{s < t <= depth} E b_s b_t."""
    pairs = total("t", 2, depth, total("s", 1, t - 1, b("omega", "s") * b("omega", "t")))
    return as_term(HALF) * expected(pairs)


def rows_compared(depth: Index | int | str) -> tuple[Lambda, Lambda]:
    """Row i of E P^(depth) and of Q^(depth)."""
    return Lambda(("j",), expected(P(depth, "i", "j"))), Lambda(("j",), Q(depth, "i", "j"))


def absolute_bounds() -> tuple[Step, ...]:
    """0 <= |x|, x <= |x| and -x <= |x|, from the positive parts of x and -x."""
    X = x()
    parts = (value(X), value(ZERO)), (value(ZERO), value(X))
    above, not_negative = (
        [use(label, fns=pair) for pair in parts] for label in ("part above", "part not negative")
    )  # fmt: skip

    def lemma(label: str, low: Term, *uses: Use) -> Step:
        goal = Relation("<=", low, absolute(X))
        return Step(label, for_reals(goal, x), Generalise(("x*",), (
            Step("of both parts", goal, Nonnegative(tuple(item(u) for u in uses))),
        )))  # fmt: skip

    return (
        lemma("absolute not negative", ZERO, *not_negative),
        lemma("absolute above", X, above[0], not_negative[1]),
        lemma("absolute below", -X, above[1], not_negative[0]),
    )


# --- the layers -----------------------------------------------------------------------------------


def layer_facts() -> tuple[Step, ...]:
    """Mean layers are kernels, rows sum to 1 outcome by outcome, those of D to 0, b is not negative."""
    outcomes = ("omega", 1, M)
    kernel = use("kernels", "omega", "t", "i", parts="rows")
    not_negative = use("kernels", "omega", "t", "i", "j", parts="nonnegative")
    means = item(use("means", "t", "i", "j"), over=(("j", 1, n),))
    no_mass = every("i", 1, n, Relation("=", total("j", 1, n, D("omega", "t", "i", "j")), ZERO))
    first = use("absolute not negative", fns=(value(D("omega", "t", 1, "j")),))
    return (
        Step("mean entries", layers(1, "T", entries(Relation("<=", ZERO, N("t", "i", "j")))), Nonnegative(
            (item(use("weights", "omega"), not_negative, over=(outcomes,)),),
            (item(use("means", "t", "i", "j"), times=-1),),
        )),
        Step("mean rows", rows_of(N, 1, T), Identity((
            means, item(kernel, times=p("omega"), over=(outcomes,)), item(use("mass")),
        ))),
        Step("rows of outcomes", every_outcome(rows_of(for_outcome(R), 1, T)), Identity((item(kernel),))),
        Step("no mass", every_outcome(layers(1, "T", no_mass)), Identity((
            item(use("deviations", "omega", "t", "i", "j"), over=(("j", 1, n),)),
            item(kernel), item(use("mean rows", "t", "i"), times=-1),
        ))),
        Step("b at least 0", every_outcome(layers(1, "T", Relation("<=", ZERO, b("omega", "t")))), Nonnegative((
            item(use("distances", "omega", "t", 1)), item(first, over=(("j", 1, n),)),
        ))),
    )  # fmt: skip


def _images() -> tuple[Step, ...]:
    """0 <= (Q^(s) g)_i <= 1."""

    def stated(depth: Index | int, part: str) -> Formula:
        at = apply(image(layer(Q, depth), g), (i,))
        low, high = (ZERO, at) if part == "nonnegative" else (at, ONE)
        return every("i", 1, n, Relation("<=", low, high))

    def induction(label: str, part: str, modulo: tuple[Item, ...]) -> Step:
        reads = item(use("mean entries", s + 1, "i", "l"), use("so far", "l"), over=(("l", 1, n),))
        return Step(label, every("s", 0, T, stated(s, part)), Induction(
            "so far",
            base=(Step("no layer", stated(0, part), Nonnegative((item(use("test", "i", parts=part)),))),),
            step=(Step("one more layer", stated(s + 1, part), Nonnegative((reads,), modulo)),),
        ))  # fmt: skip

    return (
        induction("images at least 0", "nonnegative", ()),
        induction("images at most 1", "at most one", (item(use("mean rows", s + 1, "i")),)),
    )


# --- outcome by outcome ---------------------------------------------------------------------------


def _moved(depth: Index | int | str, row: Index | str) -> Term:
    """u_i = sum_j g_j (P^(depth) - Q^(depth))_ij."""
    return total("j", 1, n, g("j") * (P(depth, row, "j") - Q(depth, row, "j")))


def _half_sum(depth: Index | int | str) -> Term:
    return as_term(HALF) * total("t", 1, depth, b("omega", "t"))


def _deviates(label: str) -> Use:
    """|D| - D >= 0 ("absolute above") or |D| + D >= 0 ("absolute below"), entry (i, l) of layer s + 1."""
    return use(label, fns=(value(D("omega", s + 1, "i", "l")),))


def _one_side(label: str, sign: int) -> Step:
    """u_i <= 1/2 sum b, or -u_i <= 1/2 sum b."""

    def stated(depth: Index | int | str) -> Formula:
        return every("i", 1, n, Relation("<=", sign * _moved(depth, "i"), _half_sum(depth)))

    along, against = ("absolute above", "absolute below")[::sign]
    positions = (("l", 1, n),)
    return Step(label, every_outcome(every("s", 0, T, stated("s"))), Generalise(("omega",), (
        Step("every depth", every("s", 0, T, stated("s")), Induction(
            "so far",
            base=(Step("no layer", stated(0), Nonnegative(())),),
            step=(Step("one more layer", stated(s + 1), Nonnegative(
                (
                    item(
                        use("kernels", "omega", s + 1, "i", "l", parts="nonnegative"), use("so far", "l"),
                        over=positions,
                    ),
                    item(use("distances", "omega", s + 1, "i"), times=HALF),
                    item(_deviates(along), use("images at least 0", "s", "l"), times=HALF, over=positions),
                    item(_deviates(against), use("images at most 1", "s", "l"), times=HALF, over=positions),
                ),
                (
                    item(use("kernels", "omega", s + 1, "i", parts="rows"), times=_half_sum("s")),
                    item(use("no mass", "omega", s + 1, "i"), times=HALF * sign),
                    item(
                        use("deviations", "omega", s + 1, "i", "l"), times=-sign * image(layer(Q, "s"), g)("l"),
                        over=positions,
                    ),
                ),
            )),),
        )),
    )))  # fmt: skip


# --- the mean -------------------------------------------------------------------------------------


def gap_tested() -> Step:
    """sum_j g_j (E P^(s) - Q^(s))_ij <= 1/2 sum_{r < t <= s} E b_r b_t for every test, depth and row."""

    def stated(depth: Index | int | str) -> Formula:
        return every("i", 1, n, Relation("<=", tested(*rows_compared(depth)), bound(depth)))

    chance, ranges = use("weights", "omega"), (("omega", 1, M), ("l", 1, n))
    turned = (("absolute above", "moved down"), ("absolute below", "moved up"))
    depths = every("s", 0, T, stated("s"))
    return Step("gap tested", ForAllFn(g, Implies(unit(g, 1, n), depths)), Generalise(("g*", "test"), (
        *_images(),
        _one_side("moved up", 1),
        _one_side("moved down", -1),
        Step("every depth", depths, Induction(
            "so far",
            base=(Step("no layer", stated(0), Nonnegative((), (item(use("mass"), times=g("i")),))),),
            step=(Step("one more layer", stated(s + 1), Nonnegative(
                (
                    item(use("mean entries", s + 1, "i", "l"), use("so far", "l"), over=(("l", 1, n),)),
                    *(
                        item(chance, _deviates(d), use(u, "omega", "s", "l"), times=HALF, over=ranges)
                        for d, u in turned
                    ),
                    item(
                        chance, use("distances", "omega", s + 1, "i"), use("b at least 0", "omega", "t"), times=HALF,
                        over=(("omega", 1, M), ("t", 1, s)),
                    ),
                ),
                _means_add_up(),
            )),),
        )),
    )))  # fmt: skip


def _means_add_up() -> tuple[Item, ...]:
    """Rows of the mean layers sum to 1, D = R - N, and E D_{s+1} = 0."""
    seen, positions = image(layer(Q, "s"), g)("l"), ("l", 1, n)
    return (
        item(use("mean rows", s + 1, "i"), times=bound("s")),
        item(
            use("deviations", "omega", s + 1, "i", "l"), times=-(p("omega") * _moved("s", "l")),
            over=(("omega", 1, M), positions),
        ),
        item(use("means", s + 1, "i", "l"), times=-seen, over=(positions,)),
        item(use("mass"), times=-(N(s + 1, "i", "l") * seen), over=(positions,)),
    )  # fmt: skip
