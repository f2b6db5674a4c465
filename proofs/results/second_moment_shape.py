"""Q5, U1 in quadrature: second moments of prefix kernels are squared weights times envelopes that fall.

    G_t(i, j) = (1 + eta_t kappa_t(i, j)) G_{t-1}(i, j) + sum_h nu_{t,h} w_i w_j f(i, j)
    f(i, j) = sum_{k >= i, l >= j} beta_k beta_l (1 + eta_t kappa_t(k, l)) G_{t-1}(k, l),   0 <= f falls in i and j
    one w in all heads, y = w^2:    y_j G_T(j + 1, j + 1)  <=  y_{j+1} G_T(j, j),    j <= n - 2

for kernels alpha_ij = beta_i w_j, j <= i, as prefix kernels are (beta = 1 / W), whatever the norm layer multiplies w_j
by; first the MLP, whose m^2 = eta is the same for all positions, then attention.  So q_j = sqrt(G(j, j)) is a recency
spike and, before it, w_j times what falls in j: with uniform kernels q falls from the first token to the last but one,
and then has its spike, as the linear rollout does (U1, U2), with any number of heads and any gates.
Source: ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: content; gates whose m varies with the position.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.cases.second_moment_shape_cases import COUNTEREXAMPLES, envelope_moments
from proofs.lemmas.second_moment_ends_steps import attended
from proofs.lemmas.second_moment_steps import G, H, T, alpha, at_least_0, entries, start, up_to
from proofs.notation import every, layers, n, up_to_diagonal, zero_one
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Both, Chain, Generalise, Identity, Induction, Nonnegative, Step, Use, item, use
from proofs.term import (
    And,
    ForAllFn,
    Formula,
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
from proofs.twins import lose, scale, turn

nu, beta, w, y = Symbol("nu", 2), Symbol("beta", 3), Symbol("w", 3), Symbol("y", 1)
eta, kappa = Symbol("eta", 1), Symbol("kappa", 3)
h, i, j, k, l, s, t = (index(name) for name in ("h", "i", "j", "k", "l", "s", "t"))  # noqa: E741
ONE = as_term(1)
now = s + 1


def met(step: Index | str, left: Index | str, right: Index | str) -> Term:
    """What the MLP of a step leaves."""
    gate = ONE + eta(step) * kappa(step, left, right)
    return gate * G(as_index(step) - 1, left, right)


def envelope(step: Index | str, left: Index | str, right: Index | str) -> Term:
    """f(i, j)."""
    reached = beta(step, "h", "k") * beta(step, "h", "l") * met(step, "k", "l")
    return total("k", left, n, total("l", right, n, reached))


def of_heads(body: Formula) -> Formula:
    """For every step and head."""
    return layers(1, "T", every("h", 1, H, body))


def fall(depth: Index | int | str) -> Formula:
    """y_j G(j + 1, j + 1) <= y_{j+1} G(j, j) before the last position."""
    return every("j", 1, n - 2, Relation("<=", y("j") * G(depth, j + 1, j + 1), y(j + 1) * G(depth, "j", "j")))


one_step = layers(1, "T", entries(Relation(
    "=", G("t", "i", "j"),
    met("t", "i", "j") + total("h", 1, H, nu("t", "h") * w("t", "h", "i") * w("t", "h", "j") * envelope("t", "i", "j")),
)))  # fmt: skip
falling = And((
    ("nonnegative", of_heads(entries(at_least_0(envelope("t", "i", "j"))))),
    ("fall", of_heads(every("i", 1, n - 1, every("j", 1, n, Relation(
        "<=", envelope("t", i + 1, "j"), envelope("t", "i", "j")
    ))))),
))  # fmt: skip
SIGNS = ("start", "recursion", "prefix kernels", "moments", "rows", "weights", "gates", "correlations")

claim = Claim(
    symbols=(G, alpha, nu, beta, w, eta, kappa, y),
    indices=(Range("T", as_index(0), None), Range("H", as_index(1), None)),
    hypotheses=(
        ("start", start()),
        ("recursion", layers(1, "T", entries(Relation(
            "=", G("t", "i", "j"), attended("t", Lambda(("k", "l"), met("t", "k", "l")))
        )))),
        ("prefix kernels", of_heads(entries(Relation(
            "=", alpha("t", "h", "i", "j"), up_to_diagonal("i", "j") * beta("t", "h", "i") * w("t", "h", "j")
        )))),
        ("moments", of_heads(at_least_0(nu("t", "h")))),
        ("rows", of_heads(every("i", 1, n, at_least_0(beta("t", "h", "i"))))),
        ("weights", of_heads(every("j", 1, n, at_least_0(w("t", "h", "j"))))),
        ("gates", layers(1, "T", at_least_0(eta("t")))),
        ("correlations", layers(1, "T", entries(at_least_0(kappa("t", "i", "j"))))),
        ("own gate", layers(1, "T", every("j", 1, n, Relation("=", kappa("t", "j", "j"), ONE)))),
        ("one family", of_heads(every("j", 1, n, Relation(
            "=", w("t", "h", "j") * w("t", "h", "j"), y("j")
        )))),
    ),
    parts=(
        Part("each step", ("recursion", "prefix kernels"), one_step),
        Part("envelopes", SIGNS, falling),
        Part("one family", (*SIGNS, "own gate", "one family"), fall("T")),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

f = Symbol("f*", 1)  # starred, so that no claim uses the name
from_there = of_heads(every("i", 1, n, Relation(
    "=", total("k", 1, n, alpha("t", "h", "k", "i") * f("k")),
    w("t", "h", "i") * total("k", i, n, beta("t", "h", "k") * f("k")),
)))  # fmt: skip
inner_sum = total("l", j, n, beta("t", "h", "l") * met("t", "k", "l"))
each_step = claim.proof(
    "each step",
    Step("sums from i on", ForAllFn(f, from_there), Generalise(("f*",), (
        Step("each head", from_there, Identity((
            item(use("prefix kernels", "t", "h", "k", "i"), times=f("k"), over=(("k", 1, n),)),
        ))),
    ))),
    Step("both sums", one_step, Identity((
        item(use("recursion", "t", "i", "j")),
        item(
            use("sums from i on", "t", "h", "j", fns=(Lambda(("l",), met("t", "k", "l")),)),
            times=nu("t", "h") * alpha("t", "h", "k", "i"), over=(("h", 1, H), ("k", 1, n)),
        ),
        item(
            use("sums from i on", "t", "h", "i", fns=(Lambda(("k",), inner_sum),)),
            times=nu("t", "h") * w("t", "h", "j"), over=(("h", 1, H),),
        ),
    ))),
)  # fmt: skip


def entry(depth: Index | int) -> Formula:
    """All second moments are nonnegative."""
    return entries(at_least_0(G(depth, "i", "j")))


def stepped(step: Index | str, left: Index | str, right: Index | str) -> Use:
    """What a step makes of an entry."""
    return use("each step", step, left, right, given=("recursion", "prefix kernels"))


def met_signs(
    step: Index, entries_fact: tuple[str | Index, ...], left: Index | str, right: Index | str
) -> tuple[tuple[Use, ...], ...]:
    """met >= 0: G, and eta kappa G, each as a product of what is not negative."""
    fact, *at = entries_fact
    here = use(str(fact), *at, left, right)
    return (here,), (use("gates", step), use("correlations", step, left, right), here)


def reading(step: Index | str, *positions: Index | str) -> tuple[Use, ...]:
    """nu >= 0 and beta >= 0 at the positions."""
    return tuple(use("rows", step, "h", at) for at in positions)


signs = Step("entries", up_to("T", entry(s)), Induction(
    "so far",
    base=(Step("no step", entry(0), Nonnegative(
        (item(times=zero_one("i", n) * zero_one("j", n)),), (item(use("start", "i", "j"), times=-1),)
    )),),
    step=(Step("one more", entry(now), Nonnegative(
        (
            *(item(*signs) for signs in met_signs(now, ("so far",), "i", "j")),
            *(
                item(
                    use("moments", now, "h"), use("weights", now, "h", "i"), use("weights", now, "h", "j"),
                    *reading(now, "k", "l"), *signs, over=(("h", 1, H), ("k", i, n), ("l", j, n)),
                )
                for signs in met_signs(now, ("so far",), "k", "l")
            ),
        ),
        (item(stepped(now, "i", "j"), times=-1),),
    )),),
))  # fmt: skip

before = t - 1
envelopes = claim.proof(
    "envelopes",
    signs,
    Step("nonnegative", dict(falling.parts)["nonnegative"], Nonnegative(tuple(
        item(*reading("t", "k", "l"), *signs, over=(("k", i, n), ("l", j, n)))
        for signs in met_signs(t, ("entries", before), "k", "l")
    ))),
    Step("fall", dict(falling.parts)["fall"], Nonnegative(tuple(
        item(*reading("t", "i", "l"), *signs, over=(("l", j, n),))
        for signs in met_signs(t, ("entries", before), "i", "l")
    ))),
    Step("both", falling, Both(("nonnegative", "fall"))),
)  # fmt: skip

own_step = layers(1, "T", every("j", 1, n, Relation(
    "=", G("t", "j", "j"),
    (ONE + eta("t")) * G(t - 1, "j", "j") + total("h", 1, H, nu("t", "h") * y("j") * envelope("t", "j", "j")),
)))  # fmt: skip
corner = Relation("<=", envelope("t", j + 1, j + 1), envelope("t", "j", "j"))
one_family = claim.proof(
    "one family",
    signs,
    Step("own step", own_step, Identity((
        item(stepped("t", "j", "j")),
        item(use("own gate", "t", "j"), times=eta("t") * G(t - 1, "j", "j")),
        item(
            use("one family", "t", "h", "j"), times=nu("t", "h") * envelope("t", "j", "j"), over=(("h", 1, H),)
        ),
    ))),
    Step("squared weights", layers(1, "T", every("j", 1, n, at_least_0(y("j")))), Nonnegative(
        (item(times=w("t", 1, "j") * w("t", 1, "j")),), (item(use("one family", "t", 1, "j")),)
    )),
    Step("corners", of_heads(every("j", 1, n - 1, corner)), Nonnegative(tuple(
        item(*reading("t", *at), *signs, over=(rest,))
        for at, rest in (((j, l), ("l", j, n)), ((k, j), ("k", j + 1, n)))
        for signs in met_signs(t, ("entries", before), *at)
    ))),
    Step("every depth", up_to("T", fall("s")), Induction(
        "so far",
        base=(Step("no step", fall(0), Nonnegative((), (
            item(use("start", j, j), times=-y(j + 1)), item(use("start", j + 1, j + 1), times=y("j")),
        ))),),
        step=(Step("one more", fall(now), Nonnegative(
            (
                item(use("so far", "j")), item(use("gates", now), use("so far", "j")),
                item(
                    use("moments", now, "h"), use("squared weights", now, "j"), use("squared weights", now, j + 1),
                    use("corners", now, "h", "j"), over=(("h", 1, H),),
                ),
            ),
            (item(use("own step", now, j), times=-y(j + 1)), item(use("own step", now, j + 1), times=y("j"))),
        )),),
    )),
    Step("depth T", fall("T"), Chain((use("every depth", T, "j"),))),
)  # fmt: skip

derivation = (each_step, envelopes, one_family, claim.finish("envelopes that fall"))

# --- statement ------------------------------------------------------------------------------------

statement = Statement(
    id="Q5",
    title="Prefix kernels keep their envelopes in quadrature",
    source="ours, beyond arXiv:2602.16837",
    remark="Before the last token the root of G over the weight does not rise, whatever the heads and gates.",
    claim=claim,
    derivation=derivation,
    cases=envelope_moments,
    needed=tuple(Needed(*case) for case in COUNTEREXAMPLES),
    twins=(
        scale("each step"), lose("each step"), turn("envelopes/nonnegative"), turn("envelopes/fall"),
        turn("one family"), scale("one family", Fraction(1, 2)),
    ),
)  # fmt: skip
