r"""The derivations document: statements, every checked step, counterexamples and evidence, in LaTeX.

`snippet` is one statement for somebody's own paper, `document` all of them, `export` writes the file.  Everything is
generated from the objects that the checker accepted and the evaluator evaluated; nothing depends on the time or the
machine, so the same ledger and the same versions give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from numeric.files import require_writable, write_atomically
from proofs.bibliography import PAPER, bibtex, cite
from proofs.latex_appendix import closed_forms
from proofs.latex_evidence import evidence_line, evidence_table
from proofs.latex_front import Gathered, verified
from proofs.latex_math import escaped, latex
from proofs.latex_notation import notation
from proofs.latex_pictures import picture_section
from proofs.latex_statement import section, theorem
from proofs.latex_steps import Fact, joined
from proofs.statement import Report, Statement
from proofs.term import Formula

__all__ = ["BIBLIOGRAPHY", "FILE", "MACROS", "document", "export", "latex", "snippet"]

FILE = "posbias-derivations.tex"
BIBLIOGRAPHY = "posbias-derivations.bib"

# \posbiasmark makes what it prints the target of \ref, as \tag does for a display.
MACROS = r"""\makeatletter
\providecommand{\posbiasanchor}{\@ifundefined{phantomsection}{}{\phantomsection}}
\providecommand{\posbiasmark}[2]{\posbiasanchor\def\@currentlabel{#2}\label{#1}\textup{(#2)}}
\providecommand{\posbiasstep}[1]{\par\medskip\noindent\emph{#1.}\enspace}
\providecommand{\posbiasbranch}[1]{\par\smallskip\noindent\textit{#1}\enspace}
\@ifundefined{counterexample}{\newtheorem{counterexample}{Counterexample}}{}
\makeatother
"""

_PREAMBLE = r"""\documentclass[10pt]{amsart}
\usepackage[utf8]{inputenc}
\usepackage[letterpaper,margin=1in]{geometry}
\usepackage{amsmath,amssymb,amsthm}
\usepackage{graphicx}
\usepackage{longtable}
\usepackage[hidelinks,hypertexnames=false]{hyperref}
\allowdisplaybreaks
\raggedbottom
\emergencystretch=5em
\theoremstyle{plain}
\newtheorem{theorem}{Theorem}
\theoremstyle{definition}
\newtheorem{counterexample}{Counterexample}
"""

_ABOUT = rf"""Each statement below is given with its hypotheses, with a derivation for every number of positions and
layers that the statement speaks of, with rational counterexamples that show what each hypothesis is for, and with the
evidence that was gathered for it. All of it is printed from the objects that a program has checked: a derivation is a
list of steps, each a formula with one reason, and a small checker has accepted every step. The objects are those
of {cite([PAPER])}, whose results are restated with the hypotheses that they need. Position bias of the same
architecture is studied by other means in {cite(["wu2025", "chowdhury2026", "duerinckx2026"])}. Closed forms for few
positions and layers are in Appendix~\ref{{posbias:closed-forms}}."""

_READING = r"""Steps are numbered: (D1.2.1) is the first step inside step (D1.2). An equation or an inequality is
proved by a \emph{certificate}: the difference of its two sides, once every object is replaced by its definition, equals
the listed terms, and each term is zero or nonnegative by what is cited with it. That the two agree is a finite
computation with sums of symbolic length, which the checker performs."""


def snippet(statement: Statement, report: Report | None = None, *, earlier: Mapping[str, Formula] | None = None) -> str:
    """One statement with its proof, counterexamples and evidence, for a paper that uses amsmath and amsthm.

    ``earlier`` holds the claims of the statements that its derivation cites, by id; those of the ledger unless told.
    """
    if earlier is None:
        earlier = _ledger_before(statement.id)
    facts = {name: Fact(claim, theorem(name, False)) for name, claim in earlier.items()}
    head = "% Needs amsmath, amssymb, amsthm and \\newtheorem{theorem}{Theorem}.\n"
    evidence = "" if report is None else f"\n{evidence_line(report)}"
    return head + MACROS + section(statement, facts, alone=True) + evidence


def document(statements: Sequence[Statement], reports: Sequence[Report], gathered: Gathered | None = None) -> str:
    """A whole amsart document: what was verified, notation, statements, evidence, closed forms, literature.

    It carries its bibliography, so the one file compiles by itself; ``gathered`` is how the reports were made.
    """
    claims = _all_claims(statements)
    present = {s.id for s in statements}
    sections = _sections(statements, claims, present)
    parts = [
        f"\\begin{{filecontents*}}[overwrite]{{{BIBLIOGRAPHY}}}\n{bibtex()}\\end{{filecontents*}}",
        _PREAMBLE + MACROS,
        r"\title{Position bias in causal Transformers: derivations}", r"\begin{document}", r"\maketitle",
        _ABOUT, *verified(reports, gathered), notation(statements), r"\section{Statements}", _READING,
        *_cited_only(sections, claims, present), *sections,
        *picture_section(present), *evidence_table(statements, {report.id: report for report in reports}),
        closed_forms(),
        f"\\bibliographystyle{{amsplain}}\n\\bibliography{{{Path(BIBLIOGRAPHY).stem}}}", r"\end{document}",
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def export(
    directory: str | Path, statements: Sequence[Statement], reports: Sequence[Report], gathered: Gathered | None = None
) -> list[Path]:
    """Writes the document and its bibliography into a folder, each whole or not at all; returns the files written.

    Raises InputError, before any work, if the folder is not there or cannot be written.
    """
    targets = [require_writable(Path(directory) / name, "DIR") for name in (FILE, BIBLIOGRAPHY)]
    for target, text in zip(targets, (document(statements, reports, gathered), bibtex()), strict=True):
        write_atomically(target, text.encode(), "DIR")
    return targets


def _sections(statements: Sequence[Statement], claims: Mapping[str, Formula], present: set[str]) -> list[str]:
    """Each statement under its own number."""
    sections = []
    for statement in statements:
        facts = {name: Fact(claim, theorem(name, name in present)) for name, claim in claims.items()}
        facts.pop(statement.id, None)
        sections.append(f"\\renewcommand{{\\thetheorem}}{{{escaped(statement.id)}}}")
        sections.append(r"\bigskip")
        sections.append(section(statement, facts))
    return sections


def _ledger_before(statement_id: str) -> Mapping[str, Formula]:
    """What the statement may cite: of the ledger what stands before it, or all where it is none of the ledger's."""
    from proofs.ledger import LEDGER, earlier_claims

    return earlier_claims(statement_id) if statement_id in LEDGER else _all_claims(())


def _all_claims(statements: Sequence[Statement]) -> dict[str, Formula]:
    """The claims that derivations may cite: those of the ledger, and of the statements given."""
    from proofs.ledger import LEDGER

    return {s.id: s.claim.closed() for s in (*LEDGER.values(), *statements)}


def _cited_only(sections: Sequence[str], claims: Mapping[str, Formula], present: set[str]) -> list[str]:
    """Which theorems a selection cites and does not contain."""
    text = "\n".join(sections)
    absent = [name for name in claims if name not in present and re.search(rf"{theorem(name, False)}\b", text)]
    if not absent:
        return []
    names = joined([theorem(name, False) for name in absent])
    return [f"Not part of this selection, though cited below: {names}."]
