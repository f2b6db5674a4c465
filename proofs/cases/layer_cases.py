"""Cases for the order of layers (D7): weights and layers that are ordered by their odds w_j / W_{j-1}, or are not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise, permutations
from operator import mul
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import causal_kernels, content_factor_pairs, monotone_kernels, prefix_weights
from proofs.case import Case
from proofs.draws import sizes_within

__all__ = ["layer_cases"]

Row = tuple[Fraction, ...]
Kernel = tuple[Row, ...]
_GROWTH = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3))
_COEFFICIENTS = (Fraction(1), Fraction(1, 3), Fraction(1, 2), Fraction(0))
_SLOPES = (Fraction(1, 2), Fraction(2, 3), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3))


def _by_odds(odds: Sequence[Fraction]) -> Row:
    """w_1 = 1 and w_j = odds_j (w_1 + ... + w_{j-1})."""
    sums = list(accumulate((1 + o for o in odds), lambda total, growth: total * growth, initial=Fraction(1)))
    return (Fraction(1), *(after - before for before, after in pairwise(sums)))


def _chain(first: bytes, steps: bytes) -> list[Row]:
    """Weights of which each has odds that grow over the last one's: the same up to a position, then by a factor."""
    odds = [Fraction(1 + b % 3, 1 + b // 3 % 2) for b in first]
    found = [_by_odds(odds)]
    for b in steps:
        start, factor = 1 + b % (len(odds) + 1), _GROWTH[(b // 16 + 1) % 4]
        odds = [o * factor if j >= start else o for j, o in enumerate(odds)]
        found.append(_by_odds(odds))
    return found


def _log_convex(drawn: bytes) -> list[Row]:
    """[w, v] with w_j / W_j = 1 / a_j falling, and V_j / W_j rising by factors that rise."""
    size = len(drawn) // 2
    growth = (Fraction(a, a - 1) for a in sorted(2 + b % 4 for b in drawn[:size]))
    W = list(accumulate(growth, initial=Fraction(1), func=mul))
    ratio = accumulate((_GROWTH[b] for b in sorted(b % 4 for b in drawn[size:])), initial=Fraction(1), func=mul)
    V = [x * y for x, y in zip(W, ratio, strict=True)]
    return [(sums[0], *(after - before for before, after in pairwise(sums))) for sums in (W, V)]


def _prefix(weights: Row) -> Kernel:
    sums = accumulate(weights)
    zero = Fraction(0)
    return tuple(
        tuple(x / total if j <= i else zero for j, x in enumerate(weights)) for i, total in enumerate(sums)
    )  # fmt: skip


def _mean(kernels: Sequence[Kernel], share: Fraction) -> Kernel:
    """The average of one or two kernels."""
    if len(kernels) == 1:
        return kernels[0]
    rows = (zip(*pair, strict=True) for pair in zip(*kernels, strict=True))
    return tuple(tuple(share * x + (1 - share) * y for x, y in row) for row in rows)


def layer_cases() -> SearchStrategy[Case]:
    """One or two heads; layers in order in one half of the cases, in the reverse order in the other."""
    return st.tuples(sizes_within(4, 3), st.integers(1, 2)).flatmap(lambda drawn: _cases(*drawn[0], drawn[1]))


@cache
def _cases(size: int, depth: int, count: int) -> SearchStrategy[Case]:
    heads = depth * count
    parts = st.tuples(
        st.binary(min_size=2 + size + 2 * heads, max_size=2 + size + 2 * heads),
        st.binary(min_size=2 * size - 2, max_size=2 * size - 2),
        prefix_weights(2 * size),
        content_factor_pairs(),
        st.binary(min_size=depth, max_size=depth),
        st.tuples(causal_kernels(size), monotone_kernels(size)),
    )
    return parts.map(lambda drawn: _case(size, depth, count, drawn))


def _case(size: int, depth: int, count: int, drawn: tuple[Any, ...]) -> Case:
    chained, convex, free, bases, coefficients, (above, below) = drawn
    kind, share, slopes = chained[0] % 6, Fraction(chained[1] % 5, 4), chained[2 : 2 + depth * count]
    chain = _chain(chained[2 + depth * count :][: size - 1], chained[1 + size + depth * count :])
    pair = (chain[:2], chain[1::-1], [free[:size], free[size:]])[kind - 3] if kind > 2 else _log_convex(convex)
    turn = -1 if kind % 2 else 1
    orders = list(permutations(range(depth)))
    order = orders[-1 - chained[0] // 6 % len(orders)]
    weights = chain[: depth * count][::turn]
    heads = [weights[t * count : (t + 1) * count] for t in range(depth)]
    values = sorted(_SLOPES[b % 6] for b in slopes)[::turn]
    kernels = [_mean([_prefix(w) for w in layer], share) for layer in heads]
    return Case.of(
        size,
        {"H": count, "T": depth},
        w=pair[0],
        v=pair[1],
        q=bases[0],
        **{"q'": bases[1]},
        lambda_=[_COEFFICIENTS[b % 4] for b in coefficients],
        A=kernels,
        alpha=[[share, 1 - share] if count == 2 else [1]] * depth,
        f=heads,
        X=_prefix(chain[0]),
        Y=_prefix(chain[1]),
        U=above if kind % 3 else _prefix(chain[-1]),
        P=below if kind % 3 else _prefix(chain[0]),
        R=kernels,
        M=[[int(s == place) for s in range(depth)] for place in order],
        x=[values[t * count : (t + 1) * count] for t in range(depth)],
    )
