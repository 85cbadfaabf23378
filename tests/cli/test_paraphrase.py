"""`dialoom paraphrase`: a corpus in other words, by a list or a language model."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.corpus.unfinished import work_folder
from dialoom.dialogue import Utterance
from tests.cli.runner import Run, tree


@pytest.fixture
def source(run: Run, tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    assert run("simulate", "--tasks", "weather", "-n", 45, "--out", folder).code == 0
    return folder


def texts(folder: Path) -> list[str]:
    dialogues = formats.load(folder, None).dialogues()
    return [e.text for d in dialogues for e in d.events if isinstance(e, Utterance)]


def test_scripted(run: Run, tmp_path: Path, source: Path) -> None:
    done = run("paraphrase", source, tmp_path / "said", "--seed", 3, "--json", "-")
    assert done.code == 0, done.err
    counts = json.loads(done.out)
    assert counts["dialogues"] == 45
    changed = sum(a != b for a, b in zip(texts(source), texts(tmp_path / "said"), strict=True))
    assert changed == counts["paraphrased"] > 0
    assert run("lint", tmp_path / "said").code == 0
    assert run("paraphrase", source, tmp_path / "again", "--seed", 3).code == 0
    assert tree(tmp_path / "said") == tree(tmp_path / "again")
    assert not work_folder(tmp_path / "said").exists()


def test_into_another_format(run: Run, tmp_path: Path, source: Path) -> None:
    done = run("paraphrase", source, tmp_path / "said", "--to", "star", "--agent", "user")
    assert done.code == 0, done.err
    assert done.out.startswith("45 dialogues written to ")
    assert "not held by star" in done.out
    assert formats.load(tmp_path / "said", None).format == "star"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("--with", "parrot"), ("unknown paraphraser", "scripted")),
        (("--agent", "nobody"), ("unknown agent",)),
        (("--language", "tlh"), ("language",)),
        (("--share", "3"), ("share",)),
        (("--by", "word"), ("line", "dialogue")),
        (("--price", "3"), ("two prices",)),
        (("--like", "nosuch"), ("nosuch",)),
        (("--to", "papyrus"), ("unknown format",)),
    ],
)
def test_bad_input(
    run: Run, tmp_path: Path, source: Path, settings: tuple[str, ...], words: tuple[str, ...]
) -> None:
    before = tree(tmp_path)
    assert run("paraphrase", source, tmp_path / "said", *settings).refused(*words)
    assert tree(tmp_path) == before


def test_a_folder_in_use_is_refused(run: Run, source: Path) -> None:
    assert run("paraphrase", source, source).refused("not empty")


class Model(BaseHTTPRequestHandler):
    """Puts a word before every turn; refuses after so many requests."""

    left = 10**6

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        rows = request["messages"][1]["content"].splitlines()
        text = f"Well, {rows[-1].partition(': ')[2]}"
        if rows[0].startswith("1. "):
            turns = (row.partition("   (")[0].partition(": ") for row in rows)
            text = "\n".join(f"{speaker}: Well, {turn}" for speaker, _, turn in turns)
        Model.left -= 1
        self.send_response(200 if Model.left >= 0 else 401)
        self.end_headers()
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        answer = {"choices": [{"message": {"content": text}}], "usage": usage}
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, ...]]:
    pytest.importorskip("httpx", reason="httpx is not installed: dialoom[llm]")
    monkeypatch.setattr(Model, "left", 10**6)
    server = HTTPServer(("127.0.0.1", 0), Model)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/v1"
    yield "--with", "openai", "--base-url", url, "--model", "small"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_language_model(run: Run, tmp_path: Path, source: Path, model: tuple[str, ...]) -> None:
    assert run("paraphrase", source, tmp_path / "said", *model).code == 0
    assert texts(tmp_path / "said") == [f"Well, {text}" for text in texts(source)]
    assert run("lint", tmp_path / "said").code == 0


def test_a_model_that_fails_is_gone_on_with(
    run: Run, tmp_path: Path, source: Path, model: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "said"
    monkeypatch.setattr(Model, "left", 0)
    assert run("paraphrase", source, out, *model).refused("401 Unauthorized")
    assert not work_folder(out).exists()
    first = sum(len(d.events) for d in list(formats.load(source, None).dialogues())[:20])
    monkeypatch.setattr(Model, "left", first + 5)
    assert run("paraphrase", source, out, *model).refused("401 Unauthorized")
    assert (work_folder(out) / "dialogues-00000.jsonl").is_file()
    assert not out.exists()
    assert run("paraphrase", source, out, *model, "--seed", 4).refused("other settings")
    monkeypatch.setattr(Model, "left", 10**6)
    assert run("paraphrase", source, out, *model).code == 0
    count = 10**6 - Model.left
    assert count < len(texts(source))
    assert texts(out) == [f"Well, {text}" for text in texts(source)]


def test_a_request_for_each_dialogue_and_its_cost(
    run: Run, tmp_path: Path, source: Path, model: tuple[str, ...]
) -> None:
    _, _, *where, _, _ = model
    out, options = tmp_path / "said", ("--with", "openai:small", "--price", "2,10")
    done = run("paraphrase", source, out, *options, *where, "--by", "dialogue", "--json", "-")
    assert done.code == 0, done.err
    assert texts(out) == [f"Well, {text}" for text in texts(source)]
    counts = json.loads(done.out)
    assert (counts["requests"], counts["model"], counts["whole"]) == (45, "small", True)
    assert counts["cost"] == pytest.approx(45 * (100 * 2 + 10 * 10) / 1e6)
    done = run("paraphrase", source, tmp_path / "again", *options, *where, "--by", "dialogue")
    assert "45 requests, 4,500 tokens in and 450 out, 0.01 in all" in done.out


def test_several_drafts_like_a_corpus(
    run: Run, tmp_path: Path, source: Path, model: tuple[str, ...]
) -> None:
    out = tmp_path / "said"
    settings = ("--drafts", 3, "--like", source, "--seed", 5)
    assert run("paraphrase", source, out, *settings).code == 0
    assert run("lint", out).code == 0
    assert run("paraphrase", source, tmp_path / "again", *settings).code == 0
    assert tree(out) == tree(tmp_path / "again")
    one = tmp_path / "one"
    assert run("paraphrase", source, one, *settings[4:]).code == 0
    assert texts(one) != texts(out)


def test_a_gallery_has_the_same_dialogue_by_each_pen(
    run: Run, tmp_path: Path, source: Path
) -> None:
    for seed in (1, 2):
        assert run("paraphrase", source, tmp_path / f"pen{seed}", "--seed", seed).code == 0
    page = tmp_path / "gallery"
    corpora = (source, tmp_path / "pen1", tmp_path / "pen2")
    assert run("view", *corpora, "--out", page).code == 0
    assert {file.name[0] for file in (page / "pages").iterdir()} == {"0", "1", "2"}
