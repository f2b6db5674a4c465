"""What ``posbias compare`` prints: a table and a few lines for each folder, and one table of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from proofs.output import printable, table

if TYPE_CHECKING:
    from numeric.model.comparing import Comparison, Distances, RunComparison
    from numeric.model.run_kernels import Averaging

__all__ = ["text_of"]

Interval = tuple[float, float] | None
WIDEST = 24  # characters of a folder's name above a column


def text_of(found: Comparison, files: Sequence[str] = ()) -> str:
    """files : what was written."""
    parts = [_run(one) for one in found.runs]
    if len(found.runs) > 1:
        parts.append(_joint(found))
    if found.other_target:
        named = ", ".join(f"{printable(str(folder))} ({target})" for folder, target in found.other_target)
        parts.append(f"left out, of another target: {named}")
    if files:
        parts.append(f"written  {', '.join(map(printable, files))}")
    return "\n\n".join(parts)


# --- one folder -------------------------------------------------------------------------------------------------------


def _run(one: RunComparison) -> str:
    run, kept = one.run, one.run.manifest
    model = kept["model"]
    weights = "" if model.get("random_init") is None else f", random weights of seed {model['random_init']}"
    source, family = printable(str(model.get("source"))), printable(str(model.get("family")))
    head = [
        ("measured", printable(str(run.folder))),
        ("model", f"{source}, {family}{weights}"),
        ("samples", _samples(one)),
        *(("without", f"sample {number}: {why}") for number, why in one.profiles.excluded),
        ("influence", f"target {run.target}, mean of the samples' profiles"),
    ]
    width = max(len(name) for name, _ in _after(one))
    blocks = [_lines(head, width), _table(one), _lines(_after(one), width)]
    return "\n\n".join(blocks)


def _lines(rows: list[tuple[str, str]], width: int) -> str:
    return "\n".join(f"{name.ljust(width)}  {text}".rstrip() for name, text in rows)


def _samples(one: RunComparison) -> str:
    from numeric.model.resampling import FEWEST

    run, count = one.run, len(one.profiles.numbers)
    kind = printable(str(run.manifest["input"].get("kind")))
    text = f"{count} of {run.length} positions, {kind}"
    if not run.complete:
        doing = "being measured" if run.in_use else "not finished"
        text += f"; {doing}: {run.measured} of {run.asked} are there"
    if run.torn:
        text += "; the last record is cut short and left out"
    if count == 1:
        return f"{text}; of one sample there are no intervals"
    return text if count >= FEWEST else f"{text}; of fewer than {FEWEST} samples intervals are too narrow"


def _table(one: RunComparison) -> str:
    found = one.all_tokens
    best = {found.nearest, *found.tied}
    rest = {} if one.without_first is None else {gap.name: gap for gap in one.without_first.gaps}
    rows = [("", "", "W1/(n-1)", "95 %", "Spearman", "95 %", "first", "without it")]
    for gap in found.gaps:
        other = rest.get(gap.name)
        rows.append((
            "*" if gap.name in best else "", gap.name, f"{gap.wasserstein:.4f}", _between(gap.interval),
            "-" if gap.spearman is None else f"{gap.spearman:.4f}", _between(gap.rank_interval), f"{gap.first:.4f}",
            "-" if other is None else f"{other.wasserstein:.4f}",
        ))  # fmt: skip
    return table(rows, frozenset({2, 4, 6, 7}))


def _between(interval: Interval) -> str:
    return "-" if interval is None else f"{interval[0]:.4f} to {interval[1]:.4f}"


def _after(one: RunComparison) -> list[tuple[str, str]]:
    rows = _under("nearest", _nearest(one.all_tokens))
    rest = [] if one.without_first is None else _nearest(one.without_first)
    rows += _under("without first", [*rest, *(f"{x} left out: {why}" for x, why in one.without_first_why.items())])
    rows += _kernel_rows(one)
    reasons: dict[str, list[str]] = {}
    for name, why in one.profiles.left_out.items():
        reasons.setdefault(why, []).append(name)
    return [*rows, *_under("left out", [f"{'; '.join(names)}: {printable(why)}" for why, names in reasons.items()])]


def _under(name: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    """Lines that have one name in common."""
    return [(name if at == 0 else "", text) for at, text in enumerate(texts)]


def _nearest(found: Distances) -> list[str]:
    named = found.nearest + "".join(f", tied with {name}" for name in found.tied)
    if found.runner_up is None:
        return [f"{named}, there is no other"]
    by = f"by {found.margin:.3g}"
    if found.margin_interval is None:
        return [f"{named}, {by} before {found.runner_up}; of one sample it is not told whether they are separated"]
    low, high = found.margin_interval
    told = "separated" if found.separated else "not separated"
    lines = [f"{named}, {by} before {found.runner_up} ({low:.3g} to {high:.3g}): {told}"]
    if found.share is not None and found.share < 1:
        lines.append(f"nearest in {found.share:.1%} of the draws")
    if len(found.alike) > (not found.separated):
        lines.append(f"not separated from {'; '.join(found.alike)}")
    return lines


def _kernel_rows(one: RunComparison) -> list[tuple[str, str]]:
    averaging, drift, sink = one.averaging, one.drift, one.sink
    first = f"{one.measured_first:.4g} of the influence"
    if averaging is None or drift is None or sink is None:
        return [("first token", first), ("averaging", f"not told: {one.kernels_why}")]
    layer = max(range(len(sink.layers)), key=sink.layers.__getitem__)
    attention = f"{sink.mean:.4g} of the attention of later ones, {sink.layers[layer]:.4g} in layer {layer + 1}"
    plain = [] if one.architectural_first is None else [f"{one.architectural_first:.4g} with queries and keys 0"]
    return [
        *_under("first token", [f"{first}; {attention}", *plain]),
        (
            "averaging",
            f"mean of rollouts and rollout of the mean kernel differ by {averaging.distance:.3g} of the mass",
        ),
        ("", _averaging_bound(averaging)),
        ("drift", f"a layer on top raises no tail by more than {drift.on_top:.3g}, more mixing by {drift.raised:.3g}"),
        ("", f"by D8, from defects of at most {drift.gap:.3g}, in layer {drift.layer}"),
    ]


def _averaging_bound(averaging: Averaging) -> str:
    if averaging.bound is None:
        return f"no bound by X1: {averaging.why}"
    return f"at most {averaging.bound:.3g} by X1" + (", which says nothing" if averaging.bound >= 1 else "")


# --- all folders ------------------------------------------------------------------------------------------------------


def _joint(found: Comparison) -> str:
    names = [printable(str(one.run.folder)) for one in found.runs]
    rows = [("W1/(n-1)", *(name if len(name) <= WIDEST else f"...{name[3 - WIDEST :]}" for name in names))]
    from numeric.model.run_profiles import VARIANTS

    for variant in VARIANTS:
        gaps = [one.all_tokens.of(variant) for one in found.runs]
        if any(gap is not None for gap in gaps):
            rows.append((variant, *(_cell(one, variant) for one in found.runs)))
    rows.append(("nearest separated", *(_separated(one) for one in found.runs)))
    count = len(found.runs)
    apart = sum(bool(one.separated) for one in found.runs)
    near = _under("nearest", [
        *(f"{name} in {times} of {count}" for name, times in found.nearest_in.items()),
        f"separated from the next in {apart} of {count}",
    ])  # fmt: skip
    right = frozenset(range(1, count + 1))
    return f"{table(rows, right)}\n\n{table(near)}"


def _cell(one: RunComparison, variant: str) -> str:
    gap = one.all_tokens.of(variant)
    if gap is None:
        return "-"
    return ("* " if variant in {one.nearest, *one.all_tokens.tied} else "") + f"{gap.wasserstein:.4f}"


def _separated(one: RunComparison) -> str:
    return "-" if one.separated is None else "yes" if one.separated else "no"
