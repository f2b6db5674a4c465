"""``posbias measure --jobs``: each job as it is alone, and a file refused as a whole before any begins."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.models import needs_models
from tests.numeric.model.tiny import write_config

os.environ["HF_HUB_OFFLINE"] = "1"  # no test may look for a network

Posbias = Callable[..., Any]
ONE: dict[str, Any] = {
    "model": "tiny", "random-init": True, "random-tokens": True, "length": 11, "samples": 2, "seed": 5, "out": "a",
}  # fmt: skip
TWO = {**ONE, "length": 7, "out": "b", "kernels": True}


@pytest.fixture
def jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], str]:
    """Writes a file of jobs in a folder with a model, to stand in."""
    write_config(tmp_path / "tiny", "bloom")
    monkeypatch.chdir(tmp_path)

    def written(content: Any) -> str:
        text = content if isinstance(content, str) else json.dumps(content)
        (tmp_path / "jobs.json").write_text(text, encoding="utf-8")
        return "jobs.json"

    return written


def refused(run: Any, says: str) -> None:
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    assert run.err.startswith("Argument '") and says in run.err, run.err


@needs_models
@pytest.mark.parametrize("words", [(), ("-j", "2", "--backend", "threading")])
def test_jobs_give_what_each_gives_alone(posbias: Posbias, jobs: Callable[[Any], str], words: tuple[str, ...]) -> None:
    run = posbias("measure", "--jobs", jobs([ONE, TWO]), *words)
    assert (run.code, run.err) == (0, "")
    head, *rows = (line.split() for line in run.out.splitlines())
    assert head == ["model", "n", "samples", "depth", "shape", "remarks", "written"]
    assert [(row[0], row[1], row[2], row[-1]) for row in rows] == [("tiny", "11", "2", "a"), ("tiny", "7", "2", "b")]
    options = ("--random-init", "--random-tokens", "--samples", "2", "--seed", "5")
    posbias("measure", "tiny", *options, "-n", "11", "--out", "alone-a")
    posbias("measure", "tiny", *options, "-n", "7", "--kernels", "--out", "alone-b")
    for out in ("a", "b"):
        for path in Path(f"alone-{out}").iterdir():
            assert path.read_bytes() == (Path(out) / path.name).read_bytes()
    run = posbias("measure", "--jobs", "jobs.json", *words, "--json")
    assert run.json()["jobs"] == [json.loads((Path(out) / "report.json").read_text()) for out in ("a", "b")]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[", "'--jobs' must be a JSON file"),
        ("{}", "'--jobs' must hold a JSON list of 1 to"),
        ([], "'--jobs' must hold a JSON list of 1 to"),
        ([ONE, 3], "'--jobs' must hold objects, from options to values, not 3 (job 2 of jobs.json)."),
        ([{**ONE, "lenght": 3}], "'--jobs' must name options of posbias measure (model, out, "),
        ([{**ONE, "json": True}], "'--jobs' must name options of posbias measure (model, out, "),
        ([{**ONE, "length": "11"}], "'--jobs' must hold an integer for 'length', not '11' (job 1 of jobs.json)."),
        ([{**ONE, "length": True}], "'--jobs' must hold an integer for 'length', not True"),
        ([{**ONE, "kernels": 1}], "'--jobs' must hold true or false for 'kernels', not 1"),
        ([{**ONE, "out": None}], "'--jobs' must hold text for 'out', not None"),
        ([ONE, {**TWO, "length": 1}], "'--length' must be an integer in [2, 1000000], not 1 (job 2 of jobs.json)."),
        ([{**ONE, "target": "loss"}], "'--target' must be one of prob, logprob, logit, not 'loss' (job 1 of"),
        ([{**ONE, "text": "book.txt"}], "'--text' must be given, or --random-tokens instead, not both (job 1 of"),
        ([{key: ONE[key] for key in ONE if key != "model"}], "'MODEL' must be given, not left out (job 1 of"),
    ],
)
def test_a_file_is_refused_as_a_whole(
    posbias: Posbias, jobs: Callable[[Any], str], monkeypatch: pytest.MonkeyPatch, content: Any, says: str
) -> None:
    file = jobs(content)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: pytest.fail("torch was looked for"))
    refused(posbias("measure", "--jobs", file), says)
    assert sorted(path.name for path in Path().iterdir()) == ["jobs.json", "tiny"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("tiny", "--jobs", "jobs.json"), "'MODEL' must be left out beside --jobs"),
        (("--jobs", "jobs.json", "--kernels"), "'--kernels' must be left out beside --jobs"),
        (("--jobs", "jobs.json", "-n", "5"), "'-n' must be left out beside --jobs"),
        (("--jobs", "jobs.json", "-j", "0"), "'-j' must be an integer in [1, 1000], not 0"),
        (("--jobs", "none.json"), "'--jobs' must be an existing file"),
        (("tiny", "-j", "2"), "'-j' must be given beside --jobs only, not '2'"),
        (("tiny", "--backend", "loky"), "'--backend' must be given beside --jobs only"),
    ],
)
def test_options_that_say_nothing_there_are_refused(
    posbias: Posbias, jobs: Callable[[Any], str], words: tuple[str, ...], says: str
) -> None:
    jobs([ONE])
    refused(posbias("measure", *words), says)
    assert not Path("a").exists()


@needs_models
def test_a_job_that_is_refused_is_named(posbias: Posbias, jobs: Callable[[Any], str]) -> None:
    refused(posbias("measure", "--jobs", jobs([ONE, {**TWO, "out": "./a"}])), "must have a folder of its own each")
    wrong = {**TWO, "model": "nowhere"}
    refused(posbias("measure", "--jobs", jobs([ONE, wrong])), "not 'nowhere' (the job of 'b').")
    assert Path("a", "report.json").is_file()  # what was done by then is kept


@needs_models
def test_a_backend_is_known(posbias: Posbias, jobs: Callable[[Any], str]) -> None:
    refused(posbias("measure", "--jobs", jobs([ONE]), "--backend", "magic"), "'--backend' must be one of ")
    assert not Path("a").exists()
