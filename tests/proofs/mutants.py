"""Single-point mutants of a derivation, each wrong in one place, and which of them the checker would accept.

A mutant changes one number, index, side, citation, part, multiplier, range bound or assumed label, or leaves one thing
out, or puts a step behind the first that cites it.  Names of bound variables and of last steps are left alone: nobody
cites them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from proofs import checker
from proofs.sameness import same
from proofs.scope import Scope
from proofs.statement import Statement
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
    nested,
)
from proofs.sums import Undecided
from proofs.term import Fn, Formula, Index, Relation, Term

__all__ = ["Mutant", "Replay", "changed_relations"]

Changed = Iterator[tuple[str, Any]]


class Replay:
    """A derivation that is accepted, and which changes to single steps of it would be accepted too.

    A step that was accepted is not checked again where it stands in the same region, under the same names, with the
    same formulas under the labels it cites.
    """

    def __init__(self, statement: Statement, earlier: dict[str, Formula]) -> None:
        self.root = Step(statement.id, statement.claim.closed(), Generalise(statement.claim.fix, statement.derivation))
        self.scopes: dict[int, Scope] = {}
        self._accepted: dict[object, Step] = {}
        self._numbers: dict[Formula, int] = {}
        self._cited: dict[int, frozenset[str]] = {}
        self._accept = checker._accept
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(checker, "_accept", self._record)
            checker.check(statement.derivation, statement.claim.closed(), statement.claim.fix, earlier)
        self.scope = next(iter(self.scopes.values()))  # that of the whole, the first to be recorded
        self.scopes[id(self.root)] = self.scope

    def _record(self, step: Step, scope: Scope) -> None:
        self.scopes[id(step)] = scope
        self._accept(step, scope)
        self._accepted[self._key(step, scope)] = step

    def _key(self, step: Step, scope: Scope) -> object:
        if id(step) not in self._cited:
            self._cited[id(step)] = frozenset(_labels(step))
        known = sorted(label for label in self._cited[id(step)] if label in scope.facts)
        facts = tuple((label, self._numbers.setdefault(scope.facts[label], len(self._numbers))) for label in known)
        return id(step), tuple(sorted(scope.names)), scope.region._forms, facts

    def _replayed(self, step: Step, scope: Scope) -> None:
        if id(step) not in self.scopes or self._key(step, scope) not in self._accepted:
            self._accept(step, scope)

    def accepts(self, step: Step, scope: Scope) -> bool:
        """Whether the checker accepts the step in the scope."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(checker, "_accept", self._replayed)
            try:
                checker._accept(step, scope)
            except (checker.Refused, Undecided):
                return False
        return True

    def idle(self) -> Iterator[str]:
        """Steps that are not the last of their block and that no later one cites."""
        for path, step in _steps_within(self.root):
            for block in nested(step):
                for position, inner in enumerate(block[:-1]):
                    if all(inner.label not in _labels(later) for later in block[position + 1 :]):
                        yield f"{path}/{inner.label}"

    def mutants(self) -> Iterator[Mutant]:
        """Every single change."""
        for path, step in _steps_within(self.root):
            scope = self.scopes[id(step)]
            if not nested(step) and not _general(step):
                for what, formula in changed_relations(step.formula):
                    yield Mutant(f"{path}: {what}", step, replace(step, formula=formula), scope)
            for what, reason in _reasons(step.reason, scope):
                yield Mutant(f"{path}: {what}", step, replace(step, reason=reason), scope)


@dataclass(frozen=True)
class Mutant:
    """A step with one thing wrong, and where it stands."""

    name: str
    step: Step
    changed: Step
    scope: Scope


def _general(step: Step) -> bool:
    """Whether the reason gives more than the step states: from what is absurd all follows, some number is beyond any
    value, and every exponential is positive.
    """
    positive = isinstance(step.formula, Relation) and step.formula.op == "<" and isinstance(step.reason, Exponential)
    return positive or isinstance(step.reason, Absurd | Archimedes)


