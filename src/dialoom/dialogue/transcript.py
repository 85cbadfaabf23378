"""A dialogue as a transcript: one line for each event, with its annotation as notes.

    Line(2, "system", "find_restaurant(city = Rome, party_size >= 3)", (), "query")

Lines are for reading only; `render/transcript.py` shows them on a page or a terminal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from dialoom.dialogue.annotation import Value
from dialoom.dialogue.dialogue import Dialogue
from dialoom.dialogue.event_lines import event_lines
from dialoom.dialogue.views import state_changes
from dialoom.render.transcript import Line


def lines(dialogue: Dialogue, *, changed: bool = False) -> Iterator[Line]:
    """Yield a line for each event, in order; if `changed`, with the changes of states as notes."""
    texts = changes(dialogue) if changed else {}
    for line in event_lines(dialogue.events):
        new = tuple(f"state: {text}" for text in texts.get(line.index, ()))
        yield replace(line, notes=line.notes + new) if new else line


def changes(dialogue: Dialogue) -> Mapping[int, list[str]]:
    """Return the changes of states by event: `Hotels_1: area: north → south`."""
    texts: defaultdict[int, list[str]] = defaultdict(list)
    for change in state_changes(dialogue):
        before, after = map(_values, (change.before, change.after))
        service = f"{change.service}: " if change.service else ""
        what = f"{before} → {after}" if before and after else after or f"no longer {before}"
        texts[change.event].append(f"{service}{change.slot}: {what}")
    return texts


def _values(values: tuple[Value, ...]) -> str:
    return " or ".join(map(str, values))
