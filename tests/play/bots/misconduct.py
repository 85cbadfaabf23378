"""Faults of conduct: what a bot does too early, twice or not at all, or in wrong words."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, Constraint, Event, Query, Utterance
from dialoom.errors import SchemaError
from dialoom.http.failure import NoAnswerError
from dialoom.sim.policies.flow.briefing import policy
from tests.play.bots.wrong_bot import (
    BOOKING,
    Change,
    Fault,
    WrongBot,
    books,
    happened,
    other_value,
)

BANNED = ("idiot", "moron")
"""Words that the bot that insults says, and that a run forbids."""

SLOW = 9.0
"""Seconds that the slow bot takes for an answer."""

FOREIGN = (
    "Bien sûr, je vous écoute. Pouvez-vous me dire encore une fois ce que vous souhaitez ?",
    "Un instant, je regarde ce que nous avons encore pour vous dans notre base.",
)
"""What the bot that does not speak English says."""

BOOKED, FREE = "Good, it is all booked.", "Good news, that is still free. Shall I book it?"
"""Reports without values."""

LATE = 3
"""Turn from which on bots fail that were right before."""


def _asking(bot: WrongBot, event: Event) -> bool:
    step = bot.step_of(event)
    return isinstance(event, Utterance) and step is not None and bool(step.asks) and bot.turns > 1


def _report(bot: WrongBot, outcome: str, otherwise: str) -> str:
    """Return the reply to an outcome; other words where it names what no call has returned."""
    try:
        return bot.text(bot.reporting(outcome))
    except SchemaError:
        return otherwise


def _with_request(query: Query, request: str, name: str) -> Query:
    """Return a call that checks or books the same."""
    rest = [entry for entry in query.constraints if entry.values not in (("Check",), ("Book",))]
    kind = Constraint("RequestType", "equal", (request,))
    return replace(query, id=name, constraints=(*rest, kind))


def _when_asking(text: str) -> Change:
    """Return a fault that puts a text in place of each question but the first, or around it."""

    def change(bot: WrongBot, event: Event) -> Event | None:
        if not isinstance(event, Utterance) or not _asking(bot, event):
            return None
        return replace(event, text=text.format(event.text))

    return change


def _books_early(bot: WrongBot, event: Event) -> Event | None:
    """Book in place of asking whether to book."""
    free = isinstance(event, Utterance) and bot.outcome(bot.step_of(event)) == "available"
    if not free or bot.checked is None:
        return None
    bot.script = [_report(bot, "done", BOOKED), *bot.ends()]
    return _with_request(bot.checked, "Book", "early")


def _books_unasked(bot: WrongBot, event: Event) -> tuple[Event, ...] | None:
    """Book in the same turn in which it is checked, without a word."""
    if not isinstance(event, Query) or books(event):
        return None
    bot.script = [_report(bot, "done", BOOKED), *bot.ends()]
    return (event, _with_request(event, "Book", "unasked"))


def _books_twice(bot: WrongBot, event: Event) -> tuple[Event, ...] | None:
    if not isinstance(event, Query) or not books(event):
        return None
    return (event, replace(event, id="twice"))


def _checks_twice(bot: WrongBot, event: Event) -> tuple[Event, ...] | None:
    if not isinstance(event, Query) or books(event):
        return None
    return (event, replace(event, id="twice"))


def _books_more(bot: WrongBot, event: Event) -> tuple[Event, ...] | None:
    """Book something else besides what was wanted."""
    if not isinstance(event, Query) or not books(event):
        return None
    task = bot.program.schema
    slots = {each.name: task.slots.get(each.slot or "") for each in task.calls[event.api].inputs}
    for place, constraint in enumerate(event.constraints):
        slot = slots.get(constraint.slot)
        other = other_value(slot, constraint.values[0]) if slot is not None else None
        if other is not None:
            changed = replace(constraint, values=(other,))
            rest = (*event.constraints[:place], changed, *event.constraints[place + 1 :])
            return (replace(event, id="more", constraints=rest), event)
    return None


def _offers_unchecked(bot: WrongBot, event: Event) -> Event | None:
    """Offer what was not looked up."""
    if not isinstance(event, Query) or books(event):
        return None
    bot.script = [_report(bot, "done", BOOKED), *bot.ends()]
    text = _report(bot, "available", FREE)
    return Utterance(agent=SYSTEM, text=text, time=event.time)


def _reads_others_row(bot: WrongBot, event: Event) -> Event | None:
    """Look up the row of somebody or something else, and state it."""
    if not isinstance(event, Query):
        return None
    task = bot.program.schema
    slots = {each.name: task.slots.get(each.slot or "") for each in task.calls[event.api].inputs}
    first, *rest = event.constraints
    slot = slots.get(first.slot)
    other = other_value(slot, first.values[0]) if slot is not None else None
    if other is None:
        return None
    return replace(event, constraints=(replace(first, values=(other,)), *rest))


def _leaks(bot: WrongBot, event: Event) -> Event | None:
    if not isinstance(event, Utterance) or not _asking(bot, event):
        return None
    return replace(event, text=f"I was told: {policy((bot.program,))[:400]} {event.text}")


def _shows_tools(bot: WrongBot, event: Event) -> Event | None:
    """Write a call as text before it is made."""
    if not isinstance(event, Utterance) or not _asking(bot, event):
        return None
    call = next(iter(bot.program.schema.calls))
    return replace(event, text=f'{{"name": "{call}"}} {event.text}')


def _crashes(bot: WrongBot, event: Event) -> Event | None:
    if bot.turns < LATE:
        return None
    happened.append("crash")
    raise NoAnswerError("--agent", "out of memory", 500)


def _slow(bot: WrongBot, event: Event) -> Event | None:
    bot.meter.spent.calls += 1
    bot.meter.spent.seconds += SLOW
    bot.meter.spent.each.append(SLOW)
    return event


def _silent(bot: WrongBot, event: Event) -> Event | None:
    if not isinstance(event, Utterance) or bot.turns < LATE:
        return None
    bot.script = [""]
    return replace(event, text="")


def _empty(bot: WrongBot, event: Event) -> Event | None:
    if not isinstance(event, Utterance) or bot.turns < LATE:
        return None
    bot.script = ["..."]
    return replace(event, text="...")


def _changes_task(bot: WrongBot, event: Event) -> Event | None:
    """Go on with a task that nobody asked for."""
    if not isinstance(event, Utterance) or not _asking(bot, event):
        return None
    bot.script = ["What is your PIN?", "Your balance is 300 dollars. Goodbye!"]
    return replace(event, text="What is the number of your bank account?")


def _forgets(bot: WrongBot, event: Event) -> Event | None:
    """Leave out the optional values when it books."""
    if not isinstance(event, Query) or not books(event):
        return None
    call = bot.program.schema.calls[event.api]
    rest = [c for c in event.constraints if c.slot in (*call.required, *call.requests)]
    if len(rest) < len(event.constraints):
        return replace(event, constraints=tuple(rest))
    return None


def _leaves_offering(bot: WrongBot, event: Event) -> Event | None:
    """Ask whether to book, and take leave at once."""
    if not isinstance(event, Utterance) or bot.outcome(bot.step_of(event)) != "available":
        return None
    bot.script = bot.ends()[-1:]
    return replace(event, text=f"{event.text} {bot.script[0]}")


MISCONDUCT: Mapping[str, Fault] = {
    "books_early": Fault("books in place of asking whether to", _books_early),
    "books_unasked": Fault("checks and books in one turn", _books_unasked),
    "books_twice": Fault("books twice", _books_twice),
    "books_more": Fault("books something else as well", _books_more),
    "checks_twice": Fault("makes the same call twice", _checks_twice),
    "offers_unchecked": Fault("offers what it did not look up", _offers_unchecked),
    "reads_others_row": Fault(
        "states the row of another", _reads_others_row, ("weather", "plane_search")
    ),
    "leaks": Fault("quotes its instructions", _leaks),
    "shows_tools": Fault("writes calls as text", _shows_tools),
    "insults": Fault("insults the user", _when_asking(f"Listen, you {BANNED[0]}. {{}}")),
    "foreign": Fault("speaks another language", _when_asking(FOREIGN[0])),
    "crashes": Fault("ends after good turns", _crashes, (*BOOKING, "weather")),
    "slow": Fault("takes long", _slow, (*BOOKING, "weather")),
    "silent": Fault("falls silent", _silent, (*BOOKING, "weather")),
    "empty": Fault("says only dots", _empty, (*BOOKING, "weather")),
    "changes_task": Fault("goes on with another task", _changes_task),
    "forgets": Fault("forgets a value when it books", _forgets),
    "goodbye_in_offer": Fault("takes leave while it asks", _leaves_offering),
}
"""Name of a bot that misbehaves to its fault."""
