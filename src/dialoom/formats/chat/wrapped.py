"""Formats whose dialogues are chat messages under other keys.

    FORMAT = wrapped("tau", Wrapping(plain, restored, enrich), SIGNS, new_name="tau_{:03d}.json")

Such a format consists of two functions on JSON values. `plain` returns a dialogue of the format as
a conversation in the OpenAI wire format, and `restored` returns the dialogue again. Every key that
is no message stays in the conversation, so that nothing is lost; keys that `plain` adds for
`restored` are its `marks`, which no other format writes. `enrich` adds to the dialogue what the
data model has a place for: the outcome, the scenario, layers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dialoom.dialogue import Dialogue, Origin
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.two_way import JsonFile, two_way
from dialoom.formats.base.values import Json, at
from dialoom.formats.chat import reading, writing
from dialoom.formats.chat.content import with_text
from dialoom.formats.chat.marks import MARKS, MessageFile, own_of, put_back, set_apart

_OWNS = re.compile(r"(?:[^/]+/){0,4}[^/]+\.jsonl?")

REWARDED, UNREWARDED = "reached", "missed"
"""Outcomes of simulations and trials."""


def rewarded(reward: Any) -> str | None:
    """Return the outcome that a reward says; None where nobody judged the dialogue."""
    if not isinstance(reward, int | float):
        return None
    return REWARDED if reward >= 1 else UNREWARDED


@dataclass(frozen=True)
class Wrapping:
    """The functions of a format of wrapped messages.

    Attributes:
        plain: Returns a conversation with `messages`, and its `id`, for a dialogue's value.
        restored: Returns a dialogue's value for a conversation.
        enrich: Adds to a dialogue what its other keys say (`keys_of`).
        split: Yields the dialogues of a value that may hold several.
        joined: Returns the values of a file, for those of its dialogues.
        marks: The keys of conversations and messages that `plain` adds.
        texts: Whether a message has a text, and content in parts is joined.
        noted: Adds marks to a dialogue for what a conversation has no place for.
    """

    plain: Callable[[Json, Path], Json]
    restored: Callable[[Json], Json] = lambda value: value
    enrich: Callable[[Dialogue], Dialogue] = lambda dialogue: dialogue
    split: Callable[[Any], Iterator[Any]] = lambda value: iter((value,))
    joined: Callable[[list[Json]], list[Json]] = lambda values: values
    marks: tuple[str, ...] = ()
    texts: bool = False
    noted: Callable[[Dialogue], Dialogue] = lambda dialogue: dialogue

    def load(self, value: Any, file: Path, origin: Origin) -> Dialogue:
        """Return the dialogue of a value; `FormatError` if it is not in the format."""
        if isinstance(value, dict):
            value = set_apart(self.plain(value, file), *self.marks)
            if isinstance(messages := value.get("messages"), list):
                value = value | {"messages": list(map(self._apart, messages))}
        return self.enrich(reading.dialogue(value, file, origin))

    def _apart(self, message: Any) -> Any:
        return set_apart(message, *self.marks) if isinstance(message, dict) else message

    def dump(self, dialogue: Dialogue) -> Json:
        """Return a dialogue as JSON values in this layout."""
        value = writing.conversation(self.noted(dialogue), writing.called, [])
        value = put_back(value, *self.marks)
        if self.texts:
            value["messages"] = list(map(with_text, value["messages"]))
        return self.restored(value)


def keys_of(extra: Mapping[str, Any]) -> Json:
    """Return the keys of a dialogue's or message's value that are no fields, and its marks."""
    return (
        at(extra, dict, MARKS, "keys") | at(extra, dict, MARKS, "message", "keys") | own_of(extra)
    )


def wrapped(name: str, wrapping: Wrapping, *signs: Signs, **more: Any) -> MessageFile:
    """Return a format of JSON files of wrapped messages; `more` is as of `two_way`."""
    codec = JsonFile(wrapping.load, wrapping.dump, split=wrapping.split, joined=wrapping.joined)
    return MessageFile(**vars(two_way(name, codec, *signs, owns=_OWNS, **more)))
