"""The last row in symbols for a kernel and a λ_t per layer, in bytes: a term is one small code per layer, and a sign.

    first column eliminated   R_ij = λ A_ij,  R_ii = 1 − λ + λ A_ii,  R_i1 = λ − Σ_{k=2..i} λ A_ik,  R_11 = 1
    diagonal eliminated       R_ij = λ A_ij,  R_ii = 1 − Σ_{k<i} λ A_ik

A product of one entry of R_t per layer is a path, and its monomial tells the path and where it ends: read from layer 1
up, λ_t A_t[i, k] is a step from i to k where the path stands at k, and a stay at i where it stands at i. So like terms
never meet within an entry, a row v R_t is v's terms with one more code each, and nothing is added or multiplied.

Both facts are checked on what came out, not assumed: `checked` sorts the terms of all entries and refuses like terms
within one entry, and a row whose signed terms do not cancel to exactly 1. p_1 has its own recursion, so that can fail.

Exact here: everything; there are no numbers but 1 and −1. Not covered: shared kernels, whose like terms do meet, and
numbers for λ; those are for the ring (closed_form_ring.py), with which the tests compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import compress, product
from typing import overload

import numpy as np
from numpy.typing import NDArray

from proofs.closed_form_ring import Term

__all__ = ["Alphabet", "PathTerms", "checked", "last_row"]

Codes = NDArray[np.unsignedinteger]
Words = list[NDArray[np.uint64]]  # the most significant first
Move = tuple[int, int, bool]  # (position, code, whether negative)

BLOCK = 1 << 15  # terms that are Python objects at one time
STAYS = 0  # the code of 1


@dataclass(frozen=True)
class Alphabet:
    """The codes of one layer: 0 is 1, k is λ_t times the k-th free entry of A_t, row by row, ``alone`` is λ_t.

    n : positions. T : layers. eliminate : first or diagonal. In the order of the codes a term with an earlier letter
    comes first. Letters are numbered λ_1 … λ_T, then A_1's, A_2's, …
    """

    n: int
    T: int
    eliminate: str

    @property
    def free(self) -> int:
        """The number of free entries of one kernel."""
        return self.n * (self.n - 1) // 2

    @property
    def alone(self) -> int:
        return self.free + 1

    def weight(self, i: int, j: int) -> int:
        """The code of λ A_ij, i ≥ 2."""
        return (i - 1) * (i - 2) // 2 + (j - 1 if self.eliminate == "first" else j)

    def letter(self, t: int, code: int) -> int:
        """The number of the letter A_t of that code; layers count from 1."""
        return self.T + (t - 1) * self.free + code - 1

    def moves(self, i: int) -> Iterator[Move]:
        """The terms of row i of R: where each leads, its code and its sign."""
        yield i, STAYS, False
        if i == 1:
            return
        last = 1 if self.eliminate == "first" else i  # the column that is 1 minus the others
        others = [j for j in range(1, i + 1) if j != last]
        yield from ((j, self.weight(i, j), False) for j in others)
        if self.eliminate == "first":
            yield i, self.alone, True  # 1 − λ
            yield 1, self.alone, False
        yield from ((last, self.weight(i, k), True) for k in others)


# --- the recursion --------------------------------------------------------------------------------------------------


def last_row(alphabet: Alphabet, first: int = 1) -> list[PathTerms]:
    """p_first … p_n, v ← v R_t for t = T … 1 from v = e_n; the terms in the order in which they arise."""
    n, T = alphabet.n, alphabet.T
    kind = np.min_scalar_type(alphabet.alone)
    rows = {n: (np.empty((0, 1), kind), np.zeros(1, bool))}
    arriving: dict[int, list[tuple[int, int, bool]]] = {j: [] for j in range(first, n + 1)}
    for i in range(first, n + 1):
        for j, code, negative in alphabet.moves(i):
            if j >= first:
                arriving[j].append((i, code, negative))
    for _ in range(T):
        rows = {j: found for j in arriving if (found := _arrived(rows, arriving[j], kind)) is not None}
    nothing = np.empty((T, 0), kind), np.zeros(0, bool)
    return [PathTerms(alphabet, *rows.get(j, nothing)) for j in range(first, n + 1)]


def _arrived(
    rows: dict[int, tuple[Codes, NDArray[np.bool_]]], moves: list[Move], kind: np.dtype[np.unsignedinteger]
) -> tuple[Codes, NDArray[np.bool_]] | None:
    """The terms that reach one position, one layer further down: its code is put before the others."""
    moves = [move for move in moves if move[0] in rows]
    total = sum(rows[i][1].size for i, _, _ in moves)
    if not total:
        return None
    codes, negative = np.empty((len(rows[moves[0][0]][0]) + 1, total), kind), np.empty(total, bool)
    at = 0
    for i, code, turned in moves:
        above, sign = rows[i]
        here = slice(at, at + sign.size)
        codes[0, here], codes[1:, here], negative[here] = code, above, sign ^ turned
        at += sign.size
    return codes, negative


# --- terms ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PathTerms(Sequence[Term]):
    """The terms of an entry as a sequence of (±1, monomial), each made when it is asked for.

    codes : (T, terms), layer 1 first. negative : (terms,).
    """

    alphabet: Alphabet
    codes: Codes
    negative: NDArray[np.bool_]

    def __len__(self) -> int:
        return self.negative.size

    @overload
    def __getitem__(self, at: int) -> Term: ...
    @overload
    def __getitem__(self, at: slice) -> PathTerms: ...
    def __getitem__(self, at: int | slice) -> Term | PathTerms:
        if isinstance(at, slice):
            return PathTerms(self.alphabet, self.codes[:, at], self.negative[at])
        at = range(len(self))[at]
        return next(iter(self[at : at + 1]))

    def __iter__(self) -> Iterator[Term]:
        alphabet, signs = self.alphabet, (Fraction(1), Fraction(-1))
        lams = [(t, 1) for t in range(alphabet.T)]
        weights = [[(alphabet.letter(t, k), 1) for k in range(alphabet.alone)] for t in range(1, alphabet.T + 1)]
        for block in self._blocks():
            for negative, codes in zip(block.negative.tolist(), block.codes.T.tolist(), strict=True):
                mixing = [lam for lam, code in zip(lams, codes, strict=True) if code]
                entries = [of[k] for of, k in zip(weights, codes, strict=True) if STAYS < k < alphabet.alone]
                yield signs[negative], (*mixing, *entries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (PathTerms, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def products(self, names: Sequence[str], gap: str, one: str) -> Iterator[tuple[bool, str]]:
        """(whether negative, the term without its sign) for each, its letters joined by ``gap``; ``one`` for 1.

        names : of the letters, by number.
        """
        lams = [gap + names[t] for t in range(self.alphabet.T)]
        tables = list(self._factors([gap + name for name in names]))
        for block in self._blocks():
            moved = (block.codes != STAYS).astype(np.uint64)
            _, one_of, which = np.unique(_binary(moved), return_index=True, return_inverse=True)
            mixing = ["".join(compress(lams, row)) for row in moved[:, one_of].T.tolist()]
            columns = [map(mixing.__getitem__, which.tolist())]
            for layers, table in tables:
                index = reduce(
                    lambda high, row: high * (self.alphabet.alone + 1) + row, block.codes[layers].astype(int)
                )
                columns.append(map(table.__getitem__, index.tolist()))
            shown = map("".join, zip(*columns, strict=True))
            yield from zip(block.negative.tolist(), (text[len(gap) :] or one for text in shown), strict=True)

    def _factors(self, names: Sequence[str]) -> Iterator[tuple[slice, list[str]]]:
        """(layers, what their codes say of the letters A), two layers at a time where that makes no large table."""
        alphabet = self.alphabet
        single = [
            ["", *(names[alphabet.letter(t, k)] for k in range(1, alphabet.alone)), ""]
            for t in range(1, alphabet.T + 1)
        ]
        step = 2 if alphabet.alone < 60 else 1
        for at in range(0, alphabet.T, step):
            yield slice(at, at + step), ["".join(parts) for parts in product(*single[at : at + step])]

    def _blocks(self) -> Iterator[PathTerms]:
        yield from (self[at : at + BLOCK] for at in range(0, len(self), BLOCK))

    def words(self) -> Words:
        """Numbers that tell terms apart and put them in the order in which they print: by degree, then by letters.

        Of two terms of one degree the one with λ of the earlier layer comes first, then the one with the earlier A; an
        A of an earlier layer beats none there, which is why λ alone has the last code.
        """
        codes, (T, alone) = self.codes, (self.alphabet.T, self.alphabet.alone)
        moved = codes != STAYS
        degree = moved.sum(axis=0, dtype=np.uint64) + ((codes != alone) & moved).sum(axis=0, dtype=np.uint64)
        absent = [(~row, 1) for row in moved]
        return _packed([(degree, (2 * T).bit_length()), *absent, *((row, alone.bit_length()) for row in codes)])

    def ordered(self) -> PathTerms:
        """The same terms in the order in which they print."""
        return self._taken(_order(self.words()))

    def _taken(self, order: NDArray[np.intp]) -> PathTerms:
        return PathTerms(self.alphabet, np.ascontiguousarray(self.codes[:, order]), self.negative[order])


def _binary(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """(layers, terms) of 0 and 1 as one number per term."""
    powers = np.uint64(1) << np.arange(len(bits), dtype=np.uint64)
    return np.asarray(powers @ bits)


# --- order and check ------------------------------------------------------------------------------------------------


def _packed(digits: Sequence[tuple[NDArray[np.generic], int]]) -> Words:
    """Digits of so many bits each, the most significant first, in as few words of 64 bits as they need."""
    words: Words = []
    used = 0
    for digit, bits in digits:
        value = digit.astype(np.uint64)
        if not words or used + bits > 64:
            words.append(value)
            used = bits
        else:
            words[-1] = (words[-1] << np.uint64(bits)) | value
            used += bits
    return words


def _order(words: Words) -> NDArray[np.intp]:
    return np.argsort(words[0]) if len(words) == 1 else np.lexsort(words[::-1])


def _same(words: Words) -> NDArray[np.bool_]:
    """Whether each but the last is equal to the next."""
    same: NDArray[np.bool_] = np.logical_and.reduce([word[1:] == word[:-1] for word in words])
    return same


def checked(row: Sequence[PathTerms]) -> list[PathTerms]:
    """The entries p_1 … p_n in reading order, found to have no like terms and to sum to exactly 1.

    The signed terms of all entries are sorted; equal ones must cancel, apart from one +1. ArithmeticError otherwise.
    """
    words = [terms.words() for terms in row]
    orders = [_order(of) for of in words]
    for of, order in zip(words, orders, strict=True):
        if _same([word[order] for word in of]).any():
            raise ArithmeticError("Two terms of an entry are alike, so the closed form is wrong.")
    signs = np.concatenate([1 - 2 * terms.negative.astype(np.int64) for terms in row])
    codes = np.concatenate([terms.codes for terms in row], axis=1)
    if not _sums_to_one([np.concatenate(parts) for parts in zip(*words, strict=True)], codes, signs):
        raise ArithmeticError("The entries do not sum to 1, so the closed form is wrong.")
    return [terms._taken(order) for terms, order in zip(row, orders, strict=True)]


def _sums_to_one(words: Words, codes: Codes, signs: NDArray[np.int64]) -> bool:
    order = _order(words)
    begins = np.flatnonzero(np.concatenate([[True], ~_same([word[order] for word in words])]))
    totals = np.add.reduceat(signs[order], begins)
    left = np.flatnonzero(totals)
    return left.size == 1 and totals[left[0]] == 1 and not codes[:, order[begins[left[0]]]].any()
