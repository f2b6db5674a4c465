"""``posbias derive`` in numbers: entries at any n and T, as rationals or as decimals whose digits are proven."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from numeric.nearest import nearest
from numeric.number import read_fraction
from numeric.refuse import flag, refusal
from proofs.commands.derive_options import Wanted, read_weights
from proofs.commands.options import Typed, renamed
from proofs.output import Outcome, as_json, write_stream

if TYPE_CHECKING:
    from numeric.entry_law import Law
    from numeric.prefix_form import LazyRows

__all__ = ["most_digits", "read_law", "run"]

LENGTH, LAYERS = ("-n", "--length"), ("-T", "--layers")
MOST_POSITIONS = MOST_LAYERS = 100_000
MOST_RATIONAL_DIGITS = 2_000_000  # of all entries together
MOST_SECONDS = 30.0
MOST_EXACT = 20_000  # nodes of a rational entry, which takes their number squared
MOST_STEPS = 10_000_000  # of a sweep; they take longer than MOST_SECONDS, and so might a closer estimate
MOST_DROP = 200_000  # of ln p_j along a row
OWN = {"prefix": "weights", "alibi": "slope", "content": "e"}  # kernel -> the option that makes it numbers


@dataclass(frozen=True)
class Question:
    """What was asked, read: the kernel and the law of K, positions counted from 1."""

    kind: str
    kernel: LazyRows
    law: Law
    shares: tuple[Fraction, ...] | None  # λ_1 … λ_T where they are rationals
    n: int
    positions: tuple[int, ...]
    digits: int | None
    about: tuple[str, ...]  # lines that say what the kernel and λ are

    @property
    def whole(self) -> bool:
        """Whether every entry was asked for."""
        return len(self.positions) == self.n


def run(wanted: Wanted, typed: Typed, form_of: str) -> Outcome:
    """The entries in the format wanted; on standard error, by what they are proven."""
    asked = _question(wanted, typed)
    _refuse_excess(asked, typed)
    _refuse_small(asked)
    with renamed(digits="--digits"):
        entries = _row(asked) if asked.whole else [_entry(asked, j) for j in asked.positions]
    if form_of == "json":
        return Outcome(as_json(_json(asked, entries)))
    write_stream(sys.stderr, _checked(asked, asked.whole))
    write = {"text": _text, "latex": _latex, "python": _python}
    return Outcome(write[form_of](asked, entries))


def _checked(asked: Question, whole: bool) -> str:
    if asked.digits is not None:
        return "digits: each proven by balls (flint), and mpmath agrees at two precisions"
    return f"sum of the entries: {'1, checked exactly' if whole else 'not checked, the others being left out'}"


def _row(asked: Question) -> list[Fraction | str]:
    """Every entry by one sweep; p_n of a rational row is computed by its closed form as well."""
    from numeric.row_form import exact_row, row_digits

    if asked.digits is not None:
        return list(row_digits(asked.kernel, asked.law, n=asked.n, digits=asked.digits))
    assert asked.shares is not None  # refused in `_question`
    row = exact_row(asked.kernel, asked.shares, n=asked.n)
    if sum(row) != 1 or row[-1] != _entry(asked, asked.n):
        raise ArithmeticError("The row contradicts its sum or the closed form of its last entry, so one is wrong.")
    return list(row)


def _entry(asked: Question, j: int) -> Fraction | str:
    if asked.digits is None:
        from numeric.exact_form import exact_entry

        assert asked.shares is not None  # refused in `_question`
        return exact_entry(asked.kernel, asked.shares, n=asked.n, j=j)
    from numeric.decimal_form import digits_of

    if _sooner_by_row(asked, asked.digits):
        return str(_row(asked)[j - 1])
    return digits_of(asked.kernel, asked.law, n=asked.n, j=j, digits=asked.digits)


# --- the question ---------------------------------------------------------------------------------------------------


def _question(wanted: Wanted, typed: Typed) -> Question:
    given = wanted.numbers
    kernel, about = _kernel(wanted)
    n = _length(wanted, typed, kernel.size)
    law, shares, told = read_law(wanted, typed)
    entry = typed.whole(wanted.entry, 1, n, "--entry")
    digits = typed.whole(given.digits, 1, most_digits(), "--digits")
    irrational = "" if kernel.exact else "a slope"
    if shares is None:
        irrational = irrational or ("a continuous depth" if given.depth is not None else "this rule for lambda")
    if digits is None and irrational:
        raise flag("--digits", "be given", "left out", f"{irrational} makes the entries irrational")
    positions = tuple(range(1, n + 1)) if entry is None else (entry,)
    return Question(wanted.kernel, kernel, law, shares, n, positions, digits, (about, *told))


def most_digits() -> int:
    from numeric.decimal_form import MOST_DIGITS

    return MOST_DIGITS


def _kernel(wanted: Wanted) -> tuple[LazyRows, str]:
    from numeric.prefix_form import AlibiRows, PrefixRows

    kind, given = wanted.kernel, wanted.numbers
    if kind not in ("uniform", *OWN):
        known = ("uniform", *OWN)
        raise refusal("--kernel", f"be one of {', '.join(known)} for numbers", kind, nearest(kind, known))
    for other, name in OWN.items():
        value = getattr(given, name)
        if other != kind and value is not None:
            raise refusal(f"--{name}", f"be left out unless the kernel is {other}", value)
        if other == kind and value is None:
            raise flag(f"--{name}", "be given", "left out", f"the numbers of the {kind} kernel")
    if kind == "prefix":
        assert given.weights is not None
        weights = read_weights(given.weights)
        listed = ", ".join(map(str, weights[:8])) + (", ..." if len(weights) > 8 else "")
        return PrefixRows(weights), f"A[i, j] = w_j/(w_1 + ... + w_i), w = {listed}"
    if kind == "alibi":
        assert given.slope is not None
        slope = read_fraction(given.slope, "--slope")
        if abs(slope) > 700:
            raise refusal("--slope", "lie in [-700, 700]", slope)
        return AlibiRows(slope), f"A[i, j] = q^(j-1)/(1 + q + ... + q^(i-1)), q = exp({slope})"
    if kind == "content":
        assert given.e is not None
        e = read_fraction(given.e, "--e")
        if e <= 0:
            raise refusal("--e", "be positive", e)
        return PrefixRows(None, e), f"A[i, i] = e/(i-1+e), A[i, j] = 1/(i-1+e) for j < i, e = {e}"
    return PrefixRows(), "A[i, j] = 1/i"


def _length(wanted: Wanted, typed: Typed, size: int | None) -> int:
    name = typed.name(*LENGTH)
    if wanted.length is None and size is None:
        raise flag(name, "be given", "left out")
    if size is not None and size > MOST_POSITIONS:
        raise flag("--weights", f"be at most {MOST_POSITIONS} numbers", f"{size} of them")
    n = size if wanted.length is None else typed.whole(wanted.length, 1, MOST_POSITIONS, *LENGTH)
    assert n is not None
    if size is not None and n != size:
        raise refusal(name, f"be {size}, the number of weights, or left out", n)
    return n


def read_law(wanted: Wanted, typed: Typed) -> tuple[Law, tuple[Fraction, ...] | None, tuple[str, ...]]:
    from numeric.entry_law import Depth, Layers
    from numeric.schedule import read_schedule

    layers = typed.name(*LAYERS)
    if wanted.numbers.depth is not None:
        for name, value in ((layers, wanted.layers), ("--lam", wanted.lam)):
            if value is not None:
                raise refusal(name, "be left out beside --depth", value)
        with renamed(depth="--depth"):
            law = Depth(read_fraction(wanted.numbers.depth, "--depth"))
        return law, None, (f"continuous depth S = {law.depth}: p is the last row of exp(S (A - I))",)
    T = typed.whole(wanted.layers, 0, MOST_LAYERS, *LAYERS)
    if T is None:
        raise flag(layers, "be given", "left out")
    if wanted.lam in (None, "lambda"):
        raise flag("--lam", "be numbers", "left out" if wanted.lam is None else "a symbol", "entries that are numbers")
    with renamed(**dict.fromkeys(("lam", "c", "r", "beta", "layer"), "--lam")):
        at = Layers(read_schedule(wanted.lam or ""), T)
        shares = at.shares()
        if shares is None:
            at.lam.values(T)  # what is no schedule of T layers is refused here
    return at, shares, (_mixing(wanted.lam or "", shares),)


def _mixing(text: str, shares: tuple[Fraction, ...] | None) -> str:
    if shares is None or (len(shares) > 12 and len(set(shares)) > 1):
        return f"λ by {text.strip()!r}" if text.isprintable() else "λ as given"
    if len(shares) > 1 and len(set(shares)) == 1:
        return f"λ_t = {shares[0]} for every layer"
    return ", ".join(f"λ_{t} = {x}" for t, x in enumerate(shares, start=1)) or "no layers"


def _refuse_excess(asked: Question, typed: Typed) -> None:
    """What would be too long is refused before any work."""
    name, size = typed.name(*LENGTH), asked.n
    at = asked.positions[0]
    within = f"keep the work within {MOST_SECONDS:g} seconds"
    hint = "; --digits gives decimals" if asked.digits is None else ""
    if (asked.digits is None and size - at >= MOST_EXACT) or (asked.whole and size * asked.law.steps > MOST_STEPS):
        raise flag(name, within, str(size), f"{'every position' if asked.whole else f'entry {at}'}{hint}")
    if asked.digits is None:
        seconds = _exact_seconds(asked, name)
    else:
        seconds = _decimal_seconds(asked, asked.digits)
        hint = "; --entry gives one position" if asked.whole and size > 1 else ""
    if seconds > MOST_SECONDS:
        raise flag(name, within, str(size), f"about {seconds:.0f} seconds{hint}")


def _exact_seconds(asked: Question, name: str) -> float:
    from numeric.exact_form import exact_size
    from numeric.row_form import exact_row_seconds

    assert asked.shares is not None
    digits, seconds = exact_size(asked.kernel, asked.shares, n=asked.n, j=asked.positions[0])
    digits *= len(asked.positions)
    if digits > MOST_RATIONAL_DIGITS:
        limit = f"keep the rationals within {MOST_RATIONAL_DIGITS:,} digits"
        raise flag(name, limit, str(asked.n), f"up to {digits:,} digits; --digits gives decimals")
    return exact_row_seconds(asked.kernel, asked.shares, n=asked.n) if asked.whole else seconds


def _decimal_seconds(asked: Question, digits: int) -> float:
    from numeric.decimal_form import seconds_for
    from numeric.row_form import row_seconds

    if asked.whole or _sooner_by_row(asked, digits):
        return row_seconds(asked.kernel, asked.law, n=asked.n, digits=digits)
    return seconds_for(asked.law, n=asked.n, j=asked.positions[0], digits=digits)


def _sooner_by_row(asked: Question, digits: int) -> bool:
    """Many layers and few positions: an entry by itself takes the square of the layers."""
    from numeric.decimal_form import seconds_for
    from numeric.row_form import row_seconds

    if asked.n * asked.law.steps > MOST_STEPS:
        return False
    alone = seconds_for(asked.law, n=asked.n, j=asked.positions[0], digits=digits)
    return alone > 1 and row_seconds(asked.kernel, asked.law, n=asked.n, digits=digits) < alone


def _refuse_small(asked: Question) -> None:
    """Entries of 10^−100000 would be written by way of rationals of that many digits."""
    slope = abs(Fraction(getattr(asked.kernel, "slope", 0)))
    if slope * (asked.n - 1) > MOST_DROP:
        raise refusal("--slope", f"be at most {MOST_DROP} / (n - 1) in size", slope, f"n = {asked.n}")


# --- the answer -----------------------------------------------------------------------------------------------------


def _shown(value: Fraction | str) -> str:
    from proofs.closed_form_text import TextWriter

    return value if isinstance(value, str) else TextWriter(()).number(value, alone=True)


def _headline(asked: Question) -> str:
    depth = getattr(asked.law, "depth", None)
    if depth is not None:
        return f"last row p of exp(S (A - I)); n = {asked.n}, S = {depth}; {asked.kind} kernel"
    shared = "" if asked.kind == "uniform" or asked.law.steps < 2 else ", shared by the layers"
    size = f"n = {asked.n}, T = {asked.law.steps}"
    return f"last row p of R_T ... R_1, R_t = (1 - λ_t) I + λ_t A_t; {size}; {asked.kind} kernel{shared}"


def _text(asked: Question, entries: list[Fraction | str]) -> str:
    lines = [_headline(asked), *(line for line in asked.about if not line.startswith("continuous")), ""]
    for j, value in zip(asked.positions, entries, strict=True):
        shown = _shown(value)
        lines.append(f"p_{j} = {shown}" if len(shown) < 90 else f"p_{j} =\n    {shown}")
    return "\n".join(lines)


def _latex(asked: Question, entries: list[Fraction | str]) -> str:
    from proofs.latex_numbers import number_rows

    pairs = zip(asked.positions, entries, strict=True)
    rows = " \\\\\n".join(number_rows(f"p_{{{j}}}", x) for j, x in pairs)
    notes = [f"% {line.replace('λ', 'lambda')}" for line in (_headline(asked), *asked.about)]
    return "\n".join([*notes, r"\begin{align*}", rows, r"\end{align*}"])


def _python(asked: Question, entries: list[Fraction | str]) -> str:
    """A function without arguments: Fractions, or Decimals where digits were asked for."""
    name = "profile" if len(entries) == asked.n else f"entry_{asked.positions[0]}"
    told = "\n    ".join(line.replace("λ", "lambda") for line in (_headline(asked), *asked.about))
    where = "fractions import Fraction" if asked.digits is None else "decimal import Decimal"
    values = [_in_python(x) for x in entries]
    result = values[0] if name != "profile" else f"({', '.join(values)}{',' if len(values) == 1 else ''})"
    return f'def {name}():\n    """{told}"""\n    from {where}\n\n    return {result}'


def _in_python(value: Fraction | str) -> str:
    if isinstance(value, str):
        return f"Decimal('{value}')"
    # Python refuses to read integers of more than 4300 decimal digits
    above, below = (str(x) if abs(x) < 10**4000 else hex(x) for x in value.as_integer_ratio())
    return f"Fraction({above}, {below})"


def _json(asked: Question, entries: list[Fraction | str]) -> dict[str, Any]:
    from proofs.latex_numbers import shown_number

    depth = getattr(asked.law, "depth", None)
    whole = len(entries) == asked.n and asked.digits is None
    return {
        "n": asked.n,
        "T": None if depth is not None else asked.law.steps,
        "kernel": asked.kind,
        "shared": True,
        "eliminate": None,
        "lam": None if asked.shares is None else [_shown(x) for x in asked.shares],
        "depth": None if depth is None else str(depth),
        "about": [line.replace("λ", "lambda") for line in asked.about],
        "digits": asked.digits,
        "sum": "1" if whole else None,
        "entries": [
            {
                "position": j,
                "text": _shown(x),
                "latex": shown_number(x),
                "terms": 1,
                "exact": None if isinstance(x, str) else _shown(x),
                "decimal": x if isinstance(x, str) else None,
                "numerator": None if isinstance(x, str) else [{"coefficient": _shown(x), "exponents": {}}],
            }
            for j, x in zip(asked.positions, entries, strict=True)
        ],
    }
