"""The grammar of task files, as shapes from which both the checks and the JSON Schema are made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dialoom.dialogue.event import BOOK, CHECK
from dialoom.schema.yaml.grammar_slots import DRAFTED
from dialoom.schema.yaml.grammar_slots import RANGE as _RANGE
from dialoom.schema.yaml.grammar_slots import SLOTS as _SLOTS
from dialoom.schema.yaml.grammar_slots import api_name as _api_name
from dialoom.schema.yaml.grammar_slots import conditions as _conditions
from dialoom.schema.yaml.grammar_slots import limits as _limits
from dialoom.schema.yaml.grammar_slots import listed as _list
from dialoom.schema.yaml.grammar_slots import name as _name
from dialoom.schema.yaml.grammar_slots import slot_name as _slot_name
from dialoom.schema.yaml.grammar_slots import templates as _templates
from dialoom.schema.yaml.grammar_slots import texts as _texts
from dialoom.schema.yaml.outside import ENVIRONMENT, GOALS, POLICY, WAIVED
from dialoom.schema.yaml.scalars import (
    DAY,
    LONGEST_POLICY,
    MOMENT,
    Expression,
    Flag,
    Json,
    Number,
    Scalar,
    Shape,
    Text,
)
from dialoom.schema.yaml.shapes import Choice, Listed, Mapped, Record

REFUSED, ERROR = "refused", "error"
"""Outcomes of calls with rules (`refuses`), and of calls that may be out of order (`fails`)."""

OUTCOMES = {
    "search": ("found", "nothing"),
    "find": ("found", "nothing"),
    "book": ("available", "unavailable", "done", "failed"),
    "insert": ("done", "failed"),
    "update": ("available", "unavailable", "done", "failed"),
}
"""Effect of a call to its outcomes; the first two are those of a call with the request "Check"."""

REQUESTS = {CHECK: ("available", "unavailable"), BOOK: ("done", "failed")}

MOST_NODES, MOST_SLOTS, MOST_ROWS = 300, 100, 100_000
"""Limits on nodes, slots and rows: more than tasks need, and few enough for quick checks."""


_ALONG = _api_name("the column whose place in its values this one's follows")

_LISTED = {"values": _list("the values", Scalar("the value"), least=1), "along": _ALONG}

_WEIGHTS: dict[str, Shape] = {
    "weights": Mapped(
        "values and how often they are drawn; the others count once",
        key=Text("the value", longest=200),
        item=Number("how often it is drawn", whole=True, least=1, most=1000),
        least=1,
    ),
}

_STEP = "the distance of values; of dates in days, of times in minutes"

_MOMENTS = _limits(MOMENT, _STEP) | {"step": _RANGE["step"]}

_COLUMNS: dict[str, Mapping[str, Shape]] = {
    "category": _LISTED,
    "short text": _LISTED,
    "long text": _LISTED,
    "integer": _RANGE | {"step": Number("the distance", whole=True, least=1)},
    "amount": _RANGE,
    "boolean": {},
    "date": _MOMENTS,
    "time": _MOMENTS,
    "steps": {
        "lists": Listed("the lists of steps", _texts("the steps", least=1), least=1),
        "along": _ALONG,
    },
    "serial": {"minimum": _RANGE["minimum"]},
}

_DESCRIBED: dict[str, Shape] = {"description": Text("what it is, for agents")}

_REQUIRED: dict[str, Shape] = {
    **_DESCRIBED,
    "required": Flag("whether it must be given"),
    "required_if": Mapped(
        "other inputs and the values under which it must be given",
        key=_api_name("the other input"),
        item=_list("the values", Scalar("the value"), least=1),
        least=1,
    ),
}


NO_MORE: Mapping[str, Shape] = {}


def _columns(
    what: str,
    one: str,
    more: Mapping[str, Shape] = NO_MORE,
    missing: str = "E103",
    extra: tuple[str, ...] = (),
    **options: Any,
) -> Mapped:
    """Return the shape of a table's or call's columns; check_calls.py checks each type's keys."""
    name = one.partition(" ")[2]
    kinds = Text(f"the type of {one}", words=(*extra, *_COLUMNS))
    own = {key: shape for fields in _COLUMNS.values() for key, shape in fields.items()}
    free = {key: replace(shape, required=False) for key, shape in own.items()}
    records = {
        "slot": Record(one, {"slot": _slot_name("the slot of its values"), **more}),
        "type": Record(one, {"type": kinds, **free, **more}),
    }
    column = Choice(one, records, missing=missing)
    return Mapped(what, key=_api_name(f"the {name}"), item=column, **options)


_ROW = Mapped(
    "a row",
    key=_api_name("the column"),
    item=Scalar("the value"),
)

_TABLE = Record(
    "a table",
    {
        "rows": Number("how many rows there are", whole=True, least=0, most=MOST_ROWS),
        "given": Listed("the rows that are given; the others are drawn", _ROW, most=MOST_ROWS),
        "file": Text("a CSV file with rows that are given", longest=200),
        **DRAFTED,
        "columns": _columns("the columns", "a column", _WEIGHTS, least=1, required=True),
    },
)

_OUTCOME = Text("the outcome", words=OUTCOMES["search"] + OUTCOMES["book"] + (REFUSED, ERROR))


def _values_of(what: str) -> Mapped:
    return Mapped(
        what,
        key=_api_name("the column"),
        item=Expression("a value, a name, or sums and products of numbers and names"),
        least=1,
    )


_SETS = _values_of("columns of the row and their new values")

_ALSO = Record(
    "a row of another table that changes too",
    {
        "table": _name("the table", required=True),
        "key": _values_of("columns and values that pick its row; a row is added without them"),
        "sets": replace(_SETS, required=True),
    },
)

