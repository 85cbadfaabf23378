"""The slow path of reading STAR: version 6 of the paper, and files with fields no record names.

Taken only when the typed records refuse a file. Version 6 (the paper's appendix C and table 9) is
respelled as version 7 first; what the records still cannot hold is put aside, level by level, and
ends in `extra`. A required field that is missing or of the wrong type is an error with its place.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import FieldInfo

from dialoom.dialogue.annotation import Struct
from dialoom.errors import FormatError
from dialoom.formats.star import raw
from dialoom.formats.star.version6 import respell

Extra = dict[str, Any]

_DECODER = msgspec.json.Decoder(raw.Dialogue)


class Extras(Struct, frozen=True):
    """What the records cannot hold, by level; the lists are as long as what they belong to."""

    dialogue: Extra = {}
    scenario: Extra = {}
    capabilities: list[Extra] = []
    events: list[Extra] = []
    user_answers: list[Extra] = []
    wizard_answers: list[Extra] = []


def read(value: Any, path: Path) -> tuple[raw.Dialogue, Extras]:
    """Return a file's record, and what it could not hold.

    Raises:
        FormatError: The value is not a STAR dialogue of any version.
    """
    splitter = _Splitter(path)
    top = splitter.mapping(value, "the file")
    if "Events" not in top or "Scenario" not in top:
        raise FormatError(path, "not a STAR dialogue: it has no Events and Scenario")
    top = respell(top)
    splitter.dialogue = str(top.get("DialogueID"))
    events = [splitter.event(event, i) for i, event in enumerate(splitter.list_of(top, "Events"))]
    scenario, scenario_extra = splitter.split(
        splitter.mapping(top["Scenario"], "Scenario"), raw.Scenario, {"WizardCapabilities"}
    )
    capabilities = [
        splitter.split(splitter.mapping(item, "WizardCapabilities"), raw.Capability)
        for item in splitter.list_of(scenario, "WizardCapabilities")
    ]
    answers = {
        key: [
            splitter.split(splitter.mapping(item, key), raw.Answer)
            for item in splitter.list_of(top, key)
        ]
        for key in ("UserQuestionnaire", "WizardQuestionnaire")
    }
    known, extra = splitter.split(top, raw.Dialogue, {"Events", "Scenario", *answers})
    scenario["WizardCapabilities"] = [item for item, _ in capabilities]
    known |= {key: [item for item, _ in pairs] for key, pairs in answers.items()}
    known |= {"Events": [item for item, _ in events], "Scenario": scenario}
    extras = Extras(
        dialogue=extra,
        scenario=scenario_extra,
        capabilities=[extra for _, extra in capabilities],
        events=[extra for _, extra in events],
        user_answers=[extra for _, extra in answers["UserQuestionnaire"]],
        wizard_answers=[extra for _, extra in answers["WizardQuestionnaire"]],
    )
    return _DECODER.decode(msgspec.json.encode(known)), extras


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

    def event(self, value: Any, index: int) -> tuple[dict[str, Any], Extra]:
        event = self.mapping(value, "an event", index)
        action = event.get("Action")
        record = raw.EVENTS.get(action) if isinstance(action, str) else None
        if record is None:
            known = ", ".join(raw.EVENTS)
            raise self.fail(f"unknown Action {action!r}; known: {known}", index)
        known_fields, extra = self.split(event, record, {"Action"}, index)
        return known_fields | {"Action": action}, extra

    def split(
        self,
        holder: dict[str, Any],
        record: type[raw.Record],
        keep: set[str] = frozenset(),  # type: ignore[assignment]
        event: int | None = None,
    ) -> tuple[dict[str, Any], Extra]:
        fields = _fields(record)
        known: dict[str, Any] = {}
        extra: Extra = {}
        for key, value in holder.items():
            if key in keep or (key in fields and self._fits(value, fields[key], event)):
                known[key] = value
            else:
                extra[key] = {"value": value} if key in raw.SUPPLIED else value
        missing = [key for key, field in fields.items() if field.required and key not in holder]
        if missing:
            raise self.fail(f"{record.__name__} lacks {', '.join(missing)}", event)
        return known, extra

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
    return {field.encode_name: field for field in msgspec.structs.fields(record)}


@cache
def _decoder(type_: Any) -> msgspec.json.Decoder[Any]:
    """Return a decoder that tells whether a value is of this type: made once, it is fast."""
    return msgspec.json.Decoder(type_)
