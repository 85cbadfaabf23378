"""A tiny model, and tiny dialogues laid out as STAR's are, for the benchmark's own tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, cast

import msgspec

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.data import open_data
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.protocol import Data, Plan, Protocol, Target
from dialoom.bench.core.results import Result as BenchResult
from dialoom.bench.core.results import summarise
from dialoom.bench.core.run import run
from dialoom.corpus import Corpus
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Capability,
    Constraint,
    Dialogue,
    Event,
    Example,
    Instruction,
    Layer,
    NextAction,
    Options,
    Part,
    Prediction,
    Query,
    Question,
    Result,
    Scenario,
    Selection,
    Utterance,
)
from dialoom.formats.star.importing import to_schema
from dialoom.learn.model import Kinds
from dialoom.schema.source import StarSource, StarView
from dialoom.schema.task import TaskSchema


@dataclass
class Frequency:
    """Answers with the commonest label after the same kind of event; ranks all labels."""

    name: ClassVar[str] = "frequency"
    kinds: ClassVar[Kinds] = (NextAction,)
    seed: int = 0
    without: tuple[str, ...] = ()
    counts: dict[str, Counter[str]] = field(default_factory=dict, init=False)

    @staticmethod
    def variants() -> list[dict[str, Any]]:
        return [{}, {"without": ("history",)}]

    def fit(self, examples: Sequence[Example[Any, str]], schemas: Mapping[str, TaskSchema]) -> None:
        self.counts = {}
        for example in examples:
            kind = self._kind(example.question)
            self.counts.setdefault(kind, Counter())[example.answer] += 1

    def predict(
        self, questions: Sequence[Question[Any]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[str]]:
        everything = sum(self.counts.values(), Counter())
        answers = []
        for question in questions:
            counts = self.counts.get(self._kind(question), everything)
            order = sorted(counts, key=lambda label: (-counts[label], label))
            ranking = tuple((label, float(counts[label])) for label in order)
            answers.append(Prediction(order[0] if order else "none", ranking))
        return answers

    def _kind(self, question: Question[Any]) -> str:
        if "history" in self.without or not question.history:
            return ""
        return type(question.history[-1]).__name__


def reply(label: str, text: str = "Well then.") -> Utterance:
    return Utterance(agent=SYSTEM, text=text, layers=(Layer(GOLD, (Part(acts=(Act(label),)),)),))


def user(text: str = "Please.") -> Utterance:
    return Utterance(agent=USER, text=text)


def query(kind: str | None = None) -> Query:
    constraints = (Constraint("RequestType", "equal", (kind,)),) if kind else ()
    return Query(id="q", api="table", constraints=constraints)


def events(*labels: str) -> tuple[Event, ...]:
    """Return a wizard's session as STAR logs it: what they typed stands before each reply."""
    log: list[Event] = [Instruction(text="Ask for a table. [instruction 1 of 1]"), user()]
    for label in labels:
        if label == "query":
            log += [query(), Result(query="q", items=({"Name": "Blue Door"},))]
        else:
            log += [Options(text=f"typed for {label}"), reply(label), user()]
    return tuple(log)


def dialogue(
    number: int | str,
    *labels: str,
    task: str,
    domain: str | None,
    happy: bool = True,
    multi: bool = False,
    outcome: str = "Complete",
    log: tuple[Event, ...] | None = None,
) -> Dialogue:
    return Dialogue(
        id=str(number),
        events=events(*labels) if log is None else log,
        scenario=Scenario(
            domains=(domain,),
            capabilities=(Capability(task, domain),),
            user_task="Get a table.",
            happy=happy,
            multi_task=multi,
        ),
        outcome=outcome,
        workers={USER: "u1"},
    )


def switch(task: str) -> Selection:
    return Selection(kind="task", task=task)


WAY = StarView(
    edges={"user_hello": "weather_ask", "user_city": "query"}, reverse={"user_city": "weather_ask"}
)

SCHEMAS = {
    "weather": to_schema(
        "weather",
        None,
        {"hello": "Hello.", "weather_ask": "Where?", "query": "Query"},
        StarSource(sam=WAY),
    ),
    "trivia": to_schema("trivia", None, {"trivia_ask": "Who was it?", "yes": "Yes"}, StarSource()),
}


