"""D6, one crossing: with one kernel in every layer, a layer more, or more attention, shifts a whole row one way.

    p'_l p_j <= p'_j p_l  for j < l,       p = P^(T-1), p' = P^(T),   or   p = P(lambda), p' = P(mu), lambda <= mu

in every row: p'_j / p_j is nonincreasing in j, stated without dividing.  So every token up to some position r gains
(p_j <= p'_j) and every later one loses.  Hypotheses: causal kernels A_t that are totally positive of order 2, A_il A_kj
<= A_ij A_kl for i < k and j < l, and the same in every layer.  For the order of the last row, the profile, no mask is
needed.  Inequality; tight (no mixing).  Source: ours, beyond arXiv:2602.16837.

Products are totally positive by Cauchy-Binet, so A^{p+q} precedes A^p row by row; the number K of layers that attend is
log-concave and larger, in the same order, with more chances; and P^(T) = E A^K (C1).  Totally positive are every prefix
kernel; content, also of other scores that are, exactly for e_i <= 1 in rows 1 < i < n; distance kernels exactly for
log-concave a, that is a_d a_{c+1} <= a_{d+1} a_c for d < c (a_{d-1} a_{d+1} <= a_d^2 would not do: 1, 0, 0, 1).

Exact here: everything.  Numeric here: nothing.  Not covered: kernels that differ from layer to layer.
"""

from __future__ import annotations

from proofs.cases.shared_kernel_cases import cases, needed
from proofs.lemmas.crossing_steps import crossing_lemmas, one_crossing
from proofs.lemmas.euler_steps import row
from proofs.lemmas.hop_order_steps import later_law, ordered_chances, ordered_law, ordered_steps, trial_lemmas
from proofs.lemmas.one_kernel_steps import Rollout, one_kernel, one_kernel_lemmas, row_ordered
from proofs.lemmas.positive_kernel_steps import (
    at_most_one,
    content_conversely,
    content_minors,
    distance_conversely,
    distance_minors,
    log_concave,
    prefix_minors,
    score_minors,
    scores_with_content,
)
from proofs.lemmas.total_positivity_steps import likelihood, nonnegative, power_lemmas, reads_no_later, row_order
from proofs.notation import (
    attention,
    causal,
    content,
    distance,
    distance_weights,
    every,
    layer,
    layers,
    mixing,
    n,
    positive,
    power,
    prefix,
    product,
    rollout,
    scaled_diagonal,
    scores,
    stochastic,
    totally_positive,
    transition,
)
from proofs.outline import NOTHING, causal_transitions, used_only
from proofs.statement import Claim, Part, Statement
from proofs.steps import Generalise, Identity, Instantiate, Nonnegative, Step, item, use
from proofs.term import Fn, Formula, Index, Range, Relation, Symbol, as_index, as_term, index
from proofs.twins import turn

lam, mu, A = Symbol("lambda", 1), Symbol("mu", 1), Symbol("A", 3)
X, Y, N = Symbol("X", 2), Symbol("Y", 2), Symbol("N", 2)
w, e, a, g = Symbol("w", 1), Symbol("e", 1), Symbol("a", 1), Symbol("g", 2)
i, p, q, T = (index(name) for name in ("i", "p", "q", "T"))
C, D = transition(lam, A), transition(mu, A)
shallow, deep, more = layer(rollout(C), T - 1), layer(rollout(C), T), layer(rollout(D), T)
of_scores = attention(scaled_diagonal(g, e))
ONE, LAW = ("kernels totally positive", "one kernel"), ("mixing", "more mixing", "ordered")
DEEPER, MORE = ("mixing", "causal kernels", *ONE), (*LAW, "causal kernels", *ONE)


def rollout_row(chances: Fn, depth: Index) -> Fn:
    """Row i of P^(depth)."""
    return row(rollout(transition(chances, A)), depth, "i")


def crossing(before: Fn, after: Fn) -> Formula:
    """In every row one crossing."""
    return every("i", 1, n, one_crossing(before, after))


row_before, row_deeper, row_more = rollout_row(lam, T - 1), rollout_row(lam, T), rollout_row(mu, T)

