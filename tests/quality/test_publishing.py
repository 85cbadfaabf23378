"""A published folder has tables, a card with valid metadata, Croissant and LaTeX."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace
from typer.testing import CliRunner

from dialoom import formats, load
from dialoom.cli.app import app
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue, Layer, Part, Span, Utterance
from dialoom.errors import UsageError
from dialoom.quality.card.terms import objection, tag
from dialoom.quality.publishing import PublishReport, publish
from dialoom.quality.publishing.paper import escaped
from tests.make import refuses
from tests.quality.published_samples import star_copy

parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

SHARES = {"train": 0.8, "test": 0.2}


def published(corpus: Corpus, folder: Path, **settings: Any) -> PublishReport:
    return publish(corpus, folder, **{"date": "2026-05-31", **settings})


def head(folder: Path) -> dict[str, Any]:
    fields: dict[str, Any] = yaml.safe_load((folder / "README.md").read_text().split("---\n")[1])
    return fields


def simulate(folder: Path, number: int) -> Corpus:
    options = ["--tasks", "weather", "--seed", "3", "-n", str(number), "--to", "native"]
    done = CliRunner().invoke(app, ["simulate", *options, "--out", str(folder)])
    assert done.exit_code == 0
    return formats.load(folder)


def native(folder: Path, *dialogues: Dialogue) -> Corpus:
    folder.mkdir()
    formats.get("native").write(dialogues, {}, folder)
    return formats.load(folder)


def ask(id: str, *texts: str, layers: tuple[Layer, ...] = ()) -> Dialogue:
    events = tuple(Utterance(agent="user", text=text, layers=layers) for text in texts)
    return Dialogue(id=id, events=events, provenance="collected")


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated corpus, published in two splits with chat rows."""
    folder = tmp_path_factory.mktemp("simulated")
    corpus = simulate(folder / "corpus", 20)
    published(corpus, folder / "out", licence="cc-by-4.0", shares=SHARES, seed=7, chat=True)
    return folder


def test_every_dialogue_and_schema_is_read_back(simulated: Path) -> None:
    before, after = formats.load(simulated / "corpus"), formats.load(simulated / "out")
    assert after.format == "parquet"
    assert {each.id: each.events for each in after} == {each.id: each.events for each in before}
    assert after.schemas == before.schemas


def test_the_head_lists_tables_with_columns_and_splits(simulated: Path) -> None:
    folder = simulated / "out"
    fields = head(folder)
    assert fields["license"] == "cc-by-4.0"
    assert fields["task_categories"] == ["text-generation"]
    assert fields["size_categories"] == ["n<1K"]
    names = ["dialogues", "turns", "schemas", "chat"]
    assert [each["config_name"] for each in fields["configs"]] == names
    assert [each["config_name"] for each in fields["dataset_info"]] == names
    for info in fields["dataset_info"]:
        config = next(
            each for each in fields["configs"] if each["config_name"] == info["config_name"]
        )
        files = config["data_files"]
        entries = [{"split": "train", "path": files}] if isinstance(files, str) else files
        for each, split in zip(entries, info["splits"], strict=True):
            table = parquet.ParquetFile(folder / each["path"])
            assert (split["name"], split["num_examples"]) == (
                each["split"],
                table.metadata.num_rows,
            )
            assert [column["name"] for column in info["features"]] == table.schema_arrow.names
    turns = {each["name"]: each for each in fields["dataset_info"][1]["features"]}
    assert (turns["text"]["dtype"], turns["services"]["list"]) == ("string", "string")


