"""Reading of STAR files that the typed records refuse: other versions, files with unknown fields.

Version 6 (the paper's appendix C and table 9) is first converted to the spelling of version 7; what
the records still do not have is kept in `extra` at each level. A required field that is missing or
has a wrong type is an error with its place.

STARv2 (Zhao et al. 2023) has labels and belief states of the user's turns:

    {"Action": "utter", "Agent": "User", "Text": "On Sunday.", "ActionLabel": ["user_inform_day"],
     "PredictedBeliefState": {"Day": "sunday"}}

Both stay in the event's `extra`, from which they are written, and are read as the gold layer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import FieldInfo, replace

from dialoom.dialogue import USER, Answer, Capability, Dialogue, Event, Origin, Scenario, Utterance
from dialoom.dialogue.annotation import GOLD, Act, Layer, Part, State
from dialoom.errors import FormatError
from dialoom.formats.base.values import Json
from dialoom.formats.star import raw, reading
from dialoom.formats.star.version6 import respell

QUESTIONNAIRES = ("UserQuestionnaire", "WizardQuestionnaire")
CAPABILITIES = "WizardCapabilities"

Held = TypeVar("Held", Event, Answer, Capability, Scenario)


def read(value: Any, path: Path, origin: Origin) -> Dialogue:
    """Return a dialogue of any version; `extra` at each level has what the records have not."""
    splitter = _Splitter(path)
    top = splitter.mapping(value, "the file")
    if "Events" not in top or "Scenario" not in top:
        raise FormatError(
            path, "not a STAR dialogue: it has no Events and Scenario", code="other-format"
        )
    top = respell(top)
    splitter.dialogue = str(top.get("DialogueID"))
    fields, extra = splitter.split(top, raw.Dialogue, {"Events", "Scenario", *QUESTIONNAIRES})
    events = splitter.list_of(top, "Events")
    fields["Events"], of_events = _apart(map(splitter.event, events, count()))
    scenario = splitter.mapping(top["Scenario"], "Scenario")
    fields["Scenario"], of_scenario = splitter.split(scenario, raw.Scenario, {CAPABILITIES})
    fields["Scenario"][CAPABILITIES], of_capabilities = _apart(
        splitter.records(scenario, CAPABILITIES, raw.Capability)
    )
    of_answers: list[Json] = []
    for key in QUESTIONNAIRES:
        fields[key], extras = _apart(splitter.records(top, key, raw.Answer))
        of_answers += extras
    record = reading.dialogue(msgspec.convert(fields, raw.Dialogue), origin)
    purpose = record.scenario or Scenario()
    capabilities = tuple(map(_with, purpose.capabilities, of_capabilities))
    return replace(
        record,
        events=tuple(map(annotated, map(_with, record.events, of_events))),
        scenario=_with(replace(purpose, capabilities=capabilities), of_scenario),
        answers=tuple(map(_with, record.answers, of_answers)),
        extra=record.extra | extra,
    )


def _apart(split: Iterable[tuple[Json, Json]]) -> tuple[list[Json], list[Json]]:
    pairs = list(split)
    return [fields for fields, _ in pairs], [extra for _, extra in pairs]


def _with(value: Held, extra: Json) -> Held:
    return replace(value, extra=value.extra | extra) if extra else value


class _Splitter:
    """Splits objects into the part that a record has and the rest; errors have their place."""

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
    ) -> list[tuple[Json, Json]]:
        return [self.split(self.mapping(v, key), record) for v in self.list_of(holder, key)]

    def event(self, value: Any, index: int) -> tuple[Json, Json]:
        event = self.mapping(value, "an event", index)
        action = event.get("Action")
        record = raw.EVENTS.get(action) if isinstance(action, str) else None
        if record is None:
            names = ", ".join(raw.EVENTS)
            raise self.fail(f"unknown Action {action!r}; known: {names}", index)
        return self.split(event, record, {"Action"}, index)

    def split(
        self,
        holder: dict[str, Any],
        record: type[raw.Record],
        keep: Collection[str] = (),
        event: int | None = None,
    ) -> tuple[Json, Json]:
        fields = _fields(record)
        values: Json = {}
        extra: Json = {}
        for key, value in holder.items():
            if key in keep:
                values[key] = value
            elif key in fields and self._fits(value, fields[key], event):
                values[key] = (
                    msgspec.Raw(msgspec.json.encode(value)) if key in raw.SPELLED else value
                )
            else:
                extra[key] = {"value": value} if key in raw.SUPPLIED else value
        missing = [key for key, field in fields.items() if field.required and key not in holder]
        if missing:
            raise self.fail(f"{record.__name__} lacks {', '.join(missing)}", event)
        return values, extra

    def _fits(self, value: Any, field: FieldInfo, event: int | None) -> bool:
        type_ = raw.SPELLED.get(field.encode_name, field.type)
        try:
            _decoder(type_).decode(msgspec.json.encode(value))
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
    return msgspec.json.Decoder(type_)


_LABELS, _STATE = "ActionLabel", "PredictedBeliefState"


def annotated(event: Event) -> Event:
    """Return an event; one of the user with the acts and the state that its `extra` has."""
    if not isinstance(event, Utterance) or event.agent != USER or event.layers:
        return event
    labels, values = event.extra.get(_LABELS), event.extra.get(_STATE)
    acts = None
    if isinstance(labels, list) and all(isinstance(label, str) for label in labels):
        acts = tuple(map(Act, labels))
    state = None
    if isinstance(values, dict):
        state = State(values={slot: _values(value) for slot, value in values.items()})
    if acts is None and state is None:
        return event
    return replace(event, layers=(Layer(GOLD, (Part(acts=acts, state=state),)),))


def _values(value: Any) -> tuple[Any, ...]:
    several = value if isinstance(value, list) else [value]
    return tuple(each for each in several if not isinstance(each, dict | list))
