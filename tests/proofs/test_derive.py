"""``posbias derive``: the four formats to the letter, bad input in one line, lines that fit, consoles without Greek."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from math import prod
from pathlib import Path
from typing import Any

import pytest

from proofs.closed_form import derive
from proofs.latex_lines import LINE, width

Posbias = Callable[..., Any]
REPOSITORY = Path(__file__).resolve().parents[2]
SUM = "sum of the entries: 1, checked exactly\n"
HEAD = "last row p of R_T ... R_1, R_t = (1 - λ_t) I + λ_t A_t; "


# --- text -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (
            "-n 2 -T 1",
            [
                "n = 2, T = 1; general kernel",
                "A_t[i, 1] = 1 - A_t[i, 2] - ... - A_t[i, i]",
                "",
                "p_1 = λ_1 - λ_1 A_1[2, 2]",
                "p_2 = 1 - λ_1 + λ_1 A_1[2, 2]",
            ],
        ),
        (
            "-n 2 -T 2 --eliminate diagonal --shared --lam lambda",
            [
                "n = 2, T = 2; general kernel, shared by the layers",
                "A[i, i] = 1 - A[i, 1] - ... - A[i, i-1]",
                "λ_t = λ for every layer",
                "",
                "p_1 = 2 λ A[2, 1] - λ^2 A[2, 1]^2",
                "p_2 = 1 - 2 λ A[2, 1] + λ^2 A[2, 1]^2",
            ],
        ),
        (
            "-n 3 -T 2 --kernel uniform --lam 1/3",
            [  # U2: μ_1 = (5/6)², μ_2 = (7/9)²; p = (1 − 2 μ_1 + μ_2, 2 (μ_1 − μ_2), μ_2)
                "n = 3, T = 2; uniform kernel",
                "A[i, j] = 1/i",
                "λ_t = 1/3 for every layer",
                "",
                "p_1 = 35/162",
                "p_2 = 29/162",
                "p_3 = 49/81",
            ],
        ),
        (
            "-n 2 -T 2 --kernel prefix --lam geometric:1/2,1/2",
            [
                "n = 2, T = 2; prefix kernel, one per layer",
                "A_t[i, j] = w_{t,j}/(w_{t,1} + ... + w_{t,i}), u_{t,i} = w_{t,i}/(w_{t,1} + ... + w_{t,i})",
                "λ_1 = 1/2, λ_2 = 1/4",
                "",
                "p_1 = 5/8 - (3/8) u_{1,2} - (1/8) u_{2,2} - (1/8) u_{1,2} u_{2,2}",
                "p_2 = 3/8 + (3/8) u_{1,2} + (1/8) u_{2,2} + (1/8) u_{1,2} u_{2,2}",
            ],
        ),
        (
            "-n 3 -T 1 --kernel alibi --shared --lam 1",
            [
                "n = 3, T = 1; alibi kernel",
                "A[i, j] = q^(j-1)/(1 + q + ... + q^(i-1)), q = exp(m), m the slope",
                "λ_1 = 1",
                "",
                "p_1 = 1 / (1 + q + q^2)",
                "p_2 = q / (1 + q + q^2)",
                "p_3 = q^2 / (1 + q + q^2)",
            ],
        ),
        (
            "-n 2 -T 2 --kernel content --shared --lam 1/2",
            [  # p_2 = (1 − λ + λ e/(1 + e))² = ((1 + 2e) / (2 (1 + e)))²
                "n = 2, T = 2; content kernel, shared by the layers",
                "A[i, i] = e/(i-1+e), A[i, j] = 1/(i-1+e) for j < i, e = exp(d), d the content",
                "λ_t = 1/2 for every layer",
                "",
                "p_1 = (3 + 4 e) / (4 (1 + e)^2)",
                "p_2 = (1 + 4 e + 4 e^2) / (4 (1 + e)^2)",
            ],
        ),
        (
            "-n 1 -T 0 --entry 1",
            ["n = 1, T = 0; general kernel", "A_t[i, 1] = 1 - A_t[i, 2] - ... - A_t[i, i]", "", "p_1 = 1"],
        ),
    ],
)
def test_text(posbias: Posbias, words: str, lines: list[str]) -> None:
    run = posbias("derive", *words.split(" "))
    assert (run.code, run.err) == (0, SUM)
    assert run.out.splitlines() == [HEAD + lines[0], *lines[1:]]


def test_lines_of_text_are_short(posbias: Posbias) -> None:
    for words in (("-n", 4, "-T", 3), ("-n", 4, "-T", 2, "--kernel", "alibi")):
        lines = posbias("derive", *words).out.splitlines()
        formulas = lines[lines.index("") + 1 :]
        assert max(map(len, formulas)) <= 100
        assert all(re.match(r"p_\d = |    [+-] ", line) or "/ (" in line for line in formulas)


def test_a_row_that_is_not_checked_says_so(posbias: Posbias) -> None:
    run = posbias("derive", "-n", 9, "-T", 8, "--entry", 9)
    assert run.code == 0
    assert run.err == "sum of the entries: not checked, the other entries being too long\n"
    assert posbias("derive", "-n", 9, "-T", 8, "--entry", 9, "--json").json()["sum"] is None


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_consoles_without_greek(encoding: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {**kept, "PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": encoding, "LC_ALL": "C"}
    command = [sys.executable, "-m", "proofs.cli", "derive", "-n", "2", "-T", "1"]
    run = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
    assert (run.returncode, run.stderr.decode("ascii").splitlines()) == (0, SUM.splitlines())
    assert run.stdout.decode("ascii").splitlines()[-1] == "p_2 = 1 - lambda_1 + lambda_1 A_1[2, 2]"


# --- LaTeX ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        (
            "-n 2 -T 1",
            [r"  p_{1}&=\lambda_{1}-\lambda_{1}A_{1,2,2} \\", r"  p_{2}&=1-\lambda_{1}+\lambda_{1}A_{1,2,2}"],
        ),
        (
            "-n 2 -T 2 --shared --lam lambda --eliminate diagonal",
            [
                r"  p_{1}&=2\lambda A_{2,1}-\lambda^{2}A_{2,1}^{2} \\",
                r"  p_{2}&=1-2\lambda A_{2,1}+\lambda^{2}A_{2,1}^{2}",
            ],
        ),
        ("-n 3 -T 1 --kernel uniform --entry 3", [r"  p_{3}&=1-\tfrac{2}{3}\lambda_{1}"]),
        (
            "-n 2 -T 2 --kernel content --shared --lam 1/2",
            [r"  p_{1}&=\frac{3+4e}{4(1+e)^{2}} \\", r"  p_{2}&=\frac{1+4e+4e^{2}}{4(1+e)^{2}}"],
        ),
        ("-n 2 -T 1 --kernel alibi --entry 1", [r"  p_{1}&=\frac{\lambda_{1}}{1+q_{1}}"]),
        ("-n 2 -T 1 --kernel prefix --entry 2", [r"  p_{2}&=1-\lambda_{1}+\lambda_{1}u_{1,2}"]),
        ("-n 2 -T 0", [r"  p_{1}&=0 \\", r"  p_{2}&=1"]),
        (
            "-n 3 -T 2 --entry 3 --dots 1",
            [r"  p_{3}&=1+\cdots +\lambda_{1}\lambda_{2}A_{1,3,3}A_{2,3,3}"],
        ),
        ("-n 3 -T 1 --kernel uniform --entry 3 --dots 7", [r"  p_{3}&=1-\tfrac{2}{3}\lambda_{1}"]),
    ],
)
def test_latex(posbias: Posbias, words: str, lines: list[str]) -> None:
    run = posbias("derive", *words.split(" "), "--format", "latex")
    assert (run.code, run.err) == (0, SUM)
    assert run.out.isascii()
    assert run.out.startswith("% last row p of ")
    assert run.out.splitlines()[1:] == [r"\begin{align*}", *lines, r"\end{align*}"]


@pytest.mark.parametrize("kernel", ["general", "prefix", "alibi", "content"])
def test_lines_of_latex_fit_the_page(kernel: str) -> None:
    lines = derive(4, 3, kernel=kernel).latex().splitlines()[2:-1]
    assert len(lines) > 4
    assert max(width(line.replace("&", "")) for line in lines) <= LINE + 2
    # what a line opens it closes, but for the bracket around a numerator of several lines
    whole = "".join(lines)
    assert whole.count("{") == whole.count("}")
    assert whole.count(r"\bigl(") == whole.count(r"\bigr)")


# --- Python and JSON ------------------------------------------------------------------------------------------------


def test_python_of_the_command_runs(posbias: Posbias) -> None:
    # e = 2, λ = ½, T = 2: p_2 = (½ + ½ · ⅔)² = 25/36
    run = posbias("derive", "-n", 2, "-T", 2, "--kernel", "content", "--format", "python", "--lam", "1/2")
    assert run.err == SUM
    assert run.out.isascii()
    space: dict[str, Any] = {}
    exec(compile(run.out, "derived", "exec"), space)
    e = Fraction(2)
    assert space["profile"]([e, e]) == (Fraction(11, 36), Fraction(25, 36))


def test_python_of_one_entry(posbias: Posbias) -> None:
    out = posbias("derive", "-n", 2, "-T", 1, "--format", "python", "--entry", 2, "--lam", "1/2").out
    assert out.splitlines()[0] == "def entry_2(A):"
    assert out.splitlines()[-2:] == ["    p2 = (1 + A[0][1][1])/2", "    return p2"]
    assert "import" not in out


def constant(value: int) -> dict[str, Any]:
    return {"coefficient": str(value), "exponents": {}}


@pytest.mark.parametrize("words", [("--json",), ("--format", "json"), ("--json", "--format", "json")])
def test_json(posbias: Posbias, words: tuple[str, ...]) -> None:
    run = posbias("derive", "-n", 2, "-T", 1, "--kernel", "alibi", "--lam", "2/4", *words)
    assert (run.code, run.err) == (0, "")
    one_and_q = [constant(1), {"coefficient": "1", "exponents": {"q_1": 1}}]
    below = [{"terms": [constant(2)], "exponent": 1}, {"terms": one_and_q, "exponent": 1}]
    assert run.json() == {
        "n": 2,
        "T": 1,
        "kernel": "alibi",
        "shared": False,
        "eliminate": None,
        "lam": ["1/2"],
        "sum": "1",
        "entries": [
            {
                "position": 1,
                "text": "1 / (2 (1 + q_1))",
                "latex": r"\frac{1}{2(1+q_{1})}",
                "terms": 1,
                "numerator": [constant(1)],
                "denominator": below,
            },
            {
                "position": 2,
                "text": "(1 + 2 q_1) / (2 (1 + q_1))",
                "latex": r"\frac{1+2q_{1}}{2(1+q_{1})}",
                "terms": 2,
                "numerator": [constant(1), {"coefficient": "2", "exponents": {"q_1": 1}}],
                "denominator": below,
            },
        ],
    }


def test_json_of_symbols(posbias: Posbias) -> None:
    found = posbias("derive", "-n", 3, "-T", 3, "--json").json()
    assert (found["lam"], found["eliminate"]) == ("lambda_t", "first")
    assert sum(entry["terms"] for entry in found["entries"]) == 107
    assert [entry["position"] for entry in found["entries"]] == [1, 2, 3]
    assert [len(entry["numerator"]) for entry in found["entries"]] == [entry["terms"] for entry in found["entries"]]


def test_long_rows_are_counted_and_not_listed_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """A million objects of Python take gigabytes; text and LaTeX have every term."""
    from proofs import closed_form_text

    form = derive(3, 2)
    total = sum(len(entry.numerator) for entry in form.entries)
    whole = form.json()
    monkeypatch.setattr(closed_form_text, "MOST_LISTED", total)
    assert form.json() == whole
    monkeypatch.setattr(closed_form_text, "MOST_LISTED", total - 1)
    shorter: Any = form.json()
    assert [entry.pop("numerator") for entry in shorter["entries"]] == [None] * 3
    for entry in (kept := json.loads(json.dumps(whole)))["entries"]:
        del entry["numerator"]
    assert shorter == kept


def test_exponents_of_json_are_the_polynomial(posbias: Posbias) -> None:
    """p_2 = Π (1 − λ_t A_{t,2,1}), A_21 = 1 − A_22, from nothing but the coefficients and exponents."""
    found = posbias("derive", "-n", 2, "-T", 2, "--json").json()
    values = {
        "lambda_1": Fraction(1, 3),
        "lambda_2": Fraction(2, 5),
        "A_1[2, 2]": Fraction(1, 7),
        "A_2[2, 2]": Fraction(3),
    }
    totals = []
    for entry in found["entries"]:
        terms = [(Fraction(x["coefficient"]), x["exponents"].items()) for x in entry["numerator"]]
        totals.append(sum(c * prod(values[name] ** power for name, power in e) for c, e in terms))
    stays = (1 - Fraction(1, 3) * Fraction(6, 7)) * (1 - Fraction(2, 5) * (1 - 3))
    assert totals == [1 - stays, stays]


def test_lam_from_a_file(posbias: Posbias, tmp_path: Path) -> None:
    (tmp_path / "lam.csv").write_text("layer,lambda\n1,0.1\n2,1/3\n")
    found = posbias("derive", "-n", 2, "-T", 2, "--lam", tmp_path / "lam.csv", "--kernel", "uniform", "--json").json()
    assert found["lam"] == ["1/10", "1/3"]
    assert found["entries"][1]["text"] == "19/24"  # (1 − 1/20)(1 − 1/6)


def test_same_result_by_float_and_decimal() -> None:
    assert derive(2, 1, kernel="uniform", lam=0.25).text() == derive(2, 1, kernel="uniform", lam=Fraction(1, 4)).text()


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-T 2", "'-n' must be given, not left out"),
        ("-n 2", "'-T' must be given, not left out"),
        ("-n 0 -T 2", "'-n' must be at least 1, not 0"),
        ("--length 0 -T 2", "'--length' must be at least 1, not 0"),
        ("-n x -T 2", "'-n' must be an integer, not 'x'"),
        ("-n 2 --layers -1", "'--layers' must be at least 0, not -1"),
        ("-n 99 -T 2", r"'-n' must be an integer in \[1, 32\] for general kernels, not 99"),
        ("-n 3 -T 2 --entry 9", r"'--entry' must lie in 1\.\.3, not 9"),
        ("-n 3 -T 2 --entry 0", "'--entry' must be at least 1, not 0"),
        ("-n 3 -T 2 --entry one", "'--entry' must be an integer, not 'one'"),
        ("-n 3 -T 2 --kernel softmax", "'--kernel' must be one of general, .*, content, not 'softmax'"),
        ("-n 3 -T 2 --eliminate last", "'--eliminate' must be first or diagonal, not 'last'"),
        ("-n 3 -T 2 --kernel alibi --eliminate first", "'--eliminate' must be left out unless the kernel is general"),
        ("-n 3 -T 2 --format pdf", "'--format' must be one of text, latex, python, json, not 'pdf'"),
        ("-n 3 -T 2 --format text --json", "'--format' must be json or left out beside --json, not 'text'"),
        ("-n 3 -T 2 --lam 1.5", r"'--lam' must lie in \[0, 1\], not 3/2"),
        ("-n 3 -T 2 --lam power:1,1/2", "'--lam' must be an integer of size at most 1000 for exact values, not 1/2"),
        ("-n 3 -T 2 --lam __import__('os').mkdir('pwned')", "'--lam' must be a number"),
        ("-n 3 -T 2 --lam missing.csv", "'--lam' must be a number, .* not 'missing.csv'"),
        ("-n 8 -T 9", r"'-T' must keep the row within 2,000,000 terms, not 9 \(n = 8: 6,604,901 terms\)"),
        ("-n 3 -T 2 --digits 5", "'--kernel' must be one of uniform, prefix, alibi, content for numbers, not 'gen"),
        ("3 2", "'derive' must be used as --help says"),
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


def test_help_names_what_there_is(posbias: Posbias) -> None:
    text = posbias("derive", "--help").out
    for option in ("--length", "--layers", "--entry", "--kernel", "--shared", "--lam", "--eliminate", "--format"):
        assert option in text
    for option in ("--weights", "--slope", "--e ", "--depth", "--continuous", "--digits"):
        assert option in text
