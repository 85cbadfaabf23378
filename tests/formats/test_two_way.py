"""A format for a corpus in a layout like SGD's, in both directions: what a new one takes.

[{"id": "f-1", "services": ["ferry"], "turns": [
  {"speaker": "USER", "text": "Two to Ostby.", "frames": [{"service": "ferry",
    "acts": [{"act": "INFORM", "slot": "port", "values": ["Ostby"]}],
    "spans": [{"slot": "port", "start": 7, "end": 12}],
    "state": {"intent": "find", "requested": [], "values": {"port": ["Ostby"]}}}]}]}]
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Dialogue,
    Layer,
    Origin,
    Part,
    Span,
    State,
    Utterance,
)
from dialoom.dialogue.views import annotated_parts
from dialoom.errors import FormatError
from dialoom.formats.base.codec import Key, Place, Record
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.two_way import JsonFile, two_way
from dialoom.formats.base.values import (
    LIST,
    SCALARS,
    TEXT,
    TEXTS,
    WHOLE,
    ByKey,
    Converted,
    Json,
    Many,
    renamed,
)

SPEAKERS = {"USER": USER, "SYSTEM": SYSTEM}
NAMES = {agent: name for name, agent in SPEAKERS.items()}
AGENT = Converted(
    TEXT, lambda name: SPEAKERS.get(name, name), lambda agent: NAMES.get(agent, agent)
)


def _act(act: str, slot: str, values: tuple[Any, ...], extra: Json) -> Act:
    return Act(act, (Argument(slot, values),) if slot else (), extra)


def _of_act(act: Act) -> Json:
    slot = act.arguments[0] if act.arguments else Argument("")
    return {"act": act.name, "slot": slot.slot, "values": slot.values}


ACT = Record(
    "act",
    _act,
    Key("act", TEXT, needed=True),
    Key("slot", TEXT, nothing=""),
    Key("values", SCALARS, nothing=()),
    fields=_of_act,
)
SPAN = Record(
    "span",
    Span,
    Key("slot", Converted(TEXT, lambda slot: (slot,), lambda labels: labels[0]), to="labels"),
    Key("start", WHOLE, needed=True),
    Key("end", WHOLE, needed=True),
)
STATE = Record(
    "state",
    State,
    Key("intent", TEXT),
    Key("requested", TEXTS, nothing=()),
    Key("values", ByKey(SCALARS), nothing={}),
)
FRAME = Record(
    "frame",
    Part,
    Key("service", TEXT),
    Key("acts", Many(ACT)),
    Key("spans", Many(SPAN)),
    Key("state", STATE, optional=True),
)
TURN = Record(
    "turn",
    lambda frames, extra, **held: Utterance(layers=(Layer(GOLD, frames),), extra=extra, **held),
    Key("speaker", renamed(SPEAKERS), to="agent", needed=True),
    Key("text", TEXT, needed=True),
    Key("frames", Many(FRAME), nothing=()),
    fields=lambda said: {"agent": said.agent, "text": said.text, "frames": annotated_parts(said)},
)
DIALOGUE = Record(
    "dialogue",
    Dialogue,
    Key("id", TEXT, needed=True),
    Key("services", TEXTS, nothing=()),
    Key("turns", LIST, needed=True),
)


def load(raw: Any, file: Path, origin: Origin) -> Dialogue:
    """Return the dialogue of a value; `FormatError` with its place if it is not valid."""
    fields, extra = DIALOGUE.load_fields(raw, Place(file, f"number {origin.index}"))
    turns = enumerate(fields.pop("turns"))
    events = tuple(TURN.load(turn, Place(file, fields["id"], at)) for at, turn in turns)
    return Dialogue(**fields, events=events, origin=origin, extra=extra)


def dump(dialogue: Dialogue) -> Json:
    """Return the value of a dialogue."""
    turns = [TURN.write(each) for each in dialogue.events if isinstance(each, Utterance)]
    fields = {"id": dialogue.id, "services": dialogue.services, "turns": turns}
    return DIALOGUE.write_fields(fields, dialogue.extra)


FORMAT = two_way(
    "ferry",
    JsonFile(load, dump),
    Signs("turns[].frames", Sign("turns[].speaker", *SPEAKERS), "turns[].text"),
    new_name="ferry_{:03d}.json",
)


SPAN_OF_PORT = {"slot": "port", "start": 7, "end": 12}
FRAME_OF_FERRY: Json = {
    "service": "ferry",
    "acts": [{"act": "INFORM", "slot": "port", "values": ["Ostby"], "mood": "glad"}],
    "spans": [SPAN_OF_PORT],
    "state": {"intent": "find", "requested": [], "values": {"port": ["Ostby"]}},
}
ASKS: Json = {"speaker": "USER", "text": "Two to Ostby.", "frames": [FRAME_OF_FERRY]}
CORPUS: list[Json] = [
    {
        "id": "f-1",
        "services": ["ferry"],
        "turns": [ASKS, {"speaker": "SYSTEM", "text": "When?", "frames": [], "note": 2}],
        "weather": "fog",
    }
]


@pytest.mark.parametrize("indent", [2, 4, None])
def test_a_file_is_read_and_comes_back_as_it_was(indent: int | None, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(CORPUS, indent=indent))
    assert FORMAT.detect(file)
    (dialogue,) = FORMAT.read_file(file, tmp_path)
    (part,) = annotated_parts(next(e for e in dialogue.events if isinstance(e, Utterance)))
    assert part.state == State("find", values={"port": ("Ostby",)})
    assert part.spans == (Span(7, 12, ("port",)),)
    assert FORMAT.render_file([dialogue]) == file.read_bytes()


def test_an_error_names_the_place(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps([{"id": "f-1", "turns": [ASKS, {"speaker": "USER"}]}]))
    with pytest.raises(FormatError) as error:
        list(FORMAT.read_file(file, tmp_path))
    assert (error.value.dialogue, error.value.event) == ("f-1", 1)
