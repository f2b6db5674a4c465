"""The evidence in LaTeX: of one statement in a line, of all in a table; what verdicts rest on or are limited to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from proofs.bibliography import cite
from proofs.latex_math import escaped
from proofs.outside import OUTSIDE
from proofs.statement import Evidence, Report, Statement

__all__ = ["UNITS", "evidence_line", "evidence_table", "words"]

UNITS = {  # what the size of each kind of evidence counts
    "derivation": "steps", "exhaustive": "vertices", "enclosure": "boxes", "random": "cases",
    "needed": "counterexamples", "control": "twins refused",
}  # fmt: skip


def evidence_line(report: Report) -> str:
    """Each kind of evidence with its verdict and size."""
    return f"\\posbiasbranch{{Evidence.}} {'; '.join(_evidence(e) for e in report.evidence)}."


def _evidence(evidence: Evidence) -> str:
    unit = UNITS.get(evidence.kind, "")
    return f"{escaped(evidence.kind)}: {words(evidence.verdict)} ({evidence.size} {unit})"


def words(verdict: str) -> str:
    """A verdict as it is read: proved for, not proved_for."""
    return escaped(verdict.replace("_", " "))


def evidence_table(statements: Sequence[Statement], reports: Mapping[str, Report]) -> list[str]:
    """The section: statement by statement the verdict, and each kind of evidence with its verdict and size."""
    if not reports:
        return []
    rows = []
    for statement in statements:
        report = reports.get(statement.id)
        for position, evidence in enumerate(report.evidence if report is not None else ()):
            assert report is not None
            head = f"{escaped(report.id)} & {words(report.verdict)}" if position == 0 else " & "
            size = f"{evidence.size} & {UNITS.get(evidence.kind, '')}"
            rows.append(f"{head} & {escaped(evidence.kind)} & {words(evidence.verdict)} & {size} \\\\")
        rows.append(r"\hline")
    head = r"statement & verdict & evidence & found & size & \\"
    table = [r"\begin{longtable}{llllrl}", r"\hline", head, r"\hline\endhead", *rows, r"\end{longtable}"]
    return [r"\section{Evidence}\label{posbias:evidence}", "\n".join([*_assumed(reports), *table])]


def _assumed(reports: Mapping[str, Report]) -> list[str]:
    """What a verdict rests on or is limited to, where it is."""
    notes = []
    for report in reports.values():
        if report.scope:
            notes.append(f"{escaped(report.id)} has the scope {escaped(report.scope)}.")
        if report.assumes:
            works = cite(key for name in report.assumes if name in OUTSIDE for key in OUTSIDE[name].cites)
            taken = escaped("; ".join(report.assumes))
            notes.append(f"{escaped(report.id)} assumes {taken}{f' {works}' if works else ''}.")
    return [*notes, ""] if notes else []
