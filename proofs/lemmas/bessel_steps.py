"""The Bessel series, term by term: c y^k / k! y^{k+1} / (k + 1)! = S^{k+1} / (k + 1)! L^k / k!.

Assumed: y^2 = S L and c y = S ("arguments").
"""

from __future__ import annotations

from proofs.laws import term_of_series
from proofs.notation import every, number
from proofs.steps import Identity, Induction, Step, item, use
from proofs.term import Formula, Index, Reciprocal, Relation, Term, index

__all__ = ["bessel_terms"]

k, u = index("k"), index("u")


def bessel_terms(goal: Formula, mean: Term, depth: Term, root: Term, factor: Term) -> tuple[Step, ...]:
    """``goal``, that the series agree up to k = u; S is ``mean``, L ``depth``, y ``root``, c ``factor``."""
    p, q, terms = (term_of_series(argument) for argument in (depth, root, mean))

    def stated(at: Index | int) -> Relation:
        return Relation("=", factor * q(at) * q(at + 1), terms(at + 1) * p(at))

    both = Reciprocal(number(k + 1)) * Reciprocal(number(k + 2))
    square, product = use("arguments", parts="square"), use("arguments", parts="factor")
    return (
        Step("every term", every("k", 0, None, stated(k)), Induction(
            "so far",
            (Step("first", stated(0), Identity((item(product, times=Reciprocal(number(1))),))),),
            (Step("one more", stated(k + 1), Identity((
                item(use("so far"), times=both * root * root),
                item(square, times=both * terms(k + 1) * p(k)),
            ))),),
        )),
        Step("all terms", goal, Identity((item(use("every term", "k"), over=(("k", 0, u),)),))),
    )  # fmt: skip
