"""Rational kernels that lie above a partial sum of an exponential series, for cases.

    u sum_{k <= m} x^k / k! A^k + rest,   u = 1 / sum_{k <= m + 1} x^k / k! >= exp(-x)

u > exp(-x) for x > 0, so that balls decide what is compared with exp(-x).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from flint import fmpq, fmpq_mat
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import causal_kernels
from numeric.strategies import mixing as mixing_coefficients
from proofs.case import Case, Entries, kernel
from proofs.draws import families, for_each, sizes_within

__all__ = ["EULER_COUNTEREXAMPLES", "above_series", "euler_cases", "flipped", "terms"]

Row = tuple[Fraction, ...]
Kernel = tuple[Row, ...]
Family = tuple[Kernel, ...]


def terms(x: Fraction, last: int) -> list[Fraction]:
    """x^k / k! for k = 0, ..., last."""
    found = [Fraction(1)]
    while len(found) <= last:
        found.append(found[-1] * x / len(found))
    return found


def above_series(x: Fraction, last: int, kernel: Kernel, rest: Kernel) -> Kernel:
    """A kernel above exp(-x) sum_{k <= last} x^k / k! A^k; what is left of each row is read as ``rest`` reads."""
    *weights, spare = _exact(terms(x, last + 1))
    n = len(kernel)
    step, power = _matrix(kernel), fmpq_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])
    found = _matrix(rest) * spare
    for weight in weights:
        found += power * weight
        power = step * power
    found /= sum(weights, spare)
    return tuple(tuple(Fraction(int(y.p), int(y.q)) for y in row) for row in found.tolist())


def _exact(values: Iterable[Fraction]) -> list[fmpq]:
    return [fmpq(v.numerator, v.denominator) for v in values]


def _matrix(rows: Kernel) -> fmpq_mat:
    return fmpq_mat(len(rows), len(rows), _exact(v for row in rows for v in map(Fraction, row)))


def flipped(kernel: Kernel) -> Kernel:
    """The kernel with the positions in reverse: what read the past reads the future."""
    return tuple(row[::-1] for row in kernel[::-1])


# --- cases of Euler steps -------------------------------------------------------------------------


def _draw(size: tuple[int, int]) -> SearchStrategy[Case]:
    positions, depth = size
    drawn = st.tuples(
        mixing_coefficients(depth), families(positions, depth), families(positions, depth),
        causal_kernels(positions), causal_kernels(positions), st.booleans(),
    )  # fmt: skip
    return drawn.map(lambda d: _case(positions, *d))


def euler_cases() -> SearchStrategy[Case]:
    """Kernels that read the past or the future; what exceeds the first terms of a limit is anywhere in the past."""
    return for_each(sizes_within(4, 3), _draw)


def _case(size: int, mixed: Row, layers: Family, rests: Family, shared: Kernel, rest: Kernel, flip: bool) -> Case:
    if flip:
        layers, shared = tuple(flipped(rows) for rows in layers), flipped(shared)
    limits = [above_series(x, 1, rows, other) for x, rows, other in zip(mixed, layers, rests, strict=True)]
    limit = above_series(sum(mixed, Fraction(0)), len(mixed), shared, rest)
    return Case.of(size, {"T": len(mixed)}, lambda_=mixed, A=layers, E=limits, B=shared, G=limit)


_one, _first, _last = kernel([1], [0, 1]), kernel([1], [1, 0]), flipped(kernel([1], [1, 0]))
_plain: dict[str, Entries] = {"lambda_": [0], "A": [[[1]]], "E": [[[1]]], "B": [[1]], "G": [[1]]}
_tenth = Fraction(1, 10)


def _alone(**changed: Entries) -> Case:
    return Case.of(1, {"T": 1}, **{**_plain, **changed})


_deep = above_series(Fraction(5), 1, _first, _first)
EULER_COUNTEREXAMPLES: tuple[tuple[str, Case, str], ...] = (
    (
        "mixing",
        Case.of(2, {"T": 2}, lambda_=[5, 5], A=[_first] * 2, E=[_deep] * 2, B=_one, G=_last),
        "lambda = 5 twice: R = (5, -4) in row 2",
    ),
    ("kernels", _alone(lambda_=[_tenth], A=[[[0]]]), "A = 0: R = 9/10"),
    ("rows", _alone(E=[[[3]]]), "a limit of mass 3"),
    (
        "above two terms",
        Case.of(2, {"T": 1}, lambda_=[0], A=[_one], E=[_first], B=_one, G=_one),
        "I, not E",
    ),
    ("shared kernel", _alone(lambda_=[_tenth], B=[[0]]), "B = 0: P = 9/10"),
    ("limit rows", _alone(G=[[3]]), "a limit of mass 3"),
    (
        "above the series",
        Case.of(2, {"T": 1}, lambda_=[0], A=[_one], E=[_one], B=_one, G=_first),
        "I, not G",
    ),
)
