"""How far the kernels of single samples are from their mean: a = max_i Σ_j |A_ij − Ā_ij|, per sample and layer.

    deviations.npy     (K, T), NaN where a sample's kernel is not finite

It is what a bound on the cost of averaging kernels (X1) asks for. The mean is known only when every sample is
there, so each is shown to the model once more, attention alone. An interruption begins this anew; a run that is
complete only reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.files import open_atomically
from numeric.model.attention import LayerAttention, attention_of
from numeric.model.kernel_report import mean_kernels
from numeric.model.report import DEVIATIONS
from numeric.refuse import flag, shown

if TYPE_CHECKING:
    from numeric.model.loading import Loaded
    from numeric.model.store import Store
    from numeric.model.text import Samples

__all__ = ["deviations_of", "keep_deviations", "read_deviations"]

FloatArray = NDArray[np.float64]


def deviations_of(loaded: Loaded, ids: Any, means: FloatArray) -> FloatArray:
    """(B, T) for ids (B, n) and mean kernels (T, n, n)."""
    found = np.empty((len(ids), len(means)))

    def visit(layer: LayerAttention) -> None:
        mean = means[layer.layer - 1]
        for s, kernel in enumerate(layer.mean()):
            found[s, layer.layer - 1] = np.abs(kernel - mean).sum(axis=1).max()

    attention_of(loaded, ids, visit, content=False)
    return found


def keep_deviations(loaded: Loaded, samples: Samples, store: Store, batch: int) -> None:
    """Writes the file of a run all of whose samples are measured; one that is there is checked and stays."""
    shape = (samples.count, len(loaded.blocks))
    path = store.folder / DEVIATIONS
    if path.exists():
        read_deviations(path, shape, "--out")
        return
    means = mean_kernels(store.sums, ["kernels"])["kernels"]
    found = [
        deviations_of(loaded, samples.batch(first, min(first + batch, samples.count)), means)
        for first in range(0, samples.count, batch)
    ]
    with open_atomically(path, "--out") as out:
        np.save(out, np.concatenate(found), allow_pickle=False)


def read_deviations(path: Any, shape: tuple[int, int], name: str) -> FloatArray:
    """The array of a file. Raises InputError, of the argument ``name``, for one that is damaged."""
    try:
        found = np.load(path, allow_pickle=False)
        whole = found.shape == shape and found.dtype == np.float64 and not (found < 0).any()
    except Exception:  # NumPy fails in many ways
        whole = False
    if not whole:
        raise flag(name, "hold whole deviations", f"a damaged {DEVIATIONS}", shown(str(path.parent)))
    return np.asarray(found)
