"""Transcripts: one person types the utterances of a spoken dialogue (Byrne et al. 2019).

    {"0": {"text": "a table for two, um, please"}, "4": {"deleted": true},
     "6.1": {"speaker": "user", "text": "Yes."}}

A part is an utterance, named by its index among the utterances; `6.1` is the first one inserted
before utterance 6 (at the end of a dialogue of six). If a recogniser made a draft, the person
corrects it: the export has the words inserted, deleted and replaced in the transcriber's layer, and
the draft in a layer of its own. Nobody transcribes their own dialogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.dialogue_work import RIGHT, TextWork, lines, said_at, utterances
from dialoom.collect.kinds.room.sounds import DRAFT, of_utterance
from dialoom.collect.log.record import Role
from dialoom.collect.message import Refused, cleaned
from dialoom.collect.settings import SPOKEN, Stage
from dialoom.collect.unit import Data, Policy, Result
from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Layer, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.errors import clip

_WORD = re.compile(r"\s+|\S+")


class TextEdit(Struct, frozen=True):
    """One edit: at the code point `at` of the first text, `before` was replaced by `after`."""

    op: Literal["insert", "delete", "replace"]
    at: int
    before: str = ""
    after: str = ""


def edits(before: str, after: str) -> tuple[TextEdit, ...]:
    """Return the edits that turn the text `before` into `after`, in order."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    starts = [0, *accumulate(map(len, old))]
    changes: list[TextEdit] = []
    same = SequenceMatcher(None, old, new, autojunk=False)
    for op, start, end, first, last in same.get_opcodes():
        if op != "equal":
            was, became = "".join(old[start:end]), "".join(new[first:last])
            changes.append(TextEdit(op, starts[start], was, became))
    return tuple(changes)


TRANSCRIBER: Role = "transcriber"

EDITS, INSERTED = "edits", "inserted"
"""Keys of the `extra` of a transcriber's layer: the edits of a draft; whether the turn is new."""

DELETED = "Deleted"
"""The key of a dialogue's `extra` with the deleted turns, by their index in the original."""

SHOWN = ("Digest", "Media", "Seconds")
"""The entries of a sound that pages get."""

_AGENTS = {"user": USER, "system": SYSTEM}
_INSERTED = re.compile(r"(0|[1-9][0-9]{0,5})\.([1-9][0-9]{0,5})")


class TypedTurn(Struct, frozen=True):
    """The transcript of a turn, or a mark that the turn is deleted."""

    text: str = ""
    deleted: bool = False


class InsertedTurn(Struct, frozen=True):
    """A turn that the transcriber inserts."""

    speaker: Literal["user", "system"]
    text: str


class TranscriptionKind(TextWork):
    """The kind of work that transcribes the spoken dialogues of another stage."""

    name = "transcription"
    roles = (TRANSCRIBER,)
    policy: Policy = "apart"

    @classmethod
    def unfit_source(cls, before: Stage) -> str:
        """Return what `of` may name, if nobody speaks in an earlier stage."""
        return "" if before.kind == SPOKEN else f"a stage of the kind {SPOKEN}"

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield nothing: items come from the stage whose dialogues were spoken."""
        return iter(())

    def with_answer(self, dialogue: Dialogue) -> Dialogue:
        """Return a dialogue with its drafts; the texts of spoken turns are their right answers."""
        events = tuple(_to_type(e) if isinstance(e, Utterance) else e for e in dialogue.events)
        return super().with_answer(replace(dialogue, events=events))

    def page(self, item: Dialogue) -> Data:
        """Return the task, and the lines with their sounds; the text of a spoken one is a draft."""
        rows = lines(item)
        for line, utterance in zip(rows, utterances(item), strict=True):
            sound = of_utterance(utterance)
            if sound is not None:
                line["sound"] = {name.lower(): sound[name] for name in SHOWN}
        task = item.scenario.user_task if item.scenario is not None else None
        return {"task": task or "", "lines": rows}

    def checked(self, item: Dialogue, part: str, value: Any) -> Any:
        """Return a turn, as JSON values for the log."""
        put_in = _INSERTED.fullmatch(part)
        try:
            if put_in is None:
                said_at(item, part)
                typed = msgspec.convert(value, TypedTurn)
                return {"deleted": True} if typed.deleted else {"text": cleaned(typed.text)}
            if int(put_in[1]) > len(utterances(item)):
                raise Refused("unknown", f"there is no utterance {clip(part)}")
            turn = msgspec.convert(value, InsertedTurn)
        except msgspec.ValidationError as error:
            raise Refused("malformed", f"not a turn: {error}") from error
        return {"speaker": turn.speaker, "text": cleaned(turn.text)}

    def problems(self, item: Dialogue, document: Mapping[str, Any]) -> list[Data]:
        """Return the spoken turns that are not typed or confirmed yet."""
        return [
            {"code": "untyped", "part": str(place)}
            for place, utterance in enumerate(utterances(item))
            if of_utterance(utterance) is not None and str(place) not in document
        ]

    def dialogues(self, item: Dialogue, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield the transcribed dialogue, with its drafts and edits."""
        for result in results:
            source = f"{TRANSCRIBER}-{result.worker}"
            deleted = [
                {"Turn": place, **_taken_out(utterance)}
                for place, utterance in enumerate(utterances(item))
                if result.document.get(str(place), {}).get("deleted")
            ]
            yield replace(
                item,
                id=item.id if self._stage.workers == 1 else f"{item.id}_{result.unit}",
                events=tuple(_typed(item, result.document, source)),
                extra={**item.extra, **({DELETED: deleted} if deleted else {})},
            )


def _to_type(turn: Utterance) -> Utterance:
    """Return a spoken utterance with its draft, or without a text, and with its right text."""
    if of_utterance(turn) is None:
        return turn
    draft = next((each.extra.get("text", "") for each in turn.layers if each.source == DRAFT), "")
    return replace(turn, text=draft, extra={RIGHT: turn.text, **turn.extra})


def _typed(dialogue: Dialogue, document: Mapping[str, Any], source: str) -> Iterator[Event]:
    place = 0
    for event in dialogue.events:
        if not isinstance(event, Utterance):
            yield event
            continue
        yield from _put_in(place, document, source)
        entry = document.get(str(place), {"text": event.text})
        if not entry.get("deleted"):
            yield _mended(event, entry["text"], source)
        place += 1
    yield from _put_in(place, document, source)


def _put_in(place: int, document: Mapping[str, Any], source: str) -> Iterator[Utterance]:
    matches = [put_in for part in document if (put_in := _INSERTED.fullmatch(part))]
    here = sorted(int(put_in[2]) for put_in in matches if int(put_in[1]) == place)
    for number in here:
        turn = document[f"{place}.{number}"]
        layer = Layer(source, extra={INSERTED: True})
        yield Utterance(agent=_AGENTS[turn["speaker"]], text=turn["text"], layers=(layer,))


def _mended(utterance: Utterance, text: str, source: str) -> Utterance:
    changes = edits(utterance.text, text) if utterance.text else ()
    if not changes:
        return replace(utterance, text=text)
    layer = Layer(source, extra={EDITS: msgspec.to_builtins(changes)})
    return replace(utterance, text=text, layers=(*utterance.layers, layer))


def _taken_out(utterance: Utterance) -> Data:
    turn: Data = {"Agent": utterance.agent, "Text": utterance.text}
    sound = of_utterance(utterance)
    return turn if sound is None else {**turn, "Sound": sound}
