"""Cases with infinitely many layers: coefficients and kernels that are rational functions of the layer.

    layers 1, ..., start as listed, layer t > start by its rule;   P^(T) for T >= start by its closed form

The closed form is checked, not believed: at T = start against the product of the layers, and from T to T + 1 as an
identity of rational functions, so it holds at every depth.  `star` builds kernels whose rows read the first token and
themselves,

    A^(t)_i1 = delta_{t,i},  A^(t)_ii = 1 - delta_{t,i}  for i >= 2;   P^(T)_ii = prod_t (1 - lambda_t delta_{t,i}),

for the listed rules, whose partial products are rational; `still` has arbitrary layers and then none that mixes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

from flint import fmpq

from proofs.case import Case
from proofs.rational_function import RationalFunction, TwoStep, natural

__all__ = ["RULES", "EndlessCase", "Rule", "family", "star", "still"]


@dataclass(frozen=True, eq=False)
class Rule:
    """x_t for every layer t, as a function of t = 1 + s, and prod (1 - x_t) up to T = s, up to a factor; None where
    that is no rational function.
    """

    name: str
    value: TwoStep
    product: TwoStep | None = None


_t, _T = natural(1), natural(0)
_zero, _one = TwoStep.of(0), TwoStep.of(1)
RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule("0", _zero, _one),
        Rule("1", _one, _zero),
        Rule("2", _one + 1, TwoStep(RationalFunction.of(1), RationalFunction.of(-1))),
        Rule("1/(t + 1)", 1 / (_t + 1), 1 / (_T + 1)),
        Rule("-1/(t + 1)", -1 / (_t + 1), _T + 2),
        Rule("1/(t + 1)^2", 1 / ((_t + 1) * (_t + 1)), (_T + 2) * (1 / (_T + 1))),
    )
}
_GENERAL = tuple(RULES)  # what a search goes through; those that follow are for coefficients c t^(-beta)
RULES |= {
    rule.name: rule
    for rule in (
        Rule("1/2", _one * Fraction(1, 2)),
        Rule("1/t", 1 / _t, _zero),
        Rule("1/t^2", 1 / (_t * _t), _zero),
        Rule("1/(2 t)", 1 / (2 * _t)),
        Rule("1/(2 t^2)", 1 / (2 * _t * _t)),
        Rule("t/(t + 1)", _t * (1 / (_t + 1))),
        Rule("2 t^2/((t + 1)(2 t + 1))", 2 * _t * _t * (1 / ((_t + 1) * (2 * _t + 1)))),
        Rule("1/((t + 1)(2 t + 1))", 1 / ((_t + 1) * (2 * _t + 1)), (2 * _T + 3) * (1 / (_T + 1))),
    )
}


@dataclass(frozen=True, eq=False)
class EndlessCase:
    """``listed``: a case with the first ``start`` layers (and whatever else the claim reads).  ``coefficients``,
    ``kernels``: lambda_t and A^(t)_ij for t = start + 1 + s.  ``rollouts``: P^(T)_ij for T = start + s.
    """

    listed: Case
    start: int
    coefficients: TwoStep
    kernels: Sequence[Sequence[TwoStep]]
    rollouts: Sequence[Sequence[TwoStep]]
    says: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if [[entry.at(0) for entry in row] for row in self.rollouts] != _rolled(self.listed, self.start):
            raise ValueError("Argument 'rollouts' must be the product of the listed layers at their depth.")
        for i, row in enumerate(self.rollouts):
            for j, entry in enumerate(row):
                if entry.shifted(1) - self._one_more(i, j):
                    raise ValueError("Argument 'rollouts' must hold one layer further if it holds at one depth.")

    def reading(self, indices: Mapping[str, int], **others: Any) -> EndlessCase:
        """The same layers for a claim that reads further tables and indices."""
        more = Case.of(self.n, {**dict(self.listed.indices), **indices}, **others)
        tables = tuple(sorted((*self.listed.tables, *more.tables)))
        moved = copy(self)
        object.__setattr__(moved, "listed", Case(self.n, more.indices, tables))
        return moved

    @property
    def layers(self) -> int:
        """How many layers are listed."""
        return self.start

    @property
    def n(self) -> int:
        """The number of positions."""
        return self.listed.n

    def _one_more(self, i: int, j: int) -> TwoStep:
        """Entry (i, j) of layer start + 1 + s times the rollout of depth start + s."""
        mixed = sum((self.kernels[i][m] * self.rollouts[m][j] for m in range(self.n)), TwoStep.of(0))
        return (1 - self.coefficients) * self.rollouts[i][j] + self.coefficients * mixed


def _rolled(case: Case, start: int) -> list[list[fmpq]]:
    """The rollout of the listed layers, by multiplying them."""
    tables = {name: table.values() for name, table in case.tables}
    span = range(1, case.n + 1)
    rolled = [[fmpq(i == j) for j in span] for i in span]
    for t in range(1, start + 1):
        share = tables["lambda"][t,]
        rolled = [
            [
                (1 - share) * rolled[i - 1][j - 1]
                + share * sum((tables["A"][t, i, m] * rolled[m - 1][j - 1] for m in span), fmpq(0))
                for j in span
            ]
            for i in span
        ]
    return rolled


# --- rows that read the first token and themselves ------------------------------------------------

Layer = tuple["Fraction | int", Sequence["Fraction | int"]]


def star(
    coefficient: str,
    rows: Sequence[str],
    *,
    first: Layer | None = None,
    times: int = 1,
    indices: Mapping[str, int] | None = None,
    **others: Any,
) -> EndlessCase:
    """lambda_t by the rule ``coefficient``, delta_{t,i} of row i >= 2 by ``rows[i - 2]``; the products of the two must
    have rational partial products.

    first: lambda_1 and delta_{1,i} of a layer before those by rule.  times: the rows read the first token so many times
    too strongly.  others: what else the claim reads.
    """
    lam, deltas = RULES[coefficient], [RULES[name] for name in rows]
    start = 1 if first is None else 2
    ruled = (_fraction(lam.value.at(start - 1)), [_fraction(rule.value.at(start - 1)) for rule in deltas])
    listed = [ruled] if first is None else [first, ruled]
    kept = [
        prod((1 - Fraction(c) * Fraction(row[i]) for c, row in listed), start=Fraction(1)) for i in range(len(rows))
    ]
    products = [_scaled(_left(lam, rule).shifted(start), own) for rule, own in zip(deltas, kept, strict=True)]
    case = Case.of(
        len(rows) + 1, {"T": start, **(indices or {})},
        lambda_=[c for c, _ in listed], A=[_star(row, times) for _, row in listed], **others,
    )  # fmt: skip
    return EndlessCase(
        case, start, lam.value.shifted(start), _rows([1 - rule.value.shifted(start) for rule in deltas], times),
        _rows(products, times), _sayings(coefficient, rows, first, times),
    )  # fmt: skip


def still(layers: Sequence[tuple[Fraction | int, Sequence[Sequence[Fraction | int]]]], **others: Any) -> EndlessCase:
    """The listed layers (lambda_t, A_t), then layers with lambda_t = 0."""
    indices = others.pop("indices", {})
    n, start = len(layers[0][1]), len(layers)
    case = Case.of(n, {"T": start, **indices}, lambda_=[c for c, _ in layers], A=[a for _, a in layers], **others)
    same = [[TwoStep.of(int(i == j)) for j in range(n)] for i in range(n)]
    constant = [[TwoStep.of(entry) for entry in row] for row in _rolled(case, start)]
    return EndlessCase(
        case, start, TwoStep.of(0), same, constant, (*_listing(case), f"lambda_t = 0 for t >= {start + 1}")
    )


def _listing(case: Case) -> tuple[str, ...]:
    from proofs.text import text_case

    kept = tuple((name, table) for name, table in case.tables if name in ("A", "lambda"))
    return tuple(text_case(Case(case.n, (), kept), greek=False).splitlines()[1:])


def _left(lam: Rule, delta: Rule) -> TwoStep:
    """prod (1 - lambda_t delta_{t,i}) up to a factor: by the rule that the shares lambda_t delta_{t,i} follow."""
    shares = lam.value * delta.value
    known = (rule.product for rule in RULES.values() if rule.product is not None and not rule.value - shares)
    if (found := next(known, None)) is None:
        raise ValueError(f"Argument 'rows' must have known partial products, not {delta.name} times {lam.name}.")
    return found


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _scaled(product: TwoStep, wanted: Fraction) -> TwoStep:
    """The product times the factor that gives it the value ``wanted`` at s = 0."""
    return product * (fmpq(wanted.numerator, wanted.denominator) / product.at(0)) if product else product


def _star(deltas: Sequence[Fraction | int], times: int) -> list[list[Fraction]]:
    rows = [[Fraction(j == 0) for j in range(len(deltas) + 1)]]
    for i, delta in enumerate(deltas, start=1):
        rows.append(
            [times * Fraction(delta) if j == 0 else (1 - Fraction(delta)) * (j == i) for j in range(len(rows[0]))]
        )
    return rows


def _rows(own: Sequence[TwoStep], times: int) -> list[list[TwoStep]]:
    """The star whose row i keeps ``own[i - 1]`` of itself."""
    n = len(own) + 1
    rows = [[TwoStep.of(int(j == 0)) for j in range(n)]]
    for i, kept in enumerate(own, start=1):
        rows.append([(1 - kept) * times if j == 0 else kept if j == i else TwoStep.of(0) for j in range(n)])
    return rows


def _sayings(coefficient: str, rows: Sequence[str], first: Layer | None, times: int) -> tuple[str, ...]:
    """What the case is, line by line, in the notation of text.py."""
    span, factor = ("t >= 1" if first is None else "t >= 2"), ("" if times == 1 else f"{times} * ")
    lines = [] if first is None else [f"lambda_1 = {first[0]}"]
    lines.append(f"lambda_t = {coefficient} for {span}")
    for i, rule in enumerate(rows, start=2):
        if first is not None:
            lines.append(f"A_1[{i}, 1] = {factor}{first[1][i - 2]}, A_1[{i}, {i}] = {1 - Fraction(first[1][i - 2])}")
        lines.append(f"A_t[{i}, 1] = {factor}{rule}, A_t[{i}, {i}] = 1 - {rule} for {span}".replace("- -", "+ "))
    return tuple(lines)


_OPENINGS: tuple[Layer | None, ...] = (
    None, (1, (1, 1)), (1, (0, 1)), (2, (Fraction(1, 2),) * 2), (Fraction(1, 2), (2, 2)),
)  # fmt: skip
_PROPER = ("0", "1", "1/(t + 1)", "1/(t + 1)^2")


@cache
def _family(proper: bool) -> tuple[EndlessCase, ...]:
    rules = _PROPER if proper else _GENERAL
    own = {c: rules if c in ("0", "1") else ("1", "0") for c in rules}
    pairs = [(c, rows) for size in (1, 2) for c in rules for rows in product(own[c], repeat=size)]
    if proper:
        return tuple(star(c, rows) for c, rows in pairs if c != "0" and len(set(rows)) == len(rows))
    opened = (star(c, rows, first=first) for first in _OPENINGS for c, rows in pairs)
    return (*opened, *(star(c, rows, times=2) for c, rows in pairs))


def family(*, proper: bool = False, indices: Mapping[str, int] | None = None, **others: Any) -> tuple[EndlessCase, ...]:
    """The listed sequences of layers, simplest first: what a search for counterexamples goes through.

    proper: only those with coefficients in [0, 1] and causal kernels, and no layer before those by rule.  others: what
    else a claim reads.
    """
    return tuple(case.reading(indices or {}, **others) for case in _family(proper))
