"""Rankings of candidates as result files: the challenge's baselines, and its three scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from random import Random

from dialoom.bench.dstc6.items import Item
from dialoom.bench.visibility import visible, words_and_calls
from dialoom.dialogue import Choice, Dialogue, Options, Question
from dialoom.errors import FormatError
from dialoom.formats.dstc6.results import Ranking
from dialoom.learn.model import Model, Schemas
from dialoom.metrics.base import Counts, Score
from dialoom.metrics.ranking import PrecisionAtK, ranked
from dialoom.models.baselines import by_likeness


def in_random_order(items: Iterable[Item], seed: int) -> Iterator[Ranking]:
    """Yield each item's candidates in an order drawn with `seed`."""
    random = Random(seed)
    for item in items:
        names = [name for name, _ in item.candidates]
        random.shuffle(names)
        yield _ranking(item.id, names)


def by_tfidf(items: Iterable[Item], source: str) -> Iterator[Ranking]:
    """Yield each item's candidates by the cosine of their TF-IDF vectors with the history's.

    Each history is one document, with scikit-learn's defaults: words of at least two letters in
    lower case, smoothed inverse document frequency, vectors of length one. `FormatError` if no
    history has a word.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    entries = list(items)
    vectoriser = TfidfVectorizer()
    try:
        histories = vectoriser.fit_transform(" ".join(item.history) for item in entries)
    except ValueError as error:
        raise FormatError(
            source, "no history has a word to weight", code="nothing-to-ask"
        ) from error
    texts = ([text for _, text in item.candidates] for item in entries)
    for item, order in zip(entries, by_likeness(histories, texts, vectoriser), strict=True):
        yield _ranking(item.id, [item.candidates[place][0] for place in order])


def by_model(dialogues: Iterable[Dialogue], model: Model, schemas: Schemas) -> Iterator[Ranking]:
    """Yield the rankings of a fitted model of dialogues that end with candidates.

    It is asked about all at once. `schemas` are those of `dialoom.bench.dstc6.knowledge`.
    """
    questions = []
    for dialogue in dialogues:
        history, positions = visible(dialogue, words_and_calls)
        last = dialogue.events[-1] if dialogue.events else None
        candidates = last.candidates if isinstance(last, Options) else ()
        cut = history[: positions[-1]] if candidates else history
        prefix = Dialogue(id=dialogue.id, events=cut)
        questions.append(Question(prefix, len(cut), Choice(candidates)))
    for question, prediction in zip(questions, model.predict(questions, schemas), strict=True):
        yield _ranking(question.dialogue.id, [name for name, _ in prediction.ranking])


def _ranking(dialogue: str, names: list[str]) -> Ranking:
    return Ranking(dialogue, tuple((name, rank) for rank, name in enumerate(names, start=1)))


def count(truth: Mapping[str, str], rankings: Iterable[Ranking]) -> Counts:
    """Count the ranks of the right candidates.

    A dialogue without a ranking is wrong, a ranking without a dialogue is ignored. Among several
    rankings of a dialogue, and of several candidates of a rank, the last counts.
    """
    lookup = {
        ranking.dialogue: {rank: candidate for candidate, rank in ranking.candidates}
        for ranking in rankings
    }
    counts: Counts = Counter()
    for name, right in truth.items():
        ranks = [rank for rank, candidate in lookup.get(name, {}).items() if candidate == right]
        counts.update(ranked(min(ranks, default=None)))
    return counts


def scores(counts: Counts, context: Mapping[str, object]) -> list[Score]:
    """Return precision at 1, 2 and 5 in percent; `context` is added to their signatures."""
    return [
        Score(score.name, score.value, score.signature.extended(context))
        for score in PrecisionAtK().scores(counts).values()
    ]
