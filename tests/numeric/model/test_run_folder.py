"""A measured folder read without its model: what is left out with a reason, and what is refused by name."""

from __future__ import annotations

import fcntl
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numeric.model.comparing import RunComparison, compare
from numeric.model.run_architecture import ARCHITECTURAL
from numeric.model.run_folder import RunFolder
from numeric.model.run_profiles import RECORDED
from numeric.refuse import InputError
from tests.numeric.model.planted import Planted


def only(folder: Path) -> RunComparison:
    (found,) = compare([folder], draws=10).runs
    return found


def change(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes), encoding="utf-8")


# --- left out, with the reason --------------------------------------------------------------------------------------


def test_a_run_without_kernels_has_its_architecture(tmp_path: Path) -> None:
    found = only(Planted().write(tmp_path / "run", with_kernels=False))
    assert set(found.profiles.predicted) == {*ARCHITECTURAL[:-1], "second moments"}
    assert set(found.profiles.left_out.values()) == {"measured without --kernels"}
    assert (found.averaging, found.drift, found.sink) == (None, None, None)
    assert found.kernels_why == "measured without --kernels"


def test_an_older_folder_has_what_it_kept(tmp_path: Path) -> None:
    folder = Planted().write(tmp_path / "run", version=1, told=None)
    (folder / "deviations.npy").unlink()
    found = only(folder)
    assert set(found.profiles.predicted) == {"residual", "residual, mean kernel", "second moments"}
    assert set(found.profiles.left_out) == {*ARCHITECTURAL, *RECORDED} - {"residual"}
    assert all("older format" in why for why in found.profiles.left_out.values())
    assert found.averaging is not None and found.averaging.bound is None
    assert found.averaging.why == "the folder has no deviations.npy"


def test_without_alibi_there_are_no_slopes_of_the_paper(tmp_path: Path) -> None:
    told = [{"kind": "uniform"}, {"kind": "window", "width": 3, "slope": 0.0}]
    found = only(Planted().write(tmp_path / "run", told=told)).profiles
    assert found.left_out == {"residual, paper slopes": "no ALiBi model: there are no slopes"}


def test_an_architecture_without_kernels_says_why(tmp_path: Path) -> None:
    folder = Planted().write(tmp_path / "run")
    change(folder / "report.json", architecture={"positions": None, "kernels": None, "why": "irregular mask"})
    left_out = only(folder).profiles.left_out
    assert set(left_out) == set(ARCHITECTURAL) and "irregular mask" in left_out["residual, architectural"]


def test_content_that_no_exponential_takes_is_left_out(tmp_path: Path) -> None:
    planted = Planted()
    planted.content[3, 1, 2, 0] = 500.0
    left_out = only(planted.write(tmp_path / "run")).profiles.left_out
    assert set(left_out) == {"residual, content"} and left_out["residual, content"].startswith("sample 4: Argument")


def test_a_layer_with_fewer_heads_has_the_content_of_those(tmp_path: Path) -> None:
    planted = Planted()
    planted.content[:, 1, 2] = np.nan
    told = [{"kind": "uniform"}] * 2
    found = only(planted.write(tmp_path / "run", told=told)).profiles
    assert "residual, content" in found.predicted


@pytest.mark.parametrize("part", ["model", "input"])
def test_a_prediction_of_something_else_is_left_out(tmp_path: Path, part: str) -> None:
    folder = Planted().write(tmp_path / "run")
    change(folder / "prediction.json", **{part: {"ids_sha256": "others", "config_sha256": "others"}})
    why = only(folder).profiles.left_out["second moments"]
    assert why.startswith(f"the prediction in the folder is of another {part}")
    for gone, says in (("prediction.npy", "no prediction.npy"), ("prediction.json", "has no prediction")):
        folder = Planted().write(tmp_path / gone / part)
        (folder / gone).unlink()
        assert says in only(folder).profiles.left_out["second moments"]


def test_samples_without_numbers_are_named_and_in_no_variant(tmp_path: Path) -> None:
    planted = Planted(samples=7)
    planted.influence[0] = 0
    planted.influence[2, 3] = np.nan
    planted.mixing[3, 0, 1] = np.nan
    planted.rollouts["half"][5] = np.nan
    found = only(planted.write(tmp_path / "run"))
    assert found.profiles.excluded == (
        (1, "influence all zero"), (3, "influence not finite"), (4, "lambda not finite"), (6, "kernels not finite"),
    )  # fmt: skip
    assert found.profiles.numbers == (2, 5, 7)
    assert planted.prediction is not None
    for name, rows in (("second moments", planted.prediction), ("residual", planted.rollouts["rollout"])):
        assert found.profiles.predicted[name] == pytest.approx(rows[[1, 4, 6]], rel=1e-13)
    assert found.kernels_why is not None and "not of all samples" in found.kernels_why


