"""The treatment of code blocks refuses what is wrong: without this the pages might pass whatever they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.markdown import blocks, check_page

RIGHT = {
    "console": "$ posbias depth --lam 1/2 --epsilon 1/2 -n 8\nlambda         1/2\n...\n",
    "python": ">>> from fractions import Fraction\n>>> Fraction(1, 2) + Fraction(1, 3)\nFraction(5, 6)\n",
    "sh": "python -m pip install '.[test]' && posbias verify D1 --quick  # the main job\n",
    "json": '{"n": 5}\n',
    "yaml": "n: 5\n",
    "toml": "n = 5\n",
    "csv": "a,b\n1,2\n",
    "latex": "\\begin{align*} \\{ x_{1} \\end{align*} % {\n",
    "text": "position  share\n",
    "": "p_j = w_j\n",
}
WRONG = [
    ("console", "$ posbias depth --lam 1/2 --epsilon 1/2 -n 8\nlambda         1/3\n...\n", "wrote\nlambda         1/2"),
    ("console", "$ rm -r docs\n", "cannot run 'rm'"),
    ("console", "lambda\n", "begins with"),
    ("python", ">>> 1 + 1\n3\n", "Expected:\n    3"),
    ("python", "raise ValueError(7)\n", "raises ValueError: 7"),
    ("sh", "posbias verfy\n", "no command 'posbias verfy'"),
    ("sh", "posbias verify --quik\n", "has no option --quik"),
    ("sh", "python -m pip install '.[tset]'\n", "no extra 'tset'"),
    ("sh", "python docs/figure.py\n", "no file docs/figure.py"),
    ("sh", "python -m proofs.rechek FILE\n", "no module proofs.rechek"),
    ("sh", "frobnicate\n", "nothing is known"),
    ("json", "{n: 5}\n", "no json"),
    ("yaml", "n: [5\n", "no yaml"),
    ("toml", "n: 5\n", "no toml"),
    ("csv", "a,b\n1\n", "row 2 has 1 cells"),
    ("latex", "x_{1\n", "braces"),
    ("latex", "\\begin{align}\n\\end{split}\n", "ends nothing"),
    ("latex", "\\begin{align}\n", "does not end"),
    ("text", "$ posbias verify\n", "a command in a block that nothing runs"),
    ("", "posbias verify\n", "a command in a block that nothing runs"),
    ("bash", "posbias verify\n", "take one of console"),
]


def page(folder: Path, language: str, text: str) -> Path:
    path = folder / "page.md"
    path.write_text(f"# Page\n\nAbove.\n\n```{language}\n{text}```\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("language", RIGHT)
def test_right_blocks_pass(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_page(page(tmp_path, language, RIGHT[language]), tmp_path, capsys)


@pytest.mark.parametrize(("language", "text", "told"), WRONG)
def test_wrong_blocks_fail(
    language: str, text: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(AssertionError) as failure:
        check_page(page(tmp_path, language, text), tmp_path, capsys)
    assert told in str(failure.value)
    assert "page.md:6: " in str(failure.value)


def test_blocks_of_a_page_share_files_and_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.md"
    path.write_text(
        "```console\n$ cat data/a.csv\n1, 0\n```\n```python\n"
        "from pathlib import Path\ntext = Path('data/a.csv').read_text()\n```\n"
        "- within a list\n\n  ```python\n  >>> text\n  '1, 0\\n'\n  ```\n\n```{math}\nx\n```\n\n    indented\n",
        encoding="utf-8",
    )
    check_page(path, tmp_path, capsys)
    assert [block.language for block in blocks(path)] == ["console", "python", "python", ""]
    assert next(blocks(path)).line == 2
