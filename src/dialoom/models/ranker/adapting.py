"""Reading of histories in another wording: their templates are renamed to the learnt ones.

Meanings are found in rounds: the policy's probabilities are computed for states that hold earlier
lines, and are better once these have a learnt template.

The lines of several bots in training are tied in the same way: those of the bot with most dialogues
are learnt first, and the others' are read as lines in another wording.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from dialoom.dialogue import SYSTEM, Utterance
from dialoom.learn.model import Examples, Questions, spread
from dialoom.models.ranker.features import SlotQuestions
from dialoom.models.ranker.lines import Line, LineReader
from dialoom.models.ranker.policy import (
    CandidateLists,
    Expected,
    Policy,
    ReadQuestion,
    asked_slots,
    asking_of,
    read_questions,
)
from dialoom.models.ranker.state import read_state
from dialoom.models.ranker.wording import (
    Meaning,
    MeaningEvidence,
    ReplyKinds,
    line_words,
    utterances,
)

SAME = 0.5
"""Least share of known templates among the bot's utterances for none to be renamed: files in
another wording have next to none, those in the same have all."""

ROUNDS = 3
"""Most rounds. After one, a rare line can be confused with another: learnt from 1,000 simulated
bookings, 99.4 % of task 3 of `tst1` is right then, and 100 % after three."""

MOST = 2_000
"""Most utterances, and most questions, that count as evidence, against long runs: files of 20 items
have some 100 utterances, and those are enough."""


class Wording(NamedTuple):
    """The wording of training's bots; `asking` are the slots that templates ask for, in order.

    `variants` are templates of other bots, each with the one of `templates` that it is read as.
    """

    asking: SlotQuestions
    templates: frozenset[str]
    replies: ReplyKinds
    variants: frozenset[tuple[str, str]]


def in_other_words(lines: Collection[Line], templates: Collection[str]) -> bool:
    """True if most of a bot's lines have no learnt template."""
    return sum(line.template in templates for line in lines) < SAME * len(lines)


def _longest(questions: Questions) -> list[int]:
    """Return the index of each dialogue's last question: its history contains the others'."""
    last: dict[int, int] = {}
    for place, question in enumerate(questions):
        previous = last.get(id(question.dialogue))
        if previous is None or questions[previous].event < question.event:
            last[id(question.dialogue)] = place
    return list(last.values())


class Adaptation:
    """The reading of questions in another wording.

    The policy gives the lines expected in a state. `read` are the questions as read by `reader`,
    whose templates are renamed. `meanings` are those of templates that were found so far.
    """

    def __init__(
        self,
        learnt: Wording,
        policy: Policy,
        questions: Questions,
        read: list[ReadQuestion],
        reader: LineReader,
    ) -> None:
        self._learnt, self._policy, self._reader = learnt, policy, reader
        self._questions, self._read = questions, read
        self._asking = learnt.asking.extended(asked_slots(read, reader))
        self.meanings: dict[str, Meaning] = {}
        self._open: MeaningEvidence | None = None
        self._said = [
            (place, each)
            for place in _longest(questions)
            for each in utterances(questions[place].history, reader)
        ]

    def adapted(self) -> tuple[SlotQuestions, list[ReadQuestion]]:
        """Return the slots that templates ask for, and the questions read with renamed templates.

        Nothing is renamed if most of the bot's utterances have a learnt template.
        """
        offers, asking = list(self._offers()), self._asking
        lines = [each.line for _, each in self._said] or [line for _, ls in offers for line in ls]
        if not in_other_words(lines, self._learnt.templates):
            return self._asking, self._read
        senses: dict[str, Meaning] = {}
        for _ in range(ROUNDS):
            asking = self._renamed(senses)
            before, senses = senses, self._meanings(offers, asking)
            if senses == before:
                break
        self.meanings = senses
        return self._renamed(senses), read_questions(self._questions, self._reader)

    def _renamed(self, senses: Mapping[str, Meaning]) -> SlotQuestions:
        self._reader.rename({its: one.template for its, one in senses.items() if not one.slot})
        asks = {its: one.slot for its, one in senses.items() if one.slot}
        return self._learnt.asking.extended({**asked_slots(self._read, self._reader), **asks})

    def in_order(self) -> tuple[SlotQuestions, list[ReadQuestion]]:
        """Return the same for one question, whose lines are read one after the other.

        Meanings of its candidates stay open (`chance`).
        """
        for n, each in self._said:
            template = each.line.template
            if template not in self._learnt.templates and template not in self.meanings:
                (there,) = self._expected([(n, each.place)], self._renamed(self.meanings))
                evidence = self._evidence({template}, {template}, {*self.meanings.values()})
                evidence.add_said(each, there)
                self.meanings |= evidence.meanings()
        return self._renamed(self.meanings), read_questions(self._questions, self._reader)

    def chance(self, line: Line, expected: Expected) -> float:
        """Return the probability of a candidate, over all possible meanings of its words.

        Its template is not a learnt one; call this after `in_order`.
        """
        if self._open is None:
            self._open = self._evidence((), (), {*self.meanings.values()})
        self._open.add(line.template)
        return self._open.mean(line, expected)

    def _meanings(
        self, offers: Sequence[tuple[int, list[Line]]], asking: SlotQuestions
    ) -> dict[str, Meaning]:
        offered = Counter(t for _, lines in offers for t in {line.template for line in lines})
        usual = {template: (n + 1) / (len(offers) + 2) for template, n in offered.items()}
        met = offered.keys() | {each.line.template for _, each in self._said}
        evidence = self._evidence(met - self._learnt.templates, met)
        sample = spread(self._said, MOST)
        expected = self._expected(((n, each.place) for n, each in sample), asking)
        for (_, each), there in zip(sample, expected, strict=True):
            evidence.add_said(each, there)
        expected = self._expected(((n, None) for n, _ in offers), asking)
        for (_, lines), there in zip(offers, expected, strict=True):
            evidence.add_offered(lines, there, usual)
        return evidence.meanings()

    def _evidence(
        self, new: Collection[str], met: Collection[str], others: Collection[Meaning] = ()
    ) -> MeaningEvidence:
        """Return the evidence of words for meanings of new templates.

        Learnt templates in `met` mean themselves; `others` are the meanings of other templates.
        """
        learnt, asks = self._learnt, self._learnt.asking.slots
        slots = learnt.asking.order.keys() | {slot for each in self._read for slot in each.required}
        familiar = {slot for template, slot in asks.items() if template in met}
        possible = {Meaning(template) for template in learnt.templates.difference(met, asks)}
        possible |= {Meaning("", slot) for slot in slots - familiar}
        possible.difference_update(others)
        words = line_words(
            learnt.templates, frozenset(asks.items()), frozenset(slots), learnt.variants
        )
        return MeaningEvidence(
            new, possible, learnt.asking, learnt.replies, len(slots), words.chances
        )

    def _offers(self) -> Iterator[tuple[int, list[Line]]]:
        texts = {text for each in self._read for text in each.state.user_texts()}
        lists = CandidateLists(self._reader)
        for n in spread(range(len(self._questions)), MOST):
            read = lists.of(self._questions[n]).possible(self._read[n].state)
            yield n, [line for each, line in read if not line.is_call and each.text not in texts]

    def _expected(
        self, places: Iterable[tuple[int, int | None]], asking: SlotQuestions
    ) -> list[Expected]:
        """Return the policy's expectations at questions, before an event or (None) at the end."""
        read = [
            ReadQuestion(
                read_state(self._questions[n].history[:end], self._reader), self._read[n].required
            )
            for n, end in places
        ]
        return self._policy.expected(read, asking, self._reader)


