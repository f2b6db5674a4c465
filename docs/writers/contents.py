"""The order of the pages: what the front page lists, as far as it is there. A page that is not listed is an error."""

from __future__ import annotations

from pathlib import Path

__all__ = ["CONTENTS", "toctrees"]

CONTENTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Read first", ("why-models-lose-the-middle", "forces", "filling-the-valley", "infinite-depth")),
    (
        "Tutorials",
        ("tutorial-architecture", "tutorial-kernels", "tutorial-model", "tutorial-proof", "write-a-statement"),
    ),
    (
        "Statements",
        ("_generated/statements", "checking-statements", "how-a-claim-is-proved", "closed-forms", "exporting",
         "symbols"),
    ),
    ("Profiles", ("profiles", "phase-diagram", "kernels", "reproducing", "python")),
    (
        "Real models",
        ("auditing-a-model", "measuring-a-model", "predicting-a-model", "describing-a-model", "second-moments",
         "gradient-valley", "comparing-theories", "where-each-theory-fits", "report"),
    ),
    (
        "Reference",
        ("command-line", "_generated/commands", "_generated/reference", "what-was-measured",
         "differences-from-the-paper", "benchmarks", "how-it-is-built", "_generated/changes"),
    ),
)  # fmt: skip


def toctrees(folder: Path) -> str:
    """One toctree for each group, of the pages that there are."""
    shown = []
    for caption, names in CONTENTS:
        present = [name for name in names if any((folder / f"{name}{suffix}").is_file() for suffix in (".md", ".rst"))]
        if present:
            shown.append("\n".join(["```{toctree}", f":caption: {caption}", ":maxdepth: 1", "", *present, "```"]))
    return "\n\n".join(shown)
