r"""What ``posbias derive --format latex`` displays where n, T, j or S is a letter, read back, is the entry.

The reader knows the notation and nothing of the writers. Layers: equality in Fractions with the recursion v ↦ v R_t
from the matrices here. Depth and n → ∞: to 30 decimals with `numeric`, which proves its digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from tests.proofs.reading.displays import Display, display
from tests.proofs.reading.read import Unread, read
from tests.proofs.reading.values import BESSEL, EXP, LN, SQRT, Letters

Posbias = Callable[..., Any]

LAM = (Fraction(2, 7), Fraction(1), Fraction(3, 5))
WEIGHTS = tuple(Fraction(x) for x in (2, 3, 1, 7, 4))  # W_i / w_i is another number for each i
E, Q, S, ONE = Fraction(5, 3), Fraction(3, 2), Fraction(1, 2), Fraction(3, 7)
KERNELS = ("uniform", "prefix", "alibi", "content")
MOST_HOPS = 26  # terms of a sum without an end: P(K > 26) < S^27/27! < 10^-36 at S = 1/2
# Thirty decimals are rounded by at most 5e-31; the functions here have 60, which differences of five nodes that are
# 1/20 apart raise to at most 10^-60 * 20^4.
NEAR = Fraction(6, 10**31)
WORKING = 60


@pytest.fixture(autouse=True)
def _formulas_are_compared_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofs.every_check.failures", lambda *_: iter(()))


def shown(posbias: Posbias, words: str) -> Display:
    run = posbias("derive", *words.split(), "--format", "latex")
    assert run.code == 0, run.err
    return display(run.out, **({"e": 0} if "content" in words else {}))


# --- layers ---------------------------------------------------------------------------------------------------------


def matrix(kernel: str, n: int) -> list[list[Fraction]]:
    w = {"prefix": WEIGHTS[:n], "alibi": [Q**k for k in range(n)]}.get(kernel, [Fraction(1)] * n)
    masses = [[*w[:i], w[i] * (E if kernel == "content" else 1)] for i in range(n)]
    return [[m / sum(row) for m in row] + [Fraction(0)] * (n - len(row)) for row in masses]


def recursion(kernel: str, n: int, lam: tuple[Fraction, ...]) -> list[Fraction]:
    """The last row of R_T ... R_1."""
    A, v = matrix(kernel, n), [Fraction(int(i == n - 1)) for i in range(n)]
    for share in reversed(lam):
        v = [(1 - share) * v[j] + share * sum(v[i] * A[i][j] for i in range(n)) for j in range(n)]
    return v


def letters_at(n: int, T: int, j: int) -> Letters:
    return {
        "n": n, "T": T, "j": j, "e": E, "q": Q, "w": lambda i: WEIGHTS[i - 1], "lambda": lambda *t: at_layer(*t),
    }  # fmt: skip


def at_layer(t: int = 0) -> Fraction:
    return LAM[t - 1] if t else ONE


def wrong(found: Display, kernel: str, sizes: list[tuple[int, int]], one: Fraction | None) -> Iterator[object]:
    """Each entry that differs from the recursion, and entries of which nothing was compared."""
    for row in found.entries:
        compared = 0
        for n, T in sizes:
            letters = letters_at(n, T, 1)
            if kernel == "alibi":
                letters = {key: x for key, x in letters.items() if key != "w"}
            p = recursion(kernel, n, LAM[:T] if one is None else (one,) * T)
            for j in found.positions(row, n):
                compared += 1
                if found.value(row, {**letters, "j": j}) != p[j - 1]:
                    yield row.tag, n, T, j
        if not compared:
            yield row, "not compared"


SUBSTITUTIONS = (
    ("-n n -T T", [(1, 2), (2, 3), (4, 2), (5, 3), (3, 0)]),
    ("-n 4 -T T", [(4, 3), (4, 1), (4, 0)]),
    ("-n n -T 2", [(1, 2), (5, 2)]),
    ("-n 5 -T 3 --entry j", [(5, 3)]),
    ("-n 5 -T T --entry 2", [(5, 3)]),
    ("-n n -T 3 --entry n", [(4, 3)]),
)
SHARES = (("", None), ("--lam lambda", ONE), ("--lam 2/9", Fraction(2, 9)))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("lam", "one"), SHARES)
@pytest.mark.parametrize(("words", "sizes"), SUBSTITUTIONS)
def test_layers(
    posbias: Posbias, kernel: str, lam: str, one: Fraction | None, words: str, sizes: list[tuple[int, int]]
) -> None:
    found = shown(posbias, f"{words} --kernel {kernel} {lam}")
    assert list(wrong(found, kernel, sizes, one)) == []


def test_what_several_ordered_indices_mean(posbias: Posbias) -> None:
    """The row that says what h_d is, and h_d as it is known."""
    found = shown(posbias, "-n n -T T --kernel uniform")
    (row,) = [row for row in found.rows if row.left.startswith("h_")]
    letters: Letters = {"d": 2, "j": 2, "n": 4, "u": lambda i: Fraction(1, i)}
    expected = sum(Fraction(1, a * b) for a in (2, 3, 4) for b in range(a, 5))
    assert read(row.right).value(letters) == read(row.left).value(letters) == expected


def test_u2_by_a_reader_that_is_not_ours(posbias: Posbias) -> None:
    r"""latex2sympy2_extended, which knows no \Bigl and fails on \prod: so with one lambda."""
    sympy, reader = pytest.importorskip("sympy"), pytest.importorskip("latex2sympy2_extended.latex2sympy2")
    as_written = reader.ConversionConfig(interpret_as_mixed_fractions=False, lowercase_symbols=False)
    for n, T, positions in ((4, 3, (2, 4)), (5, 2, (1,))):
        words = f"-n {n} -T {T} --entry j --kernel uniform --lam lambda --format latex"
        row = display(posbias("derive", *words.split()).out).entries[0]
        assert row.tag == "U2"
        plain = re.sub(r"\\[Bb]ig[lr]|\\,", " ", row.right)
        found = reader.latex2sympy(plain, normalization_config=None, conversion_config=as_written)
        for j in positions:
            at = {x: {"lambda": sympy.Rational(3, 7), "j": j}[str(x)] for x in found.free_symbols}
            expected = recursion("uniform", n, (ONE,) * T)[j - 1]
            assert found.subs(at).doit() == sympy.Rational(*expected.as_integer_ratio())


# --- depth, and n to infinity ---------------------------------------------------------------------------------------


def real(function: Callable[[Any], Any]) -> Callable[[Fraction], Fraction]:
    """A function of a rational to 60 digits."""

    def of(x: Fraction) -> Fraction:
        with mpmath.workdps(WORKING + 10):
            return Fraction(mpmath.nstr(function(mpmath.mpf(x.numerator) / x.denominator), WORKING + 5))

    return of


FUNCTIONS: Letters = {
    EXP: real(mpmath.exp), LN: real(mpmath.log), SQRT: real(mpmath.sqrt),
    BESSEL: real(lambda x: mpmath.besseli(1, x)), "infty": MOST_HOPS,
}  # fmt: skip


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("depth", "n"), [("S", 3), ("1/2", 2)])
def test_depth(posbias: Posbias, kernel: str, depth: str, n: int) -> None:
    from numeric.decimal_form import digits_of
    from numeric.entry_law import Depth
    from numeric.prefix_form import PrefixRows

    found = shown(posbias, f"-n n --depth {depth} --kernel {kernel}")
    weights = {"prefix": WEIGHTS[:n], "alibi": [Q**k for k in range(n)]}.get(kernel)
    rows = PrefixRows(weights, E if kernel == "content" else 1)
    for row in found.entries:
        for j in found.positions(row, n):
            expected = Fraction(digits_of(rows, Depth(S), n=n, j=j, digits=30))
            value = found.value(row, {**letters_at(n, 0, j), **FUNCTIONS, "S": S})
            assert abs(value - expected) < NEAR, (row, j)


@pytest.mark.parametrize("words", ["-T T", "-T 3", "--depth S", "--depth 1/2"])
def test_limit(posbias: Posbias, words: str) -> None:
    from numeric.entry_law import Depth, Layers
    from numeric.limit_form import atom_digits, density_digits
    from numeric.schedule import read_schedule

    found, x = shown(posbias, f"--continuous {words}"), Fraction(2, 5)
    law = Depth(S) if "depth" in words else Layers(read_schedule("2/7,1/3,3/5"), 3)
    lam = (Fraction(2, 7), Fraction(1, 3), Fraction(3, 5))
    letters = {**FUNCTIONS, "S": S, "T": 3, "x": x, "r": 2, "lambda": lambda t: lam[t - 1]}
    density, atom, _ = (found.value(row, letters) for row in found.entries)
    assert abs(density - Fraction(density_digits(law, x, digits=30))) < NEAR
    assert abs(atom - Fraction(atom_digits(law, digits=30))) < NEAR


# --- controls -------------------------------------------------------------------------------------------------------

CHANGES = (
    (r"(-1)^", r"(+1)^"), ("-1", "-2"), ("+", "-"), ("=0}", "=1}"), ("=1}", "=0}"), ("=j}", "=j+1}"), ("=j+1}", "=j}"),
    ("^{n}", "^{n-1}"), ("^{n-1}", "^{n}"), ("^{T}", "^{T-1}"), ("^{l-1}", "^{l}"),
    ("_{k}", "_{j}"),
    ("_{l}", "_{j}"), ("u_{j}", "u_{j+1}"), ("z_{j}", "z_{j+1}"), ("W_{k-1}", "W_{k}"), ("h_{k-1}", "h_{k}"),
    ("K=k", "K=k-1"), ("[x^{k}]", "[x^{k-1}]"), ("W_{i}", "w_{i}"), (r"\eta_{i}", r"\theta_{i}"), ("w_{j}", "w_{n}"),
    ("j<n", r"j\le n"), ("_{t}", "_{1}"),
)  # fmt: skip


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_display_with_one_thing_wrong_does_not_read_back(posbias: Posbias, kernel: str) -> None:
    run = posbias("derive", "-n", "n", "-T", "T", "--kernel", kernel, "--format", "latex")
    head, _, body = run.out.partition(r"\begin{align*}")
    kinds = {"e": 0} if kernel == "content" else {}
    assert not any(wrong(display(run.out, **kinds), kernel, [(4, 3), (5, 1)], None))
    words = body.find(r"&=\text{the")  # what is said in words is not read
    formulas = body[: body.rfind("\n", 0, words)] if words > 0 else body
    tried, passed = 0, []
    for old, new in CHANGES:
        for at in [found.start() for found in re.finditer(re.escape(old), formulas)]:
            changed = f"{head}\\begin{{align*}}{body[:at]}{new}{body[at + len(old) :]}"
            tried += 1
            try:
                if not any(wrong(display(changed, **kinds), kernel, [(4, 3), (5, 1)], None)):
                    passed.append((old, new, body[max(0, at - 20) : at + 20]))
            except (Unread, ValueError, KeyError, IndexError, ZeroDivisionError, AssertionError):
                continue
    assert tried > 15
    assert not passed
