"""BLEU, chrF, ROUGE, METEOR and slot errors of texts that say acts."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from dialoom.dialogue import Act, Argument, Dialogue, Prediction, Question, Realise, ServiceAct
from dialoom.metrics import Counts, Metric
from dialoom.metrics.realisation import CorpusBleu, SlotErrors, TextOverlap, TextVariety, meteor
from dialoom.schema.service import Service, ServiceSlot
from dialoom.schema.task import TaskSchema

ACTS = (
    ServiceAct(Act("OFFER", (Argument("name", ("Blue Door",)),)), "Cafes_1"),
    ServiceAct(Act("OFFER", (Argument("price", ("cheap",)),)), "Cafes_1"),
    ServiceAct(Act("INFORM", (Argument("music", ("True",)),)), "Cafes_1"),
)
CAFES = TaskSchema(
    id="Cafes_1",
    source=Service(slots=(ServiceSlot(name="name"), ServiceSlot(name="price", categorical=True))),
)
Pair = tuple[str, str]


def scored(metric: Metric, pairs: list[Pair]) -> dict[str, float]:
    """Return the scores of texts, each after its reference."""
    question = Question(Dialogue(id="1", events=()), 0, Realise(ACTS))
    counts: Counts = Counter()
    for gold, text in pairs:
        counts.update(metric.statistics(question, gold, Prediction(text)))
    return {name: score.value for name, score in metric.scores(counts).items()}


TEXTS = st.text(alphabet="abC .,", max_size=20)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4))
def test_bleu_and_chrf_are_sacrebleus(pairs: list[Pair]) -> None:
    golds, candidates = (
        [" ".join(text.split()) for text in texts] for texts in zip(*pairs, strict=True)
    )
    scores = scored(CorpusBleu(), pairs)
    assert scores["bleu"] == pytest.approx(BLEU().corpus_score(candidates, [golds]).score)
    uncased = BLEU(lowercase=True).corpus_score(candidates, [golds]).score
    assert scores["bleu_uncased"] == pytest.approx(uncased)
    assert scores["chrf"] == pytest.approx(CHRF().corpus_score(candidates, [golds]).score)


def test_rouge_and_meteor_are_means_over_texts() -> None:
    scores = scored(TextOverlap(), [("a b c d", "a b c d"), ("a b c d", "e")])
    assert scores["rouge1"] == scores["rouge2"] == scores["rougel"] == 50.0
    # all four words in one chunk: 1 - 0.5 / 4^3
    assert scores["meteor"] == pytest.approx(50 * (1 - 0.5 / 64))


def test_meteor_as_worked_by_hand() -> None:
    # two of three words found of four wanted, apart: P 2/3, R 1/2, mean 1/3 / (0.6 + 0.05)
    assert meteor("the blue door", "the old big door") == pytest.approx(
        (1 / 3) / 0.65 * (1 - 0.5 * (2 / 2) ** 3)
    )
    # a stem counts as the word does
    assert meteor("booking tables", "book table") == pytest.approx(1 - 0.5 / 8)
    assert meteor("no", "yes") == meteor("", "yes") == 0.0


def test_free_values_must_stand_in_the_text() -> None:
    metric = SlotErrors({"Cafes_1": CAFES})
    scores = scored(metric, [("", "The blue door is cheap."), ("", "Blue Door."), ("", "Cheap!")])
    assert scores["slot_error_rate"] == pytest.approx(100 / 3)
    assert scores["value_error_rate"] == pytest.approx(100 * 2 / 6)


def test_variety_is_of_all_texts_together() -> None:
    scores = scored(TextVariety(), [("a b", "one two three"), ("a b c d", "one two.")])
    assert scores["distinct_1"] == pytest.approx(60.0)
    assert scores["distinct_2"] == pytest.approx(200 / 3)
    assert (scores["length"], scores["reference_length"]) == (2.5, 3.0)
    # a hundred words, two of them different; the rest is no segment
    assert scored(TextVariety(), [("", "a b " * 60)])["msttr"] == 2.0


def test_variety_is_of_texts_in_their_order() -> None:
    counts: Counts = Counter()
    for number in range(22):  # two texts for each segment of a hundred words
        question = Question(Dialogue(id=str(number), events=()), 0, Realise(ACTS))
        text = f"w{number // 2} " * 50
        counts.update(TextVariety().statistics(question, "", Prediction(text)))
    assert TextVariety().scores(counts)["msttr"].value == pytest.approx(1.0)


def test_words_are_of_any_script() -> None:
    overlap = scored(TextOverlap(), [("北京 大学", "北京 大学")])
    assert overlap["rouge1"] == 100.0
    assert overlap["meteor"] == pytest.approx(100 * (1 - 0.5 / 8))
    assert scored(TextVariety(), [("", "Grüße aus_Köln")])["length"] == 3.0


def test_nothing_to_score_is_zero() -> None:
    for metric in (CorpusBleu(), TextOverlap(), SlotErrors(), TextVariety()):
        assert {score.value for score in metric.scores(Counter()).values()} == {0.0}
