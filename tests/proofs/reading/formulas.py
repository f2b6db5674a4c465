"""A strict reader of formulas: relations in mathematics, quantifiers and properties in the words that displays use."""

from __future__ import annotations

from tests.proofs.reading import trees as t
from tests.proofs.reading.mathematics import Mathematics
from tests.proofs.reading.tokens import MARK

__all__ = ["Formulas"]

_KINDS = {
    "real number": 0, "sequence": 1, "matrix": 2, "family of matrices": 3, "double family of matrices": 4,
    "triple family of matrices": 5, "fourfold family of matrices": 6,
}  # fmt: skip
# The longest phrase first; "#" is an index.
_PROPERTIES = {
    "is a kernel , causal beyond position #": "causal beyond",
    "is a causal kernel": "causal",
    "is a kernel": "stochastic",
    "is stochastically monotone": "monotone",
    "is totally positive of order 2": "totally positive",
    "is nonnegative and positive on the diagonal": "scores",
    "is nonnegative and positive at distance 0": "distance weights",
    "is nondecreasing": "nondecreasing",
    "is positive": "positive",
    "tends to 0": "vanishing",
    "has an infinite sum": "unbounded",
    "has a finite sum": "summable",
    "settles from above": "settling",
    "stays above a positive number": "bounded away",
}


class Formulas(Mathematics):
    """Mathematics with words between."""

    def says(self, *words: str) -> bool:
        """Steps over the words if they are next."""
        found = self.sees(*(MARK + word for word in words))
        self.at += len(words) if found else 0
        return found

    def need(self, *words: str) -> None:
        """Steps over the words, which must be next."""
        if not self.says(*words):
            raise self.unread(f"'{' '.join(words)}'")

    def whole(self) -> t.Formula | t.Value:
        """Everything there is: a formula, or a value."""
        found: t.Formula | t.Value | None = self.attempt(self._ended_value)
        if found is None:
            found = self.formula()
            self.end()
        return found

    def _ended_value(self) -> t.Value:
        found = self.value()
        self.end()
        return found

    def end(self) -> None:
        """Nothing is left, save a full stop or a comma."""
        self.takes(".") or self.takes(",") or self.says(".")
        if self.next():
            raise self.unread("the end")

    def formula(self) -> t.Formula:
        """If ... then ..., or quantified, or parts with ';' between."""
        if self.says("if"):
            return self._implication()
        if self.says("for", "every"):
            return self._every_function("every")
        if self.says("for", "some"):
            kind = self._kind()
            return self._for_some() if kind is None else self._every_function("some", kind)
        parts = [self.part()]
        while self.says(";"):
            last = self.says("and")
            parts.append(self.part())
            if last:
                break
        return parts[0] if len(parts) == 1 else t.Several(tuple(parts))

    def part(self) -> t.Formula:
        """A formula inside another one: in brackets, or one relation or property with its ranges."""
        if self.says("("):
            found = self.formula()
            self.need(")")
            return found
        if self.says("for"):
            ranges = self.ranges()
            self.need(":")
            with self.binding(*(r.var for r in ranges)):
                body = self.formula()
            return _every("every", ranges, body)
        return self._with_ranges()

    def _with_ranges(self) -> t.Formula:
        """What stands before "for" is read when the indices behind it are known."""
        start = self.at
        found = self.attempt(self.atom)
        if found is None or not self.says("for"):
            self.at = start
            return self.atom()
        ranges = self.ranges()
        end = self.at
        self.at = start
        with self.binding(*(r.var for r in ranges)):
            body = self.atom()
        self.at = end
        return _every("every", ranges, body)

    def _implication(self) -> t.Formula:
        hypotheses = [self.part()]
        while self.says("and"):
            hypotheses.append(self.part())
        self.need(",", "then")
        body = self.formula()
        for hypothesis in reversed(hypotheses):
            body = t.If(hypothesis, body)
        return body

    def _kind(self) -> str | None:
        return next((k for k in _KINDS if self.says(*k.split())), None)

    def _every_function(self, word: str, kind: str | None = None) -> t.Formula:
        kind = kind or self._kind()
        if kind is None:
            raise self.unread("a kind of function")
        name = self.name()
        self.need(":")
        outer = self.kinds
        self.kinds = {**outer, name: _KINDS[kind]}
        body = self.formula()
        self.kinds = outer
        return t.EveryFunction(word, name, _KINDS[kind], body)

    def _for_some(self) -> t.Formula:
        (one,) = self.range()
        self.need(":")
        with self.binding(one.var):
            return t.Every("some", one, self.formula())

    # --- ranges -----------------------------------------------------------------------------------------------------

    def ranges(self) -> list[t.Range]:
        """Ranges between commas, each bound for those behind it."""
        outer, found = self.kinds, self.range()
        while self.takes(","):
            self.kinds = {**self.kinds, **{r.var: 0 for r in found}}
            found += self.range()
        self.kinds = outer
        return found

    def range(self) -> list[t.Range]:
        r"""1\le i,\,k\le n, or i,\,k\ge 0."""
        above = self.attempt(self._above)
        if above is not None:
            return above
        low = self.value()
        self.take(r"\le")
        names = self._names()
        self.take(r"\le")
        high = self.value()
        return [t.Range(name, low, high) for name in names]

    def _above(self) -> list[t.Range]:
        names = self._names()
        self.take(r"\ge")
        low = self.value()
        return [t.Range(name, low, None) for name in names]

    def _names(self) -> list[str]:
        found = [self.name()]
        while self.takes(","):
            found.append(self.name())
        return found

    # --- relations and properties -----------------------------------------------------------------------------------

    def atom(self) -> t.Formula:
        """A chain of relations, or a property of functions."""
        found = self.attempt(self._property)
        return found if found is not None else self.chain(self.value())

    def _property(self) -> t.Holds:
        function = self.function()
        if self.takes(r"\preceq"):
            return t.Holds("below", (function, self.function()))
        for phrase, name in _PROPERTIES.items():
            words = phrase.removesuffix(" #").split()
            if self.says(*words):
                return t.Holds(name, (function,), (self.value(),) if phrase.endswith("#") else ())
        raise self.unread("a property")


def _every(word: str, ranges: list[t.Range], body: t.Formula) -> t.Formula:
    for one in reversed(ranges):
        body = t.Every(word, one, body)
    return body
