"""What each command does with good input, in the words its users and scripts rely on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dialoom.cli.output import write_together
from dialoom.errors import OutputError
from tests.cli.runner import Run, tree
from tests.formats.star_json import DATA
from tests.found import some
from tests.make import refuses

STAR = DATA / "star"
COMMANDS = ["show", "stats", "convert", "roundtrip", "bench", "play"]


@pytest.fixture
def native(run: Run, tmp_path: Path) -> Path:
    """The golden STAR corpus in the native format."""
    target = tmp_path / "native"
    assert run("convert", STAR, target).code == 0
    return target


def test_help_and_version(run: Run) -> None:
    assert all(command in run("--help").out for command in COMMANDS)
    assert run("--version").out.startswith("dialoom ")
    done = run()
    assert (done.code, "Usage: dialoom" in done.out + done.err) == (2, True)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(run: Run, command: str) -> None:
    done = run(command, "--help")
    assert done.code == 0
    assert f"Example: dialoom {command}" in done.out
    assert run(command, "-h").out == done.out


def test_show(run: Run, native: Path) -> None:
    done = run("show", STAR, "1")
    assert (done.code, done.err) == (0, "")
    assert "Good morning, have you a boat for four?" in done.out
    assert "Grey Heron" in done.out
    assert "Seats >= 4" in done.out
    assert run("show", native, "1").out == done.out
    assert run("show", STAR / "dialogues" / "1.json", "1").out == done.out


def test_stats(run: Run, native: Path, tmp_path: Path) -> None:
    file = tmp_path / "stats.json"
    done = run("stats", STAR, "--json", file)
    assert (done.code, done.err) == (0, "")
    counts = json.loads(file.read_bytes())
    assert counts["format"] == "star"
    assert (counts["files"], counts["dialogues"]) == (3, 3)
    assert counts["events_by_kind"]["Wizard pick_suggestion"] == 6
    assert json.loads(run("stats", STAR, "--json", "-").out) == counts
    same = json.loads(run("stats", native, "--json", "-").out)
    assert same["turns"] == counts["turns"]


@pytest.mark.parametrize("command", ["stats", "roundtrip", "convert"])
def test_json_on_standard_output_is_alone_there(run: Run, tmp_path: Path, command: str) -> None:
    more = [tmp_path / "out"] if command == "convert" else []
    done = run(command, STAR, *more, "--json", "-")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)


@pytest.mark.parametrize("path", [STAR, STAR / "dialogues", STAR / "dialogues" / "2.json"])
def test_roundtrip(run: Run, path: Path) -> None:
    files = len(list(path.rglob("[0-9]*.json"))) or 1
    done = run("roundtrip", path, "--format", "star")
    assert done.code == 0
    assert done.out.splitlines()[-1] == f"{files} files, 0 differ"
    counts = json.loads(run("roundtrip", path, "--json", "-").out)
    assert counts == {"files": files, "bytes": files, "values": 0, "differs": 0}


def test_roundtrip_of_the_other_layouts(run: Run) -> None:
    for file in some(DATA.glob("*.json")):
        assert run("roundtrip", file).out.splitlines()[-1] == "1 files, 0 differ"


def test_roundtrip_of_the_native_format(run: Run, native: Path) -> None:
    counts = json.loads(run("roundtrip", native, "--json", "-").out)
    assert counts == {"files": 1, "bytes": 1, "values": 0, "differs": 0}


def test_roundtrip_tells_what_differs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from dialoom.formats.star import StarFormat

    monkeypatch.setattr(StarFormat, "render_file", lambda self, dialogues: b"{}")
    done = run("roundtrip", STAR)
    assert done.code == 1
    assert done.out.splitlines()[-1] == "3 files, 3 differ"
    assert done.err.count("differs: ") == 3


def test_convert_there_and_back(run: Run, native: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = run("convert", native, tmp_path / "back", "--to", "star", "--json", report)
    assert done.out.startswith("3 dialogues and 1 task schemas written to")
    assert json.loads(report.read_bytes())["loss"] == {}
    dialogues = tree(STAR / "dialogues")
    assert tree(tmp_path / "back" / "dialogues") == dialogues
    for name in ("boat_hire.json", "responses.json"):
        copy = tmp_path / "back" / "tasks" / "boat_hire" / name
        published = STAR / "tasks" / "boat_hire" / name
        assert json.loads(copy.read_bytes()) == json.loads(published.read_bytes())


def test_changing_one_word_changes_exactly_that(run: Run, native: Path, tmp_path: Path) -> None:
    shard = native / "dialogues-00000.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b"Good morning", b"Good evening"))
    assert run("convert", native, tmp_path / "back", "--to", "star").code == 0
    expected = tree(STAR / "dialogues")
    before = expected["1.json"]
    assert before is not None
    expected["1.json"] = before.replace(b"Good morning", b"Good evening")
    assert tree(tmp_path / "back" / "dialogues") == expected


def test_convert_reports_what_strict_refuses(run: Run, tmp_path: Path) -> None:
    report, target = tmp_path / "report.json", tmp_path / "out"
    done = run("convert", STAR, target, "--to", "babi", "--strict", "--json", report)
    assert (done.code, target.exists()) == (1, False)
    assert json.loads(report.read_text())["loss"]["utterance.time"]


def test_convert_leaves_nothing_when_its_report_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("convert", STAR, tmp_path / "out", "--json", tmp_path / "file" / "x.json")
    assert (done.code, (tmp_path / "out").exists()) == (2, False)


def test_convert_tells_what_else_a_folder_holds(run: Run, tmp_path: Path) -> None:
    for name in ("sgd", "babi"):
        shutil.copytree(DATA / name, tmp_path / "in" / name)
    done = run("convert", tmp_path / "in", tmp_path / "out")
    assert done.code == 0
    assert "is read as babi; it also holds sgd" in done.err
    assert run("convert", tmp_path / "in", tmp_path / "sgd", "--from", "sgd").err == ""


def test_convert_of_loose_files_and_of_one_file(run: Run, tmp_path: Path) -> None:
    loose = tmp_path / "loose"
    shutil.copytree(STAR / "dialogues", loose)
    for source in (loose, loose / "2.json"):
        target = tmp_path / f"from-{source.name}"
        assert run("convert", source, target, "--to", "star").code == 0
        assert set(tree(target)) <= {"1.json", "2.json", "10.json"}
        assert (target / "2.json").read_bytes() == (loose / "2.json").read_bytes()


def test_convert_reads_dialogues_before_loose_files(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "star"
    shutil.copytree(STAR, source)
    (source / "notes.json").write_text("{}")
    assert json.loads(run("stats", source, "--json", "-").out)["files"] == 3
    assert run("convert", source, tmp_path / "out").code == 0


def test_convert_onto_the_source_is_refused(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "star"
    shutil.copytree(STAR, source)
    (tmp_path / "link").symlink_to("star")
    before = tree(tmp_path)
    for target in (source, tmp_path / "link", source / "..", source / "dialogues" / "1.json"):
        assert run("convert", source, target, "--to", "star").refused("name a new folder")
    assert tree(tmp_path) == before


def test_convert_through_links(run: Run, tmp_path: Path) -> None:
    (tmp_path / "source").symlink_to(STAR)
    (tmp_path / "real").mkdir()
    (tmp_path / "target").symlink_to("real")
    assert run("convert", tmp_path / "source", tmp_path / "target", "--to", "star").code == 0
    assert tree(tmp_path / "real" / "dialogues") == tree(STAR / "dialogues")


def test_strict_writes_nothing_where_something_would_be_lost(
    run: Run, native: Path, tmp_path: Path
) -> None:
    assert run("convert", native, tmp_path / "a", "--to", "star", "--strict").code == 0
    shard = native / "dialogues-00000.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b'{"id":"2"', b'{"id":"two"'))
    done = run("convert", native, tmp_path / "b", "--to", "star")
    assert done.code == 0
    assert "not held by star: dialogue.id (1)" in done.out
    before = tree(tmp_path)
    done = run("convert", native, tmp_path / "c", "--to", "star", "--strict")
    assert (done.code, done.out) == (1, "")
    assert done.err == "dialoom: star cannot hold: dialogue.id (1); nothing was written\n"
    assert tree(tmp_path) == before


@pytest.mark.corpus
def test_a_sample_of_the_real_corpus_there_and_back(run: Run, star: Path, tmp_path: Path) -> None:
    sample = tmp_path / "star"
    (sample / "dialogues").mkdir(parents=True)
    for file in sorted((star / "dialogues").glob("*.json"))[::50]:
        shutil.copy(file, sample / "dialogues")
    for part in ("tasks", "apis"):
        shutil.copytree(star / part, sample / part)
    done = run("roundtrip", sample, "--format", "star")
    assert done.code == 0
    assert (
        done.out.splitlines()[-1]
        == f"{len(list((sample / 'dialogues').iterdir()))} files, 0 differ"
    )
    assert run("convert", sample, tmp_path / "native").code == 0
    assert (
        run("convert", tmp_path / "native", tmp_path / "back", "--to", "star", "--strict").code == 0
    )
    assert tree(tmp_path / "back" / "dialogues") == tree(sample / "dialogues")


def test_a_table_in_a_pipe_is_as_wide_as_it_wants(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = Path(__file__).parents[2] / "examples" / "sample"
    arguments = ("bench", "star-call", "--corpus", sample, "--model", "tracked")
    monkeypatch.delenv("COLUMNS")
    table = run(*arguments).out
    assert "parameter match" in table
    assert "0 of the paper's 24 tasks were at hand" in table
    monkeypatch.setenv("COLUMNS", "80")
    assert max(len(line) for line in run(*arguments).out.splitlines() if line[:1] in "│┃") == 80


def test_files_that_belong_together_are_replaced_together(tmp_path: Path) -> None:
    result, lines = tmp_path / "run.json", tmp_path / "run.jsonl"
    write_together([(result, lambda: b"one"), (None, lambda: b""), (lines, lambda: b"one")])
    lines.unlink()
    lines.mkdir()
    with refuses(OutputError, "unwritable"):
        write_together([(result, lambda: b"two"), (lines, lambda: b"two")])
    assert result.read_bytes() == b"one"
    assert [each.name for each in sorted(tmp_path.iterdir())] == ["run.json", "run.jsonl"]
