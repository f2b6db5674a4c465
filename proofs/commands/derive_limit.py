"""``posbias derive --continuous --at X --digits D``: the limit n → ∞ of the uniform kernel in proven decimals."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from numeric.number import read_fraction
from numeric.refuse import flag, refusal
from proofs.commands.derive_formula import refuse_beside_limit
from proofs.commands.derive_numbers import MOST_SECONDS, most_digits, read_law
from proofs.commands.derive_options import Wanted
from proofs.commands.options import Typed
from proofs.output import Outcome, as_json, write_stream

if TYPE_CHECKING:
    from numeric.entry_law import Law

__all__ = ["run"]


def run(wanted: Wanted, typed: Typed, form_of: str) -> Outcome:
    """The density at x and the atom."""
    refuse_beside_limit(wanted, typed)
    digits = typed.whole(wanted.numbers.digits, 1, most_digits(), "--digits")
    for name, value in (("--at", wanted.numbers.at), ("--digits", digits)):
        if value is None:
            raise flag(name, "be given", "left out", "the density in decimals")
    assert wanted.numbers.at is not None
    assert digits is not None
    x = read_fraction(wanted.numbers.at, "--at")
    if not 0 < x < 1:
        raise refusal("--at", "lie in (0, 1)", x)
    if form_of == "python":
        raise flag("--format", "be text, latex or json here", "python", "a limit")
    law, shares, about = read_law(wanted, typed)
    _refuse_long(law, digits)
    from numeric.limit_form import atom_digits, density_digits
    from proofs.latex_letters import number
    from proofs.latex_numbers import number_rows, shown_number

    density, atom = density_digits(law, x, digits=digits), atom_digits(law, digits=digits)
    if form_of == "json":
        lam = None if shares is None else [str(share) for share in shares]
        depth = wanted.numbers.depth
        entries = [
            {"position": name, "text": shown, "latex": shown_number(shown), "terms": 1, "decimal": shown}
            for name, shown in (("density", density), ("atom", atom))
        ]
        head = {"n": "infinity", "T": None if depth else law.steps, "kernel": "uniform", "lam": lam, "depth": depth}
        return Outcome(as_json({**head, "at": str(x), "digits": digits, "sum": None, "entries": entries}))
    write_stream(sys.stderr, "digits: each proven by balls (flint), and mpmath agrees on the density at two precisions")
    headline = "limit n -> infinity of n p_j at x = j/n; uniform kernel"
    if form_of == "latex":
        rows = " \\\\\n".join([number_rows(f"f({number(x)})", density), number_rows("a", atom)])
        notes = [f"% {line.replace('λ', 'lambda')}" for line in (headline, *about)]
        return Outcome("\n".join([*notes, r"\begin{align*}", rows, r"\end{align*}"]))
    return Outcome("\n".join([headline, *about, "", f"density f({x}) = {density}", f"atom a = {atom}"]))


def _refuse_long(law: Law, digits: int) -> None:
    from numeric.decimal_form import seconds_for
    from numeric.entry_law import Depth

    seconds = 1e-4 * law.steps if isinstance(law, Depth) else seconds_for(law, n=2, j=1, digits=digits)
    if seconds > MOST_SECONDS:
        limit = f"keep the work within {MOST_SECONDS:g} seconds"
        raise flag("--digits", limit, str(digits), f"about {seconds:.0f} seconds")
