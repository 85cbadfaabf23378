"""Converts STAR's records to a dialogue; each record becomes one event.

The index of an event in the file is its index in the dialogue. The items that the wizard sees are
kept only if `selected_items` does not compute them; the options of a suggestion that was picked are
kept with the request for suggestions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from dialoom.corpus.files import check_depth
from dialoom.dialogue import (
    COMPLETE,
    GOLD,
    Act,
    Answer,
    Capability,
    Dialogue,
    Layer,
    Origin,
    Part,
    Scenario,
)
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.constraint import Constraint, parse
from dialoom.dialogue.event import (
    SYSTEM,
    USER,
    Candidate,
    Completion,
    Event,
    Instruction,
    Item,
    Options,
    Query,
    Result,
    Selected,
    Selection,
    Utterance,
)
from dialoom.formats.star import raw, version6
from dialoom.schema.once import Kept

_FLAT = msgspec.json.Decoder(dict[str, Value | list[Value]])
_ITEM = msgspec.json.Decoder(Item)
_OPTIONS = msgspec.json.Decoder(list[str])


def dialogue(record: raw.Dialogue, origin: Origin) -> Dialogue:
    """Return the dialogue of a record; decoding errors for items that are not valid."""
    extra: dict[str, Any] = {}
    if record.version != raw.VERSION:
        extra["FORMAT-VERSION"] = record.version
    if record.introduces_conflicts is not UNSET:
        extra["IntroducesConflicts"] = record.introduces_conflicts
    elif record.version > version6.VERSION:
        extra["IntroducesConflicts"] = None  # see raw.SUPPLIED
    answers = (
        *(Answer(USER, each.question, each.answer) for each in record.user_questionnaire),
        *(Answer(SYSTEM, each.question, each.answer) for each in record.wizard_questionnaire),
    )
    events = tuple(_Reader().read(record.events))
    unsaid = not record.completion and not level(events)
    return Dialogue(
        id=str(record.id),
        events=events,
        scenario=_scenario(record.scenario),
        workers={USER: record.user_worker, SYSTEM: record.wizard_worker},
        batch=record.batch,
        outcome=None if unsaid else record.completion,
        answers=answers,
        origin=origin,
        extra=extra,
    )


def _scenario(record: raw.Scenario) -> Scenario:
    return Scenario(
        domains=tuple(record.domains),
        capabilities=tuple(map(_capability, record.capabilities)),
        user_task=record.user_task,
        system_task=record.wizard_task,
        happy=record.happy,
        multi_task=record.multi_task,
    )


def _capability(record: raw.Capability) -> Capability:
    if record.image is UNSET:
        return Capability(record.task, record.domain, {"SchemaImage": None})
    if record.image != image(record.task):
        return Capability(record.task, record.domain, {"SchemaImage": record.image})
    return Capability(record.task, record.domain)


def level(events: Iterable[Event]) -> str:
    """Return the CompletionLevel of events without an outcome; empty if none ends the dialogue."""
    return COMPLETE if any(isinstance(event, Completion) for event in events) else ""


def image(task: str) -> str:
    """Return the name of a task's flow chart, as in the published data."""
    return f"{task}.jpg"


def label_layers(label: str) -> tuple[Layer, ...]:
    """Return the gold layer for a wizard's action label."""
    return (Layer(GOLD, (Part(acts=(Act(label),)),)),)


def _candidates(options: bytes) -> tuple[Candidate, ...]:
    return tuple(map(Candidate, _OPTIONS.decode(options)))


def _constraint(pair: tuple[str, str]) -> Constraint:
    return parse(*pair)


_LAYERS, _CANDIDATES = Kept(label_layers, 4096), Kept(_candidates, 16384)
_CONSTRAINTS = Kept(_constraint, 65536)


def _item(source: raw.Spelled) -> Item | None:
    if source is UNSET:
        return None
    try:
        return _FLAT.decode(source)
    except msgspec.ValidationError:
        item = _ITEM.decode(source)
        check_depth(item)
        return item


def _milliseconds(record: Any) -> int | None:
    seconds: int | UnsetType = record.time
    return None if seconds is UNSET else seconds * 1000


