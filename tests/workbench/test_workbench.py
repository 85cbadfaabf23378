"""The Python surface: what a notebook does with corpora, experiments, agents and tasks."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import dialoom
from dialoom.dialogue import Dialogue, digest
from dialoom.errors import UnknownNameError, UsageError
from dialoom.schema.pack import starter
from tests.make import refuses


@pytest.fixture(scope="module")
def corpus() -> dialoom.Corpus:
    return dialoom.simulate("hotel_book, weather", n=12, scenario="mixed", seed=7, progress=False)


def ids(dialogues: dialoom.Corpus) -> list[str]:
    return [dialogue.id for dialogue in dialogues]


def test_a_simulated_corpus_is_a_corpus(corpus: dialoom.Corpus, tmp_path: Path) -> None:
    assert len(corpus) == 12
    assert sorted(corpus.schemas) == ["hotel_book", "weather"]
    twin = dialoom.simulate("hotel_book, weather", n=12, scenario="mixed", seed=7, out=tmp_path)
    assert twin.path == tmp_path
    assert list(twin) == list(corpus)


def test_a_corpus_without_a_folder_goes_with_its_last_part() -> None:
    corpus = dialoom.simulate("weather", n=3, progress=False)
    folder, part = corpus.path, corpus.sample(2)
    del corpus
    assert len(part) == 2
    del part
    assert not folder.exists()


def test_tasks_can_be_simulated_themselves() -> None:
    task = dialoom.load_task("weather")
    assert len(dialoom.simulate(task, n=2, progress=False)) == 2
    with pytest.raises(UsageError):
        dialoom.simulate(task, preset="sgd", n=2, progress=False)
    with pytest.raises(UnknownNameError):
        dialoom.simulate("wether", n=2)
    corpus = dialoom.simulate(["weather", "hotel_book"], n=2, progress=False)
    assert sorted(corpus.schemas) == ["hotel_book", "weather"]
    mixed = dialoom.simulate([task, "hotel_book"], n=2, progress=False)
    assert list(mixed) == list(corpus)


def test_a_corpus_that_could_not_be_opened_is_not_begun(tmp_path: Path) -> None:
    with refuses(UsageError, "one-way", "html"):
        dialoom.simulate("weather", n=2, to="html", out=tmp_path / "page")
    assert not (tmp_path / "page").exists()


def test_only_what_is_stored_is_evaluated(corpus: dialoom.Corpus) -> None:
    with refuses(UsageError, "cannot-work"):
        dialoom.evaluate("sim-zero-shot", corpus.sample(3), model="majority")


def test_drawn_tasks_are_those_of_the_seed() -> None:
    def drawn(seed: int) -> list[str]:
        run = dialoom.play("flow", tasks="drawn:2", n=1, seed=seed, progress=False)
        return [digest(task) for task in run.tasks.values()]

    corpus = dialoom.simulate("drawn:2", n=2, seed=8, progress=False)
    assert drawn(8) == [digest(task) for task in corpus.schemas.values()] != drawn(7)


def test_parts_of_a_corpus_have_its_methods(corpus: dialoom.Corpus) -> None:
    part = corpus.filter(task="weather")
    assert 0 < len(part) < len(corpus)
    assert part.stats(progress=False)["dialogues"] == len(part)
    assert part.lint(progress=False).linter.dialogues == len(part)
    assert "1" in corpus
    assert corpus[0] in corpus
    assert "99" not in corpus
    long = corpus.filter(where="turns >= 20")
    assert 0 < len(long) < len(corpus)
    assert list(corpus.filter(where=["turns >= 20", "stage=happy"])) == list(
        long.filter(stage="happy")
    )
    for filters in {"task": "wether"}, {"stage": "sad"}, {"split": "train"}, {"where": "turn > 1"}:
        with pytest.raises(UnknownNameError):
            corpus.filter(**filters)


def test_the_digest_is_that_of_the_dialogues(corpus: dialoom.Corpus) -> None:
    digests = {each.digest for each in (corpus, corpus.sample(5), corpus.sample(5, seed=1))}
    assert len(digests) == 3
    assert corpus.sample(5).digest == corpus.sample(5).digest


def test_findings_are_listed_by_severity(corpus: dialoom.Corpus, tmp_path: Path) -> None:
    assert corpus.lint(progress=False).errors == ()
    (tmp_path / "chat.txt").write_text("user: Hi\nsystem: Hello\nsystem:\nuser: Bye\n")
    report = dialoom.load(tmp_path / "chat.txt").lint(progress=False)
    assert len(report) == sum(report.counts.values()) > 0
    assert {each.code for each in report.errors + report.warnings} <= set(report.counts)
    assert "<table" in report._repr_html_()


def test_a_corpus_is_counted_compared_and_converted(corpus: dialoom.Corpus, tmp_path: Path) -> None:
    counts = corpus.stats(progress=False)
    assert counts["dialogues"] == 12
    assert "<table" in counts._repr_html_()
    assert counts.page().startswith("<!DOCTYPE html>")
    apart = corpus.distance(corpus.sample(6), progress=False)
    assert {row["what"] for row in apart.figures["distances"]}
    assert "format" in apart.signature
    assert "<table" in apart._repr_html_()
    done = corpus.convert("chat", tmp_path / "chat", progress=False)
    assert (done.source, done.target, done.dialogues) == ("native", "chat", 12)
    assert done.loss["utterance.time"] > 0
    assert ids(dialoom.load(done.path)) == ids(corpus)
    with pytest.raises(UnknownNameError):
        corpus.convert("chatt", tmp_path / "other")


def test_an_experiment_is_run(corpus: dialoom.Corpus) -> None:
    outcome = dialoom.evaluate(
        "sim-zero-shot", corpus, model="majority", only="weather", progress=False
    )
    assert outcome.table.rows[0][0] == "weather"
    assert outcome.scores["f1"].signature.startswith("metric:f1")
    assert "<svg" in outcome.plot
    assert "<table" in outcome._repr_html_()
    with pytest.raises(UsageError):
        dialoom.evaluate("sim-zero-shot", corpus.sample(6), model="majority")


def test_settings_are_names_or_texts(corpus: dialoom.Corpus) -> None:
    def title(settings: object) -> str:
        outcome = dialoom.evaluate(
            "star-zero-shot-domain",
            corpus,
            settings=settings,  # type: ignore[arg-type]
            model="majority",
            progress=False,
        )
        return outcome.result.title

    assert title({"form": "published", "test": "happy"}) == title(["form=published", "test=happy"])
    with pytest.raises(UnknownNameError):
        title({"forms": "published"})


def test_a_function_is_an_agent() -> None:
    run = dialoom.play(lambda message: "Hello.", user="simulated", tasks="weather", n=2)
    assert run.success == 0
    assert len(run.dialogues) == 2


def test_a_task_checks_and_draws_itself(tmp_path: Path) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(starter("own"))
    task = dialoom.load_task(file)
    assert [finding.code for finding in task.check() if finding.severity == "error"] == []
    assert task.chart()._repr_html_().startswith("<svg")
    assert task.id in task.outline()


def test_metrics_take_lists() -> None:
    states = [{"Hotels_1": {"area": "north"}}, {"Hotels_1": {"area": "south"}}]
    other = [{"Hotels_1": {"area": "north"}}, {"Hotels_1": {"area": "zzz"}}]
    assert dialoom.metrics.joint_goal_accuracy(states, states).value == 100
    assert dialoom.metrics.joint_goal_accuracy(states, other).value < 100
    assert dialoom.metrics.action_f1(["a", "b"], ["a", "b"]).value == 100
    assert dialoom.metrics.bleu(["one two three four"], ["one two three four"]).value == 100
    assert dialoom.metrics.precision_at_1(["a", "b"], [["a", "b"], ["a", "b"]]).value == 50
    assert dialoom.metrics.call_accuracy(["f(x=1)"], ["f(x=1)"]).value == 100
    with pytest.raises(UsageError):
        dialoom.metrics.bleu([], [])


def test_no_progress_is_shown_where_none_is_wanted(capfd: pytest.CaptureFixture[str]) -> None:
    corpus = dialoom.simulate("weather", n=2, progress=False)
    corpus.lint(progress=False)
    assert isinstance(corpus[0], Dialogue)
    assert capfd.readouterr().err == ""


def test_a_wrong_setting_is_reported_before_data_are_read(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        dialoom.evaluate("sim-zero-shot", tmp_path / "none", settings={"forms": "x"})


def test_a_copy_of_a_task_has_no_file_to_check() -> None:
    copied = replace(dialoom.load_task("weather"), description="Another.")
    with pytest.raises(UsageError):
        copied.check()
