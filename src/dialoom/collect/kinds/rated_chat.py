"""Turns talks with an agent, and people's ratings of them, into dialogues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.room.questions import COMMENT
from dialoom.collect.log.chat import ChatFailed, ChatJudged, ChatRated
from dialoom.dialogue import USER, Answer, Capability, Dialogue, Event, Scenario
from dialoom.dialogue.annotation import RATING
from dialoom.play.judging.verdict import NO_RESULT

REACHED = "reached"
"""The id of the question whether the person reached their goal."""

FAILURE = "failure"
"""The key of a dialogue's `extra` with the reason why its agent failed to answer."""


def chat_dialogue(
    id: str,
    task: str,
    events: Sequence[Event],
    good: Mapping[int, bool],
    rated: ChatRated | None,
    judged: ChatJudged | None,
    failed: ChatFailed | None = None,
) -> Dialogue:
    """Return a talk with an agent as a dialogue.

    Args:
        good: Index of an event to whether the person found the agent's utterance good.
        rated: The person's rating; None where there is none.
        judged: The database's verdict; None where there is none.
        failed: The failure of the agent, after which ratings and verdict do not count.
    """
    rated_events = [
        replace(event, extra={"good": good[at]}) if at in good else event
        for at, event in enumerate(events)
    ]
    held = rated or ChatRated()
    extra: dict[str, Any] = {"play": judged.verdict} if judged and judged.verdict else {}
    if failed is not None:
        held, judged, extra = ChatRated(comment=held.comment), None, {FAILURE: failed.what}
    answers = {RATING: held.rating, REACHED: held.reached, COMMENT: held.comment}
    about = Scenario(capabilities=(Capability(task),))
    known = judged or ChatJudged(outcome=None, scenario={}, verdict={})
    return Dialogue(
        id=id,
        events=tuple(rated_events),
        scenario=msgspec.convert(known.scenario, Scenario) if known.scenario else about,
        outcome=known.outcome if failed is None else NO_RESULT,
        answers=tuple(Answer(USER, name, v) for name, v in answers.items() if v is not None),
        provenance="collected",
        extra=extra,
    )
