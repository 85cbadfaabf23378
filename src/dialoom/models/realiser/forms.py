"""Acts as text, in the input forms of Kale & Rastogi 2020 ("Template guided text generation").

    naive      OFFER(city=Bonn) REQ_MORE()
    schema     OFFER(City where the cafe is=Bonn) REQ_MORE()
    template   I have this one: the city is Bonn. Is there anything else I can do?

Templates are those of `lang/en-automaton.json`; acts of one kind that follow
each other and name slots form one list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from dialoom.dialogue import Prediction, Realise
from dialoom.learn.model import Kinds, Questions, Schemas, Unlearnt
from dialoom.models.realiser.wording import TRUTH, ContentItem, content
from dialoom.schema.act_wording import Way, wording
from dialoom.schema.service import INTENT, Service
from dialoom.schema.service_words import ServiceWords, spoken_name
from dialoom.schema.services import contract

Form = Annotated[
    Literal["naive", "schema", "template"],
    Meta(description="The form: `naive` and `schema` list acts, `template` has sentences."),
]

VALUE, LIST, SLOT, INTENTION = "{value}", "<list>", "<slot>", "<intent>"
"""The placeholders of the templates."""


class ActTexts:
    """Writes acts as text in one of the forms."""

    def __init__(self, schemas: Schemas, form: Form) -> None:
        self._services = {name: contract(task) for name, task in schemas.items()}
        self._form, self._wording, self._words = form, wording(), ServiceWords()

    def say(self, items: Sequence[ContentItem]) -> str:
        """Return content items as one text, in their order."""
        if self._form != "template":
            return " ".join(map(self._plain, items))
        groups = groupby(items, key=lambda item: item.act)
        return " ".join(text for act, group in groups for text in self._sentences(act, group))

    def _plain(self, item: ContentItem) -> str:
        name = item.slot if self._form == "naive" else self._description(item)
        values = " ".join(item.values) or item.implicit
        return f"{item.act}({name}{'=' if values else ''}{values})"

    def _description(self, item: ContentItem) -> str:
        service = self._services.get(item.service, Service())
        described = {each.name: each.description for each in service.slots}
        if item.slot == INTENT:
            described = {each.name: each.description for each in service.intents}
        return described.get(item.implicit if item.slot == INTENT else item.slot) or item.slot

    def _sentences(self, act: str, group: Iterable[ContentItem]) -> Iterator[str]:
        items = list(group)
        pattern = self._wording.lists.get(act)
        if pattern and all(item.slot for item in items):
            *before, last = [_element(pattern, item) for item in items]
            ending = self._wording.last if before else ""
            yield pattern.wrap.replace(LIST, self._wording.between.join(before) + ending + last)
        else:
            yield from (self._sentence(item) for item in items)

    def _sentence(self, item: ContentItem) -> str:
        template = self._wording.system.get(item.act)
        if template is None:
            return " ".join((spoken_name(item.slot or item.act), *item.values))
        text = template.replace(VALUE, " ".join(item.values))
        service = self._services.get(item.service, Service())
        intent = next((i for i in service.intents if i.name == item.implicit), None)
        phrase = self._words.intent(intent) if intent else spoken_name(item.implicit or item.slot)
        return text.replace(INTENTION, phrase)


def _element(way: Way, item: ContentItem) -> str:
    text = {TRUTH[0]: way.yes, TRUTH[1]: way.no}.get(item.implicit, way.item)
    if item.values and VALUE not in text:
        text = way.example or f"{text} {VALUE}"
    values = ", ".join(item.values)
    return text.replace(SLOT, spoken_name(item.slot)).replace(VALUE, values)


@dataclass
class ActCopy(Unlearnt):
    """Answers with the acts as text, in a form: a baseline without learning."""

    name: ClassVar[str] = "copy"
    kinds: ClassVar[Kinds] = (Realise,)
    form: Form = "naive"

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Answer each question with the acts as text."""
        texts = ActTexts(schemas, self.form)
        return [Prediction(texts.say(content(question.asked.acts))) for question in questions]


@dataclass
class ActTemplates(ActCopy):
    """Answers with the text of a template for each act: a baseline without learning."""

    name: ClassVar[str] = "template"
    form: Form = "template"
