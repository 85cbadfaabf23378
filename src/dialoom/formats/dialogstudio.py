"""DialogStudio's converted files (Zhang et al. 2024): one layout for many corpora, by id.

    {"KVRET--train--1": {"original dialog id": "1f", "dialog index": 1,
      "original dialog info": {"services": ["navigate"]}, "log": [
        {"turn id": 1, "user utterance": "Any coffee near?", "system response": "Ada's is.",
         "dialog history": "", "original user side information": {…},
         "original system side information": {…}, "dst": "navigate poi_type coffee",
         "dst accumulated": "navigate poi_type coffee", "intent": "navigate"}],
      "external knowledge non-flat": {"metadata": {…}, "slots and values": {…}, "intents": {…}},
      "external knowledge": "…", "dst knowledge": "…", "intent knowledge": "…", "prompt": […]}}

Either side of an exchange may be empty; such an utterance is none. The state is `dst accumulated`:
a domain, a slot and a value each, which is read if all slots are known ones (those in `slots and
values`, or of one word); else it stays a text. Frames of SGD in the side information are read like
SGD's, and give acts, spans and state instead; so are events of BiToD, whose state says which values
are excluded. The dialogue so far (`dialog history`) is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Dialogue,
    Event,
    Origin,
    Query,
    Result,
    Scenario,
    State,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.formats import bitod
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import Annotation, Fields, reading, said, with_text
from dialoom.formats.base.values import Json, at
from dialoom.formats.sgd import lenient

SIDES = {"user utterance": USER, "system response": SYSTEM}
KNOWLEDGE = "external knowledge non-flat"
STATES = "dst accumulated"
SEPARATOR = ","


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    name = key or raw.scalar("new dialog id") or raw.scalar("original dialog id")
    info = raw.take("original dialog info", dict)
    slots = _slots(at(raw.rest, dict, KNOWLEDGE, "slots and values"))
    events: list[Event] = []
    for turn in raw.objects("log", "exchange", name):
        turn.rest.pop("dialog history", None)
        for side, agent in SIDES.items():
            text = turn.needed(side, str)
            about = Fields(turn.take(f"original {agent} side information", dict), turn.place, side)
            if agent == SYSTEM:
                turn.rest = {}
            if text:
                found = _events(agent, text, about, turn, slots)
                events += [_numbered(each, len(events)) for each in found]
    listed = info.get("services")
    services = tuple(map(str, listed)) if isinstance(listed, list) else _services(events)
    scenario = Scenario(extra=info) if info else None
    return raw.dialogue(name or str(origin.index), events, origin, services, scenario=scenario)


def _events(
    agent: str, text: str, about: Fields, turn: Fields, slots: Collection[str]
) -> list[Event]:
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
        for domain, values in _states(states, slots).items():
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
    named = [part.service for layer in layers for part in layer.parts]
    return tuple(dict.fromkeys(filter(None, named)))


def _slots(known: Json) -> set[str]:
    """Return the names of slots of several words; those of one word need no list."""
    inner = [slot for held in known.values() if isinstance(held, Mapping) for slot in held]
    return {slot for slot in (*known, *inner) if " " in slot}


def _states(text: str, slots: Collection[str]) -> dict[str, dict[str, tuple[Value, ...]]]:
    """Return the states of a text by domain; empty if it cannot be read without doubt."""
    found: dict[str, dict[str, tuple[Value, ...]]] = {}
    for piece in filter(None, map(str.strip, text.split(SEPARATOR))):
        domain, _, rest = piece.partition(" ")
        slot = next((each for each in slots if rest.startswith(f"{each} ")), rest.split(" ")[0])
        value = rest[len(slot) :].strip()
        if not slot or not value:
            return {}
        found.setdefault(domain, {})[slot] = (value,)
    return found


FORMAT = reading(
    "dialogstudio",
    _dialogue,
    Signs("log[].user utterance", "log[].system response", keyed=True),
    Signs("log[].user utterance", "log[].system response"),
    single="log",
)
