"""Tracks filled slots: typed values said, questions answered, queries made.

A parameter counts as filled when its value was mentioned, its question was answered, or a query had
it. Parameters with the same values share their mentions: the second of two times counts as
mentioned once two different times were said, or one time and a duration. Free text, such as a
request, counts as mentioned once the user says unasked words that nothing else in the task has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from dialoom.dialogue import Query
from dialoom.flow.action_view import ActionView
from dialoom.models.follower.similarity import bare
from dialoom.schema.lexicon import NEVER, cues, lexicon, split_name, words
from dialoom.schema.slot import Slot
from dialoom.schema.template import PLACE, PLACEHOLDER
from dialoom.schema.values import Kind, Mention, best, find, kind, same

MANY = 3
"""Replies that a word must be in to count as common in a task, or a quarter of them if more."""

LAST = 10_000
"""The place of parameters that no action asks for: after all others."""


class SlotPlan:
    """Wordings of the values of a task's parameters, from its schema.

    `kinds` are kinds of values ("time", "choice", "text" …); parameters with the same values share
    a key in `families`, and `rank` counts those of the family asked for before. `cues` are words
    before a value in expected answers, `keys` words that describe no other parameter. `place` is
    that of its question in the flow. `speaker` is the parameter for the user's own name.
    `vocabulary` has the words of replies and expected answers. `free_text` is the only API input of
    free text, or None; a text of words in `explained` (those of the rest of the task, and function
    words) is no value of it. The flow expects answers without a value to `declinable` ones.
    """

    def __init__(self, program: ActionView) -> None:
        self.program = program
        self.language = program.spoken.language
        self.kinds: dict[str, Kind] = {p.name: kind(p, self.language) for p in program.parameters}
        self.families = {p.name: self._family(p) for p in program.parameters}
        orders = {slot.name: program.order[action] for action, slot in program.links.items()}
        self.place = {p.name: orders.get(p.name, LAST) for p in program.parameters}
        self.rank = self._ranks()
        self.speaker = self._speaker()
        self.cues = self._cues()
        self.keys = self._keys()
        self.vocabulary = self._words(edge.condition for edge in program.edges)
        self.free_text = self._free_text()
        self.explained = self._explained()
        self.declinable = frozenset(
            slot.name
            for action, slot in program.links.items()
            if program.graph.after_answer(action, has_value=False)
            != program.graph.leaving.get(action, ())
        )

    def _words(self, conditions: Iterable[str]) -> frozenset[str]:
        texts = (*self.program.texts.values(), *conditions)
        return frozenset(word for text in texts for word in words(bare(text)))

    def _free_text(self) -> Slot | None:
        """Return the API's only input of free text.

        Parameters made for a question without an input (`view_actions`) have the name of its action
        and do not count.
        """
        texts = [p for p in self.program.parameters if self.kinds[p.name] == "text"]
        inputs = [each for each in texts if each.name not in self.program.links]
        return inputs[0] if len(inputs) == 1 else None

    def _explained(self) -> frozenset[str]:
        """Return the words of all replies, expected answers, names and values of the task.

        Expected answers to the question for the free text are left out: they are examples of it.
        """
        links = self.program.links
        asks = {action for action, slot in links.items() if slot is self.free_text}
        terms = set(self._words(e.condition for e in self.program.edges if e.before not in asks))
        for parameter in self.program.parameters:
            terms |= {*split_name(parameter.name), *words(parameter.description or "")}
            terms |= {word for value in parameter.values for word in words(str(value))}
        spoken = self.program.spoken
        return frozenset(terms | spoken.stop | spoken.verbs | spoken.common)

    def _family(self, parameter: Slot) -> str:
        what = self.kinds[parameter.name]
        choices = parameter.values if what == "choice" else ()
        return "\x1f".join((what, *map(str, choices)))

    def _ranks(self) -> dict[str, int]:
        counts: Counter[str] = Counter()
        ranks: dict[str, int] = {}
        for name in sorted(self.place, key=self.place.__getitem__):
            ranks[name] = counts[self.families[name]]
            counts[self.families[name]] += 1
        return ranks

    def _speaker(self) -> str | None:
        cues = set(self.program.spoken.asked_by.get("name", ())[:1])
        people = [
            parameter.name
            for parameter in self.program.parameters
            if self.kinds[parameter.name] == "name"
            and cues & set(split_name(parameter.description or parameter.name))
        ]
        return min(people, key=lambda name: self.place[name], default=None)

    def _cues(self) -> dict[str, tuple[str, ...]]:
        """Return parameter to the words before its value that no other's expected answers have."""
        cues: dict[str, set[str]] = {}
        for edge in self.program.edges:
            parameter = self.program.links.get(edge.before or "")
            place = PLACE.search(edge.condition) if edge.source == "user" else None
            if place and parameter is not None and self.kinds[parameter.name] == "name":
                before = words(edge.condition[: place.start()])
                phrases = cues.setdefault(parameter.name, set())
                if len(before) >= 2:
                    phrases.add(" ".join(before[-2:]))
                if before and before[-1] not in self.program.spoken.links:
                    phrases.add(before[-1])
        owners = Counter(phrase for phrases in cues.values() for phrase in phrases)
        if self.speaker is not None:
            cues[self.speaker] = set(self.program.spoken.names)
        return {
            name: tuple(sorted(phrase for phrase in phrases if owners[phrase] < 2))
            for name, phrases in cues.items()
        }

    def _keys(self) -> dict[str, tuple[str, ...]]:
        """Return parameter to the words of its names, question and answers that no other has."""
        described = {p.name: self._description(p) for p in self.program.parameters}
        counts = Counter(word for terms in described.values() for word in terms)
        spoken, links = self.program.spoken, self.program.links
        texts = [text for action, text in self.program.texts.items() if action not in links]
        usual = Counter(w for text in texts for w in set(words(PLACEHOLDER.sub(" ", text))))
        common = {word for word, n in usual.items() if n >= max(MANY, len(texts) / 4)}
        idle = common | spoken.stop | spoken.verbs | spoken.common
        return {
            name: tuple(sorted(w for w in terms - idle if counts[w] == 1 and len(w) > 2))
            for name, terms in described.items()
        }

    def _description(self, parameter: Slot) -> set[str]:
        terms = set(split_name(parameter.name)) | set(words(parameter.description or ""))
        for action, linked in self.program.links.items():
            if linked.name == parameter.name:
                terms |= set(words(self.program.texts[action]))
                for edge in self.program.edges:
                    if edge.before == action and edge.source == "user":
                        terms |= set(words(PLACE.sub(" ", edge.condition)))
        return terms


