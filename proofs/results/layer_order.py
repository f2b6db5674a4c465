"""D7, layer order: local layers on top make the profile more recent, and no other arrangement is as recent.

    A_w A_v ≼ A_v A_w   <=>   (v_j / V_{j-1}) / (w_j / W_{j-1}) is nondecreasing in j >= 2

Prefix kernels with weights w, v and sums W, V.  The tails of the two products differ by a sum over pairs k <= j < p <=
i of cross products of those odds, so the criterion is sharp.  It holds for ALiBi with slopes m <= m' of any sign, and
where w_j / W_j falls and V_j / W_j rises and is log-convex; that is not necessary: (9, 3, 1), (4, 2, 1).  The order
passes to averages of heads and to transitions with the residual stream: what I contributes cancels.  Two adjacent
layers may be swapped within a stack if what lies below them is monotone.  So if every two layers are ordered, R_s R_t ≼
R_t R_s for s < t, then R_T ... R_1 is the most recent of all T! arrangements, and if R_t R_s ≼ R_s R_t the least; all
layers but R_T have to be monotone.  Identity, equivalence and inequality; tight (equal layers).  Source: ours,
which asks for the log-convex ratio and for m >= 0; the criterion and its proof go beyond it.

Exact here: everything.  Numeric here: nothing.  Not covered: distance kernels, content.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.case import Case, Entries, kernel
from proofs.case import prefix as prefix_rows
from proofs.cases.layer_cases import layer_cases
from proofs.lemmas.arrangement_steps import arrangement_lemmas
from proofs.lemmas.moved_layer_steps import DOWN, UP, Order
from proofs.lemmas.permutation_steps import arranged, permutation
from proofs.lemmas.prefix_steps import monotone_prefix, powers
from proofs.lemmas.swap_heads import (
    arranged_heads,
    arranged_slopes,
    heads_swap,
    mixed_swap,
    slopes_between,
    weights_between,
)
from proofs.lemmas.swap_signs import log_convex, ratio_rises, shares_fall
from proofs.lemmas.swap_steps import criterion, swap_lemmas, swapped, tails, tails_by_ratios
from proofs.notation import (
    below,
    causal,
    cumulative,
    layer,
    layers,
    mixing,
    monotone,
    n,
    positive,
    product,
    rollout,
    stochastic,
    tail,
    transition,
)
from proofs.outline import under_product
from proofs.prefix_heads import each_head, family, head_powers, head_shares, of_head
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import Chain, Instantiate, Nonnegative, Step, item, use
from proofs.term import Fn, Formula, Range, Relation, Symbol, as_index, as_term, index
from proofs.twins import lose, scale, turn

w, v = Symbol("w", 1), Symbol("v", 1)
q, r = Symbol("q", 0), Symbol("q'", 0)  # e^m and e^m'
lam, A, alpha, f = Symbol("lambda", 1), Symbol("A", 3), Symbol("alpha", 2), Symbol("f", 3)
X, Y, U, P = (Symbol(name, 2) for name in "XYUP")
R, M, x = Symbol("R", 3), Symbol("M", 2), Symbol("x", 2)  # x_th is e^m for head h of layer t
l, T = index("l"), index("T")  # noqa: E741 - the letter of the formula
W, V = cumulative(w), cumulative(v)
Kernel = tuple[tuple[Fraction, ...], ...]


def every_arrangement(family: Fn, order: Order) -> Formula:
    """The layers in another order against the layers in their order."""
    return order(layer(rollout(arranged(M, family, "T")), "T"), layer(rollout(family), "T"))


alibi = transition(lam, family(alpha, head_powers(x)))
claim = Claim(
    symbols=(w, v, q, r, lam, A, alpha, f, X, Y, U, P, R, M, x),
    indices=(Range("H", as_index(0), None), Range("T", as_index(0), None)),
    hypotheses=(
        ("w positive", positive(w)),
        ("v positive", positive(v)),
        ("odds rise", criterion(w, v)),
        ("A_w A_v precedes A_v A_w", swapped(w, v)),
        ("w / W falls", shares_fall(w, W)),
        ("V / W rises", ratio_rises(W, V)),
        ("V / W log-convex", log_convex(W, V)),
        ("slope", Relation("<", as_term(0), q())),
        ("steeper", Relation("<=", q(), r())),
        ("mixing", mixing(lam, "T")),
        ("kernels ordered", UP.pairs(A, "T")),
        ("head weights", head_shares(alpha)),
        ("f positive", each_head(positive(of_head(f)))),
        ("heads ordered", weights_between(f, UP)),
        ("lower layer", stochastic(X)),
        ("upper layer", stochastic(Y)),
        ("X Y precedes Y X", below(product(X, Y), product(Y, X))),
        ("layers above", stochastic(U)),
        ("monotone below", monotone(P)),
        ("layers", layers(1, "T", causal(layer(R, "t")))),
        ("layers monotone", layers(1, T - 1, monotone(layer(R, "t")))),
        ("later more local", UP.pairs(R, "T")),
        ("later less local", DOWN.pairs(R, "T")),
        ("permutation", permutation(M, "T")),
        ("slopes", each_head(Relation("<", as_term(0), x("t", "h")))),
        ("slopes rise", slopes_between(x, UP)),
        ("slopes fall", slopes_between(x, DOWN)),
    ),
    parts=(
        Part("difference of tails", ("w positive", "v positive"), tails(w, v)),
        Part("difference of tails, by ratios", ("w positive", "v positive"), tails_by_ratios(w, v)),
        Part("swap", ("w positive", "v positive", "odds rise"), swapped(w, v)),
        Part("swap, conversely", ("w positive", "v positive", "A_w A_v precedes A_v A_w"), criterion(w, v)),
        Part(
            "log-convex ratio",
            ("w positive", "v positive", "w / W falls", "V / W rises", "V / W log-convex"),
            criterion(w, v),
        ),
        Part("two slopes", ("slope", "steeper"), swapped(powers(q), powers(r))),
        Part("transitions", ("mixing", "kernels ordered"), UP.pairs(transition(lam, A), "T")),
        Part("heads", ("head weights", "f positive", "heads ordered"), UP.pairs(family(alpha, f), "T")),
        Part(
            "in a stack",
            ("lower layer", "upper layer", "X Y precedes Y X", "layers above", "monotone below"),
            below(product(U, product(X, product(Y, P))), product(U, product(Y, product(X, P)))),
        ),
        Part(
            "every arrangement",
            ("layers", "layers monotone", "later more local", "permutation"),
            every_arrangement(R, UP),
        ),
        Part(
            "every arrangement, reversed",
            ("layers", "layers monotone", "later less local", "permutation"),
            every_arrangement(R, DOWN),
        ),
        Part(
            "slopes arranged",
            ("mixing", "head weights", "slopes", "slopes rise", "permutation"),
            every_arrangement(alibi, UP),
        ),
        Part(
            "slopes arranged, reversed",
            ("mixing", "head weights", "slopes", "slopes fall", "permutation"),
            every_arrangement(alibi, DOWN),
        ),
    ),
)

# --- derivation -----------------------------------------------------------------------------------


def by_lemma(part: str, lemma: str, *at: str, fns: tuple[Fn, ...] = (w, v)) -> Step:
    """A part that is a lemma, from all that is given."""
    given = claim.part(part).given
    return claim.proof(
        part, Step("lemma", claim.part(part).asserts, Instantiate(use(lemma, *at, fns=fns, given=given)))
    )


first = tail(P)(1, "k")
in_a_stack = Step("swapped", below(product(X, product(Y, P)), product(Y, product(X, P))), Nonnegative(
    (item(use("X Y precedes Y X", "i", "l"), use("monotone below", l - 1, "k"), over=(("l", 2, n),)),),
    (
        item(use("upper layer", "i", parts="rows"), times=-first),
        item(use("lower layer", "l", parts="rows"), times=-(Y("i", "l") * first), over=(("l", 1, n),)),
        item(use("lower layer", "i", parts="rows"), times=first),
        item(use("upper layer", "l", parts="rows"), times=X("i", "l") * first, over=(("l", 1, n),)),
    ),
))  # fmt: skip

derivation = (
    *swap_lemmas(),
    monotone_prefix,
    *arrangement_lemmas(),
    arranged_heads(lam, alpha),
    by_lemma("difference of tails", "tails of two orders"),
    by_lemma("difference of tails, by ratios", "tails of two orders, by ratios"),
    by_lemma("swap", "order of prefix kernels"),
    by_lemma("swap, conversely", "order of prefix kernels, conversely"),
    by_lemma("log-convex ratio", "log-convex ratio of sums"),
    claim.proof(
        "two slopes",
        Step("q' > 0", Relation("<", as_term(0), r()), Chain((use("slope"), use("steeper")))),
        Step("powers of q", positive(powers(q)), Instantiate(use("powers are positive", fns=(q,), given=("slope",)))),
        Step("powers of q'", positive(powers(r)), Instantiate(use("powers are positive", fns=(r,), given=("q' > 0",)))),
        Step("order", claim.part("two slopes").asserts, Instantiate(use(
            "order of prefix kernels", fns=(powers(q), powers(r)),
            given=("powers of q", "powers of q'", use("slopes suffice", fns=(q, r), given=("slope", "steeper"))),
        ))),
    ),
    claim.proof("transitions", mixed_swap("each two", lam, A, UP, "mixing", "kernels ordered")),
    claim.proof("heads", heads_swap("each two", alpha, f, UP, ("head weights", "f positive", "heads ordered"))),
    claim.proof(
        "in a stack", in_a_stack,
        under_product("under the rest", claim.part("in a stack").asserts, "layers above", "swapped"),
    ),
    by_lemma("every arrangement", "arrangements", "T", fns=(UP.sign, R, M)),
    by_lemma("every arrangement, reversed", "arrangements", "T", fns=(DOWN.sign, R, M)),
    claim.proof("slopes arranged", *arranged_slopes(lam, alpha, x, UP, claim.part("slopes arranged").given)),
    claim.proof(
        "slopes arranged, reversed",
        *arranged_slopes(lam, alpha, x, DOWN, claim.part("slopes arranged, reversed").given),
    ),
    claim.finish("layer order"),
)  # fmt: skip

# --- needed ---------------------------------------------------------------------------------------


def _identity(size: int) -> Kernel:
    return kernel(*([int(i == j) for j in range(i + 1)] for i in range(size)))


def _reading(*read: int) -> Kernel:
    """Row i reads one position."""
    return kernel(*([int(j == at) for j in range(1, i + 1)] for i, at in enumerate(read, start=1)))


def _case(size: int = 3, depth: int = 2, **changed: Entries) -> Case:
    """Uniform weights, identities and slope 0 in every layer, one head, but for what is changed."""
    one, ones = _identity(size), (1,) * size
    plain: dict[str, Entries] = {
        "w": ones, "v": ones, "q": 1, "q'": 1, "lambda_": [1] * depth, "A": [one] * depth, "alpha": [[1]] * depth,
        "f": [[ones]] * depth, "X": one, "Y": one, "U": one, "P": one, "R": [one] * depth,
        "M": [[int(s == t) for s in range(depth)] for t in range(depth)], "x": [[1]] * depth,
    }  # fmt: skip
    return Case.of(size, {"H": 1, "T": depth}, **{**plain, **changed})


_even, _local = prefix_rows(1, 1, 1), prefix_rows(1, 2, 4)
_swap: Entries = [[0, 1], [1, 0]]
_first_two: Entries = [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
_last_two: Entries = [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
_doubled, _minus_first = kernel([1], [1, 1], [0, 0, 1]), kernel([-1], [-1, 0], [-1, 0, 0])
_half = Fraction(-1, 2)
needed = (
    Needed("w positive", _case(w=(-2, 1, 2)), "w = (-2, 1, 2): F(3, 2) is 11/6 against 2/3"),
    Needed("v positive", _case(w=(1, 2, 1), v=(-2, -1, 1)), "v = (-2, -1, 1): odds 3/2 and -1/3 against 2 and 1/3"),
    Needed("odds rise", _case(w=(2, 1, 1)), "(2, 1, 1), (1, 1, 1): V / W = 1/2, 2/3, 3/4 rises, 7/24 against 5/18"),
    Needed("A_w A_v precedes A_v A_w", _case(w=(2, 1, 1)), "(2, 1, 1), (1, 1, 1): V / W rises and is not log-convex"),
    Needed("w / W falls", _case(w=(4, 1, 2), v=(1, 1, 3)), "(4, 1, 2), (1, 1, 3): w / W = 1, 1/5, 2/7"),
    Needed("V / W rises", _case(v=(4, 2, 1)), "(1, 1, 1), (4, 2, 1): V / W = 4, 3, 7/3 is log-convex"),
    Needed("V / W log-convex", _case(w=(2, 1, 1)), "(2, 1, 1), (1, 1, 1): V / W = 1/2, 2/3, 3/4"),
    Needed("slope", _case(q=_half), "q = -1/2, q' = 1: F(3, 2) is -1/9 against -4/9"),
    Needed("steeper", _case(q=2), "slopes turned: 11/21 against 32/63"),
    Needed("mixing", _case(lambda_=[-1, 1], A=[_even, _local]), "lambda = (-1, 1) turns the order"),
    Needed("kernels ordered", _case(A=[_local, _even]), "layers turned"),
    Needed("head weights", _case(alpha=[[-1], [1]], f=[[(1, 1, 1)], [(1, 2, 4)]]), "head weights -1 and 1"),
    Needed("f positive", _case(f=[[(1, 1, 1)], [(1, -2, 2)]]), "weights (1, -2, 2): F(3, 2) is 2/3 against 1/3"),
    Needed("heads ordered", _case(f=[[(1, 2, 4)], [(1, 1, 1)]]), "layers turned"),
    Needed(
        "lower layer",
        _case(X=_doubled, Y=_reading(1, 2, 2), P=_minus_first),
        "row sums 1, 2, 1 above a monotone matrix with entries -1: F(3, 1) is -1 against -2",
    ),
    Needed(
        "upper layer",
        _case(X=_reading(1, 2, 2), Y=kernel([1], [0, 1], [0, 0, 2]), P=_minus_first),
        "row sums 1, 1, 2 above a monotone matrix with entries -1: F(3, 1) is -1 against -2",
    ),
    Needed("X Y precedes Y X", _case(X=_local, Y=_even), "layers turned"),
    Needed("layers above", _case(X=_even, Y=_local, U=kernel([1], [0, 1], [0, 2, -1])), "a top row (0, 2, -1)"),
    Needed(
        "monotone below",
        _case(4, X=prefix_rows(1, 1, 3, 1), Y=prefix_rows(1, 1, 3, 2), P=_reading(1, 2, 1, 4)),
        "(1, 1, 3, 1), (1, 1, 3, 2) above rows that read 1, 2, 1, 4",
    ),
    Needed(
        "layers",
        _case(3, 3, R=[_even, _local, kernel([-1], [0, -1], [0, 0, -1])], M=_first_two),
        "minus the identity on top turns the order of the two below",
    ),
    Needed(
        "layers monotone",
        _case(4, 3, R=[_reading(1, 2, 1, 1), _reading(1, 1, 1, 3), _reading(1, 1, 2, 4)], M=_last_two),
        "rows that read 1, 2, 1, 1, then 1, 1, 1, 3, then 1, 1, 2, 4: the upper two may not be swapped",
    ),
    Needed("later more local", _case(R=[_local, _even], M=_swap), "layers turned"),
    Needed("later less local", _case(R=[_even, _local], M=_swap), "layers turned"),
    Needed("permutation", _case(R=[_even, _local], M=[[0, 1], [0, 1]]), "the more local layer twice"),
    Needed("slopes", _case(x=[[_half], [1]], M=_swap), "q = -1/2 below q = 1: F(3, 2) is -1/9 against -4/9"),
    Needed("slopes rise", _case(x=[[2], [1]], M=_swap), "layers turned"),
    Needed("slopes fall", _case(x=[[1], [2]], M=_swap), "layers turned"),
)

statement = Statement(
    id="D7",
    title="Local layers on top are more recent",
    source="ours, beyond arXiv:2602.16837",
    remark="One cross product decides the order of two prefix kernels; the sorted arrangement is the extreme one.",
    claim=claim,
    derivation=derivation,
    cases=layer_cases,
    needed=needed,
    twins=(
        lose("difference of tails"), lose("difference of tails, by ratios"), scale("swap, conversely", Fraction(1, 2)),
        *(turn(part.name) for part in claim.parts[2:]),
    ),
)  # fmt: skip
