"""Cases of one totally positive kernel in every layer, and those at which D6 fails without a hypothesis."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from operator import mul
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import causal_kernels, distance_weights, mixing_pairs, prefix_weights
from proofs.case import Case, Entries, Table, kernel, prefix
from proofs.draws import for_each, sizes_within
from proofs.statement import Needed

__all__ = ["cases", "needed"]

Row = Sequence[Fraction]
Rows = Sequence[Row]


def _normalised(scores: Rows) -> tuple[tuple[Fraction, ...], ...]:
    """The causal kernel of the scores s_ij, j <= i."""
    return kernel(*([x / sum(row[: i + 1]) for x in row[: i + 1]] for i, row in enumerate(scores)))


def _scores(weights: Row, factors: Row, near: Row, kind: int) -> Rows:
    """Totally positive scores up to the diagonal: of prefix weights, with content, or by distance."""
    size = range(len(weights))
    if kind == 2:
        return [[near[i - j] if j <= i else Fraction(0) for j in size] for i in size]
    scale = factors if kind == 1 else [Fraction(1)] * len(weights)
    return [[weights[j] * (scale[i] if i == j else 1) if j <= i else Fraction(0) for j in size] for i in size]


def _flipped(rows: Rows) -> Rows:
    """The transposed matrix: also totally positive, not causal."""
    return [list(column) for column in zip(*rows, strict=True)]


def _reading_on(lower: Rows, upper: Rows) -> Rows:
    """A totally positive kernel that reads later positions too: lower * upper, its rows normalised."""
    columns = _flipped(upper)
    rows = [[sum(map(mul, row, column), Fraction(0)) for column in columns] for row in lower]
    return [[x / sum(row) for x in row] for row in rows]


def cases() -> SearchStrategy[Case]:
    """One kernel of a kind in every layer, a causal one in two thirds of the draws; others of these kinds beside it;
    content above 1 in the end rows only.
    """

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        n, depth = size[0], max(size[1], 1)
        parts = st.tuples(
            mixing_pairs(depth), prefix_weights(2 * n), distance_weights(n), causal_kernels(n),
            st.integers(0, 54 * (depth + 2) ** 2 - 1),
        )  # fmt: skip
        return parts.map(lambda drawn: _case_from(n, depth, drawn))

    return for_each(sizes_within(4, 3), draw)


def _case_from(n: int, depth: int, drawn: tuple[Any, ...]) -> Case:
    (low, high), positive, ratios, inserted, kinds = drawn
    weights, factors = positive[:n], positive[n:]
    (p, q), kinds = divmod(kinds // 54, depth + 2), kinds % 54
    content = [x if i in (0, n - 1) else min(x, 1 / x) for i, x in enumerate(factors)]
    near = list(accumulate(ratios, mul))  # ratios that fall
    of = [_scores(weights, content, near, kind) for kind in (kinds % 3, kinds // 3 % 3, kinds // 9 % 3)]
    shared, lower = _normalised(of[0]), _normalised(of[2])
    upper = _flipped(lower)
    layer = _reading_on(shared, upper) if kinds >= 36 else shared
    return Case.of(
        n, {"T": depth, "p": p, "q": q}, lambda_=low, mu=high, A=[layer] * depth, X=_normalised(of[1]),
        Y=upper if 18 <= kinds < 36 else lower, N=inserted, w=weights, e=content, a=Table(near, (0,)),
        g=[[x * y for x in row] for row, y in zip(of[1], factors, strict=True)],
    )  # fmt: skip


# --- needed hypotheses ----------------------------------------------------------------------------

_ones: Entries = (1, 1, 1)
_flat = prefix(1, 1, 1)
_stays = kernel([1], [0, 1], [0, 0, 1])
_swap: Entries = ((0, 1, 0), (1, 0, 0), (0, 0, 1))
_mean: Entries = tuple((Fraction(1, 3),) * 3 for _ in range(3))
_signed: Entries = ((-1, 0, 2),) * 3
_plain: dict[str, Entries] = {
    "lambda_": [1, 1], "mu": [1, 1], "A": [_flat, _flat], "X": _stays, "Y": _stays, "N": _stays, "w": _ones,
    "e": _ones, "g": (_ones,) * 3,
}  # fmt: skip


def _case(near: Entries = _ones, at: tuple[int, int] = (0, 0), **changed: Entries) -> Case:
    return Case.of(3, {"T": 2, "p": at[0], "q": at[1]}, a=Table(near, (0,)), **{**_plain, **changed})


_back = kernel([1], [1, 0], [0, 0, 1], [0, Fraction(1, 2), Fraction(1, 2), 0])
_four = Case.of(
    4, {"T": 2, "p": 0, "q": 0}, a=Table((1, 0, 0, 1), (0,)), lambda_=[1, 1], mu=[1, 1], A=[_back, _back],
    **dict.fromkeys("XYN", kernel([1], [0, 1], [0, 0, 1], [0, 0, 0, 1])), w=(1,) * 4, e=(1,) * 4, g=((1,) * 4,) * 4,
)  # fmt: skip
_half: Entries = [Fraction(1, 2)] * 2
_tilted: Entries = (1, 2, 1)
needed = (
    Needed("X totally positive", _case(X=_swap), "tokens 1 and 2 exchanged"),
    Needed("Y totally positive", _case(Y=_swap), "tokens 1 and 2 exchanged"),
    Needed("inserted layer", _case(N=((0, 0, 1),) * 3), "every token reads the last: row 1 moves up"),
    Needed("X causal", _case(X=_mean, at=(0, 1)), "the mean of all tokens: row 1 of X is not before row 1 of I"),
    Needed("mixing", _case(lambda_=[0, -1]), "lambda = (0, -1): row 2 of 2 I - A is (-1/2, 3/2)"),
    Needed(
        "more mixing", _case(mu=[2, 2], at=(0, 2)), "mu = (2, 2) gives the law (1, -4, 4), lambda = (1, 1) certain 2"
    ),
    Needed("ordered", _case(mu=[0, 0]), "lambda = 1, mu = 0: attention taken away"),
    Needed("causal kernels", _case(A=[_mean, _mean], lambda_=[0, 1]), "the mean of all tokens moves row 1 up"),
    Needed("kernels", _case(A=[_signed, _signed], lambda_=[0, 1]), "every row is (-1, 0, 2): token 1 loses, before 3"),
    Needed(
        "kernels totally positive",
        _four,
        "token 4 reads 2 and 3, token 2 reads 1: p = (0, 1/2, 1/2, 0), p' = (1/2, 0, 1/2, 0)",
    ),
    Needed(
        "one kernel",
        _case(A=[_flat, prefix(1, 3, 1)], lambda_=_half, mu=_half),
        "(1, 1, 1), then (1, 3, 1), lambda = 1/2: p' / p = (33/20, 39/20, 3/5)",
    ),
    Needed("weights", _case(w=(2, -1, 1)), "w = (2, -1, 1): row 2 is (2, -1)"),
    Needed("content", _case(e=(1, -3, 1)), "content -3 in row 2: rows 2 and 3, columns 1 and 2: 1/2 > -1/6"),
    Needed("content at most 1", _case(e=_tilted), "content 2 in row 2: rows 2 and 3, columns 1 and 2: 2/9 > 1/9"),
    Needed("content totally positive", _case(e=_tilted), "content 2 in row 2"),
    Needed("scores", _case(g=((1, 0, 0), (-1, 2, 0), (0, 0, 1))), "row 2 of the scores is (-1, 2)"),
    Needed(
        "scores totally positive",
        _case(g=((1, 0, 0), (0, 1, 0), (1, 1, 1))),
        "rows (0, 1) and (1, 1, 1): 1 > 0",
    ),
    Needed("distance weights", _case((4, -2, 1)), "a = (4, -2, 1): geometric, but row 2 is (-1, 2)"),
    Needed("log-concave", _case((1, 0, 1)), "a = (1, 0, 1): rows 2 and 3, columns 1 and 2: 1/2 > 0"),
    Needed(
        "log-concave",
        _four,
        "a = (1, 0, 0, 1): every square is at least the product of its neighbours, yet a zero lies inside",
    ),
    Needed("distance totally positive", _case((1, 0, 1)), "a = (1, 0, 1): 1 * 1 > 0 * 0"),
)
