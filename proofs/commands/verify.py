"""``posbias verify``: the ledger and its evidence as a table."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numeric.files import write_atomically
from numeric.refuse import flag, refusal
from proofs.commands.drop import LATEX_HEAD, as_latex, as_records, as_text, search_statements
from proofs.output import Outcome, as_json, note, printable, require_file, require_replaceable, table
from proofs.recheck import FORMAT

if TYPE_CHECKING:
    from proofs.counterexample import Search
    from proofs.statement import Evidence, Report

__all__ = ["check_ledger", "run"]

KINDS = ("derivation", "exhaustive", "enclosure", "random", "needed", "control")
GOOD = ("proved", "proved_for", "held")
UNIT = {  # what the size of each kind of evidence counts
    "derivation": "step",
    "exhaustive": "vertex",
    "enclosure": "box",
    "random": "case",
    "needed": "case",
    "control": "twin",
}
PLURAL = {"vertex": "vertices", "box": "boxes"}


def run(
    ids: Sequence[str],
    *,
    quick: bool,
    seed: int,
    json: bool,
    drop: bool = False,
    latex: str | None = None,
    certificate: str | None = None,
) -> Outcome:
    """The table or JSON; code 1 where a statement failed.  ``drop`` adds the search for counterexamples;
    ``certificate``: the file that takes what can be checked again, unless a statement failed.
    """
    _require_outputs(drop, latex, certificate)
    started = time.perf_counter()
    reports = check_ledger(ids, quick=quick, seed=seed)
    searches = search_statements([report.id for report in reports], seed=seed) if drop else {}
    seconds = time.perf_counter() - started
    failed = sum(report.failed for report in reports)
    if latex is not None:
        write_atomically(latex, as_latex(searches).encode(), "--latex")
    text = as_json(_json(reports, failed, seconds, searches)) if json else _text(reports, failed, seconds)
    unproved = [report.id for report in reports if report.failed or not _proved(report)]
    said = "" if certificate is None else _certified(certificate, reports, unproved, quick=quick)
    code = 1 if failed or (certificate is not None and unproved) else 0
    return Outcome(text if json else text + as_text(searches), code, said)


def _require_outputs(drop: bool, latex: str | None, certificate: str | None) -> None:
    """The files to write, tried before work starts: what stands there already must be of the same kind."""
    if latex is not None:
        if not drop:
            raise flag("--latex", "come with --drop", "alone")
        require_replaceable(require_file(latex, "--latex"), "--latex", LATEX_HEAD, "what --latex wrote")
    if certificate is not None:
        target = require_file(certificate, "--certificate")
        begins = f'{{"format":"{FORMAT.rstrip("0123456789")}'
        require_replaceable(target, "--certificate", begins, "a certificate")
        if latex is not None and target.resolve() == Path(latex).resolve():
            raise refusal("--certificate", "be another file than --latex", certificate)


def _proved(report: Report) -> bool:
    return all(e.verdict == "proved" for e in report.evidence if e.kind == "derivation")


def _certified(path: str, reports: Sequence[Report], unproved: Sequence[str], *, quick: bool) -> str:
    """Writes the certificate of the statements, and says so; a claim that failed or is not proved has none."""
    if unproved:
        return f"{printable(path)}: not written, {', '.join(unproved)} not proved"
    from proofs.certificate import certificate
    from proofs.ledger import resting_on

    ids = [report.id for report in reports]
    content = certificate(ids, quick=quick)
    write_atomically(path, content, "--certificate")
    besides = [name for name in resting_on(ids) if name not in ids]
    rest = f" and, since they rest on them, {', '.join(besides)}" if besides else ""
    return f"{printable(path)}: {', '.join(ids)}{rest}, {len(content)} bytes"


def check_ledger(ids: Sequence[str], *, quick: bool, seed: int) -> tuple[Report, ...]:
    """The reports of the named statements, or of all; progress on a terminal."""
    from proofs.ledger import LEDGER
    from proofs.verification import verify_all

    named = list(dict.fromkeys(ids)) or None
    total, done = len(named or LEDGER), 0

    def progress(report: Report) -> None:
        nonlocal done
        done += 1
        note(f"{done}/{total} {report.id}: {report.verdict}")

    try:
        return verify_all(named, quick=quick, seed=seed, progress=progress, processes=_processes(total))
    finally:
        note("")


def _processes(statements: int) -> int:
    """Two where they pay: starting one costs about as much as a quick check of two statements."""
    return min(2, os.cpu_count() or 1) if statements > 4 else 1


def _json(
    reports: Sequence[Report], failed: int, seconds: float, searches: Mapping[str, Sequence[Search]]
) -> dict[str, Any]:
    statements = [
        {
            "id": report.id,
            "title": report.title,
            "verdict": report.verdict,
            "scope": report.scope,
            "assumes": list(report.assumes),
            "evidence": [
                {"kind": e.kind, "verdict": e.verdict, "size": e.size, "seconds": e.seconds, "detail": e.detail}
                for e in report.evidence
            ],
            **({"dropped": as_records(searches[report.id])} if report.id in searches else {}),
        }
        for report in reports
    ]
    return {"statements": statements, "failed": failed, "seconds": seconds}


def _text(reports: Sequence[Report], failed: int, seconds: float) -> str:
    kinds = [kind for kind in KINDS if any(e.kind == kind for report in reports for e in report.evidence)]
    header = ["id", "statement", *kinds, "verdict", "time"]
    rows = [header, *(_row(report, kinds) for report in reports)]
    counts = Counter(report.verdict for report in reports)
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    noun = "statement" if len(reports) == 1 else "statements"
    lines = [table(rows, frozenset({len(header) - 1})), *_details(reports), ""]
    lines.append(f"{len(reports)} {noun}: {verdicts}; {failed} failed; {seconds:.1f} s")
    return "\n".join(lines)


def _row(report: Report, kinds: Sequence[str]) -> list[str]:
    cells = [", ".join(_size(e) for e in report.evidence if e.kind == kind) or "-" for kind in kinds]
    verdict = report.verdict + (" (failed)" if report.failed and report.verdict in GOOD else "")
    return [report.id, report.title, *cells, verdict, f"{sum(e.seconds for e in report.evidence):.2f} s"]


def _size(evidence: Evidence) -> str:
    unit = UNIT.get(evidence.kind, "")
    plural = unit if evidence.size == 1 else PLURAL.get(unit, f"{unit}s")
    failed = "" if evidence.verdict in GOOD else f" {evidence.verdict}"
    return f"{evidence.size} {plural}{failed}"


def _details(reports: Sequence[Report]) -> list[str]:
    """What a reader must see beside the table: scope, assumptions, and for what failed the witness or the obstacle."""
    lines = []
    for report in reports:
        if report.scope:
            lines.append(f"{report.id} scope: {report.scope}")
        if report.assumes:
            lines.append(f"{report.id} assumes: {', '.join(report.assumes)}")
        bad = (e for e in report.evidence if e.verdict not in GOOD)
        lines += [f"{report.id} {e.kind} {e.verdict}: {e.detail}" for e in bad]
    return ["", *lines] if lines else []
