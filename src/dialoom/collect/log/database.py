"""Opens a study's database, locks it for one process, and translates the driver's errors.

SQLite uses a write-ahead log (WAL) and waits for the disk at every commit (synchronous=FULL). One
process owns a database for writing. Its lock ends with the process: `flock` on a file next to
SQLite's, or an advisory lock of PostgreSQL.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool, StaticPool

from dialoom.collect.log.serving import lock_of
from dialoom.collect.log.tables import SCHEMA, meta, metadata, record
from dialoom.errors import (
    DialoomError,
    FormatError,
    MissingDataError,
    OutputError,
    UsageError,
    clip,
)

MEMORY = ":memory:"
"""The path of a database in memory, which is lost at the end of the process."""

_HEAD = b"SQLite format 3\0"

TIMEOUT = 5.0
"""Seconds to wait for a lock that another process holds.

A program that a killed server was starting can hold the server's lock for a moment longer.
"""

RETRY = 0.02
"""Seconds between two attempts to lock a file."""

LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's error code of an expired `lock_timeout` (its manual, appendix A)."""

_PG_LOCK = text("SELECT pg_advisory_lock(hashtext('dialoom ' || current_schema()))")
_PG_DURABLE = text(
    "SELECT set_config('synchronous_commit', 'on', false)"
    " WHERE current_setting('synchronous_commit') = 'off'"
)
_PG_SCRUB = text("VACUUM FULL person")
_PG_PATIENCE = text("SELECT set_config('lock_timeout', :milliseconds, false)")


class StudyDatabase:
    """An opened database.

    Attributes:
        place: Its name in messages: a path, or a URL without the password (`shown`).
        turn: A lock to hold while a connection is used; needed in memory only, where all threads
            share one connection.
    """

    def __init__(self, place: str, engine: Engine, lock: int | None = None) -> None:
        self.place, self.engine, self._lock = place, engine, lock
        memory = isinstance(engine.pool, StaticPool)
        self.turn: AbstractContextManager[object] = threading.RLock() if memory else nullcontext()

    def writer(self) -> Connection:
        """Return a connection for writing; with PostgreSQL, take the owner's lock first."""
        with self.explained():
            connection = self.engine.connect()
            try:
                if self.engine.dialect.name == "postgresql":
                    self._own(connection)
            except BaseException:
                connection.close()
                raise
            return connection

    def _own(self, connection: Connection) -> None:
        with connection.begin():
            connection.execute(_PG_PATIENCE, {"milliseconds": str(int(TIMEOUT * 1000))})
            connection.execute(_PG_DURABLE)
        try:
            with connection.begin():  # waits: the server may notice late that an owner was killed
                connection.execute(_PG_LOCK)
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", None) == LOCK_NOT_AVAILABLE:
                raise UsageError(_held(self.place), code="busy") from error
            raise

    def scrub(self, connection: Connection) -> None:
        """Remove deleted data from the database's files.

        SQLite overwrites deleted data (`PRAGMA secure_delete`), and its write-ahead log is emptied;
        PostgreSQL rewrites the table `person` (`VACUUM FULL`).

        Raises:
            OutputError: Another program is reading the database.
        """
        if connection.dialect.name == "sqlite":
            driver: Any = connection.connection.dbapi_connection  # not in SQLAlchemy's transaction
            [busy, *_] = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if busy:
                raise OutputError(
                    f"{self.place}: another program reads it; erase once more later", code="busy"
                )
            return
        with connection.execution_options(isolation_level="AUTOCOMMIT").begin():
            connection.execute(_PG_SCRUB)
        connection.execution_options(isolation_level="READ COMMITTED")

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Raise errors of the database driver within the block as dialoom's own."""
        try:
            yield
        except SQLAlchemyError as error:
            raise explained(self.place, error) from error

    def close(self) -> None:
        """Close the database and release its lock."""
        self.engine.dispose()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


