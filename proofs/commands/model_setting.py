"""``posbias profile MODEL``: the setting of a model that is loaded and audited; its λ is given, not measured here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numeric.refuse import flag, refusal
from proofs.commands.model import Chosen, load_model
from proofs.commands.options import MOST_POSITIONS, Typed, renamed
from proofs.commands.setting import DEFAULT_LENGTH, Given, Setting, read_mixing, read_rule

if TYPE_CHECKING:
    from numeric.model import Audit

__all__ = ["model_setting"]

MOST_PROBED = 256  # attention weights of all heads at that many positions fit into memory, whatever the model


def model_setting(given: Given, typed: Typed) -> Setting:
    """Kernels as `numeric.model.audit` reads them at the profile's length, at most 256 positions."""
    source, length_name = str(given.source), typed.name("-n", "--length")
    for name, value in (("--slopes", given.slopes), (typed.name("-T", "--layers"), given.layers)):
        if value is not None:
            raise refusal(name, "be left out for a model, which has its own", value)
    if given.lam is None:
        raise flag("--lam", "be given for a model (posbias measure finds it)", "left out")
    read_rule(given.lam)  # what is no rule is refused before a model is loaded
    length = typed.whole(given.length, 4, MOST_POSITIONS, "-n", "--length")
    with renamed(n=length_name, MODEL="SOURCE"):
        loaded = load_model(Chosen(source, given.random_init, family=given.family), typed, name="SOURCE")
        from numeric.model.audit import audit, probed_length

        # the model's limit is on the whole length, not on what is probed
        n = probed_length(
            loaded.config, min(DEFAULT_LENGTH, loaded.limit or DEFAULT_LENGTH) if length is None else length
        )
        found = audit(loaded, n=min(n, MOST_PROBED), name="SOURCE")
        _require_windows(found, n, length_name)
        kernels = found.kernels()
    lam = read_mixing(given.lam, len(kernels))
    heads = found.layers[0].heads
    text = f"read from the modules: {found.layers[0].positions}"
    return Setting(source, n, len(kernels), heads, "audited", text, kernels, lam)


def _require_windows(found: Audit, n: int, name: str) -> None:
    """A window wider than what was probed cannot be seen, and would count from there on."""
    hidden = [said.window for said in found.declared if said.window is not None and found.n <= said.window < n]
    if hidden:
        raise refusal(name, f"be at most {hidden[0]}, the declared window, wider than is probed ({found.n})", n)
