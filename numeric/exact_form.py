"""One entry of e_n E[A^K] for one rational lazy-prefix kernel, exactly, any n and T: U2, U3, U6.

Distinct θ_j … θ_n: the divided difference of U6, which is U3 for prefix and U2 for uniform kernels,

    p_j = A_nj Σ_{l=j}^n φ(θ_l) Π_{i=j+1}^{n−1} (θ_l − η_i) / Π_{i≠l} (θ_l − θ_i),   η_i = θ_i − b_i,

with φ(z) = Π_t (1 − λ_t + λ_t z): n − j + 1 long rationals, however deep. Its terms alternate and are huge, which only
rationals do not mind. Coincident nodes: the positive form of U6, in integers over one common denominator. By
convention T = 0 and λ = 0 give e_n. arXiv:2602.16837. Exact here: everything (flint's fmpz and fmpq).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm, log2
from typing import Any

from numeric.exact import from_flint, to_flint
from numeric.prefix_form import LazyRows, Nodes, levels

__all__ = ["by_differences", "by_levels", "exact_entry", "exact_size"]

Integer = Any  # flint.fmpz: the package has no types
_SECOND = 1e9  # products of machine words that a second is enough for, about


def exact_entry(kernel: LazyRows, shares: Sequence[Fraction], *, n: int, j: int) -> Fraction:
    """p_j, exactly: position j from 1 to n, λ = ``shares``, layer 1 first, a kernel that is rational.

    >>> from numeric.prefix_form import PrefixRows
    >>> exact_entry(PrefixRows((1, 2, 4)), [Fraction(1)] * 2, n=3, j=2)
    Fraction(52, 147)
    """
    attending = [x for x in shares if x]
    nodes = kernel.nodes(j, n, Fraction, NotImplemented)
    if j == n:
        return from_flint(to_flint(1) * _along(nodes.own[-1], attending))
    if not attending:
        return Fraction(0)
    return by_differences(nodes, attending) if _distinct(nodes) else by_levels(nodes, attending)


def exact_size(kernel: LazyRows, shares: Sequence[Fraction], *, n: int, j: int) -> tuple[int, float]:
    """(digits, seconds): at most so many digits has the denominator of p_j; about so long takes `exact_entry`."""
    attending = [x for x in shares if x]
    nodes = kernel.nodes(j, n, Fraction, NotImplemented)
    common, layers = _common(nodes), len(attending)
    own = lcm(*(x.denominator for x in nodes.own))
    bits = layers * log2(own) + sum(log2(x.denominator) for x in attending) + log2(nodes.reach.denominator)
    steps, words = (n - j + 1) * layers, log2(common) / 64 + 1
    if j == n:
        return int(bits * 0.30103) + 1, steps * 1e-6
    if _distinct(nodes):
        return int(bits * 0.30103) + 1, (steps * 2 + (n - j + 1) ** 2) * 1e-6 + bits * (n - j + 1).bit_length() * 2e-7
    return int(layers * log2(common) * 0.30103 + bits * 0.30103) + 1, steps * (1e-7 + layers * words**2 / 1.5 / _SECOND)


def _distinct(nodes: Nodes) -> bool:
    return len(set(nodes.own)) == len(nodes.own)


def _common(nodes: Nodes) -> int:
    return lcm(*(x.denominator for x in (*nodes.own, *nodes.passed[1:])))


# --- distinct nodes -------------------------------------------------------------------------------------------------


def by_differences(nodes: Nodes, shares: Sequence[Fraction]) -> Fraction:
    """The divided difference for distinct nodes, j < n."""
    own = [to_flint(x) for x in nodes.own]
    zeros = [to_flint(x - b) for x, b in zip(nodes.own[1:-1], nodes.passed[1:-1], strict=True)]
    lone = not any(zeros)  # a prefix kernel: all η are 0
    terms = []
    for at, z in enumerate(own):
        above = [z ** len(zeros)] if lone else [z - x for x in zeros]
        below = _quotient([z - x for k, x in enumerate(own) if k != at])
        terms.append(_along(from_flint(z), shares) * _quotient(above) / below)
    while len(terms) > 1:  # in pairs: short rationals are added to short ones
        odd = terms[-1:] if len(terms) % 2 else []
        terms = [a + b for a, b in zip(terms[0::2], terms[1::2], strict=False)] + odd
    return from_flint(to_flint(nodes.reach) * terms[0])


def _along(z: Fraction, shares: Sequence[Fraction]) -> Any:
    """φ(z)."""
    a, b = z.numerator, z.denominator
    factors = [(b * (x.denominator - x.numerator) + a * x.numerator, b * x.denominator) for x in shares]
    return _ratio([above for above, _ in factors], [below for _, below in factors])


def _quotient(factors: Sequence[Any]) -> Any:
    return _ratio([x.numerator for x in factors], [x.denominator for x in factors])


def _ratio(above: Sequence[Any], below: Sequence[Any]) -> Any:
    from flint import fmpq

    return fmpq(_product(above), _product(below))


def _product(factors: Sequence[Any]) -> Integer:
    """Long integers are multiplied by long ones."""
    from flint import fmpz

    parts = [fmpz(x) for x in factors] or [fmpz(1)]
    while len(parts) > 1:
        odd = parts[-1:] if len(parts) % 2 else []
        parts = [a * b for a, b in zip(parts[0::2], parts[1::2], strict=False)] + odd
    return parts[0]


# --- any nodes ------------------------------------------------------------------------------------------------------


def by_levels(nodes: Nodes, shares: Sequence[Fraction]) -> Fraction:
    """The positive form, j < n, at least one layer."""
    from flint import fmpq

    law, below = _integer_law(shares)
    common = _common(nodes)
    total = law[0] * 0
    for share, y in zip(law[1:], _integer_levels(nodes, common), strict=False):
        total = total * common + share * y
    return from_flint(to_flint(nodes.reach) * fmpq(total, below * _product([common] * (len(shares) - 1))))


def _integer_law(shares: Sequence[Fraction]) -> tuple[list[Integer], Integer]:
    """(D P(K = 0), …, D P(K = T)), D."""
    from flint import fmpz_poly

    factors = [fmpz_poly([x.denominator - x.numerator, x.numerator]) for x in shares]
    while len(factors) > 1:
        odd = factors[-1:] if len(factors) % 2 else []
        factors = [a * b for a, b in zip(factors[0::2], factors[1::2], strict=False)] + odd
    return [factors[0][k] for k in range(len(shares) + 1)], _product([x.denominator for x in shares])


def _integer_levels(nodes: Nodes, common: int) -> Iterator[Integer]:
    """common^(k−1) y_k(j), k = 1, 2, …: `levels` of nodes that are multiplied out."""
    from flint import fmpz

    own = tuple(fmpz(int(x * common)) for x in nodes.own)
    # b_j itself never enters a sum over i > j
    if nodes.own is nodes.passed:
        return levels(Nodes(own, own, None))
    passed = tuple(fmpz(int(x * common)) for x in (Fraction(0), *nodes.passed[1:]))
    return levels(Nodes(own, passed, None))
