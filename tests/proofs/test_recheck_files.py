"""Files of the second opinion: what is no certificate is refused in words, and where a certificate is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs import recheck
from proofs.ledger import LEDGER
from proofs.statement import Statement
from tests.proofs.rechecking import LEAF, changed, entry_of, opinion, written

Posbias = Callable[..., Any]

# --- what is no certificate -----------------------------------------------------------------------------------------

HOSTILE = {
    "empty": "",
    "a number": "1",
    "not a number": '{"format": NaN}',
    "other format": '{"format": "posbias certificate 2"}',
    "no statements": '{"format": "posbias certificate 1"}',
    "deep": "[" * 100_000,
    "long integer": '{"format": ' + "9" * 10_000 + "}",
    "list": "[]",
    "null": "null",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_another_file_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = opinion(text, tmp_path, capsys)
    assert code == 2
    assert re.fullmatch(r"Argument 'FILE' must be a certificate, not another file \(.*\)\.\n", said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "one path, not otherwise (python -m proofs.recheck FILE)."),
        (("a", "b"), "one path, not otherwise (python -m proofs.recheck FILE)."),
        (("--help",), "one path, not otherwise (python -m proofs.recheck FILE)."),
        (("no such",), "a certificate, not another file ('no such': No such file or directory)."),
        (("folder",), "a certificate, not another file ('folder': Is a directory)."),
        (("binary",), "a certificate, not another file ('binary': another kind)."),
        (("text",), "a certificate, not another file ('text': another kind)."),
        (("other",), "a certificate, not another file ('other': its format is not 'posbias certificate 1')."),
    ],
)
def test_a_refusal_is_in_words(
    arguments: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "text").write_text("1, 0\n1/2, 1/2\n")
    (tmp_path / "other").write_text('{"format": "posbias certificate 2"}')
    assert recheck.main(list(arguments)) == 2
    assert capsys.readouterr() == ("", f"Argument 'FILE' must be {said}\n")


@pytest.mark.parametrize("part", ["format", "claims", "beyond", "definitions", "statements"])
def test_a_certificate_without_a_part_is_none(part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = opinion(changed(lambda content: content.pop(part), "S2"), tmp_path, capsys)
    assert code == 2
    assert said.endswith(f": no '{part}').\n")


@pytest.mark.parametrize("key", ["label", "scope", "facts", "says", "size", "amounts"])
def test_an_entry_without_a_key_is_named(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = opinion(changed(lambda content: entry_of(content, LEAF).pop(key), "I1"), tmp_path, capsys)
    assert code == 1
    place = [entry["label"] for entry in json.loads(written("I1"))["statements"][-1]["entries"]].index(LEAF) + 1
    assert said.startswith(f"'I1, entry {place}' fails" if key == "label" else f"'{LEAF}' fails")


@pytest.mark.parametrize("key", ["count", "entries", "vertices"])
def test_a_statement_without_a_key_is_named(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = opinion(changed(lambda content: content["statements"][0].pop(key), "S2"), tmp_path, capsys)
    assert (code, said.startswith("'S2' fails")) == (1, True)


@pytest.mark.parametrize("value", [10**9, -1, 1.5, None, True, "x", [0], {"a": 1}, [[]], "1/0", "1e9"])
@pytest.mark.parametrize("key", ["label", "scope", "facts", "says", "by", "size", "amounts"])
def test_a_value_of_another_kind_fails(
    key: str, value: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = changed(lambda content: entry_of(content, "S2/by parts/telescoped").update({key: value}), "S2")
    code, said = opinion(text, tmp_path, capsys)
    assert code in (1, 2)
    assert said.count("\n") == 1


def test_endless_work_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def widen(content: dict[str, Any]) -> None:
        entry = entry_of(content, "S2/by parts/telescoped")
        entry["scope"] = [["x", 1, 10**9], ["y", 1, 10**9]]

    code, said = opinion(changed(widen, "S2"), tmp_path, capsys)
    assert code == 1
    assert "more work" in said


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_command_writes_what_is_rechecked(posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "it.json"
    run = posbias("verify", "I1", "--quick", "--json", "--certificate", file)
    assert run.code == 0
    assert run.json()["failed"] == 0
    assert re.fullmatch(r".*it\.json: I1, \d+ bytes\n", run.err)
    assert file.read_text() == written("I1")
    assert recheck.main([str(file)]) == 0


@pytest.mark.parametrize(
    "before", ["", '{"format":"posbias certificate 1","claims":[]}', '{"format":"posbias certificate 7"}']
)
def test_a_certificate_replaces_a_certificate(before: str, posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "it.json"
    file.write_text(before)
    assert posbias("verify", "S2", "--quick", "--certificate", file).code == 0
    assert file.read_text() == written("S2")


@pytest.mark.parametrize("before", [b"\x93NUMPY", b"{}", b'{"format":"posbias report"}', b"\n"])
def test_a_certificate_replaces_nothing_else(before: bytes, posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "k.npy"
    file.write_bytes(before)
    run = posbias("verify", "S2", "--quick", "--certificate", file)
    assert (run.code, run.out) == (2, "")
    assert re.fullmatch(r"Argument '--certificate' must be a new file or a certificate, .* \(.*k\.npy\)\.\n", run.err)
    assert file.read_bytes() == before


@pytest.mark.parametrize("place", ["", "missing/it.json"])
def test_a_place_that_cannot_be_written_is_refused_first(place: str, posbias: Posbias, tmp_path: Path) -> None:
    run = posbias("verify", "I1", "--quick", "--certificate", tmp_path / place)
    assert (run.code, run.out) == (2, "")
    assert re.fullmatch(r"Argument '--certificate' must .*\n", run.err)
    assert not list(tmp_path.iterdir())


def test_an_unproved_claim_has_no_certificate(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = LEDGER["I1"]
    cut = Statement(**{**vars(honest), "derivation": honest.derivation[:-1]})
    monkeypatch.setitem(LEDGER, "I1", cut)
    run = posbias("verify", "I1", "--quick", "--certificate", tmp_path / "it.json")
    assert run.code == 1
    assert run.err.endswith("not written, I1 not proved\n")
    assert not list(tmp_path.iterdir())
