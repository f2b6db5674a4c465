"""What determines the numbers of a measurement, as JSON: model, samples, settings, versions and kind of processor.

Two runs with the same identity give the same bits: on one machine, with as many threads, which are recorded and taken
up again. Where it differs they may not, and one run does not go on with what the other began.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["model_identity", "platform_identity"]

_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth")
_BLOCK = 1 << 24  # bytes that are hashed at once


def model_identity(loaded: Loaded, *, random_init: bool, seed: int) -> dict[str, Any]:
    """source, as it was given; sha256 of configuration and weights, or of the configuration with the seed the weights
    were drawn with; a hub's commit; family, and sha256 of what it says.
    """
    family = json.dumps(asdict(loaded.family), sort_keys=True)
    return {
        "source": loaded.name,
        "config_sha256": _text_hash(json.dumps(_plain(loaded.config), sort_keys=True, default=str)),
        "weights_sha256": None if random_init else _files_hash(Path(loaded.name)),
        "commit": None if random_init else getattr(loaded.config, "_commit_hash", None),
        "random_init": seed if random_init else None,
        "family": loaded.family.name,
        "family_sha256": _text_hash(family),
        "layers": len(loaded.blocks),
        "heads": max(block.heads for block in loaded.blocks),
        "dtype": str(loaded.embedding.weight.dtype).removeprefix("torch."),
        "attention": getattr(loaded.config, "_attn_implementation", None),
    }


def platform_identity() -> dict[str, Any]:
    """Versions of what computes, and the kind of processor."""
    import torch
    import transformers

    cuda = torch.version.cuda if torch.cuda.is_available() else None
    return {
        "posbias": _version("posbias"), "numpy": np.__version__, "torch": torch.__version__,
        "transformers": transformers.__version__, "processor": torch.backends.cpu.get_cpu_capability(), "cuda": cuda,
    }  # fmt: skip


def _plain(config: Any) -> dict[str, Any]:
    """The configuration without what says where it was read and how it was loaded."""
    told = dict(config.to_dict())
    return {key: value for key, value in told.items() if key not in ("_name_or_path", "transformers_version", "dtype")}


def _files_hash(source: Path) -> str | None:
    """Of a GGUF file, or of the weights in a folder by name and content; None of a name on a hub."""
    if source.is_file():
        files = [source]
    elif source.is_dir():
        files = sorted(path for path in source.iterdir() if path.is_file() and path.suffix in _WEIGHTS)
    else:
        return None
    whole = hashlib.sha256()
    for path in files:
        whole.update(f"{path.name}\n{path.stat().st_size}\n".encode() if source.is_dir() else b"")
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                whole.update(block)
    return whole.hexdigest()


def _text_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
