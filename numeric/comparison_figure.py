"""Theory beside measurement as figures: each variant against what was measured, what it misses, and λ layer by layer.

    draw_variants(path, {"bloom": (measured, {"attention only": p, "residual": q})})     shares, logarithmic
    draw_residuals(path, panels)          n (predicted − measured): 1 is the share of a token where all have the same
    draw_mixing(path, {"bloom": shares})  λ_t, the mean over rows of (samples, layers), and the middle nine tenths

A column for each title and a row for each variant; one title alone is laid out three cells in a row. Every cell says
W1/(n − 1). Measured is the broad pale line, predicted the narrow dark one, and what is predicted too much lies above
the axis, so no figure needs its colours. The same input gives the same bytes. Numeric here: profiles are divided by
their sums.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.figure import PREDICTED, as_shares, output, rendered, require_printable, scale_shares
from numeric.files import write_atomically
from numeric.order import wasserstein
from numeric.picture import COLOURS
from numeric.refuse import flag, numbers, refusal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Panels", "draw_mixing", "draw_residuals", "draw_variants"]

Floats = NDArray[np.float64]
Panels = Mapping[str, tuple[ArrayLike, Mapping[str, ArrayLike]]]
_Checked = dict[str, tuple[Floats, dict[str, Floats]]]
_Cell = tuple[Floats, Floats]

MOST_TITLES, MOST_VARIANTS, WRAPPED = 6, 16, 3
CELL = (1.9, 1.35)  # inches
PALE = "#C8C8C8"
LINE = 24  # characters of a title that fit a cell
MIDDLE = (0.05, 0.95)  # of what the bands of λ hold
WIDE, LOW = 5.0, 2.6  # inches: λ by layer
MARKS = "os^Dv"


def draw_variants(path: str | Path, panels: Panels, *, measured_label: str = "measured", name: str = "plot") -> None:
    """Each variant against what was measured, {title: (measured (n,), {variant: (n,)})}, to .png, .pdf or .svg.

    Profiles are nonnegative with a positive sum, n ≥ 2, of one length under a title; one to six titles, one to sixteen
    variants in all. A variant that a title lacks leaves its cell empty. Labels are plain text. Raises InputError
    (argument ``name`` for the path) before anything is written.
    """
    require_printable(measured_label, "measured_label")

    def fill(axes: Axes, measured: Floats, predicted: Floats) -> None:
        place = np.arange(1, measured.size + 1)
        axes.plot(place, measured, color=PALE, linewidth=2.6, solid_capstyle="butt", label=measured_label)
        axes.plot(place, predicted, color=PREDICTED, linewidth=0.9, label="predicted")
        scale_shares(axes, [measured, predicted])

    _draw(path, panels, fill, "share of the last output", name)


def draw_residuals(path: str | Path, panels: Panels, *, name: str = "plot") -> None:
    """n (predicted − measured) by position, as a line, of the same panels as `draw_variants`.

    The axis is linear between −1 and 1 and logarithmic beyond, so that what is missed by much and by little are both
    seen; areas are therefore not W1. Raises InputError as `draw_variants` does.
    """

    def fill(axes: Axes, measured: Floats, predicted: Floats) -> None:
        n = measured.size
        place, missed = np.arange(1, n + 1), n * (predicted - measured)
        axes.axhline(0, color=PALE, linewidth=1.2)
        axes.plot(place, missed, color=PREDICTED, linewidth=0.8, label="above: predicted too much\nbelow: too little")
        reach = max(1.0, 1.3 * float(np.abs(missed).max()))
        axes.set_yscale("symlog", linthresh=1.0)
        axes.set_ylim(-reach, reach)
        powers = [10.0**k for k in range(int(math.log10(reach)) + 1)][:: 1 if reach < 100 else 2]
        axes.set_yticks([*(-x for x in reversed(powers)), 0, *powers])
        axes.yaxis.set_major_formatter(lambda x, _: f"{x:g}")
        axes.yaxis.minorticks_off()
        axes.set_xlim(1 - 0.02 * n, n + 0.02 * n)

    _draw(path, panels, fill, "n (predicted - measured)", name)


def draw_mixing(path: str | Path, lines: Mapping[str, ArrayLike], *, rows: str = "samples", name: str = "plot") -> None:
    """λ_t by layer: {label: (samples, layers)} in [0, 1]; one to five labels. rows : what the first axis has instead.

    The line is the mean over samples, the band their middle nine tenths (quantiles 0.05 and 0.95, interpolated); one
    sample has no band. Raises InputError as `draw_variants` does.
    """
    target, options = output(path, name)
    require_printable(rows, "rows")
    if not 1 <= len(lines) <= len(MARKS):
        raise flag("lines", f"be 1 to {len(MARKS)}", f"{len(lines)} of them")
    shares = {label: _mixing(values, label) for label, values in lines.items()}

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        handles: list[Any] = []
        for values, colour, mark in zip(shares.values(), COLOURS, MARKS, strict=False):
            layer = np.arange(1, values.shape[1] + 1)
            if len(values) > 1:
                low, high = np.quantile(values, MIDDLE, axis=0)
                axes.fill_between(layer, low, high, color=colour, alpha=0.2, linewidth=0)
            handles += axes.plot(
                layer, values.mean(axis=0), marker=mark, color=colour, linewidth=1.0, markersize=3.5,
                markerfacecolor="white",
            )  # fmt: skip
        last = max(values.shape[1] for values in shares.values())
        axes.set_xlim(0.5, last + 0.5)
        axes.set_ylim(0, 1.08 * max(float(values.max()) for values in shares.values()) or 1)
        axes.set_xticks(sorted({1, last, *(round(k * last / 4) for k in (1, 2, 3) if last >= 8)}))
        axes.set_xlabel("layer t")
        axes.set_ylabel(f"λ, mean and middle 9/10 of {rows}", parse_math=False)
        _legend(figure, handles, list(shares), "outside right upper", 1)

    write_atomically(target, rendered(draw, options, WIDE, LOW), name)


def _mixing(values: ArrayLike, label: str) -> Floats:
    require_printable(label, "lines")
    found = numbers(values, "lines", 2)
    if found.size == 0:
        raise flag("lines", "have a row and a layer", f"shape {found.shape}", repr(label))
    for least in (found.min(), 1 - found.max()):
        if least < 0:
            raise refusal("lines", "lie in [0, 1]", found.min() if found.min() < 0 else found.max(), repr(label))
    return found


# --- cells ------------------------------------------------------------------------------------------------------------


def _draw(path: str | Path, panels: Panels, fill: Callable[[Axes, Floats, Floats], None], axis: str, name: str) -> None:
    target, options = output(path, name)
    found = _checked(panels)
    layout = _layout(found)

    def draw(figure: Figure) -> None:
        grid = figure.subplots(len(layout), len(layout[0]), squeeze=False)
        for i, row in enumerate(layout):
            for k, (title, variant, head) in enumerate(row):
                cell = _cell(found, title, variant)
                if cell is None:
                    grid[i, k].remove()
                    continue
                fill(grid[i, k], *cell)
                _finish(grid[i, k], cell, head)
        figure.supylabel(axis, fontsize=7)
        handles, labels = figure.axes[0].get_legend_handles_labels()
        _legend(figure, handles, labels, "outside lower center", len(labels))

    write_atomically(target, rendered(draw, options, CELL[0] * len(layout[0]), CELL[1] * len(layout) + 0.4), name)


def _cell(found: _Checked, title: str, variant: str) -> _Cell | None:
    measured, predicted = found.get(title, (np.zeros(0), {}))
    return (measured, predicted[variant]) if variant in predicted else None


def _layout(found: _Checked) -> list[list[tuple[str, str, str]]]:
    """Rows of cells: (title, variant, what is written above); names that nothing has where a row ends early."""
    variants = list(dict.fromkeys(variant for _, predicted in found.values() for variant in predicted))
    if len(found) > 1:
        return [[(title, variant, f"{title}\n{variant}") for title in found] for variant in variants]
    (title,) = found
    cells = [(title, variant, variant) for variant in variants]
    width = min(WRAPPED, len(cells))
    cells += [("", "", "")] * (-len(cells) % width)
    return [cells[at : at + width] for at in range(0, len(cells), width)]


def _finish(axes: Axes, cell: _Cell, head: str) -> None:
    measured, predicted = cell
    distance = wasserstein(predicted, measured) / (measured.size - 1)
    lines = [part for text in head.split("\n") for part in textwrap.wrap(text, LINE) or [""]]
    axes.set_title("\n".join([*lines, f"W1/(n-1) {distance:.3f}"]), fontsize=6.5, parse_math=False)
    axes.set_xticks([1, measured.size])
    axes.set_xlabel("position", fontsize=6.5, labelpad=-7)  # between the two numbers
    axes.tick_params(labelsize=6)


def _legend(figure: Figure, handles: list[Any], labels: list[str], where: Any, columns: int) -> None:
    # labels are handed over here: as properties of the lines those that begin with an underscore would be left out
    shown = figure.legend(handles, labels, loc=where, ncols=columns, frameon=False, fontsize=7)
    for text in shown.get_texts():
        text.set_parse_math(False)


def _checked(panels: Panels) -> _Checked:
    """The panels with profiles that have the sum 1; raises InputError."""
    if not 1 <= len(panels) <= MOST_TITLES:
        raise flag("panels", f"be 1 to {MOST_TITLES}", f"{len(panels)} of them")
    found: _Checked = {}
    for title, (measured, predicted) in panels.items():
        points = as_shares(measured, "panels")
        if points.size < 2:
            raise flag("panels", "have profiles of at least 2 positions", "one", repr(title))
        found[title] = points, {variant: as_shares(profile, "panels") for variant, profile in predicted.items()}
        for text in (title, *predicted):
            require_printable(text, "panels")
        for variant, profile in found[title][1].items():
            if profile.size != points.size:
                raise flag("panels", "have profiles of one length each", f"another: {variant!r} in {title!r}")
    variants = {variant for _, predicted in found.values() for variant in predicted}
    if not 1 <= len(variants) <= MOST_VARIANTS:
        raise flag("panels", f"have 1 to {MOST_VARIANTS} variants", f"{len(variants)} of them")
    return found
