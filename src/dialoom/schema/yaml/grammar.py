"""What a task file may hold, as shapes: the checks and the JSON Schema are both read off these."""

from __future__ import annotations

from dialoom.schema.yaml.shapes import (
    API_NAME,
    NAME,
    Choice,
    Either,
    Field,
    Flag,
    Listed,
    Mapped,
    Number,
    Record,
    Scalar,
    Shape,
    Text,
)

MODIFIERS = ("extra", "omit", "instead")
"""What a user may do with a value besides naming it."""

OUTCOMES = {
    "search": ("found", "nothing"),
    "find": ("found", "nothing"),
    "book": ("available", "unavailable", "done", "failed"),
    "insert": ("done", "failed"),
    "update": ("available", "unavailable", "done", "failed"),
}
"""Effect of a call to how it may end; one that only checks ends in the first two."""

REQUESTS = {"Check": ("available", "unavailable"), "Book": ("done", "failed")}
"""What a call that takes requests may be asked to do, and how that may end."""

MOST_NODES, MOST_SLOTS, MOST_ROWS = 300, 100, 100_000
"""More than any task needs, and little enough that every check is quick."""

_DAY, _CLOCK = r"\d{4}-\d{2}-\d{2}", r"([01]\d|2[0-3]):[0-5]\d"


def _name(what: str) -> Text:
    return Text(what, pattern=NAME, longest=60)


def _api_name(what: str) -> Text:
    return Text(what, pattern=API_NAME, longest=60)


def _names(what: str, *, least: int = 0) -> Listed:
    return Listed(what, _name("the name"), lone=True, least=least, most=MOST_NODES)


def _texts(what: str, *, least: int = 0) -> Listed:
    return Listed(what, Text("the text"), lone=True, least=least)


_SLOT: dict[str, Field] = {
    "type": Field(Text("the slot's type"), required=True),
    "description": Field(Text("what the slot is, for people"), required=True),
    "need": Field(
        Either(
            "whether it must be given",
            Text("whether it must be given", words=("required", "optional")),
            Record("a need", {"unless": Field(_name("the other slot"), required=True)}),
        )
    ),
    "modifiers": Field(
        Listed("what a user may do with a value", Text("the modifier", words=MODIFIERS), lone=True)
    ),
}

_VALUES = Mapped(
    "the values with their spoken variants",
    Text("the value", longest=200),
    Listed("the spoken variants", Text("the spoken variant", longest=200), lone=True),
    least=1,
    bare=True,
)

_RANGE = {
    "minimum": Field(Number("the least value"), required=True),
    "maximum": Field(Number("the greatest value"), required=True),
    "step": Field(Number("the distance of values", least=0.01)),
}


def _limits(pattern: str, step: str) -> dict[str, Field]:
    return {
        "from": Field(Text("the first value", pattern=pattern), required=True),
        "to": Field(Text("the last value", pattern=pattern), required=True),
        "step": Field(Number(step, whole=True, least=1)),
    }


_EXAMPLES = {"examples": Field(_texts("values for simulated users", least=1), required=True)}

_TYPES: dict[str, dict[str, Field]] = {
    "category": {"values": Field(_VALUES, required=True)},
    "categories": {"values": Field(_VALUES, required=True)},
    "short text": _EXAMPLES,
    "long text": _EXAMPLES,
    "integer": _RANGE,
    "boolean": {},
    "date": _limits(_DAY, "the distance of dates in days"),
    "time": _limits(_CLOCK, "the distance of times in minutes"),
    "amount": {**_RANGE, "unit": Field(Text("what is counted", longest=40))},
}

_SLOTS = Choice(
    "a slot", {name: Record(f"a {name} slot", _SLOT | own) for name, own in _TYPES.items()}, "type"
)

_COLUMN_VALUES = {
    "values": Field(Listed("the values", Scalar("the value"), lone=True, least=1), required=True),
    "along": Field(_api_name("the column whose place in its values this one's follows")),
}

_COLUMNS: dict[str, dict[str, Field]] = {
    "category": _COLUMN_VALUES,
    "short text": _COLUMN_VALUES,
    "long text": _COLUMN_VALUES,
    "integer": _RANGE | {"step": Field(Number("the distance", whole=True, least=1))},
    "amount": _RANGE,
    "boolean": {},
    "steps": {
        "lists": Field(Listed("the lists of steps", _texts("the steps", least=1), least=1), True),
        "along": _COLUMN_VALUES["along"],
    },
    "serial": {"minimum": _RANGE["minimum"]},
}

_REQUIRED = {
    "required": Field(Flag("whether it must be given")),
    "required_if": Field(
        Mapped(
            "other inputs and the values under which it must be given",
            _api_name("the other input"),
            Listed("the values", Scalar("the value"), lone=True, least=1),
            least=1,
        )
    ),
}


