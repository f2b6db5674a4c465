"""Lemmas on layers that keep part of a token and read the rest by heads (lazy_layers.py): what each of them adds to the
profile, and its shape (U1).

Each lemma quantifies over all such layers, so a derivation cites it with whatever heads it has.
"""

from __future__ import annotations

from functools import reduce

from proofs.lazy_layers import (
    added,
    at,
    decomposed,
    entries_fall,
    envelope,
    falling,
    keeping_falls,
    kept_below,
    last_row,
    nonnegative_entries,
    nonnegative_keeping,
    nonnegative_weights,
    read,
    rows_above,
    split,
    stack_above,
)
from proofs.notation import every, layers, n, rollout, up_to_diagonal, zero_one
from proofs.prefix_heads import each_head
from proofs.steps import Both, Generalise, Identity, Induction, Instantiate, Nonnegative, Step, item, use
from proofs.term import (
    And,
    Fn,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
    total,
)

__all__ = ["envelope_lemmas"]

# starred, so that no claim uses the names
R, theta, w, b = Symbol("R*", 3), Symbol("theta*", 2), Symbol("w*", 3), Symbol("b*", 4)
p, U, g = Symbol("p*", 1), Symbol("U*", 2), Symbol("g*", 3)
j, k, r, t, H, T = (index(name) for name in "jkrtHT")
ZERO = as_term(0)


def _all(symbols: tuple[Symbol, ...], premises: tuple[Formula, ...], conclusion: Formula) -> Formula:
    body = reduce(lambda inner, premise: Implies(premise, inner), reversed(premises), conclusion)
    return reduce(lambda inner, symbol: ForAllFn(symbol, inner), reversed(symbols), body)


# --- the rows U_t ---------------------------------------------------------------------------------

ROWS, HEADS = (("l", 1, n),), (("h", 1, H),)


def _starts(row: Fn, rows: Fn) -> Formula:
    return every("j", 1, n, Relation("=", at(row, "j"), at(rows, as_index(0), "j")))


def _one_layer(rows: Fn, family: Fn) -> Formula:
    """U_{k,j} = sum_l U_{k+1,l} R_{k+1}(l, j)."""
    below = total("l", 1, n, at(rows, k + 1, "l") * at(family, k + 1, "l", "j"))
    return every("k", 0, T - 1, every("j", 1, n, Relation("=", at(rows, k, "j"), below)))


def _ends(rows: Fn) -> Formula:
    return every("j", 1, n, Relation("=", at(rows, T, "j"), zero_one("j", n)))


def _lowest_last(depth: Index | int) -> Formula:
    """R_{k+1} ... R_1 = (R_{k+1} ... R_2) R_1."""
    below = total("l", 1, n, stack_above(R, 1)(depth, "i", "l") * R(1, "l", "j"))
    relation = Relation("=", rollout(R)(as_index(depth) + 1, "i", "j"), below)
    return every("i", 1, n, every("j", 1, n, relation))


def _above(depth: Index | int) -> Formula:
    entry = Relation("<=", ZERO, stack_above(R, t)(depth, "i", "j"))
    return every("i", 1, n, every("j", 1, n, entry))


_lowest = Step("lowest layer last", ForAllFn(R, every("k", 0, None, _lowest_last(k))), Generalise(("R*",), (
    Step("every depth", every("k", 0, None, _lowest_last(k)), Induction(
        "so far",
        base=(Step("one layer", _lowest_last(0), Identity()),),
        step=(Step("one more layer", _lowest_last(k + 1), Identity((
            item(use("so far", "l", "j"), times=R(k + 2, "i", "l"), over=ROWS),
        ))),),
    )),
)))  # fmt: skip

_facts = {"start": _starts(last_row(R), U), "one layer": _one_layer(U, R), "end": _ends(U)}
_above_k = Lambda(("r", "i", "j"), R(k + r, "i", "j"))
_rows = Step(
    "rows above a layer",
    _all((U, R), (rows_above(U, R),), And(tuple(_facts.items()))),
    Generalise(("U*", "R*", "rows above"), (
        Step("start", _facts["start"], Identity((item(use("rows above", 0, "j"), times=-1),))),
        Step("one layer", _facts["one layer"], Identity((
            item(use("rows above", "k", "j")),
            item(use("lowest layer last", T - k - 1, n, "j", fns=(_above_k,))),
            item(use("rows above", k + 1, "l"), times=-R(k + 1, "l", "j"), over=ROWS),
        ))),
        Step("end", _facts["end"], Identity((item(use("rows above", T, "j")),))),
        Step("rows", And(tuple(_facts.items())), Both(tuple(_facts))),
    )),
)  # fmt: skip

