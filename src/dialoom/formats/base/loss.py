"""What a format could not hold, measured: a corpus is written, read back and compared.

    loss = convert(corpus.dialogues, corpus.schemas, formats.get("babi"), folder)
    loss                # Counter({"utterance.layers.parts.acts.name": 812, "utterance.time": 431})

A field is named by its path in the data model (docs/data-model.md) without indices. Values that
came back elsewhere in the same field count as kept, in another order as "order of FIELD". What a
format adds (defaults that its layout demands) is no loss. Where a dialogue came from is not
compared, nor how calls are numbered as long as each result has its call. A format that only people
read says what of a dialogue it holds (`Page`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec

from dialoom.corpus.corpus import Corpus
from dialoom.corpus.format import Format
from dialoom.dialogue import Dialogue, Query, Result
from dialoom.dialogue.event import Event
from dialoom.schema.task import TaskSchema

Loss = Counter[str]
"""What a target could not hold: field to how often it was left out."""

Leaf = tuple[str, Hashable]
"""A field and one value it has."""

_NOT_COMPARED = ("origin", "origins")


@runtime_checkable
class Page(Protocol):
    """A format that is written for people and cannot be read back."""

    def kept(self, dialogue: Dialogue) -> Dialogue:
        """Return what of a dialogue it tells."""


def convert(
    dialogues: Callable[[], Iterable[Dialogue]],
    schemas: Mapping[str, TaskSchema],
    format: Format,
    target: Path,
) -> Loss:
    """Write a corpus into the empty folder `target`, read it back, and return what is missing.

    Args:
        dialogues: Gives the dialogues; called twice.
        schemas: The tasks' schemas by id.
        format: What to write.
        target: An existing, empty folder.
    """
    ids: set[str] = set()
    format.write(_noted(dialogues(), ids), schemas, target)
    loss = Loss()
    if isinstance(format, Page):
        for before in dialogues():
            loss.update(lost(before, format.kept(before)))
        loss.update(lost_schemas(schemas, {}))
        return loss
    written = Corpus(target, format)
    back = written.dialogues() if ids else iter(())
    for before, after in _paired(dialogues(), back, ids):
        loss.update(lost(before, after))
    loss.update(lost_schemas(schemas, written.schemas))
    return loss


def _noted(dialogues: Iterable[Dialogue], ids: set[str]) -> Iterator[Dialogue]:
    for dialogue in dialogues:
        ids.add(dialogue.id)
        yield dialogue


def _paired(
    before: Iterable[Dialogue], after: Iterable[Dialogue], ids: set[str]
) -> Iterator[tuple[Dialogue, Dialogue | None]]:
    """Pair dialogues by id; one whose id could not be kept, by where it stands."""
    early: dict[str, Dialogue] = {}
    waiting: dict[str, Dialogue] = {}
    for old, new in zip_longest(before, after):
        if old is not None and new is not None and (old.id == new.id or new.id not in ids):
            yield old, new
            continue
        if new is not None:
            early[new.id] = new
        if old is not None:
            waiting[old.id] = old
        for held in [held for held in (old, new) if held is not None]:
            if held.id in early and held.id in waiting:
                yield waiting.pop(held.id), early.pop(held.id)
    yield from ((old, None) for old in waiting.values())


def lost(before: Dialogue, after: Dialogue | None) -> Loss:
    """Return what `after` lacks of `before`; all of it where there is no `after`."""
    if after is not None and _alike(before, after):
        return Loss()
    if after is not None and _alike(before.events, after.events):  # most of it: look no closer
        before = msgspec.structs.replace(before, events=())
        after = msgspec.structs.replace(after, events=())
    numbered = after is not None and _skeleton(before) == _skeleton(after)
    old = _by_field(leaves(before, numbered=numbered))
    new = _by_field(leaves(after, numbered=numbered)) if after is not None else {}
    loss = Loss()
    for field, values in old.items():
        found = new.get(field, [])
        gone = Counter(values) - Counter(found)
        if gone:
            loss[field] += gone.total()
        elif not _in_order(values, found):
            loss[f"order of {field}"] += 1
    return loss


def _in_order(values: Iterable[Hashable], found: Iterable[Hashable]) -> bool:
    """Tell whether values stand in order among those that were found."""
    rest = iter(found)
    return all(value in rest for value in values)


def _alike(one: object, other: object) -> bool:
    """Tell whether two values are the same; 1, 1.0 and true differ."""
    return one == other and msgspec.json.encode(one) == msgspec.json.encode(other)


def lost_schemas(before: Mapping[str, TaskSchema], after: Mapping[str, TaskSchema]) -> Loss:
    """Return the fields of tasks that differ once read back, once a task."""
    loss = Loss()
    for name, task in before.items():
        back = after.get(name)
        if back is None:
            loss["schema"] += 1
            continue
        for field in task.__struct_fields__:
            held = getattr(task, field)
            same = held == getattr(back, field) or (field == "source" and held is None)
            if field not in _NOT_COMPARED and not same:
                loss[f"schema.{field}"] += 1
    return loss


def leaves(dialogue: Dialogue, *, numbered: bool = False) -> Iterator[Leaf]:
    """Yield every value a dialogue holds, with its field; defaults hold nothing.

    Args:
        dialogue: The dialogue.
        numbered: Whether a value is told apart by the event it stands in.
    """
    calls = {e.id: n for n, e in enumerate(e for e in dialogue.events if isinstance(e, Query))}
    for field in dialogue.__struct_fields__:
        if field not in ("events", *_NOT_COMPARED):
            yield from _field(dialogue, field, "dialogue")
    counts: Counter[tuple[Any, str]] = Counter()
    for event in dialogue.events:
        kind = _kind(event)
        counts[kind] += 1
        for path, value in _event(event, calls):
            yield path, (kind[1], counts[kind], value) if numbered else value


def _event(event: Event, calls: Mapping[str, int]) -> Iterator[Leaf]:
    name = str(event.__struct_config__.tag)
    yield name, event.agent
    for field in event.__struct_fields__:
        if field == "agent" or (field == "id" and isinstance(event, Query)):
            continue
        if field == "query" and isinstance(event, Result):
            yield f"{name}.query", calls.get(event.query)
        else:
            yield from _field(event, field, name)


def _field(struct: msgspec.Struct, field: str, path: str) -> Iterator[Leaf]:
    value = getattr(struct, field)
    if value != _defaults(type(struct)).get(field, msgspec.NODEFAULT):
        yield from _value(value, f"{path}.{field}")


def _value(value: Any, path: str) -> Iterator[Leaf]:
    """Yield what a field holds: structs by field, lists of them and objects by entry."""
    if isinstance(value, msgspec.Struct):
        inner = [leaf for name in value.__struct_fields__ for leaf in _field(value, name, path)]
        yield from inner or [(path, "")]
    elif isinstance(value, tuple) and value and isinstance(value[0], msgspec.Struct | dict):
        for entry in value:
            yield from [(path, _same(entry))] if isinstance(entry, dict) else _value(entry, path)
    elif isinstance(value, dict) and value:
        named = path.endswith(".extra")
        for key, held in sorted(value.items()):
            yield f"{path}.{key}" if named else path, (key, _same(held))
    else:
        yield path, _same(value)


def _same(value: Any) -> Hashable:
    """Return one text for equal values; 1, 1.0 and true stay apart."""
    return value if isinstance(value, str) else msgspec.json.encode(value, order="deterministic")


_known: dict[type[msgspec.Struct], dict[str, Any]] = {}


def _defaults(kind: type[msgspec.Struct]) -> dict[str, Any]:
    if kind not in _known:
        _known[kind] = {
            field.name: field.default if field.default_factory is msgspec.NODEFAULT else {}
            for field in msgspec.structs.fields(kind)
        }
    return _known[kind]


def _kind(event: Event) -> tuple[Any, str]:
    return event.__struct_config__.tag, event.agent


def _skeleton(dialogue: Dialogue) -> Counter[tuple[Any, str]]:
    """Count the events of each kind and agent: where all are there, each can be compared."""
    return Counter(_kind(event) for event in dialogue.events)


def _by_field(found: Iterable[Leaf]) -> dict[str, list[Hashable]]:
    fields: dict[str, list[Hashable]] = defaultdict(list)
    for path, value in found:
        fields[path].append(value)
    return fields
