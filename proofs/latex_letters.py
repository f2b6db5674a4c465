r"""Letters, numbers, powers and fractions in LaTeX: what closed forms and statements share.

    A_{t,i,j}, \lambda_{t}, {w_{1}}_{j}     a letter with its indices, always with commas
    \tfrac{1}{3}, x^{2}, (1+q)^{2}          a base that is a sum comes with its brackets

`name` is one to one: what is written tells the name it was written for, and two names never look alike.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from unicodedata import normalize

from proofs.digits import decimal

__all__ = ["GREEK", "escaped", "fraction", "indexed", "name", "number", "power", "within"]

GREEK = frozenset((
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma",
))  # fmt: skip

_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$",
}  # fmt: skip

_PROSE = _ESCAPES | {
    '"': "''{}",
    "⇒": r"$\Rightarrow$", "⇔": r"$\Leftrightarrow$", "→": r"$\to$", "≼": r"$\preceq$", "≽": r"$\succeq$",
    "≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$", "∞": r"$\infty$", "−": r"$-$", "–": "--", "—": "---", "·": r"$\cdot$",
    "×": r"$\times$", "∑": r"$\sum$", "Σ": r"$\Sigma$", "Π": r"$\Pi$", "½": r"$\tfrac12$", "…": r"\dots{}", "′": r"$'$",
    "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "δ": r"$\delta$", "ε": r"$\varepsilon$", "η": r"$\eta$",
    "θ": r"$\theta$", "κ": r"$\kappa$", "λ": r"$\lambda$", "μ": r"$\mu$", "ρ": r"$\rho$", "σ": r"$\sigma$",
}  # fmt: skip

# In a name, what TeX would join with its neighbour, drop or replace: ligatures, spaces, quotes.
_NAMES = _ESCAPES | {" ": r"\textvisiblespace{}"} | {c: f"{c}{{}}" for c in "-'`,?!"}

_ACCENTS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"


def escaped(words: str) -> str:
    r"""Prose for LaTeX: every character prints as itself; one that no font here has prints as its code point.

    >>> escaped("50% of R_1 & {x}")
    '50\\% of R\\_1 \\& \\{x\\}'
    """
    return "".join(_PROSE.get(c) or (c if _set(c) else f"[U+{ord(c):04X}]") for c in words)


def _set(character: str) -> bool:
    """Whether the document's font has the character: ASCII, and letters with one accent that TeX can build."""
    return " " <= character <= "~" or bool(re.fullmatch(f"[A-Za-z][{_ACCENTS}]", normalize("NFD", character)))


def _in_name(character: str) -> str:
    r"""A character of a name; one without a sign of its own is its code point, in sans-serif, which no other one is."""
    shown = _NAMES.get(character) or (character if _set(character) and character != '"' else "")
    return shown or f"\\textsf{{U{ord(character):04X}}}"


def name(word: str) -> str:
    r"""A letter stays one; digits at the end become a subscript; a word is upright unless a Greek letter's.

    >>> name("w1"), name("lambda"), name("g*"), name("rate_%")
    ('{w_{1}}', '\\lambda ', '{g^{*}}', '\\text{rate\\_\\%}')
    """
    if len(word) > 1 and word.endswith("*"):
        return f"{{{name(word[:-1]).rstrip()}^{{*}}}}"
    found = re.fullmatch(r"(.*?)([0-9]*)('*)", word, re.DOTALL)
    assert found is not None
    stem, digits, primes = found.groups()
    if not stem:  # digits and primes alone are no number, nor attached to nothing
        stem, digits, primes = word, "", ""
    if stem in GREEK:
        stem = f"\\{stem} " if not (digits or primes) else f"\\{stem}"
    elif not (len(stem) == 1 and stem.isascii() and stem.isalpha()):
        plain = stem.isascii() and stem.isalpha()
        stem = f"\\mathrm{{{stem}}}" if plain else f"\\text{{{''.join(map(_in_name, stem))}}}"
    return f"{{{stem}_{{{digits}}}}}{primes}" if digits else f"{stem}{primes}"


def indexed(letter: str, indices: Sequence[str]) -> str:
    """A letter, or what stands in its place, with its indices; without any it is the letter."""
    return f"{letter.rstrip()}_{{{','.join(indices)}}}" if indices else letter


def number(value: Fraction) -> str:
    """A number >= 0."""
    if value.denominator == 1:
        return decimal(value.numerator)
    return f"\\tfrac{{{decimal(value.numerator)}}}{{{decimal(value.denominator)}}}"


def fraction(above: str, below: str) -> str:
    """One value over another, which need no brackets there."""
    return f"\\frac{{{above}}}{{{below}}}"


def power(base: str, exponent: str) -> str:
    """A power of a letter, or of what has its brackets."""
    return f"{base.rstrip()}^{{{exponent}}}"


def within(ends: Sequence[str], inner: str, size: str = "") -> str:
    r"""What stands between two signs of a size ("", bigl, Bigl); they grow with a sum or a product.

    Never \left and \right: a line may end inside.
    """
    size = "Bigl" if r"\sum" in inner or r"\prod" in inner else size
    first, last = ends
    return f"\\{size}{first}{inner}\\{size[:-1]}r{last}" if size else f"{first}{inner}{last}"
