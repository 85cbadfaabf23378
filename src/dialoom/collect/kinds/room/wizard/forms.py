"""The wizard's query forms: fields made from an API's inputs, constraints from their values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import asdict

from dialoom.collect.kinds.room.messages import FormCondition
from dialoom.collect.kinds.room.wizard.fields import Field, FieldType, Need, read_value
from dialoom.collect.message import Refused
from dialoom.dialogue import Constraint
from dialoom.dialogue.constraint import Operator
from dialoom.errors import clip
from dialoom.schema.call import Call, Column
from dialoom.schema.lexicon import split_name
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import plain

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

_SEARCHES = ("search", "find")


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
    if call.effect not in _SEARCHES or not call.table:  # the input's name implies the operator
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
