"""Caps of workers, priorities, and items that are added or withdrawn while a study runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.message import Refused
from dialoom.collect.settings import Stage
from dialoom.collect.study import administration, dashboard
from tests.collect.documents import WRITE, Documents
from tests.collect.ratings import CONTEXT, written

NEW = {"id": "new", "context": CONTEXT, "outputs": {"a": "Fresh?", "b": "Old?"}}


def _study(tmp_path: Path, lines: int = 4, **more: Any) -> Documents:
    outputs = str(written(tmp_path / "outputs.jsonl", items=lines))
    stage = {"name": "judge", "kind": "rating", "outputs": outputs, "workers": 2, **more}
    return Documents(Stage(**stage), scenarios=lines)


def _grade(study: Documents, worker: str) -> str:
    """Let somebody grade an item, and return its id."""
    number = study.enter(worker)
    unit = study.study.units[study.study.assignment(number).unit or 0]
    for place, _ in enumerate(study.state(number)["room"]["item"]["outputs"]):
        study.send(number, Save(f"0.{place}", 0, 3))
    study.send(number, Submit())
    return unit.item.id


def test_nobody_gets_more_items_than_the_cap(tmp_path: Path) -> None:
    study = _study(tmp_path, cap=3, items=2)
    for worker in ("r-1", "r-2"):
        number = study.enter(worker)
        while study.study.assignment(number).outcome is None:
            _send_all(study, number)
        number = study.enter(worker)
        _send_all(study, number)
        assert len(study.study.assignment(number).finished) == 1
        with pytest.raises(Refused) as refusal:
            study.enter(worker)
        assert refusal.value.code == "full"


def _send_all(study: Documents, number: int) -> None:
    for place, _ in enumerate(study.state(number)["room"]["item"]["outputs"]):
        study.send(number, Save(f"0.{place}", 0, 3))
    study.send(number, Submit())


def test_items_go_by_priority_and_withdrawn_ones_not_at_all(tmp_path: Path) -> None:
    study = _study(tmp_path)
    study.take(administration.arrange(study.study, "judge-3", study.now, priority=5))
    study.take(administration.arrange(study.study, "judge-1", study.now, withdrawn=True))
    assert [_grade(study, "r-1") for _ in range(3)] == ["judge-3", "judge-2", "judge-4"]
    with pytest.raises(Refused):
        study.enter("r-1")
    study.take(administration.arrange(study.study, "judge-1", study.now, withdrawn=False))
    assert _grade(study, "r-1") == "judge-1"
    rows = {row["item"]: row for row in administration.listed(study.study)}
    assert (rows["judge-3"]["priority"], rows["judge-1"]["given"]) == (5, 1)
    again = study.replayed()
    assert list(administration.listed(again)) == list(administration.listed(study.study))


def test_added_items_are_given_out_and_counted(tmp_path: Path) -> None:
    study = _study(tmp_path, lines=1)
    study.take(administration.add(study.study, "judge", [NEW, {**NEW, "id": "two"}], study.now))
    [row] = dashboard.state(study.study, study.now)["stages"]
    assert row["wanted"] == 6
    assert [_grade(study, "r-1") for _ in range(2)] == ["judge-added-1", "judge-1"]
    ids = [each.id for each in study.exported("native", tmp_path / "out")]
    assert {"new-a", "new-b"} <= set(ids)


@pytest.mark.parametrize("value", [{}, {**NEW, "outputs": {}}, {**NEW, "outputs": {"a": " "}}])
def test_what_is_no_item_is_not_added(tmp_path: Path, value: dict[str, Any]) -> None:
    study = _study(tmp_path)
    before = study.study.state.records
    with pytest.raises(Refused) as refusal:
        administration.add(study.study, "judge", [NEW, value], study.now)
    assert refusal.value.code == "bad_value" and study.study.state.records == before


def test_unknown_items_and_stages_are_refused() -> None:
    study = Documents(replace(WRITE, workers=2)).study
    for item, priority in (("write-9", 0), ("other", 0), ("write-1", 10**6)):
        with pytest.raises(Refused):
            administration.arrange(study, item, 0, priority=priority)
    for stage in ("other", "write"):
        with pytest.raises(Refused):
            administration.add(study, stage, [{}], 0)
