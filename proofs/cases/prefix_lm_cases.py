"""Cases of kernels that are causal beyond b: causal kernels whose first b rows are moved within the prefix."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing, mixing_pairs, prefix_weights
from proofs.case import Case, Entries, kernel, prefix, scaled_diagonal
from proofs.draws import families, for_each, sizes_within
from proofs.endless_case import EndlessCase, family, star

__all__ = [
    "BLOCK_COUNTEREXAMPLES",
    "COUNTEREXAMPLES",
    "block_cases",
    "endless_cases",
    "prefix_cases",
]

Row = tuple[Fraction, ...]
Kernel = tuple[Row, ...]


def _seeing_prefix(rows: Kernel, size: int) -> Kernel:
    """The causal kernel with rows 1, ..., ``size`` replaced by row ``size``, turned by one place more in each row."""
    last = rows[size - 1][:size]
    turned = (last[i:] + last[:i] + rows[0][size:] for i in range(size))
    return (*(row + (Fraction(0),) * (len(rows) - len(row)) for row in turned), *rows[size:])


def prefix_cases() -> SearchStrategy[Case]:
    """Any b < r <= n; tails that rise beyond b in two of three cases; epsilon as large as it can be, or half that."""

    def draw(drawn: tuple[tuple[int, int], bool]) -> SearchStrategy[Case]:
        (size, depth), monotone = (max(drawn[0][0], 2), drawn[0][1]), drawn[1]
        parts = st.tuples(
            mixing_pairs(depth), families(size, depth + 3, monotone=monotone),
            st.integers(2, size).flatmap(lambda r: st.tuples(st.just(r), st.integers(1, r - 1))),
            st.sampled_from((Fraction(1), Fraction(1), Fraction(1, 2))),
        )  # fmt: skip
        return parts.map(lambda d: _drawn(size, depth, *d))

    return for_each(st.tuples(sizes_within(5, 3), st.sampled_from((True, True, False))), draw)


def _drawn(
    size: int, depth: int, mixed: tuple[Row, Row], kernels: tuple[Kernel, ...], rows: tuple[int, int], share: Fraction
) -> Case:
    row, b = rows
    *layers, upper, inserted, lower = (_seeing_prefix(k, b) for k in kernels)
    least = min((1 - a[k][k] for a in layers for k in range(b, row)), default=Fraction(1))
    return Case.of(
        size, {"T": depth, "r": row, "b": b}, lambda_=mixed[0], mu=mixed[1], A=layers, U=upper, N=inserted, B=lower,
        epsilon=share * least,
    )  # fmt: skip


def endless_cases(proper: bool) -> tuple[EndlessCase, ...]:
    """Layers without end: the last row beyond a prefix of all others, or row 2 beyond the first."""
    cases = family(proper=proper)
    last = tuple(case.reading({"r": case.n, "b": case.n - 1}) for case in cases)
    return (*last, *(case.reading({"r": 2, "b": 1}) for case in cases if case.n > 2))


# --- counterexamples ------------------------------------------------------------------------------

_one, _leave = kernel([1], [0, 1]), kernel([1], [1, 0])
_three = kernel([1], [0, 1], [0, 0, 1])
_tilted, _top = scaled_diagonal(prefix(8, 4, 1), 2), prefix(1, 7, 1)  # w = (1, 1/2, 1/8), e = 2: not monotone
_swap = ((0, 1), (1, 0))
_half = Fraction(1, 2)
_read: dict[str, Any] = {"indices": {"r": 2, "b": 1}}


def _case(size: int, layers: Sequence[Entries] = (), **changed: Entries) -> Case:
    same, depth = _one if size == 2 else _three, len(layers)
    plain: dict[str, Entries] = {
        "lambda_": [1] * depth, "mu": [1] * depth, "A": layers, "U": same, "N": same, "B": same, "epsilon": 0,
    }  # fmt: skip
    return Case.of(size, {"T": depth, "r": size, "b": 1}, **{**plain, **changed})


COUNTEREXAMPLES: tuple[tuple[str, Case | EndlessCase, str], ...] = (
    (
        "upper", _case(3, U=kernel([1], [0, 1], [0, -1, 2]), N=kernel([1], [1, 0], [0, 0, 1])),
        "a row (0, -1, 2) above a layer that moves only token 2",
    ),
    ("inserted", _case(3, N=((1, 0, 0), (0, 0, 1), (0, 0, 1))), "a layer that reads the future moves row 2 up"),
    ("lower", _case(2, B=((1, 0), (0, 0))), "a row of zeros"),
    ("rises", _case(3, B=_tilted, N=_top), "w = (1, 1/2, 1/8), e = 2 below prefix (1, 7, 1): 54/126 < 55/126"),
    ("kernels", _case(2, [_swap, _swap]), "rows swapped twice, b = 1: the diagonal is 1, the product 0"),
    ("mixing", _case(2, [_leave], lambda_=[-1]), "lambda = -1: P_22 = 2"),
    ("more mixing", _case(2, [_leave] * 2, lambda_=[_half] * 2, mu=[2, 2]), "mu = 2 twice: P_22 = 1, not below 1/4"),
    ("ordered", _case(2, [_leave], mu=[0]), "mu = 0 below lambda = 1"),
    ("kernels rise", _case(3, [_tilted, _top], lambda_=[1, 0]), "the same two layers: 54/126 < 55/126"),
    ("epsilon", _case(3, [_three] * 2, epsilon=-1), "epsilon = -1, A = I, T = 2: the sum is 4 - 4 = 0"),
    ("off the diagonal", _case(2, [_one], epsilon=1), "A = I, epsilon = 1: the sum is 0"),
    ("all mixing", star("2", ["1"], **_read), "lambda = 2: P_22 is 1 and -1 in turn"),
    ("all kernels", star("1", ["2"], **_read), "A_22 = -1: P_22 is 1 and -1 in turn"),
    ("infinite sums", star("1", ["1/(t + 1)^2"], **_read), "sum 1/(t + 1)^2: P_22 tends to 1/2"),
    ("factors", star("0", ["0"], first=(1, [1]), **_read), "a layer that moves all to the prefix"),
    ("finite sum", star("1", ["1/(t + 1)"], **_read), "sum 1/(t + 1): P_22 tends to 0"),
    ("positive diagonal", star("0", ["0"], first=(1, [1]), **_read), "a layer that moves all to the prefix"),
    ("collapse", star("1", ["1/(t + 1)^2"], **_read), "no collapse, and a finite sum"),
)  # fmt: skip

# --- inside the prefix ----------------------------------------------------------------------------


def block_cases() -> SearchStrategy[Case]:
    """Layers that keep a law on the prefix: mixtures of rows that are the law, of rows that stay and, where the law is
    even, of rows that move on by one token.
    """

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        parts = st.tuples(
            families(positions, depth + 2), st.integers(1, positions), prefix_weights(positions), st.integers(0, 3),
            st.lists(st.integers(0, 4), min_size=2 * depth + 2, max_size=2 * depth + 2), mixing(depth),
        )  # fmt: skip
        return parts.map(lambda d: _block(positions, depth, *d))

    return for_each(sizes_within(5, 3), draw)


def _block(
    size: int, depth: int, kernels: tuple[Kernel, ...], b: int, weights: Row, even: int, shares: list[int], lam: Row
) -> Case:
    weights = weights if even else (Fraction(1),) * size
    law = tuple(w / sum(weights[:b]) for w in weights[:b])
    *layers, shared, upper = (
        _keeping(k, law, shares[2 * t % len(shares)], 0 if even else shares[2 * t + 1 - 2 * (t > depth)])
        for t, k in enumerate(kernels)
    )
    lows = [tuple(min(column[:b]) for column in zip(*rows, strict=True)) for rows in layers]
    least = min(x for row in shared[:b] for x in row[:b])
    beyond = (Fraction(0),) * (size - b)
    return Case.of(
        size, {"T": depth, "b": b}, R=layers, U=upper, pi=law + beyond, nu=lows, lambda_=lam, A=shared, c=least
    )


def _keeping(rows: Kernel, law: Row, of_law: int, turned: int) -> Kernel:
    """The kernel with rows of the prefix (law + turned * next token + the token itself) in these shares."""
    b, whole = len(law), Fraction(of_law + turned + 1)
    block = (
        tuple((of_law * law[j] + turned * (j == (i + 1) % b) + (j == i)) / whole for j in range(b)) for i in range(b)
    )
    return (*(row + (Fraction(0),) * (len(rows) - b) for row in block), *rows[b:])


def _inside(size: int, layers: Sequence[Entries], law: Sequence[Fraction | int], b: int, **changed: Entries) -> Case:
    depth, same = len(layers), [[int(i == j) for j in range(size)] for i in range(size)]
    plain: dict[str, Entries] = {
        "R": layers, "U": same, "pi": law, "nu": [[0] * size] * depth, "lambda_": [1] * depth, "A": same, "c": 0,
    }  # fmt: skip
    return Case.of(size, {"T": depth, "b": b}, **{**plain, **changed})


_even = ((_half, _half), (_half, _half))
BLOCK_COUNTEREXAMPLES: tuple[tuple[str, Case, str], ...] = (
    ("layers", _inside(2, [((1, 1), (0, 1))], [1, 0], 1, nu=[[1, 0]]), "token 1 reads beyond the prefix"),
    ("upper", _inside(1, [], [1], 1, U=[[4]]), "U = 4, no layer: 3/2 of distance, bound 1"),
    ("law", _inside(1, [], [4], 1), "a law of mass 4"),
    ("kept by layers", _inside(2, [_leave], [0, 1], 2, nu=[[1, 0]]), "rows (1, 0): not the law (0, 1)"),
    ("at least nu", _inside(2, [_one], [_half, _half], 2, nu=[[_half, _half]]), "I forgets nothing"),
    ("mixing", _inside(2, [_even], [_half, _half], 2, lambda_=[3], A=_even, c=_half), "lambda = 3"),
    ("kernel", _inside(2, [_one], [1, 0], 1, A=((1, 1), (0, 1)), c=1), "token 1 reads beyond the prefix"),
    ("kept by the kernel", _inside(2, [_one], [1, 0], 2, A=_even, c=_half), "rows (1/2, 1/2): not the law (1, 0)"),
    ("at least c", _inside(2, [_even], [_half, _half], 2, A=_one, c=_half), "A = I, c = 1/2"),
)  # fmt: skip
