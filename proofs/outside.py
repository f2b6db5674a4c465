"""Classical facts that a derivation may take from the literature; whatever rests on one lists it under ``assumes``."""

from __future__ import annotations

from dataclasses import dataclass

from proofs.law_on_interval import approximation
from proofs.laws import chances, effective_depth, poisson, square_sum, variation
from proofs.notation import every, mixing
from proofs.term import ForAllFn, Formula, Implies, Relation, Symbol, index

__all__ = ["OUTSIDE", "ClassicalFact"]


@dataclass(frozen=True)
class ClassicalFact:
    """A closed formula, and where its proof is to be found."""

    formula: Formula
    source: str
    cites: tuple[str, ...] = ()  # keys of bibliography.py


_lam = Symbol("lambda", 1)
_S, _T = effective_depth(_lam), index("T")

_poisson_approximation = ForAllFn(_lam, every("T", 0, None, Implies(mixing(_lam, "T"), Relation(
    "<=", _S * variation(chances(_lam), poisson(_S), _T), square_sum(_lam)
))))  # fmt: skip
OUTSIDE: dict[str, ClassicalFact] = {
    "Barbour-Hall": ClassicalFact(
        _poisson_approximation,
        "A. D. Barbour and P. Hall, On the rate of Poisson convergence, Math. Proc. Cambridge Philos. Soc. 95 (1984), "
        "473-480: the total variation between K and Poisson(S) is at most (1 - exp(-S)) / S times sum lambda_t^2",
        ("barbour1984",),
    ),
    "Weierstrass": ClassicalFact(
        approximation,
        "K. Weierstrass, Sitzungsberichte der Akademie zu Berlin (1885), 633-639 and 789-805; S. Bernstein, "
        "Communications de la Societe mathematique de Kharkow 13 (1912), 1-2: polynomials come within any eta > 0 of a "
        "continuous function on [0, 1]; what is uniformly continuous on points of [0, 1] extends to one",
        ("weierstrass1885", "bernstein1912"),
    ),
}
