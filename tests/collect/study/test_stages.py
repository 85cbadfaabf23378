from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.collect.kinds.document.kind import DocumentKind
from dialoom.collect.kinds.room.questions import questions as questions_of
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.record import ROLES
from dialoom.collect.message import Consent, Leave, Refused
from dialoom.collect.settings import ConsentText, Settings, Stage, Translation
from dialoom.collect.study import dashboard
from dialoom.collect.study.quizzes import load_quiz
from dialoom.collect.study.stages import (
    STAR as FOUR,
)
from dialoom.collect.study.stages import (
    Stages,
    Worker,
    in_language,
    next_stage,
    study_stages,
)
from dialoom.collect.unit import ItemFilter, Result
from dialoom.dialogue.annotation import SYSTEM_NAME
from tests.collect.studied import Played, Shelf, settings
from tests.make import GERMAN

BOTH: dict[str, Any] = {"tasks": ("weather", GERMAN), "scenario": "happy", "seed": 41}


@cache
def _shelf() -> Shelf:
    library = ScenarioLibrary(Settings(**BOTH, scenarios=6))
    return Shelf(tuple(library.scenarios()), library.tasks)


def _played(**more: Any) -> Played:
    shelf = _shelf()
    return Played(Shelf(shelf.made, shelf.tasks), **{**BOTH, "scenarios": 6, **more})


