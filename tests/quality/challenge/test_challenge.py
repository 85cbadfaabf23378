"""GEM's challenge sets: what they are drawn from, what is changed, what is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import (
    GOLD,
    GUIDE,
    SYSTEM,
    USER,
    Act,
    Argument,
    Dialogue,
    Layer,
    Origin,
    Part,
    Query,
    ServiceAct,
    Utterance,
)
from dialoom.errors import MissingDataError, UnknownNameError, UsageError
from dialoom.quality.challenge.backtranslation import SCRIPTED
from dialoom.quality.challenge.sets import ChallengeSettings, GenerationItem, items, part_of
from dialoom.quality.challenge.writing import Drawing, Sample, rank_of, write
from tests.cli.runner import tree
from tests.make import refuses

SETS = [
    "challenge_train_sample",
    "challenge_validation_sample",
    "challenge_test_backtranslation",
    "challenge_test_bfp02",
    "challenge_test_bfp05",
    "challenge_test_nopunc",
    "challenge_test_scramble",
]


def user(text: str) -> Utterance:
    return Utterance(agent=USER, text=text)


def system(text: str, *acts: str, source: str = GOLD) -> Utterance:
    part = Part("Cafes_1", acts=tuple(Act(name) for name in acts))
    return Utterance(agent=SYSTEM, text=text, layers=(Layer(source, (part,)),))


def dialogue(number: int, file: str | None = "train/a.json") -> Dialogue:
    names = ("OFFER", "INFORM", "REQUEST", "CONFIRM")[: 1 + number % 4]
    return Dialogue(
        id=f"d{number}",
        events=(
            user("I'd like a table at a place nearby, please."),
            system("Which town?", "REQUEST"),
            user("In Ostby, that would be good."),
            system("The Corn Hall is there.", *names),
        ),
        origin=None if file is None else Origin(file, number),
    )


def corpus(*files: str | None, many: int = 8) -> Iterator[Dialogue]:
    for file in files:
        yield from (dialogue(number, file) for number in range(many))


def made(
    folder: Path, dialogues: Iterator[Dialogue], settings: ChallengeSettings
) -> dict[str, Any]:
    folder.mkdir()
    drawing = Drawing(settings)
    drawing.add_all(dialogues)
    return write(drawing, settings, {"format": "native"}, folder)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_an_item_is_the_user_turn_the_acts_and_the_target() -> None:
    one = Act("OFFER", (Argument("place", ("Corn Hall",)),))
    parts = (Part("Cafes_1", acts=(one, Act("CONFIRM"))), Part("Taxis_2", acts=(Act("REQUEST"),)))
    log = Dialogue(
        id="7",
        events=(
            system("Hello.", "GREET"),
            user("Hi."),
            Query(id="1", api="Find"),
            Utterance(agent=GUIDE, text="Go on."),
            user("A table."),
            user("For two."),
            Utterance(agent=SYSTEM, text="The Corn Hall?", layers=(Layer(GOLD, parts),)),
            system("Well?", "REQUEST", source="simulator"),
            system("", "NOTHING"),
            Utterance(agent=SYSTEM, text="Bye."),
        ),
        origin=Origin("dev/x.json", 3),
    )
    first, both, again = items(log)
    assert (first.prompt, first.target) == ("", "Hello.")
    assert both == GenerationItem(
        id="dev/x.json/7/6",
        dialogue="7",
        event=6,
        prompt="A table. For two.",
        acts=(
            ServiceAct(one, "Cafes_1"),
            ServiceAct(Act("CONFIRM"), "Cafes_1"),
            ServiceAct(Act("REQUEST"), "Taxis_2"),
        ),
        target="The Corn Hall?",
    )
    assert (again.prompt, again.event) == (both.prompt, 7)


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("train/dialogues_001.json", "train"),
        ("dev/dialogues_001.json", "dev"),
        ("validation/x.json", "dev"),
        ("dialog-babi-task1trn.txt", "train"),
        ("dialog-babi-task6-dstc2-tst.txt", "test"),
        ("tst3/dialog-task1API-kb1_atmosphere_restrictions-distr0.5-tst1000.json", "test"),
        ("dialogues/1.json", None),
        ("latest/contest-trains.json", None),
    ],
)
def test_parts_by_the_names_of_files(file: str, part: str | None) -> None:
    assert part_of(dialogue(1, file)) == part
    assert part_of(dialogue(1, None)) is None


def test_each_set_is_drawn_from_its_part(tmp_path: Path) -> None:
    files = ("train/a.json", "dev/a.json", "test/a.json")
    report = made(tmp_path / "out", corpus(*files), ChallengeSettings(size=5))
    assert [report["sets"][name]["from"] for name in SETS] == ["train", "dev", *["test"] * 5]
    assert report["parts"] == {"dev": 16, "test": 16, "train": 16}
    ids = json.loads((tmp_path / "out" / "ids.json").read_bytes())
    for name in SETS:
        members = [line["id"] for line in lines(tmp_path / "out" / name / "items.jsonl")]
        assert members == ids[name]
        assert len(members) == len(set(members)) == report["sets"][name]["items"] == 5
        assert all(each.startswith(f"{report['sets'][name]['from']}/a.json/") for each in members)


def test_the_development_part_replaces_a_missing_test_part(tmp_path: Path) -> None:
    report = made(tmp_path / "out", corpus("train/a.json", "dev/a.json"), ChallengeSettings(size=5))
    assert {report["sets"][name]["from"] for name in SETS[2:]} == {"dev"}
    assert report["families"]["act_type"]["from"] == "dev"


def test_without_parts_all_is_drawn_from_the_whole(tmp_path: Path) -> None:
    report = made(tmp_path / "out", corpus(None), ChallengeSettings(size=50))
    assert {report["sets"][name]["from"] for name in SETS} == {"whole corpus"}
    assert {report["sets"][name]["items"] for name in SETS} == {16}
    assert report["parts"] == {"none": 16}


def test_what_is_changed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    report = made(out, corpus("test/a.json", many=40), ChallengeSettings(seed=3, size=30))
    whole = {item.id: item for each in corpus("test/a.json", many=40) for item in items(each)}
    changed = {}
    for name in SETS:
        changed[name] = 0
        for line in lines(out / name / "items.jsonl"):
            item = whole[line["id"]]
            assert line["target"] == item.target
            acts = [each["act"]["name"] for each in line["acts"]]
            assert sorted(acts) == sorted(each.act.name for each in item.acts)
            same = acts == [each.act.name for each in item.acts], line["prompt"] == item.prompt
            assert all(same) or same == (name != SETS[-1], name == SETS[-1])
            changed[name] += not all(same)
        assert changed[name] == report["sets"][name]["changed"]
    assert [changed[name] for name in SETS[:2]] == [0, 0]
    assert changed["challenge_test_backtranslation"] == 30
    assert changed["challenge_test_nopunc"] == 30
    assert 0 < changed["challenge_test_bfp02"] < changed["challenge_test_bfp05"] <= 30
    scrambled = lines(out / "challenge_test_scramble" / "items.jsonl")
    assert changed["challenge_test_scramble"] == sum(len(line["acts"]) > 1 for line in scrambled)


def test_the_substitute_is_named_as_one(tmp_path: Path) -> None:
    entry = made(tmp_path / "out", corpus(None), ChallengeSettings())["sets"][SETS[2]]
    assert entry["back_translator"] == "scripted"
    assert "no model translated" in entry["stand_in"]


def test_the_substitute_rewords() -> None:
    texts = ["I'd like to find one.", "Find it!", "Refinding", ""]
    assert SCRIPTED.texts(texts, "en") == [
        "I would like to search out one.",
        "Search out it!",
        "Refinding",
        "",
    ]


def test_subpopulations(tmp_path: Path) -> None:
    out = tmp_path / "out"
    report = made(out, corpus("test/a.json"), ChallengeSettings(act_type="first"))
    numbers = report["families"]["number_of_acts"]["subpopulations"]
    assert {name: row["items"] for name, row in numbers.items()} == {
        "1": 10,
        "2": 2,
        "3": 2,
        "4": 2,
    }
    types = report["families"]["act_type"]["subpopulations"]
    assert {name: row["items"] for name, row in types.items()} == {"OFFER": 8, "REQUEST": 8}
    ids = json.loads((out / "ids.json").read_bytes())
    for family in ("number_of_acts", "act_type"):
        assert ids[family].keys() == report["families"][family]["subpopulations"].keys()
        for name, row in report["families"][family]["subpopulations"].items():
            members = [line["id"] for line in lines(out / family / row["file"])]
            assert members == ids[family][name]


def test_the_type_of_the_last_act(tmp_path: Path) -> None:
    report = made(tmp_path / "out", corpus("test/a.json"), ChallengeSettings())
    types = report["families"]["act_type"]["subpopulations"]
    assert {name: row["items"] for name, row in types.items()} == {
        "CONFIRM": 2,
        "INFORM": 2,
        "OFFER": 2,
        "REQUEST": 10,
    }


def test_names_that_make_no_file_name_are_numbered(tmp_path: Path) -> None:
    names = ("../up", "Same", "same", "", "ok")
    log = Dialogue(id="1", events=tuple(system("Hm.", name) for name in names))
    report = made(tmp_path / "out", iter([log]), ChallengeSettings())
    files = {
        name: row["file"] for name, row in report["families"]["act_type"]["subpopulations"].items()
    }
    assert files == {
        "": "1-.jsonl",
        "../up": "2-.jsonl",
        "Same": "Same.jsonl",
        "ok": "ok.jsonl",
        "same": "5-.jsonl",
    }
    assert sorted(path.name for path in (tmp_path / "out" / "act_type").iterdir()) == sorted(
        files.values()
    )


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("one", 5), ("two", 5), ("other", 6)):
        made(tmp_path / name, corpus("train/a.json", "dev/a.json"), ChallengeSettings(seed, size=4))
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    assert tree(tmp_path / "one").keys() == tree(tmp_path / "other").keys()
    assert tree(tmp_path / "one") != tree(tmp_path / "other")


def test_a_sample_does_not_depend_on_order() -> None:
    many = [item for each in corpus(None, many=50) for item in items(each)]
    draws = []
    for offered in (many, many[::-1]):
        sample = Sample(12)
        for item in offered:
            sample.offer(item, rank_of(1, "x", item.id))
        assert (sample.offered, len(sample.items)) == (100, 12)
        draws.append({item.id for item in sample.items})
    assert draws[0] == draws[1]


def test_no_items(tmp_path: Path) -> None:
    silent = replace(dialogue(1), events=(user("Hi."), Utterance(agent=SYSTEM, text="Hello.")))
    with refuses(MissingDataError, "nothing-to-ask"):
        made(tmp_path / "out", iter([silent]), ChallengeSettings())


def test_bad_settings() -> None:
    with refuses(UsageError, "out-of-range", "--size"):
        Drawing(ChallengeSettings(size=0))
    with refuses(UsageError, "out-of-range", "--pool"):
        Drawing(ChallengeSettings(pool=-1))
    with refuses(UnknownNameError, "unknown-name", "first"):
        Drawing(ChallengeSettings(act_type="frist"))
    with refuses(UnknownNameError, "unknown-name", "back-translator"):
        Drawing(ChallengeSettings(back_translator="babel"))
    with refuses(UnknownNameError, "unknown-name", "language"):
        Drawing(ChallengeSettings(language="xx"))


@pytest.mark.corpus
def test_the_shared_part_of_sgd(corpora: Path, tmp_path: Path) -> None:
    dialogues = formats.load(corpora / "sgd" / "dev").dialogues()
    report = made(tmp_path / "out", dialogues, ChallengeSettings(pool=100_000, act_type="last"))
    numbers = report["families"]["number_of_acts"]["subpopulations"]
    assert {name: row["items"] for name, row in numbers.items()} == {
        "1": 9736,
        "2": 4571,
        "3": 1944,
        "4": 1449,
        "5": 1549,
        "6": 128,
        "7": 7,
    }
    types = report["families"]["act_type"]["subpopulations"]
    assert set(types) == {
        *("CONFIRM", "GOODBYE", "INFORM", "INFORM_COUNT", "NOTIFY_FAILURE"),
        *("NOTIFY_SUCCESS", "OFFER", "OFFER_INTENT", "REQUEST", "REQ_MORE"),
    }
