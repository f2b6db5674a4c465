"""n p_j of the uniform kernel beside its limit as n → ∞ at x = j/n: U5 for any law of K, C3 at continuous depth.

    U5   n p_j → f(x) = Σ_{k≥1} P(K = k) (−ln x)^{k−1} / (k − 1)!,  0 < x < 1, and an atom P(K = 0) at x = 1
    C3   K ~ Poisson(S): f(x) = e^{−S} √(S/L) I_1(2 √(S L)), L = −ln x, I_1 the modified Bessel function

arXiv:2602.16837. Numeric here: everything, in floats. Not covered: slopes other than 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.hop_laws import MOST_DEPTH, Hops, Poisson
from numeric.hop_mixture import mixture_profile
from numeric.phase import MOST_LENGTH, checked_axis, law_at
from numeric.refuse import positions, refusal, vector

__all__ = ["Continuum", "bessel_density", "continuum", "hop_density"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Continuum:
    """At depth S: ``scaled`` = n p_j, (n,), and ``limit`` = f(j/n), (n,), where its last entry, x = 1, leaves out the
    atom P(K = 0).
    """

    depth: float
    atom: float
    scaled: Floats
    limit: Floats

    @property
    def gap(self) -> tuple[float, int]:
        """The largest |n p_j − f(j/n)| / f(j/n) over n/10 ≤ j ≤ 9n/10, and the position j (from 0) where it is."""
        n = self.limit.size
        inner = np.arange(-(-n // 10) - 1, 9 * n // 10)
        gaps = np.abs(self.scaled[inner] / self.limit[inner] - 1)
        return float(gaps.max()), int(inner[gaps.argmax()])


def continuum(depths: Sequence[float], *, n: int, layers: int | None) -> tuple[Continuum, ...]:
    """Profiles of the uniform kernel and their limits, for effective depths S > 0, increasing.

    layers : T layers of λ = S/T, S ≤ T; None is continuous depth. n : from 2 to 2048. Raises InputError.

    >>> shallow, = continuum([2.0], n=256, layers=None)
    >>> round(shallow.gap[0], 3)
    0.019
    """
    if not 2 <= positions(n) <= MOST_LENGTH:
        raise refusal("n", f"lie in [2, {MOST_LENGTH}]", n)
    found = []
    for depth in checked_axis(depths, "depths", 0, MOST_DEPTH if layers is None else layers):
        if depth == 0:
            raise refusal("depths", "be positive", depth)
        law = law_at(depth, layers)
        x = np.arange(1, n + 1) / n
        limit = bessel_density(depth, x) if layers is None else hop_density(law, x)
        found.append(Continuum(depth, float(law.floats(0)[0]), n * mixture_profile(0.0, law, n=n), limit))
    return tuple(found)


def hop_density(law: Hops, x: ArrayLike) -> Floats:
    """U5's f at x : (points,) in (0, 1], for a law of K that ends (`Binomial`).

    >>> from numeric.hop_laws import Binomial
    >>> hop_density(Binomial(2, 0.5), [1.0]).tolist()
    [0.5]
    """
    if law.most is None:
        raise refusal("law", "have a largest number of hops", law)
    minus_log = -np.log(_inner(x))
    terms = max(1, law.most)
    # (−ln x)^{k−1} / (k − 1)!, each from the one before
    factors = minus_log[:, None] / np.arange(1, terms)
    powers = np.cumprod(np.concatenate([np.ones((minus_log.size, 1)), factors], axis=1), axis=1)
    return np.asarray(powers @ law.floats(terms)[1:])


def bessel_density(depth: float, x: ArrayLike) -> Floats:
    """C3's f at x : (points,) in (0, 1], S = ``depth`` in (0, 600]. At x = 1 it is S e^{−S}.

    >>> bessel_density(1.0, [1.0]).tolist()
    [0.36787944117144233]
    """
    from scipy.special import ive

    depth = Poisson(depth).depth
    minus_log = -np.log(_inner(x))
    z = 2 * np.sqrt(depth * minus_log)
    # √(S/L) I_1(z) = 2 S I_1(z)/z, and I_1(z) = e^z ive(1, z); at z = 0 the quotient is 1/2
    share = np.where(z > 0, ive(1, z) / np.where(z > 0, z, 1), 0.5)
    return np.asarray(2 * depth * share * np.exp(z - depth))


def _inner(x: ArrayLike) -> Floats:
    points = vector(x, "x")
    if points.min() <= 0 or points.max() > 1:
        at = int(np.argmax((points <= 0) | (points > 1)))
        raise refusal("x", "lie in (0, 1]", points[at], f"entry {at + 1}, counted from 1")
    return points
