"""Q1, the second-moment rollout: what independent random maps do to the inner products of a gradient.

    g_i <- g_i + sum_h W_h^T sum_k alpha(h, k, i) g_k,     E W_h = 0,     E <W_h^T a, W_r^T b> = C(h, r) <a, b>
    G(i, j) = E <g_i, g_j>:    G <- G + sum_{h,r} C(h, r) sum_{k,l} alpha(h, k, i) alpha(r, l, j) G(k, l)
    attention  (C = diag(s^2), alpha = A_h D):              G <- G + sum_h s_h^2 D A_h^T G A_h D
    MLP        (a map M_i of its own for each position):    G <- G o (1 + m m^T o kappa)

exactly, for every width d, number of steps and kernels, which need not be kernels.  Steps t = 1, ..., T are counted as
the gradient meets them, from the output down; MLP and attention of one layer are two steps, or one where they act in
parallel.  What has been drawn up to step t is one of the histories omega = 1, ..., M, of chance p_t(omega); c_t(omega,
tau) is the chance that tau follows.  The maps of a step need mean 0 and second moments C given any history before it:
drawing them independently is one way.  Source: ours, beyond arXiv:2602.16837.

Exact here: everything.  Numeric here: nothing.  Not covered: infinitely many outcomes; maps that depend on the text.
"""

from __future__ import annotations

