"""The members of a tracker, and the concepts that carry words from one service to another."""

from __future__ import annotations

import numpy as np
import pytest

from dialoom.dialogue import USER, Utterance
from dialoom.models.tracker import Tracker
from dialoom.models.tracker.frame_rows import FrameRows
from dialoom.models.tracker.history import ServiceHistory, ValueCandidate
from dialoom.models.tracker.member import FrameChances, mean
from dialoom.models.tracker.service import ServiceView, concept_codes
from dialoom.models.tracker.turns import Speech, concepts, question
from tests.models.tracker_sample import SERVICE, TRAINS, examples


def frame(*values: str) -> FrameRows:
    """Return a frame with candidates of one slot."""
    candidates = [ValueCandidate("origin", value, value, -1, [], "short text") for value in values]
    none = np.zeros((0, 0), np.float32)
    return FrameRows(ServiceHistory(ServiceView(SERVICE, TRAINS), 0), candidates, none, none, none)


def judged(values: list[float], intents: list[float], requests: list[float]) -> FrameChances:
    """Return probabilities as arrays."""
    return FrameChances(*(np.array(each, np.float32) for each in (values, intents, requests)))


def test_members_are_averaged_candidate_by_candidate() -> None:
    frames = frame("bath", "hull"), frame("hull", "york")
    average = mean(frames, (judged([0.8, 0.2], [1, 0], [0.5]), judged([0.6, 0.9], [0, 0], [0.1])))
    assert average.values.tolist() == np.array([0.4, 0.4], np.float32).tolist()  # york is dropped
    assert average.intents.tolist() == [0.5, 0.0]
    assert np.allclose(average.requests, [0.3])


def test_one_member_decides_alone() -> None:
    alone = judged([0.8], [1, 0], [0.5])
    average = mean((frame("bath"),), (alone,))
    assert all(np.array_equal(one, other) for one, other in zip(average, alone, strict=True))


def test_a_tracker_has_as_many_members_as_are_wanted() -> None:
    schemas, questions = {TRAINS: SERVICE}, [each.question for each in examples(range(20, 24))]
    answers = []
    for members in (1, 2):
        fitted = Tracker(members=members)
        fitted.fit(examples(range(12)), schemas)
        assert len(fitted._members) == members
        answers.append(fitted.predict(questions, schemas))
    assert all(state.values for each in answers for state in each[-1].answer.values())


def test_words_and_phrases_of_one_meaning_share_a_concept() -> None:
    how, much, rent, of = concepts(["How", "much", "rent", "of"])
    assert how == much
    assert set(how) & set(rent)
    assert not of


def test_a_description_has_the_concepts_of_its_words() -> None:
    fare = set(concept_codes("c", "ticket_fare", "Price of the journey").tolist())
    assert fare & set(concept_codes("c", "how much").tolist())
    assert not fare & set(concept_codes("cv", "how much").tolist())  # another mark
    assert not len(concept_codes("c", "of_the"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It is late. Which city? I see.", ["Which", "city"]),
        ("It is late. Bath", ["Bath"]),
        ("Bath", ["Bath"]),
    ],
)
def test_the_last_question_or_sentence_is_found(text: str, words: list[str]) -> None:
    speech = Speech.of(Utterance(agent=USER, text=text))
    assert speech.words[question(speech)] == words
