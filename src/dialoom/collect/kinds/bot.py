"""Talks with a bot: one person has a goal, talks with an agent that plays the system, and rates it.

    {"good.3": true, "rating": 4, "reached": true, "comment": "It was quick."}

are the parts that the person saves: whether what the bot said in the third event of the talk was
good, and how the dialogue was as a whole. Of several bots each goal has an item, nobody is told
which one they talk with, and everybody gets the bots they had less often first. The part `talk` is
kept by the server: the events, and what the database says of their end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from dialoom.collect.item import WorkItem
from dialoom.collect.kinds.document.kind import DocumentKind, DocumentView
from dialoom.collect.kinds.document.messages import Save
from dialoom.collect.kinds.document.work import DocumentEvents, DocumentWork
from dialoom.collect.kinds.grades import SYSTEM_NAME
from dialoom.collect.kinds.rated_chat import REACHED, chat_dialogue
from dialoom.collect.kinds.room.dialogue import foreign
from dialoom.collect.kinds.room.messages import Accomplish, Say
from dialoom.collect.log.chat import ChatJudged, ChatRated
from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Body, Closed, Place, Record
from dialoom.collect.message import MessageBody, Refused, cleaned
from dialoom.collect.settings import Settings, Stage, Times
from dialoom.collect.unit import Data, Result, Scenarios
from dialoom.dialogue import USER, Candidate, Completion, Dialogue, Event, Query, Utterance
from dialoom.dialogue import Result as ResultEvent
from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError, clip
from dialoom.play.agents.base import AGENTS
from dialoom.play.running.live import LiveGoals
from dialoom.schema.lexicon import split_name
from dialoom.schema.task import TaskSchema
from dialoom.sim.presets.star import load_tasks

TESTER: Place = "tester"

TALK = "talk"
"""The part that has what was said."""

GOOD = "good."
"""Begins the part of a turn's rating; the number of its event follows."""

RATINGS = range(1, 6)


class TalkGoal(Struct, frozen=True):
    """What somebody talks with a bot about.

    Attributes:
        task: The task.
        goal: The number of the goal.
        agent: The bot, as `dialoom play --agent` names it.
        about: What can be done with the task.
        told: The person's goal.
    """

    task: str
    goal: int
    agent: str
    about: str
    told: str


class Talk(Struct, frozen=True):
    """What was said and called, and what it came to.

    Attributes:
        events: What happened; times are ms since 1970.
        ended: Whether the person has finished talking.
        judged: What the database says; None while it was not asked.
    """

    events: tuple[Event, ...] = ()
    ended: bool = False
    judged: ChatJudged | None = None


class BotKind(DocumentKind):
    """Talks with bots about tasks, and ratings of them."""

    name = "bot"
    places = (TESTER,)

    def __init__(self, scenarios: Scenarios, settings: Settings, stage: Stage) -> None:
        super().__init__(settings, stage)
        for agent in stage.agents:
            AGENTS.module(agent.partition(":")[0])
        names = stage.tasks or settings.tasks
        self.schemas = {task.id: task for task in load_tasks(",".join(names))}
        for task in self.schemas.values():
            if not task.flow.complete:
                raise UsageError(f"{task.id} has no flow with words of its own to serve")

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield each goal once for each bot; which of them is first goes round."""
        tasks, agents = list(self.schemas.values()), self._stage.agents
        goals = LiveGoals(self.schemas, self._settings.seed)
        numbers = dict.fromkeys(self.schemas, 0)
        for turn in range(-(-self._settings.scenarios // len(agents))):
            task = tasks[turn % len(tasks)]
            number = goals.steady(task.id, numbers[task.id])
            numbers[task.id] = number + 1
            told = goals.goal(task.id, number).seat(0).told
            for place in range(len(agents)):
                agent = agents[(turn + place) % len(agents)]
                goal = TalkGoal(task.id, number, agent, about(task), told)
                yield msgspec.to_builtins(goal), (task.id, number)

    def variant(self, content: Any) -> str:
        """Return the bot."""
        return self.read(content).agent

    def language(self, content: Any) -> str:
        """Return the language of the task."""
        return self.schemas[self.read(content).task].language

    def read(self, content: Any) -> TalkGoal:
        """Return the goal of an item."""
        return msgspec.convert(content, TalkGoal)

    def page(self, given: TalkGoal) -> Data:
        """Return what somebody wants; not with whom they talk."""
        return {"task": given.task, "about": given.about, "goal": given.told}

    def begin(self, item: WorkItem, stage: Stage) -> BotWork:
        """Return the state of a unit that is opened for a goal."""
        return BotWork(self.given(item), self._settings.times)

    def view(self) -> BotView:
        """Return the page of a unit."""
        return BotView(self)

    def author(self, body: Body, place: Place) -> str:
        """Return the author of a record."""
        if isinstance(body, Event):
            return place if body.agent == USER else body.agent
        return "server" if isinstance(body, ChatJudged) else super().author(body, place)

    def decide(
        self,
        work: DocumentWork,
        place: Place,
        message: MessageBody,
        now: int,
        ranked: Sequence[Candidate] | None = None,
    ) -> tuple[Body, ...]:
        """Return the bodies of the records that a message makes; nothing is changed.

        Raises:
            Refused: It cannot be done.
        """
        if isinstance(work, BotWork) and not work.over:
            if isinstance(message, Say):
                work.check_turn()
                return (Utterance(agent=USER, text=cleaned(message.text)),)
            if isinstance(message, Accomplish):
                work.check_turn()
                if not work.talk.events:
                    raise Refused("not_yet", "nothing was said yet", why="turns")
                return (Completion(agent=USER),)
            if isinstance(message, Save) and message.part.startswith(GOOD):
                work.check_rated(message.part.removeprefix(GOOD))
        return super().decide(work, place, message, now, ranked)

    def checked(self, given: TalkGoal, part: str, value: Any) -> Any:
        """Return a rating as it is kept.

        Raises:
            Refused: It is none.
        """
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

    def problems(self, given: TalkGoal, document: Mapping[str, Any]) -> list[Data]:
        """Return what is lacking: the end of the talk, and the ratings of it."""
        talk: Talk = document[TALK]
        if talk.judged is None:
            return [{"code": "judging" if talk.ended else "talking", "part": None}]
        wanted = ("rating", REACHED)
        return [{"code": "unrated", "part": part} for part in wanted if part not in document]

    def dialogues(self, given: TalkGoal, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield the talk with its ratings, and the name of the bot."""
        language = foreign(self.schemas[given.task].language, self._settings.language)
        for result in results:
            made = result.document
            talk = msgspec.convert(made[TALK], Talk)
            places = [at for at, each in enumerate(talk.events) if isinstance(each, Utterance)]
            good = {
                places[int(part.removeprefix(GOOD))]: value
                for part, value in made.items()
                if part.startswith(GOOD)
            }
            rated = ChatRated(
                rating=made["rating"], reached=made[REACHED], comment=made.get("comment")
            )
            name = f"dlg-{result.unit}"
            dialogue = chat_dialogue(name, given.task, talk.events, good, rated, talk.judged)
            yield replace(
                dialogue,
                workers={USER: result.worker},
                batch=result.batch,
                extra={**dialogue.extra, SYSTEM_NAME: given.agent, **language},
            )


