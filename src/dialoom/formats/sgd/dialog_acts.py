"""The file of dialogue acts next to MultiWOZ 2.2 (Zang et al. 2020), whose frames have no acts.

    dev/dialogues_001.json, dialog_acts.json

    {"SNG01.json": {"0": {"dialog_act": {"Hotel-Inform": [["area", "east"]]},
                          "span_info": [["Hotel-Inform", "area", "east", 17, 21]]}}}

The acts and spans of a turn become a layer of its utterance besides the published one, so that the
dialogues are written as they were. The file itself is not written; the loss report has the layer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from dialoom.corpus.files import NOT_JSON, parse_json, read_bytes
from dialoom.dialogue import GOLD, Dialogue, Layer, Utterance
from dialoom.errors import FormatError
from dialoom.formats.base.codec import Place
from dialoom.formats.base.json_file import RAWS_BY_KEY
from dialoom.formats.base.turn_list import Annotation, Fields
from dialoom.formats.base.values import Json
from dialoom.formats.multiwoz.acts import mark

FILE = "dialog_acts.json"
SOURCE = "dialog-acts"
"""The source of the layer."""


def acts_file(file: Path) -> ActsFile | None:
    """Return the file of acts next to a file, or above; `FormatError` if it has no dialogues."""
    for folder in file.absolute().parents[:2]:
        place = folder / FILE
        if place.is_file():
            return _opened(place, place.stat().st_mtime_ns)
    return None


@lru_cache(maxsize=1)
def _opened(file: Path, changed: int) -> ActsFile:
    return ActsFile(file)


class ActsFile:
    """The acts of dialogues by id, decoded one by one; `FormatError` for another value."""

    def __init__(self, file: Path) -> None:
        self.file = file
        try:
            self._raws = RAWS_BY_KEY.decode(read_bytes(file))
        except NOT_JSON as error:
            raise FormatError(file, f"expected an object of dialogues: {error}") from error

    def added(self, dialogues: Iterator[Dialogue]) -> Iterator[Dialogue]:
        """Yield dialogues with their acts."""
        for dialogue in dialogues:
            raw, place = self._raws.get(dialogue.id), Place(self.file, dialogue.id)
            if raw is None:
                yield dialogue
                continue
            acts = Fields(parse_json(bytes(raw), self.file), place, "acts of a dialogue").rest
            yield with_acts(dialogue, acts, place)


def with_acts(dialogue: Dialogue, acts: Json, place: Place) -> Dialogue:
    """Return a dialogue with the acts of its turns, by their numbers, as a further layer."""
    events, index = list(dialogue.events), 0
    for at, event in enumerate(events):
        if isinstance(event, Utterance):
            record = acts.get(str(index))
            if record is not None:
                events[at] = _annotated(event, record, place)
            index += 1
    return replace(dialogue, events=tuple(events))


def _annotated(spoken: Utterance, record: Json, place: Place) -> Utterance:
    """Return an utterance with the acts and spans of its turn as a further layer.

    The published layer comes first, even if it is empty, since that is the one that is written.
    """
    marks, turn = Annotation(), Fields(record, place, "acts of a turn")
    mark(turn, spoken.text, marks, words=False)
    layers = [Layer(SOURCE, layer.parts, turn.rest) for layer in marks.layers()]
    layers = layers or [Layer(SOURCE, extra=turn.rest)] * bool(turn.rest)
    return replace(spoken, layers=(*(spoken.layers or (Layer(GOLD),)), *layers))
