"""U1, decomposition of the profile: a recency spike, and for each head its weights times an envelope that falls.

    p_j = a [j = n] + sum_t sum_h w^{t,h}_j g^{t,h}_j,   a = prod_t (1 - lambda_t),   g >= 0 nonincreasing in j

Layer t averages H prefix-kernel heads, A_t(i, j) = sum_h alpha_{t,h,i} w^{t,h}_j / W^{t,h}_i; weights and head weights
vary with the layer, head weights even with the row.  The identity asks nothing.  The envelope has the form

    g^{t,h}_j = (prod_{s<t} (1 - lambda_s)) sum_{l>=j} (R_T ... R_{t+1})_nl lambda_t alpha_{t,h,l} / W^{t,h}_l:

the paths whose lowest reading layer is t, with head h, reach some l >= j above it and stay at j below it.

With content the diagonal weight of row i is multiplied by e_{t,h,i} > 0.  While e <= 1 all of this stays true, with Z_i
= w_1 + ... + w_{i-1} + e_i w_i for W_i and the factor e_j at l = j.  What exceeds 1 keeps the token as the residual
stream does: 1 - lambda_t becomes theta_{t,j} = 1 - lambda_t + lambda_t sum_h alpha_{t,h,j} max(e - 1, 0) w_j / Z_j, and
a = prod_t theta_{t,n} is larger.  Then, for the rows i + 1 with e_{i+1} > 1, W_i / w_i must not fall nor e_i and
alpha_i rise: so for every ALiBi with m >= 0, one e and one head weight for all rows.  Identity and inequality.  Source:
ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: heads that are no prefix kernels; content off the
diagonal.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from numeric.strategies import prefix_weights
from proofs.case import Case, Table
from proofs.cases.envelope_cases import Head, Layer, Row, heads_case, sums_rising
from proofs.content_heads import ContentHeads
from proofs.draws import for_each, sizes_within
from proofs.lazy_layers import decomposed, envelope, falling, last_row, rows_above, split
from proofs.lemmas.envelope_steps import envelope_lemmas
from proofs.notation import mixing, positive, transition, zero_one
from proofs.plain_heads import heads_entries, heads_keeping, heads_steps, nonnegative_shares, prefix_family
from proofs.prefix_heads import each_head, of_head
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Generalise, Identity, Instantiate, Step, Use, item, use
from proofs.term import Fn, Implies, Range, Symbol, as_index
from proofs.twins import lose, scale, turn

lam, alpha, w = Symbol("lambda", 1), Symbol("alpha", 3), Symbol("w", 3)
e, f, g = Symbol("e", 3), Symbol("f", 3), Symbol("g", 3)
U, V, theta = Symbol("U", 2), Symbol("V", 2), Symbol("theta", 2)
R = transition(lam, prefix_family(alpha, w))
left, b = heads_keeping(lam), heads_entries(lam, alpha, w)
heads = ContentHeads(lam, alpha, w, e, theta)
Q = transition(lam, heads.family)

claim = Claim(
    symbols=(lam, alpha, w, U, g, e, theta, V, f),
    indices=(Range("H", as_index(0), None), Range("T", as_index(0), None)),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("head weights", nonnegative_shares(alpha)),
        ("weights", each_head(positive(of_head(w)))),
        ("rows above", rows_above(U, R)),
        ("envelopes", envelope(g, U, left, b)),
        ("content", each_head(positive(heads.of_head[1]))),
        ("content falls", heads.factors_fall),
        ("head weights fall", heads.shares_fall),
        ("W / w rises", heads.sums_rise),
        ("kept", heads.kept),
        ("rows above, with content", rows_above(V, Q)),
        ("envelopes, with content", envelope(f, V, theta, heads.entries)),
    ),
    parts=(
        Part("decomposition", ("rows above", "envelopes"), decomposed(last_row(R), left, w, g)),
        Part("shape", ("rows above", "envelopes", "mixing", "head weights", "weights"), falling(g)),
        Part(
            "content, decomposition",
            ("kept", "rows above, with content", "envelopes, with content"),
            decomposed(last_row(Q), theta, w, f),
        ),
        Part(
            "content, shape",
            (
                "kept",
                "rows above, with content",
                "envelopes, with content",
                "mixing",
                "head weights",
                "weights",
                "content",
                "content falls",
                "head weights fall",
                "W / w rises",
            ),
            falling(f),
        ),
    ),
)

# --- derivation -----------------------------------------------------------------------------------

asked = ("weights >= 0", "keeping", "keeping falls", "entries", "entries fall")


def by_lemma(part: str, lemma: str, fns: tuple[Fn, ...], given: tuple[str | Use, ...], *steps: Step) -> Step:
    """A part that is a lemma on layers which keep and read, at these."""
    asserts = claim.part(part).asserts
    return claim.proof(part, *steps, Step("lemma", asserts, Instantiate(use(lemma, fns=fns, given=given))))


plain, with_content = (U, g, R, left, w, b), (V, f, Q, theta, w, heads.entries)
known = "rows above", "envelopes", "layers"
known_with_content = "rows above, with content", "envelopes, with content", use("layers with content", given=("kept",))
derivation = (
    *envelope_lemmas(),
    Step("layers", split(*plain[2:]), Identity()),
    Step(
        "layers with content",
        Implies(heads.kept, split(*with_content[2:])),
        Generalise(
            ("kept",),
            (
                Step(
                    "split",
                    split(*with_content[2:]),
                    Identity((item(use("kept", "t", "i"), times=-zero_one("i", "j")),)),
                ),
            ),
        ),
    ),
    by_lemma("decomposition", "sum over layers and heads", plain, known),
    by_lemma("shape", "shape of layers", plain, (*known, *asked), *heads_steps(lam, alpha, w)),
    by_lemma("content, decomposition", "sum over layers and heads", with_content, known_with_content),
    heads.step(claim),
    by_lemma("content, shape", "shape of layers", with_content, (*known_with_content, *heads.facts)),
    claim.finish("decomposition of the profile"),
)

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """One or two heads; the layers have content at most 1, content that may keep tokens in the first head, or any."""

    def draw(drawn: tuple[tuple[int, int], int]) -> SearchStrategy[Case]:
        (size, depth), count = drawn
        shares = st.tuples(*[st.integers(0, 4)] * size)
        rows = st.tuples(*[st.tuples(prefix_weights(size), prefix_weights(size))] * count)
        drawn_layers = st.tuples(*[st.tuples(st.integers(0, 4), shares, rows)] * depth)
        return st.tuples(mixing_coefficients(depth), drawn_layers).map(
            lambda d: heads_case(size, count, d[0], [_layer(*layer) for layer in d[1]])
        )

    return for_each(st.tuples(sizes_within(5, 3), st.integers(1, 2)), draw)


def _layer(kind: int, quarters: tuple[int, ...], rows: tuple[tuple[Row, Row], ...]) -> Layer:
    """The heads of a layer; kind 0 and 1: content at most 1, 4: any, else the first head keeps tokens."""
    share = [Fraction(x, 4) for x in quarters]
    keeps = 1 < kind < 4
    if keeps:
        share.sort(reverse=True)
    found: list[Head] = []
    for alpha, (weights, factors) in zip([share, [1 - x for x in share]], rows, strict=False):
        if keeps and not found:
            found.append((alpha, sums_rising(weights), sorted(factors, reverse=True)))
        else:
            found.append((alpha, weights, factors if kind == 4 else [min(x, 1 / x) for x in factors]))
    return found


def _row(*values: Fraction | int) -> Row:
    return [Fraction(x) for x in values]


_ones, _twos = _row(1, 1, 1), _row(2, 2, 2)
_plain: list[Head] = [(_ones, _ones, _ones)]
_right = heads_case(3, 1, _row(1), [_plain])


def _wrong(**tables: Table) -> Case:
    """The plain case with other tables."""
    return replace(_right, tables=tuple({**dict(_right.tables), **tables}.items()))


_nothing, _zero, _rises = Table([[0, 0, 0]] * 2, (0,)), Table([[[0, 0, 0]]]), Table([[[1, 2, 3]]])
needed = (
    Needed("mixing", heads_case(3, 1, _row(2, 1), [_plain] * 2), "lambda = (2, 1): 1 - lambda_1 = -1"),
    Needed("head weights", heads_case(3, 1, _row(1), [[(_row(-1, -1, -1), _ones, _ones)]]), "alpha = -1: g_j = -1/3"),
    Needed(
        "weights", heads_case(3, 1, _row(1), [[(_ones, _row(1, 1, -3), _ones)]]), "w = (1, 1, -3): W_3 = -1, g_j = -1"
    ),
    Needed("rows above", _wrong(U=_nothing, g=_zero), "U = 0, so g = 0, and the spike alone is no profile"),
    Needed("envelopes", _wrong(g=_rises), "g = (1, 2, 3) is no envelope"),
    Needed(
        "content", heads_case(3, 1, _row(1), [[(_ones, _ones, _row(1, 1, -3))]]), "e = (1, 1, -3): Z_3 = -1, f_1 = -1"
    ),
    Needed(
        "content falls", heads_case(3, 1, _row(1, 1), [[(_ones, _ones, _row(1, 1, 2))], _plain]),
        "e = (1, 1, 2) in layer 1: position 2 keeps nothing, position 3 a quarter",
    ),
    Needed(
        "head weights fall",
        heads_case(3, 2, _row(1, 1), [[(_row(0, 0, 1), _ones, _twos), (_row(1, 1, 0), _ones, _ones)], _plain * 2]),
        "alpha = (0, 0, 1) for a head with e = 2 in layer 1: position 2 keeps nothing, position 3 a quarter",
    ),
    Needed(
        "W / w rises",
        heads_case(4, 1, _row(1, 1), [[(_row(1, 1, 1, 1), _row(1, Fraction(1, 10), 1, 1), _row(2, 2, 2, 2))]] * 2),
        "w = (1, 1/10, 1, 1), e = 2: p_2 / w_2 = 37255/156333 < p_3 / w_3 = 14400/52111, so no envelopes do",
    ),
    Needed("kept", _wrong(theta=Table([[2, 2, 2]])), "theta = 2: the spike alone is more than 1"),
    Needed("rows above, with content", _wrong(V=_nothing, f=_zero), "V = 0, so f = 0, as above"),
    Needed("envelopes, with content", _wrong(f=_rises), "f = (1, 2, 3) is no envelope"),
)  # fmt: skip

statement = Statement(
    id="U1",
    title="A spike, and weights times an envelope that falls",
    source="ours, beyond arXiv:2602.16837",
    remark="Recency is in the spike and in the weights, primacy in the envelopes.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("decomposition"), lose("decomposition"),
        turn("shape/nonnegative"), turn("shape/nonincreasing"),
        scale("content, decomposition"), lose("content, decomposition"),
        turn("content, shape/nonnegative"), turn("content, shape/nonincreasing"),
    ),
)  # fmt: skip
