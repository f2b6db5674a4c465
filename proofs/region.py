"""Sets of integer points given by linear inequalities: each form is at most 0.

Differences of two variables (x - y <= c) are kept closed under shortest paths: over the integers such a system has a
solution exactly when its graph has no negative cycle, and entails x - y <= c exactly when the shortest path from x to
y is at most c. Other forms, such as i - j - d <= 0, go to Fourier-Motzkin elimination with integer tightening, which
may miss that a set is empty but never says so of one that is not.  So "empty" and "entailed" are always right; that
is all that soundness needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import gcd

from proofs.term import Index

__all__ = ["Region", "at_most", "negated"]

Distances = dict[str, dict[str, int]]


def at_most(low: Index, high: Index) -> Index:
    """The form that is at most 0 where low <= high."""
    return low - high


def negated(form: Index) -> Index:
    """The form that is at most 0 exactly where ``form`` is at least 1."""
    return 1 - form


class Region:
    """A set of integer points, not known to be empty; immutable."""

    __slots__ = ("_distance", "_forms", "_general")

    def __init__(self, distance: Distances | None = None, forms: tuple[Index, ...] = (), general: bool = False) -> None:
        self._distance = distance or {}
        self._forms = forms
        self._general = general

    @property
    def forms(self) -> tuple[Index, ...]:
        """The inequalities that describe the set, in the order in which they were added."""
        return self._forms

    def entails(self, form: Index) -> bool:
        """Whether the form is at most 0 at every point; True is always right."""
        if not form.terms:
            return form.const <= 0
        difference = _difference(form)
        if difference is not None:
            if _shortest(self._distance, *difference[:2]) <= difference[2]:
                return True
            if not self._general:
                return False
        return _empty((*self._forms, negated(form)))

    def add(self, form: Index) -> Region | None:
        """The points at which the form is at most 0 as well; None if there are none."""
        return self.all((form,))

    def all(self, forms: Iterable[Index]) -> Region | None:
        """The points that satisfy every form as well; None if there are none."""
        distance, kept, general = self._distance, list(self._forms), self._general
        for form in forms:
            difference = _difference(form)
            if difference is None:
                if form.terms or form.const > 0:
                    kept, general = [*kept, form], True
                continue
            x, y, c = difference
            if _shortest(distance, x, y) <= c:
                continue
            if _shortest(distance, y, x) + c < 0:
                return None
            distance = _closer(distance, x, y, c)
            kept.append(form)
        if len(kept) == len(self._forms):
            return self
        return None if general and _empty(kept) else Region(distance, tuple(kept), general)

    def replaced(self, var: str, value: Index) -> Region | None:
        """The points at which ``var`` equals ``value``, without the variable; None if there are none."""
        return Region().all(_replaced(form, var, value) for form in self._forms)

    def pinned(self, x: str, avoid: set[str]) -> Index | None:
        """A variable plus a constant (or a constant) that equals x at every point, if one is outside ``avoid``."""
        for y, c in sorted(self._distance.get(x, {}).items()):
            if y not in avoid and self._distance.get(y, {}).get(x) == -c:
                return Index(((y, 1),) if y else (), c)
        return None


def _shortest(distance: Distances, x: str, y: str) -> float:
    return 0 if x == y else distance.get(x, {}).get(y, float("inf"))


def _difference(form: Index) -> tuple[str, str, int] | None:
    """x, y, c if the form is x - y - c ("" stands for 0); None if it is not a difference."""
    terms = form.terms
    if len(terms) == 1:
        ((v, a),) = terms
        return (v, "", -form.const) if a == 1 else ("", v, -form.const) if a == -1 else None
    if len(terms) == 2:
        (v, a), (w, b) = terms
        if a + b == 0 and abs(a) == 1:
            return (v, w, -form.const) if a == 1 else (w, v, -form.const)
    return None


def _closer(distance: Distances, x: str, y: str, c: int) -> Distances:
    """Shortest paths with the further edge x - y <= c; rows that do not change are shared."""
    out = {y: 0, **distance.get(y, {})}
    closed = dict(distance)
    for u, a in [(x, 0), *((u, row[x]) for u, row in distance.items() if x in row)]:
        row, by = closed.get(u, {}), a + c
        shorter = {v: by + b for v, b in out.items() if v != u and (v not in row or by + b < row[v])}
        if shorter:
            closed[u] = row | shorter
    return closed


# --- Fourier-Motzkin ------------------------------------------------------------------------------

Linear = tuple[tuple[str, int], ...]
Rows = dict[Linear, int]  # linear part + constant <= 0, the largest constant for each part


def _empty(forms: Iterable[Index]) -> bool:
    """Whether no integer point has every form at most 0.  True is always right.

    Remembered up to the names of variables, which are numbered as they come: the answer cannot depend on a name.
    """
    numbers: dict[str, str] = {}
    return _no_point(tuple(
        (tuple([(numbers.setdefault(v, f"{len(numbers):03}"), c) for v, c in form.terms]), form.const)
        for form in forms
    ))  # fmt: skip


@lru_cache(maxsize=1 << 16)
def _no_point(forms: tuple[tuple[Linear, int], ...]) -> bool:
    start: Rows = {}
    for terms, const in forms:
        if not _keep(start, dict(terms), const):
            return True
    rows: Rows | None = start
    while rows and (equation := _equation(rows)) is not None:
        rows = _substituted(rows, *equation)
    while rows:
        rows = _projected(rows)
    return rows is None


def _keep(rows: Rows, coefficients: dict[str, int], const: int) -> bool:
    """Add a row, divided by its common factor and rounded to integers; False if it cannot hold."""
    if not coefficients:
        return const <= 0
    factor = gcd(*coefficients.values())
    if factor != 1:  # f t + c <= 0 means t <= floor(-c / f)
        coefficients = {v: c // factor for v, c in coefficients.items()}
        const = -(-const // factor)
    linear = tuple(sorted(coefficients.items()))
    known = rows.get(linear)
    if known is None or const > known:
        rows[linear] = const
    return True


def _equation(rows: Rows) -> tuple[str, dict[str, int], int] | None:
    """A variable and what it equals, from two rows that are each other's negation."""
    for linear, const in rows.items():
        if rows.get(tuple((v, -c) for v, c in linear)) == -const:
            for var, c in linear:
                if c == 1 or c == -1:
                    return var, {v: -c * x for v, x in linear if v != var}, -c * const
    return None


