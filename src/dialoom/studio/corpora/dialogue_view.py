"""A dialogue as the page shows it: lines with acts, spans, changes of states, and findings."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from dialoom.corpus.patches import Overlay, Patch
from dialoom.dialogue import Dialogue, Result, Utterance, digest
from dialoom.dialogue.event import Event
from dialoom.dialogue.event_lines import SHOWN, describe_item
from dialoom.dialogue.transcript import changes, lines
from dialoom.errors import FormatError
from dialoom.formats.base.page_view import facts, questionnaire
from dialoom.quality.lint.page import event_of
from dialoom.render.transcript import Line, clean, pieces
from dialoom.studio.corpora.mending import MendForm, form_of, mendable


class Note(msgspec.Struct, frozen=True):
    """A note on a line.

    Attributes:
        kind: act, span, state, frame, choice, change or item.
        pointer: The annotation in the dialogue, where it can be mended.
        form: The annotation as a form, where it can be mended.
    """

    text: str
    kind: str
    pointer: str = ""
    form: MendForm | None = None


class Remark(msgspec.Struct, frozen=True):
    """A finding of lint."""

    code: str
    severity: str
    message: str


class ShownLine(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a dialogue: its text in pieces with the labels of spans, notes and findings."""

    index: int
    speaker: str
    kind: str
    pieces: list[tuple[str, str]]
    notes: list[Note]
    findings: list[Remark]
    more: list[str] = []


class ShownDialogue(msgspec.Struct, frozen=True, kw_only=True):
    """A dialogue as the page shows it.

    Attributes:
        version: A hash of the dialogue with its patches.
        checked: Whether lint has checked it.
        findings: Those about the dialogue as a whole.
        stale: The error of a patch that no longer fits; the dialogue then has no patches.
    """

    id: str
    version: str
    facts: list[tuple[str, str]]
    answers: list[tuple[str, str]]
    lines: list[ShownLine]
    checked: bool
    findings: list[Remark]
    patches: list[Patch]
    stale: str = ""


def shown(
    dialogue: Dialogue, remarks: Mapping[int, list[Remark]] | None, overlay: Overlay, nth: int = 0
) -> ShownDialogue:
    """Return a dialogue as the page shows it, with its patches.

    Args:
        dialogue: The dialogue as its file has it.
        remarks: Findings by event, -1 for the whole; None before it is checked.
        nth: The number of earlier dialogues with its id in the file.
    """
    stale = ""
    try:
        dialogue = overlay.applied(dialogue, nth)
    except FormatError as error:
        stale = str(error)
    notes = remarks or {}
    return ShownDialogue(
        id=dialogue.id,
        version=digest(dialogue),
        facts=facts(dialogue),
        answers=questionnaire(dialogue),
        lines=list(shown_lines(dialogue, notes)),
        checked=remarks is not None,
        findings=notes.get(-1, []),
        patches=overlay.of(dialogue, nth),
        stale=stale,
    )


def shown_lines(dialogue: Dialogue, remarks: Mapping[int, list[Remark]]) -> Iterable[ShownLine]:
    """Yield a dialogue's lines."""
    forms = {pointer: form_of(value) for pointer, value in mendable(dialogue)}
    changed = {
        index: [Note(clean(text), "change") for text in texts]
        for index, texts in changes(dialogue).items()
    }
    for line, event in zip(lines(dialogue), dialogue.events, strict=True):
        yield ShownLine(
            index=line.index,
            speaker=clean(line.speaker),
            kind=line.kind,
            pieces=[(clean(text), clean(labels)) for text, labels in pieces(line)],
            notes=[*_notes(line, event, forms), *changed.get(line.index, ())],
            findings=list(remarks.get(line.index, ())),
            more=_more(event),
        )


def _notes(line: Line, event: Event, forms: Mapping[str, MendForm]) -> Iterable[Note]:
    noted = set()
    for text, place in zip(line.notes, line.places, strict=True):
        pointer = f"/events/{line.index}{place}"
        noted.add(pointer)
        form = forms.get(pointer)
        kind = form.kind if form else "choice" if place == "/choice" else "frame"
        yield Note(clean(text), kind, pointer, form)
    for pointer, form in forms.items():  # spans next to acts, and states next to them
        if pointer.startswith(f"/events/{line.index}/") and pointer not in noted:
            yield Note(_described(form, event), form.kind, pointer, form)


def _described(form: MendForm, event: Event) -> str:
    if form.kind == "span" and isinstance(event, Utterance):
        return clean(f"{form.name} = {event.text[form.start : form.end]}")
    parts = [each for each in (form.name, *form.lines.splitlines()) if each]
    return clean(f"state: {', '.join(parts) or 'empty'}")


def _more(event: Event) -> list[str]:
    left = event.items[SHOWN:] if isinstance(event, Result) else ()
    return [clean(describe_item(each)) for each in left]


def remarks_of(database: sqlite3.Connection, number: int) -> dict[int, list[Remark]] | None:
    """Return the findings of a dialogue by event, -1 for the whole; None if it is not checked."""
    row = database.execute("SELECT findings FROM dialogue WHERE id = ?", (number,)).fetchone()
    if row is None or row[0] is None:
        return None
    remarks: defaultdict[int, list[Remark]] = defaultdict(list)
    rows: list[tuple[Any, ...]] = database.execute(
        "SELECT code, severity, pointer, message FROM finding WHERE dialogue = ?", (number,)
    ).fetchall()
    for code, severity, pointer, message in rows:
        remarks[event_of(pointer)].append(Remark(code, severity, message))
    return dict(remarks)
