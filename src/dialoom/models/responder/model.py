"""The responder: replies with the next action's template, filled with values of the dialogue.

A schema follower ranks the actions of the task, the templates of the likeliest ones are filled, and
the one with the fewest unfilled placeholders is said, the likeliest of equals. For an action
without a template (a custom reply), it says the reply of the most similar history of training. So
every reply is a template of the task's schema or a sentence of training.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from msgspec import Meta

from dialoom.dialogue import Example, NextAction, NextReply, Prediction, Question, Utterance
from dialoom.dialogue.views import label
from dialoom.flow.action_view import ActionView, view_actions
from dialoom.learn.kept import fitted
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.models.baselines import Nearest
from dialoom.models.follower import Follower
from dialoom.models.responder.filling import KnownValues, TemplateFiller
from dialoom.schema.flow import CUSTOM, QUERIES
from dialoom.schema.task import resolve
from dialoom.schema.template import parse


@dataclass
class Responder:
    """Replies with the next action's template, filled with values of the dialogue.

    Attributes:
        templates: Number of likeliest actions whose templates are filled.
        encoder: The follower's text encoder, by name.
        members: Number of models that the follower averages.
    """

    name: ClassVar[str] = "responder"
    kinds: ClassVar[Kinds] = (NextReply,)
    templates: Annotated[int, Meta(ge=1, le=100)] = 3
    encoder: str = "tfidf"
    members: Annotated[int, Meta(ge=1, le=1000)] = 3
    seed: Seed = 0
    _follower: Follower | None = field(default=None, init=False, repr=False)
    _filler: TemplateFiller = field(default_factory=TemplateFiller, init=False, repr=False)
    _own_words: Nearest | None = field(default=None, init=False, repr=False)

    def settle(self) -> None:
        """Settle the follower, before it is saved."""
        known(self._follower).settle()

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the follower on the actions of the replies, and learn how templates are filled."""
        need(examples)
        self._filler = TemplateFiller()
        actions, own = [], []
        programs = _programs([example.question for example in examples], schemas)
        for example, program in zip(examples, programs, strict=True):
            question = example.question
            action = picked(example, program)
            if action is None or action == CUSTOM:
                own.append(example)
            else:
                at_hand = KnownValues(question.history, program.task)
                self._filler.learn(program, action, at_hand, example.answer)
            if action is not None:
                actions.append(Example(as_action(question), action))
        follower = Follower(encoder=self.encoder, members=self.members, seed=self.seed)
        self._follower = fitted(follower, actions, schemas)
        self._own_words = Nearest()
        self._own_words.fit(own or examples, schemas)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Answer each question with a text; the ranking has the texts of all filled templates."""
        ranked = known(self._follower).predict([as_action(q) for q in questions], schemas)
        programs = _programs(questions, schemas)
        return [self._answer(*each) for each in zip(questions, ranked, programs, strict=True)]

    def _answer(
        self, question: Question[NextReply], prediction: Prediction[str], program: ActionView
    ) -> Prediction[str]:
        at_hand = KnownValues(question.history, program.task)
        replies = [(a, p) for a, p in prediction.ranking if a not in QUERIES][: self.templates]
        answers = []
        for place, (action, share) in enumerate(replies):
            if action == CUSTOM:
                (own,) = known(self._own_words).predict([question], {})
                answers.append((0, place, own.answer, share))
            else:
                text, missing = self._filler.fill(program, action, at_hand)
                answers.append((missing, place, text, share))
        answers.sort(key=lambda each: each[:2])
        return Prediction(answers[0][2], tuple((text, share) for _, _, text, share in answers))


def _programs(questions: Questions, schemas: Schemas) -> list[ActionView]:
    tasks = [resolve(question.asked.task, schemas) for question in questions]
    compiled = {name: view_actions(schemas[name]) for name in dict.fromkeys(tasks)}
    return [compiled[name] for name in tasks]


def as_action(question: Question[NextReply]) -> Question[NextAction]:
    """Return the question of the next action at the same place."""
    return Question(question.dialogue, question.event, NextAction(question.asked.task))


def picked(example: Example[NextReply, str], program: ActionView) -> str | None:
    """Return the action of a reply of training.

    It is that of the annotated label; if the schema lacks it, the action whose template matches the
    text, else `CUSTOM`. None if the reply has no label and no template matches.
    """
    question = example.question
    reply = question.dialogue.events[question.event : question.event + 1]
    name = next((label(event) for event in reply if isinstance(event, Utterance)), None)
    if name in program.texts:
        return name
    matches = (a for a, text in program.texts.items() if text and parse(text).match(example.answer))
    return next(matches, None if name is None else CUSTOM)
