"""Pretrained models of a local folder, as the library transformers reads them.

Nothing is ever downloaded: the folder contains the model and its tokenizer. If the tokenizer has a
template for chats, it is used; otherwise the messages are one text, which the model continues.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from dialoom.errors import FormatError, MissingDataError, MissingExtraError, clip
from dialoom.http.chat import NO_FIELDS, TOP, ChatClient, Message
from dialoom.http.completions import ChatReply, ChatToken
from dialoom.http.failure import NoAnswerError
from dialoom.http.metering import Meter

CAUSAL = "AutoModelForCausalLM"
"""The class of transformers that reads a model which continues texts."""

MOST = 300
"""Most new tokens of an answer, unless the request limits them."""


def load_pretrained(folder: Path, what: str, kind: str) -> tuple[Any, Any]:
    """Return the tokenizer and the network of a folder; long texts lose their start.

    Raises `MissingExtraError` without the libraries, `MissingDataError` without config.json, and
    `FormatError` if transformers cannot load the weights.
    """
    check_installed(what)
    if not (folder / "config.json").is_file():
        raise MissingDataError(f"{folder}: no config.json there; name a folder of weights")
    import transformers

    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        model = getattr(transformers, kind).from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        what = f"not weights that transformers loads: {clip(str(error))}"
        raise FormatError(folder, what, code="damaged") from error
    tokenizer.truncation_side = "left"
    return tokenizer, model.to(device()).eval()


def device() -> str:
    """Return the torch device to use: "cuda" where there is a GPU, else "cpu"."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def check_installed(what: str) -> None:
    """Raise `MissingExtraError` unless torch and transformers are installed."""
    if find_spec("transformers") is None or find_spec("torch") is None:
        raise MissingExtraError(what, "neural")


class LocalModel:
    """Continues chats by a model of a folder, its `network`; errors as of `load_pretrained`."""

    def __init__(self, folder: Path) -> None:
        loaded = load_pretrained(folder, "a local language model", CAUSAL)
        self._folder, (self._tokenizer, self.network), self._lock = folder, loaded, Lock()

    def complete(
        self,
        messages: list[Message],
        tools: list[Message],
        meter: Meter,
        fields: Mapping[str, Any] = NO_FIELDS,
    ) -> ChatReply:
        """Return the model's answer, ignoring tools; `NoAnswerError` for long messages."""
        options = {**meter.settings.asked, **fields}
        with self._lock:  # several threads may ask, and a tokenizer serves one at a time
            inputs = self._tokenizer(_prompt(self._tokenizer, messages), return_tensors="pt")
            size, new = inputs["input_ids"].shape[1], options.get("max_tokens") or MOST
            self._check(size, new)
            with meter.request():
                output = self._continued(inputs.to(self.network.device), options, new)
            answer = output.sequences[0][size:]
            meter.tokens(size, len(answer))
            text = str(self._tokenizer.decode(answer, skip_special_tokens=True)).strip()
            cut = len(answer) == new and answer[-1] != self._tokenizer.eos_token_id
            return ChatReply(text, tokens=self._chances(answer, output.scores), cut=bool(cut))

    def pair(self, messages: list[Message], answer: str) -> tuple[list[int], list[int]]:
        """Return the tokens of messages and of their answer; `NoAnswerError` for long ones."""
        prompt = self._tokenizer(_prompt(self._tokenizer, messages))["input_ids"]
        text = answer + (self._tokenizer.eos_token or "")
        learnt = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        self._check(len(prompt), len(learnt))
        return prompt, learnt

    def _check(self, size: int, new: int) -> None:
        room = getattr(self.network.config, "max_position_embeddings", None)
        if room is not None and size + new > room:
            what = f"{size} tokens and {new} of the answer exceed the model's {room}"
            raise NoAnswerError(str(self._folder), what, code="over-limit")

    def _continued(self, inputs: Any, options: Mapping[str, Any], new: int) -> Any:
        import torch

        warm = options.get("temperature")
        sampled = {"do_sample": True, "temperature": warm} if warm else {"do_sample": False}
        torch.manual_seed(options.get("seed") or 0)
        with torch.inference_mode():
            return self.network.generate(
                **inputs,
                **sampled,
                max_new_tokens=new,
                pad_token_id=self._tokenizer.eos_token_id,
                return_dict_in_generate=True,
                output_scores=bool(options.get("logprobs")),
            )

    def _chances(self, answer: Any, scores: Any) -> list[ChatToken] | None:
        tokens = []
        for token, logits in zip(answer.tolist(), scores or (), strict=False):
            logs = logits[0].float().log_softmax(dim=-1)
            values, places = logs.topk(min(TOP, len(logs)))
            pairs = zip(places.tolist(), values.tolist(), strict=True)
            top = [ChatToken(self._tokenizer.decode([place]), value) for place, value in pairs]
            tokens.append(ChatToken(self._tokenizer.decode([token]), float(logs[token]), top))
        return tokens or None


def _prompt(tokenizer: Any, messages: list[Message]) -> str:
    if not tokenizer.chat_template:
        return "\n\n".join((*(message["content"] for message in messages), ""))
    return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))


ChatModel = ChatClient | LocalModel
"""A language model that continues chats, behind a server or of a folder."""
