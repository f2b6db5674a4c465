"""``posbias audit``: what a model's attention does, beside what its configuration declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from numeric.refuse import InputError
from proofs.commands.model import Chosen, load_model
from proofs.commands.options import MOST_POSITIONS, Typed, renamed
from proofs.output import Outcome, as_json, printable, table

if TYPE_CHECKING:
    from numeric.kernel import Kernel
    from numeric.model import Audit
    from numeric.model.declared import Declared
    from numeric.model.layer import Layer
    from numeric.model.mismatch import Mismatch

__all__ = ["kernel_text", "run"]

FAILED = 1  # the exit code where a configuration does not hold
SHOWN = 6  # slopes in a line of text; JSON has them all


def run(chosen: Chosen, length: str | None, typed: Typed, *, json: bool) -> Outcome:
    """The audit as text or JSON; exit code 1 where the modules do something else than declared."""
    n = typed.whole(length, 4, MOST_POSITIONS, "-n", "--length")
    loaded = load_model(chosen, typed)
    from numeric.model.audit import audit

    with renamed(n=typed.name("-n", "--length")):
        found = audit(loaded, n=n, both=chosen.attention is None)
    text = as_json(_json(found)) if json else _text(found)
    return Outcome(text, FAILED if found.mismatches else 0)


# --- text -----------------------------------------------------------------------------------------------------------


def _text(found: Audit) -> str:
    rows = [
        ("", "declared", "read", ""),
        _row("layers", [str(found.declared_layers or "-")], [str(len(found.layers))], found),
        *(_compared(what, found, partial(_entry, name)) for what, name in _SIZES),
        *(_compared(name, found, partial(_entry, name)) for name in ("mask", "positions")),
        _compared("window", found, lambda x: "none" if x.window is None else str(x.window)),
        _compared("slopes", found, lambda x: _slopes(x.slopes)),
        _compared("scale", found, lambda x: _number(x.scale)),
        *(_compared(name, found, partial(_entry, name)) for name in _PLAN),
    ]
    head = [
        ("model", f"{printable(found.model)} ({found.family}), {found.attention} attention"),
        ("read at", f"{found.n} positions" + ("" if found.limit is None else f" of {found.limit}")),
    ]
    # the columns of the second table are wider: of the first, only names are aligned
    width = max(len(row[0]) for row in rows)
    first = [f"{name.ljust(width)}  {text}" for name, text in head + _after(found)]
    return "\n".join([*first[:2], table(rows), *first[2:]])


_SIZES = (("heads", "heads"), ("key-value heads", "kv_heads"), ("head size", "head_size"))
_PLAN = ("norm", "order", "residual")


def _compared(what: str, found: Audit, of: Callable[[Any], str]) -> tuple[str, str, str, str]:
    return _row(what, [of(x) for x in found.declared], [of(x) for x in found.layers], found)


def _row(what: str, said: Sequence[str], read: Sequence[str], found: Audit) -> tuple[str, str, str, str]:
    wrong = any(x.what == what or x.what.startswith(f"{what} of ") for x in found.mismatches)
    return what, _grouped(said), _grouped(read), "MISMATCH" if wrong else ""


def _entry(name: str, layer: Any) -> str:
    value = getattr(layer, name)
    return "-" if value is None else str(value)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"


def _slopes(slopes: Any) -> str:
    """The first slopes; "-" where there are none."""
    if slopes is None or not len(slopes):
        return "-"
    more = f" and {len(slopes) - SHOWN} more" if len(slopes) > SHOWN else ""
    # of powers of two the sixth digit may be a tie: rounded first to what is read reliably, both sides print alike
    return " ".join(f"{float(f'{m:.7g}'):.5g}" for m in slopes[:SHOWN]) + more


def _grouped(texts: Sequence[str]) -> str:
    """One text where all layers have it, else each with its layers."""
    layers: dict[str, list[int]] = {}
    for number, text in enumerate(texts, start=1):
        layers.setdefault(text, []).append(number)
    if len(layers) <= 1:
        return next(iter(layers), "-")
    from numeric.model.mismatch import layer_numbers

    return "; ".join(f"{text} ({layer_numbers(tuple(numbers))})" for text, numbers in layers.items())


def _after(found: Audit) -> list[tuple[str, str]]:
    """Kernels, rounding, the other way of computing attention, and mismatches in full."""
    rows = [("kernels", _kernels(found))]
    rounding = max((layer.rounding for layer in found.layers), default=0.0)
    if rounding > 0:
        rows.append(("rounding", f"biases are up to {rounding:.3g} off their line, as bfloat16 leaves them"))
    if found.other is not None:
        told = [x.told(found.attention, found.other) for x in found.differences]
        rows += [(f"{found.other} attention", text) for text in told or [f"as {found.attention}"]]
    rows += [("mismatch", x.told()) for x in found.mismatches]
    return rows if found.mismatches else [*rows, ("mismatches", "none")]


def _kernels(found: Audit) -> str:
    try:
        return _grouped([kernel_text(kernel) for kernel in found.kernels()])
    except InputError:
        return "none that describes this mask or bias"


def kernel_text(kernel: Kernel) -> str:
    """A kernel in a few words."""
    from numeric.distance import Window
    from numeric.kernel import Alibi, HeadAverage

    if isinstance(kernel, Alibi):
        return f"ALiBi, {kernel.slopes.size} slopes"
    if isinstance(kernel, Window):
        return f"window of {kernel.width}" + (f", slope {kernel.slope:.6g}" if kernel.slope else "")
    if isinstance(kernel, HeadAverage):
        return f"average of {len(kernel.kernels)} heads, {kernel_text(kernel.kernels[0])} and others"
    return type(kernel).__name__.lower()


# --- JSON -----------------------------------------------------------------------------------------------------------


def _json(found: Audit) -> dict[str, Any]:
    return {
        "model": found.model,
        "family": found.family,
        "attention": found.attention,
        "length": found.n,
        "limit": found.limit,
        "declared_layers": found.declared_layers,
        "layers": [_layer(layer) for layer in found.layers],
        "declared": [_declared(layer) for layer in found.declared],
        "mismatches": [_mismatch(x) for x in found.mismatches],
        "kernels": _kernels(found),
        "other_attention": found.other,
        "differences": [_mismatch(x) for x in found.differences],
    }


def _layer(layer: Layer) -> dict[str, Any]:
    attends = layer.attends
    alibi = layer.slopes is not None
    return {
        "layer": layer.number,
        **{name: getattr(layer, name) for name in ("heads", "kv_heads", "head_size", "mask", "window", "positions")},
        "slopes": list(layer.slopes) if layer.slopes is not None else None,
        "slope_errors": attends.bias.slope_errors.tolist() if alibi else None,
        "rounding": layer.rounding,
        "scale": layer.scale,
        "scales": [None if scale != scale else scale for scale in attends.scales.tolist()],
        "row_sum_defect": attends.mask.defect,
        **{name: getattr(layer, name) for name in _PLAN},
    }


def _declared(said: Declared) -> dict[str, Any]:
    return {
        **{name: getattr(said, name) for name in ("heads", "kv_heads", "head_size", "mask", "window", "positions")},
        "slopes": None if said.slopes is None else said.slopes.tolist(),
        "scale": said.scale,
        **{name: getattr(said, name) for name in _PLAN},
    }


def _mismatch(one: Mismatch) -> dict[str, Any]:
    return {"layers": list(one.layers), "what": one.what, "declared": one.declared, "read": one.read}
