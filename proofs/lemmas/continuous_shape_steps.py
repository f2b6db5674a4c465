"""The uniform kernel A in continuous depth, G = exp(S (A - I)) as the limit of its series, S >= 0: what U7 says of it.

    G_ii = e(i),   G_{i,i-1} + (i - 1) G_ii = (i - 1) e(i - 1)          e(q) = exp(-S (1 - 1/q))
    G_ij falls in j < i,        G_i1 - G_i2 >= exp(-S) S^2 / (2 i)      for i >= 3

By C0, G is above every partial sum, and by no more than 1 - exp(-S) sum_{k <= m} S^k / k!, which tends to 0.  A^k_ii =
i^{-k} and A^k_{i,i-1} + (i - 1) A^k_ii = (i - 1)^{1-k} make the partial sums of the first two series of exp; every A^k
falls in j < i, and A^2_i1 - A^2_i2 >= 1 / i.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.laws import partial_mass, term_of_series
from proofs.lemmas.comparison_steps import value
from proofs.lemmas.logarithm_steps import one_over
from proofs.lemmas.prefix_power_steps import A, h, power_steps, shares, w
from proofs.lemmas.prefix_steps import inverse
from proofs.lemmas.semigroup_steps import partial_kernel, power_kernels
from proofs.lemmas.uniform_row_steps import OF_U6
from proofs.lemmas.uniform_shape_terms import S, most
from proofs.lemmas.uniform_steps import uniform_sums
from proofs.notation import every, n, number, power, stochastic, up_to_diagonal, zero_one
from proofs.steps import (
    Both,
    Exponential,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.substitute import apply, substitute
from proofs.term import (
    Bracket,
    Exp,
    Fn,
    Formula,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "OF_C0",
    "POWER",
    "UNIFORM",
    "A",
    "G",
    "X",
    "above",
    "decay",
    "entry_steps",
    "missing",
    "moment",
    "shared",
    "sums",
    "terms",
]

G = Symbol("G", 2)
i, j, k, l, m, r, T = (index(name) for name in "ijklmrT")  # noqa: E741 - the letters of the formulas
ZERO, ONE, HALF = as_term(0), as_term(1), as_term(Fraction(1, 2))
X = S()
PARTIAL = partial_kernel(X, A)
OF_C0 = (A, G, value(X))
UNIFORM = ("uniform weights",)


def sums(row: Index, at: Index | int, terms: Index | int = m) -> Term:
    """exp(-S) sum_{k <= m} S^k / k! A^k_ij."""
    return apply(PARTIAL, (as_index(terms), as_index(row), as_index(at)))


def decay(at: Index) -> Term:
    """exp(-S (1 - 1/q))."""
    return Exp(-(X * (ONE - one_over(at))))


def shared(at: Index) -> Term:
    """S / q."""
    return X * one_over(at)


def missing(argument: Term) -> Lambda:
    """m -> 1 - exp(-x) sum_{k <= m} x^k / k!."""
    return Lambda(("m",), ONE - partial_mass(argument, "m"))


# --- the series ---------------------------------------------------------------------------------------


def _kernel() -> tuple[Step, ...]:
    """The uniform kernel is a kernel, so its powers are, and G is near its partial sums."""
    nonnegative = every("i", 1, n, every("j", 1, n, most(ZERO, A("i", "j"))))
    ones = every("i", 1, n, Relation("=", total("j", 1, n, A("i", "j")), ONE))
    return (
        *uniform_sums(w, "numbers > 0"),
        Step("1 / W > 0", every("i", 1, n, Relation("<", ZERO, inverse(w, i))), Invert(use("W > 0", i))),
        Step("entries", nonnegative, Nonnegative(
            (item(use("1 / W > 0", i), times=up_to_diagonal(i, j)),),
            (item(use("uniform weights", j), times=-(up_to_diagonal(i, j) * inverse(w, i))),),
        )),
        Step("row sums", ones, Identity((item(use("W / W", i)),))),
        Step("shared kernel", stochastic(A), Both(("entries", "row sums"))),
    )  # fmt: skip


def above(at: Index | int) -> Use:
    """The partial sum is at most G_ij."""
    return use("above its sums", m, i, at)


def _near() -> tuple[Step, ...]:
    """G exceeds its partial sum in an entry by no more than in the whole row."""
    mass = every("m", 0, None, every("i", 1, n, Relation(
        "=", total("j", 1, n, sums(i, j)), partial_mass(X, m)
    )))  # fmt: skip
    near = every("m", 0, None, every("i", 1, n, every("j", 1, n, most(
        G("i", "j"), sums(i, j) + ONE - partial_mass(X, m)
    ))))  # fmt: skip
    others = tuple(item(above(l), over=(("l", low, high),)) for low, high in ((1, j - 1), (j + 1, n)))
    exceeded = every("m", 0, None, every("i", 1, n, every("j", 1, n, most(sums(i, j), G("i", "j")))))
    rows = every("i", 1, n, Relation("=", total("j", 1, n, G("i", "j")), ONE))
    return (
        *power_kernels(A),
        *(
            Step(label, formula, Instantiate(
                use("C0", 0, parts=f"limit/{part}", fns=OF_C0, given=("time", "shared kernel", "limit"))
            ))
            for label, formula, part in (("above its sums", exceeded, "above"), ("rows of G", rows, "rows"))
        ),
        Step("mass of sums", mass, Identity((
            item(use("power rows", "k", "i"), times=Exp(-X) * terms(k), over=(("k", 0, m),)),
        ))),
        Step("near its sums", near, Nonnegative(others, (
            item(use("rows of G", i)),
            item(use("mass of sums", m, i), times=-ONE),
        ))),
    )  # fmt: skip


terms = term_of_series(X)
POWER = power(A)


def moment(entry: Fn, *first: Index) -> Term:
    """x_{i,i-1} + (i - 1) x_ii."""
    return entry(*first, i, i - 1) + number(i - 1) * entry(*first, i, i)


def _by_power(label: str, low: int, stated: Formula, start: Identity, following: Identity) -> Step:
    at = [every("i", low, n, substitute(stated, {"k": power_}, {})) for power_ in (k, as_index(0), k + 1)]
    return Step(label, every("k", 0, None, at[0]), Induction(
        "so far", (Step("none", at[1], start),), (Step("one more", at[2], following),)
    ))  # fmt: skip


def _entries() -> tuple[Step, ...]:
    """S^k / k! A^k_ii = (S / i)^k / k!, and with the moment (i - 1) (S / (i - 1))^k / k!."""
    here, before = (term_of_series(shared(at)) for at in (i, i - 1))
    next_term, scale = terms(k + 1), one_over(k + 1) * X * one_over(i)

    def masked(at: Index, times: Term) -> Item:
        return item(
            use("powers read no later position", k, l, at), times=next_term * times * A(i, l), over=(("l", 1, at - 1),)
        )

    def plain(at: Index, times: Term) -> Item:
        return item(use("uniform weights", at), times=next_term * inverse(w, i) * times)

    def inverted(times: Term) -> Item:
        return item(use("uniform rows", i, parts="sums", given=UNIFORM), times=next_term * times)

    diagonal = Relation("=", terms(k) * POWER(k, i, i), here(k))
    moments = Relation("=", terms(k) * moment(POWER, k), number(i - 1) * before(k))
    earlier, whole = POWER(k, i - 1, i - 1), one_over(k + 1) * X * before(k)
    return (
        _by_power("diagonal of powers", 1, diagonal, Identity(), Identity((
            item(use("so far", i), times=scale), masked(i, ONE), plain(i, POWER(k, i, i)), inverted(POWER(k, i, i)),
        ))),
        _by_power("moments of powers", 2, moments, Identity(), Identity((
            item(use("so far", i), times=scale), item(use("diagonal of powers", k, i - 1), times=scale),
            masked(i - 1, ONE), masked(i, number(i - 1)), plain(i - 1, earlier), plain(i, moment(POWER, k)),
            inverted(earlier + moment(POWER, k)),
            item(use("k / k", i - 1), times=-whole), item(use("k / k", i), times=whole),
            item(use("next number", i - 1), times=-(whole * one_over(i))),
        ))),
    )  # fmt: skip


def _sums() -> tuple[Step, ...]:
    """exp(-S) times the series of exp at S / q is e(q) times what a Poisson law of mean S / q has up to m."""
    split = Relation("=", decay(i) * Exp(-shared(i)), Exp(-X))

    moments = number(i - 1) * decay(i - 1) * partial_mass(shared(i - 1), m)

    def series(at: Index) -> Term:
        return total("k", 0, m, term_of_series(shared(at))("k"))

    return (
        Step("exp split", every("i", 1, n, split), Exponential()),
        Step("sums on the diagonal", every("m", 0, None, every("i", 1, n, Relation(
            "=", sums(i, i), decay(i) * partial_mass(shared(i), m)
        ))), Identity((
            item(use("diagonal of powers", k, i), times=Exp(-X), over=(("k", 0, m),)),
            item(use("exp split", i), times=-series(i)),
        ))),
        Step("sums of moments", every("m", 0, None, every("i", 2, n, Relation(
            "=", sums(i, i - 1) + number(i - 1) * sums(i, i), moments
        ))), Identity((
            item(use("moments of powers", k, i), times=Exp(-X), over=(("k", 0, m),)),
            item(use("exp split", i - 1), times=-(number(i - 1) * series(i - 1))),
        ))),
    )  # fmt: skip


def _entry(degree: Index | int, at: Index | int, sign: Term) -> tuple[Item, ...]:
    """A^{k+1}_ij = (1 / i) h_k(1/j, ..., 1/i)."""
    of = h(degree, at, i)
    return (
        item(use("U6", T, degree, i, at, parts="powers", fns=OF_U6), times=sign),
        item(use("uniform weights", at), times=sign * inverse(w, i) * of),
        item(use("uniform rows", i, parts="sums", given=UNIFORM), times=sign * of),
    )


def _powers_fall() -> Step:
    """A^k falls before the diagonal."""
    fall = every("i", 1, n, every("j", 1, i - 2, most(POWER("k", i, j + 1), POWER("k", i, j))))
    start, after = (substitute(fall, {"k": at}, {}) for at in (as_index(0), k + 1))
    larger = use("more values, larger", k, i, j, fns=(shares,), given=(use("shares >= 0", given=UNIFORM),))
    return Step("powers fall", every("k", 0, None, fall), Induction(
        "so far", (Step("none", start, Nonnegative(())),),
        (Step("one more", after, Nonnegative(
            (item(use("1 / k > 0", i), larger),), (*_entry(k, j, -ONE), *_entry(k, j + 1, ONE)),
        )),),
    ))  # fmt: skip


def _powers_start() -> Step:
    """A^2_i1 - A^2_i2 >= 1 / i, and no power rises there."""

    def starts(count: Index) -> Formula:
        first = zero_one(count, 2) * one_over(i)
        return every("i", 3, n, most(first, POWER(count, i, 1) - POWER(count, i, 2)))

    return Step("powers start to fall", every("k", 0, None, starts(k)), Induction(
        "so far", (Step("none", starts(as_index(0)), Nonnegative(())),),
        (Step("one more", starts(k + 1), Nonnegative(
            (
                item(use("1 / k > 0", i), use("complete polynomials without 1", i, k, given=UNIFORM)),
                item(use("1 / k > 0", i), times=Bracket(((as_index(2), k),))),
            ),
            (*_entry(k, 1, -ONE), *_entry(k, 2, ONE)),
        )),),
    ))  # fmt: skip


def entry_steps() -> tuple[Step, ...]:
    """The partial sums of G and its distance from them, from "uniform weights", "time" and "limit"."""
    return (power_steps[0], *_kernel(), *_near(), *_entries(), *_sums(), _powers_fall(), _powers_start())
