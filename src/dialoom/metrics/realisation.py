"""Scores of texts that say given acts: BLEU, chrF, ROUGE, METEOR, slot errors, variety.

The main score is BLEU in small letters, which GEM publishes. BLEU and chrF are sacrebleu's, of the
corpus; ROUGE (rouge-score) and METEOR are means over texts. Texts are compared as they are, but for
white space, which is single spaces.

METEOR (Banerjee & Lavie 2005) is nltk's with a WordNet that has no words: it aligns equal words of
letters and digits, then words with equal Porter stems, and knows no synonyms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, ClassVar

from dialoom.dialogue import Question, Realise
from dialoom.dialogue.annotation import Struct
from dialoom.metrics.base import Counts, Guess, Score, share, signed
from dialoom.metrics.generation import (
    ORDER,
    answered,
    normal,
    sacrebleu_counts,
    sacrebleu_score,
    sacrebleu_signature,
)
from dialoom.metrics.state import categorical
from dialoom.schema.service import INTENT
from dialoom.schema.task import TaskSchema

UNIT = 1_000_000
"""Resolution of counted scores of single texts: parts of 1, so that counts are whole."""

ROUGES = ("rouge1", "rouge2", "rougeL")

TOKENS = "letters,digits"
"""The tokens of ROUGE and METEOR, for signatures; rouge-score's own are of a-z and 0-9 alone."""

CHARACTERS = 6


class CorpusBleu:
    """BLEU and chrF of a corpus, as sacrebleu computes them; BLEU in small letters, as GEM's."""

    kind: ClassVar[type[Struct]] = Realise

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count the n-grams of words and characters, found and in all, and both lengths."""
        reply, reference = answered(prediction), normal(gold)
        tallies = {
            "bleu_uncased": sacrebleu_counts(reply.lower(), reference.lower()),
            "bleu": sacrebleu_counts(reply, reference),
            "chrf": _chrf_counts(reply, reference),
        }
        return Counter({(name, n): c for name, each in tallies.items() for n, c in enumerate(each)})

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `bleu_uncased`, `bleu` and `chrf` in percent; 0 if there is nothing to score."""
        uncased, bleu = (
            sacrebleu_score([counts[(name, n)] for n in range(2 * ORDER + 2)])
            for name in ("bleu_uncased", "bleu")
        )
        small = sacrebleu_signature().replace("case-mixed", "case-lc")
        chrf = _chrf()._compute_f_score([counts[("chrf", n)] for n in range(3 * CHARACTERS)])
        return {
            **signed({"bleu_uncased": uncased}, sacrebleu=small),
            **signed({"bleu": bleu}, sacrebleu=sacrebleu_signature()),
            **signed({"chrf": chrf}, characters=CHARACTERS, words=0, beta=2),
        }


@lru_cache(maxsize=1)
def _chrf() -> Any:
    from sacrebleu.metrics.chrf import CHRF

    return CHRF()


@lru_cache(maxsize=1 << 14)
def _chrf_counts(reply: str, reference: str) -> tuple[int, ...]:
    (counts,) = _chrf()._extract_corpus_statistics([reply], [[reference]])
    return tuple(counts)


class TextOverlap:
    """ROUGE-1, ROUGE-2 and ROUGE-L (F measures of Porter stems) and METEOR, as means over texts."""

    kind: ClassVar[type[Struct]] = Realise

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count a text and its scores, in millionths."""
        reply, reference = answered(prediction), normal(gold)
        scores = _rouge().score(reference, reply)
        values = {name: scores[name].fmeasure for name in ROUGES}
        values["meteor"] = meteor(reply, reference)
        amounts = {("of", name): round(UNIT * value) for name, value in values.items()}
        return Counter({("texts", ""): 1, **amounts})

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the four means in percent; 0 where there is nothing to score."""
        texts = UNIT * counts[("texts", "")]
        rouges = {name.lower(): share(counts[("of", name)], texts) for name in ROUGES}
        value = {"meteor": share(counts[("of", "meteor")], texts)}
        about = {"like": "nltk", "matches": "exact,stem", "synonyms": "no"}
        return {
            **signed(rouges, stems="porter", measure="f", tokens=TOKENS),
            **signed(value, **about, tokens=TOKENS),
        }


