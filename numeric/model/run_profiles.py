"""What each theory predicts for the samples of a measured run, profile by profile, beside what was measured.

                                        kernels A_t                                    λ_t
    attention only, architectural       of queries and keys 0                          1
    half, architectural                 of queries and keys 0                          ½
    residual, paper slopes              ALiBi with m_h = 2^(−8h/H), as in the paper    measured
    residual, architectural             of queries and keys 0, as audited              measured
    residual, architectural, by position   the same                                    measured, row i with λ_t(i)
    residual, content                   the same, with measured content head by head   measured
    attention only, half, residual, residual, by position    measured, of each sample, averaged over heads
    residual, value-weighted            measured, weighed by the size of what is moved
    residual, mean kernel               the mean over samples, with the mean λ: one profile for all samples
    second moments                      `numeric.model.predicting`, from a prediction in the same folder

λ_t is each sample's own, the mean over its positions. Every profile is a last row of R_T ⋯ R_1 divided by its sum (rows
of measured kernels sum to 1 up to single precision). What a folder lacks is left out, with the reason. Theory S1, L1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.moments import fault
from numeric.model.run_architecture import ARCHITECTURAL, UNMIXED, Predict, architectural
from numeric.model.run_folder import NO_KERNELS, OLDER, RunFolder
from numeric.model.run_kernels import RunKernels
from numeric.refuse import InputError

__all__ = ["MEAN_KERNEL", "RECORDED", "SECOND_MOMENTS", "VARIANTS", "RunProfiles", "run_profiles"]

FloatArray = NDArray[np.float64]
RECORDED = {
    "attention only": "attention_only", "half": "half", "residual": "rollout", "residual, by position": "by_position",
    "residual, value-weighted": "value_weighted",
}  # fmt: skip
MEAN_KERNEL, SECOND_MOMENTS = "residual, mean kernel", "second moments"
VARIANTS = (*ARCHITECTURAL, *RECORDED, MEAN_KERNEL, SECOND_MOMENTS)
SAME = (("model", "config_sha256"), ("model", "weights_sha256"), ("model", "random_init"), ("input", "ids_sha256"))


@dataclass(frozen=True, eq=False)
class RunProfiles:
    """measured : (K, n) and predicted : by name, (K, n), in the order of `VARIANTS`; each row of sum 1.

    fixed : names of those whose rows are one profile, whatever the samples. left_out : why, by name. numbers : the
    samples that are compared, from 1; excluded : the others, and why. mixing : (K, T), their λ.
    """

    measured: FloatArray
    predicted: dict[str, FloatArray]
    fixed: frozenset[str]
    left_out: dict[str, str]
    numbers: tuple[int, ...]
    excluded: tuple[tuple[int, str], ...]
    mixing: FloatArray


def run_profiles(run: RunFolder, kernels: RunKernels | str) -> RunProfiles:
    """kernels : the means of the run's kernels, or why there are none.

    Every variant is of the same samples: those with influence, λ and, where any sample has them, rollouts that are
    finite. Raises InputError where there is none.
    """
    rows = _Rows(run)
    for record in run.records():
        rows.add(record)
    used, excluded = rows.usable()
    if not used:
        raise run.lacking("a sample with finite, nonzero influence and finite lambda", "none")
    found, left_out = rows.predicted(used), rows.left_out
    mean = _mean_kernel(kernels, run.measured, len(used))
    for name, one in ((MEAN_KERNEL, mean), (SECOND_MOMENTS, _second_moments(run))):
        if isinstance(one, str):
            left_out[name] = one
        else:
            found[name] = one[used]
    shares = _shares(found, left_out)
    norms = np.array([rows.norms[s] for s in used])
    return RunProfiles(
        norms / norms.sum(axis=1, keepdims=True), shares, frozenset({*UNMIXED, MEAN_KERNEL} & set(shares)),
        {name: left_out[name] for name in VARIANTS if name in left_out}, tuple(s + 1 for s in used), excluded,
        np.array([rows.mixing[s] for s in used]),
    )  # fmt: skip


def _shares(found: dict[str, FloatArray], left_out: dict[str, str]) -> dict[str, FloatArray]:
    """Each row divided by its sum; ``left_out`` is told of what has no such rows."""
    shares: dict[str, FloatArray] = {}
    for name in VARIANTS:
        if name in found:
            rows, totals = found[name], found[name].sum(axis=1, keepdims=True)
            if np.isfinite(totals).all() and (rows >= 0).all() and (totals > 0).all():
                shares[name] = rows / totals
            else:
                left_out[name] = "in some sample it is not finite, or negative, or zero"
    return shares


class _Rows:
    """What the records say, collected one by one."""

    def __init__(self, run: RunFolder) -> None:
        self.left_out: dict[str, str] = {}
        self.norms: list[FloatArray] = []
        self.mixing: list[FloatArray] = []
        self.rollouts: dict[str, list[FloatArray]] = {}
        for name, field in RECORDED.items():
            if field in (run.kind.names or ()):
                self.rollouts[name] = []
            else:
                self.left_out[name] = OLDER if run.kernels else NO_KERNELS
        self.architectural = architectural(run, self.left_out)
        self.computed: dict[str, list[FloatArray | None]] = {name: [] for name in self.architectural}

    def add(self, record: Any) -> None:
        self.norms.append(record["influence"].copy())
        self.mixing.append(record["mixing"].mean(axis=1))
        for name, rows in self.rollouts.items():
            rows.append(record[RECORDED[name]].copy())
        for name, predict in self.architectural.items():
            if name not in self.left_out:
                self._compute(name, predict, record)

    def _compute(self, name: str, predict: Predict, record: Any) -> None:
        if not np.isfinite(self.mixing[-1]).all():
            self.computed[name].append(None)  # a sample that no variant is compared in
            return
        try:
            self.computed[name].append(predict(record))
        except InputError as error:  # such as content beyond what an exponential can take
            self.left_out[name] = f"sample {int(record['sample']) + 1}: {error}"

    def usable(self) -> tuple[list[int], tuple[tuple[int, str], ...]]:
        """The samples that are compared, from 0, and the others, from 1, with the reason."""
        finite = [all(np.isfinite(rows[s]).all() for rows in self.rollouts.values()) for s in range(len(self.norms))]
        if not any(finite):  # not one sample: it is the kernels that are left out
            self.left_out.update(dict.fromkeys(self.rollouts, "no sample has finite kernels"))
            finite = [True] * len(finite)
        told = [self._why(s, finite[s]) for s in range(len(self.norms))]
        used = [s for s, why in enumerate(told) if why is None]
        return used, tuple((s, why) for s, why in enumerate(told, start=1) if why is not None)

    def _why(self, s: int, finite: bool) -> str | None:
        """Why a sample is not compared, None of one that is."""
        reason = fault(self.norms[s])
        if reason is not None:
            return "influence all zero" if reason == "zero" else f"influence {reason}"
        with np.errstate(over="ignore"):
            if not np.isfinite(self.norms[s].sum()):
                return "influence too large for a sum"
        if not np.isfinite(self.mixing[s]).all():
            return "lambda not finite"
        return None if finite else "kernels not finite"

    def predicted(self, used: Sequence[int]) -> dict[str, FloatArray]:
        """(K, n) of the samples that are used, by name."""
        everything: dict[str, Any] = {**self.computed, **self.rollouts}
        return {
            name: np.array([rows[s] for s in used]) for name, rows in everything.items() if name not in self.left_out
        }


# --- beside the records -----------------------------------------------------------------------------------------------


def _mean_kernel(kernels: RunKernels | str, count: int, used: int) -> FloatArray | str:
    if isinstance(kernels, str):
        return kernels
    if used < count:
        return f"the mean kernel is of all {count} samples, and {used} of them are compared"
    return np.tile(kernels.rollout(), (count, 1))


def _second_moments(run: RunFolder) -> FloatArray | str:
    """(samples, n) of a prediction for the same samples, or why there is none."""
    facts = run.json("prediction.json")
    if facts is None:
        return "the folder has no prediction: posbias predict --out writes one there"
    for part, key in SAME:
        told = facts.get(part)
        if not isinstance(told, dict):
            raise run.damaged("prediction.json")
        if told.get(key) != run.manifest[part].get(key):
            return f"the prediction in the folder is of another {part} ({key})"
    found = run.array("prediction.npy", (run.asked, run.length))
    return "the folder has a prediction.json and no prediction.npy" if found is None else np.asarray(found)
