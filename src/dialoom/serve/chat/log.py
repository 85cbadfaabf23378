"""What has happened in one chat, computed from its records.

log = ChatLog("k3…")
for record in store.stream(CHAT + "k3…"):
    log.apply(record)
log.dialogue(workers={})
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dialoom.collect.kinds.rated_chat import chat_dialogue
from dialoom.collect.log.chat import (
    CHAT,
    ChatBegan,
    ChatJudged,
    ChatRated,
    TurnRated,
)
from dialoom.collect.log.record import Body, Record
from dialoom.dialogue import USER, Dialogue, Event
from dialoom.errors import FormatError


class ChatLog:
    """One chat.

    Attributes:
        id: Its id; who knows it may write in it.
        events: What was said and called.
        good: Event to whether what the agent said there was found good.
        rated: The person's rating.
        judged: What it came to; None while it is not over.
    """

    def __init__(self, id: str) -> None:
        self.id = id
        self.events: list[Event] = []
        self.good: dict[int, bool] = {}
        self.rated: ChatRated | None = None
        self.judged: ChatJudged | None = None
        self._began: ChatBegan | None = None
        self._seq = 0
        self._turns: dict[str, int] = {}

    @property
    def exists(self) -> bool:
        """Whether it was begun."""
        return self._began is not None

    @property
    def began(self) -> ChatBegan:
        """What it is about.

        Raises:
            FormatError: Its log has no beginning.
        """
        if self._began is None:
            raise FormatError(CHAT + self.id, "a chat without its beginning")
        return self._began

    def apply(self, record: Record) -> None:
        """Take in the next record."""
        self._seq, body = record.seq, record.body
        if isinstance(body, ChatBegan):
            self._began = body
        elif isinstance(body, ChatRated):
            self.rated = body
        elif isinstance(body, ChatJudged):
            self.judged = body
        elif isinstance(body, TurnRated):
            self.good.pop(body.event, None)
            if body.good is not None:
                self.good[body.event] = body.good
        elif isinstance(body, Event):
            if record.client:
                self._turns[record.client] = len(self.events)
            self.events.append(body)

    def records(self, bodies: Iterable[Body], now: int, client: str = "") -> Iterator[Record]:
        """Yield the records of what happens next; `client` is the id of a person's message."""
        for seq, body in enumerate(bodies, start=self._seq + 1):
            author = body.agent if isinstance(body, Event) else USER
            own = client if author == USER else ""
            yield Record(CHAT + self.id, seq, now, author, own, body)

    def turn_of(self, client: str) -> Sequence[Event] | None:
        """Return what happened after a message was sent, by its id; None where none had that."""
        at = self._turns.get(client)
        if at is None:
            return None
        others = (n for n, e in enumerate(self.events) if n > at and e.agent == USER)
        return self.events[at : next(others, None)]

    def dialogue(self) -> Dialogue:
        """Return the chat as a dialogue, with its ratings."""
        return chat_dialogue(
            self.id, self.began.task, self.events, self.good, self.rated, self.judged
        )
