"""Layers in another order, Q_t = sum_s M_ts R_s with a permutation matrix M, and M without its last layer (D7).

The layers of an arrangement are causal kernels and monotone if the R are.  Some place p + 1 has the last layer: M_ts =
1 for t = p + 1 and s = m + 1, else the last column would be 0.  Then the rest of that row and column is 0, and what is
left of M without them is a permutation matrix.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

from proofs.lemmas.moved_layer_steps import e, for_all, implied, in_place, past
from proofs.notation import causal, every, layer, layers, monotone
from proofs.outline import causal_kernel
from proofs.steps import (
    Absurd,
    Antisymmetry,
    Both,
    Chain,
    Either,
    Generalise,
    Identity,
    Instantiate,
    Invert,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.term import (
    And,
    Bracket,
    Exists,
    Fn,
    ForAll,
    Formula,
    Implies,
    Index,
    Lambda,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
    total,
)

__all__ = [
    "IS_OTHERS", "LAST", "OTHERS", "REST", "TOP", "WHOLE", "arranged", "permutation", "permutation_lemmas",
]  # fmt: skip

M, K, R = Symbol("M*", 2), Symbol("K*", 2), Symbol("R*", 3)  # starred, so that no claim uses the names
m, p, s, t = (index(x) for x in "mpst")
ZERO, ONE = as_term(0), as_term(1)


def permutation(matrix: Fn, size: Index | int | str) -> And:
    """The matrix has entries 0 and 1, and a single 1 in every row and every column."""
    last = as_index(size)

    def each(*names: str, body: Formula) -> Formula:
        return reduce(lambda inner, name: every(name, 1, last, inner), reversed(names), body)

    entry = matrix("t", "s")
    return And((
        ("zero or one", each("t", "s", body=Relation("=", entry * entry, entry))),
        ("rows", each("t", body=Relation("=", total("s", 1, last, entry), ONE))),
        ("columns", each("s", body=Relation("=", total("t", 1, last, entry), ONE))),
    ))  # fmt: skip


def arranged(matrix: Fn, family: Fn, size: Index | int | str) -> Lambda:
    """Q_t = sum_s M_ts R_s: in place t the layer s with M_ts = 1."""
    return Lambda(("t", "i", "j"), total("s", 1, size, matrix("t", "s") * family("s", "i", "j")))


# --- the layers of an arrangement -----------------------------------------------------------------

_entry = Step(
    "entries are nonnegative",
    for_all((M,), every("m", 0, None, Implies(
        permutation(M, "m"), layers(1, "m", every("s", 1, m, Relation("<=", ZERO, M("t", "s"))))
    ))),
    Generalise(("M*", "m", "permutation"), (
        Step("square", layers(1, "m", every("s", 1, m, Relation("<=", ZERO, M("t", "s")))), Nonnegative(
            (item(times=M("t", "s") * M("t", "s")),), (item(use("permutation", "t", "s", parts="zero or one")),)
        )),
    )),
)  # fmt: skip
_sign = use("entries are nonnegative", "m", "t", "s", fns=(M,), given=("permutation",))
_each = (("s", 1, m),)


def _of_arranged(label: str, premise: Formula, conclusion: Formula, name: str, *steps: Step, fix: str = "") -> Step:
    """The premise on the layers R gives the conclusion on every arrangement of them."""
    body = every("m", 0, None, implied((permutation(M, "m"), premise), conclusion))
    names = ("M*", "R*", "m", "permutation", name, *([fix] if fix else []))
    return Step(label, for_all((M, R), body), Generalise(names, steps))


def _layers_arranged() -> tuple[Step, ...]:
    """Every layer of an arrangement is a causal kernel, and monotone, if those of R are."""
    family = arranged(M, R, "m")
    weight = M("t", "s")
    is_monotone = layers(1, "m", monotone(layer(family, "t")))
    return (
        _of_arranged(
            "arranged layers are causal", layers(1, "m", causal(layer(R, "t"))),
            layers(1, "m", causal(layer(family, "t"))), "R causal",
            *causal_kernel(
                layer(family, "t"),
                Nonnegative((item(_sign, use("R causal", "s", "i", "j", parts="nonnegative"), over=_each),)),
                Identity((item(use("R causal", "s", "i", "j", parts="mask"), times=weight, over=_each),)),
                Identity((
                    item(use("R causal", "s", "i", parts="rows"), times=weight, over=_each),
                    item(use("permutation", "t", parts="rows")),
                )),
            ),
            fix="t",
        ),
        _of_arranged(
            "arranged layers are monotone", layers(1, "m", monotone(layer(R, "t"))), is_monotone, "R monotone",
            Step("each", is_monotone, Nonnegative((item(_sign, use("R monotone", "s", "i", "k"), over=_each),))),
        ),
    )  # fmt: skip


def _past_arranged() -> Step:
    """A kernel that may be moved up past every layer of R may be moved up past every layer of an arrangement."""
    conclusion = past(arranged(M, R, "m"), K, m)
    body = every("m", 0, None, implied((permutation(M, "m"), past(R, K, m)), conclusion))
    return Step("past arranged layers", for_all((e, M, R, K), body), Generalise(
        ("e*", "M*", "R*", "K*", "m", "permutation", "past"),
        (Step("each", conclusion, Nonnegative((item(_sign, use("past", "s", "i", "k"), over=_each),))),),
    ))  # fmt: skip


# --- where the last layer stands ------------------------------------------------------------------

LAST = m + 1
_place = Exists(Range("p", as_index(0), m), Relation("<=", ONE, M(p + 1, LAST)))


def _found() -> Step:
    """Some place has the last layer: else all entries of the last column are 0, and their sum is not 1."""
    entry, column = M(t, LAST), use("permutation", LAST, parts="columns")
    inverse = Reciprocal(ONE - entry)
    return Step(
        "last layer",
        for_all((M,), every("m", 0, None, Implies(permutation(M, LAST), _place))),
        Generalise(("M*", "m", "permutation"), (
            Step("somewhere", _place, Either(
                _place, "found",
                (Step("there", _place, Instantiate(use("found"))),),
                (
                    Step("gap", every("t", 1, LAST, Relation("<", ZERO, ONE - entry)),
                         Nonnegative((item(use("found", t - 1)),))),
                    Step("gap / gap", every("t", 1, LAST, Relation("=", (ONE - entry) * inverse, ONE)),
                         Invert(use("gap", "t"))),
                    Step("zero", every("t", 1, LAST, Relation("=", entry, ZERO)), Identity((
                        item(use("gap / gap", "t"), times=-entry),
                        item(use("permutation", "t", LAST, parts="zero or one"), times=-inverse),
                    ))),
                    Step("no sum", Relation("<=", ONE, ZERO), Nonnegative((), (
                        item(column, times=-1), item(use("zero", "t"), over=(("t", 1, LAST),)),
                    ))),
                    Step("there", _place, Absurd(use("no sum"), Fraction(-1))),
                ),
            )),
        )),
    )  # fmt: skip


# --- the others -----------------------------------------------------------------------------------

_EARLY, _LATE = Bracket(((t, p),)), Bracket(((p + 1, t),))
REST = Lambda(("t", "s"), _EARLY * M("t", "s") + _LATE * M(t + 1, "s"))  # without row p + 1
_PIVOT = Relation("<=", ONE, M(p + 1, LAST))


def _bounded(label: str, goal: ForAll, others: tuple[Item, ...], whole: Use, least: Use) -> tuple[Step, ...]:
    """Entries whose sum with the pivot is 1 are 0: at least 0, and at most 1 less the pivot and the others."""
    relation = goal.body
    assert isinstance(relation, Relation)
    var, entry = goal.range, relation.left
    return (
        Step(f"{label} at least", ForAll(var, Relation("<=", ZERO, entry)), Chain((least,))),
        Step(f"{label} at most", ForAll(var, Relation("<=", entry, ZERO)),
             Nonnegative((item(use("found")), *others), (item(whole),))),
        Step(label, goal, Antisymmetry(use(f"{label} at most", var.var), use(f"{label} at least", var.var))),
    )  # fmt: skip


_zero_column = every("t", 1, m, Relation("=", REST("t", LAST), ZERO))
_zero_row = every("s", 1, m, Relation("=", M(p + 1, "s"), ZERO))
_pivot = Relation("=", M(p + 1, LAST), ONE)
IS_OTHERS = permutation(REST, m)


def _rest_is_permutation() -> tuple[Step, ...]:
    """The matrix without row p + 1 and the last column has entries 0 and 1, and rows and columns that sum to 1."""
    goals = dict(IS_OTHERS.parts)
    return (
        Step("zero or one", goals["zero or one"], Identity((
            item(use("permutation", "t", "s", parts="zero or one"), times=_EARLY),
            item(use("permutation", t + 1, "s", parts="zero or one"), times=_LATE),
        ))),
        Step("rows", goals["rows"], Identity((
            item(use("permutation", "t", parts="rows"), times=_EARLY),
            item(use("permutation", t + 1, parts="rows"), times=_LATE),
            item(use("column", "t"), times=-1),
        ))),
        Step("columns", goals["columns"], Identity((
            item(use("permutation", "s", parts="columns")), item(use("row", "s"), times=-1)
        ))),
        Step("others", IS_OTHERS, Both(("zero or one", "rows", "columns"))),
    )  # fmt: skip


def _without_last() -> Step:
    """Where M_{p+1,m+1} = 1, the rest of its row and column is 0, and without them M is a permutation matrix."""
    conclusion = And((("column", _zero_column), ("row", _zero_row), ("pivot", _pivot), ("others", IS_OTHERS)))
    entries = use("signs", "t", "s")
    whole_row, whole_column = use("permutation", p + 1, parts="rows"), use("permutation", LAST, parts="columns")
    row = tuple(item(use("signs", p + 1, "r"), over=(("r", low, high),)) for low, high in ((1, s - 1), (s + 1, m)))
    column = tuple(item(use("rest", "r", LAST), over=(("r", low, high),)) for low, high in ((1, t - 1), (t + 1, m)))
    return Step(
        "without the last layer",
        for_all((M,), every("m", 0, None, every("p", 0, m, implied((permutation(M, LAST), _PIVOT), conclusion)))),
        Generalise(("M*", "m", "p", "permutation", "found"), (
            Step("signs", every("t", 1, LAST, every("s", 1, LAST, Relation("<=", ZERO, M("t", "s")))),
                 Instantiate(use("entries are nonnegative", LAST, fns=(M,), given=("permutation",)))),
            Step("rest", every("t", 1, m, every("s", 1, LAST, Relation("<=", ZERO, REST("t", "s")))), Nonnegative((
                item(entries, times=_EARLY), item(use("signs", t + 1, "s"), times=_LATE)
            ))),
            *_bounded("column", _zero_column, column, whole_column, use("rest", "t", LAST)),
            *_bounded("row", _zero_row, row, whole_row, use("signs", p + 1, "s")),
            Step("pivot", _pivot, Identity((
                item(whole_row), item(use("row", "s"), times=-1, over=(("s", 1, m),))
            ))),
            *_rest_is_permutation(),
            Step("all", conclusion, Both(("column", "row", "pivot", "others"))),
        )),
    )  # fmt: skip


WHOLE, OTHERS, TOP = arranged(M, R, LAST), arranged(REST, R, m), layer(R, LAST)


def _places() -> Step:
    """The arrangement has the last layer in place p + 1, and the others below and above it in their order."""
    before, placed, above = in_place(WHOLE, OTHERS, TOP)
    names = ("column", "row", "pivot")
    last = R(LAST, "i", "j")
    conclusion = And((("below", before), ("placed", placed), ("above", above)))
    premises = (_zero_column, _zero_row, _pivot)
    return Step(
        "places",
        for_all((M, R), every("m", 0, None, every("p", 0, m, implied(premises, conclusion)))),
        Generalise(("M*", "R*", "m", "p", *names), (
            Step("below", before, Identity((item(use("column", "t"), times=last),))),
            Step("placed", placed, Identity((
                item(use("pivot"), times=last), item(use("row", "s"), times=R("s", "i", "j"), over=_each)
            ))),
            Step("above", above, Identity((item(use("column", "t"), times=last),))),
            Step("all", conclusion, Both(("below", "placed", "above"))),
        )),
    )  # fmt: skip


def permutation_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved."""
    return (
        _entry, *_layers_arranged(), _past_arranged(), _found(), _without_last(), _places(),
    )  # fmt: skip
