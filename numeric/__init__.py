"""Arrays: kernels, λ, profiles, their order and shape. Knows nothing of proofs and imports nothing until it is used.

    from numeric import Alibi, profile, shape
    p = profile([Alibi(slopes)] * T, lam, n=256)     # kernels[0] is layer 1, the one nearest the input

Every name below is resolved on first use, so ``import numeric`` loads no library.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numeric.ball import Decision, ball_profile, ball_tails, decide_precedes, precedes_ball
    from numeric.ball_box import (
        alibi_content_drift,
        alibi_drift,
        alibi_increments,
        alibi_row,
        alibi_slope_drift,
        alibi_tails,
    )
    from numeric.ball_kernel import (
        BallAlibi,
        BallAverage,
        BallDistance,
        BallKernel,
        BallLogDistance,
        BallPrefix,
        as_ball,
        to_ball,
    )
    from numeric.continuum import continuum
    from numeric.coupling import coupled_paths, coupling_map, dkw_bound, draw_uniforms, endpoint_law, rollout_paths
    from numeric.decomposition import Decomposition
    from numeric.depth import Depth, depth
    from numeric.description import Description, describe
    from numeric.distance import Distance, LogDistance, Window, distance_rows
    from numeric.drift_bound import DriftBound, drift_bound
    from numeric.exact import ExactAverage, ExactDense, ExactPrefix, exact_profile
    from numeric.experiment import load_experiment
    from numeric.figure import draw_profile
    from numeric.hop_laws import Binomial, Poisson
    from numeric.hop_mixture import decide_labels
    from numeric.hops import hop_law
    from numeric.kernel import Alibi, Dense, HeadAverage, Kernel, Prefix, Uniform
    from numeric.layer_order import LayerOrder, layer_order
    from numeric.moment_layer import MomentLayer
    from numeric.number import read_fraction, read_integer
    from numeric.order import monotonicity_defect, precedes, spearman, tails, wasserstein
    from numeric.phase import Phase, depth_phase, layer_phase
    from numeric.phase_figure import draw_continuum, draw_phase
    from numeric.picture import (
        draw_force,
        draw_paths,
        draw_profiles,
        draw_together,
        force_profiles,
        together_profiles,
    )
    from numeric.prefix_lm import PrefixLM, lumped
    from numeric.profile import profile, profile_by_rows, profile_dense
    from numeric.published import Published, measured_influence
    from numeric.refuse import InputError
    from numeric.row_facts import row_facts
    from numeric.schedule import Constant, Continued, Geometric, Listed, Power, Schedule, read_schedule
    from numeric.second_moment import Moments, diagonal_moment, sampled_moment, second_moment
    from numeric.shape import Shape, effective_depth, shape
    from numeric.shared_kernel import RationalKernel, SoftmaxKernel
    from numeric.shared_window import SinkKernel, WindowKernel
    from numeric.speed import Speed, speed

_MODULE = {
    "Alibi": "kernel",
    "BallAlibi": "ball_kernel",
    "BallAverage": "ball_kernel",
    "BallDistance": "ball_kernel",
    "BallKernel": "ball_kernel",
    "BallLogDistance": "ball_kernel",
    "BallPrefix": "ball_kernel",
    "Binomial": "hop_laws",
    "Constant": "schedule",
    "Continued": "schedule",
    "Decision": "ball",
    "Decomposition": "decomposition",
    "Dense": "kernel",
    "Depth": "depth",
    "Description": "description",
    "Distance": "distance",
    "DriftBound": "drift_bound",
    "ExactAverage": "exact",
    "ExactDense": "exact",
    "ExactPrefix": "exact",
    "Geometric": "schedule",
    "HeadAverage": "kernel",
    "InputError": "refuse",
    "Kernel": "kernel",
    "LayerOrder": "layer_order",
    "Listed": "schedule",
    "LogDistance": "distance",
    "MomentLayer": "moment_layer",
    "Moments": "second_moment",
    "Phase": "phase",
    "Poisson": "hop_laws",
    "Power": "schedule",
    "Prefix": "kernel",
    "PrefixLM": "prefix_lm",
    "Published": "published",
    "RationalKernel": "shared_kernel",
    "Schedule": "schedule",
    "Shape": "shape",
    "SinkKernel": "shared_window",
    "SoftmaxKernel": "shared_kernel",
    "Speed": "speed",
    "Uniform": "kernel",
    "Window": "distance",
    "WindowKernel": "shared_window",
    "alibi_content_drift": "ball_box",
    "alibi_drift": "ball_box",
    "alibi_increments": "ball_box",
    "alibi_row": "ball_box",
    "alibi_slope_drift": "ball_box",
    "alibi_tails": "ball_box",
    "as_ball": "ball_kernel",
    "ball_profile": "ball",
    "ball_tails": "ball",
    "continuum": "continuum",
    "coupled_paths": "coupling",
    "coupling_map": "coupling",
    "decide_labels": "hop_mixture",
    "decide_precedes": "ball",
    "depth": "depth",
    "depth_phase": "phase",
    "describe": "description",
    "diagonal_moment": "second_moment",
    "distance_rows": "distance",
    "dkw_bound": "coupling",
    "draw_continuum": "phase_figure",
    "draw_force": "picture",
    "draw_paths": "picture",
    "draw_phase": "phase_figure",
    "draw_profile": "figure",
    "draw_profiles": "picture",
    "draw_together": "picture",
    "draw_uniforms": "coupling",
    "drift_bound": "drift_bound",
    "effective_depth": "shape",
    "endpoint_law": "coupling",
    "exact_profile": "exact",
    "force_profiles": "picture",
    "hop_law": "hops",
    "layer_order": "layer_order",
    "layer_phase": "phase",
    "load_experiment": "experiment",
    "lumped": "prefix_lm",
    "measured_influence": "published",
    "monotonicity_defect": "order",
    "precedes": "order",
    "precedes_ball": "ball",
    "profile": "profile",
    "profile_by_rows": "profile",
    "profile_dense": "profile",
    "read_fraction": "number",
    "read_integer": "number",
    "read_schedule": "schedule",
    "rollout_paths": "coupling",
    "row_facts": "row_facts",
    "sampled_moment": "second_moment",
    "second_moment": "second_moment",
    "shape": "shape",
    "spearman": "order",
    "speed": "speed",
    "tails": "order",
    "to_ball": "ball_kernel",
    "together_profiles": "picture",
    "wasserstein": "order",
}

__all__ = [
    "Alibi",
    "BallAlibi",
    "BallAverage",
    "BallDistance",
    "BallKernel",
    "BallLogDistance",
    "BallPrefix",
    "Binomial",
    "Constant",
    "Continued",
    "Decision",
    "Decomposition",
    "Dense",
    "Depth",
    "Description",
    "Distance",
    "DriftBound",
    "ExactAverage",
    "ExactDense",
    "ExactPrefix",
    "Geometric",
    "HeadAverage",
    "InputError",
    "Kernel",
    "LayerOrder",
    "Listed",
    "LogDistance",
    "MomentLayer",
    "Moments",
    "Phase",
    "Poisson",
    "Power",
    "Prefix",
    "PrefixLM",
    "Published",
    "RationalKernel",
    "Schedule",
    "Shape",
    "SinkKernel",
    "SoftmaxKernel",
    "Speed",
    "Uniform",
    "Window",
    "WindowKernel",
    "alibi_content_drift",
    "alibi_drift",
    "alibi_increments",
    "alibi_row",
    "alibi_slope_drift",
    "alibi_tails",
    "as_ball",
    "ball_profile",
    "ball_tails",
    "continuum",
    "coupled_paths",
    "coupling_map",
    "decide_labels",
    "decide_precedes",
    "depth",
    "depth_phase",
    "describe",
    "diagonal_moment",
    "distance_rows",
    "dkw_bound",
    "draw_continuum",
    "draw_force",
    "draw_paths",
    "draw_phase",
    "draw_profile",
    "draw_profiles",
    "draw_together",
    "draw_uniforms",
    "drift_bound",
    "effective_depth",
    "endpoint_law",
    "exact_profile",
    "force_profiles",
    "hop_law",
    "layer_order",
    "layer_phase",
    "load_experiment",
    "lumped",
    "measured_influence",
    "monotonicity_defect",
    "precedes",
    "precedes_ball",
    "profile",
    "profile_by_rows",
    "profile_dense",
    "read_fraction",
    "read_integer",
    "read_schedule",
    "rollout_paths",
    "row_facts",
    "sampled_moment",
    "second_moment",
    "shape",
    "spearman",
    "speed",
    "tails",
    "to_ball",
    "together_profiles",
    "wasserstein",
]


class _Package(ModuleType):
    """`profile`, `shape`, `depth` name a function and the module it lives in: the function wins in any import order."""

    def __setattr__(self, name: str, value: object) -> None:
        # the import system sets a loaded submodule as attribute of its package
        if isinstance(value, ModuleType) and _MODULE.get(name) == name:
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_MODULE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
