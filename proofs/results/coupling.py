"""S6, coupling: a monotone kernel is a mixture of monotone maps, and rollouts are compared path by path.

    R_ij = sum_r (u_r - u_{r-1}) [f_r(i) = j],   f_r(i) = the last j with F_R(i, j) >= u_r,   0 = u_0 < ... < u_m = 1

Hypothesis: R is a causal kernel and no tail of R lies strictly between two levels, so that drawing r with probability
u_r - u_{r-1} draws a uniform u as finely as R can tell; f_r is then the map f_{1-u} of the coupling.  (The tails of R
and 0, 1, sorted, are such levels.)  Every f_r is a causal kernel of zeros and ones, nondecreasing if R is monotone.
Averaging the maps of each layer over its own draw, independently of the others, gives the rollout: the profile is the
law of f_1(f_2(... f_T(n))).  With one draw v_t for each layer, shared by two architectures whose layers are ordered,
the lower ones monotone below the top, the two products of maps are ordered: path by path. Identity and inequality.
Source: ours, beyond arXiv:2602.16837; one common draw for all layers is wrong (n = 2, T = 2, row (1/2, 1/2)).

Exact here: everything.  Numeric here: nothing.  Not covered: infinitely many levels.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from numeric.order import tails
from numeric.strategies import mixing, ordered_pairs
from proofs.case import Case, Entries, Table, kernel, prefix
from proofs.draws import for_each, sizes_within
from proofs.lemmas.comparison_steps import comparison_lemmas, value
from proofs.lemmas.level_steps import (
    covered,
    cut_is_kernel,
    ends,
    falls,
    layer_cake,
    level_facts,
    levels,
    tails_fall,
)
from proofs.lemmas.path_steps import paths_compared, risen, shared_maps
from proofs.notation import (
    below,
    causal,
    every,
    layer,
    layers,
    monotone,
    n,
    rollout,
    tail,
    threshold_maps,
)
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Cases, Chain, Generalise, Identity, Induction, Nonnegative, Step, item, use
from proofs.term import (
    And,
    Fn,
    ForAllFn,
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
from proofs.twins import scale, turn

u, R, S, K = Symbol("u", 1), Symbol("R", 2), Symbol("S", 2), Symbol("K", 3)
v, L = Symbol("v", 1), Symbol("L", 3)
i, j, k, r, s, m, T = (index(name) for name in ("i", "j", "k", "r", "s", "m", "T"))
cut = threshold_maps(u, R)


def mean(kernel_fn: Fn, row: Index | str = "i", column: Index | str = "j") -> Term:
    """sum_r (u_r - u_{r-1}) [f_r(i) = j]."""
    return total("r", 1, m, (u("r") - u(r - 1)) * threshold_maps(u, kernel_fn)("r", row, column))


def mixture(kernel_fn: Fn) -> Formula:
    """The kernel is the mean of its maps."""
    return every("i", 1, n, every("j", 1, n, Relation("=", kernel_fn("i", "j"), mean(kernel_fn))))


means = Lambda(("t", "i", "j"), mean(layer(K, "t")))


def law(depth: Index | int | str) -> Formula:
    """The mean of the products of maps, drawn independently for each layer, is the rollout."""
    return every("i", 1, n, every("j", 1, n, Relation(
        "=", rollout(means)(depth, "i", "j"), rollout(K)(depth, "i", "j")
    )))  # fmt: skip


def each_level(body: Formula) -> Formula:
    return every("r", 1, m, body)


claim = Claim(
    symbols=(u, R, S, K, v, L),
    indices=(Range("m", as_index(1), None), Range("T", as_index(0), None)),
    hypotheses=(
        ("levels", levels(u)),
        ("kernel", causal(R)),
        ("covered", covered(u, R)),
        ("monotone", monotone(R)),
        ("ordered", below(R, S)),
        ("layers", layers(1, "T", causal(layer(K, "t")))),
        ("layers covered", layers(1, "T", covered(u, layer(K, "t")))),
        ("draws", And((
            ("positive", layers(1, "T", Relation("<", as_term(0), v("t")))),
            ("at most one", layers(1, "T", Relation("<=", v("t"), as_term(1)))),
        ))),
        ("other layers", layers(1, "T", causal(layer(L, "t")))),
        ("layers ordered", layers(1, "T", below(layer(K, "t"), layer(L, "t")))),
        ("layers monotone", layers(1, T - 1, monotone(layer(K, "t")))),
    ),
    parts=(
        Part("maps", ("levels", "kernel"), each_level(causal(layer(cut, "r")))),
        Part("zeros and ones", ("kernel",), each_level(every("i", 1, n, every("j", 1, n, Relation(
            "=", cut("r", "i", "j") * cut("r", "i", "j"), cut("r", "i", "j")
        ))))),
        Part("nondecreasing maps", ("levels", "monotone"), each_level(monotone(layer(cut, "r")))),
        Part("mixture", ("levels", "kernel", "covered"), mixture(R)),
        Part("law of the path", ("levels", "layers", "layers covered"), every("s", 0, T, law("s"))),
        Part("maps compared", ("levels", "ordered"), each_level(
            below(layer(cut, "r"), layer(threshold_maps(u, S), "r"))
        )),
        Part(
            "path by path", ("draws", "layers", "other layers", "layers ordered", "layers monotone"),
            And((
                ("maps", layers(1, "T", causal(layer(shared_maps(v, K), "t")))),
                ("compared", below(layer(rollout(shared_maps(v, K)), "T"), layer(rollout(shared_maps(v, L)), "T"))),
            )),
        ),
    ),
)  # fmt: skip

# --- derivation -----------------------------------------------------------------------------------


F, G = tail(R), tail(S)
B = Symbol("B*", 2)

squares = Identity((
    item(use("comparison squared", fns=(value(u("r")), value(F("i", "j"))))),
    item(falls(u, R, "comparison absorbs"), times=-2),
    item(use("comparison squared", fns=(value(u("r")), value(F("i", j + 1))))),
))  # fmt: skip

of_any_kernel = Step(
    "mixture of any kernel",
    ForAllFn(B, Implies(levels(u), Implies(causal(B), Implies(covered(u, B), mixture(B))))),
    Generalise(("B*", "levels", "kernel", "covered"), (
        *level_facts(u, "levels"),
        *ends(u, B),
        *layer_cake(u, B, ("levels", "kernel", "covered")),
        Step("entries", mixture(B), Generalise(("i", "j"), (
            Step("each entry", Relation("=", B("i", "j"), mean(B)), Cases(
                j, n - 1,
                (Step("difference of tails", Relation("=", B("i", "j"), mean(B)), Identity((
                    item(use("layer cake", "i", "j"), times=-1), item(use("layer cake", "i", j + 1)),
                ))),),
                (Step("last tail", Relation("=", B("i", "j"), mean(B)), Identity((
                    item(use("layer cake", "i", n), times=-1),
                    item(use("end", "r", "i"), times=u("r") - u(r - 1), over=(("r", 1, m),)),
                ))),),
            )),
        ))),
    )),
)  # fmt: skip

derivation = (
    *comparison_lemmas(),
    of_any_kernel,
    claim.proof("maps", *level_facts(u, "levels"), Step("each map", claim.part("maps").asserts, Generalise(
        ("r",), cut_is_kernel(u, R, "kernel")
    ))),
    claim.proof(
        "zeros and ones",
        tails_fall(R, use("kernel", "i", "j", parts="nonnegative")),
        Step("squares", claim.part("zeros and ones").asserts, squares),
    ),
    claim.proof(
        "nondecreasing maps",
        *level_facts(u, "levels"),
        *ends(u, R),
        Step("tails of maps", claim.part("nondecreasing maps").asserts, Nonnegative(
            (item(risen(u, F("i", "k"), F(i + 1, "k"), use("monotone", "i", "k"))),),
            (item(use("end", "r", i + 1)), item(use("end", "r", "i"), times=-1)),
        )),
    ),
    claim.proof("mixture", Step("entries", mixture(R), Chain((
        use("mixture of any kernel", "i", "j", fns=(R,), given=("levels", "kernel", "covered")),
    )))),
    claim.proof("law of the path", Step("every depth", claim.part("law of the path").asserts, Induction(
        "so far",
        base=(Step("no layer", law(0), Identity()),),
        step=(Step("one more layer", law(s + 1), Identity((
            item(use("so far", "l", "j"), times=means(s + 1, "i", "l"), over=(("l", 1, n),)),
            item(
                use(
                    "mixture of any kernel", "i", "l", fns=(layer(K, s + 1),),
                    given=("levels", use("layers", s + 1), use("layers covered", s + 1)),
                ),
                times=-rollout(K)("s", "l", "j"), over=(("l", 1, n),),
            ),
        ))),),
    ))),
    claim.proof(
        "maps compared",
        *level_facts(u, "levels"),
        *ends(u, R, "end of R"),
        *ends(u, S, "end of S"),
        Step("tails of maps", claim.part("maps compared").asserts, Nonnegative(
            (item(risen(u, F("i", "k"), G("i", "k"), use("ordered", "i", "k"))),),
            (item(use("end of S", "r", "i")), item(use("end of R", "r", "i"), times=-1)),
        )),
    ),
    claim.proof("path by path", *paths_compared(
        claim.part("path by path").asserts, v, (K, L), ("layers", "other layers", "layers ordered", "layers monotone")
    )),
    claim.finish("coupling"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------


def cases() -> SearchStrategy[Case]:
    """Ordered kernels of which the lower is monotone, and layers; the levels are all tails that occur."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        one = ordered_pairs(positions, "lower")
        return st.tuples(one, st.tuples(*[one] * depth), mixing(depth)).map(lambda d: _cut_case(positions, depth, d))

    return for_each(sizes_within(4, 2), draw)


