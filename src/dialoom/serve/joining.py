"""`POST /api/join/{link}`: gives a browser that follows a link an assignment and its cookie."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from collections.abc import Callable

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from dialoom.collect.log.change import Change
from dialoom.collect.log.person import INVITE
from dialoom.collect.log.record import is_erased, is_named
from dialoom.collect.message import Refused, visible
from dialoom.collect.recruiters.recruiter import Recruiter, recruiter_of
from dialoom.collect.settings import Settings
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.identity import is_first_submission, needs_proof, plain_id
from dialoom.collect.study.state import JOIN_KEY
from dialoom.collect.study.study import Study
from dialoom.serve.context import AppContext, context_of
from dialoom.serve.links import SESSION_SECONDS, BrowserSession, Link, cookie_name
from dialoom.serve.responses import answer, body, check_rate, host, refusal

LONGEST_ID, LONGEST_VALUE, MOST_VALUES = 64, 128, 8
"""The most characters of a worker's id, those of a parameter's name or value in `source`, and the
most parameters."""

CONFIRMED_IN = 10.0
"""Seconds that a recruiter may take to confirm a submission."""

_LOG = logging.getLogger(__name__)

RESERVED_NAMES = frozenset((JOIN_KEY, INVITE))
"""Keys of an assignment's `source` that the server sets; a request cannot."""


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of the request (docs/reference/wire-protocol.md, section 1)."""

    worker: str | None = None
    language: str = ""
    source: dict[str, str] = {}
    again: bool = False
    key: str | None = None


async def join(request: Request) -> Response:
    """Answer a request to join: set the cookie, or return a refusal."""
    site, text = context_of(request), request.path_params["link"]
    try:
        number = await _join(site, request, text)
    except Refused as refused:
        if refused.code == "link_used":
            refused = Refused("used", "This link has been used in another browser.")
        return refusal(refused)
    name, since = cookie_name(text), site.hub.study.assignment(number).entered
    response = answer({"assignment": number})
    framed = bool(framing_sites(site.hub.study.settings))
    response.set_cookie(
        name,
        site.signer.session(BrowserSession(name, number, since)),
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="none" if framed else "strict",
        secure=framed or site.address(request).startswith("https:"),
    )
    if framed:  # browsers keep cookies apart for a page in a frame of another site
        response.headers["set-cookie"] += "; Partitioned"
    return response


def framing_sites(settings: Settings) -> tuple[str, ...]:
    """Return the origins that may show a study's pages in a frame: those of its recruiter."""
    recruiter = recruiter_of(settings)
    return () if recruiter is None else recruiter.sites


async def _join(site: AppContext, request: Request, text: str) -> int:
    hub, signer = site.hub, site.signer
    check_rate(site.joins, request, hub.now())
    link = signer.read_link(text)
    if link is None:
        raise Refused("forged", "This link is not one of this study.")
    form = _checked(await body(request, Join))
    hub.check_writable()
    settings = hub.study.settings
    recruiter = recruiter_of(settings)
    if recruiter is not None and recruiter.is_preview(form.source):
        raise Refused("preview", "Accept the work first; then it can be begun.")
    key = _digest(text, form, settings)
    before = _before(site, request, link, form, key)
    if before is not None and recruiter is not None:
        earlier = hub.study.assignment(before)
        if _is_another(recruiter, form, earlier):
            before = hub.study.state.submissions.get(form.source[recruiter.submission])
            if before is not None and hub.study.assignment(before).worker != earlier.worker:
                before = None
        else:
            brought = {n: text for n, text in earlier.source.items() if n not in RESERVED_NAMES}
            form = replace(form, source=brought, worker=None)
    if before is not None:
        number, over = before, hub.study.assignment(before).outcome is not None
        if not (form.again and over):  # its record may not be written yet: wait for that
            return await hub.act(lambda study, now: (number, Change()))
        key = _digest(text, form, settings, after=before)
    if before is None:
        form = _identified(form, hub.study, link)
        _prove(site, request, link, form)
        if recruiter is not None and recruiter.submission in form.source:
            await _confirm(recruiter, form.source)
    return await hub.act(_entering(site, host(request), link, form, before, key))


def _before(site: AppContext, request: Request, link: Link, form: Join, key: str) -> int | None:
    """Return the earlier assignment that a request comes back to; None without one.

    It is that of the link's cookie, of the client's key, or the last one of a worker link's worker.
    An erased worker does not go on from it.
    """
    state, number = site.hub.study.state, site.session(request, request.path_params["link"])
    if number is None:
        number = state.join_keys.get(key)
    if number is None and link.kind == "worker" and form.worker in (None, link.nonce):
        person = state.workers.get(link.nonce)
        number = None if person is None else person.last
    if number is not None and form.again and is_erased(state.assignments[number].worker):
        return None
    return number


def _entering(
    site: AppContext, host: str, link: Link, form: Join, before: int | None, key: str
) -> Callable[[Study, int], tuple[int, Change]]:
    def enter(study: Study, now: int) -> tuple[int, Change]:
        repeated = study.state.join_keys.get(key)
        if before is not None and repeated is not None:
            return repeated, Change()
        if link.kind == "study":
            _check_room(site, host, now)
        number, change = study.enter(
            form.worker if before is None else None,
            now,
            role=link.role,
            language=form.language,
            source={**form.source, **({JOIN_KEY: key} if key else {})},
            invite=link.nonce if link.kind == "invite" and before is None else None,
            again_of=before,
            stage=link.stage,
        )
        site.see(number, link, host)  # before the change is written: others may be joining
        return number, change

    return enter


