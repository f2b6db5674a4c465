"""Lemmas on distance kernels A_ij = a_{i-j} / B_i, B_r = a_0 + ... + a_{r-1}: what D3 (d) and (e) consist of.

The tail of row i is F(i, k) = B_{i-k+1} / B_i, so everything is a statement about ratios of the sums B.
"""

from __future__ import annotations

from proofs.lemmas.prefix_steps import divisors
from proofs.notation import distance, distance_sum, every, n, tail, zero_one
from proofs.steps import Cases, Nonnegative, Step, item, use
from proofs.term import Fn, Formula, Index, Reciprocal, Relation, Term, index

__all__ = [
    "compared",
    "compared_conversely",
    "cross_ratio",
    "cross_suffices",
    "decreasing",
    "decreasing_suffices",
    "growth",
    "monotone_conversely",
    "monotone_tails",
    "sums_ratio",
    "weight_sums",
]

d, i, k, r = index("d"), index("i"), index("k"), index("r")


def weight_sums(name: str, weights: Fn, fact: str) -> tuple[Step, ...]:
    """The three facts on B_r = a_0 + ... + a_{r-1}, from a_0 > 0 and a_d >= 0."""
    start, rest = use(fact, parts="start"), use(fact, "d", parts="nonnegative")
    return divisors(name, distance_sum(weights), (item(start), item(rest, over=(("d", 1, r - 1),))))


def inverse(weights: Fn, at: Index) -> Term:
    """1 / B_at."""
    return Reciprocal(distance_sum(weights)(at))


def growth(weights: Fn) -> Formula:
    """B_{r+1} / B_r is nonincreasing."""
    B = distance_sum(weights)
    later, earlier = B(r + 2) * inverse(weights, r + 1), B(r + 1) * inverse(weights, r)
    return every("r", 1, n - 2, Relation("<=", later, earlier))


def sums_ratio(lower: Fn, upper: Fn) -> Formula:
    """B'_r / B_r is nonincreasing, B of the lower and B' of the upper weights."""
    ratio = [distance_sum(upper)(at) * inverse(lower, at) for at in (r + 1, r)]
    return every("r", 1, n - 1, Relation("<=", ratio[0], ratio[1]))


def decreasing(weights: Fn) -> Formula:
    """a_{d+1} <= a_d."""
    return every("d", 0, n - 2, Relation("<=", weights(d + 1), weights(d)))


def cross_ratio(lower: Fn, upper: Fn) -> Formula:
    """a'_c a_d <= a'_d a_c for d <= c: the ratio a' / a falls with the distance, zeros included."""
    return every(
        "c", 0, n - 1, every("d", 0, index("c"), Relation("<=", upper("c") * lower("d"), upper("d") * lower("c")))
    )


# --- (d) one distance kernel ----------------------------------------------------------------------


def monotone_tails(label: str, a: Fn, fact: str, falls: str) -> Step:
    """F(i, k) <= F(i + 1, k), with i and k fixed, from the facts named B and the growth falling."""
    B = distance_sum(a)
    rise = Relation("<=", tail(distance(a))("i", "k"), tail(distance(a))(i + 1, "k"))
    first = i - k + 1
    return Step(label, rise, Cases(
        k, i,
        (Step("up to the diagonal", rise, Nonnegative(  # (B_{f+1} / B_f - B_{i+1} / B_i) B_f / B_{i+1}, f = i - k + 1
            (item(use("B > 0", first), use("1 / B > 0", i + 1), use(falls, "r"), over=(("r", first, i - 1),)),),
            (
                item(use("B / B", first), times=B(first + 1) * inverse(a, i + 1)),
                item(use("B / B", i + 1), times=-(B(first) * inverse(a, i))),
            ),
        )),),
        (Step("on or beyond it", rise, Nonnegative(
            (item(use(fact, parts="start"), use("1 / B > 0", i + 1), times=zero_one(i + 1, "k")),)
        )),),
    ))  # fmt: skip


