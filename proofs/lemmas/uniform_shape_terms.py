"""What U7 says of the profile of uniform layers, as formulas: h(m), the last two entries, when a row is a U."""

from __future__ import annotations

from proofs.lemmas.hops_at_least_steps import at_least_two, pairs
from proofs.lemmas.kept_share_steps import height
from proofs.lemmas.logarithm_steps import ln, one_over
from proofs.lemmas.prefix_power_steps import lam, law, stay
from proofs.lemmas.shapes import p
from proofs.lemmas.threshold_steps import total_odds, total_share
from proofs.notation import every, n, number
from proofs.term import And, Exp, Formula, Implies, Index, Relation, Symbol, Term, as_term, index

__all__ = [
    "S",
    "a_u",
    "continuous",
    "enough",
    "enough_reached",
    "from_row",
    "grows",
    "h",
    "h_continuous",
    "last_two",
    "less",
    "most",
    "one_attends",
    "rises",
    "sharper",
    "sharper_conversely",
    "some_pair",
    "threshold",
    "two_layers",
    "up",
]

S = Symbol("S", 0)
i, t, T = (index(name) for name in ("i", "t", "T"))
ZERO, ONE = as_term(0), as_term(1)


def h(at: Index | int) -> Term:
    """h(m) = m prod_t (1 - lambda_t + lambda_t / m)."""
    return height(T, at)


def h_continuous(at: Index | int) -> Term:
    """m exp(-S (1 - 1/m))."""
    return number(at) * Exp(-(S() * (ONE - one_over(at))))


def from_row(low: int, body: Formula) -> Formula:
    """For the rows from ``low`` on."""
    return every("i", low, n, body)


def most(left: Term, right: Term) -> Relation:
    return Relation("<=", left, right)


def less(left: Term, right: Term) -> Relation:
    return Relation("<", left, right)


rises = less(h(i - 1), h(i))
some_pair = less(ZERO, at_least_two(T))
a_u = And((("two layers", some_pair), ("rises", rises)))
two_layers = And((
    ("lower", every("t", 2, T, every("r", 1, t - 1, most(lam("r") * lam("t"), at_least_two(T))))),
    ("upper", most(at_least_two(T), pairs(T))),
))  # fmt: skip
last_two = And((
    ("last", Relation("=", number("i") * p(i), h(i))),
    ("before", Relation("=", number("i") * p(i - 1), number("i") * h(i - 1) - number(i - 1) * h(i))),
    ("rise", Relation("=", p(i) - p(i - 1), h(i) - h(i - 1))),
))  # fmt: skip


def rise(at: Index) -> Term:
    """h(m + 1) - h(m)."""
    return h(at + 1) - h(at)


def up(at: Index) -> Relation:
    """h(m) < h(m + 1)."""
    return less(h(at), h(at + 1))


def grows(at: Index) -> And:
    """m h(m) is convex, so once h grows, it grows from there on."""
    faster = most(number(at) * rise(at), number(at + 2) * rise(at + 1))
    return And((("faster", faster), ("on", Implies(up(at), up(at + 1)))))


def enough(at: Index) -> Implies:
    """sum_t lambda_t / (1 - lambda_t) <= m suffices, and leaves a margin."""
    return Implies(most(total_odds(T), number(at)), enough_reached(at))


def enough_reached(at: Index) -> And:
    """a / (m + 1) <= h(m + 1) - h(m), and h(m) < h(m + 1)."""
    return And((("margin", most(one_over(at + 1) * stay(T), rise(at))), ("rises", up(at))))


def sharper(at: Index) -> Implies:
    """sum_t lambda_t / (lambda_t + m (1 - lambda_t)) < 1 suffices."""
    return Implies(less(total_share(T, at), ONE), up(at))


def sharper_conversely(at: Index) -> Implies:
    """The sum has to be below (m + 1) / m."""
    return Implies(up(at), less(number(at) * total_share(T, at), number(at + 1)))


def threshold(at: Index) -> Term:
    """m (m + 1) ln((m + 1) / m)."""
    return number(at) * number(at + 1) * (ln(at + 1) - ln(at))


def continuous(at: Index) -> And:
    """In continuous depth h grows at m exactly below the threshold."""
    grown, slow = less(h_continuous(at), h_continuous(at + 1)), less(S(), threshold(at))
    return And((("if", Implies(slow, grown)), ("only if", Implies(grown, slow))))


one_attends = And((
    ("lower", most(law(T, 1), number("i") * p(i - 1))),
    ("upper", most(number("i") * p(i - 1), law(T, 1) + 2 * one_over(i - 1) * at_least_two(T))),
))  # fmt: skip
