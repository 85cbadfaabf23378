"""`dialoom serve` puts an agent on a page; `dialoom serve export` writes what was said there."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
import typer

from dialoom.cli.command import Commands
from dialoom.cli.interruption import Interrupted
from dialoom.cli.options import (
    LARGEST_SEED,
    Database,
    FollowerModel,
    Host,
    Port,
    PublicUrl,
    TrustedProxies,
    number,
    with_model,
)
from dialoom.errors import MissingDataError, UnknownNameError, UsageError, needs_extra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.collect.log.store import Store
    from dialoom.play.agents.base import Agent
    from dialoom.schema.task import TaskSchema
    from dialoom.serve.chat.settings import ChatSettings

serve_app = Commands("serve", no_args_is_help=False)

FEATURE = ("dialoom serve", "collect")


@serve_app.callback(invoke_without_command=True)
def serve(
    context: typer.Context,
    tasks: Annotated[
        str | None,
        typer.Option("--tasks", help="Names of tasks or task files, separated by commas, or all."),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option("--agent", help="The agent: flow (the default), follower, openai:…."),
    ] = None,
    model: FollowerModel = None,
    goal: Annotated[
        str | None,
        typer.Option("--goal", help="shown (the default): people are given a goal; or hidden."),
    ] = None,
    seed: Annotated[
        int | None,
        number("--seed", least=0, most=LARGEST_SEED, help="Seed of databases and goals."),
    ] = None,
    db: Database = "chats.sqlite",
    port: Port = 8000,
    host: Host = "127.0.0.1",
    url: PublicUrl = None,
    trust_proxy: TrustedProxies = None,
) -> None:
    """Serve an agent on a web page, for people to talk with and to rate.

    Also serves a JSON API and OpenAI's chat completions, until it is stopped. Started again with
    the same database, it continues the same chats.

    Example: dialoom serve --tasks hotel_book,weather --agent flow --port 8000 --db chats.sqlite
    """
    if context.invoked_subcommand is not None:
        return
    given: dict[str, Any] = {
        "tasks": None if tasks is None else tuple(name for name in tasks.split(",") if name),
        "agent": agent if model is None else with_model(agent or "follower", model),
        "goal": goal,
        "seed": seed,
    }
    with needs_extra(*FEATURE):
        from dialoom.collect.log.store import Store
        from dialoom.collect.settings_check import check_address
        from dialoom.serve.server import listen, proxies
    if goal not in (None, "shown", "hidden"):
        raise UnknownNameError("way of goals", goal, ("shown", "hidden"))
    if url is not None:
        check_address(url, "--url")
    trusted = proxies(trust_proxy or ())
    given = {name: value for name, value in given.items() if value is not None}
    ready = _ready(given) if "tasks" in given else None  # before a database is begun with them
    with listen(host, port) as listening, Store.open(db, create=ready is not None) as store:
        settings = _settings(store, given)
        if ready is None or ready.settings != settings:
            ready = _ready(msgspec.to_builtins(settings))
        _serve(listening, trusted, store, ready, url)


@serve_app.command("export")
def export(
    db: Annotated[str, typer.Option("--db", metavar="FILE", help="The database of the chats.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder.")],
    to: Annotated[str, typer.Option("--to", help="native or another format.")] = "native",
) -> None:
    """Write people's chats with the agent as dialogues, also while it is served.

    Example: dialoom serve export --db chats.sqlite --out chats
    """
    with needs_extra(*FEATURE):
        from dialoom.collect.log.store import Store
        from dialoom.play.judging.verdict import NO_RESULT
        from dialoom.serve.chat.export import export as write
    with Store.open(db, create=False, readonly=True) as store:
        exported = write(store, store.place, to, out)
    many = exported.dialogues
    typer.echo(
        f"{many} dialogue{'' if many == 1 else 's'} written to {out}, {exported.open} not over"
    )
    if exported.failed:
        typer.echo(f"  {NO_RESULT}, since the agent failed: {exported.failed} (in no figure)")
    if exported.ratings:
        mean = sum(exported.ratings) / len(exported.ratings)
        typer.echo(f"  rated {mean:.1f} of 5 by {len(exported.ratings)}")
    for (database, person), count in sorted(exported.agreement.items(), reverse=True):
        says = ["missed", "reached"]
        typer.echo(
            f"  goal {says[database]} by the database, {says[person]} by the person: {count}"
        )
    for field, count in exported.loss.items():
        typer.echo(f"  not held by {to}: {field} ({count})")


class ReadyAgent(NamedTuple):
    """An agent made ready, with the tasks it is to serve."""

    settings: ChatSettings
    tasks: tuple[TaskSchema, ...]
    agent: Agent


def _ready(given: dict[str, Any]) -> ReadyAgent:
    from dialoom.serve.bot_talks import ready
    from dialoom.serve.chat.settings import ChatSettings
    from dialoom.sim.presets.star import load_tasks

    settings = msgspec.convert(given, ChatSettings)
    tasks = tuple(load_tasks(",".join(settings.tasks)))
    for task in tasks:
        outside = task.environment is not None and bool(task.goals)
        if not (task.flow.complete or outside):
            what = "has no flow with words of its own to serve, nor an environment and goals"
            raise UsageError(f"{task.id} {what}")
    agent = ready(settings.agent, [task.id for task in tasks])
    return ReadyAgent(settings, tasks, agent)


def _settings(store: Store, given: dict[str, Any]) -> ChatSettings:
    from dialoom.serve.chat.chats import begin_log
    from dialoom.serve.chat.settings import ChatSettings, check_same, settings_of

    kept = settings_of(store, store.place)
    if kept is not None:
        check_same(kept, given)
        return kept
    if "tasks" not in given:
        raise MissingDataError(
            f"{store.place}: there are no chats yet; --tasks says what they are about"
        )
    settings = ChatSettings(**given)
    begin_log(store, settings)
    return settings


def _serve(
    listening: Any, trusted: Sequence[str], store: Store, ready: ReadyAgent, url: str | None
) -> None:
    from dialoom.serve.chat.app import create_chat_app
    from dialoom.serve.chat.chats import Chats
    from dialoom.serve.server import address, serve

    chats = Chats(store, ready.tasks, ready.settings, ready.agent)
    base = (url or address(listening)).rstrip("/")
    with suppress(Interrupted):  # how a server is stopped; what was under way is written
        typer.echo(f"page    {base}/")
        typer.echo(f"api     {base}/api/chats")
        typer.echo(f"openai  {base}/v1")
        serve(create_chat_app(chats, public=url), listening, trusted)
    chats.close()
