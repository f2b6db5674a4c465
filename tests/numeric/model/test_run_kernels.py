"""What averaging kernels costs and how far drift may fail, of planted kernels: bounds that hold, some that are met."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numeric.drift_bound import drift_bound
from numeric.model.run_folder import RunFolder
from numeric.model.run_kernels import Averaging, RunKernels, run_kernels
from numeric.refuse import InputError
from tests.numeric.model.planted import Planted, last_row


def of(planted: Planted, folder: Path) -> RunKernels:
    found = run_kernels(RunFolder.read(planted.write(folder)))
    assert isinstance(found, RunKernels)
    return found


def averaged(planted: Planted, folder: Path) -> Averaging:
    planted.roll()
    return of(planted, folder).averaging()


@pytest.mark.parametrize("seed", range(12))
def test_the_distance_is_within_the_bound(tmp_path: Path, seed: int) -> None:
    """λ small, so that the bound says something; kernels as different as they can be from sample to sample."""
    planted = Planted(n=5, layers=3, samples=4, seed=seed)
    planted.mixing *= 0.15
    found = averaged(planted, tmp_path / "run")
    mean = planted.rollouts["rollout"].mean(axis=0)
    lam = np.repeat(planted.mixing.mean(axis=(0, 2))[:, None], 5, axis=1)
    apart = mean - last_row(planted.mean, lam)
    assert found.distance == pytest.approx(np.abs(apart).sum() / 2, abs=1e-14)
    assert found.wasserstein == pytest.approx(np.abs(np.cumsum(apart)).sum() / 4, abs=1e-14)
    assert found.bound is not None and 0 < found.distance <= found.bound < 0.2


def test_the_bound_is_met(tmp_path: Path) -> None:
    """λ = ½ in both samples, kernels M ± D, D_2 D_1 as large as its factors allow: ½ λ² ‖D_2‖ ‖D_1‖."""
    planted = Planted(n=3, samples=2)
    planted.mixing[:] = 0.5
    middle = np.array([[1.0, 0, 0], [0.5, 0.5, 0], [0.25, 0.375, 0.375]])
    lower, upper = np.zeros((3, 3)), np.zeros((3, 3))
    lower[1], lower[2], upper[2] = [0.25, -0.25, 0], [-0.25, 0.25, 0], [0, 0.125, -0.125]
    planted.measured = np.array([[middle + lower, middle + upper], [middle - lower, middle - upper]])
    found = averaged(planted, tmp_path / "run")
    assert found.distance == pytest.approx(0.5 * 0.25 * 0.5 * 0.25, rel=1e-13)
    # (n + 2) 2^−24 for each of two layers, squared terms aside, and what float64 adds
    assert found.bound is not None and found.distance <= found.bound <= found.distance * (1 + 11 * 2.0**-24)


def test_lambda_that_varies_alone_is_in_the_bound(tmp_path: Path) -> None:
    """One kernel in all samples, X1b: the gap is Cov(λ_1, λ_2) (I − A)², here half the bound."""
    planted = Planted(n=2, samples=2)
    planted.measured = np.tile(np.array([[1.0, 0], [0.5, 0.5]]), (2, 2, 1, 1))
    planted.mixing[0], planted.mixing[1] = 0.75, 0.25
    found = averaged(planted, tmp_path / "run")
    assert found.distance == pytest.approx(0.25**2 * 0.5**2, rel=1e-13)  # (I − A)² has the last row (−¼, ¼)
    # ½ E b_1 b_2, with b_t = ¼ ‖I − A‖ and ‖I − A‖ = 1
    assert found.bound is not None and found.bound == pytest.approx(0.25**2 / 2, rel=9 * 2.0**-24)


@pytest.mark.parametrize("times", [1.0, -1.0])
def test_lambda_that_varies_with_its_kernel_is_in_the_bound(tmp_path: Path, times: float) -> None:
    """One layer: no pairs, and still a distance, Cov(λ, A), which C_1 alone bounds, and meets."""
    planted = Planted(n=3, layers=1, samples=2)
    middle = np.array([[1.0, 0, 0], [0.5, 0.5, 0], [0.25, 0.375, 0.375]])
    step = np.zeros((3, 3))
    step[2] = [0.25, -0.125, -0.125]
    planted.measured = np.array([[middle + times * step], [middle - times * step]])
    planted.mixing[0], planted.mixing[1] = 0.75, 0.25
    found = averaged(planted, tmp_path / "run")
    assert found.distance == pytest.approx(0.25 * 0.5 / 2, rel=1e-13)
    assert found.bound is not None and found.distance <= found.bound <= found.distance * (1 + 6 * 2.0**-24)


def test_deviations_that_are_told_too_small_give_no_bound(tmp_path: Path) -> None:
    """A distance above its bound refutes not the theorem but the files."""
    planted = Planted(n=5, layers=2, samples=4)
    planted.mixing[:] = 0.4
    planted.roll()
    found = of(planted, tmp_path / "run")
    np.save(tmp_path / "run" / "deviations.npy", np.load(tmp_path / "run" / "deviations.npy") / 100)
    told = found.averaging()
    assert told.bound is None and told.why == "deviations.npy is not of these kernels and rollouts"
    assert told.distance > found._bound(np.load(tmp_path / "run" / "deviations.npy")) > 0


@pytest.mark.parametrize("value", [-0.001, np.nan, np.inf])
def test_deviations_that_are_none_are_refused(tmp_path: Path, value: float) -> None:
    found = of(Planted(), tmp_path / "run")
    deviations = np.load(tmp_path / "run" / "deviations.npy")
    deviations[1, 0] = value
    np.save(tmp_path / "run" / "deviations.npy", deviations)
    with pytest.raises(InputError, match=r"'DIR' must hold a whole deviations\.npy, not a damaged one"):
        found.averaging()


def test_sums_give_the_means_where_there_are_no_others(tmp_path: Path) -> None:
    planted = Planted(n=5, layers=3)
    found = of(planted, tmp_path / "run")
    (tmp_path / "run" / "kernels.npy").unlink()
    again = run_kernels(found.run)
    assert isinstance(again, RunKernels)
    assert again.means == pytest.approx(planted.mean, abs=5 * 2.0**-53)  # of as many samples, each at most 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"kernels": np.ones((3, 7, 7)), "counts": np.full(3, 5.0)},  # of two layers
        {"kernels": np.ones((7, 7))},
        {"kernels": np.tile(5 * np.eye(5), (2, 1, 1))},  # of seven positions
        {"kernels": np.tile(5 * np.eye(7), (2, 1, 1)).astype(complex)},
        {"kernels": np.tile(5 * np.eye(7), (2, 1, 1)).astype(str)},
        {"kernels": np.full((2, 7, 7), np.nan)},
        {"counts": np.zeros(2)},
        {"counts": np.array([5.0, 4.0])},
        {"counts": np.full(1, 5.0)},
        {"count": np.array([5, 5])},
        {"count": np.float64("nan")},
        {"count": np.array("5x")},
    ],
)
def test_sums_that_are_none_are_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    run = of(Planted(), tmp_path / "run").run
    (tmp_path / "run" / "kernels.npy").unlink()
    with np.load(tmp_path / "run" / "sums.npz") as file:
        arrays = {**file, **wrong}
    np.savez(tmp_path / "run" / "sums.npz", **arrays)
    with pytest.raises(InputError, match=r"'DIR' must hold a whole sums\.npz, not a damaged one"):
        run_kernels(run)


def test_a_bound_beyond_one_is_one(tmp_path: Path) -> None:
    planted = Planted(n=7, layers=11, samples=5)
    assert averaged(planted, tmp_path / "run").bound == 1


def test_drift_is_that_of_the_mean_kernels(tmp_path: Path) -> None:
    planted = Planted(n=7, layers=3)
    planted.mixing *= 0.1
    found, shares = of(planted, tmp_path / "run").drift(), planted.mixing.mean(axis=(0, 2))
    plain = drift_bound(list(planted.mean), shares)
    # rows that sum to 1 up to n roundings of 2^−53; four layers' worth of that, on either side
    assert (
        found.on_top == pytest.approx(plain.on_top, abs=8 * 7 * 2.0**-53 * 4) and found.on_top >= plain.on_top - 1e-15
    )
    assert found.raised == pytest.approx(plain.raised, abs=8 * 7 * 2.0**-53 * 4)
    assert found.gap == pytest.approx(max(plain.gaps), abs=1e-14)
    assert found.layer == int(np.argmax(plain.gaps)) + 1


def test_drift_divides_each_row_by_its_own_sum(tmp_path: Path) -> None:
    """One row a little too heavy: its own sum mends it, and the slack of D8 is what it was off by."""
    planted = Planted(n=5, layers=2)
    planted.mixing *= 0.1
    run = of(planted, tmp_path / "run")
    shares, even = planted.mixing.mean(axis=(0, 2)), run.drift()
    off = 2.0**-22
    means = run.means.copy()
    means[:, 3] *= 1 + off
    heavy = replace(run, means=means).drift()
    sums = means.sum(axis=2)
    slack = float(np.abs(sums - 1).max())
    assert heavy.on_top == drift_bound(list(means / sums[:, :, None]), shares).loosened(slack).on_top
    assert even.on_top < heavy.on_top and slack == pytest.approx(off, rel=1e-6)