def _cut_case(positions: int, depth: int, d: tuple[Any, ...]) -> Case:
    (lower, upper), pairs, draws = d
    family = [pair[0] for pair in pairs]
    found = sorted({Fraction(0), Fraction(1), *(x for rows in (lower, *family) for x in tails(rows).flat)})
    return Case.of(
        positions, {"m": len(found) - 1, "T": depth}, u=Table(found, (0,)), R=lower, S=upper, K=family,
        v=[max(x, Fraction(1, 6)) for x in draws], L=[pair[1] for pair in pairs],
    )  # fmt: skip


_one, _first = kernel([1], [0, 1]), kernel([1], [1, 0])
_three, _to_first = kernel([1], [0, 1], [0, 0, 1]), kernel([1], [1, 0], [1, 0, 0])
_dip, _middle = kernel([1], [0, 1], [1, 0, 0]), kernel([1], [0, 1], [0, 1, 0])
_plain: dict[str, Entries] = {"R": _first, "S": _one, "K": [_first], "L": [_one]}
_larger: dict[str, Entries] = {"R": _to_first, "S": _three, "K": [_to_first], "L": [_three]}


def _case(top: Entries = (0, 1), **changed: Entries) -> Case:
    return Case.of(2, {"m": 1, "T": 1}, **{**_plain, **changed, "u": Table(top, (0,)), "v": [1]})


