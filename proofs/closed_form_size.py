"""How many terms a closed form will have, before it is computed.

General kernels, exactly. A kernel per layer, first column eliminated, λ_t symbols: c_n = 1, else 0; T times
c_j ← 3 c_j + Σ_{i>j} c_i for j ≥ 2; p_j has c_j terms, p_1 = 1 − Σ_{j≥2} p_j has Σ_{j≥2} c_j − 1, for the constant 1
cancels. Diagonal eliminated: c_j ← j c_j + Σ_{i>j} c_i for j ≥ 1. A term tells its path, so like terms never meet.

One kernel for all layers: p = Σ_k c_k e_n (A − 1)^k, c_k = e_k(λ), or Σ_k P(K = k) e_n A^k. A path
n = i_0 > … > i_r = j contributes its r weights times a complete homogeneous polynomial of degree k − r in what is left
of its rows.

The other kernels: an upper bound from degrees, letter by letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd, lcm, log10, prod

__all__ = ["Plan", "Size", "predicted"]


@dataclass(frozen=True)
class Plan:
    """What to derive: ``lam`` is "each" (symbols λ_t), "one" (one symbol λ) or the numbers, layer 1 first."""

    n: int
    T: int
    kernel: str
    shared: bool
    lam: str | tuple[Fraction, ...]
    eliminate: str

    @property
    def attending(self) -> int:
        """The number of layers that can move anything."""
        return self.T if isinstance(self.lam, str) else sum(x != 0 for x in self.lam)

    @property
    def by_paths(self) -> bool:
        """Whether like terms never meet, so that nothing is to be computed: a kernel and a λ_t for each layer."""
        return self.kernel == "general" and not self.shared and self.lam == "each"

    def digits(self) -> int:
        """At most so many digits has the denominator of a coefficient, 1 at least."""
        below = 1.0 if isinstance(self.lam, str) else 1 + sum(log10(x.denominator) for x in self.lam)
        integers = lcm(*range(1, self.n + 1)) if self.kernel == "uniform" else 1
        return int(below + self.attending * log10(integers))


@dataclass(frozen=True)
class Size:
    """A number of terms, exact or an upper bound."""

    terms: int
    exact: bool


def predicted(plan: Plan, entry: int | None) -> Size:
    """The number of terms of the whole row, or of one entry."""
    exact = plan.kernel == "general" or plan.n == 1
    wanted = range(1, plan.n + 1) if entry is None else [entry]
    if plan.n == 1:
        return Size(1, True)
    if plan.kernel != "general":
        return Size(sum(_BOUND[plan.kernel](plan, j) for j in wanted), exact)
    counts = (_shared if plan.shared else _layered)(plan)
    if plan.eliminate == "first":
        counts[1] = sum(counts.values()) + _constant(plan)
    return Size(sum(counts[j] for j in wanted), True)


def _constant(plan: Plan) -> int:
    """What the constant of 1 − Σ_{j≥2} p_j adds: Π(1 − λ_t) is one of the terms of p_n."""
    if isinstance(plan.lam, str):
        return -1
    stays = prod(1 - x for x in plan.lam)
    return (stays != 1) - (stays != 0)


# --- general kernels ------------------------------------------------------------------------------------------------


def _layered(plan: Plan) -> dict[int, int]:
    """j -> terms of p_j (first column eliminated: j ≥ 2), a kernel per layer.

    ``count[j][m]`` counts products of weights with m layers that contribute none: with one λ each stands for the
    m + 1 terms of (1 − λ)^m.
    """
    columns = range(2 if plan.eliminate == "first" else 1, plan.n + 1)
    count = {j: Counter({0: int(j == plan.n)}) for j in columns}
    for share in reversed(["λ"] * plan.T if isinstance(plan.lam, str) else plan.lam):
        if share == 0:
            continue
        later: Counter[int] = Counter()
        for j in reversed(columns):
            before = count[j]
            count[j] = later + _staying(plan, before, j, share)
            later = later + before
    one = plan.lam == "one" and plan.eliminate == "first"
    return {j: sum(c * (m + 1 if one else 1) for m, c in count[j].items()) for j in columns}


def _staying(plan: Plan, before: Counter[int], j: int, share: object) -> Counter[int]:
    """What staying at j makes of p_j: times 1 − λ + λ A_jj, or 1 − λ Σ_{k<j} A_jk."""
    if plan.eliminate == "diagonal":
        return Counter({m: j * c for m, c in before.items()})
    if plan.lam == "one":
        return before + Counter({m + 1: c for m, c in before.items()})
    factor = 3 if isinstance(plan.lam, str) else 1 if share == 1 else 2
    return Counter({m: factor * c for m, c in before.items()})


def _shared(plan: Plan) -> dict[int, int]:
    """j -> terms of p_j (first column eliminated: j ≥ 2), one kernel for all layers."""
    n, powers = plan.n, list(_powers(plan))
    if plan.eliminate == "diagonal":
        return {j: sum(w * c * _products(k - r, s) for w, k in powers for (r, s), c in _paths(n, j).items() if r <= k)
                for j in range(1, n + 1)}  # fmt: skip
    each = plan.lam == "each"
    ways = {n: {0: 1}} | {j: {r: comb(n - j - 1, r - 1) for r in range(1, n - j + 1)} for j in range(2, n)}
    return {
        j: sum(w * c * (comb(k + 1, r + 1) if each else comb(k, r)) for w, k in powers for r, c in of.items())
        for j, of in ways.items()
    }


def _powers(plan: Plan) -> Iterator[tuple[int, int]]:
    """(terms of its coefficient, k) for each power k of A − 1, or of A where that tells terms apart."""
    T, first = plan.T, plan.eliminate == "first"
    if plan.lam == "each":
        yield from ((comb(T, k), k) for k in range(T + 1))
    elif plan.lam == "one":
        yield from ((T - k + 1 if first else 1, k) for k in range(T + 1))
    else:
        least = sum(x == 1 for x in plan.lam) if first else 0
        yield from ((1, k) for k in range(least, plan.attending + 1))


def _paths(n: int, j: int) -> Counter[tuple[int, int]]:
    """(steps r, Σ (i_l − 1) over the r + 1 rows) -> number of paths n = i_0 > … > i_r = j."""
    if j == n:
        return Counter({(0, n - 1): 1})
    found = Counter({(1, n - 1 + j - 1): 1})
    for i in range(j + 1, n):
        found = found + Counter({(r + 1, s + i - 1): c for (r, s), c in found.items()})
    return found


def _products(degree: int, letters: int) -> int:
    """The number of monomials of that degree in so many letters."""
    return comb(degree + letters - 1, letters - 1) if letters else int(degree == 0)


# --- the others: upper bounds ---------------------------------------------------------------------------------------


def _mixings(plan: Plan) -> int:
    """Monomials in λ: each λ_t has degree at most 1, one λ at most T."""
    return {"each": 1 << plan.T, "one": plan.T + 1}.get(plan.lam, 1) if isinstance(plan.lam, str) else 1


def _uniform(plan: Plan, j: int) -> int:
    return _mixings(plan)


def _prefix(plan: Plan, j: int) -> int:
    """Of degree d + 1 in u_j at most and d in the others, d layers attending; a kernel per layer: 1 in each letter."""
    n, d = plan.n, plan.attending
    letters = n - max(j, 2) + 1
    if not plan.shared:
        return min(_mixings(plan) * (1 << letters * d), _prefix_layered(plan, j))
    # p_j = [j = n] Π(1 − λ_t) + u_j Π_{i>j} (1 − u_i) Σ_k P(K = k) h_{k−1}(u_j, …, u_n), and u_1 = 1
    return _mixings(plan) * ((1 << n - j) * comb(max(d - 1, 0) + letters, letters) + (j == n))


def _prefix_layered(plan: Plan, j: int) -> int:
    """As for general kernels, A_ij being u_j times 2^(i−j) products, as if like terms never met."""
    n, count = plan.n, {i: int(i == plan.n) for i in range(j, plan.n + 1)}
    for share in ["λ"] * plan.T if isinstance(plan.lam, str) else plan.lam:
        if share != 0:
            stay = 3 if isinstance(share, str) else 1 if share == 1 else 2
            moved = {i: sum((1 << k - i) * count[k] for k in range(i + 1, n + 1)) for i in count}
            count = {i: (1 if i == 1 else stay) * c + moved[i] for i, c in count.items()}
    return count[j]


def _alibi(plan: Plan, j: int) -> int:
    """The numerator over [n] in the top layer, over lcm([j], …, [n]) in those below, [i] = 1 + q + … + q^(i−1)."""
    return _boxed(plan, plan.n - 1, sum(_euler(d) for d in _divisors(max(j, 2), plan.n)))


def _content(plan: Plan, j: int) -> int:
    return _boxed(plan, 1, plan.n - max(j, 2) + 1)


def _boxed(plan: Plan, top: int, below: int) -> int:
    """Degrees ``top`` in the top attending layer and ``below`` in the others."""
    d = plan.attending
    if d == 0:
        return 1
    if plan.shared:
        return _mixings(plan) * (top + (d - 1) * below + 1)
    return _mixings(plan) * (top + 1) * prod([below + 1] * (d - 1))


def _divisors(first: int, last: int) -> list[int]:
    return [d for d in range(2, last + 1) if last // d > (first - 1) // d]


def _euler(d: int) -> int:
    return sum(gcd(k, d) == 1 for k in range(1, d + 1))


_BOUND = {"uniform": _uniform, "prefix": _prefix, "alibi": _alibi, "content": _content}
