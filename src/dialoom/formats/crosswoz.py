"""CrossWOZ (Zhu et al. 2020): Chinese dialogues by id, with the states of both sides.

    {"12": {"sys-usr": [3, 4], "type": …, "goal": [[1, "hotel", "rating", "4.5", false], …],
      "messages": [
        {"role": "usr", "content": "…", "dialog_act": [["Inform", "hotel", "rating", "4.5"]],
         "user_state": [[1, "hotel", "rating", "4.5", true], …]},
        {"role": "sys", "content": "…", "dialog_act": [["Recommend", "hotel", "name", "…"]],
         "sys_state_init": {"hotel": {"rating": "4.5", "selectedResults": []}},
         "sys_state": {"hotel": {"rating": "4.5", "selectedResults": ["…"]}}}],
      "final_goal": […], "task description": ["…"]}}

`sys_state_init` is what the wizard's form had before the search, after the user's utterance: it is
the state of that utterance. A form with results that is another than the one before is a query with
its result, which has only the names of the items.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Query, Result, Scenario
from dialoom.dialogue.constraint import Constraint
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.turn_list import Annotation, Fields, argument, reading, said, state_of
from dialoom.formats.base.values import at, without

SIDES = {"usr": USER, "sys": SYSTEM}
NOTHING = "none"
"""The slot and value of acts without any."""
GENERAL = "General"
"""The first entry of acts without a domain, whose second one is their name."""
FOUND = "selectedResults"
NAME = "名称"
"""The attribute of all tables that has an item's name, by which the results are listed."""


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    name = key or raw.scalar("dialogue_id") or raw.scalar("id") or str(origin.index)
    goal = raw.take("goal", list)
    turns = list(raw.objects("messages", "message", name))
    forms = [turn.rest.get("sys_state_init") or turn.rest.get("sys_state") for turn in turns]
    events: list[Event] = []
    before: Mapping[str, Any] = {}
    for index, turn in enumerate(turns):
        agent, text = turn.speaker("role", SIDES), turn.needed("content", str)
        marks = Annotation()
        _acts(turn, marks)
        if agent == USER and index + 1 < len(forms):
            _state(forms[index + 1], marks)
        now = turn.rest.get("sys_state")
        if agent == SYSTEM and isinstance(now, dict):
            events += _searches(now, before, len(events))
            before = now
        events.append(said(agent, text, marks, turn))
    task = "\n".join(map(str, raw.take("task description", list)))
    workers = dict(zip((SYSTEM, USER), map(str, raw.take("sys-usr", list)), strict=False))
    scenario = Scenario(user_task=task or None, goal=goal or None)
    domains = (each[1] for each in goal if isinstance(each, list) and len(each) > 1)
    services = dict.fromkeys(each for each in domains if isinstance(each, str))
    return raw.dialogue(name, events, origin, services, scenario=scenario, workers=workers)


def _is_act(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) == 4 and isinstance(entry[0], str)


def _acts(turn: Fields, marks: Annotation) -> None:
    for act, domain, slot, value in turn.each("dialog_act", _is_act):
        if act == GENERAL:
            act, domain = str(domain), act
        values = () if value in ("", NOTHING) else (value,)
        slots = () if slot == NOTHING else (argument(slot, *values),)
        marks.act(str(domain), act, *slots)


def _state(form: Any, marks: Annotation) -> None:
    for domain, slots in at(form, dict).items():
        if isinstance(slots, dict):
            marks.state(domain, state_of(without(slots, FOUND)))


def _searches(
    now: Mapping[str, Any], before: Mapping[str, Any], number: int
) -> Iterator[Query | Result]:
    for domain, slots in now.items():
        hits = at(slots, list, FOUND)
        if not hits or slots == before.get(domain):
            continue
        state = state_of(without(slots, FOUND))
        name = f"{number}-{domain}"
        conditions = tuple(Constraint(slot, "equal", each) for slot, each in state.values.items())
        yield Query(id=name, api=domain, constraints=conditions, service=domain)
        yield Result(query=name, items=tuple({NAME: each} for each in hits))


FORMAT = reading(
    "crosswoz",
    _dialogue,
    Signs("sys-usr", Sign("messages[].role", "usr", "sys"), "messages[].content", keyed=True),
    Signs("sys-usr", Sign("messages[].role", "usr", "sys"), "messages[].content"),
    single="messages",
)
