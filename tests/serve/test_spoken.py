"""Spoken dialogues over the wire: sounds come in once, are heard by who may, and are erased."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.log.store import Store
from dialoom.collect.settings import SpeechSettings
from dialoom.collect.signals import signals
from dialoom.collect.stage_rules import GoldItems
from dialoom.dialogue import Utterance
from dialoom.quality.lint import lint
from tests.cli.runner import Run
from tests.collect.log.faults import Faults
from tests.serve.page import Page
from tests.serve.play import fill_in
from tests.serve.served import Served, served
from tests.serve.spoken import SPOKEN, STAGES, digest, get, is_cut, pair, put, speak, tone, wire

TONE = tone()
SPOKEN_TEXT = "a tabel by the window"


@pytest.fixture
def spoken(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "study.sqlite", SPOKEN) as study:
        yield study


def talked(user: Page, wizard: Page) -> None:
    """Let the user say two things, and both finish."""
    for hertz, reply in ((440.0, "For which city?"), (660.0, "It will rain.")):
        speak(user, tone(hertz))
        wizard.until_turn()
        wizard.do("say", text=reply, reason="as the guard asks")
        user.until_turn()
    user.do("accomplish")
    fill_in(user)
    fill_in(wizard)
    user.until_step("done")
    wizard.until_step("done")


def typed(study: Served, *texts: str) -> Page:
    """Let somebody type what was said, and hand it in."""
    typist = study.page(None, worker="typist")
    typist.do("consent")
    typist.until_step("room")
    for place, text in enumerate(texts):
        typist.do("save", part=str(2 * place), rev=0, value={"text": text})
    return typist


def test_a_sound_is_said_heard_typed_and_exported(spoken: Served, tmp_path: Path) -> None:
    user, wizard = pair(spoken)
    speak(user, TONE)
    message = wizard.until_kind("say")["event"]
    assert (message["text"], message["sound"]["digest"]) == ("", digest(TONE))
    assert get(wizard, TONE).content == get(user, TONE).content == TONE
    assert get(wizard, TONE).headers["content-type"] == "audio/wav"
    wizard.do("say", text="With pleasure.", reason="as the guard asks")
    user.until_turn()
    talked(user, wizard)
    assert get(user, TONE).status_code == 404  # who has ended hears no more
    typist = typed(spoken, "um a table please", "for two")
    lines = typist.state["room"]["item"]["lines"]
    assert [bool(line.get("sound")) for line in lines] == [True, False] * 3
    assert get(typist, TONE).content == TONE
    assert typist.ask("submit")["problems"] == [{"code": "untyped", "part": "4"}]
    typist.do("save", part="4", rev=0, value={"deleted": True})
    typist.do("save", part="4.1", rev=0, value={"speaker": "user", "text": "At noon."})
    typist.do("submit")
    for name in ("native", "taskmaster1"):
        exported = export(spoken.opened.store, name, tmp_path / name)
        assert exported.dialogues == 1
        corpus = formats.load(tmp_path / name)
        assert [finding for finding in lint(corpus) if finding.severity == "error"] == []
    [dialogue] = formats.load(tmp_path / "native").dialogues()
    utterances = [event for event in dialogue.events if isinstance(event, Utterance)]
    assert [each.text for each in utterances][::2] == ["um a table please", "for two", "At noon."]
    assert dialogue.workers == {"user": "1", "system": "2"}
    [taken_out] = dialogue.extra["Deleted"]
    assert taken_out["Turn"] == 4
    for sound in (utterances[0].extra["Sound"], taken_out["Sound"]):
        audio = (tmp_path / "native" / sound["File"]).read_bytes()
        assert digest(audio) == sound["Digest"]
    assert len(list((tmp_path / "native" / "sounds").iterdir())) == 2  # one was said twice


def test_a_spoken_turn_is_no_typed_line(spoken: Served) -> None:
    user, wizard = pair(spoken)
    talked(user, wizard)
    typed(spoken, "a table", "for two")
    typed_lines = {row["lines"] for row in signals(spoken.opened.store)["workers"]}
    assert typed_lines == {0, 2}  # the user typed none


def test_what_is_refused_and_changes_nothing(spoken: Served) -> None:
    user, wizard = pair(spoken)
    before = spoken.hub.study.state.records
    largest = 65_536 + 60 * 32_000

    def refused(page: Page, data: bytes, media: str = "audio/wav", **other: Any) -> tuple[int, str]:
        answer = put(page, data, media, **other)
        return answer.status_code, answer.json()["code"]

    assert refused(user, TONE, name=digest(b"")) == (422, "bad_digest")
    assert refused(user, TONE[:-1], name=digest(TONE)) == (422, "bad_digest")
    assert refused(user, TONE, "text/html") == (415, "bad_media")
    assert refused(user, b"<script>", "audio/webm") == (415, "bad_media")
    assert refused(user, bytes(largest + 1)) == (413, "too_large")
    assert refused(wizard, TONE) == (403, "not_yours")
    assert user.ask("speak", sound=digest(TONE), seconds=1.0)["code"] == "unknown"
    assert user.ask("say", text="Hello")["code"] == "not_yours"
    user.browser.cookies.clear()
    assert refused(user, TONE) == (403, "forged")
    assert spoken.hub.study.state.records == before


def test_a_sound_may_come_twice_and_not_without_end(spoken: Served) -> None:
    user, wizard = pair(spoken)
    for _ in range(2):
        assert put(user, TONE).json() == {"ok": True}
    for hertz in (100.0, 200.0):
        assert put(user, tone(hertz)).status_code == 200
    assert put(user, tone(300.0)).json()["code"] == "slow_down"
    assert user.ask("speak", sound=digest(TONE), seconds=99.0)["code"] == "bad_value"
    user.do("speak", sound=digest(TONE), seconds=0.2)
    assert put(user, TONE).json() == {"ok": True}  # the answer was lost
    assert put(user, tone(400.0)).json()["code"] == "not_your_turn"
    assert get(wizard, tone(500.0)).status_code == 404


def test_nobody_hears_another_room(tmp_path: Path) -> None:
    with served(tmp_path / "study.sqlite", replace(SPOKEN, scenarios=2, target=2)) as study:
        user, _ = pair(study)
        speak(user, TONE)
        other = study.page("user", worker="other").wait()
        foreign = study.page("wizard", worker="foreign").wait()
        foreign.until_step("room")
        assert [get(page, TONE).status_code for page in (other, foreign)] == [404, 404]
        with study.admin() as admin:
            assert admin.get(f"/api/admin/blobs/1/{digest(TONE)}").content == TONE
            assert admin.get(f"/api/admin/blobs/2/{digest(TONE)}").status_code == 404


def test_a_full_disk_takes_no_sound(spoken: Served) -> None:
    user, _ = pair(spoken)
    spoken.opened.store.reached = Faults("full_disk")
    answer = put(user, tone(seconds=4.0))
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    user.until(lambda frame: frame["type"] == "welcome")
    speak(user, TONE)


def drafted(study: Served) -> tuple[Page, Page]:
    """Let a user speak and wait for the recogniser's draft; return the pages of user and wizard."""
    user, wizard = pair(study)
    speak(user, TONE)
    wizard.until_turn()
    while not study.hub.study.units[1].work.drafts:
        wizard.ask("suggest", text="hello")
    return user, wizard


