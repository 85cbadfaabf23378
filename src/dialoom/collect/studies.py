"""Opens a study: opens its database, reads its tasks and replays its log.

The log has the settings that a study was started with, and all later changes (settings_change.py).
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path

import msgspec

from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.record import Changed, Record, Started
from dialoom.collect.log.store import Store
from dialoom.collect.settings import Settings
from dialoom.collect.settings_change import BATCH, changed
from dialoom.collect.settings_check import check, check_batch
from dialoom.collect.start_check import start_mistakes
from dialoom.collect.study.study import Study
from dialoom.errors import FormatError, MissingDataError, UsageError


@dataclass
class StudyHandle:
    """An open study, the store of its log, and its tasks and scenarios."""

    study: Study
    store: Store
    library: ScenarioLibrary

    def replay(self) -> Study:
        """Return the study as its log describes it; `DialoomError` if the log is unreadable."""
        settings = settings_of(self.store, "the study's log")
        if settings is not None and settings != self.library.settings:
            self.library = ScenarioLibrary(settings)
        return replayed(self.store, self.library)

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def __enter__(self) -> StudyHandle:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def open_study(
    where: str | Path,
    settings: Settings | None,
    now: int,
    fields: frozenset[str] | None = None,
) -> StudyHandle:
    """Open a study, or start a new one if the database has none.

    Args:
        settings: The settings; where None, the study keeps those of its log.
        fields: The names of the settings that an existing study takes from `settings`; all of them
            where None.

    Raises:
        UsageError: An existing study cannot change to these settings, or there is no study and no
            settings are given to start one.
        DialoomError: The database cannot be used, or a task cannot be read.
    """
    new = settings is not None and _says_what(settings)
    if settings is not None and new:
        _check(settings)
    try:
        store = Store.open(where, create=new)
    except MissingDataError as error:
        if new:
            raise
        raise MissingDataError(f"{error}; name its --tasks to begin one") from error
    where = store.place
    try:
        base = settings_of(store, where)
        if base is None:
            return _begin(store, where, settings, now)
        target = base if settings is None else _changed(where, base, settings, fields)
        library = ScenarioLibrary(target)
        handle = StudyHandle(replayed(store, library), store, library)
        if target != base:
            store.submit(handle.study.change(target, now)).result()
        return _batched(handle, settings or base, now, frozenset() if settings is None else fields)
    except BaseException:
        store.close()
        raise


def _changed(
    where: str | Path, base: Settings, request: Settings, names: frozenset[str] | None
) -> Settings:
    try:
        target = changed(base, request, names)
    except UsageError as error:
        raise UsageError(
            f"{where}: the study has begun: {error}; leave that out, or take another --db",
            code="begun",
        ) from error
    if target != base:
        check(target)
    return target


def _says_what(settings: Settings) -> bool:
    """True if settings can start a study: they name tasks or a story, or list the stages."""
    return bool(settings.tasks or settings.story) or not isinstance(settings.stages, str)


def _check(settings: Settings) -> None:
    """Check the settings, and that items can be made with them, before a database is created."""
    check(settings)
    for mistake in start_mistakes(settings):
        raise UsageError(str(mistake), code=mistake.code)


def _begin(store: Store, where: str | Path, settings: Settings | None, now: int) -> StudyHandle:
    if settings is None or not _says_what(settings):
        raise UsageError(f"{where}: no study has been started there; name its --tasks")
    library = ScenarioLibrary(settings)
    study = Study(settings, library)
    store.submit(study.start(now)).result()
    return StudyHandle(study, store, library)


def _batched(
    handle: StudyHandle, settings: Settings, now: int, names: frozenset[str] | None
) -> StudyHandle:
    state = handle.study.state
    values = {name: getattr(settings, name) for name in BATCH if names is None or name in names}
    batch, pilot = values.get("batch", state.batch), values.get("pilot", state.pilot)
    check_batch(batch)
    change = handle.study.begin_batch(batch, now, pilot=pilot)
    if change.records:
        handle.store.submit(change).result()
    return handle


def settings_of(store: Store, where: str | Path) -> Settings | None:
    """Return the settings in a log; None if it is empty, `FormatError` if they are unreadable."""
    try:
        first: Record | None = next(iter(store.records()), None)
    except msgspec.DecodeError as error:
        raise FormatError(
            str(where), f"another version of dialoom wrote its log: {error}", code="wrong-version"
        ) from error
    if first is None:
        return None
    if not isinstance(first.body, Started):
        raise FormatError(str(where), "the log of the study does not begin with its settings")
    last: Started | Changed = first.body
    for record in store.changes():
        last = record.body if isinstance(record.body, Changed) else last
    try:
        return msgspec.convert(last.settings, Settings)
    except msgspec.ValidationError as error:
        raise FormatError(str(where), f"the settings in the log: {error}") from error


def replayed(store: Store, library: ScenarioLibrary) -> Study:
    """Return the study that a log leads to; `FormatError` if a record does not fit."""
    study = Study(library.settings, library)
    collecting = gc.isenabled()
    gc.disable()  # a replay frees no objects, and the collector's runs took a fifth of its time
    try:
        for record in store.needed():
            study.state.apply(record, passed=True)
    except ValueError as error:
        raise FormatError("the study's log", f"it is damaged: {error}", code="damaged") from error
    finally:
        if collecting:
            gc.enable()
    return study
