"""Regions against brute force: "entailed" and "empty" are always right, and exact where constraints are differences."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.region import Region, at_most, negated
from proofs.term import Index, as_index, index

x, y, z = (index(v) for v in "xyz")
NAMES = ("x", "y", "z")
BOX = 2
POINTS = [dict(zip(NAMES, point, strict=True)) for point in product(range(-BOX, BOX + 1), repeat=3)]
SIDES = [form for v in (x, y, z) for form in (at_most(v, as_index(BOX)), at_most(as_index(-BOX), v))]


def at(form: Index, point: dict[str, int]) -> int:
    return form.const + sum(c * point[v] for v, c in form.terms)


def region(*forms: Index) -> Region:
    """The points of the forms; they must not be seen to be empty."""
    found = Region().all(forms)
    assert found is not None
    return found


differences = st.builds(
    lambda pair, c: pair[0] - pair[1] + c,
    st.sampled_from([(a, b) for a in (x, y, z, as_index(0)) for b in (x, y, z, as_index(0)) if a != b]),
    st.integers(-3, 3),
)
forms = st.builds(
    lambda a, b, c, d: Index((), d) + _times(x, a) + _times(y, b) + _times(z, c),
    *[st.integers(-2, 2)] * 3,
    st.integers(-4, 4),
)


def _times(ix: Index, factor: int) -> Index:
    return Index(tuple((v, c * factor) for v, c in ix.terms if factor))


@settings(max_examples=200)
@given(st.lists(differences, max_size=5), differences)
def test_differences_are_decided_exactly(constraints: list[Index], question: Index) -> None:
    points = [p for p in POINTS if all(at(c, p) <= 0 for c in constraints)]
    found = Region().all([*SIDES, *constraints])
    assert (found is None) == (not points)
    if found is not None:
        assert found.entails(question) == all(at(question, p) <= 0 for p in points)
        assert (found.add(question) is None) == all(at(question, p) > 0 for p in points)


@settings(max_examples=200)
@given(st.lists(forms, max_size=4), forms)
def test_linear_forms_are_decided_soundly(constraints: list[Index], question: Index) -> None:
    points = [p for p in POINTS if all(at(c, p) <= 0 for c in constraints)]
    found = Region().all([*SIDES, *constraints])
    if found is None:
        assert not points
        return
    if found.entails(question):
        assert all(at(question, p) <= 0 for p in points)
    if found.add(question) is None:
        assert all(at(question, p) > 0 for p in points)
    for name in NAMES:
        pinned = found.pinned(name, avoid=set())
        assert pinned is None or all(at(pinned, p) == p[name] for p in points)


@given(forms, forms)
def test_a_form_and_its_negation_part_the_points(form: Index, other: Index) -> None:
    assert all((at(form, p) <= 0) != (at(negated(form), p) <= 0) for p in POINTS)
    inside = Region().add(form)
    if inside is not None:
        assert inside.entails(form)
        assert inside.add(negated(form)) is None
        added = inside.add(other)
        assert added is None or added.entails(other)


def test_order_is_transitive_over_integers() -> None:
    chain = region(at_most(x, y), at_most(y + 1, z))
    assert chain.entails(at_most(x + 1, z))
    assert not chain.entails(at_most(x + 2, z))
    assert chain.add(at_most(z, x)) is None
    assert chain.add(at_most(z, x + 1)) is not None


def test_a_constant_form_is_decided_without_variables() -> None:
    assert Region().entails(as_index(0))
    assert not Region().entails(as_index(1))
    assert Region().add(as_index(1)) is None
    assert Region().add(x - x) is not None


def test_an_empty_range_is_seen() -> None:
    assert Region().all([at_most(as_index(5), x), at_most(x, as_index(3))]) is None
    assert Region().all([at_most(as_index(4), x), at_most(x, as_index(4))]) is not None


def test_adding_leaves_the_region_alone() -> None:
    before = region(at_most(x, y))
    before.add(at_most(y, x))
    assert not before.entails(at_most(y, x))


def test_equal_indices_are_pinned() -> None:
    """x = y + 1 names y for x; where y is to be avoided nothing is left."""
    pinned = region(at_most(x, y + 1), at_most(y + 1, x))
    assert pinned.pinned("x", avoid=set()) == y + 1
    assert pinned.pinned("x", avoid={"y"}) is None
    assert region(at_most(x, as_index(3)), at_most(as_index(3), x)).pinned("x", avoid={"y"}) == as_index(3)
    assert region(at_most(x, y)).pinned("x", avoid=set()) is None


@pytest.mark.parametrize(
    ("constraints", "question"),
    [
        ([at_most(x + y, z), at_most(as_index(0), y)], at_most(x, z)),
        ([at_most(as_index(1), x + x)], at_most(as_index(1), x)),  # 1 <= 2x: over the integers x is at least 1
        ([at_most(x - y, z), at_most(z, as_index(0))], at_most(x, y)),
        ([at_most(x + y, z), at_most(z, x + y)], at_most(z - x, y)),
    ],
    ids=["sum of two", "tightened", "lag", "equation"],
)
def test_forms_that_are_no_differences(constraints: list[Index], question: Index) -> None:
    found = region(*constraints)
    assert found.entails(question)
    assert not found.entails(question + 1)
