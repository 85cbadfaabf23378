"""Compressed input: opened as what it holds, refused where it would grow beyond reason."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.corpus import archive
from dialoom.corpus.archive import inflate, is_archive, named, opened
from dialoom.dialogue import Completion, Dialogue
from dialoom.errors import FormatError, MissingDataError
from dialoom.formats import native
from dialoom.formats.base.multi_file import content
from tests.make import refuses

HELD = {"notes.txt": b"some words", "deep/er/more.txt": b"more words"}


def zipped(path: Path, held: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in held.items():
            target.writestr(name, data)
    return path


def test_a_zip_is_the_folder_it_holds(tmp_path: Path) -> None:
    folder = opened(zipped(tmp_path / "a.zip", HELD))
    assert {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.txt")} == HELD
    assert opened(tmp_path / "a.zip") == folder


def test_a_zip_of_one_folder_is_read_as_that_folder(tmp_path: Path) -> None:
    folder = opened(zipped(tmp_path / "a.zip", {"star/1.txt": b"", "__MACOSX/1.txt": b""}))
    assert [file.name for file in folder.iterdir()] == ["1.txt"]


def test_a_zip_of_folders_in_folders_is_read_as_the_first_that_matters(tmp_path: Path) -> None:
    files = {"a/b/star/tasks/x": b"", "a/b/star/dialogues/1.json": b"", "a/b/.DS_Store": b""}
    folder = opened(zipped(tmp_path / "a.zip", files))
    assert folder.name == "star"
    folder = opened(zipped(tmp_path / "b.zip", {"sgd/train/1.json": b"", "sgd/.x": b""}))
    assert [entry.name for entry in folder.iterdir()] == ["train"]


def test_hidden_files_and_those_of_a_mac_are_left_out(tmp_path: Path) -> None:
    files = {"x/1.txt": b"", "__MACOSX/x/._1.txt": b"\0", "x/.DS_Store": b"\0", ".DS_Store": b"\0"}
    folder = opened(zipped(tmp_path / "a.zip", files))
    assert [file.name for file in folder.iterdir()] == ["1.txt"]


@pytest.mark.parametrize("held", [{"a": b"", "a/b": b""}, {"n" * 300: b""}])
def test_names_that_cannot_be_are_refused(tmp_path: Path, held: dict[str, bytes]) -> None:
    with refuses(FormatError, "damaged"):
        opened(zipped(tmp_path / "a.zip", held))


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_damage_by_method(tmp_path: Path, method: int) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w", method) as target:
        target.writestr("a.txt", bytes(range(256)) * 50)
    data = bytearray(file.read_bytes())
    data[50:90] = bytes(byte ^ 0x5A for byte in data[50:90])
    file.write_bytes(data)
    with refuses(FormatError, "damaged"):
        opened(file)


def test_a_list_of_too_many_files_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "DIRECTORY", 50)
    with refuses(FormatError, "too-large"):
        opened(zipped(tmp_path / "a.zip", HELD))


def test_a_corpus_is_read_out_of_a_zip(tmp_path: Path) -> None:
    dialogues = [Dialogue(id="1", events=(Completion(),))]
    (tmp_path / "corpus").mkdir()
    native.FORMAT.write(dialogues, {}, tmp_path / "corpus")
    files = {file.name: file.read_bytes() for file in (tmp_path / "corpus").iterdir()}
    corpus = formats.load(zipped(tmp_path / "corpus.zip", files))
    assert list(corpus.dialogues()) == dialogues


@pytest.mark.parametrize("name", ["../up.txt", "/root.txt", "a/../../b.txt"])
def test_names_that_lead_outside_are_refused(tmp_path: Path, name: str) -> None:
    with refuses(FormatError, "outside"):
        opened(zipped(tmp_path / "a.zip", {name: b""}))


def test_links_are_refused(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("link")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as target:
        target.writestr(info, "/")
    with refuses(FormatError, "outside"):
        opened(tmp_path / "a.zip")


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "FLOOR", 1 << 20)
    bomb = zipped(tmp_path / "a.zip", {"zeros.json": bytes(8 << 20)})
    with refuses(FormatError, "too-large", "1 MiB"):
        opened(bomb)
    packed = gzip.compress(bytes(8 << 20))
    with refuses(FormatError, "too-large", "1 MiB"):
        inflate(tmp_path / "a.gz", packed)


def test_a_bomb_that_lies_about_its_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "FLOOR", 1 << 20)
    bomb = zipped(tmp_path / "a.zip", {"zeros.json": bytes(8 << 20)})
    data = bomb.read_bytes().replace((8 << 20).to_bytes(4, "little"), b"\x10\0\0\0")
    bomb.write_bytes(data)
    with pytest.raises(FormatError):
        opened(bomb)


def test_a_bomb_of_names_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MEMBERS", 3)
    with refuses(FormatError, "too-large", "4"):
        opened(zipped(tmp_path / "a.zip", dict.fromkeys("abcd", b"")))


def test_damaged_archives_are_one_line(tmp_path: Path) -> None:
    whole = zipped(tmp_path / "a.zip", {"a.txt": bytes(range(256)) * 40}).read_bytes()
    for number, cut in enumerate((0, 10, len(whole) // 2, len(whole) - 3)):
        part = tmp_path / f"{number}.zip"
        part.write_bytes(whole[:cut])
        with refuses(FormatError, "damaged"):
            opened(part)
    flipped = tmp_path / "flipped.zip"
    flipped.write_bytes(whole[:60] + b"\xff\xff\xff" + whole[63:])
    with refuses(FormatError, "damaged"):
        opened(flipped)
    with pytest.raises(MissingDataError):
        opened(tmp_path / "nowhere.zip")


def test_gzip_is_read_as_what_it_holds(tmp_path: Path) -> None:
    file = tmp_path / "a.json.gz"
    file.write_bytes(gzip.compress(b"[]"))
    assert content(file) == b"[]"
    file.write_bytes(gzip.compress(b"[]" * 100)[:-9])
    with refuses(FormatError, "damaged"):
        content(file)
    file.write_bytes(b"[]")
    with refuses(FormatError, "damaged"):
        content(file)


def test_what_is_no_archive_at_all_is_one_line(tmp_path: Path) -> None:
    buffer = io.BytesIO(b"nothing of the kind")
    (tmp_path / "a.zip").write_bytes(buffer.getvalue())
    with refuses(FormatError, "damaged"):
        formats.load(tmp_path / "a.zip")


@pytest.mark.parametrize("name", ["a.tar", "a.tgz", "a.tar.gz", "a.tar.xz", "a.tar.bz2"])
def test_a_tar_is_the_folder_it_holds(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    kind = {"tgz": "gz", "tar": ""}.get(file.suffix[1:], file.suffix[1:])
    with tarfile.open(file, f"w:{kind}") as target:  # type: ignore[call-overload]
        for each, data in HELD.items():
            member = tarfile.TarInfo(each)
            member.size = len(data)
            target.addfile(member, io.BytesIO(data))
    assert is_archive(file)
    folder = opened(file)
    assert {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*.txt")} == HELD


@pytest.mark.parametrize(("suffix", "pack"), [(".xz", lzma.compress), (".bz2", bz2.compress)])
def test_a_compressed_file_is_the_file_it_holds(suffix: str, pack: object, tmp_path: Path) -> None:
    file = tmp_path / f"talks.json{suffix}"
    assert callable(pack)
    file.write_bytes(pack(b'[{"turns": [{"author": "user", "text": "Hi."}]}]'))
    assert formats.load(file).format == "frames"
    file.write_bytes(file.read_bytes()[:-20])
    opened.__globals__["_opened"].cache_clear()
    with refuses(FormatError, "damaged"):
        formats.load(file)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_a_tar_with_what_is_no_file_is_refused(kind: bytes, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as target:
        member = tarfile.TarInfo("x")
        member.type, member.linkname = kind, "/etc/hostname"
        target.addfile(member)
    with refuses(FormatError, "outside"):
        opened(tmp_path / "a.tar")


def test_messages_name_the_archive_and_no_temporary_folder(tmp_path: Path) -> None:
    file = zipped(tmp_path / "a.zip", {"a/1.json": b"{", "b/2.json": b""})
    folder = opened(file)
    assert named(f"{folder / 'a' / '1.json'}: not JSON") == f"{file}/a/1.json: not JSON"
