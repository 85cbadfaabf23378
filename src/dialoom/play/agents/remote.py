"""Agents outside of this process: a command that reads and writes JSON lines, a web hook, or Rasa.

    --agent 'command:python bot.py'     --agent http:http://localhost:8000/turn
    --agent rasa:http://localhost:5005

A command and a web hook get one JSON object a turn and answer with one:

    {"dialogue": "5f…", "task": "weather", "policy": "…", "tools": […],
     "events": [{"user": "Will it rain?"}]}
    {"call": {"name": "weather", "arguments": {"City": "Velmora", "Day": "Sunday"}}}
    {"dialogue": "5f…", "events": [{"result": [{"Weather": "sunny", …}]}]}
    {"say": "Sunny all day."}

Only the first message of a dialogue has task, policy and tools. An agent may say something and make
a call in one answer; after a call it gets the result and answers again. Rasa's REST channel carries
only texts, no calls. An agent that does not answer in time, or not in this form, says nothing in
that turn.
"""

from __future__ import annotations

import os
import select
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, ClassVar
from weakref import finalize

import msgspec

from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.errors import UsageError, clip
from dialoom.http.answers import decoded
from dialoom.play.agents.base import AgentSeat
from dialoom.play.wire.arguments import constraints_of
from dialoom.play.wire.metering import Meter
from dialoom.play.wire.web import WebClient
from dialoom.schema.tools import toolbox
from dialoom.sim.policies.flow.briefing import wizard_briefing

LONGEST = 1 << 20
"""The most bytes of an answer."""

RASA = "/webhooks/rest/webhook"
"""The path of Rasa's REST channel."""


class CallMessage(msgspec.Struct):
    """A call that an agent makes."""

    name: str
    arguments: dict[str, Any] = {}


class AgentMessage(msgspec.Struct):
    """An agent's answer."""

    say: str | list[str] = []
    call: CallMessage | None = None


class RasaMessage(msgspec.Struct):
    """One of the messages that Rasa answers with."""

    text: str = ""


Send = Callable[[dict[str, Any], Meter], AgentMessage | None]
"""Sends a message and returns the answer; None where there is none."""


class RemoteAgent:
    """Plays the system of one dialogue, by messages.

    Args:
        seat: The tasks.
        send: Sends a message to the agent and returns its answer.
    """

    def __init__(self, seat: AgentSeat, send: Send) -> None:
        self._programs, self._name, self._send = seat.programs, seat.seed.hex()[:16], send
        self._meter = seat.meter
        self._taken = self._calls = 0

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Send the events since the last turn, and return those of the answer."""
        message: dict[str, Any] = {"dialogue": self._name}
        if not self._taken:
            tasks = {program.task: program.schema for program in self._programs}
            message |= {"task": ", ".join(tasks), "policy": wizard_briefing(self._programs)}
            message["tools"] = toolbox(tasks)
        message["events"] = list(_told(events[self._taken :]))
        self._taken = len(events)
        answer = self._send(message, self._meter)
        return () if answer is None else tuple(self._events(answer))

    def _events(self, answer: AgentMessage) -> Iterator[Event]:
        texts = [answer.say] if isinstance(answer.say, str) else answer.say
        yield from (Utterance(agent=SYSTEM, text=text) for text in texts if text.strip())
        if answer.call is not None:
            self._calls += 1
            name, arguments = answer.call.name, answer.call.arguments
            constraints = tuple(constraints_of(self._programs, name, arguments))
            yield Query(id=f"q{self._calls}", api=name, constraints=constraints)


def _told(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            yield {"user": event.text}
        elif isinstance(event, Result):
            yield {"result": list(event.items), **event.extra}


class CommandAgents:
    """Plays by a command that reads a JSON object a line and answers with one a line."""

    reads_acts: ClassVar[bool] = False

    def __init__(self, settings: str = "") -> None:
        self._command = shlex.split(settings)
        if not self._command:
            raise UsageError("--agent command: name the command, such as 'command:python bot.py'")
        self._process: subprocess.Popen[bytes] | None = None

    def ready(self, tasks: Iterable[str]) -> None:
        """Check that there is such a command.

        Raises:
            UsageError: There is no such command.
        """
        if shutil.which(self._command[0]) is None:
            raise UsageError(f"--agent command: {clip(self._command[0])} is no command")

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that speaks through the command."""
        return RemoteAgent(seat, self._send)

    def _send(self, message: dict[str, Any], meter: Meter) -> AgentMessage | None:
        process = self._process
        if process is None or process.poll() is not None:
            pipe = subprocess.PIPE
            process = self._process = subprocess.Popen(self._command, stdin=pipe, stdout=pipe)
            finalize(self, _end, process)
        asked = msgspec.json.encode(message) + b"\n"
        with meter.request():
            line = self._exchange(process, asked, meter.timeout)
        answer = None if line is None else decoded(line, AgentMessage)
        if answer is None:  # end it: a late answer would be taken for the next one
            self.close()
        return answer

    def _exchange(
        self, process: subprocess.Popen[bytes], line: bytes, timeout: float
    ) -> bytes | None:
        """Return the line that answers another, or None where none comes in time."""
        if process.stdin is None or process.stdout is None:
            return None
        try:
            process.stdin.write(line)
            process.stdin.flush()
        except BrokenPipeError:
            return None
        found, deadline = b"", time.monotonic() + timeout
        while b"\n" not in found and len(found) < LONGEST:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([process.stdout], [], [], left)[0]:
                return None
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                return None
            found += part
        return found

    def close(self) -> None:
        """End the command."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(BrokenPipeError), process:  # closes the pipes and waits
        pass


class WebHookAgents:
    """Plays by a web hook that gets a JSON object a turn and answers with one."""

    reads_acts: ClassVar[bool] = False

    def __init__(self, settings: str = "") -> None:
        self._client = WebClient(settings, "--agent")

    def ready(self, tasks: Iterable[str]) -> None:
        """Check that requests can be made.

        Raises:
            MissingExtraError: httpx is not installed.
        """
        self._client.ready()

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that speaks through the web hook."""
        return RemoteAgent(seat, self._send)

    def _send(self, message: dict[str, Any], meter: Meter) -> AgentMessage | None:
        data = self._client.post("", message, meter)
        return None if data is None else decoded(data, AgentMessage)


class RasaAgents(WebHookAgents):
    """The agent `rasa`, over Rasa's REST channel; its calls go to a database of its own."""

    def _send(self, message: dict[str, Any], meter: Meter) -> AgentMessage | None:
        texts = [event["user"] for event in message["events"] if "user" in event]
        asked = {"sender": message["dialogue"], "message": "\n".join(texts)}
        data = self._client.post(RASA, asked, meter)
        found = None if data is None else decoded(data, list[RasaMessage])
        return None if found is None else AgentMessage(say=[each.text for each in found])
