"""numeric.description: one architecture, described in three arithmetics; what cannot be told is not told."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings

from numeric.ball import ball_profile
from numeric.ball_kernel import BallAlibi
from numeric.description import Description, describe, rounding_bound
from numeric.distance import Distance, LogDistance, Window, distance_rows
from numeric.exact import ExactAverage, ExactDense, ExactPrefix, exact_profile
from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
from numeric.profile import profile
from numeric.refuse import InputError
from numeric.schedule import Power
from numeric.shape import shape
from numeric.strategies import causal_kernels, mixing
from tests.numeric.balls import contains

F = Fraction
Row = tuple[Fraction, ...]
THREE: list[dict[str, Any]] = [{}, {"exact": True}, {"bits": 128}]


def three(kernels: list[Any], lam: Any, n: int) -> list[Description]:
    return [describe(kernels, lam, n=n, **arithmetic) for arithmetic in THREE]


def test_theory_u4_a_hump() -> None:
    found = three([Prefix([1, 2, 4])] * 2, 1, 3)
    assert [one.shape.label for one in found] == ["other"] * 3
    assert found[1].profile == (F(47, 147), F(52, 147), F(48, 147))
    assert [one.arithmetic for one in found] == ["float64", "rationals", "balls"]


def test_theory_u4_two_valleys() -> None:
    found = three([Prefix([1.5**j for j in range(8)])] * 5, F(1, 2), 8)
    assert [one.shape.label for one in found] == ["other"] * 3
    signs = np.sign(np.diff([float(x) for x in found[1].profile])).tolist()
    assert signs == [-1, -1, 1, 1, 1, -1, 1]
    # beside it: a smaller ratio has one valley
    assert {one.shape.label for one in three([Prefix([1.25**j for j in range(8)])] * 5, F(1, 2), 8)} == {"U"}


def test_ties_are_decided_in_rationals_only() -> None:
    # one layer of the uniform kernel: every entry is 1/n
    floats, exact, balls = three([Uniform()], 1, 3)
    assert [one.shape.label for one in (floats, exact, balls)] == ["undecided", "flat", "undecided"]
    assert [one.shape.valley.position for one in (floats, exact, balls)] == [None, 0, None]
    assert exact.shape.valley == (0, F(1, 3), 0)
    assert floats.shape.valley.value == pytest.approx(1 / 3)
    assert contains(balls.shape.valley.value, F(1, 3)) and contains(balls.shape.valley.depth, F(0))
    # a tie of the valley alone: 5/12, 1/6, 5/12 with two equal ones inside
    tied = ExactDense(((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (F(1, 3), F(1, 6), F(1, 6), F(1, 3))))
    assert (describe([tied], 1, n=4, exact=True).shape.label, shape([2, 1, 1, 2]).label) == ("U", "U")
    assert describe([tied], 1, n=4, bits=64).shape.valley.position is None
    # and the reason is given
    assert exact.reason is None
    assert (
        floats.reason
        == floats.undecided
        == (
            "the shape is undecided: entries 0 and 1 of the profile are within what rounding may have done; "
            "exact=True or bits=128 may tell"
        )
    )
    assert balls.reason == (
        "the shape is undecided: entries 0 and 1 of the profile are not told apart by 128 bits; "
        "more, or exact=True, may tell"
    )
    both = describe([tied], 1, n=4, bits=64)
    assert both.reason == (
        "the position of the valley is undecided: the smallest entries of the profile are not told apart by 64 bits; "
        "more, or exact=True, may tell; layer 1 is not known to average prefix kernels: ExactDense"
    )


def test_a_difference_of_less_than_the_rounding_is_undecided() -> None:
    # rows ½ − x, ½ + x: seen in rationals and in balls; in floats only beyond the bound
    for x, label in ((2.0**-53, "undecided"), (2.0**-40, "recency")):
        kernel = Dense([[1.0, 0.0], [0.5 - x, 0.5 + x]], tolerance=0)
        assert [one.shape.label for one in three([kernel], 1, 2)[1:]] == ["recency"] * 2
        assert describe([kernel], 1, n=2).shape.label == label


CASES: dict[str, Kernel] = {
    "uniform": Uniform(0.5),
    "prefix": Prefix(np.arange(1, 12), -1.5),
    "alibi": Alibi([0.5, 0.1, 3], [0, -2, 40]),
    "alibi, extreme": Alibi([0, 1e-9, 700], [400, -400, 3], [0.5, 0.25, 0.25]),
    "distance": Distance([0, -3, -np.inf, 2, 1, -np.inf, 0, 5, -700, 1, 0], 1),
    "log-distance": LogDistance(1.5, -3),
    "window": Window(4, 0.25, 2),
    "average": HeadAverage([Uniform(), Window(2), Prefix(np.ones(11), 2)], [0.25, 0.5, 0.25]),
    "dense": Dense(Prefix(np.ones(11), -3).matrix(11)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_rounding_bound_holds(name: str) -> None:
    kernels, lam = [CASES[name]] * 5, [0.5, 1, 0.25, 0, 0.7]
    relative, absolute = rounding_bound(kernels, lam, n=11)
    p, balls = profile(kernels, lam, n=11), ball_profile(kernels, lam, n=11, prec=300)
    for x, ball in zip(p.tolist(), balls, strict=True):
        assert abs(arb(x) - ball) <= relative * ball + absolute
    assert relative < 1e-12 and absolute < 1e-100


def test_the_rounding_bound_grows_with_the_layers_and_is_0_without_rounding() -> None:
    kernels: list[Kernel] = [Uniform()] * 3
    bounds = [rounding_bound(kernels, lam, n=5)[0] for lam in (0, [1, 0, 0], 1)]
    assert bounds[0] == 0 < bounds[1] == pytest.approx(bounds[2] / 3)
    assert rounding_bound([Distance(np.zeros(5))], 1, n=5)[1] > rounding_bound([Uniform()], 1, n=5)[1] > 0

    class Other(Kernel):
        """A kernel whose rounding nobody has stated."""

        def _row(self, v: Any) -> Any:
            return v

        def _dense(self, n: int) -> Any:
            return np.eye(n)

    assert rounding_bound([Other()], 1, n=5)[0] == np.inf
    assert describe([Other()], 1, n=5).shape.label == "undecided"


def test_proven_bounds_decide_more_than_documented_roundings() -> None:
    # a rise by 4e−15: five layers may have rounded that much, the bounds are far below
    kernels: list[Any] = [Dense([[1.0, 0.0], [0.5 - 2.0**-49, 0.5 + 2.0**-49]], tolerance=0), *[Uniform()] * 4]
    lam = [1, 1e-30, 1e-30, 1e-30, 1e-30]
    plain, found = describe(kernels, lam, n=2), describe(kernels, lam, n=2, certified=True)
    assert (plain.shape.label, plain.bound) == ("undecided", None)
    assert found.shape.label == "recency" and found.undecided is None and found.bound is not None
    p, bound = profile(kernels, lam, n=2, bound=True)
    assert (found.profile == p).all() and (found.bound == bound).all() and not found.bound.flags.writeable
    tie = describe([Uniform()], 1, n=3, certified=True)
    assert tie.shape.label == "undecided" and tie.shape.valley.position is None
    assert tie.undecided is not None and "are within the proven bounds on their error; exact=True" in tie.undecided
    for other in ({"exact": True}, {"bits": 64}):
        with pytest.raises(InputError, match="'certified' must be left out beside"):
            describe([Uniform()], 1, n=3, certified=True, **other)
    with pytest.raises(InputError, match="'certified' must be True or False, not 1"):
        describe([Uniform()], 1, n=3, certified=1)  # type: ignore[arg-type]


def test_no_layers_no_mixing_and_one_position() -> None:
    for found in three([], 1, 3) + three([Uniform()] * 2, 0, 3):
        assert found.shape.label == "recency" and found.shape.valley.position == 0
        assert found.shape.mean_position == 2 and found.hops[0] == 1 and found.effective_depth == 0
    for found in three([Uniform()] * 2, F(1, 2), 1):
        assert (found.shape.label, found.shape.valley.position, found.shape.valley.depth) == ("flat", 0, 0)
        assert found.shape.first_tenth == found.shape.last_tenth == 1


@settings(max_examples=40)
@given(causal_kernels(5), mixing(2))
def test_three_arithmetics_agree(rows: tuple[Row, ...], lam: Row) -> None:
    exact, balls = (describe([rows] * 2, lam, n=5, **arithmetic) for arithmetic in THREE[1:])
    assert exact.profile == exact_profile([rows] * 2, lam, n=5)
    assert balls.shape.label in (exact.shape.label, "undecided")
    assert balls.shape.valley.position in (exact.shape.valley.position, None)
    for name in ("spike", "mean_position", "first_tenth", "last_tenth"):
        assert contains(getattr(balls.shape, name), getattr(exact.shape, name))
    assert contains(balls.shape.valley.value, exact.shape.valley.value)
    assert contains(arb(balls.shape.valley.depth), exact.shape.valley.depth)
    assert contains(balls.effective_depth, exact.effective_depth)
    assert all(contains(x, y) for x, y in zip(balls.hops, exact.hops, strict=True))
    p = exact.profile
    assert exact.shape.mean_position == sum(j * x for j, x in enumerate(p))
    assert (exact.shape.first_tenth, exact.shape.last_tenth, exact.shape.spike) == (p[0], p[4], p[4])
    assert exact.shape.valley == (p.index(min(p)), min(p), min(p[0], p[4]) - min(p))


def test_kernels_that_have_rational_entries() -> None:
    flat = ExactPrefix((1, 1, 1))
    pairs: list[tuple[Any, Any]] = [
        (Uniform(), flat), (Alibi([0, 0]), flat), (Window(3), flat), (LogDistance(0), flat),
        (Prefix([1, 2, 4]), ExactPrefix((1, 2, 4))), (((1, 0, 0), (0, 1, 0), (1, 0, 0)),) * 2,
        (Dense([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.25, 0.75]]), ((1, 0, 0), (0.5, 0.5, 0), (0, 0.25, 0.75))),
        (HeadAverage([Uniform(), Prefix([1, 2, 4])], [0.25, 0.75]),
         ExactAverage([flat, ExactPrefix((1, 2, 4))], (F(1, 4), F(3, 4)))),
        (HeadAverage([Uniform()] * 3), flat),
    ]  # fmt: skip
    for given_, same in pairs:
        assert describe([given_] * 2, F(1, 3), n=3, exact=True).profile == exact_profile([same] * 2, F(1, 3), n=3)


@pytest.mark.parametrize(
    "kernel",
    [Alibi(0.5), Uniform(1), Prefix([1, 2, 4], 1), LogDistance(1), Window(2), HeadAverage([Uniform(), Alibi(1)])],
)
def test_kernels_that_have_none(kernel: Kernel) -> None:
    with pytest.raises(InputError, match=r"'kernels' must have rational entries .*bits=128.* \(layer 2\)"):
        describe([Uniform(), kernel], 0.5, n=3, exact=True)


def test_other_refusals() -> None:
    ones: list[Any] = [Uniform()] * 2
    refused: list[tuple[list[Any] | Any, Any, dict[str, Any], str]] = [
        (Uniform(), 0.5, {"n": 3}, "kernels"),
        ("uniform", 0.5, {"n": 3}, "kernels"),
        ([1], 0.5, {"n": 3}, "kernels"),
        ([1], 0.5, {"n": 3, "exact": True}, "kernels"),
        ([1], 0.5, {"n": 3, "bits": 64}, "kernels"),
        (ones, 1.5, {"n": 3}, "lam"),
        (ones, [0.5], {"n": 3}, "lam"),
        (ones, [0.5], {"n": 3, "exact": True}, "lam"),
        (ones, Power(1, 0.5), {"n": 3, "exact": True}, "beta"),
        (ones, 0.5, {"n": 0}, "n"),
        (ones, 0.5, {"n": 0, "exact": True}, "n"),
        (ones, 0.5, {"n": 0, "bits": 64}, "n"),
        ([Prefix([1, 2])], 0.5, {"n": 3}, "n"),
        ([Prefix([1, 2])], 0.5, {"n": 3, "exact": True}, "n"),
        ([ExactPrefix((1, 2))], 0.5, {"n": 3, "bits": 64}, "n"),
        (ones, 0.5, {"n": 10**12}, "n"),
        (ones, 0.5, {"n": 10**12, "exact": True}, "n"),
        (ones, 0.5, {"n": 10**12, "bits": 64}, "n"),
        (ones, 0.5, {"n": 3, "bits": 1}, "bits"),
        (ones, 0.5, {"n": 3, "bits": 2**21}, "bits"),
        (ones, 0.5, {"n": 3, "bits": "64"}, "bits"),
        (ones, 0.5, {"n": 3, "bits": 64, "exact": True}, "bits"),
        (ones, 0.5, {"n": 3, "exact": "yes"}, "exact"),
    ]
    for kernels, lam, options, name in refused:
        with pytest.raises(InputError, match=f"Argument '{name}'"):
            describe(kernels, lam, **options)
    assert describe(ones, Power(1, 0.5), n=3, bits=64).shape.label == "primacy"


def test_balls_take_any_kernel() -> None:
    kernels: list[Any] = [BallAlibi(F(1, 3)), ExactPrefix((1, 1, 2)), Alibi([0.5, 1]), distance_rows([2, 1, 0], n=3)]
    found = describe(kernels, F(1, 2), n=3, bits=64)
    assert found.shape.label == "U" and found.decomposition is None
    assert found.reason == "layer 4 is not known to average prefix kernels: rows"
