"""Which statements apply: decided on the claims themselves, so that a new hypothesis is never overlooked."""

from __future__ import annotations

import pytest

from proofs.applies import Layers, applying, kernels, meets
from proofs.ledger import LEDGER
from proofs.lemmas.prefix_lm_steps import rises_beyond
from proofs.notation import (
    below,
    causal,
    causal_beyond,
    layer,
    layers,
    monotone,
    nondecreasing,
    product,
    rollout,
    transition,
)
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
        (causal_beyond(A, "b"), [True] * 5),
        (rises_beyond(A), [True, None, None, None, None]),
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
        # one kernel in all layers
        (Relation("=", R("t", "i", "j"), A("i", "j")), [None, None, None, None, True]),
        (Relation("=", R("t", "i", "j"), A("j", "i")), [None] * 5),
        # layers are in no known order, unless they are the same kernel
        (below(product(layer(R, "s"), layer(R, "t")), product(layer(R, "t"), layer(R, "s"))), [None] * 4 + [True]),
        (below(product(A, B), product(B, A)), [True] * 5),
        # what the module does not know is undecided, never silently met
        (Holds("unheard of", (A,)), [None] * 5),
        (Implies(monotone(A), causal(A)), [None] * 5),
        (Relation("<=", as_term(0), Apply(A, (index("i"), index("j")))), [None] * 5),
    ],
)
def test_meets(formula: Formula, answers: list[bool | None]) -> None:
    assert [meets(formula, given, frozenset({A, B, R})) for given in (ALL, TOP, BOTTOM, OPEN, ONE)] == answers


FIRST = ("S1", "S3", "S4", "S5", "S6", "D1", "D2", "I1")
OPEN_HYPOTHESES = {
    ("D5", "kernels equal"),  # whether the layers of a stack are one kernel
    ("D7", "kernels ordered"), ("D7", "later more local"), ("D7", "later less local"),
    ("S7", "mixture of two"),  # whether the file's kernels are extreme
    # whether they are totally positive, and one and the same
    ("D6", "X totally positive"), ("D6", "kernels totally positive"), ("D6", "one kernel"),
    # what the diagonals of infinitely many layers are
    ("I2", "finite sum"), ("I3", "infinite sums"), ("I4", "infinite sums"), ("I4", "collapse"), ("I4", "last row"),
    ("I4", "positive diagonal"), ("I4", "at least epsilon"),
    ("I4b", "slow diagonal"), ("I4b", "always slow"),
    ("C2", "above two terms"), ("C2", "above the series"),  # E_t and G are the reader's, but bound by the kernels
    ("I6", "epsilon to T"), ("I6", "at least epsilon"), ("I6", "one diagonal"), ("I6", "below one"),
    ("I8", "nothing between"),  # what is not read
    ("X2", "infinite sums"), ("X2", "finite sum"), ("X2", "positive diagonal"), ("X2", "collapse"),
    # N, D and nu are the reader's, but bound by the kernels
    ("X1", "means"), ("X1", "deviations"), ("X1", "uncorrelated"), ("X2b", "at least nu"),
}  # fmt: skip


@pytest.mark.parametrize("name", LEDGER)
def test_every_hypothesis_is_understood(name: str) -> None:
    claim = LEDGER[name].claim
    for label, formula in claim.hypotheses:
        assert meets(formula, ALL, kernels(claim)) is (None if (name, label) in OPEN_HYPOTHESES else True), label


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("S2", ""), ("S3", "A"), ("S4", "ABLRU"), ("S5", "RS"), ("S6", "KLRS"), ("S7", "BRXY"),
        ("D1", "AMNQR"), ("D2", "AKQ"), ("D3", ""), ("D4", ""), ("D5", "KQ"), ("D7", "APRUXY"), ("D8", "ANPR"),
        ("U2", ""), ("U4", ""), ("I1", "A"),
    ],
)  # fmt: skip
def test_a_symbol_is_a_kernel_if_a_hypothesis_says_so(name: str, letters: str) -> None:
    """Not tables of tails (F in S7), scores (s in D4) or head weights (alpha in D3), whatever their arity."""
    assert "".join(sorted(symbol.name for symbol in kernels(LEDGER[name].claim))) == letters


@pytest.mark.parametrize("name", ["S2", "D3", "D4", "U2", "U4"])
def test_kernels_given_by_weights_or_scores_are_not_those_of_a_file(name: str) -> None:
    (answer,) = [a for a in applying(LEDGER, ALL) if a.id == name]
    assert answer.parts == ()


def test_levels_can_be_chosen_for_every_kernel() -> None:
    answers = {a.id: a for a in applying(LEDGER, ONE)}
    asked = {a.id: {part.name: part.hypothesis for part in a.parts if not part.applies} for a in answers.values()}
    assert asked["S6"] == {"nondecreasing maps": "monotone", "path by path": "layers monotone"}
    assert asked["S7"] == {"mixture of vertices": "monotone", "vertices are extreme": "mixture of two"}
    met = {"tails of a kernel", "mixture of pairs", "affine in a coefficient"}
    assert {part.name for part in answers["S7"].with_answer(True)} == met


def test_monotone_layers_meet_everything() -> None:
    answers = {a.id: a for a in applying(LEDGER, ALL)}
    assert list(answers) == list(LEDGER)
    assert all(answers[name].applies is True for name in FIRST)
    assert answers["S2"].parts == ()
    assert answers["S2"].applies is False


def test_parts_of_the_mask_statement() -> None:
    parts = {part.name: part for part in {a.id: a for a in applying(LEDGER, BOTTOM)}["D1"].parts}
    assert (parts["bottom"].applies, parts["bottom"].hypothesis) == (True, "")
    assert (parts["any depth"].applies, parts["any depth"].hypothesis) == (False, "monotone below")
    parts = {part.name: part for part in {a.id: a for a in applying(LEDGER, TOP)}["D1"].parts}
    assert (parts["any depth"].applies, parts["any depth"].hypothesis) == (None, "monotone below")


def test_what_blocks_a_part_is_one_of_its_hypotheses() -> None:
    for answer in applying(LEDGER, BOTTOM):
        claim = LEDGER[answer.id].claim
        for part in answer.parts:
            assert part.hypothesis in (("",) if part.applies else claim.part(part.name).given)


def test_one_kernel_needs_no_monotonicity_and_crosses_once() -> None:
    """D5 asks that all layers are the same kernel, D6 that it is totally positive besides."""

    def answers(**known: bool | None) -> dict[str, bool | None]:
        given = Layers((False, False), shared=False, **known)  # type: ignore[arg-type]
        found = {a.id: a for a in applying(LEDGER, given)}
        parts = {p.name: p.applies for p in found["D5"].parts} | {p.name: p.applies for p in found["D6"].parts}
        return {name: parts[name] for name in ("one kernel", "more attention", "longer paths")}

    assert answers() == {"one kernel": None, "more attention": None, "longer paths": None}
    assert answers(alike=True) == {"one kernel": True, "more attention": None, "longer paths": None}
    assert answers(alike=False, positive=True) == {"one kernel": False, "more attention": False, "longer paths": True}
    assert answers(alike=True, positive=True) == {"one kernel": True, "more attention": True, "longer paths": True}
    assert answers(alike=True, positive=False) == {"one kernel": True, "more attention": False, "longer paths": False}
