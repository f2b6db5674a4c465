"""Double precision all the way through a model."""

from __future__ import annotations

from typing import Any


def all_double() -> Any:
    """A mode in which models that ask for float32 in their norms, rotations and softmax get float64."""
    import torch
    from torch.overrides import TorchFunctionMode

    class Double(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            wide = [torch.float64 if x is torch.float32 else x for x in args]
            keywords = {key: torch.float64 if x is torch.float32 else x for key, x in (kwargs or {}).items()}
            return torch.Tensor.double(*args) if func is torch.Tensor.float else func(*wide, **keywords)

    return Double()
