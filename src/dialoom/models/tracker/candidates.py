"""Candidate values of a slot at a turn: listed values, mentioned values, and "dontcare"."""

from __future__ import annotations

from dataclasses import dataclass

from dialoom.learn.words import normal_text
from dialoom.models.tracker.history import DialogueHistory, Occurrence, ServiceHistory
from dialoom.models.tracker.service import SlotView
from dialoom.schema.service import ANYTHING

_STRICT = frozenset({"date", "time"})
"""Kinds of slots with only mentions of the same kind as candidates."""

_UNLIKELY = -6.0
"""Log odds of "dontcare" for a slot, up to which it is no candidate."""


@dataclass(slots=True)
class ValueCandidate:
    """A value that a slot may change to.

    `norm` is its normal form (`words.normal`), for comparison. `choice` is its index in
    `ServiceView.choices`, or -1; `seen` are its occurrences in the dialogue. `kind` is the slot's
    for a listed value, that of the last mention, or "dontcare". `finders` are the bits of its last
    mention (spans.py), or -1; `inside` is True if that was part of a longer span.
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
    """Return the candidates of an input at a dialogue's last turn, without its present value."""
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
    """Return the values mentioned so far other than `mine`, one for each normal form."""
    values: dict[str, ValueCandidate] = {}
    for mention, score in zip(history.mentions, held.scores, strict=True):
        value = slot.known.spelled(mention.text)
        norm = mention.norm if value == mention.text else normal_text(value)
        if slot.known.said and history.refers(norm):
            continue
        if norm == mine or (mention.kind != slot.kind and slot.kind in _STRICT):
            continue
        at = values.get(norm)
        if at is None:
            at = values[norm] = ValueCandidate(slot.name, value, norm, -1, [], mention.kind)
        at.seen.append(Occurrence(mention.turn, mention.user, score, mention.nearby_words))
        at.value, at.kind = value, mention.kind
        at.finders, at.inside = mention.finders, mention.inside
    return list(values.values())
