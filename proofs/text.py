"""Claims, steps and cases as plain text, in Unicode or in pure ASCII.

    F_{N P}(i, k) ≤ F_P(i, k) for 1 ≤ i, k ≤ n          F_{N P}(i, k) <= F_P(i, k) for 1 <= i, k <= n
    Σ_{j=1..n} λ_t A_t[i, j]                            sum_{j=1..n} lambda_t A_t[i, j]

A matrix entry is A[i, j], a matrix of a family A_t, a sequence x_t, a rollout R^(T).  Everything printed is read off
the object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from proofs.case import Case, Entries, Table
from proofs.endless_case import EndlessCase
from proofs.failure import Failure
from proofs.render import Writer
from proofs.render_formula import pieces
from proofs.render_parts import Level, Shape
from proofs.sameness import opposite
from proofs.steps import (
    Absurd,
    Antisymmetry,
    Archimedes,
    Both,
    Cases,
    Chain,
    Compared,
    Either,
    Exponential,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Item,
    Nonnegative,
    Obtain,
    Outside,
    Reason,
    Step,
    Use,
    Witness,
)  # fmt: skip
from proofs.term import Fn, Formula, Index, Num, Range, Term

__all__ = ["TextWriter", "text", "text_case", "text_failure"]

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "theta": "θ", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ", "omega": "ω", "Gamma": "Γ",
}  # fmt: skip

Node = Term | Fn | Formula | Index | Range | Step | Use | Item | Reason


class TextWriter(Writer):
    """Plain text; ``greek`` chooses Unicode signs over words."""

    def __init__(self, names: Mapping[Fn, str] | None = None, *, greek: bool = True) -> None:
        super().__init__(names)
        self.greek = greek
        self.at_most = " ≤ " if greek else " <= "
        self.at_least = " ≥ " if greek else " >= "
        self.precedes = " ≼ " if greek else " precedes "
        self.hole = "·" if greek else "."

    def name(self, name: str) -> str:
        stem = name.rstrip("'0123456789")
        return GREEK.get(stem, stem) + name[len(stem) :] if self.greek else _ascii(name)

    def number(self, value: Fraction) -> str:
        return str(value) if value.denominator == 1 else f"({value})"

    def brackets(self, inner: str) -> str:
        return f"({inner})"

    def bars(self, inner: str) -> str:
        return f"|{inner}|"

    def quotient(self, numerator: str, body: Term) -> tuple[str, Level]:
        return f"{numerator}/{self._at_least(body, Level.ATOM)}", Level.BIG  # what follows would join the divisor

    def over_factorial(self, power: str, last: str) -> tuple[str, Level]:
        return f"{power}/{last}!", Level.BIG  # what follows would join the divisor

    def big(self, kind: str, var: str, low: str, high: str) -> str:
        sign = {"sum": "Σ", "prod": "Π"}[kind] if self.greek else kind
        return f"{sign}_{{{var}={low}..{high}}} "

    def shape(self, shape: Shape) -> str:
        base = shape.base
        if shape.call:
            return f"{base}({', '.join(shape.slots)})" if shape.slots else base
        if shape.level < Level.ATOM and not shape.bare:
            base = self.brackets(base)
        family = f"_{_braced(', '.join(shape.family))}" if shape.family else ""
        depth = f"^({shape.depth})" if shape.depth else ""
        return f"{base}{family}{depth}" + (f"[{', '.join(shape.slots)}]" if shape.slots else "")

    def raised(self, base: str, exponent: str) -> str:
        return f"{base}^{_braced(exponent)}"

    def lowered(self, base: str, index: str) -> str:
        return f"{base}_{_braced(index)}"

    def binomial(self, m: str, k: str) -> str:
        return f"C({m}, {k})"

    def operator(self, name: str, operands: Sequence[str]) -> str:
        if name == "average":
            return f"<{', '.join(operands)}>"
        words = {"transition": "R", "row recursion": "row"}.get(name, name.replace(" ", "_"))
        return f"{words}({', '.join(operands)})"

    def tail(self, kernel: str) -> str:
        return f"F_{_braced(kernel)}"

    def mapsto(self, params: Sequence[str], body: str) -> str:
        arrow = "↦" if self.greek else "->"
        shown = params[0] if len(params) == 1 else f"({', '.join(params)})"
        return f"({shown} {arrow} {body})"


def _braced(inner: str) -> str:
    return inner if inner.isalnum() else f"{{{inner}}}"


def _ascii(shown: str) -> str:
    return shown.encode("ascii", "backslashreplace").decode("ascii")


def text(node: Node, *, greek: bool = True, names: Mapping[Fn, str] | None = None) -> str:
    """A value, function, formula, index, range, step or reason on one line; pure ASCII unless ``greek``.

    ``names`` abbreviates functions.

    >>> from proofs.term import Symbol, total
    >>> A = Symbol("A", 2)
    >>> text(-total("j", "k", "n", A("i", "j") * (1 - A("j", "k"))), greek=False)
    '-sum_{j=k..n} A[i, j] (1 - A[j, k])'
    """
    shown = _node(node, TextWriter(names, greek=greek))
    return shown if greek else _ascii(shown)


def _node(node: Node, writer: TextWriter) -> str:
    match node:
        case Term():
            return writer.term(node)
        case Fn():
            return writer.fn(node)
        case Formula():
            return "".join(pieces(node, writer))
        case Index():
            return writer.ix(node)
        case Range():
            return writer.range(node)
        case Step(label, formula, reason):
            return f"{label}: {_node(formula, writer)}; {_reason(reason, writer)}"
        case Use():
            return _use(node, writer)
        case Item():
            return _item(node, writer)
    return _reason(node, writer)


# --- reasons --------------------------------------------------------------------------------------------------------


def _use(use: Use, writer: TextWriter) -> str:
    """A citation: <fact/part with A; at i, j; given ...>."""
    shown = "/".join((use.fact, *use.parts))
    shown += f" with {', '.join(writer.fn(f) for f in use.fns)}" if use.fns else ""
    shown += f" at {', '.join(writer.ix(a) for a in use.at)}" if use.at else ""
    shown += f" given {', '.join(_use(g, writer) for g in use.given)}" if use.given else ""
    return f"<{shown}>"


def _item(item: Item, writer: TextWriter) -> str:
    signs = "".join(writer.big("sum", writer.name(r.var), writer.ix(r.low), _high(r, writer)) for r in item.over)
    factors = [] if item.times == Num(Fraction(1)) and item.uses else [f"({writer.term(item.times)})"]
    return signs + " ".join([*factors, *(_use(u, writer) for u in item.uses)])


def _high(rng: Range, writer: TextWriter) -> str:
    return "" if rng.high is None else writer.ix(rng.high)


def _reason(reason: Reason, writer: TextWriter) -> str:
    match reason:
        case Identity(modulo):
            return f"right - left = {_total(modulo, writer)}" if modulo else "both sides expand to the same sum"
        case Nonnegative(products, modulo):
            zero = f", up to {_total(modulo, writer)} = 0" if modulo else ""
            return f"right - left = {_total(products, writer)}; every product is{writer.at_least}0{zero}"
        case Invert(positive):
            return f"a divisor that is positive by {_use(positive, writer)}"
        case Antisymmetry(upper, lower):
            return f"each side is at most the other by {_use(upper, writer)} and {_use(lower, writer)}"
        case Absurd(source):
            return f"{_use(source, writer)} is false, so this case does not occur"
        case Compared(source):
            return f"the two values compare by {_use(source, writer)}"
        case Chain(links):
            return f"chain of {', '.join(_use(u, writer) for u in links)}"
        case Instantiate(source):
            return f"instance of {_use(source, writer)}"
        case Both(labels):
            return f"by {', '.join(f'<{label}>' for label in labels)}"
        case Generalise(fix, steps):
            return f"fix {', '.join(fix)}: {_steps(steps, writer)}"
        case Cases(left, right, if_at_most, if_greater):
            a, b = writer.ix(left), writer.ix(right)
            return (
                f"if {a}{writer.at_most}{b}: {_steps(if_at_most, writer)}; if {a} > {b}: {_steps(if_greater, writer)}"
            )
        case Either(claim, name, if_true, if_false):
            denied = opposite(claim)
            shown = "its opposite" if denied is None else _node(denied, writer)
            return (
                f"assuming <{name}> {_node(claim, writer)}: {_steps(if_true, writer)}; "
                f"assuming <{name}> {shown}: {_steps(if_false, writer)}"
            )
        case Exponential(modulo, positive):
            known = f", ln of what is positive by {_use(positive, writer)}" if positive is not None else ""
            return f"by what exp and ln are{known}" + (f", exponents up to {_total(modulo, writer)}" if modulo else "")
        case Archimedes():
            return "some natural number is as large"
        case Outside(name):
            return f"{name}, taken from the literature"
        case Witness(at, label):
            return f"{_node(at, writer)} is one, by <{label}>"
        case Obtain(source, name, label, steps):
            return (
                f"call <{label}> {writer.name(name)} what there is by {_use(source, writer)}: {_steps(steps, writer)}"
            )
        case Induction(hypothesis, base, steps):
            return f"induction, base: {_steps(base, writer)}; step, assuming <{hypothesis}>: {_steps(steps, writer)}"


def _total(items: tuple[Item, ...], writer: TextWriter) -> str:
    return " + ".join(_item(i, writer) for i in items) or "0"


def _steps(steps: tuple[Step, ...], writer: TextWriter) -> str:
    return f"({'; '.join(_node(s, writer) for s in steps)})"


# --- cases and failures ---------------------------------------------------------------------------------------------


def text_case(case: Case | EndlessCase, *, greek: bool = True) -> str:
    """A case: one line for n and the indices, then its tables; a matrix row by row up to its last entry that is not 0.

    >>> print(text_case(Case.of(2, {"T": 1}, A=[((1, 0), (Fraction(1, 3), Fraction(2, 3)))], f=[0, 1]), greek=False))
    n = 2, T = 1
    A_1 = (1 | 1/3 2/3)
    f = (0, 1)
    """
    writer = TextWriter(greek=greek)
    if isinstance(case, EndlessCase):
        return _endless(case, writer)
    head = ", ".join(f"{writer.name(name)} = {value}" for name, value in (("n", case.n), *case.indices))
    lines = [head, *(line for name, table in case.tables for line in _table(writer.name(name), table))]
    return "\n".join(lines) if greek else _ascii("\n".join(lines))


def _endless(case: EndlessCase, writer: TextWriter) -> str:
    """n and the indices, then the layers by their rules, then what else is read."""
    others = tuple((name, table) for name, table in case.listed.tables if name not in ("A", "lambda"))
    indices = tuple((name, value) for name, value in case.listed.indices if name not in ("T", "s"))
    head, *rest = text_case(Case(case.n, indices, others), greek=writer.greek).splitlines()
    rules = [line.replace("lambda", writer.name("lambda")) for line in case.says]
    return "\n".join([head, *rules, *rest])


def _table(name: str, table: Table) -> list[str]:
    return _levels(name, table.entries, tuple(table.start))


def _levels(name: str, entries: Entries, start: tuple[int, ...]) -> list[str]:
    """One line for a value, a sequence or a matrix; one for each member of a family."""
    first = start[0] if start else 1
    if isinstance(entries, (Fraction, int)):
        return [f"{name} = {entries}"]
    if _depth(entries) <= 2:
        note = f" from {name}_{first} on" if first != 1 else ""
        return [f"{name} = {_matrix(entries) if _depth(entries) == 2 else _sequence(entries)}{note}"]
    return [line for at, inner in enumerate(entries) for line in _levels(f"{name}_{first + at}", inner, start[1:])]


def _depth(entries: Entries) -> int:
    if isinstance(entries, (Fraction, int)):
        return 0
    return 1 + max((_depth(inner) for inner in entries), default=0)


def _sequence(entries: Sequence[Entries]) -> str:
    return f"({', '.join(str(x) for x in entries)})"


def _matrix(rows: Sequence[Entries]) -> str:
    shown = []
    for row in rows:
        assert not isinstance(row, (Fraction, int))
        kept = list(row)
        while len(kept) > 1 and kept[-1] == 0:
            kept.pop()
        shown.append(" ".join(str(x) for x in kept))
    return f"({' | '.join(shown)})"


def text_failure(failure: Failure, *, greek: bool = True) -> str:
    """Where a claim fails, and both sides: ``top row at k = 2: 55/126 ≤ 54/126 fails``.

    >>> from flint import fmpq
    >>> text_failure(Failure("top row", (("k", 2),), fmpq(55, 126), "<=", fmpq(3, 7)), greek=False)
    'top row at k = 2: the left side 55/126 is not <= the right side 3/7'
    """
    writer = TextWriter(greek=greek)
    at = ", ".join(f"{writer.name(name)} = {value}" for name, value in failure.at)
    place = " at ".join(part for part in (failure.part, at) if part)
    shown = (
        failure.words
        or f"the left side {failure.left} is not{writer.relation(failure.op)}the right side {failure.right}"
    )
    shown = f"{place}: {shown}" if place else shown
    return shown if greek else _ascii(shown)
