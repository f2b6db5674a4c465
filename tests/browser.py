"""A headless Chromium to run the page's scripts in; tests that need one are skipped where there is none, and say why.

The browser and its driver are found by path, as a distribution installs them: nothing is fetched.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

__all__ = ["MISSING", "chromium", "needs_browser"]

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
MISSING = [
    name
    for name, found in (("chromium", BROWSER), ("chromedriver", DRIVER), ("selenium", find_spec("selenium")))
    if found is None
]
needs_browser = pytest.mark.skipif(bool(MISSING), reason=f"no {' and no '.join(MISSING)} to run the page in")
# the superuser of a container has no sandbox; nothing in the browser may look for a network
OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-extensions", "--disable-dev-shm-usage", "--no-first-run", "--window-size=1280,900",
)  # fmt: skip


@contextmanager
def chromium(folder: Path, *options: str) -> Iterator[Any]:
    """A browser of its own, with its profile in ``folder``."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    chosen = webdriver.ChromeOptions()
    chosen.binary_location = str(BROWSER)
    for option in (*OPTIONS, f"--user-data-dir={folder}", *options):
        chosen.add_argument(option)
    driver = webdriver.Chrome(options=chosen, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()
