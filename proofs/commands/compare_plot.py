"""The figures of ``posbias compare``: three files in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from numeric.refuse import flag
from proofs.commands.options import renamed
from proofs.output import printable, require_file, require_folder

if TYPE_CHECKING:
    from numeric.model.comparing import Comparison

__all__ = ["FILES", "draw", "require_drawable"]

FILES = ("compare-variants.svg", "compare-residuals.svg", "compare-mixing.svg")
MOST = 5  # folders side by side


def require_drawable(folder: str, count: int) -> Path:
    """The folder, if ``count`` folders can be drawn there; nothing is made."""
    if count > MOST:
        raise flag("--plot", f"be given for at most {MOST} folders", f"for {count}")
    place = require_folder(folder, "--plot")
    if place.exists():
        for name in FILES:
            require_file(str(place / name), "--plot")
    return place


def draw(found: Comparison, place: Path) -> list[str]:
    """Draws into the folder, which is made if need be; the paths of what was written."""
    from numeric.comparison_figure import draw_mixing, draw_residuals, draw_variants

    titles = [printable(str(one.run.folder)) for one in found.runs]
    panels = {
        title: (
            one.profiles.measured.mean(axis=0),
            {name: rows.mean(axis=0) for name, rows in one.profiles.predicted.items()},
        )
        for title, one in zip(titles, found.runs, strict=True)
    }
    place.mkdir(parents=True, exist_ok=True)
    paths = [place / name for name in FILES]
    with renamed(panels="--plot", lines="--plot"):
        draw_variants(paths[0], panels, name="--plot")
        draw_residuals(paths[1], panels, name="--plot")
        draw_mixing(
            paths[2], {t: one.profiles.mixing for t, one in zip(titles, found.runs, strict=True)}, name="--plot"
        )
    return [str(path) for path in paths]
