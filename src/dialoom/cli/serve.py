"""`dialoom serve`, `studio` and `mcp`: an agent's page, a local page, and tasks as tools."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dialoom.cli.collect_reports import export
from dialoom.cli.command import Bounds, Commands
from dialoom.cli.interruption import Interrupted
from dialoom.cli.options import (
    LARGEST_SEED,
    Database,
    FollowerModel,
    Seed,
    ServerOptions,
    StudyDatabase,
    given,
    with_model,
)
from dialoom.errors import MissingDataError, UsageError

if TYPE_CHECKING:
    from dialoom.serve.chat.settings import ChatSettings

serve_app = Commands("serve", no_args_is_help=False)


@serve_app.command("export")
def export_chats(db: StudyDatabase, out: Path, to: str = "native", gold: bool = False) -> None:
    """Write the chats that people have had so far, also while the agent is served.

    Example: dialoom serve export --db chats.sqlite --out chats

    Args:
        out (--out, DIR): A new folder.
        to: native, star, frames or another format.
        gold: Also write the work on items with known answers.
    """
    export(db, out, to, gold)


@dataclass(frozen=True)
class BotOptions:
    """The bot that is served (`dialoom.serve.chat.settings.ChatSettings`).

    Attributes:
        tasks: Names of tasks or task files, separated by commas, or all.
        agent: The agent: flow (the default), follower, openai:….
        goal: shown (the default): people are given a goal; or hidden.
        seed: Seed of databases and goals.
    """

    tasks: str | None = None
    agent: str | None = None
    model: FollowerModel = None
    goal: Literal["shown", "hidden"] | None = None
    seed: Annotated[int | None, Bounds(0, LARGEST_SEED)] = None

    def given(self) -> dict[str, Any]:
        """Return the given fields of `ChatSettings`."""
        agent = with_model(self.agent or "follower", self.model) if self.model else self.agent
        return given(self, self.tasks, agent=agent, model=None)


@serve_app.callback(invoke_without_command=True)
def serve(
    context: typer.Context,
    bot: BotOptions,
    server: ServerOptions,
    db: Database = "chats.sqlite",
) -> None:
    """Serve an agent on a web page, for people to talk with and to rate.

    Also serves a JSON API and OpenAI's chat completions, until it is stopped. Started again with
    the same database, it continues the same chats.

    Example: dialoom serve --tasks hotel_book,weather --agent flow --port 8000 --db chats.sqlite
    """
    if context.invoked_subcommand is not None:
        return
    from dialoom.collect.studies import open_study
    from dialoom.serve.app import create_app
    from dialoom.serve.bot_talks import prepared
    from dialoom.serve.chat.settings import study_of
    from dialoom.serve.hub import now_ms
    from dialoom.serve.links import Signer
    from dialoom.serve.server import address, serve

    with server.listening() as (listening, trusted):
        chat, new = _chat(db, bot.given())
        settings = study_of(chat)
        agents = prepared(settings)  # before a database is begun with them
        with open_study(db, settings if new else None, now_ms()) as opened:
            base = (server.url or address(listening)).rstrip("/")
            token = Signer(opened.store.secret()).admin_token()
            app = create_app(opened, public=server.url, prepared=agents)
            with suppress(Interrupted):  # how a server is stopped; what was under way is written
                typer.echo(f"page    {base}/")
                typer.echo(f"api     {base}/api/chats")
                typer.echo(f"openai  {base}/v1")
                typer.echo(f"admin   {base}/admin#{token}")
                serve(app, listening, trusted)


def _chat(db: str, options: dict[str, Any]) -> tuple[ChatSettings, bool]:
    from dialoom.serve.chat.settings import ChatSettings, begun, check_same

    try:
        setup = begun(db)
    except MissingDataError as error:
        if "tasks" not in options:
            what = f"{error}; --tasks says what the chats are about"
            raise MissingDataError(what) from error
        setup = None
    if setup is not None:
        check_same(setup, options)
        return setup, False
    if "tasks" not in options:
        raise UsageError(
            "there are no chats yet; --tasks says what they are about", code="not-given"
        )
    return ChatSettings(**options), True


def studio(
    folder: Path = Path(),
    port: Annotated[int, Bounds(0, 65535)] = 0,
    browser: bool = True,
) -> None:
    """Open a page on this machine to write tasks and studies, read corpora and look at runs.

    Only this machine can reach it, with the token of the printed link. Nothing is written unless
    you save.

    Example: dialoom studio my_folder

    Args:
        folder ([DIR]): The folder to show.
        port: Port to listen on; 0 for any free one.
        browser (--browser/--no-browser): Whether to open the page in a browser.
    """
    import secrets

    from dialoom.serve.server import address, listen, serve
    from dialoom.studio.app import create_app

    token = secrets.token_urlsafe(24)
    app = create_app(folder, token)
    with listen("127.0.0.1", port) as listening, suppress(Interrupted):
        link = f"{address(listening)}/?token={token}"
        typer.echo(f"studio  {link}")
        if browser:
            import webbrowser

            webbrowser.open(link)
        serve(app, listening)


def mcp(tasks: str, user: str = "simulated", seed: Seed = 0) -> None:
    """Serve the calls of tasks as tools of the Model Context Protocol (MCP), over stdin and stdout.

    An MCP client starts this command. The database of each task is drawn from the seed; the tool
    dialoom_reset restores it, dialoom_diff shows the changes. To be tested, an agent calls
    dialoom_meet for a simulated user, dialoom_say to talk to them, dialoom_judge for the verdict.

    Example: dialoom mcp --tasks hotel_book,weather --seed 7

    Args:
        tasks (--tasks): Names of tasks or task files, separated by commas, or all.
        user: Users for the agent: simulated or simulated:KIND.
    """
    import dialoom
    from dialoom.play.tools.task_tools import TaskTools
    from dialoom.sim.presets.star import load_tasks

    name, _, kind = user.partition(":")
    if name != "simulated":
        raise UsageError(f"--user {user}: by tools an agent meets simulated users alone")
    tools = TaskTools(tuple(load_tasks(tasks)), seed, kind)
    import anyio

    from dialoom.play.tools.mcp import serve_stdio

    anyio.run(serve_stdio, tools, dialoom.__version__)
