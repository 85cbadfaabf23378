from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.kinds.document.dialogue_work import utterances
from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.log.change import Change
from dialoom.collect.log.record import Saved
from dialoom.collect.log.store import Store
from dialoom.collect.message import Consent, Refused
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.settings_check import check
from dialoom.collect.study.administration import review
from dialoom.dialogue import Span, State, Utterance
from dialoom.dialogue.annotation import RELATIONS, SETTLED
from dialoom.dialogue.views import rejected
from dialoom.errors import DialoomError
from dialoom.learn.saved import TrainingRecord, save
from dialoom.models.rule_tracker import RuleTracker
from dialoom.quality.agreement import Ratings, compare
from dialoom.quality.lint import lint
from tests.collect.documents import MARK, SETTLE, WRITE, Documents
from tests.collect.studied import Played
from tests.make import refuses


def agreement(root: Path) -> dict[str, Any]:
    """Return the coefficients of a corpus's spans."""
    corpus = formats.load(root)
    ratings = Ratings(formats.get(corpus.format).traits).add_all(corpus.dialogues())
    measures: dict[str, Any] = compare(ratings, samples=1)["kinds"]["spans"]["all"]
    return measures


def test_reviews_of_all_stages_are_with_the_last_ones_dialogue(tmp_path: Path) -> None:
    played = Documents(WRITE, MARK, SETTLE, scenarios=1)
    numbers = [played.write("w-1"), *(played.annotate(who, "latte") for who in ("a-1", "a-2"))]
    judge = played.enter("j-1")
    played.send(judge, Submit())
    for number in (*numbers, judge):
        change = review(played.study, number, played.now, accepted=number != 2, reason="Empty.")
        played.take(change)
    [dialogue] = played.exported("native", tmp_path / "out")
    verdicts = {who: each["Accepted"] for who, each in dialogue.extra["Reviews"].items()}
    people = {"writer-1": True, "annotator-2": False, "annotator-3": True, "adjudicator-4": True}
    assert verdicts == people
    assert Ratings().add_all([dialogue]).dependent == {"gold"}
    assert rejected(dialogue) == {"annotator-2", "2"}


def test_taskmasters_files_have_what_both_annotators_marked(tmp_path: Path) -> None:
    played = Documents(WRITE, MARK, SETTLE, scenarios=1)
    played.write("w-1")
    played.annotate("a-1", "large", "latte")
    played.annotate("a-2", "large latte", "latte")
    judge = played.enter("j-1")
    label = played.state(judge)["room"]["item"]["labels"][0]
    [dialogue] = played.exported("taskmaster1", tmp_path / "taskmaster1")
    first, second = (event for event in dialogue.events if isinstance(event, Utterance))
    assert [
        (span.start, span.end, span.labels) for span in first.layers[0].parts[0].spans or ()
    ] == [
        (2, 7, (label,)),
        (2, 13, (label,)),
        (8, 13, (label, label)),
    ]
    assert second.layers == ()
    played.exported("native", tmp_path / "native")
    theirs, ours = agreement(tmp_path / "taskmaster1"), agreement(tmp_path / "native")
    assert theirs["f1"]["value"] == pytest.approx(ours["f1"]["value"]) == pytest.approx(0.5)


def test_a_number_is_the_same_person_in_all_dialogues_of_an_export(tmp_path: Path) -> None:
    """One dialogue is settled and the other is not; writers, annotators and judge are numbered."""
    mark, settle = replace(MARK, only=("a-1", "a-2", "a-3")), replace(SETTLE, only=("j-1",))
    played = Documents(WRITE, mark, settle, scenarios=2)
    played.write("w-1")
    played.write("w-2")
    for number, worker in enumerate(("a-1", "a-2", "a-3"), start=3):
        played.annotate(worker, "large")
        assert played.study.state.numbers[worker] == number
    judge = played.enter("j-1")
    played.send(judge, Submit())
    summaries = [
        (
            set(dialogue.workers.values()),
            {layer.source for utterance in utterances(dialogue) for layer in utterance.layers},
            dialogue.extra.get(SETTLED),
        )
        for dialogue in played.exported("native", tmp_path / "native")
    ]
    assert len(summaries) == 2
    assert ({"1"}, {"gold", "annotator-3", "annotator-4"}, "6") in summaries
    assert ({"2"}, {"annotator-5"}, None) in summaries


def test_annotators_of_a_corpus_are_no_workers_of_the_study(tmp_path: Path) -> None:
    played = Documents(WRITE, MARK, scenarios=1)
    played.write("w-1")
    played.annotate("a-1", "large")
    played.annotate("a-2", "latte")
    [before] = played.exported("native", tmp_path / "first")
    theirs = [layer.source for layer in utterances(before)[0].layers]
    assert theirs == ["annotator-2", "annotator-3"]
    again = replace(MARK, of="", corpus=str(tmp_path / "first"), workers=1)
    second = Documents(again, scenarios=1)
    second.annotate("a-9", "latte")
    [dialogue] = second.exported("native", tmp_path / "second")
    sources = [layer.source for layer in utterances(dialogue)[0].layers]
    assert sources == ["annotator-1", "published-annotator-2", "published-annotator-3"]


