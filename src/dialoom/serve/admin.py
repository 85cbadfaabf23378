"""The admin's HTTP interface: `/api/admin/…` (docs/reference/wire-protocol.md, 9)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec.structs import asdict, replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dialoom.collect.log.record import ROLES as PLAYED
from dialoom.collect.log.record import Role, RoomRole, unit_stream
from dialoom.collect.message import Refused, within
from dialoom.collect.settings_change import changed
from dialoom.collect.settings_check import check
from dialoom.collect.study import administration
from dialoom.collect.study.dashboard import state as study_state
from dialoom.collect.study.identity import plain_id
from dialoom.errors import UsageError
from dialoom.serve.blobs import get_any
from dialoom.serve.context import context_of
from dialoom.serve.erasing import erase_worker, records
from dialoom.serve.exporting import accounts, code, export, prelabels, signals
from dialoom.serve.items import act, add_items, arrange, list_items
from dialoom.serve.joining import LONGEST_ID, worker_id
from dialoom.serve.links import ADMIN_COOKIE, ADMIN_SECONDS, AdminRole, study_links
from dialoom.serve.responses import Handler, Nothing, answer, answered, body, check_rate

MOST_INVITES = 100
"""The most links of one request."""
ROLES: tuple[AdminRole, ...] = get_args(AdminRole)
"""The roles of the admin's tokens; each may also do what those before it may."""

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
        ("rooms/{number:int}/end", "POST", end_unit),
        ("rooms/{number:int}/notice", "POST", send_notice),
        ("assignments/{number:int}/end", "POST", end_assignment),
        ("assignments/{number:int}/review", "POST", review),
        ("assignments/{number:int}/undo", "POST", undo),
    ]
    owning: list[AdminRoute] = [
        ("assignments/{number:int}/bonus", "POST", bonus),
        ("workers/{worker:path}/grant", "POST", grant),
        ("workers/{worker:path}/erase", "POST", erase_worker),
        ("workers/{worker:path}/records", "GET", records),
        ("settings", "POST", change_settings),
        ("items", "GET", list_items),
        ("items/{item:path}", "POST", arrange),
        ("stages/{stage:path}/items", "POST", add_items),
        ("bonuses", "GET", bonuses),
        ("bonuses", "POST", book),
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
        numbers = {worker: str(n) for n, worker in enumerate(hub.study.state.workers, start=1)}
        view = _without_ids(view, numbers)
    open_links = study_links(site.signer, hub.study.state.stages)
    links = {name: f"{address}/join/{text}" for name, text in open_links.items()}
    view["links"] = links if view["role"] == "owner" else {}
    view["connections"] = hub.connections
    view["failure"] = hub.failure
    return answer(view)


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


async def end_unit(request: Request) -> Response:
    """End a unit."""
    await body(request, Nothing)
    number = request.path_params["number"]
    return await act(request, lambda study, now: study.end_unit(number, now))


async def send_notice(request: Request) -> Response:
    """Send a notice to the people of a unit."""
    notice, number = await body(request, UnitNotice), request.path_params["number"]
    return await act(
        request,
        lambda study, now: administration.send_notice(study, number, notice.text, notice.to, now),
    )


async def end_assignment(request: Request) -> Response:
    """End an assignment."""
    await body(request, Nothing)
    number = _assignment(request)
    return await act(request, lambda study, now: study.end(number, now))


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


async def review(request: Request) -> Response:
    """Accept or reject a submission."""
    number, verdict = _assignment(request), await body(request, Review)
    within(verdict.reason)
    return await act(
        request, lambda study, now: administration.review(study, number, now, **asdict(verdict))
    )


async def undo(request: Request) -> Response:
    """Take a review back."""
    await body(request, Nothing)
    number = _assignment(request)
    return await act(request, lambda study, now: administration.undo(study, number, now))


async def grant(request: Request) -> Response:
    """Open or close a stage for a worker."""
    permit, worker = await body(request, Grant), plain_id(request.path_params["worker"])
    return await act(
        request, lambda study, now: study.grant(worker, permit.stage, now, granted=permit.granted)
    )


async def bonuses(request: Request) -> Response:
    """Answer with the bonuses that are proposed for the best workers."""
    return answer(administration.proposed(context_of(request).hub.study))


async def bonus(request: Request) -> Response:
    """Book a bonus that the admin sets."""
    number, award = _assignment(request), await body(request, Bonus)
    within(award.reason)
    if not 0 < len(award.key) <= LONGEST_ID:
        raise Refused("malformed", f"A key has 1 to {LONGEST_ID} characters.")
    return await act(
        request, lambda study, now: administration.bonus(study, number, now, **asdict(award))
    )


async def book(request: Request) -> Response:
    """Book proposed bonuses."""
    keys = (await body(request, Keys)).keys
    return await act(request, lambda study, now: administration.confirm_bonuses(study, keys, now))


async def invites(request: Request) -> Response:
    """Make single-use links, or links of workers."""
    order, site = await body(request, Invites), context_of(request)
    if not 1 <= max(order.count, len(order.workers)) <= MOST_INVITES:
        raise Refused("malformed", f"1 to {MOST_INVITES} links are made at once.")
    workers = [worker_id(worker) for worker in order.workers]
    names = [site.signer.worker_link(worker, order.role) for worker in workers]
    names = names or [site.signer.invite(order.role) for _ in range(order.count)]
    return answer({"links": [f"{site.address(request)}/join/{name}" for name in names]})


def _assignment(request: Request) -> int:
    number: int = request.path_params["number"]
    if number not in context_of(request).hub.study.state.assignments:
        raise Refused("unknown", f"There is no assignment {number}.")
    return number
