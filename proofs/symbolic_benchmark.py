"""How long the last row takes in symbols, by five routes, on the same work, in one run, with outputs compared.

sympy    SymPy: e_n times Matrix R_T, …, R_1, each product expanded, entries from symbols: what one writes first
rings    sympy.polys.rings over ZZ, the row recursion v ← v R_t
flint    flint's fmpz_mpoly, the same recursion
bytes    `proofs.path_terms.last_row`, the arrays that `derive` makes its terms from
derive   `proofs.closed_form.derive` as it is called: the terms in order, their sum checked

A kernel and a λ_t per layer, each row's first column 1 minus the others. Rows are compared exactly: every term of every
entry with its coefficient. Ratios of one run carry over to other machines, seconds do not.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from proofs.path_terms import Alphabet, PathTerms, last_row

__all__ = [
    "QUICK",
    "SIZES",
    "Timing",
    "best_of",
    "by_bytes",
    "by_derive",
    "by_flint",
    "by_rings",
    "by_sympy",
    "timings",
]

Row = list[Any]
Form = list[NDArray[np.int64]]  # for each entry (terms, T + 1): the letters of each layer as bits, and the coefficient
X = TypeVar("X")

SIZES = ((3, 3), (5, 5), (6, 6), (8, 8))
QUICK = SIZES[:1]
PATIENCE = 0.5  # seconds after which one run is enough
MOST_TERMS = {"sympy": 10_000, "rings": 100_000}  # beyond these a route takes half a minute or more


@dataclass(frozen=True)
class Timing:
    """One route at one size: the least of some times, how many terms it found, and whether they are the first's."""

    n: int
    T: int
    route: str
    seconds: float
    terms: int
    same: bool


# --- routes ---------------------------------------------------------------------------------------------------------


def _names(n: int, T: int) -> list[str]:
    """λ_1 … λ_T, then A_1's free entries row by row, A_2's, …"""
    free = [(i, j) for i in range(2, n + 1) for j in range(2, i + 1)]
    layers = range(1, T + 1)
    return [*(f"lambda_{t}" for t in layers), *(f"A_{t}_{i}_{j}" for t in layers for i, j in free)]


def _layer(letters: Sequence[Any], n: int, T: int, t: int, one: Any) -> list[list[Any]]:
    """R_t, whose first column is 1 minus the others."""
    lam, free = letters[t - 1], n * (n - 1) // 2
    weights = iter(letters[T + (t - 1) * free : T + t * free])
    rows = [[one, *[one * 0] * (n - 1)]]
    for i in range(2, n + 1):
        own = [next(weights) for _ in range(2, i + 1)]
        moved = [lam * x for x in (one - sum(own, one * 0), *own)]
        rows.append([*moved[:-1], one - lam + moved[-1], *[one * 0] * (n - i)])
    return rows


def by_sympy(n: int, T: int) -> Row:
    """Products of SymPy's matrices, expanded one by one."""
    import sympy
    from sympy.core.cache import clear_cache

    clear_cache()  # or the second time is not the work
    letters = sympy.symbols(_names(n, T))
    v = sympy.Matrix(1, n, [0] * (n - 1) + [1])
    for t in range(T, 0, -1):
        v = (v * sympy.Matrix(_layer(letters, n, T, t, sympy.Integer(1)))).expand()
    return list(v)


def _recursion(letters: Sequence[Any], n: int, T: int, one: Any) -> Row:
    v = [one * 0] * (n - 1) + [one]
    for t in range(T, 0, -1):
        layer = _layer(letters, n, T, t, one)
        v = [sum((v[i] * layer[i][j] for i in range(j, n)), one * 0) for j in range(n)]
    return v


def by_rings(n: int, T: int) -> Row:
    """Sparse polynomials of SymPy's own."""
    from sympy import ZZ
    from sympy.polys.rings import ring

    made, *letters = ring(_names(n, T), ZZ)
    return _recursion(letters, n, T, made.one)


def by_flint(n: int, T: int) -> Row:
    """Polynomials over the integers in C."""
    from flint import Ordering, fmpz_mpoly_ctx

    context = fmpz_mpoly_ctx.get(tuple(_names(n, T)), Ordering.lex)
    return _recursion(context.gens(), n, T, context.constant(1))


def by_bytes(n: int, T: int) -> Row:
    """Codes of paths."""
    return list(last_row(Alphabet(n, T, "first")))


def by_derive(n: int, T: int) -> Row:
    """The same as users get it."""
    from proofs.closed_form import derive

    return [entry.numerator for entry in derive(n, T).entries]


