"""Utterances said in other words, by a list or by a language model, their annotation kept.

    paraphrasing = Paraphrasing(PARAPHRASERS.get("scripted")(ParaphraseOptions(seed=7)))
    paraphrasing.dialogue(dialogue)         # the same events, other words; spans on the same values
    paraphrasing.counts                     # paraphrased, refused and why

paraphraser  what says a line otherwise: the interface, its options, the registry
wording      a language's prompt and phrases, from `lang/`
keeping      the values a line has to keep, and whether and where a paraphrase has them
scripted     swaps phrases by the list: no model, same seed, same words
openai       asks a language model over the wire format of OpenAI's chat completions
applying     a dialogue through a paraphraser

A paraphrase that does not keep its values, or says others, is refused: the utterance stays as it
was, and is counted.
"""

from dialoom.sim.paraphrase.applying import Paraphrasing
from dialoom.sim.paraphrase.paraphraser import (
    PARAPHRASERS,
    ParaphraseOptions,
    Paraphraser,
    ParaphraserError,
    SourceLine,
)

__all__ = [
    "PARAPHRASERS",
    "ParaphraseOptions",
    "Paraphraser",
    "ParaphraserError",
    "Paraphrasing",
    "SourceLine",
]
