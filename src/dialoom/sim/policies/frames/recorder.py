"""Records the events of a dialogue about trips, with acts and frames.

The frames follow from the acts alone (dialogue/frames.py).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dialoom.dialogue import SYSTEM, USER, Act, Argument, Part, Reference
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.frames import READ, START, step
from dialoom.sim.core.grammar import Grammar, filled, tidy
from dialoom.sim.core.recorder import Recorder
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.frames.packages import Package
from dialoom.sim.policies.frames.travel import lines, side_of

API = "search"
"""The name of the search (formats/frames/searches.py)."""

REF, WRITE = "ref", "write"

MARKS = (".", "?", "!", ",", ":")
"""Marks after which a sentence may follow."""

PACE = 160
"""TypingRates time of a character, in milliseconds."""

PAUSE = 9_000
"""Exclusive upper limit of the pause before an utterance, in milliseconds."""

CURRENCIES = "sign", "usd", "tight"
"""Ways to write prices; a wizard keeps to one."""

REMEMBERED, DRAFTS = 8, 8
"""Number of latest texts that a new one does not begin like, and of drafts to choose from."""

_NOTHING: Mapping[str, Any] = {}


class Sentence(NamedTuple):
    """The acts and wording of one sentence."""

    act: Act
    text: str


def act(name: str, /, *arguments: Argument, **values: Value) -> Act:
    """Return an act with arguments, and with values of slots before them."""
    return Act(name, (*_arguments(values), *arguments))


def _arguments(values: Mapping[str, Value]) -> tuple[Argument, ...]:
    return tuple(Argument(slot, (value,)) for slot, value in values.items())


def about(*frames: int) -> Argument:
    """Return a reference to frames as a whole."""
    return Argument(REF, references=tuple(map(Reference, frames)))


def saying(key: str, content: Mapping[int, Mapping[str, Value]]) -> Argument:
    """Return a reference to frames with the content on each."""
    pairs = content.items()
    return Argument(key, references=tuple(Reference(n, _arguments(facts)) for n, facts in pairs))


def reading(frame: int, /, **values: Value) -> Argument:
    """Return a reference to the frame that something comes from."""
    return saying(READ, {frame: values})


def writing(frame: int, values: Mapping[str, Value]) -> Argument:
    """Return a reference to the frame that values go into."""
    return saying(WRITE, {frame: values})


class FramesRecorder(Recorder):
    """Records a dialogue about trips with its frames.

    `rng` chooses among the texts of a line, and draws delays. The dialogue begins at `time`, in
    milliseconds since 1970. `alone` is True for a user who never says "we". `state` has the current
    frames.
    """

    def __init__(self, rng: SeededRng, time: int, *, alone: bool = False) -> None:
        super().__init__(time)
        self.state = START
        self._rng = rng
        self._habits = {
            USER: {} if alone else {"company": ""},
            SYSTEM: {rng.choice(CURRENCIES): ""},
        }
        self._latest: deque[str] = deque(maxlen=REMEMBERED)
        self._turns = self._searches = 0

    @property
    def active(self) -> int:
        """The number of the active frame."""
        return self.state.active

    @property
    def next(self) -> int:
        """The number that the next frame will have."""
        return len(self.state.frames) + 1

    def line(self, name: str, values: Mapping[str, Any] = _NOTHING, before: str = "") -> str:
        """Draw a text of a line; it begins with a capital unless `before` ends in a comma."""
        side = side_of(name)
        words = _worded(values) | self._habits[side]
        template = tidy(self._fresh(lines(side), name, words))
        if before.endswith(",") and not template.startswith(("I ", "I'")):
            return filled(f"{template[0].lower()}{template[1:]}", words).text
        return tidy(filled(template, words).text)

    def phrase(self, name: str, values: Mapping[str, Any] = _NOTHING) -> str:
        """Return one of the texts of a line that is a part of a sentence."""
        return self.phrases(name, values)[0]

    def phrases(self, name: str, *each: Mapping[str, Any]) -> list[str]:
        """Return one of the texts of a line that is a part of a sentence, for several values."""
        side = side_of(name)
        wordings = [_worded(values) | self._habits[side] for values in each]
        text = self._fresh(lines(side), name, wordings[0])
        return [filled(text, values).text for values in wordings]

    def _fresh(self, grammar: Grammar, name: str, words: Mapping[str, str]) -> str:
        """Draw a text of a line whose beginning is new, or else was used longest ago."""
        drafts = [grammar.phrase(name, self._rng, words) for _ in range(DRAFTS)]
        places = {start: place for place, start in enumerate(self._latest, 1)}
        ages = [places.get(_start(draft), 0) for draft in drafts]
        fresh = [draft for draft, age in zip(drafts, ages, strict=True) if age == min(ages)]
        text = fresh[grammar.chosen([*map(tidy, fresh)], self._rng)]
        self._latest.append(_start(text))
        return text

    def said(
        self, act: Act, name: str, values: Mapping[str, Any] = _NOTHING, before: str = ""
    ) -> Sentence:
        """Return an act with one of the texts of a line."""
        return Sentence(act, self.line(name, values, before))

    def say(self, agent: str, *sentences: Sentence) -> None:
        """Record an utterance of several sentences, and the frames after it."""
        acts = tuple(each.act for each in sentences)
        text = joined([each.text for each in sentences if each.text])
        self.state = step(self.state, agent, acts)
        self._pass(len(text) * PACE)
        frames, active = self.state.frames, self.state.active
        self.utter(agent, text, Part(acts=acts, frames=frames, active_frame=active))
        self._turns += 1
        self._searches = 0

    def search(self, fields: Mapping[str, Value], packages: Iterable[Package]) -> None:
        """Record a search that the wizard makes before they say something."""
        self._pass(0)
        self.call(API, fields, name=f"{self._turns}.{self._searches}")
        self._searches += 1
        self.result(package.item for package in packages)

    def _pass(self, typing: int) -> None:
        self.time = (self.time or 0) + typing + self._rng.below(PAUSE)


def joined(sentences: Sequence[str]) -> str:
    """Return sentences as one text; those before the last end with a mark."""
    *before, last = sentences
    return " ".join([*(each if each.endswith(MARKS) else f"{each}." for each in before), last])


def _start(text: str) -> str:
    return " ".join(text.lower().split()[:2])


def _worded(values: Mapping[str, Any]) -> dict[str, str]:
    texts = {name: str(value) for name, value in values.items()}
    if "category" in texts:
        texts["stars"] = texts["category"].removesuffix(".0")
    if texts.get("n_adults") == "1":
        del texts["n_adults"]
        texts["alone"] = ""
    return texts
