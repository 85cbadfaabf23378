"""Runs: the published files, the same bytes with any workers, and what is read back."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.corpus.shards import Shard
from dialoom.dialogue import Dialogue, Options, Query, encode
from dialoom.errors import UsageError
from dialoom.formats.babi.lists import load_kb
from dialoom.formats.base.conversion import convert
from dialoom.formats.dstc6.dialogues import about
from dialoom.quality.lint import lint
from dialoom.sim.core.plan import PRESETS, Request
from dialoom.sim.core.run import WorkerPool
from dialoom.sim.presets.dstc6 import LARGEST, BookingPlan
from tests.found import some

NUMBER = 12
KINDS = {"task1API", "task2REFINE", "task3OPTIONS", "task4INFOS", "task5FULL"}


def plan_of(preset: str, number: int = NUMBER, seed: int = 3) -> BookingPlan:
    plan = PRESETS.get(preset).plan(Request(number=number, seed=seed))
    assert isinstance(plan, BookingPlan)
    return plan


def written(preset: str, folder: Path, number: int = NUMBER) -> BookingPlan:
    plan = plan_of(preset, number)
    folder.mkdir()
    loss = convert(lambda: dialogues(plan), plan.schemas, formats.get(preset), folder)
    whole = {field for field in loss if not field.startswith("utterance.layers")}
    assert whole == {"dialogue.provenance"}
    return plan


def dialogues(plan: BookingPlan) -> Iterator[Dialogue]:
    return map(plan.source(), range(plan.dialogues))


@pytest.fixture(scope="module")
def dstc6(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("booking") / "dstc6"
    written("dstc6", folder)
    return folder


@pytest.fixture(scope="module")
def babi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("booking") / "babi"
    written("babi", folder)
    return folder


def test_files_are_named_as_the_published_ones(dstc6: Path) -> None:
    names = sorted(f.relative_to(dstc6).as_posix() for f in dstc6.rglob("*") if f.is_file())
    assert names[:2] == ["extendedkb1.txt", "extendedkb2.txt"]
    assert f"train/dialog-task3OPTIONS-kb1_atmosphere-distr0.5-trn{NUMBER}.json" in names
    last = f"tst4/dialog-task5FULL-kb2_atmosphere_restrictions-distr0.5-tst{NUMBER}"
    assert {f"{last}.json", f"{last}.answers.json"} <= set(names)
    assert len(names) == 2 + 5 + 4 * 10
    for part in ("train", "tst1", "tst2", "tst3", "tst4"):
        files = [about(n) for n in names if n.startswith(part) and "answers" not in n]
        assert {file.task for file in files if file} == KINDS


def test_training_items_have_answers_and_test_items_have_them_beside(dstc6: Path) -> None:
    for file in some(dstc6.rglob("dialog-*.json")):
        items = json.loads(file.read_text())
        assert len(items) == NUMBER
        if file.name.endswith(".answers.json"):
            continue
        keys = {tuple(item) for item in items}
        beside = file.with_name(file.name.replace(".json", ".answers.json"))
        assert beside.exists() == (file.parent.name != "train")
        if beside.exists():
            assert keys == {("dialog_id", "candidates", "utterances")}
            ranked = {e["dialog_id"]: e["lst_candidate_id"] for e in json.loads(beside.read_text())}
            for item in items:
                (best,) = ranked[item["dialog_id"]]
                assert best["rank"] == 1
                assert best["candidate_id"] in {c["candidate_id"] for c in item["candidates"]}
        else:
            assert keys == {("dialog_id", "candidates", "utterances", "answer")}
            assert all(item["answer"] in item["candidates"] for item in items)


def test_training_and_test_share_no_request(dstc6: Path) -> None:
    calls: dict[str, set[tuple[str, ...]]] = {}
    for dialogue in formats.load(dstc6).dialogues():
        assert dialogue.origin is not None
        part = dialogue.origin.file.partition("/")[0]
        for event in dialogue.events:
            if isinstance(event, Query):
                request = tuple(str(c.value) for c in event.constraints)[:5]
                calls.setdefault(part, set()).add(request)
    assert calls["train"]
    for part in ("tst1", "tst2", "tst3", "tst4"):
        assert calls[part]
        assert not calls["train"] & calls[part]


@pytest.mark.parametrize("preset", ["dstc6", "babi"])
def test_what_is_written_lints_clean(preset: str, request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue(preset)
    counts = Counter(finding.severity for finding in lint(formats.load(folder)))
    assert counts["error"] == counts["warning"] == 0


def test_babi_has_its_files_and_lists(babi: Path) -> None:
    names = {file.name for file in babi.iterdir()}
    parts = ("trn", "dev", "tst", "tst-OOV")
    expected = {f"dialog-babi-task{t}{part}.txt" for t in range(1, 6) for part in parts}
    assert names == expected | {"dialog-babi-kb-all.txt", "dialog-babi-candidates.txt"}
    assert len(load_kb(babi / "dialog-babi-kb-all.txt").items) == 1200
    candidates = (babi / "dialog-babi-candidates.txt").read_text().splitlines()
    assert len(candidates) == len(set(candidates)) == 4212
    answers = {line.removeprefix("1 ") for line in candidates}
    for file in babi.glob("dialog-babi-task*.txt"):
        for line in file.read_text().splitlines():
            bot = line.partition("\t")[2]
            assert not bot or bot in answers


def test_words_of_the_other_base_are_new_in_oov(babi: Path) -> None:
    cities = re.compile(r"api_call \S+ (\S+)")
    towns = {
        oov: {
            city
            for file in babi.glob("dialog-babi-task*.txt")
            if ("OOV" in file.name) == oov
            for city in cities.findall(file.read_text())
        }
        for oov in (True, False)
    }
    assert towns[True]
    assert not towns[True] & towns[False]


@pytest.mark.parametrize("preset", ["dstc6", "babi"])
def test_a_dialogue_depends_on_plan_and_index_alone(preset: str) -> None:
    plan = plan_of(preset, 4)
    one, other = plan.source(), plan_of(preset, 4).source()
    forward = [encode(one(index)) for index in range(plan.dialogues)]
    backward = [encode(other(index)) for index in reversed(range(plan.dialogues))]
    assert forward == backward[::-1]
    assert len({json.loads(line)["id"] for line in forward}) == plan.dialogues


def test_same_bytes_at_any_number_of_workers_and_resumed(tmp_path: Path) -> None:
    contents = []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        folder.mkdir()
        plan = PRESETS.get("dstc6").plan(Request(number=60, seed=3))
        with WorkerPool(plan, folder, workers) as pool:
            assert [one for one in pool if isinstance(one, Shard)]
        contents.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert contents[0] == contents[1]
    (tmp_path / "2" / "dialogues-00000.jsonl").unlink()
    with WorkerPool(plan, tmp_path / "2", 2) as pool:
        list(pool)
    assert {f.name: f.read_bytes() for f in (tmp_path / "2").iterdir()} == contents[0]


def test_seeds_make_other_dialogues() -> None:
    one, other = (plan_of("dstc6", 2, seed).source()(0) for seed in (3, 4))
    assert one.events != other.events


def test_every_item_has_eleven_candidates_with_ids_of_their_own() -> None:
    for dialogue in some(dialogues(plan_of("dstc6", 6))):
        options = dialogue.events[-1]
        assert isinstance(options, Options)
        ids = [candidate.id for candidate in options.candidates]
        assert len(set(ids)) == len(ids) == 11
        assert options.choice in ids
        assert all(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", name) for name in ids)


@pytest.mark.parametrize(
    "request_",
    [
        Request(number=1, seed=0, tasks="weather"),
        Request(number=1, seed=0, scenario="happy"),
        Request(number=0, seed=0),
        Request(number=LARGEST + 1, seed=0),
        Request(number=1, seed=-1),
    ],
)
def test_what_a_preset_cannot_do_is_refused(request_: Request) -> None:
    for preset in ("dstc6", "babi"):
        with pytest.raises(UsageError):
            PRESETS.get(preset).plan(request_)
