"""Features of a system's turn and of each slot, to learn the system's acts from.

No feature depends on a service's names: slots are described by the intents that need or return
them, by the acts so far that had them, and by their values in results.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from dialoom.dialogue.annotation import Value
from dialoom.models.policy.learner import HERE, ActSlot, Situation
from dialoom.models.policy.service_log import DialogueLog, ServiceLog
from dialoom.schema.service import ACTS, COUNT, INTENT, ServiceSlot
from dialoom.schema.service_words import spoken_name

_TRUTH_VALUES = frozenset({"true", "false"})


def situation(log: DialogueLog) -> Situation:
    """Return the situation of the system's next turn: features, and candidate slots by act."""
    held = log.current
    names = [slot.name for slot in held.service.slots]
    offered = [name for name in names if name in held.next_item or not held.items]
    confirmed = [name for name in names if name in held.settled]
    return Situation(
        (log.here, ""),
        [*_of_turn(log), *_of_service(held)],
        {
            (HERE, "REQUEST"): _candidates(held, names, {}),
            (HERE, "OFFER"): _candidates(held, offered, held.next_item),
            (HERE, "CONFIRM"): _candidates(held, confirmed, held.settled),
            (HERE, "INFORM"): _candidates(held, names, held.item),
            (HERE, "INFORM_COUNT"): [ActSlot(COUNT, [], (str(len(held.items)),))],
            (HERE, "OFFER_INTENT"): [
                ActSlot(INTENT, [], (name,)) for name in list(proposals(held))[:1]
            ],
        },
    )


def proposals(held: ServiceLog) -> Iterator[str]:
    """Yield the intents that may be proposed next: transactions not done and not active."""
    for intent in held.service.intents:
        if intent.transactional and intent.name != held.intent and intent.name not in held.done:
            yield intent.name


def _of_turn(log: DialogueLog) -> Iterator[float]:
    user = log.user.get(log.here, ())
    elsewhere = [
        name for service, names in log.user.items() if service != log.here for name in names
    ]
    for name in ACTS:
        yield float(name in user)
    for name in ACTS:
        yield float(name in log.system)
    yield float(bool(elsewhere))
    yield float(log.turns)
    yield float(len(log.services))
    yield float(log.here != log.before)


def _of_service(held: ServiceLog) -> Iterator[float]:
    active = held.active
    yield float(len(held.missing))
    yield float(active is not None and active.transactional)
    yield float(active is not None)
    yield float(sum(1 for _ in proposals(held)))
    yield float(held.intent in held.done)
    yield float(held.fresh)
    yield float(len(held.items)) if held.called else -1.0
    yield float(len(held.items) - held.offers)
    yield float(held.offers)
    yield float(len(held.requested))
    yield float(sum(name in held.item for name in held.requested))
    yield float(len(held.informed))
    yield float(sum(name in held.confirmed for name in held.informed))
    yield float(bool(held.confirmed))
    yield float(bool(held.called) and held.called[-1][0] == held.intent)
    yield float(bool(held.called) and held.called[-1][1] == held.parameters())
    asked = held.called[-1][1] if held.called else {}
    found = held.next_item
    yield float(sum(str(found.get(name, value)) != str(value) for name, value in asked.items()))


def _candidates(
    held: ServiceLog, names: Collection[str], values: Mapping[str, Value]
) -> list[ActSlot]:
    """Return some slots with their features, and the first values that acts may give them."""
    return [
        ActSlot(
            slot.name,
            list(_of_slot(held, slot, place)),
            () if values.get(slot.name) is None else (values[slot.name],),
        )
        for place, slot in enumerate(held.service.slots)
        if slot.name in names
    ]


def _of_slot(held: ServiceLog, slot: ServiceSlot, place: int) -> Iterator[float]:
    """Yield the features of a slot: its part in the schema's intents, and in the acts so far.

    Indices are -1 if the slot is not in the list.
    """
    name, active, missing = slot.name, held.active, held.missing
    intents = held.service.intents
    results = active.results if active else ()
    yield float(active is not None and name in active.required)
    yield float(active is not None and name in active.optional)
    yield float(results.index(name)) if name in results else -1.0
    yield float(any(name in each.required for each in intents if each.transactional))
    yield float(any(name in each.required for each in intents if not each.transactional))
    yield float(any(name in each.inputs for each in intents))
    yield float(missing.index(name)) if name in missing else -1.0
    yield float(len(missing))
    yield float(name in held.known)
    yield float(name in held.asked)
    yield float(name in held.ever_asked)
    yield float(name in held.offered)
    yield float(name in held.confirmed)
    yield float(name in held.reported)
    yield float(held.requested.index(name)) if name in held.requested else -1.0
    yield float(len(held.requested))
    yield float(name in held.ever_requested)
    yield float(name in held.informed)
    yield float(bool(held.called) and name in held.called[-1][1])
    yield from _of_values(held, slot)
    yield float(place)
    yield float(held.fresh)
    yield float(held.offers)


def _of_values(held: ServiceLog, slot: ServiceSlot) -> Iterator[float]:
    listed = {str(value).lower() for value in slot.possible_values} if slot.categorical else set()
    found = [str(item[slot.name]) for item in held.items if slot.name in item]
    yield float(slot.categorical)
    yield float(listed == _TRUTH_VALUES)
    yield float(len(listed))
    yield float(len(found))
    yield len(set(found)) / len(found) if found else -1.0
    yield float(len(found[0].split())) if found else -1.0
    yield float(sum(map(str.isdigit, found[0])) / max(len(found[0]), 1)) if found else -1.0
    yield float(spoken_name(slot.name).endswith("name"))
