"""Ends of a sum set apart: sums are alike but for a term whose definition unfolds there and not inside."""

from __future__ import annotations

from proofs.notation import every
from proofs.steps import Generalise, Identity, Step
from proofs.term import ForAllFn, Formula, Relation, Symbol, index, total

__all__ = ["shift_lemmas"]

h = Symbol("h*", 1)
s = index("s")


def _for_any(label: str, formula: Formula) -> Step:
    return Step(label, ForAllFn(h, formula), Generalise(("h*",), (Step("as sums", formula, Identity()),)))


def shift_lemmas() -> tuple[Step, ...]:
    """The only term of a sum, its first, its last; and what a shift by one takes and adds."""
    here, after, longer = total("k", 0, s, h("k")), total("k", 0, s, h(index("k") + 1)), total("k", 0, s + 1, h("k"))
    return (
        _for_any("only term", Relation("=", total("k", 0, 0, h("k")), h(0))),
        _for_any("start apart", every("s", 0, None, Relation("=", here, h(0) + total("k", 1, s, h("k"))))),
        _for_any("first apart", every("s", 0, None, Relation("=", longer, h(0) + after))),
        _for_any("last apart", every("s", 0, None, Relation("=", longer, here + h(s + 1)))),
        _for_any("both ends apart", every("s", 0, None, Relation("=", here + h(s + 1), h(0) + after))),
    )
