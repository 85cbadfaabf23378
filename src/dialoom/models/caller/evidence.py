"""Candidate values of each parameter of a task's calls, with their sources in the dialogue.

They are mentions, answers, values of calls and results, runs of content words, and times a duration
later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from dialoom.dialogue import USER, Constraint, Event, Query, Result, Selection, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.constraint import canonical
from dialoom.flow.action_view import ActionView, view_actions
from dialoom.models.caller.tracked import linked
from dialoom.reading.tracker import SlotTracker
from dialoom.schema.lexicon import Lexicon, cues, lexicon, words
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import TEXTS, Kind, Mention, find, kind, minute_of, parse, samples
from dialoom.schema.values.numbers import readings
from dialoom.schema.values.text import text_of

LONGEST = 6
"""Most words of a phrase."""

_DAY = 24 * 60
"""Minutes of a day, after which times begin again."""

_NO_ROUND = 10**6
"""More days than any slot lists: dates do not begin again."""

_CLOCK = Slot(name="time", type="time")
_TOKEN = re.compile(r"[^\s,;:!?\"()]+")


@lru_cache(maxsize=8)
def _function_words(language: str) -> frozenset[str]:
    spoken = lexicon(language)
    words = {*spoken.stop, *spoken.verbs, *spoken.common, *spoken.articles, *spoken.links}
    return frozenset(words | {*spoken.places, *spoken.yes, *spoken.no, *spoken.courtesies})


def phrases(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of runs of content words, and of two runs that "and" joins."""
    joint = lexicon(language).last.strip()
    runs: list[tuple[int, int]] = []
    start = end = -1
    for match in _TOKEN.finditer(text):
        word = match[0].rstrip(".").casefold()
        function = word in _function_words(language)
        if start >= 0 and (function or text[end : match.start()].strip()):
            runs.append((start, end))
            start = -1
        if not function:
            start = match.start() if start < 0 else start
            end = match.start() + len(match[0].rstrip("."))
            if match[0].endswith(".") and len(word) > 2:
                runs.append((start, end))
                start = -1
    if start >= 0:
        runs.append((start, end))
    for number, (first, last) in enumerate(runs):
        if len(text[first:last].split()) <= LONGEST:
            yield first, last
        if number and text[runs[number - 1][1] : first].strip().casefold() == joint:
            yield runs[number - 1][0], last


def durations(text: str, language: str) -> dict[str, int]:
    """Return kind of value ("time", "date") to the duration in a text, in minutes or days."""
    spoken = lexicon(language)
    lengths: dict[str, int] = {}
    for reading in readings(text_of(text, language)):
        after = words(text[reading.end :])[:1]
        lengths |= _lasting(spoken, after, reading.number)
    for article, unit in zip(words(text), words(text)[1:], strict=False):
        if article in spoken.articles[1:]:
            lengths = _lasting(spoken, [unit], 1) | lengths
    return lengths


def _lasting(spoken: Lexicon, after: list[str], number: float) -> dict[str, int]:
    return {
        kind: int(number * units[after[0]])
        for kind, units in spoken.durations.items()
        if after and after[0] in units
    }


class Later:
    """Adds durations to the values of a slot of times (by steps of a day) or dates (in order)."""

    def __init__(self, slot: Slot, kind: str, language: str) -> None:
        self.kind, values = kind, list(samples(slot))
        if kind == "time":
            minutes = [minute_of(str(parse(_CLOCK, str(value), language))) for value in values]
            self._places: Mapping[Value, int] = {
                value: minute
                for value, minute in zip(values, minutes, strict=True)
                if minute is not None
            }
            self._round = _DAY
        else:
            self._places = {value: place for place, value in enumerate(values)}
            self._round = _NO_ROUND
        self._values = {place: value for value, place in self._places.items()}

    def after(self, value: Value, lasting: int) -> Value:
        """Return the value that is so many minutes or days after another, or None."""
        if value not in self._places:
            return None
        return self._values.get((self._places[value] + lasting) % self._round)


NEAR = 5
"""Words kept before and after a mention, as its context."""


class Hit(NamedTuple):
    """One mention of a value by the user.

    `confidence` is that of `values.find`, 0 to 1; `asked` is the parameter whose question the
    utterance answers; `capital` is True if it begins with a capital.
    """

    turn: int
    start: int
    end: int
    confidence: float
    asked: str | None
    order: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    share: float
    capital: bool


