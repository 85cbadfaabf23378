"""Paraphrases: one person rewords the utterances of a dialogue (Rastogi et al. 2020, SGD).

    {"0": {"text": "Find me a coach from Ostby"}, "1": {"text": "6 pm, at 6 pm?", "starts": [9]}}

A part is an utterance, named by its index among the utterances. Values that have spans (in SGD
those of slots that are not categorical) must be repeated letter by letter, and are found in the new
text by exact match. For a value with more occurrences than before, the writer marks the
right one: `starts` has the offset (in code points) of each value in order, or null.
Acts and states stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.dialogue_work import TextWork, lines, said_at, utterances
from dialoom.collect.log.record import Role
from dialoom.collect.message import Refused, cleaned
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.unit import Data, Result, Scenarios
from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.sim.core.plan import PRESETS, Plan, Request
from dialoom.sim.noise.kind import spans_of
from dialoom.sim.paraphrase.applying import reworded
from dialoom.sim.paraphrase.keeping import Place as Characters
from dialoom.sim.paraphrase.keeping import covered, occurrences, places_of

PARAPHRASER: Role = "paraphraser"


class Paraphrase(Struct, frozen=True):
    """A reworded utterance, with the offsets of values that occur too often."""

    text: str
    starts: tuple[int | None, ...] = ()


class ParaphraseKind(TextWork):
    """The kind of work that rewords dialogues: simulated, of a corpus, or of another stage."""

    name = "paraphrase"
    roles = (PARAPHRASER,)

    def __init__(self, scenarios: Scenarios, settings: Settings, stage: Stage) -> None:
        super().__init__(scenarios, settings, stage)
        if not (stage.corpus or stage.of):
            self.schemas = self._plan.schemas

    @cached_property
    def _plan(self) -> Plan:
        settings = self._settings
        request = Request(
            number=settings.scenarios,
            seed=settings.seed,
            tasks=",".join(self._stage.tasks) or None,
            scenario=settings.scenario,
        )
        return PRESETS.get("sgd").plan(request)

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield the corpus's dialogues, or simulated ones with one surface form a value."""
        if self._stage.corpus or self._stage.of:
            yield from super().made()
            return
        dialogue = self._plan.source()
        for index in range(self._settings.scenarios):
            sample = dialogue(index)
            yield msgspec.to_builtins(sample), [each.text for each in utterances(sample)]

    def page(self, item: Dialogue) -> Data:
        """Return the utterances, each with the values that have to be repeated."""
        return {
            "lines": [
                {**line, "values": [_shown(utterance, place) for place in covered(utterance)]}
                for line, utterance in zip(lines(item), utterances(item), strict=True)
            ]
        }

    def checked(self, item: Dialogue, part: str, value: Any) -> Any:
        """Return a reworded utterance, as JSON values for the log."""
        utterance = said_at(item, part)
        try:
            paraphrase = msgspec.convert(value, Paraphrase)
        except msgspec.ValidationError as error:
            raise Refused("malformed", f"not an utterance in other words: {error}") from error
        text = cleaned(paraphrase.text)
        values = _values(utterance)
        if len(paraphrase.starts) > len(values):
            raise Refused("malformed", f"the utterance has {len(values)} values")
        for start, phrase in zip(paraphrase.starts, values, strict=False):
            if start is not None and (start < 0 or not text.startswith(phrase, start)):
                raise Refused(
                    "bad_value", "a value must be in the text at its place", field="starts"
                )
        return {"text": text, "starts": list(paraphrase.starts)}

    def problems(self, item: Dialogue, document: Mapping[str, Any]) -> list[Data]:
        """Return utterances to reword, and values that are missing or in several `places`."""
        issues: list[Data] = []
        for number, utterance in enumerate(utterances(item)):
            part = str(number)
            if part not in document:
                issues.append({"code": "unsaid", "part": part})
                continue
            for value, there in enumerate(_found(utterance, document[part])):
                if not there:
                    issues.append({"code": "lost", "part": part, "value": value})
                elif len(there) > 1:
                    places = [list(place) for place in there]
                    issues.append({"code": "several", "part": part, "value": value, "at": places})
        return issues

    def dialogues(self, item: Dialogue, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield the reworded dialogue."""
        [result] = results
        parts = iter(sorted(result.document.items(), key=lambda part: int(part[0])))
        yield replace(
            item,
            id=item.id if self._stage.workers == 1 else f"{item.id}_{result.unit}",
            events=tuple(_reworded(event, parts) for event in item.events),
            workers={USER: result.worker, SYSTEM: result.worker},
            batch=result.batch,
            provenance="collected",
        )


def _reworded(event: Event, parts: Iterator[tuple[str, Any]]) -> Event:
    if not isinstance(event, Utterance):
        return event
    _, answer = next(parts)
    moves = [(old, new) for old, [new] in zip(covered(event), _found(event, answer), strict=True)]
    return reworded(event, answer["text"], moves)


def _values(utterance: Utterance) -> list[str]:
    return [utterance.text[start:end] for start, end in covered(utterance)]


def _labels(turn: Utterance, place: Characters) -> tuple[str, ...]:
    inside = [each for each in spans_of(turn) if place[0] <= each.start and each.end <= place[1]]
    return tuple(dict.fromkeys(label for each in inside for label in each.labels))


def _shown(utterance: Utterance, place: Characters) -> Data:
    start, end = place
    label = ", ".join(_labels(utterance, place))
    return {"start": start, "end": end, "text": utterance.text[start:end], "label": label}


def _found(utterance: Utterance, answer: Mapping[str, Any]) -> list[tuple[Characters, ...]]:
    """Return the possible places of each value; values of two slots with one text have all."""
    values, text = _values(utterance), answer["text"]
    starts = {
        index: start for index, start in enumerate(answer.get("starts", ())) if start is not None
    }
    places = places_of(values, text, starts)
    meanings: dict[str, set[tuple[str, ...]]] = {}
    for value, place in zip(values, covered(utterance), strict=True):
        meanings.setdefault(value, set()).add(_labels(utterance, place))
    settled = {values[index] for index in starts}
    for index, value in enumerate(values):
        if len(meanings[value]) > 1 and places[index] and value not in settled:
            places[index] = tuple(occurrences(value, text))
    return places
