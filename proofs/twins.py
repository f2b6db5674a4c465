"""False twins: a claim with one thing wrong.  The derivation, told to end in the twin, and the cases must both refuse
it.

Operators act on the relation inside a named part of the conclusion: turn an inequality, scale a side (a coefficient
changed), add a number to a side, lose the first term of a sum, shift an index.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from proofs.notation import unfold_property
from proofs.statement import Claim
from proofs.steps import Both, Cases, Either, Generalise, Induction, Obtain, Reason, Step
from proofs.substitute import substitute
from proofs.term import (
    And,
    Apply,
    Exists,
    ExistsFn,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Holds,
    Implies,
    Op,
    Plus,
    Relation,
    Sum,
    Symbol,
    Term,
    Times,
    as_term,
    index,
)

__all__ = ["Twin", "add", "drop_hypothesis", "limit", "lose", "restate", "scale", "shift", "turn", "twin_claim"]


@dataclass(frozen=True)
class Twin:
    """A wrong version of the part of a conclusion at ``path`` (such as ``"transitions/rows"``)."""

    path: tuple[str, ...]
    operator: str
    change: Callable[[Relation], Relation] | Callable[[Holds], Holds]
    of: type[Formula] = Relation

    @property
    def name(self) -> str:
        """What was changed and where."""
        return f"{self.operator} at {'/'.join(self.path)}"


def turn(path: str) -> Twin:
    """The inequality the other way round."""
    return Twin(_path(path), "turn", lambda r: Relation(r.op, r.right, r.left))


def scale(path: str, factor: Fraction | int = 2) -> Twin:
    """The right side times ``factor``."""
    return Twin(_path(path), f"scale by {factor}", lambda r: Relation(r.op, r.left, as_term(factor) * r.right))


def add(path: str, number: Fraction | int = 1) -> Twin:
    """The right side plus ``number``."""
    return Twin(_path(path), f"add {number}", lambda r: Relation(r.op, r.left, r.right + number))


def lose(path: str) -> Twin:
    """The first sum on the right side without its first term."""
    return Twin(_path(path), "lose a term", lambda r: Relation(r.op, r.left, _without_first_term(r.right)))


def shift(path: str, symbol: str, argument: int, by: int) -> Twin:
    """``symbol`` on the right side read at an argument moved by ``by``."""

    def change(r: Relation) -> Relation:
        return Relation(r.op, r.left, _shifted(r.right, symbol, argument, by))

    return Twin(_path(path), f"shift {symbol} by {by:+d}", change)


def limit(path: str, name: str) -> Twin:
    """Another property of the same sequence: "bounded away" where it vanishes, "summable" where the sum is infinite."""
    return Twin(_path(path), f"make it {name}", lambda h: Holds(name, h.fns, h.args), Holds)


def twin_claim(claim: Claim, twin: Twin) -> Claim:
    """The claim with the twin in place of the true part."""
    name, *path = twin.path
    part = claim.part(name)
    wrong = replace(part, asserts=_changed(part.asserts, tuple(path), twin))
    if wrong == part:
        raise ValueError(f"Argument 'twin' must change the claim; {twin.operator} at {'/'.join(twin.path)} does not.")
    return replace(claim, parts=tuple(wrong if p == part else p for p in claim.parts))


def _path(path: str) -> tuple[str, ...]:
    return tuple(path.split("/"))


def _changed(formula: Formula, path: tuple[str, ...], twin: Twin) -> Formula:
    if isinstance(formula, twin.of) and not path:
        return twin.change(formula)  # type: ignore[arg-type]
    match unfold_property(formula):
        case And(parts):
            if path[:1] and path[0] not in dict(parts):
                raise ValueError(f"Argument 'path' must name a part of the claim, not {path[0]!r}.")
            return And(tuple((name, _changed(f, path[1:], twin) if name == path[0] else f) for name, f in parts))
        case ForAll(rng, body) | Exists(rng, body) as quantified:
            return type(quantified)(rng, _changed(body, path, twin))
        case ForAllFn(symbol, body) | ExistsFn(symbol, body) as quantified:
            return type(quantified)(symbol, _changed(body, path, twin))
        case Implies(hypothesis, body):
            return Implies(hypothesis, _changed(body, path, twin))
    raise ValueError(f"Argument 'path' must lead to a relation, not {path}.")


# --- changed values -------------------------------------------------------------------------------


def _rebuilt(term: Term, visit: Callable[[Term], Term]) -> Term:
    match term:
        case Plus(parts):
            return Plus(tuple(visit(p) for p in parts))
        case Times(parts):
            return Times(tuple(visit(p) for p in parts))
        case Sum(rng, body):
            return Sum(rng, visit(body))
    return term


def _without_first_term(term: Term) -> Term:
    """The first sum met, outermost first, started one later; a defined operator is unfolded one step to find one."""
    done = False

    def visit(node: Term) -> Term:
        nonlocal done
        if done:
            return node
        if isinstance(node, Sum):
            done = True
            return Sum(replace(node.range, low=node.range.low + 1), node.body)
        return _rebuilt(node, visit)

    return visit(term)


def _shifted(term: Term, symbol: str, argument: int, by: int) -> Term:
    if isinstance(term, Apply) and _names(term.fn, symbol):
        args = tuple(a + by if position == argument else a for position, a in enumerate(term.args))
        return Apply(term.fn, args)
    return _rebuilt(term, lambda inner: _shifted(inner, symbol, argument, by))


def _names(fn: Fn, symbol: str) -> bool:
    match fn:
        case Symbol(name):
            return name == symbol
        case Op(name):
            return name == symbol
    return False


# --- the same derivation, told to end elsewhere ---------------------------------------------------


def restate(steps: tuple[Step, ...], goal: Formula) -> tuple[Step, ...]:
    """The derivation with its last step, and whatever proves that step, stating ``goal`` instead."""
    last = steps[-1]
    earlier = steps[:-1]
    formula = unfold_property(goal)
    if isinstance(last.reason, Both) and isinstance(formula, And):
        wanted = {label: part for label, (_, part) in zip(last.reason.labels, formula.parts, strict=True)}
        earlier = tuple(_restated(s, wanted[s.label]) if s.label in wanted else s for s in earlier)
        return (*earlier, replace(last, formula=goal))
    return (*earlier, _restated(last, goal))


def drop_hypothesis(steps: tuple[Step, ...], weaker: Claim, label: str) -> tuple[Step, ...]:
    """The derivation told to prove ``weaker``, the claim without the hypothesis ``label``: it is no longer assumed
    anywhere.
    """
    stated = dict(weaker.conclusion.parts)

    def dropped(step: Step) -> Step:
        if step.label not in stated:
            return step
        reason = step.reason
        if isinstance(reason, Generalise):
            reason = replace(reason, fix=tuple(name for name in reason.fix if name != label))
        return Step(step.label, stated[step.label], reason)

    return (*(dropped(step) for step in steps[:-1]), replace(steps[-1], formula=weaker.conclusion))


def _restated(step: Step, goal: Formula) -> Step:
    if step.formula == goal:
        return step
    return replace(step, formula=goal, reason=_reason(step.reason, goal))


def _reason(reason: Reason, goal: Formula) -> Reason:
    match reason:
        case Generalise(fix, steps):
            return replace(reason, steps=restate(steps, _peeled(goal, fix)))
        case Cases(_, _, if_at_most, if_greater):
            return replace(reason, if_at_most=restate(if_at_most, goal), if_greater=restate(if_greater, goal))
        case Either(_, _, if_true, if_false):
            return replace(reason, if_true=restate(if_true, goal), if_false=restate(if_false, goal))
        case Obtain(_, _, _, steps):
            return replace(reason, steps=restate(steps, goal))
        case Induction(_, base, steps):
            if isinstance(formula := unfold_property(goal), ForAll):
                var, body = formula.range.var, formula.body
                start = substitute(body, {var: formula.range.low}, {})
                after = substitute(body, {var: index(var) + 1}, {})
                return replace(reason, base=restate(base, start), step=restate(steps, after))
    return reason


def _peeled(goal: Formula, fix: tuple[str, ...]) -> Formula:
    for name in fix:
        match unfold_property(goal):
            case ForAll(rng, body):
                goal = substitute(body, {rng.var: index(name)}, {})
            case ForAllFn(symbol, body):
                goal = substitute(body, {}, {symbol.name: Symbol(name, symbol.arity)})
            case Implies(_, body):
                goal = body
    return goal
