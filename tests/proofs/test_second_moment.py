"""Q1 to Q6: full enumerations by hand, and the examples of docs/second-moments.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import isqrt, prod

import pytest

from proofs.case import Case, Entries, Table, kernel, prefix
from proofs.cases.moment_recursions import Matrix, after_attention, after_mlp, first_moments, uncorrelated
from proofs.cases.second_moment_cases import Step, of_attention, tree_case
from proofs.evaluate import evaluate, evaluate_claim
from proofs.notation import accumulated, hops
from proofs.results import (
    second_moment_drift,
    second_moment_ends,
    second_moment_heads,
    second_moment_paths,
    second_moments,
)
from proofs.term import Lambda, Relation, Symbol, as_term

HALF = Fraction(1, 2)
TURN = ((0, -1), (1, 0))
TURNS = (((1, 0), (0, 1)), TURN, ((-1, 0), (0, -1)), ((0, 1), (-1, 0)))  # their mean is 0
Vectors = list[list[Fraction]]


# --- Q1 by hand: every outcome of two layers, each of an MLP and two heads --------------------------------------------


def inner(gradient: Vectors, i: int, j: int) -> Fraction:
    """<g_i, g_j>."""
    return sum((a * b for a, b in zip(gradient[i], gradient[j], strict=True)), Fraction(0))


def mean_inner(drawn: Sequence[Vectors]) -> Vectors:
    """E <g_i, g_j>, of outcomes that are equally likely."""
    places = range(len(drawn[0]))
    return [[sum((inner(g, i, j) for g in drawn), Fraction(0)) / len(drawn) for j in places] for i in places]


def turned(matrix: Matrix, vector: Sequence[Fraction]) -> list[Fraction]:
    """W^T v."""
    return [sum((Fraction(matrix[e][b]) * vector[e] for e in (0, 1)), Fraction(0)) for b in (0, 1)]


def attend(gradient: Vectors, maps: Sequence[Matrix], kernels: Sequence[Matrix], scales: Sequence[int]) -> Vectors:
    """g_i + sum_h s_h W_h^T sum_k A_h(k, i) g_k."""
    places, found = range(len(gradient)), [list(g) for g in gradient]
    for matrix, rows, scale in zip(maps, kernels, scales, strict=True):
        for i, k in product(places, repeat=2):
            brought = turned(matrix, gradient[k])
            found[i] = [x + scale * rows[k][i] * y for x, y in zip(found[i], brought, strict=True)]
    return found


def gate(gradient: Vectors, maps: Sequence[Matrix], sizes: Sequence[int]) -> Vectors:
    """g_i + m_i M_i^T g_i."""
    return [
        [x + m * y for x, y in zip(g, turned(matrix, g), strict=True)]
        for g, matrix, m in zip(gradient, maps, sizes, strict=True)
    ]


KERNELS = (prefix(1, 2, 4), kernel([1], [1, 0], [HALF, 0, HALF]))
SCALES, SIZES = (1, 2), (1, 3, 2)


def outcomes() -> Iterator[Vectors]:
    """The gradients after two independent heads, an MLP whose tokens 1 and 2 share a map, and two heads again; all are
    equally likely.
    """
    first = [[Fraction(0)] * 2, [Fraction(0)] * 2, [Fraction(1), Fraction(2)]]
    for upper in product(TURNS, repeat=2):
        spread = attend(first, upper, KERNELS, SCALES)
        for own, other in product(TURNS[1::2], repeat=2):
            gated_there = gate(spread, (own, own, other), SIZES)
            for lower in product(TURNS[::2], TURNS[1::2]):
                yield attend(gated_there, lower, KERNELS, SCALES)


def test_every_outcome_of_two_layers_by_hand() -> None:
    """256 outcomes of signed permutation matrices: their mean is what the recursion of Q1 gives."""
    drawn = list(outcomes())
    means = mean_inner(drawn)
    kappa = [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    factors = [[1 + kappa[i][j] * SIZES[i] * SIZES[j] for j in range(3)] for i in range(3)]
    moments = uncorrelated([s * s for s in SCALES])
    met = after_attention([[5 * x for x in row] for row in first_moments(3)], KERNELS, moments)
    assert len(drawn) == 4**2 * 2**4
    assert means == after_attention(after_mlp(met, factors), KERNELS, moments)
    assert means != after_attention(met, KERNELS, moments)  # the MLP counts


@pytest.mark.parametrize("turns", [TURNS, (*TURNS, *(((a, 0), (0, -a)) for a in (1, -1)))])
def test_a_step_of_signed_permutations_is_a_case_of_the_claim(turns: Sequence[Matrix]) -> None:
    """Each of the matrices with the same chance; all of the claim's parts but the one on MLPs apply."""
    count = len(turns)
    step = Step([Fraction(1, count)] * count, [[2]] * count, [TURNS[0]], [prefix(1, 3)])
    case = tree_case(2, [1, -2], [step], of_attention([2], [prefix(1, 3)], [1, 1]))
    drawn = Table([[[[[2 * x for x in row] for row in matrix]] for matrix in turns]])
    first = [[[Fraction(0)] * 2, [Fraction(1), Fraction(-2)]]] * count
    after = [attend(first[0], [matrix], [prefix(1, 3)], [2]) for matrix in turns]
    inner_products = Table([mean_inner(at) for at in (first, after)], (0,))
    tables = {**dict(case.tables), "W": drawn, "g": Table([first, after], (0,)), "G": inner_products}
    found = evaluate_claim(second_moments.claim, replace(case, tables=tuple(sorted(tables.items()))))
    assert found.holds
    assert found.met == {"each step", "attention", "start", "positive semidefinite"}


