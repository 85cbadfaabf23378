"""Ontologies of other corpora as schemas of tasks, which can be checked and simulated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.schema.services import contract, task_file
from dialoom.schema.yaml.reading import check_text

INNS = [
    {"prefix": "inn_search", "annotations": ["place", "stars"]},
    {"prefix": "inn1_detail", "annotations": ["name.inn", "stars"]},
    {"prefix": "inn2_detail", "annotations": ["name.inn", "review"]},
    {"prefix": "inn_booked", "annotations": ["nights"]},
]
ACTIONS = {
    "actions": {"kb_query": {"look-up": ["account_id"]}, "interaction": {"pay-back": ["amount"]}},
    "values": {"enumerable": {"amount": ["five", "ten"]}},
}
APIS = {
    "find_films": {
        "apis": ["find_films"],
        "args": {"all_of": ["place"], "any_of": ["genre"]},
        "response": {"type": "list", "keys": ["title", "empty"]},
    },
    "book": {"apis": ["book"], "args": {"all_of": ["title"]}, "response": {"type": "boolean"}},
}


def exchange(intents: list[str], **state: str) -> dict[str, Any]:
    slots = [{"slot": slot, "value": value} for slot, value in state.items()]
    return {"user_intents": intents, "dialogue_state": slots, "user_utterance": {"text": "hi"}}


DIALOGUES = [
    {"turns": [exchange(["BOOK_INN"]), exchange([], place="Ostby", nights="2")]},
    {"turns": [exchange(["BOOK_INN"], place="Calder")]},
]


@pytest.mark.parametrize(
    ("value", "intents"),
    [
        (
            {"inns": INNS},
            {
                "inn_search": ([], ["place", "stars"], ["name.inn", "review"], False),
                "inn_booked": ([], ["nights"], ["name.inn", "stars", "review"], False),
            },
        ),
        (
            ACTIONS,
            {
                "look-up": (["account_id"], [], [], False),
                "pay-back": (["amount"], [], [], True),
            },
        ),
        (
            APIS,
            {
                "find_films": (["place"], ["genre"], ["title"], False),
                "book": (["title"], [], [], True),
            },
        ),
        (DIALOGUES, {"BOOK_INN": (["place"], ["nights"], [], True)}),
    ],
)
def test_each_action_becomes_a_task(value: Any, intents: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "ontology.json"
    file.write_text(json.dumps(value))
    tasks = formats.schemas(file)
    services = {name: contract(task).intents[0] for name, task in tasks.items()}
    assert {
        name: (list(i.required), list(i.optional), list(i.results), i.transactional)
        for name, i in services.items()
    } == intents
    for task in tasks.values():
        assert {f.severity for f in check_text(task_file(task), "t")} == {"information"}


def test_listed_values_are_those_of_a_slot(tmp_path: Path) -> None:
    file = tmp_path / "ontology.json"
    file.write_text(json.dumps(ACTIONS))
    (slot,) = contract(formats.schemas(file)["pay-back"]).slots
    assert slot.possible_values == ("five", "ten")


def test_verticals_without_an_id_have_their_key(tmp_path: Path) -> None:
    file = tmp_path / "entities.json"
    file.write_text(json.dumps({"film": {"vertical": "tickets", "required": ["title"]}}))
    assert list(formats.schemas(file)) == ["film"]