def test_a_recogniser_makes_drafts(tmp_path: Path) -> None:
    script = tmp_path / "recogniser.py"
    script.write_text(f"import sys; open(sys.argv[1], 'rb'); print({SPOKEN_TEXT!r})\n")
    speech = SpeechSettings(recogniser=f"{sys.executable} {script}")
    with served(tmp_path / "study.sqlite", replace(SPOKEN, speech=speech)) as study:
        user, wizard = drafted(study)
        wizard.do("say", text="Yes.", reason="as the guard asks")
        user.until_turn()
        talked(user, wizard)
        typist = typed(study, "a table by the window", "one", "two")
        assert typist.state["room"]["item"]["lines"][0]["text"] == SPOKEN_TEXT
        typist.do("submit")
        export(study.opened.store, "native", tmp_path / "native")
    [dialogue] = formats.load(tmp_path / "native").dialogues()
    first = next(event for event in dialogue.events if isinstance(event, Utterance))
    assert first.text == "a table by the window"
    assert [(layer.source, layer.extra) for layer in first.layers] == [
        ("draft", {"text": SPOKEN_TEXT}),
        (
            "transcriber-3",
            {"edits": [{"op": "replace", "at": 2, "before": "tabel", "after": "table"}]},
        ),
    ]


@pytest.mark.parametrize("command", ["exit 3", "sleep 99", "no-such-program"])
def test_a_recogniser_that_fails_keeps_nobody_waiting(tmp_path: Path, command: str) -> None:
    script = tmp_path / "recogniser.sh"
    script.write_text(command)
    program = f"sh {script}" if " " in command else command
    speech = SpeechSettings(recogniser=program, patience=0.5)
    with served(tmp_path / "study.sqlite", replace(SPOKEN, speech=speech)) as study:
        drafted(study)
        assert study.hub.study.units[1].work.drafts == {digest(TONE): ""}


