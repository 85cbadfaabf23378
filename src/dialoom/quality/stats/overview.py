"""One corpus's column of table 1 of the STAR paper, with SGD's sizes added; users' vocabulary.

Dialogues are those that came to their end. Turns are utterances and queries, as in the STAR paper;
speaker turns are runs of utterances by one speaker. Slots and values are distinct (service, slot)
and (service, slot, value) of annotation and queries; of a service that lists its slots, only those.

Distinct tokens and values are remembered as 64-bit hashes, up to MOST of each; beyond that the
figure is None and the table says "more than".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Dialogue, Part, Query, Utterance
from dialoom.dialogue.views import parts
from dialoom.quality.stats.analysis import Result, complete, difficulty, ratio, said, services_of
from dialoom.quality.stats.distributions import domains_of
from dialoom.schema.labels import read
from dialoom.schema.task import TaskSchema

MOST = 500_000
"""Most distinct tokens, values or words that are counted, to bound memory: some 50 MB each."""

TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
"""A word with its inner apostrophes, or one sign of punctuation."""


class Distinct:
    """Counts distinct items in bounded memory."""

    def __init__(self, most: int = MOST) -> None:
        self._seen: set[int] = set()
        self._most = most

    def add(self, things: Iterable[object]) -> None:
        """Add items."""
        if len(self._seen) <= self._most:
            self._seen.update(map(hash, things))

    @property
    def count(self) -> int | None:
        """The number of distinct items; None above the limit."""
        return len(self._seen) if len(self._seen) <= self._most else None


class Overview:
    """A corpus's column of table 1; at most `most` distinct tokens and values are counted."""

    def __init__(
        self, schemas: Mapping[str, TaskSchema], format: str = "", most: int = MOST
    ) -> None:
        self._schemas = schemas
        self._own = {name: set(task.slots) for name, task in schemas.items() if task.is_service}
        self._published = formats.traits(format).published
        self.counts: Counter[str] = Counter()
        self.domains: set[str] = set()
        self.tasks: set[str] = set()
        self.intents: set[tuple[str | None, str]] = set()
        self.acts: set[str] = set()
        self.slots: set[tuple[str | None, str]] = set()
        self.kinds: set[str] = set()
        self.tokens, self.values = Distinct(most), Distinct(most)

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue if it came to its end."""
        if not complete(dialogue):
            return
        self.counts["dialogues"] += 1
        self._add_scenario(dialogue)
        before = ""
        for event in dialogue.events:
            if isinstance(event, Utterance):
                if event.agent in (USER, SYSTEM):
                    self.counts["speaker turns"] += event.agent != before
                    before = event.agent
                    self._add_utterance(event)
            elif isinstance(event, Query):
                self.counts["queries"] += 1
                owner = event.service or event.api
                for constraint in event.constraints:
                    self._add_values(owner, constraint.slot, constraint.values)

    def _add_scenario(self, dialogue: Dialogue) -> None:
        services = services_of(dialogue, self._schemas)
        self.tasks.update(services)
        scenario = dialogue.scenario
        self.domains |= domains_of(dialogue, services)
        if scenario is not None and scenario.happy is not None:
            self.kinds.add(difficulty(scenario))

    def _add_utterance(self, event: Utterance) -> None:
        counts = self.counts
        tokens = TOKEN.findall(event.text)
        counts["utterances"] += 1
        counts["timed"] += event.time is not None
        counts["white space"] += len(event.text.split())
        counts["punctuation split"] += len(tokens)
        self.tokens.add(map(str.lower, tokens))
        for part in parts(event):
            self._add_part(part, event.text)

    def _add_part(self, part: Part, words: str) -> None:
        for act in part.acts or ():
            self.acts.add(act.name)
            for slot, values in said(act.arguments):
                self._add_values(part.service, slot, values)
        if part.state is not None:
            if part.state.intent:
                self.intents.add((part.service, part.state.intent))
            for slot, values in part.state.values.items():
                self._add_values(part.service, slot, values)
        for span in part.spans or ():
            value = words[span.start : span.end] if span.text is None else span.text
            for label in dict.fromkeys(span.labels):
                reading = read(label, self._own)
                if reading.argument:
                    self._add_values(part.service or reading.service, reading.argument, (value,))

    def _add_values(self, owner: str | None, slot: str, values: Iterable[object]) -> None:
        if owner in self._own and slot not in self._own[owner]:
            return
        self.slots.add((owner, slot))
        self.values.add((owner, slot, repr(value)) for value in values)

    def result(self) -> Result | None:
        """Return the column, and the published one."""
        counts = self.counts
        dialogues, utterances = counts["dialogues"], counts["utterances"]
        if not dialogues:
            return None
        turns = utterances + counts["queries"]
        column: Result = {
            "dialogues": dialogues,
            "domains": len(self.domains) or None,
            "tasks": len(self.tasks) or None,
            "intents": len(self.intents) or None,
            "acts": len(self.acts) or None,
            "slots": len(self.slots) or None,
            "values": self.values.count,
            "utterances": utterances,
            "utterances_per_dialogue": ratio(utterances, dialogues),
            "speaker_turns": counts["speaker turns"],
            "speaker_turns_per_dialogue": ratio(counts["speaker turns"], dialogues),
            "queries": counts["queries"],
            "turns": turns,
            "turns_per_dialogue": ratio(turns, dialogues),
            "tokens_per_utterance_white_space": ratio(counts["white space"], utterances),
            "tokens_per_utterance_punctuation_split": ratio(
                counts["punctuation split"], utterances
            ),
            "unique_tokens": self.tokens.count,
            "slots_in_schemas": _in_schemas(self._schemas),
            "flow_graphs": any(
                n.then for task in self._schemas.values() for n in task.flow.nodes.values()
            ),
            "time_stamps": counts["timed"] > 0,
            "difficulty_progression": len(self.kinds) > 1,
            "explicit_queries": counts["queries"] > 0,
        }
        if self._published is not None:
            column["published"] = {
                **self._published._asdict(),
                "comparable": self._published.dialogues == dialogues,
            }
        return column


def _in_schemas(schemas: Mapping[str, TaskSchema]) -> int | None:
    slots = {
        (name, slot) for name, task in schemas.items() if task.is_service for slot in task.slots
    } | {
        (name, column.name)
        for name, task in schemas.items()
        for call in task.calls.values()
        for column in call.inputs
    }
    return len(slots) or None


_WORD = re.compile(r"((?:^|[.!?:\"“(])\s*)?([^\W\d_]+(?:['’][^\W\d_]+)*)")
"""A word, after what begins a sentence, if anything does."""

_SINGLE = re.compile(r"[^\W\d_](?:['’].*)?")
"""A word of one letter, shortened ones too (I, I'm), whose capital marks no name."""


class UserVocabulary:
    """Counts at most `most` distinct words of users, as near to the STAR paper's count as possible.

    The paper names no dictionary and does not define entities. So there are three counts, each a
    part of the one before: words; those without names, which are words that both sides write with a
    capital more often than not, where no sentence begins; of these, the words in two dialogues or
    more.
    """

    def __init__(self, published: int | None = None, most: int = MOST) -> None:
        self._published, self._most = published, most
        self._dialogues: Counter[str] = Counter()
        self._cased: Counter[str] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue's words."""
        if len(self._dialogues) > self._most:
            return
        used = set()
        for event in dialogue.events:
            if isinstance(event, Utterance) and event.agent in (USER, SYSTEM):
                for begins, spelt in _WORD.findall(event.text):
                    word = spelt.lower()
                    if event.agent == USER:
                        used.add(word)
                    if not begins:
                        self._cased[word] += 1 if spelt[0].isupper() else -1
        self._dialogues.update(used)

    def result(self) -> Result | None:
        """Return the three counts, and the published one."""
        if not self._dialogues:
            return None
        complete = len(self._dialogues) <= self._most
        counts = [
            n for w, n in self._dialogues.items() if self._cased[w] <= 0 or _SINGLE.fullmatch(w)
        ]
        return {
            "words": len(self._dialogues) if complete else None,
            "without_entities": len(counts) if complete else None,
            "again": sum(n > 1 for n in counts) if complete else None,
            **({"published": self._published} if self._published else {}),
        }
