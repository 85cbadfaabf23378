"""What `compare` tells of made annotators, and of the published double annotation."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import krippendorff as library
import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import (
    USER,
    Act,
    Argument,
    Dialogue,
    Layer,
    Part,
    Reference,
    Span,
    State,
    Utterance,
)
from dialoom.dialogue.annotation import SETTLED
from dialoom.quality.agreement import Ratings, compare
from dialoom.quality.agreement.comparing import tables

TEXT = "A table for two at noon please"
WORDS = [match.span() for match in re.finditer(r"\w+", TEXT)]


def span(first: int, last: int, *labels: str) -> Span:
    return Span(WORDS[first][0], WORDS[last][1], labels)


def dialogue(name: str, *said: dict[str, Part]) -> Dialogue:
    layers = [tuple(Layer(who, (part,)) for who, part in each.items()) for each in said]
    return Dialogue(
        id=name, events=tuple(Utterance(agent=USER, text=TEXT, layers=each) for each in layers)
    )


def spans(*found: Span) -> Part:
    return Part(spans=found)


def compared(*dialogues: Dialogue, samples: int = 20) -> dict[str, Any]:
    kinds: dict[str, Any] = compare(Ratings().add_all(dialogues), samples=samples)["kinds"]
    return kinds


ONE = dialogue(
    "1",
    {"ann": spans(span(3, 3, "number"), span(5, 5, "time")), "bob": spans(span(3, 3, "number"))},
    {"ann": spans(span(1, 3, "number")), "bob": spans(span(3, 3, "number"))},
)


def test_spans_are_compared_word_by_word_and_as_they_are() -> None:
    from sklearn.metrics import cohen_kappa_score

    agreement = compared(ONE)["spans"]
    assert agreement["units"] == 14
    number, time = agreement["labels"]["number"], agreement["labels"]["time"]
    # Ann: words 3; 1, 2, 3. Bob: 3; 3. Of 14 words two are in both, two only in Ann's.
    one = [0] * 10 + [1] * 4
    other = [0] * 12 + [1] * 2
    pair = agreement["pairs"][0]["labels"]["number"]
    assert pair["cohen"]["value"] == pytest.approx(cohen_kappa_score(one, other), abs=1e-9)
    theirs = library.alpha([one, other], level_of_measurement="nominal")
    assert number["alpha"]["value"] == pytest.approx(theirs, abs=1e-9)
    assert number["f1"]["value"] == pytest.approx(2 * 1 / 4)
    assert (time["f1"]["value"], time["alpha"]["value"]) == (0, 0)
    assert agreement["all"]["f1"]["value"] == pytest.approx(2 / 5)


def test_disagreements_are_listed_with_what_each_says() -> None:
    conflicts = compared(ONE)["spans"]["disagreements"]
    assert [(each["event"], each["label"], each["text"]) for each in conflicts] == [
        (0, "time", "noon"),
        (1, "number", "table for two"),
        (1, "number", "two"),
    ]
    assert conflicts[0]["values"] == {"ann": "yes", "bob": ""}


def test_an_adjudicator_counts_in_pairs_only() -> None:
    marks = {"ann": spans(span(3, 3, "number")), "bob": spans(span(2, 3, "number"))}
    alone = compared(dialogue("1", marks))["spans"]
    settled = replace(dialogue("1", {**marks, "gold": marks["ann"]}), extra={SETTLED: "3"})
    both = compared(settled)["spans"]
    assert (both["all"], both["labels"]) == (alone["all"], alone["labels"])
    assert [each["annotators"] for each in both["pairs"]] == [
        ("ann", "bob"),
        ("ann", "gold"),
        ("bob", "gold"),
    ]
    published = replace(settled, extra={})
    assert compared(published)["spans"]["all"] != alone["all"]
    notes = [table.notes for table in tables(compare(Ratings().add_all([settled])), 0)]
    assert "The adjudicated layer gold counts in pairs only." in notes[0]


def test_an_utterance_without_a_layer_is_one_without_labels() -> None:
    bare = dialogue("2", {"ann": spans(span(3, 3, "number")), "bob": spans()}, {})
    assert compared(bare)["spans"]["units"] == 14


def test_nobody_is_compared_in_dialogues_that_one_annotated() -> None:
    alone = dialogue("3", {"ann": spans(span(0, 0, "number"))})
    assert compared(ONE, alone) == compared(ONE)
    assert not compared(alone)


def test_values_of_states_and_arguments() -> None:
    from sklearn.metrics import cohen_kappa_score

    def part(*values: str) -> Part:
        act = Act("inform", (Argument("city", values),))
        return Part("hotel", acts=(act,), state=State("find", (), {"city": values}))

    same = {"ann": part("Oslo"), "bob": part("Oslo")}
    apart = {"ann": part("Oslo"), "bob": part("Bergen")}
    agreement = compared(dialogue("4", same, same, apart))
    assert agreement["acts"]["all"]["f1"]["value"] == 1
    assert agreement["acts"]["all"]["alpha"] is None
    for kind, label in (("state", "hotel.city"), ("arguments", "hotel.inform(city)")):
        table = [["Oslo"] * 3, ["Oslo", "Oslo", "Bergen"]]
        theirs = cohen_kappa_score(*table)
        mine = agreement[kind]["pairs"][0]["labels"][label]["cohen"]["value"]
        assert mine == pytest.approx(theirs, abs=1e-9)
    assert agreement["state"]["disagreements"][0]["values"] == {"ann": "Oslo", "bob": "Bergen"}


def test_alpha_of_states_frames_and_references_is_the_librarys() -> None:
    choices = {"ann": [1, 2, 2, 3, 1, 1], "bob": [1, 2, 3, 3, 1, 2]}

    def part(frame: int) -> Part:
        act = Act("inform", (Argument("ref", references=(Reference(frame),)),))
        state = State("find", (), {"city": (f"city {frame}",)})
        return Part(acts=(act,), state=state, active_frame=frame)

    each = [{who: part(frames[n]) for who, frames in choices.items()} for n in range(6)]
    agreement = compared(dialogue("6", *each))
    theirs = library.alpha(list(choices.values()), level_of_measurement="nominal")
    for kind, label in (
        ("state", "city"),
        ("frames", "active frame"),
        ("arguments", "inform(ref)"),
    ):
        alpha = agreement[kind]["labels"][label]["alpha"]["value"]
        assert alpha == pytest.approx(theirs, abs=1e-9)


def test_three_annotators_two_a_dialogue() -> None:
    random_ = random.Random(1)

    def marked() -> Part:
        return spans(*(span(i, i, "x") for i in range(len(WORDS)) if random_.random() < 0.4))

    pairs = [("ann", "bob"), ("bob", "cat"), ("ann", "cat")] * 4
    dialogues = [
        dialogue(str(i), {one: marked(), other: marked()}) for i, (one, other) in enumerate(pairs)
    ]
    agreement = compared(*dialogues, samples=200)["spans"]
    assert [pair["annotators"] for pair in agreement["pairs"]] == [
        ("ann", "bob"),
        ("ann", "cat"),
        ("bob", "cat"),
    ]
    counts = []
    for each in dialogues:
        event = each.events[0]
        assert isinstance(event, Utterance)
        for start, _ in WORDS:
            yes = sum(s.start == start for a in event.layers for s in a.parts[0].spans or ())
            counts.append([yes, 2 - yes])
    theirs = library.alpha(value_counts=counts, level_of_measurement="nominal")
    alpha = agreement["all"]["alpha"]
    assert alpha["value"] == pytest.approx(theirs, abs=1e-9)
    assert alpha["low"] < alpha["value"] < alpha["high"]


def test_a_seed_fixes_the_intervals() -> None:
    ratings = Ratings().add_all([ONE, dialogue("2", {"ann": spans(), "bob": spans()})])
    assert compare(ratings, samples=50, seed=3) == compare(ratings, samples=50, seed=3)


def test_only_some_annotators() -> None:
    third = dialogue("5", {who: spans() for who in ("ann", "bob", "cat")})
    ratings = Ratings(only=("ann", "cat")).add_all([third])
    assert ratings.annotators == {"ann": 1, "cat": 1}


def test_taskmasters_two_annotators_as_the_library_has_them(corpora: Path) -> None:
    """The counts are made here from the JSON itself: k labels alike are k annotators."""
    file = corpora / "taskmaster1" / "self-dialogs.sample.json"
    counts: dict[str, list[tuple[int, int]]] = {}
    words: list[Counter[str]] = []
    alike: Counter[int] = Counter()
    for conversation in json.loads(file.read_bytes()):
        for turn in conversation["utterances"]:
            here = [
                (word.span(), Counter[str]()) for word in re.finditer(r"\w+|[^\w\s]", turn["text"])
            ]
            exact: Counter[tuple[int, int, str]] = Counter()
            for segment in turn.get("segments", ()):
                start, end = segment["start_index"], segment["end_index"]
                for label in segment["annotations"]:
                    exact[start, end, label["name"]] += 1
                    for (left, right), tally in here:
                        tally[label["name"]] += left < end and start < right
            alike.update(min(times, 2) for times in exact.values())
            words += [tally for _, tally in here]
    names = sorted({name for tally in words for name in tally})
    for name in names:
        yes = [min(tally[name], 2) for tally in words]
        counts[name] = [(n, 2 - n) for n in yes]
    ratings = Ratings(formats.get("taskmaster1").traits)
    ratings.add_all(formats.get("taskmaster1").read_file(file, file.parent))
    agreement = compare(ratings, samples=10)["kinds"]["spans"]
    assert list(agreement["labels"]) == names
    for name, table in {**counts, "": [row for each in counts.values() for row in each]}.items():
        mine = agreement["labels"][name] if name else agreement["all"]
        theirs = library.alpha(value_counts=table, level_of_measurement="nominal")
        assert mine["alpha"]["value"] == pytest.approx(theirs, abs=1e-9)
    assert agreement["all"]["f1"]["value"] == pytest.approx(
        2 * alike[2] / (2 * alike[2] + alike[1]), abs=1e-9
    )
    assert not agreement["pairs"]


def test_one_dialogue_has_no_interval() -> None:
    alpha = compared(ONE)["spans"]["all"]["alpha"]
    assert alpha["value"] is not None
    assert (alpha["low"], alpha["high"]) == (None, None)
    table, *_ = tables(compare(Ratings().add_all([ONE]), samples=20), 0)
    assert table.rows[0][2] is None
