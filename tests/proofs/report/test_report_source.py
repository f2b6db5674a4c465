"""What a report is about: settings as for profile, folders of measure, and the influence that stands beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numeric.kernel import Alibi, Uniform
from numeric.published import bloom_slopes, measured_influence, paper_slopes
from numeric.refuse import InputError
from proofs.commands.options import Typed
from proofs.commands.report_source import is_run, read_subject
from proofs.commands.setting import Given

Json = dict[str, Any]
LAM, INFLUENCE = [0.25, 0.5, 0.125], [4.0, 1.0, 1.0, 1.0, 9.0]


def given(source: str | None = None, **options: Any) -> Given:
    left_out = dict.fromkeys(("length", "layers", "heads", "slope", "slopes", "lam"))
    return Given(source, **{**left_out, **options})


def summary(**changes: Any) -> Json:
    """What report.json of a run says, as far as a report reads it."""
    return {
        "length": 5, "layers": 3, "lambda": {"layers": LAM}, "influence": {"mean_of_norms": {"profile": INFLUENCE}},
        "manifest": {"model": {"source": "models/tiny"}}, **changes,
    }  # fmt: skip


def told(*kernels: Json) -> Json:
    return {"positions": ["alibi"], "kernels": list(kernels), "why": None}


@pytest.fixture
def run(folder: Path) -> Path:
    place = folder / "measured"
    place.mkdir()
    (place / "manifest.json").write_text("{}")
    (place / "report.json").write_text(json.dumps(summary()))
    return place


# --- as for profile ---------------------------------------------------------------------------------------------------


def test_bloom_stands_beside_its_measurement() -> None:
    found = read_subject(given("bloom-176b"), None, Typed(()))
    assert found.setting.length == 256
    assert found.measured is not None
    assert found.measured["values"] == measured_influence("bloom-176b").tolist()
    assert "BLOOM-176B" in found.measured["source"]


@pytest.mark.parametrize("options", [given("bloom-176b", length="128"), given("mpt-7b")])
def test_others_stand_alone(options: Given) -> None:
    assert read_subject(options, None, Typed(())).measured is None


def test_an_influence_of_ones_own(folder: Path) -> None:
    (folder / "mine.csv").write_text("position,influence\n0,3\n1,1\n")
    found = read_subject(given(layers="2", heads="2", lam="0.5", length="2"), "mine.csv", Typed(()))
    assert found.measured == {"source": "mine.csv", "values": [3.0, 1.0]}


# --- a folder of measure ----------------------------------------------------------------------------------------------


def test_what_is_a_run(run: Path, folder: Path) -> None:
    assert is_run(str(run))
    assert not is_run(str(folder))
    assert not is_run("bloom-176b")
    assert not is_run("a\0b")
    (run / "config.json").write_text("{}")  # a model that was measured into its own folder is a model
    assert not is_run(str(run))


def test_a_run_brings_its_lambda_and_influence(run: Path) -> None:
    found = read_subject(given(str(run), heads="4"), None, Typed(()))
    setting = found.setting
    assert (setting.length, setting.layers, setting.heads) == (5, 3, 4)
    assert setting.lam.tolist() == LAM
    assert setting.kernels == [Alibi(paper_slopes(4))] * 3
    assert found.measured == {"source": "measured influence of models/tiny", "values": INFLUENCE}


def test_kernels_by_options(run: Path) -> None:
    found = read_subject(given(str(run), heads="6", slopes="model"), None, Typed(()))
    assert found.setting.kernels == [Alibi(bloom_slopes(6))] * 3
    assert read_subject(given(str(run), slope="1/4"), None, Typed(())).setting.kernels == [Alibi(0.25)] * 3


def test_kernels_that_the_run_says(run: Path) -> None:
    kernels = told({"kind": "alibi", "slopes": [0.5, 0.25]}, *[{"kind": "alibi", "slopes": [0.5, 0.125]}] * 2)
    (run / "report.json").write_text(json.dumps(summary(architecture=kernels)))
    setting = read_subject(given(str(run)), None, Typed(())).setting
    assert setting.kernels == [Alibi([0.5, 0.25]), Alibi([0.5, 0.125]), Alibi([0.5, 0.125])]
    assert (setting.heads, setting.slopes) == (2, "audited")
    uniform = told(*[{"kind": "uniform"}] * 3)
    (run / "report.json").write_text(json.dumps(summary(architecture=uniform)))
    assert read_subject(given(str(run)), None, Typed(())).setting.kernels == [Uniform()] * 3


def test_another_lambda_overrides(run: Path) -> None:
    setting = read_subject(given(str(run), heads="2", lam="power:1/2,1"), None, Typed(())).setting
    assert np.array_equal(setting.lam, [0.5, 0.25, 0.5 / 3])


def test_a_lambda_of_the_run_that_is_none_is_named_by_its_folder(run: Path) -> None:
    (run / "report.json").write_text(json.dumps(summary(**{"lambda": {"layers": [0.25, float("nan"), 0.125]}})))
    with pytest.raises(InputError, match=r"^Argument 'SOURCE' must be a finite number, not nan \(entry 2,"):
        read_subject(given(str(run), heads="2"), None, Typed(()))


def test_no_influence_that_is_finite(run: Path) -> None:
    (run / "report.json").write_text(json.dumps(summary(influence={"mean_of_norms": None})))
    assert read_subject(given(str(run), heads="2"), None, Typed(())).measured is None


def test_what_a_run_has_of_its_own(run: Path) -> None:
    own = {"length": "-n", "layers": "-T"}
    for name, option in own.items():
        message = f"Argument '{option}' must be left out for a measured run, which has its own, not '5'."
        with pytest.raises(InputError) as found:
            read_subject(given(str(run), heads="2", **{name: "5"}), None, Typed(()))
        assert str(found.value) == message
    with pytest.raises(InputError, match=r"'--against' must be left out for a measured run"):
        read_subject(given(str(run), heads="2"), "measured", Typed(()))
    with pytest.raises(InputError, match=r"'--random-init' must be left out"):
        read_subject(Given(str(run), None, None, "2", None, None, None, None, True), None, Typed(()))
    (run / "report.json").write_text(json.dumps(summary(architecture=told(*[{"kind": "uniform"}] * 3))))
    with pytest.raises(InputError, match=r"'--heads' must be left out for a run that says its own kernels, not '2'"):
        read_subject(given(str(run), heads="2"), None, Typed(()))


def test_kernels_have_to_be_said(run: Path) -> None:
    with pytest.raises(InputError, match=r"'--heads' must be given \(or --slope\) for a run that does not say"):
        read_subject(given(str(run)), None, Typed(()))


def test_other_kernels_are_refused(run: Path) -> None:
    window = told(*[{"kind": "window", "width": 3, "slope": 0}] * 3)
    (run / "report.json").write_text(json.dumps(summary(architecture=window)))
    with pytest.raises(InputError, match=r"'SOURCE' must have ALiBi or uniform heads for a report, not Window"):
        read_subject(given(str(run)), None, Typed(()))


def test_a_run_that_is_not_complete(run: Path) -> None:
    (run / "report.json").unlink()
    with pytest.raises(InputError, match=r"'SOURCE' must hold a run that is complete, with its report.json"):
        read_subject(given(str(run), heads="2"), None, Typed(()))


DAMAGED: list[Any] = [
    "", "{", "[]", "[" * 100_000, "{}", summary(lam=0) | {"lambda": {}}, summary(length="five"), summary(length=None),
    summary(length=4), summary(length=5.0), summary(influence={"mean_of_norms": {"profile": [0.0] * 5}}),
    summary(influence={"mean_of_norms": {"profile": [1.0, float("nan"), 1.0, 1.0, 1.0]}}),
    summary(influence={"mean_of_norms": {"profile": [1.0, -1.0, 1.0, 1.0, 1.0]}}),
    summary(manifest={}), summary(**{"lambda": {"layers": ["a"]}}), summary(influence=[]),
    summary(architecture=told({"kind": "uniform"})), summary(architecture={"kernels": [1, 2, 3]}),
    summary(architecture={"kernels": [{}] * 3}), summary(architecture=[1]), b"\xff\xfe",
]  # fmt: skip


@pytest.mark.parametrize("content", DAMAGED, ids=lambda x: repr(x)[:60])
def test_a_damaged_report(run: Path, content: Any) -> None:
    text = content if isinstance(content, (bytes, str)) else json.dumps(content)
    (run / "report.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    says_kernels = isinstance(content, dict) and "architecture" in content
    with pytest.raises(InputError, match=r"^Argument 'SOURCE' must hold a report.json that posbias measure wrote, not"):
        read_subject(given(str(run), heads=None if says_kernels else "2"), None, Typed(()))


def test_a_lambda_beyond_one_is_named(run: Path) -> None:
    (run / "report.json").write_text(json.dumps(summary(**{"lambda": {"layers": [0.5, 1.5]}})))
    with pytest.raises(InputError, match=r"must lie in \[0, 1\], not 1.5 \(layer 2\)"):
        read_subject(given(str(run), heads="2"), None, Typed(()))
