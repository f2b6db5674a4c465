"""How near predictions come to measured influence: W1/(n − 1) and Spearman's ρ, with bootstrap intervals over samples.

    found = compared(loaded, ids, targets=("prob", "logprob", "logit"), ablation=True)
    found.table("logprob")

For every sample the gradient's profile, the second-moment rollout and every linear one; what is compared are means of
profiles over samples, each of sum 1. A bootstrap draws samples, for measured and predicted alike, so intervals say how
far the choice of samples matters, not whether the model is apt.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.kernel import Kernel
from numeric.model.influence import influence_of
from numeric.model.linear_rollouts import linear_rollouts
from numeric.model.resampling import DRAWS, LEVELS, Resampling
from numeric.model.second_moments import MomentReader, predicted
from numeric.order import spearman, wasserstein
from numeric.refuse import flag

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["Evidence", "Gap", "compared", "gap"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Gap:
    """W1/(n − 1) between two mean profiles with its 95 % interval, and Spearman's ρ."""

    wasserstein: float
    low: float
    high: float
    spearman: float


@dataclass
class Evidence:
    """measured : by target, and predicted : by name, profiles (K, n). seconds : of a sample, by what was computed."""

    measured: dict[str, FloatArray] = field(default_factory=dict)
    predicted: dict[str, FloatArray] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def table(self, target: str, seed: int = 0) -> dict[str, Gap]:
        """The gap of every prediction to what was measured of one target."""
        return {name: gap(found, self.measured[target], seed) for name, found in self.predicted.items()}


def gap(found: FloatArray, measured: FloatArray, seed: int = 0, draws: int = DRAWS) -> Gap:
    """Of profiles (K, n), sample by sample of the same sequences; the interval is from K draws with replacement.

    >>> round(gap(np.array([[0.375, 0.625]] * 3), np.array([[0.125, 0.875]] * 3)).wasserstein, 12)
    0.25
    """
    if found.shape != measured.shape or found.ndim != 2:
        raise flag("found", f"have the shape of measured, {measured.shape}", f"{found.shape}")
    size, n = found.shape
    drawn = Resampling(size, seed, draws).distances(found, measured)
    p, q = found.mean(axis=0), measured.mean(axis=0)
    p, q = p / p.sum(), q / q.sum()
    low, high = (float(x) for x in np.quantile(drawn, LEVELS))
    return Gap(wasserstein(p, q) / (n - 1), low, high, spearman(p, q))


def compared(
    loaded: Loaded,
    ids: Any,
    *,
    targets: Sequence[str] = ("logprob",),
    kernels: Sequence[Sequence[Kernel]] | None = None,
    averages: Sequence[Kernel] | None = None,
    ablation: bool = False,
    exact: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Evidence:
    """Measured and predicted profiles of ids (K, n).

    kernels : architectural ones, (layers, heads); averages : one per layer, of the same. ablation : also without MLP,
    with κ = 0, ½, 1, with one σ per layer, with independent heads. exact : also with exact products of gates.
    Raises InputError for a sample whose gradient has no profile.
    """
    found, sequences = Evidence(), np.asarray(ids)
    measured: dict[str, list[FloatArray]] = {target: [] for target in targets}
    profiles: dict[str, list[FloatArray]] = {}
    readers = {"second moments": MomentReader(loaded)}
    if exact:
        readers["second moments, exact MLP"] = MomentReader(loaded, mlp="exact")
    if kernels is not None:
        readers["second moments, architectural"] = MomentReader(loaded, kernels=kernels)
    for s, sequence in enumerate(sequences):
        progress(f"sample {s + 1} of {len(sequences)}")
        for target in targets:
            with _Timed(found.seconds, "gradient"):
                influence = influence_of(loaded, sequence[None], target=target)
            if influence.bad:
                raise flag(
                    "ids", "have gradients that are finite and not all zero", influence.bad[0][1], f"sample {s + 1}"
                )
            measured[target].append(influence.norms[0] / influence.norms[0].sum())
        one = linear_rollouts(loaded, sequence, kernels=averages)
        for name, reader in readers.items():
            with _Timed(found.seconds, name):
                statistics = reader.statistics(sequence)
                one[name] = predicted(statistics)
            if ablation and name == "second moments":
                one |= {f"{name}, {told}": predicted(statistics, **parts) for told, parts in ABLATION.items()}
        for name, profile in one.items():
            profiles.setdefault(name, []).append(profile)
    found.measured = {target: np.array(rows) for target, rows in measured.items()}
    found.predicted = {name: np.array(rows) for name, rows in profiles.items()}
    found.seconds = {name: seconds / len(sequences) for name, seconds in found.seconds.items()}
    found.seconds["gradient"] /= len(targets)
    return found


ABLATION: dict[str, dict[str, Any]] = {
    "no MLP": {"strength": 0.0},
    "κ = 0": {"coherence": 0.0},
    "κ = ½": {"coherence": 0.5},
    "κ = 1": {"coherence": 1.0},
    "one σ": {"scale": "mean"},
    "independent heads": {"heads": "independent"},
}


class _Timed:
    """Adds the seconds of a block to a table."""

    def __init__(self, table: dict[str, float], name: str) -> None:
        self.table, self.name = table, name

    def __enter__(self) -> None:
        self.start = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.table[self.name] = self.table.get(self.name, 0.0) + time.perf_counter() - self.start
