"""``posbias report``: one HTML file that shows an architecture, or a measured model, and recomputes it in the page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numeric.files import write_atomically
from numeric.refuse import flag, refusal
from proofs.commands.options import Typed, renamed
from proofs.commands.report_source import Subject, read_subject
from proofs.commands.setting import Given, Setting
from proofs.output import Outcome, as_json, note, printable, require_file, require_replaceable, table

if TYPE_CHECKING:
    from numeric.schedule import Schedule
    from proofs.report.setting import Start

__all__ = ["Wanted", "run"]

OUT = "--out"


@dataclass(frozen=True)
class Wanted:
    """The options beside those that say what the report is about."""

    against: str | None
    out: str | None
    json: bool


def run(given: Given, typed: Typed, wanted: Wanted) -> Outcome:
    """Writes the page, last of all, and says what is in it."""
    from proofs.report.build import require_library
    from proofs.report.setting import Sizes, start
    from proofs.report.statements import require_mathml

    target = _target(wanted.out, given.source, wanted.against, typed)
    _require_ranges(given, typed)
    require_mathml()
    require_library()
    subject = read_subject(given, wanted.against, typed)
    setting = subject.setting
    sizes = (("-n", "--length"), ("-T", "--layers"), ("--heads",))
    names = Sizes(*(_size_name(spelled, given.source, typed) for spelled in sizes))
    with renamed(kernels="SOURCE"):
        first = start(setting.kernels, setting.lam, setting.length, _rule(given.lam), names)
    text = _page(subject, first)
    write_atomically(target, text.encode(), OUT)
    told = _told(setting, subject, target, len(text.encode()))
    return Outcome(as_json({**told, "state": first.state}) if wanted.json else _text(told))


def _require_ranges(given: Given, typed: Typed) -> None:
    """Refuses sizes that no page takes; those of SOURCE, and all together, are looked at when they are known."""
    from proofs.report.setting import LIMITS

    for value, name, spelled in (
        (given.length, "length", ("-n", "--length")),
        (given.layers, "layers", ("-T", "--layers")),
        (given.heads, "heads", ("--heads",)),
    ):
        typed.whole(value, 1, LIMITS[name], *spelled)


def _target(out: str | None, source: str | None, against: str | None, typed: Typed) -> Path:
    """The file to write: new, or a report that is replaced."""
    from proofs.report.build import BEGINS

    name = typed.name("-o", OUT)
    if out is None:
        raise flag(name, "be given", "left out")
    target = require_file(out, name)
    if target.suffix.lower() not in (".html", ".htm"):
        raise refusal(name, "end in .html", out)
    for other, path in (("SOURCE", source), ("--against", against)):
        if path is not None and Path(path).resolve() == target.resolve():
            raise refusal(name, f"be another file than {other}", out)
    require_replaceable(target, name, BEGINS, "a report")
    return target


def _size_name(spelled: tuple[str, ...], source: str | None, typed: Typed) -> str:
    """What the user can change: the option, or SOURCE where that has the size."""
    name = typed.name(*spelled)
    return name if source is None or any(word.startswith(name) for word in typed.words) else "SOURCE"


def _rule(lam: str | None) -> Schedule | None:
    """The schedule of --lam."""
    if lam is None:
        return None
    from numeric.schedule import read_schedule

    return read_schedule(lam)


def _page(subject: Subject, first: Start) -> str:
    from proofs.report.build import page
    from proofs.report.statements import statements
    from proofs.versions import installed

    note("checking derivations")
    try:
        beside = statements()
    finally:
        note("")
    setting = subject.setting
    data = {
        "source": {"name": _name(setting), "slopes": setting.slopes_text, "length": setting.length},
        "initial": first.state,
        "given": first.given,
        "measured": subject.measured,
        "comparison": subject.comparison,
    }
    return page(data, beside, title=f"Position bias of {_name(setting)}", version=installed("posbias"))


def _name(setting: Setting) -> str:
    """What the page calls its source: no folders of whoever made it."""
    return "an architecture" if setting.source == "options" else printable(Path(setting.source).name)


def _told(setting: Setting, subject: Subject, target: Path, size: int) -> dict[str, Any]:
    from numeric.shape import effective_depth
    from proofs.report.statements import PARTS

    return {
        "source": setting.source, "length": setting.length, "layers": setting.layers, "heads": setting.heads,
        "effective_depth": effective_depth(setting.lam),
        "measured": None if subject.measured is None else subject.measured["source"],
        "nearest": None if subject.comparison is None else subject.comparison["nearest"],
        "comparison_left_out": subject.no_comparison,
        "statements": list(PARTS),
        "file": str(target), "bytes": size,
    }  # fmt: skip


def _text(told: dict[str, Any]) -> str:
    rows = [
        ("source", printable(told["source"])),
        ("length", str(told["length"])),
        ("layers", str(told["layers"])),
        ("heads", str(told["heads"])),
        ("effective depth", f"{told['effective_depth']:.3f}"),
        ("measured", told["measured"] or "nothing"),
        *_compared(told),
        ("statements", f"{len(told['statements'])}, their derivations checked"),
        ("written", f"{printable(told['file'])}, {told['bytes'] / 1000:.0f} kB"),
    ]
    return table(rows)


def _compared(told: dict[str, Any]) -> list[tuple[str, str]]:
    """Of a measured run, which theory is nearest, or why none was compared."""
    if told["nearest"] is not None:
        return [("nearest", told["nearest"])]
    return [] if told["comparison_left_out"] is None else [("compared", f"nothing: {told['comparison_left_out']}")]
