"""Which slots the user has filled: typed values said, questions answered, queries made.

A parameter counts as filled when its value was mentioned, its question was answered, or a query
gave it. Parameters of one kind share what is said of that kind: the second of two times is
mentioned only once two different times are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from dialoom.dialogue import Query
from dialoom.models.follower.links import PLACE
from dialoom.models.follower.program import Program
from dialoom.schema.lexicon import lexicon, split_name, words
from dialoom.schema.task import Parameter
from dialoom.schema.values import find, kind, same

FREE = 4
"""Words beyond those a template explains that make a free text: fewer are a phrase of politeness."""


class SlotTracker:
    """What is known of each parameter of a task, as a dialogue goes on."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.parameters = program.parameters
        self.language = program.spoken.language
        self.rank = _ranks(program)
        self.said: dict[str, set[str]] = {}
        self.mentioned: set[str] = set()
        self.fresh: set[str] = set()
        self.answered: set[str] = set()
        self.lasting: set[str] = set()
        self.queried: dict[str, str] = {}
        self.answers = _answer_cues(program)
        self.people = _people(program)
        self.vocabulary = _vocabulary(program)

    def hear(self, text: str, asked: Parameter | None) -> None:
        """Take in what the user said, in answer to the question for `asked` if one was asked."""
        self.fresh = set()
        taken: list[tuple[int, int]] = []
        for parameter in self.parameters:
            if kind(parameter, self.language) in ("time", "ordinal", "choice"):
                taken += self._typed(text, parameter)
        self._durations(text)
        for parameter in self.parameters:
            what = kind(parameter, self.language)
            if what == "number":
                self._number(text, parameter, taken, asked)
            elif what == "boolean":
                self._named(text, parameter)
            elif what in ("name", "text"):
                self._free(text, parameter, taken)
        if asked is not None and text.strip():
            self.answered.add(asked.name)
            self.fresh.add(asked.name)

    def query(self, event: Query) -> None:
        """Take in what a query gave."""
        for constraint in event.constraints:
            self.queried[constraint.slot] = str(constraint.values)

    def filled(self, name: str) -> bool:
        """Tell whether a parameter has a value by now."""
        return name in self.mentioned or name in self.answered or name in self.queried

    def _typed(self, text: str, parameter: Parameter) -> list[tuple[int, int]]:
        found = find(text, parameter, self.language)
        if found:
            known = self.said.setdefault(_family(parameter), set())
            new = {str(mention.value) for mention in found} - known
            known |= new
            if len(known) > self.rank[parameter.name]:
                self._mention(parameter, bool(new))
        return [(mention.start, mention.end) for mention in found]

    def _durations(self, text: str) -> None:
        """A duration gives the second of two times or dates, once the first is known."""
        heard = set(words(text.replace("-", " ")))
        for what, units in self.program.spoken.durations.items():
            if heard & set(units) and _has_number(text, heard, self.language):
                self.lasting.add(what)
        for parameter in self.parameters:
            what = kind(parameter, self.language)
            known = self.said.get(_family(parameter), ())
            if what in self.lasting and 0 < len(known) and self.rank[parameter.name] == 1:
                self._mention(parameter, False)

    def _mention(self, parameter: Parameter, new: bool) -> None:
        if new or parameter.name not in self.mentioned:
            self.fresh.add(parameter.name)
        self.mentioned.add(parameter.name)

    def _number(
        self,
        text: str,
        parameter: Parameter,
        taken: Sequence[tuple[int, int]],
        asked: Parameter | None,
    ) -> None:
        free = [
            mention
            for mention in find(text, parameter, self.language)
            if not any(mention.start < end and start < mention.end for start, end in taken)
        ]
        if not free:
            return
        alone = sum(kind(p, self.language) == "number" for p in self.parameters) == 1
        named = self._is_named(text, parameter)
        required = parameter.name in self.program.required
        if alone or named or required or asked is parameter:
            self._mention(parameter, True)

    def _named(self, text: str, parameter: Parameter) -> None:
        if self._is_named(text, parameter):
            self._mention(parameter, True)

    def _is_named(self, text: str, parameter: Parameter) -> bool:
        keys = _distinct(self.program.task.id, parameter.name, self.parameters, self.language)
        return any(same(word, key) for word in words(text) for key in keys)

    def _free(self, text: str, parameter: Parameter, taken: Sequence[tuple[int, int]]) -> None:
        cues = self.answers.get(parameter.name, ())
        people = parameter.name in self.people
        if any(self._answers(text, cue, people) for cue in cues) or (
            people and _introduced(text, taken, self.language)
        ):
            self._mention(parameter, True)

    def _answers(self, text: str, cue: str, strong: bool) -> bool:
        """Tell whether a value follows a cue: after one word alone, only what the schema lacks."""
        spoken = text.replace("’", "'")
        for match in re.finditer(rf"(?i)\b{re.escape(cue)}\s+([^\W_]+)", spoken):
            if strong or " " in cue or match[1] != match[1].lower():
                return True
            if match[1] in self.program.spoken.articles or match[1] not in self.vocabulary:
                return True
        return False


