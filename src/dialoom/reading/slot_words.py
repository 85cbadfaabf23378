"""Words of a task and its language near the values of each slot.

words = SlotWords(pack.load("ride_book"))
words.near("departure", neighbours(tokens("from {0} to"), 1))    # log odds
words.leads("to")                                                # ("destination",)
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from dialoom.reading.wording import around
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import cues, lexicon, split_name, words
from dialoom.schema.once import Kept, once_for_each
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import Slot as Place
from dialoom.schema.template import parse
from dialoom.schema.values import Mention, kind, same
from dialoom.schema.values.text import any_of

STEM = 6
"""Letters that words are cut to, so that most inflected forms of a word are one feature."""

SMOOTHING = 2.0
"""Weight of the word frequencies of all labels in those of one, in numbers of examples."""

BEFORE, AFTER = 3, 2
"""Words before and after a value that are features of its slot."""

KEPT = 50_000
"""Maximum number of texts with cached features."""

_TOKEN = re.compile(r"\{\w+\}|[^\W_]+(?:['.:][^\W_]+)*")


def tokens(text: str) -> list[str]:
    """Return the words of a text, cut to their stems, and its placeholders as they are."""
    matches = _TOKEN.findall(text.replace("’", "'"))
    return [each if each[0] == "{" else each.lower()[:STEM] for each in matches]


@lru_cache(maxsize=KEPT)
def features(text: str, language: str) -> frozenset[str]:
    """Return the words and placeholders of a text, and the cues that it shows."""
    signs = cues(re.sub(r"\{\w+\}", " ", text), language)
    return frozenset((*tokens(text), *(f"<{cue}>" for cue, there in signs.items() if there)))


def neighbours(tokens: Sequence[str], at: int) -> frozenset[str]:
    """Return the words near a token; the one before and the one after count once more."""
    near = [*tokens[max(0, at - BEFORE) : at], *tokens[at + 1 : at + 1 + AFTER]]
    before = [f"{tokens[at - 1]}>"] if at else []
    after = [f"<{tokens[at + 1]}"] if at + 1 < len(tokens) else []
    return frozenset("{}" if each[0] == "{" else each for each in (*near, *before, *after))


class WordEvidence:
    """Naive Bayes counts of features by label; `worth` returns a feature's weight, in words."""

    def __init__(self, worth: Callable[[str], float] = lambda _: 1.0) -> None:
        self._worth = worth
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        self._whole: Counter[str] = Counter()
        self._examples: Counter[str] = Counter()

    def add(self, label: str, features: Iterable[str]) -> None:
        """Count the features of an example."""
        sample = tuple(features)
        self._counts[label].update(sample)
        self._whole.update(sample)
        self._examples[label] += 1

    def knows(self, features: Iterable[str]) -> bool:
        """Return True if any example has one of these features."""
        return any(map(self._whole.__contains__, features))

    def weight(self, label: str, features: Iterable[str]) -> float:
        """Return the log ratio of the features' probability with a label to that in all examples.

        Features that no example has are skipped. The sum does not depend on their order, which sets
        of words do not fix.
        """
        counts, total = self._counts[label], self._whole.total()
        size = counts.total()
        share = SMOOTHING * total / max(1, self._examples.total())
        return math.fsum(
            math.log((counts[each] * total / whole + share) / (size + share)) * self._worth(each)
            for each in features
            if (whole := self._whole[each])
        )


FOLLOWING = 40
"""Most characters after a value that may rule it out."""

_FIRST = re.compile(r"\w+|[^\w\s]")


@lru_cache(maxsize=KEPT)
def denied(before: str, language: str) -> bool:
    """Return True if the words before a value exclude it, as in "anything but Rome"."""
    spoken = words(before)
    leads = [words(phrase) for phrase in lexicon(language).without]
    ends = (spoken[: len(spoken) - skipped] for skipped in (0, 1))
    return any(lead and end[-len(lead) :] == lead for end in ends for lead in leads)


@lru_cache(maxsize=KEPT)
def ruled_out(after: str, language: str) -> bool:
    """Return True if the words after a value exclude it, as in "Rome is out of the question"."""
    follow = words(after[:FOLLOWING])
    ends = map(words, lexicon(language).ruled_out)
    return any(end and follow[: len(end)] == end for end in ends)


def is_pronoun(text: str, mention: Mention, language: str) -> bool:
    """Return True if a word for the number 1 refers to a thing: "the one with a pool"."""
    spoken = lexicon(language)
    if spoken.numbers.get(text[mention.start : mention.end].casefold()) != 1:
        return False
    before, after = around(text, mention.start, mention.end)
    follow = _FIRST.match(after.lstrip())
    noun = follow is not None and follow[0].isalpha() and follow[0].casefold() not in spoken.stop
    return (words(before)[-1:] or [""])[0] in spoken.articles and not noun


