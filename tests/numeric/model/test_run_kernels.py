"""What averaging kernels costs and how far drift may fail, of planted kernels: bounds that hold, some that are met."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from numeric.drift_bound import drift_bound
from numeric.model.run_folder import RunFolder
from numeric.model.run_kernels import Averaging, RunKernels, run_kernels
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


def test_deviations_that_are_told_too_small_break_the_bound(tmp_path: Path) -> None:
    """So the bound does come from them."""
    planted = Planted(n=5, layers=2, samples=4)
    planted.mixing[:] = 0.4
    planted.roll()
    found = of(planted, tmp_path / "run")
    np.save(tmp_path / "run" / "deviations.npy", np.load(tmp_path / "run" / "deviations.npy") / 100)
    told = found.averaging()
    assert told.bound is not None and told.bound < told.distance


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
