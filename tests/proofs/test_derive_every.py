"""``posbias derive`` with letters and at any n and T: to the letter, weights from files, and bad input in one line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flint import fmpz

from numeric import mpmath_form, row_form
from numeric.decimal_form import decimals
from proofs import every_form
from proofs.every_form import KERNELS, Mixture
from proofs.every_latex import latex
from proofs.every_term import Binomial, Over, Plus, Power, Series, at, node, over, plus, put, times
from proofs.every_write import PythonStyle, TextStyle

Posbias = Callable[..., Any]
REPOSITORY = Path(__file__).resolve().parents[2]


def test_letters_to_the_letter(posbias: Posbias) -> None:
    run = posbias("derive", "-n", "n", "-T", "T", "--kernel", "prefix", "--entry", "j")
    assert (run.code, run.err) == (0, "formulas: equal to the recursion in rationals at n up to 5, checked\n")
    assert run.out.splitlines()[2:] == [
        "",
        "U3, 1 <= j <= n:",
        "    p_j = (-1)^(n-j) g[z_j, ..., z_n] Π_{k=j+1}^n (W_{k-1}/w_k)",
        "U6, 1 <= j < n:",
        "    p_j = (w_j/W_n) Σ_{k=1}^T P(K = k) h_{k-1}(u_j, ..., u_n)",
        "U6, j = n:",
        "    p_n = Π_{t=1}^T (1 - λ_t + λ_t u_n)",
        "where",
        "    W_i = Σ_{l=1}^i w_l",
        "    z_i = W_i/w_i",
        "    g(z) = Π_{t=1}^T (1 - λ_t + λ_t/z)",
        "    u_i = w_i/W_i",
        "    P(K = k) = [x^k] Π_{t=1}^T (1 - λ_t + λ_t x)",
        "    h_d(u_j, ..., u_n) = sum of u_{i_1} ... u_{i_d} over j <= i_1 <= ... <= i_d <= n",
        "    g[z_j, ..., z_n] = divided difference of g, confluent where nodes coincide",
    ]


def test_latex_to_the_letter(posbias: Posbias) -> None:
    out = posbias("derive", "-n", "n", "-T", "T", "--kernel", "uniform", "--format", "latex", "--entry", "j").out
    assert (
        r"p_{j}&=\binom{n-1}{j-1}\,\sum_{k=0}^{n-j} (-1)^{k}\,\binom{n-j}{k}\,\prod_{t=1}^{T}"
        r" \Bigl(1-\lambda_{t}+\frac{\lambda_{t}}{j+k}\Bigr)\quad\text{for }1\le j\le n\tag{U2}" in out
    )
    depth = posbias("derive", "--continuous", "--depth", "S", "--format", "latex").out
    assert r"\exp (-S)\,\sqrt{\frac{S}{L}}\,I_{1}(2\,\sqrt{S\,L})" in depth
    assert r"L&=-\ln (x)" in depth
    for kernel in KERNELS:
        shown = posbias("derive", "-n", "n", "-T", "T", "--kernel", kernel, "--format", "latex").out
        assert shown.count("{") == shown.count("}")
        assert shown.count(r"\Bigl(") == shown.count(r"\Bigr)")
        assert shown.isascii()


@pytest.mark.parametrize(
    ("words", "positions"),
    [
        ("-n 5 -T T", ["1 <= j <= 5", "1 <= j < 5", "j = 5"]),
        ("-n 5 -T T --entry 2", ["j = 2", "j = 2"]),
        ("-n 5 -T T --entry 5", ["j = 5"]),
        ("-n 5 -T T --entry n", ["j = 5"]),
        ("-n n -T 4 --entry n", ["j = n"]),
        ("-n n -T 4 --entry 3", ["n >= 3", "n > 3", "j = n"]),
        ("-n 5 -T 4 --entry j", ["1 <= j <= 5", "1 <= j < 5", "j = 5"]),
        ("-n 1 -T T", ["1 <= j <= 1", "j = 1"]),
        ("-n n --depth S", ["1 <= j <= n", "1 <= j < n", "j = n"]),
        ("-n n --depth 3/2", ["1 <= j <= n", "1 <= j < n", "j = n"]),
    ],
)
def test_letters_beside_numbers(posbias: Posbias, words: str, positions: list[str]) -> None:
    found = posbias("derive", *words.split(" "), "--kernel", "uniform", "--json").json()
    assert [entry["where"] for entry in found["entries"]] == positions
    assert all(set(entry) >= {"position", "text", "latex", "terms"} for entry in found["entries"])


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_wrong_formula_is_not_printed(posbias: Posbias, monkeypatch: pytest.MonkeyPatch, kernel: str) -> None:
    real = Mixture.phi
    monkeypatch.setattr(every_form.Mixture, "phi", lambda self, z: times(2, real(self, z)))
    with pytest.raises(ArithmeticError, match="contradicts the recursion"):
        posbias("derive", "-n", "n", "-T", "T", "--kernel", kernel)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_consoles_without_greek(encoding: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**kept, "PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": encoding, "LC_ALL": "C"}
    command = [sys.executable, "-m", "proofs.cli", "derive", "-n", "n", "-T", "T", "--kernel", "content"]
    run = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
    shown = run.stdout.decode("ascii").splitlines()
    assert run.returncode == 0
    assert "    p_n = Prod_{t=1}^T (1 - lambda_t + lambda_t theta_n)" in shown


# --- numbers --------------------------------------------------------------------------------------------------------


def test_numbers_to_the_letter(posbias: Posbias) -> None:
    # U4: w = (1, 2, 4), λ = (1, 1) gives (47, 52, 48)/147
    run = posbias("derive", "-T", 2, "--kernel", "prefix", "--weights", "1,2,4", "--lam", 1)
    assert run.err == "sum of the entries: 1, checked exactly\n"
    assert run.out.splitlines()[1:] == [
        "A[i, j] = w_j/(w_1 + ... + w_i), w = 1, 2, 4",
        "λ_t = 1 for every layer",
        "",
        "p_1 = 47/147",
        "p_2 = 52/147",
        "p_3 = 16/49",
    ]


def test_weights_from_a_file(posbias: Posbias, tmp_path: Path) -> None:
    (tmp_path / "w.csv").write_text("weight\n1\n 2\n4\n\n", encoding="utf-8")
    words = ("-T", 2, "--kernel", "prefix", "--lam", 1, "--entry", 2)
    run = posbias("derive", *words, "--weights", tmp_path / "w.csv")
    assert run.out.splitlines()[-1] == "p_2 = 52/147"
    (tmp_path / "bad.csv").write_text("1\n\n-2\n", encoding="utf-8")
    run = posbias("derive", *words, "--weights", tmp_path / "bad.csv")
    assert (run.code, run.out) == (2, "")
    assert run.err.endswith("bad.csv, line 3).\n")


def test_python_and_latex_of_numbers(posbias: Posbias) -> None:
    words = ("-n", 3, "-T", 2, "--kernel", "uniform", "--lam", "1/3", "--entry", 1)
    space: dict[str, Any] = {}
    exec(compile(posbias("derive", *words, "--format", "python").out, "derived", "exec"), space)
    assert space["entry_1"]() == Fraction(35, 162)
    assert r"p_{1}&=\frac{35}{162}" in posbias("derive", *words, "--format", "latex").out
    small = posbias("derive", "-n", 9, "-T", 2, "--kernel", "alibi", "--slope", 5, "--lam", 1, "--digits", 3,
                    "--entry", 1, "--format", "latex").out  # fmt: skip
    assert re.search(r"p_\{1\}&=\d\.\d\d\\cdot 10\^\{-\d+\}", small)


def test_long_rationals_are_printed_whole(posbias: Posbias) -> None:
    words = ("-n", 256, "-T", 70, "--kernel", "uniform", "--lam", "1/3", "--entry", 1)
    exact = posbias("derive", *words, "--json").json()["entries"][0]["exact"]
    above, below = (int(part[:50]) for part in exact.split("/"))
    digits = posbias("derive", *words, "--digits", 50, "--json").json()["entries"][0]["decimal"]
    assert len(exact) > 10_000
    assert digits.startswith("0.99946646456732546332")
    assert abs(Fraction(above, below) - Fraction(digits)) < Fraction(1, 10**40)


def test_the_limit_in_decimals(posbias: Posbias) -> None:
    """K of three layers of λ = 1/3: 4/9, 2/9, 1/27 at k = 1, 2, 3; f(x) = 4/9 + 2/9 L + 1/54 L^2, L = −ln x."""
    from mpmath import log, mp

    words = ("--continuous", "-T", 3, "--lam", "1/3", "--at", "1/5", "--digits", 40)
    density, atom = (x["decimal"] for x in posbias("derive", *words, "--json").json()["entries"])
    with mp.workdps(50):
        L = log(5)
        assert abs(mp.mpf(4) / 9 + 2 * L / 9 + L**2 / 54 - mp.mpf(density)) < mp.mpf(10) ** -39
    assert atom == "0.2962962962962962962962962962962962962963"
    assert posbias("derive", *words).out.splitlines()[-2:] == [f"density f(1/5) = {density}", f"atom a = {atom}"]
    assert rf"&={density}" in posbias("derive", *words, "--format", "latex").out


def test_bad_mpmath_is_no_answer(posbias: Posbias, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpmath_form, "mpmath_entry", lambda *_: Fraction(1, 2))
    with pytest.raises(ArithmeticError, match="disagree"):
        posbias("derive", "-n", 3, "-T", 2, "--kernel", "uniform", "--lam", "1/3", "--entry", 1, "--digits", 5)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-n m -T T --kernel uniform", "'-n' must be an integer or the letter n, not 'm'"),
        ("-n n -T t --kernel uniform", "'-T' must be an integer or the letter T, not 't'"),
        ("-n n -T -1 --kernel uniform", "'-T' must be the letter T or an integer in"),
        ("-n n -T T", "'--kernel' must be one of uniform, prefix, alibi, content where n, T or j is a letter"),
        ("-n n -T T --kernel uniform --lam 1/3,1/4", "'--lam' must be one number, the word lambda or left out where"),
        ("-n n -T T --kernel uniform --lam 2", r"'--lam' must lie in \[0, 1\], not 2"),
        ("-n n -T T --kernel uniform --entry k", "'--entry' must be an integer or one of the letters j and n"),
        ("-n 4 -T T --kernel uniform --entry 5", r"'--entry' must lie in 1\.\.4, not 5"),
        ("-n n -T T --kernel uniform --digits 5", "'--digits' must be left out where n, T, j or S is a letter"),
        ("-n n --depth S --kernel prefix --format python", "'--format' must be text, latex or json here, not python"),
        ("-n n --depth S -T T --kernel uniform", "'-T' must be left out beside --depth"),
        ("-n n --depth x --kernel uniform", "'--depth' must be a number or the letter S, not 'x'"),
        ("--continuous", "'-T' must be given, not left out"),
        ("--continuous --depth S -n 4", "'-n' must be left out beside --continuous, not '4'"),
        ("--continuous --depth S --kernel alibi", "'--kernel' must be uniform or left out beside --continuous"),
        ("--continuous --depth 2 --at 1 --digits 9", r"'--at' must lie in \(0, 1\), not 1"),
        ("--continuous --depth 2 --at 1/2", "'--digits' must be given, not left out"),
        ("--continuous --depth 2 --digits 9", "'--at' must be given, not left out"),
        ("--continuous --depth S --at 1/2 --digits 9", "'--depth' must be a number"),
        ("--continuous -T 3 --lam lambda --at 1/2 --digits 9", "'--lam' must be numbers, not a symbol"),
        ("--continuous -T 99999 --lam 1/3 --at 1/2 --digits 9", "'--digits' must keep the work within 30 seconds"),
        ("-n 3 --depth 2 --at 1/2 --digits 9", "'--at' must be left out unless --continuous is given"),
        ("-n 4 -T 3 --kernel uniform --lam 1/3 --digits 0", r"'--digits' must be an integer in \[1, 10000\], not 0"),
        ("-n 4 -T 3 --kernel uniform --lam 1/3 --digits ten", "'--digits' must be an integer, not 'ten'"),
        ("-n 4 -T 3 --kernel uniform --digits 5", "'--lam' must be numbers, not left out"),
        ("-n 4 -T 3 --kernel prefix --lam 1/3 --digits 5", "'--weights' must be given, not left out"),
        ("-n 4 -T 3 --kernel uniform --weights 1,2 --lam 1", "'--weights' must be left out unless the kernel is pre"),
        (
            "-n 4 -T 3 --kernel prefix --weights 1,2,x --lam 1",
            r"'--weights' must be a number .*entry 3, counted from 1",
        ),
        (
            "-n 4 -T 3 --kernel prefix --weights 1,2 --lam 1",
            "'-n' must be 2, the number of weights, or left out, not 4",
        ),
        ("-T 3 --kernel prefix --weights 1,0 --lam 1", r"'--weights' must be positive, not 0 \(entry 2"),
        ("-T 3 --kernel prefix --weights none.csv --lam 1", "'--weights' must be an existing file, not 'none.csv'"),
        ("-n 4 -T 3 --kernel alibi --slope 1 --lam 1", "'--digits' must be given, not left out"),
        ("-n 4 -T 3 --kernel alibi --slope 701 --lam 1 --digits 3", r"'--slope' must lie in \[-700, 700\], not 701"),
        ("-n 9999 -T 1 --kernel alibi --slope 700 --lam 1 --entry 1 --digits 3", "'--slope' must be at most 200000"),
        ("-n 3 -T 2 --dots 2", "'--dots' must be left out unless --format latex is given, not '2'"),
        ("-n 3 -T 2 --dots 2 --format latex --json", "'--format' must be json or left out beside --json"),
        ("-n 3 -T 2 --dots 0 --format latex", r"'--dots' must be an integer in \[1, 1000000000\], not 0"),
        ("-n 3 -T 2 --dots x --format latex", "'--dots' must be an integer, not 'x'"),
        ("-n n -T 2 --kernel uniform --dots 2 --format latex", "'--dots' must be left out where n or T is a letter"),
        ("-n 3 --kernel uniform --depth 1 --digits 4 --dots 2 --format latex", "'--dots' must be left out where"),
        ("-n 4 -T 3 --kernel content --e 0 --lam 1", "'--e' must be positive, not 0"),
        ("-n 4 -T 3 --kernel content --e __import__('os') --lam 1", "'--e' must be a number"),
        ("-n 4 --kernel uniform --depth -1 --digits 4", r"'--depth' must lie in \[0, 10000\], not -1"),
        ("-n 4 --kernel uniform --depth 1", "'--digits' must be given, not left out"),
        (
            "-n 9999 -T 9999 --kernel uniform --lam 1/3 --entry 1",
            "'-n' must keep the rationals within 2,000,000 digits",
        ),
        (
            "-n 9999 -T 9999 --kernel uniform --lam 1/3 --entry 1 --digits 9",
            "'-n' must keep the work within 30 seconds",
        ),
        ("-n 99999 -T 3 --kernel uniform --lam 1/3 --entry 7", r"30 seconds, not 99999 \(entry 7; --digits gives dec"),
        (
            "-n 99999 -T 3 --kernel uniform --lam 1/3",
            r"30 seconds, not 99999 \(every position; --digits",
        ),
        ("-n 9999 -T 9999 --kernel uniform --lam 1/3 --digits 9", r"30 seconds, not 9999 \(every position"),
        ("-n 4 -T 99999 --kernel uniform --lam geometric:1,1/2", "'--digits' must be given, not left out"),
        ("-n 4 -T 3 --kernel uniform --lam 1/3 --entry 5 --digits 9", r"'--entry' must be an integer in \[1, 4\]"),
    ],
)
def test_refusals(posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    run = posbias("derive", *words.split(" "))
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1
    assert re.match(r"Argument '[^']+' must .+, not .+\.$", run.err), run.err
    assert re.search(message, run.err), run.err
    assert list(tmp_path.iterdir()) == []


def test_a_whole_row_of_many_positions(posbias: Posbias) -> None:
    # entry by entry, 256 of them are minutes; in symbols, half a minute
    words = ("derive", "-n", "256", "-T", "70", "--kernel", "uniform", "--lam", "1/3")
    run = posbias(*words, "--digits", "50")
    rows = run.out.splitlines()[4:]
    assert (len(rows), rows[0]) == (256, "p_1 = 0.99946646456732546332941105463796274702980722041899")
    found = posbias(*words, "--format", "json")
    assert (found.code, json.loads(found.out)["sum"]) == (0, "1")
    chosen = [x["exact"].split("/") for x in json.loads(found.out)["entries"][::-51]]
    exact = [Fraction(*(int(fmpz(part)) for part in parts)) for parts in chosen]
    assert exact[0] == (1 - Fraction(1, 3) * Fraction(255, 256)) ** 70
    assert [decimals(x, 50) for x in exact] == [row.split(" = ")[1] for row in rows[::-51]]


def test_a_row_that_contradicts_its_last_entry_is_an_error(posbias: Posbias, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_form, "exact_row", lambda *_, **__: (Fraction(1, 2), Fraction(1, 2)))
    with pytest.raises(ArithmeticError, match="contradicts its sum or the closed form of its last entry"):
        posbias("derive", "-n", "2", "-T", "2", "--kernel", "uniform", "--lam", "1/3")


# --- writing --------------------------------------------------------------------------------------------------------


def test_brackets() -> None:
    total = Series("sum", "k", node(1), node("n"), node("k"))
    text, python = TextStyle(), PythonStyle()
    assert text.show(times(total, "x")) == "(Σ_{k=1}^n k) x"
    assert text.show(times("x", total)) == "x Σ_{k=1}^n k"
    assert text.show(plus(total, 1)) == "(Σ_{k=1}^n k) + 1"
    assert latex(Power(plus(1, "n"), node(2))) == "(1+n)^{2}"
    assert latex(Power(over("a", "b"), node("k"))) == r"\Bigl(\frac{a}{b}\Bigr)^{k}"
    assert text.show(over(1, times("a", "b"))) == "1/(a b)"
    assert text.show(times(over(1, "n"), "x")) == "(1/n) x"
    assert text.show(plus("n", times(-1, plus("j", 1)))) == "n - (j + 1)"
    assert python.show(over(1, "n")) == "Fraction(1)/n"
    assert python.show(at("lambda", "t")) == "lam[t - 1]"
    assert python.show(Power(node(Fraction(2, 3)), node("T"))) == "(Fraction(2)/3)**T"


def test_numbers_put_in_are_folded() -> None:
    tree = Binomial(plus("n", -1), Plus((node("j"), node(-1))))
    assert put(tree, {"n": node(5), "j": node(2)}) == Binomial(node(4), node(1))
    assert put(Over(node(1), node("n")), {"n": node(4)}) == node(Fraction(1, 4))
    series = Series("sum", "k", node(0), node("n"), times("k", "n"))
    assert put(series, {"k": node(7), "n": node(3)}) == Series("sum", "k", node(0), node(3), times(3, "k"))
