"""What ``posbias phase`` is asked for, read and refused before work starts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

from numeric.nearest import nearest
from numeric.number import read_integer
from numeric.refuse import flag, refusal
from proofs.commands.options import Typed, finite
from proofs.commands.setting import DEFAULT_LENGTH
from proofs.output import require_figure, require_file, require_replaceable

__all__ = ["Grid", "Wanted", "read_depth", "read_depths", "read_grid", "read_outputs"]

DEFAULT_LAYERS = 24
DEFAULT_DEPTHS = "1,4,16"
MOST_LENGTH, MOST_LAYERS, MOST_DEPTH, MOST_SLOPE = 2048, 256, 600, 700
MOST_CELLS = 120  # along an axis: a line of the text has a character for each
MOST_WORK = 1_000_000_000  # cells times positions times hops: seconds in floats, a minute with many balls
MOST_BITS = 4096
MOST_CURVES = 5
HEADS = {"depth": "slope,depth,lambda,label,decided_by", "layers": "layers,lambda,label,decided_by"}
CONTINUUM_HEAD = "depth,position,scaled,limit"


@dataclass(frozen=True)
class Wanted:
    """The options as they were typed; None where they were left out."""

    axes: str
    length: str | None
    layers: str | None
    continuous: bool
    slope: str | None
    slopes: str | None
    across: str | None
    up: str | None
    bits: str | None
    continuum: bool
    depths: str | None
    plot: str | None
    csv: str | None
    json: bool


@dataclass(frozen=True)
class Grid:
    """The grid asked for: ``across`` and ``up`` are the values of the axes. layers : None at continuous depth."""

    axes: Literal["depth", "layers"]
    n: int
    layers: int | None
    slope: float
    across: tuple[float, ...]
    up: tuple[float, ...]
    bits: int
    slopes: Literal["paper", "model"]


def read_grid(wanted: Wanted, typed: Typed) -> Grid:
    """The grid that the options describe."""
    if wanted.axes not in ("depth", "layers"):
        raise refusal("--axes", "be 'depth' or 'layers'", wanted.axes, nearest(wanted.axes, ("depth", "layers")))
    if wanted.slopes not in (None, "paper", "model"):
        raise refusal("--slopes", "be 'paper' or 'model'", wanted.slopes, nearest(wanted.slopes, ("paper", "model")))
    if wanted.depths is not None:
        raise flag("--depths", "come with --continuum", "without")
    kind: Literal["paper", "model"] = "model" if wanted.slopes == "model" else "paper"
    bits = typed.whole(wanted.bits, 2, MOST_BITS, "--bits") or 512
    if wanted.axes == "layers":
        return _layer_grid(wanted, typed, kind, bits)
    n, layers = read_depth(wanted, typed)
    if wanted.slope is not None:
        raise refusal("--slope", "come with --axes layers", wanted.slope)
    deepest = MOST_DEPTH if layers is None else layers
    default = min(deepest, 512)
    across = (0.0, *_ratios(wanted.across, "--across", (1 / 2048, 2.0, 48), MOST_SLOPE))
    up = _ratios(wanted.up, "--up", (min(0.25, default / 4), float(default), 32), deepest)
    # a Poisson law is summed to about 4 S hops
    hops = 50 + 4 * int(up[-1]) if layers is None else layers
    _require_work(n, len(across), len(up), hops, typed)
    return Grid("depth", n, layers, 0.0, across, up, bits, kind)


def _layer_grid(wanted: Wanted, typed: Typed, kind: Literal["paper", "model"], bits: int) -> Grid:
    from numeric.phase import even, whole

    for name, given in ((typed.name("-T", "--layers"), wanted.layers), ("--continuous", wanted.continuous or None)):
        if given is not None:
            raise flag(name, "be left out beside --axes layers, whose layers are --across", "given")
    n = _length(wanted, typed)
    slope = typed.real(wanted.slope, "--slope") or 0.0
    if not 0 <= slope <= MOST_SLOPE:
        raise refusal("--slope", f"lie in [0, {MOST_SLOPE}]", wanted.slope)
    low, high, cells = _axis(wanted.across, "--across", (1.0, 70.0, 35), 1, MOST_LAYERS)
    if low != int(low) or high != int(high):
        raise refusal("--across", "begin and end with whole numbers of layers", wanted.across)
    if cells > high - low + 1:
        raise refusal("--across", f"have at most {int(high - low) + 1} cells, one for each number of layers", cells)
    up = even(*_axis(wanted.up, "--up", (0.0, 1.0, 31), 0, 1))
    across = tuple(float(t) for t in whole(int(low), int(high), cells))
    _require_work(n, len(across), len(up), int(high), typed)
    return Grid("layers", n, None, slope, across, up, bits, kind)


def read_depth(wanted: Wanted, typed: Typed) -> tuple[int, int | None]:
    """n and T; T is None at continuous depth."""
    layers = typed.whole(wanted.layers, 1, MOST_LAYERS, "-T", "--layers")
    if wanted.continuous and layers is not None:
        raise refusal(typed.name("-T", "--layers"), "be left out beside --continuous", layers)
    return _length(wanted, typed), None if wanted.continuous else layers or DEFAULT_LAYERS


def read_depths(wanted: Wanted, typed: Typed) -> tuple[int, int | None, tuple[float, ...]]:
    """n, T and the depths of ``--continuum``, beside which the grid's options say nothing."""
    given = {
        "--slope": wanted.slope, "--slopes": wanted.slopes, "--across": wanted.across, "--up": wanted.up,
        "--bits": wanted.bits, "--axes": None if wanted.axes == "depth" else wanted.axes,
    }  # fmt: skip
    for name, value in given.items():
        if value is not None:
            raise refusal(name, "be left out beside --continuum", value)
    n, layers = read_depth(wanted, typed)
    if n < 2:
        raise refusal(typed.name("-n", "--length"), "be at least 2 for a limit to be compared with", n)
    cells = (wanted.depths or DEFAULT_DEPTHS).split(",")
    if len(cells) > MOST_CURVES:
        raise flag("--depths", f"be at most {MOST_CURVES} numbers", f"{len(cells)}")
    deepest = MOST_DEPTH if layers is None else layers
    if wanted.depths is None:
        cells = [cell for cell in cells if int(cell) <= deepest]
    depths = tuple(finite(cell, "--depths") for cell in cells)
    for depth in depths:
        _require_within(depth, "--depths", deepest)
    if any(a >= b for a, b in pairwise(depths)):
        raise refusal("--depths", "increase", wanted.depths)
    return n, layers, depths


