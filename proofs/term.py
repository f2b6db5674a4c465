"""The language in which claims are written: index terms, value terms, functions of indices, formulas.

An index is an integer expression such as ``i + 1``.  A value is a real number built from functions of indices by
sums, products, finite sums with symbolic bounds and brackets ``[a <= b]``.  A kernel, a mixing coefficient, a test
function are all the same thing here: a *function of indices*, given by a symbol (any such function), by an
abstraction (a body with parameters) or by a named operator applied to other functions (the tail of A, the rollout of
R; see notation.py).

A formula relates values and quantifies over integer ranges and over functions.  Everything is an immutable value
object, so a claim can be compared, printed, evaluated, mutated and exported, and it is always the same object.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar, cast, dataclass_transform

__all__ = [
    "And",
    "Apply",
    "Bracket",
    "Compare",
    "Exists",
    "ExistsFn",
    "Exp",
    "Fn",
    "ForAll",
    "ForAllFn",
    "Formula",
    "Holds",
    "Implies",
    "Index",
    "Lambda",
    "Log",
    "Num",
    "Op",
    "Plus",
    "Range",
    "Reciprocal",
    "Relation",
    "Sum",
    "Symbol",
    "Term",
    "Times",
    "as_index",
    "as_term",
    "index",
    "total",
]  # fmt: skip


# --- indices --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Index:
    """An integer-linear expression: the sum of coefficient * variable, plus a constant."""

    terms: tuple[tuple[str, int], ...]
    const: int = 0

    def __add__(self, other: Index | int) -> Index:
        right = as_index(other)
        if not right.terms:
            return Index(self.terms, self.const + right.const)
        coefficients = dict(self.terms)
        for name, c in right.terms:
            coefficients[name] = coefficients.get(name, 0) + c
        kept = tuple(sorted((name, c) for name, c in coefficients.items() if c))
        return Index(kept, self.const + right.const)

    def __neg__(self) -> Index:
        return Index(tuple((name, -c) for name, c in self.terms), -self.const)

    def __sub__(self, other: Index | int) -> Index:
        return self + (-as_index(other))

    def __radd__(self, other: int) -> Index:
        return self + other

    def __rsub__(self, other: int) -> Index:
        return -self + other


def index(name: str) -> Index:
    """The index variable of that name."""
    return Index(((name, 1),))


def as_index(value: Index | int | str) -> Index:
    """An index from an index, an integer, or the name of a variable."""
    if isinstance(value, Index):
        return value
    return index(value) if isinstance(value, str) else Index((), value)


def _bindable(name: str) -> None:
    """``n`` is the global number of positions: definitions speak of it, so nothing may bind it."""
    if name == "n":
        raise ValueError("Argument 'var' must not be 'n', the number of positions.")


@dataclass(frozen=True, slots=True)
class Range:
    """``low <= var <= high``; ``high = None`` means no upper bound."""

    var: str
    low: Index
    high: Index | None

    def __post_init__(self) -> None:
        _bindable(self.var)


# --- trees ----------------------------------------------------------------------------------------


class Tree:
    """What every term, function and formula is: immutable, so that it may remember what it is asked again and again.

    ``remembered_hash`` and ``remembered_names`` (substitute.py: the free names) are no part of the value: they are not
    compared, printed, copied or pickled.
    """

    __slots__ = ("remembered_hash", "remembered_names")
    remembered_hash: int
    remembered_names: frozenset[str]


T = TypeVar("T", bound=Tree)


@dataclass_transform(frozen_default=True)
def tree(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots that computes its hash once."""
    made: Any = dataclass(frozen=True, slots=True)(cls)
    computed = made.__hash__

    def remembering(self: T) -> int:
        try:
            return self.remembered_hash
        except AttributeError:
            known: int = computed(self)
            object.__setattr__(self, "remembered_hash", known)
            return known

    made.__hash__ = remembering
    return cast(type[T], made)


# --- values ---------------------------------------------------------------------------------------


class Term(Tree):
    """A real value.  Arithmetic builds terms and never simplifies: that is for the normal form in sums.py."""

    __slots__ = ()

    def __add__(self, other: Term | int | Fraction) -> Term:
        return Plus((self, as_term(other)))

    def __radd__(self, other: int | Fraction) -> Term:
        return Plus((as_term(other), self))

    def __neg__(self) -> Term:
        return Times((Num(Fraction(-1)), self))

    def __sub__(self, other: Term | int | Fraction) -> Term:
        return Plus((self, -as_term(other)))

    def __rsub__(self, other: int | Fraction) -> Term:
        return Plus((as_term(other), -self))

    def __mul__(self, other: Term | int | Fraction) -> Term:
        return Times((self, as_term(other)))

    def __rmul__(self, other: int | Fraction) -> Term:
        return Times((as_term(other), self))


