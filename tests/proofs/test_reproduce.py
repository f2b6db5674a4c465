"""``posbias reproduce``: the paper's figures and table in a folder, and what it never overwrites."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import proofs.commands.reproduce as command
from numeric.experiment import Experiment
from numeric.published import PUBLISHED, find
from numeric.reproduction import published_variants
from proofs.commands.reproduce_table import CSV_HEAD, JSON_HEAD

Posbias = Callable[..., Any]
FILES = [f"{name}.svg" for name in PUBLISHED] + ["table.csv", "table.json"]


@pytest.fixture
def plain_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures that are quickly drawn, with the mark; what they show is tested in tests/numeric."""
    monkeypatch.setattr("numeric.reproduction_figure.picture", lambda *rows, **options: b"posbias reproduce")


@pytest.fixture
def one_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest of the five models alone."""
    monkeypatch.setattr(
        "numeric.reproduction.published_variants",
        lambda model: published_variants(model) if model.name == "bloom-7b1" else [],
    )


def influence(folder: Path, name: str = "seen.csv", values: Any = None) -> Path:
    values = np.linspace(2, 1, 256) if values is None else values
    file = folder / name
    file.write_text(
        "position,influence\n" + "".join(f"{at},{value!r}\n" for at, value in enumerate(map(float, values)))
    )
    return file


def test_the_default_run(posbias: Posbias, tmp_path: Path) -> None:
    run = posbias("reproduce", tmp_path / "new" / "out")
    assert (run.code, run.err) == (0, "")
    assert run.out.isascii()
    head, *lines = run.out.split("\n\n")[0].splitlines()
    assert head.split() == ["model", "variant", "reading", "S", "shape", "valley", "W1/(n-1)", "W1", "Spearman"]
    assert len(lines) == 20
    assert [line.split()[0] for line in lines[::4]] == list(PUBLISHED)
    assert [line.split()[-3] for line in lines[:5]] == ["0.6511", "0.6511", "0.0790", "0.0353", "-"]
    assert sorted(path.name for path in (tmp_path / "new" / "out").iterdir()) == sorted(FILES)
    assert run.out.rstrip().splitlines()[-7:] == [str(tmp_path / "new" / "out" / name) for name in FILES]


@pytest.mark.usefixtures("one_model")
@pytest.mark.parametrize("form", ["svg", "png"])
def test_its_own_files_are_replaced_by_the_same_bytes(posbias: Posbias, tmp_path: Path, form: str) -> None:
    written = []
    for _ in range(2):
        assert posbias("reproduce", tmp_path / "out", "--format", form, "--scale", "linear").code == 0
        written.append({path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()})
    assert set(written[0]) == {f"bloom-7b1.{form}", "table.csv", "table.json"}
    assert written[0] == written[1]


@pytest.mark.usefixtures("plain_pictures")
def test_with_the_papers_files(posbias: Posbias, tmp_path: Path, data_dir: Path) -> None:
    alibi = data_dir / "authors-configs" / "alibi"
    for kind in ("all_content/fineweb-edu", "mean_content/fineweb-edu", "no_content"):
        (tmp_path / "files" / kind).mkdir(parents=True)
        shutil.copy(alibi / kind / "bloom.yaml", tmp_path / "files" / kind)
    (tmp_path / "files" / "example.yaml").write_text("unused")
    run = posbias("reproduce", tmp_path / "out", "--experiments", tmp_path / "files")
    assert (run.code, run.err) == (0, "")
    for distance in ("0.6511", "0.0790", "0.0353", "0.0159", "0.1146", "0.0682", "0.0380"):
        assert f"  {distance}  " in run.out
    assert (
        "The paper's 0.0159 (all_content/fineweb-edu/bloom.yaml) rests on two departures from the model that compensate"
        " each other:\nslopes 2^(-8h/112), and content not divided by sqrt(128). With the model's slopes alone it is"
        " 0.1146,\nwith scaled content alone 0.0682, with both, as the model does it, 0.0380."
    ) in run.out
    assert run.out.count("compensate") == 1  # average content is no departure of the paper's figure
    assert "Not used, named for no published model: example.yaml." in run.out
    found = json.loads((tmp_path / "out" / "table.json").read_text())
    assert [round(found["departures"][0][k], 4) for k in ("paper", "model_slopes", "scaled_content", "both")] == [
        0.0159, 0.1146, 0.0682, 0.0380,
    ]  # fmt: skip
    assert found["unused"] == ["example.yaml"]
    sources = [row["source"] for row in found["table"]]
    assert {source: sources.count(source) for source in sources} == {
        "published tables": 20,
        "all_content/fineweb-edu/bloom.yaml": 4,
        "mean_content/fineweb-edu/bloom.yaml": 4,
        "no_content/bloom.yaml": 1,
    }


@pytest.mark.usefixtures("plain_pictures", "one_model")
def test_table_as_json_and_csv(posbias: Posbias, tmp_path: Path) -> None:
    seen = influence(tmp_path)
    run = posbias("reproduce", tmp_path / "out", "--measured", f"bloom-7b1={seen}", "--json")
    found = run.json()
    assert list(found) == ["paper", "table", "departures", "models", "unused", "files"]
    written = json.loads((tmp_path / "out" / "table.json").read_text())
    assert written == {name: value for name, value in found.items() if name != "files"}
    assert found["models"] == [
        {
            "model": "bloom-7b1",
            "length": 256,
            "layers": 30,
            "heads": 32,
            "head_dim": 128,
            "configuration": "bigscience/bloom-7b1, hidden size 4096 / 32 heads",
            "measured": True,
        }
    ]
    profile = posbias("profile", "bloom-7b1", "--against", seen, "--json").json()
    row = found["table"][2]
    assert (row["mixing"], row["content"], row["slopes"]) == ("residual", "none", "paper")
    assert (row["valley_position"], row["valley_value"]) == (profile["valley"]["position"], profile["valley"]["value"])
    assert [row[k] for k in ("effective_depth", "shape")] == [profile[k] for k in ("effective_depth", "shape")]
    assert {k: row[k] for k in ("wasserstein", "wasserstein_positions", "spearman")} == {
        k: profile["against"][k] for k in ("wasserstein", "wasserstein_positions", "spearman")
    }
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out" / "table.csv").read_text())))
    assert len(rows) == len(found["table"]) == 4
    for line, entry in zip(rows, found["table"], strict=True):
        assert list(line) == list(entry)
        assert float(line["wasserstein"]) == entry["wasserstein"]
        assert int(line["valley_position"]) == entry["valley_position"] - 1  # as in arrays
        assert (line["reading"], line["content_factor"]) == (entry["reading"], "")


@pytest.mark.usefixtures("plain_pictures", "one_model")
def test_content_factor(posbias: Posbias, tmp_path: Path) -> None:
    model = find("bloom-7b1")
    experiment = Experiment(256, 30, 32, slopes=model.slopes()[None, :], lam=model.lam(), content=[[1.5]])
    (tmp_path / "bloom-7b1.yaml").write_text(experiment.text())
    found = posbias("reproduce", tmp_path / "out", "--experiments", tmp_path, "--json").json()["table"][4:]
    assert [(row["slopes"], row["content_factor"]) for row in found] == [
        ("paper", 1.0), ("paper", 1 / 128**0.5), ("model", 1.0), ("model", 1 / 128**0.5),
    ]  # fmt: skip
    assert [row["wasserstein"] for row in found] == [None] * 4


@pytest.mark.usefixtures("plain_pictures")
def test_a_measured_influence_of_ones_own_replaces_the_recorded_one(posbias: Posbias, tmp_path: Path) -> None:
    seen, other = influence(tmp_path), influence(tmp_path, "a=b.csv", np.linspace(1, 2, 256))
    words = ("reproduce", tmp_path / "out", "--json", "--measured", other, "--measured", f"mpt-7b={seen}")
    found = posbias(*words).json()
    assert [m["model"] for m in found["models"] if m["measured"]] == ["bloom-176b", "mpt-7b"]
    expected = posbias("profile", "bloom-176b", "--against", other, "--json").json()["against"]["wasserstein"]
    assert found["table"][2]["wasserstein"] == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n".join(f"{k},1" for k in range(256)), "'--measured' must have a header with position and influence"),
        ("position,influence\n" + "".join(f"{k},1\n" for k in range(1, 257)), "'position' must count from 0 by one"),
        (
            "position,influence\n" + "".join(f"{k},1\n" for k in range(255)),
            "must have one row per position (256), not 255 rows (m.csv; is the first token, BOS, among them?)",
        ),
        ("position,influence\n" + "".join(f"{k},{1 - k}\n" for k in range(256)), "'influence' must be nonnegative"),
        ("position,influence\n" + "".join(f"{k},0\n" for k in range(256)), "'--measured' must have a positive sum"),
        ("position,influence\n" + "".join(f"{k},nan\n" for k in range(256)), "'influence' must be a number"),
    ],
)
def test_measured_files_that_are_refused(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.csv").write_text(text)
    run = posbias("reproduce", "out", "--measured", "mpt-7b=m.csv")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert message in run.err
    assert not (tmp_path / "out").exists()


# --- files that are there -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bloom-7b1.svg", "table.csv", "table.json"])
@pytest.mark.usefixtures("plain_pictures", "one_model")
def test_another_file_is_never_replaced(posbias: Posbias, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("<?xml version='1.0'?> somebody's only copy")
    run = posbias("reproduce", tmp_path)
    assert (run.code, run.out) == (2, "")
    assert "'DIR' must have no files but what posbias reproduce wrote, which are replaced, not another file" in run.err
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert file.read_text() == "<?xml version='1.0'?> somebody's only copy"


@pytest.mark.usefixtures("plain_pictures", "one_model")
def test_what_it_does_not_write_is_left_alone(posbias: Posbias, tmp_path: Path) -> None:
    (tmp_path / "bloom-7b1.png").write_text("another format")
    (tmp_path / "gpt.svg").write_text("another model")
    assert posbias("reproduce", tmp_path).code == 0
    assert (tmp_path / "bloom-7b1.png").read_text() == "another format"
    assert (tmp_path / "gpt.svg").read_text() == "another model"
    assert (tmp_path / "table.csv").read_text().startswith(CSV_HEAD + "\n")
    assert (tmp_path / "table.json").read_text().startswith(JSON_HEAD)


@pytest.mark.usefixtures("plain_pictures", "one_model")
def test_an_interrupt_leaves_nothing_half_written(
    posbias: Posbias, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*arguments: Any, **options: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as while_computing:
        while_computing.setattr("numeric.reproduction.reproduce", stop)
        assert posbias("reproduce", tmp_path / "out").code == 130
    assert not (tmp_path / "out").exists()
    with monkeypatch.context() as while_writing:
        while_writing.setattr("os.fsync", stop)
        assert posbias("reproduce", tmp_path / "out").code == 130
    assert list((tmp_path / "out").iterdir()) == []


def test_the_formats_are_those_that_can_be_drawn() -> None:
    from numeric.reproduction_figure import METADATA

    assert {f".{form}" for form in command.FORMATS} == set(METADATA)
