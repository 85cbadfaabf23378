"""Task files are read and saved whole, and never over another program's change."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import pytest
from starlette.testclient import TestClient

from dialoom.corpus.files import write_atomic
from dialoom.schema import pack
from dialoom.schema.yaml.reading import check_text


def read(client: TestClient, path: str, template: str = "") -> dict[str, str]:
    answer = client.get("/api/tasks/file", params={"path": path, "template": template})
    assert answer.status_code == 200, answer.text
    body: dict[str, str] = answer.json()
    return body


def save(client: TestClient, path: str, text: str, tag: str, **more: bool) -> dict[str, str]:
    message = {"path": path, "text": text, "tag": tag, **more}
    body: dict[str, str] = client.post("/api/tasks/save", json=message).json()
    return body


def test_a_saved_text_is_read_again(folder: Path, client: TestClient) -> None:
    before = read(client, "weather.yaml")
    text = before["text"] + "# a comment with ü\n"
    tag = save(client, "weather.yaml", text, before["tag"])["tag"]
    assert read(client, "weather.yaml") == {"text": text, "tag": tag}
    assert (folder / "weather.yaml").read_text(encoding="utf-8") == text
    assert [each.name for each in folder.iterdir()] == ["weather.yaml"]


def test_another_programs_change_is_not_overwritten(folder: Path, client: TestClient) -> None:
    before = read(client, "weather.yaml")
    (folder / "weather.yaml").write_text("task: theirs\n")
    refused = save(client, "weather.yaml", "task: mine\n", before["tag"])
    assert refused["code"] == "changed"
    assert (folder / "weather.yaml").read_text() == "task: theirs\n"
    tag = read(client, "weather.yaml")["tag"]
    assert "tag" in save(client, "weather.yaml", "task: mine\n", tag)
    assert (folder / "weather.yaml").read_text() == "task: mine\n"


def test_of_two_simultaneous_texts_one_is_saved(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    tag, barrier = read(client, "weather.yaml")["tag"], Barrier(2)

    def written(place: Path, data: bytes) -> None:
        with suppress(BrokenBarrierError):
            barrier.wait(0.5)  # both have read the same tag, unless one waits for the other
        write_atomic(place, data)

    monkeypatch.setattr("dialoom.studio.tasks.files.write_atomic", written)
    with ThreadPoolExecutor(2) as threads:
        bodies = threads.map(lambda text: save(client, "weather.yaml", text, tag), "ab")
        assert sorted(body.get("code", "") for body in bodies) == ["", "changed"]


def test_a_file_that_is_gone_or_new_is_not_overwritten(folder: Path, client: TestClient) -> None:
    before = read(client, "weather.yaml")
    (folder / "weather.yaml").unlink()
    assert save(client, "weather.yaml", "x", before["tag"])["code"] == "changed"
    (folder / "new.yaml").write_text("task: theirs\n")
    assert save(client, "new.yaml", "task: mine\n", "")["code"] == "changed"


def test_line_ends_and_byte_order_mark_stay(folder: Path, client: TestClient) -> None:
    (folder / "dos.yaml").write_bytes(b"\xef\xbb\xbftask: dos\r\ndomain: x\r\n")
    file = read(client, "dos.yaml")
    assert file["text"] == "task: dos\ndomain: x\n"
    save(client, "dos.yaml", "task: dos\ndomain: y\n", file["tag"])
    assert (folder / "dos.yaml").read_bytes() == b"\xef\xbb\xbftask: dos\r\ndomain: y\r\n"


@pytest.mark.parametrize("template", ["starter", "hotel_book", "restaurant_search"])
def test_a_new_task_begins_without_errors_and_is_not_written(
    folder: Path, client: TestClient, template: str
) -> None:
    draft = read(client, "pizza_order.yaml", template)
    assert draft["tag"] == ""
    assert re.search(r"^task: pizza_order\b", draft["text"], re.MULTILINE)
    assert [each for each in check_text(draft["text"]) if each.severity == "error"] == []
    assert not (folder / "pizza_order.yaml").exists()


def test_a_new_task_may_begin_empty(client: TestClient) -> None:
    assert read(client, "pizza_order.yaml", "empty") == {"text": "", "tag": ""}


def test_templates_are_the_bundled_tasks(client: TestClient) -> None:
    assert set(pack.names()) < set(client.get("/api/tasks/templates").json())


@pytest.mark.parametrize("path", ["notes.txt", "weather", ".yaml", "weather.yaml/..", "sub"])
def test_only_task_files_are_written(folder: Path, client: TestClient, path: str) -> None:
    assert "what" in save(client, path, "x", "")
    assert sorted(each.name for each in folder.iterdir()) == ["weather.yaml"]


def test_a_file_that_is_not_utf8_is_reported(folder: Path, client: TestClient) -> None:
    (folder / "latin.yaml").write_bytes(b"task: caf\xe9\n")
    answer = client.get("/api/tasks/file", params={"path": "latin.yaml"})
    assert answer.status_code == 422
    assert "line 1: not UTF-8" in answer.json()["what"]


def test_the_grammar_is_the_json_schema_of_task_files(client: TestClient) -> None:
    assert client.get("/api/tasks/grammar").json()["title"] == "dialoom task file"
