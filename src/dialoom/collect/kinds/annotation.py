"""Annotation: marks in each utterance of a dialogue, of the layers that the stage names.

    {"0": {"spans": [{"start": 2, "end": 7, "text": "large", "labels": ["size"]}],
           "acts": [{"act": "inform", "slot": "size", "value": "large"}]}}

A part is an utterance, named by its index among the utterances, and its value is its marks
(marks/marks.py). Annotators choose from the labels, slots and acts of the schemas or of the stage;
each of several people annotates alone and gets a layer of their own, `annotator-3` for the study's
third worker. The published annotation of the dialogue is kept as another layer.

Answers to the stage's own questions are parts as well (`own_questions.py`), and are in the
annotator's layer; those about the dialogue are in the layer of its last utterance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.dialogue_work import DialogueWork, lines, said_at, utterances
from dialoom.collect.kinds.document.work import DocumentWork
from dialoom.collect.kinds.marks import frames, layers
from dialoom.collect.kinds.marks.annotated import annotated, marks_by, with_published
from dialoom.collect.kinds.marks.choices import Choices, choices_of, subjects
from dialoom.collect.kinds.marks.marks import Marks, carried, f1, marks_of, plain
from dialoom.collect.kinds.marks.prelabels import prelabelled
from dialoom.collect.kinds.room.questions import checked
from dialoom.collect.log.record import Role, Saved
from dialoom.collect.message import Refused
from dialoom.collect.own_questions import (
    PREFIX,
    OwnAnswer,
    agreement,
    question_of,
    unanswered,
    with_answers,
)
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.unit import Data, Policy, Result, Scenarios, WorkKind
from dialoom.dialogue import GOLD, USER, Dialogue, Layer
from dialoom.dialogue.annotation import ANNOTATORS, PRELABELS
from dialoom.errors import clip

ANNOTATOR: Role = "annotator"


class AnnotationKind(DialogueWork):
    """The kind of work that annotates dialogues of a corpus or of another stage."""

    name = "annotation"
    roles: tuple[Role, ...] = (ANNOTATOR,)
    policy: Policy = "apart"
    merges = True

    def __init__(self, scenarios: Scenarios, settings: Settings, stage: Stage) -> None:
        super().__init__(scenarios, settings, stage)
        self._choosing = stage
        self._choices: dict[tuple[str, ...], Choices] = {}

    def follow(self, before: WorkKind) -> None:
        """Take the dialogues of another stage; annotations are adjudicated with its choices."""
        super().follow(before)
        if isinstance(before, AnnotationKind):
            self._choosing = before._choosing

    def choices(self, item: Dialogue) -> Choices:
        """Return the labels, acts and slots that annotators of a dialogue choose from."""
        names = subjects(self.schemas, item)
        if names not in self._choices:
            self._choices[names] = choices_of(self._choosing, self.schemas, item)
        return self._choices[names]

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield the dialogues of the corpus with their pre-labels."""
        return ((self._begun(content), key) for content, key in super().made())

    def score(self, item: Dialogue, document: Mapping[str, Any]) -> float:
        """Return the F1 of a document's marks, compared with the dialogue's own annotation.

        That is the adjudicated or published one, or else the first annotator's.
        """
        sources = [layer.source for utterance in utterances(item) for layer in utterance.layers]
        source = GOLD if GOLD in sources else (*sources, GOLD)[0]
        return f1(self.marks(item, document), marks_by(item, self.choices(item), source))

    def agreement(self, item: Dialogue, one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
        """Return the F1 of the marks; without layers, the agreement of answers to own questions."""
        if not self.choices(item).layers:
            return agreement(self._stage.asks, one, other)
        return f1(self.marks(item, one), self.marks(item, other))

    def next_content(self, before: Dialogue) -> Any:
        """Return the content of an item about a dialogue that another stage made."""
        return self._begun(super().next_content(before))

    def _begun(self, content: Any) -> Any:
        if not self._stage.prelabels:
            return content
        dialogue = self.read(content)
        draft = prelabelled(dialogue, self.choices(dialogue), self._stage.prelabels, self.schemas)
        return msgspec.to_builtins(draft)

    def page(self, item: Dialogue) -> Data:
        """Return the utterances, the choices and the pre-labels."""
        options = self.choices(item)
        services = {
            name: {"intents": list(service.intents), "slots": dict(service.slots)}
            for name, service in options.services.items()
        }
        return {
            "lines": self._lines(item, options),
            "layers": list(options.layers),
            "labels": list(options.labels),
            "acts": list(options.acts),
            "slots": list(options.slots),
            "endings": list(options.endings),
            "relations": list(options.relations),
            "words": {name: words._asdict() for name, words in options.words.items()},
            "services": services if "states" in options.layers else {},
            "guidelines": self._stage.guidelines or self._choosing.guidelines,
            "asks": [question.shown for question in self._stage.asks],
        }

    def _lines(self, dialogue: Dialogue, options: Choices) -> list[Data]:
        rows = lines(dialogue)
        if self._stage.prelabels:
            for line, marks in zip(rows, marks_by(dialogue, options, PRELABELS), strict=True):
                line["marks"] = [plain(marks)]
        return rows

    def checked(self, item: Dialogue, part: str, value: Any) -> Any:
        """Return the marks of an utterance as JSON values for the log, or an answer."""
        if part.startswith(PREFIX):
            return self._answer(item, part, value)
        marks = marks_of(value)
        layers.check(marks, said_at(item, part), self.choices(item))
        for each in marks.relations:
            start, end = each.target
            text = said_at(item, str(each.line)).text
            if not 0 <= start < end <= len(text) or (each.line, start, end) == (
                int(part),
                *each.span,
            ):
                raise Refused("bad_value", "a relation leads to another span", field="relations")
        return plain(marks)

    def _answer(self, dialogue: Dialogue, part: str, value: Any) -> OwnAnswer:
        question = question_of(self._stage.asks, part)
        if question is None or part not in question.parts(_speakers(dialogue)):
            raise Refused("unknown", f"there is no question {clip(part)!r}")
        return checked(question, value)

    def also_saved(self, work: DocumentWork, saved: Saved) -> Iterator[Saved]:
        """Yield the saves of later utterances whose states change with this one's."""
        dialogue, document = work.given, work.document
        options, turns = self.choices(dialogue), utterances(dialogue)
        if saved.value is None or "states" not in options.layers or saved.part.startswith(PREFIX):
            return
        place = int(saved.part)
        fresh = self._stage.prelabels and saved.part not in document
        marks = marks_by(dialogue, options, PRELABELS) if fresh else self.marks(dialogue, document)
        later = {
            str(after): marks_of(document[str(after)])
            for after in range(place + 1, len(turns))
            if str(after) in document and turns[after].agent == USER
        }
        for part, new_marks in carried(marks[place], marks_of(saved.value), later):
            yield Saved(part=part, rev=work.revisions[part] + 1, value=plain(new_marks))

    def problems(self, item: Dialogue, document: Mapping[str, Any]) -> list[Data]:
        """Return unsaved utterances, those that refer to nothing, and required answers."""
        open_parts = unanswered(self._stage.asks, document, _speakers(item))
        lacking = [{"code": "unrated", "part": part} for part in open_parts]
        if not self.choices(item).layers:
            return lacking
        places = map(str, range(len(utterances(item))))
        unseen = [{"code": "unseen", "part": part} for part in places if part not in document]
        return unseen + self.lost(item, document) + lacking

    def lost(self, item: Dialogue, document: Mapping[str, Any]) -> list[Data]:
        """Return the utterances that refer to a missing frame (`no_frame`) or span (`no_span`)."""
        options, marks = self.choices(item), self.marks(item, document)
        spans = [{(span.start, span.end) for span in each.spans} for each in marks]
        missing: list[Data] = [
            {"code": "no_span", "part": str(number)}
            for number, each in enumerate(marks)
            if any(to.target not in spans[to.line] for to in each.relations)
        ]
        if "frames" not in options.layers:
            return missing
        own_layers = self._written(item, document, options)
        sound = [each for _, each in frames.followed(utterances(item), own_layers, options)]
        gaps = ({"code": "no_frame", "part": str(n)} for n, each in enumerate(sound) if not each)
        return [*missing, *gaps]

    def progress(self, item: Dialogue, document: Mapping[str, Any]) -> Data:
        """Return the frames that follow from the marks, where frames are annotated."""
        options = self.choices(item)
        if "frames" not in options.layers:
            return {}
        own_layers = self._written(item, document, options)
        return {"frames": frames.shown(utterances(item), own_layers, options)}

    def _written(
        self, dialogue: Dialogue, document: Mapping[str, Any], options: Choices
    ) -> list[Layer]:
        turns = utterances(dialogue)
        return [
            layers.write("", marks, each, options)
            for marks, each in zip(self.marks(dialogue, document), turns, strict=True)
        ]

    def marks(self, item: Dialogue, document: Mapping[str, Any]) -> list[Marks]:
        """Return the marks of each utterance in a document."""
        return [marks_of(document.get(str(place))) for place, _ in enumerate(utterances(item))]

    def dialogues(self, item: Dialogue, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield the dialogue with a layer for each annotator before its other layers."""
        notes = {f"{ANNOTATORS}{each.worker}": self.marks(item, each.document) for each in results}
        before = with_published(item, foreign=bool(self._stage.corpus))
        choices = self.choices(item)
        marked = annotated(before, choices, notes) if choices.layers else before
        questions, last = self._stage.asks, len(utterances(item)) - 1
        for each in results:
            source = f"{ANNOTATORS}{each.worker}"
            events = with_answers(marked.events, questions, each.document, source, last=last)
            marked = replace(marked, events=events)
        yield marked


def _speakers(dialogue: Dialogue) -> list[str]:
    return [utterance.agent for utterance in utterances(dialogue)]
