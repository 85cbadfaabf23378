"""The STAR paper's reply models, GPT-2 and GPT-2 + schema, with a small network in place of GPT-2.

Mosig et al. 2020, section 5.3: a language model writes the reply after the history and, in GPT-2 +
schema, after the reply templates of the three actions that a model of next actions ranks highest.
For training, actions are ranked by models that were fitted on other dialogues (cross-fitting).

Reports name it as a replacement: a transformer of some million parameters with a copy mechanism,
trained from scratch, in place of GPT-2 with 124 million pretrained ones. With `weights`, it is the
pretrained causal language model of a folder instead.

    dialoom bench star-response --corpus corpora --model copy-transformer -M templates=0
    dialoom bench star-response --corpus corpora --model copy-transformer -M weights=gpt2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from msgspec import Meta

from dialoom.dialogue import Example, NextAction, NextReply, Prediction, Question
from dialoom.errors import UsageError
from dialoom.flow.action_view import ActionView, view_actions
from dialoom.http.local import check_installed
from dialoom.models.base import Kinds, Seed, known, need
from dialoom.models.follower import Follower
from dialoom.models.history import turns
from dialoom.models.neural.inputs import EVENTS
from dialoom.models.neural.writers import ReplyContext, Training, Writer
from dialoom.models.responder.picked import as_action, picked
from dialoom.schema.flow import CUSTOM, QUERIES
from dialoom.schema.task import TaskSchema, resolve

FOLDS = 2
"""Number of folds of training dialogues for cross-fitting the ranking of actions."""

Replies = Sequence[Example[NextReply, str]]
Asked = Sequence[Question[NextReply]]


@dataclass
class CopyTransformer:
    """The STAR paper's GPT-2 + schema, or its GPT-2, with a small copy transformer in its place.

    Attributes:
        templates: Number of actions whose reply templates are read; 0 for the paper's GPT-2.
        weights: A folder of a causal language model to fine-tune; None for the copy transformer.
        members: Number of models that the follower averages which ranks actions.
        pieces: Most tokens of the copy transformer's vocabulary.
        width: Dimensions of its token vectors.
        layers: Layers of its encoder, and of its decoder.
        heads: Attention heads of each of its layers.
        epochs: Passes over the examples.
        rate: The highest learning rate; about 5e-5 suits a language model.
        batch: Examples in a batch.
        length: Most tokens read of a history, its last ones.
        seed: The seed of weights, batches and the follower.
    """

    name: ClassVar[str] = "copy-transformer"
    kinds: ClassVar[Kinds] = (NextReply,)
    templates: Annotated[int, Meta(ge=0, le=100)] = 3
    weights: str | None = None
    members: Annotated[int, Meta(ge=1, le=1000)] = 1
    pieces: Annotated[int, Meta(ge=300, le=100_000)] = 4000
    width: Annotated[int, Meta(ge=8, le=4096)] = 128
    layers: Annotated[int, Meta(ge=1, le=48)] = 2
    heads: Annotated[int, Meta(ge=1, le=64)] = 4
    epochs: Annotated[int, Meta(ge=1, le=1000)] = 6
    rate: Annotated[float, Meta(gt=0, le=1)] = 1e-3
    batch: Annotated[int, Meta(ge=1, le=4096)] = 16
    length: Annotated[int, Meta(ge=8, le=4096)] = 128
    seed: Seed = 0
    _writer: Writer | None = field(default=None, init=False, repr=False)
    _ranker: Follower | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.width % self.heads:
            raise UsageError(f"width {self.width} should be a multiple of heads, {self.heads}")

    def settle(self) -> None:
        """Settle the follower that ranks actions, if there is one."""
        if self._ranker is not None:
            self._ranker.settle()

    def fit(self, examples: Replies, schemas: Mapping[str, TaskSchema]) -> None:
        """Train on examples.

        Raises:
            UsageError: There are none.
            MissingExtraError: torch or transformers is not installed.
            MissingDataError: The folder of `weights` has no config.json.
            FormatError: The folder does not hold weights of such a model.
        """
        need(examples)
        check_installed(f"the model {self.name}")
        writer = self._new_writer()
        sources = self._sources(
            [each.question for each in examples], self._learn_actions(examples, schemas), schemas
        )
        writer.fit(sources, [" ".join(each.answer.split()) for each in examples])
        self._writer = writer

    def _new_writer(self) -> Writer:
        """Return an untrained writer: a language model of `weights`, else a copy transformer."""
        training = Training(self.epochs, self.rate, self.batch, self.length, self.seed)
        if self.weights is not None:
            from dialoom.models.neural.language_model import LanguageModel

            return LanguageModel(self.weights, f"the model {self.name}", training)
        from dialoom.models.neural.copying import CopyWriter, Size

        return CopyWriter(Size(self.pieces, self.width, self.layers, self.heads), training)

    def predict(self, questions: Asked, schemas: Mapping[str, TaskSchema]) -> list[Prediction[str]]:
        """Answer each question with a text.

        Raises:
            UsageError: The model has not been fitted.
        """
        return [Prediction(t) for t in known(self._writer).write(self._asked(questions, schemas))]

    def log_likelihoods(
        self, questions: Asked, answers: list[str], schemas: Mapping[str, TaskSchema]
    ) -> list[float]:
        """Return the logarithm (nats) of the probability of an answer to each question."""
        return known(self._writer).log_likelihoods(self._asked(questions, schemas), answers)

    def _asked(self, questions: Asked, schemas: Mapping[str, TaskSchema]) -> list[ReplyContext]:
        """Return the inputs of the writer for questions to predict."""
        ranked: list[Prediction[str]] = []
        if self.templates:
            ranked = known(self._ranker).predict([as_action(q) for q in questions], schemas)
        return self._sources(questions, ranked, schemas)

    def _learn_actions(
        self, examples: Replies, schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[str]]:
        """Fit the ranker of actions; return rankings of the training questions by cross-fitting.

        With fewer dialogues than folds, these rankings are empty.
        """
        if not self.templates:
            return []
        tasks = _programs([each.question for each in examples], schemas)
        actions = []
        for example in examples:
            program = tasks[resolve(example.question.asked.task, schemas)]
            actions.append(Example(as_action(example.question), picked(example, program) or CUSTOM))
        numbers: dict[str, int] = {}
        folds = [
            numbers.setdefault(each.question.dialogue.id, len(numbers)) % FOLDS for each in examples
        ]
        ranked = [Prediction("")] * len(examples)
        for fold in sorted(set(folds)) if len(numbers) >= FOLDS else ():
            rest = [each for each, own in zip(actions, folds, strict=True) if own != fold]
            here = [number for number, own in enumerate(folds) if own == fold]
            found = self._fitted(rest, schemas).predict(
                [actions[number].question for number in here], schemas
            )
            for number, prediction in zip(here, found, strict=True):
                ranked[number] = prediction
        self._ranker = self._fitted(actions, schemas)
        return ranked

    def _fitted(
        self, actions: Sequence[Example[NextAction, str]], schemas: Mapping[str, TaskSchema]
    ) -> Follower:
        """Return a ranker of actions fitted on examples."""
        ranker = Follower(members=self.members, seed=self.seed)
        ranker.fit(actions, schemas)
        return ranker

    def _sources(
        self,
        questions: Asked,
        ranked: Sequence[Prediction[str]],
        schemas: Mapping[str, TaskSchema],
    ) -> list[ReplyContext]:
        """Return the inputs of the writer: histories, and templates of the top-ranked actions."""
        if not ranked:
            return [ReplyContext(turns(question, EVENTS)) for question in questions]
        tasks = _programs(questions, schemas)
        return [
            ReplyContext(
                turns(q, EVENTS), self._hints(tasks[resolve(q.asked.task, schemas)], prediction)
            )
            for q, prediction in zip(questions, ranked, strict=True)
        ]

    def _hints(self, program: ActionView, prediction: Prediction[str]) -> str:
        """Return the reply templates of the top-ranked actions as text; queries are skipped."""
        texts = (program.texts.get(a) for a, _ in prediction.ranking if a not in QUERIES)
        said = [text for text in texts if text]
        return "".join(f" template: {text}" for text in said[: self.templates])


def _programs(questions: Asked, schemas: Mapping[str, TaskSchema]) -> dict[str, ActionView]:
    """Return the compiled tasks that questions are about."""
    tasks = {resolve(question.asked.task, schemas) for question in questions}
    return {name: view_actions(schemas[name]) for name in sorted(tasks)}
