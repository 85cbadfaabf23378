"""The difference of two states that a server reports, in the form of our own tables' changes.

    state_changes({"tasks": {"t1": {"done": False}}}, {"tasks": {"t1": {"done": True}}})
    # {"tasks": {"changed": [[{"done": False}, {"done": True}]]}}

A state that has no tables of rows is one row of the table `state`.
"""

from __future__ import annotations

from typing import Any

WHOLE = "state"

VALUE = "value"

_Rows = dict[str, Any]


def state_changes(before: Any, after: Any) -> dict[str, Any]:
    """Return table to its rows that were added, removed and changed."""
    one, other = _tables(before), _tables(after)
    if one.keys() != other.keys() and (WHOLE in one or WHOLE in other):
        one, other = {WHOLE: {"": before}}, {WHOLE: {"": after}}
    found: dict[str, Any] = {}
    for name in sorted({*one, *other}):
        old, new = one.get(name, {}), other.get(name, {})
        kinds: dict[str, list[Any]] = {
            "added": [new[key] for key in sorted(new.keys() - old.keys())],
            "removed": [old[key] for key in sorted(old.keys() - new.keys())],
            "changed": [
                [old[key], new[key]]
                for key in sorted(old.keys() & new.keys())
                if old[key] != new[key]
            ],
        }
        if any(kinds.values()):
            found[name] = {kind: rows for kind, rows in kinds.items() if rows}
    return found


def _tables(state: Any) -> dict[str, _Rows]:
    if isinstance(state, dict) and all(isinstance(held, dict | list) for held in state.values()):
        return {name: _rows(held) for name, held in state.items()}
    return {WHOLE: {"": state if isinstance(state, dict) else {VALUE: state}}}


def _rows(held: Any) -> _Rows:
    """Return the rows of a table: an object of rows by their keys, or a list."""
    pairs = held.items() if isinstance(held, dict) else enumerate(held)
    rows = {f"{key:>9}" if isinstance(key, int) else key: row for key, row in pairs}
    if isinstance(held, dict) and not all(isinstance(row, dict) for row in rows.values()):
        return {"": held}
    return {key: row if isinstance(row, dict) else {VALUE: row} for key, row in rows.items()}
