"""The statements of the page: their claims as the objects have them, verdicts that are those of the checker."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree

import pytest

from numeric.refuse import InputError
from proofs.evidence import Checked
from proofs.ledger import LEDGER
from proofs.report import statements as module
from proofs.report.statements import PARTS, require_mathml, statements
from proofs.steps import count_steps
from tests.proofs.report.reading import words_of


def test_parts_exist() -> None:
    for name, parts in PARTS.items():
        assert set(parts) <= {part.name for part in LEDGER[name].claim.parts}, name


def test_what_is_told() -> None:
    (found,) = statements({"D1": ("one more layer",)})
    assert (found.id, found.title, found.remark) == ("D1", LEDGER["D1"].title, LEDGER["D1"].remark)
    assert [named.name for named in found.parts] == ["one more layer"]
    assert found.parts[0].given == ("mixing", "kernels", "kernels monotone")
    assert [named.name for named in found.hypotheses] == ["mixing", "kernels", "kernels monotone"]
    assert found.more == len(LEDGER["D1"].claim.parts) - 1
    assert found.verdict == "proved"
    steps = count_steps(LEDGER["D1"].derivation)
    assert found.evidence == f"a derivation of {steps} steps for general n and T, checked when this page was made"
    assert found.assumes == ()


def test_mathml_says_the_claim() -> None:
    (found,) = statements({"I1": ("diagonal",)})
    assert words_of(found.parts[0].html) == "R i , i ( T ) = ∏ t = 1 T ( 1 − λ t ( 1 − A t , i , i ) ) for 1 ≤ i ≤ n"
    (found,) = statements({"D1": ("one more layer",)})
    assert words_of(found.parts[0].html) == "S ( T + 1 ) ⪯ S ( T )"
    assert words_of(found.where[0]) == "S t , i , j = ( 1 − λ t ) [ i = j ] + λ t A t , i , j"


def test_everything_is_markup_that_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the derivations, which take long: test_verification.py and the others check them."""
    monkeypatch.setattr(module, "checked", lambda statement, before: Checked(None, 0.0))
    for told in statements():
        for text in (*told.where, *(named.html for named in (*told.hypotheses, *told.parts))):
            ElementTree.fromstring(f"<p>{text}</p>")
            assert re.search(r"\\[a-zA-Z]", text) is None, (told.id, text)  # a command that was not understood


def test_a_refused_derivation_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "checked", lambda statement, before: Checked("a step has no reason", 0.0))
    (found,) = statements({"I1": ("diagonal",)})
    assert found.verdict == "undecided"
    assert found.evidence == "the checker refused: a step has no reason, when this page was made"


def test_what_rests_on_a_refused_derivation_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """I4 cites I3."""
    monkeypatch.setattr(
        module, "checked", lambda statement, before: Checked("no" if statement.id == "I3" else None, 0.0)
    )
    assert [found.verdict for found in statements({"I1": ("diagonal",), "I4": ("if",)})] == ["proved", "undecided"]


def test_the_extra_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    require_mathml()
    monkeypatch.setitem(sys.modules, "latex2mathml.converter", None)
    with pytest.raises(InputError, match=r"posbias\[report\]"):
        require_mathml()
