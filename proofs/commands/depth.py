"""``posbias depth``: what a rule for λ does at infinite depth, for one kernel or for many."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from numeric.number import read_fraction
from numeric.refuse import flag, refusal
from proofs.commands.options import Typed, renamed
from proofs.commands.setting import DEFAULT_LENGTH, Given, read_slopes
from proofs.output import Outcome, as_json, printable, table

if TYPE_CHECKING:
    from numeric.depth import Depth, Interval
    from numeric.first_token import Search
    from numeric.shared_kernel import SharedKernel

__all__ = ["Wanted", "run"]

MOST_POSITIONS = 4096
MOST_HEAD_POSITIONS = 500_000  # n times H: a row of all heads must not take seconds
TOLERANCE = Fraction(1, 10**6)  # of a row sum, as in posbias check
DEFAULT_ETA = "0.01"
DIGITS = 10
SMALLEST_NORMAL = Decimal("2.3e-308")  # smaller floats lose digits, and the smallest stands for all that lie below it


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed; None where they were left out."""

    lam: str | None
    kernel: str | None
    heads: str | None
    slope: str | None
    slopes: str | None
    renormalise: bool
    epsilon: str | None
    length: str | None
    layers: str | None
    eta: str | None
    json: bool


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
    kernel, about = _kernel(wanted, typed, length)
    if kernel is None:
        about = "any" if epsilon is None else f"any with 1 - A_ii >= {epsilon} for every layer and row i >= 2"
    size = kernel.size if kernel is not None else length or DEFAULT_LENGTH
    return Question(kernel, about, size, layers, epsilon, eta)


def _within(text: str, name: str, *, closed: bool) -> Fraction:
    value = read_fraction(text, name)
    if not (0 < value < 1 or (closed and value == 1)):
        raise refusal(name, f"lie in (0, 1{']' if closed else ')'}", text)
    return value


def _kernel(wanted: Wanted, typed: Typed, length: int | None) -> tuple[SharedKernel | None, str]:
    """The kernel that --kernel, --slope or --heads names, and how to call it."""
    _require_file(wanted)
    if wanted.kernel is None:
        if wanted.heads is None and wanted.slope is None:
            if wanted.slopes is not None:
                raise refusal("--slopes", "come with --heads", wanted.slopes)
            return None, ""
        return _alibi(wanted, typed, length or DEFAULT_LENGTH)
    for name in ("heads", "slope", "slopes"):
        value = getattr(wanted, name)
        if value is not None:
            raise refusal(f"--{name}", "be left out beside --kernel", value)
    if wanted.kernel == "uniform":
        from numeric.shared_kernel import SoftmaxKernel

        return SoftmaxKernel((0,), length or DEFAULT_LENGTH), "uniform"
    return _from_file(wanted.kernel, wanted.renormalise, length, typed), printable(wanted.kernel)


def _require_file(wanted: Wanted) -> None:
    """--renormalise is for a file alone."""
    if wanted.renormalise and wanted.kernel in (None, "uniform"):
        found = "without" if wanted.kernel is None else "with --kernel uniform, whose rows sum to 1"
        raise flag("--renormalise", "come with --kernel FILE", found)


def _alibi(wanted: Wanted, typed: Typed, length: int) -> tuple[SharedKernel, str]:
    from numeric.shared_kernel import SoftmaxKernel

    if wanted.slopes not in (None, "paper", "model"):
        raise refusal("--slopes", "be 'paper' or 'model'", wanted.slopes)
    given = Given(None, None, None, wanted.heads, wanted.slope, wanted.slopes, None)
    heads, slopes, _, text = read_slopes(given, typed)
    if heads * length > MOST_HEAD_POSITIONS:
        most = MOST_HEAD_POSITIONS // heads
        raise refusal(typed.name("-n", "--length"), f"be at most {most} for {heads} heads", length)
    exact = slopes if wanted.slope is None else [read_fraction(wanted.slope, "--slope")]  # not the float next to it
    with renamed(slopes="--slope"):
        return SoftmaxKernel(list(exact), length), f"ALiBi, {text}"


def _from_file(path: str, renormalise: bool, length: int | None, typed: Typed) -> SharedKernel:
    """One kernel from a file, exactly; -n takes its first positions, which form a causal kernel of their own."""
    from numeric.shared_kernel import RationalKernel
    from proofs.check_kernel import describe
    from proofs.kernel_file import read_kernel

    with renamed(KERNEL="--kernel"):
        file = read_kernel(path)
        if file.count > 1:
            raise flag("--kernel", "be one kernel, shared by all layers", f"{file.count} of them", printable(path))
        found = describe(file, TOLERANCE)
    size = file.size if length is None else length
    if size > file.size:
        raise refusal(typed.name("-n", "--length"), f"be at most {file.size}, the length of the kernel", size)
    if found.row_sum.defect and not renormalise:
        where = f"row {found.row_sum.row}, counted from 1; --renormalise divides each row by its sum"
        raise flag("--kernel", "have rows that sum to exactly 1", f"off by {float(found.row_sum.defect):.3g}", where)
    (layer,) = file.layers()
    rows = []
    for i in range(size):
        numbers = [int(x) for x in layer.row(i)]
        rows.append([Fraction(x, sum(numbers)) for x in numbers] + [Fraction(0)] * (size - 1 - i))
    return RationalKernel(rows)


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
    }


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
    ]  # fmt: skip
    return table(rows)


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
