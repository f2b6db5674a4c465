"""Names from a closed list: the nearest of them for one that is mistyped."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numeric.nearest import near_names, nearest, one_of
from numeric.refuse import InputError

KINDS = ("general", "uniform", "prefix", "alibi", "content")
names = st.lists(st.text(string.ascii_letters + string.digits, min_size=1, max_size=9), min_size=1, max_size=7)


@given(names)
def test_a_name_that_differs_by_capitals_alone_is_the_only_one(known: list[str]) -> None:
    for name in known:
        found = near_names(name.swapcase(), known)
        assert name in found
        assert {other.lower() for other in found} == {name.lower()}


@given(names, st.text(max_size=9), st.integers(1, 3))
def test_what_is_near_is_a_name(known: list[str], typed: str, most: int) -> None:
    found = near_names(typed, dict.fromkeys(name.lower() for name in known), most)
    assert len(found) <= most
    assert set(found) <= {name.lower() for name in known}


@pytest.mark.parametrize(("kind", "at"), [(kind, at) for kind in KINDS for at in range(len(kind) - 1)])
def test_two_letters_that_changed_places(kind: str, at: int) -> None:
    typed = kind[:at] + kind[at + 1] + kind[at] + kind[at + 2 :]
    assert near_names(typed, KINDS)[0] == kind


@pytest.mark.parametrize(("typed", "expected"), [("D2x", ["D2"]), ("D9", ["D2", "D1"]), ("zz", []), ("", [])])
def test_short_names(typed: str, expected: list[str]) -> None:
    assert near_names(typed, ("D1", "D2", "I1")) == expected


def test_the_place_of_a_refusal() -> None:
    assert nearest("unifrom", KINDS, place="job 1") == "job 1; nearest: uniform"
    assert nearest("zzz", KINDS, place="job 1") == "job 1"
    assert nearest("zzz", KINDS) == ""


def test_one_of() -> None:
    assert one_of("alibi", "--kernel", KINDS) == "alibi"
    with pytest.raises(InputError, match=r"'--kernel' must be one of general, .*, not 'zzz'\.$"):
        one_of("zzz", "--kernel", KINDS)
    with pytest.raises(InputError, match=r"not 'prefx' \(nearest: prefix\)\.$"):
        one_of("prefx", "--kernel", iter(KINDS))