_nonnegative_layers = layers(1, "T", every("i", 1, n, every("j", 1, n, Relation("<=", ZERO, R("t", "i", "j")))))


def _nonnegative_rows(rows: Fn) -> Formula:
    return layers(1, "T", every("l", 1, n, Relation("<=", ZERO, at(rows, "t", "l"))))


_signs = Step(
    "rows above are nonnegative",
    _all((U, R), (rows_above(U, R), _nonnegative_layers), _nonnegative_rows(U)),
    Generalise(("U*", "R*", "rows above", "layers", "t"), (
        Step("every depth", every("k", 0, T - t, _above(k)), Induction(
            "so far",
            base=(Step("no layer", _above(0), Nonnegative((item(times=zero_one("i", "j")),))),),
            step=(Step("one more layer", _above(k + 1), Nonnegative((
                item(use("layers", t + k + 1, "i", "l"), use("so far", "l", "j"), over=ROWS),
            ))),),
        )),
        Step("last row", every("l", 1, n, Relation("<=", ZERO, U("t", "l"))), Nonnegative(
            (item(use("every depth", T - t, n, "l")),), (item(use("rows above", "t", "l"), times=-1),)
        )),
    )),
)  # fmt: skip

# --- what every layer adds ------------------------------------------------------------------------


def _so_far(depth: Index | int) -> Formula:
    """What layers 1 to ``depth`` add; the other paths have stayed at j so far."""
    upto = as_index(depth)
    rest = U(upto, "j") * kept_below(theta, upto, "j")
    return every("j", 1, n, Relation("=", p("j"), rest + added(upto, w, g)))


_sum = Step(
    "what every layer adds",
    _all(
        (p, U, g, R, theta, w, b),
        (_starts(p, U), _one_layer(U, R), _ends(U), envelope(g, U, theta, b), split(R, theta, w, b)),
        decomposed(p, theta, w, g),
    ),
    Generalise(
        ("p*", "U*", "g*", "R*", "theta*", "w*", "b*", "start", "one layer", "end", "envelope", "split"),
        (
            Step("up to layer k", every("k", 0, T, _so_far(k)), Induction(
                "so far",
                base=(Step("no layer", _so_far(0), Identity((item(use("start", "j")),))),),
                step=(Step("one more layer", _so_far(k + 1), Identity((
                    item(use("so far", "j")),
                    item(use("one layer", "k", "j"), times=kept_below(theta, k, "j")),
                    item(use("split", k + 1, "l", "j"), times=U(k + 1, "l") * kept_below(theta, k, "j"), over=ROWS),
                    item(use("envelope", k + 1, "h", "j"), times=-w(k + 1, "h", "j"), over=HEADS),
                ))),),
            )),
            Step("up to layer T", decomposed(p, theta, w, g), Identity((
                item(use("up to layer k", T, "j")), item(use("end", "j"), times=kept_below(theta, T, "j"))
            ))),
        ),
    ),
)  # fmt: skip

_decomposition = Step(
    "sum over layers and heads",
    _all(
        (U, g, R, theta, w, b), (rows_above(U, R), envelope(g, U, theta, b), split(R, theta, w, b)),
        decomposed(last_row(R), theta, w, g),
    ),
    Generalise(("U*", "g*", "R*", "theta*", "w*", "b*", "rows above", "envelope", "split"), (
        Step("decomposed", decomposed(last_row(R), theta, w, g), Instantiate(use(
            "what every layer adds", fns=(last_row(R), U, g, R, theta, w, b),
            given=(
                *(use("rows above a layer", parts=x, fns=(U, R), given=("rows above",)) for x in _facts),
                "envelope", "split",
            ),
        ))),
    )),
)  # fmt: skip

# --- envelopes ------------------------------------------------------------------------------------


def _kept(depth: Index | int) -> Formula:
    return every("j", 1, n, Relation("<=", ZERO, kept_below(theta, as_index(depth), "j")))


