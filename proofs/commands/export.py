"""``posbias export``: the derivations document, as LaTeX and PDF, or one statement of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from numeric.files import require_writable, write_atomically
from numeric.refuse import flag, refusal
from proofs.commands.options import renamed
from proofs.commands.verify import check_ledger
from proofs.output import Outcome, as_json, note, require_folder

if TYPE_CHECKING:
    from proofs.statement import Report

__all__ = ["Wanted", "run"]


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed, except the seed; None where one was left out."""

    directory: str | None
    only: str | None
    snippet: str | None
    pdf: bool
    figures: bool
    quick: bool
    seed: int
    json: bool


def run(wanted: Wanted) -> Outcome:
    """The files written, or the snippet; code 1 where a statement failed, which the document then says, or LaTeX."""
    return _document(wanted) if wanted.snippet is None else _snippet(wanted, wanted.snippet)


def _snippet(wanted: Wanted, name: str) -> Outcome:
    from proofs.latex import snippet
    from proofs.ledger import LEDGER

    for option, value in (("DIR", wanted.directory), ("--only", wanted.only)):
        if value is not None:
            raise refusal(option, "be left out beside --snippet, which writes no file", value)
    for option, asked in (("--pdf", wanted.pdf), ("--figures", wanted.figures)):
        if asked:
            raise flag(option, "be left out beside --snippet, which writes no file", "given")
    (report,) = _checked([name], "--snippet", wanted)
    text = snippet(LEDGER[name], report)
    shown = as_json({"files": [], "id": name, "latex": text}) if wanted.json else text
    return Outcome(shown, int(report.failed))


def _document(wanted: Wanted) -> Outcome:
    from proofs.latex import BIBLIOGRAPHY, FILE, export
    from proofs.latex_front import Gathered
    from proofs.latex_pictures import PICTURES, draw_pictures
    from proofs.ledger import LEDGER
    from proofs.pdf import LatexError, compiled_pdf, require_latex
    from proofs.versions import versions

    if wanted.directory is None:
        raise flag("DIR", "be given", "left out")
    source = require_folder(wanted.directory, "DIR") / FILE
    pdf = source.with_suffix(".pdf")
    if wanted.pdf:
        require_latex("--pdf")
    if source.parent.exists():
        pictures = [source.parent / file for file in PICTURES] if wanted.figures else []
        for target in (source, source.with_name(BIBLIOGRAPHY), *pictures, *([pdf] if wanted.pdf else [])):
            require_writable(target, "DIR")
    names = None if wanted.only is None else _names(wanted.only)
    reports = _checked(names, "--only", wanted)
    code, error = int(any(report.failed for report in reports)), ""
    try:
        note("writing")
        source.parent.mkdir(parents=True, exist_ok=True)
        gathered = Gathered(wanted.quick, wanted.seed, versions())
        files = export(source.parent, [LEDGER[report.id] for report in reports], reports, gathered)
        pictures = draw_pictures(source.parent) if wanted.figures else []
        files += pictures
        if wanted.pdf:
            note("running LaTeX")
            text = source.read_text(encoding="utf-8")
            write_atomically(pdf, compiled_pdf(text, source.stem, beside=pictures), "DIR")
            files.append(pdf)
    except LatexError as why:
        code, error = 1, f"No PDF was made: {why}"
    finally:
        note("")
    return _outcome(files, code, error, wanted.json)


def _outcome(files: Sequence[Path], code: int, error: str, json: bool) -> Outcome:
    paths = [str(path) for path in files]
    text = as_json({"files": paths, **({"error": error} if error else {})}) if json else "\n".join(paths)
    return Outcome(text, code, error)


def _names(only: str) -> list[str]:
    """The ids between commas, as typed; one that is not in the ledger is refused before work starts."""
    return [name.strip() for name in only.split(",")]


def _checked(names: Sequence[str] | None, option: str, wanted: Wanted) -> tuple[Report, ...]:
    """The reports in reading order."""
    with renamed(ID=option):
        return check_ledger(names or (), quick=wanted.quick, seed=wanted.seed)
