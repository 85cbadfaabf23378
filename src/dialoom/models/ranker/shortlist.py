"""The candidates of a long list that are possible in a state.

bAbI has one list of 4,212 candidates for all questions. A candidate with an item, value or fact
that has not come up in the dialogue is never the answer, so that only the others are scored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from itertools import chain

from dialoom.dialogue import Candidate, Choice, Question
from dialoom.learn.model import RANKED
from dialoom.models.ranker.lines import Line, LineReader, is_open
from dialoom.models.ranker.state import HistoryState

Read = tuple[Candidate, Line]


class Shortlist:
    """A list of candidates with their lines, indexed by entity if longer than `RANKED`."""

    def __init__(self, candidates: Sequence[Candidate], reader: LineReader) -> None:
        self.read: list[Read] = [(each, reader.line(each.text or "")) for each in candidates]
        self.long = len(candidates) > RANKED
        self._by_id: dict[str, Line] | None = None
        self._plain: list[Read] = []
        self._by_word: defaultdict[str, list[tuple[frozenset[str], Read]]] = defaultdict(list)
        for each in self.read if self.long else ():
            words = [w for slot, w in each[1].entities if slot and not is_open(slot, w)]
            if words:
                self._by_word[words[0]].append((frozenset(words), each))
            else:
                self._plain.append(each)

    @cached_property
    def called(self) -> frozenset[str] | None:
        """The slots of the first call among the candidates, or None."""
        call = next((line for _, line in self.read if line.is_call), None)
        return None if call is None else frozenset(slot for slot, _ in call.entities if slot)

    def line(self, id: str) -> Line:
        """Return the line of a candidate; an empty one if there is none of that id."""
        if self._by_id is None:
            self._by_id = {candidate.id: line for candidate, line in self.read}
        return self._by_id.get(id, Line(""))

    def plain(self) -> list[Read]:
        """Return the candidates that are no calls and have no entities."""
        return [each for each in self.read if each[1].is_plain]

    def possible(self, state: HistoryState) -> list[Read]:
        """Return the candidates whose entities have all come up; of a short list, all."""
        if not self.long:
            return self.read
        known = state.known()
        found = chain.from_iterable(self._by_word.get(word, ()) for word in sorted(known))
        return [*self._plain, *(each for words, each in found if words <= known)]


class CandidateLists:
    """Makes the shortlists of questions; a list that consecutive questions share is read once."""

    def __init__(self, reader: LineReader) -> None:
        self._reader = reader
        self._last: tuple[Sequence[Candidate], Shortlist] | None = None

    def of(self, question: Question[Choice]) -> Shortlist:
        """Return the candidates of a question."""
        candidates = question.asked.candidates
        if self._last is None or self._last[0] is not candidates:
            self._last = candidates, Shortlist(candidates, self._reader)
        return self._last[1]
