"""Which theory is nearest: planted runs whose influence is one of them, ties, intervals, and what is left out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from numeric.kernel import Alibi, HeadAverage
from numeric.model.comparing import RunComparison, compare
from numeric.model.evidence import gap
from numeric.model.resampling import Resampling
from numeric.model.run_profiles import RECORDED, VARIANTS
from numeric.order import spearman, wasserstein
from numeric.profile import profile_dense
from numeric.published import paper_slopes
from numeric.refuse import InputError
from tests.numeric.model.planted import NAMES, SLOPES, Planted, last_row
from tests.numeric.model.tiny import write_config

ROOT = Path(__file__).resolve().parents[3]
ROUNDING = 1e-14  # rows of 7 numbers and two layers in float64: fewer than 45 roundings of 2^−53


def expected(planted: Planted, name: str) -> NDArray[np.float64]:
    """The rows (K, n) of a variant, by products of matrices."""
    n, layers = planted.n, planted.layers
    shares = planted.mixing.mean(axis=2)
    if name in NAMES:
        return planted.rollouts[NAMES[name]]
    if name == "second moments":
        assert planted.prediction is not None
        return planted.prediction
    if name == "residual, mean kernel":
        lam = np.repeat(shares.mean(axis=0)[:, None], n, axis=1)
        return np.tile(last_row(planted.mean, lam), (planted.samples, 1))
    rows = []
    for s in range(planted.samples):
        stack = [Alibi(paper_slopes(planted.heads) if "paper" in name else SLOPES)] * layers
        if "content" in name:
            d = planted.content[s, :, :, 0] - planted.content[s, :, :, 1]
            stack = [HeadAverage([Alibi(m, e) for m, e in zip(SLOPES, one, strict=True)]) for one in d]  # type: ignore
        if "position" in name:
            rows.append(last_row(np.array([kernel.matrix(n) for kernel in stack]), planted.mixing[s]))
        else:
            lam = {"attention only": np.ones(layers), "half": np.full(layers, 0.5)}.get(name.split(",")[0], shares[s])
            rows.append(profile_dense(stack, lam, n=n))
    return np.array(rows)


def only(folder: Path, **options: Any) -> RunComparison:
    (found,) = compare([folder], **options).runs
    return found


# --- what is nearest ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_influence_that_is_one_variant_has_it_as_the_nearest(tmp_path: Path, name: str) -> None:
    planted = Planted()
    planted.influence = 17.0 * expected(planted, name)
    found = only(planted.write(tmp_path / "run"))
    assert list(found.profiles.predicted) == list(VARIANTS) and not found.profiles.left_out
    assert found.nearest == name
    for one in found.all_tokens.gaps:
        assert (one.wasserstein < ROUNDING) == (one.name == name), one
    assert found.separated and found.all_tokens.share == 1
    gone = only(Planted().write(tmp_path / "other")).all_tokens.of(name)
    assert gone is not None and gone.wasserstein > 0.01  # the influence of another draw


@pytest.mark.parametrize("name", RECORDED)
def test_a_recorded_variant_is_met_exactly(tmp_path: Path, name: str) -> None:
    planted = Planted()
    planted.influence = planted.rollouts[NAMES[name]]
    near = only(planted.write(tmp_path / "run")).all_tokens.of(name)
    assert near is not None and (near.wasserstein, near.interval, near.spearman) == (0, (0, 0), 1)


def test_gaps_are_those_of_means(tmp_path: Path) -> None:
    planted = Planted()
    found = only(planted.write(tmp_path / "run"))
    q = (planted.influence / planted.influence.sum(axis=1, keepdims=True)).mean(axis=0)
    for one in found.all_tokens.gaps:
        p = expected(planted, one.name).mean(axis=0)
        assert one.wasserstein == pytest.approx(wasserstein(p, q) / 6, abs=ROUNDING)
        assert one.spearman == pytest.approx(spearman(p, q), abs=ROUNDING)
        assert one.first == pytest.approx(p[0], abs=ROUNDING)
    assert found.measured_first == pytest.approx(q[0], rel=1e-14)
    order = sorted(found.all_tokens.gaps, key=lambda one: one.wasserstein)
    assert (found.nearest, found.all_tokens.runner_up) == (order[0].name, order[1].name)
    assert found.margin == order[1].wasserstein - order[0].wasserstein > 0


def test_influence_turned_round_is_another(tmp_path: Path) -> None:
    planted = Planted()
    planted.influence = planted.rollouts["rollout"][:, ::-1]
    near = only(planted.write(tmp_path / "run")).all_tokens.of("residual")
    assert near is not None and near.wasserstein > 0.1 and near.spearman is not None and near.spearman < 1


def test_variants_that_are_equal_are_tied(tmp_path: Path) -> None:
    planted = Planted()
    planted.rollouts["value_weighted"] = planted.rollouts["half"]
    planted.influence = planted.rollouts["half"]
    found = only(planted.write(tmp_path / "run")).all_tokens
    assert {found.nearest, *found.tied} == {"half", "residual, value-weighted"}
    assert found.runner_up not in {found.nearest, *found.tied} and found.margin is not None and found.margin > 0


def test_what_gradients_round_is_no_difference_and_what_they_do_not_is(tmp_path: Path) -> None:
    """Distances up to 2u apart are tied, u = 2^−24: one just below it, one just above."""
    for number, times in enumerate((0.9, 1.1)):
        planted = Planted(n=2)
        row = np.tile([0.5, 0.5], (planted.samples, 1))
        planted.influence = planted.rollouts["half"] = row
        planted.rollouts["rollout"] = row + times * 2.0**-23 * np.array([1, -1])
        found = only(planted.write(tmp_path / str(number))).all_tokens
        assert found.nearest == "half" and (found.tied == ("residual",)) == (times < 1)


# --- intervals ------------------------------------------------------------------------------------------------------


def test_intervals_are_those_of_plain_draws(tmp_path: Path) -> None:
    """As `numeric.model.evidence.gap` takes them, from arrays of (draws, K, n)."""
    planted = Planted(samples=9)
    found = only(planted.write(tmp_path / "run"), seed=5)
    for one in found.all_tokens.gaps:
        slow = gap(found.profiles.predicted[one.name], found.profiles.measured, seed=5)
        assert one.interval == pytest.approx((slow.low, slow.high), abs=1e-13)
        assert one.wasserstein == pytest.approx(slow.wasserstein, abs=1e-13)


def test_ranks_of_a_draw_are_those_of_its_mean() -> None:
    rng = np.random.default_rng(3)
    p, q = rng.dirichlet(np.ones(11), 7), rng.dirichlet(np.ones(11), 7)
    drawn = Resampling(7, seed=2, draws=13)
    chosen = np.random.default_rng(2).integers(7, size=(13, 7))
    slow = [spearman(p[one].mean(axis=0), q[one].mean(axis=0)) for one in chosen]
    assert drawn.ranks(p, q) == pytest.approx(slow, abs=1e-12)


def test_draws_are_those_of_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether many draws are held at a time, or one."""
    rng = np.random.default_rng(4)
    p, q = rng.dirichlet(np.ones(11), 7), rng.dirichlet(np.ones(11), 7)
    drawn = Resampling(7, seed=2, draws=13)
    whole = drawn.distances(p, q), drawn.ranks(p, q)
    for cells in (1, 50):
        monkeypatch.setattr("numeric.model.resampling._CELLS", cells)
        assert drawn.distances(p, q) == pytest.approx(whole[0], abs=ROUNDING)
        assert drawn.ranks(p, q) == pytest.approx(whole[1], abs=1e-12)


