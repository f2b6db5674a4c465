"""docs/differences-from-the-paper.md: each difference has an example that is run (tests/test_docs.py)."""

from __future__ import annotations

import re

from tests.markdown import REPOSITORY, blocks, examples

PAGE = REPOSITORY / "docs" / "differences-from-the-paper.md"


def test_every_difference_has_a_command_that_is_run() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines, 1) if line.startswith("### ")]
    run = [block.line for block in blocks(PAGE) if block.language == "console" and block.why_not_run is None]
    assert len(starts) > 10
    for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        assert any(start < line < end for line in run), lines[start - 1]


def test_one_value_means_what_two_say_and_not_what_the_first_head_alone_would() -> None:
    """The contrast of the page: its third file is what the paper's code makes of the first."""
    (block,) = (b for b in blocks(PAGE) if "first-head-only.yaml" in b.text)
    spikes = [
        re.findall(r"^spike +(\S+)", shown, re.M) for command, shown in examples(block.text) if "profile" in command
    ]
    assert spikes[0] == spikes[1] != spikes[2]


def test_tabs_are_still_tabs() -> None:
    assert "[0.5\t, 0.25\t]" in PAGE.read_text(encoding="utf-8")
