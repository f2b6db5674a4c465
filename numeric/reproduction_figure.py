"""One model's variants in one picture: a panel for what is mixed and which content, measured influence in each.

The kind of line is the reading: as in the paper's files, as the model does it, or what lies between. Lines that agree
lie on one another. The same input gives the same bytes, which name what made them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.figure import (
    FORMATS,
    MEASURED,
    PREDICTED,
    QUIET,
    Scale,
    as_shares,
    rendered,
    require_printable,
    scale_shares,
)
from numeric.refuse import flag, refusal
from numeric.reproduction import READINGS, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MARK", "picture"]

Floats = NDArray[np.float64]
Reading = tuple[str, bool]
Panels = dict[str, dict[Reading, Floats]]

MARK = "posbias reproduce"  # within the first bytes of a picture: it tells ours from anybody else's
METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Creator": MARK, "Date": None},
    ".png": {"Software": MARK},
}
WIDE, HIGH = 6.6, 2.2  # inches: two columns, and of one row of panels
STYLES: dict[Reading, dict[str, Any]] = {
    ("paper", False): {"color": PREDICTED, "linestyle": "-"},
    ("paper", True): {"color": "#CC79A7", "linestyle": (0, (1, 1.2))},
    ("model", False): {"color": QUIET, "linestyle": (0, (5, 1.5, 1, 1.5))},
    ("model", True): {"color": "#009E73", "linestyle": (0, (5, 1.5))},
}
ALIKE = 1e-9  # profiles that differ by less, relatively, are one line to every eye


def picture(
    rows: Sequence[Row],
    influence: ArrayLike | None = None,
    *,
    title: str = "",
    scale: Scale = "log",
    suffix: str = ".svg",
) -> bytes:
    """The bytes of an .svg or .png of all ``rows``, which are of one model, beside its measured influence, (n,).

    Raises InputError for no rows, rows of several models, another suffix, a scale other than log and linear, an
    influence of another length, a title that is no line of text.
    """
    if len({row.variant.model.name for row in rows}) != 1:
        raise flag("rows", "be of one model", "of none or of several")
    if suffix not in METADATA:
        raise refusal("suffix", "be '.svg' or '.png'", suffix)
    if scale not in ("log", "linear"):
        raise refusal("scale", "be 'log' or 'linear'", scale)
    require_printable(title, "title")
    measured = None if influence is None else as_shares(influence, "influence")
    if measured is not None and measured.size != rows[0].profile.size:
        raise flag("influence", f"have the length {rows[0].profile.size} of the profiles", str(measured.size))
    panels = _panels(rows)

    def draw(figure: Figure) -> None:
        grid = figure.subplots(-(-len(panels) // 2), 2, squeeze=False).ravel()
        for axes in grid[len(panels) :]:
            axes.set_axis_off()
        for axes, (name, curves) in zip(grid, panels.items(), strict=False):
            _draw(axes, curves, measured, scale)
            axes.set_title(name, fontsize=8, loc="left", parse_math=False)
        _legend(figure, panels, rows[0].variant.model.head_dim, measured is not None)
        figure.suptitle(title, fontsize=8, x=0.01, ha="left", parse_math=False)

    options = {**FORMATS[suffix], "metadata": METADATA[suffix]}
    return rendered(draw, options, WIDE, HIGH * -(-len(panels) // 2) + 0.7)


def _panels(rows: Sequence[Row]) -> Panels:
    """By mixing and content, one profile for each reading; a second source of them only where it says otherwise."""
    panels: Panels = {}
    for row in rows:
        v, p = row.variant, as_shares(row.profile, "rows")
        name, reading = v.name, (v.slopes, v.scaled)
        if not _same(panels.get(name, {}).get(reading, p), p):
            name = f"{v.name} ({v.source})"
        panels.setdefault(name, {}).setdefault(reading, p)
    return panels


def _same(p: Floats, q: Floats) -> bool:
    """Whether p and q are one line to every eye: within `ALIKE` of each other, or 1e−12 of the whole."""
    return bool(np.allclose(p, q, rtol=ALIKE, atol=1e-12))


def _draw(axes: Axes, curves: dict[Reading, Floats], measured: Floats | None, scale: Scale) -> None:
    """The curves in the order of `STYLES`, so that what lies on a full line is seen on it."""
    drawn = [curves[reading] for reading in STYLES if reading in curves]
    position = np.arange(1, drawn[0].size + 1)
    if measured is not None:
        axes.plot(position, measured, "o", color=MEASURED, markersize=1.6, markeredgewidth=0)
    for reading, style in STYLES.items():
        if reading in curves:
            axes.plot(position, curves[reading], linewidth=1.2, **style)
    scale_shares(axes, drawn if measured is None else [*drawn, measured], scale)
    axes.set_xlabel("position of the token")
    axes.set_ylabel("share of the last output")


def _legend(figure: Figure, panels: Panels, head_dim: int, measured: bool) -> None:
    """Below all panels, the readings that occur."""
    from matplotlib.lines import Line2D

    found = [reading for reading in STYLES if any(reading in curves for curves in panels.values())]
    lines = [Line2D([], [], linewidth=1.2, **STYLES[reading]) for reading in found]
    labels = [READINGS[reading].format(head_dim=head_dim) for reading in found]
    if measured:
        lines.append(Line2D([], [], color=MEASURED, marker="o", linestyle="", markersize=2.5))
        labels.append("measured influence")
    figure.legend(lines, labels, loc="outside lower left", ncols=3, frameon=False, handlelength=3.2)