def test_chat_rows_are_those_of_the_chat_format(simulated: Path) -> None:
    corpus, folder = formats.load(simulated / "corpus"), simulated / "chat"
    corpus.save(folder, formats.get("chat"))
    lines = [line for file in folder.glob("*.jsonl") for line in file.read_text().splitlines()]
    chats = {value["id"]: value for value in map(json.loads, lines)}
    tables = (simulated / "out").glob("*/chat.parquet")
    rows = {row["id"]: row for file in tables for row in parquet.read_table(file).to_pylist()}
    assert set(rows) == set(chats)
    for id, row in rows.items():
        assert without_nulls(row["messages"]) == without_nulls(chats[id]["messages"])
        assert json.loads(row["tools"]) == chats[id]["tools"]


USE = {"type": "tool_use", "id": "q1", "name": "find", "input": {"area": "north"}}
ANSWER = {"type": "tool_result", "tool_use_id": "q1", "content": "[]", "is_error": False}


@pytest.mark.parametrize(
    ("turns", "call"),
    [
        (
            {
                "conversations": [
                    {"from": "human", "value": "Hi."},
                    {"from": "function_call", "value": json.dumps({"name": "find"})},
                    {"from": "observation", "value": "[]"},
                ]
            },
            ("call_1", "{}"),
        ),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "Hi."}]},
                    {"role": "assistant", "content": [USE]},
                    {"role": "user", "content": [ANSWER]},
                ]
            },
            ("q1", '{"area":"north"}'),
        ),
    ],
)
def test_chat_rows_are_messages_in_any_dialect(
    turns: Any, call: tuple[str, str], tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text(json.dumps([{"system": "Be brief.", "tools": "[]", **turns}]))
    published(formats.load(tmp_path / "a.json"), tmp_path / "out", chat=True)
    (file,) = (tmp_path / "out").rglob("chat.parquet")
    (row,) = parquet.read_table(file).to_pylist()
    id, arguments = call
    function = {"name": "find", "arguments": arguments}
    assert row["tools"] == "[]"
    assert without_nulls(row["messages"]) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi."},
        {"role": "assistant", "tool_calls": [{"id": id, "type": "function", "function": function}]},
        {"role": "tool", "content": "[]", "tool_call_id": id},
    ]


