"""Cases of random layers: any joint law of few outcomes, and laws under which layers do not correlate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from numeric.strategies import prefix_weights
from proofs.case import Case, Entries, kernel
from proofs.draws import families, sizes_within, values
from proofs.limit_cases import flipped

__all__ = ["COUNTEREXAMPLES", "averaging_cases"]

Row = tuple[Fraction, ...]
Kernel = tuple[Row, ...]
Outcomes = Sequence[Sequence[Kernel]]  # the layers of each outcome


def averaging_cases() -> SearchStrategy[Case]:
    """Up to three outcomes of any layers, or two independent draws of two, one for odd and one for even layers; kernels
    that read the past or the future; b as small as it can be or larger; one case that attains the bound.
    """
    return st.tuples(sizes_within(4, 3), st.integers(0, 9), st.integers(1, 3)).flatmap(
        lambda d: st.just(_attained) if d[1] == 0 else _draw(*d[0], independent=d[1] > 5, outcomes=d[2])
    )


def _draw(size: int, depth: int, *, independent: bool, outcomes: int) -> SearchStrategy[Case]:
    drawn = 2 if independent else outcomes
    number = 4 if independent else outcomes
    parts = st.tuples(
        st.lists(families(size, depth), min_size=drawn, max_size=drawn),
        prefix_weights(4), mixing_coefficients(2 * number), values(size * size), st.integers(0, 1), st.booleans(),
    )  # fmt: skip

    def case(d: tuple[list[tuple[Kernel, ...]], Row, Row, Row, int, bool]) -> Case:
        chosen, weights, mixed, cells, slack, flip = d
        kernels = [[flipped(rows) if flip else rows for rows in layers] for layers in chosen]
        if independent:
            chances, kernels = _independent(weights, kernels)
        else:
            chances = [x / sum(weights[:number]) for x in weights[:number]]
        lam = [mixed[2 * k : 2 * k + 2] for k in range(number)]
        matrix = [cells[r * size : (r + 1) * size] for r in range(size)]
        return _case(size, chances, kernels, lambda_=lam, A=matrix, slack=Fraction(slack, 3))

    return parts.map(case)


def _independent(weights: Row, kernels: Outcomes) -> tuple[list[Fraction], list[list[Kernel]]]:
    """Outcomes (a, b), a and b independent: layer 1 is that of a, layer 2 that of b, layer 3 is always the same."""
    first, second = weights[:2], weights[2:]
    pairs = [(a, b) for a in (0, 1) for b in (0, 1)]
    chances = [first[a] * second[b] / (sum(first) * sum(second)) for a, b in pairs]
    return chances, [
        [(kernels[a], kernels[b], kernels[0])[t][t] for t in range(len(kernels[0]))] for a, b in pairs
    ]  # fmt: skip


def _case(
    size: int, chances: Sequence[Fraction | int], kernels: Outcomes, *, slack: Fraction = Fraction(0), **further: Entries
) -> Case:
    """The case with N = E R, D = R - N, mu = E lambda and the least b, or more by ``slack``; ``further`` overrides."""
    depth, outcomes = len(kernels[0]), range(len(chances))
    plain: dict[str, Entries] = {"lambda_": [[0, 0]] * len(chances), "A": [[0] * size] * size, "w": [1] * size}
    tables = {**plain, **further}

    def mean(values: Iterable[Fraction | int]) -> Fraction:
        return sum((x * y for x, y in zip(chances, values, strict=True)), Fraction(0))

    rows, lam = range(size), tables["lambda_"]
    means = [[[mean(kernels[k][t][r][c] for k in outcomes) for c in rows] for r in rows] for t in range(depth)]
    apart = [
        [[[kernels[k][t][r][c] - means[t][r][c] for c in rows] for r in rows] for t in range(depth)] for k in outcomes
    ]
    far = [[max(sum(map(abs, row)) for row in apart[k][t]) + slack for t in range(depth)] for k in outcomes]
    derived: dict[str, Entries] = {
        "N": means, "D": apart, "b": far, "mu": [mean(lam[k][t] for k in outcomes) for t in (0, 1)],  # type: ignore[index,misc]
    }  # fmt: skip
    return Case.of(size, {"M": len(chances), "T": depth}, p=chances, R=kernels, **{**derived, **tables})


_half = Fraction(1, 2)
_two = (_half, _half)
_stay, _leave = kernel([1], [0, 1]), kernel([1], [1, 0])

# Layer 1 sends tokens 2 and 3 to 1 and 2 or to 2 and 1; layer 2 sends token 3 to 3 or to 2 accordingly: always 2.
_attained = _case(3, _two, (
    (kernel([1], [1, 0], [0, 1, 0]), kernel([1], [0, 1], [0, 0, 1])),
    (kernel([1], [0, 1], [1, 0, 0]), kernel([1], [0, 1], [0, 1, 0])),
))  # fmt: skip

# --- counterexamples ------------------------------------------------------------------------------

# Layers 1, 2, 3 leave token 2 or not: each two are independent, all three together an even number of times.
_pairwise = [[_leave if x else _stay for x in xs] for xs in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0))]
_alike = [[_stay, _stay], [_leave, _leave]]

COUNTEREXAMPLES: tuple[tuple[str, Case, str], ...] = (
    ("weights", _case(2, (2, -1), _alike), "chances 2 and -1: E b_1 b_2 = 2 * 4 - 16"),
    ("mass", _case(1, (2,), [[]]), "one outcome of chance 2, no layer: E I = 2 I"),
    ("means", _case(1, (1,), [[((1,),)]], N=[[[0]]], D=[[[[1]]]]), "one layer 1 with N = 0: no two layers to sum over"),
    ("deviations", _case(1, (1,), [[((1,),)]], D=[[[[1]]]]), "one layer 1 = N with D = 1"),
    ("kernels", _case(1, _two, [[((3,),)] * 3, [((1,),)] * 3]), "three layers 3 or 1: 14 - 8, half of it above 3/2"),
    ("distances", _case(2, _two, _alike, b=[[0, 0]] * 2), "twice the same layer and b = 0"),
    ("uncorrelated", _case(2, _two, _alike), "twice the same layer: P_22 = 1/2, not 1/4"),
    ("uncorrelated", _case(2, (Fraction(1, 4),) * 4, _pairwise), "layers of which each two are independent"),
    ("mean coefficients", _case(1, (1,), [[]], mu=[1, 0]), "lambda = 0 and mu_1 = 1, A = 0"),
    ("uniform", _case(3, (1,), [[]], w=[1, 2, 4]), "w = (1, 2, 4)"),
)  # fmt: skip
