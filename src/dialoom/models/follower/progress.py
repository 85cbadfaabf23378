"""The state of a dialogue that features are computed from, updated event by event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, Utterance, views
from dialoom.models.follower.slots import FilledSlots, SlotPlan
from dialoom.schema.flow import CUSTOM, QUERIES
from dialoom.schema.slot import Slot

Matcher = Callable[[str], tuple[str | None, float]]
"""Returns the action whose reply is most similar to a text, and the similarity."""


class OtherTasks(NamedTuple):
    """Calls and actions that only other tasks have, to recognise their events in a dialogue."""

    calls: frozenset[str] = frozenset()
    actions: frozenset[str] = frozenset()


NO_OTHERS = OtherTasks()
"""No calls and actions: no other task is known."""


class DialogueProgress:
    """The state of a task in one dialogue; `step` updates it by the next event.

    In a dialogue of several tasks, the system's events for another task are skipped. All user turns
    count, because they may be about this task as well.

    `texts` are the user's turns, `user` the last one; consecutive texts are one turn. `kind` is the
    last event's type: start, user, system, query or result. `turns` and `trail` count and list the
    system's actions, queries included; `last_said` is the last reply, `matched` its similarity to
    its action (1 if labelled). `when` has the last turn of each action, from 1. `queries` are
    labels and constraints as text, `run` counts those since the user's last turn, `repeat` is True
    if the last one repeats another. `items` has the first item of each result, or None; `empty_run`
    counts the empty results up to the last. `changed` are filled parameters that the last user turn
    filled again. `anchor` is the last action with a successor in the flow graph, `anchored` are all
    such actions. `elsewhere` is True after a system event of another task.
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
        """Update by an event; suggestions and choices that only the wizard saw are ignored."""
        if isinstance(event, Utterance) and event.agent == USER:
            self._hear(event.text)
        elif isinstance(event, Query | Result) or (
            isinstance(event, Utterance) and event.agent == SYSTEM
        ):
            self.elsewhere = self._is_elsewhere(event)
            if self.elsewhere:
                self.kind = "system"
            elif isinstance(event, Utterance):
                self._say(event)
            elif isinstance(event, Query):
                self._ask_kb(event)
            else:
                self._learn(event)

    def _is_elsewhere(self, event: Utterance | Query | Result) -> bool:
        """True if an event of the system belongs to another task.

        A result, and a reply without a decisive label, belong to the task of the event before them.
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
        names = {p.name for p in self.program.parameters if self.slots.filled(p.name)}
        self.slots.hear(text, None if again else self.asked())
        self.fresh_since_query |= self.slots.fresh
        self.changed = self.slots.fresh & names
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