def monotone_conversely(label: str, a: Fn, fact: str) -> Step:
    """The growth falls, from the kernel being monotone, cited as ``fact``: the tail k = 2 of rows r + 1 and r + 2."""
    B = distance_sum(a)
    return Step(label, growth(a), Nonnegative(
        (item(use(fact, r + 1, 2), use("B > 0", r + 2), use("1 / B > 0", "r")),),
        (
            item(use("B / B", r + 2), times=B(r + 1) * inverse(a, r)),
            item(use("B / B", "r"), times=-(B(r + 2) * inverse(a, r + 1))),
        ),
    ))  # fmt: skip


def decreasing_suffices(label: str, a: Fn, fact: str, falls: str) -> Step:
    """The growth falls if the weights do: B_{r+1}^2 - B_r B_{r+2} = B_r (a_r - a_{r+1}) + a_r^2."""
    B = distance_sum(a)
    both = (use("1 / B > 0", "r"), use("1 / B > 0", r + 1))
    at_r = use(fact, "r", parts="nonnegative")
    return Step(label, growth(a), Nonnegative(
        (item(use("B > 0", "r"), use(falls, "r"), *both), item(at_r, at_r, *both)),
        (
            item(use("B / B", r + 1), times=B(r + 1) * inverse(a, r)),
            item(use("B / B", "r"), times=-(B(r + 2) * inverse(a, r + 1))),
        ),
    ))  # fmt: skip


# --- (e) two distance kernels ---------------------------------------------------------------------


def compared(label: str, a: Fn, b: Fn, falls: str) -> Step:
    """F_a(i, k) <= F_b(i, k), i and k fixed, from the facts named B (of a) and C (of b) and the ratio C / B falling."""
    B, C = distance_sum(a), distance_sum(b)
    up = Relation("<=", tail(distance(a))("i", "k"), tail(distance(b))("i", "k"))
    first = i - k + 1
    return Step(label, up, Cases(
        k, i,
        (Step("up to the diagonal", up, Nonnegative(  # (C_f / B_f - C_i / B_i) B_f / C_i, f = i - k + 1
            (item(use("B > 0", first), use("1 / C > 0", "i"), use(falls, "r"), over=(("r", first, i - 1),)),),
            (
                item(use("B / B", first), times=C(first) * inverse(b, i)),
                item(use("C / C", "i"), times=-(B(first) * inverse(a, i))),
            ),
        )),),
        (Step("beyond it", up, Nonnegative(())),),
    ))  # fmt: skip


def compared_conversely(label: str, a: Fn, b: Fn, fact: str) -> Step:
    """The ratio C / B falls, from A_a ≼ A_b cited as ``fact``: the tail k = 2 of row r + 1."""
    C = distance_sum(b)
    return Step(label, sums_ratio(a, b), Nonnegative(
        (item(use(fact, r + 1, 2), use("C > 0", r + 1), use("1 / B > 0", "r")),),
        (
            item(use("C / C", r + 1), times=C("r") * inverse(a, r)),
            item(use("B / B", "r"), times=-(C(r + 1) * inverse(a, r + 1))),
        ),
    ))  # fmt: skip


def cross_suffices(label: str, a: Fn, b: Fn, cross: str) -> Step:
    """The ratio C / B falls: C_r B_{r+1} - C_{r+1} B_r = sum_{d < r} (b_d a_r - b_r a_d)."""
    C = distance_sum(b)
    both = (use("1 / B > 0", "r"), use("1 / B > 0", r + 1))
    return Step(label, sums_ratio(a, b), Nonnegative(
        (item(use(cross, "r", "d"), *both, over=(("d", 0, r - 1),)),),
        (
            item(use("B / B", r + 1), times=C("r") * inverse(a, r)),
            item(use("B / B", "r"), times=-(C(r + 1) * inverse(a, r + 1))),
        ),
    ))  # fmt: skip
