"""`dialoom lint` and `dialoom schema doctor`: what they print, write and exit with."""

from __future__ import annotations

import json
from errno import EPIPE
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dialoom import formats
from dialoom.cli.command import Commands
from dialoom.cli.lint import lint
from dialoom.cli.schema import doctor
from dialoom.corpus.shards import render_lines
from dialoom.dialogue import Constraint, Dialogue
from dialoom.errors import FormatError, MissingDataError, OutputError, UnknownNameError, UsageError
from dialoom.sim.policies.flow.simulator import Simulator
from tests.formats.star_json import DATA
from tests.make import refuses
from tests.quality.lint_faults import BAD
from tests.quality.lint_sample import BOAT, GOOD, TASKS, change, constrain
from tests.sim.designs import BOAT as BOAT_FILE

STAR = DATA / "star"
app = Commands("dialoom")
app.command()(lint)
app.command()(doctor)


def run(*arguments: object) -> Result:
    """Run a command; errors of ours are raised, as they reach the command line's own handler."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def corpus(folder: Path, *dialogues: Dialogue) -> Path:
    folder.mkdir()
    formats.get("native").write(dialogues, TASKS, folder)
    return folder


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    return corpus(tmp_path / "clean", GOOD)


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    return corpus(tmp_path / "faulty", GOOD, GOOD, BAD["E804"][0])


def test_a_clean_corpus(clean: Path, tmp_path: Path) -> None:
    done = run("lint", clean, "--json", tmp_path / "new" / "found.jsonl")
    assert (done.exit_code, done.output) == (
        0,
        "1 dialogue, 14 events: 0 errors, 0 warnings, 0 information\n",
    )
    assert (tmp_path / "new" / "found.jsonl").read_bytes() == b""


def test_a_faulty_corpus(faulty: Path, tmp_path: Path) -> None:
    file = tmp_path / "found.jsonl"
    done = run("lint", faulty, "--json", file)
    assert done.exit_code == 1
    findings = [json.loads(line) for line in file.read_text().splitlines()]
    assert [finding["code"] for finding in findings] == ["E501", "E501", "E804"]
    assert set(findings[0]) == {"code", "severity", "file", "pointer", "dialogue", "message"}
    assert findings[0]["file"] == str(faulty / "dialogues-00000.jsonl")
    assert "id that an earlier dialogue has" in done.output
    assert "dialogue 1/events/5/constraints/3: E804 Crew is '0314'" in done.output
    assert done.output.endswith("3 dialogues, 42 events: 3 errors, 0 warnings, 0 information\n")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["faulty", "found.jsonl"]


def test_warnings_are_no_failure(tmp_path: Path) -> None:
    done = run("lint", corpus(tmp_path / "quiet", change(GOOD, 8, text="")))
    assert (done.exit_code, "W601" in done.output) == (0, True)


def test_findings_on_standard_output_stand_alone(faulty: Path) -> None:
    done = run("lint", faulty, "--json", "-")
    assert done.exit_code == 1
    assert [json.loads(line)["code"] for line in done.output.splitlines()][-1] == "E804"


def test_information_is_no_failure(tmp_path: Path) -> None:
    done = run("lint", corpus(tmp_path / "quiet", change(GOOD, 12, text="Call 415-555-0100.")))
    assert (done.exit_code, "I601" in done.output) == (0, True)
    assert done.output.endswith("0 errors, 0 warnings, 1 information\n")


def test_a_page_of_examples(faulty: Path, clean: Path, tmp_path: Path) -> None:
    file = tmp_path / "new" / "found.html"
    done = run("lint", faulty, "--html", file, "--examples", 1)
    assert done.exit_code == 1
    page = file.read_text()
    assert page.count("<article>") == 2
    assert "0314" in page
    assert run("lint", faulty, "--html", "-", "--examples", 1).output == page
    assert run("lint", clean, "--html", file).exit_code == 0
    assert "Nothing was found." in file.read_text()
    with refuses(UsageError, "conflict"):
        run("lint", faulty, "--html", "-", "--json", "-")


def test_any_format_is_read() -> None:
    done = run("lint", STAR, "--format", "star")
    assert "3 dialogues" in done.output
    assert run("lint", STAR).output == done.output
    assert run("lint", STAR / "dialogues" / "1.json").exit_code == 0


def test_what_stands_in_a_file_cannot_move_the_cursor(tmp_path: Path) -> None:
    evil = constrain(GOOD, 5, Constraint("Crew\x1b[2J", None, (), "\x1b[31m"))
    assert "\x1b" not in run("lint", corpus(tmp_path / "evil", evil)).output


def test_bad_input_leaves_nothing_behind(faulty: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        run("lint", tmp_path / "nowhere")
    with pytest.raises(UnknownNameError):
        run("lint", faulty, "--format", "sgdd")
    shard = faulty / "dialogues-00000.jsonl"
    shard.write_bytes(shard.read_bytes() + b"{}\n")
    manifest = faulty / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"dialogues": 3', '"dialogues": 4'))
    report = tmp_path / "kept.jsonl"
    report.write_text("before")
    with refuses(FormatError, "wrong-type", "line 4"):
        run("lint", faulty, "--json", report)
    assert report.read_text() == "before"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["faulty", "kept.jsonl"]
    with pytest.raises(OutputError):
        run("lint", STAR, "--json", tmp_path)


def test_the_doctor_on_a_task_file(tmp_path: Path) -> None:
    file = tmp_path / "boat.yaml"
    file.write_text(BOAT_FILE)
    done = run("doctor", file, "-n", 40, "--seed", 3, "--json", tmp_path / "found.json")
    assert done.exit_code == 0
    assert "boat_hire" in done.output
    assert "40 dialogues, 40 ended" in done.output
    data = json.loads((tmp_path / "found.json").read_text())
    assert (data["number"], data["seed"]) == (40, 3)
    (task,) = data["tasks"]
    assert task["coverage"]["nodes"]["open"] == 40
    assert json.loads(run("doctor", file, "-n", 40, "--seed", 3, "--json", "-").output) == data


def test_the_doctor_fails_where_there_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "boat.yaml"
    file.write_text(BOAT_FILE.replace("failed: {Message: Lost}", "failed: {Message: Yours}"))
    done = run("doctor", file, "-n", 20)
    assert done.exit_code == 1
    assert "E906" in done.output
    assert f"{file}:" in done.output


def test_the_doctor_on_several_tasks() -> None:
    done = run("doctor", "weather", "trivia", "-n", 20)
    assert done.exit_code == 0
    assert "weather" in done.output
    assert "trivia" in done.output
    assert "40 dialogues, 40 ended" in done.output


def test_coverage_by_a_corpus(tmp_path: Path) -> None:
    file = tmp_path / "boat.yaml"
    file.write_text(BOAT_FILE)
    simulator = Simulator(BOAT, 1)
    shard = tmp_path / "made.jsonl"
    shard.write_bytes(render_lines(simulator.dialogue(index) for index in range(5)))
    done = run("doctor", file, "--coverage", shard)
    assert done.exit_code == 0
    assert done.output.endswith("boat_hire: 5 dialogues\n")
    (task,) = json.loads(run("doctor", file, "--coverage", shard, "--json", "-").output)["tasks"]
    assert (task["dialogues"], task["nodes"]["open"]) == (5, 5)
    assert run("doctor", "weather", "--coverage", shard).output.endswith("weather: 0 dialogues\n")


def test_a_reader_that_stops_reading_is_no_fault_of_the_file(
    faulty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(source: object, target: object) -> None:
        raise BrokenPipeError(EPIPE, "Broken pipe")

    monkeypatch.setattr("shutil.copyfileobj", stop)
    with pytest.raises(BrokenPipeError):  # the framework ends quietly
        lint(faulty, json=Path("-"))
