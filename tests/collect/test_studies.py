"""Studies that go on: another batch, and settings that may change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom.collect.export import Collected
from dialoom.collect.log.record import Batched, Changed
from dialoom.collect.settings import Settings, Stage, Translation
from dialoom.collect.studies import StudyHandle, open_study
from dialoom.collect.study import dashboard
from dialoom.errors import DialoomError, UsageError
from tests.collect.playing import Playing
from tests.make import GERMAN, refuses

FIRST = Settings(tasks=("weather",), scenarios=4, target=4, batch="trial", pilot=True, seed=5)
NOW = 1_700_000_000_000


def opened(db: Path, **asked: object) -> StudyHandle:
    return open_study(db, Settings(tasks=(), **asked), NOW, frozenset(asked))  # type: ignore[arg-type]


def played(study: StudyHandle) -> None:
    Playing(study.study, study.store, study.library).play()


def test_a_study_goes_on_with_another_batch(tmp_path: Path) -> None:
    db = tmp_path / "study.sqlite"
    with open_study(db, FIRST, NOW) as study:
        played(study)
    with opened(db, batch="main", pilot=False) as study:
        view = dashboard.state(study.study, NOW)
        assert (view["batch"], view["pilot"]) == ("main", False)
        played(study)
        assert dashboard.state(study.replay(), NOW) == dashboard.state(study.study, NOW)
    with opened(db) as study:  # and stays with it
        played(study)
        assert (study.study.state.batch, study.study.state.pilot) == ("main", False)
        batches = [dialogue.batch for dialogue in Collected(study.store).dialogues()]
        assert batches == ["trial", "main", "main"]
        changes = [r for r in study.store.records() if isinstance(r.body, Batched)]
        assert len(changes) == 1


def test_only_the_flag_may_change(tmp_path: Path) -> None:
    db = tmp_path / "study.sqlite"
    open_study(db, FIRST, NOW).close()
    with opened(db, pilot=False) as study:
        assert (study.study.state.batch, study.study.state.pilot) == ("trial", False)


def test_a_batch_needs_a_name(tmp_path: Path) -> None:
    db = tmp_path / "study.sqlite"
    open_study(db, FIRST, NOW).close()
    with refuses(UsageError, "wrong-value", "batch"):
        opened(db, batch="\u200b")
    opened(db).close()  # the lock was given back


def test_what_people_rely_on_stays(tmp_path: Path) -> None:
    db = tmp_path / "study.sqlite"
    open_study(db, FIRST, NOW).close()
    with refuses(UsageError, "begun", "currency"):
        opened(db, currency="EUR")
    with refuses(UsageError, "begun", "target"):
        opened(db, target=3)
    opened(db).close()


def test_what_may_change_is_written_down(tmp_path: Path) -> None:
    db = tmp_path / "study.sqlite"
    with open_study(db, FIRST, NOW) as study:
        played(study)
    new: dict[str, Any] = {"target": 9, "codes": {"completed": "C9"}, "wizards": ("w1", "w2")}
    with opened(db, **new) as study:
        assert study.study.settings == replace(FIRST, **new)
        assert dashboard.state(study.replay(), NOW) == dashboard.state(study.study, NOW)
    with open_study(db, None, NOW) as study:
        assert study.study.settings == replace(FIRST, **new)
        changes = [r for r in study.store.records() if isinstance(r.body, Changed)]
        assert len(changes) == 1
        assert Collected(study.store).settings.target == 9


@pytest.mark.parametrize("agent", ["openai:x", "flow:x", "command:nonesuch", "oracle", "nope"])
def test_no_study_begins_with_a_bot_that_cannot_answer(tmp_path: Path, agent: str) -> None:
    where = tmp_path / "study.sqlite"
    talk = Stage(name="talk", kind="bot", agents=("flow", agent))
    with pytest.raises(UsageError, match=r"^stages\[0\]\.agents\[1\]: ") as caught:
        open_study(where, replace(FIRST, stages=(talk,)), NOW)
    assert "--" not in str(caught.value)
    assert not where.exists()
    open_study(where, replace(FIRST, stages=(replace(talk, agents=("flow",)),)), NOW).close()


def test_the_tasks_are_in_the_language_of_the_pages(tmp_path: Path) -> None:
    where = tmp_path / "study.sqlite"
    talk = Stage(name="talk", kind="bot", tasks=("weather",))
    wrong: list[tuple[tuple[str, ...], dict[str, Any]]] = [
        (("wrong-language", "tasks", "en"), {}),
        (("wrong-language", "stages", "en", "de"), {"stages": (talk,)}),
        (("unknown-name", "fr"), {"translations": {"fr": Translation()}}),
    ]
    for what, more in wrong:
        language = "de" if more else "en"
        with refuses(DialoomError, *what):
            open_study(where, Settings(tasks=(GERMAN,), language=language, **more), 0)
    assert not where.exists()
    both = Settings(tasks=("weather", GERMAN), language="de", scenarios=2)
    with open_study(tmp_path / "both.sqlite", both, NOW) as study:
        assert study.study.state.languages == ("de", "en")
    open_study(where, Settings(tasks=(GERMAN,), language="de", scenarios=2), 0).close()
