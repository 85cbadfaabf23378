"""Converts any task to the form of STAR's files, with SAM's view of the flow graph.

Replies are the first templates of system nodes; APIs have STAR's type names. The paper's view of
the flow graph has edges between actions, with markers where it branches. SAM's view has a node for
each user utterance after an action, and each result, with the next action.

    ValueListing(tasks).dialogue(dialogue)   # in a query and its items, "19:30" becomes "7:30 pm"

A knowledge base has dates and times in their canonical form; a published API lists spoken forms,
and STAR's queries and items have these. Only for tasks with slots it is known what an API lists:
other dialogues, including STAR's own, are not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from dialoom.corpus.listing import free
from dialoom.dialogue import Dialogue, Event, Options, Query, Result, Selected, Selection, Utterance
from dialoom.dialogue.constraint import Constraint
from dialoom.dialogue.event import BOOK, CHECK, Item
from dialoom.flow.actions import following, heard, transitions, wordings
from dialoom.formats.star.importing import to_schema
from dialoom.schema.call import Call, Column
from dialoom.schema.flow import OUT_OF_SCOPE, Node, label
from dialoom.schema.lexicon import lexicon, split_name
from dialoom.schema.slot import Slot
from dialoom.schema.source import StarApi, StarParameter, StarSource, StarView
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.values import plain, samples

_TYPES = {"category": "Categorical", "categories": "CategoricalMultiple"}
_TYPES |= {"short text": "ShortString", "long text": "LongString"}
_TYPES |= {"integer": "Integer", "serial": "Integer", "boolean": "Boolean"}
_TYPES |= {"date": "Categorical", "time": "Categorical"}
_TYPES |= {"request": "RequestType", "steps": "CategoricalList"}
"""Type of slot or column to the type in STAR's API descriptions."""


def publish(task: TaskSchema) -> tuple[dict[str, str], StarSource]:
    """Return a task's replies and markers, and the content of its other files.

    A task that was read from such files gets them back, except views of the flow and APIs that
    differ from the task now, which are made anew.
    """
    if not isinstance(task.source, StarSource):
        return _made(task)
    source = task.source
    read = to_schema(task.id, task.name, task.replies, source)
    replies = task.replies
    if _links(task) != _links(read):
        made_replies, draft = _made(task)
        replies = replies | {
            new: made_replies[new] for new in made_replies if new not in read.flow.nodes
        }
        paper = replace(source.paper, edges=draft.paper.edges)
        source = replace(source, paper=paper, sam=draft.sam)
    if (task.slots, task.calls, task.tables) != (read.slots, read.calls, read.tables):
        index = {api.name: api for api in source.apis}
        apis = (
            index[name] if _alike(call, task, read) else _api(call, task)
            for name, call in task.calls.items()
        )
        source = replace(source, apis=tuple(apis))
    return replies, source


def _links(task: TaskSchema) -> dict[str, Node]:
    """Return the nodes of a flow without the texts and examples, which are in other files."""
    return {
        name: replace(
            node, texts=node.texts if node.kind in ("user", "result") else (), examples=()
        )
        for name, node in task.flow.nodes.items()
    }


def _alike(call: Call, one: TaskSchema, other: TaskSchema) -> bool:
    names = [column.slot for column in call.inputs if column.slot is not None]
    return (
        other.calls.get(call.name) == call
        and all(one.slots.get(name) == other.slots.get(name) for name in names)
        and one.tables.get(call.table) == other.tables.get(call.table)
    )


def _made(task: TaskSchema) -> tuple[dict[str, str], StarSource]:
    turns = {name: node for name, node in task.flow.nodes.items() if node.kind == "system"}
    forms = _forms(task)
    replies = {name: _reply(node.texts[0], forms) for name, node in turns.items() if node.texts}
    if task.out_of_scope:
        replies[OUT_OF_SCOPE] = task.out_of_scope[0]
    edges, markers = following(task)
    source = StarSource(
        paper=StarView(edges=edges),
        sam=_sam(task, replies) if task.flow else None,
        apis=tuple(_api(call, task) for call in task.calls.values()),
        suggestions=dict(replies) if task.flow else None,
        examples={name: wordings(node) for name, node in turns.items()} if task.flow else None,
    )
    return replies | markers if task.flow else dict(task.replies), source


def _sam(task: TaskSchema, replies: dict[str, str]) -> StarView:
    nodes: dict[str, str] = {}
    edges: dict[str, str] = {}
    reverse: dict[str, str] = {}
    for step in transitions(task):
        if step.through is None:
            continue
        name = free(step.through.name, edges)
        text = heard(step.through, task)
        nodes[name] = f"[RESULT] {text}" if step.through.kind == "result" else text
        edges[name] = step.after
        if step.before is not None:
            reverse[name] = step.before
    queries = dict.fromkeys(label(n) for n in task.flow.nodes.values() if n.kind == "call")
    texts = replies | {query: f"[{query.upper()}]" for query in queries}
    return StarView(nodes=nodes | texts, edges=edges, reverse=reverse)


def _forms(task: TaskSchema) -> dict[str, str]:
    whole = {name for name, slot in task.slots.items() if slot.type == "integer"}
    calls = (column for call in task.calls.values() for column in (*call.inputs, *call.outputs))
    rows = (column for table in task.tables.values() for column in table.columns)
    for column in (*calls, *rows):
        slot = task.slots.get(column.slot or "")
        if column.type in ("integer", "serial") or (slot and slot.type == "integer"):
            whole.add(column.name)
    return dict.fromkeys(whole, "d")


def _reply(text: str, forms: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda match: f"{{{match[1]}:{forms.get(match[1], 's')}}}", text)


