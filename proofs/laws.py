"""Laws and distances as claims write them: the number K of attending layers, the Poisson law, half the 1-norm.

S = lambda_1 + ... + lambda_T                        the effective depth, the mean of K
exp(-S) S^k / k!,  S^k / k! = prod_{r <= k} S / r    the Poisson law of mean S
1/2 sum_j |p_j - q_j|                                with |x - y| = ([y <= x] - [x <= y]) (x - y)
sum_{k <= T} [q_k <= p_k] (p_k - q_k)                the total variation, for p of mass 1 on 0, ..., T
sum_k |F_p(k) - F_q(k)|                              the distance W1 on the line, F(k) = sum_{j >= k}
"""

from __future__ import annotations

from fractions import Fraction

from proofs.notation import accumulated, hops, n, number
from proofs.substitute import apply, free_names, fresh
from proofs.term import Compare, Exp, Fn, Index, Lambda, Reciprocal, Term, as_term, index, total

__all__ = [
    "absolute",
    "chances",
    "effective_depth",
    "gap",
    "half_norm",
    "partial_mass",
    "partial_sum",
    "poisson",
    "square_sum",
    "term_of_series",
    "variation",
    "wasserstein",
]

j, k = index("j"), index("k")


def effective_depth(lam: Fn, depth: Index | int | str = "T") -> Term:
    """S = lambda_1 + ... + lambda_T."""
    return total("t", 1, depth, lam("t"))


def square_sum(lam: Fn, depth: Index | int | str = "T") -> Term:
    """sum_t lambda_t^2."""
    return total("t", 1, depth, lam("t") * lam("t"))


def gap(lam: Fn, depth: Index | int | str = "T") -> Term:
    """sum_t lambda_t (1 - exp(-lambda_t))."""
    return total("t", 1, depth, lam("t") * (as_term(1) - Exp(-lam("t"))))


def chances(lam: Fn, depth: Index | str = "T") -> Lambda:
    """k -> P(K = k)."""
    return Lambda(("k",), hops(lam)(depth, "k"))


def term_of_series(argument: Term) -> Fn:
    """k -> x^k / k!, as the product of x / r over r = 1, ..., k."""
    r = fresh("r", free_names(argument))
    return accumulated(Lambda((r,), Reciprocal(number(r)) * argument))


def poisson(mean: Term) -> Lambda:
    """k -> exp(-x) x^k / k!, the Poisson law of mean x."""
    return Lambda(("k",), Exp(-mean) * term_of_series(mean)("k"))


def partial_sum(argument: Term, last: Index | int | str) -> Term:
    """sum_{k <= m} x^k / k!."""
    return total("k", 0, last, term_of_series(argument)("k"))


def partial_mass(argument: Term, last: Index | int | str) -> Term:
    """D_m(x) = exp(-x) sum_{k <= m} x^k / k!, the chance that a Poisson number of mean x is at most m."""
    return Exp(-argument) * partial_sum(argument, last)


def absolute(x: Term, y: Term) -> Term:
    """|x - y|."""
    return (Compare(y, x) - Compare(x, y)) * (x - y)


def half_norm(first: Fn, second: Fn) -> Term:
    """1/2 sum_j |p_j - q_j|."""
    p, q = (apply(fn, (j,)) for fn in (first, second))
    return as_term(Fraction(1, 2)) * total("j", 1, n, absolute(p, q))


def variation(first: Fn, second: Fn, last: Index) -> Term:
    """The sum over 0 <= k <= last of the positive part of p_k - q_k."""
    p, q = (apply(fn, (k,)) for fn in (first, second))
    return total("k", 0, last, Compare(q, p) * (p - q))


def wasserstein(first: Fn, second: Fn) -> Term:
    """W1(p, q) = sum_k |F_p(k) - F_q(k)|, of the tails F(k) = sum_{j >= k}."""
    p, q = (total("j", "k", n, apply(fn, (j,))) for fn in (first, second))
    return total("k", 1, n, absolute(q, p))
