"""`dialoom studio`: one local page for the tasks, studies, corpora and runs of a folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from dialoom.cli.command import Bounds
from dialoom.cli.interruption import Interrupted
from dialoom.errors import needs_extra


def studio(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="The folder to show.")] = Path(),
    port: Annotated[int, Bounds(0, 65535)] = 0,
    browser: bool = True,
) -> None:
    """Open a page on this machine to write tasks and studies, read corpora and look at runs.

    Only this machine can reach it, with the token of the printed link. Nothing is written unless
    you save.

    Example: dialoom studio my_folder

    Args:
        port: Port to listen on; 0 for any free one.
        browser (--browser/--no-browser): Whether to open the page in a browser.
    """
    with needs_extra("dialoom studio", "collect"):
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
