"""Writes numbered lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dialoom.dialogue import KB, SYSTEM, USER, Dialogue
from dialoom.formats.babi.dialect import BABI
from dialoom.formats.babi.turns import to_lines

_BREAKS = re.compile(r"[\t\r\n]")


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return dialogues with a blank line after each; line breaks in texts become blanks.

    If the bot speaks twice in a row, the user is silent between; if the user does, the text after
    the tab is empty. A dialogue without any line becomes one line of silence.
    """
    return "".join(map(_dialogue, dialogues)).encode("utf-8", "replace")


def _dialogue(dialogue: Dialogue) -> str:
    lines = list(_bodies(dialogue)) or [f"{BABI.silence}\t"]
    return "".join(f"{number} {line}\n" for number, line in enumerate(lines, start=1)) + "\n"


def _bodies(dialogue: Dialogue) -> Iterator[str]:
    """Yield the text of each line after its number."""
    waiting: str | None = None  # the user's utterance, until the bot replies
    for agent, text in to_lines(dialogue.events, BABI):
        text = _BREAKS.sub(" ", text)
        if agent == SYSTEM:
            yield f"{BABI.silence if waiting is None else waiting}\t{text}"
            waiting = None
            continue
        if waiting is not None:
            yield f"{waiting}\t"
        waiting = text if agent == USER else None
        if agent == KB:
            yield text
    if waiting is not None:
        yield f"{waiting}\t"
