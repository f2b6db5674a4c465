"""One table of closed forms × every way to evaluate them × sources that do not know them; every twin is refused.

A row is a formula object of the catalogue. Its values come out of the evaluator, of the Python that is printed, of the
command's numbers and of small polynomial rings (`proofs.closed_form`); they are compared with formulas derived by hand
for n = 2, 3, with the recursion in Fractions from the kernel's definition, with each other (U2 = U3 at w = 1 = U6), and
at continuous depth with e^{S(U − I)} by exact moments. Twins: each number, sign, bound, index and factor changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import comb, factorial, perm, prod
from typing import Any

import pytest

from numeric.exact_form import exact_entry
from numeric.prefix_form import PrefixRows
from proofs.closed_form import derive
from proofs.every_check import agrees_at_depth, agrees_with_recursion
from proofs.every_form import Form, Mixture, closed_forms, limit_forms
from proofs.every_term import Node, Series, node
from proofs.every_value import Setting, value
from tests.proofs.form_twins import changed, twins

Posbias = Callable[..., Any]
ONE = Fraction(1)
LAM = (Fraction(1, 3), Fraction(3, 4), Fraction(2, 5))
WEIGHTS = tuple(Fraction(x) for x in (3, 1, 4, 5, 2))
Q, E = Fraction(3, 2), Fraction(5, 3)


@dataclass(frozen=True)
class Row:
    """A closed form of the catalogue, with the kernel it is for and the λ of every layer (None: λ_t)."""

    kernel: str
    form: Form
    share: Node | None

    @property
    def name(self) -> str:
        mixing = "lambda_t" if self.share is None else "lambda" if self.share == node("lambda") else "1/3"
        return f"{self.kernel} {self.form.source} {self.form.case} {mixing}"


TABLE = [
    Row(kernel, form, share)
    for kernel, share in product(
        ("uniform", "prefix", "alibi", "content"), (None, node("lambda"), node(Fraction(1, 3)))
    )
    for form in closed_forms(kernel, Mixture(share))
]
DEEP = [
    Row(kernel, form, None)
    for kernel in ("uniform", "prefix", "alibi", "content")
    for form in closed_forms(kernel, Mixture(None, node("S")))
]


# --- the sources ----------------------------------------------------------------------------------------------------


def weights_of(kernel: str, n: int) -> list[Fraction]:
    return {"prefix": list(WEIGHTS[:n]), "alibi": [Q**k for k in range(n)]}.get(kernel, [ONE] * n)


def last_row(kernel: str, n: int, lam: tuple[Fraction, ...]) -> list[Fraction]:
    """v ← (1 − λ) v + λ v A from e_n, A from its definition."""
    w, e = weights_of(kernel, n), E if kernel == "content" else ONE
    v = [Fraction(int(j == n - 1)) for j in range(n)]
    for share in reversed(lam):
        moved = [Fraction(0)] * n
        for i, mass in enumerate(v):
            row = [*w[:i], e * w[i]]
            for j, x in enumerate(row):
                moved[j] += mass * x / sum(row)
        v = [(1 - share) * x + share * y for x, y in zip(v, moved, strict=True)]
    return v


def by_hand(kernel: str, n: int, lam: tuple[Fraction, ...]) -> list[Fraction]:
    """n = 2: each layer leaves 1 − λ_t A_21 at token 2. n = 3: what has left token 3 and not yet token 2.

    p_3 = Π (1 − λ_t (1 − a)), a = A_33; p_2 is the sum over the layer t of the move 3 → 2 (b = A_32): the layers above
    it keep 3, those below keep 2 (c = A_22).
    """
    w, e = weights_of(kernel, n), E if kernel == "content" else ONE
    own = [e * x / (sum(w[:i]) + e * x) for i, x in enumerate(w)]
    if n == 2:
        stays = prod((1 - x * (1 - own[1]) for x in lam), start=ONE)
        return [1 - stays, stays]
    a, c, b = own[2], own[1], w[1] / (w[0] + w[1] + e * w[2])
    last = prod((1 - x * (1 - a) for x in lam), start=ONE)
    middle = Fraction(0)
    for t, share in enumerate(lam):
        above = prod((1 - x * (1 - a) for x in lam[t + 1 :]), start=ONE)
        below = prod((1 - x * (1 - c) for x in lam[:t]), start=ONE)
        middle += above * share * b * below
    return [1 - last - middle, middle, last]


def mixing(row: Row, T: int) -> tuple[Fraction, ...]:
    if row.share is None:
        return LAM[:T]
    return (Fraction(3, 7) if row.share == node("lambda") else Fraction(1, 3),) * T


def positions(form: Form, n: int) -> range:
    return {"all": range(1, n + 1), "inner": range(1, n), "last": range(n, n + 1)}[form.case]


def evaluated(row: Row, n: int, T: int, j: int) -> Any:
    numbers = {"n": n, "T": T, "j": j, "lambda": Fraction(3, 7), "q": Q, "e": E}
    return value(row.form.body, Setting(numbers, {"lambda": mixing(row, T), "w": WEIGHTS}, row.form.meanings))


# --- every row ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_value_by_hand_and_by_recursion(row: Row) -> None:
    for n, T in ((1, 3), (2, 0), (2, 1), (2, 3), (3, 1), (3, 2), (3, 3), (5, 2), (4, 3)):
        lam = mixing(row, T)
        expected = last_row(row.kernel, n, lam)
        if n in (2, 3):
            assert by_hand(row.kernel, n, lam) == expected
        for j in positions(row.form, n):
            assert evaluated(row, n, T, j) == expected[j - 1], (n, T, j)


def test_uniform_is_prefix_with_equal_weights() -> None:
    # U2 = U3 at w = 1 = U6: coincident values of three different objects
    (u2, u6, _), (u3, general, _) = closed_forms("uniform"), closed_forms("prefix")
    equal = (ONE,) * 7
    for n, T, j in ((7, 3, 1), (7, 2, 4), (5, 3, 4)):
        numbers = {"n": n, "T": T, "j": j}
        found = {
            value(f.body, Setting(numbers, {"lambda": LAM[:T], "w": equal}, f.meanings)) for f in (u2, u6, u3, general)
        }
        assert found == {exact_entry(PrefixRows(), LAM[:T], n=n, j=j)}


def test_polynomial_rings_agree() -> None:
    for kernel, letters in (("uniform", {}), ("alibi", {"q": Q}), ("content", {"e": E})):
        form = derive(4, 3, kernel=kernel, shared=True, lam=list(LAM))
        values = {letter: letters[letter.base] for letter in form.letters}
        for row in (row for row in TABLE if row.kernel == kernel and row.share is None):
            for j in positions(row.form, 4):
                assert form.entries[j - 1].value(form.letters, values) == evaluated(row, 4, 3, j)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_twins_are_refused(row: Row) -> None:
    assert agrees_with_recursion(row.kernel, row.form, row.share)
    refused = 0
    for twin in twins(row.form):
        assert not agrees(row, twin), twin
        refused += 1
    assert refused >= 4


@pytest.mark.parametrize("row", DEEP, ids=lambda row: row.name)
def test_depth_in_balls_and_its_twins(row: Row) -> None:
    assert agrees_at_depth(row.kernel, row.form)
    body = row.form.body
    for twin in list(changed(body))[:6]:
        assert not deep(row, replace(row.form, body=twin)), twin


def agrees(row: Row, twin: Form) -> bool:
    """A twin that cannot be evaluated (an index out of range, a division by 0) is refused as well."""
    try:
        return agrees_with_recursion(row.kernel, twin, row.share)
    except (IndexError, ValueError, KeyError):
        return False


def deep(row: Row, twin: Form) -> bool:
    try:
        return agrees_at_depth(row.kernel, twin)
    except (IndexError, ValueError, KeyError, ZeroDivisionError):
        return False


# --- continuous depth and the continuum -----------------------------------------------------------------------------


def hops_of(m: int, n: int) -> list[Fraction]:
    """e_n U^m for the uniform kernel."""
    v = [Fraction(int(j == n - 1)) for j in range(n)]
    for _ in range(m):
        v = [sum((v[i] / (i + 1) for i in range(j, n)), Fraction(0)) for j in range(n)]
    return v


def test_moments_of_the_exponential() -> None:
    """e^{S(U − I)} and C3 by exact moments, power by power of S.

    p is a mixture of Binomial(n−1, X), so Σ_j (j−1)_r p_j = (n−1)_r E X^r, E X^r = e^{−S r/(r+1)}; the coefficient of
    S^m is (−r/(r+1))^m/m!, and that of e_n e^{S(U−I)} is e_n (U − I)^m/m!. C3's density e^{−S} Σ_k S^k L^{k−1}/(k!
    (k−1)!), L = −ln x, has the moments e^{−S} Σ_k (S/(r+1))^k/k!, for ∫ x^r L^{k−1}/(k−1)! = (r+1)^{−k}.
    """
    n = 6
    for r, m in product(range(n), range(7)):
        series = [
            sum((comb(m, k) * (-1) ** (m - k) * hops_of(k, n)[j] for k in range(m + 1)), Fraction(0)) / factorial(m)
            for j in range(n)
        ]
        found = sum((perm(j, r) * x for j, x in enumerate(series)), Fraction(0)) / perm(n - 1, r)
        assert found == Fraction(-r, r + 1) ** m / factorial(m)
        atom_and_density = sum(
            (
                Fraction((-1) ** (m - k), factorial(m - k)) * Fraction(1, r + 1) ** k / factorial(k)
                for k in range(m + 1)
            ),
            Fraction(0),
        )
        assert atom_and_density == found


def test_the_printed_limit_is_that_density() -> None:
    """C3 as it is printed, with mpmath's Bessel function, against its series; the moment and the atom; twins."""
    from mpmath import besseli, exp, log, mp, mpf, sqrt

    density, atom, moment = limit_forms(Mixture(None, node("S")))
    functions = {"exp": exp, "ln": log, "sqrt": sqrt, "bessel": lambda z: besseli(1, z)}
    with mp.workdps(40):
        S, x = mpf(7) / 4, mpf(1) / 3
        meanings = {"L": -log(x)}
        setting = Setting({"S": S, "x": x, "r": 3, **meanings}, number=lambda f: mpf(f.numerator) / f.denominator,
                          functions=functions)  # fmt: skip
        L = -log(x)
        series = exp(-S) * sum(S**k * L ** (k - 1) / mp.factorial(k) / mp.factorial(k - 1) for k in range(1, 60))
        assert abs(value(density.body, setting) - series) < mpf(10) ** -38
        assert abs(value(atom.body, setting) - exp(-S)) < mpf(10) ** -38
        assert abs(value(moment.body, setting) - exp(-S * 3 / 4)) < mpf(10) ** -38
        for twin in changed(density.body):
            assert abs(value(twin, setting) - series) > mpf(10) ** -3
        for twin in changed(moment.body):
            assert abs(value(twin, setting) - exp(-S * 3 / 4)) > mpf(10) ** -3


