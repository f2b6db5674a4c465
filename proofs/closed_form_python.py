"""Closed forms as Python source: one function, nothing to install, exact for Fractions.

    def profile(lam, A): ...          lam[t - 1], A[t - 1][i - 1][j - 1]; shared kernels without t
    def profile(lam, w): ...          prefix: the weights themselves, u_i = w_i / (w_1 + … + w_i)
    def profile(lam, q): ...          alibi q = e^m; content e

Sums are cut into statements, for Python's parser recurses along them. A function without arguments returns Fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import lcm

from proofs.closed_form import ClosedForm, Entry
from proofs.closed_form_ring import Letter, Monomial, Terms
from proofs.closed_form_size import Plan
from proofs.closed_form_text import headline
from proofs.digits import LONG
from proofs.path_terms import PathTerms

__all__ = ["as_python"]

WIDTH = 90  # characters of a sum
_ARGUMENT = {"general": "A", "prefix": "w", "alibi": "q", "content": "e"}


def as_python(form: ClosedForm) -> str:
    """The source of ``profile`` (a tuple, position 1 first), or of ``entry_j`` for one entry."""
    plan = form.plan
    whole = len(form.entries) == plan.n
    arguments = _arguments(plan)
    name = "profile" if whole else f"entry_{form.entries[0].position}"
    lines = [f"def {name}({', '.join(arguments)}):", *_docstring(plan, arguments)]
    if not arguments:
        lines += ["    from fractions import Fraction", ""]
    lines += _shares(form)
    names = [_name(x, plan) for x in form.letters]
    for entry in form.entries:
        lines += _statements(entry, names, bool(arguments))
    values = ", ".join(f"p{entry.position}" for entry in form.entries)
    if whole:
        values = f"({values},)" if plan.n == 1 else f"({values})"
    return "\n".join([*lines, f"    return {values}"])


def _arguments(plan: Plan) -> list[str]:
    mixing = ["lam"] if isinstance(plan.lam, str) else []
    return mixing + ([_ARGUMENT[plan.kernel]] if plan.kernel in _ARGUMENT else [])


def _docstring(plan: Plan, arguments: list[str]) -> list[str]:
    layer = "" if plan.shared else "[t-1]"
    meaning = {
        "lam": "lam: lambda, the same for every layer" if plan.lam == "one" else "lam[t-1] = lambda_t",
        "A": f"A{layer}[i-1][j-1]: the weight with which position i reads position j"
        f" ({'column 1' if plan.eliminate == 'first' else 'the diagonal'} is 1 minus the others, never read)",
        "w": f"w{layer}[j-1]: the weight of position j",
        "q": f"q{layer} = exp(slope)",
        "e": f"e{layer} = exp(content)",
    }
    told = [f"    {meaning[x]}" for x in arguments]
    exact = ["    Exact for Fractions; layer 1 is nearest the input."] if arguments else []
    title = headline(plan).replace("λ", "lambda")
    return [f'    """{title}', "", *told, *exact, '    """'] if told else [f'    """{title}"""']


def _shares(form: ClosedForm) -> list[str]:
    """Prefix kernels: u_i from the weights, each computed once."""
    if form.plan.kernel != "prefix":
        return []
    used = {k for entry in form.entries for _, monomial in entry.numerator for k, _ in monomial}
    lines = []
    for k in sorted(used):
        letter = form.letters[k]
        if letter.base == "u":
            w = "w" + "".join(f"[{t - 1}]" for t in letter.indices[:-1])
            i = letter.indices[-1]
            lines.append(f"    {_name(letter, form.plan)} = {w}[{i - 1}]/sum({w}[:{i}])")
    return lines


def _name(letter: Letter, plan: Plan) -> str:
    if letter.base == "u":
        return "u" + "_".join(map(str, letter.indices))
    base = "lam" if letter.base == "lambda" else letter.base
    return base + "".join(f"[{x - 1}]" for x in letter.indices)


def _statements(entry: Entry, names: list[str], divides: bool) -> Iterator[str]:
    """p_j as sums over one integer, then divided; where nothing is left to divide, a Fraction."""
    common = _common(entry.numerator)
    below = [_integer(common)] if common > 1 else []
    for factor, exponent in entry.denominator:
        inner = " ".join(_pieces(factor, 1, names))
        shown = f"({inner})" if len(factor) > 1 else inner
        below.append(shown if exponent == 1 else f"{shown}**{exponent}")
    lines = _lines(_pieces(entry.numerator, common, names))
    name = f"    p{entry.position} ="
    if not divides:
        yield f"{name} Fraction({', '.join([*lines, *below])})"
        return
    divided = f"/({'*'.join(below)})" if len(below) > 1 else f"/{below[0]}" if below else ""
    if len(lines) == 1:
        yield f"{name} ({lines[0]}){divided}" if divided and len(entry.numerator) > 1 else f"{name} {lines[0]}{divided}"
        return
    yield f"{name} {lines[0]}"
    yield from (f"{name} p{entry.position} {line}" for line in lines[1:])
    if divided:
        yield f"{name} p{entry.position}{divided}"


def _common(terms: Terms) -> int:
    """The least common denominator of the coefficients."""
    return 1 if isinstance(terms, PathTerms) else lcm(*(coefficient.denominator for coefficient, _ in terms))


def _lines(pieces: Iterable[str]) -> list[str]:
    """The terms joined as far as a line holds them."""
    first, *others = pieces
    lines = [first]
    for piece in others:
        if len(lines[-1]) + len(piece) > WIDTH:
            lines.append(piece)
        else:
            lines[-1] += f" {piece}"
    return lines


def _pieces(terms: Terms, common: int, names: list[str]) -> Iterator[str]:
    """The terms times ``common``, each with its sign, which the first one shows only where it is negative."""
    for at, (negative, shown) in enumerate(_signed(terms, common, names)):
        sign = ("-" if negative else "") if at == 0 else ("- " if negative else "+ ")
        yield sign + shown


def _signed(terms: Terms, common: int, names: list[str]) -> Iterator[tuple[bool, str]]:
    """(whether negative, the size of the term) of each."""
    if isinstance(terms, PathTerms) and terms:
        yield from terms.products(names, "*", "1")
        return
    for coefficient, monomial in terms or ((Fraction(0), ()),):
        value = int(coefficient * common)
        yield value < 0, _product(abs(value), monomial, names)


def _product(value: int, monomial: Monomial, names: list[str]) -> str:
    factors = [names[k] if power == 1 else f"{names[k]}**{power}" for k, power in monomial]
    return "*".join(([_integer(value)] if value != 1 or not factors else []) + factors)


def _integer(value: int) -> str:
    """A literal; hexadecimal where Python refuses to read so many decimal digits."""
    return str(value) if value < LONG else hex(value)
