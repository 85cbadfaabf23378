"""Values that a slot may take at a turn: listed ones, those that came up, and "any will do"."""

from __future__ import annotations

from dataclasses import dataclass

from dialoom.models.tracker.history import DialogueHistory, Occurrence, ServiceHistory
from dialoom.models.tracker.service import SlotView
from dialoom.models.tracker.words import normal_text
from dialoom.schema.service import ANYTHING

_STRICT = frozenset({"date", "time"})
"""Kinds of slots that take nothing of another kind."""

_UNLIKELY = -6.0
"""Log odds of a slot's not mattering below which that is no candidate."""


@dataclass(slots=True)
class ValueCandidate:
    """A value that a slot may take.

    Attributes:
        slot: The slot's name.
        value: What the state would hold.
        norm: The value as it is compared.
        choice: Its place among the listed values, -1 where it is none.
        seen: Where it stood.
        kind: Its kind.
        finders: By which means it was found when it was last said.
        inside: Whether it then stood inside a longer value.
    """

    slot: str
    value: str
    norm: str
    choice: int
    seen: list[Occurrence]
    kind: str
    finders: int = -1
    inside: bool = False


def candidates(
    history: DialogueHistory, held: ServiceHistory, slot: SlotView
) -> list[ValueCandidate]:
    """Return what a slot may take at a dialogue's last turn, apart from what it has."""
    mine, view = held.values.get(slot.name), held.view
    found: list[ValueCandidate] = []
    if slot.listed:
        for value in slot.values:
            if value != mine:
                choice = view.of_choice[slot.name, value]
                seen = held.listed_mentions.get(choice, [])
                norm = view.normal_choices[choice]
                found.append(ValueCandidate(slot.name, value, norm, choice, seen, slot.kind))
    else:
        found = _mentioned(history, held, slot, normal_text(mine) if mine else "")
    likely = held.turn_scores[-1].dontcare.scores[view.place[slot.name]] > _UNLIKELY
    if mine != ANYTHING and likely:
        found.append(ValueCandidate(slot.name, ANYTHING, ANYTHING, -1, [], ANYTHING))
    return found


def _mentioned(
    history: DialogueHistory, held: ServiceHistory, slot: SlotView, mine: str
) -> list[ValueCandidate]:
    """Return the values that stood in the dialogue so far."""
    values: dict[str, ValueCandidate] = {}
    for mention, score in zip(history.mentions, held.scores, strict=True):
        if mention.norm == mine or (mention.kind != slot.kind and slot.kind in _STRICT):
            continue
        at = values.get(mention.norm)
        if at is None:
            at = values[mention.norm] = ValueCandidate(
                slot.name, mention.text, mention.norm, -1, [], mention.kind
            )
        at.seen.append(Occurrence(mention.turn, mention.user, score, mention.nearby_words))
        at.value, at.kind = mention.text, mention.kind
        at.finders, at.inside = mention.finders, mention.inside
    return list(values.values())
