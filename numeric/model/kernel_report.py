"""What a run says of attention kernels: their means over samples, checked, and content, head by head."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.kernel_sums import SUMMED
from numeric.model.measured_kernel import KernelStatistics, kernel_statistics
from numeric.model.moments import Moments
from numeric.refuse import flag

if TYPE_CHECKING:
    from numeric.model.store import Store

__all__ = ["kernel_report", "mean_kernels"]

FloatArray = NDArray[np.float64]


def kernel_report(store: Store) -> tuple[dict[str, Any], dict[str, bytes | FloatArray]]:
    """The summary, layers, rows and positions from 1, and the files: kernels.npy, kernels_value_weighted.npy,
    kernels.csv, content.csv.

    Raises InputError for a layer without a finite kernel, and for a mean that is no kernel.
    """
    means = mean_kernels(store.sums)
    length = means["kernels"].shape[-1]
    # as for the kernel of one sample (`LayerAttention.slack`), of a softmax in single precision: several architectures
    # have that in a float64 model too. A mean in float64 adds nothing to it
    slack = (length + 2) * float(np.finfo(np.float32).eps) / 2
    found = [kernel_statistics(one, slack=slack, place=f"layer {t}") for t, one in enumerate(means["kernels"], start=1)]
    content, excluded = _content(store)
    files: dict[str, bytes | FloatArray] = {
        "kernels.npy": means["kernels"],
        "kernels_value_weighted.npy": means["value_weighted"],
        "kernels.csv": _layers(found),
        "content.csv": _heads(content),
    }
    return {**_summary(found), "excluded": excluded}, files


def mean_kernels(sums: Mapping[str, FloatArray], names: Sequence[str] = SUMMED) -> dict[str, FloatArray]:
    """(T, n, n) each, from sums over samples. Raises InputError for a layer of which no kernel is finite."""
    counts = sums["counts"]
    if not counts.all():
        raise flag("MODEL", "give finite kernels", "none in all samples", f"layer {int(counts.argmin()) + 1}")
    return {name: sums[name] / counts[:, None, None] for name in names}


def _content(store: Store) -> tuple[Moments, list[int]]:
    """Content over the samples all of whose kernels are finite; the numbers of the others."""
    content, excluded = Moments(), []
    for number, record in enumerate(store.records(), start=1):
        if np.isfinite(record["rollout"]).all():
            content.add(record["content"])
        else:
            excluded.append(number)
    return content, excluded


def _summary(found: Sequence[KernelStatistics]) -> dict[str, Any]:
    layer = max(range(len(found)), key=lambda t: found[t].defect)
    worst = found[layer].worst
    return {
        "row_defect": max(one.row_defect for one in found),
        "monotonicity_defect": found[layer].defect,
        "worst": None if worst is None else {"layer": layer + 1, "row": worst[0] + 1, "position": worst[1] + 1},
        "violations": sum(one.violations for one in found),
        "comparisons": sum(one.cells for one in found),
    }


def _layers(found: Sequence[KernelStatistics]) -> bytes:
    lines = ["layer,row_defect,monotonicity_defect,worst_row,worst_position,violations,comparisons"]
    for t, one in enumerate(found, start=1):
        cell = ("", "") if one.worst is None else one.worst
        lines.append(",".join(map(str, (t, one.row_defect, one.defect, *cell, one.violations, one.cells))))
    return ("\n".join(lines) + "\n").encode()


def _heads(content: Moments) -> bytes:
    lines = ["layer,head,on_diagonal,standard_error,off_diagonal,standard_error_off"]
    error = content.error
    for t, h in np.ndindex(content.mean.shape[:2]) if content.count else ():
        on, off = content.mean[t, h]
        if not math.isnan(on):  # a layer with fewer heads than others
            cells = (on, error[t, h, 0], off, error[t, h, 1])
            lines.append(",".join([str(t + 1), str(h + 1), *("" if x != x else repr(float(x)) for x in cells)]))
    return ("\n".join(lines) + "\n").encode()
