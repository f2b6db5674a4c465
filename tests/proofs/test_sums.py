"""The normal form of sums: known identities are accepted and near misses refused, and what it calls zero is zero in
plain arithmetic, whatever the functions are.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product as every_pair

import pytest

from proofs.notation import (
    IDENTITY,
    accumulated,
    average,
    binomial,
    blend,
    complete,
    divided_difference,
    divided_product,
    hops,
    image,
    number,
    power,
    product,
    product_between,
    rollout,
    row_recursion,
    sign,
    tail,
    transition,
    zero_one,
)
from proofs.region import Region, at_most
from proofs.sums import is_zero
from proofs.term import (
    Bracket,
    Index,
    Lambda,
    Plus,
    Reciprocal,
    Symbol,
    Term,
    Times,
    as_index,
    as_term,
    index,
    total,
)
from tests.proofs.plain import noise, value

i, j, k, l, m, n, s = (index(v) for v in "ijklmns")  # noqa: E741 - the letters of the formulas
f, g, A, B, R = Symbol("f", 1), Symbol("g", 1), Symbol("A", 2), Symbol("B", 2), Symbol("R", 3)
lam, x = Symbol("lambda", 1), Symbol("x", 1)

_inside = [form for v in (i, k) for form in (at_most(as_index(1), v), at_most(v, n))]
_region = Region().all([at_most(as_index(1), n), at_most(as_index(0), s), *_inside])
assert _region is not None
REGION = _region  # 1 <= i, k <= n, 0 <= s

FUNCTIONS = [{name: noise(name, seed) for name in ("f", "g", "A", "B", "R", "lambda", "x")} for seed in range(2)]
POINTS = [
    {"n": size, "i": row, "k": column, "s": depth}
    for size in range(1, 5)
    for row, column in every_pair(range(1, size + 1), repeat=2)
    for depth in ((0, 1, 2) if size < 3 else (1,))
]


def vanishes(term: Term) -> bool:
    """Whether the term is 0 at every point of the region up to n = 4, with functions that look random."""
    return all(value(term, point, functions) == 0 for point in POINTS for functions in FUNCTIONS)


def _where(*forms: Index) -> Region:
    found = Region().all(forms)
    assert found is not None
    return found


def _layer(depth: Index) -> Lambda:
    return Lambda(("i", "j"), R(depth, "i", "j"))


def _below(depth: Index) -> Lambda:
    return Lambda(("i", "j"), rollout(R)(depth, "i", "j"))


F = tail(A)
IDENTITIES: dict[str, tuple[Term, Term]] = {
    "abstraction within": (Reciprocal(Lambda(("j",), f("j") * g("j"))("k")), Reciprocal(f("k") * g("k"))),
    "linearity": (total("j", 1, n, 2 * f("j") + g("j")), 2 * total("j", 1, n, f("j")) + total("j", 1, n, g("j"))),
    "constant": (total("j", 1, n, f("i") * g("j")), f("i") * total("j", 1, n, g("j"))),
    "name": (total("j", 1, n, A("j", "i")), total("l", 1, n, A("l", "i"))),
    "exchange": (
        total("j", 1, n, total("l", 1, n, A("j", "l"))),
        total("l", 1, n, total("j", 1, n, A("j", "l"))),
    ),
    "exchange over a triangle": (
        total("j", 1, n, total("l", 1, j, A("j", "l"))),
        total("l", 1, n, total("j", "l", n, A("j", "l"))),
    ),
    "split": (total("j", 1, n, f("j")), total("j", 1, i, f("j")) + total("j", i + 1, n, f("j"))),
    "first term": (total("j", i, n, f("j")), f("i") + total("j", i + 1, n, f("j"))),
    "shift": (total("j", 1, n, f(j + 1)), total("j", 2, n + 1, f("j"))),
    "telescoping": (total("j", 1, n, f("j") - f(j - 1)), f("n") - f(0)),
    "empty range": (total("j", n + 1, n, f("j")), as_term(0)),
    "one term": (total("j", i, i, f("j")), f("i")),
    "bracket": (total("j", 1, n, Bracket(((j, i),)) * f("j")), total("j", 1, i, f("j"))),
    "delta": (total("j", 1, n, zero_one("i", "j") * f("j")), f("i")),
    "bracket and its negation": (Bracket(((i, k),)) + Bracket(((k + 1, i),)), as_term(1)),
    "number of terms": (total("j", 1, n, total("l", j, j, f("l"))), total("j", 1, n, f("j"))),
    "product commutes": (f("i") * f("k"), f("k") * f("i")),
    "square of a sum": (
        total("j", 1, n, f("j")) * total("l", 1, n, f("l")),
        total("j", 1, n, f("j") * f("j")) + 2 * total("j", 1, n, total("l", j + 1, n, f("j") * f("l"))),
    ),
    "symmetric pairs": (
        total("j", 1, n, total("l", 1, n, A("j", "l") * f("j") * f("l"))),
        total("j", 1, n, total("l", 1, n, A("l", "j") * f("j") * f("l"))),
    ),
    "reflection": (total("j", 1, i, f(i - j)), total("j", 0, i - 1, f("j"))),
    "diagonals": (
        total("j", 1, i, total("l", 1, j, A(j - l, "l"))),
        total("l", 1, i, total("m", 0, i - l, A("m", "l"))),
    ),
    "summation by parts": (
        total("j", 1, n, f("j") * g("j")) - total("j", 1, n, f("j")) * g(0),
        total("l", 1, n, total("j", l, n, f("j")) * (g("l") - g(l - 1))),
    ),
    "tail": (F("i", "k") - F("i", k + 1), A("i", "k")),
    "product": (product(A, B)("i", "k"), total("j", 1, n, A("i", "j") * B("j", "k"))),
    "associativity": (product(product(A, B), A)("i", "k"), product(A, product(B, A))("i", "k")),
    "identity kernel": (product(IDENTITY, A)("i", "k"), A("i", "k")),
    "image": (image(product(A, B), f)("i"), image(A, image(B, f))("i")),
    "transition": (
        transition(lam, R)(1, "i", "k"), zero_one("i", "k") - lam(1) * zero_one("i", "k") + lam(1) * R(1, "i", "k"),
    ),
    "rollout": (rollout(R)(s + 1, "i", "k"), product(_layer(s + 1), _below(s))("i", "k")),
    "two layers": (rollout(R)(2, "i", "k"), total("j", 1, n, R(2, "i", "j") * R(1, "j", "k"))),
    "no layer": (rollout(R)(0, "i", "k"), zero_one("i", "k")),
    "row recursion": (row_recursion(f, R)(1, "k"), total("j", 1, n, f("j") * R(1, "j", "k"))),
    "average": (average(lam, R)(2, "i", "k"), lam(1) * R(1, "i", "k") + lam(2) * R(2, "i", "k")),
    "blend": (blend(lam, R, R)("i", "i", "k"), R("i", "i", "k")),
    "accumulated": (accumulated(x)(s + 2), x(s + 2) * x(s + 1) * accumulated(x)("s")),
    "abstraction without effect": (
        rollout(Lambda(("t", "i", "j"), R("t", "i", "j")))("s", 1, 1), rollout(R)("s", 1, 1),
    ),
    "power": (power(A)(2, "i", "k"), product(A, A)("i", "k")),
    "hops": (hops(lam)(1, 1), lam(1) + hops(lam)(0, 1) * (1 - lam(1))),
    "complete": (complete(f)(2, "i", i + 1), f("i") * f("i") + f("i") * f(i + 1) + f(i + 1) * f(i + 1)),
    "divided difference": (
        divided_difference(x, f)(s + 1, 1, "i") - divided_difference(x, f)("s", 1, "i") * (1 - x(s + 1)),
        x(s + 1) * total("j", 1, "i", sign(i - j) * divided_difference(x, f)("s", 1, "j") * product_between(
            Lambda(("k",), Reciprocal(f("k"))), "j", "i"
        )),
    ),
    "divided product": (
        divided_product(f, x, lam)(2, "i", i + 1),
        x(1) * lam(2) + lam(1) * x(2) + lam(1) * lam(2) * (f("i") + f(i + 1)),
    ),
    "number": (number(s + 2) - number("s"), as_term(2)),
    "sign": (sign(s + 2), sign("s")),
    "binomial": (binomial(s + 1, "k") - binomial("s", "k"), binomial("s", k - 1)),
    "reciprocal": (total("j", 1, n, f("j") * Reciprocal(g("i"))), Reciprocal(g("i")) * total("l", 1, n, f("l"))),
}  # fmt: skip

NEAR_MISSES: dict[str, tuple[Term, Term]] = {
    "coefficient": (total("j", 1, n, 2 * f("j")), total("j", 1, n, f("j"))),
    "a term lost": (total("j", 1, n, f("j")), total("j", 2, n, f("j"))),
    "a term twice": (total("j", 1, n, f("j")), total("j", 1, i, f("j")) + total("j", i, n, f("j"))),
    "shift without the range": (total("j", 1, n, f(j + 1)), total("j", 1, n, f("j"))),
    "telescoping one short": (total("j", 1, n, f("j") - f(j - 1)), f(n - 1) - f(0)),
    "transposed": (A("i", "k"), A("k", "i")),
    "transposed sum": (total("j", 1, n, A("i", "j")), total("j", 1, n, A("j", "i"))),
    "another triangle": (
        total("j", 1, n, total("l", 1, j, A("j", "l"))),
        total("l", 1, n, total("j", l + 1, n, A("j", "l"))),
    ),
    "square of a sum": (
        total("j", 1, n, f("j")) * total("l", 1, n, f("l")),
        total("j", 1, n, f("j") * f("j")) + total("j", 1, n, total("l", j + 1, n, f("j") * f("l"))),
    ),
    "product of two functions": (f("i") * g("k"), f("k") * g("i")),
    "square of one is not of the other": (f("i") * f("i") * g("k"), f("i") * g("k") * g("k")),
    "strict bracket": (total("j", 1, n, Bracket(((j + 1, i),)) * f("j")), total("j", 1, i, f("j"))),
    "overlapping brackets": (Bracket(((i, k),)) + Bracket(((k, i),)), as_term(1)),
    "number of terms": (total("j", 1, n, f(1)), f(1)),
    "order of kernels": (product(A, B)("i", "k"), product(B, A)("i", "k")),
    "another row": (F("i", "k") - F("i", k + 1), A(i + 1, "k")),
    "layers exchanged": (rollout(R)(2, "i", "k"), total("j", 1, n, R(1, "i", "j") * R(2, "j", "k"))),
    "another depth": (rollout(R)("s", "i", "k"), rollout(R)(s + 1, "i", "k")),
    "another vector": (row_recursion(f, R)("s", 1), row_recursion(g, R)("s", 1)),
    "abstraction with exchanged indices": (
        rollout(Lambda(("t", "i", "j"), R("t", "j", "i")))("s", 1, 1), rollout(R)("s", 1, 1),
    ),
    "abstraction of a free index": (
        accumulated(Lambda(("t",), A("t", "i")))("s"), accumulated(Lambda(("t",), A("t", "k")))("s"),
    ),
    "a smaller power": (power(A)(s + 1, "i", "k"), power(A)("s", "i", "k")),
    "another count": (hops(lam)("s", 1), hops(lam)("s", 0)),
    "complete of other values": (complete(f)("s", "i", "k"), complete(f)("s", "k", "i")),
    "divided difference of other nodes": (
        divided_difference(x, f)("s", "i", "k"), divided_difference(x, g)("s", "i", "k"),
    ),
    "divided difference at fewer nodes": (
        divided_difference(x, f)(1, "i", i + 1), divided_difference(x, f)(1, "i", "i"),
    ),
    "divided product over other nodes": (
        divided_product(f, x, lam)("s", "i", "k"), divided_product(f, x, lam)("s", "k", "i"),
    ),
    "another number": (number(s + 2) - number("s"), as_term(1)),
    "another sign": (sign(s + 1), sign("s")),
    "another binomial": (binomial(s + 1, "k") - binomial("s", "k"), binomial("s", "k")),
    "abstraction within at another": (Reciprocal(Lambda(("j",), f("j") * g("j"))("k")), Reciprocal(f("i") * g("i"))),
    "reciprocal of another": (Reciprocal(f("i")), Reciprocal(f("k"))),
    "reciprocal times its value": (f("i") * Reciprocal(f("i")), as_term(1)),
    "reflection": (total("j", 1, i, f(i - j)), total("j", 1, i, f("j"))),
    "doubled index": (total("j", 1, n, f(j + j)), total("j", 1, n, f("j"))),
    "rows that sum to 1": (total("j", 1, n, A("i", "j")), as_term(1)),
}  # fmt: skip


@pytest.mark.parametrize("name", IDENTITIES)
def test_identities_are_accepted(name: str) -> None:
    left, right = IDENTITIES[name]
    assert vanishes(left - right)
    assert is_zero(left - right, REGION)


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_near_misses_are_refused(name: str) -> None:
    left, right = NEAR_MISSES[name]
    assert not vanishes(left - right)
    assert not is_zero(left - right, REGION)


def test_a_split_needs_the_cut_to_lie_in_the_range() -> None:
    """Without i <= n the two parts overlap or leave the range."""
    left, right = IDENTITIES["split"]
    assert not is_zero(left - right, Region())
    within = Region().all([at_most(as_index(0), i), at_most(i, n)])
    assert within is not None
    assert is_zero(left - right, within)


def test_an_empty_sum_needs_the_region_to_say_so() -> None:
    assert is_zero(total("j", k + 1, i, f("j")), _where(at_most(i, k)))
    assert not is_zero(total("j", k + 1, i, f("j")), _where(at_most(i, k + 1)))


def test_a_recursion_is_not_unfolded_where_its_depth_may_be_0() -> None:
    """P^(s) = R_s P^(s-1) only where s >= 1 is written as a depth plus one."""
    assert not is_zero(rollout(R)("s", 1, 1) - product(_layer(s), _below(s - 1))(1, 1), REGION)


def test_a_sum_of_equal_terms_is_counted_only_where_it_is_written_alike() -> None:
    """The number of terms is kept as a range, so 1 + 1 = 2 as a sum is refused: a limit, on the safe side."""
    twice = total("j", i, i + 1, f(1))
    assert is_zero(twice - total("l", k, k + 1, f(1)), _where(at_most(i, k), at_most(k, i)))
    assert vanishes(twice - 2 * f(1))
    assert not is_zero(twice - 2 * f(1), REGION)


def test_zero_is_zero_without_functions() -> None:
    assert is_zero(as_term(0), Region())
    assert not is_zero(as_term(Fraction(1, 10**30)), Region())
    assert is_zero(Plus(()), Region())
    assert not is_zero(Times(()), Region())
