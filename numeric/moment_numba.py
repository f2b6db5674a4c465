"""Σ_h s_h² A_hᵀ G A_h for prefix heads as compiled loops: two passes of one recurrence over rows, O(n²) per head.

    X = AᵀG:   X_j = A_jj G_j + w_j U_j,   U_{j−1} = q U_j + c_j G_j       (rows of G; A_ij = c_i q^{i−j−1} w_j, j < i)

and again with the rows of Xᵀ. Loaded only where numba, the extra ``fast``, is installed; `numeric.second_moment` has
the same sum in NumPy. Numeric here: U is rounded at each of n steps, and q^k errs by k roundings.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numeric.jit import compiled

__all__ = ["products"]

FloatArray = NDArray[np.float64]


def _pass(
    rows: FloatArray, diagonal: FloatArray, off: FloatArray, weights: FloatArray, q: float, carried: FloatArray,
    out: FloatArray,
) -> None:  # fmt: skip
    """out = Aᵀ rows, for the prefix kernel of one head."""
    carried[:] = 0.0
    for j in range(len(rows) - 1, -1, -1):
        for k in range(len(rows)):
            out[j, k] = diagonal[j] * rows[j, k] + weights[j] * carried[k]
            carried[k] = q * carried[k] + off[j] * rows[j, k]


# contract: a product and a sum may become one rounding; nothing is reordered
_one_pass = compiled(_pass, fastmath={"contract"})


def _products(
    found: FloatArray, diagonal: FloatArray, off: FloatArray, weights: FloatArray, q: FloatArray, gains: FloatArray
) -> FloatArray:
    """found : G (n, n), symmetric. diagonal A_ii, off c_i, weights w_j : (heads, n). q, gains : (heads,)."""
    n = len(found)
    total, first, second = np.zeros((n, n)), np.empty((n, n)), np.empty((n, n))
    carried = np.empty(n)
    for h in range(len(gains)):
        _one_pass(found, diagonal[h], off[h], weights[h], q[h], carried, first)
        _one_pass(first.T.copy(), diagonal[h], off[h], weights[h], q[h], carried, second)
        for j in range(n):
            for k in range(n):
                total[j, k] += gains[h] * second[j, k]
    return total


products = compiled(_products, fastmath={"contract"})
