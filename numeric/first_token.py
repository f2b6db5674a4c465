"""The share of token 1 at depth T, finite or ∞, and the smallest depth at which it reaches a goal.

For a kernel A shared by all layers every R_t is a polynomial in A, so the order of the layers does not matter and

    P^(T)_{n1} = E a_K,   a_k = (A^k)_{n1},   K ~ Poisson-binomial(λ_1, …, λ_T)      (C1),

nondecreasing in T because a is in k. With P(K = k) for k ≤ J, and h = lim a_k,

    Σ_{k≤J} P(K=k) a_k + P(K>J) a_J ≤ P^(T)_{n1} ≤ Σ_{k≤J} P(K=k) a_k + P(K>J) h.

So J kernel products serve every depth. The bound of I5 for kernels with 1 − A_ii ≥ ε, P[PB(ε λ_t) ≥ n − 1], is the same
expectation at rate ε for the walk that moves by one token a hop: `Staircase`.

Every comparison is decided by balls at growing precision or by rationals, otherwise it stays undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, Protocol

import flint

from numeric.ball import precision
from numeric.ball_kernel import Ball, to_ball
from numeric.endless import Endless
from numeric.exact import from_flint, to_flint
from numeric.hop_count import HopCount, quantile
from numeric.infinite_product import unit
from numeric.refuse import InputError

__all__ = ["DEEPEST", "Mass", "Search", "Staircase", "Walk", "smallest_depth"]

DEEPEST = 10**15  # layers: below 2^53, so that every reader of JSON keeps the number
RUNGS = ((128, 64), (384, 320), (1024, 960))  # bits, and bits to which the law of K is worth computing
HOP_TIME = 2.5e6  # microseconds, about, that the hops of one precision may take
MOST_HOPS = 2048
EFFORT = 5e6  # microseconds, about, that all comparisons of one search may take
EXACT_LAYERS, EXACT_WORK, EXACT_BITS = 300, 300_000, 20_000  # what an exact comparison may take


class Walk(Protocol):
    """What `Mass` needs of a kernel seen from row n."""

    @property
    def size(self) -> int: ...
    @property
    def cost(self) -> float: ...
    @property
    def bits(self) -> int: ...
    def hops(self, last: int) -> list[Ball]: ...
    def exact_hops(self, last: int) -> list[Fraction] | None: ...
    def end(self) -> Ball: ...


@dataclass(frozen=True)
class Staircase:
    """a_k = [k ≥ n − 1]: one token a hop, the slowest walk there is."""

    size: int
    cost: float = 0.1
    bits: int = 0

    def hops(self, last: int) -> list[Ball]:
        return [to_ball(x) for x in self.exact_hops(last)]

    def exact_hops(self, last: int) -> list[Fraction]:
        return [Fraction(1 if k >= self.size - 1 else 0) for k in range(last + 1)]

    def end(self) -> Ball:
        return to_ball(1)


@dataclass
class Mass:
    """E a_K for the walk and the layers of ``lam`` at a rate in [0, 1]."""

    lam: Endless
    walk: Walk
    rate: Fraction = Fraction(1)
    _counts: HopCount = field(init=False)
    _spent: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._counts = HopCount(self.lam, self.rate)

    @property
    def deepest(self) -> int:
        """The deepest layer that can be asked for with more than trivial bounds, at most `DEEPEST`."""
        return DEEPEST if self._counts.reach(DEEPEST) else min(DEEPEST, self.lam.explicit)

    def bounds(self, layers: int | None, bits: int = 64) -> tuple[Ball, Ball]:
        """Balls below and above E a_K at the current precision; None is ∞. Unknown layers may hold any λ_t."""
        if layers is None and self.lam.summable is False:
            return self.walk.end(), self.walk.end()
        if not self._counts.reach(layers):
            return self.bounds(self.lam.explicit, bits)[0], self.walk.end()
        last = self._last_hop(DEEPEST if layers is None else layers, bits)
        law, lost = self._counts.law(layers, last + 1, bits)
        self._spent += self._counts.effort(layers, last + 1)
        hops = self.walk.hops(last)
        known = sum((p * a for p, a in zip(law, hops, strict=True)), to_ball(0))
        beyond = unit(1 - sum(law, to_ball(0)))  # K > J, or lost among the others
        return known + unit(beyond - lost) * hops[-1], known + beyond * self.walk.end()

    def reaches(self, layers: int | None, goal: Fraction) -> bool | None:
        """Whether E a_K ≥ goal; None where neither balls nor rationals decide it, or all effort is spent."""
        # 1 − goal must be told from 0; where that is easy, the precision is one that is used elsewhere
        more = max(0, (goal.denominator // (goal.denominator - goal.numerator)).bit_length() - 20)
        for prec, bits in RUNGS:
            with precision(prec + more + self.lam.guard):
                if self._spent > EFFORT:
                    return None
                low, high = self.bounds(layers, bits + more)
                if low >= to_ball(goal):
                    return True
                if high < to_ball(goal):
                    return False
                if high - low > to_ball(Fraction(1, 1 << (more + 40))):  # more digits would not help
                    break
        exact = None if layers is None else self._exactly(layers)
        return None if exact is None else exact >= goal

    def _last_hop(self, layers: int, bits: int) -> int:
        """J: where the law of K has died out or the walk has arrived; a power of 2, so that products are kept."""
        if isinstance(self.walk, Staircase):
            return max(1, self.walk.size - 1)
        most = max(1, min(MOST_HOPS, int(HOP_TIME / self.walk.cost)))
        wanted, last, end = min(most, layers, quantile(self._counts.mean(layers), bits)), min(16, most), self.walk.end()
        small = to_ball(Fraction(1, 1 << bits))
        while last < wanted and not end - self.walk.hops(last)[-1] < small:
            last = min(most, 2 * last)
        return last

    def _exactly(self, layers: int) -> Fraction | None:
        """E a_K as a rational, where λ and the kernel are rational and the numbers do not grow too long."""
        if layers > EXACT_LAYERS or layers * self.walk.size**2 > EXACT_WORK:
            return None
        shares = _rational(self.lam, layers)
        if shares is None:
            return None
        bits = layers * self.walk.bits + sum((self.rate * share).denominator.bit_length() for share in shares)
        hops = self.walk.exact_hops(layers) if bits <= EXACT_BITS else None
        if hops is None:
            return None
        law = flint.fmpq_poly([1])
        for share in shares:
            y = to_flint(self.rate * share)
            law *= flint.fmpq_poly([1 - y, y])
        return from_flint(sum((p * to_flint(a) for p, a in zip(law.coeffs(), hops, strict=False)), flint.fmpq(0)))


@dataclass(frozen=True)
class Search:
    """layers : the smallest depth T, or None. outcome : found; never (proved); beyond (T > ``above``, as deep as was
    looked); undecided. In any case ``above`` < T, and T ≤ ``upto`` where that is known.
    """

    layers: int | None
    outcome: Literal["found", "never", "beyond", "undecided"]
    above: int
    upto: int | None = None


def smallest_depth(mass: Mass, goal: Fraction) -> Search:
    """The smallest T with E a_K ≥ goal, 0 < goal < 1: doubling, then bisection, since E a_K does not fall with T."""
    if mass.walk.size == 1:
        return Search(0, "found", -1, 0)
    if mass.lam.rule is not None and mass.reaches(None, goal) is False:
        return Search(None, "never", mass.deepest)
    low, high, deepest = 0, 1, mass.deepest  # at depth 0 token n has all the mass
    while (answer := mass.reaches(min(high, deepest), goal)) is not True:
        low = min(high, deepest) if answer is False else low
        if high >= deepest:
            return Search(None, "undecided" if answer is None else "beyond", low)
        high *= 2
    high = min(high, deepest)
    while high - low > 1:
        middle = (low + high) // 2
        answer = mass.reaches(middle, goal)
        if answer is None:
            return Search(None, "undecided", low, high)
        low, high = (low, middle) if answer else (middle, high)
    return Search(high, "found", low, high)


def _rational(lam: Endless, layers: int) -> Sequence[Fraction] | None:
    """λ_1 … λ_layers where they are rational."""
    listed = lam.head[:layers]
    if len(listed) == layers:
        return listed
    try:
        return listed + (lam.rule.exact(layers)[len(listed) :] if lam.rule is not None else ())
    except InputError:
        return None
