r"""The pictures of the forces in the document: shown where their files lie beside it, left out where they do not.

The document stays one file that compiles by itself; ``posbias export --figures`` writes the pictures beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

__all__ = ["PICTURES", "draw_pictures", "picture_section"]

PICTURES = {  # file: what it shows
    "posbias-mask.pdf": "One more layer moves every tail of the profile down (D1).",
    "posbias-residual.pdf": "Less mixing moves every tail up (D2).",
    "posbias-slope.pdf": "A steeper slope moves every tail up (D3).",
    "posbias-content.pdf": "More content on the diagonal moves every tail up (D4).",
    "posbias-paths.pdf": "Paths of the coupling, which share their draws, drift to the first token (S6).",
}


def picture_section() -> list[str]:
    """Each picture with its caption, if its file is there."""
    shown = [
        f"\\IfFileExists{{{file}}}{{\\begin{{figure}}[htbp]\\centering\\includegraphics[width=0.8\\linewidth]{{{file}}}"
        f"\\caption{{{caption}}}\\end{{figure}}}}{{}}"
        for file, caption in PICTURES.items()
    ]
    first = next(iter(PICTURES))
    return [f"\\IfFileExists{{{first}}}{{\\section{{Pictures}}}}{{}}", *shown]


def draw_pictures(folder: Path) -> list[Path]:
    """Draws every picture into the folder; returns the files.  Raises InputError if one cannot be written."""
    from numeric.picture import draw_force, draw_paths

    draw: list[Callable[[Path], None]] = [
        *(partial(draw_force, force=force, name="DIR") for force in ("mask", "residual", "slope", "content")),
        partial(draw_paths, name="DIR"),
    ]
    files = [folder / file for file in PICTURES]
    for file, drawn in zip(files, draw, strict=True):
        drawn(file)
    return files
