"""Texts of several systems side by side, as a study's stage of the kind `rating` takes them.

{"id": "1_00000-3", "context": [{"agent": "user", "text": "A table for two."}],
 "outputs": {"transformer": "What time?", "lstm": "I do not know."}}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from dialoom.bench.answers.matching import AnsweringSystem, place_of
from dialoom.bench.core.protocol import Plan
from dialoom.dialogue import NextReply, Realise, Utterance
from dialoom.dialogue.question import kind_name
from dialoom.errors import UsageError


def rated(plan: Plan, systems: Sequence[AnsweringSystem]) -> bytes:
    """Return a line for each question that all systems answered; `UsageError` without any."""
    if plan.kind not in (NextReply, Realise):
        raise UsageError(f"{plan.protocol}: people rate replies, not {kind_name(plan.kind)}")
    names = [system.name for system in systems]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"two files are named {twice[0]!r}; their names are those of the systems")
    lines = list(_lines(plan, systems))
    if not lines:
        raise UsageError("there is no question that all systems answered with a text")
    return msgspec.json.Encoder().encode_lines(lines)


def _lines(plan: Plan, systems: Sequence[AnsweringSystem]) -> Iterator[dict[str, Any]]:
    seen: set[str] = set()
    for holdout in plan.holdouts:
        for target in holdout.test:
            place = holdout.name, place_of(target)
            given = {each.name: each.answers.get(place) for each in systems}
            outputs = {name: each.answer for name, each in given.items() if each is not None}
            name = f"{target.source}-{target.event}"
            texts = [text for text in outputs.values() if text.strip()]
            if target.aside or name in seen or len(texts) < len(systems):
                continue
            seen.add(name)
            said = [e for e in target.seen[: target.position] if isinstance(e, Utterance)]
            context = [{"agent": each.agent, "text": each.text} for each in said]
            yield {"id": name, "context": context, "outputs": outputs}
