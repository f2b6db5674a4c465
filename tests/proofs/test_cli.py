"""What the commands print for good input: figures, JSON to the letter of the design, edge cases that are valid."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from proofs.commands.verify import KINDS
from proofs.ledger import LEDGER

Posbias = Callable[..., Any]
ALL_CONTENT = Path("authors-configs/alibi/all_content/fineweb-edu/bloom.yaml")
FLAGS = ("profile", "--layers", "3", "--heads", "5", "--lam", "0.5", "-n", "7")


# --- figures of arXiv:2602.16837, BLOOM-176B, n = 256, FineWeb-Edu --------------------------------------------------


@pytest.mark.parametrize(
    ("options", "distance", "depth", "shape"),
    [
        ((), 0.0790, 3.908, "U"),
        (("--lam", "1"), 0.6511, 70.0, "primacy"),
        (("--slopes", "model"), 0.0353, 3.908, "U"),
    ],
)
def test_published_figures(
    posbias: Posbias, options: tuple[str, ...], distance: float, depth: float, shape: str
) -> None:
    found = posbias("profile", "bloom-176b", "--against", "measured", "--json", *options).json()
    assert found["against"]["wasserstein"] == pytest.approx(distance, abs=1e-4)
    assert found["effective_depth"] == pytest.approx(depth, abs=1e-3)
    assert (found["shape"], found["length"], found["layers"], found["heads"]) == (shape, 256, 70, 112)


def test_published_figure_of_the_file_with_content(posbias: Posbias, data_dir: Path) -> None:
    run = posbias("profile", data_dir / ALL_CONTENT, "--against", "measured", "--json")
    assert run.json()["against"]["wasserstein"] == pytest.approx(0.0159, abs=1e-4)
    assert run.json()["slopes"] == "file"


def test_lam_overrides_the_file(posbias: Posbias, data_dir: Path) -> None:
    found = posbias("profile", data_dir / ALL_CONTENT, "--lam", "0", "--json").json()
    assert found["effective_depth"] == 0
    assert found["spike"] == 1


def test_text_of_the_readme_example(posbias: Posbias) -> None:
    text = posbias("profile", "bloom-176b", "--against", "measured").out
    for label, value in (
        ("length", "256"),
        ("layers", "70"),
        ("heads", "112"),
        ("effective depth", r"3\.908"),
        ("shape", "U"),
        (r"W1/\(n-1\)", r"0\.0790"),
    ):
        assert re.search(rf"^{label} +{value}$", text, re.M), label


def test_against_a_file_is_against_measured(posbias: Posbias, data_dir: Path) -> None:
    file = data_dir / "influence_bloom-176b_fineweb-edu_256.csv"
    one = posbias("profile", "bloom-176b", "--against", file, "--json").json()["against"]
    two = posbias("profile", "bloom-176b", "--against", "measured", "--json").json()["against"]
    assert one["source"] == str(file)
    assert {**one, "source": ""} == {**two, "source": ""}


# --- JSON -----------------------------------------------------------------------------------------------------------


def test_json_of_profile(posbias: Posbias) -> None:
    found = posbias(*FLAGS, "--json").json()
    assert list(found) == [
        "source", "length", "layers", "heads", "slopes", "effective_depth", "profile", "shape", "valley", "spike",
        "mean_position", "first_tenth", "last_tenth", "collapsed", "hops", "decomposition", "mean_position_bounds",
        "first_token", "against",
    ]  # fmt: skip
    p = np.array(found["profile"])
    assert p.shape == (7,)
    assert found["valley"] == {"position": int(p.argmin()) + 1, "value": p.min(), "depth": min(p[0], p[-1]) - p.min()}
    assert (found["first_tenth"], found["last_tenth"]) == pytest.approx((p[0], p[-1]))
    law = np.array(found["hops"]["law"])
    assert law.sum() == pytest.approx(1) and found["hops"]["mean"] == found["effective_depth"]
    assert law @ np.arange(law.size) == pytest.approx(found["hops"]["mean"])
    assert law @ (np.arange(law.size) - found["hops"]["mean"]) ** 2 == pytest.approx(found["hops"]["variance"])
    assert found["decomposition"] == {"spike": pytest.approx(law[0]), "nonincreasing": True}
    assert found["spike"] == p[-1]
    assert found["mean_position"] == pytest.approx(float(p @ np.arange(1, 8)))
    assert found["collapsed"] is None
    assert found["against"] is None


def test_what_rounding_may_hide_is_undecided(posbias: Posbias) -> None:
    # one layer of uniform attention: all entries are 1/7; without attention there is no rounding
    tie = ["profile", "--layers", "1", "--slope", "0", "-n", "7", "--lam"]
    found = posbias(*tie, "1", "--json").json()
    assert (found["shape"], found["valley"]["position"]) == ("undecided", None)
    text = posbias(*tie, "1").out
    assert re.search(r"^shape +undecided", text, re.M) and re.search(r"^valley +position undecided, value", text, re.M)
    assert posbias(*tie, "0", "--json").json()["shape"] == "recency"


def test_json_of_against(posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "influence.csv"
    file.write_text("# ours\nposition,influence\n" + "".join(f"{k},{k + 1}\n" for k in range(7)))
    found = posbias(*FLAGS, "--json", "--against", file).json()["against"]
    assert list(found) == ["source", "wasserstein", "wasserstein_positions", "spearman"]
    assert found["wasserstein_positions"] == pytest.approx(6 * found["wasserstein"])


def test_json_of_verify(posbias: Posbias) -> None:
    run = posbias("verify", "S2", "I1", "--quick", "--json")
    assert (run.code, run.err) == (0, "")
    found = run.json()
    assert list(found) == ["statements", "failed", "seconds"]
    assert [s["id"] for s in found["statements"]] == ["S2", "I1"]
    for statement in found["statements"]:
        assert list(statement) == ["id", "title", "verdict", "scope", "assumes", "evidence"]
        assert statement["verdict"] == "proved"
        kinds = {e["kind"]: e for e in statement["evidence"]}
        assert kinds["random"]["size"] >= 12
        assert kinds["control"]["size"] >= 2
        assert all(list(e) == ["kind", "verdict", "size", "seconds", "detail"] for e in statement["evidence"])


def test_verify_prints_every_kind_with_its_size(posbias: Posbias) -> None:
    run = posbias("verify", "I1", "--quick", "--seed", "3")
    header, row, *_, last = run.out.splitlines()
    assert header.split() == ["id", "statement", "derivation", "random", "needed", "control", "verdict", "time"]
    assert re.search(r"I1  .*  \d+ steps +\d+ cases +1 case +2 twins +proved +\d+\.\d\d s", row)
    assert re.fullmatch(r"1 statement: 1 proved; 0 failed; \d+\.\d s", last)


def test_verify_shows_the_witness_of_what_fails(posbias: Posbias, monkeypatch: pytest.MonkeyPatch) -> None:
    from proofs.statement import Evidence, Report

    witness = "n = 2, A = [[1], [[/red] 1/2, 1/2]]"
    report = Report("S1", "Title with [/red]", (Evidence("random", "refuted", 17, 0.5, witness),))
    monkeypatch.setattr("proofs.verification.verify_all", lambda *args, **options: (report,))
    run = posbias("verify")
    assert run.code == 1
    assert f"S1 random refuted: {witness}" in run.out
    assert "Title with [/red]" in run.out
    assert "17 cases refuted" in run.out
    assert posbias("verify", "--json").json()["failed"] == 1


def test_failed_control_fails_a_proved_statement(posbias: Posbias, monkeypatch: pytest.MonkeyPatch) -> None:
    from proofs.statement import Evidence, Report

    evidence = (Evidence("derivation", "proved", 3, 0.1, ""), Evidence("control", "failed", 1, 0.1, "turned"))
    monkeypatch.setattr("proofs.verification.verify_all", lambda *args, **options: (Report("S1", "Title", evidence),))
    run = posbias("verify")
    assert run.code == 1
    assert "proved (failed)" in run.out
    assert "S1 control failed: turned" in run.out


# --- valid edge cases -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"-n": "1"}, [1.0]),
        ({"--layers": "0"}, [0, 0, 0, 0, 0, 0, 1]),
        ({"--lam": "0"}, [0, 0, 0, 0, 0, 0, 1]),
        ({"--layers": "1", "--lam": "1", "--slope": "0"}, [1 / 7] * 7),
    ],
)
def test_edge_cases_are_valid(posbias: Posbias, changed: dict[str, str], expected: list[float]) -> None:
    options = {"--layers": "3", "--heads": "5", "--lam": "0.5", "-n": "7", **changed}
    if "--slope" in options:
        del options["--heads"]
    run = posbias("profile", *(word for pair in options.items() for word in pair), "--json")
    assert run.code == 0
    assert run.json()["profile"] == pytest.approx(expected)


def test_collapse_is_said_with_the_mass(posbias: Posbias) -> None:
    options = ("profile", "--layers", "64", "--heads", "2", "--lam", "1", "-n", "5")
    found = posbias(*options, "--json").json()
    assert found["collapsed"]["position"] == 1
    assert found["collapsed"]["mass"] == pytest.approx(1)
    assert re.search(r"^collapsed +on position 1, mass (1|0\.99999\d+)$", posbias(*options).out, re.M)


def test_one_position_has_no_collapse(posbias: Posbias) -> None:
    assert posbias(*FLAGS[:-1], "1", "--json").json()["collapsed"] is None


def test_constant_profile_has_no_rank_correlation(posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "flat.csv"
    file.write_text("position,influence\n" + "".join(f"{k},1\n" for k in range(7)))
    assert posbias(*FLAGS, "--against", file, "--json").json()["against"]["spearman"] is None
    assert "undefined, a profile is constant" in posbias(*FLAGS, "--against", file).out


@pytest.mark.parametrize(
    ("lam", "depth"),
    [("1/3", 1), ("power:1,1", 1 + 1 / 2 + 1 / 3), ("geometric:0.5,1/2", 0.875), ("5e-1", 1.5)],
)
def test_forms_of_lam(posbias: Posbias, lam: str, depth: float) -> None:
    run = posbias("profile", "-T", "3", "--slope", "0.1", "--lam", lam, "-n", "5", "--json")
    assert run.json()["effective_depth"] == pytest.approx(depth)


def test_lam_from_a_file(posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "lam.csv"
    file.write_text("layer,lambda\n1,0.5\n2,0.25\n3,0\n")
    assert posbias("profile", "-T3", "--slope=0.1", f"--lam={file}", "-n5", "--json").json()["effective_depth"] == 0.75


def test_slopes_given_by_options(posbias: Posbias) -> None:
    def slopes(*options: str) -> str:
        text: str = posbias("profile", "-T", "2", "--lam", "0.5", "-n", "5", "--json", *options).json()["slopes"]
        return text

    assert slopes("--slope", "0.1") == "given"
    assert slopes("--heads", "3") == "paper"
    assert slopes("--heads", "3", "--slopes", "model") == "model"


def test_length_and_depth_of_a_published_model_can_be_changed(posbias: Posbias) -> None:
    found = posbias("profile", "mpt-7b", "-n", "11", "-T", "5", "--lam", "0.5", "--json").json()
    assert (found["length"], found["layers"], found["heads"]) == (11, 5, 32)


# --- files that are written -----------------------------------------------------------------------------------------


def test_csv_reads_back_bit_for_bit(posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "profile.csv"
    file.write_text("position,profile\n0,1\n")
    run = posbias(*FLAGS, "--csv", file, "--json")
    rows = list(csv.DictReader(io.StringIO(file.read_text())))
    assert [int(row["position"]) for row in rows] == list(range(7))
    assert [float(row["profile"]) for row in rows] == run.json()["profile"]
    assert [path.name for path in tmp_path.iterdir()] == ["profile.csv"]


def test_plot_is_drawn(posbias: Posbias, tmp_path: Path) -> None:
    assert posbias("profile", "bloom-176b", "--against", "measured", "--plot", tmp_path / "figure.svg").code == 0
    assert (tmp_path / "figure.svg").read_text().startswith("<?xml")


# --- help and version -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [(), ("--help",), ("verify", "-h"), ("profile", "-h"), ("check", "-h"), ("export", "-h"), ("reproduce", "-h")],
)
def test_help_is_plain(posbias: Posbias, words: tuple[str, ...]) -> None:
    run = posbias(*words)
    assert (run.code, run.err) == (0, "")
    assert run.out.isascii()
    assert "\x1b" not in run.out
    assert run.out.startswith("Usage: posbias")


def test_help_of_verify_names_every_kind_of_evidence(posbias: Posbias) -> None:
    shown = posbias("verify", "--help").out
    assert [kind for kind in KINDS if kind not in shown] == []


def test_help_lists_what_there_is(posbias: Posbias) -> None:
    from proofs.cli import COMMANDS

    listed = posbias("--help").out.split("Commands:\n")[1].split("\n\n")[0].splitlines()
    assert [line.split()[0] for line in listed if line.strip()] == list(COMMANDS)


def test_version(posbias: Posbias) -> None:
    assert re.fullmatch(r"posbias (\d+\.\d+\.\d+|\(not installed\))\n", posbias("--version").out)


def test_json_is_ascii(posbias: Posbias, tmp_path: Path) -> None:
    file = tmp_path / "λ.csv"
    file.write_text("position,influence\n" + "".join(f"{k},{k}\n" for k in range(7)), encoding="utf-8")
    run = posbias(*FLAGS, "--against", file, "--json")
    assert run.out.isascii()
    assert json.loads(run.out)["against"]["source"] == str(file)


def test_ledger_has_the_first_statements() -> None:
    assert {"S1", "S2", "S3", "S4", "S5", "D1", "I1"} <= set(LEDGER)
