"""Suggests replies to a wizard: ranks a task's replies for the typed text and fills them in.

Replies are ranked by `dialoom.models.suggester`, whose weights were learnt from STAR's wizards. The
text of a reply is its most similar template for which all values are known, from the item or from
what the user said. A reply without such a template is left out, so that no placeholder is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from threading import Lock
from typing import Any

import numpy as np

from dialoom.collect.kinds.room.wizard.filling import Filler
from dialoom.collect.message import Refused
from dialoom.collect.unit import SuggestionRequest
from dialoom.dialogue import Candidate
from dialoom.dialogue.event import Item
from dialoom.learn.text import Encoder, TfidfEncoder, encoders
from dialoom.models.suggester import ReplyTexts, weighed
from dialoom.schema.task import TaskSchema


class Suggester:
    """Ranks the replies of one task; fitted once, then used from any thread."""

    def __init__(self, task: TaskSchema, encoder: Encoder | None = None) -> None:
        self.task = task
        self._filler = Filler(task)
        self._replies = ReplyTexts(task, encoder or TfidfEncoder())

    def rank(
        self,
        text: str,
        item: Item | None = None,
        count: int = 3,
        facts: Mapping[str, Any] = {},
        likely: Collection[str] = (),
    ) -> tuple[Candidate, ...]:
        """Return the best replies, best first; `likely` are the next actions in the flow."""
        replies = self._replies
        if not replies.texts:
            return ()
        similarity = replies.similarity([text])[0]
        scores = weighed(replies.features(similarity, likely, item))
        candidates: list[Candidate] = []
        for place in np.argsort(-scores, kind="stable"):
            filled = self._said(int(place), similarity, item or {}, facts)
            if filled is not None:
                candidates.append(Candidate(replies.actions[place], filled))
            if len(candidates) == count:
                break
        return tuple(candidates)

    def _said(
        self, place: int, similarity: Any, item: Item, facts: Mapping[str, Any]
    ) -> str | None:
        """Return the most similar template of a reply that can be filled, filled; else None."""
        texts = [
            (-similarity[number], number, template)
            for number, (owner, template) in enumerate(self._replies.templates)
            if owner == place
        ]
        node = self.task.flow.nodes.get(self._replies.actions[place])
        for _, _, template in sorted(texts, key=lambda entry: entry[:2]):
            filled = self._filler.fill(template, item, facts, node)
            if filled is not None:
                return filled
        return None


class SuggestionRanker:
    """Ranks suggestions in a thread, with a `Suggester` for each task once it is needed."""

    def __init__(self, tasks: Mapping[str, TaskSchema], encoder: str = "tfidf") -> None:
        self._tasks = tasks
        self._encoder = encoders.get(encoder)
        self._encoder()  # reports a missing library now and not to a wizard
        self._suggesters: dict[str, Suggester] = {}
        self._lock = Lock()

    async def rank(self, request: SuggestionRequest) -> tuple[Candidate, ...]:
        """Return the suggested replies for a request, the best first."""
        return await asyncio.to_thread(self._ranked, request)

    def _ranked(self, request: SuggestionRequest) -> tuple[Candidate, ...]:
        with self._lock:  # one thread is enough: a ranking takes about a millisecond
            suggester = self._suggesters.get(request.task)
            if suggester is None:
                task = self._tasks.get(request.task)
                if task is None:
                    raise Refused("unknown", f"there is no task {request.task!r}")
                suggester = self._suggesters[request.task] = Suggester(task, self._encoder())
            return suggester.rank(
                request.text, request.item, request.count, request.known, request.likely
            )
