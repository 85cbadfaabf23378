"""The JSON API of an open study's bot (docs/how-to/serving.md).

    POST /api/chats                    {"task": "weather"}         a new chat
    GET  /api/chats/ID                                             the chat as it is now
    POST /api/chats/ID/say             {"text": "…", "id": "…"}    {"events": […]} of this turn
    POST /api/chats/ID/events/3        {"good": true}              204
    POST /api/chats/ID/end             {"rating": 4, "reached": true}    the outcome

Anybody with a chat's id can write in it, so ids are random and cannot be guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dialoom.collect.kinds.bot import about, shown_verdict
from dialoom.collect.kinds.rated_chat import GOOD, REACHED
from dialoom.collect.message import Refused, cleaned
from dialoom.dialogue import USER, Event, Query, Utterance
from dialoom.errors import DialoomError
from dialoom.serve.chat.chats import Chat, Chats
from dialoom.serve.context import context_of
from dialoom.serve.responses import Handler, answer, answered, body, check_rate

NO_VERDICT: dict[str, Any] = {"reached": None, "unreported": [], "changes": [], "wanted": []}
"""The verdict where the bot failed."""

LONGEST_ID = 64
"""The most characters of a message's id."""


class BeginRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /api/chats`; without a task the server chooses one."""

    task: str | None = None


class SayRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `say`; a message that is sent again with the same id is said once."""

    text: str
    id: Annotated[str, msgspec.Meta(max_length=LONGEST_ID)] = ""


class RateTurnRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a rating of one utterance; None withdraws it."""

    good: bool | None


class EndRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `end`: a rating from 1 to 5, and whether the goal was reached."""

    rating: Annotated[int, msgspec.Meta(ge=1, le=5)] | None = None
    reached: bool | None = None
    comment: str | None = None


def chats_of(request: Request) -> Chats:
    """Return the chats of the application that a request is for."""
    registry: Chats = request.app.state.chats
    return registry


def listed(chats: Chats) -> list[dict[str, str]]:
    """Return the tasks that chats can be about, each with a text on what can be done."""
    return [{"task": task.id, "about": about(task)} for task in chats.tasks.values()]


def handled(handler: Handler) -> Handler:
    """Return a handler that limits each host's rate, and answers refusals and errors as JSON."""

    async def limited(request: Request) -> Response:
        site = context_of(request)
        check_rate(site.talks, request, site.hub.now())
        try:
            return await handler(request)
        except DialoomError as error:  # for example, an agent over the network does not answer
            raise Refused("unavailable", str(error)) from error

    return answered(limited, 409)


async def _begin(request: Request) -> Response:
    form = await body(request, BeginRequest)
    chats = chats_of(request)
    chat = await chats.begin(form.task)
    return answer(_page_state(chats, chat), 201)


async def _chat(request: Request) -> Response:
    return answer(_page_state(chats_of(request), await _found(request)))


async def _say(request: Request) -> Response:
    form = await body(request, SayRequest)
    chat = await _found(request)
    done = await chats_of(request).say(chat, cleaned(form.text), form.id)
    chat = await _found(request)
    first = chat.work.talk.events.index(done[0])
    return answer({"events": list(_shown(done, first, chat))})


async def _rate_turn(request: Request) -> Response:
    form = await body(request, RateTurnRequest)
    await chats_of(request).rate_turn(
        await _found(request), request.path_params["event"], form.good
    )
    return Response(status_code=204)


async def _end(request: Request) -> Response:
    form = await body(request, EndRequest)
    comment = cleaned(form.comment) if form.comment and form.comment.strip() else None
    rated = {"comment": comment, "rating": form.rating, REACHED: form.reached}
    chat = await chats_of(request).end(await _found(request), rated)
    return answer(_judged(chat) or NO_VERDICT)


async def _tasks(request: Request) -> Response:
    return answer(listed(chats_of(request)))


async def _found(request: Request) -> Chat:
    return await chats_of(request).find(request.path_params["id"])


def _page_state(chats: Chats, chat: Chat) -> dict[str, Any]:
    setup, document = chat.work.given, chat.work.document
    task = chats.tasks[setup.task]
    ratings = {part: document.get(part) for part in ("rating", REACHED, "comment")}
    return {
        "chat": chat.id,
        "task": task.id,
        "about": about(task),
        "goal": setup.text or None,
        "events": list(_shown(chat.work.talk.events, 0, chat)),
        "rated": ratings if any(each is not None for each in ratings.values()) else None,
        "judged": _judged(chat),
    }


def _shown(events: Iterable[Event], first: int, chat: Chat) -> Iterator[dict[str, Any]]:
    place = sum(isinstance(each, Utterance) for each in chat.work.talk.events[:first])
    for at, event in enumerate(events, start=first):
        if isinstance(event, Utterance):
            who = "you" if event.agent == USER else "agent"
            good = chat.work.document.get(f"{GOOD}{place}")
            place += 1
            yield {"event": at, "from": who, "text": event.text, "good": good}
        elif isinstance(event, Query):
            yield {"event": at, "from": "call", "text": event.api}


def _judged(chat: Chat) -> dict[str, Any] | None:
    judged = chat.work.talk.judged
    return None if judged is None else shown_verdict(judged)


ROUTES = [
    Route("/api/tasks", handled(_tasks)),
    Route("/api/chats", handled(_begin), methods=["POST"]),
    Route("/api/chats/{id}", handled(_chat)),
    Route("/api/chats/{id}/say", handled(_say), methods=["POST"]),
    Route("/api/chats/{id}/events/{event:int}", handled(_rate_turn), methods=["POST"]),
    Route("/api/chats/{id}/end", handled(_end), methods=["POST"]),
]
"""The routes of the API."""