class BotWork(DocumentWork):
    """The state of a talk and its ratings.

    Attributes:
        talk: What was said and called so far.
    """

    def __init__(self, given: TalkGoal, times: Times) -> None:
        super().__init__(given, times)
        self.talk = Talk()
        self.document[TALK] = self.talk
        self.events = BotEvents()

    @property
    def awaited(self) -> Literal["reply", "verdict"] | None:
        """What the server has to bring."""
        if self.over or self.talk.judged is not None:
            return None
        if self.talk.ended:
            return "verdict"
        said = [event for event in self.talk.events if isinstance(event, Utterance)]
        return "reply" if said and said[-1].agent == USER else None

    def apply(self, record: Record) -> None:
        """Take in the next record."""
        super().apply(record)
        body, talk = record.body, self.talk
        if isinstance(body, Completion):
            talk = replace(talk, ended=True)
        elif isinstance(body, Event):
            talk = replace(talk, events=(*talk.events, replace(body, time=record.time)))
        elif isinstance(body, ChatJudged):
            talk = replace(talk, judged=body)
        self.talk = self.document[TALK] = talk

    def close(self, outcome: str) -> Closed:
        """Return the last record; with the talk and its ratings where it is complete."""
        closed = super().close(outcome)
        if closed.result is None:
            return closed
        return replace(closed, result={**self.document, TALK: msgspec.to_builtins(self.talk)})

    def check_turn(self) -> None:
        """Check that the person may speak.

        Raises:
            Refused: `not_now`: the talk is over; `not_your_turn`: the bot has not answered.
        """
        if self.talk.ended or self.talk.judged is not None:
            raise Refused("not_now", "the talk is over")
        if self.awaited is not None:
            raise Refused("not_your_turn", "the assistant has not answered yet")

    def check_rated(self, place: str) -> None:
        """Check that a bot's utterance is rated; `place` is its place among all.

        Raises:
            Refused: `unknown`: it is none.
        """
        said = [event for event in self.talk.events if isinstance(event, Utterance)]
        known = place.isascii() and place.isdecimal() and int(place) < len(said)
        if not known or said[int(place)].agent == USER:
            raise Refused("unknown", "the assistant said nothing there")


class BotEvents(DocumentEvents):
    """What somebody sees of a talk: what was said, and what they saved."""

    def add(self, record: Record) -> None:
        """Take in the next record; what a bot looks up is not seen."""
        if not isinstance(record.body, Query | ResultEvent | ChatJudged):
            super().add(record)

    def shown(self, record: Record) -> tuple[str, Data]:
        """Return the kind of a record's event, and what it holds."""
        match record.body:
            case Utterance(agent=agent, text=text):
                return "say", {"from": USER_ROLE if agent == USER else WIZARD_ROLE, "text": text}
            case Completion():
                return "accomplished", {}
        return super().shown(record)


class BotView(DocumentView):
    """The page of a talk."""

    def of(self, work: DocumentWork, place: Place) -> Data:
        """Return the page; whoever adds to it takes a copy."""
        shown = super().of(work, place)
        if isinstance(work, BotWork):
            talking = not work.talk.ended and work.talk.judged is None
            yours = shown["your_turn"] and talking and work.awaited is None
            shown |= {"your_turn": yours, "turn": place if yours else None, "talking": talking}
        return shown


def about(task: TaskSchema) -> str:
    """Return what a person can do with a task, in its own words where it has any for them."""
    return task.texts.get("user") or task.description or " ".join(split_name(task.id))
