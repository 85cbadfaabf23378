"""Adjudication: somebody settles what the annotators of a dialogue disagree about.

The item is the dialogue with the layers of those who annotated it; the document has the same parts
as theirs, and what they agree on need not be touched. Nobody settles their own. What is chosen from
is what the annotators chose from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dialoom.collect.kinds.annotation import AnnotationKind
from dialoom.collect.kinds.document.dialogue_work import utterances
from dialoom.collect.kinds.marks.annotated import annotated, marks_by
from dialoom.collect.kinds.marks.marks import NO_MARKS, Marks, marks_of, ordered, plain
from dialoom.collect.log.record import Place
from dialoom.collect.unit import Data, Result
from dialoom.dialogue import GOLD, Dialogue
from dialoom.dialogue.views import annotators

ADJUDICATOR: Place = "adjudicator"


class AdjudicationKind(AnnotationKind):
    """Settled annotations, made from those of several people."""

    name = "adjudication"
    places = (ADJUDICATOR,)

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield nothing: items come from the stage whose annotations are settled."""
        return iter(())

    def page(self, given: Dialogue) -> Data:
        """Return the utterances with each annotator's marks, and whether they are the same."""
        shown = super().page(given)
        for line, each in zip(shown["lines"], self._marked(given), strict=True):
            line["marks"] = list(map(plain, each))
            line["same"] = _same(each)
        return shown

    def problems(self, given: Dialogue, document: Mapping[str, Any]) -> list[Data]:
        """Return the utterances that the annotators disagree about and nobody settled."""
        return [
            {"code": "open", "part": str(place)}
            for place, each in enumerate(self._marked(given))
            if str(place) not in document and not _same(each)
        ] + self.lost(given, document)

    def marks(self, given: Dialogue, document: Mapping[str, Any]) -> list[Marks]:
        """Return what was settled of each utterance, or else what the first annotator marked."""
        return [
            marks_of(document[str(place)]) if str(place) in document else (*each, NO_MARKS)[0]
            for place, each in enumerate(self._marked(given))
        ]

    def dialogues(self, given: Dialogue, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield the dialogue with what was settled as its gold layer, the others kept."""
        [result] = results[:1]
        made = {GOLD: self.marks(given, result.document)}
        yield annotated(given, self.choices(given), made)

    def _marked(self, given: Dialogue) -> list[tuple[Marks, ...]]:
        """Return the marks of each annotator in each utterance."""
        sources = dict.fromkeys(
            layer.source for said in utterances(given) for layer in annotators(said)
        )
        found = self.choices(given)
        if not sources:
            return [() for _ in utterances(given)]
        return list(zip(*(marks_by(given, found, each) for each in sources), strict=True))


def _same(marks: Sequence[Marks]) -> bool:
    return all(ordered(each) == ordered(marks[0]) for each in marks)
