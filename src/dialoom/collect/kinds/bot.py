"""Talks with a bot: a person with a goal talks with an agent that plays the system, and rates it.

    {"good.3": true, "rating": 4, "reached": true, "comment": "It was quick."}

are the parts that the person saves: whether the utterance number 3 of the talk (counted from 0) was
good, and the ratings of the whole dialogue; answers to own questions are parts as well. With
several bots there is an item for each goal and bot; people do not see which bot they talk with, and
get the bots that they have had least often first. The server adds the part `talk`: the events, and
whether the database's final state meets the goal. A bot that fails ends the talk: the person
submits it without ratings and is paid, and the goal is given out again. In an open study, ratings
may be left out, and a talk is kept however it ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import DocumentKind, Save
from dialoom.collect.kinds.document.work import DocumentWork, index_of
from dialoom.collect.kinds.rated_chat import GOOD, REACHED, chat_dialogue
from dialoom.collect.kinds.room.dialogue import foreign
from dialoom.collect.kinds.room.messages import Accomplish, Say
from dialoom.collect.kinds.room.questions import checked
from dialoom.collect.kinds.room.rules import RATINGS
from dialoom.collect.log.facts import ChatFailed, ChatJudged
from dialoom.collect.log.record import SERVER, USER_ROLE, WIZARD_ROLE, Body, Closed, Record, Role
from dialoom.collect.message import MessageBody, Refused, cleaned
from dialoom.collect.own_questions import question_of, unanswered, with_answers
from dialoom.collect.settings import NO_GOALS, Settings, Stage, Times
from dialoom.collect.unit import Data, Result, Scenarios, WorkItem
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Answer,
    Candidate,
    Completion,
    Dialogue,
    Event,
    Query,
    Utterance,
)
from dialoom.dialogue import Result as ResultEvent
from dialoom.dialogue.annotation import RATERS, SYSTEM_NAME, Struct
from dialoom.errors import UsageError, clip
from dialoom.play.agents.base import AGENTS, Agent
from dialoom.play.judging.verdict import NO_RESULT
from dialoom.play.results.failure import spelled_rows
from dialoom.play.running.live import LiveGoals
from dialoom.play.tau2_tasks import given_goals
from dialoom.schema.lexicon import split_name
from dialoom.schema.task import TaskSchema
from dialoom.sim.presets.star import load_tasks

TESTER: Role = "tester"

TALK = "talk"
"""The name of the part that holds the talk's events."""


class TalkGoal(Struct, frozen=True):
    """The content of an item: a goal of a person, and the bot that they talk with.

    Attributes:
        goal: The number of the goal, as `LiveGoals` counts the goals of a task.
        agent: The bot, by its name in `dialoom play --agent`.
        about: A text on what can be done with the task.
        text: The goal in words; empty where the person has none.
    """

    task: str
    goal: int
    agent: str
    about: str
    text: str = msgspec.field(name="told")  # its name in logs


class Talk(Struct, frozen=True):
    """The events of a talk, and its outcome.

    Attributes:
        events: Utterances, queries and results; times are ms since 1970.
        judged: The outcome according to the database; None until it was determined.
        failed: The failure of the bot; None while it answers.
    """

    events: tuple[Event, ...] = ()
    ended: bool = False
    judged: ChatJudged | None = None
    failed: ChatFailed | None = None

    @property
    def said(self) -> list[Utterance]:
        """The utterances."""
        return [event for event in self.events if isinstance(event, Utterance)]

    @property
    def over(self) -> bool:
        """True if nothing more is said."""
        return self.ended or self.judged is not None or self.failed is not None


