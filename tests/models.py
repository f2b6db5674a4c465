"""Whether real models can be loaded here; tests that load one are skipped where not, and say why."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

__all__ = ["MISSING", "WHY", "needs_models"]

MISSING = [package for package in ("torch", "transformers") if find_spec(package) is None]
WHY = f"the extra 'models' is not installed: no {' and no '.join(MISSING)}"
needs_models = pytest.mark.skipif(bool(MISSING), reason=WHY)
