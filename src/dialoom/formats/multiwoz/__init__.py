"""MultiWOZ 2.0 to 2.4 as `data.json` (Budzianowski et al. 2018; Eric et al. 2019; Ye et al. 2021).

    {"SNG01.json": {"goal": {"hotel": {"info": {"area": "east"}, "reqt": ["phone"]}}, "log": [
      {"text": "A hotel in the east .", "metadata": {}, "dialog_act": {"Hotel-Inform":
         [["Area", "east"]]}, "span_info": [["Hotel-Inform", "Area", "east", 4, 4]]},
      {"text": "For how many ?", "metadata": {"hotel": {"book": {"booked": [], "people": ""},
         "semi": {"area": "east", "name": "not mentioned"}}}, "dialog_act": …}]}}

Entries of a log alternate, the user's first. The metadata of an entry of the system is the state
after the user's entry before it, where it is kept; a slot of `book` has that prefix. An entry
`booked` that the entry before did not have is a result. A span is given by words, and becomes one
of characters. The acts of the system that MultiWOZ 2.0 has in a file next to it
(`dialogue_acts.json`) are read, too. Lists of the ids of a part (`valListFile.json`) are left out.
MultiWOZ 2.2 is in SGD's layout, and read as `sgd`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Result, Scenario, State
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import PAIR, Annotation, Fields, reading, said, state_of
from dialoom.formats.base.values import at
from dialoom.formats.multiwoz.acts import mark, system_acts
from dialoom.formats.multiwoz.schemas import OWNS, read_schemas, slots_of, unread

UNSET = ("", "not mentioned", "none")
"""Values of slots that nobody spoke of, as the corpus' evaluation has them (Nekvinda and Dušek
2021); all but the first are kept in `extra`."""

_NO_DOMAINS = ("topic", "message")
"""Keys of a goal that are no domains."""

EITHER = "|"
"""The separator of the values of a slot that may have any of them (MultiWOZ 2.1 and later)."""


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    name = raw.scalar("dialogue_idx") or raw.scalar("dialogue_id") or key
    goal = raw.take("goal", dict)
    turns = list(raw.objects("log", "turn", key))
    states = [turn.take("metadata", dict) for turn in turns]
    acts = system_acts(raw.place.file).get(name.removesuffix(".json"))
    events: list[Event] = []
    for index, turn in enumerate(turns):
        number = str((index + 1) // 2)
        if index % 2 and isinstance(acts, dict) and number in acts:
            turn.rest.setdefault("dialog_act", acts[number])
        agent = SYSTEM if index % 2 else USER
        if agent == USER and states[index]:
            what = (
                "a user's entry has a state in 'metadata'; logs begin with the user and alternate"
            )
            raise turn.place.error(what, code="out-of-order")
        text, marks = turn.needed("text", str), Annotation()
        state = states[index] or (states[index + 1] if index + 1 < len(states) else {})
        slots = {domain: slots_of(entry) for domain, entry in state.items()}
        mark(turn, text, marks, words=True, slots=slots)
        if agent == USER:
            _state(states[index + 1] if index + 1 < len(states) else {}, marks)
        else:
            events += _booked(states[index], states[index - 2] if index > 1 else {})
            if other := unread(states[index]):
                turn.rest["metadata"] = other
        events.append(said(agent, text, marks, turn))
    services = (each for each in goal if at(goal, dict, each) and each not in _NO_DOMAINS)
    scenario = Scenario(goal=goal) if goal else None
    return raw.dialogue(name or str(origin.index), events, origin, services, scenario=scenario)


def _state(domains: Mapping[str, Any], marks: Annotation) -> None:
    for domain, entry in domains.items():
        if isinstance(entry, dict):
            slots = {
                slot: value.split(EITHER) if type(value) is str and EITHER in value else value
                for slot, value in slots_of(entry).items()
            }
            state = state_of(slots, UNSET)
            marks.state(domain, state if state.values or state.extra else State())


def _booked(now: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[Result]:
    for domain, entry in now.items():
        items, old = _bookings(entry), _bookings(before.get(domain))
        if items and items != old:
            yield Result(items=tuple(each for each in items if each not in old), api=domain)


def _bookings(entry: Any) -> list[Any]:
    return [each for each in at(entry, list, "book", "booked") if isinstance(each, dict)]


FORMAT = reading(
    "multiwoz",
    _dialogue,
    Signs("log[].metadata", "log[].text", keyed=True),
    Signs("log[].metadata", "log[].text"),
    owns=OWNS,
    single="log",
    traits=PAIR._replace(inferred=True),
    read_schemas=read_schemas,
)
