"""Rules about queries, their results, and calls of tools that a dialogue itself defines (chat)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.dialogue import SYSTEM, USER, Argument, Query, Result
from dialoom.errors import DialoomError
from dialoom.formats.base.values import Json, at, spoken
from dialoom.formats.chat.arguments import write
from dialoom.formats.chat.marks import marks_of, parse
from dialoom.formats.chat.tools import definitions
from dialoom.kb import replay
from dialoom.kb.base import Mismatch
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.rule import CodeFound, Found, check
from dialoom.quality.lint.shapes import noted
from dialoom.schema import values
from dialoom.schema.call import lacking, outcomes
from dialoom.schema.findings import hint
from dialoom.schema.task import TaskSchema

NAME = "name"
"""The key of an item's name in bAbI and DSTC6."""

EFFECTS = "effects"
"""The key of a simulated dialogue's goal under which changes of the knowledge base are kept."""


def _unreadable_results(context: LintContext, index: int) -> bool:
    """True if a query has results in a layout that cannot be read (E608)."""
    reply = next((event for event, _ in context.utterances if event > index), None)
    return any(
        place.event == reply and noted(place.part.extra, "service_results")
        for place in context.parts
    )


@check("E801", needs="queries")
def _without_result(context: LintContext) -> Iterator[Found]:
    if not context.corpus.traits.answers:
        return
    answered = {result.query for _, result in context.results}
    for index, query in context.queries:
        if query.id not in answered and not _unreadable_results(context, index):
            yield f"/events/{index}", f"nothing answers the query {query.id!r} to {query.api}"


@check("E802", needs="results")
def _without_query(context: LintContext) -> Iterator[Found]:
    first = {query.id: index for index, query in reversed(context.queries)}
    for index, result in context.results:
        if first.get(result.query, index) >= index:
            if result.query:
                yield f"/events/{index}/query", f"there is no query {result.query!r} before"
            elif context.corpus.traits.calls_first:
                yield f"/events/{index}/query", "there is no query before"


@check("E811", needs="queries")
def _user_query(context: LintContext) -> Iterator[Found]:
    for index, query in context.queries:
        own = at(marks_of(query.extra), dict, "keys").get("requestor") == USER  # a tool of the user
        if query.agent == USER and not own:
            yield f"/events/{index}/agent", f"the user calls {query.api}"


@check("E803")
def _duplicate(context: LintContext) -> Iterator[Found]:
    ids: set[str] = set()
    answered: set[str] = set()
    for index, query in context.queries:
        if query.id in ids:
            yield f"/events/{index}/id", f"another query is called {query.id!r} as well"
        ids.add(query.id)
    for index, result in context.results:
        if result.query and result.query in answered:
            yield f"/events/{index}/query", f"the query {result.query!r} is answered already"
        answered.add(result.query)


@check("E804", needs="queries")
def _unparsed_constraint(context: LintContext) -> Iterator[Found]:
    for index, query in context.queries:
        for number, constraint in enumerate(query.constraints):
            if constraint.operator is None and not _is_json(constraint.raw or ""):
                pointer = f"/events/{index}/constraints/{number}"
                yield pointer, f"{constraint.slot} is {constraint.raw!r}"


def _is_json(raw: str) -> bool:
    try:
        return isinstance(parse(raw), dict | list)
    except ValueError:
        return False


@check("E805", needs="queries")
def _unknown_api(context: LintContext) -> Iterator[Found]:
    apis = {name for task in context.tasks for name in task.task.calls}
    for index, query in context.queries if apis else ():
        if query.api not in apis and context.service(query.service) is None:
            what = f"no task of the dialogue calls {query.api!r}: {hint(query.api, apis)}"
            yield f"/events/{index}/api", what


@check("E806", needs="queries")
def _unknown_parameter(context: LintContext) -> Iterator[Found]:
    for index, query in context.queries:
        inputs = _parameters(context, query)
        if inputs is None:
            continue
        for number, constraint in enumerate(query.constraints):
            if constraint.slot not in inputs:
                what = f"{query.api} has no input {constraint.slot!r}"
                pointer = f"/events/{index}/constraints/{number}"
                yield pointer, f"{what}: {hint(constraint.slot, inputs)}"


