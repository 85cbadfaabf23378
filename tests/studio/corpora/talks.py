"""Dialogues for tests of indexes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Dialogue,
    Layer,
    Part,
    Span,
    State,
    Utterance,
)
from dialoom.studio.corpora.building import IndexState, build
from dialoom.studio.corpora.index import CorpusIndex

HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'

ACT = "/events/0/layers/0/parts/0/acts/0"
"""Pointer to the act of a `labelled` dialogue."""


def talk(id: str, *texts: str, task: str = "trips", outcome: str | None = None) -> Dialogue:
    """Return a dialogue whose speakers take turns, the user first."""
    events = [
        Utterance(agent=SYSTEM if place % 2 else USER, text=text)
        for place, text in enumerate(texts)
    ]
    return Dialogue(id=id, events=tuple(events), services=(task,), outcome=outcome)


def labelled(id: str = "labelled", text: str = "To Rome, please.") -> Dialogue:
    """Return a dialogue with an act, a span and a state."""
    part = Part(
        acts=(Act("inform", (Argument("city", ("Rome",)),)),),
        spans=(Span(3, 7, ("city",)),),
        state=State(intent="travel", values={"city": ("Rome",)}),
    )
    utterance = Utterance(agent=USER, text=text, layers=(Layer(GOLD, (part,)),))
    return Dialogue(id=id, events=(utterance, Utterance(agent=SYSTEM, text="Gladly.")))


def written(place: Path, *dialogues: Dialogue) -> Corpus:
    """Write dialogues as a native corpus."""
    place.mkdir(exist_ok=True)
    formats.get("native").write(dialogues, {}, place)
    return formats.load(place)


def indexed(place: Path, corpus: Corpus) -> tuple[CorpusIndex, list[IndexState]]:
    """Return the index of a corpus, up to date, in a folder; and the progress."""
    index = CorpusIndex(corpus.path, place)
    return index, list(build(index, corpus))


def mend(client: TestClient, opened: Any, status: int = 200, **values: Any) -> Any:
    """Correct an opened dialogue of the corpus `talks`, and return the answer."""
    body = {
        "path": "talks",
        "number": opened["number"],
        "version": opened["dialogue"]["version"],
        "who": "ada",
        **values,
    }
    answer = client.post("/api/corpora/mend", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()
