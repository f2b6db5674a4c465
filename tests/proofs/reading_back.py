"""LaTeX and the object it came from, compared at exact values that no hypothesis chose.

Both say what they say (reading/readings.py, said.py) at small random integers and at functions that look random; they
agree where they say the same ranges, the same values on both sides of every relation and the same properties.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random

from proofs.latex_displays import Displays, displays
from proofs.ledger import LEDGER, earlier_claims
from proofs.notation import arity
from proofs.render_parts import inside
from proofs.substitute import free_indices, free_names
from proofs.term import Fn, Formula, Index, Lambda, Range, Symbol
from tests.proofs.plain import Function, noise
from tests.proofs.reading import trees as t
from tests.proofs.reading.read import Unread, read
from tests.proofs.reading.values import EXP, LN, Letters, value
from tests.proofs.said import said

__all__ = ["AGREES", "DIFFERS", "UNREAD", "Outcome", "Reader", "outcomes", "reader", "without_tag"]

AGREES, UNREAD, DIFFERS = "agrees", "unread", "differs"
SEEDS, ENOUGH = 4, 2  # cases at most, and how many relations or properties to see


@dataclass(frozen=True)
class Outcome:
    """``found``, why, and whether some relation or property was compared rather than ranges alone."""

    found: str
    why: str = ""
    compared: bool = False


def kinds(node: Formula | Fn) -> dict[str, int]:
    """How many indices each letter in it takes; 0 for an index."""
    found: dict[str, int] = {}
    for part in inside(node):
        match part:
            case Symbol(name, takes):
                found[name] = takes
            case Index(terms):
                found = {**dict.fromkeys((v for v, _ in terms), 0), **found}
            case Range(var) | Lambda((var,)):
                found.setdefault(var, 0)
            case Lambda(params):
                found = {**dict.fromkeys(params, 0), **found}
    return found


class Reader:
    """Reads what is displayed of one statement; a family with a letter of its own is read from the display of that."""

    def __init__(self, shown: Displays) -> None:
        self.shown = shown
        self.letters = {letter: arity(fn) for fn, letter in shown.names.items()}
        self.meanings = {
            letter: _meaning(latex, {**kinds(fn), **self.letters})
            for (fn, letter), latex in zip(shown.names.items(), shown.meanings, strict=True)
        }
        self.symbols = symbols(tuple(shown.names))
        self.free = {v for fn in shown.names for v in free_indices(fn)}

    def compare(self, formula: Formula, latex: str, enough: int = ENOUGH) -> Outcome:
        """Whether the LaTeX says what the formula says, in at least ``enough`` relations or properties if it can be."""
        takes, said_of = kinds(formula), symbols(formula)
        try:
            tree = read(latex, **{**takes, **self.letters})
        except Unread as why:
            return Outcome(UNREAD, str(why))
        compared, missing = 0, ""
        for seed in range(SEEDS):
            ints = self._integers(formula, seed)
            functions = {name: noise(name, seed) for name in said_of | self.symbols}
            try:
                meant = list(said(formula, ints, functions, seed))
            except (ValueError, RecursionError):  # a depth below 0: outside what is meant
                continue
            try:
                shown = tree.readings(self._at(ints, functions), lambda name, seed=seed: noise(name, seed))  # type: ignore[misc]
            except ValueError as why:  # the same, if there are other cases
                missing = f"it has no value: {why}"
                continue
            except (KeyError, IndexError) as why:
                return Outcome(DIFFERS, f"it has no value: {why!r}")
            if shown != meant:
                return Outcome(DIFFERS, _first_difference(shown, meant))
            compared += sum(says[0] not in ("every", "some", "if", "then") for says in meant)
            if compared >= enough:
                break
        return Outcome(DIFFERS if missing and not compared else AGREES, missing, compared=compared > 0)

    def _integers(self, formula: Formula, seed: int) -> dict[str, int]:
        drawn = Random(seed)
        names = sorted(free_names(formula) | self.free)
        return {**{name: drawn.randint(1, 3) for name in names}, "n": 3, "T": 2}

    def _at(self, ints: Mapping[str, int], functions: Mapping[str, Function]) -> Letters:
        letters: dict[str, Fraction | int | Function] = {**ints, **functions}
        letters |= {EXP: noise("Exp", 0), LN: noise("Log", 0)}
        for letter, meaning in self.meanings.items():
            letters[letter] = _defined(meaning, letters)
        return letters


def symbols(node: object) -> set[str]:
    """The names of the functions and real numbers in it."""
    return {part.name for part in inside(node) if isinstance(part, Symbol)}


def _meaning(latex: str, takes: Mapping[str, int]) -> tuple[tuple[str, ...], t.Value]:
    """R_{t,i,j} = ...: the indices of the left side, and the right side."""
    tree = read(latex, **{**takes, **dict.fromkeys("tij", 0)}).tree
    assert isinstance(tree, t.Chain)
    left, right = tree.values
    assert isinstance(left, t.Apply) and tree.signs == ("=",)
    params = [arg.function for arg in left.args if isinstance(arg, t.Apply)]
    return tuple(letter.name for letter in params if isinstance(letter, t.Letter)), right


def _defined(meaning: tuple[tuple[str, ...], t.Value], letters: Letters) -> Function:
    params, body = meaning
    return cache(lambda *at: value(body, {**letters, **dict(zip(params, at, strict=True))}))


def _first_difference(shown: list[tuple[object, ...]], meant: list[tuple[object, ...]]) -> str:
    pairs = zip(shown, meant, strict=False)
    first = next(((a, b) for a, b in pairs if a != b), (f"{len(shown)} things", f"{len(meant)}"))
    return f"it says {first[0]}, not {first[1]}"


@cache
def reader(name: str) -> Reader:
    """That of a statement of the ledger."""
    return Reader(displays(LEDGER[name], earlier_claims(name)))


@cache
def outcomes(name: str) -> tuple[tuple[str, Outcome], ...]:
    """Every displayed step of a statement with what came of it; a formula that is displayed twice is read once."""
    compare = cache(reader(name).compare)
    return tuple((latex, compare(formula, without_tag(latex))) for formula, latex in reader(name).shown.steps)


def without_tag(latex: str) -> str:
    """The display without its number."""
    return re.sub(r"\\tag\{[^{}]*\}\\label\{[^{}]*\}", "", latex)
