"""The settings of a study; the defaults are STAR's (Mosig et al. 2020, 3 and appendix B).

    Settings(tasks=("restaurant_book", "hotel_book"), purpose="…", stages="star")

Times are seconds, money is in cents.
"""

from __future__ import annotations

from typing import Literal

from dialoom.dialogue.annotation import Struct


class QuizLimits(Struct, frozen=True, kw_only=True):
    """The limits of a stage's quiz (3.1 and appendix B).

    Attributes:
        most_to_pass: Hints with which it is still passed.
        fewer_to_be_paid: Hints from which on the tutorial is not paid.
        few: Hints up to which the smaller bonus is paid.
    """

    most_to_pass: int = 6
    fewer_to_be_paid: int = 9
    few: int = 3


class Pay(Struct, frozen=True, kw_only=True):
    """Payments in cents (appendix B). `single` is not given there.

    Attributes:
        tutorial: Stages I and III, within the limit of hints.
        no_hint: On top, without a hint.
        few_hints: On top, with few.
        single: A dialogue of stage II.
        multi: A dialogue of stage IV.
        long: On top in stage IV, for long instruction sets.
        long_from: Instructions from which on a set is long; the paper does not say.
        top_single: On top in stage II, for the best workers.
        top_multi: On top in stage IV, for the best workers.
        waiting: For each minute of waiting in vain.
        waited_most: Minutes of waiting in vain that are paid at most in one assignment.
        part: For each minute of a dialogue, to who leaves it before its end.
        top_share: The share of workers that are the best.
        top_least: Assignments in each role before a worker is ranked.
    """

    tutorial: int = 200
    no_hint: int = 50
    few_hints: int = 25
    single: int = 100
    multi: int = 190
    long: int = 90
    long_from: int = 5
    top_single: int = 40
    top_multi: int = 60
    waiting: int = 15
    waited_most: int = 60
    part: int = 0
    top_share: float = 0.1
    top_least: int = 10


class Times(Struct, frozen=True, kw_only=True):
    """Waiting times in seconds (in STAR's files the median answer takes 7 s, p99 79 s).

    Attributes:
        idle_warning: For an answer, before its author gets an idle warning.
        idle: For an answer, before the dialogue is ended.
        grace: For a lost connection to come back.
        wait: For a partner to come.
        entry: For someone who was let in to do the next step before they are ready to be paired.
        work: For a unit of one person in which nothing is saved.
    """

    idle_warning: float = 90.0
    idle: float = 300.0
    grace: float = 60.0
    wait: float = 600.0
    entry: float = 3600.0
    work: float = 3600.0


class SpeechSettings(Struct, frozen=True, kw_only=True):
    """Settings of spoken dialogues (`kind: spoken`).

    Attributes:
        seconds: The longest turn that a user may record.
        read: Whether users read what the wizard writes besides hearing it.
        recogniser: A command that is given the name of a sound file and prints its text: a draft
            for those who check transcripts. None where empty.
        patience: How long the recogniser may take for one sound, in seconds.
    """

    seconds: float = 60.0
    read: bool = True
    recogniser: str = ""
    patience: float = 60.0


class ConsentText(Struct, frozen=True, kw_only=True):
    """What people read before they agree, besides the purpose and what it pays.

    Attributes:
        text: In paragraphs, with empty lines between.
        contact: Whom they may ask, and tell that they want to be erased.
        version: Which version of the text it is; kept with each agreement.
    """

    text: str = ""
    contact: str = ""
    version: str = ""


class Translation(Struct, frozen=True, kw_only=True):
    """What people of another language read; where a text is empty, the study's own.

    Attributes:
        name: What the study is called.
        purpose: What workers contribute to.
        debriefing: What users are told afterwards.
        consent: The text of `consent`.
        video: Stage to the address of its tutorial.
    """

    name: str = ""
    purpose: str = ""
    debriefing: str = ""
    consent: str = ""
    video: dict[str, str] = {}


