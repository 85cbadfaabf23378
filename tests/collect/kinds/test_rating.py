"""Grades and ranks of outputs: blind, by several people, exported so that agreement reads them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.kinds.grades import SystemGrades, given_grades, judgements
from dialoom.collect.kinds.rated_chat import REACHED
from dialoom.collect.kinds.rating import RatingKind, read_outputs
from dialoom.collect.log.change import Change
from dialoom.collect.log.store import Store
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.study.administration import review
from dialoom.dialogue import USER, Answer, Dialogue, Layer, Part, Utterance
from dialoom.dialogue.annotation import GRADES, RATING, REVIEWS, SYSTEM_NAME
from dialoom.errors import FormatError
from dialoom.quality.agreement import Ratings, compare
from tests.cli.runner import Run
from tests.collect.documents import Documents
from tests.collect.ratings import OUTPUTS, written
from tests.make import refuses


def played(tmp_path: Path, judge: str, *criteria: str) -> Documents:
    outputs = str(written(tmp_path / "outputs.jsonl"))
    stage = {"name": "rate", "kind": "rating", "workers": 2, "outputs": outputs}
    return Documents(msgspec.convert({**stage, "judge": judge, "criteria": criteria}, Stage))


def grade(study: Documents, worker: str, grades: Mapping[str, tuple[int, ...]]) -> list[str]:
    """Let somebody grade the next outputs by what they read; return the order they were shown."""
    number = study.enter(worker)
    item = study.state(number)["room"]["item"]
    for output, text in enumerate(item["outputs"]):
        for criterion, value in enumerate(grades[text.split(" (")[0]]):
            study.send(number, Save(f"{criterion}.{output}", 0, value))
    study.send(number, Submit())
    return list(item["outputs"])


def test_grades_are_exported_and_agreement_reads_them(tmp_path: Path) -> None:
    study = played(tmp_path, "rate", "natural", "fitting")
    views = []
    for worker, least in (("r-1", 1), ("r-2", 2)):
        for _ in range(2):
            marks = {"At seven.": (5, least), "For how many?": (4, 4), "For for many?": (least, 2)}
            views.append(grade(study, worker, marks))
    assert views[0] == views[2] and len({tuple(t[:9] for t in each) for each in views}) > 1
    assert not any(name in str(views) for name in OUTPUTS)
    dialogues = study.exported("native", tmp_path / "out")
    assert [each.id for each in dialogues][-3:] == [f"i-1-{name}" for name in _order(dialogues)]
    last = dialogues[0].events[-1]
    assert isinstance(last, Utterance) and len(last.layers) == 2
    grades = [row for each in dialogues for row in given_grades(each)]
    assert sorted(set(grades)) == [
        ("n-gram", "fitting", 2),
        ("n-gram", "natural", 1),
        ("n-gram", "natural", 2),
        ("nearest", "fitting", 1),
        ("nearest", "fitting", 2),
        ("nearest", "natural", 5),
        ("transformer", "fitting", 4),
        ("transformer", "natural", 4),
    ]
    report = compare(Ratings().add_all(dialogues), samples=10)["kinds"]["grades"]
    assert (report["units"], sorted(report["labels"])) == (6, ["fitting", "natural"])
    assert 0 < report["labels"]["fitting"]["alpha"]["value"] < 1
    assert len(report["disagreements"]) == 4


def test_two_stages_that_rate_one_file_export_different_ids(tmp_path: Path) -> None:
    outputs = str(written(tmp_path / "outputs.jsonl", items=1))
    stages = [
        Stage(name=name, kind="rating", outputs=outputs, only=(worker,))
        for name, worker in (("first", "r-1"), ("second", "r-2"))
    ]
    study = Documents(*stages)
    for worker in ("r-1", "r-2"):
        grade(study, worker, dict.fromkeys(("At seven.", "For how many?", "For for many?"), (3,)))
    ids = [each.id for each in study.exported("native", tmp_path / "out")]
    assert ids[3:] == [f"{each}-second" for each in ids[:3]]
    assert len(set(ids)) == 6


def test_rejected_raters_are_marked_and_count_nowhere(tmp_path: Path) -> None:
    """Two stages rate the same file; one of each stage's three raters is rejected."""
    outputs = str(written(tmp_path / "outputs.jsonl", items=1))
    stages = [
        Stage(name=name, kind="rating", outputs=outputs, criteria=(name,), workers=3, only=people)
        for name, people in (("fitting", ("f-1", "f-2", "f-3")), ("short", ("s-1", "s-2", "s-3")))
    ]
    study, texts = Documents(*stages), ("At seven.", "For how many?", "For for many?")
    for worker in (each for stage in stages for each in stage.only):
        marks = ((1,), (1,), (1,)) if worker.endswith("1") else ((5,), (3,), (2,))
        grade(study, worker, dict(zip(texts, marks, strict=True)))
    for number, one in list(study.study.state.reviews.all.items()):
        accepted, reason = not one.worker.endswith("1"), "At random."
        study.take(review(study.study, number, study.now, accepted=accepted, reason=reason))
    dialogues = study.exported("native", tmp_path / "out")
    assert [each["Accepted"] for each in dialogues[0].extra["Reviews"].values()] == [0, 1, 1]
    figures = SystemGrades().add_all(dialogues).figures()
    means = {(row["criterion"], row["system"]): row["mean"] for row in figures["systems"]}
    assert means["short", "nearest"] == means["fitting", "nearest"] == 5
    pairs = {(row["criterion"], row["difference"], row["items"]) for row in figures["pairs"]}
    assert {("fitting", -3, 1), ("short", -3, 1)} < pairs  # n-gram less nearest
    ratings = Ratings().add_all(dialogues)
    assert sorted(ratings.annotators) == ["rater-2", "rater-3", "rater-5", "rater-6"]
    assert compare(ratings, samples=1)["kinds"]["grades"]["all"]["alpha"]["value"] == 1


