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

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Constraint,
    Dialogue,
    Event,
    Origin,
    Query,
    Result,
    Scenario,
)
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.turn_list import Annotation, Fields, argument, reading, said, state_of

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
    instructions, goal = raw.take("task description", list), raw.take("goal", list)
    workers = raw.take("sys-usr", list)
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
    return Dialogue(
        id=name,
        events=tuple(events),
        services=tuple(dict.fromkeys(each[1] for each in goal if _is_goal(each))),
        scenario=Scenario(user_task="\n".join(map(str, instructions)) or None, goal=goal or None),
        workers=dict(zip((SYSTEM, USER), map(str, workers), strict=False)),
        origin=origin,
        extra=raw.rest,
    )


def _is_goal(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) > 1 and isinstance(entry[1], str)


def _acts(turn: Fields, marks: Annotation) -> None:
    for entry in turn.take("dialog_act", list):
        if not (isinstance(entry, list) and len(entry) == 4 and isinstance(entry[0], str)):
            turn.rest.setdefault("dialog_act", []).append(entry)
            continue
        act, domain, slot, value = entry
        if act == GENERAL:
            act, domain = str(domain), act
        values = () if value in ("", NOTHING) else (value,)
        slots = () if slot == NOTHING else (argument(slot, *values),)
        marks.act(str(domain), act, *slots)


def _state(form: Any, marks: Annotation) -> None:
    for domain, slots in form.items() if isinstance(form, dict) else ():
        if isinstance(slots, dict):
            marks.state(domain, state_of({k: v for k, v in slots.items() if k != FOUND}))


def _searches(
    now: Mapping[str, Any], before: Mapping[str, Any], number: int
) -> Iterator[Query | Result]:
    """Yield the forms with results that are not those of the message before."""
    for domain, slots in now.items():
        found = slots.get(FOUND) if isinstance(slots, dict) else None
        old = before.get(domain)
        if not isinstance(found, list) or not found or slots == old:
            continue
        state = state_of({k: v for k, v in slots.items() if k != FOUND})
        name = f"{number}-{domain}"
        asked = tuple(Constraint(slot, "equal", each) for slot, each in state.values.items())
        yield Query(id=name, api=domain, constraints=asked, service=domain)
        yield Result(query=name, items=tuple({NAME: each} for each in found))


FORMAT = reading(
    "crosswoz",
    _dialogue,
    Signs("sys-usr", Sign("messages[].role", "usr", "sys"), "messages[].content", keyed=True),
    Signs("sys-usr", Sign("messages[].role", "usr", "sys"), "messages[].content"),
    single="messages",
)