class InstructionPlan(Struct, frozen=True, kw_only=True):
    """The numbers of user turns after which instructions come (kinds/room/instructions.py).

    The defaults are the most frequent plans of sets of six in STAR's files; shorter sets take their
    beginning. With none, instructions come when the simulated user had them.

    Attributes:
        single: In dialogues of one task.
        multi: In dialogues of several tasks.
    """

    single: tuple[int, ...] = (0, 2, 3, 4, 5, 6)
    multi: tuple[int, ...] = (0, 3, 5, 6, 7, 9)


ROOM, SPOKEN, QUIZ = "room", "spoken", "quiz"
"""Kinds of stages: dialogues of two people in writing, or one of them speaking; a tutorial with its
quiz. Those of work on documents have names of their own (kinds/registry.py)."""

ROOMS = (ROOM, SPOKEN)
"""Kinds of stages in which two people talk: they share the study's scenarios."""

ACTS = (
    "greet",
    "inform",
    "request",
    "confirm",
    "offer",
    "negate",
    "affirm",
    "thank",
    "goodbye",
    "other",
)
"""Dialogue acts that annotators choose from, where a stage names no others."""


class Stage(Struct, frozen=True, kw_only=True):
    """One stage of a study: what is done in it, who may enter it, what it pays.

    Attributes:
        name: Its name, which qualifications, payments and links go by.
        kind: The kind of work, or `quiz` for a tutorial with its quiz.
        gate: What opens it to a worker: nothing, the quiz of the stage before it, or a good review
            of their first work there. The first stage of a study is open.
        groups: Which items it gives out, as `single` or `multi` scenarios; all where there is none.
        tasks: What self-dialogues are about: verticals or tasks; all verticals where empty. Of
            paraphrases, the services of the dialogues that are simulated; likewise. Of talks with
            bots, the tasks; the study's where empty.
        corpus: The folder of a corpus whose dialogues are annotated or reworded.
        of: The stage whose dialogues are annotated or reworded, or whose annotations are settled.
        labels: Labels of spans; the slots of the schemas where empty.
        acts: Acts to choose from; by the layers where empty.
        layers: What annotators mark.
        guidelines: What annotators read beside their work, in paragraphs.
        prelabels: What annotators start from: `published`, models without learning, or files that
            `dialoom train` wrote.
        agents: Bots that people talk with, as `dialoom play --agent` names them.
        outputs: The file of outputs that are rated or ranked (kinds/rating.py).
        judge: Whether outputs get a grade from 1 to 5, or a rank.
        criteria: What outputs are judged by.
        least: Utterances of a self-dialogue at least.
        workers: How many different workers do each item.
        only: Workers who may enter; all where empty.
        pay: Cents for a unit of it; by `Pay` where None.
        questionnaire: Whether questions follow the work.
    """

    name: str
    kind: str = "room"
    gate: Literal["none", "quiz", "review"] = "none"
    groups: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    corpus: str = ""
    of: str = ""
    labels: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    layers: tuple[Literal["spans", "acts", "states", "frames"], ...] = ("spans", "acts")
    guidelines: str = ""
    prelabels: tuple[str, ...] = ()
    agents: tuple[str, ...] = ("flow",)
    outputs: str = ""
    judge: Literal["rate", "rank"] = "rate"
    criteria: tuple[str, ...] = ("quality",)
    least: int = 10
    workers: int = 1
    only: tuple[str, ...] = ()
    pay: int | None = None
    questionnaire: bool = True


Preset = Literal["direct", "star"]
"""Lists of stages that have a name (study/stages.py)."""


