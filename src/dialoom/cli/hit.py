"""`dialoom collect hit`: create a HIT of Mechanical Turk for a study."""

from __future__ import annotations

import os
from typing import Annotated

import msgspec
import typer

from dialoom.cli.options import number as number_option
from dialoom.errors import UnknownNameError, UsageError, needs_extra


def hit(
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
        int, number_option("--days", least=1, most=365, help="Days that the HIT is offered.")
    ] = 7,
    sandbox: Annotated[bool, typer.Option("--sandbox", help="Create it in the sandbox.")] = False,
    send: Annotated[
        bool, typer.Option("--send", help="Create it; without, it is printed.")
    ] = False,
) -> None:
    """Print the request that creates a HIT with the study's qualifications, or send it.

    The settings need `recruiter: mturk` and `reward`. `--send` takes AWS_ACCESS_KEY_ID and
    AWS_SECRET_ACCESS_KEY from the environment. The same request creates one HIT within a day.

    Example: dialoom collect hit --db study.sqlite --url https://study.example.org -n 20 --sandbox
    """
    with needs_extra("dialoom collect", "collect"):
        import httpx

        from dialoom.collect.log.store import Store
        from dialoom.collect.recruiters.hit import hit as request
        from dialoom.collect.recruiters.mturk import RECRUITER, ask
        from dialoom.collect.recruiters.recruiter import OrderRefusedError
        from dialoom.collect.studies import settings_of
        from dialoom.collect.study.stages import study_stages
        from dialoom.serve.links import Signer, study_links
    with Store.open(db, create=False, readonly=True) as store:
        settings, signer = settings_of(store, store.place), Signer(store.secret())
    if settings is None or settings.reward is None:
        raise UsageError(f"{db}: the settings have no reward, the cents of an approved assignment")
    known = study_links(signer, study_stages(settings))
    if link not in known:
        raise UnknownNameError("link", link, known)
    address = f"{url.rstrip('/')}/join/{known[link]}"
    reward = settings.reward
    made = request(settings, address, reward=reward, number=number, minutes=minutes, days=days)
    if not send:
        typer.echo(msgspec.json.format(msgspec.json.encode(made)).decode())
        return
    if lacking := [name for name in RECRUITER.credentials if not os.environ.get(name)]:
        raise UsageError(f"--send: {lacking[0]} is not set in the environment")
    try:
        with httpx.Client(timeout=60) as web:
            answer = ask(web, "CreateHIT", made, os.environ, sandbox=sandbox)
    except (httpx.TransportError, OrderRefusedError) as error:
        raise UsageError(f"Mechanical Turk created no HIT: {error}") from error
    typer.echo(f"HIT {answer.get('HIT', {}).get('HITId', '?')} created")
