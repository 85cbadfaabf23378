"""A dialogue as a transcript: one line for each event, with its annotation as notes.

    Line(2, "system", "find_restaurant(city = Rome, party_size >= 3)", (), "query")

Lines are for reading only; `render/transcript.py` shows them on a page or a terminal.
"""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.dialogue.dialogue import Dialogue
from dialoom.dialogue.event_lines import event_lines
from dialoom.render.transcript import Line


def lines(dialogue: Dialogue) -> Iterator[Line]:
    """Yield a line for each event, in order."""
    return event_lines(dialogue.events)
