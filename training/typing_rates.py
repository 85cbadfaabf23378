"""Rates of how people type: marks, case, apostrophes, spaces, slips, greetings, lengths.

`rates(texts)` counts them in the turns of one side; `training/manners.py rates` prints them as
JSON, which is what `lang/` keeps of a corpus. A rate is a share of turns unless its name says more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE = re.compile(r"[.!?]+(?:\s|$)")

_LEAST_KNOWN = 60
"""Occurrences from which a word is known; rare neighbours of it may be slips of it."""

_SHORTEST = 5
"""Letters from which a word's rare neighbour is taken for a slip, not for another word."""

UNMISTAKABLE = {
    word.replace("'", ""): word
    for word in ("don't", "can't", "i'm", "i've", "that's", "what's", "you're", "didn't",
                 "doesn't", "isn't", "wouldn't", "couldn't", "there's", "haven't")
}  # fmt: skip
"""Contractions that are no other word without their apostrophe, by the spelling without it."""

PATTERNS = {
    "ends with a full stop": r"[^.]\.$",
    "ends with !": r"!$",
    "ends with ?": r"\?$",
    "ends without a mark": r"[\w'’\")]$",
    "ends with ...": r"(?:\.\.+|…)$",
    "starts in lower case": r"^[a-z]",
    "lower case throughout": r"^[^A-Z]*[a-z][^A-Z]*$",
    "capitals throughout": r"^(?=(?:.*[A-Z]){4})[^a-z]+$",
    "several ! or ?": r"[!?]{2,}",
    "a smiley": r"[:;]-?[)(DPp](?:\s|$)",
    "two spaces": r"\S  +\S",
    "space before a mark": r"\w [.,!?](?:\s|$)",
    "no space after a mark": r"[a-z][,.!?][A-Za-z]{2}",
    "one word": r"^\W*\w+(?:['’]\w+)?\W*$",
    "a greeting": r"(?i)^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings)\b",
    "only a greeting": r"(?i)^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening|day))"
    r"(?: there| again)?\W*$",
    "thanks": r"(?i)\b(?:thanks?|thx|ty)\b",
    "please": r"(?i)\b(?:please|pls|plz)\b",
    "sorry": r"(?i)\b(?:sorry|apologi)",
    "a filler": r"(?i)\b(?:um+|uh+|hm+|er+m?|well|oh|ah|actually|lol|haha)\b",
    "short forms of chat": r"\b(?:u|ur|thx|pls|plz|ok|idk|btw|asap|gonna|wanna|gotta)\b",
}
_COMPILED = {name: re.compile(pattern) for name, pattern in PATTERNS.items()}


def rates(texts: Sequence[str]) -> dict[str, float | int]:
    """Return the rates of some turns, rounded to four digits."""
    if not texts:
        return {"turns": 0}
    found: dict[str, float | int] = {"turns": len(texts)}
    lengths = sorted(len(_WORD.findall(text)) for text in texts)
    found["words a turn"] = round(sum(lengths) / len(lengths), 2)
    for name, at in (("tenth", 0.1), ("half", 0.5), ("nine tenths", 0.9)):
        found[f"words of the shorter {name}"] = lengths[int(at * (len(lengths) - 1))]
    sentences = sum(max(len(_SENTENCE.findall(text)), 1) for text in texts)
    found["sentences a turn"] = round(sentences / len(texts), 2)
    for name, pattern in _COMPILED.items():
        found[name] = round(sum(1 for text in texts if pattern.search(text)) / len(texts), 4)
    return {**found, **_of_words([word for text in texts for word in _WORD.findall(text)])}


def _of_words(words: Sequence[str]) -> dict[str, float]:
    """Return rates of words: small i, apostrophes left out, and slips."""
    counted = Counter(word.lower().replace("’", "'") for word in words)
    written = Counter(words)
    without = sum(counted[word] for word in UNMISTAKABLE)
    contracted = without + sum(counted[word] for word in UNMISTAKABLE.values())
    slips = sum(n for word, n in counted.items() if _is_slip(word, n, counted))
    total = max(len(words), 1)
    return {
        "i, of every I": round(written["i"] / max(written["i"] + written["I"], 1), 4),
        "no apostrophe, of every contraction": round(without / max(contracted, 1), 4),
        "slips of the fingers, of every word": round(slips / total, 5),
        "different words, of every word": round(len(counted) / total, 4),
    }


def _is_slip(word: str, times: int, counted: Counter[str]) -> bool:
    """Return whether a rare word is a frequent one with a letter lost, doubled or swapped."""
    if times > 2 or len(word) < _SHORTEST:
        return False
    return any(counted[other] >= _LEAST_KNOWN for other in _neighbours(word))


def _neighbours(word: str) -> set[str]:
    """Return the words that one slip may have made this one of; endings are left alone."""
    inner = range(len(word) - 1)
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in inner}
    shorter = {word[:at] + word[at + 1 :] for at in inner}
    longer = {
        word[:at] + letter + word[at:] for at in inner for letter in "abcdefghijklmnopqrstuvwxyz"
    }
    return (swapped | shorter | longer) - {word}
