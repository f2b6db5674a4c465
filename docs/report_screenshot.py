"""Draws docs/images/report.png: the top of the page that ``posbias report bloom-176b`` writes, in a headless Chromium.

Run from the folder of the project: ``python -m docs.report_screenshot``. Needs the extras ``report`` and ``test``, and
Chromium with its driver.
"""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from numeric.files import write_atomically
from proofs.cli import main
from tests.browser import chromium
from tests.proofs.report.pages import settled

PICTURE = Path(__file__).parent / "images" / "report.png"
SIZE = {"width": 1180, "height": 1000, "deviceScaleFactor": 1, "mobile": False}


def draw() -> None:
    """Writes the page to a folder of its own, opens it, and keeps what is seen first."""
    with tempfile.TemporaryDirectory() as name:
        page = Path(name) / "report.html"
        if main(["report", "bloom-176b", "-o", str(page)]) != 0:
            raise SystemExit(1)
        with chromium(Path(name) / "profile", "--hide-scrollbars") as driver:
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SIZE)
            driver.get(page.as_uri())
            settled(driver)
            found = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
            write_atomically(PICTURE, base64.b64decode(found["data"]))


if __name__ == "__main__":
    draw()
