"""The profiles that the figures of arXiv:2602.16837 show: five published models in the variants that lead to them.

A variant says what is mixed (λ_t = 1, attention only, or λ_t as measured), which content d the diagonal has (none, one
average, per layer and head), which slopes m_h (2^(−8h/H) or the model's own), and whether d is taken as recorded or
divided by √head_dim. The paper's files take 2^(−8h/H) and d as recorded; the model computes its own slopes and divides
d, Falcon the slopes too. What is neither differs from the paper's files in one of the two, and is called by it.

Exact here: nothing. Numeric here: profiles and distances, in float64; a shape that rounding may hide is undecided.
Not covered: other models, other lengths than the measured one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numeric.comparison import Comparison, compare
from numeric.experiment import Experiment
from numeric.published import Published
from numeric.refuse import flag
from numeric.shape import Shape

__all__ = [
    "Departures",
    "Row",
    "Variant",
    "content_of",
    "departures",
    "file_variants",
    "published_variants",
    "reproduce",
]

Floats = NDArray[np.float64]
Mixing = Literal["attention only", "residual"]
Content = Literal["none", "average", "per head"]
Slopes = Literal["paper", "model"]

TABLES = "published tables"
READINGS: dict[tuple[str, bool], str] = {  # by the slopes, and whether content is divided by √head_dim
    ("paper", False): "as in the paper's files",
    ("model", True): "as the model does it",
    ("paper", True): "content scaled by 1/sqrt({head_dim})",
    ("model", False): "slopes as the model has them",
}
# A file is the paper's if its slopes and λ are the published ones to ten digits: theirs agree to 1e−14.
DIGITS = 1e-10


@dataclass(frozen=True, eq=False)
class Variant:
    """One architecture: ``experiment`` is what is computed; the rest says which variant of ``model`` that is.

    scaled : whether content is divided by √head_dim; without content True for the model's slopes, since 0 / √head_dim
    is what the model has. source : the experiment file, or the published tables.
    """

    model: Published
    mixing: Mixing
    content: Content
    slopes: Slopes
    scaled: bool
    source: str
    experiment: Experiment

    @property
    def reading(self) -> str:
        """Whether it is as in the paper's files, as the model does it, or what differs from the paper's files."""
        return READINGS[self.slopes, self.scaled].format(head_dim=self.model.head_dim)

    @property
    def name(self) -> str:
        """What is mixed and which content, in words."""
        content = {"none": "", "average": ", average content", "per head": ", content per head"}[self.content]
        return ("attention only" if self.mixing == "attention only" else "residual-aware") + content


@dataclass(frozen=True, eq=False)
class Row:
    """A variant with its profile p, (n,), S = Σ λ_t, and its distance from what was measured, where that is given."""

    variant: Variant
    profile: Floats
    effective_depth: float
    shape: Shape
    comparison: Comparison | None


@dataclass(frozen=True)
class Departures:
    """W1/(n − 1) of one file with content: as it stands; with one departure from the model undone; with both.

    slopes : the model's slopes, content as recorded. scaled : content / √head_dim, the paper's slopes.
    """

    model: Published
    source: str
    paper: float
    slopes: float
    scaled: float
    both: float

    @property
    def compensate(self) -> bool:
        """The paper's distance is below the model's, and undoing one departure alone is worse than undoing both."""
        return self.paper < self.both < min(self.slopes, self.scaled)


def published_variants(model: Published) -> list[Variant]:
    """Without content: λ = 1 and λ as measured, each with the paper's slopes and with the model's.

    >>> from numeric.published import find
    >>> [(v.name, v.reading) for v in published_variants(find("mpt-7b"))][2:]
    [('residual-aware', "as in the paper's files"), ('residual-aware', 'as the model does it')]
    """
    stages: list[tuple[Mixing, Floats]] = [("attention only", np.ones(model.layers)), ("residual", model.lam())]
    readings: list[tuple[Slopes, bool]] = [("paper", False), ("model", True)]
    return [
        _variant(model, mixing, "none", slopes, scaled, TABLES, lam)
        for mixing, lam in stages
        for slopes, scaled in readings
    ]


def file_variants(model: Published, file: Experiment, source: str = "") -> list[Variant]:
    """An experiment file as it stands; with content also with the model's slopes, with content / √head_dim, with both.

    Raises InputError unless the file is one of the paper's for this model: its length, layers and heads, slopes
    2^(−8h/H), the plain average of heads, λ = 1 or the published λ, to ten digits.
    """
    source = source or file.source
    mixing = _require_papers(model, file, source)
    content = content_of(file)
    as_it_stands = Variant(model, mixing, content, "paper", False, source, file)
    if content == "none":
        return [as_it_stands]
    others: list[tuple[Slopes, bool]] = [("paper", True), ("model", False), ("model", True)]
    return [
        as_it_stands,
        *(
            _variant(model, mixing, content, slopes, scaled, source, file.lam, file.content)
            for slopes, scaled in others
        ),
    ]


def content_of(file: Experiment) -> Content:
    """none where d = 0 everywhere, average where one value stands for all layers and heads, else per head.

    >>> content_of(Experiment(4, 2, 3, slopes=[[1, 2, 3]], lam=1.0, content=[[0.5]]))
    'average'
    """
    if not file.content.any():
        return "none"
    return "average" if (file.content == file.content[0, 0]).all() else "per head"


def reproduce(variant: Variant, influence: ArrayLike | None = None) -> Row:
    """The profile of a variant, its shape, and its distance from a measured influence, (n,), where one is given."""
    from numeric.description import describe

    setup = variant.experiment
    found = describe(setup.kernels(), setup.lam, n=setup.length, envelopes=False)
    p = np.asarray(found.profile)
    comparison = None if influence is None else compare(p, influence)
    return Row(variant, p, float(found.effective_depth), found.shape, comparison)


def departures(rows: Iterable[Row]) -> list[Departures]:
    """For each file with residual connections, content per head and a measured influence: its four distances."""
    files: dict[tuple[str, str], dict[tuple[str, bool], Row]] = {}
    for row in rows:
        v = row.variant
        if (v.mixing, v.content) == ("residual", "per head") and row.comparison is not None:
            files.setdefault((v.model.name, v.source), {})[v.slopes, v.scaled] = row
    return [
        Departures(four["paper", False].variant.model, source, *(_distance(four[reading]) for reading in _ORDER))
        for (_, source), four in files.items()
    ]


_ORDER: Sequence[tuple[Slopes, bool]] = (("paper", False), ("model", False), ("paper", True), ("model", True))


def _distance(row: Row) -> float:
    assert row.comparison is not None
    return row.comparison.wasserstein


def _variant(
    model: Published,
    mixing: Mixing,
    content: Content,
    slopes: Slopes,
    scaled: bool,
    source: str,
    lam: Floats,
    scores: ArrayLike = ((0.0,),),
) -> Variant:
    applied = np.asarray(scores) / (math.sqrt(model.head_dim) if scaled else 1.0)
    setup = Experiment(
        model.length,
        model.layers,
        model.heads,
        slopes=model.slopes(slopes)[None, :],
        lam=lam,
        content=applied,
        source=source,
    )
    return Variant(model, mixing, content, slopes, scaled, source, setup)


def _require_papers(model: Published, file: Experiment, place: str) -> Mixing:
    """What the file mixes; InputError unless it is the paper's architecture of this model."""
    size, expected = (file.length, file.layers, file.heads), (model.length, model.layers, model.heads)
    if size != expected:
        raise flag("file", f"have (n, T, H) = {expected}, those of {model.name}", f"{size}", place)
    if not np.allclose(file.slopes, model.slopes("paper"), rtol=DIGITS, atol=0):
        raise flag("file", f"have the paper's slopes 2^(-8h/{model.heads})", "others", place)
    if file.head_weights is not None:
        raise flag("file", "average the heads plainly (head_weights: null)", "with weights", place)
    if (file.lam == 1).all():
        return "attention only"
    if not np.allclose(file.lam, model.lam(), rtol=DIGITS, atol=0):
        raise flag("file", f"have lambda = 1 or the lambda measured of {model.name}", "another", place)
    return "residual"
