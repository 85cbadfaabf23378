"""Understanding of a user's utterance: its turn in the flow, and values of slots.

The turn is the one whose examples in the task file are most like the text, without values
(reading/mentions.py). A text with just the words of an example has no value in it.

The weights are near those that fit turns of simulated users best; `WORDS` is that of real users.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dialoom.dialogue import Utterance
from dialoom.dialogue.views import label, parts
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.reading.mentions import SENTENCE, ChosenValues
from dialoom.reading.purpose import declining, purpose_odds, purpose_shares, without_chat
from dialoom.reading.slot_words import KEPT, STEM, WordEvidence, features
from dialoom.reading.user_turn import reader_of
from dialoom.schema.call import Column
from dialoom.schema.lexicon import cues, lexicon
from dialoom.schema.once import once_for_each
from dialoom.schema.template import Slot as Place
from dialoom.schema.template import parse
from dialoom.schema.values import TEXTS, Mention, kind
from dialoom.sim.policies.flow.state import DialogueState

CUE, STOP = 2.0, 0.3
"""Weights of a cue ("yes", "thanks") and of a stop word; other words have 1."""


class Wordings:
    """The examples of one task: evidence for the user's nodes by features of their texts."""

    def __init__(self, program: TaskProgram) -> None:
        stop = lexicon(program.language).stop
        self._stems = frozenset(word[:STEM] for word in stop)
        self.turns = WordEvidence(self._worth)
        self._examples: dict[str, list[frozenset[str]]] = {}
        self._similarity: dict[tuple[str, frozenset[str]], float] = {}
        for step in program.steps.values():
            if step.kind == "user":
                lines = map(_shown, step.node.texts)
                self._examples[step.name] = [features(text, program.language) for text in lines]
                for words in self._examples[step.name]:
                    self.turns.add(step.name, words)

    def similarity(self, step: Step, terms: frozenset[str]) -> float:
        """Return the Dice coefficient (0 to 1) of a text's features, weighted, with the closest
        example.
        """
        key = step.name, terms
        score = self._similarity.get(key)  # another thread may clear them
        if score is None:
            if len(self._similarity) > KEPT:
                self._similarity.clear()
            whole = self.size(terms)
            shared = (
                2 * self.size(terms & each) / ((whole + self.size(each)) or 1.0)
                for each in self._examples[step.name]
            )
            score = self._similarity[key] = max(shared, default=0.0)
        return score

    def size(self, terms: Iterable[str]) -> float:
        """Return the sum of the features' weights."""
        return math.fsum(map(self._worth, terms))  # in whatever order a set has

    def _worth(self, feature: str) -> float:
        if feature[0] == "<":
            return CUE
        return STOP if feature in self._stems else 1.0


def _shown(template: str) -> str:
    return "".join(
        f"{{{part.name}}}" if isinstance(part, Place) else part for part in parse(template).parts
    )


wordings_of = once_for_each(Wordings)
"""Returns the word statistics of a task (cached)."""


SIMILARITY = 3.4
"""Log odds added for a turn with the text as a verbatim example, so that it outweighs single words
of other turns."""

OUTSIDE = 4.5
"""Log odds subtracted for turns possible at any time, corrections and interruptions: about the log
odds of a correction in a user's turn of STAR (0.018, digressions.py)."""

RIVAL = 2.0
"""Log odds of another turn from which a text is not a free-text answer, since any text could be
one: odds of 7 to 1."""

PURPOSE = 1.0
"""Weight of the log odds of a turn's purpose."""

WORDS = 0.3
"""Weight of the naive Bayes evidence: it reads 75.7 % of real users' turns before a branch right,
73.7 with 0.1 and 75.1 with 1."""

CLEARLY = 0.6
"""Probability of a purpose from which on a text is for that, whatever the flow leads to."""

OPENLY = 0.95
"""Probability from which on a text has no preference: "I have no preference" 0.99, "No, I don't
need one" 0.85."""

