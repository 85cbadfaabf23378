"""Studies that go on: the same settings, only another batch."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.collect.export import Collected
from dialoom.collect.log.record import Batched
from dialoom.collect.settings import Settings
from dialoom.collect.studies import StudyHandle, open_study
from dialoom.collect.study import dashboard
from dialoom.errors import UsageError
from tests.collect.playing import Playing

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
        shown = dashboard.state(study.study, NOW)
        assert (shown["batch"], shown["pilot"]) == ("main", False)
        played(study)
        assert dashboard.state(study.replay(), NOW) == dashboard.state(study.study, NOW)
    with opened(db) as study:  # and stays with it
        played(study)
        assert (study.study.state.batch, study.study.state.pilot) == ("main", False)
        found = [dialogue.batch for dialogue in Collected(study.store).dialogues()]
        assert found == ["trial", "main", "main"]
        begun = [r for r in study.store.records() if isinstance(r.body, Batched)]
        assert len(begun) == 1


def test_only_the_flag_may_change(tmp_path: Path) -> None:
    db = tmp_path / "study.sqlite"
    open_study(db, FIRST, NOW).close()
    with opened(db, pilot=False) as study:
        assert (study.study.state.batch, study.study.state.pilot) == ("trial", False)


def test_a_batch_needs_a_name(tmp_path: Path) -> None:
    db = tmp_path / "study.sqlite"
    open_study(db, FIRST, NOW).close()
    with pytest.raises(UsageError, match="batch"):
        opened(db, batch="\u200b")
    opened(db).close()  # the lock was given back


def test_all_else_stays(tmp_path: Path) -> None:
    db = tmp_path / "study.sqlite"
    open_study(db, FIRST, NOW).close()
    with pytest.raises(UsageError, match="target = 4, not 5"):
        opened(db, target=5)