@lru_cache(maxsize=8)
def _introduction(language: str) -> re.Pattern[str]:
    phrases = sorted(lexicon(language).introductions, key=len, reverse=True)
    either = "|".join(map(re.escape, phrases))
    return re.compile(rf"\b(?i:{either})\s+((?-i:[A-Z][a-z]+))\b")


def _introduced(text: str, taken: Sequence[tuple[int, int]], language: str) -> bool:
    """Tell whether the user gives a name: a capital after a phrase that may introduce one."""
    return any(
        not any(match.start(1) < end and start < match.end(1) for start, end in taken)
        for match in _introduction(language).finditer(text.replace("’", "'"))
    )


def _has_number(text: str, heard: set[str], language: str) -> bool:
    return any(letter.isdigit() for letter in text) or bool(heard & lexicon(language).numbers.keys())


def _family(parameter: Parameter) -> str:
    """What tells the values of a parameter: those with the same listed values share them."""
    return "\x1f".join(str(value) for value in parameter.values)


def _ranks(program: Program) -> dict[str, int]:
    """How many parameters of the same family are asked for before each."""
    place = {p.name: program.order[action] for action, p in program.links.items()}
    seen: dict[str, int] = {}
    found: dict[str, int] = {}
    for parameter in sorted(program.parameters, key=lambda p: place.get(p.name, 10_000)):
        family = _family(parameter)
        found[parameter.name] = seen.get(family, 0)
        seen[family] = found[parameter.name] + 1
    return found


@lru_cache(maxsize=4096)
def _distinct_words(
    name: str, others: tuple[tuple[str, str], ...], language: str
) -> tuple[str, ...]:
    stop = lexicon(language).stop
    mine = next(readable for other, readable in others if other == name)
    rest = {word for other, readable in others if other != name for word in words(readable)}
    own = [w for w in words(mine) if w not in stop and w not in rest and len(w) > 2]
    return tuple(own or [w for w in words(mine) if w not in stop])


def _distinct(
    task: str, name: str, parameters: Iterable[Parameter], language: str
) -> tuple[str, ...]:
    described = tuple((p.name, p.readable or p.name) for p in parameters)
    return _distinct_words(name, described, language)


def _answer_cues(program: Program) -> dict[str, tuple[str, ...]]:
    """The words just before the placeholder in what the flow graph expects users to answer."""
    found: dict[str, list[str]] = {}
    for edge in program.edges:
        parameter = program.links.get(edge.before or "")
        match = PLACE.search(edge.condition) if edge.source == "user" else None
        if parameter is None or match is None:
            continue
        before = words(edge.condition[: match.start()])
        if len(before) >= 2:
            found.setdefault(parameter.name, []).append(" ".join(before[-2:]))
        free = kind(parameter, program.spoken.language) == "text"
        if before and not free and before[-1] not in program.spoken.links:
            found.setdefault(parameter.name, []).append(before[-1])
    for name in _people(program):
        found[name] = [*program.spoken.names]
    return {name: tuple(dict.fromkeys(cues)) for name, cues in found.items()}


def _vocabulary(program: Program) -> frozenset[str]:
    texts = [*program.texts.values(), *(PLACE.sub(" ", e.condition) for e in program.edges)]
    examples = (program.task.examples or {}).values()
    return frozenset(w for t in (*texts, *(x for lines in examples for x in lines)) for w in words(t))


def _people(program: Program) -> frozenset[str]:
    """The parameters that take the name of a person: free texts whose question asks for a name."""
    wanted = set(program.spoken.asked_by.get("name", ())[:1])
    return frozenset(
        parameter.name
        for parameter in program.parameters
        if kind(parameter, program.spoken.language) == "name"
        and wanted & set(split_name(parameter.readable or parameter.name))
    )
