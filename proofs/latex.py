r"""The derivations document: statements, every checked step, counterexamples and evidence, in LaTeX.

`snippet` is one statement for somebody's own paper, `document` all of them, `export` writes the file.  Everything is
generated from the objects that the checker accepted and the evaluator evaluated; nothing depends on the time or the
machine, so the same ledger gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase

from numeric.files import require_writable, write_atomically
from proofs.latex_cases import counterexample
from proofs.latex_math import LatexWriter, escaped, inline, latex, sentence
from proofs.latex_notation import notation, where
from proofs.latex_pictures import picture_section
from proofs.latex_steps import Fact, Proof, joined, mark, point
from proofs.render_formula import kind
from proofs.render_parts import abbreviations
from proofs.statement import Claim, Evidence, Part, Report, Statement
from proofs.term import Fn, Formula

__all__ = ["FILE", "document", "export", "latex", "snippet"]

FILE = "posbias-derivations.tex"

# \posbiasmark makes what it prints the target of \ref, as \tag does for a display.
MACROS = r"""\makeatletter
\providecommand{\posbiasanchor}{\@ifundefined{phantomsection}{}{\phantomsection}}
\providecommand{\posbiasmark}[2]{\posbiasanchor\def\@currentlabel{#2}\label{#1}\textup{(#2)}}
\providecommand{\posbiasstep}[1]{\par\medskip\noindent\emph{#1.}\enspace}
\providecommand{\posbiasbranch}[1]{\par\smallskip\noindent\textit{#1}\enspace}
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
"""

_ABOUT = r"""Each statement below is given with its hypotheses, with a derivation for every number of positions and
layers that the statement speaks of, with rational counterexamples that show what each hypothesis is for, and with the
evidence that was gathered for it. All of it is printed from the objects that a program has checked: a derivation is a
list of steps, each a formula with one reason, and a small checker has accepted every step. The objects are those
of \cite{posbias}, whose results are restated with the hypotheses that they need."""

_READING = r"""Steps are numbered: (D1.2.1) is the first step inside step (D1.2). An equation or an inequality is
proved by a \emph{certificate}: the difference of its two sides, once every object is replaced by its definition, equals
the listed terms, and each term is zero or nonnegative by what is cited with it. That the two agree is a finite
computation with sums of symbolic length, which the checker performs."""

_BIBLIOGRAPHY = r"""\begin{thebibliography}{9}
\bibitem{posbias} Herasimchyk, Labryga, Prusina, Laue, \emph{A Structural Theory of Position Bias in Transformers},
arXiv:2602.16837.
\end{thebibliography}"""

_LETTERS = [f"{prefix}{letter}" for prefix in ("", *ascii_lowercase) for letter in ascii_lowercase]

_PLURAL = {
    "matrix": "matrices", "family of matrices": "families of matrices",
    "double family of matrices": "double families of matrices",
}  # fmt: skip

_UNITS = {
    "derivation": "steps", "exhaustive": "vertices", "enclosure": "boxes", "random": "cases",
    "needed": "counterexamples", "control": "twins refused",
}  # fmt: skip


def snippet(statement: Statement, report: Report | None = None, *, earlier: Mapping[str, Formula] | None = None) -> str:
    """One statement with its proof, counterexamples and evidence, for a paper that uses amsmath and amsthm.

    ``earlier`` holds the claims of the statements that its derivation cites, by id; those of the ledger unless told.
    """
    if earlier is None:
        earlier = _ledger_before(statement.id)
    facts = {name: Fact(claim, f"Theorem~{escaped(name)}") for name, claim in earlier.items()}
    head = "% Needs amsmath, amssymb, amsthm and \\newtheorem{theorem}{Theorem}.\n"
    return head + MACROS + _section(statement, report, facts, cite=False)


def document(statements: Sequence[Statement], reports: Sequence[Report]) -> str:
    """A whole amsart document: notation, the statements in order, the table of evidence."""
    claims = _all_claims(statements)
    present = {s.id for s in statements}
    found = {report.id: report for report in reports}
    sections = []
    for statement in statements:
        facts = {name: Fact(claim, _theorem(name, name in present)) for name, claim in claims.items()}
        facts.pop(statement.id, None)
        sections.append(f"\\renewcommand{{\\thetheorem}}{{{escaped(statement.id)}}}")
        sections.append(r"\bigskip")
        sections.append(_section(statement, None, facts))
    parts = [
        _PREAMBLE + MACROS,
        r"\title{Position bias in causal Transformers: derivations}", r"\begin{document}", r"\maketitle",
        _ABOUT, notation(), r"\section{Statements}", _READING,
        *_cited_only(sections, claims, present), *sections,
        *picture_section(), *_evidence_table(statements, found), _BIBLIOGRAPHY, r"\end{document}",
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def export(directory: str | Path, statements: Sequence[Statement], reports: Sequence[Report]) -> list[Path]:
    """Writes the document into a folder, whole or not at all; returns the files written.

    Raises InputError, before any work, if the folder is not there or cannot be written.
    """
    target = require_writable(Path(directory) / FILE, "DIR")
    write_atomically(target, document(statements, reports).encode(), "DIR")
    return [target]


def _ledger_before(statement_id: str) -> Mapping[str, Formula]:
    from proofs.ledger import LEDGER, earlier_claims

    return earlier_claims(statement_id) if statement_id in LEDGER else {}


def _all_claims(statements: Sequence[Statement]) -> dict[str, Formula]:
    """The claims that derivations may cite: those of the ledger, and of the statements given."""
    from proofs.ledger import LEDGER

    return {s.id: s.claim.closed() for s in (*LEDGER.values(), *statements)}


def _theorem(name: str, present: bool) -> str:
    return f"Theorem~\\ref{{posbias:{name}}}" if present else f"Theorem~{escaped(name)}"


def _cited_only(sections: Sequence[str], claims: Mapping[str, Formula], present: set[str]) -> list[str]:
    """Which theorems a selection cites and does not contain."""
    text = "\n".join(sections)
    absent = [name for name in claims if name not in present and re.search(rf"{_theorem(name, False)}\b", text)]
    if not absent:
        return []
    names = joined([_theorem(name, False) for name in absent])
    return [f"Not part of this selection, though cited below: {names}."]


# --- one statement --------------------------------------------------------------------------------------------------


def _section(statement: Statement, report: Report | None, earlier: Mapping[str, Fact], *, cite: bool = True) -> str:
    """Theorem, remark, proof, counterexamples, evidence; ``cite``: there is a bibliography to point to."""
    claim = statement.claim
    names = abbreviations((claim, statement.derivation))
    writer = LatexWriter(names)
    hypotheses = {
        label: Fact(formula, point(f"posbias:{statement.id}.H{number}"))
        for number, (label, formula) in enumerate(claim.hypotheses, start=1)
    }
    lines = [*_theorem_lines(statement, writer, names, hypotheses), *_remark(statement, cite)]
    proof = Proof(statement.id, writer, hypotheses, claim.conclusion)
    proof.steps(statement.derivation, statement.id, earlier)
    lines += [r"\begin{proof}", *_later_names(names, claim), *proof.lines, r"\end{proof}"]
    for needed in statement.needed:
        lines.append(counterexample(needed, claim, hypotheses[needed.hypothesis].reference, writer))
    if report is not None:
        lines.append(f"\\posbiasbranch{{Evidence.}} {'; '.join(_evidence(e) for e in report.evidence)}.")
    return "\n".join(lines)


def _theorem_lines(
    statement: Statement, writer: LatexWriter, names: Mapping[Fn, str], hypotheses: Mapping[str, Fact]
) -> list[str]:
    claim = statement.claim
    own = {fn: name for fn, name in names.items() if fn in abbreviations(claim)}
    displays = where(own)
    lines = [
        f"\\begin{{theorem}}[{{{escaped(statement.title)}}}]\\label{{posbias:{statement.id}}}",
        _setting(claim, writer),
    ]
    lines += ["Write", *displays] if displays else []
    if claim.hypotheses:
        lines += ["Consider the hypotheses", r"\begin{itemize}"]
        for number, (label, formula) in enumerate(claim.hypotheses, start=1):
            own_mark = mark(f"posbias:{statement.id}.H{number}", f"H{number}")
            lines.append(f"  \\item[{own_mark}] \\emph{{{escaped(label)}}}: {sentence(formula, writer)}.")
        lines.append(r"\end{itemize}")
    parts = [_part(letter, p, writer, hypotheses) for letter, p in zip(_LETTERS, claim.parts, strict=False)]
    return [*lines, "Then", r"\begin{itemize}", *parts, r"\end{itemize}", r"\end{theorem}"]


def _setting(claim: Claim, writer: LatexWriter) -> str:
    """What the claim is for all of: its functions by kind, its indices with their ranges."""
    kinds: dict[int, list[str]] = {}
    for symbol in claim.symbols:
        kinds.setdefault(symbol.arity, []).append(inline(writer.name(symbol.name)))
    parts = [f"{joined(found)} be {_of_kind(arity, len(found))}" for arity, found in kinds.items()]
    indices = [inline(writer.range(rng)) for rng in claim.indices]
    parts += [f"{joined(indices)} be {'an integer' if len(indices) == 1 else 'integers'}"] if indices else []
    return f"Let {joined(parts)}." if parts else ""


def _of_kind(arity: int, count: int) -> str:
    one = kind(arity)
    return f"a {one}" if count == 1 else _PLURAL.get(one, f"{one}s")


def _part(letter: str, part: Part, writer: LatexWriter, hypotheses: Mapping[str, Fact]) -> str:
    under = joined([hypotheses[label].reference for label in part.given])
    given = f", under {under}" if under else ""
    states = sentence(part.asserts, writer, r"\displaystyle ")
    return f"  \\item[({letter})] \\emph{{{escaped(part.name)}}}{given}: {states}."


def _remark(statement: Statement, cite: bool) -> list[str]:
    source = "\\cite{posbias}" if cite and "2602.16837" in statement.source else escaped(statement.source)
    remark = f" {escaped(statement.remark)}" if statement.remark else ""
    return ["", f"\\noindent Source: {source}.{remark}"]


def _later_names(names: Mapping[Fn, str], claim: Claim) -> list[str]:
    """Abbreviations that only the proof uses."""
    known = abbreviations(claim)
    displays = where({fn: name for fn, name in names.items() if fn not in known})
    return ["Write", *displays] if displays else []


# --- evidence -------------------------------------------------------------------------------------------------------


def _evidence(evidence: Evidence) -> str:
    unit = _UNITS.get(evidence.kind, "")
    return f"{escaped(evidence.kind)}: {_words(evidence.verdict)} ({evidence.size} {unit})"


def _words(verdict: str) -> str:
    return escaped(verdict.replace("_", " "))


def _evidence_table(statements: Sequence[Statement], reports: Mapping[str, Report]) -> list[str]:
    """Statement by statement: verdict, and each kind of evidence with its verdict and size."""
    if not reports:
        return []
    rows = []
    for statement in statements:
        report = reports.get(statement.id)
        for position, evidence in enumerate(report.evidence if report is not None else ()):
            assert report is not None
            head = f"{escaped(report.id)} & {_words(report.verdict)}" if position == 0 else " & "
            size = f"{evidence.size} & {_UNITS.get(evidence.kind, '')}"
            rows.append(f"{head} & {escaped(evidence.kind)} & {_words(evidence.verdict)} & {size} \\\\")
        rows.append(r"\hline")
    head = r"statement & verdict & evidence & found & size & \\"
    table = [r"\begin{longtable}{llllrl}", r"\hline", head, r"\hline\endhead", *rows, r"\end{longtable}"]
    return [r"\section{Evidence}", "\n".join([*_assumed(reports), *table])]


def _assumed(reports: Mapping[str, Report]) -> list[str]:
    """What a verdict rests on or is limited to, where it is."""
    notes = []
    for report in reports.values():
        scope = f"{escaped(report.id)} has the scope {escaped(report.scope)}." if report.scope else ""
        facts = f"{escaped(report.id)} assumes {escaped('; '.join(report.assumes))}." if report.assumes else ""
        notes += [note for note in (scope, facts) if note]
    return [*notes, ""] if notes else []
