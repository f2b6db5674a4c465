"""The table of notation follows the definitions, and its ranges are those where they make sense."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from proofs.latex_symbols import ranges, symbol_table, used
from proofs.ledger import LEDGER
from proofs.notation import DEFINITIONS
from proofs.standing_letters import letters
from proofs.statement import Statement
from proofs.term import Symbol, as_index, total


def _rows(table: str) -> dict[str, list[str]]:
    return {row.split(" & ")[1]: row.split(" & ") for row in table.splitlines() if row.count(" & ") == 4}


def test_every_operator_has_a_row_and_a_range_for_each_index() -> None:
    rows = _rows(symbol_table(list(LEDGER.values())))
    assert set(DEFINITIONS) - {"number"} <= set(rows)
    for definition in DEFINITIONS.values():
        assert [rng.var for rng in ranges(definition)] == list(definition.params)


def test_letters_are_those_that_most_statements_use_alike() -> None:
    found = {letter.symbol: letter for letter in letters(list(LEDGER.values()))}
    mixing, kernels = found[Symbol("lambda", 1)], found[Symbol("A", 3)]
    assert (mixing.params, mixing.assumed.name) == (("t",), "mixing")
    assert (kernels.params, kernels.assumed.name) == (("t", "i", "j"), "causal")
    assert Symbol("A", 2) not in found and Symbol("c", 0) not in found  # five statements, but of different kinds
    assert r"$A_{t}$ is a causal kernel & family of matrices & $t\ge 1,\,1\le i,\,j\le n$" in symbol_table([])


def test_a_letter_that_is_assumed_something_else_is_left_out() -> None:
    """Half of the statements are not most of them, and four are not many."""
    causal = LEDGER["I1"]
    bare = replace(causal, claim=replace(causal.claim, hypotheses=(), parts=()))

    def kept(chosen: list[Statement]) -> bool:
        return Symbol("A", 3) in {letter.symbol for letter in letters(chosen)}

    assert kept([causal] * 5) and not kept([causal] * 4)
    assert kept([causal] * 6 + [bare] * 5) and not kept([causal] * 5 + [bare] * 5)


def test_what_recurs_begins_where_its_base_is() -> None:
    for definition in DEFINITIONS.values():
        first = ranges(definition)[0]
        if definition.base is not None:
            assert (first.low, first.high) == (as_index(0), None)


def test_rows_read_as_the_document_does() -> None:
    rows = _rows(symbol_table([]).replace(r"\allowbreak ", ""))
    assert rows["tail"][0] == "$F_{A}(i,k)$" and rows["tail"][3] == r"$1\le i\le n,\,1\le k\le n+1$"
    assert rows["rollout"][2] == "matrix, by depth" and rows["transition"][2] == "family of matrices"
    assert rows["accumulated"][2] == "real number, by depth" and rows["cumulative"][2] == "sequence"


def test_first_uses_are_first() -> None:
    """In the statement that the table points to the operator comes in, in none before it."""
    few = [LEDGER[name] for name in ("S2", "S1", "D1")]
    rows = _rows(symbol_table(few))
    named = {s.id: set(used((s.claim, s.derivation))) for s in few}
    for name in ("tail", "rollout", "product", "identity"):
        (first,) = re.findall(r"\\ref\{posbias:(\w+)\}", rows[name][4])
        assert first == next(s.id for s in few if name in named[s.id])
    assert "hops" not in named["D1"] and r"\ref" not in rows["hops"][4]
    assert r"\ref" not in symbol_table([])


def test_a_new_definition_changes_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    before = symbol_table([])
    changed = replace(DEFINITIONS["image"], params=("i", "j"), body=total("l", 1, "n", Symbol("A", 2)("i", "l")))
    monkeypatch.setitem(DEFINITIONS, "image", changed)
    assert "image & matrix" in symbol_table([]) and "image & matrix" not in before
    monkeypatch.setitem(DEFINITIONS, "image", replace(changed, params=("i", "x")))
    with pytest.raises(KeyError):  # a letter whose range nothing says
        symbol_table([])
