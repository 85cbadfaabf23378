"""The settings of a study; the defaults are STAR's (Mosig et al. 2020, section 3 and appendix B).

Times are in seconds, money is in cents of the study's currency.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from dialoom.collect.own_questions import OwnQuestion, worded
from dialoom.collect.stage_rules import Acceptance, GoldItems, QuizLimits, QuizQuestion, QuizText
from dialoom.dialogue.annotation import Struct

Count = Annotated[int, Meta(ge=1)]
Amount = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0, le=1e9)]


class Pay(Struct, frozen=True, kw_only=True):
    """Payments in cents (STAR, appendix B, which does not give `single`).

    Attributes:
        tutorial: For the tutorial of stage I or III, with fewer hints than `quiz.fewer_to_be_paid`.
        no_hint: Bonus for a quiz passed without a hint.
        few_hints: Bonus for a quiz passed with at most `quiz.few` hints.
        single: For a dialogue of stage II.
        multi: For a dialogue of stage IV.
        long: Bonus in stage IV for a long set of instructions.
        long_from: The fewest instructions of a long set; the paper does not give the number.
        top_single: Bonus for a dialogue of stage II, for the best workers.
        top_multi: Bonus for a dialogue of stage IV, for the best workers.
        waiting: For each minute of waiting without getting a partner, while connected.
        waited_most: The most minutes of such waiting that are paid in one assignment.
        part: For each minute in a dialogue, for a worker who leaves before its end; in all at most
            the pay for the whole.
        top_share: The share of the ranked workers that count as the best, 0 to 1.
        top_least: Assignments that a worker needs in each role to be ranked.
    """

    tutorial: Amount = 200
    no_hint: Amount = 50
    few_hints: Amount = 25
    single: Amount = 100
    multi: Amount = 190
    long: Amount = 90
    long_from: Amount = 5
    top_single: Amount = 40
    top_multi: Amount = 60
    waiting: Amount = 15
    waited_most: Amount = 60
    part: Amount = 0
    top_share: Annotated[float, Meta(ge=0, le=1)] = 0.1
    top_least: Amount = 10


class Times(Struct, frozen=True, kw_only=True):
    """Time limits in seconds (in STAR's files the median answer takes 7 s, the 99th percentile 79).

    Attributes:
        idle_warning: Time without an answer until the person whose turn it is gets a warning.
        idle: Time without an answer until the dialogue is ended.
        grace: Time that a person has to connect again after their connection is lost.
        wait: Time that a person waits for a partner until their assignment ends.
        entry: Time that a person has for each step (consent, quiz) before they are ready to start.
        work: Time in which nothing is saved until the work of a person alone is ended.
    """

    idle_warning: Seconds = 90.0
    idle: Seconds = 300.0
    grace: Seconds = 60.0
    wait: Seconds = 600.0
    entry: Seconds = 3600.0
    work: Seconds = 3600.0


class SpeechSettings(Struct, frozen=True, kw_only=True):
    """Settings of spoken dialogues (stages of `kind: spoken`).

    Attributes:
        seconds: The longest turn that a user may record, in seconds.
        read: Whether users see the wizard's text in addition to hearing it.
        recogniser: A command for speech recognition: it gets the name of a sound file and prints
            its text, which transcribers then correct. Empty: no recognition.
        patience: The longest time that the command may take for one sound, in seconds.
    """

    seconds: Seconds = 60.0
    read: bool = True
    recogniser: str = ""
    patience: Seconds = 60.0


class ConsentText(Struct, frozen=True, kw_only=True):
    """The consent text, which workers read together with the study's purpose and pay.

    Attributes:
        text: The text; empty lines separate paragraphs.
        contact: Whom workers ask questions, and ask to have their data erased.
        version: The version of the text, recorded with each worker's consent.
    """

    text: str = ""
    contact: str = ""
    version: str = ""


class Translation(Struct, frozen=True, kw_only=True):
    """The study's own texts in another language; an empty one is shown untranslated.

    Attributes:
        name: The name of the study.
        purpose: The aim of the study, for workers.
        debriefing: The text for users after a dialogue.
        consent: The text of `consent`.
        video: Stage to the web address of its tutorial.
        quizzes: Stage to its quiz in this language.
        asks: Stage to its own questions in this language, with the same ids; answers are kept in
            the words of the stage.
    """

    name: str = ""
    purpose: str = ""
    debriefing: str = ""
    consent: str = ""
    video: dict[str, str] = {}
    quizzes: dict[str, QuizText] = {}
    asks: dict[str, tuple[OwnQuestion, ...]] = {}


class InstructionPlan(Struct, frozen=True, kw_only=True):
    """The numbers of user turns after which instructions are shown (kinds/room/instructions.py).

    The defaults are the most frequent plans for sets of six instructions in STAR's files; a shorter
    set takes the first numbers. With an empty list, an instruction comes after as many turns as in
    the simulated dialogue that the scenario is made from.

    Attributes:
        single: For dialogues of one task.
        multi: For dialogues of several tasks.
    """

    single: tuple[int, ...] = (0, 2, 3, 4, 5, 6)
    multi: tuple[int, ...] = (0, 3, 5, 6, 7, 9)


ROOM, SPOKEN, QUIZ = "room", "spoken", "quiz"
"""Kinds of stages: written dialogues of two people, dialogues in which the user speaks, a tutorial
with its quiz. The other kinds, one person working on a document, are in kinds/registry.py."""

ROOMS = (ROOM, SPOKEN)
"""Kinds of stages in which two people talk; these stages share the study's scenarios."""

NO_GOALS = "none"
"""The value of `goals` where people have none."""

ACTS = (
    *("greet", "inform", "request", "confirm", "offer"),
    *("negate", "affirm", "thank", "goodbye", "other"),
)
"""Dialogue acts that annotators choose from, unless the stage lists others."""


class Stage(Struct, frozen=True, kw_only=True):
    """One stage of a study: its kind of work, who may enter it, and its pay.

    Attributes:
        name: The name of the stage in qualifications, payments and links.
        kind: The kind of work, or `quiz` for a tutorial with its quiz.
        gate: The condition to enter: nothing (`none`), the quiz of the stage before
            passed (`quiz`), or their first work there accepted by the admin (`review`). The first
            stage of a study is open to everybody.
        groups: The groups of items that the stage gives out, `single` or `multi` scenarios; all
            where empty.
        tasks: In self-dialogues, the verticals or tasks that they are about; all verticals where
            empty. In paraphrases, the services of the simulated dialogues; all where empty. In
            talks with bots, the tasks; the study's where empty.
        corpus: The folder of the corpus whose dialogues are annotated or paraphrased.
        of: The earlier stage whose dialogues are annotated, paraphrased or transcribed, or whose
            annotations are adjudicated.
        labels: The labels of spans; the slots of the schemas where empty.
        acts: The dialogue acts to choose from; where empty, they follow from the layers.
        layers: The layers that annotators mark.
        relations: The names of relations between spans, for the layer `relations`.
        guidelines: The annotation guidelines on the page, or the text before a quiz; empty lines
            separate paragraphs, and a line `![words](https://…)` shows a picture.
        questions: The questions of a quiz; where empty, those of STAR's quiz of that name
            (`single_tutorial`, `multi_tutorial`).
        limits: Limits on the hints of its quiz; by default those of `quiz` in the study's settings.
        prelabels: The sources of pre-annotations: `published` for the corpus's own, the names of
            untrained models, or files that `dialoom train` wrote.
        agents: The bots that people talk with, by their names in `dialoom play --agent`.
        goals: The file of goals that people have in talks with bots; drawn goals where empty. With
            `none`, people say what they like, and nothing is judged.
        outputs: The file of system outputs that are judged.
        judge: Whether judges rate each output from 1 to 5 (`rate`) or rank the outputs (`rank`).
        criteria: The criteria that outputs are judged by.
        scale: The names of the grades, the worst first; 1 to 5 where empty.
        least: The fewest utterances of a self-dialogue.
        workers: The number of different workers for each item.
        items: The number of items that a worker gets in one assignment, one after the other, with
            one code at its end; 1 in dialogues of two people.
        cap: The most items of one worker, gold items included; by default any number.
        accept: The rules by which work is accepted unseen; without any, the admin reviews the first
            two assignments of each worker.
        gold: Items with known answers; by default none (docs/how-to/study-quality.md).
        only: The ids of the workers who may enter; everybody where empty.
        pay: Cents for a unit of work, or for a quiz; by default the amount of `pay` in the study's
            settings.
        minutes: The expected minutes of a unit of work; workers read it before they consent.
        questionnaire: Whether a questionnaire follows the work.
        asks: Questions of your own about a dialogue of two people, a talk with a bot or a dialogue
            to annotate, or about each of its turns.
    """

    name: str
    kind: str = "room"
    gate: Literal["none", "quiz", "review"] = "none"
    groups: tuple[Literal["single", "multi"], ...] = ()
    tasks: tuple[str, ...] = ()
    corpus: str = ""
    of: str = ""
    labels: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    layers: tuple[Literal["spans", "acts", "states", "frames", "relations"], ...] = (
        "spans",
        "acts",
    )
    relations: tuple[str, ...] = ("refers_to",)
    guidelines: str = ""
    questions: tuple[QuizQuestion, ...] = ()
    limits: QuizLimits | None = None
    prelabels: tuple[str, ...] = ()
    agents: tuple[str, ...] = ("flow",)
    goals: str = ""
    outputs: str = ""
    judge: Literal["rate", "rank"] = "rate"
    criteria: tuple[str, ...] = ("quality",)
    scale: tuple[str, ...] = ()
    least: Count = 10
    workers: Count = 1
    items: Count = 1
    cap: Count | None = None
    gold: GoldItems | None = None
    accept: Acceptance | None = None
    only: tuple[str, ...] = ()
    pay: Amount | None = None
    minutes: Count | None = None
    questionnaire: bool = True
    asks: tuple[OwnQuestion, ...] = ()


ScenarioMode = Literal["happy", "unhappy", "multi", "mixed"]
"""The kinds of a study's scenarios (`SCENARIOS` of sim/presets/star.py)."""

Preset = Literal["direct", "star"]
"""The names of predefined lists of stages (study/stages.py)."""


class Settings(Struct, frozen=True, kw_only=True):
    """All settings of a study.

    Attributes:
        tasks: Names of the built-in tasks, or task files.
        story: A story file, or the name of a built-in story, which names the tasks; users get its
            topics and instructions (docs/how-to/stories.md).
        name: The name of the study.
        purpose: The aim of the study; workers read it before they consent.
        scenario: The kind of scenarios, as in `dialoom simulate`: happy, unhappy, multi or mixed.
        seed: The seed that scenarios and knowledge bases are made from.
        target: The number of dialogues wanted for each scenario.
        scenarios: The number of scenarios.
        batch: The name of the batch that new units of work belong to; a restart may name another.
        pilot: Whether this batch is a pilot; a restart may change it.
        stages: `direct` for dialogues without a tutorial, `star` for STAR's four stages; or a list.
        guard: The response to a wizard's reply that does not follow the flow chart: none (`off`),
            they have to confirm it (`warn`), or they have to give a reason (`reason`).
        guide: The user turns after which users get their instructions.
        suggestions: The number of suggested replies in a dialogue of one task, and in one
            of several.
        encoder: Measures the similarity of the wizard's text and the replies: tfidf or minilm.
        rating: Whether the user rates the dialogue from 1 to 5 (as in Frames).
        present_wizard_as: The wizard as the pages present it to users: a person, or automated
            (as in Taskmaster-1).
        debriefing: The text for users after the dialogue; needed where `present_wizard_as` is
            `automated`.
        wizards: The ids of the workers who may play the wizard; everybody where empty.
        pair_cap: The most dialogues of the same two workers.
        spare: The number of pairs of people let in beyond the free seats, since some people give up
            before they start; those who get no seat are paid for waiting.
        codes: Outcome of an assignment to the completion code that the recruiter has for it; for
            an outcome without one, each assignment gets its own code.
        redirects: Outcome of an assignment to the web address that its last page links to.
        require_id: Whether people without a worker id are turned away.
        worker_from: The parameter of the recruiter's link that holds the worker's id (for example
            PROLIFIC_PID); an id that comes otherwise is then not accepted.
        per_address: The most people at one network address who are in the study at the same time
            by links that anybody may use; invites and worker links are not counted.
        attention: Whether pages record pasted text and the times when the page is left, for
            `dialoom collect signals`; the consent says so.
        call: Whether people who wait in another browser tab can turn on a sound and a notification
            for when they are paired.
        recruiter: The recruiting platform: prolific or mturk; none where empty.
        reward: Cents that the platform pays for an approved submission; what is owed beyond that is
            paid as a bonus. By default the ledger alone is paid.
        budget: Cents that may be booked; from then on nobody new is let in, and people who have
            begun are still paid. By default there is no limit.
        currency: The currency of all payments: an ISO 4217 code of a currency with cents.
        video: Stage to the web address of its tutorial; the built-in tutorial for other stages.
        language: The language of the pages. If there are tasks in other languages too, each worker
            chooses one, gets tasks and pages in it, and is paired with people who chose the same.
        translations: Language to the study's own texts in it.
        quiz: Limits on hints in quizzes.
        pay: Payments in cents.
        times: Time limits in seconds.
        speech: Recording, playing and transcribing of spoken dialogues.
        consent: The consent text.
        paused: Whether new people are turned away; those who have begun can finish.
        renewed: The number of renewals of the admin's tokens; older tokens are invalid.
        retention: Days after a worker's last work until their data are erased; by default never.
        approval: The approval rate that recruiting asks for, in per cent; a link cannot check it.
        approved: The number of approved assignments that recruiting asks for; a link cannot check
            it, and the paper gives none.
        country: The country that workers are to be from; a link cannot check it.
        open: Whether `/` leads anybody into the study. Its pages then show no pay and no codes, and
            its talks with bots are kept without ratings, and served by a JSON API.
    """

    tasks: tuple[str, ...] = ()
    story: str = ""
    name: str = "study"
    purpose: str = ""
    scenario: ScenarioMode = "happy"
    seed: Amount = 0
    target: Count = 1
    scenarios: Count = 200
    batch: str = "batch-1"
    pilot: bool = False
    stages: Preset | tuple[Stage, ...] = "direct"
    guard: Literal["off", "warn", "reason"] = "warn"
    guide: InstructionPlan = InstructionPlan()
    suggestions: tuple[Count, Count] = (3, 6)
    encoder: str = "tfidf"
    rating: bool = True
    present_wizard_as: Literal["automated", "person"] = "person"
    debriefing: str = ""
    wizards: tuple[str, ...] = ()
    pair_cap: Count = 5
    spare: Amount = 0
    codes: dict[str, str] = {}
    redirects: dict[str, str] = {}
    require_id: bool = False
    worker_from: str = ""
    per_address: Count = 40
    attention: bool = False
    call: bool = True
    recruiter: str = ""
    reward: Amount | None = None
    budget: Count | None = None
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
    renewed: Amount = 0
    retention: Amount | None = None
    approval: Annotated[float, Meta(ge=0, le=100)] = 98.0
    approved: Amount | None = None
    country: str | None = None
    open: bool = False

    @property
    def stage_list(self) -> tuple[Stage, ...]:
        """The stages that are listed; none where `stages` is the name of a list."""
        return () if isinstance(self.stages, str) else self.stages

    def asks(self, stage: Stage, language: str) -> tuple[OwnQuestion, ...]:
        """Return a stage's own questions, worded in a language if the study translates them."""
        words = self.translations.get(language, Translation()).asks.get(stage.name, ())
        return worded(stage.asks, words)
