"""The wizard's query forms: fields made from an API's inputs, constraints from their values.

Text that is typed into a field is read as a value of its slot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from msgspec.structs import asdict

from dialoom.collect.kinds.room.messages import FormCondition
from dialoom.collect.message import LONGEST_TEXT, Refused, visible
from dialoom.dialogue import Constraint
from dialoom.dialogue.annotation import Struct, Value
from dialoom.dialogue.constraint import Operator
from dialoom.errors import clip
from dialoom.schema.call import Call, Column
from dialoom.schema.lexicon import split_name
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import plain, read

FieldType = Literal[
    "Categorical",
    "CategoricalMultiple",
    "ShortString",
    "LongString",
    "Integer",
    "Boolean",
    "Date",
    "Time",
    "RequestType",
]

Need = Literal["required", "conditional", "optional"]


class Field(Struct, frozen=True, kw_only=True):
    """One field of a form.

    Attributes:
        categories: The canonical values to choose from; empty where any value is allowed.
        labels: Canonical value to its label, where the two differ.
        minimum: The lowest value; a text for dates and times; None without a limit.
        maximum: The highest value, likewise.
        step: The distance between allowed values; in minutes for times, in days for dates.
        operators: The operators that it may be compared with, the default first.
        need: Whether it has to be filled in: always, never, or under a condition.
        required_when: Another field to the values with which this one is required.
        required_unless: Another field; this one is required if that one is empty.
        hint: A description of its slot.
    """

    name: str
    readable: str
    type: FieldType
    categories: tuple[str, ...] = ()
    labels: dict[str, str] = {}
    minimum: int | float | str | None = None
    maximum: int | float | str | None = None
    step: int | float = 1
    unit: str | None = None
    operators: tuple[Operator, ...] = ("equal",)
    need: Need = "optional"
    required_when: dict[str, tuple[str, ...]] | None = None
    required_unless: str | None = None
    hint: str | None = None


MOST = 20
"""The most conditions of a query; the published data have up to eleven."""

REQUESTS = ("Check", "Book")

_TYPES: dict[str, FieldType] = {
    "category": "Categorical",
    "categories": "CategoricalMultiple",
    "short text": "ShortString",
    "long text": "LongString",
    "integer": "Integer",
    "amount": "Integer",
    "serial": "Integer",
    "boolean": "Boolean",
    "date": "Date",
    "time": "Time",
    "request": "RequestType",
}
"""Type of a slot or column to the type of its field; "Categorical" for others."""

_ORDERS: tuple[Operator, ...] = ("equal", "at_least", "at_most", "less", "greater")

_SEARCHED: dict[FieldType, tuple[Operator, ...]] = {
    "Categorical": ("equal", "one_of", "not"),
    "CategoricalMultiple": ("contains", "contains_not", "one_of"),
    "ShortString": ("equal", "contains"),
    "LongString": ("contains", "equal"),
    "Integer": _ORDERS,
    "Date": _ORDERS,
    "Time": _ORDERS,
}
"""Type of a field to its operators in a search, the default first; other calls use `equal`."""

SEARCHES = ("search", "find")
"""Effects of calls that change nothing."""


class Form:
    """The form for a call of a task; `data` is the page's JSON, made once as every state has it."""

    def __init__(self, task: TaskSchema, call: Call) -> None:
        self.api, self._task = call.name, task
        self.readable = readable(call.name)
        slots = [task.slots.get(column.slot or "") for column in call.inputs]
        pairs = zip(call.inputs, slots, strict=True)
        self.fields = tuple(_field(column, slot, call, task) for column, slot in pairs)
        self._slots = {f.name: slot for f, slot in zip(self.fields, slots, strict=True)}
        self._named = {field.name: field for field in self.fields}
        self.data = {
            "api": self.api,
            "name": self.readable,
            "fields": [asdict(field) for field in self.fields],
        }

    def constraints(self, conditions: Sequence[FormCondition]) -> tuple[Constraint, ...]:
        """Return the constraints of a filled-in form; `Refused` if wrong or missing."""
        if len(conditions) > MOST:
            raise Refused("bad_value", f"a query has at most {MOST} conditions")
        terms = tuple(one for condition in conditions for one in self._read(condition))
        self._check_needed(terms)
        self._check_together(terms)
        return terms

    def _read(self, condition: FormCondition) -> Iterator[Constraint]:
        field = self._named.get(condition.name)
        if field is None:
            names = ", ".join(self._named)
            raise Refused("unknown", f"no field {clip(condition.name)!r}; there are {names}")
        operator = next((each for each in field.operators if each == condition.operator), None)
        if operator is None:
            right = ", ".join(field.operators)
            raise Refused(
                "bad_value",
                f"{field.readable} is not asked with {clip(condition.operator)!r} but: {right}",
                field=field.name,
                right=list(field.operators),
            )
        raw = condition.value if isinstance(condition.value, list) else [condition.value]
        if not raw or len(raw) > MOST:
            raise Refused("bad_value", f"{field.readable} needs a value", field=field.name)
        slot = self._slots[field.name]
        values = tuple(
            dict.fromkeys(read_value(field, slot, each, self._task.language) for each in raw)
        )
        if operator == "one_of":
            yield Constraint(field.name, operator, values)
            return
        if len(values) > 1 and field.type != "CategoricalMultiple":
            raise Refused("bad_value", f"{field.readable} takes one value", field=field.name)
        yield from (Constraint(field.name, operator, (value,)) for value in values)

    def _check_needed(self, constraints: Sequence[Constraint]) -> None:
        answers = {constraint.slot: constraint for constraint in constraints}
        missing = [f for f in self.fields if f.name not in answers and _needed(f, answers)]
        if missing:
            names = [field.name for field in missing]
            what = ", ".join(field.readable for field in missing)
            raise Refused("bad_value", f"fill in as well: {what}", field=names[0], fields=names)

    def _check_together(self, constraints: Sequence[Constraint]) -> None:
        field_names = {s.name: name for name, s in self._slots.items() if s is not None}
        answers = {each.slot: each.value for each in constraints if each.operator == "equal"}
        values = {slot: answers[name] for slot, name in field_names.items() if name in answers}
        for names, what in self._task.broken(values):
            fields = [field_names[name] for name in names]
            message = f"these do not go together; right would be: {what}"
            raise Refused("bad_value", message, field=fields[-1], fields=fields)


