from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dialoom.schema.pack import starter
from tests.cli.runner import Run, alone
from tests.schema.starting import changed

SAMPLE = Path(__file__).parents[2] / "examples" / "sample"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    file = tmp_path / "good.yaml"
    file.write_text(starter("pizza_order"))
    return file


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    file = tmp_path / "bad.yaml"
    file.write_text(changed(("    rows: 60", "    row: 60"), ("then: hello", "then: helo")))
    return file


def test_check_of_a_good_file_and_a_bundled_task(run: Run, good: Path) -> None:
    done = run("schema", "check", good, "hotel_reserve")
    assert (done.code, done.out, done.err) == (0, "2 tasks: 0 errors, 0 warnings\n", "")


def test_check_prints_every_finding_and_exits_with_1(run: Run, bad: Path) -> None:
    done = run("schema", "check", bad)
    assert done.code == 1
    first, second, last = done.out.splitlines()
    assert first.startswith(f"{bad}:57:5: E101 a table has no key 'row'; did you mean 'rows'?")
    assert second.startswith(f"{bad}:95:5: E201 ")
    assert last == "1 task: 2 errors, 0 warnings"


def test_warnings_alone_exit_with_0(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(changed(("      - Then I'll leave it.\n", "")))
    done = run("schema", "check", file)
    assert done.code == 0
    assert "W201" in done.out
    assert done.out.endswith("1 task: 0 errors, 1 warning\n")


def test_findings_as_json_lines(run: Run, bad: Path, tmp_path: Path) -> None:
    done = run("schema", "check", bad, "--json", "-")
    assert done.code == 1
    first, second = map(json.loads, done.out.splitlines())
    assert first["code"] == "E101"
    assert second == {
        "code": "E201",
        "severity": "error",
        "file": str(bad),
        "line": 95,
        "column": 5,
        "message": "there is no node 'helo' to lead to; did you mean 'hello'?",
        "pointer": "/flow/open/then/0",
    }
    assert run("schema", "check", bad, "--json", tmp_path / "f.jsonl").code == 1
    assert (tmp_path / "f.jsonl").read_text() == done.out


@pytest.mark.parametrize("text", ["", "a: &x [*x]", "[" * 5000, "a: 'b"])
def test_what_cannot_be_read_exits_with_2(run: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(text)
    for command in ("check", "show", "render"):
        assert run("schema", command, file).refused(str(file))


def test_unknown_tasks_and_files(run: Run) -> None:
    assert run("schema", "check", "hotel_bok").refused("unknown task", "did you mean hotel_book")
    assert run("schema", "show", "no/such.yaml").refused("no such file")


def test_show(run: Run, good: Path) -> None:
    done = run("schema", "show", good)
    assert done.code == 0
    assert "[ask_note] system: Is there anything our mechanic should know?" in done.out


def test_render(run: Run, good: Path, tmp_path: Path) -> None:
    done = run("schema", "render", good)
    assert done.code == 0
    assert done.out.startswith("<svg ")
    assert run("schema", "render", good, "--out", tmp_path / "f.svg").code == 0
    assert (tmp_path / "f.svg").read_text() == done.out


def test_new_writes_a_file_that_passes_and_never_over_another(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "pizza.yaml"
    assert run("schema", "new", "pizza_order", "--out", file).code == 0
    assert run("schema", "check", file).code == 0
    assert run("schema", "new", "pizza_order", "--out", file).refused("--out", "exists already")
    assert run("schema", "new", "Pizza Order").refused("lower_snake_case")
    assert run("schema", "new", "pizza_order").out == file.read_text()


def test_import(run: Run, tmp_path: Path) -> None:
    name = sorted(path.name for path in (SAMPLE / "tasks").iterdir())[0]
    file = tmp_path / "t.yaml"
    assert run("schema", "import", SAMPLE, "--task", name, "--out", file).code == 0
    assert f"\ntask: {name}\n" in file.read_text()
    assert run("schema", "check", file).code == 1
    assert run("schema", "import", SAMPLE, "--task", "nix").refused("unknown task")
    assert run("schema", "import", tmp_path, "--task", name).refused("no such folder")


def test_the_json_schema_is_printed(run: Run) -> None:
    done = run("schema", "jsonschema")
    assert json.loads(done.out)["title"] == "dialoom task file"


def test_help_does_not_load_yaml() -> None:
    code = (
        "import sys, dialoom\n"
        "from dialoom.cli import main\n"
        "sys.argv = ['dialoom', 'schema', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "sys.exit('yaml' in sys.modules or 'rapidfuzz' in sys.modules)\n"
    )
    import subprocess

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0


def test_check_of_the_whole_pack_in_a_process_of_its_own() -> None:
    done = alone("schema", "check", "all")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith(" tasks: 0 errors, 0 warnings\n")
