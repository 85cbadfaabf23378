"""Writes items, as Python's `json.dumps` does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from dialoom.dialogue import KB, SYSTEM, USER, Candidate, Dialogue, Options
from dialoom.formats.babi.turns import to_lines
from dialoom.formats.base.codec import marks
from dialoom.formats.base.values import Json
from dialoom.formats.dstc6.answers import answer_suffix
from dialoom.formats.dstc6.names import dialect_of
from dialoom.formats.dstc6.reading import ITEM, text


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return items; silence separates turns of one side, the last `Options` are candidates."""
    return f"[{', '.join(json.dumps(item(dialogue)) for dialogue in dialogues)}]".encode()


def item(dialogue: Dialogue) -> Json:
    """Return a dialogue as an item of the format."""
    last = dialogue.events[-1] if dialogue.events else None
    options = last if isinstance(last, Options) else Options()
    choice = options.choice
    if answer_suffix(options) is not None and marks(options.extra).get("both") is not True:
        choice = None
    held = {
        "id": dialogue.id,
        "candidates": options.candidates,
        "utterances": tuple(history(dialogue)),
        "answer": None if choice is None else _answer(options, choice),
    }
    return ITEM.write_fields(held, dialogue.extra)


def _answer(options: Options, choice: str) -> Candidate:
    known = next((text(each) for each in options.candidates if each.id == choice), choice)
    noted = marks(options.extra).get("answer")
    said, extra = noted if isinstance(noted, list) and len(noted) == 2 else (None, {})
    return Candidate(choice, said if isinstance(said, str) else known, extra)


def history(dialogue: Dialogue) -> Iterator[str]:
    """Yield the utterances of a dialogue, including calls and facts."""
    language = dialect_of(dialogue)
    expected = USER
    for agent, line in to_lines(dialogue.events, language):
        if agent in (USER, SYSTEM):
            if agent != expected:
                yield language.silence
            expected = SYSTEM if agent == USER else USER
        elif agent != KB:
            continue
        yield line
