"""Rules about the JSON layout of annotation: missing members, lists of unequal length.

The readers of SGD and of its GEM version keep what the model cannot hold, level by level: a member
that is not there as None, a value of another kind as {"value": it} (formats/base/codec.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.formats.base.codec import NOTED, is_note
from dialoom.formats.base.values import WHOLE, UnfitError
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.rule import Found, check

_MEMBERS = frozenset(
    {
        "act",
        "actions",
        "active_intent",
        "canonical_values",
        "exclusive_end",
        "frames",
        "method",
        "parameters",
        "requested_slots",
        "service",
        "services",
        "slot",
        "slot_values",
        "slots",
        "start",
        "values",
    }
)
"""The members that are required at any level of the layout; others may be null."""
COPIED = "copy_from"
"""The member of a span that marks a value of another slot and no text (MultiWOZ 2.2)."""

_OF_TEXT = frozenset({"start", "exclusive_end", "value"})
"""The members that a copied span has not, or as a list of values."""

_OFFSETS = frozenset({"start_index", "end_index", "startIndex", "endIndex"})
"""The members of spans that are offsets where E608 looks for none (Taskmaster)."""


@check("E608")
def _misshapen(context: LintContext) -> Iterator[Found]:
    if not context.corpus.traits.noted:
        return
    for pointer, extra in _extras(context):
        for key, entry in extra.items():
            if COPIED in extra and key in _OF_TEXT:
                continue
            if entry is None and key in _MEMBERS:
                yield pointer, f"{key} is missing"
            elif is_note(entry) and not (key == "act" and number_of_act(extra)):
                yield pointer, f"{key} {_describe(entry[NOTED])}"


def noted(extra: Mapping[str, Any], *members: str) -> bool:
    """True if members are missing or of a wrong type, so that other rules skip them."""
    return any(key in extra and (extra[key] is None or is_note(extra[key])) for key in members)


def odd_offset(extra: Mapping[str, Any]) -> Any:
    """Return an offset of a span that is no number, nor a text of one; None if there is none."""
    for key in _OFFSETS & extra.keys():
        offset = extra[key]
        try:
            WHOLE.read(offset[NOTED] if is_note(offset) else 0)
        except UnfitError:
            return offset[NOTED]
    return None


def number_of_act(extra: Mapping[str, Any]) -> str:
    """Return the number of an act that the layout does not have (E606); else an empty text."""
    note = extra.get("act")
    number = note[NOTED] if is_note(note) else None
    return str(number) if isinstance(number, int) and not isinstance(number, bool) else ""


def _extras(context: LintContext) -> Iterator[tuple[str, dict[str, Any]]]:
    if context.dialogue.extra:
        yield "/extra", context.dialogue.extra
    for index, event in enumerate(context.dialogue.events):
        if event.extra:
            yield f"/events/{index}/extra", event.extra
    yield from context.extras


def _describe(value: Any) -> str:
    while isinstance(value, list | dict) and len(value) == 1:  # kept in an envelope
        value = value[0] if isinstance(value, list) else next(iter(value.values()))
    lists = (
        {k: v for k, v in value.items() if isinstance(v, list)} if isinstance(value, dict) else {}
    )
    if len({len(each) for each in lists.values()}) > 1:
        lengths = ", ".join(f"{len(each)} {key}" for key, each in lists.items())
        return f"has lists of unequal length: {lengths}"
    return "is of another kind than the format has there"