def test_a_sound_that_is_cut_off_is_not_kept_and_a_slow_one_may_go_on(spoken: Served) -> None:
    user, _ = pair(spoken)
    cookies = "; ".join(f"{name}={value}" for name, value in user.browser.cookies.items())
    head = (
        f"PUT /api/blobs/{user.name}/{digest(TONE)} HTTP/1.1\r\nHost: x\r\nCookie: {cookies}\r\n"
        f"Content-Type: audio/wav\r\nContent-Length: {len(TONE)}\r\n\r\n"
    ).encode()
    with wire(spoken) as short:
        short.sendall(head + TONE[:-1])
    with wire(spoken) as slow, wire(spoken) as endless:
        for client in (slow, endless):
            client.sendall(head.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n"))
            assert b" 100 " in client.recv(65536)
            client.sendall(TONE[:99])
        spoken.look()  # ten seconds have passed
        slow.sendall(TONE[99:])
        assert b"200 OK" in slow.recv(65536)
        spoken.look()  # a minute has
        assert is_cut(endless)
    assert list(spoken.hub.study.units[1].work.sounds) == [digest(TONE)]


def test_who_is_erased_leaves_no_sound(tmp_path: Path, run: Run) -> None:
    where = tmp_path / "study.sqlite"
    with served(where, SPOKEN) as study:
        user, wizard = pair(study)
        talked(user, wizard)
        typed(study, "my name is Ada Quill", "Ada, as I said").do("submit")
    sounds = [digest(tone(hertz)) for hertz in (440.0, 660.0)]
    outcome = run("collect", "person", "speaker", "--db", where)
    assert all(sound in outcome.out for sound in sounds)
    assert "Ada Quill" in outcome.out
    with Store.open(where, readonly=True) as store:
        assert store.blob(1, sounds[0]) is not None
    assert run("collect", "erase", "speaker", "--db", where).code == 0
    content = b"".join(file.read_bytes() for file in tmp_path.glob("study.sqlite*"))
    for trace in (*map(str.encode, sounds), b"Ada Quill", tone()[44:80], b"speaker"):
        assert trace not in content
    with Store.open(where, readonly=True) as store:
        assert store.blob(1, sounds[0]) is None
        assert "Ada" not in str(list(store.records()))
        assert export(store, "native", tmp_path / "native").erased == 2


def test_gold_transcripts_are_heard_without_their_text(tmp_path: Path) -> None:
    """An exported transcript becomes a gold item of another study, whose typists hear its files."""
    with served(tmp_path / "first.sqlite", SPOKEN) as first:
        talked(*pair(first))
        typed(first, "a table please", "for two").do("submit")
        export(first.opened.store, "native", tmp_path / "known")
    gold = GoldItems(items=str(tmp_path / "known"), every=1)
    talk, check = STAGES
    stages = (talk, replace(check, gold=gold))
    with served(tmp_path / "second.sqlite", replace(SPOKEN, stages=stages)) as second:
        talked(*pair(second))
        typist = typed(second, "A table, please!", "for two")
        lines = typist.state["room"]["item"]["lines"]
        assert [line["text"] for line in lines[::2]] == ["", ""]
        assert sorted(lines[0]["sound"]) == ["digest", "media", "seconds"]
        assert get(typist, tone(440.0)).content == tone(440.0)
        assert get(typist, TONE[:-1]).status_code == 404
        (tmp_path / "known" / "sounds" / f"{digest(tone(440.0))}.wav").write_bytes(b"RIFF")
        assert get(typist, tone(440.0)).status_code == 404
        typist.do("submit")
        assert second.opened.study.state.gold.of("typist", "check") == (True,)
