"""numeric.decomposition: spike and envelopes add up to the profile, exactly, and fall where U1 has them fall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from numeric.ball import precision
from numeric.ball_kernel import BallAlibi, BallPrefix
from numeric.decomposition import Decomposition
from numeric.description import describe
from numeric.exact import ExactAverage, ExactPrefix
from numeric.strategies import content_factors, mixing, prefix_weights, sizes
from numeric.three_valued import all_of
from tests.numeric.balls import contains

F = Fraction
Row = tuple[Fraction, ...]
Matrix = list[list[Fraction]]
ONES = (F(1), F(1))


@dataclass(frozen=True)
class Case:
    """Heads [layer][head] as (w, e), their shares, and λ."""

    heads: tuple[tuple[tuple[Row, Fraction], ...], ...]
    alpha: Row
    lam: Row
    n: int

    def kernels(self) -> list[ExactAverage]:
        return [ExactAverage([ExactPrefix(w, e) for w, e in layer], self.alpha) for layer in self.heads]

    def described(self, bits: int | None = None) -> tuple[Sequence[Fraction], Decomposition]:
        found = describe(self.kernels(), self.lam, n=self.n, exact=bits is None, bits=bits)
        assert found.decomposition is not None and found.no_decomposition is None
        return found.profile, found.decomposition


@st.composite
def cases(draw: st.DrawFn, largest: Fraction | None = None, same: bool = False, rising: bool = False) -> Case:
    """Two heads a layer. largest : of e. same : weights shared by the layers. rising : W_i / w_i nondecreasing."""
    n, layers = draw(sizes(5, 3))
    factors = content_factors().map(lambda e: e if largest is None else min(e, largest))
    weights = rising_weights(n) if rising else prefix_weights(n)
    fixed = draw(st.tuples(weights, weights))
    heads = []
    for _ in range(layers):
        w = fixed if same else draw(st.tuples(weights, weights))
        heads.append(tuple((x, draw(factors)) for x in w))
    share = draw(mixing(1))[0]
    return Case(tuple(heads), (share, 1 - share), draw(mixing(layers)), n)


def rising_weights(n: int) -> st.SearchStrategy[Row]:
    """w with W_i / w_i nondecreasing: w_{i+1} = W_i / (r − 1) for the ratio r wanted."""

    def build(steps: Row) -> Row:
        w = [F(1)]
        for step in sorted(steps):
            w.append(sum(w, F(0)) / step)
        return tuple(w[:n])

    return prefix_weights(n).map(build)


# --- the slow obvious way, with matrices ----------------------------------------------------------------------------


def prefix_matrix(w: Row, e: Fraction) -> Matrix:
    rows = []
    for i in range(len(w)):
        row = [*w[:i], e * w[i], *[F(0)] * (len(w) - i - 1)]
        rows.append([x / sum(row) for x in row])
    return rows


def times(v: Sequence[Fraction], a: Matrix) -> list[Fraction]:
    return [sum((x * row[j] for x, row in zip(v, a, strict=True)), F(0)) for j in range(len(v))]


def dense_parts(case: Case, twin: str = "") -> tuple[Fraction, dict[tuple[int, int], list[Fraction]]]:
    """(a, {(t, h): w g}) from matrices of n × n; ``twin`` names the mistake that is made."""
    n = case.n
    stay = [F(1)] * n
    parts = {}
    for t, layer in enumerate(case.heads):
        v = [F(0)] * (n - 1) + [F(1)]
        for s in range(len(case.heads) - 1, t - (twin == "own layer too"), -1):
            rows = [times(v, prefix_matrix(*head)) for head in case.heads[s]]
            mean = [case.alpha[0] * x + case.alpha[1] * y for x, y in zip(*rows, strict=True)]
            v = [(1 - case.lam[s]) * x + case.lam[s] * y for x, y in zip(v, mean, strict=True)]
        theta = [1 - case.lam[t]] * n
        for h, head in enumerate(layer):
            a, e = prefix_matrix(*head), head[1]
            # c_i = (e − 1) w_i / Z_i = A_ii (e − 1)/e
            c = [a[i][i] * (e - 1) / e if e > 1 and twin != "unsplit" else F(0) for i in range(n)]
            rest = times(v, [[x - (c[i] if i == j else 0) for j, x in enumerate(row)] for i, row in enumerate(a)])
            parts[t, h] = [case.lam[t] * case.alpha[h] * x * y for x, y in zip(stay, rest, strict=True)]
            theta = [x + case.lam[t] * case.alpha[h] * y for x, y in zip(theta, c, strict=True)]
        stay = stay if twin == "no residual below" else [x * y for x, y in zip(stay, theta, strict=True)]
    return stay[-1], parts


def added(spike: Fraction, parts: dict[tuple[int, int], list[Fraction]], n: int) -> list[Fraction]:
    total = [F(0)] * (n - 1) + [spike]
    for part in parts.values():
        total = [x + y for x, y in zip(total, part, strict=True)]
    return total


# --- rationals ------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(cases())
def test_the_parts_are_those_of_the_matrices_and_add_up(case: Case) -> None:
    p, found = case.described()
    spike, parts = dense_parts(case)
    assert found.spike == spike
    assert added(spike, parts, case.n) == list(p)
    for head in found.heads:
        assert head.weights is not None and head.envelope is not None
        w_g = [w * g for w, g in zip(head.weights, head.envelope, strict=True)]
        layers = range(len(case.heads)) if head.layer is None else [head.layer]
        assert w_g == [sum(parts[t, head.head][j] for t in layers) for j in range(case.n)]
        assert head.nonincreasing is all(x >= y for x, y in pairwise(head.envelope))
        assert min(head.envelope) >= 0
    assert found.nonincreasing is all(head.nonincreasing for head in found.heads)


@settings(max_examples=60)
@given(cases(largest=F(1)))
def test_envelopes_fall_without_positive_content(case: Case) -> None:
    _, found = case.described()
    assert found.nonincreasing is True
    stay = F(1)
    for share in case.lam:
        stay *= 1 - share
    assert found.spike == stay


@settings(max_examples=60)
@given(cases(rising=True))
def test_envelopes_fall_with_content_where_the_quotients_rise(case: Case) -> None:
    assert all(
        a * sum(w[: i + 2]) >= b * sum(w[: i + 1])
        for layer in case.heads
        for w, _ in layer
        for i, (a, b) in enumerate(pairwise(w))
    )
    assert case.described()[1].nonincreasing is True


@settings(max_examples=40)
@given(cases(same=True))
def test_layers_with_the_same_weights_share_an_envelope(case: Case) -> None:
    _, found = case.described()
    assert [(head.layer, head.head) for head in found.heads] == [(None, 0), (None, 1)] * bool(case.heads)


COUNTER = (F(1), F(1, 10), F(1), F(1))  # U1: the weights that need W_i / w_i nondecreasing


def test_the_counterexample_of_theory_u1() -> None:
    found = describe([ExactPrefix(COUNTER, 2)] * 2, 1, n=4, exact=True)
    p, parts = found.profile, found.decomposition
    assert parts is not None
    assert p[1] / COUNTER[1] == F(37255, 156333) < p[2] / COUNTER[2] == F(14400, 52111)
    assert (parts.nonincreasing, parts.heads[0].nonincreasing) == (False, False)
    envelope = parts.heads[0].envelope
    assert envelope is not None
    assert list(p) == [w * g + parts.spike * (j == 3) for j, (w, g) in enumerate(zip(COUNTER, envelope, strict=True))]


@pytest.mark.parametrize(
    ("weights", "e", "layers"), [(COUNTER, 1, 2), (COUNTER, F(1, 2), 2), (COUNTER, 2, 1), ((1, 1, 2, 4), 2, 2)]
)
def test_its_neighbours_fall(weights: Row, e: Fraction, layers: int) -> None:
    # no positive content; nothing below the layer with content; W_i / w_i = 1, 2, 2, 2
    for bits in (None, 128):
        found = describe([ExactPrefix(weights, e)] * layers, 1, n=4, exact=bits is None, bits=bits)
        assert found.decomposition is not None and found.decomposition.nonincreasing is True


TWIN = Case((((COUNTER, F(2)), ((F(1), F(3), F(1), F(2)), F(1, 2))),) * 3, (F(1, 3), F(2, 3)), (F(1, 2),) * 3, 4)


@pytest.mark.parametrize("twin", ["own layer too", "no residual below"])
def test_a_wrong_formula_does_not_add_up(twin: str) -> None:
    p, _ = TWIN.described()
    assert added(*dense_parts(TWIN), 4) == list(p)
    assert added(*dense_parts(TWIN, twin), 4) != list(p)


def test_without_the_split_the_spike_is_another_one() -> None:
    # the same sum, p being p, but content e > 1 stays in the envelope, which then rises at the end
    p, found = TWIN.described()
    spike, parts = dense_parts(TWIN, "unsplit")
    assert added(spike, parts, 4) == list(p)
    assert spike == F(1, 8) < found.spike


def test_no_layers_and_one_position() -> None:
    _, none = Case((), ONES, (), 4).described()
    assert (none.spike, none.heads, none.nonincreasing) == (1, (), True)
    _, one = Case(((((F(3),), F(2)), ((F(1),), F(1))),), (F(1, 2), F(1, 2)), (F(1),), 1).described()
    assert one.spike == F(1, 4)  # half of the layer keeps c_1 = (e − 1)/e = ½
    assert [head.envelope for head in one.heads] == [(F(1, 12),), (F(1, 2),)]
    still = describe([ExactPrefix((1, 2))], 0, n=2, exact=True).decomposition
    assert still is not None and (still.spike, still.heads[0].envelope) == (1, (0, 0))


def test_all_of() -> None:
    assert [all_of(x) for x in ([], [True], [True, None], [None, False])] == [True, True, None, False]


# --- balls ----------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(cases())
def test_balls_enclose_the_exact_parts(case: Case) -> None:
    _, exact = case.described()
    _, balls = case.described(bits=128)
    assert contains(balls.spike, exact.spike)
    for one, two in zip(exact.heads, balls.heads, strict=True):
        assert (one.layer, one.head) == (two.layer, two.head)
        assert one.envelope is not None and two.envelope is not None
        assert all(contains(ball, x) for ball, x in zip(two.envelope, one.envelope, strict=True))
        assert two.nonincreasing in (one.nonincreasing, None)


@settings(max_examples=40)
@given(cases(rising=True))
def test_balls_decide_what_theory_has_as_terms_of_one_sign(case: Case) -> None:
    assert case.described(bits=64)[1].nonincreasing is True


def test_balls_leave_open_what_their_radius_hides() -> None:
    with precision(128):
        wide, tight = arb(0, 2.0**-20), arb(0.125, 2.0**-60)
    # e around 1: whether the head is to be split is open, so g_{n−1} − g_n = α λ (1 − e) / Z_n is
    for content, answer in ((wide, None), (tight, True), (F(0), True)):
        found = describe([BallAlibi(0, content)], F(1, 2), n=5, bits=128).decomposition
        assert found is not None and found.nonincreasing is answer
    # w_2 between 1/10, where the envelope rises, and 1, where it falls
    for second, shown in ((arb(0.55, 0.45), None), (F(1, 10), False), (F(1), True)):
        found = describe([BallPrefix((1, second, 1, 1), e=2)] * 2, 1, n=4, bits=128).decomposition
        assert found is not None and found.nonincreasing is shown


def test_balls_refute() -> None:
    found = describe([ExactPrefix(COUNTER, 2)] * 2, 1, n=4, bits=64).decomposition
    assert found is not None and found.nonincreasing is False


def test_real_slopes_have_falling_envelopes_at_any_content() -> None:
    kernels = [BallAlibi(m, d) for m, d in ((F(1, 3), 2), (3, -1), (F(1, 7), F(1, 10**20)))]
    found = describe(kernels, (F(1, 2), 1, F(1, 4)), n=6, bits=128)
    parts = found.decomposition
    assert parts is not None and parts.nonincreasing is True
    assert [(head.layer, head.head) for head in parts.heads] == [(0, 0), (1, 0), (2, 0)]
    with precision(128):
        sums = [arb(0)] * 5 + [parts.spike]
        for head in parts.heads:
            assert head.weights is not None and head.envelope is not None
            sums = [x + w * g for x, w, g in zip(sums, head.weights, head.envelope, strict=True)]
        assert all(x.overlaps(y) and x.rad() < 1e-30 for x, y in zip(sums, found.profile, strict=True))