_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Return the words of a text in lower case: runs of letters and digits of any script."""
    return _WORD.findall(text.lower())


def meteor(text: str, reference: str) -> float:
    """Return the METEOR of a text, from 0 to 1."""
    from nltk.translate.meteor_score import single_meteor_score

    tokens, targets = words(text), words(reference)
    return float(single_meteor_score(targets, tokens, stemmer=_Stems(), wordnet=_NoWords()))


class _NoWords:
    def synsets(self, word: str) -> tuple[()]:
        return ()


class _Stems:
    """Porter stems for nltk and rouge-score; the latter keeps short words."""

    def stem(self, word: str) -> str:
        return _stem(word)

    def tokenize(self, text: str) -> list[str]:
        return [_stem(word) if len(word) > 3 else word for word in words(text)]


@cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    return str(_stemmer().stem(word))


@lru_cache(maxsize=1)
def _rouge() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(list(ROUGES), tokenizer=_Stems())


class SlotErrors:
    """The share of texts in which a value that they should have said is missing.

    Counted are texts whose acts have a value of a slot that is not categorical (Kale & Rastogi
    2020); a value is there if the text contains it, in any case. The rate of the values
    themselves is also given, categorical ones that are no truth value included.

    Args:
        schemas: Service to its schema: which slots are categorical. Slots of services that are not
            among them are taken as not categorical.
    """

    kind: ClassVar[type[Struct]] = Realise

    def __init__(self, schemas: Mapping[str, TaskSchema] = {}) -> None:
        self._categorical = {name: categorical(task) for name, task in schemas.items()}

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count texts with free values, those that lack one, values, and those that lack."""
        reply = answered(prediction).lower()
        lacking = {True: [0, 0], False: [0, 0]}
        for each in question.asked.acts:
            slots = self._categorical.get(each.service or "", frozenset())
            for argument in each.act.arguments:
                for value in argument.values if argument.slot != INTENT else ():
                    if isinstance(value, str) and value not in ("True", "False"):
                        pair = lacking[argument.slot not in slots]
                        pair[0] += 1
                        pair[1] += normal(value).lower() not in reply
        free, other = lacking[True], lacking[False]
        return Counter(
            {
                ("texts",): int(free[0] > 0),
                ("wrong",): int(free[1] > 0),
                ("values",): free[0] + other[0],
                ("lacking",): free[1] + other[1],
            }
        )

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `slot_error_rate` and `value_error_rate` in percent."""
        texts = share(counts[("wrong",)], counts[("texts",)])
        values = share(counts[("lacking",)], counts[("values",)])
        return {
            **signed({"slot_error_rate": texts}, of="texts", slots="free"),
            **signed({"value_error_rate": values}, of="values", slots="all"),
        }


SEGMENT = 100
"""The words of a segment of the mean segmental type-token ratio."""


class TextVariety:
    """Distinct words and word pairs, the mean segmental type-token ratio (MSTTR), lengths.

    `distinct_n` is the share of different n-grams among all; MSTTR the mean share of different
    words among 100 that follow each other; `length` the mean number of words. Words are in lower
    case, without marks. These are of a corpus as a whole, so dialogues are not resampled.
    """

    kind: ClassVar[type[Struct]] = Realise
    resampled: ClassVar[bool] = False

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count the text itself, at its place, and the reference's words."""
        place = (question.dialogue.id, question.event)
        return Counter(((*place, answered(prediction), len(words(gold))),))

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the five; 0 where there is nothing to score. The lengths are in words."""
        rows = list(counts.elements())  # in the order they were counted in, the texts' own
        texts = [words(row[2]) for row in rows]
        corpus = [word for text in texts for word in text]
        pairs = [pair for text in texts for pair in pairwise(text)]
        segments = [corpus[n : n + SEGMENT] for n in range(0, len(corpus) - SEGMENT + 1, SEGMENT)]
        ratios = [len(set(segment)) / SEGMENT for segment in segments]
        target = sum(row[3] for row in rows)
        figures = {
            "distinct_1": share(len(set(corpus)), len(corpus)),
            "distinct_2": share(len(set(pairs)), len(pairs)),
            "msttr": share(sum(ratios), len(ratios)),
            "length": len(corpus) / len(rows) if rows else 0.0,
            "reference_length": target / len(rows) if rows else 0.0,
        }
        lengths = {name: figures.pop(name) for name in ("length", "reference_length")}
        shares = signed(figures, tokens="words", unit="percent")
        return shares | signed(lengths, tokens="words", unit="words")
