"""The exhaustive evidence in a certificate: for each part and n, how many layers, composites and inequalities.

    {"D1/bottom": {"up to": 6, "sizes": [[n, layers, composites, inequalities, strict], ...], "layers": [...]}}

For layers that are vertices (maps f(i) <= i, positions from 0 here as in arrays; the lower of two architectures first)
the composites are all that products of any number of them reach, so that every T is covered.  Counted by array
operations from vertices.py; recheck.py enumerates them again from the definition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs.recheck import LISTED, VERTICES
from proofs.vertices import causal_maps, composites, map_pairs, monotone_maps

__all__ = ["known_parts", "vertex_entries"]

Ints = NDArray[np.int64]


def known_parts(statement_id: str) -> list[str]:
    """The labels of the parts for which the second opinion knows the vertices."""
    return [label for label in VERTICES if label.split("/")[0] == statement_id]


def vertex_entries(statement_id: str, up_to: int) -> dict[str, Any]:
    """An entry for each part, for n = 1, ..., ``up_to``."""
    return {
        label: {
            "up to": up_to,
            "sizes": [_counts(*VERTICES[label], n) for n in range(1, up_to + 1)],
            "layers": sorted((_layers(VERTICES[label][0], LISTED) + 1).tolist()),
        }
        for label in known_parts(statement_id)
    }


def _layers(kind: str, n: int) -> Ints:
    """Pairs of maps, shape (layers, 2, n), the identity among them."""
    monotone, causal = monotone_maps(n), causal_maps(n)
    still = np.arange(n)[None]
    match kind:
        case "none":
            return np.stack([still, still], axis=1)
        case "monotone":
            return np.stack([monotone, monotone], axis=1)
        case "any":
            return np.stack([causal, np.repeat(still, len(causal), axis=0)], axis=1)
        case "ordered":
            return np.unique(np.concatenate([map_pairs(n, "lower"), map_pairs(n, "upper")]), axis=0)
    alike = np.stack([monotone, monotone], axis=1)  # coefficients (1, 1)
    apart = np.stack([monotone, np.repeat(still, len(monotone), axis=0)], axis=1)  # coefficients (1, 0)
    return np.unique(np.concatenate([alike, apart]), axis=0)  # coefficients (0, 0) are a layer that does nothing


def _counts(kind: str, asserted: str, n: int) -> list[int]:
    layers = _layers(kind, n)
    states = composites(layers).states
    lower, upper = states[:, 0], states[:, 1]
    match asserted:
        case "rising":
            pairs = np.stack([lower[:, :-1], upper[:, 1:]])
        case "rows":
            pairs = np.stack([lower, upper])
        case "top row":
            pairs = np.stack([lower, np.repeat(upper[:, -1:], n, axis=1)])
        case _:
            j, i = np.tril_indices(n)
            pairs = np.stack([lower[:, i], upper[:, j]])
    return [n, len(layers), len(states), pairs[0].size, int((pairs[0] < pairs[1]).sum())]
