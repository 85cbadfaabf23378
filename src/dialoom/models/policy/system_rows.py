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
    state = log.current
    names = [slot.name for slot in state.service.slots]
    offered = [name for name in names if name in state.next_item or not state.items]
    confirmed = [name for name in names if name in state.settled]
    return Situation(
        (log.here, ""),
        [*_of_turn(log), *_of_service(state)],
        {
            (HERE, "REQUEST"): _candidates(state, names, {}),
            (HERE, "OFFER"): _candidates(state, offered, state.next_item),
            (HERE, "CONFIRM"): _candidates(state, confirmed, state.settled),
            (HERE, "INFORM"): _candidates(state, names, state.item),
            (HERE, "INFORM_COUNT"): [ActSlot(COUNT, [], (str(len(state.items)),))],
            (HERE, "OFFER_INTENT"): [
                ActSlot(INTENT, [], (name,)) for name in list(proposals(state))[:1]
            ],
        },
    )


def proposals(log: ServiceLog) -> Iterator[str]:
    """Yield the intents that may be proposed next: transactions not done and not active."""
    for intent in log.service.intents:
        if intent.transactional and intent.name != log.intent and intent.name not in log.done:
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


def _of_service(log: ServiceLog) -> Iterator[float]:
    active = log.active
    yield float(len(log.missing))
    yield float(active is not None and active.transactional)
    yield float(active is not None)
    yield float(sum(1 for _ in proposals(log)))
    yield float(log.intent in log.done)
    yield float(log.fresh)
    yield float(len(log.items)) if log.called else -1.0
    yield float(len(log.items) - log.offers)
    yield float(log.offers)
    yield float(len(log.requested))
    yield float(sum(name in log.item for name in log.requested))
    yield float(len(log.informed))
    yield float(sum(name in log.confirmed for name in log.informed))
    yield float(bool(log.confirmed))
    yield float(bool(log.called) and log.called[-1][0] == log.intent)
    yield float(bool(log.called) and log.called[-1][1] == log.parameters())
    inputs = log.called[-1][1] if log.called else {}
    offer = log.next_item
    yield float(sum(str(offer.get(name, value)) != str(value) for name, value in inputs.items()))


def _candidates(
    log: ServiceLog, names: Collection[str], values: Mapping[str, Value]
) -> list[ActSlot]:
    """Return some slots with their features, and the first values that acts may give them."""
    return [
        ActSlot(
            slot.name,
            list(_of_slot(log, slot, place)),
            () if values.get(slot.name) is None else (values[slot.name],),
        )
        for place, slot in enumerate(log.service.slots)
        if slot.name in names
    ]


def _of_slot(log: ServiceLog, slot: ServiceSlot, place: int) -> Iterator[float]:
    """Yield the features of a slot: its part in the schema's intents, and in the acts so far.

    Indices are -1 if the slot is not in the list.
    """
    name, active, missing = slot.name, log.active, log.missing
    intents = log.service.intents
    results = active.results if active else ()
    yield float(active is not None and name in active.required)
    yield float(active is not None and name in active.optional)
    yield float(results.index(name)) if name in results else -1.0
    yield float(any(name in each.required for each in intents if each.transactional))
    yield float(any(name in each.required for each in intents if not each.transactional))
    yield float(any(name in each.inputs for each in intents))
    yield float(missing.index(name)) if name in missing else -1.0
    yield float(len(missing))
    yield float(name in log.known)
    yield float(name in log.asked)
    yield float(name in log.ever_asked)
    yield float(name in log.offered)
    yield float(name in log.confirmed)
    yield float(name in log.reported)
    yield float(log.requested.index(name)) if name in log.requested else -1.0
    yield float(len(log.requested))
    yield float(name in log.ever_requested)
    yield float(name in log.informed)
    yield float(bool(log.called) and name in log.called[-1][1])
    yield from _of_values(log, slot)
    yield float(place)
    yield float(log.fresh)
    yield float(log.offers)


def _of_values(log: ServiceLog, slot: ServiceSlot) -> Iterator[float]:
    choices = {str(value).lower() for value in slot.possible_values} if slot.categorical else set()
    texts = [str(item[slot.name]) for item in log.items if slot.name in item]
    yield float(slot.categorical)
    yield float(choices == _TRUTH_VALUES)
    yield float(len(choices))
    yield float(len(texts))
    yield len(set(texts)) / len(texts) if texts else -1.0
    yield float(len(texts[0].split())) if texts else -1.0
    yield float(sum(map(str.isdigit, texts[0])) / max(len(texts[0]), 1)) if texts else -1.0
    yield float(spoken_name(slot.name).endswith("name"))
