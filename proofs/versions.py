"""With which versions something was computed: what has a part in the evidence, as it is installed here."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

__all__ = ["PACKAGES", "installed", "versions"]

PACKAGES = ("posbias", "python-flint", "NumPy", "SciPy", "SymPy", "Hypothesis")


def installed(package: str) -> str:
    """The version of a package, (not installed) where it is not."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def versions() -> tuple[tuple[str, str], ...]:
    """Python and the packages, each with its version, in one order.

    >>> versions()[0][0]
    'Python'
    """
    python = f"{platform.python_version()} ({platform.python_implementation()})"
    return ("Python", python), *((package, installed(package)) for package in PACKAGES)