def _column(
    what: str, types: dict[str, dict[str, Field]], more: dict[str, Field], missing: str = "E103"
) -> Shape:
    kinds = Text(f"the type of {what}", words=tuple(types))
    own: dict[str, Field] = {}
    for fields in types.values():
        own |= {key: Field(found.shape) for key, found in fields.items()}
    return Choice(
        what,
        {
            "slot": Record(what, {"slot": Field(_name("the slot of its values")), **more}),
            "type": Record(what, {"type": Field(kinds), **own, **more}),
        },
        missing=missing,
    )


_TABLE = Record(
    "a table",
    {
        "rows": Field(
            Number("how many rows are drawn", whole=True, least=0, most=MOST_ROWS), required=True
        ),
        "columns": Field(
            Mapped("the columns", _api_name("the column"), _column("a column", _COLUMNS, {}), 1),
            required=True,
        ),
    },
)

_API = Record(
    "an API",
    {
        "effect": Field(Text("what a call does", words=tuple(OUTCOMES)), required=True),
        "table": Field(_name("the table it works on"), required=True),
        "key": Field(
            Listed("the inputs that pick a row", _api_name("the input"), lone=True, least=1)
        ),
        "inputs": Field(
            Mapped(
                "the inputs",
                _api_name("the input"),
                _column("an input", {"request": {}, **_COLUMNS}, _REQUIRED, "E404"),
            ),
            required=True,
        ),
        "outputs": Field(
            Mapped("the outputs", _api_name("the output"), _column("an output", _COLUMNS, {}))
        ),
        "answers": Field(
            Mapped(
                "what a result says",
                Text("the outcome", words=OUTCOMES["search"] + OUTCOMES["book"]),
                Mapped("the outputs of the outcome", _api_name("the output"), Scalar("the value")),
            )
        ),
    },
)

_THEN = {"then": Field(_names("the nodes that may follow", least=1))}

_NODE = Choice(
    "a node",
    {
        "user": Record(
            "a user node",
            {
                "user": Field(_texts("what the user says", least=1)),
                "gives_none": Field(Flag("whether the user has no wish")),
                "forget": Field(_names("the slots to be asked for again")),
                "set": Field(
                    Mapped("slots and the values they get", _name("the slot"), Scalar("the value"))
                ),
                "next": Field(_name("the integer slot that grows by one")),
                **_THEN,
            },
        ),
        "system": Record(
            "a system node",
            {
                "system": Field(_texts("what the system says", least=1)),
                "asks": Field(_names("the slots it asks for", least=1)),
                "when": Field(
                    Record(
                        "the condition of a question",
                        {
                            "slot": Field(_name("the slot it depends on"), required=True),
                            "is": Field(
                                Listed("its values", Scalar("the value"), lone=True, least=1),
                                required=True,
                            ),
                        },
                    )
                ),
                "reads": Field(_api_name("the list that is read out")),
                "last": Field(_name("the node for the last step")),
                "detail": Field(_api_name("the parallel list")),
                **_THEN,
            },
        ),
        "query": Record(
            "a query node",
            {
                "query": Field(_api_name("the API that is called")),
                "request": Field(Text("what is requested", words=tuple(REQUESTS))),
                **_THEN,
            },
        ),
        "result": Record(
            "a result node",
            {
                "result": Field(Text("the outcome", words=OUTCOMES["search"] + OUTCOMES["book"])),
                **_THEN,
            },
        ),
    },
)

_INTENT = Record(
    "an intent",
    {
        "description": Field(Text("what the user wants, for people"), required=True),
        "apis": Field(
            Listed("the calls that serve it", _api_name("the API"), lone=True, least=1), True
        ),
    },
)

TASK_FILE = Record(
    "a task",
    {
        "task": Field(_name("the task's id"), required=True),
        "aliases": Field(Listed("other names of the task", _name("the alias"), lone=True)),
        "domain": Field(_name("the domain"), required=True),
        "language": Field(Text("the language of every text here", longest=20), required=True),
        "description": Field(Text("what the task is, for people"), required=True),
        "briefing": Field(
            Record(
                "what the two people are told to do",
                {
                    "user": Field(Text("what the user is told")),
                    "wizard": Field(Text("what the wizard is told")),
                },
            )
        ),
        "intents": Field(Mapped("what the user may come for", _name("the intent"), _INTENT, 0, 50)),
        "slots": Field(
            Mapped("what the user may want or know", _name("the slot"), _SLOTS, 0, MOST_SLOTS),
            required=True,
        ),
        "tables": Field(Mapped("what the knowledge base holds", _name("the table"), _TABLE, 0, 50)),
        "apis": Field(Mapped("the calls", _api_name("the API"), _API, 0, 50)),
        "flow": Field(
            Mapped("the flow graph", _name("the node"), _NODE, 1, MOST_NODES), required=True
        ),
        "questions": Field(
            Record(
                "the questions after the dialogue",
                {
                    "user": Field(_texts("the questions to the user")),
                    "wizard": Field(_texts("the questions to the wizard")),
                },
            )
        ),
        "out_of_scope": Field(_texts("what the system says to anything else")),
    },
)
"""The whole file."""