@dataclass(slots=True)
class Proposal:
    """Candidate values of a parameter, with their sources.

    Attributes:
        form: "one" (one or those of a call), "next" (the last call's number plus one), "later"
            (another value plus a duration that was said), "phrase" (any run of content words),
            "constant" (a truth value, which is a candidate without being mentioned).
        said: Mentions by the user, the last one last.
        stated: Number of mentions by the system.
        answered: The last utterance that answered the parameter's question with it; -1 for none.
        queried: The constraint of the task's last call that gave it; None for none.
        elsewhere: Whether a call of another task gave it to a parameter of the same name.
        returned: Whether the last result has it in the column of the parameter's name.
    """

    values: tuple[Value, ...]
    form: str = "one"
    said: list[Hit] = field(default_factory=list)
    stated: int = 0
    answered: int = -1
    queried: Constraint | None = None
    elsewhere: bool = False
    returned: bool = False

    @property
    def last(self) -> int:
        """The user's last utterance with the value; -1 for none."""
        return max(self.said[-1].turn if self.said else -1, self.answered)


def key_of(values: Sequence[Value]) -> frozenset[str]:
    """Return the key by which values are compared: their canonical forms, in any order."""
    return canonical(Constraint("", "one_of", tuple(values)))[1]


class CallPlan:
    """A task prepared for reading dialogues, with its parameters and their kinds of values."""

    def __init__(self, task: TaskSchema) -> None:
        self.task = linked(task)
        self.program: ActionView = view_actions(task)
        self.language = task.language
        self.parameters: Mapping[str, Slot] = {p.name: p for p in self.program.parameters}
        self.kinds = {p.name: kind(p, self.language) for p in self.program.parameters}
        self.slot_of = {each.name: each.slot for each in task.call_inputs if each.slot is not None}
        self.named = {slot: name for name, slot in self.slot_of.items()}
        self.texts = [p for p in self.program.parameters if p.type in TEXTS]
        # times and dates that follow another one, such as the end of a stay
        self.later: dict[str, Later] = {}
        past: set[Kind] = set()
        for name, what in self.kinds.items():
            if what in ("time", "date") and what in past:
                self.later[name] = Later(self.parameters[name], what, self.language)
            past.add(what)


