"""Which statements of the ledger apply to given causal kernels, and which hypothesis fails otherwise.

A claim speaks of any kernels: of those functions that a hypothesis calls causal, stochastic, monotone or ordered. It
is applied to those of a file: every family of kernels in it is the file's layers, every single kernel any one of them,
so R ≼ S holds with R = S. All else (test functions, weights, scores, coefficients) is the reader's to choose, and what
is asked of it is met. So are the levels u of S6 and S7, whatever the file holds: its tails are finitely many rationals,
and with 0 and all of these for levels no tail lies strictly between two. Left to decide is whether layers are one
kernel, and whether they, or products of them from the bottom up, are monotone:

- A_t = K: yes if one kernel is in all layers, otherwise undecided;
- a layer, transition, average or blend: as the layers are (for 0 < λ ≤ 1 R_t is monotone iff A_t is);
- a product or rollout: yes if every layer is (S4); no if already the lowest is not; otherwise undecided.

What is asked of the diagonals at infinite depth is decided in diagonals.py.
What D6 and D7 ask of the layers is decided in positive_minors.py and layer_pairs.py.

Three-valued: True, False, or None for undecided; a formula of another form is undecided. A claim has several parts,
each with hypotheses of its own; a part that speaks of no such kernel (summation by parts, kernels given by their
weights or scores) is not about a file's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from numeric.three_valued import all_of
from proofs.diagonals import Diagonals, on_diagonals
from proofs.statement import Claim, Part, Statement
from proofs.term import (
    And,
    Apply,
    Fn,
    ForAll,
    ForAllFn,
    Formula,
    Holds,
    Implies,
    Index,
    Lambda,
    Num,
    Op,
    Range,
    Relation,
    Symbol,
)

__all__ = ["Applies", "Layers", "PartApplies", "applying", "kernels", "meets"]

PRODUCTS = frozenset({"product", "rollout"})
LIKE_LAYERS = frozenset({"average", "blend", "transition"})
CHOSEN = frozenset({"token transition"})  # its coefficients are the reader's, and 0 makes it the identity
OF_KERNELS = frozenset({"causal", "causal beyond", "stochastic", "monotone", "below"})  # said of kernels only
GIVEN = frozenset({"causal", "causal beyond", "stochastic", "below"})  # of the layers of a file


@dataclass(frozen=True)
class Layers:
    """Whether each layer is monotone, the lowest first, and what else is known of them, if anything.

    shared: one kernel in any number of layers. alike: whether all layers are the same kernel. positive: whether all of
    them are totally positive of order 2. rising, falling: whether later layers are the more, or the less, local (D7).
    """

    monotone: tuple[bool | None, ...]
    shared: bool
    diagonals: Diagonals | None = None
    alike: bool | None = None
    positive: bool | None = None
    rising: bool | None = None
    falling: bool | None = None


@dataclass(frozen=True)
class PartApplies:
    """Whether a part applies; if not, or if undecided, the hypothesis that fails or is undecided."""

    name: str
    applies: bool | None
    hypothesis: str = ""


@dataclass(frozen=True)
class Applies:
    """One answer for each part of a statement that is about kernels; no parts where none is."""

    id: str
    title: str
    parts: tuple[PartApplies, ...]

    @property
    def applies(self) -> bool | None:
        """Whether the whole statement does; False where it is about no given kernel."""
        return all_of([part.applies for part in self.parts]) if self.parts else False

    def with_answer(self, answer: bool | None) -> tuple[PartApplies, ...]:
        """The parts that apply (True), do not (False), or are undecided (None)."""
        return tuple(part for part in self.parts if part.applies is answer)


def applying(ledger: Mapping[str, Statement], layers: Layers) -> tuple[Applies, ...]:
    """One answer per statement, in the order of the ledger."""
    return tuple(_answer(statement, layers) for statement in ledger.values())


def _answer(statement: Statement, layers: Layers) -> Applies:
    known, of_file = dict(statement.claim.hypotheses), kernels(statement.claim)
    about = [p for p in statement.claim.parts if of_file & _symbols((p.asserts, *(known[g] for g in p.given)))]
    return Applies(statement.id, statement.title, tuple(_part(part, known, layers, of_file) for part in about))


def _part(part: Part, hypotheses: Mapping[str, Formula], layers: Layers, of_file: frozenset[Symbol]) -> PartApplies:
    met = {label: meets(hypotheses[label], layers, of_file) for label in part.given}
    verdict = all_of(list(met.values()))
    blocked = "" if verdict else next(label for label, answer in met.items() if answer is verdict)
    return PartApplies(part.name, verdict, blocked)


def kernels(claim: Claim) -> frozenset[Symbol]:
    """The symbols that stand for kernels or families: a hypothesis says of them what is said of kernels only, or a
    part speaks of their rollout and nothing is asked of them.
    """
    said = (part for _, formula in claim.hypotheses for part in _parts(formula) if isinstance(part, Holds))
    found = _made_of_all(fn for held in said if held.name in OF_KERNELS for fn in held.fns)
    multiplied = (op for part in claim.parts for op in _parts(part.asserts) if isinstance(op, Op))
    free = _made_of_all(op for op in multiplied if op.name == "rollout") - _symbols(claim.hypotheses)
    return frozenset(found | free)


def _made_of_all(fns: Iterable[Fn]) -> set[Symbol]:
    return {symbol for fn in fns for symbol in _made_of(fn)}


def _made_of(kernel: Fn) -> set[Symbol]:
    """The kernels and families that a kernel is a layer, product or average of; one made of weights has none."""
    match kernel:
        case Symbol():
            return {kernel} if kernel.arity >= 2 else set()
        case Lambda(_, Apply(fn)):
            return _made_of(fn)
        case Op(name, fns) if name in PRODUCTS | LIKE_LAYERS | CHOSEN:
            return _made_of_all(fns)
    return set()


def meets(formula: Formula, layers: Layers, of_file: frozenset[Symbol]) -> bool | None:
    """Whether the layers meet a hypothesis in which the symbols ``of_file`` stand for them."""
    symbols = _symbols(formula)
    if not symbols & of_file:
        return True  # the reader's to meet
    if layers.diagonals and (decided := on_diagonals(formula, layers.diagonals)) is not None:
        return decided
    match formula:
        case And(parts):
            answer = all_of([meets(part, layers, of_file) for _, part in parts])
            return None if answer and _bound_to(formula, of_file) else answer
        case ForAll(Range(_, _, Index(terms)), Relation("=", Apply(Symbol()), Num(Fraction(numerator=0)))) if any(
            c < 0 for _, c in terms
        ):
            return True  # a window is not read behind: the reader chooses one as wide as the kernel
        case ForAll(rng, body):
            return meets(body, _up_to(layers, rng.high), of_file)
        case Holds("monotone", (kernel,)):
            return _monotone(kernel, layers)
        case Holds("totally positive"):
            return layers.positive
        case ForAllFn(f, Implies(Holds("nondecreasing", (g,)), Holds("nondecreasing", (Op("image", (kernel, h)),)))):
            # order preserving is monotone in other words: S3
            return _monotone(kernel, layers) if f == g == h else None
        case Holds("below", (Op("product", (below_, _)) as lower, _)) if _of_two_layers(lower):
            return _ordered(below_, layers)
        case Holds(name):
            return True if name in GIVEN else None
        case Relation("=", Apply(Symbol(), at), Apply(Symbol() as kernel, at_)) if kernel in of_file:
            same = at[-2:] == at_[-2:] and len(at) == 3  # A_t = K, or A_t = A_1: one kernel in all layers
            return (layers.shared or len(layers.monotone) <= 1 or layers.alike) if same else None
        case Relation("<=", Apply(Op("tail", (kernel,)), (i, k)), Apply(Op("tail", (other,)), (j, l))) if (
            kernel == other and (j - i, l) == (Index((), 1), k)
        ):  # some tails rise: those of a monotone kernel all do
            return _monotone(kernel, layers) or None
        case Relation():  # met by the number or sequence in it, 0 or enough levels; a table would be asked for more
            chosen = {symbol.arity for symbol in symbols - of_file}
            return True if chosen and chosen <= {0, 1} else None
    return None


def _ordered(first: Fn, layers: Layers) -> bool | None:
    """R_s R_t ≼ R_t R_s for s < t if the first factor is layer s, else R_t R_s ≼ R_s R_t."""
    if layers.shared or layers.alike:
        return True
    rises = any(isinstance(part, Index) and ("s", 1) in part.terms for part in _parts(first))
    return layers.rising if rises else layers.falling


def _of_two_layers(kernel: Fn) -> bool:
    """Whether a product of two layers of a family, whose order matters unless they are the same kernel."""
    return isinstance(kernel, Op) and kernel.name == "product" and any(s.arity == 3 for s in _symbols(kernel))


def _bound_to(formula: And, of_file: frozenset[Symbol]) -> bool:
    """Whether numbers that have to be positive bound the kernels alone: then they are not the reader's to choose."""
    strict = [_symbols(part) for _, part in formula.parts if isinstance(part, Relation) and part.op == "<"]
    bounding = [_symbols(part) for _, part in formula.parts if _symbols(part) & of_file]
    return any(b - of_file <= a for a in strict for b in bounding if a and not a & of_file)


