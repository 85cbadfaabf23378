"""Meanings of lines in another wording, by their places in dialogues, on offer, and by words.

Bots that follow one policy in different words say each line in the same states. A template that
training lacks may mean a learnt one, or be the question for a slot. The evidence for a meaning is
its probability by the policy at the template's places, the replies of users to the template, the
questions among whose candidates the template is (the right candidate is always on offer), and its
words. Meanings are assigned to all templates at once (the assignment problem; Kuhn 1955). Templates
of both wordings mean themselves.

The reading of a task judges the words: the learnt templates are its replies, and so are questions
for slots that training never asks for, in the words of the slot's name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import exp, log
from operator import mul
from typing import NamedTuple

from dialoom.dialogue import SYSTEM, USER, Event, Query, Utterance
from dialoom.learn.text import encoders
from dialoom.models.ranker.features import ASK_NEXT, SlotQuestions
from dialoom.models.ranker.lines import MARKS, NAME, Line, LineReader
from dialoom.models.ranker.policy import Expected
from dialoom.models.ranker.state import is_silence
from dialoom.reading.turn import TurnReader
from dialoom.reading.wording import NAME as NAMED
from dialoom.reading.wording import word_reader
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.once import Kept
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER

FLOOR = 0.01
"""Least probability of an observation, so that one turn at which the policy errs weighs at most
log 0.01 = -4.6, about as much as one at which it is right. Values from 0.0001 to 0.1 made as many
rankings right, of 300 in simulated files of 10 items and 600 in such of 20, in other words."""

SILENCE, WORDS, VALUES, OWN, VALUE = "silence", "words", "several values", "own value", "a value"
"""Kinds of replies: the last two are a value of the requested slot, and of any other slot."""

KINDS = (SILENCE, NAME, WORDS, VALUES, OWN, VALUE)


class Meaning(NamedTuple):
    """The meaning of a template: a learnt one, or the question for a slot; the other is empty."""

    template: str
    slot: str = ""


class AnsweredLine(NamedTuple):
    """An utterance of a bot, and the types of the entities in the reply; None for silence.

    `place` is its index in the history.
    """

    place: int
    line: Line
    reply: frozenset[str] | None


def utterances(history: Sequence[Event], reader: LineReader) -> Iterator[AnsweredLine]:
    """Yield the bot's utterances with the replies to them; calls are left out."""
    lines = [
        place
        for place, event in enumerate(history)
        if isinstance(event, Query | Utterance) and event.agent == SYSTEM
    ]
    for place, end in zip(lines, [*lines, len(history)][1:], strict=True):
        event = history[place]
        if isinstance(event, Utterance):
            turns = (e for e in history[place:end] if isinstance(e, Utterance) and e.agent == USER)
            texts = [each.text for each in turns if not is_silence(each.text)]
            types = frozenset(slot for text in texts for slot, _ in reader.mentions(text))
            yield AnsweredLine(place, reader.line(event.text), types if texts else None)


def _kind(reply: frozenset[str] | None, slot: str) -> str:
    if reply is None:
        return SILENCE
    if NAME in reply:
        return NAME
    if len(reply) != 1:
        return VALUES if reply else WORDS
    return OWN if slot in reply else VALUE


class ReplyKinds:
    """The probabilities of kinds of replies to each meaning; all questions for slots are alike.

    `found` are meanings and replies in training.
    """

    def __init__(self, examples: Iterable[tuple[Meaning, frozenset[str] | None]]) -> None:
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for meaning, reply in examples:
            self._counts[meaning.template][_kind(reply, meaning.slot)] += 1

    def probability(self, meaning: Meaning, reply: frozenset[str] | None, slots: int) -> float:
        """Return the probability of a reply to a meaning, with 1 added to each count.

        `reply` has the types of its entities. A value of no slot in particular may be of any of
        `slots`.
        """
        kind, counts = _kind(reply, meaning.slot), self._counts.get(meaning.template, Counter())
        share = (counts[kind] + 1) / (counts.total() + len(KINDS))
        return share / slots if kind == VALUE else share


