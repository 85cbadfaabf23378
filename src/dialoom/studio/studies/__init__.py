"""The view of study files: a form and the text of one, its mistakes, and its pages.

settings   reads, changes and checks the text of a study's settings
pages      the pages of a study as each person sees them
"""

from starlette.routing import Route

from dialoom.serve.responses import Nothing
from dialoom.studio.routes import acts, reads
from dialoom.studio.studies import settings
from dialoom.studio.studies.pages import framed
from dialoom.studio.studies.settings import EditedStudy, recognise
from dialoom.studio.tasks.files import AskedFile, SavedFile, save

ROUTES: list[Route] = [
    reads("/api/studies/file", AskedFile, settings.read),
    acts("/api/studies/save", SavedFile, save),
    reads("/api/studies/grammar", Nothing, settings.grammar),
    acts("/api/studies/check", EditedStudy, settings.check),
    acts("/api/studies/change", settings.StudyChanges, settings.change),
    acts("/api/studies/pages", EditedStudy, "dialoom.studio.studies.pages:played", "study_pages"),
    Route("/study/{key}/{name}", framed),
]

__all__ = ["ROUTES", "recognise"]
