r"""One statement in LaTeX: the theorem, where it comes from, its proof, its counterexamples.

Theorem D1.  (H1) ... (needed: counterexamples D1.N1 and D1.N2).  Then (a) ...     Proof.  (D1.1) ...
Counterexample D1.N1 (without (H1), ...).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase

from proofs.bibliography import PAPER, cite
from proofs.latex_cases import counterexample
from proofs.latex_math import LatexWriter, escaped, inline, sentence
from proofs.latex_notation import where
from proofs.latex_pictures import pictures_of
from proofs.latex_steps import Fact, Proof, joined, mark, point
from proofs.outside import OUTSIDE
from proofs.render_formula import kind
from proofs.render_parts import abbreviations
from proofs.statement import Claim, Part, Statement
from proofs.steps import Outside, Step, nested
from proofs.term import Fn

__all__ = ["section", "theorem"]

_LETTERS = [f"{prefix}{letter}" for prefix in ("", *ascii_lowercase) for letter in ascii_lowercase]

_PAPER = "arXiv:2602.16837"


def section(statement: Statement, earlier: Mapping[str, Fact], *, alone: bool = False) -> str:
    """Theorem, remark, proof, counterexamples; ``alone``: without a bibliography and pictures to point to."""
    claim = statement.claim
    names = abbreviations((claim, statement.derivation))
    writer = LatexWriter(names)
    hypotheses = {
        label: Fact(formula, point(f"posbias:{statement.id}.H{number}"))
        for number, (label, formula) in enumerate(claim.hypotheses, start=1)
    }
    lines = [*_theorem_lines(statement, writer, names, hypotheses), *_remark(statement, alone)]
    proof = Proof(statement.id, writer, hypotheses, claim.conclusion)
    proof.steps(statement.derivation, statement.id, earlier)
    lines += [r"\begin{proof}", *_later_names(names, claim), *proof.lines, r"\end{proof}"]
    for number, needed in enumerate(statement.needed, start=1):
        reference, own = hypotheses[needed.hypothesis].reference, _number(statement, number)
        lines += [] if alone else [f"\\renewcommand{{\\thecounterexample}}{{{own}}}"]  # a paper numbers its own
        lines.append(counterexample(needed, claim, reference, writer, label=f"posbias:{own}"))
    return "\n".join(lines)


def theorem(name: str, present: bool) -> str:
    """How a theorem is referred to: by a link if the document contains it."""
    return f"Theorem~\\ref{{posbias:{name}}}" if present else f"Theorem~{escaped(name)}"


def _number(statement: Statement, number: int) -> str:
    """The number of a counterexample, as D1.N2: what is needed, and that it is."""
    return f"{escaped(statement.id)}.N{number}"


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
            states = f"\\emph{{{escaped(label)}}}: {sentence(formula, writer)}{_needed(statement, label)}"
            lines.append(f"  \\item[{own_mark}] {states}.")
        lines.append(r"\end{itemize}")
    parts = [_part(letter, p, writer, hypotheses) for letter, p in zip(_LETTERS, claim.parts, strict=False)]
    return [*lines, "Then", r"\begin{itemize}", *parts, r"\end{itemize}", r"\end{theorem}"]


def _needed(statement: Statement, label: str) -> str:
    """Which counterexamples show that a hypothesis cannot be dropped."""
    numbers = [k for k, needed in enumerate(statement.needed, start=1) if needed.hypothesis == label]
    if not numbers:
        return ""
    shown = joined([f"\\ref{{posbias:{_number(statement, k)}}}" for k in numbers])
    return f" \\textup{{(needed: {'counterexample' if len(numbers) == 1 else 'counterexamples'}~{shown})}}"


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
    if count == 1:
        return f"a {one}"
    if one == "matrix":
        return "matrices"
    return one.replace("family", "families") if "family" in one else f"{one}s"


def _part(letter: str, part: Part, writer: LatexWriter, hypotheses: Mapping[str, Fact]) -> str:
    under = joined([hypotheses[label].reference for label in part.given])
    given = f", under {under}" if under else ""
    states = sentence(part.asserts, writer, r"\displaystyle ")
    return f"  \\item[({letter})] \\emph{{{escaped(part.name)}}}{given}: {states}."


def _remark(statement: Statement, alone: bool) -> list[str]:
    """The source, what the authors of the statement remark, what else to read and to look at."""
    source, further = escaped(statement.source), ""
    if not alone:
        source = source.replace(_PAPER, cite([PAPER]))
        works = cite((*statement.cites, *_taken_from(statement.derivation)))
        further = f" See {works}." if works else ""
        further += pictures_of(statement.id)
    remark = f" {escaped(statement.remark)}" if statement.remark else ""
    return ["", f"\\noindent Source: {source}.{remark}{further}"]


def _taken_from(steps: Sequence[Step]) -> Iterator[str]:
    """The works that have the classical facts which the derivation takes."""
    for step in steps:
        if isinstance(step.reason, Outside):
            yield from OUTSIDE[step.reason.name].cites
        for inner in nested(step):
            yield from _taken_from(inner)


def _later_names(names: Mapping[Fn, str], claim: Claim) -> list[str]:
    """Abbreviations that only the proof uses."""
    known = abbreviations(claim)
    displays = where({fn: name for fn, name in names.items() if fn not in known})
    return ["Write", *displays] if displays else []
