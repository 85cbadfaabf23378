"""Ontologies of Taskmaster-2, Taskmaster-3 and ABCD, and M2M's states, as definitions of tools.

    {"find_films": {"apis": ["find_films"], "args": {"all_of": ["place"], "any_of": ["genre"]},
                    "response": {"type": "list", "keys": ["title", "empty"]}}}      Taskmaster-3
    {"inns": [{"prefix": "inn_search", "annotations": ["place"]},
              {"prefix": "inn1_detail", "annotations": ["name"]}]}                  Taskmaster-2
    {"actions": {"kb_query": {"look-up": ["account_id"]}, "interaction": {"pay": ["amount"]}},
     "values": {"enumerable": {"amount": ["5", "10"]}}}                             ABCD
    [{"turns": [{"user_intents": ["FIND_INN"],
                 "dialogue_state": [{"slot": "place", "value": "Port Ansel"}]}]}]   M2M

Annotations of numbered things in Taskmaster-2 (inn1, inn2) are results of the
groups without a number. ABCD's interactions change something, its other actions do not. M2M has no
schema: an intent's slots are those of its states, required where the last state always has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dialoom.formats.base.values import Json, at

CHANGES = "interaction"
"""ABCD's kind of actions that change something."""

EMPTY = "empty"
"""Taskmaster-3's key of an answer without a result."""

FEW = 8
"""Most values of a slot whose values are listed, as of MultiWOZ's (multiwoz/schemas.py)."""

_NUMBERED = re.compile(r"\d")


def ontology(value: Any) -> list[Json]:
    """Return the definitions of an ontology; empty if it is none of these."""
    if not isinstance(value, dict):
        return list(_intents(at(value, list)))
    readers = (_apis, _groups, _actions)
    return next((tools for read in readers if (tools := list(read(value)))), [])


def _apis(value: Json) -> Iterator[Json]:
    for name, api in value.items():
        if not isinstance(api, dict) or not isinstance(api.get("args"), dict):
            continue
        response = at(api, dict, "response")
        reads = {"writes": False} if response.get("type") == "list" else {}
        results = [key for key in _names(response.get("keys")) if key != EMPTY]
        required = _names(api["args"].get("all_of"))
        yield _tool(name, required, _names(api["args"].get("any_of")), results) | reads


def _groups(value: Json) -> Iterator[Json]:
    for entry in value.values():
        groups = {
            group["prefix"]: _names(group.get("annotations"))
            for group in at(entry, list)
            if isinstance(group, dict) and isinstance(group.get("prefix"), str)
        }
        results = [slot for name in groups if _NUMBERED.search(name) for slot in groups[name]]
        for name, slots in groups.items():
            if not _NUMBERED.search(name):
                yield _tool(name, [], slots, results) | ({"writes": False} if results else {})


def _actions(value: Json) -> Iterator[Json]:
    choices = at(value, dict, "values").get("enumerable")
    for kind, members in at(value, dict, "actions").items() if isinstance(choices, dict) else ():
        for name, slots in at(members, dict).items():
            yield _tool(name, _names(slots), values=choices or {}) | {"writes": kind == CHANGES}


def _intents(dialogues: list[Any]) -> Iterator[Json]:
    ends: dict[str, list[dict[str, Any]]] = {}
    for dialogue in dialogues:
        last: dict[str, dict[str, Any]] = {}
        for turn in at(dialogue, list, "turns"):
            entries = at(turn, dict).get("dialogue_state")
            intents = _names(turn.get("user_intents")) if isinstance(entries, list) else []
            name = next(iter(intents), next(reversed(last), ""))
            if isinstance(entries, list) and name:
                last[name] = {each["slot"]: each.get("value") for each in entries if "slot" in each}
        for name, state in last.items():
            ends.setdefault(name, []).append(state)
    for name, states in ends.items():
        choices = {
            slot: {v: None for s in states if (v := s.get(slot))} for s in states for slot in s
        }
        values = {slot: list(entries) for slot, entries in choices.items() if len(entries) <= FEW}
        required = [slot for slot in choices if all(slot in state for state in states)]
        yield _tool(name, required, [s for s in choices if s not in required], values=values)


def _tool(
    name: str,
    required: list[str],
    optional: Iterable[str] = (),
    results: Iterable[str] = (),
    values: Mapping[str, Any] = {},
) -> Json:
    properties = {
        slot: {"enum": values[slot]} if slot in values else {} for slot in (*required, *optional)
    }
    outputs: Json = {slot: {} for slot in results if slot not in properties}
    return {
        "name": name,
        "parameters": {"properties": properties, "required": required},
        "response": {"properties": outputs},
    }


def _names(value: Any) -> list[str]:
    return [each for each in at(value, list) if isinstance(each, str)]