class Evidence:
    """Collects candidate values for the parameters of one task from one dialogue.

    Attributes:
        asked: The parameter that the system's last utterance asked for; None for none.
        unsure: Parameters whose question the user answered with uncertainty.
        user: The user's text since the system's last utterance.
        cues: Cues of that text, such as "yes" or "change".
        item: The first item of the last result; None if it was empty.
        selected: The turn in which the wizard last turned to a task or an item.
        since: Number of the user's utterances since the system's last one.
    """

    def __init__(self, plan: CallPlan) -> None:
        self.plan = plan
        self.tracker = SlotTracker(plan.task)
        self.turn = 0
        self.asked: str | None = None
        self.asks: dict[str, int] = {}
        self.unsure: set[str] = set()
        self.user = ""
        self.cues: Mapping[str, bool] = cues("", plan.language)
        self.made: list[Query] = []
        self.item: Mapping[str, Any] | None = None
        self.items = 0
        self.selected = 0
        self.since = 0
        self._held: dict[str, dict[frozenset[str], Proposal]] = {
            name: {} for name in plan.parameters
        }
        self._lasting: dict[str, int] = {}
        self._recent: dict[str, list[Value]] = {}
        for slot in plan.parameters.values():
            if plan.kinds[slot.name] == "boolean":
                for value in samples(slot):
                    self._put(slot.name, (value,), "constant")

    def observe(self, event: Event) -> None:
        """Read the next event."""
        self.tracker.observe(event)
        if isinstance(event, Utterance):
            (self._hear if event.agent == USER else self._say)(event)
            self.turn += 1
        elif isinstance(event, Query):
            self._query(event)
        elif isinstance(event, Result):
            self._return(event)
        elif isinstance(event, Selection):
            self.selected = self.turn

    def proposals(self, name: str) -> list[Proposal]:
        """Return the candidate values of a parameter, in the order in which they came up."""
        return list(self._held[name].values())

    def last_call(self, api: str) -> Query | None:
        """Return the last call of an API, or None."""
        return next((query for query in reversed(self.made) if query.api == api), None)

    def _put(self, name: str, values: Sequence[Value], form: str = "one") -> Proposal:
        proposals = self._held[name]
        key = key_of(values)
        if key not in proposals:
            proposals[key] = Proposal(tuple(values), form)
        elif form == "one":  # a value that is said replaces the weaker form that it first had
            proposals[key].form = form
        return proposals[key]

    def _hear(self, event: Utterance) -> None:
        text = event.text.replace("’", "'")
        self.user = f"{self.user} {text}" if self.since else text
        self.since += 1
        self.cues = cues(self.user, self.plan.language)
        self._mentions(text)
        self._phrases(text)
        self._last(text)
        slot = self.plan.parameters.get(self.asked or "")
        if slot is not None and text.strip():
            self._answer(slot, text)

    def _answer(self, slot: Slot, text: str) -> None:
        if cues(text, self.plan.language)["unsure"]:
            self.unsure.add(slot.name)
        value = parse(slot, text, self.plan.language)
        if isinstance(value, list):
            value = value[0] if value else None
        if value is not None and (slot.type not in TEXTS or str(value).strip()):
            self._put(slot.name, (value,)).answered = self.turn

    def _say(self, event: Utterance) -> None:
        for mention in self._found(event.text.replace("’", "'")):
            self._put(mention.slot, (mention.value,)).stated += 1
        self.asked = next(map(self.plan.named.get, self.tracker.asked), None)
        if self.asked is not None:
            self.asks[self.asked] = self.asks.get(self.asked, 0) + 1
        self.since = 0

    def _mentions(self, text: str) -> None:
        orders: dict[str, list[Value]] = {}
        for mention in self._found(text):
            order, name = orders.setdefault(mention.slot, []), mention.slot
            if mention.value not in order:
                order.append(mention.value)
            place = order.index(mention.value)
            hit = self._hit(text, mention.start, mention.end, mention.confidence, place)
            self._put(name, (mention.value,)).said.append(hit)

    def _found(self, text: str) -> tuple[Mention, ...]:
        mentions = find(text, tuple(self.plan.parameters.values()), self.plan.language)
        for mention in mentions:
            self._recent.setdefault(mention.slot, []).append(mention.value)
        return mentions

    def _hit(self, text: str, start: int, end: int, confidence: float = 0.0, order: int = 0) -> Hit:
        return Hit(
            self.turn,
            start,
            end,
            confidence,
            self.asked,
            order,
            tuple(words(text[:start])[-NEAR:]),
            tuple(words(text[end:])[:NEAR]),
            (end - start) / max(len(text), 1),
            text[start:end][:1].isupper(),
        )

    def _phrases(self, text: str) -> None:
        for start, end in phrases(text, self.plan.language):
            hit = self._hit(text, start, end)
            for slot in self.plan.texts:
                proposal = self._put(slot.name, (text[start:end],), "phrase")
                if not proposal.said or proposal.said[-1].turn != self.turn:
                    proposal.said.append(hit)

    def _last(self, text: str) -> None:
        self._lasting |= durations(text, self.plan.language)
        for name, later in self.plan.later.items():
            lasting = self._lasting.get(later.kind)
            for value in self._recent.get(name, ())[-2:] if lasting else ():
                end = later.after(value, lasting or 0)
                if end is not None:
                    hit = self._hit(text, 0, 0)
                    self._put(name, (end,), "later").said.append(hit)

    def _query(self, event: Query) -> None:
        own = event.api in self.plan.task.calls
        self.made.append(event)
        for proposals in self._held.values() if own else ():
            for proposal in proposals.values():
                proposal.queried = None
        for each in event.constraints:
            if each.slot in self._held and each.values:
                proposal = self._put(each.slot, each.values, "one")
                if own:
                    proposal.queried = each
                else:
                    proposal.elsewhere = True
                if own and isinstance(each.value, int) and not isinstance(each.value, bool):
                    self._put(each.slot, (each.value + 1,), "next")

    def _return(self, event: Result) -> None:
        for proposals in self._held.values():
            for proposal in proposals.values():
                proposal.returned = False
        self.item = (event.items or ({},))[0] or None
        self.items += 1
        for name, value in (self.item or {}).items():
            if name in self._held and isinstance(value, str | int | float):
                self._put(name, (value,)).returned = True