def test_kernels_that_no_sample_has_are_left_out_and_not_the_samples(tmp_path: Path) -> None:
    planted = Planted()
    for rows in planted.rollouts.values():
        rows[:] = np.nan
    found = only(planted.write(tmp_path / "run")).profiles
    assert found.numbers == (1, 2, 3, 4, 5)
    assert {found.left_out[name] for name in RECORDED} == {"no sample has finite kernels"}


def test_a_row_that_is_no_profile_is_left_out(tmp_path: Path) -> None:
    planted = Planted()
    assert planted.prediction is not None
    planted.prediction[1, 2] = -0.1
    assert "negative" in only(planted.write(tmp_path / "run")).profiles.left_out["second moments"]


# --- unfinished -----------------------------------------------------------------------------------------------------


def test_an_interrupted_run_is_compared_as_far_as_it_is(tmp_path: Path) -> None:
    planted = Planted(samples=9)
    found = only(planted.write(tmp_path / "run", until=4))
    assert (found.run.measured, found.run.asked, found.run.complete) == (4, 9, False)
    assert found.profiles.numbers == (1, 2, 3, 4)
    assert all("not finished" in found.profiles.left_out[name] for name in ARCHITECTURAL)
    assert found.averaging is not None and found.averaging.samples == 4
    assert found.averaging.bound is None
    mean = planted.rollouts["rollout"][:4].mean(axis=0)
    assert found.profiles.predicted["residual"].mean(axis=0) == pytest.approx(mean, rel=1e-13)


def test_sums_of_other_samples_than_the_records_are_not_taken(tmp_path: Path) -> None:
    folder = Planted(samples=9).write(tmp_path / "run", until=4)
    (folder / "samples.bin").write_bytes((folder / "samples.bin").read_bytes()[:-1])
    found = only(folder)
    assert (found.run.measured, found.run.torn) == (3, True)
    why = found.profiles.left_out["residual, mean kernel"]
    assert why == found.kernels_why == "the run is not finished: its sums hold 4 samples, its records 3"
    (folder / "sums.npz").unlink()
    assert only(folder).kernels_why == "the folder has neither kernels.npy nor sums.npz"


def test_a_last_record_with_wrong_bytes_is_left_out_and_an_earlier_one_refused(tmp_path: Path) -> None:
    folder = Planted(samples=9).write(tmp_path / "run", until=4)
    whole = (folder / "samples.bin").read_bytes()
    size = len(whole) // 4
    for at, measured in ((3 * size + 9, 3), (size + 9, None)):
        spoilt = bytearray(whole)
        spoilt[at] ^= 1
        (folder / "samples.bin").write_bytes(bytes(spoilt))
        if measured is None:
            with pytest.raises(InputError, match=r"'DIR' must hold whole records, not a damaged one, sample 2"):
                only(folder)
        else:
            found = only(folder).run
            assert (found.measured, found.torn) == (measured, True)


def test_a_run_that_is_being_written_is_read_and_said_to_be(tmp_path: Path) -> None:
    folder = Planted(samples=9).write(tmp_path / "run", until=4)
    assert not RunFolder.read(folder).in_use
    with (folder / "samples.bin").open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert RunFolder.read(folder).in_use
    assert not RunFolder.read(folder).in_use


def test_nothing_is_written_where_it_is_read(tmp_path: Path) -> None:
    folder = Planted(samples=9).write(tmp_path / "run", until=4)
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    only(folder)
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == before