_MISTYPED = re.compile(r"(postgres|mysql)\w*[+:/].*@")
_USER = re.compile(r"(://[^:/@]*:).*@")
_PARAMETER = re.compile(r"([?&][^=&]*password[^=&]*=)[^&]*", re.IGNORECASE)


def shown(where: str | Path) -> str:
    """Return a database's path or URL for messages, with `***` for each password in a URL."""
    return _PARAMETER.sub(r"\1***", _USER.sub(r"\1***@", str(where)))


DatabaseCheck = Callable[[Connection, str], object]
"""A check of a database, given a connection and the database's name in messages."""


def open_database(
    where: str | Path, *, create: bool, readonly: bool, check: DatabaseCheck | None = None
) -> StudyDatabase:
    """Open the database at a path or URL.

    Args:
        create: Whether a file that does not exist, or is empty, may become a database.
        readonly: Whether it is opened for reading only, without the lock.
        check: Raises an error of a file that is not to be written; by default one of another
            program or of another layout.

    Raises:
        MissingDataError: There is no such file or folder.
        FormatError: The file is not a study's database.
        UsageError: The URL is wrong, the server cannot be reached, or another process owns it.
        OutputError: It cannot be written.
    """
    check = check or partial(_is_study, create=create)
    if isinstance(where, Path) or not ("://" in where or _MISTYPED.match(where)):
        return _sqlite(str(where), check, create=create, readonly=readonly)
    try:
        url = make_url(where)
    except (ArgumentError, ValueError) as error:
        raise UsageError(f"not a database's URL; right would be {_RIGHT}") from error
    backend = url.get_backend_name()
    if backend == "sqlite":
        return _sqlite(url.database or MEMORY, check, create=create, readonly=readonly)
    if backend in ("postgresql", "postgres"):
        return _postgresql(url, readonly=readonly)
    raise UsageError(f"{clip(backend)}: no database for a study; right would be {_RIGHT}")


_RIGHT = "a file's path or postgresql://USER:PASSWORD@HOST/NAME"


def _sqlite(path: str, check: DatabaseCheck, *, create: bool, readonly: bool) -> StudyDatabase:
    if path == MEMORY:
        return StudyDatabase(path, _sqlite_engine("file::memory:", StaticPool, wal=False))
    file = Path(path).resolve()
    if not file.parent.is_dir():
        raise MissingDataError(f"{path}: there is no folder {file.parent}")
    if file.exists() and not file.is_file():
        raise UsageError(f"{path}: not a file", code="not-a-file")
    if not file.exists() and (readonly or not create):
        raise MissingDataError(f"{path}: there is no such study")
    if not readonly and file.exists():
        _look(path, file, check)
    lock = None if readonly else _lock(path, file)
    mode = "ro" if readonly else "rwc"
    uri = f"file:{quote(str(file))}?mode={mode}"
    if readonly and not os.access(file.parent, os.W_OK) and not _written_ahead(file):
        uri += "&immutable=1"  # else SQLite would need a shared-memory file in that folder
    return StudyDatabase(path, _sqlite_engine(uri, NullPool, wal=not readonly), lock)


def _look(path: str, file: Path, check: DatabaseCheck) -> None:
    """Check a file before it, or a file next to it, is written."""
    with suppress(OSError), file.open("rb") as stream:  # SQLite takes a file of one byte as empty
        if stream.read(len(_HEAD)) not in (b"", _HEAD):
            raise FormatError(
                path, "not a study of dialoom: file is not a database", code="other-format"
            )
    engine = _sqlite_engine(f"file:{quote(str(file))}?mode=ro", NullPool, wal=False)
    try:
        with engine.connect() as connection:
            check(connection, path)
    except SQLAlchemyError as error:
        failure = explained(path, error)
        if isinstance(failure, FormatError):
            raise failure from error
        # it cannot be read now: opening it for writing will raise an error with the cause


def _written_ahead(file: Path) -> bool:
    wal = file.with_name(f"{file.name}-wal")
    return wal.exists() and wal.stat().st_size > 0


