"""Adjudication: one person decides where the annotators of a dialogue disagree.

The item is the dialogue with the layers of its annotators. The document has the same parts as
theirs; utterances on which they agree need not be saved. Nobody adjudicates their own annotation.
The labels, acts and slots to choose from are those that the annotators had.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dialoom.collect.kinds.annotation import AnnotationKind
from dialoom.collect.kinds.document.dialogue_work import utterances
from dialoom.collect.kinds.marks.annotated import annotated, marks_by
from dialoom.collect.kinds.marks.marks import NO_MARKS, Marks, marks_of, ordered, plain
from dialoom.collect.log.record import Role
from dialoom.collect.settings import Stage
from dialoom.collect.unit import Data, Result
from dialoom.dialogue import GOLD, Dialogue
from dialoom.dialogue.annotation import ANNOTATORS, SETTLED
from dialoom.dialogue.views import annotators

ADJUDICATOR: Role = "adjudicator"


class AdjudicationKind(AnnotationKind):
    """The kind of work in which one annotation is made from those of several people."""

    name = "adjudication"
    roles = (ADJUDICATOR,)

    @classmethod
    def unfit_source(cls, before: Stage) -> str:
        """Return what `of` may name, if an earlier stage has no annotators to disagree."""
        fit = before.kind == AnnotationKind.name and before.workers > 1
        return "" if fit else "an annotation with 2 or more `workers`"

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield nothing: items come from the stage whose annotations are adjudicated."""
        return iter(())

    def with_answer(self, dialogue: Dialogue) -> Dialogue:
        """Return a dialogue as it is; `FormatError` without annotators or a gold layer."""
        sources = {layer.source for utterance in utterances(dialogue) for layer in utterance.layers}
        if GOLD not in sources or not any(each.startswith(ANNOTATORS) for each in sources):
            raise self.no_answer(dialogue, "layers of annotators, and a `gold` layer")
        return dialogue

    def page(self, item: Dialogue) -> Data:
        """Return the utterances with each annotator's marks, and whether these are the same."""
        content = super().page(item)
        for line, each in zip(content["lines"], self._marked(item), strict=True):
            line["marks"] = list(map(plain, each))
            line["same"] = _same(each)
        return content

    def problems(self, item: Dialogue, document: Mapping[str, Any]) -> list[Data]:
        """Return the utterances on which the annotators disagree and that are not saved."""
        return [
            {"code": "open", "part": str(place)}
            for place, each in enumerate(self._marked(item))
            if str(place) not in document and not _same(each)
        ] + self.lost(item, document)

    def marks(self, item: Dialogue, document: Mapping[str, Any]) -> list[Marks]:
        """Return the marks of each utterance: the adjudicator's, or else the first annotator's."""
        return [
            marks_of(document[str(place)]) if str(place) in document else (*each, NO_MARKS)[0]
            for place, each in enumerate(self._marked(item))
        ]

    def dialogues(self, item: Dialogue, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield the dialogue with the adjudicator's marks as its gold layer; others are kept."""
        [result] = results[:1]
        gold_marks = {GOLD: self.marks(item, result.document)}
        settled = annotated(item, self.choices(item), gold_marks)
        yield replace(settled, extra={**settled.extra, SETTLED: result.worker})

    def _marked(self, dialogue: Dialogue) -> list[tuple[Marks, ...]]:
        sources = dict.fromkeys(
            layer.source for utterance in utterances(dialogue) for layer in annotators(utterance)
        )
        options = self.choices(dialogue)
        if not sources:
            return [() for _ in utterances(dialogue)]
        return list(zip(*(marks_by(dialogue, options, each) for each in sources), strict=True))


def _same(marks: Sequence[Marks]) -> bool:
    return all(ordered(each) == ordered(marks[0]) for each in marks)
