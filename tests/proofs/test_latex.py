"""The LaTeX of small objects; the document follows its objects, is stable, escapes what it must, and compiles."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from numeric.refuse import InputError
from proofs import latex as latex_module
from proofs.case import Case
from proofs.latex import FILE, document, export, snippet
from proofs.latex_cases import tables
from proofs.latex_lines import LINE, lines, width
from proofs.latex_math import LatexWriter, displayed, escaped, latex
from proofs.ledger import LEDGER
from proofs.notation import (
    DEFINITIONS,
    accumulated,
    average,
    below,
    causal,
    every,
    image,
    layer,
    mixing,
    monotone,
    n,
    product,
    rollout,
    row_recursion,
    tail,
    transition,
    zero_one,
)  # fmt: skip
from proofs.statement import Claim, Evidence, Needed, Part, Report, Statement
from proofs.steps import Both, Cases, Generalise, Nonnegative, Step, item, use
from proofs.term import (
    Bracket,
    Fn,
    Formula,
    Index,
    Lambda,
    Num,
    Range,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)  # fmt: skip
from proofs.text import text

A, B, R = Symbol("A", 2), Symbol("B", 2), Symbol("R", 3)
f, x, lam = Symbol("f", 1), Symbol("x", 1), Symbol("lambda", 1)
i, j, k, t = (index(v) for v in "ijkt")
a, b = A("i", "j"), B("i", "j")
half = Fraction(1, 2)
P = layer(rollout(R), "s")

OBJECTS: list[tuple[Term | Fn | Formula | Index | Range, str]] = [
    (a, r"A_{ij}"),
    (A(i + 1, "j"), r"A_{i+1,j}"),
    (A(1, 2), r"A_{1,2}"),
    (R("t", "i", "j"), r"R_{t,i,j}"),
    (R(t + 1, "i", "j"), r"R_{t+1,i,j}"),
    (lam("t"), r"\lambda_{t}"),
    (P("i", "j"), r"R^{(s)}_{ij}"),
    (layer(rollout(Symbol("Q", 3)), "u"), r"Q^{(u)}"),
    (layer(R, "t"), r"R_{t}"),
    (product(A, product(B, P)), r"ABR^{(s)}"),
    (product(product(A, B), A), r"(AB)A"),
    (product(A, B)("i", "j"), r"(AB)_{ij}"),
    (tail(product(A, P))("i", "k"), r"F_{AR^{(s)}}(i,k)"),
    (Lambda(("j",), tail(A)("j", "k")), r"F_{A}(\cdot ,k)"),
    (image(A, f)(i + 1), r"(Af)_{i+1}"),
    (layer(average(f, R), "H")("i", "j"), r"\langle f,R\rangle^{(H)}_{ij}"),
    (row_recursion(f, R)("T", "j"), r"\operatorname{row}(f,R)^{(T)}_{j}"),
    (transition(lam, R)("t", "i", "j"), r"R[\lambda ,R]_{t,i,j}"),
    (accumulated(x)("T"), r"\prod_{t=1}^{T} x_{t}"),
    (zero_one("i", "j"), r"[i=j]"),
    (Bracket(((i, j), (j, k))), r"[i\le j,\,j\le k]"),
    (a - b, r"A_{ij}-B_{ij}"),
    (a - (b - 1), r"A_{ij}-(B_{ij}-1)"),
    (a * as_term(-2), r"A_{ij}\,(-2)"),
    (as_term(-half) * a, r"-\tfrac{1}{2}\,A_{ij}"),
    (a * as_term(half), r"A_{ij}\cdot \tfrac{1}{2}"),
    (as_term(2) * 3, r"2\cdot 3"),
    (-total("j", "k", n, a) - b, r"-\sum_{j=k}^{n} A_{ij}-B_{ij}"),
    (total("j", 1, n, a) * (a + 1), r"\Bigl(\sum_{j=1}^{n} A_{ij}\Bigr)\,(A_{ij}+1)"),
    (total("j", 1, n, a - b), r"\sum_{j=1}^{n} (A_{ij}-B_{ij})"),
    (a * (1 - a * (1 - b)), r"A_{ij}\,\bigl(1-A_{ij}\,(1-B_{ij})\bigr)"),
    (below(A, P), r"A\preceq R^{(s)}"),
    (monotone(layer(R, "t")), r"R_{t}\text{ is stochastically monotone}"),
    (
        every("i", 1, n, every("k", 1, n, Relation("<=", tail(A)("i", "k"), tail(B)("i", "k")))),
        r"F_{A}(i,k)\le F_{B}(i,k)\quad\text{for }1\le i,\,k\le n",
    ),
    (mixing(lam, "T"), r"0\le \lambda_{t}\le 1\quad\text{for }1\le t\le T"),
    (Range("s", as_index(0), None), r"s\ge 0"),
    (Symbol("w1", 1)("j"), r"{w_{1}}_{j}"),
    (Symbol("A'", 2)("i", "j"), r"A'_{ij}"),
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


# --- the document ----------------------------------------------------------------------------------------------------

EVIDENCE = (Evidence("derivation", "proved", 7, 0.123, ""), Evidence("needed", "held", 2, 0.5, ""))


def _reports() -> list[Report]:
    return [Report(s.id, s.title, EVIDENCE, scope="n <= 6" if s.id == "S2" else "") for s in LEDGER.values()]


def _awkward() -> Statement:
    """A statement with names that LaTeX would stumble on, all rules it lacks elsewhere, and long formulas."""
    g = Symbol("weight_{x}%", 1)
    value: Term = g("i")
    for number in range(40):
        value = value + as_term(Fraction(1, number + 2)) * g("i")
    claim = Claim(
        symbols=(g, A), indices=(Range("i", as_index(1), n),),
        hypotheses=(("R&D #1 {~}", Relation("<=", as_term(0), g("i"))), ("kernel", causal(A))),
        parts=(Part("50% of $x^2$", ("R&D #1 {~}", "kernel"), Relation("<=", as_term(0), value)),),
    )  # fmt: skip
    formula = claim.conclusion.parts[0][1]
    sure = Step("sure_thing", Relation("<=", as_term(0), value), Nonnegative((
        item(use("R&D #1 {~}"), times=as_term(1)),
    ), (item(use("kernel", "i", parts="rows"), times=value - value),)))  # fmt: skip
    cased = Step("by cases", Relation("<=", as_term(0), value), Cases(i, n, (sure,), ()))
    steps = (
        Step("50% of $x^2$", formula, Generalise(("R&D #1 {~}", "kernel"), (cased,))),
        Step("all", claim.conclusion, Both(("50% of $x^2$",))),
    )
    wide = Case.of(11, {"i": 1}, A=[[Fraction(10**6 + p, 7 + q) for q in range(11)] for p in range(11)],
                   **{"weight_{x}%": [-1] * 11})  # fmt: skip
    return Statement(
        "Z9", "A title with 50% & _{braces}^ \\ [/red]", "none_of \\these", "", claim, steps,
        LEDGER["S2"].cases, (Needed("R&D #1 {~}", wide, "λ < 0 & more"),), (),
    )  # fmt: skip


def _leaves(node: Any) -> Iterator[tuple[str, Any]]:
    """Every number, index and relation: what it was, and the whole object with that one thing changed."""
    if isinstance(node, Num):
        yield f"number {node.value}", Num(node.value + 1)
    elif isinstance(node, Index):
        yield f"index {text(node)}", node + 1
    elif isinstance(node, tuple):
        for position, part in enumerate(node):
            yield from ((what, (*node[:position], new, *node[position + 1 :])) for what, new in _leaves(part))
    elif is_dataclass(node) and not isinstance(node, type):
        if isinstance(node, Relation):
            yield f"relation {node.op}", replace(node, op="=" if node.op == "<=" else "<=")
        for field in fields(node):
            yield from ((what, replace(node, **{field.name: new})) for what, new in _leaves(getattr(node, field.name)))


@pytest.mark.parametrize("statement", LEDGER.values(), ids=list(LEDGER))
def test_changing_a_number_an_index_or_a_relation_changes_the_latex(statement: Statement) -> None:
    bare = replace(statement, needed=())
    changes = list(_leaves((bare.claim, bare.derivation)))
    before = snippet(bare, earlier={})
    for what, (claim, derivation) in islice(changes, 0, None, max(1, len(changes) // 60)):
        assert snippet(replace(bare, claim=claim, derivation=derivation), earlier={}) != before, what


def test_changing_a_definition_changes_the_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    before = document([], [])
    changed = replace(DEFINITIONS["tail"], body=total("j", k + 1, n, Symbol("A", 2)("i", "j")))
    monkeypatch.setitem(DEFINITIONS, "tail", changed)
    assert r"F_{A}(i,k)=\sum_{j=k+1}^{n} A_{ij}" in document([], []) != before


def test_the_document_has_every_hypothesis_step_and_counterexample() -> None:
    shown = document(list(LEDGER.values()), _reports())
    for statement in LEDGER.values():
        for label, _ in statement.claim.hypotheses:
            assert escaped(label) in shown
        assert shown.count(f"label{{posbias:{statement.id}}}") == 1
    assert shown.count("Without ") == sum(len(s.needed) for s in LEDGER.values())
    assert shown.count("The theorem without it fails") == shown.count("Without ")
    assert "55" in shown and "126" in shown  # D1: theory section 2
    assert "0.123" not in shown and "S2 is for n $<$= 6." in shown


def test_every_reference_has_one_label() -> None:
    shown = document([*LEDGER.values(), _awkward()], _reports())
    labels = re.findall(r"\\label\{(posbias:[^}#]+)\}|\\posbiasmark\{(posbias:[^}#]+)\}", shown)
    names = [first or second for first, second in labels]
    assert len(names) == len(set(names))
    assert set(re.findall(r"\\(?:eq)?ref\{([^}]+)\}", shown)) <= set(names)


def test_a_part_of_the_ledger_refers_to_the_rest_by_name() -> None:
    shown = document([LEDGER["D1"]], [])
    assert r"\ref{posbias:S1}" not in shown and "Theorem~S1" in shown


def test_a_snippet_carries_its_macros_evidence_and_no_document() -> None:
    shown = snippet(LEDGER["D1"], _reports()[0])
    assert r"\providecommand{\posbiasmark}" in shown and r"\begin{document}" not in shown
    assert "derivation: proved (7 steps); needed: held (2 counterexamples)." in shown


def test_the_same_bytes_under_any_hash_seed() -> None:
    script = (
        "from proofs.latex import document; from proofs.ledger import LEDGER; import hashlib; "
        "print(hashlib.sha256(document(list(LEDGER.values()), []).encode()).hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "31")
    ]  # fmt: skip
    assert runs[0] == runs[1]


ROOT = Path(latex_module.__file__).resolve().parent.parent


def test_export_writes_one_file_and_replaces_it(tmp_path: Path) -> None:
    statements = list(LEDGER.values())
    assert export(tmp_path, statements[:1], []) == [tmp_path / FILE]
    assert export(tmp_path, statements[:2], []) == [tmp_path / FILE]
    assert [p.name for p in tmp_path.iterdir()] == [FILE]
    assert (tmp_path / FILE).read_text(encoding="utf-8") == document(statements[:2], [])


@pytest.mark.parametrize("folder", ["absent", "file"])
def test_export_refuses_a_folder_it_cannot_write_before_it_starts(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(latex_module, "document", lambda *_: pytest.fail("work was started"))
    with pytest.raises(InputError, match="DIR"):
        export(tmp_path / folder, [], [])


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")
def test_the_document_compiles_and_names_every_statement(tmp_path: Path) -> None:
    statements = [*LEDGER.values(), _awkward()]
    (written,) = export(tmp_path, statements, _reports())
    for _ in range(2):
        _pdflatex(written)
    log = written.with_suffix(".log").read_text(encoding="latin-1")
    assert not re.findall(r"undefined|multiply defined|Missing character|same identifier", log)
    overfull = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
    assert all(points <= 10 for points in overfull)
    if shutil.which("pdftotext") is not None:
        pdf = written.with_suffix(".pdf")
        shown = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
        assert all(f"Theorem {s.id}" in shown and f"({s.id}.1)" in shown for s in statements)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex here")
def test_a_snippet_compiles_in_a_plain_paper(tmp_path: Path) -> None:
    paper = tmp_path / "paper.tex"
    head = (
        "\\documentclass{amsart}\\usepackage{amsmath,amssymb,amsthm}\\newtheorem{theorem}{Theorem}\\begin{document}\n"
    )
    parts = [snippet(LEDGER[name]).replace("\\cite{posbias}", "the paper") for name in ("S2", "D1")]
    paper.write_text(head + "\n".join(parts) + "\n\\end{document}\n", encoding="utf-8")
    for _ in range(2):
        _pdflatex(paper)
    log = paper.with_suffix(".log").read_text(encoding="latin-1")
    assert not re.findall(r"undefined|multiply defined", log)


def _pdflatex(source: Path) -> None:
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name]
    run = subprocess.run(command, cwd=source.parent, capture_output=True, text=True, errors="replace")
    assert run.returncode == 0, run.stdout[-2000:]
