"""The folder of a run: what an interruption leaves, what is gone on with, and what is refused untouched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numeric.model.store import ROLLOUTS, Store, record_type, require_place
from numeric.refuse import InputError

KIND = record_type(2, 5, 3)  # T = 2, n = 5, H = 3
MANIFEST = {"model": {"source": "a", "layers": 2}, "seed": 0, "threads": 2}


def sample(number: int) -> dict[str, Any]:
    rng = np.random.default_rng(number)
    shapes = {"mixing": (2, 5), "influence": (5,), "content": (2, 3, 2), **dict.fromkeys(ROLLOUTS, (5,))}
    return {"tokens": rng.integers(99, size=5), "target": number, **{k: rng.random(v) for k, v in shapes.items()}}


def opened(folder: Path, manifest: dict[str, Any] = MANIFEST, *, summing: bool = False) -> Store:
    return Store(folder, manifest, KIND, summing=summing)


def filled(folder: Path, count: int) -> bytes:
    with opened(folder) as store:
        store.append(iter([sample(s) for s in range(store.measured, count)]), store.measured)
    return (folder / "samples.bin").read_bytes()


def test_records_read_back_bit_for_bit(tmp_path: Path) -> None:
    assert len(filled(tmp_path / "run", 3)) == 3 * KIND.itemsize
    with opened(tmp_path / "run") as store:
        found = list(store.records())
    assert [int(record["sample"]) for record in found] == [0, 1, 2]
    for number, record in enumerate(found):
        for name, value in sample(number).items():
            assert np.array_equal(record[name], value)


@pytest.mark.parametrize("cut", [1, 7, KIND.itemsize // 2, KIND.itemsize - 1, KIND.itemsize])
def test_what_was_cut_short_is_written_again(tmp_path: Path, cut: int) -> None:
    whole = filled(tmp_path / "whole", 4)
    torn = filled(tmp_path / "torn", 3)
    (tmp_path / "torn" / "samples.bin").write_bytes(torn[: len(torn) - cut])
    with opened(tmp_path / "torn") as store:
        assert store.measured == 2
    assert filled(tmp_path / "torn", 4) == whole


@pytest.mark.parametrize("at", [0, 8, KIND.itemsize - 1])
def test_a_last_record_with_wrong_bytes_is_written_again(tmp_path: Path, at: int) -> None:
    """As after a crash of the machine, where a file has its length but not yet its content."""
    content = bytearray(filled(tmp_path / "run", 3))
    whole = bytes(content)
    content[2 * KIND.itemsize + at] ^= 1
    (tmp_path / "run" / "samples.bin").write_bytes(content)
    with opened(tmp_path / "run") as store:
        assert store.measured == 2
    assert filled(tmp_path / "run", 3) == whole


def test_a_record_damaged_within_is_refused_by_its_number(tmp_path: Path) -> None:
    content = bytearray(filled(tmp_path / "run", 3))
    content[KIND.itemsize + 20] ^= 1
    (tmp_path / "run" / "samples.bin").write_bytes(content)
    with opened(tmp_path / "run") as store, pytest.raises(InputError, match="a damaged one, sample 2 "):
        list(store.records())


def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(InputError, match=r"'--out' must be writable, not .*No space"):
        patch.setattr("os.fsync", full)
        Store(tmp_path / "none", MANIFEST, KIND, summing=False)
    filled(tmp_path / "run", 2)
    with monkeypatch.context() as patch, pytest.raises(InputError, match=r"'--out' must be writable, not .*No space"):
        patch.setattr("os.fsync", full)
        filled(tmp_path / "run", 4)
    assert filled(tmp_path / "run", 4) == filled(tmp_path / "whole", 4)


def test_samples_that_are_there_are_not_written_twice(tmp_path: Path) -> None:
    before = filled(tmp_path / "run", 3)
    with opened(tmp_path / "run") as store:
        store.append(iter([sample(s) for s in (1, 2, 3)]), 1)
        assert store.measured == 4
    content = (tmp_path / "run" / "samples.bin").read_bytes()
    assert content[: len(before)] == before
    assert content == filled(tmp_path / "other", 4)


def test_sums_are_kept_with_their_count(tmp_path: Path) -> None:
    with opened(tmp_path / "run", summing=True) as store:
        assert (store.ready, store.sums) == (0, {})
        store.append(iter([sample(0), sample(1)]), 0)
        assert store.ready == 0
        store.keep_sums({"kernels": np.arange(6.0)}, 1)
    with opened(tmp_path / "run", summing=True) as store:
        assert (store.measured, store.summed, store.ready) == (2, 1, 1)
        assert np.array_equal(store.sums["kernels"], np.arange(6.0))
    (tmp_path / "run" / "sums.npz").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"a damaged sums\.npz"):
        opened(tmp_path / "run", summing=True)


def test_drafts_of_a_killed_process_are_cleared_away(tmp_path: Path) -> None:
    whole = filled(tmp_path / "run", 2)
    draft = tmp_path / "run" / ".0123456789abcdef.tmp"
    draft.write_bytes(b"half of the sums")
    assert filled(tmp_path / "run", 2) == whole
    assert not draft.exists()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / draft.name).write_bytes(b"half of a manifest")
    assert filled(tmp_path / "new", 2) == whole


def test_another_run_is_refused_with_what_differs(tmp_path: Path) -> None:
    before = filled(tmp_path / "run", 2)
    other = {**MANIFEST, "model": {"source": "a", "layers": 3}, "seed": 1, "more": "x"}
    says = r"model\.layers: 2 there, 3 here; seed: 0 there, 1 here; more: None there, 'x' here"
    with pytest.raises(InputError, match=says):
        opened(tmp_path / "run", other)
    assert (tmp_path / "run" / "samples.bin").read_bytes() == before
    assert json.loads((tmp_path / "run" / "manifest.json").read_text()) == MANIFEST


def test_source_and_threads_may_differ_and_stay_as_they_were(tmp_path: Path) -> None:
    filled(tmp_path / "run", 2)
    with opened(tmp_path / "run", {**MANIFEST, "model": {"source": "b", "layers": 2}, "threads": 7}) as store:
        assert store.manifest == MANIFEST


def test_a_run_has_its_folder_for_itself(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="no such locks on this system")
    with opened(tmp_path / "run"), pytest.raises(InputError, match="one run at a time"):
        opened(tmp_path / "run")
    filled(tmp_path / "run", 1)


def test_a_run_that_begins_in_the_same_folder_meanwhile_keeps_its_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numeric.model import store as module

    true, folder = module._locked, tmp_path / "run"

    def late(path: Path) -> Any:
        monkeypatch.setattr(module, "_locked", true)
        filled(folder, 2)  # another process, between our first look at the folder and our lock
        return true(path)

    monkeypatch.setattr(module, "_locked", late)
    with pytest.raises(InputError, match="seed: 0 there, 1 here"):
        opened(folder, {**MANIFEST, "seed": 1})
    assert json.loads((folder / "manifest.json").read_text()) == MANIFEST
    with opened(folder) as store:  # not held by the one that was refused
        assert store.measured == 2


def test_a_run_that_was_stopped_before_its_manifest_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "samples.bin").touch()
    assert len(filled(tmp_path / "run", 1)) == KIND.itemsize
    (tmp_path / "run" / "manifest.json").unlink()
    with pytest.raises(InputError, match="be a new or empty folder"):  # records of nobody knows what
        require_place(tmp_path / "run")


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    for attempt in (lambda: require_place(tmp_path), lambda: opened(tmp_path)):
        with pytest.raises(InputError, match="be a new or empty folder, or one with a run"):
            attempt()
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("manifest", [b"", b"[]", b"{", b"\xff"])
def test_a_damaged_manifest_is_refused(tmp_path: Path, manifest: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(manifest)
    with pytest.raises(InputError, match=r"with its manifest\.json"):
        opened(tmp_path)


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert require_place(tmp_path / "new" / "deep") == tmp_path / "new" / "deep"
    assert not (tmp_path / "new").exists()
    for path in (tmp_path / "file", tmp_path / "file" / "below", "a\0b", tmp_path / ("x" * 300)):
        with pytest.raises(InputError, match=r"^Argument '--out' must"):
            require_place(path)
