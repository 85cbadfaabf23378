from __future__ import annotations

import pickle
import re
from collections import Counter
from pathlib import Path

import pytest

from dialoom.dialogue import digest
from dialoom.errors import MissingDataError, UnknownNameError
from dialoom.schema import pack
from dialoom.schema.pack import starter
from dialoom.schema.yaml.reading import review
from tests.make import refuses


def test_every_bundled_task_passes_the_check_without_a_warning() -> None:
    findings = [str(finding) for name in pack.names() for finding in review(pack.document(name))]
    assert findings == []


def test_ids_are_the_files_names_and_no_name_is_taken_twice() -> None:
    tasks = [pack.load(name) for name in pack.names()]
    assert tuple(task.id for task in tasks) == pack.names()
    names = Counter([*pack.names(), *(alias for task in tasks for alias in task.aliases)])
    assert [name for name, many in names.items() if many > 1] == []


def test_tasks_by_id_alias_and_file(tmp_path: Path) -> None:
    assert pack.resolve("hotel_book") is pack.load("hotel_book")
    assert pack.resolve("hotel_reserve").id == "hotel_book"
    file = tmp_path / "pizza.yaml"
    file.write_text(starter("pizza_order"))
    assert pack.resolve(file).id == pack.resolve(str(file)).id == "pizza_order"


def test_german_tasks_by_id_and_pack_but_not_among_all() -> None:
    german = pack.names("de")
    assert german == ("bahnfahrt", "friseur", "paketumleitung", "wetter")
    assert [pack.load(name).language for name in german] == ["de"] * 4
    assert pack.expand(["weather", "de"]) == ["weather", *german]
    assert not {*german} & {*pack.expand(["all"])}


def test_unknown_names_and_files() -> None:
    with refuses(UnknownNameError, "unknown-name", "hotel_book"):
        pack.resolve("hotel_bok")
    with refuses(MissingDataError, "no-file"):
        pack.resolve("hotel_book.yaml")
    with refuses(MissingDataError, "no-file"):
        pack.resolve("some/folder")


def test_every_text_is_whole() -> None:
    """A comma cuts a text in two where it stands bare in brackets; the rest begins small."""
    cut = [
        (name, node.name, text)
        for name in pack.names()
        for node in pack.load(name).flow.nodes.values()
        for text in node.texts
        if re.match(r"[a-z]", text)
        and len(node.texts) > 1
        and not text.rstrip().endswith((".", "?", "!"))
    ]
    assert cut == []


@pytest.mark.parametrize("name", pack.names())
def test_a_task_that_was_pickled_has_the_same_digest(name: str) -> None:
    task = pack.load(name)
    assert digest(pickle.loads(pickle.dumps(task))) == digest(task)
