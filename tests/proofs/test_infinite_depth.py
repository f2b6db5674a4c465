"""400 layers of random kernels in exact rationals, against the bounds that I2, I5 and I6 state for every depth.

A column of the rollout is u <- R_t u, layer by layer from the input, so every depth is seen on the way.  Each bound has
a false twin, sharper than the true one, that some sequence of kernels must refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

DEPTH = 400
Row = list[fmpq]
Kernel = list[Row]
Schedule = Callable[[int], fmpq]
SEEDS = st.integers(0, 2**32)
few = settings(max_examples=5, deadline=None, database=None)

SUMMABLE: dict[str, tuple[Schedule, Callable[[int], fmpq]]] = {  # with prod (1 - lambda_t) up to T
    "1/(t + 1)^2": (lambda t: fmpq(1, (t + 1) ** 2), lambda T: fmpq(T + 2, 2 * (T + 1))),
    "2/((t + 1)(t + 2))": (lambda t: fmpq(2, (t + 1) * (t + 2)), lambda T: fmpq(T + 3, 3 * (T + 1))),
}
LIMITS = {"1/(t + 1)^2": fmpq(1, 2), "2/((t + 1)(t + 2))": fmpq(1, 3)}
DIVERGENT: dict[str, tuple[Schedule, int, fmpq]] = {  # with n and the eta that 400 layers reach
    "1/(t + 1)": (lambda t: fmpq(1, t + 1), 3, fmpq(1, 3)),
    "1/2": (lambda t: fmpq(1, 2), 5, fmpq(1, 1000)),
    "1": (lambda t: fmpq(1), 5, fmpq(1, 1000)),
    "1/4 and 0 in turn": (lambda t: fmpq(t % 2, 4), 4, fmpq(1, 100)),
}
EPSILON = fmpq(1, 2)


# --- layers ---------------------------------------------------------------------------------------


def drawn(n: int, random: Random, least: fmpq) -> Kernel:
    """A causal kernel whose rows from the second on give at least ``least`` to earlier tokens."""
    rows = [[fmpq(i == j) for j in range(n)] for i in range(n)]
    for i in range(1, n):
        away = least + (1 - least) * fmpq(random.randrange(5), 4)
        weights = [random.randrange(4) for _ in range(i)]
        weights[random.randrange(i)] += 1
        rows[i] = [away * fmpq(w, sum(weights)) for w in weights] + [1 - away] + [fmpq(0)] * (n - 1 - i)
    return rows


def ladder(n: int, step: fmpq) -> Kernel:
    """Every row reads itself and, with weight ``step``, the token before: where I5 is sharp."""
    return [[1 - step * (i > 0) if j == i else step * (j == i - 1) for j in range(n)] for i in range(n)]


def columns(kernels: Iterator[Kernel], schedule: Schedule, start: Row) -> Iterator[tuple[int, Row]]:
    """Depth T and the column P^(T) start, for T = 1, ..., 400."""
    column = start
    for t, kernel in zip(range(1, DEPTH + 1), kernels, strict=False):
        share = schedule(t)
        mixed = [
            sum((a * x for a, x in zip(row[: i + 1], column, strict=False)), fmpq(0)) for i, row in enumerate(kernel)
        ]
        column = [(1 - share) * x + share * y for x, y in zip(column, mixed, strict=True)]
        yield t, column


def endlessly(n: int, seed: int, least: fmpq) -> Iterator[Kernel]:
    """Kernels of a drawn pool, in random order."""
    random = Random(seed)
    pool = [drawn(n, random, least) for _ in range(12)]
    while True:
        yield random.choice(pool)


def repeated(kernel: Kernel) -> Iterator[Kernel]:
    while True:
        yield kernel


def unit(n: int, at: int) -> Row:
    return [fmpq(j == at) for j in range(n)]


# --- a finite sum of the coefficients -------------------------------------------------------------


def kept_above(kernels: Iterator[Kernel], schedule: Schedule, row: int, n: int, bound: Callable[[int], fmpq]) -> bool:
    """Whether P_ii stays above the bound at every depth."""
    return all(column[row] >= bound(T) for T, column in columns(kernels, schedule, unit(n, row)))


@pytest.mark.parametrize("name", SUMMABLE)
@given(seed=SEEDS)
@few
def test_the_diagonal_stays_above_its_bound(name: str, seed: int) -> None:
    schedule, product = SUMMABLE[name]
    assert product(DEPTH) > LIMITS[name]
    assert kept_above(endlessly(4, seed, fmpq(0)), schedule, 1 + seed % 3, 4, product)


@pytest.mark.parametrize("name", SUMMABLE)
def test_the_bound_of_the_diagonal_is_sharp(name: str) -> None:
    """A row that gives all of itself away is on the bound, so one above it is refused; so is an infinite sum."""
    schedule, product = SUMMABLE[name]
    assert kept_above(repeated(ladder(3, fmpq(1))), schedule, 2, 3, product)
    assert not kept_above(repeated(ladder(3, fmpq(1))), schedule, 2, 3, lambda T: product(T) * fmpq(1001, 1000))
    harmonic, _, _ = DIVERGENT["1/(t + 1)"]
    assert not kept_above(repeated(ladder(3, fmpq(1))), harmonic, 2, 3, lambda T: LIMITS[name])


# --- an infinite sum ------------------------------------------------------------------------------


def fewer_than(steps: int, schedule: Schedule, epsilon: fmpq) -> Sequence[fmpq]:
    """P[PoissonBinomial(epsilon lambda_1, ..., epsilon lambda_T) < steps] for T = 1, ..., 400."""
    law = unit(steps, 0)
    found = []
    for t in range(1, DEPTH + 1):
        chance = epsilon * schedule(t)
        law = [(1 - chance) * p + chance * (law[k - 1] if k else 0) for k, p in enumerate(law)]
        found.append(sum(law, fmpq(0)))
    return found


def away_below(kernels: Iterator[Kernel], schedule: Schedule, bounds: Sequence[Sequence[fmpq]]) -> bool:
    """Whether 1 - P_i1 <= the bound of row i at every depth, for the rows from the second on."""
    n = len(bounds) + 1
    return all(
        1 - column[i] <= bounds[i - 1][T - 1]
        for T, column in columns(kernels, schedule, unit(n, 0))
        for i in range(1, n)
    )


@pytest.mark.parametrize("name", DIVERGENT)
@given(seed=SEEDS)
@few
def test_the_first_token_has_all_but_eta_by_the_depth_that_the_rate_predicts(name: str, seed: int) -> None:
    """1 - P_i1 <= P[PoissonBinomial(epsilon lambda_t) <= i - 2] at every depth, so all but eta once that is eta."""
    schedule, n, eta = DIVERGENT[name]
    bounds = [fewer_than(i, schedule, EPSILON) for i in range(1, n)]
    predicted = next(T for T, bound in enumerate(bounds[-1], start=1) if bound <= eta)
    assert n <= predicted <= DEPTH
    assert away_below(endlessly(n, seed, EPSILON), schedule, bounds)
    reached = dict(columns(endlessly(n, seed, EPSILON), schedule, unit(n, 0)))[predicted]
    assert min(reached) >= 1 - eta


@pytest.mark.parametrize("name", DIVERGENT)
def test_the_rate_is_sharp(name: str) -> None:
    """On a ladder it is an equation; one step fewer, or rows that give away more than they do, is refused."""
    schedule, n, _ = DIVERGENT[name]
    ladders = ladder(n, EPSILON)
    assert away_below(repeated(ladders), schedule, [fewer_than(i, schedule, EPSILON) for i in range(1, n)])
    assert not away_below(
        repeated(ladders), schedule, [fewer_than(max(i - 1, 1), schedule, EPSILON) for i in range(1, n)]
    )
    assert not away_below(
        repeated(ladders), schedule, [fewer_than(i, schedule, EPSILON * fmpq(101, 100)) for i in range(1, n)]
    )


@pytest.mark.parametrize("name", SUMMABLE)
def test_a_finite_sum_never_gets_there(name: str) -> None:
    schedule, _ = SUMMABLE[name]
    bound = fewer_than(1, schedule, fmpq(1))
    assert min(bound) > LIMITS[name]
    assert all(1 - c[1] > LIMITS[name] for _, c in columns(endlessly(3, 1, fmpq(0)), schedule, unit(3, 0)))


# --- powers of the layer --------------------------------------------------------------------------


def slow_bound(c: fmpq, T: int) -> arb:
    """(T + 1)^(-epsilon c)."""
    return (-(arb(EPSILON * c) * arb(T + 1).log())).exp()


def fast_bound(c: fmpq) -> arb:
    """exp(-c beta / ((1 - c)(beta - 1))) at beta = 2."""
    return (-arb(2 * c / (1 - c))).exp()


def kept(kernels: Iterator[Kernel], schedule: Schedule, n: int) -> list[arb]:
    """P_nn at every depth."""
    return [arb(column[n - 1]) for _, column in columns(kernels, schedule, unit(n, n - 1))]


@given(seed=SEEDS)
@few
def test_powers_on_both_sides_of_the_borderline(seed: int) -> None:
    """P_ii <= (T + 1)^(-epsilon c) for c/t; P_ii >= exp(-c beta / ((1 - c)(beta - 1))) for c/t^2."""
    c = fmpq(1 + seed % 3, 4)
    slow = kept(endlessly(3, seed, EPSILON), lambda t: c / t, 3)
    assert all(x < slow_bound(c, T) for T, x in enumerate(slow, start=1))
    assert all(x > fast_bound(c) for x in kept(endlessly(3, seed, fmpq(0)), lambda t: c / t**2, 3))


def test_the_powers_exchanged_are_refused() -> None:
    c = fmpq(1, 4)
    fast = kept(repeated(ladder(2, EPSILON)), lambda t: c / t**2, 2)
    assert any(x > slow_bound(c, T) for T, x in enumerate(fast, start=1))
    assert any(x < fast_bound(c) for x in kept(repeated(ladder(2, fmpq(1))), lambda t: c / t, 2))
