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

The services are read off the states: a turn's metadata names all slots of all domains. The
published ontology, `ontology.json` next to the dialogues, gives the values of a slot. A slot with
few values there (`MOST`) is categorical, as in the schema of MultiWOZ 2.2 (Zang et al. 2020).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from dialoom.corpus.files import parse_json
from dialoom.corpus.listing import listed
from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Result, Scenario, State
from dialoom.dialogue.annotation import Value
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import PAIR, Annotation, Fields, reading, said, state_of
from dialoom.formats.base.values import at, without
from dialoom.formats.multiwoz.acts import mark, system_acts
from dialoom.schema.lexicon import split_name
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema

PARTS = "book", "semi"
"""The keys of a domain's state."""

BOOK = "book "
"""Prefix of the slots of a booking."""

MOST = 8
"""Most values of a categorical slot, `dontcare` and the like aside. In MultiWOZ 2.2's schema the
categorical slot with most values has 8: the length of a stay."""

LOOKED = 20
"""Dialogues whose first states are looked at; in all at hand the first one names every slot."""

NO_VALUES = frozenset({"dontcare", "do n't care", "none", "not mentioned", ""})
"""Entries of the ontology that are no values of a slot."""

ONTOLOGY = "ontology.json"
"""Name of the file that lists the values of each slot."""

OWNS = re.compile(r"(?:[^/]+/){0,3}(?![^/]*ListFile)[^/]+\.jsonl?")
"""Matches the names of the files of dialogues; lists of the ids of a part are none."""


def read_schemas(path: Path) -> dict[str, TaskSchema]:
    """Return the services of a corpus, or of a file of it; empty if its states name no slot."""
    files = [file for file in listed(path, OWNS) if file.name != ONTOLOGY]
    value = parse_json(content(files[0]), files[0]) if files else None
    entries = value.values() if isinstance(value, dict) else value
    domains: dict[str, dict[str, None]] = {}
    dialogues = islice(entries if entries is not None else (), LOOKED)
    for turn in (turn for dialogue in dialogues for turn in at(dialogue, list, "log")):
        for domain, parts in at(turn, dict, "metadata").items():  # some domains have no slots
            domains.setdefault(domain, {}).update(dict.fromkeys(slots_of(parts)))
    root = path if path.is_dir() else path.parent
    file = root / ONTOLOGY
    ontology = at(parse_json(content(file), file) if file.is_file() else {}, dict)
    services = {
        domain: Service(
            slots=tuple(_slots(domain, slots, ontology)), intents=tuple(_intents(domain, slots))
        )
        for domain, slots in domains.items()
    }
    return {domain: from_service(domain, each) for domain, each in services.items()}


def _intents(domain: str, names: Iterable[str]) -> Iterator[ServiceIntent]:
    """Yield the intents of a domain, as MultiWOZ 2.2's schema has them; all slots are optional."""
    slots: dict[str, Value] = dict.fromkeys(names, "")
    filters = {slot: value for slot, value in slots.items() if not slot.startswith(BOOK)}
    if filters:
        yield ServiceIntent(name=f"find_{domain}", description=f"find a {domain}", optional=filters)
    if len(filters) < len(slots):
        yield ServiceIntent(
            name=f"book_{domain}",
            description=f"book a {domain}",
            transactional=True,
            optional=slots,
        )


def slots_of(parts: Any) -> dict[str, Any]:
    """Return slot to value of a domain's state; the slots of a booking begin with "book"."""
    book = without(at(parts, dict, "book"), "booked")
    return at(parts, dict, "semi") | {f"{BOOK}{slot}": value for slot, value in book.items()}


def unread(domains: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a turn's metadata has in addition to slots and bookings, by domain."""
    others = {domain: _other(parts) for domain, parts in domains.items()}
    return {domain: other for domain, other in others.items() if other != {}}


def _other(parts: Any) -> Any:
    if not isinstance(parts, dict):
        return parts
    rest = {key: parts[key] for key in parts if key not in PARTS or type(parts[key]) is not dict}
    booked = at(parts, dict, "book").get("booked", [])
    other = [e for e in booked if type(e) is not dict] if type(booked) is list else booked
    return rest | ({"book": {"booked": other}} if other else {})


def _slots(domain: str, names: Iterable[str], ontology: Mapping[str, Any]) -> Iterator[ServiceSlot]:
    for name in names:
        kind = "book" if name.startswith(BOOK) else "semi"
        bare = name.removeprefix(BOOK)
        entry = ontology.get(f"{domain}-{name}", ontology.get(f"{domain}-{kind}-{bare}"))
        choices = at(entry, list)
        values = tuple(v for v in choices if isinstance(v, str) and v not in NO_VALUES)
        few = 0 < len(values) <= MOST
        yield ServiceSlot(
            name=name,
            description=_described(domain, name),
            categorical=few,
            possible_values=values if few else (),
        )


def _described(domain: str, name: str) -> str:
    if name.startswith(BOOK):
        return f"{name.removeprefix(BOOK)} of the {domain} booking"
    return f"{' '.join(split_name(name))} of the {domain}"


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
