"""Bots that are wrong in one way, to see whether users contradict them or the verdict fails them.

    WRONG["other_time"].what             # "states another time than the user said"
    WrongBots("other_time:formal")       # agents with that fault, in formal words

Each bot is a flow agent that hears users rightly, up to its fault. `happened` lists what the bot of
the running dialogue said or did wrong: a fault that never came up is not to be found.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Constraint, Event, Query, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import label
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.schema.slot import Slot
from dialoom.schema.values import render
from tests.play.bots.bots import FreeBot, FreeBots

NEEDLESS = "What is the colour of your grandmother's bicycle?"
"""A question that no task needs."""

BOOKING = ("hotel_book", "restaurant_book", "doctor_schedule", "ride_book")
"""Tasks that book something."""

REPORTS = frozenset({"available", "done", "confirms"})
"""Outcomes whose replies state what is or will be booked."""

happened: list[str] = []
"""What was said or done wrong in the running dialogue."""


class WrongBot(FreeBot):
    """A bot with a fault, which may change each of its events or end its part by a script."""

    def __init__(self, made: FreeBot, fault: Fault) -> None:
        super().__init__(made.agent, made.program, pairs=False, garbled=False)
        self.fault = fault
        self.script: list[str] = []
        self.turns = 0
        self.checked: Query | None = None
        self.answered: str | None = None

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the next utterances or a query, with the fault in them."""
        self.turns += 1
        said = [e for e in events if isinstance(e, Utterance) and e.agent == USER]
        self.answered = label(said[-1])
        if self.script:
            text = self.script.pop(0) if len(self.script) > 1 else self.script[0]
            return (Utterance(agent=SYSTEM, text=text, time=events[-1].time),)
        made: list[Event] = []
        for event in self.agent.reply(events):
            wrong = self.fault.change(self, event)
            made.append(event if wrong is None else wrong)
            self.checked = event if isinstance(event, Query) else self.checked
            if wrong is not None:
                happened.append(wrong.text if isinstance(wrong, Utterance) else str(wrong))
            if self.script:
                break
        return tuple(self._bare(made))

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


Change = Callable[[WrongBot, Event], Event | None]
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


class WrongBots(FreeBots):
    """Agents with a fault: its name, a colon, and a style of `FreeBots`."""

    def __init__(self, settings: str) -> None:
        name, _, style = settings.partition(":")
        super().__init__(f"{style or 'task'}+acts")
        self.fault = WRONG[name]

    def _bot(self, program: TaskProgram, seed: bytes) -> FreeBot:
        bot = super()._bot(program, seed)
        bot.pairs = False
        return WrongBot(bot, self.fault)


def _other(slot: Slot, value: Any) -> Any:
    """Return another value of a slot; None where it has none."""
    if slot.type == "time":
        hour, _, rest = str(value).partition(":")
        return f"{(int(hour) + 2) % 12 + 12:02}:{rest}"
    if slot.type == "date":
        return str(datetime.date.fromisoformat(value) + datetime.timedelta(days=2))
    if slot.type == "integer":
        return int(value) + 2
    return next((each for each in (*slot.values, *slot.examples) if each != value), None)


def _restates(*types: str) -> Change:
    """Return a fault that states another value than the user's for a slot of some types."""

    def change(bot: WrongBot, event: Event) -> Event | None:
        if not isinstance(event, Utterance) or bot.outcome(bot.step_of(event)) not in REPORTS:
            return None
        for name, said in bot.agent.state.said.items():
            slot = bot.program.schema.slots[name]
            other = _other(slot, said.canonical) if slot.type in types else None
            for form in render(slot, said.canonical, "en") if other is not None else ():
                if form in event.text:
                    return replace(event, text=event.text.replace(form, render(slot, other)[0]))
        return None

    return change


def _books_other(bot: WrongBot, event: Event) -> Event | None:
    """Book with another value than was confirmed."""
    if not isinstance(event, Query) or not _books(event):
        return None
    slots = bot.program.schema.slots
    inputs = {
        each.name: slots.get(each.slot or "") for each in bot.program.schema.calls[event.api].inputs
    }
    for place, held in enumerate(event.constraints):
        slot = inputs.get(held.slot)
        other = _other(slot, held.values[0]) if slot is not None else None
        if other is not None:
            changed = replace(held, values=(other,))
            rest = (*event.constraints[:place], changed, *event.constraints[place + 1 :])
            return replace(event, constraints=rest)
    return None


def _books(query: Query) -> bool:
    return any(each.values == ("Book",) for each in query.constraints)


def _asks_needless(bot: WrongBot, event: Event) -> Event | None:
    """Ask for something that no task has, in place of the second question."""
    step = bot.step_of(event)
    if not isinstance(event, Utterance) or step is None or not step.asks or bot.turns < 2:
        return None
    return replace(event, text=NEEDLESS)


