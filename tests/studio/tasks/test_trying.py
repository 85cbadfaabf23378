"""Dialogues, doctor, values, talk and understanding of a text as it is in the editor."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

from dialoom.studio.tasks.trying import DIALOGUES
from tests.studio.tasks.asking import HOTEL, asked


def texts(dialogues: Any) -> list[list[str]]:
    return [[line["text"] for line in lines] for lines in dialogues]


def test_dialogues_keep_their_seed_and_change_with_an_edit(client: TestClient) -> None:
    before = asked(client, "dialogues", seed=3)
    assert len(before) == DIALOGUES
    assert asked(client, "dialogues", seed=3) == before
    assert asked(client, "dialogues", seed=4) != before
    other = HOTEL.replace("Do you need help with something more?", "Is there more to do?")
    after = asked(client, "dialogues", other, seed=3)
    assert [len(lines) for lines in after] == [len(lines) for lines in before]
    assert texts(after) != texts(before)


def test_lines_name_their_nodes(client: TestClient) -> None:
    names = asked(client, "check")["names"]["flow"]
    events = [line for lines in asked(client, "dialogues") for line in lines]
    nodes = {line["node"] for line in events if line["kind"] == "utterance"}
    assert nodes <= set(names)
    assert all(line["node"] is None for line in events if line["kind"] != "utterance")


def test_the_doctor_finds_what_is_never_reached(client: TestClient) -> None:
    report = asked(client, "doctor")
    assert report["dialogues"] == report["ended"] > 0
    assert "/flow/not_booked" in {each["pointer"] for each in report["findings"]}


def test_values_have_all_their_renderings(client: TestClient) -> None:
    slots = asked(client, "values")
    (house,) = [each for each in slots["hotel"]["values"] if each["value"] == "Quarry Court"]
    assert house["renderings"] == ["Quarry Court", "the Quarry Court", "the Quarry"]
    assert slots["arrival"]["type"] == "date"


def test_a_talk_is_held_anew_with_an_edited_text(client: TestClient) -> None:
    texts = ["Hi, I need a room at the Quarry Court", "My name is Tom"]
    talk = asked(client, "talk", said=texts)
    assert [line["text"] for line in talk["lines"] if line["speaker"] == "user"] == texts
    assert talk["lines"][-1]["speaker"] == "system"
    assert talk["goal"]
    reading = talk["lines"][0]["heard"]
    assert [each["value"] for each in reading["mentions"]] == ["Quarry Court"]
    changed = HOTEL.replace("Hi, you have reached room reservations.", "Welcome.").replace(
        "Good day, this is the hotel desk.", "Welcome."
    )
    again = asked(client, "talk", changed, said=texts)
    assert "Welcome." in [line["text"] for line in again["lines"]]


def test_nothing_is_said_before_the_user_says_it(client: TestClient) -> None:
    assert asked(client, "talk", said=[])["lines"] == []


def test_a_booking_shows_what_it_changed(client: TestClient) -> None:
    texts = [
        "A room at the Quarry Court, please",
        "Tom",
        "May 6th",
        "May 20th",
        "No.",
        "Yes, please",
    ]
    assert asked(client, "talk", said=texts)["changed"]


@pytest.mark.parametrize("speaker", ["user", "system"])
def test_a_line_is_heard(client: TestClient, speaker: str) -> None:
    reading = asked(client, "hear", line="The Quarry Court, from the 3rd of May", speaker=speaker)
    assert {each["slot"] for each in reading["mentions"]} >= {"hotel"}


@pytest.mark.parametrize("what", ["dialogues", "doctor", "values", "talk", "hear"])
@pytest.mark.parametrize("text", ["", "a: [", "task: x\n", HOTEL.replace("hello:", "hallo:")])
def test_a_text_with_errors_is_refused_in_one_line(
    client: TestClient, what: str, text: str
) -> None:
    answer = client.post(f"/api/tasks/{what}", json={"path": "x.yaml", "text": text})
    assert answer.status_code == 422
    assert "\n" not in answer.json()["what"]


def test_a_message_of_another_shape_is_refused(client: TestClient) -> None:
    for message in ({}, {"path": 1, "text": ""}, {"path": "x.yaml", "text": "", "seed": "x"}):
        assert client.post("/api/tasks/dialogues", json=message).status_code == 400
