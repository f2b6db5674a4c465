"""What tests of numbers share."""

from __future__ import annotations

import pytest

from numeric.extended import extended_bits


@pytest.fixture
def bits() -> int:
    """The bits of a long double's mantissa, where that is wider than float64."""
    found = extended_bits()
    if found is None:
        pytest.skip("long doubles are no wider than float64 here")
    return found
