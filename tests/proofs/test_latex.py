"""The LaTeX of small objects, of long formulas and of matrices; what prose must escape."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.case import Case
from proofs.latex_cases import matrix, tables
from proofs.latex_lines import LINE, lines, width
from proofs.latex_math import LatexWriter, displayed, escaped, latex
from proofs.laws import term_of_series
from proofs.notation import (
    accumulated,
    average,
    below,
    binomial,
    complete,
    divided_difference,
    divided_product,
    every,
    hops,
    image,
    layer,
    mixing,
    monotone,
    n,
    number,
    power,
    product,
    product_between,
    rollout,
    row_recursion,
    sign,
    tail,
    transition,
    zero_one,
)  # fmt: skip
from proofs.render_parts import abbreviations
from proofs.term import (
    Bracket,
    Fn,
    Formula,
    Index,
    Lambda,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)  # fmt: skip
from tests.proofs.plain import noise
from tests.proofs.reading.operators import Call
from tests.proofs.reading.read import read

A, B, R = Symbol("A", 2), Symbol("B", 2), Symbol("R", 3)
f, x, lam = Symbol("f", 1), Symbol("x", 1), Symbol("lambda", 1)
i, j, k, t = (index(v) for v in "ijkt")
a, b = A("i", "j"), B("i", "j")
half = Fraction(1, 2)
P = layer(rollout(R), "s")

OBJECTS: list[tuple[Term | Fn | Formula | Index | Range, str]] = [
    (a, r"A_{i,j}"),
    (A(i + 1, "j"), r"A_{i+1,j}"),
    (A(1, 2), r"A_{1,2}"),
    (R("t", "i", "j"), r"R_{t,i,j}"),
    (R(t + 1, "i", "j"), r"R_{t+1,i,j}"),
    (lam("t"), r"\lambda_{t}"),
    (P("i", "j"), r"R^{(s)}_{i,j}"),
    (layer(rollout(Symbol("Q", 3)), "u"), r"Q^{(u)}"),
    (layer(R, "t"), r"R_{t}"),
    (product(A, product(B, P)), r"ABR^{(s)}"),
    (product(product(A, B), A), r"(AB)A"),
    (product(A, B)("i", "j"), r"(AB)_{i,j}"),
    (tail(product(A, P))("i", "k"), r"F_{AR^{(s)}}(i,k)"),
    (Lambda(("j",), tail(A)("j", "k")), r"F_{A}(\cdot ,k)"),
    (image(A, f)(i + 1), r"(Af)_{i+1}"),
    (layer(average(f, R), "H")("i", "j"), r"\langle f,R\rangle^{(H)}_{i,j}"),
    (row_recursion(f, R)("T", "j"), r"\operatorname{row}(f,R)^{(T)}_{j}"),
    (transition(lam, R)("t", "i", "j"), r"R[\lambda ,R]_{t,i,j}"),
    (accumulated(x)("T"), r"\prod_{t=1}^{T} x_{t}"),
    (accumulated(Lambda(("t",), 1 - f("i")))("k"), r"(1-f_{i})^{k}"),
    (accumulated(Lambda(("r",), 1 + x("t")))("k"), r"(1+x_{t})^{k}"),
    (accumulated(Lambda(("r",), number(k + 1)))("j"), r"(k+1)^{j}"),
    (accumulated(Lambda(("r",), number(k + k)))("j"), r"(2k)^{j}"),
    (Lambda((), 1 - a)() * a, r"(1-A_{i,j})\,A_{i,j}"),
    (term_of_series(x("t"))("k"), r"\frac{x_{t}^{k}}{k!}"),
    (term_of_series(total("t", 1, "T", x("t")))("k"), r"\frac{\Bigl(\sum_{t=1}^{T} x_{t}\Bigr)^{k}}{k!}"),
    (power(A)("k", "i", "j"), r"A^{k}_{i,j}"),
    (sign(k + 1) * binomial("n", "k"), r"(-1)^{k+1}\,\binom{n}{k}"),
    (number(k + 1) * hops(lam)("T", "k"), r"(k+1)\,P_{\lambda }(K_{T}=k)"),
    (complete(f)("k", 1, "i"), r"h_{k}(f_{1},\,\dots,\,f_{i})"),
    (divided_difference(lam, f)("T", "j", n), r"g_{\lambda }^{(T)}[f_{j},\,\dots,\,f_{n}]"),
    (layer(divided_difference(lam, f), "s"), r"g_{\lambda }[f]^{(s)}"),
    (product_between(f, k + 1, "i"), r"\prod_{r=k+1}^{i} f_{r}"),
    (divided_product(f, x, lam)("k", 1, "i"), r"[f_{1},\,\dots,\,f_{i}]\,\prod_{r=1}^{k} (x_{r}+\lambda_{r}\,z)"),
    (zero_one("i", "j"), r"[i=j]"),
    (Bracket(((i, j), (j, k))), r"[i\le j,\,j\le k]"),
    (a - b, r"A_{i,j}-B_{i,j}"),
    (a - (b - 1), r"A_{i,j}-(B_{i,j}-1)"),
    (a * as_term(-2), r"A_{i,j}\,(-2)"),
    (as_term(-half) * a, r"-\tfrac{1}{2}\,A_{i,j}"),
    (a * as_term(half), r"A_{i,j}\cdot \tfrac{1}{2}"),
    (as_term(2) * 3, r"2\cdot 3"),
    (-total("j", "k", n, a) - b, r"-\sum_{j=k}^{n} A_{i,j}-B_{i,j}"),
    (total("j", 1, n, a) * (a + 1), r"\Bigl(\sum_{j=1}^{n} A_{i,j}\Bigr)\,(A_{i,j}+1)"),
    (total("j", 1, n, a - b), r"\sum_{j=1}^{n} (A_{i,j}-B_{i,j})"),
    (a * (1 - a * (1 - b)), r"A_{i,j}\,\bigl(1-A_{i,j}\,(1-B_{i,j})\bigr)"),
    (a * Reciprocal(f("i") + 1) * b, r"\frac{A_{i,j}}{f_{i}+1}\,B_{i,j}"),
    (Reciprocal(total("j", 1, i, f("j"))), r"\frac{1}{\sum_{j=1}^{i} f_{j}}"),
    (Relation("<", as_term(0), a), r"0<A_{i,j}"),
    (below(A, P), r"A\preceq R^{(s)}"),
    (monotone(layer(R, "t")), r"R_{t}\text{ is stochastically monotone}"),
    (
        every("i", 1, n, every("k", 1, n, Relation("<=", tail(A)("i", "k"), tail(B)("i", "k")))),
        r"F_{A}(i,k)\le F_{B}(i,k)\quad\text{for }1\le i,\,k\le n",
    ),
    (mixing(lam, "T"), r"0\le \lambda_{t}\le 1\quad\text{for }1\le t\le T"),
    (Range("s", as_index(0), None), r"s\ge 0"),
    (Symbol("w1", 1)("j"), r"{w_{1}}_{j}"),
    (Symbol("A'", 2)("i", "j"), r"A'_{i,j}"),
    (Symbol("weight_{x}", 1)("j"), r"\text{weight\_\{x\}}_{j}"),
]  # fmt: skip


@pytest.mark.parametrize(("node", "expected"), OBJECTS, ids=lambda x: str(x)[:30])
def test_latex_of_small_objects(node: Term | Fn | Formula | Index | Range, expected: str) -> None:
    assert latex(node) == expected


SPECIAL = [
    ("a_b", r"a\_b"), ("{x}", r"\{x\}"), ("50%", r"50\%"), ("R&D", r"R\&D"), ("#1", r"\#1"), ("$", r"\$"),
    ("~", r"\textasciitilde{}"), ("^", r"\textasciicircum{}"), ("\\", r"\textbackslash{}"), ("ü", "ü"),
    ("≼", r"$\preceq$"), ("λ", r"$\lambda$"), ("漢", "[U+6F22]"), ("a\nb", "a[U+000A]b"), ("[/red]", "[/red]"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), SPECIAL)
def test_escaped(words: str, expected: str) -> None:
    assert escaped(words) == expected


# --- lines -----------------------------------------------------------------------------------------------------------


def test_a_long_display_is_broken_at_signs_and_loses_nothing() -> None:
    long = Relation("=", a, as_term(0))
    value: Term = a
    for _ in range(30):
        value = value + (a - b)
    long = Relation("=", value, value * (a - b))
    shown = displayed(long, LatexWriter())
    broken = lines(shown)
    assert len(broken) > 3
    assert "".join(broken).replace(" ", "") == latex(long).replace(" ", "")
    assert all(width(line) <= LINE for line in broken)
    assert all(line[0] in "+-=" for line in broken[1:])


def test_brackets_stay_whole_while_a_line_can_end_outside_them() -> None:
    value: Term = (a + b) * (a - b)
    for _ in range(8):
        value = value + (a + b) * (a - b)
    assert all(line.count("(") == line.count(")") for line in lines(displayed(Relation("=", a, value), LatexWriter())))


def test_a_line_ends_neither_in_a_bracket_that_is_0_or_1_nor_in_a_range_that_fits_the_next_line() -> None:
    value: Term = zero_one("i", "j") * a
    for _ in range(12):
        value = value + zero_one("i", "j") * (a - b)
    shown = lines(displayed(every("i", 1, n, every("j", 1, n, Relation("=", a, value))), LatexWriter()))
    assert len(shown) > 2
    assert all(line.count("[") == line.count("]") for line in shown)
    assert sum(r"1\le i,\,j\le n" in line for line in shown) == 1


def test_a_family_that_varies_with_the_index_of_a_sum_keeps_its_spelling() -> None:
    fixed, varying = transition(lam, R), transition(Lambda(("t",), B("w", "t")), R)
    formula = Relation("=", total("w", 1, n, rollout(varying)(2, 1, 1)), rollout(fixed)(2, 1, 1))
    assert set(abbreviations(formula)) == {fixed}
    assert latex(formula) == r"\sum_{w=1}^{n} R[B_{w,\cdot },R]^{(2)}_{1,1}=R[\lambda ,R]^{(2)}_{1,1}"


def test_a_matrix_without_columns_is_no_array() -> None:
    """As of coefficients by layer where there is no layer: LaTeX refuses an array of no columns."""
    assert matrix([[], []], LatexWriter()) == matrix([], LatexWriter()) == "()"


def test_a_matrix_has_as_many_columns_as_it_needs_and_a_wide_one_goes_row_by_row() -> None:
    eleven = [[Fraction(p == q) + Fraction(p > q) * 2 for q in range(11)] for p in range(11)]
    (shown,) = tables(Case.of(11, {}, A=eleven), LatexWriter())
    assert r"\begin{array}{*{11}{c}}" in shown and shown.count(r"\\") >= 10
    wide = [[Fraction(10**9 + p, 10**9 + q) for q in range(11)] for p in range(11)]
    (rows,) = tables(Case.of(11, {}, A=wide), LatexWriter())
    assert "array" not in rows and "row 11" in rows


def test_equal_matrices_share_a_display() -> None:
    one = [[1, 0], [0, 1]]
    (shown,) = tables(Case.of(2, {}, A=one, B=[[1, 0], [1, 0]], R=[one, one], f=[1, 0]), LatexWriter())
    assert "A=R_{1}=R_{2}=I" in shown and shown.count("array") == 2


# --- names -----------------------------------------------------------------------------------------------------------

NAMES = [
    "A", "a", "A'", "A''", "A*", "A*'", "A'*", "A1", "A12", "A1'", "A'1", "A_1", "A_{1}", "A_", "_A", "A_i", "mu_{n-2}",
    "AB", "ab", "lambda", "lambda1", "lambda_1", "lamb", "Lambda", "Gamma", "\\lambda", "λ", "λ1", "I", "e", "1", "12",
    "*", "**", "50%", "50\\%", "R&D", "R\\&D", "#1", "$", "$x$", "~", "^", "x^2", "x^{2}", "\\", "\\\\", "{", "}",
    "a b", "a  b", " a", "a ", "ab ", "-", "--", "---", "–", "—", "`", "``", "'", '"', "''", "<<", ">>", "<", ">", "{}",
    "?`", "!`", "fi", "é", "e\u0301", "漢", "[U+6F22]", "U6F22", "a\nb", "a\tb", "…", "...", "≤", "<=", "½", "1/2", "%",
]  # fmt: skip


def test_names_that_differ_never_print_alike_and_are_read_back() -> None:
    names = list(dict.fromkeys(NAMES))
    shown = {name: latex(Symbol(name, 1)) for name in names}
    assert len(set(shown.values())) == len(names)
    for name, letter in shown.items():
        assert read(f"{letter.rstrip()}_{{3}}", **{name: 1}).value({name: lambda k: Fraction(k, 7)}) == Fraction(
            3, 7
        ), name
        assert shown[name].isascii() or name == "é"


@given(st.text(min_size=1, max_size=4), st.text(min_size=1, max_size=4))
@settings(max_examples=50)
def test_no_two_names_print_alike(first: str, second: str) -> None:
    assert (latex(Symbol(first, 1)) == latex(Symbol(second, 1))) == (first == second)
    letter = latex(Symbol(first, 1)).rstrip()
    assert read(f"{letter}_{{3}}", **{first: 1}).value({first: lambda k: Fraction(k)}) == 3


def test_names_of_any_kind_stand_in_a_display() -> None:
    rate, share = Symbol("rate_%", 1), Symbol("a&b{x}", 2)
    formula = Relation("<=", rate("i") * share("i", i + 1), as_term(1) - rate("i"))
    shown = latex(formula)
    assert shown == (r"\text{rate\_\%}_{i}\,\text{a\&b\{x\}}_{i,i+1}\le 1-\text{rate\_\%}_{i}")
    read_back = read(shown, **{"rate_%": 1, "a&b{x}": 2, "i": 0})
    letters: dict[str, Fraction | int | Call] = {
        "i": 2,
        "rate_%": lambda k: Fraction(k, 3),
        "a&b{x}": lambda i, j: Fraction(i, j),
    }
    assert read_back.readings(letters, noise_of) == [("<=", Fraction(4, 9), Fraction(1, 3))]


def noise_of(name: str) -> Call:
    return noise(name, 0)
