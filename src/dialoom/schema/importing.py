"""A task whose flow is not complete turned into a task file, as far as it goes.

    text = to_task_file(tasks["hotel_book"])

Published schemas have one wording a node, no spoken variants, and no word on which result stands
for which outcome. What can be told is written; what cannot be stands in the file as a comment that
begins with "fill in", so that `schema check` and a person can finish it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.schema.actions import QUERIES, REQUESTS, read_graph
from dialoom.schema.call import Call, Column
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import split_name, words
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER

_GAP = "# fill in:"

OPENING, UNSAID = "open", "…"
"""The node that opens the dialogue, and what stands for words that the schema does not have."""

_OUTCOMES = {"query_check": ("available", "unavailable"), "query_book": ("done", "failed")}

_PLAIN = re.compile(r"[A-Za-z][\w'., !?-]*[\w.!?]")
_WORDS = frozenset({"true", "false", "null"})


def to_task_file(task: TaskSchema) -> str:
    """Return the text of a task file for a task of a published corpus."""
    slots = {_snake(slot.name): slot for slot in task.inputs}
    nodes = _Flow(task, slots).nodes()
    domain = (task.id.partition("_")[0] or task.id).lower()
    lines = [
        f"# Imported from the published schema of {task.id}. Each '{_GAP[2:]}' marks what the",
        "# schema does not tell; `dialoom schema check` lists what is still missing.",
        f"task: {_snake(task.id)}",
        f"aliases: [{', '.join(_aliases(task))}]",
        f"domain: {_snake(domain)}",
        f"language: {task.language}",
        f"description: {_text(' '.join(split_name(task.id)))}  {_GAP} what the task is",
        "",
        "slots:" + ("" if slots else " {}"),
        *(line for name, parameter in slots.items() for line in _slot(name, parameter)),
        "",
        *_tables(task, slots),
        *(line for name, node in nodes.items() for line in _node(name, node)),
    ]
    if "out_of_scope" in task.replies:
        lines += ["", f"out_of_scope: [{_text(task.replies['out_of_scope'], quoted=True)}]"]
    return "\n".join(lines) + "\n"


def _aliases(task: TaskSchema) -> list[str]:
    names = [task.name, *task.aliases]
    return [
        name for name in dict.fromkeys(filter(None, map(_maybe_snake, names))) if name != task.id
    ]


def _maybe_snake(name: str | None) -> str | None:
    return _snake(name) if name else None


def _snake(name: str) -> str:
    found = "_".join(re.findall(r"[a-z0-9]+", "_".join(split_name(name))))
    return found if found[:1].isalpha() else f"n_{found}"


def _text(value: Any, *, quoted: bool = False) -> str:
    """Write a scalar so that it reads back as it is."""
    if not isinstance(value, str):
        return json.dumps(value)
    line = " ".join(value.split())
    bare = not quoted and _PLAIN.fullmatch(line) and line.lower() not in _WORDS
    return line if bare and ", " not in line else json.dumps(line, ensure_ascii=False)


def _slot(name: str, slot: Slot) -> Iterator[str]:
    yield f"  {name}:"
    yield f"    type: {slot.type}"
    yield f"    description: {_text((slot.description or slot.name).lower())}"
    if slot.type in ("category", "categories"):
        yield f"    values:  {_GAP} how else people say them"
        yield from (f"      {_text(value)}: []" for value in slot.values)
    elif slot.type in ("integer", "amount"):
        for key, limit in (("minimum", slot.minimum), ("maximum", slot.maximum)):
            gap = f"  {_GAP} the schema computes it" if limit is None else ""
            yield f"    {key}: {1 if limit is None else limit}{gap}"
    elif slot.type in ("short text", "long text"):
        yield f"    examples: [example]  {_GAP} values for simulated users"


def _tables(task: TaskSchema, slots: Mapping[str, Slot]) -> Iterator[str]:
    if not task.calls:
        return
    yield "tables:"
    for call in task.calls.values():
        yield f"  {_snake(call.table or call.name)}:"
        yield f"    rows: 60  {_GAP} how many there are"
        yield "    columns:"
        for column in _rows(call, task):
            yield from _column(column, slots)
    yield "\napis:"
    for call in task.calls.values():
        yield from _call(call, task, slots)
    yield ""


def _rows(call: Call, task: TaskSchema) -> list[Column]:
    """The columns of a call's table; one that is booked in holds what a booking is given."""
    table = task.tables.get(call.table)
    given = call.inputs if call.effect == "book" or not table else ()
    listed = [*(table.columns if table else call.outputs), *given]
    return list({column.name: column for column in reversed(listed)}.values())[::-1]


