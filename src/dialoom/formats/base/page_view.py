"""The facts of a dialogue above and below its transcript, as pages for people show them.

facts(dialogue)             # [("services", "Restaurants_1"), ("outcome", "Complete")]
questionnaire(dialogue)     # [("user: Was it polite?", "yes")]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from dialoom.dialogue import Dialogue
from dialoom.dialogue.dialogue import Answer, Capability, Scenario


def facts(dialogue: Dialogue) -> list[tuple[str, str]]:
    """Return the facts above the transcript, as pairs of name and value."""
    scenario = dialogue.scenario or Scenario()
    pairs: list[tuple[str, str | None]] = [
        ("services", _list(dialogue.services)),
        ("domains", _list(domain or "(none)" for domain in scenario.domains)),
        ("tasks", _list(map(_capability, scenario.capabilities))),
        ("the user's task", scenario.user_task),
        ("the system's task", scenario.system_task),
        ("happy", _yes(scenario.happy)),
        ("several tasks", _yes(scenario.multi_task)),
        ("instructions", scenario.instruction_id),
        ("goal", None if scenario.goal is None else _spelled(scenario.goal)),
        ("outcome", dialogue.outcome),
        ("batch", dialogue.batch),
        ("provenance", dialogue.provenance),
    ]
    return [(name, value) for name, value in pairs if value]


def questionnaire(dialogue: Dialogue) -> list[tuple[str, str]]:
    """Return the answers below the transcript, as pairs of question (with its agent) and answer."""
    return [(f"{each.agent}: {each.question}", _answer(each)) for each in dialogue.answers]


def _list(values: Iterable[str]) -> str:
    return ", ".join(values)


def _capability(capability: Capability) -> str:
    return f"{capability.task} ({capability.domain})" if capability.domain else capability.task


def _yes(value: bool | None) -> str | None:
    return None if value is None else "yes" if value else "no"


def _spelled(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{name}: {_within(held)}" for name, held in value.items())
        return "; ".join(pairs) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(map(_within, value)) or "nothing"
    if isinstance(value, bool) or value is None:
        return _yes(value) or "none"
    return str(value)


def _within(value: object) -> str:
    nested = isinstance(value, Mapping | list | tuple) and bool(value)
    return f"({_spelled(value)})" if nested else _spelled(value)


def _answer(answer: Answer) -> str:
    value = answer.answer
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