# --- refused --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"length": 1}, "hold samples of at least 2 positions"),
        ({"length": 0}, "hold a run of posbias measure"),
        ({"length": True}, "hold a run of posbias measure"),
        ({"length": 10**12}, "records of at most 2 GiB"),
        ({"samples": "5"}, "hold a run of posbias measure"),
        ({"target": "loss"}, "hold a run of posbias measure"),
        ({"kernels": None}, "hold a run of posbias measure"),
        ({"model": None}, "hold a run of posbias measure"),
        ({"model": {"layers": 2}}, "hold a run of posbias measure"),
        ({"input": []}, "hold a run of posbias measure"),
        ({"format": 3}, "have a format from 1 to 2, not 3"),
        ({"format": True}, "have a format from 1 to 2, not True"),
        ({"format": None}, "have a format from 1 to 2, not None"),
    ],
)
def test_a_manifest_of_something_else_is_refused(tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    folder = Planted().write(tmp_path / "run")
    change(folder / "manifest.json", **changes)
    with pytest.raises(InputError, match=f"Argument 'DIR' must .*{says}"):
        RunFolder.read(folder)


def test_what_holds_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    (tmp_path / "listed").mkdir()
    (tmp_path / "listed" / "manifest.json").write_text("[" * 100_000)
    for name in ("empty", "file", "listed", "nowhere"):
        with pytest.raises(InputError, match=r"'DIR' must hold a run, with its manifest\.json"):
            RunFolder.read(tmp_path / name)
    for name in ("", "a\0b"):
        with pytest.raises(InputError, match="'DIR' must be a path"):
            RunFolder.read(name)
    folder = Planted().write(tmp_path / "run")
    (folder / "samples.bin").write_bytes(b"")
    with pytest.raises(InputError, match="'DIR' must hold a measured sample, not none yet"):
        RunFolder.read(folder)
    (folder / "samples.bin").unlink()
    with pytest.raises(InputError, match=r"'DIR' must hold samples\.bin, not none"):
        RunFolder.read(folder)


def test_a_run_whose_every_influence_is_bad_is_refused(tmp_path: Path) -> None:
    planted = Planted()
    planted.influence[:] = 0
    with pytest.raises(InputError, match="'DIR' must hold a sample with finite, nonzero influence"):
        only(planted.write(tmp_path / "run"))


def test_a_run_of_which_no_theory_says_anything_is_refused(tmp_path: Path) -> None:
    planted = Planted()
    planted.prediction = None
    with pytest.raises(InputError, match="'DIR' must hold a run of which some theory says something"):
        only(planted.write(tmp_path / "run", with_kernels=False, told=None))


@pytest.mark.parametrize(
    "name", ["report.json", "prediction.json", "prediction.npy", "kernels.npy", "deviations.npy", "sums.npz"]
)
def test_damaged_files_are_refused_by_name(tmp_path: Path, name: str) -> None:
    folder = Planted(samples=9).write(tmp_path / "run", until=4 if name == "sums.npz" else None)
    whole = (folder / name).read_bytes()
    for content in (whole[: len(whole) // 2], b"", b"[1, 2]"):
        (folder / name).write_bytes(content)
        with pytest.raises(InputError, match=f"'DIR' must hold a whole {name}, not a damaged one"):
            only(folder)


@pytest.mark.parametrize(("part", "value"), [("mixing", 1.5), ("mixing", -0.25), ("influence", -1.0)])
def test_numbers_that_no_model_has_are_refused(tmp_path: Path, part: str, value: float) -> None:
    planted = Planted()
    getattr(planted, part)[2, ..., 3] = value
    with pytest.raises(InputError, match=r"'DIR' must hold lambda in \[0, 1\] .* not others in sample 3"):
        only(planted.write(tmp_path / "run"))


def test_a_sample_that_is_too_large_for_a_sum_is_left_out_by_name(tmp_path: Path) -> None:
    planted = Planted()
    planted.influence[2] = 1e308
    found = only(planted.write(tmp_path / "run")).profiles
    assert (found.numbers, found.excluded) == ((1, 2, 4, 5), ((3, "influence too large for a sum"),))


def test_the_mean_kernel_is_left_out_where_it_is_of_other_samples(tmp_path: Path) -> None:
    """All variants are of the same samples, and of a mean no sample can be taken away."""
    planted = Planted()
    planted.influence[2] = 0
    found = only(planted.write(tmp_path / "run"))
    assert found.profiles.left_out == {
        "residual, mean kernel": "the mean kernel is of all 5 samples, and 4 of them are compared"
    }
    assert found.averaging is not None and found.averaging.samples == 5


@pytest.mark.parametrize("part", ["model", "input"])
@pytest.mark.parametrize("value", [None, 3, "x", [1]])
def test_a_prediction_of_another_kind_is_refused(tmp_path: Path, part: str, value: Any) -> None:
    folder = Planted().write(tmp_path / "run")
    change(folder / "prediction.json", **{part: value})
    with pytest.raises(InputError, match=r"'DIR' must hold a whole prediction\.json, not a damaged one"):
        only(folder)


@pytest.mark.parametrize("name", ["kernels.npy", "deviations.npy", "prediction.npy"])
def test_arrays_of_another_shape_are_refused(tmp_path: Path, name: str) -> None:
    folder = Planted().write(tmp_path / "run")
    np.save(folder / name, np.load(folder / name)[..., :-1])
    with pytest.raises(InputError, match=f"'DIR' must hold a whole {name}, not a damaged one"):
        only(folder)


@pytest.mark.parametrize("spoil", ["negative", "sum", "later", "nan"])
def test_means_that_are_no_kernels_are_refused(tmp_path: Path, spoil: str) -> None:
    folder = Planted().write(tmp_path / "run")
    means = np.load(folder / "kernels.npy")
    means[1, 3, {"later": 5}.get(spoil, 2)] = {"negative": -0.1, "sum": 0.9, "later": 0.1, "nan": np.nan}[spoil]
    np.save(folder / "kernels.npy", means)
    with pytest.raises(InputError, match=r"'DIR' must hold a whole kernels\.npy"):
        only(folder)


@pytest.mark.parametrize(
    "told",
    [
        [{"kind": "alibi", "slopes": [0.5]}],  # of two layers
        [{"kind": "alibi", "slopes": [-1.0]}] * 2,
        [{"kind": "alibi"}] * 2,
        [{"kind": "__import__('os')"}] * 2,
        [{"kind": "window", "width": "3", "slope": 0}] * 2,
    ],
)
def test_an_architecture_that_no_audit_tells_is_refused(tmp_path: Path, told: list[Any]) -> None:
    with pytest.raises(InputError, match=r"'DIR' must hold a whole report\.json"):
        only(Planted().write(tmp_path / "run", told=told))