def _column(column: Column, slots: Mapping[str, Slot]) -> Iterator[str]:
    slot, name = slots.get(_snake(column.name)), column.name
    if column.type == "request":
        return
    if slot is not None and (column.slot is not None or slot.type == column.type):
        yield f"      {name}: {{slot: {_snake(name)}}}"
    elif column.type == "integer":
        limits = [1 if n is None else n for n in (column.minimum, column.maximum)]
        yield f"      {name}: {{type: integer, minimum: {limits[0]}, maximum: {limits[1]}}}"
    elif column.type == "boolean":
        yield f"      {name}: {{type: boolean}}"
    elif column.type == "steps":
        yield f"      {name}: {{type: steps, lists: {json.dumps(column.lists)}}}"
    else:
        values = [str(value) for value in column.values] or ["example"]
        gap = "" if column.values else f"  {_GAP} its values"
        yield f"      {name}: {{type: category, values: {json.dumps(values)}}}{gap}"


def _call(call: Call, task: TaskSchema, slots: Mapping[str, Slot]) -> Iterator[str]:
    required = [name for name in call.required if _snake(name) in slots]
    yield f"  {_snake(call.name)}:"
    yield f"    effect: {call.effect}  {_GAP} search, find, book, insert or update"
    yield f"    table: {_snake(call.table or call.name)}"
    if call.effect == "book":
        yield f"    key: [{', '.join(required)}]  {_GAP} what can be taken only once"
    yield "    inputs:"
    for column in call.inputs:
        if column.type == "request":
            yield f"      {column.name}: {{type: request}}"
        else:
            needed = ", required: true" if column.required else ""
            yield f"      {column.name}: {{slot: {_snake(column.name)}{needed}}}"
    rows = {column.name for column in task.columns(call)}
    besides = [column for column in call.outputs if column.name not in rows]
    if besides:
        yield "    outputs:"
        for column in besides:
            yield from _column(column, {})
        yield f"    # {_GAP[2:]} answers, what a result says by its outcome"


def _node(name: str, node: dict[str, Any]) -> Iterator[str]:
    yield f"  {name}:" if name != "flow:" else name
    for key, value in node.items():
        if key == "gap":
            yield f"    # {_GAP[2:]} {value}"
        elif isinstance(value, list):
            quoted = key in ("user", "system")
            yield f"    {key}: [{', '.join(_text(item, quoted=quoted) for item in value)}]"
        else:
            yield f"    {key}: {_text(value)}"


