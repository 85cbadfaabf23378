from __future__ import annotations

import re
import shutil
from pathlib import Path

import msgspec
import pytest

from dialoom import formats
from dialoom.bench.report import page, read_run
from dialoom.bench.report.scores import side_by_side
from dialoom.errors import FormatError, MissingDataError, UsageError
from dialoom.render.page import style
from tests.bench.report_sample import SAMPLE, SLIP, change, write_run
from tests.make import refuses
from tests.outline import outline


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    run = read_run(write_run(tmp_path_factory.mktemp("run")))
    return page([run], formats.load(SAMPLE))


def test_every_section_is_there_and_every_link_leads_to_one(html: str) -> None:
    markup = outline(html)
    ids = [value for name, value in markup.attributes if name == "id"]
    assert ids == ["scores", "confusions", "labels", "errors", "corpus", "runs"]
    links = {value for name, value in markup.attributes if name == "href"}
    assert links == {f"#{name}" for name in ids}


def test_nothing_is_loaded_and_nothing_runs(html: str) -> None:
    markup = outline(html)
    assert not {"script", "img", "link", "iframe", "object"} & set(markup.tags)
    assert not [name for name, _ in markup.attributes if name == "src" or name.startswith("on")]
    assert "url(" not in html
    assert "@import" not in html
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'") in markup.attributes


def test_scores_stand_beside_what_was_published_and_what_is_missing_is_named(html: str) -> None:
    text = " ".join("".join(outline(html).text).split())
    assert "SGP-TOD (GPT-3.5)" in text
    assert "as cited in the literature" in text
    assert "Not in this corpus: ride, trip, plane" in text
    assert "no sam_protocol.json at hand" in text
    for holdout in ("bakery", "library", "museum", "parking"):
        assert holdout in text


def test_an_error_shows_what_led_to_it_and_what_was_known(html: str) -> None:
    start = html.index("<article>")
    article = html[start : html.index("</article>", start)]
    assert SLIP.replace("_", "_<wbr>") in article
    assert f"predicted: {SLIP}" in article
    assert 'class="dialogue"' in article
    assert "<dt>done</dt>" in article
    assert "[instruction" not in article  # what no model sees


def test_the_same_run_gives_the_same_bytes(html: str, tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path))
    again = page([run], formats.load(SAMPLE))
    seconds = re.compile(r"<dt>time</dt>.*")
    assert seconds.sub("", again) == seconds.sub("", html)


def test_what_data_say_is_escaped(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    corpus = tmp_path / "corpus"
    shutil.copytree(SAMPLE, corpus)
    for file in (corpus / "dialogues").iterdir():
        value = msgspec.json.decode(file.read_bytes())
        for event in value["Events"]:
            if event["Action"] in ("utter", "pick_suggestion"):
                event["Text"] = evil + "\x1b"
        value["Scenario"]["Domains"][0] += evil
        file.write_bytes(msgspec.json.encode(value))
    path = write_run(tmp_path, evil.replace("/", ""), corpus=corpus)
    change(
        path,
        model=evil,
        settings={"a": evil},
        title=evil,
        notices=[evil],
        missing=[evil],
        beside={"system": evil, "source": evil, "scores": {}},
        nested={"b": evil},
        published=[{"protocol": evil, "system": evil, "source": evil, "scores": {"f1": 1.0}}],
    )
    document = page([read_run(path)], formats.load(corpus))
    assert "<script" not in document
    assert "\x1b" not in document
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in document
    outline(document)


def test_without_the_corpus_its_sections_are_left_out(tmp_path: Path) -> None:
    markup = outline(page([read_run(write_run(tmp_path))]))
    ids = [value for name, value in markup.attributes if name == "id"]
    assert ids == ["scores", "confusions", "labels", "runs"]


def test_without_predictions_a_note_says_what_is_left_out(tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path, "lonely", predictions=False))
    assert run.lines is None
    markup = outline(page([run], formats.load(SAMPLE)))
    ids = [value for name, value in markup.attributes if name == "id"]
    assert ids == ["scores", "corpus", "runs"]
    assert "No predictions at hand for lonely" in "".join(markup.text)


def test_numbers_of_candidates_are_no_labels(tmp_path: Path) -> None:
    run = write_run(tmp_path)
    change(run, protocol="star-selection")
    markup = outline(page([read_run(run)]))
    ids = [value for name, value in markup.attributes if name == "id"]
    assert ids == ["scores", "runs"]
    assert "No predictions" not in "".join(markup.text)


