"""Signals of careless work: counted from the log, by worker, and never from erased people."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.log.change import Change
from dialoom.collect.log.store import Store
from dialoom.collect.message import Attend
from dialoom.collect.settings import Stage
from dialoom.collect.signals import consistency, signals, tables
from tests.collect.documents import WRITE, Documents
from tests.collect.studied import SECOND

REWORD = Stage(name="reword", kind="paraphrase", tasks=("Coaches_1",), pay=150)
LINES = (
    "I would like a large oat latte please.",
    "Which store do you want to get it from?",
    "The one at the corner of Mill Road.",
    "It costs four pounds and twenty pence today.",
    "That is fine, please order it for me.",
    "Done, it is ready in ten minutes.",
)


def found(study: Documents) -> dict[str, Any]:
    with Store.open(":memory:") as store:
        store.submit(Change(tuple(study.log))).result()
        return signals(store)


def by_worker(study: Documents) -> dict[str, dict[str, Any]]:
    return {row["worker"]: row for row in found(study)["workers"]}


def write(study: Documents, worker: str, seconds: float, *lines: str) -> int:
    """Let somebody write a dialogue, with so many seconds before each line."""
    number = study.enter(worker)
    for place, text in enumerate(lines, start=1):
        study.now += round(1000 * seconds) - SECOND  # a message takes one
        speaker = ("user", "assistant")[place % 2 == 0]
        study.send(number, Save(str(place), 0, {"speaker": speaker, "text": text}))
    study.send(number, Submit())
    return number


def test_lines_of_careful_work_have_no_signal() -> None:
    study = Documents(WRITE, scenarios=4)
    write(study, "w-1", 20, *LINES)
    row = by_worker(study)["w-1"]
    assert (row["lines"], row["signals"], row["median_seconds"]) == (6, [], 20)


def test_copies_haste_and_marks_of_machines_are_signals() -> None:
    study = Documents(WRITE, scenarios=6)
    write(study, "w-1", 20, *LINES)
    write(study, "w-2", 30, *(line.upper() for line in LINES))
    write(study, "w-3", 0.1, *(f"{line} Yes!" for line in LINES))
    write(study, "w-4", 30, *(f"Certainly! **Here** it is: {line}" for line in LINES))
    rows = by_worker(study)
    assert {worker: row["signals"] for worker, row in rows.items()} == {
        "w-1": [],
        "w-2": ["copied"],
        "w-3": ["fast", "hasty"],
        "w-4": ["machine"],
    }
    assert (rows["w-2"]["copied"], rows["w-3"]["fast"]) == (6, 6)


def test_a_line_that_is_corrected_counts_once() -> None:
    study = Documents(WRITE, scenarios=2)
    number = study.enter("w-1")
    for revision in range(3):
        study.now += 9000
        study.send(number, Save("1", revision, {"speaker": "user", "text": LINES[0]}))
    row = by_worker(study)["w-1"]
    assert (row["lines"], row["copied"]) == (1, 0)


def test_paraphrases_that_are_unchanged_are_a_signal() -> None:
    study = Documents(REWORD)
    for worker, before in (("w-1", ""), ("w-2", "Well then, ")):
        number = study.enter(worker)
        for part, line in enumerate(study.state(number)["room"]["item"]["lines"]):
            study.now += 20_000
            study.send(number, Save(str(part), 0, {"text": f"{before}{line['text']}"}))
        study.send(number, Submit())
    rows = by_worker(study)
    assert rows["w-1"]["unchanged"] == rows["w-1"]["lines"] > 5
    assert "unchanged" in rows["w-1"]["signals"]
    assert rows["w-2"]["unchanged"] == 0


def test_pasted_text_and_absences_are_recorded_where_the_consent_says_so() -> None:
    study = Documents(WRITE, attention=True)
    number = study.enter("w-1")
    assert study.state(number)["attention"] is True
    study.send(number, Attend(pasted=300))
    for _ in range(6):
        study.send(number, Attend(away=12.5))
    row = by_worker(study)["w-1"]
    assert (row["pasted"], row["left"], row["away_seconds"]) == (300, 6, 75)
    assert row["signals"] == ["pasted", "away"]
    silent = Documents(WRITE)
    assert silent.refused(silent.enter("w-1"), Attend(pasted=300)).code == "not_now"


def test_agreement_so_far_is_of_the_work_that_was_handed_in() -> None:
    mark = Stage(name="mark", kind="annotation", of="write", workers=2, pay=60)
    study = Documents(WRITE, mark)
    study.write("w-1")
    for worker in ("a-1", "a-2"):
        study.annotate(worker, "large")
    agreement = found(study)["agreement"]
    assert agreement["spans"]["alpha"]["value"] == 1
    assert "Agreement" in [table.title for table in tables(found(study))]


@pytest.mark.parametrize(("third", "share"), [(("a", "b"), 100), (("a", "c"), 250 / 3)])
def test_wizards_are_consistent_if_they_act_as_others_do(
    third: tuple[str, ...], share: float
) -> None:
    actions = [("w-1", "hotel", ("a", "b")), ("w-2", "hotel", ("a", "b")), ("w-3", "hotel", third)]
    figures = consistency([*actions, ("w-4", "bank", ("x",))])  # nobody else had this state
    assert figures["share"] == pytest.approx(share)
    assert (figures["decisions"], figures["dialogues"]) == (6, 3)
    assert figures["interval"][0] < figures["share"] <= figures["interval"][1]
    assert "w-4" not in figures["wizards"]
