"""A language model as the agent, over the wire format of OpenAI's chat completions with tools.

    --agent openai:small@http://localhost:8000/v1         (the key from OPENAI_API_KEY)

The model gets the task's policy as the system message and its calls as tools. A call whose
arguments are no JSON object is recorded with their text (`UNREAD`) and refused. Its thoughts
before an answer are recorded (`thought`), but shown neither to the user nor to itself later.
Requests that fail for the moment are repeated; if the last of them fails, the dialogue has no
result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.http.chat import THOUGHT, ChatClient, Complete, Message
from dialoom.http.completions import ChatReply, ChatToolCall
from dialoom.play.agents.base import Agent, AgentSeat
from dialoom.play.arguments import UNREAD, constraints_of
from dialoom.schema.tools import function_names, toolbox
from dialoom.sim.policies.flow.briefing import policy


class ChatAgent:
    """Plays the system of one dialogue, by chat completions."""

    def __init__(self, seat: AgentSeat, complete: Complete) -> None:
        schemas = {program.task: program.schema for program in seat.programs}
        self._programs, self._complete, self._meter = seat.programs, complete, seat.meter
        self._tools = toolbox(schemas)
        self._calls = {name: call for (_, call), name in function_names(schemas).items()}
        self._messages: list[Message] = [{"role": "system", "content": policy(seat.programs)}]
        self._taken = 0

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Send the events since the last turn, and return the model's utterances and calls."""
        self._messages += _messages(events[self._taken :])
        self._taken = len(events)
        answer = self._complete(self._messages, self._tools, self._meter)
        answer = _numbered(answer, len(self._messages))
        self._messages.append(_written(answer))
        return tuple(self._events(answer))

    def _events(self, answer: ChatReply) -> Iterator[Event]:
        thought = {THOUGHT: answer.thought} if answer.thought else {}
        if answer.said:
            yield Utterance(agent=SYSTEM, text=answer.said, extra=thought)
            thought = {}
        for call in answer.tool_calls or ():
            name = self._calls.get(call.function.name, call.function.name)
            values = call.function.values
            constraints = tuple(constraints_of(self._programs, name, values or {}))
            unread = {UNREAD: call.function.arguments} if values is None else {}
            yield Query(id=call.id, api=name, constraints=constraints, extra={**thought, **unread})
            thought = {}


def _numbered(answer: ChatReply, before: int) -> ChatReply:
    """Give an id to calls without one, since results refer to it."""
    for place, call in enumerate(answer.tool_calls or (), start=before):
        call.id = call.id or f"call_{place}"
    return answer


def _messages(events: Sequence[Event]) -> Iterator[Message]:
    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            yield {"role": "user", "content": event.text}
        elif isinstance(event, Result):
            yield _result(event.query, {"items": list(event.items), **event.extra})


def _result(call: str, body: dict[str, Any]) -> Message:
    content = msgspec.json.encode(body).decode()
    return {"role": "tool", "tool_call_id": call, "content": content}


def _written(answer: ChatReply) -> Message:
    message: Message = {"role": "assistant", "content": answer.said or None}
    if answer.tool_calls:
        message["tool_calls"] = [_written_call(call) for call in answer.tool_calls]
    return message


def _written_call(call: ChatToolCall) -> Message:
    raw = call.function.arguments
    arguments = raw if isinstance(raw, str) else msgspec.json.encode(raw or {}).decode()
    function = {"name": call.function.name, "arguments": arguments or "{}"}
    return {"type": "function", "id": call.id, "function": function}


class ChatAgents(Agent):
    """The agent `openai`: a language model that answers chat completions with tools."""

    def __init__(self, settings: str = "") -> None:
        self.client = ChatClient(settings, "--agent openai")

    def ready(self, tasks: Iterable[str]) -> None:
        """Check that requests can be made; `MissingExtraError` if httpx is not installed."""
        self.client.web.ready()

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that speaks for the model."""
        return ChatAgent(seat, self.client.complete)
