"""D6 by plain arithmetic: ratios worked out by hand, and windows, whose zeros leave no ratio to speak of."""

from __future__ import annotations

from fractions import Fraction

from proofs.case import Case, Table, kernel, prefix
from proofs.evaluate import evaluate
from proofs.ledger import LEDGER

Kernel = tuple[tuple[Fraction, ...], ...]
HALF = Fraction(1, 2)
CLAIM = LEDGER["D6"].claim


def profiles(layers: list[Kernel], lam: Fraction) -> list[list[Fraction]]:
    """The last row of the rollout of 0, 1, ... layers, each row from scratch."""

    def step(row: list[Fraction], layer: Kernel) -> list[Fraction]:
        mixed = [sum((x * layer[i][j] for i, x in enumerate(row)), Fraction(0)) for j in range(len(row))]
        return [(1 - lam) * x + lam * y for x, y in zip(row, mixed, strict=True)]

    found = []
    for depth in range(len(layers) + 1):
        row = [Fraction(0)] * (len(layers[0]) - 1) + [Fraction(1)]
        for layer in reversed(layers[:depth]):
            row = step(row, layer)
        found.append(row)
    return found


def ratios(layers: list[Kernel], lam: Fraction) -> list[Fraction]:
    *_, before, after = profiles(layers, lam)
    return [y / x for x, y in zip(before, after, strict=True)]


def test_two_kernels_cross_twice() -> None:
    """D6, Needed: w = (1, 1, 1), then (1, 3, 1), at lambda = 1/2."""
    assert ratios([prefix(1, 1, 1), prefix(1, 3, 1)], HALF) == [Fraction(33, 20), Fraction(39, 20), Fraction(3, 5)]
    shared = ratios([prefix(1, 1, 1)] * 2, HALF)
    assert shared == sorted(shared, reverse=True)


def _window(*weights: int) -> Case:
    """Two layers of the distance kernel with these weights, at n = 4."""
    size = 4
    near = [*weights, *[0] * (size - len(weights))]
    rows = kernel(*([Fraction(near[i - j], sum(near[: i + 1])) for j in range(i + 1)] for i in range(size)))
    return Case.of(
        size, {"T": 2, "p": 0, "q": 0}, lambda_=[HALF] * 2, mu=[Fraction(1)] * 2, A=[rows] * 2, a=Table(near, (0,))
    )


def _holds(part: str, case: Case) -> bool:
    return evaluate(CLAIM.part(part).asserts, case).holds


def test_a_window_has_zeros_and_crosses_once() -> None:
    case = _window(1, 1)
    parts = ("distance", "one layer more", "more attention", "one layer more, crossing", "more attention, crossing")
    assert [part for part in parts if not _holds(part, case)] == []


def test_a_zero_inside_is_not_log_concave() -> None:
    """(1, 0, 0, 1): no square is below the product beside it, yet the minor of rows 2, 4, columns 1, 2 is negative."""
    weights = (1, 0, 0, 1)
    assert all(weights[d] ** 2 >= weights[d - 1] * weights[d + 1] for d in (1, 2))
    assert not _holds("distance", _window(*weights))
    assert not evaluate(dict(CLAIM.hypotheses)["log-concave"], _window(*weights)).holds


def test_the_end_rows_are_free_of_the_bound_on_content() -> None:
    content = [Fraction(9), Fraction(1), HALF, Fraction(9)]
    case = Case.of(4, {"T": 1, "p": 0, "q": 0}, w=[1, 5, 2, 3], e=content)
    assert _holds("prefix with content", case)
    assert _holds("prefix with content, conversely", case)
    above = Case.of(4, {"T": 1, "p": 0, "q": 0}, w=[1, 5, 2, 3], e=[1, 2, 1, 1])
    assert not _holds("prefix with content", above)
