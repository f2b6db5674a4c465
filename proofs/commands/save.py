"""What ``posbias profile --save`` writes: the setting as an experiment file, which gives the same profile again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numeric.refuse import flag, refusal

if TYPE_CHECKING:
    from numeric.kernel import Alibi, Kernel
    from proofs.commands.setting import Setting

__all__ = ["SAVED_HEAD", "saved_text"]

SAVED_HEAD = "# posbias experiment"


def saved_text(setting: Setting) -> str:
    """The experiment file of a setting, slopes, content and λ to the last bit.

    Raises InputError for a prefix-LM mask and for more layers than a file may have.
    """
    from numeric.experiment import experiment_of
    from numeric.experiment_format import MOST

    if setting.prefix is not None:
        raise flag("--save", "be left out beside --prefix, which the format has no field for", "given")
    if setting.layers > MOST:
        raise refusal("--save", f"be left out beyond {MOST} layers, the most that a file has", setting.layers)
    kernels = [_as_alibi(kernel, setting.heads) for kernel in setting.kernels]
    experiment = experiment_of(kernels, setting.lam, n=setting.length, heads=setting.heads)
    return f"{SAVED_HEAD}: posbias profile FILE\n{experiment.text()}"


def _as_alibi(kernel: Kernel, heads: int) -> Alibi:
    """The kernel as the format has it: no positional bias is slope 0."""
    from numeric.kernel import Alibi, Uniform

    if isinstance(kernel, Alibi):
        return kernel
    if isinstance(kernel, Uniform):
        return Alibi([0.0] * heads, kernel.content)
    raise flag("--save", "be left out for kernels other than ALiBi, which the format has no field for", "given")
