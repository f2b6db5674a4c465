"""Lemmas on layers that share one causal kernel K: row i of R_t is (1 - kappa_{t,i}) [i = j] + kappa_{t,i} K_ij (D5).

With P = R_r ... R_1, every tail of K P is at most that of P, whatever K is: by induction over the layers,

    F_RP - F_KRP  =  (1 - kappa_i) [F_P - F_KP](i, k) + sum_j K_ij kappa_j [F_P - F_KP](j, k)

and so larger kappa move every tail down.
"""

from __future__ import annotations

from proofs.lemmas.product_steps import for_all
from proofs.notation import (
    below,
    causal,
    every,
    layer,
    layers,
    n,
    product,
    rollout,
    tail,
    token_transition,
    zero_one,
)
from proofs.outline import under_product
from proofs.steps import (
    Cases,
    Generalise,
    Identity,
    Induction,
    Instantiate,
    Item,
    Nonnegative,
    Step,
    Use,
    item,
    use,
)
from proofs.substitute import apply
from proofs.term import (
    And,
    Fn,
    ForAll,
    Formula,
    Index,
    Lambda,
    Relation,
    Symbol,
    Term,
    as_term,
    index,
)

__all__ = [
    "compared",
    "lazy_row",
    "moved_down",
    "new_row",
    "of_layer",
    "one_kernel_lemmas",
    "rows_of",
    "token_layers",
    "token_mixing",
    "token_ordered",
    "under_layers",
    "unit_row",
    "written_out",
]

K, R, S = Symbol("K*", 2), Symbol("R*", 3), Symbol("S*", 3)  # starred, so that no claim uses the names
M, N, kappa, nu, mu = Symbol("M*", 2), Symbol("N*", 2), Symbol("kappa*", 2), Symbol("nu*", 2), Symbol("mu*", 1)
i, j, k, r, T = (index(v) for v in ("i", "j", "k", "r", "T"))


def of_layer(coefficients: Fn) -> Lambda:
    """The coefficients, one for each token, of layer t."""
    return Lambda(("i",), apply(coefficients, (index("t"), i)))


def token_layers(coefficients: Fn, kernel: Fn) -> Lambda:
    """R_t with row (1 - kappa_{t,i}) delta_i + kappa_{t,i} K(i, .), where K may depend on t: indices (t, i, j)."""
    return Lambda(("t", "i", "j"), token_transition(of_layer(coefficients), kernel)("i", "j"))


def unit_row(coefficients: Fn) -> ForAll:
    """0 <= kappa_i <= 1 for every token."""
    value = apply(coefficients, (i,))
    low, high = Relation("<=", as_term(0), value), Relation("<=", value, as_term(1))
    return every("i", 1, n, And((("nonnegative", low), ("at most one", high))))


def token_mixing(coefficients: Fn) -> ForAll:
    """0 <= kappa_{t,i} <= 1 in every layer, for every token."""
    return layers(1, "T", unit_row(of_layer(coefficients)))


def token_ordered(lower: Fn, upper: Fn) -> ForAll:
    """kappa_{t,i} <= nu_{t,i}."""
    return layers(1, "T", every("i", 1, n, Relation("<=", *(apply(side, (index("t"), i)) for side in (lower, upper)))))


def lazy_row(coefficient: Term, kernel: Fn) -> Term:
    """(1 - kappa) [i = j] + kappa K_ij."""
    return (as_term(1) - coefficient) * zero_one("i", "j") + coefficient * apply(kernel, (i, index("j")))


def rows_of(family: Fn, coefficients: Fn, kernel: Fn) -> ForAll:
    """Row i of layer t is (1 - kappa_{t,i}) delta_i + kappa_{t,i} K(i, .)."""
    row = Relation(
        "=", apply(family, (index("t"), i, index("j"))), lazy_row(apply(coefficients, (index("t"), i)), kernel)
    )
    return layers(1, "T", every("i", 1, n, every("j", 1, n, row)))


