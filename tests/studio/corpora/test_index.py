"""The index of a corpus: complete, renewed when files change, and only then."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue
from dialoom.errors import MissingDataError
from dialoom.quality.lint import lint
from dialoom.studio.corpora import building
from dialoom.studio.corpora.index import PLACES, CorpusIndex
from dialoom.studio.corpora.places import places_of, read_again
from dialoom.studio.corpora.search import Wanted, search
from tests.studio.corpora.talks import indexed, labelled, talk, written


def ids(index: CorpusIndex, **wanted: Any) -> list[str]:
    with index.reading() as database:
        return [row.id for row in search(database, Wanted(**wanted)).rows]


def touch(file: Path, data: bytes) -> None:
    before = file.stat()
    file.write_bytes(data)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 1))


def test_a_corpus_is_listed_in_the_order_of_its_files(tmp_path: Path) -> None:
    corpus = written(tmp_path / "c", *(talk(f"d{n}", f"word{n}") for n in range(5)))
    index, progress = indexed(tmp_path, corpus)
    assert ids(index) == [f"d{n}" for n in range(5)]
    assert progress[-1].phase == "done"
    assert progress[-1].dialogues == 5
    assert index.format() == "native"
    assert not index.changed(corpus)


def test_progress_never_goes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BATCH", 3)
    corpus = written(tmp_path / "c", *(talk(f"d{n}", "hello") for n in range(20)))
    _, progress = indexed(tmp_path, corpus)
    for phase in ("reading", "checking"):
        shares = [each.share for each in progress if each.phase == phase]
        assert len(shares) > 3
        assert shares == sorted(shares)
        assert shares[-1] <= 1


def test_what_is_read_can_be_listed_before_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "BATCH", 2)
    corpus = written(tmp_path / "c", *(talk(f"d{n}", "hello") for n in range(9)))
    index = CorpusIndex(corpus.path, tmp_path)
    counts = [len(ids(index)) for each in building.build(index, corpus) if each.phase == "reading"]
    assert counts[-1] > counts[0] >= 0
    assert len(set(counts)) > 2


def test_only_changed_files_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "c"
    place.mkdir()
    for name in ("a", "b"):
        lines = formats.get("native").render_file([talk(name, f"about {name}")])
        (place / f"dialogues-{name}.jsonl").write_bytes(lines)
    (place / "manifest.json").write_text(
        '{"native":1,"dialogues":2,"shards":{"dialogues-a.jsonl":"","dialogues-b.jsonl":""}}'
    )
    index, _ = indexed(tmp_path, formats.load(place))
    touch(place / "dialogues-a.jsonl", formats.get("native").render_file([talk("new", "fresh")]))
    corpus = formats.load(place)
    assert index.changed(corpus)
    read: list[str] = []
    plain = Corpus.read_file

    def reading(self: Corpus, file: Path) -> Iterator[Dialogue]:
        read.append(file.name)
        return plain(self, file)

    monkeypatch.setattr(Corpus, "read_file", reading)
    list(building.build(index, corpus))
    assert set(read) == {"dialogues-a.jsonl"}
    assert ids(index) == ["new", "b"]  # in the place of the file that it is in
    assert ids(index, text="fresh") == ["new"]
    assert ids(index, text="about") == ["b"]
    assert not index.changed(corpus)


def test_a_file_that_is_gone_leaves_nothing_behind(tmp_path: Path) -> None:
    index, _ = indexed(tmp_path, written(tmp_path / "c", talk("a", "one"), talk("b", "two")))
    indexed(tmp_path, written(tmp_path / "c", talk("b", "two")))
    assert ids(index) == ["b"]
    with index.reading() as database:
        for table in ("dialogue", "said"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)


def test_an_interrupted_index_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BATCH", 2)
    corpus = written(tmp_path / "c", *(talk(f"d{n}", "hello") for n in range(9)))
    index = CorpusIndex(corpus.path, tmp_path)
    with closing(building.build(index, corpus)) as stream:
        list(islice(stream, 3))
    assert index.changed(corpus)
    list(building.build(index, corpus))
    assert ids(index) == [f"d{n}" for n in range(9)]


def test_a_damaged_index_is_made_anew(tmp_path: Path) -> None:
    corpus = written(tmp_path / "c", talk("a", "one"))
    index, _ = indexed(tmp_path, corpus)
    index.file.write_bytes(b"no database at all, but some text that is long enough" * 100)
    Path(f"{index.file}-wal").unlink(missing_ok=True)
    list(building.build(index, corpus))
    assert ids(index) == ["a"]


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_there(tmp_path: Path) -> None:
    place = tmp_path / "c"
    written(place, talk("a", "one"), talk("b", "two"))
    shard = place / "dialogues-00000.jsonl"
    touch(shard, shard.read_bytes().splitlines(keepends=True)[0] + b"{broken\n")
    index, _ = indexed(tmp_path, formats.load(place))
    assert ids(index) == ["a"]
    with index.reading() as database:
        (error,) = database.execute("SELECT error FROM file").fetchone()
    assert "dialogues-00000.jsonl, line 2" in error


def test_findings_are_those_of_lint(tmp_path: Path) -> None:
    corpus = written(tmp_path / "c", talk("a", "one"), talk("a", "two"), labelled())
    index, _ = indexed(tmp_path, corpus)
    expected = sorted((each.code, each.message) for each in lint(corpus))
    with index.reading() as database:
        rows = database.execute("SELECT code, message FROM finding").fetchall()
        (total,) = database.execute("SELECT sum(findings) FROM dialogue").fetchone()
    assert expected
    assert sorted(rows) == expected
    assert total == len(expected)


TURN = '{{"speaker": "USER", "utterance": "{}", "frames": []}}'
SGD = '{{"dialogue_id": "{}", "services": [], "turns": [' + TURN + "]}}"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("dialogues_001.json", f"[\n {SGD.format('1', 'añb')},\n {SGD.format('2', 'b')}]"),
        ("dialogues_001.jsonl", f"{SGD.format('1', 'añb')}\n\n{SGD.format('2', 'b')}\n"),
    ],
)
def test_a_dialogue_is_read_again_from_its_place(tmp_path: Path, name: str, content: str) -> None:
    file = tmp_path / name
    file.write_text(content)
    corpus = formats.load(file, "sgd")
    places = places_of(file)
    assert len(places) == 2
    whole = list(corpus)
    for position, dialogue in enumerate(whole):
        again = read_again(corpus, file, position, places[position], dialogue.id)
        assert again.events == dialogue.events
        assert read_again(corpus, file, position, None, dialogue.id).events == dialogue.events


def test_a_place_that_moved_is_read_from_the_beginning(tmp_path: Path) -> None:
    corpus = written(tmp_path / "c", talk("a", "one"), talk("b", "two"))
    file = corpus.files[0]
    first, second = places_of(file)
    assert read_again(corpus, file, 1, first, "b").id == "b"
    assert read_again(corpus, file, 1, (second[0] + 3, 5), "b").id == "b"
    with pytest.raises(MissingDataError):
        read_again(corpus, file, 1, second, "a")


def test_packed_files_have_no_places(tmp_path: Path) -> None:
    file = tmp_path / "dialogues-00000.jsonl.gz"
    file.write_bytes(gzip.compress(formats.get("native").render_file([talk("a", "one")])))
    assert places_of(file) == []
    assert read_again(formats.load(file, "native"), file, 0, None, "a").id == "a"


def test_numbers_are_of_files_and_positions(tmp_path: Path) -> None:
    index, _ = indexed(tmp_path, written(tmp_path / "c", talk("a", "one"), talk("b", "two")))
    with index.reading() as database:
        numbers = [row.number for row in search(database, Wanted()).rows]
    assert [number % PLACES for number in numbers] == [0, 1]
