"""Items of act-to-text generation (GEM's version of SGD): a user turn and acts in, words out.

Every system utterance with acts is an item. Acts of several services are in one list, each with
its service.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from dialoom.dialogue import SYSTEM, USER, Dialogue, ServiceAct
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import annotated_parts, service_acts, utterances


class GenerationItem(Struct, frozen=True, kw_only=True):
    """One input and its target.

    Attributes:
        id: File, dialogue and event: unique in its corpus.
        event: The index of the system's utterance among the events.
        prompt: The texts of the last user turn, with blanks between; empty where there was none.
        acts: The acts that the system has to express.
    """

    id: str
    dialogue: str
    event: int
    prompt: str
    acts: tuple[ServiceAct, ...]
    target: str


def items(dialogue: Dialogue) -> Iterator[GenerationItem]:
    """Yield an item for each system utterance with acts."""
    place = f"{dialogue.origin.file}/{dialogue.id}" if dialogue.origin else dialogue.id
    turn: list[str] = []
    speaks = SYSTEM
    for index, event in utterances(dialogue):
        if event.agent == USER:
            turn = [*turn, event.text] if speaks == USER else [event.text]
        speaks = event.agent
        if event.agent != SYSTEM or not event.text:
            continue
        if acts := service_acts(annotated_parts(event)):
            yield GenerationItem(
                id=f"{place}/{index}",
                dialogue=dialogue.id,
                event=index,
                prompt=" ".join(turn),
                acts=acts,
                target=event.text,
            )


PartName = Literal["train", "dev", "test"]

_NAMES: dict[str, PartName] = {
    "train": "train",
    "training": "train",
    "trn": "train",
    "dev": "dev",
    "val": "dev",
    "valid": "dev",
    "validation": "dev",
    "test": "test",
    "tst": "test",
}
_NAME = re.compile(rf"(?<![a-z])({'|'.join(sorted(_NAMES, key=len, reverse=True))})(?![a-z])")


def part_of(dialogue: Dialogue) -> PartName | None:
    """Return the part that the file of a dialogue names, its folder before its name.

    `train/dialogues_001.json`, `dialog-babi-task1trn.txt` and `tst1/dialog-….json` say so; None
    where nothing does.
    """
    if dialogue.origin is None:
        return None
    for name in dialogue.origin.file.lower().split("/"):
        if match := _NAME.search(name):
            return _NAMES[match[1]]
    return None