def _asks_again(bot: WrongBot, event: Event) -> Event | None:
    """Ask for a value that the user has just given, once more."""
    step, state = bot.step_of(event), bot.agent.state
    if not isinstance(event, Utterance) or step is None or not step.asks:
        return None
    known = [s for s in bot.program.steps.values() if s.asks and not s.asks & ~state.known]
    if not known:
        return None
    asked = state.asked
    text = bot.text(known[0])
    state.asked = asked
    return replace(event, text=text)


def _never_stops(bot: WrongBot, event: Event) -> Event | None:
    """Ask for known values for ever, in place of a call."""
    known = [
        s for s in bot.program.steps.values() if s.asks and not s.asks & ~bot.agent.state.known
    ]
    if not isinstance(event, Query) or not known:
        return None
    bot.script = [bot.text(each) for each in known] * 40
    return Utterance(agent=SYSTEM, text=bot.script.pop(0), time=event.time)


def _claims_success(bot: WrongBot, event: Event) -> Event | None:
    """Say that it is booked, without booking it."""
    if not isinstance(event, Query) or not _books(event):
        return None
    bot.script = bot.ends()
    return Utterance(agent=SYSTEM, text=bot.text(bot.reporting("done")), time=event.time)


def _claims_failure(bot: WrongBot, event: Event) -> Event | None:
    """Say that the booking failed, though it succeeded."""
    if not isinstance(event, Utterance) or bot.outcome(bot.step_of(event)) != "done":
        return None
    bot.script = bot.ends()
    return replace(event, text=bot.text(bot.reporting("failed")))


def _wrong_row(bot: WrongBot, event: Event) -> Event | None:
    """State another value of the row that was found than it has."""
    if not isinstance(event, Utterance) or bot.outcome(bot.step_of(event)) != "found":
        return None
    said = {said.canonical for said in bot.agent.state.said.values()}
    shown = bot.agent.state.shown
    for name, value in sorted(shown.items(), key=lambda held: not isinstance(held[1], int)):
        column = bot.program.columns[bot.agent.state.api].get(name)
        if column is None or value in said or name in ("RequestType",):
            continue
        form = bot.program.words.show(column, value).text
        if form and form in event.text:
            other = str(int(value) + 4) if isinstance(value, int) else "purple"
            return replace(event, text=event.text.replace(form, other))
    return None


def _leaves(bot: WrongBot, event: Event) -> Event | None:
    """Take leave in place of a call."""
    if not isinstance(event, Query):
        return None
    bot.script = bot.ends()[-1:]
    return Utterance(agent=SYSTEM, text=bot.script[0], time=event.time)


def _greets_with_goodbye(bot: WrongBot, event: Event) -> Event | None:
    """Say goodbye first."""
    bot.script = bot.ends()[-1:]
    return Utterance(agent=SYSTEM, text=bot.script[0], time=event.time)


def _answers_other(bot: WrongBot, event: Event) -> Event | None:
    """Ask whether there is more, in place of telling what was found."""
    if not isinstance(event, Utterance) or bot.outcome(bot.step_of(event)) != "found":
        return None
    bot.script = bot.ends()
    return replace(event, text=bot.script.pop(0) if len(bot.script) > 1 else bot.script[0])


def _books_refused(bot: WrongBot, event: Event) -> Event | None:
    """Book what the user has just refused."""
    answer = bot.program.steps.get(bot.answered or "")
    if answer is None or not answer.forget or bot.checked is None or bot.checked is event:
        return None
    values = [each for each in bot.checked.constraints if each.values != ("Check",)]
    kind = Constraint("RequestType", "equal", ("Book",))
    bot.script = bot.ends()
    return replace(bot.checked, id="refused", constraints=(*values, kind))


WRONG: Mapping[str, Fault] = {
    "other_place": Fault("states another place or person", _restates("category")),
    "other_time": Fault("states another time or day", _restates("time", "date")),
    "other_number": Fault("states another number", _restates("integer"), ("restaurant_book",)),
    "other_name": Fault(
        "states another name", _restates("short text"), ("hotel_book", "ride_book")
    ),
    "books_other": Fault("books something else than it confirmed", _books_other),
    "asks_needless": Fault("asks what no task needs", _asks_needless, repeats=False),
    "asks_again": Fault("asks for what was just said", _asks_again),
    "never_stops": Fault("asks for ever", _never_stops),
    "claims_success": Fault("claims a booking that it did not make", _claims_success),
    "claims_failure": Fault("claims a failure of a booking that it made", _claims_failure),
    "wrong_row": Fault("states a wrong row", _wrong_row, ("weather", "plane_search")),
    "leaves": Fault("takes leave without the task done", _leaves, (*BOOKING, "weather")),
    "goodbye_first": Fault("says goodbye first", _greets_with_goodbye),
    "books_refused": Fault("books what the user refused", _books_refused),
    "answers_other": Fault("tells nothing of what was found", _answers_other, ("weather",)),
}
"""Name of a wrong bot to its fault."""
