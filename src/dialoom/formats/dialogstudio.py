"""DialogStudio's converted files (Zhang et al. 2024): one layout for many corpora, by id.

    {"KVRET--train--1": {"original dialog id": "1f", "dialog index": 1,
      "original dialog info": {"services": ["navigate"]}, "log": [
        {"turn id": 1, "user utterance": "Any coffee near?", "system response": "Ada's is.",
         "dialog history": "", "original user side information": {…},
         "original system side information": {…}, "dst": "navigate poi_type coffee",
         "dst accumulated": "navigate poi_type coffee", "intent": "navigate"}],
      "external knowledge non-flat": {"metadata": {…}, "slots and values": {…}, "intents": {…}},
      "external knowledge": "…", "dst knowledge": "…", "intent knowledge": "…", "prompt": […]}}

Either side of an exchange may be empty; such an utterance is none, and the other one gets its
fields. The state is `dst accumulated`: a domain, a slot and a value each. It is read if all domains
are known ones (`services`, those in `slots and values`; else the first one is the only one) and all
slots, too (those in `slots and values`, or of one word); else it stays a text. Frames of SGD in the
side information are read like SGD's, and give acts, spans and state instead; so are events of
BiToD, whose state says which values are excluded. The dialogue so far (`dialog history`) is left
out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial

from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, State, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.dialogue import Dialogue, Origin, Scenario
from dialoom.formats import bitod
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import Annotation, Fields, reading, said, with_text
from dialoom.formats.base.values import Json, at
from dialoom.formats.sgd import lenient
from dialoom.formats.turns import OTHERS

SIDES = {"user utterance": USER, "system response": SYSTEM}
KNOWLEDGE = "external knowledge non-flat"
STATES = "dst accumulated"
SEPARATOR = ","

_States = Callable[[str], dict[str, dict[str, tuple[Value, ...]]]]
"""Returns the states of a text by domain; empty if it cannot be read without doubt."""


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    name = key or raw.scalar("new dialog id") or raw.scalar("original dialog id")
    info = raw.take("original dialog info", dict)
    domains = info.get("services")
    listed = tuple(map(str, domains)) if isinstance(domains, list) else None
    mapping = at(raw.rest, dict, KNOWLEDGE, "slots and values")
    groups = (each for each, group in mapping.items() if isinstance(group, Mapping))
    states = partial(_states, slots=_slots(mapping), domains={*groups, *(listed or ())})
    events: list[Event] = []
    for turn in raw.objects("log", "exchange", name):
        turn.rest.pop("dialog history", None)
        texts = {agent: turn.needed(side, str) for side, agent in SIDES.items()}
        spoken = {agent: text for agent, text in texts.items() if text}
        sides = {agent: turn.take(f"original {agent} side information", dict) for agent in spoken}
        for agent, text in spoken.items():
            about = Fields(sides[agent], turn.place, agent)
            batch = _events(agent, text, about, turn, states)
            events += [_numbered(each, len(events)) for each in batch]
            turn.rest = {}
        if not spoken:
            raw.rest.setdefault(OTHERS, []).append([turn.place.event, turn.rest])
    services = _services(events) if listed is None else listed
    scenario = Scenario(extra=info) if info else None
    return raw.dialogue(name or str(origin.index), events, origin, services, scenario=scenario)


def _events(agent: str, text: str, about: Fields, turn: Fields, states_of: _States) -> list[Event]:
    """Return an utterance, and the calls in its frames before it."""
    frames = about.rest.get("frames")
    if isinstance(frames, list) and all(map(with_text("service"), frames)):
        del about.rest["frames"]
        speaker = "USER" if agent == USER else "SYSTEM"
        sgd = {"speaker": speaker, "utterance": text, "frames": frames}
        whole = {"dialogue_id": "", "services": [], "turns": [sgd]}
        events = list(lenient.dialogue(whole, about.place.file, Origin("")).events)
        spoken = events.pop()
        if isinstance(spoken, Utterance):
            rest = spoken.extra | about.rest | turn.rest
            return [*events, replace(spoken, extra=rest)]
    marks = Annotation()
    states = turn.rest.get(STATES, turn.rest.get("dst"))
    if about.rest.get("Agent") in bitod.SIDES and isinstance(about.rest.get("Actions"), list):
        bitod.mark(about, agent, marks)
    elif agent == USER and isinstance(states, str):
        for domain, values in states_of(states).items():
            marks.state(domain, State(values=values))
    about.rest |= turn.rest
    return [said(agent, text, marks, about)]


def _numbered(event: Event, number: int) -> Event:
    if isinstance(event, Query):
        return replace(event, id=f"{number}-{event.id}")
    if isinstance(event, Result) and event.query:
        return replace(event, query=f"{number}-{event.query}")
    return event


def _services(events: list[Event]) -> tuple[str, ...]:
    layers = [layer for event in events if isinstance(event, Utterance) for layer in event.layers]
    domains = [part.service for layer in layers for part in layer.parts]
    return tuple(dict.fromkeys(filter(None, domains)))


def _slots(mapping: Json) -> set[str]:
    """Return the names of slots of several words; those of one word need no list."""
    inner = [slot for group in mapping.values() if isinstance(group, Mapping) for slot in group]
    return {slot for slot in (*mapping, *inner) if " " in slot}


def _states(
    text: str, slots: Collection[str], domains: Collection[str]
) -> dict[str, dict[str, tuple[Value, ...]]]:
    states: dict[str, dict[str, tuple[Value, ...]]] = {}
    for piece in filter(None, map(str.strip, text.split(SEPARATOR))):
        domain, _, rest = piece.partition(" ")
        slot = next((each for each in slots if rest.startswith(f"{each} ")), rest.split(" ")[0])
        value = rest[len(slot) :].strip()
        domains = domains or {domain}
        if not slot or not value or domain not in domains:
            return {}
        states.setdefault(domain, {})[slot] = (value,)
    return states


FORMAT = reading(
    "dialogstudio",
    _dialogue,
    Signs("log[].user utterance", "log[].system response", keyed=True),
    Signs("log[].user utterance", "log[].system response"),
    single="log",
)
