"""Why the candidates of a grid decide a part of a claim everywhere: each condition is checked, none is believed.

    kind    candidates                                   decide the hypotheses
    maps    all 0/1 causal kernels                       causal, or causal beyond b; monotone, or other relations
                                                         between tails; ordered pairs
    unmasked  all 0/1 kernels, future and past           stochastic
    words   layers that reach every composite            as maps and unit, for each layer alone
    rows    maps i -> min(i, c), or pairs of them        causal or stochastic, ordered; no row tied to another
    cone    the apex and generating directions           monotone only (any real matrix), or nonnegative numbers
    unit    0 and 1                                      0 <= lambda <= 1, ordered pairs

An affine function on a polytope is nonnegative if it is so at the vertices, and so, block by block, is one that is
affine in each of several blocks.  Blocks are the layers of a family, and with a kind ``rows`` the rows.

* The hypotheses of a choice must be order relations between tails (their polytope has 0/1 vertices, S7).
* Every assertion must have degree at most 1 in each block (degree.py).
* ``rows``: the maps min(i, c) take every value of every row but not every combination, so an assertion may read one
  row only (where an earlier choice of that kind selects the row, for each of its candidates).
* ``words``: one word stands for all words, of any length, with the same product.  So the assertion must read these
  layers inside rollouts of one depth only (or of depths T and T + 1, with a free layer T + 1), and each hypothesis
  must say the same of each layer, of one at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from itertools import product
from typing import cast

from proofs.batch import Environment, atoms
from proofs.case import OutsideTable
from proofs.degree import Cell, Degree, DegreeCells, cells_read, degree_of
from proofs.grid import Axis, Grid
from proofs.statement import Claim
from proofs.substitute import free_names
from proofs.term import Apply, Fn, ForAll, Formula, Holds, Index, Num, Op, Range, Relation, Symbol, as_index

__all__ = ["families_of", "not_covered"]

ALLOWED = {
    "maps": {"causal", "causal beyond", "monotone", "below", "tails"},
    "unmasked": {"stochastic"},
    "words": {"causal", "monotone", "below", "mixing", "order"},
    "rows": {"causal", "causal beyond", "stochastic", "below"},
    "cone": {"monotone", "order"},
    "unit": {"mixing", "order"},
}


def not_covered(claim: Claim, grid: Grid) -> str | None:
    """Why the candidates of this grid would not decide the part, or None."""
    try:
        checks = (_wrong_domain, _wrong_reading, _wrong_degree, _wrong_rows)
        return next((why for check in checks if (why := check(claim, grid))), None)
    except OutsideTable as why:
        return str(why)


# --- hypotheses -----------------------------------------------------------------------------------


def _wrong_domain(claim: Claim, grid: Grid) -> str | None:
    known, symbols = dict(claim.hypotheses), [s.name for s in claim.symbols]
    found: dict[tuple[int, str], set[str]] = {
        (place, name): set() for place, axis in enumerate(grid.axes) for name, _ in axis.cells
    }
    for label in claim.part(grid.part).given:
        for atom in atoms(known[label], grid.ints, unfold=False):
            cells = cells_read(atom.formula, dict(atom.ints), symbols)
            for place, axis in enumerate(grid.axes):
                for name, _ in cells & set(axis.cells):
                    found[place, name].add(_name(atom.formula))
    for (place, name), names in found.items():
        axis = grid.axes[place]
        if extra := names - ALLOWED[axis.kind]:
            return f"the vertices of {name} are not known under the hypothesis {', '.join(sorted(extra))}"
        if not (_bounded(axis, name, names) or (axis.kind == "cone" and grid.ints["n"] == 1)):
            return f"{name} is not bounded by the hypotheses"
    return None


def _bounded(axis: Axis, name: str, names: set[str]) -> bool:
    """Whether the hypotheses are those for which the candidates were made, and no weaker ones."""
    if axis.kind == "cone":
        return bool(names)
    if any(other == name and len(args) == 1 for other, args in axis.cells):
        return "mixing" in names
    paired = axis.kind in ("maps", "rows") and any(name in group for group in axis.groups)
    return bool(names & {"causal", "causal beyond", "stochastic"}) and ("below" in names or not paired)


def _name(formula: Formula) -> str:
    match formula:
        case Holds(name):
            return name
        case Relation("<=", Num() | Apply(Symbol()), Apply(Symbol())):
            return "order"
        case Relation("<=", Apply(Op("tail", (Symbol(),)) as left), Apply(Op("tail", (Symbol(),)) as right)):
            return "tails" if left == right else "of two kernels"
    return "that is not an order"


def _shown(axis: Axis) -> str:
    return ", ".join(sorted({name for name, _ in axis.cells}))


# --- what is read, and how ------------------------------------------------------------------------


def _wrong_reading(claim: Claim, grid: Grid) -> str | None:
    part, known = claim.part(grid.part), dict(claim.hypotheses)
    through = set(grid.through)
    if outside := through & set(_outside_rollouts(part.asserts)):
        return f"the claim reads {', '.join(sorted(outside))} outside a rollout"
    if grid.spread is not None and not _depths_within(_depths(part.asserts), grid, grid.spread):
        return "the claim compares rollouts of several depths"
    small = {**dict.fromkeys(grid.ints, 2), "n": 2}
    words = {name for axis in grid.axes if axis.kind == "words" for name, _ in axis.cells}
    formulas = [known[label] for label in part.given] + ([part.asserts] if grid.alone else [])
    alone = words | ({name for axis in grid.axes for name, _ in axis.cells} if grid.alone else set())
    symbols = [s.name for s in claim.symbols]
    for formula in formulas:
        if words & free_names(formula) and not _uniform(formula):
            return "some hypothesis is not made of every layer alike"
        for atom in atoms(formula, small):
            read = cells_read(atom.formula, dict(atom.ints), symbols)
            if len({args[0] for name, args in read if name in alone}) > 1:
                return "the claim ties layers to one another"
    return None


def _uniform(formula: Formula) -> bool:
    """Whether the formula says one thing of every layer 1..T + c, so that few layers show what it allows of many."""
    match formula:
        case Holds("mixing", _, (last,)):
            return last.terms == (("T", 1),)
        case ForAll(Range(_, low, Index((("T", 1),)))):
            return low == as_index(1)
    return False


def families_of(formula: Formula, symbols: Sequence[str]) -> tuple[Fn, ...]:
    """The families whose rollouts the formula reads and that are made of these functions."""
    found = {node.fns[0]: None for node in _nodes(formula) if isinstance(node, Op) and node.name == "rollout"}
    return tuple(f for f in found if any(isinstance(s, Symbol) and s.name in symbols for s in _nodes(f)))


def _nodes(node: object, *, into_rollouts: bool = True) -> Iterator[object]:
    """Every node below, itself included."""
    if isinstance(node, tuple):
        for inner in node:
            yield from _nodes(inner, into_rollouts=into_rollouts)
    elif is_dataclass(node):
        yield node
        if into_rollouts or not (isinstance(node, Op) and node.name == "rollout"):
            for field in fields(node):
                yield from _nodes(getattr(node, field.name), into_rollouts=into_rollouts)


def _outside_rollouts(formula: Formula) -> Iterator[str]:
    for node in _nodes(formula, into_rollouts=False):
        if isinstance(node, Symbol):
            yield node.name


def _depths(formula: Formula) -> dict[Fn, set[Index]]:
    """The depths at which each rollout is read."""
    found: dict[Fn, set[Index]] = {}
    for node in _nodes(formula):
        if isinstance(node, Apply) and isinstance(node.fn, Op) and node.fn.name == "rollout":
            found.setdefault(node.fn, set()).add(node.args[0])
    return found


def _depths_within(depths: dict[Fn, set[Index]], grid: Grid, spread: int) -> bool:
    """For each function, rollouts of one depth, or of depths T + c, 0 <= c <= spread, with T an index of the claim."""
    made = {fn: {s.name for s in _nodes(fn) if isinstance(s, Symbol)} for fn in depths}
    for name in {name for names in made.values() for name in names}:
        read = {depth for fn, at in depths.items() if name in made[fn] for depth in at}
        consts = [depth.const for depth in read]
        gap = max(consts) - min(consts)
        own = all(variable in grid.ints for depth in read for variable, _ in depth.terms)
        if len({depth.terms for depth in read}) > 1 or gap > (spread if own else 0):
            return False
    return True


# --- degrees --------------------------------------------------------------------------------------


def _blocks(grid: Grid, cell: Cell) -> Iterator[Hashable]:
    """The block of a cell: its choice, the polytope in it, and the layer unless the candidates are a cone."""
    name, args = cell
    for place, axis in enumerate(grid.axes):
        if cell in axis.cells:
            group = next((g for g in axis.groups if name in g), (name,))
            yield (place,) if axis.kind == "cone" else (place, group, args[0] if len(args) != 2 else 0)


def _row(axis: Axis, cell: Cell) -> Iterator[Hashable]:
    """The row of a cell of this choice; nothing for the cells of others, which count as constants."""
    if cell in axis.cells and len(cell[1]) > 1:
        yield cell[1][-2]


def _degrees(
    claim: Claim, grid: Grid, blocks: Callable[[Cell], Iterator[Hashable]], fixed: Sequence[tuple[Axis, int]] = ()
) -> Iterator[Degree]:
    """The degree of each assertion; ``fixed`` choices are numbers."""
    tables: dict[str, dict[tuple[int, ...], Degree | int]] = {
        s.name: cast("dict[tuple[int, ...], Degree | int]", DegreeCells(s.name, blocks)) for s in claim.symbols
    }
    for axis, candidate in fixed:
        for (name, args), values in axis.cells.items():
            tables[name][args] = int(values[candidate])
    env = Environment(dict(grid.ints), tables)
    for atom in atoms(claim.part(grid.part).asserts, grid.ints):
        yield degree_of(atom, env.at(dict(atom.ints)))


def _wrong_degree(claim: Claim, grid: Grid) -> str | None:
    for degree in _degrees(claim, grid, lambda cell: _blocks(grid, cell)):
        if any(power > 1 for power in degree.high.values()):
            return "the claim is not affine in each layer"
    return None


def _wrong_rows(claim: Claim, grid: Grid) -> str | None:
    """Whether some assertion reads two rows of a choice that offers rows one at a time."""
    rows = [axis for axis in grid.axes if axis.kind == "rows"]
    for count, axis in enumerate(rows):
        for chosen in product(*(range(a.size) for a in rows[:count])):
            fixed = list(zip(rows[:count], chosen, strict=True))
            if any(len(d.high) > 1 for d in _degrees(claim, grid, partial(_row, axis), fixed)):
                return f"the claim reads several rows of {_shown(axis)} at once"
    return None