def _parameters(context: LintContext, query: Query) -> frozenset[str] | None:
    """Return the inputs of a query's API and the columns of its table; None of an unknown one."""
    tasks = context.tasks if context.service(query.service) is None else ()
    return next(
        (task.parameters[query.api] for task in tasks if query.api in task.parameters), None
    )


@check("W801", needs="queries")
def _missing_input(context: LintContext) -> Iterator[Found]:
    yield from _unlike_other_calls(context)
    for index, query in context.queries:
        values = {constraint.slot: constraint.value for constraint in query.constraints}
        for task in context.tasks if context.service(query.service) is None else ():
            call = task.task.calls.get(query.api)
            missing = lacking(call, values) if call is not None else ()
            if missing:
                what = f"{query.api} is called without {', '.join(missing)}"
                yield f"/events/{index}/constraints", what


def _unlike_other_calls(context: LintContext) -> Iterator[Found]:
    """Find calls without a slot that all other calls of the dialogue have with the same value."""
    if not context.corpus.traits.alike or len(context.queries) < 2:
        return
    slots = dict.fromkeys(c.slot for _, query in context.queries for c in query.constraints)
    for index, query in context.queries:
        missing = slots.keys() - {constraint.slot for constraint in query.constraints}
        if missing:
            names = ", ".join(slot for slot in slots if slot in missing)
            yield f"/events/{index}/constraints", f"{query.api} is called without {names}"


@check("E812", needs="utterances")
def _malformed_call(context: LintContext) -> Iterator[Found]:
    word = context.corpus.traits.call
    for index, utterance in context.utterances if word else ():
        if utterance.agent == SYSTEM and utterance.text.split(" ", 1)[0] == word:
            yield f"/events/{index}/text", f"{utterance.text!r} is none"


@check("E813", needs="results")
def _unknown_item(context: LintContext) -> Iterator[Found]:
    entities = context.corpus.companions.entities
    for index, result in context.results if entities is not None else ():
        for number, item in enumerate(result.items):
            name = item.get(NAME)
            if isinstance(name, str) and name not in (entities or ()):
                yield f"/events/{index}/items/{number}", f"it has no {name!r}"


@check("E807", needs="designed")
def _no_outcome(context: LintContext) -> Iterator[Found]:
    task = context.designed
    calls = task.task.calls if task else {}
    for index, result in context.results:
        query = context.by_id.get(result.query)
        call = calls.get(query.api) if query else None
        if query is None or call is None:
            continue
        if not outcomes(call, query.constraints, result.items):
            yield f"/events/{index}/items", f"it fits no answer of {call.name}"


@check("E814", needs="designed")
def _other_than_result(context: LintContext) -> Iterator[Found]:
    task = context.designed
    places = {place.event: place for place in context.gold()}
    cells: dict[str, list[Any]] = {}
    for index, event in enumerate(context.dialogue.events) if task is not None else ():
        if isinstance(event, Result):
            cells = _shown(event)
        if task is None or index not in places:
            continue
        place = places[index]
        for number, place_in_act, argument in place.arguments():
            if place.utterance.agent == USER:
                cells.pop(argument.slot, None)
                continue
            cell = cells.get(argument.slot, [])
            for value in _canonical(argument, task.task) if cell else ():
                if value not in cell:
                    what = (
                        f"{argument.slot} is {value!r}, the result has {', '.join(map(repr, cell))}"
                    )
                    yield place.argument(number, place_in_act), what


def _shown(result: Result) -> dict[str, list[Any]]:
    cells: dict[str, list[Any]] = {}
    for item in result.items:
        for name, value in item.items():
            cells.setdefault(name, []).extend(value if isinstance(value, list) else [value])
    return cells


