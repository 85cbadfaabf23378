"""The JSON API of a served agent (docs/how-to/serving.md).

    POST /api/chats                    {"task": "weather"}         a new chat
    GET  /api/chats/ID                                             the chat as it is now
    POST /api/chats/ID/say             {"text": "…", "id": "…"}    {"events": […]} of this turn
    POST /api/chats/ID/events/3        {"good": true}              204
    POST /api/chats/ID/end             {"rating": 4, "reached": true}    the outcome

Anybody with a chat's id can write in it, so ids are random and cannot be guessed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dialoom.collect.kinds.bot import about
from dialoom.collect.log.chat import ChatJudged, ChatRated
from dialoom.collect.message import Refused, cleaned
from dialoom.dialogue import USER, Event, Query, Utterance
from dialoom.errors import DialoomError
from dialoom.play.results.failure import spelled_rows
from dialoom.serve.chat.chats import Chat, Chats
from dialoom.serve.responses import answer, body, health, host, refusal, too_many_requests

Handler = Callable[[Request], Awaitable[Response]]

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
    found: Chats = request.app.state.chats
    return found


def handled(handler: Handler) -> Handler:
    """Return a handler that limits each host's rate, and answers refusals and errors as JSON."""

    async def answered(request: Request) -> Response:
        try:
            wait = request.app.state.rates.take(host(request))
            if wait:
                raise too_many_requests(wait)
            return await handler(request)
        except Refused as refused:
            return refusal(refused, 409)
        except DialoomError as error:  # for example, an agent over the network does not answer
            return refusal(Refused("unavailable", str(error)))

    return answered


async def _begin(request: Request) -> Response:
    asked = await body(request, BeginRequest)
    chats = chats_of(request)
    chat = await chats.begin(asked.task)
    return answer(await _page_state(chats, chat), 201)


async def _chat(request: Request) -> Response:
    chats = chats_of(request)
    return answer(await _page_state(chats, await _found(request)))


async def _say(request: Request) -> Response:
    asked = await body(request, SayRequest)
    chat = await _found(request)
    before = len(chat.log.events)
    done = await chats_of(request).say(chat, cleaned(asked.text), asked.id)
    first = chat.log.events.index(done[0]) if len(chat.log.events) == before else before
    return answer({"events": list(_shown(done, first, chat))})


async def _rate_turn(request: Request) -> Response:
    asked = await body(request, RateTurnRequest)
    await chats_of(request).rate_turn(
        await _found(request), request.path_params["event"], asked.good
    )
    return Response(status_code=204)


async def _end(request: Request) -> Response:
    asked = await body(request, EndRequest)
    comment = cleaned(asked.comment) if asked.comment and asked.comment.strip() else None
    rating = ChatRated(rating=asked.rating, reached=asked.reached, comment=comment)
    judged = await chats_of(request).end(await _found(request), rating)
    return answer(_judged(judged))


async def _tasks(request: Request) -> Response:
    tasks = chats_of(request).tasks.values()
    return answer([{"task": task.id, "about": about(task)} for task in tasks])


async def _health(request: Request) -> Response:
    chats = chats_of(request)
    agent = chats.settings.agent.partition(":")[0]
    return health(chats.failure, agent=agent, chats=chats.begun)


async def _found(request: Request) -> Chat:
    return await chats_of(request).find(request.path_params["id"])


async def _page_state(chats: Chats, chat: Chat) -> dict[str, Any]:
    log = chat.log
    task = chats.tasks[log.began.task]
    return {
        "chat": log.id,
        "task": task.id,
        "about": about(task),
        "goal": await chats.goal(chat),
        "events": list(_shown(log.events, 0, chat)),
        "rated": None if log.rated is None else _rated(log.rated),
        "judged": None if log.judged is None else _judged(log.judged),
    }


def _shown(events: Iterable[Event], first: int, chat: Chat) -> Iterator[dict[str, Any]]:
    for at, event in enumerate(events, start=first):
        if isinstance(event, Utterance):
            who = "you" if event.agent == USER else "agent"
            yield {"event": at, "from": who, "text": event.text, "good": chat.log.good.get(at)}
        elif isinstance(event, Query):
            yield {"event": at, "from": "call", "text": event.api}


def _rated(rated: ChatRated) -> dict[str, Any]:
    return {"rating": rated.rating, "reached": rated.reached, "comment": rated.comment}


def _judged(judged: ChatJudged) -> dict[str, Any]:
    verdict = judged.verdict
    return {
        "reached": None if judged.outcome is None else verdict.get("reached"),
        "untold": [each["name"] for each in verdict.get("untold", ())],
        "changes": list(spelled_rows(verdict.get("changes", {}))),
        "wanted": list(spelled_rows((judged.scenario.get("goal") or {}).get("effects", {}))),
    }


ROUTES = [
    Route("/api/tasks", handled(_tasks)),
    Route("/api/chats", handled(_begin), methods=["POST"]),
    Route("/api/chats/{id}", handled(_chat)),
    Route("/api/chats/{id}/say", handled(_say), methods=["POST"]),
    Route("/api/chats/{id}/events/{event:int}", handled(_rate_turn), methods=["POST"]),
    Route("/api/chats/{id}/end", handled(_end), methods=["POST"]),
    Route("/healthz", _health),
]
"""The routes of the API."""
