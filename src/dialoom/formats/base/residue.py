"""Notes of what an object of a file has and writing would change, in the `extra` of its value.

    extra = noted({"state": {}, "mood": "glad"}, {"index": 0})
    # {"state": {}, "mood": "glad", "layout": {"written": {"index": [0]}}}
    restored({"index": 0}, extra)             # {"state": {}, "mood": "glad"}

A field that is written otherwise is noted with both values. A note is used only if the field would
still be written as it was when the file was read, so that changes of a value are written.
"""

from __future__ import annotations

from collections.abc import Mapping

from dialoom.formats.base.codec import LAYOUT, in_order, marked, marks
from dialoom.formats.base.values import Json, alike

WRITTEN, SEQUENCE = "written", "sequence"
"""Marks in the layout of `extra`, which no other format reads."""


def noted(raw: Mapping[str, object], written: Mapping[str, object]) -> Json:
    """Return the notes on an object, by its difference from `written`."""
    extra = {key: value for key, value in raw.items() if key not in written and key != LAYOUT}
    other = {
        key: [value, raw[key]] if key in raw else [value]
        for key, value in written.items()
        if key not in raw or not alike(value, raw[key])
    }
    if LAYOUT in raw:
        other[LAYOUT] = [None, raw[LAYOUT]]
    extra = marked(extra, **{WRITTEN: other})
    usual = list(restored(written, extra))
    return extra if usual == list(raw) else marked(extra, **{SEQUENCE: list(raw)})


def restored(written: Mapping[str, object], extra: Mapping[str, object]) -> Json:
    """Return the object that is written, with the notes of the one that was read."""
    whole = dict(written)
    notes = marks(dict(extra)).get(WRITTEN)
    for key, note in notes.items() if isinstance(notes, dict) else ():
        if isinstance(note, list) and note and alike(whole.get(key), note[0]):
            whole.pop(key, None)
            if len(note) > 1:
                whole[key] = note[1]
    whole |= {k: v for k, v in extra.items() if k not in whole and k != LAYOUT}
    return in_order(whole, marks(dict(extra)).get(SEQUENCE))
