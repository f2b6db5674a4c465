"""U6, closed form without cancellation: the rollout of one prefix kernel in every layer, at every n and T.

    P^(T)_ij = a [i = j] + (w_j / W_i) sum_{k=1}^T P(K_T = k) h_{k-1}(u_j, ..., u_i),   j <= i

with u_l = w_l / W_l, a = (1 - lambda_1) ... (1 - lambda_T) and h the complete homogeneous symmetric polynomials.  The
last row, i = n, is the profile.  From C1, since A^k_ij = (w_j / W_i) h_{k-1}(u_j, ..., u_i): along a path i >= i_1 >=
... >= j the weights telescope.  These identities ask nothing of w (1 / 0 = 0) or lambda.  With w > 0 and 0 <= lambda_t
<= 1 every term is nonnegative, so that nothing cancels in floating point, and the envelope, the sum that multiplies
w_j, falls in j: P is a spike plus weights times an envelope (U1 for one head).  Source: theory U6, beyond
arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: content, heads that are averaged.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from numeric.strategies import prefix_weights
from proofs.case import Case
from proofs.complete_steps import complete_lemmas, falls, from_below, nonnegative_values
from proofs.draws import sizes_within, values
from proofs.notation import (
    accumulated,
    complete,
    every,
    hops,
    mixing,
    n,
    positive,
    power,
    prefix,
    rollout,
    transition,
    zero_one,
)
from proofs.prefix_steps import inverse, weight_sums
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Both, Chain, Generalise, Identity, Induction, Nonnegative, Step, Use, item, use
from proofs.substitute import substitute
from proofs.term import (
    And,
    Bracket,
    Formula,
    Implies,
    Index,
    Lambda,
    Range,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import lose, scale, shift, turn

w, lam = Symbol("w", 1), Symbol("lambda", 1)
i, j, k, m, s, T = (index(x) for x in ("i", "j", "k", "m", "s", "T"))
A, shares = prefix(w), Lambda(("l",), w("l") * inverse(w, "l"))
law, h, stay = hops(lam), complete(shares), accumulated(Lambda(("t",), as_term(1) - lam("t")))
P = rollout(transition(lam, Lambda(("t", "i", "j"), A("i", "j"))))


def cells(body: Formula) -> Formula:
    """For all j <= i."""
    return every("i", 1, n, every("j", 1, i, body))


def envelope(start: Index | str) -> Term:
    """sum_k P(K_T = k) h_{k-1}(u_start, ..., u_i), what multiplies w_j / W_i."""
    return total("k", 1, T, law(T, "k") * h(k - 1, start, "i"))


def entry(count: Index | int) -> Term:
    """(w_j / W_i) h_k(u_j, ..., u_i), the entry of A^{k+1}."""
    return w("j") * inverse(w, i) * h(count, "j", "i")


def of_power(count: Index | int) -> Formula:
    """A^{k+1}_ij is that entry."""
    return cells(Relation("=", power(A)(count + 1, "i", "j"), entry(count)))


spike_and_envelope = Relation(
    "=", P(T, "i", "j"), stay(T) * zero_one("i", "j") + w("j") * inverse(w, i) * envelope("j")
)
paths = cells(Relation("<=", as_term(0), law(T, k + 1) * entry(k)))

claim = Claim(
    symbols=(w, lam),
    indices=(Range("T", as_index(0), None), Range("k", as_index(0), None)),
    hypotheses=(("weights", positive(w)), ("mixing", mixing(lam, "T"))),
    parts=(
        Part("powers", (), of_power(k)),
        Part("rollout", (), cells(spike_and_envelope)),
        Part("terms", ("weights", "mixing"), And((
            ("spike", Relation("<=", as_term(0), stay(T))),
            ("paths", paths),
        ))),
        Part("lower end", (), from_below(shares, k)),
        Part("more values", ("weights",), falls(shares, k)),
        Part("envelope falls", ("weights", "mixing"), every("i", 1, n, every("j", 1, i - 1, Relation(
            "<=", envelope(j + 1), envelope("j")
        )))),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

mask = every("i", 1, n, every("j", i + 1, n, Relation("=", power(A)("m", "i", "j"), as_term(0))))


def every_power(body: Formula) -> Formula:
    """For every m >= 0."""
    return every("m", 0, None, body)


def none_or_some(count: Index | int) -> Formula:
    """A^count, whether count is 0 or not."""
    some = Bracket(((as_index(1), as_index(count)),)) * entry(as_index(count) - 1)
    right = zero_one(count, 0) * zero_one("i", "j") + some
    return cells(Relation("=", power(A)(count, "i", "j"), right))


def stays(depth: Index | int) -> Formula:
    """P(K = 0) = prod (1 - lambda_t)."""
    return Relation("=", law(depth, 0), stay(depth))


of_hops = (lam, A)
powers = (
    Step("mask", every_power(mask), Induction(
        "so far",
        base=(Step("no factor", substitute(mask, {"m": as_index(0)}, {}), Identity()),),
        step=(Step("one more factor", substitute(mask, {"m": m + 1}, {}), Identity((
            item(use("so far", "l", "j"), times=A("i", "l"), over=(("l", 1, i),)),
        ))),),
    )),
    Step("every power", every_power(of_power(m)), Induction(
        "so far",
        base=(Step("one factor", of_power(0), Identity()),),
        step=(Step("one more factor", of_power(m + 1), Identity((
            item(use("so far", "l", "j"), times=A("i", "l"), over=(("l", j, i),)),
            item(use("mask", m + 1, "l", "j"), times=A("i", "l"), over=(("l", 1, j - 1),)),
        ))),),
    )),
    Step("powers", of_power(k), Chain((use("every power", k, "i", "j"),))),
)  # fmt: skip

closed_form = (
    Step("no factor or some", every_power(none_or_some(m)), Induction(
        "so far",
        base=(Step("none", none_or_some(0), Identity()),),
        step=(Step("some", none_or_some(m + 1), Identity((item(use("every power", "m", "i", "j")),))),),
    )),
    Step("no hop", every("s", 0, T, stays(s)), Induction(
        "so far",
        base=(Step("no layer", stays(0), Identity()),),
        step=(Step("one more layer", stays(s + 1), Identity((
            item(use("so far"), times=as_term(1) - lam(s + 1)),
            item(use("C1", "s", 0, parts="support/below", fns=of_hops), times=lam(s + 1)),
        ))),),
    )),
    Step("rollout", cells(spike_and_envelope), Identity((
        item(use("C1", T, 0, "i", "j", parts="rollout", fns=of_hops)),
        item(use("no factor or some", "m", "i", "j"), times=law(T, "m"), over=(("m", 0, T),)),
        item(use("no hop", T), times=zero_one("i", "j")),
    ))),
)  # fmt: skip

sums = weight_sums("W", w, "weights")
positive_inverse = every("r", 1, n, Relation("<", as_term(0), inverse(w, "r")))


def over_sum(at: Index | str) -> Use:
    """1 / W_at > 0."""
    return use("weights sum to more than 0", at, given=("weights",))


signs = (
    Step("weights sum to more than 0", Implies(positive(w), positive_inverse), Generalise(
        ("weights",), (sums[0], sums[2])
    )),
    Step("shares are nonnegative", Implies(positive(w), nonnegative_values(shares)), Generalise(("weights",), (
        Step("values", nonnegative_values(shares), Nonnegative((item(use("weights", "l"), over_sum("l")),))),
    ))),
)  # fmt: skip


def chance(count: Index | str) -> Use:
    """P(K_T = count) >= 0."""
    return use("C1", T, count, parts="nonnegative", fns=of_hops, given=("mixing",))


def of_shares(lemma: str, *at: Index | str) -> Use:
    """A lemma on h, for the shares."""
    return use(lemma, *at, fns=(shares,), given=(use("shares are nonnegative", given=("weights",)),))


derivation = (
    *complete_lemmas(),
    *powers,
    *closed_form,
    *signs,
    claim.proof(
        "terms",
        Step("all rest", every("s", 0, T, Relation("<=", as_term(0), stay("s"))), Induction(
            "so far",
            base=(Step("no layer", Relation("<=", as_term(0), stay(0)), Nonnegative((item(),))),),
            step=(Step("one more layer", Relation("<=", as_term(0), stay(s + 1)), Nonnegative((
                item(use("mixing", s + 1, parts="at most one"), use("so far")),
            ))),),
        )),
        Step("spike", Relation("<=", as_term(0), stay(T)), Chain((use("all rest", T),))),
        Step("paths", paths, Nonnegative((item(
            chance(k + 1), use("weights", "j"), over_sum("i"),
            of_shares("complete polynomials are nonnegative", k, "i", "j"),
        ),))),
        Step("both", claim.part("terms").asserts, Both(("spike", "paths"))),
    ),
    Step("lower end", from_below(shares, k), Chain((use("recursion at the lower end", k, "i", "j", fns=(shares,)),))),
    claim.proof(
        "more values",
        Step("of shares", falls(shares, k), Chain((of_shares("more values, larger", k, "i", "j"),))),
    ),
    claim.proof("envelope falls", Step(
        "term by term", claim.part("envelope falls").asserts,
        Nonnegative((item(chance("m"), of_shares("more values, larger", m - 1, "i", "j"), over=(("m", 1, T),)),)),
    )),
    claim.finish("closed form"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Positive weights mostly, else of either sign with sums that may vanish; coefficients at both ends and between."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        weights = st.one_of(prefix_weights(positions), prefix_weights(positions), values(positions))
        drawn = st.tuples(weights, mixing_coefficients(depth), st.integers(0, depth))
        return drawn.map(lambda d: Case.of(positions, {"T": depth, "k": d[2]}, w=d[0], lambda_=d[1]))

    return sizes_within(max_layers=4).flatmap(draw)


needed = (
    Needed("weights", Case.of(2, {"T": 1, "k": 0}, w=[2, -1], lambda_=[1]), "w = (2, -1): A_22 = -1"),
    Needed("mixing", Case.of(2, {"T": 1, "k": 0}, w=[1, 1], lambda_=[2]), "lambda = 2: the spike is 1 - 2 = -1"),
)

statement = Statement(
    id="U6",
    title="One prefix kernel: the rollout without cancellation",
    source="theory U6",
    remark="A spike that falls with depth, plus weights times an envelope that falls with the position.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("powers"), scale("rollout"), lose("rollout"), shift("rollout", "complete", 0, 1), turn("terms/spike"),
        turn("terms/paths"), scale("lower end"), turn("more values"), turn("envelope falls"),
    ),
)  # fmt: skip
