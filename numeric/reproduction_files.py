"""The paper's experiment files below a folder, told by their names: ``bloom.yaml``, ``mpt-7b-noresidual.yaml``, …

``bloom`` is bloom-176b; ``-noresidual`` is left off, since λ = 1 says so itself. Files with other names are none of a
published model: they are listed, not read.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from numeric.experiment import load_experiment
from numeric.published import PUBLISHED, Published
from numeric.refuse import flag
from numeric.reproduction import Variant, file_variants
from numeric.yaml_text import name_of

__all__ = ["Found", "find_variants", "model_of"]

SUFFIXES = (".yaml", ".yml")
ALIASES = {"bloom": "bloom-176b"}


class Found(NamedTuple):
    """The variants of the files, in the order of their paths, and the files that are no published model's."""

    variants: list[Variant]
    unused: list[str]


def model_of(file: str | Path) -> Published | None:
    """The published model that a file is named for, or None.

    >>> model_of("no_content/bloom-noresidual.yaml").name, model_of("example.yaml")
    ('bloom-176b', None)
    """
    stem = Path(file).stem.removesuffix("-noresidual")
    return PUBLISHED.get(ALIASES.get(stem, stem))


def find_variants(folder: str | Path, name: str = "experiments") -> Found:
    """All variants of all files below ``folder``; their sources are paths relative to it, with /.

    Raises InputError, with argument ``name`` where there is no such folder or no file of a published model in it, and
    that of `load_experiment` or `file_variants` for a file that cannot be used.
    """
    top = Path(folder)
    try:
        if not top.is_dir():
            raise flag(name, "be a folder that exists", "a file" if top.exists() else "missing", name_of(top))
        paths = sorted(path for path in top.rglob("*") if path.suffix in SUFFIXES)
    except OSError as error:
        raise flag(name, "be a folder that can be read", f"this ({error.strerror})", name_of(top)) from None
    used = [(path, model) for path in paths if (model := model_of(path)) is not None]
    if not used:
        raise flag(name, f"hold some of {_names()}", "none of them", name_of(top))
    variants = [v for path, model in used for v in file_variants(model, load_experiment(path), _below(path, top))]
    return Found(variants, [_below(path, top) for path in paths if model_of(path) is None])


def _below(path: Path, top: Path) -> str:
    return name_of(Path(path.relative_to(top).as_posix()))


def _names() -> str:
    return ", ".join(f"{name}.yaml" for name in ("bloom", *list(PUBLISHED)[1:]))
