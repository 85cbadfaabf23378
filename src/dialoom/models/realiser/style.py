"""Similarity of the wording of two dialogues.

Most crowd workers of SGD wrote both sides of many dialogues, so a dialogue's own words predict the
wording of its rest. Dialogues are compared by the words, word pairs and word triples of both sides
(TF-IDF), without the values that the system names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dialoom.dialogue import SYSTEM, Event, Utterance
from dialoom.dialogue.views import annotated_parts, service_acts
from dialoom.learn.text import TermWeights, WordTerms
from dialoom.models.realiser.wording import content, find_wording, numbered

TOKEN = r"[^\W\d_]+(?:'[^\W\d_]+)*|[.,!?]"
"""A word or a punctuation mark; case counts."""

VALUE = " _ "
"""The text in place of each value that the system names."""


class DialogueStyle:
    """Compares dialogues with those of training by their wording.

    N-grams in at least `rare` dialogues count, at most `features`, the most frequent ones.
    """

    def __init__(
        self, dialogues: Iterable[Sequence[Event]], rare: int = 3, features: int = 200_000
    ) -> None:
        texts = ["\n".join(spoken(events)) for events in dialogues]
        terms = WordTerms(TOKEN, longest=3, lower=False)
        self._reader = TermWeights(terms, min(rare, len(texts)), features).fit(texts)
        self._known = self._reader.transform(texts).T.tocsr()

    def similarity(self, histories: Iterable[Sequence[Event]]) -> Any:
        """Return the cosine (0 to 1) of each history (rows) with each dialogue of training."""
        read = self._reader.transform(["\n".join(spoken(events)) for events in histories])
        return (read @ self._known).toarray()


def spoken(events: Sequence[Event]) -> Iterator[str]:
    """Yield the texts of utterances, those of the system without the values it names."""
    for event in events:
        if isinstance(event, Utterance):
            yield _plain(event) if event.agent == SYSTEM else event.text


def _plain(utterance: Utterance) -> str:
    acts = service_acts(annotated_parts(utterance))
    wording = find_wording(utterance.text, numbered(content(acts))) or (utterance.text,)
    return "".join(part if isinstance(part, str) else VALUE for part in wording)
