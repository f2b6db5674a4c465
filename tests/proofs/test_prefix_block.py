"""X2 and X2b: what fails inside the prefix, and what does not."""

from __future__ import annotations

from fractions import Fraction

from proofs.case import Case, kernel
from proofs.evaluate import evaluate
from proofs.ledger import LEDGER
from proofs.notation import IDENTITY, causal_beyond, monotone, product, tail
from proofs.term import ForAll, Relation, Symbol, as_term

SWAP = ((0, 1), (1, 0))
B, N = Symbol("B", 2), Symbol("N", 2)


def test_primacy_fails_inside_the_prefix() -> None:
    """X2: b = n = 2, rows swapped.  On top of I, row 1 moves from token 1 to token 2, and row 2 back."""
    case = Case.of(2, {"b": 2}, N=SWAP, B=kernel([1], [0, 1]))
    assert evaluate(causal_beyond(N, "b"), case).holds
    assert evaluate(monotone(B), case).holds
    for row, before, after in ((1, 0, 1), (2, 1, 0)):
        assert evaluate(Relation("=", tail(B)(row, 2), as_term(before)), case).holds
        assert evaluate(Relation("=", tail(product(N, B))(row, 2), as_term(after)), case).holds


def test_the_last_row_on_top_of_a_monotone_product_moves_down_all_the_same() -> None:
    """D1's part on the last row needs no mask, so it holds inside a prefix too."""
    (part,) = (p for p in LEDGER["D1"].claim.parts if p.name == "top, last row")
    assert "inserted layer" not in part.given and isinstance(part.asserts, ForAll)
    case = Case.of(2, {"s": 0, "u": 0, "T": 0}, R=[], M=SWAP)
    assert evaluate(part.asserts, case).holds


def test_without_mixing_nothing_forgets() -> None:
    """A primitive block does not tend to its law where the coefficients are 0: the bound is 1, and it is attained."""
    half = Fraction(1, 2)
    case = Case.of(2, {"b": 2, "T": 2}, lambda_=[0, 0], A=[[half, half], [half, half]], c=half, U=kernel([1], [0, 1]),
                   pi=[half, half])  # fmt: skip
    (part,) = (p for p in LEDGER["X2b"].claim.parts if p.name == "one kernel")
    assert evaluate(part.asserts, case).holds
    moved = product(Symbol("U", 2), IDENTITY)
    assert evaluate(Relation("=", moved(1, 1), as_term(1)), case).holds
