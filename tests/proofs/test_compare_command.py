"""``posbias compare``: what it prints and writes for planted runs, and what it refuses before anything is written."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from numeric.model.run_profiles import VARIANTS
from proofs.commands.compare_plot import FILES
from tests.numeric.model.planted import Planted

Posbias = Callable[..., Any]
PAGE = Path(__file__).parents[2] / "docs" / "comparing-theories.md"


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with two runs: influence is the value-weighted rollout in ``a``, another in ``b``."""
    monkeypatch.chdir(tmp_path)
    planted = Planted()
    planted.influence = planted.rollouts["value_weighted"]
    planted.write(tmp_path / "a")
    Planted(n=5, layers=3, seed=1).write(tmp_path / "b", told=[{"kind": "uniform"}] * 3)
    return tmp_path


def test_text_names_the_nearest(posbias: Posbias, runs: Path) -> None:
    run = posbias("compare", "a")
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[:4] == [
        "measured       a", "model          planted, bloom",
        "samples        5 of 7 positions, random tokens; of fewer than 6 samples intervals are too narrow",
        "influence      target logprob, mean of the samples' profiles",
    ]  # fmt: skip
    table = [line for line in lines if any(line[3:].startswith(name + " ") for name in VARIANTS)]
    assert len(table) == len(VARIANTS)
    assert [line for line in table if line.startswith("*")] == [
        line for line in table if re.match(r"\*  residual, value-weighted +0\.0000  0\.0000 to 0\.0000 +1\.0000", line)
    ]
    assert re.search(
        r"^nearest        residual, value-weighted, by \S+ before .+ \(\S+ to \S+\): separated$", run.out, re.M
    )
    for word in ("without first", "first token", "averaging", "drift"):
        assert re.search(rf"^{word}  ", run.out, re.M)
    assert "by X1" in run.out and "by D8" in run.out


def test_json_has_what_the_text_says(posbias: Posbias, runs: Path) -> None:
    found = posbias("compare", "a", "b", "--json").json()
    one, other = found["runs"]
    assert (one["dir"], one["length"], one["samples"], one["target"], one["complete"]) == ("a", 7, 5, "logprob", True)
    assert [variant["name"] for variant in one["variants"]] == list(VARIANTS)
    assert (one["nearest"], one["separated"], one["nearest_share"]) == ("residual, value-weighted", True, 1.0)
    assert one["margin_low"] > 0 and one["margin"] > 0
    near = {variant["name"]: variant for variant in one["variants"]}
    exact = near["residual, value-weighted"]
    assert (exact["wasserstein"], exact["low"], exact["high"], exact["spearman"]) == (0, 0, 0, 1)
    assert one["averaging"]["mean_of_rollouts"] == near["residual"]["wasserstein"]
    assert one["averaging"]["rollout_of_mean"] == near["residual, mean kernel"]["wasserstein"]
    assert 0 < one["averaging"]["distance"] <= one["averaging"]["bound"] <= 1
    assert set(one["robust_drift"]) == {"on_top", "raised", "largest_gap", "layer"}
    assert set(one["sink"]["predicted_first"]) == set(VARIANTS)
    assert one["sink"]["without_first"]["nearest"] == "residual, value-weighted"
    left_out = {v["name"]: v["left_out"] for v in other["variants"] if v["left_out"] is not None}
    assert left_out == {"residual, paper slopes": "no ALiBi model: there are no slopes"}
    gone = next(v for v in other["variants"] if v["name"] == "residual, paper slopes")
    assert gone["wasserstein"] is None and gone["low"] is None
    assert found["robustness"]["runs"] == 2 and sum(found["robustness"]["nearest_in"].values()) == 2


def test_several_folders_have_a_table_together(posbias: Posbias, runs: Path) -> None:
    out = posbias("compare", "a", "b").out
    joint = out[out.index("\nW1/(n-1)") + 1 :].splitlines()
    assert joint[0].split() == ["W1/(n-1)", "a", "b"]
    assert re.fullmatch(r"residual, paper slopes +0\.\d{4} +-", joint[3])
    assert re.fullmatch(r"nearest separated +yes +(yes|no)", joint[1 + len(VARIANTS)])
    assert re.search(r"^nearest  residual, value-weighted in 1 of 2$", out, re.M)
    assert re.search(r"separated from the next in [12] of 2$", out)


