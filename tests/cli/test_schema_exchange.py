from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dialoom import formats
from dialoom.errors import UsageError
from dialoom.formats.sgd.schemas import write_schemas
from dialoom.models.induction.turns import topics
from dialoom.schema import pack
from dialoom.schema.pack import starter
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.flow.simulator import Simulator
from tests.cli.runner import Run, tree
from tests.schema.starting import changed
from tests.schema.tiny_service import BELLS, DIALOGUE, SERVICES

SAMPLE = Path(__file__).parents[2] / "examples" / "sample"

ONTOLOGY = {
    "boat": {
        "id": "boat_hire",
        "vertical": "hire",
        "required": ["name.boat", "time.start"],
        "optional": ["num.people"],
    }
}


@pytest.fixture
def sgd(tmp_path: Path) -> Path:
    """A corpus of one dialogue and two services, with a variant beside it."""
    folder = tmp_path / "sgd" / "dev"
    folder.mkdir(parents=True)
    formats.get("sgd").write([DIALOGUE], SERVICES, folder)
    value: Any = json.loads((folder / "schema.json").read_text())
    for service in value:
        service["service_name"] += "1"
        for slot in service["slots"]:
            slot["name"] = f"the_{slot['name']}"
        for intent in service["intents"]:
            intent["name"] = f"Do{intent['name']}"
            for key in ("required_slots", "result_slots"):
                intent[key] = [f"the_{name}" for name in intent[key]]
            intent["optional_slots"] = {
                f"the_{name}": default for name, default in intent["optional_slots"].items()
            }
    other = tmp_path / "sgd" / "sgd_x" / "data" / "v1" / "dev"
    other.mkdir(parents=True)
    (other / "schema.json").write_text(json.dumps(value))
    return folder


@pytest.fixture
def ontology(tmp_path: Path) -> Path:
    file = tmp_path / "ontology.json"
    file.write_text(json.dumps(ONTOLOGY))
    return file


def test_services_are_imported_as_task_files_that_simulate(
    run: Run, sgd: Path, tmp_path: Path
) -> None:
    file = tmp_path / "cafes.yaml"
    assert run("schema", "import", sgd, "--task", "Cafes_1", "--out", file).code == 0
    done = run("schema", "check", file)
    assert done.code == 0
    assert done.out.endswith("1 task: 0 errors, 0 warnings, 41 drafts\n")
    out = tmp_path / "dialogues"
    assert run("simulate", "--tasks", file, "-n", "5", "--out", out).code == 0
    assert run("schema", "import", sgd, "--task", "Cafes_1", "--out", file).refused(
        "exists already"
    )
    assert run("schema", "import", sgd / "schema.json", "--task", "Cafe").refused("unknown task")


def test_all_services_and_verticals_go_into_a_folder(
    run: Run, sgd: Path, ontology: Path, tmp_path: Path
) -> None:
    done = run("schema", "import", sgd, "--all", "--out", tmp_path / "s")
    assert done.out == f"2 task files written to {tmp_path / 's'}\n"
    assert set(tree(tmp_path / "s")) == {"bells_1.yaml", "cafes_1.yaml"}
    assert run("schema", "import", ontology, "--all", "--out", tmp_path / "v").code == 0
    assert run("schema", "import", tmp_path, "--all", "--out", tmp_path / "w").code == 0
    assert set(tree(tmp_path / "v")) == set(tree(tmp_path / "w")) == {"boat_hire.yaml"}
    assert run("schema", "check", tmp_path / "v" / "boat_hire.yaml").code == 0
    assert run("schema", "import", SAMPLE, "--all", "--out", tmp_path / "t").code == 0
    assert run("schema", "import", sgd, "--all", "--out", tmp_path / "s").refused("not empty")


def test_import_says_what_is_wrong(run: Run, sgd: Path, ontology: Path, tmp_path: Path) -> None:
    command = ("schema", "import")
    assert run(*command, sgd).refused("give one of --task and --all")
    assert run(*command, sgd, "--task", "Cafes_1", "--all").refused("give one of")
    assert run(*command, sgd, "--all").refused("--out")
    assert run(*command, tmp_path / "none", "--task", "x").refused("no such file or folder")
    assert run(*command, tmp_path / "sgd" / "sgd_x" / "data", "--task", "x").refused("unknown task")
    pair = ("--unless", "name.boat=num.people")
    done = run(*command, ontology, "--task", "boat_hire", *pair)
    assert "need: {unless: num_people}" in done.out
    wrong = run(*command, ontology, "--task", "boat_hire", "--unless", "name.boat")
    assert wrong.refused("--unless name.boat", "name.pizza=type.topping")
    wrong = run(*command, ontology, "--task", "boat_hire", "--unless", "x=name.boat")
    assert wrong.refused("no intent takes a slot 'x'")
    name = next(path.name for path in (SAMPLE / "tasks").iterdir())
    assert run(*command, SAMPLE, "--task", name, *pair).refused("--unless is for services")
    for text in ("", "{", "[1]", '{"a": 1}', '{"a": {"id": 3}}', "3", "[" * 5000):
        ontology.write_text(text)
        assert run(*command, ontology, "--all", "--out", tmp_path / "o").refused(str(ontology))


