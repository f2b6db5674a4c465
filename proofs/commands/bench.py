"""``posbias bench``: which benchmark, and what is refused."""

from __future__ import annotations

from dataclasses import dataclass

from numeric.nearest import nearest
from numeric.refuse import refusal
from proofs.commands.options import Typed
from proofs.output import Outcome

__all__ = ["Wanted", "run"]


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed."""

    what: str
    length: str | None
    layers: str | None
    heads: str | None
    quick: bool
    json: bool


def run(wanted: Wanted, typed: Typed) -> Outcome:
    """The table, or JSON; exit code 1 where two routes differ."""
    from proofs.commands import bench_numeric, bench_symbolic

    if wanted.what == "numeric":
        return bench_numeric.run(wanted, typed)
    if wanted.what != "symbolic":
        near = nearest(wanted.what, ("numeric", "symbolic"))
        raise refusal("WHAT", "be 'numeric' or 'symbolic'", wanted.what, near)
    sized = {("-n", "--length"): wanted.length, ("-T", "--layers"): wanted.layers, ("--heads",): wanted.heads}
    for spellings, text in sized.items():
        if text is not None:
            raise refusal(typed.name(*spellings), "be left out unless WHAT is numeric", text)
    return bench_symbolic.run(wanted.quick, wanted.json)