def test_two_are_separated_by_their_difference_not_by_their_intervals(tmp_path: Path) -> None:
    """Influence moves widely from sample to sample; one variant is always a little nearer than the other."""
    planted = Planted(n=2, samples=40)
    planted.mixing[:] = 0  # so that the rollout of the mean kernel is far off, at (0, 1)
    last = np.linspace(0.1, 0.5, 40)
    planted.influence, planted.prediction = np.stack([1 - last, last], axis=1), None
    for name, share in (("rollout", 0.89), ("half", 0.9), ("attention_only", 1), ("by_position", 1)):
        planted.rollouts[name] = np.tile([1 - share, share], (40, 1))
    planted.rollouts["value_weighted"] = planted.rollouts["by_position"]
    found = only(planted.write(tmp_path / "run", told=None)).all_tokens
    near, other = found.of("residual"), found.of("half")
    assert (found.nearest, found.runner_up, found.separated) == ("residual", "half", True)
    assert near is not None and near.interval is not None and other is not None and other.interval is not None
    assert near.interval[1] > other.interval[0] + 0.03  # which overlap
    assert found.margin_interval == pytest.approx((0.01, 0.01)) and found.margin == pytest.approx(0.01)


def test_a_difference_that_changes_sign_is_not_separated(tmp_path: Path) -> None:
    planted = Planted(n=2, samples=6)
    planted.influence = np.tile([0.5, 0.5], (6, 1))
    step = np.array([0.3, -0.3, 0.3, -0.3, 0.3, -0.29])
    planted.rollouts["half"] = planted.influence + np.stack([step, -step], axis=1)
    planted.rollouts["rollout"] = planted.influence + np.stack([-step, step], axis=1) + [0.001, -0.001]
    found = only(planted.write(tmp_path / "run")).all_tokens
    assert {found.nearest, found.runner_up} == {"half", "residual"}
    assert found.separated is False and found.runner_up in found.alike
    assert found.share is not None and 0 < found.share < 1


def test_one_sample_has_no_interval(tmp_path: Path) -> None:
    found = only(Planted(samples=1).write(tmp_path / "run"))
    assert all(one.interval is None and one.rank_interval is None for one in found.all_tokens.gaps)
    assert found.margin is not None and found.separated is None and found.all_tokens.share is None
    assert found.averaging is not None and found.averaging.bound is not None
    assert found.averaging.distance <= found.averaging.bound < 1e-12  # of one sample the mean is itself