def test_a_rejected_talk_with_a_bot_has_no_grades() -> None:
    reviews = {"tester-4": {"Accepted": False}}
    answers = (Answer(USER, RATING, 1), Answer(USER, REACHED, True))
    extra = {SYSTEM_NAME: "follower", REVIEWS: reviews}
    talk = Dialogue(id="dlg-1", events=(), workers={USER: "4"}, answers=answers, outcome="missed")
    talk = replace(talk, provenance="collected", extra=extra)
    assert not [*given_grades(talk), *judgements(talk)]
    annotated = replace(talk, extra={**extra, REVIEWS: {"annotator-5": {"Accepted": False}}})
    assert len([*given_grades(annotated), *judgements(annotated)]) == 4


def test_outputs_of_two_files_with_the_same_ids_are_different_items() -> None:
    def rated(id: str, context: str, system: str, grade: int) -> Dialogue:
        layer = Layer("rater-1", (Part(extra={GRADES: {"natural": grade}}),))
        before, output = (Utterance(agent=USER, text=context), Utterance(agent=USER, text="Yes."))
        events = (before, replace(output, layers=(layer,)))
        return Dialogue(id=id, events=events, provenance="collected", extra={SYSTEM_NAME: system})

    rows = [("1-a", "Tea?", "a", 5), ("1-b", "Tea?", "b", 1), ("1-a", "Jam?", "a", 2)]
    figures = SystemGrades().add_all(rated(*row) for row in rows).figures()
    assert [row["items"] for row in figures["systems"]] == [2, 1]
    assert figures["pairs"][0]["difference"] == 4


def test_the_summary_of_an_export_names_what_has_no_outcome(run: Run, tmp_path: Path) -> None:
    outputs = str(written(tmp_path / "outputs.jsonl"))
    study = Documents(Stage(name="rate", kind="rating", outputs=outputs))
    grade(study, "r-1", dict.fromkeys(("At seven.", "For how many?", "For for many?"), (3,)))
    study.enter("r-2")
    db = tmp_path / "study.sqlite"
    with Store.open(db) as store:
        store.submit(Change(tuple(study.log))).result()
    done = run("collect", "export", "--db", db, "--out", tmp_path / "out")
    first, second, *_ = done.out.splitlines()
    assert first == f"3 dialogues written to {tmp_path / 'out'}, 1 unit of work under way"
    assert second == "  no outcome: 3"


