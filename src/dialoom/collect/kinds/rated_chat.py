"""Turns talks with an agent, and people's ratings of them, into dialogues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.room.questions import COMMENT
from dialoom.collect.log.facts import ChatFailed, ChatJudged
from dialoom.dialogue import USER, Answer, Capability, Dialogue, Event, Scenario, Utterance
from dialoom.dialogue.annotation import RATING
from dialoom.play.judging.verdict import NO_RESULT

REACHED = "reached"
"""The id of the question whether the person reached their goal."""

FAILURE = "failure"
"""The key of a dialogue's `extra` with the reason why its agent failed to answer."""

GOOD = "good."
"""Prefix of the part that rates an utterance; its number among the utterances follows."""


def chat_dialogue(
    id: str,
    task: str,
    events: Sequence[Event],
    rated: Mapping[str, Any],
    judged: ChatJudged | None,
    failed: ChatFailed | None = None,
) -> Dialogue:
    """Return a talk with an agent as a dialogue.

    Args:
        rated: The parts that the person saved (kinds/bot.py); others are ignored.
        judged: The database's verdict; None where there is none.
        failed: The failure of the agent, after which ratings and verdict do not count.
    """
    extra: dict[str, Any] = {"play": judged.verdict} if judged and judged.verdict else {}
    parts = {RATING: "rating", REACHED: REACHED, COMMENT: "comment"}
    if failed is not None:
        parts, judged, extra = {COMMENT: "comment"}, None, {FAILURE: failed.what}
    judgement = judged or ChatJudged(outcome=None, scenario={}, verdict={})
    about = Scenario(capabilities=(Capability(task),))
    return Dialogue(
        id=id,
        events=tuple(_rated(events, rated)),
        scenario=msgspec.convert(judgement.scenario, Scenario) if judgement.scenario else about,
        outcome=judgement.outcome if failed is None else NO_RESULT,
        answers=tuple(
            Answer(USER, name, rated[part]) for name, part in parts.items() if part in rated
        ),
        provenance="collected",
        extra=extra,
    )


def _rated(events: Sequence[Event], rated: Mapping[str, Any]) -> Iterator[Event]:
    turn = 0
    for event in events:
        if isinstance(event, Utterance):
            good, turn = f"{GOOD}{turn}", turn + 1
            event = replace(event, extra={"good": rated[good]}) if good in rated else event
        yield event
