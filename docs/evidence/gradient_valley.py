"""What the valley of a gradient depends on: the table and the picture of docs/gradient-valley.md.

    python docs/evidence/gradient_valley.py            prints the table
    python docs/evidence/gradient_valley.py FILE.svg   also draws the picture

One network, changed in one respect at a time: 256 positions, 24 layers of 8 ALiBi heads with slopes 1/2 … 1/256, total
gain Σ s_h²/σ² = 0.2 a layer, m² = 1, κ = ½.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np

from numeric import Alibi, MomentLayer, draw_profiles, second_moment, shape
from numeric.published import paper_slopes
from numeric.refuse import InputError

POSITIONS, LAYERS = 256, 24
EIGHT = paper_slopes(8)
ROWS: dict[str, dict[str, Any]] = {
    "as it is": {},
    "κ = 0": {"kappa": 0.0}, "κ = ¾": {"kappa": 0.75}, "κ = 1, or no MLP": {"kappa": 1.0},
    "m² = ¼": {"m2": 0.25}, "m² = 4": {"m2": 4.0},
    "gain 0.05": {"gain": 0.05}, "gain 0.5": {"gain": 0.5}, "gain 1": {"gain": 1.0},
    "12 layers": {"layers": 12}, "48 layers": {"layers": 48},
    "1 head": {"slopes": paper_slopes(1)}, "2 heads": {"slopes": paper_slopes(2)},
    "16 heads": {"slopes": paper_slopes(16)},
    "all slopes 1/64": {"slopes": np.full(8, 1 / 64)},
    "one of 8 heads without slope": {"slopes": np.array([*EIGHT[:7], 0.0])},
    "4 of 8 heads without slope": {"slopes": np.array([*EIGHT[:4], *[0.0] * 4])},
    "no slopes": {"slopes": np.zeros(8)},
    "content −2 on every diagonal": {"content": -2.0}, "content 2": {"content": 2.0},
}  # fmt: skip
PICTURE = ("κ = 0", "as it is", "κ = 1, or no MLP")


def profile(
    *, slopes: Any = EIGHT, gain: float = 0.2, m2: float = 1.0, kappa: float = 0.5, layers: int = LAYERS,
    content: float = 0.0,
) -> Any:  # fmt: skip
    """q (256,) of the network so changed."""
    heads = [Alibi(float(slope), content) for slope in slopes]
    layer = MomentLayer(heads, gain / len(heads), mlp=m2**0.5, coherence=kappa)
    return second_moment([layer] * layers, n=POSITIONS).profile


def table() -> str:
    lines = ["| | first tenth | middle half | last tenth | valley at | mean position |", "|---|---|---|---|---|---|"]
    for name, changes in ROWS.items():
        q = profile(**changes)
        found = shape(q)
        middle = q[POSITIONS // 4 : 3 * POSITIONS // 4].sum()
        valley = "–" if found.valley.position is None else str(found.valley.position + 1)
        lines.append(
            f"| {name} | {found.first_tenth:.3f} | {middle:.3f} | {found.last_tenth:.3f} | {valley} "
            f"| {found.mean_position + 1:.0f} |"
        )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", nargs="?", metavar="FILE.svg")
    picture = parser.parse_args().picture
    if picture is not None:
        try:
            draw_profiles(picture, [profile(**ROWS[name]) for name in PICTURE], ("0", "1/2", "1"), legend="coherence")
        except InputError as error:
            sys.stderr.write(f"{error}\n")
            raise SystemExit(2) from None
    sys.stdout.write(table())


if __name__ == "__main__":
    main()
