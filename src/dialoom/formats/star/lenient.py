"""The slow path of reading STAR: version 6 of the paper, and files with fields no record names.

Taken only when the typed records refuse a file. Version 6 (the paper's appendix C and table 9) is
respelled as version 7 first; what the records still cannot hold is put aside, level by level, and
ends in `extra`. A required field that is missing or of the wrong type is an error with its place.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import FieldInfo

from dialoom.errors import FormatError
from dialoom.formats.star import raw
from dialoom.formats.star.version6 import respell

QUESTIONNAIRES = ("UserQuestionnaire", "WizardQuestionnaire")
CAPABILITIES = "WizardCapabilities"


def read(value: Any, path: Path) -> raw.Dialogue:
    """Return a file's record; `extra` of each level has what that could not hold.

    Raises:
        FormatError: The value is not a STAR dialogue of any version.
    """
    splitter = _Splitter(path)
    top = splitter.mapping(value, "the file")
    if "Events" not in top or "Scenario" not in top:
        raise FormatError(path, "not a STAR dialogue: it has no Events and Scenario")
    top = respell(top)
    splitter.dialogue = str(top.get("DialogueID"))
    known = splitter.split(top, raw.Dialogue, {"Events", "Scenario", *QUESTIONNAIRES})
    events = splitter.list_of(top, "Events")
    known["Events"] = [splitter.event(event, index) for index, event in enumerate(events)]
    scenario = splitter.mapping(top["Scenario"], "Scenario")
    known["Scenario"] = splitter.split(scenario, raw.Scenario, {CAPABILITIES})
    known["Scenario"][CAPABILITIES] = splitter.records(scenario, CAPABILITIES, raw.Capability)
    known |= {key: splitter.records(top, key, raw.Answer) for key in QUESTIONNAIRES}
    return msgspec.convert(known, raw.Dialogue)


class _Splitter:
    """Parts mappings into what a record can hold and the rest, naming the place of faults."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.dialogue: str | None = None

    def fail(self, what: str, event: int | None = None) -> FormatError:
        return FormatError(self.path, what, dialogue=self.dialogue, event=event)

    def mapping(self, value: Any, name: str, event: int | None = None) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.fail(f"{name} is not a JSON object", event)
        return value

    def list_of(self, holder: dict[str, Any], key: str) -> list[Any]:
        value = holder.get(key)
        if not isinstance(value, list):
            raise self.fail(f"{key} is not a list")
        return value

    def records(
        self, holder: dict[str, Any], key: str, record: type[raw.Record]
    ) -> list[dict[str, Any]]:
        return [self.split(self.mapping(v, key), record) for v in self.list_of(holder, key)]

    def event(self, value: Any, index: int) -> dict[str, Any]:
        event = self.mapping(value, "an event", index)
        action = event.get("Action")
        record = raw.EVENTS.get(action) if isinstance(action, str) else None
        if record is None:
            known = ", ".join(raw.EVENTS)
            raise self.fail(f"unknown Action {action!r}; known: {known}", index)
        return self.split(event, record, {"Action"}, index)

    def split(
        self,
        holder: dict[str, Any],
        record: type[raw.Record],
        keep: Collection[str] = (),
        event: int | None = None,
    ) -> dict[str, Any]:
        fields = _fields(record)
        known: dict[str, Any] = {}
        extra: dict[str, Any] = {}
        for key, value in holder.items():
            if key in keep or (key in fields and self._fits(value, fields[key], event)):
                item = key in raw.ITEMS and key in fields
                known[key] = msgspec.Raw(msgspec.json.encode(value)) if item else value
            else:
                extra[key] = {"value": value} if key in raw.SUPPLIED else value
        missing = [key for key, field in fields.items() if field.required and key not in holder]
        if missing:
            raise self.fail(f"{record.__name__} lacks {', '.join(missing)}", event)
        return known | {raw.REST: raw.Rest(extra)}

    def _fits(self, value: Any, field: FieldInfo, event: int | None) -> bool:
        if field.encode_name in raw.ITEMS:
            return isinstance(value, dict)
        try:
            _decoder(field.type).decode(msgspec.json.encode(value))
        except msgspec.ValidationError as error:
            if field.required:
                raise self.fail(f"{field.encode_name}: {error}", event) from error
            return False
        return True


@cache
def _fields(record: type[raw.Record]) -> dict[str, FieldInfo]:
    fields = msgspec.structs.fields(record)
    return {field.encode_name: field for field in fields if field.encode_name != raw.REST}


@cache
def _decoder(type_: Any) -> msgspec.json.Decoder[Any]:
    """Return a decoder that tells whether a value is of this type: made once, it is fast."""
    return msgspec.json.Decoder(type_)
