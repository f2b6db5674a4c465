"""Closed forms as plain text and as data; LaTeX and Python have files of their own.

    p_2 = 1 - λ_1 + λ_1 A_1[2, 2]          p_1 = (λ q) / (1 + q)

`Writer` holds what text and LaTeX decide alike: the sign of a term, its coefficient, brackets around sums.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from proofs.closed_form import ClosedForm, Entry
from proofs.closed_form_ring import Letter, Monomial, Terms
from proofs.closed_form_size import Plan
from proofs.digits import decimal
from proofs.path_terms import PathTerms

__all__ = ["TextWriter", "Writer", "as_data", "as_text", "headline", "inline"]

WIDTH = 100  # characters of a line of text
MOST_LISTED = 100_000  # terms of a row that JSON lists one by one: 4 kB of memory each


class Writer(ABC):
    """Signed terms, products and powers; how a letter, a number or a quotient looks is left open."""

    gap, plus, minus = " ", " + ", " - "

    def __init__(self, letters: Sequence[Letter]) -> None:
        self._names = [self.letter(x) for x in letters]

    @abstractmethod
    def letter(self, letter: Letter) -> str:
        """A symbol with its indices."""

    @abstractmethod
    def number(self, value: Fraction, alone: bool) -> str:
        """A number ≥ 0, alone or before other factors."""

    @abstractmethod
    def power(self, base: str, exponent: int) -> str:
        """A power with exponent ≥ 2; a base that is a sum has its brackets."""

    def signed(self, terms: Terms) -> Iterator[tuple[bool, str]]:
        """(whether negative, absolute value) of each term; 0 for an empty sum."""
        if isinstance(terms, PathTerms) and terms:
            yield from terms.products(self._names, self.gap, self.number(Fraction(1), alone=True))
            return
        for coefficient, monomial in terms or ((Fraction(0), ()),):
            negative = coefficient.numerator < 0  # comparing a Fraction takes longer than the rest of a short term
            yield negative, self.term(-coefficient if negative else coefficient, monomial)

    def term(self, coefficient: Fraction, monomial: Monomial) -> str:
        """A term without its sign; a coefficient 1 is not shown beside letters."""
        factors = [self._names[k] if power == 1 else self.power(self._names[k], power) for k, power in monomial]
        if coefficient != 1 or not factors:
            factors.insert(0, self.number(coefficient, not factors))
        return self.gap.join(factors)

    def total(self, terms: Terms) -> str:
        """A polynomial on one line."""
        return "".join(self.pieces(terms))

    def pieces(self, terms: Terms) -> Iterator[str]:
        """The terms, each with the sign before it."""
        for at, (negative, shown) in enumerate(self.signed(terms)):
            first = "-" if negative else ""
            yield (first if at == 0 else self.minus if negative else self.plus) + shown

    def below(self, entry: Entry) -> str:
        """The denominator: a number, powers of sums in brackets; a number or a letter needs none."""
        shown = []
        for factor, exponent in entry.denominator:
            base = f"({self.total(factor)})" if len(factor) > 1 else self.total(factor)
            shown.append(base if exponent == 1 else self.power(base, exponent))
        return self.gap.join(shown)


class TextWriter(Writer):
    """λ_1 A_1[2, 2]^2, (1/3) q; on a console without Greek λ is written lambda."""

    def letter(self, letter: Letter) -> str:
        base = "λ" if letter.base == "lambda" else letter.base
        family, entry = (letter.indices[:-2], letter.indices[-2:]) if base == "A" else (letter.indices, ())
        index = ",".join(map(str, family))
        shown = f"{base}_{{{index}}}" if len(family) > 1 else f"{base}_{index}" if family else base
        return f"{shown}[{', '.join(map(str, entry))}]" if entry else shown

    def number(self, value: Fraction, alone: bool) -> str:
        if value.denominator == 1:
            return decimal(value.numerator)
        shown = f"{decimal(value.numerator)}/{decimal(value.denominator)}"
        return shown if alone else f"({shown})"

    def power(self, base: str, exponent: int) -> str:
        return f"{base}^{exponent}"


# --- text -----------------------------------------------------------------------------------------------------------


def inline(entry: Entry, writer: Writer) -> str:
    """An entry as text on one line, without p_j =."""
    return "".join(_pieces(entry, writer))


def _pieces(entry: Entry, writer: Writer) -> Iterable[str]:
    """An entry in pieces between which a line may end."""
    if not entry.denominator:
        return writer.pieces(entry.numerator)
    pieces = list(writer.pieces(entry.numerator))
    below = writer.below(entry)
    if len(entry.denominator) > 1:
        below = f"({below})"
    if len(pieces) > 1 or writer.gap in pieces[0]:
        pieces[0] = f"({pieces[0]}"
        pieces[-1] = f"{pieces[-1]})"
    return [*pieces, f" / {below}"]


def as_text(form: ClosedForm) -> str:
    """The headline, what the letters stand for, one formula per entry broken at its signs."""
    writer = TextWriter(form.letters)
    lines = [headline(form.plan), *_meaning(form.plan), ""]
    for entry in form.entries:
        line = f"p_{entry.position} = "
        for piece in _pieces(entry, writer):
            if len(line) + len(piece) > WIDTH and line.strip():
                lines.append(line.rstrip())
                line = "    " + piece.lstrip()
            else:
                line += piece
        lines.append(line)
    return "\n".join(lines)


def headline(plan: Plan) -> str:
    """What was derived, in words."""
    kernels = {True: ", shared by the layers", False: ", one per layer"}[plan.shared]
    if plan.T < 2 or plan.kernel == "uniform":
        kernels = ""
    size = f"n = {plan.n}, T = {plan.T}"
    return f"last row p of R_T ... R_1, R_t = (1 - λ_t) I + λ_t A_t; {size}; {plan.kernel} kernel{kernels}"


def _meaning(plan: Plan) -> list[str]:
    """What the letters stand for, and the numbers λ_t that were given."""
    t, index = ("", "") if plan.shared else ("_t", "t,")
    A, q, e, m, d = (letter + t for letter in "Aqemd")
    u, first, own, other = ((f"{x}_{{{index}{k}}}" if index else f"{x}_{k}") for x, k in ("ui", "w1", "wi", "wj"))
    general = {
        "first": f"{A}[i, 1] = 1 - {A}[i, 2] - ... - {A}[i, i]",
        "diagonal": f"{A}[i, i] = 1 - {A}[i, 1] - ... - {A}[i, i-1]",
    }
    meaning = {
        "general": general[plan.eliminate],
        "uniform": "A[i, j] = 1/i",
        "prefix": f"{A}[i, j] = {other}/({first} + ... + {own}), {u} = {own}/({first} + ... + {own})",
        "alibi": f"{A}[i, j] = {q}^(j-1)/(1 + {q} + ... + {q}^(i-1)), {q} = exp({m}), {m} the slope",
        "content": f"{A}[i, i] = {e}/(i-1+{e}), {A}[i, j] = 1/(i-1+{e}) for j < i, {e} = exp({d}), {d} the content",
    }
    return [meaning[plan.kernel], *_mixing(plan)]


def _mixing(plan: Plan) -> list[str]:
    if isinstance(plan.lam, str):
        return ["λ_t = λ for every layer"] if plan.lam == "one" else []
    writer = TextWriter(())
    values = [writer.number(x, alone=True) for x in plan.lam]
    if len(values) > 1 and len(set(values)) == 1:
        return [f"λ_t = {values[0]} for every layer"]
    return [", ".join(f"λ_{t} = {x}" for t, x in enumerate(values, start=1))] if values else []


# --- data -----------------------------------------------------------------------------------------------------------


def as_data(form: ClosedForm) -> dict[str, object]:
    """{"n", "T", "kernel", "shared", "eliminate", "lam", "sum", "entries": […]}; "terms" counts those of the numerator.

    An entry's "numerator" and the factors of its "denominator" list exponents and exact coefficients; "numerator" is
    null in a row of more than `MOST_LISTED` terms, which "text" and "latex" have all the same.

    "lam" is a list of numbers as text, or "lambda_t" or "lambda" where it is symbols; "sum" is null where it was not
    checked.
    """
    from proofs.closed_form_latex import LatexWriter, formula

    text, latex = TextWriter(form.letters), LatexWriter(form.letters)
    plan, names = form.plan, [text.letter(x).replace("λ", "lambda") for x in form.letters]
    symbols = {"each": "lambda_t", "one": "lambda"}
    listed = sum(len(entry.numerator) for entry in form.entries) <= MOST_LISTED
    return {
        "n": plan.n,
        "T": plan.T,
        "kernel": plan.kernel,
        "shared": plan.shared,
        "eliminate": plan.eliminate if plan.kernel == "general" else None,
        "lam": symbols[plan.lam] if isinstance(plan.lam, str) else [text.number(x, alone=True) for x in plan.lam],
        "sum": "1" if form.sums_to_one else None,
        "entries": [
            {
                "position": entry.position,
                "text": inline(entry, text),
                "latex": formula(entry, latex),
                "terms": len(entry.numerator),
                "numerator": _terms(entry.numerator, names) if listed else None,
                "denominator": [
                    {"terms": _terms(factor, names), "exponent": exponent} for factor, exponent in entry.denominator
                ],
            }
            for entry in form.entries
        ],
    }


def _terms(terms: Terms, names: Sequence[str]) -> list[dict[str, object]]:
    """[{"coefficient": "p/q", "exponents": {letter: k}}], exactly; no terms at all are 0."""
    shown = TextWriter(())
    return [
        {
            "coefficient": ("-" if coefficient < 0 else "") + shown.number(abs(coefficient), alone=True),
            "exponents": {names[k]: power for k, power in monomial},
        }
        for coefficient, monomial in terms
    ]