def readable(name: str) -> str:
    """Return the name of an API or of one of its inputs as words."""
    return " ".join(split_name(name)).capitalize()


def _needed(field: Field, answers: dict[str, Constraint]) -> bool:
    if field.need != "conditional":
        return field.need == "required"
    if field.required_unless is not None:
        return field.required_unless not in answers
    return any(
        str(value) in values
        for other, values in (field.required_when or {}).items()
        if other in answers
        for value in answers[other].values
    )


def _field(column: Column, slot: Slot | None, call: Call, task: TaskSchema) -> Field:
    kind = _TYPES.get(slot.type if slot else column.type, "Categorical")
    ends = slot or column
    categories = _categories(kind, column, slot)
    unless = _makes_up(slot, call)
    return Field(
        name=column.name,
        readable=column.title or readable(column.name),
        type=kind,
        categories=categories,
        labels=_labels(slot, categories, task.language),
        minimum=ends.minimum,
        maximum=ends.maximum,
        step=ends.step,
        unit=slot.unit if slot else None,
        operators=_operators(kind, slot, call),
        need=_need(column, kind, unless),
        required_when=column.required_if or None,
        required_unless=unless if not column.required else None,
        hint=slot.description or None if slot else None,
    )


def _need(column: Column, kind: FieldType, unless: str | None) -> Need:
    if column.required or kind == "RequestType":
        return "required"
    return "conditional" if column.required_if or unless else "optional"


def _categories(kind: FieldType, column: Column, slot: Slot | None) -> tuple[str, ...]:
    if kind == "RequestType":
        return REQUESTS
    if slot is not None:
        return tuple(slot.values)
    return tuple(map(str, column.values)) if kind.startswith("Categorical") else ()


