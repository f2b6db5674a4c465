"""Every single-point mutant of every derivation is refused, unless it says the same in plain arithmetic.

A mutant that is accepted has to be harmless: what is stated, or the sum of the certificate, has the same values.  So it
is with a multiplier of a difference that is 0, with a sum to n + 1 whose last term is empty, with an entry of P^(0).
Every other mutant has to be refused.  Where a proof is divided into cases is free, and so are names that nobody cites.

Of long derivations the mutants are sampled, a few of each certificate, and evenly where that still leaves too many;
POSBIAS_ALL_MUTANTS=1 tries all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import groupby, islice, product

import pytest

from proofs import leaves
from proofs.ledger import LEDGER, earlier_claims
from proofs.notation import unfold_property
from proofs.scope import Scope
from proofs.statement import Claim
from proofs.steps import Chain, Generalise, Identity, Instantiate, Item, Nonnegative, Step, Use, Witness
from proofs.substitute import substitute
from proofs.term import And, Exists, ExistsFn, ForAll, ForAllFn, Formula, Implies, Index, Plus, Relation, Term
from proofs.twins import drop_hypothesis, restate
from tests.proofs.mutants import Mutant, Replay
from tests.proofs.plain import Function, integer, noise, value

LONG, OF_EACH, MOST = 400, 3, 400
ALL = "POSBIAS_ALL_MUTANTS" in os.environ


@cache
def replay(name: str) -> Replay:
    return Replay(LEDGER[name], earlier_claims(name))


def ids(kind: str) -> list[object]:
    return [pytest.param(name, id=f"{name}-{kind}") for name in LEDGER]


@pytest.mark.parametrize("name", ids("mutants"))
def test_every_mutant_is_refused_or_says_the_same(name: str) -> None:
    assert replay(name).accepts(replay(name).root, replay(name).scope)
    tried = _sampled(list(replay(name).mutants()))
    wrong = [m.name for m in tried if replay(name).accepts(m.changed, m.scope) and not _harmless(m)]
    assert not wrong
    assert len(tried) >= 40


def _sampled(mutants: list[Mutant]) -> list[Mutant]:
    if len(mutants) <= LONG or ALL:
        return mutants
    chosen: list[Mutant] = []
    for _, of_step in groupby(mutants, key=lambda m: id(m.step)):
        group = list(of_step)
        leaf = isinstance(group[0].step.reason, Identity | Nonnegative | Chain)
        chosen += group[:: max(1, len(group) // OF_EACH)] if leaf else group
    return chosen[:: -(-len(chosen) // MOST)]


def _harmless(mutant: Mutant) -> bool:
    """Whether the mutant states, cites or adds up the same, wherever plain arithmetic looks."""
    points = list(islice(_points(mutant.scope), 6))
    functions = {name: noise(name, 0) for name, takes in mutant.scope.names.items() if takes is not None}
    certified = mutant.step.formula == mutant.changed.formula
    if not points or (certified and not isinstance(mutant.step.reason, Identity | Nonnegative | Chain | Instantiate)):
        return False
    old, new = (_Reading(step, mutant.scope, certified) for step in (mutant.step, mutant.changed))
    old.formula, new.formula = _where_they_differ(old.formula, new.formula)
    return all(old.values(point, functions) == new.values(point, functions) for point in points)


def _where_they_differ(old: Formula, new: Formula) -> tuple[Formula, Formula]:
    """The one part of a conjunction that is not the same in both; what is the same has the same values."""
    if isinstance(old, And) and isinstance(new, And) and len(old.parts) == len(new.parts):
        different = [(a, b) for (_, a), (_, b) in zip(old.parts, new.parts, strict=True) if a != b]
        if len(different) == 1:
            return _where_they_differ(*different[0])
    return old, new


def _points(scope: Scope) -> Iterator[dict[str, int]]:
    """Small integers for the indices that are fixed, within what is known of them, large n first."""
    names = sorted(name for name, takes in scope.names.items() if takes is None)
    for values in product(range(4, -1, -1), repeat=len(names)):
        point = dict(zip(names, values, strict=True))
        if all(integer(form, point) <= 0 for form in scope.region._forms):
            yield point


class _Reading:
    """The values that a step speaks of: right side minus left side of what it states or cites, or the sum of its
    certificate.
    """

    def __init__(self, step: Step, scope: Scope, certified: bool) -> None:
        self.formula: Formula = _at_witness(step)
        self.certificate: Term | None = None
        if certified and isinstance(step.reason, Instantiate):
            self.formula = leaves.cite(step.reason.source, scope)
        elif certified:
            peeled = leaves._peeled(step.formula, scope)
            assert peeled is not None
            self.certificate = _certificate(step, *peeled)

    def values(self, ints: dict[str, int], functions: dict[str, Function]) -> list[object]:
        return list(self._read(self.formula, ints, functions))

    def _read(self, formula: Formula, ints: dict[str, int], functions: dict[str, Function]) -> Iterator[object]:
        match unfold_property(formula):
            case Relation(op, left, right):
                yield op, value(right - left if self.certificate is None else self.certificate, ints, functions)
            case ForAll(rng, body) | Exists(rng, body):
                low = integer(rng.low, ints)
                high = low + 1 if rng.high is None else integer(rng.high, ints)
                for v in range(low, high + 1):
                    yield from self._read(body, {**ints, rng.var: v}, functions)
            case ForAllFn(symbol, body) | ExistsFn(symbol, body):
                yield from self._read(body, ints, {**functions, symbol.name: noise(symbol.name, 0)})
            case And(parts):
                for _, part in parts:
                    yield from self._read(part, ints, functions)
            case Implies(hypothesis, body):
                yield from self._read(hypothesis, ints, functions)
                yield from self._read(body, ints, functions)


def _at_witness(step: Step) -> Formula:
    """What a step states; of a thing that it says there is, what it states of the witness."""
    match step.formula, step.reason:
        case Exists(rng, body), Witness(Index() as at, _):
            return substitute(body, {rng.var: at}, {})
    return step.formula


def _certificate(step: Step, relation: Relation, scope: Scope) -> Term:
    match step.reason:
        case Identity(modulo):
            products: tuple[Item, ...] = ()
        case Nonnegative(products, modulo):
            pass
        case Chain(links):
            products, modulo = tuple(Item((link,)) for link in links), ()
        case _:
            raise TypeError(f"no certificate: {step.label}")
    items = [leaves._item(item, scope, nonnegative=relation.op != "=") for item in products]
    return Plus(tuple(items + [leaves._item(item, scope, nonnegative=False) for item in modulo]))


# Lemmas of one shape give more than each of their users asks for.
IDLE = {"S6", "D3", "D4"}


@pytest.mark.parametrize("name", [*ids("idle-steps")])
def test_every_step_is_cited(name: str) -> None:
    idle = list(replay(name).idle())
    assert not idle or name in IDLE


# --- the whole statement --------------------------------------------------------------------------


def refused(steps: tuple[Step, ...], claim: Claim, name: str) -> bool:
    """Whether the checker refuses the claim of a statement, or what is put in its place, with these steps."""
    changed = Step(name, claim.closed(), Generalise(claim.fix, steps))
    return not replay(name).accepts(changed, replay(name).scope)


@pytest.mark.parametrize("name", ids("swapped-claims"))
def test_no_derivation_proves_the_claim_of_its_neighbour(name: str) -> None:
    names = list(LEDGER)
    other, statement = LEDGER[names[names.index(name) - 1]], LEDGER[name]
    assert refused(statement.derivation, other.claim, name)
    assert refused(other.derivation, statement.claim, name)


HYPOTHESES = [
    pytest.param(name, label, id=f"{name}-without-{label}")
    for name, statement in LEDGER.items()
    for label, _ in statement.claim.hypotheses
]


@pytest.mark.parametrize(("name", "label"), HYPOTHESES)
def test_no_derivation_does_without_a_hypothesis(name: str, label: str) -> None:
    statement = LEDGER[name]
    weaker = statement.claim.without(label)
    assert refused(statement.derivation, weaker, name)
    assert refused(drop_hypothesis(statement.derivation, weaker, label), weaker, name)


@pytest.mark.parametrize("name", ids("stronger-claim"))
def test_no_derivation_proves_more_than_it_states(name: str) -> None:
    """The claim with 1 added to a left side, at the end alone or wherever the end is stated."""
    statement = LEDGER[name]
    for part in statement.claim.parts:
        wrong = replace(part, asserts=_raised(part.asserts))
        claim = replace(statement.claim, parts=tuple(wrong if p == part else p for p in statement.claim.parts))
        assert refused(statement.derivation, claim, name)
        assert refused(restate(statement.derivation, claim.conclusion), claim, name)


def _raised(formula: Formula) -> Formula:
    """Every relation with 1 added to its left side."""
    match unfold_property(formula):
        case Relation(op, left, right):
            return Relation(op, left + 1, right)
        case ForAll(rng, body) | Exists(rng, body) as quantified:
            return type(quantified)(rng, _raised(body))
        case ForAllFn(symbol, body) | ExistsFn(symbol, body) as quantified:
            return type(quantified)(symbol, _raised(body))
        case And(parts):
            return And(tuple((name, _raised(part)) for name, part in parts))
        case Implies(hypothesis, body):
            return Implies(hypothesis, _raised(body))
    raise TypeError(f"no relation: {formula}")


@pytest.mark.parametrize("name", ids("forward-reference"))
def test_no_statement_is_proved_from_itself_or_a_later_one(name: str) -> None:
    """Every label that a derivation cites from outside is a statement before it."""
    names = list(LEDGER)
    assert list(earlier_claims(name)) == names[: names.index(name)]
    statement = LEDGER[name]
    circular = Step("whole", statement.claim.conclusion, Chain((Use(name),)))
    assert refused((circular,), statement.claim, name)
