"""The algebra behind the order of two prefix kernels: sequences with W_r = W_{r-1} + w_r and W_r I_r = 1, and the same
for v, V and J.

    sum_{m >= k} (B A - A B)_im
        =  W_{k-1} I_i sum_{k <= j < p <= i} (v_p W_{p-1} w_j V_{j-1} - v_j W_{j-1} w_p V_{p-1}) J_{p-1} J_p I_{j-1} I_j
        =  W_{k-1} J_i sum_{j=k}^i w_j I_j (rho_{k-1} rho_i / rho_j - rho_{j-1}),   rho_j = V_j I_j, 1 / rho_j = W_j J_j

for A_ij = w_j I_i and B_ij = v_j J_i, j <= i.  No more is known of the sequences, so that no sum has to be expanded.
"""

from __future__ import annotations

from functools import reduce

from proofs.notation import every, n, product, tail, up_to_diagonal
from proofs.steps import Generalise, Identity, Item, Step, item, use
from proofs.substitute import apply
from proofs.term import (
    Fn,
    ForAll,
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
    "ALGEBRA",
    "LOWER",
    "PAIRS",
    "SEQUENCES",
    "UPPER",
    "A",
    "B",
    "Sums",
    "by_ratios",
    "cross",
    "for_sequences",
    "made_of",
    "next_pairs",
    "over_pairs",
    "pair",
    "sequence_names",
    "tail_lemmas",
]  # fmt: skip

i, j, k, p, r = (index(x) for x in ("i", "j", "k", "p", "r"))
PAIRS, ROW = (("j", k, i), ("p", j + 1, i)), (("p", k, i),)
ALGEBRA = ("sums W", "W / W", "entries A", "sums V", "V / V", "entries B")
Sums = tuple[Fn, Fn, Fn]  # the weights w, their sums W, and 1 / W


def cross(lower: Sums, upper: Sums, early: Index, late: Index) -> tuple[Term, Term]:
    """The two sides of v_j W_{j-1} w_p V_{p-1} <= v_p W_{p-1} w_j V_{j-1}."""
    (w, W, _), (v, V, _) = lower, upper
    return v(early) * W(early - 1) * (w(late) * V(late - 1)), v(late) * W(late - 1) * (w(early) * V(early - 1))


def next_pairs(lower: Sums, upper: Sums) -> ForAll:
    """v_j W_{j-1} w_{j+1} V_j <= v_{j+1} W_j w_j V_{j-1}, for neighbours j >= 2 and j + 1."""
    return every("j", 2, n - 1, Relation("<=", *cross(lower, upper, j, j + 1)))


def pair(lower: Sums, upper: Sums, divided: Fn | None = None) -> Term:
    """What the positions j < p add to the difference, up to W_{k-1} / W_i; ``divided`` is 1 / (V_{p-1} V_p W_{j-1} W_j)
    in one piece.
    """
    (_, _, I), (_, _, J) = lower, upper  # noqa: E741 - 1 / W
    first, second = cross(lower, upper, j, p)
    if divided is not None:
        return (second - first) * apply(divided, (j, p))
    under = [apply(f, (at,)) for f, at in ((J, p - 1), (J, p), (I, j - 1), (I, j))]
    return reduce(lambda value, factor: value * factor, under, second - first)


def divisor(lower: Sums, upper: Sums) -> Term:
    """V_{p-1} V_p W_{j-1} W_j."""
    (_, W, _), (_, V, _) = lower, upper
    return V(p - 1) * V(p) * W(j - 1) * W(j)


def for_pairs(body: Formula) -> ForAll:
    """For 2 <= j < p <= n."""
    return every("j", 2, n, every("p", j + 1, n, body))


def by_ratios(lower: Sums, upper: Sums, kernels: tuple[Fn, Fn]) -> ForAll:
    """The difference of the tails of B A and A B, as a sum of ratios rho_j = V_j / W_j."""
    (w, W, I), (_, V, J) = lower, upper  # noqa: E741 - 1 / W

    def over(sums: Fn, inverse: Fn, at: Index) -> Term:
        return sums(at) * apply(inverse, (at,))

    ratios = over(V, I, k - 1) * over(V, I, i) * over(W, J, j) - over(V, I, j - 1)
    right = W(k - 1) * apply(J, (i,)) * total("j", k, i, w("j") * apply(I, (j,)) * ratios)
    return _of_tails(kernels, right)


def over_pairs(lower: Sums, upper: Sums, kernels: tuple[Fn, Fn], divided: Fn | None = None) -> ForAll:
    """The difference of the tails of B A and A B, as a sum over pairs of positions."""
    _, W, I = lower  # noqa: E741 - 1 / W
    right = W(k - 1) * apply(I, (i,)) * total("j", k, i, total("p", j + 1, i, pair(lower, upper, divided)))
    return _of_tails(kernels, right)


def _of_tails(kernels: tuple[Fn, Fn], right: Term) -> ForAll:
    one, two = (tail(product(x, y))("i", "k") for x, y in (kernels[::-1], kernels))
    return every("k", 2, n, every("i", k, n, Relation("=", one - two, right)))