def test_the_moments_of_layers_are_u2() -> None:
    # U2: Σ_j (j−1)_r p_j = (n−1)_r Π (1 − λ_t + λ_t/(r+1)); U5's atom is P(K = 0)
    _, atom, moment = limit_forms()
    p = last_row("uniform", 5, LAM)
    for r in range(5):
        found = value(moment.body, Setting({"r": r, "T": 3}, {"lambda": LAM}))
        assert sum(perm(j, r) * x for j, x in enumerate(p)) == perm(4, r) * found
    assert value(atom.body, Setting({"T": 3}, {"lambda": LAM})) == prod(1 - x for x in LAM)


def test_the_density_of_layers_integrates_to_its_moments() -> None:
    # the printed sum has P(K = k) (−ln x)^{k−1}/(k−1)!, whose r-th moment is P(K = k)/(r+1)^k
    density, atom, moment = limit_forms(Mixture(node(Fraction(1, 3)), None, node(3)))
    assert isinstance(density.body, Series)
    law = [comb(3, k) * Fraction(1, 3) ** k * Fraction(2, 3) ** (3 - k) for k in range(4)]
    for r in range(4):
        whole = sum((law[k] / (r + 1) ** k for k in range(1, 4)), value(atom.body, Setting({})))
        assert whole == value(moment.body, Setting({"r": r}))
    for L in (Fraction(1, 2), Fraction(3)):  # at x = e^−L
        found = value(density.body, Setting({"x": L}, functions={"ln": lambda x: -x}))
        assert found == sum(law[k] * L ** (k - 1) / factorial(k - 1) for k in range(1, 4))


