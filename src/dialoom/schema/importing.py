"""A published task schema turned into a task file, as far as it goes.

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

from dialoom.schema.actions import QUERIES, RESULT, read_graph
from dialoom.schema.lexicon import split_name, words
from dialoom.schema.task import PAPER, SAM, Api, Parameter, TaskSchema
from dialoom.schema.template import PLACE, PLACEHOLDER

_GAP = "# fill in:"

OPENING, UNSAID = "open", "…"
"""The node that opens the dialogue, and what stands for words that the schema does not have."""

_TYPES = {
    "Categorical": "category",
    "CategoricalMultiple": "categories",
    "ShortString": "short text",
    "LongString": "long text",
    "Integer": "integer",
    "Boolean": "boolean",
}

_REQUESTS = {"query_check": "Check", "query_book": "Book"}
_OUTCOMES = {"query_check": ("available", "unavailable"), "query_book": ("done", "failed")}

_PLAIN = re.compile(r"[A-Za-z][\w'., !?-]*[\w.!?]")
_WORDS = frozenset({"true", "false", "null"})


def to_task_file(task: TaskSchema) -> str:
    """Return the text of a task file for a task of a published corpus."""
    slots = {_slot_name(p.name): p for api in task.apis for p in api.inputs if _TYPES.get(p.type)}
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
    names = [task.name, *(flow.name for flow in task.flows)]
    return [
        name for name in dict.fromkeys(filter(None, map(_maybe_snake, names))) if name != task.id
    ]


def _maybe_snake(name: str | None) -> str | None:
    return _snake(name) if name else None


def _snake(name: str) -> str:
    found = "_".join(re.findall(r"[a-z0-9]+", "_".join(split_name(name))))
    return found if found[:1].isalpha() else f"n_{found}"


def _slot_name(name: str) -> str:
    return _snake(name)


def _text(value: Any, *, quoted: bool = False) -> str:
    """Write a scalar so that it reads back as it is."""
    if not isinstance(value, str):
        return json.dumps(value)
    line = " ".join(value.split())
    bare = not quoted and _PLAIN.fullmatch(line) and line.lower() not in _WORDS
    return line if bare and ", " not in line else json.dumps(line, ensure_ascii=False)


def _slot(name: str, parameter: Parameter) -> Iterator[str]:
    kind = _TYPES[parameter.type]
    yield f"  {name}:"
    yield f"    type: {kind}"
    yield f"    description: {_text((parameter.readable or parameter.name).lower())}"
    if kind in ("category", "categories"):
        yield f"    values:  {_GAP} how else people say them"
        yield from (f"      {_text(str(value))}: []" for value in parameter.values)
    elif kind == "integer":
        for key, limit in (("minimum", parameter.minimum), ("maximum", parameter.maximum)):
            known = isinstance(limit, int | float)
            gap = "" if known else f"  {_GAP} the schema computes it"
            yield f"    {key}: {limit if known else 1}{gap}"
    elif kind in ("short text", "long text"):
        yield f"    examples: [example]  {_GAP} values for simulated users"


def _tables(task: TaskSchema, slots: Mapping[str, Parameter]) -> Iterator[str]:
    if not task.apis:
        return
    yield "tables:"
    for api in task.apis:
        yield f"  {_snake(api.db or api.name)}:"
        yield f"    rows: 60  {_GAP} how many there are"
        yield "    columns:"
        for parameter in _rows(api):
            yield from _column(parameter, slots)
    yield "\napis:"
    for api in task.apis:
        yield from _api(api, slots)
    yield ""


def _books(api: Api) -> bool:
    return any(parameter.type == "RequestType" for parameter in api.inputs)


def _rows(api: Api) -> list[Parameter]:
    """The columns of an API's table; one that is booked in holds what a booking is given."""
    listed = [*(api.table or api.outputs), *(api.inputs if _books(api) or not api.table else ())]
    return list({parameter.name: parameter for parameter in reversed(listed)}.values())[::-1]


def _column(parameter: Parameter, slots: Mapping[str, Parameter]) -> Iterator[str]:
    slot = slots.get(_slot_name(parameter.name))
    if parameter.type == "RequestType":
        return
    name = parameter.name
    if slot is not None and slot.type == parameter.type:
        yield f"      {name}: {{slot: {_slot_name(name)}}}"
    elif parameter.type == "Integer":
        limits = [
            n if isinstance(n, int | float) else 1 for n in (parameter.minimum, parameter.maximum)
        ]
        yield f"      {name}: {{type: integer, minimum: {limits[0]}, maximum: {limits[1]}}}"
    elif parameter.type == "Boolean":
        yield f"      {name}: {{type: boolean}}"
    elif parameter.type == "CategoricalList":
        yield f"      {name}: {{type: steps, lists: {json.dumps(parameter.values)}}}"
    else:
        values = [str(value) for value in parameter.values] or ["example"]
        gap = "" if parameter.values else f"  {_GAP} its values"
        yield f"      {name}: {{type: category, values: {json.dumps(values)}}}{gap}"


