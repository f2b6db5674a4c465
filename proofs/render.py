"""How values and functions print: the structure that text and LaTeX share.

A `Writer` decides what every writer must decide alike: signs, brackets, what binds tighter, when an abstraction is only
the kernel of a family.  Its subclasses (text.py, latex_math.py) decide how a sum sign, an entry or a number looks.

    Plus((a, Times((-1, b))))        a - b
    Times((a, Plus((b, c))))         a (b + c)
    ([b <= a] - [a <= b]) (a - b)    |a - b|
    Lambda(("i", "j"), A(t, i, j))   A_t

Nothing is simplified on the way, so two objects that differ in a number, an index or an operator print differently.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from proofs.notation import DEFINITIONS, arity
from proofs.render_parts import Level, Shape, distance, factors, flat, indexed, partial, sign
from proofs.render_special import base_of, constant, factors_between, special
from proofs.substitute import apply
from proofs.term import (
    Apply,
    Bracket,
    Compare,
    Exp,
    Fn,
    Index,
    Lambda,
    Log,
    Num,
    Op,
    Plus,
    Range,
    Reciprocal,
    Sum,
    Symbol,
    Term,
    Times,
)

__all__ = ["Writer"]


class Writer(ABC):
    """Prints by a few signs and hooks; ``names`` are abbreviations of functions."""

    plus = " + "
    minus = " - "
    negative = "-"
    equal = " = "
    at_most = " <= "
    at_least = " >= "
    less = " < "
    precedes = " precedes "
    gap = " "  # between factors
    times = " * "  # between a factor and a number
    hole = "."
    line_end = ""  # where a line may end, after a factor that is long
    index_gap = " "
    comma = ", "
    dots = "..."
    logarithm = "ln"
    product_gap = " "  # between kernels

    def __init__(self, names: Mapping[Fn, str] | None = None) -> None:
        self.names = dict(names or {})

    # --- hooks ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def name(self, name: str) -> str:
        """The name of an index variable or a function."""

    @abstractmethod
    def number(self, value: Fraction) -> str:
        """A nonnegative number."""

    @abstractmethod
    def brackets(self, inner: str) -> str:
        """Brackets around a value."""

    @abstractmethod
    def bars(self, inner: str) -> str:
        """An absolute value."""

    @abstractmethod
    def quotient(self, numerator: str, body: Term) -> tuple[str, Level]:
        """A value over another one."""

    @abstractmethod
    def over_factorial(self, power: str, last: str) -> tuple[str, Level]:
        """A power over a factorial."""

    @abstractmethod
    def big(self, kind: str, var: str, low: str, high: str) -> str:
        """A sum or product sign (``kind`` "sum" or "prod") with its range."""

    @abstractmethod
    def shape(self, shape: Shape) -> str:
        """A function with what is attached to it."""

    @abstractmethod
    def raised(self, base: str, exponent: str) -> str:
        """A power."""

    @abstractmethod
    def lowered(self, base: str, index: str) -> str:
        """A letter with a subscript."""

    @abstractmethod
    def binomial(self, m: str, k: str) -> str:
        """A binomial coefficient."""

    @abstractmethod
    def operator(self, name: str, operands: Sequence[str]) -> str:
        """A defined operator that has no notation of its own, and its operands."""

    @abstractmethod
    def tail(self, kernel: str) -> str:
        """The tail of a kernel, without its arguments."""

    @abstractmethod
    def mapsto(self, params: Sequence[str], body: str) -> str:
        """An abstraction, in brackets."""

    # --- indices and ranges -----------------------------------------------------------------------------------------

    def ix(self, node: Index) -> str:
        """An index: positive terms first."""
        terms = [*(c for c in node.terms if c[1] > 0), *(c for c in node.terms if c[1] < 0)]
        pieces = [(c < 0, ("" if abs(c) == 1 else f"{abs(c)}{self.index_gap}") + self.name(v)) for v, c in terms]
        if node.const or not pieces:
            pieces.append((node.const < 0, str(abs(node.const))))
        first = ("-" if pieces[0][0] else "") + pieces[0][1]
        return first + "".join(
            f"{self.index_gap}{'-' if negative else '+'}{self.index_gap}{piece}" for negative, piece in pieces[1:]
        )

    def range(self, rng: Range, variables: str = "") -> str:
        """``low <= var <= high``, or ``var >= low`` without an upper bound."""
        shown = variables or self.name(rng.var)
        if rng.high is None:
            return f"{shown}{self.at_least}{self.ix(rng.low)}"
        return f"{self.ix(rng.low)}{self.at_most}{shown}{self.at_most}{self.ix(rng.high)}"

    def ranges(self, ranges: Sequence[Range]) -> str:
        """Several ranges; neighbours with equal bounds share them."""
        shown = []
        for _, group in groupby(ranges, key=lambda r: (r.low, r.high)):
            members = list(group)
            shown.append(self.range(members[0], self.comma.join(self.name(r.var) for r in members)))
        return self.comma.join(shown)

    def relation(self, op: str) -> str:
        """The sign of a relation."""
        return {"=": self.equal, "<=": self.at_most, "<": self.less}[op]

    # --- values -----------------------------------------------------------------------------------------------------

    def term(self, node: Term) -> str:
        """A value."""
        return self._term(node)[0]

    def _term(self, node: Term) -> tuple[str, Level]:
        match node:
            case Num(value):
                shown = self.number(abs(value))
                return (f"{self.negative}{shown}", Level.SUM) if value < 0 else (shown, Level.ATOM)
            case Plus(parts):
                return self._plus(flat(parts))
            case Times():
                return self._times(node)
            case Reciprocal(body):
                return self.quotient(self.number(Fraction(1)), body)
            case Exp(body):
                return self.raised("e", self.term(body)), Level.ATOM
            case Log(body):
                return f"{self.logarithm}{self.brackets(self.term(body))}", Level.ATOM
            case Sum(rng, body):
                return self._big("sum", rng, body)
            case Bracket(conditions):
                return self._iverson(conditions), Level.ATOM
            case Compare(left, right):
                return f"[{self.term(left)}{self.at_most}{self.term(right)}]", Level.ATOM
            case Apply(fn, args):
                return self._apply(fn, args)
        raise TypeError(f"Argument 'node' must be a value, not {node!r}.")

    def _plus(self, parts: Sequence[Term]) -> tuple[str, Level]:
        if not parts:
            return self.number(Fraction(0)), Level.ATOM
        if len(parts) == 1:
            return self._term(parts[0])
        shown = ""
        for part in parts:
            negative, rest = sign(part)
            joined = (self.minus if negative else self.plus) if shown else (self.negative if negative else "")
            shown += joined + self._at_least(rest, Level.BIG)
        return shown, Level.SUM

    def _times(self, node: Times) -> tuple[str, Level]:
        if (difference := distance(node)) is not None:
            return self.bars(self.term(difference)), Level.ATOM
        negative, rest = sign(node)
        parts = factors(rest)
        if negative:
            return f"{self.negative}{self._at_least(rest, Level.BIG)}", Level.SUM
        if not parts:
            return self.number(Fraction(1)), Level.ATOM
        if len(parts) == 1:
            return self._term(parts[0])
        if len(parts) == 2 and isinstance(parts[1], Reciprocal) and self._term(parts[0])[1] == Level.ATOM:
            return self.quotient(self.term(parts[0]), parts[1].body)
        shown, level = "", Level.PRODUCT
        for position, factor in enumerate(parts):
            last = position == len(parts) - 1
            piece = self._at_least(factor, Level.BIG if last else Level.PRODUCT)
            shown += (self._join(piece) if shown else "") + piece
            if last and self._term(factor)[1] == Level.BIG:
                level = Level.BIG
        return shown, level

    def _join(self, piece: str) -> str:
        """What stands before a factor: a sign where a number would run into what precedes it."""
        return self.times if piece[0].isdigit() or piece.startswith(r"\tfrac") else self.gap

    def _at_least(self, node: Term, level: Level) -> str:
        """The value, in brackets where it does not hold together as tightly as ``level``."""
        shown, own = self._term(node)
        return shown if own >= level else self.brackets(shown)

    def _big(self, kind: str, rng: Range, body: Term) -> tuple[str, Level]:
        assert rng.high is not None
        head = self.big(kind, self.name(rng.var), self.ix(rng.low), self.ix(rng.high))
        return f"{head}{self._at_least(body, Level.BIG)}", Level.BIG

    def _iverson(self, conditions: Sequence[tuple[Index, Index]]) -> str:
        """[a <= b, ...], where a pair with its converse reads a = b."""
        shown, rest = [], list(conditions)
        while rest:
            low, high = rest.pop(0)
            if rest and rest[0] == (high, low):
                rest.pop(0)
                shown.append(f"{self.ix(low)}{self.equal}{self.ix(high)}")
            else:
                shown.append(f"{self.ix(low)}{self.at_most}{self.ix(high)}")
        return f"[{self.comma.join(shown)}]"

    def _apply(self, fn: Fn, args: tuple[Index, ...]) -> tuple[str, Level]:
        if isinstance(fn, Lambda) and not fn.params:  # a real number
            return self._term(fn.body)
        if isinstance(fn, Lambda) and partial(fn) is not None and len(fn.params) == len(args):
            return self._term(apply(fn, args))
        if isinstance(fn, Op) and (written := special(self, fn, args)) is not None:
            return written
        if isinstance(fn, Op) and fn.name == "accumulated" and fn not in self.names:
            return self._big("prod", *factors_between(fn, args[0]))
        return self.shape(self._shape(fn, tuple(self.ix(a) for a in args))), Level.ATOM

    # --- functions --------------------------------------------------------------------------------------------------

    def fn(self, node: Fn) -> str:
        """A function."""
        return self.shape(self._shape(node, ()))

    def _shape(self, fn: Fn, args: tuple[str, ...]) -> Shape:
        """A function at its first arguments (all, those that pick a kernel of a family, or none)."""
        if fn in self.names:
            return indexed(self.name(self.names[fn]), arity(fn), args)
        match fn:
            case Symbol(name):
                return indexed(self.name(name), fn.arity, args)
            case Op():
                return self._op(fn, args)
            case Lambda():
                return self._lambda(fn, args)
        raise TypeError(f"Argument 'node' must be a function of indices, not {fn!r}.")

    def _op(self, fn: Op, args: tuple[str, ...]) -> Shape:
        match fn.name, fn.fns:
            case "identity", ():
                return Shape("I", slots=args)
            case "product" | "image", (first, second):
                return Shape(self._juxtaposed(first, second), Level.PRODUCT, slots=args)
            case "tail", (kernel,):
                return Shape(self.tail(self.fn(kernel)), slots=args, call=True)
            case "accumulated", (Lambda() as factor,) if not args and constant(factor):
                return Shape(self.raised(base_of(self, factor.body), self.hole))
            case "power", (kernel,):
                return Shape(self.raised(self._base(kernel), args[0] if args else self.hole), slots=args[1:])
            case "rollout", (family,):
                return Shape(self._base(family), depth=args[0] if args else self.hole, slots=args[1:])
        base = self.operator(fn.name, [self.fn(f) for f in fn.fns])
        if fn.name == "average" or (fn.name in DEFINITIONS and DEFINITIONS[fn.name].base is not None):
            return Shape(base, depth=args[0] if args else self.hole, slots=args[1:])
        return indexed(base, arity(fn) if fn.name in DEFINITIONS else len(args), args)

    def _juxtaposed(self, first: Fn, second: Fn) -> str:
        """Products associate to the right: A(BC) is ABC, (AB)C keeps its brackets."""
        left, right = self._shape(first, ()), self._shape(second, ())
        shown = self.shape(left)
        tight = left.level >= Level.ATOM or not left.bare
        gap = self.product_gap + (self.line_end if _written_out(first) else "")
        return f"{shown if tight else self.brackets(shown)}{gap}{self.shape(right)}"

    def _base(self, fn: Fn) -> str:
        """A function to which something will be attached."""
        shape = self._shape(fn, ())
        return shape.base if shape.bare and shape.level >= Level.ATOM else self.brackets(self.shape(shape))

    def _lambda(self, fn: Lambda, args: tuple[str, ...]) -> Shape:
        """An abstraction: a function with some of its indices open where it is no more than that."""
        opened = None if args else partial(fn)
        if opened is not None:
            inner, given = opened
            return self._shape(inner, tuple(self.hole if a is None else self.ix(a) for a in given))
        shown = self.mapsto([self.name(p) for p in fn.params], self.term(fn.body))
        return Shape(shown, slots=args, call=True)


def _written_out(fn: Fn) -> bool:
    """Whether a function stands there as x -> ..., itself or under its depth."""
    return isinstance(fn, Lambda) or (isinstance(fn, Op) and any(map(_written_out, fn.fns)))
