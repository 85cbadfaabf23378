"""The two corpora of bookings: their slots, files and rates of user behaviour."""

from __future__ import annotations

from importlib import resources

import msgspec

TASKS = ("task1API", "task2REFINE", "task3OPTIONS", "task4INFOS", "task5FULL")
"""The tasks as DSTC6's files are named."""


class BookingPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One part of a corpus: five files on knowledge base `base`, 1 or 2.

    A call has `size` slots. Without a `portion`, requests come from all of the knowledge base.
    Unless items are `answered`, their answers are in a separate file.
    """

    name: str
    base: int
    size: int
    portion: int | None = None
    answered: bool = False


class BookingRates(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rates of users and bot of a corpus: once in so many times, 0 is never.

    DSTC6's users hesitate about 1,593 of 3,215 values asked for and 1,312 of 2,721 updates but the
    first (`distr0.5` in the files' names), about half of the facts, and ask a question about 45 %
    of the options that are not the last, an earlier one again at 41 %; 3 or 4 restaurants are
    returned (tst1 and tst3). bAbI's users come to the point.

    Attributes:
        hesitate: Users waver before they give or update a value, or ask for a fact.
        question: Users ask an unanswerable question before they judge an option.
        repeat: Users ask for an earlier option, from the second one on.
        least: Least number of restaurants that fit in task 3.
        least_of_all: The same in task 5: bAbI's 1,000 training dialogues have 3 to 6.
        most: Most restaurants that a call returns, sampled if more fit; None: all.
        ending: Task 2 ends with thanks, and users of task 3 are asked for omitted values.
    """

    hesitate: int = 0
    question: int = 0
    repeat: int = 0
    least: int = 3
    least_of_all: int = 1
    most: int | None = None
    ending: bool = False


class Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A corpus of bookings.

    DSTC6 has training and four test conditions: same or other knowledge base, same or one more
    slot. tst1 has 366 of the 831 requests that three restaurants fit in 1,000 items of task 3, as
    many as draws from half of them give: the requests of the first knowledge base are halved. bAbI
    has training, development and test of one knowledge base, and of the other one (OOV).

    Attributes:
        slots: The slots of a restaurant, in the order of a call (Bordes et al. 2017, section 4;
            Boureau et al. 2017, section 4).
        attributes: The attributes of a restaurant, in the order of the published lists.
        asking: The fixed order in which the bot asks for missing slots.
        wavering: The only slots that users hesitate about.
        dealt: Number of slots that decide the portion of a request.
        silence: Text of a user who says nothing.
        portions: Number of portions of the requests.
        file: A template of the files' names: task is the number, kind the task's name in full,
            slots the additions to bAbI's, number the number of items.
        cut: True if dialogues are items: cut before a turn of the bot, with candidates for it.
    """

    slots: tuple[str, ...]
    attributes: tuple[str, ...]
    asking: tuple[str, ...]
    wavering: tuple[str, ...]
    dealt: int
    rates: BookingRates
    silence: str
    parts: tuple[BookingPart, ...]
    portions: int
    file: str
    cut: bool

    def file_name(self, part: BookingPart, task: int, number: int) -> str:
        """Return the name of the file of a task, 1 to 5, with so many items."""
        return self.file.format(
            part=part.name,
            task=task,
            kind=TASKS[task - 1],
            kb=f"kb{part.base}",
            slots="_".join(self.slots[4 : part.size]),
            set="trn" if part.answered else "tst",
            number=number,
        )


FAMILIES = msgspec.json.decode(
    resources.files("dialoom.sim.policies.booking").joinpath("families.json").read_bytes(),
    type=dict[str, Family],
)
"""Preset and format to corpus."""

SLOTS = FAMILIES["dstc6"].slots
"""The slots of every corpus."""
