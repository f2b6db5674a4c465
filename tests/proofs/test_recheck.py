"""The second opinion: it agrees with the checker, alone, and a changed digit, label or entry makes it fail."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from proofs.ledger import resting_on
from tests.proofs.rechecking import LEAF, ROOT, blocked, changed, entry_of, opinion, written

# --- what holds -----------------------------------------------------------------------------------------------------


def test_the_program_is_short_and_uses_the_standard_library() -> None:
    source = (ROOT / "proofs" / "recheck.py").read_text()
    assert source.count("\n") < 300
    imported = set(re.findall(r"^(?:from|import) (\w+)", source, re.M))
    assert imported <= set(sys.stdlib_module_names)
    assert not re.search(r"\b(eval|exec|hashlib|hash)\b", source)


def test_the_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    words = ["verify", "S4", "I1", "--quick", "--certificate", str(tmp_path / "file")]
    seed = "77" if os.environ.get("PYTHONHASHSEED") != "77" else "1"  # another than here, but for one in 2^32
    script = f"from proofs.cli import main; raise SystemExit(main({words!r}))"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environment, check=True, capture_output=True)
    assert (tmp_path / "file").read_bytes() == written("S4", "I1").encode()


def test_what_a_statement_rests_on_comes_along() -> None:
    content = json.loads(written("D1"))
    assert content["claims"] == ["D1"]
    assert [statement["id"] for statement in content["statements"]] == resting_on(["D1"])
    assert {s["id"]: bool(s["vertices"]) for s in content["statements"]} == {
        name: name == "D1" for name in resting_on(["D1"])
    }


# --- what must fail: digits -----------------------------------------------------------------------------------------


def digits(text: str, count: int, seed: int) -> Iterator[tuple[int, str]]:
    """The text with one digit changed, all or a sample of them, and where."""
    generator = random.Random(seed)
    places = [match.start() for match in re.finditer(r"\d", text)]
    for place in sorted(generator.sample(places, min(count, len(places)))):
        new = generator.choice([digit for digit in "0123456789" if digit != text[place]])
        yield place, text[:place] + new + text[place + 1 :]


@pytest.mark.parametrize(("name", "count"), [("S2", 200), ("S3", 40), ("I1", 40), ("S4", 8), ("D4", 2)])
def test_a_changed_digit_is_found(name: str, count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = {entry["label"] for statement in json.loads(written(name))["statements"] for entry in statement["entries"]}
    for place, text in digits(written(name), count, seed=1):
        code, said = opinion(text, tmp_path, capsys)
        assert code in (1, 2), written(name)[max(0, place - 200) : place + 20]
        assert said.count("\n") == 1
        if code == 1:
            label = re.match(r"'(.*)' fails: ", said) or re.match(r'"(.*)" fails: ', said)
            assert label, said
            assert label[1] in labels or re.search(r"\d", label[1])


def test_the_entry_that_fails_is_named(tmp_path: Path) -> None:
    content = json.loads(written("I1"))
    entry = entry_of(content, LEAF)
    entry["by"] = json.loads(json.dumps(entry["by"]).replace("1", "2", 1))
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(content))
    run = blocked(str(file))
    assert (run.returncode, run.stderr) == (1, "")
    assert run.stdout.startswith(f"'{LEAF}' fails: ")


# --- what must fail: everything else --------------------------------------------------------------------------------


def test_a_dropped_entry_is_missed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    count = len(json.loads(written("I1"))["statements"][-1]["entries"])
    for position in range(count):
        content = json.loads(written("I1"))
        content["statements"][-1]["entries"].pop(position)
        assert opinion(json.dumps(content), tmp_path, capsys)[0] == 1


def test_dropped_or_unknown_vertices_are_missed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def size(content: dict[str, Any]) -> None:
        content["statements"][-1]["vertices"]["S4/rollouts"]["sizes"].pop()

    def part(content: dict[str, Any]) -> None:
        del content["statements"][-1]["vertices"]["S4/rollouts"]

    def label(content: dict[str, Any]) -> None:
        found = content["statements"][-1]["vertices"]
        found["S4/layers"] = found.pop("S4/rollouts")

    for change in (size, part, label):
        code, said = opinion(changed(change, "S4"), tmp_path, capsys)
        assert code == 1
        assert "S4" in said


def test_swapped_claims_and_renamed_statements_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def swap(content: dict[str, Any]) -> None:
        first, second = (entry_of(content, name) for name in ("S2", "S3"))
        first["says"], second["says"] = second["says"], first["says"]

    def swap_entries(content: dict[str, Any]) -> None:
        first, second = content["statements"]
        first["entries"], second["entries"] = second["entries"], first["entries"]

    def rename(content: dict[str, Any]) -> None:
        content["statements"][0]["id"] = "S1"

    def drop(content: dict[str, Any]) -> None:
        del content["statements"][0]

    for change in (swap, swap_entries, rename, drop):
        assert opinion(changed(change, "S2", "S3"), tmp_path, capsys)[0] in (1, 2)


def without_reason(entry: dict[str, Any]) -> None:
    del entry["by"]


def other_fact(entry: dict[str, Any]) -> None:
    name = next(iter(entry["facts"]))
    entry["facts"][name] = "I1/given/no such fact"


def later_fact(entry: dict[str, Any]) -> None:
    name = next(iter(entry["facts"]))
    entry["facts"][name] = "I1/law"


def other_operator(entry: dict[str, Any]) -> None:
    entry["says"] = json.loads(json.dumps(entry["says"]).replace('"rollout"', '"rollouts"'))


def other_rule(entry: dict[str, Any]) -> None:
    entry["by"][0] = "limit"


def beyond(entry: dict[str, Any]) -> None:
    entry.update(by=["limit"], amounts=[place[:3] for place in entry["amounts"]])


@pytest.mark.parametrize("change", [without_reason, other_fact, later_fact, other_operator, other_rule, beyond])
def test_a_changed_label_fails(
    change: Callable[[dict[str, Any]], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = opinion(changed(lambda content: change(entry_of(content, LEAF)), "I1"), tmp_path, capsys)
    assert code == 1
    assert LEAF in said


def test_what_is_declared_beyond_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def declare(content: dict[str, Any]) -> None:
        beyond(entry_of(content, LEAF))
        content["beyond"].append("limit")

    code, said = opinion(changed(declare, "I1"), tmp_path, capsys)
    assert code == 0
    assert said.startswith(f"not rechecked: {LEAF} (limit)\n")
    assert "1 are not rechecked" in said
