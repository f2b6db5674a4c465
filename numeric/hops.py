"""The law of K, the number of attending layers: Poisson-binomial, P(K = k) = [x^k] Π_t (1 − λ_t + λ_t x).

With one shared kernel A the rollout is E[A^K] (C1; arXiv:2602.16837): K counts the hops of a path. E K = S =
Σ λ_t, Var K = Σ λ_t (1 − λ_t). By convention T = 0 gives P(K = 0) = 1.

Exact here: rationals, by `poisson_binomial`; balls are enclosures. Numeric here: `hop_law` adds nonnegative products
only, so an entry errs relatively by at most 4T · 2^−53; what falls below 1e−300 at either end counts as 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.refuse import flag, several
from numeric.schedule import Mixing, mixing_values

__all__ = ["hop_law", "poisson_binomial"]

Value = Any  # a number of any kind
_LEAST = 1e-300  # smaller probabilities at the ends would cost T² steps in slow subnormal numbers


def hop_law(lam: Mixing, *, layers: int | None = None) -> NDArray[np.float64]:
    """(P(K = 0), …, P(K = T)) as float64 (T + 1,). lam : (T,) in [0, 1], or a number or schedule with ``layers`` given.

    >>> hop_law([0.5, 0.25])
    array([0.375, 0.5  , 0.125])
    """
    if layers is None:
        if not several(lam):
            raise flag("layers", "be given when lam is one number or a schedule", "left out")
        layers = len(lam)  # type: ignore[arg-type]
    law, first = np.ones(1), 0  # law[k − first] = P(K = k)
    for share in mixing_values(lam, layers).tolist():
        longer = np.zeros(law.size + 1)
        longer[:-1] = (1 - share) * law
        longer[1:] += share * law
        kept = np.flatnonzero(longer >= _LEAST)
        law, first = longer[kept[0] : kept[-1] + 1], first + int(kept[0])
    out = np.zeros(layers + 1)
    out[first : first + law.size] = law
    return out


def poisson_binomial(shares: Sequence[Value], zero: Value, stays: Sequence[Value] | None = None) -> tuple[Value, ...]:
    """The same for rationals or balls λ_1 … λ_T; ``zero`` is 0 as a number of their kind.

    stays : 1 − λ_t, where it is known better than the rounded λ_t gives it.
    """
    law = [zero + 1]
    for share, stay in zip(shares, [1 - x for x in shares] if stays is None else stays, strict=True):
        kept = [stay * x for x in law]
        law = [x + share * y for x, y in zip([*kept, zero], [zero, *law], strict=True)]
    return tuple(law)
