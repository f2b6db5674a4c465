"""Sets of integer points given by linear inequalities: each form is at most 0.

Differences of two variables (x - y <= c) are kept closed under shortest paths: over the integers such a system has a
solution exactly when its graph has no negative cycle, and entails x - y <= c exactly when the shortest path from x to
y is at most c. Other forms, such as i - j - d <= 0, go to Fourier-Motzkin elimination with integer tightening, which
may miss that a set is empty but never says so of one that is not.  So "empty" and "entailed" are always right; that
is all that soundness needs.
"""

from __future__ import annotations

from collections.abc import Iterable
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

    def entails(self, form: Index) -> bool:
        """Whether the form is at most 0 at every point; True is always right."""
        if not form.terms:
            return form.const <= 0
        difference = _difference(form)
        if difference is not None and self._shortest(*difference[:2]) <= difference[2]:
            return True
        if difference is not None and not self._general:
            return False
        return _empty((*self._forms, negated(form)))

    def add(self, form: Index) -> Region | None:
        """The points at which the form is at most 0 as well; None if there are none."""
        if self.entails(form):
            return self
        difference = _difference(form)
        forms = (*self._forms, form)
        if difference is None:
            return None if _empty(forms) else Region(self._distance, forms, True)
        x, y, c = difference
        if self._shortest(y, x) + c < 0 or (self._general and _empty(forms)):
            return None
        return Region(_closer(self._distance, x, y, c), forms, self._general)

    def all(self, forms: Iterable[Index]) -> Region | None:
        """The points that satisfy every form as well; None if there are none."""
        region: Region | None = self
        for form in forms:
            region = region.add(form) if region is not None else None
        return region

    def replaced(self, var: str, value: Index) -> Region | None:
        """The points at which ``var`` equals ``value``, without the variable; None if there are none."""
        return Region().all(_replaced(form, var, value) for form in self._forms)

    def pinned(self, x: str, avoid: set[str]) -> Index | None:
        """A variable plus a constant (or a constant) that equals x at every point, if one is outside ``avoid``."""
        for y, c in sorted(self._distance.get(x, {}).items()):
            if y not in avoid and self._distance.get(y, {}).get(x) == -c:
                return Index(((y, 1),) if y else (), c)
        return None

    def _shortest(self, x: str, y: str) -> float:
        return 0 if x == y else self._distance.get(x, {}).get(y, float("inf"))


def _difference(form: Index) -> tuple[str, str, int] | None:
    """x, y, c if the form is x - y - c ("" stands for 0); None if it is not a difference."""
    match form.terms:
        case ((x, 1),):
            return x, "", -form.const
        case ((y, -1),):
            return "", y, -form.const
        case ((x, 1), (y, -1)) | ((y, -1), (x, 1)):
            return x, y, -form.const
    return None


def _closer(distance: Distances, x: str, y: str, c: int) -> Distances:
    """Shortest paths with the further edge x - y <= c."""
    into = {x: 0, **{u: row[x] for u, row in distance.items() if x in row}}
    out = {y: 0, **distance.get(y, {})}
    closed = {u: dict(row) for u, row in distance.items()}
    for u, a in into.items():
        row = closed.setdefault(u, {})
        for v, b in out.items():
            if u != v and (v not in row or a + c + b < row[v]):
                row[v] = a + c + b
    return closed


# --- Fourier-Motzkin ------------------------------------------------------------------------------


def _empty(forms: Iterable[Index]) -> bool:
    """Whether no integer point has every form at most 0.  True is always right."""
    tightest = _tightened(forms)
    while tightest is not None and tightest:
        tightest = _eliminated(tightest)
    return tightest is None


def _tightened(forms: Iterable[Index]) -> dict[tuple[tuple[str, int], ...], int] | None:
    """For each linear part its largest constant, after division by the common factor; None if one is positive."""
    tightest: dict[tuple[tuple[str, int], ...], int] = {}
    for form in forms:
        if not form.terms:
            if form.const > 0:
                return None
            continue
        factor = gcd(*(c for _, c in form.terms))
        terms = tuple((v, c // factor) for v, c in form.terms)
        const = -((-form.const) // factor)  # f*t + c <= 0 means t <= -c/f, so t <= floor(-c/f)
        tightest[terms] = max(const, tightest.get(terms, const))
    return tightest


def _eliminated(tightest: dict[tuple[tuple[str, int], ...], int]) -> dict[tuple[tuple[str, int], ...], int] | None:
    """The shadow without the variable that costs least, a substitution where an equation allows one."""
    forms = [Index(terms, const) for terms, const in tightest.items()]
    for form in forms:
        if tightest.get((-form).terms) == -form.const:
            for var, c in form.terms:
                if abs(c) == 1:
                    value = Index(((var, 1),)) - (form if c == 1 else -form)
                    return _tightened(_replaced(f, var, value) for f in forms)
    var = min({v for f in forms for v, _ in f.terms}, key=lambda v: (_cost(forms, v), v))
    lower = [f for f in forms if dict(f.terms).get(var, 0) < 0]
    upper = [f for f in forms if dict(f.terms).get(var, 0) > 0]
    rest = [f for f in forms if var not in dict(f.terms)]
    return _tightened([*rest, *(_combined(a, b, var) for a in lower for b in upper)])


def _cost(forms: list[Index], var: str) -> int:
    signs = [dict(f.terms).get(var, 0) for f in forms]
    below, above = sum(c < 0 for c in signs), sum(c > 0 for c in signs)
    return below * above - below - above


def _combined(lower: Index, upper: Index, var: str) -> Index:
    """A nonnegative combination in which the variable cancels."""
    a, b = -dict(lower.terms)[var], dict(upper.terms)[var]
    return _scaled(lower, b) + _scaled(upper, a)


def _scaled(form: Index, factor: int) -> Index:
    return Index(tuple((v, c * factor) for v, c in form.terms), form.const * factor)


def _replaced(form: Index, var: str, value: Index) -> Index:
    c = dict(form.terms).get(var, 0)
    return form if not c else Index(tuple(t for t in form.terms if t[0] != var), form.const) + _scaled(value, c)
