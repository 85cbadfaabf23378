"""One question to a language model: requests, repair, and the answers that are kept on disk.

    asker = Asker(ChatClient(…), "small@http://…", budget, 0, folder)
    prediction = asker.answer(question, prompt, prompt.messages(question, (), prompt))

A server that refuses log-probabilities or structured output is asked without them from then on.
Every answer is kept by its request, so that an interrupted run goes on where it was.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.corpus.files import read_bytes, write_atomic
from dialoom.dialogue import AnswerRecord, Prediction, Question, digest
from dialoom.http.chat import TOP, Message
from dialoom.http.completions import ChatToken
from dialoom.http.failure import NoAnswerError
from dialoom.http.local import ChatModel
from dialoom.http.metering import Budget, Meter, cost_of
from dialoom.models.lm.kinds.choosing import OptionPrompt
from dialoom.models.lm.prompt import Prompt, UnreadableError

REFUSED = frozenset({400, 422, 501})
"""HTTP statuses by which servers refuse fields of a request that they lack."""

TRIES = 2
"""The most requests for an answer: the second one repairs the first."""

REPAIR = "That cannot be used: {what}. {form}"

FOLDER = "language-model"
"""The folder of kept answers within the folder of a run's answers."""


class KeptReply(msgspec.Struct, frozen=True):
    """An answer of a model: its text, its tokens if asked for, and how many tokens it took."""

    text: str
    tokens: list[ChatToken] | None
    read: int
    written: int


class Asker:
    """Asks a language model.

    Args:
        model: The model.
        name: Its name and address, by which answers are kept.
        budget: The limits, settings and prices of requests.
        seed: The seed that the model draws by.
        folder: The folder to keep answers in; None to keep none.
    """

    def __init__(
        self, model: ChatModel, name: str, budget: Budget, seed: int, folder: Path | None
    ) -> None:
        self._model, self._budget, self._fields = model, budget, {"seed": seed}
        self._about = (name, Meter(budget).settings.asked, seed)
        self._folder = None if folder is None else folder / FOLDER
        self._refused: set[str] = set()

    def answer(
        self, question: Question[Any], prompt: Prompt, messages: list[Message]
    ) -> Prediction[Any]:
        """Return the answer to a question; it is asked again if the answer cannot be read.

        Raises:
            NoAnswerError: The server fails.
        """
        replies: list[KeptReply] = []
        found, what = None, ""
        while found is None and len(replies) < TRIES:
            reply = self._ask(question, prompt, messages)
            replies.append(reply)
            try:
                found = prompt.predicted(question, reply.text, reply.tokens)
            except UnreadableError as error:
                what = str(error)
            repair = REPAIR.format(what=what, form=prompt.form)
            messages = [
                *messages,
                {"role": "assistant", "content": reply.text},
                {"role": "user", "content": repair},
            ]
        read, written = sum(r.read for r in replies), sum(r.written for r in replies)
        cost = cost_of(read, written, self._budget.limits.prices or (0.0, 0.0))
        record = AnswerRecord(len(replies), read, written, round(cost, 9), "" if found else what)
        return replace(found or Prediction(prompt.unreadable(question)), record=record)

    def _ask(self, question: Question[Any], prompt: Prompt, messages: list[Message]) -> KeptReply:
        """Return the answer to messages: the kept one, if there is one."""
        file = None
        if self._folder is not None:
            file = self._folder / f"{digest((*self._about, messages))}.json"
            if file.exists():
                return msgspec.json.decode(read_bytes(file), type=KeptReply)
        wanted: dict[str, dict[str, Any]] = {}
        if isinstance(prompt, OptionPrompt):
            wanted["logprobs"] = {"logprobs": True, "top_logprobs": TOP}
        wanted["format"] = {"response_format": prompt.response_format(question)}
        found = self._complete(messages, wanted)
        if file is not None:
            write_atomic(file, msgspec.json.encode(found))
        return found

    def _complete(self, messages: list[Message], wanted: dict[str, dict[str, Any]]) -> KeptReply:
        """Ask with as many of the wanted fields as the server takes; they are given up in order."""
        left = [name for name in wanted if name not in self._refused]
        while True:
            meter, fields = Meter(self._budget), dict[str, Any](self._fields)
            for name in left:
                fields |= wanted[name]
            try:
                reply = self._model.complete(messages, [], meter, fields)
            except NoAnswerError as error:
                if error.status not in REFUSED or not left:
                    raise
                left = left[1:]
                continue
            self._refused.update(wanted.keys() - left)
            return KeptReply(reply.said, reply.tokens, meter.spent.read, meter.spent.written)
