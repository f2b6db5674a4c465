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

# symbol, name, shape, range, places. Positions j and layers t count from 1; an array has them from 0.
ARRAYS = (
    ("n", "number of positions", "integer", "n ≥ 1", "numeric.profile(n)"),
    ("T", "number of layers", "integer", "T ≥ 0", "numeric.profile(kernels)"),
    ("H", "number of heads of a layer", "integer", "H ≥ 1", "numeric.Alibi(slopes)"),
    ("λ_t", "mixing coefficient: the share that attention adds", "number or (T,)", "0 ≤ λ_t ≤ 1, 1 ≤ t ≤ T",
     "numeric.profile(lam), numeric.Schedule"),
    ("A_ij", "attention kernel: the weight with which i reads j", "(n, n) or its row recursion", "1 ≤ j ≤ i ≤ n",
     "numeric.Kernel.matrix, numeric.Kernel.apply"),
    ("α_h", "weight of a head, sum 1", "(H,)", "1 ≤ h ≤ H", "numeric.HeadAverage(head_weights)"),
    ("m_h", "slope of an ALiBi head", "number or (H,)", "0 ≤ m ≤ 700, 1 ≤ h ≤ H", "numeric.Alibi(slopes)"),
    ("d_h", "content: added to the diagonal logit, e = exp(d)", "number or (H,)", "−400 ≤ d ≤ 400",
     "numeric.Alibi(content), numeric.Prefix(content)"),
    ("w_j", "weight of a prefix kernel", "(n,)", "w_j > 0, 1 ≤ j ≤ n", "numeric.Prefix(weights)"),
    ("b", "tokens that see each other (prefix-LM)", "integer", "1 ≤ b ≤ n", "numeric.PrefixLM(prefix)"),
    ("P_ij", "rollout: the product of the transitions", "(n, n)", "1 ≤ i, j ≤ n", "numeric.profile_dense"),
    ("p_j", "profile: the last row of the rollout", "(n,)", "p_j ≥ 0, sum 1, 1 ≤ j ≤ n", "numeric.profile"),
    ("F(k)", "tail p_k + … + p_n", "(n,)", "1 ≤ k ≤ n", "numeric.tails"),
    ("p ≼ q", "q is more recent: no tail of p exceeds q's", "true or false", "", "numeric.precedes"),
    ("η", "monotonicity defect, with its worst cell", "number, (i, k)", "η ≥ 0", "numeric.monotonicity_defect"),
    ("S", "effective depth, the sum of λ_t", "number", "0 ≤ S ≤ T", "numeric.effective_depth"),
    ("P(K = k)", "law of the number of layers that attend", "(T + 1,)", "0 ≤ k ≤ T", "numeric.hop_law"),
    ("a", "residual spike at the last token", "number", "0 ≤ a ≤ 1", "numeric.Decomposition.spike"),
    ("g_j", "envelope of a head", "(n,)", "1 ≤ j ≤ n", "numeric.decomposition.Head.envelope"),
    ("W1", "Wasserstein distance in positions", "number", "0 ≤ W1 ≤ n − 1", "numeric.wasserstein"),
    ("ε", "what every row gives away at least", "number", "0 < ε ≤ 1", "numeric.depth(epsilon)"),
    ("G_ij", "second moments of a gradient, to their scale", "(n,), the diagonal", "1 ≤ i, j ≤ n",
     "numeric.Moments.squares"),
    ("q_j", "profile of second moments, √G_jj over its sum", "(n,)", "1 ≤ j ≤ n", "numeric.Moments.profile"),
    ("s_h²", "gain of a head", "(H,) or (H, H)", "1 ≤ h ≤ H", "numeric.MomentLayer(gains)"),
    ("σ_j", "norm before attention", "number or (n,)", "σ ≥ 10⁻⁶", "numeric.MomentLayer(norm)"),
    ("m_j", "strength of an MLP", "number or (n,)", "0 ≤ m ≤ 10⁶", "numeric.MomentLayer(mlp)"),
    ("κ_ij", "coherence of an MLP's gates", "number or (n, n)", "−1 ≤ κ ≤ 1, κ_ii = 1",
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
    arrays = "\n".join(
        f"| {symbol} | {name} | {shape} | {rng} | {_code(at)} |" for symbol, name, shape, rng, at in ARRAYS
    )
    claims = "\n".join(_claim_row(row) for row in _rows())
    properties = "\n".join(_property_row(name) for name in PROPERTIES)
    return f"{_FRONT}{arrays}\n{_CLAIMS}{claims}\n{_PROPERTIES}{properties}\n"


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
