"""The models `openai` and `transformers`, which answer questions by the prompts in `kinds`.

An answer that cannot be read is asked for once more, with what is wrong; then it is unreadable: a
wrong answer, and named so in the result. A server that fails ends the run.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import metadata
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from dialoom.corpus.files import read_bytes, write_atomic
from dialoom.dialogue import AnswerRecord, Prediction, Question, Realise, digest
from dialoom.dialogue.event_lines import describe_act
from dialoom.errors import UsageError
from dialoom.http.chat import TOP, ChatClient, Message
from dialoom.http.completions import ChatToken
from dialoom.http.failure import NoAnswerError
from dialoom.http.local import ChatModel, LocalModel, check_installed
from dialoom.http.metering import Budget, Meter, WireLimits, read_prices
from dialoom.http.settings import read_settings
from dialoom.learn.code_digest import NEURAL
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, Unlearnt
from dialoom.models.history import text
from dialoom.models.lm.kinds import PROMPTS
from dialoom.models.lm.kinds.choosing import OptionPrompt
from dialoom.models.lm.prompt import Inventory, Prompt, UnreadableError

REFUSED = frozenset({400, 422, 501})
"""HTTP statuses by which servers refuse fields of a request that they lack."""

TRIES = 2
"""The most requests for an answer: the second one repairs the first."""

REPAIR = "That cannot be used: {what}. {form}"

CUT = "the answer was cut off at the limit of tokens"

FOLDER = "language-model"
"""The folder of kept answers within the folder of a run's answers."""


class KeptReply(msgspec.Struct, frozen=True):
    """An answer of a model: its text, its tokens if asked for, and how many tokens it took.

    `cut` is True if the limit of tokens cut it off.
    """

    text: str
    tokens: list[ChatToken] | None
    read: int
    written: int
    cut: bool = False


class Asker:
    """Asks a language model.

    `name` is its name and address, by which answers are kept in `folder` (None: not kept). `budget`
    has the limits, settings and prices of requests; the model draws by `seed`, unless the settings
    have one.
    """

    def __init__(
        self, model: ChatModel, name: str, budget: Budget, seed: int, folder: Path | None
    ) -> None:
        self._model, self._budget, settings = model, budget, Meter(budget).settings
        self._seed = {} if "seed" in settings.asked else {"seed": {"seed": seed}}
        about = {"headers": settings.headers, "query": settings.query}
        self._about = (name, settings.asked | {k: v for k, v in about.items() if v}, seed)
        self._folder = None if folder is None else folder / FOLDER
        self._refused: set[str] = set()

    def answer(
        self, question: Question[Any], prompt: Prompt, messages: list[Message]
    ) -> Prediction[Any]:
        """Return the answer to a question; it is asked again if the answer cannot be read.

        `NoAnswerError` if the server fails.
        """
        replies: list[KeptReply] = []
        prediction, what = None, ""
        while prediction is None and len(replies) < TRIES:
            reply = self._ask(question, prompt, messages)
            replies.append(reply)
            try:
                prediction = prompt.predicted(question, reply.text, reply.tokens)
            except UnreadableError as error:
                what = CUT if reply.cut else str(error)
            repair = REPAIR.format(what=what, form=prompt.form)
            echo = [{"role": "assistant", "content": reply.text}] if reply.text else []
            messages = [*messages, *echo, {"role": "user", "content": repair}]
        read, written = sum(r.read for r in replies), sum(r.written for r in replies)
        record = AnswerRecord(len(replies), read, written, "" if prediction else what)
        return replace(prediction or Prediction(prompt.unreadable(question)), record=record)

    def _ask(self, question: Question[Any], prompt: Prompt, messages: list[Message]) -> KeptReply:
        file = None
        if self._folder is not None:
            file = self._folder / f"{digest((*self._about, messages))}.json"
            if file.exists():
                return msgspec.json.decode(read_bytes(file), type=KeptReply)
        options: dict[str, dict[str, Any]] = {}
        if isinstance(prompt, OptionPrompt):
            options["logprobs"] = {"logprobs": True, "top_logprobs": TOP}
        options["format"] = {"response_format": prompt.response_format(question)}
        reply = self._complete(messages, options | self._seed)
        if file is not None:
            write_atomic(file, msgspec.json.encode(reply))
        return reply

    def _complete(self, messages: list[Message], options: dict[str, dict[str, Any]]) -> KeptReply:
        """Ask with as many of the wanted fields as the server takes."""
        names = [name for name in options if name not in self._refused]
        tries = (omissions for n in range(len(names) + 1) for omissions in combinations(names, n))
        while True:
            omissions, meter, fields = next(tries), Meter(self._budget), dict[str, Any]()
            for name in names:
                fields |= options[name] if name not in omissions else {}
            try:
                reply = self._model.complete(messages, [], meter, fields)
            except NoAnswerError as error:
                if error.status not in REFUSED or len(omissions) == len(names):
                    raise
                continue
            self._refused.update(omissions)
            spent = meter.spent
            return KeptReply(reply.said, reply.tokens, spent.read, spent.written, reply.cut)


