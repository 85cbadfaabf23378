"""Participants of a corpus, their ratings and answers to questionnaires.

A participant is one worker's name, whatever they played. A question with
numbers for answers has their mean and counts, one with yes or no the share of yes. Answers in words
are only counted.
"""

from __future__ import annotations

from collections import Counter

from dialoom.dialogue import Answer, Dialogue
from dialoom.quality.stats.analysis import Result, number, ratio

MOST = 200
"""Most different questions that are counted; a questionnaire has some ten."""


class People:
    """Counts participants and answers."""

    def __init__(self) -> None:
        self.workers: dict[str, set[str]] = {}
        self.questions: dict[tuple[str, str], Counter[str]] = {}
        self.sums: dict[tuple[str, str], float] = {}
        self.left_out = 0

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue's participants and answers."""
        for agent, worker in dialogue.workers.items():
            self.workers.setdefault(agent, set()).add(worker)
        for answer in dialogue.answers:
            self._add_answer(answer)

    def _add_answer(self, answer: Answer) -> None:
        key = (answer.agent, answer.question)
        if key not in self.questions and len(self.questions) >= MOST:
            self.left_out += 1
            return
        counts = self.questions.setdefault(key, Counter())
        value = answer.answer
        if isinstance(value, bool):
            counts["yes" if value else "no"] += 1
        elif (rating := number(value)) is not None:
            counts[f"{rating:g}"] += 1
            counts["numbers"] += 1
            self.sums[key] = self.sums.get(key, 0.0) + rating
        else:
            counts["none" if value is None else "words"] += 1

    def result(self) -> Result | None:
        """Return participants by role, and each question's answers."""
        if not self.workers and not self.questions:
            return None
        everybody = set[str]().union(*self.workers.values())
        return {
            "participants": len(everybody),
            "participants_by_agent": {
                agent: len(names) for agent, names in sorted(self.workers.items())
            },
            "answers": [self._question(*key) for key in self.questions],
            "answers_left_out": self.left_out,
        }

    def _question(self, agent: str, question: str) -> Result:
        counts = self.questions[agent, question]
        row: Result = {"agent": agent, "question": question}
        if numbers := counts["numbers"]:
            row["mean"] = ratio(self.sums[agent, question], numbers)
        if spoken := counts["yes"] + counts["no"]:
            row["share_of_yes"] = ratio(counts["yes"], spoken)
        row["answers"] = {name: n for name, n in counts.items() if n and name != "numbers"}
        return row
