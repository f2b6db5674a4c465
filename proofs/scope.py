"""What is fixed and known where a step stands, and the refusal of a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from proofs.region import Region
from proofs.sameness import narrowed
from proofs.term import Formula, Range
from proofs.wellformed import Names, Node, faults, reserved

__all__ = ["Refused", "Scope"]


class Refused(Exception):
    """A step was not accepted; the message names the step and says why."""


@dataclass(frozen=True)
class Scope:
    """What is fixed and known at a step: index constraints, names in use, and facts by label."""

    region: Region
    names: Names
    facts: Mapping[str, Formula]

    def fix(self, name: str, arity: int | None = None) -> Scope:
        """The scope with a new name fixed: an index, or a function of ``arity`` indices."""
        if name in self.names or reserved(name):
            raise Refused(f"the name '{name}' is already in use")
        return replace(self, names={**self.names, name: arity})

    def know(self, label: str, fact: Formula) -> Scope:
        if label in self.facts:
            raise Refused(f"the label '{label}' is already in use")
        return replace(self, facts={**self.facts, label: fact})

    def within(self, rng: Range, var: str | None = None) -> Scope | None:
        """The scope with the variable of a range, or ``var`` in its stead, fixed in it; None where the range is empty.

        The name has to be new first: what is known of another index of that name says nothing of this range.
        """
        fixed = self.fix(rng.var if var is None else var)
        region = narrowed(self.region, rng if var is None else Range(var, rng.low, rng.high))
        return None if region is None else replace(fixed, region=region)

    def known(self, *nodes: Node) -> None:
        """Refuse what is not well formed here, for instance because it has a name that is not fixed."""
        for node in nodes:
            for fault in faults(node, self.names):
                raise Refused(fault)
