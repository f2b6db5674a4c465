"""Layers that keep part of a token and read the rest by heads: what each layer adds to the profile (U1), as formulas.

    R_t(i, j) = theta_{t,i} [i = j] + [j <= i] sum_h w^{t,h}_j b^{t,h}_ij

Paths from position n are sorted by the lowest layer t that reads, and by the head h that reads there; below it they
stay at j.  So w^{t,h}_j g^{t,h}_j is their share, g^{t,h}_j = (prod_{s < t} theta_{s,j}) sum_{l >= j} U_{t,l}
b^{t,h}_lj, where U_t is the last row of R_T ... R_{t+1}.  Functions are applied at once, so that a lemma
(envelope_steps.py), specialised, is the very formula that a claim states.
"""

from __future__ import annotations

from proofs.notation import accumulated, every, layers, n, rollout, up_to_diagonal, zero_one
from proofs.prefix_heads import each_head
from proofs.substitute import apply
from proofs.term import And, Fn, Formula, Index, Lambda, Relation, Term, as_index, as_term, index, total

__all__ = [
    "added",
    "at",
    "decomposed",
    "entries_fall",
    "envelope",
    "falling",
    "keeping_falls",
    "kept_below",
    "last_row",
    "nonnegative_entries",
    "nonnegative_keeping",
    "nonnegative_weights",
    "read",
    "rows_above",
    "split",
    "stack_above",
]

i, j, r, t, H, T = (index(name) for name in "ijrtHT")
ZERO = as_term(0)

# --- formulas -------------------------------------------------------------------------------------


def at(fn: Fn, *args: Index | str) -> Term:
    """The value of ``fn``; an abstraction is applied, and at its own parameters it is its body as it stands."""
    places = tuple(as_index(a) for a in args)
    if isinstance(fn, Lambda) and places == tuple(index(x) for x in fn.params):
        return fn.body
    return apply(fn, places)


def last_row(family: Fn) -> Lambda:
    """p_j, the last row of R_T ... R_1."""
    return Lambda(("j",), rollout(family)(T, n, "j"))


def stack_above(family: Fn, t: Index | int | str) -> Fn:
    """R_{t+r} ... R_{t+1}: indices (r, i, j)."""
    return rollout(Lambda(("r", "i", "j"), at(family, as_index(t) + r, "i", "j")))


def rows_above(rows: Fn, family: Fn) -> Formula:
    """U_{t,l} = (R_T ... R_{t+1})_nl."""
    meaning = stack_above(family, t)(T - t, n, "l")
    return every("t", 0, T, every("l", 1, n, Relation("=", rows("t", "l"), meaning)))


def kept_below(keeping: Fn, depth: Index, position: Index | str) -> Term:
    """prod_{s <= depth} theta_{s,j}."""
    return accumulated(Lambda(("s",), at(keeping, "s", position)))(depth)


def read(rows: Fn, entries: Fn, position: Index | str) -> Term:
    """sum_{l >= j} U_{t,l} b^{t,h}_lj."""
    return total("l", position, n, at(rows, "t", "l") * at(entries, "t", "h", "l", position))


def envelope(parts: Fn, rows: Fn, keeping: Fn, entries: Fn) -> Formula:
    """g^{t,h}_j = (prod_{s < t} theta_{s,j}) sum_{l >= j} U_{t,l} b^{t,h}_lj."""
    meaning = kept_below(keeping, t - 1, "j") * read(rows, entries, "j")
    return each_head(every("j", 1, n, Relation("=", parts("t", "h", "j"), meaning)))


def added(upto: Index, weights: Fn, parts: Fn) -> Term:
    """sum_{t <= upto} sum_h w^{t,h}_j g^{t,h}_j."""
    return total("t", 1, upto, total("h", 1, H, at(weights, "t", "h", "j") * parts("t", "h", "j")))


def decomposed(row: Fn, keeping: Fn, weights: Fn, parts: Fn) -> Formula:
    """p_j = (prod_t theta_{t,n}) [j = n] + sum_t sum_h w^{t,h}_j g^{t,h}_j."""
    spike = kept_below(keeping, T, n) * up_to_diagonal("j", n)  # [n <= j], since j <= n
    return every("j", 1, n, Relation("=", at(row, "j"), spike + added(T, weights, parts)))


def falling(parts: Fn) -> And:
    """Every g^{t,h}_j is nonnegative and nonincreasing in j."""
    here, after = (parts("t", "h", x) for x in (j, j + 1))
    return And((
        ("nonnegative", each_head(every("j", 1, n, Relation("<=", ZERO, here)))),
        ("nonincreasing", each_head(every("j", 1, n - 1, Relation("<=", after, here)))),
    ))  # fmt: skip


# --- what is asked of the layers ------------------------------------------------------------------


def split(family: Fn, keeping: Fn, weights: Fn, entries: Fn) -> Formula:
    """R_t(i, j) = theta_{t,i} [i = j] + [j <= i] sum_h w^{t,h}_j b^{t,h}_ij."""
    heads = total("h", 1, H, at(weights, "t", "h", "j") * at(entries, "t", "h", "i", "j"))
    parts = at(keeping, "t", "i") * zero_one("i", "j") + up_to_diagonal("i", "j") * heads
    return layers(1, "T", every("i", 1, n, every("j", 1, n, Relation("=", at(family, "t", "i", "j"), parts))))


def nonnegative_weights(weights: Fn) -> Formula:
    """w^{t,h}_j >= 0."""
    return each_head(every("j", 1, n, Relation("<=", ZERO, at(weights, "t", "h", "j"))))


def nonnegative_keeping(keeping: Fn) -> Formula:
    """theta_{t,i} >= 0."""
    return layers(1, "T", every("i", 1, n, Relation("<=", ZERO, at(keeping, "t", "i"))))


def keeping_falls(keeping: Fn) -> Formula:
    """theta_{t,i} is nonincreasing in i."""
    return layers(1, "T", every("i", 1, n - 1, Relation("<=", at(keeping, "t", i + 1), at(keeping, "t", "i"))))


def nonnegative_entries(entries: Fn) -> Formula:
    """b^{t,h}_ij >= 0."""
    return each_head(every("i", 1, n, every("j", 1, n, Relation("<=", ZERO, at(entries, "t", "h", "i", "j")))))


def entries_fall(entries: Fn) -> Formula:
    """b^{t,h}_ij is nonincreasing in j <= i."""
    here, after = (at(entries, "t", "h", "i", x) for x in (j, j + 1))
    return each_head(every("j", 1, n - 1, every("i", j + 1, n, Relation("<=", after, here))))
