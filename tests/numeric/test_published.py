"""The published measurements and the rules for the slopes, against values derived by hand and the source tables."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from numeric.published import (
    PUBLISHED,
    bloom_slopes,
    falcon_slopes,
    find,
    measured_influence,
    mpt_slopes,
    paper_slopes,
)
from numeric.refuse import InputError

NAMES = ("bloom-176b", "bloom-7b1", "mpt-7b", "mpt-30b", "falcon-rw-7b")


def test_five_models_with_their_public_configurations() -> None:
    # layers, heads, hidden size / heads: the models' public config.json files
    assert {m.name: (m.layers, m.heads, m.head_dim, m.length) for m in PUBLISHED.values()} == {
        "bloom-176b": (70, 112, 14336 // 112, 256),
        "bloom-7b1": (30, 32, 4096 // 32, 256),
        "mpt-7b": (32, 32, 4096 // 32, 256),
        "mpt-30b": (48, 64, 7168 // 64, 256),
        "falcon-rw-7b": (36, 64, 4096 // 64, 256),
    }
    assert tuple(PUBLISHED) == NAMES
    for model in PUBLISHED.values():
        hidden, heads = map(int, re.findall(r"hidden size (\d+) / (\d+) heads$", model.configuration)[0])
        assert (hidden / heads, heads) == (model.head_dim, model.heads)


@pytest.mark.parametrize("rule", [paper_slopes, bloom_slopes, mpt_slopes])
def test_eight_heads_halve(rule: object) -> None:
    # Press, Smith, Lewis 2022: for 8 heads 1/2, 1/4, …, 1/256
    assert callable(rule)
    assert rule(8).tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]


def test_twelve_heads_interleave_the_second_series() -> None:
    # by hand: 8 heads as above, then the odd terms of 2^(−h/2), the series of 16 heads
    expected = [2.0**-k for k in range(1, 9)] + [2.0**-0.5, 2.0**-1.5, 2.0**-2.5, 2.0**-3.5]
    assert bloom_slopes(12) == pytest.approx(expected, rel=1e-15)
    assert mpt_slopes(12) == pytest.approx(expected, rel=1e-15)
    assert paper_slopes(12) == pytest.approx([2.0 ** (-2 * h / 3) for h in range(1, 13)], rel=1e-15)


def test_six_heads() -> None:
    # by hand: 2^−2, 2^−4, 2^−6, 2^−8 of 4 heads, then 2^−1 and 2^−3 of 8 heads
    assert bloom_slopes(6).tolist() == [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8]


def test_112_heads_end_points() -> None:
    # by hand: 64 heads 2^(−1/8) … 2^(−8), then 48 of 2^(−(2k−1)/16): 2^(−1/16) … 2^(−95/16)
    for slopes in (bloom_slopes(112), mpt_slopes(112)):
        assert slopes[[0, 63, 64, 111]] == pytest.approx([2**-0.125, 2**-8, 2**-0.0625, 2 ** (-95 / 16)], rel=1e-15)
    assert paper_slopes(112)[[0, 111]] == pytest.approx([2 ** (-8 / 112), 2**-8], rel=1e-15)


@pytest.mark.parametrize("heads", [1, 2, 3, 5, 7, 11, 31, 32, 33, 71, 112, 127, 128, 129])
def test_blooms_and_mpts_rules_agree(heads: int) -> None:
    assert bloom_slopes(heads) == pytest.approx(mpt_slopes(heads), rel=1e-15)
    assert len(set(bloom_slopes(heads).tolist())) == heads
    if heads & (heads - 1) == 0:
        assert bloom_slopes(heads).tolist() == paper_slopes(heads).tolist()


def test_falcon_scales_by_the_root_of_the_head_dimension() -> None:
    assert falcon_slopes(64, 64) == pytest.approx(paper_slopes(64) / 8, rel=1e-15)
    assert find("falcon-rw-7b").slopes("model")[0] == pytest.approx(2**-0.125 / 8, rel=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_both_readings_of_the_slopes(name: str) -> None:
    model = find(name)
    assert model.slopes().tolist() == model.slopes("paper").tolist() == paper_slopes(model.heads).tolist()
    same = bool(np.array_equal(model.slopes("model"), model.slopes("paper")))
    assert same is (name not in ("bloom-176b", "falcon-rw-7b"))
    with pytest.raises(InputError, match=r"Argument 'slopes' must be 'paper' or 'model', not 'file'\."):
        model.slopes("file")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_lambda_has_one_value_per_layer(name: str) -> None:
    lam = find(name).lam()
    assert lam.shape == (find(name).layers,)
    assert lam.dtype == np.float64
    assert np.all((lam > 0) & (lam < 1))
    lam[:] = 2.0  # a caller's array is the caller's
    assert np.all(find(name).lam() < 1)


def test_effective_depth_of_bloom_176b() -> None:
    assert find("bloom-176b").lam().sum() == pytest.approx(3.908, abs=5e-4)  # the project's reference figures


def test_tables_are_those_of_the_authors(data_dir: Path) -> None:
    with (data_dir / "mixing_coefficients.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for model in PUBLISHED.values():
        key = "bloom" if model.name == "bloom-176b" else model.name
        theirs = sorted((int(row["layer"]), float(row["lambda"])) for row in rows if row["model"] == key)
        assert model.lam().tolist() == [value for _, value in theirs]
    with (data_dir / "influence_bloom-176b_fineweb-edu_256.csv").open(encoding="utf-8") as stream:
        assert measured_influence("bloom-176b").tolist() == [float(row["influence"]) for row in csv.DictReader(stream)]


def test_measured_influence_is_a_profile() -> None:
    influence = measured_influence("bloom-176b")
    assert influence.shape == (256,)
    assert influence.sum() == pytest.approx(1.0, abs=1e-7)
    assert influence.min() > 0
    with pytest.raises(InputError, match=r"Argument 'name' must be bloom-176b, whose influence .*, not 'mpt-7b'\."):
        measured_influence("mpt-7b")


@pytest.mark.parametrize(
    ("wrong", "offered"), [("bloom-176", "bloom-176b"), ("Falcon-RW-7B", "falcon-rw-7b"), ("mpt7b", "mpt-7b")]
)
def test_unknown_name_offers_the_nearest(wrong: str, offered: str) -> None:
    with pytest.raises(InputError, match=rf"not '{wrong}' \(nearest: [^)]*{offered}"):
        find(wrong)


def test_unlike_any_name_lists_all() -> None:
    with pytest.raises(InputError) as caught:
        find("[/red]$")
    assert "'[/red]$'" in str(caught.value)
    assert all(name in str(caught.value) for name in NAMES)
    assert "nearest" not in str(caught.value)


@pytest.mark.parametrize("heads", [0, -1, True, 2.0, "8", None])
def test_number_of_heads_must_be_a_positive_integer(heads: object) -> None:
    for rule in (paper_slopes, bloom_slopes, mpt_slopes):
        with pytest.raises(InputError, match=r"Argument 'heads' must be (an integer|at least 1), not "):
            rule(heads)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"Argument 'head_dim' must be at least 1, not 0\."):
        falcon_slopes(8, 0)
