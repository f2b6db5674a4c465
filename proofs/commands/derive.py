"""``posbias derive``: closed forms of the last row's entries, as text, LaTeX, Python or JSON.

In symbols for small n and T (`proofs.closed_form`), as numbers (derive_numbers.py), and as formulas for every n, T
and j (derive_formula.py): which of them was asked for, and the first.
"""

from __future__ import annotations

import sys

from numeric.number import read_integer
from numeric.refuse import flag, refusal
from proofs.commands.derive_options import Numbers, Wanted, format_of
from proofs.commands.options import Typed, renamed
from proofs.output import Outcome, as_json, write_stream

__all__ = ["Numbers", "Wanted", "run"]

LENGTH, LAYERS = ("-n", "--length"), ("-T", "--layers")
MOST_DOTS = 10**9  # no row has as many terms


def run(wanted: Wanted, typed: Typed) -> Outcome:
    """The closed form in the format wanted; on standard error, what was checked."""
    form_of = format_of(wanted)
    if wanted.eliminate is not None and wanted.kernel != "general":
        raise refusal("--eliminate", "be left out unless the kernel is general", wanted.eliminate)
    if wanted.numbers.at is not None and not wanted.continuous:
        raise refusal("--at", "be left out unless --continuous is given", wanted.numbers.at)
    if wanted.dots is not None and not _is_a_sum(wanted):
        raise refusal("--dots", "be left out where n or T is a letter and where the entries are numbers", wanted.dots)
    if wanted.continuous and (wanted.numbers.at is not None or wanted.numbers.digits is not None):
        from proofs.commands import derive_limit

        return derive_limit.run(wanted, typed, form_of)
    if wanted.continuous or _has_letters(wanted):
        from proofs.commands import derive_formula

        return derive_formula.run(wanted, typed, form_of)
    if _has_numbers(wanted):
        from proofs.commands import derive_numbers

        return derive_numbers.run(wanted, typed, form_of)
    return _symbols(wanted, typed, form_of)


def _has_letters(wanted: Wanted) -> bool:
    given = (wanted.length, wanted.layers, wanted.entry, wanted.numbers.depth)
    letters = ("n", "T", "j", "S")
    return any(text is not None and text.strip() in letters for text in given)


def _is_a_sum(wanted: Wanted) -> bool:
    """Whether the entries are sums in symbols, which may be long."""
    return not (wanted.continuous or _has_letters(wanted) or _has_numbers(wanted))


def _has_numbers(wanted: Wanted) -> bool:
    """Whether the entries have no symbol in them: no need of polynomials."""
    return wanted.numbers != Numbers() or (wanted.kernel == "uniform" and wanted.lam not in (None, "lambda"))


def _symbols(wanted: Wanted, typed: Typed, form_of: str) -> Outcome:
    length, layers = typed.name(*LENGTH), typed.name(*LAYERS)
    n, T = _given(wanted.length, length), _given(wanted.layers, layers)
    entry = None if wanted.entry is None else read_integer(wanted.entry, "--entry")
    dots = typed.whole(wanted.dots, 1, MOST_DOTS, "--dots")
    names = {"n": length, "T": layers, "kernel": "--kernel", "entry": "--entry", "eliminate": "--eliminate"}
    with renamed(**names, **dict.fromkeys(("lam", "c", "r", "beta", "layer"), "--lam")):
        from numeric.schedule import read_schedule
        from proofs.closed_form import ONE, derive

        lam = wanted.lam if wanted.lam in (None, ONE) else read_schedule(wanted.lam)
        eliminate = wanted.eliminate or "first"
        form = derive(n, T, kernel=wanted.kernel, shared=wanted.shared, lam=lam, eliminate=eliminate, entry=entry)
    shown = {"text": form.text, "latex": lambda: form.latex(dots=dots), "python": form.python}
    text = as_json(form.json()) if form_of == "json" else shown[form_of]()
    if form_of != "json":
        sums = "1, checked exactly" if form.sums_to_one else "not checked, the other entries being too long"
        write_stream(sys.stderr, f"sum of the entries: {sums}")
    return Outcome(text)


def _given(text: str | None, name: str) -> int:
    if text is None:
        raise flag(name, "be given", "left out")
    return read_integer(text, name)
