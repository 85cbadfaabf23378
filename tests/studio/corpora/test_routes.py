"""The routes of corpora: lists, dialogues, patches; nothing outside the folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from dialoom import formats
from dialoom.corpus.patches import Overlay, patched
from dialoom.dialogue import encode
from dialoom.studio.corpora.building import build
from dialoom.studio.corpora.index import CorpusIndex
from dialoom.studio.corpora.indexing import Indexing
from dialoom.studio.corpora.recognising import recognise
from tests.studio.corpora.talks import ACT, HOSTILE, labelled, mend, talk, written

Get = Callable[..., Any]


@pytest.fixture
def corpus(folder: Path) -> Path:
    """Make an indexed corpus in the studio's folder."""
    place = folder / "talks"
    written(
        place, labelled(), talk("hostile", HOSTILE, "Hm."), talk("twin", "a"), talk("twin", "b")
    )
    list(build(CorpusIndex(place), formats.load(place)))
    return place


@pytest.fixture
def get(client: TestClient, corpus: Path) -> Get:
    def asked(address: str, status: int = 200, **values: Any) -> Any:
        answer = client.get(f"/api/corpora/{address}", params={"path": "talks", **values})
        assert answer.status_code == status, answer.text
        return answer.json()

    return asked


def test_dialogues_are_listed_and_searched(get: Get) -> None:
    listing = get("dialogues")
    assert (listing["format"], listing["total"]) == ("native", 4)
    assert [row["id"] for row in get("dialogues", text="rome")["rows"]] == ["labelled"]
    assert get("values")["task"] == {"trips": 3}


def test_a_dialogue_has_its_annotations_and_neighbours(get: Get) -> None:
    view = get("dialogue", id="labelled")
    line = view["dialogue"]["lines"][0]
    assert line["pieces"] == [["To ", ""], ["Rome", "city"], [", please.", ""]]
    kinds = {note["kind"]: note for note in line["notes"]}
    assert kinds["act"]["form"]["lines"] == "city = Rome"
    assert {"act", "span", "state", "change"} <= kinds.keys()
    assert kinds["change"]["text"] == "city: Rome"
    assert view["before"] is None
    assert get("dialogue", number=view["after"])["dialogue"]["id"] == "hostile"
    assert len(get("dialogue", id="twin")["same"]) == 2


def test_a_dialogue_that_is_not_in_the_index_is_null(get: Get) -> None:
    assert get("dialogue", id="nobody") is None
    assert get("dialogue", number=12) is None


def test_hostile_words_come_as_data(get: Get) -> None:
    line = get("dialogue", id="hostile")["dialogue"]["lines"][0]
    assert "".join(text for text, _ in line["pieces"]) == HOSTILE


