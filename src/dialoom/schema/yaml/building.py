"""Builds a `TaskSchema` from the value of a task file (see grammar.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from typing import Any, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from dialoom.errors import UnknownNameError
from dialoom.schema.call import Call, Column, Intent, Table
from dialoom.schema.condition import Condition, read
from dialoom.schema.environment import EnvironmentSpec
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.lexicon import lexicon
from dialoom.schema.slot import Slot, SlotType, canonical, is_truth
from dialoom.schema.task import TaskSchema

_Raw = dict[str, Any]

SUMMARY = "{summary}"

MOST_OPTIONAL = 4
"""Most optional inputs of a call that is confirmed: each subset of them has its own template."""

T = TypeVar("T", bound=msgspec.Struct)


def build(raw: _Raw) -> TaskSchema:
    """Return the task of a task file's value; sections that are missing are empty."""
    slots = {name: _slot(name, slot) for name, slot in _items(raw, "slots")}
    tables = {name: _table(name, table, slots) for name, table in _items(raw, "tables")}
    # an unknown effect is one error, not one more of all that depends on it
    apis = {name: _call(name, api) for name, api in _items(raw, "apis") if "effect" in api}
    language = raw.get("language") or "en"
    reader = ConditionReader(slots, tables, apis, language)
    calls = {
        name: replace(call, refuses=reader.read(raw["apis"][name], "refuses"))
        for name, call in apis.items()
    }
    nodes = {
        name: _node(name, node, reader.read(node, "when")) for name, node in _items(raw, "flow")
    }
    nodes = {name: summarised(node, nodes, calls, slots, language) for name, node in nodes.items()}
    aliases = tuple(raw.get("aliases") or ())
    return TaskSchema(
        name=next(iter(aliases), raw.get("task")),
        id=raw.get("task") or "",
        language=language,
        domain=raw.get("domain") or (raw.get("task") or "" if raw.get("environment") else ""),
        today=raw.get("today") or "",
        description=raw.get("description") or "",
        texts=dict(raw.get("briefing") or {}),
        aliases=aliases,
        intents={name: _intent(name, intent) for name, intent in _items(raw, "intents")},
        slots=slots,
        constraints=reader.read(raw, "constraints"),
        tables=tables,
        calls=calls,
        flow=FlowGraph(nodes=nodes, complete=bool(nodes)),
        replies={
            name: node.texts[0]
            for name, node in nodes.items()
            if node.kind == "system" and node.texts
        },
        questions={who: tuple(texts) for who, texts in _items(raw, "questions")},
        out_of_scope=tuple(raw.get("out_of_scope") or ()),
        environment=_environment(raw.get("environment")),
        goals=tuple(raw.get("goals") or ()),
    )


def _items(raw: _Raw, key: str) -> list[tuple[str, Any]]:
    return list((raw.get(key) or {}).items())


def _made(struct: type[T], name: str, raw: _Raw, **other: Any) -> T:
    """Return a struct of the keys that match its fields, and `other`."""
    fields = struct.__struct_fields__
    content = {key: value for key, value in raw.items() if key in fields and value is not None}
    return msgspec.convert({"name": name} | content | other, struct)


def _environment(raw: Any) -> EnvironmentSpec | None:
    spec: _Raw = {"at": raw} if isinstance(raw, str) else raw or {}
    for key in ("reset", "state"):
        if isinstance(spec.get(key), str):
            spec = spec | {key: {"name": spec[key]}}
    return msgspec.convert(spec, EnvironmentSpec) if "at" in spec else None


def _intent(name: str, raw: _Raw) -> Intent:
    text = raw.get("description") or ""
    return Intent(name=name, description=text, calls=tuple(raw.get("apis") or ()))


def _slot(name: str, raw: _Raw) -> Slot:
    need = raw.get("need")
    return _made(
        Slot,
        name,
        raw,
        values={value: spoken or () for value, spoken in _items(raw, "values")},
        minimum=raw.get("from", raw.get("minimum")),
        maximum=raw.get("to", raw.get("maximum")),
        optional=need == "optional",
        unless=need.get("unless") if isinstance(need, dict) else None,
    )


def _table(name: str, raw: _Raw, slots: Mapping[str, Slot]) -> Table:
    columns = _columns(raw, "columns")
    kinds = {column.name: column.slot for column in columns}
    entries = tuple(
        {key: _cell(value, slots.get(kinds.get(key) or "")) for key, value in row.items()}
        for row in raw.get("given") or ()
        if row
    )
    rows = raw.get("rows", len(entries))
    return _made(Table, name, raw, rows=rows, given=entries, columns=columns)


def _cell(value: Any, slot: Slot | None) -> Any:
    """Return a value of a given row; several values of a slot are one text in the file."""
    if slot is None or slot.type != "categories":
        return value
    return [part.strip() for part in str(value).split(";")]


def _call(name: str, raw: _Raw) -> Call:
    columns = {key: _columns(raw, key) for key in ("inputs", "outputs")}
    also = [{"sets": {}, **each} for each in raw.get("also") or () if each.get("table")]
    return _made(Call, name, raw, **columns, refuses=(), also=also)


def _columns(raw: _Raw, key: str) -> tuple[Column, ...]:
    return tuple(_made(Column, name, column, **_typed(column)) for name, column in _items(raw, key))


