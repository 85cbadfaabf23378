"""Dialogues in other words: values stay, spans follow them, all else is as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.kinds.paraphrase import ParaphraseKind
from dialoom.collect.message import Refused
from dialoom.collect.settings import Stage
from dialoom.dialogue import Dialogue, Utterance
from dialoom.sim.core.plan import PRESETS, Request
from tests.collect.documents import WRITE, Documents
from tests.make import refuses

REWORD = Stage(name="reword", kind="paraphrase", tasks=("Coaches_1",), pay=150)

TWO = 4
"""The place of an utterance with two values, as the seed gives it."""


@pytest.fixture
def played() -> Documents:
    return Documents(REWORD)


def reword(played: Documents, worker: str = "w-1") -> int:
    """Let somebody put a word before each line."""
    number = played.enter(worker)
    for part, line in enumerate(played.state(number)["room"]["item"]["lines"]):
        played.send(number, Save(str(part), 0, {"text": f"Well, {line['text']}"}))
    return number


def utterances(dialogue: Dialogue) -> list[Utterance]:
    return [event for event in dialogue.events if isinstance(event, Utterance)]


def covered(said: Utterance) -> list[tuple[str, tuple[str, ...]]]:
    parts = [part for layer in said.layers for part in layer.parts]
    return [(said.text[s.start : s.end], s.labels) for part in parts for s in part.spans or ()]


@pytest.mark.parametrize("to", ["sgd", "native"])
def test_annotation_is_as_it_was_and_spans_are_on_their_values(
    played: Documents, tmp_path: Path, to: str
) -> None:
    played.send(reword(played), Submit())
    reword(played, "w-2")  # under way: is not exported
    [dialogue] = played.exported(to, tmp_path / to)
    request = Request(number=2, seed=3, tasks="Coaches_1", scenario="happy")
    simulated = PRESETS.get("sgd").plan(request).source()(0)
    assert dialogue.id == simulated.id
    pairs = zip(utterances(dialogue), utterances(simulated), strict=True)
    values = 0
    for utterance, before in pairs:
        assert utterance.text == f"Well, {before.text}"
        assert covered(utterance) == covered(before)
        values += len(covered(utterance))
        [layer], [old] = utterance.layers, before.layers
        for part, other in zip(layer.parts, old.parts, strict=True):
            assert (part.acts, part.state) == (other.acts, other.state)
    assert values > 5


def test_a_value_that_is_lost_or_is_twice_is_shown_and_settled(played: Documents) -> None:
    number = reword(played)
    line = played.state(number)["room"]["item"]["lines"][TWO]
    first, second = (value["text"] for value in line["values"])
    assert line["values"][0]["label"] == "end_city"

    def lacks() -> object:
        return played.state(number)["room"]["problems"]

    played.send(number, Save(str(TWO), 1, {"text": f"To {first}"}))
    assert lacks() == [{"code": "lost", "part": str(TWO), "value": 1}]
    assert played.refused(number, Submit()).detail["problems"] == lacks()
    text = f"☕ {first}, I said {first}, on {second}"
    places = [[2, 2 + len(first)], [text.index(first, 3), text.index(first, 3) + len(first)]]
    played.send(number, Save(str(TWO), 2, {"text": text}))
    assert lacks() == [{"code": "several", "part": str(TWO), "value": 0, "at": places}]
    for starts in ([3], [-1], [None, 2]):
        refusal = played.refused(number, Save(str(TWO), 3, {"text": text, "starts": starts}))
        assert (refusal.code, refusal.detail) == ("bad_value", {"field": "starts"})
    played.send(number, Save(str(TWO), 3, {"text": text, "starts": [places[1][0], None]}))
    assert lacks() == []
    played.send(number, Submit())
    [result] = played.study.state.results["reword-1"]
    kind, item = played.study.state.kinds["reword"], played.study.units[1].item
    assert isinstance(kind, ParaphraseKind)
    [dialogue] = kind.dialogues(kind.given(item), [result])
    utterance = utterances(dialogue)[TWO]
    parts = [part for layer in utterance.layers for part in layer.parts]
    assert [s.start for s in parts[0].spans or ()] == [places[1][0], text.index(second)]


@pytest.mark.parametrize(
    ("part", "value", "code"),
    [
        ("99", {"text": "Hi."}, "unknown"),
        ("x", {"text": "Hi."}, "unknown"),
        ("0", "Hi.", "malformed"),
        ("0", {"text": "\u200b"}, "malformed"),
        ("0", {"text": "Hi.", "starts": [0]}, "malformed"),
    ],
)
def test_what_is_no_paraphrase_is_refused(
    played: Documents, part: str, value: object, code: str
) -> None:
    assert played.refused(played.enter("w-1"), Save(part, 0, value)).code == code


def test_what_another_wrote_is_reworded_by_somebody_else() -> None:
    again = Stage(name="again", kind="paraphrase", of="write", workers=2)
    played = Documents(WRITE, again, scenarios=1)
    played.write("w-1")
    with refuses(Refused, "full"):
        played.enter("w-1")
    ids = []
    for worker in ("p-1", "p-2"):
        number = reword(played, worker)
        played.send(number, Submit())
        unit = played.study.units[played.study.assignment(number).unit or 0]
        results = played.study.state.results[unit.item.id][-1:]
        assert isinstance(unit.kind, ParaphraseKind)
        ids += [wording.id for wording in unit.kind.dialogues(unit.kind.given(unit.item), results)]
    assert len(set(ids)) == 2
