"""Counts the actions, replies and answering times of a dialogue when it is over.

tally(room.log)       # Tally(actions=("hotel_ask_name", "query_check", …), replies=6, …)
"""

from __future__ import annotations

from collections.abc import Iterable

from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Record, Role, Tally
from dialoom.dialogue import SYSTEM, Query, Selection, Utterance
from dialoom.dialogue.views import action


def tally(log: Iterable[Record]) -> Tally:
    """Return the counts of a room's log."""
    gaps: dict[Role, list[int]] = {USER_ROLE: [], WIZARD_ROLE: []}
    actions: list[str] = []
    topics: set[str] = set()
    replies = custom = 0
    task, agent, time = "", "", 0
    for record in log:
        body = record.body
        if isinstance(body, Selection):
            task = body.task or task
        if not isinstance(body, Utterance | Query):
            continue
        done = action(body)
        if done is not None:
            actions.append(done)
        if isinstance(body, Query) or body.agent == SYSTEM:
            topics.add(task)
        if isinstance(body, Utterance):
            if agent not in ("", body.agent):  # an answer to the other one
                gaps[WIZARD_ROLE if body.agent == SYSTEM else USER_ROLE].append(record.time - time)
            agent, time = body.agent, record.time
            replies += body.agent == SYSTEM
            custom += body.agent == SYSTEM and done is None
    return Tally(
        actions=tuple(actions),
        replies=replies,
        custom=custom,
        topics=tuple(sorted(topics)),
        gaps={role: tuple(found) for role, found in gaps.items()},
    )
