"""Candidates and cuts: eleven, the true one among them, drawn as the published files do."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.candidates import COUNTS, HELD, OTHERS, Candidates, file_seed
from dialoom.sim.policies.booking.recorder import CALL, BookingRecorder
from dialoom.sim.policies.booking.wording import BOT, NAMED
from tests.sim.policies.booking.talks import BASES, LINES, talk_of

FILES = {
    (task, size): Candidates(task, BASES[size], size, LINES, file_seed(3, task))
    for task in range(1, 6)
    for size in (5, 6)
}

numbers = st.integers(0, 10**6)
tasks = st.sampled_from([1, 2, 3, 4, 5])
sizes = st.sampled_from([5, 6])


def test_what_lines_share_makes_ten() -> None:
    for lines in COUNTS.shared.values():
        for kinds in lines.values():
            for kind in kinds:
                assert sum(int(part[1:]) for part in kind.split()) == OTHERS
                assert {part[0] for part in kind.split()} <= set("cowpal")
    keys = {line for lines in COUNTS.shared.values() for line in lines}
    assert keys == set(BOT) - set(NAMED)


@given(numbers, tasks, sizes)
def test_the_true_line_is_one_of_eleven(seed: int, task: int, size: int) -> None:
    talk = talk_of(seed, task, size)
    rng = SeededRng(seed_of(seed, 2), b"item")
    turn = FILES[task, size].cut(talk.turns, rng)
    assert FILES[task, size].weight(turn.line) > 0
    texts = FILES[task, size].draw(turn, talk, rng)
    assert len(texts) == 1 + OTHERS
    assert texts.count(turn.text) == 1
    repeated = len(texts) - len(set(texts))
    assert repeated <= HELD - 2 if turn.line.startswith("tell.") else repeated == 0


def drawn(talk: BookingRecorder, place: int, task: int, size: int, seed: int = 0) -> list[str]:
    rng = SeededRng(seed_of(seed, 2), b"item")
    turn = talk.turns[place]
    return [t for t in FILES[task, size].draw(turn, talk, rng) if t != turn.text]


def test_lines_without_an_entity_have_the_same_others_in_a_file() -> None:
    sets = {
        frozenset(drawn(talk, place, 5, 5, seed))
        for seed in range(30)
        for talk in [talk_of(seed, 5, 5)]
        for place, turn in enumerate(talk.turns)
        if turn.line == "more"
    }
    assert len(sets) == 1
    other = Candidates(5, BASES[5], 5, LINES, file_seed(4, 5))
    talk = talk_of(0, 5, 5)
    turn = next(turn for turn in talk.turns if turn.line == "more")
    assert frozenset(other.draw(turn, talk, SeededRng(b"x", b"y"))) - {turn.text} not in sets


def test_calls_are_near_and_lines_are_of_the_history() -> None:
    different: Counter[int] = Counter()
    for seed in range(300):
        talk = talk_of(seed, 1, 5)
        texts = drawn(talk, -1, 1, 5, seed)
        calls = [text for text in texts if text.startswith(CALL)]
        assert len(calls) >= 7
        true = talk.turns[-1].text.split(" ")
        different.update(
            sum(a != b for a, b in zip(c.split(" "), true, strict=True)) for c in calls
        )
        history = {getattr(event, "text", None) for event in talk.events}
        assert all(text in history for text in texts if text not in calls)
    assert 0.6 < different[1] / different.total() < 0.7
    assert max(different) <= 3


def test_options_are_the_others_that_were_returned_first() -> None:
    for seed in range(50):
        talk = talk_of(seed, 3, 5)
        place = next(n for n, turn in enumerate(talk.turns) if turn.line == "offer")
        texts = drawn(talk, place, 3, 5, seed)
        others = {r.name for r in talk.found if r is not talk.turns[place].restaurant}
        assert others <= {text.rpartition(" ")[2] for text in texts}


def test_facts_are_of_the_same_kind_and_of_the_same_restaurant() -> None:
    for seed in range(50):
        talk = talk_of(seed, 4, 5)
        turn = talk.turns[-1]
        assert turn.restaurant is not None
        own = {turn.restaurant.item["phone"], turn.restaurant.item["address"]}
        assert len([t for t in drawn(talk, -1, 4, 5, seed) if t.rpartition(" ")[2] in own]) == 1


def test_easy_turns_are_asked_for_less_often() -> None:
    counts: Counter[str] = Counter()
    for seed in range(2000):
        rng = SeededRng(seed_of(seed, 2), b"item")
        counts[FILES[3, 5].cut(talk_of(seed, 3, 5).turns, rng).line] += 1
    shares = {line: count / 2000 for line, count in counts.items()}
    published = {"offer": 0.39, "reserve": 0.205, "sorry": 0.135, "another": 0.063, "was": 0.056}
    for line, share in published.items():
        assert abs(shares[line] - share) < 0.04, line
    for line in ("hello", "on_it", "look"):
        assert 0.03 < shares[line] < 0.07