def _canonical(argument: Argument, task: TaskSchema) -> tuple[Any, ...]:
    if argument.canonical is not None:
        return argument.canonical
    slot = task.slots.get(argument.slot)
    if slot is None:
        return argument.values
    read = (values.parse(slot, str(value), task.language) for value in argument.values)
    return tuple(value for value in read if value is not None)


@check("E808", needs="results")
def _total_too_small(context: LintContext) -> Iterator[Found]:
    for index, result in context.results:
        if result.total is not None and result.total < len(result.items):
            yield f"/events/{index}/total", f"{len(result.items)} items of {result.total}"


@check("E809", "E810", needs="designed")
def _check_replay(context: LintContext) -> Iterator[CodeFound]:
    events = {result.query: index for index, result in context.results}
    for mismatch in _replayed(context):
        if mismatch.query:
            pointer = f"/events/{events.get(mismatch.query, 0)}/{mismatch.field}"
            yield "E809", pointer, f"the knowledge base gives {mismatch.replayed!r}"
        else:
            pointer = f"/scenario/goal/{EFFECTS}"
            yield "E810", pointer, f"the calls bring about {mismatch.replayed!r}"


def _replayed(context: LintContext) -> Iterator[Mismatch]:
    task, dialogue = context.designed, context.dialogue
    if task is None or context.corpus.seed is None or dialogue.provenance != "simulated":
        return
    goal = dialogue.scenario.goal if dialogue.scenario else None
    effects = goal.get(EFFECTS, {}) if isinstance(goal, dict) else {}
    try:
        yield from replay(task.base(context.corpus.seed), dialogue.events, dialogue.id, effects)
    except DialoomError:
        return  # a call that cannot be made: other rules say why


_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "float": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "dict": (dict,),
    "null": (type(None),),
}
"""Type of JSON Schema, and of BFCL's dialect of it, to the types of its values."""


@check("E815", needs="queries")
def _check_calls(context: LintContext) -> Iterator[CodeFound]:
    tools = _tools(context.dialogue.extra)
    for index, query in context.queries:
        pointer, marks = f"/events/{index}", marks_of(query.extra)
        if "call" in marks or "unread" in marks:
            raw = marks.get("unread", marks.get("call"))
            yield "E812", f"{pointer}/constraints", f"its arguments are {str(raw)[-40:]!r}"
        elif tools and query.api not in tools:
            what = f"no tool is called {query.api!r}: {hint(query.api, tools)}"
            yield "E805", f"{pointer}/api", what
        elif tools:
            for code, what in _faults(tools[query.api], write(query.constraints)):
                yield code, f"{pointer}/constraints", f"{query.api}: {what}"


def _tools(extra: Mapping[str, Any]) -> dict[str, Json]:
    tools = marks_of(extra).get("tools")
    try:
        value = parse(tools) if isinstance(tools, str) else tools
    except ValueError:
        return {}
    return {tool["name"]: tool["parameters"] for tool in definitions(value)}


def _faults(schema: Json, arguments: Json) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties")
    fields: Json = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    missing = [n for n in required if n not in arguments] if isinstance(required, list) else []
    if missing:
        yield "W801", f"is called without {', '.join(map(str, missing))}"
    for name, value in arguments.items():
        if name not in fields:
            if schema.get("additionalProperties") in (None, False):
                yield "E806", f"has no parameter {name!r}: {hint(name, fields)}"
            continue
        for what in _unfit(fields[name], value, name):
            yield "E815", what


def _unfit(schema: Any, value: Any, name: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    kinds = schema.get("type")
    names = kinds if isinstance(kinds, list) else [kinds]
    types = [each for kind in names for each in _TYPES.get(str(kind), ())]
    options = schema.get("enum")
    if types and type(value) not in types:
        yield f"{name} is {spoken(value)}; its definition has {' or '.join(map(str, names))}"
    elif isinstance(options, list) and value not in options:
        yield f"{name} is {value!r}: {hint(str(value), map(str, options))}"
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _unfit(schema.get("items"), each, f"{name}[{number}]")
    elif isinstance(value, dict) and isinstance(schema.get("properties"), dict):
        for _, what in _faults(schema, value):
            yield f"{name} {what}"
