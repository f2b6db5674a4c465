"""What the reader makes of LaTeX: values, functions of indices, formulas.  `values.py` evaluates them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = [
    "Apply", "Bars", "Bessel", "Big", "Chain", "Choose", "Coefficient", "Conditions", "Divided", "Euler", "Every",
    "EveryFunction", "Factorial", "Formula", "Function", "Holds", "If", "Letter", "Listed", "Ln", "Maps", "Number",
    "Operator", "Over", "Partial", "Power", "Product", "Range", "Root", "Several", "Sum", "Value",
]  # fmt: skip


@dataclass(frozen=True)
class Value:
    """Something that has a value."""


@dataclass(frozen=True)
class Function:
    """Something that has a value at indices, ``arity`` of them."""

    arity: int


@dataclass(frozen=True)
class Formula:
    """Something that is true or false."""


# --- values ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Number(Value):
    value: Fraction


@dataclass(frozen=True)
class Apply(Value):
    """A function at indices; a letter without any, an index or a real number, is a function of none."""

    function: Function
    args: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Sum(Value):
    """Terms, each with its sign."""

    terms: tuple[tuple[int, Value], ...]


@dataclass(frozen=True)
class Product(Value):
    factors: tuple[Value, ...]


@dataclass(frozen=True)
class Over(Value):
    above: Value
    below: Value


@dataclass(frozen=True)
class Power(Value):
    base: Value
    exponent: Value


@dataclass(frozen=True)
class Factorial(Value):
    of: Value


@dataclass(frozen=True)
class Bars(Value):
    r"""\lvert of \rvert."""

    of: Value


@dataclass(frozen=True)
class Choose(Value):
    above: Value
    below: Value


@dataclass(frozen=True)
class Euler(Value):
    """e to a power."""

    exponent: Value


@dataclass(frozen=True)
class Ln(Value):
    of: Value


@dataclass(frozen=True)
class Root(Value):
    """The square root."""

    of: Value


@dataclass(frozen=True)
class Bessel(Value):
    """I_1 of a number."""

    of: Value


@dataclass(frozen=True)
class Big(Value):
    """A sum or a product over a range."""

    kind: str
    var: str
    low: Value
    high: Value
    body: Value


@dataclass(frozen=True)
class Conditions(Value):
    """A bracket that is 1 where every relation in it holds and 0 elsewhere."""

    relations: tuple[Chain, ...]


@dataclass(frozen=True)
class Listed(Value):
    r"""A symmetric function of x_j, \dots, x_i: h_m(...) with head (m,), g^{(T)}[...] with head (T,) and its law,
    g[...] with no head and g."""

    kind: str
    head: tuple[Value, ...]
    functions: tuple[Function, ...]
    first: Value
    last: Value


@dataclass(frozen=True)
class Coefficient(Value):
    """That of ``var`` to a power in a polynomial."""

    var: str
    power: Value
    polynomial: Value


@dataclass(frozen=True)
class Divided(Value):
    r"""[x_j, \dots, x_i] of a polynomial in ``var``, its divided difference."""

    first: Value
    last: Value
    var: str
    polynomial: Value


# --- functions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Letter(Function):
    name: str


@dataclass(frozen=True)
class Partial(Function):
    """A function with some of its indices given, None for those that stay open."""

    of: Function
    given: tuple[Value | None, ...]


@dataclass(frozen=True)
class Maps(Function):
    """params -> body."""

    params: tuple[str, ...]
    body: Value


@dataclass(frozen=True)
class Operator(Function):
    """What a notation makes of other functions; operators.py has its formula."""

    name: str
    functions: tuple[Function, ...]


# --- formulas -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chain(Formula):
    """a <= b = c < ..., each sign with its neighbours."""

    values: tuple[Value, ...]
    signs: tuple[str, ...]


@dataclass(frozen=True)
class Holds(Formula):
    """A property of functions, in words or by the sign of the stochastic order."""

    name: str
    functions: tuple[Function, ...]
    args: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Range:
    """low <= var <= high, or var >= low."""

    var: str
    low: Value
    high: Value | None


@dataclass(frozen=True)
class Every(Formula):
    """For every, or for some, index of a range."""

    word: str
    range: Range
    body: Formula


@dataclass(frozen=True)
class EveryFunction(Formula):
    """For every, or for some, function of ``arity`` indices."""

    word: str
    name: str
    arity: int
    body: Formula


@dataclass(frozen=True)
class If(Formula):
    hypothesis: Formula
    body: Formula


@dataclass(frozen=True)
class Several(Formula):
    """All of the parts."""

    parts: tuple[Formula, ...]