REWORD = Stage(name="reword", kind="paraphrase", tasks=("Coaches_1",))
STATES = Stage(
    name="mark",
    kind="annotation",
    of="reword",
    layers=("spans", "acts", "states"),
    workers=2,
    prelabels=("published",),
)


def reworded(*stages: Stage) -> Documents:
    """Return a study in which somebody left a simulated dialogue in the program's words."""
    played = Documents(REWORD, *stages, scenarios=1, seed=1)
    writer = played.enter("p-1")
    for place, line in enumerate(played.state(writer)["room"]["item"]["lines"]):
        played.send(writer, Save(str(place), 0, {"text": line["text"]}))
    played.send(writer, Submit())
    return played


def kept(played: Documents, worker: str, **changes: Any) -> None:
    """Let somebody keep all that they start from, but for some layers of the first line."""
    number = played.enter(worker)
    for place, line in enumerate(played.state(number)["room"]["item"]["lines"]):
        marks = line["marks"][0] | (changes if place == 0 else {})
        played.send(number, Save(str(place), 0, marks))
    played.send(number, Submit())


def test_states_are_exported_service_by_service(tmp_path: Path) -> None:
    played = reworded(STATES, SETTLE)
    [before] = reworded().exported("sgd", tmp_path / "before")
    kept(played, "a-1")
    mark = {"service": "Coaches_1", "intent": "BuyTicket"}
    kept(played, "a-2", states=[mark])
    judge = played.enter("j-1")
    lines = played.state(judge)["room"]["item"]["lines"]
    assert [line["same"] for line in lines] == [False] + [True] * (len(lines) - 1)
    played.send(judge, Save("0", 0, lines[0]["marks"][1]))
    played.send(judge, Submit())
    [dialogue] = played.exported("sgd", tmp_path / "sgd")
    assert dialogue.services == ("Coaches_1",)
    old, new = (
        [turn.layers[0].parts[0].state for turn in utterances(each)] for each in (before, dialogue)
    )
    assert new[0] == State("BuyTicket")
    assert new[1:] == old[1:]
    played.exported("native", tmp_path / "native")
    ratings = Ratings().add_all(formats.load(tmp_path / "native").dialogues())
    report = compare(ratings, samples=1)
    assert set(report["annotators"]) == {"annotator-2", "annotator-3", "gold", "published"}
    assert report["kinds"]["intents"]["pairs"][0]["all"]["f1"]["value"] < 1
    fates = report["prelabels"]["intents"]["Coaches_1.intent"]
    assert (fates["changed"], fates["removed"], fates["added"]) == (1, 0, 0)


def test_what_is_put_right_in_a_state_is_right_in_the_lines_after_it() -> None:
    played = reworded(replace(STATES, layers=("states",)))
    one = played.enter("a-1")
    lines = played.state(one)["room"]["item"]["lines"]
    for place, line in enumerate(lines):
        played.send(one, Save(str(place), 0, {"states": line["marks"][0]["states"]}))
    users = [str(place) for place, line in enumerate(lines) if line["from"] == "user"]
    other = [{"service": "Coaches_1", "intent": "BuyTicket", "values": {"start_stop": ["Ostby"]}}]
    for rev, states in ((1, other), (2, [{**other[0], "values": {"start_stop": ["Alva"]}}])):
        records = played.send(one, Save(users[0], rev, {"states": states})).records
    saved = [record.body for record in records if isinstance(record.body, Saved)]
    assert len(saved) == len(records) > 1
    assert [each.part for each in saved] == users[: len(saved)]
    for each in saved:
        assert each.value["states"][0]["values"]["start_stop"] == ["Alva"]
    assert [record.client != "" for record in records] == [True] + [False] * (len(records) - 1)
    assert played.refused(one, Save(users[0], 2, {"states": []})).code == "conflict"
    again = played.replayed()
    assert again.units[2].work.document == played.study.units[2].work.document


def test_what_two_people_said_is_annotated_by_others(tmp_path: Path) -> None:
    mark = Stage(name="mark", kind="annotation", of="talk", layers=("spans", "acts"))
    played = Played(stages=(Stage(name="talk", kind="room", questionnaire=False), mark))
    played.ready("w-1", "user")
    played.ready("w-2", "wizard")
    played.talk()
    annotator = played.enter("w-3")
    played.send(annotator, Consent())
    room = played.state(annotator)["room"]
    assert (room["role"], room["item"]["lines"][0]["text"]) == ("annotator", "I want something.")
    label = room["item"]["labels"][0]
    span = {"start": 2, "end": 6, "text": "want", "labels": [label]}
    for place, _ in enumerate(room["item"]["lines"]):
        marks = {"spans": [span]} if place == 0 else {}
        played.send(annotator, Save(str(place), 0, marks))
    played.send(annotator, Submit())
    with Store.open(tmp_path / "s.sqlite") as store:
        store.submit(Change(tuple(played.log))).result()
        for name in ("star", "native"):
            export(store, name, tmp_path / name)
            corpus = formats.load(tmp_path / name)
            assert [problem for problem in lint(corpus) if problem.severity == "error"] == []
            [dialogue] = corpus.dialogues()
    layers = [layer.source for utterance in utterances(dialogue) for layer in utterance.layers]
    assert set(layers) == {"annotator-3"}
    [part] = utterances(dialogue)[0].layers[0].parts
    assert part.spans == (Span(2, 6, (label.rpartition(".")[2],)),)
    own = played.enter("w-1")
    assert played.state(own)["stage"] == "talk"