LEAST = 0.45
"""Least confidence of a mention that counts."""

CONTENT = 2
"""Least number of words of its own that make a user turn mention the free text."""

_WORD = re.compile(r"[^\W\d_]{2,}(?:['.][^\W_]+)*")

Spans = Sequence[tuple[int, int]]


class FilledSlots:
    """State of each parameter of a task, updated event by event.

    Parameters are `mentioned` by value, `answered` by a reply to their question, `queried` by a
    query, `fresh` if the last user turn filled them, and `refused` if the user had no answer.
    """

    def __init__(self, plan: SlotPlan) -> None:
        self.plan = plan
        self.program, self.language = plan.program, plan.language
        self.parameters = plan.program.parameters
        self.said: dict[str, set[str]] = {}
        self.lasting: set[str] = set()
        self.mentioned: set[str] = set()
        self.answered: set[str] = set()
        self.queried: set[str] = set()
        self.fresh: set[str] = set()
        self.refused: set[str] = set()

    def hear(self, text: str, slot: Slot | None) -> None:
        """Update by a user turn, the answer to the question for `slot` if one was asked."""
        self.fresh = set()
        spoken = text.replace("’", "'")
        spans: list[tuple[int, int]] = []
        for parameter in self.parameters:
            if self.plan.kinds[parameter.name] in ("time", "date", "choice"):
                spans += self._typed(spoken, parameter)
        self._durations(spoken)
        for parameter in self.parameters:
            what = self.plan.kinds[parameter.name]
            if what == "number":
                spans += self._number(spoken, parameter, spans, slot)
            elif what == "boolean" and self._is_named(spoken, parameter):
                self._mention(parameter, True)
            elif what == "name":
                self._free(spoken, parameter, spans)
        if slot is None and self.plan.free_text is not None:
            self._content(spoken, spans, self.plan.free_text)
        if slot is not None and text.strip():
            if not spans and self._declines(spoken, slot):
                self.refused.add(slot.name)
            else:
                self.answered.add(slot.name)
                self.fresh.add(slot.name)

    def _declines(self, text: str, slot: Slot) -> bool:
        """True if an answer without a known value gives none.

        A "no" and an answer without the number, time or date asked for count only if the flow
        expects an answer without a value.
        """
        signs = cues(text, self.language)
        if signs["unsure"]:
            return True
        what = self.plan.kinds[slot.name]
        if slot.name not in self.plan.declinable or slot.name in self.fresh:
            return False
        if what in ("number", "time", "date"):
            return True
        first = next(iter(words(text)), "")
        return signs["no"] if what == "choice" else lexicon(self.language).truth(first) is False

    def query(self, event: Query) -> None:
        """Update by a query: its constraints are filled."""
        self.queried |= {constraint.slot for constraint in event.constraints}

    def filled(self, name: str) -> bool:
        """True if a parameter has a value by now."""
        return name in self.mentioned or name in self.answered or name in self.queried

    def _typed(self, text: str, parameter: Slot) -> Spans:
        mentions = _surely(text, parameter, self.language)
        if mentions:
            values = self.said.setdefault(self.plan.families[parameter.name], set())
            new = {str(mention.value) for mention in mentions} - values
            values |= new
            if len(values) > self.plan.rank[parameter.name]:
                self._mention(parameter, bool(new))
        return [(mention.start, mention.end) for mention in mentions]

    def _durations(self, text: str) -> None:
        """Fill the second of two times or dates if the user said the first and a duration."""
        terms = set(words(text.replace("-", " ")))
        numbers = lexicon(self.language).numbers
        numbered = any(map(str.isdigit, text)) or not terms.isdisjoint(numbers)
        for what, units in self.program.spoken.durations.items():
            if numbered and terms & set(units):
                self.lasting.add(what)
        for parameter in self.parameters:
            lasting = self.plan.kinds[parameter.name] in self.lasting
            second = self.plan.rank[parameter.name] == 1
            if lasting and second and self.said.get(self.plan.families[parameter.name]):
                self._mention(parameter, False)

    def _mention(self, parameter: Slot, new: bool) -> None:
        if new or parameter.name not in self.mentioned:
            self.fresh.add(parameter.name)
        self.mentioned.add(parameter.name)

    def _content(self, text: str, spans: Spans, parameter: Slot) -> None:
        terms = {
            match[0].lower()
            for match in _WORD.finditer(text)
            if not _overlaps(match.start(), match.end(), spans) and not _is_name(text, match)
        }
        if len(terms - self.plan.explained) >= CONTENT:
            self._mention(parameter, False)

    def _number(self, text: str, parameter: Slot, spans: Spans, slot: Slot | None) -> Spans:
        """Fill a number that was requested, named, or that only one parameter can take."""
        free = [
            (mention.start, mention.end)
            for mention in _surely(text, parameter, self.language)
            if not _overlaps(mention.start, mention.end, spans)
        ]
        numbers = sum(what == "number" for what in self.plan.kinds.values())
        if not free or not (
            slot is parameter
            or (numbers == 1 and (slot is None or self.plan.kinds[slot.name] != "number"))
            or self._is_named(text, parameter)
        ):
            return []
        self._mention(parameter, True)
        return free if numbers == 1 else []

    def _is_named(self, text: str, parameter: Slot) -> bool:
        keys = self.plan.keys[parameter.name]
        return any(same(word, key) for word in words(text) for key in keys)

    def _free(self, text: str, parameter: Slot, spans: Spans) -> None:
        phrases = self.plan.cues.get(parameter.name, ())
        speaker = parameter.name == self.plan.speaker
        introduced = _introduction(self.language).finditer(text) if speaker else ()
        if any(self._answers(text, phrase, speaker) for phrase in phrases) or any(
            not _overlaps(*match.span(1), spans) for match in introduced
        ):
            self._mention(parameter, True)

    def _answers(self, text: str, cue: str, strong: bool) -> bool:
        """True if a value follows a cue: after one word alone, only a possible value."""
        spoken = self.program.spoken
        for match in re.finditer(rf"(?i)\b{re.escape(cue)}\s+['\"]?([^\W_]+)", text):
            if strong or " " in cue or match[1] != match[1].lower():
                return True
            if match[1] in spoken.articles or match[1][0].isdigit():
                return True
            if match[1] not in self.plan.vocabulary and match[1] not in spoken.verbs:
                return True
        return False


def _surely(text: str, parameter: Slot, language: str) -> tuple[Mention, ...]:
    mentions = find(text, (parameter,), language)
    return best(mention for mention in mentions if mention.confidence >= LEAST)


def _overlaps(start: int, end: int, spans: Spans) -> bool:
    return any(start < other_end and other_start < end for other_start, other_end in spans)


def _is_name(text: str, word: re.Match[str]) -> bool:
    before = text[: word.start()].rstrip()
    return before != "" and before[-1] not in ".!?" and word[0].istitle()


@lru_cache(maxsize=8)
def _introduction(language: str) -> re.Pattern[str]:
    phrases = sorted(lexicon(language).introductions, key=len, reverse=True)
    either = "|".join(map(re.escape, phrases)) or NEVER
    return re.compile(rf"\b(?i:{either})\s+((?-i:[A-Z][a-z]+))\b")