claim = Claim(
    symbols=(lam, mu, A, X, Y, N, w, e, a, g),
    indices=tuple(Range(name, as_index(low), None) for name, low in (("T", 1), ("p", 0), ("q", 0))),
    hypotheses=(
        ("X totally positive", totally_positive(X)),
        ("Y totally positive", totally_positive(Y)),
        ("inserted layer", causal(N)),
        ("X causal", causal(X)),
        ("mixing", mixing(lam, T)),
        ("more mixing", mixing(mu, T)),
        ("ordered", ordered_chances(lam, mu)),
        ("causal kernels", layers(1, T, causal(layer(A, "t")))),
        ("kernels", layers(1, T, stochastic(layer(A, "t")))),
        ("kernels totally positive", layers(1, T, totally_positive(layer(A, "t")))),
        ("one kernel", one_kernel(A)),
        ("weights", positive(w)),
        ("content", positive(e)),
        ("content at most 1", at_most_one(e)),
        ("content totally positive", totally_positive(content(w, e))),
        ("scores", scores(g)),
        ("scores totally positive", score_minors(g)),
        ("distance weights", distance_weights(a)),
        ("log-concave", log_concave(a)),
        ("distance totally positive", totally_positive(distance(a))),
    ),
    parts=(
        Part("product", ("X totally positive", "Y totally positive"), totally_positive(product(X, Y))),
        Part("powers", ("X totally positive",), totally_positive(layer(power(X), "p"))),
        Part("on top", ("inserted layer", "Y totally positive"), likelihood(product(N, Y), Y)),
        Part(
            "longer paths", ("X causal", "X totally positive"),
            likelihood(layer(power(X), p + q), layer(power(X), "p")),
        ),
        Part("log-concave hops", ("mixing",), ordered_steps(lam, lam, T, (p, q))),
        Part("hops of one layer more", ("mixing",), later_law(lam, T, (p, q))),
        Part("hops of more attention", ("mixing", "more mixing", "ordered"), ordered_law(lam, mu, T, (p, q))),
        Part("one layer more", DEEPER, likelihood(deep, shallow)),
        Part("more attention", MORE, likelihood(more, deep)),
        Part("one layer more, last row", ("mixing", "kernels", *ONE), row_order(deep, shallow, n)),
        Part("more attention, last row", (*LAW, "kernels", *ONE), row_order(more, deep, n)),
        Part("one layer more, crossing", DEEPER, crossing(row_before, row_deeper)),
        Part("more attention, crossing", MORE, crossing(row_deeper, row_more)),
        Part("prefix", ("weights",), totally_positive(prefix(w))),
        Part("prefix with content", ("weights", "content", "content at most 1"), totally_positive(content(w, e))),
        Part("prefix with content, conversely", ("weights", "content", "content totally positive"), at_most_one(e)),
        Part(
            "scores with content", ("scores", "content", "content at most 1", "scores totally positive"),
            totally_positive(of_scores),
        ),
        Part("distance", ("distance weights", "log-concave"), totally_positive(distance(a))),
        Part("distance, conversely", ("distance weights", "distance totally positive"), log_concave(a)),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def by_lemma(part: str, name: str, fns: tuple[Fn, ...], *at: Index | str, parts: str = "") -> Step:
    """A part that is a lemma."""
    stated = claim.part(part)
    source = use(name, *at, parts=parts, fns=fns, given=stated.given)
    return claim.proof(part, Step("lemma", stated.asserts, Instantiate(source)))


def entries(name: str, chances: Fn, depth: Index, mixing_fact: str) -> tuple[Step, Step]:
    """Row i of a rollout is nonnegative, i being fixed: S1."""
    family, here = transition(chances, A), rollout_row(chances, depth)
    fns = (NOTHING, family, family, NOTHING)
    entry = use("S1", T, depth, "i", "j", parts="rollouts/nonnegative", fns=fns, given=(f"{name}: transitions",))
    return (
        causal_transitions(f"{name}: transitions", chances, A, T, mixing_fact, "causal kernels"),
        Step(name, every("j", 1, n, Relation("<=", as_term(0), here("j"))), Nonnegative((item(entry),))),
    )


def crossed(part: str, order: str, before: Fn, after: Fn, nonnegative: tuple[Step, ...]) -> Step:
    """One crossing in row i: from the order of the rows, which is the part ``order``, and what says that they are
    nonnegative.
    """
    given = claim.part(part).given
    ratio = Relation("<=", after("l") * before("j"), after("j") * before("l"))
    falls = every("j", 1, n, every("l", index("j") + 1, n, ratio))
    return claim.proof(
        part,
        *nonnegative,
        Step("order", falls, Instantiate(use(order, "i", given=given))),
        Step("this row", one_crossing(before, after), Instantiate(use(
            "one crossing", fns=(before, after), given=("before", "after", "order")
        ))),
        fix=("i",),
    )  # fmt: skip


def of_minors(part: str, steps: tuple[Step, ...]) -> Step:
    """A part on the minors of a kernel, which rest on few of the facts on its row totals."""
    return claim.proof(part, *used_only(steps))


def counts(relation: Relation) -> Formula:
    """For all m, d >= 0."""
    return every("m", 0, None, every("d", 0, None, relation))


one_more_law = use("one trial more", T - 1, fns=(lam,), given=("mixing",))
larger_law = use("larger chances", T, parts="law", fns=(lam, mu), given=("mixing", "more mixing", "ordered"))
same_chances = use(
    "larger chances", T, p, q, parts="steps", fns=(lam, lam), given=("mixing", "mixing", "chances ordered")
)


def rows_in_order(part: str, laws: Step, lower: Rollout, upper: Rollout) -> Step:
    """A part on every row: row by row, since the powers of A_1 read no later position."""
    row_i = row_ordered("row", A, i, lower, upper, OF_ROW)
    read = use("powers of a causal kernel read nothing later", "i", fns=(first,), given=("first layer",))
    return claim.proof(
        part,
        *first_layer(causal(first), "causal kernels"),
        laws,
        Step("rows", claim.part(part).asserts, Generalise(("i",), (
            Step("mask", reads_no_later(first, "i"), Instantiate(read)), *row_i,
        ))),
    )  # fmt: skip


def last_row_in_order(part: str, laws: Step, lower: Rollout, upper: Rollout) -> Step:
    """A part on the last row, which has no later one to read."""
    return claim.proof(
        part,
        *first_layer(stochastic(first), "kernels"),
        laws,
        Step("mask", reads_no_later(first, n), Identity()),
        *row_ordered("row", A, n, lower, upper, OF_ROW),
    )


def first_layer(kernel: Formula, fact: str) -> tuple[Step, Step, Step]:
    """What is known of A_1."""
    return (
        Step("first layer", kernel, Instantiate(use(fact, 1))),
        Step("entries", nonnegative(first), Instantiate(use("first layer", parts="nonnegative"))),
        Step("minors", totally_positive(first), Instantiate(use("kernels totally positive", 1))),
    )


OF_ROW = ("entries", "minors", "laws", "mask")
first = layer(A, 1)
longer_law = Step("laws", counts(later_law(lam, T)), Instantiate(one_more_law))
more_law = Step("laws", counts(ordered_law(lam, mu, T)), Instantiate(larger_law))
on_top = use("what is put on top precedes", "i", fns=(N, Y), given=(
    use("inserted layer", parts="nonnegative"), "Y totally positive", use("inserted layer", "i", parts="mask"),
))  # fmt: skip
longer_paths = use("more factors precede fewer", "i", p, q, fns=(X,), given=(
    use("X causal", parts="nonnegative"), "X totally positive",
    use("powers of a causal kernel read nothing later", "i", fns=(X,), given=("X causal",)),
))  # fmt: skip

derivation = (
    *trial_lemmas(),
    *power_lemmas(),
    *crossing_lemmas(),
    *one_kernel_lemmas(),
    by_lemma("product", "products are totally positive", (X, Y)),
    by_lemma("powers", "powers are totally positive", (X,), p),
    claim.proof("on top", Step("row", row_order(product(N, Y), Y, "i"), Instantiate(on_top)), fix=("i",)),
    claim.proof("longer paths", Step(
        "row", row_order(layer(power(X), p + q), layer(power(X), p), "i"), Instantiate(longer_paths)
    ), fix=("i",)),
    claim.proof(
        "log-concave hops",
        Step("chances ordered", ordered_chances(lam, lam), Nonnegative(())),
        Step("steps", claim.part("log-concave hops").asserts, Instantiate(same_chances)),
    ),
    by_lemma("hops of one layer more", "one trial more", (lam,), T - 1, p, q),
    by_lemma("hops of more attention", "larger chances", (lam, mu), T, p, q, parts="law"),
    rows_in_order("one layer more", longer_law, (lam, T), (lam, T - 1)),
    rows_in_order("more attention", more_law, (mu, T), (lam, T)),
    last_row_in_order("one layer more, last row", longer_law, (lam, T), (lam, T - 1)),
    last_row_in_order("more attention, last row", more_law, (mu, T), (lam, T)),
    crossed("one layer more, crossing", "one layer more", row_before, row_deeper, (
        *entries("before", lam, T - 1, "mixing"), *entries("after", lam, T, "mixing"),
    )),
    crossed("more attention, crossing", "more attention", row_deeper, row_more, (
        *entries("before", lam, T, "mixing"), *entries("after", mu, T, "more mixing"),
    )),
    of_minors("prefix", prefix_minors("minors", w, "weights")),
    of_minors("prefix with content", content_minors("minors", w, e, ("weights", "content", "content at most 1"))),
    of_minors("prefix with content, conversely", content_conversely(
        "rows", w, e, ("weights", "content", "content totally positive")
    )),
    of_minors("scores with content", scores_with_content(
        "minors", g, e, ("scores", "content", "content at most 1", "scores totally positive")
    )),
    of_minors("distance", distance_minors("minors", a, ("distance weights", "log-concave"))),
    of_minors("distance, conversely", distance_conversely(
        "weights", a, ("distance weights", "distance totally positive")
    )),
    claim.finish("one crossing of every row"),
)  # fmt: skip

statement = Statement(
    id="D6",
    title="One shared kernel: rows cross once",
    source="ours, beyond arXiv:2602.16837",
    remark="The order by likelihood ratios is stronger than the stochastic order.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=tuple(turn(path) for part in claim.parts for path in (
        (f"{part.name}/gains", f"{part.name}/losses") if part.name.endswith("crossing") else (part.name,)
    )),
)  # fmt: skip
