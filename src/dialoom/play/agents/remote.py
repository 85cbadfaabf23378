"""Agents outside of this process: a command that reads and writes JSON lines, a web hook, or Rasa.

    --agent 'command:python bot.py'     --agent http:http://localhost:8000/turn
    --agent rasa:http://localhost:5005

A command and a web hook get one JSON object a turn and answer with one:

    {"dialogue": "5f…", "turn": 0, "task": "weather", "policy": "…", "tools": […],
     "events": [{"user": "Will it rain?"}]}
    {"call": {"name": "weather", "arguments": {"City": "Velmora", "Day": "Sunday"}}}
    {"dialogue": "5f…", "turn": 1, "events": [{"result": [{"Weather": "sunny", …}]}]}
    {"say": "Sunny all day."}

Only the first message of a dialogue has task, policy and tools. The ids of dialogues are new in
each run; a message that is sent again, because nobody answered, has the same `turn`. An agent may
say something and make a call in one answer; after a call it gets the result and answers again. An
answer may repeat `dialogue` and `turn`, and have anything in `extra`; other keys are refused.
Rasa's REST channel carries texts and the titles of buttons, no calls. If an agent does not answer
in time, or not in this form, or its program ends, the dialogue has no result (`NoAnswerError`).
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
from typing import IO, Any, TypeVar
from uuid import uuid4
from weakref import finalize

import msgspec

from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.errors import UsageError, clip
from dialoom.http.failure import NoAnswerError, decoded, unreadable
from dialoom.http.metering import Meter
from dialoom.http.web import WebClient
from dialoom.play.agents.base import Agent, AgentSeat
from dialoom.play.arguments import constraints_of
from dialoom.schema.tools import toolbox
from dialoom.sim.policies.flow.briefing import policy

GRACE = 1.0
"""Seconds that a command which closed its output has to end."""

LONGEST = 1 << 20
"""Most bytes of a command's answer."""

RASA = "/webhooks/rest/webhook"


class CallMessage(msgspec.Struct, forbid_unknown_fields=True):
    """A call that an agent makes."""

    name: str
    arguments: dict[str, Any] = {}


class AgentMessage(msgspec.Struct, forbid_unknown_fields=True):
    """An agent's answer: an utterance, a call, or both; `ValueError` for neither.

    `dialogue`, `turn` and `extra` are not used.
    """

    say: str | list[str] | None = None
    call: CallMessage | None = None
    dialogue: Any = None
    turn: Any = None
    extra: Any = None

    def __post_init__(self) -> None:
        if self.say is None and self.call is None:
            raise ValueError("neither say nor call")


class RasaButton(msgspec.Struct):
    """A button that Rasa shows below a message."""

    title: str = ""


class RasaMessage(msgspec.Struct):
    """One of the messages that Rasa answers with; `ValueError` for one without any of its parts.

    Images and attachments say nothing; `RasaAgents` refuses answers of custom payloads alone.
    """

    text: str | None = None
    buttons: list[RasaButton] = []
    image: Any = None
    attachment: Any = None
    custom: Any = None

    def __post_init__(self) -> None:
        if self.text is None and not (self.buttons or self.image or self.attachment or self.custom):
            raise ValueError(f"none of {', '.join(self.__struct_fields__)}")

    @property
    def said(self) -> str:
        """The text, and the titles of the buttons."""
        titles = " / ".join(button.title for button in self.buttons if button.title)
        return " ".join(filter(None, (self.text, f"({titles})" if titles else "")))


T = TypeVar("T")

Pipes = Sequence[IO[bytes]]

Send = Callable[[dict[str, Any], Meter], AgentMessage]