CHANGED = 4.0
"""Log odds added for a turn that changes a slot which the text names, or gives another value."""

WORDS_ALONE = 1.0, 6.0
"""The weights of both in a language without learned purposes."""

LEAST = 0.3
"""Least log odds of the chosen turn without evidence from values or flow; below it the system asks
again."""

PIECES = 30
"""Most runs of sentences of one text compared with examples: all 28 of seven sentences."""

_VALUED = re.compile(r"\{|\d")
"""A value, or a number that may be one."""


class HeardTurn(NamedTuple):
    """A user's turn as it was understood: its node, None if unknown, and slot to value."""

    step: Step | None
    values: Mapping[str, Any]


def listen_acts(program: TaskProgram, utterance: Utterance) -> HeardTurn:
    """Return the turn and values by an utterance's acts."""
    step = program.steps.get(label(utterance) or "")
    values: dict[str, Any] = {}
    for act in (act for part in parts(utterance) for act in part.acts or ()):
        for argument in act.arguments:
            content = argument.canonical or argument.values
            slot = program.schema.slots.get(argument.slot)
            if slot is not None and content:
                values[slot.name] = list(content) if slot.type == "categories" else content[0]
    return HeardTurn(step if step is not None and step.kind == "user" else None, values)


def listen(
    program: TaskProgram, utterance: Utterance, turns: Sequence[Step], state: DialogueState
) -> HeardTurn:
    """Return the turn and values by an utterance's text.

    `turns` are the user's possible turns, those of the flow first; `state` is the dialogue state
    before the utterance.
    """
    verbatim = _verbatim(program, utterance.text, turns)
    if verbatim is not None:
        return HeardTurn(verbatim, {})
    read = _read(program, utterance.text, state, turns)
    unsettled = _without_truths(program, utterance.text, read, state)
    if unsettled is not read and _leaves_open(program, utterance.text, turns):
        read = unsettled
    choice = _answered(program, utterance.text, read, turns, state)
    ranked = _ranked(program, choice, utterance.text, turns, state)
    familiar = wordings_of(program).turns.knows(features(choice.text, program.language))
    shares = purpose_shares(program, choice.text)
    aside = max(shares.get("chat", 0.0), shares.get("vague", 0.0)) > CLEARLY
    step = _chosen(program, ranked, choice.values, turns, state, familiar)
    if aside and not choice.values and (state.asked or (step is not None and step.forget)):
        return HeardTurn(None, {})
    values = dict(choice.values)
    if step is not None and step.node.gives_none:
        values = {slot: v for slot, v in values.items() if not program.bits[slot] & state.asked}
    return HeardTurn(step, values)


def _verbatim(program: TaskProgram, text: str, turns: Sequence[Step]) -> Step | None:
    wordings, own = wordings_of(program), features(text, program.language)
    following = (each for each in turns if not (each.node.corrects or each.node.anytime))
    alike = [step for step in following if wordings.similarity(step, own) == 1.0]
    return alike[0] if len(alike) == 1 else None


def explained(
    program: TaskProgram, text: str, turns: Sequence[Step], state: DialogueState
) -> float:
    """Return how well the user's possible turns explain a text.

    That is the largest product of a run's weight in words and its squared similarity (0 to 1) to an
    example of a turn, over all runs of sentences.
    """
    choice, wordings = _read(program, text, state, turns), wordings_of(program)
    return max(
        (
            (1 + wordings.size(piece)) * wordings.similarity(step, piece) ** 2
            for piece in _features(program, choice, frozenset())
            for step in turns
        ),
        default=0.0,
    )


