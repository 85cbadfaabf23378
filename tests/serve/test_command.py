"""The command in a process of its own: started, killed in mid-send, started again, stopped."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from dialoom.collect.log.record import unit_stream
from dialoom.collect.log.store import Store
from dialoom.collect.settings import Settings
from dialoom.collect.studies import open_study
from dialoom.serve.server import listen
from tests.cli.runner import Run
from tests.serve.page import Page
from tests.serve.play import whole
from tests.serve.served import Command, command, served

TASKS = ("--tasks", "restaurant_book,hotel_book")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "study.sqlite"


def paired(server: Command) -> tuple[Page, Page]:
    user, wizard = Page(server.user).enter().wait(), Page(server.wizard).enter().wait()
    user.until_step("room")
    wizard.until_step("room")
    return user, wizard


def resend(page: Page, client: str, text: str) -> None:
    """Come back, and send what was not acknowledged."""
    page.close()
    page.open(fresh=False)
    frame = page.ask("say", client, text=text)
    assert frame["type"] == "ack", frame


@pytest.mark.parametrize("fault", ["before_commit", "after_commit", "after_acknowledgement"])
def test_a_kill_in_mid_send_loses_and_doubles_nothing(db: Path, fault: str) -> None:
    with served(db, Settings(tasks=tuple(TASKS[1].split(",")))) as first:
        user, wizard = first.pair()
        first.pages.clear()  # they go on with the next server
        link, port = first.link("user"), urlsplit(first.base).port or 0

    dying = command("--db", db, "--port", port, fault=f"{fault}:1")
    assert dying.user == link, "the links are the same"
    user.close()
    user.open(fresh=False)
    with pytest.raises((ConnectionClosed, AssertionError)):
        frame = user.ask("say", "mine-1", text="Hello")
        assert frame["type"] != "ack", "the process dies after it"
    dying.process.wait()
    dying.kill()

    with served(db, None, port=port):
        resend(user, "mine-1", "Hello")
        wizard.close()
        wizard.open(fresh=False)
        wizard.until_turn()
        wizard.until_kind("say")
        assert user.until_kind("say")["client_msg_id"] == "mine-1"
        assert wizard.said() == user.said() == ["Hello"]
        whole_after(user, wizard)
        for page in (user, wizard):
            page.shut()
    with Store.open(db, create=False, readonly=True) as store:
        seqs = [record.seq for record in store.stream(unit_stream(1))]
    assert seqs == list(range(1, len(seqs) + 1))


def whole_after(user: Page, wizard: Page) -> None:
    """Go on to the end from the wizard's turn."""
    wizard.do("say", text="Good evening")
    whole(user, wizard)


def test_a_server_that_is_stopped_closes_well(db: Path) -> None:
    server = command(*TASKS, "--db", db, "--port", 0, "--purpose", "to learn")
    user, wizard = paired(server)
    user.do("say", text="Hello")
    assert server.stop() == 0
    assert wizard.until_closed() == 1012
    for page in (user, wizard):
        page.shut()
    with closing(sqlite3.connect(db)) as plain:
        assert plain.execute("SELECT count(*) FROM seat").fetchall() == [(2,)]


def test_the_study_keeps_its_settings_and_has_one_server(db: Path, run: Run) -> None:
    with served(db, Settings(tasks=tuple(TASKS[1].split(",")), guard="reason")):
        assert run("collect", *TASKS, "--db", db, "--port", "0").refused(str(db), "stop it first")
    done = run("collect", "--db", db, "--port", "0", "--guard", "off")
    assert done.refused("guard", "reason", "off", db.name)
    again = command("--db", db, "--port", 0, "--guard", "reason", *TASKS)
    assert httpx.get(f"http://127.0.0.1:{again.port}/healthz").json()["status"] == "ok"
    assert again.stop() == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--tasks", "packages", "--try", "wizard"), "no flow"),
        ((*TASKS, "--scenario", "mixed", "--try", "user"), "one task at a time"),
        (("--tasks", "weather", "--scenario", "multi"), "several tasks"),
    ],
)
def test_what_cannot_be_played_begins_no_study(
    db: Path, arguments: tuple[str, ...], word: str, run: Run
) -> None:
    assert run("collect", *arguments, "--db", db, "--port", "0").refused(word)
    assert not db.exists()