@tree
class Num(Term):
    """A rational constant."""

    value: Fraction

    def __neg__(self) -> Term:
        return Num(-self.value)


@tree
class Apply(Term):
    """A function of indices at given indices."""

    fn: Fn
    args: tuple[Index, ...]


@tree
class Plus(Term):
    """A sum of finitely many values."""

    parts: tuple[Term, ...]


@tree
class Times(Term):
    """A product of finitely many values."""

    parts: tuple[Term, ...]


@tree
class Reciprocal(Term):
    """One over a value.  Every term has a value, so 1 / 0 is 0 by convention; nothing relies on it, since all that a
    derivation knows of a reciprocal comes from its value being positive.
    """

    body: Term


@tree
class Compare(Term):
    """One where the value ``left`` is at most the value ``right``, else zero."""

    left: Term
    right: Term


@tree
class Exp(Term):
    """The exponential of a value."""

    body: Term


@tree
class Log(Term):
    """The natural logarithm of a value; 0 by convention where the value is not positive, and nothing relies on that."""

    body: Term


@tree
class Sum(Term):
    """The sum of ``body`` over ``low <= var <= high``; zero where the range is empty."""

    range: Range
    body: Term


@tree
class Bracket(Term):
    """One where ``low <= high`` for every listed pair of indices, else zero."""

    conditions: tuple[tuple[Index, Index], ...]


def as_term(value: Term | int | Fraction) -> Term:
    """A term from a term or a rational number."""
    return value if isinstance(value, Term) else Num(Fraction(value))


def total(var: str, low: Index | int | str, high: Index | int | str, body: Term) -> Sum:
    """The sum of ``body`` over ``low <= var <= high``."""
    return Sum(Range(var, as_index(low), as_index(high)), body)


# --- functions of indices -------------------------------------------------------------------------


class Fn(Tree):
    """A function from indices to values; calling it builds the value."""

    __slots__ = ()

    def __call__(self, *args: Index | int | str) -> Apply:
        return Apply(self, tuple(as_index(a) for a in args))


@tree
class Symbol(Fn):
    """Any function of ``arity`` indices; hypotheses say what is known of it."""

    name: str
    arity: int


@tree
class Lambda(Fn):
    """The function that sends ``params`` to ``body``."""

    params: tuple[str, ...]
    body: Term

    def __post_init__(self) -> None:
        for name in self.params:
            _bindable(name)
        if len(set(self.params)) != len(self.params):
            raise ValueError(f"Argument 'params' must be different names, not {', '.join(self.params)}.")


@tree
class Op(Fn):
    """A defined operator applied to functions, for instance the tail of a kernel; its meaning is in notation.py."""

    name: str
    fns: tuple[Fn, ...]


# --- formulas -------------------------------------------------------------------------------------


class Formula(Tree):
    """Something that is true or false."""

    __slots__ = ()


@tree
class Relation(Formula):
    """``left = right``, ``left <= right`` or ``left < right``."""

    op: str
    left: Term
    right: Term

    def __post_init__(self) -> None:
        if self.op not in ("=", "<=", "<"):
            raise ValueError(f"Argument 'op' must be '=', '<=' or '<', not {self.op!r}.")


@tree
class ForAll(Formula):
    """For every integer in the range."""

    range: Range
    body: Formula


@tree
class ForAllFn(Formula):
    """For every function of ``arity`` indices."""

    symbol: Symbol
    body: Formula


@tree
class Exists(Formula):
    """For some integer in the range."""

    range: Range
    body: Formula


@tree
class ExistsFn(Formula):
    """For some function of ``arity`` indices; one of no index is a real number."""

    symbol: Symbol
    body: Formula


@tree
class And(Formula):
    """All of the named parts."""

    parts: tuple[tuple[str, Formula], ...]


@tree
class Implies(Formula):
    """If ``hypothesis`` then ``body``."""

    hypothesis: Formula
    body: Formula


@tree
class Holds(Formula):
    """A defined property of functions, for instance "A is stochastically monotone"; its meaning is in notation.py."""

    name: str
    fns: tuple[Fn, ...]
    args: tuple[Index, ...] = ()
