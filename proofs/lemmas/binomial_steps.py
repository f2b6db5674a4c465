"""Lemmas on binomials, differences of sequences and numbers: what the uniform kernel is made of.

The r-th difference of a sequence g at j is

    (D^r g)_j = sum_{k=0}^r (-1)^k C(r, k) g_{j+k},     D^{r+1} g_j = D^r g_j - D^r g_{j+1}.

Each lemma is a step that quantifies over its sequence and its indices, so a derivation cites it with whatever it has.
"""

from __future__ import annotations

from proofs.notation import binomial, every, n, number, sign
from proofs.steps import (
    Chain,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Nonnegative,
    Reason,
    Step,
    item,
    use,
)
from proofs.substitute import apply, substitute
from proofs.term import (
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "difference",
    "difference_lemmas",
    "for_all",
    "means",
    "number_lemmas",
    "recursive_differences",
    "rows",
    "times",
    "weights",
]

g, h = Symbol("g*", 1), Symbol("h*", 1)  # starred, so that no claim uses the names
i, j, k, m, r, u = (index(name) for name in ("i", "j", "k", "m", "r", "u"))


def difference(sequence: Fn, r: Index | int | str, at: Index | str) -> Term:
    """(D^r g)_at = sum_{k=0}^r (-1)^k C(r, k) g_{at+k}."""
    return total("k", 0, r, sign("k") * binomial(r, "k") * apply(sequence, (as_index(at) + k,)))


def inductive(label: str, var: str, low: int, body: Formula, start: Reason, following: Reason) -> Step:
    """For every ``var`` from ``low``: a reason for the first one, and a reason for the next from "so far"."""
    first, after = (substitute(body, {var: value}, {}) for value in (as_index(low), index(var) + 1))
    return Step(label, every(var, low, None, body), Induction(
        "so far", (Step("start", first, start),), (Step("next", after, following),)
    ))  # fmt: skip


def for_all(symbols: tuple[Symbol, ...], *formulas: Formula) -> Formula:
    """For all functions: the formulas but the last imply the last."""
    *premises, formula = formulas
    for premise in reversed(premises):
        formula = Implies(premise, formula)
    for symbol in reversed(symbols):
        formula = ForAllFn(symbol, formula)
    return formula


# --- binomials ------------------------------------------------------------------------------------

signs = inductive(
    "signs multiply", "k", 0, every("m", 0, None, Relation("=", sign(k + m), sign("k") * sign("m"))),
    Identity(), Identity((item(use("so far", "m"), times=-1),)),
)  # fmt: skip

even = inductive(  # which says that (-1)^k = 1 where a bound index k is 0
    "even signs", "k", 0, Relation("=", sign(k + k), as_term(1)), Identity(), Identity((item(use("so far")),)),
)  # fmt: skip

before = inductive(
    "C(m, k) = 0 for k < 0", "m", 0,
    every("k", 0, None, Relation("=", binomial("m", -k - 1), as_term(0))),
    Identity(), Identity((item(use("so far", "k")), item(use("so far", k + 1)))),
)  # fmt: skip

beyond = inductive(
    "C(m, k) = 0 for k > m", "m", 0,
    every("k", 0, None, Relation("=", binomial("m", m + k + 1), as_term(0))),
    Identity(), Identity((item(use("so far", "k")), item(use("so far", k + 1)))),
)  # fmt: skip

whole = inductive(
    "C(m, m) = 1", "m", 0, Relation("=", binomial("m", "m"), as_term(1)),
    Identity(), Identity((item(use("so far")), item(use(beyond.label, "m", 0)))),
)  # fmt: skip

