"""Real models: loaded, audited and measured. Needs the extra ``models`` (torch, transformers, accelerate, gguf).

    from numeric.model import load
    loaded = load("folder")            # a folder, a GGUF file, a configuration with random_init=True, or a hub name

family.py    where each architecture keeps its blocks, norms and projections, as data; how to describe another
audit.py     what the loaded modules do (attend.py, plan.py) against what the configuration says (declared.py)
block.py     one layer of a loaded model: its modules, and which output channels are query, key and value
place.py     where a model lies: a folder, a GGUF file, a hub that answers
loading.py   from a name to a model in memory, without running a line of code that comes with it
mixing.py    λ of every layer and position        influence.py   gradient norms at the input embeddings
attention.py one layer's attention at a time      measured_kernel.py   what is checked before it is multiplied
text.py      samples of a text, or of random tokens; BOS once or never
store.py     what a run has measured so far, in a folder; identity.py   what makes two runs the same
measuring.py a whole measurement: begun, gone on with, reported; several jobs at a time
remarks.py   what has to be said of a model beside its measurement
report.py    the files of a finished run, kernel_report.py those of kernels; moments.py, kernel_sums.py   means
second_moments.py   what weights and one pass say of a gradient (maps.py, gates.py); predicting.py   of many samples
comparing.py theories against a measured folder (run_folder.py), and no model: run_profiles.py what they predict,
             run_architecture.py of its audited kernels (architecture.py), run_kernels.py the cost of averaging
             (kernel_deviations.py), resampling.py intervals
evidence.py  how near predictions come to what is measured; linear_rollouts.py   those that add up all paths

Names are resolved on first use, so that importing this package loads neither torch nor transformers.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numeric.model.attention import LayerAttention, attention_of
    from numeric.model.audit import Audit, audit
    from numeric.model.block import Block, Channels
    from numeric.model.family import FAMILIES, Family, read_family
    from numeric.model.influence import Influence, influence_of
    from numeric.model.loading import Loaded, load
    from numeric.model.measured_kernel import KernelStatistics, kernel_statistics
    from numeric.model.measuring import Job, measure, measure_all
    from numeric.model.mixing import mixing_of

_HOME = {
    "Audit": "audit", "audit": "audit",
    "Block": "block", "Channels": "block",
    "FAMILIES": "family", "Family": "family", "read_family": "family",
    "Loaded": "loading", "load": "loading", "mixing_of": "mixing",
    "Influence": "influence", "influence_of": "influence",
    "LayerAttention": "attention", "attention_of": "attention",
    "Job": "measuring", "measure": "measuring", "measure_all": "measuring",
    "KernelStatistics": "measured_kernel", "kernel_statistics": "measured_kernel",
}  # fmt: skip

__all__ = [
    "FAMILIES", "Audit", "Block", "Channels", "Family", "Influence", "Job", "KernelStatistics", "LayerAttention",
    "Loaded", "attention_of", "audit", "influence_of", "kernel_statistics", "load", "measure", "measure_all",
    "mixing_of", "read_family",
]  # fmt: skip


class _Package(ModuleType):
    """`audit` names a function and the module it lives in: the function wins in any import order."""

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and _HOME.get(name) == name:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"numeric.model.{_HOME[name]}"), name)