def _substituted(rows: Rows, var: str, value: dict[str, int], const: int) -> Rows | None:
    """The rows with ``var`` replaced by ``value`` + ``const``; None if one cannot hold."""
    kept: Rows = {}
    for linear, bound in rows.items():
        coefficients = dict(linear)
        factor = coefficients.pop(var, 0)
        if factor:
            for v, c in value.items():
                _increase(coefficients, v, factor * c)
        if not _keep(kept, coefficients, bound + factor * const):
            return None
    return kept


def _projected(rows: Rows) -> Rows | None:
    """The shadow of the rows without the variable that costs least; None if a row cannot hold."""
    below: dict[str, int] = {}
    above: dict[str, int] = {}
    for linear in rows:
        for v, c in linear:
            side = above if c > 0 else below
            side[v] = side.get(v, 0) + 1
    cost = {v: below.get(v, 0) * above.get(v, 0) - below.get(v, 0) - above.get(v, 0) for v in {**below, **above}}
    var = min(cost, key=lambda v: (cost[v], v))
    kept: Rows = {}
    lower: list[tuple[dict[str, int], int, int]] = []
    upper: list[tuple[dict[str, int], int, int]] = []
    for linear, const in rows.items():
        factor = next((c for v, c in linear if v == var), 0)
        if factor:
            (upper if factor > 0 else lower).append((dict(linear), abs(factor), const))
        elif not _keep(kept, dict(linear), const):
            return None
    for first, a, c in lower:
        for second, b, d in upper:
            coefficients = {v: b * x for v, x in first.items()}
            for v, x in second.items():
                _increase(coefficients, v, a * x)
            if not _keep(kept, coefficients, b * c + a * d):
                return None
    return kept


def _increase(coefficients: dict[str, int], var: str, by: int) -> None:
    total = coefficients.get(var, 0) + by
    if total:
        coefficients[var] = total
    else:
        coefficients.pop(var, None)


def _replaced(form: Index, var: str, value: Index) -> Index:
    c = dict(form.terms).get(var, 0)
    if not c:
        return form
    rest = Index(tuple(t for t in form.terms if t[0] != var), form.const)
    return rest + Index(tuple((v, c * x) for v, x in value.terms), c * value.const)