def says(lowered: str, form: str) -> bool:
    """Return True if a text in small letters has a form of a value as whole words."""
    at = form.casefold()
    return at in lowered and re.search(rf"(?<!\w){re.escape(at)}(?!\w)", lowered) is not None


LONGEST = 5
"""Most words of a place that no capitals mark: "the corner of Broadway and Main" without "the"."""

NAMED = 1.5
"""Log odds of a slot if a word near the value is in its name or description and in no other's. With
0, 44.6 % of STAR's calls are exact, with 3 46.0, with this 46.1."""

RUN = 4
"""Consecutive words shared with a text of the flow that mark wording. With 3, "a room in" of one
text would hide the value in another."""

_WORD = re.compile(r"[^\W_][\w'-]*")
_PLACE = re.compile(r"\{[^}]*\}")


class SlotWords:
    """Words that speak for a task's slots.

    `literals` are words that name no value by themselves: those of the flow's texts without values,
    those of users' purposes, and common ones.
    """

    def __init__(self, task: TaskSchema) -> None:
        self.task, self.language = task, task.language
        lists, texts = lexicon(self.language), task.flow.nodes.values()
        self.literals = {*lists.stop, *lists.common, *lists.verbs}
        self.literals |= {word for group in lists.places.values() for word in group}
        for intent in task.intents.values():
            self.literals |= {*split_name(intent.name), *words(intent.description)}
        for text in (text for node in texts for text in node.texts):
            self.literals |= {*words(_PLACE.sub(" ", text))}
        self._stems = {name: frozenset(self._described(name)) for name in task.slots}
        counts = Counter(stem for stems in self._stems.values() for stem in stems)
        self._keys = {
            name: frozenset(stem for stem in stems if counts[stem] == 1 and len(stem) > 2)
            for name, stems in self._stems.items()
        }
        self._evidence = WordEvidence()
        for name, text in self._examples():
            spoken = tokens(text)
            self._evidence.add(name, neighbours(spoken, spoken.index(f"{{{name}}}")))
        for name, stems in self._stems.items():
            self._evidence.add(name, stems)
        self._names = {name: sorted(split_name(name)) for name in task.slots}
        self._naming = Kept(self._slots_named)
        self._leads = Kept(self._slots_led_to)
        self._idle = frozenset((*lists.stop, *lists.common)) - lists.places.keys()

    def near(self, slot: str, words: frozenset[str], lead: str = "") -> float:
        """Return the log odds of a slot by the words near a value (`neighbours`).

        `lead` are the words of its sentence that precede it, where they may name the slot. Small
        words ("on", "it's") never speak against a slot: a task's few examples have them by chance.
        """
        explicit = slot == self._called(lead) or any(slot in self.named(word) for word in words)
        weights = ((word, self._evidence.weight(slot, (word,))) for word in words)
        evidence = math.fsum(
            weight if weight > 0 or word.strip("<>") not in self._idle else 0.0
            for word, weight in weights
        )
        return evidence + (NAMED if explicit else 0.0)

    def named(self, word: str) -> frozenset[str]:
        """Return the slots with a key word that is a form of a word."""
        return self._naming[word]

    def _slots_named(self, word: str) -> frozenset[str]:
        keys = self._keys.items()
        return frozenset(slot for slot, own in keys if any(same(word, key) for key in own))

    def _called(self, lead: str) -> str:
        """Return the slot that words name last by its whole name, in any order; empty if none."""
        spoken = words(lead)
        matches = (
            (end, len(name), slot)
            for slot, name in self._names.items()
            for end in range(len(name), len(spoken) + 1)
            if name == sorted(spoken[end - len(name) : end])
        )
        return max(matches, default=(0, 0, ""))[2] if spoken else ""

    def leads(self, word: str) -> tuple[str, ...]:
        """Return the slot of places that a word before a place leads to, if there is only one."""
        return self._leads[word]

    def _slots_led_to(self, word: str) -> tuple[str, ...]:
        names, slots = lexicon(self.language).places.get(word, ()), self.task.slots.values()
        name_slots = [slot.name for slot in slots if kind(slot, self.language) == "name"]
        fitting = tuple(slot for slot in name_slots if not {*split_name(slot)}.isdisjoint(names))
        return fitting if len(fitting) == 1 else ()

    def _described(self, name: str) -> Iterator[str]:
        described = {*split_name(name), *words(self.task.slots[name].description)}
        return (word[:STEM] for word in described - lexicon(self.language).stop)

    def _examples(self) -> Iterator[tuple[str, str]]:
        """Yield each slot of each template of a user, with the template.

        A lone placeholder that is no slot's counts as the slot of the preceding question.
        """
        for node, slots in _answering(self.task):
            for text in node.texts:
                template = parse(text)
                places = [part.name for part in template.parts if isinstance(part, Place)]
                pattern = "".join(
                    p if isinstance(p, str) else f"{{{p.name}}}" for p in template.parts
                )
                if len(places) == 1 and len(slots) == 1 and places[0] not in self.task.slots:
                    yield slots[0], pattern.replace(f"{{{places[0]}}}", f"{{{slots[0]}}}")
                for name in places:
                    if name in self.task.slots:
                        yield name, pattern


