"""Suggestions for wizards, ranked in a thread so that the event loop does not wait."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from threading import Lock

from dialoom.collect.kinds.room.wizard.suggestions import Suggester
from dialoom.collect.message import Refused
from dialoom.collect.unit import SuggestionRequest
from dialoom.dialogue import Candidate
from dialoom.learn.text import encoders
from dialoom.schema.task import TaskSchema


class SuggestionRanker:
    """Ranks suggestions with one `Suggester` a task, made when it is first needed."""

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
