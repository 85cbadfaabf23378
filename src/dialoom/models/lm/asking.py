"""One question to a language model: request, one repair, and what is kept of it on disk.

    asker = Asker(ChatClient(…), "small@http://…", budget, {"seed": 0}, KeptReplies(folder))
    reply = asker.ask(messages, response_format, ranked=True)

A server that refuses log-probabilities or structured output is asked without them from then on.
Every answer is kept by its request, so that an interrupted run goes on where it was.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from dialoom.dialogue import digest
from dialoom.http.chat import TOP, ChatModel, Message
from dialoom.http.completions import ChatToken
from dialoom.http.failure import NoAnswerError
from dialoom.http.metering import Budget, Meter

REFUSED = frozenset({400, 422, 501})
"""HTTP statuses by which servers refuse fields of a request that they lack."""

FILE = "language-models.sqlite"
"""The file of kept answers in the folder of a run's answers."""


class KeptReply(msgspec.Struct, frozen=True):
    """An answer of a model.

    Attributes:
        text: What it says.
        tokens: Its tokens with their log-probabilities, where asked for.
        read: How many tokens the model read.
        written: How many it wrote.
    """

    text: str
    tokens: list[ChatToken] | None
    read: int
    written: int


class KeptReplies:
    """Answers in a file, which threads and processes share; None for the folder keeps none."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / FILE
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._opened()) as base, base:
                base.execute("CREATE TABLE IF NOT EXISTS replies (request PRIMARY KEY, reply)")

    def _opened(self) -> sqlite3.Connection:
        return sqlite3.connect(str(self._file), timeout=60)

    def get(self, key: str) -> KeptReply | None:
        """Return the answer to a request; None if there is none."""
        if self._file is None:
            return None
        with closing(self._opened()) as base:
            row = base.execute("SELECT reply FROM replies WHERE request = ?", (key,)).fetchone()
        return msgspec.json.decode(row[0], type=KeptReply) if row else None

    def put(self, key: str, reply: KeptReply) -> None:
        """Keep the answer to a request."""
        if self._file is not None:
            with closing(self._opened()) as base, base:
                held = (key, msgspec.json.encode(reply))
                base.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", held)


class Asker:
    """Asks a language model.

    Args:
        model: The model.
        name: Its name and address, by which answers are kept.
        budget: The limits of requests, and their settings.
        fields: Fields that all requests have.
        kept: The answers that are kept.
    """

    def __init__(
        self,
        model: ChatModel,
        name: str,
        budget: Budget,
        fields: Mapping[str, Any],
        kept: KeptReplies,
    ) -> None:
        self._model, self._budget, self._fields, self._kept = model, budget, fields, kept
        self._about = (name, Meter(budget).settings.asked, dict(fields))
        self._refused: set[str] = set()
        self._lock = Lock()

    def ask(self, messages: list[Message], form: Mapping[str, Any], *, ranked: bool) -> KeptReply:
        """Return the answer to messages.

        Args:
            messages: The messages.
            form: The structured output to ask for.
            ranked: Whether to ask for log-probabilities.

        Raises:
            NoAnswerError: The server fails.
        """
        key = digest((*self._about, messages, ranked))
        found = self._kept.get(key)
        if found is None:
            wanted = {"logprobs": {"logprobs": True, "top_logprobs": TOP}} if ranked else {}
            found = self._asked(messages, wanted | {"format": {"response_format": form}})
            self._kept.put(key, found)
        return found

    def _asked(self, messages: list[Message], wanted: dict[str, dict[str, Any]]) -> KeptReply:
        """Ask with as many of the extra fields as the server takes, which are given up in order."""
        left = [name for name in wanted if name not in self._refused]
        while True:
            meter = Meter(self._budget)
            fields = dict(self._fields)
            for name in left:
                fields |= wanted[name]
            try:
                reply = self._model.complete(messages, [], meter, fields)
            except NoAnswerError as error:
                if error.status not in REFUSED or not left:
                    raise
                left = left[1:]
                continue
            with self._lock:
                self._refused.update(name for name in wanted if name not in left)
            return KeptReply(reply.said, reply.tokens, meter.spent.read, meter.spent.written)
