"""Classical facts that a derivation may take from the literature; whatever rests on one lists it under ``assumes``."""

from __future__ import annotations

from dataclasses import dataclass

from proofs.laws import chances, effective_depth, poisson, square_sum, term_of_series, variation
from proofs.notation import every, mixing, vanishing
from proofs.term import And, Exp, ForAllFn, Formula, Implies, Lambda, Relation, Symbol, as_term, index, total

__all__ = ["OUTSIDE", "ClassicalFact"]


@dataclass(frozen=True)
class ClassicalFact:
    """A closed formula, and where its proof is to be found."""

    formula: Formula
    source: str


_lam, _x = Symbol("lambda", 1), Symbol("x", 0)
_S, _T, _X = effective_depth(_lam), index("T"), _x()
_partial = total("k", 0, "m", term_of_series(_X)("k"))

_poisson_approximation = ForAllFn(_lam, every("T", 0, None, Implies(mixing(_lam, "T"), Relation(
    "<=", _S * variation(chances(_lam), poisson(_S), _T), square_sum(_lam)
))))  # fmt: skip
_exponential_series = ForAllFn(_x, Implies(Relation("<=", as_term(0), _X), And((
    ("below", every("m", 0, None, Relation("<=", _partial, Exp(_X)))),
    ("limit", vanishing(Lambda(("m",), Exp(_X) - _partial))),
))))  # fmt: skip

OUTSIDE: dict[str, ClassicalFact] = {
    "Barbour-Hall": ClassicalFact(
        _poisson_approximation,
        "A. D. Barbour and P. Hall, On the rate of Poisson convergence, Math. Proc. Cambridge Philos. Soc. 95 (1984), "
        "473-480: the total variation between K and Poisson(S) is at most (1 - exp(-S)) / S times sum lambda_t^2",
    ),
    "exponential series": ClassicalFact(
        _exponential_series,
        "W. Rudin, Principles of Mathematical Analysis, 3rd ed. (1976), chapter 8: exp x = sum x^k / k!",
    ),
}
