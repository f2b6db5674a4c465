"""Every formula that the document shows of a statement, with the LaTeX that shows it: for reading it back.

Hypotheses and parts of the theorem are prose with mathematics in it, steps are displays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from proofs.latex_math import LatexWriter, sentence
from proofs.latex_notation import where
from proofs.latex_steps import Fact, Proof, point
from proofs.render_parts import abbreviations
from proofs.statement import Statement
from proofs.term import Fn, Formula

__all__ = ["Displays", "displays"]


@dataclass(frozen=True)
class Displays:
    """names : what is abbreviated, with the letter that stands for it. meanings : the displays that say so, in order.
    claim, steps : formulas with their LaTeX; a hypothesis or a part by its name.
    """

    names: Mapping[Fn, str]
    meanings: tuple[str, ...]
    claim: tuple[tuple[str, Formula, str], ...]
    steps: tuple[tuple[Formula, str], ...]


def displays(statement: Statement, earlier: Mapping[str, Formula]) -> Displays:
    """What is shown of a statement; ``earlier`` holds the claims of those that its derivation cites, by id."""
    claim = statement.claim
    names = abbreviations((claim, statement.derivation))
    writer = LatexWriter(names)
    hypotheses = {
        label: Fact(formula, point(f"posbias:{statement.id}.H{number}"))
        for number, (label, formula) in enumerate(claim.hypotheses, start=1)
    }
    proof = Proof(statement.id, writer, hypotheses, claim.conclusion)
    proof.steps(statement.derivation, statement.id, {name: Fact(known, name) for name, known in earlier.items()})
    stated = [*claim.hypotheses, *((part.name, part.asserts) for part in claim.parts)]
    shown = tuple((name, formula, sentence(formula, writer, r"\displaystyle ")) for name, formula in stated)
    return Displays(names, tuple(where(names)), shown, tuple(proof.shown))
