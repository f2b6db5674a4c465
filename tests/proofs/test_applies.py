"""Which statements apply: decided on the claims themselves, so that a new hypothesis is never overlooked."""

from __future__ import annotations

import pytest

from proofs.applies import Layers, applying, meets
from proofs.ledger import LEDGER
from proofs.notation import below, causal, layer, layers, monotone, nondecreasing, product, rollout, transition
from proofs.term import And, Apply, Formula, Holds, Implies, Relation, Symbol, as_term, index

A, B, R, lam, f = Symbol("A", 2), Symbol("B", 2), Symbol("R", 3), Symbol("lambda", 1), Symbol("f", 1)
ALL = Layers((True, True, True), shared=False)
TOP = Layers((True, True, False), shared=False)
BOTTOM = Layers((False, True, True), shared=False)
OPEN = Layers((True, None, True), shared=False)
ONE = Layers((False,), shared=True)


@pytest.mark.parametrize(
    ("formula", "answers"),
    [
        (causal(A), [True] * 5),
        (below(A, B), [True] * 5),
        (nondecreasing(f), [True] * 5),
        (Relation("<=", as_term(0), Apply(f, (index("h"),))), [True] * 5),
        (monotone(A), [True, False, False, None, False]),
        (layers(1, "T", monotone(layer(R, "t"))), [True, False, False, None, False]),
        (layers(1, index("T") - 1, monotone(layer(R, "t"))), [True, True, False, None, False]),
        (layers(1, "T", monotone(layer(transition(lam, R), "t"))), [True, False, False, None, False]),
        # a product of layers that are not all monotone may be monotone all the same, unless the lowest already is not
        (monotone(layer(rollout(R), "s")), [True, None, False, None, False]),
        (monotone(product(A, B)), [True, None, False, None, False]),
        (And((("one", causal(A)), ("two", monotone(A)))), [True, False, False, None, False]),
        # what the module does not know is undecided, never silently met
        (Holds("unheard of", (A,)), [None] * 5),
        (Implies(monotone(A), causal(A)), [None] * 5),
        (Relation("<=", as_term(0), Apply(A, (index("i"), index("j")))), [None] * 5),
    ],
)
def test_meets(formula: Formula, answers: list[bool | None]) -> None:
    assert [meets(formula, given) for given in (ALL, TOP, BOTTOM, OPEN, ONE)] == answers


def test_every_hypothesis_of_the_ledger_is_understood() -> None:
    for statement in LEDGER.values():
        for label, formula in statement.claim.hypotheses:
            assert meets(formula, ALL) is True, (statement.id, label)


def test_answers_in_reading_order_with_the_hypothesis() -> None:
    answers = applying(LEDGER, BOTTOM)
    assert [a.id for a in answers] == list(LEDGER)
    for answer in answers:
        assert (answer.hypothesis == "") is (answer.applies is True)
        assert answer.applies is True or answer.hypothesis in dict(LEDGER[answer.id].claim.hypotheses)
