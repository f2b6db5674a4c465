"""What a run has measured so far, in a folder: one record per sample, appended as it is measured, and running sums.

    manifest.json   everything that determines the result; a run goes on only where all of it is the same
    samples.bin     records of one size, sample after sample, each with a checksum; `record_type` is its layout
    sums.npz        sums over samples of what is too large to keep for each one (attention kernels), how many they hold

A record is on the disk before the next batch begins. What an interruption cut short, in the last record, is dropped and
measured again. Batches begin at multiples of their size whatever happened before, so that a sample always has the same
batch mates and a run that was resumed writes the bytes of one that was not.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from numeric.files import drafts, open_atomically, write_atomically
from numeric.refuse import flag, shown

__all__ = [
    "FORMAT", "FREE", "RECORDS", "ROLLOUTS", "SUMS", "Store", "is_whole", "read_manifest", "record_type", "records",
    "require_place", "require_same",
]  # fmt: skip

FORMAT = 2  # of what is kept in the folder; 1 had of the rollouts only the first
MANIFEST, RECORDS, SUMS = "manifest.json", "samples.bin", "sums.npz"
ROLLOUTS = ("rollout", "attention_only", "half", "by_position", "value_weighted")
FREE = ("source", "threads")  # of the manifest: may differ between a run and its continuation
NAME = "--out"
_CHUNK = 64  # records that are read at once


def record_type(layers: int, length: int, heads: int | None = None, version: int = FORMAT) -> np.dtype[Any]:
    """A record: sample (from 0); tokens (n,); target, the token whose probability is differentiated; mixing (T, n), λ;
    influence (n,), gradient norms; with heads, of measured kernels: rollout (n,), last row of the product of
    (1 − λ_t) I + λ_t A_t with this sample's own λ_t (mean over positions) and head averages A_t, content (T, H, 2),
    mean scaled q·k on and off the diagonal, and further rollouts (n,): attention_only (λ_t = 1), half (λ_t = ½),
    by_position (row i with λ_t(i)), value_weighted (the value-weighted A_t); check, the CRC-32 of the bytes before it.
    version : the manifest's format.
    """
    measured: list[Any] = [
        ("sample", "<i8"), ("tokens", "<i8", (length,)), ("target", "<i8"), ("mixing", "<f8", (layers, length)),
        ("influence", "<f8", (length,)),
    ]  # fmt: skip
    if heads is not None:
        measured += [("rollout", "<f8", (length,)), ("content", "<f8", (layers, heads, 2))]
        measured += [(name, "<f8", (length,)) for name in ROLLOUTS[1:]] if version > 1 else []
    return np.dtype([*measured, ("check", "<u4")])


def require_place(folder: str | Path) -> Path:
    """The folder, if a run can be kept there: new, empty, or with a run in it. Nothing is made.

    Raises InputError for anything else, before a model is loaded.
    """
    place, path = shown(str(folder)), Path(folder)
    if not str(folder) or "\0" in str(folder):
        raise flag(NAME, "be a path", place)
    try:
        if not path.exists():
            above = next(p for p in (path.absolute(), *path.absolute().parents) if p.exists())
            if not (above.is_dir() and os.access(above, os.W_OK | os.X_OK)):
                raise flag(NAME, "be a folder that can be made", "this", place)
        elif not path.is_dir():
            raise flag(NAME, "be a folder", "a file", place)
        elif not os.access(path, os.W_OK | os.X_OK):
            raise flag(NAME, "be a folder that can be written", "this", place)
        elif not (path / MANIFEST).is_file() and set(path.iterdir()) - {*drafts(path), *_barely_begun(path)}:
            raise flag(NAME, "be a new or empty folder, or one with a run to go on with", "another", place)
    except OSError as error:
        raise flag(NAME, "be the name of a folder", f"this ({error.strerror})", place) from None
    return path


def _barely_begun(folder: Path) -> list[Path]:
    """An empty file of records: what a run leaves that was stopped before its manifest was written."""
    file = folder / RECORDS
    return [file] if file.is_file() and file.stat().st_size == 0 else []


def read_manifest(folder: str | Path, name: str = NAME) -> dict[str, Any]:
    """The manifest of the run in a folder. Raises InputError, of the argument ``name``, where there is none."""
    path = Path(folder) / MANIFEST
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise flag(name, "hold a run, with its manifest.json", "this", shown(str(folder)))
    return found


def records(folder: str | Path, kind: np.dtype[Any], name: str = NAME) -> Iterator[Any]:
    """Every whole record of a run, in the order of samples, a few in memory at a time.

    Raises InputError, of the argument ``name``, for one that is damaged, or not where its number says.
    """
    number = 0
    with (Path(folder) / RECORDS).open("rb") as file:
        while chunk := file.read(_CHUNK * kind.itemsize):
            for record in np.frombuffer(chunk[: len(chunk) // kind.itemsize * kind.itemsize], dtype=kind):
                if not is_whole(record, number):
                    raise flag(name, "hold whole records", f"a damaged one, sample {number + 1}", shown(str(folder)))
                yield record
                number += 1


class Store:
    """A run in a folder, open for more samples; use it in a ``with`` block.

    ``measured`` records are whole; ``summed`` samples are in ``sums``. The next batch to measure begins at or below the
    smaller of the two; samples that are there already are not written twice.
    """

    def __init__(self, folder: str | Path, manifest: Mapping[str, Any], kind: np.dtype[Any], *, summing: bool) -> None:
        """Makes the folder, or goes on in it. Raises InputError where another run is kept there, naming what differs,
        or where it is in use.
        """
        self.folder, self.kind = require_place(folder), kind
        require_same(self.folder, manifest)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._file = _locked(self.folder / RECORDS)
        try:
            # only now: until we have the folder alone, another run may begin in it, or add to its sums
            self.manifest = self._begun(manifest)
            self.sums: dict[str, NDArray[np.float64]] = {}
            self.summed = self._read_sums() if summing else None
            self.measured = self._whole()
        except BaseException:
            self._file.close()
            raise
        for draft in drafts(self.folder):  # of a process that was killed: we alone write here now
            draft.unlink(missing_ok=True)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self._file.close()
        except OSError:  # what a full disk did not take is tried once more
            if kind is None:
                raise

    def _begun(self, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """The manifest that is kept there, written if there is none."""
        if (self.folder / MANIFEST).is_file():
            return _same(read_manifest(self.folder), manifest, self.folder)
        text = json.dumps(manifest, indent=2, allow_nan=False) + "\n"
        write_atomically(self.folder / MANIFEST, text.encode(), NAME)
        return dict(manifest)

    @property
    def ready(self) -> int:
        """Samples of which everything is there."""
        return self.measured if self.summed is None else min(self.measured, self.summed)

    def append(self, batch: Iterator[Mapping[str, Any]], first: int) -> None:
        """The samples first, first + 1, …, on the disk when this returns. Raises InputError where it is full."""
        for number, fields in enumerate(batch, start=first):
            if number < self.measured:
                continue
            record = np.zeros((), dtype=self.kind)
            for name, value in {**fields, "sample": number}.items():
                record[name] = value
            record["check"] = _checksum(record)
            self._write(record.tobytes())
            self.measured += 1

    def _write(self, content: bytes) -> None:
        try:
            self._file.write(content)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise flag(NAME, "be writable", f"closed to us ({error.strerror})", shown(str(self.folder))) from None

    def keep_sums(self, sums: Mapping[str, NDArray[np.float64]], end: int) -> None:
        """The sums over samples 0 … end − 1, in place of the earlier ones in one step and without a copy in memory."""
        with open_atomically(self.folder / SUMS, NAME) as out:
            arrays: dict[str, Any] = {**sums, "count": np.int64(end)}
            np.savez(out, **arrays)
        self.sums, self.summed = dict(sums), end

    def records(self) -> Iterator[Any]:
        return records(self.folder, self.kind)

    def _whole(self) -> int:
        """How many records are whole; what the last one lacks, or has wrong, is cut off."""
        size = self.kind.itemsize
        whole = os.fstat(self._file.fileno()).st_size // size
        if whole:
            self._file.seek((whole - 1) * size)
            last = np.frombuffer(self._file.read(size), dtype=self.kind)[0]
            whole -= int(not is_whole(last, whole - 1))
        self._file.truncate(whole * size)
        self._file.seek(0, os.SEEK_END)
        return whole

    def _read_sums(self) -> int:
        path = self.folder / SUMS
        if not path.exists():
            return 0
        try:
            with np.load(path, allow_pickle=False) as found:
                count = int(found["count"])
                self.sums = {name: found[name] for name in found.files if name != "count"}
        except Exception:  # a damaged archive makes NumPy fail in many ways
            raise flag(NAME, "hold whole sums", "a damaged sums.npz", shown(str(self.folder))) from None
        return count


def is_whole(record: Any, number: int) -> bool:
    """Whether a record is that of sample ``number``, from 0, as it was written."""
    return bool(record["sample"] == number and record["check"] == _checksum(record))


def _checksum(record: Any) -> int:
    return zlib.crc32(record.tobytes()[: -record.dtype["check"].itemsize])


def _locked(path: Path) -> IO[bytes]:
    """The file of records for reading and appending, held by us alone where the system has such locks."""
    file = path.open("a+b")
    try:
        import fcntl
    except ImportError:  # Windows
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise flag(NAME, "be used by one run at a time", "by two", shown(str(path.parent))) from None
    except OSError:  # a file system without locks
        pass
    return file


def require_same(folder: Path, part: Mapping[str, Any]) -> None:
    """Refuses a folder with a run whose manifest differs from ``part`` where that says something."""
    if (folder / MANIFEST).is_file():
        kept = read_manifest(folder)
        _same({key: kept.get(key) for key in part}, part, folder)


def _same(kept: dict[str, Any], wanted: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The manifest that is kept, if it is that of the run which is wanted."""
    there, here = (dict(_flat(one)) for one in (kept, wanted))
    different = [
        f"{key}: {shown(there.get(key))} there, {shown(here.get(key))} here"
        for key in [*there, *(key for key in here if key not in there)]
        if key.split(".")[-1] not in FREE and there.get(key) != here.get(key)
    ]
    if different:
        more = f"; and {len(different) - 3} more" if len(different) > 3 else ""
        found = f"another run ({'; '.join(different[:3])}{more})"
        raise flag(NAME, "be a new folder or hold this run", found, shown(str(folder)))
    return kept


def _flat(value: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, one in value.items():
        if isinstance(one, Mapping):
            yield from _flat(one, f"{before}{key}.")
        else:
            yield f"{before}{key}", one
