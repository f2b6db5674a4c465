"""``posbias phase``: the shape of a profile over a grid of architectures, or the limits of n p_j."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from numeric.files import write_atomically
from proofs.commands.options import Typed
from proofs.commands.phase_setting import (
    CONTINUUM_HEAD,
    HEADS,
    Grid,
    Wanted,
    read_depths,
    read_grid,
    read_outputs,
)
from proofs.output import Outcome, as_json, note, table

if TYPE_CHECKING:
    from numeric.continuum import Continuum
    from numeric.phase import Phase
    from numeric.phase_models import Placed

__all__ = ["Wanted", "run"]

SIGNS = {"flat": "-", "primacy": "\\", "recency": "/", "U": "U", "other": "~", "undecided": "?"}


def run(wanted: Wanted, typed: Typed) -> Outcome:
    """The diagram or the limits, as text or JSON; files are written last."""
    return _limits(wanted, typed) if wanted.continuum else _diagram(wanted, typed)


def _diagram(wanted: Wanted, typed: Typed) -> Outcome:
    grid = read_grid(wanted, typed)
    figure, values = read_outputs(wanted)
    found = _decided(grid)
    from numeric.phase_models import place_models

    models = place_models(found, slopes=grid.slopes)
    if figure is not None:
        from numeric.phase_figure import draw_phase

        draw_phase(figure, found, models, name="--plot")
    if values is not None:
        write_atomically(values, _csv(found).encode(), "--csv")
    return Outcome(as_json(_json(grid, found, models)) if wanted.json else _text(grid, found, models))


def _decided(grid: Grid) -> Phase:
    """The labels; progress on a terminal."""
    from numeric.phase import depth_phase, layer_phase

    if grid.axes == "layers":
        counts = [int(t) for t in grid.across]
        return layer_phase(counts, grid.up, n=grid.n, slope=grid.slope, bits=grid.bits)

    def progress(done: int, total: int) -> None:
        note(f"{done}/{total} slopes")

    try:
        return depth_phase(grid.across, grid.up, n=grid.n, layers=grid.layers, bits=grid.bits, progress=progress)
    finally:
        note("")


# --- text -----------------------------------------------------------------------------------------------------------


def _text(grid: Grid, found: Phase, models: tuple[Placed, ...]) -> str:
    rows = [
        ("length", str(found.n)),
        *_axes_rows(grid),
        ("labels", ", ".join(f"{label} {count}" for label, count in found.counts.items())),
        ("decided", f"{found.by['floats']} in floats, {found.by['balls']} in balls, {found.by['nothing']} undecided"),
        *_boundary_rows(grid),
    ]
    return "\n\n".join([table(rows), _map(found), _model_table(found, models)])


def _axes_rows(grid: Grid) -> list[tuple[str, str]]:
    up, cells = f"{grid.up[0]:.4g} to {grid.up[-1]:.4g}", f"{len(grid.across)} by {len(grid.up)}"
    if grid.axes == "layers":
        across = f"layers T = {grid.across[0]:g} to {grid.across[-1]:g}"
        return [("slope", f"{grid.slope:g}"), ("cells", cells), ("across", across), ("up", f"lambda = {up}")]
    how = "continuous depth" if grid.layers is None else f"{grid.layers}, each with lambda = S/{grid.layers}"
    across = f"slope m = 0, then {grid.across[1]:.4g} to {grid.across[-1]:.4g} in equal ratios"
    depth = f"effective depth S = {up} in equal ratios"
    return [("layers", how), ("cells", cells), ("across", across), ("up", depth)]


def _boundary_rows(grid: Grid) -> list[tuple[str, str]]:
    """What U7 and U8 say of this diagram."""
    from numeric.phase import u_mixing

    if grid.axes == "layers":
        if grid.slope == 0:
            return [("U7", "a U iff n (1 - lambda + lambda/n)^T > (n-1) (1 - lambda + lambda/(n-1))^T")] * (grid.n > 2)
        return [
            ("U8", "as n grows no hump near the end iff lambda e^-m (T + 1) <= 2, and"),
            ("", "the last token at least the one before iff lambda e^-m (T (1 - e^-m) + 1) <= 1"),
        ]
    scale = grid.layers or 1
    edge = f"for m = 0 a U iff S < {u_mixing(grid.n, grid.layers) * scale:.6g}" if grid.n > 2 else "says nothing"
    hump = "S e^-m <= 2" if grid.layers is None else f"S e^-m <= {2 * scale / (scale + 1):.6g}"
    end = "S e^-m (1 - e^-m) <= 1" if grid.layers is None else f"S e^-m (1 - e^-m + 1/{scale}) <= 1"
    return [
        ("U7", edge),
        ("U8", f"as n grows no hump near the end iff {hump}, and"),
        ("", f"the last token at least the one before iff {end}"),
    ]


def _map(found: Phase) -> str:
    """A character for each cell, the largest depth or λ on top; the signs look like what they stand for."""
    signs = ", ".join(f"{SIGNS[label]} {label}" for label in found.counts)
    lines = [
        f"{value:8.4g}  {''.join(SIGNS[cell.label] for cell in row)}"
        for value, row in zip(reversed(found.up), reversed(found.answers), strict=True)
    ]
    return "\n".join([*lines, f"{'':10}{signs}"])


def _model_table(found: Phase, models: tuple[Placed, ...]) -> str:
    """Where the published models lie, and what they are with all their heads and layers."""
    place = ["slope", "of slopes"] if found.axes == "depth" else ["T", "mean lambda"]
    rows = [["model", "S", *place, "cell", "own profile, n = 256"]]
    for model in models:
        where = (
            [f"{model.slope:.4f}", f"{model.least:.4f} to {model.largest:.4f}"]
            if found.axes == "depth"
            else [f"{model.across:g}", f"{model.up:.4f}"]
        )
        rows.append([model.name, f"{model.depth:.3f}", *where, model.cell or "outside", model.own])
    return table(rows)


# --- JSON and CSV ---------------------------------------------------------------------------------------------------


def _json(grid: Grid, found: Phase, models: tuple[Placed, ...]) -> dict[str, Any]:
    names = ("slope", "depth") if found.axes == "depth" else ("layers", "lambda")
    return {
        "axes": found.axes,
        "length": found.n,
        "layers": found.layers,
        "continuous": found.axes == "depth" and found.layers is None,
        "slope": found.slope,
        "across": {"name": names[0], "values": [int(x) if names[0] == "layers" else x for x in found.across]},
        "up": {"name": names[1], "values": list(found.up)},
        "labels": [[cell.label for cell in row] for row in found.answers],
        "decided_by": [[cell.by for cell in row] for row in found.answers],
        "counts": found.counts,
        "in_floats": found.by["floats"],
        "in_balls": found.by["balls"],
        "undecided": found.by["nothing"],
        "boundaries": _boundaries(found),
        "models": {
            "slopes": grid.slopes,
            "placed": [
                {
                    "name": model.name, "effective_depth": model.depth, "mean_slope": model.slope,
                    "slopes": [model.least, model.largest], "across": model.across, "up": model.up,
                    "cell": model.cell, "shape": model.own,
                }
                for model in models
            ],
        },
    }  # fmt: skip


def _boundaries(found: Phase) -> dict[str, Any]:
    """The boundaries in the unit of the axis up, one value per column; null where a statement says nothing of it."""
    from numeric.phase import hump_mixing, spike_mixing, u_mixing

    scale = (found.layers or 1) if found.axes == "depth" else 1
    columns = [(m, found.layers) if found.slope is None else (found.slope, int(m)) for m in found.across]
    u7 = [u_mixing(found.n, layers) * scale if m == 0 and found.n > 2 else None for m, layers in columns]
    humps, ends = (
        [f(m, layers) * scale if m > 0 else None for m, layers in columns] for f in (hump_mixing, spike_mixing)
    )
    return {"U7_u_below": u7, "U8_no_hump_below": humps, "U8_end_highest_below": ends}


def _csv(found: Phase) -> str:
    """A line for each cell; numbers that read back bit for bit."""
    lines = [HEADS[found.axes]]
    for row, answers in enumerate(found.answers):
        for column, cell in enumerate(answers):
            mixing = found.mixing(row, column)
            place = [repr(found.across[column]), repr(found.up[row])]
            if found.axes == "layers":
                place = [str(int(found.across[column]))]
            lines.append(",".join([*place, "" if mixing is None else repr(mixing), cell.label, cell.by]))
    return "\n".join(lines) + "\n"


# --- limits of n p_j ------------------------------------------------------------------------------------------------


def _limits(wanted: Wanted, typed: Typed) -> Outcome:
    n, layers, depths = read_depths(wanted, typed)
    figure, values = read_outputs(wanted)
    from numeric.continuum import continuum

    curves = continuum(depths, n=n, layers=layers)
    _write_limits(curves, figure, values)
    if wanted.json:
        return Outcome(as_json({"length": n, "layers": layers, "curves": [_curve(curve) for curve in curves]}))
    statement = "C3, continuous depth" if layers is None else f"U5, {layers} layers of lambda = S/{layers}"
    head = table([("length", str(n)), ("limit", f"n p_j -> f(j/n) for the uniform kernel ({statement})")])
    rows = [["S", "atom at x = 1", "largest gap", "at position"]]
    for curve in curves:
        gap, at = curve.gap
        rows.append([f"{curve.depth:g}", f"{curve.atom:.6g}", f"{100 * gap:.3f} %", str(at + 1)])
    said = "Gaps are relative to the limit, over positions from n/10 to 9n/10."
    return Outcome("\n\n".join([head, table(rows, frozenset({2, 3})), said]))


def _write_limits(curves: tuple[Continuum, ...], figure: Path | None, values: Path | None) -> None:
    if figure is not None:
        from numeric.phase_figure import draw_continuum

        draw_continuum(figure, curves, name="--plot")
    if values is not None:
        pairs = ((c.depth, zip(c.scaled.tolist(), c.limit.tolist(), strict=True)) for c in curves)
        lines = [f"{depth!r},{at},{p!r},{f!r}" for depth, both in pairs for at, (p, f) in enumerate(both)]
        write_atomically(values, ("\n".join([CONTINUUM_HEAD, *lines]) + "\n").encode(), "--csv")


def _curve(curve: Continuum) -> dict[str, Any]:
    gap, at = curve.gap
    return {
        "depth": curve.depth,
        "atom": curve.atom,
        "gap": {"value": gap, "position": at + 1},
        "scaled": curve.scaled.tolist(),
        "limit": curve.limit.tolist(),
    }