def _read(
    program: TaskProgram, text: str, state: DialogueState, turns: Sequence[Step]
) -> ChosenValues:
    topics = {slot for slot, bit in program.bits.items() if state.asked & bit}
    facts = {slot: form.canonical for slot, form in state.said.items()}
    open_slots = topics or {
        slot for step in turns for slot in step.node.forget if _said_alone(program, slot)
    }
    chooser = reader_of(program.schema).chooser
    choice = chooser.choose(text, open_slots, facts)
    answer = without_chat(text, program.language, CLEARLY)
    if answer != text and not open_slots.isdisjoint(
        (apart := chooser.choose(answer, open_slots, facts)).values
    ):
        choice = apart
    fresh = {s: v for s, v in choice.values.items() if s in topics or facts.get(s) != v}
    if not fresh and purpose_shares(program, text).get("correct", 0.0) > CLEARLY:
        return _corrected(program, text, facts) or choice._replace(values=fresh)
    return choice._replace(values=fresh)


def _said_alone(program: TaskProgram, slot: str) -> bool:
    """Return True if a value alone shows its type, unlike "one", "yes" and any text."""
    return kind(program.schema.slots[slot], program.language) in ("date", "time", "choice")


def _corrected(program: TaskProgram, text: str, facts: Mapping[str, Any]) -> ChosenValues | None:
    """Return the new value of the slot given last, of those that a bare value may correct."""
    chooser = reader_of(program.schema).chooser
    slots = (slot for step in program.corrections for slot in step.node.corrects)
    for slot in sorted(facts.keys() & set(slots), key=list(facts).index, reverse=True):
        choice = chooser.choose(text, (slot,), facts)
        if choice.values.get(slot, facts[slot]) != facts[slot]:
            return choice._replace(values={slot: choice.values[slot]})
    return None


def _leaves_open(program: TaskProgram, text: str, turns: Sequence[Step]) -> bool:
    can = any(step.node.gives_none for step in turns)
    shares = purpose_shares(program, text)
    return can and shares.get("none", 0.0) + shares.get("unsure", 0.0) > OPENLY


def _without_truths(
    program: TaskProgram, text: str, choice: ChosenValues, state: DialogueState
) -> ChosenValues:
    slots, bits = program.schema.slots, program.bits
    truths = {s for s in choice.values if bits[s] & state.asked and slots[s].type == "boolean"}
    if not truths:
        return choice
    rest = {slot: value for slot, value in choice.values.items() if slot not in truths}
    return ChosenValues(choice.mentions, rest, choice.text if rest else text)


def _answered(
    program: TaskProgram,
    text: str,
    choice: ChosenValues,
    turns: Sequence[Step],
    state: DialogueState,
) -> ChosenValues:
    """Add the value of an answer to a question whose slot has no value in the text yet."""
    topics = [slot for slot, bit in program.bits.items() if state.asked & bit]
    if not topics or any(slot in choice.values for slot in topics):
        return choice
    reader = reader_of(program.schema)
    is_text = program.schema.slots[topics[0]].type in TEXTS
    rest = _without(text, choice.mentions)
    if is_text and choice.mentions and reader.chooser.is_wording(rest):
        return choice
    value = reader.answer(topics[0], text if is_text else rest)
    if value is None:
        return choice
    pattern = choice.text.replace(str(value), f"{{{topics[0]}}}")
    reply = ChosenValues(choice.mentions, {**choice.values, topics[0]: value}, pattern)
    if not is_text:
        return reply
    short = program.schema.slots[topics[0]].type == "short text"
    if _no_answer(purpose_shares(program, choice.text), choice.text, short=short):
        return choice
    signs = cues(text, program.language)
    others = [step for step in turns if not step.gives & state.asked or step.node.corrects]
    declining = any(step.node.gives_none for step in others)
    if declining and (signs["no"] or signs["unsure"]):
        return choice
    rivals = _ranked(program, choice, text, others, state)
    return choice if rivals and rivals[0][0] > RIVAL else reply


def _without(text: str, mentions: Iterable[Mention]) -> str:
    for mention in sorted(mentions, key=lambda mention: -mention.start):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return text


