"""How long the last row of a rollout takes by four routes, on the same work, in one run, with outputs compared.

plain    n × n matrices per layer and head, averaged, mixed with I and multiplied: what one writes first
lfilter  one call of scipy.signal.lfilter per layer and head, for the row recursion v ↦ vA
numpy    `numeric.sweep.sweep`
profile  `numeric.profile.profile` as it is called, its checks included

The work has BLOOM-176B's shape unless told otherwise: T = 70 layers of H = 112 heads, slopes 2^(−8h/H), contents per
layer and head, λ per layer. Ratios of one run carry over to other machines, seconds do not. A time is the least of
some repeats, as many as fit into half a second if those are more, or the only one where it is longer than that; after
a call that is not timed.
"""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numeric.alibi_stack import AlibiStack, alibi_stack, geometric_sums
from numeric.kernel import Alibi
from numeric.profile import profile
from numeric.sweep import suited, sweep

__all__ = [
    "AGREE", "GROWTH", "LENGTHS", "Timing", "Work", "by_filters", "chosen", "exponent", "growth_lengths", "memory",
    "plain", "routes_for", "timings",
]  # fmt: skip

FloatArray = NDArray[np.float64]
Route = Callable[["Work", int], FloatArray]

AGREE = 1e-12  # what routes may differ by: roundings come to 70 · 2 · 256 · 2^−53 = 4e−12 if all went the same way, and
# to the square root of their number, 2e−14, if they do not; a formula that differs differs by more
ROUTES = ("plain", "lfilter", "numpy", "profile")
LENGTHS = (256, 4096, 131_072)
GROWTH = (4096, 16_384, 65_536, 262_144, 1_048_576)
PATIENCE = 0.5  # seconds after which one run is enough
# entries of all matrices, and positions of all heads, beyond which a route would take minutes
MOST_ENTRIES, MOST_FILTERED, MOST_STEPS = 10**9, 2 * 10**9, 1 << 15


@dataclass(frozen=True)
class Work:
    """T layers of H ALiBi heads: slopes (heads,), content (layers, heads), lam (layers,); the same every time."""

    layers: int = 70
    heads: int = 112

    @property
    def slopes(self) -> FloatArray:
        return np.asarray(2.0 ** (-8 * np.arange(1, self.heads + 1) / self.heads))

    @property
    def content(self) -> FloatArray:
        return np.random.default_rng(0).normal(scale=2.0, size=(self.layers, self.heads))

    @property
    def lam(self) -> FloatArray:
        return np.random.default_rng(1).uniform(0.05, 0.5, self.layers)

    @property
    def kernels(self) -> list[Alibi]:
        """Layer 1 first."""
        return [Alibi(self.slopes, content) for content in self.content]


@dataclass(frozen=True)
class Timing:
    """One route at one n: the least of ``repeats`` times, and how far its row is from the first route's at that n."""

    n: int
    route: str
    seconds: float
    repeats: int
    difference: float


# --- routes ---------------------------------------------------------------------------------------------------------


def plain(work: Work, n: int) -> FloatArray:
    """The last row of R_T ⋯ R_1 from softmax matrices, head by head."""
    distance = np.arange(n)[:, None] - np.arange(n)[None, :]
    rollout = np.eye(n)
    for content, lam in zip(work.content, work.lam, strict=True):
        average = np.zeros((n, n))
        for slope, own in zip(work.slopes, content, strict=True):
            logits = np.where(distance >= 0, -slope * distance + own * np.eye(n), -np.inf)
            weights = np.exp(logits - logits.max(axis=1, keepdims=True))
            average += weights / weights.sum(axis=1, keepdims=True)
        rollout = ((1 - lam) * np.eye(n) + lam / work.heads * average) @ rollout
    return np.asarray(rollout[-1])


