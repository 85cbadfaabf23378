"""Language models in the harness: kept answers, refusals, failures, limits, the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.making import choose
from dialoom.bench.core.protocol import Target, examples, questions
from dialoom.bench.core.run import limited
from dialoom.dialogue import NextAction
from dialoom.errors import UsageError
from dialoom.http.failure import NoAnswerError
from dialoom.learn.saved import TrainingRecord, save
from dialoom.models.lm.model import OpenAIModel
from tests.bench import tiny
from tests.cli.runner import Run
from tests.make import refuses
from tests.models.lm.scripted import GOOD, SERVER, TASKS, Request, body, corpus, model, says, serve
from tests.models.lm.scripted import QUESTIONS_OF_ACTION as TARGETS

__all__ = ["corpus", "serve"]  # fixtures

DOMAIN = "star-zero-shot-domain"


def test_answers_are_kept_and_an_interrupted_run_goes_on(tmp_path: Path) -> None:
    requests = list[Request]()

    def failing(request: Request) -> httpx.Response:
        requests.append(request)
        return says(GOOD) if len(requests) < 3 else httpx.Response(401, text="no credit")

    first = model(failing)
    first.keep_in(tmp_path)
    with refuses(NoAnswerError, "no-answer", "no credit", "401", "Unauthorized"):
        first.predict(questions(TARGETS), TASKS)
    requests.clear()

    def good(request: Request) -> httpx.Response:
        requests.append(request)
        return says(GOOD)

    second = model(good)
    second.keep_in(tmp_path)
    predictions = second.predict(questions(TARGETS), TASKS)
    assert len(requests) == len(TARGETS) - 2
    assert [each.record.read for each in predictions if each.record] == [100] * len(TARGETS)
    assert second.predict(questions(TARGETS), TASKS) == predictions
    assert len(requests) == len(TARGETS) - 2
    other = model(good, seed=1)
    other.keep_in(tmp_path)
    other.predict(questions(TARGETS), TASKS)
    assert len(requests) == 2 * len(TARGETS) - 2  # another seed is another request


@pytest.mark.parametrize(
    ("lacking", "more"),
    [
        (("logprobs",), 1),
        (("response_format",), 2),
        (("seed",), 3),
        (("logprobs", "response_format"), 4),
    ],
)
def test_servers_without_some_fields_are_asked_without_them(
    lacking: tuple[str, ...], more: int
) -> None:
    requests = list[Request]()

    def answer(request: Request) -> httpx.Response:
        requests.append(request)
        if any(name in request for name in lacking):
            return httpx.Response(400, json={"error": {"message": "unknown field"}})
        return says(GOOD)

    predictions = model(answer).predict(questions(TARGETS), TASKS)
    assert not any(each.record.unreadable for each in predictions if each.record)
    assert len(requests) == len(TARGETS) + more
    for name in ("logprobs", "response_format", "seed"):
        assert (name in requests[-1]) == (name not in lacking)


def test_the_seed_of_the_settings_wins() -> None:
    requests = list[Request]()

    def answer(request: Request) -> httpx.Response:
        requests.append(request)
        return says(GOOD)

    for request, seed in ({}, 4), ({"request": "seed=7"}, 7):
        model(answer, seed=4, **request).predict(questions(TARGETS[:1]), TASKS)
        assert requests[-1]["seed"] == seed


def test_requests_with_other_headers_or_another_query_are_kept_apart(tmp_path: Path) -> None:
    requests = list[Request]()

    def answer(request: Request) -> httpx.Response:
        requests.append(request)
        return says(GOOD)

    several = ("", "headers.X=1", "query.v=1", "query.v=2", "headers.X=1")
    for request in several:
        learner = model(answer, request=request)
        learner.keep_in(tmp_path)
        learner.predict(questions(TARGETS[:1]), TASKS)
    assert len(requests) == len(set(several))


def test_settings_in_a_file_are_signed_by_their_content(tmp_path: Path) -> None:
    file, signed = tmp_path / "x.yaml", list[str]()
    for text in ("max_tokens: 5", "max_tokens: 6"):
        file.write_text(text)
        signed.append(model(lambda _: says(GOOD), request=str(file)).signature["request"])
    assert signed[0] != signed[1]


def test_an_empty_answer_is_not_repeated_to_the_server() -> None:
    requests = list[Request]()

    def answer(request: Request) -> httpx.Response:
        requests.append(request)
        return says("" if len(requests) == 1 else GOOD)

    (prediction,) = model(answer).predict(questions(TARGETS[:1]), TASKS)
    assert [each["role"] for each in requests[1]["messages"]] == ["system", "user", "user"]
    assert prediction.record
    assert not prediction.record.unreadable


def test_a_cut_off_answer_names_the_limit_of_tokens() -> None:
    learner = model(lambda _: says('{"answer":', finish_reason="length"))
    (prediction,) = learner.predict(questions(TARGETS[:1]), TASKS)
    assert prediction.record
    assert "limit of tokens" in prediction.record.unreadable


@pytest.mark.parametrize(
    "choice",
    [{"error": {"code": 502, "message": "no provider"}}, {"finish_reason": "error"}],
)
def test_a_failure_inside_an_answer_ends_the_run(choice: Any) -> None:
    words = "no provider" if "error" in choice else "breaks off"
    with refuses(NoAnswerError, "no-answer", words):
        model(lambda _: says("", **choice)).predict(questions(TARGETS), TASKS)


def test_a_refusal_for_another_reason_ends_the_run() -> None:
    answer = httpx.Response(400, json={"error": {"message": "maximum context length"}})
    with refuses(NoAnswerError, "no-answer", "maximum context length"):
        model(lambda _: answer).predict(questions(TARGETS), TASKS)


def test_several_questions_at_a_time_keep_their_order() -> None:
    def answer(request: Request) -> httpx.Response:
        return says('{"answer": "B"}' if "weather_ask" in str(request["messages"]) else GOOD)

    alone = model(answer).predict(questions(TARGETS), TASKS)
    assert model(answer, workers=4).predict(questions(TARGETS), TASKS) == alone


def test_examples_are_the_most_similar_and_of_different_dialogues() -> None:
    words = ("Will it rain in York?", "A table for two.", "Does it rain in Bath?")
    targets = [
        Target(str(n), 0, NextAction("weather"), "weather_ask", (tiny.user(text),), 1)
        for n, text in enumerate((*words, "Will it rain?"))
    ]
    requests = list[Request]()

    def answer(request: Request) -> httpx.Response:
        requests.append(request)
        return says(GOOD)

    learner = model(answer, shots=2)
    learner.fit(examples([*targets[:3], *targets[:3]]), TASKS)
    learner.predict(questions(targets[3:]), TASKS)
    (request,) = requests
    prompts = [message["content"] for message in request["messages"] if message["role"] == "user"]
    for text, content in zip((words[2], words[0], "Will it rain?"), prompts, strict=True):
        assert f"user: {text}" in content


def test_a_name_has_its_address_and_a_file_holds_no_such_model(tmp_path: Path) -> None:
    learner = choose(f"openai:{SERVER}", PROTOCOLS.get(DOMAIN), ["shots=4"])()
    assert isinstance(learner, OpenAIModel)
    assert (learner.server, learner.shots) == (SERVER, 4)
    with pytest.raises(UsageError):
        save(learner, tmp_path / "m", TrainingRecord())
    for wrong in ("openai", "openai:small", "openai:@http://x"):
        with pytest.raises(UsageError):
            choose(wrong, PROTOCOLS.get(DOMAIN))()


def test_a_limit_is_spread_over_holdouts_and_signed(tmp_path: Path) -> None:
    plan = tiny.plan(PROTOCOLS.get(DOMAIN), tiny.star(tmp_path))
    sizes = [len(holdout.test) for holdout in plan.holdouts]
    some = limited(plan, 4, 0)
    assert [len(holdout.test) for holdout in some.holdouts] == [2, 2]
    assert some.options["limit"] == f"4-of-{sum(sizes)}/seed-0"
    for part, whole in zip(some.holdouts, plan.holdouts, strict=True):
        assert [t for t in whole.test if t in part.test] == part.test
    assert limited(plan, 4, 0).holdouts == some.holdouts
    assert any(limited(plan, 4, n).holdouts != some.holdouts for n in range(1, 9))
    assert limited(plan, sum(sizes), 0) is plan
    small = min(sizes)
    assert [len(h.test) for h in limited(plan, sum(sizes) - 1, 0).holdouts] != [small, small]
    with pytest.raises(UsageError):
        limited(plan, 0, 0)


def test_a_run_prints_what_it_cost_and_what_was_unreadable(
    run: Run, corpus: Path, serve: Any, tmp_path: Path
) -> None:
    served = serve(lambda n, _: (200, body("no" if n < 3 else GOOD)))
    address = f"openai:small@{served.url}/v1"
    out, rows = tmp_path / "run.json", tmp_path / "rows.jsonl"
    settings = ("-M", "prices=1,2", "-M", "workers=1")
    files = ("--json", out, "--predictions", rows, "--cache", tmp_path / "kept")
    command = ("bench", DOMAIN, "--corpus", corpus, "--model", address, "--limit", 3, *settings)
    done = run(*command, *files)
    assert done.code == 0, done.err
    result = json.loads(out.read_text())
    assert result["answers"] == {
        "questions": 3,
        "requests": 4,
        "tokens_read": 4000,
        "tokens_written": 40,
        "cost": pytest.approx(0.00408),
        "unreadable": 1,
    }
    signature = next(iter(result["scores"].values()))["signature"]
    for part in ("model:openai", "prompts:", "limit:3-of-", "seed:0"):
        assert part in signature
    assert "workers" not in signature
    lines = [json.loads(line) for line in rows.read_text().splitlines()]
    assert [line["predicted"] for line in lines if "unreadable" in line] == ["unreadable"]
    again = run(*command, "-M", "prices=10,20", "--cache", tmp_path / "kept")
    assert "4 requests" in again.out
    assert "0.0408 cost" in again.out  # by the prices of today
    assert served.asked == 4


def test_answers_without_tokens_are_counted(run: Run, corpus: Path, serve: Any) -> None:
    answer = {"choices": body(GOOD)["choices"]}
    served = serve(lambda *_: (200, answer))
    options = ("--model", f"openai:small@{served.url}/v1", "-M", "prices=1,2")
    done = run("bench", DOMAIN, "--corpus", corpus, *options, "--limit", 3)
    assert "3 without reported tokens" in done.out
    assert " cost" not in done.out


def test_a_server_that_fails_ends_the_run_without_a_score(
    run: Run, corpus: Path, serve: Any
) -> None:
    served = serve(lambda *_: (401, {"error": {"message": "no such key"}}))
    address = f"openai:small@{served.url}/v1"
    done = run("bench", DOMAIN, "--corpus", corpus, "--model", address)
    assert done.code == 2
    assert done.err.splitlines()[-1].endswith("401 Unauthorized: no such key")
    assert not done.out
    nobody = run("bench", DOMAIN, "--corpus", corpus, "--model", "openai:small@http://127.0.0.1:9")
    assert nobody.code == 2
    assert "nobody answers" in nobody.err
