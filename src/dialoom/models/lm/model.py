"""The models `openai` and `transformers`, which answer every kind of question by prompts.

    OpenAIModel(server="small@http://localhost:8000/v1", examples=4, workers=8)
    TransformersModel(folder="models/small")

An answer that cannot be read is asked for once more, with what is wrong; then it is unreadable: a
wrong answer, and named so in the result. A server that fails ends the run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from dialoom.dialogue import AnswerRecord, Prediction, Question
from dialoom.errors import UsageError
from dialoom.http.chat import ChatClient, ChatModel
from dialoom.http.local import LocalModel
from dialoom.http.metering import Budget, WireLimits, cost_of, read_prices
from dialoom.http.settings import read_settings
from dialoom.models.base import Examples, Kinds, Questions, Schemas, Seed, Unlearnt
from dialoom.models.lm.asking import Asker, KeptReplies, KeptReply
from dialoom.models.lm.kinds import PROMPTS
from dialoom.models.lm.options import OptionPrompt
from dialoom.models.lm.prompt import REPAIR, Inventory, Prompt, UnreadableError
from dialoom.models.lm.similar import SimilarExamples

TRIES = 2
"""The most requests for an answer: the second one repairs the first."""

AnswerOne = Callable[[Question[Any]], Prediction[Any]]


@dataclass
class PromptedModel(Unlearnt):
    """Base of language models that answer by prompts.

    Attributes:
        examples: How many examples of training a prompt has.
        seed: The seed that the model draws by.
        request: Settings of requests, such as `temperature=0.7,max_tokens=300`, or a YAML file.
        prices: The prices of a million tokens read and written, such as `0.5,1.5`.
        timeout: The most seconds that an answer may take.
        workers: How many questions are asked at a time.
    """

    kinds: ClassVar[Kinds] = tuple(PROMPTS)
    unsigned: ClassVar[frozenset[str]] = frozenset({"prices", "timeout", "workers"})
    examples: Annotated[int, Meta(ge=0, le=100)] = 0
    seed: Seed = 0
    request: str = ""
    prices: str = ""
    timeout: Annotated[float, Meta(gt=0, le=3600)] = 60.0
    workers: Annotated[int, Meta(ge=1, le=256)] = 8
    _given: Examples = field(default=(), init=False, repr=False)
    _learnt: Schemas = field(default_factory=dict, init=False, repr=False)
    _folder: Path | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        settings = read_settings(self.request or None, "-M request")
        self._prices = read_prices(self.prices or None, "-M prices")
        limits = WireLimits(timeout=self.timeout, settings={"agent": settings})
        self._budget = Budget(limits)

    def __getstate__(self) -> None:
        """Refuse to be saved.

        Raises:
            UsageError: Always.
        """
        raise UsageError("a language model learns nothing that a file could hold; name it to bench")

    @property
    def address(self) -> str:
        """What names the model."""
        raise NotImplementedError

    @property
    def signature(self) -> dict[str, str]:
        """What the answers depend on besides settings: the version of the prompts."""
        return {"prompts": prompts_version()}

    @cached_property
    def chat(self) -> ChatModel:
        """The model that is asked."""
        raise NotImplementedError

    def keep_in(self, folder: Path) -> None:
        """Keep each answer in a folder."""
        self._folder = folder

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Take the examples that prompts may show."""
        self._given, self._learnt = examples, schemas

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[Any]]:
        """Ask the questions, several at a time.

        Raises:
            NoAnswerError: The server fails, or the local model cannot be read.
        """
        inventory = Inventory()
        inventory.learn(self._given)
        fields = {"seed": self.seed}
        asker = Asker(self.chat, self.address, self._budget, fields, KeptReplies(self._folder))
        similar = SimilarExamples(self._given if self.examples else ())

        def answer(question: Question[Any]) -> Prediction[Any]:
            make = PROMPTS[type(question.asked)]
            prompt, learnt = make(schemas, inventory), make(self._learnt, inventory)
            shown = similar.most_like(question, self.examples)
            return self._answer(question, prompt, prompt.messages(question, shown, learnt), asker)

        return in_parallel(answer, questions, self.workers)

    def _answer(
        self, question: Question[Any], prompt: Prompt, messages: list[Any], asker: Asker
    ) -> Prediction[Any]:
        """Ask once, and once more if the answer cannot be read."""
        form, ranked = prompt.response_format(question), isinstance(prompt, OptionPrompt)
        replies: list[KeptReply] = []
        found, what = None, ""
        while found is None and len(replies) < TRIES:
            reply = asker.ask(messages, form, ranked=ranked)
            replies.append(reply)
            try:
                found = prompt.read(question, prompt.decoded(reply.text), reply.tokens)
            except UnreadableError as error:
                what = str(error)
            messages = [
                *messages,
                {"role": "assistant", "content": reply.text},
                {"role": "user", "content": REPAIR.format(what=what, form=prompt.form)},
            ]
        read, written = sum(r.read for r in replies), sum(r.written for r in replies)
        cost = cost_of(read, written, self._prices) if self._prices is not None else 0.0
        record = AnswerRecord(len(replies), read, written, round(cost, 9), "" if found else what)
        return replace(found or Prediction(prompt.unreadable(question)), record=record)


