"""What every test shares: reproducible random cases, the paper's data, and global precision put back afterwards."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# derandomize: the examples depend on the test alone, never on the clock or on an earlier run;
# deadline None: a slow machine is no counterexample. The first draw of a large strategy may be slow as well.
settings.register_profile(
    "posbias",
    deadline=None,
    database=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("posbias")

os.environ["MPLBACKEND"] = "Agg"  # no test needs a display, nor may one open a window


def pytest_collection_finish() -> None:
    """Statements live as long as the tests: looking through them for garbage, again and again, costs a tenth."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)


REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of the paper's data: POSBIAS_DATA, else ../shared/data beside the repository."""
    named = os.environ.get("POSBIAS_DATA")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the paper's data are not here: no folder {folder} (set POSBIAS_DATA)")
    return folder


@pytest.fixture(autouse=True)
def restored_precision() -> Iterator[None]:
    """Put mpmath's and flint's global precision back, so that no test leans on another's."""
    import flint
    import mpmath

    before = (mpmath.mp.prec, mpmath.iv.prec, flint.ctx.prec)
    yield
    mpmath.mp.prec, mpmath.iv.prec, flint.ctx.prec = before
