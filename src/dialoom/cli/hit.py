"""`dialoom collect hit`: create a HIT of Mechanical Turk for a study."""

from __future__ import annotations

import os
from typing import Annotated

import msgspec
import typer

from dialoom.cli.command import Bounds
from dialoom.cli.options import StudyDatabase
from dialoom.errors import UnknownNameError, UsageError, needs_extra


def hit(
    db: StudyDatabase,
    url: str,
    number: Annotated[int, Bounds(1, 10000)],
    link: str = "any",
    minutes: Annotated[int, Bounds(1, 1440)] = 30,
    days: Annotated[int, Bounds(1, 365)] = 7,
    sandbox: bool = False,
    send: bool = False,
) -> None:
    """Print the request that creates a HIT with the study's qualifications, or send it.

    The settings need `recruiter: mturk` and `reward`. `--send` takes AWS_ACCESS_KEY_ID and
    AWS_SECRET_ACCESS_KEY from the environment. The same request creates one HIT within a day.

    Example: dialoom collect hit --db study.sqlite --url https://study.example.org -n 20 --sandbox

    Args:
        url (--url): Public address of the server, over https.
        number (-n, --number): Workers.
        link: The link that workers get: any, user, wizard, a stage.
        minutes: Expected minutes of the work.
        days: Days that the HIT is offered.
        sandbox: Create it in the sandbox.
        send: Create it; without, it is printed.
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