_absorbed = Relation("=", number(r + 1) * binomial(j + r + 1, "j"), number(j + r + 1) * binomial(j + r, "j"))
_next_column = substitute(_absorbed, {"j": j + 1}, {})
absorption = inductive(
    "absorption", "j", 0, every("r", 0, None, _absorbed),
    Identity((item(use(before.label, "r", 0), times=number(r + 1)),)),
    Induction(
        "so far in r",
        (Step("first row", substitute(_next_column, {"r": as_index(0)}, {}), Identity((
            item(use("so far", 0)), item(use(beyond.label, "j", 0), times=-number(j + 1)),
        ))),),
        (Step("next row", substitute(_next_column, {"r": r + 1}, {}), Identity((
            item(use("so far", r + 1)), item(use("so far in r")),
        ))),),
    ),
)  # fmt: skip

# --- differences ----------------------------------------------------------------------------------


def for_sequences(label: str, formula: Formula, reason: Reason) -> Step:
    """For every sequence g."""
    return Step(label, ForAllFn(g, formula), Generalise(("g*",), (Step("this sequence", formula, reason),)))


B, D, K = (Symbol(name, 2) for name in ("B*", "D*", "K*"))  # indices (r, j)
column = Lambda(("r", "j"), binomial(j + r, "j"))


def differences(sequence: Fn) -> Lambda:
    """(r, j) -> (D^r g)_{j+1}."""
    return Lambda(("r", "j"), difference(sequence, "r", j + 1))


def falls(array: Fn) -> Formula:
    """Each row of an array consists of the differences of the row before."""
    at = [apply(array, x) for x in ((r + 1, j), (r, j), (r, j + 1))]
    return every("r", 0, None, every("j", 0, None, Relation("=", at[0], at[1] - at[2])))


pascal = for_sequences(
    "differences", falls(differences(g)),
    Identity((
        item(use(signs.label, 1, k - 1), times=binomial("r", k - 1) * g(j + k + 1), over=(("k", 1, r + 1),)),
        item(use(before.label, "r", 0), times=sign("k") * g(j + 1), over=(("k", 0, 0),)),
        item(use(beyond.label, "r", 0), times=sign("k") * g(j + k + 1), over=(("k", r + 1, r + 1),)),
    )),
)  # fmt: skip

none_taken = for_sequences(
    "no difference", every("j", 0, None, Relation("=", difference(g, 0, "j"), g("j"))),
    Identity((
        item(use(even.label, "k"), times=g("j"), over=(("k", 0, 0),)),
    )),
)  # fmt: skip

# --- sums of differences: the Cesàro kernel ---------------------------------------------------------


def absorbs(array: Fn) -> Formula:
    """(r + 1) B_{r+1, j} = (j + r + 1) B_{r, j}."""
    at = [apply(array, x) for x in ((r + 1, j), (r, j))]
    return every("j", 0, None, every("r", 0, None, Relation("=", number(r + 1) * at[0], number(j + r + 1) * at[1])))


def starts(array: Fn, other: Fn) -> Formula:
    """K_{0, j} = (j + 1) D_{0, j}."""
    first = [apply(a, (as_index(0), j)) for a in (array, other)]
    return every("j", 0, None, Relation("=", first[1], number(j + 1) * first[0]))


def times(weights: Fn, array: Fn) -> Lambda:
    """(r, j) -> B_{r, j} K_{r, j}."""
    return Lambda(("r", "j"), apply(weights, (r, j)) * apply(array, (r, j)))


def column_sums(array: Fn, means: Fn) -> ForAll:
    """Y_{0, j} + ... + Y_{r, j} = (j + r + 1) Z_{r, j}."""
    left, right = total("u", 0, r, apply(array, (u, j))), number(j + r + 1) * apply(means, (r, j))
    return every("r", 0, None, every("j", 0, None, Relation("=", left, right)))


_rule = every("j", 0, None, Relation(
    "=", K(r + 1, "j"), number(j + r + 2) * D(r + 1, "j") - number(r + 1) * D("r", "j")
))  # fmt: skip


def by_rows(array: Fn) -> Lambda:
    """(i, j) -> Y_{i-j, j-1}."""
    return Lambda(("i", "j"), apply(array, (i - j, j - 1)))