def _typed(raw: _Raw) -> _Raw:
    """Return the fields of a column that the file spells differently."""
    ends = {
        field: raw[key] for key, field in (("from", "minimum"), ("to", "maximum")) if key in raw
    }
    return {"required_if": _lists(raw, "required_if"), **ends}


def _lists(raw: _Raw, key: str) -> dict[str, list[str]]:
    return {name: list(map(plain, values)) for name, values in _items(raw, key)}


def plain(value: Any) -> str:
    """Return a scalar as text, true and false in lower case."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _node(name: str, raw: _Raw, when: tuple[Condition, ...]) -> Node:
    return _made(
        Node,
        name,
        raw,
        kind=next(kind for kind in ("user", "system", "call", "result") if kind in raw),
        texts=raw.get("user") or raw.get("system") or (),
        when=when,
        outcome=raw.get("result"),
        set={slot: plain(value) for slot, value in _items(raw, "set")},
    )


class ConditionReader:
    """Parses the conditions of a task file; values get the types of its slots and columns."""

    def __init__(
        self,
        slots: Mapping[str, Slot],
        tables: Mapping[str, Table],
        calls: Mapping[str, Call],
        language: str,
    ) -> None:
        self._language = language
        self._named = {name: each[-1] for name, each in domains(slots, tables, calls).items()}

    def read(self, raw: Mapping[str, Any], key: str) -> tuple[Condition, ...]:
        """Return the conditions at a key of the file, without those that cannot be parsed."""
        conditions = (read(text, self._named.keys()) for text in raw.get(key) or ())
        return tuple(self._typed(condition) for condition in conditions if condition is not None)

    def _typed(self, condition: Condition) -> Condition:
        slot = self._named.get(condition.name)
        values = condition.values
        if slot is not None:
            with suppress(ValueError, UnknownNameError):  # reported by the checks
                values = tuple(canonical(slot, str(v), self._language) for v in values)
        return replace(condition, values=values)


def domains(
    slots: Mapping[str, Slot], tables: Mapping[str, Table], calls: Mapping[str, Call]
) -> dict[str, list[Slot]]:
    """Return name to all that has it, as slots: answers of calls, columns, and the slot last."""
    slots_of: dict[str, list[Slot]] = {}
    for call in calls.values():
        for name, value in (pair for answer in call.answers.values() for pair in answer.items()):
            answer_slot = Slot(name=name, type="category", values={})
            slots_of.setdefault(name, [answer_slot])[0].values[plain(value)] = ()
    columns = (column for table in tables.values() for column in table.columns)
    fields = (c for call in calls.values() for c in (*call.inputs, *call.outputs))
    for column in (*columns, *fields):
        slots_of.setdefault(column.name, []).append(as_slot(column, slots))
    for name, slot in slots.items():
        slots_of.setdefault(name, []).append(slot)
    return slots_of


def as_slot(column: Column, slots: Mapping[str, Slot]) -> Slot:
    """Return a column's slot; without one a slot of the column's own type, values and limits."""
    if column.slot in slots:
        return slots[column.slot or ""]
    kinds: dict[str, SlotType] = {kind: kind for kind in get_args(SlotType)}
    kinds["serial"] = "integer"
    return Slot(
        name=column.name,
        type=kinds.get(column.type, "category"),
        values={plain(value): () for value in column.values},
        minimum=column.minimum,
        maximum=column.maximum,
    )


def summarised(
    node: Node,
    nodes: Mapping[str, Node],
    calls: Mapping[str, Call],
    slots: Mapping[str, Slot],
    language: str,
) -> Node:
    """Return a node whose `{summary}` lists the inputs of the call that it confirms.

    A template with `{summary}` becomes one template for each subset of the optional inputs, so that
    there is one for exactly the inputs that are known.
    """
    call = calls.get(getattr(nodes.get(node.confirms or ""), "call", None) or "")
    if call is None:
        return node
    texts = (
        text.replace(SUMMARY, summary) if SUMMARY in text else text
        for text in node.texts
        for summary in (_summaries(call, slots, language) if SUMMARY in text else ("",))
    )
    return replace(node, texts=tuple(texts))


def _summaries(call: Call, slots: Mapping[str, Slot], language: str) -> Iterator[str]:
    inputs = [column for column in call.inputs if column.slot in slots]
    free = [c.slot for c in inputs if not c.required][:MOST_OPTIONAL]
    for count in range(len(free), -1, -1):
        for subset in combinations(free, count):
            names = [c.slot or "" for c in inputs if c.required or c.slot in subset]
            yield ", ".join(_listed(slots[name], language) for name in dict.fromkeys(names))


def _listed(slot: Slot, language: str) -> str:
    """Return a value in a list; a number or a yes or no has words before it, without articles."""
    value = f"{{{slot.name}}}"
    truth, articles = slot.type == "boolean", set[str]()
    with suppress(UnknownNameError):  # of the language: reported by the checks
        truth, articles = is_truth(slot, language), {*lexicon(language).articles}
    if truth:
        return f"{slot.name.replace('_', ' ')}: {value}"
    if slot.type not in ("integer", "amount"):
        return value
    first, _, rest = slot.description.partition(" ")
    noun = rest if first.lower() in articles else slot.description
    return f"{noun}: {value}" if " " in noun else f"{noun} {value}"
