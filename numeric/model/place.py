"""Where a model lies: a folder, a GGUF file, or a hub that is asked only where it answers.

Nothing that comes with a model is run: weights are safetensors or read with weights_only, and a model whose classes
are not transformers' own is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numeric.refuse import InputError, flag, refusal, shown

__all__ = ["Place", "is_hub_name"]

WEIGHTS = (".safetensors", ".bin")


@dataclass(frozen=True)
class Place:
    """Where a model lies: ``path`` and ``extra`` are what transformers takes; ``kind`` is folder, gguf or hub."""

    path: str
    kind: str
    name: str
    gguf: str | None = None
    online: bool = False

    @staticmethod
    def of(source: str, name: str) -> Place:
        path = Path(source)
        try:
            is_folder, is_file = path.is_dir(), path.is_file()
        except (OSError, ValueError):  # too long a name, a null byte
            is_folder = is_file = False
        if is_folder:
            if not (path / "config.json").is_file():
                raise flag(name, "be a folder with a config.json", "one without it", shown(source))
            return Place(source, "folder", name)
        if is_file and path.suffix == ".gguf":
            return Place(str(path.parent), "gguf", name, path.name)
        if is_file:
            raise flag(name, "be a folder, a .gguf file or a name on the hub", "another file", shown(source))
        if not is_hub_name(source):
            raise refusal(name, "be a folder that exists, a .gguf file or a name on the hub (owner/model)", source)
        return Place(source, "hub", name, online=_require_reachable(source, name))

    @property
    def extra(self) -> dict[str, Any]:
        common: dict[str, Any] = {"trust_remote_code": False, "local_files_only": not self.online}
        return common | ({"gguf_file": self.gguf} if self.gguf else {})

    def config(self) -> Any:
        from transformers import AutoConfig

        return AutoConfig.from_pretrained(self.path, **self.extra)

    def require_weights(self) -> None:
        """Raises InputError for a folder with a configuration alone."""
        if self.kind == "folder" and not any(next(Path(self.path).glob(f"*{x}"), None) for x in WEIGHTS):
            requirement = f"have weights ({' or '.join(WEIGHTS)}) or come with --random-init"
            raise flag(self.name, requirement, "a configuration alone", shown(self.path))

    def has_tokenizer(self) -> bool:
        folder = Path(self.path)
        return self.kind == "folder" and any(
            (folder / x).is_file() for x in ("tokenizer.json", "tokenizer_config.json")
        )

    def tokenizer(self) -> Any:
        """The tokenizer beside the weights; None where there is none."""
        from transformers import AutoTokenizer

        if self.kind == "folder" and not self.has_tokenizer():
            return None
        if self.kind == "gguf":  # the file says that it has none by an error, which differs by its kind
            with suppress(Exception):
                return AutoTokenizer.from_pretrained(self.path, **self.extra)
            return None
        return AutoTokenizer.from_pretrained(self.path, **self.extra)

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """What transformers cannot load, as one line."""
        try:
            yield
        except (InputError, MemoryError):
            raise
        except Exception as error:  # of every kind: of pickle, of safetensors, of a configuration's wrong types
            said = " ".join(str(error).split()).rstrip(".") or type(error).__name__
            raise self._refusal(said) from error

    def _refusal(self, said: str) -> InputError:
        """What the library said, in our words where we have any."""
        place = shown(self.path)
        if "trust_remote_code" in said:
            return flag(
                self.name, "be a model that transformers has a class of its own for", f"{place}, whose code is not run"
            )
        if "Weights only load failed" in said:
            return flag(
                self.name, "have weights and nothing else in its .bin files", f"{place}, which is not unpickled"
            )
        if "does not support an attention implementation" in said:
            return flag("attention", "be 'eager' for this architecture, which has no other", "'sdpa'")
        what = said if len(said) <= 200 else f"{said[:195]} [...]"
        return flag(self.name, "be a model that transformers can load", f"{place}: {what}")


def is_hub_name(source: str) -> bool:
    """Whether a hub may have a model of that name: owner/model, of letters, digits, ".", "_" and "-"."""
    return re.fullmatch(r"[A-Za-z0-9_][\w.-]*/[A-Za-z0-9_][\w.-]*", source, re.ASCII) is not None


# --- the hub --------------------------------------------------------------------------------------------------------

PATIENCE = 5.0  # seconds


def _require_reachable(source: str, name: str) -> bool:
    """Whether the hub can be asked; where it cannot, InputError unless the model's configuration is in the cache.

    transformers itself would try for half a minute, and say so line by line.
    """
    from huggingface_hub import constants, try_to_load_from_cache

    if not constants.HF_HUB_OFFLINE and _answers(constants.ENDPOINT):
        return True
    if not isinstance(try_to_load_from_cache(source, "config.json"), str):
        requirement = "be a folder, a .gguf file, a name in the cache, or one on a hub that can be reached"
        raise refusal(name, requirement, source)
    return False


def _answers(endpoint: str) -> bool:
    """Whether anything answers there, in a thread of its own: looking up a name may take longer than any timeout."""
    from threading import Thread

    from huggingface_hub import get_session

    answered: list[bool] = []

    def ask() -> None:
        with suppress(Exception):
            get_session().head(endpoint, timeout=PATIENCE)
            answered.append(True)

    thread = Thread(target=ask, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return bool(answered)
