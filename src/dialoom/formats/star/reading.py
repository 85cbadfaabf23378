"""From STAR's records to a dialogue: which event each record becomes, one for one.

The index of an event in the file is its index in the dialogue. Items the wizard had before them
are kept only where the view `selected_items` would not give them; the options of a suggestion that
was picked go to the request they answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, starmap
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from dialoom.corpus.files import MAX_DEPTH, check_depth
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Answer,
    Candidate,
    Capability,
    Completion,
    Dialogue,
    Event,
    Instruction,
    Layer,
    Options,
    Origin,
    Part,
    Query,
    Result,
    Scenario,
    Selected,
    Selection,
    Utterance,
)
from dialoom.dialogue.constraint import Constraint, parse
from dialoom.dialogue.event import Item
from dialoom.formats.star import raw, version6

_DECODER = msgspec.json.Decoder(Item)


def dialogue(record: raw.Dialogue, origin: Origin) -> Dialogue:
    """Return the dialogue that a file's record describes, with what the records do not name."""
    extra: dict[str, Any] = {}
    if record.version != raw.VERSION:
        extra["FORMAT-VERSION"] = record.version
    if record.introduces_conflicts is not UNSET:
        extra["IntroducesConflicts"] = record.introduces_conflicts
    elif record.version > version6.VERSION:
        extra["IntroducesConflicts"] = None  # see raw.SUPPLIED
    answers = (
        *(Answer(USER, a.question, a.answer, a.extra) for a in record.user_questionnaire),
        *(Answer(SYSTEM, a.question, a.answer, a.extra) for a in record.wizard_questionnaire),
    )
    return Dialogue(
        id=str(record.id),
        events=tuple(_Reader(record.events).read()),
        scenario=_scenario(record.scenario),
        workers={USER: record.user_worker, SYSTEM: record.wizard_worker},
        batch=record.batch,
        outcome=record.completion,
        answers=answers,
        origin=origin,
        extra=extra | record.extra,
    )


def _scenario(record: raw.Scenario) -> Scenario:
    return Scenario(
        domains=tuple(record.domains),
        capabilities=tuple(map(_capability, record.capabilities)),
        user_task=record.user_task,
        system_task=record.wizard_task,
        happy=record.happy,
        multi_task=record.multi_task,
        extra=record.extra,
    )


def _capability(record: raw.Capability) -> Capability:
    extra = record.extra
    if record.image is UNSET:
        extra = {"SchemaImage": None} | extra
    elif record.image != image(record.task):
        extra = extra | {"SchemaImage": record.image}
    return Capability(record.task, record.domain, extra)


def image(task: str) -> str:
    """Return the name of the flow chart that the published data give for a task."""
    return f"{task}.jpg"


@lru_cache(maxsize=4096)
def label_layers(label: str) -> tuple[Layer, ...]:
    """Return the gold layer that holds a wizard's action label; shared, since it is frozen."""
    return (Layer(GOLD, (Part(acts=(Act(label),)),)),)


@lru_cache(maxsize=4096)
def _candidates(options: tuple[str, ...]) -> tuple[Candidate, ...]:
    return tuple(Candidate(option) for option in options)


@lru_cache(maxsize=65536)
def _constraint(slot: str, text: str) -> Constraint:
    return parse(slot, text)


def _ms(seconds: int | UnsetType) -> int | None:
    return None if seconds is UNSET else seconds * 1000


def _item(spelled: raw.OptionalItem) -> Item | None:
    """Return an item, or None where there is none.

    Raises:
        msgspec.MsgspecError, UnicodeDecodeError: It is no JSON object.
        RecursionError: It is nested deeper than any reader of ours must cope with.
    """
    if spelled is UNSET:
        return None
    item = _DECODER.decode(spelled)
    text = bytes(spelled)
    if text.count(b"{") + text.count(b"[") > MAX_DEPTH:  # else it cannot be deep
        check_depth(item)
    return item


