"""The state of a dialogue that features are computed from, updated event by event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, Utterance, views
from dialoom.models.follower.plan import SlotPlan
from dialoom.models.follower.slots import FilledSlots
from dialoom.schema.flow import CUSTOM, QUERIES
from dialoom.schema.slot import Slot

Matcher = Callable[[str], tuple[str | None, float]]
"""Returns the action whose reply is most similar to a text, and the similarity."""


class OtherTasks(NamedTuple):
    """The calls and actions by which events of other tasks in the same dialogue are known.

    Attributes:
        calls: Calls that only other tasks have.
        actions: Actions that only other tasks have.
    """

    calls: frozenset[str] = frozenset()
    actions: frozenset[str] = frozenset()


NO_OTHERS = OtherTasks()
"""The calls and actions of other tasks where no other task is known: none."""


class DialogueProgress:
    """The state of a task in one dialogue; `step` updates it by the next event.

    In a dialogue of several tasks, what the system does for another task is passed over; what the
    user says then is heard, for it may be about this task as well.

    Attributes:
        slots: Which parameters of the task are filled.
        texts: The user's turns.
        kind: The type of the last event: start, user, system, query or result.
        user: The last user turn; turns without another event between them are one.
        user_turns: How many turns the user has had.
        turns: How many actions the system has taken, queries included.
        last: The system's last action.
        last_said: Its last action that is a reply.
        last_text: The text of its last reply.
        matched: How similar the last reply is to the action that it was taken for; 1 if labelled.
        counts: Action to how often it was taken.
        when: Action to the number of the turn at which it was last taken, from 1.
        trail: The actions taken, in order.
        queries: Label and constraints of each query, as text.
        run: How many queries were made since the user's last turn.
        repeat: Whether the last query is the same as an earlier one.
        items: The first item of each result; None for an empty result.
        empty_run: How many results in a row, up to the last, were empty.
        fresh_since_query: Parameters that the user filled since the last query.
        changed: Parameters filled before that the last user turn filled again.
        users_since_query: How many turns the user has had since the last query.
        spoken_texts: The system's replies since the last result.
        anchor: The last action taken that the flow graph leads on from.
        anchored: The actions that the flow graph leads on from.
        elsewhere: Whether the system's last event belongs to another task.
    """

    def __init__(self, plan: SlotPlan, match: Matcher, others: OtherTasks = NO_OTHERS) -> None:
        self.program, self.match, self.others = plan.program, match, others
        self.slots = FilledSlots(plan)
        self.texts: list[str] = []
        self.empty_run = 0
        self.kind = "start"
        self.user = ""
        self.user_turns = 0
        self.turns = 0
        self.last: str | None = None
        self.last_said: str | None = None
        self.last_text = ""
        self.matched = 1.0
        self.counts: dict[str, int] = {}
        self.when: dict[str, int] = {}
        self.trail: list[str] = []
        self.queries: list[str] = []
        self.run = 0
        self.repeat = False
        self.items: list[dict[str, Any] | None] = []
        self.fresh_since_query: set[str] = set()
        self.changed: set[str] = set()
        self.users_since_query = 0
        self.spoken_texts: list[str] = []
        self.anchor: str | None = None
        self.anchored = frozenset(e.before for e in self.program.edges if e.before is not None)
        self.elsewhere = False

    def step(self, event: Event) -> None:
        """Update by an event; suggestions and choices that only the wizard saw are passed over."""
        if isinstance(event, Utterance) and event.agent == USER:
            self._hear(event.text)
        elif isinstance(event, Query | Result) or (
            isinstance(event, Utterance) and event.agent == SYSTEM
        ):
            self.elsewhere = self._is_elsewhere(event)
            self._act(event)

    def _act(self, event: Utterance | Query | Result) -> None:
        """Update by an event of the system; an event of another task changes `kind` alone."""
        if self.elsewhere:
            self.kind = "system"
        elif isinstance(event, Utterance):
            self._say(event)
        elif isinstance(event, Query):
            self._ask_kb(event)
        else:
            self._learn(event)

    def _is_elsewhere(self, event: Utterance | Query | Result) -> bool:
        """Return whether an event of the system belongs to another task.

        A result, and a reply whose label does not tell, belong where the event before them does.
        """
        if isinstance(event, Query):
            return event.api in self.others.calls
        action = views.label(event) if isinstance(event, Utterance) else None
        if action in self.others.actions:
            return True
        own = action != CUSTOM and action in self.program.actions
        return self.elsewhere and not own

    @property
    def item(self) -> dict[str, Any] | None:
        """The item of the last result, if it had one."""
        return self.items[-1] if self.items else None

    def asked(self) -> Slot | None:
        """The parameter that the last action asked for."""
        return None if self.elsewhere else self.program.links.get(self.last_said or "")

    def _hear(self, text: str) -> None:
        again = self.kind == "user"
        self.user = f"{self.user} {text}" if again else text
        known = {p.name for p in self.program.parameters if self.slots.filled(p.name)}
        self.slots.hear(text, None if again else self.asked())
        self.fresh_since_query |= self.slots.fresh
        self.changed = self.slots.fresh & known
        self.kind = "user"
        self.user_turns += 1
        self.texts.append(text)
        self.users_since_query += 1
        self.run = 0

    def _say(self, event: Utterance) -> None:
        action = views.label(event)
        self.matched = 1.0
        if action is None or action == CUSTOM:
            action, self.matched = self.match(event.text)
        self.kind = "system"
        self.last_text = event.text
        self.spoken_texts.append(event.text)
        self._do(action or CUSTOM)
        self.last_said = self.last

    def _ask_kb(self, event: Query) -> None:
        action = views.query_label(event)
        signature = action + repr([(c.slot, c.values) for c in event.constraints])
        self.repeat = signature in self.queries
        self.queries.append(signature)
        self.slots.query(event)
        self.fresh_since_query = set()
        self.changed = set()
        self.users_since_query = 0
        self.run += 1
        self.kind = "query"
        self._do(action)

    def _learn(self, event: Result) -> None:
        self.items.append(event.items[0] if event.items else None)
        self.kind = "result"
        self.empty_run = 0 if event.items else self.empty_run + 1
        self.spoken_texts = []

    def _do(self, action: str) -> None:
        self.last = action
        self.turns += 1
        self.counts[action] = self.counts.get(action, 0) + 1
        self.when[action] = self.turns
        self.trail.append(action)
        if action in self.anchored:
            self.anchor = action

    @property
    def last_query(self) -> str | None:
        """The last query made."""
        return next((a for a in reversed(self.trail) if a in QUERIES), None)
