"""Version 6 of STAR's files, as described in the paper (Mosig et al. 2020, appendix C and table 9).

    {"FORMAT-VERSION": 6, "dialogID": 12, "Events": [
        {"Action": "pick_suggestion", "Itent": "hello", "IntentOptions": ["hello"], …},
        {"Action": "query", "API": "weather", "Constraints": {"Day": "\\"Monday\\""}, …},
        {"Action": "return", "Topic": "weather", "Item": null, "TotalItems": 0}], …}

Files are converted to the spelling of version 7 for reading, and back for writing. `Keys` in an
event's `extra` has the keys that were spelled differently from this table, and the keys of the file
that are names of fields in version 7.
"""

from __future__ import annotations

from typing import Any

from dialoom.formats.base.values import at

VERSION = 6

ACTIONS = {"select_topic": "select_task", "return": "return_item"}
WRITTEN = {new: old for old, new in ACTIONS.items()}

SPELLINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "pick_suggestion": {
        "ActionLabel": ("Intent", "Itent"),
        "ActionLabelOptions": ("IntentOptions",),
    },
    "query": {"APIName": ("API", "Topic")},
    "return_item": {"APIName": ("Topic", "API")},
    "select_task": {"Task": ("Topic",)},
}
"""Action to its keys in version 7, each with the spellings that are read; the first is written.

The paper's table has a misprint, Itent."""

NOTE, KEPT = "Keys", "Kept"


def is_version6(top: dict[str, Any]) -> bool:
    """True if a file's object has version 6 or lower."""
    version = top.get("FORMAT-VERSION")
    return isinstance(version, int) and version <= VERSION


def respell(top: dict[str, Any]) -> dict[str, Any]:
    """Return the object of a file in the spelling of version 7; only version 6 is changed."""
    if not is_version6(top):
        return top
    top = dict(top)
    note = _set_aside(top, {NOTE})
    if "DialogueID" in top:
        note["DialogueID"] = "DialogueID"
    elif "dialogID" in top:
        top["DialogueID"] = top.pop("dialogID")
    if isinstance(top["Events"], list):
        top["Events"] = [
            _event(event) if isinstance(event, dict) else event for event in top["Events"]
        ]
    return top | {NOTE: note} if note else top


def _set_aside(holder: dict[str, Any], names: set[str]) -> dict[str, Any]:
    """Remove keys that clash with those of version 7 or `Keys`, and return a note of them."""
    note = {name: holder.pop(name) for name in sorted(names) if name in holder}
    return {KEPT: note} if note else {}


def _event(event: dict[str, Any]) -> dict[str, Any]:
    original = event.get("Action")
    if not isinstance(original, str):
        return event
    event = dict(event)
    action = ACTIONS.get(original, original)
    names = _spelled(event, action)
    clashes = {key for key, name in names.items() if name != key}
    note = _set_aside(event, {NOTE, *clashes})
    if original in ACTIONS.values():
        note["Action"] = original
    event["Action"] = action
    for key, name in names.items():
        if name != SPELLINGS[action][key][0]:
            note[key] = name
        event[key] = event.pop(name)
    constraints = event.get("Constraints")
    if isinstance(constraints, dict):
        event["Constraints"] = [{slot: text} for slot, text in constraints.items()]
    elif constraints is not None:
        note["Constraints"] = "list"
    return event | {NOTE: note} if note else event


def _spelled(event: dict[str, Any], action: str) -> dict[str, str]:
    names = {
        key: next((name for name in (*spellings, key) if name in event), None)
        for key, spellings in SPELLINGS.get(action, {}).items()
    }
    return {key: name for key, name in names.items() if name is not None}


def unspell(top: dict[str, Any]) -> dict[str, Any]:
    """Return an object in the spelling of version 7 as it is written in version 6."""
    top = dict(top)
    note = at(top.pop(NOTE, None), dict)
    if "DialogueID" not in note:
        top["dialogID"] = top.pop("DialogueID")
    top["Events"] = [_unspell_event(event) for event in top["Events"]]
    return top | at(note, dict, KEPT)


def _unspell_event(event: dict[str, Any]) -> dict[str, Any]:
    event = dict(event)
    note = at(event.pop(NOTE, None), dict)
    action = event["Action"]
    for key, spellings in SPELLINGS.get(action, {}).items():
        if key in event:
            event[str(note.get(key, spellings[0]))] = event.pop(key)
    constraints = event.get("Constraints")
    if isinstance(constraints, list) and "Constraints" not in note:
        merged = {slot: text for pair in constraints for slot, text in pair.items()}
        if len(merged) == len(constraints):
            event["Constraints"] = merged
    event["Action"] = note.get("Action", WRITTEN.get(action, action))
    return event | at(note, dict, KEPT)
