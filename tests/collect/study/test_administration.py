"""Several items in one assignment: one page after the other, and one code at the end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.log.change import Code, Paid
from dialoom.collect.message import Consent, Leave, Refused
from dialoom.collect.settings import ScenarioMode, Settings, Stage
from dialoom.collect.study import dashboard, page
from tests.collect.documents import MARK, WRITE, Documents
from tests.collect.ratings import written
from tests.collect.studied import PlayedStudy


def _raters(tmp_path: Path, items: int = 2, lines: int = 3) -> Documents:
    outputs = str(written(tmp_path / "outputs.jsonl", items=lines))
    stage = Stage(
        name="judge", kind="rating", outputs=outputs, workers=2, items=items, pay=20, minutes=2
    )
    return Documents(stage, scenarios=lines)


def _grade(study: Documents, number: int) -> None:
    for output, _ in enumerate(study.state(number)["room"]["item"]["outputs"]):
        study.send(number, Save(f"0.{output}", 0, 3))
    study.send(number, Submit())


def test_one_assignment_has_several_items_and_one_code(tmp_path: Path) -> None:
    study = _raters(tmp_path)
    number = PlayedStudy.enter(study, "r-1")
    (row,) = study.state(number)["consent"]["earnings"]
    assert (row["items"], row["minutes"], row["base"]) == (2, 4, 40)
    study.send(number, Consent())
    rooms = []
    for done in range(2):
        view = study.state(number)
        assert (view["step"], view["items"]) == ("room", {"done": done, "wanted": 2})
        rooms.append(view["room"]["number"])
        _grade(study, number)
    view = study.state(number)
    assert (view["step"], view["done"]["parts"], view["done"]["pending"]) == ("done", 6, 40)
    assert rooms == [1, 2] and sum(isinstance(each, Code) for each in study.claims) == 1
    assert study.study.state.reviews.all[number].units == (1, 2)
    again = study.replayed()
    assert dashboard.state(again, study.now) == dashboard.state(study.study, study.now)


@pytest.mark.parametrize(
    ("scenario", "given", "pay"),
    [
        ("happy", {}, (100, 140)),
        ("multi", {}, (190, 340)),
        ("mixed", {}, (100, 340)),
        ("mixed", {"groups": ("multi",)}, (190, 340)),
        ("happy", {"pay": 70}, (70, 70)),
        ("happy", {"kind": "bot"}, (100, 100)),
    ],
)
def test_the_consent_has_the_pay_of_the_ledger(
    scenario: ScenarioMode, given: dict[str, Any], pay: tuple[int, int]
) -> None:
    earnings = page.earnings(Settings(scenario=scenario), Stage(name="talk", **given))
    assert (earnings["base"], earnings["most"]) == pay


def test_an_assignment_ends_earlier_where_no_item_is_left(tmp_path: Path) -> None:
    study = _raters(tmp_path, items=5)
    number = study.enter("r-1")
    for _ in range(3):
        _grade(study, number)
    assert study.study.assignment(number).outcome == "completed"


def test_who_leaves_in_the_second_item_is_paid_for_the_first(tmp_path: Path) -> None:
    study = _raters(tmp_path, items=2, lines=6)
    for _ in range(2):
        number = study.enter("r-1")
        _grade(study, number)
        _grade(study, number)
    number = study.enter("r-1")
    _grade(study, number)
    study.send(number, Leave())
    done = study.state(number)["done"]
    assert (done["outcome"], done["cents"], done["parts"]) == ("left", 20, 3)
    assert Paid(key=f"pay/{number}", worker="r-1", cents=20) in study.claims
    assert study.study.state.pool.complete["judge"] == 5


def test_writers_get_several_outlines() -> None:
    study = Documents(replace(WRITE, items=2))
    number = study.write("w-1")
    assert study.state(number)["items"] == {"done": 1, "wanted": 2}
    with pytest.raises(Refused):
        study.enter("w-1")


def test_the_progress_of_the_study_is_the_sum_of_its_stages() -> None:
    study = Documents(WRITE, MARK, scenarios=2)
    study.write("w1")
    view = dashboard.state(study.study, study.now)
    assert [(row["wanted"], row["complete"]) for row in view["stages"]] == [(2, 1), (2, 0)]
    assert (view["quota"]["wanted"], view["quota"]["complete"]) == (4, 1)
