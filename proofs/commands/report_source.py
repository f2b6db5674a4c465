"""What a report is about: whatever ``posbias profile`` takes, or a folder that ``posbias measure`` has filled."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numeric.refuse import InputError, flag, refusal, shown
from proofs.commands.options import Typed, renamed
from proofs.commands.setting import DEFAULT_LENGTH, Given, Setting, read_mixing, read_slopes, resolve
from proofs.output import printable

if TYPE_CHECKING:
    from numeric.kernel import Kernel

__all__ = ["Subject", "is_run", "read_subject"]

REPORT, MANIFEST = "report.json", "manifest.json"
LARGEST = 1 << 28  # bytes of a report.json


@dataclass(frozen=True)
class Subject:
    """A setting, and the influence that was measured of it: {source, values}, None where there is none.

    comparison : of theories with the samples of a measured run, as ``posbias compare --json`` has it; no_comparison :
    why there is none of a run.
    """

    setting: Setting
    measured: dict[str, Any] | None
    comparison: dict[str, Any] | None = None
    no_comparison: str | None = None


def read_subject(given: Given, against: str | None, typed: Typed) -> Subject:
    """The subject that the options name; refused before work starts. against : as for ``posbias profile``."""
    if given.source is not None and is_run(given.source):
        return _measured(Path(given.source), given, against, typed)
    setting = resolve(given, typed)
    return Subject(setting, _influence(setting, against))


def is_run(source: str) -> bool:
    """Whether it is a folder that ``posbias measure`` has made, and no model."""
    try:
        folder = Path(source)
        return folder.is_dir() and (folder / MANIFEST).is_file() and not (folder / "config.json").exists()
    except (OSError, ValueError):
        return False


def _influence(setting: Setting, against: str | None) -> dict[str, Any] | None:
    """What --against names; without it, of BLOOM-176B as it was measured, that measurement."""
    from numeric.published import measured_influence
    from proofs.commands.against import MEASURED, influence_for

    if against is not None:
        source = "measured influence of BLOOM-176B" if against == "measured" else printable(Path(against).name)
        return {"source": source, "values": influence_for(against, setting).tolist()}
    if setting.source != MEASURED:
        return None
    values = measured_influence(MEASURED).tolist()
    return {"source": "measured influence of BLOOM-176B", "values": values} if len(values) == setting.length else None


# --- a measured model -------------------------------------------------------------------------------------------------


def _measured(folder: Path, given: Given, against: str | None, typed: Typed) -> Subject:
    """λ, influence and, where the run says them, the kernels of its architecture; else those of --heads or --slope."""
    _require_plain(given, against, typed)
    try:
        said = _Said.of(_report(folder))
        heads, slopes, text, kernels = _kernels(said, given, typed)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise _no_report(folder) from None
    mixing = _mixing_of(said.lam) if given.lam is None else read_mixing(given.lam, len(said.lam))
    setting = Setting(str(folder), said.length, len(said.lam), heads, slopes, text, kernels, mixing)
    source = f"measured influence of {printable(said.name)}"
    measured = None if said.influence is None else {"source": source, "values": said.influence}
    return Subject(setting, measured, *_comparison(folder))


def _comparison(folder: Path) -> tuple[dict[str, Any] | None, str | None]:
    """Theories beside what was measured, with the draws and the seed of ``posbias compare``; or why there are none."""
    from numeric.model.comparing import compare
    from proofs.commands.compare import distances_json

    try:
        (found,) = compare([folder]).runs
    except InputError as why:
        return None, str(why)
    profiles = found.profiles
    return distances_json(found.all_tokens, profiles.left_out, profiles.fixed), None


@dataclass(frozen=True)
class _Said:
    """What a report.json says, as far as it is shown: n, λ, influence, the model's name, kernels as JSON."""

    length: int
    lam: list[float]
    influence: list[float] | None
    name: str
    kernels: Any

    @staticmethod
    def of(found: dict[str, Any]) -> _Said:
        """Raises AttributeError, KeyError, TypeError or ValueError for what no run has said."""
        means, length = found["influence"]["mean_of_norms"], found["length"]
        influence = None if means is None else [float(x) for x in means["profile"]]
        if type(length) is not int or (influence is not None and not _is_influence(influence, length)):
            raise ValueError("length")
        lam = [float(x) for x in found["lambda"]["layers"]]
        kernels = (found.get("architecture") or {}).get("kernels")
        return _Said(length, lam, influence, str(found["manifest"]["model"]["source"]), kernels)


