"""Any JSON with turns whose speakers are named as user and system: a layout that no format has.

    [{"dialogue_idx": "1f", "dialogue": [{"speaker": "customer", "utterance": "A bus to Bonn."},
                                         {"speaker": "agent", "utterance": "When?"}]}]

A dialogue is an object with one list of turns, or such a list within a list. All turns have one key
of `SPEAKERS` with a name of `NAMED`, and one of `TEXTS` with a text; both sides speak. A file is
refused where two keys would do, `system` speaks besides an assistant, or turns have objects
(annotation, replies) or ids of several dialogues. Dialogues may be within lists and objects. All
other fields stay in `extra`. A file that a format recognises is never read so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from dialoom.corpus.files import parse_json
from dialoom.dialogue import SYSTEM, USER, Dialogue, Origin
from dialoom.formats.base.codec import Place
from dialoom.formats.base.framing import LINES, LIST, OBJECT
from dialoom.formats.base.multi_file import FileFormat, sight
from dialoom.formats.base.turn_list import JSON_FILES, NAMED, PAIR, Annotation, Fields, said
from dialoom.formats.base.values import Json, without

SPEAKERS: tuple[str, ...] = ("speaker", "role", "from", "sender", "author", "agent", "who", "type")
SPEAKERS += ("participant", "speaker_role", "participant_role", "authorRole")
TEXTS: tuple[str, ...] = ("text", "utterance", "content", "message", "transcript", "value")
TEXTS += ("body", "utt", "sentence")
"""Keys of turns."""

NAMES = ("dialogue_id", "dialog_id", "conversation_id", "conversationId", "dialogue_idx", "id")
"""Keys of the id of a dialogue, the first one that it has."""

LISTS = ("turns", "history", "context", "messages", "utterances", "dialogue", "dialog", "log")
"""Keys of lists of turns; an object with several other lists of turns has dialogues by id."""

DEEP = 4
"""Most lists and objects around a dialogue."""


class NamedTurns(NamedTuple):
    """Keys of a dialogue's turns, speakers and texts; no key if the dialogue is the list."""

    key: str
    speaker: str
    text: str


def turns_of(value: Any) -> NamedTurns | None:
    """Return where a value has its turns; None if it has none, or several."""
    places = _all_turns(value)
    return places[0] if len(places) == 1 else None


def _all_turns(value: Any) -> list[NamedTurns]:
    pairs = value.items() if isinstance(value, dict) else [("", value)]
    return [NamedTurns(key, *names) for key, turns in pairs if (names := _names(turns))]


def _names(turns: Any) -> tuple[str, str] | None:
    if not isinstance(turns, list) or not all(isinstance(each, dict) for each in turns):
        return None
    speakers = [key for key in SPEAKERS if turns and all(_side(each.get(key)) for each in turns)]
    texts = [key for key in TEXTS if all(isinstance(each.get(key), str) for each in turns)]
    several = any(len({str(each.get(key)) for each in turns}) > 1 for key in NAMES[:-1])
    if len(speakers) != 1 or len(texts) != 1 or several or any(map(_nested, turns)):
        return None
    sides = {str(each[speakers[0]]).lower() for each in turns}
    both = "system" in sides and any(NAMED[each] != USER for each in sides - {"system"})
    return None if both else (speakers[0], texts[0])


def _nested(turn: Json) -> bool:
    """True if a turn has objects, or an empty list of them: annotation or further turns."""
    lists = (entry or [entry] if isinstance(entry, list) else [entry] for entry in turn.values())
    return any(isinstance(each, dict | list) for entry in lists for each in entry)


def _side(name: Any) -> str | None:
    return NAMED.get(name.lower()) if isinstance(name, str) else None


def _dialogues(value: Any, key: str = "", deep: int = DEEP) -> Iterator[tuple[str, Json]]:
    """Yield the dialogues within a value with their keys; the first one gets the fields around."""
    places = _all_turns(value)
    if len(places) == 1 or (places and not value.keys().isdisjoint((*LISTS, *NAMES))):
        yield key, value if isinstance(value, dict) else {"": value}
    elif isinstance(value, dict | list) and deep:
        several = value.items() if isinstance(value, dict) else enumerate(value)
        inner = {str(k): list(_dialogues(v, str(k), deep - 1)) for k, v in several}
        around = {k: v for k, v in value.items() if not inner[k]} if isinstance(value, dict) else {}
        for each in inner.values():
            for name, dialogue in each:
                yield name, around | dialogue
                around = {}


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a content; `FormatError` if it is not JSON of dialogues."""
    value = parse_json(data, file)
    entries = value if isinstance(value, list) else [value]
    index = 0
    for number, entry in enumerate(entries):
        dialogues = list(_dialogues(entry))
        if not dialogues:
            what = "expected turns with a speaker (user, system, …) and a text each"
            raise Place(file, f"number {number}").error(what, "no-speaker")
        for key, each in dialogues:
            yield _dialogue(key, each, Origin(name, index), file)
            index += 1


def _dialogue(key: str, raw: Json, origin: Origin, file: Path) -> Dialogue:
    id = next((str(raw[name]) for name in NAMES if name in raw), key or str(origin.index))
    layout, *others = _all_turns(raw)
    if others:
        lists = ", ".join(repr(each.key) for each in (layout, *others))
        raise Place(file, id).error(f"turns in {lists}; expected one list of them", "twice")
    events = []
    for number, turn in enumerate(raw[layout.key]):
        fields = Fields(turn, Place(file, id, number), "turn")
        agent = _side(fields.needed(layout.speaker, str)) or USER
        events.append(said(agent, fields.needed(layout.text, str), Annotation(), fields))
    rest = without(raw, layout.key)
    return Dialogue(id=id, events=tuple(events), origin=origin, extra=rest)


def _named(raw: Json) -> Iterator[Any]:
    for layout in _all_turns(raw):
        yield from (turn[layout.speaker] for turn in raw[layout.key])


class NamedTurnsFormat(FileFormat):
    """A format that is recognised by the names of speakers."""

    def _lacking_in(self, file: Path) -> str | None:
        view = sight(file)
        value = _complete(view.value) if view.cut and view.form != LINES else view.value
        flat = isinstance(value, list) and turns_of(value)  # whose turns they are is unknown
        turns = [turn for _, raw in _dialogues([] if flat else value) for turn in _named(raw)]
        return "" if {_side(name) for name in turns} == {USER, SYSTEM} else None


def _complete(value: Any) -> Any:
    """Return the beginning of a file without the last turn, which may be cut off."""
    if isinstance(value, list) and value:
        return value[:-1] or [_complete(value[-1])]
    if isinstance(value, dict) and value:
        last = next(reversed(value))
        return {**value, last: _complete(value[last])}
    return value


FORMAT = NamedTurnsFormat(
    name="utterances",
    owns=JSON_FILES,
    read=read,
    named=False,
    forms=(LIST, OBJECT),
    traits=PAIR._replace(read_only=True),
)
