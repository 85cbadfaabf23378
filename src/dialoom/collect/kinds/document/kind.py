"""The base class of the kinds of work in which one person edits a document and submits it.

A document is a set of named parts, each saved with a revision number. A subclass defines the items,
the page, the allowed values of each part, what a document lacks to be submitted, and the dialogues
that are made from it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.work import DocumentWork
from dialoom.collect.log.record import SERVER, Answered, Body, Closed, Role, Saved
from dialoom.collect.message import MessageBody, Refused, cleaned, visible
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.unit import Data, Policy, Result, Scenarios, WorkItem, WorkKind, gold_source
from dialoom.dialogue import COMPLETE, Candidate, Dialogue
from dialoom.schema.task import TaskSchema


class Save(MessageBody, frozen=True, tag="save"):
    """Save a part, if `rev` is its last revision (0 for a new one); null removes it."""

    part: str
    rev: int
    value: Any = None


class Submit(MessageBody, frozen=True, tag="submit"):
    """Submit the finished document, with an optional comment."""

    comment: str | None = None


DocumentMessage = Save | Submit
"""Every message of a person who works on a document."""

LONGEST_PART = 64
"""The most characters of the name of a part."""


class DocumentKind(WorkKind):
    """Base of the kinds of work on a document.

    Attributes:
        content: The type of an item's content; one without a type overrides `read`.
        schemas: Id to task or service, for the dialogues that are made from the documents.
        merges: Whether the documents of several people about an item become one dialogue.
    """

    name: str
    roles: tuple[Role, ...]
    policy: Policy = "alone"
    merges = False
    content: type[Any]

    def __init__(self, scenarios: Scenarios, settings: Settings, stage: Stage) -> None:
        self._settings, self._stage = settings, stage
        self.schemas: Mapping[str, TaskSchema] = {}
        self._given: dict[str, Any] = {}

    @property
    def reader(self) -> Role:
        """The only role of a unit."""
        return self.roles[0]

    @classmethod
    def unfit_source(cls, before: Stage) -> str:
        """Return what `of` may name, if an earlier stage is not that; else an empty text."""
        return "to leave it out"

    def follow(self, before: WorkKind) -> None:
        """Take the schemas of the earlier stage whose results are the items of this one."""
        self.schemas = before.schemas

    # --- what a subclass defines ------------------------------------------------------------

    @abstractmethod
    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield the content of each item, and a value that is different for different items."""

    def read(self, content: Any) -> Any:
        """Return the content of an item as an object, from its JSON values."""
        return msgspec.convert(content, self.content)

    @abstractmethod
    def page(self, item: Any) -> Data:
        """Return the page's data about an item, which does not change during the unit."""

    @abstractmethod
    def checked(self, item: Any, part: str, value: Any) -> Any:
        """Return the value of a part to be stored; `Refused` if part or value is not valid."""

    @abstractmethod
    def problems(self, item: Any, document: Mapping[str, Any]) -> list[Data]:
        """Return what a document lacks to be submitted: each problem has `code` and `part`."""

    @abstractmethod
    def dialogues(self, item: Any, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield the dialogues, usually one, that are made from the results of an item."""

    def added(self, value: Any) -> Iterator[tuple[Any, Any]]:
        """Yield the content of an item that the admin adds, as `made` does.

        Raises:
            Refused: `bad_value`: it is not the content of an item.
            FormatError: The same.
        """
        raise Refused("bad_value", f"items of the kind {self.name} cannot be added")

    def progress(self, item: Any, document: Mapping[str, Any]) -> Data:
        """Return the page's data that follows from the document, always with the same keys."""
        return {}

    def also_saved(self, work: DocumentWork, saved: Saved) -> Iterable[Saved]:
        """Return changes of other parts that follow from saving one."""
        return ()

    def next_content(self, before: Dialogue) -> Any:
        """Return the content of an item about a dialogue of an earlier stage, as JSON values."""
        return msgspec.to_builtins(before)

    def traits(self, content: Any) -> dict[str, Any]:
        """Return the `group`, `variant` and `language` of an item (`WorkItem`), if it has them."""
        return {}

    def outcome(self, document: Mapping[str, Any]) -> Data | None:
        """Return the data of a finished document that its worker's last page shows, if any."""
        return None

    # --- as a kind of work ------------------------------------------------------------------

    def items(self) -> Iterator[WorkItem]:
        """Yield the items that its source makes."""
        for number, (content, key) in enumerate(self.made(), start=1):
            yield self.item(number, content, key)

    def item(
        self,
        number: int,
        content: Any,
        key: Any,
        after: str = "",
        people: Iterable[str] = (),
        language: str = "",
    ) -> WorkItem:
        """Return the `number`-th item of the stage.

        Args:
            number: The number that its id ends with.
            key: A value that differs between items, for the digest.
            after: The item or unit that it continues.
            people: The workers whose own work it is about.
            language: Its language, unless its `traits` have one.
        """
        from dialoom.dialogue import digest

        name = self._stage.name
        return WorkItem(
            id=f"{name}-{number}",
            source=name,
            content=content,
            digest=digest((name, key)),
            target=self._stage.workers,
            participants=tuple(people),
            after=after,
            **{"language": language, **self.traits(content)},
        )

    def given(self, item: WorkItem) -> Any:
        """Return the content of an item as an object; it is read once."""
        if item.id not in self._given:
            self._given[item.id] = self.read(item.content)
        return self._given[item.id]

    def begin(self, item: WorkItem, stage: Stage) -> DocumentWork:
        """Return the state of a unit that is opened for an item."""
        return DocumentWork(self.given(item), self._settings.times)

    def view(self) -> Self:
        """Return itself, which makes the page of a unit."""
        return self

    def of(self, work: DocumentWork, role: Role) -> Data:
        """Return the page; a caller that changes it has to copy it."""
        if work.page is None:
            work.page = self.page(work.given)
        return {
            "role": role,
            "step": work.step,
            "turn": role if work.step == "talk" else None,
            "your_turn": work.step == "talk",
            "seq": work.events.count(role),
            "idle_warning_at": None,
            "idle_at": None,
            "problems": self.problems(work.given, work.document),
            "outcome": work.outcome,
            "item": work.page,
            **self.progress(work.given, work.document),
        }

    def author(self, body: Body, role: Role) -> str:
        """Return the author of a record that holds what a message of `role` makes."""
        return SERVER if isinstance(body, Closed) else role

    def decide(
        self,
        work: DocumentWork,
        role: Role,
        message: MessageBody,
        now: int,
        ranked: Sequence[Candidate] | None = None,
    ) -> tuple[Body, ...]:
        """Return the bodies of the records that a message makes; nothing is changed."""
        if work.over or not isinstance(message, Save | Submit):
            raise Refused("not_now", "that cannot be done now")
        if isinstance(message, Submit):
            return self._submitted(work, role, message)
        saved = self._saved(work, message)
        return saved, *self.also_saved(work, saved)

    def _saved(self, work: DocumentWork, message: Save) -> Saved:
        part, rev = message.part, work.revisions.get(message.part, 0)
        if not 0 < len(part) <= LONGEST_PART or not part.isprintable():
            raise Refused("malformed", f"a part has a name of 1 to {LONGEST_PART} characters")
        if message.rev != rev:
            now = work.document.get(part)
            what = f"this part was changed meanwhile: its revision is {rev}"
            raise Refused("conflict", what, part=part, rev=rev, value=now)
        value = message.value
        new_value = None if value is None else self.checked(work.given, part, value)
        return Saved(part=part, rev=rev + 1, value=new_value)

    def _submitted(self, work: DocumentWork, role: Role, message: Submit) -> tuple[Body, ...]:
        problems = self.problems(work.given, work.document)
        if problems:
            many = len(problems)
            what = f"{many} thing{'s are' if many > 1 else ' is'} still to be done"
            raise Refused("incomplete", what, problems=problems)
        comment = message.comment or ""
        text = cleaned(comment) if visible(comment) else None
        return Answered(role=role, answers={}, comment=text), work.close(COMPLETE)


class ComparableKind(DocumentKind):
    """Base of the kinds of work that may have gold items and rules of agreement."""

    @abstractmethod
    def known(self) -> Iterator[tuple[Any, Any]]:
        """Yield the content of each gold item of the stage, as `made` does."""

    @abstractmethod
    def score(self, item: Any, document: Mapping[str, Any]) -> float:
        """Return the score of a document against the known answer of a gold item, 0 to 1."""

    @abstractmethod
    def agreement(self, item: Any, one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
        """Return the agreement of two documents about an item, 0 to 1."""

    def gold(self) -> Iterator[WorkItem]:
        """Yield the gold items of the stage."""
        for number, (content, key) in enumerate(self.known(), start=1):
            item = self.item(number, content, key)
            source = gold_source(item.source)
            yield replace(item, id=f"{source} {number}", source=source, target=0, gold=True)
