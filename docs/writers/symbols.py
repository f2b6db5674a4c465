"""docs/symbols.md: every symbol with its name, shape, range of indices and its place in the code.

    python -m docs.writers.symbols        writes the page

Letters, operators and properties of claims are read off their definitions, ranges included; what arrays they are in
`numeric`, and the letters that only arrays have, is listed here. A place is a dotted name, an argument in brackets.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from numeric.files import write_atomically
from proofs.latex_math import LatexWriter, sentence
from proofs.latex_symbols import symbol_table
from proofs.ledger import LEDGER
from proofs.notation import DEFINITIONS, PROPERTIES, unfold_property
from proofs.term import And, Holds, index

__all__ = ["PAGE", "places", "resolve", "symbol_page"]

PAGE = Path(__file__).resolve().parents[1] / "symbols.md"

# Symbol and range in LaTeX, name, shape, places. Positions j and layers t count from 1; an array has them from 0.
ARRAYS = (
    ("n", "number of positions", "integer", r"n \ge 1", "numeric.profile(n)"),
    ("T", "number of layers", "integer", r"T \ge 0", "numeric.profile(kernels)"),
    ("H", "number of heads of a layer", "integer", r"H \ge 1", "numeric.Alibi(slopes)"),
    (r"\lambda_t", "mixing coefficient: the share that attention adds", "number or (T,)",
     r"0 \le \lambda_t \le 1,\ 1 \le t \le T",
     "numeric.profile(lam), numeric.Schedule"),
    (r"A_{ij}", "attention kernel: the weight with which i reads j", "(n, n) or its row recursion",
     r"1 \le j \le i \le n",
     "numeric.Kernel.matrix, numeric.Kernel.apply"),
    (r"\alpha_h", "weight of a head, sum 1", "(H,)", r"1 \le h \le H", "numeric.HeadAverage(head_weights)"),
    ("m_h", "slope of an ALiBi head", "number or (H,)", r"0 \le m_h \le 700,\ 1 \le h \le H", "numeric.Alibi(slopes)"),
    ("d_h", "content: added to the diagonal logit, e = exp(d)", "number or (H,)", r"-400 \le d_h \le 400",
     "numeric.Alibi(content), numeric.Prefix(content)"),
    ("w_j", "weight of a prefix kernel", "(n,)", r"w_j > 0,\ 1 \le j \le n", "numeric.Prefix(weights)"),
    ("b", "tokens that see each other (prefix-LM)", "integer", r"1 \le b \le n", "numeric.PrefixLM(prefix)"),
    ("P_{ij}", "rollout: the product of the transitions", "(n, n)", r"1 \le i,\,j \le n", "numeric.profile_dense"),
    ("p_j", "profile: the last row of the rollout", "(n,)", r"p_j \ge 0,\ \sum_j p_j = 1,\ 1 \le j \le n",
     "numeric.profile"),
    ("F(k)", "tail p_k + … + p_n", "(n,)", r"1 \le k \le n", "numeric.tails"),
    (r"p \preceq q", "q is more recent: no tail of p exceeds q's", "true or false", "", "numeric.precedes"),
    (r"\eta", "monotonicity defect, with its worst cell", "number, (i, k)", r"\eta \ge 0",
     "numeric.monotonicity_defect"),
    ("S", "effective depth, the sum of λ_t", "number", r"0 \le S \le T", "numeric.effective_depth"),
    ("P(K = k)", "law of the number of layers that attend", "(T + 1,)", r"0 \le k \le T", "numeric.hop_law"),
    ("a", "residual spike at the last token", "number", r"0 \le a \le 1", "numeric.Decomposition.spike"),
    ("g_j", "envelope of a head", "(n,)", r"1 \le j \le n", "numeric.decomposition.Head.envelope"),
    ("W_1", "Wasserstein distance in positions", "number", r"0 \le W_1 \le n-1", "numeric.wasserstein"),
    (r"\varepsilon", "what every row gives away at least", "number", r"0 < \varepsilon \le 1",
     "numeric.depth(epsilon)"),
    ("G_{ij}", "second moments of a gradient, to their scale", "(n,), the diagonal", r"1 \le i,\,j \le n",
     "numeric.Moments.squares"),
    ("q_j", "profile of second moments, √G_jj over its sum", "(n,)", r"1 \le j \le n", "numeric.Moments.profile"),
    ("s_h^2", "gain of a head", "(H,) or (H, H)", r"1 \le h \le H", "numeric.MomentLayer(gains)"),
    (r"\sigma_j", "norm before attention", "number or (n,)", r"\sigma_j \ge 10^{-6}", "numeric.MomentLayer(norm)"),
    ("m_j", "strength of an MLP", "number or (n,)", r"0 \le m_j \le 10^6", "numeric.MomentLayer(mlp)"),
    (r"\kappa_{ij}", "coherence of an MLP's gates", "number or (n, n)", r"-1 \le \kappa_{ij} \le 1,\ \kappa_{ii} = 1",
     "numeric.MomentLayer(coherence)"),
)  # fmt: skip

# operators and properties of claims: the arrays that compute or decide the same
COMPUTED = {
    "token transition": "", "transition": "numeric.profile_dense", "rollout": "numeric.profile_dense",
    "row recursion": "numeric.profile_by_rows, numeric.profile", "tail": "numeric.tails",
    "average": "numeric.HeadAverage", "prefix": "numeric.Prefix", "content": "numeric.Prefix(content)",
    "distance": "numeric.Distance", "attention": "numeric.Dense", "threshold maps": "numeric.coupling_map",
    "hops": "numeric.hop_law", "causal": "numeric.Dense", "monotone": "numeric.monotonicity_defect",
    "below": "numeric.precedes", "mixing": "numeric.Schedule",
}  # fmt: skip
_CONSTANTS = {"identity": "proofs.operators.IDENTITY", "accumulated": "proofs.operators.accumulated"}

_FRONT = """# Symbols

