"""A study's own questions are asked about dialogues and their turns, in each kind of work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.kinds.grades import given_grades
from dialoom.collect.kinds.room.messages import Accomplish, Say
from dialoom.collect.message import Questionnaire, Refused
from dialoom.collect.own_questions import OwnQuestion, agreement
from dialoom.collect.quiz_check import own_mistakes
from dialoom.collect.settings import Settings, Stage, Translation
from dialoom.collect.settings_check import setting_mistakes
from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.dialogue.annotation import RATING
from dialoom.quality.agreement import Ratings, compare
from tests.collect.documents import WRITE, Documents
from tests.collect.kinds.talks import ANSWER, JUDGED, bring
from tests.collect.studied import Played

TRUST = OwnQuestion(id="trust", text="Did you trust it?", scale=("no", "partly", "fully"))
DEVICE = OwnQuestion(id="device", text="On what?", options=("phone", "laptop"), of="wizard")
WHY = OwnQuestion(id="why", text="Why?", required=False)
ASKS = (TRUST, DEVICE, WHY)
WHOLE = {"own-trust": 3, "own-why": " It was quick. "}


@pytest.fixture
def after() -> tuple[Played, int, int]:
    """Give a study whose first dialogue is over, with its user and wizard."""
    played = Played(stages=(Stage(name="talk", asks=ASKS),))
    played.ready("w1", "user")
    played.ready("w2", "wizard")
    played.talk()
    return (played, *played.seats())


def answers(played: Played, number: int, **own: Any) -> Questionnaire:
    form = played.state(number)["questionnaire"]
    usual = {q["id"]: True for q in form["questions"] if not q["id"].startswith("own-")}
    return Questionnaire({**usual, **own}, rating=4 if form["rating"] else None)


def test_each_side_gets_its_questions(after: tuple[Played, int, int]) -> None:
    played, *seats = after
    scales = [
        {
            q["id"]: q["options"]
            for q in played.state(one)["questionnaire"]["questions"]
            if "options" in q
        }
        for one in seats
    ]
    grades = [{"value": n, "text": text} for n, text in enumerate(TRUST.scale, start=1)]
    assert scales[0] == {"own-trust": grades, "own-why": []}
    assert list(scales[1]) == ["own-device"]


def test_answers_are_in_the_dialogue(after: tuple[Played, int, int]) -> None:
    played, user, wizard = after
    work: Any = played.study.units[1].work
    played.send(user, answers(played, user, **WHOLE))
    played.send(wizard, answers(played, wizard, **{"own-device": "phone"}))
    replies = {(each.agent, each.question): each.answer for each in work.dialogue().answers}
    assert replies[USER, "trust"] == 3
    assert replies[USER, "why"] == "It was quick."
    assert "phone" in replies.values()


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"own-why": "Because."}, "incomplete"),
        ({"own-trust": 4}, "bad_value"),
        ({"own-trust": True}, "bad_value"),
        ({"own-trust": "fully"}, "bad_value"),
        ({"own-trust": 3, "own-device": "phone"}, "unknown"),
        ({"own-trust": 3, "own-why": " "}, "malformed"),
        ({"own-trust": 3, "understood": 1}, "bad_value"),
    ],
)
def test_refused_answers(after: tuple[Played, int, int], own: dict[str, Any], code: str) -> None:
    played, user, _ = after
    assert played.refusal(user, answers(played, user, **own)) == code


WORDS = (
    OwnQuestion(id="trust", text="Vertrauen Sie ihm?", scale=("nein", "teils", "ganz")),
    OwnQuestion(id="device", text="Womit?", options=("Telefon", "Rechner")),
)


def test_questions_in_another_language_have_the_same_answers() -> None:
    translations = {"en": Translation(asks={"talk": WORDS})}
    played = Played(stages=(Stage(name="talk", asks=ASKS),), translations=translations)
    played.ready("w1", "user")
    played.ready("w2", "wizard")
    played.talk()
    user, wizard = played.seats()
    trust, why = played.state(user)["questionnaire"]["questions"][-2:]
    assert (trust["text"], trust["options"][2]) == (WORDS[0].text, {"value": 3, "text": "ganz"})
    assert why["text"] == WHY.text
    device = played.state(wizard)["questionnaire"]["questions"][-1]
    assert device["options"][0] == {"value": "phone", "text": "Telefon"}
    played.send(user, answers(played, user, **WHOLE))
    played.send(wizard, answers(played, wizard, **{"own-device": "phone"}))
    work: Any = played.study.units[1].work
    assert "phone" in {each.answer for each in work.dialogue().answers}


@pytest.mark.parametrize(
    ("asks", "place"),
    [
        ({"talks": WORDS}, ("talks",)),
        ({"talk": (replace(WORDS[0], id="other"),)}, ("talk", 0, "id")),
        ({"talk": (replace(WORDS[0], scale=("nein", "ja")),)}, ("talk", 0, "scale")),
        ({"talk": (replace(WORDS[1], text=""),)}, ("talk", 0, "text")),
        ({"talk": WORDS}, None),
    ],
)
def test_faults_of_translations(asks: dict[str, Any], place: tuple[Any, ...] | None) -> None:
    translations = {"de": Translation(asks=asks)}
    stages = (Stage(name="talk", asks=ASKS),)
    settings = Settings(tasks=("weather",), stages=stages, translations=translations)
    pointers = [mistake.pointer for mistake in setting_mistakes(settings)]
    assert pointers == ([] if place is None else [("translations", "de", "asks", *place)])


def test_an_optional_question_may_be_left_open(after: tuple[Played, int, int]) -> None:
    played, user, _ = after
    played.send(user, answers(played, user, **{"own-trust": 1}))
    assert not played.state(user).get("questionnaire")


def test_after_a_talk_with_a_bot(tmp_path: Path) -> None:
    stage = Stage(name="talk", kind="bot", tasks=("weather",), asks=(TRUST, WHY))
    translations = {"en": Translation(asks={"talk": WORDS[:1]})}
    played = Documents(stage, scenarios=2, translations=translations)
    number = played.enter("w-1")
    played.send(number, Say("Will it rain?"))
    bring(played, *ANSWER)
    played.send(number, Accomplish())
    bring(played, JUDGED)
    room = played.state(number)["room"]
    assert [each["id"] for each in room["item"]["asks"]] == ["own-trust", "own-why"]
    assert [each["text"] for each in room["item"]["asks"]] == [WORDS[0].text, WHY.text]
    for part, value in (("rating", 4), ("reached", True)):
        played.send(number, Save(part, 0, value))
    assert [each["part"] for each in played.state(number)["room"]["problems"]] == ["own-trust"]
    with pytest.raises(Refused) as refused:
        played.send(number, Save("own-trust", 0, 9))
    assert refused.value.code == "bad_value"
    played.send(number, Save("own-trust", 0, 2))
    played.send(number, Submit())
    [dialogue] = played.exported("native", tmp_path)
    assert {each.question: each.answer for each in dialogue.answers}["trust"] == 2


EACH = replace(TRUST, id="each", per="turn")
WHERE = OwnQuestion(id="where", text="Where?", options=("here", "there"), per="turn")
SAID = replace(WHY, id="said", per="turn")


def answers_by(dialogue: Dialogue, prefix: str) -> list[dict[str, Any]]:
    """Return the answers of a source about each utterance."""
    return [
        {
            key: value
            for layer in event.layers
            if layer.source.startswith(prefix)
            for part in layer.parts
            for fields in part.extra.values()
            for key, value in fields.items()
        }
        for event in dialogue.events
        if isinstance(event, Utterance)
    ]


def test_turns_of_a_dialogue_of_two() -> None:
    device = replace(DEVICE, per="turn")
    played = Played(stages=(Stage(name="talk", asks=(EACH, device, SAID)),))
    played.ready("w1", "user")
    played.ready("w2", "wizard")
    played.talk()
    user, wizard = played.seats()
    questions = played.state(user)["questionnaire"]["questions"]
    turns = [(each["id"], each["turn"]) for each in questions if each.get("turn") is not None]
    assert turns[:2] == [("own-each.1", 1), ("own-said.1", 1)]
    numbers = {number for _, number in turns}
    assert played.refusal(user, answers(played, user, **{"own-each.1": 3})) == "incomplete"
    grades = {f"own-each.{number}": 3 for number in numbers}
    assert played.refusal(user, answers(played, user, **grades, **{"own-each.0": 3})) == "unknown"
    played.send(user, answers(played, user, **grades, **{"own-said.1": "It asked."}))
    mine = [q["id"] for q in played.state(wizard)["questionnaire"]["questions"]]
    theirs = {name: "phone" for name in mine if name.startswith("own-device.")}
    played.send(wizard, answers(played, wizard, **theirs))
    work: Any = played.study.units[1].work
    replies = answers_by(work.dialogue(), "rater-")
    assert replies[:2] == [{"device": "phone"}, {"each": 3, "said": "It asked."}]


def test_turns_of_a_talk_with_a_bot(tmp_path: Path) -> None:
    stage = Stage(name="talk", kind="bot", tasks=("weather",), asks=(EACH, SAID))
    played = Documents(stage, scenarios=2)
    number = played.enter("w-1")
    played.send(number, Say("Will it rain?"))
    bring(played, *ANSWER)
    played.send(number, Accomplish())
    bring(played, JUDGED)
    for part, value in (("rating", 4), ("reached", True)):
        played.send(number, Save(part, 0, value))
    assert [each["part"] for each in played.state(number)["room"]["problems"]] == ["own-each.1"]
    for part in ("own-each.0", "own-each.2", "own-each.x", "own-each", "own-why.1"):
        assert played.refused(number, Save(part, 0, 2)).code == "unknown"
    played.send(number, Save("own-each.1", 0, 2))
    played.send(number, Submit())
    [dialogue] = played.exported("native", tmp_path)
    assert answers_by(dialogue, "rater-") == [{}, {"each": 2}]
    grades = {name: grade for _, name, grade in given_grades(dialogue)}
    assert grades["each"] == 2


def test_several_people_answer_about_a_dialogue(tmp_path: Path) -> None:
    asks = (TRUST, EACH, WHERE, SAID)
    judge = Stage(name="judge", kind="annotation", of="write", layers=(), workers=2, asks=asks)
    played = Documents(WRITE, judge, scenarios=1)
    played.write("w-1")
    for worker, grade in (("a-1", 3), ("a-2", 1)):
        number = played.enter(worker)
        room = played.state(number)["room"]
        assert [each["turns"] for each in room["item"]["asks"]] == [None, *["system"] * 3]
        parts = ["own-trust", "own-each.1", "own-where.1"]
        assert [each["part"] for each in room["problems"]] == parts
        assert played.refused(number, Save("own-each.0", 0, 1)).code == "unknown"
        for part, value in zip(parts, (3, grade, "there"), strict=True):
            played.send(number, Save(part, 0, value))
        played.send(number, Submit())
    [dialogue] = played.exported("native", tmp_path)
    assert answers_by(dialogue, "annotator-") == [{}, {"trust": 3, "each": 1, "where": "there"}]
    kinds = compare(Ratings().add_all([dialogue]), samples=1)["kinds"]
    assert kinds["choices"]["all"]["f1"]["value"] == 1
    assert kinds["grades"]["labels"]["trust"]["f1"]["value"] == 1
    assert kinds["grades"]["labels"]["each"]["f1"]["value"] == 0


def test_agreement_of_answers() -> None:
    one, other = {"own-each.1": 3, "own-why": "a"}, {"own-each.1": 2, "own-why": "b"}
    assert agreement((EACH, WHY), one, other) == 0.5
    assert agreement((WHY,), one, other) == 1


@pytest.mark.parametrize(
    ("question", "key"),
    [
        (OwnQuestion(id="a.1", text="Why?"), "id"),
        (OwnQuestion(id="a" * 41, text="Why?"), "id"),
        (OwnQuestion(id=" ", text="Why?"), "id"),
        (OwnQuestion(id="why", text=""), "text"),
        (OwnQuestion(id="why", text="Why?", scale=("a",)), "scale"),
        (OwnQuestion(id="why", text="Why?", options=("a", "a")), "options"),
        (OwnQuestion(id="why", text="Why?", options=("a", "b"), scale=("a", "b")), "options"),
    ],
)
def test_faults(question: OwnQuestion, key: str) -> None:
    assert [each.pointer for each in own_mistakes((), (TRUST, question))] == [(1, key)]


@pytest.mark.parametrize(
    ("kind", "id"), [("bot", "rating"), ("bot", "reached"), ("room", "comment"), ("spoken", RATING)]
)
def test_no_question_has_the_name_of_another_answer(kind: str, id: str) -> None:
    stage = Stage(name="talk", kind=kind, asks=(OwnQuestion(id=id, text="Why?"),))
    mistakes = setting_mistakes(Settings(tasks=("weather",), stages=(stage,)))
    assert [mistake.pointer for mistake in mistakes] == [("stages", 0, "asks", 0, "id")]


def test_work_without_a_questionnaire_asks_nothing() -> None:
    for stage in (
        Stage(name="write", kind="self_dialogue", asks=ASKS),
        Stage(name="talk", questionnaire=False, asks=ASKS),
    ):
        mistakes = setting_mistakes(Settings(tasks=("weather",), stages=(stage,)))
        assert ("stages", 0, "asks") in [mistake.pointer for mistake in mistakes]