from proofs.cases.second_moment_cases import COUNTEREXAMPLES, second_moment_cases
from proofs.lemmas.second_moment_steps import (
    C,
    G,
    H,
    T,
    alpha,
    at_least_0,
    entries,
    square_of,
    squared,
    steps_recur,
    through_head,
    up_to,
    zero,
)
from proofs.notation import every, layers, n, zero_one
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Identity, Item, Nonnegative, Step, item, use
from proofs.term import (
    And,
    Bracket,
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
from proofs.twins import add, lose, scale, shift, turn

p, c, W, g = Symbol("p", 2), Symbol("c", 3), Symbol("W", 5), Symbol("g", 4)
A, rho, nu, m, kappa = Symbol("A", 3), Symbol("rho", 1), Symbol("nu", 1), Symbol("m", 1), Symbol("kappa", 2)
gamma, x = Symbol("gamma", 1), Symbol("x", 1)
a, b, e, h, i, j, k, r, s, t, M, d = (index(name) for name in "abehijkrstMd")
ONE = as_term(1)


def histories(var: str, body: Formula) -> Formula:
    """For every history."""
    return every(var, 1, M, body)


def over_histories(var: str, body: Term) -> Term:
    """The sum over histories."""
    return total(var, 1, M, body)


def inner(at: Index, history: str, left: str, right: str) -> Term:
    """<g_i, g_j>."""
    return total("b", 1, d, g(at, history, left, "b") * g(at, history, right, "b"))


def moved(step: Index, position: str, coordinate: str) -> Term:
    """The gradient at a position after a step: what it was, and what the maps of the step bring."""
    mapped = total("e", 1, d, W(step, "tau", "h", "e", coordinate) * g(step - 1, "omega", "k", "e"))
    brought = total("h", 1, H, total("k", 1, n, alpha(step, "h", "k", position) * mapped))
    return g(step - 1, "omega", position, coordinate) + brought


follows = c("t", "omega", "tau")
product_of_maps = total("b", 1, d, W("t", "tau", "h", "a", "b") * W("t", "tau", "r", "e", "b"))
DRAWN = ("histories", "mass", "gradient", "mean zero", "second moments", "inner products")


def each(names: tuple[str, ...], high: Index, body: Formula) -> Formula:
    """For all of the names from 1 to ``high``."""
    for name in reversed(names):
        body = every(name, 1, high, body)
    return body


claim = Claim(
    symbols=(p, c, W, g, alpha, C, G, A, rho, nu, m, kappa, gamma, x),
    indices=(
        Range("T", as_index(1), None), Range("M", as_index(1), None), Range("d", as_index(1), None),
        Range("H", as_index(1), None),
    ),
    hypotheses=(
        ("histories", layers(1, "T", histories("tau", Relation(
            "=", p("t", "tau"), over_histories("omega", p(t - 1, "omega") * follows)
        )))),
        ("mass", layers(1, "T", histories("omega", Relation("=", over_histories("tau", follows), ONE)))),
        ("gradient", layers(1, "T", histories("omega", histories("tau", every("i", 1, n, every("b", 1, d, Relation(
            "=", follows * g("t", "tau", "i", "b"), follows * moved(t, "i", "b")
        ))))))),
        ("mean zero", layers(1, "T", histories("omega", each(("h",), H, each(("a", "b"), d, Relation(
            "=", over_histories("tau", follows * W("t", "tau", "h", "a", "b")), zero
        )))))),
        ("second moments", layers(1, "T", histories("omega", each(("h", "r"), H, each(("a", "e"), d, Relation(
            "=", over_histories("tau", follows * product_of_maps), C("t", "h", "r") * zero_one("a", "e")
        )))))),
        ("inner products", up_to("T", entries(Relation(
            "=", G("s", "i", "j"), over_histories("omega", p("s", "omega") * inner(s, "omega", "i", "j"))
        )))),
        ("attention", And((
            ("heads", each(("h", "r"), H, Relation("=", C("T", "h", "r"), zero_one("h", "r") * nu("h")))),
            ("kernels", each(("h",), H, each(("i", "j"), n, Relation(
                "=", alpha("T", "h", "i", "j"), A("h", "i", "j") * rho("j")
            )))),
        ))),
        ("MLP", And((
            ("maps", each(("h", "r"), H, Relation("=", C("T", "h", "r"), m("h") * m("r") * kappa("h", "r")))),
            ("positions", each(("h",), H, each(("i", "j"), n, Relation(
                "=", alpha("T", "h", "i", "j"), zero_one("h", "i") * zero_one("i", "j")
            )))),
        ))),
        ("start", And((
            ("mass", Relation("=", over_histories("omega", p(0, "omega")), ONE)),
            ("gradient", histories("omega", every("i", 1, n, every("b", 1, d, Relation(
                "=", g(0, "omega", "i", "b"), zero_one("i", n) * gamma("b")
            ))))),
        ))),
        ("chances", up_to("T", histories("omega", at_least_0(p("s", "omega"))))),
    ),
    parts=(
        Part("each step", DRAWN, steps_recur()),
        Part("attention", (*DRAWN, "attention"), entries(Relation(
            "=", G("T", "i", "j"),
            G(T - 1, "i", "j") + rho("i") * rho("j") * total("h", 1, H, nu("h") * through_head(
                Lambda(("i", "j"), G(T - 1, "i", "j")), Lambda(("i", "j"), A("h", "i", "j"))
            )),
        ))),
        Part("MLP", (*DRAWN, "MLP"), entries(Relation(
            "=", G("T", "i", "j"),
            G(T - 1, "i", "j") * (ONE + Bracket(((i, H), (j, H))) * m("i") * m("j") * kappa("i", "j")),
        ))),
        Part("start", ("inner products", "start"), entries(Relation(
            "=", G(0, "i", "j"), zero_one("i", n) * zero_one("j", n) * total("b", 1, d, gamma("b") * gamma("b"))
        ))),
        Part("positive semidefinite", ("inner products", "chances"), up_to("T", at_least_0(
            total("i", 1, n, total("j", 1, n, x("i") * x("j") * G("s", "i", "j")))
        ))),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------

before = t - 1


def sent(position: str, head: str, origin: str, at: str) -> Term:
    """alpha(h, k, i) g_k, coordinate ``at`` of it."""
    return alpha("t", head, origin, position) * g(before, "omega", origin, at)


def alone(position: str, other: str) -> Item:
    """Terms with one map, which is uncorrelated with what was before it."""
    times = p(before, "omega") * g(before, "omega", other, "b") * sent(position, "h", "k", "e")
    ranges = (("omega", 1, M), ("b", 1, d), ("h", 1, H), ("k", 1, n), ("e", 1, d))
    return item(use("mean zero", "t", "omega", "h", "e", "b"), times=times, over=ranges)


outcomes = (("omega", 1, M), ("tau", 1, M), ("b", 1, d))
pairs = (("h", 1, H), ("r", 1, H), ("k", 1, n), ("l", 1, n))
one_step = Identity((
    item(use("inner products", "t", "i", "j")),
    item(use("inner products", before, "i", "j"), times=-1),
    item(
        use("inner products", before, "k", "l"), over=pairs,
        times=-(C("t", "h", "r") * alpha("t", "h", "k", "i") * alpha("t", "r", "l", "j")),
    ),
    item(use("histories", "t", "tau"), times=inner(t, "tau", "i", "j"), over=(("tau", 1, M),)),
    item(
        use("gradient", "t", "omega", "tau", "i", "b"), times=p(before, "omega") * g("t", "tau", "j", "b"),
        over=outcomes,
    ),
    item(
        use("gradient", "t", "omega", "tau", "j", "b"), times=p(before, "omega") * moved(t, "i", "b"), over=outcomes
    ),
    item(
        use("mass", "t", "omega"), times=p(before, "omega") * inner(before, "omega", "i", "j"),
        over=(("omega", 1, M),),
    ),
    alone("i", "j"), alone("j", "i"),
    item(
        use("second moments", "t", "omega", "h", "r", "a", "e"),
        times=p(before, "omega") * sent("i", "h", "k", "a") * sent("j", "r", "l", "e"),
        over=(("omega", 1, M), *pairs, ("a", 1, d), ("e", 1, d)),
    ),
))  # fmt: skip


def last_step(kind: str, moments: str, weights: str, pair: Term, right: Term) -> Identity:
    """The last step, with C(h, r) (``pair``) and alpha(r, l, j) (``right``) of its kind put into it."""
    between = G(T - 1, "k", "l")
    return Identity((
        item(use("each step", "T", "i", "j", given=DRAWN)),
        item(
            use(kind, "h", "r", parts=moments), over=pairs,
            times=alpha("T", "h", "k", "i") * alpha("T", "r", "l", "j") * between,
        ),
        item(use(kind, "r", "l", "j", parts=weights), times=pair * alpha("T", "h", "k", "i") * between, over=pairs),
        item(use(kind, "h", "k", "i", parts=weights), times=pair * right * between, over=pairs),
    ))  # fmt: skip


combined = total("i", 1, n, x("i") * g("s", "omega", "i", "b"))
derivation = (
    squared(),
    claim.proof("each step", Step("moments", claim.part("each step").asserts, one_step)),
    claim.proof("attention", Step("last step", claim.part("attention").asserts, last_step(
        "attention", "heads", "kernels", zero_one("h", "r") * nu("h"), A("r", "l", "j") * rho("j")
    ))),
    claim.proof("MLP", Step("last step", claim.part("MLP").asserts, last_step(
        "MLP", "maps", "positions", m("h") * m("r") * kappa("h", "r"), zero_one("r", "l") * zero_one("l", "j")
    ))),
    claim.proof("start", Step("first vector", claim.part("start").asserts, Identity((
        item(use("inner products", 0, "i", "j")),
        item(
            use("start", "omega", "i", "b", parts="gradient"), times=p(0, "omega") * g(0, "omega", "j", "b"),
            over=(("omega", 1, M), ("b", 1, d)),
        ),
        item(
            use("start", "omega", "j", "b", parts="gradient"), times=p(0, "omega") * zero_one("i", n) * gamma("b"),
            over=(("omega", 1, M), ("b", 1, d)),
        ),
        item(
            use("start", parts="mass"), times=zero_one("i", n) * zero_one("j", n) * gamma("b") * gamma("b"),
            over=(("b", 1, d),),
        ),
    )))),
    claim.proof("positive semidefinite", Step("sum", claim.part("positive semidefinite").asserts, Nonnegative(
        (item(use("chances", "s", "omega"), square_of(combined), over=(("omega", 1, M), ("b", 1, d))),),
        (item(
            use("inner products", "s", "i", "j"), times=-(x("i") * x("j")), over=(("i", 1, n), ("j", 1, n)),
        ),),
    ))),
    claim.finish("second moments"),
)  # fmt: skip

# --- statement ------------------------------------------------------------------------------------

statement = Statement(
    id="Q1",
    title="Second moments follow a rollout of their own",
    source="ours, beyond arXiv:2602.16837",
    remark="Predicted influence is the square root of the diagonal; the linear rollout adds what here adds in squares.",
    claim=claim,
    derivation=derivation,
    cases=second_moment_cases,
    needed=tuple(Needed(*case) for case in COUNTEREXAMPLES),
    twins=(
        scale("each step"), lose("each step"), shift("each step", "G", 0, 1), scale("attention"),
        add("attention"), scale("MLP"), scale("start"), turn("positive semidefinite"),
    ),
)  # fmt: skip