def _refused(played: Played, worker: str, **more: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        played.enter(worker, **more)
    return caught.value


def _room(played: Played, number: int) -> dict[str, Any]:
    room: dict[str, Any] = played.state(number)["room"]
    return room


def test_the_languages_take_turns() -> None:
    assert [scenario.tasks[0] for scenario in _shelf().made] == ["weather", "wetter"] * 3
    assert [scenario.id for scenario in _shelf().made] == [f"s{number}" for number in range(1, 7)]
    assert len({scenario.texts for scenario in _shelf().made}) == 6


def test_workers_choose_a_language_and_keep_it() -> None:
    played = _played()
    for language in ("", "fr"):
        refusal = _refused(played, "w1", language=language)
        assert (refusal.code, refusal.detail) == ("language_wanted", {"languages": ["en", "de"]})
    first = played.enter("w1", language="de")
    assert played.state(first)["language"] == "de"
    played.tick(70)  # they went, and come back without saying it again
    played.take(played.study.disconnected(first, played.now))
    again = played.enter("w1")
    assert again != first
    assert played.state(again)["language"] == "de"
    assert played.state(played.enter("bot:1", "wizard"))["language"] == "en"


def test_two_talk_in_the_language_that_both_chose(tmp_path: Path) -> None:
    played = _played()
    english = played.ready("w-en", "wizard", language="en")
    german = played.ready("w-de", "user", language="de")
    for number in (english, german):
        assert played.state(number)["waiting"]["reason"] == "language"
    codes = {one["worker"]: one["language"] for one in dashboard.state(played.study, 0)["waiting"]}
    assert codes == {"w-en": "en", "w-de": "de"}
    other = played.ready("w-de-2", "wizard", language="de")
    assert played.seats() == (german, other)
    for number, phrase in ((german, "Fragen Sie, wie das Wetter"), (other, "Sagen Sie dem Gast")):
        assert phrase in _room(played, number)["text"]
    assert played.study.units[1].item.language == "de"
    played.talk()
    work = played.study.units[1].work
    assert isinstance(work, Room)
    for name in ("star", "native"):
        (tmp_path / name).mkdir()
        formats.get(name).write([work.dialogue()], _shelf().tasks, tmp_path / name)
        [read] = formats.load(tmp_path / name, name).dialogues()
        assert read.extra["Language"] == "de"
    for number in (german, other):
        questions = played.state(number)["questionnaire"]["questions"]
        common = {each.text for role in ROLES for each in questions_of(role, (), "de")}
        assert {each["text"] for each in questions if each["common"]} <= common
        played.fill(number)
    played.ready("w-en-2", "user", language="en")
    assert played.study.units[2].item.language == "en"
    work = played.study.units[2].work
    assert isinstance(work, Room)
    assert work.dialogue().extra == {}  # in the study's own language
    [row, *_] = dashboard.state(played.study, 0)["rooms"]
    assert row["language"] == "en"
    replayed = played.replayed()
    assert {n: one.language for n, one in replayed.state.assignments.items()} == {
        english: "en",
        german: "de",
        other: "de",
        4: "en",
    }


def test_only_as_many_are_let_in_as_there_are_seats_in_their_language() -> None:
    played = _played(scenarios=2)  # one in each language
    for role in ROLES:
        played.enter(f"en-{role}", role, language="en")
    assert _refused(played, "en-3", language="en").code == "full"
    assert played.state(played.enter("de-1", language="de"))["language"] == "de"


def test_texts_of_a_study_are_in_each_language() -> None:
    german = Translation(purpose="Bessere Assistenten.", consent="Wir behalten den Dialog.")
    played = _played(translations={"de": german}, name="Weather")
    view = played.state(played.enter("w-de", language="de"))
    assert view["consent"]["purpose"] == "Bessere Assistenten."
    assert view["consent"]["text"] == "Wir behalten den Dialog."
    assert view["study"]["name"] == "Weather"  # what is not translated stays as it is
    english = played.state(played.enter("w-en", language="en"))
    assert english["consent"]["purpose"] == "Better assistants."
    settings = in_language(Settings(video={"a": "x"}, translations={"de": german}), "de")
    assert settings.video == {"a": "x"}


def test_quizzes_are_in_the_language_that_was_chosen() -> None:
    played = _played(stages="star")
    first = []
    for language in ("en", "de"):
        number = _alone(played, language)
        first.append(played.state(number)["quiz"]["questions"][0]["text"])
    assert first == [load_quiz("single_tutorial", each).questions[0].text for each in ("en", "de")]
    assert first[0] != first[1]


def _alone(played: Played, language: str) -> int:
    number = played.enter(f"w-{language}", language=language)
    played.send(number, Consent())
    return number


def test_talks_with_bots_are_in_the_language_of_their_task() -> None:
    stage = Stage(name="talk", kind="bot")
    played = _played(stages=(stage,))
    items = {
        language: played.state(_alone(played, language))["room"]["item"]
        for language in ("de", "en")
    }
    assert {language: item["task"] for language, item in items.items()} == {
        "de": "wetter",
        "en": "weather",
    }
    for unit, extra in ((1, {"Language": "de"}), (2, {})):
        kind, item = played.study.units[unit].kind, played.study.units[unit].item
        assert isinstance(kind, DocumentKind)
        document = {"talk": {}, "rating": 4, "reached": True}
        [talk] = kind.dialogues(kind.given(item), [Result(unit, "1", document)])
        assert talk.extra == {SYSTEM_NAME: "flow", **extra}


STAR = settings(stages="star", scenario="mixed")


def _next(granted: dict[str, bool], closed: frozenset[str] = frozenset()) -> str:
    worker = Worker("w1", granted=granted)
    try:
        return next_stage(worker, study_stages(STAR), lambda name: name not in closed).name
    except Refused as refused:
        return refused.code


@pytest.mark.parametrize(
    ("granted", "stage"),
    [
        ({}, "single_tutorial"),
        ({"single": True}, "single"),
        ({"single": True, "multi_tutorial": True}, "multi_tutorial"),
        ({"single": True, "multi_tutorial": True, "multi": True}, "multi"),
        ({"single_tutorial": False}, "screened_out"),
        ({"single": False}, "rejected"),
        ({"single": True, "multi_tutorial": False}, "single"),
        ({"single": True, "multi_tutorial": True, "multi": False}, "rejected"),
    ],
)
def test_a_stage_is_entered_with_the_qualification_for_it(
    granted: dict[str, bool], stage: str
) -> None:
    assert _next(granted) == stage


def test_a_stage_that_is_full_gives_way_to_the_one_before() -> None:
    several = frozenset({"multi_tutorial", "multi"})
    granted: dict[str, bool] = {"single": True, "multi_tutorial": True, "multi": True}
    assert _next(granted, several) == "single"
    assert _next(granted, frozenset(stage.name for stage in FOUR)) == "full"


def test_a_study_has_the_stages_that_its_scenarios_are_for() -> None:
    assert _names(stages="star", scenario="mixed") == [stage.name for stage in FOUR]
    assert _names(stages="star", scenario="happy") == ["single_tutorial", "single"]
    assert _names(stages="star", scenario="multi") == ["multi_tutorial", "multi"]
    assert _names(scenario="multi") == ["multi"]
    assert _names(scenario="mixed") == ["single"]


def _names(**changes: Any) -> list[str]:
    return [stage.name for stage in study_stages(settings(**changes))]


def test_a_tutorial_leads_to_the_items_of_the_stage_after_it() -> None:
    stages = study_stages(STAR)
    assert stages.items("multi_tutorial") == stages.items("multi") == ItemFilter("", ("multi",))
    assert study_stages(settings(scenario="mixed")).items("single") == ItemFilter("")
    assert {stages.source(stage.name) for stage in stages} == {""}
    assert stages.after("multi") is None


def test_a_list_of_stages_opens_what_has_no_gate() -> None:
    order = (Stage(name="talk"), Stage(name="more", gate="review"), Stage(name="free"))
    stages = Stages(order)
    assert stages.source("more") == ""
    assert next_stage(Worker("w"), stages, lambda name: True).name == "free"
    assert next_stage(Worker("w"), stages, lambda name: name != "free").name == "talk"
    granted = Worker("w", granted={"more": True})
    assert next_stage(granted, stages, lambda name: name != "free").name == "more"


def test_programs_skip_the_quizzes() -> None:
    bot = Worker("bot:1")
    assert next_stage(bot, study_stages(STAR), lambda name: True).name == "single"


def test_people_agree_once_to_each_version_and_kind_of_work() -> None:
    played = Played(stages="star", scenario="mixed", consent=ConsentText(version="1"))
    one = played.ready_for_quiz("w1")
    played.quiz(one)
    two = played.enter("w1")
    assert played.step(two) == "waiting"
    names = [type(record.body).__name__ for record in played.log if record.stream == "assignment/2"]
    assert names == ["Entered", "Consented"]
    assert played.replayed().assignment(two).step == "waiting"
    played.send(two, Leave())
    played.study.settings = replace(played.settings, consent=ConsentText(version="2"))
    assert played.step(played.enter("w1")) == "consent"
