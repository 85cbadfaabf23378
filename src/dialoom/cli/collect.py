"""`dialoom collect` serves a study; its subcommands export dialogues and accounts, erase people."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from dialoom.cli.collect_reports import export, migrate, results, signals
from dialoom.cli.command import Commands
from dialoom.cli.interruption import Interrupted
from dialoom.cli.options import Database, JsonFile, OutFile, ServerOptions, StudyDatabase, given
from dialoom.cli.output import report, write_text
from dialoom.cli.recruiter import links, recruit, settle, token
from dialoom.collect.log.record import ROLES, RoomRole
from dialoom.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.collect.settings import Settings
    from dialoom.collect.settings_change import SettingsEdit
    from dialoom.collect.settings_types import Mistake
    from dialoom.schema.places import Document

collect_app = Commands("collect", no_args_is_help=False)
for command in (settle, export, recruit, results, signals, migrate, token, links):
    collect_app.command()(command)


@dataclass(frozen=True)
class StudyOptions:
    """The settings of a study that are options (`dialoom.collect.settings.Settings`).

    Attributes:
        tasks: Names of tasks or task files, separated by commas.
        stages: direct (straight to pairing, the default) or star (STAR's four).
        scenario: happy (the default), unhappy, multi or mixed.
        guard: When a wizard leaves the flow: off, warn (default), or ask for a reason.
        purpose: The purpose of the study; people read it before they agree.
        batch: Name of the batch that new dialogues belong to.
        pilot (--pilot/--no-pilot): Whether the batch is a pilot study.
        paused (--pause/--resume): Stop admission, or resume it.
    """

    tasks: str | None = None
    stages: str | None = None
    scenario: str | None = None
    guard: str | None = None
    purpose: str | None = None
    batch: str | None = None
    pilot: bool | None = None
    paused: bool | None = None

    def given(self) -> dict[str, Any]:
        """Return the given settings."""
        return given(self, self.tasks)


@collect_app.callback(invoke_without_command=True)
def collect(
    context: typer.Context,
    study: StudyOptions,
    server: ServerOptions,
    db: Database = "study.sqlite",
    settings: Path | None = None,
    try_: RoomRole | None = None,
) -> None:
    """Serve a study in which people talk in pairs, one as the user and one as the wizard.

    Prints a link for users, one for wizards and one for the admin, and serves until it is stopped.
    Started again with the same database, it continues the study with the same links; settings that
    are given then replace the earlier ones where that is allowed (docs/reference/settings.md).

    Example: dialoom collect --tasks restaurant_book,hotel_book --port 8000 --db study.sqlite

    Args:
        settings (FILE): YAML file with all other settings (docs/reference/settings.md).
        try_: Try a page alone: user or wizard; a program plays the other.
    """
    if context.invoked_subcommand is not None:
        return
    import dialoom.serve.server  # noqa: F401 -- names the extra before anything is read

    setup, names = _read(settings, study.given())
    with server.listening() as (listening, trusted):
        _serve(listening, trusted, db, server.url, setup, names, try_)


@collect_app.command("check")
def check(file: Path, db: str | None = None, json: JsonFile = None) -> None:
    """Report every mistake in a study's settings with its line; exits 1 if there is one.

    Names, values, quizzes, stages, tasks and files are checked; nothing is served or written. With
    the database of a study that has begun, the settings that differ are listed: those that apply
    at the next start, and those that are refused since work depends on them.

    Example: dialoom collect check study.yaml --db study.sqlite

    Args:
        file (STUDY): A YAML file of settings.
        db (FILE): The database of the study that was begun with an earlier version of the file.
    """
    from dialoom.collect.settings_types import spelled

    document, mistakes = _checked(file, whole=db is None)
    edits = [] if db is None or mistakes else _edits(document, db)
    lines = _spelled(file, mistakes) or [f"{file}: no mistake in {len(document.value)} settings"]
    rows = [
        {"line": line, "setting": spelled(mistake.pointer), "what": mistake.what}
        for line, mistake in mistakes
    ]
    value = {"file": str(file), "settings": len(document.value), "mistakes": rows}
    if db is not None:
        value["edits"] = [
            {"line": line, "setting": spelled(edit.pointer), **edit._asdict()}
            for line, edit in edits
        ]
    report(value, json, [*lines, *_spelled(file, edits)])
    if mistakes or any(edit.refusal for _, edit in edits):
        raise typer.Exit(1)


@collect_app.command("preview")
def preview(file: Path, out: Path, json: JsonFile = None) -> None:
    """Write each step's page as each person sees it; a browser opens them without a server.

    Stages whose items come from another stage are shown with empty annotations and unchanged lines.

    Example: dialoom collect preview study.yaml preview

    Args:
        file (STUDY): A YAML file of settings.
        out (DIR): A new folder.
    """
    from dialoom.corpus.files import staged_folder
    from dialoom.serve.preview import preview as write

    settings, _ = _read(file, {})
    assert settings is not None
    with staged_folder(out) as folder:
        pages = write(settings, folder)
    rows = [page._asdict() for page in pages]
    report(rows, json, (f"{out / page.file}" for page in pages))


@collect_app.command("accounts")
def accounts(db: StudyDatabase, out: OutFile = None) -> None:
    """Write the completion codes, payments, bonuses and recruiters' ids of assignments as CSV.

    Example: dialoom collect accounts --db study.sqlite --out accounts.csv
    """
    from dialoom.collect.account import as_csv
    from dialoom.collect.export import Collected
    from dialoom.collect.log.store import Store

    with Store.open(db, create=False, readonly=True) as store:
        text = as_csv(Collected(store).study)
    write_text(text, out)


@collect_app.command("person")
def person(worker: str, db: StudyDatabase, out: OutFile = None) -> None:
    """Write all data of one worker as JSON, to answer a worker's request for them.

    Example: dialoom collect person w-0042 --db study.sqlite --out w-0042.json

    Args:
        worker (WORKER): The worker's id.
    """
    from dialoom.collect.account import person as kept
    from dialoom.collect.export import Collected
    from dialoom.collect.log.store import Store
    from dialoom.collect.message import Refused

    with Store.open(db, create=False, readonly=True) as store:
        try:
            record = kept(Collected(store).study, store, worker)
        except Refused as refused:
            raise UsageError(f"{store.place}: {refused.what}") from refused
    write_text(msgspec.json.format(msgspec.json.encode(record)).decode() + "\n", out)


@collect_app.command("erase")
def erase(db: StudyDatabase, workers: list[str] | None = None, expired: bool = False) -> None:
    """Erase workers from a study that is not being served: their ids, and all that they wrote.

    Their payments and codes are kept without their ids; dialogues that they took part in are no
    longer exported. While a study is served, erase workers on its admin page; they can also
    withdraw on their last page.

    Example: dialoom collect erase w-0042 --db study.sqlite

    Args:
        workers ([WORKER]...): The ids of workers.
        expired: Erase all workers whose retention period is over.
    """
    from dialoom.collect.message import Refused
    from dialoom.collect.studies import open_study
    from dialoom.collect.study.administration import expired as out_of_time
    from dialoom.collect.study.administration import withdraw
    from dialoom.serve.hub import now_ms

    now, sought = now_ms(), list(workers or ())
    if not sought and not expired:
        raise UsageError("nobody is named; right would be WORKER or --expired", code="not-given")
    with open_study(db, None, now) as opened:
        sought += out_of_time(opened.study, now) if expired else ()
        try:
            for worker in sought:
                opened.store.submit(withdraw(opened.study, worker, now)).result()
        except Refused as refused:
            raise UsageError(f"{opened.store.place}: {refused.what}") from refused
        opened.store.erase(sought).result()
        place = opened.store.place
    typer.echo(f"{len(sought)} worker{'' if len(sought) == 1 else 's'} erased from {place}")


def _read(file: Path | None, flags: dict[str, Any]) -> tuple[Settings | None, frozenset[str]]:
    from dialoom.collect.settings import Settings
    from dialoom.collect.settings_types import type_mistakes

    contents = {} if file is None else _file(file)
    if not contents and not flags:
        return None, frozenset()
    if wrong := [f"--{mistake}" for mistake in type_mistakes(flags)]:
        raise UsageError("\n".join(wrong))
    values = {**contents, **flags}
    return msgspec.convert(values, Settings), frozenset(values)


def _file(file: Path) -> dict[str, Any]:
    document, mistakes = _checked(file, whole=False)
    if mistakes:
        raise UsageError("\n".join(_spelled(file, mistakes)))
    fields: dict[str, Any] = document.value
    return fields


def _spelled(file: Path, findings: Sequence[tuple[int, Mistake | SettingsEdit]]) -> list[str]:
    return [f"{file}: line {line}: {each}" for line, each in findings]


def _edits(document: Document, db: str) -> list[tuple[int, SettingsEdit]]:
    from dialoom.collect.log.store import Store
    from dialoom.collect.settings import Settings
    from dialoom.collect.settings_change import edits
    from dialoom.collect.studies import settings_of

    with Store.open(db, create=False, readonly=True) as store:
        original = settings_of(store, store.place)
    if original is None:
        raise UsageError(f"{db}: no study has been started there")
    update = msgspec.convert(document.value, Settings)
    delta = edits(original, update, frozenset(document.value))
    return sorted(((document.place(edit.pointer).line, edit) for edit in delta), key=itemgetter(0))


def _checked(file: Path, *, whole: bool) -> tuple[Document, list[tuple[int, Mistake]]]:
    from dialoom.collect.settings_check import file_mistakes
    from dialoom.schema.places import read_document

    document = read_document(file)
    mistakes = file_mistakes(document, whole=whole)
    findings = ((document.place(mistake.pointer).line, mistake) for mistake in mistakes)
    return document, sorted(findings, key=itemgetter(0))


def _serve(
    listening: Any,
    trusted: Sequence[str],
    db: StudyDatabase,
    url: str | None,
    settings: Settings | None,
    names: frozenset[str],
    person: RoomRole | None,
) -> None:
    from dialoom.collect.bots import check_seat
    from dialoom.collect.kinds.room.scenario import ScenarioLibrary
    from dialoom.collect.log.serving import announce
    from dialoom.collect.studies import open_study
    from dialoom.collect.study.identity import listed_workers
    from dialoom.serve.app import create_app
    from dialoom.serve.hub import now_ms
    from dialoom.serve.links import Signer, study_links
    from dialoom.serve.server import address, serve

    bot = next((role for role in ROLES if person and role != person), None)
    if bot is not None and settings is not None:
        # before a study is begun that it could not play in
        check_seat(bot, ScenarioLibrary(settings))
    with open_study(db, settings, now_ms(), names) as opened:
        base = (url or address(listening)).rstrip("/")
        signer = Signer(opened.store.secret())
        token = signer.admin_token("owner", opened.study.settings.renewed)
        app = create_app(opened, public=url, bot=bot)
        if person is None and not opened.study.settings.purpose:
            typer.echo("dialoom: people get no purpose of the study: no --purpose", err=True)
        if listed_workers(opened.study.settings):
            typer.echo("dialoom: listed workers need links: dialoom collect links --db …", err=True)
        with suppress(Interrupted):  # how a server is stopped; what was under way is written
            tokens = study_links(signer, opened.study.state.stages)
            roles: list[str] = [role for role in ROLES if role in tokens] or ["any"]
            urls = {name: f"{base}/join/{text}" for name, text in tokens.items()}
            urls["admin"] = f"{base}/admin#{token}"
            first = (*roles, "admin") if person is None else (person, "admin")
            others = () if person else (name for name in tokens if name not in (*roles, "any"))
            for name in (*first, *others):
                typer.echo(f"{name:<7} {urls[name]}")
            announce(db, urls["admin"])
            serve(app, listening, trusted)
