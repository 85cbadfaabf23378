"""Bots that are wrong in one way, to see whether users contradict them or the verdict fails them.

WRONG["other_time"].what             # "states another time than the user said"
WrongBots("other_time:formal")       # agents with that fault, in formal words
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, Constraint, Event, Query, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.flow.program import TaskProgram
from dialoom.play.agents.base import AgentSeat
from dialoom.schema.values import render
from tests.play.bots.bots import FreeBot, FreeBots
from tests.play.bots.misconduct import MISCONDUCT
from tests.play.bots.wrong_bot import BOOKING, Change, Fault, WrongBot, books, other_value

NEEDLESS = "What is the colour of your grandmother's bicycle?"
"""A question that no task needs."""

REPORTS = frozenset({"available", "done", "confirms"})
"""Outcomes whose replies state what is or will be booked."""


class WrongBots(FreeBots):
    """Agents with a fault: its name, a colon, and a style of `FreeBots`."""

    def __init__(self, settings: str) -> None:
        name, _, style = settings.partition(":")
        super().__init__(f"{style or 'task'}+acts")
        self.fault = WRONG[name]

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent for one dialogue, whose meter the fault may turn."""
        self.meter = seat.meter
        return super().join(seat)

    def _bot(self, program: TaskProgram, seed: bytes) -> FreeBot:
        bot = super()._bot(program, seed)
        bot.pairs = False
        return WrongBot(bot, self.fault, self.meter)


def _restates(*types: str) -> Change:
    """Return a fault that states another value than the user's for a slot of some types."""

    def change(bot: WrongBot, event: Event) -> Event | None:
        if not isinstance(event, Utterance) or bot.outcome(bot.step_of(event)) not in REPORTS:
            return None
        for name, mention in bot.agent.state.said.items():
            slot = bot.program.schema.slots[name]
            other = other_value(slot, mention.canonical) if slot.type in types else None
            for form in render(slot, mention.canonical, "en") if other is not None else ():
                if form in event.text:
                    return replace(event, text=event.text.replace(form, render(slot, other)[0]))
        return None

    return change


def _books_other(bot: WrongBot, event: Event) -> Event | None:
    """Book with another value than was confirmed."""
    if not isinstance(event, Query) or not books(event):
        return None
    slots = bot.program.schema.slots
    inputs = {
        each.name: slots.get(each.slot or "") for each in bot.program.schema.calls[event.api].inputs
    }
    for place, constraint in enumerate(event.constraints):
        slot = inputs.get(constraint.slot)
        other = other_value(slot, constraint.values[0]) if slot is not None else None
        if other is not None:
            changed = replace(constraint, values=(other,))
            rest = (*event.constraints[:place], changed, *event.constraints[place + 1 :])
            return replace(event, constraints=rest)
    return None


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
    questions = [s for s in bot.program.steps.values() if s.asks and not s.asks & ~state.known]
    if not questions:
        return None
    slots = state.asked
    text = bot.text(questions[0])
    state.asked = slots
    return replace(event, text=text)


def _never_stops(bot: WrongBot, event: Event) -> Event | None:
    """Ask for known values for ever, in place of a call."""
    questions = [
        s for s in bot.program.steps.values() if s.asks and not s.asks & ~bot.agent.state.known
    ]
    if not isinstance(event, Query) or not questions:
        return None
    bot.script = [bot.text(each) for each in questions] * 40
    return Utterance(agent=SYSTEM, text=bot.script.pop(0), time=event.time)


def _claims_success(bot: WrongBot, event: Event) -> Event | None:
    """Say that it is booked, without booking it."""
    if not isinstance(event, Query) or not books(event):
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
    speech = {speech.canonical for speech in bot.agent.state.said.values()}
    row = bot.agent.state.shown
    for name, value in sorted(row.items(), key=lambda pair: not isinstance(pair[1], int)):
        column = bot.program.columns[bot.agent.state.api].get(name)
        if column is None or value in speech or name in ("RequestType",):
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
    **MISCONDUCT,
}
"""Name of a wrong bot to its fault."""
