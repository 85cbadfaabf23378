"""Expected gains of wordings, their true gains, and the learnt choice among the best."""

from __future__ import annotations

import numpy as np

from dialoom.dialogue import USER, Act, Argument, ServiceAct, Utterance
from dialoom.models.realiser.ranking import (
    LikelyWordings,
    WordingRanker,
    bleu_gain,
    candidates,
    expected_gains,
)
from dialoom.models.realiser.similarity import SchemaSimilarity
from dialoom.models.realiser.store import CandidatePool, WordingStore
from dialoom.models.realiser.wording import content, find_wording, numbered

ITEMS = content([ServiceAct(Act("REQUEST", (Argument("city"),)), "Cafes_1")])
SAID = ("Which city?", "Which city?", "In which town should I look for it?")


def stored() -> tuple[WordingStore, CandidatePool]:
    store = WordingStore()
    for dialogue, text in enumerate(SAID):
        wording = find_wording(text, numbered(ITEMS))
        assert wording is not None
        store.add(ITEMS, wording, dialogue)
    pool = store.pool(ITEMS, SchemaSimilarity({}))
    assert pool is not None
    return store, pool


def test_a_dialogue_tells_nothing_of_itself() -> None:
    _, pool = stored()
    _, shares, _ = expected_gains(pool, None, ITEMS, 40.0, 0.6)
    assert shares[:, 0].tolist() == [2 / 3, 1 / 3]
    _, shares, _ = expected_gains(pool, None, ITEMS, 40.0, 0.6, own=2)
    assert shares[:, 0].tolist() == [1, 0]
    assert candidates(pool, None, (), ITEMS, 40.0, 0.6, own=2).places.tolist() == [0]


def test_the_style_of_a_dialogue_makes_a_wording_likely() -> None:
    _, pool = stored()
    _, shares, _ = expected_gains(pool, np.array([0.1, 0.1, 0.9]), ITEMS, 40.0, 0.6)
    assert shares[1].tolist() == sorted(shares[1].tolist())
    assert shares[1, -1] > 0.99


def test_the_reference_gains_most_and_a_service_can_be_left_out() -> None:
    store, pool = stored()
    for place, wording in enumerate(pool.wordings):
        gains = bleu_gain(pool, [0, 1], store.row(wording))
        assert gains.argmax() == place
    assert store.pool(ITEMS, SchemaSimilarity({}), "Cafes_1") is None


def first_of(found: LikelyWordings) -> LikelyWordings:
    return LikelyWordings(found.places[:1], found.rows[:1], found.longer[:1])


def test_gains_of_candidates_are_learnt() -> None:
    _, pool = stored()
    history = (Utterance(agent=USER, text="I am looking for a town"),)
    shortlist = candidates(pool, None, history, ITEMS, 40.0, 0.6)
    first, second = shortlist.places.tolist()
    ranker = WordingRanker()
    assert ranker.best([shortlist]) == [first]
    ranker.fit([shortlist.rows] * 150, [np.array([0.0, 20.0])] * 150, 0)
    assert ranker.best([shortlist, first_of(shortlist)]) == [second, first]
