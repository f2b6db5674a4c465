"""Means and standard errors over samples, against their definitions and by hand."""

from __future__ import annotations

import numpy as np

from numeric.model.moments import Influences, Moments

RNG = np.random.default_rng(7)
NORMS = RNG.random((11, 5)) * RNG.random((11, 1)) * 10


def averaged(norms: np.ndarray) -> Influences:
    found = Influences()
    for number, g in enumerate(norms, start=1):
        found.add(number, g)
    for g in norms:
        found.add_again(g)
    return found


def test_moments_are_mean_and_standard_error() -> None:
    """Each of 11 steps rounds a few times: relative errors of about 11 · 4 · 2^−53 < 1e−14."""
    found = Moments()
    for x in NORMS:
        found.add(x)
    assert np.allclose(found.mean, NORMS.mean(axis=0), rtol=1e-14, atol=0)
    assert np.allclose(found.error, NORMS.std(axis=0, ddof=1) / np.sqrt(11), rtol=1e-13, atol=0)


def test_one_sample_has_no_standard_error() -> None:
    found = averaged(NORMS[:1])
    assert np.isnan(found.error).all()
    assert np.isnan(found.profiles.error).all()
    assert np.allclose(found.mean_of_norms, found.profiles.mean, rtol=1e-15)


def test_the_two_averages_by_hand() -> None:
    """g = (1, 3) and (4, 0): norms add to (5, 3)/8, profiles (¼, ¾) and (1, 0) to (5/8, 3/8); with (8, 0), to (9, 3)/12
    and again 5/8: the loud sample weighs more in the first only.
    """
    quiet, loud = (averaged(np.array([[1.0, 3.0], second])) for second in ([4.0, 0.0], [8.0, 0.0]))
    assert quiet.mean_of_norms.tolist() == [5 / 8, 3 / 8]
    assert loud.mean_of_norms.tolist() == [9 / 12, 3 / 12]
    assert quiet.profiles.mean.tolist() == loud.profiles.mean.tolist() == [5 / 8, 3 / 8]


def test_the_error_of_a_ratio_is_that_of_its_linearisation() -> None:
    """Σ g / Σ |g| moves by (g_s − p |g_s|) / Σ |g| when sample s weighs a little more: the delta method, by its
    definition. And zero where all samples have one profile, however loud.
    """
    p, loudness = NORMS.sum(axis=0) / NORMS.sum(), NORMS.sum(axis=1)
    moved = (NORMS - loudness[:, None] * p) / loudness.mean()
    expected = moved.std(axis=0, ddof=1) / np.sqrt(11)
    assert np.allclose(averaged(NORMS).error, expected, rtol=1e-12, atol=0)
    same = np.outer([1.0, 2.0, 8.0], [1.0, 2.0, 1.0])
    assert averaged(same).error.tolist() == [0, 0, 0]


def test_samples_without_a_profile_are_named_and_left_out() -> None:
    bad = np.array([[np.nan, 1.0], [0.0, 0.0], [1.0, 3.0], [np.inf, 1.0]])
    found = averaged(bad)
    assert found.excluded == [(1, "not finite"), (2, "zero"), (4, "not finite")]
    assert found.count == 1
    assert found.mean_of_norms.tolist() == [0.25, 0.75]
