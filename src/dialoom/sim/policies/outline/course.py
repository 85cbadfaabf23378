"""How a self-dialogue goes: an opening, questions, what is not available, a summary, the end.

course = FlowRunner(vertical, lines, order, rng)
course.run()
course.turns                    # (agent, text, mentions) in order
"""

from __future__ import annotations

from typing import NamedTuple

from dialoom.dialogue import SYSTEM, USER
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.outline.labels import STATUS
from dialoom.sim.policies.outline.order import Mention, Order, another, fill
from dialoom.sim.policies.outline.wording import Lines, Vertical

GIVEN = (0, 0, 1, 1, 2, 3)
"""Arguments that users give at first, as often as each number occurs."""

CHOICES = 4
"""Once in so many times the assistant names two values along with a question."""


class Turn(NamedTuple):
    """One utterance.

    Attributes:
        agent: Who speaks.
        text: What they say.
        mentions: The values in it.
    """

    agent: str
    text: str
    mentions: tuple[Mention, ...]


class FlowRunner:
    """The way one dialogue takes.

    Args:
        vertical: What it is about.
        lines: How that is said.
        order: What the user wants.
        rng: What is drawn.
    """

    def __init__(self, vertical: Vertical, lines: Lines, order: Order, rng: SeededRng) -> None:
        self.vertical, self.lines, self.order, self.rng = vertical, lines, order, rng
        self.turns: list[Turn] = []
        self._now = order.last | order.first
        self._text = ""
        self._mentions: list[Mention] = []

    def run(self) -> None:
        """Have the whole dialogue."""
        given = self._open()
        for argument in self.vertical.asked:
            if argument in self.order.last:
                self._settle(argument, known=argument in given)
        self._sum_up()
        self._end()

    def _open(self) -> set[str]:
        """Say what it is about, and give some of the arguments; return which."""
        if self.rng.once_in(3):
            self._add("greet")
            self._say(SYSTEM)
        wanted = [name for name in self.vertical.asked if name in self.order.last]
        many = self.rng.choice(GIVEN)
        given = {self.rng.choice(wanted) for _ in range(many)}
        if self.rng.once_in(2):
            self._add("hello")
        self._add("open")
        self._parts([name for name in wanted if name in given])
        self._say(USER)
        return given

    def _settle(self, argument: str, *, known: bool) -> None:
        """Get a value for an argument that is available."""
        if not known:
            self._maybe("ok")
            self._add(f"ask.{argument}")
            if argument in self.vertical.refused and self.rng.once_in(CHOICES):
                self._choices(argument)
            self._say(SYSTEM)
            self._add(f"answer.{argument}", {argument: self._now[argument]})
            self._say(USER)
        if argument == self.order.trouble:
            self._add(f"refuse.{argument}", {argument: self._now[argument]})
            self._add("other")
            self._say(SYSTEM)
            self._change(argument)

    def _choices(self, argument: str) -> None:
        """Name two values, the one that will be taken among them."""
        named = [self._now[argument]]
        named.append(another(self.vertical.options(argument), named[0], self.rng))
        if self.rng.once_in(2):
            named.reverse()
        before = len(self._mentions)
        self._add("choices", dict(zip(("one", "two"), named, strict=True)))
        self._mentions[before:] = [
            mention._replace(argument=argument) for mention in self._mentions[before:]
        ]

    def _change(self, argument: str) -> None:
        """Give the last value in the place of the first."""
        self._now[argument] = self.order.last[argument]
        self._add(f"answer.{argument}", {argument: self._now[argument]})
        self._say(USER)

    def _sum_up(self) -> None:
        """Say it all again, and have it confirmed or changed."""
        self._add("sum")
        self._parts([name for name in self.vertical.asked if name in self._now])
        self._add("right")
        self._say(SYSTEM)
        if not self.order.mind:
            self._add("yes")
            self._say(USER)
            return
        self._add("change")
        self._change(self.order.mind)
        self._add("noted")

    def _end(self) -> None:
        """Order or book, and part."""
        kind = "done" if self.order.success else "fail"
        status, _ = fill(self.rng.choice(self.lines[f"{kind}.status"]), {})
        self._add(kind, {STATUS: status})
        self._say(SYSTEM)
        self._add("thanks" if self.order.success else "pity")
        self._say(USER)
        if self.rng.once_in(2):
            self._add("bye")
            self._say(SYSTEM)

    def _parts(self, names: list[str]) -> None:
        """Go on with a sentence: its constraints one after another, and a full stop."""
        for name in names:
            self._add(f"part.{name}", {name: self._now[name]}, glue="")
        self._text += "."

    def _maybe(self, line: str) -> None:
        if self.rng.once_in(2):
            self._add(line)

    def _add(self, line: str, values: dict[str, str] | None = None, glue: str = " ") -> None:
        """Add one of the texts of a line to what is being said."""
        if self._text:
            self._text += glue
        at = len(self._text)
        text, mentions = fill(self.rng.choice(self.lines[line]), values or {}, at)
        self._text += text[0].upper() + text[1:] if not at or glue else text
        self._mentions += mentions

    def _say(self, agent: str) -> None:
        self.turns.append(Turn(agent, self._text, tuple(self._mentions)))
        self._text, self._mentions = "", []
