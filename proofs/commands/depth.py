"""``posbias depth``: what a rule for λ does at infinite depth, for one kernel or for many."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from numeric.number import read_fraction
from numeric.refuse import flag, refusal
from proofs.commands.depth_kernel import MOST_POSITIONS, Wanted, read_kernel
from proofs.commands.options import Typed, renamed
from proofs.commands.setting import DEFAULT_LENGTH
from proofs.output import Outcome, as_json, printable, table

if TYPE_CHECKING:
    from numeric.depth import Depth, Interval
    from numeric.first_token import Search
    from numeric.guarantee import Guarantee
    from numeric.shared_kernel import SharedKernel

__all__ = ["Wanted", "run"]

DEFAULT_ETA = "0.01"
DIGITS = 10
SMALLEST_NORMAL = Decimal("2.3e-308")  # smaller floats lose digits, and the smallest stands for all that lie below it


@dataclass(frozen=True)
class Question:
    """What was asked: the numbers behind the words, and the words to print."""

    kernel: SharedKernel | None
    about: str
    length: int
    layers: int | None
    epsilon: Fraction | None
    eta: Fraction


def run(wanted: Wanted, typed: Typed) -> Outcome:
    """The verdict and the bounds as text or JSON."""
    from numeric.depth import depth
    from numeric.schedule import read_schedule

    if wanted.lam is None:
        raise flag("--lam", "be given", "left out")
    with renamed(**dict.fromkeys(("lam", "c", "r", "layer"), "--lam")):
        lam = read_schedule(wanted.lam)
    asked = _question(wanted, typed)
    names = {"n": typed.name("-n", "--length"), "layers": typed.name("-T", "--layers")}
    with renamed(epsilon="--epsilon", eta="--eta", lam="--lam", **names):
        found = depth(
            lam, n=asked.length, kernel=asked.kernel, epsilon=asked.epsilon, layers=asked.layers, eta=asked.eta
        )
    return Outcome(as_json(_json(wanted, asked, found)) if wanted.json else _text(wanted, asked, found))


# --- the question ---------------------------------------------------------------------------------------------------


def _question(wanted: Wanted, typed: Typed) -> Question:
    from numeric.first_token import DEEPEST

    length = typed.whole(wanted.length, 1, MOST_POSITIONS, "-n", "--length")
    layers = typed.whole(wanted.layers, 0, DEEPEST, "-T", "--layers")
    epsilon = None if wanted.epsilon is None else _within(wanted.epsilon, "--epsilon", closed=True)
    eta = _within(DEFAULT_ETA if wanted.eta is None else wanted.eta, "--eta", closed=False)
    kernel, about = read_kernel(wanted, typed, length)
    if kernel is None:
        about = "any" if epsilon is None else f"any with 1 - A_ii >= {epsilon} for every layer and row i >= 2"
    size = kernel.size if kernel is not None else length or DEFAULT_LENGTH
    return Question(kernel, about, size, layers, epsilon, eta)


def _within(text: str, name: str, *, closed: bool) -> Fraction:
    value = read_fraction(text, name)
    if not (0 < value < 1 or (closed and value == 1)):
        raise refusal(name, f"lie in (0, 1{']' if closed else ')'}", text)
    return value


# --- the answer -----------------------------------------------------------------------------------------------------


def _json(wanted: Wanted, asked: Question, found: Depth) -> dict[str, Any]:
    answer, needed = found.dichotomy, found.needed
    return {
        "lam": wanted.lam,
        "kernel": asked.about,
        "length": asked.length,
        "layers": asked.layers,
        "verdict": answer.verdict,
        "statements": list(answer.statements),
        "reason": answer.reason,
        "would_decide": answer.needed or None,
        "diagonal": [found.diagonal.lo, found.diagonal.hi],
        "first_token": [found.first_token.lo, found.first_token.hi],
        "eta": str(asked.eta),
        "layers_needed": None if needed is None else needed.layers,
        "layers_needed_by": found.by,
        "layers_needed_outcome": "unknown" if needed is None else needed.outcome,
        "layers_needed_bounds": None if needed is None else _bracket(needed),
        "guarantees": [
            {
                "statement": g.statement, "side": g.side, "rate": g.rate,
                "layers": g.search.layers, "layers_bounds": _bracket(g.search),
            }
            for g in found.guarantees
        ],
    }  # fmt: skip


def _bracket(needed: Search) -> list[int | None] | None:
    """The least and the largest T that are possible, None where the largest is not known; null where T is none."""
    return None if needed.outcome == "never" else [needed.above + 1, needed.upto]


def _text(wanted: Wanted, asked: Question, found: Depth) -> str:
    answer = found.dichotomy
    rows = [
        ("lambda", printable(wanted.lam or "")),
        ("kernel", asked.about),
        ("length", str(asked.length)),
        ("verdict", f"{answer.verdict} ({', '.join(answer.statements)})"),
        ("reason", answer.reason),
        *([("would decide", answer.needed)] if answer.needed else []),
        ("diagonal", f"lim P_nn {_shown(found.diagonal)}"),
        ("first token", f"{'lim P_n1' if asked.layers is None else f'P_n1 at T = {asked.layers}'} "
                        f"{_shown(found.first_token)}"),
        ("layers needed", _needed(asked, printable((wanted.eta or DEFAULT_ETA).strip()), found)),
        *_guaranteed(found.guarantees),
    ]  # fmt: skip
    return table(rows)


def _guaranteed(found: tuple[Guarantee, ...]) -> list[tuple[str, str]]:
    """What bounds that look at single rows say of the layers needed, the sharpest first."""
    enough = [g for g in found if g.side == "enough" and g.search.outcome != "never"]
    least = max((g for g in found if g.side == "at least"), key=lambda g: g.search.above, default=None)
    if not enough:
        return []  # where no depth is enough there is nothing to count
    rows = [("proven enough", _listed(enough))]
    return rows if least is None else [*rows, ("proven needed", f"{least.search.above + 1} ({least.statement})")]


def _listed(enough: list[Guarantee]) -> str:
    """Each depth with the statements that give it; which are the sharpest, where they are not all alike."""
    names: dict[tuple[bool, int], list[str]] = {}
    for g in enough:
        beyond = g.search.upto is None
        names.setdefault((beyond, g.search.above if g.search.upto is None else g.search.upto), []).append(g.statement)
    depths = sorted(names)
    listed = ", ".join(f"{'more than ' * beyond}{at} ({', '.join(names[beyond, at])})" for beyond, at in depths)
    first = names[depths[0]]
    if len(depths) == 1 or depths[0][0]:
        return listed
    return f"{listed}; {' and '.join(first)} {'is' if len(first) == 1 else 'are'} the sharpest"


def _shown(interval: Interval) -> str:
    """An interval in decimals, rounded outward once more; what no float tells from 0 in words."""
    low, high = Decimal(interval.lo), Decimal(interval.hi)
    if low == 0 < high < SMALLEST_NORMAL:
        return f"at most {_plain(Context(prec=1, rounding=ROUND_CEILING).plus(high))}, too small to tell from 0"
    down = Context(prec=DIGITS, rounding=ROUND_FLOOR).plus(low)
    up = Context(prec=DIGITS, rounding=ROUND_CEILING).plus(high)
    if down == up:
        return f"= {_plain(down)}"
    return f"in [{_plain(down)}, {_plain(up)}]"


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}" if value == 0 or value >= Decimal("1e-4") else f"{value.normalize():e}"


def _needed(asked: Question, eta: str, found: Depth) -> str:
    goal, needed = f"P_n1 >= 1 - {eta}", found.needed
    if needed is None:
        return f"unknown for {goal}: give a kernel or --epsilon"
    if found.by == "I2":
        return f"never {goal}, whatever the kernels (I2): the limit is smaller"
    exact = found.by != "I5"
    goal = goal if exact else f"the bound of I5 gives {goal}"
    match needed.outcome:
        case "found":
            return f"{needed.layers}, the smallest T at which {goal}"
        case "never":
            return f"never {goal}: the limit is smaller" if exact else f"at no T {goal}, which does not exclude it"
        case "beyond":
            return f"more than {needed.above} until {goal}; deeper was not looked"
    known = f"more than {needed.above}" + ("" if needed.upto is None else f", at most {needed.upto}")
    return f"{known} until {goal}; no comparison decided the rest"