class BotKind(DocumentKind):
    """Work in which people talk with bots and rate them.

    Attributes:
        goals: The goals that people get; empty where they are drawn.
    """

    name = "bot"
    roles = (TESTER,)
    content = TalkGoal

    def __init__(self, scenarios: Scenarios, settings: Settings, stage: Stage) -> None:
        super().__init__(scenarios, settings, stage)
        for agent in stage.agents:
            AGENTS.module(agent.partition(":")[0])
        names = stage.tasks or settings.tasks
        self.schemas = {task.id: task for task in load_tasks(",".join(names))}
        for task in self.schemas.values():
            outside = task.environment is not None and bool(task.goals)
            if not (task.flow.complete or outside or (task.environment and stage.goals)):
                what = "has no flow with words of its own to serve, nor an environment and goals"
                raise UsageError(f"{task.id} {what}")
        self._hidden = stage.goals == NO_GOALS
        file = Path(stage.goals) if stage.goals and not self._hidden else None
        self.goals = given_goals(file, self.schemas, settings.seed)

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield each goal once for each bot; the first bot changes from goal to goal."""
        tasks, agents = list(self.schemas.values()), self._stage.agents
        goals = LiveGoals(self.schemas, self._settings.seed, self.goals)
        numbers = dict.fromkeys(self.schemas, 0)
        for turn in range(-(-self._settings.scenarios // len(agents))):
            task = tasks[turn % len(tasks)]
            number = numbers[task.id]
            numbers[task.id] += 1
            goal = None if self._hidden else goals.goal(task.id, number)
            text = "" if goal is None else goal.seat(0).instructions
            for place in range(len(agents)):
                agent = agents[(turn + place) % len(agents)]
                talk = TalkGoal(task.id, number, agent, about(task), text)
                yield msgspec.to_builtins(talk), (task.id, number)

    def traits(self, content: Any) -> dict[str, Any]:
        """Return task, bot and language: links may ask for a task; bots are given out evenly."""
        talk = self.read(content)
        language = self.schemas[talk.task].language
        return {"group": talk.task, "variant": talk.agent, "language": language}

    def page(self, item: TalkGoal) -> Data:
        """Return the person's goal for the page, without the name of the bot."""
        language = self.schemas[item.task].language
        asks = [question.shown for question in self._settings.asks(self._stage, language)]
        return {"task": item.task, "about": item.about, "goal": item.text, "asks": asks}

    def begin(self, item: WorkItem, stage: Stage) -> BotWork:
        """Return the state of a unit that is opened for a goal."""
        return BotWork(self.given(item), self._settings.times, keep=self._settings.open)

    def of(self, work: DocumentWork, role: Role) -> Data:
        """Return the page as JSON data; a caller that changes it has to copy it."""
        page = super().of(work, role)
        if isinstance(work, BotWork):
            talking, failed = not work.talk.over, work.talk.failed is not None
            yours = page["your_turn"] and talking and work.awaited is None
            page |= {"your_turn": yours, "turn": role if yours else None}
            page |= {"talking": talking, "failed": failed}
        return page

    def author(self, body: Body, role: Role) -> str:
        """Return the author of a record."""
        if isinstance(body, Event):
            return role if body.agent == USER else body.agent
        ours = isinstance(body, ChatJudged | ChatFailed)
        return SERVER if ours else super().author(body, role)

    def decide(
        self,
        work: DocumentWork,
        role: Role,
        message: MessageBody,
        now: int,
        ranked: Sequence[Candidate] | None = None,
    ) -> tuple[Body, ...]:
        """Return the bodies of the records that a message makes; nothing is changed."""
        if isinstance(work, BotWork) and not work.over:
            if isinstance(message, Say):
                work.check_turn()
                return (Utterance(agent=USER, text=cleaned(message.text)),)
            if isinstance(message, Accomplish):
                work.check_turn()
                if not work.talk.events:
                    raise Refused("not_yet", "nothing was said yet", why="turns")
                return (Completion(agent=USER),)
            if isinstance(message, Save) and "." in message.part:
                question = question_of(self._stage.asks, message.part)
                work.check_rated(
                    message.part.partition(".")[2], question.about if question else SYSTEM
                )
        return super().decide(work, role, message, now, ranked)

    def checked(self, item: TalkGoal, part: str, value: Any) -> Any:
        """Return the value of a rating or comment to be stored."""
        question = question_of(self._stage.asks, part)
        if question is not None:
            return checked(question, value)
        if part == "rating":
            right = type(value) is int and value in RATINGS
        elif part == REACHED or part.startswith(GOOD):
            right = isinstance(value, bool)
        elif part == "comment" and isinstance(value, str):
            return cleaned(value)
        else:
            raise Refused("unknown", f"there is no part {clip(part)!r}")
        if not right:
            raise Refused("bad_value", "a rating is from 1 to 5, all else yes or no", field=part)
        return value

    def problems(self, item: TalkGoal, document: Mapping[str, Any]) -> list[Data]:
        """Return what is missing: the end or outcome of the talk, or a rating."""
        talk: Talk = document[TALK]
        if talk.failed is not None:
            return []
        if talk.judged is None:
            return [{"code": "judging" if talk.ended else "talking", "part": None}]
        own = unanswered(self._stage.asks, document, [utterance.agent for utterance in talk.said])
        parts = () if self._settings.open else ("rating", REACHED, *own)
        return [{"code": "unrated", "part": part} for part in parts if part not in document]

    def outcome(self, document: Mapping[str, Any]) -> Data | None:
        """Return what the database shows, for the last page of an open study."""
        talk = msgspec.convert(document[TALK], Talk)
        return shown_verdict(talk.judged) if self._settings.open and talk.judged else None

    def dialogues(self, item: TalkGoal, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield each result's talk as a dialogue with its ratings and the name of the bot."""
        language = foreign(self.schemas[item.task].language, self._settings.language)
        for result in results:
            parts = result.document
            talk = msgspec.convert(parts[TALK], Talk)
            items = self._stage.asks if talk.failed is None else ()
            events = with_answers(talk.events, items, parts, f"{RATERS}{result.worker}")
            name, ended = f"dlg-{result.unit}", (talk.judged, talk.failed)
            dialogue = chat_dialogue(name, item.task, events, parts, *ended)
            own = (Answer(USER, each.id, parts[each.name]) for each in items if each.name in parts)
            yield replace(
                dialogue,
                answers=(*dialogue.answers, *own),
                workers={USER: result.worker},
                batch=result.batch,
                extra={**dialogue.extra, SYSTEM_NAME: item.agent, **language},
            )


def ready(name: str, tasks: Iterable[str]) -> Agent:
    """Return a prepared agent, which may take a while; `UsageError` if it reads dialogue acts."""
    agent = AGENTS.made(name)
    if agent.reads_acts:
        what = "it reads what simulated users mean; people do not say"
        raise UsageError(f"--agent {name}: {what}")
    agent.ready(tasks)
    return agent


class BotWork(DocumentWork):
    """The state of a talk and its ratings.

    Args:
        keep: Whether the result has a talk that was not submitted.

    Attributes:
        turns: Client id of a person's message to the index of its utterance in the talk.
    """

    def __init__(self, item: TalkGoal, times: Times, *, keep: bool = False) -> None:
        super().__init__(item, times)
        self.talk = Talk()
        self.turns: dict[str, int] = {}
        self._keep = keep
        self.document[TALK] = self.talk

    @property
    def awaited(self) -> Literal["reply", "verdict"] | None:
        """The server's next task: the bot's reply, or the outcome after the talk; None for none."""
        if self.over or (self.talk.judged or self.talk.failed) is not None:
            return None
        if self.talk.ended:
            return "verdict"
        turns = self.talk.said
        return "reply" if turns and turns[-1].agent == USER else None

    def apply(self, record: Record) -> None:
        """Update the state with the next record."""
        super().apply(record)
        body, talk = record.body, self.talk
        if record.client and isinstance(body, Utterance):
            self.turns[record.client] = len(talk.events)
        if isinstance(body, Completion):
            talk = replace(talk, ended=True)
        elif isinstance(body, Event):
            talk = replace(talk, events=(*talk.events, replace(body, time=record.time)))
        elif isinstance(body, ChatJudged):
            talk = replace(talk, judged=body)
        elif isinstance(body, ChatFailed):
            talk = replace(talk, failed=body)
            self.faults.note(record.seq, f"the bot {self.given.agent} failed: {body.what}")
        self.talk = self.document[TALK] = talk

    def shown(self, record: Record) -> tuple[str, Data] | None:
        """Return the kind and the fields of a record's event; the person sees no queries."""
        match record.body:
            case Utterance(agent=agent, text=text):
                return "say", {"from": USER_ROLE if agent == USER else WIZARD_ROLE, "text": text}
            case Completion():
                return "accomplished", {}
            case Query() | ResultEvent() | ChatJudged() | ChatFailed():
                return None
        return super().shown(record)

    def close(self, outcome: str) -> Closed:
        """Return the body of the last record; the goal of a failed bot is given out again."""
        closed = super().close(outcome)
        if closed.result is None and not (self._keep and self.talk.events):
            return closed
        ended = outcome if self.talk.failed is None else NO_RESULT
        result = {**self.document, TALK: msgspec.to_builtins(self.talk)}
        return replace(closed, outcome=ended, result=result)

    def check_turn(self) -> None:
        """Raise `Refused` (`not_now`, `not_your_turn`) unless it is the person's turn."""
        if self.talk.over:
            raise Refused("not_now", "the talk is over")
        if self.awaited is not None:
            raise Refused("not_your_turn", "the assistant has not answered yet")

    def check_rated(self, place: str, speaker: str) -> None:
        """Raise `Refused` (`unknown`) unless `place` is the index of an utterance of a speaker."""
        turns = self.talk.said
        at = index_of(place, len(turns))
        if at is None or turns[at].agent != speaker:
            raise Refused("unknown", f"the {speaker} said nothing there")


def shown_verdict(judged: ChatJudged) -> Data:
    """Return a verdict for the person: whether the goal was reached, and rows of the database."""
    verdict = judged.verdict
    goal = judged.scenario.get("goal") or {}
    return {
        "reached": None if judged.outcome is None else verdict.get("reached"),
        "unreported": [each["name"] for each in verdict.get("unreported", ())],
        "changes": list(spelled_rows(verdict.get("changes", {}))),
        "wanted": list(spelled_rows(goal.get("effects", {}))),
    }


def about(task: TaskSchema) -> str:
    """Return a text on what can be done with a task: its text for users, or its description."""
    return task.texts.get("user") or task.description or " ".join(split_name(task.id))
