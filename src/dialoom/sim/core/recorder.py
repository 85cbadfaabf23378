"""Writes down what happens in a simulated dialogue, as events.

recorder = Recorder()
recorder.utter(USER, "A table for two.", Part(acts=acts))
recorder.call("find", {"guests": "2"})
recorder.result(items)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    Constraint,
    Event,
    Layer,
    Part,
    Query,
    Result,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.event import Item


class Recorder:
    """Makes the events of one dialogue in their order.

    Attributes:
        events: What happened so far.
        time: Milliseconds of what happens next; None in corpora without times.
    """

    def __init__(self, time: int | None = None) -> None:
        self.events: list[Event] = []
        self.time = time
        self._calls = 0
        self._last = ""

    def utter(self, agent: str, text: str, *parts: Part) -> None:
        """Add an utterance, annotated by the parts if there are any."""
        layers = (Layer(GOLD, parts),) if parts else ()
        self.events.append(Utterance(agent=agent, text=text, time=self.time, layers=layers))

    def call(
        self,
        api: str,
        asked: Mapping[str, Value],
        *,
        name: str | None = None,
        service: str | None = None,
        agent: str = SYSTEM,
    ) -> None:
        """Add a call with values that must be met; its id is its number unless named."""
        self._calls += 1
        constraints = tuple([Constraint(slot, "equal", (v,)) for slot, v in asked.items()])
        self._last = name or str(self._calls)
        self.events.append(
            Query(
                id=self._last,
                api=api,
                constraints=constraints,
                service=service,
                agent=agent,
                time=self.time,
            )
        )

    def result(self, items: Iterable[Item]) -> None:
        """Add what the last call returned; before any call, what is known from the start."""
        self.events.append(Result(query=self._last, items=tuple(items)))
