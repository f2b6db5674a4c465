"""The state of the page: what is refused, by name; the effective depth; the address fragment, there and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from proofs.report.setting import LIMITS
from tests.proofs.report.states import EDGES, GIVEN, drawn

Evaluate = Callable[..., Any]
Load = Callable[[dict[str, Any]], None]
Json = dict[str, Any]

BASE = EDGES["heads of BLOOM"]


@pytest.fixture(autouse=True)
def with_given_values(loaded: Load) -> None:
    loaded({"given": GIVEN, "initial": BASE})


def test_the_limits_are_those_of_the_command(evaluate: Evaluate) -> None:
    assert evaluate("return posbias.LIMITS") == LIMITS


# --- what a state may be ----------------------------------------------------------------------------------------------

REFUSED: list[tuple[Json, str]] = [
    ({"length": 0}, "Argument 'n' must be an integer in [1, 1024], not 0."),
    ({"length": 1025}, "Argument 'n' must be an integer in [1, 1024], not 1025."),
    ({"length": 2.5}, "Argument 'n' must be an integer in [1, 1024], not 2.5."),
    ({"length": "9"}, "Argument 'n' must be an integer in [1, 1024], not '9'."),
    ({"length": None}, "Argument 'n' must be an integer in [1, 1024], not null."),
    ({"layers": 257}, "Argument 'T' must be an integer in [1, 256], not 257."),
    ({"schedule": None}, "Argument 'lam' must be one of constant, power, geometric, given, not null."),
    (
        {"schedule": {"kind": "linear"}},
        "Argument 'lam' must be one of constant, power, geometric, given, not 'linear'.",
    ),
    ({"schedule": {"kind": "constant", "c": 1.2}}, "Argument 'c of lam' must lie in [0, 1], not 1.2."),
    ({"schedule": {"kind": "constant", "c": -0.1}}, "Argument 'c of lam' must lie in [0, 1], not -0.1."),
    ({"schedule": {"kind": "constant"}}, "Argument 'c of lam' must lie in [0, 1], not undefined."),
    (
        {"schedule": {"kind": "power", "c": 1, "beta": 1001}},
        "Argument 'beta of lam' must lie in [-1000, 1000], not 1001.",
    ),
    ({"schedule": {"kind": "geometric", "c": 1, "r": 2}}, "Argument 'r of lam' must lie in [0, 1], not 2."),
    (
        {"schedule": {"kind": "given", "scale": 1}},
        "Argument 'T' must be at most 3, the number of layers of the given values, not 5.",
    ),
    ({"layers": 3, "schedule": {"kind": "given", "scale": 2}}, "Argument 'scale of lam' must lie in [0, 1], not 2."),
    ({"slopes": {"kind": "paper", "heads": 0}}, "Argument 'heads' must be an integer in [1, 512], not 0."),
    ({"slopes": {"kind": "one", "slope": -1}}, "Argument 'slope' must lie in [0, 700], not -1."),
    ({"slopes": {"kind": "given"}}, "Argument 'T' must be at most 3, the number of layers of the given values, not 5."),
    (
        {"layers": 4, "schedule": {"kind": "given", "scale": 1}},
        "Argument 'T' must be at most 3, the number of layers of the given values, not 4.",
    ),
    ({"content": {"kind": "number", "d": 401}}, "Argument 'content' must lie in [-400, 400], not 401."),
    (
        {"content": {"kind": "given"}},
        "Argument 'content' must be a number beside slopes that are not given, not 'given'.",
    ),
    (
        {"length": 1024, "layers": 256, "slopes": {"kind": "paper", "heads": 64}},
        "Argument 'n' must be at most 512 for 256 layers of 64 heads, not 1024.",
    ),
]


@pytest.mark.parametrize(("change", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_refused(evaluate: Evaluate, change: Json, message: str) -> None:
    """By check, by compute, and before an address is made of it."""
    state = {**BASE, **change}
    for script in ("return posbias.check(x)", "return posbias.compute(x)", "return posbias.fragment(x)"):
        assert evaluate(script, state) == message


def test_nothing_given(evaluate: Evaluate, loaded: Load) -> None:
    loaded({"given": None, "initial": BASE})
    for name, value in (("schedule", "lam"), ("slopes", "slopes"), ("content", "content")):
        expected = f"Argument '{value}' must be something else than 'given', of which this page has none, not 'given'."
        assert evaluate("return posbias.check(x)", {**BASE, name: {"kind": "given", "scale": 1}}) == expected


# --- effective depth --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["heads of BLOOM", "rising lambda", "first layer only", "given", "given slopes"])
def test_the_depth_is_what_was_asked_for(evaluate: Evaluate, name: str) -> None:
    state = EDGES[name]
    most = evaluate("return posbias.depthRange(x).most", state)
    for share in (0, 0.25, 0.9, 1):
        other = evaluate("return posbias.withDepth(x[0], x[1])", [state, share * most])
        assert evaluate("return posbias.compute(x).effectiveDepth", other) == pytest.approx(share * most, rel=1e-12)
        assert {**other, "schedule": None} == {**state, "schedule": None}
        same = {key: value for key, value in state["schedule"].items() if key not in ("c", "scale")}
        assert same.items() <= other["schedule"].items()


def test_the_largest_depth_is_where_a_coefficient_is_one(evaluate: Evaluate) -> None:
    assert evaluate("return posbias.depthRange(x)", EDGES["given"]) == {"least": 0, "most": sum(GIVEN["lam"])}
    assert evaluate("return posbias.depthRange(x).most", BASE) == 5
    assert evaluate("return posbias.depthRange(x).most", EDGES["rising lambda"]) == 7
    message = evaluate("return posbias.withDepth(x, 5.5)", BASE)
    assert message == "Argument 'effective depth' must lie in [0, 5], not 5.5."


# --- the address ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [*EDGES.values(), *map(drawn, range(12))], ids=str)
def test_there_and_back(evaluate: Evaluate, state: Json) -> None:
    text = evaluate("return posbias.fragment(x)", state)
    assert evaluate("return posbias.parseFragment(x)", text) == state
    assert evaluate("return posbias.parseFragment('#' + x)", text) == state
    assert evaluate("return posbias.parseFragment(encodeURI(x))", text) == state


def test_as_it_is_written(evaluate: Evaluate) -> None:
    assert evaluate("return posbias.fragment(x)", BASE) == "n=61&T=5&lam=0.5&slopes=model:11&content=0.5"
    given = "n=37&T=3&lam=given:1&slopes=given&content=given&given=0123abcd"
    assert evaluate("return posbias.fragment(x)", EDGES["given"]) == given


def test_what_is_left_out_is_as_at_first(evaluate: Evaluate) -> None:
    assert evaluate("return posbias.parseFragment('')") == BASE
    assert evaluate("return posbias.parseFragment('#')") == BASE
    assert evaluate("return posbias.parseFragment('n=7')") == {**BASE, "length": 7}
    power = {"kind": "power", "c": 0.25, "beta": -1e-3}
    assert evaluate("return posbias.parseFragment('lam=power:.25,-1e-3')") == {**BASE, "schedule": power}


def test_an_infinite_number_is_none(evaluate: Evaluate) -> None:
    assert evaluate("return posbias.parseFragment('lam=1e999')") == "Argument 'lam' must be a number, not '1e999'."


LAM = "Argument 'lam' must be a number, power:c,beta, geometric:c,r or given:scale, not"

BAD = {
    "x=1": "Argument 'fragment' must have n, T, lam, slopes, content, given only, not 'x'.",
    "constructor=1": "Argument 'fragment' must have n, T, lam, slopes, content, given only, not 'constructor'.",
    "n=5&n=6": "Argument 'fragment' must name each value once, not 'n'.",
    "n": "Argument 'fragment' must have the form name=value, not 'n'.",
    "n=5=6": "Argument 'fragment' must have the form name=value, not 'n=5=6'.",
    "&n=5": "Argument 'fragment' must have n, T, lam, slopes, content, given only, not ''.",
    "n=%zz": "Argument 'fragment' must be percent-encoded text, not '%zz'.",
    "n=": "Argument 'n' must be a number, not ''.",
    "n= 5": "Argument 'n' must be a number, not ' 5'.",
    "n=0x10": "Argument 'n' must be a number, not '0x10'.",
    "n=5.5": "Argument 'n' must be an integer in [1, 1024], not 5.5.",
    "n=alert(1)": "Argument 'n' must be a number, not 'alert(1)'.",
    "lam=NaN": f"{LAM} 'NaN'.",
    "lam=2": "Argument 'c of lam' must lie in [0, 1], not 2.",
    "lam=constant:0.5": f"{LAM} 'constant:0.5'.",
    "lam=toString:1": f"{LAM} 'toString:1'.",
    "lam=power:0.5": f"{LAM} 'power:0.5'.",
    "lam=power:0.5,": "Argument 'beta of lam' must be a number, not ''.",
    "lam=geometric:0.5,1,2": f"{LAM} 'geometric:0.5,1,2'.",
    "slopes=paper": "Argument 'slopes' must be paper:H, model:H, one:m or given, not 'paper'.",
    "slopes=other:8": "Argument 'slopes' must be paper:H, model:H, one:m or given, not 'other:8'.",
    "slopes=paper:8.5": "Argument 'heads' must be an integer in [1, 512], not 8.5.",
    "content=much": "Argument 'content' must be a number, not 'much'.",
    "T=3&slopes=given": "Argument 'given' must be 0123abcd, the mark of this page's data, not 'left out'.",
    "T=3&slopes=given&given=x": "Argument 'given' must be '0123abcd', the mark of this page's data, not 'x'.",
    "given=0123abcd": "Argument 'given' must be left out where no value is 'given', not '0123abcd'.",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_addresses(evaluate: Evaluate, text: str) -> None:
    assert evaluate("return posbias.parseFragment(x)", text) == BAD[text].replace("'0123abcd', the", "0123abcd, the")
