"""From the value of a task file's shape (grammar.py) to the structs of a task, key by key."""

from __future__ import annotations

from typing import Any

from dialoom.schema.call import Call, Column, Intent, Table
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

_Raw = dict[str, Any]


def build(raw: _Raw) -> TaskSchema:
    """Return the task that a value of the task file's shape says; missing keys are empty."""
    nodes = {name: _node(name, node) for name, node in _items(raw, "flow")}
    aliases = tuple(raw.get("aliases") or ())
    return TaskSchema(
        name=next(iter(aliases), raw.get("task")),
        id=raw.get("task") or "",
        language=raw.get("language") or "en",
        domain=raw.get("domain") or "",
        description=raw.get("description") or "",
        texts=dict(raw.get("briefing") or {}),
        aliases=aliases,
        intents={name: _intent(name, intent) for name, intent in _items(raw, "intents")},
        slots={name: _slot(name, slot) for name, slot in _items(raw, "slots")},
        tables={name: _table(name, table) for name, table in _items(raw, "tables")},
        calls={name: _call(name, api) for name, api in _items(raw, "apis")},
        flow=FlowGraph(nodes=nodes, complete=bool(nodes)),
        replies={name: node.texts[0] for name, node in nodes.items() if _replies(node)},
        questions={who: tuple(texts) for who, texts in _items(raw, "questions")},
        out_of_scope=tuple(raw.get("out_of_scope") or ()),
    )


def _replies(node: Node) -> bool:
    return node.kind == "system" and bool(node.texts)


def _items(raw: _Raw, key: str) -> list[tuple[str, Any]]:
    return list((raw.get(key) or {}).items())


def _intent(name: str, raw: _Raw) -> Intent:
    return Intent(
        name=name, description=raw.get("description") or "", calls=tuple(raw.get("apis") or ())
    )


def _slot(name: str, raw: _Raw) -> Slot:
    need = raw.get("need")
    return Slot(
        name=name,
        type=raw["type"],
        description=raw.get("description") or "",
        values={value: tuple(spoken or ()) for value, spoken in _items(raw, "values")},
        examples=tuple(raw.get("examples") or ()),
        minimum=raw.get("from", raw.get("minimum")),
        maximum=raw.get("to", raw.get("maximum")),
        step=raw.get("step") or 1,
        unit=raw.get("unit"),
        optional=need == "optional",
        unless=need.get("unless") if isinstance(need, dict) else None,
        modifiers=tuple(raw.get("modifiers") or ()),
    )


def _table(name: str, raw: _Raw) -> Table:
    return Table(
        name=name,
        rows=raw.get("rows") or 0,
        columns=_columns(raw, "columns"),
    )


def _columns(raw: _Raw, key: str) -> tuple[Column, ...]:
    return tuple(
        Column(
            name=name,
            slot=column.get("slot"),
            type=column.get("type") or "category",
            values=tuple(column.get("values") or ()),
            lists=tuple(tuple(steps) for steps in column.get("lists") or ()),
            minimum=column.get("minimum"),
            maximum=column.get("maximum"),
            step=column.get("step") or 1,
            along=column.get("along"),
            required=bool(column.get("required")),
            required_if=_lists(column, "required_if"),
        )
        for name, column in _items(raw, key)
    )


def _lists(raw: _Raw, key: str) -> dict[str, tuple[str, ...]]:
    return {name: tuple(map(plain, values)) for name, values in _items(raw, key)}


def plain(value: Any) -> str:
    """Return a scalar as the text it is written as."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _call(name: str, raw: _Raw) -> Call:
    return Call(
        name=name,
        effect=raw.get("effect") or "search",
        table=raw.get("table") or "",
        key=tuple(raw.get("key") or ()),
        inputs=_columns(raw, "inputs"),
        outputs=_columns(raw, "outputs"),
        answers={outcome: dict(said) for outcome, said in _items(raw, "answers")},
    )


def _node(name: str, raw: _Raw) -> Node:
    when = raw.get("when") or {}
    values = tuple(map(plain, when.get("is") or ()))
    return Node(
        name=name,
        kind=next(kind for kind in ("user", "system", "query", "result") if kind in raw),
        texts=tuple(raw.get("user") or raw.get("system") or ()),
        then=tuple(raw.get("then") or ()),
        asks=tuple(raw.get("asks") or ()),
        when={when["slot"]: values} if "slot" in when else {},
        call=raw.get("query"),
        request=raw.get("request"),
        outcome=raw.get("result"),
        gives_none=bool(raw.get("gives_none")),
        forget=tuple(raw.get("forget") or ()),
        set={slot: plain(value) for slot, value in _items(raw, "set")},
        next=raw.get("next"),
        reads=raw.get("reads"),
        last=raw.get("last"),
        detail=raw.get("detail"),
    )
