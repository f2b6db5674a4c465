r"""A strict reader of mathematics in LaTeX: recursive descent, one method for each thing that may stand somewhere.

``kinds`` says how many indices a letter takes (0 for an index or a real number); a letter that is not there takes the
indices that it has.  So A B is a product of matrices where A and B are, and of numbers where they are numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.proofs.reading import listed, notations
from tests.proofs.reading import trees as t
from tests.proofs.reading.letters import GREEK, of_text
from tests.proofs.reading.steps import Steps
from tests.proofs.reading.tokens import Unread

__all__ = ["RELATIONS", "Mathematics"]

Slots = tuple["t.Value | None", ...]

RELATIONS = {"=": "=", "<": "<", ">": ">", r"\le": "<=", r"\ge": ">="}
_POWER = "\\power"  # the index of a power with an open exponent
_WITH_DEPTH = ("row", "average", "divided difference", "accumulated")  # their first index may stand above


class Mathematics(Steps):
    """Values and functions of indices."""

    # --- values -----------------------------------------------------------------------------------------------------

    def value(self) -> t.Value:
        """Terms with signs."""
        terms = [(-1 if self.takes("-") else 1, self.product())]
        while self.sees("+") or self.sees("-"):
            negative = self.takes("-") or not self.takes("+")
            terms.append((-1 if negative else 1, self.product()))
        return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else t.Sum(tuple(terms))

    def product(self) -> t.Value:
        """Factors side by side; the body of a sum or a product reaches as far as the factors do."""
        factors: list[t.Value] = []
        while not factors or (self.takes(r"\cdot") or self._factor_next()):
            open_to_the_right = self.next() in (r"\sum", r"\prod", "[")
            factors.append(self.factor())
            if open_to_the_right and isinstance(factors[-1], t.Big | t.Divided | t.Coefficient):
                break
        return factors[0] if len(factors) == 1 else t.Product(tuple(factors))

    def _factor_next(self) -> bool:
        token = self.next()
        named = token.isalpha() or token in GREEK or token == r"\mathrm" or token.startswith(r"\text{")
        other = token in ("(", "[", "{") or token in (*_FIRST, *_FUNCTIONS)
        return named or (other and token != r"\tfrac")  # a number behind another factor needs its \cdot

    def factor(self) -> t.Value:
        """One factor, with its power or its factorial."""
        found = self._factor()
        while self.takes("^"):
            found = t.Power(found, self.group(self.value))
        return t.Factorial(found) if self.takes("!") else found

    def _factor(self) -> t.Value:
        token = self.next()
        if token.isdigit():
            self.at += 1
            return t.Number(Fraction(int(token)))
        if token in _FIRST:
            return _FIRST[token](self)
        if self.sees("["):
            return self.square()
        if self.sees("("):
            found = self.attempt(self._applied)
            return found if found is not None else self.brackets()
        return self._applied()

    def brackets(self) -> t.Value:
        """A value in round brackets."""
        self.take("(")
        found = self.value()
        self.take(")")
        return found

    def fraction(self) -> t.Value:
        self.at += 1
        return t.Over(self.group(self.value), self.group(self.value))

    def choose(self) -> t.Value:
        self.at += 1
        return t.Choose(self.group(self.value), self.group(self.value))

    def logarithm(self) -> t.Value:
        self.at += 1
        return t.Ln(self.brackets())

    def exponential(self) -> t.Value:
        self.at += 1
        return t.Euler(self.brackets())

    def root(self) -> t.Value:
        self.at += 1
        return t.Root(self.group(self.value))

    def bars(self) -> t.Value:
        self.take(r"\lvert")
        found = self.value()
        self.take(r"\rvert")
        return t.Bars(found)

    def big(self) -> t.Value:
        r"""\sum_{i=a}^{b} and \prod_{i=a}^{b} with the factors that follow, or a sum over several indices in order."""
        ordered = self.attempt(lambda: listed.monomials(self))
        return ordered if ordered is not None else self.one_big()

    def one_big(self) -> t.Big:
        """Over one index."""
        kind = self.next()[1:]
        self.at += 1
        self.take("_", "{")
        var = self.name()
        self.take("=")
        low = self.value()
        self.take("}", "^")
        high = self.group(self.value)
        with self.binding(var):
            return t.Big(kind, var, low, high, self.product())

    def square(self) -> t.Value:
        r"""[i\le j, ...]; [x_j, \dots, x_i] or [x^k] with the product whose divided difference or coefficient it is."""
        self.take("[")
        first = self.value()
        if self.sees(",", r"\dots"):
            last = self.last_listed("]")
            polynomial = self.one_big()
            (variable,) = {x for x in _letters(polynomial) if x.startswith("z") and x not in self.kinds} or {""}
            return t.Divided(first, last, variable, polynomial)
        if isinstance(first, t.Power) and self.takes("]"):
            return listed.coefficient(self, first)
        relations = [self.chain(first)]
        while self.takes(","):
            relations.append(self.chain(self.value()))
        self.take("]")
        return t.Conditions(tuple(relations))

    def last_listed(self, closing: str) -> t.Value:
        self.take(",", r"\dots", ",")
        last = self.value()
        self.take(closing)
        return last

    def chain(self, first: t.Value) -> t.Chain:
        """The relations that follow a value, at least one."""
        values, signs = [first], []
        while self.next() in RELATIONS:
            signs.append(RELATIONS[self.next()])
            self.at += 1
            values.append(self.value())
        if not signs:
            raise self.unread("a relation")
        return t.Chain(tuple(values), tuple(signs))

    def _applied(self) -> t.Value:
        """A function at all its indices."""
        special = {"P": listed.chance, "h": listed.complete, "g": listed.divided_at, "I": listed.bessel}.get(
            self.next()
        )
        if special is not None and (found := self.attempt(lambda: special(self))) is not None:
            return found
        if self.sees("e", "^") and self.kinds.get("e") != 0:
            self.at += 2
            return t.Euler(self.group(self.value))
        found_there = self.functional()
        if isinstance(found_there, t.Function):
            raise self.unread("an index")
        return found_there

    def function(self) -> t.Function:
        """Matrices side by side, their product; before a sequence, its image."""
        found = [self._one_function()]
        while self._factor_next():
            found.append(self._one_function())
        result = found.pop()
        while found:
            upper = found.pop()
            if upper.arity != 2 or result.arity not in (1, 2):
                raise Unread("a product of what are no matrices")
            result = t.Operator(result.arity, "product" if result.arity == 2 else "image", (upper, result))
        return result

    def _one_function(self) -> t.Function:
        found = self.functional()
        if isinstance(found, t.Value):
            raise self.unread("a function")
        return found

    def functional(self) -> t.Function | t.Value:
        """A letter or a notation with what is attached to it: depth, power, indices."""
        found, hole = self._base(), False
        while True:
            if isinstance(found, t.Value):
                if not self.sees("^", "{", r"\cdot"):
                    return found
                self.take("^", "{", r"\cdot", "}")
                return t.Maps(1, (_POWER,), t.Power(found, t.Apply(t.Letter(0, _POWER))))
            if self.sees("^", "{"):
                found = self._raised(found)
                hole = isinstance(found, t.Partial) and found.given[0] is None
            elif self.takes("_"):
                slots = self.group(self._slots)
                found, hole = _given(found, (None, *slots) if hole else slots), False
            elif _called(found) and (called := self.attempt(self._call)) is not None:
                found = _given(found, called)
            else:
                return found

    def _call(self) -> Slots:
        self.take("(")
        slots = self._slots()
        self.take(")")
        return slots

    def _base(self) -> t.Function | t.Value:
        for token, read in _FUNCTIONS.items():
            if self.sees(token):
                return read(self)
        if self.sees("F") and (found := self.attempt(lambda: notations.tail(self))) is not None:
            return found
        if self.sees("R", "["):
            self.take("R", "[")
            return t.Operator(3, "transition", notations.functions(self, "]"))
        if self.sees("g", "_") and (divided := self.attempt(lambda: notations.divided(self))) is not None:
            return divided
        if self.sees("("):
            return self._in_brackets()
        named = self.attempt(self.name)
        return self._letter(named) if named is not None else notations.scaled(self)

    def _letter(self, name: str) -> t.Function | t.Value:
        if name == "I" and "I" not in self.kinds:
            return t.Operator(2, "identity", ())
        arity = self.kinds.get(name)
        if arity is None and self.takes("_"):
            start = self.at - 1
            arity = len(self.group(self._slots))
            self.at = start
        return t.Letter(arity, name) if arity else t.Apply(t.Letter(0, name))

    def name(self) -> str:
        r"""A letter, \lambda, \mathrm{word}, {w_{1}}, {g^{*}}, with its primes."""
        token = self.next()
        if not token:
            raise self.unread("a letter")
        if self.takes("{"):
            found = self.name()
            if self.takes("^", "{", "*", "}", "}"):
                return found + "*"
            self.take("_", "{")
            found += self.next()
            if not self.next().isdigit():
                raise self.unread("digits")
            self.at += 1
            self.take("}", "}")
        elif self.takes(r"\mathrm", "{"):
            found = ""
            while not self.takes("}"):
                found += self.next()
                self.at += 1
        elif token in GREEK or token == r"\infty" or (len(token) == 1 and token.isascii() and token.isalpha()):
            found = token.removeprefix("\\")
            self.at += 1
        elif token.startswith(r"\text{"):
            found = of_text(token[6:-1])
            self.at += 1
        else:
            raise self.unread("a letter")
        while self.takes("'"):
            found += "'"
        return found

    def _slots(self) -> Slots:
        r"""Indices between commas; \cdot is one that stays open."""
        found: list[t.Value | None] = []
        while True:
            hole = self.sees(r"\cdot")
            self.at += hole
            found.append(None if hole else self.value())
            if not self.takes(","):
                return tuple(found)

    def _raised(self, base: t.Function) -> t.Function | t.Value:
        self.take("^", "{")
        depth = self.takes("(")
        hole = self.takes(r"\cdot")
        at = None if hole else self.value()
        if depth:
            self.take(")")
        self.take("}")
        if depth and isinstance(base, t.Operator) and base.name in _WITH_DEPTH:
            return _given(base, (at,))
        if base.arity != (3 if depth else 2):
            raise Unread("a depth or a power of what is no family or no matrix")
        return _given(t.Operator(3, "rollout" if depth else "power", (base,)), (at,))

    def _in_brackets(self) -> t.Function | t.Value:
        self.take("(")
        found: t.Function | t.Value | None = self.attempt(self._maps) or self.attempt(self._function_ended)
        if found is None:
            found = self.value()  # as the base of a power with an open exponent
        self.take(")")
        return found

    def _function_ended(self) -> t.Function:
        found = self.function()
        if not self.sees(")"):
            raise self.unread(")")
        return found

    def _maps(self) -> t.Function:
        params = [self.name()] if not self.takes("(") else self._params()
        self.take(r"\mapsto")
        with self.binding(*params):
            return t.Maps(len(params), tuple(params), self.value())

    def _params(self) -> list[str]:
        params = [self.name()]
        while self.takes(","):
            params.append(self.name())
        self.take(")")
        return params


_LISTED: dict[str, Callable[[Mathematics], t.Value]] = {
    "P": listed.chance, "h": listed.complete, "g": listed.divided_at, "I": listed.bessel,
}  # fmt: skip
_FIRST: dict[str, Callable[[Mathematics], t.Value]] = {
    r"\frac": Mathematics.fraction, r"\tfrac": Mathematics.fraction, r"\binom": Mathematics.choose,
    r"\sum": Mathematics.big, r"\prod": Mathematics.big, r"\ln": Mathematics.logarithm, r"\lvert": Mathematics.bars,
    r"\exp": Mathematics.exponential, r"\sqrt": Mathematics.root,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[[Mathematics], t.Function]] = {
    r"\mathsf": notations.sans, r"\overline": notations.accented, r"\widehat": notations.accented,
    r"\langle": notations.angles, r"\operatorname": notations.word,
}  # fmt: skip


def _called(found: t.Function) -> bool:
    """Whether the function takes its arguments in round brackets."""
    return isinstance(found, t.Maps) or (isinstance(found, t.Operator) and found.name == "tail")


def _given(function: t.Function, slots: Slots) -> t.Function | t.Value:
    """The function at the indices; those that are open or left out stay open."""
    if len(slots) > function.arity:
        raise Unread(f"{len(slots)} indices of a function of {function.arity}")
    given = tuple(x for x in slots if x is not None)
    if len(given) == function.arity:
        return t.Apply(function, given)
    return t.Partial(function.arity - len(given), function, (*slots, *[None] * (function.arity - len(slots))))


def _letters(node: object) -> set[str]:
    """The names of the letters without indices in a tree."""
    match node:
        case t.Apply(t.Letter(0, name), ()):
            return {name}
        case tuple():
            return set().union(*map(_letters, node)) if node else set()
        case t.Value() | t.Function():
            return set().union(*(_letters(getattr(node, f)) for f in node.__dataclass_fields__))
    return set()
