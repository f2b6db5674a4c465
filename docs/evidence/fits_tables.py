"""The tables of docs/where-each-theory-fits.md, from fits.json alone.

    python docs/evidence/fits_tables.py docs/evidence/fits.json              prints them
    python docs/evidence/fits_tables.py docs/evidence/fits.json PAGE.md      puts each after its <!-- table: NAME -->

Tenths are shares of tenths of the positions after the first, 1 where all tokens have the same.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from fits import runs

Told = dict[str, Any]
KEPT = (
    "attention only", "half", "residual, paper slopes", "residual, architectural",
    "residual, architectural, by position", "residual, content", "residual", "residual, by position",
    "residual, value-weighted", "residual, mean kernel", "second moments",
)  # fmt: skip
HERE = Path(__file__).parent
SUMMED = "second moments"  # no rollout: paths add in quadrature


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", type=Path, metavar="JSON")
    parser.add_argument("page", type=Path, nargs="?", metavar="PAGE.md")
    wanted = parser.parse_args()
    found = tables(json.loads(wanted.json.read_text(encoding="utf-8")))
    if wanted.page is None:
        sys.stdout.write("\n".join(f"{name}\n\n{one}" for name, one in found.items()))
    else:
        wanted.page.write_text(placed(wanted.page.read_text(encoding="utf-8"), found), encoding="utf-8")


def placed(page: str, found: dict[str, str]) -> str:
    """The page with the table after each mark, in place of the one that is there."""
    for name, one in found.items():
        mark = f"<!-- table: {name} -->\n"
        new = (mark + one).replace("\\", r"\\")  # a replacement reads backslashes
        page = re.sub(re.escape(mark) + r"(\|.*\n)*", new, page)
    return page


def tables(told: Told) -> dict[str, str]:
    """Every table of the page, by what it is of."""
    by_model = {run.model: told["runs"].get(run.name) for run in runs() if run.group != "robust"}
    return {
        "nearest": nearest_table(by_model),
        "untrained": distances({model: by_model[model] for model in by_model if model.startswith("untrained")}),
        "trained": distances({run.model: by_model[run.model] for run in runs() if run.group == "trained"}),
        "ends": ends_table(by_model),
        "loss": loss_table(told["training"]),
        "sink": sink_table(by_model.get("smollm2")),
        "robust": robust_table(told["runs"]),
    }


NAMES = {
    "untrained/bloom": "BLOOM, 24 layers, untrained", "untrained/mpt": "MPT, 24 layers, untrained",
    "untrained/falcon": "Falcon, 24 layers, untrained", "smollm2": "SmolLM2-135M",
    "bloom/before": "small BLOOM, untrained", "bloom/after": "small BLOOM, trained",
    "mpt/before": "small MPT, untrained", "mpt/after": "small MPT, trained",
    "gpt2/before": "small GPT-2, untrained", "gpt2/after": "small GPT-2, trained",
    "llama/before": "small Llama, untrained", "llama/after": "small Llama, trained",
}  # fmt: skip
POSITIONS = {"gpt2": "learned", "llama": "RoPE", "smollm2": "RoPE"}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = list(head)
    lines = [cells, ["---"] * len(cells), *rows]
    return "".join("| " + " | ".join(row) + " |\n" for row in lines)


def near(gap: list[float | None] | None, interval: bool = True) -> str:
    if gap is None:
        return "–"
    return f"{gap[0]:.3f}" + ("" if gap[1] is None or not interval else f" ({gap[1]:.3f}–{gap[2]:.3f})")


def best_rollout(gaps: dict[str, Any]) -> str:
    """The nearest of those that add up paths with one sign."""
    return min((name for name in gaps if name != SUMMED), key=lambda name: gaps[name][0])


def apart(one: Told) -> str:
    """Whether the nearest is told apart from the next."""
    return {True: "yes", False: f"no, from {one['runner_up']}", None: "–"}[one["separated"]]


def nearest_table(by_model: dict[str, Told | None]) -> str:
    """Per model: positions, sink, nearest of all and nearest rollout."""
    rows = []
    for model, one in by_model.items():
        if one is None:
            continue
        kind = model.partition("/")[0]
        rollout = best_rollout(one["gaps"])
        rows.append([
            NAMES[model], POSITIONS.get(kind, "ALiBi"), f"{one['attention_first']:.2f}", f"{one['first']:.3f}",
            f"{one['nearest']}, {near(one['gaps'][one['nearest']], False)}", apart(one),
            f"{rollout}, {near(one['gaps'][rollout], False)}",
        ])  # fmt: skip
    head = ["", "positions", "attention on token 1", "influence of token 1", "nearest", "told apart", "nearest rollout"]
    return table(head, rows)


def distances(chosen: dict[str, Told | None]) -> str:
    there = {model: one for model, one in chosen.items() if one is not None}
    rows = [
        [name, *(near(one["gaps"].get(name)) for one in there.values())]
        for name in KEPT
        if any(name in one["gaps"] for one in there.values())
    ]
    rows += [[f"{name.replace('-', '−')}, paired", *(over(one["order"][name]) for one in there.values())]
             for name in ("half - residual", "attention only - half")]  # fmt: skip
    return table(["", *(NAMES[model] for model in there)], rows)


def ends_table(by_model: dict[str, Told | None]) -> str:
    rows = []
    for model, one in by_model.items():
        if one is not None:
            rest = one["tenths_without_first"]
            rows.append([
                NAMES[model], f"{rest['shares'][0]:.2f}", f"{min(rest['shares']):.2f} ({rest['lowest']}.)",
                f"{rest['shares'][-1]:.2f}", over(rest["first"]), over(rest["last"]), u_of(rest),
            ])  # fmt: skip
    head = ["", "first tenth", "lowest", "last tenth", "first − lowest", "last − lowest", "a U"]
    return table(head, rows)


def over(values: list[float | None]) -> str:
    return near([None if x is None else x + 0.0 for x in values]).replace("-", "−")


def u_of(found: Told) -> str:
    """yes: both ends are above the lowest tenth beyond their intervals. no: the lowest is an end."""
    if found["lowest"] in (1, len(found["shares"])):
        return "no"
    lows = [found[end][1] for end in ("first", "last")]
    return "yes" if all(low is not None and low > 0 for low in lows) else "undecided"


def loss_table(found: Told) -> str:
    rows = [
        [
            NAMES[f"{kind}/after"], f"{one['steps']}", f"{one['tokens_seen']:,}",
            *(f"{one['loss'][name][when]:.2f}" for name in ("trained", "held out") for when in ("before", "after")),
        ]
        for kind, one in found.items()
    ]  # fmt: skip
    head = ["", "steps", "tokens seen", "before", "after", "held out, before", "held out, after"]
    return table(head, rows)


def sink_table(one: Told | None) -> str:
    if one is None:
        return ""
    rest = one["without_first"]["gaps"]
    rows = [[name, near(one["gaps"].get(name)), f"{one['gaps'][name][3]:.2f}", near(rest.get(name))]
            for name in KEPT if name in one["gaps"]]  # fmt: skip
    return table(["", "all tokens", "Spearman", "without token 1"], rows)


SHOWN = ("attention only", "half", "residual", "residual, value-weighted", SUMMED)
EARLIER = {  # of second_moments.py: file and name in it
    "BLOOM, 24 layers, untrained": [
        ("untrained", "bloom 0.02"), ("untrained-seed1", "bloom 0.02"), ("untrained-n64", "bloom 0.02"),
    ],
    "BLOOM, the same, weights four times as large": [
        ("untrained", "bloom 0.08"), ("untrained-seed1", "bloom 0.08"), ("untrained-n64", "bloom 0.08"),
        ("bloom-0.08-n1024", "bloom 0.08"),
    ],
    "SmolLM2-135M": [
        (f"smollm2-135m{end}", "SmolLM2-135M-Instruct (Q4_1)") for end in ("", "-seed1", "-n64", "-n512", "-n1024")
    ],
}  # fmt: skip


def robust_table(found: Told) -> str:
    """The runs of the models that are varied, and what second_moments.py has of others."""
    rows = []
    for model in ("bloom/after", "smollm2", "untrained/bloom"):
        rows += [robust_row(found[run.name]) for run in runs() if run.model == model and run.name in found]
    for name, places in EARLIER.items():
        for file, key in places:
            one = json.loads((HERE / f"{file}.json").read_text(encoding="utf-8"))[key]
            rows += [
                earlier_row(name, one, target) for target in (("logprob", "logit")[: 2 if file == places[0][0] else 1])
            ]
    return table(["", "text", "n", "samples", "seed", "target", *SHOWN, "nearest of all", "told apart"], rows)


def robust_row(one: Told) -> list[str]:
    cells = [NAMES[one["model"]], *(str(one[key]) for key in ("text", "n", "samples", "seed", "target"))]
    cells += [near(one["gaps"].get(name), False) for name in SHOWN]
    return [*cells, one["nearest"], apart(one)]


def earlier_row(name: str, one: Told, target: str) -> list[str]:
    gaps = {variant: gap["wasserstein"] for variant, gap in one["gaps"][target].items() if variant in KEPT}
    text = "random" if one["input"] == "random tokens" else "a text"
    cells = [name, text, *(str(one[key]) for key in ("n", "samples", "seed")), target]
    return [*cells, *(f"{gaps[variant]:.3f}" for variant in SHOWN), min(gaps, key=lambda v: gaps[v]), "–"]


if __name__ == "__main__":
    main()
