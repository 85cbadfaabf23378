"""The baseline of the system's next acts by rules over a service's schema.

The system answers requests, asks for the missing inputs of a call one after the other, confirms the
values of a transaction, offers results of a search, reports the result of a transaction, and then
proposes another intent or asks for further wishes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from dialoom.dialogue import SYSTEM, Act, Argument, NextActs, Prediction, Question, ServiceAct
from dialoom.dialogue.annotation import Value
from dialoom.learn.model import Kinds, Questions, Schemas, Unlearnt
from dialoom.models.policy.service_log import DialogueLog, ServiceLog, read_logs
from dialoom.models.policy.system_rows import proposals
from dialoom.schema.service import COUNT, INTENT

OFFERED = 2
"""Most slots of an item that an offer names."""


@dataclass
class ActRules(Unlearnt):
    """Follows the flow that a service's schema implies; predicts no acts of users."""

    name: ClassVar[str] = "act-rules"
    kinds: ClassVar[Kinds] = (NextActs,)

    def predict(
        self, questions: Questions, schemas: Schemas
    ) -> list[Prediction[tuple[ServiceAct, ...]]]:
        """Answer each question by the rules."""
        return read_logs(questions, schemas, _answer)


def _answer(question: Question[NextActs], log: DialogueLog) -> Prediction[tuple[ServiceAct, ...]]:
    acts = _next(log) if question.asked.agent == SYSTEM else ()
    return Prediction(tuple(ServiceAct(act, log.here) for act in acts))


def _next(log: DialogueLog) -> list[Act]:
    held, done = log.current, log.user.get(log.here, ())
    active = held.active
    if "GOODBYE" in done:
        return [Act("GOODBYE")]
    if active is not None and active.transactional and held.fresh:
        answers = _about("INFORM", held.item, held.requested)
        return [Act("NOTIFY_SUCCESS" if held.items else "NOTIFY_FAILURE"), *answers]
    if held.requested:
        return _about("INFORM", held.item, held.requested)
    if active is not None and {"INFORM", "INFORM_INTENT", "AFFIRM_INTENT"}.intersection(done):
        if held.missing:
            return [Act("REQUEST", (Argument(held.missing[0]),))]
        if active.transactional:
            return _about("CONFIRM", held.settled, held.settled)
        return _offer(held)
    if "REQUEST_ALTS" in done or held.fresh:
        return _offer(held)
    proposed = next(iter(proposals(held)), None) if "SELECT" in done else None
    return [Act("OFFER_INTENT", (Argument(INTENT, (proposed,)),)) if proposed else Act("REQ_MORE")]


def _offer(held: ServiceLog) -> list[Act]:
    """Return the acts that offer the next item, by slots whose values the user has not given.

    The first offer after a call also has the number of items; without items, the acts are those of
    a failure.
    """
    item, active = held.next_item, held.active
    if not item or active is None:
        return [Act("NOTIFY_FAILURE"), Act("REQ_MORE")]
    needed = {name for each in held.service.intents if each.transactional for name in each.required}
    new = [name for name in active.results if name not in held.known and name in item]
    first = sorted(new, key=lambda name: name not in needed)[:OFFERED]
    offers = _about("OFFER", item, first)
    if held.fresh and len(held.items) > 1:
        offers.append(Act("INFORM_COUNT", (Argument(COUNT, (str(len(held.items)),)),)))
    return offers


def _about(name: str, item: dict[str, Value], slots: Iterable[str]) -> list[Act]:
    return [Act(name, (Argument(slot, (item[slot],)),)) for slot in slots if slot in item]
