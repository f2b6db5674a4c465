"""The appendix has the closed form of every kernel at every size, as `derive` gives it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from proofs import every_form, latex_appendix
from proofs.closed_form import KERNELS, derive
from proofs.latex import document
from proofs.latex_appendix import LAYERS, POSITIONS, closed_forms, every_size


def test_every_kernel_at_every_size() -> None:
    shown = closed_forms()
    assert shown in document([], [])
    sizes = re.findall(r"\\noindent \$n=(\d)\$, \$T=(\d)\$:", shown)
    assert sizes == [(str(n), str(T)) for _ in KERNELS for n in POSITIONS for T in LAYERS]
    assert (max(POSITIONS), max(LAYERS)) == (4, 3)
    assert derive(4, 3).latex() in shown and derive(4, 3, kernel="alibi", shared=True).latex() in shown


@pytest.mark.parametrize(
    ("kernel", "at"), [("uniform", "p_{2}&=1-\\tfrac{1}{2}\\lambda_{1}"), ("general", "p_{2}&=1-")]
)
def test_a_form_that_is_known(kernel: str, at: str) -> None:
    """n = 2, T = 1, by hand: p_2 = 1 - lambda + lambda A_22, with A_22 = 1/2 for the uniform kernel."""
    small = closed_forms().partition(r"\subsection*{Written out")[2]
    section = re.split(r"\\subsection\*\{", small)[1 + list(KERNELS).index(kernel)]
    assert at in section


@pytest.mark.parametrize("kernel", ["uniform", "prefix", "content"])
def test_every_size_as_derive_prints_it(posbias: Callable[..., Any], kernel: str) -> None:
    out = posbias("derive", "-n", "n", "-T", "T", "--kernel", kernel, "--format", "latex").out
    assert out.partition(r"\begin{align*}")[2].rstrip() in closed_forms()


def test_a_formula_that_contradicts_the_recursion_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    uniform = every_form.closed_forms("uniform")
    monkeypatch.setattr(every_form, "closed_forms", lambda kernel: uniform)  # of prefix and content too
    with pytest.raises(ArithmeticError, match="contradicts the recursion with the prefix kernel"):
        list(every_size())


def test_a_row_with_another_sum_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong:
        sums_to_one = None

    monkeypatch.setattr(latex_appendix, "derive", lambda *_, **__: Wrong())
    with pytest.raises(ArithmeticError, match="another sum than 1"):
        closed_forms.__wrapped__()
