"""Story files: what is read, and one line with its place for each error."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.errors import SchemaError, UnknownNameError
from dialoom.schema import pack
from dialoom.sim.stories.reading import bundled, document, names, read_story, review, review_story
from tests.cli.runner import Run
from tests.make import refuses

EXAMPLE = Path(__file__).parents[3] / "examples" / "travel_day.yaml"

STORY = """
story: evening
sequences:
  - [weather, restaurant_book]
  - [restaurant_book, [ride_book, trip_directions]]
"""


def found(text: str, folder: Path) -> list[tuple[str, int]]:
    """The codes of the findings about a story, with their lines."""
    file = folder / "evening.yaml"
    file.write_text(STORY + text, encoding="utf-8")
    return [(finding.code, finding.line) for finding in review(document(file))[0]]


def test_the_example_is_read() -> None:
    story = read_story(EXAMPLE)
    assert list(story.tasks["plane_search"].slots["arrival"].values) == ["San Tirso"]
    assert {len(place) for sequence in story.sequences for place in sequence} == {1, 2}
    assert len(story.bridges) == len(story.instructions) == 4
    assert story.constraints[0].name == "restaurant_book.time"


def test_bundled_stories_have_every_task_of_the_pack_as_it_is() -> None:
    assert 5 <= len(bundled()) <= 8
    tasks = [task for story in bundled() for task in story.tasks.values()]
    assert {task.id for task in tasks} == set(pack.names())
    assert all(task == pack.load(task.id) for task in tasks)
    assert [str(each) for name in names() for each in review(document(name))[0]] == []


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("shard: {}", ("E101", 6)),
        ("topics: {hotel_book: A room.}", ("E104", 6)),
        ("shared:\n  who: [restaurant_book.name, ride_book.nam]", ("E104", 7)),
        ("shared:\n  who: [restaurant_book.name, hotel_book.name]", ("E104", 7)),
        ("shared:\n  who: [weather.city, restaurant_book.restaurant]", ("E109", 7)),
        ("shared:\n  who: [restaurant_book.name]", ("E107", 7)),
        ("slots:\n  weather.city: {from: 3}", ("E102", 7)),
        ("slots:\n  restaurant_book.time: {from: late, to: later}", ("E102", 7)),
        ("constraints:\n  - restaurant_book.time after noon", ("E105", 7)),
        ("constraints:\n  - restaurant_book.tim is 19:00", ("E104", 7)),
        ("bridges:\n  - {to: restaurant_book, when: rained, say: Let's go.}", ("E104", 7)),
        ("bridges:\n  - {to: restaurant_book, happens: It rains}", ("E103", 7)),
        ('bridges:\n  - {to: ride_book, say: "To the {place}."}', ("E104", 7)),
        ("instructions:\n  - {kind: shout}", ("E104", 7)),
        ("instructions:\n  - {kind: change, slot: time}", ("E103", 7)),
        ("instructions:\n  - {kind: event, happens: It rains}", ("E103", 7)),
        ("instructions:\n  - {kind: change, task: weather, slot: time}", ("E104", 7)),
        ("language: de", ("E104", 4)),
    ],
)
def test_each_error_has_its_place(tmp_path: Path, text: str, finding: tuple[str, int]) -> None:
    assert found(text, tmp_path)[0] == finding


def test_unknown_tasks_are_errors(tmp_path: Path) -> None:
    file = tmp_path / "story.yaml"
    file.write_text("story: odd\nsequences:\n  - [weather, whether]\n", encoding="utf-8")
    with refuses(SchemaError, "bad-task", "line 3, column 15", "E104", "whether"):
        read_story(file)
    with refuses(UnknownNameError, "unknown-name", "travel_day"):
        read_story("travel_dya")


def test_tasks_of_a_story_may_be_files_beside_it(run: Run, tmp_path: Path) -> None:
    assert run("schema", "new", "pizza_order", "--out", tmp_path / "pizza.yaml").code == 0
    file = tmp_path / "story.yaml"
    file.write_text("story: pizza\nsequences:\n  - [pizza.yaml, weather]\n", encoding="utf-8")
    assert set(read_story(file).tasks) == {"pizza_order", "weather"}
    assert run("simulate", "--story", file, "-n", "4", "--out", tmp_path / "made").code == 0


def test_the_check_of_schemas_checks_stories(run: Run, tmp_path: Path) -> None:
    assert review_story("weather") is None
    done = run("schema", "check", "travel_day", EXAMPLE, "weather")
    assert (done.code, done.out.splitlines()) == (0, ["3 tasks: 0 errors, 0 warnings"])
    file = tmp_path / "bad.yaml"
    file.write_text(f"{STORY}topics: {{hotel_book: A room.}}\nshard: {{}}\n", encoding="utf-8")
    done = run("schema", "check", file)
    assert done.code == 1
    assert [line.split(" ")[1] for line in done.out.splitlines()[:2]] == ["E104", "E101"]


def test_a_story_names_its_tasks(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "made"
    assert run("simulate", "--story", EXAMPLE, "--tasks", "weather", "--out", out).refused(
        "--tasks"
    )
    assert run("simulate", "--story", tmp_path / "no.yaml", "--out", out).refused("no such file")
    assert run("simulate", "--preset", "sgd", "--story", "travel_day", "--out", out).refused(
        "story"
    )
