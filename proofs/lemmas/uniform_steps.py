"""Lemmas on rollouts of layers that share one prefix kernel, all weights 1 (the uniform kernel): what U2 builds on.

If y^(0)_k = 1 and y^(s+1)_k = (1 - lambda_{s+1} + lambda_{s+1} / k) y^(s)_k, then

    P^(s)_ij = C(i-1, j-1) (D^{i-j} y^(s))_j     for j <= i,

with the differences D of binomial_steps.py.  Nothing is asked of the coefficients.
"""

from __future__ import annotations

from proofs.lemmas.binomial_steps import difference, for_all, means, rows, times, weights
from proofs.lemmas.prefix_steps import inverse
from proofs.notation import binomial, cumulative, every, n, number, prefix, rollout, sign, transition, zero_one
from proofs.steps import Cases, Generalise, Identity, Induction, Instantiate, Invert, Nonnegative, Step, item, use
from proofs.substitute import apply, substitute
from proofs.term import (
    Fn,
    ForAll,
    Formula,
    Implies,
    Index,
    Lambda,
    Op,
    Reciprocal,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
)

__all__ = ["by_depth", "each", "factors", "one_kernel", "uniform", "uniform_layers", "uniform_sums"]

i, j, k, r, s, T = (index(name) for name in ("i", "j", "k", "r", "s", "T"))
C, N, Y, Z = (Symbol(name, 2) for name in ("C*", "N*", "Y*", "Z*"))  # starred, so that no claim uses the names


def uniform(kernel_weights: Fn) -> ForAll:
    """w_j = 1 for every position."""
    return every("j", 1, n, Relation("=", kernel_weights("j"), as_term(1)))


def one_kernel(lam: Fn, kernel_weights: Fn) -> Op:
    """The rollout of layers that share the prefix kernel."""
    shared = Lambda(("t", "a", "b"), prefix(kernel_weights)("a", "b"))  # letters that no formula uses for an index
    return rollout(transition(lam, shared))


def by_depth(label: str, formula: Formula, start: tuple[Step, ...], following: tuple[Step, ...]) -> Step:
    """``formula``, which speaks of depth s, for every s <= T: from the depth before, known as "so far"."""
    return Step(label, every("s", 0, T, formula), Induction("so far", start, following))


def each(relation: Relation) -> Formula:
    """For all 1 <= j <= i <= n."""
    return every("i", 1, n, every("j", 1, i, relation))


# --- no layer -------------------------------------------------------------------------------------

one = Lambda(("k",), as_term(1))
_signs = Relation("=", difference(one, "r", as_index(1)), zero_one("r", 0))
alternating = Step("alternating sum", every("r", 0, None, _signs), Generalise(("r",), (
    Step("sum of signs", _signs, Cases(
        r, as_index(0),
        (Step("one term", _signs, Identity((
            item(use("C(m, m) = 1", "r"), times=sign("k"), over=(("k", 0, 0),)),
            item(use("even signs", "k"), over=(("k", 0, 0),)),
        ))),),
        (Step("more terms", _signs, Identity((item(use("differences", r - 1, 0, fns=(one,))),))),),
    )),
)))  # fmt: skip


# --- one more layer -------------------------------------------------------------------------------


def masked(lam: Fn, w: Fn) -> Step:
    """P^(s)_ij = 0 for j > i, whatever the weights."""
    P = one_kernel(lam, w)
    zero = every("i", 1, n, every("j", i + 1, n, Relation("=", P("s", "i", "j"), as_term(0))))
    start, after = (substitute(zero, {"s": depth}, {}) for depth in (as_index(0), s + 1))
    return by_depth(
        "mask", zero,
        (Step("no layer", start, Identity()),),
        (Step("one more layer", after, Identity((
            item(use("so far", "i", "j"), times=as_term(1) - lam(s + 1)),
            item(use("so far", "l", "j"), times=lam(s + 1) * prefix(w)("i", "l"), over=(("l", 1, i),)),
        ))),),
    )  # fmt: skip


def uniform_sums(w: Fn, positive: str = "k > 0") -> tuple[Step, ...]:
    """W_i = i, hence W_i (1 / W_i) = 1; ``positive`` says 0 < k."""
    W = cumulative(w)
    return (
        Step("W = i", every("i", 0, n, Relation("=", W("i"), number("i"))), Induction(
            "so far",
            (Step("nothing", Relation("=", W(0), number(0)), Identity()),),
            (Step("one more weight", Relation("=", W(i + 1), number(i + 1)), Identity((
                item(use("so far")), item(use("uniform weights", i + 1)),
            ))),),
        )),
        Step("W > 0", every("i", 1, n, Relation("<", as_term(0), W("i"))), Nonnegative(
            (item(use(positive, "i")),), (item(use("W = i", "i"), times=-1),)
        )),
        Step("W / W", every("i", 1, n, Relation("=", W("i") * inverse(w, "i"), as_term(1))), Invert(use("W > 0", "i"))),
    )  # fmt: skip


def mixed(lam: Fn, here: Fn, mean: Fn, after: Fn) -> Formula:
    """N_ij = (1 - lambda_{s+1}) Y_ij + lambda_{s+1} Z_ij."""
    y, z, following = (apply(f, (i, j)) for f in (here, mean, after))
    return each(Relation("=", following, (as_term(1) - lam(s + 1)) * y + lam(s + 1) * z))


