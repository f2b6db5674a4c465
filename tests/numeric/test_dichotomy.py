"""numeric.dichotomy: collapse or not, against kernels that show either."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from numeric.dichotomy import decide_collapse
from numeric.endless import endless
from numeric.schedule import read_schedule
from numeric.shared_kernel import RationalKernel, SoftmaxKernel

HALF = Fraction(1, 2)
SOFTMAX = SoftmaxKernel((HALF,), 3)
STAIRS = RationalKernel(((1, 0, 0), (1, 0, 0), (0, 1, 0)))
FIRST = RationalKernel(((1, 0, 0), (1, 0, 0), (1, 0, 0)))
STILL = RationalKernel(((1, 0, 0), (0, 1, 0), (HALF, HALF, 0)))
MIXED = RationalKernel(((1, 0, 0), (1, 0, 0), (HALF, 0, HALF)))

CASES: list[tuple[str, Any, str, str]] = [
    # a shared kernel
    ("1/2", SOFTMAX, "collapse", "I3"),
    ("power:1,1", SOFTMAX, "collapse", "I3"),
    ("power:1/2,1.0001", SOFTMAX, "no collapse", "I2"),
    ("power:1,2", SOFTMAX, "no collapse", "I2"),
    ("geometric:1,99/100", SOFTMAX, "no collapse", "I2"),
    ("0", SOFTMAX, "no collapse", "I2"),
    ("1,1,1 then 0", SOFTMAX, "no collapse", "I2"),
    ("1,1,1", SOFTMAX, "undecided", "I2"),
    ("1", STILL, "no collapse", "I1"),
    ("1,1", STILL, "no collapse", "I1"),
    ("1 then 0", STAIRS, "no collapse", "C1"),
    ("1,1 then 0", STAIRS, "collapse", "C1"),
    ("1,1/2,1 then power:1/2,2", STAIRS, "collapse", "C1"),
    ("power:1,2", STAIRS, "no collapse", "C1"),
    ("power:1,2", FIRST, "collapse", "C1"),
    ("1", STAIRS, "collapse", "I3"),
    ("1,1", STAIRS, "collapse", "C1"),
    ("1", MIXED, "collapse", "I3"),
    ("1 then 0", MIXED, "no collapse", "I2"),
    # only a bound on the diagonal
    ("power:1/2,1", HALF, "collapse", "I3"),
    ("power:1/2,2", HALF, "no collapse", "I2"),
    ("power:1,2", HALF, "undecided", "I2"),
    ("power:1,2", Fraction(1), "undecided", "I2"),
    ("1,1 then 0", Fraction(1), "collapse", "I5"),
    ("1,1 then 0", Fraction(999, 1000), "undecided", "I2"),
    ("1,1", HALF, "undecided", "I2"),
    # nothing
    ("power:1/2,2", None, "no collapse", "I2"),
    ("power:1,2", None, "undecided", "I2"),
    ("1/2", None, "undecided", "I4"),
    ("0.5,0.5", None, "undecided", "I2"),
]


@pytest.mark.parametrize(("text", "known", "verdict", "statement"), CASES)
def test_verdicts(text: str, known: Any, verdict: str, statement: str) -> None:
    found = decide_collapse(endless(read_schedule(text)), 3, known)
    assert (found.verdict, found.statements[0]) == (verdict, statement)
    assert bool(found.needed) == (verdict == "undecided")


@pytest.mark.parametrize("known", [None, HALF, Fraction(1)])
@pytest.mark.parametrize("text", ["1/2", "0", "1,1", "power:1,2"])
def test_one_position_has_collapsed(text: str, known: Any) -> None:
    assert decide_collapse(endless(read_schedule(text)), 1, known).verdict == "collapse"


def test_the_bare_equivalence_is_named_false() -> None:
    found = decide_collapse(endless(read_schedule("1")), 3, None)
    assert "A_ii = 1 − 1/(t+1)²" in found.reason and "ε" in found.needed


def test_undecided_means_that_both_are_possible() -> None:
    """λ = 1 in one layer of 3 positions, ε = 1: FIRST collapses and STAIRS does not; both have A_ii = 0."""
    lam = endless(read_schedule("1 then 0"))
    assert decide_collapse(lam, 3, Fraction(1)).verdict == "undecided"
    assert {decide_collapse(lam, 3, kernel).verdict for kernel in (FIRST, STAIRS)} == {"collapse", "no collapse"}
