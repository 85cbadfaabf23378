"""Study files in the studio: read, changed and checked as text; pages in an origin of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from dialoom.studio.app import VIEWS
from dialoom.studio.folder import StudioFolder
from tests.collect.ratings import written

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"

STUDY = """\
purpose: To see.  # people read it
tasks: [weather.yaml]
stages:
  - name: talk
    asks:
      - {id: trust, text: "Trust?", scale: [no, partly, fully]}
"""


def post(client: TestClient, route: str, text: str, **more: Any) -> dict[str, Any]:
    answer = client.post(f"/api/studies/{route}", json={"path": "s.yaml", "text": text, **more})
    body: dict[str, Any] = answer.json()
    return body


def places(checked: dict[str, Any]) -> list[tuple[int, str]]:
    return [(each["line"], each["pointer"]) for each in checked["findings"]]


def test_a_stranger_gets_nothing(stranger: TestClient) -> None:
    assert stranger.post("/api/studies/check", json={"path": "s", "text": ""}).status_code == 401
    assert stranger.get("/study/x/y.html").status_code == 401


def test_study_files_are_recognised(folder: Path) -> None:
    (folder / "s.yaml").write_text(STUDY)
    (folder / "other.yaml").write_text("purpose: x\nmine: 1\n")
    views = {name: view.recognise for name, view in VIEWS.items()}
    kinds = {each.path: each.view for each in StudioFolder(folder, views).listing().entries}
    assert kinds == {"s.yaml": "studies", "weather.yaml": "tasks", "other.yaml": ""}


def test_a_new_file_begins_with_its_name_and_is_not_written(
    folder: Path, client: TestClient
) -> None:
    new = client.get("/api/studies/file", params={"path": "mine.yaml"}).json()
    assert new == {"text": "name: mine\n", "tag": ""}
    assert not (folder / "mine.yaml").exists()
    outside = client.get("/api/studies/file", params={"path": "../secret.yaml"})
    assert outside.json()["code"] == "outside"


def test_mistakes_have_their_line_and_pointer(client: TestClient) -> None:
    assert post(client, "check", STUDY)["findings"] == []
    wrong = STUDY.replace("scale: [no, partly, fully]", "scale: [no]") + "gard: off\n"
    assert places(post(client, "check", wrong)) == [(6, "/stages/0/asks/0/scale"), (7, "/gard")]
    wrong = wrong.replace("gard: off", "budget: 0")
    assert places(post(client, "check", wrong)) == [(6, "/stages/0/asks/0/scale"), (7, "/budget")]


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_an_empty_text_has_no_settings(client: TestClient, text: str) -> None:
    checked = post(client, "check", text)
    assert checked["value"] == {}
    assert places(checked) == [(1, "/tasks")]


def test_broken_yaml_has_no_value_and_is_not_changed(client: TestClient) -> None:
    broken = post(client, "check", "name: [")
    assert broken["value"] is None
    assert len(broken["findings"]) == 1
    change = {"pointer": ["name"], "value": "x"}
    refused = client.post(
        "/api/studies/change", json={"path": "s.yaml", "text": "name: [", "changes": [change]}
    )
    assert refused.status_code == 422


@pytest.mark.parametrize(
    "setting",
    [
        "tasks: [../secret.yaml]",
        "story: /etc/story.yaml",
        "stages: [{name: a, kind: rating, outputs: ../secret.csv}]",
        "stages: [{name: a, kind: rating, outputs: x, gold: {items: /etc/passwd}}]",
        "stages: [{name: a, kind: annotation, corpus: ../.., prelabels: [../model]}]",
    ],
)
def test_files_outside_the_folder_are_mistakes(client: TestClient, setting: str) -> None:
    findings = post(client, "check", f"{setting}\n")["findings"]
    assert findings
    assert all("not in the folder" in each["message"] for each in findings)
    assert post(client, "pages", f"{setting}\n")["code"] == "unfit"


def test_files_count_from_the_folder(
    tmp_path: Path, folder: Path, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    study = "stages: [{name: a, kind: rating, outputs: %s}]\n"
    [finding] = post(client, "check", study % "secret.csv")["findings"]
    assert str(tmp_path) not in finding["message"]
    written(folder / "outputs.jsonl")
    assert post(client, "check", study % "outputs.jsonl")["findings"] == []
    assert post(client, "check", "- a list\n")["value"] is None


def test_changes_keep_comments_and_write_nothing(folder: Path, client: TestClient) -> None:
    changes = [
        {"pointer": ["purpose"], "value": EVIL},
        {"pointer": ["stages", 1], "value": {"name": "again"}},
        {"pointer": ["stages", 0], "after": True},
    ]
    text = post(client, "change", STUDY, changes=changes)["text"]
    assert "  # people read it\n" in text
    checked = post(client, "check", text)
    assert checked["value"]["purpose"] == EVIL
    assert [stage["name"] for stage in checked["value"]["stages"]] == ["again", "talk"]
    assert [each.name for each in folder.iterdir()] == ["weather.yaml"]


def test_the_grammar_has_every_setting_once(client: TestClient) -> None:
    grammar = client.get("/api/studies/grammar").json()
    settings = grammar["schema"]["properties"]
    keys = [name for names in grammar["sections"].values() for name in names]
    assert sorted(keys) == sorted(settings)
    assert settings["guard"]["fixed"]
    assert "fixed" not in settings["purpose"]
    stage = settings["stages"]["anyOf"][1]["items"]["properties"]
    assert {"quiz", "room", "bot", "rating"} <= set(stage["kind"]["enum"])
    assert stage["questions"]["kinds"] == ["quiz"]
    assert all(each["description"] for each in (*settings.values(), *stage.values()))


def test_pages_run_in_an_origin_of_their_own(client: TestClient) -> None:
    text = STUDY.replace("To see.", f'"{EVIL}"').replace("Trust?", EVIL)
    preview = post(client, "pages", text)
    steps = {(page["person"], page["step"]) for page in preview["pages"]}
    assert ("user", "questionnaire") in steps
    assert ("wizard", "consent") in steps
    for page in preview["pages"]:
        answer = client.get(f"/study/{preview['key']}/{page['file']}")
        assert answer.headers["Content-Security-Policy"].startswith("sandbox allow-scripts;")
        assert "X-Frame-Options" not in answer.headers
        assert "<script>alert" not in answer.text
    assert client.get(f"/study/{preview['key']}/../../secret.yaml").status_code == 404
    assert client.get("/").headers["X-Frame-Options"] == "DENY"