One table for text, claims and code. Positions and layers count from 1 in formulas, on the command line and in JSON, and
from 0 in Python arrays and in the CSV column `position`; layer 1 is nearest the input. The tests look up every place.

## Arrays

| symbol | name | shape | range | in the code |
|---|---|---|---|---|
"""

_CLAIMS = """
## Letters and operators of claims

Read off the definitions in `proofs/definitions.py`. An upper index in round brackets is a depth. "First in" names the
statement that first uses it.

| symbol | name | shape | range of indices | in the code | as arrays | first in |
|---|---|---|---|---|---|---|
"""

_PROPERTIES = """
## Properties of claims

| property | meaning | in the code | as arrays |
|---|---|---|---|
"""


def symbol_page() -> str:
    """The page, from the definitions and the lists above."""
    arrays = "\n".join(_array_row(*row) for row in ARRAYS)
    claims = "\n".join(_claim_row(row) for row in _rows())
    properties = "\n".join(_property_row(name) for name in PROPERTIES)
    return f"{_FRONT}{arrays}\n{_CLAIMS}{claims}\n{_PROPERTIES}{properties}\n"


def _array_row(symbol: str, name: str, shape: str, values: str, at: str) -> str:
    return f"| ${symbol}$ | {name} | {shape} | {f'${values}$' if values else ''} | {_code(at)} |"


def _rows() -> list[list[str]]:
    """Symbol, name, shape, indices, first statement: as the derivations document has them."""
    plain = symbol_table(list(LEDGER.values())).replace(r"\allowbreak ", "").replace(r" \\", "")
    rows = [row.split(" & ") for row in plain.splitlines() if row.count(" & ") == 4]
    return [[cell.strip() for cell in row] for row in rows[1:]]


def _claim_row(row: list[str]) -> str:
    symbol, name, shape, indices, first = row
    own, computed = (_operator(name), COMPUTED.get(name, "")) if name in DEFINITIONS else ("", "")
    statement = re.sub(r"\\ref\{posbias:(\w+)\}", r"\1", first)
    return f"| {' | '.join((symbol, name, shape, indices, _code(own), _code(computed), statement))} |"


def _operator(name: str) -> str:
    return _CONSTANTS.get(name, f"proofs.operators.{name.replace(' ', '_')}")


def _property_row(name: str) -> str:
    meaning, writer = PROPERTIES[name], LatexWriter()
    head = sentence(Holds(meaning.name, meaning.fns, tuple(index(p) for p in meaning.params)), writer)
    body = unfold_property(meaning.body)
    parts = [sentence(part, writer) for _, part in body.parts] if isinstance(body, And) else [sentence(body, writer)]
    shown = f"{head} | {'; '.join(parts)}".replace(r"\allowbreak ", "")
    own = f"proofs.properties.{name.replace(' ', '_')}"
    return f"| {shown} | {_code(own)} | {_code(COMPUTED.get(name, ''))} |"


def _code(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", ")) if names else ""


# --- places ---------------------------------------------------------------------------------------------------------


def places(page: str) -> Iterator[str]:
    """Every place in the code that the page names."""
    yield from re.findall(r"`((?:numeric|proofs)\.[\w.]+(?:\(\w+\))?)`", page)


def resolve(place: str) -> Any:
    """What a place names. Raises AttributeError or ImportError where nothing is, KeyError for no such argument."""
    name, argument = re.fullmatch(r"([\w.]+)(?:\((\w+)\))?", place).groups()  # type: ignore[union-attr]
    package, *path = name.split(".")
    found: Any = import_module(package)
    for at, part in enumerate(path):
        fields = getattr(found, "__dataclass_fields__", {})
        if part in fields:
            return fields[part]
        if inspect.ismodule(found) and not hasattr(found, part):
            found = import_module(".".join([package, *path[: at + 1]]))
        else:
            found = getattr(found, part)
    return inspect.signature(found).parameters[argument] if argument else found


if __name__ == "__main__":
    write_atomically(PAGE, symbol_page().encode(), "docs")
