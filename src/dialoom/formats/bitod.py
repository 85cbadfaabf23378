"""BiToD (Lin et al. 2021): English and Chinese dialogues as events, with calls of interfaces.

    {"1f": {"Scenario": {"UserTask": "…", "WizardCapabilities": [{"Task": "hotels_search"}],
                         "User_Goal": {…}}, "Events": [
      {"Agent": "User", "Text": "Something cheap.", "active_intent": "hotels_search",
       "Actions": [{"act": "inform", "slot": "price", "relation": "equal_to", "value": ["cheap"]}],
       "state": {"hotels_search": {"price": {"relation": "equal_to", "value": ["cheap"]}}}},
      {"Agent": "Wizard", "Actions": "query", "API": "hotels_search",
       "Constraints": [{"price": "api.equal_to(cheap)"}]},
      {"Agent": "KnowledgeBase", "Item": {…}, "TotalItems": 2, "Topic": "hotels_search"},
      {"Agent": "Wizard", "Text": "…", "Actions": […], "PrimaryItem": {…}}]}}

A file is an object of dialogues by id, or a list of them (DialogStudio). A relation other than
equality is in the `extra` of an argument or state, and so are values that are excluded ("not").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dialoom.dialogue import SYSTEM, USER, Argument, Constraint, Event, Query, Result, State
from dialoom.dialogue.constraint import Operator
from dialoom.dialogue.dialogue import Capability, Dialogue, Origin, Scenario
from dialoom.formats.base.codec import Place
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import Annotation, Fields, argument, reading, said, state_of
from dialoom.formats.base.values import Json, without

SIDES = {"User": USER, "Wizard": SYSTEM, "KnowledgeBase": "kb"}

EQUAL, EXCLUDED = "equal_to", "not"
OPERATORS: dict[str, Operator] = {
    EQUAL: "equal",
    EXCLUDED: "not",
    "one_of": "one_of",
    "at_least": "at_least",
    "at_most": "at_most",
    "less_than": "less",
    "more_than": "greater",
}
_CALL = re.compile(r"api\.([a-z_]+)\((.*)\)", re.DOTALL)
_BETWEEN = " , "
"""The separator of the alternatives of `one_of`."""


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    name = key or raw.scalar("Dialogue_id") or str(origin.index)
    fields = raw.object("Scenario", needed=False)
    events: list[Event] = []
    for number, event in enumerate(raw.objects("Events", "event", name)):
        agent = event.speaker("Agent", SIDES)
        if agent == "kb":
            events.append(_result(event, events))
        elif "API" in event.rest or event.rest.get("Actions") == "query":
            events.append(_query(event, str(number)))
        else:
            marks = Annotation()
            mark(event, agent, marks)
            events.append(said(agent, event.needed("Text", str), marks, event))
    skills = fields.take("WizardCapabilities", list)
    tasks = [Fields(each, raw.place, "capability") for each in skills]
    scenario = Scenario(
        capabilities=tuple(Capability(each.scalar("Task"), extra=each.rest) for each in tasks),
        user_task=fields.take("UserTask", str) or None,
        system_task=fields.take("WizardTask", str) or None,
        goal=fields.take("User_Goal", dict) or None,
        extra=fields.rest,
    )
    return raw.dialogue(name, events, origin, scenario.goal or (), scenario=scenario)


def mark(event: Fields, agent: str, marks: Annotation) -> None:
    """Take the acts and the state of an event with a text, and add them to its annotation."""
    intent = event.take("active_intent", str) or None
    for action in event.take("Actions", list):
        act = Fields(action, event.place, "action")
        name, slot = act.needed("act", str), act.take("slot", str)
        values, relation = act.take("value", list), act.take("relation", str)
        operand = argument(slot, *values)
        if relation == EXCLUDED:
            operand = Argument(slot, (), extra={"relation": relation, "values": values})
        elif relation not in ("", EQUAL):
            operand = Argument(slot, operand.values, extra=operand.extra | {"relation": relation})
        marks.act(intent, name, *([operand] if slot else []), extra=act.rest)
    states = event.take("state", dict)
    for service, slots in states.items():
        marks.state(service, _state(slots, intent if service == intent else None, event.place))
    if agent == USER and intent and intent not in states:
        marks.state(intent, State(intent))


def _state(slots: Any, intent: str | None, place: Place) -> State:
    entries = Fields(slots, place, "state").rest
    objects = {s: entry for s, entry in entries.items() if isinstance(entry, dict)}
    pairs = {s: o.get("value") for s, o in objects.items() if o.get("relation") != EXCLUDED}
    relations = {s: r for s in pairs if (r := entries[s].get("relation")) not in (None, "", EQUAL)}
    more: Json = {"relations": relations} if relations else {}
    return state_of(pairs, intent=intent, **(more | without(entries, *pairs)))


def _query(event: Fields, name: str) -> Query:
    event.rest.pop("Actions", None)
    conditions = [each for each in event.take("Constraints", list) if isinstance(each, dict)]
    return Query(
        id=name,
        api=event.take("API", str),
        constraints=tuple(c for each in conditions for c in _constraints(each)),
        extra=event.rest,
    )


def _constraints(conditions: dict[str, Any]) -> Iterator[Constraint]:
    for slot, text in conditions.items():
        call = _CALL.fullmatch(text) if isinstance(text, str) else None
        operator = OPERATORS.get(call[1]) if call else None
        if call is None or operator is None:
            yield Constraint(slot, None, (), str(text))
        else:
            values = call[2].split(_BETWEEN) if operator == "one_of" else [call[2]]
            yield Constraint(slot, operator, tuple(each.strip() for each in values), text)


def _result(event: Fields, events: list[Event]) -> Result:
    query = next((each for each in reversed(events) if isinstance(each, Query)), None)
    item, total = event.take("Item", dict), event.rest.get("TotalItems")
    if type(total) is int:
        del event.rest["TotalItems"]
    topic = event.take("Topic", str)
    return Result(
        query=query.id if query else "",
        items=(item,) if item else (),
        total=total if type(total) is int else None,
        api=topic if topic and (query is None or topic != query.api) else None,
        extra=event.rest,
    )


FORMAT = reading(
    "bitod",
    _dialogue,
    Signs("Events[].active_intent", "Events[].Actions", "Events[].Agent"),
    Signs("Events[].active_intent", "Events[].Actions", "Events[].Agent", keyed=True),
    single="Events",
)