class _Flow:
    """The nodes of a task file, read off a flow that is not complete."""

    def __init__(self, task: TaskSchema, slots: Mapping[str, Slot]) -> None:
        self.task, self.slots, self.graph = task, slots, read_graph(task)
        self.known = task.flow.nodes
        self.api = _snake(next(iter(task.calls), "api"))

    def nodes(self) -> dict[str, dict[str, Any]]:
        """Return node to its keys and values, under the heading of the flow."""
        found: dict[str, dict[str, Any]] = {"flow:": {}}
        actions = self._ordered()
        first = self.task.flow.first
        opens = first is not None and first.kind == "user"
        texts = [text or UNSAID for text in first.texts] if first is not None and opens else []
        found[OPENING] = {"user": texts or [UNSAID], "then": actions[0] if actions else OPENING}
        if len(texts) < 5:
            found[OPENING]["gap"] = "at least five ways to begin"
        for action in actions:
            found[action] = self._action(action)
            answers = self._answers(action)
            outcomes = self._outcomes(action, [n for n in answers if n.kind == "result"])
            for node in answers:
                found[node.name] = self._answer(action, node, outcomes.get(node.name))
        return found

    def _outcomes(self, action: str, results: list[Node]) -> dict[str, str]:
        """Result node to the outcome that its text names, else to the first one left."""
        left = list(_OUTCOMES.get(action, ("found", "nothing")))
        said = {node.name: set(words(" ".join(node.texts))) for node in results}
        found = {name: o for name, heard in said.items() for o in left if o in heard}
        rest = [outcome for outcome in left if outcome not in found.values()]
        for node in results:
            if node.name not in found:
                found[node.name] = rest.pop(0) if rest else left[0]
        return found

    def _ordered(self) -> list[str]:
        """The actions that the flow leads to or from, in its order."""
        linked = {edge.before for edge in self.graph.edges} | {e.after for e in self.graph.edges}
        order = self.graph.order
        return sorted((a for a in self.graph.actions if a in linked), key=lambda a: order[a])

    def _following(self, action: str) -> list[Node]:
        return self.task.flow.following(self.known[action]) if action in self.known else []

    def _answers(self, action: str) -> list[Node]:
        return [node for node in self._following(action) if node.kind in ("user", "result")]

    def _action(self, action: str) -> dict[str, Any]:
        answers = self._answers(action)
        then = [node.name for node in answers or self._following(action)]
        node: dict[str, Any] = {}
        if action in QUERIES:
            node["call"] = self.api
            if REQUESTS[action]:
                node["request"] = REQUESTS[action]
            if not any(answer.kind == "result" for answer in answers):
                node["gap"] = "a node for each result"
        else:
            node["system"] = [_bare(self.graph.texts[action])]
            asked = self._asked(action, answers)
            if asked:
                node["asks"] = asked
        return node | ({"then": then} if then else {})

    def _asked(self, action: str, answers: list[Node]) -> list[str]:
        told = (self._told(action, node) for node in answers if node.kind == "user")
        named = (name for text in told for name in PLACEHOLDER.findall(text))
        return list(dict.fromkeys(name for name in named if name in self.slots))

    def _told(self, action: str, node: Node) -> str:
        """What a user says at a node, its places named after the slots they most likely are."""
        context = {*split_name(action), *words(self.graph.texts.get(action, ""))}
        text = next(iter(node.texts), "")
        return PLACEHOLDER.sub(lambda found: f"{{{self._slot(found[1], context)}}}", text)

    def _slot(self, place: str, context: set[str]) -> str:
        if place in self.slots:
            return place
        asked = context | set(split_name(place))
        counts = Counter(word for name in self.slots for word in self._words(name))
        scores = {
            name: sum(1 / counts[word] for word in self._words(name) & asked) for name in self.slots
        }
        best = max(scores, key=lambda name: scores[name], default=place)
        return best if scores.get(best) else place

    def _words(self, slot: str) -> set[str]:
        return {*split_name(slot), *words(self.slots[slot].description)}

    def _answer(self, action: str, node: Node, outcome: str | None) -> dict[str, Any]:
        then = {"then": node.then[0]} if node.then else {}
        if outcome is not None:
            text = " ".join(node.texts)
            return {"result": outcome, **then, "gap": f"is that the outcome? It says: {text}"}
        said = self._told(action, node) or UNSAID
        return {"user": [said], **then, "gap": "at least five ways to say it"}


def _bare(text: str) -> str:
    return PLACEHOLDER.sub(lambda found: f"{{{found[1]}}}", text)
