"""The trusted core: accepts or refuses one step of a derivation at a time.  Nothing else decides "proved".

What is trusted: this file with scope.py, sameness.py and wellformed.py, the normal form of sums.py with region.py,
substitution (substitute.py) and the definitions of notation.py.  Everything else only proposes steps.

Rules.  *Identity*, *nonnegative* and *chain* are certificates: the difference of the two sides equals a sum of cited
multiples, decided by the normal form; splitting a range, shifting an index, exchanging sums and telescoping are
equalities of normal forms and need no rule of their own.  *Instantiate* specialises a fact and discharges its
hypotheses.  *Both*, *generalise*, *cases*, *either*, *witness*, *obtain* and *induction* are the logical skeleton:
limits are spelt out with quantifiers and need no rule of their own either.  *Archimedes* says that no real number is
beyond all natural ones; *outside* takes a fact from the literature, which the report then names.  A formula that cannot
be decided is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from proofs.leaves import absurd, antisymmetry, certificate, cite, compared, exponential, in_range, invert
from proofs.notation import arity, number, unfold_property
from proofs.outside import OUTSIDE
from proofs.region import Region, at_most
from proofs.sameness import opposite, same
from proofs.scope import Refused, Scope
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
    Step,
    Use,
    Witness,
)
from proofs.substitute import free_names, substitute
from proofs.sums import Undecided
from proofs.term import (
    And,
    Exists,
    ExistsFn,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Implies,
    Index,
    Range,
    Relation,
    Symbol,
    index,
)

__all__ = ["Refused", "check"]


def check(steps: tuple[Step, ...], goal: Formula, fix: tuple[str, ...], earlier: Mapping[str, Formula]) -> None:
    """Accept a derivation of ``goal`` from ``earlier`` statements, or raise `Refused`.

    ``fix`` names, in order, the functions and indices that the goal quantifies over and its hypotheses.
    """
    positive = Region().add(at_most(Index((), 1), index("n")))
    assert positive is not None
    _accept(Step("claim", goal, Generalise(fix, steps)), Scope(positive, {"n": None}, dict(earlier)))


def _prove(steps: tuple[Step, ...], goal: Formula, scope: Scope) -> None:
    """The steps in order; the last must state the goal."""
    if not steps:
        raise Refused("no steps")
    for step in steps:
        try:
            _accept(step, scope)
            scope = scope.know(step.label, step.formula)
        except (Refused, Undecided) as why:
            raise Refused(f"{step.label}: {why}") from None
    if not same(steps[-1].formula, goal, scope.region):
        raise Refused(f"{steps[-1].label}: the last step does not state what was to be proved")


# --- the rules ------------------------------------------------------------------------------------


def _accept(step: Step, scope: Scope) -> None:
    scope.known(step.formula)
    match step.reason:
        case Identity(modulo):
            certificate(step.formula, scope, (), modulo)
        case Nonnegative(products, modulo):
            certificate(step.formula, scope, products, modulo)
        case Invert(positive):
            invert(step.formula, positive, scope)
        case Antisymmetry(upper, lower):
            antisymmetry(step.formula, upper, lower, scope)
        case Absurd(source, gap):
            absurd(source, gap, scope)
        case Compared(source):
            compared(step.formula, source, scope)
        case Chain(links):
            certificate(step.formula, scope, tuple(Item((link,)) for link in links), ())
        case Instantiate(source):
            if not same(cite(source, scope), step.formula, scope.region):
                raise Refused(f"'{source.fact}' says something else")
        case Both(labels):
            _both(step.formula, labels, scope)
        case Generalise(fix, steps):
            _generalise(step.formula, fix, steps, scope)
        case Cases(left, right, if_at_most, if_greater):
            scope.known(left, right)
            for (low, high), steps in (((left, right), if_at_most), ((right + 1, left), if_greater)):
                region = scope.region.add(at_most(low, high))
                if region is not None:
                    _prove(steps, step.formula, replace(scope, region=region))
        case Either(claim, name, if_true, if_false):
            scope.known(claim)
            denied = opposite(claim)
            if denied is None:
                raise Refused("either or: not a claim with an opposite")
            _prove(if_true, step.formula, scope.know(name, claim))
            _prove(if_false, step.formula, scope.know(name, denied))
        case Exponential(modulo, positive):
            exponential(step.formula, modulo, positive, scope)
        case Archimedes():
            _archimedes(step.formula)
        case Outside(name):
            if name not in OUTSIDE or not same(OUTSIDE[name].formula, step.formula, scope.region):
                raise Refused(f"'{name}' is no classical fact that says this")
        case Witness(at, label):
            _witness(step.formula, at, label, scope)
        case Obtain(source, name, label, steps):
            _obtain(step.formula, source, name, label, steps, scope)
        case Induction(hypothesis, base, steps):
            _induction(step.formula, hypothesis, base, steps, scope)
        case _:
            raise Refused(f"no rule {type(step.reason).__name__}")


def _both(formula: Formula, labels: tuple[str, ...], scope: Scope) -> None:
    formula = unfold_property(formula)
    if not isinstance(formula, And) or len(formula.parts) != len(labels):
        raise Refused("not a conjunction of so many parts")
    for (name, part), label in zip(formula.parts, labels, strict=True):
        if label not in scope.facts or not same(scope.facts[label], part, scope.region):
            raise Refused(f"part '{name}' is not what '{label}' states")


def _generalise(formula: Formula, fix: tuple[str, ...], steps: tuple[Step, ...], scope: Scope) -> None:
    for name in fix:
        formula = unfold_property(formula)
        match formula:
            case ForAll(rng, body):
                formula = substitute(body, {rng.var: index(name)}, {})
                inside = scope.within(rng, name)
                if inside is None:
                    return
                scope = inside
            case ForAllFn(symbol, body):
                formula = substitute(body, {}, {symbol.name: Symbol(name, symbol.arity)})
                scope = scope.fix(name, symbol.arity)
            case Implies(hypothesis, body):
                scope, formula = scope.know(name, hypothesis), body
            case _:
                raise Refused(f"nothing to fix or assume as '{name}'")
    _prove(steps, formula, scope)


def _witness(formula: Formula, at: Index | Fn, label: str, scope: Scope) -> None:
    scope.known(at)
    match unfold_property(formula), at:
        case Exists(rng, body), Index():
            in_range(at, rng, scope.region)
            wanted = substitute(body, {rng.var: at}, {})
        case ExistsFn(symbol, body), Fn() if arity(at) == symbol.arity:
            wanted = substitute(body, {}, {symbol.name: at})
        case _:
            raise Refused("nothing of this kind is claimed to exist")
    if label not in scope.facts or not same(scope.facts[label], wanted, scope.region):
        raise Refused(f"'{label}' does not say this of the witness")


def _obtain(formula: Formula, source: Use, name: str, label: str, steps: tuple[Step, ...], scope: Scope) -> None:
    match unfold_property(cite(source, scope)):
        case Exists(rng, body):
            inside = scope.within(rng, name)
            if inside is None:  # nothing is in an empty range, so the fact that something is there proves all
                return
            known = substitute(body, {rng.var: index(name)}, {})
        case ExistsFn(symbol, body):
            inside = scope.fix(name, symbol.arity)
            known = substitute(body, {}, {symbol.name: Symbol(name, symbol.arity)})
        case _:
            raise Refused(f"'{source.fact}' does not say that something exists")
    _prove(steps, formula, inside.know(label, known))


def _archimedes(formula: Formula) -> None:
    match formula:
        case Exists(Range(var, Index((), 0), None), Relation("<=", value, bound)) if bound == number(var):
            if var not in free_names(value):
                return
    raise Refused("not that some natural number is at least a value")


def _induction(
    formula: Formula, hypothesis: str, base: tuple[Step, ...], steps: tuple[Step, ...], scope: Scope
) -> None:
    formula = unfold_property(formula)
    if not isinstance(formula, ForAll):
        raise Refused("induction needs a statement for every integer of a range")
    rng, body = formula.range, formula.body

    def at(value: Index) -> Formula:
        return substitute(body, {rng.var: value}, {})

    high = rng.high if rng.high is not None else rng.low
    region = scope.region.add(at_most(rng.low, high))
    if region is None:
        return
    _prove(base, at(rng.low), replace(scope, region=region))
    below = scope.within(Range(rng.var, rng.low, None if rng.high is None else rng.high - 1))
    if below is not None:
        _prove(steps, at(index(rng.var) + 1), below.know(hypothesis, body))