def by_filters(work: Work, n: int) -> FloatArray:
    """One first-order filter u_j = q u_{j+1} + x_{j+1} per layer and head; S_i = Σ_{r<i} q^r once per head."""
    from scipy.signal import lfilter

    sums = geometric_sums(work.slopes[None, :], 0, n)[0].T.copy()
    v = np.zeros(n)
    v[-1] = 1.0
    for content, lam in zip(work.content[::-1], work.lam[::-1], strict=True):
        row = np.zeros(n)
        for slope, own, s in zip(work.slopes, content, sums, strict=True):
            q, e = math.exp(-slope), math.exp(own)
            x = v / (e + q * s)
            row += e * x
            row[:-1] += q * lfilter([1.0], [1.0, -q], x[:0:-1])[::-1]
        v = (1 - lam) * v + lam / work.heads * row
    return v


def _prepared(route: str, work: Work) -> Callable[[int], FloatArray]:
    """The route as a function of n; kernels are value objects that exist before their profile is asked for."""
    if route in ("plain", "lfilter"):
        function: Route = plain if route == "plain" else by_filters
        return lambda n: function(work, n)
    kernels, lam = work.kernels, work.lam
    if route == "profile":
        return lambda n: profile(kernels, lam, n=n)
    return lambda n: sweep(_stack(kernels, lam, n), n)


def _stack(kernels: list[Alibi], lam: FloatArray, n: int) -> AlibiStack:
    stack = alibi_stack(kernels, lam.tolist(), n)
    assert stack is not None  # ALiBi heads, λ ≥ 0.05
    return stack


# --- measuring ------------------------------------------------------------------------------------------------------


def routes_for(work: Work, n: int) -> tuple[str, ...]:
    """The routes that take less than about a minute at this length."""
    heads = work.layers * work.heads
    slow = {"plain": heads * n * n > MOST_ENTRIES, "lfilter": heads * n > MOST_FILTERED, "numpy": n > MOST_STEPS}
    return tuple(route for route in ROUTES if not slow.get(route, False))


def timings(work: Work, n: int, routes: tuple[str, ...], repeats: int) -> Iterator[Timing]:
    """Times the routes at one length, the first being the one that the others are compared with."""
    expected: FloatArray | None = None
    for route in routes:
        function = _prepared(route, work)
        function(n if route in ("numpy", "profile") else 1)  # loads or compiles what it needs
        p, seconds, times = _timed(function, n, repeats)
        expected = p if expected is None else expected
        yield Timing(n, route, seconds, times, float(np.abs(p - expected).max()))


def _timed(function: Callable[[int], FloatArray], n: int, repeats: int) -> tuple[FloatArray, float, int]:
    """The row, the least time, and how many times were taken."""
    best, spent, times = math.inf, 0.0, 0
    while times == 0 or (best <= PATIENCE and (times < repeats or spent < PATIENCE)):
        start = time.perf_counter()
        p = function(n)
        last = time.perf_counter() - start
        best, spent, times = min(best, last), spent + last, times + 1
    return p, best, times


def exponent(times: list[tuple[int, float]]) -> float:
    """b in t ~ n^b between the first and the last of (n, t).

    >>> exponent([(10, 1.0), (1000, 100.0)])
    1.0
    """
    (first, start), (last, end) = times[0], times[-1]
    return math.log(end / start) / math.log(last / first)


def memory(work: Work, n: int) -> int:
    """Bytes that `profile` allocates at most at one time, its result included."""
    call = _prepared("profile", work)
    call(n)
    tracemalloc.start()
    try:
        call(n)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def chosen(work: Work, n: int) -> str:
    """How `profile` does this work: "compiled", "numpy" or "rows"."""
    found = suited(_stack(work.kernels, work.lam, n), n)
    return "rows" if found is None else "numpy" if found is sweep else "compiled"


def growth_lengths(sweep_name: str) -> tuple[int, ...]:
    """Lengths at which growth is measured; NumPy takes a minute beyond these."""
    return GROWTH if sweep_name == "compiled" else GROWTH[:3]
