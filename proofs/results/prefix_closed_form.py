"""U6, closed form without cancellation: the rollout of one prefix kernel in every layer, at every n and T.

    P^(T)_ij = a [i = j] + (w_j / W_i) sum_{k=1}^T P(K_T = k) h_{k-1}(u_j, ..., u_i),   j <= i

with u_l = w_l / W_l, a = (1 - lambda_1) ... (1 - lambda_T) and h the complete homogeneous symmetric polynomials.  The
last row, i = n, is the profile.  From C1, since A^k_ij = (w_j / W_i) h_{k-1}(u_j, ..., u_i): along a path i >= i_1 >=
... >= j the weights telescope.  These identities ask nothing of w (1 / 0 = 0) or lambda.  With w > 0 and 0 <= lambda_t
<= 1 every term is nonnegative, so that nothing cancels in floating point, and the envelope, the sum that multiplies
w_j, falls in j: P is a spike plus weights times an envelope (U1 for one head).

Any diagonal, content included (a lazy prefix kernel A_ii = theta_i, A_ij = beta_i w_j for j < i): with f(z) =
prod_t (1 - lambda_t + lambda_t z) and eta_l = theta_l - beta_l w_l

    P^(T)_jj = f(theta_j),   P^(T)_ij = w_j beta_i [theta_j, ..., theta_i] (f(z) prod_{j<l<i} (z - eta_l)),   j < i

where the divided difference of the product is written out by the Leibniz rule; that it is one is a part of the claim.
The prefix kernel with content e_i has theta_i = e_i w_i / Z_i and beta_i = 1 / Z_i.
Source: ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: averages of heads; signs where the diagonal is any.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.strategies import mixing as mixing_coefficients
from numeric.strategies import prefix_weights
from proofs.case import Case, Entries
from proofs.draws import for_each, sizes_within, values
from proofs.lemmas.complete_steps import complete_lemmas, falls, from_below
from proofs.lemmas.divided_steps import divided_lemmas, leibniz, recursion, value
from proofs.lemmas.lazy_prefix_steps import (
    LAZY,
    before_law,
    diagonal_law,
    lazy_lemmas,
    lazy_prefix,
    lazy_rollout,
    zeros,
)
from proofs.lemmas.prefix_power_steps import (
    OF_HOPS,
    A,
    cells,
    entry,
    h,
    hop_steps,
    lam,
    law,
    of_power,
    over_sum,
    power_steps,
    shares,
    sign_steps,
    stay,
    w,
)
from proofs.lemmas.prefix_steps import inverse
from proofs.notation import content, content_total, divided_product, every, mixing, n, positive, zero_one
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Both, Chain, Identity, Induction, Nonnegative, Step, Use, item, use
from proofs.term import (
    And,
    Index,
    Lambda,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    Term,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import lose, scale, shift, turn

i, j, k, s, T = (index(x) for x in ("i", "j", "k", "s", "T"))
P = lazy_rollout(A, lam)


def envelope(start: Index | str) -> Term:
    """sum_k P(K_T = k) h_{k-1}(u_start, ..., u_i), what multiplies w_j / W_i."""
    return total("k", 1, T, law(T, "k") * h(k - 1, start, "i"))


spike_and_envelope = Relation(
    "=", P(T, "i", "j"), stay(T) * zero_one("i", "j") + w("j") * inverse(w, i) * envelope("j")
)
paths = cells(Relation("<=", as_term(0), law(T, k + 1) * entry(k)))


# --- any diagonal: divided differences ------------------------------------------------------------

kernel, theta, eta, beta, e = Symbol("A", 2), *(Symbol(name, 1) for name in ("theta", "eta", "beta", "e"))
x, y, p, q = (Symbol(letter, 1) for letter in ("x", "y", "p", "q"))
first, second = divided_product(theta, x, y), divided_product(theta, p, q)
Z = content_total(w, e)
content_nodes, content_heads = Lambda(("l",), e("l") * w("l") * Reciprocal(Z("l"))), Lambda(("l",), Reciprocal(Z("l")))
content_is_lazy = lazy_prefix(content(w, e), content_nodes, content_heads, w)


def both(start: Index, last: Index) -> Term:
    """The divided difference of a product of T factors and one of k factors."""
    of_first, of_second = (Lambda(("a", "b"), fn(count, "a", "b")) for fn, count in ((first, T), (second, k)))
    return leibniz(of_first, of_second, start, last)


any_diagonal = And((
    ("diagonal", diagonal_law(kernel, theta, lam, T)), ("before", before_law(kernel, theta, eta, beta, w, lam, T))
))  # fmt: skip
at_one_node = every("j", 1, n, Relation("=", both(j, j), value(theta, x, y, T, j) * value(theta, p, q, k, j)))

claim = Claim(
    symbols=(w, lam, kernel, theta, eta, beta, e, x, y, p, q),
    indices=(Range("T", as_index(0), None), Range("k", as_index(0), None)),
    hypotheses=(
        ("weights", positive(w)), ("mixing", mixing(lam, "T")), ("lazy prefix", lazy_prefix(kernel, theta, beta, w)),
        ("eta", zeros(eta, theta, beta, w)),
    ),
    parts=(
        Part("powers", (), of_power(k)),
        Part("rollout", (), cells(spike_and_envelope)),
        Part("terms", ("weights", "mixing"), And((("spike", Relation("<=", as_term(0), stay(T))), ("paths", paths)))),
        Part("lower end", (), from_below(shares, k)),
        Part("more values", ("weights",), falls(shares, k)),
        Part("envelope falls", ("weights", "mixing"), every("i", 1, n, every("j", 1, i - 1, Relation(
            "<=", envelope(j + 1), envelope("j")
        )))),
        Part("divided differences", (), And((("recursion", recursion(theta, both)), ("values", at_one_node)))),
        Part("any diagonal", ("lazy prefix", "eta"), any_diagonal),
        Part("content", (), content_is_lazy),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


def chance(count: Index | str) -> Use:
    """P(K_T = count) >= 0."""
    return use("C1", T, count, parts="nonnegative", fns=OF_HOPS, given=("mixing",))


def of_shares(lemma: str, *at: Index | str) -> Use:
    """A lemma on h, for the shares."""
    return use(lemma, *at, fns=(shares,), given=(use("shares are nonnegative", given=("weights",)),))


def of_lazy(part: str, *at: str) -> Use:
    """The lemma on lazy prefix kernels, at depth T."""
    return use(LAZY, T, *at, parts=part, fns=(kernel, theta, eta, beta, w, lam), given=("lazy prefix", "eta"))


derivation = (
    *complete_lemmas(),
    *power_steps,
    Step("powers", of_power(k), Chain((use("every power", k, "i", "j"),))),
    *hop_steps,
    Step("rollout", cells(spike_and_envelope), Identity((
        item(use("C1", T, 0, "i", "j", parts="rollout", fns=OF_HOPS)),
        item(use("no factor or some", "m", "i", "j"), times=law(T, "m"), over=(("m", 0, T),)),
        item(use("no hop", T), times=zero_one("i", "j")),
    ))),
    *sign_steps,
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
        Nonnegative((
            item(chance("m"), of_shares("more values, larger", index("m") - 1, "i", "j"), over=(("m", 1, T),)),
        )),
    )),
    *divided_lemmas(),
    Step("recursion", recursion(theta, both), Identity((
        item(
            use("recursion of divided differences", T, "l", "i", fns=(x, y, theta)), times=second(k, "j", "l"),
            over=(("l", j, i - 1),),
        ),
        item(
            use("recursion of divided differences", k, "j", "l", fns=(p, q, theta)), times=first(T, "l", "i"),
            over=(("l", j + 1, i),),
        ),
    ))),
    Step("values at one node", at_one_node, Identity((
        item(use("values", T, "j", fns=(x, y, theta)), times=second(k, "j", "j")),
        item(use("values", k, "j", fns=(p, q, theta)), times=value(theta, x, y, T, j)),
    ))),
    Step("divided differences", claim.part("divided differences").asserts, Both(("recursion", "values at one node"))),
    *lazy_lemmas(),
    claim.proof(
        "any diagonal",
        Step("on the diagonal", dict(any_diagonal.parts)["diagonal"], Chain((of_lazy("diagonal", "j"),))),
        Step("before it", dict(any_diagonal.parts)["before"], Chain((of_lazy("before", "j", "i"),))),
        Step("both", any_diagonal, Both(("on the diagonal", "before it"))),
    ),
    Step("content", content_is_lazy, Identity()),
    claim.finish("closed form"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------

Row = tuple[Fraction, ...]


def cases() -> SearchStrategy[Case]:
    """Positive weights mostly, else of either sign with sums that may vanish; nodes and factors of either sign, which
    coincide at times.
    """

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        weights = st.one_of(prefix_weights(positions), prefix_weights(positions), values(positions))
        count = st.integers(0, depth)
        drawn = st.tuples(weights, mixing_coefficients(depth), count, values(3 * positions + 4 * depth))
        return drawn.map(lambda d: case(positions, depth, *d))

    def case(positions: int, depth: int, w: Row, lam: Row, k: int, rest: Row) -> Case:
        theta, beta, e = (rest[part * positions : (part + 1) * positions] for part in range(3))
        x, y, p, q = (rest[3 * positions :][part * depth : (part + 1) * depth] for part in range(4))
        lazy = [[theta[i] if i == j else beta[i] * w[j] * (j < i) for j in range(positions)] for i in range(positions)]
        eta = [a - b * c for a, b, c in zip(theta, beta, w, strict=True)]
        return Case.of(
            positions, {"T": depth, "k": k}, w=w, lambda_=lam, A=lazy, theta=theta, eta=eta, beta=beta, e=e,
            x=x, y=y, p=p, q=q,
        )  # fmt: skip

    return for_each(sizes_within(4), draw)


def _case(positions: int, depth: int = 1, **changed: Entries) -> Case:
    ones = [1] * positions
    plain: dict[str, Entries] = {
        "w": ones, "lambda_": [1] * depth, "A": [[int(i == j) for j in range(positions)] for i in range(positions)],
        "theta": ones, "eta": ones, "beta": [0] * positions, "e": ones, "x": [1] * depth,
        "y": [1] * depth, "p": [], "q": [],
    }  # fmt: skip
    return Case.of(positions, {"T": depth, "k": 0}, **{**plain, **changed})


needed = (
    Needed("weights", _case(2, w=[2, -1]), "w = (2, -1): A_22 = -1"),
    Needed("mixing", _case(2, lambda_=[2]), "lambda = 2: the spike is 1 - 2 = -1"),
    Needed("lazy prefix", _case(1, A=[[2]]), "theta_1 = 1, but A_11 = 2"),
    Needed(
        "eta", _case(3, 2, A=[[0, 0, 0], [1, 0, 0], [1, 1, 0]], theta=[0] * 3, beta=[1] * 3, eta=[0] * 3),
        "theta = 0, beta = w = 1, T = 2: P_31 = A_32 A_21 = 1, and the formula gives -eta_2",
    ),
)  # fmt: skip

statement = Statement(
    id="U6",
    title="One prefix kernel: the rollout without cancellation",
    source="ours, beyond arXiv:2602.16837",
    remark="A spike, plus weights times an envelope that falls with the position; any diagonal by divided differences.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("powers"), scale("rollout"), lose("rollout"), shift("rollout", "complete", 0, 1), turn("terms/spike"),
        turn("terms/paths"), scale("lower end"), turn("more values"), turn("envelope falls"),
        scale("divided differences/recursion"), scale("divided differences/values"), scale("any diagonal/diagonal"),
        scale("any diagonal/before"), lose("any diagonal/before"), scale("content"),
    ),
)  # fmt: skip
