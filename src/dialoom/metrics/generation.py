"""Exact match, BLEU and entity F1 of replies, as the STAR paper reports them; perplexity.

The only published scorer of STAR's replies compares texts whose white space is single spaces, and
nothing else of them changed: case and punctuation count. So does everything here. Scores whose name
ends in `as_coded` repeat what that scorer computes under the name.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from dialoom.dialogue import NextReply, Prediction, Question
from dialoom.dialogue.annotation import TOKEN, Struct
from dialoom.metrics.base import Counts, Guess, Score, share, signed

GENERIC = frozenset(
    {
        "hello, how can i help?",
        "thank you and goodbye.",
        "is there anything else that i can do for you?",
    }
)
"""References, in lower case, that the published scorer leaves out of the exact match."""

ORDER = 4


def normal(text: str) -> str:
    """Return a text with single spaces for white space."""
    return " ".join(text.split())


def answered(prediction: Prediction[str] | None) -> str:
    """Return the text of an answer as `normal` does; empty where there is none."""
    return normal(prediction.answer) if prediction else ""


class ExactMatch:
    """The share of replies that are the reference: without the generic ones, and of all.

    The first is the in-domain exact match (IEM) of the STAR paper (Mosig et al. 2020).
    """

    kind: ClassVar[type[Struct]] = NextReply

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count whether the reference is generic and whether the reply is the reference."""
        reference = normal(gold)
        return Counter(((reference.lower() in GENERIC, answered(prediction) == reference),))

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `iem` and `iem_all` in percent; 0 where there is nothing to score."""
        figures: dict[str, Score] = {}
        for name, flags, left_out in (("iem", (False,), "generic/3"), ("iem_all", (0, 1), "none")):
            questions = sum(n for (generic, _), n in counts.items() if generic in flags)
            hits = sum(n for (generic, hit), n in counts.items() if hit and generic in flags)
            about = {"left-out": left_out, "case": "kept"}
            figures |= signed({name: share(hits, questions)}, "exact-match", **about)
        return figures


class Bleu:
    """BLEU of a corpus of replies: sacrebleu's, and what the published scorer calls BLEU.

    The latter is the precision of 4-grams of white-space tokens alone, times the brevity penalty,
    without smoothing (nltk's `corpus_bleu` with all weight on 4-grams). As there, a reply of fewer
    than four tokens counts as one 4-gram that is not in the reference, and a corpus without a
    single token in common scores 0.
    """

    kind: ClassVar[type[Struct]] = NextReply

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count one reply: n-grams found and n-grams in all, by order, and both lengths."""
        reply, reference = answered(prediction), normal(gold)
        return Counter(((*_overlap(reply, reference), *sacrebleu_counts(reply, reference)),))

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `bleu` and `bleu_as_coded` in percent; 0 where there is nothing to score."""
        rows = [[n * value for value in outcome] for outcome, n in counts.items()]
        sums = [sum(column) for column in zip(*rows, strict=True)] or [0] * (5 + 2 * ORDER + 2)
        (common, matches, total, reply, reference), rest = sums[:5], sums[5:]
        brevity = math.exp(min(0.0, 1 - reference / reply)) if reply else 0.0
        coded = share(matches, total) * brevity if common else 0.0
        plain = {"ngrams": 4, "tokens": "white-space", "smooth": "none"}
        return {
            **signed({"bleu": sacrebleu_score(rest)}, sacrebleu=sacrebleu_signature()),
            **signed({"bleu_as_coded": coded}, "bleu", **plain),
        }


@lru_cache(maxsize=1 << 14)
def _overlap(reply: str, reference: str) -> tuple[int, int, int, int, int]:
    """Return common tokens, 4-grams found, 4-grams in all, and both lengths in tokens."""
    tokens, target = reply.split(), reference.split()
    grams, expected = (
        Counter(zip(*(t[n:] for n in range(ORDER)), strict=False)) for t in (tokens, target)
    )
    common = (Counter(tokens) & Counter(target)).total()
    return common, (grams & expected).total(), max(1, grams.total()), len(tokens), len(target)


@lru_cache(maxsize=1 << 14)
def sacrebleu_counts(text: str, reference: str) -> tuple[int, ...]:
    """Return the n-grams found and the n-grams in all, by order, and both lengths in tokens."""
    score = _scorer().corpus_score([text], [[reference]])
    return (*score.counts, *score.totals, score.sys_len, score.ref_len)


def sacrebleu_score(counts: Sequence[int]) -> float:
    """Return the BLEU in percent of the sums of what `sacrebleu_counts` returned."""
    matches, total, lengths = counts[:ORDER], counts[ORDER:-2], counts[-2:]
    return float(_scorer().compute_bleu(matches, total, *lengths, "exp").score)


@lru_cache(maxsize=1)
def _scorer() -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU()


@lru_cache(maxsize=1)
def sacrebleu_signature() -> str:
    """Return sacrebleu's own signature, in our spelling (cached: each resample has it)."""
    scorer = _scorer()
    scorer.corpus_score(["a"], [["a"]])  # it has the number of references only then
    return str(scorer.get_signature()).replace("|", "/").replace(":", "-")


class EntityF1:
    """Weighted F1 of the entities that replies name: an entity is named where it is a substring.

    For entity e named in S references, P replies and TP of both, F1 = 2 TP / (S + P); `entity_f1`
    weighs the entities by S, `entity_f1_as_coded` by P: the published scorer gives its library the
    replies in the place of the references.
    """

    kind: ClassVar[type[Struct]] = NextReply

    def __init__(self, entities: Iterable[str], about: str) -> None:
        self._entities = tuple(sorted(set(map(normal, entities)) - {""}))
        self._about = f"{about}/{len(self._entities)}"
        self._known: dict[str, frozenset[str]] = {}

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count each entity that the reference (1), the reply (2) or both (3) name."""
        targets, mentions = self._named(normal(gold)), self._named(answered(prediction))
        return Counter((e, (e in targets) + 2 * (e in mentions)) for e in targets | mentions)

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `entity_f1` and `entity_f1_as_coded`; 0 where there is nothing to score."""
        by_entity: dict[str, Counter[int]] = {}
        for (entity, where), n in counts.items():
            by_entity.setdefault(entity, Counter())[where] += n
        f1 = {e: 2 * n[3] / (n[1] + n[2] + 2 * n[3]) for e, n in by_entity.items()}
        figures: dict[str, Score] = {}
        for name, side, by in (
            ("entity_f1", 1, "references"),
            ("entity_f1_as_coded", 2, "replies"),
        ):
            weights = {e: n[side] + n[3] for e, n in by_entity.items()}
            value = share(sum(f1[e] * w for e, w in weights.items()), sum(weights.values()))
            about = {"avg": f"weighted-by-{by}", "entities": self._about}
            figures |= signed({name: value}, "entity-f1", **about)
        return figures

    def _named(self, text: str) -> frozenset[str]:
        if text not in self._known:
            self._known[text] = frozenset(e for e in self._entities if e in text)
        return self._known[text]


UNIT = 1_000
"""Resolution of counted logarithms: parts of a nat, so that counts are whole numbers."""


class Perplexity:
    """Perplexity by word, for models with probabilities; no score for others.

    It is exp(-sum log p / N), with p the probability that the model gives each reference after its
    dialogue, and N the words and marks of the references, the end of each counted as one. Words are
    counted alike whatever pieces a model writes in; texts are scored as they are.
    """

    kind: ClassVar[type[Struct]] = NextReply

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count the words of the reference and their negative log-likelihood."""
        if prediction is None or prediction.log_likelihood is None:
            return Counter()
        lost = round(-UNIT * prediction.log_likelihood)
        return Counter({("words",): len(TOKEN.findall(gold)) + 1, ("lost",): lost})

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `perplexity`, a number of words; nothing where no probability is known."""
        if not counts[("words",)]:
            return {}
        value = math.exp(counts[("lost",)] / UNIT / counts[("words",)])
        return signed({"perplexity": value}, by="word", case="kept", unit="words")