def _no_answer(shares: Mapping[str, float], text: str, *, short: bool) -> bool:
    """Return True if a text is no free-text answer: it stalls, chats or corrects.

    A statement about the user is no chat if any text may answer.
    """
    chats = shares.get("chat", 0.0) if short or text.endswith("?") else 0.0
    corrects = shares.get("correct", 0.0) if short or _VALUED.search(text) else 0.0
    return max(shares.get("vague", 0.0), chats, corrects) > CLEARLY


def _ranked(
    program: TaskProgram,
    choice: ChosenValues,
    text: str,
    turns: Sequence[Step],
    state: DialogueState,
) -> list[tuple[float, Step]]:
    wordings = wordings_of(program)
    facts = {name for step in turns for name in step.outputs if name in state.shown}
    mentions = {name for name in facts if _told(program, state, name) in text.casefold()}
    own = frozenset(f"{{{name}}}" for name in mentions)
    pieces = _features(program, choice, own)
    likely = purpose_odds(program, choice.text)
    declines = 0.0 if state.asked & program.mask(choice.values) else declining(program, choice.text)
    words, similarity = (WORDS, SIMILARITY) if likely else WORDS_ALONE
    changed = reader_of(program.schema).chooser.named(choice.text)
    weighed: list[tuple[float, Step]] = []
    for step in turns:
        if not _possible(step, choice.values, mentions, state):
            continue
        like = max(wordings.similarity(step, piece) for piece in pieces)
        weight = words * wordings.turns.weight(step.name, pieces[0]) + similarity * like**2
        odds = likely.get(step.name, 0.0)
        odds = max(odds, declines) if step.node.gives_none else odds
        weight += PURPOSE * odds
        names = changed if odds > 0 else frozenset[str]()
        weight += (
            CHANGED if not (names | choice.values.keys()).isdisjoint(step.node.forget) else 0.0
        )
        weight -= OUTSIDE if step.node.corrects or step.node.anytime else 0.0
        weighed.append((weight, step))
    return sorted(weighed, key=lambda each: -each[0])


def _features(
    program: TaskProgram, choice: ChosenValues, own: frozenset[str]
) -> list[frozenset[str]]:
    return [features(piece, program.language) | own for piece in _pieces(choice.text)]


def _possible(step: Step, values: Mapping[str, Any], names: set[str], state: DialogueState) -> bool:
    """Return True if a turn is possible: it needs a requested value, or corrects a filled one."""
    if step.node.corrects:
        return any(slot in state.said or slot in values for slot in step.node.corrects)
    if all(line.outputs for line in step.lines):
        return any(line.outputs <= names for line in step.lines)
    answers = step.gives & state.asked
    return not answers or bool(step.sets) or bool(answers & state.program.mask(values))


def _chosen(
    program: TaskProgram,
    ranked: Sequence[tuple[float, Step]],
    values: Mapping[str, Any],
    turns: Sequence[Step],
    state: DialogueState,
    familiar: bool,
) -> Step | None:
    if not ranked:
        return None
    weight, step = ranked[0]
    following = [each for each in turns if not (each.node.corrects or each.node.anytime)]
    alone = len(following) == 1 and not state.asked and familiar
    answers = step.gives & (state.asked or -1) & program.mask(values)
    changes = not values.keys().isdisjoint((*step.node.corrects, *step.node.forget))
    if weight > LEAST or answers or changes or (alone and step is following[0]):
        return step
    return None


def _told(program: TaskProgram, state: DialogueState, name: str) -> str:
    column = program.columns[state.api].get(name) or Column(name=name)
    return program.words.show(column, state.shown[name]).text.casefold()


@lru_cache(maxsize=KEPT)
def _pieces(text: str) -> tuple[str, ...]:
    breaks = [*SENTENCE.finditer(text)]
    starts = [0, *(match.end() for match in breaks)]
    ends = [*(match.start() for match in breaks), len(text)]
    runs = [(start, end) for start in starts for end in ends if end > start]
    longest = sorted(runs, key=lambda run: run[0] - run[1])[:PIECES]
    return tuple(text[start:end] for start, end in longest) or (text,)