def _is_influence(values: list[float], length: int) -> bool:
    return len(values) == length and all(0 <= x < math.inf for x in values) and max(values) > 0


def _require_plain(given: Given, against: str | None, typed: Typed) -> None:
    """Refuses what a measured run has of its own."""
    own = {
        typed.name("-n", "--length"): given.length, typed.name("-T", "--layers"): given.layers,
        "--against": against, "--family": given.family,
    }  # fmt: skip
    for name, value in own.items():
        if value is not None:
            raise refusal(name, "be left out for a measured run, which has its own", value)
    if given.random_init:
        raise flag("--random-init", "be left out for a measured run", "given")


def _report(folder: Path) -> dict[str, Any]:
    """The summary of a run that is complete."""
    path = folder / REPORT
    if not path.is_file():
        requirement = "hold a run that is complete, with its report.json (posbias measure goes on with it)"
        raise flag("SOURCE", requirement, "another", shown(str(folder)))
    try:
        if path.stat().st_size > LARGEST:
            raise flag("SOURCE", "hold a report.json of at most 256 MiB", "a longer one", shown(str(folder)))
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, RecursionError, UnicodeDecodeError, json.JSONDecodeError):
        raise _no_report(folder) from None
    if not isinstance(found, dict):
        raise _no_report(folder)
    return found


def _no_report(folder: Path) -> InputError:
    return flag("SOURCE", "hold a report.json that posbias measure wrote", "another", shown(str(folder)))


def _mixing_of(lam: list[float]) -> Any:
    """λ as it was measured, in [0, 1]; what is none is refused as one of the folder."""
    from numeric.schedule import mixing_values

    with renamed(lam="SOURCE"):
        return mixing_values(lam, len(lam))


def _kernels(said: _Said, given: Given, typed: Typed) -> tuple[int, str, str, list[Kernel]]:
    """(H, slopes, their text, kernels): what the run says, or what the options say where it says nothing."""
    from numeric.kernel import Alibi
    from numeric.model.architecture import kernel_from

    told, layers, n = said.kernels, len(said.lam), said.length
    if told is None:
        if given.heads is None and given.slope is None:
            raise flag("--heads", "be given (or --slope) for a run that does not say its kernels", "left out")
        heads, slopes, kind, text = read_slopes(replace(given, source=None, length=str(DEFAULT_LENGTH)), typed)
        return heads, kind, text, [Alibi(slopes)] * layers
    for name, value in (("--heads", given.heads), ("--slope", given.slope), ("--slopes", given.slopes)):
        if value is not None:
            raise refusal(name, "be left out for a run that says its own kernels", value)
    if len(told) != layers:
        raise ValueError("one kernel per layer")
    made = {str(kernel): kernel_from(kernel) for kernel in told}  # layers that agree share one object
    kernels = [made[str(kernel)] for kernel in told]
    return _heads(kernels[0], n), "audited", "read from the modules", kernels


def _heads(kernel: Kernel, n: int) -> int:
    """How many heads a kernel of n positions averages, all of them such as a report can show."""
    from numeric.prefix import NotPrefix, float_heads

    try:
        return len(float_heads(kernel, n))
    except NotPrefix as kind:
        raise flag("SOURCE", "have ALiBi or uniform heads for a report", str(kind)) from None
