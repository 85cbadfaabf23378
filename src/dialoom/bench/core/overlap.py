"""A notice, before a run, of dialogues that are both learnt from and asked about."""

from __future__ import annotations

from dataclasses import replace

from dialoom.bench.core.protocol import Plan
from dialoom.dialogue import Event, Utterance, digest


def notice(known: int, asked: int) -> str:
    """Return the notice if `known` of the `asked` dialogues were learnt from."""
    return (
        f"{known:,} of the {asked:,} dialogues asked about were learnt from: these scores are no "
        "test of the model"
    )


def with_overlap(plan: Plan) -> Plan:
    """Return the plan with a notice where a hold-out asks about dialogues that it learns from.

    Dialogues are the same where their words are; those asked about once more on purpose, in a slice
    of their own, do not count.
    """
    known = asked = 0
    digests: dict[int, str] = {}

    def words(events: tuple[Event, ...]) -> str:
        """Return the digest of a dialogue's words (cached: its questions share its events)."""
        if id(events) not in digests:
            said = [event.text for event in events if isinstance(event, Utterance)]
            digests[id(events)] = digest(said)
        return digests[id(events)]

    for holdout in plan.holdouts:
        tested = {target.source: target.seen for target in holdout.test if not target.aside}
        # not by id: several training corpora may have dialogues with the same one
        learnt = {words(target.seen) for target in holdout.train}
        asked += len(tested)
        known += sum(words(events) in learnt for events in tested.values())
    if not known:
        return plan
    return replace(plan, notices=[*plan.notices, notice(known, asked)])
