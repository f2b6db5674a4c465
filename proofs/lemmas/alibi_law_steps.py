"""The law of the distance that the endless ALiBi kernel reaches, and what log-concave hops make of its shape.

For the symbols of alibi_row_steps.py, c_k = P(K = k) for chances rho lambda_t:

    L_{T, d} = [d = 0] c_0 + (1 - rho) E c_{1 + Bin(d - 1, 1 - rho)}

since a layer makes (1 - lambda) L_d + lambda (1 - rho) f(d, 0) of it, which is the law with c_k replaced by (1 - rho
lambda) c_k + rho lambda c_{k-1}.
"""

from __future__ import annotations

from proofs.lemmas.alibi_row_steps import L, rho
from proofs.lemmas.binomial_mean_steps import at_most_1, mean, power
from proofs.lemmas.distance_law_steps import distance_law, far
from proofs.lemmas.log_concave_steps import log_concave, not_negative
from proofs.lemmas.poisson_steps import at_least_0
from proofs.lemmas.prefix_power_steps import lam
from proofs.notation import IDENTITY, every, hops, layers, mixing
from proofs.steps import Both, Chain, Generalise, Identity, Induction, Nonnegative, Step, Use, item, use
from proofs.term import Fn, Implies, Index, Lambda, Relation, Term, as_term, index

__all__ = ["THINNED", "count_facts", "counts", "law", "law_steps", "thinned"]

d, k, D, s, t, T = (index(name) for name in ("d", "k", "D", "s", "t", "T"))
ONE = as_term(1)
p, q = rho(), ONE - rho()
THINNED = Lambda(("t",), rho() * lam("t"))


def counts(depth: Index) -> Lambda:
    """k -> P(K_depth = k), where layer t counts with chance rho lambda_t."""
    return Lambda(("k",), hops(THINNED)(depth, "k"))


def law(sequence: Fn, at: Index | int) -> Term:
    """[d = 0] c_0 + (1 - rho) E c_{1 + Bin(d - 1, 1 - rho)}."""
    return distance_law(sequence, p, at)


# --- the law ----------------------------------------------------------------------------------------


def _layer(at: Index | int) -> Relation:
    """One layer more."""
    here = (ONE - lam(s + 1)) * law(counts(s), at) + lam(s + 1) * (q * mean(counts(s), p, at, 0))
    return Relation("=", law(counts(s + 1), at), here)


def _of(label: str, depth: Index, *at: Index | int) -> Use:
    """A lemma on laws and means, for the hops in so many layers."""
    return use(label, *at, fns=(counts(depth), rho))


_none = use("C1", s, 0, parts="support/below", fns=(THINNED, IDENTITY))
_layers = Step("layer of laws", every("s", 0, None, every("d", 0, None, _layer(d))), Generalise(("s",), (
    Step("every distance", every("d", 0, None, _layer(d)), Induction(
        "nearer",
        base=(Step("distance 0", _layer(0), Identity((
            item(_of("law at 0", s + 1)),
            item(_of("law at 0", s), times=-(ONE - lam(s + 1))),
            item(_none, times=rho() * lam(s + 1)),
        ))),),
        step=(Step("further", _layer(d + 1), Identity((
            item(_of("law further on", s + 1, d)),
            item(_of("law further on", s, d), times=-(ONE - lam(s + 1))),
            item(_of("one trial more", s, d, 0), times=-(lam(s + 1) * q)),
        ))),),
    )),
)))  # fmt: skip

_start = Relation("=", L(0, "d"), law(Lambda(("k",), hops(THINNED)(0, "k")), d))


def law_steps() -> tuple[Step, ...]:
    """L_{T, d} is the law, for every distance of which the hypothesis speaks."""
    e = index("e")
    return (
        _layers,
        Step("every depth", every("s", 0, T, far(Relation("=", L("s", "d"), law(counts(s), d)))), Induction(
            "so far",
            base=(Step("no layer", far(_start), Identity((item(use("endless kernel", d, parts="start")),))),),
            step=(Step("one more layer", far(Relation("=", L(s + 1, "d"), law(counts(s + 1), d))), Identity((
                item(use("endless kernel", s, d, parts="layers")),
                item(use("so far", d), times=ONE - lam(s + 1)),
                item(use("so far", e), times=lam(s + 1) * (q * power(p, d - e)), over=(("e", 0, d),)),
                item(_of("one hop more", s, d), times=lam(s + 1)),
                item(use("layer of laws", s, d), times=-1),
            ))),),
        )),
        Step("law at every distance", far(Relation("=", L(T, "d"), law(counts(T), d))), Chain((
            use("every depth", T, d),
        ))),
    )  # fmt: skip


# --- the hops ---------------------------------------------------------------------------------------

_least, _most = (use("slope", parts=part) for part in ("at least 0", "at most 1"))
_positive, _below_1 = (use("mixing", "t", parts=part) for part in ("nonnegative", "at most one"))
thinned = (
    Step("chances >= 0", layers(1, "T", at_least_0(THINNED.body)), Nonnegative((item(_least, _positive),))),
    Step("chances <= 1", layers(1, "T", at_most_1(THINNED.body)), Nonnegative((item(_most), item(_least, _below_1)))),
    Step("chances", mixing(THINNED, "T"), Both(("chances >= 0", "chances <= 1"))),
)  # fmt: skip


def _some(depth: Index | int) -> Relation:
    """P(K = 0) > 0."""
    return Relation("<", as_term(0), hops(THINNED)(depth, 0))


_rests = ONE - rho() * lam(s + 1)
_starts = Implies(Relation("<", p, ONE), _some(T))
_first = Step("starts", _starts, Generalise(("rho < 1",), (
    Step("every start", every("s", 0, T, _some(s)), Induction(
        "so far",
        base=(Step("no layer", _some(0), Nonnegative((item(),))),),
        step=(
            Step("rests", Relation("<", as_term(0), _rests), Nonnegative((
                item(use("rho < 1")), item(_least, use("mixing", s + 1, parts="at most one")),
            ))),
            Step("one more layer", _some(s + 1), Nonnegative(
                (item(use("rests"), use("so far")),), (item(_none, times=-(rho() * lam(s + 1))),)
            )),
        ),
    )),
    Step("last start", _some(T), Chain((use("every start", T),))),
)))  # fmt: skip


def count_facts() -> tuple[Step, ...]:
    """P(K = k) is not negative and log-concave in k, and P(K = 0) > 0 if rho < 1."""
    return (
        *thinned,
        Step("counts >= 0", not_negative(counts(T)), Chain((
            use("C1", T, "k", parts="nonnegative", fns=(THINNED, IDENTITY), given=("chances",)),
        ))),
        Step("log-concave counts", log_concave(counts(T)), Chain((
            use("log-concave successes", "l", "k", fns=(THINNED,), given=("chances",)),
        ))),
        _first,
    )  # fmt: skip