def _api(api: Api, slots: Mapping[str, Parameter]) -> Iterator[str]:
    books = _books(api)
    effect = "book" if books else "search" if api.returns_count else "find"
    required = [name for name in api.required if _slot_name(name) in slots]
    yield f"  {_snake(api.name)}:"
    yield f"    effect: {effect}  {_GAP} search, find, book, insert or update"
    yield f"    table: {_snake(api.db or api.name)}"
    if books:
        yield f"    key: [{', '.join(required)}]  {_GAP} what can be taken only once"
    yield "    inputs:"
    for parameter in api.inputs:
        name = parameter.name
        if parameter.type == "RequestType":
            yield f"      {name}: {{type: request}}"
        elif _slot_name(name) in slots:
            needed = ", required: true" if name in api.required else ""
            yield f"      {name}: {{slot: {_slot_name(name)}{needed}}}"
        else:
            yield f"      # {_GAP[2:]} {name} is a {parameter.type}, which no slot can be"
    rows = {parameter.name for parameter in api.table or ()}
    besides = [parameter for parameter in api.outputs if parameter.name not in rows]
    if besides:
        yield "    outputs:"
        for parameter in besides:
            yield from _column(parameter, {})
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
    """The nodes of a task file, read off the published views of the flow graph."""

    def __init__(self, task: TaskSchema, slots: Mapping[str, Parameter]) -> None:
        self.task, self.slots = task, slots
        self.graph = read_graph(task)
        sam = task.view(SAM)
        self.rich = sam.edges if sam else {}
        self.heard = (sam.nodes or {}) if sam else {}
        self.reverse = (sam.reverse or {}) if sam else {}
        paper = task.view(PAPER)
        self.plain = paper.edges if paper else {}
        self.api = _snake(task.apis[0].name) if task.apis else None

    def nodes(self) -> dict[str, dict[str, Any]]:
        """Return node to its keys and values, under the heading of the flow."""
        found: dict[str, dict[str, Any]] = {"flow:": {}}
        actions = self._ordered()
        first = actions[0] if actions else OPENING
        opening = [n for n in self.rich if n not in self.reverse and not self._result(n)]
        texts = [self._said(self.heard.get(name, "")) for name in opening]
        found[OPENING] = {"user": texts or [UNSAID], "then": first}
        if len(texts) < 5:
            found[OPENING]["gap"] = "at least five ways to begin"
        for action in actions:
            found[action] = self._action(action)
            answers = self._after(action)
            results = [name for name in answers if self._result(name)]
            outcomes = self._outcomes(action, results)
            for name in answers:
                found[name] = self._answer(action, name, outcomes.get(name))
        return found

    def _outcomes(self, action: str, results: list[str]) -> dict[str, str]:
        """Result node to the outcome that its text names, else to the first one left."""
        left = list(_OUTCOMES.get(action, ("found", "nothing")))
        said = {name: set(words(RESULT.sub("", self.heard[name]))) for name in results}
        found = {name: o for name, heard in said.items() for o in left if o in heard}
        rest = [outcome for outcome in left if outcome not in found.values()]
        for name in results:
            if name not in found:
                found[name] = rest.pop(0) if rest else left[0]
        return found

    def _ordered(self) -> list[str]:
        """The actions that the flow leads to or from, in its order."""
        linked = {edge.before for edge in self.graph.edges} | {e.after for e in self.graph.edges}
        order = self.graph.order
        return sorted((a for a in self.graph.actions if a in linked), key=lambda a: order[a])

    def _after(self, action: str) -> list[str]:
        return [name for name, before in self.reverse.items() if before == action]

    def _result(self, name: str) -> bool:
        return RESULT.match(self.heard.get(name, "")) is not None

    def _action(self, action: str) -> dict[str, Any]:
        then = self._after(action)
        following = self.plain.get(action)
        if not then and following in self.graph.texts:
            then = [following] if following else []
        node: dict[str, Any] = {}
        if action in QUERIES:
            node["query"] = self.api or "api"
            if action in _REQUESTS:
                node["request"] = _REQUESTS[action]
            if not any(self._result(name) for name in then):
                node["gap"] = "a node for each result"
        else:
            node["system"] = [self._reply(self.graph.texts[action])]
            asked = self._asked(then)
            if asked:
                node["asks"] = asked
        return node | ({"then": then} if then else {})

    def _asked(self, answers: list[str]) -> list[str]:
        named = [n for a in answers for n in PLACE.findall(self._told(a))]
        return list(dict.fromkeys(name for name in map(str.lower, named) if name in self.slots))

    def _told(self, name: str) -> str:
        """What a user says at a node, its places named after the slots they most likely are."""
        action = self.reverse.get(name, "")
        context = {*split_name(action), *words(self.graph.texts.get(action, ""))}
        return PLACE.sub(
            lambda f: f"[{self._slot(f[1].lower(), context)}]", self.heard.get(name, "")
        )

    def _slot(self, place: str, context: set[str]) -> str:
        if place in self.slots:
            return place.upper()
        asked = context | set(split_name(place))
        counts = Counter(word for name in self.slots for word in self._words(name))
        scores = {
            name: sum(1 / counts[word] for word in self._words(name) & asked) for name in self.slots
        }
        best = max(scores, key=lambda name: scores[name], default=place)
        return (best if scores.get(best) else place).upper()

    def _words(self, slot: str) -> set[str]:
        return {*split_name(slot), *words(self.slots[slot].readable or "")}

    def _answer(self, action: str, name: str, outcome: str | None) -> dict[str, Any]:
        following = self.rich.get(name)
        then = {"then": following} if following in self.graph.texts else {}
        if outcome is not None:
            text = RESULT.sub("", self.heard[name]).strip()
            return {"result": outcome, **then, "gap": f"is that the outcome? It says: {text}"}
        text = self._said(self._told(name))
        return {"user": [text], **then, "gap": "at least five ways to say it"}

    def _said(self, text: str) -> str:
        """A user's words with the slots that the task has; other places keep their name."""
        return PLACE.sub(lambda found: f"{{{found[1].lower()}}}", text) or UNSAID

    def _reply(self, text: str) -> str:
        return PLACEHOLDER.sub(lambda found: f"{{{found[1]}}}", text)
