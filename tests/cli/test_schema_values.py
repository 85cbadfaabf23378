"""`dialoom schema values` and `dialoom schema find`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runner import Run

SENTENCES = ("I would like {} please", "Is {} possible?", "{}", "it should be {}, thanks")


@pytest.mark.parametrize("task", ["restaurant_book", "apartment_search", "Tables_1"])
def test_every_rendering_is_found_at_its_place(run: Run, tmp_path: Path, task: str) -> None:
    done = run("schema", "values", task, "--json", "-", "--most", 12)
    assert done.code == 0
    expected, texts = [], []
    for slot, told in json.loads(done.out)["slots"].items():
        for each in told["values"]:
            assert each["renderings"]
            for text in each["renderings"]:
                for sentence in SENTENCES:
                    start = sentence.index("{}")
                    expected.append((slot, each["value"], start, start + len(text)))
                    texts.append(sentence.format(text))
    lines = tmp_path / "lines.txt"
    lines.write_text("\n".join(texts) + "\n", encoding="utf-8")
    done = run("schema", "find", task, "--lines", lines, "--json", "-")
    found = json.loads(done.out)
    assert [each["text"] for each in found] == texts
    for place, line in zip(expected, found, strict=True):
        places = [(m["slot"], m["value"], m["start"], m["end"]) for m in line["mentions"]]
        assert place in places


def test_tables_on_the_terminal(run: Run, tmp_path: Path) -> None:
    done = run("schema", "values", "restaurant_book", "--most", 2)
    assert "Copper Pan" in done.out
    lines = tmp_path / "lines.txt"
    lines.write_text("\ufefffor a dozen\r\n\r\nat eight pm", encoding="utf-8")
    done = run("schema", "find", "restaurant_book", "--lines", lines)
    assert "a dozen" in done.out
    assert "20:00" in done.out


def test_places_count_code_points(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("🎉🎉 Hohenbrück", encoding="utf-8")
    task = Path(__file__).parents[2] / "src" / "dialoom" / "tasks" / "de" / "wetter.yaml"
    done = run("schema", "find", task, "--lines", lines, "--json", "-")
    (line,) = json.loads(done.out)
    assert [(m["start"], m["end"]) for m in line["mentions"]] == [(3, 13)]


def test_what_is_wrong_is_told_in_one_line(run: Run, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_bytes(b"fine\n\xff\n")
    assert run("schema", "find", "weather", "--lines", lines).refused("line 2", "UTF-8")
    assert run("schema", "find", "weather", "--lines", tmp_path / "no.txt").refused("no.txt")
    assert run("schema", "values", "whether").refused("weather")
    assert run("schema", "values", "all").refused("--task")
    assert run("schema", "values", "all", "--task", "whether").refused("weather")
