"""``posbias derive``: closed forms of the last row's entries, as text, LaTeX, Python or JSON."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from numeric.number import read_integer
from numeric.refuse import flag, refusal
from proofs.commands.options import Typed, renamed
from proofs.output import Outcome, as_json, write_stream

__all__ = ["Wanted", "run"]

FORMATS = ("text", "latex", "python", "json")


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed; None where they were left out."""

    length: str | None
    layers: str | None
    entry: str | None
    kernel: str
    shared: bool
    lam: str | None
    eliminate: str | None
    format: str | None
    json: bool


def run(wanted: Wanted, typed: Typed) -> Outcome:
    """The closed form in the format wanted; on standard error, whether the sum of the entries was checked."""
    form_of = _format(wanted)
    length, layers = (typed.name(*spellings) for spellings in (("-n", "--length"), ("-T", "--layers")))
    n, T = _given(wanted.length, length), _given(wanted.layers, layers)
    entry = None if wanted.entry is None else read_integer(wanted.entry, "--entry")
    if wanted.eliminate is not None and wanted.kernel != "general":
        raise refusal("--eliminate", "be left out unless the kernel is general", wanted.eliminate)
    names = {"n": length, "T": layers, "kernel": "--kernel", "entry": "--entry", "eliminate": "--eliminate"}
    with renamed(**names, **dict.fromkeys(("lam", "c", "r", "beta", "layer"), "--lam")):
        from numeric.schedule import read_schedule
        from proofs.closed_form import ONE, derive

        lam = wanted.lam if wanted.lam in (None, ONE) else read_schedule(wanted.lam)
        eliminate = wanted.eliminate or "first"
        form = derive(n, T, kernel=wanted.kernel, shared=wanted.shared, lam=lam, eliminate=eliminate, entry=entry)
    shown = {"text": form.text, "latex": form.latex, "python": form.python}
    text = as_json(form.json()) if form_of == "json" else shown[form_of]()
    if form_of != "json":
        sums = "1, checked exactly" if form.sums_to_one else "not checked, the other entries being too long"
        write_stream(sys.stderr, f"sum of the entries: {sums}")
    return Outcome(text)


def _format(wanted: Wanted) -> str:
    if wanted.format is not None and wanted.format not in FORMATS:
        raise refusal("--format", f"be one of {', '.join(FORMATS)}", wanted.format)
    if wanted.json and wanted.format not in (None, "json"):
        raise refusal("--format", "be json or left out beside --json", wanted.format)
    return "json" if wanted.json else wanted.format or "text"


def _given(text: str | None, name: str) -> int:
    if text is None:
        raise flag(name, "be given", "left out")
    return read_integer(text, name)
