"""The normal form of sums on random terms: what it calls zero is zero in plain arithmetic, and a term written otherwise
is recognised.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product as every_pair

from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.notation import tail
from proofs.region import Region, at_most
from proofs.substitute import free_names, fresh, substitute
from proofs.sums import is_zero
from proofs.term import Bracket, Index, Plus, Range, Sum, Symbol, Term, Times, as_index, as_term, index
from tests.proofs.plain import noise, value

i, k, n = (index(v) for v in "ikn")
f, g, A = Symbol("f", 1), Symbol("g", 1), Symbol("A", 2)
F = tail(A)
FUNCTIONS = {name: noise(name, 0) for name in ("f", "g", "A")}
POINTS = [
    {"n": size, "i": row, "k": column}
    for size in range(1, 4)
    for row, column in every_pair(range(1, size + 1), repeat=2)
]

_region = Region().all(
    [at_most(as_index(1), n), *(c for v in (i, k) for c in (at_most(as_index(1), v), at_most(v, n)))]
)
assert _region is not None
REGION = _region  # 1 <= i, k <= n


variables = st.sampled_from(["i", "k", "j", "l", "n"])
shifted = st.builds(lambda v, c: index(v) + c, variables, st.integers(-1, 1))
general = st.one_of(shifted, st.builds(lambda a, b: index(a) - index(b), variables, variables))


def _leaves(indices: st.SearchStrategy[Index]) -> st.SearchStrategy[Term]:
    return st.one_of(
        st.builds(f, indices), st.builds(A, indices, indices), st.builds(F, indices, indices),
        st.builds(lambda a, b: Bracket(((a, b),)), indices, indices), st.builds(as_term, st.integers(-1, 2)),
    )  # fmt: skip


def _terms(indices: st.SearchStrategy[Index], weight: Callable[[str], Term]) -> st.SearchStrategy[Term]:
    ranges = st.builds(Range, st.sampled_from(["j", "l"]), indices, indices)
    grown: st.SearchStrategy[Term] = st.recursive(
        _leaves(indices),
        lambda inner: st.one_of(
            st.builds(lambda a, b: a * b, inner, inner), st.builds(lambda a, b: a + b, inner, inner),
            st.builds(lambda rng, body: Sum(rng, weight(rng.var) * body), ranges, inner),
        ),
        max_leaves=3,
    )  # fmt: skip
    return grown.map(_closed)


def _closed(term: Term) -> Term:
    """The term with what is free in it beyond the region replaced by what is not."""
    return substitute(term, {"j": i, "l": k}, {})


def _rewritten(term: Term, draw: st.DrawFn, amount: int) -> Term:
    """The same value, written otherwise; with ``amount`` different from 0 a near miss."""
    match term:
        case Sum(Range(var, low, high), body) if high is not None:
            inner = _rewritten(body, draw, amount)
            v = fresh(var, free_names(inner) | free_names(low) | free_names(high))
            moved = substitute(inner, {var: index(v)}, {})
            cut = draw(shifted.filter(lambda ix: free_names(ix) <= {"i", "k", "n"}))
            rule = draw(st.sampled_from(["cut", "shift", "peel"]))
            if rule == "cut":
                parts = (Bracket(((index(v), cut),)), Bracket(((cut + 1 + amount, index(v)),)))
                return Plus(tuple(Sum(Range(v, low, high), p * moved) for p in parts))
            if rule == "shift":
                back = substitute(moved, {v: index(v) - 1}, {})
                return Sum(Range(v, low + 1, high + 1 + amount), back)
            first = Bracket(((low, high),)) * substitute(moved, {v: low + amount}, {})
            return first + Sum(Range(v, low + 1, high), moved)
        case Plus(parts):
            return Plus(tuple(_rewritten(p, draw, amount) for p in reversed(parts)))
        case Times((a, Plus(parts))):
            return Plus(tuple(p * a for p in parts))
        case Times(parts):
            return Times(tuple(_rewritten(p, draw, amount) for p in reversed(parts)))
    return term


@st.composite
def _pairs(
    draw: st.DrawFn, indices: st.SearchStrategy[Index], amount: int, weight: Callable[[str], Term] = g
) -> tuple[Term, Term]:
    term = draw(_terms(indices, weight))
    return term, _rewritten(term, draw, amount)


def vanishes(term: Term) -> bool:
    return all(value(term, point, FUNCTIONS) == 0 for point in POINTS)


@settings(max_examples=100)
@given(_pairs(shifted, 0))
def test_a_term_written_otherwise_is_recognised(pair: tuple[Term, Term]) -> None:
    term, other = pair
    assert vanishes(term - other)
    assert is_zero(term - other, REGION)


def _unweighted(var: str) -> Term:
    return as_term(1)


@settings(max_examples=100)
@given(_pairs(shifted, 1))
def test_what_is_called_zero_is_zero(pair: tuple[Term, Term]) -> None:
    """Near misses of random terms, some of which are equal all the same."""
    term, other = pair
    if is_zero(term - other, REGION):
        assert vanishes(term - other)


@settings(max_examples=50)
@given(st.sampled_from([0, 1]).flatmap(lambda amount: _pairs(general, amount, _unweighted)))
def test_what_is_called_zero_is_zero_for_linear_forms_and_counted_sums(pair: tuple[Term, Term]) -> None:
    term, other = pair
    if is_zero(term - other, REGION):
        assert vanishes(term - other)
