"""The variants of the published models: each differs from its neighbours in what it says, and gives the paper's figure.

The figures are the project's reference values for arXiv:2602.16837 (BLOOM-176B, n = 256, FineWeb-Edu), to four digits.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numeric.comparison import Comparison
from numeric.experiment import Experiment, load_experiment
from numeric.published import PUBLISHED, find, measured_influence
from numeric.refuse import InputError
from numeric.reproduction import (
    READINGS,
    Departures,
    Row,
    content_of,
    departures,
    file_variants,
    published_variants,
    reproduce,
)
from numeric.reproduction_files import find_variants, model_of

PAPER, MODEL = "as in the paper's files", "as the model does it"


def experiment(name: str = "mpt-7b", **changed: object) -> Experiment:
    """A file of the paper's for this model, with content that differs by head."""
    model = find(name)
    fields = {
        "length": model.length,
        "layers": model.layers,
        "heads": model.heads,
        "slopes": model.slopes("paper")[None, :],
        "lam": model.lam(),
        "content": np.linspace(-2, 3, model.heads)[None, :],
        "source": "ours.yaml",
        **changed,
    }
    length, layers, heads = (fields.pop(size) for size in ("length", "layers", "heads"))
    return Experiment(length, layers, heads, **fields)  # type: ignore[arg-type]


def distances(rows: list[Row]) -> list[tuple[str, str, str]]:
    shown = []
    for row in rows:
        assert row.comparison is not None
        shown.append((row.variant.name, row.variant.reading, f"{row.comparison.wasserstein:.4f}"))
    return shown


# --- the figures ----------------------------------------------------------------------------------------------------


def test_figures_without_content() -> None:
    influence = measured_influence("bloom-176b")
    rows = [reproduce(variant, influence) for variant in published_variants(find("bloom-176b"))]
    assert distances(rows) == [
        ("attention only", PAPER, "0.6511"),
        ("attention only", MODEL, "0.6511"),
        ("residual-aware", PAPER, "0.0790"),
        ("residual-aware", MODEL, "0.0353"),
    ]
    assert [(row.shape.label, round(row.effective_depth, 3)) for row in rows] == [
        ("primacy", 70), ("primacy", 70), ("U", 3.908), ("U", 3.908),
    ]  # fmt: skip
    for row in rows:
        assert row.comparison is not None
        assert row.comparison.wasserstein_positions == pytest.approx(255 * row.comparison.wasserstein)
    # collapsed to token 1: the distance is the measured mean position, whatever the slopes
    mean = float(influence @ np.arange(256)) / influence.sum() / 255
    assert [float(distance) for _, _, distance in distances(rows[:2])] == pytest.approx([mean] * 2, abs=1e-4)


def test_figures_with_content(data_dir: Path) -> None:
    file = load_experiment(data_dir / "authors-configs/alibi/all_content/fineweb-edu/bloom.yaml")
    influence = measured_influence("bloom-176b")
    rows = [reproduce(variant, influence) for variant in file_variants(find("bloom-176b"), file, "bloom.yaml")]
    assert distances(rows) == [
        ("residual-aware, content per head", PAPER, "0.0159"),
        ("residual-aware, content per head", "content scaled by 1/sqrt(128)", "0.0682"),
        ("residual-aware, content per head", "slopes as the model has them", "0.1146"),
        ("residual-aware, content per head", MODEL, "0.0380"),
    ]
    (found,) = departures(rows)
    assert [round(x, 4) for x in (found.paper, found.slopes, found.scaled, found.both)] == [
        0.0159, 0.1146, 0.0682, 0.0380,
    ]  # fmt: skip
    assert found.compensate and (found.model, found.source) == (find("bloom-176b"), "bloom.yaml")