def _steps_within(step: Step, path: str = "") -> Iterator[tuple[str, Step]]:
    here = f"{path}/{step.label}".strip("/")
    yield here, step
    for block in nested(step):
        for inner in block:
            yield from _steps_within(inner, here)


def _labels(node: Any) -> Iterator[str]:
    """Every label that a step or what is inside it cites."""
    match node:
        case Use(fact, _, _, _, given):
            yield fact
            yield from _labels(given)
        case Both(labels):
            yield from labels
        case Witness(_, label):
            yield label
        case tuple():
            yield from (label for entry in node for label in _labels(entry))
        case Step(_, _, reason):
            yield from _labels(reason)
        case Index() | Term() | Fn() | Formula():
            return
        case _ if is_dataclass(node):
            yield from (label for f in fields(node) for label in _labels(getattr(node, f.name)))


def _within(node: Any, change: Callable[[Any], Changed]) -> Changed:
    """``node`` with ``change`` made to one of its fields or entries."""
    if is_dataclass(node) and not isinstance(node, type):
        for f in fields(node):
            for what, new in change(getattr(node, f.name)):
                yield f"{f.name}.{what}", replace(node, **{f.name: new})
    elif isinstance(node, tuple):
        for position, entry in enumerate(node):
            for what, new in change(entry):
                yield f"{position}.{what}", (*node[:position], new, *node[position + 1 :])


def _leaves(node: Any) -> Changed:
    """One number or index changed."""
    match node:
        case Index():
            yield "index + 1", node + 1
        case Fraction():
            yield "number + 1", node + 1
        case _:
            yield from _within(node, _leaves)


def changed_relations(node: Any) -> Changed:
    """A side of a relation changed, or something inside it."""
    if not isinstance(node, Relation):
        yield from _within(node, changed_relations)
        return
    yield "left side + 1", replace(node, left=node.left + 1)
    if node.op == "=":
        yield "right side doubled", replace(node, right=2 * node.right + 1)
    else:
        yield "turned", Relation(node.op, node.right, node.left)
    yield from _within(node, _leaves)


# --- reasons --------------------------------------------------------------------------------------


def _left_out(node: tuple[Any, ...], of: str) -> Changed:
    for position in range(len(node)):
        yield f"{of} {position} left out", node[:position] + node[position + 1 :]


def _field(node: Any, name: str, changed: Changed) -> Changed:
    for what, new in changed:
        yield what, replace(node, **{name: new})


def _listed(node: Any, name: str, scope: Scope, change: Any) -> Changed:
    """One entry of a tuple field changed or left out."""
    entries = getattr(node, name)
    yield from _field(node, name, _left_out(entries, name))
    yield from _field(node, name, _within(entries, lambda entry: change(entry, scope)))


