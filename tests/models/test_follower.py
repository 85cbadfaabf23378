"""The follower: what it learns, what it may read, what it is made of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from msgspec.structs import replace

from dialoom.dialogue import Dialogue, NextAction, Prediction, Question, Scenario
from dialoom.errors import UnknownNameError, UsageError
from dialoom.flow.action_view import view_actions
from dialoom.learn import memory
from dialoom.models import settings_of
from dialoom.models.follower import Follower
from dialoom.models.follower.features import GROUPS
from dialoom.models.follower.rules import RULES
from dialoom.models.follower.scorer import OTHERS, _drawn
from dialoom.schema.lexicon import cues, word_lists
from tests.found import some
from tests.make import refuses
from tests.models.tiny import SCHEMAS, STEPS, examples, system, user, visits, way, with_options
from tests.schema.tiny import VISIT


@pytest.fixture(scope="module")
def follower() -> Iterator[Follower]:
    model = Follower()
    model.fit(list(examples(visits())), SCHEMAS)
    yield model


def ask(model: Follower, dialogue: Dialogue, event: int, task: str) -> Prediction[str]:
    return model.predict([Question(dialogue, event, NextAction(task))], SCHEMAS)[0]


def test_it_learns_the_task(follower: Follower) -> None:
    learnt = list(examples(visits()))
    answers = follower.predict([example.question for example in learnt], SCHEMAS)
    right = sum(a.answer == e.answer for a, e in zip(answers, learnt, strict=True))
    assert right == len(learnt)


def test_dialogues_read_for_an_earlier_fit_of_a_run_give_the_same_model() -> None:
    learnt, questions = list(examples(visits())), [each.question for each in examples(visits())]
    cut = len(learnt) * 2 // 3
    fresh, within = Follower(), Follower()
    fresh.fit(learnt, SCHEMAS)
    with memory.remembering():
        Follower().fit(learnt[:cut], SCHEMAS)
        within.fit(learnt, SCHEMAS)
        again = within.predict(questions, SCHEMAS)
    memory.forget()
    assert again == fresh.predict(questions, SCHEMAS)


def test_it_ranks_every_action(follower: Follower) -> None:
    dialogue = visits()[0]
    answer = ask(follower, dialogue, 3, "visit_garden")
    names = [name for name, _ in answer.ranking]
    shares = [share for _, share in answer.ranking]
    assert len(names) == len(set(names)) and {"goodbye", "custom", "query_book"} <= set(names)
    assert sum(shares) == pytest.approx(1.0, abs=1e-4)
    assert shares == sorted(shares, reverse=True) and answer.answer == names[0]


def test_it_reads_nothing_after_the_question(follower: Follower) -> None:
    whole = visits()[1]
    for event in some(range(1, len(whole.events))):
        cut = Dialogue(id=whole.id, events=whole.events[:event], services=whole.services)
        assert ask(follower, whole, event, "garden_visit") == ask(
            follower, cut, event, "garden_visit"
        )


def test_it_reads_neither_options_nor_scenario(follower: Follower) -> None:
    plain = visits()[1]
    menu = with_options(plain, 3)
    briefing = Dialogue(
        id=plain.id, events=plain.events, scenario=Scenario(user_task="Ask for nothing.")
    )
    expected = ask(follower, plain, 3, "garden_visit")
    assert ask(follower, menu, 4, "garden_visit") == expected
    assert ask(follower, briefing, 3, "garden_visit") == expected


def test_the_order_of_questions_does_not_matter(follower: Follower) -> None:
    questions = [example.question for example in examples(visits()[:2])]
    forth = follower.predict(questions, SCHEMAS)
    back = follower.predict(questions[::-1], SCHEMAS)
    assert forth == back[::-1]
    assert follower.predict([], SCHEMAS) == []


def test_another_dialogue_of_the_same_id_is_another(follower: Follower) -> None:
    one = Dialogue(id="x", events=(user("Hi"),))
    other = Dialogue(id="x", events=(user("Bye"), system("goodbye", "Bye"), user("Thanks")))
    pair = [
        Question(one, 1, NextAction("garden_visit")),
        Question(other, 3, NextAction("garden_visit")),
    ]
    alone = [follower.predict([question], SCHEMAS)[0] for question in pair]
    assert follower.predict(pair, SCHEMAS) == alone


def test_lists_are_read_out(follower: Follower) -> None:
    replies = ["Yes, go on", "Go on", "Fine, goodbye"]
    for count, expected in enumerate(["tell_step", "tell_step", "tell_last"]):
        dialogue = way(count, *replies[:count])
        assert ask(follower, dialogue, len(dialogue.events), "way_out").answer == expected
    request = way(9, "Could I have more details?")
    assert ask(follower, request, len(request.events), "way_out").answer == "tell_more"
    assert len(STEPS) == 3


def test_rules_can_be_left_out() -> None:
    model = Follower(without=("read_out", "own_words"))
    model.fit(list(examples(visits())), SCHEMAS)
    assert settings_of(model) == {"without": ("read_out", "own_words")}
    dialogue = way(0)
    assert ask(model, dialogue, len(dialogue.events), "way_out").answer


def test_word_lists_can_be_left_out() -> None:
    lists = tuple(word_lists())
    model = Follower(without=lists, members=1)
    model.fit(list(examples(visits())), SCHEMAS)
    dialogue = way(0)
    assert ask(model, dialogue, len(dialogue.events), "way_out").answer
    whole, bare = view_actions(VISIT), view_actions(VISIT, lists=lists)
    assert bare.actions == whole.actions
    assert not any(cues("thanks, yes, bye", bare.spoken.language).values())


def test_the_same_seed_gives_the_same_answers() -> None:
    learnt = list(examples(visits()))
    questions = [example.question for example in learnt]
    runs = []
    for _ in range(2):
        model = Follower(seed=3, members=2, without=("similarity",))
        model.fit(learnt, SCHEMAS)
        runs.append(model.predict(questions, SCHEMAS))
    assert runs[0] == runs[1]


def test_trees_learn_from_the_right_action_and_some_others_of_each_question() -> None:
    sizes = np.array([2, OTHERS + 1, 5 * OTHERS])
    starts = np.cumsum(sizes) - sizes
    labels = np.zeros(sizes.sum(), bool)
    labels[np.add(starts, [1, 0, 3])] = True
    rows, other = _drawn(labels, sizes, 0), _drawn(labels, sizes, 1)
    counts = np.bincount(np.searchsorted(starts, rows, side="right") - 1)
    assert counts.tolist() == [2, OTHERS + 1, OTHERS + 1]
    assert labels[rows].sum() == labels[other].sum() == 3
    assert rows.tolist() != other.tolist()
    assert rows.tolist() == _drawn(labels, sizes, 0).tolist()


@pytest.mark.parametrize(("weight", "alone"), [(0.0, "imported"), (1.0, "simulated")])
def test_simulated_and_real_dialogues_are_learnt_apart(weight: float, alone: str) -> None:
    parts = {
        each: list(examples([replace(one, provenance=each) for one in visits()[place::2]]))
        for place, each in enumerate(("imported", "simulated"))
    }
    one, both = Follower(experience=False), Follower(simulated=weight, experience=False)
    one.fit(parts[alone], SCHEMAS)
    both.fit([*parts["imported"], *parts["simulated"]], SCHEMAS)
    questions = [example.question for part in parts.values() for example in part]
    assert both.predict(questions, SCHEMAS) == one.predict(questions, SCHEMAS)


def test_probabilities_of_simulated_and_real_are_averaged() -> None:
    learnt = [
        replace(one, provenance=("imported", "simulated")[place % 2])
        for place, one in enumerate(visits())
    ]
    question = next(examples(learnt)).question
    shares = []
    for weight in (0.0, 0.25, 1.0):
        model = Follower(simulated=weight, net=0, without=tuple(RULES), experience=False)
        model.fit(list(examples(learnt)), SCHEMAS)
        shares.append(dict(model.predict([question], SCHEMAS)[0].ranking))
    real, both, simulated = shares
    assert real != simulated
    for action, share in both.items():
        assert share == pytest.approx(0.75 * real[action] + 0.25 * simulated[action], abs=1e-5)


def test_settings_rebuild_it() -> None:
    model = Follower(without=("cues",), seed=5, members=2)
    assert Follower(**settings_of(model)) == model
    assert settings_of(Follower()) == {}
    for settings in Follower.variants():
        Follower(**settings)


def test_bad_use() -> None:
    with refuses(UsageError, "unknown-name", "cue"):
        Follower(without=("cue",))
    with pytest.raises(UsageError):
        Follower(members=0)
    question = next(examples(visits())).question
    with refuses(UsageError, "not-fitted"):
        Follower().predict([question], SCHEMAS)
    with refuses(UsageError, "nothing-to-learn"):
        Follower().fit([], SCHEMAS)


def test_a_task_without_schema_is_named(follower: Follower) -> None:
    with refuses(UnknownNameError, "unknown-name", "garden_visit"):
        ask(follower, visits()[0], 1, "gardening")


def test_a_task_without_flow_is_answered(follower: Follower) -> None:
    answer = ask(follower, Dialogue(id="b", events=(user("Hello"),)), 1, "bare")
    assert answer.answer in {"hello", "ask", "query", "custom"}


def test_groups_are_disjoint() -> None:
    assert set(GROUPS) == {
        "action",
        "context",
        "similarity",
        "cues",
        "graph",
        "done",
        "slots",
        "program",
        "placeholders",
    }
