"""The certificate of ``posbias verify --certificate FILE``: what was checked, as data that can be checked again.

    {"format", "claims", "beyond", "definitions", "statements": [{"id", "count", "entries", "vertices"}]}

A statement's entries are its hypotheses, every step of its derivation and the closed claim; each has its formula, its
scope, for a leaf its reason, and what it amounts to in polynomials at one of three small sizes; last stands, under
another label, what the closed claim says of any functions and indices.  Statements that others
rest on come along, without vertices.  ``beyond``: the constructs that the second opinion does not know.  Everything is
an exact integer or rational, nothing a digest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proofs.certificate_amounts import Amounts
from proofs.certificate_entries import By, Entry, Place, entries
from proofs.certificate_nodes import Nodes, index_node
from proofs.certificate_vertices import vertex_entries
from proofs.exhaustive import QUICK_POSITIONS
from proofs.ledger import LEDGER, earlier_claims, resting_on
from proofs.recheck import FORMAT, RULES, SIZES
from proofs.vertex_plans import PLANS

__all__ = ["certificate"]


def certificate(ids: Sequence[str], *, quick: bool = False) -> bytes:
    """The certificate of the statements and of what they rest on, as JSON; the same bytes on every run."""
    nodes, amounts = Nodes(), {size: Amounts(*at) for size, at in SIZES.items() if at[0] > 1}
    names = resting_on(ids)
    statements = [_statement(name, nodes, amounts, vertices=name in ids, quick=quick) for name in names]
    definitions = nodes.definitions()
    content = {
        "format": FORMAT,
        "claims": [name for name in names if name in ids],
        "beyond": sorted(nodes.beyond),
        "definitions": definitions,
        "statements": statements,
    }
    return (json.dumps(content, separators=(",", ":"), allow_nan=False) + "\n").encode("ascii")


def _statement(
    name: str, nodes: Nodes, amounts: Mapping[str, Amounts], *, vertices: bool, quick: bool
) -> dict[str, Any]:
    found = entries(LEDGER[name], earlier_claims(name))
    counted: dict[str, Any] = {}
    if vertices:
        plan = PLANS.get(name)
        up_to = 0 if plan is None else min(plan.max_n, QUICK_POSITIONS) if quick else plan.max_n
        counted = vertex_entries(name, up_to)
    return {
        "id": name,
        "count": len(found),
        "entries": [_entry(entry, nodes, amounts) for entry in found],
        "vertices": counted,
    }


def _entry(entry: Entry, nodes: Nodes, amounts: Mapping[str, Amounts]) -> dict[str, Any]:
    written: dict[str, Any] = {
        "label": entry.label,
        "scope": [_place(place) for place in entry.scope],
        "facts": dict(entry.facts),
        "says": nodes.formula(entry.says),
    }
    if entry.by is not None:
        written["by"] = _by(entry.by, entry, nodes)
    written["size"], written["amounts"] = _amounts(entry, amounts)
    return written


def _place(place: Place) -> list[Any]:
    return [place.var, index_node(place.low), None if place.high is None else index_node(place.high)]


def _by(by: By, entry: Entry, nodes: Nodes) -> list[Any]:
    facts = dict(entry.known)
    if by.rule == "sum":
        return ["sum", *([nodes.item(item, facts) for item in items] for items in (by.products, by.modulo))]
    if by.rule in RULES:
        return [by.rule, *(nodes.use(source, facts) for source in by.uses)]
    nodes.beyond.add(by.rule)
    return [by.rule]


def _amounts(entry: Entry, amounts: Mapping[str, Amounts]) -> tuple[str, Any]:
    """The name of a size and what the entry amounts to there.

    The first size at which nothing is zero, of what is stated and of its multiples; else that with the fewest zeros.
    """
    best: tuple[int, str, Any] = (-1, "", None)
    for size, at in amounts.items():
        found = at.entry(entry)
        seen = len(_nonzero(found))
        if seen > best[0]:
            best = seen, size, found
        if seen == _all(entry):
            break
    return best[1:]


def _all(entry: Entry) -> int:
    """How much of an entry can be other than zero: a place, what is stated there, its multiples."""
    by = entry.by
    leaf = by is not None and by.rule in RULES and by.rule not in ("same", "both")
    return 2 + (len(by.products) + len(by.modulo) + len(by.uses) if by is not None and leaf else 0)


def _nonzero(places: Sequence[Any]) -> set[object]:
    """Which of what an entry amounts to is no zero polynomial somewhere: what it states, and its multiples in order."""
    found = set[object]()
    for _, _, stated, *leaf in places:
        found |= {"stated"} if _somewhere(stated) else set()
        found |= {count for items in _lists(leaf) for count, item in enumerate(items) if item}
    return found | ({"place"} if places else set())


def _somewhere(stated: Any) -> bool:
    """Whether a polynomial among what a formula amounts to is not zero."""
    return bool(stated) if isinstance(stated, dict) else isinstance(stated, list) and any(map(_somewhere, stated))


def _lists(leaf: Any) -> Iterator[list[Any]]:
    """The lists of multiples, below the ranges of a leaf's formula."""
    if leaf and all(isinstance(item, dict) for item in leaf):
        yield leaf
    elif isinstance(leaf, list):
        for inner in leaf:
            yield from _lists(inner)
