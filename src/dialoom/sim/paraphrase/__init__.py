"""Utterances said in other words, by a list or by a language model, their annotation kept.

    paraphrasing = Paraphrasing(PARAPHRASERS.get("scripted")(ParaphraseOptions(seed=7)))
    paraphrasing.dialogue(dialogue)         # the same events, other words; spans on the same values
    paraphrasing.counts                     # paraphrased, refused and why

paraphraser  the interface, its options and its registry; one that swaps phrases of `lang/`
keeping      the values that a paraphrase has to keep, and their places in it
language_model  a model behind OpenAI's chat completions, or of a local folder
applying     applies a paraphraser to dialogues

A paraphrase that does not keep its values, or has others, is refused: the utterance stays as it
was, and the refusal is counted.
"""

from dialoom.sim.paraphrase.applying import Paraphrasing
from dialoom.sim.paraphrase.paraphraser import (
    PARAPHRASERS,
    ParaphraseOptions,
    Paraphraser,
    SourceLine,
)

__all__ = ["PARAPHRASERS", "ParaphraseOptions", "Paraphraser", "Paraphrasing", "SourceLine"]