PROTOCOL = (
    b'{"data": {"happy_dialogue_ids_with_scored_turns": [2, 3, 4]}, '
    b'"expected_test_turns": {"domain": {"weather": 3}}}'
)
"""The list of happy dialogues, laid out as SAM's protocol file is."""


class Memory:
    """A corpus that was never a file: as much of `Corpus` as protocols use."""

    format, digest = "star", "0123456789abcdef"
    files: tuple[Path, ...] = ()
    _format = None

    def __init__(self, path: Path, dialogues: Sequence[Dialogue]) -> None:
        self.path = self.root = path
        self.schemas = SCHEMAS
        self._dialogues = list(dialogues)

    def dialogues(self) -> Any:
        return iter(self._dialogues)


def memory(path: Path, *dialogues: Dialogue) -> Corpus:
    return cast(Corpus, Memory(path, dialogues))


def star(path: Path) -> Corpus:
    """Return a corpus with two domains, a leak into trivia, and one unhappy dialogue."""
    return memory(
        path,
        dialogue(12, "hello", "weather_ask", "query", task="weather", domain="weather"),
        dialogue(2, "hello", "query", "custom", task="weather", domain="weather"),
        dialogue(3, "hello", "trivia_ask", "trivia_ask", task="trivia", domain="trivia"),
        dialogue(4, "trivia_ask", task="trivia", domain=None, outcome="Disconnect"),
        dialogue(5, "hello", task="weather", domain="weather", happy=False),
    )


def staged(path: Path) -> Corpus:
    """Return `star`, another unhappy dialogue, and two dialogues of several tasks.

    The first domain of 7 is the weather's, of 8 trivia's; both have a task of the other too.
    """
    both = (Capability("weather", "weather"), Capability("trivia", "trivia"))
    log = (reply("hello"), switch("trivia"), reply("trivia_ask"), switch("weather"), query())
    several = [
        msgspec.structs.replace(
            dialogue(number, task="", domain=None, happy=False, multi=True, log=log),
            scenario=Scenario(
                domains=tuple(capability.domain for capability in capabilities),
                capabilities=capabilities,
                happy=False,
                multi_task=True,
            ),
        )
        for number, capabilities in ((7, both), (8, both[::-1]))
    ]
    sad = dialogue(6, "trivia_ask", task="trivia", domain="trivia", happy=False)
    elsewhere = dialogue(9, "hello", task="bank_balance", domain="bank", happy=False, multi=True)
    return memory(path, *star(path).dialogues(), sad, *several, elsewhere)


def three(path: Path) -> Corpus:
    """Return three domains: hotel is all greetings, weather and ride all queries."""
    return memory(
        path,
        dialogue(1, "hello", "hello", task="hotel_book", domain="hotel"),
        dialogue(2, "query", "query", task="weather", domain="weather"),
        dialogue(3, "query", "query", task="ride_book", domain="ride"),
        dialogue(4, "query", task="ride_book", domain=None),
    )


def plan(
    protocol: Protocol, corpus: Corpus, train_corpus: Corpus | None = None, **settings: Any
) -> Plan:
    return protocol.plan(Data(corpus, train_corpus), protocol.settings(**settings))


def planned(name: str, root: Path, *train: Path, split: str | None = None, **settings: Any) -> Plan:
    """Return the plan of a protocol, by its name, on corpora in folders."""
    protocol = PROTOCOLS.get(name)
    return protocol.plan(open_data(protocol, root, train, split), protocol.settings(**settings))


def measured(found: Plan, model: str) -> BenchResult:
    """Return the result of a model, by its name."""
    make = NamedModel(model, {})
    return summarise(found, run(found, make), make(), samples=2)


def two(path: Path) -> Corpus:
    """Return two domains with a query each."""
    return memory(
        path,
        dialogue(2, "query", task="weather", domain="weather"),
        dialogue(3, "hello", "query", task="trivia", domain="trivia"),
    )


def talk(number: int, *said: tuple[str, str], task: str, domain: str) -> Dialogue:
    """Return a dialogue of replies with their labels; without one it is the wizard's own words."""
    log: list[Event] = []
    for name, text in said:
        own = Utterance(agent=SYSTEM, text=text)
        log += [user(), reply(name, text) if name else own]
    return dialogue(number, task=task, domain=domain, log=tuple(log))


def ids(targets: list[Target]) -> list[str]:
    return list(dict.fromkeys(target.source for target in targets))