# --- sequences and their differences --------------------------------------------------------------

w, W, I, v, V, J = (Symbol(f"{name}*", 1) for name in "wWIvVJ")  # noqa: E741 - I is 1 / W
A, B = Symbol("A*", 2), Symbol("B*", 2)
SEQUENCES = (w, W, I, A, v, V, J, B)
LOWER, UPPER = (w, W, I), (v, V, J)
_BY_ENTRY = tuple(
    Lambda(("i", "j"), up_to_diagonal("i", "j") * a("j") * b("i")) for a, _, b in (LOWER, UPPER)
)  # what A and B are


def made_of(weights: Fn, sums: Fn, over: Fn, kernel: Fn) -> tuple[Formula, Formula, Formula]:
    """W_r = W_{r-1} + w_r, W_r I_r = 1 and A_ij = w_j I_i for j <= i, else 0."""
    added = Relation("=", sums("r"), sums(r - 1) + weights("r"))
    entry = Relation("=", kernel("i", "j"), up_to_diagonal("i", "j") * weights("j") * apply(over, (i,)))
    return (
        every("r", 1, n, added),
        every("r", 1, n, Relation("=", sums("r") * apply(over, (r,)), as_term(1))),
        every("i", 1, n, every("j", 1, n, entry)),
    )


sequence_names = (*(symbol.name for symbol in SEQUENCES), *ALGEBRA)


def for_sequences(*premises: Formula, conclusion: Formula) -> Formula:
    """For all such sequences: the premises imply the conclusion."""
    given = (*made_of(*LOWER, A), *made_of(*UPPER, B), *premises)
    body = reduce(lambda inner, premise: Implies(premise, inner), reversed(given), conclusion)
    return reduce(lambda inner, symbol: ForAllFn(symbol, inner), reversed(SEQUENCES), body)


def _step_of_inverse(name: str, sums: Sums) -> Step:
    """1 / W_{j-1} - 1 / W_j = w_j / (W_{j-1} W_j)."""
    weights, _, over = sums
    here, before = over("j"), over(j - 1)
    return Step(
        f"step of 1 / {name}",
        every("j", 2, n, Relation("=", before - here, weights("j") * here * before)),
        Identity((
            item(use(f"{name} / {name}", "j"), times=-before), item(use(f"{name} / {name}", j - 1), times=here),
            item(use(f"sums {name}", "j"), times=here * before),
        )),
    )  # fmt: skip


def _short() -> Term:
    """W_{k-1} / W_i - V_{k-1} / V_i + (V_{k-1} / W_i) sum_j w_j / V_j - (W_{k-1} / V_i) sum_j v_j / W_j."""
    in_w, in_v = total("j", k, i, w("j") * J("j")), total("j", k, i, v("j") * I("j"))
    return W(k - 1) * I("i") - V(k - 1) * J("i") + V(k - 1) * I("i") * in_w - W(k - 1) * J("i") * in_v


def _difference(one: Fn, other: Fn) -> Term:
    return tail(product(other, one))("i", "k") - tail(product(one, other))("i", "k")


_CELLS = (("l", 1, n), ("j", k, n))
_by_entry = Step(
    "by entry",
    every("k", 2, n, every("i", k, n, Relation("=", _difference(A, B), _difference(*_BY_ENTRY)))),
    Identity((
        item(use("entries B", "i", "l"), times=_BY_ENTRY[0]("l", "j"), over=_CELLS),
        item(use("entries A", "l", "j"), times=B("i", "l"), over=_CELLS),
        item(use("entries A", "i", "l"), times=-_BY_ENTRY[1]("l", "j"), over=_CELLS),
        item(use("entries B", "l", "j"), times=-A("i", "l"), over=_CELLS),
    )),
)  # fmt: skip
_in_short = Step(
    "in short",
    every("k", 2, n, every("i", k, n, Relation("=", _difference(*_BY_ENTRY), _short()))),
    Identity((
        item(use("W / W", "i"), times=-1),
        item(use("V / V", "i")),
        item(use("W / W", "p"), times=J("i") * v("p"), over=ROW),
        item(use("V / V", "p"), times=-(I("i") * w("p")), over=ROW),
        item(use("sums W", "p"), times=I("i"), over=ROW),
        item(use("sums V", "p"), times=-J("i"), over=ROW),
        item(use("sums W", "j"), times=-(J("i") * v("p") * I("p")), over=(*ROW, ("j", k, p))),
        item(use("sums V", "j"), times=I("i") * w("p") * J("p"), over=(*ROW, ("j", k, p))),
    )),
)  # fmt: skip


