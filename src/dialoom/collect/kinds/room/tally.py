"""Counts the actions, replies and answering times of a dialogue when it is over.

tally(room.log)       # Tally(actions=("hotel_ask_name", "query_check", …), replies=6, …)
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Record, Role, Tally
from dialoom.dialogue import SYSTEM, Query, Selection, Utterance
from dialoom.dialogue.views import action


def tally(log: Iterable[Record], longest: float = math.inf) -> Tally:
    """Return the counts of a room's log.

    A step of more than `longest` ms between two records counts as an absence of the server and is
    not part of an answering time.
    """
    gaps: dict[Role, list[int]] = {USER_ROLE: [], WIZARD_ROLE: []}
    actions: list[str] = []
    topics: set[str] = set()
    replies = custom = 0
    task, agent, said, time, last = "", "", 0, 0, 0
    for record in log:
        body, step, last = record.body, record.time - last, record.time
        time += step if 0 <= step <= longest else 0
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
                gaps[WIZARD_ROLE if body.agent == SYSTEM else USER_ROLE].append(time - said)
            agent, said = body.agent, time
            replies += body.agent == SYSTEM
            custom += body.agent == SYSTEM and done is None
    return Tally(
        actions=tuple(actions),
        replies=replies,
        custom=custom,
        topics=tuple(sorted(topics)),
        gaps={role: tuple(found) for role, found in gaps.items()},
    )