# --- the same table through the command -----------------------------------------------------------------------------


def executed(source: str) -> Callable[..., Any]:
    space: dict[str, Any] = {}
    exec(compile(source, "derived", "exec"), space)
    found: Callable[..., Any] = space["entry"]
    return found


@pytest.mark.parametrize("kernel", ["uniform", "prefix", "alibi", "content"])
@pytest.mark.parametrize("lam", [None, "lambda", "1/3"])
def test_printed_python_is_exact(posbias: Posbias, kernel: str, lam: str | None) -> None:
    words = ["-n", "n", "-T", "T", "--kernel", kernel, "--format", "python", *(["--lam", lam] if lam else [])]
    run = posbias("derive", *words)
    assert run.code == 0
    assert run.out.isascii()
    entry = executed(run.out)
    share = {None: None, "lambda": node("lambda"), "1/3": node(Fraction(1, 3))}[lam]
    arguments: dict[str, list[Any]] = {"prefix": [list(WEIGHTS)], "alibi": [Q], "content": [E]}
    own = arguments.get(kernel, [])
    for n, T in ((1, 2), (4, 3), (5, 1), (3, 0)):
        shares = mixing(Row(kernel, TABLE[0].form, share), T)
        given: list[Any] = (
            [list(shares)] if lam is None else [T, shares[0] if shares else ONE] if lam == "lambda" else [T]
        )
        found = [entry(n, *given, j, *own) for j in range(1, n + 1)]
        assert found == last_row(kernel, n, shares)
        assert all(type(x) is Fraction for x in found)
        with pytest.raises(ValueError, match="j must lie in"):
            entry(n, *given, n + 1, *own)