ROUTES: dict[str, Callable[[int, int], Row]] = {
    "sympy": by_sympy,
    "rings": by_rings,
    "flint": by_flint,
    "bytes": by_bytes,
    "derive": by_derive,
}


# --- the common form ------------------------------------------------------------------------------------------------


def _form(route: str, row: Row, n: int, T: int) -> Form:
    """The terms of each entry in one order, whatever they were."""
    of = {"sympy": _of_sympy, "rings": _of_rings, "flint": _of_flint, "bytes": _of_bytes, "derive": _of_bytes}[route]
    found = [of(entry, n, T) for entry in row]
    return [terms[np.lexsort(terms.T[::-1])] for terms in found]


def _dense(powers: Sequence[Sequence[int]], coefficients: Sequence[int], n: int, T: int) -> NDArray[np.int64]:
    """From the exponents of all letters, which are 0 or 1: bit 0 of a layer is λ_t, bit k the k-th entry of A_t."""
    size = T + T * n * (n - 1) // 2
    exponents = np.array(powers, np.int64).reshape(-1, size)
    if exponents.size and exponents.max() > 1:
        raise ArithmeticError("A letter has a power above 1, where each layer gives one factor.")
    weights = exponents[:, T:].reshape(len(exponents), T, -1)
    bits = exponents[:, :T] + weights @ (1 << np.arange(1, weights.shape[2] + 1))
    return np.column_stack([bits, np.array(coefficients, np.int64)])


def _of_sympy(entry: Any, n: int, T: int) -> NDArray[np.int64]:
    import sympy

    found = sympy.Poly(entry, *sympy.symbols(_names(n, T))).terms()
    return _dense([powers for powers, _ in found], [int(c) for _, c in found], n, T)


def _of_rings(entry: Any, n: int, T: int) -> NDArray[np.int64]:
    return _dense(list(entry), [int(c) for c in entry.values()], n, T)


def _of_flint(entry: Any, n: int, T: int) -> NDArray[np.int64]:
    """By x_t^(2^k) for the k-th letter of layer t, which tells all monomials apart whose powers are 0 and 1: a tuple of
    T numbers for each term instead of one for every letter.
    """
    from flint import Ordering, fmpz_mpoly_ctx

    if max((int(power) for power in entry.degrees()), default=0) > 1:
        raise ArithmeticError("A letter has a power above 1, where each layer gives one factor.")
    context = fmpz_mpoly_ctx.get(tuple(f"x_{t}" for t in range(1, T + 1)), Ordering.lex)
    x, free = context.gens(), n * (n - 1) // 2
    images = [*x, *(x[t] ** (1 << k) for t in range(T) for k in range(1, free + 1))]
    short = entry.compose(*images, ctx=context)
    bits = np.array([[int(power) for power in powers] for powers in short.monoms()], np.int64).reshape(-1, T)
    return np.column_stack([bits, np.array([int(c) for c in short.coeffs()], np.int64)])


def _of_bytes(entry: PathTerms, n: int, T: int) -> NDArray[np.int64]:
    codes, alone = entry.codes.astype(np.int64), entry.alphabet.alone
    weights = np.where((codes > 0) & (codes < alone), 1 << codes, 0)
    return np.column_stack([*(weights + (codes > 0)), 1 - 2 * entry.negative.astype(np.int64)])


# --- measuring ------------------------------------------------------------------------------------------------------


def timings(n: int, T: int, repeats: int) -> Iterator[Timing]:
    """Times the routes that take less than half a minute, slowest first; the first is what the others must equal."""
    from proofs.closed_form_size import Plan, predicted

    terms = predicted(Plan(n, T, "general", False, "each", "first"), None).terms
    expected: Form | None = None
    for route, function in ROUTES.items():
        if terms > MOST_TERMS.get(route, terms):
            continue
        function(1, 1)  # loads what it needs
        row, seconds = best_of(lambda: function(n, T), repeats)  # noqa: B023
        form = _form(route, row, n, T)
        expected = form if expected is None else expected
        same = all(np.array_equal(a, b) for a, b in zip(form, expected, strict=True))
        yield Timing(n, T, route, seconds, sum(map(len, form)), same and sum(map(len, form)) == terms)


def best_of(function: Callable[[], X], repeats: int) -> tuple[X, float]:
    """The result, and the least of so many times, or the only one where it is longer than half a second."""
    best, times = math.inf, 0
    while times == 0 or (best <= PATIENCE and times < repeats):
        start = time.perf_counter()
        result = function()
        best, times = min(best, time.perf_counter() - start), times + 1
    return result, best
