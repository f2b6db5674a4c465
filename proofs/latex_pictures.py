r"""The pictures of the forces in the document: shown where their files lie beside it, left out where they do not.

The document stays one file that compiles by itself; ``posbias export --figures`` writes the pictures beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

__all__ = ["PICTURES", "draw_pictures", "picture_section", "pictures_of"]


@dataclass(frozen=True)
class Picture:
    """What a picture shows, and the statement that it is of."""

    caption: str
    statement: str

    @property
    def label(self) -> str:
        """What a reference to the picture names."""
        return f"posbias:{self.statement}.figure"


PICTURES: Mapping[str, Picture] = {  # by file
    "posbias-mask.pdf": Picture("One more layer moves every tail of the profile down", "D1"),
    "posbias-residual.pdf": Picture("Less mixing moves every tail up", "D2"),
    "posbias-slope.pdf": Picture("A steeper slope moves every tail up", "D3"),
    "posbias-content.pdf": Picture("More content on the diagonal moves every tail up", "D4"),
    "posbias-paths.pdf": Picture("Paths of the coupling, which share their draws, drift to the first token", "S6"),
}


def pictures_of(statement_id: str) -> str:
    """The reference to the picture of a statement, if it has one and the file is there."""
    return "".join(
        f"\\IfFileExists{{{file}}}{{ An example is drawn in Figure~\\ref{{{picture.label}}}.}}{{}}"
        for file, picture in PICTURES.items()
        if picture.statement == statement_id
    )


def picture_section(present: Container[str]) -> list[str]:
    """Each picture with its caption, if its file is there; ``present``: the statements that can be pointed to."""
    shown = []
    for file, picture in PICTURES.items():
        name = picture.statement
        theorem = f"Theorem~\\ref{{posbias:{name}}}" if name in present else name
        caption = f"\\caption{{{picture.caption} ({theorem}).}}\\label{{{picture.label}}}"
        body = f"\\centering\\includegraphics[width=0.8\\linewidth]{{{file}}}{caption}"
        shown.append(f"\\IfFileExists{{{file}}}{{\\begin{{figure}}[htbp]{body}\\end{{figure}}}}{{}}")
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
