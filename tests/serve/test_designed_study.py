"""A study as docs/how-to/study-quality.md has it, from its file to agreement and pay.

It has a quiz, a scale and gold items of its own, two items an assignment and three raters an item.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from dialoom import formats
from dialoom.collect.settings import Settings
from dialoom.quality.agreement import Ratings, compare
from dialoom.schema.places import read_document
from tests.cli.runner import Run
from tests.serve.page import Page
from tests.serve.served import Served, served

STUDY = """\
name: Replies
purpose: Your answers teach computers to reply well.
scenarios: 6
budget: 1000
stages:
  - name: rules
    kind: quiz
    pay: 30
    limits: {most_to_pass: 1, fewer_to_be_paid: 3, few: 1}
    guidelines: |
      You judge replies of assistants. A reply that does not fit its dialogue is poor.
    questions:
      - text: A reply is polite and does not fit. What is it?
        options: {a: Good, b: Poor}
        right: b
        hint: The first sentence of the text says it.
  - name: judge
    kind: rating
    gate: quiz
    outputs: replies.jsonl
    criteria: [fits]
    scale: [poor, fair, good]
    workers: 3
    items: 2
    pay: 20
    minutes: 1
    gold: {items: gold.jsonl, every: 3, least: 1, end: 0.5}
    accept: {gold: 0.6, agreement: 0.6}
"""
BUDGET = 1000
GRADES = {"poor": 1, "good": 3}


def _lines(name: str, many: int, **more: object) -> bytes:
    """Return the lines of a file of replies: a good and a poor one in each."""
    context = [{"agent": "user", "text": "A table for two, please."}]
    lines = [
        {
            "id": f"{name}-{n}",
            "context": context,
            "outputs": {"good": f"At what time? ({name} {n})", "poor": f"A table. ({name} {n})"},
            **more,
        }
        for n in range(many)
    ]
    return msgspec.json.Encoder().encode_lines(lines)


def _graded(page: Page, text: str, careful: bool) -> int:
    right = GRADES["good" if text.startswith("At") else "poor"]
    near = (page.room or 0) % 3 == 0 and "gold" not in text  # people differ now and then
    return (2 if near else right) if careful else GRADES["poor"]


def _assignment(page: Page, careful: bool) -> list[int]:
    """Work through an assignment, and return the units that it had."""
    units: list[int] = []
    if page.state["step"] == "consent":
        page.do("consent")
    page.until_state(lambda state: state["step"] != "consent")
    if page.state["step"] in ("tutorial", "quiz"):
        question = page.state["quiz"]["questions"][0]["id"]
        page.do("answer", question=question, option="b")
    while page.until_state(lambda s: s["step"] in ("room", "done") and _is_new(s, units)):
        if page.state["step"] == "done":
            return units
        room = page.state["room"]
        assert room["item"]["scale"] == ["poor", "fair", "good"]
        assert page.state["items"] == {"done": len(units), "wanted": 2}
        units.append(room["number"])
        for place, text in enumerate(room["item"]["outputs"]):
            page.do("save", part=f"0.{place}", rev=0, value=_graded(page, text, careful))
        page.do("submit")
    raise AssertionError


def _is_new(state: dict[str, Any], units: list[int]) -> bool:
    return "room" not in state or state["room"]["number"] not in units


def _work(study: Served, worker: str, *, careful: bool = True) -> tuple[list[list[int]], list[str]]:
    """Let a worker work as long as there is something; return units and codes of assignments."""
    page = study.page(None, worker=worker)
    done: list[list[int]] = []
    codes: list[str] = []
    while True:
        done.append(_assignment(page, careful))
        codes.append(page.state["done"]["code"])
        if page.state["done"]["next"] is None:
            return done, codes
        page.close()
        answer = page.join(again=True)
        assert answer.status_code == 200, answer.text
        page.open()


def test_a_study_from_its_file_to_agreement_and_pay(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(
        STUDY.replace("replies.jsonl", str(tmp_path / "replies.jsonl")).replace(
            "gold.jsonl", str(tmp_path / "gold.jsonl")
        )
    )
    (tmp_path / "replies.jsonl").write_bytes(_lines("r", 6))
    right = {"good": {"fits": 3}, "poor": {"fits": 1}}
    (tmp_path / "gold.jsonl").write_bytes(_lines("gold", 4, right=right))
    assert run("collect", "check", file).code == 0
    settings = msgspec.convert({"tasks": (), **read_document(file).value}, Settings)
    db = tmp_path / "study.sqlite"
    with served(db, settings) as study:
        careless = _work(study, "w-0", careful=False)
        ended = study.hub.study.state.assignments
        assert ended[max(ended)].outcome == "screened_out"
        everything = [_work(study, f"w-{n}") for n in (1, 2, 3)]
        with study.admin() as admin:
            dashboard = admin.get("/api/admin/dashboard").json()
    codes = [code for _, each in (careless, *everything) for code in each]
    assert len(set(codes)) == len(codes) == sum(len(done) for done, _ in (careless, *everything))
    assert {len(units) for done, _ in everything for units in done[1:-1]} == {2}
    gold = {row["worker"]: row["gold"] for row in dashboard["workers"]}
    assert gold["w-0"]["right"] == 0 and all(
        gold[f"w-{n}"]["right"] == gold[f"w-{n}"]["of"] > 0 for n in (1, 2)
    )
    judged = next(row for row in dashboard["stages"] if row["stage"] == "judge")
    assert (judged["wanted"], judged["complete"]) == (18, 18)
    [sample] = dashboard["samples"]
    assert sample["accepted"] > 0 and sample["more"] > 0
    waiting = sum(row["cents"] for row in dashboard["queue"])
    worked = sum(len(units) for done, _ in (careless, *everything) for units in done)
    owed = dashboard["ledger"]["totals"]["cents"] + waiting
    assert owed == 4 * (30 + 50) + 20 * worked <= BUDGET  # quizzes without a hint, and each item
    assert waiting < owed

    out = tmp_path / "out"
    assert run("collect", "export", "--db", db, "--to", "native", "--out", out).code == 0
    dialogues = list(formats.load(out).dialogues())
    assert sorted({each.id for each in dialogues}) == sorted(
        f"r-{n}-{system}" for n in range(6) for system in ("good", "poor")
    )
    alpha = compare(Ratings().add_all(dialogues), samples=100)["kinds"]["grades"]["all"]["alpha"]
    assert alpha["low"] <= alpha["value"] <= alpha["high"] and alpha["value"] > 0.2
    accounts = run("collect", "accounts", "--db", db).out
    assert "gold_right" in accounts.splitlines()[0]
