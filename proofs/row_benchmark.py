"""How long the last row takes in rationals and in proven enclosures, beside what one writes first, on the same kernels.

fraction  Python's Fraction, v_j ← (1 − λ) v_j + λ Σ_i v_i A_ij: the oracle
first     `numeric.exact.exact_profile` with kernels that it has not met before, whose integers it has to find
exact     the same with kernels it has met, which keep their integers
iv        mpmath's intervals at 53 bits, the recursion of ``fraction``; only + − × ÷ of rationals, for `iv.exp` can miss
          the true value
arb       `numeric.ball.ball_profile` at 53 bits

T dense kernels with rational weights, λ rational; the same every time. Kernels are value objects, or for iv intervals,
that exist before their row is asked for. Fractions must be equal, every interval and ball contain them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from numeric.ball import ball_profile
from numeric.ball_kernel import as_ball
from numeric.exact import ExactDense, exact_profile, to_flint
from proofs.symbolic_benchmark import best_of

__all__ = ["QUICK", "SIZE", "RowTiming", "Work", "row_timings"]

SIZE, QUICK = 64, 8
BITS = 53
KINDS = 7  # different kernels, taken in turn: checking one takes longer than its row


@dataclass(frozen=True)
class RowTiming:
    """One route: the least of some times, and whether its row is, or contains, the one in Fractions."""

    route: str
    seconds: float
    same: bool


@dataclass(frozen=True)
class Work:
    """n = T = size; kernels (T,), weights m/Σm with m from 1 to 9, λ_t in ninths."""

    size: int

    @cached_property
    def kernels(self) -> list[ExactDense]:
        rng = random.Random(0)
        kinds = [ExactDense([self._row(rng, i) for i in range(1, self.size + 1)]) for _ in range(KINDS)]
        return [kinds[t % KINDS] for t in range(self.size)]

    def _row(self, rng: random.Random, i: int) -> list[Fraction]:
        masses = [rng.randint(1, 9) for _ in range(i)]
        return [Fraction(m, sum(masses)) for m in masses] + [Fraction(0)] * (self.size - i)

    @cached_property
    def lam(self) -> list[Fraction]:
        rng = random.Random(1)
        return [Fraction(rng.randint(1, 8), 9) for _ in range(self.size)]


def _recursion(kernels: Sequence[Any], lam: Sequence[Any], zero: Any, one: Any) -> list[Any]:
    """The last row from matrices of any numbers."""
    n = len(kernels[0])
    v = [zero] * (n - 1) + [one]
    for A, share in zip(reversed(kernels), reversed(lam), strict=True):
        moved = [zero] * n
        for i, mass in enumerate(v):
            for j in range(i + 1):
                moved[j] = moved[j] + mass * A[i][j]
        v = [(one - share) * x + share * y for x, y in zip(v, moved, strict=True)]
    return v


def in_fractions(work: Work) -> Callable[[], Sequence[Any]]:
    """What one writes first."""
    matrices = [kernel.rows for kernel in work.kernels]
    return lambda: _recursion(matrices, work.lam, Fraction(0), Fraction(1))


def in_integers_first(work: Work) -> Callable[[], Sequence[Any]]:
    """Over one denominator, with nothing kept from a row before."""
    kernels = work.kernels[:KINDS]

    def row() -> Sequence[Any]:
        for kernel in kernels:
            vars(kernel).pop("integers", None)
        return exact_profile(work.kernels, work.lam, n=work.size)

    return row


def in_integers(work: Work) -> Callable[[], Sequence[Any]]:
    """Over one denominator, the kernels' integers known."""
    return lambda: exact_profile(work.kernels, work.lam, n=work.size)


def in_intervals(work: Work) -> Callable[[], Sequence[Any]]:
    """mpmath's, at its own 53 bits."""
    from mpmath import iv

    def interval(x: Any) -> Any:
        return iv.mpf(x.numerator) / iv.mpf(x.denominator)

    kinds = [[[interval(x) for x in row] for row in kernel.rows] for kernel in work.kernels[:KINDS]]
    matrices = [kinds[t % KINDS] for t in range(work.size)]
    lam = [interval(x) for x in work.lam]
    return lambda: _recursion(matrices, lam, iv.mpf(0), iv.mpf(1))


def in_balls(work: Work) -> Callable[[], Sequence[Any]]:
    """flint's."""
    kernels = [as_ball(kernel, work.size) for kernel in work.kernels]
    return lambda: ball_profile(kernels, work.lam, n=work.size, prec=BITS)


# --- comparing ------------------------------------------------------------------------------------------------------


def _equal(found: Any, exact: Fraction) -> bool:
    return bool(found == exact)


def _in_interval(found: Any, exact: Fraction) -> bool:
    low, high = (_dyadic(end) for end in found._mpi_)
    return low <= exact <= high


def _dyadic(raw: tuple[int, int, int, int]) -> Fraction:
    """mpmath's (sign, mantissa, exponent, bits) exactly."""
    sign, mantissa, exponent, _ = raw
    shift = 1 << abs(exponent)
    size = Fraction(int(mantissa) * shift) if exponent > 0 else Fraction(int(mantissa), shift)
    return -size if sign else size


def _in_ball(found: Any, exact: Fraction) -> bool:
    return bool(found.contains(to_flint(exact)))


_ROUTES: dict[str, tuple[Callable[[Work], Callable[[], Sequence[Any]]], Callable[[Any, Fraction], bool]]] = {
    "fraction": (in_fractions, _equal),
    "first": (in_integers_first, _equal),
    "exact": (in_integers, _equal),
    "iv": (in_intervals, _in_interval),
    "arb": (in_balls, _in_ball),
}


def row_timings(size: int, repeats: int) -> Iterator[RowTiming]:
    """The five routes at n = T = size, the first being the one that the others are compared with."""
    work = Work(size)
    expected: Sequence[Fraction] = []
    for route, (prepared, agree) in _ROUTES.items():
        row, seconds = best_of(prepared(work), repeats)
        expected = expected or row
        yield RowTiming(route, seconds, all(agree(x, y) for x, y in zip(row, expected, strict=True)))
