"""`dialoom collect recruit`: offer a study's work at its recruiter."""

from __future__ import annotations

import os
from typing import Annotated

import msgspec
import typer

from dialoom.cli.options import number as number_option
from dialoom.errors import UnknownNameError, UsageError, needs_extra


def recruit(
    db: Annotated[str, typer.Option("--db", metavar="FILE", help="The study's database.")],
    url: Annotated[str, typer.Option("--url", help="Public address of the server, over https.")],
    number: Annotated[int, number_option("-n", "--number", least=1, most=10_000, help="Workers.")],
    link: Annotated[
        str, typer.Option("--link", help="The link that workers get: any, user, wizard, a stage.")
    ] = "any",
    minutes: Annotated[
        int, number_option("--minutes", least=1, most=1440, help="Expected minutes of the work.")
    ] = 30,
    days: Annotated[
        int, number_option("--days", least=1, most=365, help="Days that a HIT is offered.")
    ] = 7,
    sandbox: Annotated[
        bool, typer.Option("--sandbox", help="Create a HIT in Mechanical Turk's sandbox.")
    ] = False,
    send: Annotated[
        bool, typer.Option("--send", help="Create it; without, it is printed.")
    ] = False,
) -> None:
    """Print the request that creates a HIT, or a study at Prolific, or send it.

    The settings need `recruiter` and `reward`, and for Prolific `codes`. `--send` takes
    PROLIFIC_TOKEN, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, from the environment. A study at
    Prolific is a draft until it is published there; the same HIT is created once within a day.

    Example: dialoom collect recruit --db study.sqlite --url https://study.example.org -n 20
    """
    with needs_extra("dialoom collect", "collect"):
        import httpx

        from dialoom.collect.log.store import Store
        from dialoom.collect.recruiters.recruiter import OrderRefusedError, WorkOffer
        from dialoom.collect.recruiters.registry import recruiter_of
        from dialoom.collect.studies import settings_of
        from dialoom.collect.study.stages import study_stages
        from dialoom.serve.links import Signer, study_links
    with Store.open(db, create=False, readonly=True) as store:
        settings, signer = settings_of(store, store.place), Signer(store.secret())
    recruiter = recruiter_of(settings) if settings is not None else None
    if settings is None or recruiter is None or settings.reward is None:
        raise UsageError(f"{db}: the settings need `recruiter`, and `reward` in cents")
    known = study_links(signer, study_stages(settings))
    if link not in known:
        raise UnknownNameError("link", link, known)
    offer = WorkOffer(
        address=f"{url.rstrip('/')}/join/{known[link]}",
        reward=settings.reward,
        number=number,
        minutes=minutes,
        days=days,
    )
    request = recruiter.request(settings, offer)
    if not send:
        typer.echo(msgspec.json.format(msgspec.json.encode(request)).decode())
        return
    if lacking := [name for name in recruiter.credentials if not os.environ.get(name)]:
        raise UsageError(f"--send: {lacking[0]} is not set in the environment")
    try:
        with httpx.Client(timeout=60) as web:
            made = recruiter.create(web, request, os.environ, test=sandbox)
    except (httpx.TransportError, OrderRefusedError) as error:
        raise UsageError(f"{settings.recruiter} created nothing: {error}") from error
    typer.echo(f"created: {made}")
