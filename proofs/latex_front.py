"""What the document says first: what was verified, by how much evidence, and with which versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from proofs.latex_evidence import UNITS, words
from proofs.latex_math import escaped
from proofs.statement import Report

__all__ = ["Gathered", "verified"]


@dataclass(frozen=True)
class Gathered:
    """How the evidence was gathered: quickly or in full, from which seed, with which versions of what."""

    quick: bool
    seed: int
    versions: tuple[tuple[str, str], ...]


def verified(reports: Sequence[Report], gathered: Gathered | None) -> list[str]:
    """The section; none without reports."""
    if not reports:
        return []
    parts = [r"\section{What was verified}", _verdicts(reports), _by_kind(reports)]
    if gathered is not None:
        effort = r"quickly (option \texttt{--quick}: fewer and smaller cases)" if gathered.quick else "in full"
        parts.append(f"The evidence was gathered {effort}, from seed {gathered.seed}, with these versions.")
        rows = [f"{escaped(name)} & {escaped(version)} \\\\" for name, version in gathered.versions]
        parts.append("\n".join([r"\begin{center}\begin{tabular}{ll}", *rows, r"\end{tabular}\end{center}"]))
    parts.append(
        r"What each verdict rests on is in Section~\ref{posbias:evidence}.  A proved statement has a derivation of the "
        r"whole claim that the checker accepts; what it takes from the literature, if anything, is named there."
    )
    return parts


def _verdicts(reports: Sequence[Report]) -> str:
    """How many statements, and what became of them."""
    found = Counter(report.verdict for report in reports)
    counts = ", ".join(f"{number} {words(verdict)}" for verdict, number in found.items())
    failed = [escaped(report.id) for report in reports if report.failed]
    statements = "1 statement" if len(reports) == 1 else f"{len(reports)} statements"
    return f"{statements}: {counts}. {f'Failed: {chr(44).join(failed)}.' if failed else 'None failed.'}"


def _by_kind(reports: Sequence[Report]) -> str:
    """Each kind of evidence: for how many statements, how much, how often it did not do what it should."""
    rows = []
    for kind, unit in UNITS.items():
        found = [e for report in reports for e in report.evidence if e.kind == kind]
        if found:
            good = sum(e.verdict in ("proved", "proved_for", "held") for e in found)
            size = f"{sum(e.size for e in found)} & {unit}"
            rows.append(f"{kind} & {len(found)} & {good} & {size} \\\\")
    head = r"evidence & statements & proved or held & size & \\ \hline"
    return "\n".join([r"\begin{center}\begin{tabular}{lrrrl}", head, *rows, r"\end{tabular}\end{center}"])
