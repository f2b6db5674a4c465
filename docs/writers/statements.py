"""The statements as pages, from the ledger: the claim with its hypotheses, evidence, counterexamples, the derivation.

What is shown of a claim is the LaTeX that `proofs.latex_statement` prints of the object that was checked; the evidence
is a run of `verify_all` when the pages are built.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from importlib import import_module

import proofs.results
from docs.writers.latex_html import Converter, Page, home
from proofs.latex_evidence import UNITS
from proofs.latex_statement import section, theorem
from proofs.latex_steps import Fact
from proofs.ledger import LEDGER
from proofs.statement import Evidence, Report

__all__ = ["statement_pages"]

_FRONT = """# The statements

Every statement of the ledger, written from the objects that the checker accepted: each has a page with its claim, its
hypotheses, the evidence and the counterexamples that show what a hypothesis is for, and one with its derivation, step
by step. [How a claim is proved](../how-a-claim-is-proved.md) says what the evidence is worth,
[symbols](../symbols.md) what the letters mean. The evidence below is that of `posbias verify --quick`, run when these
pages were made; without `--quick` there are more cases.

| | statement | verdict | derivation | other evidence |
|---|---|---|---|---|
"""


def statement_pages(reports: Sequence[Report]) -> dict[str, str]:
    """The pages by name, without suffix, below the folder of what is generated: those of the statements reported on.

    Raises ValueError where a page points to an anchor that the page it leads to does not have.
    """
    written = _sections([report.id for report in reports])
    _require_anchors(written)
    sources = _sources()
    rows = [_row(report) for report in reports]
    names = "\n".join(f"statements/{report.id}" for report in reports)
    pages = {"statements": f"{_FRONT}{chr(10).join(rows)}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"}
    for report in reports:
        pages[f"statements/{report.id}"] = _statement(report, written[report.id], sources[report.id])
        pages[f"statements/{report.id}-derivation"] = _derivation(report, written[f"{report.id}-derivation"])
    return pages


def _sections(names: Sequence[str]) -> dict[str, Page]:
    """What `section` writes of each statement, on two pages: the proof apart from what stands around it."""
    claims = {s.id: s.claim.closed() for s in LEDGER.values()}
    facts = {name: Fact(claim, theorem(name, True)) for name, claim in claims.items()}
    written = {}
    for name in names:
        text = section(LEDGER[name], {other: fact for other, fact in facts.items() if other != name})
        before, rest = text.split(r"\begin{proof}")
        proof, after = rest.split(r"\end{proof}")
        written[name] = Converter(before + after, name).convert()
        written[f"{name}-derivation"] = Converter(proof, f"{name}-derivation").convert()
    return written


def _require_anchors(written: Mapping[str, Page]) -> None:
    for name, page in written.items():
        checked = [label for label in page.points_to if home(label) in written or label.split(".")[0] not in LEDGER]
        lost = [label for label in checked if home(label) not in written or label not in written[home(label)].anchors]
        if lost or len(set(page.anchors)) < len(page.anchors):
            raise ValueError(f"{name}: no anchor for {lost}, or one given twice")


def _sources() -> dict[str, str]:
    """The file of each statement."""
    modules = (import_module(f"proofs.results.{m.name}") for m in pkgutil.iter_modules(proofs.results.__path__))
    return {module.statement.id: f"{module.__name__.replace('.', '/')}.py" for module in modules}


# --- pages ----------------------------------------------------------------------------------------------------------


def _row(report: Report) -> str:
    others = ", ".join(_size(e) for e in report.evidence if e.kind != "derivation")
    derived = next((_size(e) for e in report.evidence if e.kind == "derivation"), "none")
    link = f"[{report.id}](statements/{report.id}.md)"
    steps = f"[{derived}](statements/{report.id}-derivation.md)"
    return f"| {link} | {report.title} | {_words(report.verdict)} | {steps} | {others} |"


def _statement(report: Report, page: Page, source: str) -> str:
    counterexample = '<div class="posbias-box" id="' + report.id + ".N"
    claim, *needed = page.html.partition(counterexample)
    parts = [
        f"# {report.id}: {report.title}",
        f"Verdict: **{_words(report.verdict)}**. [Its derivation, step by step]({report.id}-derivation.md). Written "
        f"in `{source}`; `posbias verify {report.id}` checks it, `posbias export --snippet {report.id}` prints it for "
        "a paper.",
        _raw(claim), "## Evidence", _evidence(report),
    ]  # fmt: skip
    if any(needed):
        parts += ["## What the hypotheses are for", _raw("".join(needed))]
    return "\n\n".join([*parts, f"```{{toctree}}\n:hidden:\n\n{report.id}-derivation\n```"]) + "\n"


def _derivation(report: Report, page: Page) -> str:
    head = f"# Derivation of {report.id}: {report.title}"
    about = (
        f"Every step of the derivation of [{report.id}]({report.id}.md) that the checker accepted. Steps are "
        f"numbered: ({report.id}.2.1) is the first step inside step ({report.id}.2). Where the difference of two sides "
        "is said to be a sum of terms, both sides agree with it once every object is replaced by its definition; the "
        "checker decides that. [How a claim is proved](../../how-a-claim-is-proved.md) tells how."
    )
    return "\n\n".join([head, about, _raw(page.html)]) + "\n"


def _evidence(report: Report) -> str:
    rows = [
        f"| {e.kind} | {_words(e.verdict)} | {_size(e)} | {e.detail.replace('|', chr(92) + '|')} |"
        for e in report.evidence
    ]
    notes = [f"Scope: {report.scope}."] if report.scope else []
    notes += [f"Assumes: {'; '.join(report.assumes)}."] if report.assumes else []
    return "\n\n".join(["\n".join(["| evidence | found | size | |", "|---|---|---|---|", *rows]), *notes])


def _size(evidence: Evidence) -> str:
    return f"{evidence.size} {UNITS[evidence.kind]}" if evidence.size != 1 else f"1 {_ONE[evidence.kind]}"


_ONE = {
    "derivation": "step", "exhaustive": "vertex", "enclosure": "box", "random": "case", "needed": "counterexample",
    "control": "twin refused",
}  # fmt: skip


def _words(verdict: str) -> str:
    return verdict.replace("_", " ")


def _raw(html: str) -> str:
    return f"```{{raw}} html\n{html}\n```"
