"""Agents and users that are Python functions, and `dialoom.play`, which lets them talk.

    def my_agent(message: str) -> str: ...             # gets what the user said last
    async def my_agent(history, tools): ...            # gets all messages of the dialogue
    run = dialoom.play(my_agent, tasks="hotel_book", n=20)
    run.success, run.table, run.path

A function with a parameter called `history` gets the dialogue's messages in the format of chat
completions, the instructions first, and with one called `tools` the calls in the same format. Any
other function gets the text of the last message alone. It returns a text, None for silence (a user
leaves), or a message of that format, as a dict or an object, with `content` or `tool_calls`. A
class is made anew for each dialogue. An exception, or an answer of another form, ends the dialogue
without a result.
"""

from __future__ import annotations

import asyncio
import inspect
import shutil
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

import msgspec

from dialoom.arguments import Positive, checked
from dialoom.dialogue.participant import Participant
from dialoom.errors import UsageError
from dialoom.http.chat import Message
from dialoom.http.completions import ChatReply
from dialoom.http.failure import NoAnswerError
from dialoom.http.metering import Meter, WireLimits
from dialoom.play.agents.base import Agent, AgentSeat
from dialoom.play.agents.chat import ChatAgent
from dialoom.play.judging.conduct import read_forbidden
from dialoom.play.results.run import PlayRun
from dialoom.play.running.plan import PlayPlan, make_run, plan_of
from dialoom.play.tau2_tasks import given_goals
from dialoom.play.users.base import User, UserSeat
from dialoom.play.users.chat import DONE, ChatUser
from dialoom.render.progress import progress_bar, shown
from dialoom.sim.core.plan import Tasks
from dialoom.sim.presets.star import load_tasks

Function = Callable[..., Any]


class FunctionClient:
    """Answers messages by a Python function, as a model would; `UsageError` for others."""

    def __init__(self, function: Function, side: str, none: str = "") -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self._who, self._none = f"{side} {self.name}", none
        try:
            self._function = function() if isinstance(function, type) else function
            signature = inspect.signature(self._function)
            self._history, self._tools = (n in signature.parameters for n in ("history", "tools"))
            signature.bind(*self._asked([{"content": ""}], []))
        except (TypeError, ValueError) as error:
            what = "should take the last message, or history and, if it likes, tools"
            raise UsageError(f"{self._who}: {what}: {error}") from error

    def _asked(self, messages: Sequence[Message], tools: Sequence[Message]) -> tuple[Any, ...]:
        first = [dict(each) for each in messages] if self._history else messages[-1]["content"]
        return (first, list(tools)) if self._tools else (first,)

    def complete(self, messages: list[Message], tools: list[Message], meter: Meter) -> ChatReply:
        """Return the function's answer; `NoAnswerError` if it fails or has another form."""
        with meter.request():
            try:
                answer = self._function(*self._asked(messages, tools))
                if inspect.isawaitable(answer):
                    answer = asyncio.run_coroutine_threadsafe(_awaited(answer), _loop()).result()
                return _reply(self._none if answer is None else answer)
            except Exception as error:
                what = f"{type(error).__name__}: {error}".encode(errors="backslashreplace")
                raise NoAnswerError(self._who, what.decode()) from error


def _reply(answer: Any) -> ChatReply:
    if isinstance(answer, str):
        reply = ChatReply(content=str(answer))
    else:
        reply = msgspec.convert(answer, ChatReply, from_attributes=True)
    if reply.lack:
        raise msgspec.ValidationError(reply.lack)
    msgspec.json.encode(reply)  # half of a surrogate pair cannot be written
    return reply


async def _awaited(answer: Any) -> Any:
    return await answer


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    """Return an event loop for asynchronous functions: a notebook runs one already."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


class FunctionAgents(Agent):
    """Plays the system by a Python function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._name = FunctionClient(function, "agent").name

    def __str__(self) -> str:
        return f"function:{self._name}"

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that speaks for the function."""
        return ChatAgent(seat, FunctionClient(self._function, "agent").complete)


class FunctionUsers(User):
    """Users who are a Python function with the goal as input."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._name = FunctionClient(function, "user").name

    def __str__(self) -> str:
        return f"function:{self._name}"

    def join(self, seat: UserSeat) -> Participant:
        """Return a user who speaks for the function."""
        return ChatUser(seat, FunctionClient(self._function, "user", DONE).complete)


@checked
def play(
    agent: str | Function,
    *,
    user: str | Function = "simulated",
    tasks: Tasks = "all",
    n: Positive = 20,
    trials: Positive = 1,
    seed: int = 0,
    goals: Path | str | None = None,
    traits: str = "",
    at_once: Positive = 1,
    limits: WireLimits | None = None,
    forbid: str | None = None,
    out: Path | str | None = None,
    progress: bool = True,
) -> PlayRun:
    """Let an agent serve users in this process, and return the run with its verdicts.

    Args:
        agent: A function, or an agent as `dialoom play --agent` names it.
        user: A function, or users as `dialoom play --user` names them.
        tasks: Tasks, or names of tasks or task files, as a list or with commas between; `all` for
            the bundled ones.
        n: Number of goals that are drawn of each task.
        trials: Number of dialogues of each goal.
        seed: The seed of databases, goals and wordings.
        goals: Goals in YAML or tau2-bench's JSON, which are played instead of drawn ones.
        traits: Traits of users: names or JSON files, separated by commas.
        at_once: Number of dialogues that are played at a time, for a slow agent.
        limits: Limits on what participants spend, with the settings of their requests.
        forbid: Words that the agent must not say, with commas between, or a file of them.
        out: A new folder for the run; without one it goes when the run is no longer used.
        progress: Whether progress is shown.

    Raises:
        DialoomError: There is no such agent, user, task or goal, or the folder is not empty.
    """
    by_id = {task.id: task for task in load_tasks(tasks, seed)}
    wishes = given_goals(None if goals is None else Path(goals), by_id, seed)
    serving: str | Agent = agent if isinstance(agent, str) else FunctionAgents(agent)
    asking: str | User = user if isinstance(user, str) else FunctionUsers(user)
    suite = tuple(by_id.values())
    banned = read_forbidden(forbid)
    plan = plan_of(suite, serving, asking, n, trials, seed, wishes, limits, at_once, banned, traits)
    if out is not None:
        return _made(plan, Path(out), progress=progress)
    folder = Path(mkdtemp(prefix="dialoom-"))
    try:
        run = _made(plan, folder / "run", progress=progress)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    finalize(run, shutil.rmtree, folder, ignore_errors=True)
    return run


def _made(plan: PlayPlan, folder: Path, *, progress: bool) -> PlayRun:
    with shown(progress), progress_bar("dialogues", plan.dialogues) as bar:
        return make_run(plan, folder, bar.advance)