def test_tasks_without_calls_and_flow_are_not_imported(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = TaskSchema(id="bare")
    tasks = {"bare": bare, "weather": pack.load("weather")}
    monkeypatch.setattr(formats, "schemas", lambda path: tasks)
    done = run("schema", "import", tmp_path, "--all", "--out", tmp_path / "d")
    assert done.out == f"1 task files written to {tmp_path / 'd'}\n"
    assert "neither calls nor a flow: bare" in done.err
    monkeypatch.setattr(formats, "schemas", lambda path: {"bare": bare})
    done = run("schema", "import", tmp_path, "--all", "--out", tmp_path / "e")
    assert done.refused("no task can be imported", "bare")
    assert not (tmp_path / "e").exists()


def test_induce_uses_dialogues_about_one_task_alone_in_their_language(
    run: Run, tmp_path: Path
) -> None:
    out, file = tmp_path / "dialogues", tmp_path / "induced.yaml"
    command = ("simulate", "--tasks", "friseur,wetter", "--scenario", "mixed", "-n", "60")
    assert run(*command, "--out", out).code == 0
    dialogues = [topics(dialogue) for dialogue in formats.load(out).dialogues()]
    assert 0 < dialogues.count(("wetter",)) < sum("wetter" in names for names in dialogues)
    done = run("schema", "induce", out, "--task", "wetter", "--out", file)
    assert done.code == 0
    scope = f"{dialogues.count(('wetter',))} dialogues about wetter alone"
    assert done.err.startswith(scope)
    assert done.err.endswith("language de\n")
    assert "language: de" in file.read_text()
    done = run("schema", "induce", out, "--task", "wetter", "--language", "xx", "--out", "-")
    assert done.refused("unknown language 'xx'")


def test_induce_reports_a_file_that_cannot_be_simulated(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, file = tmp_path / "dialogues", tmp_path / "induced.yaml"
    assert run("simulate", "--tasks", "weather", "-n", "20", "--out", out).code == 0

    def endless(self: Simulator, number: int) -> None:
        raise UsageError("it leads in a circle", code="endless")

    monkeypatch.setattr(Simulator, "dialogue", endless)
    done = run("schema", "induce", out, "--out", file)
    assert (done.code, file.exists()) == (1, True)
    assert done.err.endswith("no dialogues can be simulated: it leads in a circle\n")


def test_tools_and_schemas_of_calls(run: Run, sgd: Path, tmp_path: Path) -> None:
    tools = json.loads(run("schema", "tools", "hotel_book", sgd).out)
    names = [tool["function"]["name"] for tool in tools]
    assert names == ["hotel_book", "ReserveTable", "FindCafe", "RingBell"]
    assert run("schema", "tools", "all", "--out", tmp_path / "t.json").code == 0
    assert len(json.loads((tmp_path / "t.json").read_text())) >= len(pack.names())
    assert run("schema", "tools", "weather", "weather").refused("two tasks are called weather")
    assert run("schema", "tools", "wether").refused("did you mean weather")
    value = json.loads(run("schema", "jsonschema", "weather").out)
    jsonschema.Draft202012Validator.check_schema(value)
    assert value["title"] == "calls of weather"
    assert run("schema", "jsonschema", sgd).refused("holds 2 tasks")


def test_a_variant_of_a_corpus_is_a_corpus(run: Run, sgd: Path, tmp_path: Path) -> None:
    done = run("schema", "variant", sgd, tmp_path / "v1", "--variant", "v1", "--json", "-")
    report = json.loads(done.out)
    assert report["dialogues"] == 1
    assert report["schemas"] == 2
    assert report["loss"] == {}
    assert report["notes"] == []
    assert report["distance"] > 0.2
    corpus = formats.load(tmp_path / "v1")
    (dialogue,) = corpus.dialogues()
    assert dialogue.services == ("Cafes_11",)
    assert list(corpus.schemas) == ["Cafes_11", "Bells_11"]
    other = tmp_path / "sgd" / "sgd_x" / "data" / "v1" / "dev"
    assert (tmp_path / "v1" / "schema.json").exists()
    for place in (other, other / "schema.json"):
        target = tmp_path / f"by_{place.name}"
        assert run("schema", "variant", sgd, target, "--variant", place).code == 0
        assert tree(target) == tree(tmp_path / "v1")
    done = run("schema", "variant", sgd, tmp_path / "n", "--variant", "v1", "--to", "native")
    assert done.out.startswith("1 dialogues and 2 tasks written to ")


def test_new_variants_reach_their_distance(run: Run, sgd: Path, tmp_path: Path) -> None:
    command = ("schema", "variant")
    far = ("--distance", "0.5", "--seed", "4")
    done = run(*command, sgd, tmp_path / "c", *far, "--json", "-")
    assert json.loads(done.out)["distance"] == pytest.approx(0.5, abs=0.06)
    assert list(formats.load(tmp_path / "c").schemas) == ["Cafes_1x4", "Bells_1x4"]
    assert run(*command, sgd / "schema.json", tmp_path / "s.json", *far).code == 0
    assert (tmp_path / "s.json").read_bytes() == (tmp_path / "c" / "schema.json").read_bytes()
    done = run(*command, "weather", tmp_path / "w.yaml", *far)
    assert "mean distance 0.5" in done.out
    assert run("schema", "check", tmp_path / "w.yaml").code == 0
    assert run(*command, tmp_path / "w.yaml", tmp_path / "w2.yaml", *far).code == 0


def test_variant_says_what_is_wrong(run: Run, sgd: Path, tmp_path: Path) -> None:
    command, out = ("schema", "variant"), tmp_path / "out"
    assert run(*command, sgd, out).refused("give one of --variant and --distance")
    assert run(*command, sgd, out, "--variant", "v9").refused("no variant v9", "--variant")
    assert run(*command, sgd, out, "--distance", "2").refused("from 0 to 1")
    assert run(*command, "weather", out, "--variant", "v1").refused("--distance")
    assert run(*command, sgd / "schema.json", out, "--variant", "v1").refused("name the corpus")
    assert run(*command, SAMPLE, out, "--distance", "0.3").refused("no services to rename")
    assert run(*command, SAMPLE, out, "--variant", "v1").refused("no schema.json")
    assert run(*command, tmp_path / "none", out, "--variant", "v1").refused("no such")
    out.write_text("")
    assert run(*command, "weather", out, "--distance", "0.1").refused("exists already")
    assert out.read_text() == ""


def test_diff_of_schemas_and_what_it_breaks(run: Run, sgd: Path, tmp_path: Path) -> None:
    done = run("schema", "diff", sgd, sgd, sgd)
    assert done.code == 0
    assert done.out.startswith("no changes\n1 dialogues: 0 annotated actions became illegal")
    write_schemas({"Bells_1": BELLS}, tmp_path)
    done = run("schema", "diff", sgd, tmp_path / "schema.json", sgd, "--json", tmp_path / "d.json")
    assert done.code == 1
    assert "Cafes_1: task removed: Cafes_1" in done.out
    assert "illegal now: Cafes_1: slot city (3, first in dialogue 9_00001, event 0)" in done.out
    report = json.loads((tmp_path / "d.json").read_text())
    assert report["changes"] == [
        {"task": "Cafes_1", "what": "task", "how": "removed", "name": "Cafes_1"}
    ]
    assert {tally["kind"] for tally in report["illegal"]} >= {"slot", "intent", "call"}
    assert run("schema", "diff", sgd, "nix").refused("unknown task")
    assert run("schema", "diff", sgd, sgd, tmp_path / "none").refused("no such")


def test_diff_of_task_files(run: Run, tmp_path: Path) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(starter("pizza_order"))
    new.write_text(changed(("      Friday: [on friday]\n", "")))
    done = run("schema", "diff", old, new)
    assert (done.code, done.out) == (0, "pizza_order: value removed: day: Friday\n1 change\n")
    out = tmp_path / "dialogues"
    assert run("simulate", "--tasks", old, "-n", "40", "--out", out).code == 0
    done = run("schema", "diff", old, new, out, "--json", "-")
    assert done.code == 1
    (tally,) = json.loads(done.out)["illegal"]
    assert (tally["kind"], tally["name"]) == ("value", "day = Friday")
    new.write_text("task: [")
    assert run("schema", "diff", old, new).refused(str(new))


def test_the_schemas_of_a_native_corpus(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "dialogues"
    assert run("simulate", "--tasks", "weather", "-n", "3", "--out", out).code == 0
    done = run("schema", "diff", out, "weather", out)
    assert (done.code, done.out.splitlines()[0]) == (0, "no changes")
    assert json.loads(run("schema", "tools", out).out) == json.loads(
        run("schema", "tools", "weather").out
    )


def test_long_lists_are_cut(run: Run) -> None:
    done = run("schema", "diff", "hotel_book", "trivia")
    assert "more of this kind; --json lists all" in done.out


@pytest.mark.corpus
def test_variants_of_the_real_corpus(run: Run, corpora: Path, tmp_path: Path) -> None:
    source = corpora / "sgd" / "dev"
    done = run("schema", "variant", source, tmp_path / "v3", "--variant", "v3", "--json", "-")
    report = json.loads(done.out)
    assert (report["dialogues"], report["schemas"], report["notes"]) == (2098, 17, [])
    assert report["loss"] == {}
