"""Files are replaced whole or left as they were."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from numeric.files import require_writable, write_atomically
from numeric.refuse import InputError


def test_writes_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_atomically(path, b"first")
    path.chmod(0o640)
    write_atomically(str(path), b"second")
    assert path.read_bytes() == b"second"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    write_atomically(tmp_path / "ours", b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_leaves_the_old_file_and_nothing_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    if step == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    else:
        monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(
        InputError, match=r"Argument 'csv' must be writable, not closed to us \(No space left on device\)"
    ):
        write_atomically(path, b"new", "csv")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_refused_places(tmp_path: Path) -> None:
    for path, said in (
        (tmp_path, "be a file, not a folder"),
        (tmp_path / "absent" / "a", "lie in a folder that exists"),
        (tmp_path / ("long" * 100), "be the name of a file"),
        (Path(os.devnull), "be a file, not a device"),
    ):
        with pytest.raises(InputError, match=f"Argument 'save' must {said}") as caught:
            require_writable(path, "save")
        assert "\n" not in str(caught.value)
    assert require_writable(tmp_path / "new") == tmp_path / "new"
    assert list(tmp_path.iterdir()) == []


def test_a_closed_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # no folder is closed to root, so the system's answer is given here
    monkeypatch.setattr(os, "access", lambda folder, mode: Path(folder) != tmp_path or mode != os.W_OK | os.X_OK)
    with pytest.raises(InputError, match="Argument 'file' must lie in a folder that can be written, not in "):
        require_writable(tmp_path / "a")