def test_csv_has_every_row(posbias: Posbias, runs: Path) -> None:
    assert posbias("compare", "a", "b", "--csv", "all.csv").out.endswith("\nwritten  all.csv\n")
    with (runs / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * len(VARIANTS)
    told = posbias("compare", "a", "b", "--json").json()["runs"]
    for row in rows:
        one = next(run for run in told if run["dir"] == row["dir"])
        variant = next(v for v in one["variants"] if v["name"] == row["variant"])
        for key in ("wasserstein", "low", "high", "spearman", "spearman_low", "spearman_high"):
            assert row[key] == ("" if variant[key] is None else repr(variant[key]))
        assert row["left_out"] == (variant["left_out"] or "")


def test_a_table_in_a_folder_is_replaced(posbias: Posbias, runs: Path) -> None:
    for seed in ("1", "2"):
        assert posbias("compare", "a", "--draws", "40", "--csv", "a/all.csv", "--seed", seed).code == 0


def test_figures_are_written_into_a_folder(posbias: Posbias, runs: Path) -> None:
    """Of runs without kernels, which have fewer cells."""
    for name, n in (("c", 7), ("d", 5)):
        Planted(n=n).write(runs / name, with_kernels=False)
    told = posbias("compare", "c", "d", "--plot", "new/figures", "--json").json()
    assert told["files"] == [f"new/figures/{name}" for name in FILES]
    first = {name: (runs / "new/figures" / name).read_bytes() for name in FILES}
    assert all(content.startswith(b"<?xml") for content in first.values())
    posbias("compare", "c", "d", "--plot", "new/figures")
    assert {name: (runs / "new/figures" / name).read_bytes() for name in FILES} == first


def test_every_variant_has_a_cell(posbias: Posbias, runs: Path) -> None:
    posbias("compare", "a", "--plot", "p")
    for name in FILES[:2]:
        drawn = (runs / "p" / name).read_text(encoding="utf-8")
        assert drawn.count('<g id="axes_') == len(VARIANTS)
        assert "residual, mean kernel" in drawn


def test_the_same_run_says_the_same(posbias: Posbias, runs: Path) -> None:
    assert posbias("compare", "a", "--json").out == posbias("compare", "a", "--json", "--seed", "0").out
    assert posbias("compare", "a", "--json").out != posbias("compare", "a", "--json", "--seed", "1").out


def test_what_is_amiss_is_told(posbias: Posbias, runs: Path) -> None:
    planted = Planted(samples=4)
    planted.influence[1] = 0
    planted.write(runs / "c", until=3)
    (runs / "c" / "samples.bin").write_bytes((runs / "c" / "samples.bin").read_bytes() + b"torn")
    out = posbias("compare", "c", "--draws", "40").out
    assert (
        "samples        2 of 7 positions, random tokens; not finished: 3 of 4 are there; the last record is cut short"
        in out
    )
    assert "without        sample 2: influence all zero" in out
    assert "left out       attention only, architectural; half, architectural;" in out
    assert "; of fewer than 6 samples intervals are too narrow" in out
    Planted(samples=6).write(runs / "six")
    assert "samples        6 of 7 positions, random tokens\n" in posbias("compare", "six").out
    single = Planted(samples=1)
    single.write(runs / "d")
    out = posbias("compare", "d").out
    assert "of one sample there are no intervals" in out and "it is not told whether they are separated" in out
    tied = Planted()
    tied.rollouts["value_weighted"] = tied.influence = tied.rollouts["half"]
    tied.write(runs / "e")
    assert re.search(
        r"^nearest        half, tied with residual, value-weighted, by ", posbias("compare", "e").out, re.M
    )


def test_a_target_selects(posbias: Posbias, runs: Path) -> None:
    Planted().write(runs / "prob", changes={"target": "prob"})
    run = posbias("compare", "a", "prob", "--target", "prob")
    assert run.out.splitlines()[0] == "measured       prob"
    assert run.out.endswith("left out, of another target: a (logprob)\n")
    told = posbias("compare", "a", "prob", "--target", "prob", "--json").json()
    assert told["other_target"] == [{"dir": "a", "target": "logprob"}]


def test_text_of_a_folder_is_never_markup_nor_more_than_a_line(posbias: Posbias, runs: Path) -> None:
    Planted(n=3).write(runs / "[/red]\n$x_1$", with_kernels=False)
    run = posbias("compare", "[/red]\n$x_1$", "--plot", "p")
    assert run.code == 0 and run.out.splitlines()[0] == r"measured       '[/red]\n$x_1$'"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "'DIR' must be given"),
        (("nowhere",), "'DIR' must hold a run"),
        (("a", "nowhere"), "'DIR' must hold a run"),
        (("a", "./a"), "'DIR' must be different folders, not one of them twice ('./a')"),
        (("a", "--target", "loss"), "'--target' must be one of prob, logprob, logit, not 'loss'"),
        (("a", "--target", "logit"), "'DIR' must have influence on logit, not on logprob alone"),
        (("a", "--draws", "39"), "'--draws' must be an integer in [40, 100000], not 39"),
        (("a", "--draws", "many"), "'--draws' must be an integer"),
        (("a", "--seed", "-1"), "'--seed' must be an integer in"),
        (("a", "--csv", "no/where.csv"), "'--csv' must lie in a folder that exists"),
        (("a", "--csv", "a/samples.bin"), "'--csv' must be none of the files of DIR, not a/samples.bin"),
        (("a", "b", "--csv", "./b/report.json"), "'--csv' must be none of the files of DIR"),
        (("a", "--plot", "a/manifest.json"), "'--plot' must be a folder that can be written"),
        (("a", "--csv", "x.csv", "--csv", "y.csv"), "'--csv' must be given once"),
        (("a", "--model", "x"), "'--model' must be an option that --help lists"),
    ],
)
def test_bad_input_is_refused_in_a_line(posbias: Posbias, runs: Path, words: tuple[str, ...], says: str) -> None:
    before = sorted(runs.rglob("*"))
    run = posbias("compare", *words, *(() if "--csv" in words else ("--csv", "out.csv")))
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert says in run.err
    assert sorted(runs.rglob("*")) == before


def test_more_folders_than_can_be_drawn_are_refused_first(posbias: Posbias, runs: Path) -> None:
    run = posbias("compare", *"abcdef", "--plot", "p")
    assert (run.code, run.out) == (2, "") and "'--plot' must be given for at most 5 folders, not for 6" in run.err


def test_keys_are_those_of_the_page(posbias: Posbias, runs: Path) -> None:
    found = posbias("compare", "a", "--json").json()
    rows = [
        line.split("|")
        for line in PAGE.read_text(encoding="utf-8").split("## JSON")[1].splitlines()
        if line[:3] == "| `"
    ]
    told = {key: set(re.findall(r"`(\w+)`", row[2])) for row in rows for key in re.findall(r"`(\w+)`", row[1])}
    assert set(found) | set(found["runs"][0]) == set(told)
    for key in ("averaging", "robust_drift", "sink"):
        assert told[key] == set(found["runs"][0][key])
    assert told["variants"] == set(found["runs"][0]["variants"][0])
