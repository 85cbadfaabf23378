"""A bot with a fault: a flow agent that hears users rightly, up to the fault.

`happened` lists what the bot of the running dialogue said or did wrong: a fault that never came up
is not to be found.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any

from dialoom.dialogue import SYSTEM, USER, Event, Query, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import label
from dialoom.flow.node import Step
from dialoom.http.metering import Meter
from dialoom.schema.slot import Slot
from tests.play.bots.bots import FreeBot

BOOKING = ("hotel_book", "restaurant_book", "doctor_schedule", "ride_book")
"""Tasks that book something."""

happened: list[str] = []
"""What was said or done wrong in the running dialogue."""


class WrongBot(FreeBot):
    """A bot with a fault, which may change each of its events or end its part by a script."""

    def __init__(self, made: FreeBot, fault: Fault, meter: Meter) -> None:
        super().__init__(made.agent, made.program, pairs=False, garbled=False)
        self.fault, self.meter = fault, meter
        self.script: list[str] = []
        self.turns = 0
        self.checked: Query | None = None
        self.answered: str | None = None

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the next utterances or a query, with the fault in them."""
        self.turns += 1
        utterances = [e for e in events if isinstance(e, Utterance) and e.agent == USER]
        self.answered = label(utterances[-1])
        if self.script:
            text = self.script.pop(0) if len(self.script) > 1 else self.script[0]
            return (Utterance(agent=SYSTEM, text=text, time=events[-1].time),) if text else ()
        answer: list[Event] = []
        for event in self.agent.reply(events):
            wrong = self.fault.change(self, event)
            self.checked = event if isinstance(event, Query) else self.checked
            if wrong is None:
                answer.append(event)
                continue
            answer += wrong if isinstance(wrong, tuple) else [wrong]
            happened.append(wrong.text if isinstance(wrong, Utterance) else str(wrong))
            if self.script:
                break
        return tuple(self._bare([e for e in answer if not isinstance(e, Utterance) or e.text]))

    def step_of(self, event: Event) -> Step | None:
        """Return the node of a reply or of the query that was just made."""
        if isinstance(event, Utterance) and event.agent == SYSTEM:
            return self.program.steps.get(label(event) or "")
        return self.agent.step if isinstance(event, Query) else None

    def outcome(self, step: Step | None) -> str | None:
        """Return the outcome that a reply reports; "confirms" for a summary."""
        if step is not None and step.node.confirms:
            return "confirms"
        results = [each for each in self.program.steps.values() if each.kind == "result"]
        return next((each.node.outcome for each in results if step in each.then), None)

    def reporting(self, outcome: str) -> Step:
        """Return the reply to an outcome."""
        steps = self.program.steps.values()
        return next(each for each in steps if self.outcome(each) == outcome)

    def text(self, step: Step) -> str:
        """Return what a node says."""
        return self.agent.system.say(step, self.agent.state, 0).text

    def ends(self) -> list[str]:
        """Return the question whether there is more, and the goodbye."""
        steps = list(self.program.steps.values())
        more = next((s for s in steps if s.kind == "system" and s.name == "anything_else"), None)
        bye = next(s for s in steps if s.kind == "system" and not s.then and "bye" in s.name)
        return [self.text(each) for each in (more, bye) if each is not None]


Change = Callable[[WrongBot, Event], Event | tuple[Event, ...] | None]
"""Returns what is said or called in place of an event; None to leave it."""


class Fault(Struct, frozen=True):
    """A way to be wrong.

    Attributes:
        what: What is wrong.
        change: What is said or called in place of an event.
        tasks: The tasks in which it can come up.
        repeats: Whether a user who gives a value again contradicts it.
    """

    what: str
    change: Change
    tasks: tuple[str, ...] = BOOKING
    repeats: bool = True


def books(query: Query) -> bool:
    """Return whether a call books, rather than checks."""
    return any(each.values == ("Book",) for each in query.constraints)


def other_value(slot: Slot, value: Any) -> Any:
    """Return another value of a slot; None where it has none."""
    if slot.type == "time":
        hour, _, rest = str(value).partition(":")
        return f"{(int(hour) + 2) % 12 + 12:02}:{rest}"
    if slot.type == "date":
        return str(datetime.date.fromisoformat(value) + datetime.timedelta(days=2))
    if slot.type == "integer":
        return int(value) + 2
    return next((each for each in (*slot.values, *slot.examples) if each != value), None)
