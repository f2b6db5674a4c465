"""The rollout of one lazy prefix kernel in every layer, by divided differences.

A lazy prefix kernel has any diagonal theta and A_ij = beta_i w_j before it.  With eta_l = theta_l - beta_l w_l,

    P^(T)_ij = w_j beta_i [theta_j, ..., theta_i] (prod_t (1 - lambda_t + lambda_t z) prod_{j<l<i} (z - eta_l))

for j < i.  By induction on T: sum_{j<=l<i} w_l P_lj telescopes to w_j times the divided difference over one node less,
of a product with one factor more.  This is derived from what is used of the two products, under the names f and g, and
then for the products themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from proofs.lemmas.divided_steps import (
    at,
    layer_factors,
    leibniz,
    node_factors,
    of_layers,
    of_nodes,
    spans,
    value,
    with_factors,
)
from proofs.notation import every, n, rollout, transition, zero_one
from proofs.steps import Both, Chain, Generalise, Identity, Induction, Item, Reason, Step, item, use
from proofs.substitute import apply
from proofs.term import (
    And,
    Apply,
    Bracket,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Lambda,
    Op,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)

__all__ = ["LAZY", "before_law", "diagonal_law", "lazy_lemmas", "lazy_prefix", "lazy_rollout", "zeros"]

i, j, l, s = (index(v) for v in ("i", "j", "l", "s"))  # noqa: E741 - the letters of the formulas
theta, eta, beta, w, lam = (Symbol(f"{v}*", 1) for v in ("theta", "eta", "beta", "w", "lambda"))
A, f, g = Symbol("A*", 2), Symbol("f*", 3), Symbol("g*", 3)  # starred, so that no claim uses the names


def lazy_prefix(kernel: Fn, nodes: Fn, heads: Fn, weights: Fn) -> Formula:
    """A_ij = theta_i [i = j] + beta_i w_j [j < i]."""
    right = at(nodes, i) * zero_one(i, j) + at(heads, i) * weights("j") * Bracket(((j + 1, i),))
    return every("i", 1, n, every("j", 1, n, Relation("=", kernel("i", "j"), right)))


def zeros(etas: Fn, nodes: Fn, heads: Fn, weights: Fn) -> Formula:
    """eta_i = theta_i - beta_i w_i."""
    return every("i", 1, n, Relation("=", at(etas, i), at(nodes, i) - at(heads, i) * weights("i")))


def diagonal(product: Fn, values: Callable[[Index | int], Term], depth: Index | int) -> Formula:
    """P_jj = f(theta_j)."""
    return every("j", 1, n, Relation("=", product(depth, "j", "j"), values(depth)))


def before(product: Fn, heads: Fn, weights: Fn, layers: Fn, nodes: Fn, depth: Index | int) -> Formula:
    """P_ij = w_j beta_i (f g)[theta_j, ..., theta_i] for j < i."""
    f, g = with_factors(layers, as_index(depth)), with_factors(nodes, i - 1)
    return spans(1, Relation("=", product(depth, "i", "j"), weights("j") * at(heads, i) * leibniz(f, g, j, i)))


def lazy_rollout(kernel: Fn, lam: Fn) -> Fn:
    """The rollout of one kernel in every layer."""
    return rollout(transition(lam, Lambda(("t", "i", "j"), apply(kernel, (i, j)))))


P = lazy_rollout(A, lam)
_rest, _go = as_term(1) - lam(s + 1), lam(s + 1)


def _mask(depth: Index | int) -> Formula:
    return every("i", 1, n, every("j", i + 1, n, Relation("=", P(depth, "i", "j"), as_term(0))))


def _diagonal(depth: Index | int) -> Formula:
    return diagonal(P, lambda count: f(count, "j", "j"), depth)


def _before(depth: Index | int) -> Formula:
    return before(P, beta, w, f, g, depth)


def _product(last: Index, count: Index) -> Term:
    """(f g)[theta_j, ..., theta_last], with the factors of the nodes up to ``count``."""
    return leibniz(with_factors(f, s), with_factors(g, count), j, last)


def _partial(last: Index) -> Formula:
    """sum_{j <= l <= last} w_l P_lj = w_j (f g)[theta_j, ..., theta_last]."""
    return Relation("=", total("l", j, last, w("l") * P("s", "l", "j")), w("j") * _product(last, last))


def _by_layer(label: str, stated: Callable[[Index | int], Formula], base: Identity, *step: Step) -> Step:
    """What holds at every depth s."""
    return Step(label, every("s", 0, None, stated(s)), Induction(
        "so far", base=(Step("no layer", stated(0), base),), step=step
    ))  # fmt: skip


def _kernel(row: str) -> Item:
    """sum_l lambda A_{row,l} P_lj, by the entries of A."""
    return item(use("lazy prefix", row, "l"), times=_go * P("s", "l", "j"), over=(("l", 1, n),))


def _masked(row: str) -> Item:
    """Its part with l < j is 0."""
    return item(use("mask", "s", "l", "j"), times=_go * beta(row) * w("l"), over=(("l", 1, j - 1),))


_partial_sums = Step("partial sums", spans(0, _partial(i)), Generalise(("j",), (
    Step("every last", every("i", j, n, _partial(i)), Induction(
        "summed",
        base=(Step("one term", _partial(j), Identity((
            item(use("diagonal", "s", "j"), times=w("j")),
            item(use("of nodes", "j", j, parts="start"), times=-w("j") * f("s", "j", "j")),
        ))),),
        step=(Step("one term more", _partial(i + 1), Identity((
            item(use("summed")),
            item(use("so far", "j", i + 1), times=w(i + 1)),
            item(
                use("of nodes", "j", "i", "l", parts="node"), times=-w("j") * f("s", "l", i + 1),
                over=(("l", j, i + 1),),
            ),
            item(
                use("of layers", "s", "l", i + 1, parts="recursion"), times=w("j") * g("i", "j", "l"),
                over=(("l", j, i),),
            ),
            item(use("zeros", i + 1), times=w("j") * _product(i + 1, i)),
        ))),),
    )),
)))  # fmt: skip

_steps = (
    _by_layer("mask", _mask, Identity(), Step("one more layer", _mask(s + 1), Identity((
        item(use("so far", "l", "j"), times=_rest * zero_one(i, l) + _go * A("i", "l"), over=(("l", 1, i),)),
        item(use("lazy prefix", "i", "l"), times=_go * P("s", "l", "j"), over=(("l", i + 1, n),)),
    )))),
    _by_layer(
        "diagonal", _diagonal, Identity((item(use("of layers", "j", "j", parts="start"), times=-1),)),
        Step("one more layer", _diagonal(s + 1), Identity((
            item(use("so far", "j"), times=_rest + _go * theta("j")),
            _kernel("j"),
            _masked("j"),
            item(use("of layers", "s", "j", "j", parts="layer"), times=-1),
        ))),
    ),
    _by_layer(
        "before", _before,
        Identity((
            item(
                use("of layers", "l", "i", parts="start"), times=-w("j") * beta("i") * g(i - 1, "j", "l"),
                over=(("l", j, i),),
            ),
            item(use("of nodes", "j", "i", parts="degree"), times=-w("j") * beta("i")),
        )),
        _partial_sums,
        Step("one more layer", _before(s + 1), Identity((
            item(use("so far", "j", "i"), times=_rest + _go * theta("i")),
            item(use("partial sums", "j", i - 1), times=_go * beta("i")),
            _kernel("i"),
            _masked("i"),
            item(
                use("of layers", "s", "l", "i", parts="layer"), times=-w("j") * beta("i") * g(i - 1, "j", "l"),
                over=(("l", j, i),),
            ),
        ))),
    ),
)  # fmt: skip


# --- the lemma, first from what is used of the factors, then for the factors ----------------------

_ABSTRACT, LAZY = "rollout from the factors", "rollout of a lazy prefix kernel"
_HYPOTHESES = {
    "lazy prefix": lazy_prefix(A, theta, beta, w),
    "zeros": zeros(eta, theta, beta, w),
    "of layers": of_layers(theta, lam, f),
    "of nodes": of_nodes(theta, eta, g),
}


def _closed(symbols: tuple[Symbol, ...], hypotheses: Iterable[Formula], body: Formula) -> Formula:
    """For all symbols: the hypotheses imply the body."""
    body = reduce(lambda inner, hypothesis: Implies(hypothesis, inner), reversed(tuple(hypotheses)), body)
    return reduce(lambda inner, symbol: ForAllFn(symbol, inner), reversed(symbols), body)


def _both(first: Callable[[Index], Formula], second: Callable[[Index], Formula]) -> And:
    """What holds at every depth s, on the diagonal and before it."""
    return And((("diagonal", every("s", 0, None, first(s))), ("before", every("s", 0, None, second(s)))))


def _abstract() -> Step:
    symbols, both = (A, theta, eta, beta, w, lam, f, g), _both(_diagonal, _before)
    names = (*(symbol.name for symbol in symbols), *_HYPOTHESES)
    steps = (*_steps, Step("both", both, Both(("diagonal", "before"))))
    return Step(_ABSTRACT, _closed(symbols, _HYPOTHESES.values(), both), Generalise(names, steps))


def diagonal_law(kernel: Fn, nodes: Fn, lam: Fn, depth: Index | int) -> Formula:
    """P_jj = prod_t (1 - lambda_t + lambda_t theta_j)."""
    constants = Lambda(("t",), as_term(1) - at(lam, index("t")))
    return diagonal(lazy_rollout(kernel, lam), lambda count: value(nodes, constants, lam, count, j), depth)


def before_law(kernel: Fn, nodes: Fn, etas: Fn, heads: Fn, weights: Fn, lam: Fn, depth: Index | int) -> Formula:
    """P_ij = w_j beta_i [theta_j, ..., theta_i] of the factors of the layers and of the nodes between."""
    between = node_factors(nodes, etas)
    return before(lazy_rollout(kernel, lam), heads, weights, layer_factors(nodes, lam), between, depth)


def _fns(family: Lambda) -> tuple[Fn, Fn, Fn]:
    """Constants, slopes and nodes of a family of divided differences, in the order of the lemmas."""
    assert isinstance(family.body, Apply) and isinstance(family.body.fn, Op)
    nodes, constants, slopes = family.body.fn.fns
    return constants, slopes, nodes


def _parts(label: str, whole: Formula, *reasons: Reason) -> tuple[Step, ...]:
    """The parts of a conjunction, then the whole."""
    assert isinstance(whole, And)
    steps = tuple(
        Step(f"{label}, {name}", part, reason) for (name, part), reason in zip(whole.parts, reasons, strict=True)
    )
    return (*steps, Step(label, whole, Both(tuple(step.label for step in steps))))


def _concrete() -> Step:
    layers, between = layer_factors(theta, lam), node_factors(theta, eta)
    on_nodes = of_nodes(theta, eta, between)
    assert isinstance(on_nodes, ForAll)
    law = _both(
        lambda depth: diagonal_law(A, theta, lam, depth), lambda depth: before_law(A, theta, eta, beta, w, lam, depth)
    )
    facts = ("lazy prefix", "zeros", "factors of layers", "factors of nodes")
    abstract = {
        part: use(_ABSTRACT, *at, parts=part, fns=(A, theta, eta, beta, w, lam, layers, between), given=facts)
        for part, at in (("diagonal", ("s", "j")), ("before", ("s", "j", "i")))
    }
    steps = (
        *_parts(
            "factors of layers", of_layers(theta, lam, layers), Identity(), Identity(),
            Chain((use("recursion of divided differences", "s", "j", "i", fns=_fns(layers)),)),
        ),
        Step("factors of nodes", on_nodes, Generalise(("j",), _parts(
            "after j", on_nodes.body, Identity(), Identity(),
            Chain((use("beyond the degree", l - 1 - j, 0, "j", fns=_fns(between)),)),
        ))),
        *_parts(
            "both", law,
            Chain((abstract["diagonal"], use("values", "s", "j", fns=_fns(layers)))),
            Chain((abstract["before"],)),
        ),
    )  # fmt: skip
    symbols, hypotheses = (A, theta, eta, beta, w, lam), ("lazy prefix", "zeros")
    closed = _closed(symbols, (_HYPOTHESES[label] for label in hypotheses), law)
    return Step(LAZY, closed, Generalise((*(symbol.name for symbol in symbols), *hypotheses), steps))


def lazy_lemmas() -> tuple[Step, ...]:
    """The rollout of a lazy prefix kernel, from what is used of the factors, and for the factors themselves."""
    return _abstract(), _concrete()