def test_printed_python_with_numbers_put_in(posbias: Posbias) -> None:
    out = posbias("derive", "-n", 5, "-T", "T", "--kernel", "prefix", "--entry", 2, "--format", "python").out
    assert executed(out)(list(LAM), list(WEIGHTS)) == last_row("prefix", 5, LAM)[1]
    out = posbias("derive", "-n", "n", "-T", 3, "--kernel", "alibi", "--entry", "n", "--format", "python").out
    assert executed(out)(4, list(LAM), Q) == last_row("alibi", 4, LAM)[3]
    out = posbias("derive", "-n", 5, "-T", 3, "--kernel", "uniform", "--entry", "j", "--format", "python").out
    assert [executed(out)(list(LAM), j) for j in range(1, 6)] == last_row("uniform", 5, LAM)


def test_printed_python_at_depth(posbias: Posbias) -> None:
    from mpmath import mp, mpf

    entry = executed(posbias("derive", "-n", "n", "--depth", "S", "--kernel", "uniform", "--format", "python").out)
    words = ("-n", 9, "--depth", "7/4", "--kernel", "uniform", "--digits", 30, "--json")
    listed = [x["decimal"] for x in posbias("derive", *words).json()["entries"]]
    with mp.workdps(35):
        for j, shown in enumerate(listed, start=1):
            assert abs(entry(9, mpf(7) / 4, j) - mpf(shown)) < mpf(10) ** -30


@pytest.mark.parametrize(
    ("kernel", "words"),
    [("uniform", []), ("prefix", ["--weights", "3,1,4,5,2"]), ("content", ["--e", "5/3"])],
)
def test_printed_numbers(posbias: Posbias, kernel: str, words: list[str]) -> None:
    lam = "1/3,3/4,2/5"
    expected = last_row(kernel, 5, LAM)
    run = posbias("derive", "-n", 5, "-T", 3, "--kernel", kernel, *words, "--lam", lam, "--json")
    found = run.json()["entries"]
    assert [Fraction(x["text"]) for x in found] == expected
    for j in (1, 3, 5):
        row = posbias(
            "derive", "-n", 5, "-T", 3, "--kernel", kernel, *words, "--lam", lam, "--entry", j, "--digits", 30, "--json"
        )
        (entry,) = row.json()["entries"]
        assert abs(Fraction(entry["decimal"]) - expected[j - 1]) <= Fraction(1, 10**29)
        assert len(entry["decimal"].replace("0.", "").lstrip("0")) == 30
