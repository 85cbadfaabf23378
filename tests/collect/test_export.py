"""An exported study reads back, lints clean, trains the follower, and names nobody."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom import formats
from dialoom.collect.export import Collected, Exported, export
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.store import Store
from dialoom.collect.settings import Settings
from dialoom.collect.study import administration, dashboard
from dialoom.collect.study.study import Study
from dialoom.corpus import Corpus
from dialoom.corpus.shards import COLLECTED
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Dialogue,
    Example,
    NextAction,
    Question,
    Result,
    Utterance,
)
from dialoom.dialogue.views import action, label
from dialoom.errors import FormatError, OutputError, UnknownNameError
from dialoom.formats.native import NativeFormat
from dialoom.models.follower import Follower
from dialoom.quality.lint import lint
from dialoom.quality.stats import Statistics
from tests.cli.runner import Run
from tests.collect.playing import Playing
from tests.collect.scripted import OWN_REASON, REASON, Scripted, started
from tests.found import some

MANY = 8
SETTINGS = Settings(tasks=("weather",), scenarios=MANY, target=2, seed=6, scenario="unhappy")


@pytest.fixture(scope="module")
def playing() -> Iterator[Playing]:
    """A study with some dialogues that are over, and one under way."""
    library = ScenarioLibrary(SETTINGS)
    with Store.open(":memory:") as store:
        study = Study(SETTINGS, library)
        store.submit(study.start(0)).result()
        playing = Playing(study, store, library)
        for _ in range(MANY):
            playing.play()
        playing.pair()
        yield playing


@pytest.mark.parametrize("to", ["star", "native", "frames"])
def test_every_dialogue_that_is_over_is_written(playing: Playing, tmp_path: Path, to: str) -> None:
    exported = export(playing.store, to, tmp_path / to)
    assert (exported.dialogues, exported.running) == (MANY, 1)
    assert exported.outcomes == {"Complete": MANY}
    assert len(list(formats.load(tmp_path / to, to).dialogues())) == MANY


def test_a_native_corpus_records_the_study_without_its_workers(
    playing: Playing, tmp_path: Path
) -> None:
    export(playing.store, "native", tmp_path / "out")
    record = NativeFormat().manifest(tmp_path / "out").extra[COLLECTED]
    assert (record["seed"], record["scenario"]) == (SETTINGS.seed, "unhappy")
    assert record["pay"] == msgspec.structs.asdict(SETTINGS.pay)
    assert not {"wizards", "codes"} & set(record)


@pytest.mark.parametrize("to", ["star", "native"])
def test_verdicts_and_ratings_of_reviews_are_exported(tmp_path: Path, to: str) -> None:
    library = ScenarioLibrary(SETTINGS)
    with Store.open(":memory:") as store:
        study = Study(SETTINGS, library)
        store.submit(study.start(0)).result()
        playing = Playing(study, store, library)
        for _ in range(2):
            playing.play()
        rejected, accepted, *_ = study.state.reviews.all
        verdicts: list[tuple[int, dict[str, Any]]] = [
            (rejected, {"accepted": False, "reason": "Off topic.", "instructions": 2}),
            (accepted, {"accepted": True, "instructions": 5, "creativity": 4}),
        ]
        for number, verdict in verdicts:
            store.submit(administration.review(study, number, playing.now, **verdict)).result()
        export(store, to, tmp_path / to)
    first, second = formats.load(tmp_path / to, to).dialogues()
    assert sorted(first.extra["Reviews"].values(), key=lambda each: each["Accepted"]) == [
        {"Accepted": False, "Reason": "Off topic.", "Instructions": 2},
        {"Accepted": True, "Instructions": 5, "Creativity": 4},
    ]
    assert "Reviews" not in second.extra


def star(playing: Playing, folder: Path) -> tuple[Exported, list[Dialogue]]:
    exported = export(playing.store, "star", folder)
    return exported, list(formats.load(folder, "star").dialogues())


def test_star_files_read_back_and_lint_clean(run: Run, playing: Playing, tmp_path: Path) -> None:
    _, dialogues = star(playing, tmp_path / "star")
    assert {d.outcome for d in dialogues} == {"Complete"}
    assert any(isinstance(event, Result) and event.items for d in dialogues for event in d.events)
    report = run("lint", tmp_path / "star")
    assert report.code == 0, report.out
    assert ": 0 errors," in report.out, report.out


def test_workers_are_numbers(playing: Playing, tmp_path: Path) -> None:
    _, dialogues = star(playing, tmp_path / "star")
    numbers = [set(d.workers.values()) for d in dialogues]
    assert all(len(pair) == 2 and all(n.isdigit() for n in pair) for pair in numbers)
    assert len(set().union(*numbers)) == 2 * MANY
    text = "".join(p.read_text() for p in (tmp_path / "star").rglob("*.json"))
    assert '"w1"' not in text


def test_it_trains_the_follower(playing: Playing, tmp_path: Path) -> None:
    export(playing.store, "native", tmp_path / "native")
    corpus = formats.load(tmp_path / "native", "native")
    examples = [
        Example(Question(dialogue, place, NextAction("weather")), name)
        for dialogue in corpus.dialogues()
        for place, event in enumerate(dialogue.events)
        if (name := action(event)) is not None
    ]
    model = Follower()
    model.fit(examples, corpus.schemas)
    answers = model.predict([example.question for example in examples], corpus.schemas)
    right = sum(t.answer == example.answer for t, example in zip(answers, examples, strict=True))
    assert right / len(examples) > 0.5


def test_comments_and_ratings_are_in_the_native_form(playing: Playing, tmp_path: Path) -> None:
    export(playing.store, "native", tmp_path / "native")
    for dialogue in some(formats.load(tmp_path / "native", "native").dialogues()):
        remarks = {(answer.agent, answer.answer) for answer in dialogue.answers}
        assert {("user", "From the user."), ("system", "From the wizard."), ("user", 4)} <= remarks
        assert any(isinstance(event, Utterance) for event in dialogue.events)


def test_what_cannot_be_exported_is_reported(playing: Playing, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        export(playing.store, "starr", tmp_path / "out")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(OutputError):
        export(playing.store, "star", tmp_path / "full")
    with Store.open(":memory:") as empty, pytest.raises(FormatError):
        export(empty, "star", tmp_path / "none")
    assert not (tmp_path / "none").exists()


# --- what a study may hold besides ----------------------------------------------------------------

KINDS = {
    "multi": ("restaurant_book", "hotel_search", "apartment_search"),
    "unhappy": ("apartment_search", "bank_fraud_report", "trip_directions"),
    "mixed": ("trivia", "weather", "plane_book"),
}
OUTCOMES = {
    "Complete": 4,
    "DisconnectDuringDialogue": 1,
    "DisconnectDuringQuestionnaire": 3,
    "EarlyDisconnectDuringDialogue": 2,
}


@pytest.fixture(scope="module", params=KINDS)
def scripted(request: pytest.FixtureRequest) -> Iterator[Scripted]:
    """A study with every way to end, own words, picks off the flow, two items, and comments."""
    settings = Settings(
        tasks=KINDS[request.param], scenario=request.param, seed=5, scenarios=20, guard="reason"
    )
    with Store.open(":memory:") as store:
        study = started(settings, store)
        for _ in range(OUTCOMES["Complete"]):
            study.script()
        for exchanges in (0, 1, 3):
            study.script(exchanges)
        study.script(answered=("user",))
        study.script(answered=("wizard",))
        study.script(answered=())
        study.pair()
        yield study


def read(made: Playing, to: str, folder: Path) -> tuple[Exported, Corpus]:
    exported = export(made.store, to, folder)
    return exported, formats.load(folder, to)


WARNED = {
    "W501",  # nobody said anything before they left
    "W703",  # picks off the flow, of which the guard wanted a reason; queries right after queries
}


@pytest.mark.parametrize("to", ["star", "native", "frames", "sgd", "gem", "parquet"])
def test_whatever_happened_reads_back_and_lints_clean(
    scripted: Scripted, tmp_path: Path, to: str
) -> None:
    exported, corpus = read(scripted, to, tmp_path / to)
    assert (exported.outcomes, exported.running) == (OUTCOMES, 1)
    assert len(list(corpus.dialogues())) == exported.dialogues
    faults = list(lint(corpus))
    assert {finding.code for finding in faults} - WARNED == set(), [str(each) for each in faults]


def test_star_files_show_how_it_ended(scripted: Scripted, tmp_path: Path) -> None:
    _, corpus = read(scripted, "star", tmp_path / "star")
    ended: dict[str | None, set[int]] = {}
    for dialogue in corpus.dialogues():
        many = sum(isinstance(event, Utterance) for event in dialogue.events)
        ended.setdefault(dialogue.outcome, set()).add(many)
    assert ended.keys() == OUTCOMES.keys()
    assert ended["EarlyDisconnectDuringDialogue"] == {0, 2}
    assert ended["DisconnectDuringDialogue"] == {6}


def test_own_words_overrides_and_comments_are_in_both_forms(
    scripted: Scripted, tmp_path: Path
) -> None:
    for to in ("star", "native"):
        _, corpus = read(scripted, to, tmp_path / to)
        dialogues = list(corpus.dialogues())
        spoken = [e for d in dialogues for e in d.events if isinstance(e, Utterance)]
        own = [e for e in spoken if e.agent == SYSTEM and label(e) is None]
        assert {event.text for event in own} == {"One moment, I look it up."}
        overridden = [event.extra["Override"] for event in spoken if "Override" in event.extra]
        assert len(overridden) >= 4
        assert {each["Reason"] for each in overridden} == {REASON, OWN_REASON}
        assert {event.extra["Override"]["Reason"] for event in own} == {OWN_REASON}
        assert all(isinstance(each["Expected"], list) for each in overridden)
        comments = Counter(
            (answer.agent, answer.answer)
            for dialogue in dialogues
            for answer in dialogue.answers
            if isinstance(answer.answer, str)
        )
        assert comments == {
            (USER, 'Said "so-so"; user – ü.'): 5,
            (SYSTEM, 'Said "so-so"; wizard – ü.'): 5,
        }
        ratings = [a.answer for d in dialogues for a in d.answers if type(a.answer) is int]
        assert ratings == [2] * 5


def test_replies_have_the_acts_that_the_format_has(playing: Playing, tmp_path: Path) -> None:
    for to, act_name in (("frames", "request"), ("sgd", "REQUEST")):
        _, corpus = read(playing, to, tmp_path / to)
        requested = {
            argument.slot
            for dialogue in corpus.dialogues()
            for event in dialogue.events
            if isinstance(event, Utterance) and event.agent == SYSTEM
            for part in event.layers[0].parts
            for act in part.acts or ()
            if act.name == act_name
            for argument in act.arguments
        }
        assert requested and requested <= {"city", "day"}  # which, the draw of scenarios decides


def test_what_ends_while_an_export_runs_is_no_loss(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    passes: list[Collected] = []
    unchanged = Collected.dialogues

    def dialogues(study: Collected) -> Iterator[Dialogue]:
        if passes:
            session.script(1)
        passes.append(study)
        return unchanged(study)

    monkeypatch.setattr(Collected, "dialogues", dialogues)
    settings = Settings(tasks=("weather",), scenarios=4, seed=5)
    with Store.open(":memory:") as store:
        session = started(settings, store)
        session.script()
        exported = export(store, "native", tmp_path / "native")
    assert len(passes) == 2
    assert (exported.dialogues, exported.outcomes, exported.loss) == (1, {"Complete": 1}, {})


@pytest.mark.parametrize("to", ["star", "native"])
def test_table_8_is_the_dashboards(scripted: Scripted, tmp_path: Path, to: str) -> None:
    _, corpus = read(scripted, to, tmp_path / to)
    name = formats.get(to).event_name
    result = Statistics(name, corpus.schemas, "").add_all(corpus.dialogues()).result()
    order = dashboard.state(scripted.study, scripted.now)["order"]
    assert result.get("question_order") == order
    assert (order is None) == (scripted.study.settings.scenario == "multi")


def test_the_command_for_statistics_counts_them_so(
    run: Run, playing: Playing, tmp_path: Path
) -> None:
    export(playing.store, "star", tmp_path / "star")
    file = tmp_path / "stats.json"
    assert run("stats", tmp_path / "star", "--json", file).code == 0
    order = dashboard.state(playing.study, playing.now)["order"]
    assert order["tasks"]["weather"]["dialogues"] == MANY
    assert json.loads(file.read_bytes())["question_order"] == json.loads(json.dumps(order))