def without_nulls(value: Any) -> Any:
    """Return a value without the keys that Arrow adds to all messages."""
    if isinstance(value, dict):
        return {key: without_nulls(each) for key, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value


def test_the_card_has_the_run_that_made_the_dialogues(simulated: Path) -> None:
    text = (simulated / "out" / "README.md").read_text()
    digest = json.loads((simulated / "corpus" / "manifest.json").read_text())["schemas"]["weather"]
    assert '"seed": 3' in text
    assert digest in text
    assert "with the seed 7 and these shares: train 0.8, test 0.2" in text
    assert "`dialoom lint` finds 0 errors" in text


def test_the_command_in_the_card_simulates_the_same_dialogues(
    simulated: Path, tmp_path: Path
) -> None:
    text = (simulated / "out" / "README.md").read_text()
    command = next(line for line in text.splitlines() if line.startswith("dialoom simulate "))
    words = command.replace("DIR", str(tmp_path / "again")).split()[1:]
    assert CliRunner().invoke(app, words).exit_code == 0
    for file in (simulated / "corpus").glob("*.*"):
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()


def test_croissant_lists_each_file_and_column(simulated: Path) -> None:
    folder = simulated / "out"
    croissant = json.loads((folder / "croissant.json").read_bytes())
    assert croissant["conformsTo"][0] == "http://mlcommons.org/croissant/1.1"
    assert croissant["datePublished"] == "2026-05-31"
    assert croissant["rai:dataCollectionType"] == ["Software Collection"]
    assert "weather" in croissant["rai:dataCollection"]
    files = {each["@id"]: each for each in croissant["distribution"]}
    assert set(files) == {p.relative_to(folder).as_posix() for p in folder.rglob("*.parquet")}
    for path, each in files.items():
        assert each["sha256"] == hashlib.sha256((folder / path).read_bytes()).hexdigest()
    ids = [each["@id"] for each in croissant["recordSet"]]
    assert sorted(ids) == [
        *("dialogues-test", "dialogues-train", "schemas-train", "turns-test", "turns-train")
    ]
    for records in croissant["recordSet"]:
        sources = {field["source"]["fileObject"]["@id"] for field in records["field"]}
        (path,) = sources
        columns = [field["source"]["extract"]["column"] for field in records["field"]]
        assert columns == parquet.read_schema(folder / path).names


def test_the_table_for_a_paper(simulated: Path) -> None:
    text = (simulated / "out" / "paper.tex").read_text()
    assert "Dialogues & 20 \\\\" in text
    assert "Dialogues in test & 4 \\\\" in text
    assert escaped("50 % of a_b \\ {c}") == r"50 \% of a\_b \textbackslash{} \{c\}"


def test_a_public_corpus_keeps_its_licence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = published(formats.load(star_copy(tmp_path, monkeypatch)), tmp_path / "out")
    assert (report.sources, report.objections) == ({"star": 1.0}, {})
    assert head(tmp_path / "out")["license"] == "mit"
    croissant = json.loads((tmp_path / "out" / "croissant.json").read_bytes())
    assert (croissant["license"], len(croissant["creator"])) == ("MIT", 3)


def test_a_lone_part_keeps_its_name_as_a_split(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    for part in ("dev", "train"):
        simulate(folder / part, 2)
    report = published(formats.load(folder).filter(split="dev"), tmp_path / "out")
    assert report.splits == {"dev": 2}
    assert (tmp_path / "out" / "turns.parquet").is_file()


def test_files_that_name_a_part_become_splits(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for part in ("trn", "dev"):
        (folder / f"dialog-babi-task1{part}.txt").write_text("1 hello\twhat can i do\n\n")
    report = published(formats.load(folder, "babi"), tmp_path / "out", licence="mit")
    assert report.splits == {"dev": 1, "train": 1}


def test_the_same_words_in_two_splits_are_counted(tmp_path: Path) -> None:
    corpus = native(tmp_path / "corpus", *(ask(str(n), "Hello.", "A taxi.") for n in range(4)))
    report = published(corpus, tmp_path / "out", shares={"train": 0.5, "test": 0.5})
    assert report.twins == report.findings["E506"] == 2


def test_the_card_has_the_agreement_of_annotators(tmp_path: Path) -> None:
    layers = [Layer(who, (Part(spans=(Span(2, 6, ("ride",)),)),)) for who in ("ann", "bob")]
    corpus = native(tmp_path / "corpus", ask("1", "A taxi at noon.", layers=tuple(layers)))
    published(corpus, tmp_path / "out")
    assert "Agreement of annotators: spans " in (tmp_path / "out" / "README.md").read_text()


def test_the_card_leaves_out_kinds_that_nobody_marked(tmp_path: Path) -> None:
    layers = tuple(Layer(who, (Part(acts=()),)) for who in ("ann", "bob"))
    published(native(tmp_path / "corpus", ask("1", "Hm.", layers=layers)), tmp_path / "out")
    assert "Agreement of annotators" not in (tmp_path / "out" / "README.md").read_text()


def test_recordings_are_copied_and_the_card_counts_them(tmp_path: Path) -> None:
    turn = Utterance(agent="user", text="A taxi.", extra={"Sound": {"File": "sounds/3f0c.webm"}})
    outside = replace(turn, extra={"Sound": {"File": "sounds/../manifest.json"}})
    events = (turn, outside)
    native(tmp_path / "corpus", Dialogue(id="1", events=events, provenance="collected"))
    for name in ("3f0c.webm", "unnamed.webm"):
        file = tmp_path / "corpus" / "sounds" / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"RIFF")
    corpus = load(tmp_path / "corpus")
    published(corpus, tmp_path / "out")
    corpus.convert("star", tmp_path / "star")
    corpus.save(tmp_path / "saved")
    for name in ("out", "star", "saved"):
        assert [each.name for each in (tmp_path / name / "sounds").iterdir()] == ["3f0c.webm"]
    assert "`sounds/` has 1 recording of people's" in (tmp_path / "out" / "README.md").read_text()


@pytest.mark.parametrize(
    ("licence", "chosen", "allowed"),
    [
        ("MIT", None, True),
        ("MIT", "cc-by-4.0", True),
        ("CC-BY-SA-4.0", None, False),
        ("CC-BY-SA-4.0", "cc-by-sa-4.0", True),
        ("CC-BY-SA-4.0", "cc-by-4.0", False),
        ("CC-BY-NC-4.0", "mit", False),
        ("CC-BY-ND-4.0", None, False),
        ("BSD-style (Facebook, Xerox)", None, True),
        ("for members only", None, False),
        (None, None, False),
    ],
)
def test_licences_that_allow_a_converted_copy(
    licence: str | None, chosen: str | None, allowed: bool
) -> None:
    assert (objection(licence, chosen) == "") == allowed


def test_a_licence_without_a_name_on_the_hub() -> None:
    assert tag("CC-BY-SA-4.0") == "cc-by-sa-4.0"
    fields = yaml.safe_load(f"license: {tag('for members: only')}")
    assert fields == {"license": "other", "license_name": "for members: only"}


def test_a_forbidding_licence_is_refused_unless_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = formats.load(star_copy(tmp_path, monkeypatch))
    monkeypatch.setattr(
        "dialoom.quality.publishing.objection", lambda licence, choice: "it is secret"
    )
    passes: list[str] = []

    def tracked(dialogues: Iterator[Dialogue], what: str) -> Iterable[Dialogue]:
        passes.append(what)
        return dialogues

    monkeypatch.setattr("dialoom.quality.publishing.track", tracked)
    with refuses(UsageError, "no-licence", "it is secret"):
        published(corpus, tmp_path / "refused")
    assert passes == ["checking"]  # no table was written
    assert not (tmp_path / "refused").exists()
    report = published(corpus, tmp_path / "out", despite=True)
    assert report.objections == {"star": "it is secret"}


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01"])
def test_a_wrong_day_is_refused(tmp_path: Path, day: str) -> None:
    with refuses(UsageError, "wrong-value", day):
        publish(tmp_path, tmp_path / "out", date=day)


def test_one_creator_is_one(simulated: Path, tmp_path: Path) -> None:
    published(formats.load(simulated / "corpus"), tmp_path / "out", creators="Ada Person")
    croissant = json.loads((tmp_path / "out" / "croissant.json").read_text())
    assert [each["name"] for each in croissant["creator"]] == ["Ada Person"]


def test_the_same_settings_give_the_same_bytes(simulated: Path, tmp_path: Path) -> None:
    published(
        formats.load(simulated / "corpus"),
        tmp_path / "again",
        licence="cc-by-4.0",
        shares=SHARES,
        seed=7,
        chat=True,
    )
    for file in (tmp_path / "again").rglob("*.*"):
        other = simulated / "out" / file.relative_to(tmp_path / "again")
        assert file.read_bytes() == other.read_bytes()


@pytest.mark.filterwarnings("ignore")
def test_hf_datasets_loads_every_table(simulated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets", reason="HF datasets is not installed")
    place, cache = str(simulated / "out"), str(simulated / "cache")
    for config in ("dialogues", "turns", "schemas", "chat"):
        loaded = datasets.load_dataset(place, config, cache_dir=cache)
        info = datasets.load_dataset_builder(place, config, cache_dir=cache).info
        assert all(info.features == part.features for part in loaded.values())
    assert set(datasets.load_dataset(place, cache_dir=cache)) == {"train", "test"}


@pytest.mark.filterwarnings("ignore")
def test_mlcroissant_validates_the_metadata(simulated: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    dataset = mlcroissant.Dataset(jsonld=simulated / "out" / "croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    assert len(list(dataset.records("dialogues-train"))) == 16