class MeaningEvidence:
    """The evidence for the meanings of new templates, as sums of log likelihood ratios.

    `asking` has the slots that learnt templates ask for, in order; `slots` is their number.
    `words` maps templates to the probabilities of their meanings by words.
    """

    def __init__(
        self,
        new: Collection[str],
        meanings: Iterable[Meaning],
        asking: SlotQuestions,
        replies: ReplyKinds,
        slots: int,
        words: Mapping[str, Mapping[Meaning, float]],
    ) -> None:
        self._meanings = sorted(meanings)
        self._asking, self._replies, self._slots, self._words = asking, replies, slots, words
        self._sums: defaultdict[tuple[str, Meaning], float] = defaultdict(float)
        self._typed: defaultdict[tuple[str, ...], list[Meaning]] = defaultdict(list)
        for meaning in self._meanings:
            self._typed[_types(meaning.template)].append(meaning)
        self._alike: dict[str, list[Meaning]] = {}
        for template in sorted(new):
            self.add(template)

    def _probability(self, meaning: Meaning, line: Line, expected: Expected) -> float:
        """Return the probability of a line if its template has a meaning.

        A slot that training never asks for is as likely to be the next one as any missing one.
        """
        if not meaning.slot:
            renamed = line._replace(template=meaning.template)
            return expected.probability(renamed, self._asking)
        missing = expected.missing
        new = meaning.slot in missing and meaning.slot not in self._asking.order
        share = 1 / len(missing) if new else missing[:1] == [meaning.slot]
        return share * expected.classes.get(ASK_NEXT, 0.0)

    def add_said(self, turn: AnsweredLine, expected: Expected) -> None:
        """Add that a line was said, against lines that the policy does not expect at all."""
        for meaning in self._alike.get(turn.line.template, ()):
            for chance in (
                self._probability(meaning, turn.line, expected),
                self._replies.probability(meaning, turn.reply, self._slots),
            ):
                self._sums[turn.line.template, meaning] += log(max(chance, FLOOR) / FLOOR)

    def add_offered(
        self, lines: Iterable[Line], expected: Expected, usual: Mapping[str, float]
    ) -> None:
        """Add that lines are on offer, against a chance offer.

        `usual` maps templates to the share of questions that offer them.
        """
        there: defaultdict[str, list[Line]] = defaultdict(list)
        for line in lines:
            there[line.template].append(line)
        for template in self._alike:
            ways = there.get(template, [Line(template)])
            for meaning in self._alike[template]:
                chance = max(self._probability(meaning, way, expected) for way in ways)
                left = max(1 - chance, FLOOR)
                ratio = left if template not in there else (1 - left) / usual[template] + left
                self._sums[template, meaning] += log(ratio)

    def add(self, template: str) -> None:
        """Add a new template with the evidence of its words, if it is not there yet."""
        if template not in self._alike:
            chances = self._words[template]
            self._alike[template] = self._typed.get(_types(template), [])
            for meaning in self._alike[template]:
                self._sums[template, meaning] += log(max(chances.get(meaning, 0.0), FLOOR) / FLOOR)

    def mean(self, line: Line, expected: Expected) -> float:
        """Return the mean probability of a line over the possible meanings of its template."""
        alike = self._alike[line.template]
        weights = [exp(self._sums[line.template, each]) for each in alike]
        chances = [self._probability(each, line, expected) for each in alike]
        whole: float = sum(map(mul, weights, chances))
        return whole / (sum(weights) or 1.0)

    def meanings(self) -> dict[str, Meaning]:
        """Return template to its meaning, if there is evidence for one."""
        import numpy
        from scipy.optimize import linear_sum_assignment

        new = [*self._alike]
        sums = [[self._sums[each, one] for one in self._meanings] for each in new]
        gains = numpy.maximum(numpy.array(sums).reshape(len(new), len(self._meanings)), 0)
        pairs = zip(*linear_sum_assignment(gains, maximize=True), strict=True)
        return {new[n]: self._meanings[m] for n, m in pairs if gains[n, m] > 0}


def _types(template: str) -> tuple[str, ...]:
    return tuple(sorted(word.rstrip(MARKS) for word in template.split(" ") if word.startswith("{")))


NEAR = 4.0
"""Weight of the similarity to the nearest line. Chosen by leaving out each of the eight bundled
wordings: the mean log probability of the right meaning rises from -0.68 to -0.58."""

CACHED = 10_000
"""Most templates whose meanings are cached: twice the candidates of bAbI."""


class LineWords:
    """Scores the meanings of a bot's lines by words; `asking` has templates and requested slots.

    `variants` are templates that other bots say in place of those in `templates`. `chances` maps
    templates to the probability of each meaning, judged by their words: that of the reader, times
    exp(`NEAR` times the similarity to the nearest known line).
    """

    def __init__(
        self,
        templates: frozenset[str],
        asking: frozenset[tuple[str, str]],
        slots: frozenset[str],
        variants: frozenset[tuple[str, str]],
    ) -> None:
        asks = dict(asking)
        self._meanings = [Meaning(each) for each in sorted(templates) if each not in asks]
        self._meanings += [Meaning("", slot) for slot in sorted({*slots, *asks.values()})]
        forms = {template: [template] for template in templates}
        for variant, template in sorted(variants):
            forms.setdefault(template, [template]).append(variant)
        names = {name for template in templates for name in PLACEHOLDER.findall(template)}
        by_name = {name: Slot(name=name, type="category") for name in {*names, *slots}}
        nodes = {str(n): _node(n, each, asks, forms) for n, each in enumerate(self._meanings)}
        task = TaskSchema(id="bookings", slots=by_name, flow=FlowGraph(nodes=nodes))
        self._reader = TurnReader(task, "system")
        self._texts = [(name, _plain(text)) for name, node in nodes.items() for text in node.texts]
        self._encoder = encoders.get("tfidf")()
        self._encoder.fit(text for _, text in self._texts)
        self.chances = Kept(self._scored, CACHED)

    def _scored(self, template: str) -> dict[Meaning, float]:
        scores = self._reader.chances(PLACEHOLDER.sub(f" {NAMED} ", template), {})
        (alike,) = self._encoder.similarity([_plain(template)], [text for _, text in self._texts])
        near = dict.fromkeys(scores, 0.0)
        for (name, _), each in zip(self._texts, alike, strict=True):
            near[name] = max(near.get(name, 0.0), float(each))
        weights = {name: chance * exp(NEAR * near[name]) for name, chance in scores.items()}
        whole = sum(weights.values()) or 1.0
        return {self._meanings[int(name)]: weight / whole for name, weight in weights.items()}


def _plain(template: str) -> str:
    return " ".join(word_reader("en").tokens(PLACEHOLDER.sub(" ", template)))


line_words = lru_cache(maxsize=8)(LineWords)
"""Returns the scorer of a learnt wording."""


def _node(
    number: int, meaning: Meaning, asks: Mapping[str, str], forms: Mapping[str, Sequence[str]]
) -> Node:
    slot = meaning.slot
    if not slot:
        return Node(name=str(number), kind="system", texts=tuple(forms[meaning.template]))
    asking = [template for template, target in asks.items() if target == slot]
    texts = tuple(text for each in asking for text in forms.get(each, (each,)))
    return Node(name=str(number), kind="system", texts=texts or (slot,), asks=(slot,))
