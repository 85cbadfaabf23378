"""Records the events of a simulated dialogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dialoom.dialogue import GOLD, SYSTEM, Constraint, Event, Layer, Part, Query, Result, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.event import Item


class Recorder:
    """Records one dialogue; `time` of the next event is in ms, None in corpora without times."""

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
        inputs: Mapping[str, Value],
        *,
        name: str | None = None,
        service: str | None = None,
        agent: str = SYSTEM,
    ) -> None:
        """Add a call with an `equal` constraint for each value.

        `inputs` maps inputs to values, `name` is the id of the call, by default its number from 1,
        `service` its service, `agent` the caller.
        """
        self._calls += 1
        constraints = tuple([Constraint(slot, "equal", (v,)) for slot, v in inputs.items()])
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
        """Add the result of the last call; before any call, the initial items."""
        self.events.append(Result(query=self._last, items=tuple(items)))
