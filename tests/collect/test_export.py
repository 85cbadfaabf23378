"""An exported study reads back, lints clean, trains the follower, and names nobody."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.collect.export import Exported, export
from dialoom.collect.log.store import Store
from dialoom.collect.room.scenario import Library
from dialoom.collect.settings import Settings
from dialoom.collect.study.study import Study
from dialoom.dialogue import Dialogue, Example, Question, Result, Utterance
from dialoom.dialogue.views import action
from dialoom.errors import FormatError, OutputError, UnknownNameError
from dialoom.models.follower import Follower
from tests.cli.runner import alone
from tests.collect.playing import Playing

MANY = 8
SETTINGS = Settings(tasks=("weather",), scenarios=MANY, target=2, seed=5, scenario="unhappy")


@pytest.fixture(scope="module")
def playing() -> Iterator[Playing]:
    """A study with some dialogues that are over, and one under way."""
    library = Library(SETTINGS)
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


def star(playing: Playing, folder: Path) -> tuple[Exported, list[Dialogue]]:
    exported = export(playing.store, "star", folder)
    return exported, list(formats.load(folder, "star").dialogues())


def test_star_files_read_back_and_lint_clean(playing: Playing, tmp_path: Path) -> None:
    _, dialogues = star(playing, tmp_path / "star")
    assert {d.outcome for d in dialogues} == {"Complete"}
    assert any(isinstance(event, Result) and event.items for d in dialogues for event in d.events)
    told = alone("lint", tmp_path / "star")
    assert told.code == 0, told.out
    assert ": 0 errors," in told.out, told.out


def test_workers_are_numbers(playing: Playing, tmp_path: Path) -> None:
    _, dialogues = star(playing, tmp_path / "star")
    numbers = [set(d.workers.values()) for d in dialogues]
    assert all(len(pair) == 2 and all(n.isdigit() for n in pair) for pair in numbers)
    assert len(set().union(*numbers)) == 2 * MANY
    written = "".join(p.read_text() for p in (tmp_path / "star").rglob("*.json"))
    assert '"w1"' not in written


def test_it_trains_the_follower(playing: Playing, tmp_path: Path) -> None:
    export(playing.store, "native", tmp_path / "native")
    corpus = formats.load(tmp_path / "native", "native")
    examples = [
        Example(Question(dialogue, place, "weather"), name)
        for dialogue in corpus.dialogues()
        for place, event in enumerate(dialogue.events)
        if (name := action(event)) is not None
    ]
    model = Follower()
    model.fit(examples, corpus.schemas)
    told = model.predict([example.question for example in examples], corpus.schemas)
    right = sum(t.value == example.label for t, example in zip(told, examples, strict=True))
    assert right / len(examples) > 0.5


def test_comments_and_ratings_are_in_the_native_form(playing: Playing, tmp_path: Path) -> None:
    export(playing.store, "native", tmp_path / "native")
    for dialogue in formats.load(tmp_path / "native", "native").dialogues():
        told = {(answer.agent, answer.answer) for answer in dialogue.answers}
        assert {("user", "From the user."), ("system", "From the wizard."), ("user", 4)} <= told
        assert any(isinstance(event, Utterance) for event in dialogue.events)


def test_what_cannot_be_exported_is_told(playing: Playing, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        export(playing.store, "starr", tmp_path / "out")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(OutputError):
        export(playing.store, "star", tmp_path / "full")
    with Store.open(":memory:") as empty, pytest.raises(FormatError):
        export(empty, "star", tmp_path / "none")
    assert not (tmp_path / "none").exists()
