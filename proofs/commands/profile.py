"""``posbias profile``: the profile of a model, its shape, and its distance to a measurement."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numeric.files import write_atomically
from numeric.refuse import flag, refusal
from proofs.commands.against import influence_for
from proofs.commands.arrangement import order_json, order_rows, prefix_json, prefix_row
from proofs.commands.bounds import mean_text, speed_json, speed_row
from proofs.commands.certified import (
    Certified,
    certified_distance_json,
    certified_distance_text,
    certified_json,
    certified_rows,
    certify,
)
from proofs.commands.options import Typed
from proofs.commands.save import SAVED_HEAD, saved_text
from proofs.commands.setting import Given, Setting, resolve
from proofs.output import Outcome, as_json, printable, require_figure, require_file, require_replaceable, table

if TYPE_CHECKING:
    from numeric.comparison import Comparison
    from numeric.decomposition import Decomposition
    from numeric.description import Description
    from numeric.layer_order import LayerOrder
    from numeric.shape import Shape
    from numeric.speed import Speed

__all__ = ["Wanted", "collapse", "run", "shape_json", "shape_rows"]

CSV_HEAD = "position,profile"
ALL_MASS = 1 - 1e-6  # a token with at least this much of the mass has all of it


@dataclass(frozen=True)
class Wanted:
    """The options beside those that say what the profile is computed of."""

    against: str | None
    plot: str | None
    csv: str | None
    save: str | None
    order: bool
    certified: bool
    json: bool


def run(given: Given, typed: Typed, wanted: Wanted) -> Outcome:
    """The profile as text or JSON; files are written last, after everything that can be refused was checked."""
    from numeric.comparison import compare
    from numeric.description import describe

    setting, against = resolve(given, typed), wanted.against
    if setting.prefix not in (None, 1):
        _require_causal(wanted)
    influence = None if against is None else influence_for(against, setting)
    figure, values, saved = _targets(wanted, given.source)
    experiment = None if saved is None else saved_text(setting)
    found = describe(setting.kernels, setting.lam, n=setting.length, envelopes=False, certified=wanted.certified)
    comparison = None if influence is None else compare(found.profile, influence)
    extra = _extra(setting, wanted.order, certify(found, influence))
    if figure is not None:
        _draw(figure, found.profile, influence, setting)
    if values is not None:
        write_atomically(values, _csv(found, influence).encode(), "--csv")
    if saved is not None and experiment is not None:
        write_atomically(saved, experiment.encode(), "--save")
    if wanted.json:
        return Outcome(as_json(_json(setting, found, extra, against, comparison)))
    return Outcome(_text(setting, found, extra, against, comparison))


def _require_causal(wanted: Wanted) -> None:
    """Refuses what is known of causal kernels only."""
    if wanted.order:
        raise flag("--order", "be left out beside --prefix", "given (D7 is about causal kernels)")
    if wanted.certified:
        raise flag("--certified", "be left out beside --prefix", "given (its bounds are for causal kernels)")


@dataclass(frozen=True)
class Extra:
    """Bounds of I7 and I8, of causal kernels; the ends of all layer orders and proven error bounds, where they were
    asked for.
    """

    speed: Speed | None
    order: LayerOrder | None
    proven: Certified | None


def _extra(setting: Setting, order: bool, proven: Certified | None) -> Extra:
    if setting.prefix not in (None, 1):
        return Extra(None, None, None)
    from numeric.layer_order import layer_order
    from numeric.speed import speed

    stack = list(setting.kernels), setting.lam
    return Extra(speed(*stack, n=setting.length), layer_order(*stack, n=setting.length) if order else None, proven)


def _targets(wanted: Wanted, source: str | None) -> tuple[Path | None, Path | None, Path | None]:
    """The files to write, tried before work starts; each replaces its like only, and no other file of the command."""
    figure = None if wanted.plot is None else require_figure(wanted.plot, "--plot")
    values = None if wanted.csv is None else require_file(wanted.csv, "--csv")
    saved = None if wanted.save is None else require_file(wanted.save, "--save")
    compared = None if wanted.against is None else Path(wanted.against)
    _require_others("--csv", values, {"--plot": figure, "--against": compared})
    read = None if source is None else Path(source)
    _require_others("--save", saved, {"--plot": figure, "--csv": values, "--against": compared, "SOURCE": read})
    if values is not None:
        require_replaceable(values, "--csv", CSV_HEAD, "a profile")
    if saved is not None:
        require_replaceable(saved, "--save", SAVED_HEAD, "a saved experiment")
    return figure, values, saved


def _require_others(option: str, target: Path | None, others: dict[str, Path | None]) -> None:
    for name, other in others.items():
        if target is not None and other is not None and target.resolve() == other.resolve():
            raise refusal(option, f"be another file than {name}", str(target))


def _draw(path: Path, p: Any, influence: Any, setting: Setting) -> None:
    from numeric.figure import draw_profile

    name = setting.source if setting.slopes != "file" else Path(setting.source).name
    draw_profile(path, p, measured=influence, title=f"{printable(name)}, n = {setting.length}", name="--plot")


def _csv(found: Description, influence: Any) -> str:
    """Columns position (from 0), profile and, where there are such, influence and bound; numbers that read back bit for
    bit.
    """
    beside = {"influence": influence, "bound": found.bound}
    given = {name: values for name, values in beside.items() if values is not None}
    columns = [values.tolist() for values in (found.profile, *given.values())]
    header = ",".join([CSV_HEAD, *given])
    rows = (",".join([str(at), *map(repr, row)]) for at, row in enumerate(zip(*columns, strict=True)))
    return "\n".join([header, *rows]) + "\n"


# --- shape, shared with posbias check -------------------------------------------------------------------------------


def collapse(p: Any) -> tuple[int, float] | None:
    """The token (from 1) that has all the mass, and its mass; None where there is none, or only one token."""
    at = int(p.argmax())
    return (at + 1, float(p[at])) if p.size > 1 and p[at] >= ALL_MASS else None


def shape_json(p: Any, form: Shape) -> dict[str, Any]:
    """Profile and shape as JSON, positions from 1."""
    held = collapse(p)
    return {
        "profile": p.tolist(),
        "shape": form.label,
        "valley": {"position": _from_one(form), "value": form.valley.value, "depth": form.valley.depth},
        "spike": form.spike,
        "mean_position": form.mean_position + 1,
        "first_tenth": form.first_tenth,
        "last_tenth": form.last_tenth,
        "collapsed": None if held is None else {"position": held[0], "mass": held[1]},
    }


def shape_rows(p: Any, form: Shape, fast: Speed | None = None) -> list[tuple[str, str]]:
    """Shape as rows of text, positions from 1; the mean position with its bounds where they are given."""
    mean = f"{form.mean_position + 1:.3f}" + ("" if fast is None else f", {mean_text(fast)}")
    at, low = _from_one(form), form.valley
    where = "position undecided" if at is None else f"position {at}"
    rows = [
        ("shape", "undecided: rounding may hide it" if form.label == "undecided" else form.label),
        ("valley", f"{where}, value {low.value:.6g}, depth {low.depth:.6g}"),
        ("spike", f"{form.spike:.6g} at position {p.size}"),
        ("mean position", mean),
        ("outer tenths", f"{form.first_tenth:.6g} first, {form.last_tenth:.6g} last"),
    ]
    if (held := collapse(p)) is not None:
        rows.append(("collapsed", f"on position {held[0]}, mass {held[1]:.9g}"))
    return rows


def _from_one(form: Shape) -> int | None:
    return None if form.valley.position is None else form.valley.position + 1


# --- text and JSON --------------------------------------------------------------------------------------------------


def _json(
    setting: Setting, found: Description, extra: Extra, against: str | None, comparison: Comparison | None
) -> dict[str, Any]:
    compared = None
    if comparison is not None:
        compared = {
            "source": against,
            "wasserstein": comparison.wasserstein,
            "wasserstein_positions": comparison.wasserstein_positions,
            "spearman": comparison.spearman,
            **certified_distance_json(extra.proven),
        }
    return {
        "source": setting.source,
        "length": setting.length,
        "layers": setting.layers,
        "heads": setting.heads,
        "slopes": setting.slopes,
        "effective_depth": found.effective_depth,
        **shape_json(found.profile, found.shape),
        "hops": {"mean": found.effective_depth, "variance": _variance(setting), "law": found.hops.tolist()},
        "decomposition": None if found.decomposition is None else _decomposition(found.decomposition),
        **({} if extra.proven is None else certified_json(extra.proven)),
        **({} if extra.speed is None else speed_json(found.profile, extra.speed)),
        **({} if setting.prefix is None else prefix_json(found.profile, setting.prefix)),
        **({} if extra.order is None else {"order": order_json(extra.order)}),
        "against": compared,
    }


def _variance(setting: Setting) -> float:
    """Var K = Σ λ_t (1 − λ_t)."""
    return math.fsum(share * (1 - share) for share in setting.lam)


def _decomposition(parts: Decomposition) -> dict[str, Any]:
    return {"spike": parts.spike, "nonincreasing": parts.nonincreasing}


def _text(
    setting: Setting, found: Description, extra: Extra, against: str | None, comparison: Comparison | None
) -> str:
    deviation = _variance(setting) ** 0.5
    rows = [
        ("source", printable(setting.source)),
        ("length", str(setting.length)),
        ("layers", str(setting.layers)),
        ("heads", str(setting.heads)),
        ("slopes", setting.slopes_text),
        ("effective depth", f"{found.effective_depth:.3f}"),
        *shape_rows(found.profile, found.shape, extra.speed),
        *([] if extra.proven is None else certified_rows(extra.proven)),
        *([] if extra.speed is None else [speed_row(found.profile, extra.speed)]),
        *([] if setting.prefix is None else [prefix_row(found.profile, setting.prefix)]),
        ("hops", f"{found.effective_depth:.3f} +- {deviation:.3f}, none with probability {found.hops[0]:.6g}"),
        ("decomposition", _parts_text(found, setting)),
        *([] if extra.order is None else order_rows(extra.order)),
    ]
    if comparison is not None:
        rank = comparison.spearman
        rows += [
            ("against", "measured influence" if against == "measured" else printable(against or "")),
            ("W1/(n-1)", f"{comparison.wasserstein:.4f}{certified_distance_text(extra.proven)}"),
            ("W1", f"{comparison.wasserstein_positions:.3f} positions"),
            ("Spearman", "undefined, a profile is constant" if rank is None else f"{rank:.4f}"),
        ]
    return table(rows)


def _parts_text(found: Description, setting: Setting) -> str:
    parts = found.decomposition
    if parts is None and setting.prefix is not None:
        return "none: it is that of causal kernels, and rows of the prefix read later positions"
    if parts is None:
        return f"none, {found.no_decomposition}"
    answer = {True: "nonincreasing", False: "not nonincreasing", None: "undecided"}[parts.nonincreasing]
    return f"residual spike {parts.spike:.6g}, envelopes {answer}"
