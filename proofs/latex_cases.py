r"""Counterexamples in LaTeX: the tables of a case, and where hypothesis and theorem fail, both sides exactly.

Tables that are equal share one display, A_1 = M = I; a matrix too wide for the page is written row by row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.case import Case, Entries, OutsideTable
from proofs.compiled import Value
from proofs.endless_case import EndlessCase
from proofs.evaluate import evaluate, evaluate_claim
from proofs.failure import Failure
from proofs.latex_lines import LINE, width
from proofs.latex_math import LatexWriter, escaped
from proofs.statement import Claim, Needed
from proofs.term import Formula

__all__ = ["counterexample", "matrix", "tables"]

_COMMA = r",\ "
Rows = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class _Cell:
    """The names that share a table, and the table: a matrix, or a sequence as a matrix of one row."""

    names: tuple[str, ...]
    rows: Rows
    flat: bool = False


def counterexample(needed: Needed, claim: Claim, reference: str, writer: LatexWriter, *, label: str = "") -> str:
    """The case, where the hypothesis fails in it, and where the claim fails without that hypothesis.

    label: of the environment ``counterexample`` that holds it; without one it is a paragraph.
    """
    source = f" ({escaped(needed.source)})" if needed.source else ""
    without = f"Without {reference}, {escaped(needed.hypothesis)}"
    head = f"\\medskip\\posbiasbranch{{{without}}}{source}."
    if label:
        head = f"\\begin{{counterexample}}[{{{without}{source}}}]\\label{{{label}}}"
    lines = [head, *_taken(needed.case, writer)]
    broken = _failure_of(dict(claim.hypotheses)[needed.hypothesis], needed.case)
    if broken is not None:
        lines.append(f"The hypothesis fails{_failure(broken, writer, 'its part ')}")
    failed = _claim_failure(claim.without(needed.hypothesis), needed.case)
    if failed is not None:
        lines.append(f"The theorem without it fails{_failure(failed, writer, 'part ')}")
    lines += [r"\end{counterexample}"] if label else []
    return "\n".join(lines)


def _claim_failure(claim: Claim, case: Case | EndlessCase) -> Failure | None:
    try:
        return evaluate_claim(claim, case).failure
    except OutsideTable:
        return None


def _taken(case: Case | EndlessCase, writer: LatexWriter) -> list[str]:
    if isinstance(case, Case):
        return [f"Take {_sizes(case, writer)} and", *tables(case, writer)]
    rules = "; ".join(_rule(line) for line in case.says)
    others = tuple((name, table) for name, table in case.listed.tables if name not in ("A", "lambda"))
    shown = tables(Case(case.n, (), others), writer) if others else []
    return [f"Take $n={case.n}$ and {rules}{', with' if shown else '.'}", *shown]


def _rule(line: str) -> str:
    r"""A line such as ``A_t[2, 1] = 1/(t + 1)^2 for t >= 2`` in mathematics."""
    value, _, span = line.partition(" for ")
    value = re.sub(r"_(\w+)\[(\d+), (\d+)\]", r"_{\1,\2,\3}", value)
    value = value.replace("lambda", r"\lambda").replace("*", r"\cdot")
    return f"${value}$" + (f" for ${span.replace('>=', chr(92) + 'ge')}$" if span else "")


def _failure_of(formula: Formula, case: Case | EndlessCase) -> Failure | None:
    try:
        return evaluate(formula, case).failure
    except OutsideTable:  # a hypothesis on all functions: nothing to show beyond the case itself
        return None


def _sizes(case: Case, writer: LatexWriter) -> str:
    return ", ".join(f"${writer.name(name)}={value}$" for name, value in (("n", case.n), *case.indices))


def _failure(failure: Failure, writer: LatexWriter, noun: str) -> str:
    """In which part, at which indices, and the two sides."""
    part = f" in {noun}\\emph{{{escaped(failure.part)}}}" if failure.part else ""
    at = ", ".join(f"${writer.name(name)}={value}$" for name, value in failure.at)
    if failure.words:
        return f"{part}{f' at {at}' if at else ''}: {escaped(failure.words)}."
    left, right = (_value(x, writer) for x in (failure.left, failure.right))
    sign = {"=": r"\ne", "<=": r"\not\le", "<": r"\not<"}[failure.op]
    return f"{part}{f' at {at}' if at else ''}: ${left}{sign} {right}$."


def _value(x: Value, writer: LatexWriter) -> str:
    """A rational exactly, a ball by the digits of its middle."""
    return f"{float(x.mid()):.6g}\\ldots" if isinstance(x, arb) else _number(Fraction(str(x)), writer)


# --- tables ---------------------------------------------------------------------------------------------------------


def tables(case: Case, writer: LatexWriter) -> list[str]:
    """Every table of the case as displays, several to a line."""
    cells = _shared([c for name, t in case.tables for c in _cells(writer.name(name).rstrip(), (), t.entries, t.start)])
    narrow = [c for c in cells if _width(c, writer) <= LINE]
    lines: list[list[_Cell]] = [[]]
    for cell in narrow:
        if sum(_width(c, writer) + 2 for c in (*lines[-1], cell)) > LINE:
            lines.append([])
        lines[-1].append(cell)
    body = ",\\\\\n".join("  " + r",\qquad ".join(_shown(c, writer) for c in line) for line in lines if line)
    displays = [f"\\begin{{gather*}}\n{body}.\n\\end{{gather*}}"] if body else []
    return [*displays, *(_row_by_row(c, writer) for c in cells if c not in narrow)]


def _cells(name: str, at: tuple[int, ...], entries: Entries, start: tuple[int, ...]) -> list[_Cell]:
    """One cell for a number, a sequence or a matrix; one for each member of a family."""
    first = start[0] if start else 1
    own = f"{name}_{{{','.join(map(str, at))}}}" if at else name
    if isinstance(entries, (Fraction, int)):
        return [_Cell((own,), ((Fraction(entries),),), flat=True)]
    if _depth(entries) == 1:
        return [_Cell((own if first == 1 else f"({own}_{{{first}}},\\dots)",), (_row(entries),), flat=True)]
    if _depth(entries) == 2:
        return [_Cell((own,), tuple(_row(row) for row in entries))]
    return [c for t, inner in enumerate(entries) for c in _cells(name, (*at, first + t), inner, start[1:])]


def _row(entries: Entries) -> tuple[Fraction, ...]:
    assert not isinstance(entries, (Fraction, int))
    return tuple(Fraction(x) for x in entries if isinstance(x, (Fraction, int)))


def _depth(entries: Entries) -> int:
    if isinstance(entries, (Fraction, int)):
        return 0
    return 1 + max((_depth(inner) for inner in entries), default=0)


def _shared(cells: Sequence[_Cell]) -> list[_Cell]:
    """Matrices with equal entries under one display; sequences, which have their own length, stay apart."""
    groups: dict[object, _Cell] = {}
    for cell in cells:
        key: object = cell.names if cell.flat else cell.rows
        groups[key] = _Cell((*groups[key].names, *cell.names), cell.rows) if key in groups else cell
    return list(groups.values())


def _shown(cell: _Cell, writer: LatexWriter) -> str:
    names = "=".join(cell.names)
    if cell.flat:
        return f"{names}=({_COMMA.join(_number(x, writer) for x in cell.rows[0])})"
    return f"{names}={'I' if _is_identity(cell.rows) else matrix(cell.rows, writer)}"


def matrix(rows: Sequence[Sequence[Fraction]], writer: LatexWriter) -> str:
    """A matrix with as many columns as it has; more room between its rows where it holds fractions. Empty: ()."""
    columns = max(map(len, rows), default=0)
    if not columns:  # LaTeX has no array without a column
        return "()"
    gap = r" \\[2pt] " if any(x.denominator > 1 for row in rows for x in row) else r" \\ "
    shown = gap.join(" & ".join(_number(x, writer) for x in row) for row in rows)
    return f"\\left(\\begin{{array}}{{*{{{columns}}}{{c}}}} {shown} \\end{{array}}\\right)"


def _is_identity(rows: Rows) -> bool:
    return len(rows) > 1 and all(x == (i == j) for i, row in enumerate(rows) for j, x in enumerate(row))


def _width(cell: _Cell, writer: LatexWriter) -> float:
    """The width in ems, about."""
    names = width("=".join((*cell.names, "")))
    if not cell.flat and _is_identity(cell.rows):
        return names + 1.0
    columns = [max(width(_number(x, writer)) for x in column) for column in zip(*cell.rows, strict=True)]
    return names + 1.5 + sum(columns) + len(columns)


def _row_by_row(cell: _Cell, writer: LatexWriter) -> str:
    """A wide matrix, or sequence, as prose, which TeX breaks between numbers."""
    rows = [", ".join(f"${_number(x, writer)}$" for x in row) for row in cell.rows]
    head = f"\\par\\noindent ${'='.join(cell.names)}$ is"
    if cell.flat:
        return f"{head} {rows[0]}."
    return f"{head} the matrix with {'; '.join(f'row {i}: {row}' for i, row in enumerate(rows, start=1))}."


def _number(value: Fraction, writer: LatexWriter) -> str:
    shown = writer.number(abs(value))
    return f"-{shown}" if value < 0 else shown
