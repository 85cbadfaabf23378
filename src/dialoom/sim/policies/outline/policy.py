"""Simulates a self-dialogue: opening, questions, unavailable values, summary, end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dialoom.dialogue import SYSTEM, USER, Part
from dialoom.schema.template import Place
from dialoom.sim.core.grammar import Grammar
from dialoom.sim.core.recorder import Recorder
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.outline.labels import STATUS, Labels, Order
from dialoom.sim.policies.outline.verticals import Vertical

GIVEN = (0, 0, 1, 1, 2, 3)
"""Numbers of arguments that users give in the opening, drawn uniformly."""

ACKNOWLEDGED = 3
"""The assistant acknowledges ("sure") before one in this many questions.

After a question of the user it always does; otherwise never in two turns running.
"""

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
        self._text = self._heard = ""
        self._acknowledged = False
        self._places: list[Place] = []

    def run(self) -> None:
        """Simulate the whole dialogue."""
        arguments = self._open()
        for argument in self.vertical.asked:
            if argument in self.order.last:
                self._settle(argument, known=argument in arguments)
        self._sum_up()
        self._end()

    def _open(self) -> set[str]:
        greeted = self.rng.once_in(3)
        if greeted:
            self._add("greet")
            self._say(SYSTEM)
        needs = [name for name in self.vertical.asked if name in self.order.last]
        picks = {self.rng.choice(needs) for _ in range(self.rng.choice(GIVEN))}
        picks |= {name for each in picks if (name := self._owner(each, needs))}
        marks = {} if greeted else {"first": ""}
        self._add("open", {name: self._now[name] for name in needs if name in picks} | marks)
        self._say(USER)
        return picks

    @staticmethod
    def _owner(argument: str, needs: Sequence[str]) -> str:
        kind, _, thing = argument.partition(".")
        name = f"name.{thing}"
        owned = kind == "location" and name in needs
        return name if owned and needs.index(name) < needs.index(argument) else ""

    def _settle(self, argument: str, *, known: bool) -> None:
        if not known:
            self._acknowledge()
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

    def _acknowledge(self) -> None:
        is_query = self._heard.endswith("?")
        self._acknowledged = is_query or (not self._acknowledged and self.rng.once_in(ACKNOWLEDGED))
        if self._acknowledged:
            self._add("agreed" if is_query else "ok")

    def _choices(self, argument: str) -> None:
        pair = [self._now[argument]]
        pair.append(self.rng.another(self.vertical.options(argument), pair[0]))
        if self.rng.once_in(2):
            pair.reverse()
        own = f"choices.{argument}"
        line = own if own in self.lines.symbols else "choices"
        self._add(line, dict(zip(("one", "two"), pair, strict=True)), argument)

    def _answer(self, argument: str, *, changed: bool = False) -> None:
        if changed:
            self._now[argument] = self.order.last[argument]
        self._add(f"answer.{argument}", self._now)
        self._say(USER)

    def _sum_up(self) -> None:
        self._add("sum", self._now)
        self._add("right")
        self._say(SYSTEM)
        if self.order.mind:
            self._change(self.order.mind)
        else:
            self._add("yes")
            self._say(USER)

    def _change(self, argument: str) -> None:
        swap = {"value": self.order.last[argument], "old": self._now[argument]}
        self._now[argument] = swap["value"]
        self._add("swap", swap, argument)
        self._say(USER)
        self._add("noted", {"value": swap["value"]}, argument)

    def _end(self) -> None:
        kind = "done" if self.order.success else "fail"
        self._add(kind, {STATUS: self.lines.phrase(f"{kind}.status", self.rng)})
        self._say(SYSTEM)
        self._add("thanks" if self.order.success else "pity")
        self._say(USER)
        if self.rng.once_in(2):
            self._add("bye")
            self._say(SYSTEM)

    def _add(self, line: str, values: Mapping[str, str] = _NOTHING, argument: str = "") -> None:
        """Add a line; all its values are those of an argument, if one is given."""
        if self._text:
            self._text += " "
        at = len(self._text)
        speech = self.lines.say(line, self.rng, values)
        self._text += speech.text[0].upper() + speech.text[1:]
        places = (place for place in speech.places if place.start < place.end)
        self._places += [Place(argument or p.slot, at + p.start, at + p.end) for p in places]

    def _say(self, agent: str) -> None:
        """Record an utterance; without values it has no annotation, as in the published files."""
        spans = self.labels.spans(self._text, self._places)
        self.recorder.utter(agent, self._text, *((Part(spans=spans),) if spans else ()))
        self._heard = self._text if agent == USER else ""
        self._text, self._places = "", []