def test_one_map_in_two_layers_breaks_the_recursion() -> None:
    """E (1 + W)^4 = 8, where independent maps give 4: only that the mean is 0 whatever was drawn before fails."""
    sign = Step([HALF, HALF], [[1], [-1]], [((1,),)], [((1,),)])
    case = tree_case(1, [1], [sign, sign], of_attention([1], [((1,),)], [1]))
    repeated: Entries = [[[HALF, HALF]] * 2, [[1, 0], [0, 1]]]  # the second layer draws what the first drew
    maps: Entries = [[[[[1]]], [[[-1]]]]] * 2
    two = {
        "p": Table([[1, 0], [HALF, HALF], [HALF, HALF]], (0,)), "c": Table(repeated),
        "W": Table(maps), "g": Table([[[[1]]] * 2, [[[2]], [[0]]], [[[4]], [[0]]]], (0,)),
        "G": Table([[[1]], [[2]], [[8]]], (0,)),
    }  # fmt: skip
    indices = {**dict(case.indices), "M": 2}
    tables = tuple(sorted({**dict(case.tables), **two}.items()))
    dependent = replace(case, indices=tuple(sorted(indices.items())), tables=tables)
    known = dict(second_moments.claim.hypotheses)
    assert evaluate_claim(second_moments.claim, case).holds
    failing = {label for label in known if label != "MLP" and not evaluate(known[label], dependent).holds}
    assert failing == {"mean zero"}
    for part in ("each step", "attention"):
        weaker = second_moments.claim.without("mean zero").only(part)
        assert not evaluate_claim(weaker, dependent).holds


# --- Q2 ---------------------------------------------------------------------------------------------------------------


def test_growth_times_the_law_of_hops_is_an_elementary_symmetric_polynomial() -> None:
    squares = [Fraction(1, 4), Fraction(2), Fraction(0), Fraction(9, 5)]
    case = Case.of(1, {}, nu=squares, theta=[x / (1 + x) for x in squares])
    growth = accumulated(Lambda(("t",), as_term(1) + Symbol("nu", 1)("t")))(4)
    for m in range(5):
        elementary = sum((prod(chosen, start=Fraction(1)) for chosen in combinations(squares, m)), Fraction(0))
        value = growth * hops(Symbol("theta", 1))(4, m)
        assert evaluate(Relation("=", value, as_term(elementary)), case).holds


def test_squares_of_path_sums_by_hand() -> None:
    """Uniform, n = 3, two layers: e_3 A = (1, 1, 1) / 3, e_3 A^2 = (11, 5, 2) / 18."""
    uniform = prefix(1, 1, 1)
    twice = after_attention(after_attention(first_moments(3), [uniform], [[1]]), [uniform], [[4]])
    third, eighteenth = [Fraction(1, 3)] * 3, [Fraction(x, 18) for x in (11, 5, 2)]
    expected = [[(i == j == 2) + 5 * third[i] * third[j] + 4 * eighteenth[i] * eighteenth[j] for j in range(3)]
                for i in range(3)]  # fmt: skip
    assert twice == expected
    case = second_moment_paths._case(3, [[uniform], [uniform]], [[[1]], [[4]]], uniform)
    found = evaluate_claim(second_moment_paths.claim, case)
    assert found.holds and found.met == {"one kernel", "one more step", "nonnegative"}


# --- Q3 ---------------------------------------------------------------------------------------------------------------


def test_what_is_off_the_diagonal_does_not_die_out() -> None:
    """G(1, 2) / G(2, 2) = (1 - (3/5)^T) / 2 with s^2 = m^2 = 1 and the row (1/2, 1/2)."""
    for depth in (1, 2, 3, 8):
        case = second_moment_ends._case(2, [[prefix(1, 1)]] * depth, [[1]] * depth, [[1, 1]] * depth)
        assert evaluate_claim(second_moment_ends.claim, case).holds
        moved = dict(dict(case.tables)["E"].cells())
        assert moved[depth, 1, 2] / moved[depth, 2, 2] == (1 - Fraction(3, 5) ** depth) / 2


def test_gates_alike_leave_every_ratio() -> None:
    case = second_moment_ends._case(3, [[prefix(1, 2, 1)]] * 2, [[2]] * 2, [[3] * 3, [5] * 3])
    with_gates, without = (dict(dict(case.tables)[name].cells()) for name in "GB")
    assert {with_gates[2, i, j] / without[2, i, j] for i in (1, 2, 3) for j in (1, 2, 3)} == {4 * 6}


# --- Q4 to Q6: the examples of the page -------------------------------------------------------------------------------


