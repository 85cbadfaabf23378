"""Statistics as tables and as a page with plots; figures 6 and 7 of the STAR paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import Capability, Dialogue, Event, Query, Scenario, Selection, Utterance
from dialoom.formats.sgd import TRAITS
from dialoom.quality.stats import Statistics
from dialoom.quality.stats.report import pieces, report
from dialoom.quality.stats.tables import NOT_COMPARABLE, table_1, tables
from tests.formats.star_json import DATA
from tests.outline import outline
from tests.quality import published_samples as samples
from tests.quality.boats import boat_hire, count
from tests.quality.published_samples import star_copy

HOSTILE = "<script>alert(1)</script>\x1b"


def star(copy: Path | None = None) -> dict[str, Any]:
    """Return the counts of a small corpus; under a folder, of one with a task of STAR's name."""
    corpus = formats.load(star_copy(copy) if copy else DATA / "star", "star")
    statistics = Statistics(formats.get("star").event_name, corpus.schemas, "star")
    return statistics.add_all(corpus.dialogues()).result()


def sgd() -> dict[str, Any]:
    return count(samples.sgd(), format="sgd")


def test_corpora_are_side_by_side_with_what_was_published(tmp_path: Path) -> None:
    sizes, properties = table_1([("star", star(tmp_path)), ("other", sgd())])
    assert sizes.header == ("corpus", "star", "STAR paper, star", "other", "STAR paper, other")
    assert sizes.rows[0] == ["dialogues", 2, 5820, 1, 16142]
    turns = next(row for row in sizes.rows if row[0] == "utterances and queries")
    assert turns[1:3] == [17, 127_833]
    utterances = next(row for row in sizes.rows if row[0] == "utterances")
    assert TRAITS.published is not None
    assert utterances[4] == TRAITS.published.turns
    assert all(NOT_COMPARABLE in note for note in sizes.notes)
    assert len(sizes.notes) == 2
    assert ["explicit queries", True, True, True, True] in properties.rows


def test_an_unknown_corpus_has_nothing_published_next_to_it() -> None:
    sizes, _ = table_1([("mine", count(Dialogue(id="1", events=())))])
    assert sizes.header == ("corpus", "mine")
    assert sizes.notes == ()


def test_every_table_of_every_corpus_is_on_its_page() -> None:
    frames = count(samples.frames(), format="frames")
    spans = count(*samples.taskmaster1(), schemas=boat_hire())
    acted = count(samples.sgd())  # SGD's acts, and none of its published figures
    assert "card_items" not in acted["generation_items"]
    corpora = [("star", star()), ("sgd", sgd()), ("frames", frames), ("boats", spans)]
    corpora.append(("own", acted))
    page = outline(report(corpora))
    for _, result in corpora:
        for table in tables(result):
            assert table.title in page.words
            for note in table.notes:
                assert note in page.words
    assert page.all("href") == ["#side-by-side", "#star", "#sgd", "#frames", "#boats", "#own"]
    assert "svg" in page.tags
    assert "script" not in page.tags


def test_the_same_statistics_give_the_same_page() -> None:
    assert report([("star", star())]) == report([("star", star())])


def test_names_from_data_do_not_become_markup() -> None:
    dialogue = Dialogue(
        id="1",
        services=(HOSTILE, "b"),
        events=(Query(id="1", api=HOSTILE), Utterance(agent=HOSTILE, text=HOSTILE)),
        scenario=Scenario(domains=(HOSTILE,), multi_task=True),
        outcome=None,
        extra={HOSTILE: True},
    )
    html = report([(HOSTILE, count(dialogue))])
    assert "<script" not in html
    assert "\x1b" not in html
    outline(html)


def test_an_empty_corpus_has_a_page() -> None:
    result = Statistics(lambda event: event.agent).result()
    assert list(tables(result)) == []
    outline(pieces(result))
    outline(report([("empty", result)]))


def meeting(*tasks: str, multi: bool | None, turns: int = 1) -> Dialogue:
    scenario = Scenario(
        capabilities=tuple(map(Capability, tasks)), multi_task=multi, happy=not multi
    )
    events: tuple[Event, ...] = (
        *(Selection(kind="task", task=task) for task in tasks),
        *(Utterance(agent=agent, text="…") for _ in range(turns) for agent in ("user", "system")),
        Query(id="1", api="a"),
    )
    return Dialogue(id="1", events=events, scenario=scenario)


def test_figures_6_and_7() -> None:
    figures = count(
        meeting("a", multi=False),
        meeting("a", "b", "c", multi=True, turns=3),
        meeting("b", "a", multi=True, turns=5),
    )["actions"]
    assert figures["dialogues"] == {"single-task": 1, "multi-task": 2}
    several = figures["per_dialogue"]["multi-task"]
    assert several["user"]["histogram"] == {"3": 1, "5": 1}
    assert several["queries"]["mean"] == 1
    joined = figures["connections"]
    assert joined["pairs"] == [["a", "b", 2], ["a", "c", 1], ["b", "c", 1]]
    assert joined["turns_from_one_to_another"] == [["a", "b", 1], ["b", "a", 1], ["b", "c", 1]]
    assert joined["tasks"] == {"a": 2, "b": 2, "c": 1}


@pytest.mark.parametrize(
    ("services", "group"), [(("a",), "single-task"), (("a", "b"), "multi-task")]
)
def test_without_a_scenario_services_show_whether_it_is_multi_task(
    services: tuple[str, ...], group: str
) -> None:
    figures = count(Dialogue(id="1", events=(), services=services))["actions"]
    assert figures["dialogues"] == {group: 1}
