"""Cases of random layers: any joint law of few outcomes, laws under which layers do not correlate; of coefficients."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from numeric.strategies import prefix_weights
from proofs.case import Case, Entries, kernel
from proofs.cases.limit_cases import flipped
from proofs.draws import families, for_each, sizes_within, values

__all__ = ["CORRELATED", "COUNTEREXAMPLES", "attained", "averaging_cases", "correlated_cases"]

Row = tuple[Fraction, ...]
Kernel = tuple[Row, ...]
Outcomes = Sequence[Sequence[Kernel]]  # the layers of each outcome


def averaging_cases() -> SearchStrategy[Case]:
    """Any joint law of up to three outcomes, or layers that do not correlate; kernels that read the past or the future;
    b as small as it can be or larger; one case that attains the bound.
    """
    kinds = st.sampled_from(("attained", "independent", *("one random",) * 2, *("joint",) * 4))
    any_size = st.one_of(sizes_within(4, 2), sizes_within(4, 2), sizes_within(4, 2), sizes_within(2, 3))
    return st.tuples(any_size, kinds).flatmap(lambda d: st.just(attained) if d[1] == "attained" else _draw(*d[0], d[1]))


@cache
def _draw(size: int, depth: int, kind: str) -> SearchStrategy[Case]:
    parts = st.tuples(
        st.sampled_from((1, 2, 2, 2, 2, 3)),
        st.lists(families(size, depth), min_size=3, max_size=3),
        prefix_weights(4), st.integers(0, 1), st.booleans(),
    )  # fmt: skip

    def case(d: tuple[int, list[tuple[Kernel, ...]], Row, int, bool]) -> Case:
        outcomes, drawn, weights, slack, flip = d
        families_of = [[flipped(rows) if flip else rows for rows in layers] for layers in drawn]
        chances, kernels = _law(kind, outcomes, weights, families_of)
        return _case(size, chances, kernels, slack=Fraction(slack, 3))

    return parts.map(case)


def _law(kind: str, outcomes: int, weights: Row, drawn: Outcomes) -> tuple[list[Fraction], Outcomes]:
    """Chances and layers: any; or outcomes (a, b), a and b independent, layer 1 that of a, layer 2 that of b, layer 3
    always the same; or all layers always the same but one.
    """
    if kind == "independent":
        (x, y), (u, v) = weights[:2], weights[2:]
        chances = [first * second / ((x + y) * (u + v)) for first in (x, y) for second in (u, v)]
        chosen = [(a, b, 2) for a in (0, 1) for b in (0, 1)]
        return chances, [[drawn[k][t] for t, k in enumerate(ks[: len(drawn[0])])] for ks in chosen]
    if kind == "one random":
        first, other = drawn[0], [*drawn[0][:-1], *drawn[1][-1:]]
        return [weights[0] / sum(weights[:2]), weights[1] / sum(weights[:2])], [first, other]
    return [x / sum(weights[:outcomes]) for x in weights[:outcomes]], drawn[:outcomes]


def _case(
    size: int, chances: Sequence[Fraction | int], kernels: Outcomes, *, slack: Fraction | int = 0, **further: Entries
) -> Case:
    """The case with N = E R, D = R - N and the least b, or more by ``slack``; ``further`` overrides."""
    depth, outcomes, rows = len(kernels[0]), range(len(chances)), range(size)

    def mean(values: Iterable[Fraction | int]) -> Fraction:
        return sum((Fraction(x) * y for x, y in zip(chances, values, strict=True)), Fraction(0))

    means = [[[mean(kernels[k][t][r][c] for k in outcomes) for c in rows] for r in rows] for t in range(depth)]
    apart = [
        [[[kernels[k][t][r][c] - means[t][r][c] for c in rows] for r in rows] for t in range(depth)] for k in outcomes
    ]
    far = [[max(sum(map(abs, row)) for row in apart[k][t]) + slack for t in range(depth)] for k in outcomes]
    derived: dict[str, Entries] = {"N": means, "D": apart, "b": far}
    return Case.of(size, {"M": len(chances), "T": depth}, p=chances, R=kernels, **{**derived, **further})


_half = Fraction(1, 2)
_two = (_half, _half)
_stay, _leave = kernel([1], [0, 1]), kernel([1], [1, 0])

# Layer 1 sends tokens 2 and 3 to 1 and 2 or to 2 and 1; layer 2 sends token 3 to 3 or to 2 accordingly: always 2.
attained = _case(3, _two, (
    (kernel([1], [1, 0], [0, 1, 0]), kernel([1], [0, 1], [0, 0, 1])),
    (kernel([1], [0, 1], [1, 0, 0]), kernel([1], [0, 1], [0, 1, 0])),
))  # fmt: skip

# --- counterexamples ------------------------------------------------------------------------------

# Layers 1, 2, 3 leave token 2 or not: each two are independent, all three together an even number of times.
_pairwise = [[_leave if x else _stay for x in xs] for xs in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0))]
_alike = [[_stay, _stay], [_leave, _leave]]


def _number(value: int) -> Kernel:
    """A layer on one position."""
    return ((Fraction(value),),)


COUNTEREXAMPLES: tuple[tuple[str, Case, str], ...] = (
    ("weights", _case(2, (2, -1), _alike), "chances 2 and -1: E b_1 b_2 = 2 * 4 - 16"),
    ("mass", _case(1, (2,), [[]]), "one outcome of chance 2, no layer: E I = 2 I"),
    ("means", _case(1, (1,), [[_number(1)]], N=[[[0]]], D=[[[[1]]]]), "one layer 1, N = 0: no two layers to sum over"),
    ("deviations", _case(1, (1,), [[_number(1)]], D=[[[[1]]]]), "one layer 1 = N with D = 1"),
    ("kernels", _case(1, _two, [[_number(3)] * 3, [_number(1)] * 3]), "three layers 3 or 1: (14 - 8) / 2 is above 3/2"),
    ("distances", _case(2, _two, _alike, b=[[0, 0]] * 2), "twice the same layer and b = 0"),
    ("uncorrelated", _case(2, _two, _alike), "twice the same layer: P_22 = 1/2, not 1/4"),
    ("uncorrelated", _case(2, (Fraction(1, 4),) * 4, _pairwise), "layers of which each two are independent"),
)  # fmt: skip

# --- one matrix in two layers ---------------------------------------------------------------------


def correlated_cases() -> SearchStrategy[Case]:
    """Any matrix, chances and coefficients of up to three outcomes; weights 1."""

    def draw(sizes: tuple[int, int]) -> SearchStrategy[Case]:
        size, _ = sizes
        return st.tuples(st.integers(1, 3), prefix_weights(3), mixing_coefficients(6), values(size * size)).map(
            lambda d: _correlated(size, [x / sum(d[1][: d[0]]) for x in d[1][: d[0]]], d[2], d[3])
        )

    return for_each(sizes_within(5, 2), draw)


def _correlated(size: int, chances: Sequence[Fraction], mixed: Row, cells: Row) -> Case:
    lam = [mixed[2 * k : 2 * k + 2] for k in range(len(chances))]
    means = [sum((x * pair[t] for x, pair in zip(chances, lam, strict=True)), Fraction(0)) for t in (0, 1)]
    matrix = [cells[r * size : (r + 1) * size] for r in range(size)]
    return Case.of(size, {"M": len(chances)}, p=chances, lambda_=lam, mu=means, A=matrix, w=[1] * size)


def _alone(chance: int, means: Sequence[int], weights: Sequence[int]) -> Case:
    """One outcome with lambda = 0, and A = 0."""
    size = len(weights)
    return Case.of(size, {"M": 1}, p=[chance], lambda_=[[0, 0]], mu=means, A=[[0] * size] * size, w=weights)


CORRELATED: tuple[tuple[str, Case, str], ...] = (
    ("mass", _alone(2, (0, 0), [1]), "one outcome of chance 2: E I = 2 I"),
    ("mean coefficients", _alone(1, (1, 0), [1]), "lambda = 0 and mu_1 = 1, A = 0"),
    ("uniform", _alone(1, (0, 0), [1, 2, 4]), "w = (1, 2, 4)"),
)  # fmt: skip