class Settings(Struct, frozen=True, kw_only=True):
    """All settings of a study.

    Attributes:
        tasks: Tasks of the pack, or task files.
        name: What it is called.
        purpose: What workers contribute to; they read it before they consent.
        scenario: As `dialoom simulate` takes it: happy, unhappy, multi or mixed.
        seed: Makes scenarios and knowledge bases.
        target: Dialogues wanted of each scenario.
        scenarios: How many scenarios are made.
        batch: The batch new rooms belong to; another one may be given when the study goes on.
        pilot: Whether it is a pilot, likewise.
        stages: `direct` goes straight to pairing, `star` through STAR's four stages; or a list.
        guard: What the flow guard does.
        guide: When users get their instructions.
        suggestions: How many replies are shown to a wizard of one task, and of several.
        encoder: Tells how alike what they type and the replies are: tfidf, or minilm.
        rating: Whether the user rates the dialogue from 1 to 5 (Frames).
        present_wizard_as: What users are told of their partner (Taskmaster-1).
        debriefing: What users are told afterwards, where they were told of a machine.
        wizards: Workers that may play the wizard; empty for all.
        pair_cap: Dialogues of the same two workers at most.
        spare: Pairs of people that are let in beyond those there are seats for, since some give up
            on the way; whoever gets no seat is paid for the wait.
        codes: Outcome of an assignment to the completion code that the recruiter has for it; each
            assignment has a code of its own where there is none.
        redirects: Outcome of an assignment to the address that its last page leads to.
        require_id: Whether nobody is let in without a worker id.
        worker_from: The name under which the recruiter's address brings the worker's id
            (PROLIFIC_PID); no other id is taken then.
        call: Whether people who look elsewhere while they wait may have a sound and a notification
            when it begins.
        recruiter: The platform that people come from, by its adapter: prolific or mturk.
        reward: Cents that the recruiter pays for an approved submission, what else is owed being a
            bonus; what the ledger has for the work where there is none.
        currency: What money is counted in: a code of ISO 4217 that has cents.
        video: Stage to the address of its tutorial; the built-in walkthrough where there is none.
        language: The language of the pages. Where tasks are in others as well, each worker chooses
            one, gets tasks and pages in it, and talks with people who chose the same.
        translations: Language to the study's own texts in it.
        quiz: Limits of hints.
        pay: What is paid.
        times: How long is waited.
        speech: How spoken dialogues are recorded, heard and transcribed.
        consent: What else people read before they agree.
        paused: Whether nobody new is let in; who is in goes on.
        renewed: How often the tokens of the admin's page were renewed; those before are good no
            longer.
        retention: Days after a worker's last work until they are erased; never where there is none.
        approval: Per cent of approved work asked of workers; a link cannot check it.
        approved: Pieces of approved work asked of them; likewise. The paper gives no number.
        country: Where workers are from; a link cannot check it.
    """

    tasks: tuple[str, ...] = ()
    name: str = "study"
    purpose: str = ""
    scenario: str = "happy"
    seed: int = 0
    target: int = 1
    scenarios: int = 200
    batch: str = "batch-1"
    pilot: bool = False
    stages: Preset | tuple[Stage, ...] = "direct"
    guard: Literal["off", "warn", "reason"] = "warn"
    guide: InstructionPlan = InstructionPlan()
    suggestions: tuple[int, int] = (3, 6)
    encoder: str = "tfidf"
    rating: bool = True
    present_wizard_as: Literal["automated", "person"] = "person"
    debriefing: str = ""
    wizards: tuple[str, ...] = ()
    pair_cap: int = 5
    spare: int = 0
    codes: dict[str, str] = {}
    redirects: dict[str, str] = {}
    require_id: bool = False
    worker_from: str = ""
    call: bool = True
    recruiter: str = ""
    reward: int | None = None
    currency: str = "USD"
    video: dict[str, str] = {}
    language: str = "en"
    translations: dict[str, Translation] = {}
    quiz: QuizLimits = QuizLimits()
    pay: Pay = Pay()
    times: Times = Times()
    speech: SpeechSettings = SpeechSettings()
    consent: ConsentText = ConsentText()
    paused: bool = False
    renewed: int = 0
    retention: int | None = None
    approval: float = 98.0
    approved: int | None = None
    country: str | None = None
