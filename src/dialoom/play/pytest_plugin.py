"""A pytest plug-in whose fixture tests an agent with simulated users.

    def test_my_bot(dialoom_run):
        dialoom_run("http:http://localhost:8000/turn", tasks="hotel_book", at_least=90)

It is installed with dialoom; `-p no:dialoom.play.pytest_plugin` switches it off. A test that fails
names the first dialogue that missed its goal, how it differs from the target, and the folder of the
run, which pytest keeps with its last temporary folders, for `dialoom show` and `dialoom report`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.errors import DialoomError, check_name

if TYPE_CHECKING:
    from dialoom.http.metering import WireLimits
    from dialoom.play.results.run import PlayRun


class RunBot:
    """Plays an agent against users (the fixture `dialoom_run`).

    Args:
        folder: Returns a new folder for a run.
    """

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder

    def __call__(
        self,
        agent: str | Callable[..., Any],
        *,
        tasks: str = "all",
        user: str | Callable[..., Any] = "simulated",
        goals: int = 20,
        trials: int = 1,
        seed: int = 0,
        at_once: int = 1,
        goals_file: Path | None = None,
        traits: str = "",
        figure: str = "success",
        at_least: float | Mapping[str, float] = 0.0,
        at_most: Mapping[str, float] | None = None,
        forbid: str | None = None,
        junit: Path | None = None,
        limits: WireLimits | None = None,
        **wire: Any,
    ) -> BotRun:
        """Play, and fail the test if a figure is below a threshold or a dialogue has no result.

        Args:
            agent: A function, or an agent as `dialoom play --agent` names it, such as `http:URL`.
            tasks: Names of tasks or task files, separated by commas, or `all`.
            user: A function, or users as `dialoom play --user` names them.
            goals: Number of goals that are drawn of each task.
            trials: Number of dialogues of each goal.
            seed: The seed of goals and wordings.
            at_once: Number of dialogues that are played at a time, for a slow bot.
            goals_file: Goals in YAML or tau2-bench's JSON, which are played instead of drawn ones.
            traits: Traits of the users, as `dialoom play --traits` names it.
            figure: The figure with a threshold, where there is one.
            at_least: The threshold, or several by the names of their figures.
            at_most: Further thresholds, of figures of which less is better, such as `no_result`.
            forbid: Words that the agent must not say, with commas between, or a file of them.
            junit: A file for the dialogues as JUnit's test cases.
            limits: Limits on what a remote participant spends, with the settings of its requests.
            wire: The same by the names of the command's options: timeout, rate, max_calls,
                max_cost, prices, agent_settings, user_settings.
        """
        __tracebackhide__ = True
        from dialoom.corpus.files import write_atomic
        from dialoom.http.metering import read_limits
        from dialoom.play.functions import play
        from dialoom.play.results.junit import to_junit
        from dialoom.play.results.thresholds import check, failed, joined, read_thresholds

        names = {*signature(self.__call__).parameters, *signature(read_limits).parameters}
        most = ",".join(f"{name}={limit}" for name, limit in (at_most or {}).items())
        try:
            for name in wire:
                check_name("option", name, names - {"wire"})
            thresholds = dict(at_least) if isinstance(at_least, Mapping) else {figure: at_least}
            thresholds = joined(thresholds, read_thresholds(None, most or None))
            check(thresholds)
            run = play(
                agent,
                user=user,
                tasks=tasks,
                n=goals,
                trials=trials,
                seed=seed,
                goals=goals_file,
                traits=traits,
                at_once=at_once,
                limits=limits or read_limits(**wire),
                forbid=forbid,
                out=self._folder(),
            )
            bot_run = BotRun(run)
            if junit is not None:
                write_atomic(junit, to_junit(run.dialogues))
        except DialoomError as error:
            pytest.fail(str(error), pytrace=False)
        beyond = "; ".join(failed(thresholds, bot_run.figures))
        if beyond:
            pytest.fail(f"{beyond}: {bot_run}", pytrace=False)
        return bot_run


class BotRun:
    """A finished run.

    Attributes:
        figures: Its figures over all tasks, such as success, reached, reported and user_faults
            (docs/reference/play-figures.md).
        folder: The folder of its dialogues.
    """

    def __init__(self, run: PlayRun) -> None:
        self.figures: dict[str, Any] = run.summary["all"]
        self.folder: Path = run.path
        self._run = run

    def __str__(self) -> str:
        return "\n".join(_summary_lines(self._run))


@pytest.fixture
def dialoom_run(tmp_path_factory: pytest.TempPathFactory) -> RunBot:
    """Let an agent serve twenty simulated users of each task; fail below a threshold."""
    return RunBot(lambda: tmp_path_factory.mktemp("dialoom") / "run")


def _summary_lines(run: PlayRun) -> Iterator[str]:
    from dialoom.dialogue.transcript import lines
    from dialoom.play.results.failure import differences
    from dialoom.play.results.summary import no_result
    from dialoom.render.transcript import to_text

    missed = list(run.missed())
    scored = run.summary["all"]["trials"] - run.summary["all"]["no_result"]
    yield from no_result(run.summary["all"])
    many = sum(failure != "no result" for failure, _ in missed)
    yield f"{many} of {scored} dialogues missed their goal"
    yield from (f"  {n} {name}" for name, n in Counter(name for name, _ in missed).items())
    if missed:
        failure, first = missed[0]
        yield f"the first of them, {first.dialogue.id}: {failure}"
        yield to_text(lines(first.dialogue)).rstrip()
        yield from (f"  {line}" for line in differences(first.played))
    yield f"the run lies in {run.path}"