class _Reader:
    """Maps a file's events in order, keeping what the wizard has selected."""

    def __init__(self, records: list[raw.AnyEvent]) -> None:
        self.records = records
        self.primary: raw.OptionalItem = UNSET
        self.secondary: raw.OptionalItem = UNSET
        self.queries = 0
        self.api = ""

    def read(self) -> Iterator[Event]:
        for index, record in enumerate(self.records):
            yield _READERS[type(record)](self, record, index)

    def _selected(self, record: raw.WizardEvent) -> Selected | None:
        if record.primary == self.primary and record.secondary == self.secondary:
            return None
        self.primary, self.secondary = record.primary, record.secondary
        return Selected(_item(record.primary), _item(record.secondary))

    def instruct(self, record: raw.Instruct, index: int) -> Instruction:
        return Instruction(text=record.text, time=_ms(record.time), extra=record.extra)

    def complete(self, record: raw.Complete, index: int) -> Completion:
        return Completion(time=_ms(record.time), extra=record.extra)

    def utter(self, record: raw.Utter, index: int) -> Utterance:
        extra = record.extra
        if record.agent == "Wizard":
            agent, selected = SYSTEM, self._selected(record)
        else:  # has nothing before them: what a file claims is no part of the view
            agent, selected = USER, None
            for name, item in (
                ("PrimaryItem", record.primary),
                ("SecondaryItem", record.secondary),
            ):
                if item is not UNSET:
                    extra = {name: _item(item)} | extra
        return Utterance(
            agent=agent,
            text=record.text,
            time=_ms(record.time),
            selected=selected,
            extra=extra,
        )

    def pick(self, record: raw.PickSuggestion, index: int) -> Utterance:
        extra = record.extra
        before = self.records[index - 1] if index else None
        if record.options is UNSET:
            extra = {"ActionLabelOptions": None} | extra
        elif not (isinstance(before, raw.RequestSuggestions) and record.options):
            extra = extra | {"ActionLabelOptions": record.options}
        return Utterance(
            agent=SYSTEM,
            text=record.text,
            time=_ms(record.time),
            layers=label_layers(record.label),
            selected=self._selected(record),
            extra=extra,
        )

    def request(self, record: raw.RequestSuggestions, index: int) -> Options:
        after = self.records[index + 1] if index + 1 < len(self.records) else None
        options: tuple[str, ...] = ()
        if isinstance(after, raw.PickSuggestion) and after.options is not UNSET:
            options = tuple(after.options)
        return Options(
            text=record.text,
            time=_ms(record.time),
            candidates=_candidates(options),
            selected=self._selected(record),
            extra=record.extra,
        )

    def query(self, record: raw.Query, index: int) -> Query:
        extra = record.extra
        self.queries += 1
        self.api = record.api
        sizes = list(map(len, record.constraints))
        if sizes.count(1) != len(sizes):
            extra = extra | {"Constraints": sizes}
        pairs = chain.from_iterable(map(dict.items, record.constraints))
        return Query(
            id=str(self.queries),
            api=record.api,
            constraints=tuple(starmap(_constraint, pairs)),
            time=_ms(record.time),
            selected=self._selected(record),
            extra=extra,
        )

    def result(self, record: raw.ReturnItem, index: int) -> Result:
        extra = record.extra
        item = _item(record.item)
        self.primary = record.item
        api = record.api
        if api is UNSET:
            extra = {"APIName": None} | extra
        return Result(
            query=str(self.queries) if self.queries else "",
            items=() if item is None else (item,),
            total=None if record.total == -1 else record.total,
            api=None if api is UNSET or api == self.api else api,
            time=_ms(record.time),
            extra=extra,
        )

    def selection(
        self,
        record: raw.SelectTask | raw.SelectPrimary | raw.SelectSecondary,
        index: int,
    ) -> Selection:
        task = record.task if isinstance(record, raw.SelectTask) else None
        return Selection(
            kind=SELECTIONS[type(record)],
            task=task,
            time=_ms(record.time),
            selected=self._selected(record),
            extra=record.extra,
        )


SELECTIONS: dict[type[raw.WizardEvent], Any] = {
    raw.SelectTask: "task",
    raw.SelectPrimary: "primary",
    raw.SelectSecondary: "secondary",
}
"""Which record says that the wizard selected what."""

_READERS: dict[type[raw.Event], Callable[[_Reader, Any, int], Event]] = {
    raw.Utter: _Reader.utter,
    raw.PickSuggestion: _Reader.pick,
    raw.RequestSuggestions: _Reader.request,
    raw.Query: _Reader.query,
    raw.ReturnItem: _Reader.result,
    raw.Instruct: _Reader.instruct,
    raw.Complete: _Reader.complete,
    raw.SelectTask: _Reader.selection,
    raw.SelectPrimary: _Reader.selection,
    raw.SelectSecondary: _Reader.selection,
}
