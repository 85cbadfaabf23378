"""Arguments and options that several commands share, so that they are everywhere the same."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from dialoom.cli.command import Bounds, Help
from dialoom.errors import UsageError, clip

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

    from dialoom.corpus import Corpus

CorpusPath = Annotated[Path, Help("A corpus folder or file.", "PATH")]
SourcePath = Annotated[Path, Help("A corpus folder or file.", "SRC")]
TargetFolder = Annotated[Path, Help("A new folder.", "DST")]
FormatName = Annotated[str | None, Help("Its format; detected when absent.", "--format")]
SourceFormat = Annotated[str | None, Help("Format of SRC; detected when absent.")]
TargetFormat = Annotated[str | None, Help("Format of DST; that of SRC when absent.")]

TaskName = Annotated[str, Help("A task file, or the name of a bundled task.", "FILE_OR_TASK")]
TaskNames = Annotated[
    list[str], Help("Task files, names of bundled tasks, or `all` of those.", "FILE_OR_TASK…")
]

OwnCorpus = Annotated[bool, Help("Treat the corpus as private; ignore the catalogue.")]
Metrics = Annotated[list[str] | None, Help("Score by this metric as well; repeatable.", "--metric")]

LARGEST_SEED = 2**31 - 1
"""The largest value of `--seed`. The numerical libraries take seeds up to twice as large, and
models with several members add to it."""

Seed = Annotated[
    int,
    Bounds(0, LARGEST_SEED),
    Help("Seed of all random choices; the same seed gives the same result."),
]
Number = Annotated[
    int,
    Bounds(1, 10**9),
    Help("How many dialogues; for dstc6 and babi, items of each file.", "-n, --number"),
]
Workers = Annotated[
    int, Bounds(1, 1024), Help("Processes that share the work; the result is the same.")
]
FollowerModel = Annotated[
    Path | None,
    Help(
        "With --agent follower: a saved model, or a corpus to train on. By default, it is "
        "trained on simulated dialogues, once; ~/.cache/dialoom keeps that model."
    ),
]


def with_model(agent: str, model: Path | None) -> str:
    """Return an agent with the model of `--model`; `UsageError` if it takes none."""
    if model is not None and agent != "follower":
        raise UsageError(
            f"--model is for --agent follower, not --agent {clip(agent, 40)}", code="not-taken"
        )
    return agent if model is None else f"{agent}:{model}"


Agent = Annotated[str, Help("Change utterances of: user, system or all.")]

EXPERIMENT = "Name of the experiment; `dialoom protocols` lists them."
Experiment = Annotated[str, Help(EXPERIMENT)]
ExperimentCorpus = Annotated[
    Path | None,
    Help(
        "Corpus root, folder of the experiment's format, or native corpus.", "--corpus, --corpora"
    ),
]
TrainingCorpora = Annotated[
    list[Path] | None,
    Help("Train on this corpus; repeatable. Hold-outs are left out of it too."),
]
ProtocolSettings = Annotated[
    list[str] | None, Help("A setting of the protocol; repeatable.", "-P, NAME=VALUE")
]
ModelSettings = Annotated[
    list[str] | None, Help("A setting of the model; repeatable.", "-M, NAME=VALUE")
]

Database = Annotated[str, Help("An SQLite file, or a URL of PostgreSQL.", "FILE")]
StudyDatabase = Annotated[str, Help("The study's database.", "--db, FILE")]


def given(options: Any, tasks: str | None, **others: Any) -> dict[str, Any]:
    """Return the options of a study that are given; `tasks` has commas between its names."""
    names = None if tasks is None else tuple(filter(None, tasks.split(",")))
    values = {**vars(options), "tasks": names, **others}
    return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class ServerOptions:
    """The address that a server listens on, and the proxy in front of it.

    Attributes:
        port: Port to listen on; 0 for any free one.
        host: Address to listen on; 0.0.0.0 lets other machines connect.
        url: Public address of the server, if it is behind a proxy.
        trust_proxy (ADDRESS): Address or network of a trusted proxy, whose X-Forwarded-For header
            names the client. Without it, the header is ignored, and all who come through a proxy
            count as one address.
    """

    port: Annotated[int, Bounds(0, 65535)] = 8000
    host: str = "127.0.0.1"
    url: str | None = None
    trust_proxy: list[str] | None = None

    @contextmanager
    def listening(self) -> Iterator[tuple[socket.socket, tuple[str, ...]]]:
        """Yield a listening socket and the trusted proxies; `UsageError` for wrong options."""
        from dialoom.serve.server import listen, proxies

        if self.url is not None:
            check_url(self.url)
        trusted = proxies(self.trust_proxy or ())
        with listen(self.host, self.port) as listening:
            yield listening, trusted


def check_url(url: str) -> None:
    """Raise `UsageError` unless a server can have the public address `--url`."""
    from dialoom.collect.settings_check import check_address

    check_address(url, "--url")
    path = url.partition("://")[2].partition("/")[2].strip("/")
    if path:
        raise UsageError(f"--url: leave out the path /{clip(path)}", code="no-address")


JsonFile = Annotated[Path | None, Help("Write the result to this JSON file; - is stdout.")]
JsonLines = Annotated[
    Path | None, Help("Write all entries as JSON lines to this file; - is stdout.")
]
RejectsFile = Annotated[
    Path | None,
    Help("Set dialogues aside that cannot be read: each is a JSON line, with the reason.", "FILE"),
]
HtmlFile = Annotated[Path | None, Help("Write an HTML page to this file; - is stdout.")]
OutFile = Annotated[Path | None, Help("Write to this file instead of standard output.")]


@dataclass(frozen=True)
class FilterOptions:
    """The dialogues of a corpus that a command is about.

    def show(corpus: CorpusPath, filters: FilterOptions) -> None:
        found = filters.of(formats.load(corpus))

    Attributes:
        split: Only dialogues of this part: a folder of the corpus.
        task: Only dialogues about this task or service.
        stage: Only dialogues of this stage: happy, unhappy or multi.
        outcome: Only dialogues with this outcome, such as Complete.
        text: Only dialogues with this text in an utterance.
        where (CONDITION): Only dialogues that meet this condition: 'turns >= 10',
            'outcome=Complete', 'id=api.is_one_of(["1","2"])'; repeatable.
    """

    split: str | None = None
    task: str | None = None
    stage: str | None = None
    outcome: str | None = None
    text: str | None = None
    where: list[str] | None = None

    def of(self, corpus: Corpus) -> Corpus:
        """Return a corpus with these dialogues only.

        `UnknownNameError` for stages, tasks, parts and facts; `UsageError` for other conditions.
        """
        return corpus.filter(**vars(self) | {"where": self.where or ()})