def _api(call: Call, task: TaskSchema) -> StarApi:
    table = task.tables.get(call.table)
    rows = table.columns if table and call.effect in ("search", "find") else ()
    names = {column.name for column in call.outputs}
    outputs = (*(c for c in rows if c.name not in names), *call.outputs)
    return StarApi(
        name=call.name,
        inputs=_parameters(call.inputs, task),
        outputs=_parameters(outputs, task),
        required=tuple(c.name for c in call.inputs if c.required),
        db=call.table or None,
        returns_count=call.effect == "search",
        table=_parameters(table.columns, task) if table else None,
    )


def _parameters(columns: Iterable[Column], task: TaskSchema) -> tuple[StarParameter, ...]:
    return tuple(
        _parameter(column, task.slots.get(column.slot or ""), task.language) for column in columns
    )


def _parameter(column: Column, slot: Slot | None, language: str) -> StarParameter:
    kind = slot.type if slot else column.type
    low, high = (slot.minimum, slot.maximum) if slot else (column.minimum, column.maximum)
    numeric = kind in ("integer", "amount", "serial")
    categories = _categories(column, slot, language)
    needed = (f"{name} in {list(choices)}" for name, choices in column.required_if.items())
    if kind in ("date", "time") and categories is None:
        kind = "short text"  # dates in several years
    return StarParameter(
        name=column.name,
        type=_number_type(low, slot or column) if kind == "amount" else _TYPES.get(kind, kind),
        categories=categories,
        minimum=low if numeric else None,
        maximum=high if numeric else None,
        enabled=" and ".join(needed) or None,
        readable=" ".join(split_name(column.name)).title(),
    )


def _number_type(least: Any, values: Slot | Column) -> str:
    whole = all(float(n).is_integer() for n in (least or 0, values.step))
    return "Integer" if whole else "Number"


def _categories(column: Column, slot: Slot | None, language: str) -> list[Any] | None:
    if slot is not None:
        choices = listed(slot, language)
        return None if choices is None else list(choices)
    if column.type == "request":
        return [CHECK, BOOK]
    if column.type == "steps":
        return [list(steps) for steps in column.lists]
    return list(column.values) if column.type in ("category", "categories") else None


def listed(slot: Slot, language: str = "en") -> tuple[str, ...] | None:
    """Return the values of a slot as the categories of a published API; None if it has none.

    Times are clock times ("7:30 pm"), dates are days of the month if the month is unambiguous. The
    result is None as well if two dates would have the same text, being in different years.
    """
    if slot.type in ("category", "categories"):
        return tuple(slot.values)
    if slot.type not in ("date", "time"):
        return None
    examples = list(samples(slot))
    if slot.type == "date":
        if len({value[5:] for value in examples}) < len(examples):
            return None
        numbers = [int(value[-2:]) - 1 for value in examples]
        days = lexicon(language).days
        if len(set(numbers)) == len(examples) and len(days) == 31:
            return tuple(days[number] for number in numbers)
    texts = tuple(dict.fromkeys(plain(value, language, slot) for value in examples))
    return texts if len(texts) == len(examples) else None


Place = tuple[str, str]
"""An API and the name of an input, output or column."""


class ValueListing:
    """Converts dates and times of the knowledge base to the forms that tasks' APIs list."""

    def __init__(self, tasks: Mapping[str, TaskSchema]) -> None:
        self.texts: dict[Place, dict[Any, str]] = dict(
            pair for task in tasks.values() for pair in _texts(task)
        )

    def dialogue(self, dialogue: Dialogue) -> Dialogue:
        """Return a dialogue with dates and times as the APIs list them."""
        if not self.texts:
            return dialogue
        calls = _Calls(self.texts)
        return replace(dialogue, events=tuple(map(calls.event, dialogue.events)))


class _Calls:
    """Converts one dialogue event by event; an item that the wizard sees is one of a result."""

    def __init__(self, texts: Mapping[Place, Mapping[Any, str]]) -> None:
        self._texts = texts
        self._apis: dict[str, str] = {}
        self._items: list[tuple[Item, Item]] = []

    def event(self, event: Event) -> Event:
        if isinstance(event, Query):
            self._apis[event.id] = event.api
            constraints = tuple(self._constraint(event.api, each) for each in event.constraints)
            event = replace(event, constraints=constraints)
        elif isinstance(event, Result):
            api = self._apis.get(event.query, "")
            return replace(event, items=tuple(self._item(api, item) for item in event.items))
        if isinstance(event, Utterance | Query | Options | Selection) and event.selected:
            choice = event.selected
            view = Selected(self._given(choice.primary), self._given(choice.secondary))
            event = replace(event, selected=view)
        return event

    def _constraint(self, api: str, constraint: Constraint) -> Constraint:
        texts = self._texts.get((api, constraint.slot))
        if texts is None:
            return constraint
        return replace(constraint, values=tuple(texts.get(v, v) for v in constraint.values))

    def _item(self, api: str, item: Item) -> Item:
        view = {name: self._value(api, name, value) for name, value in item.items()}
        self._items.append((item, view))
        return view

    def _value(self, api: str, name: str, value: Any) -> Any:
        texts = self._texts.get((api, name))
        return value if texts is None or not isinstance(value, str) else texts.get(value, value)

    def _given(self, item: Item | None) -> Item | None:
        return next((view for original, view in self._items if original == item), item)


def _texts(task: TaskSchema) -> Iterator[tuple[Place, dict[Any, str]]]:
    for call in task.calls.values():
        for column in (*call.inputs, *call.outputs, *task.columns(call)):
            slot = task.slots.get(column.slot or "")
            if slot is None or slot.type not in ("date", "time"):
                continue
            texts = listed(slot, task.language) or ()
            values = tuple(samples(slot))
            if len(texts) == len(values):
                yield (call.name, column.name), dict(zip(values, texts, strict=True))
