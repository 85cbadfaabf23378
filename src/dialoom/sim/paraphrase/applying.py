"""Applies a paraphraser to dialogues: the same events in other words, with moved annotation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as with_changes

from msgspec.structs import replace

from dialoom.dialogue import USER, Dialogue, Event, Span, Utterance
from dialoom.dialogue.views import utterances
from dialoom.errors import UnknownNameError, UsageError
from dialoom.schema.lexicon import lexicon
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.grammar import ARTICLES, wrong_articles
from dialoom.sim.noise.kind import each_span
from dialoom.sim.noise.noise import AGENTS, ALL, is_mark
from dialoom.sim.paraphrase.keeping import Judge, Place, Refusal, folded, kept
from dialoom.sim.paraphrase.paraphraser import Paraphraser, SourceLine

Likeness = Callable[[str], float]
"""Distance of a text from the texts of a corpus: bits a word."""

SHORTEST, LONGEST = 0.4, 2.5
"""Limits of a draft's length, as parts of the line's: beyond them something was lost or added."""

_DOUBLED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
_ODD = re.compile(r"  | [,.?!]|[{}\[\]<>*_]|\w[!?.]\w{3}")


class DraftFilter:
    """Chooses among drafts; `UnknownNameError` without a lexicon of the language.

    `likeness` scores how unlike a corpus a text is, if given.
    """

    def __init__(self, language: str, likeness: Likeness | None = None) -> None:
        self._articles = set(lexicon(language).articles) >= ARTICLES
        self._likeness = likeness

    def best(self, line: str, drafts: Sequence[str], others: Collection[str]) -> int:
        """Return the index of the best draft, the first of equal ones.

        `line` is the original text; `others` are the dialogue's other texts, folded.
        """
        return min(range(len(drafts)), key=lambda place: self._rank(line, drafts[place], others))

    def _rank(self, line: str, draft: str, texts: Collection[str]) -> tuple[float, ...]:
        short = not SHORTEST <= len(draft) / max(len(line), 1) <= LONGEST
        unlike = self._likeness(draft) if self._likeness is not None else 0.0
        faults = self.faults(draft) - self.faults(line) + _unlike_form(line, draft)
        return max(faults, 0), folded(draft) in texts, short, draft == line, unlike

    def faults(self, text: str) -> int:
        """Return how many faults of form a text has."""
        wrong = wrong_articles(text) if self._articles else 0
        return wrong + len(_DOUBLED.findall(text)) + len(_ODD.findall(text))


def _unlike_form(line: str, draft: str) -> int:
    capital = line[:1].isupper() and draft[:1].islower()
    return capital + (line[-1:] in ".?!" and draft[-1:].isalnum())


ATTEMPTS = 2
"""Default of how often a line is paraphrased before it stays as it is."""


class Paraphrasing:
    """Rewords the utterances of dialogues.

    Raises `UnknownNameError` for agents and languages without a lexicon, `UsageError` for fewer
    than one attempt.

    Args:
        schemas: The tasks or services of the dialogues; a paraphrase may add none of their values.
        agent: The speaker of the utterances: user, system or all.
        attempts: Paraphrases of a line before it stays as it is, 1 or more.
        drafts: Paraphrases of a line at each attempt; the best is used.
        likeness: Scores how unlike a corpus a text is, to choose among drafts.

    Attributes:
        counts: Utterances paraphrased, the same as before, and refused, by reason; requests and
            tokens of paid answers.
    """

    def __init__(
        self,
        paraphraser: Paraphraser,
        schemas: Mapping[str, TaskSchema] | None = None,
        language: str = "en",
        agent: str = ALL,
        attempts: int = ATTEMPTS,
        drafts: int = 1,
        likeness: Likeness | None = None,
    ) -> None:
        if agent not in AGENTS:
            raise UnknownNameError("agent", agent, AGENTS)
        if min(attempts, drafts) < 1:
            raise UsageError(
                f"{min(attempts, drafts)} attempts or drafts; ask for 1 or more",
                code="out-of-range",
            )
        self._drafts, self._filter = drafts, DraftFilter(language, likeness)
        self._paraphraser, self._agent, self._attempts = paraphraser, agent, attempts
        self._judge = Judge(schemas or {}, language)
        self.counts: Counter[str] = Counter()

    def dialogue(self, dialogue: Dialogue) -> Dialogue:
        """Return the dialogue in other words; refused paraphrases leave utterances as they are."""
        events = list(dialogue.events)
        waiting = list(self._lines(dialogue))
        refused: list[tuple[SourceLine, Refusal]] = []
        for attempt in range(self._attempts):
            if not waiting:
                break
            refused = []
            numbers = range(attempt * self._drafts, (attempt + 1) * self._drafts)
            batches = ([with_changes(line, attempt=n) for line in waiting] for n in numbers)
            drafts = [self._paraphraser.paraphrase(lines) for lines in batches]
            for line, *texts in zip(waiting, *drafts, strict=True):
                new = self._chosen(events, line, texts)
                if isinstance(new, Refusal):
                    refused.append((line, new))
                else:
                    self.counts["same" if new is events[line.event] else "paraphrased"] += 1
                    events[line.event] = new
            waiting = [line for line, _ in refused]
        for _, why in refused:
            self._refuse(why)
        spent: Counter[str] = getattr(self._paraphraser, "spent", None) or Counter()
        self.counts.update(spent)
        spent.clear()
        return replace(dialogue, events=tuple(events))

    def _chosen(
        self, events: Sequence[Event], line: SourceLine, texts: Sequence[str]
    ) -> Utterance | Refusal:
        drafts = [self._taken(events[line.event], line, text) for text in texts]
        sound = [new for new in drafts if not isinstance(new, Refusal)]
        if len(sound) < 2:
            return sound[0] if sound else drafts[0]
        others = (e for place, e in enumerate(events) if place != line.event)
        wordings = {folded(e.text) for e in others if isinstance(e, Utterance)}
        return sound[self._filter.best(line.text, [new.text for new in sound], wordings)]

    def _lines(self, dialogue: Dialogue) -> Iterator[SourceLine]:
        history: list[tuple[str, str]] = []
        goal = dialogue.scenario.goal if dialogue.scenario is not None else None
        person = str(goal.get("person", "")) if isinstance(goal, dict) else ""
        for index, event in utterances(dialogue):
            if self._agent in (ALL, event.agent) and event.text.strip() and not is_mark(event.text):
                self.counts["utterances"] += 1
                places = kept(event)
                if (why := self._judge.barred(event, places)) is not None:
                    self._refuse(why)
                else:
                    before = tuple(history)
                    persona = person if event.agent == USER else ""
                    yield SourceLine(
                        dialogue.id, index, event.agent, event.text, places, before, persona
                    )
            history.append((event.agent, event.text))

    def _taken(self, event: Event, line: SourceLine, text: str) -> Utterance | Refusal:
        if not isinstance(event, Utterance):
            raise TypeError(f"event {line.event} is no utterance")
        if text == event.text:
            return event
        places = self._judge.align(event, line.kept, text)
        if isinstance(places, Refusal):
            return places
        return reworded(event, text, zip(line.kept, places, strict=True))

    def _refuse(self, why: Refusal) -> None:
        self.counts["refused"] += 1
        self.counts[f"refused: {why}"] += 1


def reworded(event: Utterance, text: str, moves: Iterable[tuple[Place, Place]]) -> Utterance:
    """Return an utterance with another text, its spans moved with their values.

    `moves` has each value's place in the old text and in the new one.
    """
    moved = list(moves)
    layers = each_span(event, lambda span: _span(span, moved))
    return replace(event, text=text, layers=layers)


def _span(span: Span, moves: list[tuple[Place, Place]]) -> Span:
    for (start, end), (first, _) in moves:
        if start <= span.start and span.end <= end:
            return replace(span, start=span.start - start + first, end=span.end - start + first)
    return span
