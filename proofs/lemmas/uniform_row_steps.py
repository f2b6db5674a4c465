"""The rows of the uniform kernel from U6, for the symbols w and lambda of the claim that uses them:

    P^(T)_ij = a [i = j] + (1 / i) sum_{k=1}^T P(K_T = k) h_{k-1}(1/j, ..., 1/i)

with h the complete homogeneous symmetric polynomials and a = (1 - lambda_1) ... (1 - lambda_T).
"""

from __future__ import annotations

from proofs.lemmas.logarithm_steps import one_over
from proofs.lemmas.prefix_power_steps import A, cells, h, lam, law, shares, stay, w
from proofs.lemmas.prefix_steps import inverse
from proofs.lemmas.uniform_steps import one_kernel, uniform, uniform_sums
from proofs.notation import every, n, zero_one
from proofs.steps import Both, Generalise, Identity, Step, Use, item, use
from proofs.term import And, Formula, Implies, Index, Relation, Term, index, total

__all__ = ["OF_U6", "P", "by_hops", "of_uniform", "rows", "uniform_rows"]

k, T = index("k"), index("T")
P = one_kernel(lam, w)
OF_U6 = (w, lam, A, *(w,) * 8)  # the rollout and the powers speak of the first two alone


def by_hops(of_count: Term) -> Term:
    """sum_{k=1}^T P(K_T = k) times a value for k - 1."""
    return total("k", 1, T, law(T, "k") * of_count)


def of_uniform(label: str, formula: Formula, *steps: Step) -> Step:
    """What holds if all weights are 1."""
    return Step(label, Implies(uniform(w), formula), Generalise(("uniform weights",), steps))


def rows(part: str, *at: Index | int | str) -> Use:
    """What is known of the rows of the uniform kernel."""
    return use("uniform rows", *at, parts=part, given=("uniform weights",))


_paths = by_hops(h(k - 1, "j", "i"))
_inverses = every("i", 1, n, Relation("=", inverse(w, "i"), one_over("i")))
_values = every("l", 1, n, Relation("=", shares.body, one_over("l")))
_row = cells(Relation("=", P(T, "i", "j"), stay(T) * zero_one("i", "j") + one_over("i") * _paths))
_all = And((("sums", _inverses), ("values", _values), ("rows", _row)))
uniform_rows = of_uniform(
    "uniform rows", _all,
    *uniform_sums(w, "numbers > 0"),
    Step("1 / W = 1 / i", _inverses, Identity((
        item(use("W / W", "i"), times=one_over("i")),
        item(use("k / k", "i"), times=-inverse(w, "i")),
        item(use("W = i", "i"), times=-(one_over("i") * inverse(w, "i"))),
    ))),
    Step("values", _values, Identity((
        item(use("1 / W = 1 / i", "l")), item(use("uniform weights", "l"), times=inverse(w, "l")),
    ))),
    Step("rows", _row, Identity((
        item(use("U6", T, 0, "i", "j", parts="rollout", fns=OF_U6)),
        item(use("uniform weights", "j"), times=inverse(w, "i") * _paths),
        item(use("1 / W = 1 / i", "i"), times=_paths),
    ))),
    Step("all", _all, Both(("1 / W = 1 / i", "values", "rows"))),
)  # fmt: skip
