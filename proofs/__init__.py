"""posbias: what is claimed of position bias in causal Transformers, and by what evidence.

    from proofs import LEDGER, verify
    LEDGER["D1"].claim            the claim object
    verify("D1").verdict          'proved'

Names resolve on first use, so that importing the package is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofs import counterexample
    from proofs.closed_form import derive
    from proofs.ledger import LEDGER
    from proofs.verification import verify, verify_all

__all__ = ["LEDGER", "counterexample", "derive", "verify", "verify_all"]

_HOMES = {
    "LEDGER": "proofs.ledger",
    "derive": "proofs.closed_form",
    "verify": "proofs.verification",
    "verify_all": "proofs.verification",
}


def __getattr__(name: str) -> object:
    if name == "counterexample":  # a module: find, search
        return import_module("proofs.counterexample")
    if name not in _HOMES:
        raise AttributeError(f"module 'proofs' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *_HOMES, "counterexample"]
