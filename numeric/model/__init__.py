"""Real models: loaded, audited and measured. Needs the extra ``models`` (torch, transformers, accelerate, gguf).

    from numeric.model import load
    loaded = load("folder")            # a folder, a GGUF file, a configuration with random_init=True, or a hub name

family.py    where each architecture keeps its blocks, norms and projections, as data; how to describe another
block.py     one layer of a loaded model: its modules, and which output channels are query, key and value
loading.py   from a name to a model in memory, without running a line of code that comes with it

Names are resolved on first use, so that importing this package loads neither torch nor transformers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numeric.model.block import Block, Channels
    from numeric.model.family import FAMILIES, Family, read_family
    from numeric.model.loading import Loaded, load

_HOME = {
    "Block": "block", "Channels": "block",
    "FAMILIES": "family", "Family": "family", "read_family": "family",
    "Loaded": "loading", "load": "loading",
}  # fmt: skip

__all__ = ["FAMILIES", "Block", "Channels", "Family", "Loaded", "load", "read_family"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"numeric.model.{_HOME[name]}"), name)
