"""The admin's HTTP interface: `/api/admin/…` (docs/reference/wire-protocol.md, 9)."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import asdict, replace
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from dialoom.collect.account import as_csv, table
from dialoom.collect.log.change import Change
from dialoom.collect.log.record import ROLES as PLAYED
from dialoom.collect.log.record import Role, RoomRole, unit_stream
from dialoom.collect.message import Refused, within
from dialoom.collect.settings_change import changed
from dialoom.collect.settings_check import check
from dialoom.collect.study import administration
from dialoom.collect.study.dashboard import state as study_state
from dialoom.collect.study.identity import plain_id
from dialoom.collect.study.study import Study
from dialoom.errors import DialoomError, UsageError
from dialoom.serve.blobs import get_any
from dialoom.serve.context import context_of
from dialoom.serve.erasing import erase_worker, records
from dialoom.serve.joining import LONGEST_ID, worker_id
from dialoom.serve.links import ADMIN_COOKIE, ADMIN_SECONDS, AdminRole, study_links
from dialoom.serve.responses import Handler, Nothing, answer, answered, body, check_rate

MOST_INVITES = 100
"""The most links of one request."""
ROLES: tuple[AdminRole, ...] = get_args(AdminRole)
"""The roles of the admin's tokens; each may also do what those before it may."""

ASSIGNMENTS = "/api/admin/assignments/"

AdminRoute = tuple[str, Literal["GET", "POST"], Handler]
"""Path below `/api/admin/`, method and handler."""


