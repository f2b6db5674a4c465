"""The certificate of the whole ledger: it holds, alone; no claim is missing, and a digit is read where it matters."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from proofs import recheck
from proofs.ledger import LEDGER
from tests.proofs.rechecking import blocked, changed, opinion, written

Path_ = tuple[int, ...]
Content = dict[str, Any]


@cache
def ledger() -> Content:
    """What the certificate says; not to be changed."""
    found: Content = json.loads(written())
    return found


# --- what holds -------------------------------------------------------------------------------------------------------


def test_the_whole_ledger_is_rechecked_alone(tmp_path: Path) -> None:
    file = tmp_path / "ledger.json"
    file.write_text(written())
    run = blocked(str(file))
    assert (run.returncode, run.stderr) == (0, "")
    written_down = [e for statement in ledger()["statements"] for e in statement["entries"]]
    entries = sum(statement["count"] for statement in ledger()["statements"])
    beyond = [e["label"] for e in written_down if e.get("by", [""])[0] in ledger()["beyond"]]
    *named, summary = run.stdout.splitlines()
    assert summary.startswith(f"{entries} entries hold, {len(beyond)} are not rechecked; ")
    assert [line.removeprefix("not rechecked: ").rsplit(" (", 1)[0] for line in named] == beyond
    assert len(beyond) < entries / 20  # the rule for exp and ln is beyond it


@pytest.mark.parametrize("name", LEDGER)
def test_every_step_and_hypothesis_has_an_entry(name: str) -> None:
    statement = next(s for s in ledger()["statements"] if s["id"] == name)
    labels = [entry["label"] for entry in statement["entries"]]
    assert labels[-2:] == [name, f"{name}/closed"]
    assert len(set(labels)) == len(labels) == statement["count"]
    assert {f"{name}/given/{label}" for label, _ in LEDGER[name].claim.hypotheses} <= set(labels)
    assert {f"{name}/{step.label}" for step in LEDGER[name].derivation} <= set(labels)
    without_place = [entry["label"] for entry in statement["entries"] if "by" in entry and entry["amounts"] == []]
    assert len(without_place) <= len(labels) / 20, without_place


def test_few_rules_lie_beyond() -> None:
    assert set(ledger()["beyond"]) <= {"Archimedes", "Exponential", "Outside", "Witness"}


# --- what must fail: digits of claims -------------------------------------------------------------------------------


def integers(node: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Where the integers of a formula stand."""
    if isinstance(node, int) and not isinstance(node, bool):
        yield path
    elif isinstance(node, list):
        for place, inner in enumerate(node):
            yield from integers(inner, (*path, place))


def moved(node: Any, path: Path_, by: int) -> Any:
    """The formula with one integer changed."""
    copy = deepcopy(node)
    inner = copy
    for place in path[:-1]:
        inner = inner[place]
    inner[path[-1]] += by
    return copy


def holds(content: Content, statement: Content, claim: Content) -> bool:
    """Whether the last two entries alone hold, with another claim."""
    last = {**statement, "entries": [claim, statement["entries"][-1]], "count": 2, "vertices": {}}
    try:
        return bool(list(recheck.recheck({**content, "claims": []}, last, {}, [])))
    except recheck.MALFORMED:
        return False


@cache
def untouched(name: str) -> Content:
    """The statement, whose claim holds as it is."""
    statement: Content = next(s for s in ledger()["statements"] if s["id"] == name)
    assert holds(ledger(), statement, statement["entries"][-2])
    return statement


def survives(name: str, path: Path_, by: int) -> bool:
    statement = untouched(name)
    claim = statement["entries"][-2]
    return holds(ledger(), statement, {**claim, "says": moved(claim["says"], path, by)})


@pytest.mark.parametrize("name", LEDGER)
def test_a_changed_digit_of_the_claim_is_found(name: str) -> None:
    """But for those that change nothing, such as a factor of an empty sum, which are few."""
    claim = next(s for s in ledger()["statements"] if s["id"] == name)["entries"][-2]
    places = list(integers(claim["says"]))
    sample = random.Random(5).sample(places, min(6, len(places)))
    assert sum(survives(name, at, 1) for at in sample) <= 2


@pytest.mark.parametrize(
    ("name", "path", "by"),
    [
        ("U4", (3, 3, 2, 1, 1, 2, 1, 2, 1, 2, 1, 1, 2, 1, 1, 4, 1, 1), -1),  # p_{i-1} < p_i, for i = 3, ..., n
        ("D4", (3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 6, 1, 2, 1, 2, 1, 2, 1, 1, 2, 0), -1),  # i = 2, ..., n - 1
        ("D3", (3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 9, 1, 2, 1, 1, 1, 2, 1, 1, 2, 0), 1),  # r = 1, ..., n - 2
    ],
)
def test_digits_in_ranges_that_are_empty_at_small_sizes(name: str, path: Path_, by: int) -> None:
    assert not survives(name, path, by)


def without_claim(content: Content) -> None:
    statement = content["statements"][-1]
    del statement["entries"][-2]
    statement["count"] -= 1


def without_last(content: Content) -> None:
    statement = content["statements"][-1]
    statement["entries"].pop()
    statement["count"] -= 1


def without_entries(content: Content) -> None:
    content["statements"][-1].update(entries=[], count=0)


def of_something_else(content: Content) -> None:
    last = content["statements"][-1]["entries"][-1]
    last.update(facts={}, by=["limit"])
    content["beyond"].append("limit")


def without_claims(content: Content) -> None:
    content.update(claims=[], statements=[])


@pytest.mark.parametrize(
    ("change", "code"),
    [(without_claim, 1), (without_last, 1), (without_entries, 1), (of_something_else, 1), (without_claims, 2)],
)
def test_a_claim_that_is_missing_is_noticed(
    change: Callable[[Content], None], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert opinion(changed(change, "I1"), tmp_path, capsys)[0] == code


@pytest.mark.parametrize("rule", ["Witness", "Archimedes", "Exponential", "Outside"])
def test_a_digit_of_what_is_not_rechecked_is_found(rule: str) -> None:
    """Why it holds is beyond the second opinion, but not what it says."""
    statement = next(s for s in ledger()["statements"] if rule in map(rule_of, s["entries"]))
    entry = next(e for e in statement["entries"] if rule_of(e) == rule)
    path = next(at for at in integers(entry["says"]))
    sizes = {size: recheck.Reader(ledger()["definitions"], *at) for size, at in recheck.SIZES.items()}
    reader = sizes[entry["size"]]

    def stated(says: Any) -> list[Any]:
        found = []
        for env in reader.places(entry["scope"], {"n": reader.n}):
            lows = [recheck.index(low, env) for _, low, _ in entry["scope"]]
            found.append([env, lows, reader.meaning(says, env)])
        return found

    assert stated(entry["says"]) == entry["amounts"] != stated(moved(entry["says"], path, 1))


def rule_of(entry: Content) -> str:
    return str(entry.get("by", [""])[0])
