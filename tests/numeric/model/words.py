"""A tokenizer of bytes, made here: every text has tokens, one for each byte and none unknown."""

from __future__ import annotations

from pathlib import Path

UNKNOWN, BOS, EOS, BYTES = 0, 1, 2, 3
VOCABULARY = 3 + 256


def write_tokenizer(folder: Path, *, bos: int = 0, has_bos: bool = True) -> Path:
    """tokenizer.json and its configuration beside a model; ``bos`` is how often it puts BOS before a text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    names = ["<unk>", "<s>", "</s>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokens = Tokenizer(models.BPE(vocab={name: i for i, name in enumerate(names)}, merges=[]))
    tokens.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = decoders.ByteLevel()
    if bos:
        tokens.post_processor = processors.TemplateProcessing(
            single=" ".join(["<s>"] * bos + ["$A"]), special_tokens=[("<s>", BOS)]
        )
    special = {"unk_token": "<unk>", "eos_token": "</s>", **({"bos_token": "<s>"} if has_bos else {})}
    PreTrainedTokenizerFast(tokenizer_object=tokens, **special).save_pretrained(str(folder))
    return folder
