"""A derivation as a list of entries: what a step states, in which scope of indices, and why it holds.

An entry's facts are earlier entries, whose scopes are a beginning of its own.  A step that only collects what steps
inside it prove (a generalisation, a division into cases, an induction) states its formula without a reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from proofs.cited import cited
from proofs.notation import unfold_property
from proofs.sameness import opposite
from proofs.statement import Statement
from proofs.steps import (
    Absurd,
    Antisymmetry,
    Both,
    Cases,
    Chain,
    Compared,
    Either,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Invert,
    Item,
    Nonnegative,
    Obtain,
    Reason,
    Step,
    Use,
    cited_facts,
)
from proofs.substitute import substitute
from proofs.term import Exists, ExistsFn, ForAll, ForAllFn, Formula, Implies, Index, Symbol, index

__all__ = ["By", "Entry", "Place", "entries"]


@dataclass(frozen=True)
class By:
    """A reason: a sum of products that are >= 0 and of multiples that are 0, or a rule with its citations."""

    rule: str
    products: tuple[Item, ...] = ()
    modulo: tuple[Item, ...] = ()
    uses: tuple[Use, ...] = ()


@dataclass(frozen=True)
class Place:
    """A range that a scope adds: of a name, or without a name only asked to be not empty."""

    var: str | None
    low: Index
    high: Index | None


@dataclass(frozen=True)
class Entry:
    """``facts``: for the labels that it cites, the names of entries; ``known``: what these state."""

    label: str
    scope: tuple[Place, ...]
    says: Formula
    by: By | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Formula] = field(default_factory=dict)


def entries(statement: Statement, earlier: Mapping[str, Formula]) -> list[Entry]:
    """The hypotheses, every step, the closed claim under the statement's id, and once more what it says when filled."""
    return _Entries(statement, earlier).found


@dataclass(frozen=True)
class _Scope:
    """Where a step stands: index ranges, and by label the entries that are known."""

    places: tuple[Place, ...]
    facts: Mapping[str, Entry]

    def within(self, var: str | None, low: Index, high: Index | None) -> _Scope:
        return replace(self, places=(*self.places, Place(var, low, high)))

    def know(self, label: str, entry: Entry) -> _Scope:
        return replace(self, facts={**self.facts, label: entry})


