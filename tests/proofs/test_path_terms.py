"""Rows in bytes against the polynomial ring, term by term and in order; moves that are wrong are noticed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from proofs import path_terms
from proofs.closed_form import ClosedForm, derive
from proofs.closed_form_ring import Monomial, Term
from proofs.closed_form_size import Plan
from proofs.closed_form_text import TextWriter
from proofs.path_terms import Alphabet, Move, PathTerms, checked, last_row

SMALL = [(1, 0), (1, 3), (2, 0), (2, 7), (7, 2), (3, 5), (5, 3), (4, 4), (24, 1), (5, 4)]
ELIMINATE = ("first", "diagonal")


@pytest.fixture
def in_the_ring(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ClosedForm]]:
    def derived(n: int, T: int, eliminate: str) -> ClosedForm:
        with monkeypatch.context() as patch:
            patch.setattr(Plan, "by_paths", property(lambda plan: False))
            return derive(n, T, eliminate=eliminate)

    yield derived


def reading_order(monomial: Monomial) -> tuple[int, ...]:
    """The degree, then the letters, a higher power of an earlier letter before a lower one."""
    return sum(power for _, power in monomial), *(x for k, power in monomial for x in (k, -power))


# --- the ring as oracle ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("eliminate", ELIMINATE)
@pytest.mark.parametrize(("n", "T"), SMALL)
def test_terms_are_those_of_the_ring(
    n: int, T: int, eliminate: str, in_the_ring: Callable[..., ClosedForm], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(path_terms, "BLOCK", 7)  # several blocks, the last one short
    form, oracle = derive(n, T, eliminate=eliminate), in_the_ring(n, T, eliminate)
    assert (form.letters, form.sums_to_one) == (oracle.letters, True)
    for entry, other in zip(form.entries, oracle.entries, strict=True):
        assert isinstance(entry.numerator, PathTerms) and isinstance(other.numerator, tuple)
        assert tuple(entry.numerator) == other.numerator
        assert [reading_order(m) for _, m in entry.numerator] == sorted(reading_order(m) for _, m in other.numerator)
    assert form.text() == oracle.text()
    assert form.latex() == oracle.latex()
    assert form.python() == oracle.python()
    assert form.json() == oracle.json()


@pytest.mark.parametrize(
    ("size", "eliminate", "terms"),
    [  # by multiplying out, once; the same numbers as in test_closed_form_size.py
        (5, "first", 4_715),
        (5, "diagonal", 11_529),
        (6, "diagonal", 201_811),
        (7, "first", 223_991),
        (8, "first", 1_568_501),
    ],
)
def test_number_of_terms(size: int, eliminate: str, terms: int) -> None:
    row = checked(last_row(Alphabet(size, size, eliminate)))
    assert sum(len(entry) for entry in row) == terms
    assert all(entry.codes.dtype == np.uint8 for entry in row)


def test_more_letters_than_a_byte_and_more_layers_than_a_word() -> None:
    """p_n = Π_t (1 − λ_t + λ_t A_t[n, n]), n = 30: 435 free entries a layer, in two words of 64 bits."""
    n, T, free = 30, 7, 435
    (entry,) = derive(n, T, entry=n).entries
    assert isinstance(entry.numerator, PathTerms)
    assert entry.numerator.codes.dtype == np.uint16 and len(entry.numerator.words()) == 2
    expected = []
    for choice in product(range(3), repeat=T):
        mixing = [(t, 1) for t, c in enumerate(choice) if c]
        weights = [(T + (t + 1) * free - 1, 1) for t, c in enumerate(choice) if c == 2]
        expected.append((Fraction((-1) ** choice.count(1)), (*mixing, *weights)))
    assert list(entry.numerator) == sorted(expected, key=lambda term: reading_order(term[1]))


# --- what is wrong is noticed ---------------------------------------------------------------------------------------


def mutated(monkeypatch: pytest.MonkeyPatch, change: Callable[[list[Move]], list[Move]], row: int = 3) -> None:
    """Changes the moves from position ``row``."""
    real = Alphabet.moves

    def wrong(self: Alphabet, i: int) -> Iterator[Move]:
        moves = list(real(self, i))
        yield from change(moves) if i == row else moves

    monkeypatch.setattr(Alphabet, "moves", wrong)


@pytest.mark.parametrize("eliminate", ELIMINATE)
@pytest.mark.parametrize("at", range(5))
def test_a_wrong_move_breaks_the_sum(at: int, eliminate: str, monkeypatch: pytest.MonkeyPatch) -> None:
    twins: dict[str, Callable[[list[Move]], list[Move]]] = {
        "left out": lambda moves: [*moves[:at], *moves[at + 1 :]],
        "turned": lambda moves: [*moves[:at], (*moves[at][:2], not moves[at][2]), *moves[at + 1 :]],
        "another code": lambda moves: [*moves[:at], (moves[at][0], 1, moves[at][2]), *moves[at + 1 :]],
        "twice": lambda moves: [*moves, moves[at]],
    }
    for name, change in twins.items():
        with monkeypatch.context() as patch:
            mutated(patch, change)
            with pytest.raises(ArithmeticError):
                checked(last_row(Alphabet(3, 2, eliminate)))
                pytest.fail(name)


@pytest.mark.parametrize("eliminate", ELIMINATE)
def test_entries_read_by_the_wrong_names_differ_from_the_ring(
    eliminate: str, in_the_ring: Callable[..., ClosedForm], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two free entries of row 3 exchanged keep all sums, so that only the ring tells."""
    real, both = Alphabet.weight, {"first": 2 + 3, "diagonal": 1 + 2}[eliminate]
    monkeypatch.setattr(Alphabet, "weight", lambda self, i, j: real(self, i, j if i < 3 else both - j))
    form, oracle = derive(3, 2, eliminate=eliminate), in_the_ring(3, 2, eliminate)
    assert form.sums_to_one and form.entries != oracle.entries