BATCH = 64
"""How many questions are compared with the examples at a time."""


@dataclass
class PromptedModel(ABC):
    """Base of language models that answer by prompts.

    Attributes:
        shots: How many examples of training a prompt has, the most similar ones.
        seed: The seed that the model draws by.
        request: Settings of requests, such as `temperature=0.7,max_tokens=300`, or a YAML file.
        prices: The prices of a million tokens read and written, such as `0.5,1.5`.
        timeout: The most seconds that an answer may take.
        workers: How many questions are asked at a time.
    """

    name: ClassVar[str]
    kinds: ClassVar[Kinds] = tuple(PROMPTS)
    unsigned: ClassVar[frozenset[str]] = frozenset({"prices", "timeout", "workers"})
    shots: Annotated[int, Meta(ge=0, le=100)] = 0
    seed: Seed = 0
    request: str = ""
    prices: str = ""
    timeout: Annotated[float, Meta(gt=0, le=3600)] = 60.0
    workers: Annotated[int, Meta(ge=1, le=256)] = 8
    _given: Examples = field(default=(), init=False, repr=False)
    _inventory: Inventory = field(default_factory=Inventory, init=False, repr=False)
    _learnt: Schemas = field(default_factory=dict, init=False, repr=False)
    _folder: Path | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        settings = {"agent": read_settings(self.request or None, "-M request")}
        prices = read_prices(self.prices or None, "-M prices")
        self._budget = Budget(WireLimits(timeout=self.timeout, prices=prices, settings=settings))

    def __getstate__(self) -> Any:
        """Refuse to be saved."""
        raise UsageError(
            f"{self.name} is not fine-tuned: name it to bench, or train lm:FOLDER",
            code="not-fitted",
        )

    @property
    def signature(self) -> dict[str, str]:
        """The version of the prompts, and of settings of requests, which may be in a file."""
        settings = self._budget.limits.settings["agent"]
        request = {"request": digest(settings)[:8]} if self.request else {}
        return {"prompts": prompts_version(), **request}

    @abstractmethod
    def connect(self) -> tuple[ChatModel, str]:
        """Return the model to ask, and the name by which its answers are kept."""

    def keep_in(self, folder: Path) -> None:
        """Keep each answer in a folder."""
        self._folder = folder

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Take the examples that prompts may show."""
        self._given, self._learnt, self._inventory = examples, schemas, Inventory(examples)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[Any]]:
        """Ask the questions, several at a time; the first failure ends those not yet asked.

        `NoAnswerError` if the server fails, or the local model cannot be read.
        """
        model, name = self.connect()
        asker = Asker(model, name, self._budget, self.seed, self._folder)

        def answer(question: Question[Any], examples: Examples) -> Prediction[Any]:
            return asker.answer(question, *self.chat(question, examples, schemas))

        examples = self.similar(questions)
        pool = ThreadPoolExecutor(self.workers)
        try:
            waiting = [pool.submit(answer, question, next(examples)) for question in questions]
            for each in wait(waiting, return_when=FIRST_EXCEPTION).done:
                each.result()  # raises
            return [each.result() for each in waiting]
        finally:
            pool.shutdown(cancel_futures=True)

    def chat(
        self, question: Question[Any], examples: Examples, schemas: Schemas
    ) -> tuple[Prompt, list[Message]]:
        """Return the prompt of a question, and the messages that ask it after some examples."""
        make = PROMPTS[type(question.asked)]
        prompt, learnt = make(schemas, self._inventory), make(self._learnt, self._inventory)
        return prompt, prompt.messages(question, examples, learnt)

    def similar(self, questions: Questions) -> Iterator[Examples]:
        """Yield the most similar examples for each question, of other dialogues, best last."""
        from dialoom.learn.text import TfidfEncoder

        learnt = [_gist(example.question) for example in self._given] if self.shots else []
        encoder = TfidfEncoder()
        encoder.fit(learnt)
        for start in range(0, len(questions), BATCH):
            batch = [_gist(question) for question in questions[start : start + BATCH]]
            for number, row in enumerate(encoder.similarity(batch, learnt), start=start):
                examples: dict[int, Any] = {}
                for place in (-row).argsort(kind="stable"):
                    if len(examples) == self.shots:
                        break
                    example = self._given[place]
                    if example.question.dialogue is not questions[number].dialogue:
                        examples.setdefault(id(example.question.dialogue), example)
                yield [*examples.values()][::-1]


def _gist(question: Question[Any]) -> str:
    if isinstance(question.asked, Realise):
        return " ".join(describe_act(each.act) for each in question.asked.acts)
    return text(question)


@dataclass
class OpenAIModel(PromptedModel, Unlearnt):
    """Asks a model behind OpenAI's chat completions.

    Attributes:
        server: The model, an at sign and the address: `--model openai:NAME@URL`.
    """

    name: ClassVar[str] = "openai"
    named_by: ClassVar[str] = "server"
    server: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.client = ChatClient(self.server, "--model openai")
        self.client.web.ready()

    def connect(self) -> tuple[ChatModel, str]:
        """Return the client, and name and address of the model."""
        return self.client, self.server


@dataclass
class FolderModel(PromptedModel, ABC):
    """Base of language models of a folder that transformers reads.

    Attributes:
        folder: The folder, after the model's name and a colon.
    """

    named_by: ClassVar[str] = "folder"
    folder: str = ""

    @property
    def signature(self) -> dict[str, str]:
        """The versions of the prompts, of the weights, and of the libraries that ask them."""
        check_installed("a local language model")
        versions = {name: metadata.version(name) for name in NEURAL}
        return {**super().signature, "weights": weights_version(Path(self.folder)), **versions}


@dataclass
class TransformersModel(FolderModel, Unlearnt):
    """Asks a model of a folder, one question at a time: `--model transformers:FOLDER`."""

    name: ClassVar[str] = "transformers"

    def connect(self) -> tuple[ChatModel, str]:
        """Return the model of the folder, and the digest of its files."""
        return LocalModel(Path(self.folder)), weights_version(Path(self.folder))


@lru_cache(maxsize=1)
def prompts_version() -> str:
    """Return the digest of the files that make prompts and read answers."""
    return _digest(Path(__file__).parent.rglob("*.py"))


@lru_cache(maxsize=4)
def weights_version(folder: Path) -> str:
    """Return the digest of the files of a model."""
    return _digest(f for f in folder.glob("*") if f.suffix in (".json", ".safetensors", ".bin"))


def _digest(files: Iterable[Path]) -> str:
    checksum = hashlib.sha256()
    for file in sorted(files):
        with file.open("rb") as read:
            checksum.update(hashlib.file_digest(read, "sha256").digest())
    return checksum.hexdigest()[:8]
