"""The languages of a study's tasks, of which each worker chooses one, and texts in a language.

study_languages(settings, library.tasks)    # ("en", "de"): the first is the setting `language`
in_language(settings, "de").purpose         # the text for workers who chose German
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from dialoom.collect.settings import Settings
from dialoom.schema.task import TaskSchema


def study_languages(settings: Settings, tasks: Mapping[str, TaskSchema]) -> tuple[str, ...]:
    """Return the languages that workers may choose from, the setting `language` first."""
    return tuple(dict.fromkeys((settings.language, *(task.language for task in tasks.values()))))


def in_language(settings: Settings, language: str) -> Settings:
    """Return settings with the texts replaced by their translations, where there are any."""
    translation = settings.translations.get(language)
    if translation is None:
        return settings
    texts = {
        name: text
        for name in ("name", "purpose", "debriefing")
        if (text := getattr(translation, name))
    }
    consent = replace(settings.consent, text=translation.consent or settings.consent.text)
    return replace(
        settings, **texts, consent=consent, video={**settings.video, **translation.video}
    )
