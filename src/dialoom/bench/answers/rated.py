"""Texts of several systems side by side, as a study's stage of the kind `rating` takes them.

{"id": "1_00000-3", "context": [{"agent": "user", "text": "A table for two."}],
 "outputs": {"transformer": "What time?", "lstm": "I do not know."}}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from dialoom.bench.answers.matching import AnsweringSystem, place_of
from dialoom.bench.core.protocol import Plan, Target
from dialoom.dialogue import Choice, NextReply, Realise, Utterance
from dialoom.dialogue.question import kind_name
from dialoom.errors import UsageError

REFERENCE = "reference"
"""The name of the corpus's own reply among the systems."""


def rated(plan: Plan, systems: Sequence[AnsweringSystem], *, reference: bool = False) -> bytes:
    """Return a line for each question that all systems answered; `UsageError` without any.

    Args:
        reference: Whether the corpus's own reply is rated too.
    """
    if plan.kind not in (NextReply, Realise, Choice):
        raise UsageError(
            f"{plan.protocol}: people rate replies, not {kind_name(plan.kind)}", code="wrong-kind"
        )
    names = [system.name for system in systems] + [REFERENCE] * reference
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(
            f"two systems are named {twice[0]!r}; their names are those of the files", code="twice"
        )
    lines = list(_lines(plan, systems, reference))
    if not lines:
        raise UsageError(
            "there is no question that all systems answered with a text", code="mismatch"
        )
    return msgspec.json.Encoder().encode_lines(lines)


def _lines(
    plan: Plan, systems: Sequence[AnsweringSystem], reference: bool
) -> Iterator[dict[str, Any]]:
    names: set[str] = set()
    for holdout in plan.holdouts:
        for target in holdout.test:
            place = holdout.name, place_of(target)
            replies = {each.name: each.answers.get(place) for each in systems}
            texts = {
                name: _text(target, each.answer if each else None) for name, each in replies.items()
            }
            texts |= {REFERENCE: _text(target, target.gold)} if reference else {}
            name = f"{target.source}-{target.event}"
            if target.aside or name in names or not all(text.strip() for text in texts.values()):
                continue
            names.add(name)
            utterances = [e for e in target.seen[: target.position] if isinstance(e, Utterance)]
            context = [{"agent": each.agent, "text": each.text} for each in utterances]
            yield {"id": name, "context": context, "outputs": texts}


def _text(target: Target, answer: str | None) -> str:
    """Return the text of an answer, which may be the id of a candidate; empty without one."""
    if answer is not None and isinstance(target.asked, Choice):
        texts = {each.id: each.text for each in target.asked.candidates}
        answer = texts.get(answer)
    return answer or ""
