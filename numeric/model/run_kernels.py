"""The mean kernels of a measured run: their rollout, what averaging costs, how far drift may fail, and sinks.

    ½ ‖E P − Q‖₁ ≤ ½ (Σ_{s<t} E b_s b_t + Σ_t c_t)

P = R_T ⋯ R_1 of a sample, Q the product of (1 − l_t) I + l_t M_t, l_t = E λ_t, M_t = E A_t, E the mean over samples;

    a_t = ‖A_t − M_t‖,     c_t = E |λ_t − l_t| a_t,     b_t = λ_t a_t + |λ_t − l_t| ‖M_t − I‖ + c_t,

norms being largest sums of a row. For R_t − E R_t = λ_t (A_t − M_t) + (λ_t − l_t)(M_t − I) − C_t with the covariance
C_t = E (λ_t − l_t)(A_t − M_t), ‖C_t‖ ≤ c_t: X1 bounds the distance to the product of the mean layers, and those
differ from (1 − l_t) I + l_t M_t by C_t, one layer at a time, between kernels. λ is the mean over positions. Rows of
measured kernels sum to 1 within ε = (n + 2) 2^−24 only, so that the norm of a product of T layers is at most (1 + ε)^T
and not 1; what float64 adds, in means over K samples, T recursions and sums of n terms, is at most
2 T (n + K + 4) 2^−53, and is added.

Exact here: nothing. Not covered: samples that are not there, to which X1 applies with their chances.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numeric.drift_bound import drift_bound
from numeric.model.linear_rollouts import row_of
from numeric.model.run_folder import NO_KERNELS, RunFolder
from numeric.model.store import SUMS
from numeric.refuse import InputError

__all__ = ["Averaging", "Drift", "RunKernels", "Sink", "run_kernels"]

FloatArray = NDArray[np.float64]
DEVIATIONS, KERNELS = "deviations.npy", "kernels.npy"


@dataclass(frozen=True)
class Averaging:
    """distance : ½ Σ_j |p_j − q_j|, p the mean of the samples' rollouts, q the rollout of the mean kernel.

    wasserstein : their W1/(n − 1). bound : X1's on distance, None where ``why``. samples : of how many, all that are
    measured.
    """

    distance: float
    wasserstein: float
    bound: float | None
    why: str | None
    samples: int


@dataclass(frozen=True)
class Drift:
    """Theory D8 of the mean kernels: on_top, raised as of `numeric.drift_bound.DriftBound`; gap : the largest η of a
    layer, counted from 1.
    """

    on_top: float
    raised: float
    gap: float
    layer: int


@dataclass(frozen=True)
class Sink:
    """Share of attention on token 1: the mean over rows 2 … n (row 1 reads nothing else), by layer."""

    layers: tuple[float, ...]

    @property
    def mean(self) -> float:
        return float(np.mean(self.layers))


@dataclass(frozen=True, eq=False)
class RunKernels:
    """means : (T, n, n). rollouts : (K, n) and mixing : (K, T) of all samples that are averaged."""

    run: RunFolder
    means: FloatArray
    rollouts: FloatArray
    mixing: FloatArray

    def rollout(self) -> FloatArray:
        """(n,), with the mean λ of every layer."""
        shares = np.repeat(self.mixing.mean(axis=0)[:, None], self.run.length, axis=1)
        return row_of(self.means, shares)

    def averaging(self) -> Averaging:
        p, q = self.rollouts.mean(axis=0), self.rollout()
        distance = float(np.abs(p - q).sum() / 2)
        line = float(np.abs(np.cumsum(p - q)[:-1]).sum() / (self.run.length - 1))
        count, layers = self.mixing.shape
        deviations = self.run.array(DEVIATIONS, (self.run.asked, layers))
        if deviations is None:
            return Averaging(distance, line, None, "the folder has no deviations.npy", count)
        if not (np.isfinite(deviations).all() and (deviations >= 0).all()):
            raise self.run.damaged(DEVIATIONS)
        bound = self._bound(np.asarray(deviations))
        if distance > bound:  # the bound is a theorem: these files are not of one run
            return Averaging(distance, line, None, "deviations.npy is not of these kernels and rollouts", count)
        return Averaging(distance, line, min(1.0, bound), None, count)

    def _bound(self, deviations: FloatArray) -> float:
        count, layers = self.mixing.shape
        n = self.run.length
        apart = np.abs(self.mixing - self.mixing.mean(axis=0))
        from_identity = np.array([np.abs(mean - np.eye(n)).sum(axis=1).max() for mean in self.means])
        within = (apart * deviations).mean(axis=0)
        b = self.mixing * deviations + apart * from_identity + within
        pairs = ((b.sum(axis=1) ** 2 - (b**2).sum(axis=1)) / 2).mean()
        loose = (1 + (n + 2) * 2.0**-24) ** layers
        return float((pairs + within.sum()) / 2 * loose + 2 * layers * (n + count + 4) * 2.0**-53)

    def drift(self) -> Drift:
        """For rows divided by their sums, loosened by how far these are from 1."""
        sums = self.means.sum(axis=2)
        rows = (mean / total[:, None] for mean, total in zip(self.means, sums, strict=True))  # a layer in memory
        found = drift_bound(rows, self.mixing.mean(axis=0)).loosened(float(np.abs(sums - 1).max()))
        layer = int(np.argmax(found.gaps))
        return Drift(min(1.0, found.on_top), min(1.0, found.raised), found.gaps[layer], layer + 1)

    def sink(self) -> Sink:
        return Sink(tuple(float(x) for x in self.means[:, 1:, 0].mean(axis=1)))


def run_kernels(run: RunFolder) -> RunKernels | str:
    """The means of a run, or why there are none.

    Raises InputError for files that are damaged, or hold no kernels.
    """
    if not run.kernels:
        return NO_KERNELS
    rows = [(record["rollout"].copy(), record["mixing"].mean(axis=1)) for record in run.records()]
    rollouts, mixing = (np.array(one) for one in zip(*rows, strict=True))
    if not (np.isfinite(rollouts).all() and np.isfinite(mixing).all()):
        return "a mean is not of all samples: kernels or lambda of some are not finite"
    means = run.array(KERNELS, (run.layers, run.length, run.length)) if run.complete else None
    file = KERNELS
    if means is None:
        file = SUMS
        sums = run.sums()
        if sums is None:
            return "the folder has neither kernels.npy nor sums.npz"
        if int(sums["count"]) != run.measured:
            return f"the run is not finished: its sums hold {int(sums['count'])} samples, its records {run.measured}"
        if (sums["counts"] != run.measured).any():  # all samples have finite kernels
            raise run.damaged(SUMS)
        means = sums["kernels"]
        means /= run.measured
    _require_kernels(run, means, file)
    return RunKernels(run, means, rollouts, mixing)


def _require_kernels(run: RunFolder, means: FloatArray, file: str) -> None:
    from numeric.model.measured_kernel import kernel_statistics

    try:
        for t, mean in enumerate(means, start=1):
            kernel_statistics(mean, slack=(run.length + 2) * 2.0**-24, place=f"layer {t}")
    except InputError:
        raise run.damaged(file) from None