def test_models_say_what_annotators_start_from(tmp_path: Path) -> None:
    file = tmp_path / "rules.model"
    save(RuleTracker(), file, TrainingRecord())
    models = replace(STATES, prelabels=("span-rules", str(file)))
    check(Settings(stages=(REWORD, models)))
    played = reworded(models)
    marks = [
        line["marks"][0] for line in played.state(played.enter("a-1"))["room"]["item"]["lines"]
    ]
    assert any(each["spans"] for each in marks)
    assert any(state.get("values") for each in marks for state in each["states"])
    assert not any(each["acts"] for each in marks)


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("span-ruls", ("cannot-work", "prelabels", "span-ruls", "span-rules")),
        ("slot-spans", ("cannot-work", "prelabels", "slot-spans")),
        ("random", ("cannot-work", "prelabels", "random")),
    ],
)
def test_what_gives_no_marks_is_refused(source: str, error: tuple[str, ...]) -> None:
    with refuses(DialoomError, *error):
        check(Settings(stages=(REWORD, replace(STATES, prelabels=(source,)))))


RELATED = Stage(
    name="relate",
    kind="annotation",
    of="write",
    layers=("spans", "relations"),
    relations=("refers_to", "part_of"),
    workers=2,
)


def relate(played: Documents, worker: str, relation: str, **changes: int) -> int:
    """Let somebody mark a word of each line, and relate the second one to the first."""
    number = played.enter(worker)
    label = played.state(number)["room"]["item"]["labels"][0]
    played.send(number, Save("0", 0, {"spans": [span("large", 2, label)]}))
    related = {"relation": relation, "start": 0, "end": 2, "line": 0, "to_start": 2, "to_end": 7}
    value = {"spans": [span("It", 0, label)], "relations": [related | changes]}
    played.send(number, Save("1", 0, value))
    return number


def span(text: str, start: int, label: str) -> dict[str, Any]:
    return {"start": start, "end": start + len(text), "text": text, "labels": [label]}


def test_relations_of_spans_are_exported_and_compared(tmp_path: Path) -> None:
    played = Documents(WRITE, RELATED, replace(SETTLE, of="relate"), scenarios=1)
    played.write("w-1")
    for worker, relation in (("a-1", "refers_to"), ("a-2", "part_of")):
        played.send(relate(played, worker, relation), Submit())
    judge = played.enter("j-1")
    line = played.state(judge)["room"]["item"]["lines"][1]
    assert not line["same"]
    assert [marks["relations"][0]["relation"] for marks in line["marks"]] == [
        "refers_to",
        "part_of",
    ]
    played.send(judge, Save("1", 0, line["marks"][1]))
    played.send(judge, Submit())
    [dialogue] = played.exported("native", tmp_path / "native")
    relations = {
        layer.source: part.extra[RELATIONS]
        for layer in utterances(dialogue)[1].layers
        for part in layer.parts
    }
    there = {"start": 0, "end": 2, "line": 0, "to_start": 2, "to_end": 7}
    assert relations["gold"] == relations["annotator-3"] == [{"relation": "part_of", **there}]
    assert relations["annotator-2"] == [{"relation": "refers_to", **there}]
    kinds = compare(Ratings().add_all([dialogue]), samples=1)["kinds"]
    assert set(kinds["relations"]["labels"]) == {"part_of", "refers_to"}
    assert kinds["relations"]["marked"] == 2


@pytest.mark.parametrize(
    "changes", [{"line": 2}, {"to_end": 99}, {"line": 1, "to_start": 0, "to_end": 2}, {"end": 5}]
)
def test_a_relation_leads_from_a_labelled_span_to_another_one(changes: dict[str, int]) -> None:
    played = Documents(WRITE, RELATED, scenarios=1)
    played.write("w-1")
    with pytest.raises(Refused):
        relate(played, "a-1", "refers_to", **changes)


def test_a_relation_to_a_span_that_is_gone_is_a_problem() -> None:
    played = Documents(WRITE, RELATED, scenarios=1)
    played.write("w-1")
    number = relate(played, "a-1", "refers_to")
    assert played.state(number)["room"]["problems"] == []
    played.send(number, Save("0", 1, {}))
    assert played.state(number)["room"]["problems"] == [{"code": "no_span", "part": "1"}]


def test_relations_need_the_layer_of_spans() -> None:
    with refuses(DialoomError, "cannot-work", "relations"):
        check(Settings(stages=(WRITE, replace(RELATED, layers=("acts", "relations")))))