def test_runs_stand_side_by_side(tmp_path: Path) -> None:
    runs = [read_run(write_run(tmp_path, name)) for name in ("first", "second")]
    text = "".join(outline(page(runs)).text)
    assert "first (thirds), f1" in text
    assert "second (thirds), f1" in text


def test_runs_on_different_stages_stand_apart(tmp_path: Path) -> None:
    unhappy = write_run(tmp_path, "unhappy")
    title = "star-zero-shot-domain, published flags, test unhappy"
    change(unhappy, title=title, options={"test": "unhappy", "train": "happy,unhappy"})
    runs = [read_run(write_run(tmp_path, "happy")), read_run(unhappy)]
    apart = side_by_side(runs)
    assert [[run.name for run in group.runs] for group in apart] == [["happy"], ["unhappy"]]
    assert apart[1].title == f"{apart[0].title}, test unhappy"
    assert "test unhappy, train happy,unhappy" in "".join(outline(page(runs)).text)


def test_only_means_over_the_same_holdouts_stand_beside_one_another(tmp_path: Path) -> None:
    def means(*runs: Path) -> list[tuple[float | None, ...]]:
        (group,) = side_by_side(list(map(read_run, runs)))
        return [row.others for row in group.rows if row.mean]

    whole, part = write_run(tmp_path, "whole"), write_run(tmp_path, "part", predictions=False)
    holdouts = change(whole).holdouts
    assert len(holdouts) == 4
    theirs = {"system": "SAM", "source": "a file", "scores": {h.name: 50.0 for h in holdouts}}
    change(whole, beside=theirs)
    change(part, beside=theirs, holdouts=[msgspec.to_builtins(h) for h in holdouts[:2]])
    assert means(whole) == [(50.0,)]
    assert means(part) == [(50.0,)]
    assert means(whole, part) == [(None,)]


def test_another_corpus_is_refused(tmp_path: Path) -> None:
    path = write_run(tmp_path)
    change(path, digests={"corpus": "0" * 16})
    with refuses(UsageError, "mismatch", "corpus", "0000"):
        page([read_run(path)], formats.load(SAMPLE))


def test_predictions_of_dialogues_that_are_not_there_are_refused(tmp_path: Path) -> None:
    path = write_run(tmp_path)
    predictions = path.with_suffix(".jsonl")
    text = re.sub(rb'"dialogue":\d+', b'"dialogue":777', predictions.read_bytes())
    predictions.write_bytes(text)
    with refuses(UsageError, "mismatch", "777"):
        page([read_run(path)], formats.load(SAMPLE))
    text = re.sub(rb'"dialogue":777,"event":\d+', b'"dialogue":1,"event":999', text)
    predictions.write_bytes(text)
    with refuses(UsageError, "mismatch", "999"):
        page([read_run(path)], formats.load(SAMPLE))


def test_a_report_needs_a_run() -> None:
    with refuses(UsageError, "too-few"):
        page([])


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", ("empty",)),
        (b'{"protocol": "star', ("not-json",)),
        (b'{"Events": [], "Scenario": {}}', ("wrong-type", "run file")),
        (b"[1]", ("wrong-type", "run file")),
        (b'{"protocol": 3}', ("wrong-type", "run file")),
    ],
)
def test_what_is_no_run_file_is_refused(
    tmp_path: Path, content: bytes, what: tuple[str, ...]
) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(content)
    with refuses(FormatError, *what):
        read_run(path)


def test_a_run_file_that_is_not_there(tmp_path: Path) -> None:
    with refuses(MissingDataError, "no-file"):
        read_run(tmp_path / "run.json")


def test_predictions_that_were_named_must_be_there(tmp_path: Path) -> None:
    path = write_run(tmp_path)
    with refuses(MissingDataError, "no-file"):
        read_run(path, tmp_path / "absent.jsonl")


def test_predictions_of_another_run_are_refused(tmp_path: Path) -> None:
    path = write_run(tmp_path)
    predictions = path.with_suffix(".jsonl")
    predictions.write_bytes(b"".join(predictions.read_bytes().splitlines(keepends=True)[1:]))
    with refuses(FormatError, "mismatch"):
        read_run(path)


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_contrast_meets_wcag_aa(scheme: int) -> None:
    blocks = re.findall(r":root \{(.*?)\}", style(), re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", blocks[scheme]))
    grounds = ("page", "card", "user", "code")
    for text in ("ink", "soft", "link", "right", "wrong"):
        for ground in grounds:
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for number in range(6):
        for ground in grounds[:2]:
            assert contrast(colours[f"series-{number}"], colours[ground]) >= 3, (number, ground)