@dataclass
class OpenAIModel(PromptedModel):
    """Asks a model behind OpenAI's chat completions.

    Attributes:
        server: The model, an at sign and the address: `--model openai:NAME@URL`.
    """

    name: ClassVar[str] = "openai"
    named_by: ClassVar[str] = "server"
    server: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._client = ChatClient(self.server, "--model openai")
        self._client.web.ready()

    @property
    def address(self) -> str:
        """Name and address of the model."""
        return self.server

    @property
    def chat(self) -> ChatModel:
        """The server."""
        return self._client


@dataclass
class TransformersModel(PromptedModel):
    """Asks a model of a folder that transformers reads; questions are answered one by one.

    Attributes:
        folder: The folder: `--model transformers:FOLDER`.
    """

    name: ClassVar[str] = "transformers"
    named_by: ClassVar[str] = "folder"
    folder: str = ""

    @property
    def address(self) -> str:
        """The digest of the folder's weights and tokenizer."""
        return weights_version(Path(self.folder))

    @property
    def signature(self) -> dict[str, str]:
        """The versions of the prompts and of the weights."""
        return {**super().signature, "weights": self.address}

    @cached_property
    def chat(self) -> ChatModel:
        """The model of the folder."""
        return LocalModel(Path(self.folder))


def in_parallel(answer: AnswerOne, questions: Questions, workers: int) -> list[Prediction[Any]]:
    """Answer questions, several at a time; the first failure ends those that have not begun."""
    with ThreadPoolExecutor(workers) as pool:
        waiting = [pool.submit(answer, question) for question in questions]
        wait(waiting, return_when=FIRST_EXCEPTION)
        failed = next((each for each in waiting if each.done() and each.exception()), None)
        if failed is not None:
            pool.shutdown(cancel_futures=True)
            failed.result()
        return [each.result() for each in waiting]


@lru_cache(maxsize=1)
def prompts_version() -> str:
    """Return the digest of the files that make prompts and read answers."""
    return _digest(Path(__file__).parent.rglob("*.py"))


@lru_cache(maxsize=4)
def weights_version(folder: Path) -> str:
    """Return the digest of the files of a model."""
    return _digest(
        file for file in folder.iterdir() if file.suffix in (".json", ".safetensors", ".bin")
    )


def _digest(files: Any) -> str:
    found = hashlib.sha256()
    for file in sorted(files):
        with file.open("rb") as read:
            found.update(hashlib.file_digest(read, "sha256").digest())
    return found.hexdigest()[:8]