def test_average_content_and_no_content(data_dir: Path) -> None:
    folder = data_dir / "authors-configs" / "alibi"
    model, influence = find("bloom-176b"), measured_influence("bloom-176b")
    average = file_variants(model, load_experiment(folder / "mean_content/fineweb-edu/bloom.yaml"))
    assert [v.content for v in average] == ["average"] * 4
    plain = file_variants(model, load_experiment(folder / "no_content/bloom.yaml"))
    assert [(v.content, v.reading) for v in plain] == [("none", PAPER)]
    assert distances([reproduce(plain[0], influence)])[0][2] == "0.0790"
    alone = file_variants(model, load_experiment(folder / "no_content/bloom-noresidual.yaml"))
    assert distances([reproduce(alone[0], influence)]) == [("attention only", PAPER, "0.6511")]


def test_every_file_of_the_paper_is_used(data_dir: Path) -> None:
    found = find_variants(data_dir / "authors-configs")
    assert found.unused == ["example.yaml"]
    sources = {v.source for v in found.variants}
    assert len(sources) == 22
    assert "alibi/mean_content/fineweb-edu/bloom-noresidual.yaml" in sources
    assert {v.model.name for v in found.variants} == set(PUBLISHED)
    assert all(("noresidual" in v.source) is (v.mixing == "attention only") for v in found.variants)


# --- what a variant is ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLISHED)
def test_variants_without_content(name: str) -> None:
    model = find(name)
    one, two, three, four = published_variants(model)
    assert all((v.experiment.lam == 1).all() for v in (one, two))
    assert all(v.experiment.lam.tolist() == model.lam().tolist() for v in (three, four))
    for v in (one, three):
        assert v.experiment.slopes[0].tolist() == model.slopes("paper").tolist()
    for v in (two, four):
        assert v.experiment.slopes[0].tolist() == model.slopes("model").tolist()
    assert all(not v.experiment.content.any() for v in (one, two, three, four))


@pytest.mark.parametrize("name", ["mpt-30b", "falcon-rw-7b"])
def test_what_is_scaled_is_content_and_for_falcon_the_bias_as_well(name: str) -> None:
    file, model = experiment(name), find(name)
    by_reading = {v.reading: v.experiment for v in file_variants(model, file)}
    root = {"mpt-30b": 112, "falcon-rw-7b": 64}[name] ** 0.5  # their head sizes
    assert by_reading[PAPER] is file
    assert by_reading[MODEL].content == pytest.approx(file.content / root, rel=1e-15)
    assert by_reading[f"content scaled by 1/sqrt({round(root**2)})"].slopes == pytest.approx(file.slopes, rel=1e-15)
    bias = file.slopes / root if name == "falcon-rw-7b" else file.slopes
    for reading in (MODEL, "slopes as the model has them"):
        assert by_reading[reading].slopes == pytest.approx(bias, rel=1e-14)
    assert by_reading["slopes as the model has them"].content.tolist() == file.content.tolist()
    assert len(by_reading) == len(READINGS)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ([[0.0]], "none"),
        ([[1.5]], "average"),
        ([[1.5] * 31 + [1.6]], "per head"),
        ([[1.5]] * 31 + [[1.6]], "per head"),
    ],
)
def test_kind_of_content(content: list[list[float]], expected: str) -> None:
    assert content_of(experiment(content=content)) == expected


def test_a_profile_is_the_same_as_that_of_the_kernels() -> None:
    from numeric.profile import profile

    file = experiment()
    row = reproduce(file_variants(find("mpt-7b"), file)[0])
    assert row.comparison is None
    assert row.profile.tolist() == profile(file.kernels(), file.lam, n=256).tolist()
    assert row.profile[row.shape.valley.position] == row.profile.min()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"length": 255}, r"must have \(n, T, H\) = \(256, 32, 32\), those of mpt-7b, not \(255, 32, 32\) \(ours"),
        ({"layers": 31, "lam": 0.5}, r"not \(256, 31, 32\)"),
        ({"lam": 0.5}, "must have lambda = 1 or the lambda measured of mpt-7b, not another"),
        ({"lam": find("mpt-7b").lam() * (1 + 1e-9)}, "not another"),
        ({"slopes": find("mpt-7b").slopes()[None, :] * (1 + 1e-9)}, r"must have the paper's slopes 2\^\(-8h/32\)"),
        ({"head_weights": [0.5, 0.5] + [0.0] * 30}, "must average the heads plainly"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_the_papers_is_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=rf"^Argument 'file' {said}" if said.startswith("must") else said):
        file_variants(find("mpt-7b"), experiment(**changed))