def _check_room(site: AppContext, host: str, now: int) -> None:
    study = site.hub.study
    here = [one for one in study.state.live.values() if site.hosts.get(one.number) == host]
    guests = [one for one in here if one.step == "room" or study.timeouts.coming(one.number, now)]
    if len(guests) >= study.settings.per_address:
        what = "Too many people take part from your network now. Ask for a link of your own."
        raise Refused("crowded", what)


def _is_another(recruiter: Recruiter, form: Join, earlier: Assignment) -> bool:
    brought = form.source.get(recruiter.submission)
    original = earlier.source.get(recruiter.submission)
    return earlier.outcome is not None and brought not in (None, original)


def _id_parameter(settings: Settings) -> str:
    recruiter = recruiter_of(settings)
    return settings.worker_from if recruiter is None else recruiter.worker


def _identified(form: Join, study: Study, link: Link) -> Join:
    """Return a request with the worker's id from the recruiter's parameters, if the study has one.

    A worker link says whose it is; it may do without the recruiter's parameters.
    """
    settings, recruiter = study.settings, recruiter_of(study.settings)
    name = _id_parameter(settings)
    names = recruiter.required if recruiter is not None else (name,) if name else ()
    if link.kind == "worker" and names and form.source.keys().isdisjoint(names):
        names, recruiter = (), None
    lacking = [each for each in names if not visible(form.source.get(each, ""))]
    brought = plain_id(form.source.get(name, ""))
    if lacking or (names and form.worker not in (None, brought)):
        what = (lacking or names)[0]
        raise Refused("id_wanted", f"Open the link as you were given it, with your {what}.")
    if names:
        form = _checked(replace(form, worker=brought))
    if recruiter is not None:
        holder = study.state.submissions.get(form.source[recruiter.submission])
        if holder is not None and study.assignment(holder).worker != brought:
            raise Refused("id_wanted", "This submission is another worker's.")
    if link.kind == "worker" and form.worker is None:
        form = replace(form, worker=link.nonce)
    if settings.require_id and form.worker is None:
        raise Refused("id_wanted", "This study wants your participant id.")
    return form


def _prove(site: AppContext, request: Request, link: Link, form: Join) -> None:
    """Check that a browser that is new to a link may take part under the id that it names.

    Proof is a worker link, the cookie of another link that the worker used in this browser, or the
    recruiter's ids as they came first.
    """
    study, worker = site.hub.study, form.worker
    if link.kind == "worker":
        proven = worker == link.nonce
    elif worker is None or not needs_proof(study.state, worker):
        proven = True
    else:
        ours = {study.assignment(each).worker for each in site.sessions(request)}
        proven = worker in ours or is_first_submission(study.state, worker, form.source)
    if not proven:
        raise Refused(
            "proof_wanted",
            "This id belongs to somebody who takes part in another browser, or has a link of their"
            " own. If it is yours, use that browser, or ask the researchers for your own link.",
        )


async def _confirm(recruiter: Recruiter, source: dict[str, str]) -> None:
    """Refuse ids that the recruiter denies, if its credentials are set in the environment.

    Ids are accepted while its API cannot be reached: `settle` pays only its own submissions.
    """
    import httpx

    if not all(os.environ.get(name) for name in recruiter.credentials):
        return

    def known() -> bool:
        with httpx.Client(timeout=CONFIRMED_IN) as web:
            return recruiter.confirms(web, source, os.environ)

    try:
        right = await asyncio.to_thread(known)
    except httpx.HTTPError as error:
        _LOG.warning("the recruiter did not confirm a submission: %s", error)
        return
    if not right:
        raise Refused("id_wanted", "The recruiter has no such submission of yours.")


def _digest(link: str, form: Join, settings: Settings, after: int | None = None) -> str:
    """Return the key of a repeated request; `after` is the assignment that it follows."""
    if form.key is None:
        return ""
    brought = form.source.get(_id_parameter(settings), "")
    followed = () if after is None else (str(after),)
    parts = "\0".join((link, form.worker or brought, form.key, *followed))
    return hashlib.sha256(parts.encode(errors="replace")).hexdigest()[:40]


def worker_id(text: str) -> str:
    """Return a worker's id by `plain_id`; `Refused` (`malformed`) if not valid or reserved."""
    worker = plain_id(text)
    if not 0 < len(worker) <= LONGEST_ID or not worker.isprintable() or not visible(worker):
        raise Refused("malformed", f"A worker's id has 1 to {LONGEST_ID} characters.")
    if not is_named(worker):
        raise Refused("malformed", "This worker id is one of the server's own.")
    return worker


def _checked(form: Join) -> Join:
    if form.worker is not None:
        form = replace(form, worker=worker_id(form.worker))
    source = {name: text.strip() for name, text in form.source.items()}
    form = replace(form, source=source)
    if len(form.source) > MOST_VALUES or not RESERVED_NAMES.isdisjoint(form.source):
        raise Refused("malformed", f"A source has at most {MOST_VALUES} names, of its own.")
    for text in (*form.source, *form.source.values()):
        if len(text) > LONGEST_VALUE or not text.isprintable():
            raise Refused("malformed", f"A source's text has at most {LONGEST_VALUE} characters.")
    key = form.key
    if key is not None and not (16 <= len(key) <= LONGEST_ID and key.isprintable()):
        raise Refused("malformed", f"A key has 16 to {LONGEST_ID} characters.")
    return form
