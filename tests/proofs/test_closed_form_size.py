"""How many terms closed forms have, what is refused before any work, and what is refused at all."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import proofs
from numeric.refuse import InputError
from numeric.schedule import Power
from proofs.closed_form import derive
from proofs.closed_form_size import Plan, Size, predicted


@pytest.mark.parametrize(
    ("size", "shared", "eliminate", "terms"),
    [  # by multiplying out, once: for one kernel per layer and for a shared one
        (3, False, "first", 107),
        (3, False, "diagonal", 65),
        (5, False, "first", 4_715),
        (5, False, "diagonal", 11_529),
        (6, False, "first", 32_291),
        (6, False, "diagonal", 201_811),
        (7, False, "first", 223_991),
        (8, False, "first", 1_568_501),
        (8, True, "first", 314_367),
        (8, True, "diagonal", 9_682_959),
    ],
)
def test_number_of_terms(size: int, shared: bool, eliminate: str, terms: int) -> None:
    assert predicted(Plan(size, size, "general", shared, "each", eliminate), None) == Size(terms, True)
    if terms < 12_000:
        form = derive(size, size, shared=shared, eliminate=eliminate)
        assert sum(len(entry.numerator) for entry in form.entries) == terms


def test_long_numbers_print_and_compile() -> None:
    # p_2 = (1 − λ/2)^T; Python refuses to read or print integers of more than 4,300 digits
    T, lam = 900, Fraction(1, 99_999)
    form = derive(2, T, kernel="uniform", lam=lam)
    space: dict[str, Any] = {}
    exec(compile(form.python(), "derived", "exec"), space)
    assert space["profile"]() == (1 - (1 - lam / 2) ** T, (1 - lam / 2) ** T)
    assert len(form.text().splitlines()[-1]) > 2 * 4300


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n": 0}, "'n' must be at least 1, not 0"),
        ({"n": 33}, r"'n' must be an integer in \[1, 32\] for general kernels, not 33"),
        ({"n": True}, "'n' must be an integer, not True"),
        ({"n": 2.0}, r"'n' must be an integer, not 2\.0"),
        ({"T": -1}, "'T' must be at least 0, not -1"),
        ({"T": 33}, r"'T' must be an integer in \[0, 32\] for general kernels, not 33"),
        ({"n": 1001, "kernel": "uniform"}, r"'n' must be an integer in \[1, 1000\] for uniform kernels"),
        ({"entry": 0}, "'entry' must be at least 1"),
        ({"entry": 4}, r"'entry' must lie in 1\.\.3, not 4"),
        ({"kernel": "softmax"}, "'kernel' must be one of general, uniform, prefix, alibi, content, not 'softmax'"),
        ({"eliminate": "last"}, "'eliminate' must be first or diagonal, not 'last'"),
        ({"eliminate": "diagonal", "kernel": "alibi"}, "'eliminate' must be left out unless the kernel is general"),
        ({"shared": 1}, "'shared' must be True or False, not 1"),
        ({"lam": "1/3"}, "'lam' must be numbers or the word lambda, not '1/3'"),
        ({"lam": 1.5}, r"'lam' must lie in \[0, 1\], not 3/2"),
        ({"lam": [1]}, r"'lam' must give one value per layer \(2\), not 1 of them"),
        ({"lam": Power(1, Fraction(1, 2))}, "'beta' must be an integer of size at most 1000 for exact values, not 1/2"),
        ({"n": 8, "T": 9}, r"'T' must keep the row within 2,000,000 terms, not 9 \(n = 8: 6,604,901 terms\)"),
        (
            {"n": 8, "T": 8, "eliminate": "diagonal"},
            r"'T' must keep the row within 2,000,000 terms, not 8 \(n = 8: 93,\d\d\d,\d\d\d terms\)",
        ),
        (
            {"n": 9, "T": 8, "shared": True},
            r"'T' must keep the row within 400,000 terms, not 8 \(n = 9: \d[\d,]+ terms\)",
        ),
        (
            {"n": 7, "T": 20, "entry": 3},
            r"'T' must keep entry 3 within 2,000,000 terms, not 20 \(n = 7: \d[\d,]+ terms\)",
        ),
        (
            {"n": 5, "T": 5, "kernel": "alibi"},
            r"the row within 250,000 terms, not 5 \(n = 5: up to 5,555,360 terms, an upper bound\)",
        ),
        ({"n": 30, "T": 30, "kernel": "prefix"}, r"up to more than 10\^\d+ terms, an upper bound"),
        ({"n": 500, "T": 90, "kernel": "uniform", "lam": 0.5}, r"within 2,000,000 digits, not 90 .* an upper bound"),
        (
            {"n": 500, "T": 90, "kernel": "uniform", "lam": 0.5, "entry": 1},
            r"keep entry 1 within 2,000,000 digits, not 90",
        ),
    ],
)
def test_refusals(changed: dict[str, Any], message: str) -> None:
    options: dict[str, Any] = {"n": 3, "T": 2, **changed}
    with pytest.raises(InputError, match=message):
        derive(options.pop("n"), options.pop("T"), **options)


def test_offered_at_the_top() -> None:
    assert proofs.derive is derive
