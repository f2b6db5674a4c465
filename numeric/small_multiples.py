"""Several comparisons of profiles side by side: in each panel what was measured, as points, and predictions, as lines.

The scale of the shares is logarithmic and common to a panel; positions count from 1. The same input gives the same
bytes. One panel alone is `numeric.draw_profile`'s.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from numeric.figure import MEASURED, PREDICTED, QUIET, as_shares, output, rendered, require_printable, scale_shares
from numeric.files import write_atomically
from numeric.refuse import flag

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_small_multiples"]

COLUMNS, PANEL = 3, (2.3, 1.8)  # inches
LINES = ((PREDICTED, "-"), (QUIET, "--"), (QUIET, ":"))  # of predictions, in their order


def draw_small_multiples(
    path: str | Path,
    panels: Mapping[str, tuple[ArrayLike, Mapping[str, ArrayLike]]],
    *,
    measured_label: str = "measured",
    name: str = "plot",
) -> None:
    """One panel for each title: (measured, {label: predicted}), each (n,), nonnegative with a positive sum.

    One to twelve panels of one to three predictions, the same labels in each. Raises InputError (argument ``name`` for
    the path) before anything is written.
    """
    target, options = output(path, name)
    if not 1 <= len(panels) <= 12:
        raise flag("panels", "be 1 to 12", f"{len(panels)} of them")
    labels = list(next(iter(panels.values()))[1])
    for title, (measured, predicted) in panels.items():
        require_printable(title, "panels")
        if list(predicted) != labels or not 1 <= len(labels) <= len(LINES):
            raise flag("panels", f"have the same 1 to {len(LINES)} labels", f"others in {title!r}")
        for label, profile in predicted.items():
            require_printable(label, "panels")
            if np.shape(profile) != np.shape(measured):
                raise flag("panels", "have profiles of one length each", f"another: {label!r} in {title!r}")
    rows = math.ceil(len(panels) / COLUMNS)
    columns = min(COLUMNS, len(panels))

    def draw(figure: Figure) -> None:
        axes = figure.subplots(rows, columns, squeeze=False).flatten()
        for one, (title, (measured, predicted)) in zip(axes, panels.items(), strict=False):
            points = as_shares(measured, "panels")
            shares = [as_shares(profile, "panels") for profile in predicted.values()]
            place = np.arange(1, points.size + 1)
            found = [one.plot(place, points, ".", color=MEASURED, markersize=1.5, label=measured_label)[0]]
            for p, label, (colour, style) in zip(shares, labels, LINES, strict=False):
                found += one.plot(place, p, style, color=colour, linewidth=1.0, label=label)
            scale_shares(one, [points, *shares])
            one.set_title(title, fontsize=8)
        for one in axes[len(panels) :]:
            one.remove()
        figure.legend(handles=found, loc="outside lower center", ncols=len(found), frameon=False)

    write_atomically(target, rendered(draw, options, PANEL[0] * columns, PANEL[1] * rows + 0.3), name)
