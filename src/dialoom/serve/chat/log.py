"""The state of one chat, computed from its records.

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
    ChatFailed,
    ChatJudged,
    ChatRated,
    TurnRated,
)
from dialoom.collect.log.record import Body, Record
from dialoom.dialogue import SYSTEM, USER, Dialogue, Event
from dialoom.errors import FormatError


class ChatLog:
    """One chat.

    Attributes:
        good: Number of an event to whether the agent's utterance was rated as good.
        rated: The person's rating of the dialogue; None without one.
        judged: The outcome; None while the chat is not over.
        failed: The failure of the agent; None while it answers.
    """

    def __init__(self, id: str) -> None:
        self.id = id
        self.events: list[Event] = []
        self.good: dict[int, bool] = {}
        self.rated: ChatRated | None = None
        self.judged: ChatJudged | None = None
        self.failed: ChatFailed | None = None
        self._began: ChatBegan | None = None
        self._seq = 0
        self._turns: dict[str, int] = {}

    @property
    def exists(self) -> bool:
        """True if the log has a beginning of the chat."""
        return self._began is not None

    @property
    def began(self) -> ChatBegan:
        """The chat's first record, with task and goal; `FormatError` if the log lacks it."""
        if self._began is None:
            raise FormatError(CHAT + self.id, "a chat without its beginning")
        return self._began

    def apply(self, record: Record) -> None:
        """Update the state with the next record."""
        self._seq, body = record.seq, record.body
        if isinstance(body, ChatBegan):
            self._began = body
        elif isinstance(body, ChatRated):
            self.rated = body
        elif isinstance(body, ChatJudged):
            self.judged = body
        elif isinstance(body, ChatFailed):
            self.failed = body
        elif isinstance(body, TurnRated):
            self.good.pop(body.event, None)
            if body.good is not None:
                self.good[body.event] = body.good
        elif isinstance(body, Event):
            if record.client:
                self._turns[record.client] = len(self.events)
            self.events.append(body)

    def records(self, bodies: Iterable[Body], now: int, client: str = "") -> Iterator[Record]:
        """Yield records with the stream's next numbers; `client` is the message's id, if any."""
        for seq, body in enumerate(bodies, start=self._seq + 1):
            ours = SYSTEM if isinstance(body, ChatFailed) else USER
            author = body.agent if isinstance(body, Event) else ours
            own = client if author == USER else ""
            yield Record(CHAT + self.id, seq, now, author, own, body)

    def turn_of(self, client: str) -> Sequence[Event] | None:
        """Return the events of the turn of a message with an id; None if no message has it."""
        at = self._turns.get(client)
        if at is None:
            return None
        others = (n for n, e in enumerate(self.events) if n > at and e.agent == USER)
        return self.events[at : next(others, None)]

    def dialogue(self) -> Dialogue:
        """Return the chat as a dialogue, with its ratings."""
        ended = self.rated, self.judged, self.failed
        return chat_dialogue(self.id, self.began.task, self.events, self.good, *ended)