def _up_to(layers: Layers, high: Index | None) -> Layers:
    """The layers that a quantifier reaches: T − 1 leaves out the top one, unless any number of layers is meant."""
    if layers.shared or high is None or high.terms != (("T", 1),) or high.const >= 0:
        return layers
    return replace(layers, monotone=layers.monotone[: high.const])


def _monotone(kernel: Fn, layers: Layers) -> bool | None:
    operators = {part.name for part in _parts(kernel) if isinstance(part, Op)}
    if operators & CHOSEN:
        return True
    if operators - PRODUCTS - LIKE_LAYERS:
        return None
    answer = all_of(layers.monotone)
    if answer is True or not layers.monotone or not operators & PRODUCTS:
        return answer
    return False if layers.monotone[0] is False else None


def _parts(value: Any) -> Iterable[Any]:
    """The value and everything in it: terms and formulas are dataclasses and tuples."""
    yield value
    inner: Iterable[Any] = ()
    if is_dataclass(value) and not isinstance(value, type):
        inner = (getattr(value, field.name) for field in fields(value))
    elif isinstance(value, tuple):
        inner = value
    for part in inner:
        yield from _parts(part)


def _symbols(value: Any) -> set[Symbol]:
    return {part for part in _parts(value) if isinstance(part, Symbol)}