def test_a_sample_of_the_file_is_drawn_by_the_seed(tmp_path: Path) -> None:
    outputs = str(written(tmp_path / "outputs.jsonl", items=40))
    stage = msgspec.convert({"name": "rate", "kind": "rating", "outputs": outputs}, Stage)
    samples = []
    for seed in (3, 3, 4):
        kind = RatingKind(None, Settings(tasks=(), scenarios=10, seed=seed), stage)  # type: ignore[arg-type]
        samples.append([int(content["id"].removeprefix("i-")) for content, _ in kind.made()])
    assert samples[0] == samples[1] == sorted(samples[0])
    assert samples[0] != samples[2] and max(samples[0]) > 10


def test_more_scenarios_add_the_lines_that_nobody_was_given(tmp_path: Path) -> None:
    outputs = str(written(tmp_path / "outputs.jsonl", items=10))
    stage = Stage(name="rate", kind="rating", outputs=outputs)
    same = dict.fromkeys(("At seven.", "For how many?", "For for many?"), (3,))
    study, grown = Documents(stage, scenarios=4), Documents(stage, scenarios=10)
    for number in range(4):
        grade(study, f"r-{number}", same)
    grown.log = list(study.log)
    grown.study = grown.replayed()
    for number in range(4, 10):
        grade(grown, f"r-{number}", same)
    pool = grown.study.state.pool
    lines = sorted(pool[row["item"]].content["id"] for row in pool.rows("rate"))
    assert lines == sorted(f"i-{number}" for number in range(10))


def _order(dialogues: list[Dialogue]) -> list[str]:
    return [each.extra["system"] for each in dialogues][-3:]


def test_one_of_the_ranks_is_the_first_and_two_may_be_equal(tmp_path: Path) -> None:
    study = played(tmp_path, "rank", "better")
    number = study.enter("r-1")
    room = study.state(number)["room"]
    assert (room["role"], room["item"]["most"], len(room["problems"])) == ("rater", 3, 3)
    for output, rank in enumerate((2, 3, 2)):
        study.send(number, Save(f"0.{output}", 0, rank))
    refusal = study.refused(number, Submit())
    assert refusal.detail["problems"] == [{"code": "no_first", "part": "0.0"}]
    study.send(number, Save("0.0", 1, 1))
    study.send(number, Save("0.2", 1, 1))
    study.send(number, Submit())


@pytest.mark.parametrize(
    ("part", "value", "code"),
    [
        ("0.3", 1, "unknown"),
        ("1.0", 1, "unknown"),
        ("0", 1, "unknown"),
        ("0.0", 4, "bad_value"),
        ("0.0", 0, "bad_value"),
        ("0.0", True, "bad_value"),
        ("0.0", "2", "bad_value"),
    ],
)
def test_what_is_no_rank_is_refused(tmp_path: Path, part: str, value: object, code: str) -> None:
    study = played(tmp_path, "rank", "better")
    assert study.refused(study.enter("r-1"), Save(part, 0, value)).code == code


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ("empty",)),
        ("{}", ("wrong-type", "line 1", "Object")),
        ('\n{"id": "1", "context": [], "outputs": {"a": "x"}}', ("too-few", "line 2", "2")),
        ('{"id": "1", "context": [], "outputs": {"a": "x", "b": " "}}', ("too-few", "line 1", "2")),
        ('{"id": "1", "context": [], "outputs": {"a": "x", "b": "y"}}\n' * 2, ("twice", "line 2")),
        (
            '{"id": "1", "context": [{"agent": "guide", "text": "Hi."}], "outputs": {}}',
            ("wrong-type", "line 1"),
        ),
    ],
)
def test_files_that_are_none(tmp_path: Path, text: str, told: tuple[str, ...]) -> None:
    path = tmp_path / "outputs.jsonl"
    path.write_text(text, encoding="utf-8")
    with refuses(FormatError, *told):
        list(read_outputs(path, 2))
