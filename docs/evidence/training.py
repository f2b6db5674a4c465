"""A small causal model before and after a few minutes of training on text that comes with Python, on one core.

    python docs/evidence/training.py bloom --out FOLDER        or gpt2 (learned positions), llama (RoPE), mpt, falcon

Six layers of 8 heads, width 128, over 1024 byte-pair tokens; Python's language reference and standard library, every
seventh piece of which is held out. FOLDER gets the models ``before`` and ``after``, each with its tokenizer, the texts
held out, and ``training.json``: the loss in nats a token, before and after, on what was trained on and on what was
not. One thread, one seed: a second run on the same machine gives the same weights. Needs the extra ``models``.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import sys
import time
from pathlib import Path
from typing import Any

import texts

LAYERS, HEADS, WIDTH, VOCABULARY, POSITIONS = 6, 8, 128, 1024, 256
TRAINED_ON = ("reference", "sources")
BATCH, RATE, DECAY, WARM = 8, 1e-3, 0.1, 40
JUDGED = 32  # blocks that a loss is the mean of
_ENDS = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": None}
KINDS: dict[str, Any] = {
    "bloom": lambda n, h, w: {"n_layer": n, "n_head": h, "hidden_size": w},
    "mpt": lambda n, h, w: {"n_layers": n, "n_heads": h, "d_model": w, "max_seq_len": 2048},
    "falcon": lambda n, h, w: {
        "num_hidden_layers": n, "num_attention_heads": h, "hidden_size": w, "alibi": True, "multi_query": False,
        "new_decoder_architecture": False, "parallel_attn": False, "bias": True,
    },
    "gpt2": lambda n, h, w: {
        "n_layer": n, "n_head": h, "n_embd": w, "n_positions": POSITIONS,
        "attn_pdrop": 0.0, "embd_pdrop": 0.0, "resid_pdrop": 0.0,
    },
    "llama": lambda n, h, w: {
        "num_hidden_layers": n, "num_attention_heads": h, "num_key_value_heads": h, "hidden_size": w,
        "intermediate_size": 8 * w // 3, "max_position_embeddings": 2048,
    },
}  # fmt: skip


def main() -> None:
    from numeric.refuse import InputError

    try:
        train(options())
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--width", type=int, default=WIDTH)
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of the blocks that are trained on")
    return parser.parse_args()


def train(wanted: argparse.Namespace) -> None:
    """Writes the folder; the loss of every fiftieth step goes to stderr."""
    from numeric.refuse import flag, integer

    for name, least in (("steps", 1), ("seed", 0), ("layers", 1), ("width", HEADS), ("positions", 2)):
        integer(getattr(wanted, name), f"--{name}", least)
    if wanted.out.exists() and (not wanted.out.is_dir() or any(wanted.out.iterdir())):
        raise flag("--out", "be a folder that is new or empty", "another")
    import torch
    from transformers.utils import logging

    torch.set_num_threads(1)
    logging.disable_progress_bar()
    learnt = {kind: texts.learnt(kind) for kind in TRAINED_ON}
    kept = {kind: texts.held_out(kind) for kind in TRAINED_ON}
    words = tokenizer_of("\n\n".join(learnt.values()))
    model = model_of(wanted)
    data = {name: blocks(words, found, wanted.positions) for name, found in (("trained", learnt), ("held out", kept))}
    save(model, words, wanted.out / "before")
    losses = {name: {"before": loss_of(model, ids)} for name, ids in data.items()}
    begun = time.monotonic()
    run(model, data["trained"], wanted)
    seconds = time.monotonic() - begun
    for name, ids in data.items():
        losses[name]["after"] = loss_of(model, ids)
    save(model, words, wanted.out / "after")
    for kind, text in kept.items():
        (wanted.out / f"{kind}.txt").write_text(text, encoding="utf-8")
    facts = facts_of(wanted, data, losses, seconds)
    (wanted.out / "training.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(json.dumps(facts["loss"]) + "\n")


def tokenizer_of(text: str) -> Any:
    """Byte pairs learnt from the text: every text has tokens, none unknown; BOS nowhere."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    found = Tokenizer(models.BPE())
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    found.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, initial_alphabet=alphabet, show_progress=False)
    found.train_from_iterator(text.splitlines(keepends=True), trainer)
    return PreTrainedTokenizerFast(tokenizer_object=found)


def model_of(wanted: argparse.Namespace) -> Any:
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    shape = KINDS[wanted.kind](wanted.layers, HEADS, wanted.width)
    config = AutoConfig.for_model(wanted.kind, vocab_size=VOCABULARY, **_ENDS, **shape)
    torch.manual_seed(wanted.seed)
    return AutoModelForCausalLM.from_config(config)


def blocks(words: Any, found: dict[str, str], n: int) -> Any:
    """(blocks, n): the tokens of all texts, cut from the beginning of each."""
    import torch

    cut = []
    for text in found.values():
        ids = torch.tensor(words(text)["input_ids"])
        cut.append(ids[: len(ids) // n * n].view(-1, n))
    return torch.cat(cut)


def run(model: Any, data: Any, wanted: argparse.Namespace) -> None:
    """AdamW on blocks drawn without replacement, over and over; the rate rises for 40 steps, then falls as a cosine."""
    import torch

    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.95), weight_decay=DECAY)
    draw, order = torch.Generator().manual_seed(wanted.seed), torch.zeros(0, dtype=torch.long)
    model.train()
    for step in range(wanted.steps):
        if len(order) < BATCH:
            order = torch.randperm(len(data), generator=draw)
        chosen, order = data[order[:BATCH]], order[BATCH:]
        rise, fall = (step + 1) / WARM, 0.05 + 0.95 * (1 + math.cos(math.pi * step / wanted.steps)) / 2
        optimiser.param_groups[0]["lr"] = RATE * min(rise, fall)
        loss = model(chosen, labels=chosen, use_cache=False).loss
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if step % 50 == 49:
            sys.stderr.write(f"step {step + 1} of {wanted.steps}: loss {float(loss.detach()):.3f}\n")
    model.eval()


def loss_of(model: Any, ids: Any) -> float:
    """Nats a token, in the mean of up to 32 blocks that lie all over the data."""
    import torch

    chosen = ids[torch.linspace(0, len(ids) - 1, min(JUDGED, len(ids))).long()]
    model.eval()
    with torch.no_grad():
        found = [float(model(one, labels=one, use_cache=False).loss) for one in chosen.split(BATCH)]
    return sum(found) / len(found)


def save(model: Any, words: Any, folder: Path) -> None:
    """Folder by folder as ``posbias measure`` reads them."""
    model.save_pretrained(folder)
    words.save_pretrained(folder)


def facts_of(wanted: argparse.Namespace, data: dict[str, Any], losses: Any, seconds: float) -> dict[str, Any]:
    import torch
    import transformers

    return {
        "kind": wanted.kind, "layers": wanted.layers, "heads": HEADS, "width": wanted.width, "seed": wanted.seed,
        "positions": wanted.positions, "steps": wanted.steps, "batch": BATCH, "rate": RATE, "vocabulary": VOCABULARY,
        "tokens": {name: ids.numel() for name, ids in data.items()},
        "tokens_seen": wanted.steps * BATCH * wanted.positions,
        "loss": losses, "seconds": round(seconds),
        "versions": {
            "python": platform.python_version(), "torch": str(torch.__version__),
            "transformers": transformers.__version__,
        },
    }  # fmt: skip


if __name__ == "__main__":
    main()
