"""How values of a task's parameters are recognised in texts, computed once from its schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from dialoom.flow.action_view import ActionView
from dialoom.schema.lexicon import split_name, words
from dialoom.schema.slot import Slot
from dialoom.schema.template import PLACE, PLACEHOLDER
from dialoom.schema.values import Kind, kind

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
            if program.graph.after_answer(action, given=False)
            != program.graph.leaving.get(action, ())
        )

    def _words(self, conditions: Iterable[str]) -> frozenset[str]:
        texts = (*self.program.texts.values(), *conditions)
        bare = (PLACEHOLDER.sub(" ", PLACE.sub(" ", text)) for text in texts)
        return frozenset(word for text in bare for word in words(text))

    def _free_text(self) -> Slot | None:
        """Return the API's only input of free text.

        Parameters made for a question without an input (`view_actions`) have the name of its action
        and do not count.
        """
        own = self.program.links.keys()
        texts = [p for p in self.program.parameters if self.kinds[p.name] == "text"]
        called = [parameter for parameter in texts if parameter.name not in own]
        return called[0] if len(called) == 1 else None

    def _explained(self) -> frozenset[str]:
        """Return the words of all replies, expected answers, names and values of the task.

        Expected answers to the question for the free text are left out: they are examples of it.
        """
        links = self.program.links
        asks = {action for action, slot in links.items() if slot is self.free_text}
        found = set(self._words(e.condition for e in self.program.edges if e.before not in asks))
        for parameter in self.program.parameters:
            found |= {*split_name(parameter.name), *words(parameter.description or "")}
            found |= {word for value in parameter.values for word in words(str(value))}
        spoken = self.program.spoken
        return frozenset(found | spoken.stop | spoken.verbs | spoken.common)

    def _family(self, parameter: Slot) -> str:
        """Return the key of parameters with the same values: their kind, and the values listed."""
        what = self.kinds[parameter.name]
        listed = parameter.values if what == "choice" else ()
        return "\x1f".join((what, *map(str, listed)))

    def _ranks(self) -> dict[str, int]:
        order, links = self.program.order, self.program.links
        place = {parameter.name: order[action] for action, parameter in links.items()}
        self.place = {p.name: place.get(p.name, LAST) for p in self.program.parameters}
        seen: Counter[str] = Counter()
        found: dict[str, int] = {}
        for parameter in sorted(self.program.parameters, key=lambda p: place.get(p.name, LAST)):
            found[parameter.name] = seen[self.families[parameter.name]]
            seen[self.families[parameter.name]] += 1
        return found

    def _speaker(self) -> str | None:
        wanted = set(self.program.spoken.asked_by.get("name", ())[:1])
        people = [
            parameter.name
            for parameter in self.program.parameters
            if self.kinds[parameter.name] == "name"
            and wanted & set(split_name(parameter.description or parameter.name))
        ]
        return min(people, key=lambda name: self.place[name], default=None)

    def _cues(self) -> dict[str, tuple[str, ...]]:
        """Return parameter to the words before its value that no other's expected answers have."""
        found: dict[str, set[str]] = {}
        for edge in self.program.edges:
            parameter = self.program.links.get(edge.before or "")
            place = PLACE.search(edge.condition) if edge.source == "user" else None
            if place and parameter is not None and self.kinds[parameter.name] == "name":
                before = words(edge.condition[: place.start()])
                found.setdefault(parameter.name, set()).update(self._phrases(before))
        owners = Counter(phrase for phrases in found.values() for phrase in phrases)
        if self.speaker is not None:
            found[self.speaker] = set(self.program.spoken.names)
        return {
            name: tuple(sorted(phrase for phrase in phrases if owners[phrase] < 2))
            for name, phrases in found.items()
        }

    def _phrases(self, before: list[str]) -> list[str]:
        """Return the last two words before a value; the last alone unless it is a linking word."""
        found = [" ".join(before[-2:])] if len(before) >= 2 else []
        if before and before[-1] not in self.program.spoken.links:
            found.append(before[-1])
        return found

    def _keys(self) -> dict[str, tuple[str, ...]]:
        """Return parameter to the words of its names, question and answers that no other has."""
        described = {p.name: self._description(p) for p in self.program.parameters}
        counts = Counter(word for found in described.values() for word in found)
        spoken = self.program.spoken
        idle = spoken.stop | spoken.verbs | spoken.common
        return {
            name: tuple(sorted(w for w in found - idle if counts[w] == 1 and len(w) > 2))
            for name, found in described.items()
        }

    def _description(self, parameter: Slot) -> set[str]:
        found = set(split_name(parameter.name)) | set(words(parameter.description or ""))
        for action, linked in self.program.links.items():
            if linked.name == parameter.name:
                found |= set(words(self.program.texts[action]))
                for edge in self.program.edges:
                    if edge.before == action and edge.source == "user":
                        found |= set(words(PLACE.sub(" ", edge.condition)))
        return found - self._common()

    def _common(self) -> set[str]:
        texts = [
            text for action, text in self.program.texts.items() if action not in self.program.links
        ]
        counts = Counter(w for text in texts for w in set(words(PLACEHOLDER.sub(" ", text))))
        return {word for word, count in counts.items() if count >= max(MANY, len(texts) / 4)}
