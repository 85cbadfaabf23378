"""Items with known answers: mixed in unseen, compared, with consequences, and left out of data."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dialoom.collect.account import table
from dialoom.collect.export import Collected
from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.log.change import Change
from dialoom.collect.log.store import Store
from dialoom.collect.message import Refused
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.settings_check import setting_mistakes
from dialoom.collect.stage_rules import GoldItems
from dialoom.collect.study import dashboard
from dialoom.dialogue import Dialogue, Utterance
from dialoom.errors import FormatError
from dialoom.formats.native import NativeFormat
from tests.collect.documents import MARK, SETTLE, WRITE, Documents
from tests.collect.ratings import CONTEXT, written
from tests.make import refuses

RIGHT = {"good": {"quality": [4, 5]}, "bad": {"quality": 1}}


def _gold(path: Path, right: object = RIGHT, items: int = 6) -> Path:
    lines = [
        {
            "id": f"g-{n}",
            "context": CONTEXT,
            "outputs": {"good": f"For how many? ({n})", "bad": f"No table no. ({n})"},
            "right": right,
        }
        for n in range(items)
    ]
    path.write_bytes(msgspec.json.Encoder().encode_lines(lines))
    return path


def _study(tmp_path: Path, items: int = 4, **rules: Any) -> Documents:
    outputs = str(written(tmp_path / "outputs.jsonl", items=12))
    gold = GoldItems(items=str(_gold(tmp_path / "gold.jsonl")), **{"every": 2, **rules})
    stage = Stage(
        name="judge", kind="rating", outputs=outputs, workers=3, items=items, pay=10, gold=gold
    )
    return Documents(stage, scenarios=12)


def _grade(study: Documents, number: int, *, careful: bool = True) -> bool:
    """Grade an item, and return whether it is a gold item."""
    outputs = study.state(number)["room"]["item"]["outputs"]
    gold = any("no." in text for text in outputs)
    for place, text in enumerate(outputs):
        grade = 3 if not (gold and careful) else 1 if "no." in text else 5
        study.send(number, Save(f"0.{place}", 0, grade))
    study.send(number, Submit())
    return gold


def _assignment(study: Documents, worker: str, *, careful: bool = True) -> list[bool]:
    number, flags = study.enter(worker), list[bool]()
    while study.study.assignment(number).outcome is None:
        flags.append(_grade(study, number, careful=careful))
    return flags


def test_one_item_in_so_many_is_gold_at_a_place_that_differs(tmp_path: Path) -> None:
    study = _study(tmp_path)
    flags = {worker: _assignment(study, worker) for worker in ("r-1", "r-2", "r-3", "r-4", "r-5")}
    assert all(sum(each[:2]) == sum(each[2:]) == 1 for each in flags.values())
    assert len({tuple(each) for each in flags.values()}) > 1
    view = dashboard.state(study.study, study.now)
    assert all(row["gold"] == {"right": 2, "of": 2} for row in view["workers"])
    assert view["quota"]["complete"] == 10 and view["stages"][0]["complete"] == 10
    again = dashboard.state(study.replayed(), study.now)
    assert again == view


def test_no_page_shows_that_an_item_is_gold(tmp_path: Path) -> None:
    study = _study(tmp_path)
    number, keys = study.enter("r-1"), set()
    for _ in range(4):
        state = study.state(number)
        keys.add((tuple(state), tuple(state["room"]), tuple(state["room"]["item"])))
        assert "right" not in str(state) and "gold" not in str(state)
        _grade(study, number)
    assert len(keys) == 1


@pytest.mark.parametrize(
    ("rules", "outcome", "warned"),
    [
        ({}, "completed", False),
        ({"warn": 0.7}, "completed", True),
        ({"refuse": 0.7}, "completed", True),
        ({"end": 0.7}, "screened_out", True),
        ({"end": 0.7, "least": 3}, "completed", False),
    ],
)
def test_wrong_answers_have_the_consequences_that_the_study_names(
    tmp_path: Path, rules: dict[str, float], outcome: str, warned: bool
) -> None:
    study = _study(tmp_path, items=4, **rules)
    number = study.enter("r-1")
    while study.study.assignment(number).outcome is None:
        _grade(study, number, careful=False)
    view = study.state(number)
    assert (view["done"]["outcome"], view["warned"]) == (outcome, warned)
    refused = "refuse" in rules or outcome == "screened_out"
    if refused:
        with pytest.raises(Refused) as refusal:
            study.enter("r-1")
        assert refusal.value.code == "rejected"
    else:
        study.enter("r-1")
    finished = len(study.study.assignment(number).finished)
    assert view["done"]["pending"] == 10 * finished  # what was done is paid, if it is accepted
    row = table(study.study)[0]
    assert (row["items"], row["gold"], row["gold_right"]) == (finished, 2, 0)


def test_gold_items_are_exported_only_where_they_are_asked_for(tmp_path: Path) -> None:
    study = _study(tmp_path)
    _assignment(study, "r-1")
    _assignment(study, "r-2", careful=False)
    with Store.open(":memory:") as store:
        store.submit(Change(tuple(study.log))).result()
        without, whole = Collected(store), Collected(store, gold=True)
        plain = [each.id for each in without.dialogues()]
        marked = [each.id for each in whole.dialogues() if each.extra.get("GoldItem")]
    assert not any(each.startswith("g-") for each in plain)
    assert marked and all(each.startswith("g-") for each in marked)
    answers = {"1": {"right": 2, "of": 2}, "2": {"right": 0, "of": 2}}
    assert without.gold.table() == whole.gold.table() == answers


@pytest.mark.parametrize(
    "right",
    [
        *({}, {"other": {"quality": 1}}, {"good": {"grace": 1}}),
        *({"good": {"quality": grade}} for grade in (0, 6, [], [5, 6])),
    ],
)
def test_lines_without_right_grades_are_refused(tmp_path: Path, right: object) -> None:
    study = _study(tmp_path)
    _gold(tmp_path / "gold.jsonl", right)
    with refuses(FormatError, "no-key", "g-0"):
        next(study.study.state.kinds["judge"].gold())  # type: ignore[attr-defined]


def test_marks_are_compared_with_the_annotation_of_the_dialogue(tmp_path: Path) -> None:
    first = Documents(WRITE, replace(MARK, workers=1), scenarios=1)
    first.write("w-1")
    first.annotate("a-1", "large")
    first.exported("native", tmp_path / "first")
    corpus = str(tmp_path / "first")
    mark = replace(MARK, of="", corpus=corpus, gold=GoldItems(items=corpus, every=1))
    study = Documents(mark, scenarios=1)
    study.annotate("a-1", "large")
    study.annotate("a-2", "latte")
    gold = study.study.state.gold
    assert (gold.of("a-1", "mark"), gold.of("a-2", "mark")) == ((True,), (False,))


def test_adjudications_are_compared_with_the_gold_layer(tmp_path: Path) -> None:
    first = Documents(WRITE, MARK, SETTLE, scenarios=1)
    first.write("w-1")
    first.annotate("a-1", "large")
    first.annotate("a-2", "latte")
    judge = first.enter("j-1")
    marks = first.state(judge)["room"]["item"]["lines"][0]["marks"]
    first.send(judge, Save("0", 0, marks[0]))
    first.send(judge, Submit())
    first.exported("native", tmp_path / "settled")
    gold = GoldItems(items=str(tmp_path / "settled"), every=1)
    mark = replace(MARK, only=("a-1", "a-2", "a-3", "a-4"))
    settle = replace(SETTLE, only=("j-1", "j-2"), gold=gold)
    study = Documents(WRITE, mark, settle, scenarios=2)
    for worker in ("w-1", "w-2"):
        study.write(worker)
    for worker in ("a-1", "a-2", "a-3", "a-4"):
        study.annotate(worker, "large", *(["latte"] if worker in ("a-2", "a-4") else []))
    for worker, choice in (("j-1", 0), ("j-2", 1)):
        number = study.enter(worker)
        state = study.state(number)
        assert state["room"]["item"]["lines"][0]["marks"] == marks
        assert "gold" not in str(state)
        study.send(number, Save("0", 0, marks[choice]))
        study.send(number, Submit())
    answers = study.study.state.gold
    assert (answers.of("j-1", "settle"), answers.of("j-2", "settle")) == ((True,), (False,))
    study.exported("native", tmp_path / "without")
    kind = study.study.state.kinds["settle"]
    bare = Dialogue(id="bare", events=(Utterance(agent="user", text="Hi."),))
    shutil.rmtree(tmp_path / "settled")
    NativeFormat().write([bare], {}, tmp_path / "settled")
    with refuses(FormatError, "wrong-type", "bare"):
        next(kind.gold())  # type: ignore[attr-defined]


def test_rewordings_are_compared_with_the_right_texts(tmp_path: Path) -> None:
    lines = (
        Utterance(agent="user", text="Only write: blue house.", extra={"right": "blue house"}),
        Utterance(agent="system", text="Good night."),
    )
    NativeFormat().write([Dialogue(id="check", events=lines)], {}, tmp_path / "gold")
    others = [Dialogue(id=f"d-{n}", events=(lines[1],)) for n in range(2)]
    NativeFormat().write(others, {}, tmp_path / "corpus")
    gold = GoldItems(items=str(tmp_path / "gold"), every=1)
    stage = Stage(name="reword", kind="paraphrase", corpus=str(tmp_path / "corpus"), gold=gold)
    study = Documents(stage, scenarios=2)
    for worker, text in (("p-1", "Blue house!"), ("p-2", "Write nothing but that.")):
        number = study.enter(worker)
        assert "right" not in str(study.state(number)["room"]["item"])
        study.send(number, Save("0", 0, {"text": text}))
        study.send(number, Save("1", 0, {"text": "Sleep well."}))
        study.send(number, Submit())
    answers = study.study.state.gold
    assert (answers.of("p-1", "reword"), answers.of("p-2", "reword")) == ((True,), (False,))


def test_rules_that_make_no_sense_are_mistakes() -> None:
    gold = GoldItems(items="x", every=0, warn=1.5)
    stages = (
        Stage(name="a", kind="self_dialogue", gold=gold),
        Stage(name="b", kind="annotation", corpus="c", gold=gold, prelabels=("published",)),
    )
    places = {each.pointer[1:] for each in setting_mistakes(Settings(stages=stages))}
    assert {(0, "gold"), (0, "gold", "every"), (0, "gold", "warn"), (1, "prelabels")} <= places