def mixed_layer(lam: Fn, w: Fn) -> Step:
    """From P^(s) = C Y, with means C Z of the columns of C Y: P^(s+1) = C N."""
    P, scale = one_kernel(lam, w), lam(s + 1) * inverse(w, "i")

    def entries(depth: Index, array: Fn) -> Formula:
        return each(Relation("=", P(depth, "i", "j"), apply(times(C, array), (i, j))))

    premises = entries(s, Y), means(times(C, Y), times(C, Z)), mixed(lam, Y, Z, N)
    formula = for_all((C, Y, Z, N), *premises, entries(s + 1, N))
    return Step("mixed layer", every("s", 0, T - 1, formula), Generalise(
        ("s", "C*", "Y*", "Z*", "N*", "entries", "column means", "next rows"),
        (Step("one more layer", entries(s + 1, N), Identity((
            item(use("entries", "i", "j"), times=as_term(1) - lam(s + 1)),
            item(use("uniform weights", "l"), times=scale * P("s", "l", "j"), over=(("l", 1, i),)),
            item(use("mask", "s", "l", "j"), times=scale, over=(("l", 1, j - 1),)),
            item(use("entries", "l", "j"), times=scale, over=(("l", j, i),)),
            item(use("column means", "i", "j"), times=scale),
            item(use("W / W", "i"), times=lam(s + 1) * C("i", "j") * Z("i", "j")),
            item(use("W = i", "i"), times=-(scale * C("i", "j") * Z("i", "j"))),
            item(use("next rows", "i", "j"), times=-C("i", "j")),
        ))),),
    ))  # fmt: skip


# --- every depth ----------------------------------------------------------------------------------


def sequence(depth: Index) -> Lambda:
    """y^(depth), which the formulas write Y_{depth, k}."""
    return Lambda(("k",), Y(depth, "k"))


here, after = sequence(s), sequence(s + 1)
divided = Lambda(("k",), Y("s", "k") * Reciprocal(number("k")))  # y_k / k


def law(lam: Fn, w: Fn, depth: Index) -> Formula:
    """P^(depth)_ij = C(i-1, j-1) (D^{i-j} y^(depth))_j."""
    entry = apply(times(weights, rows(sequence(depth))), (i, j))
    return each(Relation("=", one_kernel(lam, w)(depth, "i", "j"), entry))


def no_layer(lam: Fn, w: Fn) -> Step:
    """P^(0) = I: the signed binomials of a row add up to 0 off the diagonal."""
    signed = binomial(i - 1, j - 1) * sign("k") * binomial(i - j, "k")
    return Step("no layer", law(lam, w, as_index(0)), Identity((
        item(use("no factor", j + k), times=-signed, over=(("k", 0, i - j),)),
        item(use("alternating sum", i - j), times=-binomial(i - 1, j - 1)),
        item(use("C(m, m) = 1", i - 1), times=-zero_one("i", "j")),
    )))  # fmt: skip


def one_more_layer(lam: Fn, w: Fn) -> tuple[Step, ...]:
    """P^(s+1) from P^(s), "so far": the means of its columns belong to y_k / k."""
    tables = rows(here), rows(divided), rows(after)
    column_means = use("means of differences", fns=(divided, here), given=("divided",))
    recovered = every("k", 1, None, Relation("=", apply(here, (k,)), number("k") * apply(divided, (k,))))
    return (
        Step("divided", recovered, Identity((item(use("k / k", "k"), times=-Y("s", "k")),))),
        Step("rows", mixed(lam, *tables), Identity((
            item(use("next factor", "s", j + k), times=sign("k") * binomial(i - j, "k"), over=(("k", 0, i - j),)),
        ))),
        Step("one more layer", law(lam, w, s + 1), Instantiate(
            use("mixed layer", "s", fns=(weights, *tables), given=("so far", column_means, "rows"))
        )),
    )  # fmt: skip


def factors(lam: Fn, y: Fn) -> tuple[ForAll, ForAll]:
    """y^(0)_k = 1 and y^(s+1)_k = (1 - lambda_{s+1} + lambda_{s+1} / k) y^(s)_k, for k >= 1."""
    factor = as_term(1) - lam(s + 1) + lam(s + 1) * Reciprocal(number("k"))
    first, *both = (apply(y, at) for at in ((as_index(0), k), (s + 1, k), (s, k)))
    starts = every("k", 1, None, Relation("=", first, as_term(1)))
    return starts, every("s", 0, T - 1, every("k", 1, None, Relation("=", both[0], factor * both[1])))


def uniform_layers(lam: Fn, w: Fn) -> tuple[Step, ...]:
    """For weights 1 and every y as above: P^(s)_ij = C(i-1, j-1) (D^{i-j} y^(s))_j for every s <= T."""
    every_sequence = for_all((Y,), *factors(lam, Y), every("s", 0, T, law(lam, w, s)))
    by_layers = by_depth("every depth", law(lam, w, s), (no_layer(lam, w),), one_more_layer(lam, w))
    return (
        masked(lam, w),
        alternating,
        Step("uniform layers", Implies(uniform(w), every_sequence), Generalise(("uniform weights",), (
            *uniform_sums(w),
            mixed_layer(lam, w),
            Step("every sequence", every_sequence, Generalise(("Y*", "no factor", "next factor"), (by_layers,))),
        ))),
    )  # fmt: skip