def _case_of_three(depth: int = 1, **changed: Entries) -> Case:
    return Case.of(3, {"m": 1, "T": depth}, **{**_larger, **changed, "u": Table((0, 1), (0,)), "v": [1] * depth})


needed = (
    Needed("levels", _case(top=(0, 2)), "the level 2 is above every tail: rows of the map sum to 0"),
    Needed("kernel", _case(R=kernel([1], [1, -1])), "a row (1, -1): F(2, 1) = 0 < 1, rows of the map sum to 0"),
    Needed("covered", _case(R=prefix(1, 1)), "levels 0 and 1 do not see the tail 1/2"),
    Needed("monotone", _case_of_three(R=_dip, S=_dip), "row 2 reads token 2, row 3 reads token 1"),
    Needed("ordered", _case(R=_one, S=_first), "the identity above everything on token 1"),
    Needed("layers", _case(K=[((2, 0), (1, 0))]), "a row that sums to 2: the mean of the maps has 1"),
    Needed("layers covered", _case(K=[prefix(1, 1)]), "levels 0 and 1 do not see the tail 1/2"),
    Needed(
        "draws",
        Case.of(2, {"m": 1, "T": 1}, **{**_plain, "u": Table((0, 1), (0,)), "v": [2]}),
        "a draw 2 is above every tail: rows of the map sum to 0",
    ),
    Needed(
        "other layers",
        _case_of_three(2, K=[_to_first, _to_first], L=[_dip, kernel([1], [0, 1], [1, -1, 1])]),
        "a top row (1, -1, 1): the path counts token 2 with weight -1",
    ),
    Needed("layers ordered", _case(K=[_one], L=[_first]), "the identity above everything on token 1"),
    Needed(
        "layers monotone", _case_of_three(2, K=[_dip, _middle], L=[_dip, _three]), "3 -> 2 -> 2 against 3 -> 3 -> 1"
    ),
)

statement = Statement(
    id="S6",
    title="Monotone kernels are mixtures of monotone maps",
    source="ours, beyond arXiv:2602.16837",
    remark="Rollouts that share the draws are compared path by path; layers draw independently.",
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        scale("mixture"), scale("zeros and ones"), turn("nondecreasing maps"), turn("maps compared"),
        turn("path by path/compared"),
        scale("law of the path"),
    ),
)  # fmt: skip
