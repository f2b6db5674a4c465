"""``posbias verify --drop``: each hypothesis dropped in turn, and the smallest counterexample that the search finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from proofs.output import note

if TYPE_CHECKING:
    from proofs.counterexample import Search

__all__ = ["LATEX_HEAD", "as_latex", "as_records", "as_text", "search_statements"]

LATEX_HEAD = "% Needs amsmath and amssymb."


def search_statements(ids: Sequence[str], *, seed: int) -> dict[str, tuple[Search, ...]]:
    """The searches for every hypothesis of these statements, by id; progress on a terminal."""
    from proofs.counterexample import search_all
    from proofs.ledger import LEDGER

    found = {}
    try:
        for name in ids:
            note(f"{name}: dropping hypotheses")
            listed = LEDGER[name].endless
            found[name] = search_all(LEDGER[name].claim, seed=seed, sequences=listed(False) if listed else ())
    finally:
        note("")
    return found


def as_records(searches: Sequence[Search]) -> list[dict[str, Any]]:
    """For JSON: what was found for each hypothesis, or that nothing was."""
    from proofs.text import text_case, text_failure

    records = []
    for search in searches:
        found = search.found
        records.append({
            "hypothesis": search.hypothesis,
            "found": found is not None,
            "part": found and found.part,
            "n": found and found.case.n,
            "layers": found and found.case.layers,
            "case": found and text_case(found.essential),
            "failure": found and text_failure(found.failure),
            "tried": search.tried,
        })  # fmt: skip
    return records


def as_text(searches: Mapping[str, Sequence[Search]]) -> str:
    """The cases as a reader sees them, one hypothesis after the other."""
    from proofs.text import text_case, text_failure

    lines = []
    for name, dropped in searches.items():
        for search in dropped:
            head = f"{name} without {search.hypothesis}"
            if search.found is None:
                lines += ["", f"{head}: undecided, no counterexample in {search.tried} combinations ({search.reach})"]
                continue
            case = text_case(search.found.essential).splitlines()
            lines += ["", f"{head}: fails at", *(f"    {line}" for line in case)]
            if search.found.broken is not None:
                lines.append(f"  the hypothesis fails: {text_failure(search.found.broken)}")
            lines.append(f"  the claim fails: {text_failure(search.found.failure)}")
    return "\n".join(lines)


def as_latex(searches: Mapping[str, Sequence[Search]]) -> str:
    """The cases that were found, for a paper that uses amsmath."""
    from proofs.latex import MACROS
    from proofs.latex_cases import counterexample
    from proofs.latex_math import LatexWriter, escaped
    from proofs.ledger import LEDGER
    from proofs.statement import Needed

    lines = [LATEX_HEAD, MACROS.rstrip()]
    for name, dropped in searches.items():
        claim = LEDGER[name].claim
        for found in (search.found for search in dropped if search.found is not None):
            needed = Needed(found.hypothesis, found.essential, "")
            reference = f"a hypothesis of Theorem~{escaped(name)}"
            lines.append(counterexample(needed, claim.only(found.part), reference, LatexWriter()))
    return "\n".join(lines) + "\n"
