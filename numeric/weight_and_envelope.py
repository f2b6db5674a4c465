"""One recency weight and one primacy envelope for a whole profile: p_j = a [j = n] + w_j g_j (U1; 2602.16837).

The decomposition of U1 has a term w^h g^h for every head. Each envelope is taken as the share of its term at token 1,
and those of all heads are added up; the weight is what makes the product right:

    g_j = Σ_h s_h g^h_j / g^h_1,   s_h = Σ_j w^h_j g^h_j,        w_j = Σ_h w^h_j g^h_j / g_j

g is nonincreasing where every g^h is. For heads of one slope w is their weight up to a factor; for several it is a mean
of w^h_j g^h_1 / s_h with weights that fall at rates of their own, and need not rise. Heads with equal weights count as
one. Numeric here: all of it, by sums and quotients of nonnegative floats.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numeric.decomposition import Decomposition

__all__ = ["WeightAndEnvelope", "weight_and_envelope"]

FloatArray = NDArray[np.float64]


class WeightAndEnvelope(NamedTuple):
    """w and g, each (n,)."""

    recency: FloatArray
    primacy: FloatArray


def weight_and_envelope(found: Decomposition) -> WeightAndEnvelope | None:
    """The weight and the envelope of a float decomposition with its heads; None where no layer attends, where some
    head's weights are left out, or where the envelope underflows.

    >>> from numeric import Alibi, describe
    >>> parts = describe([Alibi(0.5)] * 2, 0.5, n=3).decomposition
    >>> w, g = weight_and_envelope(parts)
    >>> bool(w[2] > w[1] > w[0] and g[0] > g[1] > g[2])
    True
    """
    terms: dict[bytes, tuple[FloatArray, FloatArray]] = {}
    for head in found.heads:
        if head.weights is None or head.envelope is None:
            return None
        w = np.asarray(head.weights)
        _, before = terms.get(w.tobytes(), (w, np.zeros(w.size)))
        terms[w.tobytes()] = (w, before + np.asarray(head.envelope))
    held = [(w * g, g) for w, g in terms.values() if g[0] > 0]
    if not held:
        return None
    primacy = np.sum([part.sum() * (g / g[0]) for part, g in held], axis=0)
    if not (primacy > 0).all():
        return None
    return WeightAndEnvelope(np.sum([part for part, _ in held], axis=0) / primacy, primacy)
