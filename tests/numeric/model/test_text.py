"""Samples of a text and of random tokens: which tokens, BOS exactly once or never, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from numeric.model import load
from numeric.model.text import Samples, random_samples, read_text, text_samples
from numeric.refuse import InputError
from tests.numeric.model.tiny import write_config
from tests.numeric.model.words import BOS, VOCABULARY, write_tokenizer

if TYPE_CHECKING:
    from numeric.model import Loaded

PLAIN = "the quick brown fox\njumps över the lazy dog\n"  # ö is two bytes, so two tokens: 44 in all
TOKENS = 45


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Loaded]:
    """(bos=…, **changes of the configuration) -> a tiny model with a tokenizer that puts BOS so often."""

    @cache
    def made(*, bos: int = 0, has_bos: bool = True, **changes: Any) -> Loaded:
        folder = write_config(tmp_path_factory.mktemp("spoken"), "llama", **{"vocab_size": VOCABULARY, **changes})
        return load(write_tokenizer(folder, bos=bos, has_bos=has_bos), random_init=True)

    return made


def file(tmp_path: Path, content: bytes) -> str:
    path = tmp_path / "text.txt"
    path.write_bytes(content)
    return str(path)


def every(samples: Samples) -> np.ndarray[Any, Any]:
    return samples.batch(0, samples.count)


def spelled(loaded: Loaded, ids: Any) -> str:
    return str(loaded.tokenizer.decode(list(ids), skip_special_tokens=False))


@pytest.mark.parametrize(
    "content",
    [PLAIN.encode(), b"\xef\xbb\xbf" + PLAIN.encode(), PLAIN.replace("\n", "\r\n").encode(),
     PLAIN.replace("\n", "\r").encode()],
    ids=["plain", "byte order mark", "CRLF", "CR"],
)  # fmt: skip
def test_text_is_the_same_however_it_is_stored(tmp_path: Path, spoken: Callable[..., Loaded], content: bytes) -> None:
    loaded = spoken()
    samples = text_samples(loaded, file(tmp_path, content), length=5, count=9)
    assert "".join(spelled(loaded, ids) for ids in every(samples)) == PLAIN
    assert samples.facts["tokens"] == TOKENS


def test_no_final_newline_is_no_newline(tmp_path: Path) -> None:
    assert read_text(file(tmp_path, b"a\nb")) == "a\nb"


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "empty"), (b" \n\t", "empty"), (b"ab\0c", "byte 3"), (b"abc\xff\xfed", "byte 4"), (b"ab\xc3", "byte 3"),
     ("text".encode("utf-16"), "byte 1")],
)  # fmt: skip
def test_what_is_no_text_is_refused_with_the_place(tmp_path: Path, content: bytes, says: str) -> None:
    with pytest.raises(InputError, match=rf"^Argument '--text' must .*{says}"):
        read_text(file(tmp_path, content))


@pytest.mark.parametrize(("path", "says"), [("nowhere", "existing"), (".", "a folder"), ("a\0b", "existing|a path")])
def test_what_is_no_file_is_refused(path: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_text(path)


def test_windows_do_not_overlap_and_are_those_of_the_seed(tmp_path: Path, spoken: Callable[..., Loaded]) -> None:
    """Of 101 blocks of 7 tokens 13 are drawn: all different, in the order of the text, others for another seed."""
    text = bytes(np.random.default_rng(0).integers(32, 127, size=101 * 7 + 6).astype(np.uint8))
    path = file(tmp_path, text)
    first, again, other = (text_samples(spoken(), path, length=7, count=13, seed=seed) for seed in (3, 3, 4))
    assert first.starts is not None and again.starts is not None and other.starts is not None
    assert (np.diff(first.starts) >= 7).all()
    assert (first.starts % 7 == 0).all()
    assert first.starts.tolist() == again.starts.tolist() != other.starts.tolist()
    assert first.facts == again.facts
    assert first.facts["ids_sha256"] != other.facts["ids_sha256"]
    for start, ids in zip(first.starts, every(first), strict=True):
        assert spelled(spoken(), ids) == text[start : start + 7].decode()


# --- BOS ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("added", "wanted", "stands"),
    [(0, "tokenizer", False), (1, "tokenizer", True), (2, "tokenizer", True), (0, "yes", True), (2, "yes", True),
     (1, "no", False), (2, "no", False)],
)  # fmt: skip
def test_bos_stands_once_or_never(
    tmp_path: Path, spoken: Callable[..., Loaded], added: int, wanted: str, stands: bool
) -> None:
    """Also where the text spells it: once at its beginning, once within."""
    path = file(tmp_path, b"<s>0123<s>456789abcdef")
    samples = text_samples(spoken(bos=added), path, length=5, count=3, bos=wanted)
    ids = every(samples)
    assert ids.shape == (3, 5)
    assert (ids == BOS).sum(axis=1).tolist() == [int(stands)] * 3
    assert ((ids[:, 0] == BOS) == stands).all()
    assert samples.bos == (BOS if stands else None)
    assert samples.facts["bos"] == {"id": samples.bos, "added_by_tokenizer": added, "dropped_from_text": 2}
    first = spelled(spoken(bos=added), ids[0][int(stands) :])
    assert first in "0123456789abcdef"


def test_bos_is_counted_in_the_length(tmp_path: Path, spoken: Callable[..., Loaded]) -> None:
    """45 tokens are 11 windows of 4 beside BOS, and 9 of 5 without it."""
    path = file(tmp_path, PLAIN.encode())
    assert text_samples(spoken(bos=1), path, length=5, count=11).facts["blocks"] == 11
    assert text_samples(spoken(bos=1), path, length=5, count=9, bos="no").facts["blocks"] == 9


def test_a_model_without_bos_is_not_given_one(tmp_path: Path, spoken: Callable[..., Loaded]) -> None:
    loaded = spoken(has_bos=False, bos_token_id=None)
    path = file(tmp_path, PLAIN.encode())
    assert text_samples(loaded, path, length=5, count=2).bos is None
    with pytest.raises(InputError, match="'--bos' must be left out for a model without a BOS"):
        text_samples(loaded, path, length=5, count=2, bos="yes")


# --- random tokens --------------------------------------------------------------------------------------------------


def test_random_tokens_need_no_tokenizer_and_avoid_special_tokens(tiny: Callable[..., Loaded]) -> None:
    """Of 61 tokens 0, 1 and 2 are special; 60 · 29 draws miss one of the others with probability 58 (57/58)^1740."""
    samples = random_samples(tiny("llama"), length=29, count=60, seed=5)
    assert sorted(set(every(samples).flat)) == list(range(3, 61))
    assert samples.bos is None


def test_a_random_sample_depends_on_seed_and_number_alone(tiny: Callable[..., Loaded]) -> None:
    few, many, other = (
        random_samples(tiny("llama"), length=11, count=count, seed=seed) for count, seed in ((3, 1), (7, 1), (3, 2))
    )
    assert np.array_equal(every(few), many.batch(0, 3))
    assert not np.array_equal(every(few), every(other))
    assert len({tuple(ids) for ids in every(many)}) == 7


def test_random_tokens_after_bos(tiny: Callable[..., Loaded]) -> None:
    ids = every(random_samples(tiny("llama"), length=11, count=5, bos="yes"))
    assert ((ids == BOS) == (np.arange(11) == 0)).all()


# --- refusals -------------------------------------------------------------------------------------------------------


def test_too_short_a_text_is_refused_with_the_tokens_there_are(tmp_path: Path, spoken: Callable[..., Loaded]) -> None:
    path = file(tmp_path, PLAIN.encode())
    assert text_samples(spoken(), path, length=15, count=3).count == 3
    with pytest.raises(InputError, match=r"have at least 48 tokens, for 3 samples of 16, not 45 \("):
        text_samples(spoken(), path, length=16, count=3)


def test_a_length_beyond_the_model_is_refused(tiny: Callable[..., Loaded]) -> None:
    assert random_samples(tiny("gpt2"), length=128, count=1).length == 128
    for kind in ("gpt2", "llama", "mpt", "opt"):
        with pytest.raises(InputError, match="at most 128, the positions of the model"):
            random_samples(tiny(kind), length=129, count=1)
    assert random_samples(tiny("bloom"), length=200, count=1).length == 200  # ALiBi of any length


def test_a_model_without_a_tokenizer_has_no_text(tmp_path: Path, tiny: Callable[..., Loaded]) -> None:
    with pytest.raises(InputError, match="--random-tokens"):
        text_samples(tiny("llama"), file(tmp_path, b"abc"), length=2, count=1)


def test_a_tokenizer_of_another_model_is_refused(tmp_path: Path, spoken: Callable[..., Loaded]) -> None:
    with pytest.raises(InputError, match="have a tokenizer of its 50 tokens"):
        text_samples(spoken(vocab_size=50), file(tmp_path, b"abc"), length=2, count=1)


@pytest.mark.parametrize(("name", "value"), [("length", 1), ("length", 0), ("count", 0), ("bos", "maybe")])
def test_bad_values_are_refused(tiny: Callable[..., Loaded], name: str, value: Any) -> None:
    given: dict[str, Any] = {"length": 5, "count": 2, "bos": "tokenizer"} | {name: value}
    with pytest.raises(InputError):
        random_samples(tiny("llama"), **given)
