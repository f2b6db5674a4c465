"""Cases with the envelopes that a claim speaks of (U1), by one recursion down the layers, from the last row."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import prod

from flint import fmpq

from proofs.case import Case, Entries, Table

__all__ = ["Head", "Layer", "Row", "heads_case", "sums_rising"]

Row = Sequence[Fraction]
Head = tuple[Row, Row, Row]  # its weights in every row alpha_i, w_j and e_i
Layer = Sequence[Head]
Fast = list[fmpq]


class _Read:
    """What a head of a layer reads: row l reads w_j beta_l before the diagonal and e_l times that on it."""

    def __init__(self, lam: fmpq, head: Head, *, content: bool) -> None:
        alpha, self.w, e = (_fast(row) for row in head)
        self.e = e if content else [fmpq(1)] * len(e)
        before = accumulate(self.w, initial=fmpq(0))
        own = [x * y for x, y in zip(self.e, self.w, strict=True)]
        self.beta = [lam * a / (x + y) for a, x, y in zip(alpha, before, own, strict=False)]
        self.kept = [b * max(x - 1, fmpq(0)) * y for b, x, y in zip(self.beta, self.e, self.w, strict=True)]

    def column(self, row: Fast, factors: Fast) -> Fast:
        """sum_{l > j} U_l beta_l + U_j beta_j f_j, for every j."""
        later, found = fmpq(0), []
        for x, b, f in zip(reversed(row), reversed(self.beta), reversed(factors), strict=True):
            found.append(later + x * b * f)
            later += x * b
        return found[::-1]


def _fast(row: Row) -> Fast:
    return [fmpq(x.numerator, x.denominator) for x in row]


def _tables(size: int, lam: Row, layers: Sequence[Layer], *, content: bool) -> tuple[Table, Table, Table]:
    """theta_{t,j}, U_{t,l} and g^{t,h}_j = (prod_{s < t} theta_{s,j}) sum_{l >= j} U_{t,l} b^{t,h}_lj."""
    one, envelopes, rates = fmpq(1), [], _fast(lam)
    reads = [[_Read(x, head, content=content) for head in layer] for x, layer in zip(rates, layers, strict=True)]
    kept = [
        [one - x + sum(head.kept[j] for head in heads) for j in range(size)]
        for x, heads in zip(rates, reads, strict=True)
    ]
    rows = [[fmpq(int(j == size - 1)) for j in range(size)]]
    for t in reversed(range(len(rates))):
        row = rows[-1]
        below = [prod((kept[s][j] for s in range(t)), start=one) for j in range(size)]
        envelopes.append([
            [_slow(x * y) for x, y in zip(below, head.column(row, [min(f, one) for f in head.e]), strict=True)]
            for head in reads[t]
        ])  # fmt: skip
        all_read = [[x * y for x, y in zip(head.w, head.column(row, head.e), strict=True)] for head in reads[t]]
        rows.append([(one - rates[t]) * x + sum(head[j] for head in all_read) for j, x in enumerate(row)])
    above, by_layer = ([[_slow(x) for x in row] for row in table] for table in (reversed(rows), kept))
    return Table(by_layer), Table(above, (0,)), Table(envelopes[::-1])


def _slow(x: fmpq) -> Fraction:
    return Fraction(int(x.p), int(x.q))


def heads_case(size: int, count: int, lam: Row, layers: Sequence[Layer]) -> Case:
    """The case of these layers, ``count`` heads each: U and g without content, theta, V and f with it."""
    tables: dict[str, Entries | Table] = {
        name: [[head[place] for head in layer] for layer in layers] for place, name in enumerate(("alpha", "w", "e"))
    }
    _, tables["U"], tables["g"] = _tables(size, lam, layers, content=False)
    tables["theta"], tables["V"], tables["f"] = _tables(size, lam, layers, content=True)
    return Case.of(size, {"H": count, "T": len(lam)}, lambda_=lam, **tables)


def sums_rising(ratios: Row) -> list[Fraction]:
    """Weights with W_i / w_i nondecreasing: w_{i+1} = d_i W_i, the d_i being the ratios, largest first."""
    weights = [Fraction(1)]
    for ratio in sorted(ratios, reverse=True)[1:]:
        weights.append(ratio * sum(weights))
    return weights