def test_ten_digits_are_enough_to_be_the_papers() -> None:
    near = experiment(lam=np.round(find("mpt-7b").lam(), 12), slopes=find("mpt-7b").slopes()[None, :] * (1 + 1e-11))
    assert file_variants(find("mpt-7b"), near)[0].mixing == "residual"
    assert file_variants(find("mpt-7b"), experiment(lam=1.0))[0].mixing == "attention only"


# --- departures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paper", "slopes", "scaled", "both", "expected"),
    [
        (0.0159, 0.1146, 0.0682, 0.0380, True),
        (0.0400, 0.1146, 0.0682, 0.0380, False),  # the model is nearer than the paper's files
        (0.0159, 0.0370, 0.0682, 0.0380, False),  # the model's slopes alone do better than both
        (0.0159, 0.1146, 0.0370, 0.0380, False),
    ],
)
def test_compensate(paper: float, slopes: float, scaled: float, both: float, expected: bool) -> None:
    assert Departures(find("bloom-176b"), "f", paper, slopes, scaled, both).compensate is expected


def test_departures_need_residual_content_per_head_and_a_measurement() -> None:
    model, influence = find("mpt-7b"), np.arange(256) + 1.0
    measured = [reproduce(v, influence) for v in file_variants(model, experiment(), "a.yaml")]
    assert [(d.source, d.paper) for d in departures(measured)] == [("a.yaml", _of(measured[0]).wasserstein)]
    assert departures([replace(row, comparison=None) for row in measured]) == []
    for other in (experiment(lam=1.0), experiment(content=[[1.0]])):
        assert departures([reproduce(v, influence) for v in file_variants(model, other)]) == []


def _of(row: Row) -> Comparison:
    assert row.comparison is not None
    return row.comparison


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("bloom.yaml", "bloom-176b"),
        ("below/bloom-noresidual.yml", "bloom-176b"),
        ("bloom-176b.yaml", "bloom-176b"),
        ("falcon-rw-7b-noresidual.yaml", "falcon-rw-7b"),
        ("falcon-7b.yaml", None),
        ("noresidual.yaml", None),
        ("Bloom.yaml", None),
    ],
)
def test_the_name_of_a_file_says_the_model(file: str, name: str | None) -> None:
    found = model_of(file)
    assert (None if found is None else found.name) == name


def test_files_below_a_folder(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mpt-7b.yml").write_text(experiment().text())
    (tmp_path / "a.yaml").write_text("no experiment")
    (tmp_path / "notes.txt").write_text("nothing")
    found = find_variants(tmp_path)
    assert found.unused == ["a.yaml"]
    assert {v.source for v in found.variants} == {"b/mpt-7b.yml"}
    assert len(found.variants) == 4


def test_folders_that_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'experiments' must be a folder that exists, not missing"):
        find_variants(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"must hold some of bloom\.yaml, .*falcon-rw-7b\.yaml, not none of them"):
        find_variants(tmp_path)
    (tmp_path / "bloom.yaml").write_text("sequence_length: 4\nsurprise: 1\n")
    with pytest.raises(InputError, match=r"bloom\.yaml"):
        find_variants(tmp_path)
    with pytest.raises(InputError, match=r"must be a folder that exists, not a file"):
        find_variants(tmp_path / "bloom.yaml")