def _rows_into(rows: str, row: Index, times: Term | int = 1, over: tuple[str, ...] = ()) -> Item:
    """The rows of layer r + 1, put into its product with R_r ... R_1: each tail from k on."""
    read = as_term(times) * tail(_beneath(R if rows == "rows" else S, "r"))("l", "k")
    return item(use(rows, r + 1, row, "l"), times=read, over=tuple((v, 1, n) for v in (*over, "l")))


def _beneath(family: Fn, depth: Index | int | str) -> Fn:
    return layer(rollout(family), depth)


def _below_identity() -> Step:
    """K ≼ I, stated of K I ≼ I."""
    goal = below(product(K, _beneath(R, 0)), _beneath(R, 0))
    each = Relation("<=", tail(product(K, _beneath(R, 0)))("i", "k"), tail(_beneath(R, 0))("i", "k"))
    reads = item(use("kernel", "i", "j", parts="nonnegative"), over=(("j", 1, k - 1),))
    masked = item(use("kernel", "i", "j", parts="mask"), over=(("j", k, n),))
    return Step("no layer", goal, Generalise(("i", "k"), (Step("each tail", each, Cases(
        k, i,
        (Step("up to the diagonal", each, Nonnegative((reads,), (item(use("kernel", "i", parts="rows")),))),),
        (Step("beyond it", each, Nonnegative((), (masked,))),),
    )),)))  # fmt: skip


def _one_more_kernel() -> Step:
    """K P ≼ P for P = R_r ... R_1."""

    def stated(depth: Index | int | str) -> Formula:
        return below(product(K, _beneath(R, depth)), _beneath(R, depth))

    step = Step("one more layer", stated(r + 1), Nonnegative(
        (
            item(use("mixing", r + 1, "i", parts="at most one"), use("so far", "i", "k")),
            item(
                use("kernel", "i", "m", parts="nonnegative"), use("mixing", r + 1, "m", parts="nonnegative"),
                use("so far", "m", "k"), over=(("m", 1, n),),
            ),
        ),
        (_rows_into("rows", i, -1), _rows_into("rows", index("m"), K("i", "m"), ("m",))),
    ))  # fmt: skip
    goal = every("r", 0, T, stated("r"))
    return Step(
        "one more kernel",
        for_all((K, R, kappa), causal(K), rows_of(R, kappa, K), token_mixing(kappa), goal),
        Generalise(("K*", "R*", "kappa*", "kernel", "rows", "mixing"), (
            Step("every depth", goal, Induction("so far", (_below_identity(),), (step,))),
        )),
    )  # fmt: skip


def _more_mixing() -> Step:
    """S_T ... S_1 ≼ R_T ... R_1, where S has the larger coefficients."""

    def stated(depth: Index | int | str) -> Formula:
        return below(_beneath(S, depth), _beneath(R, depth))

    one_more = use("one more kernel", "r", "i", "k", fns=(K, R, kappa), given=("kernel", "rows", "mixing"))
    step = Step("one more layer", stated(r + 1), Nonnegative(
        (
            item(use("ordered", r + 1, "i"), one_more),
            item(use("more mixing", r + 1, "i", parts="at most one"), use("so far", "i", "k")),
            item(
                use("more mixing", r + 1, "i", parts="nonnegative"), use("kernel", "i", "m", parts="nonnegative"),
                use("so far", "m", "k"), over=(("m", 1, n),),
            ),
        ),
        (_rows_into("rows", i, -1), _rows_into("more rows", i)),
    ))  # fmt: skip
    goal = every("r", 0, T, stated("r"))
    premises = (
        causal(K), rows_of(R, kappa, K), rows_of(S, nu, K), token_mixing(kappa), token_mixing(nu),
        token_ordered(kappa, nu),
    )  # fmt: skip
    labels = ("kernel", "rows", "more rows", "mixing", "more mixing", "ordered")
    return Step(
        "more mixing is lower",
        for_all((K, R, S, kappa, nu), *premises, goal),
        Generalise(("K*", "R*", "S*", "kappa*", "nu*", *labels), (
            Step("every depth", goal, Induction(
                "so far", (Step("no layer", stated(0), Nonnegative(())),), (step,)
            )),
        )),
    )  # fmt: skip


