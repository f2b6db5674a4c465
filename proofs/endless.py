"""Which formulas finitely many values cannot decide: those that speak of infinitely many indices, of all real numbers,
or of a function that exists.  Limits are of this kind; cases pass over them.
"""

from __future__ import annotations

from functools import lru_cache

from proofs.notation import unfold_property
from proofs.statement import Claim, Part
from proofs.term import And, Exists, ExistsFn, ForAll, ForAllFn, Formula, Implies

__all__ = ["endless", "endless_part"]


@lru_cache(maxsize=4096)
def endless(formula: Formula) -> bool:
    """Whether no case decides the formula."""
    match unfold_property(formula):
        case ForAll(rng, body) | Exists(rng, body):
            return rng.high is None or endless(body)
        case ForAllFn(symbol, body):
            return symbol.arity == 0 or endless(body)
        case ExistsFn():
            return True
        case And(parts):
            return any(endless(part) for _, part in parts)
        case Implies(hypothesis, body):
            return endless(hypothesis) or endless(body)
    return False


def endless_part(claim: Claim, part: Part) -> bool:
    """Whether no case decides the part: what it asserts, or one of its hypotheses, is endless."""
    known = dict(claim.hypotheses)
    return endless(part.asserts) or any(endless(known[label]) for label in part.given)