def test_nothing_outside_the_folder_is_read(get: Get, corpus: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    written(outside, talk("secret", "secret"))
    (corpus.parent / "link").symlink_to(outside)
    for path in ("../outside", str(outside), "link", "talks/../../outside"):
        for address in ("dialogues", "values", "dialogue", "progress"):
            assert get(address, 422, path=path)["code"] == "outside"


@pytest.mark.parametrize(
    ("address", "values", "status"),
    [
        ("dialogue", {"number": "x"}, 400),
        ("dialogues", {"sort": "turns; DROP TABLE dialogue"}, 422),
        ("dialogues", {"path": "nowhere"}, 404),
    ],
)
def test_other_wishes_are_refused(
    get: Get, address: str, values: dict[str, Any], status: int
) -> None:
    assert get(address, status, **values)["what"]


def test_all_routes_need_the_token(stranger: TestClient, corpus: Path) -> None:
    for address in ("dialogues", "values", "dialogue", "progress"):
        assert stranger.get(f"/api/corpora/{address}?path=talks").status_code == 401
    assert stranger.post("/api/corpora/mend", json={}).status_code == 401


def test_an_annotation_is_mended_beside_the_corpus(
    client: TestClient, get: Get, corpus: Path
) -> None:
    before = {file.name: file.read_bytes() for file in corpus.iterdir()}
    opened = get("dialogue", id="labelled")
    overlay = corpus.with_name("talks.patches.jsonl")
    assert not overlay.exists()
    form = {"kind": "act", "name": "confirm", "lines": "city = Milan"}
    view = mend(client, opened, pointer=ACT, form=form, note="why")
    assert view["dialogue"]["lines"][0]["notes"][0]["text"] == "confirm(city = Milan)"
    (line,) = overlay.read_bytes().splitlines()
    patch = msgspec.json.decode(line)
    assert patch["before"]["name"] == "inform"
    assert (patch["after"]["name"], patch["who"], patch["note"]) == ("confirm", "ada", "why")
    assert {file.name: file.read_bytes() for file in corpus.iterdir()} == before
    assert recognise(overlay) is None


def test_a_change_is_taken_back(client: TestClient, get: Get, corpus: Path) -> None:
    opened = get("dialogue", id="labelled")
    view = mend(client, opened, pointer=ACT)
    assert len(view["dialogue"]["patches"]) == 1
    again = mend(client, view, undo=True)
    assert again["dialogue"]["lines"] == opened["dialogue"]["lines"]
    assert len(again["dialogue"]["patches"]) == 2


def test_findings_follow_a_change(client: TestClient, get: Get) -> None:
    opened = get("dialogue", id="labelled")
    form = {"kind": "span", "name": "city", "start": 3, "end": 700}
    pointer = "/events/0/layers/0/parts/0/spans/0"
    view = mend(client, opened, pointer=pointer, form=form)
    codes = [each["code"] for each in view["dialogue"]["lines"][0]["findings"]]
    assert codes
    (code,) = {row["findings"] for row in get("dialogues", finding=codes[0])["rows"]}
    assert code >= 1


def test_a_change_of_an_older_version_is_refused(
    client: TestClient, get: Get, corpus: Path
) -> None:
    opened = get("dialogue", id="labelled")
    mend(client, opened, pointer=ACT)
    refused = mend(client, opened, 422, pointer="/events/0", form={"kind": "act", "name": "x"})
    assert refused["code"] == "changed"
    assert len(corpus.with_name("talks.patches.jsonl").read_bytes().splitlines()) == 1


def test_of_two_simultaneous_changes_one_is_refused(
    client: TestClient, get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = get("dialogue", id="labelled")
    barrier, write = Barrier(2), Overlay.append

    def append(self: Overlay, *values: Any) -> Any:
        with suppress(BrokenBarrierError):
            barrier.wait(0.5)  # both have read the same version, unless one waits for the other
        return write(self, *values)

    monkeypatch.setattr(Overlay, "append", append)
    body = {"path": "talks", "number": opened["number"], "who": "ada", "pointer": ACT}
    body["version"] = opened["dialogue"]["version"]
    with ThreadPoolExecutor(2) as threads:
        answers = list(threads.map(lambda _: client.post("/api/corpora/mend", json=body), "ab"))
    assert sorted(answer.status_code for answer in answers) == [200, 422]
    assert not get("dialogue", id="labelled")["dialogue"]["stale"]


def test_a_change_is_of_one_of_two_dialogues_with_an_id(
    client: TestClient, get: Get, corpus: Path
) -> None:
    first, second = get("dialogue", id="twin")["same"]
    form = {"kind": "act", "name": "greet"}
    mend(client, get("dialogue", number=second), pointer="/events/0", form=form)
    patches = [get("dialogue", number=each)["dialogue"]["patches"] for each in (first, second)]
    assert [len(each) for each in patches] == [0, 1]
    twins = patched(formats.load(corpus)).filter(ids=["twin"])
    assert [b"greet" in encode(each) for each in twins] == [False, True]


def test_a_change_needs_an_author(client: TestClient, get: Get, corpus: Path) -> None:
    assert (
        mend(client, get("dialogue", id="labelled"), 422, pointer=ACT, who=" ")["code"] == "nobody"
    )
    assert not corpus.with_name("talks.patches.jsonl").exists()


def test_a_patch_that_no_longer_fits_is_named_and_the_source_shown(
    client: TestClient, get: Get, corpus: Path
) -> None:
    mend(client, get("dialogue", id="labelled"), pointer=ACT)
    overlay = corpus.with_name("talks.patches.jsonl")
    overlay.write_bytes(overlay.read_bytes().replace(b"inform", b"other"))
    dialogue = get("dialogue", id="labelled")["dialogue"]
    assert "inform" in dialogue["stale"]
    assert dialogue["lines"][0]["notes"][0]["text"] == "inform(city = Rome)"


def test_an_unindexed_corpus_is_indexed_in_a_process(folder: Path) -> None:
    written(folder / "fresh", *(talk(f"d{n}", "hello") for n in range(3)))
    indexing, deadline = Indexing(), time.monotonic() + 120
    states = [indexing.look(folder / "fresh")]
    while states[-1].phase not in ("done", "failed") and time.monotonic() < deadline:
        time.sleep(0.05)  # a process of its own, whose end nothing else shows
        states.append(indexing.look(folder / "fresh"))
    assert (states[0].phase, states[-1].phase) == ("opening", "done")
    assert states[-1].dialogues == 3


def test_what_cannot_be_indexed_says_why(folder: Path) -> None:
    (folder / "none").mkdir()
    indexing, deadline = Indexing(), time.monotonic() + 120
    state = indexing.look(folder / "none")
    while state.phase not in ("done", "failed") and time.monotonic() < deadline:
        time.sleep(0.05)
        state = indexing.look(folder / "none")
    assert state.phase == "failed"
    assert "none" in state.what


def test_corpora_are_recognised_and_their_folder_is_none(folder: Path) -> None:
    (folder / "all").mkdir()
    written(folder / "all" / "one", talk("a", "x"))
    assert recognise(folder / "all" / "one") == ("corpus", "native")
    assert recognise(folder / "all" / "one" / "dialogues-00000.jsonl") == ("corpus", "native")
    assert recognise(folder / "weather.yaml") is None
    assert recognise(folder / "nowhere") is None