class RemoteAgent:
    """Plays the system of one dialogue, by messages with the id of the run."""

    def __init__(self, seat: AgentSeat, send: Send, run: str) -> None:
        self._programs, self._name, self._send = seat.programs, f"{run}{seat.seed.hex()[:16]}", send
        self._meter = seat.meter
        self._taken = self._calls = self._turns = 0

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Send the events since the last turn, and return those of the answer."""
        message: dict[str, Any] = {"dialogue": self._name, "turn": self._turns}
        self._turns += 1
        if not self._taken:
            tasks = {program.task: program.schema for program in self._programs}
            message |= {"task": ", ".join(tasks), "policy": policy(self._programs)}
            message["tools"] = toolbox(tasks)
        message["events"] = list(_wire_events(events[self._taken :]))
        self._taken = len(events)
        return tuple(self._events(self._send(message, self._meter)))

    def _events(self, answer: AgentMessage) -> Iterator[Event]:
        texts = [answer.say] if isinstance(answer.say, str) else answer.say or []
        yield from (Utterance(agent=SYSTEM, text=text) for text in texts if text.strip())
        if answer.call is not None:
            self._calls += 1
            name, arguments = answer.call.name, answer.call.arguments
            constraints = tuple(constraints_of(self._programs, name, arguments))
            yield Query(id=f"q{self._calls}", api=name, constraints=constraints)


def _wire_events(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            yield {"user": event.text}
        elif isinstance(event, Result):
            yield {"result": list(event.items), **event.extra}


class CommandAgents(Agent):
    """Plays by a command that reads a JSON object a line and answers with one a line."""

    def __init__(self, settings: str = "") -> None:
        try:
            self._command = shlex.split(settings)
        except ValueError as error:
            raise UsageError(f"--agent command:{clip(settings)}: {error}") from None
        if not self._command:
            raise UsageError(
                "--agent command: name the command, such as 'command:python bot.py'",
                code="not-given",
            )
        self._process: subprocess.Popen[bytes] | None = None
        self._run = uuid4().hex[:8]

    def ready(self, tasks: Iterable[str]) -> None:
        """Check that there is such a command; `UsageError` if there is no such command."""
        if shutil.which(self._command[0]) is None:
            raise UsageError(
                f"--agent command: {clip(self._command[0])} is no command", code="no-program"
            )

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that speaks through the command."""
        return RemoteAgent(seat, self._send, self._run)

    def _send(self, message: dict[str, Any], meter: Meter) -> AgentMessage:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = self._started()
            finalize(self, _end, process)
        payload = msgspec.json.encode(message) + b"\n"
        try:
            with meter.request():
                line = self._exchange(process, payload, meter.timeout)
            answer: AgentMessage | None = decoded(line, AgentMessage)
            if answer is None:
                raise self._failed(unreadable(line, AgentMessage), "unreadable")
        except NoAnswerError:  # end it: a late answer would be taken for the next one
            self.close()
            raise
        return answer

    def _started(self) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(self._command, stdin=pipe, stdout=pipe)
        except OSError as error:  # such as a script without its first line, #!
            what = f"cannot be started: {error.strerror}"
            raise self._failed(what, "no-program", final=True) from error

    def _failed(self, what: str, code: str = "", *, final: bool = False) -> NoAnswerError:
        who = f"--agent command:{clip(shlex.join(self._command))}"
        return NoAnswerError(who, what, final=final, code=code)

    def _exchange(self, process: subprocess.Popen[bytes], line: bytes, timeout: float) -> bytes:
        if process.stdin is None or process.stdout is None:
            raise self._failed("has no pipes")
        deadline, left = time.monotonic() + timeout, memoryview(line)
        while left:  # in pieces that do not block: a full pipe would do so for ever
            self._wait(timeout, deadline, [], [process.stdin])
            try:
                left = left[os.write(process.stdin.fileno(), left[: select.PIPE_BUF]) :]
            except BrokenPipeError:
                raise self._ended(process) from None
        reply = b""
        while b"\n" not in reply and len(reply) < LONGEST:
            self._wait(timeout, deadline, [process.stdout], [])
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                raise self._ended(process)
            reply += part
        return reply

    def _wait(self, timeout: float, deadline: float, read: Pipes, write: Pipes) -> None:
        if not any(select.select(read, write, [], max(0.0, deadline - time.monotonic()))):
            raise self._failed(f"no answer within {timeout:g} s", "too-late")

    def _ended(self, process: subprocess.Popen[bytes]) -> NoAnswerError:
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
        code = process.poll()
        return self._failed("closed its output" if code is None else f"ended with exit code {code}")

    def close(self) -> None:
        """End the command."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(BrokenPipeError), process:  # closes the pipes and waits
        pass


class WebHookAgents(Agent):
    """Plays by a web hook that gets a JSON object a turn and answers with one."""

    def __init__(self, settings: str = "") -> None:
        self._client = WebClient(settings, "--agent")
        self._run = uuid4().hex[:8]

    def ready(self, tasks: Iterable[str]) -> None:
        """Check that requests can be made; `MissingExtraError` if httpx is not installed."""
        self._client.ready()

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that speaks through the web hook."""
        return RemoteAgent(seat, self._send, self._run)

    def _send(self, message: dict[str, Any], meter: Meter) -> AgentMessage:
        data = self._client.post("", message, meter)
        return self._decoded(data, AgentMessage, message["dialogue"])

    def _decoded(self, data: bytes, kind: type[T], dialogue: str) -> T:
        answer = decoded(data, kind)
        if answer is None:
            same = data.replace(dialogue.encode(), b"ID")  # so that equal failures are counted
            raise self._client.failed(unreadable(same, kind), code="unreadable")
        return answer


class RasaAgents(WebHookAgents):
    """The agent `rasa`, over Rasa's REST channel; its calls go to a database of its own."""

    def _send(self, message: dict[str, Any], meter: Meter) -> AgentMessage:
        texts = [event["user"] for event in message["events"] if "user" in event]
        request = {"sender": message["dialogue"], "message": "\n".join(texts)}
        data = self._client.post(RASA, request, meter)
        replies = self._decoded(data, list[RasaMessage], message["dialogue"])
        texts = [each.said for each in replies]
        if not any(texts) and any(each.custom for each in replies):
            what = "only a custom payload, which is not read: answer with text or buttons"
            raise self._client.failed(what, code="unreadable")
        return AgentMessage(say=texts)
