"""Reading of histories in another wording: their templates are renamed to the learnt ones.

    asking, cases = Adaptation(learnt, policy, questions, cases, reader).adapted()

Meanings are found in rounds (wording.py), for states hold earlier lines: the policy expects the
right line more surely once these have a learnt template.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from dialoom.models.base import Questions
from dialoom.models.ranker.features import SlotQuestions
from dialoom.models.ranker.lines import Line, LineReader
from dialoom.models.ranker.reading import ReadQuestion, asked_slots, read_cases
from dialoom.models.ranker.shortlist import CandidateLists
from dialoom.models.ranker.state import read_state
from dialoom.models.ranker.wording import Evidence, Expected, Meaning, Replies, utterances

SAME = 0.5
"""Share of the bot's utterances with a learnt template from which on no template is renamed."""

ROUNDS = 3
"""Most rounds: those of `tst1` and of simulated files in other words changed nothing after two."""

MOST = 2_000
"""Most utterances, and most questions, that count as evidence; 100 are mostly enough."""


T = TypeVar("T")


class Wording(NamedTuple):
    """The wording of training's bot.

    Attributes:
        asking: The slots that templates ask for, and their order.
        templates: All templates of the bot's utterances.
        replies: The replies to each.
    """

    asking: SlotQuestions
    templates: frozenset[str]
    replies: Replies


Policy = Callable[[SlotQuestions, Sequence[ReadQuestion]], Sequence[Expected]]
"""Returns what is expected in states, given the slots that templates ask for."""


def wording_of(
    questions: Questions, asking: SlotQuestions, templates: frozenset[str], reader: LineReader
) -> Wording:
    """Return the wording of the bot that questions are about.

    Args:
        questions: The questions.
        asking: The slots that templates ask for, and their order.
        templates: All templates of the bot's utterances.
        reader: The reader of lines.
    """

    def meaning(template: str) -> Meaning:
        slot = asking.slots.get(template)
        return Meaning(template) if slot is None else Meaning("", slot)

    said = (each for n in _longest(questions) for each in utterances(questions[n].history, reader))
    replies = Replies((meaning(each.line.template), each.reply) for each in said)
    return Wording(asking, templates, replies)


def _longest(questions: Questions) -> list[int]:
    """Return the place of each dialogue's last question, whose history has all others'."""
    last: dict[int, int] = {}
    for place, question in enumerate(questions):
        held = last.get(id(question.dialogue))
        if held is None or questions[held].event < question.event:
            last[id(question.dialogue)] = place
    return list(last.values())


class Adaptation:
    """The reading of questions in another wording.

    Args:
        learnt: The wording of training's bot.
        policy: Tells what is expected in a state.
        questions: The questions.
        cases: The questions as they are read.
        reader: Their reader; its templates are renamed.
    """

    def __init__(
        self,
        learnt: Wording,
        policy: Policy,
        questions: Questions,
        cases: list[ReadQuestion],
        reader: LineReader,
    ) -> None:
        self._learnt, self._policy, self._reader = learnt, policy, reader
        self._questions, self._cases = questions, cases
        self._asking = learnt.asking.extended(asked_slots(cases, reader))
        self._said = [
            (place, each)
            for place in _longest(questions)
            for each in utterances(questions[place].history, reader)
        ]

    def adapted(self) -> tuple[SlotQuestions, list[ReadQuestion]]:
        """Return the slots that templates ask for, and the questions read with renamed templates.

        Nothing is renamed where most of the bot's utterances have a learnt template.
        """
        known = sum(each.line.template in self._learnt.templates for _, each in self._said)
        if known >= SAME * len(self._said):
            return self._asking, self._cases
        found = self._meanings()
        self._rename(found)
        asking = self._asking_with(found)
        return asking, read_cases(self._questions, self._reader)

    def _rename(self, found: dict[str, Meaning]) -> None:
        self._reader.rename({its: one.template for its, one in found.items() if not one.slot})

    def _asking_with(self, found: dict[str, Meaning]) -> SlotQuestions:
        return self._learnt.asking.extended(
            {its: one.slot for its, one in found.items() if one.slot}
        )

    def _meanings(self) -> dict[str, Meaning]:
        """Return new template to its meaning."""
        learnt = self._learnt
        offers = list(self._offers())
        offered = Counter(t for _, lines in offers for t in {line.template for line in lines})
        usual = {template: (n + 1) / (len(offers) + 2) for template, n in offered.items()}
        met = offered.keys() | {each.line.template for _, each in self._said}
        slots = learnt.asking.order.keys() | {
            slot for case in self._cases for slot in case.required
        }
        known = {slot for template, slot in learnt.asking.slots.items() if template in met}
        possible = [Meaning(t) for t in learnt.templates - met - learnt.asking.slots.keys()]
        possible += [Meaning("", slot) for slot in slots - known]
        said = _spread(self._said)
        found: dict[str, Meaning] = {}
        asking = self._asking
        for _ in range(ROUNDS):
            evidence = Evidence(
                met - learnt.templates, possible, learnt.asking, learnt.replies, len(slots)
            )
            expected = self._policy(asking, [self._read(n, each.place) for n, each in said])
            for (_, each), there in zip(said, expected, strict=True):
                evidence.add_said(each, there)
            expected = self._policy(asking, [self._read(n, None) for n, _ in offers])
            for (_, lines), there in zip(offers, expected, strict=True):
                evidence.add_offered(lines, there, usual)
            before, found = found, evidence.meanings()
            if found == before:
                break
            self._rename(found)
            asking = self._asking_with(found)
        return found

    def _offers(self) -> Iterator[tuple[int, list[Line]]]:
        """Yield questions with the utterances on offer; what users say is none of the bot's."""
        heard = {text for case in self._cases for text in case.state.user_texts()}
        lists = CandidateLists(self._reader)
        for n in _spread(range(len(self._questions))):
            read = lists.of(self._questions[n]).read
            yield n, [line for each, line in read if not line.is_call and each.text not in heard]

    def _read(self, number: int, end: int | None) -> ReadQuestion:
        """Return a question read up to an event, with templates renamed as they are now."""
        history = self._questions[number].history[:end]
        return ReadQuestion(read_state(history, self._reader), self._cases[number].required)


def _spread(found: Sequence[T]) -> Sequence[T]:
    """Return at most `MOST` of some things, evenly spread."""
    return found[:: max(-(-len(found) // MOST), 1)]
