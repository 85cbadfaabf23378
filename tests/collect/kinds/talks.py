"""What a bot of a study says, and the verdict on a talk with it."""

from __future__ import annotations

from dialoom.collect.log.facts import ChatJudged
from dialoom.collect.log.record import Body
from dialoom.dialogue import SYSTEM, Query, Result, Utterance
from tests.collect.documents import Documents

ANSWER = (Query(id="1", api="weather"), Result(query="1"), Utterance(agent=SYSTEM, text="Sunny."))


JUDGED = ChatJudged(outcome="reached", scenario={}, verdict={"reached": True, "goal": 0})


def bring(played: Documents, *bodies: Body, unit: int = 1) -> None:
    """Let the server answer."""
    played.take(played.study.answer(unit, bodies, played.now))