def read_outputs(wanted: Wanted) -> tuple[Path | None, Path | None]:
    """The figure and the CSV file, tried before work starts; a table replaces only one of the same kind."""
    figure = None if wanted.plot is None else require_figure(wanted.plot, "--plot")
    values = None if wanted.csv is None else require_file(wanted.csv, "--csv")
    if values is not None:
        if figure is not None and values.resolve() == figure.resolve():
            raise refusal("--csv", "be another file than --plot", wanted.csv)
        head = CONTINUUM_HEAD if wanted.continuum else HEADS[wanted.axes]
        require_replaceable(values, "--csv", head, "a table of this kind")
    return figure, values


# --- axes -----------------------------------------------------------------------------------------------------------


def _length(wanted: Wanted, typed: Typed) -> int:
    return typed.whole(wanted.length, 1, MOST_LENGTH, "-n", "--length") or DEFAULT_LENGTH


def _ratios(text: str | None, name: str, default: tuple[float, float, int], most: float) -> tuple[float, ...]:
    """An axis in equal ratios, all of it positive."""
    from numeric.phase import ratios

    low, high, cells = _axis(text, name, default, 0, most)
    _require_within(low, name, most)
    return ratios(low, high, cells)


def _axis(
    text: str | None, name: str, default: tuple[float, float, int], least: float, most: float
) -> tuple[float, float, int]:
    """LO, HI and the number of cells."""
    if text is None:
        return default
    parts = text.split(",")
    if len(parts) != 3:
        raise refusal(name, "have the form LO,HI,CELLS", text)
    low, high, cells = finite(parts[0], name, "LO"), finite(parts[1], name, "HI"), read_integer(parts[2], name, "CELLS")
    for value, place in ((low, "LO"), (high, "HI")):
        if not least <= value <= most:
            raise refusal(name, f"lie in [{least:g}, {most:g}]", value, place)
    if low > high:
        raise refusal(name, "have LO at most HI", text)
    if not 1 <= cells <= MOST_CELLS:
        raise refusal(name, f"have 1 to {MOST_CELLS} cells", cells)
    if (cells == 1) is not (low == high):
        raise refusal(name, "have 1 cell where LO = HI, and more elsewhere", text)
    return low, high, cells


def _require_within(value: float, name: str, most: float) -> None:
    if not 0 < value <= most:
        raise refusal(name, f"lie in (0, {most:g}]", value)


def _require_work(n: int, columns: int, rows: int, hops: int, typed: Typed) -> None:
    most = MOST_WORK // (columns * rows * hops)
    if n > most:
        name = typed.name("-n", "--length")
        raise refusal(name, f"be at most {most} for {columns} by {rows} cells of this depth", n)