class Login(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a login."""

    token: str


class Review(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a review; ratings from 1 to 5."""

    accepted: bool
    reason: str = ""
    instructions: int | None = None
    creativity: int | None = None


class UnitNotice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a notice to the people of a unit, or to one of its roles (`to`)."""

    text: str
    to: Role | None = None


class Grant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that opens or closes a stage for a worker."""

    stage: str
    granted: bool = True


class NewSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that changes settings of the running study; those left out are unchanged."""

    paused: bool | None = None
    target: int | None = None
    scenarios: int | None = None
    renewed: int | None = None


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that books a bonus; repeated with the same `key`, it is booked once."""

    cents: int
    reason: str
    key: str


class Keys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that confirms bonuses."""

    keys: tuple[str, ...]


class Invites(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that asks for single-use links, or for one link for each of some workers."""

    role: RoomRole | None = None
    count: int = 1
    workers: tuple[str, ...] = ()


class Arrangement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that withdraws an item or sets its priority; what is left out is unchanged."""

    priority: int | None = None
    withdrawn: bool | None = None


class NewItems(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body that adds items: lines of a file of outputs, or native dialogues."""

    items: tuple[dict[str, Any], ...]


def routes() -> list[Route]:
    """Return the routes of the admin's interface."""
    looking: list[AdminRoute] = [
        ("logout", "POST", logout),
        ("dashboard", "GET", dashboard),
        ("rooms/{number:int}", "GET", read_along),
        ("blobs/{unit:int}/{digest}", "GET", get_any),
        ("prelabels", "GET", prelabels),
        ("signals", "GET", signals),
    ]
    reviewing: list[AdminRoute] = [
        ("rooms/{number:int}/end", "POST", _acts(Nothing, Study.end_unit)),
        ("rooms/{number:int}/notice", "POST", _acts(UnitNotice, administration.send_notice)),
        ("assignments/{number:int}/end", "POST", _acts(Nothing, Study.end)),
        ("assignments/{number:int}/review", "POST", _acts(Review, administration.review)),
        ("assignments/{number:int}/undo", "POST", _acts(Nothing, administration.undo)),
    ]
    owning: list[AdminRoute] = [
        ("assignments/{number:int}/bonus", "POST", _acts(Bonus, _bonus)),
        ("workers/{worker:path}/grant", "POST", _acts(Grant, _grant)),
        ("workers/{worker:path}/erase", "POST", erase_worker),
        ("workers/{worker:path}/records", "GET", records),
        ("settings", "POST", change_settings),
        ("items", "GET", list_items),
        ("items/{item:path}", "POST", _acts(Arrangement, administration.arrange)),
        ("stages/{stage:path}/items", "POST", _acts(NewItems, administration.add)),
        ("bonuses", "GET", bonuses),
        ("bonuses", "POST", _acts(Keys, administration.confirm_bonuses)),
        ("invites", "POST", invites),
        ("accounts.csv", "GET", accounts),
        ("codes/{code}", "GET", code),
        ("export/{format}", "GET", export),
    ]
    return [
        Route("/api/admin/login", answered(login, 409), methods=["POST"]),
        *(
            Route(f"/api/admin/{path}", answered(_guarded(handler, least), 409), methods=[method])
            for least, inside in zip(ROLES, (looking, reviewing, owning), strict=True)
            for path, method, handler in inside
        ),
    ]


def _guarded(handler: Handler, least: AdminRole) -> Handler:
    async def guarded(request: Request) -> Response:
        session = context_of(request).admin(request)
        if session is None:
            raise Refused("login", "Log in with a token of the admin's page.")
        role = session.role
        if ROLES.index(role) < ROLES.index(least):
            raise Refused("not_allowed", f"The token is a {role}'s; this takes the {least}'s.")
        return await handler(request)

    return guarded


async def login(request: Request) -> Response:
    """Check a token, and set the admin's cookie."""
    site = context_of(request)
    check_rate(site.logins, request, site.hub.now())
    renewed = site.hub.study.settings.renewed
    role = site.signer.admin_role((await body(request, Login)).token, renewed)
    if role is None:
        raise Refused("wrong_token", "This is no token of the admin's page.")
    until = site.hub.now() + ADMIN_SECONDS * 1000
    response = Response(status_code=204)
    response.set_cookie(
        ADMIN_COOKIE,
        site.signer.admin_session(until, role, renewed),
        max_age=ADMIN_SECONDS,
        httponly=True,
        samesite="strict",
        secure=site.address(request).startswith("https:"),
    )
    return response


async def logout(request: Request) -> Response:
    """End the admin's session, in this and in any other browser, and delete the cookie."""
    site = context_of(request)
    session = site.admin(request)
    if session is not None:
        await site.hub.write(lambda study, now: administration.log_out(study, session.id, now))
    response = Response(status_code=204)
    response.delete_cookie(ADMIN_COOKIE, httponly=True, samesite="strict")
    return response


async def dashboard(request: Request) -> Response:
    """Answer with the study's dashboard."""
    site = context_of(request)
    hub, address = site.hub, site.address(request)
    view: dict[str, Any] = study_state(hub.study, hub.now())
    session = site.admin(request)
    view["role"] = None if session is None else session.role
    if view["role"] == "viewer":
        view = _without_ids(view, _numbers(hub.study))
    open_links = study_links(site.signer, hub.study.state.stages)
    links = {name: f"{address}/join/{text}" for name, text in open_links.items()}
    view["links"] = links if view["role"] == "owner" else {}
    view["connections"] = hub.connections
    view["failure"] = hub.failure
    return answer(view)


def _numbers(study: Study) -> dict[str, str]:
    return {worker: str(n) for n, worker in enumerate(study.state.workers, start=1)}


def _without_ids(view: Any, numbers: Mapping[str, str]) -> Any:
    if isinstance(view, dict):
        return {
            key: numbers.get(value, "") if key == "worker" else _without_ids(value, numbers)
            for key, value in view.items()
        }
    return [_without_ids(each, numbers) for each in view] if isinstance(view, list) else view


async def read_along(request: Request) -> Response:
    """Answer with a unit's log."""
    hub, number = context_of(request).hub, request.path_params["number"]
    records = await asyncio.to_thread(hub.store.stream, unit_stream(number))
    if not records:
        raise Refused("unknown", f"There is no unit {number}.")
    unit = hub.study.units.get(number)
    lines = [
        {"seq": record.seq, "time": record.time, "author": record.author, "body": record.body}
        for record in records
    ]
    content = {} if unit is None else unit.item.content
    task_texts = {role: content.get(f"{role}_task") for role in PLAYED}
    view = {
        "number": number,
        "seats": {} if unit is None else unit.seats,
        "closed": unit is None or unit.outcome is not None,
        "texts": {role: text for role, text in task_texts.items() if text},
        "records": lines,
    }
    return answer(view)


def _acts(kind: type[msgspec.Struct], command: Callable[..., Change]) -> Handler:
    """Return a handler that carries out a command, whose arguments are the fields of the body."""

    async def handler(request: Request) -> Response:
        hub, targets = context_of(request).hub, request.path_params
        if request.url.path.startswith(ASSIGNMENTS):
            number = targets["number"]
            if number not in hub.study.state.assignments:
                raise Refused("unknown", f"There is no assignment {number}.")
        fields = asdict(await body(request, kind))
        within(fields.get("reason", ""))
        await hub.write(lambda study, now: command(study, *targets.values(), now=now, **fields))
        return answer({"ok": True})

    return handler


def _grant(study: Study, worker: str, **fields: Any) -> Change:
    return study.grant(plain_id(worker), **fields)


def _bonus(study: Study, number: int, *, key: str, **fields: Any) -> Change:
    if not 0 < len(key) <= LONGEST_ID:
        raise Refused("malformed", f"A key has 1 to {LONGEST_ID} characters.")
    return administration.bonus(study, number, key=key, **fields)


async def change_settings(request: Request) -> Response:
    """Change settings: pause or resume the study, raise its targets, renew tokens."""
    patch, hub = await body(request, NewSettings), context_of(request).hub
    current = hub.study.settings
    more = {name: value for name, value in asdict(patch).items() if value is not None}
    try:
        update = changed(current, replace(current, **more), more)
        check(update)
    except UsageError as error:
        raise Refused("bad_value", str(error)) from error
    if update != current:
        await hub.rebuild(lambda study, now: study.change(update, now), lambda: None)
    return answer({"ok": True})


async def list_items(request: Request) -> Response:
    """Answer with the items of people who work alone."""
    return answer(list(administration.listed(context_of(request).hub.study)))


async def bonuses(request: Request) -> Response:
    """Answer with the bonuses that are proposed for the best workers."""
    return answer(administration.proposed(context_of(request).hub.study))


async def invites(request: Request) -> Response:
    """Make single-use links, or links of workers."""
    order, site = await body(request, Invites), context_of(request)
    if not 1 <= max(order.count, len(order.workers)) <= MOST_INVITES:
        raise Refused("malformed", f"1 to {MOST_INVITES} links are made at once.")
    workers = [worker_id(worker) for worker in order.workers]
    names = [site.signer.worker_link(worker, order.role) for worker in workers]
    names = names or [site.signer.invite(order.role) for _ in range(order.count)]
    return answer({"links": [f"{site.address(request)}/join/{name}" for name in names]})


async def accounts(request: Request) -> Response:
    """Answer with codes, payments and bonuses of all assignments as CSV."""
    text = as_csv(context_of(request).hub.study)
    headers = {"Content-Disposition": 'attachment; filename="accounts.csv"'}
    return Response(text, media_type="text/csv", headers=headers)


async def code(request: Request) -> Response:
    """Answer with the assignments that have a completion code; an outcome's code has many."""
    sought = request.path_params["code"].strip()
    rows = [row for row in table(context_of(request).hub.study) if row["code"] == sought]
    if not sought or not rows:
        raise Refused("unknown", "No assignment has this code.")
    return answer(rows)


async def prelabels(request: Request) -> Response:
    """Answer with counts of kept, changed, removed and added pre-labels, by kind and label."""
    from dialoom.collect.export import Collected  # deferred: it loads the formats
    from dialoom.quality.agreement.ratings import Fates

    store = context_of(request).hub.store

    def counted() -> dict[str, dict[str, dict[str, int]]]:
        fates = Fates()
        for dialogue in Collected(store).dialogues():
            fates.add(dialogue)
        return fates.table()

    return answer(await asyncio.to_thread(counted))


async def signals(request: Request) -> Response:
    """Answer with signals by worker, wizards' consistency and agreement; viewers see numbers."""
    from dialoom.collect.signals import signals as of  # deferred: it loads the formats

    site = context_of(request)
    report = await asyncio.to_thread(of, site.hub.store)
    session = site.admin(request)
    if session is not None and session.role == "viewer":
        numbers = _numbers(site.hub.study)
        wizards = report["consistency"]["wizards"]
        report["consistency"]["wizards"] = {numbers[name]: row for name, row in wizards.items()}
        report["workers"] = [{**row, "worker": numbers[row["worker"]]} for row in report["workers"]]
    return answer(report)


async def export(request: Request) -> Response:
    """Answer with the dialogues collected so far, as a ZIP file."""
    format, store = request.path_params["format"], context_of(request).hub.store
    from dialoom import formats  # deferred, as it takes time
    from dialoom.collect.export import export as write

    offered = [name for name in formats.FORMATS if formats.traits(name).collected]
    if format not in offered:
        raise Refused("unknown", f"There is {', '.join(offered)}.")

    folder = Path(tempfile.mkdtemp(prefix="dialoom-export-"))

    def pack() -> str:
        write(store, format, folder / format)
        return shutil.make_archive(str(folder / format), "zip", folder, format)

    try:
        packed = await asyncio.to_thread(pack)
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, DialoomError):
            raise Refused("not_exported", str(error)) from error
        raise
    clean = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    return FileResponse(packed, filename=f"{format}.zip", background=clean)
