"""One person and a program: whole dialogues through the real server, exported and read back."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.settings import Settings, SpeechSettings
from dialoom.dialogue import SYSTEM, USER, Event, Query, Utterance
from dialoom.dialogue.views import label
from dialoom.sim.policies.flow.participant import simulated_user
from tests.serve.page import Page
from tests.serve.served import Served, served
from tests.serve.spoken import SPOKEN, speak, tone

WEATHER = Settings(tasks=("weather",), scenarios=6, target=9, seed=5)
TURNS = 30


@pytest.fixture
def tried_by_a_wizard(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "study.sqlite", WEATHER, bot="user") as study:
        yield study


@pytest.fixture
def tried_by_a_user(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "study.sqlite", WEATHER, bot="wizard") as study:
        yield study


def fill_in(page: Page) -> None:
    form = page.state["questionnaire"]
    answers = {question["id"]: True for question in form["questions"]}
    rating = {"rating": 5} if form["rating"] else {}
    page.do("questionnaire", answers=answers, comment="It went well.", **rating)
    page.until_step("done")


def answered(page: Page, type: str, **body: str) -> None:
    """End the turn, and wait until the other has ended theirs, or the dialogue."""
    partner = "user" if page.state["role"] == "wizard" else "wizard"
    count = len([text for text in page.said() if text])
    page.do(type, **body)
    page.until(
        lambda frame: (
            (frame["type"] == "state" and frame["state"]["step"] != "room")
            or (frame["type"] == "event" and frame["event"].get("from") == partner)
        )
    )
    assert len(page.said()) > count


def test_a_wizard_alone_has_a_user(tried_by_a_wizard: Served) -> None:
    wizard = tried_by_a_wizard.page("wizard").wait()
    wizard.until_step("room")
    wizard.until_turn()
    wizard.do("suggest", text="hello there")
    view = wizard.until_state(lambda state: bool(state["room"]["suggestions"]))
    first = view["room"]["suggestions"]["candidates"][0]["id"]
    answered(wizard, "pick", action=first, reason="so")
    for _ in range(TURNS):
        answered(wizard, "say", text="Enjoy the weather, whatever it brings!")
        if wizard.state["step"] == "questionnaire":
            break
    fill_in(wizard)
    assert wizard.state["done"]["outcome"] == "completed"


def test_a_user_alone_has_a_wizard(tried_by_a_user: Served, tmp_path: Path) -> None:
    study = tried_by_a_user
    user = study.page("user").wait()
    user.until_step("room")
    player = simulated_user([study.opened.library.tasks["weather"]], 5, 3)
    for _ in range(TURNS):
        user.until_turn()
        seat = study.hub.study.seat(user_assignment(study))
        assert seat is not None
        room = seat[0].work
        reply = player.reply(room.dialogue().events)[0]
        if not isinstance(reply, Utterance):
            break
        answered(user, "say", text=reply.text)
    user.do("accomplish")
    user.until_step("questionnaire")
    fill_in(user)
    user.close()
    exported = export(study.opened.store, "star", tmp_path / "star")
    assert exported.dialogues == 1
    (dialogue,) = formats.load(tmp_path / "star", "star").dialogues()
    assert dialogue.outcome == "Complete"
    assert any(isinstance(event, Query) for event in dialogue.events)
    agents = [event.agent for event in dialogue.events if isinstance(event, Utterance)]
    assert agents == [USER, SYSTEM] * (len(agents) // 2)
    assert all(label(e) for e in dialogue.events if isinstance(e, Utterance) and e.agent == SYSTEM)


class Echo:
    """A program in a seat that says what it heard."""

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        texts = [event.text for event in events if isinstance(event, Utterance)]
        return (Utterance(agent=SYSTEM, text=f"You said: {texts[-1]}"),)


def test_a_program_reads_what_a_recogniser_makes_of_a_turn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("dialoom.serve.bots.teach", lambda role, library: None)
    monkeypatch.setattr("dialoom.serve.bots.seat_bot", lambda role, scenario, library: Echo())
    speech = SpeechSettings(recogniser="echo Will it rain?")
    settings = replace(SPOKEN, stages=SPOKEN.stages[:1], speech=speech)
    with served(tmp_path / "study.sqlite", settings, bot="wizard") as study:
        user = study.page("user").wait()
        user.until_step("room")
        speak(user, tone())
        answer = user.until(lambda frame: frame.get("event", {}).get("from") == "wizard")
        assert answer["event"]["text"].startswith("You said: Will it rain?")


def user_assignment(study: Served) -> int:
    live = study.hub.study.state.live.values()
    return next(one.number for one in live if not one.worker.startswith("bot:"))
