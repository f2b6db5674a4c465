"""The language of claims: indices are linear forms, arithmetic builds terms and never simplifies."""

from __future__ import annotations

import pickle
from dataclasses import replace
from fractions import Fraction

import pytest

from proofs.substitute import free_names
from proofs.term import (
    Bracket,
    Index,
    Lambda,
    Num,
    Plus,
    Range,
    Relation,
    Symbol,
    Times,
    as_index,
    as_term,
    index,
    total,
)

i, j = index("i"), index("j")
f = Symbol("f", 1)


@pytest.mark.parametrize(
    ("built", "terms", "const"),
    [
        (i + 1, (("i", 1),), 1),
        (1 + i, (("i", 1),), 1),
        (i - 1, (("i", 1),), -1),
        (2 - i, (("i", -1),), 2),
        (j + i, (("i", 1), ("j", 1)), 0),
        (i - i, (), 0),
        (i + j - i, (("j", 1),), 0),
        (i + i, (("i", 2),), 0),
        (-(i - j + 3), (("i", -1), ("j", 1)), -3),
        (as_index(4), (), 4),
        (as_index("i"), (("i", 1),), 0),
    ],
)
def test_an_index_is_a_linear_form_with_sorted_variables(built: Index, terms: tuple[object, ...], const: int) -> None:
    assert (built.terms, built.const) == (terms, const)


def test_indices_that_are_equal_as_forms_are_equal_objects() -> None:
    assert i + j == j + i
    assert hash(i + 1 - 1) == hash(i)
    assert (i + 1) - (i + 1) == as_index(0)


def test_arithmetic_builds_and_does_not_simplify() -> None:
    x = f("i")
    assert x - x == Plus((x, Times((Num(Fraction(-1)), x))))
    assert 2 * x == Times((Num(Fraction(2)), x))
    assert x * Fraction(1, 2) == Times((x, Num(Fraction(1, 2))))
    assert 1 - x == Plus((Num(Fraction(1)), Times((Num(Fraction(-1)), x))))
    assert 1 + x == Plus((Num(Fraction(1)), x))


def test_minus_a_number_is_a_number() -> None:
    assert -as_term(2) == Num(Fraction(-2))


def test_terms_are_values_that_can_be_compared_and_hashed() -> None:
    def built() -> tuple[object, ...]:
        return (total("j", 1, i, f("j") * 2), Bracket(((i, j),)), Lambda(("i",), f("i")), Relation("<=", f(1), f(2)))

    assert built() == built()
    assert len({*built(), *built()}) == 4


def test_what_a_term_remembers_is_no_part_of_it() -> None:
    """Hashes of words differ from process to process: none may travel with a term."""
    asked, fresh = (total("j", 1, i, f("j") * 2) for _ in range(2))
    assert (hash(asked), free_names(asked)) == (hash(fresh), frozenset(("i", "f")))
    assert asked == fresh
    assert repr(asked) == repr(fresh)
    for copy in (pickle.loads(pickle.dumps(asked)), replace(asked, body=asked.body)):
        assert copy == asked
        assert not hasattr(copy, "remembered_hash")
        assert not hasattr(copy, "remembered_names")


@pytest.mark.parametrize("op", [">=", ">", "==", "", "!="])
def test_a_relation_knows_three_signs(op: str) -> None:
    with pytest.raises(ValueError, match="Argument 'op' must be"):
        Relation(op, f(1), f(2))


def test_nothing_binds_the_number_of_positions() -> None:
    with pytest.raises(ValueError, match="must not be 'n'"):
        Range("n", as_index(1), None)
    with pytest.raises(ValueError, match="must not be 'n'"):
        Lambda(("i", "n"), f("i"))
    with pytest.raises(ValueError, match="must not be 'n'"):
        total("n", 1, 3, f("n"))