def test_terms_that_differ_are_told_apart() -> None:
    rng = random.Random(5)
    row = last_row(Alphabet(3, 3, "first"))
    for terms in row:
        for _ in range(20):
            t, at = rng.randrange(3), rng.randrange(len(terms))
            codes = terms.codes.copy()
            codes[t, at] = (codes[t, at] + 1) % (terms.alphabet.alone + 1)
            twin = PathTerms(terms.alphabet, codes, terms.negative)
            with pytest.raises(ArithmeticError):
                checked([twin if x is terms else x for x in row])


def test_what_sums_to_something_else_is_noticed() -> None:
    """To −1 with all signs turned, to λ_1 or to 0 with terms left out: only what is left after cancelling tells."""
    row = checked(last_row(Alphabet(2, 1, "first")))  # λ − λ A and 1 − λ + λ A
    twins = {
        "-1": [PathTerms(x.alphabet, x.codes, ~x.negative) for x in row],
        "λ_1": [row[0][:1], row[1][:0]],
        "0": [row[0], row[1][1:]],
        "1 + λ_1": [row[0], PathTerms(row[1].alphabet, row[1].codes[:, ::2], row[1].negative[::2])],
    }
    for name, twin in twins.items():
        with pytest.raises(ArithmeticError, match="do not sum to 1"):
            checked(twin)
            pytest.fail(name)


# --- a sequence -----------------------------------------------------------------------------------------------------


def test_a_sequence_of_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_terms, "BLOCK", 3)
    (terms,) = (entry.numerator for entry in derive(3, 2, entry=2).entries)
    listed: list[Term] = list(terms)
    assert isinstance(terms, PathTerms)
    assert [terms[at] for at in range(len(terms))] == listed
    assert terms[-1] == listed[-1] and list(terms[1:4]) == listed[1:4] and list(terms[::-1]) == listed[::-1]
    assert terms == tuple(listed) == terms and terms == terms[:] and terms != tuple(listed[1:]) and terms != listed[1]
    assert hash(terms) == hash(tuple(listed))
    assert terms[0] in terms and not terms[:0]
    with pytest.raises(IndexError):
        terms[len(terms)]


@pytest.mark.parametrize("eliminate", ELIMINATE)
def test_products_are_the_terms(eliminate: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With tables of one layer and of two, in blocks."""
    monkeypatch.setattr(path_terms, "BLOCK", 11)
    for n, T in ((3, 3), (12, 2), (12, 1)):
        form = derive(n, T, eliminate=eliminate)
        writer = TextWriter(form.letters)
        names = [writer.letter(x) for x in form.letters]
        for entry in form.entries:
            assert isinstance(entry.numerator, PathTerms)
            expected = [(c < 0, writer.term(abs(c), monomial)) for c, monomial in entry.numerator]
            assert list(entry.numerator.products(names, " ", "1")) == expected
