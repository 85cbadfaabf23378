"""A language model of a local folder, as the library transformers reads it.

    reply = LocalModel(Path("models/small")).complete(messages, [], meter, {"max_tokens": 60})

Nothing is ever downloaded: the folder contains the model and its tokenizer. If the tokenizer has a
template for chats, it is used; otherwise the messages are one text, which the model continues.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from dialoom.errors import MissingDataError, clip, needs_extra
from dialoom.http.chat import NO_FIELDS, TOP, ChatClient, Message
from dialoom.http.completions import ChatReply, ChatToken
from dialoom.http.failure import NoAnswerError
from dialoom.http.metering import Meter

MOST = 300
"""Most new tokens of an answer, unless the request limits them."""


class LocalModel:
    """Continues chats by a model of a folder.

    Raises:
        MissingDataError: There is no such folder.
        MissingExtraError: The libraries are not installed.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / "config.json").is_file():
            raise MissingDataError(f"{folder}: no folder with a model (config.json)")
        with needs_extra("a local language model", "neural"):
            import torch
            import transformers
        self._folder, self._torch, self._library = folder, torch, transformers
        self._loaded: tuple[Any, Any] | None = None
        self._lock = Lock()

    def complete(
        self,
        messages: list[Message],
        tools: list[Message],
        meter: Meter,
        fields: Mapping[str, Any] = NO_FIELDS,
    ) -> ChatReply:
        """Return the model's answer to messages; tools and formats of answers are ignored.

        Raises:
            NoAnswerError: The model cannot be read, or the messages are too long for it.
        """
        with self._lock, meter.request():
            tokenizer, model = self._loaded = self._loaded or self._read()
            asked = {**meter.settings.asked, **fields}
            given = tokenizer(_prompt(tokenizer, messages), return_tensors="pt")
            size, new = given["input_ids"].shape[1], asked.get("max_tokens") or MOST
            room = getattr(model.config, "max_position_embeddings", None)
            if room is not None and size + new > room:
                what = f"{size} tokens and {new} of the answer exceed the model's {room}"
                raise NoAnswerError(str(self._folder), what)
            made = self._continued(model, given, asked, new, tokenizer.eos_token_id)
        answer = made.sequences[0][size:]
        meter.tokens(size, len(answer))
        text = str(tokenizer.decode(answer, skip_special_tokens=True)).strip()
        chances = self._chances(tokenizer, answer, made.scores) if asked.get("logprobs") else None
        return ChatReply(text, tokens=chances)

    def _continued(
        self, model: Any, given: Any, asked: Mapping[str, Any], new: int, end: int
    ) -> Any:
        warm, torch = asked.get("temperature"), self._torch
        sampled = {"do_sample": True, "temperature": warm} if warm else {"do_sample": False}
        torch.manual_seed(asked.get("seed") or 0)
        with torch.inference_mode():
            return model.generate(
                **given,
                **sampled,
                max_new_tokens=new,
                pad_token_id=end,
                return_dict_in_generate=True,
                output_scores=bool(asked.get("logprobs")),
            )

    def _chances(self, tokenizer: Any, answer: Any, scores: Any) -> list[ChatToken]:
        """Return each token of an answer with the likeliest ones at its place."""
        found = []
        for token, logits in zip(answer.tolist(), scores, strict=True):
            logs = self._torch.log_softmax(logits[0].float(), dim=-1)
            values, places = logs.topk(min(TOP, len(logs)))
            pairs = zip(places.tolist(), values.tolist(), strict=True)
            top = [ChatToken(tokenizer.decode([place]), value) for place, value in pairs]
            found.append(ChatToken(tokenizer.decode([token]), float(logs[token]), top))
        return found

    def _read(self) -> tuple[Any, Any]:
        """Return the tokenizer and the model of the folder."""
        library, held = self._library, {"local_files_only": True}
        try:
            tokenizer = library.AutoTokenizer.from_pretrained(str(self._folder), **held)
            model = library.AutoModelForCausalLM.from_pretrained(str(self._folder), **held)
        except (OSError, ValueError, KeyError) as error:
            what = clip(" ".join(str(error).split()))
            raise NoAnswerError(str(self._folder), f"the model cannot be read: {what}") from error
        return tokenizer, model.eval()


def _prompt(tokenizer: Any, messages: list[Message]) -> str:
    if tokenizer.chat_template:
        return str(
            tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        )
    return "\n\n".join((*(message["content"] for message in messages), ""))


ChatModel = ChatClient | LocalModel
"""A language model that continues chats, behind a server or of a folder."""
