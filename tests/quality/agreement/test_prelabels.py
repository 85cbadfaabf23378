from __future__ import annotations

from dialoom.dialogue import USER, Dialogue, Layer, Part, Span, State, Utterance
from dialoom.dialogue.annotation import PRELABELS
from dialoom.quality.agreement import Ratings, compare
from dialoom.quality.agreement.comparing import tables

TEXT = "Two tickets to Oslo at noon"


def part(*spans: tuple[int, int, str], **values: str) -> Part:
    state = State(values={slot: (value,) for slot, value in values.items()})
    return Part(spans=tuple(Span(s, e, (label,)) for s, e, label in spans), state=state)


BEFORE = part((0, 3, "number"), (15, 19, "city"), (23, 27, "time"), city="Oslo", day="today")
AFTER = part((0, 3, "number"), (12, 19, "city"), (4, 11, "thing"), city="Bergen", time="noon")


def dialogue(*layers: tuple[str, Part]) -> Dialogue:
    stack = tuple(Layer(source, (each,)) for source, each in layers)
    return Dialogue(id="1", events=(Utterance(agent=USER, text=TEXT, layers=stack),))


def test_marks_are_kept_changed_removed_and_added() -> None:
    log = dialogue((PRELABELS, BEFORE), ("annotator-1", AFTER), ("annotator-2", BEFORE))
    ratings = Ratings().add_all([log])
    assert set(ratings.annotators) == {"annotator-1", "annotator-2"}
    figures = compare(ratings, samples=1)
    assert figures["prelabels"]["spans"] == {
        "city": {"kept": 1, "changed": 1, "removed": 0, "added": 0},
        "number": {"kept": 2, "changed": 0, "removed": 0, "added": 0},
        "thing": {"kept": 0, "changed": 0, "removed": 0, "added": 1},
        "time": {"kept": 1, "changed": 0, "removed": 1, "added": 0},
    }
    assert figures["prelabels"]["state"] == {
        "city": {"kept": 1, "changed": 1, "removed": 0, "added": 0},
        "day": {"kept": 1, "changed": 0, "removed": 1, "added": 0},
        "time": {"kept": 0, "changed": 0, "removed": 0, "added": 1},
    }


def test_one_annotator_is_enough() -> None:
    figures = compare(Ratings().add_all([dialogue((PRELABELS, BEFORE), ("annotator-1", BEFORE))]))
    assert figures["kinds"] == {}
    titles = [table.title for table in tables(figures, most=0)]
    assert "spans, what they started from" in titles
    assert not compare(Ratings().add_all([dialogue(("annotator-1", BEFORE))]))["prelabels"]


def test_the_size_of_one_dialogue_is_in_the_singular() -> None:
    figures = compare(Ratings().add_all([dialogue(("a", BEFORE), ("b", AFTER))]), samples=1)
    titles = [table.title for table in tables(figures, most=0)]
    assert any(title.startswith("spans: 1 dialogue, ") for title in titles)