class _Entries:
    def __init__(self, statement: Statement, earlier: Mapping[str, Formula]) -> None:
        claim, self.id, self.found = statement.claim, statement.id, list[Entry]()
        self.labels = set[str]()
        scope = _Scope((), {name: Entry(name, (), formula) for name, formula in earlier.items()})
        for rng in claim.indices:
            scope = scope.within(rng.var, rng.low, rng.high)
        self.hypotheses = {
            label: self.add(f"{self.id}/given/{label}", scope, formula) for label, formula in claim.hypotheses
        }
        self.steps(self.id, statement.derivation, scope)
        scope = scope.know(self.id, self.add(self.id, _Scope((), {}), claim.closed()))
        # the closed claim is read again by what it says of any functions and indices, as the last step does
        filled = Use(self.id, at=tuple(index(rng.var) for rng in claim.indices), fns=claim.symbols)
        self.add(f"{self.id}/closed", scope, claim.conclusion, By("same", uses=(filled,)))

    def add(self, label: str, scope: _Scope, says: Formula, by: By | None = None) -> Entry:
        """A new entry; where a label was there before, as in the two branches of cases, it is numbered."""
        name = next(n for n in _numbered(label) if n not in self.labels)
        self.labels.add(name)
        cited = sorted(set(_labels(by))) if by else []
        known = {x: scope.facts[x] for x in cited}
        facts = {x: entry.label for x, entry in known.items()}
        self.found.append(Entry(name, scope.places, says, by, facts, {x: entry.says for x, entry in known.items()}))
        return self.found[-1]

    def steps(self, path: str, steps: Sequence[Step], scope: _Scope) -> None:
        for step in steps:
            label = f"{path}/{step.label}"
            self.inside(label, step.formula, step.reason, scope)
            scope = scope.know(step.label, self.add(label, scope, step.formula, _by(step.reason)))

    def inside(self, path: str, formula: Formula, reason: Reason, scope: _Scope) -> None:
        """The steps inside a step."""
        match reason:
            case Generalise(fix, steps):
                self.steps(path, steps, self.opened(path, formula, fix, scope))
            case Cases(left, right, if_at_most, if_greater):
                self.steps(f"{path}/at most", if_at_most, scope.within(None, left, right))
                self.steps(f"{path}/greater", if_greater, scope.within(None, right + 1, left))
            case Either(claim, name, if_true, if_false):
                self.branch(path, "so", name, claim, if_true, scope)
                if (denied := opposite(claim)) is not None:
                    self.branch(path, "not so", name, denied, if_false, scope)
            case Obtain(source, name, label, steps):
                self.obtained(path, source, name, label, steps, scope)
            case Induction(hypothesis, base, steps):
                self.induction(path, unfold_property(formula), hypothesis, base, steps, scope)

    def branch(self, path: str, case: str, name: str, known: Formula, steps: Sequence[Step], scope: _Scope) -> None:
        """The steps of one case, with what it assumes."""
        inner = f"{path}/{case}"
        self.steps(inner, steps, scope.know(name, self.add(f"{inner}/{name}", scope, known)))

    def obtained(self, path: str, source: Use, name: str, label: str, steps: Sequence[Step], scope: _Scope) -> None:
        """The steps after something that exists was given a name."""
        formula, _ = cited(source, {fact: entry.says for fact, entry in scope.facts.items()})
        match None if formula is None else unfold_property(formula):
            case Exists(rng, body):
                scope = scope.within(name, rng.low, rng.high)
                body = substitute(body, {rng.var: index(name)}, {})
            case ExistsFn(symbol, body):
                body = substitute(body, {}, {symbol.name: Symbol(name, symbol.arity)})
            case _:
                raise ValueError(f"Argument 'source' must say that something exists, not {source.fact!r}.")
        self.steps(path, steps, scope.know(label, self.add(f"{path}/{label}", scope, body)))

    def induction(
        self, path: str, formula: Formula, name: str, base: Sequence[Step], steps: Sequence[Step], scope: _Scope
    ) -> None:
        assert isinstance(formula, ForAll)
        rng = formula.range
        self.steps(f"{path}/base", base, scope if rng.high is None else scope.within(None, rng.low, rng.high))
        below = scope.within(rng.var, rng.low, None if rng.high is None else rng.high - 1)
        known = self.add(f"{path}/step/{name}", below, formula.body)
        self.steps(f"{path}/step", steps, below.know(name, known))

    def opened(self, path: str, formula: Formula, fix: Sequence[str], scope: _Scope) -> _Scope:
        """The scope with what the formula quantifies over fixed and its hypotheses assumed, under the names ``fix``."""
        for name in fix:
            match unfold_property(formula):
                case ForAll(rng, body):
                    formula = substitute(body, {rng.var: index(name)}, {})
                    scope = scope.within(name, rng.low, rng.high)
                case ForAllFn(symbol, body):
                    formula = substitute(body, {}, {symbol.name: Symbol(name, symbol.arity)})
                case Implies(hypothesis, body):
                    given = self.hypotheses.get(name)
                    if given is None or given.says != hypothesis:
                        given = self.add(f"{path}/{name}", scope, hypothesis)
                    scope, formula = scope.know(name, given), body
        return scope


def _numbered(label: str) -> Iterator[str]:
    yield label
    count = 1
    while True:
        yield f"{label} ({(count := count + 1)})"


def _by(reason: Reason) -> By | None:
    """The reason of a step that has none inside it."""
    match reason:
        case Identity(modulo):
            return By("sum", modulo=modulo)
        case Nonnegative(products, modulo):
            return By("sum", products, modulo)
        case Chain(links):
            return By("sum", tuple(Item((link,)) for link in links))
        case Invert(positive):
            return By("inverse", uses=(positive,))
        case Compared(source):
            return By("compared", uses=(source,))
        case Antisymmetry(upper, lower):
            return By("between", uses=(upper, lower))
        case Absurd(source):
            return By("absurd", uses=(source,))
        case Instantiate(source):
            return By("same", uses=(source,))
        case Both(labels):
            return By("both", uses=tuple(map(Use, labels)))
        case Generalise() | Cases() | Induction() | Either() | Obtain():
            return None
    return By(type(reason).__name__)


def _labels(by: By) -> Iterator[str]:
    yield from cited_facts((*by.products, *by.modulo, *by.uses))