@pytest.mark.parametrize(
    ("stage", "person", "word"),
    [
        ("spoken", "wizard", "no program speaks"),
        ("spoken", "user", "recogniser"),
        ("self_dialogue", "user", "two people talk"),
    ],
)
def test_a_stage_that_no_program_plays_in_begins_no_study(
    db: Path, tmp_path: Path, run: Run, stage: str, person: str, word: str
) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(f"tasks: [weather]\nstages: [{{name: a, kind: {stage}}}]\n", encoding="utf-8")
    done = run("collect", "--settings", file, "--try", person, "--db", db, "--port", "0")
    assert done.refused(word)
    assert not db.exists()


def test_settings_that_make_no_sense_are_reported_with_their_file(
    db: Path, tmp_path: Path, run: Run
) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("tasks: [weather]\ntarget: 0\n", encoding="utf-8")
    done = run("collect", "--settings", file, "--db", db, "--port", "0")
    assert done.refused(file.name, "target")
    assert not db.exists()


def test_mistakes_of_a_study_file_are_written_as_json(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("tasks: [weather]\ntarget: 0\nbudget: 0\n", encoding="utf-8")
    done = run("collect", "check", file, "--json", "-")
    assert done.code == 1
    report = json.loads(done.out)
    rows = [(each["line"], each["setting"]) for each in report["mistakes"]]
    assert (rows, report["settings"]) == ([(2, "target"), (3, "budget")], 3)
    file.write_text("tasks: [weather]\n", encoding="utf-8")
    done = run("collect", "check", file, "--json", tmp_path / "right.json")
    assert done.code == 0
    assert json.loads((tmp_path / "right.json").read_bytes())["mistakes"] == []
    assert run("collect", "preview", file, tmp_path / "preview").code == 0
    assert (tmp_path / "preview" / "index.html").is_file()


def test_edits_of_a_study_that_has_begun_are_listed(db: Path, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "own.yaml"
    file.write_text("tasks: [weather]\ntarget: 2\ncurrency: USD\n", encoding="utf-8")
    settings = Settings(tasks=("weather",), target=1)
    assert run("collect", "check", file, "--db", db).refused(str(db))
    open_study(db, settings, 0).close()
    assert run("collect", "check", file, "--db", db).code == 0
    file.write_text("tasks: [weather]\ntarget: 2\ncurrency: EUR\n", encoding="utf-8")
    done = run("collect", "check", file, "--db", db, "--json", "-")
    assert done.code == 1
    rows = json.loads(done.out)["edits"]
    edits = [(each["line"], each["setting"], bool(each["refusal"])) for each in rows]
    assert edits == [(2, "target", False), (3, "currency", True)]


def test_a_taken_port_is_reported_in_a_line_and_nothing_is_made(db: Path, run: Run) -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        done = run("collect", *TASKS, "--db", db, "--port", str(port))
    assert done.refused(f"127.0.0.1:{port}", "--port")
    assert not db.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--db", "/no/such/folder/study.sqlite", *TASKS], ["/no/such/folder"]),
        (["--db", "new.sqlite"], ["--tasks"]),
        (["--db", "new.sqlite", "--tasks", "restaurant_bok"], ["restaurant_book"]),
        (["--db", "new.sqlite", *TASKS, "--guard", "maybe"], ["guard", "maybe", "warn"]),
        (["--db", "new.sqlite", *TASKS, "--stages", "five"], ["stages", "five", "star"]),
        (["--db", "new.sqlite", *TASKS, "--scenario", "sad"], ["sad"]),
        (["--db", "new.sqlite", *TASKS, "--port", "70000"], ["70000"]),
        (["--db", "new.sqlite", *TASKS, "--host", "no.such.host.invalid"], ["--host"]),
        (["--db", "new.sqlite", "--settings", "none.yaml"], ["none.yaml"]),
        (["--db", "new.sqlite", "--settings", "."], [".: a folder", "YAML"]),
        (["--db", "new.sqlite", "--settings", "broken.yaml"], ["broken.yaml", "line 2"]),
        (["--db", "new.sqlite", "--settings", "kind.yaml"], ["kind.yaml", "times", "names"]),
        (["--db", "new.sqlite", "--settings", "empty.yaml"], ["empty.yaml", "empty"]),
        (["--db", "new.sqlite", *TASKS, "--url", "example.org"], ["--url", "https://"]),
        (["--db", "text.txt", *TASKS], ["text.txt"]),
        (["--db", ".", *TASKS], ["."]),
    ],
)
def test_bad_input_is_reported_in_a_line(
    tmp_path: Path,
    arguments: list[str],
    words: list[str],
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("no database\n" * 100)
    (tmp_path / "broken.yaml").write_text("tasks: [weather\n")
    (tmp_path / "kind.yaml").write_text("tasks: [weather]\ntimes: 3\n")
    (tmp_path / "empty.yaml").touch()
    before = set(tmp_path.iterdir())
    port = [] if "--port" in arguments else ["--port", "0"]
    done = run("collect", *arguments, *port)
    assert done.refused(*words), done
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "command",
    [
        ["serve", "--tasks", "weather"],
        ["collect", "--tasks", "weather"],
        ["collect", "links"],
        ["collect", "recruit", "-n", "3"],
    ],
)
def test_the_public_address_has_no_path(tmp_path: Path, run: Run, command: list[str]) -> None:
    where = ["--db", str(tmp_path / "new.sqlite"), "--url", "https://talk.example.org/prefix/"]
    assert run(*command, *where).refused("--url: leave out the path /prefix")
    assert not list(tmp_path.iterdir())