def _labels(slot: Slot | None, categories: tuple[str, ...], language: str) -> dict[str, str]:
    if slot is None:
        return {}
    texts = {value: plain(value, language, slot) for value in categories}
    return {value: label for value, label in texts.items() if value != label}


def _operators(kind: FieldType, slot: Slot | None, call: Call) -> tuple[Operator, ...]:
    if call.effect not in SEARCHES or not call.table:  # the input's name implies the operator
        return ("one_of",) if kind == "CategoricalMultiple" else ("equal",)
    operators = _SEARCHED.get(kind, ("equal",))
    if slot is not None and slot.type == "amount" and call.effect == "search":
        return ("at_most", *(each for each in operators if each != "at_most"))
    return operators


def _makes_up(slot: Slot | None, call: Call) -> str | None:
    """Return the name of the input that may be given instead of this slot's; None without one."""
    if slot is None or slot.unless is None:
        return None
    return next((column.name for column in call.inputs if column.slot == slot.unless), None)


def read_value(field: Field, slot: Slot | None, raw: Any, language: str) -> Value:
    """Return the canonical value of what was typed or chosen.

    Args:
        raw: The JSON value that the page sent.

    Raises:
        Refused: `bad_value`, with what the field accepts.
    """
    value = _EXACT.get(field.type, _listed)(field, raw)
    if value is None and slot is not None:
        value = _said(field, slot, raw, language)
    if value is None:
        what = f"{field.readable} cannot be {clip(str(raw))!r}; {right(field)}"
        raise Refused("bad_value", what, field=field.name, right=right(field))
    return value


def right(field: Field) -> str:
    """Return a description, for the wizard, of the values that a field accepts."""
    if field.categories:
        texts = [field.labels.get(value, value) for value in field.categories]
        return f"one of {', '.join(texts)}"
    if field.minimum is not None and field.maximum is not None:
        step = f", in steps of {field.step}" if field.step != 1 else ""
        return f"{field.minimum} to {field.maximum}{step}"
    names = {"Integer": "a number", "Boolean": "yes or no", "Date": "a date", "Time": "a time"}
    return names.get(field.type, f"a text of at most {LONGEST_TEXT} characters")


def _listed(field: Field, raw: Any) -> Value:
    if not isinstance(raw, str):
        return None
    text = " ".join(raw.split()).casefold()
    for value in field.categories:
        if text in (value.casefold(), field.labels.get(value, value).casefold()):
            return value
    return None


def _text(field: Field, raw: Any) -> Value:
    if isinstance(raw, bool | float) or not isinstance(raw, str | int):
        return None
    text = " ".join(str(raw).split())
    return text if 0 < len(text) <= LONGEST_TEXT and text.isprintable() and visible(text) else None


def _number(field: Field, raw: Any) -> Value:
    if isinstance(raw, str):
        plain = raw.strip().replace(",", "")
        plain = plain.removesuffix(field.unit or "").strip()
        if not _NUMBER.fullmatch(plain):
            return None
        raw = float(plain)
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    low, high = field.minimum, field.maximum
    above = not isinstance(low, int | float) or raw >= low
    within = above and (not isinstance(high, int | float) or raw <= high)
    return raw if within and abs(raw) < 10**15 else None


_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{0,15})?")


def _truth(field: Field, raw: Any) -> Value:
    if isinstance(raw, str):
        return {"true": True, "false": False}.get(raw.strip().casefold())
    return raw if isinstance(raw, bool) else None


_EXACT: dict[FieldType, Callable[[Field, Any], Value]] = {
    "ShortString": _text,
    "LongString": _text,
    "Integer": _number,
    "Boolean": _truth,
}
"""Type of a field to the function that reads its values; the values of others are categories."""


def _said(field: Field, slot: Slot, raw: Any, language: str) -> Value:
    if not isinstance(raw, str) or field.type in ("ShortString", "LongString"):
        return None
    value: Value = read(slot, raw, language)
    return value
