"""The phase diagram as a figure, with the boundaries of U7 and U8 and the published models; and the limits of n p_j.

Every label has its colour, its hatch and, where there is room, its name, so that the figure is read without colour; the
colours are Okabe and Ito's, made light. Undecided cells are white and crossed. The same input gives the same bytes.
Numeric here: places and curves in floats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.continuum import Continuum
from numeric.figure import output, rendered
from numeric.files import write_atomically
from numeric.phase import Phase, hump_mixing, spike_mixing, u_mixing
from numeric.phase_models import Placed
from numeric.picture import COLOURS
from numeric.refuse import flag

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_continuum", "draw_phase"]

Floats = NDArray[np.float64]

WIDE, HIGH = 6.6, 3.6  # inches: two columns
LOOKS = {  # colour and hatch
    "flat": ("#DDDDDD", "---"),
    "primacy": ("#F5CF80", "\\\\\\"),
    "recency": ("#A9D8F3", "///"),
    "U": ("#7FCDB4", ""),
    "other": ("#E3BAD0", "|||"),  # dots would be many small circles in an SVG
    "undecided": ("#FFFFFF", "xxxx"),
}
ROOM = 2  # cells on every side of the place where a label is written


def draw_phase(path: str | Path, phase: Phase, models: Sequence[Placed] = (), *, name: str = "plot") -> None:
    """The diagram, to a .png, .pdf or .svg file. Raises InputError (argument ``name``) before anything is written."""
    target, options = output(path, name)

    def draw(figure: Figure) -> None:
        axes = figure.add_subplot()
        across, up = _spans(phase.across, phase.axes == "depth"), _spans(phase.up, phase.axes == "depth")
        handles = _cells(axes, phase, across, up)
        axes.set_xlim(across[0, 0], across[-1, 1])
        axes.set_ylim(up[0, 0], up[-1, 1])
        _ticks(axes, phase, across, up)
        handles += _boundaries(axes, phase, across)
        handles += _models(axes, phase, across, models)
        legend = figure.legend(handles=handles, loc="outside right upper", frameon=False, handlelength=2.2)
        for text in legend.get_texts():
            text.set_parse_math(False)

    write_atomically(target, rendered(draw, options, WIDE, HIGH), name)


def draw_continuum(path: str | Path, curves: Sequence[Continuum], *, name: str = "plot") -> None:
    """One to five profiles n p_j, as points, and their limits as lines. Raises InputError as `draw_phase` does."""
    target, options = output(path, name)
    if not 1 <= len(curves) <= len(COLOURS):
        raise flag("curves", f"be 1 to {len(COLOURS)}", str(len(curves)))

    def draw(figure: Figure) -> None:
        axes, handles = figure.add_subplot(), []
        for curve, colour, marker in zip(curves, COLOURS, "os^Dv", strict=False):
            n = curve.limit.size
            x = np.arange(1, n + 1) / n
            shown = np.unique(np.round(np.geomspace(1, n - 1, 24)).astype(int)) - 1  # the last one has the atom
            label = f"S = {curve.depth:g}, atom {curve.atom:.3g}"
            axes.plot(x[shown], curve.scaled[shown], marker, color=colour, markersize=3.2, markerfacecolor="white")
            axes.plot(x, curve.limit, color=colour, linewidth=1.0)
            handles += axes.plot([], [], marker, linestyle="-", color=colour, markerfacecolor="white", label=label)
        axes.set(xscale="log", yscale="log", xlabel="x = j / n", ylabel="n p_j (points), its limit (lines)")
        figure.legend(handles=handles, loc="outside right upper", frameon=False)

    write_atomically(target, rendered(draw, options, WIDE, HIGH), name)


# --- cells ----------------------------------------------------------------------------------------------------------


def _at(values: Any, logarithmic: bool) -> Floats:
    """Where values lie on an axis."""
    x = np.asarray(values, dtype=np.float64)
    return np.log(x) if logarithmic else x


def _spans(values: tuple[float, ...], logarithmic: bool) -> Floats:
    """From where to where each cell reaches, (cells, 2); one at 0 stands apart from those on a logarithmic axis."""
    zero = logarithmic and values[0] == 0
    x = _at(values[zero:], logarithmic)
    half = np.diff(x) / 2 if x.size > 1 else np.array([0.5])
    below, above = (half[[0, *range(x.size - 1)]], half[[*range(x.size - 1), -1]]) if x.size > 1 else (half, half)
    spans = np.stack([x - below, x + above], axis=1)[: x.size]
    if not zero:
        return spans
    if x.size == 0:
        return np.array([[-0.5, 0.5]])
    width = 2 * half[0]
    first = [[spans[0, 0] - 3 * width, spans[0, 0] - width]]
    return np.concatenate([first, spans])


def _cells(axes: Axes, phase: Phase, across: Floats, up: Floats) -> list[Any]:
    """Cells of one label as one shape each, and their names; returns the entries of the legend."""
    from matplotlib.patches import Patch, PathPatch
    from matplotlib.path import Path as Outline

    labels = np.array([[cell.label for cell in row] for row in phase.answers])
    handles = []
    for label, count in phase.counts.items():
        colour, hatch = LOOKS[label]
        boxes = [box for row, span in zip(labels == label, up, strict=True) for box in _runs(row, across, span)]
        look: dict[str, Any] = {"facecolor": colour, "edgecolor": "#808080", "hatch": hatch, "linewidth": 0}
        axes.add_patch(PathPatch(Outline.make_compound_path(*boxes), **look))
        handles.append(Patch(label=f"{label}: {count}", **look))
        _write(axes, label, labels == label, across, up)
    return handles


def _runs(row: NDArray[np.bool_], across: Floats, span: Floats) -> list[Any]:
    """Neighbouring cells of a row as one rectangle each."""
    from matplotlib.path import Path as Outline

    turns = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(int), [0]])))
    found = []
    for first, last in zip(turns[::2], turns[1::2] - 1, strict=True):
        cuts = [at for at in range(first, last) if across[at, 1] < across[at + 1, 0] - 1e-9]
        for a, b in zip([first, *(at + 1 for at in cuts)], [*cuts, last], strict=True):
            (left, right), (low, high) = (across[a, 0], across[b, 1]), span
            corners = [(left, low), (right, low), (right, high), (left, high), (left, low)]
            found.append(Outline(corners, closed=True))
    return found


def _write(axes: Axes, label: str, mask: NDArray[np.bool_], across: Floats, up: Floats) -> None:
    """The label where it has most room, if it has some."""
    inner, rounds = mask, 0
    while True:
        edge = np.pad(inner, 1)
        smaller = inner & edge[:-2, 1:-1] & edge[2:, 1:-1] & edge[1:-1, :-2] & edge[1:-1, 2:]
        if not smaller.any():
            break
        inner, rounds = smaller, rounds + 1
    if rounds >= ROOM:
        places = np.argwhere(inner)
        row, column = places[len(places) // 2]
        box = {"boxstyle": "round,pad=0.2", "facecolor": LOOKS[label][0], "edgecolor": "none"}
        axes.text(across[column].mean(), up[row].mean(), label, ha="center", va="center", bbox=box)


# --- axes -----------------------------------------------------------------------------------------------------------


def _ticks(axes: Axes, phase: Phase, across: Floats, up: Floats) -> None:
    if phase.axes == "layers":
        axes.set(xlabel="layers T", ylabel=f"mixing coefficient λ in every layer, slope m = {phase.slope:g}")
        return
    depth = "continuous depth" if phase.layers is None else f"T = {phase.layers} layers of λ = S/T"
    axes.set(xlabel=f"slope m of the head, n = {phase.n}", ylabel=f"effective depth S, {depth}")
    for axis, values, spans in ((axes.xaxis, phase.across, across), (axes.yaxis, phase.up, up)):
        places, names = _powers(values)
        if values[0] == 0:
            # a name too near that of 0 would run into it
            beyond = float(spans[0].mean()) + 0.08 * float(spans[-1, 1] - spans[0, 0])
            kept = [(at, text) for at, text in zip(places, names, strict=True) if at > beyond]
            places, names = [float(spans[0].mean()), *(at for at, _ in kept)], ["0", *(text for _, text in kept)]
        axis.set_ticks(places, names)


def _powers(values: tuple[float, ...]) -> tuple[list[float], list[str]]:
    """Powers of two within the values, six at most, or the ends where there are none."""
    positive = [x for x in values if x > 0]
    if not positive:
        return [], []
    low, high = (round(float(f(np.log2(x))) + 0.0) for f, x in ((np.ceil, positive[0]), (np.floor, positive[-1])))
    powers = list(range(low, high + 1, 1 + max(0, high - low) // 6))
    if not powers:
        ends = sorted({positive[0], positive[-1]})
        return [float(np.log(x)) for x in ends], [f"{x:.3g}" for x in ends]
    return [float(k * np.log(2)) for k in powers], [str(Fraction(2) ** k) for k in powers]


# --- boundaries and models ------------------------------------------------------------------------------------------


def _boundaries(axes: Axes, phase: Phase, across: Floats) -> list[Any]:
    """U8's two curves, U7's mark in the column of slope 0, or its curve; returns the entries of the legend."""
    handles: list[Any] = []
    u8: list[tuple[Callable[[float, int | None], float], str, str]] = [
        (hump_mixing, "-", "U8: no hump below"),
        (spike_mixing, "--", "U8: end highest below"),
    ]
    look: dict[str, Any] = {"color": "black", "linewidth": 1.4}
    if phase.axes == "layers":
        assert phase.slope is not None  # set for these axes
        layers = np.arange(round(phase.across[0]), round(phase.across[-1]) + 1)
        for f, style, label in u8 if phase.slope > 0 else []:
            slope = phase.slope
            handles += axes.plot(layers, [f(slope, int(t)) for t in layers], style, label=label, **look)
        if phase.slope == 0 and phase.n >= 3:
            curve = [u_mixing(phase.n, int(t)) for t in layers]
            handles += axes.plot(layers, curve, ":", label="U7: a U below", color="black", linewidth=2)
        return handles
    scale = 1 if phase.layers is None else phase.layers
    positive = [m for m in phase.across if m > 0]
    if positive:
        m = np.geomspace(positive[0], positive[-1], 200)
        for f, style, label in u8:
            edge = _at([f(float(x), phase.layers) * scale for x in m], True)
            handles += axes.plot(np.log(m), edge, style, label=label, **look)
    if phase.across[0] == 0 and phase.n >= 3:
        edge = _at([u_mixing(phase.n, phase.layers) * scale] * 2, True)
        handles += axes.plot(across[0], edge, "-", color="black", linewidth=3, label="U7: a U below, m = 0")
    return handles


def _models(axes: Axes, phase: Phase, across: Floats, models: Sequence[Placed]) -> list[Any]:
    """A point for each model, its number beside it, for slopes a line over their range; returns legend entries."""
    from matplotlib.lines import Line2D

    logarithmic = phase.axes == "depth"
    limits = across[min(1, len(across) - 1), 0], across[-1, 1]  # not into the column of slope 0
    numbered = sorted(enumerate(models, start=1), key=lambda found: found[1].up)
    for place, (number, model) in enumerate(numbered):
        x, y = _at([model.across], logarithmic)[0], _at([model.up], logarithmic)[0]
        if logarithmic:
            ends = np.clip(_at([model.least, model.largest], True), *limits)
            axes.plot(ends, [y, y], color="black", linewidth=0.5)
        axes.plot([x], [y], "o", color="black", markersize=3.5, markeredgecolor="white", markeredgewidth=0.6)
        axes.annotate(
            str(number),
            (x, y),
            xytext=(-16, 9 * (place - (len(models) - 1) / 2)),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=7,
            arrowprops={"arrowstyle": "-", "linewidth": 0.5, "shrinkA": 0, "shrinkB": 1},
            bbox={"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": "black", "linewidth": 0.5},
        )
    return [
        Line2D([], [], marker=f"${number}$", linestyle="none", color="black", label=model.name)
        for number, model in enumerate(models, start=1)
    ]