_API = Record(
    "an API",
    {
        **_DESCRIBED,
        **DRAFTED,
        "effect": Text("what a call does", words=tuple(OUTCOMES), required=True),
        "table": _name("the table it works on", required=True),
        "key": _list("the inputs that pick a row", _api_name("the input"), least=1),
        "inputs": _columns(
            "the inputs", "an input", _REQUIRED, "E404", ("request",), required=True
        ),
        "outputs": _columns("the outputs", "an output", _DESCRIBED),
        "refuses": _conditions("the rules by which it is refused"),
        "sets": _SETS,
        "also": Listed("what changes in other tables", _ALSO, least=1),
        "fails": Number("the probability that it is out of order", least=0, most=0.9),
        "answers": Mapped(
            "what a result says",
            key=_OUTCOME,
            item=Mapped(
                "the outputs of the outcome", key=_api_name("the output"), item=Scalar("the value")
            ),
        ),
    },
)

_COMMON: dict[str, Shape] = {
    **DRAFTED,
    "when": _conditions("what must hold for the node to come"),
    "then": _list("the nodes that may follow", _name("the name"), least=1, most=MOST_NODES),
}

_TAKES = Mapped(
    "slots and the outputs whose values they get",
    key=_slot_name("the slot"),
    item=_api_name("the output"),
    least=1,
)

_NODES: dict[str, tuple[str, dict[str, Shape]]] = {
    "user": (
        "a user node",
        {
            "user": _templates("what the user says"),
            "gives_none": Flag("whether the user has no wish"),
            "forget": _list(
                "the slots to be asked for again", _slot_name("the name"), most=MOST_NODES
            ),
            "corrects": _list("the slots it gives another value", _slot_name("the name"), least=1),
            "anytime": Flag("whether it may occur at any time"),
            "takes": _TAKES,
            "set": Mapped(
                "slots and the values they get",
                key=_slot_name("the slot"),
                item=Scalar("the value"),
            ),
            "next": _slot_name("the integer slot that grows by one"),
        },
    ),
    "system": (
        "a system node",
        {
            "system": _templates("what the system says"),
            "asks": _list(
                "the slots it asks for", _slot_name("the name"), least=1, most=MOST_NODES
            ),
            "confirms": _name("the call node whose inputs {summary} lists"),
            "not_understood": Number(
                "how often in a row it answers what was not understood", whole=True, least=1
            ),
            "hands_over": Flag("whether a person takes over"),
            "reads": _api_name("the list that is read out"),
            "last": _name("`last` (the node that follows when the list in `reads` is read out)"),
            "detail": _api_name("the parallel list"),
        },
    ),
    "call": (
        "a call node",
        {
            "call": _api_name("the API that is called"),
            "request": Text("what is requested", words=tuple(REQUESTS)),
            "another": _api_name("the column that identifies rows shown before"),
        },
    ),
    "result": ("a result node", {"result": _OUTCOME, "takes": _TAKES}),
}

_NODE = Choice(
    "a node", {key: Record(what, {**fields, **_COMMON}) for key, (what, fields) in _NODES.items()}
)

_INTENT = Record(
    "an intent",
    {
        "description": Text("what the user wants, for people", required=True),
        "apis": _list("the calls that serve it", _api_name("the API"), least=1, required=True),
    },
)

TASK_FILE = Record(
    "a task",
    {
        "task": _name("the task's id", required=True),
        "aliases": _list("other names of the task", _name("the alias")),
        "domain": _name("the domain", required=True),
        "today": Text("the day on which dialogues take place", pattern=DAY),
        "language": Text("the language of every text here", longest=20, required=True),
        "description": Text("what the task is, for people", required=True),
        "briefing": Record(
            "instructions for the two people",
            {
                "user": Text("instructions for the user", longest=LONGEST_POLICY),
                "wizard": Text("instructions for the wizard", longest=LONGEST_POLICY),
                "policy": POLICY,
                "wish": Text(
                    "what the user wants: what to do, a bar, and things; semicolons between"
                ),
            },
        ),
        "intents": Mapped(
            "what the user may come for", key=_slot_name("the intent"), item=_INTENT, most=50
        ),
        "include": Mapped(
            "sub-flows with their ways out",
            key=_name("the part"),
            item=Mapped(
                "its ways out", key=_name("the way out"), item=_name("the node it leads to")
            ),
        ),
        "slots": Mapped(
            "what the user may want or know",
            key=_slot_name("the slot"),
            item=_SLOTS,
            most=MOST_SLOTS,
            required=True,
        ),
        "constraints": _conditions("what holds between the values of slots"),
        "tables": Mapped(
            "what the knowledge base holds", key=_name("the table"), item=_TABLE, most=50
        ),
        "apis": Mapped("the calls", key=_api_name("the API"), item=_API, most=50),
        "flow": Mapped(
            "the flow graph",
            key=_name("the node"),
            item=_NODE,
            least=1,
            most=MOST_NODES,
            required=True,
        ),
        "questions": Record(
            "the questions after the dialogue",
            {
                "user": _texts("the questions to the user"),
                "wizard": _texts("the questions to the wizard"),
            },
        ),
        "out_of_scope": _texts("what the system says to anything else"),
        "environment": ENVIRONMENT,
        "goals": GOALS,
    },
    waived=("environment", WAIVED),
)


def json_schema() -> Json:
    """Return the JSON Schema of task files (draft 2020-12), which editors use for completion."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dialoom task file",
        **TASK_FILE.described(),
    }


def spell() -> str:
    """Return the JSON Schema as text, as it is stored in docs/task-file.schema.json."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
