"""Simulates a self-dialogue: opening, questions, unavailable values, summary, end.

policy = OutlinePolicy(vertical, order, labels, lines, rng)
policy.run()
policy.recorder.events
"""

from __future__ import annotations

from collections.abc import Mapping

from dialoom.dialogue import SYSTEM, USER, Part
from dialoom.schema.template import Place
from dialoom.sim.core.grammar import Grammar
from dialoom.sim.core.recorder import Recorder
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.outline.labels import STATUS, Labels
from dialoom.sim.policies.outline.orders import Order
from dialoom.sim.policies.outline.verticals import Vertical

GIVEN = (0, 0, 1, 1, 2, 3)
"""Numbers of arguments that users give in the opening, drawn uniformly."""

CHOICES = 4
"""The assistant names two values along with one in so many questions."""

_NOTHING: Mapping[str, str] = {}


class OutlinePolicy:
    """Simulates one dialogue on the values of an order, with annotated segments."""

    def __init__(
        self, vertical: Vertical, order: Order, labels: Labels, lines: Grammar, rng: SeededRng
    ) -> None:
        self.vertical, self.order, self.labels = vertical, order, labels
        self.lines, self.rng = lines, rng
        self.recorder = Recorder()
        self._now = order.last | order.first
        self._text = ""
        self._places: list[Place] = []

    def run(self) -> None:
        """Simulate the whole dialogue."""
        given = self._open()
        for argument in self.vertical.asked:
            if argument in self.order.last:
                self._settle(argument, known=argument in given)
        self._sum_up()
        self._end()

    def _open(self) -> set[str]:
        if self.rng.once_in(3):
            self._add("greet")
            self._say(SYSTEM)
        wanted = [name for name in self.vertical.asked if name in self.order.last]
        given = {self.rng.choice(wanted) for _ in range(self.rng.choice(GIVEN))}
        self._add("open", {name: self._now[name] for name in wanted if name in given})
        self._say(USER)
        return given

    def _settle(self, argument: str, *, known: bool) -> None:
        """Agree on an available value for an argument."""
        if not known:
            if self.rng.once_in(2):
                self._add("ok")
            self._add(f"ask.{argument}")
            if argument in self.vertical.refused and self.rng.once_in(CHOICES):
                self._choices(argument)
            self._say(SYSTEM)
            self._answer(argument)
        if argument == self.order.trouble:
            self._add(f"refuse.{argument}", self._now)
            self._add("other")
            self._say(SYSTEM)
            self._answer(argument, changed=True)

    def _choices(self, argument: str) -> None:
        named = [self._now[argument]]
        named.append(self.rng.another(self.vertical.options(argument), named[0]))
        if self.rng.once_in(2):
            named.reverse()
        before = len(self._places)
        own = f"choices.{argument}"
        line = own if own in self.lines.symbols else "choices"
        self._add(line, dict(zip(("one", "two"), named, strict=True)))
        self._places[before:] = [Place(argument, p.start, p.end) for p in self._places[before:]]

    def _answer(self, argument: str, *, changed: bool = False) -> None:
        """Give a value; after a change, the last one in the place of the first."""
        if changed:
            self._now[argument] = self.order.last[argument]
        self._add(f"answer.{argument}", self._now)
        self._say(USER)

    def _sum_up(self) -> None:
        self._add("sum", self._now)
        self._add("right")
        self._say(SYSTEM)
        if self.order.mind:
            self._add("change")
            self._answer(self.order.mind, changed=True)
            self._add("noted")
        else:
            self._add("yes")
            self._say(USER)

    def _end(self) -> None:
        kind = "done" if self.order.success else "fail"
        self._add(kind, {STATUS: self.lines.phrase(f"{kind}.status", self.rng)})
        self._say(SYSTEM)
        self._add("thanks" if self.order.success else "pity")
        self._say(USER)
        if self.rng.once_in(2):
            self._add("bye")
            self._say(SYSTEM)

    def _add(self, line: str, values: Mapping[str, str] = _NOTHING) -> None:
        if self._text:
            self._text += " "
        at = len(self._text)
        said = self.lines.say(line, self.rng, values)
        self._text += said.text[0].upper() + said.text[1:]
        self._places += [Place(p.slot, at + p.start, at + p.end) for p in said.places]

    def _say(self, agent: str) -> None:
        """Record an utterance; without values it has no annotation, as in the published files."""
        spans = self.labels.spans(self._text, self._places)
        self.recorder.utter(agent, self._text, *((Part(spans=spans),) if spans else ()))
        self._text, self._places = "", []
