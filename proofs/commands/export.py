"""``posbias export``: the derivations document."""

from __future__ import annotations

from proofs.commands.verify import check_ledger
from proofs.output import Outcome, as_json, note, require_folder

__all__ = ["run"]


def run(directory: str, *, quick: bool, seed: int, json: bool) -> Outcome:
    """The files written; code 1 where a statement failed, which the document then says."""
    from proofs.latex import export
    from proofs.ledger import LEDGER

    folder = require_folder(directory, "DIR")
    reports = check_ledger((), quick=quick, seed=seed)
    note("writing")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = [str(path) for path in export(folder, tuple(LEDGER.values()), reports)]
    finally:
        note("")
    text = as_json({"files": files}) if json else "\n".join(files)
    return Outcome(text, 1 if any(report.failed for report in reports) else 0)
