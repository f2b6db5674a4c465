"""The closed subset of YAML: what separates, what is a number, and that both of PyYAML's parsers agree."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from numeric.refuse import InputError
from numeric.yaml_text import Node, plain, read_node, without_tabs

TABS = [
    ("a: [1\t,\t2\t,3 ]\t", "a: [1 , 2 ,3 ] "),
    ("a:\t1", "a: 1"),
    ("a: [\n\t1,\n\t2]\nb: 3", "a: [\n 1,\n 2]\nb: 3"),
    ("a: \"x\ty\"\nb: 'x''\ty'", "a: \"x\ty\"\nb: 'x''\ty'"),
    ('a: ["x\\"\ty"\t, 2]', 'a: ["x\\"\ty" , 2]'),
    ("a: 1\t# tab\there", "a: 1 # tab\there"),
    ("a: b [c\n\td: 1", "a: b [c\n\td: 1"),  # a bracket inside plain text opens nothing: the indentation stays a TAB
    ("a: it's\n\td: 'x'", "a: it's\n\td: 'x'"),
    ("a: b#c\t# d\te", "a: b#c # d\te"),
    ("\ta: 1", "\ta: 1"),
    ("a: 'open\t", "a: 'open\t"),
]


@pytest.mark.parametrize(("text", "expected"), TABS, ids=[str(k) for k in range(len(TABS))])
def test_only_tabs_that_separate_become_blanks(text: str, expected: str) -> None:
    assert without_tabs(text) == expected


@pytest.mark.parametrize("libyaml", [True, False])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001), ("+1E2", 100.0), (".5", 0.5), ("5.", 5.0), ("-0.0", -0.0), ("3/8", 0.375), ("-7", -7),
        ("null", None), ("~", None), ("a:", {"a": None}), ("'1'", "1"), ('"1e-3"', "1e-3"), ("'null'", "null"),
        ("1_000", "1_000"), ("0x10", "0x10"), ("1:30", "1:30"), ("yes", "yes"), ("2026-05-01", "2026-05-01"),
        (".nan", ".nan"), (".inf", ".inf"), ("[[1, 2], []]", [[1, 2], []]),
        ("{a: 1, b: {c: x}}", {"a": 1, "b": {"c": "x"}}),
    ],
)  # fmt: skip
def test_scalars(text: str, value: object, libyaml: bool) -> None:
    read = plain(read_node(text, "test", libyaml=libyaml))
    assert read == value
    assert type(read) is type(value)


def test_lines_are_those_of_the_keys_and_of_the_entries() -> None:
    node = read_node("a: 1\nb:\n  c: [1,\n    2]\n", "test")
    two, three = Node(3, [Node(3, 1), Node(4, 2)]), Node(1, 1)
    assert node == Node(1, {"a": three, "b": Node(2, {"c": two})})


def test_division_by_zero_is_refused_with_its_line() -> None:
    with pytest.raises(InputError, match=r"must have a denominator other than 0, not '1/0' \(test, line 2\)"):
        read_node("a: 1\nb: 1/0", "test")


# Separators with TABs around them, against PyYAML on the same text with blanks: chosen so that the answer is known.
_BLANKS = st.text(alphabet=" \t", max_size=3)
_WORDS = st.sampled_from(["1", "0.5", "x", "'a\tb'", '"c\td"', "it's", "a#b", "a:b", "'it''s'"])


@given(st.lists(st.tuples(_BLANKS, _WORDS, _BLANKS), min_size=1, max_size=7))
def test_tabs_in_flow_sequences_never_change_what_is_read(entries: list[tuple[str, str, str]]) -> None:
    text = "key: [" + ",".join(before + word + after for before, word, after in entries) + "]\n"
    expected = "key: [" + ", ".join(word for _, word, _ in entries) + "]\n"
    assert yaml.safe_load(without_tabs(text)) == yaml.safe_load(expected)
    for libyaml in (True, False):
        assert plain(read_node(text, "test", libyaml=libyaml)) == plain(read_node(expected, "test"))