def _reasons(reason: Reason, scope: Scope) -> Changed:
    match reason:
        case Identity():
            yield from _listed(reason, "modulo", scope, _items)
        case Nonnegative():
            yield from _listed(reason, "products", scope, _items)
            yield from _listed(reason, "modulo", scope, _items)
        case Chain():
            yield from _listed(reason, "links", scope, _uses)
        case Instantiate():
            yield from _field(reason, "source", _uses(reason.source, scope))
        case Invert():
            yield from _field(reason, "positive", _uses(reason.positive, scope))
        case Compared():
            yield from _field(reason, "source", _uses(reason.source, scope))
        case Antisymmetry():
            yield from _field(reason, "upper", _uses(reason.upper, scope))
            yield from _field(reason, "lower", _uses(reason.lower, scope))
            yield "bounds exchanged", Antisymmetry(reason.lower, reason.upper)
        case Absurd():
            yield from _field(reason, "source", _uses(reason.source, scope))
            yield from _field(reason, "gap", _leaves(reason.gap))
        case Both(labels):
            yield from _field(reason, "labels", _left_out(labels, "label"))
            yield from (
                (f"label {label} unknown", Both(tuple(x + "?" if x == label else x for x in labels)))
                for label in labels
            )
        case Generalise(fix, steps):
            yield from _field(reason, "fix", _left_out(fix, "name"))
            yield from _field(reason, "steps", _blocks(steps))
        case Either(_, name, if_true, if_false):
            yield "case renamed", replace(reason, name=name + "?")
            yield from _field(reason, "if_true", _blocks(if_true))
            yield from _field(reason, "if_false", _blocks(if_false))
            yield "cases exchanged", replace(reason, if_true=if_false, if_false=if_true)
        case Exponential(_, positive):
            yield from _listed(reason, "modulo", scope, _items)
            yield from _field(reason, "positive", _uses(positive, scope)) if positive is not None else ()
        case Witness(at, label):
            yield "another label", replace(reason, label=label + "?")
            yield from _field(reason, "at", _leaves(at))
        case Obtain(source, _, label, steps):
            yield "fact renamed", replace(reason, label=label + "?")
            yield from _field(reason, "source", _uses(source, scope))
            yield from _field(reason, "steps", _blocks(steps))
        case Outside(name):
            yield "another fact", Outside(name + "?")
        case Cases():  # where the cases part is free: both sides are proved
            yield from _field(reason, "if_at_most", _blocks(reason.if_at_most))
            yield from _field(reason, "if_greater", _blocks(reason.if_greater))
            yield "cases exchanged", replace(reason, if_at_most=reason.if_greater, if_greater=reason.if_at_most)
        case Induction(hypothesis, base, steps):
            if hypothesis in _labels(steps):
                yield "hypothesis renamed", replace(reason, hypothesis=hypothesis + "?")
            yield from _field(reason, "base", _blocks(base))
            yield from _field(reason, "step", _blocks(steps))
            yield "base case left out", replace(reason, base=())
            yield "induction step left out", replace(reason, step=())
            yield "base and step exchanged", replace(reason, base=steps, step=base)


def _blocks(steps: tuple[Step, ...]) -> Changed:
    """A block without one step, or with one step renamed or put behind the first that cites it.

    A step that none cites is idle and left alone.
    """
    for position, step in enumerate(steps):
        before, rest = steps[:position], steps[position + 1 :]
        citing = next((p for p, later in enumerate(rest) if step.label in _labels(later)), None)
        if citing is not None or not rest:
            yield f"step {step.label} left out", before + rest
        if citing is not None:
            yield f"step {step.label} too late", (*before, *rest[: citing + 1], step, *rest[citing + 1 :])
            yield f"step {step.label} renamed", (*before, replace(step, label=step.label + "?"), *rest)


def _items(item: Item, scope: Scope) -> Changed:
    yield "multiplier doubled", replace(item, times=2 * item.times)
    yield "multiplier negative", replace(item, times=-item.times)
    yield from _field(item, "times", _leaves(item.times))
    yield from _listed(item, "uses", scope, _uses)
    yield from _field(item, "over", _within(item.over, _leaves))


def _uses(use: Use, scope: Scope) -> Changed:
    others = (label for label in scope.facts if not _says_the_same(label, use.fact, scope))
    for fact in ("not known yet", *islice(others, 1)):
        yield f"cites {fact}", replace(use, fact=fact)
    yield from _listed(use, "at", scope, lambda at, _: _leaves(at))
    yield from _listed(use, "given", scope, _uses)
    yield from _field(use, "fns", _left_out(use.fns, "function"))
    yield from _field(use, "parts", _within(use.parts, lambda part: iter([("renamed", part + "?")])))


def _says_the_same(first: str, second: str, scope: Scope) -> bool:
    if not {first, second} <= set(scope.facts):
        return first == second
    return same(scope.facts[first], scope.facts[second], scope.region)
