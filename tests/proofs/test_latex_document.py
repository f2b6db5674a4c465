"""The document follows its objects, is stable, and compiles."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from numeric.refuse import InputError
from proofs import latex as latex_module
from proofs.case import Case
from proofs.latex import BIBLIOGRAPHY, FILE, document, export, snippet
from proofs.latex_front import Gathered
from proofs.latex_math import LatexWriter, escaped
from proofs.latex_statement import section
from proofs.ledger import LEDGER, earlier_claims
from proofs.notation import (
    DEFINITIONS,
    causal,
    n,
)  # fmt: skip
from proofs.render_parts import abbreviations
from proofs.statement import Claim, Evidence, Needed, Part, Report, Statement
from proofs.steps import Both, Cases, Generalise, Invert, Nonnegative, Step, item, use
from proofs.term import (
    Apply,
    Index,
    Num,
    Op,
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
from proofs.text import text
from proofs.versions import versions

A = Symbol("A", 2)
i, k = index("i"), index("k")

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
    inverse = Step("inverse", Relation("<", as_term(0), Reciprocal(g("i"))), Invert(use("R&D #1 {~}")))
    strict = Step(
        "strict", Relation("<", as_term(0), g("i") + Reciprocal(g("i"))), Nonnegative((item(use("inverse")),))
    )
    cased = Step("by cases", Relation("<=", as_term(0), value), Cases(i, n, (sure,), ()))
    steps = (
        Step("50% of $x^2$", formula, Generalise(("R&D #1 {~}", "kernel"), (inverse, strict, cased))),
        Step("all", claim.conclusion, Both(("50% of $x^2$",))),
    )
    wide = Case.of(11, {"i": 1}, A=[[Fraction(10**6 + p, 7 + q) for q in range(11)] for p in range(11)],
                   **{"weight_{x}%": [-1] * 11})  # fmt: skip
    return Statement(
        "Z9", "A title with 50% & _{braces}^ \\ [/red]", "none_of \\these", "", claim, steps,
        LEDGER["S2"].cases, (Needed("R&D #1 {~}", wide, "λ < 0 & more"),), (),
    )  # fmt: skip


@cache
def _whole() -> str:
    """The document on the whole ledger, and what LaTeX would stumble on."""
    return document([*LEDGER.values(), _awkward()], _reports(), Gathered(True, 7, versions()))


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
    earlier = earlier_claims(statement.id)  # a term that cites an unknown statement could not be written out
    before = snippet(bare, earlier=earlier)
    of_kinds = [[c for c in changes if c[0].startswith(kind)] for kind in ("number", "index", "relation")]
    for of_kind in filter(None, of_kinds):
        what, (claim, derivation) = of_kind[len(of_kind) // 2]
        assert snippet(replace(bare, claim=claim, derivation=derivation), earlier=earlier) != before, what


def test_changing_a_definition_changes_the_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    before = document([], [])
    changed = replace(DEFINITIONS["tail"], body=total("j", k + 1, n, Symbol("A", 2)("i", "j")))
    monkeypatch.setitem(DEFINITIONS, "tail", changed)
    assert r"F_{A}(i,k)=\sum_{j=k+1}^{n} A_{i,j}" in document([], []) != before


def test_the_notation_says_what_superscripts_mean() -> None:
    """K^(s) is no power: the convention, and a definition of every operator under the letter that it prints with."""
    shown = re.sub(r"\s+", " ", document([], [])).replace(r"\allowbreak ", "")
    assert r"$K^{(s)}=K_{s}\cdots K_{1}$ is its \emph{rollout}" in shown
    for definition in DEFINITIONS.values():
        if definition.name == "number":  # an index among values: said in words
            assert "An index among values stands for the number that it is." in shown
            continue
        op = Op(definition.name, definition.fns)
        first, *others = definition.params
        left = Apply(op, tuple(as_index(p) for p in (0 if definition.base else first, *others)))
        # R_t is named by each statement; its spelling R[lambda, A] is said here
        writer = LatexWriter({} if op.name == "transition" else abbreviations(op))
        assert f"\\item \\emph{{{definition.name}}}: ${latex_module.latex(left, writer)}=" in shown


def test_a_function_of_no_index_is_a_real_number() -> None:
    vertices, coupling = (re.sub(r"\s+", " ", snippet(LEDGER[name])) for name in ("S7", "S6"))
    assert r"$\theta $ and $c$ be real numbers" in vertices
    assert "for every real number ${x^{*}}$: for every real number ${y^{*}}$" in coupling
    assert "Fix a real number ${x^{*}}$" in coupling


def test_the_document_has_every_hypothesis_step_and_counterexample() -> None:
    shown = _whole()
    for statement in LEDGER.values():
        for label, _ in statement.claim.hypotheses:
            assert escaped(label) in shown
        assert shown.count(f"label{{posbias:{statement.id}}}") == 1
    needed = sum(len(s.needed) for s in LEDGER.values())
    assert shown.count("The theorem without it fails") == needed
    assert shown.count("Without ") == needed + 1  # what LaTeX would stumble on fails at no case
    assert "Not part of this selection" not in shown
    assert "55" in shown and "126" in shown  # D1's example: 54/126 to 55/126
    assert "0.123" not in shown and "S2 has the scope n $<$= 6." in shown


def test_a_counterexample_is_a_theorem_of_its_own_that_its_hypothesis_points_to() -> None:
    """Each with its label, under the hypothesis that it is a case without, and no other."""
    shown = document([LEDGER["S3"]], [])
    items = dict(re.findall(r"\\item\[\\posbiasmark\{posbias:S3\.(H\d+)\}.*?\\emph\{(?:.*?)\}: (.*)", shown))
    boxes = re.findall(r"\\thecounterexample\}\{S3\.(N\d+)\}\n\\begin\{counterexample\}\[\{Without (.*?),", shown)
    assert [name for name, _ in boxes] == ["N1", "N2", "N3", "N4"]
    assert shown.count(r"\end{counterexample}") == 4
    for name, reference in boxes:
        assert rf"\label{{posbias:S3.{name}}}" in shown
        pointing = {h for h, words in items.items() if rf"\ref{{posbias:S3.{name}}}" in words}
        assert {rf"\eqref{{posbias:S3.{h}}}" for h in pointing} == {reference}


def test_statements_cite_what_they_rest_on() -> None:
    """What the statement names, then what has the classical facts that its derivation takes."""
    expected = {
        "C2": ["lecam1960,barbour1984"], "C3": ["chowdhury2026,weierstrass1885,bernstein1912"], "U3": ["opitz1964"],
        "I6": ["wu2025,abnar2020"], "D3": ["press2022"], "U8": ["press2022"], "U5": ["chowdhury2026"], "S2": [],
    }  # fmt: skip
    for name, keys in expected.items():
        assert re.findall(r" See \\cite\{(.*?)\}", section(LEDGER[name], {})) == keys
    report = Report("C2", "", EVIDENCE, assumes=("Barbour-Hall",))
    assert r"C2 assumes Barbour-Hall \cite{barbour1984}." in document([LEDGER["C2"]], [report])
    assert r"Source: \cite{herasimchyk2026}, with powers of the layer added." in document([LEDGER["I6"]], [])


def test_every_reference_has_one_label() -> None:
    shown = _whole()
    labels = re.findall(r"\\label\{(posbias:[^}#]+)\}|\\posbiasmark\{(posbias:[^}#]+)\}", shown)
    names = [first or second for first, second in labels]
    assert len(names) == len(set(names))
    assert set(re.findall(r"\\(?:eq)?ref\{([^}]+)\}", shown)) <= set(names)


def test_a_strict_inequality_and_a_reciprocal_say_why() -> None:
    shown = document([_awkward()], [])
    assert r"\frac{1}{\text{weight\_\{x\}\%}_{i}}, which is $>0$ by \eqref{posbias:Z9.1.1}" in shown.replace("$,", ",")
    assert r"The divisor is positive by \eqref{posbias:Z9.H1}." in shown


def test_a_part_of_the_ledger_refers_to_the_rest_by_name() -> None:
    shown = document([LEDGER["D1"]], [])
    assert r"\ref{posbias:S1}" not in shown and "Theorem~S1" in shown


def test_a_snippet_carries_its_macros_evidence_and_no_document() -> None:
    shown = snippet(LEDGER["D1"], _reports()[0])
    assert r"\providecommand{\posbiasmark}" in shown and r"\begin{document}" not in shown
    assert "derivation: proved (7 steps); needed: held (2 counterexamples)." in shown


def test_the_same_bytes_under_any_hash_seed() -> None:
    script = (
        "from tests.proofs.test_latex_document import _whole; import hashlib; "
        "print(hashlib.sha256(_whole().encode()).hexdigest())"
    )
    seed = "31" if os.environ.get("PYTHONHASHSEED") != "31" else "32"  # another than here, but for one in 2^32
    run = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout.strip() == hashlib.sha256(_whole().encode()).hexdigest()


ROOT = Path(latex_module.__file__).resolve().parent.parent


def test_export_writes_two_files_and_replaces_them(tmp_path: Path) -> None:
    statements = list(LEDGER.values())
    files = [tmp_path / FILE, tmp_path / BIBLIOGRAPHY]
    assert export(tmp_path, statements[:1], []) == files
    assert export(tmp_path, statements[:2], []) == files
    assert sorted(tmp_path.iterdir()) == sorted(files)
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
def test_the_document_compiles_and_shows_every_label(tmp_path: Path) -> None:
    written = tmp_path / FILE
    written.write_text(_whole(), encoding="utf-8")
    _pdflatex(written, "-draftmode")  # labels, citations, and the bibliography that the document carries
    bibtex = subprocess.run(["bibtex", written.stem], cwd=tmp_path, capture_output=True, text=True)
    assert bibtex.returncode == 0, bibtex.stdout
    _pdflatex(written, "-draftmode")
    _pdflatex(written)
    log = written.with_suffix(".log").read_text(encoding="latin-1")
    assert not re.findall(r"undefined|multiply defined|Missing character|same identifier", log)
    overfull = [float(points) for points in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log)]
    assert all(points <= 10 for points in overfull)
    if shutil.which("pdftotext") is not None:
        _every_label_is_shown(_whole(), _text_of(written.with_suffix(".pdf")))


def _text_of(pdf: Path) -> str:
    return subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True, check=True).stdout


def _every_label_is_shown(source: str, shown: str) -> None:
    """A label where it stands, once, besides where it is referred to."""
    found = Counter(re.findall(r"\(([\w.]+)\)", shown))
    tags = re.findall(r"\\tag\{([^}#]+)\}", source)
    tags += re.findall(r"\\posbiasmark\{posbias:[^}#]+\}\{([^}#]+\.[^}#]+)\}", source)
    referred = Counter(re.findall(r"\\eqref\{posbias:([^}]+)\}", source))
    assert len(tags) > 4000 and not [tag for tag in tags if found[tag] < 1 + referred[tag]]
    statements = [*LEDGER.values(), _awkward()]
    for number in range(1, max(len(s.claim.hypotheses) for s in statements) + 1):
        marked = sum(len(s.claim.hypotheses) >= number for s in statements)
        assert found[f"H{number}"] >= marked + sum(c for tag, c in referred.items() if tag.endswith(f".H{number}"))
    for statement in statements:
        assert f"Theorem {statement.id}" in shown
        assert all(f"Counterexample {statement.id}.N{k}" in shown for k in range(1, len(statement.needed) + 1))


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


def _pdflatex(source: Path, *options: str) -> None:
    command = ["pdflatex", *options, "-interaction=nonstopmode", "-halt-on-error", source.name]
    run = subprocess.run(command, cwd=source.parent, capture_output=True, text=True, errors="replace")
    assert run.returncode == 0, run.stdout[-2000:]