def shares(values: Sequence[Fraction]) -> list[Fraction]:
    """The tails of a profile, as shares."""
    total = sum(values, Fraction(0))
    return [sum(values[k:], Fraction(0)) / total for k in range(len(values))]


def linear(kernels: Sequence[Matrix], scales: Sequence[Fraction | int]) -> list[Fraction]:
    """The last row of (I + s_1 A_1) ..., the layers in the order in which going back meets them."""
    size = len(kernels[0])
    row = [Fraction(j == size - 1) for j in range(size)]
    for rows, s in zip(kernels, scales, strict=True):
        row = [x + s * sum((row[k] * rows[k][j] for k in range(size)), Fraction(0)) for j, x in enumerate(row)]
    return row


def quadratic(kernels: Sequence[Matrix], scales: Sequence[Fraction | int]) -> list[Fraction]:
    """The diagonal of G."""
    moved = first_moments(len(kernels[0]))
    for rows, s in zip(kernels, scales, strict=True):
        moved = after_attention(moved, [rows], [[s * s]])
    return [moved[j][j] for j in range(len(moved))]


def roots(values: Sequence[Fraction]) -> list[Fraction]:
    """Roots of squares of rationals."""
    found = [Fraction(isqrt(x.numerator), isqrt(x.denominator)) for x in values]
    assert [x * x for x in found] == list(values)
    return found


@pytest.mark.parametrize(
    ("scale", "second", "first", "more_recent"),
    [(HALF, Fraction(289, 41), Fraction(25, 11), True), (Fraction(2), Fraction(4, 11), Fraction(4, 5), False)],
)
def test_two_layers_of_one_head_go_either_way(
    scale: Fraction, second: Fraction, first: Fraction, more_recent: bool
) -> None:
    row, squares = linear([prefix(1, 1)] * 2, [scale] * 2), quadratic([prefix(1, 1)] * 2, [scale] * 2)
    assert (squares[1] / squares[0], row[1] / row[0]) == (second, first)
    assert (second > first**2) == more_recent
    case = second_moment_paths._case(2, [[prefix(1, 1)]] * 2, [[[scale**2]]] * 2, prefix(1, 1))
    assert evaluate_claim(second_moment_paths.claim, case).holds


@pytest.mark.parametrize("scale", [Fraction(1, 10), HALF, Fraction(2), Fraction(30)])
def test_one_layer_of_one_head_is_less_recent(scale: Fraction) -> None:
    row, squares = linear([prefix(1, 1)], [scale]), quadratic([prefix(1, 1)], [scale])
    assert squares[1] / squares[0] < (row[1] / row[0]) ** 2


def test_two_heads_need_not_be_comparable() -> None:
    """q_j^2 = [j = n] + s^2 sum_h a_h x_h^2, p_j = [j = n] + s sum_h a_h x_h."""
    heads: list[tuple[Fraction, Sequence[Fraction | int]]] = [
        (Fraction(9, 25), (1, 0, 0)), (Fraction(16, 25), (Fraction(9, 16), Fraction(7, 16), 0))
    ]  # fmt: skip
    p = [(j == 2) + 10 * sum((a * row[j] for a, row in heads), Fraction(0)) for j in range(3)]
    q = roots([(j == 2) + 100 * sum((a * row[j] * row[j] for a, row in heads), Fraction(0)) for j in range(3)])
    assert shares(q)[1:] == [Fraction(3, 8), Fraction(1, 12)]
    assert shares(p)[1:] == [Fraction(19, 55), Fraction(1, 11)]


def test_a_further_layer_moves_the_profile_up() -> None:
    """Q6 at n = 3, s_1 = 1, s_2 = 3/4; the rollout does not."""
    kernels, scales = (kernel([1], [1, 0], [1, 0, 0]), kernel([1], [1, 0], [0, 1, 0])), (1, Fraction(3, 4))
    one, two = (roots(quadratic(kernels[:depth], scales[:depth])) for depth in (1, 2))
    assert (shares(one)[1], shares(two)[1]) == (HALF, Fraction(7, 12))
    assert shares(linear(kernels, scales))[1] <= shares(linear(kernels[:1], scales[:1]))[1]
    case = second_moment_drift._case(3, 1, Fraction(3, 4), Fraction(5, 4))
    found = evaluate_claim(second_moment_drift.claim, case)
    assert found.holds and "drift" in found.met


def test_shares_of_the_squares_drift_up_too() -> None:
    kernels, scales = (prefix(1, 1, 1), kernel([1], [0, 1], [0, 1, 0])), (3, 1)
    one, two = (quadratic(kernels[:depth], scales[:depth]) for depth in (1, 2))
    assert (shares(one)[1], shares(two)[1]) == (Fraction(3, 4), Fraction(4, 5))


def test_heads_that_agree_are_equal_in_cauchy_schwarz() -> None:
    case = second_moment_heads._case(1, [2, 3], [5, 5], [0], 1)
    part = second_moment_heads.claim.part("Cauchy-Schwarz").asserts
    assert isinstance(part, Relation)
    assert evaluate(Relation("=", part.left, part.right), case).holds
