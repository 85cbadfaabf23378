"""Patches of annotations: what they change, what they refuse, and that the source stays."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

import pytest
from msgspec import UNSET, structs

import dialoom
from dialoom import formats
from dialoom.corpus.patches import Overlay, Patch, apply, overlay_of, patched
from dialoom.dialogue import GOLD, SYSTEM, Act, Dialogue, Layer, Part, Utterance
from dialoom.errors import FormatError, MissingDataError, UsageError
from tests.make import refuses

ACT = "/events/0/layers/0/parts/0/acts/0"


def talk(id: str = "d", act: str = "greet") -> Dialogue:
    layers = (Layer(GOLD, (Part(acts=(Act(act),)),)),)
    return Dialogue(id=id, events=(Utterance(agent=SYSTEM, text="Hi.", layers=layers),))


def patch(**values: object) -> Patch:
    fields = {"dialogue": "d", "pointer": ACT, "who": "ada", "when": "2026-01-01T00:00:00Z"}
    return Patch(**{**fields, **values})  # type: ignore[arg-type]


def acts(dialogue: Dialogue) -> list[str]:
    utterance = dialogue.events[0]
    assert isinstance(utterance, Utterance)
    return [act.name for act in utterance.layers[0].parts[0].acts or ()]


CHANGED = patch(before={"name": "greet"}, after={"name": "bye"})


def test_a_value_is_changed_added_and_removed() -> None:
    assert acts(apply(talk(), CHANGED)) == ["bye"]
    added = patch(after={"name": "bye"})
    assert acts(apply(talk(), added)) == ["bye", "greet"]
    assert acts(apply(talk(), patch(before={"name": "greet"}))) == []


@pytest.mark.parametrize(
    "each", [CHANGED, patch(after={"name": "x"}), patch(before={"name": "greet"})]
)
def test_a_patch_can_be_taken_back(each: Patch) -> None:
    undone = each.undone("bob", "2026-01-02T00:00:00Z")
    assert apply(apply(talk(), each), undone) == talk()
    assert (undone.who, undone.before) == ("bob", each.after)


@pytest.mark.parametrize(
    "wrong",
    [
        patch(before={"name": "other"}, after={"name": "bye"}),
        patch(before={"name": "greet"}, after={"nome": "bye"}),
        patch(before={"name": "greet"}, after=3),
        patch(pointer="/events/7/layers", after=[]),
        patch(pointer="/events/x/layers", after=[]),
        patch(pointer="", after=[]),
        patch(pointer="/events/0/text/3", after="x"),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(wrong: Patch) -> None:
    with pytest.raises(UsageError):
        apply(talk(), wrong)


def written(folder: Path) -> Path:
    place = folder / "talks"
    place.mkdir()
    dialogues = [talk("d"), talk("e")]
    formats.get("native").write(dialogues, {}, place)
    return place


def test_a_corpus_is_read_with_its_patches_and_stays(tmp_path: Path) -> None:
    place = written(tmp_path)
    before = {file.name: file.read_bytes() for file in place.iterdir()}
    Overlay(overlay_of(place)).append(talk("d"), CHANGED)
    assert overlay_of(place) == tmp_path / "talks.patches.jsonl"
    names = {dialogue.id: acts(dialogue) for dialogue in dialoom.load(place).patched()}
    assert names == {"d": ["bye"], "e": ["greet"]}
    plain, mended = dialoom.load(place), dialoom.load(place).patched()
    assert (plain.as_stored, mended.as_stored) == (True, False)
    assert plain.digest != mended.digest
    assert {dialogue.id: acts(dialogue) for dialogue in dialoom.load(place)}["d"] == ["greet"]
    assert {file.name: file.read_bytes() for file in place.iterdir()} == before


def test_a_patched_corpus_is_saved_with_its_patches(tmp_path: Path) -> None:
    place = written(tmp_path)
    Overlay(overlay_of(place)).append(talk("d"), CHANGED)
    dialoom.load(place).patched().convert("native", tmp_path / "mended", progress=False)
    assert acts(next(iter(dialoom.load(tmp_path / "mended")))) == ["bye"]


def test_patches_are_added_to_a_file_without_a_last_line_break(tmp_path: Path) -> None:
    overlay = Overlay(tmp_path / "x.patches.jsonl")
    overlay.append(talk(), CHANGED)
    overlay.file.write_bytes(overlay.file.read_bytes().rstrip())
    again = Overlay(overlay.file)
    again.append(again.applied(talk()), patch(before={"name": "bye"}, after={"name": "thank"}))
    assert acts(Overlay(overlay.file).applied(talk())) == ["thank"]


def test_a_changed_source_and_a_broken_line_are_errors_with_their_place(tmp_path: Path) -> None:
    place = written(tmp_path)
    Overlay(overlay_of(place)).append(talk("d"), CHANGED)
    formats.get("native").write([talk("d", "thank")], {}, place)
    with refuses(FormatError, "mismatch", "talks.patches.jsonl", "d"):
        list(patched(formats.load(place)))
    overlay_of(place).write_text('{"dialogue": 3}\n')
    with refuses(FormatError, "wrong-type", "line 1"):
        patched(formats.load(place))
    with refuses(MissingDataError, "no-file", "nosuch"):
        dialoom.load(place).patched(tmp_path / "nosuch")


def test_a_patch_is_for_one_of_several_dialogues_with_its_id(tmp_path: Path) -> None:
    place = tmp_path / "talks"
    formats.get("native").write([talk("d"), talk("e"), talk("d"), talk("d")], {}, place)
    overlay = Overlay(overlay_of(place))
    overlay.append(talk("d"), structs.replace(CHANGED, nth=1))
    names = [acts(dialogue) for dialogue in dialoom.load(place).patched()]
    assert names == [["greet"], ["greet"], ["bye"], ["greet"]]
    overlay.append(talk("e"), structs.replace(CHANGED, dialogue="e"))  # as older versions wrote it
    older = overlay.file.read_bytes().replace(b'"nth":1,', b"")
    overlay.file.write_bytes(older)
    assert [acts(each) for each in dialoom.load(place).patched()] == [["bye"]] * 4


def test_patches_of_others_are_read_under_the_lock(tmp_path: Path) -> None:
    mine, theirs = (Overlay(tmp_path / "x.patches.jsonl") for _ in range(2))
    theirs.append(talk(), CHANGED)
    assert mine.of(talk()) == []
    ended = Event()
    with mine.locked():
        assert mine.of(talk()) == [CHANGED]

        def wait() -> None:
            with theirs.locked():
                ended.set()

        thread = Thread(target=wait)
        thread.start()
        assert not ended.wait(0.1)
    thread.join()
    assert ended.is_set()


def test_absent_and_null_differ() -> None:
    assert patch().before is UNSET
    assert patch(before=None).before is None
