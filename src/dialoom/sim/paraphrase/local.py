"""Paraphrases by a language model of a local folder, as the library transformers reads it.

    LocalParaphraser(ParaphraseOptions(model="models/small"))

Nothing is ever downloaded: the folder has the model and its tokenizer. Where the tokenizer has a
template for chats, it is used; else prompt and question are one text, which the model continues.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from dialoom.errors import MissingDataError, UsageError, clip, needs_extra
from dialoom.sim.core.rng import event_rng
from dialoom.sim.paraphrase.paraphraser import ParaphraseOptions, ParaphraserError, SourceLine
from dialoom.sim.paraphrase.prompts import (
    Messages,
    bare,
    line_request,
    whole_answer,
    whole_request,
)
from dialoom.sim.paraphrase.wording import wording

MOST, FREE = 2, 40
"""Most new tokens of an answer: those of the lines times the first number, plus the second."""


class LocalParaphraser:
    """Paraphrases lines by a model in a folder.

    Raises:
        UsageError: No folder is named.
        MissingDataError: There is no such folder.
        MissingExtraError: The libraries are not installed.
        UnknownNameError: There is no prompt in the language.
    """

    def __init__(self, options: ParaphraseOptions) -> None:
        if not options.model:
            raise UsageError("a local model needs its folder: --with local:FOLDER")
        folder = Path(options.model)
        if not (folder / "config.json").is_file():
            raise MissingDataError(f"{folder}: no folder with a model (config.json)")
        self.spent: Counter[str] = Counter()
        self._options, self._folder = options, folder
        self._wording = wording(options.language)
        with needs_extra("paraphraser local", "neural"):
            import torch
            import transformers
        self._torch, self._transformers = torch, transformers

    @property
    def settings(self) -> dict[str, Any]:
        """The model's folder by its name, and the settings of requests."""
        options = self._options
        return {
            "language": options.language,
            "seed": options.seed,
            "model": self._folder.resolve().name,
            "temperature": options.temperature,
            "whole": options.whole,
        }

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """The tokenizer and the model."""
        library, held = self._transformers, {"local_files_only": True}
        try:
            tokenizer = library.AutoTokenizer.from_pretrained(str(self._folder), **held)
            model = library.AutoModelForCausalLM.from_pretrained(str(self._folder), **held)
        except (OSError, ValueError, KeyError) as error:
            what = clip(" ".join(str(error).split()))
            raise ParaphraserError(f"{self._folder}: the model cannot be read: {what}") from error
        return tokenizer, model.eval()

    def paraphrase(self, lines: Sequence[SourceLine]) -> list[str]:
        """Return what the model makes of each line.

        Raises:
            ParaphraserError: The model cannot be read.
        """
        if self._options.whole and len(lines) > 1:
            answer = self._answer(whole_request(lines, self._wording), lines)
            return whole_answer(answer, lines)
        asked = (self._answer(line_request(line, self._wording), [line]) for line in lines)
        return [
            bare(text.split("\n")[0], line.text) for text, line in zip(asked, lines, strict=True)
        ]

    def _answer(self, messages: Messages, lines: Sequence[SourceLine]) -> str:
        """Return how the model continues a request."""
        tokenizer, model = self._loaded
        first, torch = lines[0], self._torch
        if tokenizer.chat_template:
            text = tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True
            )
        else:
            text = "\n\n".join((*(message["content"] for message in messages), ""))
        given = tokenizer(text, return_tensors="pt")
        new = MOST * sum(len(tokenizer(line.text)["input_ids"]) for line in lines) + FREE
        name = f"local {first.attempt}"
        rng = event_rng(self._options.seed, first.dialogue, first.event, name)
        torch.manual_seed(int.from_bytes(rng.bytes()[:7]))
        warm = self._options.temperature
        sampled = {"do_sample": True, "temperature": warm} if warm else {"do_sample": False}
        with torch.inference_mode():
            made = model.generate(
                **given, **sampled, max_new_tokens=new, pad_token_id=tokenizer.eos_token_id
            )
        size = given["input_ids"].shape[1]
        answer = made[0][size:]
        self.spent.update(requests=1, prompt_tokens=size, completion_tokens=len(answer))
        return str(tokenizer.decode(answer, skip_special_tokens=True)).strip()
