"""Dialogues that are both learnt from and asked about, told before a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dialoom.bench.core.protocol import Plan, Target
from dialoom.dialogue import Utterance, digest


def notice(known: int, asked: int) -> str:
    """Return what is told where `known` of the `asked` dialogues were learnt from."""
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
    for holdout in plan.holdouts:
        tested = _words(target for target in holdout.test if not target.aside)
        learnt = set(_words(holdout.train).values())
        asked += len(tested)
        known += sum(words in learnt for words in tested.values())
    if not known:
        return plan
    return replace(plan, notices=[*plan.notices, notice(known, asked)])


def _words(targets: Iterable[Target]) -> dict[str, str]:
    """Return dialogue to the digest of its words."""
    seen = {target.source: target.seen for target in targets}
    return {
        source: digest([event.text for event in events if isinstance(event, Utterance)])
        for source, events in seen.items()
    }
