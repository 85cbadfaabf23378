"""The list of a folder, and paths that would lead out of it."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.testclient import TestClient

from dialoom.collect.message import Refused
from dialoom.errors import MissingDataError
from dialoom.studio.folder import Recognised, StudioFolder
from tests.make import refuses
from tests.naughty import MOMENTS, NUMBERS


def listed(client: TestClient) -> Any:
    """Return the whole list, as the page asks for it."""
    listing = client.get("/api/folder").json()
    while listing["walking"]:
        listing = client.get("/api/folder", params={"search": listing["search"]}).json()
    return listing


OUTSIDE = [
    "../secret.yaml",
    "sub/../../secret.yaml",
    "/etc/passwd.yaml",
    "..",
    "link/secret.yaml",
    "away.yaml",
    "\x00.yaml",
    "~/../../x.yaml/../../..",
]


@pytest.fixture
def linked(folder: Path) -> Path:
    """Return the folder with links out of it."""
    (folder / "link").symlink_to(folder.parent)
    (folder / "away.yaml").symlink_to(folder.parent / "secret.yaml")
    (folder / "loop.yaml").symlink_to(folder / "loop.yaml")
    return folder


@pytest.mark.parametrize("path", OUTSIDE)
def test_no_path_leads_out_of_the_folder(linked: Path, client: TestClient, path: str) -> None:
    with pytest.raises(Refused) as caught:
        StudioFolder(linked).inside(path)
    assert caught.value.code == "outside"
    if path.endswith(".yaml"):
        for answer in (
            client.get("/api/tasks/file", params={"path": path}),
            client.post("/api/tasks/save", json={"path": path, "text": "x", "tag": ""}),
            client.post("/api/tasks/check", json={"path": path, "text": "task: x"}),
            client.get("/api/events", params={"path": path}),
        ):
            assert answer.json()["code"] == "outside"
    assert (linked.parent / "secret.yaml").read_text() == "task: secret\n"


@pytest.mark.parametrize("path", ["%2e%2e/secret.yaml", "../manifest.json", "..%2fapp.py"])
def test_pages_are_no_way_to_files(client: TestClient, path: str) -> None:
    assert client.get(f"/pages/{path}").status_code == 404


def test_the_list_says_what_each_file_is(linked: Path, client: TestClient) -> None:
    (linked / "note.txt").write_text("a note")
    (linked / "other.yaml").write_text("name: no task\n")
    (linked / ".hidden").write_text("")
    (linked / "sub").mkdir()
    (linked / "sub" / "pizza.yml").write_bytes(b"# a comment\r\ntask: pizza\r\n")
    listing = listed(client)
    kinds = {each["path"]: (each["view"], each["kind"]) for each in listing["entries"]}
    assert listing["name"] == "work"
    assert kinds == {
        "weather.yaml": ("tasks", "task"),
        "sub/pizza.yml": ("tasks", "task"),
        "note.txt": ("", "other"),
        "other.yaml": ("", "other"),
        "link": ("", "link"),
        "away.yaml": ("", "link"),
        "loop.yaml": ("", "link"),
    }


def test_a_large_folder_is_cut(
    folder: Path, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 100
    monkeypatch.setattr("dialoom.studio.folder.MOST", most)
    for number in range(most):
        (folder / f"{number}.txt").touch()
    listing = listed(client)
    assert listing["cut"]
    assert len(listing["entries"]) == most


def test_odd_names_do_not_break_the_list(folder: Path, client: TestClient) -> None:
    names = ["<img src=x onerror=alert(1)>.yaml", "a b.yaml", "ü.yaml", "'\";.yaml"]
    for name in names:
        (folder / name).write_text("task: odd\n")
    paths = [each["path"] for each in listed(client)["entries"]]
    assert set(names) < set(paths)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with refuses(MissingDataError, "no-file"):
        StudioFolder(tmp_path / "none")


@pytest.mark.parametrize("text", (*NUMBERS, *MOMENTS, "a" * 300))
def test_no_text_as_a_path_fails(client: TestClient, text: str) -> None:
    answer = client.get("/api/tasks/file", params={"path": f"{text}.yaml"})
    assert answer.status_code in (200, 422)


def test_what_is_found_so_far_is_listed_at_once(folder: Path) -> None:
    (folder / "slow.txt").touch()
    goes_on = Event()

    def recognise(path: Path) -> Recognised:
        if path.name == "weather.yaml":
            goes_on.wait()
        return Recognised("task")

    place = StudioFolder(folder, {"tasks": recognise})
    part = place.listing(0.01)
    assert ([each.path for each in part.entries], part.walking) == (["slow.txt"], True)
    goes_on.set()
    whole = place.listing()
    assert ([each.path for each in whole.entries], whole.walking) == (
        ["slow.txt", "weather.yaml"],
        False,
    )


def test_the_last_list_stays_while_the_folder_is_searched_again(folder: Path) -> None:
    goes_on = Event()
    goes_on.set()

    def recognise(path: Path) -> Recognised:
        goes_on.wait()
        return Recognised("task")

    place = StudioFolder(folder, {"tasks": recognise})
    before = place.listing().entries
    (folder / "new.txt").touch()
    goes_on.clear()
    again = place.listing(0.01)
    assert (again.entries, again.walking) == (before, True)
    goes_on.set()
    assert len(place.listing().entries) == len(before) + 1
