"""What the page starts from: rules by their names, anything else given, and what is too large or of another kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from numeric.distance import Window
from numeric.kernel import Alibi, HeadAverage, Kernel, Prefix, Uniform
from numeric.profile import profile
from numeric.published import bloom_slopes, find, paper_slopes
from numeric.refuse import InputError
from numeric.schedule import Constant, Continued, Geometric, Power, read_schedule
from proofs.report.setting import Sizes, Start, start
from tests.browser import needs_browser
from tests.proofs.report.expected import agree

Evaluate = Callable[..., Any]

NAMES = Sizes("-n", "-T", "--heads")


def begun(kernels: list[Kernel], lam: Any, n: int = 7, rule: Any = None) -> Start:
    return start(kernels, np.asarray(lam, dtype=np.float64), n, rule, NAMES)


def test_rules_are_named() -> None:
    for rule, schedule in (
        (Constant(0.25), {"kind": "constant", "c": 0.25}),
        (Power(0.5, 2), {"kind": "power", "c": 0.5, "beta": 2}),
        (Geometric(0.5, 0.25), {"kind": "geometric", "c": 0.5, "r": 0.25}),
    ):
        found = begun([Uniform()] * 3, rule.values(3), rule=rule)
        assert (found.state["schedule"], found.given) == (schedule, None)
    for slopes, expected in (
        (paper_slopes(6), {"kind": "paper", "heads": 6}),
        (bloom_slopes(6), {"kind": "model", "heads": 6}),
        (bloom_slopes(8), {"kind": "paper", "heads": 8}),  # where they agree
        ([0.3], {"kind": "one", "slope": 0.3}),
        ([0.0], {"kind": "one", "slope": 0.0}),
    ):
        found = begun([Alibi(slopes, 1.5)] * 2, [0.5, 0.5])
        assert (found.state["slopes"], found.given) == (expected, None)
        assert found.state["content"] == {"kind": "number", "d": 1.5}


def test_a_constant_list_is_a_constant() -> None:
    assert begun([Uniform()] * 2, [0.5, 0.5]).state["schedule"] == {"kind": "constant", "c": 0.5}


@pytest.mark.parametrize("rule", [None, read_schedule("0.5,0.25"), Continued([0.5], Constant(0.25)), Power(0.5, 1001)])
def test_other_mixing_is_given(rule: Any) -> None:
    found = begun([Uniform()] * 2, [0.5, 0.25], rule=rule)
    assert found.state["schedule"] == {"kind": "given", "scale": 1}
    assert found.given is not None
    assert found.given["lam"] == [0.5, 0.25]
    assert (found.given["slopes"], found.given["content"]) == (None, None)


def test_other_kernels_are_given() -> None:
    found = begun([Alibi([0.5, 0.3], [1.0, 2.0], [0.75, 0.25])] * 2, [0.5, 0.5])
    assert (found.state["slopes"], found.state["content"]) == ({"kind": "given"}, {"kind": "given"})
    assert found.given is not None
    kept = {key: value for key, value in found.given.items() if key != "mark"}
    assert kept == {"lam": None, "slopes": [[0.5, 0.3]], "content": [[1.0, 2.0]], "weights": [0.75, 0.25]}
    by_layer = begun([Alibi([0.5, 0.3]), Alibi([0.5, 0.2])], [0.5, 0.5])
    assert by_layer.given is not None
    assert by_layer.given["slopes"] == [[0.5, 0.3], [0.5, 0.2]]
    assert by_layer.state["content"] == {"kind": "number", "d": 0.0}


def test_one_weight_for_a_head_is_given() -> None:
    """The rules of the page average their heads."""
    found = begun([Alibi(paper_slopes(2), 0.0, [0.25, 0.75])], [0.5])
    assert found.state["slopes"] == {"kind": "given"}


def test_marks_tell_values_apart() -> None:
    marks = [begun([Uniform()] * 2, lam).given for lam in ([0.5, 0.25], [0.25, 0.5], [0.5, 0.25])]
    first, other, again = ([] if m is None else m["mark"] for m in marks)
    assert first == again != other
    assert len(first) == 8


REFUSED: list[tuple[list[Kernel], int, str]] = [
    ([], 7, "Argument '-T' must be in [1, 256] for a report, not 0."),
    ([Uniform()] * 257, 7, "Argument '-T' must be in [1, 256] for a report, not 257."),
    ([Alibi(paper_slopes(513))], 7, "Argument '--heads' must be at most 512 for a report, not 513."),
    ([Uniform()], 1025, "Argument '-n' must be at most 1024 for a report of 1 layers of 1 heads, not 1025."),
    (
        [Alibi(paper_slopes(512))] * 256, 65,
        "Argument '-n' must be at most 64 for a report of 256 layers of 512 heads, not 65.",
    ),
    ([Window(3)], 7, "Argument 'SOURCE' must have ALiBi or uniform heads for a report, not Window."),
    ([Prefix([1.0] * 7)], 7, "Argument 'SOURCE' must have ALiBi or uniform heads for a report, not Prefix (layer 1)."),
    (
        [Uniform(), Alibi([0.5, 0.25])], 7,
        "Argument 'SOURCE' must have the heads and head weights of layer 1 in every layer, not others (layer 2).",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kernels", "n", "message"), REFUSED, ids=[message for *_, message in REFUSED])
def test_refused(kernels: list[Kernel], n: int, message: str) -> None:
    with pytest.raises(InputError) as found:
        begun(kernels, [0.5] * len(kernels), n)
    assert str(found.value) == message


@needs_browser
@pytest.mark.parametrize("name", ["published", "tables", "averages"])
def test_the_page_begins_with_that_profile(evaluate: Evaluate, name: str) -> None:
    model = find("falcon-rw-7b")
    stacks: dict[str, tuple[list[Kernel], Any, int]] = {
        "published": ([Alibi(model.slopes("model"))] * model.layers, model.lam(), 61),
        "tables": ([Alibi([0.5, 0.3], [1.0, t]) for t in range(3)], [0.5, 0.25, 1.0], 29),
        "averages": ([HeadAverage([Uniform(1.0), Alibi([0.5, 1.0])], [0.25, 0.75]), Alibi([0, 1, 2])][:1], [0.5], 13),
    }
    kernels, lam, n = stacks[name]
    found = begun(kernels, lam, n)
    evaluate("return posbias.load(x) ?? null", {"given": found.given, "initial": found.state})
    assert agree(evaluate("return posbias.compute(posbias.initial).profile"), profile(kernels, lam, n=n))
