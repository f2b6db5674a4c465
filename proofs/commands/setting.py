"""What a profile is computed of: a published model, an experiment file, or an architecture given by options."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numeric.nearest import nearest
from numeric.refuse import flag, refusal, shown
from proofs.commands.options import MOST_HEADS, MOST_LAYERS, MOST_POSITIONS, Typed, renamed
from proofs.output import printable

if TYPE_CHECKING:
    from numeric.kernel import Alibi, Kernel
    from numeric.published import Published
    from numeric.schedule import Schedule

__all__ = ["DEFAULT_LENGTH", "Given", "Setting", "is_model", "read_mixing", "read_rule", "read_slopes", "resolve"]

DEFAULT_LENGTH = 256  # the length at which the published models were measured


@dataclass(frozen=True)
class Given:
    """The options as they were typed; None where one was left out."""

    source: str | None
    length: str | None
    layers: str | None
    heads: str | None
    slope: str | None
    slopes: str | None
    lam: str | None
    prefix: str | None = None
    random_init: bool = False
    family: str | None = None


@dataclass(frozen=True)
class Setting:
    """n positions, T layers of H heads with λ_1 … λ_T; ``slopes`` is paper, model, file, given or
    audited. prefix : how many
    tokens see each other; None for a causal mask.
    """

    source: str
    length: int
    layers: int
    heads: int
    slopes: str
    slopes_text: str
    kernels: Sequence[Kernel]
    lam: Any
    prefix: int | None = None


def resolve(given: Given, typed: Typed) -> Setting:
    """The setting that the options describe; refused before work starts."""
    setting = _causal(given, typed)
    prefix = typed.whole(given.prefix, 1, MOST_POSITIONS, "--prefix")
    if prefix is None:
        return setting
    if prefix > setting.length:
        raise refusal("--prefix", f"be at most {setting.length}, the number of positions", prefix)
    if prefix == 1:  # a token that sees itself: the causal kernels, and all that holds of them
        return replace(setting, prefix=prefix)
    from numeric.once import once
    from numeric.prefix_lm import PrefixLM

    kernels = once(lambda kernel: PrefixLM.of(kernel, prefix), setting.kernels)
    return replace(setting, kernels=kernels, prefix=prefix)


def _causal(given: Given, typed: Typed) -> Setting:
    """The setting with its causal mask."""
    from numeric.published import PUBLISHED

    if given.slopes not in (None, "paper", "model"):
        raise refusal("--slopes", "be 'paper' or 'model'", given.slopes, nearest(given.slopes, ("paper", "model")))
    if given.source is None:
        _require_no_model(given)
        return _architecture(given, typed)
    for name in ("heads", "slope"):
        value = getattr(given, name)
        if value is not None:
            raise refusal(f"--{name}", "be left out beside a SOURCE, which has its own", value)
    if given.source in PUBLISHED:
        _require_no_model(given)
        return _published(PUBLISHED[given.source], given, typed)
    if is_model(given.source):
        from proofs.commands.model_setting import model_setting

        return model_setting(given, typed)
    if _exists(given.source):
        _require_no_model(given)
        return _file(given.source, given, typed)
    requirement = f"be an experiment file, a model folder, or one of {', '.join(PUBLISHED)}"
    raise refusal("SOURCE", requirement, given.source, nearest(given.source, PUBLISHED))


def is_model(source: str) -> bool:
    """Whether it names a model to load: a folder with a config.json, a .gguf file, or owner/model where no such file
    exists.
    """
    from numeric.model.place import is_hub_name

    path = Path(source)
    if _exists(source):
        return (path / "config.json").is_file() or path.suffix == ".gguf"
    return is_hub_name(source) and path.suffix.lower() not in _FILES


_FILES = (".csv", ".json", ".toml", ".txt", ".yaml", ".yml")  # a mistyped experiment file is no name on a hub


def _require_no_model(given: Given) -> None:
    """Refuses what says how a model is loaded where none is."""
    if given.random_init:
        raise flag("--random-init", "be left out where SOURCE is no model to load", "given")
    if given.family is not None:
        raise refusal("--family", "be left out where SOURCE is no model to load", given.family)


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long a name, a null byte
        return False


def _length(given: Given, typed: Typed) -> int | None:
    return typed.whole(given.length, 1, MOST_POSITIONS, "-n", "--length")


def _layers(given: Given, typed: Typed) -> int | None:
    return typed.whole(given.layers, 0, MOST_LAYERS, "-T", "--layers")


def read_mixing(text: str, layers: int) -> Any:
    """λ of each layer, (layers,)."""
    rule = read_rule(text)
    with _as_typed():
        return rule.values(layers)


def read_rule(text: str) -> Schedule:
    """The rule or list that ``--lam`` gives, before the number of layers is known."""
    from numeric.schedule import read_schedule

    with _as_typed():
        return read_schedule(text)


def _as_typed() -> AbstractContextManager[None]:
    return renamed(lam="--lam", c="--lam", r="--lam", beta="--lam", layer="--lam")


def _published(model: Published, given: Given, typed: Typed) -> Setting:
    kind = "model" if given.slopes == "model" else "paper"
    layers = _layers(given, typed)
    if layers is None:
        layers = model.layers
    if given.lam is None and layers != model.layers:
        requirement = f"be {model.layers}, the number of layers measured, unless --lam is given"
        raise refusal(typed.name("-T", "--layers"), requirement, layers)
    lam = model.lam() if given.lam is None else read_mixing(given.lam, layers)
    text = f"paper, 2^(-8h/{model.heads})" if kind == "paper" else "model, as the model computes them"
    kernels = _alike(model.slopes("model" if kind == "model" else "paper"), layers)
    length = _length(given, typed) or model.length
    return Setting(model.name, length, layers, model.heads, kind, text, kernels, lam)


def _file(path: str, given: Given, typed: Typed) -> Setting:
    from numeric.experiment import load_experiment

    if given.slopes is not None:
        raise refusal("--slopes", "be left out for an experiment file, which has its own", given.slopes)
    if given.layers is not None:
        name = typed.name("-T", "--layers")
        raise refusal(name, "be left out for an experiment file, which has its own", given.layers)
    length = _length(given, typed)
    with renamed(file="SOURCE"):
        experiment = load_experiment(path)
        kernels = experiment.kernels()
    lam = experiment.lam if given.lam is None else read_mixing(given.lam, experiment.layers)
    size = (length or experiment.length, experiment.layers, experiment.heads)
    return Setting(path, *size, "file", f"from {printable(Path(path).name)}", kernels, lam)


def _architecture(given: Given, typed: Typed) -> Setting:
    layers = _layers(given, typed)
    length = _length(given, typed) or DEFAULT_LENGTH
    if layers is None:
        raise flag("--layers", "be given where SOURCE is left out", "left out")
    heads, slopes, kind, text = read_slopes(given, typed)
    if given.lam is None:
        raise flag("--lam", "be given where SOURCE is left out", "left out")
    lam = read_mixing(given.lam, layers)
    with renamed(slopes="--slope"):
        kernels = _alike(slopes, layers)
    return Setting("options", length, layers, heads, kind, text, kernels, lam)


def read_slopes(given: Given, typed: Typed) -> tuple[int, Any, str, str]:
    """(H, slopes, kind, text) from --heads or --slope, exactly one of them."""
    from numeric.published import bloom_slopes, paper_slopes

    if given.slope is not None:
        if given.heads is not None:
            raise refusal("--slope", "be left out beside --heads", given.slope)
        if given.slopes is not None:
            raise refusal("--slopes", "be left out beside --slope", given.slopes)
        slope = typed.real(given.slope, "--slope")
        return 1, [slope], "given", f"one head, m = {shown(slope)}"
    heads = typed.whole(given.heads, 1, MOST_HEADS, "--heads")
    if heads is None:
        raise flag("--heads", "be given (or --slope) where SOURCE is left out", "left out")
    if given.slopes == "model":
        return heads, bloom_slopes(heads), "model", "model, by the rule of BLOOM and MPT"
    return heads, paper_slopes(heads), "paper", f"paper, 2^(-8h/{heads})"


def _alike(slopes: Any, layers: int) -> list[Alibi]:
    """The same heads in every layer."""
    from numeric.kernel import Alibi

    return [Alibi(slopes)] * layers
