"""What is fixed and known where a step stands, and the refusal of a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from proofs.region import Region
from proofs.sameness import narrowed
from proofs.term import Formula, Range

__all__ = ["Refused", "Scope"]


class Refused(Exception):
    """A step was not accepted; the message names the step and says why."""


@dataclass(frozen=True)
class Scope:
    """What is fixed and known at a step: index constraints, names in use, and facts by label."""

    region: Region
    names: frozenset[str]
    facts: Mapping[str, Formula]

    def fix(self, name: str) -> Scope:
        if name in self.names:
            raise Refused(f"the name '{name}' is already in use")
        return replace(self, names=self.names | {name})

    def know(self, label: str, fact: Formula) -> Scope:
        if label in self.facts:
            raise Refused(f"the label '{label}' is already in use")
        return replace(self, facts={**self.facts, label: fact})

    def within(self, rng: Range) -> Scope | None:
        """The scope with the variable of a range fixed in it; None where the range is empty."""
        region = narrowed(self.region, rng)
        return None if region is None else replace(self.fix(rng.var), region=region)

    def known(self, names: frozenset[str]) -> None:
        """Refuse names that are not fixed here."""
        if not names <= self.names:
            raise Refused(f"nothing is known of {', '.join(sorted(names - self.names))}")