def test_settings_come_from_a_file_too(tmp_path: Path, run: Run) -> None:
    file, db = tmp_path / "settings.yaml", tmp_path / "study.sqlite"
    file.write_text("tasks: [weather]\nguard: reason\ntimes: {idle: 60, idle_warning: 30}\n")
    server = command("--settings", file, "--db", db, "--port", 0, "--guard", "off")
    page = Page(server.user).enter()
    assert page.state["study"]["name"] == "study"
    page.shut()
    assert server.stop() == 0
    file.write_text("tasks: [weather]\ngard: reason\n")
    done = run("collect", "--settings", file, "--db", tmp_path / "other", "--port", "0")
    assert done.refused("settings.yaml", "gard", "guard")


def test_an_export_needs_a_study(tmp_path: Path, run: Run) -> None:
    done = run("collect", "export", "--db", tmp_path / "none", "--to", "star", "--out", tmp_path)
    assert done.refused("none")


def test_the_command_line_stays_light() -> None:
    program = """
import sys
import dialoom, dialoom.cli.app
heavy = {"fastapi", "starlette", "uvicorn", "sqlalchemy", "numpy", "sklearn"} & set(sys.modules)
sys.exit(", ".join(heavy) or 0)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    program = (
        "import sys; sys.modules['uvicorn'] = None\n"
        "sys.argv = ['dialoom', 'collect', '--tasks', 'weather', '--db', 'new.sqlite']\n"
        "from dialoom.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "pip install 'dialoom[collect]'" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("person", "nobody"),
        ("erase", "nobody"),
        ("erase", "anna"),
        ("settle", "--out", "out"),
        ("token",),
        ("links",),
        ("export", "--to", "star", "--out", "out"),
    ],
)
def test_no_command_prints_the_password_of_a_database(
    db: Path, arguments: tuple[str, ...], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(db.parent)
    with served(db, Settings(tasks=("weather",))) as study:
        study.page("user", worker="anna")
    done = run("collect", *arguments, "--db", f"sqlite:///{db}?password=q7xk9z")
    assert "q7xk9z" not in done.out + done.err


def test_no_server_prints_the_password_of_a_database(tmp_path: Path, run: Run) -> None:
    secret = f"sqlite:///{tmp_path / 'study.sqlite'}?password=q7xk9z"
    for server in ("collect", "serve"):
        done = run(server, "--db", secret, "--port", "0")
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert "q7xk9z" not in done.out + done.err
    with served(tmp_path / "study.sqlite", Settings(tasks=("weather",))):
        pass
    for more in (("--tasks", "hotel_book"), ("--scenario", "multi")):
        done = run("collect", *more, "--db", secret, "--port", "0")
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert "q7xk9z" not in done.out + done.err
    done = run("serve", "--tasks", "weather", "--db", secret, "--port", "0")
    assert done.code == 2
    assert "q7xk9z" not in done.out + done.err
