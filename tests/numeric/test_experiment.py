"""Experiment files: the paper's load as they are and give its figures; whatever is no experiment is refused by name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from numeric.experiment import Experiment, experiment_of, load_experiment
from numeric.kernel import Alibi
from numeric.order import wasserstein
from numeric.profile import profile
from numeric.published import PUBLISHED, find, measured_influence
from numeric.refuse import InputError
from numeric.yaml_text import plain, read_node, without_tabs

# Ours, in the paper's format. Sizes are distinct primes, so that a swapped axis fails.
VALID = """\
sequence_length: 7
num_layers: 3

mask_config:
  mask_type: "causal"
  window_size: null
attention_config:
  num_heads: 2
  alibi_slopes: [[0.5, 25e-2]]
  head_weights: null
  softmax_temperature: 1.0
content_config:
  diagonal_scores: [[-1.0]]
  base_scores: [[9.5]]
lambda_schedule_config:
  schedule_type: "custom"
  lambdas_custom: [1e-3, 0.5, 1]

save_dir: ./results
"""
ATTACK = "__import__('os').system('touch attacked')"


def _write(folder: Path, text: str) -> Path:
    path = folder / "case.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def _refused(path: Path, *, libyaml: bool | None = None) -> str:
    with pytest.raises(InputError) as caught:
        load_experiment(path, libyaml=libyaml)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(path), path.name)


def _distance(experiment: Experiment, lam: object = None) -> float:
    predicted = profile(experiment.kernels(), experiment.lam if lam is None else 1.0, n=experiment.length)
    measured = measured_influence("bloom-176b")
    return wasserstein(predicted / predicted.sum(), measured / measured.sum()) / (experiment.length - 1)


@pytest.mark.parametrize("libyaml", [True, False])
def test_values_of_a_small_file(tmp_path: Path, libyaml: bool) -> None:
    experiment = load_experiment(_write(tmp_path, VALID), libyaml=libyaml)
    assert (experiment.length, experiment.layers, experiment.heads) == (7, 3, 2)
    assert experiment.slopes.tolist() == [[0.5, 0.25]] * 3
    assert experiment.content.tolist() == [[-1.0, -1.0]] * 3  # one content value means all heads and layers
    assert experiment.base.tolist() == [[9.5, 9.5]] * 3
    assert experiment.lam.tolist() == [0.001, 0.5, 1.0]
    assert experiment.head_weights is None
    assert len({id(kernel) for kernel in experiment.kernels()}) == 1


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ("[[2.0]]", [[2, 2], [2, 2], [2, 2]]),
        ("[[1, 2]]", [[1, 2], [1, 2], [1, 2]]),
        ("[[1], [2], [3]]", [[1, 1], [2, 2], [3, 3]]),
        ("[[1, 2], [3, 4], [5, 6]]", [[1, 2], [3, 4], [5, 6]]),
    ],
)
def test_content_reaches_every_head_and_layer(tmp_path: Path, scores: str, expected: list[list[int]]) -> None:
    experiment = load_experiment(_write(tmp_path, VALID.replace("[[-1.0]]", scores)))
    assert experiment.content.tolist() == expected
    for kernel, row in zip(experiment.kernels(), expected, strict=True):
        assert kernel.content.tolist() == row


def test_constant_schedule_means_every_layer(tmp_path: Path) -> None:
    text = VALID.replace('"custom"', '"constant"').replace("lambdas_custom: [1e-3, 0.5, 1]", "lambda_const: 1/4")
    assert load_experiment(_write(tmp_path, text)).lam.tolist() == [0.25] * 3


@pytest.mark.parametrize("weights", ["[0.75, 0.25]", "[1, 0]"])
def test_head_weights(tmp_path: Path, weights: str) -> None:
    experiment = load_experiment(_write(tmp_path, VALID.replace("weights: null", f"weights: {weights}")))
    assert experiment.kernels()[0].head_weights.tolist() == plain(read_node(weights, "test"))


def test_no_layers_is_the_identity(tmp_path: Path) -> None:
    text = VALID.replace("num_layers: 3", "num_layers: 0").replace("[1e-3, 0.5, 1]", "[]")
    experiment = load_experiment(_write(tmp_path, text))
    assert experiment.kernels() == []
    assert profile(experiment.kernels(), experiment.lam, n=7).tolist() == [0, 0, 0, 0, 0, 0, 1]


SAVED = [
    Experiment(
        11, 3, 2, slopes=[[0.1, 1e-9], [0.2, 50.0], [1 / 3, 0.0]], lam=[0.1, 1e-300, 1.0],
        content=[[1.5], [-400.0], [5e-324]], base=[[1e300, -2.0]], head_weights=[0.7, 0.3],
    ),
    Experiment(1, 2, 3, slopes=[[0.1, 0.2, 0.3]], lam=0.25),
    Experiment(5, 0, 2, slopes=[[0.1, 0.2]], lam=[]),
]  # fmt: skip


@pytest.mark.parametrize("experiment", SAVED, ids=["all fields", "shared layers", "no layers"])
@pytest.mark.parametrize("libyaml", [True, False])
def test_text_gives_the_values_back(tmp_path: Path, experiment: Experiment, libyaml: bool) -> None:
    again = load_experiment(_write(tmp_path, experiment.text()), libyaml=libyaml)
    assert (again.length, again.layers, again.heads) == (experiment.length, experiment.layers, experiment.heads)
    for name in ("slopes", "lam", "content", "base"):
        assert getattr(again, name).tolist() == getattr(experiment, name).tolist()
    assert (again.head_weights is None) is (experiment.head_weights is None)
    assert again.kernels() == experiment.kernels()


def test_arrays_are_read_only(tmp_path: Path) -> None:
    experiment = load_experiment(_write(tmp_path, VALID))
    for array in (experiment.slopes, experiment.content, experiment.base, experiment.lam):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


# --- refused: field, replacement in VALID, what the one line says -------------------------------------------------

# ruff: noqa: E501 — a case stays on one line: what is replaced, by what, and the answer
LAMBDA = "'lambda_schedule_config.lambdas_custom'"
REFUSED = [
    ("[1e-3, 0.5, 1]", "[1e-3, 1.2, 1]", f"Argument {LAMBDA} must lie in [0, 1], not 1.2 (case.yaml, line 17, entry 2,"),
    ("[1e-3, 0.5, 1]", "[1e-3, -1/9, 1]", f"Argument {LAMBDA} must lie in [0, 1], not -0.11"),
    ("[1e-3, 0.5, 1]", "[1e-3, .nan, 1]", f"Argument {LAMBDA} must be a number, not '.nan' (case.yaml, line 17"),
    ("[1e-3, 0.5, 1]", "[1e-3, 1e999, 1]", f"Argument {LAMBDA} must be a finite number, not inf (case.yaml, line 17, entry 2"),
    ("[1e-3, 0.5, 1]", "[1e-3, '0.5', 1]", f"Argument {LAMBDA} must be a number, not '0.5'"),
    ("[1e-3, 0.5, 1]", "[1e-3, true, 1]", f"Argument {LAMBDA} must be a number, not 'true'"),
    ("[1e-3, 0.5, 1]", "[1e-3, 0.5]", f"Argument {LAMBDA} must be one number per layer (3), not 2 of them (case.yaml, line 17)."),
    ("[1e-3, 0.5, 1]", f"[{ATTACK}, 0.5, 1]", f"Argument {LAMBDA} must be a number, not \"__import__('os')"),
    ("[1e-3, 0.5, 1]", "!!python/object/apply:os.system [x]", "must have no tags (!), not 'tag:yaml.org,2002:python"),
    ("[1e-3, 0.5, 1]", "0.5", f"Argument {LAMBDA} must be a list, not 0.5"),
    ("sequence_length: 7", "sequence_length: 0", "'sequence_length' must be at least 1, not 0 (case.yaml, line 1)."),
    ("sequence_length: 7", "sequence_length: -7", "'sequence_length' must be at least 1, not -7 (case.yaml, line 1)."),
    ("sequence_length: 7", "sequence_length: 7.0", "'sequence_length' must be an integer, not 7.0"),
    ("sequence_length: 7", "sequence_length: 9e9", "'sequence_length' must be an integer"),
    ("sequence_length: 7\n", "", "'sequence_length' must be given, not left out"),
    ("num_layers: 3", "num_layers: 1000000000", "'num_layers' must be at most 10000, not 1000000000 (case.yaml, line 2)"),
    ("num_layers: 3", "sequence_length: 3", "'sequence_length' must be given once, not twice (case.yaml, line 2)."),
    ("num_layers: 3", "num_layers: &T 3", "must have no anchors and aliases (& and *), not some (case.yaml, line 2)."),
    ('"causal"', '"sliding"', "'mask_config.mask_type' must be 'causal' (no other mask is covered), not 'sliding'"),
    ("window_size: null", "window_size: 4", "'mask_config.window_size' must be null (windows are not covered), not 4"),
    ("temperature: 1.0", "temperature: 2", "'attention_config.softmax_temperature' must be 1 (no other temperature"),
    ("num_heads: 2", "num_heads: 0", "'attention_config.num_heads' must be at least 1, not 0 (case.yaml, line 8)."),
    ("num_heads: 2", "num_heads: 5", "'attention_config.alibi_slopes' must be 1 or 3 rows (layers) of 5 numbers (heads)"),
    ("[[0.5, 25e-2]]", "[[0.5]]", "'attention_config.alibi_slopes' must be 1 or 3 rows (layers) of 2 numbers"),
    ("[[0.5, 25e-2]]", "[[0.5, -1]]", "must lie in [0, 700], not -1 (case.yaml, line 9, entry 1, 2, counted from 1)."),
    ("[[0.5, 25e-2]]", "[0.5, 0.25]", "'attention_config.alibi_slopes' must be a list, not 0.5"),
    ("[[0.5, 25e-2]]", "[[0.5, 25e-2]", "must be YAML, not this ("),
    ("weights: null", "weights: [0.5, 0.4]", "must be one weight per head (2), none negative, with sum 1, not 2 with sum 0.9"),
    ("weights: null", "weights: [1.0]", "must be one weight per head (2), none negative, with sum 1, not 1 with sum 1"),
    ("[[-1.0]]", "[[-1.0], [1.0]]", "'content_config.diagonal_scores' must be 1 or 3 rows (layers) of 1 or 2 numbers"),
    ("[[-1.0]]", "[[1.0], [1.0, 2.0], [1.0]]", "must be rows of numbers, not no rows or rows of different lengths"),
    ("[[-1.0]]", "[]", "must be rows of numbers, not no rows or rows of different lengths (case.yaml, line 13)."),
    ("[[-1.0]]", "[[401]]", "'content_config.diagonal_scores' must lie in [-400, 400], not 401 (case.yaml, line 13"),
    ("[[9.5]]", "[[.inf]]", "'content_config.base_scores' must be a number, not '.inf' (case.yaml, line 14"),
    ('"custom"', '"power"', "'lambda_schedule_config.schedule_type' must be 'constant' or 'custom', not 'power'"),
    ('"custom"', "[1]", "lambda_schedule_config"),
    ('  schedule_type: "custom"\n', "", "'lambda_schedule_config.schedule_type' must be given, not left out"),
    ("  lambdas_custom:", "  lambda_const: 0.5\n  lambdas_custom:", "'lambda_schedule_config.lambda_const' must be a field"),
    ("save_dir:", '"[/red]$_":', "Argument '[/red]$_' must be a field of the format, not unknown (case.yaml, line 19)."),
    ("save_dir:", "<<:", "Argument '<<' must be a field of the format, not unknown (case.yaml, line 19)."),
    ("save_dir: ./results", "save_dir: |\n  text", "must have no block text (| or >), not some (case.yaml, line 19)."),
    ("save_dir:", "---\nsave_dir:", "must hold one document, not several (case.yaml, line 19)."),
    (VALID, "- 1\n- 2\n", "must hold named fields (a mapping), not a list (case.yaml, line 1)."),
    (VALID, "\nhello\n", "must hold named fields (a mapping), not 'hello' (case.yaml, line 2)."),
    (VALID, "# nothing\n", "Argument 'file' must hold an experiment, not empty (case.yaml)."),
    (VALID, " \n", "Argument 'file' must hold an experiment, not empty (case.yaml)."),
    (VALID, "a: b: c\n", "must be YAML, not this ("),
    (VALID, "? [1]\n: 2\n", "must have text as keys, not a collection (case.yaml, line 1)."),
    (VALID, "- " * 100_000, "must nest at most 12 deep, not deeper (case.yaml, line 1)."),
    (VALID, "[" * 100_000, "(case.yaml, line 1)."),
]  # fmt: skip


@pytest.mark.parametrize("libyaml", [True, False])
@pytest.mark.parametrize(("old", "new", "said"), REFUSED, ids=[str(k) for k in range(len(REFUSED))])
def test_refused_with_place_field_requirement_and_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, said: str, libyaml: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    assert VALID.count(old) == 1
    assert said in _refused(_write(tmp_path, VALID.replace(old, new)), libyaml=libyaml)
    assert not (tmp_path / "attacked").exists()


def test_refused_files(tmp_path: Path) -> None:
    assert _refused(tmp_path / "absent.yaml") == "Argument 'file' must exist, not missing (absent.yaml)."
    assert "must be a file, not a folder" in _refused(tmp_path)
    for content in (b"\xff\xfe\x00\x01", VALID.encode("utf-16"), b"a: \x00"):
        path = tmp_path / "binary.yaml"
        path.write_bytes(content)
        assert _refused(path) == "Argument 'file' must be text in UTF-8, not binary (binary.yaml)."
    assert "\\n" in _refused(tmp_path / "two\nlines.yaml")
    assert "must be readable" in _refused(tmp_path / ("long" * 100))


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + VALID.replace("\n", "\r\n").encode())
    assert load_experiment(path).lam.tolist() == [0.001, 0.5, 1.0]


@pytest.mark.parametrize("libyaml", [True, False])
def test_tabs_read_alike_with_and_without_libyaml(tmp_path: Path, libyaml: bool) -> None:
    text = VALID.replace("[1e-3, 0.5, 1]", "[1e-3\t,\t0.5\t, 1\t]\t# end").replace("length: 7", "length:\t7\t")
    experiment = load_experiment(_write(tmp_path, text), libyaml=libyaml)
    assert experiment.lam.tolist() == [0.001, 0.5, 1.0]
    assert experiment.length == 7
    assert "line 17" in _refused(_write(tmp_path, VALID.replace("  lambdas", "\tlambdas")), libyaml=libyaml)


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML without libyaml")
def test_libyaml_reads_where_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[object] = []
    parse = yaml.parse

    def watched(text: str, Loader: type) -> object:  # the name of the argument is PyYAML's
        used.append(Loader)
        return parse(text, Loader=Loader)

    monkeypatch.setattr(yaml, "parse", watched)
    path = _write(tmp_path, VALID)
    for libyaml in (None, True, False):
        load_experiment(path, libyaml=libyaml)
    assert used == [yaml.CBaseLoader, yaml.CBaseLoader, yaml.BaseLoader]


# --- kernels to experiments ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("experiment", SAVED, ids=["all fields", "shared layers", "no layers"])
def test_an_experiment_of_kernels_has_those_kernels(experiment: Experiment) -> None:
    again = experiment_of(experiment.kernels(), experiment.lam, n=experiment.length, heads=experiment.heads)
    assert again.kernels() == experiment.kernels()
    assert again.lam.tolist() == experiment.lam.tolist()
    assert (again.length, again.layers, again.heads) == (experiment.length, experiment.layers, experiment.heads)
    assert (again.head_weights is None) is (experiment.head_weights is None)


def test_an_experiment_has_one_row_of_head_weights() -> None:
    with pytest.raises(InputError, match="'kernels' must have the same head weights in every layer, not several"):
        experiment_of([Alibi([1, 2]), Alibi([1, 2], head_weights=[1, 0])], 0.5, n=3, heads=2)


# --- the paper's files ---------------------------------------------------------------------------------------------


def test_every_file_of_the_paper_loads_as_it_is(data_dir: Path) -> None:
    paths = sorted((data_dir / "authors-configs").rglob("*.yaml"))
    assert len(paths) >= 23
    for path in paths:
        experiment = load_experiment(path)
        slow = load_experiment(path, libyaml=False)
        raw = yaml.safe_load(without_tabs(path.read_text(encoding="utf-8")))
        assert (experiment.length, experiment.layers) == (raw["sequence_length"], raw["num_layers"])
        assert len(experiment.kernels()) == experiment.layers
        schedule = raw["lambda_schedule_config"]
        assert experiment.lam.tolist() == schedule.get("lambdas_custom", [schedule.get("lambda_const")] * len(slow.lam))
        scores = np.broadcast_to(raw["content_config"]["diagonal_scores"], experiment.content.shape)
        assert np.array_equal(experiment.content, scores.astype(float))
        for name in ("slopes", "lam", "content", "base"):
            assert np.array_equal(getattr(experiment, name), getattr(slow, name))


def test_the_papers_slopes_and_lambda_are_the_published_ones(data_dir: Path) -> None:
    for name, model in PUBLISHED.items():
        file = "bloom" if name == "bloom-176b" else name
        experiment = load_experiment(data_dir / "authors-configs" / "alibi" / "no_content" / f"{file}.yaml")
        assert (experiment.length, experiment.layers, experiment.heads) == (model.length, model.layers, model.heads)
        assert experiment.lam == pytest.approx(model.lam(), rel=1e-15)
        assert experiment.slopes[0] == pytest.approx(model.slopes("paper"), rel=1e-14)


# W1/(n−1) against the measured influence of BLOOM-176B: the project's reference figures for arXiv:2602.16837.
def test_bloom_without_content() -> None:
    model = find("bloom-176b")
    for kind, expected in (("paper", 0.0790), ("model", 0.0353)):
        slopes = [model.slopes("paper" if kind == "paper" else "model")]
        experiment = Experiment(256, 70, 112, slopes=slopes, lam=model.lam())
        assert _distance(experiment) == pytest.approx(expected, abs=1e-4)
        assert _distance(experiment, lam=1.0) == pytest.approx(0.6511, abs=1e-4)


def test_bloom_with_content(data_dir: Path) -> None:
    path = data_dir / "authors-configs" / "alibi" / "all_content" / "fineweb-edu" / "bloom.yaml"
    paper = load_experiment(path)
    model = replace(paper, slopes=find("bloom-176b").slopes("model")[None, :])
    assert _distance(paper) == pytest.approx(0.0159, abs=1e-4)
    assert _distance(model) == pytest.approx(0.1146, abs=1e-4)
    scaled = paper.content / np.sqrt(find("bloom-176b").head_dim)
    assert _distance(replace(paper, content=scaled)) == pytest.approx(0.0682, abs=1e-4)
    assert _distance(replace(model, content=scaled)) == pytest.approx(0.0380, abs=1e-4)
    # the other reading of the file, d − c, is not the paper's
    # (cut at the kernel's limits, beyond which the weights no longer change in float64)
    difference = np.clip(paper.content - paper.base, -400, 400)
    assert _distance(replace(paper, content=difference)) == pytest.approx(0.0175, abs=1e-4)
