"""Theories against what was measured of real models: which is nearest, by how much, and whether that is told apart.

    found = compare(["measured/bloom", "measured/llama"], seed=0)
    found.runs[0].nearest, found.runs[0].margin, found.runs[0].separated

Measured and predicted are means over samples of profiles of sum 1. Near is W1/(n − 1). The nearest variant is separated
from the next if the bootstrap interval of the *difference* of their two distances, of the same draws, lies above 0.
Distances that differ by at most 2u, u the roundoff of the type gradients were taken in, are tied: every norm that was
measured is rounded to that type, so each share is known up to a relative u at best, each tail up to an absolute u, a
distance W1/(n − 1) up to u, and the difference of two up to 2u.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from numeric.model.resampling import DRAWS, Interval, Resampling
from numeric.model.run_architecture import first_share
from numeric.model.run_folder import NAME, TARGETS, RunFolder
from numeric.model.run_kernels import Averaging, Drift, RunKernels, Sink, run_kernels
from numeric.model.run_profiles import VARIANTS, RunProfiles, run_profiles
from numeric.nearest import nearest
from numeric.order import spearman, wasserstein
from numeric.refuse import InputError, flag, integer, refusal, shown

__all__ = ["Comparison", "Distances", "RunComparison", "VariantGap", "compare"]

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class VariantGap:
    """One variant against what was measured. interval, rank_interval : None of one sample. spearman : None where a
    profile is constant. first : its share of position 1.
    """

    name: str
    wasserstein: float
    interval: Interval | None
    spearman: float | None
    rank_interval: Interval | None
    first: float


@dataclass(frozen=True)
class Distances:
    """gaps : of every variant there is. nearest : its name; tied : those that are as near up to rounding.

    runner_up : the next one that is not tied, None where there is none; margin : by how much it is farther, with its
    interval. separated : whether that lies above 0; None of one sample, or without another. share : of the draws, in
    how many the nearest is nearest (or as near). alike : others from which the nearest is not separated.
    """

    gaps: tuple[VariantGap, ...]
    nearest: str
    tied: tuple[str, ...]
    runner_up: str | None
    margin: float | None
    margin_interval: Interval | None
    separated: bool | None
    share: float | None
    alike: tuple[str, ...]

    def of(self, name: str) -> VariantGap | None:
        return next((one for one in self.gaps if one.name == name), None)


@dataclass(frozen=True, eq=False)
class RunComparison:
    """One folder. all_tokens : of whole profiles. without_first : of profiles conditioned on positions 2 … n, each
    sample's divided by what it has there; None where ``without_first_why`` tells the reason. architectural_first : of
    attention, with queries and keys 0, None where that is not known; beside it sink. kernels_why : why there is neither
    averaging, drift nor sink.
    """

    run: RunFolder
    profiles: RunProfiles
    all_tokens: Distances
    without_first: Distances | None
    without_first_why: dict[str, str]
    measured_first: float
    architectural_first: float | None
    averaging: Averaging | None
    drift: Drift | None
    sink: Sink | None
    kernels_why: str | None

    @property
    def nearest(self) -> str:
        return self.all_tokens.nearest

    @property
    def margin(self) -> float | None:
        return self.all_tokens.margin

    @property
    def separated(self) -> bool | None:
        return self.all_tokens.separated


@dataclass(frozen=True, eq=False)
class Comparison:
    """runs : in the order of the folders. other_target : folders that were left out, with what they are of."""

    runs: tuple[RunComparison, ...]
    other_target: tuple[tuple[Path, str], ...]
    seed: int
    draws: int

    @property
    def nearest_in(self) -> dict[str, int]:
        """In how many runs each variant is nearest, tied ones counted with it; in the order of `VARIANTS`."""
        named = [{run.nearest, *run.all_tokens.tied} for run in self.runs]
        return {name: count for name in VARIANTS if (count := sum(name in one for one in named))}


def compare(
    folders: Sequence[str | Path], *, target: str | None = None, seed: int = 0, draws: int = DRAWS
) -> Comparison:
    """folders : of ``posbias measure``, at least one, none twice. target : take only those measured of it.

    Raises InputError (argument DIR) for a folder that holds no run or a damaged one, before anything is compared.
    """
    integer(seed, "seed", 0)
    integer(draws, "draws", 1)
    if target is not None and target not in TARGETS:
        raise refusal("target", f"be one of {', '.join(TARGETS)}", target, nearest(target, TARGETS))
    runs = [RunFolder.read(folder) for folder in _different(folders)]
    taken = [run for run in runs if target in (None, run.target)]
    if not taken:
        raise flag(NAME, f"have influence on {target}", f"on {', '.join(sorted({run.target for run in runs}))} alone")
    left = tuple((run.folder, run.target) for run in runs if run not in taken)
    return Comparison(tuple(_compared(run, seed, draws) for run in taken), left, seed, draws)


def _different(folders: Sequence[str | Path]) -> Sequence[str | Path]:
    if not folders:
        raise flag(NAME, "be given", "left out")
    places = [os.path.realpath(folder) for folder in folders if "\0" not in str(folder)]
    for at, place in enumerate(places):
        if place in places[:at]:
            raise flag(NAME, "be different folders", "one of them twice", shown(str(folders[at])))
    return folders


def _compared(run: RunFolder, seed: int, draws: int) -> RunComparison:
    kernels = run_kernels(run)
    profiles = run_profiles(run, kernels)
    if not profiles.predicted:
        raise run.lacking("a run of which some theory says something", "one of which none does")
    resampling = Resampling(len(profiles.numbers), seed, draws)
    tie = 2 * run.roundoff
    whole = _distances(profiles.measured, profiles.predicted, resampling, tie)
    measured, predicted, why = _without_first(profiles)
    rest = None if measured is None or not predicted else _distances(measured, predicted, resampling, tie)
    averaging, drift, sink = (None,) * 3 if isinstance(kernels, str) else _of_kernels(kernels)
    return RunComparison(
        run, profiles, whole, rest, why, float(profiles.measured[:, 0].mean()), first_share(run),
        averaging, drift, sink, kernels if isinstance(kernels, str) else None,
    )  # fmt: skip


def _of_kernels(kernels: RunKernels) -> tuple[Averaging, Drift, Sink]:
    return kernels.averaging(), kernels.drift(), kernels.sink()


def _without_first(profiles: RunProfiles) -> tuple[FloatArray | None, dict[str, FloatArray], dict[str, str]]:
    """Measured and predicted on positions 2 … n, each sample's divided by its sum there, and what is left out."""
    if profiles.measured.shape[1] < 3:
        return None, {}, {"measured": "2 positions alone: without the first one there is nothing to compare"}
    why: dict[str, str] = {}
    found: dict[str, FloatArray] = {}
    for name, rows in {"measured": profiles.measured, **profiles.predicted}.items():
        totals = rows[:, 1:].sum(axis=1, keepdims=True)
        if (totals > 0).all():
            found[name] = rows[:, 1:] / totals
        else:
            why[name] = "in some sample everything is on position 1"
    return found.pop("measured", None), found, why