def means(array: Fn, mean: Fn) -> ForAll:
    """Y_jj + ... + Y_ij = i Z_ij, at positions j <= i."""
    left, right = total("u", j, i, apply(array, (u, j))), number("i") * apply(mean, (i, j))
    return every("i", 1, n, every("j", 1, i, Relation("=", left, right)))


_weighted = times(B, K), times(B, D)
_means = means(*map(by_rows, _weighted))
cesaro = Step(
    "sums of differences",
    for_all((B, D, K), absorbs(B), falls(D), falls(K), starts(D, K), _means),
    Generalise(("B*", "D*", "K*", "B absorbs", "D falls", "K falls", "K starts"), (
        inductive(
            "product rule", "r", 0, _rule,  # Leibniz: differences of (j + 1) g_{j+1}
            Identity((
                item(use("K falls", 0, "j")),
                item(use("K starts", "j")),
                item(use("K starts", j + 1), times=-1),
                item(use("D falls", 0, "j"), times=-number(j + 2)),
            )),
            Identity((
                item(use("so far", "j")),
                item(use("so far", j + 1), times=-1),
                item(use("K falls", r + 1, "j")),
                item(use("D falls", r + 1, "j"), times=-number(j + r + 3)),
                item(use("D falls", "r", "j"), times=number(r + 1)),
            )),
        ),
        inductive(
            "sum of a column", "r", 0, column_sums(*_weighted).body,
            Identity((item(use("K starts", "j"), times=B(0, "j")),)),
            Identity((
                item(use("so far", "j")),
                item(use("product rule", "r", "j"), times=B(r + 1, "j")),
                item(use("B absorbs", "j", "r"), times=-D("r", "j")),
            )),
        ),
        Step("by rows", _means, Chain((use("sum of a column", i - j, j - 1),))),
    )),
)  # fmt: skip

weights = Lambda(("i", "j"), binomial(i - 1, j - 1))


def rows(sequence: Fn) -> Lambda:
    """(i, j) -> (D^{i-j} g)_j."""
    return Lambda(("i", "j"), difference(sequence, i - j, "j"))


_multiplied = every("k", 1, None, Relation("=", h("k"), number("k") * g("k")))
_table_means = means(times(weights, rows(h)), times(weights, rows(g)))
hausdorff = Step(
    "means of differences",
    for_all((g, h), _multiplied, _table_means),
    Generalise(("g*", "h*", "h = k g"), (
        Step("K starts", starts(differences(g), differences(h)), Identity((
            item(use("h = k g", j + 1), times=sign("k"), over=(("k", 0, 0),)),
        ))),
        Step("each column", _table_means, Instantiate(use(
            cesaro.label, fns=(column, differences(g), differences(h)),
            given=(absorption.label, use(pascal.label, fns=(g,)), use(pascal.label, fns=(h,)), "K starts"),
        ))),
    )),
)  # fmt: skip

# --- numbers --------------------------------------------------------------------------------------

positive_numbers = inductive(
    "k > 0", "k", 1, Relation("<", as_term(0), number("k")),
    Nonnegative((item(),)), Nonnegative((item(), item(use("so far")))),
)  # fmt: skip

divided = Step(
    "k / k",
    every("k", 1, None, Relation("=", number("k") * Reciprocal(number("k")), as_term(1))),
    Invert(use(positive_numbers.label, "k")),
)


def difference_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return signs, even, before, beyond, whole, absorption, pascal, cesaro, hausdorff


def recursive_differences() -> tuple[Step, ...]:
    """What makes differences recursive: D^0 g_j = g_j and D^{r+1} g_j = D^r g_j - D^r g_{j+1}, for every sequence."""
    return signs, even, before, beyond, whole, pascal, none_taken


def number_lemmas() -> tuple[Step, ...]:
    """0 < k and k (1 / k) = 1 for k >= 1."""
    return positive_numbers, divided
