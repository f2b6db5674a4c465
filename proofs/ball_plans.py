"""Which boxes enclose which part: the sides, the integers, and the functions over balls on the sides.

Every coefficient lambda_t, or the time S or x, is a ball that covers one side of a box; what a claim takes as given of
other functions (E_t = exp(lambda_t (A_t - I)), the laws of U8) is computed from these balls, so it holds at each point.

Not covered: sides that reach 0, where both sides of the inequalities are 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial
from typing import Any

from flint import arb, arb_mat, fmpq

__all__ = ["BALL_PLANS", "BallPlan", "Region", "Side"]

Side = tuple[Fraction, Fraction]
Tables = dict[str, dict[tuple[int, ...], Any]]


@dataclass(frozen=True)
class Region:
    """A part (or one conjunct of it), the integers, the sides of the box, and the tables over balls on the sides."""

    part: str
    ints: tuple[tuple[str, int], ...]
    sides: tuple[Side, ...]
    tables: Callable[[Sequence[arb]], Tables]


@dataclass(frozen=True)
class BallPlan:
    """The regions, those of a quick check, and what the scope says of them."""

    regions: tuple[Region, ...]
    quick: tuple[Region, ...]
    scope: str
    quick_scope: str


# --- functions over balls ----------------------------------------------------------------------------------------


def _mixing(values: Sequence[arb]) -> Tables:
    return {"lambda": {(t,): x for t, x in enumerate(values, start=1)}}


def _steps(n: int) -> Callable[[Sequence[arb]], Tables]:
    """The uniform kernel in each layer, and exp(lambda_t (A - I)) as the family E."""

    def tables(values: Sequence[arb]) -> Tables:
        kernel = {(i, j): entry for (_, i, j), entry in _uniform(n, 1).items()}
        family: dict[tuple[int, ...], Any] = {}
        limits: dict[tuple[int, ...], Any] = {}
        for t, x in enumerate(values, start=1):
            generator = arb_mat(n, n, [x * (kernel[i, j] - (i == j)) for i, j in kernel])
            limit = generator.exp()
            family |= {(t, *at): entry for at, entry in kernel.items()}
            limits |= {(t, i, j): limit[i - 1, j - 1] for i, j in kernel}
        return {**_mixing(values), "A": family, "E": limits}

    return tables


def _uniform(n: int, layers: int) -> dict[tuple[int, ...], Any]:
    """The uniform kernel in every layer."""
    span = range(1, n + 1)
    return {(t, i, j): fmpq(1, i) if j <= i else fmpq(0) for t in range(1, layers + 1) for i in span for j in span}


def _same_weights(n: int) -> Callable[[Sequence[arb]], Tables]:
    """Weights that are all 1, with the coefficients."""
    return lambda values: {"w": {(j,): fmpq(1) for j in range(1, n + 1)}, **_mixing(values)}


def _leaving(n: int) -> Callable[[Sequence[arb]], Tables]:
    """epsilon, then the coefficients, with the uniform kernel, whose rows leave 1 - 1/k >= 1/2."""
    return lambda values: {"epsilon": {(): values[0]}, **_mixing(values[1:]), "A": _uniform(n, len(values) - 1)}


def _over(name: str) -> Callable[[Sequence[arb]], Tables]:
    return lambda values: {name: {(): values[0]}}


def _distances(last: int) -> Callable[[Sequence[arb]], Tables]:
    """rho, then the coefficients; L of the endless kernel and M of the Poisson law, each up to the distance ``last``.

    L_{s+1}(d) = (1 - rho lambda) L_s(d) + lambda (1 - rho) sum_{e<d} rho^(d-e) L_s(e): e = d taken together, so that
    lambda meets it once.
    """

    def tables(values: Sequence[arb]) -> Tables:
        rho, *mixing = values
        spent = sum(mixing, arb(0))
        laws = [[arb(d == 0) for d in range(last + 1)]]
        for x in mixing:
            below = laws[-1]
            moved = [sum((rho ** (d - e) * below[e] for e in range(d)), arb(0)) for d in range(last + 1)]
            laws.append([(1 - rho * x) * below[d] + x * (1 - rho) * moved[d] for d in range(last + 1)])
        return {
            **_mixing(mixing), "rho": {(): rho}, "S": {(): spent},
            "L": {(s, d): value for s, law in enumerate(laws) for d, value in enumerate(law)},
            "M": {(d,): _poisson(d, rho, rho * spent) for d in range(last + 1)},
        }  # fmt: skip

    return tables


def _poisson(d: int, rho: arb, spent: arb) -> arb:
    """M_d, with spent = rho S."""
    if d == 0:
        return arb(1)
    terms = (
        comb(d - 1, k) * (1 - rho) ** k * rho ** (d - 1 - k) * spent ** (k + 1) / factorial(k + 1) for k in range(d)
    )
    return (1 - rho) * sum(terms, arb(0))


def _box(low: Fraction, high: Fraction, count: int = 1) -> tuple[Side, ...]:
    return ((low, high),) * count


# --- the plans ---------------------------------------------------------------------------------------------------


_low, _one, _four = Fraction(1, 4), Fraction(1), Fraction(4)


def _series(last: int) -> tuple[Region, ...]:
    sizes = [(("n", 1), ("N", N)) for N in range(last + 1)]
    return tuple(Region(part, at, _box(_low, _four), _over("x")) for part in ("below", "missing") for at in sizes)


def _rates(size: int, depth: int) -> tuple[Region, ...]:
    sizes = [(n, r, T) for n in range(2, size + 1) for r in range(2, n + 1) for T in range(1, depth + 1)]
    epsilon = _box(Fraction(1, 8), _low)
    return tuple(
        Region("rate", (("n", n), ("r", r), ("T", T)), (*epsilon, *_box(Fraction(1, 2), _one, T)), _leaving(n))
        for n, r, T in sizes
    )


def _continuum(size: int, depth: int) -> tuple[Region, ...]:
    """From two layers on: with one the bounds are equations.  The upper one is near: one pair of layers, large ones."""
    sizes = [(n, T) for n in range(2, size + 1) for T in range(2, depth + 1)]

    def region(part: str, n: int, T: int, low: Fraction) -> Region:
        return Region(part, (("n", n), ("T", T)), _box(low, _one, T), _same_weights(n))

    return (
        *(region(part, n, T, Fraction(1, 2)) for part in ("lower", "error") for n, T in sizes),
        *(region("upper", n, 2, Fraction(3, 4)) for n in range(2, size + 1)),
    )


def _growth(last: int) -> tuple[Region, ...]:
    """Below the threshold, which is at least 2.4 from q = 2 on; above it both sides of the criterion are false."""
    sizes = [(("n", 1), ("T", 0), ("d", 0), ("u", 0), ("q", q)) for q in range(2, last + 1)]
    parts = ("continuous growth/if", "continuous growth/only if")
    return tuple(Region(part, at, _box(_low, Fraction(2)), _over("S")) for part in parts for at in sizes)


def _near_the_end(depth: int, last: int) -> tuple[Region, ...]:
    sizes = [(T, D) for T in range(1, depth + 1) for D in range(last + 1)]
    return tuple(
        Region(f"continuous depth/{part}", (("n", 1), ("T", T), ("D", D)),
               ((Fraction(1, 2), Fraction(3, 4)), *_box(Fraction(1, 2), _one, T)), _distances(D))
        for part in ("above", "below") for T, D in sizes
    )  # fmt: skip


def _just_deep_enough(row: int) -> Callable[[Sequence[arb]], Tables]:
    """Coefficients, the uniform kernel, gamma = 1/2, and the largest x with ln(r - 1) + x <= sum_t lambda_t / 2."""

    def tables(values: Sequence[arb]) -> Tables:
        half: dict[tuple[int, ...], Any] = {(t,): fmpq(1, 2) for t in range(1, len(values) + 1)}
        reached = sum(values, arb(0)) / 2 - arb(row - 1).log()
        return {**_mixing(values), "A": _uniform(row, len(values)), "gamma": half, "x": {(): reached}}

    return tables


def _depths(size: int, depth: int) -> tuple[Region, ...]:
    sizes = [(r, T) for r in range(2, size + 1) for T in range(1, depth + 1)]
    return tuple(
        Region(part, (("n", r), ("r", r), ("T", T)), _box(Fraction(1, 2), _one, T), _just_deep_enough(r))
        for part in ("deep enough", "uniform, deep enough") for r, T in sizes
    )  # fmt: skip


def _layers(depth: int, size: int) -> tuple[Region, ...]:
    depths = [(("n", 1), ("T", T)) for T in range(1, depth + 1)]
    parts = ("squares", "number of layers", "many layers")
    rows = [(("n", n), ("T", T)) for n in range(2, size + 1) for T in range(1, depth + 1)]
    return (
        *(Region(part, at, _box(_low, _one, at[1][1]), _mixing) for part in parts for at in depths),
        *(Region("layers", at, _box(_low, _one, at[1][1]), _steps(at[0][1])) for at in rows),
    )


def _moments(order: int, last: int, depth: int) -> tuple[Region, ...]:
    sizes = [(m, u) for m in range(1, order + 1) for u in range(last + 1)]
    depths = [(m, T) for m in range(1, order + 1) for T in range(1, depth + 1)]
    return (
        *(
            Region(f"moments/{part}", (("n", 1), ("T", 0), ("m", m), ("u", u)), _box(_low, _four), _over("S"))
            for part in ("below", "missing") for m, u in sizes
        ),
        *(
            Region(
                f"finite depth/{part}", (("n", 1), ("T", T), ("m", m), ("u", 0)), _box(_low, _one, T), _mixing
            )
            for part in ("below", "above") for m, T in depths
        ),
    )  # fmt: skip


BALL_PLANS: dict[str, BallPlan] = {
    "I5": BallPlan(
        _rates(3, 2), _rates(2, 2),
        "epsilon in [1/8, 1/4], lambda in [1/2, 1], the uniform kernel, n <= 3, T <= 2; part rate",
        "epsilon in [1/8, 1/4], lambda in [1/2, 1], the uniform kernel, n <= 2, T <= 2; part rate",
    ),
    "U5": BallPlan(
        _continuum(3, 3), _continuum(2, 2),
        "n <= 3; lambda in [1/2, 1], T = 2 and 3: parts lower / error; lambda in [3/4, 1], T = 2: part upper",
        "n <= 2; lambda in [1/2, 1], T = 2: parts lower / error; lambda in [3/4, 1], T = 2: part upper",
    ),
    "U7": BallPlan(
        _growth(4), _growth(2), "S in [1/4, 2], q = 2, 3 and 4; part continuous growth",
        "S in [1/4, 2], q = 2; part continuous growth",
    ),
    "U8": BallPlan(
        _near_the_end(3, 2), _near_the_end(1, 1),
        "rho in [1/2, 3/4], lambda in [1/2, 1], T <= 3, D <= 2; part continuous depth",
        "rho in [1/2, 3/4], lambda in [1/2, 1], T <= 1, D <= 1; part continuous depth",
    ),
    "I7": BallPlan(
        _depths(4, 2), _depths(2, 2),
        "lambda in [1/2, 1], the uniform kernel, n = r <= 4, T <= 2; parts deep enough / uniform, deep enough",
        "lambda in [1/2, 1], the uniform kernel, n = r <= 2, T <= 2; parts deep enough / uniform, deep enough",
    ),
    "C0": BallPlan(
        _series(2), _series(1), "x in [1/4, 4], N <= 2; parts below / missing",
        "x in [1/4, 4], N <= 1; parts below / missing",
    ),
    "C2": BallPlan(
        _layers(2, 3), _layers(1, 2),
        "lambda in [1/4, 1], T <= 2; parts squares / number of layers / many layers; layers for the uniform kernel, "
        "E_t = exp(lambda_t (A_t - I)), n <= 3",
        "lambda in [1/4, 1], T <= 1; parts squares / number of layers / many layers; layers for the uniform kernel, "
        "E_t = exp(lambda_t (A_t - I)), n <= 2",
    ),
    "C3": BallPlan(
        _moments(2, 1, 2), _moments(1, 1, 1),
        "S in [1/4, 4], u <= 1; lambda in [1/4, 1], T <= 2; m <= 2; parts moments / finite depth",
        "S in [1/4, 4], u <= 1; lambda in [1/4, 1], T <= 1; m <= 1; parts moments / finite depth",
    ),
}  # fmt: skip