LEAST = 100
"""Fewest training questions of a bot whose lines are tied; other bots keep their own lines."""


def answers_of(learnt: Examples, reader: LineReader) -> list[Line]:
    """Return the right lines of training questions."""
    lists = CandidateLists(reader)
    return [lists.of(one.question).line(one.answer) for one in learnt]


def fitted(
    learnt: Examples, reader: LineReader, variants: Mapping[str, str]
) -> tuple[Policy, Wording]:
    """Return the policy and the wording of training; `variants` map templates to tied ones."""
    questions = [one.question for one in learnt]
    read, answers = read_questions(questions, reader), answers_of(learnt, reader)
    asking = asking_of(read, reader)
    templates = frozenset(line.template for line in answers if not line.is_call)

    def meaning(template: str) -> Meaning:
        slot = asking.slots.get(template)
        return Meaning(template) if slot is None else Meaning("", slot)

    turns = (each for n in _longest(questions) for each in utterances(questions[n].history, reader))
    replies = ReplyKinds((meaning(each.line.template), each.reply) for each in turns)
    wording = Wording(asking, templates, replies, frozenset(variants.items()))
    return Policy(read, answers, asking, reader), wording


def tied(learnt: Examples, reader: LineReader) -> dict[str, str]:
    """Return the templates of all bots but the first, to its templates that mean the same."""
    first, *others = _bots(learnt, reader)
    if not others:
        return {}
    policy, wording = fitted(first, reader, {})
    asks = {slot: template for template, slot in sorted(wording.asking.slots.items())}
    ties: dict[str, str] = {}
    for bot in others:
        own, questions = reader.copied(), [one.question for one in bot]
        adaptation = Adaptation(wording, policy, questions, read_questions(questions, own), own)
        adaptation.adapted()
        for template, meaning in adaptation.meanings.items():
            same = meaning.template or asks.get(meaning.slot)
            if same is not None:
                ties.setdefault(template, same)
    return ties


def _bots(learnt: Examples, reader: LineReader) -> list[Examples]:
    """Return the examples of each bot, the one with the most first."""
    by_opening: defaultdict[str, list[int]] = defaultdict(list)
    openings: dict[int, str] = {}
    for place, example in enumerate(learnt):
        dialogue = example.question.dialogue
        if id(dialogue) not in openings:
            turns = (e for e in dialogue.events if isinstance(e, Utterance) and e.agent == SYSTEM)
            openings[id(dialogue)] = next((reader.line(e.text).template for e in turns), "")
        by_opening[openings[id(dialogue)]].append(place)
    groups = sorted(by_opening.values(), key=len, reverse=True)
    bots = [group for group in groups if len(group) >= LEAST] or groups[:1]
    return [[learnt[place] for place in group] for group in bots]
