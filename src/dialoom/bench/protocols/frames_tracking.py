"""Frame tracking (Schulz et al. 2017): the frame of each slot value and act of a user's turn.

The turn's acts, slots and values are given, and all turns before it with acts, frames and active
frame. Candidates are the frames from before the turn, and a new one; in the form `as-published`
those after the turn, a leak. There is a fold for each user, but the two with the fewest dialogues
share one, as the corpus's page asks. With a training corpus there are no folds.

The file of predictions for the published evaluation script is Frames JSON with a key `predictions`
on each turn of a user. It has the turn's acts; each argument has the probabilities of the frames 1
to F from before the turn and of a new one, which add up to 1. A last `ref` argument has those of
the act as a whole, which need not.

    "predictions": {"acts": [{"name": "inform", "args": [
        {"key": "ref", "val": [{"frame": [0.9, 0.1], "annotations": [{"val": "Oslo", "key": …}]}]},
        {"key": "ref", "val": [{"frame": [0.8, 0.1]}]}]}]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import msgspec

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Outcome, Plan, Protocol, Target
from dialoom.bench.core.settings import spelled
from dialoom.bench.visibility import acts_and_frames, bare, frames_alone, visible
from dialoom.corpus import Corpus
from dialoom.dialogue import USER, Act, Dialogue, FrameOf
from dialoom.dialogue.frames import ID, START
from dialoom.dialogue.references import NEW, ActFrames, Shares, dereferenced, frames_of
from dialoom.dialogue.views import parts, utterances
from dialoom.formats.base.values import Json
from dialoom.formats.frames.acts import ARGUMENT, REFERENCES
from dialoom.formats.frames.dialogues import to_json
from dialoom.metrics.frames import FrameTracking

Answered = dict[tuple[str, int], Sequence[Json]]
"""(Dialogue, turn) to its acts with the predicted probabilities."""


def write_official(plan: Plan, outcomes: Iterable[Outcome]) -> bytes:
    """Return the prediction file of all dialogues that were asked about."""
    answers = {outcome.holdout: outcome.predictions for outcome in outcomes}
    guesses: Answered = {}
    for holdout in plan.holdouts:
        for target, prediction in zip(holdout.test, answers[holdout.name], strict=True):
            acts = zip(target.asked.acts, prediction.answer, strict=True)
            guesses[target.source, target.event] = [_act(act, frames) for act, frames in acts]
    sources = {source for source, _ in guesses}
    dialogues = (each for each in plan.data.corpus.dialogues() if each.id in sources)
    return msgspec.json.encode([_predicted(to_json(each), guesses) for each in dialogues])


def _predicted(raw: Json, guesses: Answered) -> Json:
    for number, turn in enumerate(raw["turns"]):
        if turn["author"] == "user":
            turn["predictions"] = {"acts": guesses.get((raw["id"], number), [])}
    return raw


def _act(act: Act, frames: ActFrames) -> Json:
    pairs = zip(act.arguments, frames.arguments, strict=True)
    references = [
        {"frame": _row(shares), "annotations": [ARGUMENT.write(argument)]}
        for argument, shares in pairs
        if argument.slot != ID
    ]
    references.append({"frame": _row(frames.act)})
    return {"name": act.name, "args": [{"key": REFERENCES[0], "val": [r]} for r in references]}


def _row(shares: Shares) -> list[float]:
    """Return the probability of each frame by its number, that of a new one last."""
    numbered = [shares.get(frame, 0.0) for frame in range(1, max(shares, default=0) + 1)]
    return [*numbered, shares[NEW]] if NEW in shares else numbered


Form = Literal["before", "as-published"]


@dataclass(frozen=True, slots=True)
class FrameTrackingSettings:
    """Settings of frame tracking.

    Attributes:
        form: Whether the candidates are the frames before the turn, or (a leak) those after it.
    """

    form: Form = "before"


NAME = "frames-tracking"


def plan(data: Data, settings: FrameTrackingSettings) -> Plan:
    """Find the user turns with acts, by user; `MissingDataError` without any."""
    users = by_user(data.corpus, settings.form)
    check_found(users, data.corpus, "no user's turn has acts and frames")
    learnt = by_user(data.train_corpus, settings.form) if data.train_corpus else users
    leaks = settings.form == "as-published"
    folds = list(holdouts(data, users, learnt))
    return Plan(
        protocol=NAME,
        title=f"{NAME}, candidates {settings.form}",
        data=data,
        metrics=(FrameTracking(),),
        holdouts=folds,
        groups=groups(folds, learnt),
        options=spelled(settings),
        notes=["a leak: the candidates are the frames of the turn itself"] if leaks else [],
    )


Users = dict[str, list[Target]]

MOST_FOLDS = 20
"""The most users for whom there is a fold each; Frames has 11."""

PARTS = 10
"""Folds of a corpus with more users, or whose users are not known."""


def holdouts(data: Data, questions: Users, learnt: Users) -> Iterator[HoldOut]:
    """Yield the folds by user, or one with a training corpus; or `MissingDataError`."""
    folds = [("all", [*questions])] if data.train_corpus is not None else list(_folds(questions))
    for name, users in folds:
        train = [target for user, turns in learnt.items() if user not in users for target in turns]
        lacking = "has no other users' turns to learn from"
        check_found(train, data.train_corpus or data.corpus, lacking, "nothing-to-learn")
        yield HoldOut(name, train, [target for user in users for target in questions[user]])


def _folds(by_user: Users) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each fold's name and users: one user, but the two with the fewest dialogues together.

    More than `MOST_FOLDS` users are divided into `PARTS` folds in the order of the corpus.
    """
    if len(by_user) > MOST_FOLDS:
        users = list(by_user)
        cuts = [len(users) * n // PARTS for n in range(PARTS + 1)]
        yield from ((f"part-{n + 1}", users[cuts[n] : cuts[n + 1]]) for n in range(PARTS))
        return
    size = {user: len({target.source for target in turns}) for user, turns in by_user.items()}
    users = sorted(by_user, key=lambda user: (size[user], user))
    smallest = 2 if len(users) > 2 else 1
    for fold in (users[:smallest], *([user] for user in users[smallest:])):
        yield "+".join(fold), fold


def groups(splits: Sequence[HoldOut], learnt: Users) -> dict[str, frozenset[str]]:
    """Return training dialogue to its fold; with a training corpus, to its user."""
    folds = {target.source: frozenset({fold.name}) for fold in splits for target in fold.test}
    users = {t.source: frozenset({user}) for user, turns in learnt.items() for t in turns}
    return users if len(splits) == 1 else folds


def by_user(corpus: Corpus, form: Form) -> Users:
    """Return user to the questions about their turns."""
    return asked_by_user(corpus, partial(targets, form=form))


def asked_by_user(corpus: Corpus, ask: Callable[[Dialogue], Iterable[Target]]) -> Users:
    """Return user to their questions; a dialogue without a user counts as a user of its own."""
    users: Users = {}
    for dialogue in corpus.dialogues():
        users.setdefault(dialogue.workers.get(USER, dialogue.id), []).extend(ask(dialogue))
    return {user: targets for user, targets in users.items() if targets}


def targets(dialogue: Dialogue, form: Form = "before") -> Iterator[Target]:
    """Yield a question for each turn of the user that has acts."""
    history, positions = visible(dialogue, acts_and_frames)
    ids, active = {frame.id for frame in START.frames}, START.active
    for turn, (index, event) in enumerate(utterances(dialogue)):
        part = next((part for part in parts(event) if part.frames is not None), None)
        if part is None:
            continue
        there = {frame.id for frame in part.frames or ()}
        if event.agent == USER and part.acts:
            leaks = form == "as-published"
            now = frames_alone(event) if leaks else bare(event)
            yield Target(
                dialogue.id,
                turn,
                FrameOf(dereferenced(part.acts)),
                frames_of(part.acts, part.active_frame, there if leaks else ids),
                (*history[: positions[index]], now),
                positions[index] + 1,
                (_change(part.active_frame, active, ids),),
            )
        ids, active = there, part.active_frame or active


def _change(now: int | None, before: int, ids: set[int]) -> str:
    """Return a turn's slice: the active frame stays, or becomes an earlier or a new one."""
    if now in (before, None):
        return "same frame"
    return "other frame" if now in ids else "new frame"


TRACKING = Protocol(
    NAME,
    "frames-json",
    FrameOf,
    "frame-trees",
    FrameTrackingSettings,
    plan,
    official=write_official,
)
