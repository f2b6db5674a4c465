"""What a file's diagonals decide of the statements on infinite depth: shared kernels, stacks, and what stays open."""

from __future__ import annotations

import pytest

from proofs.applies import Applies, Layers, applying, kernels, meets
from proofs.diagonals import Diagonals, on_diagonals
from proofs.ledger import LEDGER
from proofs.notation import vanishing
from proofs.term import Lambda, Relation, Symbol, as_term

A = Symbol("A", 3)
SOFTMAX, KEEPS_ALL, KEEPS_NONE = (True, True), (True, False), (False, True)


def answers(*layers: tuple[bool, bool], shared: bool) -> dict[str, Applies]:
    positive, leaving = zip(*layers, strict=True)
    given = Layers((True,) * len(layers), shared, Diagonals(positive, leaving, shared))
    return {answer.id: answer for answer in applying(LEDGER, given)}


def asked(name: str, found: dict[str, Applies]) -> dict[str, tuple[bool | None, str]]:
    return {part.name: (part.applies, part.hypothesis) for part in found[name].parts if not part.applies}


def test_one_softmax_kernel_decides_everything() -> None:
    found = answers(SOFTMAX, shared=True)
    assert all(found[name].applies is True for name in ("C1", "I1", "I2", "I3", "I4", "I5", "I6"))
    assert {hypothesis for _, hypothesis in asked("I4b", found).values()} == {"slow diagonal", "always slow"}


def test_a_row_that_keeps_all_does_not_collapse() -> None:
    found = answers(KEEPS_ALL, shared=True)
    assert asked("I3", found) == {"collapse": (False, "infinite sums")}
    assert asked("I4", found) == {
        "if": (False, "infinite sums"),
        "only if": (False, "collapse"),
        "bounded logits, if": (False, "at least epsilon"),
        "bounded logits, only if": (False, "collapse"),
        "monotone layers": (None, "last row"),  # whether the last row reaches token 1 its diagonal does not say
    }
    assert asked("I6", found)["one kernel"] == (False, "below one")
    assert asked("I6", found)["slow decay, depth T"] == (False, "epsilon to T")
    assert found["I2"].applies is True


def test_a_row_that_keeps_nothing_is_outside_the_dichotomy() -> None:
    found = answers(KEEPS_NONE, shared=True)
    assert asked("I4", found) == {
        "only if": (False, "positive diagonal"), "bounded logits, only if": (False, "positive diagonal"),
    }  # fmt: skip
    assert found["I3"].applies is True


def test_a_stack_says_nothing_of_layers_without_end() -> None:
    found = answers(SOFTMAX, SOFTMAX, shared=False)
    assert asked("I3", found) == {"collapse": (None, "infinite sums")}
    assert asked("I6", found)["one kernel"] == (None, "one diagonal")
    assert "slow decay, depth T" not in asked("I6", found)  # the layers up to T are those of the file
    assert asked("I4b", found)["one half"] == (None, "slow diagonal")


def test_what_a_layer_of_a_stack_breaks_is_broken() -> None:
    found = answers(SOFTMAX, KEEPS_NONE, shared=False)
    assert asked("I4", found)["only if"] == (False, "positive diagonal")
    found = answers(SOFTMAX, KEEPS_ALL, shared=False)
    assert asked("I6", found)["slow decay, depth T"] == (False, "epsilon to T")


@pytest.mark.parametrize(
    "formula",
    [
        Relation("<", as_term(0), A("t", "i", "j")),
        Relation("<=", as_term(0), A("t", "i", "i")),
        Relation("<", A("t", "i", "i"), as_term(2)),
        vanishing(Lambda(("T",), A("T", "i", "i"))),
    ],
)
def test_other_forms_are_left_open(formula: Relation) -> None:
    assert on_diagonals(formula, Diagonals((True,), (True,), shared=True)) is None


def test_every_hypothesis_on_diagonals_is_read() -> None:
    given = Layers((True,), True, Diagonals((True,), (True,), shared=True))
    for name in ("I2", "I3", "I4", "I5", "I6"):
        claim = LEDGER[name].claim
        assert {label for label, formula in claim.hypotheses if not meets(formula, given, kernels(claim))} == set()


def test_a_number_that_is_not_0_is_no_positive_diagonal() -> None:
    given = Diagonals((True,), (True,), shared=True)
    assert on_diagonals(Relation("<", as_term(0), A("t", "i", "i")), given) is True
    assert on_diagonals(Relation("<", as_term(1), A("t", "i", "i")), given) is None
    assert on_diagonals(Relation("=", A("t", "i", "i"), as_term(1)), given) is None
