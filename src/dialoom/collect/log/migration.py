"""Moves a study's database from an older layout to this version's, step by step.

A step is a function that changes a layout into the next one; all steps are one transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
from sqlalchemy import Connection, inspect, select, text, update

from dialoom.collect.log.database import open_database
from dialoom.collect.log.tables import SCHEMA, meta, record
from dialoom.errors import FormatError

_SETTINGS = ("started", "changed")
"""The kinds of records whose body is a study's settings."""


def _named_idle_warning(connection: Connection) -> None:
    """Rename the time `nudge` in the settings to `idle_warning` (layout 6 to 7)."""
    rows = connection.execute(
        select(record.c.id, record.c.body).where(record.c.kind.in_(_SETTINGS))
    ).all()
    for number, content in rows:
        body = msgspec.json.decode(content)
        times = body["settings"].get("times", {})
        if "nudge" in times:
            times["idle_warning"] = times.pop("nudge")
            changed = update(record).where(record.c.id == number)
            connection.execute(changed.values(body=msgspec.json.encode(body).decode()))


STEPS: Mapping[int, Callable[[Connection], None]] = {6: _named_idle_warning}
"""Layout to the function that changes it into the next one."""


@contextmanager
def _changeable(connection: Connection) -> Iterator[None]:
    """Suspend the trigger that forbids changes of records, within the transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("ALTER TABLE record DISABLE TRIGGER record_fixed"))
        yield
        connection.execute(text("ALTER TABLE record ENABLE TRIGGER record_fixed"))
        return
    query = text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'record_update'")
    trigger = connection.execute(query).scalar_one()
    connection.execute(text("DROP TRIGGER record_update"))
    yield
    connection.execute(text(trigger))


def migrate(where: str | Path) -> tuple[int, int]:
    """Migrate a database that no server has open; return its layout before and after.

    Raises:
        FormatError: It is not a study's database, or its layout is too old or too new.
        UsageError: Another process has the study.
    """
    with (
        closing(open_database(where, create=False, readonly=False, check=_layout)) as database,
        closing(database.writer()) as connection,
        database.explained(),
        connection.begin(),
    ):
        return _migrated(connection, _layout(connection, database.place))


def _layout(connection: Connection, place: str) -> int:
    if not {meta.name, record.name} <= set(inspect(connection).get_table_names()):
        raise FormatError(place, "not a study of dialoom", code="other-format")
    layout = select(meta.c.value).where(meta.c.key == "schema")
    version = connection.execute(layout).scalar_one_or_none() or ""
    before = int(version) if version.isdecimal() else 0
    if before != SCHEMA and before not in STEPS:
        layouts = ", ".join(map(str, (*STEPS, SCHEMA)))
        what = f"its layout is {version or 'unknown'}; this version reads {layouts}"
        raise FormatError(place, what, code="wrong-version")
    return before


def _migrated(connection: Connection, before: int) -> tuple[int, int]:
    with _changeable(connection):
        for number in range(before, SCHEMA):
            STEPS[number](connection)
    values = update(meta).where(meta.c.key == "schema").values(value=str(SCHEMA))
    connection.execute(values)
    return before, SCHEMA
