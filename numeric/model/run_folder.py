"""A folder that ``posbias measure`` has filled, read without a model: finished, interrupted, or being written.

    run = RunFolder.read("measured")
    run.measured, run.asked          # samples that are there, of so many
    for record in run.records(): …   # as `numeric.model.store.record_type` has them

What a finished run has besides (its report, kernels, deviations) and what ``posbias predict`` has put beside it are
None where they are not there; whoever needs them says why they are missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.model.store import FORMAT, RECORDS, SUMS, is_whole, read_manifest, record_type, records
from numeric.refuse import InputError, flag, shown

__all__ = ["NAME", "NO_KERNELS", "OLDER", "TARGETS", "RunFolder"]

FloatArray = NDArray[np.float64]
NAME = "DIR"
TARGETS = ("prob", "logprob", "logit")  # those of `numeric.model.influence`
NO_KERNELS = "measured without --kernels"
OLDER = "the folder is of an older format, which does not keep it"
MOST = 2**31  # bytes of one record: a manifest with other numbers is none of ours


@dataclass(frozen=True, eq=False)
class RunFolder:
    """folder, as it was given. measured : whole records, of ``asked``. torn : whether a last one was cut short.

    in_use : whether a run is writing. kind : of the records, format ``version``.
    """

    folder: Path
    manifest: dict[str, Any]
    version: int
    kind: np.dtype[Any]
    measured: int
    torn: bool
    in_use: bool

    @staticmethod
    def read(folder: str | Path) -> RunFolder:
        """Raises InputError, of the argument DIR, for a folder without a run, or whose run has no whole sample."""
        place = Path(folder)
        if not str(folder) or "\0" in str(folder):
            raise flag(NAME, "be a path", shown(str(folder)))
        manifest = read_manifest(place, NAME)
        version, kind = _kind(manifest, place)
        in_use = _in_use(place / RECORDS)
        measured, torn = _whole(place, kind)
        if not measured:
            raise flag(NAME, "hold a measured sample", "none yet", shown(str(folder)))
        return RunFolder(place, manifest, version, kind, min(measured, manifest["samples"]), torn, in_use)

    @property
    def length(self) -> int:
        return int(self.manifest["length"])

    @property
    def layers(self) -> int:
        return int(self.manifest["model"]["layers"])

    @property
    def heads(self) -> int:
        return int(self.manifest["model"]["heads"])

    @property
    def asked(self) -> int:
        return int(self.manifest["samples"])

    @property
    def target(self) -> str:
        return str(self.manifest["target"])

    @property
    def kernels(self) -> bool:
        """Whether attention kernels were to be measured."""
        return bool(self.manifest["kernels"])

    @property
    def complete(self) -> bool:
        return self.measured == self.asked

    @property
    def roundoff(self) -> float:
        """u of the type in which gradients were taken."""
        return float(2.0**-53 if self.manifest["model"].get("dtype") == "float64" else 2.0**-24)

    def records(self) -> Iterator[Any]:
        """Of samples 1, 2, …, a few in memory at a time. Raises InputError for a damaged one, or with numbers that no
        model has (λ outside [0, 1], a negative norm); NaN and infinite ones are for the reader to leave out.
        """
        for record in islice(records(self.folder, self.kind, NAME), self.measured):
            mixing, norms = record["mixing"], record["influence"]
            if (mixing < 0).any() or (mixing > 1).any() or (norms < 0).any():
                number = int(record["sample"]) + 1
                raise self.lacking("lambda in [0, 1] and norms of at least 0", f"others in sample {number}")
            yield record

    def json(self, name: str) -> dict[str, Any] | None:
        """What a JSON file of the folder holds, None where there is none. Raises InputError for a damaged one."""
        path = self.folder / name
        if not path.is_file():
            return None
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self.damaged(name)
        return found

    def array(self, name: str, shape: tuple[int, ...]) -> FloatArray | None:
        """A float64 array of the folder, read as it is used; None where there is none.

        Raises InputError for a damaged one, or of another shape.
        """
        path = self.folder / name
        if not path.is_file():
            return None
        try:
            found = np.load(path, allow_pickle=False, mmap_mode="r")
        except Exception:  # NumPy fails in many ways
            raise self.damaged(name) from None
        if not isinstance(found, np.ndarray) or found.shape != shape or found.dtype != np.float64:
            raise self.damaged(name)
        return found

    def sums(self) -> dict[str, FloatArray] | None:
        """Sums of kernels (T, n, n) over samples with their ``count``, as an interrupted run has them, and ``counts``
        (T,) of finite ones. Raises InputError for a damaged file, or for arrays that are none of these.
        """
        path = self.folder / SUMS
        if not path.is_file():
            return None
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
                arrays = {name: found[name] for name in ("kernels", "counts", "count")}
        except Exception:
            raise self.damaged(SUMS) from None
        layers, n = self.layers, self.length
        if [(one.shape, one.dtype.kind) for one in arrays.values()] != [
            ((layers, n, n), "f"), ((layers,), "f"), ((), "i"),
        ]:  # fmt: skip
            raise self.damaged(SUMS)
        return arrays

    def lacking(self, what: str, found: str) -> InputError:
        return flag(NAME, f"hold {what}", found, shown(str(self.folder)))

    def damaged(self, name: str) -> InputError:
        return flag(NAME, f"hold a whole {name}", "a damaged one", shown(str(self.folder)))


def _kind(manifest: dict[str, Any], place: Path) -> tuple[int, np.dtype[Any]]:
    """The format and the type of records. Raises InputError for a manifest that no version of posbias has written."""
    model, source = manifest.get("model"), manifest.get("input")
    version = manifest.get("format")
    whole = isinstance(model, dict) and isinstance(source, dict) and type(manifest.get("kernels")) is bool
    whole = whole and manifest.get("target") in TARGETS
    numbers = [manifest.get("length"), manifest.get("samples"), *((model or {}).get(x) for x in ("layers", "heads"))]
    if not whole or not all(type(x) is int and x >= 1 for x in numbers):
        raise flag(NAME, "hold a run of posbias measure", "a manifest.json of something else", shown(str(place)))
    if type(version) is not int or version not in range(1, FORMAT + 1):
        raise flag(NAME, f"have a format from 1 to {FORMAT}", shown(version), shown(str(place)))
    length, _, layers, heads = (int(x) for x in numbers if x is not None)
    if length < 2:
        raise flag(NAME, "hold samples of at least 2 positions", str(length), shown(str(place)))
    if 8 * length * (layers + 8) + 16 * layers * heads > MOST:
        raise flag(NAME, "hold records of at most 2 GiB", "larger ones", shown(str(place)))
    return version, record_type(layers, length, heads if manifest["kernels"] else None, version)


def _whole(place: Path, kind: np.dtype[Any]) -> tuple[int, bool]:
    """How many records to read: a last one that was cut short, or is not on the disk yet, is not there."""
    try:
        size = (place / RECORDS).stat().st_size
        whole = size // kind.itemsize
        torn = size % kind.itemsize != 0
        if whole:
            with (place / RECORDS).open("rb") as file:
                file.seek((whole - 1) * kind.itemsize)
                last = np.frombuffer(file.read(kind.itemsize), dtype=kind)[0]
            if not is_whole(last, whole - 1):
                whole, torn = whole - 1, True
    except OSError as error:
        raise flag(NAME, "hold samples.bin", f"none ({error.strerror})", shown(str(place))) from None
    return whole, torn


def _in_use(path: Path) -> bool:
    """Whether a run holds the file of records; asked without waiting, and given back at once."""
    try:
        import fcntl

        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except (ImportError, OSError):  # no such locks here, or no file
        pass
    return False