# --- near, nearer, nearest ------------------------------------------------------------------------------------------


def _distances(
    measured: FloatArray, predicted: Mapping[str, FloatArray], resampling: Resampling, tie: float
) -> Distances:
    drawn = {name: resampling.distances(rows, measured) for name, rows in predicted.items()}
    gaps = tuple(_gap(name, rows, measured, resampling, drawn[name]) for name, rows in predicted.items())
    order = sorted(gaps, key=lambda one: one.wasserstein)
    first = order[0]
    tied = tuple(one.name for one in order[1:] if one.wasserstein - first.wasserstein <= tie)
    others = order[1 + len(tied) :]
    apart = {one.name: resampling.interval(drawn[one.name] - drawn[first.name]) for one in others}
    alike = tuple(name for name, interval in apart.items() if interval is not None and not interval[0] > 0)
    share = np.mean([drawn[first.name] <= tie + np.min(list(drawn.values()), axis=0)])
    if not others:
        return Distances(gaps, first.name, tied, None, None, None, None, None, alike)
    interval = apart[others[0].name]
    return Distances(
        gaps, first.name, tied, others[0].name, others[0].wasserstein - first.wasserstein, interval,
        None if interval is None else interval[0] > 0, None if interval is None else float(share), alike,
    )  # fmt: skip


def _gap(name: str, rows: FloatArray, measured: FloatArray, resampling: Resampling, drawn: FloatArray) -> VariantGap:
    p, q = rows.mean(axis=0), measured.mean(axis=0)
    try:
        rank = spearman(p, q)
    except InputError:  # a constant profile, which has no ranks
        rank = None
    ranks = None if rank is None else resampling.interval(resampling.ranks(rows, measured))
    return VariantGap(
        name, wasserstein(p, q) / (p.size - 1), resampling.interval(drawn), rank, ranks, float(p[0])
    )  # fmt: skip
