"""Work on documents, from the link to the export: written, annotated twice, settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.log.store import Store
from dialoom.collect.own_questions import OwnQuestion
from dialoom.collect.settings import Settings, Stage
from dialoom.corpus import Corpus
from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.formats.base.conversion import convert
from dialoom.quality.agreement import Ratings, compare
from dialoom.quality.lint import lint
from tests.serve.browser.document_scenes import (
    OUTPUTS,
    answered,
    at_hand,
    enter,
    hand_in,
    looked_at,
    written,
)
from tests.serve.browser.person import People, Person
from tests.serve.served import Served, served

pytestmark = pytest.mark.browser

STAGES = (
    Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), least=4, pay=150),
    Stage(
        name="mark",
        kind="annotation",
        of="write",
        workers=2,
        pay=60,
        layers=("spans", "acts", "frames"),
        guidelines="A drink is marked with its kind.",
    ),
    Stage(name="settle", kind="adjudication", of="mark", only=("judge",), pay=40),
)
LINES = ("A large café latte, please.", "Sure, anything else?", "No, thanks.", "It is ready.")


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[Served]:
    settings = Settings(stages=STAGES, scenarios=1, seed=3)
    with served(tmp_path / "documents.sqlite", settings) as study:
        yield study


def write(one: Person) -> None:
    expect(one.field).to_be_focused()
    for number, line in enumerate(LINES, start=1):
        one.page.keyboard.type(line)
        one.page.keyboard.press("Enter")
        expect(one.lines).to_have_count(number)
        expect(one.field).to_be_focused()


def annotate(one: Person, drink: str) -> None:
    """Mark the first line, and look at all others: by the keyboard alone."""
    marked = one.page.locator("#marked")
    expect(one.page.get_by_text("A drink is marked")).to_be_visible()
    expect(marked).to_be_focused()
    one.choose_words(drink)
    one.page.keyboard.press("1")
    expect(one.tags).to_have_text([re.compile("store location")])
    one.choose_words("large")
    one.page.keyboard.press("2")
    expect(one.tags).to_have_count(2)
    act(one, "inform", "drink size", "large")
    expect(one.page.locator(".frames")).to_contain_text("drink size = large")
    marked.press("Enter")
    act(one, "offer", "drink size", "small", frame="Frame 2 (new)")
    act(one, "offer", "milk type", "oat", frame="comes from frame 1")
    expect(one.page.locator(".frames")).to_contain_text("Frame 2 · from 1: ")
    marked.press("Shift+Enter")
    for line in LINES:
        at_hand(one, line)
        marked.press("Enter")


def act(one: Person, name: str, slot: str, value: str, frame: str = "") -> None:
    """Add an act by the keyboard alone: from the line with Tab to its form."""
    one.page.locator("#marked").focus()
    one.choose(one.page.locator("#slot"), slot)
    one.reach(one.page.locator("#value"))
    one.page.keyboard.type(value)
    one.choose(one.page.locator("#frame"), frame)
    one.reach(one.page.locator(".legend button", has_text=name).first)
    one.page.keyboard.press("Enter")
    expect(one.chips.filter(has_text=f"{name} ({slot}")).to_have_count(1)
    expect(one.page.locator("#slot")).to_have_value("")


def pick(choice: Locator) -> None:
    """Choose one of several by the keyboard."""
    choice.focus()
    choice.press("Space")
    expect(choice).to_be_checked()


def test_a_dialogue_is_written_annotated_twice_and_settled(
    people: People, documents: Served, tmp_path: Path
) -> None:
    writer = enter(people, documents, "w-1")
    write(writer)
    looked_at(writer)
    writer.button("Edit 4").click()
    expect(writer.field).to_have_value(LINES[3])
    writer.field.fill("It is ready now.")
    writer.field.press("Enter")
    expect(writer.lines.last).to_have_text("It is ready now.")
    writer.button("Edit 4").click()
    writer.field.fill(LINES[3])
    writer.field.press("Enter")
    hand_in(writer)

    one, other = (enter(people, documents, worker) for worker in ("a-1", "a-2"))
    annotate(one, "café latte")
    annotate(other, "latte")
    looked_at(one)
    one.page.reload()
    expect(one.page.locator(".fate", has_text="Checked")).to_have_count(len(LINES))
    for each in (one, other):
        hand_in(each)

    judge = enter(people, documents, "judge")
    expect(judge.page.get_by_text("To be settled")).to_have_count(1)
    looked_at(judge)
    expect(judge.tags).to_have_text([re.compile("drink name")])
    judge.page.keyboard.press("Shift+Digit1")
    expect(judge.tags).to_have_text([re.compile("drink name"), re.compile("store location")])
    hand_in(judge)

    for name in ("taskmaster1", "frames", "native"):
        with Store.open(tmp_path / "documents.sqlite", readonly=True) as store:
            assert export(store, name, tmp_path / name).dialogues == 1
        corpus = formats.load(tmp_path / name)
        problems = lint(corpus)
        assert [problem for problem in problems if problem.severity == "error"] == []
    [dialogue] = formats.load(tmp_path / "taskmaster1").dialogues()
    [part] = dialogue.events[0].layers[0].parts  # type: ignore[union-attr]
    assert [len(span.labels) for span in part.spans or ()] == [2, 1, 1]
    [dialogue] = formats.load(tmp_path / "frames").dialogues()
    [part] = dialogue.events[1].layers[0].parts  # type: ignore[union-attr]
    [offer] = part.acts or ()
    referred = [(each.slot, *(to.frame for to in each.references)) for each in offer.arguments]
    assert referred == [("read", 1), ("ref", 2)]
    assert [(frame.id, frame.parent) for frame in part.frames or ()] == [(1, None), (2, 1)]
    [dialogue] = formats.load(tmp_path / "native").dialogues()
    layers = [layer.source for layer in dialogue.events[0].layers]  # type: ignore[union-attr]
    assert layers == ["gold", "annotator-2", "annotator-3"]
    ratings = Ratings(formats.get("native").traits)
    ratings.add_all(formats.load(tmp_path / "native").dialogues())
    assert "annotator-2" in str(compare(ratings, samples=10, seed=0))
    assert re.fullmatch(r"dlg-\d+", dialogue.id)


def reword(one: Person, before: str) -> None:
    """Say each line in other words by the keyboard alone, its values kept."""
    for line in one.page.locator(".marked-lines .bubble").all():
        expect(line).to_have_attribute("aria-current", "true")
        words = line.evaluate("line => line.lastChild.data")
        one.field.fill(f"{before} {words}")
        one.field.press("Enter")
        expect(line).to_contain_text(before)


REWORD = (
    Stage(name="reword", kind="paraphrase", tasks=("Coaches_1",), pay=150, only=("p-1", "p-2")),
    Stage(
        name="mark",
        kind="annotation",
        of="reword",
        workers=2,
        layers=("spans", "acts", "states"),
        prelabels=("span-rules",),
        only=("a-1", "a-2"),
    ),
    Stage(name="settle", kind="adjudication", of="mark", only=("judge",)),
)


def follow(one: Person, intent: str, slot: str, piece: str) -> None:
    """Set the state after the third line, which goes on to all others: by the keyboard alone.

    The value is a piece of the line that is chosen there.
    """
    marked, state = one.page.locator("#marked"), one.page.get_by_label("State after this line")
    marked.press("Enter")
    marked.press("Enter")
    one.choose_words(piece)
    one.choose(one.page.locator("#intent"), intent)
    one.choose(one.page.locator("#state-slot"), slot)
    one.reach(one.button("Set", exact=True))
    one.page.keyboard.press("Enter")
    for number, line in enumerate(one.page.locator(".marked-lines .bubble").all()[2:]):
        expect(line).to_have_attribute("aria-current", "true")
        if number % 2 == 0:
            expect(one.page.locator("#intent")).to_have_value("FindCoach")
            expect(state.last).to_contain_text(f"{slot} = {piece}")
        one.page.keyboard.press("Control+Enter")


def test_two_people_reword_simulated_dialogues_and_two_follow_their_states(
    people: People, tmp_path: Path
) -> None:
    settings = Settings(stages=REWORD, scenarios=2, seed=3)
    with served(tmp_path / "reworded.sqlite", settings) as study:
        one, other = (enter(people, study, worker) for worker in ("p-1", "p-2"))
        reword(one, "Well,")
        reword(other, "So,")
        hand_in(other)
        one.page.locator(".marked-lines button", has_text="traveling to Stenhaven").click()
        one.field.fill("To Stenhaven, yes, Stenhaven, on that day.")
        one.field.press("Enter")
        expect(one.page.get_by_role("alert").filter(has_text="March 10th")).to_be_visible()
        one.button("Insert March 10th").click()
        one.field.press("Enter")
        one.page.locator(".several button").nth(1).click()
        expect(one.page.locator(".several")).to_have_count(0)
        hand_in(one)
        for worker, piece in (("a-1", "Falken"), ("a-2", "from Falken")):
            annotator = enter(people, study, worker)
            expect(annotator.page.locator("#marked")).to_be_visible()
            follow(annotator, "find coach", "start city", piece)
            hand_in(annotator)
        looked_at(judge := enter(people, study, "judge"))
        expect(judge.page.get_by_text("To be settled").first).to_be_visible()
        while judge.page.get_by_text("To be settled").count():
            judge.button("Hand in").press("Enter")
            judge.button("Take annotator 1").press("Enter")
            expect(judge.page.locator(".marked-lines li:has([aria-current=true])")).to_contain_text(
                "Checked"
            )
        hand_in(judge)
        admin = people(f"{study.base}/admin#{study.signer.admin_token('viewer')}")
        admin.turn_to("Figures")
        admin.button("Count them").click()
        rows = admin.page.get_by_role("row").filter(has_text="Spans")
        expect(rows.first.get_by_role("cell").last).to_have_text(re.compile(r"^\d+$"))
        looked_at(admin)
    for name in ("sgd", "native"):
        with Store.open(tmp_path / "reworded.sqlite", readonly=True) as store:
            assert export(store, name, tmp_path / name).dialogues == 2
        corpus = formats.load(tmp_path / name)
        assert [problem for problem in lint(corpus) if problem.severity == "error"] == []
        states = [
            part.state for turn in dialogue_of(corpus, "So,") for part in turn.layers[0].parts
        ]
        followed = [state.values for state in states if state is not None]
        assert followed[0] == {}
        assert all(each == {"start_city": ("Falken",)} for each in followed[1:])
    ratings = Ratings().add_all(formats.load(tmp_path / "native").dialogues())
    agreement = compare(ratings, samples=10, seed=0)
    assert agreement["prelabels"]["spans"]
    assert agreement["kinds"]["state"]["pairs"][0]["all"]["f1"]["value"] == 0


def dialogue_of(corpus: Corpus, begins: str) -> list[Utterance]:
    """Return the utterances of the dialogue that begins so."""
    dialogues = (
        [event for event in dialogue.events if isinstance(event, Utterance)]
        for dialogue in corpus.dialogues()
    )
    return next(turns for turns in dialogues if turns[0].text.startswith(begins))


def test_two_people_rank_what_systems_say(people: People, tmp_path: Path) -> None:
    outputs = str(written(tmp_path / "outputs.jsonl"))
    stage = Stage(name="rank", kind="rating", judge="rank", outputs=outputs, workers=2, pay=20)
    with served(tmp_path / "ranked.sqlite", Settings(stages=(stage,), seed=3)) as study:
        for worker, order in (("r-1", (1, 2, 3)), ("r-2", (1, 3, 2))):
            one = enter(people, study, worker)
            outputs_shown = one.page.locator(".outputs li > p")
            expect(outputs_shown).to_have_count(len(OUTPUTS))
            texts = outputs_shown.all_inner_texts()
            assert sorted(texts) == sorted(OUTPUTS.values())
            assert not any(name in one.page.content() for name in OUTPUTS)
            for output, rank in enumerate(order):
                pick(one.page.locator(f'input[name="0.{output}"]').nth(rank - 1))
            hand_in(one)
    for name in ("native", "taskmaster1"):
        with Store.open(tmp_path / "ranked.sqlite", readonly=True) as store:
            exported = export(store, name, tmp_path / name)
        assert exported.dialogues == 3
        means = [(row["mean"], row["grades"]) for row in exported.grades.figures()["systems"]]
        assert sorted(means) == [(1, 2), (2.5, 2), (2.5, 2)]
        corpus = formats.load(tmp_path / name)
        assert [problem for problem in lint(corpus) if problem.severity == "error"] == []
    ratings = Ratings().add_all(formats.load(tmp_path / "native").dialogues())
    assert "rater-1" in str(compare(ratings, samples=10, seed=0)["kinds"]["grades"])


def test_two_people_talk_with_bots_and_rate_them(people: People, tmp_path: Path) -> None:
    asks = (
        OwnQuestion(id="trust", text="Did you trust it?", scale=("no", "partly", "fully")),
        OwnQuestion(id="why", text="Why?", required=False),
        OwnQuestion(id="help", text="Did this help?", scale=("no", "yes"), per="turn"),
    )
    agents = ("flow", "silent")
    stage = Stage(name="talk", kind="bot", tasks=("weather",), agents=agents, pay=50, asks=asks)
    with served(tmp_path / "talks.sqlite", Settings(stages=(stage,), seed=3)) as study:
        one, other = (enter(people, study, worker) for worker in ("t-1", "t-2"))
        answered(one, "What will the weather be like?")
        assert "flow" not in one.page.content()
        one.button("Good 2").click()
        expect(one.button("Good 2")).to_have_attribute("aria-pressed", "true")
        one.page.reload()  # the talk is there as it was
        expect(one.button("Good 2")).to_have_attribute("aria-pressed", "true")
        one.button("I have finished talking").click()
        other.field.fill("Hello?")
        other.field.press("Enter")  # it says nothing: it has failed, and the talk is over
        turns = one.page.locator('input[name^="q-own-help."]')
        expect(turns.first).to_be_visible()
        lacking = 3 + turns.count() // 2
        expect(one.page.locator("#submit")).to_contain_text(f"questions to answer: {lacking}")
        for place in range(1, turns.count(), 2):
            pick(turns.nth(place))
        one.page.get_by_label("Why? (optional)").fill("It was quick.")
        for name, place in (("rating", 3), ("reached", 1), ("q-own-trust", 2)):
            pick(one.page.locator(f'input[name="{name}"]').nth(place))
        expect(other.page.get_by_text("The assistant has failed")).to_be_visible()
        expect(other.page.locator('input[name="rating"]')).to_have_count(0)
        comment = other.page.locator("#comment")  # what was typed is kept, and does not block
        comment.fill("It said nothing.")
        comment.blur()
        other.until("!Object.keys(sessionStorage).join().includes('comment')")
        for each in (one, other):
            hand_in(each)
    with Store.open(tmp_path / "talks.sqlite", readonly=True) as store:
        exported = export(store, "native", tmp_path / "native")
    assert exported.outcomes == {"missed": 1, "no result": 1}
    rows = {row["criterion"]: row for row in exported.grades.figures()["systems"]}
    assert (rows["rating"]["system"], rows["rating"]["mean"]) == ("flow", 4)
    assert exported.failed == {"silent": 1}
    corpus = formats.load(tmp_path / "native")
    assert [problem for problem in lint(corpus) if problem.severity == "error"] == []
    rated, failed = corpus.dialogues()
    own = {each.question: each.answer for each in rated.answers}
    assert (own["trust"], own["why"]) == (3, "It was quick.")
    assert rows["help"]["mean"] == 2
    assert [each.answer for each in failed.answers] == ["It said nothing."]
    assert [each.extra["system"] for each in corpus.dialogues()] == ["flow", "silent"]


def test_a_piece_after_a_line_break_is_marked_where_it_is(people: People, tmp_path: Path) -> None:
    """A field shows CR and LF as one character; the text of a corpus has both."""
    line = "Cafe\u0301 😀, please:\r\n\r\na large latte"
    original = Dialogue(id="1", events=(Utterance(agent=USER, text=line),))
    convert(lambda: iter([original]), {}, formats.get("native"), tmp_path / "corpus")
    corpus, labels = str(tmp_path / "corpus"), ("drink",)
    stage = Stage(name="mark", kind="annotation", corpus=corpus, labels=labels, layers=("spans",))
    with served(tmp_path / "marks.sqlite", Settings(stages=(stage,), seed=3)) as study:
        one = enter(people, study, "a-1")
        one.choose_words("latte")
        one.page.keyboard.press("1")
        expect(one.tags).to_have_count(1)
        one.page.locator("#marked").press("Control+Enter")
        hand_in(one)
    with Store.open(tmp_path / "marks.sqlite", readonly=True) as store:
        export(store, "native", tmp_path / "native")
    [dialogue] = formats.load(tmp_path / "native").dialogues()
    [event] = (event for event in dialogue.events if isinstance(event, Utterance))
    [span] = event.layers[0].parts[0].spans or ()
    assert (event.text, event.text[span.start : span.end]) == (line, "latte")


def test_a_line_is_taken_out_and_the_dialogue_is_too_short_again(
    people: People, documents: Served
) -> None:
    writer = enter(people, documents, "w-1")
    write(writer)
    expect(writer.page.locator("#submit-why")).to_contain_text("finished")
    writer.button("Delete 4").click()
    expect(writer.lines).to_have_count(3)
    expect(writer.page.locator("#submit-why")).to_contain_text("too short")