def fixed(task: TaskSchema, text: str, start: int, end: int) -> bool:
    """Return True if a place of a text lies in the name of a slot or in a run of the flow's words.

    Such words are wording: the user who would like to "book a hotel to stay in" names no value.
    """
    place, (before, after) = words(text[start:end]), map(words, around(text, start, end))
    for length, runs in _wording(task).items():
        more = length - len(place)
        near = [*before[-more:], *place, *after[:more]] if more > 0 else []
        if not runs.isdisjoint(_runs(near, length)):
            return True
    return False


@once_for_each
def _wording(task: TaskSchema) -> Mapping[int, frozenset[tuple[str, ...]]]:
    texts = (text for node in task.flow.nodes.values() for text in node.texts)
    parts = (words(part) for text in texts for part in _PLACE.split(text))
    groups = {RUN: {run for part in parts for run in _runs(part, RUN)}}
    for name in filter(lambda name: len(name) > 1, map(split_name, task.slots)):
        groups.setdefault(len(name), set()).add(tuple(name))
    return {length: frozenset(runs) for length, runs in groups.items()}


def _runs(spoken: list[str], length: int) -> Iterator[tuple[str, ...]]:
    return (tuple(spoken[n : n + length]) for n in range(len(spoken) - length + 1))


def _answering(task: TaskSchema) -> Iterator[tuple[Node, tuple[str, ...]]]:
    slots: dict[str, set[str]] = {}
    for node in task.flow.nodes.values():
        for after in task.flow.following(node) if node.asks else ():
            slots.setdefault(after.name, set()).update(node.asks)
    for node in task.flow.nodes.values():
        if node.kind == "user":
            yield node, tuple(sorted(slots.get(node.name, ())))


@lru_cache(maxsize=8)
def _leading(language: str) -> re.Pattern[str]:
    spoken = lexicon(language)
    directions = [lead for lead, names in spoken.places.items() if lead in names]
    article = rf"(?:(?:{any_of(spoken.articles)})\s+)?"
    lead = rf"\b(?P<lead>{any_of(directions)})\s+['\"]?{article}['\"]?"
    return re.compile(lead, re.IGNORECASE)


@lru_cache(maxsize=8)
def _ending(language: str) -> frozenset[str]:
    spoken = lexicon(language)
    idle = {*spoken.stop, *spoken.verbs, *spoken.common, *spoken.links, *spoken.places}
    idle |= {word for phrase in spoken.without for word in words(phrase)}
    idle |= {*spoken.courtesies, *spoken.months, *spoken.clock_cues, *spoken.parts_of_day}
    return frozenset(idle - {spoken.last.strip(), "of"})


def _goes_on(text: str, word: re.Match[str], language: str) -> bool:
    """Return True if a name in capitals may go on with a word: no two small words follow it."""
    after = _WORD.match(text, word.end() + 1)
    ended = after is None or after[0].casefold() in _ending(language)
    return ended or not (word[0].islower() and after is not None and after[0].islower())


def led_places(text: str, language: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of direction ("to"), each with start and end of the place after it.

    Such a word is also in the names of its slots; "in" is not, and has many other uses.
    """
    joint, infinitives = lexicon(language).last.strip(), lexicon(language).infinitives
    for match in _leading(language).finditer(text):
        verbs = infinitives.get(match["lead"].casefold(), frozenset())
        small = text[match.end("lead") : match.end() + 1].strip().islower()
        before, _ = around(text, match.start(), match.end())
        if small and not verbs.isdisjoint(words(before)[-1:]):
            continue
        end = last = match.end()
        for count, word in enumerate(_WORD.finditer(text, match.end())):
            plain = word[0].casefold()
            if text[last : word.start()].strip() or count == LONGEST or plain in _ending(language):
                break
            if not small and count and plain != joint and not _goes_on(text, word, language):
                break
            if plain == joint and not count:
                break
            last = word.end()
            end = end if plain == joint or (not count and plain[0].isdigit()) else last
        if end > match.end():
            yield match["lead"].casefold(), match.end(), end