def _lock(path: str, file: Path) -> int:
    try:
        # not on SQLite's own file: closing a descriptor of it would drop SQLite's locks
        lock = os.open(lock_of(file), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not file.exists():  # dialogues and the secret: readable for the file's owner only
            file.touch(0o600)
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}: {error.filename}") from error
    until = time.monotonic() + TIMEOUT
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if time.monotonic() >= until:
                os.close(lock)
                raise UsageError(_held(path), code="busy") from error
            time.sleep(RETRY)
        else:
            return lock


def _held(place: str) -> str:
    return f"{place}: another dialoom collect has this study; stop it first"


def _sqlite_engine(uri: str, pool: type[NullPool | StaticPool], *, wal: bool) -> Engine:
    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            uri, uri=True, timeout=TIMEOUT, isolation_level=None, check_same_thread=False
        )

    engine = create_engine("sqlite://", creator=connect, poolclass=pool)

    @event.listens_for(engine, "connect")
    def _(connection: sqlite3.Connection, _record: object) -> None:
        if wal:
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")

    @event.listens_for(engine, "begin")
    def _(connection: Connection) -> None:
        # isolation_level=None keeps the driver from opening transactions itself
        connection.exec_driver_sql("BEGIN")

    return engine


def _postgresql(url: URL, *, readonly: bool) -> StudyDatabase:
    options = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
    place = shown(url.render_as_string(hide_password=False))
    settings = {"postgresql_readonly": True} if readonly else {}
    engine = create_engine(
        url.set(drivername="postgresql+psycopg"),
        poolclass=NullPool,
        connect_args=options,
        execution_options=settings,
    )
    return StudyDatabase(place, engine)


def prepare(connection: Connection, place: str, *, create: bool) -> None:
    """Check that the database has a study's tables; with `create`, make them if it is empty.

    Raises `MissingDataError` if it is empty, `FormatError` for other tables or layouts, and
    `UsageError` if PostgreSQL does not use UTF8.
    """
    if _is_study(connection, place, create=create):
        return
    if connection.dialect.name == "postgresql":
        _check_encoding(connection, place)
    metadata.create_all(connection)
    values = {"schema": str(SCHEMA), "secret": secrets.token_hex(32)}
    rows = [{"key": key, "value": value} for key, value in values.items()]
    connection.execute(meta.insert(), rows)


def _is_study(connection: Connection, place: str, *, create: bool) -> bool:
    """True if a study's tables are there; False for an empty database (see `prepare`)."""
    names = set(inspect(connection).get_table_names())
    if not names and not create:
        raise MissingDataError(f"{place}: there is no study in it")
    if not names:
        return False
    version = None
    if names >= {meta.name, record.name}:
        layout = select(meta.c.value).where(meta.c.key == "schema")
        version = connection.execute(layout).scalar_one_or_none()
    if version is not None and version != str(SCHEMA):
        when = "a newer" if version.isdecimal() and int(version) > SCHEMA else "an older"
        what = f"made by {when} dialoom: its layout is {version}, this version has {SCHEMA}"
        hint = "; migrate it: dialoom collect migrate" if when == "an older" else ""
        raise FormatError(place, f"{what}{hint}", code="wrong-version")
    if version is None or not names >= set(metadata.tables):
        raise FormatError(
            place, "not a study of dialoom: other tables are in it", code="other-format"
        )
    return True


def _check_encoding(connection: Connection, place: str) -> None:
    encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if encoding != "UTF8":
        raise UsageError(f"{place}: its encoding is {encoding}; a study needs UTF8")


def explained(place: str, error: SQLAlchemyError) -> DialoomError:
    """Return the error of dialoom, with a message of one line, for a driver's error."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    what = clip(str(cause), 300)
    name = getattr(cause, "sqlite_errorname", "")
    if name in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
        return FormatError(place, f"not a study of dialoom: {what}")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return OutputError(f"{place}: another program holds it: {what}")
    if name:
        return OutputError(f"{place}: {what}")
    return UsageError(f"{place}: {what}")