class _Reader:
    """Converts a file's events in order; `offered` if the next event picks an option."""

    def __init__(self) -> None:
        self.primary: raw.Spelled = UNSET
        self.secondary: raw.Spelled = UNSET
        self.offered: tuple[Candidate, ...] = ()
        self.queries = 0
        self.api = ""

    def read(self, records: list[raw.AnyEvent]) -> list[Event]:
        return [
            self.request(record, after)
            if type(record) is raw.RequestSuggestions
            else _READERS[type(record)](self, record)
            for record, after in zip_longest(records, records[1:])
        ]

    def _selected(self, record: raw.WizardEvent) -> Selected | None:
        if record.primary == self.primary and record.secondary == self.secondary:
            return None
        self.primary, self.secondary = record.primary, record.secondary
        return Selected(_item(record.primary), _item(record.secondary))

    def instruct(self, record: raw.Instruct) -> Instruction:
        return Instruction(text=record.text, time=_milliseconds(record))

    def complete(self, record: raw.Complete) -> Completion:
        return Completion(time=_milliseconds(record))

    def utter(self, record: raw.Utter) -> Utterance:
        time = _milliseconds(record)
        if record.agent == "Wizard":
            selected = self._selected(record)
            return Utterance(agent=SYSTEM, text=record.text, time=time, selected=selected)
        if record.primary is UNSET and record.secondary is UNSET:
            return Utterance(agent=USER, text=record.text, time=time)
        # a user sees no items: what a file has there is no part of the view
        items = {"PrimaryItem": record.primary, "SecondaryItem": record.secondary}
        extra = {name: _item(item) for name, item in items.items() if item is not UNSET}
        return Utterance(agent=USER, text=record.text, time=time, extra=extra)

    def pick(self, record: raw.PickSuggestion) -> Utterance:
        extra = {}
        if self.offered:
            self.offered = ()
        else:
            options = record.options
            alone = None if options is UNSET else _OPTIONS.decode(options)
            extra = {"ActionLabelOptions": alone}
        return Utterance(
            agent=SYSTEM,
            text=record.text,
            time=_milliseconds(record),
            layers=_LAYERS[record.label],
            selected=self._selected(record),
            extra=extra,
        )

    def request(self, record: raw.RequestSuggestions, after: raw.AnyEvent | None) -> Options:
        if type(after) is raw.PickSuggestion and after.options is not UNSET:
            self.offered = _CANDIDATES[bytes(after.options)]
        return Options(
            text=record.text,
            time=_milliseconds(record),
            candidates=self.offered,
            selected=self._selected(record),
        )

    def query(self, record: raw.Query) -> Query:
        self.queries += 1
        self.api = record.api
        groups = record.constraints
        constraints = tuple([_CONSTRAINTS[pair] for group in groups for pair in group.items()])
        one_in_each = len(constraints) == len(groups) and all(groups)
        return Query(
            id=str(self.queries),
            api=record.api,
            constraints=constraints,
            time=_milliseconds(record),
            selected=self._selected(record),
            extra={} if one_in_each else {"Constraints": list(map(len, groups))},
        )

    def result(self, record: raw.ReturnItem) -> Result:
        item = _item(record.item)
        self.primary = record.item
        api = record.api
        return Result(
            query=str(self.queries) if self.queries else "",
            items=() if item is None else (item,),
            total=None if record.total == -1 else record.total,
            api=None if api is UNSET or api == self.api else api,
            time=_milliseconds(record),
            extra={"APIName": None} if api is UNSET else {},
        )

    def selection(
        self, record: raw.SelectTask | raw.SelectPrimary | raw.SelectSecondary
    ) -> Selection:
        return Selection(
            kind=SELECTIONS[type(record)],
            task=record.task if isinstance(record, raw.SelectTask) else None,
            time=_milliseconds(record),
            selected=self._selected(record),
        )


SELECTIONS: dict[type[raw.WizardEvent], Any] = {
    raw.SelectTask: "task",
    raw.SelectPrimary: "primary",
    raw.SelectSecondary: "secondary",
}
"""Record to the kind of its selection."""

_READERS: dict[type[raw.Event], Callable[[_Reader, Any], Event]] = {
    raw.Utter: _Reader.utter,
    raw.PickSuggestion: _Reader.pick,
    raw.Query: _Reader.query,
    raw.ReturnItem: _Reader.result,
    raw.Instruct: _Reader.instruct,
    raw.Complete: _Reader.complete,
    raw.SelectTask: _Reader.selection,
    raw.SelectPrimary: _Reader.selection,
    raw.SelectSecondary: _Reader.selection,
}
