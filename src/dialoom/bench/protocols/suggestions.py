"""Reply suggestions on STAR: the reply that a wizard picked, given the text that they typed.

A question is asked where a wizard asked for suggestions and then picked one: the model sees the
text that they typed, the selected item and what it sees for next action, and ranks the replies of
the task. `star-suggestions` is a cross-validation in five folds of whole dialogues of all stages.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, NoSettings, Plan, Protocol
from dialoom.bench.protocols.star import Asking, Happiness, questions, read
from dialoom.bench.protocols.zero_shot import ZeroShot
from dialoom.bench.visibility import wizard_page
from dialoom.dialogue import SYSTEM, Event, NextAction, Options, Utterance
from dialoom.dialogue.views import label
from dialoom.metrics.ranking import RecallAtK
from dialoom.schema.flow import CUSTOM

FOLDS = 5


def picked(events: Sequence[Event], index: int) -> str | None:
    """Return the label of the reply picked from suggestions; None where none was picked."""
    event = events[index]
    after = events[index + 1] if index + 1 < len(events) else None
    if not isinstance(event, Options) or event.text is None:
        return None
    if not isinstance(after, Utterance) or after.agent != SYSTEM:
        return None
    name = label(after)
    return None if name == CUSTOM else name


SUGGESTIONS = Asking(
    NextAction, picked, lambda data: (RecallAtK(),), "suggester", after=True, view=wizard_page
)
"""Questions at the wizard's requests for suggestions, one of which was picked."""


NAME = "star-suggestions"


def plan(data: Data, settings: NoSettings) -> Plan:
    """Split the dialogues, ids ascending, with seed 0; `MissingDataError` for too few."""
    items = [i for i in read(data.corpus, Happiness(), SUGGESTIONS) if i.targets]
    enough = len(items) >= FOLDS
    check_found(enough, data.corpus, f"needs {FOLDS} dialogues with a question", "too-few")
    random.Random(0).shuffle(items)
    learnt = None
    if data.train_corpus is not None:
        learnt = questions(read(data.train_corpus, Happiness(), SUGGESTIONS))
    folds = [items[number::FOLDS] for number in range(FOLDS)]
    return Plan(
        protocol=NAME,
        title=NAME,
        data=data,
        metrics=SUGGESTIONS.metrics(data),
        holdouts=[
            HoldOut(
                f"fold{number}",
                questions(i for other in folds if other is not fold for i in other)
                if learnt is None
                else learnt,
                questions(fold),
            )
            for number, fold in enumerate(folds, 1)
        ],
        options={"folds": f"{FOLDS}-shuffled-0"},
    )


CROSS_VALIDATED = Protocol(NAME, "star", NextAction, "suggester", NoSettings, plan)
TASK = ZeroShot("star-zero-shot-suggestions", "task", SUGGESTIONS).protocol