def _kept_falls(depth: Index | int) -> Formula:
    here, after = (kept_below(theta, as_index(depth), x) for x in (j, j + 1))
    return every("j", 1, n - 1, Relation("<=", after, here))


_keeping = (
    Step("kept", every("k", 0, T, _kept(k)), Induction(
        "so far",
        base=(Step("no layer", _kept(0), Nonnegative((item(),))),),
        step=(Step("one more layer", _kept(k + 1), Nonnegative((
            item(use("keeping", k + 1, "j"), use("so far", "j")),
        ))),),
    )),
    Step("kept falls", every("k", 0, T, _kept_falls(k)), Induction(
        "so far",
        base=(Step("no layer", _kept_falls(0), Nonnegative(())),),
        step=(Step("one more layer", _kept_falls(k + 1), Nonnegative((
            item(use("keeping falls", k + 1, "j"), use("kept", "k", "j")),
            item(use("keeping", k + 1, j + 1), use("so far", "j")),
        ))),),
    )),
)  # fmt: skip

_read_falls = Relation("<=", read(U, b, j + 1), read(U, b, j))
_reading = (
    Step("read", each_head(every("j", 1, n, Relation("<=", ZERO, read(U, b, "j")))), Nonnegative((
        item(use("rows", "t", "l"), use("entries", "t", "h", "l", "j"), over=(("l", j, n),)),
    ))),
    Step("read falls", each_head(every("j", 1, n - 1, _read_falls)), Nonnegative((
        item(use("rows", "t", "j"), use("entries", "t", "h", "j", "j")),
        item(use("rows", "t", "l"), use("entries fall", "t", "h", "j", "l"), over=(("l", j + 1, n),)),
    ))),
)  # fmt: skip

_asked = (nonnegative_keeping(theta), keeping_falls(theta), nonnegative_entries(b), entries_fall(b))
_names = ("keeping", "keeping falls", "entries", "entries fall")
_parts = dict(falling(g).parts)
_shape = Step(
    "shape of what a layer adds",
    _all((U, g, theta, b), (_nonnegative_rows(U), envelope(g, U, theta, b), *_asked), falling(g)),
    Generalise(("U*", "g*", "theta*", "b*", "rows", "envelope", *_names), (
        *_keeping,
        *_reading,
        Step("nonnegative", _parts["nonnegative"], Nonnegative(
            (item(use("kept", t - 1, "j"), use("read", "t", "h", "j")),),
            (item(use("envelope", "t", "h", "j"), times=-1),),
        )),
        Step("nonincreasing", _parts["nonincreasing"], Nonnegative(
            (
                item(use("kept falls", t - 1, "j"), use("read", "t", "h", "j")),
                item(use("kept", t - 1, j + 1), use("read falls", "t", "h", "j")),
            ),
            (item(use("envelope", "t", "h", "j"), times=-1), item(use("envelope", "t", "h", j + 1))),
        )),
        Step("both", falling(g), Both(("nonnegative", "nonincreasing"))),
    )),
)  # fmt: skip

_envelope = Step(
    "shape of layers",
    _all(
        (U, g, R, theta, w, b),
        (rows_above(U, R), envelope(g, U, theta, b), split(R, theta, w, b), nonnegative_weights(w), *_asked),
        falling(g),
    ),
    Generalise(("U*", "g*", "R*", "theta*", "w*", "b*", "rows above", "envelope", "split", "weights", *_names), (
        Step("layers", _nonnegative_layers, Nonnegative(
            (
                item(use("keeping", "t", "i"), times=zero_one("i", "j")),
                item(
                    use("weights", "t", "h", "j"), use("entries", "t", "h", "i", "j"),
                    times=up_to_diagonal("i", "j"), over=HEADS,
                ),
            ),
            (item(use("split", "t", "i", "j"), times=-1),),
        )),
        Step("rows", _nonnegative_rows(U), Instantiate(use(
            "rows above are nonnegative", fns=(U, R), given=("rows above", "layers")
        ))),
        Step("shape", falling(g), Instantiate(use(
            "shape of what a layer adds", fns=(U, g, theta, b), given=("rows", "envelope", *_names)
        ))),
    )),
)  # fmt: skip


def envelope_lemmas() -> tuple[Step, ...]:
    """The lemmas, in the order in which they are proved; the last and the one before "shape of what a layer adds" are
    for use.
    """
    return _lowest, _rows, _signs, _sum, _decomposition, _shape, _envelope
