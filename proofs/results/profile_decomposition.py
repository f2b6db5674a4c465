"""U1, decomposition of the profile: a recency spike, and for each head its weights times an envelope that falls.

    p_j = a [j = n] + sum_t sum_h w^{t,h}_j g^{t,h}_j,   a = prod_t (1 - lambda_t),   g >= 0 nonincreasing in j

Layer t averages H prefix-kernel heads, A_t(i, j) = sum_h alpha_{t,h,i} w^{t,h}_j / W^{t,h}_i; weights and head weights
vary with the layer, head weights even with the row.  The identity asks nothing.  The envelope has the form

    g^{t,h}_j = (prod_{s<t} (1 - lambda_s)) sum_{l>=j} (R_T ... R_{t+1})_nl lambda_t alpha_{t,h,l} / W^{t,h}_l:

the paths whose lowest reading layer is t, with head h, reach some l >= j above it and stay at j below it.  Identity
and inequality.  Source: arXiv:2602.16837; theory U1.

Exact here: everything.  Numeric here: nothing.  Not covered: heads that are no prefix kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from numeric.strategies import prefix_weights
from proofs.case import Case, Table
from proofs.draws import sizes_within
from proofs.envelope_cases import envelope_table, weighted_kernel
from proofs.envelope_steps import envelope_lemmas
from proofs.lazy_layers import decomposed, envelope, falling, last_row, rows_above, split
from proofs.notation import mixing, positive, transition
from proofs.plain_heads import heads_entries, heads_keeping, heads_steps, nonnegative_shares, prefix_family
from proofs.prefix_heads import each_head, of_head
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Identity, Instantiate, Step, use
from proofs.term import Range, Symbol, as_index
from proofs.twins import lose, scale, turn

Values = Sequence[Fraction]
Heads = Sequence[Sequence[Values]]

lam, alpha, w = Symbol("lambda", 1), Symbol("alpha", 3), Symbol("w", 3)
g = Symbol("g", 3)
R = transition(lam, prefix_family(alpha, w))
theta, b = heads_keeping(lam), heads_entries(lam, alpha, w)

claim = Claim(
    symbols=(lam, alpha, w, g),
    indices=(Range("H", as_index(0), None), Range("T", as_index(0), None)),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("head weights", nonnegative_shares(alpha)),
        ("weights", each_head(positive(of_head(w)))),
        ("envelopes", envelope(g, rows_above(R), theta, b)),
    ),
    parts=(
        Part("decomposition", ("envelopes",), decomposed(last_row(R), theta, w, g)),
        Part("shape", ("envelopes", "mixing", "head weights", "weights"), falling(g)),
    ),
)

# --- derivation -----------------------------------------------------------------------------------

asked = ("keeping", "keeping falls", "entries", "entries fall")
derivation = (
    *envelope_lemmas(),
    Step("layers", split(R, theta, w, b), Identity()),
    claim.proof("decomposition", Step("lemma", claim.part("decomposition").asserts, Instantiate(use(
        "sum over layers and heads", fns=(g, R, theta, w, b), given=("envelopes", "layers")
    )))),
    claim.proof("shape", *heads_steps(lam, alpha, w), Step("lemma", claim.part("shape").asserts, Instantiate(use(
        "shape of layers", fns=(g, R, theta, w, b), given=("envelopes", "layers", "weights >= 0", *asked)
    )))),
    claim.finish("decomposition of the profile"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """One or two heads with weights in any order, which share every row as they please."""

    def draw(drawn: tuple[tuple[int, int], int]) -> SearchStrategy[Case]:
        (size, depth), heads = drawn
        weights = st.tuples(*[prefix_weights(size)] * (depth * heads))
        shares = st.tuples(*[st.integers(0, 4)] * (depth * size))
        return st.tuples(mixing_coefficients(depth), weights, shares).map(
            lambda d: _case(
                d[0],
                [_shares(d[2][t * size : (t + 1) * size], heads) for t in range(depth)],
                [d[1][t * heads : (t + 1) * heads] for t in range(depth)],
                size, heads,
            )
        )  # fmt: skip

    return st.tuples(sizes_within(5, 3), st.integers(1, 2)).flatmap(draw)


def _shares(quarters: tuple[int, ...], heads: int) -> list[list[Fraction]]:
    first = [Fraction(x, 4) for x in quarters]
    return [first, [1 - x for x in first]] if heads == 2 else [[Fraction(1)] * len(first)]


def _case(lam: Values, alpha: Heads, w: Heads, size: int = 3, heads: int = 1) -> Case:
    """The case with its envelopes."""
    kernels = [[weighted_kernel(x, [Fraction(1)] * size) for x in layer] for layer in w]
    g = envelope_table(
        lam, alpha, kernels, lambda t, j: 1 - lam[t],
        lambda t, h, i, j: lam[t] * alpha[t][h][i] / sum(w[t][h][: i + 1]),
    )  # fmt: skip
    return Case.of(size, {"H": heads, "T": len(lam)}, lambda_=lam, alpha=alpha, w=w, g=g)


_one = Fraction(1)
_ones = [[[_one] * 3]]
_plain = _case([_one], _ones, _ones)
needed = (
    Needed("mixing", _case([2 * _one, _one], _ones * 2, _ones * 2), "lambda = (2, 1): 1 - lambda_1 = -1 below layer 2"),
    Needed("head weights", _case([_one], [[[-_one] * 3]], _ones), "alpha = -1: g_j = -1/3"),
    Needed("weights", _case([_one], _ones, [[[_one, _one, -3 * _one]]]), "w = (1, 1, -3): W_3 = -1, g_j = -1"),
    Needed(
        "envelopes",
        replace(_plain, tables=(*_plain.tables[:1], ("g", Table([[[1, 2, 3]]])), *_plain.tables[2:])),
        "g = (1, 2, 3)",
    ),
)

statement = Statement(
    id="U1",
    title="A spike, and weights times an envelope that falls",
    source="arXiv:2602.16837",
    remark="Recency is in the spike and in the weights, primacy in the envelopes.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("decomposition"), lose("decomposition"),
        turn("shape/nonnegative"), turn("shape/nonincreasing"),
    ),
)  # fmt: skip
