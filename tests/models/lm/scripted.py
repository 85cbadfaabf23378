"""A language model whose server is a script in this process, and questions of every kind."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import msgspec

from dialoom.bench.core.protocol import Target
from dialoom.bench.protocols.frames_nlu import reading
from dialoom.bench.protocols.frames_tracking import targets
from dialoom.dialogue import Acts, FrameOf
from dialoom.models.lm.kinds import PROMPTS
from dialoom.models.lm.model import OpenAIModel
from dialoom.models.lm.prompt import Inventory
from dialoom.schema.task import TaskSchema
from tests.bench import frames_sample
from tests.bench.test_visibility import SCHEMAS, cases

Request = dict[str, Any]

SERVER = "small@http://model.test/v1"


def says(text: str, **choice: Any) -> httpx.Response:
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    found = {"choices": [{"message": {"content": text}, **choice}], "usage": usage}
    return httpx.Response(200, json=found)


def model(answer: Callable[[Request], httpx.Response], **settings: Any) -> OpenAIModel:
    """Return a model whose requests a function answers; it asks one question at a time."""
    found = OpenAIModel(server=SERVER, **{"workers": 1, **settings})
    web = found.client.web
    web.transport = httpx.MockTransport(lambda request: answer(json.loads(request.content)))
    web.waits = (0.0,)
    return found


def asked() -> dict[str, list[Target]]:
    """Return questions of every kind by its name; of acts, also those with frames."""
    found: dict[str, list[Target]] = {}
    for kind, _, pairs in cases():
        found.setdefault(kind.__name__, [target for _, target in pairs])
    framed = list(targets(frames_sample.trip(0, "A")))
    found[FrameOf.__name__] = framed
    found[Acts.__name__] = [reading(target, frames=False) for target in framed]
    found["framed"] = [reading(target, frames=True) for target in framed]
    return found


TASKS: dict[str, TaskSchema] = SCHEMAS

QUESTIONS_OF_ACTION: list[Target] = asked()["NextAction"]


def right(target: Target, question: Any, inventory: Inventory) -> str:
    """Return the right answer as a model writes it."""
    prompt = PROMPTS[type(target.asked)](TASKS, inventory)
    return msgspec.json.encode({"answer": prompt.write(question, target.gold)}).decode()