def _multiples_of_pairs() -> tuple[Item, ...]:
    """The sum over pairs less the short form, as multiples of W_r I_r = 1, W_r = W_{r-1} + w_r and the like."""
    scale, fall = W(k - 1) * I("i"), J(p - 1) - J("p")
    both = scale * w("p") * J("p") * v("j") * I("j")
    in_w, in_v = total("j", k, i, w("j") * J("j")), total("j", k, i, v("j") * I("j"))
    return (
        item(use("step of 1 / V", "p"), times=scale * W(p - 1) * V(j - 1) * w("j") * I("j") * I(j - 1), over=PAIRS),
        item(use("step of 1 / W", "j"), times=scale * W(p - 1) * V(j - 1) * fall, over=PAIRS),
        item(use("W / W", j - 1), times=both, over=PAIRS),
        item(use("V / V", p - 1), times=both * W(j - 1) * I(j - 1), over=PAIRS),
        item(use("W / W", k - 1), times=-(I("i") * V(k - 1) * (J("k") * W(k - 1) - J("i") * W("i") + in_w))),
        item(use("W / W", "p"), times=-(scale * J("p") * v("p")), over=ROW),
        item(use("W / W", "i"), times=(W(k - 1) * in_v + V(k - 1)) * J("i")),
        item(use("V / V", "i"), times=-scale),
        item(use("W / W", p - 1), times=scale * fall * V(p - 1), over=(("p", k + 1, i),)),
        item(use("sums V", "j"), times=-(scale * fall * W(p - 1) * I("j")), over=PAIRS),
        item(use("sums W", "p"), times=-(scale * J("p") * v("j") * I("j")), over=PAIRS),
        item(use("sums W", "p"), times=-(scale * I(k - 1) * V(k - 1) * J("p")), over=ROW),
        item(use("sums V", "p"), times=scale * J("p"), over=ROW),
    )  # fmt: skip


def _multiples_of_ratios() -> tuple[Item, ...]:
    """The sum of ratios less the short form."""
    in_w = total("j", k, i, w("j") * J("j"))
    outer = V(k - 1) * I("i")
    return (
        item(use("V / V", "i"), times=-(outer * in_w) - W(k - 1) * I("i")),
        item(use("W / W", k - 1), times=J("i") * V(k - 1) - outer * V("i") * J("i") * in_w),
        item(use("W / W", "p"), times=-(W(k - 1) * I(k - 1) * outer * V("i") * J("i") * w("p") * J("p")), over=ROW),
        item(use("sums V", "p"), times=W(k - 1) * J("i") * I("p"), over=ROW),
        item(use("step of 1 / W", "p"), times=-(W(k - 1) * J("i") * V(p - 1)), over=ROW),
    )  # fmt: skip


def _written_out(label: str, goal: ForAll, multiples: tuple[Item, ...], *inverses: Step) -> Step:
    """The difference of the tails, from its short form."""
    return Step(label, for_sequences(conclusion=goal), Generalise(sequence_names, (
        *inverses, _by_entry, _in_short,
        Step("difference", goal, Identity((
            item(use("by entry", "k", "i")), item(use("in short", "k", "i")), *multiples
        ))),
    )))  # fmt: skip


D = Symbol("D*", 2)


def _with_one_divisor() -> Step:
    """The sum over pairs, with D_jp V_{p-1} V_p W_{j-1} W_j = 1 in place of four reciprocals."""
    goal, whole = over_pairs(LOWER, UPPER, (A, B), D), divisor(LOWER, UPPER)
    four = J(p - 1) * J("p") * I(j - 1) * I("j")
    ones = (("V / V", p - 1, V(p - 1) * J(p - 1)), ("V / V", p, V("p") * J("p")), ("W / W", j - 1, W(j - 1) * I(j - 1)))
    partial = [reduce(lambda x, one: x * one[2], ones[:count], -D("j", "p")) for count in range(4)]
    first, second = cross(LOWER, UPPER, j, p)
    inverted = for_pairs(Relation("=", whole * D("j", "p"), as_term(1)))
    return Step("tails with one divisor", ForAllFn(D, for_sequences(inverted, conclusion=goal)), Generalise(
        ("D*", *sequence_names, "D / D"), (
            Step("divisor", for_pairs(Relation("=", D("j", "p"), four)), Identity((
                item(use("D / D", "j", "p"), times=four),
                *(item(use(fact, at), times=times) for (fact, at, _), times in zip(ones, partial, strict=False)),
                item(use("W / W", "j"), times=partial[3]),
            ))),
            Step("difference", goal, Identity((
                item(use("tails of sequences", "k", "i", fns=SEQUENCES, given=ALGEBRA)),
                item(use("divisor", "j", "p"), times=-(W(k - 1) * I("i") * (second - first)), over=PAIRS),
            ))),
        ),
    ))  # fmt: skip


def tail_lemmas() -> tuple[Step, ...]:
    """The difference of the tails as a sum over pairs of positions, and as a sum of ratios."""
    of_w, of_v = _step_of_inverse("W", LOWER), _step_of_inverse("V", UPPER)
    pairs, ratios = (form(LOWER, UPPER, (A, B)) for form in (over_pairs, by_ratios))
    return (
        _written_out("tails of sequences", pairs, _multiples_of_pairs(), of_w, of_v),
        _with_one_divisor(),
        _written_out("tails of sequences, by ratios", ratios, _multiples_of_ratios(), of_w),
    )
