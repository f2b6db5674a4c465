"""The ledger: every statement, in reading order.  A statement may cite only those before it."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from proofs.statement import Statement
from proofs.steps import cited_facts
from proofs.term import Formula

__all__ = ["LEDGER", "earlier_claims", "resting_on", "statements_before"]

_READING_ORDER = (
    "closure",
    "summation_by_parts",
    "monotone_order_preserving",
    "closure_of_monotonicity",
    "comparison",
    "coupling",
    "order_polytope",
    "causal_mask_primacy",
    "residual_recency",
    "positional_bias_recency",
    "content_recency",
    "one_weight_family",
    "layer_order",
    "robust_drift",
    "exponential_series",
    "number_of_hops",
    "one_crossing",
    "profile_decomposition",
    "uniform_profile",
    "prefix_profile",
    "u_criterion",
    "prefix_closed_form",
    "continuum_profile",
    "uniform_shape",
    "alibi_near_the_end",
    "diagonal_law",
    "summable_mixing",
    "divergent_mixing",
    "dichotomy",
    "bare_dichotomy",
    "collapse_rate",
    "special_schedules",
    "mean_position",
    "distance_on_the_line",
    "sinks_and_windows",
    "continuous_depth",
    "continuous_uniform",
    "averaging_gap",
    "correlated_coefficients",
    "second_moments",
    "second_moment_paths",
    "second_moment_ends",
    "second_moment_heads",
    "second_moment_shape",
    "second_moment_drift",
    "prefix_language_model",
    "prefix_block",
    "mixing_coefficient",
)


def _statements() -> dict[str, Statement]:
    found: dict[str, Statement] = {}
    for name in _READING_ORDER:
        statement: Statement = import_module(f"proofs.results.{name}").statement
        if statement.id in found:
            raise ValueError(f"Argument 'id' must be new in the ledger, not {statement.id!r}.")
        found[statement.id] = statement
    return found


LEDGER: dict[str, Statement] = _statements()


def statements_before(statement_id: str) -> tuple[Statement, ...]:
    """The statements before one, in reading order.  Raises `KeyError` for one that is not in the ledger."""
    order = list(LEDGER)
    if statement_id not in LEDGER:
        raise KeyError(statement_id)
    return tuple(LEDGER[name] for name in order[: order.index(statement_id)])


def earlier_claims(statement_id: str) -> dict[str, Formula]:
    """The closed claims of the statements before one, by id: all that its derivation may cite."""
    return {statement.id: statement.claim.closed() for statement in statements_before(statement_id)}


def resting_on(ids: Iterable[str]) -> list[str]:
    """The statements, and those that their derivations cite, directly or not, in reading order."""
    wanted, left = set[str](), list(ids)
    while left:
        name = left.pop()
        if name not in wanted:
            wanted.add(name)
            cited = set(cited_facts(LEDGER[name].derivation))
            left += [lower.id for lower in statements_before(name) if lower.id in cited]
    return [name for name in LEDGER if name in wanted]