def new_row(new: Fn, share: Fn, shared: Fn) -> Formula:
    """The rows of the new layer."""
    return every("i", 1, n, every("j", 1, n, Relation("=", new("i", "j"), lazy_row(apply(share, (i,)), shared))))


def _one_more_layer() -> Step:
    """N P ≼ P: F_P - F_NP = mu_i [F_P - F_KP](i, k), mu the coefficients of the layer N."""
    goal = every("r", 0, T, below(product(N, _beneath(R, "r")), _beneath(R, "r")))
    one_more = use("one more kernel", "r", "i", "k", fns=(K, R, kappa), given=("kernel", "rows", "mixing"))
    row = item(use("new row", "i", "l"), times=tail(_beneath(R, "r"))("l", "k"), over=(("l", 1, n),))
    premises = {
        "kernel": causal(K), "rows": rows_of(R, kappa, K), "new row": new_row(N, mu, K),
        "mixing": token_mixing(kappa), "new mixing": unit_row(mu),
    }  # fmt: skip
    return Step(
        "one more layer is lower",
        for_all((K, R, N, kappa, mu), *premises.values(), goal),
        Generalise(("K*", "R*", "N*", "kappa*", "mu*", *premises), (
            Step("every depth", goal, Nonnegative(
                (item(use("new mixing", "i", parts="nonnegative"), one_more),), (row,)
            )),
        )),
    )  # fmt: skip


def _under_a_kernel() -> Step:
    """K X ≼ K Y from X ≼ Y."""
    goal = below(product(K, M), product(K, N))
    return Step(
        "under a kernel",
        for_all((K, M, N), causal(K), below(M, N), goal),
        Generalise(("K*", "M*", "N*", "kernel", "compared"), (under_product("under", goal, "kernel", "compared"),)),
    )


def one_kernel_lemmas() -> tuple[Step, ...]:
    """For every causal kernel K: K P ≼ P, larger coefficients or a layer more move every tail down, and so they do
    under other layers.
    """
    return _one_more_kernel(), _more_mixing(), _one_more_layer(), _under_a_kernel()


# --- in a derivation that knows "kernel": the shared kernel is causal -----------------------------


def compared(families_: tuple[Fn, Fn], shares: tuple[Fn, Fn], shared: Fn, mixed: tuple[str, str, str]) -> Step:
    """R(nu) ≼ R(kappa), from the rows of both families and from what is known of their coefficients."""
    given = ("kernel", "rows", "more rows", *mixed)
    source = use("more mixing is lower", T, fns=(shared, *families_, *shares), given=given)
    upper, lower = (layer(rollout(family), "T") for family in families_)
    return Step("compared", below(lower, upper), Instantiate(source))


def moved_down(new: Fn, share: Fn, family: Fn, coefficients: Fn, shared: Fn, mixed: tuple[str, str]) -> Step:
    """N P ≼ P for a new layer N of the same kernel, from what is known of the coefficients."""
    source = use(
        "one more layer is lower", T, fns=(shared, family, new, coefficients, share),
        given=("kernel", "rows", "new row", *mixed),
    )  # fmt: skip
    P = layer(rollout(family), "T")
    return Step("moved down", below(product(new, P), P), Instantiate(source))


def under_layers(label: str, goal: Formula, above: Fn, sides: tuple[Fn, Fn], given: tuple[str, str]) -> Step:
    """``goal``: U X ≼ U Y, from X ≼ Y."""
    return Step(label, goal, Instantiate(use("under a kernel", fns=(above, *sides), given=given)))


def written_out(label: str, coefficients: Fn, kernel: Fn, shared: Fn, *modulo: Use) -> Step:
    """The rows of the layers are those of lazy layers of the shared kernel."""
    cited = tuple(item(one, times=coefficients("t", "i")) for one in modulo)
    return Step(label, rows_of(token_layers(coefficients, kernel), coefficients, shared), Identity(cited))
