"""Builds a `TaskSchema` from the value of a task file (see grammar.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from dialoom.schema.call import Call, Column, Intent, Table
from dialoom.schema.condition import Condition
from dialoom.schema.environment import EnvironmentSpec
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.expanding import ConditionReader, summarised

_Raw = dict[str, Any]

T = TypeVar("T", bound=msgspec.Struct)


def build(raw: _Raw) -> TaskSchema:
    """Return the task of a task file's value; sections that are missing are empty."""
    slots = {name: _slot(name, slot) for name, slot in _items(raw, "slots")}
    tables = {name: _table(name, table, slots) for name, table in _items(raw, "tables")}
    apis = {name: _call(name, api) for name, api in _items(raw, "apis")}
    language = raw.get("language") or "en"
    named = ConditionReader(slots, tables, apis, language)
    calls = {
        name: replace(call, refuses=named.read(raw["apis"][name], "refuses"))
        for name, call in apis.items()
    }
    nodes = {
        name: _node(name, node, named.read(node, "when")) for name, node in _items(raw, "flow")
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
        constraints=named.read(raw, "constraints"),
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
    known = struct.__struct_fields__
    said = {key: held for key, held in raw.items() if key in known and held is not None}
    return msgspec.convert({"name": name} | said | other, struct)


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
    given = tuple(
        {key: _cell(value, slots.get(kinds.get(key) or "")) for key, value in row.items()}
        for row in raw.get("given") or ()
        if row
    )
    rows = raw.get("rows")
    many = len(given) if rows is None else max(rows, len(given))
    return _made(Table, name, raw, rows=many, given=given, columns=columns)


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
    return tuple(_made(Column, name, held, **_typed(held)) for name, held in _items(raw, key))


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
