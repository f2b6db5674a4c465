"""Token sequences to measure: windows of a text, or random tokens, each of n positions.

A text is tokenised once, as a whole, without what a tokenizer puts around it, and cut from its beginning into blocks
that do not overlap; K of them are drawn with the seed and taken in the order of the text. So samples lie all over a
long text, none is measured twice, and the same text, seed, n and K give the same samples.

BOS stands at position 1 of every sample or nowhere. It stands there, once, where the tokenizer puts it before a text
(however often it does) or where it is asked for; n counts it. A BOS that the text itself spells out is dropped and
counted. Random tokens are drawn uniformly from the vocabulary without the special tokens.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numeric.nearest import nearest
from numeric.refuse import flag, integer, refusal, shown

if TYPE_CHECKING:
    from numeric.model.loading import Loaded

__all__ = ["BOS", "Samples", "random_samples", "read_text", "require_length", "samples_of", "text_samples"]

Ids = NDArray[np.int64]
BOS = ("tokenizer", "yes", "no")
LARGEST_TEXT = 1 << 26  # bytes: a tokenizer whose tokens are bytes took 255 times as much memory as it was given text
MOST_SAMPLES = 10_000_000
_SPECIAL = ("bos_token_id", "eos_token_id", "pad_token_id", "sep_token_id", "unk_token_id")
_PROBE = "a"  # any text: what comes before its tokens is what the tokenizer adds


@dataclass(frozen=True)
class Samples:
    """K sequences of n token ids. draw : s -> (n,), s from 0. bos : the id at position 1 of every sample, None where
    there is none. starts : (K,) of a text, which of its tokens is the first of a sample. facts : what they are, as JSON
    has it; with the hash of all ids, so that equal facts mean equal samples.
    """

    count: int
    length: int
    bos: int | None
    starts: Ids | None
    draw: Callable[[int], Ids]
    facts: dict[str, Any]

    def batch(self, first: int, end: int) -> Ids:
        """Samples first … end − 1, (end − first, n)."""
        return np.stack([self.draw(s) for s in range(first, end)])


def text_samples(
    loaded: Loaded, path: str | Path, *, length: int, count: int, seed: int = 0, bos: str = "tokenizer"
) -> Samples:
    """``count`` windows of ``length`` tokens of the text in a file, in UTF-8.

    bos : "tokenizer" puts BOS at position 1 where the model's tokenizer would, "yes" always, "no" never.
    Raises InputError for a model without a tokenizer, a file that is no text, a text that is too short (with the number
    of tokens there are), n beyond the model's positions, and tokens beyond its vocabulary.
    """
    n, size, tokenizer = _sizes(loaded, length, count)
    if tokenizer is None:
        raise flag("--text", "be used with a model that has a tokenizer", "one without (--random-tokens needs none)")
    content = read_text(path)
    first, added = _bos(loaded, bos)
    found = np.asarray(tokenizer(content, add_special_tokens=False, verbose=False)["input_ids"], dtype=np.int64)
    ids = found if loaded_bos(loaded) is None else found[found != loaded_bos(loaded)]
    own = n - (first is not None)
    blocks = len(ids) // own
    if blocks < size:
        raise flag(
            "--text", f"have at least {size * own} tokens, for {size} samples of {own}", f"{len(ids)}", shown(str(path))
        )
    _require_vocabulary(loaded, ids)
    chosen = np.sort(np.random.default_rng(seed).permutation(blocks)[:size])
    starts = own * chosen.astype(np.int64)

    def draw(s: int) -> Ids:
        window = ids[starts[s] : starts[s] + own]
        return window if first is None else np.concatenate([[first], window])

    facts = {
        "kind": "text",
        "text_sha256": hashlib.sha256(content.encode()).hexdigest(),
        "tokens": len(ids),
        "blocks": blocks,
        "choice": f"{size} of the {blocks} blocks of {own} tokens that do not overlap, drawn with the seed",
        "bos": {"id": first, "added_by_tokenizer": added, "dropped_from_text": len(found) - len(ids)},
    }
    return _hashed(Samples(size, n, first, starts, draw, facts))


def random_samples(loaded: Loaded, *, length: int, count: int, seed: int = 0, bos: str = "tokenizer") -> Samples:
    """``count`` sequences of ``length`` independent tokens, uniform over the vocabulary but for the special ones.

    bos : "yes" puts BOS at position 1; else there is none. Sample s depends on the seed and on s alone.
    """
    n, size, _ = _sizes(loaded, length, count)
    first = _bos(loaded, "no" if bos == "tokenizer" else bos)[0]
    special = _special(loaded)
    allowed = np.setdiff1d(np.arange(_vocabulary(loaded), dtype=np.int64), special)
    if allowed.size == 0:
        raise flag("MODEL", "have tokens that are not special", f"{len(special)} special ones only")

    def draw(s: int) -> Ids:
        window = allowed[np.random.default_rng([seed, s]).integers(allowed.size, size=n)]
        if first is not None:
            window[0] = first
        return window

    facts = {
        "kind": "random tokens",
        "vocabulary": int(allowed.size),
        "bos": {"id": first, "added_by_tokenizer": None, "dropped_from_text": 0},
    }
    return _hashed(Samples(size, n, first, None, draw, facts))


def samples_of(
    loaded: Loaded, text: str | Path | None, *, length: int, count: int, seed: int = 0, bos: str = "tokenizer"
) -> Samples:
    """`text_samples` of the text, or `random_samples` where it is None."""
    if text is None:
        return random_samples(loaded, length=length, count=count, seed=seed, bos=bos)
    return text_samples(loaded, text, length=length, count=count, seed=seed, bos=bos)


def read_text(path: str | Path, name: str = "--text") -> str:
    """A text file in UTF-8, with or without a byte order mark; line ends become ``\\n``.

    Raises InputError for what cannot be read, is empty or longer than 64 MiB, and for a byte that is no UTF-8 or is 0,
    with its place.
    """
    place = shown(str(path))
    try:
        file = Path(path)
        if not file.is_file():
            raise flag(name, "be an existing file", "a folder" if file.is_dir() else "this", place)
        with file.open("rb") as stream:
            data = stream.read(LARGEST_TEXT + 1)
    except OSError as error:
        raise flag(name, "be a file that can be read", f"closed to us ({error.strerror})", place) from None
    except ValueError as error:  # a null byte in the path; our own refusals pass
        raise (error if type(error) is not ValueError else flag(name, "be a path", place)) from None
    if len(data) > LARGEST_TEXT:
        raise flag(name, "be a file of at most 64 MiB", "a longer one", place)
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise flag(name, "be text in UTF-8", "this", f"{place}, byte {error.start + 1}") from None
    if b"\0" in data:
        raise flag(name, "be text in UTF-8", "with a null in it", f"{place}, byte {data.index(0) + 1}")
    if not text.strip():
        raise flag(name, "have content", "an empty file", place)
    return text.replace("\r\n", "\n").replace("\r", "\n")


# --- what a model allows --------------------------------------------------------------------------------------------


def require_length(loaded: Loaded, length: int) -> int:
    """``length``, if the model has positions for it: at least 2, since one position has no profile."""
    n = integer(length, "--length", 2)
    if loaded.limit is not None and n > loaded.limit:
        raise refusal("--length", f"be at most {loaded.limit}, the positions of the model", n)
    return n


def loaded_bos(loaded: Loaded) -> int | None:
    """The id of BOS: the tokenizer's, else the configuration's; None where there is none."""
    found = getattr(loaded.tokenizer, "bos_token_id", None)
    if found is None:
        found = getattr(loaded.config, "bos_token_id", None)
    return found if isinstance(found, int) and 0 <= found < _vocabulary(loaded) else None


def _sizes(loaded: Loaded, length: int, count: int) -> tuple[int, int, Any]:
    size = integer(count, "--samples", 1)
    if size > MOST_SAMPLES:
        raise refusal("--samples", f"be at most {MOST_SAMPLES}", size)
    return require_length(loaded, length), size, loaded.tokenizer


def _bos(loaded: Loaded, wanted: str) -> tuple[int | None, int | None]:
    """The id to put at position 1, None for none; and how often the tokenizer would put it there."""
    if wanted not in BOS:
        raise refusal("--bos", f"be one of {', '.join(BOS)}", wanted, nearest(wanted, BOS))
    bos, added = loaded_bos(loaded), None
    if loaded.tokenizer is not None:
        probe, plain = (loaded.tokenizer(_PROBE, add_special_tokens=x)["input_ids"] for x in (True, False))
        before = probe[: len(probe) - len(plain)] if plain else probe
        added = 0
        while added < len(before) and before[added] == bos:
            added += 1
    if wanted == "no" or (wanted == "tokenizer" and not added):
        return None, added
    if bos is None:
        raise flag("--bos", "be left out for a model without a BOS token", shown(wanted))
    return bos, added


def _vocabulary(loaded: Loaded) -> int:
    """Token ids that exist; an embedding may have more rows than that."""
    rows = int(loaded.embedding.weight.shape[0])
    size = getattr(loaded.config, "vocab_size", None)
    return min(size, rows) if isinstance(size, int) else rows


def _require_vocabulary(loaded: Loaded, ids: Ids) -> None:
    if ids.size and int(ids.max()) >= _vocabulary(loaded):
        requirement = f"have a tokenizer of its {_vocabulary(loaded)} tokens"
        raise flag("MODEL", requirement, f"one that gives token {int(ids.max())}")


def _special(loaded: Loaded) -> Ids:
    named = [getattr(loaded.config, key, None) for key in _SPECIAL]
    named += [getattr(loaded.tokenizer, "all_special_ids", None) or []]
    flat = [i for one in named for i in (one if isinstance(one, (list, tuple)) else [one])]
    return np.unique(np.array([i for i in flat if isinstance(i, int)], dtype=np.int64))


def _hashed(samples: Samples) -> Samples:
    """The same with the hash of all ids among the facts."""
    whole = hashlib.sha256()
    for s in range(samples.count):
        whole.update(samples.draw(s).astype("<i8").tobytes())
    samples.facts["ids_sha256"] = whole.hexdigest()
    return samples
