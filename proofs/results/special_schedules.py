"""I6, special schedules: what a constant coefficient and a power of the layer amount to.

    1 - A^(t)_ii >= epsilon > 0 for i >= 2:  P^(T)_i1 -> 1 for every row i   if lambda_t = 1, if lambda_t = c > 0,
                                             and if lambda_t = c t^(-beta), c > 0, beta <= 1
    A^(t)_ii = A^(1)_ii < 1 for i >= 2:      the same for all of these: their sums are infinite
    lambda_t = c t^(-beta), 0 < c < 1 < beta:  P^(T)_ii stays above a positive number, whatever the kernels
    explicitly, t^(-beta) being exp(-beta ln t):
        ln(T + 1) <= sum_{t <= T} t^(-beta) for beta <= 1;  (beta - 1) sum_{t <= T} t^(-beta) <= beta for beta > 1
        P^(T)_ii <= (T + 1)^(-epsilon c)                          if lambda_t >= c t^(-beta), beta <= 1
        P^(T)_ii >= exp(-c beta / ((1 - c)(beta - 1)))            if lambda_t <= c t^(-beta), beta > 1

Hypotheses: causal kernels, coefficients in [0, 1], which makes c <= 1 and beta >= 0.  Proof: I2, I3, I4, with 1/(t + 1)
<= ln(t + 1) - ln t <= 1/t.  Source: attention only and constants are in arXiv:2602.16837.

Exact here: everything; powers that are not rational are enclosed in balls.  Numeric here: nothing.  Endless sequences
of layers meet the limits where partial products are rational: the sums for c = 1/2 and c = 1, collapse for c = 1 (with
beta = 0 and 1), no collapse for c = 1/2, beta = 2.  Not covered: the rate (I5).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.case import Case, kernel
from proofs.draws import Kernel, families, for_each, sizes_within
from proofs.endless_case import EndlessCase, family, star
from proofs.lemmas.limit_steps import A, P, every_kernel, every_mixing, hop, lam, up_to
from proofs.lemmas.logarithm_steps import (
    exp_increases,
    harmonic_sum,
    ln,
    ln_unbounded,
    logarithms,
    numbers,
    power_sums,
    slow_powers,
    small_powers,
)
from proofs.lemmas.schedule_steps import (
    M,
    below,
    beta,
    c,
    constant_sums,
    deep,
    fast_lemma,
    most,
    no_function,
    power,
    reached,
)
from proofs.lemmas.series_steps import HALF, partial_sum
from proofs.notation import (
    bounded_away,
    causal,
    every,
    layer,
    layers,
    mixing,
    n,
    some,
    unbounded,
    vanishing,
)
from proofs.statement import Claim, Needed, Part, Statement
from proofs.steps import (
    Both,
    Chain,
    Exponential,
    Generalise,
    Instantiate,
    Invert,
    Nonnegative,
    Obtain,
    Step,
    Witness,
    item,
    use,
)
from proofs.term import (
    And,
    Exp,
    Formula,
    Lambda,
    Range,
    Reciprocal,
    Relation,
    Symbol,
    as_index,
    as_term,
    index,
    total,
)
from proofs.twins import limit, scale, turn

epsilon = Symbol("epsilon", 0)
i, T, V, k = (index(name) for name in ("i", "T", "V", "k"))
ZERO, ONE = as_term(0), as_term(1)


def given_away(depth: str | None) -> Formula:
    """epsilon <= 1 - A^(t)_ii for i >= 2, up to a depth or always, and epsilon > 0."""
    each = every("i", 2, n, most(epsilon(), ONE - A("t", "i", "i")))
    return And((
        ("positive", Relation("<", ZERO, epsilon())),
        ("given away", every("t", 1, None if depth is None else index(depth), each)),
    ))  # fmt: skip


powers = total("t", 1, "T", power)
kept = Lambda(("T",), P("T", "i", "i"))
collapse = every("i", 1, n, vanishing(Lambda(("T",), ONE - P("T", "i", 1))))
above = Exp(-(epsilon() * c() * ln(T + 1)))  # (T + 1)^(-epsilon c)

claim = Claim(
    symbols=(lam, A, epsilon, c, beta),
    indices=(Range("T", as_index(0), None),),
    hypotheses=(
        ("mixing", mixing(lam, "T")),
        ("kernels", layers(1, "T", causal(layer(A, "t")))),
        ("epsilon to T", given_away("T")),
        ("at least a power", layers(1, "T", most(c() * power, lam("t")))),
        ("at most a power", layers(1, "T", most(lam("t"), c() * power))),
        ("slow", most(beta(), ONE)),
        ("fast", Relation("<", ONE, beta())),
        ("c positive", Relation("<", ZERO, c())),
        ("c below 1", Relation("<", c(), ONE)),
        ("all mixing", every_mixing),
        ("all kernels", every_kernel),
        ("at least epsilon", given_away(None)),
        ("attention only", every("t", 1, None, Relation("=", lam("t"), ONE))),
        ("constant", every("t", 1, None, Relation("=", lam("t"), c()))),
        ("power", every("t", 1, None, Relation("=", lam("t"), c() * power))),
        ("one diagonal", every("t", 1, None, every("i", 2, n, Relation("=", A("t", "i", "i"), A(1, "i", "i"))))),
        ("below one", every("t", 1, None, every("i", 2, n, Relation("<", A("t", "i", "i"), ONE)))),
        ("infinite total", unbounded(lam)),
    ),
    parts=(
        Part("sums of slow powers", ("slow",), most(ln(T + 1), powers)),
        Part("sums of fast powers", ("fast",), most((beta() - 1) * powers, beta())),
        Part("slow decay, depth T", (
            "mixing", "kernels", "epsilon to T", "at least a power", "slow", "c positive",
        ), every("i", 2, n, most(P("T", "i", "i"), above))),
        Part("fast decay, depth T", (
            "mixing", "kernels", "at most a power", "fast", "c positive", "c below 1",
        ), every("i", 1, n, most(below, P("T", "i", "i")))),
        Part("constant total", ("constant", "c positive"), unbounded(lam)),
        Part("slow total", ("power", "slow", "c positive"), unbounded(lam)),
        Part("attention only", ("all kernels", "at least epsilon", "attention only"), collapse),
        Part("constant", ("all mixing", "all kernels", "at least epsilon", "constant", "c positive"), collapse),
        Part("slow decay", (
            "all mixing", "all kernels", "at least epsilon", "power", "slow", "c positive",
        ), collapse),
        Part("one kernel", ("all mixing", "all kernels", "one diagonal", "below one", "infinite total"), collapse),
        Part("fast decay", (
            "all mixing", "all kernels", "power", "fast", "c positive", "c below 1",
        ), every("i", 1, n, bounded_away(kept))),
    ),
)  # fmt: skip

# --- sums of powers -------------------------------------------------------------------------------

slow = use("k^-b >= 1 / k", "t", fns=(beta,), given=("slow",))
slow_sums = claim.proof("sums of slow powers", Step("at T", most(ln(T + 1), powers), Nonnegative((
    item(use("harmonic sums", T)), item(slow, over=(("t", 1, T),)),
))))  # fmt: skip
fast_sums = claim.proof("sums of fast powers", Step("at T", claim.part("sums of fast powers").asserts, Chain((
    use("power sums", T, fns=(beta,), given=("fast",)),
))))  # fmt: skip

# --- finite depth ---------------------------------------------------------------------------------

x = hop("i")
low_end, high_end = -partial_sum(x, "T"), above.body
give = use("mixing", "t", parts="nonnegative")
epsilon_positive = use("epsilon to T", parts="positive")

slow_depth = claim.proof("slow decay, depth T", Step(
    "each row", claim.part("slow decay, depth T").asserts, Generalise(("i",), (
        Step("below exp", most(P("T", "i", "i"), Exp(low_end)), Instantiate(use(
            "I2", "i", T, parts="upper", fns=(lam, A, no_function, c), given=("mixing", "kernels"),
        ))),
        Step("exponents", most(low_end, high_end), Nonnegative((
            item(give, use("epsilon to T", "t", "i", parts="given away"), over=(("t", 1, T),)),
            item(epsilon_positive, use("at least a power", "t"), over=(("t", 1, T),)),
            item(epsilon_positive, use("c positive"), slow, over=(("t", 1, T),)),
            item(epsilon_positive, use("c positive"), use("harmonic sums", T)),
        ))),
        Step("so", most(P("T", "i", "i"), above), Chain((
            use("below exp"), use(
                "exp increases", fns=(Lambda((), low_end), Lambda((), high_end)), given=("exponents",)
            ),
        ))),
    )),
))  # fmt: skip

amplitude = ("fast", "c positive", "c below 1")
fast_depth = claim.proof("fast decay, depth T", Step("at T", claim.part("fast decay, depth T").asserts, Chain((
    use("fast decay so far", T, "i", given=(*amplitude, "mixing", "kernels", "at most a power")),
))))  # fmt: skip

# --- infinite sums --------------------------------------------------------------------------------

constant_total = claim.proof("constant total", Step("infinite", unbounded(lam), Instantiate(
    use("constant sums", fns=(c,), given=("c positive", "constant"))
)))  # fmt: skip
slow_total = claim.proof(
    "slow total",
    Step("inverse", Relation("=", c() * Reciprocal(c()), ONE), Invert(use("c positive"))),
    Step("beyond", some("k", 0, most(deep(c), ln(k + 1))), Instantiate(
        use("ln is unbounded", fns=(Lambda((), deep(c)),))
    )),
    Step("there", reached, Obtain(use("beyond"), "k", "far", (
        Step("enough", most(M(), partial_sum(lam, "k")), Nonnegative(
            (
                item(use("c positive"), use("far")), item(use("c positive"), use("harmonic sums", "k")),
                item(use("c positive"), slow, over=(("t", 1, k),)),
            ),
            (item(use("inverse"), times=-M()), item(use("power", "t"), times=-1, over=(("t", 1, k),))),
        )),
        Step("witness", reached, Witness(k, "enough")),
    ))),
    fix=("M",),
)  # fmt: skip

# --- collapse -------------------------------------------------------------------------------------


def bounded_logits(mixing_fact: str, total_fact: str) -> Step:
    """Collapse, by I4, from an infinite sum of the coefficients."""
    facts = (mixing_fact, "all kernels", "at least epsilon", total_fact)
    return Step("collapse", collapse, Instantiate(
        use("I4", 0, parts="bounded logits, if", fns=(lam, A, epsilon), given=facts)
    ))  # fmt: skip


attention_only = claim.proof(
    "attention only",
    Step("1 > 0", Relation("<", ZERO, ONE), Nonnegative((item(times=ONE),))),
    Step("infinite", unbounded(lam), Instantiate(
        use("constant sums", fns=(Lambda((), ONE),), given=("1 > 0", "attention only"))
    )),
    Step("full mixing", every_mixing, Generalise(("t",), (
        Step("at least 0", most(ZERO, lam("t")), Nonnegative(
            (item(times=ONE),), (item(use("attention only", "t"), times=-1),)
        )),
        Step("at most 1", most(lam("t"), ONE), Chain((use("attention only", "t"),))),
        Step("both", every_mixing.body, Both(("at least 0", "at most 1"))),
    ))),
    bounded_logits("full mixing", "infinite"),
)  # fmt: skip

constant = claim.proof(
    "constant",
    Step("infinite", unbounded(lam), Instantiate(use("constant total", given=("constant", "c positive")))),
    bounded_logits("all mixing", "infinite"),
)
slow_decay = claim.proof(
    "slow decay",
    Step("infinite", unbounded(lam), Instantiate(use("slow total", given=("power", "slow", "c positive")))),
    bounded_logits("all mixing", "infinite"),
)

given_once = ONE - A(1, "i", "i")  # what row i gives away in every layer
far = M() * Reciprocal(given_once)
gone = some("T", 0, most(M(), partial_sum(x, "T")))
one_kernel = claim.proof(
    "one kernel",
    Step("infinite sums", every("i", 2, n, unbounded(x)), Generalise(("i", "M"), (
        Step("positive", Relation("<", ZERO, given_once), Chain((use("below one", 1, "i"),))),
        Step("inverse", Relation("=", given_once * Reciprocal(given_once), ONE), Invert(use("positive"))),
        Step("deep", some("V", 0, most(far, partial_sum(lam, "V"))), Instantiate(
            use("infinite total", fns=(Lambda((), far),))
        )),
        Step("there", gone, Obtain(use("deep"), "V", "enough", (
            Step("given away", most(M(), partial_sum(x, "V")), Nonnegative(
                (item(use("enough"), use("positive")),),
                (
                    item(use("inverse"), times=-M()),
                    item(use("one diagonal", "t", "i"), times=lam("t"), over=(("t", 1, V),)),
                ),
            )),
            Step("witness", gone, Witness(V, "given away")),
        ))),
    ))),
    Step("collapse", collapse, Instantiate(use(
        "I4", 0, parts="if", fns=(lam, A, epsilon), given=("all mixing", "all kernels", "infinite sums"),
    ))),
)  # fmt: skip

# --- no collapse ----------------------------------------------------------------------------------

stays = most(below, P("V", "i", "i"))
fast_decay = claim.proof(
    "fast decay",
    Step("every depth", every("V", 0, None, stays), Generalise(("V",), (
        *up_to(V),
        Step("power there", layers(1, V, most(lam("t"), c() * power)), Nonnegative((), (item(use("power", "t")),))),
        Step("there", stays, Chain((
            use("fast decay so far", V, "i", given=(*amplitude, "mixing there", "kernels there", "power there")),
        ))),
    ))),
    Step("positive", Relation("<", ZERO, below), Exponential()),
    Step("both", And((("positive", Relation("<", ZERO, below)), ("bound", every("V", 0, None, stays)))), Both(
        ("positive", "every depth")
    )),
    Step("witness", bounded_away(kept), Witness(Lambda((), below), "both")),
    fix=("i",),
)  # fmt: skip

derivation = (
    exp_increases, *numbers, *logarithms, ln_unbounded, harmonic_sum, slow_powers, small_powers, power_sums,
    slow_sums, fast_sums, slow_depth, fast_lemma, fast_depth, constant_sums, constant_total, slow_total,
    attention_only, constant, slow_decay, one_kernel, fast_decay,
    claim.finish("special schedules"),
)  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------

_GRID = 256
_DECAYS = [Fraction(b) for b in ("3/2", "1", "2", "1/2", "4/3", "2/3", "5/2", "0", "-1/2")]  # fast and slow ones


def cases() -> SearchStrategy[Case]:
    """Slow schedules just above c t^(-beta) or further up, with rows that give away a share; fast ones just below or
    further down, with any rows."""

    def draw(size: tuple[int, int]) -> SearchStrategy[Case]:
        positions, depth = size
        shares = st.lists(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1)]), min_size=depth, max_size=depth)
        drawn = st.tuples(
            families(positions, depth), shares, st.sampled_from([Fraction(1, 4), Fraction(1, 2)]),
            st.sampled_from(_DECAYS), st.sampled_from([Fraction(1, 2), Fraction(1, 4), Fraction(1), Fraction(0)]),
        )  # fmt: skip
        return drawn.map(lambda d: _case(positions, depth, *d))

    return for_each(sizes_within(), draw)  # no more than three layers: c 3^(1/2) < 1


def _case(
    positions: int, depth: int, kernels: tuple[Kernel, ...], shares: list[Fraction], scale_of: Fraction,
    decay: Fraction, least: Fraction,
) -> Case:  # fmt: skip
    slow_one = decay <= 1
    ends = [_beside(scale_of, decay, t, up=slow_one) for t in range(1, depth + 1)]
    coefficients = [end + w * (1 - end) if slow_one else end * w for end, w in zip(ends, shares, strict=True)]
    gives = [[[least * (j == 0) + (1 - least) * x for j, x in enumerate(row)] for row in rows] for rows in kernels]
    return Case.of(
        positions, {"T": depth}, lambda_=coefficients, A=gives, epsilon=least, c=scale_of, beta=decay
    )  # fmt: skip


def _beside(scale_of: Fraction, decay: Fraction, at: int, *, up: bool) -> Fraction:
    """The multiple of 1 / 256 next to scale_of * at^(-decay), above or below and never equal: by integer powers."""
    p, q = decay.numerator, decay.denominator
    target = (_GRID * scale_of) ** q * Fraction(at) ** -p
    least = next(m for m in range(_GRID + 1) if m**q > target)
    most_below = least - 1 - ((least - 1) ** q == target)
    return Fraction(least if up else most_below, _GRID)


def _read(factor: Fraction | int, decay: int, least: Fraction | int = HALF.value) -> dict[str, Any]:
    return {"epsilon": least, "c": factor, "beta": decay}


_half = HALF.value
_powers = (
    star("1", ["1", "1"], **_read(1, 0)),
    star("1/2", ["0", "0"], **_read(_half, 0)),
    star("1/t", ["1", "t/(t + 1)"], **_read(1, 1)),
    star("1/(2 t)", ["0", "0"], **_read(_half, 1)),
    star("1/(2 t^2)", ["2 t^2/((t + 1)(2 t + 1))", "0"], **_read(_half, 2)),
    star("1/(t + 1)", ["1", "1"], **_read(1, 1)),
)


def endless(proper: bool) -> tuple[EndlessCase, ...]:
    """Layers without end: schedules c t^(-beta) whose partial products are known, and one beside them; the family."""
    return _powers if proper else (*family(**_read(1, 0)), *_powers)


def _finite(depth: int, coefficients: list[Any], rows: Any, *, c_: Any, beta_: Any, eps: Any = 1) -> Case:
    return Case.of(len(rows), {"T": depth}, lambda_=coefficients, A=[rows] * depth, epsilon=eps, c=c_, beta=beta_)


_all = kernel([1], [1, 0])  # row 2 gives all of itself away
needed = (
    Needed("mixing", _finite(2, [3, 3], _all, c_=1, beta_=1), "lambda = 3 twice: row 2 has 4 of itself"),
    Needed("kernels", _finite(1, [_half], ((1, 0), (3, -2)), c_=_half, beta_=2), "a negative entry on the diagonal"),
    Needed("epsilon to T", _finite(1, [1], kernel([1], [0, 1]), c_=1, beta_=1), "row 2 gives nothing away"),
    Needed("at least a power", _finite(1, [0], _all, c_=1, beta_=1), "lambda = 0"),
    Needed("at most a power", _finite(1, [1], _all, c_=_half, beta_=2), "lambda = 1"),
    Needed("slow", _finite(5, [0] * 5, _all, c_=1, beta_=2), "1 + 1/4 + 1/9 + 1/16 + 1/25 is less than ln 6"),
    Needed("fast", _finite(0, [], _all, c_=1, beta_=-1), "an empty sum is not below -1"),
    Needed("c positive", star("0", ["1"], **_read(0, 0)), "c = 0: nothing mixes"),
    Needed("c below 1", star("1/t^2", ["1"], **_read(1, 2)), "c = 1: layer 1 forgets row 2"),
    Needed("all mixing", star("2", ["1"], **_read(2, 0)), "lambda = 2: P_22 is 1 and -1 in turn"),
    Needed("all kernels", star("1", ["2"], **_read(1, 0)), "A_22 = -1: P_22 is 1 and -1 in turn"),
    Needed("at least epsilon", star("1", ["1/(t + 1)^2"], **_read(1, 0)), "the bare dichotomy fails here (I4b)"),
    Needed("attention only", star("1/(t + 1)^2", ["1"], **_read(2, 0)), "coefficients with a finite sum"),
    Needed("constant", star("1/(t + 1)^2", ["1"], **_read(1, 0)), "coefficients with a finite sum"),
    Needed("power", star("1/(t + 1)^2", ["1"], **_read(1, 0)), "coefficients with a finite sum"),
    Needed("one diagonal", star("1", ["1/(t + 1)^2"], **_read(1, 0)), "row 2 gives less and less away"),
    Needed("below one", star("1", ["0"], **_read(1, 0)), "row 2 gives nothing away"),
    Needed("infinite total", star("1/(t + 1)^2", ["1"], **_read(1, 0)), "coefficients with a finite sum"),
)

statement = Statement(
    id="I6",
    title="Constants and powers of the layer as coefficients",
    source="arXiv:2602.16837, with powers of the layer added",
    remark="The borderline is the reciprocal of the layer: what decays faster leaves every row a share of itself.",
    cites=("wu2025", "abnar2020"),
    claim=claim,
    derivation=derivation,
    cases=cases,
    needed=needed,
    twins=(
        turn("sums of slow powers"), scale("sums of slow powers", Fraction(1, 2)), turn("sums of fast powers"),
        scale("sums of fast powers", Fraction(1, 2)), turn("slow decay, depth T"),
        scale("slow decay, depth T", Fraction(1, 2)), turn("fast decay, depth T"),
        scale("fast decay, depth T", Fraction(1, 2)), limit("constant total", "summable"),
        limit("slow total", "summable"), limit("attention only", "bounded away"), limit("constant", "bounded away"),
        limit("slow decay", "bounded away"), limit("one kernel", "bounded away"), limit("fast decay", "vanishing"),
    ),
    endless=endless,
)  # fmt: skip
