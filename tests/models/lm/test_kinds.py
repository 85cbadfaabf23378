"""Prompts and answers of every kind of question, against a scripted server."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from dialoom.bench.core.protocol import Target, examples, questions
from dialoom.dialogue import (
    Acts,
    Choice,
    FrameOf,
    InScope,
    NextAction,
    NextActs,
    NextCall,
    NextCalls,
    NextReply,
    Prediction,
    Realise,
    Spans,
    StateOf,
)
from dialoom.dialogue.question import Asked
from dialoom.dialogue.references import ActFrames
from dialoom.metrics import METRICS
from dialoom.metrics.bootstrap import total
from dialoom.metrics.overlap import ActMatch
from dialoom.models.lm.kinds import PROMPTS
from dialoom.models.lm.kinds.choosing import keys, ranking
from dialoom.models.lm.prompt import Inventory, UnreadableError
from tests.models.lm.scripted import TASKS, Request, asked, model, right, says

QUESTIONS = asked()
SCORES: dict[Any, tuple[str, str]] = {
    NextAction: ("classification", "accuracy"),
    NextReply: ("exact-match", "iem_all"),
    NextCall: ("calls", "exact_match"),
    NextCalls: ("accepted-calls", "accuracy"),
    StateOf: ("state", "joint_goal_accuracy"),
    Spans: ("spans", "span_f1"),
    Acts: ("acts", "item_f1"),
    NextActs: ("next-acts", "exact_set"),
    FrameOf: ("frames", "slot_accuracy"),
    Choice: ("ranking", "p@1"),
    Realise: ("text-overlap", "rougel"),
    InScope: ("detection", "macro_f1"),
}
"""Kind of question to a metric and its score that only right answers raise."""


def score(name: str, targets: list[Target], found: list[Prediction[Any]]) -> float:
    kind = type(targets[0].asked)
    metric_name, figure = SCORES[kind]
    metric = METRICS.get(metric_name)()
    if name == "framed":
        metric, figure = ActMatch(frames=True), "frame_f1"
    rows = zip(questions(targets), targets, found, strict=True)
    counts = [metric.statistics(q, target.gold, prediction) for q, target, prediction in rows]
    return metric.scores(total(counts))[figure].value


def test_every_kind_of_question_has_a_prompt_and_is_tested() -> None:
    every = set(Asked.__args__)
    assert set(PROMPTS) == every == set(SCORES)
    assert {type(each[0].asked) for each in QUESTIONS.values()} == every


@pytest.mark.parametrize("name", QUESTIONS)
def test_right_answers_are_read_as_the_right_ones(name: str) -> None:
    targets = QUESTIONS[name]
    inventory = Inventory(examples(targets))
    requests: list[Request] = []

    def answer(request: Request) -> httpx.Response:
        requests.append(request)
        place = len(requests) - 1
        return says(right(targets[place], questions(targets)[place], inventory))

    learner = model(answer)
    learner.fit(examples(targets), TASKS)
    predictions = learner.predict(questions(targets), TASKS)
    assert len(requests) == len(targets)
    if {target.gold for target in targets if isinstance(target.gold, float)} != {1.0}:
        assert score(name, targets, predictions) == pytest.approx(100.0)
    assert [each.record.requests for each in predictions if each.record] == [1] * len(targets)
    for request, question in zip(requests, questions(targets), strict=True):
        text = question.utterances[-1].text if question.utterances else ""
        assert text in request["messages"][-1]["content"]
        form = request["response_format"]["json_schema"]["schema"]
        assert (form["type"], form["required"]) == ("object", ["answer"])
        assert not form["additionalProperties"]


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("text", ["I do not know.", "{}", '{"answer": [', '{"answer": null}'])
def test_unreadable_answers_are_wrong_and_named_so(name: str, text: str) -> None:
    targets = QUESTIONS[name]
    requests: list[Request] = []

    def answer(request: Request) -> httpx.Response:
        requests.append(request)
        return says(text)

    learner = model(answer)
    learner.fit(examples(targets), TASKS)
    predictions = learner.predict(questions(targets), TASKS)
    assert all(each.record and each.record.unreadable for each in predictions)
    assert len(requests) == 2 * len(targets)
    assert score(name, targets, predictions) == 0


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_second_answer_repairs_the_first(name: str) -> None:
    targets = QUESTIONS[name][:1]
    inventory = Inventory(examples(targets))
    good = right(targets[0], questions(targets)[0], inventory)
    requests: list[Request] = []

    def answer(request: Request) -> httpx.Response:
        requests.append(request)
        return says("Well." if len(requests) == 1 else f"```json\n{good}\n```")

    learner = model(answer)
    learner.fit(examples(targets), TASKS)
    (prediction,) = learner.predict(questions(targets), TASKS)
    assert prediction.record is not None
    assert (prediction.record.requests, prediction.record.unreadable) == (2, "")
    assert (prediction.record.read, prediction.record.written) == (200, 20)
    roles = [message["role"] for message in requests[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert requests[1]["messages"][2]["content"] == "Well."


@pytest.mark.parametrize("name", QUESTIONS)
def test_examples_are_answered_in_the_form_that_is_asked_for(name: str) -> None:
    targets = QUESTIONS[name]
    requests: list[Request] = []

    def answer(request: Request) -> httpx.Response:
        requests.append(request)
        return says(request["messages"][2]["content"])

    learner = model(answer, shots=1)
    learner.fit(examples(targets), TASKS)
    (prediction,) = learner.predict(questions(targets[:1]), TASKS)
    assert [each["role"] for each in requests[0]["messages"]] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    assert prediction.record is not None
    if name not in ("Spans", "framed", "FrameOf", "Choice"):  # those name parts of their own turn
        assert not prediction.record.unreadable


@pytest.mark.parametrize("name", ["NextAction", "Choice", "NextReply", "InScope"])
def test_answers_out_of_range_are_unreadable(name: str) -> None:
    (question,) = questions(QUESTIONS[name][:1])
    prompt = PROMPTS[type(question.asked)](TASKS, Inventory())
    answer = {"NextReply": '" "', "InScope": "1.5"}.get(name, '"ZZ"')
    with pytest.raises(UnreadableError):
        prompt.predicted(question, f'{{"answer": {answer}}}', None)


def test_frames_and_candidates_that_are_not_there_are_unreadable() -> None:
    target = QUESTIONS["FrameOf"][-1]
    prompt = PROMPTS[FrameOf](TASKS, Inventory())
    (question,) = questions([target])
    for gold in (
        target.gold[1:],
        tuple(ActFrames(each.arguments, {7: 1.0}) for each in target.gold),
    ):
        with pytest.raises(UnreadableError):
            prompt.read(question, gold, None)
    assert prompt.read(question, target.gold, None).answer == target.gold


def test_log_probabilities_rank_options_and_the_answer_comes_first() -> None:
    targets = QUESTIONS["NextAction"][:1]
    tops = [{"token": key, "logprob": at} for key, at in (("B", -0.5), ("A", -1.0), ("x", -2.0))]
    tokens = [
        {"token": '{"answer":', "logprob": 0.0, "top_logprobs": []},
        {"token": ' "', "logprob": 0.0, "top_logprobs": []},
        {"token": "B", "logprob": -0.5, "top_logprobs": tops},
        {"token": '"}', "logprob": 0.0, "top_logprobs": []},
    ]
    requests: list[Request] = []

    def answer(request: Request) -> httpx.Response:
        requests.append(request)
        return says('{"answer": "B"}', logprobs={"content": tokens})

    (prediction,) = model(answer).predict(questions(targets), TASKS)
    options = list(PROMPTS[NextAction](TASKS, Inventory()).options(questions(targets)[0]))  # type: ignore[attr-defined]
    assert requests[0]["top_logprobs"] == 20
    assert [name for name, _ in prediction.ranking] == [options[1], options[0]]
    assert prediction.confidence == pytest.approx(0.6065, abs=1e-4)


def test_numbers_of_one_length_name_more_than_26_options() -> None:
    assert keys(3) == ["A", "B", "C"]
    assert keys(27)[0] == "01"
    assert keys(120)[-1] == "120"
    assert ranking(None, "A", ["A"]) == {"A": 1.0}
