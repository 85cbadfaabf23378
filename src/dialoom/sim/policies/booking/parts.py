"""The files of the two corpora: which knowledge base, which slots, whose requests."""

from __future__ import annotations

from dataclasses import dataclass

from dialoom.sim.policies.booking.course import BABI_HABITS, DSTC6_HABITS, BehaviourRates
from dialoom.sim.policies.booking.knowledge import BABI, DSTC6, Design

TASKS = ("task1API", "task2REFINE", "task3OPTIONS", "task4INFOS", "task5FULL")
"""The tasks as DSTC6's files are named."""

DISTRACTED = "distr0.5"
"""The part of DSTC6's file names that tells how often users waver."""


@dataclass(frozen=True)
class Part:
    """One part of a corpus: five files.

    Attributes:
        name: What it is called.
        base: Which knowledge base: 1 or 2.
        size: How many slots a call has.
        portion: Whose requests; None for all of the knowledge base.
        answered: Whether items have their answers; those of others stand beside the file.
    """

    name: str
    base: int
    size: int
    portion: int | None
    answered: bool = False


@dataclass(frozen=True)
class Family:
    """A corpus of bookings.

    Attributes:
        name: The preset and format.
        design: Its knowledge bases.
        habits: How its users are.
        silence: What a user says who says nothing.
        parts: Its parts.
        portions: Among how many of them requests are dealt out.
        file: A template of the files' names: task is the number, kind the task's name in full,
            slots what calls have besides bAbI's, number how many items.
        cut: Whether dialogues are items: cut before a turn of the bot, with candidates for it.
    """

    name: str
    design: Design
    habits: BehaviourRates
    silence: str
    parts: tuple[Part, ...]
    portions: int
    file: str
    cut: bool

    def file_name(self, part: Part, task: int, number: int) -> str:
        """Return the name of the file of a task, 1 to 5, with so many items."""
        return self.file.format(
            part=part.name,
            task=task,
            kind=TASKS[task - 1],
            kb=f"kb{part.base}",
            slots="_".join(self.design.slots[4 : part.size]),
            set="trn" if part.answered else "tst",
            number=number,
        )


DSTC6_FAMILY = Family(
    name="dstc6",
    design=DSTC6,
    habits=DSTC6_HABITS,
    silence="<silence>",
    parts=(
        Part("train", 1, 5, 0, answered=True),
        Part("tst1", 1, 5, 1),
        Part("tst2", 2, 5, None),
        Part("tst3", 1, 6, 1),
        Part("tst4", 2, 6, None),
    ),
    portions=2,
    file="{part}/dialog-{kind}-{kb}_{slots}-" + DISTRACTED + "-{set}{number}.json",
    cut=True,
)
"""Training and the four test conditions: same or other knowledge base, same or one more slot.

tst1 has 366 of the 831 requests that three restaurants fit in 1,000 items of task 3, as many as
draws from half of them give: the requests of the first knowledge base are halved.
"""

BABI_FAMILY = Family(
    name="babi",
    design=BABI,
    habits=BABI_HABITS,
    silence="<SILENCE>",
    parts=(
        Part("trn", 1, 4, 0),
        Part("dev", 1, 4, 1),
        Part("tst", 1, 4, 2),
        Part("tst-OOV", 2, 4, None),
    ),
    portions=3,
    file="dialog-babi-task{task}{part}.txt",
    cut=False,
)
"""Training, development and test of the same knowledge base; OOV: of the other one."""
