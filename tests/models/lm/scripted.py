"""A language model whose server is a script in this process, and questions of every kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from dialoom import formats
from dialoom.bench.core.protocol import Target
from dialoom.bench.protocols.frames_nlu import reading
from dialoom.bench.protocols.frames_tracking import targets
from dialoom.dialogue import USER, Acts, FrameOf, NextCalls, Utterance
from dialoom.metrics.calls import acceptable
from dialoom.models.lm.kinds import PROMPTS
from dialoom.models.lm.model import OpenAIModel
from dialoom.models.lm.prompt import Inventory
from dialoom.schema.task import TaskSchema
from tests.bench import frames_sample, tiny
from tests.bench.visible_cases import SCHEMAS, cases
from tests.play.running.served import Answer, Served

Request = dict[str, Any]

LAMPS = ({"name": "dim", "parameters": {}}, {"name": "report", "description": "Says it."})

SERVER = "small@http://model.test/v1"


def says(text: str, **choice: Any) -> httpx.Response:
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    body = {"choices": [{"message": {"content": text}, **choice}], "usage": usage}
    return httpx.Response(200, json=body)


def model(answer: Callable[[Request], httpx.Response], **settings: Any) -> OpenAIModel:
    """Return a model whose requests a function answers; it asks one question at a time."""
    learner = OpenAIModel(server=SERVER, **{"workers": 1, **settings})
    web = learner.client.web
    web.transport = httpx.MockTransport(lambda request: answer(json.loads(request.content)))
    web.waits = (0.0,)
    return learner


def asked() -> dict[str, list[Target]]:
    """Return questions of every kind by its name; of acts, also those with frames."""
    catalogue: dict[str, list[Target]] = {}
    for kind, _, pairs in cases():
        catalogue.setdefault(kind.__name__, [target for _, target in pairs])
    turns = (Utterance(agent=USER, text="Dim the lamps by 2."),)
    gold = tuple(acceptable({"dim": {"by": [2, 3]}, "report": {"lamps": [["a", "b"]], "to": [""]}}))
    catalogue[NextCalls.__name__] = [Target("lamps", 0, NextCalls(LAMPS), gold, turns, 1)]
    framed = list(targets(frames_sample.trip(0, "A")))
    catalogue[FrameOf.__name__] = framed
    catalogue[Acts.__name__] = [reading(target, frames=False) for target in framed]
    catalogue["framed"] = [reading(target, frames=True) for target in framed]
    return catalogue


TASKS: dict[str, TaskSchema] = SCHEMAS

QUESTIONS_OF_ACTION: list[Target] = asked()["NextAction"]


def right(target: Target, question: Any, inventory: Inventory) -> str:
    """Return the right answer as a model writes it."""
    prompt = PROMPTS[type(target.asked)](TASKS, inventory)
    return msgspec.json.encode({"answer": prompt.write(question, target.gold)}).decode()


GOOD = '{"answer": "A"}'


def body(text: str) -> Any:
    usage = {"prompt_tokens": 1000, "completion_tokens": 10}
    return {"choices": [{"message": {"content": text}}], "usage": usage}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "star"
    folder.mkdir(parents=True)
    formats.get("native").write(tiny.star(tmp_path).dialogues(), tiny.SCHEMAS, folder)
    return folder.parent


@pytest.fixture
def serve() -> Any:
    servers: list[Served] = []

    def begun(answer: Callable[[int, dict[str, Any]], Answer]) -> Served:
        servers.append(Served(answer))
        return servers[-1]

    yield begun
    for each in servers:
        each.close()
