"""Writes a task file for a published task with an incomplete flow, with gaps to fill in.

    text = to_task_file(tasks["hotel_book"])

Published schemas have one text for each node, no spoken variants, and no outcomes of result nodes.
Each gap gets a placeholder and a comment that begins with "fill in"; `schema check` lists what is
missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from dialoom.flow.actions import read_graph
from dialoom.schema.call import Call, Column
from dialoom.schema.flow import QUERIES, REQUESTS, Node
from dialoom.schema.lexicon import split_name, words
from dialoom.schema.service_words import snake
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.yaml.check_words import DRAFTED
from dialoom.schema.yaml.writing import write

_GAP = "fill in:"

OPENING, UNSAID = "open", "…"
"""The name of the opening node, and the placeholder of a missing text."""

_OUTCOMES = {"query_check": ("available", "unavailable"), "query_book": ("done", "failed")}

_Raw = dict[str, Any]


def to_task_file(task: TaskSchema) -> str:
    """Return the text of a task file for a task of a published corpus."""
    return _File(task).text()


class _File:
    def __init__(self, task: TaskSchema) -> None:
        self.task = task
        self.slots = {snake(slot.name): slot for slot in task.inputs}
        self.gaps: dict[tuple[str, ...], str] = {}

    def text(self) -> str:
        """Return the text of the file."""
        task = self.task
        head = f"Imported from the published schema of {task.id}. Each '{_GAP}' marks what the\n"
        head += "schema lacks; `dialoom schema check` lists what is still missing."
        names = dict.fromkeys(snake(name) for name in (task.name, *task.aliases) if name)
        value: _Raw = {
            "task": snake(task.id),
            "aliases": [name for name in names if name != task.id],
            "domain": snake(task.id.partition("_")[0] or task.id),
            "language": task.language,
            "description": self._gap(
                " ".join(split_name(task.id)), "what the task is", "description"
            ),
            "slots": {name: self._slot(name, slot) for name, slot in self.slots.items()},
        }
        if task.calls:
            value["tables"] = dict(map(self._table, task.calls.values()))
            value["apis"] = {snake(call.name): self._call(call) for call in task.calls.values()}
        flow = _Flow(task, self.slots)
        value["flow"] = flow.nodes()
        self.gaps |= {("flow", name): gap for name, gap in flow.gaps.items()}
        if "out_of_scope" in task.replies:
            value["out_of_scope"] = [task.replies["out_of_scope"]]
        for section, name, *_ in (path for path in self.gaps if path[0] in DRAFTED):
            value[section][name]["drafted"] = True
        return write(value, head, {path: f"{_GAP} {what}" for path, what in self.gaps.items()})

    def _gap(self, value: Any, what: str, *path: str) -> Any:
        self.gaps[path] = what
        return value

    def _slot(self, name: str, slot: Slot) -> _Raw:
        entry: _Raw = {"type": slot.type, "description": (slot.description or slot.name).lower()}
        at = ("slots", name)
        if slot.type in ("category", "categories"):
            values: _Raw = {value: [] for value in slot.values}
            entry["values"] = self._gap(values, "how else people say them", *at, "values")
        elif slot.type in ("integer", "amount"):
            for key, limit in (("minimum", slot.minimum), ("maximum", slot.maximum)):
                entry[key] = 1 if limit is None else limit
                if limit is None:
                    self._gap(1, "the schema computes it", *at, key)
        elif slot.type in ("short text", "long text"):
            entry["examples"] = self._gap(
                ["example"], "values for simulated users", *at, "examples"
            )
        return entry

    def _table(self, call: Call) -> tuple[str, _Raw]:
        name = snake(call.table or call.name)
        self._gap(60, "how many there are", "tables", name, "rows")
        columns = {
            column.name: self._column(column, self.slots, "tables", name, "columns")
            for column in _rows(call, self.task)
            if column.type != "request"
        }
        return name, {"rows": 60, "columns": columns}

    def _column(self, column: Column, slots: Mapping[str, Slot], *at: str) -> _Raw:
        slot, name = slots.get(snake(column.name)), column.name
        if slot is not None and (column.slot is not None or slot.type == column.type):
            return {"slot": snake(name)}
        if column.type == "integer":
            low, high = (1 if n is None else n for n in (column.minimum, column.maximum))
            return {"type": "integer", "minimum": low, "maximum": high}
        if column.type == "boolean":
            return {"type": "boolean"}
        if column.type == "steps":
            return {"type": "steps", "lists": column.lists}
        values = [str(value) for value in column.values]
        if not values:
            self._gap(values, "its values", *at, name)
        return {"type": "category", "values": values or ["example"]}

    def _call(self, call: Call) -> _Raw:
        at = ("apis", snake(call.name))
        self._gap(call.effect, "search, find, book, insert or update", *at, "effect")
        entry: _Raw = {"effect": call.effect, "table": snake(call.table or call.name)}
        if call.effect == "book":
            required = [name for name in call.required if snake(name) in self.slots]
            entry["key"] = self._gap(required, "what can be taken only once", *at, "key")
        entry["inputs"] = {
            column.name: {"type": "request"}
            if column.type == "request"
            else {"slot": snake(column.name)} | ({"required": True} if column.required else {})
            for column in call.inputs
        }
        rows = {column.name for column in self.task.columns(call)}
        others = [column for column in call.outputs if column.name not in rows]
        if others:
            answers = "and answers, what a result says by its outcome"
            outputs = {c.name: self._column(c, {}, *at, "outputs") for c in others}
            entry["outputs"] = self._gap(outputs, answers, *at, "outputs")
        return entry


def _rows(call: Call, task: TaskSchema) -> list[Column]:
    """Return the columns of a call's table; those of a booking's table include its inputs."""
    table = task.tables.get(call.table)
    additions = call.inputs if call.effect == "book" or not table else ()
    fields = [*(table.columns if table else call.outputs), *additions]
    return list({column.name: column for column in reversed(fields)}.values())[::-1]


class _Flow:
    def __init__(self, task: TaskSchema, slots: Mapping[str, Slot]) -> None:
        self.task, self.slots, self.graph = task, slots, read_graph(task)
        self.known = task.flow.nodes
        self.api = snake(next(iter(task.calls), "api"))
        self.gaps: dict[str, str] = {}

    def nodes(self) -> dict[str, _Raw]:
        """Return node to its keys and values; the gaps are added to `gaps`."""
        raws: dict[str, _Raw] = {}
        linked = {end for edge in self.graph.edges for end in (edge.before, edge.after)}
        members = (action for action in self.graph.actions if action in linked)
        actions = sorted(members, key=lambda action: self.graph.order[action])
        first = self.task.flow.first
        opens = first is not None and first.kind == "user"
        texts = [text or UNSAID for text in first.texts] if first is not None and opens else []
        raws[OPENING] = {"user": texts or [UNSAID], "then": actions[0] if actions else OPENING}
        if len(texts) < 5:
            self.gaps[OPENING] = "at least five ways to begin"
        for action in actions:
            raws[action] = self._action(action)
            answers = self._answers(action)
            outcomes = self._outcomes(action, [n for n in answers if n.kind == "result"])
            for node in answers:
                raws[node.name] = self._answer(action, node, outcomes.get(node.name))
        return raws

    def _outcomes(self, action: str, results: list[Node]) -> dict[str, str]:
        """Return result node to its outcome: the one in its text, else the first unused one."""
        left = list(_OUTCOMES.get(action, ("found", "nothing")))
        wordings = {node.name: set(words(" ".join(node.texts))) for node in results}
        outcomes = {name: o for name, wording in wordings.items() for o in left if o in wording}
        rest = [outcome for outcome in left if outcome not in outcomes.values()]
        for node in results:
            if node.name not in outcomes:
                outcomes[node.name] = rest.pop(0) if rest else left[0]
        return outcomes

    def _following(self, action: str) -> list[Node]:
        return self.task.flow.following(self.known[action]) if action in self.known else []

    def _answers(self, action: str) -> list[Node]:
        return [node for node in self._following(action) if node.kind in ("user", "result")]

    def _action(self, action: str) -> _Raw:
        answers = self._answers(action)
        then = [node.name for node in answers or self._following(action)]
        node: _Raw = {}
        if action in QUERIES:
            node["call"] = self.api
            if REQUESTS[action]:
                node["request"] = REQUESTS[action]
            if not any(answer.kind == "result" for answer in answers):
                self.gaps[action] = "a node for each result"
        else:
            text = self.graph.texts[action]
            node["system"] = [PLACEHOLDER.sub(lambda match: f"{{{match[1]}}}", text)]
            slots = self._asked(action, answers)
            if slots:
                node["asks"] = slots
        return node | ({"then": then} if then else {})

    def _asked(self, action: str, answers: list[Node]) -> list[str]:
        texts = (self._told(action, node) for node in answers if node.kind == "user")
        places = (name for text in texts for name in PLACEHOLDER.findall(text))
        return list(dict.fromkeys(name for name in places if name in self.slots))

    def _told(self, action: str, node: Node) -> str:
        context = {*split_name(action), *words(self.graph.texts.get(action, ""))}
        text = next(iter(node.texts), "")
        return PLACEHOLDER.sub(lambda match: f"{{{self._slot(match[1], context)}}}", text)

    def _slot(self, place: str, context: set[str]) -> str:
        if place in self.slots:
            return place
        cues = context | set(split_name(place))
        counts = Counter(word for name in self.slots for word in self._words(name))
        scores = {
            name: sum(1 / counts[word] for word in self._words(name) & cues) for name in self.slots
        }
        best = max(scores, key=lambda name: scores[name], default=place)
        return best if scores.get(best) else place

    def _words(self, slot: str) -> set[str]:
        return {*split_name(slot), *words(self.slots[slot].description)}

    def _answer(self, action: str, node: Node, outcome: str | None) -> _Raw:
        then = {"then": node.then[0]} if node.then else {}
        if outcome is not None:
            text = " ".join(node.texts)
            self.gaps[node.name] = f"is that the outcome? It says: {' '.join(text.split())}"
            return {"result": outcome, **then}
        phrase = self._told(action, node) or UNSAID
        self.gaps[node.name] = "at least five ways to say it"
        return {"user": [phrase], **then}