def test_seed_and_draws_count(tmp_path: Path) -> None:
    folder = Planted().write(tmp_path / "run")
    intervals = [
        [one.interval for one in only(folder, **options).all_tokens.gaps]
        for options in ({}, {"seed": 0}, {"seed": 1}, {"draws": 77})
    ]
    assert intervals[0] == intervals[1] and intervals[0] != intervals[2] and intervals[0] != intervals[3]


# --- the first token ------------------------------------------------------------------------------------------------


def test_without_the_first_token_profiles_are_conditioned(tmp_path: Path) -> None:
    planted = Planted()
    found = only(planted.write(tmp_path / "run"))
    assert found.without_first is not None and found.sink is not None

    def rest(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((rows[:, 1:] / rows[:, 1:].sum(axis=1, keepdims=True)).mean(axis=0))

    for one in found.without_first.gaps:
        far = wasserstein(rest(expected(planted, one.name)), rest(planted.influence)) / 5
        assert one.wasserstein == pytest.approx(far, abs=ROUNDING)
    first = Alibi(SLOPES).matrix(planted.n)[1:, 0].mean()
    assert found.architectural_first == pytest.approx(first, rel=1e-14)
    assert found.sink.layers == pytest.approx(planted.mean[:, 1:, 0].mean(axis=1).tolist(), rel=1e-14)


def test_a_variant_that_leaves_nothing_beyond_the_first_token_is_left_out_there(tmp_path: Path) -> None:
    planted = Planted()
    planted.rollouts["attention_only"] = np.tile(np.eye(planted.n)[0], (planted.samples, 1))
    found = only(planted.write(tmp_path / "run"))
    assert found.without_first is not None and found.without_first.of("attention only") is None
    assert found.without_first_why == {"attention only": "in some sample everything is on position 1"}
    assert found.all_tokens.of("attention only") is not None


def test_two_positions_have_nothing_without_the_first(tmp_path: Path) -> None:
    found = only(Planted(n=2).write(tmp_path / "run"))
    assert found.without_first is None and "2 positions" in found.without_first_why["measured"]


# --- several folders ------------------------------------------------------------------------------------------------


def test_several_folders_are_counted(tmp_path: Path) -> None:
    folders = []
    for number, (name, n) in enumerate((("half", 7), ("half", 5), ("rollout", 11))):
        planted = Planted(n=n, seed=number)
        planted.influence = planted.rollouts[name]
        folders.append(planted.write(tmp_path / str(number)))
    found = compare(folders)
    assert found.nearest_in == {"half": 2, "residual": 1}
    assert [one.run.length for one in found.runs] == [7, 5, 11]


def test_a_target_selects(tmp_path: Path) -> None:
    folders = [Planted().write(tmp_path / x, changes={"target": x}) for x in ("prob", "logit")]
    found = compare(folders, target="logit")
    assert [one.run.folder for one in found.runs] == [folders[1]]
    assert found.other_target == ((folders[0], "prob"),)
    with pytest.raises(InputError, match=r"'DIR' must have influence on logprob, not on logit, prob alone"):
        compare(folders, target="logprob")


def test_a_folder_twice_is_refused(tmp_path: Path) -> None:
    folder = Planted().write(tmp_path / "run")
    (tmp_path / "link").symlink_to(folder)
    for twice in (folder, tmp_path / "link", os.path.relpath(folder)):
        with pytest.raises(InputError, match="'DIR' must be different folders, not one of them twice"):
            compare([folder, twice])
    with pytest.raises(InputError, match="'DIR' must be given, not left out"):
        compare([])


# --- a model --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["bloom", "gpt2", "mistral"])
def test_a_measured_model_is_compared_as_its_rollouts_say(tmp_path: Path, kind: str) -> None:
    """Against `linear_rollouts`, which asks the model for what the folder was asked for here."""
    from numeric.model import audit, load, measure
    from numeric.model.linear_rollouts import linear_rollouts
    from numeric.model.measuring import Job
    from numeric.model.run_folder import RunFolder

    model = write_config(tmp_path / kind, kind)
    measure(Job(model=str(model), out=str(tmp_path / "run"), length=11, samples=3, random_init=True, kernels=True))
    found = only(tmp_path / "run").profiles
    loaded = load(model, random_init=True, seed=0)
    averages = audit(loaded, n=11).kernels()
    for s, record in enumerate(RunFolder.read(tmp_path / "run").records()):
        slow = linear_rollouts(loaded, record["tokens"], kernels=averages)
        for name, row in slow.items():
            # single precision in a softmax over 11 positions: its rows, and their sums, within 13 · 2^−24
            assert found.predicted[name][s] == pytest.approx(row, abs=13 * 2.0**-23), name
    assert set(found.left_out) == {"second moments", *(["residual, paper slopes"] if kind != "bloom" else [])}


def test_no_model_library_is_loaded(tmp_path: Path) -> None:
    folder = Planted().write(tmp_path / "run")
    heavy = ["torch", "transformers", "matplotlib", "sympy"]
    code = (
        f"import sys; from numeric.model.comparing import compare; compare([{str(folder)!r}]); "
        f"print([m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
