"""What the notations of matrices, sequences and families mean, each from its textbook formula, in plain arithmetic.

A sum over an empty range is 0, and so is what is over 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import prod

__all__ = ["Call", "coefficient", "complete", "divided", "inverse", "over", "polynomial_at", "reciprocal_law"]

Call = Callable[..., Fraction]
ZERO, ONE = Fraction(0), Fraction(1)


def inverse(x: Fraction) -> Fraction:
    """1 / x."""
    return 1 / x if x else ZERO


def _depth(t: int) -> int:
    if t < 0:
        raise ValueError("a depth below 0")
    return t


def complete(degree: int, values: Sequence[Fraction]) -> Fraction:
    """h_m, the sum of all monomials of degree m."""
    return sum((prod(m, start=ONE) for m in combinations_with_replacement(values, _depth(degree))), ZERO)


def hops(chance: Call) -> Call:
    """The chance of k successes in T trials: the sum over the sets of k trials that succeed."""

    def law(trials: int, k: int) -> Fraction:
        every = range(1, _depth(trials) + 1)
        chosen = combinations(every, k) if k >= 0 else ()
        return sum((prod((chance(t) if t in s else 1 - chance(t) for t in every), start=ONE) for s in chosen), ZERO)

    return law


def reciprocal_law(chance: Call, trials: int, nodes: Sequence[Fraction]) -> Fraction:
    """The divided difference of E z^(-K): that of z^(-k) is (-1)^m h_{k-1}(1/z, ...) / (z_0 ... z_m)."""
    if not nodes:
        return ZERO
    law, inverses = hops(chance), [inverse(z) for z in nodes]
    found = law(trials, 0) * (len(nodes) == 1)
    for k in range(1, trials + 1):
        found += law(trials, k) * (-1) ** (len(nodes) - 1) * prod(inverses, start=ONE) * complete(k - 1, inverses)
    return found


def polynomial_at(values: Sequence[Fraction], nodes: Sequence[Fraction]) -> Fraction:
    """The divided difference at the nodes of the polynomial with the given values at 0, 1, 2, ...: by its coefficients,
    since that of z^d is h_{d-m}.
    """
    if not nodes:
        return ZERO
    m = len(nodes) - 1
    return sum((c * complete(d - m, nodes) for d, c in enumerate(_coefficients(values)) if d >= m), ZERO)


def coefficient(values: Sequence[Fraction], power: int) -> Fraction:
    """The coefficient of a power in the polynomial with the given values at 0, 1, 2, ...."""
    found = _coefficients(values)
    return found[power] if 0 <= power < len(found) else ZERO


def divided(f: Call, nodes: Sequence[Fraction]) -> Fraction:
    """f[z_1, ..., z_m] = sum of f(z_i) / product of z_i - z_l, the nodes being distinct."""
    apart = (prod((z - y for y in nodes if y is not z), start=ONE) for z in nodes)
    return sum((f(z) / below for z, below in zip(nodes, apart, strict=True)), ZERO)


def _coefficients(values: Sequence[Fraction]) -> list[Fraction]:
    """By Lagrange."""
    points, result = range(len(values)), [ZERO] * len(values)
    for p, value in zip(points, values, strict=True):
        basis = [value]
        for q in points:
            if q != p:
                moved = [ZERO, *basis]
                basis = [(a - q * b) / (p - q) for a, b in zip(moved, [*basis, ZERO], strict=True)]
        result = [a + b for a, b in zip(result, basis, strict=True)]
    return result


def over(name: str, n: int, fns: Sequence[Call]) -> Call:
    """The function that an operator makes of ``fns``, at ``n`` positions."""
    return cache(_MEANING[name](n, *fns))


def _total(terms: object) -> Fraction:
    return sum(terms, ZERO)  # type: ignore[call-overload,no-any-return]


def _rollout(n: int, family: Call) -> Call:
    def rolled(depth: int, i: int, j: int) -> Fraction:
        row = {i: ONE}
        for s in range(_depth(depth), 0, -1):
            row = {c: _total(x * family(s, r, c) for r, x in row.items()) for c in range(1, n + 1)}
        return row.get(j, ZERO)

    return rolled


def _row(n: int, v: Call, family: Call) -> Call:
    rolled = _rollout(n, family)

    def row(depth: int, j: int) -> Fraction:
        return v(j) if _depth(depth) == 0 else _total(v(i) * rolled(depth, i, j) for i in range(1, n + 1))

    return row


def _prefix(n: int, w: Call) -> Call:
    return lambda i, j: (j <= i) * w(j) * inverse(_total(w(x) for x in range(1, i + 1)))


def _content_total(n: int, w: Call, e: Call) -> Call:
    return lambda i: _total(w(x) for x in range(1, i)) + e(i) * w(i)


def _content(n: int, w: Call, e: Call) -> Call:
    below = _content_total(n, w, e)
    return lambda i, j: (j <= i) * w(j) * (e(i) if i == j else ONE) * inverse(below(i))


def _distance_sum(n: int, a: Call) -> Call:
    return lambda r: _total(a(d) for d in range(r))


def _tail(n: int, A: Call) -> Call:
    return lambda i, k: _total(A(i, j) for j in range(k, n + 1))


def _thresholds(n: int, u: Call, A: Call) -> Call:
    F = _tail(n, A)
    return lambda r, i, j: Fraction((u(r) <= F(i, j)) - (u(r) <= F(i, j + 1)))


def _heads(n: int, alpha: Call, w: Call) -> Call:
    def head(t: int, h: int) -> Call:
        return _prefix(n, lambda x: w(t, h, x))

    def average(heads: int, t: int, i: int, j: int) -> Fraction:
        return _total(alpha(t, h) * head(t, h)(i, j) for h in range(1, heads + 1))

    return average


def _row_total(n: int, s: Call) -> Call:
    return lambda i: _total(s(i, x) for x in range(1, i + 1))


_MEANING: dict[str, Callable[..., Call]] = {
    "identity": lambda n: lambda i, j: Fraction(i == j),
    "transition": lambda n, lam, A: lambda t, i, j: (1 - lam(t)) * (i == j) + lam(t) * A(t, i, j),
    "token transition": lambda n, lam, A: lambda i, j: (1 - lam(i)) * (i == j) + lam(i) * A(i, j),
    "blend": lambda n, c, A, B: lambda t, i, j: (1 - c(t)) * A(t, i, j) + c(t) * B(t, i, j),
    "product": lambda n, A, B: lambda i, j: _total(A(i, x) * B(x, j) for x in range(1, n + 1)),
    "image": lambda n, A, f: lambda i: _total(A(i, x) * f(x) for x in range(1, n + 1)),
    "power": lambda n, A: _rollout(n, lambda t, i, j: A(i, j)),
    "rollout": _rollout,
    "row": _row,
    "tail": _tail,
    "hops": lambda n, lam: hops(lam),
    "average": lambda n, a, A: lambda H, i, j: _total(a(h) * A(h, i, j) for h in range(1, H + 1)),
    "divided difference": lambda n, lam, z: lambda T, j, i: reciprocal_law(lam, T, [z(x) for x in range(j, i + 1)]),
    "accumulated": lambda n, x: lambda T: prod((x(t) for t in range(1, _depth(T) + 1)), start=ONE),
    "cumulative": lambda n, w: lambda i: _total(w(x) for x in range(1, i + 1)),
    "prefix": _prefix,
    "content total": _content_total,
    "content": _content,
    "distance sum": _distance_sum,
    "distance": lambda n, a: lambda i, j: (a(i - j) * inverse(_distance_sum(n, a)(i))) if j <= i else ZERO,
    "row total": _row_total,
    "attention": lambda n, s: lambda i, j: (j <= i) * s(i, j) * inverse(_row_total(n, s)(i)),
    "scaled diagonal": lambda n, s, e: lambda i, j: s(i, j) * (e(i) if i == j else ONE),
    "threshold maps": _thresholds,
    "prefix heads": _heads,
}
