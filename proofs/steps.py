"""Derivations as data: what a step states and the reason it gives.  Nothing here decides anything; checker.py does.

A step states a formula under a label and gives one reason.  Facts (hypotheses, earlier steps, earlier statements) are
cited by label.  A certificate is a list of items; each item is a sum over further indices of a multiplier times cited
differences (right side minus left side), so a referee sees exactly which hypothesis enters, at which indices, with
which factor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction

from proofs.term import Fn, Formula, Index, Num, Range, Relation, Term, as_index, as_term

__all__ = [
    "Absurd",
    "Antisymmetry",
    "Archimedes",
    "Both",
    "Cases",
    "Chain",
    "Compared",
    "Either",
    "Exponential",
    "Generalise",
    "Identity",
    "Induction",
    "Instantiate",
    "Invert",
    "Item",
    "Nonnegative",
    "Obtain",
    "Outside",
    "Reason",
    "Step",
    "Use",
    "Witness",
    "cited_facts",
    "count_steps",
    "item",
    "nested",
    "real_cases",
    "use",
]

ONE = Num(Fraction(1))


@dataclass(frozen=True)
class Use:
    """A cited fact at given indices: quantifiers are filled in order from ``fns`` and ``at``, conjunctions by
    ``parts``, implications by the facts ``given``."""

    fact: str
    parts: tuple[str, ...] = ()
    at: tuple[Index, ...] = ()
    fns: tuple[Fn, ...] = ()
    given: tuple[Use, ...] = ()


@dataclass(frozen=True)
class Item:
    """The sum over ``over`` of ``times`` and of the differences (right - left) of ``uses``, multiplied."""

    uses: tuple[Use, ...]
    times: Term = ONE
    over: tuple[Range, ...] = ()


@dataclass(frozen=True)
class Identity:
    """left = right, because left - right is the sum of the items; each item cites one equation, so each is zero."""

    modulo: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Nonnegative:
    """left <= right, because right - left is a sum of products of values known to be nonnegative (and of zero items);
    left < right, if one of the products is positive.
    """

    products: tuple[Item, ...]
    modulo: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Invert:
    """x * (1 / x) = 1, or 0 < 1 / x, because ``positive`` says 0 < x."""

    positive: Use


@dataclass(frozen=True)
class Chain:
    """left <= right or left = right, link by link: the cited relations add up to it."""

    links: tuple[Use, ...]


@dataclass(frozen=True)
class Instantiate:
    """The cited fact, specialised; its hypotheses are discharged by cited facts."""

    source: Use


@dataclass(frozen=True)
class Both:
    """Every part of a conjunction, each the cited step."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class Generalise:
    """Fix what the formula quantifies over and assume its hypotheses, under the names ``fix`` in order; then the
    steps prove what remains."""

    fix: tuple[str, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Cases:
    """Prove the formula once where left <= right and once where left > right."""

    left: Index
    right: Index
    if_at_most: tuple[Step, ...]
    if_greater: tuple[Step, ...]


@dataclass(frozen=True)
class Compared:
    """[x <= y] = 1 because ``source`` says x <= y, or [x <= y] = 0 because it says y < x."""

    source: Use


@dataclass(frozen=True)
class Antisymmetry:
    """left = right, because the cited relations say left <= right and right <= left."""

    upper: Use
    lower: Use


@dataclass(frozen=True)
class Absurd:
    """Anything, because ``source`` is false: right - left is the number ``gap`` < 0, or 0 where it is strict."""

    source: Use
    gap: Fraction


@dataclass(frozen=True)
class Exponential:
    """What is known of exp and ln: 0 < exp x; exp x = 1, exp x exp y = exp z, exp x = exp y, 1 + x <= exp y where the
    exponents agree, because their difference is the sum of the items; exp ln x = x, because ``positive`` says 0 < x.
    """

    modulo: tuple[Item, ...] = ()
    positive: Use | None = None


@dataclass(frozen=True)
class Archimedes:
    """Some natural number is at least the value."""


@dataclass(frozen=True)
class Outside:
    """A classical fact that is taken from the literature under its name, not proved; a report lists it."""

    name: str


@dataclass(frozen=True)
class Witness:
    """There is such an index or function, because the fact ``label`` says so of ``at``."""

    at: Index | Fn
    label: str


@dataclass(frozen=True)
class Obtain:
    """The cited fact says that there is an index or function with a property: call it ``name`` and know the property
    as ``label``; then the steps prove the formula, which does not speak of it."""

    source: Use
    name: str
    label: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Either:
    """Prove the formula once from ``claim`` and once from its opposite, each known as ``name``."""

    claim: Formula
    name: str
    if_true: tuple[Step, ...]
    if_false: tuple[Step, ...]


def real_cases(
    left: Term, right: Term, name: str, if_at_most: tuple[Step, ...], if_greater: tuple[Step, ...]
) -> Either:
    """Prove the formula once from ``left <= right`` and once from ``right < left``, each known as ``name``."""
    return Either(Relation("<=", left, right), name, if_at_most, if_greater)


@dataclass(frozen=True)
class Induction:
    """Prove the formula at the low end of its range, and at x + 1 from the formula at x, assumed under
    ``hypothesis``.
    """

    hypothesis: str
    base: tuple[Step, ...]
    step: tuple[Step, ...]


Reason = (
    Identity
    | Nonnegative
    | Invert
    | Antisymmetry
    | Absurd
    | Compared
    | Chain
    | Instantiate
    | Both
    | Generalise
    | Cases
    | Either
    | Exponential
    | Archimedes
    | Outside
    | Witness
    | Obtain
    | Induction
)


@dataclass(frozen=True)
class Step:
    """A formula under a label, and why it holds."""

    label: str
    formula: Formula
    reason: Reason


def count_steps(steps: tuple[Step, ...]) -> int:
    """The number of steps, nested ones included."""
    return sum(1 + sum(count_steps(inner) for inner in nested(step)) for step in steps)


def nested(step: Step) -> tuple[tuple[Step, ...], ...]:
    """The derivations inside a step, in order."""
    match step.reason:
        case Generalise(_, steps) | Obtain(_, _, _, steps):
            return (steps,)
        case Either(_, _, if_true, if_false):
            return if_true, if_false
        case Cases(_, _, if_at_most, if_greater):
            return if_at_most, if_greater
        case Induction(_, base, steps):
            return base, steps
    return ()


def cited_facts(node: object) -> Iterator[str]:
    """The labels that a derivation, a step or a reason cites, wherever they stand."""
    if isinstance(node, tuple):
        yield from (label for inner in node for label in cited_facts(inner))
    elif isinstance(node, Use):
        yield node.fact
        yield from cited_facts(node.given)
    elif isinstance(node, Both):
        yield from node.labels
    elif isinstance(node, Witness):
        yield node.label
    elif isinstance(node, (Step, Item, Reason)):
        yield from (label for f in fields(node) for label in cited_facts(getattr(node, f.name)))


def use(
    fact: str, *at: Index | int | str, parts: str = "", fns: tuple[Fn, ...] = (), given: tuple[Use | str, ...] = ()
) -> Use:
    """A cited fact; ``parts`` is a path such as ``"causal/rows"``."""
    path = tuple(parts.split("/")) if parts else ()
    facts = tuple(Use(g) if isinstance(g, str) else g for g in given)
    return Use(fact, path, tuple(as_index(a) for a in at), fns, facts)


def item(
    *uses: Use, times: Term | int | Fraction = ONE, over: tuple[tuple[str, Index | int, Index | int | str], ...] = ()
) -> Item:
    """An item of a certificate."""
    ranges = tuple(Range(var, as_index(low), as_index(high)) for var, low, high in over)
    return Item(uses, as_term(times), ranges)
