"""numeric/__init__.py: importing is light, and every public name resolves whatever is imported first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import numeric

ROOT = Path(__file__).resolve().parents[2]


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_numeric_loads_no_library() -> None:
    heavy = ["numpy", "scipy", "hypothesis", "matplotlib", "flint", "pydantic", "sympy", "yaml"]
    assert run(f"import sys, numeric; print([m for m in {heavy} if m in sys.modules])") == "[]"


def test_a_profile_needs_numpy_only() -> None:
    heavy = ["scipy", "hypothesis", "matplotlib", "flint", "pydantic", "sympy"]
    names = "Alibi, precedes, profile, read_schedule, shape"
    assert run(f"import sys; from numeric import {names}; print([m for m in {heavy} if m in sys.modules])") == "[]"


def test_every_public_name_resolves() -> None:
    assert sorted(numeric.__all__) == sorted(numeric._MODULE)
    assert set(numeric.__all__) <= set(dir(numeric))
    for name in numeric.__all__:
        assert getattr(numeric, name).__name__ == name


@pytest.mark.parametrize(
    "first", ["import numeric.profile, numeric.shape", "from numeric.shape import shape", "import numeric.strategies"]
)
def test_profile_and_shape_are_functions_in_any_import_order(first: str) -> None:
    code = (
        f"{first}\nfrom numeric import profile, shape\nimport numeric.kernel\nprint(callable(profile), callable(shape))"
    )
    assert run(code) == "True True"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'profil'"):
        _ = numeric.profil
