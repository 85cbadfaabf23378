"""Loss of a format: a dialogue is compared before writing with what is read back.

    lost(before, after)   # Counter({"utterance.layers.parts.acts.name": 12, "utterance.time": 9})

A field is named by its path in the data model (docs/reference/data-model.md), without indices.
Values that come back at another place of the same field count as kept; in another order, as "order
of FIELD".
Values that a format adds (defaults of its layout) are no loss. The origin of a dialogue is not
compared, nor the ids of queries if each result still has its query.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from dialoom.dialogue import Dialogue, Query
from dialoom.dialogue.event import Event
from dialoom.dialogue.question import kind_name
from dialoom.schema.task import TaskSchema

Loss = Counter[str]
"""Field to the number of values that were lost."""

_NOT_COMPARED = ("origin", "origins")

_SORTED = msgspec.json.Encoder(order="deterministic")


def lost(before: Dialogue, after: Dialogue | None) -> Loss:
    """Return the values of `before` that `after` lacks; all of them if `after` is None."""
    missing = _Missing()
    if after is None:
        missing.add(fields(before), {})
    elif before != after or _SORTED.encode(before) != _SORTED.encode(after):  # 1 is not True
        missing.add(_of_dialogue(before), _of_dialogue(after))
        # if all events are there, they can be compared one by one
        numbered = Counter(map(_kind, before.events)) == Counter(map(_kind, after.events))
        old, new = (_of_events(each.events, numbered=numbered) for each in (before, after))
        missing.add(old, new)
    return missing.loss()


class _Missing:
    """The values that one dialogue lacks of another, counted by field, and changes of order."""

    def __init__(self) -> None:
        self.gone = Loss()
        self.disordered: set[str] = set()

    def add(self, old: Mapping[str, list[Hashable]], new: Mapping[str, list[Hashable]]) -> None:
        for field, values in old.items():
            others = new.get(field)
            if others is None:
                self.gone[field] += len(values)
            elif values != others:
                count = (Counter(values) - Counter(others)).total()
                if count:
                    self.gone[field] += count
                elif not _in_order(values, others):
                    self.disordered.add(field)

    def loss(self) -> Loss:
        moved = {f"order of {field}": 1 for field in self.disordered - self.gone.keys()}
        return self.gone + Loss(moved)


def _in_order(values: Iterable[Hashable], others: Iterable[Hashable]) -> bool:
    rest = iter(others)
    return all(value in rest for value in values)


def lost_schemas(before: Mapping[str, TaskSchema], after: Mapping[str, TaskSchema]) -> Loss:
    """Return the fields of tasks that differ when read back, each counted once for each task."""
    loss = Loss()
    for name, task in before.items():
        back = after.get(name)
        if back is None:
            loss["schema"] += 1
            continue
        for field in task.__struct_fields__:
            value = getattr(task, field)
            same = value == getattr(back, field) or (field == "source" and value is None)
            if field not in _NOT_COMPARED and not same:
                loss[f"schema.{field}"] += 1
    return loss


def fields(dialogue: Dialogue) -> Mapping[str, list[Hashable]]:
    """Return field to all values in a dialogue, without defaults."""
    return {**_of_dialogue(dialogue), **_of_events(dialogue.events)}


def _of_dialogue(dialogue: Dialogue) -> _Fields:
    fields = _Fields()
    for name, default, path in _plan(Dialogue, "dialogue"):
        value = getattr(dialogue, name)
        if name not in ("events", *_NOT_COMPARED) and value != default:
            fields.add(value, path)
    return fields


def _of_events(events: Sequence[Event], *, numbered: bool = False) -> _Fields:
    calls = {e.id: n for n, e in enumerate(e for e in events if isinstance(e, Query))}
    counts: Counter[tuple[Any, str]] = Counter()
    table = _Fields()
    for event in events:
        fields = _of_event(event, calls)
        kind = _kind(event)
        counts[kind] += 1
        for path, values in fields.items():
            tagged = [(event.agent, counts[kind], each) for each in values]
            table[path] += tagged if numbered else values
    return table


def _of_event(event: Event, calls: Mapping[str, int]) -> _Fields:
    name = kind_name(type(event))
    fields = _Fields({name: [event.agent]})
    for field, default, path in _plan(type(event), name):
        value = getattr(event, field)
        if field == "query":
            fields.add(calls.get(value), path)
        elif field not in ("agent", "id") and value != default:
            fields.add(value, path)
    return fields


class _Fields(defaultdict[str, list[Hashable]]):
    def __init__(self, content: Mapping[str, list[Hashable]] | None = None) -> None:
        super().__init__(list, content or {})

    def add(self, value: Any, path: str) -> None:
        """Add the values of a field: of structs by field, of lists and objects by entry."""
        if type(value) is str:
            self[path].append(value)
        elif isinstance(value, msgspec.Struct):
            self._add_struct(value, path)
        elif isinstance(value, tuple) and value:
            self._add_entries(value, path)
        elif isinstance(value, dict) and value:
            is_extra = path.endswith(".extra")
            for key, entry in sorted(value.items()):
                self[f"{path}.{key}" if is_extra else path].append((key, _same(entry)))
        else:
            self[path].append(_same(value))

    def _add_entries(self, entries: tuple[Any, ...], path: str) -> None:
        if isinstance(entries[0], msgspec.Struct):
            for entry in entries:
                self._add_struct(entry, path)
        elif isinstance(entries[0], dict):
            self[path] += map(_same, entries)
        else:
            self[path].append(_same(entries))

    def _add_struct(self, struct: msgspec.Struct, path: str) -> None:
        empty = True
        for name, default, inner in _plan(type(struct), path):
            value = getattr(struct, name)
            if value is default or value == default:
                continue
            empty = False
            if type(value) is str:  # the most frequent type
                self[inner].append(value)
            else:
                self.add(value, inner)
        if empty:
            self[path].append("")


def _same(value: Any) -> Hashable:
    return value if isinstance(value, str) else _SORTED.encode(value)


@cache
def _plan(kind: type[msgspec.Struct], path: str) -> tuple[tuple[str, Any, str], ...]:
    return tuple(
        (each.name, each.default if each.default_factory is msgspec.NODEFAULT else {}, place)
        for each in msgspec.structs.fields(kind)
        for place in [f"{path}.{each.name}"]
    )


def _kind(event: Event) -> tuple[str, str]:
    return kind_name(type(event)), event.agent
